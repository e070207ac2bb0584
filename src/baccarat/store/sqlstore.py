"""The store on SQLite or PostgreSQL, and its committing thread.

`SqlStore.commit` carries out many jobs in one durable commit. If a job raises an error, it is found
by bisection, and only that job fails. If the commit itself fails, it is unknown whether everything
or nothing was written: each job is repeated by itself, and idempotency keys show which jobs had
been done. Results are returned only after the commit.

A service uses the store through an `AsyncStore`. While a commit is being made durable, new commands
wait and then go to the store as one group; all results of a group are delivered together, after
the commit. One thread commits and a few threads read, so the service's event loop never waits for
the database. A caller that is cancelled or gets no result does not know the outcome of a commit,
and must query the store.
"""

import asyncio
import contextlib
import gc
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from functools import cache, partial
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

from sqlalchemy import Connection, Engine, Select, Table, bindparam, select
from sqlalchemy.exc import SQLAlchemyError

from baccarat.core.errors import BaccaratError
from baccarat.house.outcomes import Lease
from baccarat.house.people.names import ProposedName
from baccarat.house.people.sign_in_lock import Attempts, OpenSession
from baccarat.house.ports import Done, Job, Person, Result
from baccarat.house.safety.record import NOTHING, Position, Safety, decode
from baccarat.store import schema as s
from baccarat.store.commit import Commit, States
from baccarat.store.dialects import writing
from baccarat.store.engine import TO_SERVE, StoreError, lacks_rights, open_engine, reason_of
from baccarat.store.entries import entries
from baccarat.store.positions import Positions
from baccarat.store.side_tables import person_of
from baccarat.table.journal import Entry, Head, beginning
from baccarat.table.state import TableState

P = ParamSpec("P")
T = TypeVar("T")
MAX_TOGETHER = 1_000
"""Maximum number of jobs in one commit. They take about 0.1 s, and all of them wait that long."""
GATHER = 0.005
"""Seconds that the committing thread waits for more jobs when many arrive. A commit takes as
much CPU time as twenty bets, in addition to that of the jobs in it."""
READERS = 4
COLLECT = (200_000, 10, 10)
"""Thresholds of the garbage collector. A commit of a thousand wagers creates about 60,000 objects,
all of which are freed without a collection."""
# Statements are built once, because building them costs more than running them.
_HEADS = select(s.heads).where(s.heads.c.sequence > 0).order_by(s.heads.c.stream)
_BALANCES = select(s.balances).order_by(s.balances.c.account)
_SESSIONS = (
    select(s.sessions)
    .where(s.sessions.c.account == bindparam("account"))
    .order_by(s.sessions.c.begun.desc(), s.sessions.c.digest)
)
_LEASES, _SERVERS = select(s.leases), select(s.servers)
_SIGNING_IN = select(s.people).where(s.people.c.sign_in_id == bindparam("id"))


@cache
def _by_key(table: Table) -> Select[Any]:
    (column,) = table.primary_key
    return select(table).where(column == bindparam("key"))


