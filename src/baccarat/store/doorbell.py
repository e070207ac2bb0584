"""The doorbell: word between servers that a stream may have grown, by PostgreSQL's LISTEN/NOTIFY.

Every commit rings for the streams it appended to; whoever listens is told their names. A ring may
come late, twice or never: it says "look", not "here is what happened". The one rule: readers always
catch up from the journal, with or without a ring. SQLite has no doorbell; its one process knows
what it has committed.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import Connection, func, select

from baccarat.store.engine import driver_address

CHANNEL = "baccarat_journal"


def ring(connection: Connection, streams: Iterable[str]) -> None:
    """Ring for these streams when the transaction commits."""
    if connection.dialect.name == "postgresql":
        for stream in sorted(streams):
            connection.execute(select(func.pg_notify(CHANNEL, stream)))


class Doorbell:
    """One connection that listens."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def wait(self, seconds: float) -> set[str]:
        """The streams that someone rang for, as soon as there are any; none when time is up."""
        return {one.payload for one in self._connection.notifies(timeout=seconds, stop_after=1)}


@contextmanager
def listening(address: str) -> Iterator[Doorbell]:
    """Listen at a PostgreSQL store from here on."""
    with psycopg.connect(driver_address(address), autocommit=True) as connection:
        connection.execute(f"LISTEN {CHANNEL}")
        yield Doorbell(connection)
