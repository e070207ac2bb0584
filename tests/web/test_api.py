"""The API on a real server: a loopback port, real sockets and a real store."""

import asyncio
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from inspect import iscoroutinefunction

import httpx
import pytest
from fastapi.dependencies.models import Dependant
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from baccarat.auditor import audit, read_store
from baccarat.core.errors import BaccaratError
from baccarat.house import jobs
from baccarat.house.people import sign_ins
from baccarat.house.people.passwords import hash_password
from baccarat.house.people.roles import MAY, Role
from baccarat.house.people.sign_in_lock import LOCKED_MS
from baccarat.house.ports import Done
from baccarat.shoe.contributions import contribution_of
from baccarat.store.sqlstore import SqlStore
from baccarat.table.refusals import Code
from baccarat.verifier import verify
from baccarat.web.api import table_socket as socket_module
from baccarat.web.identity import sign_in
from baccarat.web.identity.visitors import (
    COOKIE,
    IDLE_MS,
    LONGEST_MS,
    RENEW_MS,
    Sessions,
    digest_of,
)
from baccarat.web.schema import describe
from baccarat.web.server.app import PAGES, ROUTERS, documented, rule_of
from baccarat.web.server.guard import HEADERS, LARGEST_BODY, Limiter, Rate, Rates
from baccarat.web.server.logs import JsonLines
from baccarat.web.server.problems import STATUS, Fault, Problem, ProblemDocument
from baccarat.web.server.site import Anyone
from support.served import (
    ENDPOINTS,
    HOUSE,
    PASSWORD,
    WATCHING,
    Ahead,
    Served,
    code,
    served,
    signed,
    until,
)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("house")
    with served(folder) as running:
        yield running
    report = audit(read_store(f"sqlite:///{folder}/house.db"))
    assert report.findings == []


def wager(client, *wagers, table="open", key="k", number=None, **other) -> httpx.Response:
    number = client.get(f"/api/tables/{table}").json()["round"] if number is None else number
    body = {"round": number, "wagers": [{"bet": b, "stake": s} for b, s in wagers], **other}
    headers = {"Idempotency-Key": key, "Content-Type": "application/json"}
    return client.put(f"/api/tables/{table}/wagers", content=json.dumps(body), headers=headers)


def following(house: Served, client: httpx.Client, table="fast", after=0, **headers):
    cookie = f"{COOKIE}={client.cookies.get(COOKIE, '')}"
    address = house.address.replace("http", "ws")
    return connect(
        f"{address}/api/tables/{table}/events?after={after}",
        additional_headers={"Cookie": cookie, **headers},
        max_size=None,
        close_timeout=0.1,
    )


def events_of(reply):
    """Yield the events that a socket sends."""
    for message in reply:
        yield from json.loads(message)["events"]


def play(client, reply, *wagers) -> int:
    """Wager on a round of the fast table, wait until it is settled, and return its number."""
    mine = None
    for event in events_of(reply):
        number = event.get("round")
        if event["type"] == "RoundOpened" and mine is None:
            if wager(client, *wagers, table="fast", number=number, key=str(number)).is_success:
                mine = number
        elif event["type"] == "RoundSettled" and number == mine:
            return number
    raise AssertionError("the socket was closed")


