"""Servers as processes: started, killed, drained; a crowd meanwhile; every coin found afterwards.

`KILLS=50 pytest tests/test_serve.py` kills more of them.
"""

import asyncio
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from baccarat import crowd
from baccarat.auditor import audit, read_store
from baccarat.cli import main
from stores import new_database, postgresql

STARTED: list[subprocess.Popen] = []
HERE = ("--house", "house.toml")
KILLS = int(os.environ.get("KILLS", "2"))
HOUSE = """
format = 1
name = "The quick house"
play_money = "1000"

[[table]]
id = "one"
name = "One"
card = "punto-banco"
betting = "0.4"
card_pace = "0.02"
pause = "0.05"

[[table]]
id = "two"
name = "Two"
card = "fortune-six"
source = "shuffler"
betting = "0.4"
card_pace = "0.02"
pause = "0.05"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BACCARAT_KEY", raising=False)
    yield tmp_path
    while STARTED:  # what a failed test has left running
        process = STARTED.pop()
        process.stdout.close()
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Process:
    """One `baccarat serve`."""

    def __init__(self, port: int, *more: str, log: Path, **env: str) -> None:
        paths = os.pathsep.join(str(Path(path).resolve()) for path in sys.path)
        with log.open("a", encoding="utf-8") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "baccarat", "serve", *HERE, "--port", str(port), *more],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "PYTHONPATH": paths, **env},
            )
        STARTED.append(self.process)
        self.announced = self.process.stdout.readline()

    def stop(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        self.process.stdout.close()
        return self.process.wait()


@contextmanager
def crowd_at(address: str, *, seconds: float, players: int = 8):
    """A crowd that plays in a thread meanwhile; its report, once it has finished."""
    found: list[crowd.Report] = []
    plan = crowd.Plan(address, players=players, seconds=seconds, misbehaviour=0.3, seed=1)
    thread = threading.Thread(target=lambda: found.append(asyncio.run(crowd.run(plan))))
    thread.start()
    try:
        yield found
    finally:
        thread.join()


def no_faults(store: str) -> None:
    report = audit(read_store(store))
    assert report.findings == []
    assert report.rounds > 0


def test_servers_killed_while_a_crowd_plays_lose_nothing(folder):
    port, log, rng = free_port(), folder / "log", random.Random(1)
    server = Process(port, log=log)
    assert server.announced == f"The quick house: 2 tables at http://127.0.0.1:{port}\n"
    with crowd_at(f"http://127.0.0.1:{port}", seconds=2.5 * KILLS) as found:
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.5, 2))
            assert server.stop(signal.SIGKILL) == -9
            server = Process(port, log=log)
    assert server.stop(signal.SIGTERM) == 0
    (report,) = found
    assert report.faults == []
    assert report.acknowledged > 0
    assert report.resent > 0
    no_faults(f"sqlite:///{folder}/baccarat.db")
    assert "Traceback" not in log.read_text(encoding="utf-8")


def test_two_servers_on_one_postgresql_take_over_from_each_other(folder):
    with postgresql(folder) as database:
        store = new_database(database)
        more, log = ("--store", store, "--key", "the.key"), folder / "log"
        ports = free_port(), free_port()
        servers = [Process(port, *more, log=log) for port in ports]
        # The crowd is at the second server; the first drives the tables until it is killed.
        with crowd_at(f"http://127.0.0.1:{ports[1]}", seconds=7) as found:
            time.sleep(2)
            assert servers[0].stop(signal.SIGKILL) == -9
        assert found[0].faults == []
        assert found[0].rounds > 0
        ready = httpx.get(f"http://127.0.0.1:{ports[1]}/ready").json()
        assert sorted(ready["driving"]) == ["one", "two"]
        assert servers[1].stop(signal.SIGTERM) == 0
        no_faults(store)


def test_a_drained_server_ends_its_rounds(folder):
    server = Process(0, log=folder / "log", BACCARAT_PIT_PASSWORD="open sesame")  # noqa: S106
    address = re.search(r"http://\S+", server.announced)[0]
    with httpx.Client(base_url=address) as client:
        body = {"account": "pit", "password": "open sesame"}
        assert client.post("/api/session", json=body).json()["role"] == "pit"
    with crowd_at(address, seconds=1.5) as found:
        pass
    assert found[0].faults == []
    assert server.stop(signal.SIGTERM) == 0
    report = audit(read_store(f"sqlite:///{folder}/baccarat.db"))
    assert (report.findings, report.held) == ([], {})
    assert (folder / "baccarat.db.key").stat().st_mode & 0o777 == 0o600
    assert main(["backup", "baccarat.db", "copy.db"]) == 0
    assert audit(read_store(f"sqlite:///{folder}/copy.db")).heads == report.heads


def complaint(capsys, *words: str) -> str:
    assert main(list(words)) == 2
    told = capsys.readouterr().err
    assert told.startswith("baccarat: ")
    assert told.count("\n") == 1
    return told


def test_what_cannot_be_served_is_said_in_a_sentence(folder, capsys, monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert "in use; choose another --port" in complaint(capsys, "serve", "--port", port)
    assert "cannot listen" in complaint(capsys, "serve", "--port", "99999")
    assert "no store" in complaint(capsys, "serve", "--store", "mysql://x", "--key", "k")
    assert "needs the key" in complaint(capsys, "serve", "--store", "postgresql://x/y")
    assert "cannot be read" in complaint(capsys, "serve", "--house", "nowhere.toml")
    monkeypatch.setenv("BACCARAT_KEY", "short")
    assert "64 hexadecimal digits" in complaint(capsys, "serve")
    monkeypatch.delenv("BACCARAT_KEY")
    connection = sqlite3.connect("newer.db")
    connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
    connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    connection.commit()
    connection.close()
    newer = complaint(capsys, "serve", "--port", "0", "--store", "newer.db")
    assert "written by a newer program" in newer
    assert "there is no store" in complaint(capsys, "backup", "nowhere.db", "copy.db")
    assert "newer.db exists" in complaint(capsys, "backup", "newer.db", "newer.db")


def test_a_crowd_that_cannot_play_says_so(folder, capsys):
    address = f"http://127.0.0.1:{free_port()}"
    assert "no house answers" in complaint(capsys, "crowd", address)
    assert "no share" in complaint(capsys, "crowd", address, "--misbehaviour", "often")
    assert "at least one player" in complaint(capsys, "crowd", address, "--players", "0")
