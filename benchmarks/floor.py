"""The baseline for `analysis.py`: the minimum work of an exact analysis of a shoe.

For any remaining shoe, this module computes in exact integers the joint distribution of who drew,
the player's third card, the player's total and the banker's total. It leaves out bets, pairs and
expectations. The standard tableau is built in as a constant, which helps the compiler, and a shoe
is only its ten counts by points. To be a fair baseline, it uses the same factorisation as `counts`,
with both symmetries (p and b, x and y), and all layout optimisations of `compiled_counts`.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Function = TypeVar("Function", bound=Callable[..., Any])
Cell = tuple[int, int, int, int]
"""Who drew (0: none, 1: player, 2: banker, 3: both), player's third card or 10, both totals."""

BANKER_DRAWS = {
    **dict.fromkeys(range(3), range(11)),
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9, 10),
    4: (2, 3, 4, 5, 6, 7, 10),
    5: (4, 5, 6, 7, 10),
    6: (6, 7),
}
"""The player's third cards (10: none) on which the banker draws, by the banker's total."""

PAIRS = [(x, y) for x in range(10) for y in range(x, 10)]
LANES = len(PAIRS)
SIX = sorted({(min(p, b), max(p, b)) for p in range(6) for b in range(7)})
FIVE = sorted({(min(p, b), max(p, b)) for p in range(6) for b in range(8)} - set(SIX))
FOUR = sorted({(p, b) for p in range(10) for b in range(p, 10)} - set(SIX) - set(FIVE))
STARTS = SIX + FIVE + FOUR
"""Two-card totals: first those that may lead to six cards, then to five, then only to four."""
SIXES, FIVES = len(SIX), len(SIX) + len(FIVE)
AT_FIVE = LANES * SIXES
AT_FOUR = AT_FIVE + 10 * FIVES
TALLIES = AT_FOUR + len(STARTS)
"""Number of tallies in a row: first those for six cards, then for five, then for four."""


def _tallies_of_cells() -> dict[Cell, list[int]]:
    cells: dict[Cell, list[int]] = {}
    for p in range(10):
        for b in range(10):
            start = STARTS.index((min(p, b), max(p, b)))
            natural = max(p, b) > 7
            for x in range(10) if p < 6 and not natural else (10,):
                draws = x in BANKER_DRAWS.get(b, ()) and not natural
                for y in range(10) if draws else (10,):
                    if x < 10 and y < 10:
                        tally = LANES * start + PAIRS.index((min(x, y), max(x, y)))
                    elif x < 10 or y < 10:
                        tally = AT_FIVE + 10 * start + min(x, y)
                    else:
                        tally = AT_FOUR + start
                    cell = (x < 10) + 2 * (y < 10), x, (p + x) % 10, (b + y) % 10
                    cells.setdefault(cell, []).append(tally)
    return cells


CELLS = _tallies_of_cells()
WIDTH = max(map(len, CELLS.values()))
SOURCES = np.array(
    [tallies + [TALLIES] * (WIDTH - len(tallies)) for tallies in CELLS.values()], np.uint16
)
"""Indices of each cell's tallies, padded with a tally that is always 0 to a fixed length."""

_x, _y = np.array(PAIRS).T
_digit = np.arange(10)[:, None]
_p, _b, _k = np.ogrid[:10, :10, :10]
FIRST, SECOND = _x.astype(np.uint8), _y.astype(np.uint8)
ALIKE = (_x == _y).astype(np.int8)
SUM_IS = ((_x + _y) % 10 == _digit).astype(np.int8)
GAP_IS = ((_x - _y) % 10 == _digit).astype(np.int8)
OVERLAP = (2 * ((2 * (_p - _k) - _b) % 10 == 0) + 2 * (_p == _b)).astype(np.int8)
OVERLAP_SECOND = np.ascontiguousarray(OVERLAP[:, :, _y])
LOW, HIGH = np.array(STARTS).T.copy()


def compiled(function: Function) -> Function:
    return cast("Function", numba.njit(cache=True, nogil=True, error_model="numpy")(function))


@compiled
def distributions(shoes: Ints, cells: Ints) -> None:
    """Write to `cells` how many card sequences of each shoe (ten counts) lead to each of CELLS."""
    points, two = np.empty(20, np.int32), np.empty(10, np.int32)
    partners = np.empty((10, 10), np.int32)
    mates, left = np.empty((10, LANES), np.int32), np.empty((10, LANES), np.int32)
    cross = np.empty((10, LANES), np.int32)
    rest_p, rest_b = np.empty(LANES, np.int32), np.empty(LANES, np.int32)
    weights, begun, minus = (
        np.empty(LANES, np.int64),
        np.empty(LANES, np.int64),
        np.empty(10, np.int64),
    )
    tallies = np.zeros(TALLIES + 1, np.int64)
    for shoe in range(len(shoes)):
        size = 0
        for k in range(10):
            size += shoes[shoe, k]
            points[k] = points[k + 10] = shoes[shoe, k]
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
            weights[j] = points[FIRST[j]] * (points[SECOND[j]] - ALIKE[j])
        for i in range(len(LOW)):
            p, b = LOW[i], HIGH[i]
            up = b - p
            down = 10 - up if up else 0
            start = 0
            for k in range(10):
                left_b = two[b] - 2 * (partners[b, k] + points[up + k]) + OVERLAP[p, b, k]
                left_p = two[p] - 2 * (partners[p, k] + points[down + k]) + OVERLAP[b, p, k]
                start += points[k] * partners[p, k] * left_b
                minus[k] = partners[p, k] * left_b + partners[b, k] * left_p
            tallies[AT_FOUR + i] = start * (size - 4) * (size - 5)
            if i < FIVES:
                for k in range(10):
                    minus[k] = start - 2 * minus[k]
                for k in range(10):
                    tallies[AT_FIVE + 10 * i + k] = minus[k] * points[k] * (size - 5)
            if i < SIXES:
                for j in range(LANES):
                    begun[j] = minus[FIRST[j]]
                for j in range(LANES):
                    rest_b[j] = left[b, j] - cross[up, j] + OVERLAP_SECOND[p, b, j]
                for j in range(LANES):
                    rest_p[j] = left[p, j] - cross[down, j] + OVERLAP_SECOND[b, p, j]
                for j in range(LANES):
                    gone = mates[p, j] * rest_b[j] + mates[b, j] * rest_p[j]
                    tallies[LANES * i + j] = weights[j] * (begun[j] - 2 * gone)
        for cell in range(len(SOURCES)):
            total = 0
            for k in range(WIDTH):
                total += tallies[SOURCES[cell, k]]
            cells[shoe, cell] = total
