"""Classes of coups for conditions about suits, colours, ranks and sums.

Two coups are in the same class when they have the same shape and the same sign, which says which
tests of the conditions are true. Signs are used here instead of combinations of pair kinds.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache

from baccarat.core.facts import (
    ClassSet,
    Condition,
    CoupClasses,
    Fact,
    Tested,
    Value,
    bit_set,
    classes_of,
)
from baccarat.core.hand_facts.kinds import HandKinds, hand_kinds
from baccarat.core.tableau import Tableau


class HandClasses(CoupClasses):
    """Every class of coup that a tableau allows and that some tests distinguish."""

    def __init__(self, tableau: Tableau, tests: tuple[Tested, ...]) -> None:
        self.hands: HandKinds = hand_kinds(tests)
        super().__init__(tableau, len(self.hands.signs))

    @cached_property
    def possible(self) -> ClassSet:
        """The classes that can occur with real cards."""
        hands, size = self.hands, len(self.shapes)
        with_player = self._shapes_with(hands.player.possible, 0)
        with_banker = self._shapes_with(hands.banker.possible, 1)
        found = [0] * self.kinds
        for signs, these in zip(hands.sign, with_player, strict=True):
            for sign, those in zip(signs, with_banker, strict=True):
                found[sign] |= these & those
        return sum(shapes << sign * size for sign, shapes in enumerate(found))

    def _shapes_with(self, hands: list[set[tuple[int, int]]], side: int) -> list[int]:
        """Return, for each kind, the set of shapes in which one side's hand can be of this kind."""
        places: dict[tuple[int, int], list[int]] = {}
        for i, shape in enumerate(self.shapes):
            places.setdefault((shape[side], shape[side + 2]), []).append(i)
        shapes = {hand: bit_set(at) for hand, at in places.items()}
        return [sum(shapes.get(hand, 0) for hand in of_kind) for of_kind in hands]

    def where(self, fact: Fact, values: Iterable[Value]) -> ClassSet:
        """Return the classes in which the fact has one of these values, which one of the tests must
        ask for."""
        if fact.measured is None:
            return super().where(fact, values)
        test = self.hands.tests.index((fact, frozenset(values)))
        size = len(self.shapes)
        return sum(
            self.every_shape << i * size for i, sign in enumerate(self.hands.signs) if sign[test]
        )


def classes_for(tableau: Tableau, conditions: Iterable[Condition]) -> CoupClasses:
    """Return the classes of coups that these conditions need."""
    tests = dict.fromkeys(test for condition in conditions for test in condition.tests())
    if not any(fact.of_hands for fact, _ in tests):
        return classes_of(tableau)
    measured = (test for test in tests if test[0].measured)
    return _hand_classes(tableau, tuple(sorted(measured, key=_order)))


def _order(test: Tested) -> tuple[str, list[str]]:
    fact, values = test
    return fact.name, sorted(map(str, values))


@lru_cache(maxsize=64)
def _hand_classes(tableau: Tableau, tests: tuple[Tested, ...]) -> HandClasses:
    return HandClasses(tableau, tests)
