"""Many rows in one statement, written as each database takes them fastest.

SQLite is handed new rows a hundred at a time, in statements of a few sizes that stay prepared, and
changed ones one after the other; PostgreSQL is handed one array for each column, so that a thousand
rows are one message. The one rule: no value ever stands in the text of a statement.
"""
# ruff: noqa: S608  (names in texts of statements are those of the schema)

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Dialect, Table

Row = tuple[Any, ...]
_LOCK = " FOR UPDATE"
_IF_NEW = " ON CONFLICT DO NOTHING"
_VARIABLES = 999
"""In one statement: SQLite before 3.32 takes no more."""


def add(connection: Connection, table: Table, rows: Sequence[Row], *, if_new: bool = False) -> None:
    """Insert rows, each with a value for every column in the order of the table; if asked, only
    those whose key is not there."""
    rest = _IF_NEW * if_new
    if _arrays(connection.dialect):
        text = _insert_arrays(connection.dialect, table, rest)
        connection.exec_driver_sql(text, _as_arrays(rows))
    else:
        for part in _powers(rows, len(table.columns)):
            text = _insert(table, len(part), rest)
            connection.exec_driver_sql(text, tuple(chain.from_iterable(part)))


def change(
    connection: Connection, table: Table, key: str, column: str, rows: Sequence[Row], *, by: bool
) -> None:
    """Set a column of some rows, or change it by an amount: each given as value and key."""
    text = _update(connection.dialect, table, key, column, by)
    given = _as_arrays(rows) if _arrays(connection.dialect) else list(rows)
    connection.exec_driver_sql(text, given)


def locks_rows(connection: Connection) -> bool:
    """Are rows locked one by one? SQLite is locked as a whole by whoever writes."""
    return _arrays(connection.dialect)


def find(
    connection: Connection, table: Table, key: str, keys: Sequence[str], *, lock: bool = False
) -> Sequence[Any]:
    """The rows with these keys; locked in the order of their keys if asked."""
    if not keys:
        return ()
    if _arrays(connection.dialect):
        text = f"{_select(table)} WHERE {key} = ANY(%s::text[]) ORDER BY {key}"
        return connection.exec_driver_sql(text + _LOCK * lock, (list(keys),)).all()
    return [
        row
        for part in _parts(keys)
        for row in connection.exec_driver_sql(_in(table, key, len(part)), tuple(part)).all()
    ]


def find_pairs(
    connection: Connection, table: Table, names: tuple[str, str], pairs: Sequence[tuple[str, str]]
) -> Sequence[Any]:
    """The rows whose key is one of these pairs; a row may come twice."""
    if not pairs:
        return ()
    if _arrays(connection.dialect):
        key = f"({', '.join(names)})"
        text = f"{_select(table)} WHERE {key} IN (SELECT * FROM unnest(%s::text[], %s::text[]))"
        return connection.exec_driver_sql(text, _as_arrays(pairs)).all()
    return [
        row
        for part in _parts(pairs, 2)
        for row in connection.exec_driver_sql(
            _of_pairs(table, names, len(part)), tuple(chain.from_iterable(part))
        ).all()
    ]


def _most(columns: int) -> int:
    """How many rows a statement takes: a power of two."""
    return 1 << (_VARIABLES // columns).bit_length() - 1


def _parts(keys: Sequence[Any], columns: int = 1) -> Iterator[list[Any]]:
    """Parts of a few sizes only, filled up with the last key: each size is one prepared text."""
    most = _most(columns)
    for start in range(0, len(keys), most):
        part = list(keys[start : start + most])
        yield part + part[-1:] * ((1 << (len(part) - 1).bit_length()) - len(part))


def _powers(rows: Sequence[Row], columns: int) -> Iterator[Sequence[Row]]:
    """Parts whose sizes are powers of two, the largest first: each size is one prepared text."""
    start, size = 0, _most(columns)
    while start < len(rows):
        while start + size > len(rows):
            size //= 2
        yield rows[start : start + size]
        start += size


def _as_arrays(rows: Sequence[Row]) -> tuple[list[Any], ...]:
    """One for each column."""
    return tuple(map(list, zip(*rows, strict=True)))


def _arrays(dialect: Dialect) -> bool:
    return dialect.name == "postgresql"


@cache
def _insert(table: Table, count: int, rest: str) -> str:
    """One VALUES for so many rows."""
    row = f"({', '.join('?' * len(table.columns))})"
    return f"INSERT INTO {_columns(table)} VALUES {', '.join([row] * count)}{rest}"


@cache
def _insert_arrays(dialect: Dialect, table: Table, rest: str) -> str:
    rows = _rows(dialect, table, tuple(column.name for column in table.columns))
    return f"INSERT INTO {_columns(table)} SELECT * FROM {rows}{rest}"


def _columns(table: Table) -> str:
    return f"{table.name} ({', '.join(column.name for column in table.columns)})"


@cache
def _update(dialect: Dialect, table: Table, key: str, column: str, by: bool) -> str:  # noqa: FBT001
    """Takes the new value first, then the key."""
    start = f"UPDATE {table.name} SET {column} = {f'{column} + ' if by else ''}"
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
    """SQLite would look through the whole table for `(…) IN (VALUES …)`; so it starts there."""
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