def read_on(reply) -> None:
    """Read everything a socket sends until it is closed."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        reply.recv(timeout=30)


@pytest.mark.requirement("G18", "G22")
def test_a_removed_table_has_its_shoe_revealed_and_keeps_its_history(tmp_path):
    with served(tmp_path) as first, first.guest() as guest, following(first, guest) as reply:
        number = play(guest, reply, ("player", 500))
        cookie, token = guest.cookies[COOKIE], guest.headers["X-CSRF-Token"]
    left = replace(HOUSE, tables=HOUSE.tables[:1])
    with served(tmp_path, house=left) as second, second.client(Cookie=f"{COOKIE}={cookie}") as me:
        me.headers["X-CSRF-Token"] = token
        assert number in {one["round"] for one in me.get("/api/me/rounds").json()["rounds"]}
        again = me.get(f"/api/tables/fast/rounds/{number}").json()["events"]
        assert "RoundSettled" in {one["type"] for one in again}
        assert me.get("/api/tables/fast/rounds").json()["rounds"]
        (shoe, *_) = me.get("/api/tables/fast/shoes").json()["shoes"]
        path = f"/api/shoes/{shoe['shoe']}"
        until(lambda: me.get(path).json()["ended"])  # abandoned, unless it was just dealt out
        assert me.get(path).json()["reveal"]
        assert verify(me.get(path).json(), commitment=shoe["commitment"]).faults == []
        assert "Round" in me.get(f"/history/fast/{number}").text
        assert me.get("/history").text.count(f"/history/fast/{number}") == 1
        assert ">fast<" in me.get("/verify").text
        assert code(me.get("/api/tables/fast")) == "no-such-table"  # nobody plays there
        assert code(wager(me, ("player", 500), table="fast", number=number)) == "no-such-table"
        assert code(me.get("/api/tables/nowhere/rounds")) == "no-such-table"


# ---- wagers and money --------------------------------------------------------------------------


def test_wagers_are_placed_changed_and_withdrawn_as_one_set(house):
    with house.guest() as guest:
        assert wager(guest, ("player", 500), ("tie", 500), key="1").json()["in"] is True
        assert guest.get("/api/me/balance").json()["real"] == 99_000
        assert len(guest.get("/api/tables/open/wagers").json()["wagers"]) == 2
        wager(guest, ("banker", 2000), key="2")
        assert guest.get("/api/me/balance").json()["real"] == 98_000
        wager(guest, key="3")
        assert guest.get("/api/me/balance").json()["real"] == 100_000
        assert guest.get("/api/tables/open/wagers").json()["wagers"] == []
        kinds = [booking["kind"] for booking in guest.get("/api/me/ledger").json()["bookings"]]
        assert kinds == ["stake", "stake", "stake", "play-money"]


def test_a_repeated_idempotency_key_gets_the_same_answer_without_effect(house):
    with house.guest() as guest:
        first = wager(guest, ("player", 500)).json()
        again = wager(guest, ("player", 500)).json()
        assert (first["repeated"], again["repeated"]) == (False, True)
        assert {**first, "repeated": True} == again
        assert code(wager(guest, ("player", 1000))) == "key-reused"
        assert guest.get("/api/me/balance").json()["real"] == 99_500


def test_wagers_placed_in_another_window_are_not_overwritten(house):
    """The second of two windows has not seen the wagers of the first."""
    with house.guest() as guest:
        path, number = "/api/tables/open/wagers", guest.get("/api/tables/open").json()["round"]

        def put(key, *wagers, replaces):
            sets = [[{"bet": b, "stake": s} for b, s in one] for one in (wagers, replaces)]
            body = {"round": number, "wagers": sets[0], "replaces": sets[1]}
            return guest.put(path, json=body, headers={"Idempotency-Key": key})

        first = put("first", ("player", 500), replaces=[])
        assert first.is_success
        assert put("first", ("player", 500), replaces=[]).json()["repeated"] is True
        second = put("second", ("tie", 500), replaces=[])
        assert (second.status_code, code(second)) == (409, "wagers-changed")
        standing = guest.get(path).json()
        assert standing["wagers"] == [{"bet": "player", "stake": 500}]
        assert standing["sequence"] >= first.json()["first"]
        # A refusal is not remembered: under the same key it is checked again.
        seen = put("second", ("player", 500), ("tie", 500), replaces=[("player", 500)])
        assert seen.is_success
        assert guest.get("/api/me/balance").json()["real"] == 99_000


def test_a_refusal_has_its_values_in_separate_fields(house):
    with house.guest() as guest:
        reply = wager(guest, ("banker", 2001)).json()
        assert (
            reply["detail"]
            == "Banker: wins on £20.01 can't be paid exactly. Bet a multiple of £0.20."
        )
        assert reply["values"]["stake"] == {"coins": 2001}
        assert reply["values"]["bet"] == "banker"
        assert reply["rule"] == {"number": None, "place": "wagering"}
        assert wager(guest, ("player", 1)).json()["rule"]["number"] == "R35"
        assert "rule" not in wager(guest, ("nothing", 500)).json()


@pytest.mark.parametrize(
    ("wagers", "expected"),
    [
        ([("nothing", 500)], "no-such-bet"),
        ([("player", 0)], "bad-stake"),
        ([("player", -500)], "bad-stake"),
        ([("player", 10**20)], "outside-limits"),
        ([("player", 500), ("player", 500)], "bet-twice"),
        ([("banker", 2001)], "off-step"),
        ([("player", 100_000), ("tie", 500)], "insufficient-funds"),
        ([("player", 5.0)], "malformed"),
        ([("player", "500")], "malformed"),
        ([("player", None)], "malformed"),
        ([("player", True)], "malformed"),
        ([("\ud800", 500)], "malformed"),
    ],
)
def test_invalid_wagers_are_refused_with_a_code(house, wagers, expected):
    with house.guest() as guest:
        assert code(wager(guest, *wagers)) == expected
        assert guest.get("/api/me/balance").json()["real"] == 100_000


@pytest.mark.requirement("G10")
def test_a_wager_over_the_api_is_valid_only_for_the_open_round(house):
    with house.guest() as guest:
        now = guest.get("/api/tables/open").json()["round"]
        assert code(wager(guest, ("player", 500), number=now + 1)) == "no-such-round"
        assert code(wager(guest, ("player", 500), number=10**20)) == "no-such-round"
        assert code(wager(guest, ("player", 500), table="nowhere", number=1)) == "no-such-table"
        assert code(wager(guest, ("player", 500), table="members")) == "not-allowed"
        agreed = {"agreed": {"tie_odds": "100:1"}}  # terms are not sent with bets
        assert code(wager(guest, ("player", 500), **agreed)) == "malformed"


def test_a_player_deposits_money_plays_and_withdraws_it(house):
    with house.client() as player, house.staff("cashier") as till, house.staff("pit") as pit:
        body = {"id": "ann", "name": "Ann", "password": PASSWORD}
        signed(player, player.post("/api/accounts", json=body))
        assert code(player.post("/api/accounts", json=body)) == "id-taken"
        key = {"Idempotency-Key": "in"}
        for _ in range(2):  # sent again: paid once
            till.post("/api/accounts/ann/pay-in", json={"amount": 5000}, headers=key)
        key = {"Idempotency-Key": "bonus"}
        assert pit.post("/api/accounts/ann/bonus", json={"amount": 700}, headers=key).is_success
        assert pit.get("/api/accounts/ann/balance").json() == {"real": 5000, "bonus": 700}
        assert wager(player, ("player", 5500), table="members").is_success
        assert player.get("/api/me/balance").json()["bonus"] == 200
        key = {"Idempotency-Key": "out"}
        out = till.post("/api/accounts/ann/pay-out", json={"amount": 1}, headers=key)
        assert code(out) == "insufficient-funds"
        huge = till.post("/api/accounts/ann/pay-in", json={"amount": 10**20}, headers=key)
        assert code(huge) == "bad-amount"
        assert code(till.post("/api/accounts/nobody/pay-in", json={"amount": 1}, headers=key)) == (
            "no-such-account"
        )
        assert code(pit.get("/api/accounts/nobody/balance")) == "no-such-account"


@pytest.mark.requirement("G22")
def test_results_rounds_and_shoes_are_shown_afterwards(house):
    with house.guest() as guest, following(house, guest) as reply:
        number = play(guest, reply, ("player", 500))
        (result,) = guest.get("/api/me/rounds", params={"stream": "table:fast"}).json()["rounds"]
        assert (result["round"], result["kind"]) == (number, "settle")
        won = sum(one["stake"] + one["net"] for one in result["wagers"])
        assert result["amount"] == won
        assert guest.get("/api/me/balance").json()["real"] == 99_500 + won
        assert guest.get("/api/me/rounds").json()["rounds"] == [result]
        ledger = guest.get("/api/me/ledger", params={"stream": "table:fast", "limit": 1}).json()
        before = {"stream": "table:fast", "before": ledger["bookings"][0]["sequence"]}
        assert guest.get("/api/me/ledger", params=before).json()["bookings"][0]["kind"] == "stake"
        for path in ("ledger", "rounds"):  # numbers are per stream
            assert code(guest.get(f"/api/me/{path}", params={"before": 5})) == "malformed"

        events = guest.get(f"/api/tables/fast/rounds/{number}").json()["events"]
        kinds = [event["type"] for event in events]
        assert (kinds[0], kinds[1], kinds[-1]) == ("RoundOpened", "WagersPlaced", "RoundSettled")
        first = events[0]["sequence"]
        again = guest.get("/api/tables/fast/journal", params={"after": first - 1}).json()["events"]
        assert again[: len(events)] == events
        beyond = guest.get("/api/tables/fast/journal", params={"after": 2**53})
        assert code(beyond) == "malformed"
        assert "the journal ends with entry" in beyond.json()["detail"]
        assert code(guest.get("/api/tables/fast/rounds/999999")) == "no-such-page"
        while len(guest.get("/api/tables/fast/rounds").json()["rounds"]) < 3:
            reply.recv()
        last = guest.get("/api/tables/fast/rounds", params={"limit": 2}).json()["rounds"]
        older = {"before": last[-1]["sequence"], "limit": 1}
        (third,) = guest.get("/api/tables/fast/rounds", params=older).json()["rounds"]
        assert third["round"] == last[-1]["round"] - 1

        shoes = guest.get("/api/tables/fast/shoes", params={"limit": 500}).json()["shoes"]
        assert [shoe["number"] for shoe in shoes] == list(range(len(shoes), 0, -1))
        document = guest.get(f"/api/shoes/{shoes[-1]['shoe']}").json()
        assert verify(document, commitment=shoes[-1]["commitment"]).faults == []
        older = {"before": shoes[0]["sequence"], "limit": 1}
        assert guest.get("/api/tables/fast/shoes", params=older).json()["shoes"] == shoes[1:2]
        assert code(guest.get(f"/api/shoes/{'0' * 32}")) == "no-such-page"


def test_players_contribute_to_a_shoe(house):
    with house.guest() as guest, house.guest() as other:
        while (shoe := guest.get("/api/tables/new").json()["shoe"]) is None:
            pass
        assert shoe["phase"] == "contributing"
        secret = bytes(range(32))
        promise = contribution_of(bytes.fromhex(shoe["commitment"]), secret)
        body = {"commitment": promise.hex()}
        done = guest.post("/api/tables/new/contributions", json=body)
        assert done.status_code == 201, done.text
        assert code(guest.post("/api/tables/new/contributions", json=body)) == "already-contributed"
        reveal = guest.put("/api/tables/new/contributions", json={"secret": secret.hex()})
        assert code(reveal) == "wrong-phase"
        assert code(other.post("/api/tables/new/contributions", json={"commitment": "x"})) == (
            "malformed"
        )


# ---- who may do what ---------------------------------------------------------------------------

FILLED = {"{table}": "open", "{who}": "nobody", "{number}": "1", "{shoe}": "0" * 32}


@pytest.mark.requirement("G40")
@pytest.mark.parametrize("who", ["nobody", "guest", *Role])
def test_every_role_can_use_exactly_the_permitted_endpoints(house, who):
    with house.client() as nobody:
        client = (
            nobody if who == "nobody" else house.guest() if who == "guest" else house.staff(who)
        )
        role = Role.PLAYER if who == "guest" else who
        for method, path, rule in ENDPOINTS:
            if (method, path) in (("DELETE", "/api/session"), ("POST", "/api/guests")):
                continue
            if (
                path == "/api/me/play-money" and role == Role.PLAYER
            ):  # only for guests who lost some
                continue
            for name, value in FILLED.items():
                path = path.replace(name, value)
            answer = client.request(method, path)  # without a body: nothing is done
            if path == "/api/house/resume" and answer.is_success:
                continue
            if path == "/api/house/stop" and answer.is_success:
                assert client.post("/api/house/resume").is_success
            denied = answer.status_code in (401, 403)
            if rule is Anyone.EVERYBODY:
                expected = False
            elif who == "nobody" or rule in (Anyone.OPERATIONS, Anyone.SHOE):
                expected = True
            else:
                expected = rule is not Anyone.SIGNED_IN and rule not in MAY[Role(role)]
            assert denied == expected, (method, path, answer.text)
            if rule in (Anyone.OPERATIONS, Anyone.SHOE):
                assert code(answer) == "needs-token"
            elif denied:
                assert code(answer) == ("not-signed-in" if who == "nobody" else "not-allowed")
        client.close()


def test_players_never_receive_data_of_other_players(house):
    stake = 12_347
    with house.guest() as other, house.guest() as guest:
        with following(house, other) as reply:
            number = play(other, reply, ("player", stake))
        secrets = {other.get("/api/session").json()["account"], stake, -stake}
        assert wager(other, ("player", stake), key="privacy").is_success
        shoe = guest.get("/api/tables/fast/shoes").json()["shoes"][0]["shoe"]
        fetched = {"journal": journal_of(guest, "fast"), "open": journal_of(guest, "open")}
        for method, path, _ in ENDPOINTS:
            if method == "GET":
                for table in ("fast", "open"):
                    filled = {**FILLED, "{table}": table, "{number}": str(number), "{shoe}": shoe}
                    address = path
                    for name, value in filled.items():
                        address = address.replace(name, value)
                    found = guest.get(address)
                    is_json = "api" in path and "pdf" not in found.headers["content-type"]
                    fetched[address] = found.json() if is_json else None
        with following(house, guest) as reply:
            fetched["socket"] = []
            for message in reply:
                fetched["socket"].append(json.loads(message))
                if fetched["socket"][-1]["through"] >= fetched["/api/tables/fast"]["sequence"]:
                    break
    assert "stakes" in fetched["/api/tables/open"]
    for address, found in fetched.items():
        assert not secrets & set(values_in(without_sums(found))), address
    with house.staff("pit") as pit:  # they do appear for their owner
        assert len(secrets & set(values_in(journal_of(pit, "fast")))) >= 2


def journal_of(client, table: str) -> list[dict]:
    """Return the whole journal, frame by frame."""
    frames = [{"through": 0}]
    while frames[-1].get("after") != frames[-1]["through"]:
        params = {"after": frames[-1]["through"], "limit": 500}
        frames.append(client.get(f"/api/tables/{table}/journal", params=params).json())
        assert frames[-1]["after"] == frames[-2]["through"]
    return frames


def values_in(found):
    """Yield every number and text, and every word of a text."""
    if isinstance(found, list | dict):
        for one in found.values() if isinstance(found, dict) else found:
            yield from values_in(one)
        if isinstance(found, dict):
            yield from found
    elif isinstance(found, str):
        yield from (found, *re.findall(r"[\w-]+", found))
    else:
        yield found


def without_sums(found):
    """Remove the sums of all players' stakes, which are public even if there are few players."""
    if isinstance(found, list):
        return [without_sums(one) for one in found]
    if isinstance(found, dict):
        return {name: without_sums(one) for name, one in found.items() if name != "stakes"}
    return found


