"""The dealer's console in a real browser: a shoe by keyboard, errors, alarms, a lost connection."""

import random
import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from baccarat.auditor import audit, read_store
from baccarat.core.cards import deck, parse_card
from baccarat.core.misdeals import deal_correctly
from baccarat.house.housefile import House
from baccarat.house.people.roles import Role
from baccarat.house.table_plans import TablePlan
from baccarat.loader import load
from baccarat.shoe import Burn
from baccarat.table.settings import Excess
from support.browser import DESK, PHONE, TABLET, WALL, accessibility, opened, overflow, use_session
from support.by_hand import hand_settings
from support.console import Console, at, wager
from support.documented import ROOT, examples, run, serving
from support.served import served

TABLEAU = load("punto-banco").game().tableau
CUT = 14
NAMES = [
    "short",
    "factory",
    "dummy",
    "reason",
    "touch",
    "lost",
    "seen",
    "hasty",
    "two",
    "without",
    "ahead",
]
TABLES = tuple(
    TablePlan(
        name,
        name.title(),
        hand_settings(
            decks=2 if name == "short" else 8,
            burn=Burn.FIRST_CARD if name == "short" else Burn.NONE,
            excess=Excess.RETURNED if name in ("short", "without") else Excess.BURNED,
        ),
        guests=True,
        shoe="the-shoe" if name == "touch" else "",
    )
    for name in NAMES
)
HOUSE = House("The house", "GBP", 100_000, TABLES)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dealer")
    with served(folder, house=HOUSE) as running:
        yield running
        assert audit(read_store(f"sqlite:///{folder}/house.db")).findings == []


def coup_of(cards: list[str]) -> int:
    """Return the number of these cards that a coup takes."""
    return len(deal_correctly(TABLEAU, [parse_card(card) for card in cards[:6]]).turns)


@pytest.mark.requirement("R40", "R41", "R42", "R43", "R44")
def test_r42_a_whole_shoe_by_keyboard_with_two_errors(browser, house):
    """One error is rectified at once; one is reported after payment, and corrected."""
    shoe = [str(card) for card in deck() for _ in range(2)]
    random.Random(5).shuffle(shoe)
    guest = house.guest()
    with guest, at(browser, house, "short") as me:
        me.ready()
        me.due("burn")
        me.cards(shoe[0])
        me.due("place-your-bets")
        place = Burn.FIRST_CARD.taking(parse_card(shoe[0]))
        unseen, number, last, coups = shoe[1:place], 0, None, {}
        while last != number:
            number += 1
            size = coup_of(shoe[place:])
            reply = coups[number] = shoe[place : place + size]
            me.act("o", "no-more-bets")
            if number == 3:
                me.shows("do", "Deal this coup without bets")
            if number in (2, 5):
                wager(guest, "short", number)
                me.shows("coins", "£10.00")
            me.act("n", "card")
            if number == 2:  # one card too many: it becomes the next card of the shoe
                me.cards(*reply, shoe[place + size])
                me.shows("do", "is one card too many")
                expect(me.page.locator("#hand-nobody .card")).to_have_count(1)
                me.chooses("1", "Take back")
                expect(me.page.locator("#hand-back .card")).to_have_count(1)
                me.shows("hand-back", "next from the shoe")
            elif number == 5:  # a wrong card is entered and not noticed in time
                right, wrong = reply, entered_wrongly(reply, shoe[place + size :])
                me.cards(*wrong)
            else:
                me.cards(*reply)
            me.due("result")
            place += size
            if last is None and place > len(shoe) - CUT:
                me.keys("F8")
                last = number + 1
            me.act("r", "pay")
            if number == 2:
                me.shows("settling", "Announce:")
            me.keys("y")
            me.due("place-your-bets" if last != number else "close-shoe")
            if number == 5:
                money = 100_000 + on_player(coups[2])
                assert balance(guest) == money + on_player(wrong) != money + on_player(right)
                correct(browser, house, me, number, right)
                assert balance(guest) == money + on_player(right)
        me.keys("w")
        me.writes(" ".join([*unseen, *shoe[place:]]))
        me.due("begin-shoe")
        me.shows("notes", "The shoe is complete: all 104 cards are accounted for.")
        rounds = guest.get("/api/tables/short/rounds?limit=100").json()["rounds"]
        assert len(rounds) == number > 12
        assert [one["round"] for one in rounds if one["corrected"]] == [5]


