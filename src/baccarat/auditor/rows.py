"""The rows of a store, read as they are: no object mapping, one consistent moment.

In goes an address, out come the journal and what was derived from it: heads, ledger, balances,
accounts, protection, marks. The one rule: read only.
"""

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from baccarat.auditor.words import NO_NUMBER

NO_STORE = "is no store: name one that baccarat serve made"
TO_CONNECT = (
    "check the address, that PostgreSQL runs there and has this database, and the password, which "
    "belongs in ~/.pgpass or the file that PGPASSFILE names"
)


TO_ENCRYPT = (
    "a PostgreSQL on another machine is reached by TLS: turn ssl on there, or write "
    "?sslmode=disable in the address where the network itself is trusted"
)


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
    people: list[tuple[str, str, str, int]] | None = None
    """Accounts: role, name, and whether it is a guest's."""
    transactions: list[tuple[str, int, str, str]] | None = None
    """Stream, sequence, player, kind."""
    safety: list[tuple[str, bytes]] | None = None
    """Players, and what is known of each for their protection."""
    played: list[tuple[str, str]] | None = None
    """Players, and the streams in which they are told to have transactions."""
    marks: list[tuple[str, str, int]] | None = None
    """Stream, kind, sequence: where entries of a kind are told to stand."""
    issued: list[tuple[str, str, int]] | None = None
    """Accounts, who opened each or issued its password, and whether it is suspended or closed."""
    misplaced: list[tuple[str, int, str]] | None = None
    """Stream, sequence, player of what is in another block of the ledger than its entry's."""


QUERIES = (
    "SELECT stream, sequence, hash, body FROM journal ORDER BY stream, sequence",
    "SELECT stream, sequence, hash FROM heads WHERE sequence > 0 ORDER BY stream",
    "SELECT stream, sequence, player, account, amount FROM postings",
    "SELECT account, balance FROM balances WHERE balance <> 0",
    "SELECT id, role, name, guest FROM people",
    "SELECT stream, sequence, player, kind FROM transactions",
)
_ELSEWHERE = "WHERE COALESCE(block, -1) <> sequence / 4096"  # what a block is never changes
LATER = {
    "safety": ("0003", "SELECT player, body FROM safety"),
    "marks": ("0005", "SELECT stream, kind, sequence FROM marks"),
    "issued": ("0012", "SELECT id, issued_by, suspended FROM people"),
    "played": ("0011", "SELECT player, stream FROM played"),
    "misplaced": (
        "0011",
        f"SELECT stream, sequence, player FROM transactions {_ELSEWHERE} "  # noqa: S608
        f"UNION SELECT stream, sequence, player FROM postings {_ELSEWHERE}",
    ),
}
"""What older stores do not have: since which schema it is there."""
KINDS = {
    **dict.fromkeys(("sequence", "amount", "balance", "guest", "suspended"), int),
    **dict.fromkeys(("hash", "body"), bytes),
}
"""Of columns that hold no text. SQLite keeps whatever somebody puts there."""
SCHEMA = "0013"
"""The newest form of a store that this auditor knows."""


def read_store(address: str) -> Rows:
    """Everything, as of one moment."""
    with _connected(address) as ask:
        found = max(
            (str(row[0]) for row in ask("SELECT version_num FROM alembic_version")), default=""
        )
        if found > SCHEMA:
            raise Unreadable(
                f"this store was written by a newer program (its schema is {found}, and "
                f"{SCHEMA} is the newest known here): audit it with that program"
            )
        later = {name: query for name, (since, query) in LATER.items() if found >= since}
        return rows_by(ask, later)


def rows_by(ask: Callable[[str], Iterable[tuple[Any, ...]]], later: Mapping[str, str]) -> Rows:
    """What a store answers."""
    found = ([*_plain(query, ask(query))] for query in QUERIES)
    more: dict[str, Any] = {name: [*_plain(query, ask(query))] for name, query in later.items()}
    return Rows(*found, **more)


def _plain(query: str, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Each value of its column's kind. One of another kind was not written by this program: text
    becomes its bytes, and what is no number one that agrees with nothing, so that a change is found
    and not stumbled over."""
    names = query.removeprefix("SELECT ").partition(" FROM ")[0].split(", ")
    kinds = [KINDS.get(name, str) for name in names]
    for row in rows:
        yield tuple(
            [
                value if type(value) is kind else _as(kind, value)
                for kind, value in zip(kinds, row, strict=True)
            ]
        )


def _as(kind: type, value: Any) -> Any:
    if isinstance(value, memoryview):
        return bytes(value)
    if kind is int:
        return value if isinstance(value, int) else NO_NUMBER
    return str(value) if kind is str else str(value).encode()


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    scheme, _, rest = address.partition(":///")
    if scheme == "sqlite" and rest:
        with _sqlite(Path(unquote(rest.partition("?")[0]))) as ask:  # as the server reads it
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
            reason += ": let this role SELECT from all its tables"
        elif isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
            reason += f": {TO_ENCRYPT if 'does not support SSL' in reason else TO_CONNECT}"
        raise Unreadable(f"{database} cannot be read: {reason}") from error


def _tls(address: str) -> dict[str, Any]:
    """By TLS to another machine, unless the address or the environment says how."""
    from psycopg.conninfo import conninfo_to_dict

    given = conninfo_to_dict(address)
    if given.get("sslmode") or os.environ.get("PGSSLMODE"):
        return {}
    # Connections go to hostaddr, whatever the host is called, and both may be in the environment.
    keys = ("host", "hostaddr")
    hosts = [str(given.get(key) or "") for key in keys]
    if any(hosts) or not (given.get("service") or os.environ.get("PGSERVICE")):
        hosts = [
            said or os.environ.get(f"PG{key.upper()}", "")
            for key, said in zip(keys, hosts, strict=True)
        ]
    here = re.compile(r"|[/@].*|localhost|127\.[0-9.]+|\[?::1\]?")
    away = [one for one in ",".join(hosts).split(",") if not here.fullmatch(one)]
    return {"sslmode": "require"} if away else {}


def _shown(address: str) -> str:
    """Without the password, wherever it stands."""
    scheme, _, rest = re.sub(r"\bpassword=[^&]*&?", "", address).partition("://")
    who, at, place = rest.rpartition("@")
    user, secret, _ = who.partition(":")
    return f"{scheme}://{user}{':***' if secret else ''}{at}{place}".rstrip("?&")
