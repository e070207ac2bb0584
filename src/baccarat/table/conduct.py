"""A dealer conducts a table of real cards: what each command causes, or why it is refused.

The cards are told as they leave the shoe, with the hand they were put with. Nothing a dealer does
with cards is refused, because it has happened; what is wrong with it is written down at once, and
until it is put right there is no result and nothing is paid. The one rule: a coup is settled as a
perfect dealer would have dealt it, or not at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from baccarat.core.cards import Card, total
from baccarat.core.coup import parse_coup
from baccarat.core.errors import one_of
from baccarat.core.misdeals import Irregularity, Perfect, Wrong, irregularities, missing, perfect
from baccarat.core.money import format_coins
from baccarat.shoe import MOST_IN_A_COUP, Burn
from baccarat.shoe.scanned import Out, impossible, reckon
from baccarat.shoe.unshuffled import sign
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.appeals import settings_due
from baccarat.table.floor import CardShoe
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, rules_hash
from baccarat.table.settings import Excess
from baccarat.table.settling import results_of
from baccarat.table.state import TableState
from baccarat.table.twopeople import (
    ASKED,
    Motion,
    cancelling,
    changed,
    handing_over,
    propose,
    rectifying,
    seconded,
)

ON_THE_TABLE = (Phase.CLOSED, Phase.DEALING, Phase.DECIDED)
"""After "no more bets" and before everyone is paid: cards belong to the coup."""


def irregular(state: TableState) -> tuple[Irregularity, ...]:
    """All that is wrong with the cards on the table, in their order."""
    shoe = state.floor.shoe
    if shoe is None or state.round.phase not in ON_THE_TABLE:
        return ()
    placed = state.round.cards
    found = list(irregularities(game_of(shoe.rules).tableau, placed))
    for place, (_, card) in enumerate(placed, start=1):
        words = impossible(shoe.decks, shoe.out[: shoe.start + place - 1], card)
        if words is not None:
            found.append(Irregularity(Wrong.IMPOSSIBLE, place, words))
        due = shoe.known[place - 1] if place <= len(shoe.known) else None
        if due not in (None, card):
            face = due.face()
            words = f"{card.face()} came before {face}, which was taken back and is the next card"
            found.append(Irregularity(Wrong.NOT_NEXT, place, words))
    return tuple(sorted(found, key=lambda one: one.place))


def in_doubt(state: TableState) -> tuple[Irregularity, ...]:
    """Cards that a device told where none was due: the dealer says what they were."""
    return tuple(
        Irregularity(Wrong.IN_DOUBT, 0, f"{one.card.face()} was told by a device, and {one.words}")
        for one in state.floor.doubts
    )


def meant(state: TableState) -> Perfect:
    """What a perfect dealer makes of the cards on the table."""
    cards = () if state.round.phase.resting else (card for _, card in state.round.cards)
    return perfect(game_of(state.rules).tableau, cards)


def alarm(state: TableState, kind: e.Alarm, dealer: str, words: str, now: int) -> Sequence[e.Event]:
    """The table stops."""
    raised = e.AlarmRaised(now, kind, dealer, words)
    return [raised] if state.itself_paused else [raised, e.TablePaused(now, e.THE_ALARM, words)]


# ---- the table and its shoe ---------------------------------------------------------------------


def _take_table(state: TableState, command: c.TakeTable, now: int) -> Sequence[e.Event]:
    """A free table is taken; one that another dealer has is asked for, except by the pit."""
    _by_hand(state)
    before, me = state.floor.dealer, command.dealer
    if before == me:
        return []
    if not before or command.pit:
        return [e.DealerChanged(now, me, before, me if before else "")]
    subject = handing_over(me)
    waits = state.proposals.get(subject)
    if waits is not None and now < waits.until:
        return []  # asked already
    found: list[e.Event] = []
    if waits is not None:
        found.append(e.ProposalEnded(now, subject, me, e.ProposalEnd.EXPIRED))
    words = f"{me} asks to take the table over from {before}"
    return [*found, e.ActionProposed(now, subject, before, words, me, now + ASKED)]


def _hand_over(state: TableState, command: c.HandOver, now: int) -> Sequence[e.Event]:
    _by_hand(state)
    dealer, by, has = command.dealer, command.by, state.floor.dealer
    waits = state.proposals.get(handing_over(dealer))
    if waits is None or now >= waits.until:
        raise Refused(Code.WRONG_PHASE, f"{dealer} is not asking for this table now: ask again")
    confirms = command.pit or by == has
    if not command.accept and (confirms or by == dealer):
        return [e.ProposalEnded(now, handing_over(dealer), by, e.ProposalEnd.WITHDRAWN)]
    if not confirms:
        words = f"{has}, who has the table, or a member of the pit confirms the hand-over"
        raise Refused(Code.NOT_ALLOWED, words)
    if by == dealer:
        words = f"{dealer} asked for the table: {has} or another member of the pit confirms it"
        raise Refused(Code.NEEDS_TWO_PEOPLE, words)
    return [e.DealerChanged(now, dealer, has, by)]


def _leave_table(state: TableState, command: c.LeaveTable, now: int) -> Sequence[e.Event]:
    check_dealer(state, command)
    _resting(state, "a dealer leaves the table")
    return [e.DealerChanged(now, "", command.dealer, command.dealer)]


def _begin_shoe(state: TableState, command: c.BeginShoe, now: int) -> Sequence[e.Event]:
    check_dealer(state, command)
    if state.floor.shoe is not None:
        raise Refused(Code.WRONG_PHASE, "there is a shoe at the table: close it first")
    if state.paused:
        raise Refused(Code.TABLE_PAUSED, "the table is paused: the pit lets it go on")
    settings = settings_due(state.settings, state.appeals.resolutions, now)
    changed = [] if settings == state.settings else [e.SettingsChanged(now, settings)]
    rules = settings.rules
    begun = e.ShoeBegun(now, command.dealer, command.shoe, game_of(rules).decks, rules_hash(rules))
    return [*changed, begun]


def _burn(state: TableState, command: c.BurnByHand, now: int) -> Sequence[e.Event]:
    shoe = _shoe(state, command)
    if shoe.burn_due is None:
        raise Refused(Code.WRONG_PHASE, "no card is due to be burned now")
    _resting(state, "cards are burned")
    count = shoe.burns
    if shoe.burn_due is e.BurnReason.AFTER_SHUFFLE:
        burn = state.settings.burn
        if burn is Burn.FIRST_CARD and not command.shown:
            raise Refused(Code.WRONG_CARD, "the first card says how many are burned: show it")
        by_rule = burn.taking(command.shown[0]) if command.shown else max(burn.most, 1)
        count = max(count, by_rule)
    count = min(count, shoe.left)
    if len(command.shown) > count:
        words = f"{len(command.shown)} cards are shown, and {count} are burned"
        raise Refused(Code.WRONG_CARD, words)
    _as_known(shoe, command.shown)
    burned = e.BurnedByHand(now, command.dealer, shoe.burn_due, count, command.shown)
    return [burned, *_signs(state, shoe, command.shown, command.dealer, now)]


def _show_cut_card(state: TableState, command: c.ShowCutCard, now: int) -> Sequence[e.Event]:
    shoe = _shoe(state, command)
    if shoe.cut_card_out:
        raise Refused(Code.WRONG_PHASE, "the cut card is out already")
    return [e.CutCardShown(now, state.round.number, command.dealer)]


def _close_shoe(state: TableState, command: c.CloseShoe, now: int) -> Sequence[e.Event]:
    shoe = _shoe(state, command)
    _resting(state, "a shoe ends")
    _explained(state)
    added = reckon(shoe.decks, shoe.out, command.rest)
    closed = e.ShoeClosed(
        now,
        dealer=command.dealer,
        shoe=shoe.shoe,
        reason=e.EndReason.DEALT_OUT if shoe.over else e.EndReason.ABANDONED,
        rest=command.rest,
        seen=added.seen,
        unseen=added.unseen,
        surplus=added.surplus,
        lacking=added.lacking,
    )
    if added.adds_up:
        return [closed]
    return [*alarm(state, e.Alarm.DOES_NOT_ADD_UP, command.dealer, added.words, now), closed]


# ---- the round ----------------------------------------------------------------------------------


def _call_bets(state: TableState, command: c.CallBets, now: int) -> Sequence[e.Event]:
    shoe = _shoe(state, command)
    _resting(state, "a round is opened")
    _explained(state)
    if state.paused:
        raise Refused(Code.TABLE_PAUSED, "the table is paused: the pit lets it go on")
    if shoe.alarm:
        raise Refused(Code.WRONG_PHASE, f"{shoe.alarm}: close this shoe and begin another")
    if shoe.burn_due is not None:
        raise Refused(Code.WRONG_PHASE, f"a burn is due first ({shoe.burn_due})")
    if shoe.over or shoe.left < MOST_IN_A_COUP:
        words = f"the shoe is over, with {shoe.left} cards left: close it and begin another"
        raise Refused(Code.WRONG_PHASE, words)
    bets = not shoe.next_known
    return [e.RoundOpened(now, state.round.number + 1, 0, command.dealer, bets)]


def _call_no_more_bets(state: TableState, command: c.CallNoMoreBets, now: int) -> Sequence[e.Event]:
    shoe = _shoe(state, command)
    _in_phase(state, "no more bets", Phase.OPEN)
    _explained(state)
    if shoe.owed and state.round.bets:
        words = "the next card may have been seen while bets were open: cancel the round, then burn"
        raise Refused(Code.WRONG_PHASE, words)
    return [e.BettingClosed(now, state.round.number, command.dealer)]


def _place_card(state: TableState, command: c.PlaceCard, now: int) -> Sequence[e.Event]:
    shoe, current, card = _shoe(state, command), state.round, command.card
    if card.suit is None:
        raise Refused(Code.WRONG_CARD, f"{card} has no suit: tell it too, such as {card}h")
    if shoe.left == 0:
        words = f"{card.face()} is one more than the {shoe.decks} decks of this shoe hold"
        raise Refused(Code.WRONG_CARD, words)
    if (why := _out_of_place(state, command)) is not None:
        return [e.CardInDoubt(now, current.number, command.dealer, card, command.hand, why)]
    if current.phase not in ON_THE_TABLE:
        return _exposed(state, shoe, command, now)
    before = meant(state)
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
        row=turn.why if third else "",
        reason=e.Because.of(turn) if third else None,
    )
    after = replace(
        state,
        round=replace(current, cards=(*current.cards, (hand, card))),
        floor=replace(state.floor, shoe=_with_card(state, shoe, card)),
    )
    known = irregular(state)
    new = [one for one in irregular(after) if one not in known]
    flagged = [_found(state, command.dealer, one, now) for one in new]
    ended = changed(state.proposals, about_coup(current.number), now)
    return [*ended, placed, *flagged, *_signs(state, shoe, (card,), command.dealer, now)]


def about_coup(number: int) -> tuple[str, ...]:
    """Subjects of proposals that fit only the cards that are out."""
    return (cancelling(number), rectifying(number))


def place_due(state: TableState) -> int:
    """The place that the next card is told for: its number in the coup or, of cards that are shown
    early, 0 for the first since the round was opened, -1 for the second, and so on."""
    on_the_table = state.round.phase in ON_THE_TABLE
    return len(state.round.cards) + 1 if on_the_table else -state.floor.exposed


def _out_of_place(state: TableState, command: c.PlaceCard) -> str | None:
    """Return why a device's card is not the one that is due, None when it is; refuse a person's.

    A card is told for one place: told from two devices, or late, it does not become another. Told
    without a place it is taken where it can be nothing else, the next card of a coup. Any other
    card of a device is not lost: it may have left the shoe, and the dealer knows. A person can look
    at the table, so theirs is refused.
    """
    number, due, card = state.round.number, place_due(state), command.card
    told = (number if command.round is None else command.round, command.place)
    if told not in ((number, due), (number, None)):
        of, place = told
        why = (
            f"was told as {_place(of, due if place is None else place)}, and what is next is "
            f"{_place(number, due)}"
        )
        known = [one for _, one in state.round.cards]
        before = of == number and place is not None and place > 0 and card in known[place - 1 :][:1]
        if before or not command.device:
            words = f"{card.face()} {why}: it was told before, or too late. Look at the table and "
            raise Refused(Code.WRONG_CARD, f"{words}tell what is missing")
        return f"it {why}"
    if command.place is not None:
        return None
    unclear = _unclear(state)
    if unclear is not None and not command.device:
        words = f"{card.face()} came without its place, and {unclear}: look at the table and enter "
        raise Refused(Code.WRONG_CARD, f"{words}it for its place")
    return unclear


def _unclear(state: TableState) -> str | None:
    """Why a card without its place may be something else than the next card of a coup."""
    if found := (*in_doubt(state), *irregular(state)):
        return f"something waited to be put right ({found[0].words})"
    if place_due(state) <= 0:
        return "no coup was being dealt"
    return "the coup had all its cards" if meant(state).deal.over else None


def _explain(state: TableState, command: c.ExplainCard, now: int) -> Sequence[e.Event]:
    _shoe(state, command)
    waiting, dealer = state.floor.doubts, command.dealer
    if not waiting or waiting[0].card != command.card:
        waits = waiting[0].card.face() if waiting else "no card"
        words = f"{command.card.face()} does not wait to be explained: {waits} does"
        raise Refused(Code.WRONG_CARD, words)
    card, hand = waiting[0].card, waiting[0].hand
    said = e.CardExplained(now, state.round.number, dealer, card, command.was)
    rest = replace(state, floor=replace(state.floor, doubts=waiting[1:]))
    place = c.PlaceCard(dealer, card, hand, rest.round.number, place_due(rest))
    in_coup = state.round.phase in ON_THE_TABLE
    match command.was:
        case e.CardWas.MISTAKE:
            if state.round.phase is Phase.OPEN and state.round.bets:
                words = (
                    f"bets are open, and {card.face()} may be the next card: burn it as shown "
                    "early, or cancel the round first"
                )
                raise Refused(Code.WRONG_PHASE, words)
            return [said]
        case e.CardWas.BURNED:
            return [said, *_burn(rest, c.BurnByHand(dealer, (card,)), now)]
        case e.CardWas.DRAWN if in_coup:
            return [said, *_place_card(rest, place, now)]
        case e.CardWas.EXPOSED if not in_coup:
            return [said, *_place_card(rest, place, now)]
    words = "a coup is being dealt" if in_coup else "no coup is being dealt"
    raise Refused(Code.WRONG_PHASE, f"{words}: {card.face()} was not “{command.was}”")


def _place(number: int, place: int) -> str:
    if place > 0:
        return f"card {place} of round {number}"
    which = (
        f", the {1 - place}th of them"
        if place < -2
        else ("", ", the second", ", the third")[-place]
    )
    return f"a card shown early after round {number}{which}"


def _exposed(
    state: TableState, shoe: CardShoe, command: c.PlaceCard, now: int
) -> Sequence[e.Event]:
    """A card that is seen before "no more bets" belongs to no coup: it is burned."""
    card, dealer = command.card, command.dealer
    if shoe.burn_due is e.BurnReason.AFTER_SHUFFLE:
        raise Refused(Code.WRONG_PHASE, f"a burn is due first ({shoe.burn_due})")
    moment = "no more bets" if state.round.phase is Phase.OPEN else "place your bets"
    words = f"{card.face()} came out before “{moment}”: it is burned"
    if any(due not in (None, card) for due in shoe.known[:1]):
        back = " ".join(one.face() for one in shoe.known if one is not None)
        words += f"; {back} was taken back, and is still next"
    found = [Irregularity(Wrong.EXPOSED, 0, words)]
    if (why := impossible(shoe.decks, shoe.out, card)) is not None:
        found.append(Irregularity(Wrong.IMPOSSIBLE, 0, why))
    return [
        e.BurnedByHand(now, dealer, e.BurnReason.EXPOSED, 1, (card,)),
        *(_found(state, dealer, one, now) for one in found),
        *_signs(state, shoe, (card,), dealer, now),
    ]


def _announce(state: TableState, command: c.AnnounceResult, now: int) -> Sequence[e.Event]:
    _shoe(state, command)
    _in_phase(state, "announce the result", Phase.DEALING)
    _regular(state)
    _not_asked(state, now)
    if state.floor.mistaken:
        raise Refused(Code.NEEDS_TWO_PEOPLE, f"{called_mistakes(state)}: the pit confirms the coup")
    deal = meant(state).deal
    if not deal.over:
        flag = missing(deal, len(state.round.cards) + 1)
        return [_found(state, command.dealer, flag, now)]
    return [e.CoupDecided.of(now, state.round.number, deal, command.dealer)]


def _rectify(state: TableState, command: c.RectifyCoup, now: int) -> Sequence[e.Event]:
    """The dealer alone, until the coup is complete; after that, only what leaves it as it is."""
    shoe = _shoe(state, command)
    new = rectified(state, shoe, command.drawn, now)
    return _rectifying(state, shoe, new, command.dealer, now, pit=False)


def _confirm(state: TableState, command: c.ConfirmRectification, now: int) -> Sequence[e.Event]:
    """A member of the pit, who has not dealt the coup."""
    _by_hand(state)
    shoe, by = state.floor.shoe, command.by
    if shoe is None or command.round != state.round.number:
        words = f"round {command.round} is not under way: only the current coup can be rectified"
        raise Refused(Code.NO_SUCH_ROUND, words)
    new = rectified(state, shoe, command.drawn, now)
    if by in (state.floor.dealer, *state.floor.dealers):
        words = f"{by} deals this round: another member of the pit confirms it"
        raise Refused(Code.NEEDS_TWO_PEOPLE, words)
    if not takes_two(state, new):
        words = "the dealer rectifies this alone: the coup is not complete, or stays as it is"
        raise Refused(Code.WRONG_PHASE, words)
    return _rectifying(state, shoe, new, by, now, pit=True)


def excess_goes(state: TableState, rules: str) -> Excess:
    """Where a card too many goes: back only where the shoe's own rules declare reconstruction."""
    back = game_of(rules).card.procedures.reconstruction
    return Excess.RETURNED if back and state.settings.floor.excess.goes_back else Excess.BURNED


