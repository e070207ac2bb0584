"""The house at work: its tables open and driven, commands taken, drained before it stops.

`open` brings the store in line with the house file and says what an earlier run has left behind;
`run` drives every table until `drain`. The one rule: the service keeps nothing that is not in the
store, so it can be killed at any moment and started again.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from baccarat.core.errors import BaccaratError
from baccarat.house import jobs
from baccarat.house.desk import table_stream
from baccarat.house.housefile import House, TablePlan
from baccarat.house.ports import Done, Job
from baccarat.service import shares
from baccarat.service.bonuses import release
from baccarat.service.driver import TERM, Driver
from baccarat.service.feed import Feed
from baccarat.service.lookout import Lookout
from baccarat.service.takings import Today
from baccarat.service.world import World, has_another_key
from baccarat.store.vault import VaultError
from baccarat.table import commands as c
from baccarat.table.refusals import Code, Refused

log = logging.getLogger(__name__)
HOUSE_FILE = "the house file"
"""Who changes settings when a house starts."""


@dataclass(frozen=True)
class Held:
    """Stakes that a round held when the service was started."""

    table: str
    round: int
    phase: str
    coins: int


class Service:
    """One server of a house."""

    def __init__(self, house: House, world: World) -> None:
        self.house, self.world = house, world
        self.plans: dict[str, TablePlan] = {plan.id: plan for plan in house.tables}
        self.feed = Feed(world.keeper)
        self.today = Today(world.keeper, house.conduct.zone)
        self.lookout = Lookout(self)
        self.drivers: dict[str, Driver] = {}
        self.held: list[Held] = []
        self.draining = False
        self.pulse = shares.Pulse()

    # ---- opening, driving, draining ----------------------------------------------------------

    @property
    def sealed_off(self) -> list[str]:
        """Tables whose shoe the key does not open: they stand still."""
        return [table for table, driver in self.drivers.items() if driver.sealed_off]

    async def open(self) -> list[Held]:
        """Open the house and its tables, as the house file has them; what stakes rounds hold."""
        await self._check_key()
        await self.do(jobs.open_house(self.house.name, self.house.currency, self.world.clock))
        for plan in self.house.tables:
            await self._open_table(plan)
        for table in await self._known():
            await self._look_at(table)
            # A table that left the house file still ends its round, and reveals its shoe.
            closing = table not in self.plans
            self.drivers[table] = Driver(
                table,
                self.world,
                self.feed.ring,
                conduct=self.house.conduct,
                closing=closing,
                unopened=await self._unopened(table),
            )
        if self.draining:
            self.drain()
        self.pulse.beat()
        return self.held

    async def _open_table(self, plan: TablePlan) -> None:
        stream = table_stream(plan.id)
        state = await self.world.keeper.read(lambda store: store.state(stream))
        command: c.Command
        if state is None:
            command = c.OpenTable(plan.id, plan.settings)
        elif state.settings != plan.settings:
            log.info("the house file changes a table", extra={"table": plan.id})
            command = c.ChangeSettings(plan.settings, by=HOUSE_FILE)
        else:
            return
        try:
            await self.do(jobs.at_table(plan.id, command, self.world.clock))
        except Refused as error:
            if error.code is not Code.WRONG_PHASE:  # another server has just opened it
                raise

    async def _known(self) -> list[str]:
        """Every table that has a journal."""
        heads = await self.world.keeper.read(lambda store: store.heads())
        return [head.stream.removeprefix("table:") for head in heads if ":" in head.stream]

    async def _look_at(self, table: str) -> None:
        """Is there something in play, left behind by a server that was killed?"""
        stream = table_stream(table)
        state, leases = await self.world.keeper.read(
            lambda store: (store.state(stream), store.leases())
        )
        if state is None or not state.round.wagers:
            return
        coins = sum(placed.staked for placed in state.round.wagers.values())
        held = Held(table, state.round.number, str(state.round.phase), coins)
        self.held.append(held)
        driven = stream in leases and leases[stream].expires_at > self.world.clock()
        level = logging.INFO if driven else logging.WARNING  # perhaps another server is at it
        log.log(level, "stakes are held for a round that has not ended", extra=vars(held))

    async def _unopened(self, table: str) -> bytes:
        """The shoe at a table, if it is dealt on and the key does not open it."""
        state = await self.world.keeper.read(lambda store: store.state(table_stream(table)))
        if state is None or state.shoe is None:
            return b""
        if table not in self.plans and state.round.phase.resting:
            return b""
        shoe = state.shoe.terms.shoe
        sealed = await self.world.keeper.read(lambda store: store.sealed(shoe))
        try:
            self.world.vault.open(shoe, sealed or b"")
        except VaultError:
            return shoe
        return b""

    async def _check_key(self) -> None:
        """Servers of one house share a key: what one seals, every other must be able to open."""
        world = self.world
        servers = await world.keeper.read(lambda store: store.servers())
        up = shares.others_up(servers, world.clock(), world.holder)
        others = [one for one in up if has_another_key(one, world.vault)]
        if others:
            raise BaccaratError(
                f"servers of this house are up that have another key ({', '.join(others)}): start "
                f"with theirs, or stop them first; one that was killed counts for {TERM // 1000} s"
            )

    async def run(self) -> None:
        """Drive the tables, until drained."""
        beside = [
            asyncio.create_task(shares.keep(self.world, self.drivers, self.pulse), name="shares"),
            asyncio.create_task(self.lookout.run(), name="lookout"),
        ]
        try:
            async with asyncio.TaskGroup() as group:
                for driver in self.drivers.values():
                    group.create_task(driver.run(), name=f"driver of {driver.table}")
        finally:
            for task in beside:
                task.cancel()
        await shares.go(self.world)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Service"]:
        """Opened and driven, for as long as the block lasts."""
        await self.open()
        task = asyncio.create_task(self.run())
        try:
            yield self
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def drain(self) -> None:
        """No new rounds; `run` returns when those under way have ended."""
        self.draining = True
        log.info("draining: no new rounds, those under way end")
        for driver in self.drivers.values():
            driver.leave()

    # ---- commands ----------------------------------------------------------------------------

    async def do(self, job: Job) -> Done:
        """Its answer, once durable; raises what the store says against it."""
        (result,) = await self.world.keeper.commit(job)
        if isinstance(result, Exception):
            raise result
        if not result.repeated:
            self.feed.ring(job.need.stream)
            await release(self.world, result)
        return result

    async def pause(self, table: str | None = None, *, by: str, reason: str) -> None:
        """The kill switch of a table or the house: no wagers, no new rounds; those running end."""
        log.warning("paused", extra={"table": table, "by": by, "reason": reason})
        await self._at_all(table, c.PauseTable(by, reason, house=table is None))

    async def resume(self, table: str | None = None, *, by: str) -> None:
        """Go on: a table that was paused by itself, or the house, but for such tables."""
        log.info("resumed", extra={"table": table, "by": by})
        await self._at_all(table, c.ResumeTable(by, house=table is None))

    async def _at_all(self, table: str | None, command: c.Command) -> None:
        """At one table or at every one; one that fails does not keep it from the others."""
        tables = list(self.drivers) if table is None else [table]
        given = [jobs.at_table(table, command, self.world.clock) for table in tables]
        results = await self.world.keeper.commit(*given)
        for job in given:
            self.feed.ring(job.need.stream)
        for table in tables:
            if table in self.drivers:
                self.drivers[table].wake()
        for result in results:
            if isinstance(result, Exception):
                raise result
