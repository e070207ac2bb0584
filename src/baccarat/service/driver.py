"""The driver: runs one table automatically, under a lease.

The driver determines the next step (`next_step`), waits until the step is due, and takes it. If
something happened in the meantime, here or on another server, the store refuses the step and the
driver reads the table's state again. So the driver is stateless: a new driver continues where a
dead one stopped. After an error, it makes no assumption about whether a step was taken. A table
with real cards is left to its dealer.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from baccarat.house import jobs, leases
from baccarat.house.money import bonus
from baccarat.house.ports import Done, Job, Result
from baccarat.house.safety.profiles import Conduct
from baccarat.service.environment import Environment
from baccarat.service.event_loop import wait_up_to
from baccarat.shoe.commitment import SealedShoe
from baccarat.store.sqlstore import SqlStore
from baccarat.store.vault import VaultError
from baccarat.table.automatic.dealer import command_for, new_shoe
from baccarat.table.automatic.next_step import Step, next_step
from baccarat.table.commands import CommitShoe, EndShoe, RecordAlert, SettleRound
from baccarat.table.events import DataLost, LeaseTaken, RoundCancelled, RoundSettled
from baccarat.table.journal import table_stream
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState

TERM = 4_000
"""Length of a lease in milliseconds. If a server dies, its tables stop for at most this long."""
RENEW = TERM // 3
LOOK = 1_000
"""Milliseconds between checks of whether another server still drives a table."""
RETRY = 250
"""Milliseconds to wait after an error or a refusal."""
GIVE_UP_AFTER = 30_000
"""Milliseconds of continuous store errors after which a driver that should stop gives up."""

ENDS = (RoundSettled, RoundCancelled)

log = logging.getLogger(__name__)


async def release(environment: Environment, result: Result) -> None:
    """Release the bonus money of players who have just met their wagering requirement.

    This is called after every settlement, automatic or by a dealer, and reviews everyone who staked
    bonus money in the round. If a release fails, it is retried at the next settlement, at a
    withdrawal, or when the player asks.
    """
    if not isinstance(result, Done) or result.repeated:
        return
    ended = [event for event in result.events if isinstance(event, ENDS)]
    players = [one.player for event in ended for one in event.results if one.bonus]
    if players:
        reviews = (jobs.about_player(player, environment.clock, bonus.review) for player in players)
        await environment.keeper.commit(*reviews)


class Driver:
    """Drives one table until `leave_after_round` is called.

    With `closing`, it drives the table until its round and its shoe have ended.
    """

    def __init__(
        self,
        table: str,
        environment: Environment,
        notify: Callable[[str], None],
        *,
        conduct: Conduct | None = None,
        closing: bool = False,
    ) -> None:
        self.table, self._environment, self._notify = table, environment, notify
        self.driving = False
        """Whether this server holds the table's lease, as far as it knows."""
        self.settled = 0
        """Number of rounds settled since startup."""
        self._conduct = conduct
        self.stream = table_stream(table)
        self._epoch, self._renew_at = 0, 0
        self._closing, self._leaving = closing, False
        self._hand_over, self._leave_to_others = False, False
        self._woken = asyncio.Event()
        self._shoe: SealedShoe | None = None
        self._undecryptable = b""
        """Id of the shoe at the table if the key cannot decrypt it; otherwise empty."""
        self._reported: bytes | None = None
        """Id of the last shoe that was reported because the key cannot decrypt it."""
        self._over = False
        """Whether the table is closing and has no round in progress."""

    @property
    def sealed_off(self) -> bool:
        """Whether the table has stopped because the server's key cannot decrypt its shoe."""
        return bool(self._undecryptable) and not self._over

    async def look_at(self) -> TableState | None:
        """Return the table's state, and find out whether the key can decrypt its shoe."""
        state = await self._environment.keeper.read(SqlStore.state, self.stream)
        if state is not None and state.shoe is not None:
            self._over = self._closing and state.round.phase.resting
            with contextlib.suppress(VaultError):
                await self._open_shoe(state)
        return state

    def leave_after_round(self) -> None:
        """Open no more rounds, and give up the lease when the current round has ended."""
        self._leaving = True
        self.wake()

    def follow_balancing(self, *, hand_over: bool, leave_to_others: bool) -> None:
        """Apply load balancing: hand the table over, or leave it to another server."""
        if (hand_over, leave_to_others) != (self._hand_over, self._leave_to_others):
            self._hand_over, self._leave_to_others = hand_over, leave_to_others
            self.wake()

    def wake(self) -> None:
        """Make the driver read the table's state again, because something may have happened."""
        self._woken.set()

    async def run(self) -> None:
        """Drive the table until there is nothing left to do."""
        going, well_at = True, self._environment.clock()
        while going:
            try:
                going = await self._turn()
                well_at = self._environment.clock()
            except VaultError as error:
                await self._report_loss(str(error))
                if self._closing or self._leaving:
                    break  # the shoe cannot be dealt or revealed
                await self._wait(TERM)
            except Exception as error:  # store unavailable, or response lost: retry
                why = {"table": self.table, "why": str(error)}
                if self._leaving and self._environment.clock() - well_at > GIVE_UP_AFTER:
                    log.error("table left unfinished: store unavailable", extra=why)
                    break
                log.warning("table step failed", extra=why)
                await self._wait(RETRY)
        self.driving = False

    async def _turn(self) -> bool:
        """Read the table's state and do what is due; return False when this driver is done."""
        state = await self._environment.keeper.read(SqlStore.state, self.stream)
        if state is None:
            raise Refused(Code.NO_SUCH_TABLE, "table-not-opened")
        if state.shoe is None or state.shoe.terms.shoe != self._undecryptable:
            self._undecryptable = b""
        self.driving = 0 < self._epoch == state.epoch and not self._undecryptable
        self._over = self._closing and state.round.phase.resting
        if state.by_hand:  # a dealer runs the table, so there is nothing to drive
            if self._closing or self._leaving:
                return False
            await self._wait(TERM)
            return True
        step = next_step(state)
        resting = state.round.phase.resting and (step is None or step.command is not EndShoe)
        if resting and self._closing and not self._leaving and state.shoe is not None:
            await self._open_shoe(state)
            await (self._abandon(state) if self.driving else self._take_lease())
            return True
        if (resting and (self._closing or self._leaving)) or (state.frozen and self._leaving):
            if self.driving:
                await self._commit(self._renewal(term=0))
            return False
        if not self.driving:
            if self._leaving:
                return False  # another server drives the table
            if self._leave_to_others:  # another server drives the table, so it does not stand still
                self._undecryptable = b""
                await self._wait(TERM)
            else:
                if state.shoe is not None:
                    await self._open_shoe(state)  # take no lease if this fails
                await self._take_lease()
            return True
        if resting and self._hand_over:
            log.info("table handed over", extra={"table": self.table, "epoch": self._epoch})
            await self._commit(self._renewal(term=0))
            self._epoch, self._hand_over, self._leave_to_others = 0, False, True
            return True
        await self._go_on(state, step)
        return True

    async def _take_lease(self) -> None:
        environment = self._environment
        job = leases.take(self.table, environment.holder, environment.clock, term=TERM)
        (result,) = await environment.keeper.commit(job)
        if isinstance(result, Done):
            (taken,) = result.events
            assert isinstance(taken, LeaseTaken)  # noqa: S101
            self._epoch, self._renew_at = taken.epoch, environment.clock() + RENEW
            log.info("lease taken", extra={"table": self.table, "epoch": self._epoch})
        elif isinstance(result, Refused):  # another server drives the table: try again later
            await self._wait(LOOK)
        else:
            raise result

    async def _go_on(self, state: TableState, step: Step | None) -> None:
        """Take the step that is due, renew the lease, or wait until either is due."""
        now = self._environment.clock()
        renewal = [self._renewal(term=TERM)] if now >= self._renew_at else []
        if step is not None and step.at <= now:
            await self._commit(*renewal, await self._job(state, step))
            if step.command is SettleRound:
                self.settled += 1
        elif renewal:
            await self._commit(*renewal)
        else:
            due = self._renew_at if step is None else min(self._renew_at, step.at)
            await self._wait(due - now)

    async def _abandon(self, state: TableState) -> None:
        """Reveal the shoe of a table that is being closed, so that players can verify the shoe."""
        shoe = await self._open_shoe(state)
        command = EndShoe(self._epoch, shoe.key, shoe.order, abandon=True)
        await self._commit(jobs.at_table(self.table, command, self._environment.clock))
        log.info("shoe abandoned", extra={"table": self.table, "shoe": shoe.terms.shoe.hex()})

    async def _report_loss(self, words: str) -> None:
        """Report, once for each shoe, that the key cannot decrypt it.

        The report goes to the log and, if possible, to the pit.
        """
        if self._reported == self._undecryptable:
            return
        self._reported = self._undecryptable
        level = logging.WARNING if self._closing else logging.ERROR
        log.log(level, "shoe cannot be decrypted", extra={"table": self.table, "why": words})
        command = RecordAlert(DataLost(0, self._environment.holder, words))
        with contextlib.suppress(Exception):
            await self._environment.keeper.commit(
                jobs.at_table(self.table, command, self._environment.clock)
            )

    def _renewal(self, *, term: int) -> Job:
        return leases.renew(self.table, self._epoch, self._environment.clock, term=term)

    async def _commit(self, *given: Job) -> None:
        results = await self._environment.keeper.commit(*given)
        self._notify(self.stream)
        for result in results:
            if isinstance(result, Exception):
                raise result
        if len(given) > 1 or given[0].need.lease:
            self._renew_at = self._environment.clock() + RENEW
        await release(self._environment, results[-1])

    async def _job(self, state: TableState, step: Step) -> Job:
        environment, sealed = self._environment, None
        if step.command is CommitShoe:
            shoe = new_shoe(state.settings_due(environment.clock()), environment.randomness)
            sealed = (shoe.terms.shoe, environment.vault.seal(shoe))
        else:
            shoe = await self._open_shoe(state)
        command = command_for(step, state, shoe, epoch=self._epoch)
        return jobs.at_table(
            self.table, command, environment.clock, sealed=sealed, conduct=self._conduct
        )

    async def _open_shoe(self, state: TableState) -> SealedShoe:
        """Return the decrypted shoe at the table, which is cached while it is in use."""
        assert state.shoe is not None  # noqa: S101  (only CommitShoe needs no shoe)
        name = state.shoe.terms.shoe
        if self._shoe is None or self._shoe.terms.shoe != name:
            sealed = await self._environment.keeper.read(SqlStore.sealed, name)
            self._undecryptable = name
            if sealed is None:
                raise VaultError(f"the secret of shoe {name.hex()} is missing: restore a backup")
            self._shoe = self._environment.vault.open(name, sealed)
        self._undecryptable = b""
        return self._shoe

    async def _wait(self, milliseconds: int) -> None:
        """Wait for the given time, or until woken."""
        await wait_up_to(milliseconds / 1000, self._woken)
        self._woken.clear()
