"""One's own history: rounds that can be seen again, the statement, both as files.

Pages and files are read a piece at a time, newest first, from a place among all bookings. The one
rule: a player sees their own, each round once with all that it has come to, and an amount is exact
wherever it is written.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from baccarat.core.cards import parse_card, total
from baccarat.core.coup import parse_coup
from baccarat.house.ledger import Kind
from baccarat.service.feed import as_told
from baccarat.service.telling import Reader, Told, seen_by
from baccarat.store import history
from baccarat.store.history import Booking, Place, Played
from baccarat.store.sqlstore import SqlStore
from baccarat.table.rules import game_of
from baccarat.web.answers.tables import CardTold, Decided
from baccarat.web.display import Display, on_the_felt
from baccarat.web.files import csv_lines, exact, moment
from baccarat.web.pages.account import to_sign_in
from baccarat.web.pages.disputes import dispute_of
from baccarat.web.pages.pages import SeenBy, Viewer, player_of, show
from baccarat.web.problems import Fault, Problem
from baccarat.web.site import Anyone, Needs, Number, Site, Table, TheSite

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)
PAGE, PIECE = 25, 250
"""Bookings on a page; bookings read at once for a file."""
ROUNDS = (Kind.SETTLE, Kind.CANCEL, Kind.CORRECT, Kind.DISPUTE)
"""Bookings of a round that has ended."""
STAKE_BACK = "stake-back"
One = TypeVar("One", Booking, Played)
Below = Annotated[str | None, Query(pattern=r"^\d{1,15}\.[a-z0-9:_-]{1,90}\.\d{1,15}$")]


# ---- pages -------------------------------------------------------------------------------------


@routes.get("/history")
async def rounds(request: Request, site: TheSite, viewer: SeenBy, below: Below = None) -> Response:
    """My rounds."""
    if viewer is None:
        return to_sign_in(request)
    found = await _played(site, player_of(viewer), _place(below), PAGE + 1)
    return await show(
        request,
        "history.html",
        viewer,
        rows=[_round_row(site, viewer.account.id, one) for one in found[:PAGE]],
        older=_older(found),
        below=below,
    )


@routes.get("/history/statement")
async def statement(
    request: Request, site: TheSite, viewer: SeenBy, below: Below = None
) -> Response:
    """All that moved my money."""
    if viewer is None:
        return to_sign_in(request)
    found = await _bookings(site, player_of(viewer), _place(below), PAGE + 1)
    return await show(
        request,
        "statement.html",
        viewer,
        rows=await _statement_rows(site, viewer.account.id, found[:PAGE]),
        older=_older(found),
        below=below,
    )


@routes.get("/history/{table}/{number}")
async def one_round(
    request: Request, table: Table, number: Number, site: TheSite, viewer: SeenBy
) -> Response:
    """A round again, card by card."""
    if viewer is None:
        return to_sign_in(request)
    stream = site.stream(table)
    found = await site.service.world.keeper.read(lambda store: _round_of(store, stream, number))
    events = json.loads(seen_by(Reader.of(viewer.account), found.told))
    ended = {one["type"]: one["value"] for one in events}
    end = ended.get("RoundSettled") or ended.get("RoundCancelled")
    if end is None:
        words = f"no round {number} has ended at {table}: see your history for those that have"
        raise Problem(Fault.NO_SUCH_PAGE, words)
    wagers = _wagers(end, viewer.account.id)
    corrected = ended.get("RoundCorrected")
    later = await site.service.world.keeper.read(
        lambda store: history.later_of(
            store, viewer.account.id, stream, after=found.told[0].sequence
        )
    )
    return await show(
        request,
        "round.html",
        viewer,
        words=("history", "cards", "dispute"),
        data={"cards": found.cards, "decided": found.decided},
        table=table,
        name=site.tables[table],
        number=number,
        at=end["at"],
        cancelled="RoundCancelled" in ended,
        put_right=list(_put_right(events)),
        wagers=wagers,
        again=_wagers(corrected, viewer.account.id) if corrected else None,
        **_came_to(wagers, later.get(number, ())),
        cards=found.cards,
        shoe=found.shoe,
        dispute=await dispute_of(site, table, number, viewer.account) if wagers else None,
        bets=_bet_names(site, table),
    )


PUT_RIGHT = ("IrregularityFound", "CoupRectified", "RoundCorrected")


def _put_right(events: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What a dealer's errors leave behind, in the order in which it happened."""
    for event in events:
        if event["type"] in PUT_RIGHT:
            value = event["value"]
            faces = " ".join(parse_card(card).face() for card in value.get("drawn", ()))
            yield {"type": event["type"], "words": "", "cards": faces, **value}


