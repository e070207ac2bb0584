"""A study of counting one bet: the best tags, and what they win, simulated and exactly valued.

It brings exact analysis and simulation together; both are of use alone.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from baccarat.analysis.kernel import Kernel
from baccarat.analysis.tags import LARGEST, BestTags, Tags, best_tags
from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game
from baccarat.simulation.counting import Count, CountRun
from baccarat.simulation.plan import ShoePlan
from baccarat.simulation.worth import WorthRun


@dataclass(frozen=True)
class Study:
    """A bet to be counted: its tags, and from which true count to wager."""

    best: BestTags
    tags: Tags
    at_least: Fraction

    @property
    def correlation(self) -> float:
        return self.best.correlation(self.tags)

    @property
    def break_even(self) -> Fraction | None:
        return self.best.break_even(self.tags)

    def counting(self, plan: ShoePlan, *, seed: int, shoes: int) -> CountRun:
        """The simulation of it."""
        game = only_bet(self.best.game, self.best.bet)
        return CountRun(game, plan, self.best.bet, Count(self.tags, self.at_least), seed, shoes)

    def valuing(self, plan: ShoePlan, *, seed: int, shoes: int) -> WorthRun:
        """The exact value of every coup of the same shoes."""
        run = self.counting(plan, seed=seed, shoes=shoes)
        return WorthRun(run, ExactValue(run.game))


def study(
    game: Game,
    bet: str,
    *,
    tags: Tags | None = None,
    at_least: Fraction | None = None,
    largest: int | None = None,
) -> Study:
    """A count of a bet. Without tags, the best whole ones up to `largest`; without a true count
    from which to wager, the whole number at which the linear picture says that the bet is good."""
    best = best_tags(game, bet)
    tags = best.rounded(LARGEST if largest is None else largest) if tags is None else tags
    if at_least is None:
        even = best.break_even(tags)
        if even is None:
            raise BaccaratError(
                f"these tags do not tell when {bet} is good (correlation "
                f"{best.correlation(tags):.3f}): name the true count from which to wager, "
                "or better tags"
            )
        at_least = Fraction(-(-even.numerator // even.denominator))
    return Study(best, tags, at_least)


@lru_cache(maxsize=64)
def only_bet(game: Game, bet: str) -> Game:
    """The same game with one bet only: what it does not ask about need not be dealt."""
    return replace(game, bets=(game.bet(bet),))


class ExactValue:
    """The value of a game's only bet, from exact analysis, for rows of cards left."""

    def __init__(self, game: Game) -> None:
        self._kernel = Kernel(game.pay_table)

    def __call__(self, rows: Any) -> Any:
        kinds = rows.shape[1]
        if kinds > 10:
            # The stream sorts cards by points, tens first in their own order; analysis goes from
            # ace to king.
            rows = np.roll(rows, -4 * kinds // 13, axis=1)
        return self._kernel.expectations(rows)[:, 0]
