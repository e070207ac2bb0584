"""Findings: everything wrong with a rule card, each with its place and its remedy."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from baccarat.loader.lines import Path, line_of


@dataclass(frozen=True, order=True)
class Finding:
    """One fault of a rule card."""

    line: int
    key: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.key}: {self.problem}; {self.remedy}"


@dataclass
class Report:
    """Collects findings while a card is read and checked."""

    lines: Mapping[Path, int]
    findings: list[Finding] = field(default_factory=list)

    def add(self, path: Path, problem: str, remedy: str) -> None:
        finding = Finding(line_of(self.lines, path), dotted(path), problem, remedy)
        if finding not in self.findings:
            self.findings.append(finding)


def dotted(path: Path) -> str:
    """('bet', 2, 'pays') to 'bet[2].pays'."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text or "the card"
