"""A scripted evening at one table of a real application, and what four people read of it.

The service, its drivers and the application run in one event loop on simulated time, so the same
script gives the same text. Every person follows the table's socket and reads their views after
each moment of the script; only changes are written, one event or fact per line, with the people who
read it. Identifiers and hashes are random or long, so only their size is written.
"""

import asyncio
import contextlib
import json
import random
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import httpx

from baccarat.core.cards import SUIT_SYMBOLS
from baccarat.house import jobs
from baccarat.house.housefile import House
from baccarat.house.money import cash
from baccarat.house.people.passwords import hash_password
from baccarat.house.people.roles import Account, Role
from baccarat.house.table_plans import TablePlan
from baccarat.service.environment import Environment
from baccarat.service.service import Service
from baccarat.store.sqlstore import AsyncStore, SqlStore
from baccarat.store.vault import Vault
from baccarat.table.settings import Settings
from baccarat.web.server.app import application
from support.by_hand import memory
from support.live import GROWN
from support.running import run_house
from support.served import GENEROUS, PASSWORD
from support.simulated_house import SimulatedLoop

START = datetime(2026, 1, 5, 20, tzinfo=UTC)
TABLE = "table"
HERE = f"/api/tables/{TABLE}"
VIEWS = {
    "guest": (HERE, f"{HERE}/mine"),
    "player": (HERE, f"{HERE}/mine", f"{HERE}/agreement"),
    "dealer": (f"{HERE}/console",),
    "pit": (f"{HERE}/console", f"{HERE}/agreements", "/api/pit"),
}
"""What each person reads."""
SOON = 0.5
"""Seconds after which everyone has been sent what happened."""
MONEY = frozenset(
    {
        *("stake", "net", "real", "bonus", "in_play", "staked", "amount", "coins", "paid", "moves"),
        *("minimum", "maximum", "coup_maximum", "step", "chips", "paid_before", "paid_after"),
        *("turnover", "result", "expected", "deviation", "low", "high", "paid_in", "paid_out"),
        *("alone", "before", "after", "lost"),
    }
)
"""Fields of whole coins."""
UNTOLD = frozenset({"now", "sequence", "hash", "elapsed", "rules"})
"""Fields that change with every event or second, or are longer than anyone reads."""
INLINE = frozenset({"unseen", "unseen_by_rank", "statistics", "clock", "what_if"})
"""Fields that are one fact."""
LONGEST_LIST, LONGEST_FACT = 60, 250
"""Entries of a list that are written, and characters of a nested fact that stays on one line."""
EMPTY: tuple[Any, ...] = (None, "", [], {})
_CARD = re.compile(r"(10|[2-9AJQK])([shdc])")
_COUP = re.compile(r"P:\S+ B:\S+")
_HEX = re.compile(r"[0-9a-f]{16,}")
_GUEST = re.compile(r"guest-[0-9a-f]{16}")


class PlainKeeper(AsyncStore):
    """A store that answers at once."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def commit(self, *given: jobs.Job) -> list[Any]:
        return self._store.commit(list(given))

    async def read(self, ask: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return ask(self._store, *args, **kwargs)

    def time_commits(self, reply: Callable[[float], None]) -> None:
        """Do nothing: commits are not timed."""


class Loop(SimulatedLoop):
    """An event loop on simulated time, in which threads take no time."""

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


# ---- words ---------------------------------------------------------------------------------------


def in_words(value: Any, *, money: bool = False) -> str:
    """Return a value of an answer as a reader would write it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int() if value > 10**12:
            return "(a time)"  # durations depend on the machine
        case int() if money:
            return f"{'-' if value < 0 else ''}£{abs(value) / 100:,.2f}"
        case [str(), *_] if all(_HEX.fullmatch(str(part)) for part in value):
            return f"({len(value)} hashes)"
        case list() if len(value) > LONGEST_LIST:
            return f"({len(value)} entries)"
        case list():
            return f"[{', '.join(in_words(part, money=money) for part in value)}]"
        case dict():
            return f"({fields_in_words(value, money=money)})"
        case str() if _CARD.fullmatch(value) or _COUP.fullmatch(value):
            return _CARD.sub(lambda card: card[1] + SUIT_SYMBOLS[card[2]], value)
    text = _GUEST.sub("the guest", "–" if value is None else str(value))
    return _HEX.sub(lambda found: f"({len(found[0]) // 2} bytes)", text)


def fields_in_words(fields: dict[str, Any], *, money: bool = False) -> str:
    """Return the fields that hold something."""
    return ", ".join(
        f"{in_words(name)} {in_words(value, money=money or _is_money(name, value))}"
        for name, value in fields.items()
        if name not in UNTOLD and value not in EMPTY
    )


def _is_money(name: str, value: Any) -> bool:
    return name in MONEY or (name == "bets" and isinstance(value, dict))


