"""A language is added by one file: every page in a made-up one, and what is left of English there.

Each letter of the catalogue becomes a letter that no English word has. Whatever can still be read
has come from somewhere else: a rule card, the house, or a sentence that the rooms below have made.
"""

import contextlib
import json
import re
import tomllib
from pathlib import Path

import pytest

import baccarat
from baccarat.core.errors import BaccaratError
from baccarat.core.phrases import ENGLISH as ENGLISH_PHRASES
from baccarat.core.tableau import Row
from baccarat.house.housefile import House, TablePlan
from baccarat.house.roles import Role
from baccarat.loader import load
from baccarat.table.settings import Clock
from baccarat.web.app import PAGES
from baccarat.web.pages import catalogue as words
from baccarat.web.pages.pages import DESKS
from browser import comes_in, opened
from live import settings_for
from served import HOUSE, OPEN, served
from test_browser_pages import play
from visits import visiting

CALM = Clock(betting=400, card=20, pause=3_000)

ROOMS = Path(baccarat.__file__).parent
ENGLISH = tomllib.loads(words.STRINGS.joinpath("en.toml").read_text("utf-8"))
STRANGE = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "αвċđéƒĝĥíĵķĺмńőρɋŕśţúνŵхýźΑВĊĐÉƑĜĤÍĴĶĹМŃŐΡɊŔŚŢÚѴŴХÝŹ",
)
BELOW = ("core", "poster", "analysis", "table", "house", "service", "web")
"""The rooms that make sentences, which some pages show as they are."""
WITH_SENTENCES = (
    *("/rules/", "/history/fast/"),
    *("/pit", "/events", "/auditor"),
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
"""All that people see or hear; times are the browser's, and codes are nobody's words."""


def strange(value):
    """The catalogue in letters that English does not have."""
    if isinstance(value, dict):
        return {key: strange(one) for key, one in value.items()}
    parts = re.split(r"(\{\w+\}|\{\w+\||\|[^|{}]*\|[^|{}]*\})", value)
    return "".join(part if part.startswith("{") else part.translate(STRANGE) for part in parts)


def in_own_words(content: dict) -> dict:
    """With words for what the rooms below say: some refusals, every row, every phrase."""
    said = {
        "needs-another": "{name} needs {others}",
        "insufficient-funds": "{total} staked and {left} left",
    }
    content["script"]["common"]["refusal"] |= strange(said)
    rows = {str(row): f"{row}: {{player}} {{banker}} {{given}}" for row in Row}
    content["script"]["cards"]["row"] = strange(rows)
    return {**content, "phrase": strange(dict(ENGLISH_PHRASES))}


def written(content: dict, at: tuple[str, ...] = ()) -> str:
    """TOML of a catalogue."""
    lines = [f"{json.dumps(k)} = {json.dumps(v)}" for k, v in content.items() if isinstance(v, str)]
    head = [f"[{'.'.join(json.dumps(part) for part in at)}]"] if at and lines else []
    deeper = [written(v, (*at, k)) for k, v in content.items() if isinstance(v, dict)]
    return "\n".join([*head, *lines, *deeper])


def forget() -> None:
    words.catalogue.cache_clear()
    words.languages.cache_clear()


@pytest.fixture
def languages(tmp_path, monkeypatch):
    """A folder of catalogues, with English in it."""
    (tmp_path / "en.toml").write_text(written(ENGLISH), "utf-8")
    monkeypatch.setattr(words, "STRINGS", tmp_path)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def read(text: str) -> set[str]:
    """Words of letters that English has; what is hexadecimal is none."""
    found = {one.lower() for one in re.findall(r"[A-Za-z]{3,}", text)}
    return {one for one in found if not re.fullmatch("[a-f]+", one)}


def source(*rooms: str, kind: str) -> set[str]:
    return read(
        " ".join(
            path.read_text("utf-8") for room in rooms for path in ROOMS.joinpath(room).glob(kind)
        )
    )


def test_every_page_is_in_the_language_of_one_more_file(languages, browser, tmp_path_factory):
    (languages / "qq.toml").write_text(written(strange(ENGLISH)), "utf-8")
    forget()
    names = [HOUSE.name, *Role, *(f"{plan.id} {plan.name}" for plan in HOUSE.tables), "Guest"]
    cards = source("rulecards", kind="*.toml") | read(" ".join(names))
    sentences = cards | source(*BELOW, kind="*.py")
    alone = sorted(
        route.path
        for one in PAGES
        for route in one.routes
        if "{" not in route.path and not route.path.endswith((".csv", "/audit"))  # it takes long
    )
    staff = {role: [one for one in alone if one.startswith(desk)] for role, desk in DESKS.items()}
    guests = [one for one in alone if not one.startswith(tuple(DESKS.values()))]
    left = {}
    with (
        served(tmp_path_factory.mktemp("language")) as running,
        contextlib.ExitStack() as stack,
    ):
        nobody, guest = stack.enter_context(running.client()), stack.enter_context(running.guest())
        (mine,) = play(guest, 1)
        guests += ["/rules/punto-banco", "/nowhere"]  # the table has a test of its own
        visits = [
            (nobody, ["/sign-in", "/"]),
            (guest, [*guests, f"/history/fast/{mine['round']}"]),
            *((stack.enter_context(running.staff(role)), paths) for role, paths in staff.items()),
        ]
        for client, paths in visits:
            with opened(browser, running.address, expected=("status of",), locale="qq") as page:
                comes_in(page, client)
                for path in paths:
                    answer = page.goto(path)
                    if answer.status == 403 and client is guest:
                        staff[Role.PIT].append(path)
                    assert page.get_attribute("html", "lang") == "qq", path
                    plain = answer.ok and not path.startswith(WITH_SENTENCES)
                    unread = read(page.evaluate(SEEN)) - (cards if plain else sentences)
                    if unread:
                        left[path] = unread
        assert left == {}
        with opened(browser, running.address, locale="qq") as page:
            page.goto("/sign-in")
            page.click('[data-language="en"]')
            page.wait_for_selector('html[lang="en"]')
            assert page.inner_text("h1") == "Come in"


def of_the_card(name: str) -> set[str]:
    """Names that a rule card gives: they are the house's own, in any language."""
    card = load(name)
    bets = (f"{bet.name} {bet.short} {bet.group}" for bet in card.bets)
    agreed = (f"{key} {one.meaning}" for key, one in card.parameters.items())
    return read(" ".join([card.name, *bets, *agreed]).replace("_", " "))


def test_the_table_says_refusals_rows_and_payments_in_the_words_of_the_language(
    languages, browser, tmp_path_factory
):
    (languages / "qq.toml").write_text(written(in_own_words(strange(ENGLISH))), "utf-8")
    forget()
    plans = (
        TablePlan("open", "Open", settings_for("double-chance", clock=OPEN), guests=True),
        TablePlan("calm", "Calm", settings_for("double-chance", clock=CALM), guests=True),
    )
    house = House("Nemo", "GBP", 10_000, plans)
    names = of_the_card("double-chance") | read("Nemo Open Calm Guest GBP")
    with (
        served(tmp_path_factory.mktemp("table"), house=house) as running,
        visiting(browser, running, expected=("status of 422",), locale="qq") as me,
    ):
        me.sits_down("open")
        me.spot("ur-way-3").click()
        me.page.wait_for_selector('#refusal[data-code="needs-another"]')
        assert strange("needs") in me.text("#refusal")
        assert me.spot("banker").get_attribute("title").count(strange("when"))
        for _ in range(5):
            me.spot("player").click()
        me.page.wait_for_selector('#refusal[data-code="insufficient-funds"]')
        assert "£125.00" in me.text("#refusal")
        assert me.stake("player") == "£100"
        names |= read(" ".join(me.page.locator(".contact").all_inner_texts()))  # who helps
        assert read(me.page.evaluate(SEEN)) - names == set()
        me.page.click("[data-prices='']")
        assert read(me.page.evaluate(SEEN)) - names == set()
        me.looks_at("/tables/calm")
        why = me.page.wait_for_function(
            "() => document.querySelector('[data-phase=settled]') && because.textContent.trim()"
        )
        assert any(strange(str(row)) in why.json_value() for row in Row)
        assert read(me.page.evaluate(SEEN)) - names == set()


def test_a_language_that_lacks_words_or_values_says_which(languages):
    content = strange(ENGLISH)
    del content["frame"]["skip"]
    content["frame"]["skipp"] = "x"
    content["frame"]["age"] = "x"
    content["script"]["common"]["refusal"]["betting-closed"] = (
        "x"  # a language may have more of these
    )
    (languages / "qq.toml").write_text(written(content), "utf-8")
    forget()
    with pytest.raises(BaccaratError) as found:
        words.catalogue("qq")
    said = str(found.value)
    assert "frame.skip is missing" in said
    assert "frame.skipp is said by nobody" in said
    assert "frame.age has other values" in said
    assert "refusal" not in said
    content = in_own_words(strange(ENGLISH))
    content["phrase"]["pays"] = "x"
    content["script"]["cards"]["row"]["natural"] = "x"
    (languages / "qq.toml").write_text(written(content), "utf-8")
    forget()
    with pytest.raises(BaccaratError) as found:
        words.catalogue("qq")
    assert "phrase.pays has other values" in str(found.value)
    assert "script.cards.row.natural is said by nobody (did you mean" in str(found.value)


@pytest.mark.parametrize(
    ("chosen", "accepted", "given"),
    [
        (None, "", "en"),
        (None, "qq", "qq"),
        (None, "fr, qq-AT;q=0.4, en;q=0.3", "qq"),
        (None, "en-GB, qq;q=0.9", "en"),
        (None, "qq;q=0, fr", "en"),
        (None, "qq;q=nonsense", "en"),
        ("qq", "en", "qq"),
        ("../../secret", "qq", "qq"),
    ],
)
def test_the_language_is_the_one_chosen_or_the_first_asked_for(languages, chosen, accepted, given):
    (languages / "qq.toml").write_text(written(strange(ENGLISH)), "utf-8")
    forget()
    assert words.language_for(chosen, accepted) == given
