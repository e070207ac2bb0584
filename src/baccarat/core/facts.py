"""Facts about finished coups, conditions on these facts, and classes of coups.

Two coups are in the same class when they have the same `Shape` (two-card totals and points of the
third cards) and the same kind of pair in each hand. A tableau allows about 3,500 shapes, each with
nine combinations of pair kinds. A set of classes is an integer used as a bit set, so conditions
combine with & | ~. Facts about the suits, colours and ranks of cards need other classes, which
`hand_facts.classes` defines.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property, lru_cache, reduce
from operator import and_, attrgetter, or_
from typing import NamedTuple

from baccarat.core.cards import Card
from baccarat.core.coup import Coup, Winner
from baccarat.core.hand_facts import measures as m
from baccarat.core.tableau import STOOD, Hand, Tableau

NO_THIRD = STOOD
"""Value that stands for 'no third card' in a shape, as in the tableau."""

Value = int | str | bool
ClassSet = int
"""A bit set with one bit per class: first all shapes with the first combination of kinds, such as
PAIR_KINDS[0], then all with the second, and so on."""


class Shape(NamedTuple):
    """A coup reduced to two-card totals and points of third cards."""

    player_start: int
    banker_start: int
    player_third: int
    banker_third: int

    @property
    def player_total(self) -> int:
        return (self.player_start + self.player_third) % 10

    @property
    def banker_total(self) -> int:
        return (self.banker_start + self.banker_third) % 10

    @property
    def winner(self) -> Winner:
        p, b, x, y = self  # faster than attribute access, for thousands of shapes
        return Winner.of((p + x) % 10, (b + y) % 10)

    @property
    def margin(self) -> int:
        return abs(self.player_total - self.banker_total)

    @property
    def player_cards(self) -> int:
        return 2 + (self.player_third != NO_THIRD)

    @property
    def banker_cards(self) -> int:
        return 2 + (self.banker_third != NO_THIRD)

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards


class PairKind(IntEnum):
    """What a hand's first two cards have in common."""

    NONE = 0
    RANK = 1
    SUITED = 2


PAIR_KINDS = tuple((player, banker) for player in PairKind for banker in PairKind)


def shape_of(coup: Coup) -> Shape:
    return Shape(
        sum(card.points for card in coup.player[:2]) % 10,
        sum(card.points for card in coup.banker[:2]) % 10,
        coup.player[2].points if len(coup.player) == 3 else NO_THIRD,
        coup.banker[2].points if len(coup.banker) == 3 else NO_THIRD,
    )


def pair_kind(first: Card, second: Card) -> PairKind:
    """Return the kind of pair two cards make; if a suit is unknown, the pair is never suited."""
    if first.rank != second.rank:
        return PairKind.NONE
    suited = first.suit == second.suit and first.suit is not None
    return PairKind.SUITED if suited else PairKind.RANK


def pair_kinds_of(coup: Coup) -> int:
    """Return the index in PAIR_KINDS of the pair kinds of both hands."""
    return 3 * pair_kind(*coup.player[:2]) + pair_kind(*coup.banker[:2])


@dataclass(frozen=True, eq=False)
class Fact:
    """One property of a coup that a bet can depend on.

    Its value is determined by the coup's shape (its totals and third cards), by its pairs, or by a
    measure of its cards. Facts about pairs can be determined in either of the last two ways.
    """

    name: str
    values: tuple[Value, ...]
    meaning: str
    of_shapes: Callable[[Iterable[Shape], Tableau], Iterable[Value]] | None = None
    of_pairs: Callable[[PairKind, PairKind], Value] | None = None
    measured: m.Measured | None = None
    known_at_start: bool = False
    """Whether the first four cards determine the fact."""

    @property
    def of_hands(self) -> bool:
        """Whether neither shape nor pairs determine the fact."""
        return self.of_shapes is None and self.of_pairs is None


Tested = tuple[Fact, frozenset[Value]]
"""A fact, and values that a condition asks for."""

TOTALS: tuple[Value, ...] = tuple(range(10))
THIRDS: tuple[Value, ...] = (*TOTALS, "none")
BOTH: tuple[Value, ...] = (False, True)


def _plain(name: str, values: tuple[Value, ...], meaning: str) -> Fact:
    """Return the fact for an attribute of the shape; the value NO_THIRD becomes "none"."""
    value_of, may_be_none = attrgetter(name), "none" in values

    def of_shapes(shapes: Iterable[Shape], _: Tableau) -> Iterable[Value]:
        found: Iterable[Value] = map(value_of, shapes)
        return ("none" if n == NO_THIRD else n for n in found) if may_be_none else found

    return Fact(name, values, meaning, of_shapes, known_at_start=name.endswith("_start"))


def _totals_sums(shapes: Iterable[Shape], _: Tableau) -> Iterable[Value]:
    return (shape.player_total + shape.banker_total for shape in shapes)