def facts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield every fact of an answer with its path; a list element is one fact unless it is long."""
    name = path.rpartition(".")[2]
    if name in UNTOLD or value in EMPTY:
        return
    if isinstance(value, dict) and name not in INLINE:
        for part, inner in value.items():
            place = f"{path}.{in_words(part)}"
            if _is_money(name, value):
                yield place, in_words(inner, money=True)
            else:
                yield from facts(inner, place)
    elif _has_dicts(value):
        for number, part in enumerate(value, 1):
            place, words = f"{path}[{part.get('id', number)}]", in_words(part)
            if len(words) > LONGEST_FACT and any(map(_is_nested, part.values())):
                yield from facts(part, place)
            else:
                yield place, words
    else:
        yield path, in_words(value, money=name in MONEY)


def _has_dicts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict) or _has_dicts(value)


def event_in_words(event: dict[str, Any]) -> str:
    words = fields_in_words(
        {name: value for name, value in event.items() if name not in ("type", "at")}
    )
    return f"{event['type']}: {words}" if words else event["type"]


# ---- people --------------------------------------------------------------------------------------


class EveningSocket:
    """The server's side of a socket whose client reads everything at once."""

    is_ready = is_open = True

    def __init__(self, take: Callable[[dict[str, Any]], None]) -> None:
        self._take = take
        self.writable = asyncio.Event()
        self.writable.set()
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.messages.put_nowait({"type": "websocket.connect"})

    def push(self, text: bytes) -> None:
        self._take(json.loads(text))

    def wake(self) -> None:
        self.messages.put_nowait({"type": "websocket.receive", "text": ""})


