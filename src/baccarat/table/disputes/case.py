"""Builds a player's case about a round from the journal: the facts needed to decide a dispute.

The events of a shoe, from the settings it began under to its end or to the present, are folded into
the table's state. Cards are kept in the order of dealing, so that the cards listed after a coup are
those that really followed it. For real cards, that is the order in which they were reported, with
all later corrections.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from baccarat.core.cards import Card
from baccarat.shoe.contributions import dealing_order
from baccarat.table import events as e
from baccarat.table.disputes.replay import Case
from baccarat.table.manual.state import OF_MANUAL, PastRound, corrected, shifted
from baccarat.table.phases import OF_ROUNDS, OF_SHOES
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState, apply

FOLDED = OF_ROUNDS | OF_SHOES | OF_MANUAL
ENDS = (e.ShoeEnded, e.ShoeClosed)


@dataclass(frozen=True)
class ShoeKnown:
    """The events of a shoe that were in the journal at a given time.

    These events never change, but more events may follow.
    """

    events: tuple[e.Event, ...]
    through: int
    """Number of the last entry of the table's journal at that time."""

    def with_later(self, later: Iterable[e.Event]) -> list[e.Event]:
        """Return the shoe's events, including those from later in the table's journal.

        Events after the shoe's end are left out, except corrections of real cards.
        """
        found = list(self.events)
        if not found:  # the round does not exist
            return found
        by_hand = any(isinstance(event, e.ShoeBegun) for event in found)
        over = any(isinstance(event, ENDS) for event in found)
        for event in later:
            if not over or (by_hand and isinstance(event, e.RoundCorrected)):
                found.append(event)
            over = over or isinstance(event, ENDS)
        return found


def case_of(events: e.Events, number: int, player: str) -> Case:
    """Return a player's case about a round.

    Raise Refused if the player had no wager on the round, or if the round has no result.
    """
    by_hand = any(isinstance(event, e.ShoeBegun) for event in events)
    kind: type[_RealShoe | _CommittedShoe] = _RealShoe if by_hand else _CommittedShoe
    reading = kind(number, player)
    for event in events:
        reading.take(event)
    if reading.cancelled:
        raise Refused(Code.NO_SUCH_ROUND, "cancelled-round", round=number)
    if reading.result is None:
        raise Refused(Code.NO_SUCH_ROUND, "no-settled-bet", round=number, player=player)
    following = tuple(reading.following())  # may set `reading.over`
    drawn = tuple(reading.drawn)
    facts = (number, reading.rules, reading.result, drawn, following, reading.over)
    involved = frozenset(reading.dealers)
    return Case(*facts, settled_at=reading.settled_at, involved=involved)


@dataclass
class _Reading:
    """Collects the facts of the case while the events of a shoe are read."""

    number: int
    player: str
    state: TableState | None = None
    rules: str = ""
    drawn: Sequence[Card] = ()
    result: e.PlayerResult | None = None
    cancelled: bool = False
    over: bool = False
    """Whether no more cards of the shoe will become known."""
    end: int = 0
    """Index of the first card after the coup."""
    settled_at: int = 0
    dealers: Sequence[str] = ()
    """The dealers of the round; empty if a server dealt it."""

    def take(self, event: e.Event) -> None:
        """Apply one more event to the state, without other players' wagers."""
        if isinstance(event, e.TableOpened | e.SettingsChanged):
            before = self.state or TableState("", event.settings, sequence=0, at=0)
            self.state = replace(before, settings=event.settings)
        if self.state is None or type(event) not in FOLDED:
            return
        if isinstance(event, e.WagersPlaced) and event.player != self.player:
            return
        if isinstance(event, e.RoundCorrected) and self.state.manual.round(event.round) is None:
            return  # the event belongs to an earlier shoe
        before, self.state = self.state, apply(self.state, event)
        self.follow(event, before, self.state)

    def follow(self, event: e.Event, _before: TableState, after: TableState) -> None:
        """Record what an event reveals about the round."""
        if getattr(event, "round", 0) != self.number:
            return
        match event:
            case e.RoundSettled() | e.RoundCorrected():
                results = (result for result in event.results if result.player == self.player)
                self.result = next(results, None)
                if isinstance(event, e.RoundSettled):
                    self.rules, self.settled_at = after.rules, event.at
            case e.RoundCancelled():
                self.cancelled = True


@dataclass
class _CommittedShoe(_Reading):
    """Collects the facts from a shoe that the house has committed to."""

    order: tuple[int, ...] = ()
    """Positions of the committed cards, in the order of dealing."""
    known: dict[int, Card] = field(default_factory=dict)
    """Cards by position."""

    def follow(self, event: e.Event, before: TableState, after: TableState) -> None:
        super().follow(event, before, after)
        match event:
            case e.ShoeReady() if after.shoe:
                self.order = dealing_order(event.seed, after.shoe.terms.cards)
            case e.CardDealt():
                self.known[event.card.position] = event.card.card
            case e.RoundSettled() if after.shoe and event.round == self.number:
                self.drawn = after.round.drawn
                self.end = after.shoe.progress.place
            case e.ShoeEnded():
                self.known |= dict(enumerate(event.order))
                self.over = True

    def following(self) -> Iterable[Card]:
        """Return the cards after the coup, up to the first card that nobody has seen."""
        seen = takewhile(self.known.__contains__, self.order[self.end :])
        return (self.known[position] for position in seen)


@dataclass
class _RealShoe(_Reading):
    """Collects the facts from a shoe of real cards, reported by a dealer or by the shoe itself."""

    out: Sequence[Card | None] = ()
    """Cards that have left the shoe, followed by those that are known to come next."""

    def follow(self, event: e.Event, before: TableState, after: TableState) -> None:
        super().follow(event, before, after)
        match event:
            case e.RoundSettled() if event.round == self.number:
                self._record_cards(after.manual.round(event.round))
                shoe = before.manual.shoe
                self.over = shoe is not None and shoe.shuffler  # its cards have gone back
            case e.RoundCorrected() if event.round == self.number:
                past = corrected(before.manual, event).round(event.round)
                self._record_cards(past, before.manual.round(event.round))
            case e.RoundCorrected():
                past = before.manual.round(event.round)
                if past is not None and past.start < self.end and not self.over:
                    self.end += shifted(past, event)
            case e.ShoeClosed():
                self.over = True
        if after.manual.shoe is not None and not self.over:
            drawn = 0 if after.round.phase.resting else len(after.round.cards)
            back = takewhile(lambda card: card is not None, after.manual.shoe.known[drawn:])
            self.out = (*after.manual.shoe.out, *back)

    def _record_cards(self, past: PastRound | None, before: PastRound | None = None) -> None:
        """Record the coup's cards and dealers, and the index at which its cards end in `out`.

        Once the shoe is closed, a correction moves that index only by the number of cards it adds.
        """
        if past is None:
            return
        self.drawn, self.dealers = past.cards, past.dealers
        if self.over and before is not None:
            self.end += max(len(past.cards) - len(before.cards), 0)
        else:
            self.end = past.start + len(past.cards)

    def following(self) -> Iterable[Card]:
        """Yield the cards after the coup, up to the first card that nobody has seen."""
        for card in self.out[self.end :]:
            if card is None:
                self.over = True  # the card was burned face down
                return
            yield card