def _natural(hand: Hand) -> Fact:
    meaning, start_of = f"the {hand}'s first two cards are a natural", attrgetter(f"{hand}_start")

    def of_shapes(shapes: Iterable[Shape], tableau: Tableau) -> Iterable[Value]:
        return (start_of(shape) in tableau.naturals for shape in shapes)

    return Fact(f"{hand}_natural", BOTH, meaning, of_shapes, known_at_start=True)


def _pair(hand: Hand, name: str, kind: PairKind, measure: m.Measure, what: str) -> Fact:
    """Return the fact that says whether a hand's first two cards are at least this kind of pair."""
    meaning = f"the {hand}'s first two cards have the same {what}"

    def of_pairs(player: PairKind, banker: PairKind) -> Value:
        return (player if hand is Hand.PLAYER else banker) >= kind

    measured = m.Measured(m.PLACES[f"{hand}_start"], measure)
    return Fact(f"{hand}_{name}", BOTH, meaning, None, of_pairs, measured, known_at_start=True)


def _measured(name: str, values: tuple[Value, ...], place: m.Place, measure: m.Measure) -> Fact:
    """Return the fact for a measure at a place; its name ends in that of the measure."""
    meaning = _MEANINGS[measure.name].format(place.words)
    measured = m.Measured(place, measure)
    return Fact(name, values, meaning, measured=measured, known_at_start=place.known_at_start)


_MEANINGS = {
    "suits": "number of different suits in {}",
    "colours": "number of different colours in {}",
    "ranks": "number of different ranks in {}",
    "consecutive": "the ranks of {} are consecutive; an ace is below 2 or above K, not both",
    "sum": "sum of the points of {}, not reduced to a total",
}


def _hand_facts() -> Iterator[Fact]:
    """Yield the facts about the cards of each place."""
    hands = [place for name, place in m.PLACES.items() if not name.endswith("third")]
    for measure, most in ((m.SUITS_IN, 4), (m.COLOURS_IN, 2), (m.RANKS_IN, 4)):
        for place in hands:
            # Ranks of up to six cards would make too many classes of coups.
            if (place.name, measure) != ("coup", m.RANKS_IN):
                values = tuple(range(1, min(most, place.most_cards) + 1))
                yield _measured(f"{place.name}_{measure.name}", values, place, measure)
    for place in hands:
        if len(place.hands) == 1:
            yield _measured(f"{place.name}_consecutive", BOTH, place, m.CONSECUTIVE)
    for place in hands:
        sums = tuple(range(9 * place.most_cards + 1))
        yield _measured(f"{place.name}_sum", sums, place, m.SUM)


@cache
def count_fact(words: tuple[str, ...], place: str) -> Fact:
    """Return the fact for the number of cards at a place that match these words."""
    where, measure = m.PLACES[place], m.number_of(words)
    return Fact(
        f"{measure.name} in {place}",
        tuple(range(where.most_cards + 1)),
        f"number of cards in {where.words} that are {' or '.join(words)}",
        measured=m.Measured(where, measure),
        known_at_start=where.known_at_start,
    )


_FACTS = (
    _plain("winner", tuple(winner.value for winner in Winner), "the hand nearer nine, or a tie"),
    _plain("player_total", TOTALS, "the player's final total"),
    _plain("banker_total", TOTALS, "the banker's final total"),
    _plain("margin", TOTALS, "difference between the two totals; 0 in a tie"),
    Fact("totals_sum", tuple(range(19)), "sum of the two final totals", _totals_sums),
    _plain("player_cards", (2, 3), "number of cards in the player's hand"),
    _plain("banker_cards", (2, 3), "number of cards in the banker's hand"),
    _plain("cards", (4, 5, 6), "number of cards in the coup"),
    *map(_natural, Hand),
    _plain("player_start", TOTALS, "total of the player's first two cards"),
    _plain("banker_start", TOTALS, "total of the banker's first two cards"),
    _plain("player_third", THIRDS, "points of the player's third card, or none"),
    _plain("banker_third", THIRDS, "points of the banker's third card, or none"),
    *(_pair(hand, "pair", PairKind.RANK, m.PAIR, "rank") for hand in Hand),
    *(
        _pair(hand, "perfect_pair", PairKind.SUITED, m.PERFECT_PAIR, "rank and suit")
        for hand in Hand
    ),
    *_hand_facts(),
)
FACTS = {fact.name: fact for fact in _FACTS}
"""All facts that conditions can use, except counts of named cards (`count_fact`)."""


def shapes_of(tableau: Tableau) -> Iterable[Shape]:
    """Yield every shape that the tableau allows."""
    for p in range(10):
        for b in range(10):
            for x in range(10) if tableau.player_takes_third(p, b) else (NO_THIRD,):
                for y in range(10) if tableau.banker_takes_third(p, b, x) else (NO_THIRD,):
                    yield Shape(p, b, x, y)


