"""A crowd: real clients of a running server, over HTTP and WebSockets, that check what they hear.

Each client comes in as a guest, follows a table, wagers on its rounds, and at times misbehaves:
wagers too late, sends twice, hangs up and comes back. What is not answered is sent again under the
same key until it is, so a server may be killed meanwhile. The ranges of the frames it is told prove
that it missed nothing. At the end every acknowledged wager is looked for among what it was told and
in its own ledger, and every booking among what was acknowledged. The one rule: a client knows only
what the API tells it.
"""

import asyncio
import json
import random
import ssl
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from baccarat.core.errors import BaccaratError
from baccarat.shoe.progress import MOST_IN_A_COUP

GRACE = 60.0
"""Seconds that clients wait, at the end or for a server that is away, before they give up."""
AGAIN = 0.1
"""Seconds from one attempt to the next."""
REFUSING = 10.0
"""Seconds that a server may refuse to work, once they have played, before they go home."""
PAGE = 500
_AWAY = (httpx.TransportError, OSError, WebSocketException, TimeoutError)


@dataclass(frozen=True)
class Plan:
    """What a crowd does."""

    address: str
    players: int = 20
    tables: int = 0
    """So many of the house's tables; 0 for all."""
    seconds: float = 10
    misbehaviour: float = 0.1
    """The share of rounds in which a client does what it should not."""
    seed: int = 0


@dataclass
class Report:
    """What came of it."""

    acknowledged: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """By code."""
    repeated: int = 0
    """Answers to what had been sent twice."""
    resent: int = 0
    """Requests that were not answered and sent again."""
    reconnects: int = 0
    events: int = 0
    rounds: int = 0
    """Of single clients, settled or cancelled."""
    seconds: float = 0.0
    """In all, with what came after the play."""
    played: float = 0.0
    """Seconds in which they wagered."""
    waiting: int = 0
    """Clients that have not gone home yet."""
    wager_ms: list[float] = field(default_factory=list)
    event_ms: list[float] = field(default_factory=list)
    """From the time in an event to its arrival; the clocks of both machines are in it."""
    faults: list[str] = field(default_factory=list)
    """What must not be: lost or doubled wagers, lost events, coins that are not there."""


