"""The stream of random numbers, and the mapping from it to cards.

Every simulation deals the same cards for the same (seed, shoe number), whether it runs on the
reference implementation, the compiled kernel, a cluster or a GPU. docs/reference/randomness.md
describes the mapping for anyone who wants to reimplement it.

* Words come from Philox4x32-10 (Salmon and others, 2011), a counter-based generator. Its key is
  the seed; its counter is (block, attempt, shoe low, shoe high). Word j of a shoe is word j mod 4
  of block j div 4.
* Word j selects two cards. If n cards are left and the word is x, x·n = k·2³² + f gives k, uniform
  in 0 … n-1, and f·(n-1) = k'·2³² + f' gives k'. If f' < 2³² mod n(n-1), this word is rejected and
  drawn again with the next `attempt`. This rejection sampling makes the result exactly uniform.
* The card is the k-th of the cards left, from 0, in sorted order: by points (0 to 9), then by
  rank, then by suit. So an implementation that needs only points can keep ten counts and still
  deal the same shoe as one that keeps fifty-two counts.

The functions below take and return 32-bit words. In plain Python and on CPUs these words are held
in 64 bits (with `wide`, `narrow` and `product` as below). For GPUs the same source is compiled with
words held in 32 bits.
"""

from types import FunctionType
from typing import Any

import numpy as np

U = np.uint64
ONE = U(1)
MASK = U(0xFFFFFFFF)
BITS = U(32)
MULTIPLIER_0, MULTIPLIER_1 = U(0xD2511F53), U(0xCD9E8D57)
KEY_STEP_0, KEY_STEP_1 = U(0x9E3779B9), U(0xBB67AE85)
ROUNDS = 10
WORDS_PER_BLOCK = 4


def wide(word: Any) -> Any:
    """Widen a word so that the product of two words fits."""
    return U(word)


def narrow(number: Any) -> Any:
    """Return the low 32 bits of a number."""
    return number & MASK


def product(one: Any, other: Any) -> tuple[Any, Any]:
    """Return the high and the low word of the product of two words."""
    whole = wide(one) * wide(other)
    return narrow(whole >> BITS), narrow(whole)


def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> tuple[Any, Any, Any, Any]:
    """Return four random words from a counter of four words and a key of two."""
    for _ in range(ROUNDS):
        high_0, low_0 = product(c0, MULTIPLIER_0)
        high_1, low_1 = product(c2, MULTIPLIER_1)
        c0, c1, c2, c3 = narrow(high_1 ^ c1 ^ k0), low_1, narrow(high_0 ^ c3 ^ k1), low_0
        k0 = narrow(k0 + KEY_STEP_0)
        k1 = narrow(k1 + KEY_STEP_1)
    return c0, c1, c2, c3


def places(word: Any, left: Any) -> tuple[Any, Any, Any]:
    """Return the positions of the two cards that a word selects among the cards left, and the last
    fraction f'."""
    first, rest = product(word, left)
    second, fraction = product(rest, narrow(left - ONE))
    return first, second, fraction


def words_of_block(block: Any, attempt: Any, shoe: Any, seed: Any) -> tuple[Any, Any, Any, Any]:
    """Return the four words of one block of one shoe."""
    return philox(
        narrow(wide(block)),
        narrow(wide(attempt)),
        narrow(wide(shoe)),
        narrow(wide(shoe) >> BITS),
        narrow(wide(seed)),
        narrow(wide(seed) >> BITS),
    )


def one_of(words: Any, number: Any) -> Any:
    """Return one word of a block, without indexing, because a GPU cannot index a tuple with a
    variable."""
    if number < 2:
        return words[0] if number == 0 else words[1]
    return words[2] if number == 2 else words[3]


def redrawn(number: Any, shoe: Any, seed: Any, left: Any, rejected: Any) -> tuple[Any, Any]:
    """Return the two positions for a word whose first attempt was rejected, from the first later
    attempt that is accepted."""
    attempt = narrow(wide(1))
    while True:
        words = words_of_block(number // WORDS_PER_BLOCK, attempt, shoe, seed)
        first, second, fraction = places(one_of(words, number % WORDS_PER_BLOCK), left)
        if fraction >= rejected:
            return first, second
        attempt = narrow(attempt + ONE)


SHARED = (philox, places, words_of_block, one_of)
"""Functions that are compiled for each kind of processor with its own `wide`, `narrow` and
`product`."""


def with_globals(function: Any, **names: Any) -> Any:
    """Return a copy of a function in which these global names are replaced, such as `wide` and
    `narrow`."""
    return FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)


def compiled(compiler: Any, functions: Any, **names: Any) -> dict[str, Any]:
    """Compile functions in order, each with access to those before it; return them by name."""
    for function in functions:
        names[function.__name__] = compiler(with_globals(function, **names))
    return names


def rejected_below(left: int) -> int:
    """Return the threshold of rejection sampling with `left` cards left: a word is rejected if the
    fraction that is left over after both draws is below it."""
    return (1 << 32) % (left * (left - 1)) if left > 1 else 0
