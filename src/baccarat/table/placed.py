"""One player's wagers on a round, as the table holds them.

The one rule: a value. What it cost and what becomes of it is the ledger's.
"""

from dataclasses import dataclass

from baccarat.core.wagers import Wager


@dataclass(frozen=True)
class Placed:
    """One player's wagers on a round."""

    wagers: tuple[Wager, ...]
    agreed: tuple[tuple[str, str], ...] = ()
    bonus: int = 0

    @property
    def staked(self) -> int:
        return sum([wager.stake for wager in self.wagers])

    @property
    def real(self) -> int:
        """Of the stakes, what is the player's own money."""
        return self.staked - self.bonus


NO_WAGERS = Placed(())
