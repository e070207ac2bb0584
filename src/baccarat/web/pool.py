"""Computations in a few processes of their own: fairly, bounded, and really stopped in time.

Each client's computations wait in a queue of their own; the queues take turns, and a client has at
most one computation running. A computation that takes too long is ended with its process. What was
computed is kept, and what several clients ask for at the same time is computed once.
"""

import asyncio
import logging
import os
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import baccarat
from baccarat.core.errors import BaccaratError
from baccarat.web.problems import Fault, Problem
from baccarat.web.worker import read, write

Made = TypeVar("Made")
WORKERS = 2
"""Processes, started when they are first needed."""
SECONDS = 10
"""Longest computation."""
STARTING = 60
"""Seconds in which a process starts."""
WAITING_EACH, WAITING_PLACE, WAITING = 4, 12, 40
"""Computations that wait: of one client, of all clients of one address, and of all."""
KEPT = 500
"""Results kept."""
AGAIN = {"Retry-After": "5"}
log = logging.getLogger(__name__)


class Worker:
    """A process that computes, and the two pipes to it."""

    def __init__(self) -> None:
        source = str(Path(baccarat.__file__).parent.parent)
        paths = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from baccarat.web.worker import work; work()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,  # a Ctrl-C at the terminal is for the server
        )
        self.ready = False

    def start(self) -> None:
        """Wait until it is up."""
        assert self._process.stdout is not None  # noqa: S101  (a pipe)
        self.ready = read(self._process.stdout) == "ready"

    def ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
        """What it answers; an error when it is gone."""
        assert self._process.stdin is not None  # noqa: S101  (a pipe)
        assert self._process.stdout is not None  # noqa: S101  (a pipe)
        asked = (function.__module__, function.__name__, arguments, 2 * SECONDS)
        write(self._process.stdin, asked)
        answer: tuple[str, Any] = read(self._process.stdout)
        return answer

    def end(self) -> None:
        """Stop it, whatever it does."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close its pipes, once nobody uses them."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # something was still in it
                    log.debug("a worker's pipe was not empty")


@dataclass(eq=False)
class _Piece:
    """A computation that somebody waits for."""

    client: str
    place: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    made: "asyncio.Future[Any]" = field(default_factory=asyncio.Future)


class Pool:
    """The processes, and who waits for them."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._size = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="computing")
        self._idle: list[Worker] = []
        self._waiting: OrderedDict[str, deque[_Piece]] = OrderedDict()
        """By client, the next one first."""
        self._running: dict[str, asyncio.Task[None]] = {}
        """By client."""
        self._making: dict[Hashable, asyncio.Future[Any]] = {}
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._workers: set[Worker] = set()
        self._closed = False

    def close(self) -> None:
        """End all of it; whoever still waits is left to the server, which is stopping."""
        self._closed = True
        for task in self._running.values():
            task.cancel()
        for worker in [*self._workers]:
            worker.end()
        self._threads.shutdown()
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    async def run(
        self, client: str, function: Callable[..., Made], *arguments: Any, place: str = ""
    ) -> Made:
        """Compute it, when it is this client's turn; a Problem when too much waits already.

        `place` is the address of the client, where those of one address are bounded together.
        """
        key = (function.__module__, function.__name__, arguments)
        if key in self._kept:
            self._kept.move_to_end(key)
            known: Made = self._kept[key]
            return known
        if key not in self._making:
            self._making[key] = self._queued(_Piece(client, place, function, arguments))
            self._making[key].add_done_callback(lambda made: self._keep(key, made))
        made: Made = await asyncio.shield(self._making[key])
        return made

    def _queued(self, piece: _Piece) -> "asyncio.Future[Any]":
        waiting = [one for pieces in self._waiting.values() for one in pieces]
        if len(self._waiting.get(piece.client, ())) >= WAITING_EACH:
            words = f"{WAITING_EACH} computations of yours are waiting: try again later"
            raise Problem(Fault.RATE_LIMITED, words, headers=AGAIN)
        if piece.place and sum(one.place == piece.place for one in waiting) >= WAITING_PLACE:
            words = f"{WAITING_PLACE} computations of this address are waiting: try again later"
            raise Problem(Fault.RATE_LIMITED, words, headers=AGAIN)
        if len(waiting) >= WAITING:
            words = f"{WAITING} computations are waiting: try again later"
            raise Problem(Fault.BUSY, words, headers=AGAIN)
        self._waiting.setdefault(piece.client, deque()).append(piece)
        self._next()
        return piece.made

    def _keep(self, key: Hashable, made: "asyncio.Future[Any]") -> None:
        self._making.pop(key, None)
        if not made.cancelled() and made.exception() is None:
            self._kept[key] = made.result()
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def _next(self) -> None:
        """Begin what can be begun: the queues take turns."""
        if self._closed:
            return
        for client in [*self._waiting]:
            if len(self._running) >= self._size:
                return
            if client in self._running:
                continue
            pieces = self._waiting.pop(client)
            piece = pieces.popleft()
            if pieces:
                self._waiting[client] = pieces  # behind all others
            self._running[client] = asyncio.create_task(self._compute(piece))

    async def _compute(self, piece: _Piece) -> None:
        try:
            answer = await self._answer(piece)
            if not piece.made.done():
                piece.made.set_result(answer)
        except Exception as error:
            if not piece.made.done():
                piece.made.set_exception(error)
        finally:
            piece.made.cancel()  # unless it is done
            del self._running[piece.client]
            self._next()

    async def _answer(self, piece: _Piece) -> Any:
        loop = asyncio.get_running_loop()
        worker = self._idle.pop() if self._idle else Worker()
        self._workers.add(worker)
        whole = False
        try:
            if not worker.ready:
                async with asyncio.timeout(STARTING):
                    await loop.run_in_executor(self._threads, worker.start)
            async with asyncio.timeout(SECONDS):
                outcome, value = await loop.run_in_executor(
                    self._threads, worker.ask, piece.function, piece.arguments
                )
            whole = True
        except TimeoutError:
            log.warning("a computation was stopped", extra={"what": piece.function.__name__})
            words = f"this took longer than {SECONDS} s and was stopped: ask for less, or later"
            raise Problem(Fault.BUSY, words, headers=AGAIN) from None
        except (EOFError, OSError) as error:
            log.warning("a worker is gone", extra={"what": piece.function.__name__})
            words = "the computation came to an end before its time: try again later"
            raise Problem(Fault.BUSY, words, headers=AGAIN) from error
        finally:
            if whole:
                self._idle.append(worker)
            else:
                self._workers.discard(worker)
                worker.end()
                if not self._closed:
                    self._threads.submit(worker.close)
        if outcome == "refused":
            raise BaccaratError(value)
        if outcome != "done":
            raise RuntimeError(f"{piece.function.__name__}: {value}")
        return value
