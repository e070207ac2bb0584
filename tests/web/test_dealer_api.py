"""The dealer's API: a coup from take-table to pay, flagged errors, and corrections."""

import html
import json
import re
from dataclasses import replace

import pytest
from websockets.sync.client import connect

from baccarat.auditor import audit, read_store
from baccarat.house.housefile import House
from baccarat.house.people.roles import Role
from baccarat.house.table_plans import TablePlan
from baccarat.table.rules import rules_text
from baccarat.table.settings import DummyRefund
from support.by_hand import hand_settings
from support.dealing import KEYS, Dealing
from support.documented import ROOT
from support.live import settings_for
from support.proposals import withdraw
from support.served import OPEN, closing_clients, served, signed

SMUDGED = str(ROOT / "examples" / "disputed" / "smudged.toml")
SMUDGED_BY_HAND = replace(
    hand_settings(SMUDGED), rules=rules_text(SMUDGED, readings={"after-standing": "stands"})
)
HOUSE = House(
    "The house",
    "GBP",
    100_000,
    (
        TablePlan(
            "hand", "By hand", hand_settings(dummy=DummyRefund.BETTER), guests=True, shoe="the-shoe"
        ),
        TablePlan("server", "By the server", settings_for(clock=OPEN), guests=True),
        TablePlan("smudged", "Smudged", SMUDGED_BY_HAND, guests=True),
    ),
)


@pytest.fixture
def site(tmp_path):
    with served(tmp_path, house=HOUSE) as found:
        with closing_clients(found):
            yield found
        address = f"sqlite:///{tmp_path}/house.db"
        assert audit(read_store(address)).findings == []


@pytest.mark.requirement("R41", "R42")
def test_r42_the_console_leads_a_dealer_through_a_coup(site):
    dealer = Dealing(site)
    assert dealer.console()["next"]["do"] == "take-table"
    assert dealer.call("take-table")["console"]["next"]["do"] == "begin-shoe"
    now = dealer.do("shoe")["console"]
    assert now["next"]["do"] == "place-your-bets"
    assert (now["shoe"]["left"], now["shoe"]["unseen_by_rank"]["8"]) == (416, 32)
    assert dealer.call("place-your-bets")["console"]["next"]["do"] == "no-more-bets"
    now = dealer.call("no-more-bets")["console"]
    for card, words in (
        ("5h", "Next card to Banker: the first four cards are dealt alternately"),
        ("S7", "Next card to Player: the first four cards are dealt alternately"),
        ("0d", "Next card to Banker: the first four cards are dealt alternately"),
        ("05C", "Next card to Player: Player draws on 5."),
        ("3♣", "Next card to Banker: Banker draws on 2 against a third card worth 3."),
    ):
        now = dealer.do("cards", {"card": card})["console"]
        assert now["next"]["words"].startswith(words)
    assert now["turn"]["words"] == "Banker draws on 2 against a third card worth 3"
    now = dealer.do("cards", {"card": "4s", "hand": "banker"})["console"]
    assert now["turn"]["hand"] is None
    assert now["hands"]["announce"] == "Player 8, Banker 6"
    assert now["hands"]["player"]["cards"] == ["5h", "10d", "3c"]
    assert (now["shoe"]["left"], now["shoe"]["unseen"]["5h"]) == (410, 7)
    assert dealer.call("result")["events"][0]["dealer"] == "the-dealer"
    assert dealer.call("pay")["console"]["next"]["do"] == "place-your-bets"
    view = site.client().get("/api/tables/hand").json()
    assert view["roads"]["coups"] == 1
    assert view["shoe"]["left"] == 410


@pytest.mark.requirement("R42", "R43", "R44")
def test_r43_r44_errors_are_shown_with_the_card_and_rectified(site):
    dealer = Dealing(site).ready()
    dealer.call("place-your-bets")
    early = dealer.do("cards", {"card": "Ks", "round": 1, "place": 0})
    assert early["events"][1]["wrong"]["kind"] == "exposed"
    dealer.call("no-more-bets")
    dealer.do("cards", {"card": "6h", "hand": "player"})
    now = dealer.do("cards", {"card": "9d", "hand": "player"})["console"]
    [flag] = now["irregularities"]
    assert (flag["kind"], flag["place"]) == ("wrong-side", 2)
    assert now["next"]["do"] == "rectify"
    assert "9♦ is with Player but belongs to Banker" in now["next"]["words"]
    assert dealer.refused("calls", {"call": "result"})["code"] == "irregular"
    now = dealer.do("rectification", {})["console"]
    assert now["irregularities"] == []
    for card in ("2c", "Kc"):
        dealer.do("cards", {"card": card})
    now = dealer.do("cards", {"card": "4c", "round": 1, "place": 5})["console"]
    assert [irregularity["kind"] for irregularity in now["irregularities"]] == ["extra"]
    now = dealer.do("rectification", {"drawn": ["6h", "9d", "2c", "Kc", "4c"]})["console"]
    assert (now["shoe"]["known"], now["shoe"]["out"]) == ([], 6), "burned, with the early one"
    dealer.call("result")
    dealer.call("pay")
    assert "zz is not a card." in dealer.refused("cards", {"card": "zz"})["detail"]
    rounds = site.client().get("/api/tables/hand/rounds").json()["rounds"]
    assert [(one["round"], one["winner"], one["void"]) for one in rounds] == [(1, "banker", None)]


@pytest.mark.requirement("R41")
def test_r41_an_electronic_shoe_can_only_send_cards_to_the_dealer_of_its_table(site):
    shoe = Dealing(site, "shoe")
    assert shoe.refused("cards", {"card": "6h"})["code"] == "not-the-dealer"  # no dealer yet
    elsewhere = Dealing(site, "shoe")
    elsewhere.table = "smudged"
    refused = elsewhere.refused("cards", {"card": "6h"})
    assert refused["code"] == "not-allowed"
    assert "the-shoe is not the shoe of Smudged" in refused["detail"]
    early = Dealing(site).refused("calls", {"call": "place-your-bets"})
    assert early["detail"] == "Nobody is dealing at this table. Take the table first."
    dealer = Dealing(site).ready()
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    reply = shoe.do("cards", {"card": "6h", "round": 1, "place": 1})
    assert reply["events"][0]["dealer"] == "the-dealer"
    assert shoe.console()["place"] == 2
    for path, body in (
        ("calls", {"call": "result"}),
        ("rectification", {}),
        ("dummy", {"round": 1, "reason": "misdeal"}),
        ("shoe/end", {}),
        ("rounds/1/errors", {"reason": "no"}),
    ):
        assert shoe.refused(path, body)["code"] == "not-allowed"


