"""Opening an account in a house with only play money: guests keep their balance and history."""

from dataclasses import replace

import httpx
import pytest

from baccarat.auditor import audit, read_store
from baccarat.cli import main
from support.served import HOUSE, PASSWORD, Served, served, signed

PLAY_HOUSE = replace(HOUSE, real_money=False)
WAGER = [{"bet": "player", "stake": 500}]


def code(answer: httpx.Response) -> str:
    return answer.json()["code"]


@pytest.fixture
def house(tmp_path):
    with served(tmp_path, house=PLAY_HOUSE) as found:
        yield found


def register(client: httpx.Client, who: str = "ann", **more: str) -> httpx.Response:
    body = {"id": who, "name": who.title(), "password": PASSWORD, **more}
    return client.post("/api/accounts", json=body)


def sign_in(house: Served, name: str) -> httpx.Client:
    client = house.client()
    body = {"account": name, "password": PASSWORD}
    return signed(client, client.post("/api/session", json=body))


def bets(client: httpx.Client) -> httpx.Response:
    number = client.get("/api/tables/open").json()["round"]
    body = {"round": number, "wagers": WAGER}
    return client.put("/api/tables/open/wagers", json=body, headers={"Idempotency-Key": "bet"})


def test_a_guest_who_opens_an_account_keeps_money_bets_and_history(house, tmp_path):
    with house.guest() as guest:
        assert bets(guest).is_success
        before = guest.get("/api/session").json()
        ledger = guest.get("/api/me/ledger").json()
        answer = register(guest)
        assert answer.json()["account"] == before["account"]
        assert (answer.json()["name"], answer.json()["guest"]) == ("Ann", True)
        signed(guest, answer)
        assert guest.get("/api/session").json()["name"] == "Ann"
        assert guest.get("/api/me/ledger").json() == ledger
    with sign_in(house, "ann") as ann:  # another browser
        assert ann.get("/api/session").json()["account"] == before["account"]
        assert ann.get("/api/me/balance").json()["real"] == 99_500
        assert ann.get("/api/tables/open/wagers").json()["wagers"] == WAGER
        assert "Ann" in ann.get("/", headers={"Accept": "text/html"}).text
        assert len(ann.get("/api/me/sessions").json()["sessions"]) == 2
        change = {"old": PASSWORD, "new": "another horse"}
        assert ann.put("/api/me/password", json=change).status_code == 204
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def test_a_visitor_who_opens_an_account_starts_with_play_money(house):
    with house.client() as visitor:
        signed(visitor, register(visitor, "ben"))
        balance = visitor.get("/api/me/balance").json()
        assert (balance["real"], balance["play"]) == (100_000, True)
        number = visitor.get("/api/tables/members").json()["round"]
        body = {"round": number, "wagers": WAGER}
        there = "/api/tables/members/wagers"  # not open to guests without an account
        assert visitor.put(there, json=body, headers={"Idempotency-Key": "1"}).is_success


def test_an_id_is_given_once_and_a_guest_registers_once(house):
    with house.guest() as guest, house.guest() as other:
        signed(guest, register(guest, "cat"))
        assert code(register(other, "cat")) == "id-taken"
        assert code(register(other, "house", name="Ivy")) == "id-taken"
        assert code(register(other, "the-pit", name="Ivy")) == "id-taken"
        dan = register(other, "dan")
        eve = register(signed(other, dan), "eve")  # somebody else in the same browser
        assert dan.json()["account"] != eve.json()["account"]


def test_registering_a_guest_needs_the_csrf_token(house):
    with house.guest() as guest:
        del guest.headers["X-CSRF-Token"]
        assert code(register(guest, "fay")) == "no-csrf-token"


def test_in_a_house_with_real_money_an_account_is_opened_beside_the_guests(tmp_path):
    with served(tmp_path) as house, house.guest() as guest:
        answer = register(guest, "gus").json()
        assert (answer["account"], answer["guest"]) == ("gus", False)


def test_a_registered_guest_can_be_exported_and_erased_under_the_chosen_id(tmp_path, capsys):
    store = f"sqlite:///{tmp_path}/house.db"
    with served(tmp_path, house=PLAY_HOUSE) as house, house.client() as hal:
        signed(hal, register(hal, "hal"))
    assert main(["export-person", store, "hal"]) == 0
    assert '"name": "Hal"' in capsys.readouterr().out
    assert main(["erase-person", store, "hal"]) == 0
    assert main(["export-person", store, "hal"]) == 2
    assert audit(read_store(store)).findings == []


@pytest.mark.parametrize(
    ("money", "guest", "lead", "more"),
    [
        ({"real_money": False}, True, "keep it and to come back", "You keep your £1,000.00"),
        ({"real_money": False}, False, "or play as a guest", "You start with £1,000.00"),
        ({"real_money": True}, True, "your play money is lost", ""),
        ({"play_money": None}, False, "Sign in, or open an account.", ""),
    ],
)
def test_signing_in_offers_what_the_house_has(tmp_path, money, guest, lead, more):
    with (
        served(tmp_path, house=replace(HOUSE, **money)) as house,
        house.guest() if guest else house.client() as client,
    ):
        page = client.get("/sign-in", headers={"Accept": "text/html"}).text
    assert lead in page
    assert more in page
    assert ("of play money" in page) == bool(more)
    assert ("POST /guests" in page) == ("or play as a guest" in page)
