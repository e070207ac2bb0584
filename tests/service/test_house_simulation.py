"""Hundreds of simulated houses with faults: every coin is accounted for, every wager settled once.

`SEEDS=5000` in the environment runs more of them. A seed that fails is run again by
`PYTHONPATH=src:tests python -m support.simulated_house SEED`.
"""

import contextlib
import logging
from collections import Counter
from dataclasses import replace

import msgspec
import pytest
from sqlalchemy.exc import SQLAlchemyError

from baccarat.house.ports import Done
from baccarat.store.commit import Commit
from baccarat.store.sqlstore import SqlStore
from baccarat.table import decide, phases, wagers
from baccarat.table.commands import ServerCommand, SettleRound
from baccarat.table.events import RoundSettled
from baccarat.table.phases import Phase
from support import simulated_house
from support.samples import amount
from support.simulated_house import COMMIT_FAULTS, rows_of, run

SEEDS = amount("SEEDS")
PLANTED_SEEDS = 1000
"""Number of houses within which a planted defect must be noticed."""
BATCH = 20
MET = 40
"""Number of houses whose statistics are summed; the others follow them."""


@pytest.fixture(autouse=True)
def _without_logs():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("first", range(MET, MET + SEEDS, BATCH))
def test_a_house_loses_nothing_under_random_faults(first):
    for seed in range(first, min(first + BATCH, MET + SEEDS)):
        run(seed)


def test_the_same_seed_gives_the_same_house():
    def once() -> tuple:
        house = run(8)
        return house.met, house.seen, rows_of(house.engine)

    assert once() == once()


def test_the_simulation_covers_every_fault_and_outcome():
    """Every fault; settled rounds; accepted, refused and repeated commands; lease changes."""
    met: Counter[str] = Counter()
    for seed in range(MET):
        house = run(seed)
        met += house.met
        met["settled"] += house.report.rounds
        met["wagers"] += house.report.wagers
        met["leases"] += sum(house.state(table).epoch for table in house.tables)
        for sent in house.sent:
            if isinstance(sent.acknowledged, Done):
                met["taken, repeated" if sent.acknowledged.repeated else "taken"] += 1
            else:
                met[f"refused: {sent.refused.code}"] += 1
    for fault in COMMIT_FAULTS:
        assert met[f"commit {fault}"] > 3, met
    for what, often in (
        *(("settled", 24), ("wagers", 24), ("leases", 48), ("taken", 48), ("kill", 24)),
        *(("taken, repeated", 10), ("read failed", 24), ("not answered", 24), ("sent again", 24)),
        *(("refused: betting-closed", 10), ("refused: no-such-round", 10)),
    ):
        assert met[what] > often, met


# ---- defects that must be found ------------------------------------------------------------------


def _acknowledges_before_the_commit(monkeypatch):
    def commit(self, jobs):
        results = []
        with contextlib.suppress(SQLAlchemyError), self._transaction() as connection:
            one = Commit(connection, self._states)
            one.read(jobs)
            results = [one.run(job) for job in jobs]
            one.write()
        return results

    monkeypatch.setattr(SqlStore, "commit", commit)


def _settles_twice(monkeypatch):
    real = decide.check_step

    def check(state, command, now):
        if not (isinstance(command, SettleRound) and state.round.phase is Phase.SETTLED):
            real(state, command, now)

    monkeypatch.setattr(decide, "check_step", check)
    again = {(Phase.SETTLED, RoundSettled): Phase.SETTLED}
    monkeypatch.setattr(phases, "TRANSITIONS", phases.TRANSITIONS | again)


def _accepts_after_the_close(monkeypatch):
    monkeypatch.setattr(wagers, "_check_moment", lambda state, number, now: None)


def _accepts_at_the_last_moment_and_a_little_later(monkeypatch):
    real = wagers._check_moment
    monkeypatch.setattr(
        wagers, "_check_moment", lambda state, number, now: real(state, number, now - 100)
    )


def _does_not_ask_for_the_epoch(monkeypatch):
    real = decide.check_step

    def check(state, command: ServerCommand, now):
        real(state, msgspec.structs.replace(command, epoch=state.epoch), now)

    monkeypatch.setattr(decide, "check_step", check)


def _forgets_keys(monkeypatch):
    real = Commit.run
    monkeypatch.setattr(Commit, "run", lambda self, job: real(self, replace(job, key=None)))


@pytest.mark.parametrize(
    ("plant", "fault"),
    [
        (_acknowledges_before_the_commit, "inside"),
        (_settles_twice, "twice"),
        (_accepts_after_the_close, "after"),
        (_accepts_at_the_last_moment_and_a_little_later, "after"),
        (_does_not_ask_for_the_epoch, "stalls"),
        (_forgets_keys, "after"),
    ],
)
def test_a_planted_defect_is_found(monkeypatch, plant, fault):
    """All are found within a thousand seeds, and much sooner with only the fault that shows it."""
    monkeypatch.setattr(simulated_house, "COMMIT_FAULTS", (fault,))
    plant(monkeypatch)
    found = next(filter(None, map(failure_of, range(PLANTED_SEEDS))), None)
    assert found is not None, f"{PLANTED_SEEDS} houses, and nobody noticed"
    assert "replay it with" in found.__notes__[-1]


def failure_of(seed: int) -> BaseException | None:
    try:
        run(seed)
    except BaseException as error:
        return error
    return None
