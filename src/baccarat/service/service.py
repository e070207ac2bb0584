"""One server of a house: opens and drives its tables, carries out commands, drains before it stops.

`open` applies the house file to the store and records the stakes on rounds that an earlier run has
left unfinished; `run` drives every table until `drain` is called. The service holds no state that
is not in the store, so it can be killed at any time and started again.
"""

import asyncio
import logging
from dataclasses import dataclass
from functools import partial

from baccarat.core.errors import BaccaratError
from baccarat.house import floor, house_jobs, jobs
from baccarat.house.events import HOUSE_FILE
from baccarat.house.housefile import House
from baccarat.house.jobs import NO_SENDER, Sender
from baccarat.house.outcomes import Decision
from baccarat.house.people.roles import Role, has_two
from baccarat.house.ports import Done, Job
from baccarat.house.table_plans import TablePlan
from baccarat.service import balancing
from baccarat.service.driver import ENDS, TERM, Driver, release
from baccarat.service.environment import Environment, has_another_key
from baccarat.service.feed import Feed
from baccarat.service.monitors import Monitors
from baccarat.service.results import TodaysResults
from baccarat.service.webhook import Webhook
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.journal import table_of, table_stream
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StakesInProgress:
    """Stakes on a round that was in progress when the service started."""

    table: str
    round: int
    phase: str
    coins: int


