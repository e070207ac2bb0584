"""A compiled version of `counts` that returns the same exact integers.

Given a pay table and any number of shoes as arrays of counts, this module computes the number of
ordered six-card sequences for each outcome (int64, exact up to 1448 cards) and the expectation of
every bet (float64, from those integers). It needs the extra `lab`, so no other module in `analysis`
imports it.

M, C and A are as in `counts`. Removing a k-card from A is written as

    A'[p][b] = A[p][b] - 2 M[p][k] (C[b] - 2 M[b][k] - 2 M[b][p-k] + 2 [p=b])
                       - 2 M[b][k] (C[p] - 2 M[p][k] - 2 M[p][b-k] + 2 [p=b])

which subtracts the starts that have that card in one hand or in the other. The terms draw, block,
tally and cell are defined in `counting_plan`.

All tallies of a block are computed together. They do not depend on the tableau: the pay table only
determines the outcomes to which each tally is added.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baccarat.analysis.compiled_hand_counts import HandKernel
from baccarat.analysis.counting_plan import DRAWS, LANES, Floats, Ints, Plan, compiled, make_plan
from baccarat.analysis.counts import counters
from baccarat.analysis.hand_counts import HandCounter
from baccarat.analysis.remaining import MIN_CARDS
from baccarat.core.cards import POINTS, RANKS
from baccarat.core.errors import BaccaratError, CardError
from baccarat.core.facts import NO_THIRD
from baccarat.core.paytable import Outcomes, PayTable

MAX_CARDS = 1448
"""The largest N with N⁶ < 2⁶³."""

Small = NDArray[np.int32]


class Kernel:
    """Counts the outcomes of one pay table, for one shoe or for many.

    A shoe is an array of counts: of the 52 cards (A♠ A♥ A♦ A♣ 2♠ …), of the 13 ranks (A to K) if
    no bet depends on suits, or of the ten points (0 to 9) if none depends on pairs. Several shoes
    are the rows of a two-dimensional array.
    """

    def __init__(self, table: PayTable) -> None:
        self.plan = make_plan(table)
        self.fewest_counts = 52 if table.suited else 13 if max(table.needs) else 10
        self._hand_bets = [
            (HandKernel(counter), counter.outcomes)
            for counter in counters(table)
            if isinstance(counter, HandCounter)
        ]
        plain = [group for group in table.groups if not group.hand_classes]
        self._ends = np.cumsum([len(group.pays) for group in plain])

    def counts(self, shoes: ArrayLike) -> list[Ints]:
        """Return the number of sequences for each outcome, as one array per group of bets, in the
        order of `counters`."""
        rows = self._rows(shoes)
        counts, _ = self._analyse(rows, keep=len(rows))
        groups = np.split(counts, self._ends[:-1], axis=-1) if len(self._ends) else []
        groups += [self._count_hand_bets(kernel, group, rows) for kernel, group in self._hand_bets]
        return [group.reshape(*np.shape(shoes)[:-1], group.shape[-1]) for group in groups]

    def expectations(self, shoes: ArrayLike) -> Floats:
        """Return the bettor's expected win per unit staked for each bet, in the game's order."""
        rows = self._rows(shoes)
        _, expectations = self._analyse(rows, keep=1)
        for kernel, group in self._hand_bets:
            counts = self._count_hand_bets(kernel, group, rows)
            expectations[:, group.bets] = (
                counts @ np.array(group.pays, np.float64) / counts.sum(axis=1, keepdims=True)
            )
        return expectations.reshape(*np.shape(shoes)[:-1], expectations.shape[-1])

    def _count_hand_bets(self, kernel: HandKernel, group: Outcomes, rows: Ints) -> Ints:
        counts = np.empty((len(rows), len(group.pays)), np.int64)
        kernel.count(rows, counts)
        return counts

    def _analyse(self, rows: Ints, *, keep: int) -> tuple[Ints, Floats]:
        """Return the counts by outcome and the expectations of all shoes, except for hand bets.
        `keep` is the number of rows of counts to keep: one per shoe, or 1 to keep only that of the
        last shoe."""
        outcomes, bets = self.plan.pays.shape
        counts, expectations = np.empty((keep, outcomes), np.int64), np.empty((len(rows), bets))
        bad = _analyse(rows, self.plan, counts, expectations)
        if bad >= 0:
            raise CardError(f"shoe {bad} {_whats_wrong(rows[bad].tolist())}")
        return counts, expectations

    def _rows(self, shoes: ArrayLike) -> Ints:
        rows = np.asarray(shoes)
        if rows.ndim not in (1, 2) or rows.dtype.kind not in "iu":
            raise BaccaratError(
                f"invalid shoes ({rows.dtype}, {rows.ndim} dimensions): give one row of whole "
                "numbers for a shoe, or an array of such rows for several"
            )
        if rows.shape[-1] not in (10, 13, 52) or rows.shape[-1] < self.fewest_counts:
            enough = " or ".join(str(n) for n in (10, 13, 52) if n >= self.fewest_counts)
            raise BaccaratError(f"these bets need {enough} counts per shoe, not {rows.shape[-1]}")
        return np.ascontiguousarray(rows, np.int64).reshape(-1, rows.shape[-1])


def _whats_wrong(left: list[int]) -> str:
    """Return a description of what is wrong with a shoe that the compiled code rejected."""
    if min(left) < 0:
        return f"has {min(left)} cards of one kind: must be 0 or more"
    return f"has {sum(left):,} cards: must have between {MIN_CARDS} and {MAX_CARDS:,}"


# Properties of draws that do not depend on the shoe, as arrays [lane] or [digit, lane]

_x, _y = np.array(DRAWS).T
_two = _y != NO_THIRD
_digit = np.arange(10)[:, None]
FIRST, SECOND = _x.astype(np.uint8), _y.astype(np.uint8)
ALIKE = (_two & (_x == _y)).astype(np.int8)
SUM_IS = (_two & ((_x + _y) % 10 == _digit)).astype(np.int8)
GAP_IS = (_two & ((_x - _y) % 10 == _digit)).astype(np.int8)
TWO_FIRST = (2 * (_x == _digit)).astype(np.int32)
TWO_SECOND = (2 * (_y == _digit)).astype(np.int32)
FOUR_EITHER = 2 * (TWO_FIRST + TWO_SECOND)

_p, _b, _k = np.ogrid[:10, :10, :10]
OVERLAP = (2 * ((2 * (_p - _k) - _b) % 10 == 0) + 2 * (_p == _b)).astype(np.int8)
"""[p, b, k]: the bracket above is C[b] - 2 M[b][k] - 2 m[b-p+k] + OVERLAP[p][b][k]."""
OVERLAP_SECOND = np.ascontiguousarray(OVERLAP[:, :, _y % 10])
"""[p, b, lane]: OVERLAP for the second card of each lane's draw."""

