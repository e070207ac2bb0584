"""The application: the service's endpoints behind the guard.

In go a service and a secret, out comes an ASGI application. The one rule: an endpoint that does not
say whom it is for does not start.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from baccarat.core.errors import BaccaratError
from baccarat.service.running import Service
from baccarat.web import (
    accounts,
    agreements,
    cashier,
    dealing,
    disputes,
    events,
    figures,
    inspecting,
    mine,
    operations,
    partners,
    pit,
    safer,
    significant,
    staff,
    tables,
    views,
)
from baccarat.web.answers import JSON, describe
from baccarat.web.answers.happened import COMPONENT
from baccarat.web.doors import MOST_SOCKETS
from baccarat.web.guard import Guard
from baccarat.web.limits import Rates
from baccarat.web.pages import (
    account,
    assets,
    desks,
    floor,
    history,
    limits,
    lobby,
    odds,
    rules,
    table,
    verify,
)
from baccarat.web.pages import dealer as consoles
from baccarat.web.pages import disputes as my_disputes
from baccarat.web.pages.assets import Asset, asset, sent
from baccarat.web.pages.pages import problem_page, wants_page
from baccarat.web.problems import MEDIA_TYPE, Problem, ProblemDocument, response_to
from baccarat.web.sessions import COOKIE
from baccarat.web.site import Anyone, Needs, Site, charge_usual

ROUTERS = (
    *(operations.routes, accounts.routes, tables.routes, agreements.routes, disputes.routes),
    *(views.routes, mine.routes, partners.routes, safer.routes, staff.routes, figures.routes),
    *(dealing.routes, pit.routes, significant.routes),
    *(cashier.routes, inspecting.routes),
)
"""Every endpoint for programs; the socket decides for itself."""
PAGES = (
    consoles.routes,
    *(assets.routes, lobby.routes, table.routes, account.routes, limits.routes),
    *(my_disputes.routes, history.routes, odds.routes, rules.routes, verify.routes),
    *(floor.routes, desks.routes),
)
"""Every page for people."""
PROBLEM: dict[str, Any] = {
    "description": "a problem: see its code",
    "content": {MEDIA_TYPE: {"schema": {"$ref": COMPONENT.format(model="ProblemDocument")}}},
    "headers": {
        "Retry-After": {
            "description": "with 429 and 503: try again in so many seconds",
            "schema": {"type": "integer"},
        }
    },
}
SCHEMES = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "set by POST /api/session, /api/guests and /api/accounts; by https its name "
        f"is __Host-{COOKIE}",
    },
    "operations_token": {
        "type": "http",
        "scheme": "bearer",
        "description": "the token of those who run the server (baccarat serve --operations-token)",
    },
    "csrf_token": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRF-Token",
        "description": "the session's csrf_token, with every request that changes something",
    },
}
"""What a request shows to be let in, as OpenAPI has it."""


def application(
    service: Service,
    *,
    secret: bytes,
    rates: Rates | None = None,
    sockets: int = MOST_SOCKETS,
    operations_token: str | None = None,
) -> FastAPI:
    """The application over a service that has been opened.

    `sockets` is the number of connections that one address may have open.
    """
    site = Site(service, secret, rates or Rates(), operations_token)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(site.watchman.run(), name="watchman")
        yield
        watching.cancel()
        site.close()

    app = _Documented(lifespan)
    app.state.site, app.state.sockets = site, sockets
    app.include_router(events.routes)
    for kind in (Problem, BaccaratError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _handle)
    app.add_exception_handler(WebSocketRequestValidationError, events.not_understood)
    site.doors.most = sockets
    app.add_middleware(Guard, doors=site.doors)
    return app


class _Documented(FastAPI):
    """Every endpoint, and the document about them, which is made when it is first asked for."""

    _encoded: Asset | None = None

    def __init__(self, lifespan: Any = None) -> None:
        super().__init__(
            title="baccarat",
            description="Live tables of punto banco. Refusals: docs/api.md.",
            lifespan=lifespan,
            openapi_url=None,
            docs_url=None,
            redoc_url=None,
            responses={"4XX": PROBLEM, "5XX": PROBLEM},
            # Bodies hold passwords: nothing of a request goes to whatever collects traces here.
            telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        )
        for router in (*ROUTERS, *PAGES):
            for route in router.routes:
                rule_of(route)
            self.include_router(router)
        self.add_api_route(
            "/openapi.json",
            self._sent,
            methods=["GET", "HEAD"],
            dependencies=[Depends(Needs(Anyone.EVERYBODY))],
            include_in_schema=False,
        )

    async def _sent(self, request: Request) -> Response:
        """The document, encoded once."""
        if self._encoded is None:
            self._encoded = asset(json.dumps(self.openapi(), ensure_ascii=False).encode(), JSON)
        return sent(request, self._encoded, caching="no-cache")

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            document = super().openapi()
            describe(document, ROUTERS, ProblemDocument)
            _secure(document)
        return super().openapi()


def documented() -> dict[str, Any]:
    """The OpenAPI document, which is the same for every house."""
    return _Documented().openapi()


async def _handle(request: Request, error: Exception) -> Response:
    """What went wrong, as a document for programs and as a page for people."""
    told = response_to(error, request.scope)
    if isinstance(error, HTTPException):  # no endpoint was asked, so nothing has been charged
        try:
            charge_usual(request)
        except Problem as refused:
            told = response_to(refused, request.scope)
    if told.status_code == HTTPStatus.TOO_MANY_REQUESTS:  # a page would cost what is refused
        return told
    return await problem_page(request, told) if wants_page(request) else told


def _secure(document: dict[str, Any]) -> None:
    """Say of every operation what it needs to be let in."""
    document["components"]["securitySchemes"] = SCHEMES
    for route in (one for router in ROUTERS for one in router.routes):
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in route.methods or ():
                shown = rule_of(route).shows(method)
                operation = document["paths"][route.path][method.lower()]
                operation["security"] = [{name: [] for name in shown}] if shown else []


def rule_of(route: Any) -> Needs:
    """Whom an endpoint is for."""
    found = [
        one.call
        for one in (route.dependant.dependencies if isinstance(route, APIRoute) else ())
        if isinstance(one.call, Needs)
    ]
    if not found:
        raise BaccaratError(f"{route.path} does not say whom it is for: give it Needs(…)")
    return found[0]
