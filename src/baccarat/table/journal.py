"""The journal: events numbered without gaps, each entry's hash covering all before it.

The bytes that are hashed are described in docs/internals/live-table.md. Entries are never changed:
the auditor finds any that were edited, deleted, inserted or reordered and, by comparing heads, a
journal that was cut off.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from baccarat.core.errors import BaccaratError


class Head(NamedTuple):
    """The end of a stream: its number of entries, and the hash that covers them all."""

    stream: str
    sequence: int
    hash: bytes


class Entry(NamedTuple):
    """An event in a stream; the fields are the columns of the store's journal."""

    stream: str
    sequence: int
    """Counted from 1."""
    hash: bytes
    body: bytes
    """The canonical bytes of the event."""


class JournalBroken(BaccaratError):
    """A journal that was not written by these rules; nothing may be built on it."""


def beginning(stream: str) -> Head:
    """Return the head of a stream without entries."""
    return Head(stream, 0, sha256(b"baccarat/journal/1\0" + stream.encode()).digest())


def link(previous: bytes, sequence: int, body: bytes) -> bytes:
    """Return the hash of an entry."""
    number = sequence.to_bytes(8, "big")
    return sha256(b"baccarat/entry/1\0" + previous + number + body).digest()


def chain(head: Head, bodies: Iterable[bytes]) -> list[Entry]:
    """Return the entries that continue a stream from its head."""
    entries, previous = [], head.hash
    for sequence, body in enumerate(bodies, start=head.sequence + 1):
        previous = link(previous, sequence, body)
        entries.append(Entry(head.stream, sequence, previous, body))
    return entries


def head_of(entry: Entry) -> Head:
    return Head(entry.stream, entry.sequence, entry.hash)
