"""The cards left in a shoe, as counts.

Counts by points and by rank are always exact. Cards removed without a suit are taken evenly from
the suits: one card from every suit that still has any, as often as possible. For the remainder,
every choice of suits is equally likely. So each rank has one or a few equally likely `suit_counts`,
which matter only for bets that depend on suits.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import prod

from baccarat.core.cards import POINTS, RANKS, SUITS, Card
from baccarat.core.errors import CardError
from baccarat.core.rulecard import Game

MIN_CARDS = 6
"""Minimum number of cards that must be left for a coup, because a coup may need this many."""

SuitCounts = tuple[int, int, int, int]

Count = int | Fraction
"""A number of sequences. It is an integer unless cards of unknown suit were removed."""


@dataclass(frozen=True)
class RemainingShoe:
    """The cards left in a number of decks after some cards have been removed."""

    decks: int
    removed: Mapping[Card, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.decks < 1:
            raise CardError(f"a shoe needs at least 1 deck, not {self.decks}")
        if min(self.removed.values(), default=0) < 0:
            raise CardError(f"cannot remove {min(self.removed.values())} cards: must be 0 or more")
        held = {True: self.decks, False: self.decks * len(SUITS)}
        ranks = ((Card(rank), n) for rank, n in self._gone.items())
        for card, gone in (*self.removed.items(), *ranks):
            if gone > (most := held[card.suit is not None]):
                raise CardError(
                    f"cannot remove {gone} × {card}: {decks_in_words(self.decks)} "
                    f"{'has' if self.decks == 1 else 'have'} {most}"
                )

    def without(self, cards: Iterable[Card]) -> "RemainingShoe":
        """Return the shoe with these cards also removed."""
        return RemainingShoe(self.decks, Counter(dict(self.removed)) + Counter(cards))

    def has(self, card: Card) -> bool:
        """Return whether a card of this rank, and of this suit if it has one, may be left."""
        suit_left = card.suit is None or self.removed.get(card, 0) < self.decks
        return suit_left and self.ranks[RANKS.index(card.rank)] > 0

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Number of cards left of each rank, A to K."""
        return tuple(self.decks * len(SUITS) - self._gone[rank] for rank in RANKS)

    @cached_property
    def _gone(self) -> Counter[str]:
        gone = Counter[str]()
        for card, n in self.removed.items():
            gone[card.rank] += n
        return gone

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Number of cards left with each number of points, 0 to 9."""
        counts = [0] * 10
        for rank, count in zip(RANKS, self.ranks, strict=True):
            counts[POINTS[rank]] += count
        return tuple(counts)

    @property
    def size(self) -> int:
        return sum(self.ranks)

    @cached_property
    def suits_are_certain(self) -> bool:
        """Whether the number of cards left of every rank and suit is known exactly."""
        return all(len(self.suit_counts(i)) == 1 for i in range(len(RANKS)))

    def suit_counts(self, rank: int) -> tuple[SuitCounts, ...]:
        """Return the equally likely counts by suit for one rank, given as an index into RANKS."""
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
    """Return the game's full shoe without these cards, or raise CardError if too few are left."""
    shoe = RemainingShoe(game.decks, Counter(removed))
    if shoe.size < MIN_CARDS:
        raise CardError(
            f"only {shoe.size} cards of {decks_in_words(game.decks)} are left: "
            f"a coup may need {MIN_CARDS}"
        )
    return shoe


def decks_in_words(decks: int) -> str:
    return "one deck" if decks == 1 else f"{decks} decks"


def _less(left: Iterable[int], chosen: Iterable[int]) -> SuitCounts:
    taken = set(chosen)
    a, b, c, d = (n - (i in taken) for i, n in enumerate(left))
    return a, b, c, d


def falling(n: int, k: int) -> int:
    """Return the falling factorial n (n-1) … with k factors."""
    return prod(range(n, n - k, -1))