@pytest.mark.requirement("G40")
def test_an_endpoint_without_an_access_rule_is_refused():
    from fastapi import APIRouter

    router = APIRouter()

    @router.get("/secret")
    async def secret() -> None: ...

    with pytest.raises(BaccaratError, match="/secret does not declare whom it is for"):
        rule_of(router.routes[0])


@pytest.mark.requirement("G26")
def test_the_pit_pauses_one_table_or_all(house):
    with house.staff("pit") as pit, house.guest() as guest:
        reason = {"reason": "inspection"}
        stopped = pit.post("/api/tables/open/pause", json=reason)
        assert (stopped.status_code, "Content-Type" in stopped.headers) == (204, False)
        assert code(wager(guest, ("player", 500))) == "table-paused"
        assert pit.post("/api/tables/open/resume").status_code == 204
        assert wager(guest, ("player", 500), key="2").is_success
        assert pit.post("/api/house/pause", json=reason).status_code == 204
        states = guest.get("/api/tables").json()["tables"]
        assert all(state["paused"] for state in states)
        assert wager(guest, key="3").is_success  # leaving a round is still allowed
        assert pit.post("/api/house/resume").status_code == 204
        assert code(pit.post("/api/tables/nowhere/pause", json=reason)) == "no-such-table"
        unprintable = pit.post("/api/house/pause", json={"reason": "\n"})
        assert code(unprintable) == "malformed"
        words = "This contains invisible characters. Remove them."
        assert unprintable.json()["faults"] == [{"where": "body.reason", "problem": words}]


def test_what_is_wrong_with_a_value_is_in_the_words_of_the_catalogue(house):
    asked = [
        ("reality-check", {}, "every", "This is required."),
        ("reality-check", {"every": "10"}, "every", "Use a whole number."),
        ("reality-check", {"every": 1.5}, "every", "Use a whole number."),
        ("reality-check", {"every": 1441}, "every", "Use 1,440 or less."),
        ("reality-check", {"every": -1}, "every", "Use 0 or more."),
        ("password", {"old": "x" * 201}, "old", "Use at most 200 characters."),
        ("password", {"new": "short"}, "new", "Use at least 8 characters."),
    ]
    with house.player("measured") as player:
        for path, body, name, problem in asked:
            refused = player.put(f"/api/me/{path}", json=body)
            assert code(refused) == "malformed"
            fault = {"where": f"body.{name}", "problem": problem}
            assert fault in refused.json()["faults"]


