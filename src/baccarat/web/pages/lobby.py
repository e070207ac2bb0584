"""The lobby: every table, what is played there, and how it stands.

The page is rendered with all its tables; a script asks for the same data every few seconds and
draws what has changed. The one rule: whoever has never been here can sit down with one click.
"""

from fastapi import APIRouter, Depends, Request, Response

from baccarat.web.pages.pages import SeenBy, show
from baccarat.web.site import Anyone, Needs, TheSite
from baccarat.web.views import lobby_view

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)


@routes.get("/")
async def lobby(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    tables = await lobby_view(site)
    games = {one["game"]["id"]: one["game"]["name"] for one in tables}
    first = next((one["id"] for one in tables if one["guests"]), None)
    return await show(
        request,
        "lobby.html",
        viewer,
        words=("lobby", "roads", "cards"),
        data={"tables": tables},
        tables=tables,
        games=games,
        play_money=site.service.house.play_money,
        first=first,
    )
