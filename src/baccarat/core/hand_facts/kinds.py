"""Kinds of hands: what conditions on suits, colours and ranks distinguish about one hand.

Cards that the conditions cannot tell apart form a *type*; all cards of a type have the same points.
Hands that the conditions cannot tell apart, whatever the other hand holds, are of the same *kind*.
The kinds of both hands determine the truth of every test; the tests that are true form a *sign*.

Each side has its own types and kinds, because conditions on the player's hand need not tell the
banker's cards apart.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations_with_replacement, permutations, product
from typing import NamedTuple

from baccarat.core.cards import SUITS, Card, deck
from baccarat.core.coup import Coup
from baccarat.core.errors import GameError
from baccarat.core.facts import NO_THIRD, Fact, Tested, Value
from baccarat.core.hand_facts.measures import Measured, Part, suit_of

Sign = tuple[bool, ...]
"""For each test, whether it is true."""
CardTypes = tuple[tuple[Card, ...], ...]
"""The cards of each type, sorted by points."""

MAX_PAIRS = 100_000
"""Maximum number of pairs of kinds; more would take too long to count."""


class HandType(NamedTuple):
    """All hands of one side whose cards have the same types; the first two cards may be in either
    order."""

    cards: tuple[int, ...]
    """Types of the two or three cards; the first two are sorted."""
    start: int
    """Total of the first two cards."""
    third: int
    """Points of the third card, or NO_THIRD."""
    kind: int


class HandKinds:
    """The types of cards, kinds of hands and signs that some tests distinguish."""

    def __init__(self, tests: Sequence[Tested]) -> None:
        grouped: dict[Fact, list[frozenset[Value]]] = {}
        for fact, values in tests:
            grouped.setdefault(fact, []).append(values)
        self._sorters = [_Sorter(fact, values) for fact, values in grouped.items()]
        self.tests = tuple(test for sorter in self._sorters for test in sorter.tests)
        """The tests, in the order of the truth values in a sign."""
        self.types = _types(self._sorters)
        """The types of cards that the tests on either side distinguish."""
        self.type_of = {card: i for i, cards in enumerate(self.types) for card in cards}
        own = {name: [s for s in self._sorters if name in s.hands] for name in ("player", "banker")}
        types = {name: _types(sorters) for name, sorters in own.items()}
        if self.types not in types.values():  # so that at least one side has all types
            types = dict.fromkeys(own, self.types)
        self.player, self.banker = (Side(types[name], own[name]) for name in own)
        if self.player.kinds * self.banker.kinds > MAX_PAIRS:
            raise GameError(
                "these bets distinguish too many kinds of hands to be analysed together: test "
                "fewer facts about suits, ranks and sums"
            )
        self._find_signs()

    def _find_signs(self) -> None:
        """Determine the sign of each pair of kinds."""
        self._numbers: dict[Sign, int] = {}
        self.sign: list[list[int]] = []
        """[player's kind][banker's kind]: the number of the sign."""
        for player in self.player.examples:
            row = []
            for banker in self.banker.examples:
                sign = self._sign(
                    {"player": player.get(sorter), "banker": banker.get(sorter)}
                    for sorter in self._sorters
                )
                row.append(self._numbers.setdefault(sign, len(self._numbers)))
            self.sign.append(row)
        self.signs = tuple(self._numbers)
        """All signs that a pair of hands can have."""

    @cached_property
    def symmetries(self) -> set[tuple[int, ...]]:
        """The ways to exchange types that change no test, because the tests do not tell some suits
        apart: for each type, the type that replaces it."""
        found = set()
        for suits in permutations(SUITS):
            exchange = dict(zip(SUITS, suits, strict=True))
            if all(sorter.measured.measure.is_kept_by(exchange) for sorter in self._sorters):
                first = (cards[0] for cards in self.types)
                found.add(tuple(self.type_of[Card(c.rank, exchange[suit_of(c)])] for c in first))
        return found

    def _sign(self, parts: Iterable[Mapping[str, Part]]) -> Sign:
        """Return the sign, given the parts of both hands for each measure."""
        return tuple(
            true
            for sorter, of_hands in zip(self._sorters, parts, strict=True)
            for true in sorter.truth(of_hands)
        )

    def sign_of(self, coup: Coup) -> int:
        """Return the number of a coup's sign; raise CardError if a suit that matters is unknown."""
        hands = {"player": coup.player, "banker": coup.banker}
        parts = (
            {name: sorter.measured.part(hands[name]) for name in sorter.hands}
            for sorter in self._sorters
        )
        return self._numbers[self._sign(parts)]