def on_player(cards: list[str]) -> int:
    """Return the net result of the wager on Player for these cards."""
    winner = deal_correctly(TABLEAU, map(parse_card, cards)).deal.coup.winner
    return {"player": 1000, "tie": 0, "banker": -1000}[winner]


def balance(guest) -> int:
    return guest.get("/api/me/balance").json()["real"]


def entered_wrongly(reply: list[str], to_come: list[str]) -> list[str]:
    """Return the cards with one entered wrongly, so that another hand wins."""

    def winner(cards: list[str]) -> str:
        meant = deal_correctly(TABLEAU, map(parse_card, cards))
        return meant.deal.coup.winner if meant.deal.over and not meant.excess else ""

    every = ([*reply[:i], card, *reply[i + 1 :]] for i in range(len(reply)) for card in to_come)
    return next(cards for cards in every if winner(cards) not in ("", winner(reply)))


def correct(browser, house, me: Console, number: int, right: list[str]) -> None:
    """The dealer reports; two people of the pit settle the round again."""
    me.keys("e")
    me.chooses("1", f"Round {number}")
    me.writes("I typed a wrong card")
    me.shows("reports", f"Error reported in round {number}: I typed a wrong card")
    with at(browser, house, "short", "pit") as pit:
        pit.shows("panel-words", f"An error in round {number} was reported")
        pit.chooses("1", "Settle the round again")
        pit.page.wait_for_selector("#ask:not([hidden])")
        pit.page.keyboard.press("Control+a")
        pit.writes(" ".join(right))
        pit.shows("ask-words", "Reason, shown to the second person")
        expect(pit.page.locator("#answer")).to_have_value("")
        pit.writes("the camera shows it")
        expect(pit.page.locator("#panel")).to_be_hidden()
        pit.shows("reports", f"Round {number}: the decision on the reported error is waiting")
        expect(pit.page.get_by_text("The pit must confirm this.").first).to_be_visible()
    with (
        house.colleague("second") as second,
        opened(browser, house.address, size=DESK) as page,
    ):
        use_session(page, second)
        page.goto("/dealer/short")
        page.wait_for_selector("html[data-ready]")
        pit = Console(page)
        pit.shows("panel-words", f"Proposed: settle round {number} again")
        pit.shows("flags", "Reason: the camera shows it")
        pit.confirms("1", "Confirm")
        expect(pit.page.locator("#panel")).to_be_hidden()
    expect(me.page.locator("#reports li")).to_have_count(0)


@pytest.mark.requirement("G31")
def test_g31_a_shoe_in_factory_order_stops_the_table(browser, house):
    with at(browser, house, "factory") as me:
        me.ready()
        me.due("place-your-bets")
        me.bets()
        me.cards("As", "2s", "3s", "4s", "5s")
        me.act("r", "pay")
        me.act("y", "place-your-bets")
        me.bets()
        me.cards("6s", "7s")
        me.shows("alarm", "7 cards came in factory order (A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠)")
        me.cards("2h", "Kd")
        me.act("r", "pay")
        me.act("y", "wait")
        me.shows("do", "The table is paused")
        assert me.page.locator('[data-act="place-your-bets"]').get_attribute("aria-disabled")
        me.page.reload()
        me.shows("alarm", "7 cards came in factory order")
        assert accessibility(me.page) == []
        me.keys("w")
        me.writes("8h 13s")
        me.shows("alarm", "the shoe does not consist of complete decks")


@pytest.mark.requirement("R45")
def test_r45_a_dummy_round_needs_two_people(browser, house):
    with house.guest() as guest, at(browser, house, "dummy") as me:
        me.ready()
        me.due("place-your-bets")
        me.act("o", "no-more-bets")
        wager(guest, "dummy", 1)
        me.act("n", "card")
        me.cards("Kh", "Kd", "2c", "9s")
        me.act("r", "pay")
        me.keys("F9")
        me.chooses("1", "Misdeal")
        me.writes("two cards stuck together")
        me.shows("why", "The cancellation is waiting for a second person. Reason: Misdeal.")
        with at(browser, house, "dummy", "pit") as pit:
            pit.shows("panel-words", "Cancel round 1?")
            pit.shows("flags", "Reason: two cards stuck together")
            pit.shows("flags", "Player £10.00. Result before: −£10.00, after: £0.00")
            assert accessibility(pit.page) == []
            pit.confirms("1", "Confirm")
            me.due("place-your-bets")
        assert balance(guest) == 100_000


