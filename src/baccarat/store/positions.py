"""Computes a player's position from the ledger: coins lost since a given time, and coins staked.

The position is read when a period of a loss limit begins, and when a player looks at the result of
their playing session; it is never needed for a settlement. For each stream in which the player has
transactions, the first entry at or after the given time is found by bisection, because timestamps
never decrease within a journal. The result is cached, because the past does not change. From there
on, the player's transactions in each block of the stream and their postings are read by key. A
round counts when it is settled.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select

from baccarat.house.events import decode
from baccarat.house.money import ledger
from baccarat.house.safety.record import Position
from baccarat.store import schema as s
from baccarat.store.entries import first_since
from baccarat.table.events import RoundOpened
from baccarat.table.journal import Entry, table_of

FIRST_GROUP, MAX_GROUP = 4, 256
"""Number of blocks that the first statement reads, and the maximum for later statements. Active
players have transactions in the newest blocks, so only a few blocks are read first."""

_t, _p, _h = s.transactions.c, s.postings.c, s.heads.c
PLAYED = (
    select(_h.stream, _h.sequence)
    .join(s.played, s.played.c.stream == _h.stream)
    .where(s.played.c.player == bindparam("player"))
)
"""Selects the streams in which a player has transactions, with the number of their last entry."""
OWN_TRANSACTIONS = (
    _t.player == bindparam("player"),
    _t.stream == bindparam("stream"),
    _t.block.in_(bindparam("blocks", expanding=True)),
)
"""Conditions that select a player's transactions in some blocks of a stream."""


def entries_with(*conditions: ColumnElement[bool]) -> Select[tuple[int]]:
    """Return a query for the entry numbers of a player's transactions that match `conditions`."""
    return select(_t.sequence).where(*OWN_TRANSACTIONS, *conditions)


def blocks(first: int, last: int) -> Iterator[list[int]]:
    """Yield the blocks between two entries in groups of increasing size, newest first."""
    low, high, size = first // s.BLOCK, last // s.BLOCK, FIRST_GROUP
    while first <= last and low <= high:
        yield list(range(max(low, high - size + 1), high + 1))
        high, size = high - size, min(FIRST_GROUP * size, MAX_GROUP)


def postings_query(*what: Any, entries: Any) -> Select[Any]:
    """Return a query over a player's postings to some accounts in some entries of a stream.

    The entries are found first, and then each posting by its key, because SQLite would scan all
    players' postings for a join.
    """
    own = (_p.player == bindparam("player"), _p.stream == bindparam("stream"))
    those = (_p.sequence.in_(entries), _p.account.in_(bindparam("accounts", expanding=True)))
    return select(*what).where(*own, *those)


_RESULTS = postings_query(
    func.sum(_p.amount),
    entries=entries_with(
        _t.sequence >= bindparam("first"), _t.kind.not_in([str(kind) for kind in ledger.FLOWS])
    ),
)
_STAKES = postings_query(
    func.sum(_p.amount),
    entries=entries_with(_t.sequence > bindparam("since"), _t.kind == str(ledger.Kind.STAKE)),
)
_OPENED = select(func.max(s.marks.c.sequence)).where(
    s.marks.c.stream == bindparam("stream"), s.marks.c.kind == RoundOpened.__name__
)
_ENDS = entries_with(_t.kind.in_([str(ledger.Kind.SETTLE), str(ledger.Kind.CANCEL)]))
_LAST_END = _ENDS.order_by(_t.sequence.desc()).limit(1)


class Positions:
    """Computes positions, and caches the first entry of each stream at or after a given time."""

    def __init__(self) -> None:
        self._firsts: dict[tuple[str, int], int] = {}

    def position(
        self,
        connection: Connection,
        player: str,
        since: int,
        *,
        booked: Iterable[ledger.Transaction] = (),
        entries: Mapping[tuple[str, int], Entry] | None = None,
    ) -> Position:
        """Return a player's position since a given time.

        It includes the transactions `booked`, which have not been written yet; `entries` are their
        journal entries.
        """
        lost = staked = bonus = 0
        for stream, head in connection.execute(PLAYED, {"player": player}).all():
            accounts = _own(stream, player)
            place: dict[str, Any] = {"player": player, "stream": stream, "accounts": accounts}
            first = self._first(connection, stream, head, since)
            for some in blocks(first, head):
                asked = {**place, "first": first, "blocks": some}
                lost -= int(connection.execute(_RESULTS, asked).scalar() or 0)
            if len(accounts) > 1:
                opened = connection.execute(_OPENED, place).scalar() or 0
                place["blocks"] = [block for some in blocks(opened, head) for block in some]
                ended = connection.execute(_LAST_END, place).scalar() or 0
                place["since"] = max(opened, ended)
                stakes, of_bonus = (
                    connection.execute(_STAKES, {**place, "accounts": some}).scalar()
                    for some in (accounts[1:], _bonus(stream))
                )
                staked, bonus = staked + int(stakes or 0), bonus + int(of_bonus or 0)
        for new in booked:
            if new.player == player:
                accounts = _own(new.stream, player)
                amounts = Counter({posting.account: posting.amount for posting in new.postings})
                staked += sum(amounts[account] for account in accounts[1:])
                bonus += sum(amounts[account] for account in _bonus(new.stream))
                entry = (entries or {})[new.stream, new.sequence]
                if new.kind not in ledger.FLOWS and decode(entry.body).at >= since:
                    lost -= sum(amounts[account] for account in accounts)
        return Position(lost, staked, bonus)

    def _first(self, connection: Connection, stream: str, head: int, since: int) -> int:
        """Return the number of the first entry at or after a time, or head + 1 if there is none."""
        known = self._firsts.get((stream, since))
        if known is not None:
            return known
        first = first_since(connection, stream, head, since)
        if first <= head:
            if len(self._firsts) > 10_000:
                self._firsts.clear()
            self._firsts[stream, since] = first
        return first


def _own(stream: str, player: str) -> list[str]:
    """Return the ledger accounts of the player's real money and, at a table, of their stakes."""
    own, table = [ledger.real_account(player)], table_of(stream)
    return own if table is None else [*own, ledger.stakes_account(table, player)]


def _bonus(stream: str) -> list[str]:
    """Return the ledger account of a table's bonus stakes; none for the house's stream."""
    table = table_of(stream)
    return [] if table is None else [ledger.bonus_stakes_account(table)]
