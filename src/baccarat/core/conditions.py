"""Conditions over facts: when a line of a bet applies.

A condition is a small tree of tests, and means the set of coup classes in which it holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from baccarat.core.facts import FACTS, ClassSet, CoupClasses, Value


@dataclass(frozen=True)
class Test:
    """A fact has one of these values."""

    fact: str
    values: frozenset[Value]

    def classes(self, universe: CoupClasses) -> ClassSet:
        return universe.where(FACTS[self.fact], self.values)


@dataclass(frozen=True)
class All:
    """Every part holds."""

    parts: tuple["Condition", ...]

    def classes(self, universe: CoupClasses) -> ClassSet:
        result = universe.everything
        for part in self.parts:
            result = intersection(result, part.classes(universe))
        return result


@dataclass(frozen=True)
class Any:
    """At least one part holds."""

    parts: tuple["Condition", ...]

    def classes(self, universe: CoupClasses) -> ClassSet:
        result = universe.nothing
        for part in self.parts:
            result = tuple(a | b for a, b in zip(result, part.classes(universe), strict=True))
        return result


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: "Condition"

    def classes(self, universe: CoupClasses) -> ClassSet:
        return difference(universe.everything, self.part.classes(universe))


Condition = Test | All | Any | Not


def facts_in(condition: Condition) -> Iterator[str]:
    """The names of the facts a condition asks about."""
    match condition:
        case Test(fact=fact):
            yield fact
        case All(parts=parts) | Any(parts=parts):
            for part in parts:
                yield from facts_in(part)
        case Not(part=part):
            yield from facts_in(part)


def intersection(a: ClassSet, b: ClassSet) -> ClassSet:
    return tuple(x & y for x, y in zip(a, b, strict=True))


def difference(a: ClassSet, b: ClassSet) -> ClassSet:
    """What is in the first set and not in the second."""
    return tuple(x & ~y for x, y in zip(a, b, strict=True))
