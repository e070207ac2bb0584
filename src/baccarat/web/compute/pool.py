"""A pool of worker processes for computations: fair between clients, bounded, with a time limit.

Each client has its own queue. Addresses take turns, and so do the clients at one address. A client
has at most one computation running, and the clients at one address never occupy all processes.
Computations that the tables need come first. A computation that takes too long is stopped by
killing its process. Results are cached, and if several clients ask for the same result at the
same time, it is computed once.
"""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import baccarat
from baccarat.web.compute.worker import NEEDED, read, write
from baccarat.web.server.problems import Fault, Problem

Made = TypeVar("Made")
WORKERS = 2
"""Number of processes, each started when first needed."""
SECONDS = 10
"""Time limit of a computation, in seconds."""
STARTING = 60
"""Time limit for a process to start, in seconds."""
WAITING_EACH, WAITING_PLACE, WAITING = 4, 12, 40
"""Maximum waiting computations: per client, per address, and in total."""
KEPT = 500
"""Maximum cached results of each function."""
HOUSE = "the house"
"""Client name for computations that tables need: they go first, and their queue has no limit."""
AGAIN = {"Retry-After": "5"}
START = "import sys; from baccarat.web.compute.worker import work; work(sys.argv[1:])"
log = logging.getLogger(__name__)


