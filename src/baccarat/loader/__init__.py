"""Reading rule cards from TOML files; no other package parses these files.

`load` returns a rule card, or raises `RuleCardError` with all its faults at once. `read_card`
returns the faults as findings, together with the parts that could be read.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import RuleCard
from baccarat.loader.build import Draft, build
from baccarat.loader.checks import CHECKS
from baccarat.loader.files import built_in_cards as built_in_cards
from baccarat.loader.files import catalogue_cards as catalogue_cards
from baccarat.loader.files import find, read_text
from baccarat.loader.findings import Finding as Finding
from baccarat.loader.findings import Report
from baccarat.loader.lines import locate
from baccarat.loader.schema import CARD

DEEPEST = 40
"""Maximum nesting depth of tables and lists; finding line numbers in deeper ones would be too
slow."""
MAX_DOTS = 100
"""Maximum number of dots on one line. Dotted keys nest too, and `tomllib` parses them in quadratic
time."""
LISTED = 20
"""Maximum number of findings listed in an error message."""


class RuleCardError(BaccaratError):
    """Raised for a rule card that cannot be used; it holds every fault found."""

    def __init__(self, name: str, findings: list[Finding]) -> None:
        self.findings = findings
        super().__init__(faults_in_words(name, findings))


def faults_in_words(name: str, findings: Sequence[object]) -> str:
    """Return a message that lists the faults of a file, one per line."""
    count = "1 fault" if len(findings) == 1 else f"{len(findings)} faults"
    listed = "\n".join(f"  {finding}" for finding in findings[:LISTED])
    more = f"\n  … and {len(findings) - LISTED} more" if len(findings) > LISTED else ""
    return f"{name} has {count}:\n{listed}{more}"


@dataclass(frozen=True)
class Checked:
    """The result of checking a rule card: its faults, and the parts that could be read."""

    name: str
    report: Report
    draft: Draft | None
    """The parts that could be read; None if the file is not valid TOML."""

    @property
    def rule_card(self) -> RuleCard:
        """The rule card. Raise RuleCardError, listing all faults, if it has any."""
        card = self.draft.card() if self.draft else None
        if self.report.findings or card is None:
            raise RuleCardError(self.name, self.report.findings)
        return card

    @property
    def findings(self) -> list[Finding]:
        return self.report.findings

    def add_faults_of_bets(self, faults: Iterable[tuple[str, str, str]]) -> None:
        """Add faults (bet, problem, remedy), each at the line of its bet under the readings in
        force."""
        assert self.draft is not None  # noqa: S101  (bets come from the draft)
        places = self.draft.places_in_force
        reported = {finding.problem for finding in self.findings}
        # A default outside its range prevents the game from being built, and is already reported.
        with suppress(BaccaratError):
            for bet, problem, remedy in faults:
                if f"{bet} can never win" not in reported:
                    self.report.add(places.get(bet, ()), problem, remedy)
        self.findings.sort()


def load(card: str | Path) -> RuleCard:
    """Load one of the program's own rule cards by its id, or any rule card by the path of its
    file."""
    return read_card(card).rule_card


def content_of(card: str | Path) -> dict[str, Any]:
    """Return the content of a rule card's file as plain values, to be stored in a journal; raise
    RuleCardError if the card has faults."""
    path = find(card)
    text = read_text(path)
    check_text(text, name=str(card), folder=path.parent).rule_card  # noqa: B018  (raises if faulty)
    return tomllib.loads(text.removeprefix("\ufeff"))


def load_content(content: dict[str, Any], *, name: str) -> RuleCard:
    """Build a rule card from stored content; faults have no line numbers, and names of sister cards
    are not resolved to paths."""
    return _check_content(content, name=name, folder=None, report=Report({(): 1})).rule_card


def load_with_ambiguity(content: dict[str, Any], fragment: str) -> RuleCard:
    """Build a rule card from stored content whose last ambiguity comes from a TOML fragment.

    Faults have the line numbers of the fragment.
    """
    last = len(content["ambiguity"]) - 1
    report = Report(
        {
            ("ambiguity", last, *path[2:]) if path[:2] == ("ambiguity", 0) else path: line
            for path, line in locate(fragment).items()
        }
    )
    checked = _check_content(content, name="the fragment", folder=None, report=report)
    report.findings = [
        replace(finding, key=finding.key.replace(f"ambiguity[{last}]", "ambiguity", 1))
        for finding in report.findings
    ]
    return checked.rule_card


def read_card(card: str | Path) -> Checked:
    """Read a rule card and return it with all its faults."""
    path = find(card)
    return check_text(read_text(path), name=str(card), folder=path.parent)


def check_text(text: str, *, name: str, folder: Path | None = None) -> Checked:
    """Check the text of a rule card like `read_card`; sister cards are looked up in `folder`."""
    # The digest equals that of `sha256sum`, so that anyone can compare two editions.
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    text = text.removeprefix("\ufeff")  # some editors write a byte order mark
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
    draft = build(CARD.read(content, (), report), content, folder)
    for check in CHECKS:
        for fault in check(draft):
            report.add(*fault)
    draft.faulty = frozenset(report.faulty)
    report.findings.sort()
    return Checked(name, report, draft)


def parse_toml(text: str) -> dict[str, Any] | Finding:
    """Parse a TOML document; if it is invalid, return a finding that says why."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MAX_DOTS:
            return Finding(number, "syntax", "the line has too many dots", "shorten it")
    try:
        raw = tomllib.loads(text)
    except RecursionError:
        return _TOO_DEEP
    except tomllib.TOMLDecodeError as error:
        return _syntax_finding(str(error), text)
    except ValueError:  # Python refuses to parse numbers of thousands of digits
        found = re.search(r"[\d_]{1000}", text)
        line_number = text.count("\n", 0, found.start()) + 1 if found else 1
        return Finding(line_number, "syntax", "the number is too long to read", "shorten it")
    return _TOO_DEEP if _depth_exceeds(DEEPEST, raw) else raw


_TOO_DEEP = Finding(
    1, "the file", "tables and lists are nested too deeply", "flatten conditions and tables"
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
