"""What has been: a player's bookings, a round, the shoes of a table, read from the store.

Everything is found by a key, or by looking where the journal's order says it must be; nothing reads
a whole journal but the list of a table's shoes. The one rule: read only, and newest first where
there may be many.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, func, or_, select, tuple_

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.house.ledger import Kind, bonus_account, real_account
from baccarat.house.ports import Person
from baccarat.house.roles import Account, Role
from baccarat.shoe.contributions import dealing_order
from baccarat.store import schema as s
from baccarat.store.positions import OWN, PLAYED, blocks, entries_with, moved
from baccarat.store.sqlstore import SqlStore
from baccarat.store.unit import UNMARKED, account_of
from baccarat.table.cases import ShoeKnown
from baccarat.table.events import ShoeEnded, ShoeReady, decode
from baccarat.table.journal import Entry

_STRIDE = 64
"""Entries looked at together when a round is searched for."""
_ENDS = (b'{"type":"RoundSettled"', b'{"type":"RoundCancelled"')
_AFTERWARDS = {
    "ErrorReported",
    "ReportDismissed",
    "RoundCorrected",
    "DisputeOpened",
    "DisputeDecided",
}
"""Entries that speak of a round after others have begun."""
_LATER = 2**62
"""After every entry."""
_LONG = 8_192
"""Bytes of an event from which on it is worth keeping what was read."""

# Statements are made once: making them costs more than running them.
_t, _j, _p = s.transactions.c, s.journal.c, s.postings.c
_BOOKED = (
    select(_t.sequence, _t.kind)
    .where(*OWN, _t.sequence > bindparam("after"), _t.sequence < bindparam("before"))
    .order_by(_t.sequence.desc())
    .limit(bindparam("most"))
)
_BOOKED_AS = _BOOKED.where(_t.kind.in_(bindparam("kinds", expanding=True)))
_MARKED = (
    select(s.journal)
    .join(s.marks, (s.marks.c.stream == _j.stream) & (s.marks.c.sequence == _j.sequence))
    .where(s.marks.c.stream == bindparam("stream"), s.marks.c.kind == bindparam("kind"))
    .where(s.marks.c.sequence > bindparam("after"), s.marks.c.sequence < bindparam("before"))
    .limit(bindparam("most"))
)
_COUNT = select(func.count()).where(
    s.marks.c.stream == bindparam("stream"),
    s.marks.c.kind == bindparam("kind"),
    s.marks.c.sequence <= bindparam("through"),
)
_OLDEST = _MARKED.order_by(s.marks.c.sequence)
_NEWEST = _MARKED.order_by(s.marks.c.sequence.desc())
_THESE: Any = bindparam("sequences", expanding=True)
_POSTED = moved(_p.sequence, _p.account, _p.amount, entries=_THESE)
_BEFORE = entries_with(_t.sequence < bindparam("before"))
_POSTED_BEFORE = moved(func.sum(_p.amount), entries=_BEFORE)
_BODIES = select(_j.sequence, _j.body).where(
    _j.stream == bindparam("stream"), _j.sequence.in_(_THESE)
)


@dataclass(frozen=True)
class Booking:
    """One transaction of a player."""

    stream: str
    sequence: int
    kind: str
    amounts: dict[str, int]
    """By the player's own ledger accounts; none where only the table's moved."""
    event: dict[str, Any]
    """The journal entry it comes from, as JSON values."""

    @property
    def at(self) -> int:
        return int(self.event["value"]["at"])

    @property
    def place(self) -> "Place":
        return Place(self.at, self.stream, self.sequence)


class Place(NamedTuple):
    """Where a booking stands among all of a player's: they are told by time, newest first."""

    at: int
    stream: str
    sequence: int


def bookings(
    store: SqlStore,
    player: str,
    *,
    stream: str | None = None,
    after: int = 0,
    before: int | None = None,
    below: Place | None = None,
    kinds: Sequence[str] = (),
    limit: int = 50,
) -> list[Booking]:
    """A player's newest: of one stream between two entries, or of all streams below a place."""
    found = []
    for one in _streams_of(store, player):
        if stream in (None, one):
            bound = before if below is None else _bound(store, one, below)
            found += _of_stream(store, player, one, (after, bound), kinds, limit)
    found.sort(key=lambda booking: booking.place, reverse=True)
    return found[:limit]


