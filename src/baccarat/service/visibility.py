"""What each reader may see of a table's journal: public events, and events about themselves.

Entries are sent in frames: a frame is one message for a range of the journal without gaps, with the
events that the reader may see. The public text of an entry, and its text for each player whom it
concerns, are built once; a frame only joins texts. Anything that is not declared public here is
sent only to readers who may see everything.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from baccarat.house.people.roles import MAY, Account, Action
from baccarat.table import events as e
from baccarat.table.four_eyes.subjects import Cancel, Correct, HandOver, Rectify
from baccarat.table.journal import Entry


class Sight(Enum):
    """Who may see an event, and how much of it."""

    PUBLIC = "everyone sees all of it"
    UNNAMED = "everyone sees it, but only the account concerned sees all of it"
    OWN = "only the player it is about"
    CONSOLE = "the account that did it, and dealers"
    RESULTS = "everyone sees it, but only with their own results"
    STAFF = "only the pit and the auditor"


_SEEN: Mapping[Sight, Sequence[type[e.Event]]] = {
    Sight.PUBLIC: (
        *(e.TableOpened, e.LeaseTaken, e.ShoeCommitted, e.ContributionsClosed, e.ShoeReady),
        *(e.CardsBurned, e.ShoeEnded, e.RoundOpened, e.BettingClosed, e.CardDealt),
        *(e.CutCardShown, e.CoupDecided, e.ShoeBegun, e.BurnedByHand, e.CardPlaced),
        *(e.IrregularityFound, e.CardInDoubt, e.CardExplained, e.AlarmRaised, e.ShoeClosed),
        *(e.FloorCalled, e.ReadingDisputed),
    ),
    Sight.UNNAMED: (
        *(e.SettingsChanged, e.TablePaused, e.TableResumed, e.ContributionCommitted),
        *(e.ContributionRevealed, e.AmbiguityResolved, e.DealerChanged, e.ReportDismissed),
        *(e.RectificationConsidered, e.FloorAnswered, e.DealAsked, e.CardOffered),
        *(e.BurnCorrected, e.CutCardTakenBack),
    ),
    Sight.OWN: (
        *(e.WagersPlaced, e.SqueezeAsked, e.DisputeOpened, e.DisputeDecided, e.DisputeAnswered),
        *(e.AgreementProposed, e.AgreementDeclined, e.AgreementMade, e.AgreementEnded),
    ),
    Sight.STAFF: (
        *(e.BonusBreachFlagged, e.LargeWinPaid, e.PartnersSuspected, e.ResultUnusual),
        *(e.DataLost, e.CardRead),
    ),
    Sight.RESULTS: (e.RoundSettled, e.RoundCancelled, e.CoupRectified, e.RoundCorrected),
    Sight.CONSOLE: (e.ActionProposed, e.ProposalEnded, e.ErrorReported),
}
SIGHT = {kind: sight for sight, kinds in _SEEN.items() for kind in kinds}
ACCOUNTS = ("player", "by", "first")
"""Fields that contain account ids. Events about contributions also get the contributor's name."""
HIDDEN = (*ACCOUNTS, "peek")
"""Fields that are left out of an event for others: account ids, and a card that lies face down."""
DEALERS = ("dealer", "before")
"""Fields that contain a dealer's account id."""
OWN_LISTS = ("results", "corrections", "paid_before", "paid_after")
"""List fields in which readers see only their own items."""
AT_THE_CONSOLE = (Cancel, Rectify, Correct, HandOver)
"""Subjects of the proposals that dealers may see, because the console shows them."""


@dataclass(frozen=True)
class Reader:
    """An account that follows a table, and its permissions."""

    account: str
    sees_all: bool = False
    deals: bool = False

    @classmethod
    def of(cls, account: Account) -> "Reader":
        may = MAY[account.role]
        sees_all = bool(may & {Action.SEE_ALL_MONEY, Action.EXPORT})
        return cls(account.id, sees_all, Action.DEAL in may)


@dataclass(frozen=True)
class EntryTexts:
    """The JSON texts of a journal entry for its readers; each is an event with its `sequence`."""

    entry: Entry
    event: e.Event
    public: str | None
    """The text for everyone without a text of their own; None if they may not see the event."""
    own: Mapping[str, str]
    """The texts for the players whom the event concerns, by account."""
    console: str | None = None
    """The text for dealers, if they see more than the public."""

    @property
    def sequence(self) -> int:
        return self.entry.sequence

    def to(self, reader: Reader) -> str | None:
        """Return the text for a reader, or None if the reader may not see the event.

        For a reader who sees everything, the text includes the entry's hash.
        """
        if reader.sees_all:
            return _text(self.entry, f'"hash":"{self.entry.hash.hex()}",')
        if reader.deals and self.console is not None:
            return self.console
        return self.own.get(reader.account, self.public)


