"""Disputes over a rule sheet that leaves questions open: its tables, and rounds to dispute."""

import pytest

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
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
FRAGMENT = """
[[ambiguity]]
bets = ["player"]
in_force = "loses"
status = "open"

[[ambiguity.reading]]
id = "loses"
text = "It loses."

[[ambiguity.reading]]
id = "returned"
text = "It is returned."

[[ambiguity.reading.bet]]
id = "player"
lines = [
  { when = { winner = "player" }, pays = "1:1" },
  { when = { winner = ["tie", "banker"] }, pays = "stand-off" },
]
"""
"""An ambiguity that fits the card `punto-banco`; replayed, a lost Player bet is returned."""


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
    """Bet on Banker until another reading would have paid more and every card is known."""
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


def lose_a_round(client, table: str = "fast", *, win: bool = False) -> int:
    """Bet on Player until a bet is lost (or won) and the next round has begun; return the round."""
    for attempt in range(300):
        number = client.get(f"/api/tables/{table}").json()["round"]
        body = {"round": number, "wagers": [{"bet": "player", "stake": 2_000}]}
        key = {"Idempotency-Key": f"lose-{attempt}-{number}"}
        if client.put(f"/api/tables/{table}/wagers", json=body, headers=key).is_error:
            continue
        while client.get(f"/api/tables/{table}").json()["round"] == number:
            pass
        found = client.get(f"/api/tables/{table}/rounds/{number}/dispute")
        paid = found.json()["paid"] if found.is_success else 0
        if paid > 0 if win else paid < 0:
            return number
    pytest.fail("no such round")