POINTS_OF_RANK = np.array([POINTS[rank] for rank in RANKS], np.uint8)


# The compiled part


class Work(NamedTuple):
    """Working arrays of the compiled code for one shoe.

    x and y are the first and second card of a draw. Every loop over lanes writes one array and has
    no branches, because the compiler vectorises only such loops.
    """

    points: Small
    """m, repeated three times so that indexes need not be reduced modulo 10."""
    partners: Small
    """M[q][k], plus a column of zeros for 'no card'."""
    two: Small
    """C[q]."""
    mates: Small
    """[q, lane]: M[q][y] after removing x."""
    left: Small
    """[q, lane]: C[q] after removing x and y."""
    cross: Small
    """[d, lane]: 2 m[d+y] after removing x."""
    pairs_left_p: Small
    """[lane]: pairs with total p after removing x, y and one partner of y for the total b."""
    pairs_left_b: Small
    """[lane]: the same as `pairs_left_p`, with p and b swapped."""
    first: Small
    """[lane]: ways to draw x, or any fifth card in its place."""
    second: Small
    """[lane]: ways to draw y after drawing x, or any sixth card in its place."""
    weights: Ints
    """[lane]: the product of `first` and `second`."""
    minus: Ints
    """[k]: A[p][b] after removing one k-card."""
    after_first: Ints
    """[lane]: A[p][b] after removing x."""
    pairs: Ints
    """[kind, v]: ordered pairs of v-cards of one rank, or of one rank and suit."""
    fours: Ints
    """[kinds, v]: correction to the product of `pairs` when both pairs are of v-cards."""
    ways: Ints
    """[kinds, v, w]: ways to draw a pair of v-cards and a pair of w-cards."""
    weights_after: Ints
    """[kind, v, lane]: ways to draw a pair of v-cards and then the lane's third cards."""
    tallies: Ints
    """[block, lane]: the tallies."""


