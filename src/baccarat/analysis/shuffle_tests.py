"""Were these shoes shuffled well? What many orders of cards come to, against what chance gives.

Two of Pearson's tests: how often each card lies in each place, and how often each card follows
each other card. Cards of one shoe are not independent of each other (each is there a fixed number
of times), so neither statistic is the textbook's; what each comes to on average is counted exactly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import perm, prod

from baccarat.analysis.frequencies import Fit
from baccarat.core.cards import DECK_SIZE, Card, deck
from baccarat.core.errors import BaccaratError

FEWEST = 300
"""Shoes that the tests need: five of a card in a place, on average, and a few more."""


@dataclass(frozen=True)
class Shuffles:
    """What the shoes came to."""

    shoes: int
    decks: int
    places: Fit
    """Which card lies where."""
    neighbours: Fit
    """Which card follows which."""


def shuffles(orders: Iterable[Sequence[Card]], decks: int) -> Shuffles:
    """Both tests, of shoes of so many decks; every order is a whole shoe."""
    size, codes = decks * DECK_SIZE, {card: code for code, card in enumerate(deck())}
    places = [[0] * DECK_SIZE for _ in range(size)]
    pairs = [[0] * DECK_SIZE for _ in range(DECK_SIZE)]
    shoes = 0
    for order in orders:
        shoes += 1
        found = [codes[card] for card in order]
        if len(found) != size:
            raise BaccaratError(
                f"a shoe of {len(found)} cards among shoes of {size}: test it apart"
            )
        for counts, code in zip(places, found, strict=True):
            counts[code] += 1
        for code, following in pairwise(found):
            pairs[code][following] += 1
    if shoes < FEWEST:
        raise BaccaratError(f"{shoes} shoes say too little: at least {FEWEST} are needed")
    return Shuffles(shoes, decks, _place_fit(places, shoes), _neighbour_fit(pairs, shoes, decks))


def _place_fit(seen: Sequence[Sequence[int]], shoes: int) -> Fit:
    """Every row and every column has a fixed sum in every shoe, which widens the rest a little."""
    size, expected = len(seen), Fraction(shoes, DECK_SIZE)
    statistic = sum((n - expected) ** 2 for counts in seen for n in counts) / expected
    return Fit(float(statistic * (size - 1) / size), (size - 1) * (DECK_SIZE - 1))


def _neighbour_fit(seen: Sequence[Sequence[int]], shoes: int, decks: int) -> Fit:
    """Rows and columns hardly vary (only the first and the last card do): that much is left out."""
    kinds, freedom = len(seen), (len(seen) - 1) ** 2
    expected = {same: shoes * _followed(decks, kinds, same=same) for same in (False, True)}
    off = [[n - expected[a == b] for b, n in enumerate(row)] for a, row in enumerate(seen)]
    sums = [sum(row) for row in off] + [sum(column) for column in zip(*off, strict=True)]
    squares = sum(n * n for row in off for n in row) - sum(n * n for n in sums) / Fraction(kinds)
    return Fit(float(freedom * squares / (shoes * neighbour_spread(decks))), freedom)


def _followed(decks: int, kinds: int, *, same: bool) -> Fraction:
    """How often one card follows another, or itself, in a shoe on average."""
    size = decks * kinds
    return Fraction((size - 1) * decks * (decks - same), perm(size, 2))


def neighbour_spread(decks: int, kinds: int = DECK_SIZE) -> Fraction:
    """The average of those squares in one shoe, exactly, for so many kinds of card in a deck."""
    size = decks * kinds
    near, far = size - 1, (size - 2) * (size - 3)  # neighbours; two of them with no card shared

    def apart(*copies: int) -> Fraction:
        return Fraction(prod(perm(decks, n) for n in copies), perm(size, sum(copies)))

    same = near * apart(2) + 2 * (near - 1) * apart(3) + far * apart(4)
    same -= _followed(decks, kinds, same=True) ** 2
    other = near * apart(1, 1) + far * apart(2, 2) - _followed(decks, kinds, same=False) ** 2
    ends = 2 * Fraction(kinds - 1, kinds)  # which card is the last, which the first
    return kinds * same + kinds * (kinds - 1) * other - ends / kinds
