"""Files that are not rule cards: each is refused with one clear sentence."""

import os
from pathlib import Path
from typing import Any

import pytest

from baccarat.core.errors import BaccaratError
from baccarat.library import check_soundness
from baccarat.loader import (
    Finding,
    RuleCardError,
    check_text,
    load,
    read_card,
)
from baccarat.loader.files import LARGEST_FILE, find
from baccarat.loader.findings import dotted, shown
from support.faulty_cards import SOUND, changed, findings_of


def complaint(card: Any) -> str:
    """Return the error message of `load` for an unreadable file."""
    with pytest.raises(BaccaratError) as caught:
        load(card)
    assert not isinstance(caught.value, RuleCardError)
    return str(caught.value)


SYNTAX = [
    ("format = 1\nid = \n", 2, " at column 6"),
    ("format = 1\n\nid == 5\n", 3, " at column 5"),
    ("format = 1\nformat = 2\n", 2, " at column 11"),
    ('a = 1\nb = "x\n', 2, " at column 7"),
    ("a = 1\n\nb = 'x\0'", 3, " at column 7"),
    ("a = 2024-02-30", 1, " at column 5"),
    ("a = 1\nb = [1, 2\n\n\n", 2, " (at end of document)"),
    ("a = 1\nb = ", 2, " (at end of document)"),
    ('a = 1\nb = """x\ny', 3, " (at end of document)"),
]


@pytest.mark.parametrize(("text", "line", "place"), SYNTAX)
def test_a_syntax_error_is_reported_with_its_line(text, line, place):
    checked = check_text(text, name="x")
    [finding] = checked.report.findings
    assert (finding.line, finding.key, finding.remedy) == (line, "syntax", "see https://toml.io")
    assert finding.problem.startswith("this is not TOML: ")
    assert finding.problem.endswith(place)
    assert checked.draft is None
    check_soundness(checked)


def test_a_long_syntax_error_is_cut():
    [finding] = findings_of(f"[{'x' * 5000}]\n" * 2)
    assert len(finding.problem) < 200


def test_a_number_of_thousands_of_digits_is_reported_with_its_line():
    [finding] = findings_of(f"format = 1\nid = 1{'0' * 5000}")
    assert finding == Finding(2, "syntax", "the number is too long to read", "shorten it")


@pytest.mark.parametrize(
    "text",
    [
        "format = " + "[" * 5000 + "]" * 5000,
        "format = " + "[" * 100 + "]" * 100,
        "format = 1\nbet" + "[" * 100_000,
        "".join(f"[{'.'.join(['a'] * n)}]\n" for n in range(1, 90)),
    ],
    ids=["lists", "deeper than lines are found", "unclosed", "tables"],
)
def test_deep_nesting_is_refused(text):
    [finding] = findings_of(text)
    assert finding.line in (1, 2)
    assert "nested too deeply" in finding.problem or "not TOML" in finding.problem


def test_very_long_dotted_keys_are_refused_at_once():
    """`tomllib` would take hours to parse this line."""
    [finding] = findings_of("format = 1\na" + ".a" * 120_000 + " = 1")
    assert finding == Finding(2, "syntax", "the line has too many dots", "shorten it")


def test_an_empty_file_lacks_every_required_key(tmp_path):
    path = tmp_path / "empty.toml"
    path.write_bytes(b"")
    problems = [f.problem for f in read_card(path).report.findings]
    assert problems == [
        f"{name!r} is missing"
        for name in ("bet", "format", "id", "limits", "name", "parameters", "source", "summary",
                     "tableau", "version")
    ]  # fmt: skip


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "card.toml"
    path.write_text(SOUND, encoding="utf-8-sig")
    assert load(path).id == "example"
    path.write_text(changed("version = 1", "version = 0"), encoding="utf-8-sig", newline="\r\n")
    assert [f.line for f in read_card(path).report.findings] == [4]


def test_a_file_that_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "card.toml"
    path.write_bytes("a = 1\nname = 'Égalité'\n".encode("latin-1"))
    assert "is not UTF-8 text: byte 0xc9 on line 2; save the rule card as UTF-8" in complaint(path)
    path.write_text(SOUND, encoding="utf-16")
    assert "is not UTF-8 text: byte 0xff on line 1" in complaint(path)


def test_a_directory_is_refused(tmp_path):
    assert complaint(tmp_path).endswith(
        "is a directory: give the path of the rule card's .toml file"
    )
    assert "is a directory" in complaint("")


def test_a_missing_file_is_reported(tmp_path):
    assert complaint(tmp_path / "x.toml").endswith("cannot be read: No such file or directory")
    assert complaint("no-such-file.toml").endswith("cannot be read: No such file or directory")


def test_an_unknown_card_is_reported_with_a_suggestion():
    assert complaint("punto-bnco") == (
        "unknown rule card 'punto-bnco' (did you mean 'punto-banco'?): choose commission, "
        "double-chance, fortune-six, no-commission, online, punto-banco, punto-banco-2000 or a "
        "card of the catalogue, such as banker-six, or give the path of a .toml file"
    )


def test_a_file_without_the_usual_ending_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text(SOUND)
    assert load("mine").id == "example"
    assert find("online") != Path("online")  # ids of built-in cards take precedence


@pytest.mark.parametrize(
    "name", ["x" * 5000, "x" * 5000 + ".toml", "a\0b", "a\0b.toml", "/" * 5000 + "\0", "\udcff/x"]
)
def test_impossible_file_names_are_refused(name):
    said = complaint(name)
    assert "cannot be read" in said or "unknown rule card" in said
    assert len(said) < 400
    assert said.isprintable()


@pytest.mark.skipif(os.name != "posix", reason="needs /dev")
def test_an_endless_file_is_refused():
    assert "is too large for a rule card" in complaint(Path("/dev/zero"))


def test_a_huge_file_is_refused(tmp_path):
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(100 * 2**20)  # sparse: takes no disk space
    assert f"is too large for a rule card: at most {LARGEST_FILE:,} bytes" in complaint(path)
    path.write_bytes(b"#" * LARGEST_FILE)
    assert read_card(path).report.findings


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_reported(tmp_path):
    path = tmp_path / "card.toml"
    path.write_text(SOUND)
    path.chmod(0)
    assert complaint(path).endswith("cannot be read: Permission denied")


def test_keys_are_shown_without_control_characters():
    assert dotted(("bet", 2, "lines", 0, "pays")) == "bet[2].lines[0].pays"
    assert dotted(()) == "the card"
    assert dotted(("a b", "\x1b[2J", "x" * 90)) == rf"'a b'.'\x1b[2J'.'{'x' * 60}…'"
    assert shown([[1]]) == "a list"
    assert shown("it's") == '"it\'s"'
    assert shown(float("nan")) == "nan"


# The cards that come with the package
