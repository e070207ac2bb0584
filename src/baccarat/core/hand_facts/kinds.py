"""Kinds of hands: what conditions on suits, colours and ranks distinguish about one hand.

Cards that the conditions cannot tell apart form a *type*; all cards of a type have the same points.
Hands that the conditions cannot tell apart, whatever the other hand holds, are of the same *kind*.
A hand has one kind as the player's hand and another as the banker's. The kinds of both hands
determine the truth of every test; the tests that are true form a *sign*.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations_with_replacement
from typing import NamedTuple

from baccarat.core.cards import Card, deck
from baccarat.core.coup import Coup
from baccarat.core.errors import GameError
from baccarat.core.facts import NO_THIRD, Fact, Tested, Value
from baccarat.core.hand_facts.measures import Measured, Part

Sign = tuple[bool, ...]
"""For each test, whether it is true."""

MAX_PAIRS = 100_000
"""Maximum number of pairs of kinds; more would take too long to count."""


class HandType(NamedTuple):
    """All hands whose cards have the same types; the first two cards may be in either order."""

    cards: tuple[int, ...]
    """Types of the two or three cards; the first two are sorted."""
    start: int
    """Total of the first two cards."""
    third: int
    """Points of the third card, or NO_THIRD."""
    player: int
    """Its kind as the player's hand."""
    banker: int
    """Its kind as the banker's hand."""


class HandKinds:
    """The types of cards, kinds of hands and signs that some tests distinguish."""

    def __init__(self, tests: Sequence[Tested]) -> None:
        grouped: dict[Fact, list[frozenset[Value]]] = {}
        for fact, values in tests:
            grouped.setdefault(fact, []).append(values)
        self._sorters = [_Sorter(fact, values) for fact, values in grouped.items()]
        self.tests = tuple(test for sorter in self._sorters for test in sorter.tests)
        """The tests, in the order of the truth values in a sign."""
        self.by_start = all(fact.known_at_start for fact in grouped)
        """Whether kinds depend only on the first two cards of a hand."""
        seen: dict[tuple[object, ...], list[Card]] = {}
        for card in deck():
            looks = (sorter.measured.measure.look(card) for sorter in self._sorters)
            seen.setdefault((card.points, *looks), []).append(card)
        self.types = tuple(map(tuple, sorted(seen.values(), key=lambda cards: cards[0].points)))
        """The cards of each type."""
        self.type_of = {card: i for i, cards in enumerate(self.types) for card in cards}
        self.points = [cards[0].points for cards in self.types]
        self._find_kinds()

    def _find_kinds(self) -> None:
        """Determine the kinds of all hands, and the sign of each pair of kinds."""
        hands = list(self._hands(thirds=not self.by_start))
        parts = [sorter.parts(hands, self.types) for sorter in self._sorters]
        for sorter, found in zip(self._sorters, parts, strict=True):
            sorter.sort(found)
        self._player, of_player = self._numbered("player", parts)
        self._banker, of_banker = self._numbered("banker", parts)
        self.player_kinds, self.banker_kinds = len(of_player), len(of_banker)
        if self.player_kinds * self.banker_kinds > MAX_PAIRS:
            raise GameError(
                "these bets distinguish too many kinds of hands to be analysed together: test "
                "fewer facts about suits, ranks and sums"
            )
        self._numbers: dict[Sign, int] = {}
        self.sign: list[list[int]] = []
        """[player's kind][banker's kind]: the number of the sign."""
        for i in of_player:
            row = []
            for j in of_banker:
                sign = self._sign({"player": found[i], "banker": found[j]} for found in parts)
                row.append(self._numbers.setdefault(sign, len(self._numbers)))
            self.sign.append(row)
        self.signs = tuple(self._numbers)
        """All signs that any two hands can give."""

    def _numbered(self, side: str, parts: list[list[Part]]) -> tuple["array[int]", list[int]]:
        """Return the kind of every hand as a hand of one side, and the index of one hand of each
        kind."""
        sorts = [
            map(sorter.sort_of.__getitem__, found)
            for sorter, found in zip(self._sorters, parts, strict=True)
            if side in sorter.measured.place.hands
        ]
        keys = list(zip(*sorts, strict=True)) or [()] * len(parts[0])
        examples: dict[tuple[int, ...], int] = {}
        for i, key in enumerate(keys):
            examples.setdefault(key, i)
        number = {key: kind for kind, key in enumerate(examples)}
        return array("H", map(number.__getitem__, keys)), list(examples.values())

    def _sign(self, parts: Iterable[Mapping[str, Part]]) -> Sign:
        """Return the sign, given the parts of both hands for each measure."""
        return tuple(
            true
            for sorter, of_hands in zip(self._sorters, parts, strict=True)
            for true in sorter.truth(of_hands)
        )

    def _hands(self, *, thirds: bool) -> Iterator[tuple[int, ...]]:
        """Yield the types of the cards of every hand: first two cards, then three."""
        starts = list(combinations_with_replacement(range(len(self.types)), 2))
        yield from starts
        if thirds:
            yield from ((*start, third) for start in starts for third in range(len(self.types)))

    def hands(self, *, thirds: bool) -> Iterator[HandType]:
        """Yield every type of hand: those of two cards, then, if `thirds` is true, those of
        three."""
        points, player, banker = self.points, self._player, self._banker
        starts = list(self._hands(thirds=False))
        totals = [(points[a] + points[b]) % 10 for a, b in starts]
        for i, cards in enumerate(starts):
            yield HandType(cards, totals[i], NO_THIRD, player[i], banker[i])
        place = len(starts)
        for i, cards in enumerate(starts) if thirds else ():
            for third, worth in enumerate(points):
                at = i if self.by_start else place
                yield HandType((*cards, third), totals[i], worth, player[at], banker[at])
                place += 1

    @cached_property
    def possible(self) -> tuple[list[set[tuple[int, int]]], list[set[tuple[int, int]]]]:
        """For each kind of the player's hand, then of the banker's, the (start, third) of all hands
        of this kind."""
        player = [set[tuple[int, int]]() for _ in range(self.player_kinds)]
        banker = [set[tuple[int, int]]() for _ in range(self.banker_kinds)]
        for hand in self.hands(thirds=not self.by_start):
            # If kinds depend only on the first two cards, any third card can follow.
            for third in range(NO_THIRD + 1) if self.by_start else (hand.third,):
                player[hand.player].add((hand.start, third))
                banker[hand.banker].add((hand.start, third))
        return player, banker

    def hand(self, cards: Sequence[int]) -> HandType:
        """Return the type of hand with cards of these types."""
        low, high, *third = *sorted(cards[:2]), *cards[2:]
        types = len(self.types)
        i = low * types - low * (low - 1) // 2 + high - low
        if third and not self.by_start:
            i = types * (types + 1) // 2 + i * types + third[0]
        start = (self.points[low] + self.points[high]) % 10
        points = self.points[third[0]] if third else NO_THIRD
        return HandType((low, high, *third), start, points, self._player[i], self._banker[i])

    def sign_of(self, coup: Coup) -> int:
        """Return the number of a coup's sign; raise CardError if a suit that matters is unknown."""
        hands = {"player": coup.player, "banker": coup.banker}
        parts = (
            {name: sorter.measured.part(hands[name]) for name in sorter.measured.place.hands}
            for sorter in self._sorters
        )
        return self._numbers[self._sign(parts)]


