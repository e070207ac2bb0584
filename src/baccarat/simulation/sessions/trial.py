"""Trials of a strategy: many sessions at a table, and what happens to the bankroll.

Each session has its own shoes, so sessions are independent and standard errors are simple. The
results are distributions in whole numbers: sessions by net result, by maximum drawdown, by longest
losing run, and by how and when they ended.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from operator import index
from traceback import extract_tb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baccarat.core.bets import Offer
from baccarat.core.coup import Winner
from baccarat.core.errors import BaccaratError, nearest, one_of
from baccarat.core.money import format_coins
from baccarat.core.roads import DERIVED
from baccarat.core.rulecard import Game
from baccarat.core.wagers import RefusedBy, Wager, refusals
from baccarat.shoe import ShoeRules
from baccarat.simulation.inputs import DealtJob
from baccarat.simulation.jobs import Result, ratio_error
from baccarat.simulation.kernel import LANES
from baccarat.simulation.sessions import kernel
from baccarat.simulation.sessions.strategies import NO_BET, Seat, Strategy, flat
from baccarat.simulation.sessions.tally import PATHS, Sessions, sessions_of
from baccarat.simulation.true_count import Count

MAX_COUPS = 1_000_000
MAX_SESSIONS = 10**12
COUPS_PER_CHUNK = 1 << 21
POINTS = 100
"""Maximum number of points in a recorded bankroll path."""
MAX_COINS = 10**12

ROADS = {name.replace("_", "-"): k for name, k in DERIVED.items()}
CHOICES = {
    "last-winner": "on the side that won last, as the big road shows",
    "not-last-winner": "on the side that did not win last",
    **{
        name: f"on the side that would repeat the last colour of the {name.replace('-', ' ')}"
        for name in ROADS
    },
}
"""Selection rules, which propose a bet for each coup; a trial can use one instead of a fixed
bet."""


@dataclass(frozen=True)
class SessionLimits:
    """The limits of a session, in coins and coups."""

    unit: int
    bankroll: int
    coups: int
    """Maximum number of coups in a session, wagered on or not."""
    minimum: int | None = None
    """Minimum stake of the table; None for the rule card's."""
    maximum: int | None = None
    """Maximum stake of the table; None for the rule card's."""
    stop_loss: int | None = None
    """Loss in coins at which the player stops."""
    stop_win: int | None = None
    """Win in coins at which the player stops."""

    def __post_init__(self) -> None:
        for name, coins in asdict(self).items():
            least = 0 if name == "coups" else 1
            if coins is not None and not least <= coins <= MAX_COINS:
                raise BaccaratError(
                    f"{name.replace('_', '-')} must be between {least} and {MAX_COINS}, not {coins}"
                )
        if not 1 <= self.coups <= MAX_COUPS:
            raise BaccaratError(f"coups must be between 1 and {MAX_COUPS}, not {self.coups}")


