"""Tables that give the outcome of bets on suits, colours, ranks and sums (hand bets).

Such a bet depends on the cards of both hands, for which an automaton that takes the cards of a coup
one by one would need far too many states. So each hand is looked up by itself, as in exact analysis
(`analysis.hand_counts`): the player's cards give a row, the banker's cards a column, and a table of
rows and columns gives the outcome.

All tables are in one array. The lookup of a hand begins at an address; the cell at this address
plus the code of the next card holds the address from which to continue. A missing third card has
the code that follows the last card. The cell that the third card leads to holds the number of the
hand, and the sum of both hands' numbers is the address of the outcome.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baccarat.analysis.hand_counts import Half, Plan
from baccarat.core.cards import Card
from baccarat.core.paytable import Needs, Outcomes


@dataclass(frozen=True, eq=False)
class HandTables:
    """The tables of all groups of hand bets of a game."""

    cells: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    """[group, side]: the addresses at which lookups of the player's and the banker's hand begin."""
    groups: NDArray[np.int64]
    """[bet]: number of the bet's group, or -1 if it is not a hand bet."""
    no_card: int
    """Code of a missing third card."""


def hand_tables(
    groups: Sequence[Outcomes], cards: Sequence[Card], bets: int, first: int
) -> HandTables:
    """Return the tables for groups of hand bets.

    `cards` has one card for each code, and `bets` is the number of all bets. Outcomes are numbered
    from `first` on, group after group.
    """
    builder, starts, group_of = _Builder(cards), [], np.full(bets, -1)
    for number, outcomes in enumerate(groups):
        starts.append(builder.group(outcomes, first))
        group_of[list(outcomes.bets)] = number
        first += len(outcomes.pays)
    return HandTables(
        np.array(builder.cells, np.uint32), np.array(starts, np.uint32), group_of, len(cards)
    )


class _Builder:
    """Builds the array of cells, in which equal tables are shared."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = cards
        self.cells: list[int] = []
        self.addresses: dict[tuple[int, ...], int] = {}

    def address(self, cells: tuple[int, ...]) -> int:
        """Return the address of these cells, adding them if they are new."""
        if cells not in self.addresses:
            self.addresses[cells] = len(self.cells)
            self.cells += cells
        return self.addresses[cells]

    def group(self, outcomes: Outcomes, first: int) -> tuple[int, int]:
        """Add the tables of a group; return where lookups of either side's hand begin."""
        plan = Plan(outcomes, by_start=outcomes.needs is Needs.START, all_outcomes=True)
        columns = 1 + max(column for _, column, _ in plan.targets)
        table = [first] * columns * (1 + max(row for row, _, _ in plan.targets))
        for row, column, target in plan.targets:
            table[row * columns + column] = first + target % len(outcomes.pays)
        at = self.address(tuple(table))
        return self._hand(plan.player, at, columns), self._hand(plan.banker, 0, 1)

    def _hand(self, half: Half, base: int, step: int) -> int:
        """Add the tables of one side's hands, which are numbered from `base` in steps of `step`;
        return where their lookup begins."""
        numbers: dict[tuple[int, ...], int] = {}
        for hand in half.side.hands(thirds=not half.by_start):
            # Hands that cannot occur have no row or column: any will do.
            at = half.number_of.get((hand.start, hand.third, half.merged[hand.kind]), 0)
            numbers[hand.cards] = base + step * at
        types = [half.side.type_of[card] for card in self.cards]

        def after_two(start: tuple[int, ...]) -> int:
            number = numbers[start]
            return self.address((*(numbers.get((*start, t), number) for t in types), number))

        second = {start: after_two(start) for start in numbers if len(start) == 2}
        first = [
            self.address(tuple(second[min(a, b), max(a, b)] for b in types))
            for a in range(len(half.side.types))
        ]
        return self.address(tuple(first[a] for a in types))
