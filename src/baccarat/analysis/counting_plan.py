"""The plan that `compiled_counts` follows: the tallies that a pay table needs, and how they are
summed.

A *draw* is the points of the third cards, in any order: nothing, one of ten, or one of 55 pairs; a
*lane* is the index of a draw in `DRAWS`. A *block* is a set of four-card starts. A *tally* is the
number of sequences that have a start of a block and one order of a draw. There are three sorts of
blocks:

    no pair     the hands have the two-card totals p and b
    one pair    one hand is a pair of some kind with the total h, the other hand has the total o
    two pairs   both hands are pairs of some kinds, with the totals h and g

Tallies that contribute to the same outcomes, equally often, form a *cell*. Each cell is summed
first; the sum is then added to its outcomes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.core.facts import NO_THIRD, PairKind
from baccarat.core.paytable import Needs, Outcomes, PayTable

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])

DRAWS = (
    (NO_THIRD, NO_THIRD),
    *((x, NO_THIRD) for x in range(10)),
    *((x, y) for x in range(10) for y in range(x, 10)),
)
LANES = len(DRAWS)
LANE = {draw: lane for lane, draw in enumerate(DRAWS)}


def compiled(function: Function) -> Function:
    """Compile a function on first use, with the machine code cached on disk and the GIL
    released."""
    return cast("Function", numba.njit(cache=True, nogil=True, error_model="numpy")(function))


class Plan(NamedTuple):
    """A pay table as arrays for the compiled code."""

    blocks: Ints
    """For each block, the fields of `Block` and whether third cards matter. If they do not, only
    the block's first tally is needed."""
    block_starts: Ints
    """Indexes where the blocks with no pair, one pair and two pairs begin, and the end index."""
    pair_kinds: int
    """Number of kinds of pairs that the bets distinguish: 0, 1 or 2."""
    pairs_draw: bool
    """Whether third cards matter for any block with pairs."""
    cells: NDArray[np.uint32]
    """Index in `tallies` where each cell begins, and the end index."""
    tallies: NDArray[np.uint16]
    """Indexes of the tallies, cell by cell: LANES × block + lane."""
    shares: NDArray[np.uint32]
    """Index in `outcomes` and `times` where each cell begins, and the end index."""
    outcomes: NDArray[np.uint16]
    """Cell by cell, the outcomes to which the cell's sum is added."""
    times: Ints
    """How often the cell's sum is added to each of these outcomes; may be negative."""
    pays: Floats
    """[outcome, bet]: net payment of the bet; 0 for outcomes of other groups."""


class Block(NamedTuple):
    """Four-card starts that are counted together."""

    pairs: int
    """Number of hands known to be pairs."""
    kinds: int
    """0: same rank; 1: suited, or for two pairs, one of them suited; 2: both suited."""
    held: int
    """One pair: its total. Two pairs: total of the unsuited pair if only one is suited. In all
    other cases, the lower total."""
    other: int
    """Total of the other hand."""


def make_plan(table: PayTable) -> Plan:
    """Return the plan for the bets of a pay table except hand bets: the tallies it needs, and the
    outcomes they contribute to."""
    groups = [group for group in table.groups if not group.hand_classes]
    begins = _starts(group.pays for group in groups).tolist()
    pays = np.zeros((begins[-1], len(table.bets)))
    shares: defaultdict[tuple[Block, int], Counter[int]] = defaultdict(Counter)
    for group, begin in zip(groups, begins, strict=False):
        pays[begin : begin + len(group.pays), group.bets] = group.pays
        for block, lane, outcome, times in _contributions(table, group):
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
        blocks=np.array([(*block, block in drawing) for block in blocks], np.int64).reshape(-1, 5),
        block_starts=np.searchsorted([block.pairs for block in blocks], range(4)),
        pair_kinds=1 + table.suited if any(block.pairs for block in blocks) else 0,
        pairs_draw=any(block.pairs for block in drawing),
        cells=_starts(cells.values()),
        tallies=np.array([LANES * number[block] + lane for block, lane in tallies], np.uint16),
        shares=_starts(cells),
        outcomes=np.array([outcome for cell in cells for outcome, _ in cell], np.uint16),
        times=np.array([n for cell in cells for _, n in cell], np.int64),
        pays=pays,
    )


def _starts(lists: Iterable[Sized]) -> NDArray[np.uint32]:
    return np.cumsum([0, *map(len, lists)]).astype(np.uint32)


def _contributions(table: PayTable, group: Outcomes) -> Iterator[tuple[Block, int, int, int]]:
    """Yield (block, lane, outcome, times) for each tally and each outcome it contributes to, as in
    `OutcomeCounter`.

    All sequences are first counted as if there were no pairs. Then, for each kind of pair,
    sequences with at least this kind are moved from the outcome of the next lower kind to their
    own.
    """
    kinds = tuple(PairKind)[: 2 + table.suited if group.needs is not Needs.SHAPE else 1]
    seen = set[tuple[int, int]]()
    for place, (p, b, x, y) in enumerate(table.classes.shapes):
        lane = LANE[min(x, y), max(x, y)]
        if group.needs is Needs.START:  # third cards do not matter: use any shape with this start
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
    """Return the block of a start; swapping the hands gives the same block, because the counts are
    equal."""
    (low, q), (high, held) = sorted([(player, p), (banker, b)])
    if low:
        return Block(2, low + high - 2, q, held)
    return Block(1, high - 1, held, q) if high else Block(0, 0, q, held)
