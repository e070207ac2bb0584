"""Speed of the store, as ratios to bare statements on the same database, in one run.

python benchmarks/store.py            SQLite, and PostgreSQL from its wheel
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text, func, select

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.idempotency import Key
from baccarat.house.ports import Done, Job
from baccarat.house.roles import Account, Role
from baccarat.shoe.commitment import Source
from baccarat.store import schema as s
from baccarat.store.engine import WRITES
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.settings import Clock
from live import settings_for  # type: ignore[import-not-found]
from stores import Evening, new_database, postgresql  # type: ignore[import-not-found]

PLAYERS = 1000
GROUP = 100
ROUNDS = 5
BARE = Table(
    "bare",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("body", LargeBinary),
    Column("player", Text),
)


def timed(call: Callable[[], object]) -> float:
    started = perf_counter()
    call()
    return perf_counter() - started


def bare_commits(store: SqlStore, count: int) -> None:
    """One INSERT, one durable commit, so many times, on one connection."""
    writing = store.engine.connect().execution_options(**{WRITES: True})
    with writing as connection:
        for _ in range(count):
            with connection.begin():
                connection.execute(BARE.insert(), {"body": bytes(200), "player": "ann"})


def bare_rows(store: SqlStore, entries: int, booked: int, posted: int) -> None:
    """The rows that settling a round writes, as bare executemany."""
    writing = store.engine.connect().execution_options(**{WRITES: True})
    with writing as connection, connection.begin():
        for count in (entries, booked, posted, posted // 3 * 2):
            rows = [{"body": bytes(60), "player": f"player:{n}/real"} for n in range(count)]
            connection.execute(BARE.insert(), rows)


class Crowd(Evening):  # type: ignore[misc]
    """An evening with many players."""

    def fill(self) -> "Crowd":
        self.open()
        people = [Account(f"p{n}", Role.PLAYER, f"P {n}") for n in range(PLAYERS)]
        self.do(*(jobs.open_account(one, self.clock) for one in people))
        self.do(*(jobs.pay_in(f"p{n}", 10**9, "till", self.clock) for n in range(PLAYERS)))
        self.until("open")
        return self

    def wagers(self, key: str) -> list[Job]:
        number = self.state.round.number
        return [
            jobs.at_table(
                self.table,
                c.PlaceWagers(number, f"p{n}", (Wager("player", 1000 + len(key)),)),
                self.clock,
                sender=jobs.Sender(Key(f"p{n}", f"{key}{number}"), b"x"),
            )
            for n in range(PLAYERS)
        ]


def measure(name: str, address: str, target: float) -> None:
    store = SqlStore.open(address)
    BARE.create(store.engine)
    clock = Clock(betting=10_000, card=1, pause=1)
    crowd = Crowd(store, settings_for(decks=8, source=Source.SHUFFLER, clock=clock)).fill()
    bare, grouped, settling, rows = [], [], [], []
    for turn in range(ROUNDS):
        bare.append(timed(lambda: bare_commits(store, 300)) / 300)
        made = crowd.wagers("k" * (turn + 1))
        groups = [made[i : i + GROUP] for i in range(0, len(made), GROUP)]

        def commit(groups: list[list[Job]] = groups) -> None:
            for group in groups:
                assert all(isinstance(one, Done) for one in store.commit(group))

        grouped.append(timed(commit) / PLAYERS)
        crowd.until("decided")
        settling.append(timed(crowd.step))
        rows.append(timed(lambda: bare_rows(store, 1, PLAYERS, 3 * PLAYERS)))
        crowd.until("open")
    ratio = median(bare) / median(grouped)
    told = "" if ratio >= target else "  MISSED"
    print(f"{name}: bare INSERT and commit {1 / median(bare):8.0f} /s")
    print(f"{name}: durable wagers, {GROUP} a group {1 / median(grouped):8.0f} /s, ", end="")
    print(f"{ratio:.1f} × bare (target {target}){told}")
    speed = PLAYERS / median(settling)
    print(f"{name}: settling a round of {PLAYERS} wagers {speed:8.0f} wagers/s, ", end="")
    print(f"{median(settling) / median(rows):.1f} × a bare executemany of the same rows")
    recovery(name, store, address)
    store.close()


def recovery(name: str, store: SqlStore, address: str) -> None:
    with store.engine.connect() as connection:
        count = connection.execute(select(func.count()).select_from(s.journal)).scalar()
    fresh = SqlStore.open(address)
    took = timed(lambda: fresh.state("table:one"))
    fresh.close()
    print(f"{name}: state after a restart, journal of {count} events, {took * 1000:.0f} ms")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        measure("SQLite", f"sqlite:///{folder}/house.db", 3)
        with postgresql(Path(folder)) as server:
            measure("PostgreSQL", new_database(server), 2)


if __name__ == "__main__":
    main()
