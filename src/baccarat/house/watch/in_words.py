"""Describes events, proposals and changed settings in words.

The text of an event is the message `event-TYPE`, where TYPE is the name of its type. The text of a
proposal is the message `proposal-KIND`, where KIND is the kind of its terms. The variables of a
message are fields of the event, terms or subject, or values from `VALUES`. The variable `NAME_n` is
the number of items in the field NAME, or its amount as a number.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any

from baccarat.core.cards import Card
from baccarat.core.coup import parse_coup
from baccarat.core.text import Coins
from baccarat.house import events as h
from baccarat.house.people.roles import Role
from baccarat.table import events as e
from baccarat.table.events import THE_ALARM, Event, PlayerResult
from baccarat.table.four_eyes import terms
from baccarat.table.four_eyes.subjects import Subject
from baccarat.table.manual.in_words import alarm_in_words, doubt_in_words, report_in_words
from baccarat.table.settings import Change
from baccarat.wording.catalogue import Catalogue, catalogue
from baccarat.wording.dealing import faces, irregularity_in_words

VALUES: Mapping[type, Callable[[Any, Catalogue, str], Mapping[str, object]]] = {
    e.CoupRectified: lambda v, t, _: {
        "before": coup_in_words(v.coup_before, t, v.recorded),
        "after": coup_in_words(v.coup_after, t, v.drawn),
        "paid_before": _result(v.coup_before, _net(v.paid_before), t),
        "paid_after": _result(v.coup_after, _net(v.paid_after), t),
        "words": v.words or "none",
    },
    e.RoundCorrected: lambda v, t, _: {
        "before": coup_in_words(v.coup_before, t),
        "after": coup_in_words(v.coup, t),
        "paid_before": Coins(_net(v.paid_before)),
        "paid_after": Coins(_net(v.results)),
        "moved": Coins(
            sum(abs(correction.real + correction.bonus) for correction in v.corrections)
        ),
    },
    e.DealerChanged: lambda v, *_: {"how": _hand_over(v)},
    e.IrregularityFound: lambda v, t, _: {
        "kind": v.wrong.kind,
        "words": irregularity_in_words(v.wrong, t),
    },
    e.CardInDoubt: lambda v, t, _: {"words": doubt_in_words(v, t)},
    e.AlarmRaised: lambda v, t, _: {"words": alarm_in_words(v, t)},
    e.ErrorReported: lambda v, t, _: {"words": report_in_words(v, t)},
    e.TablePaused: lambda v, *_: {
        "how": "frozen" if v.frozen else "alarm" if v.by == THE_ALARM else "reason"
    },
    e.AgreementMade: lambda v, *_: {
        "values": ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in v.values),
        "how": {v.proposed_by: "offer", v.confirmed_by: "grant"}.get(e.THE_HOUSE, "both"),
    },
    e.DisputeDecided: lambda v, *_: {"paid": Coins(v.after.net - v.before.net)},
    e.ActionProposed: lambda v, t, currency: {"proposal": proposal_in_words(v, t, currency)},
    e.ProposalEnded: lambda v, t, _: {"subject": subject_in_words(v.subject, t)},
    e.SettingsChanged: lambda v, t, currency: {"changes": _changes(v.changes, t, currency)},
    h.MoneyPaidIn: lambda v, t, _: {"how": paid_how(v.method, v.reference, t)},
    h.MoneyPaidOut: lambda v, t, _: {"how": paid_how(v.method, v.reference, t)},
    h.PlayerExcluded: lambda v, *_: {"self": v.by == v.account},
    h.LimitSet: lambda v, *_: {
        "what": v.limit if v.amount is not None else "none",
        "amount": Coins(v.amount or 0),
        "minutes": v.amount or 0,
    },
    terms.ChangeCoup: lambda v, t, _: {
        "coup_before": coup_in_words(v.coup_before, t, v.recorded),
        "coup_after": coup_in_words(v.coup_after, t, v.drawn),
        "before": _result(v.coup_before, v.before, t),
        "after": _result(v.coup_after, v.after, t),
    },
    terms.SettleAgain: lambda v, t, _: {
        "coup_before": coup_in_words(v.coup_before, t),
        "coup": coup_in_words(v.coup, t),
        "moved": Coins(sum(abs(result.after - result.before) for result in v.results)),
    },
    terms.ChangeLimits: lambda v, t, currency: {"changes": _changes(v.changes, t, currency)},
    terms.DecideDispute: lambda v, *_: {"due": Coins(v.after - v.grounds.before)},
    terms.OpenAccount: lambda v, *_: {"role": Role(v.role)},
    terms.PayIn: lambda v, t, _: {"how": paid_how(v.method, v.reference, t)},
    terms.PayOut: lambda v, t, _: {"how": paid_how(v.method, v.reference, t)},
    terms.VoidCash: lambda v, *_: {
        "paid": h.Cash.PAY_IN if v.amount < 0 else h.Cash.PAY_OUT,
        "amount": Coins(abs(v.amount)),
    },
}
"""Values that a message needs in addition to fields, by the type of the event or terms."""

MONEY = {"amount", "staked", "net", "result", "expected", "low", "high"}
"""Fields that contain an amount in coins."""
IDS = {"ambiguity", "reading", "card"}
"""Fields that contain an id from a rule card, which is shown as words."""
LIMITS = {"minimum", "maximum", "coup_maximum"}
"""Settings that are amounts in coins."""
NAMED: Mapping[type, str] = {Role: "role", e.CancelReason: "cancelled"}
"""Enums whose values have their own messages, with the prefix of the message keys."""


def event_in_words(event: Event, t: Catalogue, currency: str = "") -> str:
    """Return a description of the event in the catalogue's language."""
    return text(f"event-{type(event).__name__}", t, currency, event)


