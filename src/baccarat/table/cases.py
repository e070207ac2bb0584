"""A case from the journal: what a dispute over a round must know of it.

In go the events of a shoe in their order, from the settings it was committed under to its end or
to now; out comes the case of one player and round. Cards are put in their place in the order of
dealing, so that what follows a coup is what really lay behind it. The one rule: public events only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from baccarat.core.cards import Card
from baccarat.shoe.contributions import dealing_order
from baccarat.table import events as e
from baccarat.table.disputes import Case
from baccarat.table.refusals import Code, Refused

DECK = 52


def case_of(events: Iterable[e.Event], number: int, player: str) -> Case:
    """The case, or Refused: the player had no wager on the round, or it has no result."""
    reading = _Reading(number, player)
    for event in events:
        reading.take(event)
    if reading.cancelled:
        words = f"round {number} was cancelled: it has no result, and stakes went back"
        raise Refused(Code.NO_SUCH_ROUND, words)
    if reading.result is None:
        words = f"{player} has no settled wager on round {number}: a dispute is about one's own"
        raise Refused(Code.NO_SUCH_ROUND, words)
    return Case(
        round=number,
        rules=reading.rules,
        result=reading.result,
        agreed=reading.agreed,
        drawn=tuple(reading.drawn),
        following=tuple(reading.following()),
        over=reading.over,
    )


@dataclass
class _Reading:
    """A shoe while its events are read."""

    number: int
    player: str
    rules: str = ""
    settings_rules: str = ""
    order: tuple[int, ...] = ()
    """Positions in the order of dealing."""
    known: dict[int, Card] = field(default_factory=dict)
    """By position."""
    drawn: list[Card] = field(default_factory=list)
    last: int = -1
    """The position of the coup's last card."""
    agreed: tuple[tuple[str, str], ...] = ()
    result: e.PlayerResult | None = None
    cancelled: bool = False
    over: bool = False

    def take(self, event: e.Event) -> None:
        match event:
            case e.TableOpened() | e.SettingsChanged():
                self.settings_rules = event.settings.rules
            case e.ShoeCommitted():
                self.rules, self._cards = self.settings_rules, DECK * event.decks
            case e.ShoeBegun():
                raise Refused(
                    Code.NOTHING_OPEN,
                    f"round {self.number} was dealt from real cards, whose order nobody can show: "
                    "speak to the pit",
                )
            case e.ShoeReady():
                self.order = dealing_order(event.seed, self._cards)
            case e.WagersPlaced() if self._mine(event.round) and event.player == self.player:
                self.agreed = event.agreed
            case e.CardDealt():
                self.known[event.card.position] = event.card.card
                if self._mine(event.round):
                    self.drawn.append(event.card.card)
                    self.last = event.card.position
            case e.RoundSettled() if self._mine(event.round):
                mine = [one for one in event.results if one.player == self.player]
                self.result = mine[0] if mine else None
            case e.RoundCancelled() if self._mine(event.round):
                self.cancelled = True
            case e.ShoeEnded():
                self.known |= dict(enumerate(event.order))
                self.over = True

    def _mine(self, number: int) -> bool:
        return number == self.number

    def following(self) -> Iterable[Card]:
        """The cards behind the coup, up to the first that nobody has seen."""
        for position in self.order[self.order.index(self.last) + 1 :]:
            if position not in self.known:
                return
            yield self.known[position]
