"""Punto banco and its variations, from one rule card: exact, fast and fair.

    >>> from baccarat import analyse, load
    >>> analyse(load("punto-banco").game())["banker"].edge
    Fraction(114753351728, 10847218479825)

The names below are the library's public ones; docs/library.md shows them at work.
"""

from baccarat.analysis.audit import audit
from baccarat.analysis.chances import chances
from baccarat.analysis.edges import Analysis, BetFigures, analyse
from baccarat.analysis.remaining import RemainingShoe, remaining_shoe
from baccarat.analysis.removal import effects_of_removal
from baccarat.core.cards import Card, parse_card, parse_cards
from baccarat.core.coup import Coup, Deal, deal_coup, parse_coup
from baccarat.core.errors import BaccaratError
from baccarat.core.money import Rounding
from baccarat.core.rulecard import Game, RuleCard
from baccarat.core.settlement import settle
from baccarat.core.wagers import Wager, WagerRefused, accept
from baccarat.core.words import rules_in_words
from baccarat.frames import to_pandas, to_polars, write_table
from baccarat.loader import RuleCardError, built_in_cards, check, load
from baccarat.records import parse_records, read_records
from baccarat.roads import parse_results, roads

__all__ = [
    "Analysis",
    "BaccaratError",
    "BetFigures",
    "Card",
    "Coup",
    "Deal",
    "Game",
    "RemainingShoe",
    "Rounding",
    "RuleCard",
    "RuleCardError",
    "Wager",
    "WagerRefused",
    "accept",
    "analyse",
    "audit",
    "built_in_cards",
    "chances",
    "check",
    "deal_coup",
    "effects_of_removal",
    "load",
    "parse_card",
    "parse_cards",
    "parse_coup",
    "parse_records",
    "parse_results",
    "read_records",
    "remaining_shoe",
    "roads",
    "rules_in_words",
    "settle",
    "to_pandas",
    "to_polars",
    "write_table",
]
