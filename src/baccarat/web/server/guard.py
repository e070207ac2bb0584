"""The guard: limits and checks that apply to every request.

Contains the limits per address (open connections, rate limits) and an ASGI middleware around the
application. The middleware limits the size of bodies, checks the origin of WebSockets (which CORS
does not cover) and of requests that change something, adds security headers, logs one line per
request, and turns any error that gets this far into a problem document instead of a traceback.
Until it opens, a WebSocket is treated like any other request. Requests that the guard cannot check
are refused.

A connection counts towards the limits of its own address, unless that is a trusted proxy
(`FORWARDED_ALLOW_IPS`). Each request or WebSocket that a trusted proxy forwards counts towards the
limits of the client address that the proxy names.
"""

import asyncio
import contextlib
import logging
import os
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import _TrustedHosts

from baccarat.house.ports import Clock
from baccarat.web.server.problems import SAFE, STATUS, Fault, Problem, response_to, stopping

NETWORK = {4: 32, 6: 64}
"""Prefix length, by IP version, that identifies a visitor: a household has a whole IPv6 /64."""
SHOWN = {4: 24, 6: 48}
"""Length, by IP version, of the address prefix that is stored with a session for its owner to
see."""
MAX_SOCKETS = 500
"""Maximum open connections per address, WebSockets included: a whole room may share one."""
MAX_SENDERS = 100_000
MAX_CACHED = 10_000
"""Maximum number of addresses in each cache."""
SECURE = ("https", "wss")
MAX_COOKIES = 200
"""Maximum cookies read from a request: a browser sends at most 180 for one site."""
LARGEST_BODY = 64 * 1024
MAX_DISCARDED, DISCARD_SECONDS = 32 * 1024 * 1024, 10
"""Limits, in bytes and seconds, for receiving the rest of a refused body. Many clients read the
response only after sending the whole body. If the rest were not received, they would see a lost
connection instead of the response."""
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
_ENCODED = [
    (name.lower().encode(), value.encode())
    for name, value in {**HEADERS, "Cache-Control": "no-store"}.items()
]
_HSTS = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
log = logging.getLogger(__name__)


# ---- addresses and open connections -------------------------------------------------------------


def address_of(connection: HTTPConnection) -> str:
    """Return the visitor's address, from the connection or from a trusted proxy."""
    return connection.client.host if connection.client else "nowhere"


@lru_cache(MAX_CACHED)
def network_of(address: str) -> str:
    """Return the address or network that counts as one visitor."""
    return _prefix(address, NETWORK)


def place_of(connection: HTTPConnection) -> str:
    """Return the IPv4 address or IPv6 network that a request comes from."""
    return network_of(address_of(connection))


def shortened(address: str) -> str:
    """Return the address's prefix: enough for people to recognise their own network, but too short
    to identify a household."""
    return _prefix(address, SHOWN)


def _prefix(address: str, bits: dict[int, int]) -> str:
    try:
        found = ip_address(address)
    except ValueError:  # a proxy may forward something that is not an address
        return address[:40]
    mapped = getattr(found, "ipv4_mapped", None)
    found = mapped or found
    network = ip_network(f"{found}/{bits[found.version]}", strict=False)
    return str(found) if network.prefixlen == found.max_prefixlen else str(network)


def trusted_proxies() -> str:
    """Return the addresses whose X-Forwarded headers are trusted, in uvicorn's format."""
    return os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")


class ConnectionCounter:
    """Counts open connections per address; those of proxies are not counted."""

    def __init__(self, most: int = MAX_SOCKETS, *, any_is_proxy: bool = True) -> None:
        self.most = most
        self._proxies = _TrustedHosts(trusted_proxies())
        if self._proxies.always_trust and not any_is_proxy:
            self._proxies = _TrustedHosts([])
        self._open: Counter[str] = Counter()
        self._known: dict[str, bool] = {}
        """Whether an address is a proxy, for addresses seen recently."""

    def full(self) -> Problem:
        """Return the problem for an address that has reached its maximum."""
        headers = {"Retry-After": "10"}
        most = self.most
        return Problem(Fault.RATE_LIMITED, "too-many-connections", headers=headers, most=most)

    def is_proxy(self, address: str) -> bool:
        known = self._known.get(address)
        if known is None:
            if len(self._known) >= MAX_CACHED:
                self._known.clear()
            known = self._known[address] = address in self._proxies
        return known

    def enter(self, address: str) -> bool:
        """Count a new connection; return False if the address has reached its maximum."""
        if self.is_proxy(address):
            return True
        place = network_of(address)
        if self._open[place] >= self.most:
            return False
        self._open[place] += 1
        return True

    def leave(self, address: str) -> None:
        place = network_of(address)
        if place in self._open:
            self._open[place] -= 1
            if self._open[place] <= 0:
                del self._open[place]


