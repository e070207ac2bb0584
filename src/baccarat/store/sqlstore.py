"""The store on SQLite or PostgreSQL.

`commit` does many jobs in one durable commit. When one of them cannot be done, it is found by
halving, and fails alone. When the commit itself fails, nothing of it has happened, or all of it and
only the answer got lost: each job is done once more, by itself, and idempotency keys tell which had
been done. The one rule: an answer is given after its commit, never before.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from threading import Lock

from sqlalchemy import Connection, Engine, bindparam, select
from sqlalchemy.exc import SQLAlchemyError

from baccarat.house.attempts import Attempts
from baccarat.house.ports import Job, Lease, OpenSession, Person, Result, Store
from baccarat.house.safety import NOTHING, Position, Safety, decode
from baccarat.store import schema as s
from baccarat.store.engine import TO_SERVE, WRITES, StoreError, lacks_rights, open_engine
from baccarat.store.positions import Positions
from baccarat.store.states import States
from baccarat.store.unit import Unit, account_of
from baccarat.table.journal import Entry, Head, beginning
from baccarat.table.state import TableState

# Statements are made once: making them costs more than running them.
_HEAD = select(s.heads).where(s.heads.c.stream == bindparam("stream"))
_ENTRIES = (
    select(s.journal)
    .where(s.journal.c.stream == bindparam("stream"), s.journal.c.sequence > bindparam("after"))
    .order_by(s.journal.c.sequence)
    .limit(bindparam("most"))
)
_BALANCE = select(s.balances.c.balance).where(s.balances.c.account == bindparam("account"))
_PERSON = select(s.people).where(s.people.c.id == bindparam("account"))
_ATTEMPTS = select(s.attempts).where(s.attempts.c.name == bindparam("name"))
_KNOWN_PLACE = select(s.known_places.c.at).where(s.known_places.c.digest == bindparam("digest"))
_SESSIONS = (
    select(s.sessions)
    .where(s.sessions.c.account == bindparam("account"))
    .order_by(s.sessions.c.begun.desc(), s.sessions.c.digest)
)
_LEASES, _SERVERS = select(s.leases), select(s.servers)
_SEALED = select(s.shoes.c.sealed).where(s.shoes.c.shoe == bindparam("shoe"))


class SqlStore(Store):
    """Implements `house.ports.Store`. One thread at a time commits; any number may read."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._states = States()
        """What the committing thread knows."""
        self._seen = States()
        """What readers know: the committing thread's may be ahead of what they may see."""
        self._seeing = Lock()
        self._positions, self._seen_positions = Positions(), Positions()

    @classmethod
    def open(cls, address: str) -> "SqlStore":
        """The store at an address, its schema up to date."""
        return cls(open_engine(address))

    def close(self) -> None:
        self.engine.dispose()

    # ---- writing ---------------------------------------------------------------------------

    def commit(self, jobs: Sequence[Job]) -> list[Result]:
        """Do jobs in their order, in one durable commit if all goes well."""
        if not jobs:
            return []
        stage = _Stage.BEGINNING
        try:
            with self._transaction() as connection:
                stage = _Stage.WORKING
                unit = Unit(connection, self._states, self._positions)
                unit.read(jobs)
                results = [unit.ask(job) for job in jobs]
                unit.write()
                stage = _Stage.COMMITTING
        except Exception as error:
            return self._after_failure(jobs, stage, error)
        with self._seeing:  # no reader is halfway: the next one sees at least this
            for stream, state in unit.tables.items():
                self._states.keep(stream, state)
                self._seen.keep(stream, state)
        self._states.keep_snapshots(unit.snapshots)
        self._states.keep_played(unit.played)
        return results

    def _after_failure(
        self, jobs: Sequence[Job], stage: "_Stage", error: Exception
    ) -> list[Result]:
        if stage is _Stage.BEGINNING or len(jobs) == 1:
            return [_failure(error)] * len(jobs)
        together = 1 if stage is _Stage.COMMITTING else (len(jobs) + 1) // 2
        parts = [jobs[start : start + together] for start in range(0, len(jobs), together)]
        return [result for part in parts for result in self.commit(part)]

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        writing = self.engine.connect().execution_options(**{WRITES: True})
        with writing as connection, connection.begin():
            yield connection

    # ---- reading ---------------------------------------------------------------------------

    def head(self, stream: str) -> Head:
        """The last entry of a stream; of one without entries, its beginning."""
        with self.engine.connect() as connection:
            row = connection.execute(_HEAD, {"stream": stream}).one_or_none()
        return Head(row.stream, row.sequence, row.hash) if row else beginning(stream)

    def heads(self) -> list[Head]:
        """The head of every stream: what to export."""
        query = select(s.heads).where(s.heads.c.sequence > 0).order_by(s.heads.c.stream)
        with self.engine.connect() as connection:
            return [Head(row.stream, row.sequence, row.hash) for row in connection.execute(query)]

    def entries(self, stream: str, *, after: int = 0, limit: int = 1000) -> list[Entry]:
        """The entries after a number, in their order, so many at most."""
        asked = {"stream": stream, "after": after, "most": limit}
        with self.engine.connect() as connection:
            rows = connection.execute(_ENTRIES, asked)
            return [Entry(row.stream, row.sequence, row.hash, row.body) for row in rows]

    def state(self, stream: str) -> TableState | None:
        """A table's state as of now."""
        with self._seeing, self.engine.connect() as connection, connection.begin():
            row = connection.execute(_HEAD, {"stream": stream}).one_or_none()
            if row is None:
                return None
            return self._seen.at(connection, Head(row.stream, row.sequence, row.hash))

    def balance(self, account: str) -> int:
        with self.engine.connect() as connection:
            return connection.execute(_BALANCE, {"account": account}).scalar() or 0

    def balances(self) -> Iterable[tuple[str, int]]:
        """Every ledger account and its balance."""
        query = select(s.balances).order_by(s.balances.c.account)
        with self.engine.connect() as connection:
            return [(row.account, row.balance) for row in connection.execute(query)]

    def person(self, account: str) -> Person | None:
        """An account, its hashed password, and since when that is its owner's own."""
        with self.engine.connect() as connection:
            row = connection.execute(_PERSON, {"account": account}).one_or_none()
        if row is None:
            return None
        return Person(account_of(row), row.password, row.since, row.expires_at)

    def attempts(self, name: str) -> Attempts | None:
        """Wrong passwords under a name, as a digest."""
        with self.engine.connect() as connection:
            row = connection.execute(_ATTEMPTS, {"name": name}).one_or_none()
        return None if row is None else Attempts(row.wrong, row.at)

    def known_place(self, digest: str) -> int | None:
        """When a name last signed in at an address, both as one digest."""
        with self.engine.connect() as connection:
            return connection.execute(_KNOWN_PLACE, {"digest": digest}).scalar()

    def sessions(self, account: str) -> list[OpenSession]:
        """An account's sessions, newest first, as far as they are listed."""
        with self.engine.connect() as connection:
            rows = connection.execute(_SESSIONS, {"account": account})
            return [OpenSession(*row) for row in rows]

    def safety(self, player: str) -> Safety:
        """What is known of a player for their protection."""
        query = select(s.safety.c.body).where(s.safety.c.player == player)
        with self.engine.connect() as connection:
            body = connection.execute(query).scalar()
        return NOTHING if body is None else decode(bytes(body))

    def position(self, player: str, since: int) -> Position:
        """How a player stands since a time."""
        with self._seeing, self.engine.connect() as connection, connection.begin():
            return self._seen_positions.position(connection, player, since)

    def leases(self) -> dict[str, Lease]:
        """Who drives which table, by stream."""
        with self.engine.connect() as connection:
            rows = connection.execute(_LEASES)
            return {row.stream: Lease(row.epoch, row.holder, row.expires_at) for row in rows}

    def servers(self) -> dict[str, int]:
        """Servers that are or were up, and until when each counts as that."""
        with self.engine.connect() as connection:
            return {row.holder: row.until for row in connection.execute(_SERVERS)}

    def sealed(self, shoe: bytes) -> bytes | None:
        """A shoe's encrypted secret."""
        with self.engine.connect() as connection:
            return connection.execute(_SEALED, {"shoe": shoe}).scalar()


class _Stage(Enum):
    """How far a commit had come when it failed."""

    BEGINNING = "no job's fault, and nothing has happened: all of them fail"
    WORKING = "most likely one job's fault, and nothing has happened: it is found by halving"
    COMMITTING = "nobody knows what has happened: each is done once more, by itself"


def _failure(error: Exception) -> Exception:
    """What became of a job is not known, or the database forbids it; no row is shown."""
    if not isinstance(error, SQLAlchemyError):
        return error
    reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
    remedy = TO_SERVE if lacks_rights(error) else "send it again under the same key"
    return StoreError(f"the store did not take it: {reason}; {remedy}")
