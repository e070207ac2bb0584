"""Coming in and one's own account: sign in, open an account, play as a guest; money and session.

The forms speak JSON with the API by a script. The one rule: where a visitor came from is believed
only if it is a page of this house.
"""

import re
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import RedirectResponse

from baccarat.house.passwords import LONGEST, SHORTEST
from baccarat.store import history
from baccarat.web.pages.pages import DESKS, SeenBy, show
from baccarat.web.sessions import IDLE_MS, LONGEST_MS
from baccarat.web.site import Anyone, Needs, TheSite

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)
_OURS = re.compile(r"/(?:[\w-]+(?:/[\w-]+)*)?")
"""Addresses to go back to: paths of this host, without anything that a browser reads otherwise."""
Back = Annotated[str, Query(max_length=200)]


def to_sign_in(request: Request) -> Response:
    """To the page that lets people in, and back here afterwards."""
    return RedirectResponse(f"/sign-in?back={quote(request.url.path)}", 303)


@routes.get("/sign-in")
async def sign_in(request: Request, site: TheSite, viewer: SeenBy, back: Back = "/") -> Response:
    """Whoever has an account and is signed in needs no such page; a guest may want an account."""
    back = back if _OURS.fullmatch(back) else "/"
    if viewer is not None and not viewer.account.guest:
        desk = DESKS.get(viewer.account.role, "/account")
        return RedirectResponse(back if back != "/" else desk, 303)
    conduct = site.service.house.conduct
    return await show(
        request,
        "sign-in.html",
        viewer,
        words=("account",),
        data={"back": back, "desks": DESKS},
        age=conduct.profile.minimum_age if conduct.birth_dates else None,
        play_money=site.service.house.play_money,
        shortest=SHORTEST,
        longest=LONGEST,
    )


@routes.get("/account")
async def account(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    if viewer is None:
        return to_sign_in(request)
    who = viewer.account.id
    read = site.service.world.keeper.read
    staked = await read(lambda store: history.in_play(store, who))
    session = site.session_of(request)
    return await show(
        request,
        "account.html",
        viewer,
        words=("account",),
        data={"after": DESKS.get(viewer.account.role, "/account")},
        staked=staked,
        sessions=await site.sessions_of(request, session) if session else [],
        safety=await read(lambda store: store.safety(who)),
        shortest=SHORTEST,
        longest=LONGEST,
        idle_minutes=IDLE_MS // 60_000,
        ends=viewer.since + LONGEST_MS,
    )
