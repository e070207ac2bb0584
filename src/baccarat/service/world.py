"""What a service is given of the world: a store it can wait for, time, randomness, its own name.

The store's commits are made by one thread and its reads by a few; the service itself runs in one
event loop and never blocks it. The one rule: whoever is cancelled or not answered knows nothing of
what became of a commit, and asks the store again.
"""

import asyncio
import contextlib
import gc
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, TypeVar

from baccarat.core.errors import BaccaratError
from baccarat.house.jobs import Clock
from baccarat.house.ports import Job, Result
from baccarat.store.engine import TO_SERVE, StoreError, lacks_rights, reason_of
from baccarat.store.group import GroupCommit
from baccarat.store.sqlstore import SqlStore
from baccarat.store.vault import Vault
from baccarat.table.dealer import Randomness

T = TypeVar("T")
READERS = 4
COLLECT = (200_000, 10, 10)
"""New objects from one collection to the next; of those, how many until older ones are seen. A
commit of a thousand wagers has some 60 000, and none is left when it is done."""


def system_clock() -> int:
    """Server time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def collect_rarely() -> None:
    """Look for garbage seldom, and never again among what the start has made.

    Little here is garbage that only a collection finds, and looking through everything that a
    server has loaded takes longer than many a commit.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


class Keeper(Protocol):
    """A store that can be waited for."""

    async def commit(self, *jobs: Job) -> list[Result]:
        """Do jobs, in their order; an error means that nobody knows what was done."""

    async def read(self, ask: Callable[[SqlStore], T]) -> T:
        """Ask the store something."""

    def time_commits(self, told: Callable[[float], None]) -> None:
        """From here on, say how many seconds each commit took, from any thread."""


@dataclass(frozen=True)
class World:
    """All of it."""

    keeper: Keeper
    vault: Vault
    clock: Clock
    randomness: Randomness
    holder: str
    """The name this server takes leases under; no other server, and no earlier run, has it."""


def new_holder(vault: Vault) -> str:
    """A name that tells the others which key a server has."""
    return f"server-{vault.mark}-{secrets.token_hex(4)}"


def has_another_key(holder: str, vault: Vault) -> bool:
    """As its name tells; those of older versions tell nothing."""
    parts = holder.split("-")
    return len(parts) == 3 and parts[1] != vault.mark


class GroupKeeper(Keeper):
    """A store with its committing thread and its readers. Use it in a `with` block."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._group: GroupCommit[asyncio.Future[Result]] = GroupCommit(store, _answer)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")

    def __enter__(self) -> "GroupKeeper":
        self._group.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._group.__exit__()
        self._readers.shutdown()

    async def commit(self, *jobs: Job) -> list[Result]:
        loop = asyncio.get_running_loop()
        futures, results = [], []
        for job in jobs:
            futures.append(future := loop.create_future())
            self._group.submit(job, future)
        for future in futures:
            results.append(await future)  # noqa: PERF401  (a comprehension would be a coroutine)
        return results

    def time_commits(self, told: Callable[[float], None]) -> None:
        self._group.timed = told

    async def read(self, ask: Callable[[SqlStore], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, ask, self._store)
        except BaccaratError:
            raise
        except Exception as error:
            if lacks_rights(error):
                reason = f"{reason_of(error)}; {TO_SERVE}"
                raise StoreError(f"the store cannot be read: {reason}") from error
            # It is logged: an error of ours does not pass for the store's.
            kind = type(error).__name__
            raise StoreError(f"the store cannot be read now ({kind}): try again") from error


Answers = Sequence[tuple["asyncio.Future[Result]", Result]]


def _answer(answers: Answers) -> None:
    """Hand over the answers of a whole commit at once: waking an event loop costs a system call."""
    loop = answers[0][0].get_loop()  # a service runs in one
    with contextlib.suppress(RuntimeError):  # it is closed: nobody waits any more
        loop.call_soon_threadsafe(_set, answers)


def _set(answers: Answers) -> None:
    for future, result in answers:
        if not future.done():
            future.set_result(result)
