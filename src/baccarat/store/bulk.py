"""Many rows in one statement, written as each database takes them fastest.

SQLite is handed rows one after the other by its driver, from a statement that stays prepared;
PostgreSQL is handed one array for each column, so that a thousand rows are one message. The one
rule: no value ever stands in the text of a statement.
"""
# ruff: noqa: S608  (names in texts of statements are those of the schema)

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, Table

Row = Mapping[str, Any]
_LOCK = " FOR UPDATE"


def add(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows; all have the same columns."""
    _write(connection, _insert(connection.dialect, table, tuple(rows[0])), rows)


def change(
    connection: Connection, table: Table, key: str, column: str, rows: Sequence[Row], *, by: bool
) -> None:
    """Set a column of the rows with these keys, or change it by an amount."""
    _write(connection, _update(connection.dialect, table, key, column, by), rows)


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
        for row in connection.exec_driver_sql(_in(table, key, "?", len(part)), tuple(part))
    ]


def find_pairs(
    connection: Connection, table: Table, names: tuple[str, str], pairs: Sequence[tuple[str, str]]
) -> Sequence[Any]:
    """The rows whose key is one of these pairs."""
    if not pairs:
        return ()
    key = f"({', '.join(names)})"
    if _arrays(connection.dialect):
        text = f"{_select(table)} WHERE {key} IN (SELECT * FROM unnest(%s::text[], %s::text[]))"
        return connection.exec_driver_sql(text, tuple(map(list, zip(*pairs, strict=True)))).all()
    return [
        row
        for part in _parts(pairs)
        for row in connection.exec_driver_sql(
            _in(table, key, "(?, ?)", len(part)), tuple(one for pair in part for one in pair)
        )
    ]


def _parts(keys: Sequence[Any], most: int = 512) -> Iterator[list[Any]]:
    """Parts of a few sizes only, filled up with the last key: each size is one prepared text."""
    for start in range(0, len(keys), most):
        part = list(keys[start : start + most])
        yield part + part[-1:] * ((1 << (len(part) - 1).bit_length()) - len(part))


def _write(connection: Connection, text: str, rows: Sequence[Row]) -> None:
    names = tuple(rows[0])
    if _arrays(connection.dialect):
        connection.exec_driver_sql(text, tuple([row[name] for row in rows] for name in names))
    else:
        connection.exec_driver_sql(text, list(map(itemgetter(*names), rows)))


def _arrays(dialect: Dialect) -> bool:
    return dialect.name == "postgresql"


@cache
def _insert(dialect: Dialect, table: Table, names: tuple[str, ...]) -> str:
    columns = ", ".join(names)
    if _arrays(dialect):
        return f"INSERT INTO {table.name} ({columns}) SELECT * FROM {_rows(dialect, table, names)}"
    marks = ", ".join("?" * len(names))
    return f"INSERT INTO {table.name} ({columns}) VALUES ({marks})"


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
def _in(table: Table, key: str, mark: str, count: int) -> str:
    marks = ", ".join([mark] * count)
    return f"{_select(table)} WHERE {key} IN ({marks if mark == '?' else f'VALUES {marks}'})"


def _rows(dialect: Dialect, table: Table, names: tuple[str, ...]) -> str:
    kinds = (table.columns[name].type.compile(dialect=dialect) for name in names)
    return f"unnest({', '.join(f'%s::{kind}[]' for kind in kinds)})"
