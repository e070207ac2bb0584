"""Reads rounds, shoes and events from the journals in the store; also lists accounts.

Entries are found by key or by bisection; no function reads a whole journal.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import TypeVar, Unpack

from sqlalchemy import bindparam, func, or_, select

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.house.ambiguities import EVENTS, AllListed, listed_after
from baccarat.house.cards import decks
from baccarat.house.cards.decks import DeckSet
from baccarat.house.cards.events import DECK_EVENTS
from baccarat.house.events import STREAM, decode
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Person
from baccarat.shoe.commitment import Hex
from baccarat.shoe.contributions import dealing_order
from baccarat.store import entries
from baccarat.store import schema as s
from baccarat.store.entries import Between, find_entries
from baccarat.store.side_tables import person_of
from baccarat.store.sqlstore import SqlStore
from baccarat.table import events as e
from baccarat.table.disputes.case import ShoeKnown
from baccarat.table.journal import Entry
from baccarat.table.rules import rules_hash

E = TypeVar("E", bound=e.Event)
SHOES = (e.ShoeCommitted, e.ShoeBegun)
"""Events that begin a shoe."""
_LONG = 8_192
"""Events of at least this many bytes are cached after decoding."""

_COUNT = select(func.count()).where(
    s.marks.c.stream == bindparam("stream"),
    s.marks.c.kind == bindparam("kind"),
    s.marks.c.sequence <= bindparam("through"),
)


def first_since(store: SqlStore, stream: str, since: int) -> int:
    """Return the number of the first entry at or after a time."""
    newest = store.head(stream).sequence
    with store.engine.connect() as connection:
        return entries.first_since(connection, stream, newest, since)


def event_of(body: bytes) -> e.Event:
    """Return the event of an entry; long events are cached, because many players request them."""
    return decode(body) if len(body) < _LONG else _long_event(body)


_long_event = lru_cache(maxsize=64)(decode)


def players_like(store: SqlStore, part: str, *, limit: int) -> list[Account]:
    """Return the players (not guests) whose id or name contains the text `part`."""
    p = s.people.c
    like = [func.lower(text).contains(part.lower(), autoescape=True) for text in (p.id, p.name)]
    query = (
        select(p.id, p.name)
        .where(p.role == str(Role.PLAYER), p.guest.is_(False), or_(*like))
        .order_by(p.id)
        .limit(limit)
    )
    return [Account(row.id, Role.PLAYER, row.name) for row in store.rows(query)]


def staff(store: SqlStore) -> list[Person]:
    """Return all staff accounts, sorted by role and id."""
    p = s.people.c
    query = select(s.people).where(p.role != str(Role.PLAYER)).order_by(p.role, p.id)
    return [person_of(row) for row in store.rows(query)]


def listed(store: SqlStore) -> AllListed:
    """Return the ambiguities that the house has listed, the oldest first."""
    return reduce(listed_after, events_of(store, STREAM, *EVENTS), ())


def deck_sets(store: SqlStore) -> dict[str, DeckSet]:
    """Return the house's deck sets by id."""
    entries = entries_of(store, STREAM, *DECK_EVENTS)
    return decks.deck_sets((entry.sequence, decode(entry.body)) for entry in entries)


def round_entries(store: SqlStore, stream: str, number: int) -> list[Entry]:
    """Return the entries of a round, from its opening to its end; empty if it does not exist."""

    def round_at(sequence: int) -> int:
        opened = newest_events(store, stream, e.RoundOpened, before=sequence + 1, limit=1)
        return opened[0].round if opened else 0

    every = range(1, store.head(stream).sequence + 1)
    first = 1 + bisect_left(every, number, key=round_at)
    if first > len(every) or round_at(first) != number:
        return []
    return _entries_until(store, stream, first - 1, e.RoundSettled, e.RoundCancelled)


