"""Examples in the documentation run and print what is shown."""

import json
import re
import runpy
import subprocess
import tomllib
from enum import StrEnum

import pytest

from baccarat.cli import EXTRAS
from baccarat.table.codec import canonical_text
from baccarat.table.events import decode
from support.documented import (
    ROOT,
    console_steps,
    doctest_report,
    examples,
    run,
    same_output,
    serving,
)
from support.stores import new_database

ADD_A_GAME = ROOT / "docs" / "tutorials" / "add-a-game.md"
OPERATING = ROOT / "docs" / "guides" / "operating.md"
FLOOR = ROOT / "docs" / "guides" / "dealing.md"
"""Tested in a browser: tests/browser/test_dealer.py."""
MAKE_TARGETS = {"play", "serve", "test", "lint", "bench", "docs"}


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Run in a folder with the rule cards that the pages mention, where commands can write."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    mine = "\n".join(example.text for example in examples("toml") if example.page == ADD_A_GAME)
    (tmp_path / "my-game.toml").write_text(mine, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("example", examples("console"), ids=str)
def test_console_examples_print_what_is_shown(example):
    for command, expected in console_steps(example.text):
        status, printed, complaint = run(command)
        assert (status, complaint) == (0, "")
        assert same_output(expected, printed), f"{example} does not show:\n{printed}"


SHELL = [example for example in examples("sh") if example.page not in (OPERATING, FLOOR)]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("example", SHELL, ids=str)
def test_shell_examples_run(example):
    for line in example.text.splitlines():
        command = line.partition(" #")[0].strip()
        if command.startswith("make "):
            assert command.split()[1] in MAKE_TARGETS
            subprocess.run(
                ["make", "--dry-run", *command.split()[1:]],
                cwd=ROOT,
                check=True,
                capture_output=True,
            )
        elif command:
            assert run(command)[0] == 0, command


@pytest.mark.usefixtures("elsewhere")
def test_the_guide_to_operating_a_house_works(server):
    """Run its commands in order in one folder; servers start, announce themselves and stop."""
    for example in examples("sh"):
        if example.page == OPERATING:
            for line in example.text.splitlines():
                command = line.replace("postgresql://house@db/house", new_database(server))
                if " serve" in f" {command}":
                    with serving(command):
                        pass
                else:
                    assert run(command)[0] == 0, command


PAGES_WITH_PYTHON = sorted({example.page for example in examples("python")})


@pytest.mark.parametrize("page", PAGES_WITH_PYTHON, ids=lambda page: page.stem)
def test_python_examples_run(page):
    assert doctest_report(page) == ""


NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@pytest.mark.parametrize("page", ["docs/reference/rule-cards.md", "CHANGELOG.md"])
def test_the_number_of_example_cards_is_right(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    cards = len(list((ROOT / "examples" / "rule-cards").glob("*.toml")))
    assert re.findall(r"(\w+) more(?:, with side bets| as examples)", text) == [NUMBERS[cards]]


def test_the_readme_explains_how_to_install_extras():
    """A message names 'baccarat[EXTRA]'; from a clone that is '.[EXTRA]'."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install '.[lab,poster]'" in readme
    assert "`pip install 'baccarat[poster]'`" in readme
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    assert set(EXTRAS.values()) <= set(extras)
    assert {"lab", "poster", "all"} <= set(extras)


def test_bars_and_markup_in_a_table_cell_are_escaped():
    made = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    assert made["_table"](("a", "b"), [["x | y", "x \\| y\nz"]]).splitlines()[2] == (
        "| x \\| y | x \\| y z |"
    )
    assert made["_plain"]("*x* <b> [y]") == r"\*x\* \<b> \[y\]"


class Documented(StrEnum):
    ONE = "one"
    """On one line."""
    TWO = "two"
    """On two lines,
    as one sentence."""
    THREE = "three"


def test_docstrings_of_any_length_are_read():
    made = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    assert [made["_meaning"](code) for code in Documented] == [
        "On one line.",
        "On two lines, as one sentence.",
        "",
    ]


def test_the_example_frame_holds_real_events():
    (text,) = (example.text for example in examples("json") if '"through"' in example.text)
    for event in json.loads(text)["events"]:
        del event["sequence"]
        decode(canonical_text(event).encode())


def test_ci_runs_the_test_command_of_the_readme():
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().splitlines()[-1]
    assert last == "exec make test"


def test_pictures_are_small_enough_to_load_at_once():
    for picture in (ROOT / "docs" / "pictures").glob("*.png"):
        assert picture.stat().st_size < 150_000, picture
