"""From a TOML file to a RuleCard; the only reader of rule files.

`load` gives a card or raises `RuleCardError`, which carries every fault at once; `check` gives
the faults as findings, with what could be read all the same.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from baccarat.core.errors import BaccaratError, nearest
from baccarat.core.rulecard import RuleCard
from baccarat.loader.build import Draft, build
from baccarat.loader.checks import CHECKS
from baccarat.loader.findings import Finding, Report, dotted
from baccarat.loader.lines import locate
from baccarat.loader.schema import CARD, read_table

__all__ = ["Checked", "Finding", "RuleCardError", "built_in_cards", "check", "dotted", "load"]

BUILT_IN = Path(__file__).parent.parent / "rulecards"
LARGEST_FILE = 1 << 20
"""Rule cards are a few kilobytes; anything above this is not one."""


class RuleCardError(BaccaratError):
    """A rule card that cannot be used, with every fault that was found in it."""

    def __init__(self, name: str, findings: list[Finding]) -> None:
        self.findings = findings
        count = "a fault" if len(findings) == 1 else f"{len(findings)} faults"
        listed = "\n".join(f"  {finding}" for finding in findings[:20])
        more = f"\n  … and {len(findings) - 20} more" if len(findings) > 20 else ""
        super().__init__(f"{name} has {count}:\n{listed}{more}")


@dataclass(frozen=True)
class Checked:
    """What a check found: the faults, and what could be read."""

    name: str
    report: Report
    draft: Draft | None
    """None when the file is not even TOML."""


@cache
def built_in_cards() -> tuple[str, ...]:
    """The ids of the cards that come with the package."""
    return tuple(sorted(path.stem for path in BUILT_IN.glob("*.toml")))


def load(card: str | Path) -> RuleCard:
    """A built-in card by its id, or any card by the path of its file."""
    checked = check(card)
    rule_card = checked.draft.card() if checked.draft else None
    if checked.report.findings or rule_card is None:
        raise RuleCardError(checked.name, checked.report.findings)
    return rule_card


def check(card: str | Path) -> Checked:
    """Read a card and report everything that is wrong with it."""
    path = find(card)
    return check_text(_read(path), name=str(card))


def check_text(text: str, *, name: str) -> Checked:
    """The same for a card that is already in memory."""
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Checked(name, _syntax_report(error, text), draft=None)
    report = Report(locate(text))
    draft = build(read_table(raw, CARD, (), report))
    for find_faults in CHECKS:
        find_faults(draft, report)
    report.findings.sort()
    return Checked(name, report, draft)


def find(card: str | Path) -> Path:
    """The file of a card: a built-in id, or a path."""
    if str(card) in built_in_cards():
        return BUILT_IN / f"{card}.toml"
    path = Path(card)
    if path.suffix == ".toml" or len(path.parts) > 1 or path.exists():
        return path
    raise BaccaratError(
        f"there is no rule card {str(card)!r}{nearest(str(card), built_in_cards())}: "
        f"name one of {', '.join(built_in_cards())}, or the path of a .toml file"
    )


def _read(path: Path) -> str:
    try:
        if path.is_dir():
            raise BaccaratError(f"{path} is a directory: name the rule card's .toml file")
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise BaccaratError(
                f"{path} has {size:,} bytes: a rule card has at most {LARGEST_FILE:,}"
            )
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BaccaratError(
            f"{path} is not UTF-8 text: byte {data[error.start]:#04x} on line {line}; "
            "save the rule card as UTF-8"
        ) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BaccaratError(f"{path} cannot be read: {reason}") from error


def _syntax_report(error: Exception, text: str) -> Report:
    """A syntax error, with its line."""
    if isinstance(error, RecursionError):
        return Report({}, [Finding(1, "the file", "it is nested too deeply", "flatten it")])
    match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
    line = int(match[2]) if match else text.rstrip().count("\n") + 1
    problem = f"{match[1]} at column {match[3]}" if match else str(error)
    finding = Finding(line, "syntax", f"this is not TOML: {problem}", "see https://toml.io")
    return Report({}, [finding])