class Side:
    """The types of cards and the kinds of hands of one side."""

    def __init__(self, types: CardTypes, sorters: "Sequence[_Sorter]") -> None:
        self.types = types
        self.type_of = {card: i for i, cards in enumerate(types) for card in cards}
        self.points = [cards[0].points for cards in types]
        self.by_start = all(sorter.measured.place.known_at_start for sorter in sorters)
        """Whether kinds depend only on the first two cards of a hand."""
        hands = list(self._hands(thirds=not self.by_start))
        parts = [sorter.parts(hands, types) for sorter in sorters]
        sorts = []
        for sorter, found in zip(sorters, parts, strict=True):
            sorter.sort(found)
            sorts.append(map(sorter.sort_of.__getitem__, found))
        keys = list(zip(*sorts, strict=True)) or [()] * len(hands)
        first: dict[tuple[int, ...], int] = {}
        for i, key in enumerate(keys):
            first.setdefault(key, i)
        number = {key: kind for kind, key in enumerate(first)}
        self.kinds = len(first)
        """Number of kinds."""
        self._kind = array("H", map(number.__getitem__, keys))
        self.examples: list[dict[_Sorter, Part]] = [
            {sorter: found[i] for sorter, found in zip(sorters, parts, strict=True)}
            for i in first.values()
        ]
        """The parts of one hand of each kind."""

    def _hands(self, *, thirds: bool) -> Iterator[tuple[int, ...]]:
        """Yield the types of the cards of every hand: hands of two cards first, then hands of
        three."""
        starts = list(combinations_with_replacement(range(len(self.types)), 2))
        yield from starts
        if thirds:
            yield from ((*start, third) for start in starts for third in range(len(self.types)))

    def hands(self, *, thirds: bool) -> Iterator[HandType]:
        """Yield every type of hand: those of two cards, then, if `thirds` is true, those of
        three."""
        points, kind = self.points, self._kind
        starts = list(self._hands(thirds=False))
        totals = [(points[a] + points[b]) % 10 for a, b in starts]
        for i, cards in enumerate(starts):
            yield HandType(cards, totals[i], NO_THIRD, kind[i])
        place = len(starts)
        for i, cards in enumerate(starts) if thirds else ():
            for third, worth in enumerate(points):
                at = i if self.by_start else place
                yield HandType((*cards, third), totals[i], worth, kind[at])
                place += 1

    def hand(self, cards: Sequence[int]) -> HandType:
        """Return the type of a hand, given the types of its cards."""
        low, high, *third = *sorted(cards[:2]), *cards[2:]
        types = len(self.types)
        i = low * types - low * (low - 1) // 2 + high - low
        if third and not self.by_start:
            i = types * (types + 1) // 2 + i * types + third[0]
        start = (self.points[low] + self.points[high]) % 10
        points = self.points[third[0]] if third else NO_THIRD
        return HandType((low, high, *third), start, points, self._kind[i])

    def beginning(self, known: Sequence[int], *, thirds: bool = True) -> Iterator[HandType]:
        """Yield the hands that begin with cards of these types, in this order; at least one type
        must be given."""
        for size in (2, 3) if thirds else (2,):
            more = size - len(known)
            for rest in product(range(len(self.types)), repeat=more) if more >= 0 else ():
                cards = (*known, *rest)
                yield self.hand(cards)._replace(cards=cards)

    def types_of(self, cards: Iterable[Card]) -> list[int]:
        """Return the types of cards; raise CardError if one depends on an unknown suit."""
        found = []
        for card in cards:
            suits = SUITS if card.suit is None else (card.suit,)
            types = {self.type_of[Card(card.rank, suit)] for suit in suits}
            found.append(
                types.pop() if len(types) == 1 else self.type_of[Card(card.rank, suit_of(card))]
            )
        return found

    @cached_property
    def possible(self) -> list[set[tuple[int, int]]]:
        """For each kind, the (start, third) of all hands of this kind."""
        found = [set[tuple[int, int]]() for _ in range(self.kinds)]
        for hand in self.hands(thirds=not self.by_start):
            # If kinds depend only on the first two cards, any third card can follow.
            for third in range(NO_THIRD + 1) if self.by_start else (hand.third,):
                found[hand.kind].add((hand.start, third))
        return found


class _Sorter:
    """Sorts the parts of hands by what matters to the tests of one fact."""

    def __init__(self, fact: Fact, values: Sequence[frozenset[Value]]) -> None:
        assert fact.measured is not None  # noqa: S101  (other facts depend on the shape)
        self.measured: Measured = fact.measured
        self.hands = fact.measured.place.hands
        self.tests = [(fact, each) for each in values]
        self.sort_of: dict[Part, int] = {}

    def parts(self, hands: Iterable[tuple[int, ...]], types: CardTypes) -> list[Part]:
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
        hand's part is. Both sides have the same set of possible parts."""
        if self.sort_of:
            return
        different = dict.fromkeys(parts)
        hand, *other = self.hands
        others = different if other else (None,)
        sorts: dict[tuple[bool, ...], int] = {}
        for part in different:
            rows = (self.truth({hand: part, **dict.fromkeys(other, one)}) for one in others)
            self.sort_of[part] = sorts.setdefault(tuple(chain.from_iterable(rows)), len(sorts))


def _types(sorters: Iterable[_Sorter]) -> CardTypes:
    """Return the types of cards that the given tests distinguish."""
    measures = [sorter.measured.measure for sorter in sorters]
    found: dict[tuple[object, ...], list[Card]] = {}
    for card in deck():
        key = (card.points, *(measure.look(card) for measure in measures))
        found.setdefault(key, []).append(card)
    return tuple(map(tuple, sorted(found.values(), key=lambda cards: cards[0].points)))


@lru_cache(maxsize=64)
def hand_kinds(tests: tuple[Tested, ...]) -> HandKinds:
    """Return the kinds of hands for some tests; they are cached."""
    return HandKinds(tests)
