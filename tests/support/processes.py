"""Server processes for tests: `baccarat serve`, a load test, and the audit afterwards."""

import asyncio
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from baccarat.auditor import Report, audit, read_store
from baccarat.loadtest import clients
from baccarat.service.event_loop import run_loop

TOKEN = "the token of those who watch"  # noqa: S105
WATCHING = {"Authorization": f"Bearer {TOKEN}"}
"""Headers with the operations token."""
TAKEN = re.compile(r'^baccarat_wagers_total{outcome="taken"} (\d+)', re.M)
HOUSE = """
format = 1
name = "The quick house"
play_money = "1000"

[[table]]
id = "one"
name = "One"
card = "punto-banco"
betting = "1.2"
card_pace = "0.02"
pause = "0.05"

[[table]]
id = "two"
name = "Two"
card = "fortune-six"
source = "shuffler"
betting = "1.2"
card_pace = "0.02"
pause = "0.05"
minimum = "5"
maximum = "1000"

[[table.bet]]
id = "player-pair"
maximum = "200"

[[table.bet]]
id = "banker-pair"
maximum = "200"

[[table.bet]]
id = "fortune-six"
maximum = "100"
"""


def free_port() -> int:
    """Return a port that a killed server can use again: below the system's ephemeral range, so that
    no other process is given it in between."""
    for port in random.sample(range(20_000, 30_000), 100):
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
    raise AssertionError("a hundred ports are taken")


class Servers:
    """The servers that a test starts, in a folder with a house file; all are stopped at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "log"
        self.running: list[Server] = []
        (folder / "house.toml").write_text(HOUSE, encoding="utf-8")

    def start(self, port: int = 0, *more: str, **env: str) -> "Server":
        one = Server(self, port, more, env)
        self.running.append(one)
        return one

    def close(self) -> None:
        for one in list(self.running):
            one.stop(signal.SIGKILL)

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")


class Server:
    """One `baccarat serve` that has printed its address."""

    def __init__(self, servers: Servers, port: int, more: tuple[str, ...], env: dict) -> None:
        self.servers, house = servers, servers.folder / "house.toml"
        command = ["serve", "--house", str(house), "--port", str(port), *more]
        paths = os.pathsep.join(str(Path(path).resolve()) for path in sys.path)
        with servers.log.open("a", encoding="utf-8") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "baccarat", *command],
                cwd=servers.folder,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={
                    **os.environ,
                    "PYTHONPATH": paths,
                    "BACCARAT_OPERATIONS_TOKEN": TOKEN,
                    **env,
                },
            )
        self.announced = self.process.stdout.readline()
        found = re.search(r"http://\S+", self.announced)
        assert found, f"the server did not start: {servers.said()[-500:]}"
        self.address = found[0]

    def taken(self) -> int:
        """Return the number of wagers acknowledged since the start."""
        found = TAKEN.search(
            httpx.get(f"{self.address}/metrics", headers=WATCHING, timeout=30).text
        )
        return int(found[1]) if found else 0

    def driving(self) -> list[str]:
        return httpx.get(f"{self.address}/ready", headers=WATCHING, timeout=30).json()["driving"]

    def stop(self, number: signal.Signals) -> int:
        self.servers.running.remove(self)
        self.process.send_signal(number)
        self.process.stdout.close()
        return self.process.wait(timeout=120)


class LoadTest:
    """A load test in the background, and its report at the end."""

    def __init__(self, plan: clients.Plan) -> None:
        self.plan, self.report = plan, clients.Report()
        self._over = threading.Event()
        self.thread = threading.Thread(target=lambda: run_loop(self._run()))
        self.thread.start()

    async def _run(self) -> None:
        going = asyncio.Event()
        watching = asyncio.create_task(self._watch(going))
        self.report = await clients.run(self.plan, going)
        await watching

    async def _watch(self, going: asyncio.Event) -> None:
        await asyncio.to_thread(self._over.wait)
        going.set()

    def end(self) -> None:
        """Stop betting; clients wait for their rounds and check their balances."""
        self._over.set()
        self.thread.join()

    def until(self, server: "Server", wagers: int) -> None:
        """Wait until a server has acknowledged this many more wagers."""
        enough = server.taken() + wagers
        while server.taken() < enough:
            assert self.thread.is_alive(), "the crowd stopped before the test ended it"
            time.sleep(0.02)


@contextmanager
def load_test_at(address: str, *, players: int = 8) -> Iterator[LoadTest]:
    """Run a load test during the `with` block."""
    evening = LoadTest(clients.Plan(address, players=players, misbehaviour=0.3, seed=1))
    try:
        yield evening
    finally:
        evening.end()


def check_nothing_lost(store: str, *crowds: LoadTest) -> Report:
    """Check that the audit finds every coin, and the clients' records every wager."""
    report = audit(read_store(store))
    assert report.findings == []
    assert report.rounds > 0
    for evening in crowds:
        assert evening.report.faults == []
        assert evening.report.acknowledged > 0
    return report
