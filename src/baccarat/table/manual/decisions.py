"""Decisions on the commands of a dealer who runs a table with real cards.

Cards are reported as they leave the shoe, with the hand they were placed with. A dealing error is
not refused, because it has already happened. It is recorded at once, and until it is put right the
round has no result and nothing is paid. A coup is settled as a perfect dealer would have dealt it,
or not at all.
"""

from dataclasses import replace

from baccarat.core import misdeals
from baccarat.core.cards import DECK_SIZE, total
from baccarat.core.misdeals import Irregularity, IrregularityKind, missing
from baccarat.shoe import MAX_CARDS_IN_COUP, Burn
from baccarat.shoe.commitment import Hex
from baccarat.shoe.scanned import check_decks, impossible
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.four_eyes import terms
from baccarat.table.four_eyes.proposals import (
    ASKED,
    TwoPersonAction,
    changed,
    find_open,
    propose,
    withdraw,
)
from baccarat.table.four_eyes.subjects import HandOver
from baccarat.table.manual import checks
from baccarat.table.manual.card_shoe import CardShoe
from baccarat.table.manual.corrections import correctable
from baccarat.table.manual.devices import check_number, disagreement, read_otherwise
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, rules_hash
from baccarat.table.settlement import results_of
from baccarat.table.state import Decide, TableState, apply

# ---- the table and its shoe ---------------------------------------------------------------------


def _take_table(state: TableState, command: c.TakeTable, now: int) -> e.Events:
    """Take a table without a dealer, or ask the dealer for it; the pit may take any table."""
    checks.check_by_hand(state)
    before, me = state.manual.dealer, command.dealer
    if before == me:
        return []
    if not before or command.pit:
        return [e.DealerChanged(now, me, before, me if before else "")]
    if find_open(state.proposals, HandOver(me), now) is not None:
        return []  # asked already
    action = TwoPersonAction(HandOver(me), terms.TakeTable(before), me)
    return propose(state.proposals, action, now, ASKED)


def _hand_over(state: TableState, command: c.HandOver, now: int) -> e.Events:
    checks.check_by_hand(state)
    dealer, by, has = command.dealer, command.by, state.manual.dealer
    if find_open(state.proposals, HandOver(dealer), now) is None:
        raise Refused(Code.WRONG_PHASE, "table-not-asked-for", dealer=dealer)
    confirms = command.pit or by == has
    if not command.accept and (confirms or by == dealer):
        return withdraw(state.proposals, HandOver(dealer), by, now)
    if not confirms:
        raise Refused(Code.NOT_ALLOWED, "hand-over-by-others", dealer=has)
    if by == dealer:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "hand-over-own", dealer=has)
    return [e.DealerChanged(now, dealer, has, by)]


def _leave_table(state: TableState, command: c.LeaveTable, now: int) -> e.Events:
    checks.check_dealer(state, command)
    checks.check_resting(state, "leave-during-round")
    return [e.DealerChanged(now, "", command.dealer, command.dealer)]


def _call_floor(state: TableState, command: c.CallFloor, now: int) -> e.Events:
    checks.check_dealer(state, command)
    return [e.FloorCalled(now, command.dealer)]


def _answer_floor(state: TableState, command: c.AnswerFloor, now: int) -> e.Events:
    """Answer the dealer's call; only the pit may do this, but neither the dealer who called nor the
    table's current dealer."""
    if not command.pit:
        raise Refused(Code.NOT_ALLOWED, "floor-answered-by-pit")
    called = state.manual.called
    if called is None:
        raise Refused(Code.WRONG_PHASE, "floor-not-called")
    if command.by in (called.dealer, state.manual.dealer):
        raise Refused(Code.NEEDS_TWO_PEOPLE, "floor-own-call", by=command.by)
    return [e.FloorAnswered(now, command.by, command.words)]