@pytest.mark.requirement("R45", "G38")
def test_g38_a_dealer_gives_a_reason_for_a_dummy_round_and_can_withdraw_it(browser, house):
    with house.guest() as guest, at(browser, house, "reason") as me:
        me.ready()
        me.due("place-your-bets")
        me.act("o", "no-more-bets")
        wager(guest, "reason", 1)
        me.act("n", "card")
        me.cards("6h", "Kd", "2c")
        me.keys("b")
        me.cards("Ks")
        me.keys("b")
        me.cards("9s")  # one too many
        me.shows("panel-words", "Error. Choose what to do:")
        (last,) = me.page.locator("#choices li").filter(has_text="cancel the round").all()
        last.locator("button").click()
        me.chooses("1", "Misdeal")
        me.writes("a card stuck to another")
        me.shows("why", "The cancellation is waiting for a second person. Reason: Misdeal.")
        with house.staff("pit") as pit:
            [waits] = [
                matter for matter in pit.get("/api/pit").json()["waiting"] if matter.get("subject")
            ]
            assert waits["words"] == "a card stuck to another"
        me.shows("flags", "The cancellation is waiting for a second person. Reason: Misdeal.")
        choices = me.page.locator("#choices li")
        expect(choices.filter(has_text="cancel the round")).to_have_count(0)
        assert choices.count() > 1  # the coup can still be put right
        assert accessibility(me.page) == []
        choices.filter(has_text="Withdraw the cancellation").locator("button").click()
        expect(choices.filter(has_text="cancel the round")).to_have_count(1)
        me.shows("panel-words", "Error. Choose what to do:")
        assert house.store.state("table:reason").proposals == ()


@pytest.mark.requirement("R44", "G38")
def test_g38_changing_a_complete_coup_and_handing_over_a_table_need_two_people(browser, house):
    with house.guest() as guest, at(browser, house, "two") as me:
        me.ready()
        me.due("place-your-bets")
        me.act("o", "no-more-bets")
        wager(guest, "two", 1)
        me.act("n", "card")
        me.cards("6h", "Kd", "2c", "Ks")
        me.due("result")
        me.keys("Backspace")
        me.cards("9s")
        me.writes("I took a nine for a king")
        me.shows("panel-words", "The change to this coup is waiting for the pit")
        me.shows("total-banker", "0")
        with at(browser, house, "two", "pit") as pit:
            pit.shows("panel-words", "The dealer asks to change a complete coup")
            pit.shows("flags", "Players' result before: £10.00, after: −£10.00.")
            pit.shows("flags", "Reason: I took a nine for a king")
            assert accessibility(pit.page) == []
            pit.confirms("1", "Confirm the change")
            me.shows("total-banker", "9")
            me.due("result")
        me.act("r", "pay")
        me.act("y", "place-your-bets")
        assert balance(guest) == 99_000
        said = {"reason": "nobody saw a nine"}
        head = {"Idempotency-Key": "said"}
        guest.post("/api/tables/two/rounds/1/errors", json=said, headers=head).raise_for_status()
        me.shows("notes", "Error reported in round 1: nobody saw a nine")
        me.shows("reports", "nobody saw a nine")
        dino = house.colleague("dino", Role.DEALER)
        with dino:
            head = {"Idempotency-Key": "asks"}
            body = {"call": "take-table"}
            dino.post("/api/tables/two/calls", json=body, headers=head).raise_for_status()
            me.shows("panel-words", "Dino requests this table")
            assert accessibility(me.page) == []
            me.confirms("1", "Hand over to Dino")
            me.shows("dealer", "Dealer: Dino")
            me.keys("m")
            me.shows("notes", "Requested. The current dealer or the pit must confirm.")
            me.chooses("1", "Withdraw")
            expect(me.page.locator("#panel")).to_be_hidden()
            me.keys("m")
            me.shows("panel-words", "You requested this table")
            with at(browser, house, "two", "pit") as pit:
                pit.confirms("1", "Hand over to The dealer")
        me.shows("dealer", "Dealer: The dealer")
        me.keys("F4")
        me.shows("dealer", "No dealer")


