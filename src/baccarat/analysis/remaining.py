"""The cards left in a shoe, as counts.

Points and ranks are always known exactly. A card that was removed without its suit is taken
evenly from the suits: whole rounds of one card from each suit that still has any, and for the
rest of a round every choice of suits counts the same. So a rank has one or a few equally likely
`suit_counts`, and only bets on suits ever look at them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from baccarat.core.cards import POINTS, RANKS, SUITS, Card
from baccarat.core.errors import CardError
from baccarat.core.rulecard import Game

FEWEST_CARDS = 6
"""A coup may need six cards."""

SuitCounts = tuple[int, int, int, int]


@dataclass(frozen=True)
class RemainingShoe:
    """What is left of some decks after the removed cards are gone."""

    decks: int
    removed: Mapping[Card, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.decks < 1:
            raise CardError(f"{self.decks} decks make no shoe: it needs at least 1")
        if min(self.removed.values(), default=0) < 0:
            raise CardError(f"{min(self.removed.values())} cards cannot be gone: 0 or more can")
        for rank in RANKS:
            of_rank = {card: n for card, n in self.removed.items() if card.rank == rank}
            for card, n in of_rank.items():
                held = self.decks if card.suit else self.decks * len(SUITS)
                if n > held or sum(of_rank.values()) > self.decks * len(SUITS):
                    gone = n if n > held else sum(of_rank.values())
                    what = str(card) if n > held else rank
                    held = held if n > held else self.decks * len(SUITS)
                    raise CardError(
                        f"{gone} × {what} cannot be gone: {decks_in_words(self.decks)} "
                        f"{'holds' if self.decks == 1 else 'hold'} {held}"
                    )

    def without(self, cards: Iterable[Card]) -> "RemainingShoe":
        """The shoe with these cards gone as well."""
        return RemainingShoe(self.decks, Counter(dict(self.removed)) + Counter(cards))

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Cards left of each rank, A to K."""
        gone = Counter[str]()
        for card, n in self.removed.items():
            gone[card.rank] += n
        return tuple(self.decks * len(SUITS) - gone[rank] for rank in RANKS)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Cards left of each point value, 0 to 9."""
        counts = [0] * 10
        for rank, count in zip(RANKS, self.ranks, strict=True):
            counts[POINTS[rank]] += count
        return tuple(counts)

    @property
    def size(self) -> int:
        return sum(self.ranks)

    @cached_property
    def suits_are_certain(self) -> bool:
        """Is every suit's count known, or were cards taken evenly from the suits?"""
        return all(len(self.suit_counts(i)) == 1 for i in range(len(RANKS)))

    def suit_counts(self, rank: int) -> tuple[SuitCounts, ...]:
        """The equally likely counts by suit of one rank (an index into RANKS)."""
        name = RANKS[rank]
        left = [self.decks - self.removed.get(Card(name, suit), 0) for suit in SUITS]
        unsuited = self.removed.get(Card(name), 0)
        while unsuited:
            holders = [i for i, n in enumerate(left) if n]
            if unsuited < len(holders):
                return tuple(_less(left, chosen) for chosen in combinations(holders, unsuited))
            left = list(_less(left, holders))
            unsuited -= len(holders)
        return (_less(left, ()),)


def remaining_shoe(game: Game, removed: Iterable[Card] = ()) -> RemainingShoe:
    """The game's full shoe without these cards; refused when no coup can be dealt from it."""
    shoe = RemainingShoe(game.decks, Counter(removed))
    if shoe.size < FEWEST_CARDS:
        raise CardError(
            f"{shoe.size} cards are left of {decks_in_words(game.decks)}: "
            f"a coup may need {FEWEST_CARDS}"
        )
    return shoe


def decks_in_words(decks: int) -> str:
    return "one deck" if decks == 1 else f"{decks} decks"


def _less(left: Iterable[int], chosen: Iterable[int]) -> SuitCounts:
    taken = set(chosen)
    a, b, c, d = (n - (i in taken) for i, n in enumerate(left))
    return a, b, c, d
