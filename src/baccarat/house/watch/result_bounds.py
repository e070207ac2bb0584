"""Compares a table's daily result with its expectation and with the bounds of chance.

The figures are computed from the results in the table's events: turnover, the house's result, the
expected result of exactly these wagers, its variance, and bounds. Expectation and variance are
exact: they come from the edges and joint moments of all bets in a coup from a full shoe, including
terms agreed with players. Rounds are treated as independent, because the cards that have left a
shoe change an edge far less than chance changes a day's result.

The bounds use Bernstein's inequality on both sides, with the largest deviation of a single round.
For one check of an honest table, the probability of a result outside the bounds is at most what the
house has set. This holds after three rounds as well as after three thousand, and also for bets that
rarely win but pay a lot. An inexact bound is rounded outwards, so rounding never causes a false
alarm.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt, log
from typing import Any

from baccarat.analysis import edges as theory
from baccarat.core.money import percent_string
from baccarat.house.people.roles import is_guest
from baccarat.shoe.commitment import Hex
from baccarat.table import events as e
from baccarat.table.codec import Values
from baccarat.table.rules import game_of

Results = Sequence[e.PlayerResult]
Line = tuple[str, Values, str]
"""A bet, identified by the rules, the terms agreed with the player and the bet's id."""
RESULTS = (
    *(e.RoundSettled, e.RoundCorrected, e.DisputeDecided, e.DisputeAnswered),
    e.IrregularityFound,
)
MAX_AGREED = 4
"""Number of different agreed terms up to which all covariances are exact. If there are more,
covariances between bets under different terms are replaced by upper bounds, so the bounds of the
result are slightly wider."""


@dataclass(frozen=True)
class Figures:
    """A table's result compared with its expectation, and the range that chance explains."""

    rounds: int
    turnover: int
    result: int
    hold: str | None
    """The house's result as a share of the turnover."""
    expected: int
    deviation: int
    """One standard deviation, in whole coins."""
    low: int
    high: int
    outside: bool
    disputes: int


