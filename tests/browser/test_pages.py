"""Pages and forms in a real browser: what they show and who can use them."""

import csv
import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from markupsafe import escape

from baccarat import verifier
from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import remaining_shoe
from baccarat.analysis.sessions import session
from baccarat.core.cards import Card
from baccarat.core.money import percent_string
from baccarat.core.wagers import Wager
from baccarat.house.safety.profiles import Conduct, load_profile
from baccarat.loader import built_in_cards, load
from baccarat.poster.content import AGREED, poster_of
from baccarat.store import bookings as stored
from baccarat.store.history import entries_of_shoe
from baccarat.web.pages import history
from baccarat.web.server.guard import Rate, Rates
from baccarat.web.views.games import games_of
from baccarat.wording.catalogue import catalogue
from support.browser import DESK, PHONE, WALL, accessibility, opened, overflow, use_session
from support.changed_shoes import GOOD, SHOE, TEXT, changed, changes, one_of_each
from support.documented import ROOT
from support.served import HOUSE, PASSWORD, play_rounds, served, signed, until
from support.visits import Visit

VERIFY = """async (cases) => {
  const {verifyShoe} = await import('/static/any/verify.js');
  return Promise.all(cases.map(async (one) => (await verifyShoe(...one)).state));
}"""
AS_IN_THE_FORM = """() => {
  const cards = [...document.querySelectorAll("[data-card]")];
  const gone = cards.reduce((sum, one) => sum + Number(one.value), 0);
  const left = 52 * Number(document.getElementById("p-decks").value) - gone;
  return document.getElementById("left").textContent.startsWith(`${left} of`);
}"""
"""Whether the figures shown are those of the shoe described in the form."""
EXAMPLE = Path(ROOT, "examples/shoes/one-deck.json")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running


# ---- every page --------------------------------------------------------------------------------

PAGES = ("/verify", "/sign-in", "/rules", "/odds", "/audit", "/catalogue")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible_and_fits_every_screen(browser, house, path):
    """No axe-core violations in either theme, and nothing wider than the window."""
    with opened(browser, house.address, color_scheme="light") as page:
        page.goto(path)
        for width, height in (PHONE, WALL, DESK):
            page.set_viewport_size({"width": width, "height": height})
            assert overflow(page) <= 0, f"{path} at {width}"
        assert accessibility(page) == []
        page.emulate_media(color_scheme="dark")
        assert accessibility(page) == []


def test_the_rules_page_of_every_card_is_accessible(browser, house):
    with opened(browser, house.address) as page:
        for card in built_in_cards():
            page.goto(f"/rules/{card}")
            assert (accessibility(page), overflow(page)) == ([], 0), card
        page.emulate_media(color_scheme="dark")  # the other cards use the same template
        assert accessibility(page) == []
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert overflow(page) <= 0


# ---- the verifier ------------------------------------------------------------------------------


def state_of(text: str, commitment: str | None) -> str:
    """Return the verdict of `baccarat verify`."""
    try:
        verdict = verifier.verify(verifier.parse(text.encode()), commitment=commitment)
    except verifier.Unreadable:
        return "unreadable"
    return "faulty" if verdict.faults else "good"


def cases() -> list[tuple[str, str | None]]:
    """Return a good shoe, every kind of change to it, and documents that are not a shoe."""
    found: list[tuple[str, str | None]] = [
        (TEXT, None),
        (TEXT, SHOE.commitment.hex()),
        (TEXT, "00" * 32),
        (EXAMPLE.read_text(), None),
        (json.dumps({**GOOD, "ended": None, "reveal": None}), None),
        *((text, None) for text in ("", "7", "{}", "[" * 1000, TEXT + "x")),
        *((f"{mark}{TEXT}", None) for mark in ("\ufeff", "\ufeff\ufeff", "\xa0", " \ufeff", " ")),
        (TEXT.replace('"version": 1', '"version": 1, "version": 1'), None),
        (TEXT.replace("baccarat-shoe", "baccarat-\\ud800"), None),
    ]
    for paths in one_of_each().values():
        for path in dict.fromkeys(paths):
            value = GOOD
            for part in path:
                value = value[part]
            found += [
                (json.dumps(changed(path, other)), None)
                for other in changes(value)
                if not (type(other) is type(value) and other == value)
            ]
    return found


