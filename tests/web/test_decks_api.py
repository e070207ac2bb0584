"""Deck sets through the API and on the pit's page, and a shoe that is begun with one."""

import pytest

from baccarat.auditor import audit, read_store
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from support.by_hand import hand_settings
from support.dealing import Dealing
from support.served import closing_clients, code, served

HOUSE = House(
    "The house",
    "GBP",
    100_000,
    (TablePlan("hand", "By hand", hand_settings(decks=2, deck_sets=True), guests=True),),
)
RED = {"id": "red", "colour": "red", "serials": ["A1", "A2"]}
COUNTED = {"table": "hand", "cards": 104, "shuffled_by": "the-dealer"}


@pytest.fixture
def site(tmp_path):
    with served(tmp_path, house=HOUSE) as found:
        with closing_clients(found):
            yield found
        assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


@pytest.mark.requirement("R41")
def test_a_shoe_is_begun_with_a_deck_set_that_the_pit_prepared(site):
    dealer, pit = Dealing(site), Dealing(site, "pit").client
    dealer.call("take-table")
    assert dealer.console()["deck_set_due"] is True
    assert "Choose the deck set" in dealer.refused("shoe", {})["detail"]
    assert pit.post("/api/deck-sets", json=RED).status_code == 201
    assert code(dealer.client.post("/api/deck-sets", json=RED)) == "not-allowed"
    (known,) = pit.post("/api/deck-sets/red/preparation", json=COUNTED).json()["deck_sets"]
    assert (known["state"], known["counted_by"]) == ("ready", "the-pit")
    assert dealer.console()["deck_sets"] == ["red"]
    now = dealer.do("shoe", {"deck_set": "red", "cut_by": "player"})["console"]
    assert (now["shoe"]["left"], now["deck_sets"]) == (104, [])
    (known,) = dealer.client.get("/api/deck-sets").json()["deck_sets"]
    assert known["state"] == "in-shoe"
    worn = {"reason": "worn"}
    assert code(pit.post("/api/deck-sets/red/retirement", json=worn)) == "wrong-phase"
    dealer.do("shoe/end", {})
    bent = {"card": "8h", "serial": "S9", "reason": "bent"}
    assert pit.post("/api/deck-sets/red/changes", json=bent).status_code == 200
    page = pit.get("/pit/cards").text
    assert "8♥ exchanged for the one from deck S9" in page
    assert "not counted" in page
    (known,) = pit.post("/api/deck-sets/red/retirement", json=worn).json()["deck_sets"]
    assert (known["state"], known["retired"]) == ("retired", "worn")
    log = pit.get("/api/house/events", params={"topic": "cards"}).json()["events"]
    assert [one["kind"] for one in reversed(log)] == [
        *("DeckSetReceived", "DeckSetPrepared", "ShoeBegun", "DeckCardChanged", "DeckSetRetired"),
    ]
