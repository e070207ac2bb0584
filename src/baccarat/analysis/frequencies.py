"""How far what was seen is from what is exact.

Chances are fractions; only the verdict (standard errors, a statistic and its p-value) is a float,
for people to read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import Any

from baccarat.analysis.counts import OutcomeCounter, result_counts, total_sequences
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.cards import DECK_SIZE, SUITS
from baccarat.core.facts import PAIR_KINDS
from baccarat.core.paytable import Needs, Outcomes
from baccarat.core.rulecard import Game


def event_chances(game: Game) -> dict[str, Fraction]:
    """The chances of the results, of a pair in either hand and of a natural, from a full shoe."""
    table, shoe = game.pay_table, remaining_shoe(game)
    total = total_sequences(shoe.size)
    natural = [int(game.tableau.ends_at_once(p, b)) for p, b, _, _ in table.classes.shapes]
    outcomes = Outcomes((), Needs.SHAPE, ((), ()), (natural,) * len(PAIR_KINDS))
    of_rank = len(SUITS) * game.decks
    pair = Fraction(of_rank - 1, DECK_SIZE * game.decks - 1)
    return {
        **{name: Fraction(n, total) for name, n in result_counts(table, shoe).items()},
        "player_pair": pair,
        "banker_pair": pair,
        "natural": Fraction(OutcomeCounter(table, outcomes).counts(shoe)[1]) / total,
    }


def payment_chances(game: Game) -> dict[tuple[Fraction, ...], Fraction]:
    """The chance of every combination of what the bets pay, net, from a full shoe."""
    table, shoe = game.pay_table, remaining_shoe(game)
    outcomes = table.outcomes(range(len(game.bets)))
    counts = OutcomeCounter(table, outcomes).counts(shoe)
    total = total_sequences(shoe.size)
    return {
        pays: Fraction(count) / total for pays, count in zip(outcomes.pays, counts, strict=True)
    }


def standard_errors(seen: int, of: int, chance: Fraction) -> float:
    """How many standard errors a frequency is above its chance, coups taken as independent."""
    spread = of * chance * (1 - chance)
    return float(seen - of * chance) / sqrt(spread) if spread else 0.0


@dataclass(frozen=True)
class Fit:
    """Pearson's test of frequencies against chances."""

    statistic: float
    freedom: int

    @property
    def p_value(self) -> float:
        """How often chance alone gives a statistic at least as large."""
        return chi_square_tail(self.statistic, self.freedom)


def fit(seen: Mapping[Any, int], chances: Mapping[Any, Fraction]) -> Fit:
    """Of how often each thing was seen that can happen in a coup, things never seen included."""
    coups = sum(seen.values())
    possible = {one: n for one, n in seen.items() if chances.get(one)}
    if sum(possible.values()) < coups:
        return Fit(inf, max(len(possible) - 1, 1))  # something was seen that cannot be
    statistic = sum(
        (n - coups * chances[one]) ** 2 / (coups * chances[one]) for one, n in possible.items()
    )
    return Fit(float(statistic), len(possible) - 1)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance that a chi-square variable of so many degrees of freedom is at least this.

    For whole degrees of freedom it is a finite sum: each two more add one term.
    """
    if statistic <= 0 or statistic == inf:
        return float(statistic <= 0)
    half = statistic / 2
    tail, first = (erfc(sqrt(half)), 0.5) if freedom % 2 else (0.0, 0.0)
    for step in range(freedom // 2):
        power = first + step
        tail += exp(power * log(half) - half - lgamma(power + 1))
    return min(tail, 1.0)