def test_the_browser_and_the_command_agree_on_every_shoe(browser, house):
    """`verify.js` was written from docs/reference/fairness.md alone."""
    every = cases()
    assert len(every) > 390
    with opened(browser, house.address) as page:
        page.goto("/verify")
        reply = page.evaluate(VERIFY, every)
    expected = [state_of(*one) for one in every]
    assert {"good", "faulty", "unreadable"} <= set(expected)
    wrong = [
        (text[:80], says)
        for (text, _), says, is_ in zip(every, reply, expected, strict=True)
        if says != is_
    ]
    assert wrong == []


def test_a_single_card_is_verified(browser, house):
    card = GOOD["coups"][0]["cards"][0]
    right = {**card, "root": GOOD["root"], "size": 52}
    wrong = [
        {**right, "position": (card["position"] + 1) % 52},
        {**right, "card": "Kh" if card["card"] != "Kh" else "Kd"},
        {**right, "proof": card["proof"][:-1]},
        {**right, "root": "00" * 32},
    ]
    with opened(browser, house.address) as page:
        page.goto("/verify")
        reply = page.evaluate(
            "async (all) => {const {verifyCard} = await import('/static/any/verify.js');"
            "return Promise.all(all.map(verifyCard));}",
            [right, *wrong],
        )
    assert reply == [True, False, False, False, False]


def test_a_visitor_verifies_a_shoe_of_the_house_and_a_file(browser, house, tmp_path):
    with opened(browser, house.address) as page:
        page.goto("/verify?table=fast")
        page.click("#check")
        page.wait_for_selector(".step")
        assert page.locator(".step.is-fault").count() == 0
        assert "you don't have to trust us" in page.inner_text("#verdict")
        page.fill("#commitment", GOOD["commitment"])
        good = tmp_path / "good.json"
        good.write_text(TEXT, encoding="utf-8-sig")
        page.set_input_files("#file", good)
        page.wait_for_selector(".verdict.is-holds")
        assert page.locator(".step.is-holds").count() == page.locator(".step").count()
        page.click("summary")
        page.fill("#text", json.dumps({**GOOD, "burned": GOOD["burned"] + 1}))
        page.click("#check")
        page.wait_for_selector(".step.is-fault")
        assert "The rule requires" in page.inner_text(".step.is-fault")
        assert catalogue()("script-verify-says-burn") not in page.inner_text("#steps")
        page.fill("#commitment", "")
        page.fill("#text", TEXT)
        page.click("#check")
        page.wait_for_selector(".verdict.is-holds")
        assert "All checks of the document have passed" in page.inner_text("#verdict")
        assert "Not proven: that this commitment" in page.inner_text("#verdict")
        huge = tmp_path / "huge.json"
        huge.write_bytes(bytes(2**24 + 1))
        page.set_input_files("#file", huge)
        page.wait_for_selector("#verdict >> text=The document is 16.1 MiB")
        for mark, holds in (("\ufeff", 1), ("\xa0", 0)):
            page.fill("#text", mark + TEXT)
            page.click("#check")
            page.wait_for_selector(".verdict:not(.is-open)")
            assert page.locator(".verdict.is-holds").count() == holds
        assert accessibility(page) == []


def test_a_check_before_the_list_of_shoes_has_loaded_waits_for_it(browser, house):
    """It then takes the first shoe of the list."""
    with opened(browser, house.address) as page:
        held = []
        page.route("**/shoes", lambda route: held.append(route))
        page.goto("/verify?table=fast")
        page.click("#check")
        page.wait_for_selector("#verdict >> text=Verifying")
        held[0].continue_()
        page.wait_for_selector(".step")
        assert page.locator(".step.is-fault").count() == 0
        assert page.is_enabled("#shoe")
        page.route("**/shoes", lambda route: route.fulfill(json={"shoes": []}))
        page.select_option("#table", "new")
        page.click("#check")
        page.wait_for_selector("#verdict >> text=No shoes yet")
        page.unroute("**/shoes")
        page.click("#check")
        page.wait_for_selector(".step")
        assert page.is_enabled("#shoe")


