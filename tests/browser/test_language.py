"""A language is added by one file: every page in an invented language has no English left.

Each letter of the catalogue becomes a letter that no English word has. Whatever can still be read
comes from a rule card or the house. With a rule card in that language, nothing can be read.
"""

import contextlib
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

import pytest
from fluent.syntax import ast, parse, serialize
from fluent.syntax.visitor import Visitor

import baccarat
from baccarat.figures.par_sheet import par_sheet_of
from baccarat.house.housefile import House
from baccarat.house.people.roles import Role
from baccarat.house.table_plans import TablePlan
from baccarat.library import audit
from baccarat.loader import load
from baccarat.loader.files import find
from baccarat.poster.content import poster_of
from baccarat.poster.letter import letter_of
from baccarat.poster.page import poster_page
from baccarat.poster.par_sheet import content_of
from baccarat.poster.report import report_of
from baccarat.poster.typeset import letter_pdf, par_sheet_pdf, poster_pdf, report_pdf
from baccarat.table.settings import Clock
from baccarat.web.pages.pages import DESKS
from baccarat.web.server.app import PAGES
from baccarat.web.server.language import language_for
from baccarat.wording import catalogue as words
from support.browser import opened, use_session
from support.by_hand import hand_settings
from support.dealing import Dealing
from support.live import settings_for
from support.served import HOUSE, OPEN, ReusingPool, play_rounds, served
from support.sheets import Pdf
from support.visits import visiting

CALM = Clock(betting=400, card=20, pause=3_000)

ROOMS = Path(baccarat.__file__).parent
STRANGE = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "αвċđéƒĝĥíĵķĺмńőρɋŕśţúνŵхýźΑВĊĐÉƑĜĤÍĴĶĹМŃŐΡɊŔŚŢÚѴŴХÝŹ",
)
SEEN = """() => {
  const names = ["aria-label", "title", "placeholder"];
  const whole = document.documentElement.cloneNode(true);
  const others = "script, noscript, time, code, .mono, .coup, [lang]";
  for (const one of whole.querySelectorAll(others)) one.remove();
  const said = [...whole.querySelectorAll(names.map((name) => `[${name}]`).join(","))]
    .flatMap((one) => names.map((name) => one.getAttribute(name) ?? ""));
  const texts = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) said.push(texts.currentNode.data);
  return said.join("\\n");
}"""
"""Everything that people see or hear, except times (the browser's) and codes."""


class _Strange(Visitor):
    def visit_TextElement(self, node: ast.TextElement) -> None:  # noqa: N802
        node.value = node.value.translate(STRANGE)


def strange(source: str) -> str:
    """Return a file of the catalogue in letters that English does not have."""
    resource = parse(source)
    _Strange().visit(resource)
    return serialize(resource)


def forget() -> None:
    words.catalogue.cache_clear()
    words.languages.cache_clear()


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory):
    """Create a folder of catalogues: English and the invented language."""
    folder = tmp_path_factory.mktemp("locale")
    shutil.copytree(str(words.LOCALES / "en"), folder / "en")
    (folder / "qq").mkdir()
    for path in (folder / "en").iterdir():
        (folder / "qq" / path.name).write_text(strange(path.read_text("utf-8")), "utf-8")
    return folder


@pytest.fixture
def _two_languages(catalogues, monkeypatch):
    monkeypatch.setattr(words, "LOCALES", catalogues)
    monkeypatch.setenv("BACCARAT_LOCALES", str(catalogues))  # for worker processes
    ReusingPool.end_spare_workers()
    forget()
    yield
    monkeypatch.undo()
    ReusingPool.end_spare_workers()
    forget()


def read(text: str) -> set[str]:
    """Return the words in English letters, except hexadecimal numbers and parts of today's date,
    which come from the locale."""
    found = {one.lower() for one in re.findall(r"[A-Za-z]{3,}", text)}
    today = {"utc", time.strftime("%b").lower(), time.strftime("%B").lower()}
    return {one for one in found if not re.fullmatch("[a-f]+", one)} - today