# ---- rate limits --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rate:
    """A rate limit: a burst, and a refill per minute."""

    at_once: int
    a_minute: int


@dataclass(frozen=True)
class Rates:
    """All rate limits."""

    sign_in: Rate = Rate(10, 10)
    """For each account."""
    sign_in_from: Rate = Rate(100, 100)
    """For each address, across all accounts."""
    new_account: Rate = Rate(1_000, 600)
    """For each address: a whole room may share one."""
    wagers: Rate = Rate(40, 600)
    """For each account."""
    commands: Rate = Rate(40, 120)
    """For each account: every other request that changes something."""
    reports: Rate = Rate(5, 5)
    """For each account: reports of dealing errors."""
    figures: Rate = Rate(60, 240)
    """For each address: figures that are computed on demand."""
    contributions: Rate = Rate(20, 40)
    """For each account: a commitment and its secret count separately."""
    contributions_from: Rate = Rate(300, 600)
    """For each address: commitments. A shoe takes 1,000, and one visitor must not use them up."""
    reads: Rate = Rate(6_000, 6_000)
    """For each account, or for each address without a session, in points."""
    reads_from: Rate = Rate(30_000, 30_000)
    """For each address, across all accounts, in points."""


class Limiter:
    """A token bucket per sender, all with the same rate."""

    def __init__(self, rate: Rate, clock: Clock, what: str) -> None:
        self._rate, self._clock, self._what = rate, clock, what
        self._left: OrderedDict[str, tuple[int, int]] = OrderedDict()
        """By sender: time of the last use, and what was left then (60,000 units per point)."""

    def use(self, sender: str, points: int = 1) -> None:
        """Deduct points from a sender's bucket, or raise a Problem if too few are left."""
        now, full = self._clock(), self._rate.at_once * 60_000
        at, left = self._left.pop(sender, (now, full))
        left = min(full, left + max(0, now - at) * self._rate.a_minute)
        cost = min(points * 60_000, full)  # a cost above the burst takes the whole burst
        if left < cost:
            self._left[sender] = (now, left)
            wait = -((left - cost) // (self._rate.a_minute * 1000))
            headers, what = {"Retry-After": str(wait)}, self._what
            raise Problem(
                Fault.RATE_LIMITED, "rate-limited", headers=headers, what=what, seconds=wait
            )
        self._left[sender] = (now, left - cost)
        if len(self._left) > MAX_SENDERS:
            self._left.popitem(last=False)


# ---- the middleware -----------------------------------------------------------------------------


class Guard:
    """The ASGI middleware around the application."""

    def __init__(self, app: ASGIApp, doors: ConnectionCounter | None = None) -> None:
        self._app = app
        self._doors = doors or ConnectionCounter(any_is_proxy=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        scope["headers"] = plain(scope["headers"])
        answer = self._http if scope["type"] == "http" else self._websocket
        await answer(scope, receive, send)

    @contextlib.contextmanager
    def _counted(self, scope: Scope) -> Iterator[None]:
        """Count an open request or WebSocket of a client address; raise a Problem if there are too
        many.

        Behind a proxy, the client address is the forwarded one. Without a proxy, `Connection`
        counts the connection as well.
        """
        address = scope["client"][0] if scope.get("client") else ""
        if not self._doors.enter(address):
            raise self._doors.full()
        try:
            yield
        finally:
            self._doors.leave(address)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status, begun = time.perf_counter(), 500, False
        state = scope.setdefault("state", {})
        body = _Body(receive)

        async def sending(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                cookies = [state[name] for name in ("cookie", "device") if name in state]
                add_headers(message, scope, cookies)
            elif status == STATUS[Fault.TOO_LARGE] and not message.get("more_body"):
                await send({**message, "more_body": True})
                await _discard_rest(receive)
                message = {"type": message["type"]}
            await send(message)

        try:
            with self._counted(scope):
                _check(scope)
                await self._app(scope, body.receive, sending)
        except asyncio.CancelledError as error:
            if begun:
                raise
            task = asyncio.current_task()
            if task is None or not task.cancelling():  # cancelled by a bug, not by the server
                await response_to(error, scope)(scope, receive, sending)
                return
            problem = stopping(scope, nothing_done=body.is_awaited)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0):  # do not wait for a client that does not read
                    await response_to(problem, scope)(scope, receive, sending)
            raise
        except Exception as error:
            if begun:  # part of the response is sent: it can only be cut off
                raise
            await response_to(error, scope)(scope, receive, sending)
        finally:
            log_request(scope, status, started)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, begun = time.perf_counter(), False
        scope.setdefault("state", {})

        async def sending(message: Message) -> None:
            nonlocal begun
            if not begun:
                if message["type"] == "websocket.close":  # how the framework reports a 404
                    missing = HTTPException(HTTPStatus.NOT_FOUND)
                    await response_to(missing, scope)(scope, receive, sending)
                    return
                begun = True
                if message["type"] == "websocket.http.response.start":
                    add_headers(message, scope)
                log_request(scope, message.get("status", HTTPStatus.SWITCHING_PROTOCOLS), started)
            await send(message)

        try:
            with self._counted(scope):
                if not is_own_origin(scope):
                    raise _foreign()
                await self._app(scope, receive, sending)
            if not begun:
                raise RuntimeError(f"{scope['path']} did not answer a WebSocket")
        except Exception as error:
            if begun:
                raise
            await response_to(error, scope)(scope, receive, sending)


def log_request(scope: Scope, status: int, started: float) -> None:
    """Log a request, or a bet on a socket, that began at `started`."""
    if not log.isEnabledFor(logging.INFO):
        return
    # The record is made here, because `log.info` would search the stack for its caller.
    record = logging.LogRecord(log.name, logging.INFO, __file__, 0, "request", (), None)
    vars(record).update(
        method=scope.get("method", "GET"),
        path=scope["path"],
        status=int(status),
        ms=round((time.perf_counter() - started) * 1000),
        account=scope["state"].get("account"),
    )
    log.handle(record)


def add_headers(message: Message, scope: Scope, cookies: Sequence[str] = ()) -> None:
    """Add the headers that every response has."""
    headers = message["headers"] = list(message.get("headers", ()))
    present = {name.lower() for name, _ in headers}
    headers += [header for header in _ENCODED if header[0] not in present]
    if message.get("status") == HTTPStatus.NO_CONTENT:
        headers[:] = [header for header in headers if header[0].lower() != b"content-type"]
    if scope["scheme"] in SECURE:
        headers.append(_HSTS)
    if b"set-cookie" not in present:
        headers += [(b"set-cookie", cookie.encode("latin-1")) for cookie in cookies]


def _check(scope: Scope) -> None:
    length = Headers(scope=scope).get("content-length", "0")
    if not length.isdecimal() or len(length) > 12 or int(length) > LARGEST_BODY:
        raise _too_large()
    if scope["method"] not in SAFE and not is_own_origin(scope):
        raise _foreign()


def _foreign() -> Problem:
    words = "This was sent by a page of another site. Use the pages of this site."
    return Problem(Fault.FOREIGN_ORIGIN, words)


def is_own_origin(scope: Scope) -> bool:
    """Return whether a request comes from one of our pages, or not from a browser at all."""
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
    """A request body, limited in size while it is received: its Content-Length may be too low."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._taken, self._whole = receive, 0, False
        self.is_awaited = False
        """Whether the application is waiting for the body or for the rest of it."""

    async def receive(self) -> Message:
        self.is_awaited = not self._whole
        message = await self._receive()
        self._taken += len(message.get("body", b""))
        if self._taken > LARGEST_BODY:
            raise _too_large()
        self._whole = self._whole or not message.get("more_body", False)
        self.is_awaited = not self._whole
        return message


async def _discard_rest(receive: Receive) -> None:
    """Receive and discard the rest of a body."""
    left, more = MAX_DISCARDED, True
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DISCARD_SECONDS):
            while more and left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                more = message.get("more_body", False)


def _too_large() -> Problem:
    return Problem(Fault.TOO_LARGE, f"The body is too large. Send at most {LARGEST_BODY:,} bytes.")


def plain(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return a request's headers with at most one Cookie header, without quoted values."""
    kept, cookies = [], b""
    for name, value in headers:
        if name == b"cookie":
            cookies += b";" + value
        else:
            kept.append((name, value))
    parts = [
        part
        for part in cookies.split(b";", MAX_COOKIES + 1)[1 : MAX_COOKIES + 1]
        if not _is_quoted(part)
    ]
    return [*kept, (b"cookie", b";".join(parts))] if parts else kept


def _is_quoted(part: bytes) -> bool:
    text = part.decode("latin-1")  # decode and strip like the framework
    return text[text.find("=") + 1 :].strip().startswith('"')