def entry_texts(entry: Entry, name_of: Callable[[str], str]) -> EntryTexts:
    """Return the texts of an entry for all its readers; `name_of` returns display names."""
    event = e.decode(entry.body)
    match SIGHT[type(event)]:
        case Sight.PUBLIC:
            dealers = _dealers(event, name_of)
            text = _changed(entry, _fields(event) | dealers) if dealers else _text(entry)
            return EntryTexts(entry, event, text, {})
        case Sight.STAFF:
            return EntryTexts(entry, event, None, {})
        case Sight.OWN:
            return EntryTexts(entry, event, None, _to_its_player(entry, event))
        case Sight.CONSOLE:
            console: str | None = _text(entry)
            if isinstance(event, e.ActionProposed | e.ProposalEnded):
                console = console if isinstance(event.subject, AT_THE_CONSOLE) else None
            return EntryTexts(entry, event, None, _to_its_player(entry, event), console)
        case Sight.UNNAMED:
            rest = _unnamed(event, name_of)
            whole = _to_its_player(entry, event)
            if isinstance(event, e.ContributionCommitted | e.ContributionRevealed):
                contributor = {"name": name_of(event.player)}
                text = _changed(entry, _fields(event) | contributor)
                whole, rest = dict.fromkeys(whole, text), rest | contributor
            return EntryTexts(entry, event, _changed(entry, rest), whole)
        case Sight.RESULTS:
            return _with_results(entry, event, _unnamed(event, name_of))


def _with_results(entry: Entry, event: e.Event, public: dict[str, Any]) -> EntryTexts:
    """Return the texts of an event of which each player sees only their own results."""
    lists = [name for name in OWN_LISTS if name in public]
    nobodys = public | dict.fromkeys(lists, ())
    own: dict[str, dict[str, list[Any]]] = {}
    for name in lists:
        for result in getattr(event, name):
            own.setdefault(result.player, {}).setdefault(name, []).append(result)
    texts = {player: _changed(entry, nobodys | results) for player, results in own.items()}
    return EntryTexts(entry, event, _changed(entry, nobodys), texts)


def _to_its_player(entry: Entry, event: e.Event) -> dict[str, str]:
    own = getattr(event, "player", None) or getattr(event, "by", None)
    return {own: _text(entry)} if isinstance(own, str) else {}


def _fields(event: e.Event) -> dict[str, Any]:
    return {"type": type(event).__name__, **msgspec.structs.asdict(event)}


def _unnamed(event: e.Event, name_of: Callable[[str], str]) -> dict[str, Any]:
    """Return the fields of an event that everyone may see; dealers are shown by name."""
    shown = _fields(event) | _dealers(event, name_of)
    return {name: value for name, value in shown.items() if name not in HIDDEN}


def _dealers(event: e.Event, name_of: Callable[[str], str]) -> dict[str, str]:
    """Return the fields of an event that contain dealers, with names instead of account ids."""
    accounts = {name: getattr(event, name, "") for name in DEALERS}
    return {name: name_of(account) for name, account in accounts.items() if account}


def _text(entry: Entry, more: str = "") -> str:
    return f'{{"sequence":{entry.sequence},{more}{entry.body.decode()[1:]}'


def _changed(entry: Entry, fields: Mapping[str, Any]) -> str:
    return e.encode({"sequence": entry.sequence, **fields}).decode()


def seen_by(reader: Reader, entries: Sequence[EntryTexts]) -> str:
    """Return the entries that a reader may see, as a JSON list."""
    texts = (entry.to(reader) for entry in entries)
    return f"[{','.join(text for text in texts if text is not None)}]"


def frame(reader: Reader, after: int, entries: Sequence[EntryTexts], **more: bytes) -> str:
    """Return a frame: one message with those of the entries after `after` that a reader may see.

    `more` contains further JSON fields: parts of the table's view after the last entry.
    """
    last = entries[-1].entry if entries else None
    through, head = (last.sequence, f'"{last.hash.hex()}"') if last else (after, "null")
    events = seen_by(reader, entries)
    rest = "".join(f',"{name}":{text.decode()}' for name, text in more.items())
    return f'{{"after":{after},"through":{through},"hash":{head},"events":{events}{rest}}}'
