"""Differences between SQLite and PostgreSQL: connections, transactions, bulk statements.

For SQLite, new rows are inserted about a hundred at a time, with statements of a few fixed sizes
that stay prepared; rows are updated with executemany. For PostgreSQL, a statement takes one array
for each column, so a thousand rows fit in one message. Values are never part of a statement's text.
"""
# ruff: noqa: S608  (names in the statements come from the schema)

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, Table, event

BUSY_MS = 10_000
"""How long SQLite waits for another process to finish its commit, in milliseconds."""
WRITES = "baccarat_writes"
"""Execution option of connections that will write, so that SQLite takes the write lock at the
start of the transaction."""
Row = tuple[Any, ...]
_LOCK = " FOR UPDATE"
_IF_NEW = " ON CONFLICT DO NOTHING"
_VARIABLES = 999
"""Maximum number of variables in one statement: the limit of SQLite before 3.32."""


def set_up(engine: Engine) -> None:
    """Configure every connection so that committed data survives a crash of the machine."""
    if _arrays(engine.dialect):
        event.listen(engine, "connect", _set_up_postgresql)
    else:
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", begin)


def _set_up_postgresql(connection: Any, _: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO on")
    connection.commit()


def _set_pragmas(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # `begin` starts transactions, not sqlite3
    busy = f"busy_timeout={BUSY_MS}"
    for pragma in (busy, "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def begin(connection: Connection) -> None:
    """Begin a transaction in SQLite; if it will write, take the write lock at once."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Return a context manager for a connection in a write transaction, committed at the end."""
    connecting = engine.connect().execution_options(**{WRITES: True})
    with connecting as connection, connection.begin():
        yield connection


def add(connection: Connection, table: Table, rows: Sequence[Row], *, if_new: bool = False) -> None:
    """Insert rows, which have a value for every column of the table, in its order.

    With `if_new`, rows whose key already exists are skipped.
    """
    rest = _IF_NEW * if_new
    if rows and _arrays(connection.dialect):
        text = _insert_arrays(connection.dialect, table, rest)
        connection.exec_driver_sql(text, _as_arrays(rows))
    else:
        for part in _in_powers_of_two(rows, len(table.columns)):
            text = _insert(table, len(part), rest)
            connection.exec_driver_sql(text, tuple(chain.from_iterable(part)))


def change(
    connection: Connection, table: Table, key: str, column: str, rows: Sequence[Row], *, add: bool
) -> None:
    """Set a column of some rows or, with `add`, add to it; each row is (value, key)."""
    text = _update(connection.dialect, table, key, column, add)
    given = _as_arrays(rows) if _arrays(connection.dialect) else list(rows)
    connection.exec_driver_sql(text, given)


def locks_rows(connection: Connection) -> bool:
    """Return whether the database locks single rows; a SQLite writer locks the whole database."""
    return _arrays(connection.dialect)


def find(
    connection: Connection, table: Table, key: str, keys: Sequence[str], *, lock: bool = False
) -> Sequence[Any]:
    """Return the rows with these keys; with `lock`, lock them in the order of their keys."""
    if not keys:
        return ()
    if _arrays(connection.dialect):
        text = f"{_select(table)} WHERE {key} = ANY(%s::text[]) ORDER BY {key}"
        return connection.exec_driver_sql(text + _LOCK * lock, (list(keys),)).all()
    return [
        row
        for part in _padded_parts(keys)
        for row in connection.exec_driver_sql(_in(table, key, len(part)), tuple(part)).all()
    ]


def find_pairs(
    connection: Connection, table: Table, names: tuple[str, str], pairs: Sequence[tuple[str, str]]
) -> Sequence[Any]:
    """Return the rows whose two-column key is one of these pairs; a row may occur twice."""
    if not pairs:
        return ()
    if _arrays(connection.dialect):
        key = f"({', '.join(names)})"
        text = f"{_select(table)} WHERE {key} IN (SELECT * FROM unnest(%s::text[], %s::text[]))"
        return connection.exec_driver_sql(text, _as_arrays(pairs)).all()
    return [
        row
        for part in _padded_parts(pairs, 2)
        for row in connection.exec_driver_sql(
            _of_pairs(table, names, len(part)), tuple(chain.from_iterable(part))
        ).all()
    ]


def _most(columns: int) -> int:
    """Return the maximum number of rows in one statement, which is a power of two."""
    return 1 << (_VARIABLES // columns).bit_length() - 1


def _padded_parts(keys: Sequence[Any], columns: int = 1) -> Iterator[list[Any]]:
    """Yield the keys in parts whose sizes are powers of two; the last key is repeated as padding.

    This way, only a few sizes of statement need to be prepared.
    """
    most = _most(columns)
    for start in range(0, len(keys), most):
        part = list(keys[start : start + most])
        yield part + part[-1:] * ((1 << (len(part) - 1).bit_length()) - len(part))


def _in_powers_of_two(rows: Sequence[Row], columns: int) -> Iterator[Sequence[Row]]:
    """Yield the rows in parts whose sizes are powers of two, largest first.

    This way, only a few sizes of statement need to be prepared.
    """
    start, size = 0, _most(columns)
    while start < len(rows):
        while start + size > len(rows):
            size //= 2
        yield rows[start : start + size]
        start += size


def _as_arrays(rows: Sequence[Row]) -> tuple[list[Any], ...]:
    """Return the values of the rows as one list for each column."""
    return tuple(map(list, zip(*rows, strict=True)))


def _arrays(dialect: Dialect) -> bool:
    return dialect.name == "postgresql"


@cache
def _insert(table: Table, count: int, rest: str) -> str:
    """Return an INSERT with VALUES for this number of rows."""
    row = f"({', '.join('?' * len(table.columns))})"
    return f"INSERT INTO {_columns(table)} VALUES {', '.join([row] * count)}{rest}"


@cache
def _insert_arrays(dialect: Dialect, table: Table, rest: str) -> str:
    rows = _rows(dialect, table, tuple(column.name for column in table.columns))
    return f"INSERT INTO {_columns(table)} SELECT * FROM {rows}{rest}"


def _columns(table: Table) -> str:
    return f"{table.name} ({', '.join(column.name for column in table.columns)})"


@cache
def _update(dialect: Dialect, table: Table, key: str, column: str, add: bool) -> str:  # noqa: FBT001
    """Return an UPDATE whose variables are the new value, then the key."""
    start = f"UPDATE {table.name} SET {column} = {f'{column} + ' if add else ''}"
    if _arrays(dialect):
        rows = _rows(dialect, table, (column, key))
        return f"{start}given.new FROM {rows} AS given (new, at) WHERE {key} = given.at"
    return f"{start}? WHERE {key} = ?"


@cache
def _select(table: Table) -> str:
    return f"SELECT {', '.join(column.name for column in table.columns)} FROM {table.name}"


@cache
def _in(table: Table, key: str, count: int) -> str:
    return f"{_select(table)} WHERE {key} IN ({', '.join('?' * count)})"


@cache
def _of_pairs(table: Table, names: tuple[str, str], count: int) -> str:
    """Return a SELECT for SQLite that joins a list of pairs with the table.

    With `(…) IN (VALUES …)`, SQLite would scan the whole table.
    """
    wanted = f"(VALUES {', '.join(['(?, ?)'] * count)}) AS wanted"
    columns = ", ".join(f"{table.name}.{column.name}" for column in table.columns)
    first, second = (f"{table.name}.{name}" for name in names)
    return (
        f"SELECT {columns} FROM {wanted} CROSS JOIN {table.name} "
        f"ON {first} = wanted.column1 AND {second} = wanted.column2"
    )


def _rows(dialect: Dialect, table: Table, names: tuple[str, ...]) -> str:
    kinds = (table.columns[name].type.compile(dialect=dialect) for name in names)
    return f"unnest({', '.join(f'%s::{kind}[]' for kind in kinds)})"