@dataclass
class Taking:
    """Results in one kind of money at one table, since a given time."""

    rounds: int = 0
    turnover: int = 0
    result: int = 0
    """Coins won by the house, including corrections; negative if the house lost."""
    disputes: int = 0
    """Coins paid in disputes, in addition to the result."""
    nets: dict[int, int] = field(default_factory=dict)
    """Players' net win by round; a correction replaces the value of its round."""
    stakes: Counter[Line] = field(default_factory=Counter)
    products: Counter[tuple[Line, Line]] = field(default_factory=Counter)
    """Product of the stakes on each pair of bets in one round, summed over all rounds."""
    largest: Fraction = Fraction(0)
    """Largest amount above expectation that players could win in one round."""
    heaviest: Fraction = Fraction(0)
    """Largest amount above expectation that the house could win in one round."""

    def figures(self, once_in: int) -> Figures:
        """Return the result, with bounds that chance exceeds at most once in `once_in` checks."""
        expected, variance, hold = self.expected, self.variance, None
        if self.turnover:
            hold = percent_string(Fraction(self.result, self.turnover), 2)
        low = floor(expected - _deviation_bound(variance, self.largest, once_in))
        high = ceil(expected + _deviation_bound(variance, self.heaviest, once_in))
        return Figures(
            *(self.rounds, self.turnover, self.result, hold, round(expected)),
            *((isqrt(floor(4 * variance)) + 1) // 2, low, high),
            not low <= self.result <= high,
            self.disputes,
        )

    def take(self, stakes: Mapping[Line, int], net: int) -> None:
        """Add a round, given all its stakes and the players' net win."""
        self.rounds += 1
        self.turnover += sum(stakes.values())
        self.result -= net
        self.stakes.update(stakes)
        lines = sorted(stakes)
        for i, one in enumerate(lines):
            for other in lines[i:]:
                twice = 1 if one == other else 2
                self.products[one, other] += twice * stakes[one] * stakes[other]
        up = sum((coins * _reach(line)[0] for line, coins in stakes.items()), Fraction(0))
        down = sum((coins * _reach(line)[1] for line, coins in stakes.items()), Fraction(0))
        self.largest, self.heaviest = max(self.largest, up), max(self.heaviest, down)

    @property
    def expected(self) -> Fraction:
        """The house's expected result."""
        return expected_result(self.stakes)

    @property
    def variance(self) -> Fraction:
        """The variance of the result."""
        many = len({agreed for _, agreed, _ in self.stakes}) > MAX_AGREED
        return sum(
            (
                coins * (_at_most(*pair) if many and pair[0][1] != pair[1][1] else _exactly(*pair))
                for pair, coins in self.products.items()
            ),
            Fraction(0),
        )


def expected_result(stakes: Mapping[Line, int]) -> Fraction:
    """Return what the house expects to win with these stakes, from the exact edge of each bet."""
    edges = ((theory.figures_of(*_bet(line)).edge, coins) for line, coins in stakes.items())
    return sum((edge * coins for edge, coins in edges), Fraction(0))


def _deviation_bound(variance: Fraction, most: Fraction, once_in: int) -> int:
    """Return t, rounded up, such that exp(-t² / (2 (variance + most t / 3))) = 1 / (2 once_in)."""
    weight = Fraction(ceil(log(2 * once_in) * 10**6), 10**6)
    part = weight * most / 3
    inside = part * part + 2 * weight * variance
    return ceil(part) + isqrt(ceil(inside)) + 1


def _exactly(one: Line, other: Line) -> Fraction:
    return theory.covariance(_bet(one), _bet(other))


@lru_cache(maxsize=65536)
def _at_most(one: Line, other: Line) -> Fraction:
    """Return an upper bound on the covariance of two bets, from their standard deviations."""
    both = theory.figures_of(*_bet(one)).variance * theory.figures_of(*_bet(other)).variance
    return Fraction(isqrt(ceil(both * 10**12)) + 1, 10**6)


def _bet(line: Line) -> tuple[Any, str]:
    rules, agreed, bet = line
    return game_of(rules, agreed), bet


@lru_cache(maxsize=4096)
def _reach(line: Line) -> tuple[Fraction, Fraction]:
    """Return how far the net result of a unit stake can be above and below its expectation."""
    known = theory.figures_of(*_bet(line))
    pays = [pay for pay, _ in known.distribution]
    return max(pays) - known.expectation, known.expectation - min(pays)


@dataclass
class Takings:
    """Totals of a table's results on one day; guests' play money is counted separately."""

    players: Taking = field(default_factory=Taking)
    guests: Taking = field(default_factory=Taking)
    dealt: Counter[str] = field(default_factory=Counter)
    """Number of rounds by dealer."""
    errors: Counter[str] = field(default_factory=Counter)
    """Number of errors by dealer (G29); what one entry causes counts as one error."""
    _error_at: int = -1
    """When the last error was flagged; the events of one entry have the same time."""

    def take(self, event: e.Event, rules_of: Callable[[Hex], str]) -> None:
        """Add an event; `rules_of` returns the rules with a given hash."""
        match event:
            case e.IrregularityFound():
                self.errors[event.dealer] += event.at != self._error_at
                self._error_at = event.at
            case e.RoundSettled():
                if event.dealer:
                    self.dealt[event.dealer] += 1
                self._settled(event, rules_of(event.rules))
            case e.RoundCorrected():
                self._corrected(event.round, event.results)
            case e.DisputeDecided():
                taking = self.guests if is_guest(event.player) else self.players
                taking.disputes += event.after.net - event.before.net
            case e.DisputeAnswered():
                taking = self.guests if is_guest(event.player) else self.players
                taking.disputes += event.amount

    def _settled(self, event: e.RoundSettled, rules: str) -> None:
        for taking, theirs in self._by_money(event.results):
            stakes: Counter[Line] = Counter()
            for result in theirs:
                for wager in result.wagers:
                    stakes[rules, result.agreed, wager.bet] += wager.stake
            taking.nets[event.round] = sum(result.net for result in theirs)
            if stakes:
                taking.take(stakes, taking.nets[event.round])

    def _corrected(self, number: int, results: Results) -> None:
        for taking, theirs in self._by_money(results):
            if number in taking.nets:  # otherwise the round was settled on another day
                net = sum(result.net for result in theirs)
                taking.result -= net - taking.nets[number]
                taking.nets[number] = net

    def _by_money(self, results: Results) -> tuple[tuple[Taking, Results], ...]:
        """Split the results into those of players with accounts and those of guests."""
        return (
            (self.players, [result for result in results if not is_guest(result.player)]),
            (self.guests, [result for result in results if is_guest(result.player)]),
        )
