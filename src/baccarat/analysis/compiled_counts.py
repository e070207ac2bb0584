"""The fast twin of `counts`: the same exact integers, from compiled code.

In goes a pay table, then any number of shoes as arrays of counts; out come the number of ordered
six-card sequences for each outcome (int64, exact up to 1448 cards) and the expectation of every
bet (float64, from those integers). It needs the extra `lab`, and nothing else imports it.

M, C and A are as in `counts`. Taking a k-card out of A is written as

    A'[p][b] = A[p][b] - 2 M[p][k] (C[b] - 2 M[b][k] - 2 M[b][p-k] + 2 [p=b])
                       - 2 M[b][k] (C[p] - 2 M[p][k] - 2 M[p][b-k] + 2 [p=b])

that is, less the starts with that card in one hand, and in the other. A *draw* is what the third
cards are, in any order: nothing, one of ten, or one of 55 pairs. A *tally* is how many sequences
have the start of a *block* and one order of a draw:

    no pair     the hands have the two-card totals p and b
    one pair    one hand is a pair of some kind with the total h, the other hand has the total o
    two pairs   both hands are pairs of some kinds, with the totals h and g

All tallies of a block are computed side by side, and no tableau matters for them. The pay table
only says where each tally belongs: those that no bet tells apart make a *cell*. Cells are added
up first, then shared out to the outcomes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from baccarat.analysis.remaining import FEWEST_CARDS, RemainingShoe
from baccarat.core.cards import POINTS, RANKS
from baccarat.core.errors import BaccaratError, CardError
from baccarat.core.facts import NO_THIRD, PairKind
from baccarat.core.paytable import Needs, Outcomes, PayTable

MOST_CARDS = 1448
"""The largest N with N⁶ < 2⁶³."""

Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])


class Kernel:
    """Counts the outcomes of one pay table, for one shoe or for many.

    A shoe is an array of counts: of the 52 cards (A♠ A♥ A♦ A♣ 2♠ …), of the 13 ranks (A to K) when
    no bet asks about suits, or of the ten points (0 to 9) when none asks about pairs. Many shoes
    are the rows of a two-dimensional array.
    """

    def __init__(self, table: PayTable) -> None:
        self.plan = make_plan(table)
        self.fewest_counts = 52 if table.suited else 13 if max(table.needs) else 10
        self._ends = np.cumsum([len(group.pays) for group in _groups(table)])

    def shoe(self, shoe: RemainingShoe) -> Ints:
        """The counts of a remaining shoe, as detailed as this pay table asks for."""
        if self.fewest_counts == 10:
            return np.array(shoe.points, np.int64)
        if self.fewest_counts == 13:
            return np.array(shoe.ranks, np.int64)
        if not shoe.suits_are_certain:
            raise CardError("cards are gone whose suits nobody noted: name their suits")
        return np.array([shoe.suit_counts(i)[0] for i in range(len(RANKS))], np.int64).ravel()

    def counts(self, shoes: ArrayLike) -> list[Ints]:
        """Sequences for each outcome, in the order of `counters`: an array per group of bets."""
        rows = self._rows(shoes)
        counts, _ = self._analyse(rows, keep=len(rows))
        counts = counts.reshape(*np.shape(shoes)[:-1], counts.shape[-1])
        return np.split(counts, self._ends[:-1], axis=-1)

    def expectations(self, shoes: ArrayLike) -> Floats:
        """What a bettor expects to win per unit staked, for each bet in the game's order."""
        _, expectations = self._analyse(self._rows(shoes), keep=1)
        return expectations.reshape(*np.shape(shoes)[:-1], expectations.shape[-1])

    def _analyse(self, rows: Ints, *, keep: int) -> tuple[Ints, Floats]:
        """The counts of the last few shoes, and the expectations of all of them."""
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
                f"{rows.dtype} in {rows.ndim} dimensions: "
                "a shoe is a row of whole numbers, many shoes are an array of such rows"
            )
        if rows.shape[-1] not in (10, 13, 52) or rows.shape[-1] < self.fewest_counts:
            enough = " or ".join(str(n) for n in (10, 13, 52) if n >= self.fewest_counts)
            raise BaccaratError(f"a shoe of {rows.shape[-1]} counts: these bets need {enough}")
        return np.ascontiguousarray(rows, np.int64).reshape(-1, rows.shape[-1])


