"""A strategy on trial: many sessions at a table, and what became of the bankroll.

In go a game, a plan for its shoes, a strategy with its rule of choice, the money and the time.
Each session has its own shoes, so sessions are independent and the standard errors simple. Out
come distributions as whole numbers: sessions by net result, by deepest fall, by longest losing
run, and by how and when they ended.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from operator import index
from traceback import extract_tb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baccarat.core.errors import BaccaratError, nearest, one_of
from baccarat.core.money import format_coins
from baccarat.core.rulecard import Game
from baccarat.core.wagers import RefusedBy, Wager, refusals
from baccarat.roads import DERIVED
from baccarat.simulation import playing, work
from baccarat.simulation.counting import Count
from baccarat.simulation.inputs import game_input, shoe_input
from baccarat.simulation.kernel import LANES
from baccarat.simulation.lookup import Lookup, lookup_of
from baccarat.simulation.plan import ShoePlan
from baccarat.simulation.run import check_seed, rules_identity
from baccarat.simulation.strategies import BANKER, NO_BET, PLAYER, TIE, Seat, Strategy, flat

MOST_COUPS = 1_000_000
MOST_SESSIONS = 10**12
COUPS_PER_CHUNK = 1 << 21
PATHS = 1_024
"""Of so many sessions the way of the bankroll is kept, for pictures of it."""
POINTS = 100
"""At so many points at most."""
MOST_COINS = 10**12

ENDINGS = {
    playing.RUINED: "ruined",
    playing.STOP_LOSS: "stop_loss",
    playing.STOP_WIN: "stop_win",
    playing.OUT_OF_TIME: "time",
}
"""Ruined: what is left does not cover the least stake."""

ROADS = {name.replace("_", "-"): k for name, k in DERIVED.items()}
CHOICES = {
    "last-winner": "on the side that won last; it follows the big road",
    "not-last-winner": "on the side that did not win last",
    **{
        name: f"on the side that would repeat the last colour of the {name.replace('-', ' ')}"
        for name in ROADS
    },
}
"""Rules of choice, beside the bets themselves."""


@dataclass(frozen=True)
class Terms:
    """A player's money and time, in coins and coups."""

    unit: int
    bankroll: int
    coups: int
    """Coups that pass in a session, wagered on or not."""
    minimum: int | None = None
    """Table limits; the rule card's when None."""
    maximum: int | None = None
    stop_loss: int | None = None
    """Stop when so much is lost."""
    stop_win: int | None = None
    """Stop when so much is won."""

    def __post_init__(self) -> None:
        for name, coins in asdict(self).items():
            least = 0 if name == "coups" else 1
            if coins is not None and not least <= coins <= MOST_COINS:
                raise BaccaratError(
                    f"{name.replace('_', '-')} {coins} is out of range: "
                    f"{least} to {MOST_COINS} is allowed"
                )
        if not 1 <= self.coups <= MOST_COUPS:
            raise BaccaratError(f"{self.coups} coups: 1 to {MOST_COUPS} is allowed")


