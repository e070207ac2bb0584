"""The page of the house's deck sets, for the pit."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from baccarat.house.people.roles import MAY, Action
from baccarat.shoe.commitment import Source
from baccarat.store import history
from baccarat.web.pages.pages import Page, PageAccess
from baccarat.web.server.site import TheSite, Visitor
from baccarat.web.views.dealer import deck_log

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
ForKeepers = Annotated[Page, Depends(PageAccess(Action.KEEP_DECKS))]


@routes.get("/pit/cards")
async def cards(site: TheSite, page: ForKeepers) -> Response:
    """Show the deck sets, and the forms that record what was done with them."""
    plans = site.house.tables
    staff = [person.account for person in await site.read(history.staff)]
    return await page.show(
        "decks.html",
        words=("acts",),
        sets=(await deck_log(site))["deck_sets"],
        names={plan.id: plan.name for plan in plans},
        plans=[plan for plan in plans if plan.settings.source is Source.CARDS],
        shufflers=[
            one
            for one in staff
            if Action.DEAL in MAY[one.role] and not one.suspended and one.id != page.account.id
        ],
    )
