"""The shoe: decks of 52, shuffled, cut and burned, dealt one card at a time.

In go the cards in their order (`shuffled` makes one, with randomness that is handed in); out come
cards, and the word that the shoe is over. The one rule: the cut card ends the shoe. The coup in
which it comes out is finished, and one more is played; when a coup ends just before it, it is
taken out then, and the next coup is the last.
"""

from collections.abc import MutableSequence, Sequence
from enum import StrEnum
from typing import Protocol

from baccarat.core.cards import Card, deck
from baccarat.core.errors import BaccaratError, DealError

CUT = 14
"""Cards behind the cut card, unless the house says otherwise."""

MOST_IN_A_COUP = 6
SMALLEST_CUT = 2 * MOST_IN_A_COUP - 1
"""The coup in which the cut card comes out may take five cards from behind it, and one more coup
follows: these two must never run out of cards."""


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
        deepest = len(order) - burn.most - 1
        if not SMALLEST_CUT <= cut <= deepest:
            allowed = f"{SMALLEST_CUT} to {deepest} is allowed"
            if deepest < SMALLEST_CUT:
                allowed = f"it needs at least {SMALLEST_CUT + burn.most + 1}"
            raise BaccaratError(
                f"a cut card {cut} cards from the end does not fit a shoe of {len(order)} cards "
                f"(burn: {burn}): {allowed}"
            )
        self._order = tuple(order)
        self._cut_at = len(order) - cut
        self.burn = burn
        self.burned = burn.taking(order[0])
        """Number of cards burned before the first coup."""
        self._next = self.burned
        self.coups = 0
        """Coups dealt to their end."""
        self.cut_card_out = False
        """Has the cut card come out?"""
        self._coups_to_come: int | None = None
        """Known once the coup in which the cut card came out has ended."""

    @property
    def exposed(self) -> Card | None:
        """The card that decided how many were burned, where the house shows one."""
        return self._order[0] if self.burn is Burn.FIRST_CARD else None

    @property
    def left(self) -> int:
        """Cards still in the shoe, those behind the cut card included."""
        return len(self._order) - self._next

    @property
    def dealt(self) -> int:
        """Cards dealt to coups; burned ones are not among them."""
        return self._next - self.burned

    @property
    def last_coup(self) -> bool:
        """Is the coup that comes next, or is being dealt, the last one?"""
        return self._coups_to_come == 1

    @property
    def over(self) -> bool:
        return self._coups_to_come == 0

    def deal(self) -> Card:
        """The next card. The cut card comes out when it is met on the way to it."""
        if self.over:
            raise DealError(f"the shoe is over after {self.coups} coups: start a new one")
        if not self.left:
            raise DealError(f"the shoe is empty after {self.dealt} cards: end_coup was not said")
        self.cut_card_out = self.cut_card_out or self._next == self._cut_at
        card = self._order[self._next]
        self._next += 1
        return card

    def end_coup(self) -> None:
        """A coup has been dealt to its end: after the cut card, one more, then the shoe is over."""
        if self.over:
            raise DealError(f"the shoe is over after {self.coups} coups: no coup is being dealt")
        self.coups += 1
        if self._coups_to_come is not None:
            self._coups_to_come -= 1
        elif self._next >= self._cut_at:
            self.cut_card_out = True
            self._coups_to_come = 1
