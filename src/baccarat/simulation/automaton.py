"""A game as an automaton: one card a step, and at the end of a coup its class.

A processor that works on thousands of shoes at once wants every one of them to do the same thing
at the same time. So each takes one card per step, whatever that card is for; a table says what
follows. States that lead to the same classes by the same cards are one state.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baccarat.core.errors import BaccaratError
from baccarat.simulation.lookup import Detail, Lookup

SYMBOLS = {Detail.POINTS: 16, Detail.RANKS: 16, Detail.CARDS: 32}
"""Columns of the table: one for each symbol, and some more for short addresses. A symbol is the
points of a card, or its rank; where suits matter, 13 is added to the rank of a card that is the
same as the one dealt two before it."""
START = 0
NO_CLASS = 0
"""Classes are counted from 1: 0 is the end of nothing."""
MOST_STATES = (1 << 16) - 1


@dataclass(frozen=True, eq=False)
class Automaton:
    """What follows from a state and a card."""

    table: NDArray[np.uint32]
    """[state, symbol]: the next state, and 65536 times the class of a coup that ends here."""

    @property
    def states(self) -> int:
        return len(self.table)


@lru_cache(maxsize=16)
def automaton_of(lookup: Lookup) -> Automaton:
    """The automaton of a lookup."""
    builder = _Builder(lookup)
    builder.start()
    return Automaton(builder.table())


class _Builder:
    """Builds states from the last card back to the first; equal ones are kept once.

    A node is the number of a state, or a class from 1 on, with a minus."""

    def __init__(self, lookup: Lookup) -> None:
        self.detail = lookup.detail
        self.ranks = 10 if lookup.detail is Detail.POINTS else 13
        self.symbols = 26 if lookup.detail is Detail.CARDS else self.ranks
        self.entries = lookup.entries.astype(np.int64)
        self.points = [
            symbol if self.ranks == 10 else max(symbol % 13, 3) - 3
            for symbol in range(self.symbols)
        ]
        self.numbers: dict[tuple[int, ...], int] = {}
        self.rows: list[tuple[int, ...]] = [()]  # the start, filled in at the end

    def state(self, row: tuple[int, ...]) -> int:
        """The number of the state that leads to these nodes, by symbol."""
        if row not in self.numbers:
            self.numbers[row] = len(self.rows)
            self.rows.append(row)
            if len(self.rows) > MOST_STATES:
                raise BaccaratError("this game has too many states for an automaton")
        return self.numbers[row]

    def start(self) -> None:
        self.rows[0] = self._each(self.first)

    def _each(self, node: Callable[[int], int]) -> tuple[int, ...]:
        """The nodes that all symbols lead to."""
        return tuple(node(symbol) for symbol in range(self.symbols))

    @lru_cache  # noqa: B019  (a builder lives for one call)
    def first(self, p1: int) -> int:
        p1 %= self.ranks
        return self.state(self._each(lambda b1: self.second(p1, b1 % self.ranks)))

    @lru_cache  # noqa: B019
    def second(self, p1: int, b1: int) -> int:
        return self.state(self._each(lambda p2: self.third(p1, b1, p2)))

    def third(self, p1: int, b1: int, p2: int) -> int:
        p = (self.points[p1] + self.points[p2]) % 10
        return self.fourth(p, self._pair(p1, p2), b1)

    @lru_cache  # noqa: B019
    def fourth(self, p: int, pair: int, b1: int) -> int:
        kinds = {Detail.POINTS: 1, Detail.RANKS: 2, Detail.CARDS: 3}[self.detail]
        return self.state(
            self._each(
                lambda b2: self.begun(
                    p, (self.points[b1] + self.points[b2]) % 10, kinds * pair + self._pair(b1, b2)
                )
            )
        )

    def _pair(self, rank: int, symbol: int) -> int:
        """0 no pair, 1 of rank, 2 of rank and suit, as far as they are told apart."""
        if self.detail is Detail.POINTS or symbol % 13 != rank:
            return 0
        return 1 + (symbol >= 13)

    @lru_cache  # noqa: B019
    def begun(self, p: int, b: int, sheet: int) -> int:
        """After four cards."""
        key = 1000 * p + 100 * b
        entries = self.entries[sheet, key : key + 100].reshape(10, 10)
        if entries[0, 0] & 3 == 0:
            return _class(entries[0, 0])
        fifth = [
            _class(row[0])
            if row[0] & 3 == 1
            else self.state(tuple(_class(row[v]) for v in self.points))
            for row in entries
        ]
        return self.state(tuple(fifth[v] for v in self.points))

    def table(self) -> NDArray[np.uint32]:
        table = np.zeros((len(self.rows), SYMBOLS[self.detail]), np.uint32)
        for number, row in enumerate(self.rows):
            for code, node in enumerate(row):
                table[number, code] = START | -node << 16 if node < 0 else node
        return table


def _class(entry: int) -> int:
    """A node that ends a coup: its class, from 1, with a minus."""
    return -(int(entry) >> 2) - 1
