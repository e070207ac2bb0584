"""What becomes of disputes at a table, and of ambiguities that are resolved.

A player opens one dispute for a round; the pit decides it, for no less than the best known option
(R46 leaves no smaller choice), and with two people above the amount that the house lets one decide.
Two people resolve an ambiguity, from a date on: the card then has a new version, which the next
shoe is dealt by. The one rule: a decided dispute is closed, and no shoe changes its rules.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from baccarat.core.errors import BaccaratError
from baccarat.core.money import format_coins
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.disputes import Case, Readings, open_questions, options, proposed
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import card_id, game_of, resolved
from baccarat.table.settings import Settings
from baccarat.table.twopeople import Motion, Proposals, propose, seconded

LONGEST_WORDS = 500
MOST_OPEN = 20
"""Disputes of one player that wait for a decision."""


@dataclass(frozen=True)
class Dispute:
    """A player's dispute over a round."""

    round: int
    player: str
    at: int
    words: str
    decided: bool = False


@dataclass(frozen=True)
class Resolution:
    """How an ambiguity of a card is read from a time on."""

    card: str
    ambiguity: str
    reading: str
    words: str
    effective: int


@dataclass(frozen=True)
class Appeals:
    """All of it, at one table."""

    disputes: dict[str, Dispute] = field(default_factory=dict)
    """By subject."""
    resolutions: tuple[Resolution, ...] = ()


NO_APPEALS = Appeals()


def subject_of(number: int, player: str) -> str:
    """What proposals about a dispute are called by."""
    return f"dispute {number} {player}"


def question(ambiguity: str) -> str:
    """What proposals about an ambiguity are called by."""
    return f"ambiguity {ambiguity}"


def after(appeals: Appeals, event: e.Event) -> Appeals:
    """The disputes and resolutions after one more event."""
    match event:
        case e.DisputeOpened():
            new = Dispute(event.round, event.player, event.at, event.words)
            return _with(appeals, new)
        case e.DisputeDecided():
            subject = subject_of(event.round, event.player)
            return _with(appeals, replace(appeals.disputes[subject], decided=True))
        case e.AmbiguityResolved():
            made = Resolution(
                event.card, event.ambiguity, event.reading, event.words, event.effective
            )
            return replace(appeals, resolutions=(*appeals.resolutions, made))
    return appeals


def _with(appeals: Appeals, dispute: Dispute) -> Appeals:
    subject = subject_of(dispute.round, dispute.player)
    return replace(appeals, disputes={**appeals.disputes, subject: dispute})


def settings_due(settings: Settings, resolutions: Sequence[Resolution], now: int) -> Settings:
    """Settings with every ambiguity read as it has been resolved by now."""
    rules = settings.rules
    for one in resolutions:
        asked = [ambiguity.id for ambiguity in open_questions(rules)]
        if one.effective <= now and one.ambiguity in asked and card_id(rules) == one.card:
            rules = resolved(rules, one.ambiguity, one.reading, one.words)
    return settings if rules == settings.rules else replace(settings, rules=rules)


# ---- commands -----------------------------------------------------------------------------------


CaseNow = Callable[[], Case]
"""The case as the journal has it at this moment, inside the commit. It is made from all events of a
shoe, so only where nothing else refuses the command."""


def open_dispute(
    appeals: Appeals, command: c.OpenDispute, case_now: CaseNow, now: int
) -> Sequence[e.Event]:
    number, player = command.round, command.player
    if subject_of(number, player) in appeals.disputes:
        raise Refused(
            Code.ALREADY_DISPUTED, f"{player} has disputed round {number} already: once for a round"
        )
    waiting = [one for one in appeals.disputes.values() if one.player == player and not one.decided]
    if len(waiting) >= MOST_OPEN:
        words = f"{len(waiting)} disputes of {player} wait for a decision: wait for one"
        raise Refused(Code.ALREADY_DISPUTED, words)
    _check_words(command.words)
    case = case_now()
    card = game_of(case.rules).card
    if not card.procedures.disputes_for_player:
        words = f"the rules of {card.name} promise nothing about disputes: speak to the pit"
        raise Refused(Code.NOTHING_OPEN, words)
    if not open_questions(case.rules):
        raise Refused(
            Code.NOTHING_OPEN,
            f"round {number} was dealt by {card.name}, version {card.version}, every rule of which "
            "has one reading: there is nothing to dispute",
        )
    return [e.DisputeOpened(now, number, player, command.words)]