def takes_two(state: TableState, new: e.CoupRectified) -> bool:
    """Does it change the cards of a coup that is complete, announced or not, or of one during which
    the dealer called a device's card a mistake?"""
    complete = state.result_known or meant(state).deal.over
    return bool(state.floor.mistaken) or (complete and new.drawn != new.told)


def called_mistakes(state: TableState) -> str:
    """Return in words which cards of a device the dealer called mistakes during this coup."""
    cards = state.floor.mistaken
    faces = " ".join(card.face() for card in cards)
    return f"the shoe sent {faces}, and the dealer called {'them' if cards[1:] else 'it'} a mistake"


def _rectifying(
    state: TableState, shoe: CardShoe, new: e.CoupRectified, by: str, now: int, *, pit: bool
) -> Sequence[e.Event]:
    number, waiting = state.round.number, state.proposals
    stale = about_coup(number)
    if takes_two(state, new):
        motion = Motion(rectifying(number), *_change(state, new), by)
        first = seconded(waiting, motion, now)
        if first is None:
            return propose(waiting, motion, now)
        if not pit:
            words = f"{first} has proposed this already: a member of the pit confirms it"
            raise Refused(Code.NEEDS_TWO_PEOPLE, words)
        new, stale = replace(new, by=(first, by)), stale[:1]  # the other is done
    out = (*shoe.out[: shoe.start], *new.drawn)
    alarms = signs(state, shoe, out, shoe.start, new.dealer, now)
    return [*changed(waiting, stale, now), new, *alarms]


