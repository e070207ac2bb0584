"""Pages about the staff: the pit's list of accounts, and the page to set up a second factor."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from markupsafe import Markup

from baccarat.house.people.passwords import LONGEST
from baccarat.house.people.roles import BY_TWO, Action, Role
from baccarat.poster.qr import qr_code
from baccarat.web.pages.pages import DESKS, OwnPage, Page, PageAccess
from baccarat.web.server.site import TheSite, Visitor
from baccarat.web.views.floor.people import colleagues, second_factor_for

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


@routes.get("/account/second-factor")
async def second_factor(site: TheSite, page: OwnPage) -> Response:
    """Show a new secret as a QR code and as text, and a form to confirm it with a code."""
    new = second_factor_for(site, page.account)
    return await page.show(
        "second-factor.html",
        words=("account",),
        data={"after": DESKS.get(page.account.role, "/account")},
        new=new,
        drawing=Markup(qr_code(new["address"])),  # noqa: S704  (drawn here)
        longest=LONGEST,
    )
