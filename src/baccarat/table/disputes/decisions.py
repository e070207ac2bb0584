"""Decisions on disputes and on resolving ambiguities.

A player opens at most one dispute for a round. The pit decides the dispute by the option that is
best for the player, as R46 requires. The house sets how much one person may decide in a dispute,
and alone in a gaming day; above those amounts two people must agree.

Two people resolve an ambiguity from a given date on: the rule card then gets a new version, by
which the next shoe is dealt. A decided dispute stays closed, and a shoe never changes its rules.
"""

from collections.abc import Callable
from dataclasses import replace

from baccarat.core.errors import BaccaratError
from baccarat.core.text import Coins
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.codec import Readings
from baccarat.table.disputes.replay import Case, open_questions, options, proposed
from baccarat.table.four_eyes import subjects, terms
from baccarat.table.four_eyes.proposals import Motion, propose, seconded
from baccarat.table.manual.corrections import open_to_errors, reported_by
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import card_id, game_of, resolved
from baccarat.table.state import TableState

LONGEST_WORDS = 500
MOST_OPEN = 20
"""Maximum number of undecided disputes of one player."""


CaseNow = Callable[[], Case]
"""A function that returns the case from the journal as it is during the commit. Because it reads
all events of a shoe, it is called only after every other check has passed."""


def open_dispute(
    state: TableState, command: c.OpenDispute, case_now: CaseNow, now: int
) -> e.Events:
    number, player = command.round, command.player
    if state.dispute(number, player) is not None:
        raise Refused(Code.ALREADY_DISPUTED, "already-disputed", round=number)
    waiting = [one for one in state.disputes if one.player == player and not one.decided]
    if len(waiting) >= MOST_OPEN:
        raise Refused(Code.ALREADY_DISPUTED, "too-many-disputes", open=len(waiting))
    _check_words(command.words)
    case = case_now()
    card = game_of(case.rules).card
    if not card.procedures.disputes_for_player:
        raise Refused(Code.NOTHING_OPEN, "disputes-not-promised", card=card.name)
    if not open_questions(case.rules):
        raise Refused(
            Code.NOTHING_OPEN,
            "nothing-to-dispute",
            round=number,
            card=card.name,
            version=card.version,
        )
    opened = e.DisputeOpened(now, number, player, command.words)
    return [opened, *reported_by(state, command, now)]


def decide_dispute(
    state: TableState, command: c.DecideDispute, case_now: CaseNow, now: int
) -> e.Events:
    number, player = command.round, command.player
    if refused := open_to_errors(state, number):
        raise refused
    dispute = state.dispute(number, player)
    if dispute is None or dispute.decided:
        key = "dispute-decided" if dispute else "dispute-not-opened"
        raise Refused(Code.NO_SUCH_DISPUTE, key, round=number, player=player)
    _check_words(command.words)
    case = case_now()
    found = options(case)
    if pending := sum(one.pending for one in found):
        raise Refused(Code.TOO_EARLY, "cards-to-come", pending=pending, options=len(found))
    best = proposed(found)
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
    agreed = terms.DecideDispute(chosen.readings, case.result.net, chosen.net)
    motion = Motion(subjects.Dispute(number, player), agreed, command.by, command.words)
    first = seconded(state.proposals, motion, now)
    above = command.day_alone is not None and command.used + due > command.day_alone
    if (due > command.alone or above) and first is None:
        return propose(state.proposals, motion, now)
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
        )
    ]


def resolve(state: TableState, command: c.ResolveAmbiguity, now: int) -> e.Events:
    settings = state.settings
    asked = {one.id: one.readings for one in open_questions(settings.rules)}
    card = card_id(settings.rules)  # a resolved ambiguity is marked open until the next shoe
    pending = [one.ambiguity for one in state.resolutions if one.card == card]
    if command.ambiguity not in asked or command.ambiguity in pending:
        key = "already-resolved" if command.ambiguity in pending else "not-ambiguous"
        listed = ", ".join(one for one in asked if one not in pending) or "none"
        raise Refused(Code.NOTHING_OPEN, key, ambiguity=command.ambiguity[:40], open=listed)
    _check_words(command.words)
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
    motion = Motion(subjects.Ambiguity(command.ambiguity), agreed, command.by, command.words)
    first = seconded(state.proposals, motion, now)
    if first is None:
        return propose(state.proposals, motion, now)
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


def _check_words(words: str) -> None:
    if not 0 < len(words.strip()) <= LONGEST_WORDS:
        raise Refused(Code.BAD_SETTINGS, "explain-in-words", most=LONGEST_WORDS)


def _named(readings: Readings) -> str:
    return ", ".join(f"{name} as {reading}" for name, reading in readings)


def _in_order(case: Case, readings: Readings) -> Readings:
    """Return one reading of each open ambiguity, in the order of the rule card.

    The reading is an empty string where none was given.
    """
    given = dict(readings)
    return tuple((one.id, given.get(one.id, "")) for one in open_questions(case.rules))
