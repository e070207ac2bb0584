"""The audit log: the significant events in the journals (G23), and who caused them.

The log is not stored; it is a selection of the events in the journals.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from baccarat.house import events as h
from baccarat.house.cards import events as d
from baccarat.house.people.roles import Role
from baccarat.house.staff_events import (
    EmergencyStopped,
    RecoveryCodeUsed,
    SecondFactorRemoved,
    SecondFactorSet,
    StaffAssigned,
    StopExplained,
)
from baccarat.house.watch.in_words import event_in_words
from baccarat.table import events as e
from baccarat.table.state import RESOLVED
from baccarat.wording.catalogue import Catalogue

TOPICS: Mapping[str, tuple[type[e.Event], ...]] = {
    "sign-in": (
        *(h.SignInFailed, h.SignInsLocked, h.SignedIn, h.PasswordChanged, h.PasswordIssued),
        *(h.AccountOpened, h.AccountSuspended, h.SuspensionLifted, h.AccountClosed, h.PersonErased),
        *(StaffAssigned, SecondFactorSet, SecondFactorRemoved, RecoveryCodeUsed),
    ),
    "cash": (h.MoneyPaidIn, h.MoneyPaidOut, h.CashVoided),
    "large-win": (e.LargeWinPaid,),
    "override": (
        *(e.RoundCancelled, e.CoupRectified, e.DealerChanged, e.RoundCorrected, e.ReportDismissed),
        *(e.RectificationConsidered, e.DisputeDecided, e.DisputeAnswered),
        *(h.AmbiguityListed, h.ListedAmbiguityResolved, h.ListedAmbiguityWithdrawn),
        e.AmbiguityResolved,
        *(e.TablePaused, e.TableResumed, e.FloorAnswered, h.FootageNoted),
        *(e.BurnCorrected, e.CutCardTakenBack),
        *(EmergencyStopped, StopExplained),
    ),
    "two-people": (e.ActionProposed, e.ProposalEnded),
    "settings": (
        *(e.TableOpened, e.SettingsChanged, e.AgreementMade, e.AgreementEnded),
        *(h.GamingDaySet, h.KeyRotated),
    ),
    "clock": (e.LeaseTaken, h.ClockChanged),
    "adjustment": (h.BonusOpened, h.BonusForfeited, h.BonusReleased),
    "players": (h.PartnersChanged, h.KeptApart, h.PlayerExcluded, h.LimitSet),
    "alarm": (
        *(h.BrowserShared, e.AlarmRaised, e.IrregularityFound, e.CardInDoubt, e.CardExplained),
        *(e.FloorCalled, e.ReadingDisputed),
        *(e.ErrorReported, e.BonusBreachFlagged, e.PartnersSuspected, e.ResultUnusual),
    ),
    "cards": (
        *(d.DeckSetReceived, d.DeckSetPrepared, d.DeckCardChanged, d.DeckSetRetired),
        e.ShoeBegun,
    ),
    "data-loss": (e.DataLost,),
}
"""Types of significant events by topic."""

_MATTERS: Mapping[type[e.Event], Callable[[Any], bool]] = {
    h.AccountOpened: lambda v: v.role is not Role.PLAYER,
    e.DealerChanged: lambda v: bool(v.by),
    e.ShoeBegun: lambda v: bool(v.deck_set),
    h.PlayerExcluded: lambda v: v.by not in (v.account, "") or bool(v.staked),
    h.LimitSet: lambda v: v.by not in (v.account, ""),
}
"""Whether an event is significant, for types of which only some events are significant."""

_TOPIC_OF = {kind: topic for topic, kinds in TOPICS.items() for kind in kinds}

_NOT_ACCOUNTS = {
    "": "who-house",
    h.OPERATOR: "who-operator",
    h.HOUSE_FILE: "who-house-file",
    e.THE_ALARM: "who-alarm",
    e.THE_HOUSE: "who-house",
    RESOLVED: "who-resolved",
}
"""Message keys for names that a journal uses in place of account ids."""


@dataclass(frozen=True)
class AuditLogLine:
    """A line of the audit log."""

    at: int
    stream: str
    sequence: int
    topic: str
    kind: str
    who: str
    words: str


def significant(
    stream: str, sequence: int, event: e.Event, t: Catalogue, currency: str = ""
) -> AuditLogLine | None:
    """Return an event's line in the audit log, or None if it is not significant."""
    kind = type(event)
    if kind not in _TOPIC_OF or not _MATTERS.get(kind, bool)(event):
        return None
    line = (_TOPIC_OF[kind], kind.__name__, actor_of(event, t), event_in_words(event, t, currency))
    return AuditLogLine(event.at, stream, sequence, *line)


def handled_by(event: e.Event) -> str:
    """Return the one or two members of staff who caused an event; empty if a player did."""
    by: str | tuple[str, ...] = getattr(event, "by", ())
    names = by if isinstance(by, tuple) else (getattr(event, "first", ""), by)
    return ", ".join(filter(None, names))


def actor_of(event: e.Event, t: Catalogue) -> str:
    """Return who caused an event: staff, a dealer, a server, or the player concerned."""
    others = ("dealer", "server", "holder", "confirmed_by", "player", "account")
    found = (getattr(event, name, "") for name in others)
    name = handled_by(event) or next(filter(None, found), "")
    return t(_NOT_ACCOUNTS[name]) if name in _NOT_ACCOUNTS else name


def kinds_of(topic: str | None) -> tuple[type[e.Event], ...]:
    """Return the event types of a topic or, for None, of all topics."""
    return tuple(_TOPIC_OF) if topic is None else TOPICS[topic]
