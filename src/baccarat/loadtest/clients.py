"""Load-test clients, which play on a running server over HTTP and WebSockets and check its
responses.

Each client signs in as a guest, follows a table, wagers on its rounds, and sometimes misbehaves: it
wagers too late, sends a request twice, or disconnects and reconnects. Requests without a response
are retried with the same idempotency key, so the server may be killed during the test. The ranges
of journal entries in the received frames prove that no event was missed. At the end the client
reconciles: every acknowledged wager must be among the received events and in its ledger, and every
ledger entry must belong to an acknowledged wager. Clients use only the public API.
"""

import asyncio
import json
import random
import ssl
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from baccarat.core.errors import BaccaratError
from baccarat.shoe import MAX_CARDS_IN_COUP

GRACE = 60.0
"""Seconds that clients wait before they give up, at the end of the test or while the server is
unavailable."""
AGAIN = 0.1
"""Seconds that a client waits before it tries again."""
REFUSING = 10.0
"""Seconds that a server may be unavailable after play has ended before clients give up."""
PAGE = 500


class _NotAnswered(Exception):
    """Raised when the server did not respond to a request in time; the fault has been recorded."""


_AWAY = (httpx.TransportError, OSError, WebSocketException, TimeoutError)


@dataclass(frozen=True)
class Plan:
    """The settings of a load test."""

    address: str
    players: int = 20
    tables: int = 0
    """Number of tables to use; 0 for all."""
    seconds: float = 10
    misbehaviour: float = 0.1
    """Probability that a client misbehaves, at each opportunity."""
    seed: int = 0


@dataclass
class Report:
    """The results of a load test."""

    acknowledged: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """Number of refused wagers by error code."""
    repeated: int = 0
    """Number of requests sent twice on purpose and recognised as repeats by the server."""
    resent: int = 0
    """Number of requests that were retried because there was no response."""
    reconnects: int = 0
    events: int = 0
    rounds: int = 0
    """Number of rounds settled or cancelled, counted once per client."""
    seconds: float = 0.0
    """Total seconds, including the time after play."""
    played: float = 0.0
    """Seconds during which clients wagered."""
    waiting: int = 0
    """Number of clients that have not finished yet."""
    wager_ms: list[float] = field(default_factory=list)
    event_ms: list[float] = field(default_factory=list)
    """Milliseconds from each event to its arrival, including any difference between the machines'
    clocks."""
    faults: list[str] = field(default_factory=list)
    """Errors found: lost or duplicated wagers, lost events, missing coins."""


