"""A table of real cards, as a player sees it in a browser; the API plays the dealer and the pit."""

import pytest
from playwright.sync_api import expect

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from support.browser import PHONE, accessibility, overflow
from support.by_hand import hand_settings
from support.dealing import Dealing
from support.served import served
from support.visits import visiting

HOUSE = House(
    "The house",
    "GBP",
    100_000,
    (
        TablePlan("hand", "By hand", hand_settings(), True),
        TablePlan("late", "Without a cut-off", hand_settings("commission"), True),
    ),
)


@pytest.fixture
def house(tmp_path):
    with served(tmp_path, house=HOUSE) as running:
        yield running


def lying(me) -> list[list[str]]:
    """Return the cards of both hands in the order shown on the felt."""
    read = "(cards) => cards.map((card) => card.ariaLabel)"
    hands = (f"#cards-{hand} .card" for hand in ("player", "banker"))
    return [me.page.eval_on_selector_all(hand, read) for hand in hands]


@pytest.mark.requirement("R42", "R43", "R44")
def test_r43_a_player_sees_the_dealers_cards_reports_an_error_and_is_paid_the_difference(
    browser, house
):
    dealer, pit = Dealing(house), Dealing(house, "pit")
    with dealer.client, pit.client, visiting(browser, house) as me:
        me.sits_down("hand")
        me.shows("#status", "New shoe coming")
        dealer.ready()
        me.shows("#dealer", "Dealer: The dealer")
        me.shows("#shoe-words", "416 of 416 cards left.")
        dealer.call("place-your-bets")
        me.shows("#because", "The dealer closes betting")
        me.puts("player")
        assert me.text("#seconds") == ""
        dealer.call("no-more-bets")
        dealer.do("cards", {"card": "6h"})
        dealer.do("cards", {"card": "9d", "hand": "player"})
        wrong = "9♦ went to the wrong hand."
        me.shows("#notice", f"The dealer is correcting an error: {wrong}")
        assert lying(me) == [["six of hearts", "nine of diamonds"], []]
        with visiting(browser, house, size=PHONE) as passer_by:  # arrives later, without a session
            passer_by.looks_at("/tables/hand")
            assert wrong in passer_by.text("#notice")
            assert lying(passer_by) == lying(me)
            assert (accessibility(passer_by.page), overflow(passer_by.page)) == ([], 0)
        assert accessibility(me.page) == []
        dealer.do("rectification", {})
        me.shows("#total-banker", "9")
        assert lying(me) == [["six of hearts"], ["nine of diamonds"]]
        for card in ("2c", "Kc"):
            dealer.do("cards", {"card": card})
        me.shows("#total-player", "8")
        dealer.call("result")
        me.shows("p.verdict", "Banker wins 9–8")
        expect(me.page.locator("#report")).to_be_enabled()  # from “no more bets” on
        dealer.call("pay")
        me.shows(".net", "You: −£25.00")

        me.page.click("#report")
        me.shows("#report-title", "Report an error in round 1")
        assert accessibility(me.page) == []
        me.page.fill("#report-words", "my second card was a three,\nand not a two")
        me.page.click("#report-send")
        me.shows("#notice", "You reported round 1. The pit will look into it.")
        me.page.wait_for_selector("#report-dialog", state="hidden")
        dealer.coup("9h", "9c", "Kh", "Ks")
        me.shows(".counts .coups dd", "2")
        pit.do(
            "rounds/1/errors", {"cards": ["6h", "9d", "3c", "Kc"], "reason": "a nine"}, method="PUT"
        )
        with house.colleague("second") as pit.client:
            pit.do(
                "rounds/1/errors",
                {"cards": ["6h", "9d", "3c", "Kc"], "reason": "a nine"},
                method="PUT",
            )
        words = "Round 1 was corrected: Tie, Player 6♥ 3♣ = 9, Banker 9♦ K♣ = 9."
        me.shows("#notice", f"{words} £25.00 was added to your balance.")
        me.shows(".counts .tie dd", "2")  # that coup and the next one
        me.shows("#balance", "£1,000.00")

        me.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        me.page.goto("/history")
        rows = me.page.locator("tbody tr")
        assert [row.splitlines()[-1] for row in rows.all_inner_texts()] == ["£0.00"]
        assert "(corrected)" in rows.nth(0).inner_text()
        assert "Settled −£25.00 · Correction +£25.00" in rows.nth(0).inner_text()
        rows.nth(0).locator("a").click()
        expect(me.page.locator(".lying .card")).to_have_count(4)
        assert me.text("#called") == "Tie. Player 9, Banker 9."
        assert me.page.locator(".put-right li").count() == 3
        assert me.page.locator("tbody td").all_inner_texts() == [
            "Player",
            "£25.00",
            "−£25.00",
            "£0.00",
        ]
        came_to = me.page.locator("#came-to dd").all_inner_texts()
        assert [one.split()[0] for one in came_to] == ["−£25.00", "+£25.00", "£0.00"]
        assert me.page.locator("a[href*='shoe=']").count() == 0
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        me.page.goto("/history/hand/2")
        assert me.text("#called") == "Tie. Player 9, Banker 9."
        lines = me.page.request.get("/history/rounds.csv").text().splitlines()
        assert [line.split(",")[5:9] for line in lines[1:]] == [
            ["wager", "Player", "25.00", "-25.00"],
            ["correct", "", "0.00", "25.00"],
        ]


