"""Effect of removal: how a bet's value moves when one card of a rank is gone."""

from collections.abc import Mapping
from fractions import Fraction

from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import FEWEST_CARDS, RemainingShoe, remaining_shoe
from baccarat.core.cards import RANKS, Card
from baccarat.core.errors import CardError
from baccarat.core.rulecard import Game

Effects = Mapping[str, Mapping[str, Fraction | None]]
"""For each bet and rank, the change of the bettor's expectation; None when no such card is left."""


def effects_of_removal(game: Game, shoe: RemainingShoe | None = None) -> Effects:
    """The change of every bet's expectation when one card of each rank in turn is gone."""
    shoe = shoe or remaining_shoe(game)
    if shoe.size <= FEWEST_CARDS:
        raise CardError(
            f"{shoe.size} cards are left: taking one more out leaves too few for a coup"
        )
    before = {figures.bet.id: figures.expectation for figures in analyse(game, shoe)}
    effects: dict[str, dict[str, Fraction | None]] = {bet: {} for bet in before}
    for rank, left in zip(RANKS, shoe.ranks, strict=True):
        after = analyse(game, shoe.without([Card(rank)])) if left else None
        for bet, expectation in before.items():
            effects[bet][rank] = after[bet].expectation - expectation if after else None
    return effects
