"""Decisions on disputes and on resolving ambiguities.

A player may open one dispute for each round, in their own words. Where the rules have an open
ambiguity, the pit decides by the option that is best for the player, as R46 requires. The house
limits how much one person may decide alone, per dispute and per gaming day; above those amounts two
people must agree. Otherwise the pit answers in words. A payment with the answer needs two people,
because no rule computes the amount; both must send the same answer, on the same facts. An answer
without a payment needs two people if the player cites an ambiguity that the house has listed, or if
a listed ambiguity that applied to the dispute was withdrawn.

Two people can resolve an ambiguity from a given date on. The rule card then gets a new version,
which applies from the next shoe. A decided dispute stays closed, and the rules of a shoe never
change.
"""

from collections.abc import Callable
from dataclasses import replace

from baccarat.core.errors import BaccaratError
from baccarat.core.text import Coins
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.codec import Readings
from baccarat.table.disputes.replay import Case, Option, open_questions, options, proposed
from baccarat.table.four_eyes import subjects, terms
from baccarat.table.four_eyes.proposals import TwoPersonAction, propose, seconded
from baccarat.table.manual.corrections import implied_report, refusal_to_decide
from baccarat.table.refusals import Code, Refused, check_words
from baccarat.table.rules import card_id, game_of, resolved
from baccarat.table.state import TableState

MAX_OPEN = 20
"""Maximum number of undecided disputes of one player."""


CaseNow = Callable[[], Case]
"""A function that builds the case from the journal, as of the commit. It reads all events of a
shoe, so the cheaper checks come first."""


def open_dispute(
    state: TableState, command: c.OpenDispute, case_now: CaseNow, now: int
) -> e.Events:
    number, player = command.round, command.player
    if state.dispute(number, player) is not None:
        raise Refused(Code.ALREADY_DISPUTED, "already-disputed", round=number)
    waiting = [
        dispute for dispute in state.disputes if dispute.player == player and not dispute.decided
    ]
    if len(waiting) >= MAX_OPEN:
        raise Refused(Code.ALREADY_DISPUTED, "too-many-disputes", open=len(waiting))
    check_words(command.words)
    case = case_now()  # raises Refused unless the player has a settled wager on the round
    if command.cites and command.cites not in (*case.listed, *case.owed, *case.cited):
        raise Refused(Code.NOTHING_OPEN, "not-listed", ambiguity=command.cites[:40], round=number)
    opened = e.DisputeOpened(now, number, player, command.words, command.cites)
    return [opened, *implied_report(state, command, now)]


def decide_dispute(
    state: TableState, command: c.DecideDispute, case_now: CaseNow, now: int
) -> e.Events:
    number, player = command.round, command.player
    _check_undecided(state, command)
    case = case_now()
    if not open_questions(case.rules):
        raise Refused(Code.NOTHING_OPEN, "nothing-to-replay", round=number)
    found, best = _replayed(case)
    wanted = _in_order(case, command.readings)
    chosen = next((one for one in found if one.readings == wanted), None)
    if chosen is None or not chosen.known or chosen.net < best.net:
        raise Refused(
            Code.NOT_BEST,
            "not-best",
            player=player,
            chosen=_named(wanted)[:200],
            best=_named(best.readings)[:200],
            due=Coins(best.net - case.result.net),
        )
    due = chosen.net - case.result.net
    if case.owed and not due:
        raise _must_pay(case)
    agreed = terms.DecideDispute(chosen.readings, chosen.net, _grounds(case))
    action = TwoPersonAction(subjects.Dispute(number, player), agreed, command.by, command.words)
    first = seconded(state.proposals, action, now)
    above = command.day_alone is not None and command.used + due > command.day_alone
    own = bool(case.listed) or command.by in case.involved  # listed by the house, or involved
    two = due > command.alone or above or (own if due else _doubtful(case))
    if first is None and two:
        return propose(state.proposals, action, now)
    return [
        e.DisputeDecided(
            now,
            round=number,
            player=player,
            readings=chosen.readings,
            coup=chosen.coup,
            before=case.result,
            after=e.PlayerResult(player, chosen.wagers, case.result.bonus, case.result.agreed),
            alone=command.alone,
            by=(command.by,) if first is None else (first, command.by),
            words=command.words,
            day=0 if command.day_alone is None else command.day,
            day_alone=command.day_alone,
            listed=case.listed,
        )
    ]