class SqlStore:
    """The store; one thread at a time may commit, and any number may read."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._states = States()
        """States cached by the committing thread."""
        self._seen = States()
        """States cached for readers, which may be older than those of the committing thread."""
        self._seeing = threading.Lock()
        self._positions, self._seen_positions = Positions(), Positions()

    @classmethod
    def open(cls, address: str) -> "SqlStore":
        """Open the store at an address, and bring its schema up to date."""
        return cls(open_engine(address))

    def close(self) -> None:
        self.engine.dispose()

    # ---- writing ---------------------------------------------------------------------------

    def commit(self, jobs: Sequence[Job]) -> list[Result]:
        """Carry out jobs in order and return their results.

        There is one durable commit, or several smaller ones if a job fails.
        """
        if not jobs:
            return []
        stage = _Stage.BEGINNING
        try:
            with self._transaction() as connection:
                stage = _Stage.WORKING
                commit = Commit(connection, self._states, self._positions)
                commit.read(jobs)
                results = [commit.run(job) for job in jobs]
                commit.write()
                stage = _Stage.COMMITTING
        except Exception as error:
            return self._after_failure(jobs, stage, error)
        with self._seeing:  # no reader is active now; later readers see this commit
            self._states.known |= commit.tables
            self._seen.known |= commit.tables
        self._states.snapshots |= commit.snapshots
        self._states.keep_played(commit.played)
        return results

    def _after_failure(
        self, jobs: Sequence[Job], stage: "_Stage", error: Exception
    ) -> list[Result]:
        if stage is _Stage.BEGINNING or len(jobs) == 1:
            return [_failure(error)] * len(jobs)
        together = 1 if stage is _Stage.COMMITTING else (len(jobs) + 1) // 2
        parts = [jobs[start : start + together] for start in range(0, len(jobs), together)]
        return [result for part in parts for result in self.commit(part)]

    def _transaction(self) -> contextlib.AbstractContextManager[Connection]:
        return writing(self.engine)

    # ---- reading ---------------------------------------------------------------------------

    def rows(self, query: Select[Any], **asked: object) -> Sequence[Any]:
        """Return the rows of a query."""
        with self.engine.connect() as connection:
            return connection.execute(query, asked).all()

    def row(self, table: Table, key: object) -> Any:
        """Return the row with this key, or None if there is none."""
        return next(iter(self.rows(_by_key(table), key=key)), None)

    def head(self, stream: str) -> Head:
        """Return the head of a stream; a stream without entries has the head `beginning`."""
        row = self.row(s.heads, stream)
        return Head(*row) if row else beginning(stream)

    def heads(self) -> list[Head]:
        """Return the head of every stream, for export."""
        return [Head(*row) for row in self.rows(_HEADS)]

    def entries(self, stream: str, *, after: int = 0, limit: int = 1000) -> list[Entry]:
        """Return at most `limit` entries after a number, in order."""
        with self.engine.connect() as connection:
            return [*entries(connection, stream, after=after, limit=limit)]

    def state(self, stream: str) -> TableState | None:
        """Return the current state of a table's stream; None if it has no entries."""
        with self._seeing, self.engine.connect() as connection, connection.begin():
            row = connection.execute(_by_key(s.heads), {"key": stream}).one_or_none()
            return None if row is None else self._seen.at(connection, Head(*row))

    def balance(self, account: str) -> int:
        row = self.row(s.balances, account)
        return row.balance if row else 0

    def balances(self) -> Iterable[tuple[str, int]]:
        """Return every ledger account and its balance."""
        return [(row.account, row.balance) for row in self.rows(_BALANCES)]

    def person(self, account: str) -> Person | None:
        """Return an account with its hashed password; None if the account does not exist."""
        row = self.row(s.people, account)
        return row and person_of(row)

    def person_signing_in(self, name: str) -> Person | None:
        """Return the account that someone signs in to with this ID; None if there is none."""
        rows = self.rows(_SIGNING_IN, id=name)
        return next((person_of(row) for row in rows), None) or self.person(name)

    def proposed_name(self, account: str) -> ProposedName | None:
        """Return the name proposed for an account; None if there is none."""
        row = self.row(s.proposed_names, account)
        return row and ProposedName(*row)

    def attempts(self, name: str) -> Attempts | None:
        """Return the count of wrong passwords for the digest of a name, if there is one."""
        row = self.row(s.attempts, name)
        return row and Attempts(row.wrong, row.at)

    def known_place(self, digest: str) -> int | None:
        """Return when someone last signed in with the name and address of this digest, or None."""
        row = self.row(s.known_places, digest)
        return row.at if row else None

    def sessions(self, account: str) -> list[OpenSession]:
        """Return an account's listed sessions, newest first."""
        return [OpenSession(*row) for row in self.rows(_SESSIONS, account=account)]

    def safety(self, player: str) -> Safety:
        """Return a player's protection record."""
        row = self.row(s.safety, player)
        return decode(bytes(row.body)) if row else NOTHING

    def position(self, player: str, since: int) -> Position:
        """Return a player's position since a given time."""
        with self._seeing, self.engine.connect() as connection, connection.begin():
            return self._seen_positions.position(connection, player, since)

    def leases(self) -> dict[str, Lease]:
        """Return the lease of each table, by stream."""
        rows = self.rows(_LEASES)
        return {row.stream: Lease(row.epoch, row.holder, row.expires_at) for row in rows}

    def servers(self) -> dict[str, int]:
        """Return the time until which each server counts as available; it may be in the past."""
        return {row.holder: row.until for row in self.rows(_SERVERS)}

    def sealed(self, shoe: bytes) -> bytes | None:
        """Return a shoe's encrypted secret; None if the shoe is unknown."""
        row = self.row(s.shoes, shoe)
        return row.sealed if row else None


class _Stage(Enum):
    """The stage at which a commit failed, and what follows."""

    BEGINNING = "not caused by a job, and nothing has happened: all jobs fail"
    WORKING = "probably caused by one job, and nothing has happened: it is found by halving"
    COMMITTING = "the outcome is unknown: each job is done once more, by itself"


