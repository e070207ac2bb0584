"""Running counts packed several to a word, for GPUs, which keep a whole shoe in a few registers.

Each count is stored as its complement, with a guard bit above it that is 0. Adding k + 1 to all
complements sets the guard bits of the counts that are at most k. The other counts include the card
at position k, so the complements of these are increased by one. (Stored in this way, a count takes
one instruction less per card than in `dealing`.)
"""

from typing import Any, NamedTuple

import numpy as np

WORD_BITS = 32
word = np.uint32


class Packing(NamedTuple):
    """How running counts are packed into words: `counts` per word, each with `bits` bits including
    its guard bit."""

    bits: int
    counts: int

    @property
    def ones(self) -> int:
        return sum(1 << self.bits * i for i in range(self.counts))

    @property
    def guard_at(self) -> int:
        return self.bits - 1

    @property
    def spare(self) -> int:
        """Number of unused bits in a word."""
        return WORD_BITS - self.bits * self.counts

    @property
    def top(self) -> int:
        """Bit position of the highest count in a word, once it is shifted left by `spare`."""
        return WORD_BITS - self.bits

    @property
    def words_per_sum(self) -> int:
        """Maximum number of words whose guard bits can be added without overflow."""
        return (2 << self.spare) - 1

    def words(self, codes: int) -> int:
        """Return the number of words needed for this many codes."""
        return -(-(codes - 1) // self.counts)

    def last(self, codes: int) -> Any:
        """Return the last code in the form that `code_of` takes: in the highest count's position,
        with ones in the positions below."""
        return word((codes << self.top) - 1)

    def packed(self, counts: Any) -> Any:
        """Return these running counts as words."""
        most = (1 << self.guard_at) - 1
        words = [self.ones * most] * self.words(len(counts) + 1)
        for i, count in enumerate(counts):
            words[i // self.counts] -= int(count) << self.bits * (i % self.counts)
        return np.array(words, word)

    @property
    def names(self) -> dict[str, Any]:
        """The global names through which the functions below use a packing."""
        return {
            "ONES": word(self.ones),
            "GUARDS": word(self.ones << self.guard_at),
            "GUARD_AT": word(self.guard_at),
            "SUMS": word(self.ones << self.spare),
            "TOP": word(self.top),
        }


def packing_of(size: int) -> Packing:
    """Return a packing of three counts per word for up to nine decks, two for larger shoes."""
    bits = 10 if size < 512 else 16
    return Packing(bits, WORD_BITS // bits)


ONES = GUARDS = GUARD_AT = SUMS = TOP = word(0)
"""Replaced by the `names` of a packing."""


def target_count(place: Any) -> Any:
    """Return a word in which every count has the value that a running count must reach to include
    the card at a position."""
    return word(word(place + word(1)) * ONES)


def take(counts: Any, wanted: Any) -> tuple[Any, Any]:
    """Remove the wanted card from a word of counts; return the new counts, and guard bits for the
    counts that included the card."""
    holding = word(~word(counts + wanted) & GUARDS)
    return word(counts + word(holding >> GUARD_AT)), holding


def holding_of(guards: Any) -> Any:
    """Return how many counts included a card, by position in the word, given the sum of `take`'s
    guard bits for at most `words_per_sum` words."""
    return word(guards >> GUARD_AT)


def code_of(holding: Any, last: Any) -> Any:
    """Return the code of a card, given the sum of `holding_of` over all words."""
    return word(word(last - word(holding * SUMS)) >> TOP)


SHARED = (target_count, take, holding_of, code_of)