def percentile(values: Sequence[float], part: int) -> float:
    """Return a percentile: the value that `part` per cent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * part // 100)] if ordered else 0.0


def _seconds(begin: int, end: int) -> float:
    """Return the seconds between two timestamps in milliseconds; 0 if `end` is 0, as it is where a
    dealer closes betting."""
    return max(0, end - begin) / 1000


async def run(
    plan: Plan, until: asyncio.Event | None = None, watch: Callable[[Report], None] | None = None
) -> Report:
    """Run a load test for the planned time or until the event is set, and return the report.

    Raise BaccaratError if no server responds. `watch` is called with the report so far every
    second.
    """
    shared, rng = _Shared(plan, until), random.Random(plan.seed)  # noqa: S311  (not for dealing)
    tables = await shared.tables()
    clients = [
        _Client(shared, tables[n % len(tables)], random.Random(rng.random()))  # noqa: S311
        for n in range(plan.players)
    ]
    started = time.monotonic()
    beside = [
        asyncio.create_task(_show(shared.report, started, watch or (lambda _: None))),
        asyncio.create_task(shared.give_up()),
    ]
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(client.run())
    for task in beside:
        task.cancel()
    shared.report.seconds = time.monotonic() - started
    return shared.report


async def _show(report: Report, started: float, watch: Callable[[Report], None]) -> None:
    while True:
        await asyncio.sleep(1)
        report.seconds = time.monotonic() - started
        watch(report)


@dataclass
class _Shared:
    """State that all clients share."""

    plan: Plan
    until: asyncio.Event | None
    report: Report = field(default_factory=Report)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when clients should no longer wait for the server."""
    trust: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    """TLS settings of all connections; created once, because that takes longer than a request."""

    def http(self, timeout: float = 10) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.plan.address, timeout=timeout, verify=self.trust)

    async def end_of_play(self) -> None:
        await (self.until.wait() if self.until else asyncio.sleep(self.plan.seconds))

    async def give_up(self) -> None:
        """Stop all waiting if the server is unavailable for too long after play has ended."""
        await self.end_of_play()
        worked = time.monotonic()
        async with self.http(timeout=2) as http:
            while time.monotonic() - worked < REFUSING:
                with suppress(*_AWAY):
                    if (await http.get("/ready")).status_code < 500:
                        worked = time.monotonic()
                await asyncio.sleep(AGAIN * 5)
        self.gone.set()

    async def tables(self) -> list[str]:
        """Return the tables where guests may play, or raise BaccaratError if there are too few."""
        plan = self.plan
        try:
            async with self.http() as http:
                listed = (await http.get("/api/tables")).raise_for_status().json()
                found = [table["id"] for table in listed["tables"] if table["guests"]]
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError) as error:
            raise BaccaratError(
                f"no server responds at {plan.address}: check the address, or start a server with "
                f"baccarat serve ({error})"
            ) from error
        if not found or plan.tables > len(found):
            raise BaccaratError(
                f"only {len(found)} tables of this house admit guests, not {plan.tables}: "
                f"{', '.join(found)}"
                if found
                else "no table of this house admits guests: set guests = true for a table"
            )
        return found[: plan.tables or None]


