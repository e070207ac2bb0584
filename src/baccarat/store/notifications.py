"""Notify other servers that a stream may have grown, using PostgreSQL's LISTEN/NOTIFY.

Every commit notifies listeners of the streams it appended to. A notification may be late, repeated
or lost, and carries no data: readers always catch up from the journal, with or without it. A lost
connection is re-established; until then readers poll the journal every second. SQLite has no
notifications; it is used by one process, which knows what it has committed.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import Connection, func, select

from baccarat.store.engine import driver_address

CHANNEL = "baccarat_journal"
SECONDS = 0.5
"""How long the thread listens before it checks whether to stop."""

log = logging.getLogger(__name__)


def notify(connection: Connection, streams: Iterable[str]) -> None:
    """Notify listeners of these streams when the transaction commits; PostgreSQL only."""
    for stream in sorted(streams):
        connection.execute(select(func.pg_notify(CHANNEL, stream)))


def notified(connection: psycopg.Connection, seconds: float) -> set[str]:
    """Return the notified streams as soon as there are any, or an empty set after the timeout."""
    return {notice.payload for notice in connection.notifies(timeout=seconds, stop_after=1)}


@contextmanager
def listening(address: str) -> Iterator[psycopg.Connection]:
    """Open a connection that listens to a PostgreSQL store."""
    with psycopg.connect(driver_address(address), autocommit=True) as connection:
        connection.execute(f"LISTEN {CHANNEL}")
        yield connection


@contextmanager
def listener(address: str, wake: Callable[[str], None]) -> Iterator[None]:
    """Call `wake` in the event loop for each notified stream; does nothing for SQLite."""
    if not address.startswith("postgresql"):
        yield
        return
    stop, loop = threading.Event(), asyncio.get_running_loop()

    def listen() -> None:
        while not stop.is_set():
            try:
                with listening(address) as connection:
                    while not stop.is_set():
                        for stream in notified(connection, SECONDS):
                            loop.call_soon_threadsafe(wake, stream)
            except Exception as error:  # the database is unreachable: retry until it is back
                log.warning("LISTEN connection lost; polling instead", extra={"why": str(error)})
                stop.wait(SECONDS)

    thread = threading.Thread(target=listen, name="listener", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
