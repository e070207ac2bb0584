"""Rounds found by table, number and time, with cards and money before and after."""

from dataclasses import dataclass

from baccarat.house.events import STREAM, FootageNoted
from baccarat.house.watch.in_words import coup_in_words
from baccarat.store import bookings, history
from baccarat.store.bookings import SortKey
from baccarat.store.entries import Between
from baccarat.store.sqlstore import SqlStore
from baccarat.table import events as e
from baccarat.table.journal import Entry, table_stream
from baccarat.wording.catalogue import Catalogue

MAX_ROUNDS = 50
"""Maximum rounds on a page."""
ENDS = (e.RoundSettled, e.RoundCancelled)


@dataclass(frozen=True)
class PlayerMoney:
    """A player's money in a round, in coins."""

    player: str
    bets: list[tuple[str, int]]
    """Each bet with its stake."""
    staked: int
    before: int
    """The wallet before the round, with its stakes."""
    after: int
    """The wallet when the round had been settled, before any correction."""
    result: int
    corrected: int | None
    """The result after the last correction, if the round was settled again."""


@dataclass(frozen=True)
class RoundFound:
    """A round, with what is needed to compare it with a recording of the cameras."""

    table: str
    round: int
    begins: int
    ends: int
    dealer: str
    cards: str
    """The coup as it was first settled; empty if the round was cancelled before."""
    cards_after: str
    """The coup after the last correction, if the round was settled again."""
    cancelled: str
    players: list[PlayerMoney]
    footage: list[FootageNoted]


@dataclass(frozen=True)
class Search:
    """Which rounds to find; times are in milliseconds."""

    table: str
    round: int = 0
    since: int = 0
    until: int = 0


def rounds_found(store: SqlStore, search: Search, t: Catalogue) -> list[RoundFound]:
    """Return the rounds that match, newest first, and at most MAX_ROUNDS."""
    stream = table_stream(search.table)
    if search.round:
        numbers = [search.round]
    else:
        after = history.first_since(store, stream, search.since) - 1
        before = history.first_since(store, stream, search.until) if search.until else None
        between: Between = {"after": after, "before": before, "limit": MAX_ROUNDS}
        ends = history.newest_events(store, stream, *ENDS, **between)
        numbers = [event.round for event in ends]
    footage = history.events_of(store, STREAM, FootageNoted)
    found = (_round(store, search.table, number, footage, t) for number in numbers)
    return [one for one in found if one is not None]


def _round(
    store: SqlStore, table: str, number: int, footage: list[FootageNoted], t: Catalogue
) -> RoundFound | None:
    stream = table_stream(table)
    entries = history.round_entries(store, stream, number)
    if not entries:
        return None
    events = [history.event_of(entry.body) for entry in entries]
    last, coup = events[-1], ""
    for event in events:
        if isinstance(event, e.CoupDecided):
            coup = event.coup
    corrections = history.corrections_of(store, stream, number, entries[-1].sequence)
    corrected = history.event_of(corrections[-1].body) if corrections else None
    cards_after = corrected.coup if isinstance(corrected, e.RoundCorrected) else ""
    return RoundFound(
        table,
        number,
        events[0].at,
        last.at,
        getattr(last, "dealer", ""),
        coup_in_words(coup, t) if coup else "",
        coup_in_words(cards_after, t) if cards_after else "",
        t(f"cancelled-{last.reason}") if isinstance(last, e.RoundCancelled) else "",
        _players(store, entries[-1], last, corrected),
        [note for note in footage if (note.table, note.round) == (table, number)],
    )


def _players(
    store: SqlStore, entry: Entry, ended: e.Event, corrected: e.Event | None
) -> list[PlayerMoney]:
    if not isinstance(ended, ENDS):
        return []
    later = corrected.results if isinstance(corrected, e.RoundCorrected) else ()
    after = {result.player: result.net for result in later}
    found = []
    for result in ended.results:
        place = SortKey(ended.at, entry.stream, entry.sequence)
        wallet = bookings.balance_through(store, result.player, place)
        bets = [(wager.bet, wager.stake) for wager in result.wagers]
        money = (result.staked, wallet - result.net, wallet, result.net)
        found.append(PlayerMoney(result.player, bets, *money, after.get(result.player)))
    return found