class Service:
    """One server of a house."""

    def __init__(self, house: House, environment: Environment) -> None:
        self.house, self.environment = house, environment
        self.plans: dict[str, TablePlan] = {plan.id: plan for plan in house.tables}
        self.feed = Feed(environment.keeper)
        self.today = TodaysResults(environment.keeper, house.conduct.gaming_day)
        self.monitors = Monitors(house, environment, self.today, self.do)
        self.drivers: dict[str, Driver] = {}
        self.held: list[StakesInProgress] = []
        self.draining = False
        self.heartbeat = balancing.Heartbeat()

    # ---- opening, driving, draining ----------------------------------------------------------

    @property
    def sealed_off(self) -> list[str]:
        """Tables that have stopped because the key cannot decrypt their shoes."""
        return [table for table, driver in self.drivers.items() if driver.sealed_off]

    async def open(self) -> None:
        """Open the house and its tables; record the stakes on rounds that are in progress."""
        await self._check_key()
        house, clock = self.house, self.environment.clock
        gaming_day = house.conduct.gaming_day
        await self.do(house_jobs.open_house(house.name, house.currency, clock, gaming_day))
        await self._check_pit()
        for plan in self.house.tables:
            await self._open_table(plan)
        heads = await self.environment.keeper.read(SqlStore.heads)
        for table in filter(None, (table_of(head.stream) for head in heads)):
            # A table that was removed from the house file must still end its round and reveal its
            # shoe.
            driver = Driver(
                table,
                self.environment,
                self.feed.notify,
                conduct=self.house.conduct,
                closing=table not in self.plans,
            )
            self.drivers[table] = driver
            state = await driver.look_at()
            if state is not None and state.round.wagers:
                await self._hold(state)
        if self.draining:
            self.drain()
        self.heartbeat.beat()

    async def _check_pit(self) -> None:
        """Log a warning if the house has staff, but no two members of the pit can decide together.

        Some decisions always take two people.
        """
        found = await self.environment.keeper.read(history.staff)
        people = {person.account.id: person.account for person in found}
        if people and not has_two(people, Role.PIT, self.environment.clock()):
            log.warning("no two members of the pit can decide together: open more pit accounts")

    async def _open_table(self, plan: TablePlan) -> None:
        stream = table_stream(plan.id)
        state = await self.environment.keeper.read(SqlStore.state, stream)
        command: c.Command
        if state is None:
            command = c.OpenTable(plan.id, plan.settings, plan.starts_after)
        elif state.settings != plan.settings:
            log.info("settings changed by the house file", extra={"table": plan.id})
            command = c.ChangeSettings(plan.settings, by=HOUSE_FILE)
        else:
            return
        try:
            await self.do(jobs.at_table(plan.id, command, self.environment.clock))
        except Refused as error:
            if error.code is not Code.WRONG_PHASE:  # else another server opened the table
                raise

    async def _hold(self, state: TableState) -> None:
        """Record the stakes on a round that a killed server has left unfinished."""
        coins = sum(placed.staked for placed in state.round.wagers.values())
        held = StakesInProgress(state.table, state.round.number, str(state.round.phase), coins)
        self.held.append(held)
        lease = (await self.environment.keeper.read(SqlStore.leases)).get(table_stream(state.table))
        driven = lease is not None and lease.expires_at > self.environment.clock()
        level = logging.INFO if driven else logging.WARNING  # another server may drive the table
        log.log(level, "stakes are held for a round that has not ended", extra=vars(held))

    async def _check_key(self) -> None:
        """Raise an error if another server of the house is running with a different key.

        Every server must be able to decrypt the shoes that another server has sealed.
        """
        environment = self.environment
        servers = await environment.keeper.read(SqlStore.servers)
        up = balancing.others_up(servers, environment.clock(), environment.holder)
        others = [one for one in up if has_another_key(one, environment.vault)]
        if others:
            raise BaccaratError(
                f"other servers of this house use a different key ({', '.join(others)}): start "
                f"with their key, or stop them first (a killed server still counts as running for "
                f"{TERM // 1000} s)"
            )

    async def run(self) -> None:
        """Drive the tables until drained."""
        beside = [
            asyncio.create_task(
                balancing.keep_balanced(self.environment, self.drivers, self.heartbeat),
                name="balancing",
            ),
            asyncio.create_task(self.monitors.run(), name="monitors"),
        ]
        if self.house.webhook:
            hook = Webhook(self.house, self.environment)
            beside.append(asyncio.create_task(hook.run(), name="webhook"))
        try:
            async with asyncio.TaskGroup() as group:
                for driver in self.drivers.values():
                    group.create_task(driver.run(), name=f"driver of {driver.table}")
        finally:
            for task in beside:
                task.cancel()
        await balancing.announce_stop(self.environment)

    def drain(self) -> None:
        """Open no new rounds; `run` returns when the rounds in progress have ended."""
        self.draining = True
        log.info("draining: finishing rounds in progress, opening no new ones")
        for driver in self.drivers.values():
            driver.leave_after_round()

    # ---- commands ----------------------------------------------------------------------------

    def about(
        self, player: str, decide: Decision, *, by: str | None = None, sender: Sender = NO_SENDER
    ) -> Job:
        """Return a job about a player, with the house's protection rules and limits."""
        conduct, alone = self.house.conduct, self.house.alone
        ask = partial(
            jobs.about_player, player, self.environment.clock, decide, by=by, sender=sender
        )
        return ask(conduct=conduct, alone=alone)

    async def do(self, job: Job) -> Done:
        """Commit a job and return its result once it is durable, or raise the refusal or error."""
        (result,) = await self.environment.keeper.commit(job)
        if isinstance(result, Exception):
            raise result
        if not result.repeated:
            self.feed.notify(job.need.stream)
            if any(isinstance(event, ENDS) for event in result.events):
                await release(self.environment, result)
        return result

    async def pause(self, table: str | None = None, *, by: str, reason: str) -> None:
        """Pause a table or, without a table, the house; rounds in progress are finished."""
        log.warning("paused", extra={"table": table, "by": by, "reason": reason})
        await self._at_all(table, c.PauseTable(by, reason, house=table is None))

    async def stop(self, *, by: str) -> None:
        """Freeze every table: nothing is dealt, paid or cancelled until the house resumes."""
        log.warning("emergency stop", extra={"by": by})
        await self._at_all(None, c.PauseTable(by, "", house=True, frozen=True))
        await self.do(floor.stopped(by, self.environment.clock))

    async def resume(self, table: str | None = None, *, by: str) -> None:
        """Resume a table or, without a table, the house.

        Tables that were paused individually stay paused when the house resumes.
        """
        log.info("resumed", extra={"table": table, "by": by})
        await self._at_all(table, c.ResumeTable(by, house=table is None))

    async def _at_all(self, table: str | None, command: c.Command) -> None:
        """Carry out a command at one table or at all tables; a failure affects no other table."""
        tables = list(self.drivers) if table is None else [table]
        given = [jobs.at_table(table, command, self.environment.clock) for table in tables]
        results = await self.environment.keeper.commit(*given)
        for job in given:
            self.feed.notify(job.need.stream)
        for table in tables:
            if table in self.drivers:
                self.drivers[table].wake()
        for result in results:
            if isinstance(result, Exception):
                raise result
