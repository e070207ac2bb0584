"""Backups: a consistent copy of a store as a SQLite file, which can be served or audited.

The source is read in one transaction with a consistent view and is never written to, so the house
can continue to run. Undealt cards stay encrypted, and the backup does not contain the key. The file
appears only once it is complete.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import cast

from sqlalchemy import URL, Connection, insert, select
from sqlalchemy.exc import DBAPIError

from baccarat.core.errors import BaccaratError
from baccarat.store import dialects, engine
from baccarat.store import schema as s

BATCH = 5_000


def back_up(address: str, path: Path) -> dict[str, int]:
    """Copy a store to a new file, and return the number of rows in each database table."""
    if path.exists():
        raise BaccaratError(f"{path} already exists: choose another file for the backup")
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with engine.read_only(address) as reading:
            if reading.dialect.name == "sqlite":
                _copy_file(reading, part)
            else:
                _copy_rows(reading, part)
        counts = _finish(part)
        os.replace(part, path)  # noqa: PTH105  (both names are in one folder)
    except OSError as error:
        raise BaccaratError(f"cannot write {path}: {error.strerror}") from error
    except (sqlite3.Error, DBAPIError) as error:
        remedy = f": {engine.TO_READ}" if engine.lacks_rights(error) else ""
        raise BaccaratError(f"cannot write {path}: {engine.reason_of(error)}{remedy}") from error
    finally:
        part.unlink(missing_ok=True)
    return counts


def _copy_file(reading: Connection, part: Path) -> None:
    """Copy a SQLite store page by page."""
    engine.make_private(part)
    source = cast("sqlite3.Connection", reading.connection.driver_connection)
    with closing(sqlite3.connect(part)) as writing:
        source.backup(writing)


def _copy_rows(reading: Connection, part: Path) -> None:
    """Copy a PostgreSQL store row by row into the same tables."""
    # Built from parts: parsing a string would cut the name off at "?" and turn "%41" into "A".
    target = engine.open_engine(URL.create("sqlite", database=str(part)))
    try:
        with dialects.writing(target) as writing:
            for table in s.metadata.sorted_tables:
                rows = reading.execution_options(yield_per=BATCH).execute(select(table))
                for some in rows.mappings().partitions():
                    writing.execute(insert(table), [dict(row) for row in some])
    finally:
        target.dispose()


def _finish(part: Path) -> dict[str, int]:
    """Merge the write-ahead log (WAL) into the file, and return the row count of each table."""
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
