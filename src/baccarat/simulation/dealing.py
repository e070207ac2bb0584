"""Functions that map a position to a card, and a card to the next state, for both CPU and GPU.

* The cards left in a shoe are stored as running counts, one for each code except the last: the
  number of cards with this code or a lower one. Each word holds one or more counts (`Packing`),
  each with a guard bit above it.
* The code of the card at position k is the number of counts that are at most k. Subtracting k + 1
  from every count leaves the guard bit set for counts above k. These counts include the card, so
  each of them is reduced by one.
* A game is an automaton (`automaton`), stored as a table; each card takes one lookup.
* The outcome of bets on suits, colours, ranks and sums is looked up at the end of a coup (`hands`).

As written, the functions are for CPUs, which process one count of many shoes at a time, with one
count per 16-bit word. For GPUs, which process many counts of one shoe at a time, the same source is
compiled with another packing (`stream.rebound`).
"""

from typing import Any, NamedTuple

import numpy as np


class Packing(NamedTuple):
    """How running counts are packed into words: `counts` per word, each with `bits` bits including
    its guard bit."""

    word: Any
    bits: int
    counts: int

    @property
    def ones(self) -> int:
        return sum(1 << self.bits * i for i in range(self.counts))

    @property
    def guards(self) -> int:
        return self.ones << self.bits - 1

    @property
    def top(self) -> int:
        """Bit position of the highest count in a word."""
        return self.bits * (self.counts - 1)

    def words(self, codes: int) -> int:
        """Return the number of words needed for this many codes."""
        return -(-(codes - 1) // self.counts)

    def last(self, codes: int) -> Any:
        """Return the last code in the form that `code_of` takes: the code in the highest count's
        position, with ones in the positions below."""
        return self.word((codes - 1 << self.top) + (1 << self.top) - 1)

    def packed(self, counts: Any) -> Any:
        words = [self.guards] * self.words(len(counts) + 1)
        for i, count in enumerate(counts):
            words[i // self.counts] += int(count) << self.bits * (i % self.counts)
        return np.array(words, self.word)

    @property
    def names(self) -> dict[str, Any]:
        """The global names through which the functions below use a packing."""
        return {
            "word": self.word,
            "ONES": self.word(self.ones),
            "GUARDS": self.word(self.guards),
            "GUARD_AT": self.word(self.bits - 1),
            "TOP": self.word(self.top),
            "COUNT": self.word((1 << self.bits) - 1),
        }


ALONE = Packing(np.uint16, 16, 1)
word = ALONE.word
ONES, GUARDS, GUARD_AT, TOP, COUNT = (
    ALONE.names[name] for name in ("ONES", "GUARDS", "GUARD_AT", "TOP", "COUNT")
)


def target_count(place: Any) -> Any:
    """Return a word in which every count has the value that a running count must reach to include
    the card at a position."""
    return word(word(word(place) + word(1)) * ONES)


def take(counts: Any, wanted: Any) -> tuple[Any, Any]:
    """Remove the wanted card from a word of counts; return the new counts, and which counts
    included the card."""
    holding = word(word(word(counts - wanted) & GUARDS) >> GUARD_AT)
    return word(counts - holding), holding


def code_of(holding: Any, last: Any) -> Any:
    """Return the code of a card, given the sum over all words of the second result of `take`."""
    return word(word(word(last - word(holding * ONES)) >> TOP) & COUNT)


def symbol_of(code: Any, two_before: Any) -> Any:
    """Return the automaton's symbol for a card if suits matter: its rank, plus 13 if the card dealt
    two before it is identical."""
    return word(word(code >> word(2)) + word(13) * word(code == two_before))


UNIT = np.uint32(8)
"""States are addresses of rows, in units of this many columns."""
STATE = np.uint32(0xFFFF)
MARK_AT = np.uint32(16)


def step(table: Any, state: Any, symbol: Any) -> Any:
    """Return the next state and, in the high bits, the mark of the coup if this card ends one."""
    return table[np.uint32(np.uint32(np.uint32(state & STATE) * UNIT) + np.uint32(symbol))]


def mark_of(state: Any) -> Any:
    """Return the mark of the coup that has just ended, or 0 during a coup."""
    return np.uint32(state >> MARK_AT)


THIRDS = np.uint32(3)
"""The bits of a mark that say which hands have a third card."""
PLAYER_THIRD, BOTH_THIRDS, BANKER_THIRD = np.uint32(1), np.uint32(2), np.uint32(3)


def third_cards(mark: Any) -> Any:
    """Return the number of third cards in the coup with this mark."""
    thirds = np.uint32(mark & THIRDS)
    return np.uint32(thirds - np.uint32(2) * np.uint32(thirds == BANKER_THIRD))


def hand_at(cells: Any, start: Any, hand: Any) -> Any:
    """Return the number of a hand of three cards; see `hands`."""
    first, second, third = hand
    after_one = cells[np.uint32(start + np.uint32(first))]
    after_two = cells[np.uint32(after_one + np.uint32(second))]
    return cells[np.uint32(after_two + np.uint32(third))]


def outcome_of(cells: Any, starts: Any, group: Any, player: Any, banker: Any) -> Any:
    """Return the outcome of a group of rich bets, given both hands."""
    row = hand_at(cells, starts[group, 0], player)
    return cells[np.uint32(row + hand_at(cells, starts[group, 1], banker))]


SHARED = (
    *(target_count, take, code_of, symbol_of, step, mark_of),
    *(third_cards, hand_at, outcome_of),
)