def test_a_card_whose_answer_was_lost_is_entered_once(site):
    dealer = Dealing(site).ready()
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    for _ in range(3):
        now = dealer.do("cards", {"card": "6h"}, key="the same")
    assert len(now["console"]["drawn"]) == 1
    again = dealer.send("POST", "cards", {"card": "7h"}, key="the same")
    assert again.json()["code"] == "key-reused"
    for _ in range(2):
        shoe = dealer.send("POST", "shoe", key="shoe")
        assert shoe.json()["code"] == "wrong-phase"


def test_a_card_is_refused_if_another_card_came_since_the_last_answer(site):
    """A repeated answer names the same entry, whatever has happened since."""
    dealer, shoe = Dealing(site).ready(), Dealing(site, "shoe")
    dealer.call("place-your-bets")
    closed = dealer.call("no-more-bets")["through"]
    first = dealer.do("cards", {"card": "6h", "after": closed}, key="first")
    assert first["through"] == first["first"] == closed + 1
    shoe.do("cards", {"card": "9d", "round": 1, "place": 2})
    again = dealer.do("cards", {"card": "6h", "after": closed}, key="first")
    assert again["through"] == first["through"]
    assert again["console"]["sequence"] > first["through"]
    late = dealer.refused("cards", {"card": "9d", "after": again["through"]})
    assert late["code"] == "wrong-card"
    assert "The table moved on before 9♦ was received" in late["detail"]
    now = dealer.do("cards", {"card": "2c", "after": again["console"]["sequence"]})["console"]
    assert [one["card"] for one in now["drawn"]] == ["6h", "9d", "2c"]


@pytest.mark.requirement("R43")
def test_r43_a_player_reports_an_error_the_pit_corrects_it_and_late_reports_are_refused(site):
    dealer, pit = Dealing(site).ready(), Dealing(site, "pit")
    guest, other = site.guest(), site.guest()
    dealer.call("place-your-bets")
    wager = {"round": 1, "wagers": [{"bet": "player", "stake": 1000}]}
    answer = guest.put(
        "/api/tables/hand/wagers", json=wager, headers={"Idempotency-Key": f"k{next(KEYS)}"}
    )
    assert answer.status_code == 200, answer.text
    dealer.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        dealer.do("cards", {"card": card})
    dealer.call("result")
    dealer.call("pay")
    path = "/api/tables/hand/rounds/1/errors"
    body, head = {"reason": "the last card was a nine"}, {"Idempotency-Key": "r"}
    assert other.post(path, json=body, headers=head).status_code == 200, "a bystander may report"
    pit.do("rounds/1/errors/dismissal", {"reason": "the cameras show no error"})
    assert guest.post(path, json=body, headers=head).status_code == 200
    assert pit.console()["reports"][0]["words"] == "the last card was a nine"
    assert dealer.refused("rounds/1/errors", {"cards": []}, method="PUT")["code"] == "not-allowed"
    blank = {"cards": ["6h", "Kd", "2c", "9s"]}
    assert "Explain" in pit.refused("rounds/1/errors", blank, method="PUT")["detail"]
    page = pit.client.get("/pit/decisions", headers={"Accept": "text/html"}).text
    assert "As entered: <b>6♥ K♦ 2♣ K♠</b>" in page
    dealer.coup("9h", "9c", "Kh", "Kc")
    drawn = {"cards": ["6h", "Kd", "2c", "9s"], "reason": "a nine"}
    [proposed] = pit.do("rounds/1/errors", drawn, method="PUT")["console"]["proposals"].values()
    assert proposed == (
        "Correct round 1 from Player 6♥ 2♣ (8), Banker K♦ K♠ (0) to Player 6♥ 2♣ (8), Banker K♦ 9♠ "
        "(9): £20.00 changes hands."
    )
    settled = guest.get("/api/tables/hand/rounds/1")
    tag = {"If-None-Match": settled.headers["etag"]}
    assert guest.get("/api/tables/hand/rounds/1", headers=tag).status_code == 304
    fixed = pit.colleague(site, "pat").do("rounds/1/errors", drawn, method="PUT")
    again = guest.get("/api/tables/hand/rounds/1", headers=tag)
    assert [one["type"] for one in again.json()["events"]][-2:] == [
        "RoundSettled",
        "RoundCorrected",
    ]
    tag = {"If-None-Match": again.headers["etag"]}
    assert guest.get("/api/tables/hand/rounds/1", headers=tag).status_code == 304
    assert fixed["events"][0]["corrections"][0]["real"] == -2000
    assert guest.get("/api/me/balance").json()["real"] == 99_000
    late = guest.post(path, json=body, headers={"Idempotency-Key": "later"}).json()
    assert late["code"] == "result-stands"
    assert "R43" in late["detail"]
    log = pit.client.get("/api/house/events", params={"topic": "override"}).json()["events"]
    words = (
        "Round 1 corrected from Player 6♥ 2♣ (8), Banker K♦ K♠ (0) to Player 6♥ 2♣ (8), Banker "
        "K♦ 9♠ (9): £20.00 changed hands. Players' result before: £10.00, after: −£10.00."
    )
    assert words in [one["words"] for one in log]
    rounds = site.client().get("/api/tables/hand/rounds").json()["rounds"]
    assert [(one["round"], one["winner"], one["corrected"]) for one in rounds] == [
        (2, "tie", False),
        (1, "banker", True),
    ]
    entries = guest.get("/api/tables/hand/journal?limit=500").json()["events"]
    [corrected] = [entry for entry in entries if entry["type"] == "RoundCorrected"]
    assert [correction["real"] for correction in corrected["corrections"]] == [-2000]
    assert "by" not in corrected
    seen = other.get("/api/tables/hand/journal?limit=500").json()["events"]
    [corrected] = [one for one in seen if one["type"] == "RoundCorrected"]
    assert (corrected["corrections"], corrected["results"]) == ([], [])
    reports = [one for one in seen if one["type"] == "ErrorReported"]
    assert len(reports) == 1, "only their own"
    assert {one["dealer"] for one in seen if "dealer" in one} == {"The dealer"}


