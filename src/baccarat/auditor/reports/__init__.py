"""Recomputes reports of gaming days from the journal alone."""

from baccarat.auditor.reports.day import check_report

__all__ = ["check_report"]
