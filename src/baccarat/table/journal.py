"""The journal: a hash chain of events, numbered without gaps.

The bytes that are hashed are described in docs/internals/live-table.md. Entries are never changed:
the auditor finds entries that were edited, deleted, inserted or reordered. By comparing heads, it
also finds a journal that was cut off at the end.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from baccarat.core.errors import BaccaratError

TABLE_PREFIX = "table:"
"""Prefix of the names of tables' streams and ledger accounts."""


class Head(NamedTuple):
    """The end of a stream: its number of entries and its last hash, which covers all entries."""

    stream: str
    sequence: int
    hash: bytes


class Entry(NamedTuple):
    """An event in a stream; its fields are the columns of the store's journal table."""

    stream: str
    sequence: int
    """Counted from 1."""
    hash: bytes
    body: bytes
    """The canonical bytes of the event."""


class JournalBroken(BaccaratError):
    """The journal is invalid, so no state may be built from it."""


def table_stream(table: str) -> str:
    """Return the name of a table's stream."""
    return TABLE_PREFIX + table


def table_of(stream: str) -> str | None:
    """Return the id of the table that a stream belongs to; None for the house's stream."""
    return stream.removeprefix(TABLE_PREFIX) if stream.startswith(TABLE_PREFIX) else None


def beginning(stream: str) -> Head:
    """Return the head of a stream without entries."""
    return Head(stream, 0, sha256(b"baccarat/journal/1\0" + stream.encode()).digest())


def link(previous: bytes, sequence: int, body: bytes) -> bytes:
    """Return the hash of an entry, computed from the previous hash, its number and its body."""
    number = sequence.to_bytes(8, "big")
    return sha256(b"baccarat/entry/1\0" + previous + number + body).digest()


def chain(head: Head, bodies: Iterable[bytes]) -> list[Entry]:
    """Return the entries with these bodies that continue a stream from its head."""
    entries, previous = [], head.hash
    for sequence, body in enumerate(bodies, start=head.sequence + 1):
        previous = link(previous, sequence, body)
        entries.append(Entry(head.stream, sequence, previous, body))
    return entries


def head_of(entry: Entry) -> Head:
    return Head(entry.stream, entry.sequence, entry.hash)
