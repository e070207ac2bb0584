"""Cards, their points, and their short notation.

A card is a rank and a suit. The suit may be unknown (None): most bets do not depend on suits, and
people who note down cards often leave the suit out.
"""

import re
from collections.abc import Iterable
from functools import cache

from baccarat.core.errors import CardError

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("s", "h", "d", "c")
SUIT_SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

POINTS = {rank: min(number, 10) % 10 for number, rank in enumerate(RANKS, start=1)}
"""Points of each rank: an ace counts 1, 2 to 9 count their number, and 10, J, Q and K count 0."""

DECK_SIZE = len(RANKS) * len(SUITS)

_ITEM = re.compile(r"(10|[2-9AaTtJjQqKk])([SsHhDdCc♠♥♦♣]?)(?:[x×*]([0-9]+))?")
_ALLOWED = (
    "write a rank (A 2 3 4 5 6 7 8 9 10 J Q K), with or without a suit (s h d c), "
    "such as 8, Kh or 10d"
)
_MAX_OF_ONE_CARD = 10_000
_MAX_CARDS = 100_000


class Card:
    """One playing card.

    This is a plain class rather than a dataclass, so that the codec writes a card as text, not
    field by field.
    """

    __slots__ = ("rank", "suit")
    __match_args__ = ("rank", "suit")
    rank: str
    """One of RANKS."""
    suit: str | None
    """One of SUITS, or None if the suit is unknown."""

    def __init__(self, rank: str, suit: str | None = None) -> None:
        if rank not in POINTS or (suit is not None and suit not in SUITS):
            raise CardError(f"{rank}{suit or ''} is not a card: {_ALLOWED}")
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "suit", suit)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot assign to field {name!r} of a card")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Card):
            return NotImplemented
        return self.rank == other.rank and self.suit == other.suit

    def __hash__(self) -> int:
        return hash((self.rank, self.suit))

    def __reduce__(self) -> tuple[type["Card"], tuple[str, str | None]]:
        return Card, (self.rank, self.suit)

    @property
    def points(self) -> int:
        """The card's points: its value in a hand, from 0 to 9."""
        return POINTS[self.rank]

    def __repr__(self) -> str:
        return f"<Card {self}>"

    def __str__(self) -> str:
        return self.rank + (self.suit or "")

    def face(self) -> str:
        """Return the card as displayed, such as 'K♥'."""
        return self.rank + SUIT_SYMBOLS.get(self.suit or "", "")


def total(cards: Iterable[Card]) -> int:
    """Return a hand's total: the last digit of the sum of its cards' points."""
    return sum(card.points for card in cards) % 10


def parse_card(text: str) -> Card:
    """Parse one card, such as 'Kh', '10d', 'T' or '8'."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"{text!r} is {len(cards)} cards, not one: {_ALLOWED}")
    return cards[0]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse a list of cards such as '8x3, K, Ah' or '5hKd3c'; x3 repeats a card three times."""
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        items = list(_ITEM.finditer(word))
        if "".join(item[0] for item in items) != word:
            raise CardError(f"{word[:20]!r} is not a card: {_ALLOWED}")
        for rank, suit, times in (item.groups() for item in items):
            if times and (len(times) > 5 or not 0 < int(times) <= _MAX_OF_ONE_CARD):
                raise CardError(
                    f"{word[:20]!r}: a card can be repeated 1 to {_MAX_OF_ONE_CARD:,} times"
                )
            cards += [_card(rank, suit)] * int(times or 1)
            if len(cards) > _MAX_CARDS:
                raise CardError(f"too many cards: list at most {_MAX_CARDS:,}")
    return tuple(cards)


def deck() -> tuple[Card, ...]:
    """Return the 52 cards of one deck, suit by suit."""
    return tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)


@cache
def _card(rank: str, suit: str) -> Card:
    letter = next((key for key, symbol in SUIT_SYMBOLS.items() if symbol == suit), suit.lower())
    return Card("10" if rank in "Tt" else rank.upper(), letter or None)