def test_a_shoe_is_verified_even_if_the_list_of_shoes_fails_to_load(browser, house):
    with opened(browser, house.address, expected=("503",)) as page:
        page.goto("/verify?table=fast")
        page.wait_for_selector("#shoe:not(:disabled)")
        shoe = page.input_value("#shoe")
        page.route("**/shoes", lambda route: route.fulfill(status=503, json={"detail": "Busy"}))
        page.goto(f"/verify?table=fast&shoe={shoe}")
        page.wait_for_selector(".step")
        assert page.input_value("#shoe") == shoe
        page.goto("/verify?table=fast")
        page.wait_for_selector("#verdict >> text=Busy")
        page.unroute("**/shoes")
        page.click("#check")
        page.wait_for_selector(".step")
        assert page.is_enabled("#shoe")


def test_a_check_is_dropped_when_another_table_is_chosen(browser, house):
    with opened(browser, house.address) as page:
        page.goto("/verify?table=fast")
        page.wait_for_selector("#shoe:not(:disabled)")
        shoe, before = page.input_value("#shoe"), page.inner_text("#verdict")
        held = []
        page.route("**/shoes", lambda route: held.append(route))
        page.goto(f"/verify?table=fast&shoe={shoe}")
        page.wait_for_selector("#verdict >> text=Verifying")
        page.select_option("#table", "open")
        assert page.inner_text("#verdict") == before
        page.wait_for_timeout(100)
        for route in held:
            route.continue_()
        page.wait_for_selector("#shoe:not(:disabled)")
        page.wait_for_timeout(300)
        assert page.inner_text("#verdict") == before
        assert page.locator(f"#shoe option[value='{shoe}']").count() == 0


# ---- cards -------------------------------------------------------------------------------------

FACES = """async () => {
  const {face} = await import('/static/any/cards.js');
  const faces = {};
  for (const suit of "shdc") for (const rank of ["A", 2, 3, 4, 5, 6, 7, 8, 9, 10, "J", "Q", "K"]) {
    const drawn = face(`${rank}${suit}`);
    document.body.append(drawn);
    const edge = drawn.getBoundingClientRect();
    const inside = [...drawn.querySelectorAll("path, text")].every((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return left > edge.left && right < edge.right && top > edge.top && bottom < edge.bottom;
    });
    const pips = [...drawn.children].filter((one) => one.tagName === "path").length;
    faces[`${rank}${suit}`] = [pips, drawn.querySelectorAll(".court .skin").length > 0, inside];
    faces[`${rank}${suit}`].push(drawn.outerHTML);
    drawn.remove();
  }
  return faces;
}"""


def test_every_card_has_its_own_face_with_as_many_pips_as_its_rank(browser, house):
    with opened(browser, house.address) as page:
        page.goto("/")
        faces = page.evaluate(FACES)
    assert len({drawing for *_, drawing in faces.values()}) == 52
    for name, (pips, court, inside, _) in faces.items():
        rank = name[:-1]
        assert (court, inside) == (rank in "JQK", True), name
        assert pips == (0 if court else 1 if rank == "A" else int(rank)), name


# ---- signing in --------------------------------------------------------------------------------


