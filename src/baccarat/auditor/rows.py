"""Reads the rows of a store, as tuples and in one read-only, consistent snapshot.

The rows are the journal and everything that was derived from it: heads, ledger, balances, accounts,
protection records and the index of entries by type (marks).
"""

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from baccarat.auditor.amounts import NO_NUMBER

NO_STORE = "is not a store: give one that `baccarat serve` created"
TO_CONNECT = (
    "check the address, that PostgreSQL is running there with this database, and the password "
    "(in ~/.pgpass or the file named by PGPASSFILE)"
)


TO_ENCRYPT = (
    "PostgreSQL on another machine must use TLS: turn on ssl there, or add ?sslmode=disable to the "
    "address if you trust the network"
)


TO_VERIFY = (
    "the certificate of PostgreSQL on another machine must be verified: give the authority that "
    "signed it with ?sslrootcert=FILE in the address, or add ?sslmode=require if nobody can "
    "intercept the connection"
)


class Unreadable(Exception):
    """A store cannot be read; the message gives the reason."""


@dataclass(frozen=True)
class Rows:
    """The rows of a store; None for a database table that was not read."""

    journal: list[tuple[str, int, bytes, bytes]]
    """Stream, sequence, hash and body, sorted by stream and sequence."""
    heads: list[tuple[str, int, bytes]]
    postings: list[tuple[str, int, str, str, int]]
    """Stream, sequence, player, account, amount."""
    balances: list[tuple[str, int]]
    people: list[tuple[str, str, int, str, int, str, int, int]] | None = None
    """Account, role, whether the account is a guest's, who opened it or issued its password,
    whether it is suspended or closed, the tables it is assigned to, when its owner last signed
    in, and whether it has a second factor."""
    transactions: list[tuple[str, int, str, str]] | None = None
    """Stream, sequence, player, kind."""
    safety: list[tuple[str, bytes]] | None = None
    """Player and protection record."""
    played: list[tuple[str, str]] | None = None
    """Player, and a stream in which the store lists transactions of that player."""
    marks: list[tuple[str, str, int]] | None = None
    """Stream, type of event and sequence of each row in the index of entries by type."""
    misplaced: list[tuple[str, int, str]] | None = None
    """Stream, sequence and player of transactions in the wrong block of the ledger."""


_ELSEWHERE = "WHERE COALESCE(block, -1) <> sequence / 4096"  # the size of a block never changes
QUERIES = {
    "journal": "SELECT stream, sequence, hash, body FROM journal ORDER BY stream, sequence",
    "heads": "SELECT stream, sequence, hash FROM heads WHERE sequence > 0 ORDER BY stream",
    "postings": "SELECT stream, sequence, player, account, amount FROM postings",
    "balances": "SELECT account, balance FROM balances WHERE balance <> 0",
    "people": "SELECT id, role, guest, issued_by, suspended, tables, signed_in, "
    "second_factor IS NOT NULL FROM people",
    "transactions": "SELECT stream, sequence, player, kind FROM transactions",
    "safety": "SELECT player, body FROM safety",
    "played": "SELECT player, stream FROM played",
    "marks": "SELECT stream, kind, sequence FROM marks",
    "misplaced": f"SELECT stream, sequence, player FROM transactions {_ELSEWHERE} "  # noqa: S608
    f"UNION SELECT stream, sequence, player FROM postings {_ELSEWHERE}",
}
"""The SQL query for each field of `Rows`."""
KINDS = {
    **dict.fromkeys(("sequence", "amount", "balance", "guest", "suspended", "signed_in"), int),
    "second_factor IS NOT NULL": int,
    **dict.fromkeys(("hash", "body"), bytes),
}
"""Types of the columns that are not text; SQLite would accept a value of any type there."""
SCHEMA = "0101"
"""The schema that this auditor reads; lower numbers predate the first release."""


def read_store(address: str) -> Rows:
    """Return all rows of a store in one consistent snapshot."""
    with _connected(address) as ask:
        found = max(
            (str(row[0]) for row in ask("SELECT version_num FROM alembic_version")), default=""
        )
        if found > SCHEMA:
            raise Unreadable(
                f"this store was written by a newer version (its schema is {found}; this version "
                f"reads {SCHEMA}): audit it with that version"
            )
        if "" < found < SCHEMA:
            raise Unreadable(
                f"this store was written by a version before the first release (its schema is "
                f"{found}), which this version cannot read: audit it with that version"
            )
        return rows_by(ask)


