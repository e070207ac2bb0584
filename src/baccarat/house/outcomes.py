"""What the house makes of something it is asked: events and coins, to be written together.

The desk and its neighbours (protection, bonus money) all answer with an `Outcome`. The one rule: an
event of the house and its transactions are made in one place, so they never part.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from baccarat.core.money import format_coins
from baccarat.house import events as h
from baccarat.house import safety as sf
from baccarat.house.ledger import Transaction, of_house_event
from baccarat.house.profile import Conduct
from baccarat.house.roles import Account, Role
from baccarat.house.safety import Safety
from baccarat.table import events as e
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState
from baccarat.table.twopeople import Proposals

LARGEST_AMOUNT = 10**15


class Outcome(NamedTuple):
    """All that a command does."""

    events: tuple[e.Event, ...]
    transactions: tuple[Transaction, ...]
    state: TableState | None = None
    """The table's state afterwards."""
    safety: Mapping[str, Safety] = MappingProxyType({})
    """What is known of players for their protection afterwards, where it may have changed."""
    warnings: tuple[str, ...] = ()
    """For the player: limits that are nearly reached, and flags."""


@dataclass(frozen=True)
class Moment:
    """When the house is asked something about a player, and what it knows then."""

    now: int
    sequence: int
    """Of the next entry in the house's journal."""
    conduct: Conduct
    safety: Safety = sf.NOTHING
    proposals: Proposals = field(default_factory=dict)
    """What waits for a second person."""
    people: Mapping[str, Account] = field(default_factory=dict)
    """Those who are asked about, and those who proposed."""
    reason: str = ""
    """Why, for the second person where it takes two."""


def in_house(at: Moment, *events: e.Event, player: str = "") -> Outcome:
    """Events of the house's journal, their transactions, and what is then known of the player."""
    made: list[Transaction] = []
    safety = at.safety
    for number, event in enumerate(events, start=at.sequence):
        made += of_house_event(event, stream=h.STREAM, sequence=number)
        safety = sf.after(safety, event, at.conduct.zone)
    return Outcome(events, tuple(made), safety={player: safety} if player else {})


def check_money(player: Account, amount: int) -> None:
    """Players who are no guests have real money, in whole coins above zero."""
    check_wallet(player)
    check_amount(amount)


def check_wallet(player: Account) -> None:
    if player.role is not Role.PLAYER or player.guest:
        words = f"{player.name} has no wallet for real money: only players who are no guests do"
        raise Refused(Code.NOT_ALLOWED, words)


def check_amount(amount: object) -> None:
    if type(amount) is not int or not 0 < amount <= LARGEST_AMOUNT:
        words = f"{amount!r} is no amount: a whole number of coins from 1 to {LARGEST_AMOUNT:,}"
        raise Refused(Code.BAD_AMOUNT, words)


def check_covered(amount: int, balance: int) -> None:
    if amount > balance:
        raise Refused(
            Code.INSUFFICIENT_FUNDS,
            f"{format_coins(amount)} is more than the {format_coins(balance)} that is there",
        )