def test_opening_an_account_and_signing_out_and_in_work_by_keyboard(browser, house):
    with opened(browser, house.address, size=PHONE, expected=("401", "409")) as page:
        page.goto("/account")
        assert page.url.endswith("/sign-in?back=/account")
        page.focus("#new-id")
        page.keyboard.type("Ann!")
        page.keyboard.press("Enter")
        assert page.locator("#new-id").get_attribute("aria-invalid") == "true"
        assert "lower-case letters" in page.inner_text("#new-id-help")
        assert page.evaluate("document.activeElement.id") == "new-id"
        assert accessibility(page) == []
        page.fill("#new-id", "ann")
        page.fill("#new-name", "Ann")
        page.fill("#new-password", "correct horse")
        page.keyboard.press("Enter")
        page.wait_for_url(house.address + "/account")
        assert page.inner_text("h1") == "Ann"
        assert "£0.00" in page.inner_text("main")
        assert "you can't bet yet" in page.inner_text(".penniless")
        assert page.inner_text(".penniless b") == "ann"
        assert (accessibility(page), overflow(page)) == ([], 0)
        page.click("#out button")
        page.wait_for_url(house.address + "/")
        page.goto("/sign-in")
        page.fill("#in-id", "ann")
        page.fill("#in-password", "wrong horse")
        page.keyboard.press("Enter")
        page.wait_for_selector("#in [role=alert]:not(:empty)")
        assert "Wrong account ID or password" in page.inner_text("#in [role=alert]")
        page.fill("#in-password", "correct horse")
        page.keyboard.press("Enter")
        page.wait_for_url(house.address + "/")
        page.goto("/sign-in")
        assert page.url.endswith("/account")


@pytest.mark.parametrize("role", ["player", "pit"])
def test_people_see_their_sessions_and_can_end_them(browser, house, role):
    there = house.client(**{"User-Agent": "Tablet/1.0"})
    body = {"account": f"the-{role}", "password": PASSWORD}
    signed(there, there.post("/api/session", json=body))
    with opened(browser, house.address, size=PHONE) as page, house.staff(role) as here:
        use_session(page, here)
        until(lambda: not house.is_writing())
        page.goto("/account")
        assert "this session" in page.inner_text(".signed-in >> nth=0")
        other = page.locator(".signed-in", has_text="Tablet")
        assert "127.0.0.0/24" in other.inner_text()
        assert (accessibility(page), overflow(page)) == ([], 0)
        other.get_by_role("button", name="Sign out of Tablet").click()
        other.wait_for(state="detached")
        assert there.get("/api/session").status_code == 401
    there.close()


@pytest.mark.requirement("G16")
def test_g16_opening_an_account_asks_for_a_date_of_birth_where_the_law_requires_it(
    browser, tmp_path
):
    strict = replace(HOUSE, conduct=Conduct(load_profile("uk"), birth_dates=True))
    with (
        served(tmp_path, house=strict) as uk,
        opened(browser, uk.address, expected=("403",)) as page,
    ):
        page.goto("/sign-in")
        for field, value in (("id", "kid"), ("name", "Kid"), ("password", "correct horse")):
            page.fill(f"#new-{field}", value)
        page.click("#new button")
        assert page.locator("#new-born").get_attribute("aria-invalid") == "true"
        page.fill("#new-born", "2020-02-29")
        page.click("#new button")
        page.wait_for_selector("#new [role=alert]:not(:empty)")
        assert "You must be 18 or over to play here" in page.inner_text("#new [role=alert]")
        page.fill("#new-born", "1980-02-29")
        assert accessibility(page) == []
        page.click("#new button")
        page.wait_for_url(uk.address + "/")
        assert page.locator(".penniless").count() == 1


def test_the_lobby_counts_players_and_one_click_opens_the_first_table(browser, house):
    with opened(browser, house.address) as page:
        page.goto("/")
        assert page.inner_text("#guest") == "Play now"
        page.click("#guest")
        page.wait_for_url(house.address + "/tables/open")
        page.wait_for_selector('#felt[data-phase="open"]')
        with house.client() as nobody:

            def tables() -> dict[str, dict]:
                return {table["id"]: table for table in nobody.get("/api/tables").json()["tables"]}

            until(lambda: tables()["open"]["seated"])
            reply = tables()
        assert (reply["open"]["seated"], reply["open"]["wagering"]) == (1, 0)
        assert reply["members"]["seated"] == 0
        page.goto("/")
        page.wait_for_selector('[data-table="open"] :text-is("0 players")')
        words = page.inner_text('[data-table="members"]')
        assert "Members only" in words
        assert accessibility(page) == []


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil", "/a?b=//c"])
def test_signing_in_never_redirects_to_another_site(house, back):
    with house.client(Accept="text/html") as client:
        page = client.get("/sign-in", params={"back": back}).text
        assert '"back":"/"' in page


