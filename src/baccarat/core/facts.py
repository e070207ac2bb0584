"""Facts: what can be said of a finished coup, and the classes of coups they tell apart.

Two coups are of the same class when no fact tells them apart: the same `Shape` (two-card totals
and third cards' points) and the same kind of pair in each hand. A tableau leaves about 3 500
shapes, each with nine combinations of pair kinds. A set of classes is nine integers used as bit
sets over the shapes, one per combination, so that conditions combine by plain & | ~.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import NamedTuple

from baccarat.core.cards import Card
from baccarat.core.coup import Coup
from baccarat.core.tableau import STOOD, Tableau

NO_THIRD = STOOD
"""Stands for 'no third card' in a shape, as in the tableau."""

Value = int | str | bool
ClassSet = tuple[int, ...]
"""One bit set of shapes for each combination of pair kinds: index 3 × player's + banker's."""


class Shape(NamedTuple):
    """A coup without its ranks and suits."""

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


class PairKind(IntEnum):
    """What a hand's first two cards have in common."""

    NONE = 0
    RANK = 1
    SUITED = 2


PAIR_KINDS = tuple((player, banker) for player in PairKind for banker in PairKind)


def shape_of(coup: Coup) -> Shape:
    """The shape of a finished coup."""
    return Shape(
        sum(card.points for card in coup.player[:2]) % 10,
        sum(card.points for card in coup.banker[:2]) % 10,
        coup.player[2].points if len(coup.player) == 3 else NO_THIRD,
        coup.banker[2].points if len(coup.banker) == 3 else NO_THIRD,
    )


def pair_kind(first: Card, second: Card) -> PairKind:
    """The kind of pair two cards make; with a suit unknown it can be a pair, not a perfect one."""
    if first.rank != second.rank:
        return PairKind.NONE
    suited = first.suit == second.suit and first.suit is not None
    return PairKind.SUITED if suited else PairKind.RANK


def pair_kinds_of(coup: Coup) -> int:
    """Index into a ClassSet for the pairs of this coup."""
    return 3 * pair_kind(*coup.player[:2]) + pair_kind(*coup.banker[:2])


@dataclass(frozen=True)
class Fact:
    """One thing a bet can ask about."""

    name: str
    values: tuple[Value, ...]
    meaning: str
    of_shape: Callable[[Shape, Tableau], Value] | None = None
    """The fact of a shape; None for facts about pairs."""
    of_pairs: Callable[[PairKind, PairKind], Value] | None = None
    """The fact of the two hands' pair kinds; None for facts about shapes."""
    known_at_start: bool = False
    """True when the first four cards already decide it."""


TOTALS: tuple[Value, ...] = tuple(range(10))
THIRDS: tuple[Value, ...] = (*TOTALS, "none")
BOTH: tuple[Value, ...] = (False, True)


def _third(points: int) -> Value:
    return "none" if points == NO_THIRD else points


def winner_of(shape: Shape) -> str:
    """'player', 'banker' or 'tie'."""
    difference = shape.player_total - shape.banker_total
    return "tie" if difference == 0 else "player" if difference > 0 else "banker"


def _cards(third: int) -> int:
    return 2 if third == NO_THIRD else 3


