"""The kernel's shoes, dealt one card and one coup at a time, for the tests to compare with.

Deliberately slow: plain Python integers, dealt as a live table deals. It shares with the kernel
only the random words, the rule for rejecting words, and the order of a deck.
"""

from collections.abc import Iterator

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.core.coup import Coup
from baccarat.core.rulecard import Game
from baccarat.shoe import Shoe, ShoeRules
from baccarat.simulation.lookup import SORTED_DECK
from baccarat.simulation.stream import WORDS_PER_BLOCK, U, philox, rejected_below


def shoe_cards(decks: int, seed: int, shoe: int) -> Iterator[Card]:
    """Yield the cards of one shoe, first to last."""
    left = dict.fromkeys(SORTED_DECK, decks)
    size = decks * DECK_SIZE
    for number in range(size // 2):
        for k in _two_places(size - 2 * number, number, seed, shoe):
            card = _kth(left, k)
            left[card] -= 1
            yield card


def shoe_coups(game: Game, rules: ShoeRules, seed: int, shoe: int) -> Iterator[Coup]:
    """Deal the coups of one shoe."""
    cards = list(shoe_cards(rules.decks, seed, shoe))
    return Shoe(cards, rules).deal_coups(game.tableau)


def _two_places(left: int, number: int, seed: int, shoe: int) -> tuple[int, int]:
    """Return the positions, among the cards left, of the two cards that one word selects."""
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
