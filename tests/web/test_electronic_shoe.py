"""A simulated electronic shoe at a table: it enters cards, and contradicts the dealer."""

import pytest

from baccarat.auditor import audit, read_store
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.shoe import Burn
from support.by_hand import hand_settings
from support.dealing import Dealing
from support.electronic_shoe import DIGEST, KEY, ElectronicShoe
from support.served import closing_clients, code, served

FIRST = hand_settings(burn=Burn.FIRST_CARD)
HOUSE = House(
    "The house",
    "GBP",
    100_000,
    (
        TablePlan("hand", "By hand", hand_settings(), guests=True, shoe_key=DIGEST),
        TablePlan("burns", "Burns", FIRST, guests=True, shoe_key=DIGEST),
        TablePlan("none", "No shoe", hand_settings(), guests=True),
    ),
)


@pytest.fixture
def site(tmp_path):
    with served(tmp_path, house=HOUSE) as found:
        with closing_clients(found):
            yield found
        assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def opened(site, table: str = "hand") -> Dealing:
    dealer = Dealing(site, table=table).ready()
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    return dealer


@pytest.mark.requirement("R41")
def test_r41_an_electronic_shoe_enters_each_card_once_although_responses_are_lost(site):
    dealer, shoe = opened(site), ElectronicShoe(site.address, lossy=True)
    assert shoe.reads("6h", "Kd", "2c", "Ks") == {
        "number": 4,
        "repeated": True,
        "agrees": True,
        "in_doubt": False,
    }
    now = dealer.console()
    assert [(one["card"], one["sent"]) for one in now["drawn"]] == [
        *(("6h", True), ("Kd", True), ("2c", True), ("Ks", True)),
    ]
    assert dealer.call("result")["events"][0]["winner"] == "player"
    dealer.call("pay")


def test_readings_come_in_order_and_a_number_names_one_card(site):
    opened(site)
    shoe = ElectronicShoe(site.address)
    assert code(shoe.send("6h", 2)) == "wrong-card"
    shoe.reads("6h", "Kd")
    assert code(shoe.send("6d", 1)) == "key-reused"
    shoe.restarts()
    assert shoe.number == 2
    assert shoe.reads("2c")["number"] == 3


def test_cards_that_the_dealer_entered_first_are_compared(site):
    dealer, shoe = opened(site), ElectronicShoe(site.address)
    for card in ("6h", "Kd"):
        dealer.do("cards", {"card": card})
    assert shoe.reads("6h", "Kd")["agrees"] is True
    assert [one["card"] for one in dealer.console()["drawn"]] == ["6h", "Kd"]
    shoe.reads("2c", "Ks")
    dealer.call("result")
    dealer.call("pay")


@pytest.mark.requirement("R41")
def test_a_disagreement_freezes_the_table_until_the_pit_answers(site):
    dealer, shoe, pit = opened(site), ElectronicShoe(site.address), Dealing(site, "pit")
    dealer.do("cards", {"card": "6h"})
    assert shoe.reads("9h")["agrees"] is False
    assert dealer.console()["called"]["dealer"] == "the-dealer"
    assert dealer.refused("cards", {"card": "Kd"})["code"] == "table-paused"
    floor = pit.client.get("/api/pit").json()
    assert "called" in str(floor["alerts"])
    log = pit.client.get("/api/house/events", params={"topic": "alarm"}).json()["events"]
    assert "The shoe read 9♥, but the dealer entered 6♥ (round 1)." in [e["words"] for e in log]
    pit.do("floor-call/answer", {"reason": "it was a nine"})
    dealer.do("rectification", {"drawn": ["9h"], "reason": "misread"})
    shoe.reads("Kd", "Kc", "Ks")
    dealer.call("result")
    dealer.call("pay")


def test_a_dealer_who_enters_another_card_than_the_shoe_sent_freezes_the_table(site):
    dealer, shoe = opened(site), ElectronicShoe(site.address)
    shoe.reads("6h")
    same = dealer.refused("cards", {"card": "6h", "round": 1, "place": 1})
    assert same["code"] == "wrong-card", "it is already there"
    found = dealer.do("cards", {"card": "9h", "round": 1, "place": 1})["events"]
    assert [event["type"] for event in found] == ["ReadingDisputed", "FloorCalled"]
    assert dealer.console()["called"]


def test_burned_cards_are_read_too(site):
    dealer = Dealing(site, table="burns").ready()
    shoe = ElectronicShoe(site.address, "burns")
    assert shoe.reads("3c")["in_doubt"] is True
    dealer.do("cards/explanation", {"card": "3c", "was": "burned"})
    assert shoe.reads("8h", "9d", "Qc")["agrees"] is True
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    shoe.reads("6h", "Kd", "2c", "Ks")
    assert [one["card"] for one in dealer.console()["drawn"]] == ["6h", "Kd", "2c", "Ks"]
    public = site.client().get("/api/tables/burns/events").text
    assert "9d" not in public, "nobody learns what was burned face down"


def test_only_the_key_of_the_table_opens_the_adapter(site):
    opened(site)
    for key, table in (("guess", "hand"), ("0", "hand"), (KEY, "none"), (KEY, "nowhere")):
        shoe = ElectronicShoe(site.address, table, key)
        assert code(shoe.send("6h", 1)) == "needs-token"
        assert code(shoe.asks()) == "needs-token"
    assert (
        code(Dealing(site).send("POST", "readings", {"card": "6h", "number": 1})) == "needs-token"
    )
