"""Settlement: what each wager of a finished coup is paid, to the coin.

Every coin that leaves the house reaches the player and the other way round: a settlement sums
to zero by construction.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from baccarat.core.coup import Coup
from baccarat.core.errors import GameError
from baccarat.core.money import format_coins, net_result
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
    """Settle wagers by the game's pay table, payouts rounded by the card's declared policy.

    A stake that could not be paid if it won is refused whatever the coup: settling never depends on
    the result. Limits are a matter of accepting wagers.
    """
    pays = game.pay_table.pays(coup)
    rounding = game.card.limits.rounding
    settled = []
    for wager in wagers:
        pay = pays[game.bet(wager.bet).id]
        _check_stake(game, wager)
        settled.append(Settled(wager, net_result(wager.stake, pay, rounding)))
    return tuple(settled)


def _check_stake(game: Game, wager: Wager) -> None:
    stake, step = wager.stake, game.offers[wager.bet].step
    if type(stake) is not int or stake <= 0:
        raise GameError(
            f"Invalid stake {stake!r} on {wager.bet}: must be a positive whole number of coins."
        )
    if stake % step:
        raise GameError(
            f"Invalid stake {format_coins(stake)} on {wager.bet}: must be a multiple of "
            f"{format_coins(step)}, so that every win pays whole coins."
        )