@pytest.mark.requirement("R44")
def test_r44_players_see_that_a_round_is_dealt_without_bets(browser, house):
    with at(browser, house, "without") as me:
        me.ready()
        me.due("place-your-bets")
        me.bets()
        me.cards("6h", "Kd", "2c", "Ks", "9s")
        me.chooses("1", "Take back 9♠ (next in the shoe, next coup without bets)")
        me.due("result")
        me.act("r", "pay")
        me.act("y", "place-your-bets")
        me.shows("do", "Deal this coup without bets, because the next card has been seen.")
        with house.guest() as guest, opened(browser, house.address) as page:
            use_session(page, guest)
            page.goto("/tables/without")
            page.wait_for_selector("#felt[data-phase=settled]")
            me.act("o", "no-more-bets")
            page.wait_for_selector("#felt[data-phase=open]")
            expect(page.locator("#status")).to_have_text("No bets this round")
            expect(page.locator("#because")).to_contain_text("there is no betting on this round")
            spot = page.locator('[data-bet="player"]')
            expect(spot).to_have_attribute("aria-disabled", "true")
            assert accessibility(page) == []
        me.shows("coins", "£0.00")


@pytest.mark.requirement("R02")
def test_r02_a_card_entered_while_bets_are_open_closes_them_before_the_dealer_is_asked(
    browser, house
):
    with at(browser, house, "touch") as me:
        me.ready()
        me.due("place-your-bets")
        me.act("o", "no-more-bets")
        with house.guest() as guest, opened(browser, house.address) as page:
            use_session(page, guest)
            page.goto("/tables/touch")
            page.wait_for_selector("#felt[data-phase=open]")
            held = []
            me.page.route("**/calls", lambda route: held.append(route), times=1)
            me.cards("8h")
            me.shows("sending", "Sending: No more bets")
            me.cards("9h")  # until bets are closed, no card is taken
            me.shows("notes", "Your last entry is still being sent.")
            expect(me.page.locator("#panel")).to_be_hidden()
            held[0].continue_()
            me.shows(
                "panel-words", "Betting is closed, because 8H was entered while bets were open."
            )
            page.wait_for_selector("#felt[data-phase=closed]")
            me.chooses("1", "Yes, burn it")
            me.shows("why", "8♥ was exposed before “no more bets” and is burned")
            me.cards("6h", "Kd")
            expect(me.page.locator("#hand-player .card")).to_have_count(1)
            me.cards("2c", "Ks")
            me.due("result")
            me.act("r", "pay")
            me.act("y", "place-your-bets")
            me.act("o", "no-more-bets")
            me.cards("7h")
            me.chooses("2", "No, it is the first card of the coup")
            expect(me.page.locator("#hand-player .card")).to_have_count(1)
            me.cards("7c", "Kh", "Kc")
            me.act("r", "pay")
            me.act("y", "place-your-bets")
            me.act("o", "no-more-bets")
            with house.staff("shoe") as shoe:
                head = {"Idempotency-Key": "early"}
                shoe.post("/api/tables/touch/cards", json={"card": "9h"}, headers=head)
            expect(page.locator("#status")).to_have_text("Betting stopped")
            expect(page.locator("#because")).to_contain_text("until the dealer has explained")
            spot = page.locator('[data-bet="player"]')
            expect(spot).to_have_attribute("aria-disabled", "true")
            assert accessibility(page) == []
            me.chooses("1", "It was exposed and will be burned")
            expect(page.locator("#because")).to_have_text("The dealer closes betting")


def test_a_card_is_entered_once_despite_lost_answers_and_reloads(browser, house):
    failed = ("Failed to load resource", "WebSocket", "ERR_")
    with at(browser, house, "lost", expected=failed) as me:
        me.ready()
        me.due("place-your-bets")
        me.bets()
        keys, taken = [], []

        def swallow(route):
            """The house accepts the first card but the answer is lost; later requests fail."""
            keys.append(key_of(route.request))
            if not taken:
                taken.append(True)
                route.fetch()
            route.abort()

        me.page.route("**/cards", swallow)
        me.cards("6h", "Kd")
        me.shows("link", "Entries waiting: 2")
        me.page.unroute_all(behavior="wait")
        me.page.on("request", lambda one: one.url.endswith("/cards") and keys.append(key_of(one)))
        me.page.reload()
        me.page.wait_for_selector("html[data-ready]")
        expect(me.page.locator("#hand-banker .card")).to_have_count(1)
        assert len(keys) > len(set(keys)) == 2
        drawn = me.page.request.get("/api/tables/lost/console").json()["drawn"]
        assert [one["card"] for one in drawn] == ["6h", "Kd"]
        me.shows("link", "Connected")
        cookies = me.page.context.cookies()
        me.page.context.clear_cookies()  # the session has ended
        me.cards("Kc")
        me.page.wait_for_url("**/sign-in?back=/dealer/lost")
        me.page.context.add_cookies(cookies)
        me.page.goto("/dealer/lost")
        expect(me.page.locator("#hand-player .card")).to_have_count(2)
        me.page.context.set_offline(True)
        me.cards("2c", "3d")
        me.shows("link", "Connection lost. Entries waiting: 2. 2C, 3D.")
        with house.staff("dealer") as other:  # meanwhile another device reports the card
            head = {"Idempotency-Key": "another device"}
            url = "/api/tables/lost/cards"
            other.post(url, json={"card": "2c"}, headers=head).raise_for_status()
        me.page.context.set_offline(False)
        me.shows("notes", "The table moved on before 2♣ was received. Look at the table")
        me.shows("notes", "Not recorded: 2C, 3D.")
        me.shows("sending", "Not recorded: 2C, 3D.")
        expect(me.page.locator("#hand-banker .card")).to_have_count(2)
        drawn = me.page.request.get("/api/tables/lost/console").json()["drawn"]
        assert [one["card"] for one in drawn] == ["6h", "Kd", "Kc", "2c"]


