"""State that only a table with real cards has: its dealer, its shoe and the correctable rounds.

`manual_after` returns this state after an event; the round itself is in `table.state`. A settled
round is kept as long as errors in it can be reported: where a cut-off applies (R43), until the
first card of the next coup; elsewhere, until the first card of the next shoe. If an error has been
reported by then, the round is kept until the report is decided on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from baccarat.core.cards import Card
from baccarat.core.misdeals import Irregularity, IrregularityKind, deal_correctly
from baccarat.core.wagers import PlacedWagers
from baccarat.shoe.commitment import Hex
from baccarat.shoe.scanned import CardsOut
from baccarat.table import events as e
from baccarat.table.manual.card_shoe import (
    CardShoe,
    after_burn,
    after_burn_correction,
    after_coup,
    after_rectification,
    new_shoe,
    with_burn_due,
)
from baccarat.table.phases import InvalidTransition, Phase, Round
from baccarat.table.rules import game_of
from baccarat.table.settings import Excess, Settings


@dataclass(frozen=True)
class PastRound:
    """A settled round that can still be corrected."""

    number: int
    shoe: Hex
    rules: str
    start: int
    """Index in the shoe's `out` at which the round's cards begin."""
    cards: tuple[Card, ...]
    """The cards of the coup in the order of drawing, as they were reported."""
    wagers: dict[str, PlacedWagers]
    results: tuple[e.PlayerResult, ...]
    cut_off: bool = True
    """Whether errors can be reported only until the first card of the next coup."""
    followed: bool = False
    """Whether another coup has begun since."""
    in_time: bool = True
    """Whether errors can still be reported."""
    dealers: tuple[str, ...] = ()
    """Everyone who dealt, announced or settled the round."""


@dataclass(frozen=True)
class Doubt:
    """A card that a device reported when none was due."""

    event: e.CardInDoubt
    in_coup: bool = False
    """Whether the card came during a coup: after “no more bets”, and not after a complete coup
    whose cards were all sent by a device."""


@dataclass(frozen=True)
class ManualState:
    """The state that only a table with real cards has."""

    dealer: str = ""
    """The dealer who has the table; empty if there is none."""
    called: e.FloorCalled | None = None
    """The dealer's call for the floor that the pit has not answered; the table is frozen."""
    shoe: CardShoe | None = None
    prepared: int = 0
    """Number of the entry in the house's journal that recorded the count and shuffle of the last
    deck set used here; the next shoe needs a later entry."""
    owed: int = 0
    """Number of cards of the last shoe that were seen but not drawn. If the next shoe is not
    shuffled, they may be its first cards, so the same number of cards is burned from it."""
    past: tuple[PastRound, ...] = ()
    reports: tuple[e.ErrorReported, ...] = ()
    """Errors that were reported in time and have not been decided on."""
    dismissed: tuple[tuple[int, str], ...] = ()
    """Round and reporter of each dismissed report, as long as errors in the round can be reported.
    A report that a device's card caused is left out."""
    considered: bool = False
    """Whether someone has stated why the current round cannot be rectified."""
    alarm: e.AlarmRaised | None = None
    """The last alarm; no more rounds are opened until a new shoe has begun."""
    result_known: bool = False
    """Whether the round's cards have ever made a complete coup, announced or not."""
    dealers: tuple[str, ...] = ()
    """Everyone who has dealt the current or the last round."""
    exposed: int = 0
    """Number of cards that were shown early since the round was opened."""
    early: tuple[Irregularity, ...] = ()
    """The cards that were shown early, kept until the first card of a coup."""
    doubts: tuple[Doubt, ...] = ()
    """Cards that the dealer must explain, in the order they were reported."""
    reported_cards: tuple[Card, ...] = ()
    """All cards reported since “no more bets”, by the dealer or a device."""
    sent: tuple[bool, ...] = ()
    """For each card of the coup, whether a device sent exactly this card."""
    mistaken: tuple[Card, ...] = ()
    """Cards that a device sent during this coup and the dealer did not accept as sent: cards that
    the dealer called mistakes, placed elsewhere than the device stated, or counted as excess in a
    coup with keyed cards. The coup has no result until the pit confirms its cards."""

    def round(self, number: int) -> PastRound | None:
        return next((one for one in self.past if one.number == number), None)

    def coup_complete(self, current: Round) -> bool:
        """Return whether the coup of the current round, which is not over, is complete."""
        return self.result_known and not current.phase.resting

    def taken_back(self, cards: Sequence[Card]) -> list[Card]:
        """Return the cards reported since “no more bets” that are not in `cards`."""
        return _without(self.reported_cards, cards)

    def dealers_of(self, number: int) -> tuple[str, ...]:
        """Return who dealt a round that can still be corrected, or the current round."""
        past = self.round(number)
        return self.dealers if past is None else past.dealers

    def reported(self, number: int) -> tuple[e.ErrorReported, ...]:
        return tuple(report for report in self.reports if report.round == number)