def test_g38_one_member_of_the_pit_cancels_an_open_round(house):
    with house.staff("pit") as pit, house.guest() as guest:
        number = guest.get("/api/tables/members").json()["round"]
        path = f"/api/tables/members/rounds/{number}/cancel"
        body, key = {"reason": "misdeal"}, {"Idempotency-Key": "cancel-1"}
        assert code(pit.post(path, json={"reason": "boredom"}, headers=key)) == "malformed"
        assert pit.post(path, json=body, headers=key).json()["repeated"] is False
        assert pit.post(path, json=body, headers=key).json()["repeated"] is True
        assert code(pit.post(path, json={"reason": "power"}, headers=key)) == "key-reused"
        events = pit.get(f"/api/tables/members/rounds/{number}").json()["events"]
        assert events[-1]["type"] == "RoundCancelled"
        assert events[-1]["by"] == ["the-pit"]
        other = {"Idempotency-Key": "cancel-2"}
        assert code(pit.post(path, json=body, headers=other)) == "no-such-round"


@pytest.mark.requirement("G36")
def test_g36_accepted_wagers_stay_when_the_pit_changes_clock_and_limits(house):
    with house.staff("pit") as pit, house.guest() as guest:
        assert wager(guest, ("player", 500), key="before").is_success
        before = pit.get("/api/tables/open").json()
        path, key = "/api/tables/open/settings", {"Idempotency-Key": "settings"}
        limits = {"minimum": 1000, "maximum": 50_000}
        body = {"clock": before["clock"], "limits": limits}
        assert pit.put(path, json=body, headers=key).json()["repeated"] is False
        assert pit.put(path, json=body, headers=key).json()["repeated"] is True
        assert len(guest.get("/api/tables/open/wagers").json()["wagers"]) == 1
        assert code(wager(guest, ("player", 500), key="after")) == "outside-limits"
        wrong = {**body, "clock": {**before["clock"], "betting": -1}}
        assert code(pit.put(path, json=wrong, headers={"Idempotency-Key": "w"})) == "malformed"
        nothing = {**body, "limits": {"minimum": 9, "maximum": 8}}
        assert code(pit.put(path, json=nothing, headers={"Idempotency-Key": "n"})) == "bad-settings"
        back = {"limits": {}}
        reply = pit.put(path, json=back, headers={"Idempotency-Key": "back"}).json()
        assert reply["waits_for_second"] is True  # it removes a maximum
        assert code(wager(guest, ("player", 500), key="yet")) == "outside-limits"
        with house.colleague("limit-second") as second:
            reply = second.put(path, json=back, headers={"Idempotency-Key": "back"}).json()
            assert reply["waits_for_second"] is False
        assert wager(guest, ("player", 500), key="again").is_success


def test_staff_change_their_password_and_the_pit_closes_accounts(tmp_path):
    with served(tmp_path) as house, house.staff("pit") as pit, house.client() as dora:
        body = {"id": "dora", "name": "Dora", "role": "pit"}
        house.colleague("dora").close()
        sign_in = {"account": "dora", "password": PASSWORD}
        signed(dora, dora.post("/api/session", json=sign_in))
        wrong = {"old": "not the old one", "new": "another long one"}
        assert code(dora.put("/api/me/password", json=wrong)) == "wrong-password"
        right = {"old": PASSWORD, "new": "another long one"}
        assert code(dora.put("/api/me/password", json={**right, "new": "short"})) == "malformed"
        assert dora.put("/api/me/password", json=right).status_code == 204
        assert code(dora.post("/api/session", json=sign_in)) == "wrong-password"
        sign_in["password"] = right["new"]
        signed(dora, dora.post("/api/session", json=sign_in))
        assert code(dora.delete("/api/staff/dora")) == "not-allowed"  # one's own
        assert code(dora.delete("/api/staff/nobody")) == "no-such-account"
        ann = house.client()
        player = {"id": "ann", "name": "Ann", "password": PASSWORD}
        signed(ann, ann.post("/api/accounts", json=player))
        assert code(ann.delete("/api/staff/dora")) == "not-allowed"
        ann.close()
        assert code(pit.delete("/api/staff/ann")) == "not-allowed"
        assert dora.get("/api/session").status_code == 200
        assert pit.delete("/api/staff/dora").json()["waits_for_second"] is True
        assert dora.get("/api/session").status_code == 200  # one person alone does not close it
        with house.colleague("pat") as pat:
            assert pat.delete("/api/staff/dora").json()["waits_for_second"] is False
        assert code(dora.get("/api/session")) == "not-signed-in"  # at once
        assert code(dora.post("/api/house/resume")) == "not-signed-in"
        assert code(dora.post("/api/session", json=sign_in)) == "wrong-password"
        assert code(pit.post("/api/staff", json=body)) == "id-taken"
        reply = pit.get("/api/house/events", params={"topic": "sign-in"}).json()["events"]
        words = [one["words"] for one in reply]
        assert "dora changed their password." in words
        assert "Account closed: dora." in words
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def test_the_pit_opens_only_staff_accounts(house):
    with house.staff("pit") as pit, house.client() as new:
        body = {"id": "new-dealer", "name": "Dee", "role": "dealer"}
        opened = pit.post("/api/staff", json=body)
        assert opened.status_code == 201
        password = opened.json()["password"]
        player = {**body, "id": "x", "role": "player"}
        assert code(pit.post("/api/staff", json=player)) == "not-allowed"
        assert code(pit.post("/api/staff", json={**body, "role": "king"})) == "malformed"
        chosen = {**body, "id": "y", "password": PASSWORD}  # not chosen for a colleague
        assert code(pit.post("/api/staff", json=chosen)) == "malformed"
        signed(new, new.post("/api/session", json={"account": "new-dealer", "password": password}))
        assert new.get("/api/session").json()["role"] == "dealer"


def test_an_auditor_can_export_the_journal_heads(house):
    with house.staff("auditor") as auditor:
        heads = auditor.get("/api/house/heads").json()["heads"]
    assert set(heads) == {"house", *(f"table:{plan.id}" for plan in HOUSE.tables)}


def test_an_audit_lists_what_a_broken_journal_prevented_it_from_comparing(tmp_path):
    with served(tmp_path) as house, house.staff("auditor") as auditor:
        assert auditor.get("/api/house/audit").json()["not_compared"] == []
        with house.store.engine.begin() as connection:
            connection.exec_driver_sql(
                "DELETE FROM journal WHERE stream = 'house' AND sequence = 1"
            )
        words = "house cannot be read from entry 1 on"
        assert words in auditor.get("/api/house/audit").json()["not_compared"][0]
        assert words in auditor.get("/auditor?check=true").text


# ---- sessions ----------------------------------------------------------------------------------