@dataclass
class _Client:
    """A guest with its own connections, because searching a shared pool slows down requests."""

    shared: _Shared
    table: str
    rng: random.Random
    account: str = ""
    wagers_sent: int = 0
    seen: int = 0
    """Number of the last journal entry received."""
    received: set[int] = field(default_factory=set)
    """Numbers of the received journal entries that are the client's own wagers."""
    closed: dict[int, int] = field(default_factory=dict)
    """For each round, the number of the entry that closed betting."""
    ended: set[int] = field(default_factory=set)
    placed: dict[int, tuple[int, int]] = field(default_factory=dict)
    """For each acknowledged set of wagers, by entry number: its round and stake."""
    bets: list[dict[str, Any]] = field(default_factory=list)
    offer: dict[str, Any] | None = None
    """The table's standing offer, which is accepted with every bet that needs an agreement."""
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    over: bool = False
    socket: ClientConnection | None = None

    def __post_init__(self) -> None:
        self.plan, self.report, self.http = self.shared.plan, self.shared.report, self.shared.http()

    async def run(self) -> None:
        self.report.waiting += 1
        async with self.http:
            await self._answered(self._session())
        self.report.waiting -= 1

    async def _session(self) -> None:
        try:
            found = (await self._send("POST", "/api/guests")).raise_for_status().json()
        except (_NotAnswered, httpx.HTTPStatusError):
            self._fault("could not sign in as a guest")
            return
        self.account = found["account"]
        self.http.headers["X-CSRF-Token"] = found["csrf_token"]
        found = (await self._send("GET", f"/api/tables/{self.table}")).json()
        self.offer = found["layout"]["offer"]
        self.bets = [bet for group in found["layout"]["groups"] for bet in group["bets"]]
        self.seen = found["sequence"]
        following, began = asyncio.create_task(self._follow()), time.monotonic()
        left, clock = _seconds(found["now"], found["closes_at"]), found["clock"]
        until_next = left + (MAX_CARDS_IN_COUP * clock["card"] + clock["pause"]) / 1000
        if found["phase"] == "open" and self.plan.seconds < until_next:
            # The client will have left before the next round.
            self._start(self._play(found["round"], left))
        await self.shared.end_of_play()
        self.over = True
        self.report.played = max(self.report.played, time.monotonic() - began)
        await asyncio.gather(*self.tasks)
        await self._until_settled()
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
        await self._reconcile()

    # ---- following ---------------------------------------------------------------------------

    async def _follow(self) -> None:
        address = self.plan.address.replace("http", "ws", 1)
        while True:
            cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
            with suppress(*_AWAY):
                async with connect(
                    f"{address}/api/tables/{self.table}/events?after={self.seen}",
                    additional_headers={"Cookie": cookie},
                    max_size=None,
                    close_timeout=1,
                ) as self.socket:
                    async for message in self.socket:
                        self._receive(json.loads(message))
            self.report.reconnects += 1
            await asyncio.sleep(AGAIN)

    def _receive(self, frame: dict[str, Any]) -> None:
        if frame["after"] != self.seen:
            self._fault(f"received the events after entry {frame['after']}, not {self.seen}")
        now = time.time() * 1000
        for event in frame["events"]:
            if not self.seen < event["sequence"] <= frame["through"]:
                self._fault(f"received entry {event['sequence']} after entry {self.seen}")
            self.seen = event["sequence"]
            self.report.events += 1
            self.report.event_ms.append(max(0.0, now - event["at"]))
            self._happened(event["type"], event)
        self.seen = frame["through"]

    def _happened(self, kind: str, value: dict[str, Any]) -> None:
        about = [value, *value.get("results", ())]
        if any(part.get("player", self.account) != self.account for part in about):
            self._fault(f"received another player's data in entry {self.seen}")
        match kind:
            case "RoundOpened" if not self.over:
                window = _seconds(value["at"], value["closes_at"])
                self._start(self._play(value["round"], window))
            case "WagersPlaced":
                self.received.add(self.seen)
            case "BettingClosed":
                self.closed[value["round"]] = self.seen
                if not self.over and self._misbehaves():
                    self._start(self._wager(value["round"]))  # too late, so it must be refused
            case "RoundSettled" | "RoundCancelled":
                self.ended.add(value["round"])

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._answered(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _answered(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine until it ends or a request gets no response."""
        with suppress(_NotAnswered):
            await work

    def _misbehaves(self) -> bool:
        return self.rng.random() < self.plan.misbehaviour

    # ---- playing -----------------------------------------------------------------------------

    async def _play(self, number: int, window: float) -> None:
        """Wager at a random time in the window; then perhaps disconnect, or wager again."""
        await asyncio.sleep(self.rng.random() * min(window * 0.8, self.plan.seconds))
        await self._wager(number)
        if self._misbehaves() and self.socket is not None:
            await self.socket.close()
        if self.rng.random() < 0.3:
            await self._wager(number)

    async def _wager(self, number: int) -> None:
        self.wagers_sent += 1
        bet = self.rng.choice(self.bets)
        wagers = [{"bet": bet["id"], "stake": bet["minimum"]}] if self.rng.random() < 0.9 else []
        body = {"round": number, "wagers": wagers}
        if bet["needs_agreement"] and self.offer:
            body["accept"] = self.offer["values"]
        key = {"Idempotency-Key": f"{time.time_ns() // 1_000_000:x}-{self.wagers_sent}"}
        path, started = f"/api/tables/{self.table}/wagers", time.monotonic()
        answer = await self._send("PUT", path, json=body, headers=key)
        self.report.wager_ms.append((time.monotonic() - started) * 1000)
        if not answer.is_success:
            self.report.refused[answer.json()["code"]] += 1
            return
        self.report.acknowledged += 1
        self._note(number, answer.json())
        if self._misbehaves():
            again = await self._send("PUT", path, json=body, headers=key)
            if again.is_success and again.json()["repeated"]:
                self.report.repeated += 1
            elif again.status_code != 429:
                self._fault(f"repeated request {self.wagers_sent} got a different response")

    def _note(self, number: int, answer: dict[str, Any]) -> None:
        for entry, event in enumerate(answer["events"], start=answer["first"]):
            if event["type"] != "WagersPlaced":
                continue
            stake = sum(wager["stake"] for wager in event["wagers"])
            self.placed[entry] = (number, stake)
            if entry > self.closed.get(number, entry):
                self._fault(f"a bet on round {number} was accepted after betting closed")

    async def _send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Return the response to a request, with retries; record a fault if none comes in time."""
        until = time.monotonic() + GRACE
        while self._waits(until):
            with suppress(*_AWAY):
                answer = await self.http.request(method, path, **more)
                if answer.status_code < 500:
                    return answer
            self.report.resent += 1
            await asyncio.sleep(AGAIN)
        refusing = f"the server is unavailable: no response to {method} {path}"
        waited = f"no response to {method} {path} within {GRACE:.0f} s"
        self._fault(refusing if self.shared.gone.is_set() else waited)
        raise _NotAnswered

    def _waits(self, until: float) -> bool:
        return time.monotonic() < until and not self.shared.gone.is_set()

    # ---- reconciling -------------------------------------------------------------------------

    async def _until_settled(self) -> None:
        until = time.monotonic() + GRACE
        waiting = {number for number, _ in self.placed.values()}
        while waiting - self.ended and self._waits(until):
            await asyncio.sleep(AGAIN)
        for number in sorted(waiting - self.ended):
            self._fault(f"round {number} did not end")

    async def _reconcile(self) -> None:
        bookings = await self._all("/api/me/ledger", "bookings")
        rounds = await self._all("/api/me/rounds", "rounds")
        balance = (await self._send("GET", "/api/me/balance")).json()["real"]
        house = await self._send("GET", "/api/me/ledger", params={"stream": "house"})
        for entry in sorted(self.received ^ self.placed.keys()):
            lost = "was accepted, but its event did not arrive"
            why = lost if entry in self.placed else "was not accepted, but its event arrived"
            self._fault(f"the bet in entry {entry} {why}")
        stakes = {each["sequence"]: -each["amount"] for each in bookings if each["kind"] == "stake"}
        staked: dict[int, int] = {}
        moves: dict[int, int] = {}
        for entry, (number, stake) in sorted(self.placed.items()):
            moves[entry] = stake - staked.get(number, 0)  # same stake: no coins move
            staked[number] = stake
        for entry in sorted(stakes.keys() | moves.keys()):
            booked, meant = stakes.get(entry, 0), moves.get(entry, 0)
            if booked != meant:
                self._fault(f"the bet in entry {entry} moved {booked} coins, not {meant}")
        expected = Counter(number for number, stake in staked.items() if stake)
        settled = Counter(settled["round"] for settled in rounds)
        self.report.rounds += len(settled)
        for number in sorted((expected - settled) + (settled - expected)):
            times, due = settled[number], expected[number]
            self._fault(f"round {number} was settled {times} times, not {due}")
        booked = sum(booking["amount"] for booking in (*house.json()["bookings"], *bookings))
        if balance != booked:
            self._fault(f"the balance is {balance}, but the ledger adds up to {booked}")

    async def _all(self, path: str, name: str) -> list[dict[str, Any]]:
        """Return the client's own records at the table, following pagination."""
        found: list[dict[str, Any]] = []
        params: dict[str, Any] = {"stream": f"table:{self.table}", "limit": PAGE}
        while True:
            part = (await self._send("GET", path, params=params)).json()[name]
            found += part
            if len(part) < PAGE:
                return found
            params["before"] = part[-1]["sequence"]

    def _fault(self, words: str) -> None:
        self.report.faults.append(f"{self.account or 'a guest'} at {self.table}: {words}")
