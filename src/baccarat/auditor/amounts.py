"""Amounts of money: their format in findings, and the ledger accounts that hold them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

NO_NUMBER = -(2**63)
"""Placeholder for a stored value that is not a number."""


class Purse(NamedTuple):
    """The ledger accounts for one kind of money: player's wallet, stakes, house and errors."""

    held: str
    stakes: str
    house: str
    errors: str


REAL = Purse("real", "stakes", "house/bank", "house/errors")
PLAY = Purse("play", "play-stakes", "house/play-money", "house/play-errors")
BONUS = Purse("bonus", "bonus-stakes", "house/bonus", "house/bonus-errors")


def purses(player: str) -> tuple[Purse, Purse]:
    """Return the purses of a player's real money (for guests, play money) and of bonus money."""
    return PLAY if player.startswith("guest-") else REAL, BONUS


def total(placed: Mapping[str, Any]) -> int:
    """Return the total stake of a player's wagers."""
    return sum(wager["stake"] for wager in placed["wagers"])


def net(result: Mapping[str, Any]) -> int:
    """Return a player's net win; negative for a loss."""
    return sum(wager["net"] for wager in result["wagers"])


def split(coins: int, placed: Mapping[str, Any]) -> tuple[int, int]:
    """Split a stake, or the coins returned for it, into real money and bonus money."""
    staked = total(placed)
    bonus = coins * placed["bonus"] // staked if staked else 0
    return coins - bonus, bonus


def money(coins: Any) -> str:
    """Format 1234 coins as '12.34'; return the repr of a value that is not a number of coins."""
    if type(coins) is not int or coins == NO_NUMBER:
        return "not a number" if coins == NO_NUMBER else repr(coins)
    units, rest = divmod(abs(coins), 100)
    return f"{'-' if coins < 0 else ''}{units:,}.{rest:02}"
