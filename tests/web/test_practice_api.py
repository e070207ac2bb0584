"""Practice through the API: every kind of error is planted, and nothing is recorded anywhere."""

import pytest
from sqlalchemy import func, select

from baccarat.core.misdeals import IrregularityKind
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.store import schema as s
from baccarat.store.engine import read_only
from support.by_hand import hand_settings
from support.served import closing_clients, code, served, until

PLAN = TablePlan("hand", "By hand", hand_settings(), guests=True)
HOUSE = House("The house", "GBP", 100_000, (PLAN,))
SEED = "0123456789abcdef"
LEFT_OUT = {"sessions"}
"""Rows that a visit to any page may change."""


@pytest.fixture
def site(tmp_path):
    with served(tmp_path, house=HOUSE) as found, closing_clients(found):
        yield found


def rows(tmp_path) -> dict[str, int]:
    with read_only(f"sqlite:///{tmp_path}/house.db") as connection:
        return {
            name: connection.execute(select(func.count()).select_from(table)).scalar()
            for name, table in s.metadata.tables.items()
            if name not in LEFT_OUT
        }


def test_a_cycle_plants_every_kind_of_error_and_says_what_was_caught(site):
    client, kinds = site.staff("dealer"), []
    for number in range(10):
        path = f"/api/practice/{SEED}/{number}"
        steps = client.get(path).json()["steps"]
        answer = client.get(f"{path}/answer", params={"step": 0}).json()
        kinds.append(answer["kind"])
        if answer["kind"] is None:
            assert answer["caught"] is True, "nothing was wrong"
            continue
        assert answer["caught"] is False
        assert answer["remedy"]
        named = {"step": answer["step"], "kind": answer["kind"]}
        assert client.get(f"{path}/answer", params=named).json()["caught"] is True
        early = {**named, "step": answer["step"] - 1}
        assert client.get(f"{path}/answer", params=early).json()["caught"] is False
        others = (kind for kind in IrregularityKind if kind != answer["kind"])
        wrong = {**named, "kind": next(others)}
        assert client.get(f"{path}/answer", params=wrong).json()["caught"] is False
        assert 0 < answer["step"] < len(steps)
    assert sorted(filter(None, kinds)) == sorted(IrregularityKind)
    assert kinds.count(None) == 2


def test_practice_leaves_nothing_in_the_books(site, tmp_path):
    client, pit = site.staff("dealer"), site.staff("pit")
    kinds = {"topic": "sign-in"}
    events = "/api/house/events"  # sign-ins are recorded in the background
    until(lambda: pit.get(events, params=kinds).text.count('"SignedIn"') == 2)
    watched = ("/api/pit", "/api/house/events")
    before, seen = rows(tmp_path), [sorted(pit.get(path).json()) for path in watched]
    assert client.get("/practice").status_code == 200
    for number in range(10):
        client.get(f"/api/practice/{SEED}/{number}").raise_for_status()
        client.get(f"/api/practice/{SEED}/{number}/answer").raise_for_status()
    assert rows(tmp_path) == before
    assert [sorted(pit.get(path).json()) for path in watched] == seen


def test_practice_is_for_those_who_deal(site):
    path = f"/api/practice/{SEED}/0"
    assert code(site.staff("cashier").get(path)) == "not-allowed"
    assert code(site.client().get(path)) == "not-signed-in"
