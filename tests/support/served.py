"""A real server on a loopback port for tests: the service, uvicorn, a store in a file."""

import asyncio
import contextlib
import random
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import httpx
import uvicorn

from baccarat.house import jobs
from baccarat.house.events import OPERATOR
from baccarat.house.housefile import House
from baccarat.house.people.passwords import hash_password
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Done
from baccarat.house.table_plans import TablePlan
from baccarat.service.environment import Environment
from baccarat.service.event_loop import run_loop
from baccarat.service.service import Service
from baccarat.shoe.commitment import Source
from baccarat.store.sqlstore import SqlStore, ThreadedStore, system_clock
from baccarat.store.vault import Vault
from baccarat.table.journal import table_stream
from baccarat.table.settings import Clock
from baccarat.web.compute.pool import Pool, Worker
from baccarat.web.server import site as sites
from baccarat.web.server.app import ROUTERS, application, rule_of
from baccarat.web.server.guard import Rate, Rates
from baccarat.web.server.problems import STATUS
from baccarat.web.server.process import configured, listening_at
from support import promised
from support.live import settings_for
from support.running import run_house

OPEN = Clock(betting=3_600_000, card=10, pause=10)
FAST = Clock(betting=300, card=5, pause=20)
SLOW_SHOE = Clock(betting=100, card=5, pause=20, contribute=3_600_000, reveal=10)
HOUSE = House(
    "The house",
    "GBP",
    100_000,
    (
        TablePlan("open", "Open", settings_for(clock=OPEN), guests=True, shoe="the-shoe"),
        TablePlan("fast", "Fast", settings_for(clock=FAST), guests=True),
        TablePlan("members", "Members", settings_for(clock=OPEN), guests=False),
        TablePlan("new", "New", settings_for(clock=SLOW_SHOE), guests=True),
    ),
)
PASSWORD = "correct horse"  # noqa: S105
TOKEN = "the token of those who watch"  # noqa: S105
WATCHING = {"Authorization": f"Bearer {TOKEN}"}
"""Headers with the operations token."""
MANY = Rate(100_000, 100_000)
GENEROUS = replace(
    Rates(MANY, MANY, MANY, MANY, MANY),
    contributions=MANY,
    contributions_from=MANY,
    reads=MANY,
    reads_from=MANY,
)
STATUS_OF = {str(one): status for one, status in STATUS.items()}
"""The HTTP status of every problem, by its code."""
ENDPOINTS = [
    (method, route.path, rule_of(route).rule)
    for router in ROUTERS
    for route in router.routes
    for method in sorted(route.methods)
]
"""Method, path and who may use it, for every endpoint."""


@dataclass
class Ahead:
    """The system's clock plus `by` milliseconds, so that tests need not wait."""

    by: int = 0

    def __call__(self) -> int:
        return system_clock() + self.by


class ReusingPool(Pool):
    """A pool whose idle workers are passed on to the next server: starting one takes a second."""

    _spare: ClassVar[list[Worker]] = []

    def __init__(self) -> None:
        super().__init__()
        while self._spare and len(self._idle) < self._size:
            self._idle.append(self._spare.pop())
        self._workers.update(self._idle)

    def close(self) -> None:
        self._spare.extend(self._idle)
        self._workers.difference_update(self._idle)
        self._idle.clear()
        super().close()

    @classmethod
    def end_spare_workers(cls) -> None:
        """End spare workers, so that new ones get the current environment."""
        while cls._spare:
            worker = cls._spare.pop()
            worker.end()
            worker.close()


sites.Pool = ReusingPool


class Client(httpx.Client):
    """A client that may be used before its `with` block, and checks its answers."""

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Served:
    """A running server: its address, store and service."""

    address: str
    service: Service
    store: SqlStore
    server: uvicorn.Server

    def is_writing(self) -> bool:
        """Return whether events are still being written after their answer was sent."""
        return bool(self.server.config.app.state.site.visitors.pending)

    def client(self, **headers: str) -> httpx.Client:
        hooks = {"response": [promised.check]}
        return Client(base_url=self.address, headers=headers, timeout=60, event_hooks=hooks)

    def guest(self) -> httpx.Client:
        client = self.client()
        return signed(client, client.post("/api/guests"))

    def player(self, name: str, coins: int = 0, **more: str) -> httpx.Client:
        """Open the account of a player old enough for every card, and pay money in."""
        client = self.client()
        grown = {"born": "1990-05-05", **more}
        body = {"id": name, "name": name.title(), "password": PASSWORD, **grown}
        signed(client, client.post("/api/accounts", json=body))
        if coins:
            self.pay(name, coins)
        return client

    def pay(self, name: str, coins: int, way: str = "in") -> None:
        """Pay a player's money in or out: by the cashier and, above the house's limit, the pit."""
        for role in ("cashier", "pit"):
            with self.staff(role) as client:
                key = {"Idempotency-Key": secrets.token_hex(8)}
                path = f"/api/accounts/{name}/pay-{way}"
                answer = client.post(path, json={"amount": coins}, headers=key)
                assert answer.status_code == 200, answer.text
                if not answer.json()["waits_for_second"]:
                    return
        raise AssertionError("it still waits for a second person")

    def staff(self, role: str) -> httpx.Client:
        client = self.client()
        body = {"account": f"the-{role}", "password": PASSWORD}
        return signed(client, client.post("/api/session", json=body))

    def colleague(self, name: str, role: Role = Role.PIT) -> httpx.Client:
        """Open another staff account as the operator, and sign in to it."""
        account = Account(name, role, name.title())
        hashed = hash_password(PASSWORD)
        job = jobs.open_account(account, system_clock, password=hashed, by=OPERATOR)
        (done,) = SqlStore(self.store.engine).commit([job])  # as another process would
        assert isinstance(done, Done), done
        client = self.client()
        return signed(
            client, client.post("/api/session", json={"account": name, "password": PASSWORD})
        )