def rows_by(ask: Callable[[str], Iterable[tuple[Any, ...]]]) -> Rows:
    """Return all rows; `ask` runs a query."""
    found: dict[str, Any] = {name: [*_plain(query, ask(query))] for name, query in QUERIES.items()}
    return Rows(**found)


def _plain(query: str, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield rows with each value converted to its column's type.

    A value of the wrong type was not written by this program. It is converted so that the audit
    reports it and does not crash: text is encoded as bytes, and a value that is not a number
    becomes a number that matches nothing.
    """
    names = query.removeprefix("SELECT ").partition(" FROM ")[0].split(", ")
    kinds = [KINDS.get(name, str) for name in names]
    for row in rows:
        yield tuple(
            [
                value if type(value) is kind else _converted(kind, value)
                for kind, value in zip(kinds, row, strict=True)
            ]
        )


def _converted(kind: type, value: Any) -> Any:
    if isinstance(value, memoryview):
        return bytes(value)
    if kind is int:
        return value if isinstance(value, int) else NO_NUMBER
    return str(value) if kind is str else str(value).encode()


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    scheme, _, rest = address.partition(":///")
    if scheme == "sqlite" and rest:
        with _sqlite(Path(unquote(rest.partition("?")[0]))) as ask:  # as the server parses it
            yield ask
    elif address.startswith("postgresql"):
        with _postgresql(address.replace("+psycopg", "", 1)) as ask:
            yield ask
    else:
        raise Unreadable(
            f"{address[:80]!r} is not a store: write sqlite:///FILE or postgresql://USER@HOST/NAME"
        )


@contextmanager
def _sqlite(path: Path) -> Iterator[Any]:
    if not path.is_file():
        raise Unreadable(f"{path} cannot be read: no such file")
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            connection.execute("BEGIN")
            yield connection.execute
        finally:
            connection.close()
    except sqlite3.Error as error:
        if str(error).startswith("no such "):  # table or column
            raise Unreadable(f"{path} {NO_STORE}") from error
        raise Unreadable(f"{path} cannot be read: {error}") from error


@contextmanager
def _postgresql(address: str) -> Iterator[Any]:
    import psycopg
    from psycopg import errors

    database = f"the database at {_shown(address)}"
    try:
        with psycopg.connect(address, **_tls(address)) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield connection.execute
    except (errors.UndefinedTable, errors.UndefinedColumn) as error:
        raise Unreadable(f"{database} {NO_STORE}") from error
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0]
        if isinstance(error, errors.InsufficientPrivilege):
            reason += ": allow this role to SELECT from all its tables"
        elif isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
            remedy = TO_ENCRYPT if "does not support SSL" in reason else TO_CONNECT
            reason += f": {TO_VERIFY if 'certificate' in reason else remedy}"
        raise Unreadable(f"{database} cannot be read: {reason}") from error


def _tls(address: str) -> dict[str, Any]:
    """Return the options that require verified TLS for a database on another machine.

    Return no options if the address or the environment specifies the TLS mode.
    """
    from psycopg.conninfo import conninfo_to_dict

    given = conninfo_to_dict(address)
    if given.get("sslmode") or os.environ.get("PGSSLMODE"):
        return {}
    # libpq connects to hostaddr whatever the host name is; both may come from the environment.
    keys = ("host", "hostaddr")
    hosts = [str(given.get(key) or "") for key in keys]
    if any(hosts) or not (given.get("service") or os.environ.get("PGSERVICE")):
        hosts = [
            said or os.environ.get(f"PG{key.upper()}", "")
            for key, said in zip(keys, hosts, strict=True)
        ]
    here = re.compile(r"|[/@].*|localhost|127\.[0-9.]+|\[?::1\]?")
    away = not all(here.fullmatch(host) for host in ",".join(hosts).split(","))
    return {"sslmode": "verify-full"} if away else {}


def _shown(address: str) -> str:
    """Return the address without its password, for messages."""
    scheme, _, rest = re.sub(r"\bpassword=[^&]*&?", "", address).partition("://")
    who, at, place = rest.rpartition("@")
    user, secret, _ = who.partition(":")
    return f"{scheme}://{user}{':***' if secret else ''}{at}{place}".rstrip("?&")
