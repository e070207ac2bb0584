"""What a table takes in a day, against what it should: theory, and how far chance may lead from it.

In go a table's events in their order, out come turnover, the house's result, the result that is
expected of exactly these wagers, its variance, and bounds. Expectation and variance are exact: the
edges and the joint moments of all bets of a coup, of a full shoe, whatever was agreed with whom.
Rounds are taken as independent of each other (cards that have left a shoe move an edge by far less
than chance moves a day).

The bounds are Bernstein's inequality on both sides, with the largest single round in it: for one
look at an honest table the chance to be outside is at most what the house has set, after three
rounds as well as after three thousand, and also for bets that win seldom and much. The one rule:
a bound is a promise, so whatever is not exact in it is rounded away from the alarm.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt, log
from typing import Any

from baccarat.analysis.together import covariance, figures
from baccarat.house.roles import is_guest
from baccarat.table.agreements import agreeable
from baccarat.table.rules import game_of

Agreed = tuple[tuple[str, str], ...]
Line = tuple[str, Agreed, str]
"""Rules, what was agreed with the player, and the bet."""
PINS = ("TableOpened", "SettingsChanged", "ShoeCommitted", "ShoeBegun")
"""What says by which rules a round is dealt."""
RESULTS = ("RoundSettled", "RoundCorrected", "DisputeDecided", "IrregularityFound")
MOST_AGREED = 4
"""Terms agreed with players whose bets are all counted against each other; with more of them, what
bets of different terms have in common is bounded, and the bounds are a little wider."""


@dataclass(frozen=True)
class Bounds:
    """What the house should have won, and between which results chance explains the difference."""

    expected: Fraction
    variance: Fraction
    low: int
    high: int

    @property
    def deviation(self) -> int:
        """One standard deviation, in coins, rounded."""
        return (isqrt(floor(4 * self.variance)) + 1) // 2

    def holds(self, result: int) -> bool:
        return self.low <= result <= self.high


@dataclass
class Taking:
    """Of one kind of money at one table, since a time."""

    rounds: int = 0
    turnover: int = 0
    result: int = 0
    """What the house won of it, in coins; below zero, lost. As corrected."""
    disputes: int = 0
    """Paid beyond it, in disputes."""
    stakes: Counter[Line] = field(default_factory=Counter)
    products: Counter[tuple[Line, Line]] = field(default_factory=Counter)
    """By pair of bets, the stakes on both in one round multiplied, all rounds added up."""
    largest: Fraction = Fraction(0)
    """The most that players could win in one round beyond what is expected."""
    heaviest: Fraction = Fraction(0)
    """The same for the house."""

    @property
    def hold(self) -> Fraction:
        """The house's part of what was staked."""
        return Fraction(self.result, self.turnover) if self.turnover else Fraction(0)

    def take(self, stakes: Mapping[Line, int], net: int) -> None:
        """One more round: all that was staked on it, and what the players won, net."""
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

    def bounds(self, once_in: int) -> Bounds:
        """An honest table is outside at one look in so many at most."""
        expected = sum(
            (coins * figures(*_bet(line)).edge for line, coins in self.stakes.items()), Fraction(0)
        )
        many = len({agreed for _, agreed, _ in self.stakes}) > MOST_AGREED
        variance = sum(
            (
                coins * (_at_most(*pair) if many and pair[0][1] != pair[1][1] else _exactly(*pair))
                for pair, coins in self.products.items()
            ),
            Fraction(0),
        )
        low = floor(expected - _far(variance, self.largest, once_in))
        high = ceil(expected + _far(variance, self.heaviest, once_in))
        return Bounds(expected, variance, low, high)


def _far(variance: Fraction, most: Fraction, once_in: int) -> int:
    """t such that exp(-t² / (2 (variance + most t / 3))) is half of once in so many, rounded up."""
    weight = Fraction(ceil(log(2 * once_in) * 10**6), 10**6)
    part = weight * most / 3
    inside = part * part + 2 * weight * variance
    return ceil(part) + isqrt(ceil(inside)) + 1


