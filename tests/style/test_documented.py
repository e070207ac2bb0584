"""Every command, option, setting, event and endpoint is in the reference."""

import re
from importlib import import_module

import pytest

from baccarat.cli import COMMANDS, module_of, parser_of
from baccarat.house.events import HOUSE_EVENTS
from baccarat.house.house_format import HOUSE
from baccarat.loader.schema import CARD, Table, tables
from baccarat.table.events import EVENTS
from baccarat.web.server.app import documented
from support.samples import SAMPLES
from support.sources import ROOT

METHODS = {"get", "put", "post", "delete"}


def reference(name: str) -> str:
    return (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")


def sections(page: str, level: str) -> dict[str, str]:
    """Return the text below each heading of a level, by the code in the heading."""
    parts = re.split(rf"^{level} (.*)$", page, flags=re.MULTILINE)[1:]
    texts = (part.partition(f"\n{level[1:]} ")[0] for part in parts[1::2])
    return {title.strip("`"): text for title, text in zip(parts[::2], texts, strict=True)}


def rows(text: str) -> list[str]:
    """Return the names in the first column of a table."""
    return re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)


def test_every_command_is_documented():
    page = reference("commands")
    assert set(re.findall(r"^## `baccarat ([\w-]+)", page, re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_documented(command):
    shown = rows(sections(reference("options"), "##")[f"baccarat {command}"])
    names = {word for name in shown for word in re.split(r"[, ]+", name)}
    for action in parser_of(command, import_module(module_of(command)))._actions[1:]:
        known = action.option_strings or [action.metavar or action.dest]
        assert set(known) <= names, known


@pytest.mark.parametrize(
    ("root", "page"),
    [(CARD, "rule-cards"), (HOUSE, "house")],
)
def test_every_key_is_documented(root: Table, page: str):
    shown = sections(reference(page), "###")
    for table in tables(root):
        titles = (f"[{table.title}]", f"[[{table.title}]]")
        title = next((title for title in titles if title in shown), "Top level")
        assert rows(shown[title]) == [key.name for key in table.keys], title


def test_every_event_is_documented():
    shown = sections(reference("events").partition("## Objects in event fields")[0], "##")
    assert list(shown) == list(EVENTS)
    for name, kind in EVENTS.items():
        fields = list(kind.__annotations__)
        assert [field for field in fields if field not in (*rows(shown[name]), "at")] == [], name


def test_every_event_of_the_house_is_documented():
    assert rows(reference("house-events")) == list(HOUSE_EVENTS)


def test_every_endpoint_is_documented():
    endpoints = {
        f"{method.upper()} {path}"
        for path, methods in documented()["paths"].items()
        for method in methods
        if method in METHODS
    }
    assert len(endpoints) > 100
    assert endpoints - set(rows(reference("api"))) == set()


def test_make_prove_runs_every_sampled_test_in_full():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.partition("\nprove:")[2].partition("\n\n")[0]
    amounts = {name: int(amount) for name, amount in re.findall(r"\b([A-Z]+)=(\d+) ", recipe)}
    assert amounts.keys() == SAMPLES.keys()
    assert all(amounts[name] > SAMPLES[name] for name in SAMPLES)
