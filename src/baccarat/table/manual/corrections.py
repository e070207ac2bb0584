"""Corrections of a dealer's errors, in the coup under way or after the round was settled.

Until a coup is complete, the dealer can rectify it alone, unless a device's card changes; after
that, the pit must confirm. Where a cut-off applies (R43), an error is remedied only if it was
rectified or reported before the first card of the next coup; otherwise the coup with the error and
all later coups stand. Elsewhere, errors can be reported until the first card of the next shoe,
unless a dispute over the round has been paid. The time of the report counts, not the time of the
remedy. If the house limits what one person may decide, correcting a settled round takes two people.
Nobody who reported the error may decide on it.
"""

from collections.abc import Sequence

import msgspec

from baccarat.core.cards import Card
from baccarat.core.misdeals import deal_correctly
from baccarat.shoe.scanned import impossible, unseen
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.four_eyes import terms
from baccarat.table.four_eyes.proposals import TwoPersonAction, changed, propose, seconded
from baccarat.table.four_eyes.subjects import Correct, Rectify
from baccarat.table.manual import checks
from baccarat.table.manual.card_shoe import CardShoe
from baccarat.table.manual.state import (
    PastRound,
    corrected,
    has_cut_off,
    out_corrected,
)
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused, check_words
from baccarat.table.rules import game_of
from baccarat.table.settings import Excess
from baccarat.table.settlement import results_of
from baccarat.table.state import Decide, TableState

MAX_REPORTS = 10
"""Once a round has this many undecided reports, only people involved in it can add more."""

# ---- the coup under way -------------------------------------------------------------------------


def rectify(state: TableState, command: c.RectifyCoup, now: int) -> e.Events:
    """Rectify the coup as its dealer, or propose the change if the pit must confirm it.

    A change of the cards needs a reason.
    """
    shoe = checks.shoe_of(state, command)
    new = rectified(state, shoe, command.drawn, now)
    if new.drawn != new.recorded:
        check_words(command.words)
    new = msgspec.structs.replace(new, words=command.words)
    return _rectifying(state, shoe, new, command.dealer, now, pit=False)


def confirm(state: TableState, command: c.ConfirmRectification, now: int) -> e.Events:
    """Rectify the coup, as confirmed by a member of the pit who has not dealt it."""
    checks.check_by_hand(state)
    shoe, by = state.manual.shoe, command.by
    if shoe is None or command.round != state.round.number:
        raise Refused(Code.NO_SUCH_ROUND, "not-current-coup", round=command.round)
    new = rectified(state, shoe, command.drawn, now)
    if by in (state.manual.dealer, *state.manual.dealers):
        raise Refused(Code.NEEDS_TWO_PEOPLE, "own-coup")
    if not needs_pit(state, new):
        raise Refused(Code.WRONG_PHASE, "dealer-rectifies")
    return _rectifying(state, shoe, new, by, now, pit=True)


def excess_goes(state: TableState, rules: str) -> Excess:
    """Return where an excess card goes.

    It can be returned to the shoe only if the shoe's rule card allows reconstruction.
    """
    back = game_of(rules).card.procedures.reconstruction
    return state.settings.excess if back else Excess.BURNED


def needs_pit(state: TableState, new: e.CoupRectified) -> bool:
    """Return whether the pit must confirm a change to the coup.

    The pit must confirm in four cases: the table requires it for every rectification; the coup is
    complete, even if it has not been announced; a card sent by a device is changed; or the dealer
    did not accept a device's card as it was sent.
    """
    if state.settings.inspector:
        return True
    complete = state.result_known or checks.correct_deal(state).deal.over
    sent = any(
        device and new.drawn[place : place + 1] != new.recorded[place : place + 1]
        for place, device in enumerate(state.manual.sent)
    )
    return bool(state.manual.mistaken) or sent or (complete and new.drawn != new.recorded)