@pytest.mark.requirement("R43")
def test_r43_anyone_at_the_table_may_report_a_limited_number_of_errors(site):
    dealer, guest = Dealing(site).ready(), site.guest()
    dealer.coup("6h", "Kd", "2c", "Ks")
    for role in ("cashier", "dealer", "pit"):
        person = dealer.colleague(site, f"a-{role}", Role(role))
        person.do("rounds/1/errors", {"reason": f"seen by a {role}"})
    dealer.call("place-your-bets")  # the game continues
    person.client = guest
    tried = [person.send("POST", "rounds/1/errors", {"reason": "look"}) for _ in range(6)]
    assert [one.status_code for one in tried] == [200] + [409] * 4 + [429]
    again = tried[1].json()
    assert (again["code"], again["detail"]) == (
        "already-reported",
        "You've already reported round 1. The pit will look into it.",
    )
    assert tried[-1].json()["detail"].startswith("Too many reports")
    assert len(dealer.console()["reports"]) == 4, "one a person"
    shoe = Dealing(site, "shoe")
    assert shoe.refused("rounds/1/errors", {"reason": "I saw it"})["code"] == "not-allowed"
    assert dealer.console()["phase"] == "open"


def test_a_round_is_found_despite_reports_about_the_previous_one(site):
    dealer = Dealing(site).ready()
    dealer.coup("9h", "9c", "Kh", "Kc")
    dealer.call("place-your-bets")
    for name in ("one", "two", "three"):
        witness = dealer.colleague(site, name, Role.DEALER)
        witness.do("rounds/1/errors", {"reason": "was it?"})
    dealer.call("no-more-bets")
    for card in ("8h", "8c", "Qh", "Qc"):
        dealer.do("cards", {"card": card})
    for call in ("result", "pay"):
        dealer.call(call)
    guest = site.guest()
    for number in (1, 2):
        reply = guest.get(f"/api/tables/hand/rounds/{number}").json()["events"]
        assert (reply[0]["type"], reply[0]["round"]) == ("RoundOpened", number)
        assert (reply[-1]["type"], reply[-1]["round"]) == ("RoundSettled", number)


@pytest.mark.requirement("G31")
def test_g31_closing_a_shoe_checks_its_card_count(site):
    dealer, pit = Dealing(site).ready(), Dealing(site, "pit")
    dealer.coup("9h", "9c", "Kh", "Kc")
    found = dealer.do("shoe/end", {"rest": "8h 13s"})
    assert [event["type"] for event in found["events"]] == [
        "AlarmRaised",
        "TablePaused",
        "ShoeClosed",
    ]
    assert found["console"]["paused"]
    log = pit.client.get("/api/house/events", params={"topic": "override"}).json()["events"]
    assert log[0]["who"] == "the alarm", "the dealer has overridden nothing"
    assert log[0]["words"].startswith("Table paused automatically by an alarm.")
    assert dealer.refused("shoe")["code"] == "table-paused"
    resumed = pit.send("POST", "resume")
    assert resumed.status_code == 204
    dealer.do("shoe")


def test_the_page_of_a_table_of_real_cards_opens_with_and_without_a_shoe(site):
    dealer, guest = Dealing(site), site.guest()
    for step in (None, "shoe"):
        if step:
            dealer.call("take-table")
            dealer.do(step)
        for page in ("/", "/tables/hand"):
            assert guest.get(page, headers={"Accept": "text/html"}).status_code == 200, page
    promised = (
        "The order of every shoe is fixed before the first bet, and you can verify it afterwards"
    )
    for page, said in (
        ("/tables/server", f"<p>{promised}. "),
        ("/tables/hand", "<p>Real cards, dealt by a dealer. There is no shoe to verify.<"),
        ("/", f"<p>{promised}. This does not apply to tables with real cards. "),
    ):
        assert said in guest.get(page, headers={"Accept": "text/html"}).text, page


def test_only_tables_of_real_cards_have_a_console_and_only_for_dealers(site):
    dealer = Dealing(site, table="server")
    assert dealer.client.get("/api/tables/server/console").json()["code"] == "wrong-phase"
    assert dealer.refused("calls", {"call": "take-table"})["code"] == "wrong-phase"
    guest = site.guest()
    assert guest.get("/api/tables/hand/console").status_code == 403
    assert site.client().get("/api/tables/hand/console").status_code == 401


def test_every_page_of_results_shows_its_corrections(site):
    dealer, pit = Dealing(site).ready(), Dealing(site, "pit")
    pat = pit.colleague(site, "pat")
    for number in (1, 2):
        dealer.coup("6h", "Kd", "2c", "Ks")
        dealer.do(f"rounds/{number}/errors", {"reason": "the last card was a nine"})
        for person in (pit, pat):
            drawn = {"cards": ["6h", "Kd", "2c", "9s"], "reason": "a nine"}
            person.do(f"rounds/{number}/errors", drawn, method="PUT")
    found, before = [], ""
    for _ in (1, 2):
        answer = site.client().get(f"/api/tables/hand/rounds?limit=1{before}")
        [page] = answer.json()["rounds"]
        found.append((page["round"], page["winner"], page["corrected"]))
        before = f"&before={page['sequence']}"
    assert found == [(2, "banker", True), (1, "banker", True)]


@pytest.mark.requirement("R45")
def test_r45_a_dummy_round_is_void_in_history_and_not_on_the_roads(site):
    dealer, pit = Dealing(site).ready(), Dealing(site, "pit")
    dealer.coup("9h", "9c", "Kh", "Kc")
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        dealer.do("cards", {"card": card})
    dealer.call("result")
    assert site.client().get("/api/tables/hand").json()["roads"]["coups"] == 2
    considered = pit.do("rounds/2/considered", {"reason": "two cards stuck together"})
    assert considered["events"][0]["type"] == "RectificationConsidered"
    body = {"reason": "misdeal"}
    assert pit.do("rounds/2/cancel", body)["cancelled"] is False, "a second person confirms it"
    assert pit.refused("rounds/2/cancel", body)["code"] == "needs-two-people"
    another = pit.colleague(site, "another")
    withdraw(pit.client, {"kind": "cancel", "round": 2})
    assert another.do("rounds/2/cancel", body)["cancelled"] is False, "it was taken back"
    assert pit.do("rounds/2/cancel", body)["cancelled"] is True
    reply = another.client.get("/api/tables/hand/rounds/2").json()["events"]
    assert reply[-1]["by"] == ["another", "the-pit"]
    assert site.client().get("/api/tables/hand").json()["roads"]["coups"] == 1
    rounds = site.client().get("/api/tables/hand/rounds").json()["rounds"]
    assert [(one["round"], one["winner"], one["void"]) for one in rounds] == [
        (2, None, "misdeal"),
        (1, "tie", None),
    ]
    page = site.client().get("/api/tables/hand/rounds?limit=1").json()["rounds"]
    after = site.client().get(f"/api/tables/hand/rounds?limit=1&before={page[0]['sequence']}")
    assert [one["round"] for one in after.json()["rounds"]] == [1]


