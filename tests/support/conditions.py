"""Games with any bets whatever: conditions as in a rule card, without the checks of its lines."""

from fractions import Fraction
from functools import cache
from typing import Any

from baccarat.core.bets import Bet, Line
from baccarat.core.rulecard import Game
from baccarat.loader.findings import Report
from baccarat.loader.kinds import read_condition
from support import synthetic

Raw = dict[str, Any]
Bets = list[list[tuple[Raw, int]]]
"""For each bet its lines: a condition, and what it pays to 1."""


@cache
def _plain_game(decks: int) -> Game:
    return synthetic.card().game(decks=decks)


def game_of(bets: Bets, decks: int = 8) -> Game:
    """The synthetic game with these bets, b0, b1 and so on, instead of its own."""
    made = []
    for i, lines in enumerate(bets):
        read = []
        for raw, pays in lines:
            report = Report({(): 1})
            condition = read_condition(raw, ("when",), report)
            assert not report.findings, report.findings
            read.append(Line(condition, Fraction(pays)))
        names = {"id": f"b{i}", "name": "B", "short": "B", "group": "main", "order": i}
        made.append(Bet(**names, lines=tuple(read)))
    game = _plain_game(decks)
    return Game(
        card=game.card,
        parameters=game.parameters,
        readings=game.readings,
        tableau=game.tableau,
        bets=tuple(made),
    )
