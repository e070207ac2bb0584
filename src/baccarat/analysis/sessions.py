"""Sessions, exactly: the same wagers on every coup, and what becomes of a bankroll.

In goes the exact distribution of what one coup wins or loses, in coins (`edges` counts it, several
wagers together). Out come the distribution of the net result, the curves of ruin and of reaching a
goal, and the maximum drawdown. Coups are taken as independent: with a shuffler they are, with a
shoe nearly so. No random number is drawn: means, variances and costs are fractions, chances are
float64 with their error stated.

Everything is a walk on a lattice. After t coups the net result is t × least + spacing × place,
and each coup adds a jump to the place: 0, 20 or 39 for Banker at 19:20, a place being worth a
twentieth of the stake. The last coup alone comes from a Fourier transform. Where every coup on the
way matters, chances are multiplied and added coup by coup, never subtracted, so that errors do not
grow; a place below `LEAST` is dropped, and what was dropped is part of the error.

It needs numpy. With numba (the extra `lab`) the walks are compiled; without it, in a house that is
only served, they take numpy's steps instead, which is enough for an evening of a thousand coups.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from math import ceil, floor, gcd, log, log2, sqrt
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from baccarat.analysis.edges import combined_distribution
from baccarat.analysis.remaining import RemainingShoe
from baccarat.core.errors import BaccaratError
from baccarat.core.money import format_coins
from baccarat.core.rulecard import Game
from baccarat.core.wagers import Wager, accept

numba: Any = import_module("numba") if find_spec("numba") else None
LEAST = 1e-22
"""Places less probable than this are dropped: some 1e-17 in ten thousand coups."""
ROUNDING = 2.0**-53
"""The relative error of one operation."""
TRANSFORMED = 50
"""What a point of the Fourier transform costs, with its sines, in steps of a walk."""
THINNING = 4
"""Stand-offs are left out of a walk where that makes the lattice so many times wider or more."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])


# ---- What comes out ----


@dataclass(frozen=True, eq=False)
class Final:
    """The net result after some coups."""

    coups: int
    values: Ints
    """Net results in coins, rising."""
    chances: Floats
    mean: Fraction
    variance: Fraction
    error: float
    """No sum of `chances` is wrong by more than this, at worst; as a rule they are far closer."""

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def ahead(self) -> float:
        """The chance to have won something."""
        return float(self.chances[self.values > 0].sum())

    @property
    def even(self) -> float:
        """The chance to have won and lost nothing."""
        return float(self.chances[self.values == 0].sum())

    @property
    def behind(self) -> float:
        """The chance to have lost something."""
        return float(self.chances[self.values < 0].sum())

    def quantile(self, chance: float) -> int:
        """The least net result that is not exceeded with this chance, up to the error."""
        place = int(np.searchsorted(np.cumsum(self.chances), _chance(chance) - self.error))
        return int(self.values[min(place, len(self.values) - 1)])


@dataclass(frozen=True, eq=False)
class RuinCurve:
    """What has become of a bankroll by coup 1, 2, …: three chances that add up to one."""

    bankroll: int
    goal: int | None
    ruined: Floats
    """The bankroll did not cover the stakes of the next coup: the player has had to stop."""
    reached: Floats
    """The bankroll was at the goal or above: the player has stopped."""
    playing: Floats
    error: float
    """No chance is wrong by more than this, at worst; as a rule they are far closer."""


@dataclass(frozen=True, eq=False)
class Drawdown:
    """The maximum drawdown within some coups: the deepest fall below the highest point before.

    The player is taken to have money enough for all the coups.
    """

    coups: int
    depths: Ints
    """In coins: one step, two steps, …"""
    at_least: Floats
    """The chance of a fall so deep or deeper."""
    error: float
    """As in `RuinCurve`."""

    @property
    def mean(self) -> float:
        """Of the drawdown rounded down to `depths`; deeper ones count as the last."""
        return float(self.depths[0] * self.at_least.sum())

    def quantile(self, chance: float) -> int:
        """The least depth that the drawdown, rounded down to one, does not exceed so probably."""
        enough = np.flatnonzero(1 - self.at_least >= _chance(chance) - self.error)
        if not len(enough):
            raise BaccaratError(
                f"the quantile {chance} lies beyond the depths: a drawdown is below "
                f"{format_coins(int(self.depths[-1]))} with the chance "
                f"{1 - self.at_least[-1]:.6f}; set the limit higher"
            )
        return int(self.depths[0] * enough[0])


