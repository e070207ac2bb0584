"""A compiled version of `hand_counts` that returns the same exact integers.

A(F, S) is kept in arrays for S without cards, with one card and with two cards. Three cards that
both hands share are all the cards of both hands, so they contribute a fixed number of pairs of
hands for each set of three cards. All arithmetic is modulo 2⁶⁴; this is exact, because every result
is below 2⁶³. It needs the extra `lab`, like `compiled_counts`.
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
    """The hands, rows, columns and targets of a `HandCounter` as arrays."""

    types: int
    """Number of types of cards."""
    player: tuple[Ints, Ints]
    """The player's hands of two cards, then of three: [hand, types, ways and number of the row]."""
    banker: tuple[Ints, Ints]
    """The banker's hands in the same form, with the number of the column."""
    begins: Ints
    """Index in `columns` and `targets` where each row begins, and the end index."""
    columns: Ints
    """Row by row, the columns that have a target."""
    targets: Ints
    """Row by row, their targets."""
    threes: Ints
    """Sets of three shared cards: [set, types, target and number of pairs of hands]."""
    sizes: tuple[int, int, int]
    """Number of rows, columns and outcomes."""
    default: int
    """The outcome that is not counted."""


class HandKernel:
    """Counts the outcomes of bets on suits, colours, ranks or sums, for many shoes."""

    def __init__(self, counter: HandCounter) -> None:
        self.plan = _plan_of(counter)
        type_of = counter.plan.hands.type_of
        self._type_of = np.array([type_of[Card(rank, suit)] for rank in RANKS for suit in SUITS])

    def count(self, shoes: Ints, counts: Ints) -> None:
        """Fill `counts` with the number of sequences for each outcome, shoe by shoe. A shoe has
        the counts of the 52 cards, or of the 13 ranks if the bets do not depend on suits."""
        step = len(self._type_of) // shoes.shape[1]
        _count_hands(shoes, self._type_of[::step], self.plan, counts)


def _plan_of(counter: HandCounter) -> HandPlan:
    plan, (player, banker) = counter.plan, counter.hands
    rows = [sorted(of_row.items()) for of_row in plan.targets]
    assert plan.default is not None  # noqa: S101  (a counter's own plan has a default)
    return HandPlan(
        types=len(plan.hands.types),
        player=_by_size(player),
        banker=_by_size(banker),
        begins=np.cumsum([0, *map(len, rows)]),
        columns=np.array([column for row in rows for column, _ in row], np.int64),
        targets=np.array([target for row in rows for _, target in row], np.int64),
        threes=_threes(counter),
        sizes=(
            len(rows),
            1 + max(plan.column_of.values(), default=-1),
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
    player, banker = (_orders_of_three(hands) for hands in counter.hands)
    found: Counter[tuple[int, ...]] = Counter()
    for types, by_row in player.items():
        for row, orders in by_row.items():
            for column, others in banker.get(types, {}).items():
                target = counter.plan.targets[row].get(column)
                if target is not None:
                    found[*types, target] += orders * others
    return np.array([(*key, n) for key, n in found.items()], np.int64).reshape(-1, 5)


def _orders_of_three(hands: Sequence[Drawn]) -> dict[Types, Counter[int]]:
    """Return, for each three cards and each row or column, the number of orders in which they are a
    hand of it."""
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
def _pair_up(plan: HandPlan, sets: int, player: Ints, banker: Ints, found: Ints) -> None:
    """Add `sets` times the product of the player's and the banker's numbers to each target."""
    for row in range(len(player)):
        if player[row] != 0:
            weight = sets * player[row]
            for i in range(plan.begins[row], plan.begins[row + 1]):
                found[plan.targets[i]] += weight * banker[plan.columns[i]]


@compiled
def _count_hands(shoes: Ints, type_of: Ints, plan: HandPlan, counts: Ints) -> None:
    types, (rows, columns, outcomes) = plan.types, plan.sizes
    left = np.empty(types, np.int64)
    found = np.empty(3 * outcomes, np.int64)
    player, banker = np.empty(rows, np.int64), np.empty(columns, np.int64)
    player_ones, banker_ones = (
        np.empty((types, rows), np.int64),
        np.empty((types, columns), np.int64),
    )
    player_twos = np.empty((types, types, rows), np.int64)
    banker_twos = np.empty((types, types, columns), np.int64)
    for i in range(len(shoes)):
        size = shoes[i].sum()
        left[:] = 0
        for card in range(len(type_of)):
            left[type_of[card]] += shoes[i, card]
        _contain(plan.player, left, player, player_ones, player_twos)
        _contain(plan.banker, left, banker, banker_ones, banker_twos)
        found[:] = 0
        _pair_up(plan, 1, player, banker, found)
        for a in range(types):
            _pair_up(plan, -left[a], player_ones[a], banker_ones[a], found)
            for b in range(a, types):
                sets = left[a] * left[b] if b > a else left[a] * (left[a] - 1) // 2
                if sets != 0:
                    _pair_up(plan, sets, player_twos[a, b], banker_twos[a, b], found)
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
