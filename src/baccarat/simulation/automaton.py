"""A game as an automaton: one card a step, and at the end of a coup its mark.

Processors that work on many shoes at once want all of them to do the same thing at the same time.
So each takes one card a step, whatever that card is for; a table says what follows. States that
lead to the same marks by the same cards are one state. What is burned before the first coup is
states too: a shoe begins in the one that its burn says.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from baccarat.core.errors import BaccaratError
from baccarat.shoe import Burn
from baccarat.simulation.lookup import Detail, Lookup
from baccarat.simulation.twin import SORTED_DECK

START = 0
"""The state in which a coup begins."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """What follows from a state and a card."""

    table: NDArray[np.uint32]
    """[state, symbol]: the next state, and 65536 times the mark of a coup that ends here.

    A symbol is the points of a card, or its rank; where suits matter, 13 is added to the rank of a
    card that is the same as the one dealt two before it. A mark is four times the class of the
    coup, counted from 1, plus the cards it took beyond four; 0 is the end of nothing."""
    begins: dict[Burn, int]
    """The state in which a shoe begins."""

    def laid_out(self, unit: int) -> tuple[NDArray[np.uint32], dict[Burn, int]]:
        """Table and beginnings with addresses instead of states: where their rows start, in
        steps of `unit` columns. With steps of eight, 16 bits are enough for any game."""
        states, symbols = self.table.shape
        steps = -(-symbols // unit)
        if states * steps > 1 << 16:
            raise BaccaratError(
                f"this game has {states:,} states of {symbols} symbols: a graphics processor "
                f"addresses {1 << 16:,} of these together; leave --device out"
            )
        table = np.zeros((states, steps * unit), np.uint32)
        table[:, :symbols] = (self.table & 0xFFFF) * np.uint32(steps) | self.table >> 16 << 16
        return table.reshape(-1), {burn: steps * state for burn, state in self.begins.items()}


@lru_cache(maxsize=16)
def automaton_of(lookup: Lookup) -> Automaton:
    """The automaton of a lookup."""
    builder = _Builder(lookup)
    begins = builder.begins()
    return Automaton(builder.table(), begins)


class _Builder:
    """Builds states from the last card back to the first; equal ones are kept once.

    A node is the number of a state, or a mark, with a minus."""

    def __init__(self, lookup: Lookup) -> None:
        self.detail = lookup.detail
        self.ranks = 10 if lookup.detail is Detail.POINTS else 13
        self.symbols = 26 if lookup.detail is Detail.CARDS else self.ranks
        self.entries = lookup.entries.tolist()
        ranks = SORTED_DECK[::4][13 - self.ranks :]  # the last of the tens stands for all
        self.cards = [ranks[symbol % self.ranks] for symbol in range(self.symbols)]
        self.points = [card.points for card in self.cards]
        self.numbers: dict[tuple[int, ...], int] = {}
        self.rows: list[tuple[int, ...]] = [()]  # the start, filled in at the end

    def state(self, row: tuple[int, ...]) -> int:
        """The number of the state that leads to these nodes, by symbol."""
        if row not in self.numbers:
            self.numbers[row] = len(self.rows)
            self.rows.append(row)
        return self.numbers[row]

    def begins(self) -> dict[Burn, int]:
        """The states in which shoes begin, and all that follow."""
        self.rows[START] = self._each(self.first)
        after = [START]  # so many cards are still to be burned
        for _ in range(Burn.FIRST_CARD.most - 1):  # the card that is shown is one of them
            after.append(self.state(self._each(lambda _: after[-1])))
        shown = self._each(lambda symbol: after[Burn.FIRST_CARD.taking(self.cards[symbol]) - 1])
        return {
            Burn.NONE: after[0],
            Burn.ONE: after[1],
            Burn.FIRST_CARD: self.state(shown),
        }

    def _each(self, node: Callable[[int], int]) -> tuple[int, ...]:
        """The nodes that all symbols lead to."""
        return tuple(node(symbol) for symbol in range(self.symbols))

    @cache  # noqa: B019  (a builder lives for one call)
    def first(self, p1: int) -> int:
        p1 %= self.ranks
        return self.state(self._each(lambda b1: self.second(p1, b1 % self.ranks)))

    @cache  # noqa: B019
    def second(self, p1: int, b1: int) -> int:
        return self.state(self._each(lambda p2: self.third(p1, b1, p2)))

    def third(self, p1: int, b1: int, p2: int) -> int:
        p = (self.points[p1] + self.points[p2]) % 10
        return self.fourth(p, self._pair(p1, p2), b1)

    @cache  # noqa: B019
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

    @cache  # noqa: B019
    def begun(self, p: int, b: int, sheet: int) -> int:
        """After four cards."""
        key = 1000 * p + 100 * b
        entries = self.entries[sheet]
        if entries[key] & 3 == 0:
            return _marked(entries[key])
        fifth = [
            _marked(row[0])
            if row[0] & 3 == 1
            else self.state(tuple(_marked(row[v]) for v in self.points))
            for row in (entries[at : at + 10] for at in range(key, key + 100, 10))
        ]
        return self.state(tuple(fifth[v] for v in self.points))

    def table(self) -> NDArray[np.uint32]:
        nodes = np.array(self.rows, np.int64)
        return np.where(nodes < 0, START | -nodes << 16, nodes).astype(np.uint32)


def _marked(entry: int) -> int:
    """The node that ends a coup: its mark, with a minus."""
    return -(entry + 4)
