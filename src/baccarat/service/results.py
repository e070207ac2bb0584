"""Today's results of every table, read from the journal once and then kept up to date.

A gaming day begins at the hour that the house has chosen.
"""

import asyncio
from dataclasses import dataclass, field

from baccarat.house.safety.periods import GamingDay, Period, start_of
from baccarat.house.watch.result_bounds import RESULTS, Takings
from baccarat.shoe.commitment import Hex
from baccarat.store import history
from baccarat.store.sqlstore import AsyncStore, SqlStore
from baccarat.table.events import decode
from baccarat.table.journal import table_stream

AT_ONCE = 5_000
"""Number of entries read at a time."""


@dataclass
class _Day:
    since: int
    sequence: int
    takings: Takings = field(default_factory=Takings)
    rules: dict[Hex, str] = field(default_factory=dict)
    """Rules by hash; each is read once a day."""


class TodaysResults:
    """Keeps today's results of each table."""

    def __init__(self, keeper: AsyncStore, gaming_day: GamingDay) -> None:
        self._keeper, self._gaming_day = keeper, gaming_day
        self._days: dict[str, _Day] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def of(self, table: str, now: int) -> Takings:
        """Return a table's results since the day began."""
        since = start_of(Period.DAY, now, self._gaming_day)
        async with self._locks.setdefault(table, asyncio.Lock()):
            day = self._days.get(table)
            if day is not None and day.since != since:
                day = None
            caught_up = await self._keeper.read(_catch_up, table, day, since)
            self._days[table] = caught_up
            return caught_up.takings


def _catch_up(store: SqlStore, table: str, day: _Day | None, since: int) -> _Day:
    stream = table_stream(table)
    if day is None:
        day = _Day(since, history.first_since(store, stream, since) - 1)
    rules = day.rules

    def rules_of(digest: Hex) -> str:
        if digest not in rules:
            rules[digest] = history.rules_of(store, stream, digest)
        return rules[digest]

    while True:
        head = store.head(stream).sequence
        found = history.entries_of(store, stream, *RESULTS, after=day.sequence, limit=AT_ONCE)
        for entry in found:
            day.takings.take(decode(entry.body), rules_of)
            day.sequence = entry.sequence
        if len(found) < AT_ONCE:
            # No entry between the last one found and the head has a matching type.
            day.sequence = max(day.sequence, head)
            return day
