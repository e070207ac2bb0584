"""Reads a player's transactions and rounds, and the ledger's postings, from the store.

A player's rows are found by key, block by block (`positions`), newest first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from msgspec import to_builtins
from sqlalchemy import bindparam, func, select, tuple_

from baccarat.core.errors import BaccaratError
from baccarat.house.money.ledger import Kind, bonus_account, real_account
from baccarat.house.safety.periods import date_of
from baccarat.house.watch.audit_log import handled_by
from baccarat.store import schema as s
from baccarat.store.entries import LATER
from baccarat.store.history import event_of, events_of, first_since, newest_events
from baccarat.store.positions import OWN_TRANSACTIONS, PLAYED, blocks, entries_with, postings_query
from baccarat.store.sqlstore import SqlStore
from baccarat.table import events as e

PIECE = 1000
"""Number of rounds read at a time for totals."""

# Statements are built once, because building them costs more than running them.
_t, _j, _p = s.transactions.c, s.journal.c, s.postings.c
_BOOKED = (
    select(_t.sequence, _t.kind)
    .where(*OWN_TRANSACTIONS, _t.sequence > bindparam("after"), _t.sequence < bindparam("before"))
    .order_by(_t.sequence.desc())
    .limit(bindparam("most"))
)
_BOOKED_AS = _BOOKED.where(_t.kind.in_(bindparam("kinds", expanding=True)))
_THESE: Any = bindparam("sequences", expanding=True)
_POSTED = postings_query(_p.sequence, _p.account, _p.amount, entries=_THESE)
_BEFORE = entries_with(_t.sequence < bindparam("before"))
_POSTED_BEFORE = postings_query(func.sum(_p.amount), entries=_BEFORE)
_BODIES = select(_j.sequence, _j.body).where(
    _j.stream == bindparam("stream"), _j.sequence.in_(_THESE)
)


class SortKey(NamedTuple):
    """Sort key that orders all of a player's transactions by time."""

    at: int
    stream: str
    sequence: int


@dataclass(frozen=True)
class Booking:
    """A player's transaction."""

    player: str
    stream: str
    sequence: int
    kind: Kind
    amounts: dict[str, int]
    """Coins added to each of the player's own ledger accounts; empty if only the table's accounts
    changed."""
    event: e.Event
    """The event that caused the transaction."""

    @property
    def at(self) -> int:
        return self.event.at

    @property
    def amount(self) -> int:
        """Total coins added to the player's accounts; negative if coins were taken."""
        return sum(self.amounts.values())

    @property
    def place(self) -> SortKey:
        return SortKey(self.at, self.stream, self.sequence)

    @property
    def table(self) -> str:
        """The table's id; empty for the house journal."""
        return self.stream.partition(":")[2]

    @property
    def round(self) -> int | None:
        return getattr(self.event, "round", None)

    @property
    def result(self) -> e.PlayerResult:
        """The player's result in the round that the transaction ended or corrected."""
        event: Any = self.event
        results: Sequence[e.PlayerResult] = event.results
        return next(result for result in results if result.player == self.player)


def of_player(
    store: SqlStore,
    player: str,
    *,
    stream: str | None = None,
    after: int = 0,
    before: int | None = None,
    below: SortKey | None = None,
    since: int = 0,
    until: int | None = None,
    kinds: Sequence[str] = (),
    limit: int = 50,
) -> list[Booking]:
    """Return a player's newest transactions.

    They are taken from one stream between the entries `after` and `before`, or from all streams
    before the place `below`; and from the time `since`, to before the time `until`.
    """
    found = []
    for name in _streams_of(store, player):
        if stream in (None, name):
            first = max(after, first_since(store, name, since) - 1) if since else after
            bounds = [
                before if below is None else _bound(store, name, below),
                None if until is None else first_since(store, name, until),
            ]
            bound = min((one for one in bounds if one is not None), default=None)
            found += _of_stream(store, player, name, (first, bound), kinds, limit)
    found.sort(key=lambda booking: booking.place, reverse=True)
    return found[:limit]


def _bound(store: SqlStore, stream: str, below: SortKey) -> int:
    """Return the number of the first entry in a stream that is not before the place."""
    if stream == below.stream:
        return below.sequence
    return first_since(store, stream, below.at + (stream < below.stream))


