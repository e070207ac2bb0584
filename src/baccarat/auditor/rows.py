"""The rows of a store, read as they are: no object mapping, one consistent moment.

In goes an address, out come the journal, the heads, the postings and the balances. The one rule:
read only.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class Unreadable(Exception):
    """A store that cannot be read; the message says why."""


@dataclass(frozen=True)
class Rows:
    """What a store holds."""

    journal: list[tuple[str, int, bytes, bytes]]
    """Stream, sequence, hash, body; by stream and sequence."""
    heads: list[tuple[str, int, bytes]]
    postings: list[tuple[str, int, str, str, int]]
    """Stream, sequence, player, account, amount."""
    balances: list[tuple[str, int]]
    people: list[tuple[str, str]] | None = None
    """Accounts and their roles."""
    played: list[tuple[str, str]] | None = None
    """Players, and the streams in which they are told to have transactions."""


QUERIES = (
    "SELECT stream, sequence, hash, body FROM journal ORDER BY stream, sequence",
    "SELECT stream, sequence, hash FROM heads WHERE sequence > 0 ORDER BY stream",
    "SELECT stream, sequence, player, account, amount FROM postings",
    "SELECT account, balance FROM balances WHERE balance <> 0",
    "SELECT id, role FROM people",
)
PLAYED = "SELECT player, stream FROM played"
"""There since schema 0011."""
SCHEMA = "0011"
"""The newest form of a store that this auditor knows."""


def read_store(address: str) -> Rows:
    """Everything, as of one moment."""
    with _connected(address) as ask:
        queries = [*QUERIES]
        for (found,) in ask("SELECT version_num FROM alembic_version"):
            if found > SCHEMA:
                raise Unreadable(
                    f"this store was written by a newer program (its schema is {found}, and "
                    f"{SCHEMA} is the newest known here): audit it with that program"
                )
            if found >= "0011":
                queries.append(PLAYED)
        rows = (
            [tuple(bytes(v) if isinstance(v, memoryview) else v for v in row) for row in ask(query)]
            for query in queries
        )
        return Rows(*rows)  # type: ignore[arg-type]


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    scheme, _, rest = address.partition(":///")
    if scheme == "sqlite" and rest:
        with _sqlite(Path(rest)) as ask:
            yield ask
    elif address.startswith("postgresql"):
        with _postgresql(address.replace("+psycopg", "", 1)) as ask:
            yield ask
    else:
        raise Unreadable(
            f"{address[:80]!r} is no store: write sqlite:///FILE or postgresql://USER@HOST/NAME"
        )


@contextmanager
def _sqlite(path: Path) -> Iterator[Any]:
    if not path.is_file():
        raise Unreadable(f"{path} cannot be read: there is no such file")
    try:
        connection = sqlite3.connect(f"file:{path.absolute()}?mode=ro", uri=True)
        try:
            connection.execute("BEGIN")
            yield connection.execute
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise Unreadable(f"{path} cannot be read: {error}") from error


@contextmanager
def _postgresql(address: str) -> Iterator[Any]:
    import psycopg

    try:
        with psycopg.connect(address) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield connection.execute
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0]
        raise Unreadable(f"the database cannot be read: {reason}") from error