@dataclass(frozen=True)
class PastRound:
    """A round that is over, as it stands now."""

    told: Sequence[Told]
    cards: Sequence[CardTold]
    decided: Decided | None
    shoe: str | None
    """The shoe that can be verified; one of real cards cannot."""


def _round_of(store: SqlStore, stream: str, number: int) -> PastRound:
    entries = history.round_entries(store, stream, number)
    if not entries:
        return PastRound((), (), None, None)
    first, last = entries[0].sequence, entries[-1].sequence
    begun = history.newest_of(store, stream, "ShoeCommitted", "ShoeBegun", before=first, limit=1)
    shoe: dict[str, Any] = json.loads(begun[0].body) if begun else {"type": ""}
    if shoe["type"] == "ShoeBegun":
        later = history.entries_of(store, stream, "RoundCorrected", after=last)
        entries += [one for one in later if json.loads(one.body)["value"]["round"] == number]
    display = Display()
    for entry in entries:
        display.take(entry)
    committed = shoe["value"]["shoe"] if shoe["type"] == "ShoeCommitted" else None
    cards = [on_the_felt({**one}) for one in display.cards]
    return PastRound(as_told(store, entries), cards, display.decided, committed)


# ---- files -------------------------------------------------------------------------------------


@routes.get("/history/rounds.csv")
async def rounds_file(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    """Every wager of mine, one on a line; what a round moved afterwards follows its wagers."""
    columns = "time,table,round,result,coup,what,bet,stake,net,currency"
    currency = site.service.house.currency

    async def lines(found: Sequence[Played]) -> list[list[str]]:
        rows = []
        for one in found:
            row = _round_row(site, viewer.account.id if viewer else "", one)
            head = (row["table"], str(row["round"]), row["winner"], row["coup"] or "")
            for wager in row["wagers"]:
                bet, net = row["bets"].get(wager["bet"], wager["bet"]), exact(wager["net"])
                wagered = ("wager", bet, exact(wager["stake"]), net)
                rows.append([moment(row["at"]), *head, *wagered, currency])
            for later in row["later"]:
                moved = (later["kind"], "", exact(0), exact(later["amount"]))
                rows.append([moment(later["at"]), *head, *moved, currency])
        return rows

    return _file(request, site, viewer, "rounds", columns, _played, lines)


@routes.get("/history/statement.csv")
async def statement_file(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    """All that moved my money, one booking on a line."""
    columns = "time,where,round,entry,kind,amount,balance,currency"
    currency = site.service.house.currency

    async def lines(found: Sequence[Booking]) -> list[list[str]]:
        balances = await _balances(site, player_of(viewer) if viewer else "", found)
        return [
            [
                *(moment(one.at), one.stream, str(one.event["value"].get("round", ""))),
                *(str(one.sequence), _kind(one)),
                *(exact(sum(one.amounts.values())), exact(balance), currency),
            ]
            for one, balance in zip(found, balances, strict=True)
        ]

    return _file(request, site, viewer, "statement", columns, _bookings, lines)


def _file(
    request: Request,
    site: Site,
    viewer: Viewer | None,
    name: str,
    columns: str,
    read: Callable[[Site, str, Place | None, int], Awaitable[list[One]]],
    lines: Callable[[Sequence[One]], Awaitable[list[list[str]]]],
) -> Response:
    """A file that is read and sent a piece at a time."""
    if viewer is None:
        return to_sign_in(request)
    player = player_of(viewer)
    site.commands.use(player)
    site.charge(request, 200)

    async def pieces() -> AsyncIterator[str]:
        yield f"{columns}\r\n"
        below: Place | None = None
        while found := await read(site, player, below, PIECE):
            yield csv_lines(await lines(found))
            last = found[-1].place
            if below is not None and last >= below:
                raise RuntimeError(f"a file goes back from {below} to {last}: it would not end")
            below = last

    headers = {"Content-Disposition": f'attachment; filename="baccarat-{name}.csv"'}
    return StreamingResponse(pieces(), media_type="text/csv; charset=utf-8", headers=headers)


# ---- what both are made from -------------------------------------------------------------------


async def _bookings(site: Site, player: str, below: Place | None, limit: int) -> list[Booking]:
    return await site.service.world.keeper.read(
        lambda store: history.bookings(store, player, below=below, limit=limit)
    )


async def _played(site: Site, player: str, below: Place | None, limit: int) -> list[Played]:
    return await site.service.world.keeper.read(
        lambda store: history.played(store, player, below=below, limit=limit)
    )


def _place(below: str | None) -> Place | None:
    if below is None:
        return None
    at, stream, sequence = below.split(".")
    return Place(int(at), stream, int(sequence))


def _written(place: Place) -> str:
    return f"{place.at}.{place.stream}.{place.sequence}"


def _older(found: Sequence[Booking | Played]) -> str | None:
    """Where the next page begins, if there is one."""
    return _written(found[PAGE - 1].place) if len(found) > PAGE else None


def _round_row(site: Site, player: str, one: Played) -> dict[str, Any]:
    ended, table = one.ended, one.ended.stream.partition(":")[2]
    wagers = _wagers(ended.event["value"], player)
    cancelled = ended.kind == Kind.CANCEL
    return {
        "at": ended.at,
        "table_id": table,
        "table": site.tables.get(table, table),
        "round": ended.event["value"]["round"],
        "winner": one.coup["winner"] if one.coup and not cancelled else "cancelled",
        "coup": one.coup["coup"] if one.coup else None,
        "hands": _hands(one.coup["coup"]) if one.coup else None,
        "corrected": one.corrected,
        "wagers": wagers,
        "bets": _bet_names(site, table),
        **_came_to(wagers, one.later),
    }


def _wagers(value: dict[str, Any], player: str) -> list[dict[str, Any]]:
    """What became of my wagers, as an event says it."""
    mine = (one["wagers"] for one in value["results"] if one["player"] == player)
    return next(mine, [])


def _came_to(wagers: Sequence[dict[str, Any]], later: Sequence[Booking]) -> dict[str, Any]:
    """How a round was settled, what moved afterwards, and both together: what the ledger says."""
    settled = sum(wager["net"] for wager in wagers)
    amounts = [sum(one.amounts.values()) for one in later]
    return {
        "settled": settled,
        "later": [
            {"at": one.at, "kind": one.kind, "amount": amount}
            for one, amount in zip(later, amounts, strict=True)
        ],
        "net": settled + sum(amounts),
    }


def _kind(one: Booking) -> str:
    """What a booking is called: a stake that was taken back or lowered has a name of its own."""
    back = one.kind == Kind.STAKE and sum(one.amounts.values()) > 0
    return STAKE_BACK if back else one.kind


async def _statement_rows(
    site: Site, player: str, found: Sequence[Booking]
) -> list[dict[str, Any]]:
    """Each with the balance it left."""
    rows = []
    for one, balance in zip(found, await _balances(site, player, found), strict=True):
        amount, table = sum(one.amounts.values()), one.stream.partition(":")[2]
        rows.append(
            {
                "at": one.at,
                "kind": _kind(one),
                "table": site.tables.get(table, table) if table else "",
                "table_id": table,
                "round": one.event["value"].get("round"),
                "ended": one.kind in ROUNDS,
                "amount": amount,
                "balance": balance,
            }
        )
    return rows


async def _balances(site: Site, player: str, found: Sequence[Booking]) -> list[int]:
    """What each of these bookings left, counted back from the first one's, the newest."""
    if not found:
        return []
    newest = await site.service.world.keeper.read(
        lambda store: history.balance_through(store, player, found[0].place)
    )
    later = accumulate(sum(one.amounts.values()) for one in found[:-1])
    return [newest, *(newest - moved for moved in later)]


def _hands(coup: str) -> dict[str, str]:
    """Both hands for people: 7♥ 2♥ = 9."""
    found = parse_coup(coup)
    return {
        name: f"{' '.join(card.face() for card in hand)} = {total(hand)}"
        for name, hand in (("player", found.player), ("banker", found.banker))
    }


def _bet_names(site: Site, table: str) -> dict[str, str]:
    """Names of the bets by id, as the table has them now; a bet that is gone keeps its id."""
    plan = site.service.plans.get(table)
    return {bet.id: bet.name for bet in game_of(plan.settings.rules).bets} if plan else {}
