"""A shoe's public document, from the events of its table.

In go the events of a journal in their order; out comes the SHOE.json of one shoe (docs/fairness.md)
as far as it has been dealt. The one rule: it is made of public events alone, so anyone who has the
journal can make it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.tableau import Hand
from baccarat.shoe.commitment import OpenedCard, Terms
from baccarat.shoe.contributions import Contribution
from baccarat.shoe.document import CoupRecord, Reveal, ShoeRecord, document
from baccarat.table import events as e


def shoe_document(events: Iterable[e.Event], shoe: bytes) -> dict[str, Any]:
    """The document of the shoe of this id."""
    rules, reading = "", None
    for event in events:
        if isinstance(event, e.TableOpened | e.SettingsChanged):
            rules = event.settings.rules
        elif isinstance(event, e.ShoeCommitted) and event.shoe == shoe:
            terms = Terms(shoe, event.source, event.decks, event.cut, event.burn, event.rules)
            reading = _Reading(ShoeRecord(terms, rules, event.root))
        elif reading is not None and reading.record.ended is None:
            reading.take(event)
    if reading is None:
        raise BaccaratError(f"there is no shoe {shoe.hex()} in this journal: name one that is")
    return document(reading.whole())


@dataclass
class _Reading:
    """The record of a shoe while its events are read."""

    record: ShoeRecord
    contributions: dict[str, Contribution] = field(default_factory=dict)
    """By player."""
    coups: dict[int, list[tuple[Hand, OpenedCard]]] = field(default_factory=dict)
    """By round."""
    decided: set[int] = field(default_factory=set)
    cancelled: set[int] = field(default_factory=set)

    def take(self, event: e.Event) -> None:
        match event:
            case e.ContributionCommitted():
                self.contributions[event.player] = Contribution(event.name, event.commitment)
            case e.ContributionRevealed():
                promised = self.contributions[event.player]
                self.contributions[event.player] = replace(promised, secret=event.secret)
            case e.ShoeReady():
                self.record = replace(self.record, ready=True)
            case e.CardsBurned():
                self.record = replace(self.record, burned=event.count, shown=event.shown)
            case e.CardDealt():
                self.coups.setdefault(event.round, []).append((event.hand, event.card))
            case e.CoupDecided():
                self.decided.add(event.round)
            case e.RoundCancelled():
                self.cancelled.add(event.round)
            case e.ShoeEnded():
                reveal = Reveal(event.order, event.key)
                self.record = replace(self.record, ended=str(event.reason), reveal=reveal)

    def whole(self) -> ShoeRecord:
        cut_short = self.cancelled - self.decided
        coups = tuple(
            CoupRecord(tuple(cards), cut_short=number in cut_short)
            for number, cards in self.coups.items()
        )
        contributions = tuple(self.contributions.values())
        return replace(self.record, contributions=contributions, coups=coups)
