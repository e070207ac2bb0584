"""The ASGI application: all endpoints and pages behind the guard.

The application does not start if an endpoint does not declare who may use it.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from baccarat.core.errors import BaccaratError
from baccarat.service.service import Service
from baccarat.web.api import (
    accounts,
    agreements,
    audit,
    cashier,
    dealer,
    disputes,
    figures,
    operations,
    partners,
    pit,
    player,
    staff,
    table_socket,
    tables,
)
from baccarat.web.api.bets import BetPath
from baccarat.web.api.cards import decks, electronic_shoe, practice
from baccarat.web.api.people import floor, second_factor
from baccarat.web.identity.visitors import COOKIE
from baccarat.web.pages import (
    account,
    assets,
    boards,
    catalogue,
    desks,
    games,
    history,
    people,
    reports,
)
from baccarat.web.pages import decks as deck_pages
from baccarat.web.pages import tables as table_pages
from baccarat.web.pages.assets import asset
from baccarat.web.pages.pages import SignInFirst, problem_page, wants_page
from baccarat.web.schema import JSON, describe
from baccarat.web.schema.events import COMPONENT
from baccarat.web.server.etags import Content
from baccarat.web.server.guard import MAX_SOCKETS, Guard, Rates
from baccarat.web.server.problems import MEDIA_TYPE, Problem, ProblemDocument, response_to
from baccarat.web.server.site import Needs, Site, Visitor, charge_usual, site_of

ROUTERS = (
    *(operations.routes, accounts.routes, tables.routes, agreements.routes),
    *(disputes.routes, disputes.of_house),
    *(player.routes, partners.routes, staff.routes, second_factor.routes, figures.routes),
    *(dealer.routes, decks.routes, electronic_shoe.routes, practice.routes),
    *(pit.routes, floor.routes, audit.log_routes, cashier.routes, audit.routes),
)
"""All API endpoints, except the table socket, which checks permissions itself."""
PAGES = (
    *(assets.routes, table_pages.routes, account.routes, history.routes, games.routes),
    *(catalogue.routes, desks.routes, boards.routes, reports.routes, people.routes),
    *(deck_pages.routes,),
)
"""All pages."""
PROBLEM: dict[str, Any] = {
    "description": "a problem document; see its code",
    "content": {MEDIA_TYPE: {"schema": {"$ref": COMPONENT.format(model="ProblemDocument")}}},
    "headers": {
        "Retry-After": {
            "description": "with 429 and 503: seconds until a retry makes sense",
            "schema": {"type": "integer"},
        }
    },
}
SCHEMES = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "set by POST /api/session, /api/guests and /api/accounts; over https it is "
        f"named __Host-{COOKIE}",
    },
    "operations_token": {
        "type": "http",
        "scheme": "bearer",
        "description": "the operators' token (baccarat serve --operations-token)",
    },
    "shoe_key": {
        "type": "http",
        "scheme": "bearer",
        "description": "the key of the table's electronic shoe (shoe_key in house.toml)",
    },
    "csrf_token": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRF-Token",
        "description": "the session's csrf_token, in every request that changes something",
    },
}
"""OpenAPI security schemes."""


def application(
    service: Service,
    *,
    secret: bytes,
    rates: Rates | None = None,
    sockets: int = MAX_SOCKETS,
    operations_token: str | None = None,
) -> FastAPI:
    """Return the application for a service that has been opened.

    `sockets` is the maximum number of open connections per address, WebSockets included.
    """
    site = Site(service, secret, rates or Rates(), operations_token)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(site.session_list.run(), name="session watch")
        yield
        watching.cancel()
        site.close()

    app = _Documented(lifespan)
    app.state.site, app.state.sockets = site, sockets
    app.include_router(table_socket.routes)
    for kind in (Problem, BaccaratError, RequestValidationError, HTTPException, SignInFirst):
        app.add_exception_handler(kind, _handle)
    app.add_exception_handler(WebSocketRequestValidationError, table_socket.not_understood)
    site.doors.most = sockets
    app.add_middleware(BetPath, site=site, refuse=_handle)
    app.add_middleware(Guard, doors=site.doors)
    return app


class _Documented(FastAPI):
    """The endpoints and their OpenAPI document, which is built on first request."""

    _encoded: Content | None = None

    def __init__(self, lifespan: Any = None) -> None:
        super().__init__(
            title="baccarat",
            description="Live punto banco tables. See docs/reference/api.md.",
            lifespan=lifespan,
            openapi_url=None,
            docs_url=None,
            redoc_url=None,
            responses={"4XX": PROBLEM, "5XX": PROBLEM},
            # Bodies contain passwords, so no part of a request may be sent to a trace collector.
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
            dependencies=[Visitor],
            include_in_schema=False,
        )

    async def _sent(self, request: Request) -> Response:
        """Return the OpenAPI document, which is encoded once."""
        if self._encoded is None:
            self._encoded = asset(json.dumps(self.openapi(), ensure_ascii=False).encode(), JSON)
        return self._encoded.sent(request, "no-cache")

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            document = super().openapi()
            describe(document, ROUTERS, ProblemDocument)
            _secure(document)
        return super().openapi()


def documented() -> dict[str, Any]:
    """Return the OpenAPI document, which is the same for every house."""
    return _Documented().openapi()


async def _handle(request: Request, error: Exception) -> Response:
    """Return an error as a page for browsers, or as a problem document for API clients."""
    if isinstance(error, SignInFirst):
        return account.to_sign_in(request)
    currency = site_of(request).house.currency
    response = response_to(error, request.scope, currency)
    if not request.scope["state"].get("charged"):  # refused before it was charged
        try:
            charge_usual(request)
        except Problem as refused:
            response = response_to(refused, request.scope, currency)
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:  # rendering a page would cost too much
        return response
    return await problem_page(request, response) if wants_page(request) else response


def _secure(document: dict[str, Any]) -> None:
    """Add the security requirements of every operation to the OpenAPI document."""
    document["components"]["securitySchemes"] = SCHEMES
    for route in (route for router in ROUTERS for route in router.routes):
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in route.methods or ():
                shown = rule_of(route).shows(method)
                operation = document["paths"][route.path][method.lower()]
                operation["security"] = [{name: [] for name in shown}] if shown else []


def rule_of(route: Any) -> Needs:
    """Return what an endpoint requires of its visitor, or raise an error if it declares nothing."""
    for dependency in route.dependant.dependencies if isinstance(route, APIRoute) else ():
        if isinstance(dependency.call, Needs):
            return dependency.call
    raise BaccaratError(f"{route.path} does not declare whom it is for: add Needs(…)")
