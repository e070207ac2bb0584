"""Disputes over a rule sheet that leaves questions open: its tables, and rounds to dispute."""

import pytest

from baccarat.house.housefile import House, TablePlan
from baccarat.shoe.commitment import Source
from baccarat.table import commands as c
from baccarat.table.disputes.replay import Case
from baccarat.table.settings import Clock
from support.documented import ROOT
from support.live import settings_for

FOLDER = ROOT / "examples" / "disputed"
SMUDGED = str(FOLDER / "smudged.toml")
ALONE = 10_000
"""What one person may decide alone."""
DISPUTES = "/api/tables/one/disputes"


def smudged(**other):
    """Settings of a table whose card is `SMUDGED`."""
    return settings_for(SMUDGED, decks=8, **other)


RAINY = House(
    "The rainy house",
    "GBP",
    None,
    (
        TablePlan(
            "one",
            "One",
            smudged(source=Source.SHUFFLER, clock=Clock(150, 5, 60)),
            guests=True,
        ),
    ),
    decide_alone=4_000,
)


def opening(case: Case, words: str) -> c.OpenDispute:
    return c.OpenDispute(case.round, case.result.player, words)


def wager_until_disputable(ann) -> tuple[int, dict]:
    """Wager on the banker until another reading would have paid more, every card being known."""
    for attempt in range(300):
        table = ann.get("/api/tables/one").json()
        body = {"round": table["round"], "wagers": [{"bet": "banker", "stake": 100_000}]}
        key = {"Idempotency-Key": f"k{attempt}"}
        if ann.put("/api/tables/one/wagers", json=body, headers=key).is_error:
            continue
        number = table["round"]
        while ann.get("/api/tables/one").json()["round"] == number:
            pass
        found = ann.get(f"/api/tables/one/rounds/{number}/dispute").json()
        if found["pending"] == 0 and found["proposed"]["due"] > 0:
            return number, found
    pytest.fail("no such round")
