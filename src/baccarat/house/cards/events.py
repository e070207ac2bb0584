"""House events about deck sets: received, prepared, changed and retired."""

from baccarat.core.cards import Card
from baccarat.table.events import Event


class _OfDeckSet(Event, frozen=True):
    """Base class of events about one deck set, which a member of the pit records."""

    deck_set: str
    by: str


class DeckSetReceived(_OfDeckSet, frozen=True):
    """A set of decks for one shoe was received, with the serial number of every deck."""

    colour: str
    serials: tuple[str, ...]


class DeckSetPrepared(_OfDeckSet, frozen=True):
    """A set was counted and shuffled for one shoe at a table."""

    table: str
    cards: int
    """Number of cards that were counted."""
    shuffled_by: str
    """The member of staff who shuffled; someone other than `by`, who counted."""


class DeckCardChanged(_OfDeckSet, frozen=True):
    """A damaged or marked card was exchanged for the same card of a spare deck."""

    card: Card
    serial: str
    """Serial number of the spare deck."""
    words: str


class DeckSetRetired(_OfDeckSet, frozen=True):
    """A set was taken out of use; it is never used again."""

    words: str


DECK_EVENTS = (DeckSetReceived, DeckSetPrepared, DeckCardChanged, DeckSetRetired)
