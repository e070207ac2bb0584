"""Safer gambling over the API: a real server, an exclusion register over HTTP, simulated time."""

import asyncio
import contextlib
import json
import threading
import time
import uuid
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from baccarat.house.housefile import House
from baccarat.house.people.roles import Account, Role
from baccarat.house.safety.periods import MINUTE
from baccarat.house.safety.profiles import BonusRules, Conduct, load_profile
from baccarat.house.table_plans import TablePlan
from baccarat.service.exclusion_register import Register, ask_http, is_listed
from baccarat.table.refusals import Code, Refused
from support.live import settings_for
from support.served import FAST, OPEN, PASSWORD, Served, served, signed

GREECE = Conduct(
    load_profile("greece"), birth_dates=True, stake_cap=50_000, bonus=BonusRules(times=1)
)
HOUSE = House(
    "The house",
    "EUR",
    100_000,
    (
        TablePlan("open", "Open", settings_for("commission", decks=8, clock=OPEN), guests=True),
        TablePlan("fast", "Fast", settings_for("commission", decks=8, clock=FAST), guests=True),
    ),
    GREECE,
)


class Answers(BaseHTTPRequestHandler):
    """An exclusion register over HTTP with answers set by the test."""

    status, body, asked = 200, b'{"excluded": false}', []

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        Answers.asked.append(json.loads(self.rfile.read(length))["player"])
        self.send_response(Answers.status)
        self.end_headers()
        self.wfile.write(Answers.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def register():
    server = HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/check"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def _clear():
    Answers.status, Answers.body, Answers.asked = 200, b'{"excluded": false}', []


@pytest.fixture(scope="module")
def house(tmp_path_factory, register):
    conduct = replace(GREECE, register=register)
    with served(tmp_path_factory.mktemp("safer"), house=replace(HOUSE, conduct=conduct)) as found:
        yield found


def account(house: Served, born: str | None = "1990-05-05", **more) -> tuple[str, httpx.Client]:
    name = f"p{uuid.uuid4().hex[:10]}"
    body = {"id": name, "name": name.title(), "password": PASSWORD, "born": born, **more}
    client = house.client()
    return name, signed(client, client.post("/api/accounts", json=body))


def key() -> dict[str, str]:
    return {"Idempotency-Key": uuid.uuid4().hex}


def pay_in(house: Served, name: str, amount: int) -> httpx.Response:
    with house.staff("cashier") as till:
        where = f"/api/accounts/{name}/pay-in"
        return till.post(where, json={"amount": amount}, headers=key())


def wager(client: httpx.Client, *wagers: tuple[str, int], table: str = "open") -> httpx.Response:
    """Bet on the open round, or on the next one if it has closed meanwhile."""
    for _ in range(400):
        found = client.get(f"/api/tables/{table}").json()
        body = {
            "round": found["round"],
            "wagers": [{"bet": bet, "stake": stake} for bet, stake in wagers],
        }
        answer = client.put(f"/api/tables/{table}/wagers", json=body, headers=key())
        if answer.json().get("code") not in ("betting-closed", "no-such-round"):
            break
        time.sleep(0.02)
    return answer


def refused(answer: httpx.Response, code: str) -> str:
    assert answer.json().get("code") == code, answer.text
    return str(answer.json()["detail"])


@pytest.fixture
def player(house):
    name, client = account(house)
    assert pay_in(house, name, 100_000).status_code == 200
    with client:
        yield name, client


@pytest.mark.requirement("G16")
def test_g16_opening_an_account_requires_a_date_of_birth(house):
    for born in (None, "2010-01-01"):
        name = f"p{uuid.uuid4().hex[:8]}"
        body = {"id": name, "name": name.title(), "password": PASSWORD, "born": born}
        with house.client() as client:
            answer = client.post("/api/accounts", json=body)
            assert "21" in refused(answer, "under-age")
            again = client.post("/api/session", json={"account": body["id"], "password": PASSWORD})
            refused(again, "wrong-password")
            nonsense = client.post("/api/accounts", json={**body, "born": "2001-02-30"})
            refused(nonsense, "malformed")


@pytest.mark.requirement("G16", "R47")
def test_g16_real_money_bets_need_a_date_of_birth_if_the_card_has_a_higher_age(tmp_path):
    """The house does not ask when accounts are opened; the card requires 21, its profile 18."""
    online = replace(HOUSE, tables=HOUSE.tables[:1], conduct=Conduct(load_profile("online")))
    with served(tmp_path, house=online) as house, house.guest() as guest:
        name, client = account(house, born=None)
        assert pay_in(house, name, 1_000).status_code == 200
        assert wager(guest, ("player", 1_000)).is_success  # play money
        answer = wager(client, ("player", 1_000))
        words = refused(answer, "under-age")
        assert "21" in words
        assert "date of birth is not on record" in words
        assert answer.json()["rule"] == {"number": None, "place": "limits"}
        assert client.get("/api/me/play").json()["birth_date_known"] is False
        form = 'data-send="PUT /me/birth-date"'
        assert form in client.get("/account/limits").text
        of_guest = guest.get("/account/limits").text
        assert form not in of_guest
        assert "PUT /me/limits" in client.get("/account/limits").text
        assert "PUT /me/limits" not in of_guest  # each would be refused
        assert 'id="no-limits"' in of_guest
        for nonsense in (None, "2001-02-30", "1.1.1990"):
            refused(client.put("/api/me/birth-date", json={"born": nonsense}), "malformed")
        refused(client.put("/api/me/birth-date", json={"born": "1890-01-01"}), "bad-amount")
        refused(guest.put("/api/me/birth-date", json={"born": "1990-05-05"}), "not-allowed")
        with house.staff("pit") as pit:
            refused(pit.put("/api/me/birth-date", json={"born": "1990-05-05"}), "not-allowed")
        reply = client.put("/api/me/birth-date", json={"born": "1990-05-05"})
        assert reply.json()["birth_date_known"] is True
        refused(client.put("/api/me/birth-date", json={"born": "1980-01-01"}), "not-allowed")
        assert form not in client.get("/account/limits").text
        assert wager(client, ("player", 1_000)).is_success
        client.close()
        young, client = account(house, born=None)
        assert client.put("/api/me/birth-date", json={"born": "2012-05-05"}).is_success
        assert "You must be 21 or over to play here." in refused(
            wager(client, ("player", 1_000)), "under-age"
        )
        client.close()
        kept = [json.loads(entry.body) for entry in house.store.entries("house")]
        given = [one for one in kept if one["type"] == "BirthDateGiven"]
        assert [one["account"] for one in given] == [name, young]
        assert all(one.keys() == {"account", "at", "type"} for one in given)


@pytest.mark.requirement("G12")
def test_g12_net_position_and_time_are_those_of_the_ledger(house, player):
    name, client = player
    assert client.get("/api/me/play").json()["sitting"] is None
    assert wager(client, ("player", 2_000), table="fast").status_code == 200
    while not client.get("/api/me/rounds").json()["rounds"]:
        time.sleep(0.05)
    reply = client.get("/api/me/play").json()
    balance = client.get("/api/me/balance").json()["real"]
    assert reply["sitting"]["net"] == balance - 100_000
    assert reply["sitting"]["staked"] == 0
    assert reply["sitting"]["elapsed"] == reply["now"] - reply["sitting"]["since"]
    assert reply["help"] == ["Support line: 210 923 7777"]
    with house.staff("pit") as pit:
        assert pit.get(f"/api/accounts/{name}/play").json()["sitting"]["net"] == balance - 100_000
    # Signing in elsewhere continues the sitting: the table shows the same as `/me/play`.
    with house.client() as elsewhere:
        sign_in = {"account": name, "password": PASSWORD}
        signed(elsewhere, elsewhere.post("/api/session", json=sign_in))
        mine = elsewhere.get("/api/tables/open/mine").json()
        assert mine["sitting"]["net"] == balance - 100_000
        assert mine["sitting"]["since"] == reply["sitting"]["since"]
        assert mine["sitting"]["elapsed"] == mine["now"] - reply["sitting"]["since"]
        assert mine["sitting"]["over"] is False


@pytest.mark.requirement("G14", "G16")
def test_g14_g16_limits_are_enforced_over_the_api_with_a_warning(player):
    _, client = player
    reply = client.put("/api/me/limits/loss/day", json={"amount": 5_000}).json()
    (limit,) = reply["limits"]
    assert (limit["owner"], limit["limit"], limit["period"]) == ("player", "loss", "day")
    assert (limit["amount"], limit["used"]) == (5_000, 0)
    assert limit["warning"] is None
    assert "You can bet at most €50.00 until" in refused(
        wager(client, ("player", 5_500)), "loss-limit"
    )
    warned = wager(client, ("player", 4_000)).json()
    assert warned["warnings"] == ["€40.00 of €50.00 lost or at stake today."]
    assert client.get("/api/me/play").json()["warnings"] == warned["warnings"]
    looser = client.put("/api/me/limits/loss/day", json={"amount": None}).json()
    assert looser["limits"][0]["amount"] == 5_000
    assert looser["limits"][0]["asked"]["amount"] is None
    refused(client.put("/api/me/limits/loss/day", json={"amount": None}), "too-early")
    standing = refused(wager(client, ("player", 5_500)), "loss-limit")
    assert "You can bet at most €10.00 more until" in standing
    wager(client)


@pytest.mark.requirement("G16")
def test_g16_the_stake_cap_is_enforced(player):
    _, client = player
    refused(wager(client, ("player", 99_000), ("banker", 99_000)), "insufficient-funds")
    words = refused(wager(client, ("player", 30_000), ("banker", 20_020)), "stake-cap")
    assert "You can bet at most €500.00 a round" in words


@pytest.mark.requirement("G14")
def test_g14_a_deposit_limit_is_enforced_at_the_cashier(house, player):
    name, client = player
    client.put("/api/me/limits/deposit/week", json={"amount": 120_000})
    assert pay_in(house, name, 20_000).status_code == 200
    assert "At most €0.00 can be paid in until" in refused(pay_in(house, name, 1), "deposit-limit")
    with house.staff("pit") as pit:
        where = f"/api/accounts/{name}/limits/time/day"
        reply = pit.put(where, json={"amount": 0}).json()
    assert ("house", "time", 0) in [
        (one["owner"], one["limit"], one["amount"]) for one in reply["limits"]
    ]
    refused(wager(client, ("player", 500)), "time-limit")


@pytest.mark.requirement("G15")
def test_g15_self_exclusion_takes_effect_at_once_and_money_can_be_withdrawn(house, player):
    name, client = player
    assert wager(client, ("player", 2_000)).status_code == 200
    reply = client.post("/api/me/exclusion", json={"months": 6}).json()
    assert reply["excluded_until"] > reply["now"] + 180 * 86_400_000
    assert reply["blocked"].startswith("You are excluded from play until at least")
    with house.staff("pit") as pit:
        shown = pit.get(f"/api/accounts/{name}/play").json()["blocked"]
        page = pit.get("/pit/players", params={"who": name}).text
    assert shown.startswith("This player is excluded from play until at least")
    assert "This player is excluded" in page
    assert "You are excluded" not in page
    refused(wager(client, ("player", 500)), "self-excluded")
    assert wager(client).status_code == 200  # wagers can be withdrawn
    refused(pay_in(house, name, 500), "self-excluded")
    refused(client.post("/api/me/return"), "self-excluded")
    with house.staff("cashier") as till:
        out = till.post(f"/api/accounts/{name}/pay-out", json={"amount": 100_000}, headers=key())
    assert out.status_code == 200
    refused(client.post("/api/me/exclusion", json={"months": 5}), "bad-amount")


def test_g15_a_second_account_in_the_same_browser_is_shown_to_the_pit(house, player):
    name, client = player
    client.post("/api/me/exclusion", json={"months": 6})
    second = f"p{uuid.uuid4().hex[:8]}"
    body = {"id": second, "name": second, "password": PASSWORD, "born": "1990-05-05"}
    signed(client, client.post("/api/accounts", json=body))
    assert client.get("/api/me/partners").json()["partners"] == []
    with house.staff("pit") as pit:
        waiting = pit.get("/api/pit").json()["waiting"]
        (seen,) = [one for one in waiting if one.get("players") == [second, name]]
        away = f"{name} is excluded or on a break."
        words = f"{away} If the accounts belong to the same person, link them."
        assert words in seen["words"]
        body = {"players": seen["players"], "reason": "the same person"}
        assert pit.post("/api/partners", json=body).is_success
    assert client.get("/api/me/partners").json()["partners"] == [name]
    reply = refused(pay_in(house, second, 500), "self-excluded")
    assert "linked with this player's is excluded" in reply
    assert "ask the pit" in refused(wager(client, ("player", 500)), "self-excluded")
    assert "linked with yours" in client.get("/api/me/play").json()["blocked"]


def test_breaks_and_reality_checks_work_over_the_api(player):
    _, client = player
    chosen = client.put("/api/me/reality-check", json={"every": 15}).json()["reality_check"]
    assert (chosen["every"], chosen["due"]) == (15, False)
    assert wager(client, ("player", 500)).status_code == 200
    before = client.get("/api/me/play").json()["reality_check"]
    figures = {"net": 0, "staked": 500}
    answered = client.post("/api/me/reality-check", json=figures)  # none is due
    assert (answered.status_code, answered.json()["reality_check"]) == (200, before)
    reply = client.post("/api/me/break", json={"hours": 24}).json()
    assert reply["break_until"]
    refused(wager(client, ("player", 500)), "on-a-break")


@pytest.mark.requirement("R37")
def test_r37_a_breach_is_shown_before_the_bet_is_placed(house):
    name, client = account(house)
    with house.staff("pit") as pit:
        where = f"/api/accounts/{name}/bonus"
        refused(pit.post(where, json={"amount": 9_000, "times": 36}, headers=key()), "bonus-terms")
        assert pit.post(where, json={"amount": 9_000}, headers=key()).status_code == 200
    reply = client.get("/api/me/bonus").json()
    assert reply["grant"]["left"] == 9_000
    wager(client)
    body = {"round": 1, "wagers": [{"bet": bet, "stake": 2_000} for bet in ("player", "banker")]}
    trial = client.post("/api/tables/open/wagers/trial", json=body).json()
    assert trial["breaches"]
    assert "90.48%" in trial["words"]
    assert trial["would_be"] == "refuse"
    for wagers, why in (  # refused like real bets
        ([("player", -5)], "bad-stake"),
        ([("player", 500), ("player", 500)], "bet-twice"),
        ([("nix", 500)], "no-such-bet"),
    ):
        odd = {"round": 1, "wagers": [{"bet": bet, "stake": stake} for bet, stake in wagers]}
        refused(client.post("/api/tables/open/wagers/trial", json=odd), why)
    late = client.post("/api/tables/open/wagers/trial", json={**body, "round": 99})
    refused(late, "no-such-round")
    refused(wager(client, ("player", 2_000), ("banker", 2_000)), "bonus-breach")
    assert wager(client, ("player", 2_000)).status_code == 200
    client.close()


def test_bonus_money_is_released_after_the_round_that_met_its_terms(house):
    name, client = account(house)
    assert wager(client, ("player", 500)).json()["code"] == "insufficient-funds"
    with house.colleague(f"giver-{name}"[:40]) as pit:
        pit.post(f"/api/accounts/{name}/bonus", json={"amount": 2_000}, headers=key())
    assert wager(client, ("player", 2_000), table="fast").status_code == 200
    for _ in range(400):
        reply = client.get("/api/me/bonus").json()
        if reply["grant"]["wagered"] == 2_000 and reply["balance"] == 0:
            break
        time.sleep(0.05)
    assert reply["balance"] == 0
    assert client.get("/api/me/balance").json()["real"] in (0, 2_000, 4_000)
    client.close()


# ---- the register ------------------------------------------------------------------------------


@pytest.mark.requirement("G15", "G40")
def test_g15_the_register_fails_closed(house):
    name, client = account(house)
    for Answers.status, Answers.body in (
        (500, b'{"excluded": false}'),
        (200, b"no"),
        (200, b'{"excluded": "false"}'),
        (200, b"{}"),
        (204, b""),
    ):
        refused(pay_in(house, name, 500), "register-silent")
        refused(wager(client, ("player", 500)), "register-silent")
    Answers.status, Answers.body = 200, b'{"excluded": true}'
    assert "the register" in refused(pay_in(house, name, 500), "self-excluded")
    Answers.body = b'{"excluded": false}'
    assert pay_in(house, name, 500).status_code == 200
    before = len(Answers.asked)
    assert wager(client, ("player", 500)).status_code == 200  # its answer is still valid
    assert len(Answers.asked) == before
    with house.guest() as guest:
        assert wager(guest, ("player", 500)).status_code == 200
    assert not any(one.startswith("guest-") for one in Answers.asked)
    client.close()


def test_answers_of_the_register_are_cached_for_a_while(tmp_path):
    excluded = tmp_path / "excluded.txt"
    now = 1_000_000
    conduct = replace(GREECE, register=f"file:{excluded}", register_fresh=10 * MINUTE)
    register = Register(conduct, lambda: now)
    ann = Account("ann", Role.PLAYER, "Ann")

    def ask():
        return asyncio.run(register.cleared_at(ann))

    assert ask() is None  # no file: not cleared
    excluded.write_text("# the register\nbob  # since May\n", encoding="utf-8")
    assert ask() == now
    excluded.write_text("ann\n", encoding="utf-8")
    now += 10 * MINUTE - 1
    assert ask() == 1_000_000
    now += 1
    with pytest.raises(Refused) as reply:
        ask()
    assert reply.value.code is Code.SELF_EXCLUDED
    assert is_listed(excluded, "ann")
    assert not is_listed(excluded, "a")


def test_an_unreachable_or_unresponsive_register_clears_nobody(register):
    ann = Account("ann", Role.PLAYER, "Ann")
    gone = replace(GREECE, register="http://127.0.0.1:9/check")
    assert asyncio.run(Register(gone, lambda: 5).cleared_at(ann)) is None

    async def hangs(_: str) -> bool:
        raise TimeoutError

    assert asyncio.run(Register(gone, lambda: 5, hangs).cleared_at(ann)) is None
    assert asyncio.run(ask_http(register, "ann")) is False
    with contextlib.suppress(IndexError):
        assert Answers.asked[-1] == "ann"