def _begin_shoe(state: TableState, command: c.BeginShoe, now: int) -> e.Events:
    checks.check_dealer(state, command)
    if state.manual.shoe is not None:
        raise Refused(Code.WRONG_PHASE, "shoe-at-table")
    if state.paused:
        raise Refused(Code.TABLE_PAUSED, "paused-by-pit")
    shoe, settings = Hex(command.shoe), state.settings_due(now)
    decks = game_of(settings.rules).decks
    if settings.deck_sets or command.deck_set:
        _check_deck_set(state, command, decks)
    begun = e.ShoeBegun(
        now,
        command.dealer,
        shoe,
        decks,
        rules_hash(settings.rules),
        command.deck_set,
        command.prepared,
        command.cut_by,
        settings.shuffler,
    )
    return [*state.resolutions_due(now), begun]


def _check_deck_set(state: TableState, command: c.BeginShoe, decks: int) -> None:
    """Raise Refused unless the shoe has a deck set that was counted and shuffled for it."""
    if not command.deck_set or command.cut_by is None:
        raise Refused(Code.WRONG_PHASE, "deck-set-needed")
    if command.prepared <= state.manual.prepared:
        raise Refused(Code.WRONG_PHASE, "deck-set-not-counted", set=command.deck_set)
    if command.set_decks != decks:
        sizes = {"has": command.set_decks, "needs": decks}
        raise Refused(Code.WRONG_PHASE, "deck-set-size", set=command.deck_set, **sizes)


def _burn(state: TableState, command: c.BurnByHand, now: int) -> e.Events:
    shoe = checks.shoe_of(state, command)
    if shoe.burn_due is None:
        raise Refused(Code.WRONG_PHASE, "burn-not-due")
    checks.check_resting(state, "burn-during-round")
    count = shoe.burns
    if shoe.burn_due is e.BurnReason.AFTER_SHUFFLE:
        burn = state.settings.burn
        if burn is Burn.FIRST_CARD and not command.shown:
            raise Refused(Code.WRONG_CARD, "first-card-needed")
        by_rule = burn.taking(command.shown[0]) if command.shown else max(burn.most, 1)
        count = max(count, by_rule)
    count = min(count, shoe.left)
    if len(command.shown) > count:
        shown = len(command.shown)
        raise Refused(Code.WRONG_CARD, "too-many-burned", shown=shown, due=count)
    checks.check_known(shoe, command.shown)
    burned = e.BurnedByHand(now, command.dealer, shoe.burn_due, count, command.shown)
    return [burned, *checks.unshuffled_alarm_after(state, shoe, command.shown, command.dealer, now)]


def _show_cut_card(state: TableState, command: c.ShowCutCard, now: int) -> e.Events:
    shoe = checks.shoe_of(state, command)
    if shoe.shuffler:
        raise Refused(Code.WRONG_PHASE, "no-cut-card")
    if shoe.cut_card_out:
        raise Refused(Code.WRONG_PHASE, "cut-card-out")
    if shoe.mostly_left and not command.sure:
        values = {"left": shoe.left, "cards": shoe.decks * DECK_SIZE}
        raise Refused(Code.TOO_EARLY, "cut-card-early", **values)
    return [e.CutCardShown(now, state.round.number, command.dealer)]


def _close_shoe(state: TableState, command: c.CloseShoe, now: int) -> e.Events:
    shoe = checks.shoe_of(state, command)
    checks.check_resting(state, "shoe-in-use")
    checks.check_explained(state)
    added = check_decks(shoe.decks, shoe.out, command.rest)
    closed = e.ShoeClosed(
        now,
        dealer=command.dealer,
        shoe=shoe.shoe,
        reason=e.EndReason.DEALT_OUT if shoe.over else e.EndReason.ABANDONED,
        rest=command.rest,
        **vars(added),
    )
    if added.adds_up:
        return [closed]
    wrong = (added.surplus, added.lacking)
    raised = e.AlarmRaised(now, e.Alarm.DOES_NOT_ADD_UP, command.dealer, None, *wrong)
    return [*checks.alarm_and_pause(state, raised), closed]


# ---- the round ----------------------------------------------------------------------------------