@pytest.mark.requirement("R45")
def test_r45_a_dummy_round_called_after_the_result_needs_the_pit(site):
    dealer, pit, guest = Dealing(site).ready(), Dealing(site, "pit"), site.guest()
    dealer.call("place-your-bets")
    wagers(guest, "hand", 1, player=1000)
    dealer.call("no-more-bets")
    dealer.do("cards", {"card": "6h"})
    other = pit.colleague(site, "dora", role=Role.DEALER)
    called = {"round": 1, "reason": "misdeal"}
    assert other.refused("dummy", called)["code"] == "not-the-dealer"
    assert dealer.do("dummy", called)["events"][0]["type"] == "ActionProposed", "a card is out"
    assert other.send("DELETE", "dummy/1").json()["code"] == "not-allowed"
    assert dealer.send("DELETE", "dummy/1").json()["console"]["calling_off"] is None
    dealer.do("dummy", called)
    assert pit.do("rounds/1/cancel", {"reason": "misdeal"})["cancelled"] is True
    assert guest.get("/api/me/balance").json()["real"] == 100_000
    dealer.call("place-your-bets")
    wagers(guest, "hand", 2, player=1000)
    dealer.call("no-more-bets")
    for card in ("Kh", "Kd", "2c", "9s"):
        dealer.do("cards", {"card": card})
    dealer.call("result")
    called = {"round": 2, "reason": "foreign-card"}
    assert dealer.refused("dummy", called)["code"] == "rectify-first"
    found = dealer.do("dummy", {**called, "words": "a card of another deck lay in the shoe"})
    assert [event["type"] for event in found["events"]] == [
        "RectificationConsidered",
        "ActionProposed",
    ]
    assert found["console"]["calling_off"]["reason"] == "foreign-card"
    assert dealer.refused("dummy", called)["code"] == "needs-two-people"
    assert pit.do("rounds/2/cancel", {"reason": "foreign-card"})["cancelled"] is True
    assert guest.get("/api/me/balance").json()["real"] == 100_000
    assert pit.console()["alarm"].startswith("a card does not belong")


@pytest.mark.requirement("G38")
def test_g38_the_person_who_opened_a_dealers_account_cannot_be_their_second_person(site):
    pit, other = Dealing(site, "pit"), Dealing(site, "pit").colleague(site, "other")
    body = {"id": "puppet", "name": "Puppet", "role": "dealer"}
    given = pit.client.post("/api/staff", json=body).json()["password"]
    puppet, client = Dealing(site), site.client()
    sign_in = {"account": "puppet", "password": given}
    puppet.client = signed(client, client.post("/api/session", json=sign_in))
    client.put("/api/me/password", json={"old": given, "new": "my own sentence"})
    puppet.ready()
    puppet.call("place-your-bets")
    puppet.call("no-more-bets")
    for card in ("Kh", "Kd", "2c", "9s"):
        puppet.do("cards", {"card": card})
    puppet.call("result")
    puppet.do("dummy", {"round": 1, "reason": "misdeal", "words": "the cards fell down"})
    refused = pit.refused("rounds/1/cancel", {"reason": "misdeal"})
    assert refused["code"] == "needs-two-people"
    assert "helped to open Puppet's account" in refused["detail"]
    assert other.do("rounds/1/cancel", {"reason": "misdeal"})["cancelled"] is True


def test_a_card_entered_for_another_place_is_refused_and_changes_nothing(site):
    dealer = Dealing(site).ready()
    early = {"card": "8h", "round": 0}
    assert dealer.refused("cards", {**early, "place": 1})["code"] == "wrong-card"
    dealer.do("cards", {**early, "place": 0})
    twice = dealer.refused("cards", {**early, "place": 0})  # another device has sent it too
    words = (
        "{} was entered for another position, or too late. Look at the table and enter the card "
        "that is missing."
    )
    assert twice["detail"] == words.format("8♥")
    assert dealer.console()["shoe"]["cards"] - dealer.console()["shoe"]["left"] == 1
    dealer.do("cards", {**early, "place": -1})  # unless it is another of these
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    for place, card in enumerate(("6h", "Kd", "2c"), start=1):
        dealer.do("cards", {"card": card, "round": 1, "place": place})
    before = dealer.console()
    for place in (
        {"round": 1, "place": 2},
        {"round": 2, "place": 4},
        {"round": 1, "place": 0},
        {"place": 5},
    ):
        refused = dealer.refused("cards", {"card": "9c", **place})
        assert (refused["code"], refused["detail"]) == ("wrong-card", words.format("9♣"))
    assert dealer.console() == before
    dealer.do("cards", {"card": "9c"})  # without a place it can only be the next


@pytest.mark.requirement("R41", "R43")
def test_r43_an_unexpected_card_from_a_device_is_kept_until_the_dealer_explains_it(site):
    shoe, dealer, pit = Dealing(site, "shoe"), Dealing(site).ready(), site.staff("pit")

    def alerts() -> list[str]:
        return [alert["words"] for alert in pit.get("/api/pit").json()["alerts"]]

    def answer(card: str, was: str) -> dict:
        return dealer.do("cards/explanation", {"card": card, "was": was})

    shoe.do("cards", {"card": "8h"})  # before "place your bets"
    now = dealer.console()
    assert [irregularity["kind"] for irregularity in now["irregularities"]] == ["in-doubt"]
    assert now["next"] == {
        "do": "explain",
        "short": "Say what the card was",
        "words": "8♥ was sent by the shoe, but no coup was being dealt. Say what it was.",
    }
    assert alerts() == ["Round 0: 8♥ was sent by the shoe, but no coup was being dealt."]
    assert [choice["was"] for choice in now["choices"]] == ["exposed", "mistake"]
    assert dealer.refused("calls", {"call": "place-your-bets"})["code"] == "irregular"
    assert (
        dealer.refused("cards/explanation", {"card": "9h", "was": "mistake"})["code"]
        == "wrong-card"
    )
    assert (
        shoe.refused("cards/explanation", {"card": "8h", "was": "mistake"})["code"] == "not-allowed"
    )
    now = answer("8h", "exposed")["console"]
    assert [irregularity["words"] for irregularity in now["irregularities"]] == [
        "8♥ was exposed before “no more bets” and is burned"
    ]
    assert (now["next"]["do"], now["choices"], alerts()) == ("place-your-bets", [], [])
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        shoe.do("cards", {"card": card})
    assert shoe.refused("cards", {"card": "Ks", "round": 1, "place": 4})["code"] == "wrong-card"
    shoe.do("cards", {"card": "9d"})
    shoe.do("cards", {"card": "3d", "round": 1, "place": 9})
    assert dealer.refused("calls", {"call": "result"})["code"] == "irregular"
    now = answer("9d", "drawn")["console"]
    assert [irregularity["kind"] for irregularity in now["irregularities"]] == ["in-doubt", "extra"]
    now = answer("3d", "mistake")["console"]
    assert now["next"]["do"] == "rectify"
    assert len(alerts()) == 1
    now = dealer.do("rectification", {})["console"]
    assert (now["shoe"]["known"], now["shoe"]["out"]) == ([], 6)
    dealer.call("result")
    now = dealer.call("pay")["console"]
    assert (now["next"]["do"], now["shoe"]["burn_due"]) == ("burn", "taken-back"), "3♦ may be next"
    dealer.do("burns", {})
    dealer.coup("9d", "Kd", "Kc", "Ks")


