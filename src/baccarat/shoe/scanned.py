"""A shoe of real cards, as reported by the dealer, a scanner or an electronic shoe.

The input is the list of cards in the order in which they left the shoe, with None for a card burned
face down. From it this module derives which cards have not been seen, which cards can no longer be
dealt, and whether the shoe was complete: it must hold each card once per deck. No card is ever
guessed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from baccarat.core.cards import RANKS, SUITS, Card, deck, parse_card
from baccarat.core.errors import CardError

CardsOut = tuple[Card | None, ...]
"""Cards that have left a shoe, in order; None for a card face down."""

_RANK = r"0?[1-9]|1[0-3]|[AaTtJjQqKk0]"
_SUIT = r"[SsHhDdCc♠♥♦♣]"
_SCAN = re.compile(rf"(?:({_RANK})({_SUIT})|({_SUIT})({_RANK}))")
_OTHER_RANKS = {"1": "A", "0": "10", "T": "10", "11": "J", "12": "Q", "13": "K"}


def scan_card(text: str) -> Card:
    """Parse a card as typed or scanned, rank and suit in either order: 8h, H8, 08H, 13S, K♠; a ten
    may be 0d or Td."""
    match = _SCAN.fullmatch(text.strip())
    if match is None:
        raise CardError(
            f"{text[:20]!r} is not a card with a suit: write the rank (A, 2 to 9, 10, T or 0, "
            "J Q K, or 1 to 13) and the suit (s h d c) in either order, such as 8h"
        )
    rank, suit = (match[1], match[2]) if match[1] else (match[4], match[3])
    rank = rank.lstrip("0").upper() or "0"
    return parse_card(_OTHER_RANKS.get(rank, rank) + suit)


@dataclass(frozen=True)
class DeckCheck:
    """The result of comparing a shoe's cards with full decks."""

    seen: int
    unseen: int
    """Number of cards nobody has seen: burned face down, or not checked when the shoe ended."""
    surplus: tuple[Card, ...]
    """Cards in excess of one per deck."""
    lacking: tuple[Card, ...]
    """Cards that were missing; empty if some cards have not been checked."""

    @property
    def adds_up(self) -> bool:
        return not (self.surplus or self.lacking)


def unseen(decks: int, out: Iterable[Card | None]) -> Counter[Card]:
    """Return how many of each card have not been seen: those in the shoe or burned face down."""
    left = Counter(dict.fromkeys(deck(), decks))
    left.subtract(card for card in out if card is not None)
    return left


def unseen_by_rank(decks: int, out: Iterable[Card | None]) -> dict[str, int]:
    left = unseen(decks, out)
    return {rank: sum(left[Card(rank, suit)] for suit in SUITS) for rank in RANKS}


def impossible(decks: int, out: Sequence[Card | None], card: Card) -> bool:
    """Return whether this card can no longer be dealt, because all copies of it have left the
    shoe."""
    return out.count(card) >= decks


def check_decks(decks: int, out: Iterable[Card | None], rest: Iterable[Card] | None) -> DeckCheck:
    """Compare a shoe's cards with full decks; `rest` are the unseen cards, or None if nobody
    checked them."""
    known = [card for card in out if card is not None]
    looked = rest is not None
    known += rest or ()
    left = unseen(decks, known)
    surplus = tuple(card for card in deck() for _ in range(-left[card]))
    lacking = tuple(card for card in deck() for _ in range(left[card])) if looked else ()
    total = sum(left.values())
    return DeckCheck(len(known), 0 if looked else max(total, 0), surplus, lacking)