def test_cookies_are_for_this_site_only(house):
    with house.client() as client:
        cookie = client.post("/api/guests").headers["set-cookie"]
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "Secure" not in cookie
        for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"):
            assert name in client.get("/api/tables").headers


@pytest.mark.requirement("G39")
def test_no_secret_is_logged_or_accepted_in_a_url(house, caplog):
    caplog.set_level("DEBUG", "baccarat")
    with house.staff("pit") as pit, house.guest() as guest, house.client() as nobody:
        assert wager(guest, ("player", 500)).is_success
        with following(house, guest) as reply:
            reply.recv()
        wrong = {"account": "the-pit", "password": "wrong horse"}
        assert code(nobody.post("/api/session", json=wrong)) == "wrong-password"
        assert nobody.get("/metrics", headers=WATCHING).is_success
        secrets = {PASSWORD, wrong["password"], *WATCHING.values()}
        for client in (pit, guest):
            assert client.cookies
            secrets |= {client.headers["X-CSRF-Token"], *client.cookies.values()}
            reply = nobody.get("/api/session", params=dict(client.cookies))
            assert code(reply) == "not-signed-in"
    logged = "\n".join(JsonLines().format(record) for record in caplog.records)
    for what in ("request", "signed in", "sign-in failed"):
        assert f'"what": "{what}"' in logged
    assert [secret for secret in secrets if secret in logged] == []


def test_signing_out_ends_the_session_even_for_a_kept_cookie(house):
    with house.guest() as guest:
        kept = dict(guest.cookies)
        assert guest.delete("/api/session").status_code == 204
        assert COOKIE not in guest.cookies
        guest.cookies.update(kept)
        assert code(guest.get("/api/session")) == "not-signed-in"


def test_a_wrong_password_and_a_wrong_name_look_the_same(house):
    with house.client() as client:
        answers = [
            client.post("/api/session", json={"account": name, "password": "wrong"})
            for name in ("the-pit", "nobody-at-all")
        ]
    assert {code(answer) for answer in answers} == {"wrong-password"}
    assert answers[0].text == answers[1].text


@pytest.mark.requirement("G27")
def test_ten_wrong_passwords_in_a_row_lock_an_account_name_temporarily(tmp_path):
    """The lock holds on every server and after a restart, whether or not the account exists."""
    clock = Ahead()

    def tries(password, *names, times=1):
        with house.client() as client:
            answers = []
            for name in names * times:
                body = {"account": name, "password": password}
                answers.append(client.post("/api/session", json=body))
                until(lambda: not house.is_writing())  # counted by now
        return [code(one) if one.is_error else "in" for one in answers]

    names = ("the-pit", "nobody-at-all")
    with served(tmp_path, clock=clock) as house:
        with house.staff("pit") as pit:
            assert tries("wrong", "the-pit", times=9) == ["wrong-password"] * 9
            assert tries(PASSWORD, "the-pit") == ["in"]  # and they no longer count
            assert tries("wrong", *names, times=10) == ["wrong-password"] * 20
            assert tries(PASSWORD, *names) == ["sign-in-locked"] * 2
            body = {"account": names[1], "password": PASSWORD}
            answer = pit.post("/api/session", json=body)
            assert 890 < int(answer.headers["Retry-After"]) <= 900
            assert "Try again in 15 minutes, or use a browser you" in answer.json()["detail"]
            assert pit.get("/api/pit").is_success  # open sessions continue
            reply = pit.get("/api/house/events", params={"topic": "sign-in"}).json()["events"]
            assert [one["who"] for one in reply if one["kind"] == "SignInsLocked"] == ["the-pit"]
            # Where it has signed in before, a stranger's guesses do not count, but its own do.
            body = {"account": names[0], "password": PASSWORD}
            assert pit.post("/api/session", json=body).is_success
            for _ in range(10):
                answer = pit.post("/api/session", json={**body, "password": "wrong"})
                assert code(answer) == "wrong-password"
                until(lambda: not house.is_writing())
            assert code(pit.post("/api/session", json=body)) == "sign-in-locked"
        with served(tmp_path, clock=clock) as house:  # another server of the same store
            assert tries(PASSWORD, *names) == ["sign-in-locked"] * 2
            clock.by = LOCKED_MS + 60_000
            assert tries("wrong", "the-pit") == ["wrong-password"]
            assert tries(PASSWORD, "the-pit") == ["in"]
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def test_unsafe_requests_need_the_csrf_token_and_the_same_origin(house):
    with house.guest() as guest:
        token = guest.headers.pop("X-CSRF-Token")
        assert code(wager(guest, ("player", 500))) == "no-csrf-token"
        guest.headers["X-CSRF-Token"] = token[::-1]
        assert code(wager(guest, ("player", 500))) == "no-csrf-token"
        guest.headers["X-CSRF-Token"] = token
        for name, value in (
            ("Origin", "https://elsewhere.example"),
            ("Origin", "null"),
            ("Origin", "http://[bad"),
            ("Sec-Fetch-Site", "cross-site"),
        ):
            guest.headers[name] = value
            assert code(wager(guest, ("player", 500))) == "foreign-origin"
            del guest.headers[name]
        guest.headers["Origin"] = house.address
        assert wager(guest, ("player", 500)).is_success


@pytest.mark.requirement("G27")
def test_sessions_are_signed_and_expire():
    sessions, other = Sessions(bytes(32)), Sessions(b"1" * 32)
    begun = sessions.begin("ann", 0)
    cookie, half_an_hour = sessions.cookie(begun), 30 * 60_000
    assert sessions.read(cookie, half_an_hour - 1) == begun
    assert sessions.read(cookie, half_an_hour) is None
    assert other.read(cookie, 1) is None
    for damaged in ("", ".", "x.y", cookie[:-1], "A" + cookie, cookie.replace(".", ".é")):
        assert sessions.read(damaged, 1) is None
    assert sessions.renewed(begun, RENEW_MS - 1) is None
    seen, now = begun, 0
    while now < LONGEST_MS - RENEW_MS:
        now += RENEW_MS
        seen = sessions.renewed(seen, now)
        assert sessions.read(sessions.cookie(seen), now) == seen
    assert sessions.read(sessions.cookie(seen), LONGEST_MS) is None


def test_a_password_change_ends_older_sessions_only():
    sessions = Sessions(bytes(32))
    before, bobs = sessions.begin("ann", 4), sessions.begin("bob", 4)
    for at in (5, 3):  # read again, an older one changes nothing
        sessions.password_changed("ann", at)
    since = sessions.begin("ann", 5)
    found = [sessions.read(sessions.cookie(one), 9) for one in (before, bobs, since)]
    assert found == [None, bobs, since]


def test_rate_limits_recover_with_time():
    now = 0
    limiter = Limiter(Rate(2, 6), lambda: now, "bets")
    limiter.use("ann")
    limiter.use("ann")
    limiter.use("bob")
    with pytest.raises(Problem, match=r"^Too many bets\. Try again in 10 seconds\.$") as refused:
        limiter.use("ann")
    assert refused.value.headers == {"Retry-After": "10"}
    now = 10_000
    limiter.use("ann")
    with pytest.raises(Problem):
        limiter.use("ann")