def corrections_of(store: SqlStore, stream: str, number: int, after: int) -> list[Entry]:
    """Return the entries after this sequence number that correct the round."""
    found = entries_of(store, stream, e.RoundCorrected, after=after)
    return [entry for entry in found if getattr(decode(entry.body), "round", 0) == number]


def end_of_round(store: SqlStore, stream: str, number: int, sequence: int) -> Entry | None:
    """Return the entry with this sequence number if it ends the round or is its last correction;
    otherwise None."""
    ends = e.RoundSettled | e.RoundCancelled | e.RoundCorrected
    for entry in store.entries(stream, after=sequence - 1, limit=1):
        event = decode(entry.body)
        if entry.sequence != sequence or not isinstance(event, ends) or event.round != number:
            return None
        return None if corrections_of(store, stream, number, sequence) else entry
    return None


def entries_around(store: SqlStore, stream: str, number: int) -> list[Entry]:
    """Return the entries that a dispute over a round needs: the shoe's settings and events."""
    entries = round_entries(store, stream, number)
    before = entries[0].sequence if entries else 0
    begun = newest_of(store, stream, *SHOES, before=before, limit=1)
    if not begun:
        return []
    found = _shoe_from(store, stream, begun[0])
    if isinstance(decode(begun[0].body), e.ShoeBegun):  # corrections may follow the end of a shoe
        found += entries_of(store, stream, e.RoundCorrected, after=found[-1].sequence)
    return found


def shoe_around(store: SqlStore, stream: str, number: int) -> ShoeKnown:
    """Return the events of `entries_around`, up to the current head of the stream.

    A job reads the later events inside its commit.
    """
    through = store.head(stream).sequence  # read first, so that no later entry is missed
    entries = entries_around(store, stream, number)
    events = tuple(decode(entry.body) for entry in entries if entry.sequence <= through)
    return ShoeKnown(events, through)


def _shoe_from(store: SqlStore, stream: str, begun: Entry) -> list[Entry]:
    """Return the entry with the settings that a shoe began under, and all entries of the shoe."""
    first = begun.sequence
    settings = newest_of(store, stream, e.SettingsChanged, before=first, limit=1)
    shoe = _entries_until(store, stream, first - 1, e.ShoeEnded, e.ShoeClosed)
    return [*(settings or store.entries(stream, limit=1)), *shoe]


def _entries_until(store: SqlStore, stream: str, after: int, *ends: type[e.Event]) -> list[Entry]:
    """Return the entries after a number, up to the first of the types `ends` or to the end."""
    found: list[Entry] = []
    size = 64  # enough for a round; a shoe has about a thousand entries
    while batch := store.entries(stream, after=after, limit=size):
        for entry in batch:
            found.append(entry)
            if isinstance(decode(entry.body), ends):
                return found
        after, size = batch[-1].sequence, 1000
    return found


def rules_of(store: SqlStore, stream: str, digest: Hex) -> str:
    """Return the rules with this hash, found in the settings that the table has had."""
    kinds: tuple[type[e.SettingsChanged | e.TableOpened], ...] = (e.SettingsChanged, e.TableOpened)
    for event in newest_events(store, stream, *kinds):
        if rules_hash(event.settings.rules) == digest:
            return event.settings.rules
    raise LookupError(f"{stream} has had no rules with the hash {digest.hex()}")


def entries_of(
    store: SqlStore, stream: str, *kinds: type[e.Event], **between: Unpack[Between]
) -> list[Entry]:
    """Return the entries of these types between two entries, oldest first."""
    with store.engine.connect() as connection:
        return find_entries(connection, stream, kinds, **between)


def newest_of(
    store: SqlStore, stream: str, *kinds: type[e.Event], **between: Unpack[Between]
) -> list[Entry]:
    """Return the newest entries of these types between two entries, newest first."""
    with store.engine.connect() as connection:
        return find_entries(connection, stream, kinds, newest=True, **between)


