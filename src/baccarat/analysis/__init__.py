"""Exact analysis: counts are integers; probabilities and edges are fractions."""

from baccarat.analysis.frequencies import Fit, event_chances, fit
from baccarat.analysis.records import Fault, RecordError, ShoeRecord, Summary, misdealt, summary

__all__ = ["Fit", "event_chances", "fit"]
__all__ += ["Fault", "RecordError", "ShoeRecord", "Summary", "misdealt", "summary"]
