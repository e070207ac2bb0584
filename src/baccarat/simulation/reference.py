"""The clear twin: the same shoes as the kernel's, one card and one coup at a time.

Slow on purpose: plain Python integers, the core's own `deal_coup`, nothing shared with the
kernel but the random words, which of them a fair draw refuses, and the order of a deck.
"""

from collections.abc import Iterator

from baccarat.core.cards import DECK_SIZE, POINTS, RANKS, SUITS, Card
from baccarat.core.coup import Coup, deal_coup
from baccarat.core.rulecard import Game
from baccarat.simulation.plan import ShoePlan
from baccarat.simulation.stream import WORDS_PER_BLOCK, U, philox, rejected_below

SORTED_DECK = tuple(
    Card(rank, suit)
    for rank in sorted(RANKS, key=lambda rank: (POINTS[rank], RANKS.index(rank)))
    for suit in SUITS
)
"""The order in which the cards that are left are counted."""


def shoe_cards(decks: int, seed: int, shoe: int) -> Iterator[Card]:
    """The cards of one shoe, first to last."""
    left = dict.fromkeys(SORTED_DECK, decks)
    size = decks * DECK_SIZE
    for number in range(size // 2):
        for k in _two_places(size - 2 * number, number, seed, shoe):
            card = _kth(left, k)
            left[card] -= 1
            yield card


def shoe_coups(game: Game, plan: ShoePlan, seed: int, shoe: int) -> Iterator[Coup]:
    """The coups of one shoe, as the plan has them."""
    cards = list(shoe_cards(plan.decks, seed, shoe))
    place = 0 if plan.shuffler else plan.burn.taking(cards[0])
    more = 1 + plan.coups_after_cut
    while True:
        if place >= plan.cut_at:
            more -= 1
            if not more:
                return
        coup = deal_coup(game.tableau, cards[place:])
        place += len(coup.player) + len(coup.banker)
        yield coup


def _two_places(left: int, number: int, seed: int, shoe: int) -> tuple[int, int]:
    """Places among the cards left for the two cards that one word orders."""
    attempt = 0
    while True:
        block, word = divmod(number, WORDS_PER_BLOCK)
        counter = (block, attempt, shoe & 0xFFFFFFFF, shoe >> 32)
        key = (seed & 0xFFFFFFFF, seed >> 32)
        x = int(philox(*map(U, counter), *map(U, key))[word])
        first, fraction = divmod(x * left, 1 << 32)
        second, fraction = divmod(fraction * (left - 1), 1 << 32)
        if fraction >= rejected_below(left):
            return first, second
        attempt += 1


def _kth(left: dict[Card, int], k: int) -> Card:
    for card in SORTED_DECK:
        if k < left[card]:
            return card
        k -= left[card]
    raise IndexError(k)