class CoupClasses:
    """Every class of coup that a tableau allows, and the set of classes for each value of a
    fact."""

    def __init__(self, tableau: Tableau, kinds: int = len(PAIR_KINDS)) -> None:
        self.tableau = tableau
        self.kinds = kinds
        """Number of combinations of kinds of hands, such as the pair kinds."""
        self.shapes = tuple(shapes_of(tableau))
        self.every_shape = (1 << len(self.shapes)) - 1
        self.everything: ClassSet = (1 << len(self.shapes) * kinds) - 1
        self._by_value: dict[str, dict[Value, ClassSet]] = {}

    @cached_property
    def index(self) -> dict[Shape, int]:
        return {shape: i for i, shape in enumerate(self.shapes)}

    @cached_property
    def possible(self) -> ClassSet:
        """The classes that can occur with real cards: a pair never has an odd two-card total."""
        odd = (self.where(FACTS[f"{hand}_start"], range(1, 10, 2)) for hand in Hand)
        pairs = (self.where(FACTS[f"{hand}_pair"], [True]) for hand in Hand)
        impossible: ClassSet = reduce(or_, map(and_, odd, pairs))
        return self.everything & ~impossible

    def where(self, fact: Fact, values: Iterable[Value]) -> ClassSet:
        """Return the classes in which the fact has one of these values."""
        if fact.name not in self._by_value:
            self._by_value[fact.name] = self._values_of(fact)
        return reduce(or_, (self._by_value[fact.name].get(value, 0) for value in values), 0)

    def of_kinds(self, classes: ClassSet, kinds: int) -> int:
        """Return, as a bit set, the shapes that `classes` contains with combination number
        `kinds`."""
        return classes >> kinds * len(self.shapes) & self.every_shape

    def _values_of(self, fact: Fact) -> dict[Value, ClassSet]:
        """Return the set of classes for each value of the fact."""
        size, found = len(self.shapes), dict[Value, ClassSet]()
        if fact.of_pairs is not None:
            for i, kinds in enumerate(PAIR_KINDS):
                value = fact.of_pairs(*kinds)
                found[value] = found.get(value, 0) | self.every_shape << i * size
            return found
        assert fact.of_shapes is not None  # noqa: S101  (other facts need other classes)
        places: dict[Value, list[int]] = {}
        for i, value in enumerate(fact.of_shapes(self.shapes, self.tableau)):
            places.setdefault(value, []).append(i)
        every_kind = sum(1 << i * size for i in range(self.kinds))
        return {value: every_kind * bit_set(at) for value, at in places.items()}


@lru_cache(maxsize=64)
def classes_of(tableau: Tableau) -> CoupClasses:
    """Return the classes of a tableau. They are cached, so games with the same tableau share
    them."""
    return CoupClasses(tableau)


def bit_set(places: list[int]) -> int:
    """Return the bit set of these numbers, which must be in ascending order."""
    digits = bytearray(places[-1] // 8 + 1 if places else 1)
    for place in places:
        digits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(digits, "little")


@dataclass(frozen=True)
class Test:
    """Condition that a fact has one of these values."""

    fact: str
    values: frozenset[Value]

    def classes(self, universe: CoupClasses) -> ClassSet:
        return universe.where(FACTS[self.fact], self.values)

    def tests(self) -> Iterator[Tested]:
        """Yield the facts that the condition uses, each with the values it asks for."""
        yield FACTS[self.fact], self.values


@dataclass(frozen=True)
class CountTest:
    """Condition on the number of cards, at a place, that these words stand for."""

    words: tuple[str, ...]
    """Ranks, cards, suits or colours, such as "J", "9d", "hearts" or "red"."""
    place: str
    """One of PLACES."""
    values: frozenset[Value]

    @property
    def fact(self) -> str:
        """Name of the fact, such as "count of J Q K in coup"."""
        return count_fact(self.words, self.place).name

    def classes(self, universe: CoupClasses) -> ClassSet:
        return universe.where(count_fact(self.words, self.place), self.values)

    def tests(self) -> Iterator[Tested]:
        yield count_fact(self.words, self.place), self.values


@dataclass(frozen=True)
class _Combined:
    parts: tuple["Condition", ...]

    def tests(self) -> Iterator[Tested]:
        return (test for part in self.parts for test in part.tests())


class All(_Combined):
    """Condition that every part holds."""

    def classes(self, universe: CoupClasses) -> ClassSet:
        return reduce(and_, (part.classes(universe) for part in self.parts), universe.everything)


class Any(_Combined):
    """Condition that at least one part holds."""

    def classes(self, universe: CoupClasses) -> ClassSet:
        return reduce(or_, (part.classes(universe) for part in self.parts), 0)


@dataclass(frozen=True)
class Not:
    """Condition that its part does not hold."""

    part: "Condition"

    def classes(self, universe: CoupClasses) -> ClassSet:
        return universe.everything & ~self.part.classes(universe)

    def tests(self) -> Iterator[Tested]:
        return self.part.tests()


Condition = Test | CountTest | All | Any | Not
"""The condition under which a line of a bet applies: a tree of tests that selects classes of
coups."""
