"""Table states in memory: what a server knows of each table, kept up with the journal.

In goes a head, out comes the state at it: from what is known already, from the newest snapshot, or
from the beginning, and from the entries since. The one rule: a state is kept only once its entries
are committed. A snapshot saves time and is believed as it was written; what is done by a wrong one
stands in the journal, where the auditor, who reads no snapshots, judges it. Who is known to have
played where is remembered beside them.
"""

from collections.abc import Mapping, Set

from sqlalchemy import Connection, bindparam, select

from baccarat.core.errors import BaccaratError
from baccarat.store import schema as s
from baccarat.table.events import decode
from baccarat.table.journal import Head, JournalBroken
from baccarat.table.state import TableState, apply, restore

TABLES = "table:"
"""How the streams of tables begin; other streams have no state."""
MOST_PLAYED = 100_000
"""Players at tables whom a server remembers."""


class States:
    """The last committed state of every table this server has looked at."""

    def __init__(self) -> None:
        self._known: dict[str, TableState | None] = {}
        self._snapshots: dict[str, int] = {}
        self.played: set[tuple[str, str]] = set()
        """Players and streams in which they are known to have transactions: once is for ever."""

    def __contains__(self, stream: str) -> bool:
        return stream in self._known

    def keep(self, stream: str, state: TableState | None) -> None:
        """Remember a committed state."""
        self._known[stream] = state

    def snapshot_at(self, stream: str) -> int:
        """The entry of the newest snapshot that this server has read or written."""
        return self._snapshots.get(stream, 0)

    def keep_snapshots(self, written: Mapping[str, int]) -> None:
        """Remember committed snapshots."""
        self._snapshots.update(written)

    def keep_played(self, written: Set[tuple[str, str]]) -> None:
        """Remember committed rows; all are forgotten when they are too many."""
        if len(self.played) + len(written) > MOST_PLAYED:
            self.played.clear()
        self.played |= written

    def at(self, connection: Connection, head: Head) -> TableState | None:
        """The state at a head that is locked or read in this transaction."""
        if not head.stream.startswith(TABLES):
            return None
        known = self._known.get(head.stream)
        if known is None or known.sequence > head.sequence:
            known = _newest_snapshot(connection, head)
            self._snapshots[head.stream] = known.sequence if known else 0
        state = _replayed(connection, head, known)
        if (state.sequence if state else 0) != head.sequence:
            raise JournalBroken(
                f"{head.stream} has a head at entry {head.sequence}, and its journal leads to "
                f"{state.sequence if state else 0}: entries are missing; restore a backup"
            )
        if state is not None:  # a stream without entries may be one that is never committed
            self.keep(head.stream, state)
        return state


_SINCE = (
    select(s.journal.c.sequence, s.journal.c.body)
    .where(s.journal.c.stream == bindparam("stream"), s.journal.c.sequence > bindparam("after"))
    .where(s.journal.c.sequence <= bindparam("until"))
    .order_by(s.journal.c.sequence)
)
_SNAPSHOT = select(s.snapshots.c.body).where(
    s.snapshots.c.stream == bindparam("stream"), s.snapshots.c.sequence <= bindparam("until")
)


def _replayed(connection: Connection, head: Head, state: TableState | None) -> TableState | None:
    after = state.sequence if state else 0
    if after == head.sequence:
        return state
    place = {"stream": head.stream, "after": after, "until": head.sequence}
    for sequence, body in connection.execute(_SINCE, place):
        try:
            state = apply(state, decode(body))
        except (BaccaratError, TypeError) as error:
            raise JournalBroken(
                f"{head.stream}, entry {sequence}, was not written by this program ({error}): see "
                "what baccarat audit-house says, and restore a backup"
            ) from error
    return state


def _newest_snapshot(connection: Connection, head: Head) -> TableState | None:
    place = {"stream": head.stream, "until": head.sequence}
    body = connection.execute(_SNAPSHOT, place).scalar()
    try:
        return None if body is None else restore(body)
    except (BaccaratError, ValueError):  # written by another version: the journal has it all
        return None