# ---- history -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def guest(house):
    with house.guest() as client:
        play_rounds(client, 3)
        yield client


@pytest.mark.requirement("G22")
def test_a_round_is_replayed_card_by_card(browser, house, guest):
    with opened(browser, house.address) as page:
        use_session(page, guest)
        page.goto("/history")
        assert page.locator("tbody tr").count() == 3
        reply = page.locator(".coup").first.inner_text()
        assert re.fullmatch(
            r"Player( [\dAJQK]+[♠♥♦♣]){2,3} = \d, Banker( [\dAJQK]+[♠♥♦♣]){2,3} = \d", reply
        )
        assert (accessibility(page), overflow(page)) == ([], 0)
        page.click("tbody tr:last-child a")
        shoe = page.get_attribute(".pager a[href^='/verify']", "href").partition("&shoe=")[2]
        its = entries_of_shoe(house.store, "table:fast", bytes.fromhex(shoe))
        opened_there = [json.loads(one.body) for one in its if b"RoundOpened" in one.body]
        assert int(page.url.rpartition("/")[2]) in {one["round"] for one in opened_there}
        page.wait_for_selector("#lying-banker .card >> nth=1")
        dealt = page.locator(".lying .card").count()
        assert dealt >= 4
        page.click("#again")
        assert page.locator(".lying .card").count() == 0
        for shown in range(1, dealt + 1):
            page.keyboard.press("Enter")
            assert page.locator(".lying .card").count() == shown
        assert page.locator("#step").is_disabled()
        assert page.inner_text("#called").split(".")[0] in ("Player wins", "Banker wins", "Tie")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert (accessibility(page), overflow(page)) == ([], 0)
        page.goto("/history/statement")
        assert (accessibility(page), overflow(page)) == ([], 0)


OWN = ("/account", "/account/limits", "/history/summary", "/history/statement", "/history/disputes")


def test_a_players_own_pages_are_accessible_in_both_themes(browser, house, guest):
    played = guest.get("/api/me/rounds").json()["rounds"][0]["round"]
    with opened(browser, house.address) as page:
        use_session(page, guest)
        for path in (*OWN, "/history", f"/history/fast/{played}"):
            page.goto(path)
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                assert (accessibility(page), overflow(page)) == ([], 0), (path, theme)
            page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            assert overflow(page) == 0, path
            page.set_viewport_size({"width": DESK[0], "height": DESK[1]})


@pytest.mark.requirement("G18")
def test_statement_and_csv_files_agree_with_the_ledger(house, guest):
    balance = guest.get("/api/me/balance").json()["real"]
    rows = list(csv.DictReader(guest.get("/history/statement.csv").text.splitlines()))
    assert sum(round(100 * Decimal(row["amount"])) for row in rows) == balance
    before = Decimal(0)
    for row in reversed(rows):
        before += Decimal(row["amount"])
        assert Decimal(row["balance"]) == before
    assert before * 100 == balance
    page = guest.get("/history/statement", headers={"Accept": "text/html"}).text
    assert page.index(catalogue().money(balance, "GBP")) > 0
    wagers = list(csv.DictReader(guest.get("/history/rounds.csv").text.splitlines()))
    net = sum(round(100 * Decimal(row["net"])) for row in wagers)
    assert (len(wagers), 100_000 + net) == (6, balance)
    assert {row["bet"] for row in wagers} == {"Player", "Player pair"}


@pytest.mark.requirement("G18")
def test_pages_of_history_have_no_gap_or_overlap(house, guest, monkeypatch):
    monkeypatch.setattr(history, "PAGE", 2)
    seen, below = [], None
    for _ in range(20):
        answer = guest.get("/history/statement", params={"below": below} if below else {})
        seen += re.findall(r'datetime="([^"]+)"', answer.text.partition("<tbody")[2])
        found = re.search(r"below=([^\"]+)", answer.text)
        if not found:
            break
        below = found[1]
    rows = list(csv.DictReader(guest.get("/history/statement.csv").text.splitlines()))
    assert len(seen) == len(rows) > 2
    assert seen == sorted(seen, reverse=True)


