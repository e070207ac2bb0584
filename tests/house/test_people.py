"""The people who work in a house: their tables, their sign-ins and their second factors."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from baccarat.auditor import audit, read_store
from baccarat.auditor.real_cards import RealCardBooks
from baccarat.house.housefile import House
from baccarat.house.people.roles import Role
from baccarat.house.table_plans import TablePlan
from baccarat.store import schema as s
from support.by_hand import hand_settings
from support.dealing import KEYS
from support.served import closing_clients, code, served, until

PLAN = TablePlan("left", "Left", hand_settings(), guests=True)
HOUSE = House("The house", "GBP", 100_000, (PLAN, replace(PLAN, id="right", name="Right")))


@pytest.fixture
def site(tmp_path):
    with served(tmp_path, house=HOUSE) as found, closing_clients(found):
        yield found


def findings(site) -> list[str]:
    until(lambda: not site.is_writing())
    return audit(read_store(str(site.store.engine.url))).findings


def colleague(pit, who: str) -> dict:
    (found,) = [one for one in pit.get("/api/staff").json()["staff"] if one["account"] == who]
    return found


def assign(pit, who: str, *tables: str):
    return pit.put(f"/api/staff/{who}/tables", json={"tables": list(tables)})


def take(client, table: str):
    key = {"Idempotency-Key": f"{next(KEYS)}"}
    return client.post(f"/api/tables/{table}/calls", json={"call": "take-table"}, headers=key)


def test_a_dealer_takes_only_the_tables_they_are_assigned_to(site):
    pit, dealer = site.staff("pit"), site.staff("dealer")
    assert colleague(pit, "the-dealer")["tables"] == []
    assert assign(pit, "the-dealer", "right").status_code == 204
    assert colleague(pit, "the-dealer")["tables"] == ["right"]
    refused = take(dealer, "left")
    assert code(refused) == "not-allowed"
    assert "assigned to other tables" in refused.json()["detail"]
    assert take(dealer, "right").status_code == 200
    assert assign(pit, "the-dealer").status_code == 204
    assert take(dealer, "left").status_code == 200
    assert findings(site) == []


def test_only_the_pit_assigns_and_only_people_who_work_at_tables(site):
    pit, dealer = site.staff("pit"), site.staff("dealer")
    assert code(assign(dealer, "the-dealer", "left")) == "not-allowed"
    assert code(assign(pit, "the-cashier", "left")) == "not-allowed"
    assert code(assign(pit, "the-pit", "left")) == "not-allowed"
    assert code(assign(pit, "the-dealer", "nowhere")) == "no-such-table"
    site.colleague("dora").close()
    assert assign(pit, "dora", "left", "right").status_code == 204
    page = pit.get("/pit/staff").text
    assert "Left, Right" in page


def test_a_changed_assignment_or_sign_in_is_found(site):
    pit = site.staff("pit")
    assign(pit, "the-dealer", "right")
    until(lambda: colleague(pit, "the-pit")["signed_in_at"])
    assert findings(site) == []
    with site.store.engine.begin() as connection:
        changed = update(s.people).values(tables="left", signed_in=1)
        connection.execute(changed.where(s.people.c.role == str(Role.DEALER)))
    assert findings(site) == [
        "the-dealer: signed in 1 in the store, 0 in the journal",
        "the-dealer: tables 'left' in the store, 'right' in the journal",
    ]


@pytest.mark.parametrize(("tables", "found"), [(("right",), 1), (("left", "right"), 0), ((), 0)])
def test_the_audit_finds_a_dealer_at_a_table_they_were_not_assigned_to(tables, found):
    books = RealCardBooks("table:left", staff={"dee": ("dealer", ())})
    books.assigned["dee"] = [(1, ("left",)), (100_000, tables)]
    books.check_event(1, "DealerChanged", {"at": 200_000, "dealer": "dee", "before": ""})
    assert len(books.findings) == found


def test_the_staff_list_shows_the_last_sign_in(site):
    pit = site.staff("pit")
    assert colleague(pit, "the-auditor")["signed_in_at"] is None
    with site.staff("auditor"):
        until(lambda: colleague(pit, "the-auditor")["signed_in_at"])
    shown = colleague(pit, "the-auditor")["signed_in_at"]
    assert abs(shown - site.service.environment.clock()) < 60_000