def test_wagers_and_sign_ins_are_rate_limited(tmp_path):
    rates = Rates(sign_in=Rate(2, 1), sign_in_from=Rate(4, 1), wagers=Rate(3, 1))
    with served(tmp_path, rates=rates) as house, house.guest() as guest:
        while guest.get("/api/tables/open").json()["phase"] != "open":
            pass
        answers = [wager(guest, ("player", 500), key=str(n)) for n in range(4)]
        assert [answer.is_success for answer in answers] == [True, True, True, False]
        assert code(answers[3]) == "rate-limited"
        assert int(answers[3].headers["Retry-After"]) > 0
        body = {"account": "the-pit", "password": "wrong wrong"}
        found = [code(guest.post("/api/session", json=body)) for _ in range(3)]
        assert found == ["wrong-password", "wrong-password", "rate-limited"]
        others = [{**body, "account": f"x{n}"} for n in range(2)]
        found = [code(guest.post("/api/session", json=other)) for other in others]
        assert found == ["wrong-password", "rate-limited"]


# ---- sockets -----------------------------------------------------------------------------------


def test_a_socket_resumes_without_loss_after_any_disconnect(house):
    with house.staff("auditor") as auditor:
        seen = [0]
        for cut in (1, 5, 20, 7):
            with following(house, auditor, after=seen[-1]) as reply:
                for _ in range(cut):
                    frame = json.loads(reply.recv())
                    assert frame["after"] == seen[-1]
                    seen += [event["sequence"] for event in frame["events"]]
                    assert frame["through"] == seen[-1]
        assert seen == list(range(len(seen)))
        entries = house.store.entries("table:fast", after=0, limit=len(seen) - 1)
        assert frame["hash"] == entries[-1].hash.hex()


@pytest.mark.parametrize("after", [10**6, -1])
def test_a_reader_too_far_behind_is_sent_to_the_snapshot(house, monkeypatch, after):
    with house.guest() as guest:
        while guest.get("/api/tables/fast").json()["sequence"] < 10:
            pass
        monkeypatch.setattr(socket_module, "FURTHEST", 3)
        with following(house, guest, after=max(after, 0)) as reply:
            with pytest.raises(ConnectionClosed) as closed:
                reply.recv()
            assert closed.value.rcvd.code == socket_module.LOST
        with house.staff("auditor") as auditor, following(house, auditor) as reply:
            assert (
                json.loads(reply.recv())["after"] == 0
            )  # roles that see everything get everything


@pytest.mark.requirement("G39")
@pytest.mark.parametrize("headers", [{"Origin": "https://elsewhere.example"}, {"Cookie": "x=y"}])
def test_a_socket_is_refused_to_other_sites_and_without_a_session(house, headers):
    with house.guest() as guest, pytest.raises(InvalidStatus) as refused:
        following(house, guest, **headers) if "Origin" in headers else connect(
            f"{house.address.replace('http', 'ws')}/api/tables/fast/events"
        )
    fault = Fault.FOREIGN_ORIGIN if "Origin" in headers else Fault.NOT_SIGNED_IN
    assert denied(refused.value) == (STATUS[fault], fault)


def denied(refusal: InvalidStatus) -> tuple[int, str]:
    """Return status and code of a refused handshake."""
    answer = refusal.response
    assert answer.headers["content-type"] == "application/problem+json"
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    return answer.status_code, json.loads(answer.body)["code"]


def test_a_socket_handshake_is_checked_and_logged_like_any_request(house, monkeypatch, caplog):
    """This includes unknown paths and too many sockets."""
    caplog.set_level("INFO", "baccarat.web.server.guard")
    monkeypatch.setattr(socket_module, "MAX_SOCKETS", 1)
    with house.guest() as guest:
        caplog.clear()
        for path in ("/health", "/nowhere", "/api/tables/fast/rounds"):
            with pytest.raises(InvalidStatus) as refused:
                connect(f"{house.address.replace('http', 'ws')}{path}")
            assert denied(refused.value) == (404, "no-such-page")
        with following(house, guest), pytest.raises(InvalidStatus) as refused:
            following(house, guest)
        assert denied(refused.value) == (429, "rate-limited")
        account = guest.get("/api/session").json()["account"]
    # A socket is logged before its answer, a request after it, so the guest's may come here.
    lines = [
        record
        for record in caplog.records
        if record.message == "request" and record.method == "GET"
    ]
    assert [(line.method, line.path, line.status, line.account) for line in lines[:5]] == [
        ("GET", "/health", 404, None),
        ("GET", "/nowhere", 404, None),
        ("GET", "/api/tables/fast/rounds", 404, None),
        ("GET", "/api/tables/fast/events", 101, account),
        ("GET", "/api/tables/fast/events", 429, account),
    ]


def ends(reply) -> tuple[int, str]:
    """Return how a socket was closed, after reading everything it sent."""
    with pytest.raises(ConnectionClosed) as closed:
        read_on(reply)
    return closed.value.rcvd.code, closed.value.rcvd.reason


SIGNED_OUT = (socket_module.REFUSED, "not-signed-in")


