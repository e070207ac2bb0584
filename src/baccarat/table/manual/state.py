"""What only a table of real cards has: its dealer, its shoe, and coups that can still be put right.

`floor_after` follows the events; what happens to the round itself is `state`'s. The one rule: a
settled coup is kept until the first card of the next one and, if an error was reported by then,
until the report has been decided on. After that it is forgotten here, because it stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.core.misdeals import Wrong, perfect
from baccarat.core.tableau import Hand
from baccarat.shoe import Burn
from baccarat.shoe.scanned import Out
from baccarat.table import events as e
from baccarat.table.canonical import later
from baccarat.table.phases import NotNow, Phase
from baccarat.table.placed import Placed
from baccarat.table.rules import game_of
from baccarat.table.settings import Excess, Settings

if TYPE_CHECKING:
    from baccarat.table.state import Round


@dataclass(frozen=True)
class CardShoe:
    """A shoe of real cards."""

    shoe: bytes
    rules: str
    """Canonical content, pinned: a change of settings does not touch it."""
    decks: int
    out: Out = ()
    """Cards that have left it, in their order; None: face down."""
    start: int = 0
    """Where in `out` the coup begins that is being dealt, or was dealt last."""
    known: Out = ()
    """Cards that must come, from the first of this coup on, because they were taken back; None: any
    may come in this place."""
    burn_due: e.BurnReason | None = None
    owed: int = later(0)
    """Cards that were reported and then taken back, and may still be the next ones: they are burned
    before more bets."""
    cut_card_out: bool = False
    coups: int = 0
    coups_to_come: int | None = None
    """Known once the cut card is out and the coup has ended in which it came."""
    alarm: str = ""
    """Why no round is opened from it any more."""

    @property
    def next_known(self) -> bool:
        """Is the face of a card known that is still to come?"""
        return any(card is not None for card in self.known)

    @property
    def burns(self) -> int:
        """How many cards are burned when a burn is due, between rounds; after the shuffle, the
        least. What was taken back may lie behind the cards that must come."""
        return self.owed + len(self.known) if self.owed else 1

    @property
    def left(self) -> int:
        """Cards still in the shoe."""
        return self.decks * DECK_SIZE - len(self.out)

    @property
    def over(self) -> bool:
        return self.coups_to_come == 0


@dataclass(frozen=True)
class PastRound:
    """A settled round that can still be settled again."""

    number: int
    shoe: bytes
    rules: str
    start: int
    """Where in the shoe's `out` its cards begin."""
    cards: tuple[Card, ...]
    """In the order of drawing, as they were told."""
    wagers: dict[str, Placed]
    results: tuple[e.PlayerResult, ...]
    in_time: bool = True
    """The first card of the next coup has not been drawn."""
    dealers: tuple[str, ...] = later(())
    """Who dealt, announced or settled it."""


@dataclass(frozen=True)
class Report:
    """An error that somebody has reported in time."""

    round: int
    by: str
    words: str


@dataclass(frozen=True)
class Doubt:
    """A card that a device told where none was due."""

    card: Card
    hand: Hand | None
    words: str
    in_coup: bool = later(default=False)
    """It came after “no more bets”, when the round had no result yet."""


