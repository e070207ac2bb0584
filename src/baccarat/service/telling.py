"""What a reader is told of a table's journal: all that is public, and of the rest only their own.

In go entries, out come frames: one message for a range of the journal without gaps, with those
events in it that the reader may see. What an entry says to everybody, and to each player it is
about, is written once; a frame only joins texts. The one rule: what is not declared public here is
told to nobody but those who see everything.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from typing_extensions import TypedDict

from baccarat.house.roles import MAY, Account, Action
from baccarat.table import events as e
from baccarat.table.journal import Entry
from baccarat.table.state import Round


class Sight(Enum):
    """Who sees what of an event."""

    PUBLIC = "everyone sees all of it"
    UNNAMED = "everyone sees it without the account that did it, which sees all of it"
    OWN = "only the player it is about"
    FLOOR = "the account that did it, and who deals"
    RESULTS = "everyone sees it, with their own results alone"
    STAFF = "only those who see everything"


SIGHT: Mapping[type[e.Event], Sight] = {
    e.TableOpened: Sight.PUBLIC,
    e.SettingsChanged: Sight.UNNAMED,
    e.LeaseTaken: Sight.PUBLIC,
    e.TablePaused: Sight.UNNAMED,
    e.TableResumed: Sight.UNNAMED,
    e.ShoeCommitted: Sight.PUBLIC,
    e.ContributionCommitted: Sight.UNNAMED,
    e.ContributionsClosed: Sight.PUBLIC,
    e.ContributionRevealed: Sight.UNNAMED,
    e.ShoeReady: Sight.PUBLIC,
    e.CardsBurned: Sight.PUBLIC,
    e.ShoeEnded: Sight.PUBLIC,
    e.RoundOpened: Sight.PUBLIC,
    e.WagersPlaced: Sight.OWN,
    e.BonusBreachFlagged: Sight.STAFF,
    e.BettingClosed: Sight.PUBLIC,
    e.CardDealt: Sight.PUBLIC,
    e.CutCardShown: Sight.PUBLIC,
    e.CoupDecided: Sight.PUBLIC,
    e.RoundSettled: Sight.RESULTS,
    e.RoundCancelled: Sight.RESULTS,
    e.ActionProposed: Sight.FLOOR,
    e.ProposalEnded: Sight.FLOOR,
    e.DisputeOpened: Sight.OWN,
    e.DisputeDecided: Sight.OWN,
    e.AmbiguityResolved: Sight.UNNAMED,
    e.AgreementProposed: Sight.OWN,
    e.AgreementDeclined: Sight.OWN,
    e.AgreementMade: Sight.OWN,
    e.AgreementEnded: Sight.OWN,
    e.DealerChanged: Sight.UNNAMED,
    e.ShoeBegun: Sight.PUBLIC,
    e.BurnedByHand: Sight.PUBLIC,
    e.CardPlaced: Sight.PUBLIC,
    e.IrregularityFound: Sight.PUBLIC,
    e.CardInDoubt: Sight.PUBLIC,
    e.CardExplained: Sight.PUBLIC,
    e.CoupRectified: Sight.RESULTS,
    e.ErrorReported: Sight.FLOOR,
    e.ReportDismissed: Sight.UNNAMED,
    e.RectificationConsidered: Sight.UNNAMED,
    e.RoundCorrected: Sight.RESULTS,
    e.AlarmRaised: Sight.PUBLIC,
    e.ShoeClosed: Sight.PUBLIC,
    e.LargeWinPaid: Sight.STAFF,
    e.PartnersSuspected: Sight.STAFF,
    e.ResultUnusual: Sight.STAFF,
    e.DataLost: Sight.STAFF,
}
_BY_NAME = {kind.__name__: sight for kind, sight in SIGHT.items()}
ACCOUNTS = ("player", "by", "first")
"""Fields that hold ids of accounts. A revealed contribution gets the contributor's name, too."""
DEALERS = ("dealer", "before")
"""Fields that hold the id of a dealer."""
OWN_LISTS = ("results", "corrections", "paid_before", "paid_after")
"""Fields of which a reader sees their own alone."""
AT_THE_CONSOLE = ("cancel", "rectify", "correct", "hand-over")
"""What dealers see of proposals, by the first word of the subject: what a console shows."""


@dataclass(frozen=True)
class Reader:
    """Someone who reads along."""

    account: str
    sees_all: bool = False
    deals: bool = False

    @classmethod
    def of(cls, account: Account) -> "Reader":
        may = MAY[account.role]
        sees_all = bool(may & {Action.SEE_ALL_MONEY, Action.EXPORT})
        return cls(account.id, sees_all, Action.DEAL in may)


@dataclass(frozen=True)
class Told:
    """An entry as it is told: texts of JSON, each `{"sequence", "type", "v", "value"}`."""

    entry: Entry
    event: Mapping[str, Any]
    public: str | None
    """To everyone whom it is not about; None when it is not for them."""
    own: Mapping[str, str]
    """To the players it is about."""
    console: str | None = None
    """To dealers, where they see more than everyone."""

    @property
    def sequence(self) -> int:
        return self.entry.sequence

    def to(self, reader: Reader) -> str | None:
        """What a reader is told of it; who sees everything gets the entry's hash too."""
        if reader.sees_all:
            return _text(self.entry, f'"hash":"{self.entry.hash.hex()}",')
        if reader.deals and self.console is not None:
            return self.console
        return self.own.get(reader.account, self.public)


