"""The server process: drives tables and answers requests from start-up until it has drained.

SIGTERM or Ctrl-C drains it: no new rounds start, rounds under way are finished, and then it stops.
A second signal stops it at once, and the next server to start finishes the rounds. Nothing is lost
either way.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import closing
from random import SystemRandom
from types import FrameType

import uvicorn
from fastapi import FastAPI

from baccarat.core.errors import BaccaratError
from baccarat.house import jobs
from baccarat.house.events import OPERATOR
from baccarat.house.housefile import House
from baccarat.house.people.passwords import hash_password
from baccarat.house.people.roles import Account, Role
from baccarat.service.balancing import others_up
from baccarat.service.checksum import components, watch
from baccarat.service.environment import Environment, new_holder
from baccarat.service.service import Service
from baccarat.store.notifications import listener
from baccarat.store.sqlstore import SqlStore, ThreadedStore, collect_rarely, system_clock
from baccarat.store.vault import Vault
from baccarat.web.pages.catalogue import compute_ahead
from baccarat.web.server.app import application
from baccarat.web.server.connections import Connection
from baccarat.web.server.guard import MAX_SOCKETS, ConnectionCounter, trusted_proxies
from baccarat.web.server.websocket import LimitedWebSocket

log = logging.getLogger(__name__)
PIT = "pit"
"""Id of the first staff account; together with a second pit account it opens the others."""
HIGHEST_PORT = 65_535
SHUTDOWN_SECONDS = 3
"""Seconds that open connections get to finish when the server stops."""


class _Server(uvicorn.Server):
    """A uvicorn server that drains on the first signal and exits on the second."""

    def __init__(self, config: uvicorn.Config, drain: Callable[[], None]) -> None:
        super().__init__(config)
        self._drain, self._signalled = drain, False
        self._loop = asyncio.get_running_loop()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self._signalled:
            self.should_exit = True
        self._signalled = True
        self._loop.call_soon_threadsafe(self._drain)


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket listening at this address, or raise an error that explains why not."""
    if not 0 <= port <= HIGHEST_PORT:
        raise BaccaratError(
            f"{port} is not a port: use 1 to {HIGHEST_PORT}, or 0 for any free port"
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY, which avoids delayed responses, only if the protocol is given.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(2048)
    except OSError as error:
        made.close()
        reason = error.strerror or str(error)
        raise BaccaratError(
            f"cannot listen on {host} port {port}: {reason}; choose another --port or --host "
            "(make serve PORT=8001)"
        ) from None
    return made


def addresses(host: str, port: int) -> str:
    """Return the URLs for a browser; for a wildcard host, one local URL and one for the network."""

    def address(name: str) -> str:
        return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

    if host not in ("0.0.0.0", "::"):  # noqa: S104  (compared, not bound)
        return address(host)
    return f"{address('127.0.0.1')}, and for other devices {address(_own_address())}"


def _own_address() -> str:
    """Return this machine's network address, or its name.

    Nothing is sent: connecting a UDP socket only looks up a route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
            return str(asked.getsockname()[0])
        except OSError:
            return socket.gethostname()


def configured(app: FastAPI) -> uvicorn.Config:
    """Return the uvicorn configuration for an application."""
    doors = {"doors": ConnectionCounter(app.state.sockets)}
    return uvicorn.Config(
        app,
        http=type("Connection", (Connection,), doors),
        forwarded_allow_ips=trusted_proxies(),
        log_config=None,
        access_log=False,
        server_header=False,
        ws=LimitedWebSocket,
        ws_max_size=16 * 1024,  # a bet on every spot is much shorter
        ws_per_message_deflate=False,  # saves memory and time for each socket
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


async def serve(
    house: House,
    *,
    store: str,
    key: Callable[[bool], bytes],
    at: socket.socket,
    announce: Callable[[str], None],
    warn: Callable[[str], None],
    pit_password: str | None = None,
    sockets: int = MAX_SOCKETS,
    operations_token: str | None = None,
    webhook_secret: str = "",
) -> None:
    """Serve a house until drained.

    `key` returns the house's key; its argument is True if other servers are running and have a key
    already.
    """
    with closing(SqlStore.open(store)) as kept, ThreadedStore(kept) as keeper:
        servers = await keeper.read(SqlStore.servers)
        secret = key(bool(others_up(servers, system_clock())))
        vault = Vault(secret)
        holder = new_holder(vault)
        environment = Environment(
            keeper, vault, system_clock, SystemRandom(), holder, webhook_secret
        )
        service = Service(house, environment)
        await service.open()
        log.info("started", extra={"server": holder})
        if service.sealed_off:
            warn(
                f"the key does not decrypt the shoe at {', '.join(service.sealed_off)}, which was "
                "encrypted with another key; the table is stopped. Start with that key, or see "
                "'The key is lost' in docs/guides/operating.md"
            )
        if pit_password is not None:
            await _open_pit(service, pit_password)
        app = application(
            service, secret=secret, sockets=sockets, operations_token=operations_token
        )
        app.state.site.pool.warm_up()
        server = _Server(configured(app), service.drain)
        beside = [
            asyncio.create_task(watch(service, components())),
            asyncio.create_task(compute_ahead(app.state.site.pool)),
        ]
        collect_rarely()
        with listener(store, service.feed.notify):
            await _run(service, server, at, announce)
        for task in beside:
            task.cancel()
        log.info("stopped", extra={"server": holder})


async def _run(
    service: Service, server: _Server, at: socket.socket, announce: Callable[[str], None]
) -> None:
    driving = asyncio.create_task(service.run())
    serving = asyncio.create_task(server.serve(sockets=[at]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    announce(addresses(*at.getsockname()[:2]))
    await asyncio.wait({driving, serving}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await asyncio.wait({serving})
    if driving.done():
        driving.result()
    else:  # second signal: the next server to start finishes the rounds
        driving.cancel()
        await asyncio.wait({driving})
    serving.result()


async def _open_pit(service: Service, password: str) -> None:
    """Open the pit's account if there is none, with an initial password that must be changed."""
    known = await service.environment.keeper.read(SqlStore.person, PIT)
    if known is None:
        account, hashed = Account(PIT, Role.PIT, "The pit"), hash_password(password)
        job = jobs.open_account(account, system_clock, password=hashed, by=OPERATOR, given=True)
        await service.do(job)
