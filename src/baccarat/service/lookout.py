"""The lookout: what a house watches for by itself, and writes down for the pit.

At every look, for each table with new results: groups that wager in step (`house.instep`) and a
result of the day outside its bounds (`house.takings`); for the house: bonus money whose time is
over, and a clock that jumped. Every server looks; what was seen before is not written again. One
table is looked at after the other, and in step only once some rounds have come, so a look costs
little however many tables there are. The one rule: it points, and people decide; the one thing it
does itself is what has been agreed beforehand: bonus money ends when its time is over.
"""

import asyncio
import heapq
import json
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from baccarat.house import jobs, player_jobs
from baccarat.house.desk import table_stream
from baccarat.house.events import STREAM
from baccarat.house.instep import SettledRound, Suspicion, suspicions
from baccarat.house.periods import Period, start_of
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.commands import Notice
from baccarat.table.events import PartnersSuspected, ResultUnusual
from baccarat.table.rules import table_game
from baccarat.table.state import TableState

if TYPE_CHECKING:
    from baccarat.service.running import Service

log = logging.getLogger(__name__)
EVERY = 15.0
"""Seconds from look to look."""
WATCHED = 400
"""Settled rounds of a table that the detector looks at: some five shoes."""
FRESH = 10
"""It looks again when so many rounds have been settled since."""
RESTS = 100
"""So many times as long as a look for partners took, a table is left alone after it."""
JUMP = 5_000
"""Milliseconds by which a clock may be off from what has passed before it is called a jump."""


class Lookout:
    """One server's."""

    def __init__(self, service: "Service", passed: Callable[[], float] | None = None) -> None:
        self._service = service
        self._passed = passed or (lambda: asyncio.get_running_loop().time())
        """Seconds, by a clock that nobody sets."""
        self._settled: dict[str, int] = {}
        """Rounds that a table had settled when it was last watched for partners."""
        self._rests: dict[str, float] = {}
        """Until when a table is not looked at again, because looking took long."""
        self._expiring: list[tuple[int, str]] = []
        self._read_to = 0
        self._last: tuple[int, float] | None = None

    async def run(self) -> None:
        """Look now and then, without end."""
        while True:
            await asyncio.sleep(EVERY)
            await self.look()

    async def look(self) -> None:
        """Once, at everything; what fails does not keep it from the rest."""
        looks: list[Callable[[], Awaitable[None]]] = [self._clock, self._bonuses]
        looks += [partial(self._table, table) for table in self._service.plans]
        for one in looks:
            try:
                await one()
            except Exception as error:  # the store is away, or a server was faster: look again
                log.warning("a look failed", extra={"why": str(error)})

    async def _table(self, table: str) -> None:
        stream = table_stream(table)
        state = await self._service.world.keeper.read(lambda store: store.state(stream))
        if state is not None:
            await self._result(table)
            await self._partners(table, state)

    async def _clock(self) -> None:
        """Has the server's clock moved by what has passed?"""
        world = self._service.world
        now, ticks = world.clock(), self._passed()
        if self._last is not None:
            before, then = self._last
            jump = now - before - round((ticks - then) * 1000)
            if abs(jump) >= JUMP:
                log.warning("the clock has jumped", extra={"milliseconds": jump})
                await self._service.do(jobs.clock_changed(world.holder, jump, world.clock))
        self._last = now, ticks

    async def _bonuses(self) -> None:
        """Bonus money whose time is over goes back, without waiting for its owner."""
        world = self._service.world
        opened = await world.keeper.read(
            lambda store: history.entries_of(store, STREAM, "BonusOpened", after=self._read_to)
        )
        for entry in opened:
            value = json.loads(entry.body)["value"]
            heapq.heappush(self._expiring, (value["expires_at"], value["account"]))
            self._read_to = entry.sequence
        while self._expiring and self._expiring[0][0] <= world.clock():
            _, player = heapq.heappop(self._expiring)
            await self._service.do(player_jobs.review_bonus(player, world.clock))

    async def _result(self, table: str) -> None:
        service, now = self._service, self._service.world.clock()
        takings = await service.today.of(table, now)
        since = start_of(Period.DAY, now, service.house.conduct.zone)
        once_in = service.house.result_alarm
        for money, taking in (("real", takings.players), ("play", takings.guests)):
            bounds = await service.world.keeper.read(lambda _, one=taking: one.bounds(once_in))  # type: ignore[misc]
            if not bounds.holds(taking.result):
                seen = ResultUnusual(
                    0,
                    money=money,
                    since=since,
                    rounds=taking.rounds,
                    turnover=taking.turnover,
                    result=taking.result,
                    expected=round(bounds.expected),
                    deviation=bounds.deviation,
                    low=bounds.low,
                    high=bounds.high,
                    once_in=once_in,
                )
                await service.do(jobs.at_table(table, Notice(seen), service.world.clock))

    async def _partners(self, table: str, state: TableState) -> None:
        settled = state.round.number
        if settled - self._settled.get(table, 0) < FRESH:
            return
        begun = self._passed()
        if begun < self._rests.get(table, begun):
            return
        self._settled[table] = settled
        found = await self._service.world.keeper.read(lambda store: in_step(store, state))
        self._rests[table] = begun + (self._passed() - begun) * RESTS
        for one in found:
            seen = PartnersSuspected(
                0, one.players, one.rounds, one.same, one.passed, one.most, one.words
            )
            clock = self._service.world.clock
            await self._service.do(jobs.at_table(table, Notice(seen), clock))


def in_step(store: SqlStore, state: TableState) -> list[Suspicion]:
    """Groups at a table that nobody has decided about yet."""
    game = table_game(state.rules, state.settings.limits)
    if not game.card.limits.partners_share_maximum:
        return []
    maximum = {bet.id: game.limits(bet)[1] for bet in game.bets}
    rounds = settled_rounds(store, table_stream(state.table))
    return [one for one in suspicions(rounds, maximum) if not decided(store, one.players)]


def decided(store: SqlStore, players: tuple[str, ...]) -> bool:
    """Has the pit found these to be partners, or not to be?"""
    first, others = store.safety(players[0]), set(players[1:])
    return others <= set(first.partners) or bool(others & set(first.apart))


def settled_rounds(store: SqlStore, stream: str) -> list[SettledRound]:
    """The latest settled rounds of a table, oldest first."""
    settled = history.newest_of(store, stream, "RoundSettled", before=None, limit=WATCHED)
    coups = history.newest_of(store, stream, "CoupDecided", before=None, limit=2 * WATCHED)
    winners = {
        value["round"]: value["winner"]
        for value in (json.loads(entry.body)["value"] for entry in coups)
    }
    found = []
    for entry in reversed(settled):
        value = json.loads(entry.body)["value"]
        stakes = {
            one["player"]: {wager["bet"]: wager["stake"] for wager in one["wagers"]}
            for one in value["results"]
        }
        found.append(SettledRound(value["round"], winners.get(value["round"], "tie"), stakes))
    return found
