"""Finds journal entries by number, type or time.

No function reads a whole journal: types are found with an index (`marks`), and times are found by
bisection.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import TypedDict, Unpack

from sqlalchemy import Connection, bindparam, select

from baccarat.house.events import decode
from baccarat.store import schema as s
from baccarat.table.events import CardDealt, CardPlaced, CardRead, Event, WagersPlaced
from baccarat.table.journal import Entry

LATER = 2**62
"""Greater than any entry number."""
NOT_INDEXED: frozenset[type[Event]] = frozenset({WagersPlaced, CardDealt, CardPlaced, CardRead})
"""Event types that are too frequent to be indexed by type."""

# Statements are built once, because building them costs more than running them.
_j, _m = s.journal.c, s.marks.c
_ENTRIES = (
    select(s.journal)
    .where(_j.stream == bindparam("stream"), _j.sequence > bindparam("after"))
    .where(_j.sequence < bindparam("before"))
    .order_by(_j.sequence)
    .limit(bindparam("most"))
)
_MARKED = (
    select(s.journal)
    .join(s.marks, (_m.stream == _j.stream) & (_m.sequence == _j.sequence))
    .where(_m.stream == bindparam("stream"), _m.kind == bindparam("kind"))
    .where(_m.sequence > bindparam("after"), _m.sequence < bindparam("before"))
    .limit(bindparam("most"))
)
_OLDEST, _NEWEST = _MARKED.order_by(_m.sequence), _MARKED.order_by(_m.sequence.desc())


def entries(
    connection: Connection, stream: str, *, after: int = 0, before: int = LATER, limit: int = LATER
) -> Iterator[Entry]:
    """Return the entries of a stream between the numbers `after` and `before`, in order."""
    place = {"stream": stream, "after": after, "before": before, "most": limit}
    return starmap(Entry, connection.execute(_ENTRIES, place))


class Between(TypedDict, total=False):
    """A range of entries: those after `after` and before `before`, at most `limit` of them."""

    after: int
    before: int | None
    limit: int | None


def find_entries(
    connection: Connection,
    stream: str,
    kinds: Sequence[type[Event]],
    *,
    newest: bool = False,
    **between: Unpack[Between],
) -> list[Entry]:
    """Return the entries of these types in a range, oldest first; with `newest`, newest first."""
    if unmarked := NOT_INDEXED.intersection(kinds):
        names = ", ".join(kind.__name__ for kind in unmarked)
        raise ValueError(f"entries of {names} are not indexed: read the journal")
    before, limit = between.get("before"), between.get("limit")
    place = {"stream": stream, "after": between.get("after", 0)}
    place["before"] = LATER if before is None else before
    place["most"] = LATER if limit is None else limit
    found = [
        Entry(*row)
        for kind in kinds
        for row in connection.execute(
            _NEWEST if newest else _OLDEST, {**place, "kind": kind.__name__}
        )
    ]
    found.sort(key=lambda entry: entry.sequence, reverse=newest)
    return found[:limit]


def mark_of(entry: Entry, event: Event) -> tuple[str, str, int]:
    """Return an entry's row in the index by type, which leaves out `NOT_INDEXED` types."""
    return entry.stream, type(event).__name__, entry.sequence


def first_since(connection: Connection, stream: str, head: int, since: int) -> int:
    """Return the number of the first entry at or after a time, or head + 1 if there is none.

    Bisection works because timestamps never decrease within a journal.
    """

    def time_of(sequence: int) -> int:
        (entry,) = entries(connection, stream, after=sequence - 1, limit=1)
        return decode(entry.body).at

    return 1 + bisect_left(range(1, head + 1), since, key=time_of)
