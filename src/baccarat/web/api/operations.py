"""Endpoints for operators: liveness, readiness and metrics.

Liveness and readiness are public, for example for a load balancer; the rest requires the operations
token. No response here contains a player's name or a card.
"""

import asyncio
import contextlib
from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi.responses import PlainTextResponse

from baccarat.house.events import STREAM
from baccarat.store import bookings
from baccarat.store.engine import StoreError
from baccarat.store.sqlstore import SqlStore
from baccarat.web.schema import Routes, json_response
from baccarat.web.schema.staff import Alive, Ready
from baccarat.web.server.site import Anyone, Needs, TheSite, Visitor

routes = Routes(tags=["operations"])
Operator = Depends(Needs(Anyone.OPERATIONS))

PATIENCE = 2.0
"""Time limit for the store, in seconds; short, because monitoring systems use short timeouts."""


@routes.head("/health", include_in_schema=False, dependencies=[Visitor])
@routes.get("/health", dependencies=[Visitor])
async def health() -> Alive:
    """Report that the process is alive."""
    return {"status": "alive"}


@routes.head("/ready", include_in_schema=False, dependencies=[Visitor])
@routes.get("/ready", responses={503: {"description": "not now"}}, dependencies=[Visitor])
async def ready(request: Request, site: TheSite) -> Annotated[Response, Ready]:
    """Report whether the server is ready: the store is writable and the server is not draining.
    With the operations token, the response also lists the reasons and the tables that the server
    drives."""
    store = "answers" if site.service.heartbeat.beats else "cannot be written to"
    try:
        async with asyncio.timeout(PATIENCE):
            await site.read(SqlStore.head, STREAM)
    except (StoreError, TimeoutError):
        store = "does not answer"
    fine = store == "answers" and not site.service.draining
    answer: Ready = {"ready": fine}
    if site.knows_token(request):
        answer |= {
            "store": store,
            "draining": site.service.draining,
            "driving": [name for name, one in site.service.drivers.items() if one.driving],
            "held_at_start": site.service.held,
            "sealed_off": site.service.sealed_off,
        }
    return json_response(answer, 200 if fine else 503)


@routes.get("/metrics", response_class=PlainTextResponse, dependencies=[Operator])
async def metrics(site: TheSite) -> Response:
    """Return metrics for Prometheus, even while the store is unavailable."""
    service, counted = site.service, site.metrics
    counted.rounds.set(sum(driver.settled for driver in service.drivers.values()))
    counted.tables.set(sum(driver.driving for driver in service.drivers.values()))
    with contextlib.suppress(StoreError, TimeoutError):  # keep the previous sum
        async with asyncio.timeout(PATIENCE):
            counted.ledger.set(await service.environment.keeper.read(bookings.ledger_sum))
            site.added_up_at = site.clock()
    if site.added_up_at is not None:
        counted.ledger_age.set(max(0, site.clock() - site.added_up_at) / 1000)
    return Response(counted.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
