"""The socket of a table: every event after a number, once and in order, for as long as it is open.

A client that was cut off comes back with the number of the last entry it has seen. A socket that is
not read is closed when one message has waited too long; until then it holds one message and its
number. The one rule: nothing is told that is not in the journal.
"""

import asyncio
import contextlib
import logging
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from baccarat.house.desk import table_stream
from baccarat.service.feed import Feed
from baccarat.table.refusals import Code
from baccarat.web.problems import Fault
from baccarat.web.site import API, Site, site_of

PATIENCE = 20.0
"""Seconds that a message may wait for a client to take it."""
MOST_SOCKETS = 20
"""For each account."""
REFUSED, SLOW = 1008, 1013
"""Close codes: against the rules, and come back later."""

routes = APIRouter(prefix=API)
log = logging.getLogger(__name__)


@routes.websocket("/tables/{table}/events")
async def events(
    socket: WebSocket, table: str, after: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> None:
    """Follow a table."""
    site = site_of(socket)
    session = site.session_of(socket)
    account = await site.account(session.account) if session else None
    if account is None:
        await socket.close(REFUSED, Fault.NOT_SIGNED_IN)
    elif table not in site.service.plans:
        await socket.close(REFUSED, Code.NO_SUCH_TABLE)
    elif site.sockets.get(account.id, 0) >= MOST_SOCKETS:
        await socket.close(REFUSED, Fault.RATE_LIMITED)
    else:
        await _serve(site, socket, account.id, table, after)


async def _serve(site: Site, socket: WebSocket, account: str, table: str, after: int) -> None:
    site.sockets[account] = site.sockets.get(account, 0) + 1
    site.metrics.sockets.inc()
    try:
        await socket.accept()
        tasks = [
            asyncio.create_task(_tell(site.service.feed, socket, table, after)),
            asyncio.create_task(_until_it_leaves(socket)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end
    except TimeoutError:
        log.info("a socket was not read", extra={"table": table, "account": account})
        await _close(socket, SLOW, "the events were not read")
    except WebSocketDisconnect:
        pass
    finally:
        site.metrics.sockets.dec()
        site.sockets[account] -= 1
        if not site.sockets[account]:
            del site.sockets[account]


async def _tell(feed: Feed, socket: WebSocket, table: str, after: int) -> None:
    async with contextlib.aclosing(feed.follow(table_stream(table), after)) as following:
        async for batch in following:
            for told in batch:
                async with asyncio.timeout(PATIENCE):
                    await socket.send_text(told.text)


async def _until_it_leaves(socket: WebSocket) -> None:
    """Clients have nothing to say here; what they send is read and forgotten."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
            async with asyncio.timeout(1):
                await socket.close(code, reason)
