"""Checks of commands at a table with real cards; a check that fails raises Refused."""

from collections.abc import Sequence

from baccarat.core.cards import Card
from baccarat.core.misdeals import (
    CorrectDeal,
    Irregularity,
    IrregularityKind,
    deal_correctly,
    irregularities,
)
from baccarat.shoe.scanned import CardsOut, impossible
from baccarat.shoe.unshuffled import find_sign
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.four_eyes.proposals import find_open
from baccarat.table.four_eyes.subjects import Cancel, Rectify, Subject
from baccarat.table.manual.card_shoe import CardShoe
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of
from baccarat.table.state import TableState
from baccarat.wording.dealing import faces

ON_THE_TABLE = (Phase.CLOSED, Phase.DEALING, Phase.DECIDED)
"""Phases after "no more bets" and before everyone is paid, in which cards belong to the coup."""


def irregular(state: TableState) -> tuple[Irregularity, ...]:
    """Return the irregularities of the cards on the table, in the order of the cards."""
    shoe = state.manual.shoe
    if shoe is None or state.round.phase not in ON_THE_TABLE:
        return ()
    placed = state.round.cards
    found = list(irregularities(game_of(shoe.rules).tableau, placed))
    for place, (_, card) in enumerate(placed, start=1):
        if impossible(shoe.decks, shoe.out[: shoe.start + place - 1], card):
            found.append(Irregularity(IrregularityKind.IMPOSSIBLE, place, card))
        due = shoe.known[place - 1] if place <= len(shoe.known) else None
        if due not in (None, card):
            found.append(Irregularity(IrregularityKind.NOT_NEXT, place, card, (due,)))
    return tuple(sorted(found, key=lambda one: one.place))


def correct_deal(state: TableState) -> CorrectDeal:
    """Return how a perfect dealer would have dealt the cards on the table."""
    cards = () if state.round.phase.resting else state.round.drawn
    return deal_correctly(game_of(state.rules).tableau, cards)


def alarm_and_pause(state: TableState, raised: e.AlarmRaised) -> e.Events:
    """Return the alarm and, unless the table is already paused, the event that pauses it."""
    return [raised] if state.itself_paused else [raised, e.TablePaused(raised.at, e.THE_ALARM, "")]


def about_coup(number: int) -> tuple[Subject, ...]:
    """Return the subjects of proposals that depend on the cards of the current coup."""
    return (Cancel(number), Rectify(number))


def check_by_hand(state: TableState) -> None:
    if not state.by_hand:
        raise Refused(Code.WRONG_PHASE, "no-dealer-here")


def check_not_frozen(state: TableState, command: c.Command) -> None:
    """Raise Refused after an emergency stop, or while the pit has not answered a dealer's call.

    The pit may take the table or hand it over. A card from a device is kept for the dealer to
    explain, because it may have left the shoe.
    """
    called = state.manual.called
    match command:
        case c.TakeTable() | c.HandOver() | c.Undo():
            frozen = not command.pit
        case c.PlaceCard():
            frozen = not command.device
        case c.ReadCard():
            frozen = False
        case _:
            frozen = isinstance(command, c.DealerCommand)
    if state.frozen and frozen:
        raise Refused(Code.TABLE_PAUSED, "house-frozen")
    if called is not None and frozen:
        raise Refused(Code.TABLE_PAUSED, "table-frozen", dealer=called.dealer)


def check_dealer(state: TableState, command: c.DealerCommand) -> None:
    """Raise Refused unless the sender is the dealer who has taken the table."""
    check_by_hand(state)
    if not state.manual.dealer:
        raise Refused(Code.NOT_THE_DEALER, "no-dealer-yet")
    if command.dealer != state.manual.dealer:
        raise Refused(Code.NOT_THE_DEALER, "other-dealer", dealer=state.manual.dealer)


def shoe_of(state: TableState, command: c.DealerCommand) -> CardShoe:
    check_dealer(state, command)
    if state.manual.shoe is None:
        raise Refused(Code.WRONG_PHASE, "no-shoe")
    return state.manual.shoe


def check_resting(state: TableState, key: str) -> None:
    """Raise Refused with the message `key` if a round is under way."""
    if not state.round.phase.resting:
        raise Refused(Code.WRONG_PHASE, key, round=state.round.number)


def check_phase(state: TableState, key: str, *phases: Phase) -> None:
    """Raise Refused with the message `key` unless the round is in one of these phases."""
    if state.round.phase not in phases:
        raise Refused(Code.WRONG_PHASE, key)


def check_explained(state: TableState) -> None:
    if state.manual.doubts:
        card = state.manual.doubts[0].event.card
        raise Refused(Code.IRREGULAR, "explain-first", card=card.face())


def check_regular(state: TableState, now: int) -> None:
    """Raise Refused if the coup is irregular, or if its cards still need to be confirmed."""
    check_explained(state)
    if irregular(state):
        raise Refused(Code.IRREGULAR, "rectify-coup")
    waits = find_open(state.proposals, Rectify(state.round.number), now)
    if waits is not None:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "change-waits", by=waits.by)
    if state.manual.mistaken:
        cards = faces(state.manual.mistaken)
        raise Refused(Code.NEEDS_TWO_PEOPLE, "device-overruled", cards=cards)


def check_suit(card: Card) -> None:
    if card.suit is None:
        raise Refused(Code.WRONG_CARD, "no-suit", card=str(card))


def check_known(shoe: CardShoe, cards: Sequence[Card]) -> None:
    """Raise Refused if a card differs from the one that was taken back and must come next."""
    for card, due in zip(cards, shoe.known, strict=False):
        if due is not None and card != due:
            values = {"card": card.face(), "due": due.face()}
            raise Refused(Code.WRONG_CARD, "taken-back-first", **values)


def unshuffled_alarm(
    state: TableState, shoe: CardShoe, out: CardsOut, since: int, dealer: str, now: int
) -> e.Events:
    """Return an alarm if the cards from index `since` on show that the shoe was not shuffled.

    Those are the cards that have just been drawn, or those of a coup that was reported again. There
    is at most one alarm for each shoe.
    """
    for end in range(since + 1, len(out) + 1):
        found = None if state.manual.alarm else find_sign(shoe.decks, out[:end])
        if found is not None:
            return alarm_and_pause(state, e.AlarmRaised(now, e.Alarm.UNSHUFFLED, dealer, *found))
    return []


def unshuffled_alarm_after(
    state: TableState, shoe: CardShoe, cards: Sequence[Card], dealer: str, now: int
) -> e.Events:
    return unshuffled_alarm(state, shoe, (*shoe.out, *cards), len(shoe.out), dealer, now)
