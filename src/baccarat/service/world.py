"""What a service is given of the world: a store it can wait for, time, randomness, its own name.

The store's commits are made by one thread and its reads by a few; the service itself runs in one
event loop and never blocks it. The one rule: whoever is cancelled or not answered knows nothing of
what became of a commit, and asks the store again.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, TypeVar

from baccarat.core.errors import BaccaratError
from baccarat.house.jobs import Clock
from baccarat.house.ports import Done, Job, Result
from baccarat.store.engine import StoreError
from baccarat.store.group import GroupCommit
from baccarat.store.sqlstore import SqlStore
from baccarat.store.vault import Vault
from baccarat.table.dealer import Randomness

T = TypeVar("T")
READERS = 4


def system_clock() -> int:
    """Server time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Keeper(Protocol):
    """A store that can be waited for."""

    async def commit(self, *jobs: Job) -> list[Result]:
        """Do jobs, in their order; an error means that nobody knows what was done."""

    async def read(self, ask: Callable[[SqlStore], T]) -> T:
        """Ask the store something."""


@dataclass(frozen=True)
class World:
    """All of it."""

    keeper: Keeper
    vault: Vault
    clock: Clock
    randomness: Randomness
    holder: str
    """The name this server takes leases under; no other server, and no earlier run, has it."""


class GroupKeeper(Keeper):
    """A store with its committing thread and its readers. Use it in a `with` block."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._group = GroupCommit(store)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")

    def __enter__(self) -> "GroupKeeper":
        self._group.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._group.__exit__()
        self._readers.shutdown()

    async def commit(self, *jobs: Job) -> list[Result]:
        futures = [asyncio.wrap_future(self._group.submit(job)) for job in jobs]
        await asyncio.wait(futures)
        return [_result_of(future) for future in futures]

    async def read(self, ask: Callable[[SqlStore], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, ask, self._store)
        except BaccaratError:
            raise
        except Exception as error:
            raise StoreError("the store cannot be read now: try again") from error


def _result_of(future: "asyncio.Future[Done]") -> Result:
    error = future.exception()
    if error is None:
        return future.result()
    if not isinstance(error, Exception):
        raise error
    return error
