"""Exact analysis: counts are integers; probabilities and edges are fractions."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from baccarat.analysis.frequencies import Fit, event_chances, fit
    from baccarat.analysis.records import Fault, RecordError, ShoeRecord, Summary, misdealt, summary

__all__ = ["Fit", "event_chances", "fit"]
__all__ += ["Fault", "RecordError", "ShoeRecord", "Summary", "misdealt", "summary"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a name when it is first used, because records and frequencies are slow to
        import."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = "frequencies" if name in ("Fit", "event_chances", "fit") else "records"
        return getattr(import_module(f"{__name__}.{module}"), name)