def _whats_wrong(left: list[int]) -> str:
    """Why the compiled code would not count a shoe."""
    if min(left) < 0:
        return f"has {min(left)} cards of one kind: 0 is the least"
    return (
        f"has {sum(left):,} cards: a coup may need {FEWEST_CARDS}, "
        f"and counts are exact up to {MOST_CARDS:,}"
    )


# Draws, and what holds of them whatever the shoe: tables [digit, lane]

DRAWS = (
    (NO_THIRD, NO_THIRD),
    *((x, NO_THIRD) for x in range(10)),
    *((x, y) for x in range(10) for y in range(x, 10)),
)
LANES = len(DRAWS)
LANE = {draw: lane for lane, draw in enumerate(DRAWS)}

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
OWN = (2 * ((2 * (_p - _k) - _b) % 10 == 0) + 2 * (_p == _b)).astype(np.int8)
"""[p, b, k]: with it, the bracket above is C[b] - 2 M[b][k] - 2 m[b-p+k] + OWN[p][b][k]."""
OWN_SECOND = np.ascontiguousarray(OWN[:, :, _y % 10])
"""[p, b, lane]: the same for the second card of a draw."""

POINTS_OF_RANK = np.array([POINTS[rank] for rank in RANKS], np.uint8)


# The plan: which tallies a pay table needs, and what becomes of them


class Plan(NamedTuple):
    """A pay table for the compiled code."""

    blocks: Ints
    """For each block the fields of `Block`, and whether third cards matter: if not, its first
    tally is enough."""
    begins: Ints
    """Where the blocks with no, one and two pairs begin, and the end."""
    pair_kinds: int
    """How many kinds of pairs the bets tell apart: 0, 1 or 2."""
    pairs_draw: bool
    """Do third cards matter for any block with pairs?"""
    cells: NDArray[np.uint32]
    """Where the tallies of each cell begin in `tallies`, and the end."""
    tallies: NDArray[np.uint16]
    """Places of tallies, cell by cell: LANES × block + lane."""
    shares: NDArray[np.uint32]
    """Where the shares of each cell begin in `outcomes` and `times`, and the end."""
    outcomes: NDArray[np.uint16]
    """Cell by cell, the outcomes it belongs to …"""
    times: Ints
    """… and how often."""
    pays: Floats
    """[outcome, bet]: what the bet pays; 0 on outcomes of other groups."""


class Block(NamedTuple):
    """Starts that are counted together."""

    pairs: int
    """How many hands are known to be pairs."""
    kinds: int
    """0: of one rank; 1: suited, or for two pairs one of them; 2: both are suited."""
    held: int
    """The total of the pair, of the pair that is less alike, or the lower total."""
    other: int
    """The total of the other hand."""


def make_plan(table: PayTable) -> Plan:
    """Find out which tallies matter, and for which outcomes."""
    groups = _groups(table)
    begins = _begins(group.pays for group in groups).tolist()
    pays = np.zeros((begins[-1], len(table.game.bets)))
    shares: defaultdict[tuple[Block, int], Counter[int]] = defaultdict(Counter)
    for group, begin in zip(groups, begins, strict=False):
        pays[begin : begin + len(group.pays), group.bets] = group.pays
        for block, lane, outcome, times in _uses(table, group):
            shares[block, lane][begin + outcome] += times
    cells: defaultdict[tuple[tuple[int, int], ...], list[tuple[Block, int]]] = defaultdict(list)
    for tally, times_of in shares.items():
        if cell := tuple(sorted((outcome, n) for outcome, n in times_of.items() if n)):
            cells[cell].append(tally)
    tallies = [tally for cell in cells.values() for tally in cell]
    blocks = sorted({block for block, _ in tallies})
    number = {block: i for i, block in enumerate(blocks)}
    drawing = {block for block, lane in tallies if lane}
    return Plan(
        blocks=np.array([(*block, block in drawing) for block in blocks], np.int64),
        begins=np.searchsorted([block.pairs for block in blocks], range(4)),
        pair_kinds=1 + table.suited if any(block.pairs for block in blocks) else 0,
        pairs_draw=any(block.pairs for block in drawing),
        cells=_begins(cells.values()),
        tallies=np.array([LANES * number[block] + lane for block, lane in tallies], np.uint16),
        shares=_begins(cells),
        outcomes=np.array([outcome for cell in cells for outcome, _ in cell], np.uint16),
        times=np.array([n for cell in cells for _, n in cell], np.int64),
        pays=pays,
    )


def _groups(table: PayTable) -> list[Outcomes]:
    return [group for group in (table.plain, table.start, table.joint) if group.bets]


