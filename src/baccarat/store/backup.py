"""A backup: everything a store holds at one moment, as a SQLite file to be served or audited.

The source is read in one transaction that sees one moment, so the house goes on meanwhile. Undealt
cards stay encrypted; the key is not in it. The one rule: the file is whole, or it is not there.
"""

import os
from pathlib import Path

from sqlalchemy import Connection, insert, select

from baccarat.core.errors import BaccaratError
from baccarat.store import schema as s
from baccarat.store.engine import WRITES, open_engine

TOGETHER = 5_000


def back_up(address: str, path: Path) -> dict[str, int]:
    """Copy a store to a new file; how many rows of each table."""
    if path.exists():
        raise BaccaratError(f"{path} exists: a backup is a new file, name another")
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    source = open_engine(address)
    try:
        target = open_engine(f"sqlite:///{part}")
        try:
            writing = target.connect().execution_options(**{WRITES: True})
            reading = source.connect()
            if source.dialect.name == "postgresql":
                reading = reading.execution_options(isolation_level="REPEATABLE READ")
            with reading, reading.begin(), writing, writing.begin():
                counts = {
                    table.name: _copy(reading, writing, table.name)
                    for table in s.metadata.sorted_tables
                }
            with target.connect() as connection:  # one file, without its log beside it
                connection.exec_driver_sql("COMMIT")
                connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
        finally:
            target.dispose()
        os.replace(part, path)  # noqa: PTH105  (both names are in one folder)
    except OSError as error:
        raise BaccaratError(f"{path} was not written: {error.strerror}") from error
    finally:
        source.dispose()
        part.unlink(missing_ok=True)
    return counts


def _copy(reading: Connection, writing: Connection, name: str) -> int:
    table, count = s.metadata.tables[name], 0
    rows = reading.execution_options(yield_per=TOGETHER).execute(select(table))
    for part in rows.mappings().partitions():
        writing.execute(insert(table), [dict(row) for row in part])
        count += len(part)
    return count
