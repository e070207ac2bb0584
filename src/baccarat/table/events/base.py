"""The base class of events, and values that several events contain."""

from collections.abc import Sequence
from enum import StrEnum

from baccarat.table.codec import AccountId, Coins, Time, Value, Values


class EndReason(StrEnum):
    """Why a shoe is over."""

    DEALT_OUT = "dealt-out"
    ABANDONED = "abandoned"


class BurnReason(StrEnum):
    """Why a dealer burns cards.

    exposed: A card was shown before "no more bets".
    taken-back: Cards were reported and then taken back as not having left the shoe, so they may
        be the next cards.
    """

    AFTER_SHUFFLE = "after-shuffle"
    EXPOSED = "exposed"
    DEALER_CHANGE = "dealer-change"
    TAKEN_BACK = "taken-back"


class CutBy(StrEnum):
    """Who cut the shuffled cards."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT = "pit"


class CardExplanation(StrEnum):
    """What really happened to a card that a device reported when no such card was due.

    drawn: The next card of the coup, or an excess card.
    exposed: A card shown before "no more bets".
    burned: The card that was due to be burned.
    mistake: No such card left the shoe.
    """

    DRAWN = "drawn"
    EXPOSED = "exposed"
    BURNED = "burned"
    MISTAKE = "mistake"


class Alarm(StrEnum):
    """Why an alarm stopped a table.

    unshuffled: Cards come out in factory order, or in the same order as before.
    """

    UNSHUFFLED = "unshuffled"
    DOES_NOT_ADD_UP = "does-not-add-up"
    FOREIGN_CARD = "foreign-card"


THE_ALARM = "the alarm"
"""The name in `by` when an alarm pauses a table; no account has this name."""
THE_HOUSE = "the house"
"""Stands for the house if no member of staff made the agreement; no account has this name."""


class Event(Value, frozen=True, tag=True, tag_field="type"):
    """Base class of events.

    at: Server time in milliseconds since 1970; it never decreases within a journal.
    """

    at: Time


Events = Sequence[Event]


class WagerResult(Value, frozen=True):
    """One wager and its net result."""

    bet: str
    stake: Coins
    net: Coins


class PlayerResult(Value, frozen=True, omit_defaults=True):
    """One player's wagers on a round and their results.

    bonus: Part of the stakes that was bonus money, in coins.
    agreed: Parameters agreed with this player, under which the wagers were settled; left out if
        there are none.
    """

    player: AccountId
    wagers: tuple[WagerResult, ...]
    bonus: Coins
    agreed: Values = ()

    @property
    def staked(self) -> int:
        return sum([wager.stake for wager in self.wagers])

    @property
    def net(self) -> int:
        return sum([wager.net for wager in self.wagers])

    @property
    def returned(self) -> int:
        """Total coins returned to the player, stakes and winnings."""
        return self.staked + self.net
