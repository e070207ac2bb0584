"""Measure a server over the network: bets, events to many sockets, memory, several servers.

python benchmarks/network.py            all parts
python benchmarks/network.py bets       one part only: bets, events or servers

The CPU time is that of the server process, from `/proc`; clients run in this process.
"""

import asyncio
import itertools
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter, sleep, time
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect

from baccarat.loadtest.clients import percentile
from baccarat.service.event_loop import run_loop
from service import (
    HOUSE,
    memory_of,
    seconds_of,
    serving,
    wagers_alone,
)
from support.stores import new_database, postgresql  # type: ignore[import-not-found]

PLAYERS, SENT, TURNS = 100, 6, 3
"""Number of guests, of bets that each sends in a turn, and of turns."""
SOCKETS = [int(count) for count in os.environ.get("SOCKETS", "500,1000").split(",")]
SECONDS = 10
OPEN = HOUSE.replace('betting = "10"', 'betting = "600"')
DEALING = HOUSE.replace('betting = "10"', 'betting = "1"').replace('"0.5"', '"0.4"')
BARE = Path(__file__).parent / "bare_sockets.py"


class Guest:
    """A player with one HTTP connection and one socket."""

    def __init__(self, address: str, cookie: str, token: str) -> None:
        self.host, self.cookie, self.token = address.removeprefix("http://"), cookie, token
        self.keys = itertools.count()
        self.head = (
            f"PUT /api/tables/one/wagers HTTP/1.1\r\nHost: {self.host}\r\nCookie: {cookie}\r\n"
            f"X-CSRF-Token: {token}\r\nContent-Type: application/json\r\n"
        )

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(*self.host.split(":"))

    async def follow(self, after: int) -> None:
        path = f"ws://{self.host}/api/tables/one/events?after={after}"
        self.socket: ClientConnection = await connect(
            path, additional_headers={"Cookie": self.cookie}, compression=None
        )

    async def send(self, number: int) -> None:
        for _ in range(SENT):
            key = next(self.keys)
            body = f'{{"round":{number},"wagers":[{{"bet":"player","stake":{500 + 500 * key}}}]}}'
            rest = f"Idempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            self.writer.write((self.head + rest).encode())
            answer = await self.reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in answer[:20], answer
            found = re.search(rb"content-length: (\d+)", answer)
            assert found
            await self.reader.readexactly(int(found[1]))

    async def send_on_socket(self, number: int) -> None:
        for _ in range(SENT):
            key = next(self.keys)
            await self.socket.send(
                f'{{"key":"{key}","csrf_token":"{self.token}","round":{number},'
                f'"wagers":[{{"bet":"player","stake":{500 + 500 * key}}}]}}'
            )
            while not (answer := str(await self.socket.recv())).startswith('{"key"'):
                pass
            assert '"status":200' in answer, answer


async def arrive(address: str, count: int) -> list[Guest]:
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        guests = []
        for _ in range(count):
            http.cookies.clear()
            found = (await http.post("/api/guests")).raise_for_status()
            cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
            guests.append(Guest(address, cookie, found.json()["csrf_token"]))
    return guests