def _call_bets(state: TableState, command: c.CallBets, now: int) -> e.Events:
    shoe = checks.shoe_of(state, command)
    checks.check_resting(state, "round-not-over")
    checks.check_explained(state)
    if state.paused:
        raise Refused(Code.TABLE_PAUSED, "paused-by-pit")
    if state.manual.alarm:
        raise Refused(Code.WRONG_PHASE, "shoe-alarm")
    if shoe.burn_due is not None:
        raise Refused(Code.WRONG_PHASE, "burn-due", why=shoe.burn_due)
    if shoe.over or shoe.left < MAX_CARDS_IN_COUP:
        raise Refused(Code.WRONG_PHASE, "shoe-over", left=shoe.left)
    bets = not shoe.next_known
    return [e.RoundOpened(now, state.round.number + 1, 0, command.dealer, bets)]


def _call_no_more_bets(state: TableState, command: c.CallNoMoreBets, now: int) -> e.Events:
    shoe = checks.shoe_of(state, command)
    checks.check_phase(state, "betting-not-open", Phase.OPEN)
    checks.check_explained(state)
    if shoe.owed and state.round.bets:
        raise Refused(Code.WRONG_PHASE, "card-seen-early")
    return [e.BettingClosed(now, state.round.number, command.dealer)]


def _place_card(state: TableState, command: c.PlaceCard, now: int) -> e.Events:
    shoe, current, card = checks.shoe_of(state, command), state.round, command.card
    checks.check_suit(card)
    if shoe.left == 0:
        raise Refused(Code.WRONG_CARD, "shoe-empty", card=card.face())
    if (read := read_otherwise(state, command)) is not None:
        return disagreement(state, command.dealer, card, read, now)
    if _begins_coup(state, command):
        closed = _call_no_more_bets(state, c.CallNoMoreBets(command.dealer), now)
        for event in closed:
            state = apply(state, event)
        return [*closed, *_place_card(state, command, now)]
    if (why := _out_of_place(state, command)) is not None:
        return _in_doubt(state, command, why, now)
    if current.phase not in checks.ON_THE_TABLE or _before_coup(state, command):
        return _exposed(state, shoe, command, now)
    before = checks.correct_deal(state)
    turn = before.deal.turn
    hand = command.hand or turn.hand
    here = [one for to, one in current.cards if to is hand and hand is not None]
    third = turn.hand is not None and sum(one.hand is turn.hand for one in before.turns) == 2
    placed = e.CardPlaced(
        now,
        round=current.number,
        dealer=command.dealer,
        card=card,
        hand=hand,
        meant=turn.hand,
        total=total([*here, card]) if hand else 0,
        reason=turn.reason if third else None,
        device=command.device,
    )
    start = shoe.start if current.cards else len(shoe.out)
    after = replace(
        state,
        round=replace(current, cards=(*current.cards, misdeals.PlacedCard(hand, card))),
        manual=replace(state.manual, shoe=replace(shoe, out=(*shoe.out, card), start=start)),
    )
    new = [wrong for wrong in checks.irregular(after) if wrong not in checks.irregular(state)]
    flagged = [e.IrregularityFound(now, current.number, command.dealer, wrong) for wrong in new]
    ended = changed(state.proposals, checks.about_coup(current.number), now)
    return [
        *ended,
        placed,
        *flagged,
        *checks.unshuffled_alarm_after(state, shoe, (card,), command.dealer, now),
    ]


def _read_card(state: TableState, command: c.ReadCard, now: int) -> e.Events:
    """Record a card that the electronic shoe read; enter it unless the dealer has done so."""
    check_number(state, command)
    shoe, dealer, card = checks.shoe_of(state, command), command.dealer, command.card
    waiting = shoe.readings.unread
    read = e.CardRead(now, dealer, command.number, card, entered=bool(waiting))
    if not waiting:
        place = c.PlaceCard(dealer, card, device=True)
        return [read, *_place_card(apply(state, read), place, now)]
    if shoe.readings.agrees(card) or waiting[0] is None:
        return [read]
    return [read, *disagreement(state, dealer, waiting[0], card, now)]