@pytest.mark.requirement("G27")
def test_a_socket_ends_with_its_session(tmp_path, monkeypatch):
    """By signing out here or on another server, expiry, a new password or a closed account."""
    clock = Ahead()
    with served(tmp_path, clock=clock) as house, house.staff("pit") as pit:
        site = house.server.config.app.state.site
        with house.guest() as guest, following(house, guest) as reply:
            assert guest.delete("/api/session").status_code == 204
            assert ends(reply) == SIGNED_OUT
        dora, same = house.colleague("dora"), house.client()
        signed(same, same.post("/api/session", json={"account": "dora", "password": PASSWORD}))
        with dora, same, following(house, dora) as reply, following(house, same) as own:
            body = {"old": PASSWORD, "new": "another long one"}
            assert same.put("/api/me/password", json=body).status_code == 204
            assert ends(reply)[0] == socket_module.OLD
            pit.delete("/api/staff/dora")
            with house.colleague("pat") as pat:
                assert pat.delete("/api/staff/dora").json()["waits_for_second"] is False
            assert ends(own) == SIGNED_OUT  # the session that chose the password was still open
        ann, same = house.player("ann"), house.client()
        signed(same, same.post("/api/session", json={"account": "ann", "password": PASSWORD}))
        before = dict(same.cookies)
        with ann, same, following(house, ann) as reply, following(house, same) as own:
            body = {"old": PASSWORD, "new": "another long one"}
            assert same.put("/api/me/password", json=body).status_code == 204
            assert ends(reply)[0] == socket_module.OLD
            assert code(ann.get("/api/session")) == "not-signed-in"
            assert own.ping().wait(30)
            assert same.put("/api/me/password", json=body).status_code == 401  # still signed in
            same.cookies.update(before)
            assert code(same.get("/api/session")) == "not-signed-in"
        # A sign-in with the old password meanwhile, and a clock that is behind.
        slowly = sign_in.is_password

        def checks(*given):
            right = slowly(*given)
            if checking.is_set():
                return right
            checking.set()
            assert changed.wait(30)
            return right

        checking, changed = threading.Event(), threading.Event()
        monkeypatch.setattr(sign_in, "is_password", checks)
        with house.player("cat") as cat, house.client() as late, ThreadPoolExecutor() as beside:
            body = {"account": "cat", "password": PASSWORD}
            coming = beside.submit(late.post, "/api/session", json=body)
            assert checking.wait(30)
            new = {"old": PASSWORD, "new": "another long one"}
            assert cat.put("/api/me/password", json=new).status_code == 204
            changed.set()
            assert coming.result().is_success
            assert code(late.get("/api/session")) == "not-signed-in"
            clock.by = -60_000
            assert late.post("/api/session", json={**body, "password": new["new"]}).is_success
            assert late.get("/api/session").is_success
            clock.by = 0
        monkeypatch.setattr("baccarat.web.identity.sessions.EVERY", 0.05)
        with house.player("bob") as bob, following(house, bob, table="open") as reply:
            since, new = house.store.person("bob").since, hash_password("another long one")
            job = jobs.change_password("bob", new, clock, known_since=since)
            (done,) = SqlStore(house.store.engine).commit([job])  # as another server would
            assert isinstance(done, Done), done
            assert ends(reply)[0] == socket_module.OLD
            assert code(bob.get("/api/session")) == "not-signed-in"
        with house.guest() as guest, following(house, guest, table="open") as reply:
            cookie = site.visitors.sessions.read(guest.cookies[COOKIE], clock())
            job = sign_ins.signed_out(cookie.account, digest_of(cookie), clock)
            (done,) = SqlStore(house.store.engine).commit([job])  # as another server would
            assert isinstance(done, Done), done
            assert ends(reply) == SIGNED_OUT
            assert code(guest.get("/api/session")) == "not-signed-in"
        with house.guest() as guest, following(house, guest, table="open") as reply:
            clock.by = IDLE_MS - 60_000
            assert guest.get("/api/session").is_success  # used again: a new cookie
            clock.by = IDLE_MS + 60_000
            time.sleep(0.2)  # it is checked again, and stays open
            assert reply.ping().wait(30)
            assert guest.get("/api/session").is_success
            clock.by = 3 * IDLE_MS
            assert ends(reply)[0] == socket_module.OLD
            assert code(guest.get("/api/session")) == "not-signed-in"


@pytest.mark.parametrize("query", ["after=-1", "after=x", f"after={10**20}"])
def test_a_socket_with_an_invalid_number_is_refused(house, query):
    with house.guest() as guest:
        cookie = f"{COOKIE}={guest.cookies[COOKIE]}"
        tables = f"{house.address.replace('http', 'ws')}/api/tables"
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{tables}/fast/events?{query}", additional_headers={"Cookie": cookie})
        assert denied(refused.value) == (422, "malformed")
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{tables}/nix/events", additional_headers={"Cookie": cookie})
        assert denied(refused.value) == (404, "no-such-table")


def test_a_message_that_is_too_long_closes_a_socket(house):
    with house.guest() as guest, following(house, guest) as reply:
        assert reply.recv()
        reply.send("x" * 20_000)
        with pytest.raises(ConnectionClosed) as closed:
            read_on(reply)
        assert closed.value.rcvd.code == 1009


def test_a_socket_closed_while_sending_is_not_an_error():
    """uvicorn closes unresponsive sockets before the application notices."""

    class Closing:
        is_open = False

        def __init__(self) -> None:
            self.writable = asyncio.Event()
            self.writable.set()

    async def send() -> bool:
        return await socket_module._send(Closing(), b"{}")

    assert asyncio.run(send()) is False


def test_a_socket_that_never_reads_is_closed_without_affecting_others(house, monkeypatch):
    monkeypatch.setattr(socket_module, "PATIENCE", 0.2)
    # Far more than any buffer on the way.
    monkeypatch.setattr("baccarat.service.feed.frame", lambda *_: "x" * 10**7)
    with house.guest() as guest, socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        port = int(house.address.rpartition(":")[2])
        raw.connect(("127.0.0.1", port))
        raw.sendall(
            b"GET /api/tables/fast/events HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            b"Sec-WebSocket-Version: 13\r\n"
            + f"Cookie: {COOKIE}={guest.cookies[COOKIE]}\r\n\r\n".encode()
        )
        assert raw.recv(12) == b"HTTP/1.1 101"
        while "baccarat_sockets 1.0" not in guest.get("/metrics", headers=WATCHING).text:
            pass
        while "baccarat_sockets 0.0" not in guest.get("/metrics", headers=WATCHING).text:
            assert guest.get("/api/me/balance").is_success


# ---- bad requests ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"{", "not-json"),
        (b"\xff", "not-json"),
        (b"1" * 5000, "not-json"),
        (b"[" * 60_000, "not-json"),
        (b"[]", "malformed"),
        (b"null", "malformed"),
        (b'{"account": "a", "password": "\\ud800"}', "malformed"),
        (b'{"account": "a\\u0000", "password": "x"}', "malformed"),
        (b'{"account": "a", "password": "x", "more": 1}', "malformed"),
        (b"x" * (LARGEST_BODY + 1), "too-large"),
    ],
)
def test_malformed_bodies_are_refused(house, content, expected):
    with house.client() as client:
        headers = {"Content-Type": "application/json"}
        assert code(client.post("/api/session", content=content, headers=headers)) == expected


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_json_with_another_content_type_is_refused_as_such(house, kind):
    with house.client() as client:
        headers = {"Content-Type": kind} if kind else {}
        answer = client.post("/api/session", content=b'{"account": "a"}', headers=headers)
        assert code(answer) == "not-json"
        assert (kind or "without a Content-Type") in answer.json()["detail"]
        assert code(client.post("/api/session")) == "malformed"


def test_a_body_without_a_content_length_is_also_limited(house):
    def endless():
        for _ in range(1000):
            yield b"x" * 10_000

    with house.client() as client:
        assert code(client.post("/api/session", content=endless())) == "too-large"


@pytest.mark.parametrize("ago", [IDLE_MS + 60_000, LONGEST_MS])
def test_an_expired_session_is_refused_for_requests_and_sockets(house, ago):
    sessions = house.server.config.app.state.site.visitors.sessions
    old = sessions.begin("the-player", house.service.environment.clock() - ago)
    with house.client(Cookie=f"{COOKIE}={sessions.cookie(old)}") as client:
        client.headers["X-CSRF-Token"] = sessions.csrf_token(old)
        assert code(client.get("/api/me/balance")) == "not-signed-in"
        assert code(wager(client, ("player", 500))) == "not-signed-in"
        client.cookies.set(COOKIE, sessions.cookie(old))
        with pytest.raises(InvalidStatus), following(house, client):
            pass


def test_unknown_addresses_and_methods_are_refused(house):
    with house.client() as client:
        assert code(client.get("/nowhere")) == "no-such-page"
        wrong = client.patch("/api/session")
        assert code(wrong) == "method-not-allowed"
        assert wrong.headers["Allow"] == "GET, POST, DELETE"
        assert code(client.get("/api/shoes/XYZ")) == "malformed"
        assert code(client.get(f"/api/tables/open/rounds?before={10**20}")) == "malformed"


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_health_checks_can_use_head_requests(house, path):
    with house.client() as client:
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["Content-Type"] == whole.headers["Content-Type"]
        assert client.post(path).headers["Allow"] == "GET, HEAD"