class _Sorter:
    """Sorts the parts of hands by what matters to the tests of one measure."""

    def __init__(self, fact: Fact, values: Sequence[frozenset[Value]]) -> None:
        assert fact.measured is not None  # noqa: S101  (other facts depend on the shape)
        self.measured: Measured = fact.measured
        self.tests = [(fact, each) for each in values]
        self.sort_of: dict[Part, int] = {}

    def parts(
        self, hands: Iterable[tuple[int, ...]], types: Sequence[Sequence[Card]]
    ) -> list[Part]:
        """Return the part of each hand."""
        looks = [self.measured.measure.look(cards[0]) for cards in types]
        cards, gather = self.measured.place.cards, self.measured.measure.gather
        return [gather([looks[t] for t in hand[cards]]) for hand in hands]

    def truth(self, parts: Mapping[str, Part]) -> list[bool]:
        """Return whether each test is true, given the parts of the hands at the place."""
        value = self.measured.value(parts)
        return [value in values for _, values in self.tests]

    def sort(self, parts: Iterable[Part]) -> None:
        """Put parts into the same sort if the tests cannot tell them apart, whatever the other
        hand's part is."""
        different = dict.fromkeys(parts)
        hand, *other = self.measured.place.hands
        others = different if other else (None,)
        sorts: dict[tuple[bool, ...], int] = {}
        for part in different:
            rows = (self.truth({hand: part, **dict.fromkeys(other, one)}) for one in others)
            self.sort_of[part] = sorts.setdefault(tuple(chain.from_iterable(rows)), len(sorts))


@lru_cache(maxsize=64)
def hand_kinds(tests: tuple[Tested, ...]) -> HandKinds:
    """Return the kinds of hands for some tests; they are cached."""
    return HandKinds(tests)
