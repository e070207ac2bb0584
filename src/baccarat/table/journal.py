"""The journal: events numbered without gaps, each entry's hash covering all before it.

In go the bytes of events, out come entries; in go entries, out come findings, if anyone has edited,
deleted, inserted, reordered or, compared with exported heads, cut off or rewritten anything. The
bytes that are hashed are in docs/live-table.md. The one rule: an entry is never changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from baccarat.core.errors import BaccaratError


class Head(NamedTuple):
    """The last entry of a stream: how many there are, and what they come to."""

    stream: str
    sequence: int
    hash: bytes


class Entry(NamedTuple):
    """One event in its place: a row of the store's journal, column by column."""

    stream: str
    sequence: int
    """From 1."""
    hash: bytes
    body: bytes
    """The canonical bytes of the event."""


@dataclass(frozen=True)
class Tampered:
    """Something is wrong with a journal."""

    stream: str
    sequence: int
    problem: str

    def __str__(self) -> str:
        return f"{self.stream}, entry {self.sequence}: {self.problem}"


class JournalBroken(BaccaratError):
    """A journal that was not written by these rules; nothing may be built on it."""


def beginning(stream: str) -> Head:
    """The head of a stream without entries."""
    return Head(stream, 0, sha256(b"baccarat/journal/1\0" + stream.encode()).digest())


def link(previous: bytes, sequence: int, body: bytes) -> bytes:
    """The hash of an entry."""
    number = sequence.to_bytes(8, "big")
    return sha256(b"baccarat/entry/1\0" + previous + number + body).digest()


def chain(head: Head, bodies: Iterable[bytes]) -> list[Entry]:
    """The entries that continue a stream from its head."""
    entries, previous = [], head.hash
    for sequence, body in enumerate(bodies, start=head.sequence + 1):
        previous = link(previous, sequence, body)
        entries.append(Entry(head.stream, sequence, previous, body))
    return entries


def head_of(entry: Entry) -> Head:
    return Head(entry.stream, entry.sequence, entry.hash)


def check(
    stream: str, entries: Iterable[Entry], heads: Sequence[Head] = (), *, after: Head | None = None
) -> list[Tampered]:
    """Everything wrong with a stream's entries, read from its beginning or after a head."""
    current = after or beginning(stream)
    expected: Mapping[int, bytes] = {head.sequence: head.hash for head in heads}
    found: list[Tampered] = []
    for entry in entries:
        sequence = current.sequence + 1
        if entry.sequence != sequence or entry.stream != stream:
            words = f"entry {sequence} was due: entries are missing, doubled or out of order"
            return [*found, Tampered(entry.stream, entry.sequence, words)]
        if entry.hash != link(current.hash, sequence, entry.body):
            words = "its hash does not follow from the entry before it: it or that was changed"
            return [*found, Tampered(stream, sequence, words)]
        current = head_of(entry)
        if expected.get(sequence, entry.hash) != entry.hash:
            words = "it is not what was exported as a head: the journal was written anew"
            found.append(Tampered(stream, sequence, words))
    last = max(expected, default=0)
    if last > current.sequence:
        words = f"the journal ends here, and a head of entry {last} was exported: it was cut off"
        found.append(Tampered(stream, current.sequence, words))
    return found