@dataclass(frozen=True)
class FloorState:
    """All of it."""

    dealer: str = ""
    """Who has the table; nobody is the empty text."""
    shoe: CardShoe | None = None
    past: tuple[PastRound, ...] = ()
    reports: tuple[Report, ...] = ()
    considered: bool = False
    """It was considered to rectify the round under way, in place of cancelling it."""
    alarm: str = later("")
    """Why the table stopped last; none since a shoe was begun."""
    result_known: bool = later(default=False)
    """The round's cards have finished a coup, announced or not, whatever was told since."""
    dealers: tuple[str, ...] = later(())
    """Who has dealt the round that is under way or was the last."""
    exposed: int = later(0)
    """Cards that were shown early since the round was opened."""
    early: tuple[str, ...] = later(())
    """What is said of them, until the first card of a coup."""
    doubts: tuple[Doubt, ...] = later(())
    """Cards that wait for the dealer to say what they were, in the order of their telling."""
    seen: bool = later(default=False)
    """A device has reported a card since “no more bets”, whatever the dealer said it was."""
    mistaken: tuple[Card, ...] = later(())
    """Cards of a device that the dealer called mistakes during this coup; until the pit confirms
    the coup's cards, it has no result."""

    def round(self, number: int) -> PastRound | None:
        return next((one for one in self.past if one.number == number), None)

    def dealers_of(self, number: int) -> tuple[str, ...]:
        """Who dealt a round that can still be corrected, or the one under way."""
        past = self.round(number)
        return self.dealers if past is None else past.dealers

    def reported(self, number: int) -> tuple[Report, ...]:
        return tuple(one for one in self.reports if one.round == number)


NO_FLOOR = FloorState()

OF_FLOOR = frozenset(
    {
        *(e.DealerChanged, e.ShoeBegun, e.BurnedByHand, e.IrregularityFound),
        *(e.ErrorReported, e.ReportDismissed, e.RectificationConsidered, e.RoundCorrected),
        *(e.AlarmRaised, e.ShoeClosed, e.CardInDoubt, e.CardExplained),
    }
)
"""Events that do not move the round on."""


def floor_after(
    floor: FloorState, event: e.Event, before: "Round", settings: Settings
) -> FloorState:
    """The floor after an event; `before` is the round before it."""
    match event:
        case e.DealerChanged():
            due = e.BurnReason.DEALER_CHANGE
            shoe = floor.shoe and replace(floor.shoe, burn_due=floor.shoe.burn_due or due)
            return replace(floor, dealer=event.dealer, shoe=shoe)
        case e.ShoeBegun() if floor.shoe is None:
            return replace(floor, shoe=_new_shoe(event, settings), alarm="")
        case e.ErrorReported():
            reports = (*floor.reports, Report(event.round, event.by, event.words))
            return replace(floor, reports=reports)
        case e.ReportDismissed():
            return _without_reports(floor, event.round)
        case e.RectificationConsidered():
            return replace(floor, considered=True)
        case e.RoundCorrected():
            return _without_reports(corrected(floor, event), event.round)
        case e.IrregularityFound():
            words = (event.words,) if event.kind is Wrong.EXPOSED else ()
            return replace(floor, early=(*floor.early, *words))
        case e.CardInDoubt():
            dealing = before.phase in (Phase.CLOSED, Phase.DEALING, Phase.DECIDED)
            in_coup = dealing and not floor.result_known
            doubt = Doubt(event.card, event.hand, event.words, in_coup)
            return replace(floor, doubts=(*floor.doubts, doubt), seen=floor.seen or dealing)
        case e.CardExplained():
            return _explained(floor, event)
        case e.ShoeClosed():
            return replace(floor, shoe=None)
        case e.RoundOpened():
            floor = replace(
                floor,
                considered=False,
                result_known=False,
                dealers=(),
                exposed=0,
                early=(),
                seen=False,
                mistaken=(),
            )
    shoe = floor.shoe
    if shoe is None:
        if type(event) in OF_FLOOR:
            raise NotNow(f"{type(event).__name__} cannot happen without a shoe of real cards")
        return floor  # a server deals
    if isinstance(event, e.CardPlaced | e.CoupRectified | e.CoupDecided | e.RoundSettled):
        floor = replace(floor, dealers=tuple(dict.fromkeys((*floor.dealers, event.dealer))))
    match event:
        case e.BurnedByHand():
            early = event.reason is e.BurnReason.EXPOSED
            floor, shoe = replace(floor, exposed=floor.exposed + early), _burned(shoe, event)
        case e.AlarmRaised():
            shoe, floor = replace(shoe, alarm=event.words), replace(floor, alarm=event.words)
        case e.CutCardShown():
            last = None if before.cards and not before.phase.resting else 1
            shoe = replace(shoe, cut_card_out=True, coups_to_come=last)
        case e.CardPlaced():
            if not before.cards:  # the first card of a coup: what was before it stands
                floor = replace(floor, past=_standing(floor), early=())
                shoe = replace(shoe, start=len(shoe.out))
            drawn = (*(card for _, card in before.cards), event.card)
            floor = replace(floor, result_known=floor.result_known or _over(shoe, drawn))
            shoe = replace(shoe, out=(*shoe.out, event.card))
        case e.CoupRectified():
            known = floor.result_known or _over(shoe, event.drawn)
            mistaken = () if event.by else floor.mistaken
            floor = replace(floor, result_known=known, mistaken=mistaken)
            shoe = _rectified(shoe, event)
        case e.CoupDecided():
            floor = replace(floor, result_known=True)
        case e.RoundSettled():
            floor = replace(floor, past=(*_standing(floor), _past(floor, shoe, event, before)))
            shoe = _coup_ended(shoe, len(before.cards))
        case e.RoundCancelled():
            kept = tuple(one for one in floor.reports if one.round != event.round)
            floor = replace(floor, reports=kept)
            shoe = _coup_ended(shoe, len(before.cards)) if before.cards else shoe
    return replace(floor, shoe=shoe)