def _change(state: TableState, new: e.CoupRectified) -> tuple[str, str]:
    """What the second person agrees to: the cards, what players have won by them, before and after;
    and the same in words."""
    told, drawn = (" ".join(map(str, cards)) for cards in (new.told, new.drawn))
    paid = [sum(one.net for one in results) for results in (new.paid_before, new.paid_after)]
    terms = f"{told} > {drawn} > {paid[0]} > {paid[1]}"
    coups = _told(new.coup_before, new.told), _told(new.coup_after, new.drawn)
    won = [format_coins(net) for net in paid]
    words = (
        f"Change the coup of round {new.round} from {coups[0]} to {coups[1]}. Players' result "
        f"before: {won[0]}, after: {won[1]}."
    )
    if state.floor.mistaken:
        terms = f"{terms} > {' '.join(map(str, state.floor.mistaken))}"
        said = called_mistakes(state)
        words = f"{words} {said[0].upper()}{said[1:]}."
    return terms, words


def _told(coup: str, cards: Sequence[Card]) -> str:
    if coup:
        return parse_coup(coup).face()
    return f"{' '.join(card.face() for card in cards) or 'no card'} (not complete)"


def rectified(
    state: TableState, shoe: CardShoe, said: tuple[Card, ...] | None, now: int
) -> e.CoupRectified:
    """The coup as these cards would have it, or Refused; whoever may say so."""
    _in_phase(state, "rectify a coup", Phase.DEALING, Phase.DECIDED)
    told = tuple(card for _, card in state.round.cards)
    drawn = told if said is None else said
    if drawn == told and not (irregular(state) or state.floor.mistaken):
        raise Refused(Code.WRONG_PHASE, "nothing is wrong with this coup: there is nothing to do")
    if not drawn and len(told) > 1:  # one card that never left the shoe is taken back
        words = "say the cards in the order in which they left the shoe; or cancel the round"
        raise Refused(Code.WRONG_CARD, words)
    _as_known(shoe, drawn)
    earlier = list(shoe.out[: shoe.start])
    for card in drawn:
        why = "it has no suit" if card.suit is None else impossible(shoe.decks, earlier, card)
        if why is not None:
            raise Refused(Code.WRONG_CARD, f"{card}: {why}; or cancel the round (foreign-card)")
        earlier.append(card)
    before, right = meant(state), perfect(game_of(shoe.rules).tableau, drawn)
    new = e.CoupRectified(
        now,
        round=state.round.number,
        dealer=state.floor.dealer,
        told=told,
        drawn=drawn,
        hands=tuple(turn.hand for turn in right.turns if turn.hand is not None),
        excess=right.excess,
        goes=excess_goes(state, shoe.rules),
        coup_before=str(before.deal.coup) if before.deal.over else "",
        coup_after=str(right.deal.coup) if right.deal.over else "",
    )
    if not takes_two(state, new):
        return new
    paid = [
        results_of(shoe.rules, one.deal.coup, state.round.wagers) if one.deal.over else ()
        for one in (before, right)
    ]
    return replace(new, paid_before=paid[0], paid_after=paid[1])


