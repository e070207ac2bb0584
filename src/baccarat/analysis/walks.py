"""Walks on a lattice: the distribution of a sum of independent steps, coup by coup.

After t coups the net result is t × least + spacing × place, and each coup adds a jump to the place:
0, 20 or 39 for Banker at 19:20, where a place is worth a twentieth of the stake. If only the final
result matters, it is computed by a Fourier transform. If every coup on the way matters, chances are
multiplied and added coup by coup. They are never subtracted, so that errors do not grow. Places at
either end whose chance is below `MIN_CHANCE` are dropped, and the dropped chance is included in the
error bound.

With numba (the extra `lab`) the walks are compiled; without it they use numpy, which is fast enough
for an evening of a thousand coups.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from math import ceil, floor, gcd, log, log2, sqrt
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

numba: Any = import_module("numba") if find_spec("numba") else None
MIN_CHANCE = 1e-22
"""Places less likely than this are dropped; over ten thousand coups, they add up to about 1e-17."""
ROUNDING = 2.0**-53
"""Relative rounding error of one operation."""
THINNING = 4
"""Stand-offs are left out of a walk if that makes the lattice spacing at least this many times
wider."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])


class Steps(NamedTuple):
    """One coup as a step of a walk: it wins least + spacing × jump coins."""

    least: int
    spacing: int
    jumps: Ints
    chances: Floats

    def spread(self, coups: int, unlikely: float) -> tuple[float, float]:
        """Return the mean place after some coups, and a distance from the mean that is exceeded
        with a chance of at most `unlikely` on each side.

        The distance comes from Bernstein's inequality for sums of independent steps, applied to
        each side.
        """
        mean = float(self.jumps @ self.chances)
        away = np.abs(self.jumps - mean)
        largest, variance = float(away.max()), float(away**2 @ self.chances)
        third = largest * log(1 / unlikely) / 3
        distance = third + sqrt(third**2 + 2 * coups * variance * log(1 / unlikely))
        return coups * mean, min(distance, coups * largest)


