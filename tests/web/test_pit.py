"""The pit's API: an overview of all tables, with results and theory."""

import pytest

from support.served import code, play_rounds, served


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.mark.requirement("G25")
def test_g25_the_overview_shows_every_table_with_expectation_and_bounds(house):
    with house.staff("pit") as pit, house.guest() as guest:
        mine = play_rounds(guest, 3)
        floor = pit.get("/api/pit").json()
        fast = next(table for table in floor["tables"] if table["id"] == "fast")
        settled = sum(sum(w["stake"] for w in one["wagers"]) for one in mine)
        net = sum(sum(w["net"] for w in one["wagers"]) for one in mine)
        assert fast["guests"]["turnover"] == settled
        assert fast["guests"]["result"] == -net
        assert fast["guests"]["low"] <= -net <= fast["guests"]["high"]
        assert not fast["guests"]["outside"]
        assert fast["today"]["turnover"] == 0
        assert fast["shoe"]["size"] == 52
        assert floor["once_in"] == 10_000
        assert "10,000" in floor["words"]


def test_the_overview_is_for_pit_and_auditor_only(house):
    for role, may in (("player", False), ("dealer", False), ("cashier", False), ("auditor", True)):
        with house.staff(role) as client:
            answer = client.get("/api/pit")
            assert answer.is_success if may else code(answer) == "not-allowed", role
