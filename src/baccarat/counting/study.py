"""Studies of card counting on one bet: the best tags, and what a counter wins, simulated and exact.

This module combines exact analysis with simulation; neither depends on the other.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from baccarat.analysis.compiled_counts import Kernel
from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game
from baccarat.counting.tags import LARGEST, BestTags, Tags, best_tags
from baccarat.counting.valuation import ValuationRun
from baccarat.shoe import ShoeRules
from baccarat.simulation.true_count import Count, CountRun


@dataclass(frozen=True)
class Study:
    """A card count for one bet: the tags, and the true count from which to wager."""

    best: BestTags
    tags: Tags
    at_least: Fraction

    def counting(self, rules: ShoeRules, *, seed: int, shoes: int) -> CountRun:
        """Return the job that simulates wagering by this count."""
        game = only_bet(self.best.game, self.best.bet)
        return CountRun(game, rules, self.best.bet, Count(self.tags, self.at_least), seed, shoes)

    def valuing(self, rules: ShoeRules, *, seed: int, shoes: int) -> ValuationRun:
        """Return the job that computes the exact value of every coup in the same shoes."""
        run = self.counting(rules, seed=seed, shoes=shoes)
        return ValuationRun(run, ExactValue(run.game))


def study(
    game: Game,
    bet: str,
    *,
    tags: Tags | None = None,
    at_least: Fraction | None = None,
    largest: int | None = None,
) -> Study:
    """Return a study of card counting for one bet.

    By default, `tags` are the best whole-number tags from -`largest` to `largest`, and `at_least`
    is the lowest whole true count at which the bet breaks even by the linear approximation.
    """
    best = best_tags(game, bet)
    tags = best.rounded(LARGEST if largest is None else largest) if tags is None else tags
    if at_least is None:
        even = best.break_even(tags)
        if even is None:
            raise BaccaratError(
                f"these tags do not show when {bet} is favourable (correlation "
                f"{best.correlation(tags):.3f}): give the true count at which to start betting, "
                "or better tags"
            )
        at_least = Fraction(-(-even.numerator // even.denominator))
    return Study(best, tags, at_least)


@lru_cache(maxsize=64)
def only_bet(game: Game, bet: str) -> Game:
    """Return the game with only this bet, so that suits and ranks it does not need are not
    simulated."""
    return replace(game, bets=(game.bet(bet),))


class ExactValue:
    """Callable that computes the exact value of a game's only bet, given rows of counts of the
    cards left."""

    def __init__(self, game: Game) -> None:
        self._kernel = Kernel(game.pay_table)

    def __call__(self, rows: Any) -> Any:
        kinds = rows.shape[1]
        if kinds > 10:
            # The stream sorts cards by points, with 10, J, Q and K first; analysis sorts them from
            # ace to king.
            rows = np.roll(rows, -4 * kinds // 13, axis=1)
        return self._kernel.expectations(rows)[:, 0]
