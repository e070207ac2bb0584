"""Measure the speed of a house, relative to bare SQL statements on the same database.

python benchmarks/service.py            all parts, on SQLite and on PostgreSQL from a wheel
python benchmarks/service.py wagers     one part only: wagers, restart or server

The part `wagers` measures durable wagers through the service and its group commit, and the
settlement of a round. `restart` measures opening a store with a million events. `server` measures
the response times, CPU time and memory of a real `baccarat serve` under load.
"""

import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.housefile import House
from baccarat.house.money import cash
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Done, Job, Key
from baccarat.house.table_plans import TablePlan
from baccarat.loadtest import clients
from baccarat.service.environment import Environment
from baccarat.service.event_loop import run_loop
from baccarat.service.service import Service
from baccarat.shoe.commitment import Source
from baccarat.store import dialects, history
from baccarat.store import schema as s
from baccarat.store.dialects import WRITES
from baccarat.store.entries import mark_of
from baccarat.store.sqlstore import SqlStore, ThreadedStore, collect_rarely
from baccarat.store.vault import Vault
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.journal import chain, head_of
from baccarat.table.settings import Clock
from baccarat.table.state import snapshot
from support.live import settings_for  # type: ignore[import-not-found]
from support.stores import Evening, new_database, postgresql  # type: ignore[import-not-found]

PLAYERS = 1000
BETS = ("player", "banker")
"""Bets that the players wager on."""
ROUNDS = 15
EVENTS = int(os.environ.get("EVENTS", "1000000"))
CROWD = int(os.environ.get("CROWD", "500"))
BARE = Table(
    "bare",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("body", LargeBinary),
    Column("player", Text),
)
SERVE = [sys.executable, "-m", "baccarat", "serve", "--house", "house.toml", "--port", "0"]
HOUSE = """
format = 1
name = "The measured house"
play_money = "1000"

[[table]]
id = "one"
name = "One"
card = "punto-banco"
betting = "10"
card_pace = "0.5"
pause = "2"
"""


def timed(call: Callable[[], object]) -> float:
    started = perf_counter()
    call()
    return perf_counter() - started


# ---- wagers and settlement -------------------------------------------------------------------


def bare_commits(store: SqlStore, count: int) -> None:
    """Run `count` INSERTs, each with a durable commit, on one connection."""
    writing = store.engine.connect().execution_options(**{WRITES: True})
    with writing as connection:
        for _ in range(count):
            with connection.begin():
                connection.execute(BARE.insert(), {"body": bytes(200), "player": "ann"})


