"""Decisions on commands that undo what was entered by mistake: a burned card, the cut card.

The rule is the same as for the cards of a coup: the dealer may do it alone until something depends
on it; after that, and where the pit confirms every rectification, only a member of the pit who is
not the dealer may do it.
"""

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.shoe import Burn
from baccarat.shoe.scanned import unseen
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.manual import checks
from baccarat.table.manual.card_shoe import CardShoe, LastBurn
from baccarat.table.refusals import Code, Refused, check_words
from baccarat.table.state import Decide, TableState


def _correct_burn(state: TableState, command: c.CorrectBurn, now: int) -> e.Events:
    shoe = _shoe(state)
    last, shown = shoe.last_burn, command.shown
    if last is None or not last.event.shown:
        raise Refused(Code.WRONG_PHASE, "no-burn-to-correct")
    if shoe.out[last.start :][: len(last.event.shown)] != last.event.shown:
        raise Refused(Code.WRONG_PHASE, "no-burn-to-correct")
    followed = len(shoe.out) > last.end
    _check_may_undo(state, command, alone=not followed)
    count = _count(state, shoe, last, shown)
    if not 0 < len(shown) <= count:
        raise Refused(Code.WRONG_CARD, "too-many-burned", shown=len(shown), due=count)
    if followed and count != last.event.count:
        raise Refused(Code.WRONG_PHASE, "burn-count", burned=last.event.count, due=count)
    faces = (*shown, *[None] * (count - len(shown)))
    out = (*shoe.out[: last.start], *faces, *shoe.out[last.end :])
    left = unseen(shoe.decks, out)
    for card in shown:
        checks.check_suit(card)
        if left[card] < 0:
            raise Refused(Code.WRONG_CARD, "card-impossible", card=card.face())
    new = e.BurnCorrected(now, command.by, last.event.shown, shown, count, command.words)
    dealer = state.manual.dealer
    return [new, *checks.unshuffled_alarm(state, shoe, out, last.start, dealer, now)]


def _count(state: TableState, shoe: CardShoe, last: LastBurn, shown: tuple[Card, ...]) -> int:
    """Return how many cards had to be burned, given the cards that were turned up."""
    first = state.settings.burn is Burn.FIRST_CARD
    if last.event.reason is not e.BurnReason.AFTER_SHUFFLE or not first or not shown:
        return last.event.count
    before = shoe.decks * DECK_SIZE - last.start
    return min(max(last.least, state.settings.burn.taking(shown[0])), before)


def _undo_cut_card(state: TableState, command: c.UndoCutCard, now: int) -> e.Events:
    shoe = _shoe(state)
    if not shoe.cut_card_out:
        raise Refused(Code.WRONG_PHASE, "cut-card-not-out")
    done = shoe.coups + state.manual.coup_complete(state.round)
    _check_may_undo(state, command, alone=done == shoe.cut_after)
    return [e.CutCardTakenBack(now, state.round.number, command.by, command.words)]


def _shoe(state: TableState) -> CardShoe:
    checks.check_by_hand(state)
    if state.manual.shoe is None:
        raise Refused(Code.WRONG_PHASE, "no-shoe")
    return state.manual.shoe


def _check_may_undo(state: TableState, command: c.Undo, *, alone: bool) -> None:
    """Raise Refused unless the sender may undo; the dealer may do so only if `alone` is true."""
    check_words(command.words)
    dealer = state.manual.dealer
    if command.by != dealer and not command.pit:
        raise Refused(Code.NOT_THE_DEALER, "other-dealer", dealer=dealer)
    if command.by == dealer and (not alone or state.settings.inspector):
        raise Refused(Code.NEEDS_TWO_PEOPLE, "undo-needs-pit")


UNDO: dict[type[c.Command], Decide] = {
    c.CorrectBurn: _correct_burn,
    c.UndoCutCard: _undo_cut_card,
}