def _pay_round(state: TableState, command: c.PayRound, now: int) -> Sequence[e.Event]:
    _shoe(state, command)
    _in_phase(state, "settle the round", Phase.DECIDED)
    _regular(state)
    _not_asked(state, now)
    results = results_of(state.rules, state.deal.coup, state.round.wagers)
    return [e.RoundSettled(now, state.round.number, results, command.dealer)]


# ---- what several of them need ------------------------------------------------------------------


def _by_hand(state: TableState) -> None:
    if not state.by_hand:
        words = "this table deals by itself: no dealer conducts it"
        raise Refused(Code.WRONG_PHASE, words)


def check_dealer(state: TableState, command: c.Conducted) -> None:
    """Nothing, or Refused: whoever conducts a table has taken it."""
    _by_hand(state)
    if command.dealer != state.floor.dealer:
        has, me = state.floor.dealer, command.dealer
        whose = f"{has} has this table, not {me}" if has else "nobody has this table"
        words = f"{whose}: take the table first"
        raise Refused(Code.NOT_THE_DEALER, words)


def _shoe(state: TableState, command: c.Conducted) -> CardShoe:
    check_dealer(state, command)
    if state.floor.shoe is None:
        raise Refused(Code.WRONG_PHASE, "there is no shoe at the table: begin one first")
    return state.floor.shoe


