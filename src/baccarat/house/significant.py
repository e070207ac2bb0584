"""Significant events (G23): which entries of the journals are, of what kind, and in words.

Nothing is written for them: they are events like any others, and this is the list of those that an
inspector asks for. The one rule: each says what happened, when, and who did it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from baccarat.core.cards import parse_card
from baccarat.core.coup import parse_coup
from baccarat.core.money import format_coins
from baccarat.house.roles import Role
from baccarat.table.events import THE_ALARM

Value = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """What a kind of event is kept as."""

    topic: str
    words: Callable[[Value], str]
    matters: Callable[[Value], bool] = lambda _: True
    """Not every event of a kind is significant."""


def _money(coins: int) -> str:
    return format_coins(coins)


def _staff(value: Value) -> bool:
    return bool(value["role"] != Role.PLAYER)


def _by_staff(value: Value) -> bool:
    return bool(value["by"] not in (value["account"], ""))


def _paused(value: Value) -> str:
    return f"The table was paused{' by the alarm' if value['by'] == THE_ALARM else ''}"


def _resumed(value: Value) -> str:
    if value.get("stays"):
        return "The house went on; the table stays paused, as it was by itself."
    return "The table went on."


def _coup(written: str) -> str:
    return parse_coup(written).face()


def _rectified(value: Value) -> str:
    """The cards, the result and the money, before and after."""
    told = _cards(value["told"], value.get("coup_before", ""))
    cards = _cards(value["drawn"], value.get("coup_after", ""))
    words = f"The coup of round {value['round']} was rectified from {told} to {cards}"
    if value["excess"]:
        words += f", {' '.join(map(_face, value['excess']))} {value['goes']}"
    if not value.get("by"):
        return f"{words}."
    won = [
        _money(sum(map(_net, value.get(name, ())))) if value.get(coup) else "none"
        for name, coup in (("paid_before", "coup_before"), ("paid_after", "coup_after"))
    ]
    return f"{words}. Players' result before: {won[0]}, after: {won[1]}."


def _corrected(value: Value) -> str:
    """The cards, the result and the money, before and after."""
    before, after = (sum(map(_net, value.get(name, ()))) for name in ("paid_before", "results"))
    told = _cards((), value.get("coup_before", ""))
    return (
        f"Round {value['round']} was corrected from {told} to {_coup(value['coup'])}. Players' "
        f"result before: {_money(before)}, after: {_money(after)}."
    )


def _cards(cards: Sequence[str], coup: str) -> str:
    if coup:
        return _coup(coup)
    return f"{' '.join(map(_face, cards)) or 'no card'} (not complete)"


def _explained(value: Value) -> str:
    was = {
        "drawn": "drawn in the coup",
        "exposed": "shown early",
        "burned": "the card to be burned",
        "mistake": "a mistake of the device",
    }[value["was"]]
    card = _face(value["card"])
    return f"Round {value['round']}: {card}, sent by a device, was {was}, says the dealer."


def _face(card: str) -> str:
    return parse_card(card).face()


def _handed_over(value: Value) -> str:
    if not value["dealer"]:
        return f"{value['before']} left the table."
    by = "" if value["by"] == value["dealer"] else f", confirmed by {value['by']}"
    return f"{value['dealer']} took the table over from {value['before']}{by}."


def _plain(name: str) -> str:
    """A name of a rule card, for people."""
    return name.replace("-", " ").replace("_", " ")


def _subject(value: Value) -> str:
    """What two people decide, for people."""
    what, *about = value["subject"].split(" ")
    match what:
        case "dispute":
            return f"The dispute over round {about[0]} of {about[1]}"
        case "cancel":
            return f"Cancelling round {about[0]}"
        case "rectify":
            return f"Changing the coup of round {about[0]}"
        case "hand-over":
            return f"A hand-over of the table to {about[0]}"
        case "correct":
            return f"Settling round {about[0]} again"
        case "account":
            return f"The account of {about[0]}"
        case "bonus":
            return f"Bonus money of {about[0]}"
        case "cash":
            return f"Cash of {about[0]}"
        case "limits":
            return "The table's limits"
        case "ambiguity":
            return f"How a rule is read, {_plain(about[0])}"
    return f"{value['subject']}{_terms(value)}"


def _terms(value: Value) -> str:
    return f" ({value['terms']})" if value.get("terms") else ""


def _settings(value: Value) -> str:
    changed = value.get("changes")
    return f"Settings changed: {'; '.join(changed)}." if changed else "The settings were changed."


def _excluded(value: Value) -> str:
    if value["by"] != value["account"]:
        return f"{value['account']} was excluded."
    return (
        f"{value['account']} self-excluded with {_money(value['staked'])} on a round under way; it "
        "is played to its end."
    )


def _excluded_matters(value: Value) -> bool:
    """By the house, or while the player had bets on a round."""
    return _by_staff(value) or bool(value.get("staked"))


TOPICS = {
    "sign-in": "failed sign-ins, sign-ins and accounts of the staff",
    "cash": "money paid in and out, and voids",
    "large-win": "large wins",
    "override": "rounds cancelled, corrected or rectified, disputes, resolved questions, pauses",
    "two-people": "what was proposed to a second person, and taken back",
    "settings": "settings of tables",
    "clock": "clocks of servers, and which server drives a table",
    "adjustment": "bonus money, and money given back or paid later",
    "players": "partners, exclusions and limits set by the house",
    "alarm": "alarms, dealers' errors, unusual results, suspected partners, shared browsers",
    "data-loss": "data that was lost",
}
"""What can be asked for."""

KINDS: Mapping[str, Kind] = {
    "SignInFailed": Kind("sign-in", lambda v: f"A wrong password for {v['account']}."),
    "SignInsLocked": Kind(
        "sign-in",
        lambda v: (
            f"{v['wrong']} wrong passwords in a row for {v['account']}: sign-ins are locked for a "
            "while where they came from."
        ),
    ),
    "SignedIn": Kind("sign-in", lambda v: f"{v['account']} signed in."),
    "PasswordChanged": Kind("sign-in", lambda v: f"{v['account']} has a new password."),
    "PasswordIssued": Kind(
        "sign-in", lambda v: f"A new initial password was issued to {v['account']}."
    ),
    "AccountSuspended": Kind(
        "sign-in", lambda v: f"The account of {v['account']} was suspended: {v['words']}"
    ),
    "SuspensionLifted": Kind("sign-in", lambda v: f"The suspension of {v['account']} was lifted."),
    "AccountClosed": Kind("sign-in", lambda v: f"The account of {v['account']} was closed."),
    "AccountOpened": Kind(
        "sign-in", lambda v: f"Account opened: {v['account']} ({v['role']}).", _staff
    ),
    "MoneyPaidIn": Kind("cash", lambda v: f"Paid in for {v['account']}: {_money(v['amount'])}."),
    "MoneyPaidOut": Kind("cash", lambda v: f"Paid out to {v['account']}: {_money(v['amount'])}."),
    "CashVoided": Kind(
        "cash",
        lambda v: (
            f"Voided, {v['paid']} of {_money(v['amount'])} for {v['account']} "
            f"(entry {v['entry']}): {v['words']}"
        ),
    ),
    "LargeWinPaid": Kind(
        "large-win", lambda v: f"{v['player']} won {_money(v['net'])} in round {v['round']}."
    ),
    "RoundCancelled": Kind(
        "override", lambda v: f"Round {v['round']} has no result: {v['reason']}."
    ),
    "CoupRectified": Kind("override", lambda v: _rectified(v)),
    "DealerChanged": Kind("override", lambda v: _handed_over(v), lambda v: bool(v.get("by"))),
    "RoundCorrected": Kind("override", lambda v: _corrected(v)),
    "ReportDismissed": Kind("override", lambda v: f"Round {v['round']} stands: {v['words']}"),
    "RectificationConsidered": Kind(
        "override", lambda v: f"Round {v['round']} cannot be rectified: {v['words']}"
    ),
    "DisputeDecided": Kind(
        "override",
        lambda v: (
            f"{v['player']}'s dispute over round {v['round']} was decided: "
            f"{_money(_net(v['after']) - _net(v['before']))} paid."
        ),
    ),
    "AmbiguityResolved": Kind(
        "override",
        lambda v: (
            f"A question of the rules was resolved, {_plain(v['ambiguity'])} of "
            f"{_plain(v['card'])}: {_plain(v['reading'])}. {v['words']}"
        ),
    ),
    "TablePaused": Kind("override", lambda v: f"{_paused(v)}: {v['reason']}"),
    "TableResumed": Kind("override", lambda v: _resumed(v)),
    "ActionProposed": Kind("two-people", lambda v: f"{_subject(v)}. {v['words']}"),
    "ProposalEnded": Kind("two-people", lambda v: f"{_subject(v)}: {v['why']}."),
    "TableOpened": Kind("settings", lambda _: "The table was opened."),
    "SettingsChanged": Kind("settings", lambda v: _settings(v)),
    "LeaseTaken": Kind("clock", lambda v: f"{v['holder']} drives the table, epoch {v['epoch']}."),
    "ClockChanged": Kind(
        "clock", lambda v: f"The clock of {v['server']} jumped by {v['milliseconds']} ms."
    ),
    "BonusOpened": Kind(
        "adjustment", lambda v: f"{v['account']} was granted a bonus of {_money(v['amount'])}."
    ),
    "BonusForfeited": Kind(
        "adjustment",
        lambda v: (
            f"{v['account']}: bonus money of {_money(v['amount'])} ended, {v['end']}"
            + (f"; {_money(v['staked'])} more is on tables." if v.get("staked") else ".")
        ),
    ),
    "BonusReleased": Kind(
        "adjustment", lambda v: f"Bonus money of {v['account']} released: {_money(v['amount'])}."
    ),
    "PartnersChanged": Kind(
        "players",
        lambda v: (
            f"{v['account']} counts as one with {', '.join(v['partners']) or 'nobody'}: "
            f"{v['words']}"
        ),
    ),
    "KeptApart": Kind(
        "players", lambda v: f"{v['account']} is no partner of {', '.join(v['others'])}."
    ),
    "BrowserShared": Kind(
        "alarm",
        lambda v: (
            f"{v['account']} signed in with a browser in which {', '.join(v['others'])} had "
            "signed in."
        ),
    ),
    "PlayerExcluded": Kind("players", lambda v: _excluded(v), _excluded_matters),
    "LimitSet": Kind(
        "players", lambda v: f"{v['account']}: {v['limit']} a {v['period']} limited.", _by_staff
    ),
    "AlarmRaised": Kind("alarm", lambda v: f"{v['alarm']}: {v['words']}"),
    "IrregularityFound": Kind("alarm", lambda v: f"Round {v['round']}, {v['kind']}: {v['words']}"),
    "CardInDoubt": Kind(
        "alarm", lambda v: f"Round {v['round']}: {v['card']} was told by a device, {v['words']}"
    ),
    "CardExplained": Kind("alarm", lambda v: _explained(v)),
    "ErrorReported": Kind("alarm", lambda v: f"An error in round {v['round']}: {v['words']}"),
    "BonusBreachFlagged": Kind(
        "alarm", lambda v: f"{v['player']}'s wagers on round {v['round']} breach R37."
    ),
    "PartnersSuspected": Kind("alarm", lambda v: v["words"]),
    "ResultUnusual": Kind(
        "alarm",
        lambda v: (
            f"{_money(v['result'])} of {v['money']} money was won, outside {_money(v['low'])} to "
            f"{_money(v['high'])}; {_money(v['expected'])} was expected."
        ),
    ),
    "DataLost": Kind("data-loss", lambda v: v["words"]),
}
"""Every kind, by the name of its event."""


@dataclass(frozen=True)
class Significant:
    """One of them, for people."""

    stream: str
    sequence: int
    at: int
    kind: str
    topic: str
    who: str
    words: str


def significant(stream: str, sequence: int, kind: str, value: Value) -> Significant | None:
    """An entry as a significant event; None when it is none."""
    known = KINDS.get(kind)
    if known is None or not known.matters(value):
        return None
    words = known.words(value)
    return Significant(stream, sequence, value["at"], kind, known.topic, who(value), words)


def who(value: Value) -> str:
    """Whoever did it: the staff, the dealer, the server, or the player it is about."""
    if value.get("first"):
        return f"{value['first']}, {value['by']}"
    for name in ("by", "dealer", "server", "holder", "player", "account"):
        found = value.get(name)
        if found:
            return ", ".join(found) if isinstance(found, list) else str(found)
    return "the house"


def kinds_of(topic: str | None) -> tuple[str, ...]:
    return tuple(name for name, kind in KINDS.items() if topic in (None, kind.topic))


def _net(result: Mapping[str, Any]) -> int:
    return int(sum(wager["net"] for wager in result["wagers"]))