@contextlib.contextmanager
def closing_clients(house: Served) -> Iterator[None]:
    """Close every client of a server at the end of a `with` block."""
    opened: list[httpx.Client] = []

    def remembering(make: Callable[..., httpx.Client]) -> Callable[..., httpx.Client]:
        def made(*given, **named) -> httpx.Client:
            opened.append(make(*given, **named))
            return opened[-1]

        return made

    for name in ("client", "guest", "staff"):
        setattr(house, name, remembering(getattr(house, name)))
    try:
        yield
    finally:
        for client in opened:
            client.close()


def signed(client: httpx.Client, answer: httpx.Response) -> httpx.Client:
    assert answer.status_code in (200, 201), answer.text
    client.headers["X-CSRF-Token"] = answer.json()["csrf_token"]
    return client


@contextlib.contextmanager
def served(
    folder: Path,
    *,
    rates: Rates | None = None,
    address: str | None = None,
    house: House = HOUSE,
    port: int = 0,
    clock: Callable[[], int] = system_clock,
) -> Iterator[Served]:
    store = SqlStore.open(address or f"sqlite:///{folder}/house.db")
    started, found = threading.Event(), []

    def serve() -> None:
        run_loop(_serve(store, rates, house, port, clock, started, found))

    thread = threading.Thread(target=serve, daemon=True)
    with contextlib.closing(store):
        thread.start()
        started.wait(60)
        assert found, "the server did not start"
        _wait_until_dealing(store, house)
        try:
            yield found[0]
        finally:
            found[0].server.should_exit = True
            thread.join()


def _wait_until_dealing(store: SqlStore, house: House) -> None:
    """Wait until tables without contributions take bets."""
    waits = [plan for plan in house.tables if not plan.settings.clock.contribute]
    names = [table_stream(p.id) for p in waits if p.settings.source is not Source.CARDS]
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        states = [store.state(name) for name in names]
        if all(state is not None and state.round.number for state in states):
            return
        time.sleep(0.02)


async def _serve(store, rates, house, port, clock, started: threading.Event, found: list) -> None:
    holder = f"server-{secrets.token_hex(4)}"
    with ThreadedStore(store) as keeper:
        environment = Environment(keeper, Vault(bytes(32)), clock, random.Random(1), holder)
        service = Service(house, environment)
        hashed = hash_password(PASSWORD)
        for role in Role:
            account = Account(f"the-{role}", role, f"The {role}")
            await keeper.commit(jobs.open_account(account, clock, password=hashed))
        every = rates or GENEROUS
        app = application(service, secret=bytes(32), rates=every, operations_token=TOKEN)
        server = uvicorn.Server(configured(app))
        with listening_at("127.0.0.1", port) as at:
            there = at.getsockname()[1]
            async with run_house(service):
                task = asyncio.create_task(server.serve(sockets=[at]))
                while not server.started:
                    await asyncio.sleep(0.01)
                found.append(Served(f"http://127.0.0.1:{there}", service, store, server))
                started.set()
                await task


def code(answer: httpx.Response) -> str:
    """Return the code of a problem, after checking its whole document."""
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["status"] == answer.status_code == STATUS_OF[document["code"]]
    assert document["detail"]
    assert "Traceback" not in answer.text
    return document["code"]


def until(happened) -> None:
    """Wait until a condition is true, with a timeout."""
    deadline = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def play_rounds(client, rounds: int) -> list[dict]:
    """Wager on this many rounds of the fast table, and wait until all are settled."""
    placed: set[int] = set()
    for _ in range(2000):
        table = client.get("/api/tables/fast").json()
        if len(placed) < rounds and table["phase"] == "open" and table["round"] not in placed:
            body = {
                "round": table["round"],
                "wagers": [{"bet": "player", "stake": 500}, {"bet": "player-pair", "stake": 500}],
            }
            key = {"Idempotency-Key": f"round {table['round']}"}
            if client.put("/api/tables/fast/wagers", json=body, headers=key).status_code == 200:
                placed.add(table["round"])
        mine = client.get("/api/me/rounds", params={"limit": 500}).json()["rounds"]
        if len(mine) >= rounds:
            return mine
        time.sleep(0.02)
    raise AssertionError("the rounds were not settled")