def _resting(state: TableState, what: str) -> None:
    if not state.round.phase.resting:
        words = f"round {state.round.number} is {state.round.phase}: {what} between rounds"
        raise Refused(Code.WRONG_PHASE, words)


def _in_phase(state: TableState, what: str, *phases: Phase) -> None:
    if state.round.phase not in phases:
        due = f"that is done while a round is {one_of(map(str, phases))}"
        words = f"it is not the moment for “{what}”: the round is {state.round.phase}, {due}"
        raise Refused(Code.WRONG_PHASE, words)


def _explained(state: TableState) -> None:
    waiting = in_doubt(state)
    if waiting:
        raise Refused(Code.IRREGULAR, f"{waiting[0].words}. Say what it was first")


def _regular(state: TableState) -> None:
    _explained(state)
    found = irregular(state)
    if found:
        raise Refused(Code.IRREGULAR, f"{found[0].words}. Rectify the coup first, or cancel it")


def _not_asked(state: TableState, now: int) -> None:
    waits = state.proposals.get(rectifying(state.round.number))
    if waits is not None and now < waits.until:
        words = f"{waits.by} has proposed to change this coup: the pit confirms it, or take it back"
        raise Refused(Code.NEEDS_TWO_PEOPLE, words)


def _as_known(shoe: CardShoe, cards: Sequence[Card]) -> None:
    """A card that was taken back comes first, whatever it is needed for."""
    for card, due in zip(cards, shoe.known, strict=False):
        if due is not None and card != due:
            words = f"{card.face()} cannot come now: {due.face()} was taken back and comes first"
            raise Refused(Code.WRONG_CARD, words)


