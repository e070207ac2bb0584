"""Exact analysis of sessions: the same wagers on every coup, and what happens to a bankroll.

The input is the exact distribution of the result of one coup in coins, which `edges` computes for
any set of wagers. From it this module computes the distribution of the net result, the chances of
ruin and of reaching a goal over time, and the maximum drawdown. Coups are treated as independent,
which is exact for a shuffler and nearly so for a shoe. No random numbers are used. Means, variances
and costs are fractions; chances are float64 with a stated error bound.

Everything is computed as a walk on a lattice (see `walks`), which needs numpy and is compiled if
numba is installed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, sqrt

import numpy as np

from baccarat.analysis import walks
from baccarat.analysis.edges import combined_distribution
from baccarat.analysis.remaining import RemainingShoe
from baccarat.analysis.walks import Floats, Ints
from baccarat.core.errors import BaccaratError
from baccarat.core.money import format_coins
from baccarat.core.rulecard import Game
from baccarat.core.wagers import Wager, accept

TRANSFORMED = 50
"""Cost of computing one point of the Fourier transform, relative to one step of a walk."""


# ---- Results ----


@dataclass(frozen=True, eq=False)
class Final:
    """The distribution of the net result after some coups."""

    coups: int
    values: Ints
    """Net results in coins, ascending."""
    chances: Floats
    mean: Fraction
    variance: Fraction
    error: float
    """Upper bound on the error of any sum of `chances`; the actual error is usually far smaller."""

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def ahead(self) -> float:
        """The chance of a net win."""
        return float(self.chances[self.values > 0].sum())

    @property
    def even(self) -> float:
        """The chance of breaking even."""
        return float(self.chances[self.values == 0].sum())

    @property
    def behind(self) -> float:
        """The chance of a net loss."""
        return float(self.chances[self.values < 0].sum())

    def quantile(self, chance: float) -> int:
        """Return the smallest net result such that the chance of this result or a lower one is at
        least `chance`, up to `error`."""
        place = int(np.searchsorted(np.cumsum(self.chances), _chance(chance) - self.error))
        return int(self.values[min(place, len(self.values) - 1)])


@dataclass(frozen=True, eq=False)
class RuinCurve:
    """The state of a bankroll after each coup: the chances of being ruined and of having reached
    the goal."""

    bankroll: int
    goal: int | None
    ruined: Floats
    """Chance that the player has stopped because the bankroll no longer covers the stakes."""
    reached: Floats
    """Chance that the player has stopped because the bankroll reached the goal."""
    error: float
    """Upper bound on the error of any chance; the actual error is usually far smaller."""


@dataclass(frozen=True, eq=False)
class Drawdown:
    """The maximum drawdown within some coups: the deepest fall below an earlier peak.

    The player is assumed to have enough money for all the coups.
    """

    coups: int
    depths: Ints
    """Depths in coins: one step, two steps, and so on."""
    at_least: Floats
    """For each depth, the chance of a drawdown of at least this depth."""
    error: float
    """Error bound, as in `RuinCurve`."""


# ---- Sessions ----


@dataclass(frozen=True)
class Session:
    """A session with the same wagers on every coup."""

    distribution: Mapping[int, Fraction]
    """Net results of one coup in coins, and their chances."""
    stake: int
    """Total stake on one coup, in coins."""

    def __post_init__(self) -> None:
        _at_least(1, stake=self.stake)
        chances = self.distribution.values()
        if not chances or min(chances) <= 0 or sum(chances) != 1:
            raise BaccaratError(
                f"probabilities must be above 0 and add up to 1, not {', '.join(map(str, chances))}"
            )
        if -min(self.distribution) > self.stake:
            raise BaccaratError(
                f"a coup cannot lose {format_coins(-min(self.distribution))}: "
                f"only {format_coins(self.stake)} is staked"
            )

    @cached_property
    def mean(self) -> Fraction:
        """Average win per coup in coins; usually negative."""
        return sum((net * chance for net, chance in self.distribution.items()), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        squares = (net * net * chance for net, chance in self.distribution.items())
        return sum(squares, Fraction(0)) - self.mean**2

    @property
    def edge(self) -> Fraction:
        """The house edge: expected win of the house per unit staked."""
        return -self.mean / self.stake

    @property
    def lattice(self) -> int:
        """The largest number of coins of which every net result and drawdown is a multiple."""
        return gcd(*self.distribution) or 1

    def cost(self, coups: int) -> Fraction:
        """Return the player's expected loss over this many coups, such as the coups of an hour."""
        return _at_least(1, coups=coups) * self.stake * self.edge

    def final(self, coups: int) -> Final:
        """Return the distribution of the net result after this many coups."""
        steps = walks.steps_of(self.distribution)
        places, chances, error = walks.positions_after(steps, _at_least(1, coups=coups))
        values = coups * steps.least + steps.spacing * places
        return Final(coups, values, chances, coups * self.mean, coups * self.variance, error)

    def ruin_curve(self, *, bankroll: int, coups: int, goal: int | None = None) -> RuinCurve:
        """Return, for each coup, the chances that the player is ruined or has reached the goal by
        then."""
        _at_least(1, coups=coups)
        self._check_bankroll(bankroll, goal)
        steps, standoff = walks.walked_steps(self.distribution)
        down, up = bankroll - self.stake, None if goal is None else goal - bankroll
        ruined, reached, dropped = walks.between(steps, coups, down=down, up=up)
        if standoff:
            spread, lost = walks.with_standoffs(np.array([ruined, reached]), float(standoff))
            # Each coup is rounded separately, so a flat curve could fall slightly.
            ruined, reached = np.maximum.accumulate(spread, axis=1)
            dropped += lost
        ruined, reached = np.minimum(ruined, 1), np.minimum(reached, 1)
        error = dropped + walks.rounding_error(
            len(self.distribution), coups + int(steps.jumps.max())
        )
        return RuinCurve(bankroll, goal, ruined, reached, error)

    def work(self, coups: int, *, bankroll: int, goal: int | None = None) -> int:
        """Return an upper bound on the work of `final` and `ruin_curve` together, in visited
        states.

        A state counts once for each outcome that leads to it, and a point of the Fourier transform
        counts as `TRANSFORMED` states. Time and memory are at most proportional to this bound. The
        time to compute the bound itself does not depend on the stakes.
        """
        _at_least(1, coups=coups)
        self._check_bankroll(bankroll, goal)
        outcomes = len(self.distribution)
        _, _, size = walks.likely(walks.steps_of(self.distribution), coups)
        steps, standoff = walks.walked_steps(self.distribution)
        up = None if goal is None else goal - bankroll
        bounds = walks.bounds_of(steps, coups, down=bankroll - self.stake, up=up)
        jumps, _ = walks.padded_to_threes(steps.jumps, steps.chances)
        widest = int(jumps.max() - jumps.min())
        # After t coups a walk spans at most t times the widest jump, and stays within its bounds.
        spread = widest * np.arange(1, coups + 1, dtype=np.float64) + 1
        window = float(np.minimum(spread, np.maximum(bounds.places, 1)).sum())
        shift = float(np.abs(np.diff(bounds.low)).max())
        margin = 2 * float(np.abs(jumps).max()) + shift + 1  # as in `walk`
        walk = (2 * len(jumps) + 2) * window + 2 * coups * margin + 2 * float(bounds.places.max())
        stood_off = 6 * coups * (coups + 3) if standoff else 0
        return ceil(TRANSFORMED * size * (outcomes + 10) + walk + stood_off)

    def drawdown(self, coups: int, *, limit: int, every: int | None = None) -> Drawdown:
        """Return the chances that the maximum drawdown is at least `every`, 2 × `every`, … up to
        the limit.

        Without `every`, all possible depths are used. Each depth is a separate walk, whose time is
        proportional to the depth times the coups. For example, for a Banker bet at 19:20, using
        only multiples of the stake takes a twentieth of the depths and of the work.
        """
        _at_least(1, coups=coups)
        every = self.lattice if every is None else _at_least(1, every=every)
        depths = np.arange(every, _at_least(every, limit=limit) + 1, every)
        falls = np.array([-net // self.lattice for net in self.distribution])
        by, chances = walks.padded_to_threes(falls, walks.as_floats(self.distribution))
        at_least, dropped = np.zeros(len(depths)), 0.0
        for i, depth in enumerate(depths.tolist()):
            places = np.full(coups, -(-depth // self.lattice))
            if places[0] <= coups * falls.max():
                _, above, lost = walks.walk(0, by, chances, np.zeros_like(places), places, 1.0)
                at_least[i], dropped = above[-1], max(dropped, lost)
        error = dropped + walks.rounding_error(len(falls), coups + int(np.abs(falls).max()))
        return Drawdown(coups, depths, np.minimum.accumulate(np.minimum(at_least, 1)), error)

    def fall_quantiles(
        self, coups: int, chances: Sequence[float], *, every: int | None = None
    ) -> list[int]:
        """Return quantiles of the maximum drawdown: for each chance, the smallest depth such that a
        drawdown no deeper than this has at least that chance.

        The drawdown is rounded down to a multiple of `every`; with the default, `lattice`, it is
        exact.
        """
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
                f"a bankroll of {format_coins(bankroll)} does not cover one coup, which stakes "
                f"{format_coins(self.stake)}"
            )
        if goal is not None and _at_least(1, goal=goal) <= bankroll:
            raise BaccaratError(
                f"a goal of {format_coins(goal)} must be above the bankroll of "
                f"{format_coins(bankroll)}"
            )


def session(game: Game, wagers: Sequence[Wager], shoe: RemainingShoe | None = None) -> Session:
    """Return the session of a player who places these wagers on every coup.

    Wagers that the table would refuse are refused here too.
    """
    if not wagers:
        raise BaccaratError("a session needs at least one wager")
    accepted = accept(game, wagers)
    return Session(
        combined_distribution(game, accepted, shoe), sum(wager.stake for wager in accepted)
    )


def _at_least(least: int, **named: object) -> int:
    """Return the value of the only keyword argument; raise an error if it is not a whole number of
    at least `least`."""
    [(name, value)] = named.items()
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BaccaratError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return value


def _chance(chance: float) -> float:
    if not 0 < chance < 1:
        raise BaccaratError(f"a probability must be between 0 and 1, not {chance!r}")
    return chance