def _failure(error: Exception) -> Exception:
    """Return the error to report, without the contents of any row.

    Unless the database refused the job for missing privileges, the outcome is unknown.
    """
    if not isinstance(error, SQLAlchemyError):
        return error
    remedy = TO_SERVE if lacks_rights(error) else "retry with the same key"
    return StoreError(f"not written to the store: {reason_of(error)}; {remedy}")


# ---- the store as a service uses it ------------------------------------------------------------

Asked = tuple[Job, "asyncio.Future[Result]"]
Answers = Sequence[tuple["asyncio.Future[Result]", Result]]


def system_clock() -> int:
    """Return the server time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def collect_rarely() -> None:
    """Run the garbage collector rarely, and never on objects that were created at startup.

    Most garbage here is freed by reference counting, and scanning everything that a server has
    loaded takes longer than most commits.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


class AsyncStore(Protocol):
    """A store with an asynchronous interface."""

    async def commit(self, *jobs: Job) -> list[Result]:
        """Carry out jobs in order and return their results.

        If this raises an error, the outcome is unknown.
        """

    async def read(
        self, ask: Callable[Concatenate[SqlStore, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call a method of the store, or a function that takes the store as its first argument."""

    def time_commits(self, observe: Callable[[float], None]) -> None:
        """Call `observe`, from any thread, with the duration of each later commit in seconds."""


class ThreadedStore(AsyncStore):
    """A store with a committing thread and reader threads, as a context manager.

    Leaving the context first finishes the queued jobs.
    """

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._timed: Callable[[float], None] = lambda _: None
        self._waiting: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._is_busy = False
        """Whether the last commit had more than one job."""
        self._thread = threading.Thread(target=self._run, name="group-commit", daemon=True)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._waiting.put(None)
        self._thread.join()
        self._readers.shutdown()

    async def commit(self, *jobs: Job) -> list[Result]:
        loop = asyncio.get_running_loop()
        futures = []
        for job in jobs:
            futures.append(future := loop.create_future())
            self.submit(job, future)
        return [await future for future in futures]

    def submit(self, job: Job, future: "asyncio.Future[Result]") -> None:
        """Queue a job; its result is delivered through the future once the job is durable."""
        if self._closed.is_set():
            raise BaccaratError("the store is closing and accepts no more commands")
        self._waiting.put((job, future))

    def time_commits(self, observe: Callable[[float], None]) -> None:
        self._timed = observe

    async def read(
        self, ask: Callable[Concatenate[SqlStore, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        loop, asked = asyncio.get_running_loop(), partial(ask, self._store, *args, **kwargs)
        try:
            return await loop.run_in_executor(self._readers, asked)
        except BaccaratError:
            raise
        except Exception as error:
            if lacks_rights(error):
                reason = f"{reason_of(error)}; {TO_SERVE}"
                raise StoreError(f"cannot read the store: {reason}") from error
            # The type is logged, so that an internal error is not mistaken for a store error.
            kind = type(error).__name__
            raise StoreError(f"cannot read the store ({kind}): try again") from error

    def _run(self) -> None:
        more = True
        while more:
            group, more = self._next_group()
            self._is_busy = len(group) > 1
            if group:
                results = self._results([job for job, _ in group])
                self._answer([(one, res) for (_, one), res in zip(group, results, strict=True)])

    def _next_group(self) -> tuple[list[Asked], bool]:
        """Wait for jobs; return those that are queued, and whether more may follow."""
        group: list[Asked] = []
        item = self._waiting.get()
        if self._is_busy and not self._closed.is_set():
            time.sleep(GATHER)
        while item is not None:
            group.append(item)
            if len(group) == MAX_TOGETHER:
                return group, True
            try:
                item = self._waiting.get_nowait()
            except queue.Empty:
                return group, True
        return group, False

    def _results(self, jobs: list[Job]) -> list[Result]:
        begun = time.perf_counter()
        try:
            results = self._store.commit(jobs)
        except Exception as error:
            return [error] * len(jobs)
        if any(isinstance(result, Done) and not result.repeated for result in results):
            self._timed(time.perf_counter() - begun)
        return results

    @staticmethod
    def _answer(answers: Answers) -> None:
        """Deliver all results of a commit at once, because waking an event loop costs a system
        call."""
        loop = answers[0][0].get_loop()  # a service has only one event loop
        with contextlib.suppress(RuntimeError):  # the loop is closed, so nobody is waiting
            loop.call_soon_threadsafe(_set, answers)


def _set(answers: Answers) -> None:
    for future, result in answers:
        if not future.done():
            future.set_result(result)
