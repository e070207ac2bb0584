"""Decides which events a command causes, or why it is refused.

`decide(state, command, now)` is pure: it reads the state without changing it, and applying the
returned events with `apply` gives the next state. A command from the driving server is accepted
only if `automatic.next_step` returns its step, so the order of steps is defined only once. A
refused command changes nothing; the refusal contains a code, the offending value and what would be
accepted. Only wagers are handled elsewhere, by `house.desk`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import msgspec

from baccarat.core.misdeals import deal_correctly
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.agreements import checked, is_granted, listed
from baccarat.table.automatic.decisions import DRIVEN, check_step, turned
from baccarat.table.disputes.decisions import (
    CaseNow,
    answer_dispute,
    decide_dispute,
    open_dispute,
    resolve,
)
from baccarat.table.events import THE_HOUSE
from baccarat.table.four_eyes import proposals, subjects, terms
from baccarat.table.manual.checks import alarm_and_pause, check_dealer, check_not_frozen
from baccarat.table.manual.corrections import REMEDIES
from baccarat.table.manual.decisions import DECISIONS
from baccarat.table.manual.undo import UNDO
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused, check_words
from baccarat.table.rules import game_of
from baccarat.table.settings import DummyRefund
from baccarat.table.settings_changes import changes, check_settings, raises_a_maximum
from baccarat.table.settlement import stakes_and_sure_wins, stakes_back
from baccarat.table.state import Decide, TableState, apply


def decide(
    state: TableState | None, command: c.Command, now: int, case: CaseNow | None = None
) -> tuple[e.Event, ...]:
    """Return the events that the command causes, all with the same timestamp, or raise Refused.

    Commands about a dispute need its case, built from the journal that led to exactly this state.
    """
    if state is None:
        if isinstance(command, c.OpenTable):
            check_settings(command.settings)
            starts_at = now + command.starts_after
            return (e.TableOpened(now, command.table, command.settings, starts_at),)
        raise Refused(Code.NO_SUCH_TABLE, "table-not-opened")
    now = max(now, state.at)  # the server of the last event may have a faster clock
    if isinstance(command, c.ServerCommand):
        check_step(state, command, now)
    if (decide_case := _WITH_CASE.get(type(command))) is not None:
        if case is None:
            raise ValueError(f"{type(command).__name__} needs the case of the dispute")
        return tuple(decide_case(state, command, case, now))
    check_not_frozen(state, command)
    return tuple(_DECIDE[type(command)](state, command, now))


def _open_table(_: TableState, __: c.OpenTable, ___: int) -> e.Events:
    raise Refused(Code.WRONG_PHASE, "table-opened")


def _change_settings(state: TableState, command: c.ChangeSettings, now: int) -> e.Events:
    check_settings(command.settings)
    # An ambiguity that was resolved at the table stays resolved, whatever the house file says.
    settings = state.settings_due(now, command.settings)
    if settings == state.settings:
        return []
    changed = changes(state.settings, settings)
    return [e.SettingsChanged(now, settings, command.by, changes=changed)]


def _adjust_table(state: TableState, command: c.AdjustTable, now: int) -> e.Events:
    """Change the clock or the limits; raising or removing a maximum needs two people."""
    before = state.settings
    settings = replace(
        before, clock=command.clock or before.clock, limits=command.limits or before.limits
    )
    check_settings(settings)
    if settings == before:
        return []
    changed = changes(before, settings)
    first = None
    if raises_a_maximum(before, settings):
        asked = terms.ChangeLimits(command.clock, command.limits, changed)
        action = proposals.TwoPersonAction(subjects.Limits(), asked, command.by)
        first = proposals.seconded(state.proposals, action, now)
        if first is None:
            return proposals.propose(state.proposals, action, now)
    return [e.SettingsChanged(now, settings, command.by, first or "", changed)]


def _record_alert(state: TableState, command: c.RecordAlert, now: int) -> e.Events:
    known = any(_covers(alert, command.alert) for alert in state.alerts)
    return [] if known else [msgspec.structs.replace(command.alert, at=now)]


def _covers(known: e.Alert, new: e.Alert) -> bool:
    """Return whether a known alert makes a new one redundant.

    For example, the group of players in the new alert may be a subset of the known group.
    """
    match known, new:
        case e.PartnersSuspected(), e.PartnersSuspected():
            return set(new.players) <= set(known.players)
        case e.ResultUnusual(), e.ResultUnusual():
            return (new.money, new.since) == (known.money, known.since)
        case e.DataLost(), e.DataLost():
            return new.words == known.words
    return False


def _take_lease(state: TableState, command: c.TakeLease, now: int) -> e.Events:
    if command.epoch != state.epoch + 1:
        epochs = {"epoch": command.epoch, "next": state.epoch + 1}
        raise Refused(Code.STALE_EPOCH, "epoch-not-next", **epochs)
    return [e.LeaseTaken(now, command.epoch, command.holder)]


def _pause(state: TableState, command: c.PauseTable, now: int) -> e.Events:
    already = state.house_paused if command.house else state.itself_paused
    if already and state.frozen >= command.frozen:
        return []
    return [e.TablePaused(now, command.by, command.reason, command.house, command.frozen)]


def _resume(state: TableState, command: c.ResumeTable, now: int) -> e.Events:
    if state.house_paused and not command.house:
        raise Refused(Code.TABLE_PAUSED, "house-paused")
    paused = state.house_paused if command.house else state.itself_paused
    stays = command.house and state.itself_paused
    return [e.TableResumed(now, command.by, command.house, stays)] if paused else []


def _withdraw(state: TableState, command: c.WithdrawProposal, now: int) -> e.Events:
    if command.dealer:
        check_dealer(state, c.DealerCommand(command.by))
    known = proposals.find(state.proposals, command.subject)
    if command.own and known is not None and known.by != command.by:
        raise Refused(Code.NOT_ALLOWED, "not-your-proposal", by=known.by)
    return proposals.withdraw(state.proposals, command.subject, command.by, now)


# ---- agreements ---------------------------------------------------------------------------------


def _propose_agreement(state: TableState, command: c.ProposeAgreement, now: int) -> e.Events:
    """Return the event for a proposed agreement, which replaces any earlier proposal.

    Either the player or the house can propose. Repeating a proposal causes no event. A player's
    request that the house grants automatically becomes an agreement at once.
    """
    values = checked(command.values, state.rules, state.settings.limits)
    player, known = command.player, state.agreeing(command.player)
    if command.by == player and is_granted(values, state.rules, state.settings):
        if known.newest and known.newest.values == values:
            return []
        return [e.AgreementMade(now, player, values, state.terms_begin(player), player, THE_HOUSE)]
    if (values, command.by) == (known.proposed, known.proposed_by):
        return []
    return [e.AgreementProposed(now, command.player, values, command.by)]


def _confirm_agreement(state: TableState, command: c.ConfirmAgreement, now: int) -> e.Events:
    """Make the agreement if the other party confirms exactly the proposed values."""
    values = checked(command.values, state.rules, state.settings.limits)
    player, by, known = command.player, command.by, state.agreeing(command.player)
    proposed, proposed_by = known.proposed, known.proposed_by
    if not proposed or values != proposed:
        shown = {"proposed": listed(proposed) or "nothing", "values": listed(values)}
        raise Refused(Code.NO_SUCH_AGREEMENT, "agreement-not-proposed", **shown)
    if (by == player) == (proposed_by == player):
        raise Refused(Code.NEEDS_TWO_PEOPLE, "agreement-own-proposal")
    return [e.AgreementMade(now, player, values, state.terms_begin(player), proposed_by, by)]


def _decline_agreement(state: TableState, command: c.DeclineAgreement, now: int) -> e.Events:
    """Withdraw or decline the proposal, if there is one; either party can do this."""
    proposed = state.agreeing(command.player).proposed
    return [e.AgreementDeclined(now, command.player, command.by)] if proposed else []


def _end_agreement(state: TableState, command: c.EndAgreement, now: int) -> e.Events:
    """End the agreement, if there is one; either party can do this, the house with a reason."""
    player, by, words = command.player, command.by, command.words
    if state.agreeing(player).newest is None:
        return []
    if by != player:
        check_words(words)
    return [e.AgreementEnded(now, player, by, state.terms_begin(player), words)]


# ---- the round ----------------------------------------------------------------------------------


def _cancel_round(
    state: TableState, command: c.CancelRound, now: int, *, pit: bool = True
) -> e.Events:
    """Cancel a round, or propose its cancellation where two people must agree.

    The second person must be a member of the pit.
    """
    current = state.round
    if command.round != current.number or current.phase.resting:
        raise Refused(Code.NO_SUCH_ROUND, "cancel-not-current", round=command.round)
    if state.result_known and state.by_hand and not state.manual.considered:
        raise Refused(Code.RECTIFY_FIRST, "rectify-first")
    staked = sum(placed.staked for placed in current.wagers.values())
    back = tuple(state.manual.taken_back(current.drawn))
    asked = terms.CancelRound(command.reason, staked, current.drawn, back)
    action = proposals.TwoPersonAction(subjects.Cancel(command.round), asked, command.by)
    two = card_out(state) or (command.alone is not None and staked > command.alone)
    first = proposals.seconded(state.proposals, action, now) if two else None
    if two and first is None:
        return proposals.propose(state.proposals, action, now)
    if first is not None and not pit:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "pit-must-confirm", by=first)
    by = (command.by,) if first is None else (first, command.by)
    seen = turned(state, now)  # a card that its player has seen does not return to the shoe
    results = cancellation_results(reduce(apply, seen, state), command.reason)
    cancelled = e.RoundCancelled(now, command.round, command.reason, by, results, command.alone)
    if state.by_hand and command.reason is e.CancelReason.FOREIGN_CARD:
        raised = e.AlarmRaised(now, e.Alarm.FOREIGN_CARD, command.by)
        return [cancelled, *alarm_and_pause(state, raised)]
    return [*seen, cancelled]


def cancellation_results(state: TableState, reason: e.CancelReason) -> tuple[e.PlayerResult, ...]:
    """Return each player's results if the current round is cancelled."""
    current = state.round
    if state.settings.dummy is DummyRefund.BETTER and reason is not e.CancelReason.FOREIGN_CARD:
        correct = deal_correctly(game_of(state.rules).tableau, current.drawn).deal
        return stakes_and_sure_wins(state.rules, correct, current.wagers)
    return stakes_back(state.rules, current.wagers)


