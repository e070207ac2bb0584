"""Running jobs on a Dask cluster. Needs the extra `cluster`.

Parts consist of whole numbers and are added up in order, so the result does not depend on which
worker computes which part, or on how often Dask repeats a part because a worker died. Every task
contains the whole job, so nothing is lost when a worker dies.
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
from baccarat.simulation.jobs import Job, P, ranges

CHUNK_FACTOR = 16
"""Factor by which chunks are larger than for local threads, because messages between machines are
slow."""
GPU_CHUNK = 1 << 26
WAITING = 3
"""Number of chunks queued for each thread of the cluster."""
SECONDS_TO_CONNECT = 10
WORKER_TIMEOUT = 60
"""Seconds to wait for a part before checking whether any workers are left; if there are none, the
job fails."""


def parts_from(
    address: str,
    job: Job[P],
    done: int,
    chunk: int | None,
    device: str = "cpu",
    notice: Callable[[str], None] | None = None,
) -> Iterator[P]:
    """Yield the remaining parts of a job, in order, computed by the workers of a scheduler.

    Each worker uses its own CPU or GPU. If some workers could not use a GPU, `notice` is called
    once with the reason.
    """
    device = _checked_device(job, device)
    client, killed = _connect(address)
    import cloudpickle  # comes with Dask

    with _silenced("distributed.client"), client:
        _check_workers(client, address, "has no workers")
        there = zlib.compress(cloudpickle.dumps(job))
        each = {
            "cpu": CHUNK_FACTOR * job.chunk,
            "auto": CHUNK_FACTOR**2 * job.chunk,
            "gpu": GPU_CHUNK,
        }
        left = ranges(job, done, chunk or each[device])
        waiting: deque[Any] = deque()
        noted = False
        try:
            while True:
                ahead = WAITING * max(1, sum(client.nthreads().values()))
                while len(waiting) < ahead and (span := next(left, None)):
                    waiting.append(client.submit(_part, there, *span, device, pure=False))
                if not waiting:
                    return
                part, lacking = _result(waiting.popleft(), client, address)
                if notice and lacking and not noted:
                    notice(f"Some workers continue on the CPU: {lacking}")
                    noted = True
                yield part
        except killed as error:
            raise BaccaratError(
                f"workers of the cluster at {address} keep crashing on this job: check their "
                "logs, or use the threads of this machine"
            ) from error
        except (OSError, CancelledError) as error:
            why = " ".join(str(error).split())
            raise BaccaratError(
                f"lost the connection to the cluster at {address}: {why}"
            ) from error
        except (ImportError, RuntimeError) as error:
            cause = error.__cause__ or error
            if not isinstance(cause, ImportError):
                raise
            raise BaccaratError(
                f"the cluster at {address} cannot run this job ({cause}): install the same "
                "version of baccarat[cluster] on its scheduler and its workers"
            ) from error


def _checked_device(job: Job[Any], device: str) -> str:
    """Return the device to use for a job: "cpu" if `device` is "auto" and no GPU can run it."""
    if device == "cpu":
        return device
    from baccarat.simulation.gpu.jobs import why_not_on_gpu  # this machine need not have a GPU

    reason = why_not_on_gpu(job)
    if reason and device == "gpu":
        raise BaccaratError(reason)
    return "cpu" if reason else device


def _connect(address: str) -> tuple[Any, type[Exception]]:
    """Return a client of the scheduler, and the exception raised when workers die repeatedly."""
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import connect
    except ModuleNotFoundError as error:
        raise BaccaratError("a cluster needs Dask: pip install 'baccarat[cluster]'") from error
    if not re.fullmatch(r"[a-z]+://.+:\d+", address):
        raise BaccaratError(
            f"{address!r} is not the address of a scheduler: write it as tcp://scheduler:8786"
        )

    async def test_connection() -> None:
        async with asyncio.timeout(SECONDS_TO_CONNECT):
            comm = await connect(address)  # type: ignore[no-untyped-call]
            comm.abort()

    try:
        # A client that never connected cannot be closed cleanly, so test the connection first.
        asyncio.run(test_connection())
        client = Client(  # type: ignore[no-untyped-call]
            address, timeout=SECONDS_TO_CONNECT, set_as_default=False
        )
        return client, KilledWorker
    except (OSError, ValueError, TypeError) as error:
        raise BaccaratError(
            f"no Dask scheduler answers at {address}: start one with `dask scheduler`, "
            "or use the threads of this machine"
        ) from error


@contextmanager
def _silenced(logger: str) -> Iterator[None]:
    """Silence a logger, because Dask logs pages of messages when a scheduler goes away."""

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
    """Wait for a part and return it; raise an error if there are no workers left to compute it."""
    while True:
        try:
            return future.result(timeout=WORKER_TIMEOUT)
        except TimeoutError:
            _check_workers(client, address, "has lost all its workers")


@lru_cache(maxsize=4)
def _unpacked(packed: bytes) -> Any:
    """Unpickle a job once per worker, so that everything it has cached is reused for later
    parts."""
    import cloudpickle

    return cloudpickle.loads(zlib.decompress(packed))


def _part(packed: bytes, first: int, count: int, device: str) -> tuple[Any, str | None]:
    """Return a part and, if the device is `auto` but no GPU was used, the reason why."""
    job = _unpacked(packed)
    if device == "cpu":
        return job.part(first, count), None
    from baccarat.simulation.gpu import jobs as gpu

    try:
        return gpu.part(job, first, count), None
    except BaccaratError as error:
        if device == "gpu":
            raise
        return job.part(first, count), str(error)