def _rectifying(
    state: TableState, shoe: CardShoe, new: e.CoupRectified, by: str, now: int, *, pit: bool
) -> e.Events:
    number, waiting = state.round.number, state.proposals
    stale = checks.about_coup(number)
    if needs_pit(state, new):
        action = TwoPersonAction(Rectify(number), _change(state, new), by)
        first = seconded(waiting, action, now)
        if first is None:
            return propose(waiting, action, now)
        if not pit:
            raise Refused(Code.NEEDS_TWO_PEOPLE, "pit-must-confirm", by=first)
        new, stale = msgspec.structs.replace(new, by=(first, by)), stale[:1]  # `new` ends Rectify
    out = (*shoe.out[: shoe.start], *new.drawn)
    alarms = checks.unshuffled_alarm(state, shoe, out, shoe.start, new.dealer, now)
    return [*changed(waiting, stale, now), new, *alarms]


def _change(state: TableState, new: e.CoupRectified) -> terms.ChangeCoup:
    before, after = (
        sum(result.net for result in results) for results in (new.paid_before, new.paid_after)
    )
    coups = new.coup_before, new.coup_after
    return terms.ChangeCoup(new.recorded, new.drawn, *coups, before, after, state.manual.mistaken)


def rectified(
    state: TableState, shoe: CardShoe, cards: tuple[Card, ...] | None, now: int
) -> e.CoupRectified:
    """Return the event that rectifies the coup with these cards, or raise Refused.

    Whether the sender may do so is not checked here.
    """
    checks.check_phase(state, "no-coup-to-rectify", Phase.DEALING, Phase.DECIDED)
    recorded = state.round.drawn
    drawn = recorded if cards is None else cards
    if drawn == recorded and not (checks.irregular(state) or state.manual.mistaken):
        raise Refused(Code.WRONG_PHASE, "nothing-to-rectify")
    if not drawn and len(recorded) > 1:  # a single card may be a false report
        raise Refused(Code.WRONG_CARD, "order-needed")
    checks.check_known(shoe, drawn)
    earlier = list(shoe.out[: shoe.start])
    for card in drawn:
        checks.check_suit(card)
        if impossible(shoe.decks, earlier, card):
            raise Refused(Code.WRONG_CARD, "foreign-card", card=card.face())
        earlier.append(card)
    before, right = checks.correct_deal(state), deal_correctly(game_of(shoe.rules).tableau, drawn)
    new = e.CoupRectified(
        now,
        round=state.round.number,
        dealer=state.manual.dealer,
        recorded=recorded,
        drawn=drawn,
        hands=tuple(turn.hand for turn in right.turns if turn.hand is not None),
        excess=right.excess,
        goes=excess_goes(state, shoe.rules),
        coup_before=str(before.deal.coup) if before.deal.over else "",
        coup_after=str(right.deal.coup) if right.deal.over else "",
    )
    if not needs_pit(state, new):
        return new
    paid = [
        results_of(shoe.rules, one.deal.coup, state.round.wagers) if one.deal.over else ()
        for one in (before, right)
    ]
    return msgspec.structs.replace(new, paid_before=paid[0], paid_after=paid[1])


# ---- a settled round ----------------------------------------------------------------------------


def _report(state: TableState, command: c.ReportError, now: int) -> e.Events:
    """Record a report, which keeps the round correctable; it does not stop or decide anything.

    Everyone can report a round once. If many reports are waiting, only those who bet on the round
    or dealt it can add one.
    """
    number, by, manual = command.round, command.by, state.manual
    if number not in reportable(state):
        raise _too_late(state, number)
    if any(one.by == by for one in manual.reported(number)):
        raise Refused(Code.ALREADY_REPORTED, "already-reported", round=number)
    if (number, by) in manual.dismissed:
        raise Refused(Code.ALREADY_REPORTED, "report-dismissed", round=number)
    past = manual.round(number)
    wagers = state.round.wagers if past is None else past.wagers
    involved = by in wagers or by in (manual.dealer, *manual.dealers_of(number))
    reports = len(manual.reported(number))
    if reports >= MAX_REPORTS and not involved:
        raise Refused(Code.ALREADY_REPORTED, "reported-enough", round=number, reports=reports)
    return [e.ErrorReported(now, number, by, command.words)]


def implied_report(state: TableState, command: c.OpenDispute, now: int) -> e.Events:
    """Return the error report that a dispute implies if it is opened in time.

    The dispute brings the round to the pit's attention, so an error in the round can still be
    corrected after the next coup has begun.
    """
    number, player = command.round, command.player
    past = correctable(state, number)
    manual = state.manual
    already = any(one.by == player for one in manual.reported(number))
    already = already or (number, player) in manual.dismissed
    if past is None or not past.in_time or already:
        return []
    return [e.ErrorReported(now, number, player, command.words)]


