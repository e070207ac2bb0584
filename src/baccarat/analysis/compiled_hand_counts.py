"""A compiled version of `hand_counts` that returns the same exact integers.

A(F, S) is kept in arrays for S without cards, with one card and with two cards. Three cards that
both hands share are all the cards of both hands, so they contribute a fixed number of pairs of
hands for each set of three cards. All arithmetic is modulo 2⁶⁴; this is exact, because every result
is below 2⁶³. Like `compiled_counts`, this module needs the extra `lab`.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from baccarat.analysis.counting_plan import Ints, compiled
from baccarat.analysis.hand_counts import Drawn, HandCounter, Types
from baccarat.core.cards import RANKS, SUITS, Card


class HandPlan(NamedTuple):
    """The plan of a `HandCounter` as arrays. The fine side and the other side are as defined
    there."""

    fine: tuple[Ints, Ints]
    """The fine side's hands of two cards, then of three: [hand, types, ways and number]."""
    other: tuple[Ints, Ints]
    """The other side's hands in the same form."""
    coarse: Ints
    """For each type of the fine side, the type of the same cards on the other side."""
    begins: Ints
    """Index in `others` and `targets` where each number of the fine side begins, and the end
    index."""
    others: Ints
    """For each number of the fine side, the numbers of the other side that have a target."""
    targets: Ints
    """Their targets."""
    threes: Ints
    """Sets of three shared cards: [set, types, target and number of pairs of hands]."""
    sizes: tuple[int, int, int, int]
    """Number of types of the other side, numbers of the fine side, numbers of the other side, and
    outcomes."""
    default: int
    """The outcome that is not counted."""


class HandKernel:
    """Counts the outcomes of bets on suits, colours, ranks or sums, for many shoes."""

    def __init__(self, counter: HandCounter) -> None:
        self.plan = _plan_of(counter)
        type_of = counter.plan.kinds.type_of
        self._type_of = np.array([type_of[Card(rank, suit)] for rank in RANKS for suit in SUITS])

    def count(self, shoes: Ints, counts: Ints) -> None:
        """Fill `counts` with the number of sequences for each outcome, shoe by shoe. A shoe has
        the counts of the 52 cards, or of the 13 ranks if the bets do not depend on suits."""
        step = len(self._type_of) // shoes.shape[1]
        _count_hands(shoes, self._type_of[::step], self.plan, counts)


def _plan_of(counter: HandCounter) -> HandPlan:
    plan, (fine, other) = counter.plan, counter.hands
    numbers = [sorted(targets.items()) for targets in plan.by_fine]
    assert plan.default is not None  # noqa: S101  (a counter's own plan has a default)
    return HandPlan(
        fine=_by_size(fine),
        other=_by_size(other),
        coarse=np.array(plan.coarse, np.int64),
        begins=np.cumsum([0, *map(len, numbers)]),
        others=np.array([number for row in numbers for number, _ in row], np.int64),
        targets=np.array([target for row in numbers for _, target in row], np.int64),
        threes=_threes(counter),
        sizes=(
            len(plan.other.side.types),
            len(numbers),
            1 + max(plan.other.number_of.values(), default=-1),
            len(counter.outcomes.pays),
        ),
        default=plan.default,
    )


def _by_size(hands: Sequence[Drawn]) -> tuple[Ints, Ints]:
    two, three = (
        np.array(
            [(*types, ways, number) for types, ways, number in hands if len(types) == size],
            np.int64,
        ).reshape(-1, size + 2)
        for size in (2, 3)
    )
    return two, three


def _threes(counter: HandCounter) -> Ints:
    """Return, for each set of three types, the number of pairs of hands that have exactly these
    three cards in common, by target."""
    fine, other = (_orders_of_three(hands) for hands in counter.hands)
    found: Counter[tuple[int, ...]] = Counter()
    for types, by_number in fine.items():
        by_other = other.get(tuple(sorted(counter.plan.coarse[t] for t in types)), Counter())
        for number, orders in by_number.items():
            for another, others in by_other.items():
                target = counter.plan.by_fine[number].get(another)
                if target is not None:
                    found[*types, target] += orders * others
    return np.array([(*key, n) for key, n in found.items()], np.int64).reshape(-1, 5)


def _orders_of_three(hands: Sequence[Drawn]) -> dict[Types, Counter[int]]:
    """Return, for each set of three cards, the number of orders in which they form a hand of each
    row or column."""
    found: defaultdict[Types, Counter[int]] = defaultdict(Counter)
    for types, ways, number in hands:
        if len(types) == 3:
            found[types][number] += ways * prod(map(factorial, Counter(types).values()))
    return found


# The compiled part


