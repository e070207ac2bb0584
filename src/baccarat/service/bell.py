"""The bell of a house with several servers: rings when another of them has committed something.

A thread listens at PostgreSQL and rings in the event loop. The one rule: nothing depends on it. A
lost connection is made again, and until then readers look at the journal every second anyway.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from baccarat.store.doorbell import listening

SECONDS = 0.5
"""How long the thread listens before it looks whether it should stop."""

log = logging.getLogger(__name__)


@contextmanager
def bell_of(address: str, ring: Callable[[str], None]) -> Iterator[None]:
    """Ring for the streams of a PostgreSQL store; another store has no bell."""
    if not address.startswith("postgresql"):
        yield
        return
    stop, loop = threading.Event(), asyncio.get_running_loop()

    def listen() -> None:
        while not stop.is_set():
            try:
                with listening(address) as bell:
                    while not stop.is_set():
                        for stream in bell.wait(SECONDS):
                            loop.call_soon_threadsafe(ring, stream)
            except Exception as error:  # the database is away: try again until it is back
                log.warning("the bell is silent", extra={"why": str(error)})
                stop.wait(SECONDS)

    thread = threading.Thread(target=listen, name="bell", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
