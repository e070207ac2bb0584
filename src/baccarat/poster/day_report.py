"""The report of a gaming day as plain values for paper."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReportTable:
    """A table of the report: its title, its column heads and its lines, all as text."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class DayReportContent:
    """The complete content of a gaming day's report."""

    language: str
    house: str
    title: str
    summary: str
    """When the day began and ended."""
    tables: tuple[ReportTable, ...]
    notes: tuple[str, ...]
