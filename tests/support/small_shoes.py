"""Small shoes of which the reference can deal every coup, for every card and the synthetic one."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from random import Random

import pytest

from baccarat.analysis.mid_coup import Chances, chances
from baccarat.core.cards import Card
from baccarat.core.errors import DealError
from baccarat.core.rulecard import Game
from baccarat.loader import load
from support import reference as ref
from support import synthetic

PAYS = ref.CARDS | {"synthetic": synthetic.pays}
"""What each bet of each card pays, according to the reference."""

Left = Counter[ref.Card]
Known = tuple[ref.Card, ...]


@cache
def game(name: str, decks: int) -> Game:
    card = synthetic.card() if name == "synthetic" else load(name)
    return card.game(decks=decks)


def cards(plain: Iterable[ref.Card]) -> list[Card]:
    return [Card(rank, suit) for rank, suit in plain]


def gone(left: Left, decks: int) -> list[Card]:
    """Return the cards removed from whole decks when these are left."""
    whole = Counter({(rank, suit): decks for rank in ref.RANKS for suit in ref.SUITS})
    assert left <= whole
    return cards((whole - left).elements())


def random_left(rng: Random, decks: int, *, most: int = 9) -> Left:
    """Return six or a few more cards, often of few ranks so that there are pairs."""
    ranks = rng.sample(ref.RANKS, rng.choice([2, 3, 5, 13]))
    pool = [(rank, suit) for rank in ranks for suit in ref.SUITS] * decks
    return Counter(rng.sample(pool, min(rng.randint(6, most), len(pool))))


def few_kinds(rng: Random, decks: int) -> Left:
    """Return more cards of two ranks; at least eight, so that two can be removed."""
    pool = [(rank, suit) for rank in rng.sample(ref.RANKS, 2) for suit in ref.SUITS]
    kinds = rng.sample(pool, 4 if decks > 1 else 8)
    return Counter({card: rng.randint(min(decks, 2), decks) for card in kinds})


def taken_evenly(left: Left, rank: str, number: int) -> list[Left]:
    """Return the equally likely remainders when cards of a rank are removed without noting suits.

    One of every suit left is taken in turn; in the last turn, any choice of suits.
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
    """Remove some cards noted by rank only; return them and the possible remainders."""
    noted = Counter(rank for rank, _ in rng.sample(list(left.elements()), number))
    remains = [left]
    for rank, times in noted.items():
        remains = [rest for before in remains for rest in taken_evenly(before, rank, times)]
    return noted, remains


def agrees(hand: ref.Hand, known: Known) -> bool:
    """Return whether the hand begins with the known cards, as far as they are known."""
    return len(hand) >= len(known) and all(
        card[0] == seen[0] and seen[1] in (None, card[1])
        for card, seen in zip(hand, known, strict=False)
    )


def coups_with(remains: list[Left], player: Known, banker: Known) -> Counter[ref.Facts]:
    """Return the facts of every coup of the given shoes that has the known cards."""
    counts: Counter[ref.Facts] = Counter()
    for left in remains:
        counts += ref.facts_of(
            coup
            for coup in ref.every_coup(left)
            if agrees(coup.player, player) and agrees(coup.banker, banker)
        )
    return counts


def check_chances(
    remains: list[Left], decks: int, removed: list[Card], player: Known, banker: Known
) -> None:
    """Compare the chances of every bet with every coup of the given shoes."""
    counts = coups_with(remains, player, banker)
    for name in PAYS:

        def ask(name: str = name) -> Chances:
            return chances(
                game(name, decks), player=cards(player), banker=cards(banker), removed=removed
            )

        if counts:
            found = ask()
            assert found.results == ref.results(counts)
            assert found.expectations == ref.expectations(counts, PAYS[name]), name
        else:
            with pytest.raises(DealError, match="no coup has the cards"):
                ask()


def some_known(rng: Random, left: Left, sizes: tuple[int, int]) -> tuple[Known, Known]:
    """Return known cards of the shoe, regardless of the tableau, some without suit. Third cards

    keep their suit.
    """
    drawn = rng.sample(list(left.elements()), 6)
    hands = []
    for hand, size in zip((drawn[:3], drawn[3:]), sizes, strict=True):
        forget = [rng.random() < 0.4 and place < 2 for place in range(3)]
        known = ((rank, None if f else suit) for (rank, suit), f in zip(hand, forget, strict=True))
        hands.append(tuple(known)[:size])
    return hands[0], hands[1]