def test_a_dealer_can_type_ahead_of_the_answers(browser, house):
    """Inputs are shown in the order typed; cards are placed only by the server's view."""
    with at(browser, house, "ahead", expected=("Failed to load resource",)) as me:
        me.ready()
        me.due("place-your-bets")
        held = []
        me.page.route("**/calls", lambda route: held.append(route), times=1)
        me.keys("o", "n")
        me.cards("6h", "Kd", "2c", "Ks")
        me.keys("r")
        me.shows("sending", "Sending: Place your bets, No more bets, 6H, KD, 2C, KS, Result")
        expect(me.page.locator(".hand .card")).to_have_count(0)
        me.shows("typed-for", "Card:")
        held[0].continue_()
        me.due("pay")
        me.shows("total-player", "8")
        me.shows("total-banker", "0")
        expect(me.page.locator("#sending")).to_have_text("")
        me.page.route("**/calls", lambda route: held.append(route), times=1)
        me.keys("y", "o", "r", "n")  # there is no coup whose result could be announced
        me.cards("7h")
        held[1].continue_()
        me.shows("sending", "Not recorded: Result, No more bets, 7H.")
        me.due("no-more-bets")
        me.keys("n")
        expect(me.page.locator("#sending")).to_have_text("")
        me.due("card")


def key_of(request) -> str:
    return request.headers["idempotency-key"]


def test_an_electronic_shoe_deals_while_the_page_follows(browser, house):
    """A mistyped card can be re-entered before it counts, by keyboard, barcode or touch."""
    with at(browser, house, "touch") as me:
        me.ready()
        me.due("place-your-bets")
        me.cards("8h")
        me.shows("panel-words", "No card is due. Was 8H exposed?")
        me.keys("Escape")
        me.shows("left", "416")
        me.cards("8h")
        me.chooses("1", "Yes, burn it")
        me.shows("why", "8♥ was exposed before “no more bets” and is burned")
        me.shows("left", "415")
        with house.staff("shoe") as shoe:
            head = {"Idempotency-Key": "too soon"}
            shoe.post("/api/tables/touch/cards", json={"card": "9h"}, headers=head)
            me.shows("do", "9♥ was sent by the shoe, but no coup was being dealt. Say what it was.")
            me.chooses("2", "The device made a mistake: no such card left the shoe")
            me.due("burn")
            me.shows("do", "A card was taken back and may be the next one: burn 1 card face down.")
            me.act("u", "place-your-bets")
            me.bets()
            head = {"Idempotency-Key": "electronic"}
            shoe.post("/api/tables/touch/cards", json={"card": "6h"}, headers=head)
        expect(me.page.locator("#hand-player .card")).to_have_count(1)
        me.page.keyboard.type("08D\n")
        expect(me.page.locator("#hand-banker .card")).to_have_count(1)
        me.answered()
        me.keys("Backspace")
        me.shows("typed-for", "Instead of eight of diamonds")
        me.page.click('[data-type="9"]')
        me.page.click('[data-type="d"]')
        me.chooses("1", "Wrong key")
        me.shows("total-banker", "9")
        expect(me.page.locator("#announce")).to_contain_text("Player 6, Banker 9. Next card to")
        me.answered()
        me.page.keyboard.type("bk")
        me.page.keyboard.press("c")
        me.shows("do", "K♣ is with Banker but belongs to Player")
        me.chooses("1", "Reconstruct: Player 6♥ K♣ (6); Banker 9♦ (9)")
        me.due("card")
        me.cards("2s")
        me.due("card")
        me.keys("r")
        me.shows("notes", "The coup is not over. Next card to Banker: Player stands on 6; Banker")
        me.keys("n")
        me.shows("notes", "Not possible now: No more bets.")
        me.cards("8c")
        me.due("result")
        expect(me.page.locator("#notes p")).to_have_count(0)


