"""From a place to a card, and from a card to what follows: written once for every processor.

* The cards left in a shoe are running counts, one for each code but the last: how many cards have
  this code or a lower one. They stand in words, one or more to a word (`Packing`), each with a
  guard bit above it.
* The card at place k has the code that is the number of counts not above k. Subtracting k + 1 from
  every count leaves the guard bits of those above it: they hold the card, and lose it.
* A game is an automaton (`automaton`), a table; what follows a card is one look at it.

As they stand here, the functions are for ordinary processors, which take one count of many shoes at
a time: one count to a word of 16 bits. A graphics processor, which takes many counts of one shoe at
a time, compiles the same source with the names of another packing (`stream.rebound`).
"""

from typing import Any, NamedTuple

import numpy as np


class Packing(NamedTuple):
    """How running counts stand in words: `counts` to a word, `bits` for each and its guard."""

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
        """Where the highest count of a word begins."""
        return self.bits * (self.counts - 1)

    def words(self, codes: int) -> int:
        """The words that so many codes need."""
        return -(-(codes - 1) // self.counts)

    def last(self, codes: int) -> Any:
        """The last code, as `code_of` wants it: in the highest count, ones below."""
        return self.word((codes - 1 << self.top) + (1 << self.top) - 1)

    def packed(self, counts: Any) -> Any:
        words = [self.guards] * self.words(len(counts) + 1)
        for i, count in enumerate(counts):
            words[i // self.counts] += int(count) << self.bits * (i % self.counts)
        return np.array(words, self.word)

    @property
    def names(self) -> dict[str, Any]:
        """What the functions below call the parts of a packing."""
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


def sought(place: Any) -> Any:
    """What the counts of a word must reach to hold the card at a place."""
    return word(word(word(place) + word(1)) * ONES)


def take(counts: Any, wanted: Any) -> tuple[Any, Any]:
    """A word of counts without the card that was sought, and which of them held it."""
    holding = word(word(word(counts - wanted) & GUARDS) >> GUARD_AT)
    return word(counts - holding), holding


def code_of(holding: Any, last: Any) -> Any:
    """The code of a card, from what `take` found, added up over all words."""
    return word(word(word(last - word(holding * ONES)) >> TOP) & COUNT)


def symbol_of(code: Any, two_before: Any) -> Any:
    """Where suits matter, the automaton's symbol of a card, with the code of the card two before:
    its rank, or 13 more when they are the same card."""
    return word(word(code >> word(2)) + word(13) * word(code == two_before))


UNIT = np.uint32(8)
"""States are addresses of rows, in steps of so many columns."""
STATE = np.uint32(0xFFFF)
MARK_AT = np.uint32(16)


def step(table: Any, state: Any, symbol: Any) -> Any:
    """What follows a card: the next state and, above it, the mark of a coup that it ends."""
    return table[np.uint32(np.uint32(np.uint32(state & STATE) * UNIT) + np.uint32(symbol))]


def mark_of(state: Any) -> Any:
    """0 in the midst of a coup."""
    return np.uint32(state >> MARK_AT)


SHARED = (sought, take, code_of, symbol_of, step, mark_of)