async def table(address: str) -> dict[str, int]:
    """Return the open table."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        while (found := (await http.get("/api/tables/one")).json())["phase"] != "open":
            await asyncio.sleep(0.1)
    return dict(found)


# ---- bets ------------------------------------------------------------------------------------


def bets() -> dict[str, float]:
    """Compare bets over HTTP and over sockets with the same bets without a network."""

    async def main(pid: int, address: str) -> dict[str, list[float]]:
        guests = await arrive(address, PLAYERS)
        found = await table(address)
        await asyncio.gather(*(guest.open() for guest in guests))
        used: dict[str, list[float]] = {"HTTP": [], "a socket": []}
        ways: dict[str, Callable[[Guest, int], Coroutine[Any, Any, None]]] = {
            "HTTP": Guest.send,
            "a socket": Guest.send_on_socket,
        }
        for _ in range(TURNS):
            for name, way in ways.items():
                if name == "a socket":
                    after = (await table(address))["sequence"]
                    await asyncio.gather(*(guest.follow(after) for guest in guests))
                before = seconds_of(pid)
                await asyncio.gather(*(way(guest, found["round"]) for guest in guests))
                used[name].append((seconds_of(pid) - before) / PLAYERS / SENT)
                if name == "a socket":
                    await asyncio.gather(*(guest.socket.close() for guest in guests))
        return used

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), OPEN) as (pid, address):
        used = run_loop(main(pid, address))
    alone = wagers_alone()
    print(f"bets: {alone * 1e3:.3f} ms of CPU time without a network")
    for name, times in used.items():
        spent = median(times)
        print(f"bets: {spent * 1e3:.3f} ms over {name}, {spent / alone:.1f} × without a network")
    return {
        f"CPU time of a bet over {name}, relative to one without a network": median(times) / alone
        for name, times in used.items()
    }


# ---- events ----------------------------------------------------------------------------------


class Followed(NamedTuple):
    """What many sockets received: delays in ms, server memory, and the length of a message."""

    p50: float
    p99: float
    kib: float
    length: int


class Follower(asyncio.Protocol):
    """A socket client that only notes when each message arrives."""

    def __init__(self, path: str, host: str, cookie: str, late: list[float]) -> None:
        self.late, self.opened, self.length = late, asyncio.Event(), 0
        self.handshake = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        transport.write(self.handshake)

    def data_received(self, data: bytes) -> None:
        self.opened.set()
        if found := re.search(rb'"at": ?(\d{13})', data):
            self.late.append(time() * 1000 - int(found[1]))
            self.length = len(data)


async def followed(pid: int, address: str, count: int, cookies: list[str], path: str) -> Followed:
    """Open sockets, and measure the messages that they receive."""
    host, late, followers = address.removeprefix("http://"), list[float](), list[Follower]()
    name, _, port = host.partition(":")
    before, loop = memory_of(pid), asyncio.get_running_loop()
    for n in range(count):
        follower = Follower(path, host, cookies[n % len(cookies)], late)
        await loop.create_connection(lambda made=follower: made, name, int(port))  # type: ignore[misc]
        followers.append(follower)
    await asyncio.gather(*(follower.opened.wait() for follower in followers))
    await asyncio.sleep(1)
    size = (memory_of(pid) - before) / count
    late.clear()
    await asyncio.sleep(SECONDS)
    length = int(median(follower.length for follower in followers))
    return Followed(percentile(late, 50), percentile(late, 99), size, length)


async def followed_table(pid: int, address: str, count: int) -> Followed:
    guests = await arrive(address, count // 20 + 1)
    path = f"/api/tables/one/events?after={(await table(address))['sequence']}"
    return await followed(pid, address, count, [guest.cookie for guest in guests], path)


def events(counts: Sequence[int] = SOCKETS) -> dict[str, float]:
    """Compare the delay of events with that of bare sockets, for growing numbers of sockets."""
    ratios = {}
    for count in counts:
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder), DEALING) as server:
            ours = run_loop(followed_table(*server, count))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, str(BARE), str(port), str(ours.length)]
        with subprocess.Popen(command) as process:
            sleep(3)
            address, path = f"http://127.0.0.1:{port}", "/api/tables/one/events"
            bare = run_loop(followed(process.pid, address, count, [""], path))
            process.kill()
        for name, one in (("a table", ours), ("bare sockets", bare)):
            print(f"events: {name}, {count} sockets, {one.length} bytes: ", end="")
            print(f"p50 {one.p50:.0f} ms, p99 {one.p99:.0f} ms, {one.kib:.0f} KiB a socket")
        ratio = ours.p99 / bare.p99
        print(f"events: p99 is {ratio:.2f} × that of bare sockets (target 1.3)")
        ratios[f"delay of an event to {count} sockets (p99), relative to bare sockets"] = ratio
    return ratios


# ---- several servers ---------------------------------------------------------------------------


def servers() -> dict[str, float]:
    """Compare the bets a second of two servers on one PostgreSQL database with those of one."""

    async def main(addresses: list[str]) -> float:
        guests = await arrive(addresses[0], PLAYERS)
        for guest, address in zip(guests, itertools.cycle(addresses), strict=False):
            guest.host = address.removeprefix("http://")
        number = (await table(addresses[0]))["round"]
        await asyncio.gather(*(guest.open() for guest in guests))
        began = perf_counter()
        for _ in range(TURNS):
            await asyncio.gather(*(guest.send(number) for guest in guests))
        return PLAYERS * SENT * TURNS / (perf_counter() - began)

    rates = {}
    with postgresql(through_to_disk=True) as database:
        for count in (1, 2):
            with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
                options = ("--store", new_database(database), "--key", f"{folder}/key")
                found = [
                    running.enter_context(serving(Path(folder), OPEN, *options))
                    for _ in range(count)
                ]
                before = [seconds_of(pid) for pid, _ in found]
                rates[count] = run_loop(main([address for _, address in found]))
                used = [seconds_of(pid) - was for (pid, _), was in zip(found, before, strict=True)]
            spent = ", ".join(f"{seconds:.2f} s" for seconds in used)
            print(f"servers: {count} on PostgreSQL, {rates[count]:.0f} bets/s, CPU time {spent}")
    return {"bets a second with one server, relative to two": rates[1] / rates[2]}


def main() -> None:
    parts = {"bets": bets, "events": events, "servers": servers}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
