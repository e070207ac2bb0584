"""Pages for a player's own history: rounds with replays, the statement, downloads, and disputes.

Pages and files are read in pieces, newest first. A round is listed once, with all later corrections
and payments.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import APIRouter, Query, Response

from baccarat.core.cards import total
from baccarat.core.coup import parse_coup
from baccarat.house.money.ledger import Kind
from baccarat.service.public_view import totals_of
from baccarat.store import bookings, history
from baccarat.store.bookings import Booking, Played, SortKey
from baccarat.store.sqlstore import SqlStore
from baccarat.table import events as e
from baccarat.table.display import NOTHING_SHOWN, Display, display_after
from baccarat.table.disputes.replay import open_questions
from baccarat.table.four_eyes import subjects
from baccarat.table.four_eyes.proposals import find
from baccarat.table.manual.corrections import refusal_to_decide
from baccarat.table.refusals import Refused
from baccarat.table.state import Dispute, TableState
from baccarat.web.pages.pages import OwnPage, Page
from baccarat.web.pages.selections import Chosen, rounds_in
from baccarat.web.pages.selections import totals_of as totals_in
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import Number, Site, Table, TheSite, Visitor
from baccarat.web.views.csv_files import as_file, csv_lines, exact, in_pieces, moment
from baccarat.web.views.disputes import current_case
from baccarat.web.views.games import bet_names
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.dealing import faces, irregularity_in_words

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
COUNTING = 40
"""Cost of counting the totals of a player's rounds, in points (`Site.charge`)."""
PAGE, PIECE = 25, 250
"""Number of ledger entries on a page, and read at a time for a file."""
ROUNDS = (Kind.SETTLE, Kind.CANCEL, Kind.CORRECT, Kind.DISPUTE)
"""Kinds of ledger entry for a round that has ended."""
STAKE_BACK = "stake-back"
One = TypeVar("One", Booking, Played)
Below = Annotated[str | None, Query(pattern=r"^\d{1,15}\.[a-z0-9:_-]{1,90}\.\d{1,15}$")]


# ---- pages -------------------------------------------------------------------------------------


@routes.get("/history")
async def rounds(site: TheSite, page: OwnPage, chosen: Chosen, below: Below = None) -> Response:
    """Show a player's rounds, and the totals of those that are selected."""
    place, bounds = _place(below), await chosen.bounds(page.player)
    found = await site.read(rounds_in, page.player, bounds, below=place, limit=PAGE + 1)
    site.charge(page.request, COUNTING)
    return await page.show(
        "history.html",
        rows=[_round_row(site, played, page.t) for played in found[:PAGE]],
        totals=await site.read(totals_in, page.player, bounds),
        chosen=chosen,
        tables=site.tables,
        older=_older(found),
        below=below,
        now=site.clock(),
    )


@routes.get("/history/summary")
async def summary(site: TheSite, page: OwnPage, chosen: Chosen) -> Response:
    """Show the totals of selected rounds by table and by bet, to print or to keep as a file."""
    site.charge(page.request, COUNTING)
    totals = await site.read(totals_in, page.player, await chosen.bounds(page.player))
    played = totals.bets if totals else {}
    names = {table: bet_names(site, table, page.t) for table, _ in played}
    return await page.show(
        "summary.html",
        totals=totals,
        chosen=chosen,
        tables=site.tables,
        names=names,
        now=site.clock(),
    )


@routes.get("/history/statement")
async def statement(site: TheSite, page: OwnPage, below: Below = None) -> Response:
    """Show all of a player's ledger entries."""
    place = _place(below)
    found = await site.read(bookings.of_player, page.player, below=place, limit=PAGE + 1)
    shown = found[:PAGE]
    return await page.show(
        "statement.html",
        rows=list(zip(shown, await _balances(site, page.player, shown), strict=True)),
        kind_of=_kind,
        tables=site.tables,
        ended=ROUNDS,
        older=_older(found),
        below=below,
        now=site.clock(),
    )


@routes.get("/history/{table}/{number}")
async def one_round(table: Table, number: Number, site: TheSite, page: OwnPage) -> Response:
    """Show a past round card by card."""
    stream, player, read = site.stream(table), page.account.id, site.read
    past = await read(_past_round, stream, number)
    if past is None:
        raise Problem(Fault.NO_SUCH_PAGE, "no-ended-round", round=number)
    wagers, last, shown = _wagers(past.ended, player), past.events[-1], past.shown
    later = await read(bookings.later_of, player, stream, after=past.first)
    may_dispute = wagers and isinstance(past.ended, e.RoundSettled)
    return await page.show(
        "round.html",
        words=("history", "cards", "dispute"),
        data={"cards": shown.cards, "totals": totals_of(shown.cards), "decided": shown.decided},
        table=table,
        name=site.tables[table],
        number=number,
        at=past.ended.at,
        cancelled=isinstance(past.ended, e.RoundCancelled),
        put_right=[*_error_remedies(past.events, page.t)],
        wagers=wagers,
        again=_wagers(last, player) if isinstance(last, e.RoundCorrected) else None,
        **_settlement_and_later(wagers, later.get(number, ())),
        cards=shown.cards,
        shoe=past.shoe,
        dispute=await dispute_of(site, table, number, page) if may_dispute else None,
        bets=bet_names(site, table, page.t),
    )


