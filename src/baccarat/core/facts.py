"""Facts about finished coups, conditions on these facts, and classes of coups.

Two coups are in the same class when all their facts are equal: they have the same `Shape` (two-card
totals and points of the third cards) and the same kind of pair in each hand. A tableau allows about
3,500 shapes, each with nine combinations of pair kinds. A set of classes is an integer used as a
bit set, so conditions combine with & | ~.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache, reduce
from operator import and_, attrgetter, or_
from typing import NamedTuple

from baccarat.core.cards import Card
from baccarat.core.coup import Coup, Winner
from baccarat.core.tableau import STOOD, Hand, Tableau

NO_THIRD = STOOD
"""Value that stands for 'no third card' in a shape, as in the tableau."""

Value = int | str | bool
ClassSet = int
"""A bit set with one bit per class: first all shapes with PAIR_KINDS[0], then all with
PAIR_KINDS[1], and so on."""


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


@dataclass(frozen=True)
class Fact:
    """One property of a coup that a bet can depend on.

    Its value is determined by the coup's shape (its totals and third cards) or by its pairs.
    """

    name: str
    values: tuple[Value, ...]
    meaning: str
    of_shapes: Callable[[Iterable[Shape], Tableau], Iterable[Value]] | None = None
    of_pairs: Callable[[PairKind, PairKind], Value] | None = None
    known_at_start: bool = False
    """Whether the first four cards determine the fact."""


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


def _natural(hand: Hand) -> Fact:
    meaning, start_of = f"the {hand}'s first two cards are a natural", attrgetter(f"{hand}_start")

    def of_shapes(shapes: Iterable[Shape], tableau: Tableau) -> Iterable[Value]:
        return (start_of(shape) in tableau.naturals for shape in shapes)

    return Fact(f"{hand}_natural", BOTH, meaning, of_shapes, known_at_start=True)


def _pair(hand: Hand, name: str, kind: PairKind, what: str) -> Fact:
    """Return the fact that says whether a hand's first two cards are at least this kind of pair."""
    meaning = f"the {hand}'s first two cards have the same {what}"

    def of_pairs(player: PairKind, banker: PairKind) -> Value:
        return (player if hand is Hand.PLAYER else banker) >= kind

    return Fact(f"{hand}_{name}", BOTH, meaning, of_pairs=of_pairs, known_at_start=True)


_FACTS = (
    _plain("winner", tuple(winner.value for winner in Winner), "the hand nearer nine, or a tie"),
    _plain("player_total", TOTALS, "the player's final total"),
    _plain("banker_total", TOTALS, "the banker's final total"),
    _plain("margin", TOTALS, "difference between the two totals; 0 in a tie"),
    _plain("player_cards", (2, 3), "number of cards in the player's hand"),
    _plain("banker_cards", (2, 3), "number of cards in the banker's hand"),
    _plain("cards", (4, 5, 6), "number of cards in the coup"),
    *map(_natural, Hand),
    _plain("player_start", TOTALS, "total of the player's first two cards"),
    _plain("banker_start", TOTALS, "total of the banker's first two cards"),
    _plain("player_third", THIRDS, "points of the player's third card, or none"),
    _plain("banker_third", THIRDS, "points of the banker's third card, or none"),
    *(_pair(hand, "pair", PairKind.RANK, "rank") for hand in Hand),
    *(_pair(hand, "perfect_pair", PairKind.SUITED, "rank and suit") for hand in Hand),
)
FACTS = {fact.name: fact for fact in _FACTS}
"""All facts that conditions can use."""

SUIT_FACTS = frozenset({"player_perfect_pair", "banker_perfect_pair"})


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

    def __init__(self, tableau: Tableau) -> None:
        self.tableau = tableau
        self.shapes = tuple(shapes_of(tableau))
        self.every_shape = (1 << len(self.shapes)) - 1
        self.everything: ClassSet = (1 << len(self.shapes) * len(PAIR_KINDS)) - 1
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
        """Return the bit set of the shapes that `classes` contains with the pair kinds
        PAIR_KINDS[kinds]."""
        return classes >> kinds * len(self.shapes) & self.every_shape

    def _values_of(self, fact: Fact) -> dict[Value, ClassSet]:
        """Return the set of classes for each value of the fact."""
        size, found = len(self.shapes), dict[Value, ClassSet]()
        if fact.of_pairs is not None:
            for i, kinds in enumerate(PAIR_KINDS):
                value = fact.of_pairs(*kinds)
                found[value] = found.get(value, 0) | self.every_shape << i * size
            return found
        assert fact.of_shapes is not None  # noqa: S101  (every fact has of_shapes or of_pairs)
        places: dict[Value, list[int]] = {}
        for i, value in enumerate(fact.of_shapes(self.shapes, self.tableau)):
            places.setdefault(value, []).append(i)
        every_kind = sum(1 << i * size for i in range(len(PAIR_KINDS)))
        return {value: every_kind * _bit_set(at) for value, at in places.items()}


@lru_cache(maxsize=64)
def classes_of(tableau: Tableau) -> CoupClasses:
    """Return the classes of a tableau. They are cached, so games with the same tableau share
    them."""
    return CoupClasses(tableau)


def _bit_set(places: list[int]) -> int:
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

    def facts(self) -> Iterator[str]:
        """Yield the names of the facts that the condition uses."""
        yield self.fact


@dataclass(frozen=True)
class _Combined:
    parts: tuple["Condition", ...]

    def facts(self) -> Iterator[str]:
        return (name for part in self.parts for name in part.facts())


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

    def facts(self) -> Iterator[str]:
        return self.part.facts()


Condition = Test | All | Any | Not
"""The condition under which a line of a bet applies: a tree of tests that selects classes of
coups."""
