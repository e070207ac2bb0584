"""Bets sent on a table's socket: the same checks and responses as for a request."""

import json
from contextlib import suppress
from dataclasses import replace

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from baccarat.web.api.table_socket import NOT_A_BET
from baccarat.web.server.guard import Rate
from support.served import GENEROUS, served, until


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running


def socket_of(house, client: httpx.Client, table: str = "open") -> ClientConnection:
    after = client.get(f"/api/tables/{table}").json()["sequence"]
    address = f"{house.address.replace('http', 'ws')}/api/tables/{table}/events?after={after}"
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    return connect(address, additional_headers={"Cookie": cookies})


def message(client: httpx.Client, key: str, stake: int = 500, table: str = "open") -> dict:
    return {
        "key": key,
        "csrf_token": client.headers["X-CSRF-Token"],
        "round": client.get(f"/api/tables/{table}").json()["round"],
        "wagers": [{"bet": "player", "stake": stake}],
    }


def answer_to(socket: ClientConnection, sent: dict) -> dict:
    """Send a bet, and return the answer with its key."""
    socket.send(json.dumps(sent))
    while True:
        received = json.loads(socket.recv(30))
        if received.get("key") == sent["key"]:
            return received


def test_a_bet_is_placed_and_its_event_follows(house):
    with house.guest() as client, socket_of(house, client) as socket:
        answer = answer_to(socket, message(client, "one"))
        assert answer["status"] == 200
        assert answer["answer"]["events"][0]["type"] == "WagersPlaced"
        mine = client.get("/api/tables/open/wagers").json()["wagers"]
        assert mine == [{"bet": "player", "stake": 500}]


def test_a_bet_repeated_over_http_is_carried_out_once(house):
    with house.guest() as client, socket_of(house, client) as socket:
        sent = message(client, "same")
        first = answer_to(socket, sent)["answer"]
        body = {name: sent[name] for name in ("round", "wagers")}
        headers = {"Idempotency-Key": "same"}
        again = client.put("/api/tables/open/wagers", json=body, headers=headers).json()
        assert again == {**first, "repeated": True}
        assert answer_to(socket, sent)["answer"]["repeated"] is True
        other = answer_to(socket, {**sent, "wagers": []})
        assert (other["status"], other["answer"]["code"]) == (422, "key-reused")


def test_refusals_are_the_same_as_over_http(house):
    with house.guest() as client, socket_of(house, client) as socket:
        sent = message(client, "much", stake=10**9)
        body = {name: sent[name] for name in ("round", "wagers")}
        headers = {"Idempotency-Key": "much"}
        refused = client.put("/api/tables/open/wagers", json=body, headers=headers)
        answer = answer_to(socket, sent)
        assert (answer["status"], answer["answer"]) == (refused.status_code, refused.json())


def test_a_bet_needs_the_csrf_token_of_the_session(house):
    with house.guest() as client, house.guest() as other, socket_of(house, client) as socket:
        for token in ("", other.headers["X-CSRF-Token"]):
            answer = answer_to(socket, {**message(client, "one"), "csrf_token": token})
            assert (answer["status"], answer["answer"]["code"]) == (403, "no-csrf-token")
        assert client.get("/api/tables/open/wagers").json()["wagers"] == []


def test_only_players_bet_and_guests_only_where_they_may(house):
    with house.staff("dealer") as dealer, socket_of(house, dealer) as socket:
        answer = answer_to(socket, message(dealer, "one"))
        assert (answer["status"], answer["answer"]["code"]) == (403, "not-allowed")
    with house.guest() as client, socket_of(house, client, "members") as socket:
        answer = answer_to(socket, message(client, "one", table="members"))
        assert (answer["status"], answer["answer"]["code"]) == (403, "not-allowed")


def test_both_ways_share_a_rate_limit(tmp_path):
    rates = replace(GENEROUS, wagers=Rate(2, 1))
    with (
        served(tmp_path, rates=rates) as house,
        house.guest() as client,
        socket_of(house, client) as socket,
    ):
        sent = message(client, "one")
        body = {name: sent[name] for name in ("round", "wagers")}
        headers = {"Idempotency-Key": "two"}
        assert answer_to(socket, sent)["status"] == 200
        assert client.put("/api/tables/open/wagers", json=body, headers=headers).is_success
        answer = answer_to(socket, {**sent, "key": "three"})
        assert (answer["status"], answer["answer"]["code"]) == (429, "rate-limited")


def test_a_session_that_has_ended_places_no_bet(house):
    with house.guest() as client, socket_of(house, client) as socket:
        sent = message(client, "late")
        assert client.delete("/api/session").is_success
        with pytest.raises(ConnectionClosed) as closed:
            answer_to(socket, sent)
        assert closed.value.rcvd.code == 1008


@pytest.mark.parametrize(
    "text",
    [
        "good evening",
        "[" * 3000,
        '{"key": "a", "round": 1, "wagers": []}',
        '{"key": "a", "key": "b", "csrf_token": "", "round": 1, "wagers": []}',
    ],
)
def test_a_message_that_is_not_a_bet_closes_the_socket(house, text):
    with house.guest() as client, socket_of(house, client) as socket:
        socket.send(text)
        with suppress(ConnectionClosed):
            for _ in socket:
                pass
        assert socket.close_code == NOT_A_BET
    until(lambda: not house.service.feed.readers)
