"""Checks the hash chain of a journal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from baccarat.table.journal import Entry, Head, beginning, head_of, link


@dataclass(frozen=True)
class Tampered:
    """Something is wrong with a journal."""

    stream: str
    sequence: int
    problem: str

    def __str__(self) -> str:
        return f"{self.stream}, entry {self.sequence}: {self.problem}"


def check(
    stream: str, entries: Iterable[Entry], heads: Sequence[Head] = (), *, after: Head | None = None
) -> list[Tampered]:
    """Return every fault in a stream's entries, from its beginning or after a head."""
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
            words = "it differs from the exported head: the journal was rewritten"
            found.append(Tampered(stream, sequence, words))
    last = max(expected, default=0)
    if last > current.sequence:
        words = f"the journal ends here, and a head of entry {last} was exported: it was cut off"
        found.append(Tampered(stream, current.sequence, words))
    return found
