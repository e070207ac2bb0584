"""The socket of a table: frames of all that comes after a number, for as long as it is open.

A client that was cut off comes back with the number of the last entry it has seen; one that was
away for too long is sent to the table's snapshot. A socket that is not read is closed when one
message has waited too long; until then it holds one message and its number. The one rule: nothing
is told that is not in the journal, and nobody is told what is another player's.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from baccarat.house.desk import table_stream
from baccarat.house.roles import MAY, Account, Action
from baccarat.service.telling import Reader
from baccarat.store.engine import StoreError
from baccarat.table.refusals import Refused
from baccarat.web.problems import Fault, Problem, response_to
from baccarat.web.sessions import End, Watch
from baccarat.web.site import API, Site, cost_of, site_of

PATIENCE = 20.0
"""Seconds that a message may wait for a client to take it."""
MOST_SOCKETS = 20
"""For each account."""
SOCKET = 5
"""Points that it costs to open one (`Site.charge`); what it has missed costs more."""
FURTHEST = 5_000
"""Entries that a player can be behind and still be told all of them."""
REFUSED, SLOW, LOST, OLD = 1008, 1013, 4001, 4002
"""Close codes: the session is over, come back later, with a new snapshot, or with a new cookie."""

routes = APIRouter(prefix=API)
log = logging.getLogger(__name__)


@routes.websocket("/tables/{table}/events")
async def events(
    socket: WebSocket, table: str, after: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> None:
    """Follow a table."""
    try:
        await _let_in(site_of(socket), socket, table, after)
    except StoreError as error:
        log.warning("a socket was not served", extra={"table": table, "why": str(error)})
        if socket.application_state is WebSocketState.CONNECTING:
            await socket.send_denial_response(response_to(error))
        else:
            await _close(socket, SLOW, "the store cannot be read now")
    except (Problem, Refused) as error:
        await socket.send_denial_response(response_to(error))


async def not_understood(socket: WebSocket, error: Exception) -> None:
    """A socket is asked for in a form that cannot be."""
    await socket.send_denial_response(response_to(error))


async def _let_in(site: Site, socket: WebSocket, table: str, after: int) -> None:
    session, account = await site.let_in(socket)
    socket.scope["state"]["account"] = account.id
    site.plan(table)
    if site.sockets.get(account.id, 0) >= MOST_SOCKETS:
        words = f"{MOST_SOCKETS} sockets of this account are open: close one first"
        raise Problem(Fault.RATE_LIMITED, words)
    site.charge(socket, SOCKET)
    with _seated(site, table, account), site.sessions.watched(session) as watch:
        await _serve(site, socket, Reader.of(account), table, after, watch)


@contextlib.contextmanager
def _seated(site: Site, table: str, account: Account) -> Iterator[None]:
    """A player who follows a table sits there; the staff stands."""
    if Action.WAGER not in MAY[account.role]:
        yield
        return
    seats = site.seated.setdefault(table, Counter())
    seats[account.id] += 1
    try:
        yield
    finally:
        seats[account.id] -= 1
        seats += Counter()  # whoever has no socket left is gone


async def _serve(
    site: Site, socket: WebSocket, reader: Reader, table: str, after: int, watch: Watch
) -> None:
    account = reader.account
    site.sockets[account] = site.sockets.get(account, 0) + 1
    site.metrics.sockets.inc()
    try:
        await socket.accept()
        behind = await _behind(site, reader, table, after)
        if behind is None:
            await _close(socket, LOST, "take the table's snapshot again")
            return
        try:
            site.charge(socket, cost_of(behind))
        except Problem as error:
            await _close(socket, SLOW, str(error)[:120])
            return
        frames = site.service.feed.follow(table, reader, after)
        tasks = [
            asyncio.create_task(_tell(socket, frames)),
            asyncio.create_task(_until_it_leaves(socket)),
            asyncio.create_task(_until_it_is_over(watch)),
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
        match watch.why:
            case End.OVER:
                await _close(socket, REFUSED, Fault.NOT_SIGNED_IN)
            case End.OLD:
                await _close(socket, OLD, "come back with the newest cookie")
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


async def _behind(site: Site, reader: Reader, table: str, after: int) -> int | None:
    """How many entries came after this one; None when it is not of the journal, or too far back."""
    head = await site.service.world.keeper.read(lambda store: store.head(table_stream(table)))
    nearest = 0 if reader.sees_all else head.sequence - FURTHEST
    return head.sequence - after if nearest <= after <= head.sequence else None


async def _tell(socket: WebSocket, frames: AsyncGenerator[str, None]) -> None:
    async with contextlib.aclosing(frames):
        async for text in frames:
            try:
                async with asyncio.timeout(PATIENCE):
                    await socket.send_text(text)
            except RuntimeError:  # uvicorn has closed it meanwhile: no text came, or no answer
                return


async def _until_it_leaves(socket: WebSocket) -> None:
    """Clients have nothing to say here; what they send is read and forgotten."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _until_it_is_over(watch: Watch) -> None:
    """The session has been signed out of in another window, or ended in another way."""
    await watch.over.wait()


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state is not WebSocketState.DISCONNECTED:
        with contextlib.suppress(TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
            async with asyncio.timeout(1):
                await socket.close(code, reason)
