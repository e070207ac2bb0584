"""The feed: what happens at tables, told to any number of readers from the journal.

A reader says which entry it has seen last and is told what came later, in frames that leave no gap:
from the journal while it is behind, then from the newest entries, which are read and put into words
once for all readers of a table. A ring only says "look"; without one the journal is looked at every
second. What everybody may see is told at once, as is a reader's own wager; of the others' wagers a
reader hears a few times a second. The one rule: nothing waits for a reader. One that is slow holds
nothing but its own number.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from baccarat.core.errors import BaccaratError
from baccarat.house.desk import table_stream
from baccarat.service.telling import Reader, Stakes, Told, frame, told
from baccarat.service.world import Keeper
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import Entry

KEPT = 2_000
"""Newest entries kept in memory for each table that somebody reads."""
TOGETHER = 500
"""Entries read at a time."""
LOOK_EVERY = 1.0
"""Seconds from one look at the journal to the next when nobody rings."""
FRAME_EVERY = 0.2
"""Seconds from one frame to the next while nothing happens but others' wagers."""
WOKEN = 25
"""Readers woken at a time: between them, whoever wagers has a turn."""

log = logging.getLogger(__name__)


def told_since(store: SqlStore, stream: str, after: int, limit: int = TOGETHER) -> list[Told]:
    """The entries after one, as they are told."""
    return as_told(store, store.entries(stream, after=after, limit=limit))


def as_told(store: SqlStore, entries: Iterable[Entry]) -> list[Told]:
    """Entries as they are told."""

    @cache
    def name_of(account: str) -> str:
        found = store.person(account)
        return found[0].name if found else ""

    return [told(entry, name_of) for entry in entries]


@dataclass(eq=False)
class _Place:
    """Where one reader stands: woken when there is something to tell it."""

    reader: Reader
    woken: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class _Tail:
    """The newest entries of one table, and who waits for more."""

    newest: deque[Told] = field(default_factory=lambda: deque(maxlen=KEPT))
    last: int = -1
    """The last entry seen; -1 before the first look."""
    stakes: Stakes = field(default_factory=Stakes)
    rung: asyncio.Event = field(default_factory=asyncio.Event)
    places: dict[str, set[_Place]] = field(default_factory=dict)
    """Readers by account."""
    task: asyncio.Task[None] | None = None
    soon: asyncio.TimerHandle | None = None
    """When everybody is woken for others' wagers."""
    shared: dict[tuple[int, int, bool], str] = field(default_factory=dict)
    """Frames of the newest entries for all who have no part of their own in them."""

    @property
    def readers(self) -> int:
        return sum(map(len, self.places.values()))

    def since(self, after: int) -> Sequence[Told] | None:
        """What came after an entry; None when that is further back than what is kept."""
        if 0 <= self.last <= after:
            return ()
        if not self.newest or self.newest[0].sequence > after + 1:
            return None
        start = after + 1 - self.newest[0].sequence
        return [self.newest[i] for i in range(start, min(start + TOGETHER, len(self.newest)))]

    def take(self, entries: Sequence[Told]) -> None:
        self.newest.extend(entries)
        self.last = entries[-1].sequence
        self.shared.clear()
        for one in entries:
            self.stakes.take(one)
        if any(one.public is not None for one in entries):
            self.wake_all()
            return
        for account in {account for one in entries for account in one.own}:
            for place in self.places.get(account, ()):
                place.woken.set()
        if any(one.console is not None for one in entries):
            for places in self.places.values():
                for place in places:
                    if place.reader.deals or place.reader.sees_all:
                        place.woken.set()
        if self.soon is None:
            self.soon = asyncio.get_running_loop().call_later(FRAME_EVERY, self.wake_all)

    def wake_all(self) -> None:
        if self.soon is not None:
            self.soon.cancel()
            self.soon = None
        self._wake([place for places in self.places.values() for place in places])

    def _wake(self, places: Sequence[_Place]) -> None:
        for place in places[:WOKEN]:
            place.woken.set()
        if len(places) > WOKEN:
            asyncio.get_running_loop().call_soon(self._wake, places[WOKEN:])

    def frame(self, reader: Reader, after: int, batch: Sequence[Told], *, stakes: bool) -> str:
        """What a reader is told of some entries; what is the same for many is written once."""
        sums = self.stakes if stakes else None
        if reader.sees_all or reader.deals or any(reader.account in one.own for one in batch):
            return frame(reader, after, batch, sums)
        key = (after, batch[-1].sequence, stakes)
        if key not in self.shared:
            self.shared[key] = frame(reader, after, batch, sums)
        return self.shared[key]


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

    async def follow(self, table: str, reader: Reader, after: int) -> AsyncGenerator[str, None]:
        """Frames of everything after an entry, in order, without end."""
        stream, stakes_at = table_stream(table), after
        with self._reading(stream, reader) as (tail, place):
            while True:
                place.woken.clear()
                batch, patience = tail.since(after), None
                if batch is None:
                    batch, patience = await self._from_journal(stream, after), LOOK_EVERY
                if not batch:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(patience):
                            await place.woken.wait()
                    continue
                present = batch[-1].sequence == tail.last  # sums are known as of now only
                changed = present and tail.stakes.at > stakes_at
                text = tail.frame(reader, after, batch, stakes=changed)
                after = batch[-1].sequence
                stakes_at = after if changed else stakes_at
                yield text

    @contextlib.contextmanager
    def _reading(self, stream: str, reader: Reader) -> Iterator[tuple[_Tail, _Place]]:
        tail = self._tails.setdefault(stream, _Tail())
        place = _Place(reader)
        tail.places.setdefault(reader.account, set()).add(place)
        if tail.task is None:
            tail.task = asyncio.create_task(self._keep_up(stream, tail))
        try:
            yield tail, place
        finally:
            tail.places[reader.account].discard(place)
            if not tail.places[reader.account]:
                del tail.places[reader.account]
            if not tail.places:
                tail.task.cancel()
                if tail.soon is not None:
                    tail.soon.cancel()
                self._tails.pop(stream, None)

    async def _from_journal(self, stream: str, after: int) -> Sequence[Told]:
        try:
            return await self._keeper.read(lambda store: told_since(store, stream, after))
        except BaccaratError as error:  # the reader waits, and is told later
            log.warning("the journal was not read", extra={"stream": stream, "why": str(error)})
            return ()

    async def _keep_up(self, stream: str, tail: _Tail) -> None:
        """Read each new entry once, for all."""
        while True:
            try:
                await self._look(stream, tail)
            except BaccaratError as error:
                log.warning("the journal was not read", extra={"stream": stream, "why": str(error)})
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await tail.rung.wait()
            tail.rung.clear()

    async def _look(self, stream: str, tail: _Tail) -> None:
        if tail.last < 0:
            state = await self._keeper.read(lambda store: store.state(stream))
            if state is not None:
                tail.stakes, tail.last = Stakes.of(state.round, state.sequence), state.sequence
                tail.wake_all()
            return
        while entries := await self._keeper.read(
            lambda store: told_since(store, stream, tail.last)
        ):
            tail.take(entries)
