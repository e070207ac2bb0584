"""The same work on a Dask cluster. Needs the extra `cluster`.

Parts are whole numbers that are added up in order, so it does not matter which worker does which,
nor how often one has to be done again because its worker died.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.simulation.work import Job, P, ranges

LARGER = 16
"""Chunks are so many times larger than for a thread next door: a message costs more."""
WAITING = 3
"""Chunks handed out ahead for each thread of the cluster."""
SECONDS_TO_CONNECT = 10
LIVES = 10
"""A chunk is given up when so many workers died of it."""


def parts_from(address: str, job: Job[P], done: int, chunk: int | None) -> Iterator[P]:
    """The parts that are left of a job, in order, done by the workers of a scheduler."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise BaccaratError("a cluster needs Dask: pip install 'baccarat[cluster]'") from error
    try:
        client: Any = Client(  # type: ignore[no-untyped-call]
            address, timeout=SECONDS_TO_CONNECT, set_as_default=False
        )
    except (OSError, ValueError) as error:
        raise BaccaratError(
            f"no Dask scheduler answers at {address}: start one with `dask scheduler`, "
            "or leave --cluster out to use the threads of this machine"
        ) from error
    with client:
        workers = client.nthreads()
        if not workers:
            raise BaccaratError(
                f"the cluster at {address} has no workers: start some with `dask worker {address}`"
            )
        there = client.scatter(job, broadcast=True, hash=False)
        left = ranges(job, done, chunk or LARGER * job.chunk)
        waiting: deque[Any] = deque()
        try:
            while True:
                ahead = WAITING * max(1, sum(client.nthreads().values()))
                while len(waiting) < ahead and (span := next(left, None)):
                    waiting.append(client.submit(_part, there, *span, pure=False, retries=LIVES))
                if not waiting:
                    return
                yield waiting.popleft().result()
        except OSError as error:
            raise BaccaratError(f"the cluster at {address} was lost: {error}") from error


def _part(job: Job[P], first: int, count: int) -> P:
    return job.part(first, count)