def test_a_late_report_is_refused_and_the_lobby_shows_the_dealers_table(browser, house):
    dealer = Dealing(house)
    with dealer.client, visiting(browser, house, size=PHONE) as me:
        dealer.ready()
        dealer.coup("9h", "9c", "Kh", "Ks")
        dealer.call("place-your-bets")
        me.looks_at("/")
        me.shows("[data-part='phase'] >> nth=0", "Place bets")
        me.sits_down("hand")
        me.page.click("#report")
        dealer.call("no-more-bets")
        dealer.do("cards", {"card": "6h"})
        me.page.fill("#report-words", "it was another card")
        me.page.click("#report-send")
        me.page.wait_for_selector("#report-fault:not(:empty)")
        assert "R43" in me.text("#report-fault")
        me.page.click("#report-no")
        me.page.click("#report")  # the round under way
        me.shows("#report-title", "Report an error in round 2")
        assert me.page.locator("#report-which").is_hidden()
        me.page.click("#report-no")
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)


@pytest.mark.requirement("R43", "A16")
def test_a16_a_bystander_reports_an_earlier_round_where_there_is_no_cut_off(browser, house):
    dealer, pit = Dealing(house, table="late"), Dealing(house, "pit", "late")
    with dealer.client, pit.client, house.guest() as player, visiting(browser, house) as me:
        dealer.ready()
        dealer.call("place-your-bets")
        stake = {"round": 1, "wagers": [{"bet": "player", "stake": 1000}]}
        head = {"Idempotency-Key": "bet"}
        assert player.put("/api/tables/late/wagers", json=stake, headers=head).is_success
        dealer.call("no-more-bets")
        for card in ("6h", "Kd", "2c", "Ks"):
            dealer.do("cards", {"card": card})
        dealer.call("result")
        dealer.call("pay")
        dealer.coup("9h", "9c", "Kh", "Kc")
        me.sits_down("late")
        me.page.click("#report")
        me.shows("#report-title", "Report an error in round 2")
        assert "until the first card of the next shoe" in me.text("#report-dialog")
        me.page.select_option("#report-round", "1")
        me.shows("#report-title", "Report an error in round 1")
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        me.page.fill("#report-words", "the last card was a nine")
        me.page.click("#report-send")
        me.shows("#notice", "You reported round 1. The pit will look into it.")
        dealer.coup("9s", "9d", "Ks", "Kd")  # the game goes on
        pit.do(
            "rounds/1/errors", {"cards": ["6h", "Kd", "2c", "9s"], "reason": "a nine"}, method="PUT"
        )
        with house.colleague("second") as pit.client:
            pit.do(
                "rounds/1/errors",
                {"cards": ["6h", "Kd", "2c", "9s"], "reason": "a nine"},
                method="PUT",
            )
        me.shows(
            "#notice",
            "Round 1 was corrected: Banker wins, Player 6♥ 2♣ = 8, Banker K♦ 9♠ = 9.",
        )
        assert player.get("/api/me/balance").json()["real"] == 99_000
        me.page.goto("/rules/commission?table=late")
        me.shows("#house", "House procedures")
        assert "next shoe" in me.text("section[aria-labelledby=house]")
        me.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
