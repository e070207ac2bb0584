"""Findings: the faults of a rule card, each with its line and remedy."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from baccarat.loader.lines import Path, line_of

MISSING: Final = object()
"""Marker for a value that is absent or invalid."""

_LONGEST_SHOWN = 60
_HUGE = 10**18


@dataclass(frozen=True, order=True)
class Finding:
    """An error found in a rule card."""

    line: int
    key: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.key}: {self.problem}; {self.remedy}"


Fault = tuple[Path, str, str]
"""The path, problem and remedy of a fault."""


@dataclass
class Report:
    """Collects findings while a card is read and checked."""

    lines: Mapping[Path, int]
    findings: list[Finding] = field(default_factory=list)
    faulty: set[str | int] = field(default_factory=set)
    """Top-level keys of the card that contain a fault."""
    root: str = "the card"
    """What to call the whole file in findings without a path."""

    def add(self, path: Path, problem: str, remedy: str) -> object:
        """Add a finding, and return MISSING for use in place of the faulty value."""
        self.faulty.update(path[:1])
        key = dotted(path) if path else self.root
        self.findings.append(Finding(line_of(self.lines, path), key, problem, remedy))
        return MISSING


def dotted(path: Path) -> str:
    """Format a path: ('bet', 2, 'pays') as 'bet[2].pays'."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if re.fullmatch(r"[\w-]{1,40}", part) else shown(part)
            text += f".{name}" if text else name
    return text or "the card"


def shown(raw: Any) -> str:
    """Format a raw value for a message, shortened to one line without control characters."""
    match raw:
        case bool():
            return str(raw).lower()
        case str():
            text = repr(raw[:_LONGEST_SHOWN])
            return f"{text[:-1]}…{text[-1]}" if len(raw) > _LONGEST_SHOWN else text
        case dict():
            return "a table"
        case list():
            return "a list"
        case int() if abs(raw) >= _HUGE:
            return "a huge number"
        case _:
            return str(raw)
