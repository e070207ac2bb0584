"""A game as an automaton that takes one card per step and outputs a mark at the end of each coup.

Hardware that processes many shoes at once is fastest when all shoes do the same thing at the same
time. So each shoe takes one card per step, whatever that card is for, and a table gives the next
state. Equivalent states, which lead to the same marks for the same cards, are merged. Burning cards
before the first coup also uses states: the burn rule determines the state in which a shoe begins.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from baccarat.core.errors import BaccaratError
from baccarat.core.facts import NO_THIRD, PairKind, Shape
from baccarat.shoe import Burn
from baccarat.simulation.lookup import SORTED_DECK, Detail, Lookup

START = 0
"""State in which a coup begins."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """The transition table of a game, and the initial states of a shoe."""

    table: NDArray[np.uint32]
    """[state, symbol]: the next state, plus 65536 times the mark of a coup that ends here.

    A symbol is the points of a card, or its rank; if suits matter, 13 is added to the rank of a
    card identical to the one dealt two before it. A mark is four times the class of the coup,
    counted from 1, plus the number of cards beyond four; 0 means that no coup ends."""
    start_states: dict[Burn, int]
    """State in which a shoe begins, by burn rule."""

    def with_row_addresses(self, unit: int) -> tuple[NDArray[np.uint32], dict[Burn, int]]:
        """Return the table and initial states with row addresses instead of state numbers.

        Addresses are counted in units of `unit` columns. An address must fit into 16 bits.
        """
        states, symbols = self.table.shape
        steps = -(-symbols // unit)
        if states * steps > 1 << 16:
            raise BaccaratError(
                f"this game is too large for a GPU ({states:,} states of {symbols} symbols, but "
                f"only {1 << 16:,} entries can be addressed): use the CPU"
            )
        table = np.zeros((states, steps * unit), np.uint32)
        table[:, :symbols] = (self.table & 0xFFFF) * np.uint32(steps) | self.table >> 16 << 16
        return table.reshape(-1), {burn: steps * state for burn, state in self.start_states.items()}


@lru_cache(maxsize=16)
def automaton_of(lookup: Lookup) -> Automaton:
    builder = _Builder(lookup)
    begins = builder.start_states()
    return Automaton(builder.table(), begins)


class _Builder:
    """Builds states from the last card back to the first, merging equal ones.

    A node is the number of a state, or the negative of a mark."""

    def __init__(self, lookup: Lookup) -> None:
        self.ranks = 10 if lookup.detail is Detail.POINTS else 13
        self.symbols = 26 if lookup.detail is Detail.CARDS else self.ranks
        self.marks = lookup.marks
        # If only points matter, one rank stands for all four that are worth zero.
        ranks = SORTED_DECK[::4][13 - self.ranks :]
        self.cards = [ranks[symbol % self.ranks] for symbol in range(self.symbols)]
        self.points = [card.points for card in self.cards]
        self.numbers: dict[tuple[int, ...], int] = {}
        self.rows: list[tuple[int, ...]] = [()]  # the start state, filled in at the end

    def state(self, row: tuple[int, ...]) -> int:
        """Return the number of the state with this row of next nodes by symbol, adding the state if
        it is new."""
        if row not in self.numbers:
            self.numbers[row] = len(self.rows)
            self.rows.append(row)
        return self.numbers[row]

    def start_states(self) -> dict[Burn, int]:
        """Build all states, and return those in which shoes begin."""
        self.rows[START] = self._each(self.first)
        after = [START]  # after[n]: the state with n cards still to burn
        for _ in range(Burn.FIRST_CARD.most - 1):  # the shown card is one of those burned
            after.append(self.state(self._each(lambda _: after[-1])))
        shown = self._each(lambda symbol: after[Burn.FIRST_CARD.taking(self.cards[symbol]) - 1])
        return {Burn.NONE: after[0], Burn.ONE: after[1], Burn.FIRST_CARD: self.state(shown)}

    def _each(self, node: Callable[[int], int]) -> tuple[int, ...]:
        """Return a row: the node that each symbol leads to."""
        return tuple(node(symbol) for symbol in range(self.symbols))

    @cache  # noqa: B019  (a builder lives for one call)
    def first(self, p1: int) -> int:
        p1 %= self.ranks
        return self.state(self._each(lambda b1: self.second(p1, b1 % self.ranks)))

    @cache  # noqa: B019
    def second(self, p1: int, b1: int) -> int:
        return self.state(
            self._each(lambda p2: self.third(self._total(p1, p2), self._pair(p1, p2), b1))
        )

    @cache  # noqa: B019
    def third(self, p: int, pair: PairKind, b1: int) -> int:
        return self.state(
            self._each(
                lambda b2: self.after_four_cards(p, self._total(b1, b2), pair, self._pair(b1, b2))
            )
        )

    def _total(self, symbol: int, other: int) -> int:
        return (self.points[symbol] + self.points[other]) % 10

    def _pair(self, rank: int, symbol: int) -> PairKind:
        """Return the kind of pair two cards make, as far as the bets distinguish kinds."""
        if self.ranks == 10 or symbol % 13 != rank:
            return PairKind.NONE
        return PairKind.SUITED if symbol >= 13 else PairKind.RANK

    @cache  # noqa: B019
    def after_four_cards(self, p: int, b: int, player: PairKind, banker: PairKind) -> int:
        """Return the node after the first four cards."""

        def end(x: int, y: int) -> int:
            """Return the node at which a coup with these third cards ends, or 0 if there is no such
            coup."""
            return -self.marks.get((Shape(p, b, x, y), player, banker), 0)

        def fifth(points: int) -> int:
            return (
                end(points, NO_THIRD)
                or end(NO_THIRD, points)
                or self.state(tuple(end(points, sixth) for sixth in self.points))
            )

        if over := end(NO_THIRD, NO_THIRD):
            return over
        fifths = [fifth(points) for points in range(10)]
        return self.state(tuple(fifths[points] for points in self.points))

    def table(self) -> NDArray[np.uint32]:
        nodes = np.array(self.rows, np.int64)
        return np.where(nodes < 0, START | -nodes << 16, nodes).astype(np.uint32)