def _bound(store: SqlStore, stream: str, below: Place) -> int:
    """The first entry of a stream that does not stand below a place."""
    if stream == below.stream:
        return below.sequence
    return first_since(store, stream, below.at + (stream < below.stream))


def balance_through(store: SqlStore, player: str, place: Place) -> int:
    """What a player had, all told, once the booking at a place was made."""
    total, accounts = 0, [real_account(player), bonus_account(player)]
    above = place._replace(sequence=place.sequence + 1)
    for stream in _streams_of(store, player):
        before = _bound(store, stream, above)
        asked = {"player": player, "stream": stream, "before": before, "accounts": accounts}
        parts = _blocks(store, stream, before)
        with store.engine.connect() as connection:
            for some in parts:
                found = connection.execute(_POSTED_BEFORE, {**asked, "blocks": some}).scalar()
                total += int(found or 0)
    return total


def coup_before(store: SqlStore, booking: Booking) -> dict[str, Any] | None:
    """The coup of a booking's round; None when the round was cancelled before one was decided."""
    if "coup" in booking.event["value"]:
        return dict(booking.event["value"])
    found = newest_of(store, booking.stream, "CoupDecided", before=booking.sequence, limit=1)
    value = json.loads(found[0].body)["value"] if found else None
    return value if value and value["round"] == booking.event["value"]["round"] else None


@dataclass(frozen=True)
class Played:
    """A round that a player wagered on, and what it has come to since."""

    ended: Booking
    """How it was settled or cancelled."""
    coup: dict[str, Any] | None
    """As corrected, if it was; None when the round was cancelled before one was decided."""
    corrected: bool
    later: tuple[Booking, ...]
    """What moved the player's money afterwards, oldest first: corrections, what a dispute paid."""

    @property
    def place(self) -> Place:
        return self.ended.place


def played(store: SqlStore, player: str, *, below: Place | None, limit: int) -> list[Played]:
    """A player's newest rounds below a place, each once."""
    ended = bookings(store, player, below=below, kinds=(Kind.SETTLE, Kind.CANCEL), limit=limit)
    found = []
    oldest = {one.stream: one.sequence for one in ended}  # they come newest first
    later = {stream: later_of(store, player, stream, after=oldest[stream]) for stream in oldest}
    corrected = {
        stream: {
            event["value"]["round"]: event["value"]
            for event in events_of(store, stream, "RoundCorrected", after=oldest[stream])
        }
        for stream in oldest
    }
    for one in ended:
        number = one.event["value"]["round"]
        again = corrected[one.stream].get(number)
        since = tuple(later[one.stream].get(number, ()))
        coup = again or coup_before(store, one)
        found.append(Played(one, coup, again is not None, since))
    return found


def later_of(
    store: SqlStore, player: str, stream: str, *, after: int = 0
) -> dict[int, list[Booking]]:
    """What moved a player's money at a table once a round was settled: by round, oldest first."""
    found: dict[int, list[Booking]] = {}
    before, kinds = None, (Kind.CORRECT, Kind.DISPUTE)
    while some := bookings(store, player, stream=stream, after=after, before=before, kinds=kinds):
        for one in some:
            found.setdefault(one.event["value"]["round"], []).insert(0, one)
        before = some[-1].sequence
    return found


def in_play(store: SqlStore, player: str) -> int:
    """Coins that a player has staked on rounds that have not ended, at all tables."""
    states = (store.state(stream) for stream in _streams_of(store, player) if ":" in stream)
    placed = (state.round.wagers.get(player) for state in states if state is not None)
    return sum(one.staked for one in placed if one is not None)


def first_since(store: SqlStore, stream: str, since: int) -> int:
    """The first entry from a time on: times never run backwards, so halve until found."""
    low, high = 1, store.head(stream).sequence + 1
    while low < high:
        middle = (low + high) // 2
        (entry,) = store.entries(stream, after=middle - 1, limit=1)
        if json.loads(entry.body)["value"]["at"] >= since:
            high = middle
        else:
            low = middle + 1
    return low


def _streams_of(store: SqlStore, player: str) -> list[str]:
    with store.engine.connect() as connection:
        return sorted(connection.execute(PLAYED, {"player": player}).scalars())


