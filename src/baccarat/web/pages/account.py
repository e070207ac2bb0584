"""Pages for signing in, the account, and safer gambling: limits, breaks, exclusion, bonus.

A script sends the forms to the API as JSON. The address to return to after signing in must be a
page of this house. Every action is explained before it is taken.
"""

import re
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from baccarat.house.events import LimitKind, Owner
from baccarat.house.people.passwords import LONGEST, SHORTEST
from baccarat.house.safety.periods import HOUR, MINUTE, Period, months_after
from baccarat.store import bookings
from baccarat.store.sqlstore import SqlStore
from baccarat.web.identity.visitors import IDLE_MS, LONGEST_MS
from baccarat.web.pages.pages import DESKS, AnyPage, OwnPage
from baccarat.web.schema.players import Play
from baccarat.web.server.site import TheSite, Visitor
from baccarat.web.views.agreements import agreements_of
from baccarat.web.views.safety import bonus_of, standing_of

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
_OURS = re.compile(r"/(?:[\w-]+(?:/[\w-]+)*)?")
"""Valid addresses to return to: plain paths, which no browser takes for another host."""
Back = Annotated[str, Query(max_length=200)]
INTERVALS = (10, 15, 20, 30, 45, 60, 90, 120)
"""Intervals of reality checks to choose from, in minutes."""
BREAKS = (24, 48, 72, 7 * 24, 14 * 24, 28 * 24, 42 * 24)
"""Lengths of a break to choose from, in hours."""
EXCLUSIONS = (6, 9, 12, 24, 36, 60)
"""Lengths of an exclusion to choose from, in months."""


def to_sign_in(request: Request) -> Response:
    """Redirect to the sign-in page, which then leads back to the requested page."""
    return RedirectResponse(f"/sign-in?back={quote(request.url.path)}", 303)


@routes.get("/sign-in")
async def sign_in(site: TheSite, page: AnyPage, back: Back = "/") -> Response:
    """Show the sign-in page; signed-in visitors are redirected, except unregistered guests."""
    back = back if _OURS.fullmatch(back) else "/"
    if page.viewer is not None and page.viewer.account.registered:
        desk = DESKS.get(page.viewer.account.role, "/account")
        return RedirectResponse(back if back != "/" else desk, 303)
    conduct = site.house.conduct
    return await page.show(
        "sign-in.html",
        words=("account",),
        data={"back": back, "desks": DESKS},
        age=conduct.profile.minimum_age if conduct.birth_dates else None,
        play_money=site.house.play_money,
        shortest=SHORTEST,
        longest=LONGEST,
    )


@routes.get("/account")
async def account(site: TheSite, page: OwnPage) -> Response:
    who, session = page.account.id, site.visitors.session_of(page.request)
    assert session is not None  # noqa: S101  (signed in)
    return await page.show(
        "account.html",
        words=("account",),
        data={"after": DESKS.get(page.account.role, "/account")},
        staked=await site.read(bookings.in_play, who),
        sessions=await site.session_list.of(page.request, session),
        safety=await site.read(SqlStore.safety, who),
        agreements=await agreements_of(site, who, page.t),
        shortest=SHORTEST,
        longest=LONGEST,
        idle_minutes=IDLE_MS // 60_000,
        begun=session.begun,
        ends=session.begun + LONGEST_MS,
    )


@routes.get("/account/limits")
async def limits(site: TheSite, page: OwnPage) -> Response:
    staked = await site.read(bookings.in_play, page.player)
    play, conduct = await standing_of(site, page.account, page.t), site.house.conduct
    asked = conduct.profile.reality_check // MINUTE
    now: int = play["now"]
    return await page.show(
        "limits.html",
        words=("limits",),
        play=play,
        bonus=await site.read(bonus_of, page.player),
        staked=staked,
        # Only for players with real money.
        kinds=[] if page.account.guest else [(kind, _rows(play, kind)) for kind in LimitKind],
        warning=conduct.profile.warning,
        loosening=conduct.profile.loosening // HOUR,
        house_interval=asked,
        intervals=[minutes for minutes in INTERVALS if not asked or minutes < asked],
        breaks=[hours for hours in BREAKS if hours <= play["longest_break_hours"]],
        exclusions=[
            (months, months_after(now, months))
            for months in EXCLUSIONS
            if months >= play["least_exclusion_months"]
        ],
        ready=now >= (play["excluded_until"] or 0) and not play["returns_at"],
        now=now,
    )


def _rows(play: Play, kind: LimitKind) -> list[dict[str, Any]]:
    """Return, for each period, the player's limit, the house's limit, and how much is used."""
    rows = []
    for period in Period:
        held = {
            one["owner"]: one
            for one in play["limits"]
            if (one["limit"], one["period"]) == (kind, period)
        }
        mine, theirs = held.get(Owner.PLAYER), held.get(Owner.HOUSE)
        holds = [one["amount"] for one in held.values() if one["amount"] is not None]
        any_of = mine or theirs
        rows.append(
            {
                "period": period,
                "mine": mine["amount"] if mine else None,
                "house": theirs["amount"] if theirs else None,
                "asked": mine["asked"] if mine else None,
                "holds": min(holds, default=None),
                "used": max(0, any_of["used"]) if any_of else 0,
                "until": any_of["until"] if any_of else 0,
                "warned": any(one["warning"] for one in held.values()),
            }
        )
    return rows
