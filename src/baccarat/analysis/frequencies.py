"""Comparison of observed frequencies with exact chances.

Chances are fractions; the results of the comparison (standard errors, a chi-square statistic and
its p-value) are floats.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import Any

from baccarat.analysis.counts import result_counts, shape_counts, total_sequences
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.cards import DECK_SIZE, SUITS
from baccarat.core.rulecard import Game


def event_chances(game: Game) -> dict[str, Fraction]:
    """Return the chances, on a full shoe, of each result, of a pair in each hand and of a
    natural."""
    table, shoe = game.pay_table, remaining_shoe(game)
    total = total_sequences(shoe.size)
    natural = [
        game.tableau.ends_at_once(shape.player_start, shape.banker_start)
        for shape in table.classes.shapes
    ]
    of_rank = len(SUITS) * game.decks
    pair = Fraction(of_rank - 1, DECK_SIZE * game.decks - 1)
    return {
        **{name: Fraction(n, total) for name, n in result_counts(table, shoe).items()},
        "player_pair": pair,
        "banker_pair": pair,
        "natural": Fraction(shape_counts(table, shoe, natural)[True]) / total,
    }


def standard_errors(seen: int, of: int, chance: Fraction) -> float:
    """Return how many standard errors an observed frequency is above the exact chance, assuming
    independent coups."""
    spread = of * chance * (1 - chance)
    return float(seen - of * chance) / sqrt(spread) if spread else 0.0


@dataclass(frozen=True)
class Fit:
    """The result of Pearson's chi-square test of observed frequencies against exact chances."""

    statistic: float
    freedom: int

    @property
    def p_value(self) -> float:
        """The probability that chance alone gives a statistic at least this large."""
        return chi_square_tail(self.statistic, self.freedom)


def fit(observed: Mapping[Any, int], chances: Mapping[Any, Fraction]) -> Fit:
    """Test observed counts of mutually exclusive events against their chances; `observed` must
    include events that never occurred."""
    coups = sum(observed.values())
    possible = {event: n for event, n in observed.items() if chances.get(event)}
    if sum(possible.values()) < coups:
        return Fit(inf, max(len(possible) - 1, 1))  # an event with chance 0 occurred
    statistic = sum(
        (n - coups * chances[event]) ** 2 / (coups * chances[event])
        for event, n in possible.items()
    )
    return Fit(float(statistic), len(possible) - 1)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the chance that a chi-square variable is at least this statistic.

    For whole degrees of freedom the chance is a finite sum: every two degrees add one term.
    """
    if statistic <= 0 or statistic == inf:
        return float(statistic <= 0)
    half = statistic / 2
    tail, first = (erfc(sqrt(half)), 0.5) if freedom % 2 else (0.0, 0.0)
    for step in range(freedom // 2):
        power = first + step
        tail += exp(power * log(half) - half - lgamma(power + 1))
    return min(tail, 1.0)
