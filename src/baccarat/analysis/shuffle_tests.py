"""Tests of whether shoes were shuffled well.

There are two Pearson chi-square tests: how often each card is at each position, and how often each
card follows each other card. Cards of one shoe are not independent, because each occurs a fixed
number of times, so the textbook statistics must be corrected. Their expected values are computed
exactly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import perm, prod

from baccarat.analysis.frequencies import Fit
from baccarat.core.cards import DECK_SIZE, Card, deck
from baccarat.core.errors import BaccaratError

MIN_EXPECTED = 300
"""Minimum number of shoes; with this many, each card is expected more than five times at each
position."""


@dataclass(frozen=True)
class Shuffles:
    """Results of both tests."""

    shoes: int
    decks: int
    places: Fit
    """Result of the test of positions: which card is at which position."""
    neighbours: Fit
    """Result of the test of neighbours: which card follows which."""


def shuffles(orders: Iterable[Sequence[Card]], decks: int) -> Shuffles:
    """Run both tests on the orders of some shoes; each must be a complete shoe of `decks` decks."""
    size, codes = decks * DECK_SIZE, {card: code for code, card in enumerate(deck())}
    places = [[0] * DECK_SIZE for _ in range(size)]
    pairs = [[0] * DECK_SIZE for _ in range(DECK_SIZE)]
    shoes = 0
    for order in orders:
        shoes += 1
        found = [codes[card] for card in order]
        if len(found) != size:
            raise BaccaratError(
                f"a shoe of {len(found)} cards among shoes of {size}: test it separately"
            )
        for counts, code in zip(places, found, strict=True):
            counts[code] += 1
        for code, following in pairwise(found):
            pairs[code][following] += 1
    if shoes < MIN_EXPECTED:
        raise BaccaratError(f"{shoes} shoes are too few: at least {MIN_EXPECTED} are needed")
    return Shuffles(shoes, decks, _place_fit(places, shoes), _neighbour_fit(pairs, shoes, decks))


def _place_fit(seen: Sequence[Sequence[int]], shoes: int) -> Fit:
    """Test the positions, correcting for the fixed row and column sums of every shoe."""
    size, expected = len(seen), Fraction(shoes, DECK_SIZE)
    statistic = sum((n - expected) ** 2 for counts in seen for n in counts) / expected
    return Fit(float(statistic * (size - 1) / size), (size - 1) * (DECK_SIZE - 1))


def _neighbour_fit(seen: Sequence[Sequence[int]], shoes: int, decks: int) -> Fit:
    """Test the neighbours; variation in row and column sums is excluded, because it depends only on
    the first and last cards."""
    kinds, freedom = len(seen), (len(seen) - 1) ** 2
    expected = {same: shoes * _followed(decks, kinds, same=same) for same in (False, True)}
    off = [[n - expected[a == b] for b, n in enumerate(row)] for a, row in enumerate(seen)]
    sums = [sum(row) for row in off] + [sum(column) for column in zip(*off, strict=True)]
    squares = sum(n * n for row in off for n in row) - sum(n * n for n in sums) / Fraction(kinds)
    return Fit(float(freedom * squares / (shoes * neighbour_spread(decks))), freedom)


def _followed(decks: int, kinds: int, *, same: bool) -> Fraction:
    """Return how often, on average, a given card follows another given card (or the same one) in a
    shoe."""
    size = decks * kinds
    return Fraction((size - 1) * decks * (decks - same), perm(size, 2))


def neighbour_spread(decks: int, kinds: int = DECK_SIZE) -> Fraction:
    """Return the exact mean, in one shoe, of the sum of squares that `_neighbour_fit` uses.

    `kinds` is the number of different cards in a deck.
    """
    size = decks * kinds
    near, far = size - 1, (size - 2) * (size - 3)  # adjacent pairs; two pairs without a common card

    def apart(*copies: int) -> Fraction:
        return Fraction(prod(perm(decks, n) for n in copies), perm(size, sum(copies)))

    same = near * apart(2) + 2 * (near - 1) * apart(3) + far * apart(4)
    same -= _followed(decks, kinds, same=True) ** 2
    other = near * apart(1, 1) + far * apart(2, 2) - _followed(decks, kinds, same=False) ** 2
    ends = 2 * Fraction(kinds - 1, kinds)  # variation of the last and of the first card
    return kinds * same + kinds * (kinds - 1) * other - ends / kinds
