"""Playing safely: limits, reality checks, breaks, exclusion, bonus money and where to find help.

What is shown is what `web.safer` tells; the forms speak with the API by a script. The one rule: it
is as easy to be stopped as to play, and what a step does is said before it is taken.
"""

from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from baccarat.house.events import LimitKind, Owner
from baccarat.house.periods import HOUR, MINUTE, Period, months_after
from baccarat.store import history
from baccarat.web.answers.players import Play
from baccarat.web.pages.account import to_sign_in
from baccarat.web.pages.pages import SeenBy, Viewer, player_of, show
from baccarat.web.safer import bonus_of, standing_of
from baccarat.web.site import Anyone, Needs, TheSite

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)
INTERVALS = (10, 15, 20, 30, 45, 60, 90, 120)
"""Minutes between reality checks that can be chosen from."""
BREAKS = (24, 48, 72, 7 * 24, 14 * 24, 28 * 24, 42 * 24)
"""Hours of a break."""
EXCLUSIONS = (6, 9, 12, 24, 36, 60)
"""Months of an exclusion."""


@routes.get("/account/limits")
async def limits(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    if viewer is None:
        return to_sign_in(request)
    who = player_of(viewer)
    play, bonus = await standing_of(site, viewer.account), await bonus_of(site, viewer.account)
    staked = await site.service.world.keeper.read(lambda store: history.in_play(store, who))
    conduct = site.service.house.conduct
    asked = conduct.profile.reality_check // MINUTE
    now: int = play["now"]
    return await show(
        request,
        "limits.html",
        viewer,
        words=("limits",),
        play=play,
        bonus=bonus,
        staked=staked,
        kinds=[(kind, _rows(play, kind)) for kind in _kinds(viewer)],
        warning=conduct.profile.warning,
        loosening=conduct.profile.loosening // HOUR,
        house_interval=asked,
        intervals=[one for one in INTERVALS if not asked or one < asked],
        breaks=[one for one in BREAKS if one <= play["longest_break_hours"]],
        exclusions=[
            (months, months_after(now, months))
            for months in EXCLUSIONS
            if months >= play["least_exclusion_months"]
        ],
        ready=now >= (play["excluded_until"] or 0) and not play["returns_at"],
        now=now,
    )


def _kinds(viewer: Viewer) -> list[LimitKind]:
    """Limits are for those who play with money of their own."""
    return [] if viewer.account.guest else list(LimitKind)


def _rows(play: Play, kind: LimitKind) -> list[dict[str, Any]]:
    """For each period: my own limit, the house's for me, and how much is used."""
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
                "used": any_of["used"] if any_of else 0,
                "until": any_of["until"] if any_of else 0,
                "warned": any(one["warning"] for one in held.values()),
            }
        )
    return rows
