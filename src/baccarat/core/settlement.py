"""Settlement: what each wager of a finished coup is paid, to the coin.

Every coin that leaves the house reaches the player and the other way round: a settlement sums
to zero by construction.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from baccarat.core.coup import Coup
from baccarat.core.errors import GameError
from baccarat.core.money import net_result
from baccarat.core.rulecard import Game
from baccarat.core.wagers import Wager


@dataclass(frozen=True, slots=True)
class Settled:
    """One wager and what became of it."""

    wager: Wager
    net: int
    """Coins the player is up (or, below zero, down) on this wager."""

    @property
    def returned(self) -> int:
        """Coins handed back to the player: stake and winnings, the stake, or nothing."""
        return self.wager.stake + self.net

    @property
    def house(self) -> int:
        """Coins the house is up on this wager."""
        return -self.net

    @property
    def outcome(self) -> str:
        """'wins', 'stand-off' or 'loses'."""
        return "wins" if self.net > 0 else "loses" if self.net < 0 else "stand-off"


def settle(game: Game, coup: Coup, wagers: Iterable[Wager]) -> tuple[Settled, ...]:
    """Settle wagers by the game's pay table, payouts rounded by the card's declared policy."""
    pays = game.pay_table.pays(coup)
    rounding = game.card.limits.rounding
    settled = []
    for wager in wagers:
        pay = pays[game.bet(wager.bet).id]
        if wager.stake <= 0:
            raise GameError(f"{wager.bet}: {wager.stake} coins are no stake: it is above zero")
        settled.append(Settled(wager, net_result(wager.stake, pay, rounding)))
    return tuple(settled)
