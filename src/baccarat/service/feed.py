"""The feed: what happens at tables, told to any number of readers from the journal.

A reader says which entry it has seen last and is told every later one, once, in order: from the
journal while it is behind, then from the newest entries, which are read once for all readers of a
stream. A ring only says "look"; without one the journal is looked at every second. The one rule:
nothing waits for a reader. One that is slow holds nothing but its own number.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from baccarat.core.errors import BaccaratError
from baccarat.service.world import Keeper
from baccarat.table.journal import Entry

KEPT = 2_000
"""Newest entries kept in memory for each stream that somebody reads."""
TOGETHER = 500
"""Entries read at a time."""
LOOK_EVERY = 1.0
"""Seconds from one look at the journal to the next when nobody rings."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Told:
    """An entry as readers get it."""

    sequence: int
    text: str
    """JSON: sequence, hash, and the event as the journal has it."""


def told(entry: Entry) -> Told:
    text = f'{{"sequence":{entry.sequence},"hash":"{entry.hash.hex()}","event":'
    return Told(entry.sequence, f"{text}{entry.body.decode()}}}")


@dataclass
class _Tail:
    """The newest entries of one stream, and who waits for more."""

    newest: deque[Told] = field(default_factory=lambda: deque(maxlen=KEPT))
    last: int = -1
    """The last entry seen; -1 before the first look."""
    rung: asyncio.Event = field(default_factory=asyncio.Event)
    grown: asyncio.Event = field(default_factory=asyncio.Event)
    """Replaced each time: whoever waits for the old one is told once."""
    readers: int = 0
    task: asyncio.Task[None] | None = None

    def since(self, after: int) -> Sequence[Told] | None:
        """What came after an entry; None when that is further back than what is kept."""
        if 0 <= self.last <= after:
            return ()
        if not self.newest or self.newest[0].sequence > after + 1:
            return None
        start = after + 1 - self.newest[0].sequence
        return [self.newest[i] for i in range(start, min(start + TOGETHER, len(self.newest)))]

    def take(self, entries: Sequence[Entry]) -> None:
        self.newest.extend(told(entry) for entry in entries)
        self.last = entries[-1].sequence
        self.wake()

    def wake(self) -> None:
        grown, self.grown = self.grown, asyncio.Event()
        grown.set()


class Feed:
    """Tells readers what happened."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._tails: dict[str, _Tail] = {}

    @property
    def readers(self) -> int:
        return sum(tail.readers for tail in self._tails.values())

    def ring(self, stream: str) -> None:
        """A stream may have grown."""
        tail = self._tails.get(stream)
        if tail is not None:
            tail.rung.set()

    async def follow(self, stream: str, after: int) -> AsyncGenerator[Sequence[Told], None]:
        """Every entry after one, in order, some at a time, without end."""
        tail = self._tails.setdefault(stream, _Tail())
        tail.readers += 1
        if tail.task is None:
            tail.task = asyncio.create_task(self._keep_up(stream, tail))
        try:
            while True:
                grown = tail.grown
                batch = tail.since(after)
                if batch is None:
                    batch = await self._from_journal(stream, after)
                if batch:
                    after = batch[-1].sequence
                    yield batch
                else:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(grown.wait(), LOOK_EVERY)
        finally:
            tail.readers -= 1
            if not tail.readers and tail.task is not None:
                tail.task.cancel()
                self._tails.pop(stream, None)

    async def _from_journal(self, stream: str, after: int) -> Sequence[Told]:
        try:
            entries = await self._keeper.read(
                lambda store: store.entries(stream, after=after, limit=TOGETHER)
            )
        except BaccaratError as error:  # the reader waits, and is told later
            log.warning("the journal was not read", extra={"stream": stream, "why": str(error)})
            return ()
        return [told(entry) for entry in entries]

    async def _keep_up(self, stream: str, tail: _Tail) -> None:
        """Read each new entry once, for all."""
        while True:
            try:
                await self._look(stream, tail)
            except BaccaratError as error:
                log.warning("the journal was not read", extra={"stream": stream, "why": str(error)})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(tail.rung.wait(), LOOK_EVERY)
            tail.rung.clear()

    async def _look(self, stream: str, tail: _Tail) -> None:
        if tail.last < 0:
            tail.last = (await self._keeper.read(lambda store: store.head(stream))).sequence
            return
        while entries := await self._keeper.read(
            lambda store: store.entries(stream, after=tail.last, limit=TOGETHER)
        ):
            tail.take(entries)