def card_out(state: TableState) -> bool:
    """Return whether someone may have seen a card of the coup, even if it was taken back."""
    current = state.round
    dealt = current.phase in (Phase.DEALING, Phase.DECIDED) or current.offered is not None
    return dealt or (current.phase is Phase.CLOSED and bool(state.manual.reported_cards))


def _call_off(state: TableState, command: c.CallOff, now: int) -> e.Events:
    """Cancel the round as its dealer, or propose to cancel it; a dealer is never the second
    person."""
    check_dealer(state, command)
    before: list[e.Event] = []
    if state.result_known and not state.manual.considered and command.words:
        before = [e.RectificationConsidered(now, command.round, command.dealer, command.words)]
        state = replace(state, manual=replace(state.manual, considered=True))
    cancel = c.CancelRound(command.round, command.reason, command.dealer, command.alone)
    return [*before, *_cancel_round(state, cancel, now, pit=False)]


_WITH_CASE: dict[type[c.Command], Callable[[TableState, Any, CaseNow, int], e.Events]] = {
    c.OpenDispute: open_dispute,
    c.AnswerDispute: answer_dispute,
    c.DecideDispute: decide_dispute,
}
_DECIDE: dict[type[c.Command], Decide] = {
    c.OpenTable: _open_table,
    c.ChangeSettings: _change_settings,
    c.AdjustTable: _adjust_table,
    c.RecordAlert: _record_alert,
    c.TakeLease: _take_lease,
    c.PauseTable: _pause,
    c.ResumeTable: _resume,
    c.CancelRound: _cancel_round,
    c.CallOff: _call_off,
    c.ProposeAgreement: _propose_agreement,
    c.ConfirmAgreement: _confirm_agreement,
    c.DeclineAgreement: _decline_agreement,
    c.EndAgreement: _end_agreement,
    c.ResolveAmbiguity: resolve,
    c.WithdrawProposal: _withdraw,
    **DRIVEN,
    **DECISIONS,
    **REMEDIES,
    **UNDO,
}
