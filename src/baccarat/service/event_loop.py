"""The event loop: uvloop if it is installed, which takes a few percent less CPU time than asyncio.

This is a separate module because clients use it too, without the rest of the service.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def wait_up_to(seconds: float | None, event: asyncio.Event) -> None:
    """Wait until an event is set, for at most this many seconds; None means no limit."""
    # `wait_for` is not used: before Python 3.12, it can lose a cancellation when the event is set.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


def run_loop(main: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine of a server or a client until it ends, and return its result."""
    try:
        import uvloop
    except ImportError:  # not available on Windows
        return asyncio.run(main)
    return uvloop.run(main)