def test_a_csv_file_has_every_booking_once_whatever_the_chunk_size(house, guest, monkeypatch):
    whole = guest.get("/history/statement.csv").text
    monkeypatch.setattr(history, "PIECE", 2)
    assert guest.get("/history/statement.csv").text == whole
    # A chunk that started where the last one ended would break off the download.
    monkeypatch.setattr(history, "PIECE", 1)
    right = stored._bound
    monkeypatch.setattr(stored, "_bound", lambda *given: right(*given) + 1)
    with pytest.raises(httpx.RemoteProtocolError):
        guest.get("/history/statement.csv")


def test_a_csv_file_contains_no_formulas():
    rows = [["=1+1", "-2+3", "-5.00", "@x", "+1", "plain", 'a "b", c', "\t=1"]]
    assert history.csv_lines(rows) == (
        '\'=1+1,\'-2+3,-5.00,\'@x,\'+1,plain,"a ""b"", c",\'\t=1\r\n'
    )


def test_history_is_visible_only_to_its_owner(house, guest):
    with house.client(Accept="text/html") as nobody, house.staff("pit") as pit:
        for path in ("/history", "/history/statement", "/history/rounds.csv", "/history/fast/1"):
            answer = nobody.get(path)
            assert (answer.status_code, answer.headers["location"].split("?")[0]) == (
                303,
                "/sign-in",
            )
        assert pit.get("/history").status_code == 403
        assert guest.get("/history/fast/999999").status_code == 404
        assert guest.get("/history", params={"below": "x"}).status_code == 422


# ---- rules and odds ----------------------------------------------------------------------------


@pytest.mark.requirement("G19")
@pytest.mark.parametrize("card", built_in_cards())
def test_the_page_of_a_game_shows_the_posters_edges(house, card):
    poster = poster_of(games_of(HOUSE)[card])
    assert [bet.edge for bet in poster.bets] == [
        bet.edge for bet in poster_of(load(card).game()).bets
    ]
    with house.client(Accept="text/html") as client:
        page = client.get(f"/rules/{card}").text
    reply = re.findall(r'<td class="n edge[^"]*"[^>]*><b>([^<]+)</b>', page)
    assert reply == [f"{bet.edge}{AGREED if bet.agreed else ''}" for bet in poster.bets]
    for section in map(poster.sections.get, ("cards", "deal", "wagering", "edge")):
        assert all(str(escape(line)) in page for line in section.lines)


def test_a_tables_rules_page_uses_its_own_parameters(house):
    """The tables of this house use one deck."""
    with house.client(Accept="text/html") as client:
        page = client.get("/rules/punto-banco", params={"table": "fast"}).text
        one_deck = poster_of(load("punto-banco").game(decks="1"))
        assert [bet.edge for bet in one_deck.bets] == re.findall(r"<b>([−\d.]+%)</b>", page)
        assert client.get("/rules/fortune-six", params={"table": "fast"}).status_code == 404
        assert client.get("/rules/nothing").status_code == 404


# ---- the analyst's page ------------------------------------------------------------------------


def test_edges_are_those_of_the_analysis_whatever_cards_are_removed(house):
    game = load("punto-banco").game(decks="6", tie_odds="8:1")
    body = {
        "game": "punto-banco",
        "parameters": {"decks": "6", "tie_odds": "8:1"},
        "removed": {"4": 9, "A": 2, "K": 0},
    }
    with house.client() as client:
        reply = client.post("/api/odds", json=body).json()
        exact = analyse(game, remaining_shoe(game, [Card("4")] * 9 + [Card("A")] * 2))
        edges = [percent_string(bet.edge) for bet in exact.values()]
        assert [bet["edge"] for bet in reply["bets"]] == edges
        assert [bet["full"] for bet in reply["bets"]] == [
            percent_string(one.edge) for one in analyse(game).values()
        ]
        assert (reply["left"], reply["size"]) == (312 - 11, 312)
        for wrong in (
            {"removed": {"4": 25}},
            {"removed": {"X": 1}},
            {"parameters": {"decks": "0"}},
            {"parameters": {"decks": "1"}, "removed": dict.fromkeys("A23456789JQK", 4)},
            {"game": "chess"},
        ):
            answer = client.post("/api/odds", json={**body, **wrong})
            assert answer.status_code in (404, 422), wrong
            assert answer.json()["detail"]


