"""A whole house under faults, from one seed: every coin found, every wager settled exactly once.

`SEEDS=1000 pytest tests/test_house_simulation.py` runs a thousand houses.
"""

import os
from collections import Counter

import pytest

from baccarat.auditor import audit
from baccarat.table import events as e
from simulated_house import SimulatedHouse, count, rows_of

SEEDS = int(os.environ.get("SEEDS", "12"))
STEPS = 120


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_house_loses_nothing_whatever_fails(seed):
    house = SimulatedHouse(seed)
    for _ in range(STEPS):
        house.step()
    between = audit(rows_of(house.engine))
    assert between.findings == []
    house.finish()
    report = audit(rows_of(house.engine))
    assert report.findings == []
    assert report.held == {}
    assert house.unanswered == {}
    house.check_wagers()
    house.engine.dispose()


def test_the_same_seed_is_the_same_house():
    def run() -> tuple:
        house = SimulatedHouse(7)
        for _ in range(STEPS):
            house.step()
        report = audit(rows_of(house.engine))
        house.engine.dispose()
        return report.heads, report.balances, len(house.acknowledged)

    assert run() == run()


def test_the_simulation_meets_what_it_is_for():
    """Rounds are settled, wagers taken and refused, leases change hands, answers get lost."""
    met: Counter[str] = Counter()
    for seed in range(6):
        house = SimulatedHouse(seed)
        for _ in range(STEPS):
            house.step()
            met["unanswered"] += bool(house.unanswered)
        met["wagers"] += len(house.acknowledged)
        met["repeated"] += sum(done.repeated for done in house.acknowledged.values())
        met["refused"] += len(house.refused)
        met["settled"] += count(house.engine, e.RoundSettled)
        met["leases"] += count(house.engine, e.LeaseTaken)
        met["restarts"] += house.restarts - 2
        house.engine.dispose()
    for what, often in (
        *(("wagers", 60), ("repeated", 5), ("refused", 20), ("unanswered", 20)),
        *(("settled", 20), ("leases", 20), ("restarts", 5)),
    ):
        assert met[what] > often, met