# ---- Sessions ----


@dataclass(frozen=True)
class Session:
    """The same wagers on every coup."""

    distribution: Mapping[int, Fraction]
    """What one coup wins or loses, in coins, and how probably."""
    stake: int
    """What is staked on one coup in all, in coins."""

    def __post_init__(self) -> None:
        _at_least(1, stake=self.stake)
        chances = self.distribution.values()
        if not chances or min(chances) <= 0 or sum(chances) != 1:
            raise BaccaratError(
                f"chances are above zero and add up to one, not {', '.join(map(str, chances))}"
            )
        if -min(self.distribution) > self.stake:
            raise BaccaratError(
                f"a coup cannot lose {format_coins(-min(self.distribution))}: "
                f"{format_coins(self.stake)} is staked"
            )

    @cached_property
    def mean(self) -> Fraction:
        """What one coup wins on average, in coins; below zero, as a rule."""
        return sum((net * chance for net, chance in self.distribution.items()), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        squares = (net * net * chance for net, chance in self.distribution.items())
        return sum(squares, Fraction(0)) - self.mean**2

    @property
    def edge(self) -> Fraction:
        """What the house expects to win per unit staked."""
        return -self.mean / self.stake

    @property
    def lattice(self) -> int:
        """Net results and drawdowns are multiples of so many coins."""
        return gcd(*self.distribution) or 1

    def cost(self, coups: int) -> Fraction:
        """What the player expects to lose in so many coups: those of an evening, or of an hour."""
        return _at_least(1, coups=coups) * self.stake * self.edge

    def final(self, coups: int) -> Final:
        """The distribution of the net result after so many coups."""
        steps = _steps(self.distribution)
        places, chances, error = _power(steps, _at_least(1, coups=coups))
        values = coups * steps.least + steps.spacing * places
        return Final(coups, values, chances, coups * self.mean, coups * self.variance, error)

    def ruin_curve(self, *, bankroll: int, coups: int, goal: int | None = None) -> RuinCurve:
        """How probably the bankroll is gone, or at the goal, by each of so many coups."""
        _at_least(1, coups=coups)
        self._check_bankroll(bankroll, goal)
        steps, standoff = _walked(self.distribution)
        down, up = bankroll - self.stake, None if goal is None else goal - bankroll
        ruined, reached, dropped = _between(steps, coups, down=down, up=up)
        if standoff:
            spread, lost = _with_standoffs(np.array([ruined, reached]), float(standoff))
            # Each coup is rounded by itself here, which could make a level curve fall a little.
            ruined, reached = np.maximum.accumulate(spread, axis=1)
            dropped += lost
        ruined, reached = np.minimum(ruined, 1), np.minimum(reached, 1)
        playing = np.maximum(1 - ruined - reached, 0)
        error = dropped + _rounding(len(self.distribution), coups + int(steps.jumps.max()))
        return RuinCurve(bankroll, goal, ruined, reached, playing, error)

    def work(self, coups: int, *, bankroll: int, goal: int | None = None) -> int:
        """Return an upper bound on the places that `final` and `ruin_curve` together visit.

        A place counts once for each outcome that reaches it, and a point of the Fourier transform
        `TRANSFORMED` times. Time and memory are proportional to it at most; what it costs itself
        does not depend on the stakes.
        """
        _at_least(1, coups=coups)
        self._check_bankroll(bankroll, goal)
        outcomes = len(self.distribution)
        _, _, size = _likely(_steps(self.distribution), coups)
        steps, standoff = _walked(self.distribution)
        up = None if goal is None else goal - bankroll
        bounds = _bounds(steps, coups, down=bankroll - self.stake, up=up)
        jumps, _ = _in_threes(steps.jumps, steps.chances)
        widest = int(jumps.max() - jumps.min())
        # After t coups a walk has spread to t times the widest jump, and is between its bounds.
        spread = widest * np.arange(1, coups + 1, dtype=np.float64) + 1
        window = float(np.minimum(spread, np.maximum(bounds.places, 1)).sum())
        shift = float(np.abs(np.diff(bounds.low)).max())
        margin = 2 * float(np.abs(jumps).max()) + shift + 1  # as in `_walk`
        walk = (2 * len(jumps) + 2) * window + 2 * coups * margin + 2 * float(bounds.places.max())
        stood_off = 6 * coups * (coups + 3) if standoff else 0
        return ceil(TRANSFORMED * size * (outcomes + 10) + walk + stood_off)

    def drawdown(self, coups: int, *, limit: int, every: int | None = None) -> Drawdown:
        """How probably the maximum drawdown is at least `every`, twice that, … up to the limit.

        Without `every`, all depths there are. Each depth is a walk of its own, whose time is
        that depth times the coups: for Banker at 19:20, multiples of the stake are a twentieth
        of the depths and of the work.
        """
        _at_least(1, coups=coups)
        every = self.lattice if every is None else _at_least(1, every=every)
        depths = np.arange(every, _at_least(every, limit=limit) + 1, every)
        falls = np.array([-net // self.lattice for net in self.distribution])
        by, chances = _in_threes(falls, _floats(self.distribution))
        at_least, dropped = np.zeros(len(depths)), 0.0
        for i, depth in enumerate(depths.tolist()):
            places = np.full(coups, -(-depth // self.lattice))
            if places[0] <= coups * falls.max():
                _, above, lost = _walk(0, by, chances, np.zeros_like(places), places, 1.0)
                at_least[i], dropped = above[-1], max(dropped, lost)
        error = dropped + _rounding(len(falls), coups + int(np.abs(falls).max()))
        return Drawdown(coups, depths, np.minimum.accumulate(np.minimum(at_least, 1)), error)

    def fall_quantiles(
        self, coups: int, chances: Sequence[float], *, every: int | None = None
    ) -> list[int]:
        """For each chance, the least depth that the maximum drawdown, rounded down to a multiple
        of `every` (of `lattice`, which is exact, if left out), does not exceed so probably."""
        every = self.lattice if every is None else _at_least(1, every=every)
        known: dict[int, float] = {}

        def not_exceeded(steps: int) -> float:
            if steps not in known:
                depth = (steps + 1) * every
                known[steps] = 1 - float(self.drawdown(coups, limit=depth, every=depth).at_least[0])
            return known[steps]

        found = []
        for chance in map(_chance, chances):
            low, high = 0, 1
            while not_exceeded(high) < chance and high * every < coups * self.stake:
                low, high = high, 2 * high
            while low < high:
                middle = (low + high) // 2
                low, high = (low, middle) if not_exceeded(middle) >= chance else (middle + 1, high)
            found.append(low * every)
        return found

    def _check_bankroll(self, bankroll: int, goal: int | None) -> None:
        _at_least(1, bankroll=bankroll)
        if bankroll < self.stake:
            raise BaccaratError(
                f"a bankroll of {format_coins(bankroll)} does not cover one coup: "
                f"{format_coins(self.stake)} is staked"
            )
        if goal is not None and _at_least(1, goal=goal) <= bankroll:
            raise BaccaratError(
                f"a goal of {format_coins(goal)} is not above the bankroll: "
                f"name more than {format_coins(bankroll)}"
            )


def session(game: Game, wagers: Sequence[Wager], shoe: RemainingShoe | None = None) -> Session:
    """The session of a player who makes these wagers, refused if the table would refuse them."""
    if not wagers:
        raise BaccaratError("a session needs wagers: there are 0, and 1 or more are allowed")
    accepted = accept(game, wagers)
    return Session(
        combined_distribution(game, accepted, shoe), sum(wager.stake for wager in accepted)
    )


def _at_least(least: int, **named: object) -> int:
    """The one value named, if it is a whole number and not below the least."""
    [(name, value)] = named.items()
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BaccaratError(f"{name} = {value!r} is not a whole number of {least} or more")
    return value


def _chance(chance: float) -> float:
    if not 0 < chance < 1:
        raise BaccaratError(f"{chance!r} is not a chance between 0 and 1")
    return chance


# ---- The lattice ----


class Steps(NamedTuple):
    """One coup as a step of a walk: it wins least + spacing × jump coins."""

    least: int
    spacing: int
    jumps: Ints
    chances: Floats

    def spread(self, coups: int, unlikely: float) -> tuple[float, float]:
        """The mean place after some coups, and the distance from it that is passed so unlikely.

        Bernstein's inequality for sums of independent steps, once for each side.
        """
        mean = float(self.jumps @ self.chances)
        away = np.abs(self.jumps - mean)
        largest, variance = float(away.max()), float(away**2 @ self.chances)
        third = largest * log(1 / unlikely) / 3
        distance = third + sqrt(third**2 + 2 * coups * variance * log(1 / unlikely))
        return coups * mean, min(distance, coups * largest)


def _steps(distribution: Mapping[int, Fraction]) -> Steps:
    least = min(distribution)
    spacing = gcd(*(net - least for net in distribution)) or 1
    jumps = np.array([(net - least) // spacing for net in distribution])
    return Steps(least, spacing, jumps, _floats(distribution))


def _walked(distribution: Mapping[int, Fraction]) -> tuple[Steps, Fraction]:
    """The steps to walk, and the chance of the stand-offs left out of them, if any.

    Wins and losses alone can have a far wider lattice: 39 twentieths for Banker at 19:20.
    """
    steps, standoff = _steps(distribution), distribution.get(0, Fraction(0))
    if 0 < standoff < 1:
        decided = {net: chance / (1 - standoff) for net, chance in distribution.items() if net}
        if (thinned := _steps(decided)).spacing >= THINNING * steps.spacing:
            return thinned, standoff
    return steps, Fraction(0)


def _floats(distribution: Mapping[int, Fraction]) -> Floats:
    return np.array([float(chance) for chance in distribution.values()])


def _rounding(outcomes: int, operations: int) -> float:
    """A bound for the rounding of so many operations in a row, for every outcome of a coup."""
    return (outcomes + 8) * (operations + 1000) * ROUNDING


def _power(steps: Steps, coups: int) -> tuple[Ints, Floats, float]:
    """The places after some coups, their chances, and a bound for the error of any sum of these.

    It is the Fourier transform of one coup, raised to a power. That multiplies errors, so the
    transform is written as 1 - a + ib, with jumps counted from their mean: where its power
    matters, a and b are small, and the logarithm is right to the last digits.
    """
    mean, first, size = _likely(steps, coups)
    centre = round(mean / coups)
    frequencies = np.arange(size // 2 + 1)
    a, b, doubt = np.zeros((3, len(frequencies)))
    for jump, chance in zip((steps.jumps - centre).tolist(), steps.chances.tolist(), strict=True):
        # Whole turns are taken off in integers, which loses nothing.
        angles = ((jump * frequencies + size // 2) % size - size // 2) * (np.pi / size)
        sine, cosine = np.sin(angles), np.cos(angles)
        a += 2 * chance * sine * sine
        b -= 2 * chance * sine * cosine
        doubt += chance * np.abs(sine)
    square = a * (a - 2) + b * b  # less 1
    with np.errstate(divide="ignore"):  # the logarithm of 0, whose power is 0 again
        logarithm = coups * np.log(np.hypot(1 - a, b))
    logarithm[square > -0.5] = coups * np.log1p(square[square > -0.5]) / 2
    matter = np.flatnonzero(logarithm > log(LEAST))
    a, b, doubt, logarithm = a[matter], b[matter], doubt[matter], logarithm[matter]
    transform = np.zeros(len(frequencies), np.complex128)
    transform[matter] = np.exp(logarithm + 1j * coups * np.arctan2(b, 1 - a))
    chances = np.roll(np.fft.irfft(transform, size), (centre * coups - first) % size)
    operations = log2(size) + 1 + coups * doubt - logarithm
    derivative = np.exp(logarithm * (coups - 1) / coups)
    noise = 16 * ROUNDING * float(derivative @ operations) / size
    chances[chances < noise] = 0  # so that none is below zero, and no tail is made of noise
    there = np.flatnonzero(chances)
    ends = slice(there[0], there[-1] + 1)
    return np.arange(first, first + size)[ends], chances[ends], size * noise + 1e-15


def _likely(steps: Steps, coups: int) -> tuple[float, int, int]:
    """The mean place after some coups, the first likely one, and how many are transformed."""
    mean, distance = steps.spread(coups, 1e-16)
    first = max(0, floor(mean - distance))
    last = min(coups * int(steps.jumps.max()), ceil(mean + distance))
    return mean, first, 1 << (last - first).bit_length()


class Bounds(NamedTuple):
    """Where a walk ends, in coins and in places; a place is counted from the first in play, which
    moves from coup to coup."""

    lowest: int
    highest: int
    low: Ints
    places: Ints


def _bounds(steps: Steps, coups: int, *, down: int, up: int | None) -> Bounds:
    """The bounds of a walk; those too far away to matter are moved nearer."""
    mean, distance = steps.spread(coups, LEAST)
    drift = coups * steps.least + steps.spacing * mean
    lowest = min(down, ceil(steps.spacing * distance - min(drift, 0)))
    highest = ceil(steps.spacing * distance + max(drift, 0)) + 1
    highest = highest if up is None else min(up, highest)
    least = steps.least * np.arange(coups + 1)
    low, high = -((least + lowest) // steps.spacing), -((least - highest) // steps.spacing)
    return Bounds(lowest, highest, low, (high - low)[1:])


def _between(
    steps: Steps, coups: int, *, down: int, up: int | None
) -> tuple[Floats, Floats, float]:
    """The chances to have lost more than `down` coins, or won `up` or more, by each coup.

    What passes a bound that was moved nearer counts as dropped.
    """
    lowest, highest, low, places = _bounds(steps, coups, down=down, up=up)
    jumps, chances = _in_threes(steps.jumps, steps.chances)
    below, above, dropped = _walk(-int(low[0]), jumps, chances, np.diff(low), places, 0.0)
    if lowest != down:
        below, dropped = np.zeros(coups), dropped + float(below[-1])
    if highest != up:
        above, dropped = np.zeros(coups), dropped + float(above[-1])
    return below, above, dropped


def _in_threes(jumps: Ints, chances: Floats) -> tuple[Ints, Floats]:
    """Filled up with jumps of no chance: `_move` takes three in one pass."""
    more = -len(jumps) % 3
    return np.append(jumps, jumps[:1].repeat(more)), np.append(chances, np.zeros(more))


# ---- The compiled part ----


def _move_in_numpy(
    old: Floats, new: Floats, first: int, last: int, by: Ints, chances: Floats
) -> None:
    """What `_move` does, a whole window at a time."""
    into = new[first:last]
    into[:] = 0.0
    for jump, chance in zip(by.tolist(), chances.tolist(), strict=True):
        if chance:
            into += chance * old[first - jump : last - jump]


def _product_in_numpy(x: Floats, y: Floats) -> float:
    return float(x @ y)


def _trim_in_numpy(chances: Floats, first: int, last: int, margin: int) -> tuple[int, int, float]:
    """What `_trim` does, a whole window at a time."""
    window = chances[first:last]
    there = np.flatnonzero(window >= LEAST)
    low, high = (int(there[0]), int(there[-1]) + 1) if len(there) else (len(window), len(window))
    dropped = float(window[:low].sum() + window[high:].sum())
    first, last = first + low, first + high
    chances[first - margin : first] = 0.0
    chances[last : last + margin] = 0.0
    return first, last, dropped


IN_NUMPY: dict[str, Callable[..., Any]] = {
    "_move": _move_in_numpy,
    "_product": _product_in_numpy,
    "_trim": _trim_in_numpy,
}
"""The loops over places, for where nothing compiles them."""


def compiled(function: Function) -> Function:
    """Compile on first use, and keep the machine code on disk.

    Sums may be taken in any order, and products added without rounding in between.
    """
    if numba is None:
        return cast("Function", IN_NUMPY.get(function.__name__, function))
    fast = numba.njit(
        function, cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract"}
    )
    return cast("Function", fast)


@compiled
def _move(old: Floats, new: Floats, first: int, last: int, by: Ints, chances: Floats) -> None:
    """The chances of the places first to last after one coup; `old` is 0 around its window."""
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
    """Drop what is negligible at both ends of a window, and clear its margins."""
    dropped = 0.0
    while first < last and chances[first] < LEAST:
        dropped += chances[first]
        first += 1
    while first < last and chances[last - 1] < LEAST:
        last -= 1
        dropped += chances[last]
    chances[first - margin : first] = 0.0
    chances[last : last + margin] = 0.0
    return first, last, dropped


@compiled
def _walk(
    start: int, jumps: Ints, chances: Floats, shifts: Ints, places: Ints, returned: float
) -> tuple[Floats, Floats, float]:
    """Walk between two bounds; by each coup, what has passed below, and above; what was dropped.

    In coup t all places are renumbered by shifts[t]; then 0 is the lowest and places[t] the first
    one out. Of what passes below, a part is `returned` to the lowest place: all or nothing.
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
def _with_standoffs(curves: Floats, standoff: float) -> tuple[Floats, float]:
    """Curves over decided coups as curves over all coups, so many of which are stand-offs.

    The number of decided coups among t is binomial; its distribution is kept up from coup to coup.
    """
    coups = curves.shape[1]
    spread, dropped = np.zeros(curves.shape), 0.0
    by, chances = np.array([0, 1, 0]), np.array([standoff, 1 - standoff, 0.0])
    old, new = np.zeros(coups + 3), np.zeros(coups + 3)
    first, last = 1, 2  # place 1 stands for no decided coup
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
    """The scalar product; numba's own needs scipy."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total