@dataclass(frozen=True)
class Trial(DealtJob):
    """The settings of a trial, as a job."""

    game: Game
    rules: ShoeRules
    strategy: Strategy
    choice: str
    """A bet's id, or one of CHOICES."""
    terms: SessionLimits
    seed: int
    sessions: int
    count: Count | None = None
    """The count that signals when to wager; None to wager on every coup."""

    def __post_init__(self) -> None:
        self.check("sessions", self.sessions, MAX_SESSIONS)
        for bet in self.bets:
            self._check_bet(bet)

    def _check_bet(self, bet: str) -> None:
        terms, (_, minimum, maximum, step) = self.terms, self._offer(bet)
        name = self.game.bet(bet).name
        alone = refusals(self.game, [Wager(bet, step)])
        for refusal in alone:
            if refusal.rule is RefusedBy.REQUIRES:
                raise BaccaratError(f"a strategy makes one bet per coup: {refusal.words}")
        if minimum > maximum:
            raise BaccaratError(
                f"{name}: the minimum stake, {format_coins(minimum)}, is above the maximum, "
                f"{format_coins(maximum)}; change the table limits or the unit"
            )
        if terms.unit % step or not minimum <= terms.unit <= maximum:
            raise BaccaratError(
                f"{name}: a unit of {format_coins(terms.unit)} cannot be staked; use a multiple of "
                f"{format_coins(step)} from {format_coins(minimum)} to {format_coins(maximum)}"
            )
        if terms.bankroll < minimum:
            raise BaccaratError(
                f"a bankroll of {format_coins(terms.bankroll)} is below the minimum stake on "
                f"{name}, {format_coins(minimum)}"
            )

    def _offer(self, name: str) -> Offer:
        """Return the bet with its stake step and the table's limits, adjusted to stakes that pay
        whole coins."""
        bet = self.game.bet(name)
        minimum, maximum = self.game.limits(bet)
        minimum = minimum if self.terms.minimum is None else self.terms.minimum
        maximum = maximum if self.terms.maximum is None else self.terms.maximum
        if self.strategy.decide is flat:  # flat never stakes less than one unit
            minimum = max(minimum, self.terms.unit)
        step = self.lookup.units[self.game.bets.index(bet)]
        return Offer(bet, -(-minimum // step) * step, maximum // step * step, step)

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets that the selection rule may propose."""
        ids = [bet.id for bet in self.game.bets]
        if self.choice in ids:
            return (self.choice,)
        if self.choice not in CHOICES:
            known = [*ids, *CHOICES]
            raise BaccaratError(
                f"{self.choice!r} is neither a bet of {self.game.card.id} nor a betting rule"
                f"{nearest(self.choice, known)}: choose {one_of(known)}"
            )
        if not {"player", "banker"} <= set(ids):
            raise BaccaratError(
                f"{self.choice} needs bets with the ids player and banker, but "
                f"{self.game.card.id} does not have both: choose one of its bets"
            )
        return "player", "banker"

    @property
    def shoes_each(self) -> int:
        """Number of shoes reserved for one session; always enough."""
        return -(-self.terms.coups // self.rules.certain_coups)

    @property
    def every(self) -> int:
        """Number of coups between two recorded points of a bankroll path."""
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
        return self.identity_with(
            strategy=self.strategy.name,
            does=self.strategy.fingerprint,
            options=dict(self.strategy.options),
            memory=self.strategy.memory,
            choice=self.choice,
            terms=asdict(self.terms),
            sessions=self.sessions,
            count=None if self.count is None else self.count.identity,
        )

    def result(self, total: Sessions) -> "TrialResult":
        return TrialResult(self, total)

    def part(self, first: int, count: int) -> Sessions:
        compiled = self.strategy.compiled
        if compiled.why_not:
            decide, play = _watched(self.strategy), kernel.play_in_python
        else:
            decide, play = compiled.decide, kernel.play
        rows, paths = self._played(play, decide, first, count)
        raised = np.flatnonzero(rows[:, kernel.ENDED] == kernel.RAISED)
        if len(raised):  # replay the session in Python, where the error can be reported
            group = int(raised[0]) // LANES * LANES
            watched = _watched(self.strategy)
            self._played(kernel.play_in_python, watched, first + group, min(LANES, count - group))
        self._check(rows)
        return sessions_of(rows, paths, self.terms.bankroll)

    def _played(self, play: Any, decide: Any, first: int, count: int) -> tuple[Any, Any]:
        """Play some sessions and return (rows, paths)."""
        rows = np.empty((count, kernel.FIELDS), np.int64)
        kernel.begin_sessions(rows, self.terms.bankroll)
        points = self.terms.coups // self.every
        paths = np.full((max(0, min(count, PATHS - first)), points), -1, np.int64)
        play(
            None if self.strategy.decide is flat else decide,
            None if self.count is None else self.count.trigger(self.lookup.detail),
            self.hands_input,
            self._setting,
            np.uint64(self.seed),
            first,
            self.shoes_each,
            np.zeros((LANES, self.strategy.memory), np.int64),
            rows,
            paths,
        )
        return rows, paths

    def _check(self, rows: Any) -> None:
        """If the strategy did anything wrong, raise an error that says what."""
        bets = self.game.bets
        for ending, words in (
            (kernel.BAD_BET, f"chose bet {{}}: must be between -1 and {len(bets) - 1}"),
            (kernel.BAD_STAKE, "staked {}: must be 0 or more"),
            (kernel.NEEDS_ANOTHER_BET, "chose {}, which requires another bet"),
            (kernel.RAISED, "raised an error"),
        ):
            wrong = rows[rows[:, kernel.ENDED] == ending]
            if len(wrong):
                value, coup = wrong[0, kernel.STAKE], wrong[0, kernel.PLAYED]
                named = bets[value].name if ending == kernel.NEEDS_ANOTHER_BET else value
                raise BaccaratError(
                    f"the strategy {self.strategy.name}, after {coup} coups of a session, "
                    f"{words.format(named)}"
                )

    @property
    def _terms(self) -> kernel.LimitsInput:
        terms = self.terms
        return kernel.LimitsInput(
            terms.unit,
            MAX_COINS // terms.unit + 1,
            min(self._offer(bet).least for bet in self.bets),
            terms.coups,
            terms.bankroll - (terms.stop_loss or terms.bankroll + 1),
            terms.bankroll + (terms.stop_win or 1 << 60),
            self.rules.is_shuffler,
            self.every,
        )

    @property
    def _table(self) -> kernel.Table:
        winners = list(Winner)  # numbered as in `strategies`
        offers = [self._offer(bet.id) for bet in self.game.bets]
        unit = self.terms.unit
        fits = [not unit % offer.step and unit >= offer.least for offer in offers]
        alone = [not bet.requires for bet in self.game.bets]
        return kernel.Table(
            np.array([winners.index(coups.winner) for coups in self.lookup.classes], np.int64),
            self.lookup.pays,
            self.lookup.pays * (unit // np.array(self.lookup.units)),
            np.array([offer.step for offer in offers], np.int64),
            np.array(fits),
            np.array(alone),
            np.array([offer.least for offer in offers], np.int64),
            np.array([offer.most for offer in offers], np.int64),
        )

    @property
    def _choice(self) -> kernel.SelectionInput:
        numbers = {bet.id: number for number, bet in enumerate(self.game.bets)}
        fixed = numbers.get(self.choice, NO_BET)
        rules = {"last-winner": kernel.LAST_WINNER, "not-last-winner": kernel.NOT_LAST_WINNER}
        rule = kernel.FIXED if fixed >= 0 else rules.get(self.choice, kernel.ROAD)
        player, banker = numbers.get("player", fixed), numbers.get("banker", fixed)
        return kernel.SelectionInput(rule, fixed, player, banker, ROADS.get(self.choice, 0))

    @property
    def _setting(self) -> kernel.Setting:
        options = np.array(self.strategy.values, np.int64)
        shoe, game = self.shoe_input, self.game_input
        return kernel.Setting(self._table, self._terms, self._choice, options, shoe, game)


def _watched(strategy: Strategy) -> Callable[[Any, Any, Any], tuple[int, int]]:
    """Return the strategy as a Python function, wrapped so that its errors are reported with their
    line."""

    def decide(seat: Any, options: Any, memory: Any) -> tuple[int, int]:
        try:
            given: Any = strategy.decide(Seat(*map(int, seat)), options, memory)
            try:
                bet, units = given
                return index(bet), index(units)
            except (TypeError, ValueError):
                raise TypeError(f"it returned {given!r} instead of two whole numbers") from None
        except Exception as error:
            own = strategy.decide.__code__
            steps = extract_tb(error.__traceback__)
            lines = [step.lineno for step in steps if step.filename == own.co_filename]
            raise BaccaratError(
                f"the strategy {strategy.name}, after {seat.played} coups of a session: "
                f"{type(error).__name__}: {error} (line {(lines or [own.co_firstlineno])[-1]})"
            ) from error

    return decide


class TrialResult(Result[Trial, Sessions]):
    """The result of a trial, or of the part that was done if it was stopped early. Money is in
    coins."""

    @property
    def mean(self) -> Fraction:
        """Mean net result of a session."""
        total = sum(result * n for result, n in self.tally.results.items())
        return Fraction(total, self.tally.sessions)

    @property
    def standard_deviation(self) -> float:
        squares = sum(result * result * n for result, n in self.tally.results.items())
        return sqrt(Fraction(squares, self.tally.sessions) - self.mean**2)

    @property
    def standard_error(self) -> float | None:
        """Standard error of the mean; None for a single session."""
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
        """Return the share of sessions that ended this way: ruined, stop_loss, stop_win or time."""
        return Fraction(sum(self.tally.endings[how].values()), self.tally.sessions)

    def ended_by(self, how: str) -> NDArray[np.float64]:
        """Return, for coup 0, 1, 2, …, the share of sessions that had ended this way by then."""
        curve = np.zeros(self.run.terms.coups + 1)
        for coup, n in self.tally.endings[how].items():
            curve[coup] = n
        return np.cumsum(curve) / self.tally.sessions

    @property
    def turnover(self) -> Fraction:
        """Average total stake of a session."""
        return Fraction(self.tally.turnover, self.tally.sessions)

    @property
    def loss_per_stake(self) -> Fraction | None:
        """The player's loss as a share of all stakes; None if nothing was staked."""
        return -self.mean / self.turnover if self.turnover else None

    def cost_per_hour(self, coups: int) -> Fraction:
        """Return the average cost of an hour of this many coups."""
        return -self.mean * self.tally.sessions / self.coups * coups

    def cost_error(self, coups: int) -> float | None:
        """Return the standard error of `cost_per_hour`; None for a single session."""
        n, tally = self.tally.sessions, self.tally
        if n < 2:
            return None
        won = sum(result * times for result, times in tally.results.items())
        squares = sum(result * result * times for result, times in tally.results.items())
        sums = (won, squares, tally.result_coups, tally.coups, tally.coups_squared)
        return ratio_error(n, *sums) * coups

    @property
    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Tables of sessions by net result, drawdown, longest losing run and ending, as rows for
        data frames."""
        tally, trial = self.tally, self.run
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

    def paths(self, most: int = PATHS) -> NDArray[np.int64]:
        """Return an array [session, point] with the bankrolls of the first sessions at the start
        and at regular intervals. After a session has ended, its final bankroll is repeated."""
        kept = np.array(self.tally.paths[:most], np.int64)
        start = np.full((len(kept), 1), self.run.terms.bankroll)
        return np.hstack([start, kept])

    def path_quantiles(self, chances: Sequence[float]) -> NDArray[np.float64]:
        """Return an array [chance, point] with quantiles of the bankroll over time, for the first
        sessions."""
        return np.quantile(self.paths(), chances, axis=0)