def balance_through(store: SqlStore, player: str, place: SortKey) -> int:
    """Return a player's total balance after the transaction at this place."""
    total, accounts = 0, [real_account(player), bonus_account(player)]
    above = place._replace(sequence=place.sequence + 1)
    for stream in _streams_of(store, player):
        before = _bound(store, stream, above)
        asked = {"player": player, "stream": stream, "before": before, "accounts": accounts}
        parts = _blocks(store, stream, before)
        with store.engine.connect() as connection:
            for part in parts:
                found = connection.execute(_POSTED_BEFORE, {**asked, "blocks": part}).scalar()
                total += int(found or 0)
    return total


@dataclass(frozen=True)
class Played:
    """A round that a player wagered on, including later corrections and payments."""

    ended: Booking
    """The transaction that settled or cancelled the round."""
    coup: e.CoupDecided | e.RoundCorrected | None
    """The coup, or its latest correction; None if the round was cancelled before a coup was
    decided."""
    later: tuple[Booking, ...]
    """Later transactions for the round, oldest first: corrections and dispute payments."""

    @property
    def place(self) -> SortKey:
        return self.ended.place


def rounds_played(
    store: SqlStore,
    player: str,
    *,
    below: SortKey | None,
    limit: int,
    stream: str | None = None,
    since: int = 0,
    until: int | None = None,
) -> list[Played]:
    """Return the newest rounds that a player wagered on, before the place `below`.

    They are those of one stream or of all, that ended from the time `since` to before `until`.
    """
    asked: dict[str, Any] = {"stream": stream, "since": since, "until": until}
    kinds = (Kind.SETTLE, Kind.CANCEL)
    ended = of_player(store, player, below=below, kinds=kinds, limit=limit, **asked)
    oldest = {booking.stream: booking.sequence for booking in ended}  # `ended` is newest first
    later = {stream: later_of(store, player, stream, after=oldest[stream]) for stream in oldest}
    corrected = {
        (stream, event.round): event
        for stream, after in oldest.items()
        for event in events_of(store, stream, e.RoundCorrected, after=after)
    }
    return [
        Played(
            booking,
            corrected.get((booking.stream, booking.round or 0)) or _coup_before(store, booking),
            tuple(later[booking.stream].get(booking.round, ())),
        )
        for booking in ended
    ]


def rounds_ended(
    store: SqlStore, player: str, *, stream: str | None, since: int, until: int | None
) -> Iterator[tuple[Booking, int]]:
    """Yield every round that a player wagered on, without its coup, for totals.

    Each round comes with the coins that corrections and disputes moved later. The rounds are those
    of one stream, or of all streams, that ended at or after `since` and before `until`; their order
    is unspecified.
    """
    kinds = (Kind.SETTLE, Kind.CANCEL)
    for name in _streams_of(store, player):
        if stream not in (None, name):
            continue
        later, before = later_of(store, player, name), None
        asked: dict[str, Any] = {"stream": name, "since": since, "until": until, "kinds": kinds}
        while some := of_player(store, player, before=before, limit=PIECE, **asked):
            for booking in some:
                yield booking, sum(moved.amount for moved in later.get(booking.round, ()))
            before = some[-1].sequence


def _coup_before(store: SqlStore, booking: Booking) -> e.CoupDecided | None:
    """Return the coup of the round that a transaction ended, or None if there was no coup."""
    newest = newest_events(store, booking.stream, e.CoupDecided, before=booking.sequence, limit=1)
    return next((event for event in newest if event.round == booking.round), None)


def later_of(
    store: SqlStore, player: str, stream: str, *, after: int = 0
) -> dict[int | None, list[Booking]]:
    """Return a player's corrections and dispute payments by round, each list oldest first."""
    found: dict[int | None, list[Booking]] = {}
    before, kinds = None, (Kind.CORRECT, Kind.DISPUTE)
    while some := of_player(store, player, stream=stream, after=after, before=before, kinds=kinds):
        for booking in some:
            found.setdefault(booking.round, []).insert(0, booking)
        before = some[-1].sequence
    return found


def in_play(store: SqlStore, player: str) -> int:
    """Return the coins that a player has staked on rounds in progress, at all tables."""
    states = (store.state(stream) for stream in _streams_of(store, player) if ":" in stream)
    return sum(state.round.placed(player).staked for state in states if state is not None)


def _streams_of(store: SqlStore, player: str) -> list[str]:
    return sorted(row.stream for row in store.rows(PLAYED, player=player))


