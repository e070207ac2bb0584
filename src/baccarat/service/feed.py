"""The feed: sends the events at tables, read from the journals, to any number of readers.

A reader states the last entry it has seen, and is sent all later entries in frames without gaps:
from the journal while the reader is behind, then from the newest entries, which are read and
encoded once for all readers of a table. `notify` informs the feed that a journal may have grown;
without notifications, the journal is read every second. Public events and a reader's own wagers are
sent at once; totals of other players' wagers are sent a few times a second. A slow reader delays
nobody else: each reader has its own position, and frames are pushed only to readers who keep up.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, Protocol

from baccarat.core.errors import BaccaratError
from baccarat.service import public_view as views
from baccarat.service.event_loop import wait_up_to
from baccarat.service.visibility import EntryTexts, Reader, entry_texts, frame
from baccarat.store.sqlstore import AsyncStore, SqlStore
from baccarat.table.codec import encode
from baccarat.table.journal import Entry, table_stream
from baccarat.table.phases import Round
from baccarat.table.state import TableState

KEPT = 2_000
"""Number of newest entries kept in memory for each table that has readers."""
BATCH = 500
"""Number of entries read at a time."""
LOOK_EVERY = 1.0
"""Seconds between reads of the journal if there are no notifications."""
FRAME_EVERY = 0.2
"""Seconds between frames while only other players wager."""
WOKEN = 100
"""Number of readers sent to at a time; between these batches, the event loop handles wagers."""

log = logging.getLogger(__name__)


def texts_since(store: SqlStore, stream: str, after: int, limit: int = BATCH) -> list[EntryTexts]:
    """Return the entries after a number, in the form in which they are sent to readers."""
    return texts_of(store, store.entries(stream, after=after, limit=limit))


def texts_of(store: SqlStore, entries: Iterable[Entry]) -> list[EntryTexts]:
    """Return entries in the form in which they are sent to readers."""
    names = _names(store)
    return [entry_texts(entry, names) for entry in entries]


class News(NamedTuple):
    """New entries of a table, and its state and view after the last of these entries."""

    texts: list[EntryTexts]
    state: TableState
    view: views.TableView


def news(store: SqlStore, stream: str, after: int) -> News | None:
    """Return the entries after a number, and the table's state; None if there is no such table.

    If `after` is below 0, nothing has been read yet: only the state is returned, without entries.
    """
    state = store.state(stream)
    if state is None:
        return None
    entries: list[Entry] = []
    while 0 <= after < state.sequence:
        entries += store.entries(stream, after=after, limit=min(BATCH, state.sequence - after))
        after = entries[-1].sequence
    names = _names(store)
    view = views.without_proofs(views.table_view(state, names))
    return News([entry_texts(entry, names) for entry in entries], state, view)


def _names(store: SqlStore) -> views.NameOf:
    @cache
    def name_of(account: str) -> str:
        found = store.person(account)
        return found[0].name if found else ""

    return name_of


class Outlet(Protocol):
    """Where the frames of a reader are sent, such as a socket."""

    @property
    def is_ready(self) -> bool:
        """Whether the reader keeps up, so that a frame can be sent at once."""

    def push(self, text: bytes) -> None:
        """Send a frame, which many readers may share."""

    def wake(self) -> None:
        """Make the reader fetch the frames that it has missed."""


@dataclass(eq=False, slots=True)
class ReaderPosition:
    """One reader's position in the feed."""

    reader: Reader
    after: int
    """Number of the last entry sent to the reader."""
    seen: int
    """Entry number of the last view that was sent to the reader."""
    outlet: Outlet
    has_news: bool = False
    """Whether an entry about the reader's own account was sent after their own view was last
    sent."""
    is_behind: bool = True
    """Whether the reader fetches what it has missed (`Feed.missed`); frames are pushed only to the
    others."""


