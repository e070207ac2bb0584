"""For those who run the server: is it alive, should it get visitors, what does it count?

Whether it is alive and ready is for everybody, such as a load balancer; the rest needs the token of
those who run the server. The one rule: nothing here names a player or a card.
"""

import asyncio
import contextlib
from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi.responses import PlainTextResponse

from baccarat.house.events import STREAM
from baccarat.store import history
from baccarat.store.engine import StoreError
from baccarat.web.answers import Routes, sent
from baccarat.web.answers.staff import Alive, Ready
from baccarat.web.site import Anyone, Needs, TheSite

routes = Routes(tags=["operations"])
Everybody, Operator = Depends(Needs(Anyone.EVERYBODY)), Depends(Needs(Anyone.OPERATIONS))

PATIENCE = 2.0
"""Seconds that the store has to answer those who watch: they have not much more."""


@routes.head("/health", include_in_schema=False, dependencies=[Everybody])
@routes.get("/health", dependencies=[Everybody])
async def health() -> Alive:
    """The process answers."""
    return {"status": "alive"}


@routes.head("/ready", include_in_schema=False, dependencies=[Everybody])
@routes.get("/ready", responses={503: {"description": "not now"}}, dependencies=[Everybody])
async def ready(request: Request, site: TheSite) -> Annotated[Response, Ready]:
    """It has a store that it can write to, and is not about to stop; with the operations token, why
    and what it drives."""
    store = "answers" if site.service.pulse.beats else "cannot be written to"
    try:
        async with asyncio.timeout(PATIENCE):
            await site.service.world.keeper.read(lambda store: store.head(STREAM))
    except (StoreError, TimeoutError):
        store = "does not answer"
    fine = store == "answers" and not site.service.draining
    told: Ready = {"ready": fine}
    if site.knows_token(request):
        told |= {
            "store": store,
            "draining": site.service.draining,
            "driving": [name for name, one in site.service.drivers.items() if one.driving],
            "held_at_start": site.service.held,
            "sealed_off": site.service.sealed_off,
        }
    return sent(told, 200 if fine else 503)


@routes.get("/metrics", response_class=PlainTextResponse, dependencies=[Operator])
async def metrics(site: TheSite) -> Response:
    """Counts and times for Prometheus, also while the store is away."""
    service, counted = site.service, site.metrics
    counted.rounds.set(sum(driver.settled for driver in service.drivers.values()))
    counted.tables.set(sum(driver.driving for driver in service.drivers.values()))
    with contextlib.suppress(StoreError, TimeoutError):  # the last sum stands, and its age says so
        async with asyncio.timeout(PATIENCE):
            counted.ledger.set(await service.world.keeper.read(history.ledger_sum))
            site.added_up_at = site.clock()
    if site.added_up_at is not None:
        counted.ledger_age.set(max(0, site.clock() - site.added_up_at) / 1000)
    return Response(counted.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