def refusal_to_decide(state: TableState, number: int) -> Refused | None:
    """Return a refusal if a dispute over the round cannot be decided yet; otherwise None.

    Reports are decided first, so that an error is not paid for twice. Without a cut-off, deciding
    the dispute makes the result final.
    """
    past = state.manual.round(number)
    if past is not None and state.manual.reported(number):
        return Refused(Code.TOO_EARLY, "report-first", round=number)
    if past is not None and past.cut_off:
        return Refused(Code.TOO_EARLY, "result-not-final", round=number)
    return None


def reportable(state: TableState) -> tuple[int, ...]:
    """Return the rounds in which errors can be reported now, the latest first.

    Those are the round under way, from “no more bets” on, and settled rounds.
    """
    under_way = state.by_hand and state.round.phase in checks.ON_THE_TABLE
    rounds = (past.number for past in reversed(state.manual.past) if past.in_time)
    settled = (number for number in rounds if correctable(state, number))
    return (*([state.round.number] if under_way else []), *settled)


def correctable(state: TableState, number: int) -> PastRound | None:
    """Return the settled round if it can still be corrected and no dispute over it was paid."""
    if any(dispute.round == number and dispute.paid for dispute in state.disputes):
        return None
    return state.manual.round(number)


def _dismiss(state: TableState, command: c.DismissReport, now: int) -> e.Events:
    number, by = command.round, command.by
    _check_reported(state, number, by)
    reports = state.manual.reported(number)
    if command.reports not in (None, len(reports)):
        raise Refused(Code.STALE_VIEW, "reports-changed", round=number, reports=len(reports))
    dismissed = terms.DismissReports(tuple(report.by for report in reports))
    action = TwoPersonAction(Correct(number), dismissed, by, command.words)
    two = command.issued_dealer or by in state.manual.dealers_of(number)
    first = seconded(state.proposals, action, now)
    if first is None and two:
        return propose(state.proposals, action, now)
    return [e.ReportDismissed(now, number, by, command.words, first or "")]


def _consider(state: TableState, command: c.ConsiderRectification, now: int) -> e.Events:
    current = state.round
    under_way = command.round == current.number and current.phase in checks.ON_THE_TABLE
    if not (under_way and state.by_hand and state.result_known):
        raise Refused(Code.NO_SUCH_ROUND, "result-not-open", round=command.round)
    return [e.RectificationConsidered(now, command.round, command.by, command.words)]


def _remedy(state: TableState, command: c.RemedyError, now: int) -> e.Events:
    new = settled_again(state, command, now)
    if not takes_two(state, new):
        return _with_alarm(state, new)
    nets = {paid.player: paid.net for paid in new.paid_before}
    moved = tuple(
        terms.Moved(result.player, nets[result.player], result.net) for result in new.results
    )
    agreed = terms.SettleAgain(new.drawn, new.coup_before, new.coup, moved)
    action = TwoPersonAction(Correct(new.round), agreed, new.by)
    first = seconded(state.proposals, action, now)
    if first is None:
        return propose(state.proposals, action, now)
    _check_reported(state, command.round, first)  # the proposer may have reported the error since
    return _with_alarm(state, msgspec.structs.replace(new, first=first))


def _with_alarm(state: TableState, new: e.RoundCorrected) -> e.Events:
    """Return the correction, and an alarm if its cards show that the shoe was not shuffled."""
    past, shoe = state.manual.round(new.round), corrected(state.manual, new).shoe
    if past is None or shoe is None or not shoe.dealt(past.shoe):
        return [new]
    return [
        new,
        *checks.unshuffled_alarm(state, shoe, shoe.out, past.start, state.manual.dealer, new.at),
    ]


