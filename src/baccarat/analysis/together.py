"""What all wagers of a coup come to together: mean and variance, exactly.

Wagers on one coup are not independent, whoever made them, so each pair of bets has a joint moment,
counted over the coups of a full shoe. The bets may be those of one card under different agreements:
the odds differ, the tableau does not. The one rule: exact; what is estimated is the reader's.
"""

from fractions import Fraction
from functools import lru_cache

from baccarat.analysis.counts import OutcomeCounter, total_sequences
from baccarat.analysis.edges import BetFigures, analyse
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.paytable import joint_outcomes
from baccarat.core.rulecard import Game


def figures(game: Game, bet: str) -> BetFigures:
    """The figures of one bet on a full shoe."""
    return _analysed(game)[bet]


@lru_cache(maxsize=512)
def _analysed(game: Game) -> dict[str, BetFigures]:
    return {one.bet.id: one for one in analyse(game)}


def covariance(one: tuple[Game, str], other: tuple[Game, str]) -> Fraction:
    """Of what two bets pay on the same coup, for each unit staked."""
    if one == other:
        return figures(*one).variance
    return _joint(*one, *other) - figures(*one).expectation * figures(*other).expectation


@lru_cache(maxsize=16384)
def _joint(game: Game, bet: str, other: Game, another: str) -> Fraction:
    """The mean of the product of both payments."""
    places = [(game, bet), (other, another)]
    bets = [(one.pay_table, [b.id for b in one.bets].index(name)) for one, name in places]
    table, shoe = game.pay_table, remaining_shoe(game)
    outcomes = joint_outcomes(bets, table.classes)
    counts = OutcomeCounter(table, outcomes).counts(shoe)
    products = (n * a * b for n, (a, b) in zip(counts, outcomes.pays, strict=True))
    return sum(products, Fraction(0)) / total_sequences(shoe.size)
