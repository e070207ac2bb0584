"""The shoe: shuffled decks with a cut card and a burn, dealt one card at a time.

`rules` defines how a shoe is dealt. `progress` tracks how much of a shoe has been dealt, without
knowing its cards. `commitment` commits to the order of the cards before the first wager, and proves
each card when it is dealt.
"""

from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import replace
from typing import Protocol

from baccarat.core.cards import Card, deck
from baccarat.core.coup import Coup, deal_coup
from baccarat.core.errors import BaccaratError
from baccarat.core.tableau import Tableau
from baccarat.shoe.progress import new_shoe
from baccarat.shoe.rules import BURN, COUPS_AFTER_CUT, CUT, MAX_CARDS_IN_COUP, Burn, ShoeRules

__all__ = ["BURN", "COUPS_AFTER_CUT", "CUT", "MAX_CARDS_IN_COUP", "Burn", "ShoeRules"]
__all__ += ["Randomness", "Shoe", "shuffled"]


class Randomness(Protocol):
    """The source of randomness for a shuffle: `random.Random` in tests, `random.SystemRandom` at
    tables."""

    def shuffle(self, cards: MutableSequence[Card], /) -> None: ...


def shuffled(*, decks: int, randomness: Randomness) -> tuple[Card, ...]:
    """Return the cards of some decks in random order."""
    if decks < 1:
        raise BaccaratError(f"a shoe needs at least 1 deck, not {decks}")
    cards = list(deck() * decks)
    randomness.shuffle(cards)
    return tuple(cards)


class Shoe:
    """One shoe, from its burn to its last coup.

    After dealing a coup card by card with `deal`, call `end_coup`.
    """

    def __init__(self, order: Sequence[Card], rules: ShoeRules) -> None:
        if len(order) != rules.size:
            raise BaccaratError(
                f"a shoe of {rules.decks} decks has {rules.size} cards, not {len(order)}"
            )
        self._order = tuple(order)
        self.rules = rules
        self.progress = replace(new_shoe(rules), burned=rules.burn.taking(order[0]))

    @property
    def exposed(self) -> Card | None:
        """The card that determined how many cards were burned, if the burn rule shows one."""
        return self._order[0] if self.rules.burn is Burn.FIRST_CARD else None

    @property
    def over(self) -> bool:
        """Whether the last coup has been dealt."""
        return self.progress.over

    def deal(self) -> Card:
        """Deal the next card, removing the cut card if it lies in front of that card."""
        place = self.progress.place
        self.progress = self.progress.take()
        return self._order[place]

    def end_coup(self) -> None:
        """Record the end of a coup."""
        self.progress = self.progress.end_coup()

    def deal_coup(self, tableau: Tableau) -> Coup:
        """Deal one coup by the rules of a tableau."""
        coup = deal_coup(tableau, iter(self.deal, None))
        self.end_coup()
        return coup

    def deal_coups(self, tableau: Tableau) -> Iterator[Coup]:
        """Deal all remaining coups, one by one."""
        while not self.over:
            yield self.deal_coup(tableau)
