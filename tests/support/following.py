"""A reader of the feed who gets its frames from a queue, as a socket would send them."""

import asyncio
from collections.abc import AsyncGenerator

from baccarat.service.feed import Feed
from baccarat.service.visibility import Reader


class QueueOutlet:
    """An outlet whose reader always keeps up."""

    is_ready = True

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes] = asyncio.Queue()
        self.push = self.queue.put_nowait

    def wake(self) -> None:
        self.queue.put_nowait(b"")


async def follow(feed: Feed, table: str, reader: Reader, after: int) -> AsyncGenerator[bytes, None]:
    """Yield frames with all entries after a number, in order, until closed."""
    outlet = QueueOutlet()
    with feed.reading(table, reader, after, outlet) as place:
        while True:
            if place.is_behind:
                async for text in feed.missed(table, place):
                    yield text
            if text := await outlet.queue.get():
                yield text
