"""The WebSocket of a table: sends frames with every event after a journal entry, and takes bets.

A client that lost its connection reconnects with the number of the last entry it has seen; one that
was away for too long must fetch the table's snapshot. If a client does not read, its socket is
closed once a message has waited too long; until then, the server keeps only that message for it.
Only what is in the journal is sent, and never what is private to another player.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from baccarat.house.people.roles import MAY, Account, Action
from baccarat.service.feed import ReaderPosition
from baccarat.service.visibility import Reader
from baccarat.store.engine import StoreError
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import table_stream
from baccarat.table.refusals import Refused
from baccarat.web.api.bets import answer_bet
from baccarat.web.identity.visitors import End, Watch
from baccarat.web.server.problems import Fault, Problem, response_to
from baccarat.web.server.site import API, Site, site_of
from baccarat.web.server.websocket import LimitedWebSocket

PATIENCE = 20.0
"""Seconds that a message may wait for a client to read it."""
MAX_SOCKETS = 20
"""Maximum open sockets per account."""
SOCKET = 5
"""Cost of opening a socket, in points (`Site.charge`), not including the events it has missed."""
FURTHEST = 5_000
"""Maximum missed journal entries that are sent to a client; beyond that, it must fetch a
snapshot."""
REFUSED, SLOW, LOST, OLD, NOT_A_BET = 1008, 1013, 4001, 4002, 4003
"""Close codes: session over, reconnect later, fetch a new snapshot, get a new cookie, and invalid
message."""

routes = APIRouter(prefix=API)
log = logging.getLogger(__name__)


@routes.websocket("/tables/{table}/events")
async def events(
    socket: WebSocket, table: str, after: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> None:
    """Send a table's events until the client disconnects."""
    try:
        await _admit(site_of(socket), socket, table, after)
    except StoreError as error:
        log.warning("socket not served", extra={"table": table, "why": str(error)})
        if socket.application_state is WebSocketState.CONNECTING:
            await socket.send_denial_response(response_to(error, socket.scope))
        else:
            await _close(socket, SLOW, "store unavailable")
    except (Problem, Refused) as error:
        await socket.send_denial_response(response_to(error, socket.scope))


async def not_understood(socket: WebSocket, error: Exception) -> None:
    """Refuse a socket whose parameters are invalid."""
    try:
        site_of(socket).charge(socket, SOCKET)
    except Problem as limited:
        error = limited
    await socket.send_denial_response(response_to(error, socket.scope))


async def _admit(site: Site, socket: WebSocket, table: str, after: int) -> None:
    site.charge(socket, SOCKET)  # charged even if it is refused below
    session, account = await site.visitors.authenticate(socket)
    socket.scope["state"]["account"] = account.id
    site.plan(table)
    if site.sockets[account.id] >= MAX_SOCKETS:
        raise Problem(Fault.RATE_LIMITED, "too-many-sockets", most=MAX_SOCKETS)
    watched = site.visitors.sessions.watched(session, socket.scope["state"]["socket"].wake)
    with _counted(site, table, account), watched as watch:
        await _serve(site, socket, Reader.of(account), table, after, watch)


@contextlib.contextmanager
def _counted(site: Site, table: str, account: Account) -> Iterator[None]:
    """Count a socket while it is open. Players with an open socket count as seated; staff do
    not."""
    counts = [site.sockets]
    if Action.WAGER in MAY[account.role]:
        counts.append(site.seated.setdefault(table, Counter()))
    for count in counts:
        count[account.id] += 1
    site.metrics.sockets.inc()
    try:
        yield
    finally:
        site.metrics.sockets.dec()
        for count in counts:
            count[account.id] -= 1
            if not count[account.id]:
                del count[account.id]


async def _serve(
    site: Site, socket: WebSocket, reader: Reader, table: str, after: int, watch: Watch
) -> None:
    outlet = socket.scope["state"]["socket"]
    try:
        await socket.accept()
        behind = await _entries_behind(site, reader, table, after)
        if behind is None:
            await _close(socket, LOST, "get a new snapshot of the table")
            return
        try:
            site.charge_entries(socket, behind)
        except Problem as error:
            await _close(socket, SLOW, str(error)[:120])
            return
        with site.service.feed.reading(table, reader, after, outlet) as place:
            await _converse(site, socket, table, place, watch)
        if watch.why is End.OVER:
            await _close(socket, REFUSED, Fault.NOT_SIGNED_IN)
        elif watch.why is End.OLD:
            await _close(socket, OLD, "reconnect with the newest cookie")
    except TimeoutError:
        log.info("socket client does not read", extra={"table": table, "account": reader.account})
        await _close(socket, SLOW, "events were not read")
    except WebSocketDisconnect:
        pass


async def _converse(
    site: Site, socket: WebSocket, table: str, place: ReaderPosition, watch: Watch
) -> None:
    """Send what the client has missed and answer its bets, until it disconnects or its session
    ends. New frames are pushed to it meanwhile."""
    outlet = socket.scope["state"]["socket"]
    while watch.why is None:
        if place.is_behind:
            async with contextlib.aclosing(site.service.feed.missed(table, place)) as frames:
                async for text in frames:
                    if watch.why is not None or not await _send(outlet, text):
                        return
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        sent = message.get("text") or message.get("bytes")
        if sent is not None and watch.why is None:
            try:
                answer = await answer_bet(site, socket, watch.session, table, sent)
            except ValueError:
                await _close(socket, NOT_A_BET, "the message is not a bet")
                return
            await _send(outlet, answer)


async def _send(outlet: LimitedWebSocket, text: bytes) -> bool:
    """Send a message once the client reads; return False if the connection is closing."""
    async with asyncio.timeout(PATIENCE):
        await outlet.writable.wait()
    if outlet.is_open:
        outlet.push(text)
    return outlet.is_open


async def _entries_behind(site: Site, reader: Reader, table: str, after: int) -> int | None:
    """Return the number of journal entries after this one, or None if this one is unknown or too
    old."""
    head = await site.read(SqlStore.head, table_stream(table))
    nearest = 0 if reader.sees_all else head.sequence - FURTHEST
    return head.sequence - after if nearest <= after <= head.sequence else None


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state is not WebSocketState.DISCONNECTED:
        with contextlib.suppress(TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
            async with asyncio.timeout(1):
                await socket.close(code, reason)
