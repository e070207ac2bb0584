"""Shoes so small that the reference can deal every coup, of every card and the synthetic one."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from random import Random

import reference as ref
import synthetic
from baccarat.core.cards import Card
from baccarat.core.rulecard import Game
from baccarat.loader import load

PAYS = ref.CARDS | {"synthetic": synthetic.pays}
"""What the reference says each bet of each card pays."""

Left = Counter[ref.Card]


@cache
def game(name: str, decks: int) -> Game:
    card = synthetic.card() if name == "synthetic" else load(name)
    return card.game({"decks": decks})


def cards(plain: Iterable[ref.Card]) -> list[Card]:
    return [Card(rank, suit) for rank, suit in plain]


def gone(left: Left, decks: int) -> list[Card]:
    """What was taken out of whole decks when this is left."""
    whole = Counter({(rank, suit): decks for rank in ref.RANKS for suit in ref.SUITS})
    assert left <= whole
    return cards((whole - left).elements())


def random_left(rng: Random, decks: int, *, most: int = 9) -> Left:
    """Six cards or a few more, often of few ranks so that there are pairs."""
    ranks = rng.sample(ref.RANKS, rng.choice([2, 3, 5, 13]))
    pool = [(rank, suit) for rank in ranks for suit in ref.SUITS] * decks
    return Counter(rng.sample(pool, min(rng.randint(6, most), len(pool))))


def few_kinds(rng: Random, decks: int) -> Left:
    """More cards, of two ranks; at least eight, so that two can go."""
    pool = [(rank, suit) for rank in rng.sample(ref.RANKS, 2) for suit in ref.SUITS]
    kinds = rng.sample(pool, 4 if decks > 1 else 8)
    return Counter({card: rng.randint(min(decks, 2), decks) for card in kinds})


def taken_evenly(left: Left, rank: str, number: int) -> list[Left]:
    """The equally likely remains when cards of a rank go without anyone noting their suits.

    One from every suit that has any, round after round; in the last round any choice of suits.
    """
    left = left.copy()
    while number:
        suits = [suit for suit in ref.SUITS if left[rank, suit]]
        if number < len(suits):
            return [
                left - Counter((rank, suit) for suit in chosen)
                for chosen in combinations(suits, number)
            ]
        left -= Counter((rank, suit) for suit in suits)
        number -= len(suits)
    return [left]


def take_some_evenly(rng: Random, left: Left, number: int) -> tuple[Counter[str], list[Left]]:
    """Some cards noted by rank only, and every way their suits may have been."""
    noted = Counter(rank for rank, _ in rng.sample(list(left.elements()), number))
    remains = [left]
    for rank, times in noted.items():
        remains = [rest for before in remains for rest in taken_evenly(before, rank, times)]
    return noted, remains