def percentile(values: Sequence[float], part: int) -> float:
    """The value that so many per cent do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * part // 100)] if ordered else 0.0


def _seconds(begin: int, end: int) -> float:
    """Seconds from one time to another, both in milliseconds; 0 where the dealer closes a round."""
    return max(0, end - begin) / 1000


async def run(
    plan: Plan,
    until: asyncio.Event | None = None,
    watch: Callable[[Report], None] | None = None,
) -> Report:
    """A crowd's evening, or until it is told to go; BaccaratError when no house answers there.

    `watch` is shown every second what has come of it so far.
    """
    report, rng = Report(), random.Random(plan.seed)  # noqa: S311  (play, not cards)
    gone, watch = asyncio.Event(), watch or (lambda _: None)
    trust = ssl.create_default_context()  # made once: it takes longer than a request
    tables = await _tables(plan, trust)
    clients = [
        _Client(
            plan,
            report,
            trust,
            tables[n % len(tables)],
            random.Random(rng.random()),  # noqa: S311
            until,
            gone,
        )
        for n in range(plan.players)
    ]
    started = time.monotonic()
    beside = [
        asyncio.create_task(_show(report, started, watch)),
        asyncio.create_task(_until_it_refuses(plan, trust, until, gone)),
    ]
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(client.come_and_go())
    for task in beside:
        task.cancel()
    report.seconds = time.monotonic() - started
    return report


async def _show(report: Report, started: float, watch: Callable[[Report], None]) -> None:
    while True:
        await asyncio.sleep(1)
        report.seconds = time.monotonic() - started
        watch(report)


async def _until_it_refuses(
    plan: Plan, trust: ssl.SSLContext, until: asyncio.Event | None, gone: asyncio.Event
) -> None:
    """Once they have played, there is nothing to wait for at a server that does not work."""
    await (until.wait() if until else asyncio.sleep(plan.seconds))
    worked = time.monotonic()
    async with httpx.AsyncClient(base_url=plan.address, timeout=2, verify=trust) as http:
        while time.monotonic() - worked < REFUSING:
            with suppress(*_AWAY):
                if (await http.get("/ready")).status_code < 500:
                    worked = time.monotonic()
            await asyncio.sleep(AGAIN * 5)
    gone.set()


async def _tables(plan: Plan, trust: ssl.SSLContext) -> list[str]:
    """The tables where guests may sit."""
    try:
        async with httpx.AsyncClient(base_url=plan.address, timeout=10, verify=trust) as http:
            listed = (await http.get("/api/tables")).raise_for_status().json()
            found = [one["id"] for one in listed["tables"] if one["guests"]]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError) as error:
        raise BaccaratError(
            f"no house answers at {plan.address}: start one with baccarat serve ({error})"
        ) from error
    if not found or plan.tables > len(found):
        raise BaccaratError(
            f"{plan.tables or 'all'} tables are asked for, and guests may sit at {len(found)} of "
            f"this house's: {', '.join(found) or 'let them sit at one (guests = true)'}"
        )
    return found[: plan.tables or None]


class _Client:
    """One guest, with connections of its own: a shared pool is searched at every request."""

    def __init__(
        self,
        plan: Plan,
        report: Report,
        trust: ssl.SSLContext,
        table: str,
        rng: random.Random,
        until: asyncio.Event | None,
        gone: asyncio.Event,
    ) -> None:
        self._plan, self._report, self._until, self._gone = plan, report, until, gone
        self._http = httpx.AsyncClient(base_url=plan.address, timeout=10, verify=trust)
        self._table, self._random = table, rng
        self._headers: dict[str, str] = {}
        self._account, self._number = "", 0
        self._seen = 0
        self._heard: set[int] = set()
        """Entries of its own wagers that it was told."""
        self._closed: dict[int, int] = {}
        """Round to the entry that closed it."""
        self._ended: set[int] = set()
        self._placed: dict[int, tuple[int, int]] = {}
        """Entry of every acknowledged set of wagers to its round and stake."""
        self._bets: list[dict[str, Any]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._over = False
        self._socket: ClientConnection | None = None

    async def come_and_go(self) -> None:
        self._report.waiting += 1
        async with self._http:
            await self._evening()
        self._report.waiting -= 1

    async def _evening(self) -> None:
        came_in = await self._send("POST", "/api/guests")
        if came_in is None or not came_in.is_success:
            self._fault("could not come in")
            return
        found = came_in.json()
        self._account = found["account"]
        self._headers = {"X-CSRF-Token": found["csrf_token"]}
        table = await self._send("GET", f"/api/tables/{self._table}")
        if table is None:
            return
        found = table.json()
        self._bets = [bet for group in found["layout"]["groups"] for bet in group["bets"]]
        self._seen = found["sequence"]
        following, began = asyncio.create_task(self._follow()), time.monotonic()
        left, clock = _seconds(found["now"], found["closes_at"]), found["clock"]
        next_one = left + (MOST_IN_A_COUP * clock["card"] + clock["pause"]) / 1000
        if found["phase"] == "open" and self._plan.seconds < next_one:
            self._start(self._play(found["round"], left))  # it will be gone before the next
        await (self._until.wait() if self._until else asyncio.sleep(self._plan.seconds))
        self._over = True
        self._report.played = max(self._report.played, time.monotonic() - began)
        await asyncio.gather(*self._tasks)
        await self._until_settled()
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
        await self._reconcile()

    # ---- following ---------------------------------------------------------------------------

    async def _follow(self) -> None:
        address = self._plan.address.replace("http", "ws", 1)
        while True:
            cookie = "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())
            with suppress(*_AWAY):
                async with connect(
                    f"{address}/api/tables/{self._table}/events?after={self._seen}",
                    additional_headers={"Cookie": cookie},
                    max_size=None,
                    close_timeout=1,
                ) as self._socket:
                    async for message in self._socket:
                        self._hear(json.loads(message))
            self._report.reconnects += 1
            await asyncio.sleep(AGAIN)

    def _hear(self, frame: dict[str, Any]) -> None:
        if frame["after"] != self._seen:
            self._fault(f"was told what follows entry {frame['after']} after {self._seen}")
        now = time.time() * 1000
        for event in frame["events"]:
            if not self._seen < event["sequence"] <= frame["through"]:
                self._fault(f"was told entry {event['sequence']} after {self._seen}")
            self._seen = event["sequence"]
            self._report.events += 1
            self._report.event_ms.append(max(0.0, now - event["value"]["at"]))
            self._happened(event["type"], event["value"])
        self._seen = frame["through"]

    def _happened(self, kind: str, value: dict[str, Any]) -> None:
        about = [value, *value.get("results", ())]
        if any(one.get("player", self._account) != self._account for one in about):
            self._fault(f"was told what is another player's by entry {self._seen}")
        match kind:
            case "RoundOpened" if not self._over:
                window = _seconds(value["at"], value["closes_at"])
                self._start(self._play(value["round"], window))
            case "WagersPlaced":
                self._heard.add(self._seen)
            case "BettingClosed":
                self._closed[value["round"]] = self._seen
                if not self._over and self._misbehaves():
                    self._start(self._wager(value["round"]))  # too late, and refused
            case "RoundSettled" | "RoundCancelled":
                self._ended.add(value["round"])

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _misbehaves(self) -> bool:
        return self._random.random() < self._plan.misbehaviour

    # ---- playing -----------------------------------------------------------------------------

    async def _play(self, number: int, window: float) -> None:
        """Wager somewhere in the window; then perhaps again, or hang up."""
        await asyncio.sleep(self._random.random() * min(window * 0.8, self._plan.seconds))
        await self._wager(number)
        if self._misbehaves() and self._socket is not None:
            await self._socket.close()
        if self._random.random() < 0.3:
            await self._wager(number)

    async def _wager(self, number: int) -> None:
        self._number += 1
        bet = self._random.choice(self._bets)
        stake = -(-bet["minimum"] // bet["step"]) * bet["step"]
        wagers = [{"bet": bet["id"], "stake": stake}] if self._random.random() < 0.9 else []
        body = {"round": number, "wagers": wagers}
        key = {"Idempotency-Key": f"{time.time_ns() // 1_000_000:x}-{self._number}"}
        path, started = f"/api/tables/{self._table}/wagers", time.monotonic()
        answer = await self._send("PUT", path, json=body, headers=key)
        if answer is None:
            return
        self._report.wager_ms.append((time.monotonic() - started) * 1000)
        if not answer.is_success:
            self._report.refused[answer.json()["code"]] += 1
            return
        self._report.acknowledged += 1
        self._note(number, answer.json())
        if self._misbehaves():
            again = await self._send("PUT", path, json=body, headers=key)
            if again is not None and again.is_success and again.json()["repeated"]:
                self._report.repeated += 1
            elif again is not None and again.status_code != 429:
                self._fault(f"key {self._number} was answered otherwise when sent again")

    def _note(self, number: int, answer: dict[str, Any]) -> None:
        for event in answer["events"]:
            stake = sum(one["stake"] for one in event["value"]["wagers"])
            self._placed[answer["first"]] = (number, stake)
            if answer["first"] > self._closed.get(number, answer["first"]):
                self._fault(f"a wager on round {number} was taken after no more bets")

    async def _send(
        self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response | None:
        """An answer, however often it takes; None, and a fault, when nobody answers for long."""
        until = time.monotonic() + GRACE
        while time.monotonic() < until and not self._gone.is_set():
            try:
                everything = {**self._headers, **(headers or {})}
                answer = await self._http.request(method, path, headers=everything, **more)
                if answer.status_code < 500:
                    return answer
            except _AWAY:
                pass
            self._report.resent += 1
            await asyncio.sleep(AGAIN)
        refusing = f"the server does not work: {method} {path} was not answered"
        waited = f"{method} {path} was not answered for {GRACE:.0f} s"
        self._fault(refusing if self._gone.is_set() else waited)
        return None

    # ---- reconciling -------------------------------------------------------------------------

    async def _until_settled(self) -> None:
        until = time.monotonic() + GRACE
        waiting = {number for number, _ in self._placed.values()}
        while not waiting <= self._ended and time.monotonic() < until and not self._gone.is_set():
            await asyncio.sleep(AGAIN)
        for number in sorted(waiting - self._ended):
            self._fault(f"round {number} did not end")

    async def _reconcile(self) -> None:
        bookings = await self._all("/api/me/ledger", "bookings")
        rounds = await self._all("/api/me/rounds", "rounds")
        balance = await self._send("GET", "/api/me/balance")
        house = await self._send("GET", "/api/me/ledger", params={"stream": "house"})
        if bookings is None or rounds is None or balance is None or house is None:
            return  # not answered: that is a fault already
        for place in sorted(self._heard ^ self._placed.keys()):
            self._fault(f"the wager of entry {place} was either not acknowledged or not told")
        given = sum(one["amount"] for one in house.json()["bookings"])
        stakes = {one["sequence"]: -one["amount"] for one in bookings if one["kind"] == "stake"}
        standing: dict[int, int] = {}
        moves: dict[int, int] = {}
        for place, (number, stake) in sorted(self._placed.items()):
            moves[place] = stake - standing.get(number, 0)  # another bet, same stake: no coin moves
            standing[number] = stake
        for place in sorted(stakes.keys() | moves.keys()):
            booked, meant = stakes.get(place, 0), moves.get(place, 0)
            if booked != meant:
                self._fault(f"the wager of entry {place} moved {booked} coins, not {meant}")
        expected = Counter(number for number, stake in standing.items() if stake)
        settled = Counter(one["round"] for one in rounds)
        self._report.rounds += len(settled)
        for number in sorted((expected - settled) + (settled - expected)):
            self._fault(
                f"round {number} was settled {settled[number]} times, not {expected[number]}"
            )
        moved = sum(one["amount"] for one in bookings)
        if balance.json()["real"] != given + moved:
            self._fault(f"the balance is {balance.json()['real']}, the ledger says {given + moved}")

    async def _all(self, path: str, name: str) -> list[dict[str, Any]] | None:
        """Every page of one's own bookings at the table; None when one was not answered."""
        found: list[dict[str, Any]] = []
        params: dict[str, Any] = {"stream": f"table:{self._table}", "limit": PAGE}
        while (page := await self._send("GET", path, params=params)) is not None:
            part = page.json()[name]
            found += part
            if len(part) < PAGE:
                return found
            params["before"] = part[-1]["sequence"]
        return None

    def _fault(self, words: str) -> None:
        self._report.faults.append(f"{self._account or 'a guest'} at {self._table}: {words}")