@compiled
def _contain(hands: tuple[Ints, Ints], left: Ints, whole: Ints, ones: Ints, twos: Ints) -> None:
    """Compute A(F, S): `whole` [number] for no card, `ones` [type, number] for one card, and `twos`
    [type, type, number] for two cards in ascending order."""
    whole[:] = 0
    ones[:] = 0
    twos[:] = 0
    two, three = hands
    for i in range(len(two)):
        a, b, ways, number = two[i, 0], two[i, 1], two[i, 2], two[i, 3]
        if a == b:
            n = left[a]
            whole[number] += ways * n * (n - 1)
            ones[a, number] += 2 * ways * (n - 1)
            twos[a, a, number] += 2 * ways
        else:
            whole[number] += ways * left[a] * left[b]
            ones[a, number] += ways * left[b]
            ones[b, number] += ways * left[a]
            twos[a, b, number] += ways
    for i in range(len(three)):
        a, b, c, ways, number = three[i, 0], three[i, 1], three[i, 2], three[i, 3], three[i, 4]
        x, y, z = left[a], left[b], left[c]
        if a == c:
            whole[number] += ways * x * (x - 1) * (x - 2)
            ones[a, number] += 3 * ways * (x - 1) * (x - 2)
            twos[a, a, number] += 6 * ways * (x - 2)
        elif a == b:
            whole[number] += ways * x * (x - 1) * z
            ones[a, number] += 2 * ways * (x - 1) * z
            ones[c, number] += ways * x * (x - 1)
            twos[a, a, number] += 2 * ways * z
            twos[a, c, number] += 2 * ways * (x - 1)
        elif b == c:
            whole[number] += ways * x * y * (y - 1)
            ones[a, number] += ways * y * (y - 1)
            ones[b, number] += 2 * ways * x * (y - 1)
            twos[b, b, number] += 2 * ways * x
            twos[a, b, number] += 2 * ways * (y - 1)
        else:
            whole[number] += ways * x * y * z
            ones[a, number] += ways * y * z
            ones[b, number] += ways * x * z
            ones[c, number] += ways * x * y
            twos[a, b, number] += ways * z
            twos[a, c, number] += ways * y
            twos[b, c, number] += ways * x


@compiled
def _pair_up(plan: HandPlan, sets: int, fine: Ints, other: Ints, found: Ints) -> None:
    """Add `sets` times the product of both sides' numbers of hands to each target."""
    for number in range(len(fine)):
        if fine[number] != 0:
            weight = sets * fine[number]
            for i in range(plan.begins[number], plan.begins[number + 1]):
                found[plan.targets[i]] += weight * other[plan.others[i]]


@compiled
def _count_hands(shoes: Ints, type_of: Ints, plan: HandPlan, counts: Ints) -> None:
    types, coarse, (few, numbers, others, outcomes) = len(plan.coarse), plan.coarse, plan.sizes
    left, left_other = np.empty(types, np.int64), np.empty(few, np.int64)
    found = np.empty(3 * outcomes, np.int64)
    fine, other = np.empty(numbers, np.int64), np.empty(others, np.int64)
    fine_ones, other_ones = np.empty((types, numbers), np.int64), np.empty((few, others), np.int64)
    fine_twos = np.empty((types, types, numbers), np.int64)
    other_twos = np.empty((few, few, others), np.int64)
    for i in range(len(shoes)):
        size = shoes[i].sum()
        left[:] = 0
        left_other[:] = 0
        for card in range(len(type_of)):
            left[type_of[card]] += shoes[i, card]
            left_other[coarse[type_of[card]]] += shoes[i, card]
        _contain(plan.fine, left, fine, fine_ones, fine_twos)
        _contain(plan.other, left_other, other, other_ones, other_twos)
        found[:] = 0
        _pair_up(plan, 1, fine, other, found)
        for a in range(types):
            _pair_up(plan, -left[a], fine_ones[a], other_ones[coarse[a]], found)
            for b in range(a, types):
                sets = left[a] * left[b] if b > a else left[a] * (left[a] - 1) // 2
                if sets != 0:
                    low, high = min(coarse[a], coarse[b]), max(coarse[a], coarse[b])
                    _pair_up(plan, sets, fine_twos[a, b], other_twos[low, high], found)
        for j in range(len(plan.threes)):
            three = plan.threes[j]
            found[three[3]] -= three[4] * _sets_of_three(left, three[0], three[1], three[2])
        rest = size * (size - 1) * (size - 2) * (size - 3) * (size - 4) * (size - 5)
        for outcome in range(outcomes):
            counts[i, outcome] = (
                found[outcome] * (size - 4) * (size - 5)
                + found[outcomes + outcome] * (size - 5)
                + found[2 * outcomes + outcome]
            )
            rest -= counts[i, outcome]
        counts[i, plan.default] = rest


@compiled
def _sets_of_three(left: Ints, a: int, b: int, c: int) -> int:
    """Return the number of sets of three cards of these types, given in ascending order."""
    x, y, z = left[a], left[b], left[c]
    sets: int = x * y * z
    if a == c:
        sets = x * (x - 1) * (x - 2) // 6
    elif a == b:
        sets = x * (x - 1) // 2 * z
    elif b == c:
        sets = x * (y * (y - 1) // 2)
    return sets
