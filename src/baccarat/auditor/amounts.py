"""Amounts of money: how findings format them, and the accounts that hold them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

NO_NUMBER = -(2**63)
"""Replaces a value that is not a number."""


class Purse(NamedTuple):
    """A kind of money that a player has, and the other accounts of that kind."""

    held: str
    stakes: str
    house: str
    errors: str


REAL = Purse("real", "stakes", "house/bank", "house/errors")
PLAY = Purse("play", "play-stakes", "house/play-money", "house/play-errors")
BONUS = Purse("bonus", "bonus-stakes", "house/bonus", "house/bonus-errors")


def purses(player: str) -> tuple[Purse, Purse]:
    """Return the purses of a player's own money (for guests, play money) and bonus money."""
    return PLAY if player.startswith("guest-") else REAL, BONUS


def total(placed: Mapping[str, Any]) -> int:
    """Return the total stake of a player."""
    return sum(wager["stake"] for wager in placed["wagers"])


def net(result: Mapping[str, Any]) -> int:
    """Return a player's net win or, if negative, loss."""
    return sum(wager["net"] for wager in result["wagers"])


def split(coins: int, placed: Mapping[str, Any]) -> tuple[int, int]:
    """Split a stake, or what is returned for it, into own and bonus money."""
    staked = total(placed)
    bonus = coins * placed["bonus"] // staked if staked else 0
    return coins - bonus, bonus


def money(coins: Any) -> str:
    """Format 1234 as '12.34', and anything that is not a number of coins unchanged."""
    if type(coins) is not int or coins == NO_NUMBER:
        return "not a number" if coins == NO_NUMBER else repr(coins)
    units, rest = divmod(abs(coins), 100)
    return f"{'-' if coins < 0 else ''}{units:,}.{rest:02}"
