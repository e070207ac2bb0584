"""Bets on suits and colours at served tables: settled, cancelled, disputed, and audited."""

from pathlib import Path

import httpx
import pytest

from baccarat.auditor import audit, read_store
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.loader.files import find
from baccarat.table.settings import DummyRefund
from support.by_hand import hand_settings
from support.dealing import KEYS, Dealing
from support.live import settings_for
from support.served import FAST, closing_clients, served, until

SIDES = ("player", "banker")


def disputed_card(folder: Path) -> str:
    """Return the path of the card `colours` with an open question: which cards must be red."""
    text = find("colours").read_text(encoding="utf-8")
    resolved = 'status = "resolved"\nresolution = "As for All Black."'
    assert text.count(resolved) == 1
    text = text.replace(resolved, 'status = "open"')
    promise = "[procedures]\ndisputes_for_player = true\n\n[limits]"
    path = folder / "colours.toml"
    path.write_text(text.replace("[limits]", promise), encoding="utf-8")
    return str(path)


@pytest.fixture
def site(tmp_path):
    by_hand = hand_settings(disputed_card(tmp_path), dummy=DummyRefund.BETTER)
    tables = (
        TablePlan("hand", "By hand", by_hand, guests=True),
        TablePlan("fast", "Fast", settings_for("lucky-8", decks=8, clock=FAST), guests=True),
    )
    with served(tmp_path, house=House("The house", "GBP", 100_000, tables)) as found:
        with closing_clients(found):
            yield found
        assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def wagered(client, table: str, number: int, *bets: str) -> httpx.Response:
    """Bet 1.00 on each of these bets."""
    body = {"round": number, "wagers": [{"bet": bet, "stake": 100} for bet in bets]}
    key = {"Idempotency-Key": f"k{next(KEYS)}"}
    return client.put(f"/api/tables/{table}/wagers", json=body, headers=key)


def dealt(site, guest, *cards: str) -> Dealing:
    """Bet on the three bets of colour, and deal these cards."""
    dealer = Dealing(site).ready()
    dealer.call("place-your-bets")
    answer = wagered(guest, "hand", 1, "all-red", "colour-match", "super-tie")
    assert answer.status_code == 200, answer.text
    dealer.call("no-more-bets")
    for card in cards:
        dealer.do("cards", {"card": card})
    return dealer


def balance(client) -> int:
    return client.get("/api/me/balance").json()["real"]


def test_bets_on_colours_are_settled(site):
    """Nine of hearts and king against five, all red: 22:1 and 6:1 are paid, the tie is lost."""
    guest = site.guest()
    dealer = dealt(site, guest, "9h", "2d", "Kd", "3h")
    dealer.call("result")
    dealer.call("pay")
    assert balance(guest) == 100_000 + 2_200 + 600 - 100


@pytest.mark.parametrize(
    ("cards", "won"),
    [
        (("2h", "3d", "2d"), 0),  # the banker's second card can be black
        (("2h", "3d", "2d", "4h"), 600),  # the first four are red, the third cards may not be
        (("2h", "3d", "2s", "4h"), 0),  # two bets are lost already, the third may still win
    ],
)
def test_cards_that_decide_a_bet_are_paid_in_a_cancelled_round(site, cards, won):
    guest = site.guest()
    dealer = dealt(site, guest, *cards)
    dealer.do("dummy", {"round": 1, "reason": "misdeal"})
    pit = Dealing(site, "pit")
    assert pit.do("rounds/1/cancel", {"reason": "misdeal"})["cancelled"] is True
    assert balance(guest) == 100_000 + won


def test_a_dispute_over_the_cards_that_count_is_decided_by_replay(site):
    """Only the player's cards are red, so All Red wins under the other reading."""
    guest = site.guest()
    dealer = dealt(site, guest, "9h", "2s", "Kd", "3c")
    dealer.call("result")
    dealer.call("pay")
    assert balance(guest) == 100_000 - 300
    path = "/api/tables/hand/rounds/1/dispute"
    reply = guest.post(path, json={"reason": "my hand was all red"}).json()
    assert (reply["pending"], reply["proposed"]["due"]) == (0, 2_300)
    pit = Dealing(site, "pit")
    pit.do("rounds/1/errors/dismissal", {"reason": "it is about the reading"})
    body = {"reason": "the rule is unclear", "readings": reply["proposed"]["readings"]}
    address = f"disputes/1/{reply['player']}/decision"
    assert pit.send("POST", address, body).status_code == 200
    assert balance(guest) == 100_000 + 2_000


def test_suited_hands_are_settled_by_a_server(site):
    bets = [f"{side}-{pays}" for side in SIDES for pays in ("25-15-8-4", "50-25-8-3")]
    guest = site.guest()

    def accepted() -> bool:
        number = guest.get("/api/tables/fast").json()["round"]
        return wagered(guest, "fast", number, *bets).status_code == 200

    until(accepted)
    until(lambda: guest.get("/api/me/rounds").json()["rounds"])
    (mine,) = guest.get("/api/me/rounds").json()["rounds"]
    assert {each["bet"] for each in mine["wagers"]} == set(bets)
    assert balance(guest) == 100_000 + sum(each["net"] for each in mine["wagers"])