def _error_remedies(events: Sequence[e.Event], t: Catalogue) -> Iterator[dict[str, Any]]:
    """Yield what a round's page shows about a dealer's errors."""
    for event in events:
        match event:
            case e.IrregularityFound():
                words = irregularity_in_words(event.wrong, t)
            case e.CoupRectified():
                words = t("history-rectified", cards=faces(event.drawn))
            case e.RoundCorrected():
                words = t("history-corrected", cards=faces(event.drawn))
            case _:
                continue
        yield {"at": event.at, "words": words}


class PastRound(NamedTuple):
    """A round that is over, including later corrections."""

    first: int
    """The number of the round's first journal entry."""
    ended: e.RoundSettled | e.RoundCancelled
    events: Sequence[e.Event]
    shown: Display
    shoe: str | None
    """The id of the round's shoe, or None for a shoe of real cards, which cannot be verified."""


def _past_round(store: SqlStore, stream: str, number: int) -> PastRound | None:
    entries = history.round_entries(store, stream, number)
    ended = e.decode(entries[-1].body) if entries else None
    if not isinstance(ended, e.RoundSettled | e.RoundCancelled):
        return None
    first, last = entries[0].sequence, entries[-1].sequence
    begun = history.newest_events(store, stream, *history.SHOES, before=first, limit=1)
    shoe = next(iter(begun), None)
    if isinstance(shoe, e.ShoeBegun):
        entries += history.corrections_of(store, stream, number, last)
    events, shown = [e.decode(entry.body) for entry in entries], NOTHING_SHOWN
    for event in events:
        shown = display_after(shown, event, number)
    verifiable = shoe.shoe.hex() if isinstance(shoe, e.ShoeCommitted) else None
    return PastRound(first, ended, events, shown, verifiable)


# ---- files -------------------------------------------------------------------------------------


@routes.get("/history/rounds.csv")
async def rounds_file(site: TheSite, page: OwnPage, chosen: Chosen) -> Response:
    """Download a player's wagers, one per line; later ledger entries for a round follow its
    wagers."""
    bounds = await chosen.bounds(page.player)
    columns = "time,table,round,result,coup,what,bet,stake,net,currency"
    currency = site.house.currency

    async def lines(found: Sequence[Played]) -> list[list[str]]:
        rows = []
        for played in found:
            row = _round_row(site, played, page.t)
            head = (row["table"], str(row["round"]), row["winner"], row["coup"] or "")
            for wager in row["wagers"]:
                bet = row["bets"].get(wager.bet, wager.bet)
                wagered = ("wager", bet, exact(wager.stake), exact(wager.net))
                rows.append([moment(row["at"]), *head, *wagered, currency])
            for later in row["later"]:
                moved = (later.kind, "", exact(0), exact(later.amount))
                rows.append([moment(later.at), *head, *moved, currency])
        return rows

    read = partial(bookings.rounds_played, **bounds._asdict())
    return _file(site, page, "rounds", columns, read, lines)


@routes.get("/history/statement.csv")
async def statement_file(site: TheSite, page: OwnPage) -> Response:
    """Download all of a player's ledger entries, one per line."""
    columns = "time,where,round,entry,kind,amount,balance,currency"
    currency = site.house.currency

    async def lines(found: Sequence[Booking]) -> list[list[str]]:
        balances = await _balances(site, page.player, found)
        return [
            [
                *(moment(booking.at), booking.stream, str(booking.round or "")),
                *(str(booking.sequence), _kind(booking)),
                *(exact(booking.amount), exact(balance), currency),
            ]
            for booking, balance in zip(found, balances, strict=True)
        ]

    return _file(site, page, "statement", columns, bookings.of_player, lines)


def _file(
    site: Site,
    page: Page,
    name: str,
    columns: str,
    read: Callable[..., list[One]],
    lines: Callable[[Sequence[One]], Awaitable[list[list[str]]]],
) -> Response:
    """Return a CSV file as a stream that is read in pieces."""
    player = page.player
    site.commands.use(player)
    site.charge(page.request, 200)

    async def ask(last: One | None) -> list[One]:
        below = last.place if last else None
        found = await site.read(read, player, below=below, limit=PIECE)
        if last is not None and found and found[-1].place >= last.place:
            raise RuntimeError(f"pagination did not advance beyond {found[-1].place}")
        return found

    async def pieces() -> AsyncIterator[str]:
        yield f"{columns}\r\n"
        async for found in in_pieces(ask):
            yield csv_lines(await lines(found))

    return as_file(pieces(), f"baccarat-{name}.csv")