@compiled
def _work(blocks: int) -> Work:
    return Work(
        points=np.empty(30, np.int32),
        partners=np.zeros((10, 11), np.int32),
        two=np.empty(10, np.int32),
        mates=np.empty((10, LANES), np.int32),
        left=np.empty((10, LANES), np.int32),
        cross=np.empty((10, LANES), np.int32),
        pairs_left_p=np.empty(LANES, np.int32),
        pairs_left_b=np.empty(LANES, np.int32),
        first=np.empty(LANES, np.int32),
        second=np.empty(LANES, np.int32),
        weights=np.empty(LANES, np.int64),
        minus=np.empty(11, np.int64),
        after_first=np.empty(LANES, np.int64),
        pairs=np.empty((2, 10), np.int64),
        fours=np.empty((3, 10), np.int64),
        ways=np.empty((3, 10, 10), np.int64),
        weights_after=np.empty((2, 10, LANES), np.int64),
        tallies=np.empty((blocks, LANES), np.int64),
    )


@compiled
def _read(shoe: Ints, work: Work) -> int:
    """Compute `points` and `pairs` of a shoe; return the number of cards, or -1 if the shoe is
    invalid."""
    points, pairs, fours = work.points, work.pairs, work.fours
    size = 0
    for i in range(len(shoe)):
        if not 0 <= shoe[i] <= MAX_CARDS:
            return -1
        size += shoe[i]
    for k in range(10):
        points[k] = shoe[k] if len(shoe) == 10 else 0
        pairs[0, k] = pairs[1, k] = 0
        fours[0, k] = fours[1, k] = fours[2, k] = 0
    if len(shoe) > 10:
        suits = len(shoe) // 13
        for rank in range(13):
            n = suited = alike = 0
            for i in range(suits * rank, suits * (rank + 1)):
                two = shoe[i] * (shoe[i] - 1)
                n += shoe[i]
                suited += two
                alike += two * ((shoe[i] - 2) * (shoe[i] - 3) - two)
            k = POINTS_OF_RANK[rank]
            two = n * (n - 1)
            more = (n - 2) * (n - 3) - two
            points[k] += n
            pairs[0, k] += two
            pairs[1, k] += suited
            fours[0, k] += two * more
            fours[1, k] += suited * more
            fours[2, k] += alike
    for k in range(20):
        points[10 + k] = points[k]
    return size if MIN_CARDS <= size <= MAX_CARDS else -1