def _owing(shoe: CardShoe, cards: int) -> CardShoe:
    """Cards that were reported and taken back may be the next ones: each of them is burned before
    more bets."""
    due = shoe.burn_due or e.BurnReason.TAKEN_BACK
    return replace(shoe, burn_due=due, owed=shoe.owed + cards) if cards > 0 else shoe


def _explained(floor: FloorState, event: e.CardExplained) -> FloorState:
    doubt, shoe, mistaken = floor.doubts[0], floor.shoe, floor.mistaken
    if event.was is e.CardWas.MISTAKE:
        shoe = shoe and _owing(shoe, 1)
        mistaken = (*mistaken, doubt.card) if doubt.in_coup else mistaken
    return replace(floor, doubts=floor.doubts[1:], shoe=shoe, mistaken=mistaken)


def _new_shoe(event: e.ShoeBegun, settings: Settings) -> CardShoe:
    due = None if settings.burn is Burn.NONE else e.BurnReason.AFTER_SHUFFLE
    return CardShoe(event.shoe, settings.rules, event.decks, burn_due=due)


def _over(shoe: CardShoe, drawn: Sequence[Card]) -> bool:
    """Do these cards finish a coup, as a perfect dealer deals them?"""
    return perfect(game_of(shoe.rules).tableau, drawn).deal.over


def _burned(shoe: CardShoe, event: e.BurnedByHand) -> CardShoe:
    """Those taken back go first, and are known although they lie face down; but one that is shown
    early in front of them leaves them where they are."""
    if event.reason is e.BurnReason.EXPOSED and shoe.known[:1] not in ((), (None,), event.shown):
        return replace(shoe, out=(*shoe.out, *event.shown))
    faces: list[Card | None] = [*(event.shown or shoe.known[: event.count])]
    faces += [None] * (event.count - len(faces))
    early = event.reason is e.BurnReason.EXPOSED
    due, owed = (shoe.burn_due, shoe.owed) if early else (None, 0)
    known = shoe.known[event.count :]
    return replace(shoe, out=(*shoe.out, *faces), known=known, burn_due=due, owed=owed)


def _rectified(shoe: CardShoe, event: e.CoupRectified) -> CardShoe:
    """A card that is burned lies before the coup from here on, so that the coup stays together."""
    drawn = event.drawn[: len(event.drawn) - len(event.excess)]
    burned = event.excess if event.goes is Excess.BURNED else ()
    back = event.excess if event.goes.goes_back else ()
    told = len(drawn) - len(shoe.known)  # what was only told can be told again
    shoe = _owing(shoe, len(event.told) - len(event.drawn))
    return replace(
        shoe,
        out=(*shoe.out[: shoe.start], *burned, *drawn),
        start=shoe.start + len(burned),
        known=(*shoe.known[: len(drawn)], *[None] * told, *back, *shoe.known[len(event.drawn) :]),
    )


