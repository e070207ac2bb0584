"""Killed processes: everything acknowledged is stored, and the audit finds no faults.

`KILLS=50 pytest tests/store/test_killed.py` kills more of them.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

from baccarat.auditor import audit, read_store
from baccarat.store import schema as s
from baccarat.store.sqlstore import SqlStore
from support.samples import amount
from support.stores import new_database

KILLS = amount("KILLS")
PROGRAM = Path(__file__).parents[1] / "support" / "wagering_process.py"


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/house.db"
    return new_database(request.getfixturevalue("server"))


def killed(address: str, seed: int, after: int) -> list[tuple[str, str]]:
    """Run the process, kill it after it has printed `after` lines, and return its output."""
    process = subprocess.Popen(
        [sys.executable, PROGRAM, address, str(seed)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with process:
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -9
    whole = [line.split() for line in lines if line.endswith("\n")]
    return [(player, key) for player, key in whole]


def test_a_killed_server_loses_no_acknowledged_wager(address):
    rng, acknowledged = random.Random(1), []
    for seed in range(KILLS):
        acknowledged += killed(address, seed, rng.randrange(1, 40))
        report = audit(read_store(address))
        assert report.findings == []
        assert set(report.held) <= {"one"}
    store = SqlStore.open(address)
    with store.engine.connect() as connection:
        rows = connection.execute(select(s.answers.c.owner, s.answers.c.key))
        kept = {tuple(row) for row in rows}
    store.close()
    assert len(acknowledged) >= KILLS
    assert set(acknowledged) <= kept