def test_the_dealing_guide_works_as_written(browser, tmp_path, monkeypatch):
    """Follow docs/guides/dealing.md: serve the house, press the keys, run the auditor."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    page_of = ROOT / "docs" / "guides" / "dealing.md"
    (serve,) = [example.text for example in examples("sh") if example.page == page_of]
    typed = re.findall(r"```keys\n\s*(.*)\n", page_of.read_text(encoding="utf-8"))
    password = re.search("PASSWORD='(.*)'", serve)[1]
    with serving(serve) as address, opened(browser, address) as page:
        me = Console(page)
        page.goto("/dealer")
        page.fill("#in-id", "pit")
        page.fill("#in-password", password)
        page.keyboard.press("Enter")
        page.wait_for_url("**/account")
        page.fill("#old-password", password)
        page.fill("#new-password", "a sentence of my own")
        page.click("#password button")
        page.wait_for_url("**/pit")
        page.goto("/dealer")
        page.click("text=Baize")
        page.wait_for_selector("html[data-ready]")
        for coup in typed:
            for word in coup.lower().split():
                sequence = page.get_attribute("#console", "data-sequence")
                if word == "1":
                    me.chooses("1", "Take back 4♠")
                else:
                    me.keys(*word)
                expect(page.locator("#console")).not_to_have_attribute("data-sequence", sequence)
                me.answered()
            me.due("place-your-bets")
        me.shows("round", "2")
        me.shows("total-player", "9")
    assert run("baccarat audit-house cards.db")[0] == 0


def test_a_console_is_accessible_and_only_for_dealers(browser, house):
    with house.guest() as guest:
        for path in ("/dealer", "/dealer/seen"):
            assert guest.get(path, headers={"Accept": "text/html"}).status_code == 403
    with at(browser, house, "seen") as me:
        for scheme in ("light", "dark"):
            me.page.emulate_media(color_scheme=scheme)
            assert accessibility(me.page) == []
        me.ready()
        me.due("place-your-bets")
        me.bets()
        me.cards("6h", "Kd", "2c", "Ks", "4s")
        me.shows("do", "is one card too many")
        for scheme in ("light", "dark"):
            me.page.emulate_media(color_scheme=scheme)
            assert accessibility(me.page) == []
        for width, height in (PHONE, TABLET, WALL):
            me.page.set_viewport_size({"width": width, "height": height})
            assert overflow(me.page) <= 0
        me.page.goto("/dealer")
        assert accessibility(me.page) == []
        me.page.click("text=Seen")
        me.page.wait_for_url("**/dealer/seen")
        me.page.wait_for_selector("html[data-ready]")


def test_a_key_meant_for_a_card_does_not_make_a_choice(browser, house):
    with at(browser, house, "hasty") as me:
        me.ready()
        me.due("place-your-bets")
        me.page.clock.install(time=datetime(2026, 1, 1, tzinfo=UTC))
        me.page.reload()
        me.page.wait_for_selector("html[data-ready]")
        me.act("o", "no-more-bets")
        me.page.clock.pause_at(datetime(2026, 1, 1, 1, tzinfo=UTC))
        me.keys("F9", "1")
        me.shows("panel-words", "Cancel round 1: choose a reason")
        assert me.page.is_visible("#panel")
        me.page.clock.run_for(500)
        me.keys("1")
        me.due("place-your-bets")
        with house.client() as client:
            (last,) = client.get("/api/tables/hasty/rounds").json()["rounds"]
        assert last["void"] == "misdeal"
        me.page.uncheck("#single-keys")
        me.page.reload()  # the choice is remembered
        me.page.wait_for_selector("html[data-ready]")
        me.keys("o")
        me.page.clock.run_for(500)
        me.due("place-your-bets")
        me.page.check("#single-keys")
        me.act("o", "no-more-bets")
