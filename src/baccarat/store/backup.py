"""A backup: everything a store holds at one moment, as a SQLite file to be served or audited.

The source is read in one transaction that sees one moment, so the house goes on meanwhile; it is
never written to, and a SQLite store of an older schema is copied as it is. Undealt cards stay
encrypted; the key is not in it. The one rule: the file is whole, or it is not there.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import cast

from sqlalchemy import URL, Connection, insert, select
from sqlalchemy.exc import DBAPIError

from baccarat.core.errors import BaccaratError
from baccarat.store import schema as s
from baccarat.store.engine import (
    TO_READ,
    WRITES,
    StoreError,
    lacks_rights,
    make_private,
    newest_schema,
    open_engine,
    read_only,
    reason_of,
)

TOGETHER = 5_000


def back_up(address: str, path: Path) -> dict[str, int]:
    """Copy a store to a new file; how many rows of each table."""
    if path.exists():
        raise BaccaratError(f"{path} exists: a backup is a new file, name another")
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with read_only(address) as (reading, schema):
            if reading.dialect.name == "sqlite":
                _copy_file(reading, part)
            else:
                _copy_rows(reading, schema, part)
        counts = _finish(part)
        os.replace(part, path)  # noqa: PTH105  (both names are in one folder)
    except OSError as error:
        raise BaccaratError(f"{path} was not written: {error.strerror}") from error
    except (sqlite3.Error, DBAPIError) as error:
        remedy = f": {TO_READ}" if lacks_rights(error) else ""
        raise BaccaratError(f"{path} was not written: {reason_of(error)}{remedy}") from error
    finally:
        part.unlink(missing_ok=True)
    return counts


def _copy_file(reading: Connection, part: Path) -> None:
    """Page by page, whatever its schema."""
    make_private(part)
    source = cast("sqlite3.Connection", reading.connection.driver_connection)
    with closing(sqlite3.connect(part)) as writing:
        source.backup(writing)


def _copy_rows(reading: Connection, schema: str, part: Path) -> None:
    """Row by row, into the same tables."""
    if schema != newest_schema():
        raise StoreError(
            f"this store has the schema {schema} of an older program, and {newest_schema()} is "
            "copied here: back it up with that program or with pg_dump, or serve it first, which "
            "converts it"
        )
    # Not as text: an address that is read has its name cut off at "?" and "%41" turned into "A".
    target = open_engine(URL.create("sqlite", database=str(part)))
    try:
        connection = target.connect().execution_options(**{WRITES: True})
        with connection as writing, writing.begin():
            for table in s.metadata.sorted_tables:
                rows = reading.execution_options(yield_per=TOGETHER).execute(select(table))
                for some in rows.mappings().partitions():
                    writing.execute(insert(table), [dict(row) for row in some])
    finally:
        target.dispose()


def _finish(part: Path) -> dict[str, int]:
    """One file, without its log beside it; what it holds. One that is not there is not made."""
    there = f"{part.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(there, uri=True)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        held = {str(name) for (name,) in tables} & {*s.metadata.tables}
        if "journal" not in held:
            raise sqlite3.DatabaseError("the copy has no journal")
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608
            for name in sorted(held)
        }