def _begins_coup(state: TableState, command: c.PlaceCard) -> bool:
    """Return whether a person entered the first card of the coup while bets were open.

    R02: the first card closes the betting, whether or not the dealer has called "no more bets".
    """
    here = command.after is None and command.round in (state.round.number, None)
    first = here and command.place in (1, None)
    return first and state.round.phase is Phase.OPEN and not command.device


def _before_coup(state: TableState, command: c.PlaceCard) -> bool:
    """Return whether a person reports a card as exposed before the coup's first card.

    Once betting is closed, only one card can be reported in this way, so that a dealer cannot
    choose the first card of the coup.
    """
    closed = state.round.phase is Phase.CLOSED and command.round == state.round.number
    return closed and command.place == state.manual.exposed == 0 and not command.device


def place_due(state: TableState) -> int:
    """Return the place of the next card.

    During a coup, this is the card's number in the coup. For cards that are shown early, it is 0
    for the first since the round was opened, -1 for the second, and so on.
    """
    on_the_table = state.round.phase in checks.ON_THE_TABLE
    return len(state.round.cards) + 1 if on_the_table else -state.manual.exposed


def _out_of_place(state: TableState, command: c.PlaceCard) -> e.InDoubt | None:
    """Return why a reported card may not be the one that is due; None if it is.

    A card is reported for a place, or as the next card after an event, so that a card reported
    twice or late is not taken for another card. A card reported with neither is accepted only if it
    must be the next card of a coup. A device's card that is not due is kept for the dealer to
    explain, because it may have left the shoe. If a person reported it, raise Refused, because that
    person can look at the table.
    """
    number, due, card = state.round.number, place_due(state), command.card
    if state.manual.called or state.frozen:
        return e.InDoubt.FROZEN
    if _before_coup(state, command):
        return None
    if command.after is not None:
        if command.after >= state.round.moved_by:
            return None
        if command.device:
            return e.InDoubt.MOVED_ON
        raise Refused(Code.WRONG_CARD, "card-too-late", card=card.face())
    of, place = number if command.round is None else command.round, command.place
    if of != number or place not in (due, None):
        known = place and place > 0 and card in state.round.drawn[place - 1 : place]
        before = of == number and known
        if before or not command.device:
            raise Refused(Code.WRONG_CARD, "not-next-card", card=card.face())
        return e.InDoubt.OTHER_PLACE
    if place is not None:
        return None
    unclear = _unclear(state)
    if unclear is not None and not command.device:
        raise Refused(Code.WRONG_CARD, "place-needed", card=card.face())
    return unclear


def _in_doubt(state: TableState, command: c.PlaceCard, why: e.InDoubt, now: int) -> e.Events:
    """Keep the card for the dealer to explain.

    If the card contradicts a settled round that can still be corrected, it also counts as an error
    reported in time, whatever the dealer says the card was.
    """
    number, place, card = state.round.number, command.place, command.card
    named = number if command.round is None and place is not None else command.round
    due = place_due(state)
    doubt = e.CardInDoubt(now, number, command.dealer, card, command.hand, why, due, named, place)
    past = correctable(state, named) if named is not None else None
    if past and past.in_time and place and place > 0 and past.cards[place - 1 : place] != (card,):
        return [doubt, e.ErrorReported(now, past.number, command.dealer, "", card, place)]
    return [doubt]


def _unclear(state: TableState) -> e.InDoubt | None:
    """Return why a card reported without a place may not be the coup's next card, or None."""
    if state.manual.doubts or checks.irregular(state):
        return e.InDoubt.IRREGULAR
    if place_due(state) <= 0:
        return e.InDoubt.NO_COUP
    return e.InDoubt.COMPLETE if checks.correct_deal(state).deal.over else None