def _without(cards: Sequence[Card], others: Sequence[Card]) -> list[Card]:
    """Return the cards that are left after removing one copy for each of the others."""
    left = list(cards)
    for card in others:
        if card in left:
            left.remove(card)
    return left


NOTHING_MANUAL = ManualState()
KEPT_FROM_ROUND_TO_ROUND = (
    "dealer",
    "called",
    "shoe",
    "prepared",
    "past",
    "reports",
    "dismissed",
    "alarm",
    "doubts",
)

OF_MANUAL = frozenset(
    {
        *(e.DealerChanged, e.ShoeBegun, e.BurnedByHand, e.IrregularityFound),
        *(e.ErrorReported, e.ReportDismissed, e.RectificationConsidered, e.RoundCorrected),
        *(e.AlarmRaised, e.ShoeClosed, e.CardInDoubt, e.CardExplained),
        *(e.FloorCalled, e.FloorAnswered, e.BurnCorrected, e.CutCardTakenBack),
        *(e.CardRead, e.ReadingDisputed),
    }
)
"""Events at a table with real cards that leave the phase of the round unchanged."""


def manual_after(
    manual: ManualState, event: e.Event, before: Round, settings: Settings
) -> ManualState:
    """Return the state after an event; `before` is the round before the event."""
    match event:
        case e.DealerChanged():
            due = e.BurnReason.DEALER_CHANGE
            shoe = manual.shoe and replace(manual.shoe, burn_due=manual.shoe.burn_due or due)
            return replace(manual, dealer=event.dealer, shoe=shoe)
        case e.FloorCalled():
            return replace(manual, called=event)
        case e.FloorAnswered():
            return replace(manual, called=None)
        case e.ShoeBegun() if manual.shoe is None:
            prepared = event.prepared or manual.prepared
            shoe = new_shoe(event, settings, manual.owed)
            return replace(manual, shoe=shoe, prepared=prepared, alarm=None)
        case e.ErrorReported():
            return replace(manual, reports=(*manual.reports, event))
        case e.ReportDismissed():
            made = [one.by for one in manual.reported(event.round) if one.card is None]
            rounds = {before.number, *(past.number for past in manual.past)}
            earlier = (one for one in manual.dismissed if one[0] in rounds)
            dismissed = (*earlier, *((event.round, by) for by in made))
            return replace(_without_reports(manual, event.round), dismissed=dismissed)
        case e.RectificationConsidered():
            return replace(manual, considered=True)
        case e.RoundCorrected():
            return _without_reports(corrected(manual, event), event.round)
        case e.IrregularityFound():
            early = (event.wrong,) if event.wrong.kind is IrregularityKind.EXPOSED else ()
            return replace(manual, early=(*manual.early, *early))
        case e.CardInDoubt():
            dealing = before.phase in (Phase.CLOSED, Phase.DEALING, Phase.DECIDED)
            in_coup = dealing and not (manual.result_known and all(manual.sent))
            reported = (*manual.reported_cards, *([event.card] if dealing else []))
            doubts = (*manual.doubts, Doubt(event, in_coup))
            return replace(manual, reported_cards=reported, doubts=doubts)
        case e.CardExplained():
            return _explained(manual, event, len(before.cards))
        case e.ShoeClosed() if manual.shoe is not None:
            return replace(manual, shoe=None, owed=manual.shoe.owed + len(manual.shoe.known))
        case e.RoundOpened():
            kept = {name: getattr(manual, name) for name in KEPT_FROM_ROUND_TO_ROUND}
            manual = ManualState(**kept)
    if manual.shoe is None:
        if type(event) in OF_MANUAL:
            raise InvalidTransition(
                f"{type(event).__name__} cannot happen without a shoe of real cards"
            )
        return manual  # a server deals this table
    return _with_shoe_after(manual, manual.shoe, event, before, settings)