@compiled
def _tabulate(size: int, work: Work) -> None:
    """Compute M and C for the full shoe and after removing the cards of each draw."""
    points, partners, two = work.points, work.partners, work.two
    first, second, weights = work.first, work.second, work.weights
    mates, left, cross = work.mates, work.left, work.cross
    for q in range(10):
        for k in range(10):
            partners[q, k] = points[10 + q - k]
    for k in range(5):
        partners[2 * k, k] -= 1
        partners[2 * k, k + 5] -= 1
    for q in range(10):
        pairs = 0
        for k in range(10):
            pairs += points[k] * partners[q, k]
        two[q] = pairs
        for j in range(LANES):
            mates[q, j] = partners[q, SECOND[j]]
            left[q, j] = partners[q, FIRST[j]]
            cross[q, j] = points[q + SECOND[j]]
        for j in range(LANES):
            mates[q, j] -= SUM_IS[q, j]
        for j in range(LANES):
            left[q, j] = pairs - 2 * (left[q, j] + mates[q, j])
        for j in range(LANES):
            cross[q, j] = 2 * (cross[q, j] - GAP_IS[q, j])
    for j in range(LANES):
        first[j] = points[FIRST[j]]
        second[j] = points[SECOND[j]] - ALIKE[j]
    first[0] = size - 4
    for j in range(11):
        second[j] = size - 5
    for j in range(LANES):
        weights[j] = first[j] * second[j]


@compiled
def _count_starts(plan: Plan, work: Work) -> None:
    """Compute the tallies of blocks without pairs."""
    points, partners, two, minus = work.points, work.partners, work.two, work.minus
    mates, left, cross, begun = work.mates, work.left, work.cross, work.after_first
    rest_p, rest_b, weights, tallies = (
        work.pairs_left_p,
        work.pairs_left_b,
        work.weights,
        work.tallies,
    )
    for i in range(plan.block_starts[1]):
        p, b = plan.blocks[i, 2], plan.blocks[i, 3]
        up, down = b - p, 10 + p - b
        start = 0
        for k in range(10):
            left_b = two[b] - 2 * (partners[b, k] + points[up + k]) + OVERLAP[p, b, k]
            left_p = two[p] - 2 * (partners[p, k] + points[down + k]) + OVERLAP[b, p, k]
            start += points[k] * partners[p, k] * left_b
            minus[k] = partners[p, k] * left_b + partners[b, k] * left_p
        if not plan.blocks[i, 4]:
            tallies[i, 0] = weights[0] * start
            continue
        for k in range(10):
            minus[k] = start - 2 * minus[k]
        minus[NO_THIRD] = start
        for j in range(LANES):
            begun[j] = minus[FIRST[j]]
        for j in range(LANES):
            rest_b[j] = left[b, j] - cross[up, j] + OVERLAP_SECOND[p, b, j]
        for j in range(LANES):
            rest_p[j] = left[p, j] - cross[down % 10, j] + OVERLAP_SECOND[b, p, j]
        for j in range(LANES):
            gone = mates[p, j] * rest_b[j] + mates[b, j] * rest_p[j]
            tallies[i, j] = weights[j] * (begun[j] - 2 * gone)


@compiled
def _count_one_pair(plan: Plan, work: Work) -> None:
    """Compute the tallies of blocks in which one hand is a pair of v-cards or w-cards (w = v + 5).

    Removing two v-cards reduces the number of pairs with the total o by 4 M[o][v] - 2 [2v=o], and
    M[o][v] is lower by one for each third card that is a partner of v for that total.
    """
    first, second, left, partners = work.first, work.second, work.left, work.partners
    weights, tallies = work.weights_after, work.tallies
    for kind in range(plan.pair_kinds):
        for v in range(10):
            ways = work.pairs[kind, v]
            for j in range(LANES if plan.pairs_draw else 1):
                draw_ways = (first[j] - TWO_FIRST[v, j]) * (second[j] - TWO_SECOND[v, j])
                weights[kind, v, j] = ways * draw_ways
    for i in range(plan.block_starts[1], plan.block_starts[2]):
        kind, held, other = plan.blocks[i, 1], plan.blocks[i, 2], plan.blocks[i, 3]
        v, w = held // 2, held // 2 + 5
        mate_v, mate_w = (10 + other - v) % 10, (10 + other - w) % 10
        fewer_v = 4 * partners[other, v] - 2 * (held == other)
        fewer_w = 4 * partners[other, w] - 2 * (held == other)
        for j in range(LANES if plan.blocks[i, 4] else 1):
            left_v = left[other, j] - fewer_v + FOUR_EITHER[mate_v, j]
            left_w = left[other, j] - fewer_w + FOUR_EITHER[mate_w, j]
            tallies[i, j] = weights[kind, v, j] * left_v + weights[kind, w, j] * left_w