def _of_stream(
    store: SqlStore,
    player: str,
    stream: str,
    between: tuple[int, int | None],
    kinds: Sequence[str],
    limit: int,
) -> list[Booking]:
    after, before = between[0], between[1] or _LATER
    asked: dict[str, Any] = {"player": player, "stream": stream, "after": after, "before": before}
    query = _BOOKED_AS if kinds else _BOOKED
    rows: list[Any] = []
    parts = _blocks(store, stream, before, after=after)
    with store.engine.connect() as connection:
        for some in parts:
            more = {"kinds": list(kinds), "blocks": some, "most": limit - len(rows)}
            rows += connection.execute(query, {**asked, **more}).all()
            if len(rows) == limit:
                break
        if not rows:
            return []
        # Bodies and postings by their keys: with a join, SQLite would look through the journal.
        amounts: dict[int, dict[str, int]] = {}
        accounts = [real_account(player), bonus_account(player)]
        asked |= {"accounts": accounts, "sequences": [row.sequence for row in rows]}
        bodies = dict(map(tuple, connection.execute(_BODIES, asked)))
        for one in connection.execute(_POSTED, asked):
            amounts.setdefault(one.sequence, {})[one.account] = one.amount
    return [
        Booking(stream, number, kind, amounts.get(number, {}), _event(bodies[number]))
        for number, kind in rows
    ]


def _blocks(store: SqlStore, stream: str, before: int, *, after: int = 0) -> Iterator[list[int]]:
    """Those between two entries; whoever names one that is not there yet gets all there are."""
    return blocks(after + 1, min(before - 1, store.head(stream).sequence))


def _event(body: bytes) -> dict[str, Any]:
    return json.loads(body) if len(body) < _LONG else _long_event(body)


@lru_cache(maxsize=64)
def _long_event(body: bytes) -> dict[str, Any]:
    """A round that hundreds have played at: all of them ask for it, and it never changes."""
    return json.loads(body)  # type: ignore[no-any-return]


def ledger_sum(store: SqlStore) -> int:
    """What all balances come to: nothing, or something is wrong."""
    with store.engine.connect() as connection:
        return int(connection.execute(select(func.sum(s.balances.c.balance))).scalar() or 0)


def postings(
    store: SqlStore, *, after: tuple[str, int, str, str] | None, limit: int
) -> list[dict[str, Any]]:
    """The whole ledger, piece by piece: by journal entry, player and account; with who of the
    staff handled each entry."""
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
    of: dict[tuple[str, int], tuple[int, str]] = {}
    with store.engine.connect() as connection:
        rows = connection.execute(query).mappings().all()
        for stream, some in groupby(rows, key=lambda row: str(row["stream"])):
            sequences = sorted({row["sequence"] for row in some})
            for entry in connection.execute(_BODIES, {"stream": stream, "sequences": sequences}):
                value = _event(entry.body)["value"]
                of[stream, entry.sequence] = value["at"], handled_by(value)
    found = [(row, *of[row["stream"], row["sequence"]]) for row in rows]
    return [{**row, "at": at, "by": by} for row, at, by in found]


def handled_by(value: Mapping[str, Any]) -> str:
    """Who of the staff did what an entry says: one person, or two; nobody for what players do."""
    by = value.get("by", ())
    names = by if isinstance(by, list) else [value.get("first", ""), by]
    return ", ".join(one for one in names if one)


def players_like(store: SqlStore, part: str, *, limit: int) -> list[Account]:
    """Players with an account whose id or name has this in it."""
    p = s.people.c
    like = [func.lower(one).contains(part.lower(), autoescape=True) for one in (p.id, p.name)]
    query = (
        select(p.id, p.name)
        .where(p.role == str(Role.PLAYER), p.guest.is_(False), or_(*like))
        .order_by(p.id)
        .limit(limit)
    )
    with store.engine.connect() as connection:
        return [Account(one.id, Role.PLAYER, one.name) for one in connection.execute(query)]


def staff(store: SqlStore) -> list[Person]:
    """Everyone with an account of the staff, by role and id."""
    p = s.people.c
    query = select(s.people).where(p.role != str(Role.PLAYER)).order_by(p.role, p.id)
    with store.engine.connect() as connection:
        rows = connection.execute(query).all()
    return [Person(account_of(one), one.password, one.since, one.expires_at) for one in rows]