@pytest.mark.requirement("R43", "R45", "G38")
def test_g38_above_the_limit_or_for_the_dealer_two_people_decide_and_the_pit_sees_it(site):
    pit, guest = Dealing(site, "pit").ready(), site.guest()
    other = pit.colleague(site, "pat")

    def waiting() -> list[tuple[dict, dict]]:
        found = pit.client.get("/api/pit").json()["waiting"]
        return [(one["subject"], one["terms"]) for one in found if one["kind"] == "proposal"]

    pit.call("place-your-bets")
    wagers(guest, "hand", 1, player=20_000)
    called = {"round": 1, "reason": "power"}
    assert [event["type"] for event in pit.do("dummy", called)["events"]] == ["ActionProposed"]
    ((subject, terms),) = waiting()
    assert subject == {"kind": "cancel", "round": 1}
    assert (terms["reason"], terms["staked"], terms["cards"]) == ("power", 20_000, [])
    assert other.do("rounds/1/cancel", {"reason": "power"})["cancelled"] is True
    pit.call("place-your-bets")
    wagers(guest, "hand", 2, player=1000)
    pit.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        pit.do("cards", {"card": card})
    pit.call("result")
    pit.call("pay")
    key = {"Idempotency-Key": f"k{next(KEYS)}"}
    said = {"reason": "it was a nine"}
    guest.post("/api/tables/hand/rounds/2/errors", json=said, headers=key).raise_for_status()
    body, asked = {"cards": ["6h", "Kd", "2c", "9s"]}, {"cards": "6h Kd 2c 9s"}
    where = {"table": "hand", "round": 2}
    seen = other.client.get("/api/tables/hand/rounds/2/errors", params=asked).json()
    moved = [(player["before"], player["after"], player["moves"]) for player in seen["players"]]
    assert (moved, seen["lost"], seen["takes_two"]) == ([(1000, -1000, -2000)], 0, True)
    assert "Result after" not in other.client.get("/pit/decisions").text
    page = other.client.get("/pit/decisions", params={**where, **asked}).text
    assert "PUT /tables/hand/rounds/2/errors" in page
    assert "−£20.00" in page.partition("Difference")[2]
    short = {**where, "cards": "6h Kd 2c"}
    assert "do not complete the coup" in other.client.get("/pit/decisions", params=short).text
    pit.do("rounds/2/errors", {**body, "reason": "a nine"}, method="PUT")
    pit.do("rounds/2/errors", method="DELETE")
    assert waiting() == []
    pit.do("rounds/2/errors", {**body, "reason": "a nine"}, method="PUT")
    ((subject, terms),) = waiting()
    assert (subject, terms["cards"]) == ({"kind": "correct", "round": 2}, body["cards"])
    assert [(result["before"], result["after"]) for result in terms["results"]] == [(1000, -1000)]
    page = other.client.get("/pit/decisions").text
    assert "PUT /tables/hand/rounds/2/errors" in page
    sent = re.search(
        r"rounds/2/errors\" data-keyed data-proposal=\"[0-9a-f]+\" data-body='([^']*)'", page
    )
    assert json.loads(html.unescape(sent[1])) == body
    assert "Result after" in page, "the person who confirms it sees how much money it moves"
    done = other.do("rounds/2/errors", {**body, "reason": "a nine"}, method="PUT")
    assert [event["type"] for event in done["events"]] == ["RoundCorrected"]
    (moved,) = done["events"][0]["corrections"]
    assert moved["real"] == seen["players"][0]["moves"]
    assert waiting() == []
    assert guest.get("/api/me/balance").json()["real"] == 99_000


def wagers(client, table: str, number: int, **stakes: int) -> None:
    made = [{"bet": bet.replace("_", "-"), "stake": stake} for bet, stake in stakes.items()]
    answer = client.put(
        f"/api/tables/{table}/wagers",
        json={"round": number, "wagers": made},
        headers={"Idempotency-Key": f"k{next(KEYS)}"},
    )
    assert answer.status_code == 200, answer.text


@pytest.mark.requirement("R43")
def test_r43_the_console_lists_possible_actions_and_reportable_rounds(site):
    dealer, pit = Dealing(site), Dealing(site, "pit")
    assert dealer.console()["can"] == ["take-table"]
    dealer.call("take-table")
    assert dealer.console()["can"] == ["leave-table", "call-floor", "begin-shoe"]
    dealer.do("shoe")
    dealer.coup("9h", "9c", "Kh", "Kc")
    now = dealer.console()
    can = ["leave-table", "call-floor", "place-your-bets", "cut-card", "close-shoe"]
    assert (now["can"], now["reportable"]) == (can, [1])
    dealer.call("place-your-bets")
    now = dealer.call("no-more-bets")["console"]
    assert (now["reportable"], "cancel" in now["can"], "re-enter" in now["can"]) == (
        [2, 1],
        True,
        False,
    )
    now = dealer.do("cards", {"card": "2h"})["console"]
    assert (now["reportable"], "re-enter" in now["can"]) == ([2], True)
    assert pit.console()["can"] == ["take-table"]