def _with_shoe_after(
    manual: ManualState, shoe: CardShoe, event: e.Event, before: Round, settings: Settings
) -> ManualState:
    """Return the state after an event that may affect the shoe."""
    if isinstance(event, e.CardPlaced | e.CoupRectified | e.CoupDecided | e.RoundSettled):
        manual = replace(manual, dealers=tuple(dict.fromkeys((*manual.dealers, event.dealer))))
    match event:
        case e.BurnedByHand():
            early = event.reason is e.BurnReason.EXPOSED
            manual, shoe = replace(manual, exposed=manual.exposed + early), after_burn(shoe, event)
        case e.AlarmRaised():
            manual = replace(manual, alarm=event)
        case e.BurnCorrected():
            shoe = after_burn_correction(shoe, event)
        case e.CutCardShown():
            last = None if before.cards and not before.phase.resting else 1
            done = shoe.coups + manual.coup_complete(before)
            shoe = replace(shoe, cut_card_out=True, cut_after=done, coups_to_come=last)
        case e.CutCardTakenBack():
            shoe = replace(shoe, cut_card_out=False, coups_to_come=None)
        case e.CardPlaced():
            if not before.cards:  # first card of a coup: with a cut-off, results now stand
                manual = replace(manual, past=_kept(manual, shoe), early=())
                shoe = replace(shoe, start=len(shoe.out))
            known = manual.result_known or _over(shoe, (*before.drawn, event.card))
            reported = (*manual.reported_cards, event.card)
            sent = (*manual.sent, event.device)
            manual = replace(manual, result_known=known, sent=sent, reported_cards=reported)
            readings = shoe.readings.after_entry((event.card,), device=event.device)
            shoe = replace(shoe, out=(*shoe.out, event.card), readings=readings)
        case e.CardRead():
            shoe = replace(shoe, readings=shoe.readings.after_reading())
        case e.CoupRectified():
            known = manual.result_known or _over(shoe, event.drawn)
            mistaken = () if event.by else manual.mistaken
            sent = _still_sent(manual.sent, event)
            new = _without(event.drawn, manual.reported_cards)
            manual = replace(manual, result_known=known, sent=sent, mistaken=mistaken)
            manual = replace(manual, reported_cards=(*manual.reported_cards, *new))
            shoe = after_rectification(shoe, event)
        case e.CoupDecided():
            manual = replace(manual, result_known=True)
        case e.RoundSettled():
            past = _past(manual, shoe, event, before)
            cut_off = shoe.shuffler or has_cut_off(shoe.rules, settings)
            past = replace(past, cut_off=cut_off)
            manual = replace(manual, past=(*_kept(manual, shoe), past))
            shoe = after_coup(shoe, len(before.cards))
        case e.RoundCancelled():
            manual = _without_reports(manual, event.round)
            shoe = after_coup(shoe, len(before.cards)) if before.cards else shoe
    return replace(manual, shoe=shoe)


def _explained(manual: ManualState, event: e.CardExplained, cards: int) -> ManualState:
    """Return the state after a card was explained; `cards` is the number of cards on the table."""
    doubt, shoe, mistaken = manual.doubts[0], manual.shoe, manual.mistaken
    card = doubt.event.card
    place = (doubt.event.for_place or 0) if doubt.event.for_round == doubt.event.round else 0
    taken = 0 < place <= cards  # another card is in that place
    discarded = event.was is e.CardExplanation.DRAWN and (manual.result_known or taken)
    if event.was is e.CardExplanation.MISTAKE:
        discarded = True
        if shoe is not None:
            shoe = replace(with_burn_due(shoe, 1), readings=shoe.readings.after_mistake())
    if discarded and doubt.in_coup:
        mistaken = (*mistaken, card)
    manual = replace(manual, doubts=manual.doubts[1:], shoe=shoe, mistaken=mistaken)
    if event.was is e.CardExplanation.DRAWN:  # CardPlaced follows
        reported = tuple(_without(manual.reported_cards, (card,)))
        return replace(manual, reported_cards=reported)
    return manual


