"""The lobby, and the page of a table: felt, layout, chips, roads, prices, proofs.

The layout is rendered here from the rule card; scripts draw what changes, from the view in the page
and from later updates. Neither page contains anything specific to a game, so new rule cards work
without changes.
"""

from fastapi import APIRouter, Response

from baccarat.shoe.commitment import Source
from baccarat.table.manual.state import has_cut_off
from baccarat.web.pages.pages import AnyPage
from baccarat.web.server.site import Table, TheSite, Visitor
from baccarat.web.views.agreements import agreement_of
from baccarat.web.views.tables import lobby_view, mine_of, view_of

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
FAVOURITES = "baccarat_favourites"
"""Cookie with the ids of the visitor's favourite tables, written by lobby.js."""


@routes.get("/")
async def lobby(site: TheSite, page: AnyPage) -> Response:
    """Show the tables, the visitor's favourites first."""
    account = page.viewer.account.id if page.viewer else ""
    view = await lobby_view(site, page.t.language, account)
    tables = view["tables"]
    favourites = page.request.cookies.get(FAVOURITES, "").split(".")
    tables.sort(key=lambda table: table.id not in favourites)
    games = {table.game["id"]: table.game["name"] for table in tables}
    registered = page.viewer is not None and page.viewer.account.registered
    first = next((table.id for table in tables if table.guests or registered), None)
    return await page.show(
        "lobby.html",
        words=("lobby", "roads", "cards"),
        data={"lobby": view},
        tables=tables,
        favourites=favourites,
        games=games,
        play_money=site.house.play_money,
        first=first,
    )


@routes.get("/tables/{table}")
async def table_page(table: Table, site: TheSite, page: AnyPage) -> Response:
    plan = site.plan(table)
    account = page.viewer.account.id if page.viewer else ""
    view = await view_of(site, plan, account, page.t.language)
    mine, terms = None, None
    if page.viewer is not None and page.viewer.plays:
        state = await site.state(plan.id)
        terms = agreement_of(state, page.viewer.account.id, page.t)
        mine = await mine_of(site, table, page.viewer.account)
    return await page.show(
        "table.html",
        words=("table", "cards", "roads", "reality", "terms"),
        data={"view": view, "mine": mine, "terms": terms},
        plan=plan,
        seconds=_seconds(view.due.at - site.clock()) if view.due and view.due.of else "",
        terms=terms if terms and terms["can_be_agreed"] else None,
        view=view,
        layout=view.layout,
        squeezes=bool(mine and view.source is not Source.CARDS and view.clock.squeeze),
        cut_off=has_cut_off(plan.settings.rules, plan.settings),
    )


def _seconds(left: int) -> str:
    """Return the countdown for the first paint, in the same format as felt.js."""
    whole = max(0, -(-left // 1000))
    return str(whole) if left < 100_000 else f"{-(-left // 60_000)}′"