FACTS = {
    fact.name: fact
    for fact in (
        Fact(
            "winner",
            ("player", "banker", "tie"),
            "the hand nearer nine, or a tie",
            lambda s, _: winner_of(s),
        ),
        Fact("player_total", TOTALS, "the player's final total", lambda s, _: s.player_total),
        Fact("banker_total", TOTALS, "the banker's final total", lambda s, _: s.banker_total),
        Fact(
            "margin",
            TOTALS,
            "by how much the winner's total is higher, 0 in a tie",
            lambda s, _: abs(s.player_total - s.banker_total),
        ),
        Fact(
            "player_cards",
            (2, 3),
            "number of cards in the player's hand",
            lambda s, _: _cards(s.player_third),
        ),
        Fact(
            "banker_cards",
            (2, 3),
            "number of cards in the banker's hand",
            lambda s, _: _cards(s.banker_third),
        ),
        Fact(
            "cards",
            (4, 5, 6),
            "number of cards in the coup",
            lambda s, _: _cards(s.player_third) + _cards(s.banker_third),
        ),
        Fact(
            "player_natural",
            BOTH,
            "the player's first two cards are a natural",
            lambda s, t: s.player_start in t.naturals,
            known_at_start=True,
        ),
        Fact(
            "banker_natural",
            BOTH,
            "the banker's first two cards are a natural",
            lambda s, t: s.banker_start in t.naturals,
            known_at_start=True,
        ),
        Fact(
            "player_start",
            TOTALS,
            "total of the player's first two cards",
            lambda s, _: s.player_start,
            known_at_start=True,
        ),
        Fact(
            "banker_start",
            TOTALS,
            "total of the banker's first two cards",
            lambda s, _: s.banker_start,
            known_at_start=True,
        ),
        Fact(
            "player_third",
            THIRDS,
            "points of the player's third card, or none",
            lambda s, _: _third(s.player_third),
        ),
        Fact(
            "banker_third",
            THIRDS,
            "points of the banker's third card, or none",
            lambda s, _: _third(s.banker_third),
        ),
        Fact(
            "player_pair",
            BOTH,
            "the player's first two cards have the same rank",
            of_pairs=lambda p, _: p >= PairKind.RANK,
            known_at_start=True,
        ),
        Fact(
            "banker_pair",
            BOTH,
            "the banker's first two cards have the same rank",
            of_pairs=lambda _, b: b >= PairKind.RANK,
            known_at_start=True,
        ),
        Fact(
            "player_perfect_pair",
            BOTH,
            "the player's first two cards have the same rank and suit",
            of_pairs=lambda p, _: p == PairKind.SUITED,
            known_at_start=True,
        ),
        Fact(
            "banker_perfect_pair",
            BOTH,
            "the banker's first two cards have the same rank and suit",
            of_pairs=lambda _, b: b == PairKind.SUITED,
            known_at_start=True,
        ),
    )
}
"""The whole vocabulary of conditions."""

SUIT_FACTS = frozenset({"player_perfect_pair", "banker_perfect_pair"})


def shapes_of(tableau: Tableau) -> Iterable[Shape]:
    """Every shape that the tableau can lead to."""
    for p in range(10):
        for b in range(10):
            ended = tableau.ends_at_once(p, b)
            player_draws = not ended and p in tableau.player_draws
            for x in range(10) if player_draws else (NO_THIRD,):
                banker_draws = not ended and tableau.draws(b, x)
                for y in range(10) if banker_draws else (NO_THIRD,):
                    yield Shape(p, b, x, y)


class CoupClasses:
    """Every class of coup that a tableau can lead to, and the sets of them that facts name."""

    def __init__(self, tableau: Tableau) -> None:
        self.tableau = tableau
        self.shapes = tuple(shapes_of(tableau))
        self.everything: ClassSet = ((1 << len(self.shapes)) - 1,) * len(PAIR_KINDS)
        self.nothing: ClassSet = (0,) * len(PAIR_KINDS)
        self._by_value: dict[str, dict[Value, int]] = {}

    @cached_property
    def index(self) -> dict[Shape, int]:
        return {shape: i for i, shape in enumerate(self.shapes)}

    @cached_property
    def possible(self) -> ClassSet:
        """The classes that cards can make: an odd total is never a pair."""
        player_even = self._bits(lambda shape: shape.player_start % 2 == 0)
        banker_even = self._bits(lambda shape: shape.banker_start % 2 == 0)
        full = self.everything[0]
        return tuple(
            (player_even if player else full) & (banker_even if banker else full)
            for player, banker in PAIR_KINDS
        )

    def where(self, fact: Fact, values: Iterable[Value]) -> ClassSet:
        """The classes in which the fact has one of these values."""
        if fact.of_pairs is not None:
            wanted, full = set(values), self.everything[0]
            return tuple(full if fact.of_pairs(*kinds) in wanted else 0 for kinds in PAIR_KINDS)
        by_value = self._values_of(fact)
        bits = 0
        for value in values:
            bits |= by_value.get(value, 0)
        return (bits,) * len(PAIR_KINDS)

    def _values_of(self, fact: Fact) -> dict[Value, int]:
        if fact.name not in self._by_value:
            assert fact.of_shape is not None  # noqa: S101  (a fact is of shapes or of pairs)
            found: dict[Value, list[int]] = {}
            for i, shape in enumerate(self.shapes):
                found.setdefault(fact.of_shape(shape, self.tableau), []).append(i)
            self._by_value[fact.name] = {value: _bit_set(at) for value, at in found.items()}
        return self._by_value[fact.name]

    def _bits(self, test: Callable[[Shape], bool]) -> int:
        return _bit_set([i for i, shape in enumerate(self.shapes) if test(shape)])


@lru_cache(maxsize=64)
def classes_of(tableau: Tableau) -> CoupClasses:
    """The classes of a tableau, made once: readings and parameters share them."""
    return CoupClasses(tableau)


def _bit_set(places: list[int]) -> int:
    digits = bytearray(places[-1] // 8 + 1 if places else 1)
    for place in places:
        digits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(digits, "little")
