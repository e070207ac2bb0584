"""Desks of the staff: the pit's page of a player, the log of events, the cashier, the auditor.

They are rendered from the very answers that programs get. The one rule: a desk is for the role that
works there; the auditor's has no form that sends anything.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from baccarat.house.periods import DAY
from baccarat.house.roles import Action, check_may
from baccarat.house.significant import TOPICS
from baccarat.store import history
from baccarat.web.agreements import player_of
from baccarat.web.cashier import cash_proposals, desk_of, found
from baccarat.web.inspecting import audit_of
from baccarat.web.mine import balance_of
from baccarat.web.pages.account import to_sign_in
from baccarat.web.pages.pages import SeenBy, show
from baccarat.web.safer import bonus_of, standing_of
from baccarat.web.significant import Of, Topic, newest, streams
from baccarat.web.site import Anyone, Needs, TheSite
from baccarat.web.staff import colleagues

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)
Who = Annotated[str, Query(pattern=r"^([a-z0-9][a-z0-9-]{0,39})?$")]
Part = Annotated[str, Query(max_length=40)]
Days = Annotated[int, Query(ge=1, le=2000)]
DAYS = (1, 7, 31, 366)
MOST = 500
"""Events on a page; files have all."""


@routes.get("/pit/players")
async def players(
    request: Request, site: TheSite, viewer: SeenBy, find: Part = "", who: Who = ""
) -> Response:
    """A player, as the pit looks after them: partners, bonus money, limits, exclusion."""
    if viewer is None:
        return to_sign_in(request)
    check_may(viewer.account, Action.PROTECT)
    told: dict[str, Any] = {}
    if who:
        account, read = await player_of(site, who), site.service.world.keeper.read
        safety = await read(lambda store: store.safety(who))
        told = {
            "account": account,
            "wallet": await read(lambda store: balance_of(store, who)),
            "play": await standing_of(site, account),
            "bonus": await bonus_of(site, account),
            "partners": safety.partners,
            "apart": safety.apart,
        }
    listed = await found(site, find) if find.strip() else []
    return await show(
        request,
        "players.html",
        viewer,
        words=("acts",),
        one=told,
        find=find,
        found=listed,
        staff=[] if who else await colleagues(site),
    )


@routes.get("/events")
async def events(
    request: Request,
    site: TheSite,
    viewer: SeenBy,
    topic: Topic = None,
    stream: Of = None,
    days: Days = 1,
) -> Response:
    """Significant events (G23), for the pit and the auditor."""
    if viewer is None:
        return to_sign_in(request)
    check_may(viewer.account, Action.WATCH)
    since = site.clock() - days * DAY
    return await show(
        request,
        "events.html",
        viewer,
        rows=await newest(site, topic, stream, since, None, MOST),
        most=MOST,
        topics=TOPICS,
        streams=streams(site, None),
        chosen={"topic": topic or "", "stream": stream or "", "days": days},
        days=DAYS,
        query="&".join(
            f"{name}={value}"
            for name, value in (("topic", topic), ("stream", stream), ("since", since))
            if value is not None
        ),
    )


@routes.get("/cashier")
async def cashier(
    request: Request, site: TheSite, viewer: SeenBy, find: Part = "", who: Who = ""
) -> Response:
    """Find a player, pay in, pay out."""
    if viewer is None:
        return to_sign_in(request)
    check_may(viewer.account, Action.PAY)
    return await show(
        request,
        "cashier.html",
        viewer,
        words=("acts",),
        find=find,
        found=await found(site, find) if find.strip() else [],
        one=await desk_of(site, who) if who else None,
        waiting=await cash_proposals(site),
        alone=site.service.house.cash_alone,
        me=viewer.account.id,
    )


@routes.get("/auditor")
async def auditor(
    request: Request,
    site: TheSite,
    viewer: SeenBy,
    check: Annotated[bool, Query()] = False,  # noqa: FBT002
) -> Response:
    """Journals and their heads, the ledger's sum, the audit, files to take away."""
    if viewer is None:
        return to_sign_in(request)
    check_may(viewer.account, Action.EXPORT)
    read = site.service.world.keeper.read
    balances = dict(await read(lambda store: list(store.balances())))
    return await show(
        request,
        "auditor.html",
        viewer,
        heads=await read(lambda store: store.heads()),
        total=await read(history.ledger_sum),
        house_accounts={a: n for a, n in sorted(balances.items()) if a.startswith("house/")},
        at_tables={a: n for a, n in sorted(balances.items()) if a.startswith("table:") and n},
        with_players=sum(n for a, n in balances.items() if a.startswith("player:")),
        report=await audit_of(site) if check else None,
    )
