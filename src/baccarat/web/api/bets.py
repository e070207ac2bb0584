"""Bets: one handler for requests and for messages on a table's socket.

Bets are by far the most frequent commands, so `BetPath` handles them behind the guard without
FastAPI, whose routing and dependencies take several times as long as the bet itself. It checks what
the endpoint declares. Only a request that is not well-formed reaches the endpoint, which reports
every fault in it.
"""

import re
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, cast

from fastapi import Request, Response
from pydantic import ValidationError
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from baccarat.core.wagers import Wager
from baccarat.house.jobs import LONGEST_KEY, Sender
from baccarat.house.people.roles import Account, Action
from baccarat.house.ports import Key
from baccarat.table import commands as c
from baccarat.table.codec import encode
from baccarat.table.refusals import Refused
from baccarat.web.identity.visitors import Session
from baccarat.web.schema import JSON, json_response, strict_json
from baccarat.web.schema.requests import SocketBet, WagersBody
from baccarat.web.schema.tables import WagersTaken
from baccarat.web.server.guard import log_request
from baccarat.web.server.language import words_for
from baccarat.web.server.problems import Fault, Problem, response_to
from baccarat.web.server.site import API, Needs, Site

PLAYER = Needs(Action.WAGER)
_PATH = re.compile(rf"{API}/tables/([^/]{{1,80}})/wagers")


class Bet(NamedTuple):
    """A request to replace a player's wagers at a table."""

    table: str
    key: str
    body: WagersBody


async def place_wagers(
    site: Site, account: Account, bet: Bet, connection: HTTPConnection
) -> WagersTaken:
    """Replace a player's wagers on the open round, or raise Refused."""
    body, command = bet.body, command_of(bet.body, account.id)
    try:
        site.check_guest(bet.table, account)
        sender = Sender(Key(account.id, bet.key), f"{bet.table} ".encode() + encode(command))
        cleared = await site.cleared_at(account) if body.wagers else None
        done = await site.do(site.at_table(bet.table, command, sender=sender, cleared_at=cleared))
    except Refused as error:
        site.metrics.wagers.labels(error.code).inc()
        raise
    site.metrics.wagers.labels("repeated" if done.repeated else "taken").inc()
    taken = {
        "events": done.events,
        "first": done.first,
        "round": body.round,
        "in": bool(body.wagers),
        "repeated": done.repeated,
        "warnings": [
            warning.text(words_for(connection), site.house.currency) for warning in done.warnings
        ],
    }
    return cast("WagersTaken", taken)


def command_of(body: WagersBody, player: str) -> c.PlaceWagers:
    """Return the command in a request to place wagers."""
    placed, replaced = (
        None if wagers is None else tuple(Wager(wager.bet, wager.stake) for wager in wagers)
        for wagers in (body.wagers, body.replaces)
    )
    accept = tuple(sorted(body.accept.items()))
    return c.PlaceWagers(body.round, player, placed or (), replaces=replaced, accept=accept)


class BetPath:
    """ASGI middleware that handles well-formed bets, and passes on all other requests."""

    def __init__(
        self, app: ASGIApp, site: Site, refuse: Callable[[Request, Exception], Awaitable[Response]]
    ) -> None:
        self._app, self._site, self._refuse = app, site, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = scope.get("method") == "PUT" and _PATH.fullmatch(scope["path"])
        if not found:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await request.body()
        try:
            bet = _bet_in(request, found[1], body)
            if bet is None:
                await self._app(scope, _again(body), send)
                return
            account = await PLAYER(request)
            assert account is not None  # noqa: S101  (the rule is an action)
            taken = await place_wagers(self._site, account, bet, request)
            response = json_response(taken)
        except Exception as error:
            response = await self._refuse(request, error)
        await response(scope, receive, send)


def _bet_in(request: Request, table: str, body: bytes) -> Bet | None:
    """Return the bet in a request, or None if the request is not well-formed."""
    headers = request.headers
    key = headers.get("idempotency-key", "")
    if headers.get("content-type") != JSON or not 0 < len(key) <= LONGEST_KEY:
        return None
    try:
        return Bet(table, key, WagersBody.model_validate(strict_json(body)))
    except (Problem, ValidationError, ValueError, RecursionError):
        return None


def _again(body: bytes) -> Receive:
    """Return a function that receives a body which has been read already."""

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def answer_bet(
    site: Site, socket: HTTPConnection, session: Session, table: str, text: str | bytes
) -> bytes:
    """Place the bet in a message on a table's socket, and return the answer to it.

    The same checks apply as to a request, and the answer contains the same response. Raise
    ValueError if the message is not a bet.
    """
    started = time.perf_counter()
    try:
        body = SocketBet.model_validate(strict_json(text))
    except (Problem, RecursionError) as error:
        raise ValueError(str(error)) from error
    try:
        account, _ = await site.visitors.owner_of(session)
        if account is None or site.visitors.sessions.is_old(session, site.clock()):
            raise Problem(Fault.NOT_SIGNED_IN, "not-signed-in")
        PLAYER.check_change(site, session, account, body.csrf_token)
        taken = await place_wagers(site, account, Bet(table, body.key, body), socket)
        response = json_response(taken)
    except Exception as error:
        response = response_to(error, socket.scope, site.house.currency)
    status, answer = response.status_code, bytes(response.body)
    log_request({**socket.scope, "method": "BET"}, status, started)
    return b'{"key":%b,"status":%d,"answer":%b}' % (encode(body.key), status, answer)
