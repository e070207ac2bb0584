"""A case from the journal: what a dispute over a round must know of it.

In go the events of a shoe in their order, from the settings it was committed under to its end or
to now; out comes the case of one player and round. Cards are put in their place in the order of
dealing, so that what follows a coup is what really lay behind it; of real cards, that is the order
in which they were told, with everything that was put right since. The one rule: public events only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from baccarat.core.cards import Card
from baccarat.shoe.contributions import dealing_order
from baccarat.table import events as e
from baccarat.table.disputes import Case
from baccarat.table.floor import OF_FLOOR, PastRound, corrected, shifted
from baccarat.table.phases import OF_ROUNDS
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState, apply

DECK = 52
ENDS = (e.ShoeEnded, e.ShoeClosed)


@dataclass(frozen=True)
class ShoeKnown:
    """The events of a shoe that a journal held at one time: those never change, more follow."""

    events: tuple[e.Event, ...]
    through: int
    """The last entry of the table's journal at that time."""

    def with_later(self, later: Iterable[e.Event]) -> list[e.Event]:
        """The shoe's events once these have followed in the table's journal: those up to its end
        and, of real cards, what was put right even after it."""
        found = list(self.events)
        if not found:  # there was no such round
            return found
        by_hand = any(isinstance(event, e.ShoeBegun) for event in found)
        over = any(isinstance(event, ENDS) for event in found)
        for event in later:
            if not over or (by_hand and isinstance(event, e.RoundCorrected)):
                found.append(event)
            over = over or isinstance(event, ENDS)
        return found


def case_of(events: Sequence[e.Event], number: int, player: str) -> Case:
    """The case, or Refused: the player had no wager on the round, or it has no result."""
    by_hand = any(isinstance(event, e.ShoeBegun) for event in events)
    reading = _Told(number, player) if by_hand else _Promised(number, player)
    for event in events:
        reading.take(event)
    if reading.cancelled:
        words = f"round {number} was cancelled: it has no result, and stakes went back"
        raise Refused(Code.NO_SUCH_ROUND, words)
    if reading.result is None:
        words = f"{player} has no settled wager on round {number}: a dispute is about one's own"
        raise Refused(Code.NO_SUCH_ROUND, words)
    following = tuple(reading.following())  # which may show that no more will be seen
    return Case(
        round=number,
        rules=reading.rules,
        result=reading.result,
        agreed=reading.agreed,
        drawn=tuple(reading.drawn),
        following=following,
        over=reading.over,
    )


@dataclass
class _Reading:
    """A shoe while its events are read."""

    number: int
    player: str
    rules: str = ""
    drawn: Sequence[Card] = ()
    agreed: tuple[tuple[str, str], ...] = ()
    result: e.PlayerResult | None = None
    cancelled: bool = False
    over: bool = False
    """No other card of it will become known."""

    def take(self, event: e.Event) -> None:
        match event:
            case e.WagersPlaced() if self._mine(event.round) and event.player == self.player:
                self.agreed = event.agreed
            case e.RoundSettled() | e.RoundCorrected() if self._mine(event.round):
                mine = [one for one in event.results if one.player == self.player]
                self.result = mine[0] if mine else None
            case e.RoundCancelled() if self._mine(event.round):
                self.cancelled = True

    def _mine(self, number: int) -> bool:
        return number == self.number

    def following(self) -> Iterable[Card]:
        """The cards behind the coup, up to the first that nobody has seen."""
        raise NotImplementedError


@dataclass
class _Promised(_Reading):
    """One that the house has committed to."""

    settings_rules: str = ""
    order: tuple[int, ...] = ()
    """Positions in the order of dealing."""
    known: dict[int, Card] = field(default_factory=dict)
    """By position."""
    last: int = -1
    """The position of the coup's last card."""

    def take(self, event: e.Event) -> None:
        super().take(event)
        match event:
            case e.TableOpened() | e.SettingsChanged():
                self.settings_rules = event.settings.rules
            case e.ShoeCommitted():
                self.rules, self._cards = self.settings_rules, DECK * event.decks
            case e.ShoeReady():
                self.order = dealing_order(event.seed, self._cards)
            case e.CardDealt():
                self.known[event.card.position] = event.card.card
                if self._mine(event.round):
                    self.drawn = (*self.drawn, event.card.card)
                    self.last = event.card.position
            case e.ShoeEnded():
                self.known |= dict(enumerate(event.order))
                self.over = True

    def following(self) -> Iterable[Card]:
        for position in self.order[self.order.index(self.last) + 1 :]:
            if position not in self.known:
                return
            yield self.known[position]


@dataclass
class _Told(_Reading):
    """One of real cards: a dealer or the shoe itself has told them."""

    state: TableState | None = None
    out: Sequence[Card | None] = ()
    """What has left the shoe, and what is known to come."""
    end: int = 0
    """Where in it the coup ends."""

    def take(self, event: e.Event) -> None:
        if isinstance(event, e.TableOpened | e.SettingsChanged):
            before = self.state or TableState("", event.settings, sequence=0, at=0)
            self.state = replace(before, settings=event.settings)
        if self.state is None or type(event) not in OF_ROUNDS | OF_FLOOR:
            return
        floor = self.state.floor
        if isinstance(event, e.RoundCorrected) and floor.round(event.round) is None:
            return  # of an earlier shoe
        super().take(event)
        self.state = apply(self.state, event)
        after = self.state.floor
        match event:
            case e.ShoeBegun():
                if self.result is None:
                    self.rules, self.over = self.state.settings.rules, False
            case e.RoundSettled() if self._mine(event.round):
                self._lies(after.round(event.round))
            case e.RoundCorrected() if self._mine(event.round):
                self._lies(corrected(floor, event).round(event.round), floor.round(event.round))
            case e.RoundCorrected():
                past = floor.round(event.round)
                if past is not None and past.start < self.end and not self.over:
                    self.end += shifted(past, event)
            case e.ShoeClosed():
                self.over = True
        if after.shoe is not None and not self.over:
            resting = self.state.round.phase.resting
            drawn = 0 if resting else len(self.state.round.cards)
            back = takewhile(lambda card: card is not None, after.shoe.known[drawn:])
            self.out = (*after.shoe.out, *back)

    def _lies(self, past: PastRound | None, before: PastRound | None = None) -> None:
        """Where the coup lies now; once its shoe is closed, nothing is moved any more."""
        if past is None:
            return
        self.drawn = past.cards
        if self.over and before is not None:
            self.end += max(len(past.cards) - len(before.cards), 0)
        else:
            self.end = past.start + len(past.cards)

    def following(self) -> Iterable[Card]:
        for card in self.out[self.end :]:
            if card is None:
                self.over = True  # it lies face down
                return
            yield card