def test_internal_errors_reveal_nothing(house, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("baccarat.web.views.tables.table_status", broken)
    with house.client() as client:
        answer = client.get("/api/tables")
    assert code(answer) == "internal"
    assert "secret" not in answer.text


@pytest.mark.requirement("G40")
def test_a_failing_store_is_reported_as_unavailable(house, monkeypatch):
    with house.guest() as guest:
        number = guest.get("/api/tables/open").json()["round"]
        monkeypatch.setattr(house.store, "_transaction", _disk_full)
        answer = wager(guest, ("player", 500), number=number)
        assert code(answer) == "store-unavailable"
        assert "Send it again with the same idempotency key." in answer.json()["detail"]
        assert answer.headers["Retry-After"] == "1"
        answer = guest.post("/api/me/reality-check", json={"net": 0, "staked": 0})
        assert code(answer) == "store-unavailable"
        assert "key" not in answer.json()["detail"]
        until(lambda: guest.get("/ready").status_code == 503)  # it can read but not write
        assert guest.get("/ready", headers=WATCHING).json()["store"] == "cannot be written to"
        commits = metric(guest, "baccarat_commit_seconds_count")
        assert metric(guest, "baccarat_ledger_sum_coins") == 0
        monkeypatch.setattr(house.store, "engine", None)
        assert guest.get("/ready", headers=WATCHING).json()["store"] == "does not answer"
        time.sleep(0.01)
        assert metric(guest, "baccarat_ledger_sum_age_seconds") > 0
        assert metric(guest, "baccarat_ledger_sum_coins") == 0
        assert metric(guest, "baccarat_commit_seconds_count") == commits  # no new commit
        monkeypatch.undo()
        assert wager(guest, ("player", 500), number=number).json()["repeated"] is False
        assert metric(guest, "baccarat_commit_seconds_count") > commits
        until(lambda: guest.get("/ready").status_code == 200)


def metric(client: httpx.Client, name: str) -> float:
    reply = client.get("/metrics", headers=WATCHING).text
    (line,) = re.findall(rf"^{name} (.+)$", reply, re.MULTILINE)
    return float(line)


def _disk_full():
    from sqlalchemy.exc import OperationalError

    raise OperationalError("INSERT", {}, Exception("database or disk is full"))


def test_a_house_without_play_money_admits_no_guests(house, monkeypatch):
    from dataclasses import replace

    site = house.server.config.app.state.site
    monkeypatch.setattr(site, "house", replace(HOUSE, play_money=None))
    with house.client() as client:
        assert code(client.post("/api/guests")) == "not-allowed"


def test_undealt_cards_are_never_sent(house):
    """Nothing anyone can read contains keys or orders of shoes in play."""
    with house.guest() as guest:
        paths = ("/api/tables/open", "/api/tables", "/metrics", "/ready")
        reply = [guest.get(path, headers=WATCHING).text for path in paths]
        shoe = guest.get("/api/tables/open").json()["shoe"]["shoe"]
        reply.append(guest.get(f"/api/shoes/{shoe}").text)
        reply.append(guest.get("/api/tables/open/journal").text)
    sealed = house.store.sealed(bytes.fromhex(shoe))
    secret = house.service.environment.vault.open(bytes.fromhex(shoe), sealed)
    assert json.loads(reply[-2])["reveal"] is None
    for text in reply:
        assert secret.key.hex() not in text
        assert str(list(map(str, secret.order)))[1:60] not in text.replace('"', "'")


# ---- the documentation -------------------------------------------------------------------------


def test_every_code_has_a_status_in_order_of_precedence():
    assert set(STATUS) == {*Fault, *Code}
    assert [one for one in STATUS if isinstance(one, Code)] == list(Code)


def test_every_json_endpoint_has_a_named_schema():
    """Answers are empty, a file, or a named schema, never just any JSON. Every endpoint has a
    unique name."""
    names: set[str] = set()
    for path, methods in documented()["paths"].items():
        for method, operation in methods.items():
            answers = {s: a for s, a in operation["responses"].items() if s.startswith("2")}
            assert len(answers) == 1, (method, path)
            assert operation["operationId"] not in names, (method, path)
            names.add(operation["operationId"])
            for status, answer in answers.items():
                assert (status == "204") is not bool(answer.get("content")), (method, path)
                for kind, content in answer.get("content", {}).items():
                    assert (kind == "application/json") is ("$ref" in content["schema"]), path


def test_no_dependency_of_an_endpoint_runs_in_a_thread():
    """FastAPI calls plain functions and classes in threads, which is slower and out of order."""

    def called(dependant: Dependant) -> Iterator[object]:
        yield dependant.call
        for inner in dependant.dependencies:
            yield from called(inner)

    calls = {
        call
        for router in (*ROUTERS, *PAGES)
        for route in router.routes
        for call in called(route.dependant)
    }
    asked = [call for call in calls if not iscoroutinefunction(call)]
    assert len(calls) > 100
    assert [call for call in asked if not iscoroutinefunction(type(call).__call__)] == []


def test_two_schemas_cannot_share_a_name():
    document = {"paths": {}, "components": {"schemas": {"ProblemDocument": {"type": "string"}}}}
    with pytest.raises(BaccaratError, match="two schemas are named ProblemDocument"):
        describe(document, [], ProblemDocument)


def test_refusals_have_a_fixed_precedence(house):
    """Start with a request that is wrong in every way, and fix one thing after another."""
    with house.client() as nobody, house.staff("auditor") as auditor, house.guest() as guest:
        bad = {"Origin": "https://elsewhere.example", "Content-Type": "application/json"}
        path, large = "/api/tables/nix/wagers", b"x" * (LARGEST_BODY + 1)
        assert code(nobody.put(path, content=large, headers=bad)) == "too-large"
        assert code(nobody.put(path, content=b"{", headers=bad)) == "foreign-origin"
        del bad["Origin"]
        assert code(nobody.put(path, content=b"{", headers=bad)) == "not-json"
        assert code(nobody.put(path, content=b"{}", headers=bad)) == "not-signed-in"
        token = auditor.headers.pop("X-CSRF-Token")
        assert code(auditor.put(path, content=b"{}", headers=bad)) == "no-csrf-token"
        auditor.headers["X-CSRF-Token"] = token
        assert code(auditor.put(path, content=b"{}", headers=bad)) == "not-allowed"
        assert code(guest.put(path, content=b"{}", headers=bad)) == "malformed"
        assert wager(guest, ("player", 500), key="used").is_success
        nix = ("nix", 0)
        assert code(wager(guest, nix, table="nix", number=99, key="used")) == "no-such-table"
        assert code(wager(guest, nix, number=99, key="used")) == "key-reused"
        assert code(wager(guest, ("nix", 0), number=99)) == "no-such-round"
        assert code(wager(guest, ("nix", 0))) == "no-such-bet"
