"""Exact analysis: counts as integers, probabilities and edges as fractions."""

from baccarat.analysis.frequencies import Fit, event_chances, fit
from baccarat.analysis.records import Fault, RecordError, ShoeRecord, Summary, misdealt, summary

__all__ = ["Fit", "event_chances", "fit"]
__all__ += ["Fault", "RecordError", "ShoeRecord", "Summary", "misdealt", "summary"]