class Worker:
    """A worker process and the two pipes to it."""

    def __init__(self) -> None:
        source = str(Path(baccarat.__file__).parent.parent)
        paths = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(  # noqa: S603  (our own module names)
            [sys.executable, "-c", START, *NEEDED],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,  # only the server receives Ctrl-C
        )
        pipes = self._process.stdin, self._process.stdout
        self._to, self._from = cast("tuple[IO[bytes], IO[bytes]]", pipes)
        self.ready = False

    def start(self) -> None:
        """Wait until the process is ready."""
        self.ready = read(self._from) == "ready"

    def ask(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: int
    ) -> tuple[str, Any]:
        """Return the worker's answer, or raise EOFError or OSError if the process has ended."""
        write(self._to, (function.__module__, function.__name__, arguments, 2 * seconds))
        answer: tuple[str, Any] = read(self._from)
        return answer

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the pipes, once no thread uses them."""
        for pipe in (self._to, self._from):
            with contextlib.suppress(OSError):  # the pipe still had unsent data
                pipe.close()


@dataclass(eq=False)
class _Request:
    """A computation that a client is waiting for."""

    client: str
    place: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: int = SECONDS
    made: "asyncio.Future[Any]" = field(default_factory=asyncio.Future)


class Pool:
    """The worker processes and the queues in front of them."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._size = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="computing")
        self._idle: list[Worker] = []
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_Request]]] = OrderedDict()
        """Queues by address, then by client, in order of turn."""
        self._running: dict[str, asyncio.Task[None]] = {}
        """The running computation of each client."""
        self._busy: Counter[str] = Counter()
        """Number of running computations of each address."""
        self._making: dict[Hashable, asyncio.Future[Any]] = {}
        self._kept: defaultdict[str, OrderedDict[Hashable, Any]] = defaultdict(OrderedDict)
        """Cached results by function, then by arguments."""
        self._workers: set[Worker] = set()
        self._closed = False

    def close(self) -> None:
        """End all processes; the server, which is stopping, answers the requests still waiting."""
        self._closed = True
        for task in [*self._running.values()]:
            task.cancel()
        for worker in [*self._workers]:
            worker.end()
        self._threads.shutdown()
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    def warm_up(self) -> None:
        """Start a process before it is needed, so that the first visitor does not wait for it."""
        worker = Worker()
        self._workers.add(worker)
        self._idle.append(worker)

    async def run(
        self,
        client: str,
        function: Callable[..., Made],
        *arguments: Any,
        place: str = "",
        seconds: int | None = None,
        keep: bool = True,
    ) -> Made:
        """Return the result of a computation, or raise a Problem if too many are waiting.

        `place` is the client's address, if clients with the same address share limits.
        """
        key = (f"{function.__module__}.{function.__name__}", arguments)
        kept = self._kept[key[0]]
        if key in kept:
            kept.move_to_end(key)
            known: Made = kept[key]
            return known
        if key not in self._making:
            request = _Request(client, place or client, function, arguments, seconds or SECONDS)
            self._making[key] = self._queued(request)
            self._making[key].add_done_callback(lambda made: self._keep(key, made, keep=keep))
        made: Made = await asyncio.shield(self._making[key])
        return made

    def _queued(self, request: _Request) -> "asyncio.Future[Any]":
        if request.client != HOUSE:
            self._check_room(request)
        clients = self._waiting.setdefault(request.place, OrderedDict())
        clients.setdefault(request.client, deque()).append(request)
        self._next()
        return request.made

    def _check_room(self, request: _Request) -> None:
        here = self._waiting.get(request.place) or OrderedDict()
        own = here.get(request.client, ())
        everywhere = [client for clients in self._waiting.values() for client in clients.values()]
        for queues, most, whose, fault in (
            ([own], WAITING_EACH, "yours", Fault.RATE_LIMITED),
            (here.values(), WAITING_PLACE, "here", Fault.RATE_LIMITED),
            (everywhere, WAITING, "all", Fault.BUSY),
        ):
            if sum(map(len, queues)) >= most:
                raise Problem(fault, "busy", headers=AGAIN, whose=whose, most=most)

    def _keep(self, key: tuple[str, Any], made: "asyncio.Future[Any]", *, keep: bool) -> None:
        self._making.pop(key, None)
        if not made.cancelled() and made.exception() is None and keep:
            kept = self._kept[key[0]]
            kept[key] = made.result()
            if len(kept) > KEPT:
                kept.popitem(last=False)

    def _next(self) -> None:
        """Start as many computations as possible: the house first, then the addresses in turn."""
        if self._closed:
            return
        for place in sorted(self._waiting, key=lambda place: place != HOUSE):
            if len(self._running) >= self._size:
                return
            if self._busy[place] < max(1, self._size - 1):
                self._begin_one(place)

    def _begin_one(self, place: str) -> None:
        """Start a computation for the client at this address whose turn it is."""
        clients = self._waiting[place]
        client = next((client for client in clients if client not in self._running), None)
        if client is None:
            return
        requests = clients.pop(client)
        request = requests.popleft()
        if requests:
            clients[client] = requests  # last in turn at this address
        del self._waiting[place]
        if clients:
            self._waiting[place] = clients  # last in turn among all addresses
        self._busy[place] += 1
        self._running[client] = asyncio.create_task(self._compute(request))

    async def _compute(self, request: _Request) -> None:
        try:
            answer = await self._answer(request)
            if not request.made.done():
                request.made.set_result(answer)
        except Exception as error:
            if not request.made.done():
                request.made.set_exception(error)
        finally:
            request.made.cancel()  # has no effect if it is done
            del self._running[request.client]
            self._busy[request.place] -= 1
            if not self._busy[request.place]:
                del self._busy[request.place]
            self._next()

    async def _answer(self, request: _Request) -> Any:
        loop = asyncio.get_running_loop()
        worker = self._idle.pop() if self._idle else Worker()
        self._workers.add(worker)
        whole = False
        try:
            if not worker.ready:
                async with asyncio.timeout(STARTING):
                    await loop.run_in_executor(self._threads, worker.start)
            async with asyncio.timeout(request.seconds):
                outcome, value = await loop.run_in_executor(
                    self._threads, worker.ask, request.function, request.arguments, request.seconds
                )
            whole = True
        except TimeoutError:
            log.warning("computation timed out", extra={"what": request.function.__name__})
            raise Problem(
                Fault.BUSY, "took-too-long", headers=AGAIN, seconds=request.seconds
            ) from None
        except (EOFError, OSError) as error:
            log.warning("worker process lost", extra={"what": request.function.__name__})
            raise Problem(Fault.BUSY, "computation-failed", headers=AGAIN) from error
        finally:
            if whole:
                self._idle.append(worker)
            else:
                self._workers.discard(worker)
                worker.end()
                if not self._closed:
                    self._threads.submit(worker.close)
        if outcome == "refused":
            raise value
        if outcome != "done":
            raise RuntimeError(f"{request.function.__name__}: {value}")
        return value
