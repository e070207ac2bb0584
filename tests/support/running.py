"""A service that runs for a part of a test."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from baccarat.service.service import Service


@contextlib.asynccontextmanager
async def run_house(service: Service) -> AsyncIterator[Service]:
    """Open the house and drive its tables within a `with` block."""
    await service.open()
    task = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
