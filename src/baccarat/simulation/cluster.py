"""The same work on a Dask cluster. Needs the extra `cluster`.

Parts are whole numbers that are added up in order, so it does not matter which worker does which,
nor how often one has to be done again because its worker died: Dask sees to that. Every task
carries the whole job, so a worker that dies takes nothing with it.
"""

import asyncio
import logging
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.simulation.work import Job, P, ranges

LARGER = 16
"""Chunks are so many times larger than for a thread next door: a message costs more."""
GPU_CHUNK = 1 << 26
WAITING = 3
"""Chunks handed out ahead for each thread of the cluster."""
SECONDS_TO_CONNECT = 10
SECONDS_OF_PATIENCE = 60
"""Without a part for so long, and without any worker, the work is given up."""


def parts_from(
    address: str,
    job: Job[P],
    done: int,
    chunk: int | None,
    device: str = "cpu",
    notice: Callable[[str], None] | None = None,
) -> Iterator[P]:
    """The parts that are left of a job, in order, done by the workers of a scheduler, each on its
    own processor or graphics processor. `notice` is told, once, why some had no graphics processor.
    """
    if device != "cpu":
        from baccarat.simulation.gpu import unsuited  # needs no card here

        reason = unsuited(job)
        if reason and device == "gpu":
            raise BaccaratError(reason)
        device = "cpu" if reason else device
    client, killed = _connect(address)
    with _silenced("distributed.client"), client:
        _check_workers(client, address, "has no workers")
        there = _packed(job)
        each = {"cpu": LARGER * job.chunk, "auto": LARGER**2 * job.chunk, "gpu": GPU_CHUNK}
        left = ranges(job, done, chunk or each[device])
        waiting: deque[Any] = deque()
        told = False
        try:
            while True:
                ahead = WAITING * max(1, sum(client.nthreads().values()))
                while len(waiting) < ahead and (span := next(left, None)):
                    waiting.append(client.submit(_part, there, *span, device, pure=False))
                if not waiting:
                    return
                part, lacking = _result(waiting.popleft(), client, address)
                if notice and lacking and not told:
                    notice(f"Some workers go on with their processor: {lacking}")
                    told = True
                yield part
        except killed as error:
            raise BaccaratError(
                f"workers of the cluster at {address} die of this work: see what they print, "
                "or leave --cluster out"
            ) from error
        except (OSError, CancelledError) as error:
            why = " ".join(str(error).split())
            raise BaccaratError(f"the cluster at {address} was lost: {why}") from error
        except (ImportError, RuntimeError) as error:
            cause = error.__cause__ or error
            if not isinstance(cause, ImportError):
                raise
            raise BaccaratError(
                f"the cluster at {address} cannot do this work ({cause}): install the same "
                "baccarat[cluster] for its scheduler and its workers"
            ) from error


def _connect(address: str) -> tuple[Any, type[Exception]]:
    """A client of the scheduler, and what is raised when workers die again and again."""
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import connect
    except ModuleNotFoundError as error:
        raise BaccaratError("a cluster needs Dask: pip install 'baccarat[cluster]'") from error
    if not re.fullmatch(r"[a-z]+://.+:\d+", address):
        raise BaccaratError(
            f"{address!r} is no address of a scheduler: write one such as tcp://scheduler:8786"
        )

    async def knock() -> None:
        async with asyncio.timeout(SECONDS_TO_CONNECT):
            comm = await connect(address)  # type: ignore[no-untyped-call]
            comm.abort()

    try:
        # A client that was never connected cannot be closed without a fuss: knock first.
        asyncio.run(knock())
        client = Client(  # type: ignore[no-untyped-call]
            address, timeout=SECONDS_TO_CONNECT, set_as_default=False
        )
        return client, KilledWorker
    except (OSError, ValueError, TypeError) as error:
        raise BaccaratError(
            f"no Dask scheduler answers at {address}: start one with `dask scheduler`, "
            "or leave --cluster out to use the threads of this machine"
        ) from error


@contextmanager
def _silenced(logger: str) -> Iterator[None]:
    """Dask prints pages when a scheduler goes away; one sentence of ours is enough."""

    def nothing(_: logging.LogRecord) -> bool:
        return False

    logging.getLogger(logger).addFilter(nothing)
    try:
        yield
    finally:
        logging.getLogger(logger).removeFilter(nothing)


def _check_workers(client: Any, address: str, fault: str) -> None:
    if not client.nthreads():
        raise BaccaratError(
            f"the cluster at {address} {fault}: start some with `dask worker {address}`"
        )


def _result(future: Any, client: Any, address: str) -> Any:
    """A part, waited for as long as there are workers to do it."""
    while True:
        try:
            return future.result(timeout=SECONDS_OF_PATIENCE)
        except TimeoutError:
            _check_workers(client, address, "has lost all its workers")


def _packed(job: Job[Any]) -> bytes:
    import cloudpickle

    return zlib.compress(cloudpickle.dumps(job))


@lru_cache(maxsize=4)
def _unpacked(packed: bytes) -> Any:
    """Once on every worker: what a job prepares for its parts is kept with it."""
    import cloudpickle

    return cloudpickle.loads(zlib.decompress(packed))


def _part(packed: bytes, first: int, count: int, device: str) -> tuple[Any, str | None]:
    """A part, and why it was not done on a graphics processor where one was hoped for."""
    job = _unpacked(packed)
    if device == "cpu":
        return job.part(first, count), None
    from baccarat.simulation import gpu

    try:
        return gpu.part(job, first, count), None
    except BaccaratError as error:
        if device == "gpu":
            raise
        return job.part(first, count), str(error)
