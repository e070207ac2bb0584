"""Selections of a player's rounds, by table, day or session, and their totals."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple
from urllib.parse import urlencode

from fastapi import Query

from baccarat.house.safety.periods import day_start, parse_date
from baccarat.store import bookings
from baccarat.store.bookings import Played, SortKey
from baccarat.store.sqlstore import SqlStore
from baccarat.table.events import WagerResult
from baccarat.table.journal import table_stream
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import TheSite, from_request

MAX_COUNTED = 2000
"""Maximum number of rounds in the totals, the newest first."""
PIECE = 250
"""Number of rounds read at a time."""


class Bounds(NamedTuple):
    """The rounds of a selection: those that one table, or any, settled between two times."""

    stream: str | None
    since: int
    until: int | None


@dataclass(frozen=True)
class Selection:
    """The rounds that a visitor chose in the address of a page."""

    site: TheSite
    table: Annotated[str, Query(max_length=80)] = ""
    day: Annotated[str, Query(max_length=10)] = ""
    session: bool = False

    async def bounds(self, player: str) -> Bounds:
        """Return the chosen rounds; a session is the player's current or last one."""
        since, until = 0, None
        if self.day:
            day = parse_date(self.day)
            if day is None:
                raise Problem(Fault.MALFORMED, "bad-date")
            gaming_day = self.site.house.conduct.gaming_day
            since, until = day_start(day, gaming_day), day_start(day + 1, gaming_day)
        if self.session:
            since = max(since, (await self.site.read(SqlStore.safety, player)).since)
        return Bounds(table_stream(self.table) if self.table else None, since, until)

    def address(self, path: str, **more: str) -> str:
        """Return the address of a page about the same rounds."""
        chosen = {"table": self.table, "day": self.day, "session": "1" if self.session else ""}
        asked = urlencode({name: value for name, value in (chosen | more).items() if value})
        return f"{path}?{asked}" if asked else path


Chosen = Annotated[Selection, from_request(Selection)]


def rounds_in(
    store: SqlStore, player: str, bounds: Bounds, *, below: SortKey | None, limit: int
) -> list[Played]:
    """Return the newest rounds of a selection, before the place `below`."""
    return bookings.rounds_played(store, player, below=below, limit=limit, **bounds._asdict())


@dataclass
class Sums:
    """Totals of some rounds or bets, in coins."""

    count: int = 0
    staked: int = 0
    net: int = 0

    def add(self, staked: int, net: int) -> None:
        self.count += 1
        self.staked += staked
        self.net += net


@dataclass
class Totals:
    """Totals of a selection, also by table and by bet."""

    all: Sums
    tables: dict[str, Sums]
    bets: dict[tuple[str, str], Sums]
    """By table and bet."""
    later: int
    """Coins gained or lost by corrections and disputes, which belong to no bet."""
    first: int
    """Time of the oldest round."""
    last: int
    """Time of the newest round."""
    cut_off: bool
    """Whether there are older rounds, which are not counted."""


def totals_of(store: SqlStore, player: str, bounds: Bounds) -> Totals | None:
    """Return the totals of a selection; None if it has no rounds."""
    found = list(_newest(store, player, bounds))
    if not found:
        return None
    counted = found[:MAX_COUNTED]
    made = Totals(Sums(), {}, {}, 0, counted[-1].ended.at, counted[0].ended.at, found != counted)
    for played in counted:
        table, wagers = played.ended.table, played.ended.result.wagers
        later = sum(booking.amount for booking in played.later)
        staked, net = _added(wagers)
        made.all.add(staked, net + later)
        made.tables.setdefault(table, Sums()).add(staked, net + later)
        made.later += later
        for wager in wagers:
            made.bets.setdefault((table, wager.bet), Sums()).add(wager.stake, wager.net)
    return made


def _newest(store: SqlStore, player: str, bounds: Bounds) -> Iterator[Played]:
    """Yield the newest rounds of a selection, one more than are counted."""
    below, left = None, MAX_COUNTED + 1
    while left and (piece := rounds_in(store, player, bounds, below=below, limit=min(PIECE, left))):
        yield from piece
        below, left = piece[-1].place, left - len(piece)


def _added(wagers: Iterable[WagerResult]) -> tuple[int, int]:
    found: Sequence[WagerResult] = tuple(wagers)
    return sum(wager.stake for wager in found), sum(wager.net for wager in found)