def _coup_ended(shoe: CardShoe, cards: int) -> CardShoe:
    """After the cut card, one more; then the shoe is over."""
    shoe = replace(shoe, coups=shoe.coups + 1, known=shoe.known[cards:])
    if shoe.coups_to_come is not None:
        return replace(shoe, coups_to_come=shoe.coups_to_come - 1)
    return replace(shoe, coups_to_come=1) if shoe.cut_card_out else shoe


def _past(floor: FloorState, shoe: CardShoe, event: e.RoundSettled, before: "Round") -> PastRound:
    return PastRound(
        number=event.round,
        shoe=shoe.shoe,
        rules=shoe.rules,
        start=shoe.start,
        cards=tuple(card for _, card in before.cards),
        wagers=before.wagers,
        results=event.results,
        dealers=floor.dealers,
    )


def _standing(floor: FloorState) -> tuple[PastRound, ...]:
    """Only what was reported in time is kept any longer."""
    return tuple(replace(one, in_time=False) for one in floor.past if floor.reported(one.number))


def _without_reports(floor: FloorState, number: int) -> FloorState:
    reports = tuple(one for one in floor.reports if one.round != number)
    past = tuple(one for one in floor.past if one.in_time or one.number != number)
    return replace(floor, reports=reports, past=past)


def corrected(floor: FloorState, event: e.RoundCorrected) -> FloorState:
    """The floor after a settled round was settled again."""
    past = floor.round(event.round)
    if past is None:
        raise NotNow(f"round {event.round} cannot be corrected: it stands")
    kept = event.drawn[: len(event.drawn) - len(event.excess)]
    new = replace(past, cards=kept, results=event.results)
    shoe = floor.shoe
    if shoe is None or shoe.shoe != past.shoe:
        others = tuple(new if one is past else one for one in floor.past)
        return replace(floor, past=others)
    burned = event.excess if event.goes is Excess.BURNED else ()
    shift = shifted(past, event)
    new = replace(new, start=past.start + len(burned))
    others = tuple(
        new if one is past else replace(one, start=one.start + shift * (one.start > past.start))
        for one in floor.past
    )
    followed = len(shoe.out) - past.start - len(past.cards)
    drawn_now = max(len(kept) - len(past.cards) - followed, 0)
    back = event.excess if event.goes.goes_back else ()
    shoe = _owing(shoe, len(past.cards) - len(event.drawn) - followed)
    shoe = replace(
        shoe,
        out=out_corrected(shoe.out, past, kept, burned),
        start=shoe.start + (shift if shoe.start > past.start else len(burned)),
        known=(*back, *shoe.known[drawn_now:]),
    )
    return replace(floor, shoe=shoe, past=others)


def shifted(past: PastRound, event: e.RoundCorrected) -> int:
    """By how many places the cards after a coup moved when it was settled again."""
    burned = len(event.excess) if event.goes is Excess.BURNED else 0
    kept = len(event.drawn) - len(event.excess)
    return burned + min(kept - len(past.cards), 0)


def out_corrected(out: Out, past: PastRound, kept: Sequence[Card], burned: Sequence[Card]) -> Out:
    """A shoe's cards when a coup took others than it was told.

    A card that the coup needs besides its own is the one that followed it, whatever became of that
    since; if none has followed, it is drawn now.
    """
    end = past.start + len(past.cards)
    own, more = kept[: len(past.cards)], kept[len(past.cards) :]
    follow = out[end:]
    turned_up = more[: len(follow)]
    return (
        *out[: past.start],
        *burned,
        *own,
        *turned_up,
        *follow[len(turned_up) :],
        *more[len(turned_up) :],
    )
