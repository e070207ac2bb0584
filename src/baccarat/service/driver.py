"""The driver: one table, driven by the clock under a lease.

It asks what is due (`table.pace`), waits for it, and takes the step; whatever happened meanwhile,
here or on another server, the store refuses what no longer fits and the driver looks again. So it
needs no memory: a new driver goes on where a dead one stopped. A table of real cards it leaves to
its dealer. The one rule: after an error nothing
is assumed, neither that a step was taken nor that it was not.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from baccarat.house import jobs
from baccarat.house.desk import table_stream
from baccarat.house.ports import Done, Job
from baccarat.house.profile import Conduct
from baccarat.service.bonuses import release
from baccarat.service.world import World
from baccarat.shoe.commitment import SealedShoe
from baccarat.store.vault import VaultError
from baccarat.table.commands import EndShoe, Notice
from baccarat.table.dealer import command_for, new_shoe
from baccarat.table.decide import due_settings
from baccarat.table.events import DataLost
from baccarat.table.pace import Do, Step, next_step
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState

TERM = 4_000
"""How long a lease lasts, in milliseconds: so long does a table stand still when a server dies."""
RENEW = TERM // 3
LOOK = 1_000
"""How long to wait before looking whether another server still drives a table."""
RETRY = 250
"""How long to wait after an error or a refusal."""
HOPELESS = 30_000
"""How long a driver that is to leave puts up with a store that gives errors."""

log = logging.getLogger(__name__)


class Driver:
    """Drives one table until told to leave it; with `closing`, until its round and its shoe have
    ended."""

    def __init__(
        self,
        table: str,
        world: World,
        ring: Callable[[str], None],
        *,
        conduct: Conduct | None = None,
        closing: bool = False,
        unopened: bytes = b"",
    ) -> None:
        self.table, self._world, self._ring = table, world, ring
        self.driving = False
        """Does this server hold the table's lease, as far as it knows?"""
        self.settled = 0
        """Rounds settled since the start."""
        self._conduct = conduct
        self.stream = table_stream(table)
        self._epoch, self._renew_at = 0, 0
        self._closing, self._leaving = closing, False
        self._let_go, self._leave = False, False
        self._woken = asyncio.Event()
        self._shoe: SealedShoe | None = None
        self._unopened = unopened
        """The shoe at the table, if it was tried and the key does not open it."""
        self._told_of: bytes | None = None
        """The last such shoe that somebody was told of."""
        self._over = False
        """Is there nothing at the table that anybody waits for?"""

    @property
    def sealed_off(self) -> bool:
        """Does the table stand still because the key does not open its shoe?"""
        return bool(self._unopened) and not self._over

    def leave(self) -> None:
        """Open no more rounds; when the one under way has ended, give the lease up."""
        self._leaving = True
        self.wake()

    def heed(self, *, let_go: bool, leave: bool) -> None:
        """What is fair among servers: hand the table over, or leave it to another."""
        if (let_go, leave) != (self._let_go, self._leave):
            self._let_go, self._leave = let_go, leave
            self.wake()

    def wake(self) -> None:
        """Look again: something may have happened at the table."""
        self._woken.set()

    async def run(self) -> None:
        """Drive, until there is nothing left to do here."""
        going, well_at = True, self._world.clock()
        while going:
            try:
                going = await self._turn()
                well_at = self._world.clock()
            except VaultError as error:
                await self._tell_of_loss(str(error))
                if self._closing or self._leaving:
                    break  # what is waited for cannot come
                await self._wait(TERM)
            except Exception as error:  # the store is away, or an answer got lost: look again
                why = {"table": self.table, "why": str(error)}
                if self._leaving and self._world.clock() - well_at > HOPELESS:
                    log.error("left as it stands: the store gives errors", extra=why)
                    break
                log.warning("a turn failed", extra=why)
                await self._wait(RETRY)
        self.driving = False

    async def _turn(self) -> bool:
        """One look at the table and what it calls for; False when this driver is done."""
        state = await self._world.keeper.read(lambda store: store.state(self.stream))
        if state is None:
            raise Refused(Code.NO_SUCH_TABLE, f"{self.table} has not been opened: open it first")
        if state.shoe is None or state.shoe.terms.shoe != self._unopened:
            self._unopened = b""
        self.driving = 0 < self._epoch == state.epoch and not self._unopened
        self._over = self._closing and state.round.phase.resting
        if state.by_hand:  # a dealer conducts it: nothing to drive, and nothing to wait for
            if self._closing or self._leaving:
                return False
            await self._wait(TERM)
            return True
        step = next_step(state)
        resting = state.round.phase.resting and (step is None or step.do is not Do.END_SHOE)
        if resting and self._closing and not self._leaving and state.shoe is not None:
            await self._open_shoe(state)
            await (self._abandon(state) if self.driving else self._take_lease())
            return True
        if resting and (self._closing or self._leaving):
            if self.driving:
                await self._commit(self._renewal(term=0))
            return False
        if not self.driving:
            if self._leaving:
                return False  # another server drives it
            if self._leave:  # another server deals, so it does not stand still
                self._unopened = b""
                await self._wait(TERM)
            else:
                if state.shoe is not None:
                    await self._open_shoe(state)  # or the lease is for one who can
                await self._take_lease()
            return True
        if resting and self._let_go:
            log.info("handed over", extra={"table": self.table, "epoch": self._epoch})
            await self._commit(self._renewal(term=0))
            self._epoch, self._let_go, self._leave = 0, False, True
            return True
        await self._go_on(state, step)
        return True

    async def _take_lease(self) -> None:
        world = self._world
        job = jobs.take_lease(self.table, world.holder, world.clock, term=TERM)
        (result,) = await world.keeper.commit(job)
        if isinstance(result, Done):
            self._epoch, self._renew_at = int(result.answer), world.clock() + RENEW
            log.info("lease taken", extra={"table": self.table, "epoch": self._epoch})
        elif isinstance(result, Refused):  # another server drives it: wait until it might not
            await self._wait(LOOK)
        else:
            raise result

    async def _go_on(self, state: TableState, step: Step | None) -> None:
        """Take the step that is due, keep the lease, or wait for one of the two."""
        now = self._world.clock()
        renewal = [self._renewal(term=TERM)] if now >= self._renew_at else []
        if step is not None and step.at <= now:
            await self._commit(*renewal, await self._job(state, step))
            if step.do is Do.SETTLE_ROUND:
                self.settled += 1
        elif renewal:
            await self._commit(*renewal)
        else:
            due = self._renew_at if step is None else min(self._renew_at, step.at)
            await self._wait(due - now)

    async def _abandon(self, state: TableState) -> None:
        """Reveal the shoe of a table that is given up: nobody is to wonder what was in it."""
        shoe = await self._open_shoe(state)
        command = EndShoe(self._epoch, shoe.key, shoe.order, abandon=True)
        await self._commit(jobs.at_table(self.table, command, self._world.clock))
        log.info("shoe abandoned", extra={"table": self.table, "shoe": shoe.terms.shoe.hex()})

    async def _tell_of_loss(self, words: str) -> None:
        """Once: in the log, and for the pit in the journal, whether or not it gets there."""
        if self._told_of == self._unopened:
            return
        self._told_of = self._unopened
        level = logging.WARNING if self._closing else logging.ERROR
        log.log(level, "a shoe cannot be opened", extra={"table": self.table, "why": words})
        command = Notice(DataLost(0, self._world.holder, words))
        with contextlib.suppress(Exception):
            await self._world.keeper.commit(jobs.at_table(self.table, command, self._world.clock))

    def _renewal(self, *, term: int) -> Job:
        return jobs.renew_lease(self.table, self._epoch, self._world.clock, term=term)

    async def _commit(self, *given: Job) -> None:
        results = await self._world.keeper.commit(*given)
        self._ring(self.stream)
        for result in results:
            if isinstance(result, Exception):
                raise result
        if len(given) > 1 or given[0].need.lease:
            self._renew_at = self._world.clock() + RENEW
        await release(self._world, results[-1])

    async def _job(self, state: TableState, step: Step) -> Job:
        world, sealed = self._world, None
        if step.do is Do.COMMIT_SHOE:
            shoe = new_shoe(due_settings(state, world.clock()), world.randomness)
            sealed = (shoe.terms.shoe, world.vault.seal(shoe))
        else:
            shoe = await self._open_shoe(state)
        command = command_for(step, state, shoe, epoch=self._epoch)
        return jobs.at_table(self.table, command, world.clock, sealed=sealed, conduct=self._conduct)

    async def _open_shoe(self, state: TableState) -> SealedShoe:
        """The shoe at the table; it is kept open while it is there."""
        assert state.shoe is not None  # noqa: S101  (every other step has one)
        name = state.shoe.terms.shoe
        if self._shoe is None or self._shoe.terms.shoe != name:
            sealed = await self._world.keeper.read(lambda store: store.sealed(name))
            self._unopened = name
            if sealed is None:
                raise VaultError(f"the secret of shoe {name.hex()} is not kept: restore a backup")
            self._shoe = self._world.vault.open(name, sealed)
        self._unopened = b""
        return self._shoe

    async def _wait(self, milliseconds: int) -> None:
        """So long, or until woken."""
        # Not `wait_for`: before Python 3.12 it loses a cancellation that comes with the waking.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(milliseconds / 1000):
                await self._woken.wait()
        self._woken.clear()
