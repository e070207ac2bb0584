"""Punto banco and its variations: exact odds, simulation and live tables, all from one rule card.

    >>> from baccarat import load
    >>> load("punto-banco").game().edge("banker")
    Fraction(114753351728, 10847218479825)

The names below are public; docs/reference/library.md shows how to use them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from baccarat.analysis.edges import Analysis, BetFigures
    from baccarat.analysis.records import parse_records, read_records
    from baccarat.core.cards import Card, parse_card, parse_cards
    from baccarat.core.coup import Coup, Deal, parse_coup
    from baccarat.core.errors import BaccaratError
    from baccarat.core.money import Rounding
    from baccarat.core.roads import parse_results, roads
    from baccarat.core.settlement import Settled
    from baccarat.core.wagers import Refusal
    from baccarat.library import Game, RuleCard, Shoe, audit, check, load
    from baccarat.loader import Finding, RuleCardError, built_in_cards, catalogue_cards
    from baccarat.output.tables import to_pandas, to_polars, write_table

    __version__: str

__all__ = ["Analysis", "BaccaratError", "BetFigures", "__version__"]
__all__ += ["Finding", "RuleCard", "RuleCardError", "audit", "check", "load"]
__all__ += ["built_in_cards", "catalogue_cards"]
__all__ += ["Game", "Refusal", "Rounding", "Settled", "Shoe"]
__all__ += ["Card", "Coup", "Deal", "parse_card", "parse_cards", "parse_coup"]
__all__ += ["parse_records", "parse_results", "read_records", "roads"]
__all__ += ["to_pandas", "to_polars", "write_table"]

_MODULES = {
    name: f"baccarat.{module}"
    for module, names in {
        "analysis.edges": ("Analysis", "BetFigures"),
        "analysis.records": ("parse_records", "read_records"),
        "core.cards": ("Card", "parse_card", "parse_cards"),
        "core.coup": ("Coup", "Deal", "parse_coup"),
        "core.errors": ("BaccaratError",),
        "core.money": ("Rounding",),
        "core.roads": ("parse_results", "roads"),
        "core.settlement": ("Settled",),
        "core.wagers": ("Refusal",),
        "library": ("Game", "RuleCard", "Shoe", "audit", "check", "load"),
        "loader": ("Finding", "RuleCardError", "built_in_cards", "catalogue_cards"),
        "output.tables": ("to_pandas", "to_polars", "write_table"),
    }.items()
    for name in names
}
"""Public names, and the modules from which they are imported on first use. Importing all of them
takes longer than most commands take to run."""


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
        if name in _MODULES:
            value = globals()[name] = getattr(import_module(_MODULES[name]), name)
            return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
