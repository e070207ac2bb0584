"""A bad network for tests: a TCP proxy on loopback that delays messages and cuts connections.

It passes on HTTP and WebSockets alike. A message is what arrives at once from one side: a request,
an answer or a frame. A cut loses the rest of a message, and closes the connection for both sides.
"""

import asyncio
import contextlib
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LARGEST = 1 << 16


@dataclass
class BadNetwork:
    """A network as bad as `delay` (in seconds, each way) and `one_in` (messages per cut) say."""

    target: str
    delay: float = 0
    one_in: int = 0
    address: str = ""
    cuts: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(21))

    async def serve(self, started: threading.Event) -> None:
        self._ended, self._loop = asyncio.Event(), asyncio.get_running_loop()
        async with await asyncio.start_server(self._connect, "127.0.0.1", 0) as server:
            self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            started.set()
            await self._ended.wait()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)

    async def _connect(self, reader, writer) -> None:
        target = urlsplit(self.target)
        there, back = await asyncio.open_connection(target.hostname, target.port)
        ways = [self._pass_on(reader, back), self._pass_on(there, writer)]
        tasks = [asyncio.create_task(way) for way in ways]
        with contextlib.suppress(asyncio.CancelledError):  # the test has ended
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for end in (writer, back):
            end.transport.abort()

    async def _pass_on(self, reader, writer) -> None:
        """Pass on messages in order, each after the delay, until one is cut or all are sent."""
        clock = asyncio.get_running_loop().time
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def read() -> None:
            more = True
            while more:
                more = await reader.read(LARGEST)
                waiting.put_nowait((clock() + self.delay, more))

        reading = asyncio.create_task(read())
        try:
            while (message := await waiting.get())[1]:
                await asyncio.sleep(message[0] - clock())
                if self.one_in and self.chance.randrange(self.one_in) == 0:
                    self.cuts += 1
                    writer.write(message[1][: self.chance.randrange(len(message[1]))])
                    writer.close()
                    await writer.wait_closed()
                    return
                writer.write(message[1])
                await writer.drain()
        except ConnectionError:
            pass  # one side has closed the connection
        finally:
            reading.cancel()


@contextlib.contextmanager
def bad_network(target: str) -> Iterator[BadNetwork]:
    """Start a proxy to an address. It passes on everything at once until it is made worse."""
    network, started = BadNetwork(target), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(network.serve(started)), daemon=True)
    thread.start()
    started.wait(60)
    try:
        yield network
    finally:
        network.close()
        thread.join()
