"""Settings of a table: where its cards come from, its clock and its stake limits.

Settings are plain values. Times are whole milliseconds and amounts are whole coins, so that a
table's settings have a canonical form.
"""

from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.errors import BaccaratError
from baccarat.shoe import BURN, CUT, Burn
from baccarat.shoe.commitment import Source
from baccarat.table.codec import Values


@dataclass(frozen=True)
class BetLimits:
    """Stake limits of one bet; a missing limit is taken from the table or the rule card."""

    bet: str
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True)
class StakeLimits:
    """Stake limits of a table, in coins; a missing limit is taken from the rule card, if it has
    one.

    coup_maximum: Maximum total stake of one player on a coup.
    bets: Limits of single bets.
    seats: Maximum number of players who may wager on a round.
    """

    minimum: int | None = None
    maximum: int | None = None
    coup_maximum: int | None = None
    bets: tuple[BetLimits, ...] = ()
    seats: int | None = None


@dataclass(frozen=True)
class Clock:
    """The pace of a table, in milliseconds.

    betting: Time from "place your bets" to "no more bets".
    card: Time from one card to the next, and from the last card to the result.
    pause: Time from the result to the next round.
    contribute: Time for committing to contributions to a new shoe; 0 if players do not contribute.
    reveal: Time for revealing the contributions.
    squeeze: Time for a player to turn a card; 0 if players do not turn cards.
    """

    betting: int = 20_000
    card: int = 1_500
    pause: int = 5_000
    contribute: int = 0
    reveal: int = 0
    squeeze: int = 0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < 0 or (name == "betting" and value == 0):
                least = "longer than 0 ms" if name == "betting" else "at least 0 ms"
                raise BaccaratError(f"{name} must be {least}, not {value} ms")
        if bool(self.contribute) != bool(self.reveal):
            raise BaccaratError(
                f"contribute ({self.contribute} ms) and reveal ({self.reveal} ms) must both be "
                "longer than 0 ms, or both 0 ms"
            )


class Pace(StrEnum):
    """How fast a table is dealt."""

    FAST = "fast"
    STANDARD = "standard"
    SLOW = "slow"


CLOCKS = {
    Pace.FAST: Clock(betting=10_000, card=1_000, pause=4_000),
    Pace.STANDARD: Clock(),
    Pace.SLOW: Clock(betting=35_000, card=2_000, pause=8_000, squeeze=6_000),
}
"""The clock of each pace."""


def pace_of(clock: Clock) -> Pace:
    """Return the pace whose rounds are closest in length to those of a clock."""
    return min(Pace, key=lambda pace: abs(_cycle(CLOCKS[pace]) - _cycle(clock)))


def _cycle(clock: Clock) -> int:
    return clock.betting + clock.pause


class Excess(StrEnum):
    """Where an excess card goes.

    returned: It becomes the next card of the shoe again (R44). Because it has been seen, the next
        coup is dealt without bets.
    """

    BURNED = "burned"
    RETURNED = "returned"


class DummyRefund(StrEnum):
    """What players get back from a cancelled round.

    stakes: Their stakes.
    better: The same, except for bets that were already certain to win, which are paid.
    """

    STAKES = "stakes"
    BETTER = "better"


@dataclass(frozen=True)
class Change:
    """The value of a setting before and after a change.

    name: The setting, such as "maximum".
    bet: The name of the bet, for a limit of one bet; empty for a setting of the whole table.
    before: The value before the change; limits are in coins, times are in milliseconds, and None
        means that there is no limit.
    """

    name: str
    bet: str
    before: int | str | None
    after: int | str | None


@dataclass(frozen=True)
class Settings:
    """The settings of a table.

    rules: Canonical content of the rules (`table.rules`).
    cut: Number of cards behind the cut card; ignored for a shuffler.
    excess: Where an excess card goes after a dealing error.
    dummy: What players get back from a cancelled round.
    error_cut_off: Whether the house adds a cut-off for errors (R43) to a rule card without one.
    inspector: Whether the pit must confirm every rectification of a coup.
    deck_sets: Whether every shoe of real cards needs a deck set counted and shuffled for it.
    shuffler: Whether the real cards come from a shuffling machine, into which they go back after
        every coup.
    standing_offer: Terms that any player may accept; a parameter that is missing has the table's
        own value.
    grants_up_to: The highest values that are granted automatically on request; a parameter that is
        missing has the value of the standing offer.
    deal_now: Minimum time from one round to the next, in milliseconds, if everyone with a bet asks
        for the cards before the betting time is over; None if they cannot ask.
    """

    rules: str
    source: Source = Source.SHOE
    cut: int = CUT
    burn: Burn = BURN
    clock: Clock = Clock()
    limits: StakeLimits = StakeLimits()
    excess: Excess = Excess.BURNED
    dummy: DummyRefund = DummyRefund.STAKES
    error_cut_off: bool = False
    inspector: bool = False
    deck_sets: bool = False
    shuffler: bool = False
    standing_offer: Values = ()
    grants_up_to: Values = ()
    deal_now: int | None = None
