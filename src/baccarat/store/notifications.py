"""Notifies other servers that a stream may have grown, using PostgreSQL's LISTEN/NOTIFY.

Every commit sends a notification for each stream that it appended to. Notifications are only
advisory: they may be late, repeated or lost, and carry no data, because readers always catch up
from the journal. A lost connection is re-established; until then, readers poll the journal every
second. SQLite has no notifications and needs none: only one process uses the file.
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
"""How long the thread listens before it checks whether to stop, in seconds."""

log = logging.getLogger(__name__)


def notify(connection: Connection, streams: Iterable[str]) -> None:
    """Send a notification for each stream when the transaction commits; for PostgreSQL only."""
    for stream in sorted(streams):
        connection.execute(select(func.pg_notify(CHANNEL, stream)))


def notified(connection: psycopg.Connection, seconds: float) -> set[str]:
    """Return the notified streams as soon as there are any, or an empty set after the timeout."""
    return {notice.payload for notice in connection.notifies(timeout=seconds, stop_after=1)}


@contextmanager
def listening(address: str) -> Iterator[psycopg.Connection]:
    """Return a context manager for a connection that listens for notifications (PostgreSQL)."""
    with psycopg.connect(driver_address(address), autocommit=True) as connection:
        connection.execute(f"LISTEN {CHANNEL}")
        yield connection


@contextmanager
def listener(address: str, wake: Callable[[str], None]) -> Iterator[None]:
    """Call `wake` in the event loop for each notified stream; do nothing for SQLite."""
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
