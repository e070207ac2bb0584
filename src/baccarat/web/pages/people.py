"""The pit's page about the staff: their accounts, tables and sign-ins."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from baccarat.house.people.roles import BY_TWO, Action, Role
from baccarat.web.pages.pages import Page, PageAccess
from baccarat.web.server.site import TheSite, Visitor
from baccarat.web.views.floor.people import colleagues

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
ForOpeners = Annotated[Page, Depends(PageAccess(Action.OPEN_ACCOUNT))]


@routes.get("/pit/staff")
async def people(site: TheSite, page: ForOpeners) -> Response:
    """Show the staff accounts, with forms to open, assign, suspend and close them."""
    return await page.show(
        "people.html",
        words=("acts",),
        staff=await colleagues(site),
        names={plan.id: plan.name for plan in site.house.tables},
        works=(Role.DEALER, Role.PIT),
        by_two=BY_TWO,
    )
