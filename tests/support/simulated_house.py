"""A whole house in one process: the real service on simulated time, one seed, faults everywhere.

Servers drive the tables of one store under leases; players, the till and the pit send commands to
any of them, and retry those that were not answered; readers follow. Every call of the store may be
slow, fail before, inside or after its commit, be made twice, or be the last thing its server does;
servers are killed at any await; their clocks differ. Nothing is awaited but the loop's own timers,
so everything follows from the seed, and any run can be run again:
`python -m support.simulated_house SEED`.
"""

import asyncio
import contextlib
import json
import random
import selectors
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from baccarat.auditor import Report, Rows, audit
from baccarat.auditor.rows import rows_by
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.housefile import House
from baccarat.house.jobs import Sender
from baccarat.house.money import cash
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Done, Job, Key, Result
from baccarat.house.table_plans import TablePlan
from baccarat.service.driver import TERM
from baccarat.service.environment import Environment
from baccarat.service.service import Service
from baccarat.service.visibility import Reader
from baccarat.shoe.commitment import Source
from baccarat.store import schema as s
from baccarat.store.commit import Commit
from baccarat.store.engine import StoreError
from baccarat.store.sqlstore import AsyncStore, SqlStore
from baccarat.store.vault import Vault
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.codec import encode as canonical
from baccarat.table.codec import to_plain
from baccarat.table.phases import Phase
from baccarat.table.refusals import Refused
from baccarat.table.settings import Clock
from support.following import follow as follow_feed
from support.live import settings_for

START = 1_000_000
TABLES = ("one", "two")
PLAYERS = ("ann", "bob", "cat")
STAFF = {"till": Role.CASHIER, "pit": Role.PIT, "boss": Role.PIT}
SETS = [
    (),
    *(((bet, stake),) for bet in ("player", "banker", "tie") for stake in (500, 2000, 6000)),
    (("banker", 2000), ("tie", 500)),
    (("player", 2000), ("banker", 2000)),
]
OFFER = (("double_chance", "2%"),)
"""The standing offer at table two."""
CLOCK = Clock(betting=1_200, card=60, pause=100, squeeze=200)
HOUSE = House(
    "The house",
    "GBP",
    None,
    tuple(
        TablePlan(
            table,
            table.title(),
            settings_for(card, clock=CLOCK, source=source, deal_now=600),
            guests=True,
        )
        for table, card, source in (
            ("one", "punto-banco", Source.SHOE),
            ("two", "double-chance", Source.SHUFFLER),
        )
    ),
)
COMMIT_FAULTS = ("before", "inside", "after", "twice", "twice") * 3 + (
    *("dies before", "dies after"),
    *["stalls"] * 3,  # until the lease ends or another server has it
)
LOOK = 0.01
"""Simulated seconds between a stalled server's checks of the leases."""
OFTEN = 0.3
"""How often a commit has one of these faults."""
DRIVEN = {"ShoeCommitted", "RoundOpened", "BettingClosed", "CardDealt", "RoundSettled"}
"""Events that only the server holding the lease may append."""
LONGEST = 60
"""Simulated seconds within which everything must settle once faults have stopped."""


class Lost(Exception):
    """The answer did not arrive; the outcome is unknown."""


# ---- simulated time ------------------------------------------------------------------------------


class _Jumping(selectors.SelectSelector):
    """A selector that never waits: simulated time jumps ahead instead."""

    now = 0.0

    def select(self, timeout=None):
        ready = super().select(0)
        if not ready and timeout:
            self.now += timeout
        return ready


class SimulatedLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.jumping = _Jumping()
        super().__init__(self.jumping)

    def time(self) -> float:
        return self.jumping.now


