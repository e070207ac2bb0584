"""Pages as sent to a browser: headers, files, texts, escaping."""

import gzip
import html
import json
import re
from collections.abc import Set
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

import baccarat
from baccarat.house.housefile import default_house
from baccarat.house.money.ledger import Kind
from baccarat.loader import built_in_cards, load
from baccarat.store.engine import StoreError
from baccarat.web.api.figures import POSTER
from baccarat.web.pages.assets import TYPES, assets
from baccarat.web.pages.pages import DESKS, notice_of
from baccarat.web.server.app import PAGES, documented, rule_of
from baccarat.wording.catalogue import catalogue
from support.served import served
from support.sheets import Pdf

BROWSER = {"Accept": "text/html", "Accept-Encoding": "gzip"}
SOURCE = Path(baccarat.__file__).parent
ROOM = files("baccarat.web.pages")
TEMPLATES = {path.name: path.read_text("utf-8") for path in ROOM.joinpath("templates").iterdir()}
STATIC = {
    path.name: path.read_text("utf-8")
    for path in ROOM.joinpath("static").iterdir()
    if path.name.endswith((".js", ".css"))
}
SCRIPTS = {name: text for name, text in STATIC.items() if name.endswith(".js")}
STYLES = {name: text for name, text in STATIC.items() if name.endswith(".css")}
DRAWING_UNITS = {
    "cards.css": ["22px"],
    "odds.css": ["11px"],
    "roads.css": [".52px", ".5px", ".12px"],
    "sheets.css": ["11px"],
}
"""Lengths in the units of a drawing, not of the page."""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("pages")) as running:
        yield running


@pytest.fixture(scope="module")
def every_game(tmp_path_factory):
    """A house with a table for each built-in card."""
    with served(tmp_path_factory.mktemp("games"), house=default_house()) as running:
        yield running


def island(page: str) -> dict:
    (found,) = re.findall(r'<script type="application/json" id="island">(.*?)</script>', page)
    return json.loads(found)


def test_a_page_is_complete_and_has_a_strict_policy(house):
    with house.client(**BROWSER) as client:
        answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-encoding"] == "gzip"
    assert "Cookie" in answer.headers["vary"]
    assert island(answer.text)["session"] is None


def test_a_page_shows_the_visitors_session_and_balance(house):
    with house.guest() as guest:
        page = guest.get("/", headers=BROWSER).text
        assert island(page)["session"]["csrf_token"] == guest.headers["X-CSRF-Token"]
        assert "£1,000.00" in page
    with house.staff("pit") as pit:
        page = pit.get("/", headers=BROWSER).text
        assert island(page)["session"]["plays"] is False
        assert 'id="balance"' not in page


@pytest.mark.requirement("G37")
def test_a_table_page_says_that_it_may_lag_and_that_the_servers_clock_decides(house):
    with house.client(**BROWSER) as client:
        page = html.unescape(client.get("/tables/open").text)
        words = catalogue()("table-lag")
        assert words in page
        assert "may be slightly behind" in words
        assert "server's clock decides when betting closes" in words
        assert re.search(r'id="seconds">\d+′?<', page)  # from the first paint


def declarations(style: str) -> str:
    """Return a style sheet without comments and queries, which cannot use properties."""
    return re.sub(r"/\*.*?\*/|@(media|container)[^{]*", "", style, flags=re.DOTALL)


@pytest.mark.parametrize("name", sorted(STYLES.keys() - {"tokens.css"}))
def test_colours_and_lengths_come_from_the_design_tokens(name):
    style = declarations(STYLES[name])
    assert re.findall(r"#[0-9a-fA-F]{3,8}(?=[\s;,)!])|rgb\(\s*\d", style) == []
    assert re.findall(r"[\d.]+(?:rem|px)\b", style) == DRAWING_UNITS.get(name, [])


CHEAP = {"transform", "translate", "opacity", "none"}
"""Properties that are animated without a new layout or a new drawing of the page."""


def animated(style: str) -> set[str]:
    """Return the properties that a style sheet animates."""
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    frames = re.findall(r"@keyframes \S+ \{((?:[^{}]*\{[^}]*\})*)", style)
    inside = re.findall(r"([\w-]+)\s*:", " ".join(re.findall(r"\{([^}]*)\}", " ".join(frames))))
    changes = re.findall(r"transition(?:-property)?:([^;}]*)", style)
    return {*inside, *(one.split()[0] for change in changes for one in change.split(","))}


@pytest.mark.parametrize("name", sorted(STYLES))
def test_only_transforms_and_opacity_are_animated(name):
    """Scripts are checked in `tests/browser/test_results.py`, while cards and chips move."""
    assert animated(STYLES[name]) <= CHEAP


