"""Tables as they stand: each with all that there is to see, every one in short, my evening.

The one rule: a view is asked for once, and whatever happens after it comes over the socket; what a
frame may tell again (a card, a result) is the same when it is told twice.
"""

from typing import Annotated, Any

from fastapi import Depends, Request

from baccarat.core.cards import DECK_SIZE
from baccarat.core.errors import GameError
from baccarat.core.phrases import ENGLISH, Phrases
from baccarat.house.desk import table_stream
from baccarat.house.housefile import TablePlan
from baccarat.house.ledger import Kind
from baccarat.house.roles import Account, Action
from baccarat.service.telling import Stakes
from baccarat.shoe.commitment import Source
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.canonical import to_plain
from baccarat.table.floor import CardShoe
from baccarat.table.phases import Phase, ShoePhase
from baccarat.table.state import ShoeState, TableState
from baccarat.web.answers import Routes
from baccarat.web.answers.players import Mine
from baccarat.web.answers.tables import (
    Layout,
    RoadsTold,
    ShoeTold,
    Standing,
    Tables,
    TableShort,
    TableTold,
)
from baccarat.web.display import Display
from baccarat.web.layout import layout_of
from baccarat.web.mine import balance_of
from baccarat.web.safer import sitting_of
from baccarat.web.site import API, Anyone, Needs, Site, Table, TheSite
from baccarat.web.tables import state_of

routes = Routes(prefix=API, tags=["tables"])
Visitor = Depends(Needs(Anyone.EVERYBODY))
Owner = Annotated[Account, Depends(Needs(Action.SEE_OWN_MONEY))]


@routes.get("/tables", dependencies=[Visitor])
async def tables(site: TheSite) -> Tables:
    """Every table: its game, its limits, how it stands, its big road."""
    house = site.service.house
    return {
        "house": house.name,
        "currency": house.currency,
        "now": site.clock(),
        "tables": await lobby_view(site),
    }


@routes.get("/tables/{table}", dependencies=[Visitor])
async def one_table(table: Table, request: Request, site: TheSite) -> TableTold:
    """A table with all that stands at it, priced by what was agreed with whoever asks."""
    session = site.session_of(request)
    return await view_of(site, site.plan(table), session.account if session else "")


@routes.get("/tables/{table}/roads", dependencies=[Visitor])
async def table_roads(table: Table, site: TheSite) -> RoadsTold:
    """The roads of the shoe as places to draw, and how far the shoe has come."""
    plan = site.plan(table)
    state = await state_of(site, plan.id)
    display = await site.displays.of(plan.id)
    shoe = _shoe_of(state, display)
    return {
        "now": site.clock(),
        "sequence": state.sequence,
        "roads": display.roads(),
        "shoe": shoe
        and {
            "shoe": shoe["shoe"],
            "cut_card_out": shoe["cut_card_out"],
            "coups_to_come": shoe["coups_to_come"],
        },
    }


@routes.get("/tables/{table}/mine")
async def my_table(table: Table, site: TheSite, account: Owner) -> Mine:
    """My wagers here, my money, and what this sitting has come to."""
    return await mine_of(site, table, account)


async def lobby_view(site: Site) -> list[TableShort]:
    return [await _short(site, plan) for plan in site.service.house.tables]


async def _short(site: Site, plan: TablePlan) -> TableShort:
    state = await state_of(site, plan.id)
    display, layout = await site.displays.of(plan.id), await layout_at(state)
    spots = [spot for group in layout["groups"] for spot in group["bets"]]
    return {
        **_standing(plan, state, display),
        "game": layout["card"],
        "minimum": min(spot["minimum"] for spot in spots),
        "maximum": max(spot["maximum"] for spot in spots),
        "seated": len(site.seated.get(plan.id, {}).keys() | state.round.wagers.keys()),
        "wagering": len(state.round.wagers),
        "seats": state.settings.limits.seats,
        "big_road": display.roads()["big_road"],
        "statistics": display.roads()["statistics"],
    }