def on_simulated_time(main: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        return runner.run(main)


# ---- a database in memory ------------------------------------------------------------------------


@cache
def _memory() -> Engine:
    """Return SQLite in memory, shared by all runs so that statements stay compiled."""
    raw = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    engine = create_engine("sqlite://", poolclass=StaticPool, creator=lambda: raw)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    s.metadata.create_all(engine)
    return engine


def raw(engine: Engine) -> sqlite3.Connection:
    with engine.connect() as connection:
        return connection.connection.driver_connection


@cache
def _new_house() -> bytes:
    """Return a store with only people and their money."""
    store = SqlStore(_memory())
    for name in (*PLAYERS, *STAFF):
        account = Account(name, STAFF.get(name, Role.PLAYER), name)
        assert isinstance(store.commit([jobs.open_account(account, lambda: START)])[0], Done)
    for name in PLAYERS:
        store.commit(
            [jobs.about_player(name, lambda: START, partial(cash.pay_in, amount=30_000), by="till")]
        )
    return raw(store.engine).serialize()


def rows_of(engine: Engine) -> Rows:
    with engine.connect() as connection:
        return rows_by(lambda query: connection.exec_driver_sql(query).all())


@contextlib.contextmanager
def failing_writes(times: int):
    """Make the database fail this many times in the middle of writing."""
    left, real = times, Commit.write

    def write(one: Commit) -> None:
        nonlocal left
        real(one)
        if left:
            left -= 1
            raise OperationalError("INSERT", {}, Exception("disk full"))

    Commit.write = write
    try:
        yield
    finally:
        Commit.write = real


# ---- servers -------------------------------------------------------------------------------------


class FaultyKeeper(AsyncStore):
    """A store that commits in groups, with delays and failures determined by the house's seed."""

    def __init__(self, house: "SimulatedHouse", process: "Process") -> None:
        self.house, self.process = house, process
        self.waiting: list[tuple[Job, asyncio.Future[Result]]] = []
        self.committing: asyncio.Task[None] | None = None

    async def commit(self, *given: Job) -> list[Result]:
        futures = [asyncio.get_running_loop().create_future() for _ in given]
        self.waiting += zip(given, futures, strict=True)
        if self.committing is None or self.committing.done():
            self.committing = self.process.spawn(self._commit())
        await asyncio.wait(futures)
        return [future.result() for future in futures]

    async def _commit(self) -> None:
        while self.waiting:
            await self.house.dawdle()
            group, self.waiting = self.waiting, []
            given = [job for job, _ in group]
            try:
                results = await self._with_faults(given)
            except StoreError as error:
                results = [error] * len(given)
            await self.house.dawdle()
            for (_, future), result in zip(group, results, strict=True):
                if not future.done():
                    future.set_result(result)

    async def _with_faults(self, given: list[Job]) -> list[Result]:
        house, store = self.house, self.process.store
        fault = house.chance(OFTEN) and house.random.choice(COMMIT_FAULTS)
        house.met[f"commit {fault or 'well'}"] += 1
        if fault == "before":
            raise StoreError("the store was not reached")
        if fault == "dies before":
            await house.die(self.process)
        if fault == "stalls":
            await self._stall({job.need.stream for job in given})
        with failing_writes(house.random.choice([1, 2]) if fault == "inside" else 0):
            results = store.commit(given)
        if fault == "twice":
            self._compare(results, store.commit(given))
        house.note_appended(self.process.name)
        if fault == "after":
            raise StoreError("the answer got lost")
        if fault == "dies after":
            await house.die(self.process)
        return results

    async def _stall(self, streams: set[str]) -> None:
        """Stall for longer than a lease, or sometimes only until another server has taken it."""
        left, eager = self.house.random.uniform(0.9, 1.5) * TERM / 1000, self.house.chance(0.5)
        mine = {stream for stream in streams if self._drives(stream)} if eager else set()
        while mine and left > 0 and all(map(self._drives, mine)):
            await asyncio.sleep(LOOK)
            left -= LOOK
        if not mine:
            await asyncio.sleep(left)

    def _drives(self, stream: str) -> bool:
        lease = self.process.store.leases().get(stream)
        return lease is not None and lease.holder == self.process.name

    @staticmethod
    def _compare(results: list[Result], again: list[Result]) -> None:
        for one, two in zip(results, again, strict=True):
            if isinstance(one, Done) and isinstance(two, Done) and two.repeated:
                assert one[:4] == two[:4]

    async def read(self, ask: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        await self.house.dawdle()
        if self.house.chance(0.03):
            self.house.met["read failed"] += 1
            raise StoreError("the store cannot be read now: try again")
        if self.house.chance(0.004):
            await self.house.die(self.process)
        found = ask(self.process.store, *args, **kwargs)
        await self.house.dawdle()
        return found


class Process:
    """One server process; only what is in the store outlives it."""

    def __init__(self, house: "SimulatedHouse", name: str) -> None:
        self.house, self.name, self.store = house, name, SqlStore(house.engine)
        self.tasks: dict[asyncio.Task[Any], None] = {}  # ordered, so that runs are reproducible
        skew = house.random.choice([-150, 0, 150]) if house.faults else 0
        environment = Environment(
            FaultyKeeper(house, self),
            house.vault,
            lambda: house.clock() + skew,
            house.random,
            self.name,
        )
        self.service = Service(house.plan, environment)
        self.task = self.spawn(self._main())

    async def _main(self) -> None:
        try:
            while True:
                with contextlib.suppress(StoreError):
                    await self.service.open()
                    break
            await self.service.run()
        except Exception as error:  # store failures must not stop a server
            self.house.broken.append(error)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self.tasks[task] = None
        task.add_done_callback(self.tasks.pop)
        return task

    async def request(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Return the answer to a client, or raise Lost if the server dies meanwhile."""
        task = self.spawn(work)
        await asyncio.wait([task])
        if task.cancelled():
            raise Lost
        try:
            return task.result()
        except StoreError as error:
            raise Lost from error

    def kill(self) -> None:
        """Stop all tasks of the process at once."""
        for task in list(self.tasks):
            task.cancel()


# ---- the house -----------------------------------------------------------------------------------


@dataclass
class Sent:
    """A command being sent: the same key and body until it is answered."""

    key: Key
    job: Callable[[Sender, jobs.Clock], Job]
    body: bytes
    acknowledged: Done | None = None
    refused: Refused | None = None
    """The refusal of one copy of the command; another copy may still be accepted."""


@dataclass
class SimulatedHouse:
    """A house determined by one seed. `evening` runs it; `check` checks the result."""

    seed: int
    faults: bool = True
    met: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.random, self.vault = random.Random(self.seed), Vault(bytes(32))
        # Two tables share the players' wallets; one is quicker to simulate.
        self.tables = TABLES[self.seed % 2 :][: 1 if self.seed % 4 else 2]
        plans = tuple(plan for plan in HOUSE.tables if plan.id in self.tables)
        self.plan = replace(HOUSE, tables=plans)
        template, self.engine = _new_house(), _memory()
        raw(self.engine).deserialize(template)
        raw(self.engine).execute("PRAGMA foreign_keys=ON")
        self.running: list[Process] = []
        self.started, self.starting, self.playing = 0, 0, True
        self.sent: list[Sent] = []
        self.seen: dict[str, list[int]] = {table: [] for table in self.tables}
        self.appended: dict[tuple[str, int], str] = {}
        """The server that appended each entry."""
        self.noted: dict[str, int] = {}
        self.broken: list[Exception] = []
        """Errors that stopped a server which should have continued."""

    def clock(self) -> int:
        return START + round(asyncio.get_running_loop().time() * 1000)

    def chance(self, share: float) -> bool:
        return self.faults and self.random.random() < share

    async def dawdle(self) -> None:
        await asyncio.sleep(self.random.choice([0, 0, 0.005, 0.02, 0.3 if self.faults else 0]))

    def note_appended(self, name: str) -> None:
        for stream, head in raw(self.engine).execute("SELECT stream, sequence FROM heads"):
            for sequence in range(self.noted.get(stream, 0) + 1, head + 1):
                self.appended[stream, sequence] = name
            self.noted[stream] = head

    # ---- starts and kills ------------------------------------------------------------------------

    def start(self) -> Process:
        self.started += 1
        process = Process(self, f"server-{self.started}")
        self.running.append(process)
        return process

    async def kill(self, process: Process) -> None:
        """Kill a server at its current await."""
        if process in self.running:
            self.met["kill"] += 1
            self.running.remove(process)
        process.kill()
        if process.tasks:
            await asyncio.wait(list(process.tasks))

    async def die(self, process: Process) -> None:
        """Kill a server during its own call of the store; another starts some time later."""
        if process in self.running:
            self.running.remove(process)
            self.starting += 1
            asyncio.get_running_loop().call_later(self.random.choice([0.1, 1, 5]), self._again)
        process.kill()
        await asyncio.Event().wait()  # waiting callers never get an answer

    def _again(self) -> None:
        self.starting -= 1
        self.start()

    async def some_server(self) -> Process:
        while not self.running:
            await asyncio.sleep(0.05)
        return self.random.choice(self.running)

    # ---- an evening ------------------------------------------------------------------------------

    async def evening(self, seconds: float) -> "SimulatedHouse":
        """Run servers with faults, people and readers; then stop all faults."""
        self.start()
        self.start()
        readers = [asyncio.create_task(self._follow(table)) for table in self.tables]
        people = [self._play(player) for player in PLAYERS]
        people += [self._work(one, self.random.choice([1, 5])) for one in ("till", "pit")]
        busy = [asyncio.create_task(person) for person in people]
        for part in self.random.choice([(1,), (0.3, 0.7), (0.1, 0.5, 0.4)]):
            await asyncio.sleep(part * seconds)
            await self.kill(await self.some_server())
            self.start()
        self.faults = self.playing = False
        await asyncio.gather(*busy)
        async with asyncio.timeout(LONGEST):
            await self._come_to_rest()
            for table, reader in zip(self.tables, readers, strict=True):
                while self.seen[table] != list(range(1, self.head(table) + 1)):
                    await asyncio.sleep(0.5)
                reader.cancel()
            await asyncio.wait(readers)
        for process in list(self.running):
            await self.kill(process)
        return self

    async def _come_to_rest(self) -> None:
        while self.starting:
            await asyncio.sleep(0.5)
        for sent in self.sent:
            while sent.acknowledged is None and sent.refused is None:
                await self._send(sent)
                await asyncio.sleep(0.5)
        for process in self.running:
            process.service.drain()
        await asyncio.wait([process.task for process in self.running])
        self.running.clear()
        # A table whose server was killed waits for the end of that lease: drained servers leave
        # it, and the next one that is started finishes its round.
        last = self.start()
        while not last.task.done():
            for driver in last.service.drivers.values():
                if driver.driving:
                    driver.leave_after_round()
            await asyncio.sleep(0.1)

    def state(self, table: str):
        return SqlStore(self.engine).state(f"table:{table}")

    def head(self, table: str) -> int:
        return SqlStore(self.engine).head(f"table:{table}").sequence

    # ---- people ----------------------------------------------------------------------------------

    async def _play(self, player: str) -> None:
        """Wager on the round last seen: some wagers are in time, some are late."""
        while self.playing:
            await asyncio.sleep(self.random.choice([0.05, 0.2, 0.5]))
            table, server = self.random.choice(self.tables), await self.some_server()
            try:
                state = await server.request(self._look(server, table))
            except Lost:
                continue
            if state is None or (state.round.phase != "open" and self.random.random() < 0.8):
                continue
            await asyncio.sleep(self.random.choice([0, 0, 0, 1.2]))
            wagers = tuple(Wager(*one) for one in self.random.choice(SETS))
            placed = state.round.wagers.get(player)
            seen = placed.wagers if placed else ()  # another may have started in between
            replaces = self.random.choice([None, seen])
            accept = OFFER if table == "two" and self.random.random() < 0.8 else ()
            command: c.Command = c.PlaceWagers(
                state.round.number, player, wagers, replaces=replaces, accept=accept
            )
            if placed and self.random.random() < 0.3:
                ask = self.random.choice([c.AskToDeal, c.AskToSqueeze, c.TurnCard])
                command = ask(state.round.number, player)
            await self._command(
                player,
                canonical(command),
                lambda sender, clock, table=table, command=command: jobs.at_table(
                    table, command, clock, sender=sender
                ),
            )

    @staticmethod
    async def _look(server: Process, table: str):
        return await server.service.environment.keeper.read(
            lambda store: store.state(f"table:{table}")
        )

    async def _work(self, who: str, pause: float) -> None:
        """The till pays money in and out, the pit cancels a round."""
        while self.playing:
            await asyncio.sleep(self.random.uniform(0, 2 * pause))
            if who == "till":
                player, amount = self.random.choice(PLAYERS), self.random.choice([100, 5_000])
                pay = self.random.choice([cash.pay_in, cash.pay_out])
                paid = partial(pay, amount=amount)
                await self._command(
                    who,
                    f"{pay.__name__} {player} {amount}".encode(),
                    lambda sender, clock, player=player, paid=paid: jobs.about_player(
                        player, clock, paid, by="till", sender=sender
                    ),
                )
            else:
                table = self.random.choice(self.tables)
                state = self.state(table)
                if state is None:
                    continue
                by = self.random.choice(["pit", "boss"])
                command = c.CancelRound(state.round.number, e.CancelReason.MISDEAL, by)
                await self._command(
                    who,
                    canonical(command),
                    lambda sender, clock, table=table, command=command: jobs.at_table(
                        table, command, clock, sender=sender
                    ),
                )

    async def _command(
        self, who: str, body: bytes, job: Callable[[Sender, jobs.Clock], Job]
    ) -> None:
        """Send a command, and retry now and then until it is answered."""
        sent = Sent(Key(who, f"k{self.random.getrandbits(60)}"), job, body)
        self.sent.append(sent)
        copies = self.random.choice([1, 1, 1, 2])
        await asyncio.gather(*(self._send(sent) for _ in range(copies)))
        while sent.acknowledged is None and sent.refused is None and self.random.random() < 0.7:
            await asyncio.sleep(self.random.choice([0.1, 0.5]))
            self.met["sent again"] += 1
            await self._send(sent)

    async def _send(self, sent: Sent) -> None:
        server = await self.some_server()
        job = sent.job(Sender(sent.key, sent.body), server.service.environment.clock)
        try:
            done = await server.request(server.service.do(job))
        except Lost:
            self.met["not answered"] += 1
        except Refused as refused:
            sent.refused = refused
        else:
            before, sent.acknowledged = sent.acknowledged, done
            assert before is None or before[:3] == done[:3]

    async def _follow(self, table: str) -> None:
        """A reader who is disconnected now and then, and resumes after the last event seen."""
        seen, everything = self.seen[table], Reader("auditor", sees_all=True)
        while True:
            server = await self.some_server()
            follow = follow_feed(server.service.feed, table, everything, seen[-1] if seen else 0)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.random.choice([0.5, 5])):
                    async for text in follow:
                        frame = json.loads(text)
                        assert frame["after"] == (seen[-1] if seen else 0)
                        seen += [one["sequence"] for one in frame["events"]]
            await follow.aclose()
            await asyncio.sleep(0.1)

    # ---- invariants ------------------------------------------------------------------------------

    def check(self) -> Report:
        """Check every coin, command and entry."""
        rows = rows_of(self.engine)
        report = audit(rows)
        assert report.findings == [], report.findings
        assert report.held == {}
        assert self.broken == []
        events = {(row[0], row[1]): json.loads(row[3]) for row in rows.journal}
        self._check_answers(events)
        self._check_settled(events)
        self._check_drivers(events)
        for table in self.tables:
            assert self.seen[table] == list(range(1, self.head(table) + 1))
        return report

    def _check_answers(self, events: dict[tuple[str, int], Any]) -> None:
        """Check that exactly the acknowledged commands are in the journal, once and as answered."""
        kinds = {"WagersPlaced", "MoneyPaidOut", "RoundCancelled"}
        commanded = {place for place, one in events.items() if one["type"] in kinds}
        accounted = set()
        for sent in self.sent:
            if sent.acknowledged is None:
                assert sent.refused is not None
                continue
            done = sent.acknowledged
            for sequence, happened in enumerate(done.events, done.first):
                place = (done.head.stream, sequence)
                assert events[place] == to_plain(happened), sent.key
                assert place not in accounted, "two commands for one entry"
                accounted.add(place)
        assert commanded <= accounted, "the journal has an event that no sender got an answer for"

    def _check_settled(self, events: dict[tuple[str, int], Any]) -> None:
        """Check that each round ended once, with the last accepted wagers of each player."""
        last: dict[tuple[str, int, str], Any] = {}
        ended: dict[tuple[str, int], list[Any]] = {}
        for (stream, _), one in sorted(events.items()):
            value = one
            if one["type"] == "WagersPlaced":
                last[stream, value["round"], value["player"]] = value["wagers"]
            elif one["type"] in ("RoundSettled", "RoundCancelled"):
                ended.setdefault((stream, value["round"]), []).append(value["results"])
        for (stream, number, player), wagers in last.items():
            ((results),) = ended[stream, number]
            mine = [result["wagers"] for result in results if result["player"] == player]
            reply = [[{"bet": w["bet"], "stake": w["stake"]} for w in one] for one in mine]
            assert reply == ([wagers] if wagers else [])

    def _check_drivers(self, events: dict[tuple[str, int], Any]) -> None:
        """Check that only the server with the lease drove a table."""
        holder: dict[str, str] = {}
        for (stream, sequence), one in sorted(events.items()):
            if one["type"] == "LeaseTaken":
                holder[stream] = one["holder"]
            elif one["type"] in DRIVEN:
                by = self.appended[stream, sequence]
                assert by == holder[stream], f"{stream} {sequence}: {by}, not {holder[stream]}"


class Quiet(SimulatedHouse):
    """A house without failures or delays."""

    def __init__(self) -> None:
        super().__init__(0, faults=False)

    async def dawdle(self) -> None:
        await asyncio.sleep(0)

    def state(self, table: str = "one"):
        return super().state(table)

    async def until(self, phase: Phase) -> None:
        while self.state() is None or self.state().round.phase is not phase:
            await asyncio.sleep(0.02)

    def place(self, player: str = "ann") -> None:
        command = c.PlaceWagers(self.state().round.number, player, (self.wager_of(),))
        (done,) = SqlStore(self.engine).commit([jobs.at_table("one", command, self.clock)])
        assert isinstance(done, Done)

    @staticmethod
    def wager_of():
        return Wager("player", 500)


def quietly(test):
    """Run a test on simulated time with a new house."""

    def run() -> None:
        async def main() -> None:
            house = Quiet()
            await test(house)
            for one in list(house.running):
                await house.kill(one)

        on_simulated_time(main())

    run.__name__ = test.__name__
    return run


def run(seed: int, seconds: float = 6.0) -> SimulatedHouse:
    """Run one house; raise an error if a check fails."""
    house = SimulatedHouse(seed)
    try:
        on_simulated_time(house.evening(seconds))
        house.report = house.check()
    except BaseException as error:
        error.add_note(f"seed {seed}: replay it with `python -m support.simulated_house {seed}`")
        raise
    return house


if __name__ == "__main__":
    import logging

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    again = run(int(sys.argv[1]))
    print(again.met, again.report)