def _exactly(one: Line, other: Line) -> Fraction:
    return covariance(_bet(one), _bet(other))


@lru_cache(maxsize=65536)
def _at_most(one: Line, other: Line) -> Fraction:
    """No covariance is larger than both deviations multiplied."""
    both = figures(*_bet(one)).variance * figures(*_bet(other)).variance
    return Fraction(isqrt(ceil(both * 10**12)) + 1, 10**6)


def _bet(line: Line) -> tuple[Any, str]:
    rules, agreed, bet = line
    return game_of(rules, agreed), bet


@lru_cache(maxsize=4096)
def _reach(line: Line) -> tuple[Fraction, Fraction]:
    """How far one unit on a bet may end above and below what is expected of it."""
    known = figures(*_bet(line))
    pays = [pay for pay, _ in known.distribution]
    return max(pays) - known.expectation, known.expectation - min(pays)


@dataclass
class Takings:
    """A table's day, folded from its events; guests play with play money, and are kept apart."""

    settings: str = ""
    rules: str = ""
    players: Taking = field(default_factory=Taking)
    guests: Taking = field(default_factory=Taking)
    dealt: Counter[str] = field(default_factory=Counter)
    """Rounds, by dealer; and errors that were flagged (G29)."""
    errors: Counter[str] = field(default_factory=Counter)
    agreed: dict[str, Agreed] = field(default_factory=dict)
    nets: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Round to what players and guests won of it: what a correction replaces."""

    @property
    def asks_for_wagers(self) -> bool:
        """Are terms agreed with players here, so that wagers must be read too?"""
        known = {rules for rules in (self.settings, self.rules) if rules}
        return any(agreeable(game_of(rules)) for rules in known)

    def take(self, kind: str, value: Mapping[str, Any]) -> None:
        """One more event."""
        match kind:
            case "TableOpened" | "SettingsChanged":
                self.settings = value["settings"]["rules"]
            case "ShoeCommitted" | "ShoeBegun":
                self.rules = self.settings
            case "WagersPlaced":
                pairs = tuple((name, text) for name, text in value["agreed"])
                self.agreed[value["player"]] = pairs
            case "IrregularityFound":
                self.errors[value["dealer"]] += 1
            case "RoundSettled":
                if value.get("dealer"):
                    self.dealt[value["dealer"]] += 1
                self._settled(value["round"], value["results"])
            case "RoundCorrected":
                self._corrected(value["round"], value["results"])
            case "DisputeDecided":
                taking = self.guests if is_guest(value["player"]) else self.players
                taking.disputes += _net(value["after"]) - _net(value["before"])

    def _settled(self, number: int, results: list[dict[str, Any]]) -> None:
        nets = []
        for taking, mine in zip((self.players, self.guests), _apart(results), strict=True):
            stakes: Counter[Line] = Counter()
            for one in mine:
                agreed = self.agreed.get(one["player"], ())
                for wager in one["wagers"]:
                    stakes[self.rules, agreed, wager["bet"]] += wager["stake"]
            net = sum(_net(one) for one in mine)
            if stakes:
                taking.take(stakes, net)
            nets.append(net)
        self.nets[number] = (nets[0], nets[1])
        self.agreed.clear()

    def _corrected(self, number: int, results: list[dict[str, Any]]) -> None:
        if number not in self.nets:
            return  # of another day
        new = tuple(sum(_net(one) for one in mine) for mine in _apart(results))
        for taking, before, after in zip(
            (self.players, self.guests), self.nets[number], new, strict=True
        ):
            taking.result -= after - before
        self.nets[number] = (new[0], new[1])


def _apart(results: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Those of players with accounts, and those of guests."""
    return (
        [one for one in results if not is_guest(one["player"])],
        [one for one in results if is_guest(one["player"])],
    )


def _net(result: Mapping[str, Any]) -> int:
    return int(sum(wager["net"] for wager in result["wagers"]))