# ---- shared by pages and files -----------------------------------------------------------------


def _place(below: str | None) -> SortKey | None:
    if below is None:
        return None
    at, stream, sequence = below.split(".")
    return SortKey(int(at), stream, int(sequence))


def _older(found: Sequence[Booking | Played]) -> str | None:
    """Return the start of the next page, or None if there is none."""
    return ".".join(map(str, found[PAGE - 1].place)) if len(found) > PAGE else None


def _round_row(site: Site, played: Played, t: Catalogue) -> dict[str, Any]:
    ended, coup = played.ended, played.coup
    table, wagers = ended.table, ended.result.wagers
    return {
        "at": ended.at,
        "table_id": table,
        "table": site.tables.get(table, table),
        "round": ended.round,
        "winner": coup.winner if coup and ended.kind != Kind.CANCEL else "cancelled",
        "coup": coup.coup if coup else None,
        "hands": _hands(coup.coup) if coup else None,
        "corrected": isinstance(coup, e.RoundCorrected),
        "wagers": wagers,
        "bets": bet_names(site, table, t),
        **_settlement_and_later(wagers, played.later),
    }


def _wagers(
    event: e.RoundSettled | e.RoundCancelled | e.RoundCorrected, player: str
) -> tuple[e.WagerResult, ...]:
    """Return the results of a player's wagers."""
    return next((result.wagers for result in event.results if result.player == player), ())


def _settlement_and_later(
    wagers: Sequence[e.WagerResult], later: Sequence[Booking]
) -> dict[str, Any]:
    """Return a round's settlement, its later ledger entries, and the net of both."""
    settled = sum(wager.net for wager in wagers)
    net = settled + sum(booking.amount for booking in later)
    return {"settled": settled, "later": later, "net": net}


def _kind(booking: Booking) -> str:
    """Return the name of a ledger entry; a withdrawn or lowered stake has its own name."""
    return STAKE_BACK if booking.kind == Kind.STAKE and booking.amount > 0 else booking.kind


async def _balances(site: Site, player: str, found: Sequence[Booking]) -> list[int]:
    """Return the balance after each of these ledger entries, counted back from the newest."""
    if not found:
        return []
    newest = await site.read(bookings.balance_through, player, found[0].place)
    later = accumulate(booking.amount for booking in found[:-1])
    return [newest, *(newest - moved for moved in later)]


def _hands(coup: str) -> dict[str, str]:
    """Return both hands as text, such as 7♥ 2♥ = 9."""
    found = parse_coup(coup)
    return {
        name: f"{' '.join(card.face() for card in hand)} = {total(hand)}"
        for name, hand in (("player", found.player), ("banker", found.banker))
    }


@routes.get("/history/disputes")
async def disputes(site: TheSite, page: OwnPage) -> Response:
    """Show a player's disputes at every table, newest first."""
    who, rows = page.player, list[dict[str, Any]]()
    for table, name in site.tables.items():
        state = await site.state(table)
        mine = [dispute for dispute in state.disputes if dispute.player == who]
        rows += [
            {
                "dispute": dispute,
                "table": name,
                "table_id": table,
                "state": state_in_short(state, dispute),
            }
            for dispute in mine
        ]
    rows.sort(key=lambda row: row["dispute"].at, reverse=True)
    return await page.show("disputes.html", rows=rows)


async def dispute_of(site: Site, table: str, number: int, page: Page) -> dict[str, Any] | None:
    """Return a round's dispute with the open readings; None if the round was cancelled.

    The round's shoe is read only if a rule may be open, because that can take a long time.
    """
    state, account = await site.state(table), page.account
    opened = state.dispute(number, account.id)
    nothing: dict[str, Any] = {
        "questions": (),
        "listed": (),
        "withdrawn": (),
        "waits": refusal_to_decide(state, number),
    }
    shown: Mapping[str, Any] = {"table": table, "round": number, "dispute": opened, **nothing}
    asked = open_questions(state.rules) or open_questions(state.settings.rules)
    listed = await site.read(history.listed)
    if asked or state.resolutions or listed:
        try:
            shown = await current_case(site, table, number, account.id, page.t)
        except Refused:  # a cancelled round
            return None
    return {**shown, "state": state_in_short(state, opened)}


def state_in_short(state: TableState, dispute: Dispute | None) -> str:
    if dispute is None:
        return "none"
    if dispute.decided:
        return "decided"
    waits = find(state.proposals, subjects.Dispute(dispute.round, dispute.player))
    return "seconding" if waits else "open"