def events_of(store: SqlStore, stream: str, *kinds: type[E], **between: Unpack[Between]) -> list[E]:
    """Return the events of these types between two entries, oldest first."""
    return _typed(entries_of(store, stream, *kinds, **between), kinds)


def newest_events(
    store: SqlStore, stream: str, *kinds: type[E], **between: Unpack[Between]
) -> list[E]:
    """Return the newest events of these types between two entries, newest first."""
    return _typed(newest_of(store, stream, *kinds, **between), kinds)


def _typed(entries: Sequence[Entry], kinds: tuple[type[E], ...]) -> list[E]:
    events = (event_of(entry.body) for entry in entries)
    return [event for event in events if isinstance(event, kinds)]


def count_of(store: SqlStore, stream: str, kind: type[e.Event], *, through: int) -> int:
    """Return the number of entries of a type, up to the entry `through`."""
    (row,) = store.rows(_COUNT, stream=stream, kind=kind.__name__, through=through)
    return int(row[0])


@dataclass(frozen=True)
class RoundResult:
    """The result of a round after any correction, or the reason why it was cancelled."""

    sequence: int
    at: int
    round: int
    coup: str | None
    winner: str | None
    void: e.CancelReason | None
    """Why the round was cancelled; None if it was not."""
    corrected: bool = False


def results(store: SqlStore, stream: str, *, before: int | None, limit: int) -> list[RoundResult]:
    """Return the corrected results of the newest rounds before an entry, newest first."""
    found: dict[int, RoundResult] = {}
    shown = 0  # last round of the previous page, which may end between a round's two entries
    if before is not None:
        last = store.entries(stream, after=before - 1, limit=1)
        shown = next((getattr(decode(entry.body), "round", 0) for entry in last), 0)
    while len(found) < limit:
        page = newest_of(store, stream, e.CoupDecided, e.RoundCancelled, before=before, limit=limit)
        for entry in page:
            result = _result(entry)
            if result.round != shown:
                found.setdefault(result.round, result)
        if len(page) < limit:
            break
        before = page[-1].sequence
    oldest = min((result.sequence for result in found.values()), default=0)
    for event in events_of(store, stream, e.RoundCorrected, after=oldest):
        if event.round in found:
            new = replace(found[event.round], coup=event.coup, winner=event.winner, corrected=True)
            found[event.round] = new
    return list(found.values())[:limit]


def _result(entry: Entry) -> RoundResult:
    event = decode(entry.body)
    if isinstance(event, e.RoundCancelled):
        return RoundResult(entry.sequence, event.at, event.round, None, None, event.reason)
    assert isinstance(event, e.CoupDecided)  # noqa: S101
    return RoundResult(entry.sequence, event.at, event.round, event.coup, event.winner, None)


def stream_of_shoe(store: SqlStore, shoe: bytes) -> str | None:
    """Return the stream of the table at which a shoe was used; None if the shoe is unknown."""
    row = store.row(s.shoes, shoe)
    return row.stream if row else None


def entries_of_shoe(store: SqlStore, stream: str, shoe: bytes) -> list[Entry]:
    """Return the entries for a shoe's document: its settings, then all entries of the shoe."""
    mark = f'"shoe":"{shoe.hex()}"'.encode()
    committed = (
        entry for entry in entries_of(store, stream, e.ShoeCommitted) if mark in entry.body
    )
    return next((_shoe_from(store, stream, entry) for entry in committed), [])


def orders_dealt(store: SqlStore, decks: int) -> Iterator[tuple[Card, ...]]:
    """Yield the card order of each revealed shoe with this number of decks."""
    for head in store.heads():
        seed = None
        for event in events_of(store, head.stream, e.ShoeReady, e.ShoeEnded):
            if isinstance(event, e.ShoeReady):
                seed = event.seed
            elif isinstance(event, e.ShoeEnded) and seed is not None:
                places, seed = dealing_order(seed, len(event.order)), None
                if len(event.order) == decks * DECK_SIZE:
                    yield tuple(event.order[place] for place in places)
