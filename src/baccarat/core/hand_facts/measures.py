"""What is measured on the cards of a coup, and where.

A *place* is a set of cards of a coup, such as the player's hand or the first four cards. A
*measure* looks at one property of each card (its suit, for example), gathers what it saw in one
hand into a *part*, and computes a value from the part of one hand or from the parts of both.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from baccarat.core.cards import RANKS, SUITS, Card, deck
from baccarat.core.errors import BaccaratError, CardError

Part = Hashable
"""What a measure gathers in one hand."""

COLOUR_SUITS = {"red": "hd", "black": "sc"}
COLOURS = {suit: colour for colour, suits in COLOUR_SUITS.items() for suit in suits}
SUIT_NAMES = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}


class Place(NamedTuple):
    """Some cards of a coup: a slice of one hand, or the same slice of both hands."""

    name: str
    words: str
    hands: tuple[str, ...]
    """'player', 'banker' or both."""
    cards: slice
    """The cards of each hand."""

    @property
    def most_cards(self) -> int:
        """The largest number of cards at the place."""
        return len(self.hands) * len(range(3)[self.cards])

    @property
    def known_at_start(self) -> bool:
        """Whether all cards at the place are among the first four."""
        return self.cards == _START


_WHOLE, _START, _THIRD = slice(0, 3), slice(0, 2), slice(2, 3)
_BOTH = ("player", "banker")
PLACES = {
    place.name: place
    for place in (
        Place("player", "the player's hand", ("player",), _WHOLE),
        Place("banker", "the banker's hand", ("banker",), _WHOLE),
        Place("player_start", "the player's first two cards", ("player",), _START),
        Place("banker_start", "the banker's first two cards", ("banker",), _START),
        Place("start", "the first four cards", _BOTH, _START),
        Place("coup", "all cards of the coup", _BOTH, _WHOLE),
        Place("player_third", "the player's third card", ("player",), _THIRD),
        Place("banker_third", "the banker's third card", ("banker",), _THIRD),
    )
}


@dataclass(frozen=True, eq=False)
class Measure:
    """A property of cards, and how a value is computed from it."""

    name: str
    look: Callable[[Card], Hashable]
    """The property of one card."""
    gather: Callable[[Sequence[Any]], Part]
    """The part of one hand, from the properties of its cards in order."""
    value: Callable[..., int | bool]
    """The value, from the part of one hand or the parts of both."""
    compares: bool = False
    """Whether the value depends only on which cards have the same property."""

    def is_kept_by(self, exchange: Mapping[str, str]) -> bool:
        """Return whether the value never changes when every suit is exchanged for another."""
        changes = {
            (self.look(card), self.look(Card(card.rank, exchange[suit_of(card)])))
            for card in deck()
        }
        if self.compares:
            return all(len(changes) == len(set(side)) for side in zip(*changes, strict=True))
        return all(before == after for before, after in changes)


@dataclass(frozen=True, eq=False)
class Measured:
    """Something that is measured at a place, such as the suits of Player's first two cards."""

    place: Place
    measure: Measure

    def part(self, hand: Sequence[Card]) -> Part:
        """Return the part of one hand; raise CardError if it depends on an unknown suit."""
        return self.measure.gather([self.measure.look(card) for card in hand[self.place.cards]])

    def value(self, parts: Mapping[str, Part]) -> int | bool:
        """Return the value, given the parts of the player and the banker."""
        return self.measure.value(*(parts[hand] for hand in self.place.hands))


def suit_of(card: Card) -> str:
    if card.suit is None:
        raise CardError(
            f"the suit of {card} is missing: a bet depends on it; write it, as in {card}h"
        )
    return card.suit


def _different(*parts: frozenset[Hashable]) -> int:
    return len(frozenset[Hashable]().union(*parts))


def _together(*parts: int) -> int:
    return sum(parts)


def _are_consecutive(ranks: Sequence[int]) -> bool:
    """Return whether ranks, given as indexes into RANKS, are different and consecutive.

    The ace counts below the two or above the king, but not both: K A 2 are not consecutive.
    """
    low = sorted(ranks)
    high = sorted(rank or len(RANKS) for rank in ranks)
    return any(all(after - before == 1 for before, after in pairwise(run)) for run in (low, high))


SUITS_IN = Measure("suits", suit_of, frozenset, _different, compares=True)
COLOURS_IN = Measure(
    "colours", lambda card: COLOURS[suit_of(card)], frozenset, _different, compares=True
)
RANKS_IN = Measure("ranks", lambda card: card.rank, frozenset, _different)
SUM = Measure("sum", lambda card: card.points, sum, _together)
CONSECUTIVE = Measure("consecutive", lambda card: RANKS.index(card.rank), _are_consecutive, bool)
PAIR = Measure("pair", lambda card: card.rank, lambda ranks: len(set(ranks)) == 1, bool)
PERFECT_PAIR = Measure(
    "perfect pair",
    lambda card: (card.rank, suit_of(card)),
    lambda seen: len(set(seen)) == 1,
    bool,
    compares=True,
)


CARD_NAMES: Mapping[str, frozenset[Card]] = {
    **{rank: frozenset(Card(rank, suit) for suit in SUITS) for rank in RANKS},
    **{str(card): frozenset([card]) for card in deck()},
    **{
        name: frozenset(Card(rank, suit) for rank in RANKS for suit in suits)
        for name, suits in (*SUIT_NAMES.items(), *COLOUR_SUITS.items())
    },
}
"""The cards that each word stands for; a word is a rank, a card, a suit or a colour."""


@cache
def number_of(words: tuple[str, ...]) -> Measure:
    """Return the measure that counts the cards that any of these words stands for."""
    cards = frozenset[Card]().union(*(CARD_NAMES[word] for word in words))

    def look(card: Card) -> bool:
        suits = SUITS if card.suit is None else (card.suit,)
        matches = {Card(card.rank, suit) in cards for suit in suits}
        return matches.pop() if len(matches) == 1 else Card(card.rank, suit_of(card)) in cards

    return Measure(f"count of {' '.join(words)}", look, sum, _together)


def depends_on_suits(measure: Measure) -> bool:
    """Return whether a measure must know the suit of any card."""
    try:
        for rank in RANKS:
            measure.look(Card(rank))
    except BaccaratError:
        return True
    return False