@compiled
def _count_two_pairs(plan: Plan, work: Work) -> None:
    """Compute the tallies of blocks in which both hands are pairs.

    One pair is of v- or (v + 5)-cards, and the other is of w- or (w + 5)-cards, so each sum has
    four cases.
    """
    first, second, ways, tallies = work.first, work.second, work.ways, work.tallies
    for kinds in range(2 * plan.pair_kinds - 1):
        for v in range(10):
            for w in range(10):
                ways[kinds, v, w] = work.pairs[kinds // 2, v] * work.pairs[(kinds + 1) // 2, w]
            ways[kinds, v, v] += work.fours[kinds, v]
    for i in range(plan.block_starts[2], plan.block_starts[3]):
        kinds, v, w = plan.blocks[i, 1], plan.blocks[i, 2] // 2, plan.blocks[i, 3] // 2
        ways_00, ways_05 = ways[kinds, v, w], ways[kinds, v, w + 5]
        ways_50, ways_55 = ways[kinds, v + 5, w], ways[kinds, v + 5, w + 5]
        for j in range(LANES if plan.blocks[i, 4] else 1):
            tallies[i, j] = (
                ways_00 * _draw_ways(first, second, j, v, w)
                + ways_05 * _draw_ways(first, second, j, v, w + 5)
                + ways_50 * _draw_ways(first, second, j, v + 5, w)
                + ways_55 * _draw_ways(first, second, j, v + 5, w + 5)
            )


@compiled
def _draw_ways(first: Small, second: Small, j: int, v: int, w: int) -> int:
    """Return the number of ways for a draw after removing two v-cards and two w-cards."""
    x_ways: int = first[j] - TWO_FIRST[v, j] - TWO_FIRST[w, j]
    y_ways: int = second[j] - TWO_SECOND[v, j] - TWO_SECOND[w, j]
    return x_ways * y_ways


@compiled
def _add_cells(plan: Plan, work: Work, counts: Ints) -> None:
    """Compute the sum of each cell and add it to the cell's outcomes."""
    tallies = work.tallies.reshape(-1)
    for outcome in range(len(counts)):
        counts[outcome] = 0
    for cell in range(len(plan.cells) - 1):
        total = 0
        for i in range(plan.cells[cell], plan.cells[cell + 1]):
            total += tallies[plan.tallies[i]]
        for i in range(plan.shares[cell], plan.shares[cell + 1]):
            counts[plan.outcomes[i]] += plan.times[i] * total


@compiled
def _analyse(shoes: Ints, plan: Plan, counts: Ints, expectations: Floats) -> int:
    """Fill `counts` and `expectations` shoe by shoe; return the index of the first invalid shoe, or
    -1.

    If `counts` has fewer rows than there are shoes, the remaining shoes overwrite its last row.
    """
    work = _work(plan.block_starts[3])
    for i in range(len(shoes)):
        size = _read(shoes[i], work)
        if size < 0:
            return i
        _tabulate(size, work)
        _count_starts(plan, work)
        _count_one_pair(plan, work)
        _count_two_pairs(plan, work)
        row = counts[min(i, len(counts) - 1)]
        _add_cells(plan, work, row)
        total = size * (size - 1) * (size - 2) * (size - 3) * (size - 4) * (size - 5)
        for bet in range(plan.pays.shape[1]):
            won = 0.0
            for outcome in range(len(row)):
                won += row[outcome] * plan.pays[outcome, bet]
            expectations[i, bet] = won / total
    return -1