def test_animated_properties_are_found():
    style = (
        "a { transition: top 1s, opacity 2s } @keyframes b { 0% { width: 0 } 9% { color: red } }"
    )
    assert animated(style) == {"top", "opacity", "width", "color"}


def test_every_design_token_is_defined_once_and_used():
    """This includes palettes, where dark and light values are side by side."""
    tokens = declarations(STYLES["tokens.css"])
    defined = re.findall(r"(--[\w-]+):", tokens.partition("\n}")[0])
    assert len(defined) == len(set(defined))
    used = {name for style in STYLES.values() for name in re.findall(r"var\((--[\w-]+)", style)}
    assert set(defined) - used == set()
    own = {name for style in STYLES.values() for name in re.findall(r"(--[\w-]+)\s*:", style)}
    assert used - own == set()


def test_static_files_are_cached_for_ever_by_digest(house):
    with house.client() as client:
        for name, asset in assets().found.items():
            answer = client.get(assets().address(name), headers={"Accept-Encoding": "gzip"})
            assert answer.content == asset.content
            assert answer.headers["content-type"] == asset.kind
            assert "immutable" in answer.headers["cache-control"]
            again = client.get(
                assets().address(name), headers={"If-None-Match": answer.headers["etag"]}
            )
            assert (again.status_code, again.content) == (304, b"")
        older = client.get("/static/000000000000/base.css")
        assert older.headers["cache-control"] == "no-cache"
        assert client.get("/static/000000000000/nothing.css").status_code == 404
        assert client.get("/static/000000000000/..%2fassets.py").status_code in (404, 422)


@pytest.mark.parametrize(
    ("said", "zipped"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("gzip;q=0", False), ("identity", False)],
)
def test_files_are_compressed_if_the_client_accepts_it(house, said, zipped):
    with house.client(**{"Accept-Encoding": said}) as client:
        answer = client.get(assets().address("base.css"))
        assert (answer.headers.get("content-encoding") == "gzip") is zipped


def test_compressed_files_have_the_same_content():
    for one in assets().found.values():
        assert one.zipped is None or gzip.decompress(one.zipped) == one.content
    assert {name.rpartition(".")[2] for name in assets().found} <= set(TYPES)


def test_problems_are_pages_for_browsers_and_json_for_programs(house):
    with house.client() as client:
        page = client.get("/<b>nowhere</b>", headers=BROWSER)
        assert page.status_code == 404
        assert page.headers["content-type"].startswith("text/html")
        assert "no-such-page" in page.text
        assert "openapi" not in page.text
        assert '<a class="button" href="/">' in page.text
        assert client.get("/nowhere").headers["content-type"] == "application/problem+json"
        api = client.get("/api/nowhere", headers=BROWSER)
        assert api.headers["content-type"] == "application/problem+json"


def test_a_page_for_staff_says_whom_it_is_for_and_where_to_go(house):
    with house.guest() as guest:
        page = guest.get("/pit", headers=BROWSER)
    assert page.status_code == 403
    words = "This page is for pit staff. If you are one of them, sign in with your staff account."
    assert f"{words} Otherwise, go back to the tables." in page.text
    assert '<a class="button" href="/">' in page.text


def test_unknown_cookie_values_do_not_reach_a_page(house):
    with house.client(**BROWSER) as client:
        page = client.get("/", headers={"Cookie": 'baccarat_look=dark."><script>.four'}).text
        assert '<html lang="en" data-theme="dark" data-deck="four">' in page
        page = client.get("/", headers={"Cookie": "baccarat_look=evil"}).text
        assert '<html lang="en">' in page


def test_every_page_has_an_access_rule():
    assert all(rule_of(route) for router in PAGES for route in router.routes)


# ---- texts -----------------------------------------------------------------------------------


def test_every_message_used_in_templates_exists():
    asked = {
        key
        for text in TEMPLATES.values()
        for key in re.findall(r"""\bt\(\s*["']([\w.-]+)["']\s*[,)]""", text)
    }
    assert asked
    assert [key for key in sorted(asked) if key not in catalogue()] == []


def test_every_message_used_in_scripts_exists():
    asked = {
        key for text in SCRIPTS.values() for key in re.findall(r"""\bt\("([\w.-]+)["]""", text)
    }
    assert [key for key in sorted(asked) if f"script-{key}" not in catalogue()] == []


IN_WORDS = (
    *("alert-", "cancelled-", "change-", "coup-", "event-", "proposal-", "role-", "setting-"),
    *("subject-", "topic-", "who-"),
)
"""Beginnings of messages about events; tests/house/test_in_words.py finds unused ones."""


