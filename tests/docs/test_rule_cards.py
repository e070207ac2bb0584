"""The reference of the rule card format: complete, up to date, and its example cards load."""

import re
import runpy
from pathlib import Path

import pytest

from baccarat.core.facts import FACTS
from baccarat.core.hand_facts.measures import PLACES
from baccarat.library import check_soundness
from baccarat.loader import check_text
from baccarat.loader.kinds import EXPLAINED, FLAG, Kind
from baccarat.loader.schema import tables

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reference" / "rule-cards.md").read_text(encoding="utf-8")
CARD, *ADDITIONS = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

generate = runpy.run_path(str(DOCS / "generate.py"))["main"]


def section(title: str) -> str:
    """Return the text below a heading, up to the next one of the same level."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_every_fact_and_every_value_of_it_is_documented():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section("Facts"), re.MULTILINE))
    assert list(rows) == [*FACTS, "count"]
    assert all(f"`{place}`" in rows["count"] for place in PLACES)
    for fact in FACTS.values():
        assert fact.meaning in rows[fact.name]
        for value in (fact.values[0], fact.values[-1]):
            assert str(value).lower() in rows[fact.name]


def test_every_kind_of_value_is_explained():
    """By its own name (a whole number, true or false, one of these words), or in the list."""
    for table in tables():
        for key in table.keys:
            kind = key.holds
            while isinstance(kind, Kind) and kind.item:
                kind = kind.item
            if isinstance(kind, Kind) and kind not in EXPLAINED and kind is not FLAG:
                assert re.search(r'\d|"', kind.what), kind.what
    for kind in EXPLAINED:
        assert f"| {kind.what} | {kind.write} |" in section("Values")


def test_generated_parts_are_up_to_date(capsys):
    status = generate(["--check"])
    assert (status, capsys.readouterr().out) == (0, "")


def test_a_page_that_is_out_of_date_is_reported_and_updated(tmp_path, capsys):
    page = tmp_path / "rule-cards.md"
    page.write_text(PAGE.replace("the hand nearer nine", "the better hand"), encoding="utf-8")
    assert generate(["--check"], pages=tmp_path) == 1
    assert capsys.readouterr().out == "rule-cards.md is out of date: run docs/generate.py\n"
    assert "the better hand" in page.read_text(encoding="utf-8")
    assert generate([], pages=tmp_path) == 0
    assert page.read_text(encoding="utf-8") == PAGE
    assert generate(["--check"], pages=tmp_path) == 0


@pytest.mark.parametrize("addition", ["", *ADDITIONS, "\n".join(ADDITIONS)])
def test_the_cards_shown_load(addition):
    checked = check_text(f"{CARD}\n{addition}", name="x")
    check_soundness(checked)
    assert checked.report.findings == []


def test_the_error_shown_is_what_check_reports():
    [shown] = re.findall(r"^```text\n(.*)\n```$", PAGE, re.MULTILINE)
    [finding] = check_text(CARD.replace("19:20", "19-20"), name="x").report.findings
    assert str(finding) == shown


def test_the_rounding_described_is_found():
    """Ten coins at 19:20, rounded up."""
    text = CARD.replace('minimum = "5.00"', 'minimum = "0.10"\nrounding = "up"')
    checked = check_text(text, name="x")
    check_soundness(checked)
    assert any("gives the bettor 1.235" in f.problem for f in checked.report.findings)
    assert "1.235%" in section("Money")
