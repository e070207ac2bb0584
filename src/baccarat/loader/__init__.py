"""From a TOML file to a RuleCard; the only reader of rule files.

`load` gives a card or raises `RuleCardError`, which carries every fault at once; `check` gives
the faults as findings, with what could be read all the same.
"""

import re
import tomllib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import RuleCard
from baccarat.loader.build import Draft, build
from baccarat.loader.checks import CHECKS
from baccarat.loader.files import BUILT_IN, LARGEST_FILE, built_in_cards, find, read_text
from baccarat.loader.findings import Finding, Report, dotted
from baccarat.loader.lines import locate
from baccarat.loader.schema import CARD, read_table

__all__ = [
    "BUILT_IN",
    "LARGEST_FILE",
    "Checked",
    "Finding",
    "RuleCardError",
    "built_in_cards",
    "check",
    "check_text",
    "content_of",
    "dotted",
    "faults_in_words",
    "find",
    "load",
    "load_content",
    "parse_toml",
]

DEEPEST = 40
"""Tables and lists within each other; the lines of deeper ones would cost too much to find."""
MOST_DOTS = 100
"""On one line. Dotted keys nest too, and `tomllib` takes quadratic time over them."""
LISTED = 20
"""Findings that the message of an error lists."""


class RuleCardError(BaccaratError):
    """A rule card that cannot be used, with every fault that was found in it."""

    def __init__(self, name: str, findings: list[Finding]) -> None:
        self.findings = findings
        super().__init__(faults_in_words(name, findings))


def faults_in_words(name: str, findings: list[Finding]) -> str:
    """What is wrong with a file, each fault on a line of its own."""
    count = "a fault" if len(findings) == 1 else f"{len(findings)} faults"
    listed = "\n".join(f"  {finding}" for finding in findings[:LISTED])
    more = f"\n  … and {len(findings) - LISTED} more" if len(findings) > LISTED else ""
    return f"{name} has {count}:\n{listed}{more}"


@dataclass(frozen=True)
class Checked:
    """What a check found: the faults, and what could be read."""

    name: str
    report: Report
    draft: Draft | None
    """None when the file is not even TOML."""

    @property
    def rule_card(self) -> RuleCard:
        """The card, or RuleCardError with every fault."""
        card = self.draft.card() if self.draft else None
        if self.report.findings or card is None:
            raise RuleCardError(self.name, self.report.findings)
        return card


def load(card: str | Path) -> RuleCard:
    """A built-in card by its id, or any card by the path of its file."""
    return check(card).rule_card


def content_of(card: str | Path) -> dict[str, Any]:
    """What a sound card's file says, as plain values: what a journal keeps of it."""
    path = find(card)
    text = read_text(path)
    check_text(text, name=str(card), folder=path.parent).rule_card  # noqa: B018  (or it raises)
    return tomllib.loads(text.removeprefix("\ufeff"))


def load_content(content: dict[str, Any], *, name: str) -> RuleCard:
    """A card from its content; there are no lines, and sisters are known by their names only."""
    return _check_content(content, name=name, folder=None, report=Report({(): 1})).rule_card


def check(card: str | Path) -> Checked:
    """Read a card and report everything that is wrong with it."""
    path = find(card)
    return check_text(read_text(path), name=str(card), folder=path.parent)


def check_text(text: str, *, name: str, folder: Path | None = None) -> Checked:
    """The same for a card that is already in memory; sisters are looked for in the folder."""
    digest = _digest(text)
    text = text.removeprefix("\ufeff")  # some editors begin UTF-8 files with a mark
    parsed = parse_toml(text)
    if isinstance(parsed, Finding):
        return Checked(name, Report({}, [parsed]), draft=None)
    checked = _check_content(parsed, name=name, folder=folder, report=Report(locate(text)))
    if checked.draft is not None:
        checked.draft.digest = digest
    return checked


def _check_content(
    content: dict[str, Any], *, name: str, folder: Path | None, report: Report
) -> Checked:
    draft = build(read_table(content, CARD, (), report), folder)
    for find_faults in CHECKS:
        find_faults(draft, report)
    draft.faulty = frozenset(report.faulty)
    report.findings.sort()
    return Checked(name, report, draft)


def _digest(text: str) -> str:
    """The file's SHA-256: what `sha256sum` says, so that anybody can compare two editions."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def parse_toml(text: str) -> dict[str, Any] | Finding:
    """The raw document, or why there is none."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MOST_DOTS:
            return Finding(number, "syntax", "the line has too many dots", "shorten it")
    try:
        raw = tomllib.loads(text)
    except RecursionError:
        return _TOO_DEEP
    except tomllib.TOMLDecodeError as error:
        return _syntax_finding(str(error), text)
    except ValueError:  # Python refuses to read numbers of thousands of digits
        found = re.search(r"[\d_]{1000}", text)
        line_number = text.count("\n", 0, found.start()) + 1 if found else 1
        return Finding(line_number, "syntax", "the number is too long to read", "shorten it")
    return _TOO_DEEP if _depth_exceeds(DEEPEST, raw) else raw


_TOO_DEEP = Finding(
    1, "the file", "its tables and lists are nested too deeply", "flatten conditions and tables"
)


def _depth_exceeds(limit: int, raw: dict[str, Any]) -> bool:
    level: list[Any] = [raw]
    for _ in range(limit):
        level = [
            below
            for value in level
            for below in (value.values() if isinstance(value, dict) else value)
            if isinstance(below, dict | list)
        ]
    return bool(level)


def _syntax_finding(message: str, text: str) -> Finding:
    match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    line = int(match[2]) if match else text.rstrip().count("\n") + 1
    problem = f"{match[1][:100]} at column {match[3]}" if match else message[:100]
    return Finding(line, "syntax", f"this is not TOML: {problem}", "see https://toml.io")
