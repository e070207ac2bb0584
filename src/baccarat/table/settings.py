"""Settings of a table: where its cards come from, its clock, and the stakes it shows.

Plain values, checked when they are created. Times are whole milliseconds and money is whole coins,
so that a table's settings have a canonical form.
"""

from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.errors import BaccaratError
from baccarat.shoe import BURN, CUT, Burn
from baccarat.shoe.commitment import Source


@dataclass(frozen=True)
class BetLimits:
    """Stake limits of one bet, where they differ from the table's."""

    bet: str
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True)
class StakeLimits:
    """Stake limits of a table, in coins; None means the card's, if it sets one.

    coup_maximum: The most one player may stake on a coup in total.
    seats: The most players who may wager on a round.
    """

    minimum: int | None = None
    maximum: int | None = None
    coup_maximum: int | None = None
    bets: tuple[BetLimits, ...] = ()
    seats: int | None = None


@dataclass(frozen=True)
class Clock:
    """The pace of a table, in milliseconds.

    betting: From "place your bets" to "no more bets".
    card: From one card to the next, and from the last to the result.
    pause: From the result to the next round.
    contribute: For commitments to a new shoe; 0 where players do not contribute.
    reveal: For revealing the contributions.
    """

    betting: int = 20_000
    card: int = 1_500
    pause: int = 5_000
    contribute: int = 0
    reveal: int = 0

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


class Excess(StrEnum):
    """Where an excess card goes. It has been seen, so no bets are taken on it.

    returned: It goes back as the next card of the shoe (R44); the next coup is dealt without bets.
    """

    BURNED = "burned"
    RETURNED = "returned"


class Dummy(StrEnum):
    """What players get back from a cancelled round.

    better: The stake, or the win of a bet that the cards on the table had already decided.
    """

    STAKES = "stakes"
    BETTER = "better"


@dataclass(frozen=True)
class Floor:
    """House rules for when something goes wrong."""

    excess: Excess = Excess.BURNED
    dummy: Dummy = Dummy.STAKES


@dataclass(frozen=True)
class Change:
    """A setting before and after a change.

    name: The setting, such as "maximum".
    bet: The name of the bet whose limit it is; empty for the table's own.
    before: Coins for limits, milliseconds for times; None for no limit.
    """

    name: str
    bet: str
    before: int | str | None
    after: int | str | None


@dataclass(frozen=True)
class Settings:
    """The settings of a table.

    rules: Canonical content of the rules (`table.rules`).
    cut: Cards behind the cut card; ignored for a shuffler.
    """

    rules: str
    source: Source = Source.SHOE
    cut: int = CUT
    burn: Burn = BURN
    clock: Clock = Clock()
    limits: StakeLimits = StakeLimits()
    floor: Floor = Floor()