def _still_sent(sent: tuple[bool, ...], event: e.CoupRectified) -> tuple[bool, ...]:
    """Return, for each card that the rectified coup keeps, whether a device sent it."""
    return tuple(
        place < len(sent) and sent[place] and event.recorded[place] == card
        for place, card in enumerate(event.drawn[: len(event.hands)])
    )


def _over(shoe: CardShoe, drawn: Sequence[Card]) -> bool:
    """Return whether these cards make a complete coup when a perfect dealer deals them."""
    return deal_correctly(game_of(shoe.rules).tableau, drawn).deal.over


def _past(manual: ManualState, shoe: CardShoe, event: e.RoundSettled, before: Round) -> PastRound:
    dealt = (event.round, shoe.shoe, shoe.rules, shoe.start, before.drawn)
    return PastRound(*dealt, before.wagers, event.results, dealers=manual.dealers)


def has_cut_off(rules: str, settings: Settings) -> bool:
    """Return whether results become final at the first card of the next coup (R43).

    The cut-off applies if the rule card declares it or the house file adds it.
    """
    return settings.error_cut_off or game_of(rules).card.procedures.errors_until_next_coup


def _kept(manual: ManualState, shoe: CardShoe) -> tuple[PastRound, ...]:
    """Return the past rounds to keep once a coup from this shoe has begun.

    Those are the rounds in which errors can still be reported, or have been reported in time.
    """
    rounds = (
        replace(one, followed=True, in_time=not one.cut_off and shoe.dealt(one.shoe))
        for one in manual.past
    )
    return tuple(one for one in rounds if one.in_time or manual.reported(one.number))


def _without_reports(manual: ManualState, number: int) -> ManualState:
    reports = tuple(report for report in manual.reports if report.round != number)
    past = tuple(one for one in manual.past if one.in_time or one.number != number)
    return replace(manual, reports=reports, past=past)


def corrected(manual: ManualState, event: e.RoundCorrected) -> ManualState:
    """Return the state after a settled round was settled again."""
    past = manual.round(event.round)
    if past is None:
        raise InvalidTransition(f"round {event.round} cannot be corrected: its result is final")
    kept = event.drawn[: len(event.drawn) - len(event.excess)]
    new = replace(past, cards=kept, results=event.results)
    shoe = manual.shoe
    if shoe is None or not shoe.dealt(past.shoe):
        others = tuple(new if one is past else one for one in manual.past)
        return replace(manual, past=others)
    burned = event.excess if event.goes is Excess.BURNED else ()
    shift = shifted(past, event)
    new = replace(new, start=past.start + len(burned))
    others = tuple(
        new if one is past else replace(one, start=one.start + shift * (one.start > past.start))
        for one in manual.past
    )
    followed = len(shoe.out) - past.start - len(past.cards)
    drawn_now = max(len(kept) - len(past.cards) - followed, 0)
    back = event.excess if event.goes is Excess.RETURNED else ()
    shoe = with_burn_due(shoe, len(past.cards) - len(event.drawn) - followed)
    shoe = replace(
        shoe,
        out=out_corrected(shoe.out, past, kept, burned),
        start=shoe.start + (shift if shoe.start > past.start else len(burned)),
        known=(*back, *shoe.known[drawn_now:]),
    )
    return replace(manual, shoe=shoe, past=others)


def shifted(past: PastRound, event: e.RoundCorrected) -> int:
    """Return by how many places the cards after a coup move when the coup is settled again."""
    burned = len(event.excess) if event.goes is Excess.BURNED else 0
    kept = len(event.drawn) - len(event.excess)
    return burned + min(kept - len(past.cards), 0)


def out_corrected(
    out: CardsOut, past: PastRound, kept: Sequence[Card], burned: Sequence[Card]
) -> CardsOut:
    """Return the shoe's `out` after a coup was corrected.

    If the coup needs an extra card, that is the card that followed the coup, wherever it went; if
    no card has followed, the extra card is drawn now.
    """
    end = past.start + max(len(past.cards), len(kept))
    return (*out[: past.start], *burned, *kept, *out[end:])