@pytest.mark.requirement("R02", "R35")
def test_r35_wagers_must_be_within_the_limits_shown_and_r02_before_no_more_bets(site):
    dealer, guest = Dealing(site).ready(), site.guest()
    dealer.call("place-your-bets")
    groups = guest.get("/api/tables/hand").json()["layout"]["groups"]
    (bet,) = (one for group in groups for one in group["bets"] if one["id"] == "player")

    def refused(stake: int) -> str:
        body = {"round": 1, "wagers": [{"bet": "player", "stake": stake}]}
        head = {"Idempotency-Key": f"k{next(KEYS)}"}
        return guest.put("/api/tables/hand/wagers", json=body, headers=head).json().get("code", "")

    assert refused(bet["minimum"] - bet["step"]) == refused(bet["maximum"] + bet["step"])
    assert refused(bet["maximum"] + bet["step"]) == "outside-limits"
    assert (refused(bet["minimum"]), refused(bet["maximum"])) == ("", "")
    dealer.call("no-more-bets")
    assert refused(bet["minimum"]) == "betting-closed"


@pytest.mark.requirement("R02")
def test_r02_every_endpoint_refuses_bets_while_a_card_is_queried(site):
    """Placing, changing, withdrawing, replacing and checking; by a guest and by others."""
    dealer, shoe, guest, other = (
        Dealing(site).ready(),
        Dealing(site, "shoe"),
        site.guest(),
        site.guest(),
    )
    dealer.call("place-your-bets")
    wagers(guest, "hand", 1, player=1000)
    shoe.do("cards", {"card": "9d", "round": 1, "place": 1})
    stake = [{"bet": "player", "stake": 1000}]
    doors = [{"wagers": []}, {"wagers": stake}, {"wagers": [], "replaces": stake}]

    def answer(client, method: str, path: str, body: dict):
        head = {"Idempotency-Key": f"k{next(KEYS)}"}
        path = f"/api/tables/hand/{path}"
        return client.request(method, path, json={"round": 1, **body}, headers=head).json()

    for client in (guest, other):
        for body in doors:
            no = answer(client, "PUT", "wagers", body)
            assert no["code"] == "betting-closed", no
            assert "explained" in no["detail"]
    view = guest.get("/api/tables/hand").json()
    assert (view["takes_bets"], view["call"]) == (False, "card_seen")
    assert answer(guest, "POST", "wagers/trial", {"wagers": stake})["code"] == "betting-closed"
    dealer.do("cards/explanation", {"card": "9d", "was": "exposed"})
    assert guest.get("/api/tables/hand").json()["takes_bets"]
    assert "code" not in answer(guest, "PUT", "wagers", {"wagers": []})


@pytest.mark.requirement("R13")
def test_r13_the_dealer_is_prompted_to_announce_then_collect_then_pay(site):
    """In this order, with totals by bet; pushes stay on the table."""
    dealer, guest, other = Dealing(site).ready(), site.guest(), site.guest()
    dealer.call("place-your-bets")
    wagers(guest, "hand", 1, player=1000, tie=500, player_pair=500)
    wagers(other, "hand", 1, player=2000)
    dealer.call("no-more-bets")
    for card in ("9h", "9c", "Kh", "Kc"):
        dealer.do("cards", {"card": card})
    assert dealer.console()["settling"] == []
    decided = dealer.call("result")["console"]["settling"]
    assert dealer.call("pay")["console"]["settling"] == decided
    announce, collect, leave, pay = decided
    assert announce["words"] == "Tie: Player 9, Banker 9. Pay Tie 9:1. Leave Player and Banker"
    assert [one["do"] for one in decided] == ["announce", "collect", "give-back", "pay"]
    assert [(one["bet"], one["wagers"], one["coins"]) for one in collect["bets"]] == [
        ("player-pair", 1, 500)
    ]
    assert [(one["bet"], one["wagers"], one["staked"]) for one in leave["bets"]] == [
        ("player", 2, 3000)
    ]
    assert [(bet["name"], bet["coins"]) for bet in pay["bets"]] == [("Tie", 4500)]
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    assert dealer.do("cards", {"card": "2h"})["console"]["settling"] == []


@pytest.mark.requirement("R46")
def test_r46_a_dispute_over_real_cards_from_opening_to_payment(site):
    dealer, pit = Dealing(site, table="smudged").ready(), Dealing(site, "pit", "smudged")
    guest = site.guest()
    dealer.call("place-your-bets")
    wagers(guest, "smudged", 1, banker=2000)
    dealer.call("no-more-bets")
    for card in ("6h", "2d", "Kc", "3s"):
        dealer.do("cards", {"card": card})
    dealer.call("result")
    dealer.call("pay")
    path = "/api/tables/smudged/rounds/1/dispute"
    reply = guest.post(path, json={"reason": "the banker was to draw"}).json()
    assert reply["pending"] > 0
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    dealer.do("cards", {"card": "4c"})
    reply = guest.get(path).json()
    assert (reply["pending"], reply["proposed"]["due"]) == (0, 4000)
    who = reply["player"]
    body = {"reason": "it is smudged", "readings": reply["proposed"]["readings"]}
    assert (
        "reported in round 1 first" in reply["waits"]
    )  # a dispute opened in time is also a report
    pit.do("rounds/1/errors/dismissal", {"reason": "it is about the reading"})
    assert guest.get(path).json()["waits"] is None
    answer = pit.client.post(f"/api/tables/smudged/disputes/1/{who}/decision", json=body)
    assert answer.status_code == 200, answer.text
    assert guest.get("/api/me/balance").json()["real"] == 100_000 + 2000


@pytest.mark.requirement("R43")
def test_r43_a_late_report_is_refused_while_others_wait_and_a_burn_needs_no_cards(site):
    dealer, pit = Dealing(site).ready(), Dealing(site, "pit")
    dealer.coup("6h", "Kd", "2c", "Ks")
    dealer.do("rounds/1/errors", {"reason": "a card lay wrong"})
    pit.call("take-table")
    pit.do("burns", {})
    pit.coup("6d", "Kh", "2d", "Kc")
    late = pit.refused("rounds/1/errors", {"reason": "and another"})
    assert late["code"] == "result-stands"
    assert "The pit will decide on the errors reported in time." in late["detail"]


@pytest.mark.requirement("G17")
def test_g17_bonus_money_is_released_after_a_round_of_real_cards_that_met_its_terms(site):
    pit, dealer = Dealing(site, "pit"), Dealing(site).ready()
    with site.player("bea") as player:
        key, grant = {"Idempotency-Key": f"k{next(KEYS)}"}, {"amount": 1000, "times": 1}
        pit.client.post("/api/accounts/bea/bonus", json=grant, headers=key).raise_for_status()
        dealer.call("place-your-bets")
        wagers(player, "hand", 1, player=1000)
        dealer.call("no-more-bets")
        for card in ("6h", "Kd", "2c", "Ks"):
            dealer.do("cards", {"card": card})
        dealer.call("result")
        dealer.call("pay")
        money = player.get("/api/me/balance").json()
    assert (money["real"], money["bonus"]) == (2000, 0), money