@dataclass
class _TableFeed:
    """The newest entries of one table, its state, and its readers."""

    newest: deque[EntryTexts] = field(default_factory=lambda: deque(maxlen=KEPT))
    last: int = -1
    """Number of the last entry read; -1 before the first read."""
    state: TableState | None = None
    stakes: views.Stakes = field(default_factory=lambda: views.Stakes(Round()))
    shown: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    """The parts of the view that all readers share, by name: the number of the last entry that
    changed the part, and its JSON."""
    notified: asyncio.Event = field(default_factory=asyncio.Event)
    places: dict[str, set[ReaderPosition]] = field(default_factory=dict)
    """Readers by account."""
    task: asyncio.Task[None] | None = None
    soon: asyncio.TimerHandle | None = None
    """Timer that wakes all readers for other players' wagers."""
    shared: dict[tuple[int, int, int], bytes] = field(default_factory=dict)
    """Cached frames of the newest entries, for readers whom none of these entries concerns."""

    @property
    def readers(self) -> int:
        return sum(map(len, self.places.values()))

    def since(self, after: int) -> Sequence[EntryTexts] | None:
        """Return the entries after a number, or None if they are no longer in memory."""
        if self.last <= after:
            return ()
        if not self.newest or self.newest[0].sequence > after + 1:
            return None
        start = after + 1 - self.newest[0].sequence
        return [self.newest[i] for i in range(start, min(start + BATCH, len(self.newest)))]

    def take(self, new: News) -> None:
        """Apply the entries since the last read; the first time, there is only the state."""
        before, self.state, self.last = self.state, new.state, new.state.sequence
        self.newest.extend(new.texts)
        self.shared.clear()
        if before is None:
            self.stakes = views.Stakes(new.state.round)
        public = before is None or any(text.public is not None for text in new.texts)
        public |= bool(new.state.round.asked)  # another player's bet may change when betting closes
        staked = [self.stakes.take(text.event) for text in new.texts]
        if before is None or any(staked):
            self.shown["stakes"] = self.last, encode(self.stakes.sums())
        if public:
            self.shown["view"] = self.last, encode(new.view)
        results = new.state.display.results
        if before is None or before.display.results is not results:
            self.shown["roads"] = self.last, encode(views.roads(results))
        if public:
            self.wake_all()
        else:
            self._wake_some(new.texts)

    def _wake_some(self, entries: Sequence[EntryTexts]) -> None:
        """Wake the readers whom the entries concern at once, and the other readers soon after."""
        own = {account for entry in entries for account in entry.own}
        console = any(entry.console is not None for entry in entries)
        for account, places in self.places.items():
            for place in places:
                if account in own or (console and (place.reader.deals or place.reader.sees_all)):
                    self._deliver(place)
        if self.soon is None:
            self.soon = asyncio.get_running_loop().call_later(FRAME_EVERY, self.wake_all)

    def wake_all(self) -> None:
        if self.soon is not None:
            self.soon.cancel()
            self.soon = None
        self._wake([place for places in self.places.values() for place in places])

    def _wake(self, places: Sequence[ReaderPosition]) -> None:
        for place in places[:WOKEN]:
            self._deliver(place)
        if len(places) > WOKEN:
            asyncio.get_running_loop().call_soon(self._wake, places[WOKEN:])

    def _deliver(self, place: ReaderPosition) -> None:
        """Push what is new to a reader who keeps up; wake a reader who does not."""
        while not place.is_behind and (batch := self.since(place.after)) != ():
            if batch is not None and place.outlet.is_ready:
                place.outlet.push(self.frame(place, batch))
            else:
                place.is_behind = True
                place.outlet.wake()

    def frame(self, place: ReaderPosition, batch: Sequence[EntryTexts]) -> bytes:
        """Return the frame for a reader: entries, and the parts of the view that have changed.

        Frames that are the same for many readers are built once.
        """
        reader, through = place.reader, batch[-1].sequence
        place.has_news |= any(reader.account in one.own for one in batch)
        personal = place.has_news or reader.sees_all or reader.deals
        key = (place.after, through, place.seen)
        text = None if personal else self.shared.get(key)
        present = through == self.last  # only the current view is available
        if text is None:
            parts = self._changed(place) if present else {}
            text = frame(reader, place.after, batch, **parts).encode()
            if present and not personal:
                self.shared[key] = text
        place.after = through
        if present:
            place.seen, place.has_news = through, False
        return text

    def _changed(self, place: ReaderPosition) -> dict[str, bytes]:
        """Return the parts of the view that a reader does not have yet."""
        parts = {name: text for name, (at, text) in self.shown.items() if at > place.seen}
        if place.has_news and self.state is not None:
            parts["mine"] = encode(views.own_view(self.state, place.reader.account))
        return parts


class Feed:
    """Sends frames to the readers of all tables."""

    def __init__(self, keeper: AsyncStore) -> None:
        self._keeper = keeper
        self._tails: dict[str, _TableFeed] = {}

    @property
    def readers(self) -> int:
        return sum(tail.readers for tail in self._tails.values())

    def notify(self, stream: str) -> None:
        """Make the feed read a stream again, because it may have grown."""
        tail = self._tails.get(stream)
        if tail is not None:
            tail.notified.set()

    async def missed(self, table: str, place: ReaderPosition) -> AsyncGenerator[bytes, None]:
        """Yield frames with the entries that a reader has missed; later ones are pushed to it."""
        stream = table_stream(table)
        tail = self._tails[stream]
        while (batch := tail.since(place.after)) != ():
            if batch is None:
                batch = await self._from_journal(stream, place.after, tail.last)
            if batch:
                yield tail.frame(place, batch)
            else:
                await asyncio.sleep(LOOK_EVERY)
        place.is_behind = False

    @contextlib.contextmanager
    def reading(
        self, table: str, reader: Reader, after: int, outlet: Outlet
    ) -> Iterator[ReaderPosition]:
        """Add a reader who has seen the entries up to a number, until the context ends."""
        stream, place = table_stream(table), ReaderPosition(reader, after, after, outlet)
        tail, account = self._tails.setdefault(stream, _TableFeed()), reader.account
        tail.places.setdefault(account, set()).add(place)
        if tail.task is None:
            tail.task = asyncio.create_task(self._keep_up(stream, tail))
        try:
            yield place
        finally:
            place.is_behind = True  # push nothing more
            tail.places[account].discard(place)
            if not tail.places[account]:
                del tail.places[account]
            if not tail.places:
                tail.task.cancel()
                if tail.soon is not None:
                    tail.soon.cancel()
                self._tails.pop(stream, None)

    async def _from_journal(self, stream: str, after: int, through: int) -> Sequence[EntryTexts]:
        limit = min(BATCH, through - after)
        try:
            return await self._keeper.read(texts_since, stream, after, limit)
        except BaccaratError as error:  # the readers wait for the next attempt
            log.warning("journal not read", extra={"stream": stream, "why": str(error)})
            return ()

    async def _keep_up(self, stream: str, tail: _TableFeed) -> None:
        """Read each new entry once for all readers."""
        while True:
            try:
                new = await self._keeper.read(news, stream, tail.last)
                if new is not None and new.state.sequence > tail.last:
                    tail.take(new)
            except BaccaratError as error:
                log.warning("journal not read", extra={"stream": stream, "why": str(error)})
            await wait_up_to(LOOK_EVERY, tail.notified)
            tail.notified.clear()