def bare_rows(store: SqlStore, entries: int, booked: int, posted: int) -> None:
    """Insert as many rows as settling a round writes, with the driver's own executemany."""
    writing = store.engine.connect().execution_options(**{WRITES: True})
    mark = "?" if store.engine.dialect.name == "sqlite" else "%s"
    with writing as connection, connection.begin():
        for count in (entries, booked, posted, posted // 3 * 2):
            rows = [(bytes(60), f"player:{n}/real") for n in range(count)]
            text = f"INSERT INTO bare (body, player) VALUES ({mark}, {mark})"  # noqa: S608
            connection.exec_driver_sql(text, rows)


class CrowdedEvening(Evening):  # type: ignore[misc]
    """An evening with many players."""

    def fill(self) -> "CrowdedEvening":
        self.open()
        people = [Account(f"p{n}", Role.PLAYER, f"P {n}") for n in range(PLAYERS)]
        self.do(*(jobs.open_account(person, self.clock) for person in people))
        paid = partial(cash.pay_in, amount=10**9)
        self.do(*(jobs.about_player(f"p{n}", self.clock, paid, by="till") for n in range(PLAYERS)))
        self.until("open")
        return self

    def wagers(self, key: str) -> list[Job]:
        number = self.state.round.number
        return [
            jobs.at_table(
                self.table,
                c.PlaceWagers(number, f"p{n}", (Wager(BETS[n % 2], 500 * (1 + n % 20)),)),
                self.clock,
                sender=jobs.Sender(Key(f"p{n}", f"{key}{number}"), b"x"),
            )
            for n in range(PLAYERS)
        ]


def through_the_service(store: SqlStore, evening: CrowdedEvening, given: list[Job]) -> float:
    """Send all players' wagers at once, and return the time until all are durably committed."""

    async def main(keeper: ThreadedStore) -> float:
        environment = Environment(keeper, Vault(bytes(32)), evening.clock, random.Random(1), "here")
        plan = TablePlan(evening.table, "One", evening.settings, guests=True)
        service = Service(House("The house", "GBP", None, (plan,)), environment)
        started = perf_counter()
        done = await asyncio.gather(*(service.do(job) for job in given))
        took = perf_counter() - started
        assert all(isinstance(one, Done) for one in done)
        return took

    with ThreadedStore(store) as keeper:
        return run_loop(main(keeper))


def wagers(name: str, address: str, target: float) -> None:
    store = SqlStore.open(address)
    BARE.create(store.engine)
    clock = Clock(betting=10_000, card=1, pause=1)
    evening = CrowdedEvening(
        store, settings_for(decks=8, source=Source.SHUFFLER, clock=clock)
    ).fill()
    bare, grouped, cpu, settling, rows = [], [], [], [], []
    collect_rarely()
    for turn in range(ROUNDS):
        bare.append(timed(lambda: bare_commits(store, 200)) / 200)
        made = evening.wagers("k" * (turn + 1))
        before = process_time()
        grouped.append(through_the_service(store, evening, made) / PLAYERS)
        cpu.append((process_time() - before) / PLAYERS)
        evening.until("decided")
        settling.append(timed(evening.step))
        rows.append(timed(lambda: bare_rows(store, 1, PLAYERS, 3 * PLAYERS)))
        evening.until("open")
    ratio = median(bare) / median(grouped)
    note = "" if ratio >= target else "  MISSED"
    print(f"{name}: bare INSERT and commit {1 / median(bare):8.0f} /s")
    print(f"{name}: durable wagers through the service {1 / median(grouped):8.0f} /s, ", end="")
    print(f"{ratio:.2f} × bare (target {target}), {min(cpu) * 1e6:.0f} µs of CPU time each{note}")
    best = PLAYERS / min(settling)
    print(f"{name}: settling a round of {PLAYERS} wagers ", end="")
    print(f"{PLAYERS / median(settling):8.0f} wagers/s (best {best:.0f}), ", end="")
    print(f"{median(settling) / median(rows):.1f} × a bare executemany of the same rows")
    store.close()


def wagers_alone(rounds: int = 3) -> float:
    """Return the CPU seconds of a durable wager without a network, on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore.open(f"sqlite:///{folder}/house.db")
        clock = Clock(betting=600_000, card=1, pause=1)
        evening = CrowdedEvening(
            store, settings_for(decks=8, source=Source.SHUFFLER, clock=clock)
        ).fill()
        spent = []
        for turn in range(rounds):
            made = evening.wagers("k" * (turn + 1))
            before = process_time()
            through_the_service(store, evening, made)
            spent.append((process_time() - before) / PLAYERS)
        store.close()
    return median(spent)


# ---- restart ---------------------------------------------------------------------------------


def restart(name: str, address: str) -> None:
    """Measure opening a store whose only table has a long journal, and reading its state."""
    store = SqlStore.open(address)
    evening = Evening(store, settings_for(decks=8, source=Source.SHUFFLER)).open(ann=10**9)
    evening.until("settled")
    grow(store, evening, EVENTS)
    store.close()
    evening.store = store = SqlStore.open(address)
    evening.until("settled")
    store.close()
    fresh: list[SqlStore] = []

    def again() -> None:
        fresh.append(SqlStore.open(address))
        fresh[0].state("table:one")

    took = timed(again)
    state = fresh[0].state("table:one")
    newest = timed(lambda: history.results(fresh[0], "table:one", before=None, limit=100))
    fresh[0].close()
    missed = "" if took <= 5 else "  MISSED"
    place = state.sequence if state else 0
    print(f"{name}: opened and at entry {place:,} of a table after ", end="")
    print(f"{took * 1000:.0f} ms (target 5 s){missed}; its newest results in ", end="")
    print(f"{newest * 1000:.0f} ms")


def grow(store: SqlStore, evening: Evening, count: int) -> None:
    """Append `count` events to an idle table by pausing and resuming it repeatedly.

    These events change nothing in the state except its sequence number, so the snapshot that a
    server would have written can be computed without replaying them.
    """
    state, head, left = evening.state, store.head("table:one"), count // 2
    pair = (e.TablePaused(state.at, "pit", "inspection"), e.TableResumed(state.at, "pit"))
    bodies = [e.encode(event) for event in pair]
    writing = store.engine.connect().execution_options(**{WRITES: True})
    with writing as connection, connection.begin():
        while left:
            some = min(left, 10_000)
            entries = chain(head, bodies * some)
            dialects.add(connection, s.journal, entries)
            dialects.add(
                connection,
                s.marks,
                [mark_of(*one) for one in zip(entries, pair * some, strict=True)],
            )
            head, left = head_of(entries[-1]), left - some
        moved = {"sequence": head.sequence, "hash": head.hash}
        connection.execute(s.heads.update().where(s.heads.c.stream == "table:one"), moved)
        body = snapshot(replace(state, sequence=head.sequence))
        row = {"stream": "table:one", "sequence": head.sequence, "body": body}
        connection.execute(s.snapshots.delete())
        connection.execute(s.snapshots.insert(), row)


# ---- a server --------------------------------------------------------------------------------


@contextmanager
def serving(folder: Path, house: str, *options: str) -> Iterator[tuple[int, str]]:
    """Run a server in a separate process, and yield its process id and address."""
    (folder / "house.toml").write_text(house, encoding="utf-8")
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "baccarat",
            "serve",
            "--house",
            "house.toml",
            "--port",
            "0",
            *options,
        ],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=(folder / "log").open("w"),
        text=True,
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, (folder / "log").read_text(encoding="utf-8")
        yield process.pid, found[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def seconds_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    return int(found[1]) if found else 0


def server() -> None:
    if not Path("/proc/self/stat").exists():
        print("server: CPU time and memory are read from /proc, which this system does not have")
        return
    with tempfile.TemporaryDirectory() as folder:
        crowded(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        idle_tables(Path(folder))


def crowded(folder: Path) -> None:
    with serving(folder, HOUSE) as (pid, address):
        report = run_loop(clients.run(clients.Plan(address, players=CROWD, seconds=30)))
        used = seconds_of(pid)
    print(f"server: {CROWD} players at one table, wagers spread over a window of 10 s")
    for what, values in (("a wager's answer", report.wager_ms), ("an event", report.event_ms)):
        found = {part: clients.percentile(values, part) for part in (50, 95, 99)}
        parts = ", ".join(f"p{part} {value:.0f} ms" for part, value in found.items())
        print(f"server: {what} after {parts} ({len(values)})")
    print(f"server: {used:.1f} s of CPU time in total; {len(report.faults)} faults", end="")
    print("" if not report.faults else f"  MISSED: {report.faults[0]}")


def idle_tables(folder: Path) -> None:
    """Measure the memory per additional idle table, with betting open for an hour."""
    table = HOUSE[HOUSE.index("[[table]]") :].replace('betting = "10"', 'betting = "3600"')
    sizes = {}
    for count in (1, 101):
        tables = "".join(table.replace('"one"', f'"t{n}"') for n in range(count))
        place = folder / str(count)
        place.mkdir()
        with serving(place, HOUSE[: HOUSE.index("[[table]]")] + tables) as (pid, _):
            sleep(5)
            sizes[count] = memory_of(pid)
    print(f"server: {sizes[1] / 1024:.0f} MiB with one table, ", end="")
    print(f"{(sizes[101] - sizes[1]) / 100:.0f} KiB per additional idle table")


def main() -> None:
    wanted = sys.argv[1:] or ["wagers", "restart", "server"]
    with tempfile.TemporaryDirectory() as folder, postgresql(through_to_disk=True) as database:
        if "wagers" in wanted:
            wagers("SQLite", f"sqlite:///{folder}/house.db", 3)
            wagers("PostgreSQL", new_database(database), 2)
        if "restart" in wanted:
            restart("SQLite", f"sqlite:///{folder}/long.db")
            restart("PostgreSQL", new_database(database))
    if "server" in wanted:
        server()


if __name__ == "__main__":
    main()