@dataclass(frozen=True)
class Trial:
    """What is to be played."""

    game: Game
    plan: ShoePlan
    strategy: Strategy
    choice: str
    """A bet's id, or one of CHOICES."""
    terms: Terms
    seed: int
    sessions: int
    count: Count | None = None
    """Wager only when this count says so."""

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not 1 <= self.sessions <= MOST_SESSIONS:
            raise BaccaratError(f"{self.sessions} sessions: 1 to {MOST_SESSIONS} is allowed")
        for bet in self.bets:
            self._check_bet(bet)

    def _check_bet(self, bet: str) -> None:
        terms, (minimum, maximum, step) = self.terms, self._limits(bet)
        name = self.game.bet(bet).name
        alone = refusals(self.game, [Wager(bet, step)])
        for refusal in alone:
            if refusal.rule is RefusedBy.REQUIRES:
                raise BaccaratError(f"a strategy has one wager a coup, and {refusal.words}")
        if minimum > maximum:
            raise BaccaratError(
                f"{name}: the least stake, {format_coins(minimum)}, is above the largest, "
                f"{format_coins(maximum)}: change --minimum, --maximum or the unit"
            )
        if terms.unit % step or not minimum <= terms.unit <= maximum:
            raise BaccaratError(
                f"{name}: a unit of {format_coins(terms.unit)} cannot be staked: multiples of "
                f"{format_coins(step)} from {format_coins(minimum)} to {format_coins(maximum)} can"
            )
        if terms.bankroll < minimum:
            raise BaccaratError(
                f"a bankroll of {format_coins(terms.bankroll)} is below the least stake on "
                f"{name}, {format_coins(minimum)}: bring more"
            )

    def _limits(self, bet: str) -> tuple[int, int, int]:
        """The least and largest stake that can be paid in whole coins, and the step."""
        place = self.game.bets.index(self.game.bet(bet))
        minimum, maximum = self.game.limits(self.game.bets[place])
        minimum = minimum if self.terms.minimum is None else self.terms.minimum
        maximum = maximum if self.terms.maximum is None else self.terms.maximum
        if self.strategy.decide is flat:  # flat is flat: no smaller stake at the end
            minimum = max(minimum, self.terms.unit)
        step = self.lookup.units[place]
        return -(-minimum // step) * step, maximum // step * step, step

    @property
    def lookup(self) -> Lookup:
        return lookup_of(self.game.pay_table)

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets that the rule of choice may propose."""
        ids = [bet.id for bet in self.game.bets]
        if self.choice in ids:
            return (self.choice,)
        if self.choice not in CHOICES:
            known = [*ids, *CHOICES]
            raise BaccaratError(
                f"{self.choice!r} is no bet of {self.game.card.id} and no rule of choice"
                f"{nearest(self.choice, known)}: name {one_of(known)}"
            )
        if not {"player", "banker"} <= set(ids):
            raise BaccaratError(
                f"{self.choice} needs bets with the ids player and banker, and "
                f"{self.game.card.id} lacks one: name one of its bets"
            )
        return "player", "banker"

    @property
    def shoes_each(self) -> int:
        """Shoes set aside for one session: always enough."""
        return -(-self.terms.coups // self.plan.certain_coups)

    @property
    def every(self) -> int:
        """Coups between two points of a path."""
        return -(-self.terms.coups // POINTS)

    # ---- As a job ----

    @property
    def units(self) -> int:
        return self.sessions

    @property
    def chunk(self) -> int:
        return max(1, COUPS_PER_CHUNK // self.terms.coups)

    @property
    def identity(self) -> dict[str, Any]:
        return {
            **rules_identity(self.game),
            "plan": asdict(self.plan),
            "strategy": self.strategy.name,
            "does": self.strategy.fingerprint,
            "options": dict(self.strategy.options),
            "memory": self.strategy.memory,
            "choice": self.choice,
            "terms": asdict(self.terms),
            "seed": self.seed,
            "sessions": self.sessions,
            "count": None if self.count is None else self.count.identity,
        }

    def part(self, first: int, count: int) -> "Sessions":
        compiled = self.strategy.compiled
        if compiled.why_not:
            decide, play = _watched(self.strategy), playing.play_in_python
        else:
            decide, play = compiled.decide, playing.play
        rows, paths = self._played(play, decide, first, count)
        raised = np.flatnonzero(rows[:, playing.ENDED] == playing.RAISED)
        if len(raised):  # played again in Python, the strategy can say what is wrong
            group = int(raised[0]) // LANES * LANES
            watched = _watched(self.strategy)
            self._played(playing.play_in_python, watched, first + group, min(LANES, count - group))
        self._check(rows)
        return _sessions(rows, paths, self.terms.bankroll)

    def _played(self, play: Any, decide: Any, first: int, count: int) -> tuple[Any, Any]:
        """(rows, paths) of some sessions."""
        rows = np.empty((count, playing.FIELDS), np.int64)
        playing.begin_sessions(rows, self.terms.bankroll)
        points = self.terms.coups // self.every
        paths = np.full((max(0, min(count, PATHS - first)), points), -1, np.int64)
        play(
            None if self.strategy.decide is flat else decide,
            np.array(self.strategy.values, np.int64),
            np.zeros((LANES, self.strategy.memory), np.int64),
            self._table,
            self._terms,
            self._choice,
            self._trigger,
            np.uint64(self.seed),
            first,
            self.shoes_each,
            shoe_input(self.plan, self.lookup.detail),
            game_input(self.plan, self.lookup),
            rows,
            paths,
            self.every,
        )
        return rows, paths

    def restored(self, kept: dict[str, Any]) -> "Sessions":
        whole = ("sessions", "coups", "wagers", "turnover", "coups_squared", "result_coups")
        return Sessions(
            results=_by_number(kept["results"]),
            falls=_by_number(kept["falls"]),
            losing_runs=_by_number(kept["losing_runs"]),
            endings={how: _by_number(kept["endings"][how]) for how in ENDINGS.values()},
            paths=tuple(map(tuple, kept["paths"])),
            **{name: int(kept[name]) for name in whole},
        )

    def _check(self, rows: Any) -> None:
        """Strategies are strangers' code: say what one did wrong."""
        bets = self.game.bets
        for ending, words in (
            (playing.BAD_BET, f"chose the bet {{}}: -1 to {len(bets) - 1} is allowed"),
            (playing.BAD_STAKE, "staked {}: 0 or more is allowed"),
            (playing.NEEDS_COMPANY, "chose {}, which needs a wager on another bet beside it"),
            (playing.RAISED, "ended with an error"),
        ):
            wrong = rows[rows[:, playing.ENDED] == ending]
            if len(wrong):
                value, coup = wrong[0, playing.STAKE], wrong[0, playing.PLAYED]
                named = bets[value].name if ending == playing.NEEDS_COMPANY else value
                raise BaccaratError(
                    f"the strategy {self.strategy.name}, after {coup} coups of a session, "
                    f"{words.format(named)}"
                )

    @property
    def _terms(self) -> playing.Terms:
        terms = self.terms
        return playing.Terms(
            terms.unit,
            MOST_COINS // terms.unit + 1,
            min(self._limits(bet)[0] for bet in self.bets),
            terms.coups,
            terms.bankroll - (terms.stop_loss or terms.bankroll + 1),
            terms.bankroll + (terms.stop_win or 1 << 60),
            self.plan.shuffler,
        )

    @property
    def _table(self) -> playing.Table:
        codes = {"player": PLAYER, "banker": BANKER, "tie": TIE}
        limits = [self._limits(bet.id) for bet in self.game.bets]
        unit = self.terms.unit
        fits = [not unit % step and unit >= minimum for minimum, _, step in limits]
        alone = [not bet.requires for bet in self.game.bets]
        minimum, maximum, steps = (np.array(c, np.int64) for c in zip(*limits, strict=True))
        return playing.Table(
            np.array([codes[winner] for winner, _ in self.lookup.classes], np.int64),
            self.lookup.pays,
            self.lookup.pays * (unit // np.array(self.lookup.units)),
            steps,
            np.array(fits),
            np.array(alone),
            minimum,
            maximum,
        )

    @property
    def _choice(self) -> playing.Choice:
        numbers = {bet.id: number for number, bet in enumerate(self.game.bets)}
        fixed = numbers.get(self.choice, NO_BET)
        rules = {"last-winner": playing.LAST_WINNER, "not-last-winner": playing.NOT_LAST_WINNER}
        rule = playing.FIXED if fixed >= 0 else rules.get(self.choice, playing.ROAD)
        player, banker = numbers.get("player", fixed), numbers.get("banker", fixed)
        return playing.Choice(rule, fixed, player, banker, ROADS.get(self.choice, 0))

    @property
    def _trigger(self) -> playing.Trigger | None:
        if self.count is None:
            return None
        return playing.Trigger(*self.count.trigger(self.lookup.detail))


def _by_number(kept: Mapping[str, int]) -> dict[int, int]:
    """JSON has no whole numbers for keys."""
    return {int(value): int(n) for value, n in kept.items()}


def _watched(strategy: Strategy) -> Callable[[Any, Any, Any], tuple[int, int]]:
    """The strategy in Python; what it does wrong is told with the line."""

    def decide(seat: Any, options: Any, memory: Any) -> tuple[int, int]:
        try:
            given: Any = strategy.decide(Seat(*map(int, seat)), options, memory)
            try:
                bet, units = given
                return index(bet), index(units)
            except (TypeError, ValueError):
                raise TypeError(f"it returned {given!r}, not two whole numbers") from None
        except Exception as error:
            own = strategy.decide.__code__
            steps = extract_tb(error.__traceback__)
            lines = [step.lineno for step in steps if step.filename == own.co_filename]
            raise BaccaratError(
                f"the strategy {strategy.name}, after {seat.played} coups of a session: "
                f"{type(error).__name__}: {error} (line {(lines or [own.co_firstlineno])[-1]})"
            ) from error

    return decide


@dataclass(frozen=True)
class Sessions:
    """What some sessions came to, in whole numbers."""

    sessions: int
    results: dict[int, int]
    """Sessions by net result in coins."""
    falls: dict[int, int]
    """Sessions by deepest fall below the highest point before."""
    losing_runs: dict[int, int]
    """Sessions by longest run of lost wagers; stand-offs do not end one."""
    endings: dict[str, dict[int, int]]
    """Sessions by how they ended and after how many coups."""
    coups: int
    wagers: int
    turnover: int
    """All stakes together."""
    coups_squared: int
    """Sum over the sessions of coups squared, …"""
    result_coups: int
    """… and of result times coups: for the error of what an hour costs."""
    paths: tuple[tuple[int, ...], ...]
    """For the first sessions, the bankroll at some points; the last one once they have ended."""

    @property
    def done(self) -> int:
        return self.sessions

    def __add__(self, other: "Sessions") -> "Sessions":
        return Sessions(
            self.sessions + other.sessions,
            _merged(self.results, other.results),
            _merged(self.falls, other.falls),
            _merged(self.losing_runs, other.losing_runs),
            {how: _merged(self.endings[how], other.endings[how]) for how in self.endings},
            self.coups + other.coups,
            self.wagers + other.wagers,
            self.turnover + other.turnover,
            self.coups_squared + other.coups_squared,
            self.result_coups + other.result_coups,
            (self.paths + other.paths)[:PATHS],
        )


def _merged(a: Mapping[int, int], b: Mapping[int, int]) -> dict[int, int]:
    total = Counter(a)
    total.update(b)
    return dict(total)


def _sessions(rows: Any, paths: Any, bankroll: int) -> Sessions:
    last = rows[: len(paths), playing.BANKROLL]
    paths = np.where(paths < 0, last[:, None], paths)
    results = rows[:, playing.BANKROLL] - bankroll
    coups = rows[:, playing.PLAYED]
    return Sessions(
        len(rows),
        _counted(results),
        _counted(rows[:, playing.FALL]),
        _counted(rows[:, playing.LONGEST]),
        {how: _counted(coups[rows[:, playing.ENDED] == ending]) for ending, how in ENDINGS.items()},
        int(coups.sum()),
        int(rows[:, playing.WAGERS].sum()),
        sum(rows[:, playing.TURNOVER].tolist()),
        int((coups * coups).sum()),
        sum(int(result) * int(n) for result, n in zip(results, coups, strict=True)),
        tuple(map(tuple, paths.tolist())),
    )


def _counted(values: Any) -> dict[int, int]:
    each, times = np.unique(values, return_counts=True)
    return dict(zip(each.tolist(), times.tolist(), strict=True))


@dataclass(frozen=True)
class TrialResult:
    """The result of a trial, or of as much of it as was done. Money is in coins."""

    trial: Trial
    tally: Sessions

    @property
    def complete(self) -> bool:
        return self.tally.sessions == self.trial.sessions

    @property
    def mean(self) -> Fraction:
        """Of the net result of a session."""
        total = sum(result * n for result, n in self.tally.results.items())
        return Fraction(total, self.tally.sessions)

    @property
    def standard_deviation(self) -> float:
        squares = sum(result * result * n for result, n in self.tally.results.items())
        return sqrt(Fraction(squares, self.tally.sessions) - self.mean**2)

    @property
    def standard_error(self) -> float | None:
        """Of the mean; None from a single session."""
        n = self.tally.sessions
        return self.standard_deviation / sqrt(n - 1) if n > 1 else None

    @property
    def ahead(self) -> Fraction:
        return self._share(lambda result: result > 0)

    @property
    def even(self) -> Fraction:
        return self._share(lambda result: result == 0)

    @property
    def behind(self) -> Fraction:
        return self._share(lambda result: result < 0)

    def _share(self, of: Callable[[int], bool]) -> Fraction:
        results = self.tally.results
        return Fraction(sum(n for net, n in results.items() if of(net)), self.tally.sessions)

    def ended(self, how: str) -> Fraction:
        """The share of sessions that ended so: ruined, stop_loss, stop_win or time."""
        return Fraction(sum(self.tally.endings[how].values()), self.tally.sessions)

    def ended_by(self, how: str) -> NDArray[np.float64]:
        """The share of sessions that had ended so by coup 0, 1, 2, …"""
        curve = np.zeros(self.trial.terms.coups + 1)
        for coup, n in self.tally.endings[how].items():
            curve[coup] = n
        return np.cumsum(curve) / self.tally.sessions

    @property
    def turnover(self) -> Fraction:
        """Staked in a session, on average."""
        return Fraction(self.tally.turnover, self.tally.sessions)

    @property
    def coups(self) -> Fraction:
        """That passed in a session, on average."""
        return Fraction(self.tally.coups, self.tally.sessions)

    @property
    def loss_per_stake(self) -> Fraction | None:
        """What the house kept of all that was staked; None when nothing was."""
        return -self.mean / self.turnover if self.turnover else None

    def cost_per_hour(self, coups: int) -> Fraction:
        """What an hour of so many coups cost, on average over all hours."""
        return -self.mean / self.coups * coups

    def cost_error(self, coups: int) -> float | None:
        """The standard error of that."""
        n, tally = self.tally.sessions, self.tally
        if n < 2:
            return None
        rate = self.mean / self.coups
        squares = sum(result * result * times for result, times in tally.results.items())
        spread = squares - 2 * rate * tally.result_coups + rate * rate * tally.coups_squared
        return sqrt(spread * Fraction(n, n - 1)) / tally.coups * coups

    @property
    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Sessions by net result, deepest fall, longest losing run and end: rows for frames."""
        tally, trial = self.tally, self.trial
        start = {"card": trial.game.card.id, "strategy": trial.strategy.name, "seed": trial.seed}
        counted = (
            ("results", "net", tally.results),
            ("falls", "depth", tally.falls),
            ("losing-runs", "length", tally.losing_runs),
        )
        tables: dict[str, list[dict[str, Any]]] = {
            name: [start | {of: value, "sessions": n} for value, n in sorted(counts.items())]
            for name, of, counts in counted
        }
        tables["ends"] = [
            start | {"end": how, "coup": coup, "sessions": n}
            for how, counts in tally.endings.items()
            for coup, n in sorted(counts.items())
        ]
        return tables

    def result_quantile(self, chance: float) -> int:
        """The least net result that this share of the sessions did not exceed."""
        return quantile(self.tally.results, chance)

    def paths(self, most: int = PATHS) -> NDArray[np.int64]:
        """[session, point]: the bankroll of the first sessions, at the start and every so often;
        a player who has stopped keeps what is left."""
        kept = np.array(self.tally.paths[:most], np.int64)
        start = np.full((len(kept), 1), self.trial.terms.bankroll)
        return np.hstack([start, kept])

    def path_quantiles(self, chances: Sequence[float]) -> NDArray[np.float64]:
        """[chance, point]: quantiles of the bankroll on its way, over the first sessions."""
        return np.quantile(self.paths(), chances, axis=0)


def quantile(tallied: Mapping[int, int], chance: float) -> int:
    """The least value that this share of what was counted does not exceed."""
    wanted, seen = chance * sum(tallied.values()), 0
    for value, n in sorted(tallied.items()):
        seen += n
        if seen >= wanted:
            return value
    return max(tallied)


def play_trial(trial: Trial, **how: Any) -> TrialResult:
    """Do a trial; `how` (threads, cluster, checkpoint, …) is as in `work.do`."""
    return TrialResult(trial, work.do(trial, **how))
