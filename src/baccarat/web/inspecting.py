"""For the auditor over the API: the audit itself, journals, the ledger, all to be taken away.

Everything here is read, and nothing can be changed. The one rule: what is exported is what is
stored, entry by entry, so that it can be checked anywhere else.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import Depends, Path, Query
from fastapi.responses import StreamingResponse

from baccarat.auditor import audit, read_store
from baccarat.house.roles import Action
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.refusals import Code, Refused
from baccarat.web.answers import Routes
from baccarat.web.answers.staff import Audited
from baccarat.web.files import CSV, NDJSON, as_file, csv_lines, documented, exact, moment
from baccarat.web.site import API, Needs, Site, TheSite

routes = Routes(
    prefix=f"{API}/house",
    tags=["auditor"],
    dependencies=[Depends(Needs(Action.EXPORT, points=200))],
)
Stream = Annotated[str, Path(pattern=r"^(house|table:[a-z0-9_-]{1,80})$", description="a journal")]
Form = Annotated[Literal["csv", "json"], Query()]
PIECE = 2000
MOST = 2_000_000
"""Entries of all journals that are audited in the server's own memory."""
COLUMNS = ("stream", "sequence", "at", "kind", "player", "account", "amount", "by")
_auditing = asyncio.Lock()


@routes.get("/audit")
async def audited(site: TheSite) -> Audited:
    """Recompute every balance and result from the journals, and compare: `baccarat audit-house`."""
    return await audit_of(site)


@routes.get("/journal/{stream}", response_class=StreamingResponse, responses=documented(NDJSON))
async def journal(stream: Stream, site: TheSite) -> StreamingResponse:
    """A whole journal: one entry a line, with its number, its hash and its exact body."""

    async def lines() -> AsyncIterator[str]:
        after = 0
        while True:
            entries = await site.service.world.keeper.read(
                lambda store, after=after: store.entries(stream, after=after, limit=PIECE)  # type: ignore[misc]
            )
            yield "".join(
                json.dumps(
                    {"sequence": one.sequence, "hash": one.hash.hex(), "body": one.body.decode()},
                    ensure_ascii=False,
                )
                + "\n"
                for one in entries
            )
            if len(entries) < PIECE:
                return
            after = entries[-1].sequence

    return as_file(lines(), f"{stream.replace(':', '-')}.ndjson")


@routes.get("/ledger", response_class=StreamingResponse, responses=documented(CSV, NDJSON))
async def ledger(site: TheSite, form: Form = "csv") -> StreamingResponse:
    """Every posting there is, as CSV or as one JSON object a line."""

    async def lines() -> AsyncIterator[str]:
        if form == "csv":
            yield csv_lines([COLUMNS])
        last: tuple[str, int, str, str] | None = None
        while True:
            rows = await site.service.world.keeper.read(
                lambda store, last=last: history.postings(store, after=last, limit=PIECE)  # type: ignore[misc]
            )
            yield "".join(_posting(row, form) for row in rows)
            if len(rows) < PIECE:
                return
            end = rows[-1]
            last = (end["stream"], end["sequence"], end["player"], end["account"])

    return as_file(lines(), f"ledger.{form if form == 'csv' else 'ndjson'}")


def _posting(row: dict[str, Any], form: str) -> str:
    if form == "json":
        return json.dumps(row, ensure_ascii=False) + "\n"
    told = {**row, "at": moment(row["at"]), "amount": exact(row["amount"])}
    return csv_lines([[str(told[name]) for name in COLUMNS]])


async def audit_of(site: Site) -> Audited:
    """The report of the audit, in a thread of its own, one at a time."""
    read = site.service.world.keeper.read
    heads = await read(lambda store: store.heads())
    entries = sum(one.sequence for one in heads)
    if entries > MOST:
        words = f"{entries:,} entries are too many for the server: run baccarat audit-house"
        raise Refused(Code.NOT_ALLOWED, words)
    if _auditing.locked():
        raise Refused(Code.WRONG_PHASE, "an audit is under way: ask again when it is done")
    async with _auditing:
        address = await read(_address)
        report = await asyncio.to_thread(lambda: audit(read_store(address)))
    return {
        "at": site.clock(),
        "findings": report.findings,
        "not_compared": report.not_compared,
        "events": report.events,
        "rounds": report.rounds,
        "wagers": report.wagers,
        "shoes": report.shoes,
        "staked": report.staked,
        "returned": report.returned,
        "held": report.held,
        "heads": {stream: list(head) for stream, head in report.heads.items()},
        "balances": {a: n for a, n in report.balances.items() if a.startswith("house/")},
        "sum": sum(report.balances.values()),
    }


def _address(store: SqlStore) -> str:
    return store.engine.url.render_as_string(hide_password=False)
