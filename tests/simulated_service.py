"""The real service on simulated time: an event loop whose clock jumps to whatever is due next.

Two servers drive the tables of one store; every wait for the store may take long, fail before or
after the commit, or never be answered; servers are killed at any await. Nothing is awaited but the
loop's own timers, so everything follows from the seed.
"""

import asyncio
import contextlib
import json
import selectors
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from baccarat.house.housefile import House, TablePlan
from baccarat.house.ports import Done, Job, Result
from baccarat.service.running import Service
from baccarat.service.telling import Reader
from baccarat.service.world import Keeper, World
from baccarat.store.engine import StoreError
from baccarat.store.sqlstore import SqlStore
from simulated_house import PLAYERS, SETTINGS, TABLES, Lost, Server, SimulatedHouse

HOUSE = House(
    "The house",
    "GBP",
    None,
    tuple(TablePlan(table, table.title(), SETTINGS[table], guests=True) for table in TABLES),
)


class _Jumping(selectors.SelectSelector):
    """Nothing to wait for: the time that would be waited has passed at once."""

    now = 0.0

    def select(self, timeout=None):
        ready = super().select(0)
        if not ready and timeout:
            self.now += timeout
        return ready


class SimulatedLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.jumping = _Jumping()
        super().__init__(self.jumping)

    def time(self) -> float:
        return self.jumping.now


def on_simulated_time(main: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        return runner.run(main)


class FaultyKeeper(Keeper):
    """A store that takes its time, and fails where the house's random numbers say so."""

    def __init__(self, house: "ServicedHouse", server: Server) -> None:
        self.house, self.server = house, server

    async def commit(self, *given: Job) -> list[Result]:
        await self.house.dawdle()
        results = self.house.commit(self.server, given)
        await self.house.dawdle()
        return results

    async def read(self, ask):
        await self.house.dawdle()
        if self.house.faults and self.house.random.random() < 0.03:
            raise StoreError("the store cannot be read now: try again")
        found = ask(self.server.store)
        await self.house.dawdle()
        return found


@dataclass
class Running:
    """One server process."""

    server: Server
    service: Service
    task: asyncio.Task[None]
    seen: dict[str, list[int]] = field(default_factory=dict)


class ServicedHouse(SimulatedHouse):
    """A simulated house whose tables are driven by the real service."""

    def __init__(self, seed: int) -> None:
        self.running: list[Running] = []
        self.seen: dict[str, list[int]] = {table: [] for table in TABLES}
        super().__init__(seed)

    def clock(self) -> int:
        return 1_000_000 + round(asyncio.get_running_loop().time() * 1000)

    async def dawdle(self) -> None:
        await asyncio.sleep(self.random.choice([0, 0, 0.005, 0.02, 0.3 if self.faults else 0]))

    def start(self) -> None:
        server = self.new_server()
        world = World(FaultyKeeper(self, server), self.vault, self.clock, self.random, server.name)
        service = Service(HOUSE, world)

        async def main() -> None:
            while True:
                with contextlib.suppress(Lost, StoreError):
                    await service.open()
                    break
            await service.run()

        self.running.append(Running(server, service, asyncio.create_task(main())))

    async def kill(self, one: Running) -> None:
        """Nothing of it goes on from wherever it stands."""
        self.running.remove(one)
        one.task.cancel()
        await asyncio.wait([one.task])

    async def evening(self, steps: int) -> None:
        """Servers run and are killed, players wager through any of them, a reader follows."""
        self.start()
        self.start()
        readers = [asyncio.create_task(self.read_along(table)) for table in TABLES]
        for _ in range(steps):
            await asyncio.sleep(self.random.choice([0.05, 0.3, 0.7]))
            one = self.random.choice(self.running)
            match self.random.choice(["wager"] * 5 + ["again"] * 2 + ["crash"]):
                case "wager":
                    self.wager(one.server)
                case "again" if self.unanswered:
                    self.send(one.server, self.random.choice(list(self.unanswered.values())))
                case "crash" if self.random.random() < 0.3:
                    await self.kill(one)
                    self.start()
        self.faults = False
        for sent in list(self.unanswered.values()):
            self.send(self.running[0].server, sent)
        for one in self.running:
            one.service.drain()
        # A table whose server was killed waits for the end of that lease: drained servers leave
        # it, and the next one that is started finishes its round.
        await asyncio.wait([one.task for one in self.running])
        self.running.clear()
        self.start()
        await asyncio.sleep(30)
        last = self.running[0]
        last.service.drain()
        await last.task
        await asyncio.sleep(5)
        for reader in readers:
            reader.cancel()
        await asyncio.wait(readers)

    async def read_along(self, table: str) -> None:
        """A reader who is now and then cut off, and resumes after what it has seen."""
        seen, everything = self.seen[table], Reader("auditor", sees_all=True)
        while True:
            one = self.random.choice(self.running)
            follow = one.service.feed.follow(table, everything, seen[-1] if seen else 0)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.random.choice([0.5, 5, 20])):
                    async for text in follow:
                        frame = json.loads(text)
                        assert frame["after"] == (seen[-1] if seen else 0)
                        seen += [event["sequence"] for event in frame["events"]]
            await follow.aclose()
            await asyncio.sleep(0.1)
            while not self.running:
                await asyncio.sleep(0.1)


def head_of(house: ServicedHouse, table: str) -> int:
    return SqlStore(house.engine).head(f"table:{table}").sequence


__all__ = ["PLAYERS", "TABLES", "Done", "ServicedHouse", "head_of", "on_simulated_time"]
