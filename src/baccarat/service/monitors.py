"""Monitors: automatic checks that record alerts for the pit.

Each table is checked for groups of players who bet in step (`watch.collusion`) and for a daily
result outside its bounds (`result_bounds`). The house is checked for expired bonus money and for a
clock that jumped. Every server runs the checks; an alert that was recorded before is not recorded
again. Tables are checked one after another, and for collusion only after some new rounds, so a
check is cheap even with many tables. Monitors only raise alerts, and people decide. The one
exception is bonus money, which is forfeited when it expires, as its terms say.
"""

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from baccarat.core.coup import Winner
from baccarat.house import house_jobs, jobs
from baccarat.house.events import STREAM, BonusOpened, decode
from baccarat.house.housefile import House
from baccarat.house.money import bonus
from baccarat.house.ports import Done, Job
from baccarat.house.safety.periods import Period, start_of
from baccarat.house.watch.collusion import SettledRound, Suspicion, suspicions
from baccarat.house.watch.result_bounds import Figures, Taking
from baccarat.service.environment import Environment
from baccarat.service.results import TodaysResults
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.commands import RecordAlert
from baccarat.table.events import CoupDecided, PartnersSuspected, ResultUnusual, RoundSettled
from baccarat.table.journal import table_stream
from baccarat.table.rules import table_game
from baccarat.table.state import TableState

log = logging.getLogger(__name__)
EVERY = 15.0
"""Seconds between checks."""
WATCHED = 400
"""Number of settled rounds that the collusion detector reads: about five shoes."""
FRESH = 10
"""Number of new rounds after which the collusion detector checks a table again."""
REST_FACTOR = 100
"""After a collusion check, a table is not checked again for this multiple of the check's
duration."""
JUMP = 5_000
"""Minimum difference, in milliseconds, between the server's clock and a monotonic clock that counts
as a jump."""


class Monitors:
    """The monitors of one server."""

    def __init__(
        self,
        house: House,
        environment: Environment,
        today: TodaysResults,
        do: Callable[[Job], Awaitable[Done]],
        passed: Callable[[], float] | None = None,
    ) -> None:
        self._house, self._environment, self._today, self._do = house, environment, today, do
        self._passed = passed or (lambda: asyncio.get_running_loop().time())
        """A monotonic clock, in seconds."""
        self._settled: dict[str, int] = {}
        """Round number of each table at its last collusion check."""
        self._rests: dict[str, float] = {}
        """Time until which a table is not checked again for collusion."""
        self._expiring: list[tuple[int, str]] = []
        self._read_to = 0
        self._last: tuple[int, float] | None = None

    async def run(self) -> None:
        """Check periodically until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.look()

    async def look(self) -> None:
        """Check everything once; a failed check does not affect the others."""
        checks: list[Callable[[], Awaitable[None]]] = [self._clock, self._bonuses]
        checks += [partial(self._table, plan.id) for plan in self._house.tables]
        for check in checks:
            try:
                await check()
            except Exception as error:  # store unavailable, or another server was faster: retry
                log.warning("monitor check failed", extra={"why": str(error)})

    async def _table(self, table: str) -> None:
        state = await self._environment.keeper.read(SqlStore.state, table_stream(table))
        if state is not None:
            await self._result(table)
            await self._partners(table, state)

    async def _notice(self, table: str, seen: ResultUnusual | PartnersSuspected) -> None:
        await self._do(jobs.at_table(table, RecordAlert(seen), self._environment.clock))

    async def _clock(self) -> None:
        """Record a jump of the server's clock, measured against a monotonic clock."""
        now, ticks = self._environment.clock(), self._passed()
        if self._last is not None:
            before, then = self._last
            jump = now - before - round((ticks - then) * 1000)
            if abs(jump) >= JUMP:
                log.warning("clock jumped", extra={"milliseconds": jump})
                await self._do(
                    house_jobs.clock_changed(
                        self._environment.holder, jump, self._environment.clock
                    )
                )
        self._last = now, ticks

    async def _bonuses(self) -> None:
        """Forfeit expired bonus money, without waiting for a request from its owner."""
        clock = self._environment.clock
        opened = await self._environment.keeper.read(
            history.entries_of, STREAM, BonusOpened, after=self._read_to
        )
        for entry in opened:
            event = decode(entry.body)
            if isinstance(event, BonusOpened):
                heapq.heappush(self._expiring, (event.expires_at, event.account))
            self._read_to = entry.sequence
        while self._expiring and self._expiring[0][0] <= clock():
            _, player = heapq.heappop(self._expiring)
            await self._do(jobs.about_player(player, clock, bonus.review))

    async def _result(self, table: str) -> None:
        now, once_in = self._environment.clock(), self._house.result_alarm
        takings = await self._today.of(table, now)
        since = start_of(Period.DAY, now, self._house.conduct.gaming_day)
        for money, taking in (("real", takings.players), ("play", takings.guests)):
            found = await self._environment.keeper.read(_figures, taking, once_in)
            if found.outside:
                counted = (found.rounds, found.turnover, found.result)
                bounds = (found.expected, found.deviation, found.low, found.high)
                seen = ResultUnusual(0, money, since, *counted, *bounds, once_in)
                await self._notice(table, seen)

    async def _partners(self, table: str, state: TableState) -> None:
        settled = state.round.number
        if settled - self._settled.get(table, 0) < FRESH:
            return
        begun = self._passed()
        if begun < self._rests.get(table, begun):
            return
        self._settled[table] = settled
        found = await self._environment.keeper.read(in_step, state)
        self._rests[table] = begun + (self._passed() - begun) * REST_FACTOR
        for one in found:
            passed = (one.players, one.rounds, one.same, one.passed, one.most, int(one.weight))
            await self._notice(table, PartnersSuspected(0, *passed))


def _figures(_: SqlStore, taking: Taking, once_in: int) -> Figures:
    """Return a table's figures; called through the store, so that it runs in a reader thread."""
    return taking.figures(once_in)


def in_step(store: SqlStore, state: TableState) -> list[Suspicion]:
    """Return the suspected groups at a table that the pit has not decided on."""
    game = table_game(state.rules, state.settings.limits)
    if not game.card.limits.partners_share_maximum:
        return []
    maximum = {bet.id: game.limits(bet)[1] for bet in game.bets}
    rounds = settled_rounds(store, table_stream(state.table))
    return [
        suspicion
        for suspicion in suspicions(rounds, maximum)
        if not is_decided(store, suspicion.players)
    ]


def is_decided(store: SqlStore, players: tuple[str, ...]) -> bool:
    """Return whether it has been decided that these players are partners, or that they are not."""
    first, others = store.safety(players[0]), set(players[1:])
    return others <= set(first.partners) or bool(others & set(first.apart))


def settled_rounds(store: SqlStore, stream: str) -> list[SettledRound]:
    """Return the latest settled rounds of a table, oldest first."""
    settled = history.newest_events(store, stream, RoundSettled, limit=WATCHED)
    coups = history.newest_events(store, stream, CoupDecided, limit=2 * WATCHED)
    winners = {event.round: Winner(event.winner) for event in coups}
    return [
        SettledRound(
            event.round,
            winners.get(event.round, Winner.TIE),
            {
                result.player: {wager.bet: wager.stake for wager in result.wagers}
                for result in event.results
            },
        )
        for event in reversed(settled)
    ]
