"""Deck sets: the cards for one shoe, from the day they are received until they are retired.

A set is counted and shuffled for each shoe, by two people and for one table. The entry that records
this can be used for one shoe only, so a set is never in two shoes, and never in a shoe without
having been counted since the last one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.house.cards.events import (
    DECK_EVENTS,
    DeckCardChanged,
    DeckSetPrepared,
    DeckSetReceived,
    DeckSetRetired,
)
from baccarat.house.events import STREAM
from baccarat.house.outcomes import Outcome
from baccarat.house.people.roles import Action, check_may, person
from baccarat.house.ports import Clock, Job, Need, View
from baccarat.table.commands import BeginShoe
from baccarat.table.events import Event
from baccarat.table.journal import table_stream
from baccarat.table.refusals import Code, Refused, check_words

Numbered = Iterable[tuple[int, Event]]
"""Events with their numbers in the house's journal."""


@dataclass(frozen=True)
class DeckSet:
    """A set of decks, as the house's journal describes it."""

    id: str
    colour: str
    serials: tuple[str, ...]
    received_at: int
    prepared: int = 0
    """Number of the entry that recorded the last count and shuffle; 0 if there was none."""
    preparation: DeckSetPrepared | None = None
    changes: tuple[DeckCardChanged, ...] = ()
    retired: DeckSetRetired | None = None

    @property
    def cards(self) -> int:
        return len(self.serials) * DECK_SIZE

    @property
    def table(self) -> str:
        """The table that the set was last prepared for; empty if there is none."""
        return self.preparation.table if self.preparation else ""


def deck_sets(events: Numbered) -> dict[str, DeckSet]:
    """Return all deck sets by id."""
    sets: dict[str, DeckSet] = {}
    for number, event in events:
        match event:
            case DeckSetReceived():
                serials = event.serials
                sets[event.deck_set] = DeckSet(event.deck_set, event.colour, serials, event.at)
            case DeckSetPrepared():
                new = replace(sets[event.deck_set], prepared=number, preparation=event)
                sets[event.deck_set] = new
            case DeckCardChanged():
                known = sets[event.deck_set]
                sets[event.deck_set] = replace(known, changes=(*known.changes, event))
            case DeckSetRetired():
                sets[event.deck_set] = replace(sets[event.deck_set], retired=event)
    return sets


def with_deck_set(command: BeginShoe, table: str, events: Numbered) -> BeginShoe:
    """Return the command with the preparation of its deck set, or raise Refused."""
    known = _usable(deck_sets(events), command.deck_set)
    if known.table != table:
        raise Refused(Code.WRONG_PHASE, "deck-set-elsewhere", set=known.id)
    decks = len(known.serials)
    return msgspec.structs.replace(command, prepared=known.prepared, set_decks=decks)


def _usable(sets: Mapping[str, DeckSet], name: str) -> DeckSet:
    if name not in sets:
        raise Refused(Code.NO_SUCH_DECK_SET, "no-deck-set", set=name)
    if sets[name].retired:
        raise Refused(Code.NO_SUCH_DECK_SET, "deck-set-retired", set=name)
    return sets[name]


def receive(name: str, colour: str, serials: Sequence[str], by: str, clock: Clock) -> Job:
    """Return the job that records a new set and the serial numbers of its decks."""

    def work(view: View) -> Outcome:
        check_may(person(view.people, by), Action.KEEP_DECKS)
        sets = deck_sets(view.house_events(DECK_EVENTS))
        if name in sets:
            raise Refused(Code.NO_SUCH_DECK_SET, "deck-set-known", set=name)
        used = {serial for known in sets.values() for serial in known.serials}
        for place, serial in enumerate(serials):
            if serial in used or serial in serials[:place]:
                raise Refused(Code.NO_SUCH_DECK_SET, "serial-known", serial=serial)
        return Outcome((DeckSetReceived(view.now, name, by, colour, tuple(serials)),))

    return Job(Need(STREAM, people=(by,)), work, clock=clock)


def prepare(
    name: str, table: str, cards: int, shuffled_by: str, by: str, clock: Clock, *, last: str
) -> Job:
    """Return the job that records the count and shuffle of a set for one shoe at a table.

    `last` is the table that the set was last prepared for.
    """

    def decide(known: DeckSet, view: View) -> Event:
        shuffler = person(view.people, shuffled_by)
        check_may(shuffler, Action.DEAL)
        if shuffled_by == by:
            raise Refused(Code.NEEDS_TWO_PEOPLE, "shuffled-and-counted")
        if cards != known.cards:
            raise Refused(Code.WRONG_CARD, "cards-missing", counted=cards, cards=known.cards)
        return DeckSetPrepared(view.now, name, by, table, cards, shuffled_by)

    return _about(name, by, clock, decide, last=last, others=(shuffled_by,))


def change_card(
    name: str, card: Card, serial: str, words: str, by: str, clock: Clock, *, last: str
) -> Job:
    """Return the job that records the exchange of a card for one from a spare deck."""

    def decide(_: DeckSet, view: View) -> Event:
        check_words(words)
        return DeckCardChanged(view.now, name, by, card, serial, words)

    return _about(name, by, clock, decide, last=last)


def retire(name: str, words: str, by: str, clock: Clock, *, last: str) -> Job:
    """Return the job that takes a set out of use."""

    def decide(_: DeckSet, view: View) -> Event:
        check_words(words)
        return DeckSetRetired(view.now, name, by, words)

    return _about(name, by, clock, decide, last=last)


def _about(
    name: str,
    by: str,
    clock: Clock,
    decide: Callable[[DeckSet, View], Event],
    *,
    last: str,
    others: tuple[str, ...] = (),
) -> Job:
    """Return a job about a set that is not in a shoe; `last` is the table it was prepared for."""

    def work(view: View) -> Outcome:
        check_may(person(view.people, by), Action.KEEP_DECKS)
        known = _usable(deck_sets(view.house_events(DECK_EVENTS)), name)
        if known.table != last:
            raise Refused(Code.STALE_VIEW, "deck-set-moved", set=name)
        for state in view.others.values():
            shoe = state.manual.shoe if state else None
            if shoe is not None and shoe.deck_set == name:
                raise Refused(Code.WRONG_PHASE, "deck-set-in-shoe", set=name, table=last)
        return Outcome((decide(known, view),))

    also = (table_stream(last),) if last else ()
    return Job(Need(STREAM, people=(by, *others), also=also), work, clock=clock)
