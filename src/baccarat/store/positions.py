"""How a player stands: lost and staked since a time, from the ledger.

Read for players who have a limit on losses, when one of its periods begins, and for whoever asks
how their sitting goes; never for a settlement. What is read: for each stream they played in, the
first entry of the time (found by halving, since times never run backwards in a journal, and
remembered, since the past does not change), then the player's transactions in each block of the
stream from there on, and their postings, all by key. The one rule: a round counts when it is
settled.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select

from baccarat.house.ledger import (
    FLOWS,
    Kind,
    Transaction,
    bonus_stakes_account,
    real_account,
    stakes_account,
)
from baccarat.house.safety import Position
from baccarat.store import schema as s
from baccarat.table.events import RoundOpened
from baccarat.table.journal import Entry

FEW, MOST = 4, 256
"""Blocks of a stream that the first statement looks into, and any: who plays is in the newest."""

_t, _p, _h = s.transactions.c, s.postings.c, s.heads.c
PLAYED = (
    select(_h.stream, _h.sequence)
    .join(s.played, s.played.c.stream == _h.stream)
    .where(s.played.c.player == bindparam("player"))
)
"""The streams in which a player has transactions, and their last entries."""
OWN = (
    _t.player == bindparam("player"),
    _t.stream == bindparam("stream"),
    _t.block.in_(bindparam("blocks", expanding=True)),
)
"""A player's transactions in some blocks of a stream."""
_BODY = select(s.journal.c.body).where(
    s.journal.c.stream == bindparam("stream"), s.journal.c.sequence == bindparam("sequence")
)


def entries_with(*such: ColumnElement[bool]) -> Select[tuple[int]]:
    """Entries in some blocks of a stream in which a player has such transactions."""
    return select(_t.sequence).where(*OWN, *such)


def blocks(first: int, last: int) -> Iterator[list[int]]:
    """The blocks from one entry of a stream to another, newest first: a few, and then more."""
    low, high, size = first // s.BLOCK, last // s.BLOCK, FEW
    while first <= last and low <= high:
        yield list(range(max(low, high - size + 1), high + 1))
        high, size = high - size, min(FEW * size, MOST)


def moved(*what: Any, entries: Any) -> Select[Any]:
    """What a player's transactions of some entries of a stream have moved in some accounts.

    The entries are found first, and then each posting by its key: with a join, SQLite would look
    through what everyone has moved meanwhile.
    """
    own = (_p.player == bindparam("player"), _p.stream == bindparam("stream"))
    those = (_p.sequence.in_(entries), _p.account.in_(bindparam("accounts", expanding=True)))
    return select(*what).where(*own, *those)


_RESULTS = moved(
    func.sum(_p.amount),
    entries=entries_with(
        _t.sequence >= bindparam("first"), _t.kind.not_in([str(kind) for kind in FLOWS])
    ),
)
_STAKES = moved(
    func.sum(_p.amount),
    entries=entries_with(_t.sequence > bindparam("since"), _t.kind == str(Kind.STAKE)),
)
_OPENED = select(func.max(s.marks.c.sequence)).where(
    s.marks.c.stream == bindparam("stream"), s.marks.c.kind == RoundOpened.__name__
)
_ENDS = entries_with(_t.kind.in_([str(Kind.SETTLE), str(Kind.CANCEL)]))
_LAST_END = _ENDS.order_by(_t.sequence.desc()).limit(1)


class Positions:
    """Knows where in each stream a time begins."""

    def __init__(self) -> None:
        self._firsts: dict[tuple[str, int], int] = {}

    def position(
        self,
        connection: Connection,
        player: str,
        since: int,
        *,
        booked: Iterable[Transaction] = (),
        entries: Mapping[tuple[str, int], Entry] | None = None,
    ) -> Position:
        """As of what is committed, and of transactions (with their entries) yet to be written."""
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
                stakes = connection.execute(_STAKES, {**place, "accounts": accounts[1:]}).scalar()
                of_bonus = connection.execute(
                    _STAKES, {**place, "accounts": _bonus(stream)}
                ).scalar()
                staked, bonus = staked + int(stakes or 0), bonus + int(of_bonus or 0)
        for one in booked:
            if one.player == player:
                accounts = _own(one.stream, player)
                amounts = {posting.account: posting.amount for posting in one.postings}
                staked += sum(amounts.get(account, 0) for account in accounts[1:])
                bonus += sum(amounts.get(account, 0) for account in _bonus(one.stream))
                entry = (entries or {})[one.stream, one.sequence]
                if one.kind not in FLOWS and _at(entry.body) >= since:
                    lost -= sum(amounts.get(account, 0) for account in accounts)
        return Position(lost, staked, bonus)

    def _first(self, connection: Connection, stream: str, head: int, since: int) -> int:
        """The first entry of a stream that is not before a time; one after the last if none is."""
        known = self._firsts.get((stream, since))
        if known is not None:
            return known
        low, high = 1, head + 1
        while low < high:
            middle = (low + high) // 2
            body = connection.execute(_BODY, {"stream": stream, "sequence": middle}).scalar_one()
            if _at(body) >= since:
                high = middle
            else:
                low = middle + 1
        if low <= head:
            if len(self._firsts) > 10_000:
                self._firsts.clear()
            self._firsts[stream, since] = low
        return low


def _own(stream: str, player: str) -> list[str]:
    """The player's own money, and at a table their stakes."""
    table = stream.removeprefix("table:")
    own = [real_account(player)]
    return own if table == stream else [*own, stakes_account(table, player)]


def _bonus(stream: str) -> list[str]:
    """Where a table's stakes of bonus money are."""
    return [bonus_stakes_account(stream.removeprefix("table:"))]


def _at(body: bytes) -> int:
    return int(json.loads(body)["value"]["at"])