def steps_of(distribution: Mapping[int, Fraction]) -> Steps:
    least = min(distribution)
    spacing = gcd(*(net - least for net in distribution)) or 1
    jumps = np.array([(net - least) // spacing for net in distribution])
    return Steps(least, spacing, jumps, as_floats(distribution))


def walked_steps(distribution: Mapping[int, Fraction]) -> tuple[Steps, Fraction]:
    """Return the steps to walk, and the chance of the stand-offs left out of them (0 if none).

    Without stand-offs, the lattice spacing can be much wider: 39 twentieths for Banker at 19:20.
    """
    steps, standoff = steps_of(distribution), distribution.get(0, Fraction(0))
    if 0 < standoff < 1:
        decided = {net: chance / (1 - standoff) for net, chance in distribution.items() if net}
        if (thinned := steps_of(decided)).spacing >= THINNING * steps.spacing:
            return thinned, standoff
    return steps, Fraction(0)


def as_floats(distribution: Mapping[int, Fraction]) -> Floats:
    return np.array([float(chance) for chance in distribution.values()])


def rounding_error(outcomes: int, operations: int) -> float:
    """Return a bound on the rounding error of this many successive operations, each over all
    outcomes of a coup."""
    return (outcomes + 8) * (operations + 1000) * ROUNDING


def positions_after(steps: Steps, coups: int) -> tuple[Ints, Floats, float]:
    """Return the positions possible after `coups` coups, their chances, and an error bound for any
    sum of chances.

    The Fourier transform of one coup is raised to the power `coups`, which multiplies its errors.
    The transform is therefore written as 1 - a + ib, with jumps measured from their mean: where the
    power is not negligible, a and b are small, and the logarithm is accurate to the last digits.
    """
    mean, first, size = likely(steps, coups)
    centre = round(mean / coups)
    frequencies = np.arange(size // 2 + 1)
    a, b, doubt = np.zeros((3, len(frequencies)))
    for jump, chance in zip((steps.jumps - centre).tolist(), steps.chances.tolist(), strict=True):
        # Full turns are removed in integer arithmetic, which is exact.
        angles = ((jump * frequencies + size // 2) % size - size // 2) * (np.pi / size)
        sine, cosine = np.sin(angles), np.cos(angles)
        a += 2 * chance * sine * sine
        b -= 2 * chance * sine * cosine
        doubt += chance * np.abs(sine)
    square = a * (a - 2) + b * b  # the squared modulus minus 1
    with np.errstate(divide="ignore"):  # log 0 is -inf, whose exponential is 0 again
        logarithm = coups * np.log(np.hypot(1 - a, b))
    logarithm[square > -0.5] = coups * np.log1p(square[square > -0.5]) / 2
    matter = np.flatnonzero(logarithm > log(MIN_CHANCE))
    a, b, doubt, logarithm = a[matter], b[matter], doubt[matter], logarithm[matter]
    transform = np.zeros(len(frequencies), np.complex128)
    transform[matter] = np.exp(logarithm + 1j * coups * np.arctan2(b, 1 - a))
    chances = np.roll(np.fft.irfft(transform, size), (centre * coups - first) % size)
    operations = log2(size) + 1 + coups * doubt - logarithm
    derivative = np.exp(logarithm * (coups - 1) / coups)
    noise = 16 * ROUNDING * float(derivative @ operations) / size
    chances[chances < noise] = 0  # remove negative chances, and tails that are only noise
    there = np.flatnonzero(chances)
    ends = slice(there[0], there[-1] + 1)
    return np.arange(first, first + size)[ends], chances[ends], size * noise + 1e-15


def likely(steps: Steps, coups: int) -> tuple[float, int, int]:
    """Return the mean place after some coups, the first likely place, and the size of the Fourier
    transform."""
    mean, distance = steps.spread(coups, 1e-16)
    first = max(0, floor(mean - distance))
    last = min(coups * int(steps.jumps.max()), ceil(mean + distance))
    return mean, first, 1 << (last - first).bit_length()


class Bounds(NamedTuple):
    """Bounds at which a walk stops, in coins and in places. Places are counted from the lowest
    place still in play, which changes from coup to coup."""

    lowest: int
    highest: int
    low: Ints
    places: Ints


def bounds_of(steps: Steps, coups: int, *, down: int, up: int | None) -> Bounds:
    """Return the bounds of a walk; a bound that is too far away to matter is moved closer."""
    mean, distance = steps.spread(coups, MIN_CHANCE)
    drift = coups * steps.least + steps.spacing * mean
    lowest = min(down, ceil(steps.spacing * distance - min(drift, 0)))
    highest = ceil(steps.spacing * distance + max(drift, 0)) + 1
    highest = highest if up is None else min(up, highest)
    least = steps.least * np.arange(coups + 1)
    low, high = -((least + lowest) // steps.spacing), -((least - highest) // steps.spacing)
    return Bounds(lowest, highest, low, (high - low)[1:])


def between(steps: Steps, coups: int, *, down: int, up: int | None) -> tuple[Floats, Floats, float]:
    """Return, for each coup, the chances of having lost more than `down` coins and of having won at
    least `up` coins by then, and the total chance dropped.

    If a bound was moved closer, the chance of passing it counts as dropped.
    """
    lowest, highest, low, places = bounds_of(steps, coups, down=down, up=up)
    jumps, chances = padded_to_threes(steps.jumps, steps.chances)
    below, above, dropped = walk(-int(low[0]), jumps, chances, np.diff(low), places, 0.0)
    if lowest != down:
        below, dropped = np.zeros(coups), dropped + float(below[-1])
    if highest != up:
        above, dropped = np.zeros(coups), dropped + float(above[-1])
    return below, above, dropped


def padded_to_threes(jumps: Ints, chances: Floats) -> tuple[Ints, Floats]:
    """Pad the jumps with jumps of chance zero to a multiple of three, because `_move` processes
    three at a time."""
    more = -len(jumps) % 3
    return np.append(jumps, jumps[:1].repeat(more)), np.append(chances, np.zeros(more))


# ---- The compiled part ----


def _move_in_numpy(
    old: Floats, new: Floats, first: int, last: int, by: Ints, chances: Floats
) -> None:
    """Do the same as `_move` in numpy, for a whole window at a time."""
    into = new[first:last]
    into[:] = 0.0
    for jump, chance in zip(by.tolist(), chances.tolist(), strict=True):
        if chance:
            into += chance * old[first - jump : last - jump]


def _trim_in_numpy(chances: Floats, first: int, last: int, margin: int) -> tuple[int, int, float]:
    """Do the same as `_trim` in numpy, for a whole window at a time."""
    window = chances[first:last]
    there = np.flatnonzero(window >= MIN_CHANCE)
    low, high = (int(there[0]), int(there[-1]) + 1) if len(there) else (len(window), len(window))
    dropped = float(window[:low].sum() + window[high:].sum())
    first, last = first + low, first + high
    chances[first - margin : first] = 0.0
    chances[last : last + margin] = 0.0
    return first, last, dropped


IN_NUMPY: dict[str, Callable[..., Any]] = {
    "_move": _move_in_numpy,
    "_product": np.dot,
    "_trim": _trim_in_numpy,
}
"""Numpy versions of the loops over places, used when numba is not installed."""


def compiled(function: Function) -> Function:
    """Compile a function on first use, and cache the machine code on disk.

    The compiler may reorder sums and use fused multiply-add.
    """
    if numba is None:
        return cast("Function", IN_NUMPY.get(function.__name__, function))
    fast = numba.njit(
        function, cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract"}
    )
    return cast("Function", fast)


@compiled
def _move(old: Floats, new: Floats, first: int, last: int, by: Ints, chances: Floats) -> None:
    """Compute the chances of places first to last after one coup; `old` must be 0 outside its
    window."""
    size = last - first
    into = new[first:last]
    for k in range(0, len(chances), 3):
        p, q, r = chances[k], chances[k + 1], chances[k + 2]
        x = old[first - by[k] : last - by[k]]
        y = old[first - by[k + 1] : last - by[k + 1]]
        z = old[first - by[k + 2] : last - by[k + 2]]
        if k == 0:
            for i in range(size):
                into[i] = p * x[i] + q * y[i] + r * z[i]
        else:
            for i in range(size):
                into[i] += p * x[i] + q * y[i] + r * z[i]


@compiled
def _trim(chances: Floats, first: int, last: int, margin: int) -> tuple[int, int, float]:
    """Drop negligible chances at both ends of a window, and set the cells next to it to zero.

    Return the bounds of the new window and the sum of the dropped chances.
    """
    dropped = 0.0
    while first < last and chances[first] < MIN_CHANCE:
        dropped += chances[first]
        first += 1
    while first < last and chances[last - 1] < MIN_CHANCE:
        last -= 1
        dropped += chances[last]
    chances[first - margin : first] = 0.0
    chances[last : last + margin] = 0.0
    return first, last, dropped


@compiled
def walk(
    start: int, jumps: Ints, chances: Floats, shifts: Ints, places: Ints, returned: float
) -> tuple[Floats, Floats, float]:
    """Walk between two bounds.

    Return, for each coup, the chances of having passed below and above the bounds by then, and the
    total chance dropped. In coup t all places are renumbered by shifts[t]; after that, 0 is the
    lowest place, and places[t] is the first place above the bounds. If `returned` is 1, the chance
    that passes below is put back on the lowest place; if 0, it leaves the walk.
    """
    margin = 2 * np.abs(jumps).max() + np.abs(shifts).max() + 1
    old = np.zeros(max(places.max(), start + 1) + 2 * margin)
    new = np.zeros(len(old))
    below, above = np.zeros(len(shifts)), np.zeros(len(shifts))
    sunk, risen, dropped = 0.0, 0.0, 0.0
    first, last = margin + start, margin + start + 1
    old[first] = 1.0
    for t in range(len(shifts)):
        by = jumps - shifts[t]
        end = margin + places[t]
        passed = 0.0
        for k in range(len(by)):
            passed += chances[k] * old[first : min(last, margin - by[k])].sum()
            risen += chances[k] * old[max(first, end - by[k]) : last].sum()
        first, last = max(margin, first + by.min()), min(end, last + by.max())
        last = max(first, last)
        _move(old, new, first, last, by, chances)
        if passed > 0:
            sunk += (1 - returned) * passed
            new[margin] += returned * passed
        first, last, lost = _trim(new, first, last, margin)
        dropped += lost
        below[t], above[t] = sunk, risen
        if first == last:
            below[t:], above[t:] = sunk, risen
            break
        old, new = new, old
    return below, above, dropped


@compiled
def with_standoffs(curves: Floats, standoff: float) -> tuple[Floats, float]:
    """Convert curves over decided coups to curves over all coups, given the chance of a stand-off.

    The number of decided coups among t is binomial; its distribution is updated coup by coup.
    """
    coups = curves.shape[1]
    spread, dropped = np.zeros(curves.shape), 0.0
    by, chances = np.array([0, 1, 0]), np.array([standoff, 1 - standoff, 0.0])
    old, new = np.zeros(coups + 3), np.zeros(coups + 3)
    first, last = 1, 2  # place 1 stands for 'no decided coup yet'
    old[first] = 1.0
    for t in range(coups):
        last += 1
        _move(old, new, first, last, by, chances)
        first, last, lost = _trim(new, first, last, 1)
        dropped += lost
        some = max(first, 2)
        for c in range(len(curves)):
            spread[c, t] = _product(new[some:last], curves[c, some - 2 : last - 2])
        old, new = new, old
    return spread, dropped


@compiled
def _product(x: Floats, y: Floats) -> float:
    """Return the scalar product; numba's own version needs scipy."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total
