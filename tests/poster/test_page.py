"""Posters as web pages: the same content, well-formed, safe and self-contained."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment

from baccarat.loader import built_in_cards, load
from baccarat.poster import page as pages
from baccarat.poster.content import poster_of
from baccarat.poster.page import STYLE, poster_page
from baccarat.wording.rules import rules_in_words
from golden.make_pages import PAGES, golden_page
from support.poster_cards import CARDS, MARKUP, altered, game_of, names

VOID = {"meta", "path"}
LOADING = {"script", "link", "img", "iframe", "object", "embed", "base", "form"}


class Page(HTMLParser):
    """A parsed page: its text, its elements, and whether they are properly closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_startendtag(self, name, attributes):
        self.elements.append((name, dict(attributes)))

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    def found(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for found, attributes in self.elements if found == name]

    @property
    def text(self) -> str:
        return " ".join(self.words).replace("’", "'")


@cache
def page(card: str) -> str:
    return poster_page(poster_of(game_of(card), verify_url="https://house.example/verify"))


@pytest.mark.requirement("R50")
@pytest.mark.parametrize("card", CARDS, ids=names)
def test_r50_the_page_has_the_content_of_the_poster(card):
    text, content = Page(page(card)).text, poster_of(game_of(card))
    for bet in content.bets:
        assert bet.name in text
        assert bet.edge in text
        assert all(line.when in text and line.pays in text for line in bet.lines)
    for section in rules_in_words(game_of(card), limits=False):
        if section.key in ("cards", "deal", "wagering", "procedures", "parameters"):
            assert all(line in text for line in section.lines)
    assert game_of(card).card.digest in text


@pytest.mark.parametrize("card", CARDS, ids=names)
def test_the_page_is_self_contained_and_accessible(card):
    read = Page(page(card))
    assert not LOADING & {name for name, _ in read.elements}
    assert not any("src" in attributes for _, attributes in read.elements)
    assert "url(" not in page(card)
    assert "@import" not in page(card)
    assert read.found("html") == [{"lang": "en"}]
    assert (len(read.found("h1")), len(read.found("main")), len(read.found("title"))) == (1, 1, 1)
    assert all("scope" in header for header in read.found("th"))
    assert len(read.found("caption")) == len(read.found("table")) == 4
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(section["aria-labelledby"] in ids for section in read.found("section"))
    assert "prefers-color-scheme: dark" in page(card)


def test_on_a_phone_nothing_is_wider_than_the_screen():
    """There are no minimum widths; hidden columns are shown elsewhere."""
    style = STYLE.read_text(encoding="utf-8")
    assert re.findall(r"min-width:\s*(?!0)\S+", style) == []
    narrow = style.partition("@media (max-width: 40rem)")[2]
    assert ":is(.stakes, .wins)" in narrow
    assert ".narrow { display: block" in narrow
    read = Page(page("double-chance"))
    shown = [small for small in read.found("small") if small["class"] == "narrow"]
    assert len(shown) == len(game_of("double-chance").bets)


def test_addresses_are_links():
    links = [link["href"] for link in Page(page("double-chance")).found("a")]
    assert links == ["https://www.begambleaware.org", "https://house.example/verify"]


def test_markup_in_a_card_is_escaped():
    for old in ('name = "Online Baccarat"', 'name = "Banker"', 'currency = "EUR"'):
        key = old.partition(" = ")[0]
        made = poster_page(altered(old, f'{key} = "{MARKUP}"'))
        read = Page(made)
        assert MARKUP.replace("\\\\", "\\") in read.text
        assert read.found("b") == []


def test_urls_are_escaped_and_apostrophes_in_text_are_typographic():
    url = "https://house.example/?a='&b=%22\""
    made = poster_page(poster_of(game_of("online"), verify_url=url))
    assert Page(made).found("a")[-1] == {"href": url}
    assert 'href="https://house.example/?a=&#39;&amp;b=%22&#34;"' in made
    assert "Player’s" in made
    assert "Player's" not in made


@pytest.mark.parametrize("name", PAGES)
def test_pages_equal_the_golden_files(name):
    """After an intended change, run tests/golden/make_pages.py and read the diff."""
    kept = Path(__file__).parents[1] / "golden" / f"{name}.html"
    assert golden_page(name) == kept.read_text(encoding="utf-8")


def test_the_golden_pages_cover_both_currencies():
    assert set(PAGES) < set(built_in_cards())
    assert {load(name).currency for name in PAGES} == {"GBP", "EUR"}


def test_a_compiled_template_is_stored_and_used_again(tmp_path, monkeypatch):
    stored = pages._CompiledTemplates(str(tmp_path / "__pycache__"))
    compiled = pages._ENVIRONMENT.overlay(bytecode_cache=stored).get_template("poster.html")
    assert len([*tmp_path.glob("__pycache__/*")]) == 1
    monkeypatch.setattr(Environment, "_generate", None)
    again = pages._ENVIRONMENT.overlay(bytecode_cache=stored).get_template("poster.html")
    assert again is not compiled


def test_a_compiled_template_need_not_be_stored(tmp_path):
    nowhere = pages._CompiledTemplates(str(tmp_path / "missing" / "__pycache__"))
    assert pages._ENVIRONMENT.overlay(bytecode_cache=nowhere).get_template("poster.html")
    assert [*tmp_path.iterdir()] == []
