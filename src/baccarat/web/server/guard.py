"""The guard at the door: what holds for every request, whatever it asks.

A plain ASGI layer around the application: a limit for bodies, the origin of requests that change
something and of WebSockets (CORS rules do not hold there), security headers, one line in the log,
and for any error that gets this far a problem document instead of a traceback. Until it opens, a
WebSocket is a request like any other. The one rule: what it cannot judge, it refuses.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from baccarat.web.cookies import plain
from baccarat.web.doors import Doors
from baccarat.web.problems import SAFE, STATUS, Fault, Problem, response_to, stopping

SECURE = ("https", "wss")
LARGEST_BODY = 64 * 1024
SWALLOWED, SWALLOWING = 32 * 1024 * 1024, 10
"""Bytes of a body that was refused, and seconds, for which its sender is let go on: many clients
read no answer before they have sent everything, and would only find the connection gone."""
HEADERS = {
    # No inline script or style, no eval, no markup from text, nothing from another host.
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'; object-src 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
log = logging.getLogger(__name__)


class Guard:
    """The layer."""

    def __init__(self, app: ASGIApp, doors: Doors | None = None) -> None:
        self._app = app
        self._doors = doors or Doors(any_is_proxy=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        scope["headers"] = plain(scope["headers"])
        # What a proxy forwards: without one, the connections themselves are counted too.
        address = scope["client"][0] if scope.get("client") else ""
        entered = self._doors.enter(address)
        try:
            if scope["type"] == "http":
                await self._http(scope, receive, send, entered=entered)
            else:
                await self._websocket(scope, receive, send, entered=entered)
        finally:
            if entered:
                self._doors.leave(address)

    def _check_entered(self, *, entered: bool) -> None:
        if not entered:
            raise Problem(Fault.RATE_LIMITED, self._doors.words, headers={"Retry-After": "10"})

    async def _http(self, scope: Scope, receive: Receive, send: Send, *, entered: bool) -> None:
        started, status, begun = time.perf_counter(), 500, False
        state = scope.setdefault("state", {})
        body = _Body(receive)

        async def sending(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                cookies = [state[name] for name in ("cookie", "device") if name in state]
                dress(message, scope, cookies)
            elif status == STATUS[Fault.TOO_LARGE] and not message.get("more_body"):
                await send({**message, "more_body": True})
                await _swallow(receive)
                message = {"type": message["type"]}
            await send(message)

        try:
            self._check_entered(entered=entered)
            _check(scope)
            await self._app(scope, body.receive, sending)
        except asyncio.CancelledError as error:
            if begun:
                raise
            task = asyncio.current_task()
            if task is None or not task.cancelling():  # by a mistake of ours, not the server
                await response_to(error, scope)(scope, receive, sending)
                return
            told = stopping(scope, nothing_done=body.is_awaited)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0):  # who does not read is not waited for
                    await response_to(told)(scope, receive, sending)
            raise
        except Exception as error:
            if begun:  # half an answer has gone: cutting it off is all that is left
                raise
            await response_to(error, scope)(scope, receive, sending)
        finally:
            _write_down(scope, status, started)

    async def _websocket(
        self, scope: Scope, receive: Receive, send: Send, *, entered: bool
    ) -> None:
        started, begun = time.perf_counter(), False
        scope.setdefault("state", {})

        async def sending(message: Message) -> None:
            nonlocal begun
            if not begun:
                if message["type"] == "websocket.close":  # so the framework says: nothing is here
                    await response_to(HTTPException(HTTPStatus.NOT_FOUND))(scope, receive, sending)
                    return
                begun = True
                if message["type"] == "websocket.http.response.start":
                    dress(message, scope)
                _write_down(scope, message.get("status", HTTPStatus.SWITCHING_PROTOCOLS), started)
            await send(message)

        try:
            self._check_entered(entered=entered)
            if not is_own_origin(scope):
                raise _foreign()
            await self._app(scope, receive, sending)
            if not begun:
                raise RuntimeError(f"{scope['path']} gave a WebSocket no answer")
        except Exception as error:
            if begun:
                raise
            await response_to(error)(scope, receive, sending)


def _write_down(scope: Scope, status: int, started: float) -> None:
    log.info(
        "request",
        extra={
            "method": scope.get("method", "GET"),
            "path": scope["path"],
            "status": int(status),
            "ms": round((time.perf_counter() - started) * 1000),
            "account": scope["state"].get("account"),
        },
    )


def dress(message: Message, scope: Scope, cookies: Sequence[str] = ()) -> None:
    """Give the beginning of an answer the headers that every answer has."""
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    if message.get("status") == HTTPStatus.NO_CONTENT:
        del headers["Content-Type"]
    if scope["scheme"] in SECURE:
        headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"
    if "set-cookie" not in headers:
        for cookie in cookies:
            headers.append("Set-Cookie", cookie)


def _check(scope: Scope) -> None:
    length = Headers(scope=scope).get("content-length", "0")
    if not length.isdecimal() or len(length) > 12 or int(length) > LARGEST_BODY:
        raise _too_large()
    if scope["method"] not in SAFE and not is_own_origin(scope):
        raise _foreign()


def _foreign() -> Problem:
    words = "this was sent by a page of another site: use the pages of this one"
    return Problem(Fault.FOREIGN_ORIGIN, words)


def is_own_origin(scope: Scope) -> bool:
    """Does it come from a page of ours, or from a program that is no browser?"""
    headers = Headers(scope=scope)
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        found = urlsplit(origin)
    except ValueError:
        return False
    scheme = "https" if scope["scheme"] in SECURE else "http"
    return found.scheme == scheme and found.netloc == headers.get("host")


class _Body:
    """What comes of a body: one that says less than it sends is found out while it comes in."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._taken, self._whole = receive, 0, False
        self.is_awaited = False
        """Somebody has asked for it, and it has not come whole."""

    async def receive(self) -> Message:
        self.is_awaited = not self._whole
        message = await self._receive()
        self._taken += len(message.get("body", b""))
        if self._taken > LARGEST_BODY:
            raise _too_large()
        self._whole = self._whole or not message.get("more_body", False)
        self.is_awaited = not self._whole
        return message


async def _swallow(receive: Receive) -> None:
    """What is left of a body, unread."""
    left, more = SWALLOWED, True
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SWALLOWING):
            while more and left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                more = message.get("more_body", False)


def _too_large() -> Problem:
    return Problem(Fault.TOO_LARGE, f"the body is too large: {LARGEST_BODY:,} bytes at most")
