"""Cards, their points, and the short strings that stand for them.

A card is a rank and a suit. The suit may be unknown (None): most bets do not ask for it, and
people who note cards down often leave it out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from baccarat.core.errors import CardError

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("s", "h", "d", "c")
SUIT_SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

POINTS = {rank: min(number, 10) % 10 for number, rank in enumerate(RANKS, start=1)}
"""Ace 1, 2 to 9 face value, 10 J Q K nothing."""

DECK_SIZE = len(RANKS) * len(SUITS)

_ITEM = re.compile(r"(10|[2-9AaTtJjQqKk])([SsHhDdCc♠♥♦♣]?)(?:[x×*]([0-9]+))?")
_ALLOWED = "a rank A 2 3 4 5 6 7 8 9 10 J Q K with or without a suit s h d c, such as 8, Kh or 10d"
_MOST_OF_ONE_CARD = 10_000
_MOST_CARDS = 100_000


@dataclass(frozen=True, slots=True)
class Card:
    """One card."""

    rank: str
    """One of RANKS."""
    suit: str | None = None
    """One of SUITS, or None when nobody noted it."""

    def __post_init__(self) -> None:
        if self.rank not in POINTS or (self.suit is not None and self.suit not in SUITS):
            raise CardError(f"{self.rank}{self.suit or ''} is no card: {_ALLOWED}")

    @property
    def points(self) -> int:
        """What it counts in a hand."""
        return POINTS[self.rank]

    def __str__(self) -> str:
        return self.rank + (self.suit or "")

    def face(self) -> str:
        """The card for people: K♥."""
        return self.rank + SUIT_SYMBOLS.get(self.suit or "", "")


def total(cards: Iterable[Card]) -> int:
    """A hand's total: the last digit of the sum of its points."""
    return sum(card.points for card in cards) % 10


def parse_card(text: str) -> Card:
    """'Kh', '10d', 'T', '8' to a card."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"{text!r} is {len(cards)} cards, not one: {_ALLOWED}")
    return cards[0]


def parse_cards(text: str) -> tuple[Card, ...]:
    """A list such as '8x3, K, Ah' or '5hKd3c' to cards; x3 repeats a card three times."""
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        items = list(_ITEM.finditer(word))
        if "".join(item[0] for item in items) != word:
            raise CardError(f"{word[:20]!r} is no card: {_ALLOWED}")
        for rank, suit, times in (item.groups() for item in items):
            if times and (len(times) > 5 or not 0 < int(times) <= _MOST_OF_ONE_CARD):
                raise CardError(
                    f"{word[:20]!r}: a card can be repeated 1 to {_MOST_OF_ONE_CARD} times"
                )
            cards += [_card(rank, suit)] * int(times or 1)
            if len(cards) > _MOST_CARDS:
                raise CardError(f"these are more than {_MOST_CARDS:,} cards: name fewer")
    return tuple(cards)


def deck() -> tuple[Card, ...]:
    """The 52 cards of one deck, suit by suit."""
    return tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)


@cache
def _card(rank: str, suit: str) -> Card:
    letter = next((key for key, symbol in SUIT_SYMBOLS.items() if symbol == suit), suit.lower())
    return Card("10" if rank in "Tt" else rank.upper(), letter or None)