async def view_of(site: Site, plan: TablePlan, account: str = "") -> TableTold:
    """A table as an account sees it, with its sequence: the socket goes on from there."""
    state = await state_of(site, plan.id)
    # The display is read after the state: it may be ahead of it, and never behind.
    display = await site.displays.of(plan.id)
    phase = state.round.phase if display.round == state.round.number else Phase.NONE
    dealt = phase not in (Phase.NONE, Phase.OPEN)
    ahead = display.sequence > state.sequence
    return {
        **_standing(plan, state, display),
        "now": site.clock(),
        "sequence": state.sequence,
        "clock": to_plain(state.settings.clock),
        "layout": await layout_at(state, account),
        "dealer": await _name(site, state.floor.dealer),
        "notice": display.notice,
        "cards": display.cards[: len(state.round.cards) if ahead else None] if dealt else [],
        "decided": display.decided if phase in (Phase.DECIDED, Phase.SETTLED) else None,
        "stakes": Stakes.of(state.round, state.sequence).plain(),
        "roads": display.roads(),
    }


async def mine_of(site: Site, table: str, account: Account) -> Mine:
    """What is one player's own; the sitting is that of `/me/play`, wherever they signed in."""
    plan, now = site.plan(table), site.clock()
    current = (await state_of(site, plan.id)).round
    placed = current.placed(account.id)

    def ask(store: SqlStore) -> Mine:
        return {
            "now": now,
            "round": current.number,
            "wagers": to_plain(placed.wagers),
            **balance_of(store, account.id),
            "in_play": history.in_play(store, account.id),
            "sitting": sitting_of(store, account, site.service.house.conduct, now),
            "result": _result(store, table_stream(plan.id), account.id, current.number),
        }

    return await site.service.world.keeper.read(ask)


def _result(store: SqlStore, stream: str, account: str, number: int) -> Any:
    """What became of my wagers on a round, once it has ended."""
    opened = history.newest_of(store, stream, "RoundOpened", before=None, limit=1)
    found = history.bookings(
        store,
        account,
        stream=stream,
        after=opened[0].sequence if opened else 0,
        kinds=(Kind.SETTLE, Kind.CANCEL, Kind.CORRECT),
        limit=1,
    )
    if not found or found[0].event["value"]["round"] != number:
        return None
    results = found[0].event["value"]["results"]
    return next(one["wagers"] for one in results if one["player"] == account)


def _standing(plan: TablePlan, state: TableState, display: Display) -> Standing:
    return {
        "id": plan.id,
        "name": plan.name,
        "guests": plan.guests,
        "paused": state.paused,
        "round": state.round.number,
        "phase": state.round.phase,
        "bets": state.round.bets,
        "closes_at": state.round.closes_at,
        "moved_at": state.round.moved_at,
        "source": Source.CARDS if state.by_hand else state.settings.source,
        "shoe": _shoe_of(state, display),
    }


def _shoe_of(state: TableState, display: Display) -> ShoeTold | None:
    return _shoe(state.shoe, display) or _by_hand(state.floor.shoe)


async def _name(site: Site, account: str) -> str:
    found = await site.account(account) if account else None
    return found.name if found else ""


def _shoe(shoe: ShoeState | None, display: Display) -> ShoeTold | None:
    if shoe is None:
        return None
    return {
        "shoe": shoe.terms.shoe.hex(),
        "phase": shoe.phase,
        "source": shoe.terms.source,
        "root": shoe.root.hex(),
        "commitment": shoe.commitment.hex(),
        "contribute_until": shoe.contribute_until,
        "reveal_until": shoe.reveal_until,
        "contributors": display.contributors,
        "size": shoe.progress.size,
        "cut": shoe.progress.cut,
        "left": shoe.progress.left,
        # A shuffler is full again after each coup: none of them is the last.
        "coups_to_come": shoe.progress.coups_to_come if shoe.progress.cut else None,
        "cut_card_out": shoe.progress.cut_card_out,
    }


def _by_hand(shoe: CardShoe | None) -> ShoeTold | None:
    """A shoe of real cards promises nothing, so there is nothing to verify."""
    if shoe is None:
        return None
    return {
        "shoe": shoe.shoe.hex(),
        "phase": ShoePhase.IN_PLAY,
        "source": Source.CARDS,
        "size": shoe.decks * DECK_SIZE,
        "left": shoe.left,
        "coups_to_come": shoe.coups_to_come,
        "cut_card_out": shoe.cut_card_out,
    }


async def layout_at(state: TableState, account: str = "", phrases: Phrases = ENGLISH) -> Layout:
    """The layout that the table offers now, under what was agreed with an account.

    A shoe keeps the rules it was committed under; an agreement that does not fit them is no price.
    """
    settings, agreed = state.settings, state.agreed(account)
    clock = None if state.by_hand else settings.clock
    offered = (state.rules, settings.limits, clock, settings.source)
    try:
        return await layout_of(*offered, agreed, phrases)
    except GameError:
        return await layout_of(*offered, phrases=phrases)
