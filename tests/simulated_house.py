"""A whole house in one process: simulated time, one seed, faults at every call of the store.

Servers drive tables by lease, players wager through any of them and send again what was not
answered; commits fail before they happen, after they happened, or happen twice; servers crash and
come back with nothing but the database. Everything follows from the seed, so any run can be run
again.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from baccarat.auditor import Rows
from baccarat.auditor.rows import QUERIES
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.idempotency import Key
from baccarat.house.ports import Done, Job, Result
from baccarat.house.roles import Account, Role
from baccarat.shoe.commitment import Source
from baccarat.store import schema as s
from baccarat.store import unit
from baccarat.store.sqlstore import SqlStore
from baccarat.store.vault import Vault
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.canonical import canonical_bytes
from baccarat.table.dealer import command_for, new_shoe
from baccarat.table.pace import Do, next_step
from baccarat.table.refusals import Refused
from baccarat.table.settings import Clock
from live import settings_for

TERM = 6_000
TABLES = ("one", "two")
PLAYERS = ("ann", "bob", "cat")
SETS = [
    (),
    *(((bet, stake),) for bet in ("player", "banker", "tie") for stake in (500, 2000, 6000)),
    (("banker", 2000), ("tie", 500)),
    (("player", 2000), ("banker", 2000)),
]
CLOCK = Clock(betting=4_000, card=300, pause=500)
SETTINGS = {
    "one": settings_for(clock=CLOCK),
    "two": settings_for(clock=CLOCK, source=Source.SHUFFLER),
}


class Lost(Exception):
    """The answer did not arrive; nobody knows what happened."""


def memory() -> Engine:
    """SQLite in memory: real constraints, no disk."""
    engine = create_engine(
        "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
    )

    @event.listens_for(engine, "connect")
    def _(connection, __):
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys=ON")

    @event.listens_for(engine, "begin")
    def _(connection):
        connection.exec_driver_sql("BEGIN")

    s.metadata.create_all(engine)
    return engine


def rows_of(engine: Engine) -> Rows:
    with engine.connect() as connection:
        found = [[tuple(row) for row in connection.exec_driver_sql(query)] for query in QUERIES]
    return Rows(*found)


@dataclass
class Sent:
    """A wager on its way: the same key and body until it is answered."""

    table: str
    command: c.PlaceWagers
    key: Key


@dataclass
class Server:
    """One process: its store, the leases it believes it holds."""

    name: str
    store: SqlStore
    epochs: dict[str, int] = field(default_factory=dict)


class SimulatedHouse:
    """Runs a number of random steps; `finish` lets everything come to rest without faults."""

    def __init__(self, seed: int) -> None:
        self.random, self.now = random.Random(seed), 1_000_000
        self.engine, self.vault = memory(), Vault(bytes(32))
        self.faults, self.restarts = True, 0
        self.servers = [self.new_server() for _ in range(2)]
        self.acknowledged: dict[Key, Done] = {}
        self.refused: set[Key] = set()
        self.unanswered: dict[Key, Sent] = {}
        self.faults = False
        self.open()
        self.faults = True

    def clock(self) -> int:
        return self.now

    def new_server(self) -> Server:
        self.restarts += 1
        return Server(f"server-{self.restarts}", SqlStore(self.engine))

    def open(self) -> None:
        store = self.servers[0].store
        for name in (*PLAYERS, "till"):
            role = Role.CASHIER if name == "till" else Role.PLAYER
            done = store.commit([jobs.open_account(Account(name, role, name), self.clock)])
            assert isinstance(done[0], Done)
        for name in PLAYERS:
            store.commit([jobs.pay_in(name, 30_000, "till", self.clock)])
        for table in TABLES:
            store.commit([jobs.at_table(table, c.OpenTable(table, SETTINGS[table]), self.clock)])

    # ---- faults ----------------------------------------------------------------------------

    def commit(self, server: Server, given: Sequence[Job]) -> list[Result]:
        """A commit as a faulty world makes it."""
        fault = self.random.choice(
            ["before", "after", "twice", "inside", *["none"] * 7] if self.faults else ["none"]
        )
        if fault == "before":
            raise Lost
        if fault == "inside":
            with failing_writes(self.random.choice([1, 2])):
                return server.store.commit(given)
        results = server.store.commit(given)
        if fault == "twice":
            again = server.store.commit(given)
            for one, two in zip(results, again, strict=True):
                if isinstance(one, Done) and isinstance(two, Done) and two.repeated:
                    assert one.answer == two.answer
        if fault == "after":
            raise Lost
        return results

    # ---- steps -----------------------------------------------------------------------------

    def step(self) -> None:
        """Some time passes, servers drive their tables, something else happens."""
        self.now += self.random.choice([50, 300, 300, 700])
        for server, table in product(self.servers, TABLES):
            if self.random.random() < 0.7:
                self.drive(server, table)
        server = self.random.choice(self.servers)
        match self.random.choice(["wager"] * 5 + ["again"] * 2 + ["crash"]):
            case "wager":
                self.wager(server)
            case "again" if self.unanswered:
                self.send(server, self.random.choice(list(self.unanswered.values())))
            case "crash" if self.random.random() < 0.3:
                self.servers[self.servers.index(server)] = self.new_server()

    def wager(self, server: Server) -> None:
        """Some wagers of some players, in one group."""
        for _ in range(self.random.choice([1, 1, 4])):
            table, player = self.random.choice(TABLES), self.random.choice(PLAYERS)
            state = server.store.state(f"table:{table}")
            if state.round.phase != "open" and self.random.random() < 0.8:
                continue
            wagers = tuple(Wager(*one) for one in self.random.choice(SETS))
            command = c.PlaceWagers(state.round.number, player, wagers)
            sent = Sent(table, command, Key(player, f"k{self.random.getrandbits(60)}"))
            self.unanswered[sent.key] = sent
        waiting = list(self.unanswered.values())[-4:]
        if waiting:
            self.send(server, *waiting)

    def send(self, server: Server, *sent: Sent) -> None:
        given = [
            jobs.at_table(
                one.table,
                one.command,
                self.clock,
                sender=jobs.Sender(one.key, canonical_bytes(one.command)),
            )
            for one in sent
        ]
        try:
            results = self.commit(server, given)
        except Lost:
            return
        for one, result in zip(sent, results, strict=True):
            if isinstance(result, Done):
                self.acknowledged[one.key] = result
                self.unanswered.pop(one.key, None)
            elif isinstance(result, Refused):
                self.refused.add(one.key)
                self.unanswered.pop(one.key, None)

    def drive(self, server: Server, table: str) -> None:
        """What a server does for a table: keep or take the lease, then the step that is due."""
        state = server.store.state(f"table:{table}")
        epoch = server.epochs.get(table)
        try:
            if epoch is None or epoch != state.epoch:
                server.epochs.pop(table, None)
                lease = jobs.take_lease(table, server.name, self.clock, term=TERM)
                (taken,) = self.commit(server, [lease])
                if isinstance(taken, Done):
                    server.epochs[table] = int(taken.answer)
                return
            renew = jobs.renew_lease(table, epoch, self.clock, term=TERM)
            step = next_step(state)
            if step is None or step.at > self.now:
                self.commit(server, [renew])
                return
            self.commit(server, [renew, self.step_job(server, table, state, step)])
        except Lost:
            return

    def step_job(self, server: Server, table: str, state, step) -> Job:
        sealed, shoe = None, None
        if step.do is Do.COMMIT_SHOE:
            shoe = new_shoe(state.settings, self.random)
            sealed = (shoe.terms.shoe, self.vault.seal(shoe))
        elif state.shoe is not None:
            name = state.shoe.terms.shoe
            shoe = self.vault.open(name, server.store.sealed(name))
        command = command_for(step, state, shoe, epoch=server.epochs[table])
        return jobs.at_table(table, command, self.clock, sealed=sealed)

    def finish(self) -> None:
        """No more faults: every table's round comes to its end."""
        self.faults = False
        server = self.servers[0]
        for sent in list(self.unanswered.values()):
            self.send(server, sent)
        for table in TABLES:
            self.now += TERM
            for _ in range(60):
                state = server.store.state(f"table:{table}")
                if state.round.phase.resting and state.epoch == server.epochs.get(table):
                    break
                self.now += 300
                self.drive(server, table)

    # ---- what must hold ----------------------------------------------------------------------

    def check_wagers(self) -> None:
        """Every acknowledged wager is in the journal, as it was answered, and nothing else is."""
        rows = rows_of(self.engine)
        bodies = {(stream, sequence): body for stream, sequence, _, body in rows.journal}
        placed = {
            place for place, body in bodies.items() if json.loads(body)["type"] == "WagersPlaced"
        }
        accounted = set()
        for key, done in self.acknowledged.items():
            answer = json.loads(done.answer)
            for i, happened in enumerate(answer["events"]):
                place = (done.head.stream, answer["first"] + i)
                assert json.loads(bodies[place]) == happened, key
                assert place not in accounted
                accounted.add(place)
        assert placed == accounted
        assert not self.refused & self.acknowledged.keys()


class failing_writes:  # noqa: N801
    """The database fails so many times in the middle of writing."""

    def __init__(self, times: int) -> None:
        self.left, self.real = times, unit.Unit.write

    def __enter__(self) -> None:
        def write(one: unit.Unit) -> None:
            self.real(one)
            if self.left:
                self.left -= 1
                raise OperationalError("INSERT", {}, Exception("disk full"))

        unit.Unit.write = write

    def __exit__(self, *_: object) -> None:
        unit.Unit.write = self.real


def count(engine: Engine, kind: type[e.Event]) -> int:
    return sum(json.loads(row[3])["type"] == kind.__name__ for row in rows_of(engine).journal)
