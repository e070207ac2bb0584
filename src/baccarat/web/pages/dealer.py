"""The dealer's console: one screen for a tablet beside a table of real cards.

`/dealer` lists the tables that a dealer conducts, `/dealer/{table}` is the console of one. The
script is handed the console as of now and draws whatever the API answers. The one rule: the page
decides nothing. Who is next, what is wrong and what can be done about it are the server's words.
"""

from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from baccarat.house.housefile import TablePlan
from baccarat.house.roles import MAY, Action, check_may
from baccarat.shoe.commitment import Source
from baccarat.web.dealing import console_of
from baccarat.web.pages.account import to_sign_in
from baccarat.web.pages.pages import SeenBy, show
from baccarat.web.site import Anyone, Needs, Site, Table, TheSite
from baccarat.web.tables import state_of

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
ACTS = {
    "take-table": "m",
    "leave-table": "l",
    "begin-shoe": "w",
    "burn": "u",
    "place-your-bets": "o",
    "no-more-bets": "n",
    "result": "r",
    "pay": "y",
    "cut-card": "x",
    "tell-again": "z",
    "report": "e",
    "cancel": "v",
}
"""What a dealer does besides telling cards, and its key: none of them is the key of a card."""


@routes.get("/dealer")
async def tables(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    if viewer is None:
        return to_sign_in(request)
    check_may(viewer.account, Action.DEAL)
    found = [await _short(site, plan) for plan in site.service.house.tables]
    here = [one for one in found if one is not None]
    return await show(request, "dealer-tables.html", viewer, tables=here)


@routes.get("/dealer/{table}")
async def console(request: Request, table: Table, site: TheSite, viewer: SeenBy) -> Response:
    if viewer is None:
        return to_sign_in(request)
    check_may(viewer.account, Action.DEAL)
    plan = site.plan(table)
    now = await console_of(site, plan.id, viewer.account)
    may = MAY[viewer.account.role]
    return await show(
        request,
        "dealer.html",
        viewer,
        words=("dealer", "cards"),
        data={
            "table": plan.id,
            "console": now,
            "acts": ACTS,
            "may": {"remedy": Action.REMEDY in may, "cancel": Action.CANCEL in may},
        },
        plan=plan,
        acts=ACTS,
        ranks=RANKS,
    )


async def _short(site: Site, plan: TablePlan) -> dict[str, Any] | None:
    """A table that a dealer conducts; None for one that deals by itself."""
    state = await state_of(site, plan.id)
    if not (state.by_hand or plan.settings.source is Source.CARDS):
        return None
    dealer = await site.account(state.floor.dealer) if state.floor.dealer else None
    return {"id": plan.id, "name": plan.name, "dealer": dealer.name if dealer else ""}
