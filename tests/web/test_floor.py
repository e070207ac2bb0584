"""The floor: emergency stops, alerts that someone has seen, and notes between shifts."""

import time
from dataclasses import replace

import pytest

from baccarat.auditor import audit, read_store
from baccarat.auditor.real_cards import RealCardBooks
from baccarat.house.table_plans import TablePlan
from baccarat.table.settings import Clock
from support.by_hand import hand_settings
from support.dealing import Dealing
from support.live import settings_for
from support.served import HOUSE, closing_clients, code, served, until

QUICK = Clock(betting=1_500, card=400, pause=1_000)
DEALT = TablePlan("dealt", "Dealt", settings_for(clock=QUICK), guests=True, pit="Pit A")
HAND = TablePlan("hand", "By hand", hand_settings(), guests=True, pit="Pit B")
FLOOR = replace(HOUSE, tables=(DEALT, HAND))


@pytest.fixture
def site(tmp_path):
    with served(tmp_path, house=FLOOR) as found, closing_clients(found):
        yield found
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def floor(pit) -> dict:
    answer = pit.get("/api/pit")
    assert answer.status_code == 200, answer.text
    return answer.json()


def head(site, table: str) -> int:
    return site.store.head(f"table:{table}").sequence


@pytest.mark.requirement("G26")
def test_g26_an_emergency_stop_freezes_a_round_and_cancels_nothing(site):
    pit, ann = site.staff("pit"), site.guest()
    state = lambda: site.store.state("table:dealt")  # noqa: E731
    until(
        lambda: state().round.phase == "open" and state().round.closes_at - 800 > time.time() * 1000
    )
    number = state().round.number
    body = {"round": number, "wagers": [{"bet": "player", "stake": 1_000}]}
    key = {"Idempotency-Key": "stop"}
    assert ann.put("/api/tables/dealt/wagers", json=body, headers=key).status_code == 200
    until(lambda: state().round.phase == "dealing")
    assert pit.post("/api/house/stop").status_code == 204
    frozen = state()
    assert frozen.frozen
    assert frozen.round.number == number
    before = head(site, "dealt")
    time.sleep(2)
    assert head(site, "dealt") == before  # nothing is dealt, paid or cancelled
    withdrawn = {"round": number, "wagers": []}
    refused = ann.put("/api/tables/dealt/wagers", json=withdrawn, headers={"Idempotency-Key": "w"})
    assert code(refused) == "table-paused"
    shown = floor(pit)
    assert [table["frozen"] for table in shown["tables"]] == [True, True]
    assert (shown["stop"]["by"], shown["stop"]["words"]) == ("The pit", None)
    assert pit.post("/api/house/stop/reason", json={"reason": "smoke"}).status_code == 204
    assert floor(pit)["stop"]["words"] == "smoke"
    assert code(pit.post("/api/house/stop/reason", json={"reason": "again"})) == "not-allowed"
    assert pit.post("/api/house/resume").status_code == 204
    until(lambda: state().round.number > number)
    assert floor(pit)["stop"] is None
    events = ann.get(f"/api/tables/dealt/rounds/{number}").json()["events"]
    assert events[-1]["type"] == "RoundSettled"


def test_an_emergency_stop_freezes_a_dealer_until_the_house_resumes(site):
    dealer, pit = Dealing(site).ready(), site.staff("pit")
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    dealer.do("cards", {"card": "6h"})
    pit.post("/api/house/stop")
    refused = dealer.refused("cards", {"card": "7h"})
    assert refused["code"] == "table-paused"
    assert "stopped in an emergency" in refused["detail"]
    assert dealer.console()["next"]["do"] == "wait"
    pit.post("/api/house/resume")
    dealer.do("cards", {"card": "7h"})


def test_the_audit_finds_a_card_after_an_emergency_stop():
    books = RealCardBooks("table:left")
    paused = {"at": 1, "by": "pit", "reason": "", "house": True, "frozen": True}
    books.check_event(1, "TablePaused", paused)
    books.check_event(2, "RoundOpened", {"at": 2, "round": 1, "closes_at": 3, "bets": True})
    assert (2, "RoundOpened after an emergency stop") in books.findings
    books.check_event(3, "TableResumed", {"at": 3, "by": "pit", "house": True, "stays": False})
    assert not books.stopped


@pytest.mark.parametrize("role", ["dealer", "cashier", "auditor"])
def test_only_the_pit_stops_the_house_and_writes_notes(site, role):
    with site.staff(role) as other:
        assert code(other.post("/api/house/stop")) == "not-allowed"
        assert code(other.post("/api/pit/notes", json={"words": "x"})) == "not-allowed"
        seen = other.post(f"/api/pit/alerts/{'0' * 32}/acknowledgement")
        assert code(seen) == "not-allowed"


def test_an_alert_is_acknowledged_by_name_and_keeps_its_id(site):
    pit = site.staff("pit")
    pit.post("/api/tables/dealt/pause", json={"reason": "inspection"})
    (alert,) = floor(pit)["alerts"]
    assert alert["acknowledged"] is None
    assert pit.post(f"/api/pit/alerts/{alert['id']}/acknowledgement").status_code == 204
    site.colleague("dora").post(f"/api/pit/alerts/{alert['id']}/acknowledgement")
    (again,) = floor(pit)["alerts"]
    assert again["id"] == alert["id"]
    assert again["acknowledged"]["by"] == "The pit"  # the first
    pit.post("/api/tables/dealt/resume")
    pit.post("/api/tables/dealt/pause", json={"reason": "inspection"})
    (other,) = floor(pit)["alerts"]
    assert other["id"] != alert["id"]
    assert other["acknowledged"] is None


def test_a_note_waits_for_the_next_shift(site):
    pit, dora = site.staff("pit"), site.colleague("dora")
    assert pit.post("/api/pit/notes", json={"words": "seat 3 disputes a tie"}).status_code == 204
    (note,) = floor(dora)["notes"]
    assert (note["by"], note["words"], note["acknowledged"]) == (
        "The pit",
        "seat 3 disputes a tie",
        None,
    )
    dora.post(f"/api/pit/alerts/{note['id']}/acknowledgement")
    assert floor(pit)["notes"][0]["acknowledged"]["by"] == "Dora"
    page = pit.get("/pit").text
    assert "Seen by Dora" in page
    assert page.index("Pit A") < page.index("Dealt") < page.index("Pit B") < page.index("By hand")


def test_a_server_stops_while_the_house_is_frozen(tmp_path):
    with served(tmp_path, house=FLOOR) as found, found.staff("pit") as pit:
        until(lambda: found.store.state("table:dealt").round.phase == "open")
        pit.post("/api/house/stop")
    with served(tmp_path, house=replace(FLOOR, tables=(HAND, DEALT))) as found:
        assert found.store.state("table:dealt").frozen