def source(*rooms: str, kind: str) -> set[str]:
    return read(
        " ".join(
            path.read_text("utf-8") for room in rooms for path in ROOMS.joinpath(room).rglob(kind)
        )
    )


@pytest.mark.usefixtures("_two_languages")
def test_every_page_is_translated_by_one_file(browser, tmp_path_factory):
    names = [HOUSE.name, *Role, *(f"{plan.id} {plan.name}" for plan in HOUSE.tables), "Guest"]
    names.append("server-1")  # the server that runs the tables
    cards = source("rulecards", kind="*.toml") | read(" ".join(names))
    alone = sorted(
        route.path
        for one in PAGES
        for route in one.routes
        if "{" not in route.path and not route.path.endswith((".csv", "/audit"))  # slow
    )
    staff = {role: [one for one in alone if one.startswith(desk)] for role, desk in DESKS.items()}
    guests = [one for one in alone if not one.startswith(tuple(DESKS.values()))]
    left = {}
    with (
        served(tmp_path_factory.mktemp("language")) as running,
        contextlib.ExitStack() as stack,
    ):
        nobody, guest = stack.enter_context(running.client()), stack.enter_context(running.guest())
        (mine,) = play_rounds(guest, 1)
        guests += ["/rules/punto-banco", "/nowhere"]  # the table page has its own test
        visits = [
            (nobody, ["/sign-in", "/"]),
            (guest, [*guests, f"/history/fast/{mine['round']}"]),
            *((stack.enter_context(running.staff(role)), paths) for role, paths in staff.items()),
        ]
        for client, paths in visits:
            with opened(browser, running.address, expected=("status of",), locale="qq") as page:
                use_session(page, client)
                for path in paths:
                    answer = page.goto(path)
                    if answer.status == 403 and client is guest:
                        staff[Role.PIT].append(path)
                    assert page.get_attribute("html", "lang") == "qq", path
                    unread = read(page.evaluate(SEEN)) - cards
                    if unread:
                        left[path] = unread if answer.ok else page.inner_text("main")
        assert left == {}
        with opened(browser, running.address, locale="qq") as page:
            page.goto("/sign-in")
            page.click('[data-language="en"]')
            page.wait_for_selector('html[lang="en"]')
            assert page.inner_text("h1") == "Welcome"


def strange_card(folder: Path) -> Path:
    """Write a rule card with all visible text in the invented language."""
    card, text = load("double-chance"), find("double-chance").read_text("utf-8")
    lines = ["[text.qq]"]

    def add(**texts: str) -> None:
        lines.extend(f'{key} = "{each.translate(STRANGE)}"' for key, each in texts.items() if each)

    def add_list(**texts: Iterable[str]) -> None:
        for key, each in texts.items():
            items = ", ".join(f'"{text.translate(STRANGE)}"' for text in each)
            lines.append(f"{key} = [{items}]")

    add(name=card.name, summary=card.summary, source=card.source)
    for bet in card.bets:
        lines.append(f"[text.qq.bet.{bet.id}]")
        add(name=bet.name, short=bet.short if bet.short != bet.name else "", group=bet.group)
        add_list(known_as=bet.known_as)
    for name, parameter in card.parameters.items():
        table = f"[parameters.{name}]\n"
        text = text.replace(table, f'{table}name = "{parameter.label}"\n')
        lines.append(f"[text.qq{table[:-1].replace('[', '.')}")
        add(name=parameter.label, meaning=parameter.meaning)
    for ambiguity in card.ambiguities:
        lines.append(f"[text.qq.ambiguity.{ambiguity.id}]")
        add(question=ambiguity.question, resolution=ambiguity.resolution)
        for reading in ambiguity.readings:
            lines.append(f"[text.qq.ambiguity.{ambiguity.id}.reading.{reading.id}]")
            add(text=reading.text)
    lines.append("[text.qq.notice]")
    notice = card.notice
    add(regulator=notice.regulator or "", warning=notice.warning or "", copies=notice.copies or "")
    add_list(contacts=notice.contacts)
    path = folder / "strange.toml"
    path.write_text("\n".join([text, *lines]), "utf-8")
    return path