def _with_card(state: TableState, shoe: CardShoe, card: Card) -> CardShoe:
    start = shoe.start if state.round.cards else len(shoe.out)
    return replace(shoe, out=(*shoe.out, card), start=start)


def _found(state: TableState, dealer: str, one: Irregularity, now: int) -> e.IrregularityFound:
    return e.IrregularityFound(now, state.round.number, dealer, one.kind, one.place, one.words)


def signs(
    state: TableState, shoe: CardShoe, out: Out, since: int, dealer: str, now: int
) -> Sequence[e.Event]:
    """The alarm, once a shoe, when its cards from a place on show that nobody has shuffled: those
    that have just come, or those of a coup that was told again."""
    for end in range(since + 1, len(out) + 1):
        found = None if shoe.alarm else sign(shoe.decks, out[:end])
        if found is not None:
            return alarm(state, e.Alarm.UNSHUFFLED, dealer, found[1], now)
    return []


def _signs(
    state: TableState, shoe: CardShoe, cards: Sequence[Card], dealer: str, now: int
) -> Sequence[e.Event]:
    return signs(state, shoe, (*shoe.out, *cards), len(shoe.out), dealer, now)


Decide = Callable[[TableState, Any, int], Sequence[e.Event]]
CONDUCT: dict[type[c.Command], Decide] = {
    c.TakeTable: _take_table,
    c.LeaveTable: _leave_table,
    c.HandOver: _hand_over,
    c.BeginShoe: _begin_shoe,
    c.BurnByHand: _burn,
    c.CallBets: _call_bets,
    c.CallNoMoreBets: _call_no_more_bets,
    c.PlaceCard: _place_card,
    c.ExplainCard: _explain,
    c.ShowCutCard: _show_cut_card,
    c.AnnounceResult: _announce,
    c.RectifyCoup: _rectify,
    c.ConfirmRectification: _confirm,
    c.PayRound: _pay_round,
    c.CloseShoe: _close_shoe,
}