# ---- what a dealer cannot do alone -------------------------------------------------------------


@pytest.mark.requirement("R43", "R44", "G38")
def test_g38_a_complete_coup_is_changed_when_the_pit_confirms_it(site):
    dealer, pit, guest = Dealing(site).ready(), Dealing(site, "pit"), site.guest()
    dealer.call("place-your-bets")
    wagers(guest, "hand", 1, player=1000)
    dealer.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        dealer.do("cards", {"card": card})
    dealer.call("result")
    reply = dealer.do("rectification", {"drawn": ["6h", "Kd", "2c", "9s"], "reason": "misread"})
    assert [event["type"] for event in reply["events"]] == ["ActionProposed"]
    now = reply["console"]
    assert [one["card"] for one in now["drawn"]] == ["6h", "Kd", "2c", "Ks"]
    assert now["rectifying"]["drawn"] == ["6h", "Kd", "2c", "9s"]
    assert now["next"]["do"] == "wait"
    assert dealer.refused("calls", {"call": "pay"})["code"] == "needs-two-people"
    path, body = "rounds/1/rectification", {"cards": ["6h", "Kd", "2c", "9s"]}
    assert dealer.refused(path, body)["code"] == "not-allowed", "a dealer is not the pit"
    page = pit.client.get("/pit/decisions").text
    assert "POST /tables/hand/rounds/1/rectification" in page
    assert "to Player 6♥ 2♣ (8), Banker K♦ 9♠ (9)" in page
    pit.do(path, method="DELETE")
    assert dealer.console()["rectifying"] is None
    dealer.do("rectification", {"drawn": ["6h", "Kd", "2c", "9s"], "reason": "misread"})
    done = pit.do(path, body)
    assert [event["type"] for event in done["events"]] == ["CoupRectified"]
    dealer.call("result")
    dealer.call("pay")
    assert guest.get("/api/me/balance").json()["real"] == 99_000
    log = pit.client.get("/api/house/events", params={"topic": "override"}).json()["events"]
    [line] = [one for one in log if one["kind"] == "CoupRectified"]
    assert line["who"] == "the-dealer, the-pit"
    assert "from Player 6♥ 2♣ (8), Banker K♦ K♠ (0) to" in line["words"]
    assert "before: £10.00, after: −£10.00" in line["words"]
    seen = site.guest().get("/api/tables/hand/journal?limit=500").json()["events"]
    [rectified] = [one for one in seen if one["type"] == "CoupRectified"]
    assert (rectified["paid_before"], rectified["paid_after"]) == ([], [])
    assert "by" not in rectified
    mine = guest.get("/api/tables/hand/journal?limit=500").json()["events"]
    [rectified] = [one for one in mine if one["type"] == "CoupRectified"]
    assert rectified["paid_after"][0]["wagers"][0]["net"] == -1000


@pytest.mark.requirement("R43")
def test_r43_an_unread_report_is_not_dismissed(site):
    dealer, pit, ann, bob = Dealing(site).ready(), Dealing(site, "pit"), site.guest(), site.guest()
    dealer.call("place-your-bets")
    for one in (ann, bob):
        wagers(one, "hand", 1, player=1000)
    dealer.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        dealer.do("cards", {"card": card})
    dealer.call("result")
    dealer.call("pay")
    for one in (ann, bob):
        key = {"Idempotency-Key": f"k{next(KEYS)}"}
        said = {"reason": "the last card was a nine"}
        one.post("/api/tables/hand/rounds/1/errors", json=said, headers=key).raise_for_status()
    page = pit.client.get("/pit/decisions").text
    assert page.count("""data-body='{"reports":2}'""") == 1, "one form for the round"
    assert page.count("the last card was a nine") == 2
    path, seen = "rounds/1/errors/dismissal", {"reason": "a king", "reports": 1}
    assert pit.refused(path, seen)["code"] == "stale-view"
    assert pit.do(path, {**seen, "reports": 2})["waits_for_second"] is False


@pytest.mark.requirement("G38")
def test_g38_the_response_says_whether_a_second_person_must_confirm(site):
    dealer = Dealing(site, "pit").ready()
    dealer.coup("6h", "Kd", "2c", "Ks")
    Dealing(site).do("rounds/1/errors", {"reason": "the last card was a nine"})
    own = {"reason": "I dealt it"}
    assert dealer.do("rounds/1/errors/dismissal", own)["waits_for_second"] is True
    page = dealer.client.get("/pit/decisions").text
    assert '<b class="badge is-open">1</b>' in page, "the report and its dismissal are one matter"
    assert page.count("rounds/1/errors") == 1, "one form, to withdraw the proposal"
    dealer.do("rounds/1/errors", method="DELETE")
    drawn = {"cards": ["6h", "Kd", "2c", "9s"], "reason": "a nine"}
    assert dealer.do("rounds/1/errors", drawn, method="PUT")["waits_for_second"] is True
    dealer.call("place-your-bets")
    assert dealer.call("no-more-bets")["waits_for_second"] is False
    dealer.do("cards", {"card": "9h"})
    head = {"Idempotency-Key": f"k{next(KEYS)}"}
    path = "/api/tables/hand/rounds/2/cancel"
    reply = dealer.client.post(path, json={"reason": "misdeal"}, headers=head).json()
    assert (reply["cancelled"], reply["waits_for_second"]) == (False, True)