def _begins(lists: Iterable[Sized]) -> NDArray[np.uint32]:
    return np.cumsum([0, *map(len, lists)]).astype(np.uint32)


def _uses(table: PayTable, group: Outcomes) -> Iterator[tuple[Block, int, int, int]]:
    """(block, lane, outcome, times): where tallies belong, as in `OutcomeCounter`.

    Blocks without pairs are counted as if there were none; then those with at least some kinds of
    pairs are moved from where the next lower kinds put them.
    """
    kinds = tuple(PairKind)[: 2 + table.suited if group.needs is not Needs.SHAPE else 1]
    seen = set[tuple[int, int]]()
    for place, (p, b, x, y) in enumerate(table.classes.shapes):
        lane = LANE[min(x, y), max(x, y)]
        if group.needs is Needs.START:  # any shape of the start will do, as if no card were drawn
            if (p, b) in seen:
                continue
            seen.add((p, b))
            lane = 0
        for player in kinds if p % 2 == 0 else kinds[:1]:
            for banker in kinds if b % 2 == 0 else kinds[:1]:
                block = _block(player, banker, p, b)
                for i in range(2 if player else 1):
                    for j in range(2 if banker else 1):
                        outcome = group.by_kinds[3 * (player - i) + banker - j][place]
                        yield block, lane, outcome, -1 if i ^ j else 1


def _block(player: PairKind, banker: PairKind, p: int, b: int) -> Block:
    """The block of a start. Which hand is which does not matter for how often it comes."""
    (low, q), (high, held) = sorted([(player, p), (banker, b)])
    if low:
        return Block(2, low + high - 2, q, held)
    return Block(1, high - 1, held, q) if high else Block(0, 0, q, held)


# The compiled part


def compiled(function: Function) -> Function:
    """Compile on first use, keep the machine code on disk, let threads run side by side."""
    return cast("Function", numba.njit(cache=True, nogil=True, error_model="numpy")(function))


class Work(NamedTuple):
    """What the compiled code notes down about a shoe.

    x and y are the first and second card of a draw. Every loop over lanes writes one array and
    decides nothing, because the compiler makes vectors of such loops only.
    """

    points: Small
    """m, three times over: an index needs no modulo."""
    partners: Small
    """M[q][k]; a column of zeros stands for no card."""
    two: Small
    """C[q]."""
    mates: Small
    """[q, lane]: M[q][y], x being gone."""
    left: Small
    """[q, lane]: C[q], x and y being gone."""
    cross: Small
    """[d, lane]: 2 m[d+y], x being gone."""
    rest_p: Small
    """[lane]: pairs with the total p, once x, y and a partner of y for b are gone."""
    rest_b: Small
    """[lane]: the same with p and b exchanged."""
    first: Small
    """[lane]: ways to draw x, or any fifth card in its place, …"""
    second: Small
    """[lane]: … and then y, or any sixth card."""
    weights: Ints
    """[lane]: the product of these two."""
    minus: Ints
    """[k]: A[p][b] without one k-card."""
    begun: Ints
    """[lane]: A[p][b], x being gone."""
    pairs: Ints
    """[kind, v]: ordered pairs of v-cards of one rank, or of one rank and suit."""
    fours: Ints
    """[kinds, v]: what the product of `pairs` lacks when both pairs are of v-cards."""
    ways: Ints
    """[kinds, v, w]: ways for a pair of v-cards and one of w-cards."""
    weights_after: Ints
    """[kind, v, lane]: ways for a pair of v-cards and then the draw."""
    tallies: Ints
    """[block, lane]."""


@compiled
def _work(blocks: int) -> Work:
    return Work(
        points=np.empty(30, np.int32),
        partners=np.zeros((10, 11), np.int32),
        two=np.empty(10, np.int32),
        mates=np.empty((10, LANES), np.int32),
        left=np.empty((10, LANES), np.int32),
        cross=np.empty((10, LANES), np.int32),
        rest_p=np.empty(LANES, np.int32),
        rest_b=np.empty(LANES, np.int32),
        first=np.empty(LANES, np.int32),
        second=np.empty(LANES, np.int32),
        weights=np.empty(LANES, np.int64),
        minus=np.empty(11, np.int64),
        begun=np.empty(LANES, np.int64),
        pairs=np.empty((2, 10), np.int64),
        fours=np.empty((3, 10), np.int64),
        ways=np.empty((3, 10, 10), np.int64),
        weights_after=np.empty((2, 10, LANES), np.int64),
        tallies=np.empty((blocks, LANES), np.int64),
    )


