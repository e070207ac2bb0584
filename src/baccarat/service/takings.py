"""The takings of every table today, read from the journal once and then caught up.

A day is the house's (`zone`). What is read: the settings and the shoe that the day begins with,
then the day's results, found by where the day begins in the journal. The one rule: read only; what
it says can be thrown away and read again.
"""

import asyncio
import json
from dataclasses import dataclass

from baccarat.house.desk import table_stream
from baccarat.house.periods import Period, start_of
from baccarat.house.takings import PINS, RESULTS, Takings
from baccarat.service.world import Keeper
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import Entry

AT_ONCE = 5_000
"""Entries read together."""


@dataclass
class _Day:
    since: int
    sequence: int
    takings: Takings

    def take(self, entry: Entry) -> None:
        event = json.loads(entry.body)
        if event["type"] not in RESULTS or event["value"]["at"] >= self.since:
            self.takings.take(event["type"], event["value"])


class Today:
    """Knows the day's takings of each table."""

    def __init__(self, keeper: Keeper, zone: int) -> None:
        self._keeper, self._zone = keeper, zone
        self._days: dict[str, _Day] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def of(self, table: str, now: int) -> Takings:
        """A table's takings since the day began."""
        since = start_of(Period.DAY, now, self._zone)
        async with self._locks.setdefault(table, asyncio.Lock()):
            day = self._days.get(table)
            if day is not None and day.since != since:
                day = None
            caught_up = await self._keeper.read(lambda store: _catch_up(store, table, day, since))
            self._days[table] = caught_up
            return caught_up.takings


def _catch_up(store: SqlStore, table: str, day: _Day | None, since: int) -> _Day:
    stream = table_stream(table)
    if day is None:
        first = history.first_since(store, stream, since)
        opened = history.newest_of(store, stream, "RoundOpened", before=first, limit=1)
        first = opened[0].sequence if opened else first  # its wagers were placed the day before
        day = _Day(since, first - 1, Takings())
        for entry in _before(store, stream, first):
            day.take(entry)
    while True:
        head = store.head(stream).sequence
        wagers = day.takings.asks_for_wagers
        for entry in (found := _next(store, stream, day.sequence, wagers=wagers)):
            day.take(entry)
            day.sequence = entry.sequence
            if day.takings.asks_for_wagers != wagers:  # other rules: from here on, read otherwise
                break
        else:
            if len(found) < AT_ONCE:
                # Nothing that is asked for lies between the last one found and that head.
                day.sequence = max(day.sequence, head)
                return day


def _next(store: SqlStore, stream: str, after: int, *, wagers: bool) -> list[Entry]:
    """What comes after an entry; wagers bear no mark, so who asks for them reads the journal."""
    if wagers:
        return store.entries(stream, after=after, limit=AT_ONCE)
    return history.entries_of(store, stream, *PINS, *RESULTS, after=after, limit=AT_ONCE)


def _before(store: SqlStore, stream: str, first: int) -> list[Entry]:
    """The settings and the shoe that were there, in their order; the newest settings last."""
    shoe = history.newest_of(store, stream, "ShoeCommitted", "ShoeBegun", before=first, limit=1)
    earlier = history.settings_before(store, stream, shoe[0].sequence) if shoe else []
    return [*earlier, *shoe, *history.settings_before(store, stream, first)] if first > 1 else []
