"""What a table is set to: where its cards come from, its clock, and the stakes it shows.

Plain values, checked when they are made. The one rule: times are whole milliseconds and money is
whole coins, so that a table's settings have a canonical form.
"""

from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.errors import BaccaratError
from baccarat.shoe import CUT, Burn
from baccarat.shoe.commitment import Source
from baccarat.table.canonical import later


@dataclass(frozen=True)
class BetLimits:
    """The stakes a table shows for one bet, where they differ."""

    bet: str
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True)
class StakeLimits:
    """The stakes a table shows, in coins; what is None is as the card says."""

    minimum: int | None = None
    maximum: int | None = None
    coup_maximum: int | None = None
    """The most one player may stake on a coup in all."""
    bets: tuple[BetLimits, ...] = ()
    seats: int | None = later(None)
    """The most players who may wager on a round."""


@dataclass(frozen=True)
class Clock:
    """The pace of a table, in milliseconds."""

    betting: int = 20_000
    """From "place your bets" to "no more bets"."""
    card: int = 1_500
    """From one card to the next, and from the last to the result."""
    pause: int = 5_000
    """From the result to the next round."""
    contribute: int = 0
    """For commitments to a new shoe; 0 where players do not contribute."""
    reveal: int = 0
    """For revealing what was committed to."""

    def __post_init__(self) -> None:
        for name in ("betting", "card", "pause", "contribute", "reveal"):
            value = getattr(self, name)
            if value < 0 or (name == "betting" and value == 0):
                raise BaccaratError(f"{name}: {value} ms is no time to wait: write more than that")
        if bool(self.contribute) != bool(self.reveal):
            raise BaccaratError(
                f"contribute {self.contribute} ms and reveal {self.reveal} ms: players need time "
                "for both, or for neither"
            )


class Excess(StrEnum):
    """Where a card goes that was drawn too many. It has been seen, so no bet is taken on it."""

    BURNED = "burned"
    RETURNED = "returned"
    """It goes back and is the next card of the shoe (R44); the next coup is dealt without bets."""
    NEXT = "next"
    """It went back, and bets were taken. In older journals only: no table is set to it."""

    @property
    def goes_back(self) -> bool:
        """Is the card the next one of the shoe?"""
        return self is not Excess.BURNED


class Dummy(StrEnum):
    """What a cancelled round gives back."""

    STAKES = "stakes"
    BETTER = "better"
    """The stake; or its win, where the cards on the table had decided a bet already."""


@dataclass(frozen=True)
class Floor:
    """House rules for when something goes wrong."""

    excess: Excess = Excess.BURNED
    dummy: Dummy = Dummy.STAKES


USUAL_FLOOR = Floor()


@dataclass(frozen=True)
class Settings:
    """What a table is set to."""

    rules: str
    """Canonical content of the rules (`table.rules`)."""
    source: Source = Source.SHOE
    cut: int = CUT
    """Cards behind the cut card; no meaning for a shuffler."""
    burn: Burn = Burn.FIRST_CARD
    clock: Clock = Clock()
    limits: StakeLimits = StakeLimits()
    floor: Floor = later(USUAL_FLOOR)