@compiled
def _read(shoe: Ints, work: Work) -> int:
    """Note points and pairs down; the number of cards, or -1 for a shoe that cannot be."""
    points, pairs, fours = work.points, work.pairs, work.fours
    size = 0
    for i in range(len(shoe)):
        if not 0 <= shoe[i] <= MOST_CARDS:
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
    return size if FEWEST_CARDS <= size <= MOST_CARDS else -1


@compiled
def _tabulate(size: int, work: Work) -> None:
    """M and C, of the shoe and once the cards of each draw are gone."""
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
    """The tallies of blocks without pairs."""
    points, partners, two, minus = work.points, work.partners, work.two, work.minus
    mates, left, cross, begun = work.mates, work.left, work.cross, work.begun
    rest_p, rest_b, weights, tallies = work.rest_p, work.rest_b, work.weights, work.tallies
    for i in range(plan.begins[1]):
        p, b = plan.blocks[i, 2], plan.blocks[i, 3]
        up, down = b - p, 10 + p - b
        start = 0
        for k in range(10):
            left_b = two[b] - 2 * (partners[b, k] + points[up + k]) + OWN[p, b, k]
            left_p = two[p] - 2 * (partners[p, k] + points[down + k]) + OWN[b, p, k]
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
            rest_b[j] = left[b, j] - cross[up, j] + OWN_SECOND[p, b, j]
        for j in range(LANES):
            rest_p[j] = left[p, j] - cross[down % 10, j] + OWN_SECOND[b, p, j]
        for j in range(LANES):
            gone = mates[p, j] * rest_b[j] + mates[b, j] * rest_p[j]
            tallies[i, j] = weights[j] * (begun[j] - 2 * gone)


@compiled
def _count_one_pair(plan: Plan, work: Work) -> None:
    """The tallies of blocks in which one hand is a pair: of v-cards, or of w-cards (w = v + 5).

    Without two v-cards there are 4 M[o][v] - 2 [2v=o] fewer pairs with the total o, and M[o][v] is
    less by one for each third card that would go with v.
    """
    first, second, left, partners = work.first, work.second, work.left, work.partners
    weights, tallies = work.weights_after, work.tallies
    for kind in range(plan.pair_kinds):
        for v in range(10):
            ways = work.pairs[kind, v]
            for j in range(LANES if plan.pairs_draw else 1):
                draw_ways = (first[j] - TWO_FIRST[v, j]) * (second[j] - TWO_SECOND[v, j])
                weights[kind, v, j] = ways * draw_ways
    for i in range(plan.begins[1], plan.begins[2]):
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
    """The tallies of blocks in which both hands are pairs.

    One is of v- or (v + 5)-cards, the other of w- or (w + 5)-cards: four cases in each sum.
    """
    first, second, ways, tallies = work.first, work.second, work.ways, work.tallies
    for kinds in range(2 * plan.pair_kinds - 1):
        for v in range(10):
            for w in range(10):
                ways[kinds, v, w] = work.pairs[kinds // 2, v] * work.pairs[(kinds + 1) // 2, w]
            ways[kinds, v, v] += work.fours[kinds, v]
    for i in range(plan.begins[2], plan.begins[3]):
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
    """Ways for a draw, once two v-cards and two w-cards are gone."""
    x_ways: int = first[j] - TWO_FIRST[v, j] - TWO_FIRST[w, j]
    y_ways: int = second[j] - TWO_SECOND[v, j] - TWO_SECOND[w, j]
    return x_ways * y_ways


@compiled
def _share(plan: Plan, work: Work, counts: Ints) -> None:
    """Add the cells up and give the outcomes their shares."""
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
    """Fill both arrays shoe by shoe; the first shoe that cannot be, or -1.

    When `counts` has fewer rows than there are shoes, the last one is written over.
    """
    work = _work(plan.begins[3])
    for i in range(len(shoes)):
        size = _read(shoes[i], work)
        if size < 0:
            return i
        _tabulate(size, work)
        _count_starts(plan, work)
        _count_one_pair(plan, work)
        _count_two_pairs(plan, work)
        row = counts[min(i, len(counts) - 1)]
        _share(plan, work, row)
        total = size * (size - 1) * (size - 2) * (size - 3) * (size - 4) * (size - 5)
        for bet in range(plan.pays.shape[1]):
            won = 0.0
            for outcome in range(len(row)):
                won += row[outcome] * plan.pays[outcome, bet]
            expectations[i, bet] = won / total
    return -1
