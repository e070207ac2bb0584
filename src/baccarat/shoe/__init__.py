"""The shoe: decks of 52, shuffled, cut and burned, dealt one card at a time.

In go the cards in their order (`shuffled` makes one, with randomness that is handed in); out come
cards, and the word that the shoe is over. The rule of the cut card is `progress`'s; promising an
order before the first wager, and keeping the promise in public, is `commitment`'s.
"""

from collections.abc import MutableSequence, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

from baccarat.core.cards import Card, deck
from baccarat.core.errors import BaccaratError
from baccarat.shoe.progress import MOST_IN_A_COUP, SMALLEST_CUT, new_shoe

__all__ = ["CUT", "MOST_IN_A_COUP", "SMALLEST_CUT", "Burn", "Randomness", "Shoe", "shuffled"]

CUT = 14
"""Cards behind the cut card, unless the house says otherwise."""


class Randomness(Protocol):
    """What a shuffle needs: `random.Random` in a test, `random.SystemRandom` at a table."""

    def shuffle(self, cards: MutableSequence[Card], /) -> None: ...


class Burn(StrEnum):
    """How many cards are put away, unplayed, before the first coup."""

    NONE = "none"
    ONE = "one"
    """One, face down."""
    FIRST_CARD = "first-card"
    """The first is shown, and as many more as its face says: ace 1, court cards ten."""

    @property
    def most(self) -> int:
        """The largest number of cards it can take."""
        return {Burn.NONE: 0, Burn.ONE: 1, Burn.FIRST_CARD: 11}[self]

    def taking(self, first: Card) -> int:
        """The number of cards it takes when this one lies first."""
        return 1 + (first.points or 10) if self is Burn.FIRST_CARD else self.most


def shuffled(*, decks: int, randomness: Randomness) -> tuple[Card, ...]:
    """So many decks in random order."""
    if decks < 1:
        raise BaccaratError(f"{decks} decks make no shoe: it needs at least 1")
    cards = list(deck() * decks)
    randomness.shuffle(cards)
    return tuple(cards)


class Shoe:
    """One shoe, from its burn to its last coup. Say `end_coup` after every coup."""

    def __init__(self, order: Sequence[Card], *, cut: int = CUT, burn: Burn = Burn.NONE) -> None:
        progress = new_shoe(size=len(order), cut=cut, most_burned=burn.most, burn=burn)
        self._order = tuple(order)
        self.burn = burn
        self._progress = replace(progress, burned=burn.taking(order[0]))

    @property
    def burned(self) -> int:
        """Number of cards burned before the first coup."""
        return self._progress.burned

    @property
    def coups(self) -> int:
        """Coups dealt to their end."""
        return self._progress.coups

    @property
    def cut_card_out(self) -> bool:
        """Has the cut card come out?"""
        return self._progress.cut_card_out

    @property
    def exposed(self) -> Card | None:
        """The card that decided how many were burned, where the house shows one."""
        return self._order[0] if self.burn is Burn.FIRST_CARD else None

    @property
    def left(self) -> int:
        """Cards still in the shoe, those behind the cut card included."""
        return self._progress.left

    @property
    def dealt(self) -> int:
        """Cards dealt to coups; burned ones are not among them."""
        return self._progress.taken

    @property
    def last_coup(self) -> bool:
        """Is the coup that comes next, or is being dealt, the last one?"""
        return self._progress.last_coup

    @property
    def over(self) -> bool:
        return self._progress.over

    def deal(self) -> Card:
        """The next card. The cut card comes out when it is met on the way to it."""
        place = self._progress.place
        self._progress = self._progress.take()
        return self._order[place]

    def end_coup(self) -> None:
        """A coup has been dealt to its end: after the cut card, one more, then the shoe is over."""
        self._progress = self._progress.end_coup()