def answer_dispute(
    state: TableState, command: c.AnswerDispute, case_now: CaseNow, now: int
) -> e.Events:
    """Close a dispute in words.

    Two people are needed if there is a payment, if the sender is involved, or if a listed ambiguity
    is cited or was withdrawn.
    """
    number, player, amount, by = command.round, command.player, command.amount, command.by
    _check_undecided(state, command)
    if amount < 0:
        raise Refused(Code.BAD_SETTINGS, "answer-negative")
    case = case_now()
    if is_bound(case):
        _, best = _replayed(case)
        due = max(best.net - case.result.net, 1)
        if amount < due:
            raise Refused(Code.NOT_BEST, "answer-below-replay", player=player, due=Coins(due))
    if case.owed and not amount:
        raise _must_pay(case)
    agreed = terms.AnswerDispute(amount, command.words, _grounds(case))
    action = TwoPersonAction(subjects.Dispute(number, player), agreed, by, command.words)
    first = seconded(state.proposals, action, now)
    if first is None and (amount > 0 or by in case.involved or _doubtful(case)):
        return propose(state.proposals, action, now)
    names = (by,) if first is None else (first, by)
    return [e.DisputeAnswered(now, number, player, amount, command.words, names, case.listed)]


def is_bound(case: Case) -> bool:
    """Return whether the dispute must be decided by the reading that is best for the player.

    Ambiguities that the house has listed itself always bind it; those of a rule card bind it only
    if the card says so.
    """
    promised = game_of(case.rules).card.procedures.disputes_for_player or bool(case.listed)
    return promised and bool(open_questions(case.rules))


def _doubtful(case: Case) -> bool:
    """Return whether two people are needed to close the dispute without a payment."""
    return bool(case.cited or case.withdrawn)


def _grounds(case: Case) -> terms.Grounds:
    """Return the facts that two people must agree on to close the dispute, as of the commit."""
    applying = (*case.listed, *case.owed, *case.cited)
    return terms.Grounds(case.result.net, applying, case.withdrawn)


def _must_pay(case: Case) -> Refused:
    named = {"ambiguity": ", ".join(case.owed), "player": case.result.player}
    return Refused(Code.NOT_BEST, "answer-must-pay", **named)


def _check_undecided(state: TableState, command: c.DecideDispute | c.AnswerDispute) -> None:
    number, player = command.round, command.player
    if refused := refusal_to_decide(state, number):
        raise refused
    dispute = state.dispute(number, player)
    if dispute is None or dispute.decided:
        key = "dispute-decided" if dispute else "dispute-not-opened"
        raise Refused(Code.NO_SUCH_DISPUTE, key, round=number, player=player)
    check_words(command.words)


def _replayed(case: Case) -> tuple[tuple[Option, ...], Option]:
    """Return all options and the best one, or raise Refused while cards are missing."""
    found = options(case)
    if pending := sum(one.pending for one in found):
        raise Refused(Code.TOO_EARLY, "cards-to-come", pending=pending, options=len(found))
    return found, proposed(found)


def resolve(state: TableState, command: c.ResolveAmbiguity, now: int) -> e.Events:
    settings = state.settings
    asked = {question.id: question.readings for question in open_questions(settings.rules)}
    card = card_id(settings.rules)
    # A resolved ambiguity stays open in the rules until the resolution takes effect.
    pending = [resolution.ambiguity for resolution in state.resolutions if resolution.card == card]
    if command.ambiguity not in asked or command.ambiguity in pending:
        key = "already-resolved" if command.ambiguity in pending else "not-ambiguous"
        listed = ", ".join(one for one in asked if one not in pending) or "none"
        raise Refused(Code.NOTHING_OPEN, key, ambiguity=command.ambiguity[:40], open=listed)
    check_words(command.words)
    readings = [reading.id for reading in asked[command.ambiguity]]
    if command.reading not in readings:
        values = {"reading": command.reading[:40], "readings": ", ".join(readings)}
        raise Refused(Code.BAD_SETTINGS, "no-such-reading", **values)
    try:
        rules = resolved(settings.rules, command.ambiguity, command.reading, command.words)
    except BaccaratError as error:
        raise Refused(Code.BAD_SETTINGS, "resolution-invalid", fault=str(error)) from error
    version = game_of(settings.rules).card.version
    agreed = terms.ResolveAmbiguity(command.reading, command.effective, card, version)
    action = TwoPersonAction(
        subjects.Ambiguity(command.ambiguity), agreed, command.by, command.words
    )
    first = seconded(state.proposals, action, now)
    if first is None:
        return propose(state.proposals, action, now)
    effective = max(command.effective, now)
    done = e.AmbiguityResolved(
        now,
        card=card_id(rules),
        ambiguity=command.ambiguity,
        reading=command.reading,
        words=command.words,
        effective=effective,
        by=(first, command.by),
    )
    if effective > now:
        return [done]
    return [done, e.SettingsChanged(now, replace(settings, rules=rules), f"{first}, {command.by}")]


def _named(readings: Readings) -> str:
    return ", ".join(f"{name} as {reading}" for name, reading in readings)


def _in_order(case: Case, readings: Readings) -> Readings:
    """Return the given reading of each open ambiguity, in the order of the rule card.

    A reading that was not given is an empty string.
    """
    given = dict(readings)
    return tuple(
        (question.id, given.get(question.id, "")) for question in open_questions(case.rules)
    )
