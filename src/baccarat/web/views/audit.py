"""The audit log filtered by topic, journal and time, and audits started from the web."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query

from baccarat.auditor import audit, read_store
from baccarat.house.events import STREAM, decode
from baccarat.house.watch.audit_log import TOPICS, AuditLogLine, kinds_of, significant
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.events import Event
from baccarat.table.journal import Entry, table_stream
from baccarat.table.refusals import Code, Refused
from baccarat.web.schema import filled
from baccarat.web.schema.staff import Audited
from baccarat.web.server.problems import Problem
from baccarat.web.server.site import Site, Stream
from baccarat.wording.catalogue import Catalogue

MAX_LINES = 1_000_000
"""Maximum total number of journal entries for an audit on the server."""
SECONDS = 120
"""Time limit of an audit, in seconds."""
AUDIT = "the audit"
"""Client and address under which audits run in the pool, so that they do not delay others at the
auditor's address."""


_auditing = asyncio.Lock()


async def audit_of(site: Site) -> Audited:
    """Return the report of an audit, run in a worker process, one at a time."""
    read = site.read
    heads = await read(SqlStore.heads)
    entries = sum(head.sequence for head in heads)
    if entries > MAX_LINES:
        raise Refused(Code.NOT_ALLOWED, "audit-too-large", entries=entries)
    if _auditing.locked():
        raise Refused(Code.WRONG_PHASE, "audit-running")
    async with _auditing:
        address = await read(lambda store: store.engine.url.render_as_string(hide_password=False))
        try:
            report = await site.pool.run(
                AUDIT, audit_at, address, place=AUDIT, seconds=SECONDS, keep=False
            )
        except Problem as stopped:
            if stopped.key == "took-too-long":
                stopped.key = "audit-took-too-long"
            raise
    return {**report, "at": site.clock()}


def audit_at(address: str) -> Audited:
    """Return the audit report of the store at an address."""
    report = audit(read_store(address))
    balances = {a: n for a, n in report.balances.items() if a.startswith("house/")}
    total = sum(report.balances.values())
    return filled(Audited, report, at=0, balances=balances, sum=total)


Words = tuple[Catalogue, str]
"""The catalogue in a visitor's language, and the house's currency."""
Topic = Annotated[
    str | None, Query(pattern=rf"^({'|'.join(TOPICS)})$", description="only this topic")
]
Time = Annotated[int | None, Query(ge=0, le=2**53, description="milliseconds since 1970")]


@dataclass(frozen=True)
class Filter:
    """Which significant events are shown."""

    topic: Topic = None
    stream: Stream = None
    since: Time = None
    until: Time = None


async def newest(site: Site, asked: Filter, limit: int, t: Catalogue) -> list[AuditLogLine]:
    """Return the newest significant events of all journals, by time."""
    words, since, until = (t, site.house.currency), asked.since or 0, asked.until

    def ask(store: SqlStore) -> list[AuditLogLine]:
        found = [
            event
            for name in streams(site, asked.stream)
            for event in logged_since(
                store, name, since, *kinds_of(asked.topic), until=until, limit=limit, words=words
            )
        ]
        found.sort(key=lambda event: (event.at, event.stream, event.sequence), reverse=True)
        return found[:limit]

    return await site.read(ask)


def streams(site: Site, stream: str | None) -> list[str]:
    """Return the names of all journals, or only the one requested."""
    every = [STREAM, *map(table_stream, site.service.drivers)]
    return [name for name in every if stream in (None, name)]


def logged_since(
    store: SqlStore,
    stream: str,
    since: int,
    *kinds: type[Event],
    words: Words,
    until: int | None = None,
    limit: int | None = None,
) -> list[AuditLogLine]:
    """Return the significant events of some types between two times, newest first."""
    after = history.first_since(store, stream, since) - 1
    before = None if until is None else history.first_since(store, stream, until)
    entries = history.newest_of(store, stream, *kinds, after=after, before=before, limit=limit)
    return logged(entries, *words)


def logged(entries: Iterable[Entry], t: Catalogue, currency: str) -> list[AuditLogLine]:
    """Return the significant events among journal entries."""
    found = (
        significant(entry.stream, entry.sequence, decode(entry.body), t, currency)
        for entry in entries
    )
    return [event for event in found if event is not None]