def _of_stream(
    store: SqlStore,
    player: str,
    stream: str,
    between: tuple[int, int | None],
    kinds: Sequence[str],
    limit: int,
) -> list[Booking]:
    after, before = between[0], between[1] or LATER
    asked: dict[str, Any] = {"player": player, "stream": stream, "after": after, "before": before}
    query = _BOOKED_AS if kinds else _BOOKED
    rows: list[Any] = []
    parts = _blocks(store, stream, before, after=after)
    with store.engine.connect() as connection:
        for part in parts:
            more = {"kinds": list(kinds), "blocks": part, "most": limit - len(rows)}
            rows += connection.execute(query, {**asked, **more}).all()
            if len(rows) == limit:
                break
        if not rows:
            return []
        # Bodies and postings are read by their keys, because SQLite would scan the journal for a
        # join.
        amounts: dict[int, dict[str, int]] = {}
        accounts = [real_account(player), bonus_account(player)]
        asked |= {"accounts": accounts, "sequences": [row.sequence for row in rows]}
        bodies = dict(map(tuple, connection.execute(_BODIES, asked)))
        for row in connection.execute(_POSTED, asked):
            amounts.setdefault(row.sequence, {})[row.account] = row.amount
    return [
        Booking(player, stream, n, Kind(kind), amounts.get(n, {}), event_of(bodies[n]))
        for n, kind in rows
    ]


def _blocks(store: SqlStore, stream: str, before: int, *, after: int = 0) -> Iterator[list[int]]:
    """Return the blocks of a stream between two entries; `before` may lie beyond its end."""
    return blocks(after + 1, min(before - 1, store.head(stream).sequence))


def ledger_sum(store: SqlStore) -> int:
    """Return the sum of all balances, which is 0 in a correct ledger."""
    ((total,),) = store.rows(select(func.sum(s.balances.c.balance)))
    return int(total or 0)


@dataclass(frozen=True)
class LedgerLine:
    """A posting, with details of the journal entry that caused it."""

    stream: str
    sequence: int
    at: int
    kind: str
    player: str
    account: str
    amount: int
    by: str
    """The member or members of staff who caused the posting; empty if there were none."""

    @property
    def key(self) -> tuple[str, int, str, str]:
        return (self.stream, self.sequence, self.player, self.account)


def postings(
    store: SqlStore, *, after: tuple[str, int, str, str] | None, limit: int
) -> list[LedgerLine]:
    """Return the next page of postings after a key, ordered by journal entry, player, account."""
    key = (_p.stream, _p.sequence, _p.player, _p.account)
    asked = select(s.postings).order_by(*key).limit(limit)
    piece = (asked if after is None else asked.where(tuple_(*key) > tuple_(*after))).subquery()
    p = piece.c
    own = (_t.stream == p.stream) & (_t.block == p.block)
    own &= (_t.player == p.player) & (_t.sequence == p.sequence)
    query = (
        select(p.stream, p.sequence, _t.kind, p.player, p.account, p.amount)
        .join(s.transactions, own)
        .order_by(p.stream, p.sequence, p.player, p.account)
    )
    events: dict[tuple[str, int], e.Event] = {}
    with store.engine.connect() as connection:
        rows = connection.execute(query).all()
        for stream, some in groupby(rows, key=lambda row: str(row.stream)):
            asked_for = {"stream": stream, "sequences": sorted({row.sequence for row in some})}
            for entry in connection.execute(_BODIES, asked_for):
                events[stream, entry.sequence] = event_of(entry.body)
    return [
        LedgerLine(**row._mapping, at=event.at, by=handled_by(event))
        for row in rows
        for event in [events[row.stream, row.sequence]]
    ]


def export_person(store: SqlStore, account: str) -> dict[str, Any]:
    """Return everything stored about an account, for export.

    The export contains the account's data, sessions, balances, protection record and all its
    transactions, newest first.
    """
    found = store.person_signing_in(account)
    if found is None:
        raise BaccaratError(f"account {account!r} does not exist: check the id")
    known, account = found.account, found.account.id
    safety = store.safety(account)
    ledger = (real_account(account), bonus_account(account))
    return {
        "account": account,
        "sign_in_id": known.known_as,
        "name": known.name,
        "role": known.role,
        "born": None if safety.born is None else str(date_of(safety.born)),
        "password_since": found.since,
        "sessions": [session._asdict() for session in store.sessions(account)],
        "balances": {name: store.balance(name) for name in ledger},
        "protection": to_builtins(safety),
        "bookings": [
            {"at": one.at, "kind": one.kind, "stream": one.stream, "amounts": dict(one.amounts)}
            for one in of_player(store, account, limit=2**31)
        ],
    }
