"""A server: one process that drives tables and answers, from its start to the end of its drain.

SIGTERM or Ctrl-C drains it: no new rounds, those under way end, then it stops; a second one stops
it at once, and whoever starts next finishes the rounds. The one rule: nothing is lost either way.
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
from baccarat.house.passwords import hash_password
from baccarat.house.roles import Account, Role
from baccarat.service.bell import bell_of
from baccarat.service.components import components, watch
from baccarat.service.running import Service
from baccarat.service.shares import others_up
from baccarat.service.world import GroupKeeper, World, collect_rarely, new_holder, system_clock
from baccarat.store.sqlstore import SqlStore
from baccarat.store.vault import Vault
from baccarat.web.app import application
from baccarat.web.connections import LONGEST_HEADERS, Connection, Following
from baccarat.web.doors import MOST_SOCKETS, Doors, trusted_proxies

log = logging.getLogger(__name__)
PIT = "pit"
"""The first account of the staff; with a second of the pit it opens the others."""
HIGHEST_PORT = 65_535
LAST_WORDS = 3
"""Seconds that open connections have when the server stops."""


class _Server(uvicorn.Server):
    """uvicorn, which drains when it is told to stop."""

    def __init__(self, config: uvicorn.Config, drain: Callable[[], None]) -> None:
        super().__init__(config)
        self._drain, self._told = drain, False
        self._loop = asyncio.get_running_loop()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self._told:
            self.should_exit = True
        self._told = True
        self._loop.call_soon_threadsafe(self._drain)


def listening_at(host: str, port: int) -> socket.socket:
    """A socket there, or a sentence that says why not."""
    if not 0 <= port <= HIGHEST_PORT:
        raise BaccaratError(
            f"{port} is no port: they go from 1 to {HIGHEST_PORT}, and 0 is any that is free"
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Of this protocol by name: asyncio's own loop then sends each answer without waiting for more.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(2048)
    except OSError as error:
        made.close()
        reason = error.strerror or str(error)
        raise BaccaratError(
            f"cannot listen at {host} port {port}: {reason}; choose another --port or --host "
            "(make serve PORT=8001)"
        ) from None
    return made


def addresses(host: str, port: int) -> str:
    """Where a browser finds what listens there: on every address, from here and from elsewhere."""

    def address(name: str) -> str:
        return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

    if host not in ("0.0.0.0", "::"):  # noqa: S104  (asked, not bound)
        return address(host)
    return f"{address('127.0.0.1')}, and for other devices {address(_own_address())}"


def _own_address() -> str:
    """This machine's in its network, or its name. Nothing is sent: a route is only looked up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
            return str(asked.getsockname()[0])
        except OSError:
            return socket.gethostname()


def configured(app: FastAPI) -> uvicorn.Config:
    """An application as it is served."""
    doors = {"doors": Doors(app.state.sockets)}
    return uvicorn.Config(
        app,
        http=type("Connection", (Connection,), doors),
        forwarded_allow_ips=trusted_proxies(),
        h11_max_incomplete_event_size=LONGEST_HEADERS,
        log_config=None,
        access_log=False,
        server_header=False,
        ws=Following,
        ws_max_size=4096,
        ws_per_message_deflate=False,  # it would cost memory and time for each socket
        timeout_graceful_shutdown=LAST_WORDS,
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
    sockets: int = MOST_SOCKETS,
    operations_token: str | None = None,
) -> None:
    """Serve a house until drained. The key is asked for with whether others have it already."""
    with closing(SqlStore.open(store)) as kept, GroupKeeper(kept) as keeper:
        servers = await keeper.read(lambda store: store.servers())
        secret = key(bool(others_up(servers, system_clock())))
        vault = Vault(secret)
        holder = new_holder(vault)
        world = World(keeper, vault, system_clock, SystemRandom(), holder)
        service = Service(house, world)
        await service.open()
        log.info("started", extra={"server": holder})
        if service.sealed_off:
            warn(
                f"the key does not open the shoe at {', '.join(service.sealed_off)}: it was sealed "
                "under another key, and the table stands still; start with that key, or see "
                "'The key is lost' in docs/operating.md"
            )
        if pit_password is not None:
            await _open_pit(service, pit_password)
        app = application(
            service, secret=secret, sockets=sockets, operations_token=operations_token
        )
        server = _Server(configured(app), service.drain)
        watching = asyncio.create_task(watch(service, components()))
        collect_rarely()
        with bell_of(store, service.feed.ring):
            await _run(service, server, at, announce)
        watching.cancel()
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
    else:  # told twice: whoever starts next finishes the rounds
        driving.cancel()
        await asyncio.wait({driving})
    serving.result()


async def _open_pit(service: Service, password: str) -> None:
    """The pit's account, unless there is one, with an initial password, which its owner changes."""
    known = await service.world.keeper.read(lambda store: store.person(PIT))
    if known is None:
        account, hashed = Account(PIT, Role.PIT, "The pit"), hash_password(password)
        job = jobs.open_account(account, system_clock, password=hashed, by=OPERATOR, given=True)
        await service.do(job)
