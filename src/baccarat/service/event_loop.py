"""The event loop: uvloop where there is one, which costs a wager a few percent less than asyncio's.

It stands by itself, so that clients, who run on it too, need nothing of a house.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_loop(main: Coroutine[Any, Any, T]) -> T:
    """Run a server, or its clients, to the end."""
    try:
        import uvloop
    except ImportError:  # Windows has none
        return asyncio.run(main)
    return uvloop.run(main)