def test_a_session_has_the_figures_of_the_analysis(house):
    body = {
        "game": "punto-banco",
        "wagers": [{"bet": "player", "stake": 2000}],
        "coups": 100,
        "bankroll": 20_000,
        "stop_win": 10_000,
    }
    played = session(load("punto-banco").game(), [Wager("player", 2000)])
    final = played.final(100)
    curve = played.ruin_curve(bankroll=20_000, coups=100, goal=30_000)
    with house.client() as client:
        reply = client.post("/api/sessions", json=body).json()
        assert (reply["cost"], reply["edge"]) == (round(-final.mean), "1.2351%")
        assert reply["ruined"] == f"{curve.ruined[-1]:.2%}"
        ends = [100, curve.ruined[-1], curve.reached[-1]]
        assert reply["curve"][-1] == pytest.approx(ends, rel=1e-12), "the lab compiles its walks"
        bars = reply["bars"]
        assert sum(chance for _, _, chance in bars) == pytest.approx(1, abs=1e-3)
        even = [chance for low, high, chance in bars if low == high == 0]
        assert even == [pytest.approx(final.even)]
        ahead = sum(chance for _, high, chance in bars if high > 0)
        assert ahead == pytest.approx(final.ahead, abs=1e-3)
        for wrong in (
            {"coups": 5000},
            {"wagers": [{"bet": "player", "stake": 1}]},
            {"bankroll": 0},
        ):
            assert client.post("/api/sessions", json={**body, **wrong}).status_code == 422


def test_an_analyst_removes_cards_and_computes_a_session(browser, house):
    with opened(browser, house.address, expected=("422",)) as page:
        page.goto("/odds?game=punto-banco")
        before = page.inner_text('[data-bet="banker"] .edge')
        page.fill('[data-card="4"]', "20")
        page.wait_for_selector('[data-bet="banker"] .moved:not(:text-is("–"))')
        assert page.inner_text('[data-bet="banker"] .edge') != before
        assert "396 of 416" in page.inner_text("#left")
        page.fill('[data-card="4"]', "40")
        page.wait_for_selector("#shoe-fault:not(:empty)")
        assert "Cannot remove" in page.inner_text("#shoe-fault")
        for card in page.locator("[data-card]").all():
            card.fill("32")
        page.wait_for_selector('#shoe-fault:has-text("only 0 cards of 8 decks are left")')
        shown = page.locator("#edges td").all_inner_texts()
        assert set(shown) == {"–", ""}
        page.click("#full")
        page.fill('[data-card="4"]', "1.5")
        page.fill("#p-decks", "6")
        page.wait_for_selector('#shoe-fault:has-text("Enter whole numbers of cards")')
        page.fill('[data-card="4"]', "20")
        page.wait_for_selector('#left:has-text("292 of 312")')
        page.goto("/rules")
        page.go_back()
        Visit(page).waits_for(AS_IN_THE_FORM)
        page.fill("#p-decks", "6")
        page.click("#full")
        page.wait_for_selector('#left:has-text("312 of 312")')
        assert page.input_value("#p-decks") == "6"
        page.fill("#p-decks", "8")
        page.wait_for_selector("#shoe-fault:empty", state="attached")
        page.wait_for_selector(f'[data-bet="banker"] .edge :text-is("{before}")')
        page.fill("#stop", "200")
        page.click("#session-form button")
        page.wait_for_selector(".plot")
        assert page.locator(".plot svg").count() == 2
        assert accessibility(page) == []
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert overflow(page) <= 0


def test_odds_requests_are_rate_limited_per_address(tmp_path):
    with served(tmp_path, rates=replace(Rates(), figures=Rate(2, 1))) as strict:
        with strict.client() as client:
            body = {"game": "punto-banco"}
            found = [client.post("/api/odds", json=body).status_code for _ in range(3)]
        assert found == [200, 200, 429]