def told(entry: Entry, name_of: Callable[[str], str]) -> Told:
    """An entry for all its readers; `name_of` says how others see an account."""
    event = json.loads(entry.body)
    value = event["value"]
    match _BY_NAME.get(event["type"], Sight.OWN):
        case Sight.PUBLIC:
            named = _by_name(value, name_of)
            text = _text(entry) if named is value else _changed(entry, event, named)
            return Told(entry, event, text, {})
        case Sight.STAFF:
            return Told(entry, event, None, {})
        case Sight.OWN:
            return Told(entry, event, None, _to_its_player(entry, value))
        case Sight.FLOOR:
            subject = value.get("subject", AT_THE_CONSOLE[0]).split(" ")[0]
            console = _text(entry) if subject in AT_THE_CONSOLE else None
            return Told(entry, event, None, _to_its_player(entry, value), console)
        case Sight.UNNAMED:
            shown = _by_name(value, name_of)
            rest = {name: item for name, item in shown.items() if name not in ACCOUNTS}
            whole = _to_its_player(entry, value)
            if event["type"] == e.ContributionRevealed.__name__:
                contributor = {"name": name_of(value["player"])}
                whole = dict.fromkeys(whole, _changed(entry, event, value | contributor))
                rest |= contributor
            return Told(entry, event, _changed(entry, event, rest), whole)
        case Sight.RESULTS:
            shown = _by_name(value, name_of)
            rest = {name: item for name, item in shown.items() if name not in ACCOUNTS}
            lists = [name for name in OWN_LISTS if name in value]
            nobodys = _changed(entry, event, {**rest, **{name: [] for name in lists}})
            own = dict.fromkeys(_players(value, lists), nobodys)
            for name in lists:
                for one in value[name]:
                    start, mark, end = own[one["player"]].partition(f'"{name}":[')
                    text = json.dumps(one, separators=(",", ":"), ensure_ascii=False)
                    own[one["player"]] = f"{start}{mark}{text}{end}"
            return Told(entry, event, nobodys, own)


def _to_its_player(entry: Entry, value: Mapping[str, Any]) -> dict[str, str]:
    own = value.get("player", value.get("by"))
    return {own: _text(entry)} if isinstance(own, str) else {}


def _players(value: Mapping[str, Any], lists: Sequence[str]) -> set[str]:
    return {one["player"] for name in lists for one in value[name]}


def _by_name(value: Mapping[str, Any], name_of: Callable[[str], str]) -> Mapping[str, Any]:
    """A dealer is told to everyone by name, not by the account's id."""
    dealers = {name: name_of(value[name]) for name in DEALERS if value.get(name)}
    return {**value, **dealers} if dealers else value


def _text(entry: Entry, more: str = "") -> str:
    return f'{{"sequence":{entry.sequence},{more}{entry.body.decode()[1:]}'


def _changed(entry: Entry, event: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    document = {"sequence": entry.sequence, **event, "value": value}
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


class Sums(TypedDict):
    """Of all players' wagers on the round, in coins."""

    round: int
    players: int
    bets: dict[str, int]


@dataclass
class Stakes:
    """All that is staked on the round, by bet, whoever staked it."""

    round: int = 0
    at: int = 0
    """The entry that changed it last."""
    _sums: Counter[str] = field(default_factory=Counter)
    _placed: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, current: Round, at: int) -> "Stakes":
        stakes = cls(current.number, at)
        for player, placed in current.wagers.items():
            stakes._place(player, [(one.bet, one.stake) for one in placed.wagers])
        return stakes

    def take(self, one: Told) -> None:
        """One more entry."""
        value = one.event["value"]
        match one.event["type"]:
            case "WagersPlaced":
                wagers = [(wager["bet"], wager["stake"]) for wager in value["wagers"]]
                self._place(value["player"], wagers)
            case "RoundOpened" | "RoundSettled" | "RoundCancelled":
                self.round = value["round"]
                self._sums.clear()
                self._placed.clear()
            case _:
                return
        self.at = one.sequence

    def _place(self, player: str, wagers: list[tuple[str, int]]) -> None:
        for bet, stake in self._placed.pop(player, ()):
            self._sums[bet] -= stake
        for bet, stake in wagers:
            self._sums[bet] += stake
        if wagers:
            self._placed[player] = wagers

    def plain(self) -> Sums:
        bets = {bet: coins for bet, coins in sorted(self._sums.items()) if coins}
        return {"round": self.round, "players": len(self._placed), "bets": bets}


def seen_by(reader: Reader, entries: Sequence[Told]) -> str:
    """Those of some entries that a reader may see, as a JSON list."""
    texts = (one.to(reader) for one in entries)
    return f"[{','.join(text for text in texts if text is not None)}]"


def frame(reader: Reader, after: int, entries: Sequence[Told], stakes: Stakes | None = None) -> str:
    """One message: what a reader may see of the entries that follow `after` without a gap."""
    last = entries[-1].entry if entries else None
    through, head = (last.sequence, f'"{last.hash.hex()}"') if last else (after, "null")
    sums = f',"stakes":{json.dumps(stakes.plain())}' if stakes else ""
    events = seen_by(reader, entries)
    return f'{{"after":{after},"through":{through},"hash":{head},"events":{events}{sums}}}'