def round_entries(store: SqlStore, stream: str, number: int) -> list[Entry]:
    """The entries of a round, from its opening to its end; none if there is no such round."""
    low, high = 0, store.head(stream).sequence
    while low < high:  # rounds are numbered in the order of the journal: halve until found
        middle = (low + high) // 2
        if _next_round(store, stream, middle) >= number:
            high = middle
        else:
            low = middle + 1
    found: list[Entry] = []
    while batch := store.entries(stream, after=low, limit=_STRIDE):
        for entry in batch:
            if not found and _round_of(entry) not in (None, number):
                return []
            if found or _round_of(entry) == number:
                found.append(entry)
            if entry.body.startswith(_ENDS):
                return found
        low = batch[-1].sequence
    return found


def end_of_round(store: SqlStore, stream: str, number: int, sequence: int) -> Entry | None:
    """The entry of this sequence, if it is the one that ends the round."""
    found = store.entries(stream, after=sequence - 1, limit=1)
    if not found or found[0].sequence != sequence or not found[0].body.startswith(_ENDS):
        return None
    return found[0] if _round_of(found[0]) == number else None


def entries_around(store: SqlStore, stream: str, number: int) -> list[Entry]:
    """All that a dispute over a round needs: the settings of its shoe, and the shoe to its end."""
    entries = round_entries(store, stream, number)
    before = entries[0].sequence if entries else 0
    committed = newest_of(store, stream, "ShoeCommitted", before=before, limit=1)
    by_hand = newest_of(store, stream, "ShoeBegun", before=before, limit=1)
    last = max((*committed, *by_hand), key=lambda one: one.sequence, default=None)
    if last is None:
        return []
    found = _shoe_from(store, stream, last)
    if last in by_hand:  # an error that was reported in time is remedied whenever
        later = entries_of(store, stream, "RoundCorrected")
        found += [one for one in later if one.sequence > found[-1].sequence]
    return found


def shoe_around(store: SqlStore, stream: str, number: int) -> ShoeKnown:
    """The same as a value that a job can go on from: the journal's events up to one entry."""
    through = store.head(stream).sequence  # first: what follows it is read by the job
    entries = entries_around(store, stream, number)
    events = tuple(decode(one.body) for one in entries if one.sequence <= through)
    return ShoeKnown(events, through)


def _shoe_from(store: SqlStore, stream: str, committed: Entry) -> list[Entry]:
    """The settings that a shoe was committed under, then all of it."""
    first = committed.sequence
    found, after = [*settings_before(store, stream, first), committed], first
    while batch := store.entries(stream, after=after):
        for entry in batch:
            found.append(entry)
            if entry.body.startswith((b'{"type":"ShoeEnded"', b'{"type":"ShoeClosed"')):
                return found
        after = batch[-1].sequence
    return found


def settings_before(store: SqlStore, stream: str, sequence: int) -> list[Entry]:
    """The entry that says what a table's settings were before an entry."""
    changed = newest_of(store, stream, "SettingsChanged", before=sequence, limit=1)
    return changed or store.entries(stream, limit=1)


def _next_round(store: SqlStore, stream: str, after: int) -> float:
    """The number of the first round that is spoken of after an entry."""
    while batch := store.entries(stream, after=after, limit=_STRIDE):
        for entry in batch:
            if (number := _round_of(entry)) is not None:
                return number
        after = batch[-1].sequence
    return float("inf")


def _round_of(entry: Entry) -> int | None:
    """The round that an entry belongs to; what is said of it later is no part of it."""
    event = json.loads(entry.body)
    number = event["value"].get("round")
    return number if isinstance(number, int) and event["type"] not in _AFTERWARDS else None


def entries_of(
    store: SqlStore, stream: str, *kinds: str, after: int = 0, limit: int | None = None
) -> list[Entry]:
    """The entries of some kinds after an entry, oldest first."""
    place = {"stream": stream, "after": after, "before": _LATER}
    return _marked(store, _OLDEST, place, kinds, limit)


def events_of(store: SqlStore, stream: str, *kinds: str, after: int = 0) -> list[dict[str, Any]]:
    """The same as JSON values: `type` and `value`."""
    return [json.loads(one.body) for one in entries_of(store, stream, *kinds, after=after)]


