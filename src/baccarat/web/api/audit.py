"""Endpoints for the pit and auditors: significant events (G23), audits, journals, the ledger.

All endpoints are read-only. Exports contain every entry from the beginning, exactly as stored, so
that they can be audited on another machine.
"""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated

from fastapi import Depends, Path, Query
from fastapi.responses import Response, StreamingResponse

from baccarat.house.people.roles import Action
from baccarat.house.safety.periods import DAY, day_of
from baccarat.house.watch.audit_log import TOPICS, AuditLogLine, kinds_of
from baccarat.poster import makes_pdfs
from baccarat.store import bookings, history
from baccarat.store.bookings import LedgerLine
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import Entry
from baccarat.web.schema import Routes, filled
from baccarat.web.schema.staff import Audited, DayFigures, Heads, SignificantEvents
from baccarat.web.server.language import Words
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import API, Needs, Site, TheSite, from_request
from baccarat.web.views import csv_files as files
from baccarat.web.views.audit import Filter, audit_of, logged, newest, streams
from baccarat.web.views.reports.day import csv_of, day_report
from baccarat.web.views.reports.printed import day_report_pdf
from baccarat.wording.catalogue import Catalogue

log_routes = Routes(prefix=API, tags=["the pit"], dependencies=[Depends(Needs(Action.WATCH))])
routes = Routes(prefix=f"{API}/house", tags=["auditor"])
Exporting = Depends(Needs(Action.EXPORT, points=200))
Limit = Annotated[int, Query(ge=1, le=1000)]
Journal = Annotated[
    str, Path(pattern=r"^(house|table:[a-z0-9_-]{1,80})$", description="the journal's name")
]
Day = Annotated[date, Path(description="the date on which the gaming day began")]
AsForm = Annotated[files.Form, Query()]
PIECE = 2000
"""Number of entries read at a time."""


AskedFor = Annotated[Filter, from_request(Filter)]


@log_routes.get("/house/events")
async def events(site: TheSite, t: Words, asked: AskedFor, limit: Limit = 200) -> SignificantEvents:
    """List significant events, newest first; without `since`, only those of the last 24 hours."""
    since = site.clock() - DAY if asked.since is None else asked.since
    found = await newest(site, replace(asked, since=since), limit, t)
    more = len(found) == limit
    topics = {topic: t(f"topic-{topic}") for topic in TOPICS}
    return {"since": since, "until": asked.until, "topics": topics, "events": found, "more": more}


@log_routes.get("/house/events/file", **files.download(files.CSV, files.NDJSON))
async def file(site: TheSite, t: Words, asked: AskedFor, form: AsForm = "csv") -> StreamingResponse:
    """Download significant events, oldest first in each journal, as CSV or one JSON object per
    line."""
    return files.records_file(AuditLogLine, _logged(site, asked, t), "significant-events", form)


async def _logged(site: Site, asked: Filter, t: Catalogue) -> AsyncIterator[Sequence[AuditLogLine]]:
    read, since, kinds = site.read, asked.since or 0, kinds_of(asked.topic)
    for name in streams(site, asked.stream):
        first = await read(history.first_since, name, since)

        async def ask(last: Entry | None, name: str = name, first: int = first) -> Sequence[Entry]:
            after = last.sequence if last else first - 1
            return await read(history.entries_of, name, *kinds, after=after, limit=PIECE)

        async for entries in files.in_pieces(ask):
            lines = logged(entries, t, site.house.currency)
            yield [line for line in lines if asked.until is None or line.at < asked.until]


@log_routes.get("/reports/{day}")
async def report(day: Day, site: TheSite) -> DayFigures:
    """Return the figures of a gaming day, by table, dealer and cashier; amounts are in coins."""
    found = await site.read(day_report, day_of(day))
    return filled(DayFigures, found, rows=found.rows())


@log_routes.get("/reports/{day}/csv", **files.download(files.CSV, response_class=Response))
async def report_csv(day: Day, site: TheSite) -> Response:
    """Download the report of a gaming day as CSV, which `baccarat audit-house --report` checks."""
    found = await site.read(day_report, day_of(day))
    headers = {"Content-Disposition": f'attachment; filename="report-{day}.csv"'}
    return Response(csv_of(found), media_type=f"{files.CSV}; charset=utf-8", headers=headers)


@log_routes.get("/reports/{day}/pdf", **files.download("application/pdf", response_class=Response))
async def report_pdf(day: Day, site: TheSite, t: Words) -> Response:
    """Download the report of a gaming day as a PDF."""
    if not makes_pdfs():
        raise Problem(Fault.NOT_INSTALLED, "no-posters")
    made = await site.read(day_report_pdf, day_of(day), site.house, t)
    headers = {"Content-Disposition": f'attachment; filename="report-{day}.pdf"'}
    return Response(made, media_type="application/pdf", headers=headers)


@routes.get("/audit", dependencies=[Exporting])
async def audited(site: TheSite) -> Audited:
    """Recompute every balance and result from the journals and report any differences, as `baccarat
    audit-house` does."""
    return await audit_of(site)


@routes.get("/journal/{stream}", dependencies=[Exporting], **files.download(files.NDJSON))
async def journal(stream: Journal, site: TheSite) -> StreamingResponse:
    """Download a whole journal: one entry per line, with its number, hash and exact body."""

    async def ask(last: Entry | None) -> Sequence[Entry]:
        after = last.sequence if last else 0
        return await site.read(SqlStore.entries, stream, after=after, limit=PIECE)

    async def lines() -> AsyncIterator[str]:
        async for entries in files.in_pieces(ask):
            yield "".join(map(_entry, entries))

    return files.as_file(lines(), f"{stream.replace(':', '-')}.ndjson")


def _entry(entry: Entry) -> str:
    line = {"sequence": entry.sequence, "hash": entry.hash.hex(), "body": entry.body.decode()}
    return f"{json.dumps(line, ensure_ascii=False)}\n"


@routes.get("/ledger", dependencies=[Exporting], **files.download(files.CSV, files.NDJSON))
async def ledger(site: TheSite, form: AsForm = "csv") -> StreamingResponse:
    """Download every posting of the ledger, as CSV or one JSON object per line."""

    async def ask(last: LedgerLine | None) -> Sequence[LedgerLine]:
        after = last.key if last else None
        return await site.read(bookings.postings, after=after, limit=PIECE)

    return files.records_file(LedgerLine, files.in_pieces(ask), "ledger", form)


@routes.get("/heads", dependencies=[Depends(Needs(Action.EXPORT))])
async def heads(site: TheSite) -> Heads:
    """Return the number and hash of each journal's last entry, to be stored for `baccarat
    audit-house --compare-heads`."""
    found = await site.read(SqlStore.heads)
    return {"heads": {head.stream: [head.sequence, head.hash.hex()] for head in found}}