@pytest.mark.usefixtures("_two_languages")
def test_a_translated_rule_card_leaves_no_english_on_poster_and_letter(tmp_path):
    card = load(strange_card(tmp_path))
    poster = poster_of(card.game(), language="qq")
    game = card.game(double_chance="6%", decks=6, readings={"A3": "literal"})
    day, agreed = date(2026, 11, 15), ["double_chance"]
    letter = letter_of(game, player="Nemo", agreed=agreed, on=day, language="qq")
    ids = [reading.id for ambiguity in card.ambiguities for reading in ambiguity.readings]
    known = read(" ".join([*ids, "Nemo", "November"]))
    for sheet in (Pdf(poster_pdf(poster)), Pdf(letter_pdf(letter))):
        assert "Banker".translate(STRANGE) in sheet.text(0)
        assert read(sheet.text(0)) - known == set()
    assert "Banker" in Pdf(poster_pdf(poster_of(card.game()))).text(0)


@pytest.mark.usefixtures("_two_languages")
def test_every_sheet_is_translated_by_one_file():
    card = load("double-chance")
    poster = poster_of(card.game(), verify_url="https://nemo/", language="qq")
    game = card.game(double_chance="6%", decks=6, readings={"A3": "literal"})
    day, agreed = date(2026, 11, 15), ["double_chance"]
    letter = letter_of(game, player="Nemo", agreed=agreed, on=day, language="qq")
    report = report_of([audit(load(name)) for name in ("double-chance", "online")], "qq")
    par_sheet = content_of(par_sheet_of(game), program="", language="qq")
    page = re.sub(r"<style>.*</style>", "", poster_page(poster), flags=re.S)
    texts = [re.sub(r'<[^>]*?(?:(?:title|label)="(.*?)")?>', r" \1 ", page)]
    pdfs = poster_pdf(poster), letter_pdf(letter), report_pdf(report), par_sheet_pdf(par_sheet)
    for data in pdfs:
        sheet = Pdf(data)
        texts.append(" ".join(sheet.text(number) for number in range(len(sheet))))
    known = source("rulecards", kind="*.toml") | {"https", "nemo", "november"}
    for text in texts:
        assert "house".translate(STRANGE) in text
        assert read(text) - known == set()


@pytest.mark.usefixtures("_two_languages")
def test_the_table_page_translates_refusals_tableau_rows_and_payments(browser, tmp_path_factory):
    card = str(strange_card(tmp_path_factory.mktemp("card")))
    plans = (
        TablePlan("open", "Open", settings_for(card, clock=OPEN), guests=True),
        TablePlan("calm", "Calm", settings_for(card, clock=CALM), guests=True),
    )
    house = House("Nemo", "GBP", 10_000, plans)
    names = read("Nemo Open Calm Guest GBP")
    with (
        served(tmp_path_factory.mktemp("table"), house=house) as running,
        visiting(browser, running, expected=("status of 422",), locale="qq") as me,
    ):
        me.sits_down("open")
        me.spot("ur-way-3").click()
        me.page.wait_for_selector('#refusal[data-code="needs-another"]')
        assert "needs".translate(STRANGE) in me.text("#refusal")
        assert me.spot("banker").get_attribute("title").count("when".translate(STRANGE))
        for _ in range(5):
            me.spot("player").click()
            me.accepts()
        me.page.wait_for_selector('#refusal[data-code="insufficient-funds"]')
        assert "£125.00" in me.text("#refusal")
        assert me.stake("player") == "£100"
        assert read(me.page.evaluate(SEEN)) - names == set()
        me.page.click("[data-prices='']")
        assert read(me.page.evaluate(SEEN)) - names == set()
        me.looks_at("/tables/calm")
        why = me.page.wait_for_function(
            "() => document.querySelector('[data-phase=settled]') && because.textContent.trim()"
        )
        assert re.search("Player|Banker".translate(STRANGE), why.json_value())
        assert read(me.page.evaluate(SEEN)) - names == set()


