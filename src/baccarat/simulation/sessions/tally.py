"""Totals of simulated sessions: distributions as whole numbers, which can be added up."""

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
"""The ways in which a session can end; "ruined" means that the bankroll does not cover the minimum
stake."""


@dataclass(frozen=True)
class Sessions(Sums):
    """The totals of some sessions, in whole numbers."""

    sessions: int
    results: dict[int, int]
    """Number of sessions by net result in coins."""
    falls: dict[int, int]
    """Number of sessions by maximum drawdown in coins: the deepest fall below an earlier peak."""
    losing_runs: dict[int, int]
    """Number of sessions by longest run of lost wagers; stand-offs do not end a run."""
    endings: dict[str, dict[int, int]]
    """Number of sessions by how they ended and by the number of coups played."""
    coups: int
    wagers: int
    turnover: int
    """Sum of all stakes in coins."""
    coups_squared: int
    """Sum over all sessions of the number of coups squared."""
    result_coups: int
    """Sum over all sessions of result times number of coups. This and `coups_squared` are used for
    the standard error of the cost per hour."""
    paths: tuple[tuple[int, ...], ...]
    """For the first sessions, the bankroll at regular intervals; after a session has ended, its
    final bankroll."""

    def __add__(self, other: "Sessions") -> "Sessions":
        total = super(Sessions, replace(self, paths=())).__add__(replace(other, paths=()))
        return replace(total, paths=(self.paths + other.paths)[:PATHS])


def sessions_of(rows: Any, paths: Any, bankroll: int) -> Sessions:
    """Return the totals of the sessions in `rows`, which the kernel filled in. `paths` holds the
    bankroll paths of the first sessions; points after a session's end are set to its final
    bankroll."""
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
    """Return the smallest value such that at least this share of the items have it or a lower
    one."""
    wanted, seen = chance * sum(tallied.values()), 0
    for value, n in sorted(tallied.items()):
        seen += n
        if seen >= wanted:
            return value
    return max(tallied)
