"""The event loop: uvloop if installed, which makes a wager a few percent cheaper than asyncio.

This is a separate module because clients use it too, without the rest of the service.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_loop(main: Coroutine[Any, Any, T]) -> T:
    """Run a server, or its clients, until finished."""
    try:
        import uvloop
    except ImportError:  # not available on Windows
        return asyncio.run(main)
    return uvloop.run(main)