@pytest.mark.requirement("G38")
def test_g38_the_second_person_sees_cards_stakes_and_money_before_and_after(site):
    dealer, pit, guest = Dealing(site).ready(), Dealing(site, "pit"), site.guest()
    player = guest.get("/api/session").json()["account"]

    def waiting() -> dict:
        [found] = [
            matter
            for matter in pit.client.get("/api/pit").json()["waiting"]
            if matter["kind"] == "proposal"
        ]
        return found

    dealer.call("place-your-bets")
    wagers(guest, "hand", 1, player=1000)
    dealer.call("no-more-bets")
    for card in ("6h", "Kd", "2c"):
        dealer.do("cards", {"card": card})
    dealer.do("dummy", {"round": 1, "reason": "misdeal"})
    seen = waiting()
    assert seen["proposes"].startswith("Cancel round 1: misdeal. Cards out: 6♥ K♦ 2♣. Stakes: £10")
    assert seen["effect"] == {
        "cards_before": ["6h", "Kd", "2c"],
        "cards_after": None,
        "result_before": None,
        "result_after": None,
        "stakes": [{"player": player, "bets": {"player": 1000}}],
        "money": [{"player": player, "before": None, "after": 0}],
    }
    dealer.do("cards", {"card": "Ks"})  # the coup is complete: the guest has won
    dealer.call("result")
    dealer.do("rectification", {"drawn": ["6h", "Kd", "2c", "9s"], "reason": "misread"})
    late = pit.client.post(
        "/api/tables/hand/rounds/1/rectification",
        json={"cards": ["6h", "Kd", "2c", "9s"]},
        headers={"Idempotency-Key": "late", "X-Proposal": seen["proposal"]},
    )
    assert (late.status_code, late.json()["code"]) == (409, "stale-view")
    seen = waiting()
    assert seen["effect"] == {
        "cards_before": ["6h", "Kd", "2c", "Ks"],
        "cards_after": ["6h", "Kd", "2c", "9s"],
        "result_before": "Player 6♥ 2♣ (8), Banker K♦ K♠ (0)",
        "result_after": "Player 6♥ 2♣ (8), Banker K♦ 9♠ (9)",
        "stakes": [{"player": player, "bets": {"player": 1000}}],
        "money": [{"player": player, "before": 1000, "after": -1000}],
    }
    page = pit.client.get("/pit/decisions").text
    assert "Cards before: <b>6♥ K♦ 2♣ K♠</b>" in page
    assert "Cards after:</b>" not in page
    assert "Cards after: <b>6♥ K♦ 2♣ 9♠</b>" in page
    assert f'data-proposal="{seen["proposal"]}"' in page
    done = pit.client.post(
        "/api/tables/hand/rounds/1/rectification",
        json={"cards": ["6h", "Kd", "2c", "9s"]},
        headers={"Idempotency-Key": "seen", "X-Proposal": seen["proposal"]},
    )
    assert done.status_code == 200, done.text


@pytest.mark.requirement("G38")
def test_g38_a_member_of_the_pit_who_deals_cannot_confirm_their_own_proposal(site):
    pit = Dealing(site, "pit").ready()
    other = pit.colleague(site, "pat")
    pit.call("place-your-bets")
    pit.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        pit.do("cards", {"card": card})
    body = {"cards": ["6h", "Kd", "2c", "9s"]}
    pit.do("rectification", {"drawn": body["cards"], "reason": "misread"})
    assert pit.refused("rounds/1/rectification", body)["code"] == "needs-two-people"
    other.do("rounds/1/rectification", body)


@pytest.mark.requirement("R42", "G29")
def test_g29_a_table_is_handed_over_by_its_dealer_or_the_pit(site):
    dealer, pit = Dealing(site).ready(), Dealing(site, "pit")
    dino = dealer.colleague(site, "dino", role=Role.DEALER)
    asked = dino.call("take-table")
    assert [event["type"] for event in asked["events"]] == ["ActionProposed"]
    assert asked["console"]["dealer"] == "the-dealer"
    assert dino.refused("calls", {"call": "place-your-bets"})["code"] == "not-the-dealer"
    assert [one["by"] for one in dealer.console()["asked_for"]] == ["dino"]
    assert dealer.console()["names"] == {"dino": "Dino"}
    assert dino.refused("hand-over", {"dealer": "dino"})["code"] == "not-allowed"
    assert "request by dino to take over the table" in pit.client.get("/pit/decisions").text
    dino.do("hand-over/dino", method="DELETE")
    dino.call("take-table")
    reply = dealer.do("hand-over", {"dealer": "dino"})["events"]
    assert reply[0] == {
        "type": "DealerChanged",
        "at": reply[0]["at"],
        "dealer": "dino",
        "before": "the-dealer",
        "by": "the-dealer",
    }
    dealer.call("take-table")
    assert pit.do("hand-over", {"dealer": "the-dealer"})["console"]["dealer"] == "the-dealer"
    dino.call("take-table")
    assert pit.call("take-table")["console"]["dealer"] == "the-pit", "the pit takes any table"
    assert pit.console()["asked_for"] == []
    log = pit.client.get("/api/house/events", params={"topic": "override"}).json()["events"]
    words = [one["words"] for one in log if one["kind"] == "DealerChanged"]
    assert "the-dealer took over the table from dino, confirmed by the-pit." in words
    now = pit.call("leave-table")["console"]
    assert (now["dealer"], now["next"]["do"]) == ("", "take-table")
    assert dino.call("take-table")["console"]["dealer"] == "dino"
    seen = site.guest().get("/api/tables/hand/journal?limit=500").json()["events"]
    changed = [one for one in seen if one["type"] == "DealerChanged"]
    assert not any("by" in one for one in changed), "who confirmed it is the staff's business"
    assert changed[1]["dealer"] == "Dino"


@pytest.mark.requirement("R43")
def test_r43_a_report_is_sent_to_the_dealers_console_at_once_but_to_no_other_player(site):
    dealer, guest, other = Dealing(site).ready(), site.guest(), site.guest()
    dealer.call("place-your-bets")
    wagers(guest, "hand", 1, player=1000)
    dealer.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        dealer.do("cards", {"card": card})
    dealer.call("result")
    after = dealer.call("pay")["console"]["sequence"]
    with (
        socket_of(site, dealer.client, after) as to_dealer,
        socket_of(site, guest, after) as to_guest,
        socket_of(site, other, after) as to_other,
    ):
        said = {"reason": "the last card was a nine"}
        key = {"Idempotency-Key": f"k{next(KEYS)}"}
        guest.post("/api/tables/hand/rounds/1/errors", json=said, headers=key).raise_for_status()
        dealer.call("place-your-bets")
        reports = {
            name: [one for one in until_opened(socket) if one["type"] == "ErrorReported"]
            for name, socket in (("dealer", to_dealer), ("guest", to_guest), ("other", to_other))
        }
    assert reports["dealer"][0]["words"] == "the last card was a nine"
    assert len(reports["guest"]) == 1
    assert reports["other"] == []


def socket_of(site, client, after: int):
    token = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    address = f"{site.address.replace('http', 'ws')}/api/tables/hand/events?after={after}"
    return connect(address, additional_headers={"Cookie": token})


def until_opened(socket) -> list[dict]:
    """Return the events up to the next round."""
    reply: list[dict] = []
    while not any(one["type"] == "RoundOpened" for one in reply):
        reply += json.loads(socket.recv(timeout=60))["events"]
    return reply
