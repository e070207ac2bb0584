"""Selections of a player's rounds, by table, day or session, and their totals."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple
from urllib.parse import urlencode

from fastapi import Query

from baccarat.house.safety.periods import day_start, parse_date
from baccarat.store import bookings
from baccarat.store.bookings import Played, SortKey
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import table_stream
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import TheSite, from_request


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


def totals_of(store: SqlStore, player: str, bounds: Bounds) -> Totals | None:
    """Return the totals of a selection; None if it has no rounds."""
    made = Totals(Sums(), {}, {}, 0, 0, 0)
    for ended, later in bookings.rounds_ended(store, player, **bounds._asdict()):
        table, wagers = ended.table, ended.result.wagers
        staked, net = sum(wager.stake for wager in wagers), sum(wager.net for wager in wagers)
        made.all.add(staked, net + later)
        made.tables.setdefault(table, Sums()).add(staked, net + later)
        made.later += later
        made.first, made.last = min(made.first or ended.at, ended.at), max(made.last, ended.at)
        for wager in wagers:
            made.bets.setdefault((table, wager.bet), Sums()).add(wager.stake, wager.net)
    return made if made.all.count else None