def of_the_card(name: str) -> set[str]:
    """Return the names on a rule card, which are not translated."""
    card = load(name)
    bets = (" ".join((bet.name, bet.short, bet.group, *bet.known_as)) for bet in card.bets)
    agreed = (f"{key} {one.meaning}" for key, one in card.parameters.items())
    return read(" ".join([card.name, *bets, *agreed]).replace("_", " "))


def moments_of_a_shoe(dealer: Dealing, shoe: Dealing) -> Iterator[str]:
    """Yield each situation that real cards can get into, while it lasts."""
    dealer.ready()
    shoe.do("cards", {"card": "8h"})
    yield "a doubt"
    dealer.do("cards/explanation", {"card": "8h", "was": "exposed"})
    yield "an exposed card"
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    for card in ("6h", "9d"):
        dealer.do("cards", {"card": card, "hand": "player"})
    yield "a card with the wrong hand"
    dealer.do("rectification", {})
    for place, card in enumerate(("2c", "Ks", "3c"), start=3):
        dealer.do("cards", {"card": card, "round": 1, "place": place})
    yield "a card too many"
    dealer.do("rectification", {})
    changed = {"drawn": ["6h", "9d", "2c", "Qs"], "reason": "nemo"}
    dealer.do("rectification", changed)
    yield "a proposal"
    dealer.do("rounds/1/rectification", method="DELETE")
    dealer.call("result")
    yield "a result"
    dealer.call("pay")
    shoe.do("cards", {"card": "4s", "round": 1, "place": 4})
    yield "a settled round that the shoe contradicts"
    dealer.do("cards/explanation", {"card": "4s", "was": "exposed"})
    dealer.do("shoe/end", {"rest": "8h 13s"})
    yield "an alarm"


@pytest.mark.usefixtures("_two_languages")
def test_the_dealers_console_is_translated_by_one_file(browser, tmp_path_factory):
    plan = TablePlan("hand", "Hand", hand_settings(), guests=True, shoe="the-shoe")
    names = of_the_card("punto-banco") | read(" ".join(["Nemo Hand Guest The Ctrl Esc", *Role]))
    left = {}
    with (
        served(
            tmp_path_factory.mktemp("console"), house=House("Nemo", "GBP", 100_000, (plan,))
        ) as running,
        contextlib.ExitStack() as stack,
    ):
        visits = []
        for client, paths in (
            (running.staff("dealer"), ["/dealer/hand"]),
            (running.staff("pit"), ["/dealer/hand", "/pit", "/events"]),
            (running.guest(), ["/tables/hand"]),
        ):
            page = stack.enter_context(opened(browser, running.address, locale="qq"))
            use_session(page, stack.enter_context(client))
            visits += [(page, path) for path in paths]
        staff = [Dealing(running, role) for role in ("dealer", "shoe")]
        for one in staff:
            stack.enter_context(one.client)
        for moment in moments_of_a_shoe(*staff):
            for page, path in visits:
                page.goto(path)
                if path == "/dealer/hand":
                    page.wait_for_selector("html[data-ready=yes]")
                unread = read(page.evaluate(SEEN)) - names
                if unread:
                    left[moment, path] = unread
    assert left == {}


@pytest.mark.usefixtures("_two_languages")
@pytest.mark.parametrize(
    ("chosen", "accepted", "given"),
    [
        ("", "", "en"),
        ("", "qq", "qq"),
        ("", "fr, qq-AT;q=0.4, en;q=0.3", "qq"),
        ("", "en-GB, qq;q=0.9", "en"),
        ("", "qq;q=0, fr", "en"),
        ("", "qq;q=nonsense", "en"),
        ("qq", "en", "qq"),
        ("../../secret", "qq", "qq"),
    ],
)
def test_the_language_is_the_one_chosen_or_the_browsers_preference(chosen, accepted, given):
    assert language_for(chosen, accepted) == given