def newest_of(
    store: SqlStore,
    stream: str,
    *kinds: str,
    before: int | None,
    limit: int | None,
    after: int = 0,
) -> list[Entry]:
    """The newest entries of some kinds, newest first; none that are older than an entry."""
    place = {"stream": stream, "after": after, "before": _LATER if before is None else before}
    return _marked(store, _NEWEST, place, kinds, limit)


def count_of(store: SqlStore, stream: str, kind: str, *, through: int) -> int:
    """How many entries of a kind there are up to an entry."""
    asked = {"stream": stream, "kind": kind, "through": through}
    with store.engine.connect() as connection:
        return int(connection.execute(_COUNT, asked).scalar_one())


def _marked(
    store: SqlStore,
    query: Select[Any],
    place: dict[str, Any],
    kinds: Sequence[str],
    limit: int | None,
) -> list[Entry]:
    """Found by their marks: each kind in its order, then all in one."""
    if unmarked := UNMARKED.intersection(kinds):
        raise ValueError(f"entries of {', '.join(unmarked)} are not marked: read the journal")
    most = _LATER if limit is None else limit
    with store.engine.connect() as connection:
        found = [
            Entry(row.stream, row.sequence, row.hash, row.body)
            for kind in kinds
            for row in connection.execute(query, {**place, "kind": kind, "most": most})
        ]
    found.sort(key=lambda entry: entry.sequence, reverse=query is _NEWEST)
    return found[:limit]


def results(
    store: SqlStore, stream: str, *, before: int | None, limit: int
) -> list[dict[str, Any]]:
    """What came of the newest rounds, newest first: as corrected, and `void` without a result."""
    found: dict[int, dict[str, Any]] = {}
    told = None  # a page may end between the two entries of a round
    if before is not None:
        told = next((_round_of(one) for one in store.entries(stream, after=before - 1, limit=1)), 0)
    while len(found) < limit:
        page = newest_of(store, stream, "CoupDecided", "RoundCancelled", before=before, limit=limit)
        for entry in page:
            event, before = json.loads(entry.body), entry.sequence
            value = event["value"]
            void = event["type"] == "RoundCancelled"
            result = {"coup": None, "winner": None} if void else {}
            result |= {name: value[name] for name in ("coup", "winner") if name in value}
            if value["round"] not in found and value["round"] != told and len(found) < limit:
                head = {"sequence": entry.sequence, "at": value["at"], "round": value["round"]}
                reason = {"void": value["reason"]} if void else {"void": None}
                found[value["round"]] = {**head, **result, **reason, "corrected": False}
        if len(page) < limit:
            break
    for entry in newest_of(store, stream, "RoundCorrected", before=None, limit=limit)[::-1]:
        value = json.loads(entry.body)["value"]
        if value["round"] in found:
            new = {"coup": value["coup"], "winner": value["winner"], "corrected": True}
            found[value["round"]] |= new
    return list(found.values())


def stream_of_shoe(store: SqlStore, shoe: bytes) -> str | None:
    """The table whose shoe it is."""
    query = select(s.shoes.c.stream).where(s.shoes.c.shoe == shoe)
    with store.engine.connect() as connection:
        return connection.execute(query).scalar()


def entries_of_shoe(store: SqlStore, stream: str, shoe: bytes) -> list[Entry]:
    """All that its document is made from: the settings it was committed under, then all of it."""
    mark = f'"shoe":"{shoe.hex()}"'.encode()
    committed = [one for one in entries_of(store, stream, "ShoeCommitted") if mark in one.body]
    if not committed:
        return []
    return _shoe_from(store, stream, committed[0])


def orders_dealt(store: SqlStore, decks: int) -> Iterator[tuple[Card, ...]]:
    """The order in which each shoe of so many decks lay that was shown to its end."""
    for head in store.heads():
        seed = None
        for entry in entries_of(store, head.stream, "ShoeReady", "ShoeEnded"):
            event = decode(entry.body)
            if isinstance(event, ShoeReady):
                seed = event.seed
            elif isinstance(event, ShoeEnded) and seed is not None:
                places, seed = dealing_order(seed, len(event.order)), None
                if len(event.order) == decks * DECK_SIZE:
                    yield tuple(event.order[place] for place in places)