class Person:
    """Somebody who is signed in, follows the table and reads their views."""

    def __init__(self, name: str, app: Any) -> None:
        self.name, self.app = name, app
        transport = httpx.ASGITransport(app=app)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
        self.known: dict[str, str] = {}
        self.lines: list[str] = []
        self.events: list[dict[str, Any]] = []
        self._keys = 0
        self._socket = EveningSocket(self._take)

    async def come_in(self) -> None:
        if self.name == "guest":
            answer = await self.client.post("/api/guests")
        else:
            body = {"account": self.name, "password": PASSWORD}
            answer = await self.client.post("/api/session", json=body)
        assert answer.is_success, answer.text
        self.client.headers["X-CSRF-Token"] = answer.json()["csrf_token"]
        self.following = asyncio.create_task(self._follow())

    async def sends(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Send a request about the table; a refusal is read like everything else."""
        self._keys += 1
        answer = await self.client.request(
            method,
            f"{HERE}/{path}",
            json=body,
            headers={"Idempotency-Key": f"{self.name}-{self._keys}"},
        )
        if answer.is_error:
            problem = answer.json()
            self.lines.append(f"refused: {problem['code']}: {in_words(problem['detail'])}")
        return answer.json() if answer.content else {}

    async def view(self) -> dict[str, Any]:
        return (await self.client.get(HERE)).json()

    async def bets(self, accept: dict[str, str] | None = None, **stakes: int) -> None:
        """Bet on the round that is open; `player_pair` is the bet player-pair."""
        number = (await self.view())["round"]
        wagers = [{"bet": bet.replace("_", "-"), "stake": coins} for bet, coins in stakes.items()]
        body = {"round": number, "wagers": wagers} | ({"accept": accept} if accept else {})
        await self.sends("PUT", "wagers", body)

    async def calls(self, call: str) -> None:
        await self.sends("POST", "calls", {"call": call})

    async def deals(self, cards: str) -> None:
        for card in cards.split():
            await self.sends("POST", "cards", {"card": card})

    async def look(self) -> None:
        """Read the views, and write each new fact on a line."""
        for path in VIEWS[self.name]:
            answer = await self.client.get(path)
            reply = answer.json()
            if answer.is_error:
                reply = {"refused": f"{reply['code']}: {reply['detail']}"}
            name = path.rpartition("/")[2]
            before = {known for known in self.known if re.match(rf"{name}\b", known)}
            found = self._learn(name, reply)
            self._forget(before - found)

    def _learn(self, name: str, reply: Any) -> set[str]:
        """Write down facts that are new, and return the paths of all."""
        found = dict(facts(reply, name))
        new = {path: words for path, words in found.items() if self.known.get(path) != words}
        self.lines += [f"{path} = {words}" for path, words in new.items()]
        self.known |= new
        return set(found)

    def _forget(self, gone: set[str]) -> None:
        """Write down facts that have disappeared: the largest part of which nothing is left."""
        for path in gone:
            del self.known[path]
        parts = dict.fromkeys(self._largest(path) for path in sorted(gone))
        self.lines += [f"{part} is gone" for part in parts]

    def _largest(self, path: str) -> str:
        """Return the shortest beginning of a path that no known fact has, or all of it."""
        for end in (found.start() for found in re.finditer(r"[.\[]", path)):
            beginning = re.compile(rf"{re.escape(path[:end])}(?![\w-])")
            if not any(map(beginning.match, self.known)):
                return path[:end]
        return path

    async def _follow(self) -> None:
        """Read the table's socket."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "scheme": "ws",
            "path": f"{HERE}/events",
            "raw_path": f"{HERE}/events".encode(),
            "query_string": b"after=0",
            "headers": [(b"cookie", cookies.encode()), (b"host", b"127.0.0.1")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "subprotocols": [],
            "extensions": {},
            "state": {"socket": self._socket},
        }

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "websocket.close":
                self.lines.append(f"the socket is closed: {message.get('reason')}")

        await self.app(scope, self._socket.messages.get, send)

    def _take(self, frame: dict[str, Any]) -> None:
        self.events += frame["events"]
        self.lines += [event_in_words(event) for event in frame.pop("events")]
        self._learn("frame", {k: v for k, v in frame.items() if k not in ("after", "through")})

    async def leave(self) -> None:
        self._socket.messages.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.following
        await self.client.aclose()


# ---- the evening ---------------------------------------------------------------------------------


class Evening:
    """The people at the table, and the text about it."""

    def __init__(self, service: Service, app: Any) -> None:
        self.service, self.people = service, {name: Person(name, app) for name in VIEWS}
        self.guest, self.player, self.dealer, self.pit = self.people.values()
        self.text: list[str] = []

    async def moment(self, words: str, *acts: Coroutine[Any, Any, Any]) -> None:
        """Let people do something, and write down what everyone reads of it."""
        for act in acts:
            await act
        await asyncio.sleep(SOON)
        for person in self.people.values():
            await person.look()
        self.text += ["", f"== {words}", *self._lines()]

    async def until(self, phase: str, words: str) -> None:
        """Wait until the round is in a phase."""
        while (await self.service.environment.keeper.read(self._phase)) != phase:
            await asyncio.sleep(0.1)
        await self.moment(words)

    @staticmethod
    def _phase(store: SqlStore) -> str:
        return str(store.state(f"table:{TABLE}").round.phase)

    def _lines(self) -> Iterator[str]:
        """Return what people have read, each line once, with the people who read it."""
        readers: dict[str, list[str]] = {}
        for name, person in self.people.items():
            for line in dict.fromkeys(person.lines):
                readers.setdefault(line, []).append(name)
            person.lines.clear()
        for line, names in sorted(readers.items(), key=lambda item: list(VIEWS).index(item[1][0])):
            who = "all" if len(names) == len(VIEWS) else " ".join(names)
            yield f"{who}: {line}"


Script = Callable[[Evening], Coroutine[Any, Any, None]]


def played(settings: Settings, script: Script, seed: int) -> str:
    """Return what four people read of a scripted evening at a table."""
    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(_played(settings, script, seed))


async def _played(settings: Settings, script: Script, seed: int) -> str:
    loop, store = asyncio.get_running_loop(), SqlStore(memory())

    def clock() -> int:
        return round(START.timestamp() * 1000 + loop.time() * 1000)

    environment = Environment(
        PlainKeeper(store), Vault(bytes(32)), clock, random.Random(seed), "server"
    )
    house = House(
        "The house", "GBP", 100_000, (TablePlan(TABLE, "The table", settings, guests=True),)
    )
    service = Service(house, environment)
    _people(store, clock)
    async with _application(service) as app:
        evening = Evening(service, app)
        for person in evening.people.values():
            await person.come_in()
        await evening.moment("everyone comes in")
        await script(evening)
        for person in evening.people.values():
            await _check_journal(person)
            await person.leave()
    return "\n".join(evening.text).lstrip("\n") + "\n"


def _people(store: SqlStore, clock: Callable[[], int]) -> None:
    hashed = hash_password(PASSWORD)
    for role in (Role.PLAYER, Role.DEALER, Role.PIT, Role.CASHIER):
        account = Account(str(role), role, f"The {role}")
        store.commit([jobs.open_account(account, clock, password=hashed, born=GROWN)])
    store.commit(
        [jobs.about_player("player", clock, partial(cash.pay_in, amount=100_000), by="cashier")]
    )


@contextlib.asynccontextmanager
async def _application(service: Service) -> AsyncIterator[Any]:
    async with run_house(service):
        app = application(service, secret=bytes(32), rates=GENEROUS)
        async with app.router.lifespan_context(app):
            yield app


async def _check_journal(person: Person) -> None:
    """Check that the socket sent what the journal shows the same person."""
    answer = await person.client.get(f"{HERE}/journal?after=0&limit=500")
    assert answer.json()["events"] == person.events[:500]
