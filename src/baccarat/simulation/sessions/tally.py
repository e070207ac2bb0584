"""Totals of simulated sessions: distributions in whole numbers that can be added up."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from baccarat.simulation.jobs import Sums
from baccarat.simulation.sessions import kernel

PATHS = 1_024
"""Number of sessions whose bankroll path is recorded, for plots."""

ENDINGS = {
    kernel.RUINED: "ruined",
    kernel.STOP_LOSS: "stop_loss",
    kernel.STOP_WIN: "stop_win",
    kernel.OUT_OF_TIME: "time",
}
"""Ways a session can end; ruined means the bankroll does not cover the minimum stake."""


@dataclass(frozen=True)
class Sessions(Sums):
    """Totals of some sessions, in whole numbers."""

    sessions: int
    results: dict[int, int]
    """Sessions by net result in coins."""
    falls: dict[int, int]
    """Sessions by maximum drawdown in coins: the deepest fall below an earlier peak."""
    losing_runs: dict[int, int]
    """Sessions by longest run of lost wagers; stand-offs do not end one."""
    endings: dict[str, dict[int, int]]
    """Sessions by how they ended and by the number of coups played."""
    coups: int
    wagers: int
    turnover: int
    """Sum of all stakes."""
    coups_squared: int
    """Sum over the sessions of coups squared."""
    result_coups: int
    """Sum over the sessions of result times coups; with `coups_squared`, used for the standard
    error of the cost per hour."""
    paths: tuple[tuple[int, ...], ...]
    """For the first sessions, the bankroll at regular points; after the end, the final one."""

    def __add__(self, other: "Sessions") -> "Sessions":
        total = super(Sessions, replace(self, paths=())).__add__(replace(other, paths=()))
        return replace(total, paths=(self.paths + other.paths)[:PATHS])


def sessions_of(rows: Any, paths: Any, bankroll: int) -> Sessions:
    """Total the kernel's rows of sessions, and keep the paths of the first ones."""
    last = rows[: len(paths), kernel.BANKROLL]
    paths = np.where(paths < 0, last[:, None], paths)
    results = rows[:, kernel.BANKROLL] - bankroll
    coups = rows[:, kernel.PLAYED]
    return Sessions(
        len(rows),
        _counted(results),
        _counted(rows[:, kernel.FALL]),
        _counted(rows[:, kernel.LONGEST]),
        {how: _counted(coups[rows[:, kernel.ENDED] == ending]) for ending, how in ENDINGS.items()},
        int(coups.sum()),
        int(rows[:, kernel.WAGERS].sum()),
        sum(rows[:, kernel.TURNOVER].tolist()),
        int((coups * coups).sum()),
        sum(int(result) * int(n) for result, n in zip(results, coups, strict=True)),
        tuple(map(tuple, paths.tolist())),
    )


def _counted(values: Any) -> dict[int, int]:
    each, times = np.unique(values, return_counts=True)
    return dict(zip(each.tolist(), times.tolist(), strict=True))


def quantile(tallied: Mapping[int, int], chance: float) -> int:
    """Return the smallest value that is not exceeded by this share of the counts."""
    wanted, seen = chance * sum(tallied.values()), 0
    for value, n in sorted(tallied.items()):
        seen += n
        if seen >= wanted:
            return value
    return max(tallied)