def _explain(state: TableState, command: c.ExplainCard, now: int) -> e.Events:
    checks.shoe_of(state, command)
    waiting, dealer = state.manual.doubts, command.dealer
    if not waiting or waiting[0].event.card != command.card:
        waits = waiting[0].event.card.face() if waiting else "none"
        faces = {"card": command.card.face(), "waiting": waits}
        raise Refused(Code.WRONG_CARD, "no-card-to-explain", **faces)
    card, hand = waiting[0].event.card, waiting[0].event.hand
    explained = e.CardExplained(now, state.round.number, dealer, card, command.was)
    rest = replace(state, manual=replace(state.manual, doubts=waiting[1:]))
    place = c.PlaceCard(dealer, card, hand, rest.round.number, place_due(rest), device=True)
    in_coup = state.round.phase in checks.ON_THE_TABLE
    match command.was:
        case e.CardExplanation.MISTAKE:
            if state.round.phase is Phase.OPEN and state.round.bets:
                raise Refused(Code.WRONG_PHASE, "explain-while-betting", card=card.face())
            return [explained]
        case e.CardExplanation.BURNED:
            return [explained, *_burn(rest, c.BurnByHand(dealer, (card,)), now)]
        case e.CardExplanation.DRAWN if in_coup:
            return [explained, *_place_card(rest, place, now)]
        case e.CardExplanation.EXPOSED if not in_coup:
            return [explained, *_place_card(rest, place, now)]
    key = "exposed-in-coup" if in_coup else "drawn-for-no-coup"
    raise Refused(Code.WRONG_PHASE, key, card=card.face())


def _exposed(state: TableState, shoe: CardShoe, command: c.PlaceCard, now: int) -> e.Events:
    """Burn a card that was shown before "no more bets", because it does not belong to a coup."""
    card, dealer = command.card, command.dealer
    if shoe.burn_due is e.BurnReason.AFTER_SHUFFLE:
        raise Refused(Code.WRONG_PHASE, "burn-due", why=shoe.burn_due)
    known = tuple(one for one in shoe.known if one is not None)
    still_next = () if shoe.known[:1] in ((), (None,), (card,)) else known
    found = [Irregularity(IrregularityKind.EXPOSED, 0, card, still_next)]
    if impossible(shoe.decks, shoe.out, card):
        found.append(Irregularity(IrregularityKind.IMPOSSIBLE, 0, card))
    return [
        e.BurnedByHand(now, dealer, e.BurnReason.EXPOSED, 1, (card,)),
        *(e.IrregularityFound(now, state.round.number, dealer, wrong) for wrong in found),
        *checks.unshuffled_alarm_after(state, shoe, (card,), dealer, now),
    ]


def _announce(state: TableState, command: c.AnnounceResult, now: int) -> e.Events:
    checks.shoe_of(state, command)
    checks.check_phase(state, "no-coup-dealt", Phase.DEALING)
    checks.check_regular(state, now)
    deal = checks.correct_deal(state).deal
    if not deal.over:
        wrong = missing(deal, len(state.round.cards) + 1)
        return [e.IrregularityFound(now, state.round.number, command.dealer, wrong)]
    return [e.CoupDecided.of(now, state.round.number, deal, command.dealer)]


def _pay_round(state: TableState, command: c.PayRound, now: int) -> e.Events:
    checks.shoe_of(state, command)
    checks.check_phase(state, "nothing-to-pay", Phase.DECIDED)
    checks.check_regular(state, now)
    results = results_of(state.rules, state.deal.coup, state.round.wagers)
    rules = rules_hash(state.rules)
    return [e.RoundSettled(now, state.round.number, results, rules, command.dealer)]


DECISIONS: dict[type[c.Command], Decide] = {
    c.TakeTable: _take_table,
    c.LeaveTable: _leave_table,
    c.HandOver: _hand_over,
    c.CallFloor: _call_floor,
    c.AnswerFloor: _answer_floor,
    c.BeginShoe: _begin_shoe,
    c.BurnByHand: _burn,
    c.CallBets: _call_bets,
    c.CallNoMoreBets: _call_no_more_bets,
    c.PlaceCard: _place_card,
    c.ReadCard: _read_card,
    c.ExplainCard: _explain,
    c.ShowCutCard: _show_cut_card,
    c.AnnounceResult: _announce,
    c.PayRound: _pay_round,
    c.CloseShoe: _close_shoe,
}
