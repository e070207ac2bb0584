"""Journals that are changed and rehashed, and the auditor's findings."""

import json

from baccarat.auditor import Rows, audit
from baccarat.table.journal import beginning, chain
from support.by_hand import HandHouse
from support.simulated_house import rows_of


def rewritten(rows: Rows, change) -> Rows:
    """Return the journal with events changed and all hashes recomputed, as an insider could."""
    journal, heads = [], []
    for stream in ("house", "table:one"):
        bodies = [json.loads(body) for name, _, _, body in rows.journal if name == stream]
        change(stream, bodies)
        encoded = [json.dumps(b, sort_keys=True, separators=(",", ":")).encode() for b in bodies]
        entries = chain(beginning(stream), encoded)
        journal += [(entry.stream, entry.sequence, entry.hash, entry.body) for entry in entries]
        heads.append((stream, entries[-1].sequence, entries[-1].hash))
    return Rows(journal, heads, rows.postings, rows.balances)


def tampered(house: HandHouse, change) -> list[str]:
    """Return the auditor's findings for a changed journal with recomputed hashes."""
    rows = rows_of(house.engine)
    return audit(
        Rows(*rechained(rows, "table:hand", change), rows.postings, rows.balances)
    ).findings


def rechained(rows: Rows, stream: str, change) -> tuple[list, list]:
    """Return the journal and the heads after changing the events of one stream."""
    bodies = [json.loads(body) for name, _, _, body in rows.journal if name == stream]
    for body in bodies:
        change(body["type"], body)
    entries = chain(
        beginning(stream),
        [
            json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
            for body in bodies
        ],
    )
    mine = [(stream, entry.sequence, entry.hash, entry.body) for entry in entries]
    others = [row for row in rows.journal if row[0] != stream]
    heads = [row for row in rows.heads if row[0] != stream]
    heads.append((stream, entries[-1].sequence, entries[-1].hash))
    return sorted(others + mine), heads


def set_fields(kind: str, **values):
    """Return a change that sets these fields in every event of a type."""

    def change(name: str, value: dict) -> None:
        if name == kind:
            for key, new in values.items():
                value[key] = new(value[key]) if callable(new) else new

    return change


def set_all(kind: str, where: dict | None = None, **values):
    """Return a change for `rewritten` that sets fields in all events of a type.

    Events whose fields differ from those in `where` stay as they are.
    """

    def change(_stream: str, bodies: list[dict]) -> None:
        for body in bodies:
            if body["type"] == kind and {**body, **(where or {})} == body:
                body.update(values)

    return change