def settled_again(state: TableState, command: c.RemedyError, now: int) -> e.RoundCorrected:
    """Return the event that settles a round again with these cards, or raise Refused.

    Balances are not known here, so `house.money.corrections` adds the amounts for each player.
    """
    past = correctable(state, command.round)
    if past is None:
        raise _too_late(state, command.round)
    _check_reported(state, command.round, command.by)
    correct = deal_correctly(game_of(past.rules).tableau, command.drawn)
    if not correct.deal.over:
        raise Refused(Code.WRONG_CARD, "coup-incomplete", hand=str(correct.deal.turn.hand))
    kept = command.drawn[: len(correct.turns)]
    shoe = state.manual.shoe
    here = shoe if shoe is not None and shoe.dealt(past.shoe) else None
    between = not past.followed and here and state.round.phase.resting
    goes = excess_goes(state, past.rules) if between else Excess.BURNED
    fewer = len(command.drawn) < len(past.cards)
    if (
        fewer
        and not past.followed
        and here
        and state.round.phase is Phase.OPEN
        and state.round.bets
    ):
        rounds = {"round": past.number, "open": state.round.number}
        raise Refused(Code.WRONG_PHASE, "correct-after-betting", **rounds)
    if here is not None:
        _check_cards(here, past, kept, correct.excess if goes is Excess.BURNED else ())
    coup = correct.deal.coup
    return e.RoundCorrected(
        now,
        round=command.round,
        by=command.by,
        drawn=command.drawn,
        excess=correct.excess,
        goes=goes,
        coup=str(coup),
        winner=coup.winner,
        results=results_of(past.rules, coup, past.wagers),
        corrections=(),
        alone=command.alone,
        coup_before=str(deal_correctly(game_of(past.rules).tableau, past.cards).deal.coup),
        paid_before=past.results,
    )


def takes_two(state: TableState, new: e.RoundCorrected) -> bool:
    """Return whether two people must decide on a correction.

    Two people must decide if the house has a limit for decisions by one person, or if the sender
    dealt the round.
    """
    return new.alone is not None or new.by in state.manual.dealers_of(new.round)


def _check_reported(state: TableState, number: int, by: str) -> None:
    reports = state.manual.reported(number)
    if not reports:
        if state.manual.round(number) is None and number != state.round.number:
            raise _too_late(state, number)
        raise Refused(Code.WRONG_PHASE, "nothing-reported", round=number)
    if any(report.by == by for report in reports):
        raise Refused(Code.NEEDS_TWO_PEOPLE, "own-report", by=by, round=number)


def _too_late(state: TableState, number: int) -> Refused:
    if not 0 < number <= state.round.number:
        return Refused(Code.NO_SUCH_ROUND, "no-such-round", round=number)
    if not state.by_hand:
        return Refused(Code.RESULT_STANDS, "dealt-by-server")
    if number == state.round.number:
        return Refused(Code.WRONG_PHASE, "not-correctable", round=number)
    if any(dispute.round == number and dispute.paid for dispute in state.disputes):
        return Refused(Code.RESULT_STANDS, "result-disputed", round=number)
    shuffler = state.manual.shoe is not None and state.manual.shoe.shuffler
    if not shuffler and not has_cut_off(state.rules, state.settings):
        return Refused(Code.RESULT_STANDS, "result-of-last-shoe", round=number)
    reported = bool(state.manual.reported(number))
    key = "result-stands-reported" if reported else "result-stands"
    return Refused(Code.RESULT_STANDS, key, round=number)


def _check_cards(
    shoe: CardShoe, past: PastRound, kept: Sequence[Card], burned: Sequence[Card]
) -> None:
    """Raise Refused if the cards of a corrected coup are impossible.

    Extra cards must be those that followed the coup, and the decks must contain all the cards.
    """
    end = past.start + len(past.cards)
    more = kept[len(past.cards) :]
    came = (*shoe.out[end:], *shoe.known)
    for card, followed in zip(more, came, strict=False):
        if followed not in (None, card):
            faces = {"card": card.face(), "followed": followed.face()}
            raise Refused(Code.WRONG_CARD, "other-card-followed", **faces)
    left = unseen(shoe.decks, out_corrected(shoe.out, past, kept, burned))
    for card in (*kept, *burned):
        checks.check_suit(card)
        if left[card] < 0:
            raise Refused(Code.WRONG_CARD, "card-impossible", card=card.face())


REMEDIES: dict[type[c.Command], Decide] = {
    c.RectifyCoup: rectify,
    c.ConfirmRectification: confirm,
    c.ReportError: _report,
    c.DismissReport: _dismiss,
    c.RemedyError: _remedy,
    c.ConsiderRectification: _consider,
}
