"""The verifier in the browser: was a shoe dealt as it was promised?

The page names the tables; the shoe's document is asked for, or dropped in as a file, and checked by
`verify.js` where the visitor is. The one rule: the server has no part in the verdict.
"""

from fastapi import APIRouter, Depends, Request, Response

from baccarat.web.pages.pages import SeenBy, show
from baccarat.web.site import Anyone, Needs, TheSite

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)


@routes.get("/verify")
async def verify(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    """The page; `?shoe=` or `?table=` in its address is read by the script."""
    return await show(request, "verify.html", viewer, words=("verify", "cards"), tables=site.tables)
