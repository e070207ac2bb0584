"""Tables of exact figures: the catalogue of published bets, comparisons of games, PAR sheets."""

from baccarat.figures.comparison import Comparison, compare
from baccarat.figures.par_sheet import ParSheet, par_sheet_of
from baccarat.figures.published import Entry, entries_of

__all__ = ["Comparison", "Entry", "ParSheet", "compare", "entries_of", "par_sheet_of"]
