"""What a table shows in addition to its round and shoe: cards, results and the last correction.

`state.apply` calls `display_after` for each event.
"""

from collections.abc import Iterable
from itertools import zip_longest

from msgspec.structs import replace

from baccarat.core.cards import Card, total
from baccarat.core.coup import Winner, parse_coup
from baccarat.core.misdeals import IrregularityKind
from baccarat.core.tableau import Hand, TurnReason
from baccarat.shoe.commitment import Hex, Source
from baccarat.table import events as e
from baccarat.table.codec import Value

SHUFFLER_RESULTS = 72
"""Number of results kept on display for a shuffler, which has no shoes: about one shoe's worth."""


class ShownCard(Value, frozen=True, omit_defaults=True):
    """A card on the felt; only a card of a committed shoe has a position, a nonce and a proof.

    total: The hand's total including this card.
    reason: For a third card, the row of the tableau that required it.
    """

    hand: Hand | None
    card: Card
    total: int
    reason: TurnReason | None = None
    position: int | None = None
    nonce: Hex | None = None
    proof: tuple[Hex, ...] = ()


class Decided(Value, frozen=True, omit_defaults=True):
    """The coup that the cards on the felt make.

    reason: Why no further card is drawn.
    """

    round: int
    coup: str
    winner: Winner
    reason: TurnReason | None = None


class ShownResult(Value, frozen=True):
    """A result on the roads."""

    round: int
    coup: str


class Announcement(Value, frozen=True, omit_defaults=True):
    """The last irregularity, correction, dismissed report or alarm, with its public details.

    type: The name of the event that it announces.
    until: The last round in which the announcement is shown.
    kind: What is irregular, or why the alarm was raised.
    card: The face of the irregular card.
    words: Why a report was dismissed, in the words of the person who decided.
    """

    type: str
    until: int
    round: int
    kind: str = ""
    card: str = ""
    words: str = ""
    winner: Winner | None = None
    coup: str = ""


class Display(Value, frozen=True):
    """What a table displays.

    corrections: The amounts that the correction in `notice` moved for each player.
    last_shoe: The results of the last shoe; a shuffler has no shoes, and keeps its results.
    """

    cards: tuple[ShownCard, ...] = ()
    decided: Decided | None = None
    results: tuple[ShownResult, ...] = ()
    notice: Announcement | None = None
    corrections: tuple[e.Correction, ...] = ()
    last_shoe: tuple[ShownResult, ...] = ()


NOTHING_SHOWN = Display()


def display_after(shown: Display, event: e.Event, number: int) -> Display:
    """Return the display after an event; `number` is the round number before it."""
    name = type(event).__name__
    match event:
        case e.ShoeCommitted():
            if event.source is Source.SHUFFLER:
                return replace(shown, results=shown.results[-SHUFFLER_RESULTS:])
            return _new_shoe(shown)
        case e.ShoeBegun():
            return _new_shoe(_without_notice(shown, e.AlarmRaised))
        case e.RoundOpened():
            shown = replace(shown, cards=(), decided=None)
            if shown.notice is not None and shown.notice.until < event.round:
                shown = replace(shown, notice=None, corrections=())
            return shown
        case e.CardDealt(card=opened):
            proof = (opened.position, opened.nonce, opened.proof)
            card = ShownCard(event.hand, opened.card, event.total, event.reason, *proof)
            return replace(shown, cards=(*shown.cards, card))
        case e.CardPlaced():
            card = ShownCard(event.hand, event.card, event.total, event.reason)
            if shown.notice is not None and shown.notice.kind == IrregularityKind.MISSING:
                shown = _without_notice(shown, e.IrregularityFound)
            return replace(shown, cards=(*shown.cards, card))
        case e.CoupDecided():
            shown = _without_notice(shown, e.IrregularityFound)
            decided = Decided(event.round, event.coup, event.winner, event.reason)
            results = (*shown.results, ShownResult(event.round, event.coup))
            return replace(shown, decided=decided, results=results)
        case e.RoundCancelled():
            shown = _without_notice(shown, e.IrregularityFound)
            return _without_result(shown, event.round)
        case e.FloorAnswered():
            return _without_notice(shown, e.FloorCalled)
        case e.FloorCalled():
            notice = Announcement(name, number + 1, number)
        case e.CoupRectified():
            cards = _laid(zip(event.hands, event.drawn, strict=False))
            shown = replace(_without_result(shown, event.round), cards=cards)
            notice = Announcement(name, event.round, event.round)
        case e.RoundCorrected():
            notice = Announcement(
                name, number + 1, event.round, winner=event.winner, coup=event.coup
            )
            return replace(_corrected(shown, event), notice=notice, corrections=event.corrections)
        case e.IrregularityFound(wrong=wrong):
            face = wrong.card.face() if wrong.card else ""
            notice = Announcement(name, event.round, event.round, wrong.kind, face)
        case e.ReportDismissed():
            notice = Announcement(name, number + 1, event.round, words=event.words)
        case e.AlarmRaised():
            notice = Announcement(name, number, number, event.alarm)
        case _:
            return shown
    return replace(shown, notice=notice, corrections=())


def _new_shoe(shown: Display) -> Display:
    return replace(shown, results=(), last_shoe=shown.results or shown.last_shoe)


def _without_notice(shown: Display, kind: type[e.Event]) -> Display:
    """Return the display without the announcement of such an event, once the matter has ended."""
    if shown.notice is None or shown.notice.type != kind.__name__:
        return shown
    return replace(shown, notice=None)


def _without_result(shown: Display, number: int) -> Display:
    """Return the display without the round's announced result, because it does not count."""
    if shown.decided is None or shown.decided.round != number:
        return shown
    return replace(shown, decided=None, results=shown.results[:-1])


def _corrected(shown: Display, event: e.RoundCorrected) -> Display:
    """Return the display with the corrected result in place of the original one."""
    results, last_shoe = (
        tuple(
            ShownResult(event.round, event.coup) if result.round == event.round else result
            for result in listed
        )
        for listed in (shown.results, shown.last_shoe)
    )
    shown = replace(shown, results=results, last_shoe=last_shoe)
    if shown.decided is None or shown.decided.round != event.round:
        return shown
    coup = parse_coup(event.coup)
    turns = zip_longest(coup.player, coup.banker)
    both = (pair for turn in turns for pair in zip(Hand, turn, strict=True))
    cards = _laid((hand, card) for hand, card in both if card is not None)
    decided = Decided(event.round, event.coup, event.winner)
    return replace(shown, cards=cards, decided=decided)


def _laid(cards: Iterable[tuple[Hand, Card]]) -> tuple[ShownCard, ...]:
    """Return the cards for display after a correction, each with the hand's total at that card."""
    hands: dict[Hand, list[Card]] = {hand: [] for hand in Hand}
    shown = []
    for hand, card in cards:
        hands[hand].append(card)
        shown.append(ShownCard(hand, card, total(hands[hand])))
    return tuple(shown)