ON_PAPER = ("phrase-", "rule-", "poster-", "letter-", "report-")
"""Beginnings of messages about rules and posters (tested in tests/wording/test_rules.py)."""


def test_every_message_is_used():
    """Composed ids (`phase-` + name) are recognised by their prefix."""
    text = "\n".join([*TEMPLATES.values(), *SCRIPTS.values()])
    text += "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    heads = re.findall(r"""["'`]([\w-]+[-_])(?:\$\{|\{|["']\s*[+~])""", text)
    assert heads
    elsewhere = ("refusal-", "problem-", *IN_WORDS, *ON_PAPER)
    unused = [
        key
        for key in catalogue()
        if key.removeprefix("script-") not in text
        and not key.startswith((*heads, *elsewhere))
        and not key.removeprefix("script-").startswith(tuple(heads))
    ]
    assert unused == []


def test_templates_contain_no_literal_text():
    """Without markup and expressions, only command names and symbols are left."""
    for name, text in TEMPLATES.items():
        said = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"{]*)"', text)
        text = re.sub(r"\{% block kind %\}.*?\{% endblock %\}|&\w+;", " ", text)  # class; symbol
        text = re.sub(r"\{[{%#].*?[}%#]\}", " ", text, flags=re.S)
        text = re.sub(r'\b[\w-]+="[^"]*"', " ", text)
        text = re.sub(r"<(script|code|kbd)\b.*?</\1>|<[^>]*>", " ", text, flags=re.S)
        words = re.findall(r"[^\W\d_]{2,}", f"{text} {' '.join(said)}")
        assert [word for word in words if word not in ("baccarat", "UTC")] == [], name


# ---- content security policy -----------------------------------------------------------------


def test_templates_and_scripts_contain_nothing_that_the_policy_forbids():
    for name, text in TEMPLATES.items():
        assert not re.search(r"\sstyle=|\son\w+=|javascript:|https?://(?!www\.w3\.org)", text), name
        assert "|safe" not in text.replace(" ", ""), name
        for opened in re.findall(r"<script[^>]*>", text):
            assert "src=" in opened or "application/json" in opened, name
    for name, text in SCRIPTS.items():
        bad = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
        assert not re.search(bad, text), name
        assert not re.search(r"https?://(?!www\.w3\.org)", text), name


def test_a_page_that_fails_to_load_does_not_mention_retrying_a_command(house, monkeypatch):
    async def away(*_):
        raise StoreError("the store cannot be read now: try again")

    monkeypatch.setattr(house.service.environment.keeper, "read", away)
    monkeypatch.setattr(house.server.config.app.state.site, "read", away)
    with house.client(**BROWSER) as client:
        answer = client.get("/")
    assert answer.status_code == 503
    assert "We can't reach our records right now. Please try again." in html.unescape(answer.text)
    assert "idempotency key" not in answer.text


def test_requests_made_by_pages_exist_in_the_api():
    """Compare every request in a script or staff form with the API document."""
    paths = documented()["paths"]
    asked = [
        (method, path)
        for text in SCRIPTS.values()
        for method, path in re.findall(r'\bapi\("([A-Z]+)", ["`](/[^"`]*)["`]', text)
    ]
    asked += re.findall(r'data-send="([A-Z]+) (/[^"]+)"', "".join(TEMPLATES.values()))
    assert len(asked) > 20
    for method, path in asked:
        # A placeholder may be any part of a path: a name, or part of a word.
        fixed = re.split(r"{{.*?}}|\${.*?}", f"/api{path}")
        known = re.compile("[^/]+".join(map(re.escape, fixed)))
        # And a parameter of the document may be fixed here: limits/time/{period}.
        said = "x".join(fixed)
        assert any(
            (known.fullmatch(one) or re.fullmatch(re.sub(r"{.*?}", "[^/]+", one), said))
            and method.lower() in can
            for one, can in paths.items()
        ), (method, path)


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_booking_has_a_message(kind):
    assert f"history-kind-{kind}" in catalogue()


@pytest.mark.requirement("R47")
@pytest.mark.parametrize("card", built_in_cards())
def test_r47_a_games_page_shows_the_cards_notice_on_safer_gambling(house, card):
    notice = load(card).notice
    with house.client(**BROWSER) as client:
        page = html.unescape(client.get(f"/rules/{card}").text)
    said = [notice.regulator, notice.warning, *notice.contacts]
    assert [one for one in said if one and one not in page] == []
    assert notice.minimum_age is None or f"{notice.minimum_age}" in page


@pytest.mark.requirement("R48", "R52", "R53", "R30")
@pytest.mark.parametrize("card", built_in_cards())
def test_a_games_page_has_the_statements_of_its_poster_and_a_link_to_it(every_game, card):
    loaded = load(card)
    with every_game.client(**BROWSER) as client:
        page = html.unescape(client.get(f"/rules/{card}?table={card}").text)
        table = html.unescape(client.get(f"/tables/{card}").text)
    assert ("commitment to fair and open gambling" in page) is loaded.notice.fair_gambling
    assert ("A4 copies at reception" in page) is (loaded.notice.copies == "reception")
    assert f'href="/api/tables/{card}/poster"' in page
    for bet in loaded.bets:
        assert all(name in page and name in table for name in bet.known_as)
    has_pairs = any(bet.id.endswith("-pair") for bet in loaded.bets)
    assert ("10-10 and K-K are pairs, but 10-K is not" in page) is has_pairs


@pytest.mark.requirement("R52", "R35")
def test_r52_a_tables_poster_is_a_pdf_of_the_game_as_it_is_offered_there(every_game, monkeypatch):
    site, by_workers, charged = every_game.server.config.app.state.site, [], []
    run, charge = site.pool.run, site.charge

    def counted(client, function, *arguments, **more):
        by_workers.append(function.__name__)
        return run(client, function, *arguments, **more)

    def charging(connection, points):
        charged.append(points)
        return charge(connection, points)

    monkeypatch.setattr(site.pool, "run", counted)
    monkeypatch.setattr(site, "charge", charging)
    with every_game.client() as client:
        answer = client.get("/api/tables/punto-banco/poster")
        sheet = Pdf(answer.content)
        assert answer.headers["content-type"] == "application/pdf"
        assert (len(sheet), sheet.millimetres) == (1, (210, 297))
        assert "£5–£1,000" in sheet.squeezed
        assert by_workers == ["poster_made"]
        assert POSTER in charged, "posters are rate-limited"
        large = client.get("/api/tables/punto-banco/poster", params={"paper": "a3"})
        assert Pdf(large.content).millimetres == (297, 420)
        bad = client.get("/api/tables/punto-banco/poster", params={"paper": "a5"})
        assert bad.status_code == 422
        assert client.get("/api/tables/nowhere/poster").status_code == 404


@pytest.mark.requirement("R47")
def test_r47_the_footer_attributes_age_limits_and_help_lines_to_their_games():
    """A country's help line is shown with the games whose cards name it, not as the house's."""
    house = default_house()
    greek = {load(card).name for card in ("commission", "fortune-six", "no-commission")}
    plans = {plan.id: plan for plan in house.tables}
    whole = notice_of(house.notice, house.tables, "en")
    alone = notice_of(house.notice, (plans["fortune-six"],), "en")
    ((age, names),) = whole.older
    assert (whole.minimum_age, age) == (18, 21)
    ((line, games),) = (one for one in whole.help if one[0][0].startswith("Support line"))
    assert set(names) == set(games) == greek
    assert (alone.minimum_age, alone.older) == (21, ())
    assert alone.help == ((line, ()),)
    own = replace(house.notice, minimum_age=20, regulator="Gambling Commission", contacts=("0808",))
    assert notice_of(own, (plans["punto-banco"],), "en").minimum_age == 20
    assert notice_of(own, house.tables, "en").help == ((("0808",), ()),), "in place of the cards'"


def walk(client, beyond: Set[str] = frozenset()) -> set[str]:
    """Follow links and return every page reached, except those visited before."""
    seen, next_ones = set(), ["/"]
    while next_ones:
        address = next_ones.pop()
        if address in seen or address in beyond:
            continue
        seen.add(address)
        answer = client.get(address, headers=BROWSER)
        assert answer.status_code == 200, address
        if answer.headers["content-type"].startswith("text/html"):
            found = re.findall(r'<a [^>]*href="(/[^"#]*)', answer.text)
            next_ones += [html.unescape(one) for one in found]
    return {address.partition("?")[0] for address in seen}


def test_every_link_works_and_every_page_is_reachable(house):
    """Follow links from the lobby, as a guest and as each staff role."""
    with house.guest() as guest:
        walked = walk(guest)
    for role in DESKS:
        with house.staff(role) as staff:
            walked |= walk(staff, beyond=walked - {"/", "/account"})
    assert {"/tables/open", "/rules/punto-banco", "/verify", "/history", "/account"} <= walked
    alone = {route.path for page in PAGES for route in page.routes if "{" not in route.path}
    parts = {"/house-logo", "/house.css"}  # of the display boards
    assert alone - {"/sign-in"} - parts <= walked  # not needed once signed in
