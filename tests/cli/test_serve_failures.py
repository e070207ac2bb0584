"""Failures during a load test: killed servers, a full disk, a lost or locked database.

Whatever happens, no acknowledged wager is lost, every round is settled completely, and the clients'
records agree with the independent audit. `KILLS=50` in the environment kills more servers on
either store, `SECONDS=20` lets the rest last longer.
"""

import os
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing

import httpx
import pytest

from support.processes import WATCHING, Servers, check_nothing_lost, free_port, load_test_at
from support.samples import amount
from support.stores import new_database, postgresql_server, start_again

KILLS = amount("KILLS")
SECONDS = amount("SECONDS")
"""How long a disk is full, or a database stopped or locked."""


@pytest.fixture
def servers(tmp_path, monkeypatch):
    monkeypatch.delenv("BACCARAT_KEY", raising=False)
    found = Servers(tmp_path)
    yield found
    found.close()


def no_traceback(servers: Servers) -> None:
    assert "Traceback" not in servers.said()


@pytest.mark.requirement("G03")
def test_servers_killed_during_a_load_test_lose_nothing(servers):
    """Each server is killed between wagers that it accepts."""
    port, rng = free_port(), random.Random(1)
    server = servers.start(port)
    with load_test_at(server.address) as crowd:
        for _ in range(KILLS):
            crowd.until(server, rng.randrange(1, 12))
            assert server.stop(signal.SIGKILL) == -9
            server = servers.start(port)
        crowd.until(server, 1)
    assert server.stop(signal.SIGTERM) == 0
    assert check_nothing_lost(f"sqlite:///{servers.folder}/baccarat.db", crowd).held == {}
    assert crowd.report.reconnects >= KILLS
    no_traceback(servers)


def test_two_servers_of_one_postgresql_share_the_tables_and_are_killed_in_turn(servers, server):
    """Both start at once and have players; each in turn is killed and restarted."""
    store, rng = new_database(server), random.Random(2)
    more = ("--store", store, "--key", "the.key")
    ports = free_port(), free_port()
    racing = [servers.start(port, *more) for port in ports]
    with load_test_at(racing[0].address) as one, load_test_at(racing[1].address) as two:
        crowds = (one, two)
        for n in range(KILLS):
            crowds[n % 2].until(racing[n % 2], rng.randrange(1, 12))
            assert racing[n % 2].stop(signal.SIGKILL) == -9
            racing[n % 2] = servers.start(ports[n % 2], *more)
        for crowd, running in zip(crowds, racing, strict=True):
            crowd.until(running, 1)
        while sorted(running.driving() for running in racing) != [["one"], ["two"]]:
            time.sleep(0.1)
    assert racing[0].stop(signal.SIGTERM) == 0
    while racing[1].driving() != ["one", "two"]:
        time.sleep(0.1)
    assert racing[1].stop(signal.SIGTERM) == 0
    assert check_nothing_lost(store, one, two).held == {}
    no_traceback(servers)


def test_a_database_that_crashes_and_restarts_loses_nothing(servers):
    """PostgreSQL is crashed and restarted while a server has players."""
    with postgresql_server() as database:
        store = new_database(database.get_uri())
        server = servers.start(0, "--store", store, "--key", "the.key")
        with load_test_at(server.address) as crowd:
            crowd.until(server, 3)
            os.kill(database.get_pid(), signal.SIGQUIT)
            while httpx.get(f"{server.address}/ready", timeout=30).status_code != 503:
                time.sleep(0.05)
            assert httpx.get(f"{server.address}/health", timeout=30).status_code == 200
            metrics = httpx.get(f"{server.address}/metrics", headers=WATCHING, timeout=30).text
            assert "baccarat_ledger_sum_age_seconds" in metrics
            time.sleep(SECONDS)
            start_again(database)
            while httpx.get(f"{server.address}/ready", timeout=30).status_code != 200:
                time.sleep(0.05)
            crowd.until(server, 3)
        assert server.stop(signal.SIGTERM) == 0
        assert check_nothing_lost(store, crowd).held == {}
    no_traceback(servers)


def test_wagers_wait_while_another_process_locks_the_database(servers):
    server = servers.start()
    path = servers.folder / "baccarat.db"
    with load_test_at(server.address) as crowd:
        crowd.until(server, 3)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(SECONDS)
            other.execute("ROLLBACK")
        crowd.until(server, 3)
    assert server.stop(signal.SIGTERM) == 0
    assert check_nothing_lost(f"sqlite:///{path}", crowd).held == {}
    no_traceback(servers)


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of eight megabytes; only root can do that."""
    folder = tmp_path / "small-disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here: mount is not permitted")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_temporarily_full_disk_loses_nothing(servers, small_disk):
    path = small_disk / "house.db"
    server = servers.start(0, "--store", str(path))
    with load_test_at(server.address) as crowd:
        crowd.until(server, 3)
        filling = small_disk / "filling"
        with filling.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
        while httpx.get(f"{server.address}/ready", timeout=30).status_code != 503:
            time.sleep(0.05)
        assert "disk is full" in servers.said()
        time.sleep(SECONDS)
        filling.unlink()
        crowd.until(server, 3)
    assert server.stop(signal.SIGTERM) == 0
    assert check_nothing_lost(f"sqlite:///{path}", crowd).held == {}
    no_traceback(servers)
