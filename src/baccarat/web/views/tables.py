"""Views of tables, for the lobby, visitors and players.

A client requests a view once; later changes come over the socket. What appears in both (a card, a
result) is identical.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import asdict

from baccarat.house.people.roles import Account
from baccarat.house.table_plans import TablePlan
from baccarat.service.public_view import (
    NameOf,
    Stakes,
    own_view,
    roads,
    table_status,
    table_view,
    totals_of,
)
from baccarat.store import bookings
from baccarat.store.sqlstore import SqlStore
from baccarat.table.settings import pace_of
from baccarat.table.state import TableState
from baccarat.web.schema.players import Mine
from baccarat.web.schema.tables import (
    Board,
    BoardTable,
    TableDetails,
    Tables,
    TableShort,
)
from baccarat.web.server.site import Site
from baccarat.web.views.layout import layout_at
from baccarat.web.views.money import balance_of
from baccarat.web.views.safety import sitting_of
from baccarat.wording.catalogue import DEFAULT, Catalogue

FEW_COUPS = 10
"""Until a shoe has had this many coups, the lobby shows the roads of the last shoe."""


async def lobby_view(site: Site, language: str, account: str) -> Tables:
    """Return all tables, and those where an account has bets."""
    house = site.house
    states = [await site.state(plan.id) for plan in house.tables]
    return {
        "house": house.name,
        "currency": house.currency,
        "now": site.clock(),
        "tables": [
            await _short(site, plan, state, language)
            for plan, state in zip(house.tables, states, strict=True)
        ],
        "mine": [state.table for state in states if account in state.round.wagers],
    }


async def _short(site: Site, plan: TablePlan, state: TableState, language: str) -> TableShort:
    layout, shown = await layout_at(site, state, language=language), state.display
    last_shoe = bool(shown.last_shoe) and len(shown.results) < FEW_COUPS
    drawn = roads(shown.last_shoe if last_shoe else shown.results)
    spots = [spot for group in layout["groups"] for spot in group["bets"]]
    cheapest = min(spots, key=lambda spot: Fraction(spot["exact_edge"]))
    wagering, seats = len(state.round.wagers), state.settings.limits.seats
    return TableShort(
        **asdict(table_status(state, await _names(site, state))),
        **_of(plan),
        game=layout["card"],
        minimum=min(spot["minimum"] for spot in spots),
        maximum=max(spot["maximum"] for spot in spots),
        seated=len(site.seated.get(plan.id, {}).keys() | state.round.wagers.keys()),
        wagering=wagering,
        seats=seats,
        free=None if seats is None else max(0, seats - wagering),
        cheapest={"id": cheapest["id"], "name": cheapest["name"], "edge": cheapest["edge"]},
        pace=None if state.by_hand else pace_of(state.settings.clock),
        rounds_an_hour=layout["rounds_an_hour"],
        decided=shown.decided,
        totals=totals_of(shown.cards),
        last_shoe=last_shoe,
        big_road=drawn["big_road"],
        statistics=drawn["statistics"],
    )


async def board_view(site: Site, tables: Sequence[str], t: Catalogue) -> Board:
    """Return what a display board shows of these tables; of all tables if none is named."""
    plans = [site.plan(table) for table in tables] or site.house.tables
    shown = [await _on_board(site, plan, t.language) for plan in plans]
    return {"house": site.house.name, "now": site.clock(), "tables": shown}


async def _on_board(site: Site, plan: TablePlan, language: str) -> BoardTable:
    state = await site.state(plan.id)
    view = table_view(state, await _names(site, state))
    layout = await layout_at(site, state, language=language)
    shoe = view.shoe
    return {
        "id": plan.id,
        "name": plan.name,
        "game": layout["card"],
        "round": view.round,
        "call": view.call,
        "due": view.due,
        "takes_bets": view.takes_bets,
        "bets": [
            {
                "id": spot["id"],
                "name": spot["name"],
                "pays": spot["pays_shown"],
                "minimum": spot["minimum"],
                "maximum": spot["maximum"],
            }
            for group in layout["groups"]
            for spot in group["bets"]
        ],
        "shoe": None
        if shoe is None
        else {"size": shoe.size, "left": shoe.left, "to_come": shoe.to_come},
        "cards": view.cards,
        "totals": view.totals,
        "decided": view.decided,
        "roads": roads(state.display.results),
    }


async def view_of(
    site: Site, plan: TablePlan, account: str = "", language: str = DEFAULT
) -> TableDetails:
    """Return a table as an account sees it; the socket continues from its `sequence`."""
    state = await site.state(plan.id)
    return TableDetails(
        **asdict(table_view(state, await _names(site, state))),
        **_of(plan),
        now=site.clock(),
        clock=state.settings.clock,
        layout=await layout_at(site, state, account, language),
        stakes=Stakes(state.round).sums(),
        roads=roads(state.display.results),
    )


async def _names(site: Site, state: TableState) -> NameOf:
    """Return a function that returns the display name of anyone mentioned in a table's view."""
    contributors = state.shoe.contributors if state.shoe else ()
    shown = [state.manual.dealer, *(contributor.player for contributor in contributors)]
    found = {account: await site.visitors.name_of(account) for account in shown}
    return found.__getitem__


def _of(plan: TablePlan) -> dict[str, Any]:
    return {"id": plan.id, "name": plan.name, "guests": plan.guests}


async def mine_of(site: Site, table: str, account: Account) -> Mine:
    """Return a player's own part of a table's view; the sitting is the same as in `/me/play`."""
    now, own = site.clock(), own_view(await site.state(site.plan(table).id), account.id)

    def ask(store: SqlStore) -> Mine:
        return Mine(
            **asdict(own),
            now=now,
            **balance_of(store, account.id),
            in_play=bookings.in_play(store, account.id),
            sitting=sitting_of(store, account, site.house.conduct, now),
        )

    return await site.read(ask)