def decide_dispute(
    appeals: Appeals,
    proposals: Proposals,
    command: c.DecideDispute,
    case_now: CaseNow,
    now: int,
) -> Sequence[e.Event]:
    number, player = command.round, command.player
    subject = subject_of(number, player)
    dispute = appeals.disputes.get(subject)
    if dispute is None or dispute.decided:
        state = "is decided, and closed" if dispute else "was not opened"
        raise Refused(Code.NO_SUCH_DISPUTE, f"{player}'s dispute over round {number} {state}")
    _check_words(command.words)
    case = case_now()
    found = options(case)
    waiting = [one for one in found if one.pending]
    if waiting:
        raise Refused(
            Code.TOO_EARLY,
            f"{len(waiting)} of {len(found)} options wait for cards that are still in the shoe: "
            "decide when they have been dealt, or when the shoe has ended",
        )
    best = proposed(found)
    wanted = _in_order(case, command.readings)
    chosen = next((one for one in found if one.readings == wanted), None)
    if chosen is None or not chosen.known or chosen.net < best.net:
        raise Refused(
            Code.NOT_BEST,
            f"{_named(wanted)[:200]} is not the best for {player} (R46): "
            f"{_named(best.readings)[:200]} is, with "
            f"{format_coins(best.net - case.result.net)} to pay",
        )
    due = chosen.net - case.result.net
    # What was paid is in it as well: what is paid again is then never more than two have agreed to.
    terms = f"{_named(chosen.readings)}: {case.result.net} to {chosen.net}, pay {due}"
    motion = Motion(subject, terms, command.words, command.by)
    first = seconded(proposals, motion, now)
    if due > command.alone and first is None:
        return propose(proposals, motion, now)
    return [
        e.DisputeDecided(
            now,
            round=number,
            player=player,
            readings=chosen.readings,
            coup=chosen.coup,
            before=case.result,
            after=e.PlayerResult(player, chosen.wagers, case.result.bonus),
            alone=command.alone,
            by=(command.by,) if first is None else (first, command.by),
            words=command.words,
        )
    ]


def resolve(
    appeals: Appeals,
    proposals: Proposals,
    settings: Settings,
    command: c.ResolveAmbiguity,
    now: int,
) -> Sequence[e.Event]:
    asked = [one.id for one in open_questions(settings.rules)]
    card = card_id(settings.rules)  # until its next shoe, what is resolved is still written as open
    pending = [one.ambiguity for one in appeals.resolutions if one.card == card]
    if command.ambiguity not in asked or command.ambiguity in pending:
        state = "is resolved already" if command.ambiguity in pending else "is no open question"
        listed = ", ".join(one for one in asked if one not in pending) or "none is"
        words = f"{command.ambiguity[:40]} {state} at this table: {listed} open"
        raise Refused(Code.NOTHING_OPEN, words)
    _check_words(command.words)
    try:
        rules = resolved(settings.rules, command.ambiguity, command.reading, command.words)
    except BaccaratError as error:
        raise Refused(Code.BAD_SETTINGS, str(error)) from error
    subject = question(command.ambiguity)
    when = f" from {command.effective} on" if command.effective else ""
    # Its readings are this version's: a table with another card since is another question.
    terms = f"{command.reading}{when} for {card} {game_of(settings.rules).card.version}"
    motion = Motion(subject, terms, command.words, command.by)
    first = seconded(proposals, motion, now)
    if first is None:
        return propose(proposals, motion, now)
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
        raise Refused(
            Code.BAD_SETTINGS, f"{len(words)} characters are no reason: 1 to {LONGEST_WORDS}"
        )


def _named(readings: Readings) -> str:
    return ", ".join(f"{name} as {reading}" for name, reading in readings)


def _in_order(case: Case, readings: Readings) -> Readings:
    """One reading of each open question, in the card's order; none where none was given."""
    given = dict(readings)
    return tuple((one.id, given.get(one.id, "")) for one in open_questions(case.rules))
