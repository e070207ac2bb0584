"""The log of significant events (G23) over the API: asked for by topic, table and time; as a file.

The one rule: read from the journals, newest first for people and oldest first for files; no limit
on how far back a file goes.
"""

import json
from collections.abc import AsyncIterator, Iterable
from typing import Annotated, Literal

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from baccarat.house.events import STREAM
from baccarat.house.periods import DAY
from baccarat.house.roles import Action
from baccarat.house.significant import TOPICS, Significant, kinds_of, significant
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import Entry
from baccarat.web.answers import Routes
from baccarat.web.answers.staff import SignificantEvents
from baccarat.web.files import CSV, NDJSON, as_file, csv_lines, documented, moment
from baccarat.web.site import API, Needs, Site, TheSite

routes = Routes(prefix=API, tags=["the pit"])
Watcher = Depends(Needs(Action.WATCH))
Topic = Annotated[
    str | None, Query(pattern=rf"^({'|'.join(TOPICS)})$", description="one topic's; all without")
]
Of = Annotated[
    str | None, Query(pattern=r"^(house|table:[a-z0-9_-]{1,80})$", description="one stream's")
]
Time = Annotated[int | None, Query(ge=0, le=2**53, description="milliseconds since 1970")]
Limit = Annotated[int, Query(ge=1, le=1000)]
PIECE = 2000
"""Entries read together."""
COLUMNS = ("at", "stream", "sequence", "topic", "kind", "who", "words")


@routes.get("/house/events", dependencies=[Watcher])
async def events(
    site: TheSite,
    topic: Topic = None,
    stream: Of = None,
    since: Time = None,
    until: Time = None,
    limit: Limit = 200,
) -> SignificantEvents:
    """Significant events, newest first; without `since`, those of the last 24 hours."""
    since = site.clock() - DAY if since is None else since
    found = await newest(site, topic, stream, since, until, limit)
    return {
        "since": since,
        "until": until,
        "topics": TOPICS,
        "events": found,
        "more": len(found) == limit,
    }


@routes.get(
    "/house/events/file",
    dependencies=[Watcher],
    response_class=StreamingResponse,
    responses=documented(CSV, NDJSON),
)
async def file(
    site: TheSite,
    topic: Topic = None,
    stream: Of = None,
    since: Time = None,
    until: Time = None,
    form: Annotated[Literal["csv", "json"], Query()] = "csv",
) -> StreamingResponse:
    """All of them, oldest first in each journal, as CSV or as one JSON object a line."""
    lines = _lines(site, topic, stream, since or 0, until, form)
    return as_file(lines, f"significant-events.{form if form == 'csv' else 'ndjson'}")


async def newest(
    site: Site, topic: str | None, stream: str | None, since: int, until: int | None, limit: int
) -> list[Significant]:
    """By time, all journals together."""

    def ask(store: SqlStore) -> list[Significant]:
        found: list[Significant] = []
        for one in streams(site, stream):
            first = history.first_since(store, one, since)
            before = None if until is None else history.first_since(store, one, until)
            entries = history.newest_of(
                store, one, *kinds_of(topic), before=before, limit=limit, after=first - 1
            )
            found += told(one, entries)
        found.sort(key=lambda event: (event.at, event.stream, event.sequence), reverse=True)
        return found[:limit]

    return await site.service.world.keeper.read(ask)


async def _lines(
    site: Site, topic: str | None, stream: str | None, since: int, until: int | None, form: str
) -> AsyncIterator[str]:
    if form == "csv":
        yield csv_lines([COLUMNS])
    for one in streams(site, stream):
        read = site.service.world.keeper.read
        after = await read(lambda store, one=one: history.first_since(store, one, since) - 1)  # type: ignore[misc]
        while True:
            entries = await read(
                lambda store, one=one, after=after: history.entries_of(  # type: ignore[misc]
                    store, one, *kinds_of(topic), after=after, limit=PIECE
                )
            )
            yield "".join(_line(event, form) for event in told(one, entries) if _in(event, until))
            if len(entries) < PIECE:
                break
            after = entries[-1].sequence


def _in(event: Significant, until: int | None) -> bool:
    return until is None or event.at < until


def _line(event: Significant, form: str) -> str:
    if form == "csv":
        values = [getattr(event, name) for name in COLUMNS]
        return csv_lines([[moment(values[0]), *(str(one) for one in values[1:])]])
    return json.dumps(vars(event), ensure_ascii=False) + "\n"


def streams(site: Site, stream: str | None) -> list[str]:
    """The journals that are asked about."""
    every = [STREAM, *(f"table:{table}" for table in site.service.drivers)]
    return [one for one in every if stream in (None, one)]


def told(stream: str, entries: Iterable[Entry]) -> list[Significant]:
    found = []
    for entry in entries:
        event = json.loads(entry.body)
        one = significant(stream, entry.sequence, event["type"], event["value"])
        if one is not None:
            found.append(one)
    return found
