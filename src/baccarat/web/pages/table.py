"""The page of a table: felt, layout, chips, roads, prices, proofs.

The layout is rendered here from the rule card; the script draws what moves. It is handed the view
of the table as of now, and the socket goes on from there. The one rule: the page of a table knows
no game. A card that was written yesterday is played like the others.
"""

from fastapi import APIRouter, Depends, Request, Response

from baccarat.web.agreements import agreement_of
from baccarat.web.pages.assets import assets
from baccarat.web.pages.pages import SeenBy, show, words_for
from baccarat.web.site import Anyone, Needs, Table, TheSite
from baccarat.web.tables import state_of
from baccarat.web.views import layout_at, mine_of, view_of

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)


@routes.get("/tables/{table}")
async def table_page(request: Request, table: Table, site: TheSite, viewer: SeenBy) -> Response:
    plan = site.plan(table)
    account = viewer.account.id if viewer else ""
    view, state = await view_of(site, plan, account), await state_of(site, plan.id)
    mine, terms = None, None
    if viewer is not None and viewer.plays:
        terms = agreement_of(state, viewer.account.id)
        mine = await mine_of(site, table, viewer.account)
    return await show(
        request,
        "table.html",
        viewer,
        words=("table", "cards", "roads", "reality", "terms"),
        data={
            "view": view,
            "mine": mine,
            "terms": terms,
            "verifier": "verify.js" in assets().found,
        },
        plan=plan,
        seconds=_seconds(view["closes_at"] - site.clock())
        if view["phase"] == "open" and view["source"] != "cards"
        else "",
        terms=terms if terms and terms["can_be_agreed"] else None,
        view=view,
        layout=await layout_at(state, account, words_for(request).phrases),
    )


def _seconds(left: int) -> str:
    """The countdown in the first paint, as felt.js goes on with it."""
    whole = max(0, -(-left // 1000))
    return str(whole) if left < 100_000 else f"{-(-left // 60_000)}′"