def proposal_in_words(proposal: e.ActionProposed, t: Catalogue, currency: str = "") -> str:
    """Return a description of the proposed action, without the proposer's reason."""
    agreed, subject = proposal.terms, proposal.subject
    key = f"proposal-{agreed.__struct_config__.tag}"
    return text(key, t, currency, agreed, subject, proposal)


def subject_in_words(subject: Subject, t: Catalogue) -> str:
    return text(f"subject-{subject.__struct_config__.tag}", t, "", subject)


def coup_in_words(coup: str, t: Catalogue, cards: Sequence[Card] = ()) -> str:
    """Return a coup with its totals; if it is not complete, return only the cards."""
    if not coup:
        return t("coup-not-complete", count=len(cards), cards=faces(cards))
    dealt = parse_coup(coup)
    return t(
        "coup-hands",
        player=faces(dealt.player),
        player_total=dealt.player_total,
        banker=faces(dealt.banker),
        banker_total=dealt.banker_total,
    )


def paid_how(method: terms.PaymentMethod, reference: str, t: Catalogue) -> str:
    """Return how a payment was made, such as "by card (reference 123)"."""
    words = t(f"method-{method}")
    return t("paid-how", method=words, reference=reference) if reference else words


def _changes(changes: Sequence[Change], t: Catalogue, currency: str) -> str:
    """Return changes of settings as text, such as "maximum on Tie: £100.00 → £500.00"."""
    return "; ".join(
        t(
            "change-bet" if change.bet else "change",
            name=t(f"setting-{change.name}"),
            bet=change.bet,
            before=_setting(change.name, change.before, t, currency),
            after=_setting(change.name, change.after, t, currency),
        )
        for change in changes
    )


def _setting(name: str, value: int | str | None, t: Catalogue, currency: str) -> str | int:
    if value is None:
        return t("setting-no-limit")
    if isinstance(value, str) or name == "seats":
        return value
    return (
        t.money(value, currency) if name in LIMITS else t("setting-seconds", n=f"{value / 1000:g}")
    )


def _hand_over(event: e.DealerChanged) -> str:
    if not event.dealer or not event.before:
        return "free" if event.dealer else "left"
    return "alone" if event.by == event.dealer else "confirmed"


def _net(results: Sequence[PlayerResult]) -> int:
    return sum(result.net for result in results)


def _result(coup: str, net: int, t: Catalogue) -> Coins | str:
    return Coins(net) if coup else t("coup-no-result")


def text(key: str, t: Catalogue, currency: str, *sources: object) -> str:
    """Return a message whose variables are filled from the fields of `sources`."""
    more = VALUES[type(sources[0])](sources[0], t, currency) if type(sources[0]) in VALUES else {}
    return t(key, **{name: _value(name, more, sources, t, currency) for name in variables(key)})


@cache
def variables(key: str) -> frozenset[str]:
    """Return the names of a message's variables, which are the same in every language."""
    return frozenset(catalogue().variables(key))


def _value(
    name: str, more: Mapping[str, object], sources: Sequence[object], t: Catalogue, currency: str
) -> object:
    field = name.removesuffix("_n")
    value: Any = more[name] if name in more else _field(field, sources)
    if field != name:
        return value if isinstance(value, int) else len(value)
    match value:
        case bool():
            return "yes" if value else "no"
        case int() if isinstance(value, Coins) or name in MONEY:
            return t.money(value, currency)
        case Enum() if type(value) in NAMED:
            return t(f"{NAMED[type(value)]}-{value}")
        case Card():
            return value.face()
        case [Card(), *_]:
            return faces(value)
        case tuple():
            return ", ".join(value)
        case str() if name in IDS:
            return value.replace("-", " ").replace("_", " ")
    return value


def _field(name: str, sources: Sequence[object]) -> Any:
    return next(getattr(source, name) for source in sources if hasattr(source, name))
