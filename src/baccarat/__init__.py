"""Punto banco and its variations: exact odds, simulation and live tables, all from one rule card.

    >>> from baccarat import load
    >>> load("punto-banco").game().edge("banker")
    Fraction(114753351728, 10847218479825)

The names below are public; docs/reference/library.md shows how to use them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from baccarat.analysis.edges import Analysis, BetFigures
from baccarat.core.cards import Card, parse_card, parse_cards
from baccarat.core.coup import Coup, Deal, parse_coup
from baccarat.core.errors import BaccaratError
from baccarat.core.money import Rounding
from baccarat.core.settlement import Settled
from baccarat.core.wagers import Refusal
from baccarat.library import Game, RuleCard, Shoe, audit, check, load
from baccarat.loader import Finding, RuleCardError, built_in_cards, catalogue_cards
from baccarat.output.tables import to_pandas, to_polars, write_table

if TYPE_CHECKING:
    from baccarat.analysis.records import parse_records, read_records
    from baccarat.core.roads import parse_results, roads

    __version__: str

__all__ = ["Analysis", "BaccaratError", "BetFigures", "__version__"]
__all__ += ["Finding", "RuleCard", "RuleCardError", "audit", "check", "load"]
__all__ += ["built_in_cards", "catalogue_cards"]
__all__ += ["Game", "Refusal", "Rounding", "Settled", "Shoe"]
__all__ += ["Card", "Coup", "Deal", "parse_card", "parse_cards", "parse_coup"]
__all__ += ["parse_records", "parse_results", "read_records", "roads"]
__all__ += ["to_pandas", "to_polars", "write_table"]

_LAZY = {
    **dict.fromkeys(("parse_records", "read_records"), "baccarat.analysis.records"),
    **dict.fromkeys(("parse_results", "roads"), "baccarat.core.roads"),
}
"""Names that few commands need, and the modules from which they are imported on first use."""


def _version() -> str:
    from importlib import metadata  # slow to import, and needed only here

    try:
        return metadata.version("baccarat")
    except metadata.PackageNotFoundError:
        return "(not installed)"


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return _version()
        if name in _LAZY:
            return getattr(import_module(_LAZY[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
