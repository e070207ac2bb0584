"""`baccarat compare`: compare games side by side."""

import argparse
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rich.text import Text

from baccarat import BaccaratError, BetFigures, Game, load
from baccarat.cli.shared.options import CARD, add_value
from baccarat.cli.shared.printing import DIGITS, Shown, answer, attributes, table
from baccarat.core.money import decimal_string, percent_string
from baccarat.core.tableau import STOOD
from baccarat.figures.comparison import ComparedBet, ComparedCell, Comparison, compare
from baccarat.wording.rules import line_in_words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_value(parser, "cards", "CARD", f"{CARD}; two or more", nargs="+")
    add_value(parser, "--decks", "N", "number of decks (default: that of each card)")


def run(args: argparse.Namespace) -> int:
    if len(args.cards) < 2:
        raise BaccaratError("give at least two rule cards to compare")
    settings = {} if args.decks is None else {"decks": args.decks}
    found = compare([Game.of(load(card), settings) for card in args.cards])
    return answer(args, _comparison_json(found), _shown(found))


def _comparison_json(found: Comparison) -> dict[str, Any]:
    return {
        "games": [
            {"card": game.card.id, "name": game.card.name, **attributes(game, "decks", "readings")}
            for game in found.games
        ],
        "bets": [
            {
                **attributes(bet, "id", "name", "shared", "same_payouts"),
                "edges_percent": [_percent(each) for each in bet.figures],
                "hits": [each and each.hit for each in bet.figures],
            }
            for bet in found.bets
        ],
        "third_cards": [
            attributes(cell, "hand", "total")
            | {"third": "stood" if cell.third == STOOD else cell.third, "draws": cell.draws}
            for cell in found.cells
        ],
        "parameters": dict(found.parameters),
    }


def _percent(figures: BetFigures | None) -> str | None:
    return None if figures is None else decimal_string(figures.edge * 100, DIGITS)


def _shown(found: Comparison) -> Shown:
    ids = [game.card.id for game in found.games]
    yield Text("House edge", "bold")
    rows = ([bet.name, *map(_edge, bet.figures), *_change(bet.figures)] for bet in found.bets)
    difference = [">difference"] if len(ids) == 2 else []
    yield table(["", *(f">{card}" for card in ids), *difference], rows)
    different = [bet for bet in found.bets if not bet.same_payouts]
    if different:
        yield ""
        yield Text("Payouts that differ", "bold")
        yield table(["", "", ""], (row for bet in different for row in _payout_rows(found, bet)))
    cells = [
        [_case(cell), *("draws" if d else "stands" for d in cell.draws)] for cell in found.cells
    ]
    if cells:
        yield ""
        yield Text("Third-card rules that differ", "bold")
        yield table(["", *ids], cells)
    if found.parameters:
        yield ""
        yield Text("Parameters that differ", "bold")
        yield table(["", *(f">{card}" for card in ids)], _parameter_rows(found))


def _edge(figures: BetFigures | None) -> Text:
    if figures is None:
        return Text("–", "dim")
    return Text(percent_string(figures.edge), "bold red" if figures.edge < 0 else "")


def _change(figures: tuple[BetFigures | None, ...]) -> list[str]:
    """Return the second edge minus the first, if exactly two games are compared."""
    if len(figures) != 2:
        return []
    first, second = figures
    if first is None or second is None:
        return [""]
    change = second.edge - first.edge
    return [("+" if change > 0 else "") + percent_string(change)]


def _payout_rows(found: Comparison, bet: ComparedBet) -> Iterable[list[str]]:
    """Yield what each game pays for a bet; the bet's name is only in the first row."""
    name = bet.name
    for game, figures in zip(found.games, bet.figures, strict=True):
        if figures is not None:
            pays = "; ".join(line_in_words(line, game) for line in figures.bet.lines)
            yield [name, game.card.id, pays]
            name = ""


def _case(cell: ComparedCell) -> str:
    if cell.third is None:
        return f"Player with {cell.total}"
    third = "Player stood" if cell.third == STOOD else f"a third card of {cell.third}"
    return f"Banker with {cell.total}, {third}"


def _parameter_rows(found: Comparison) -> Iterable[list[str]]:
    for name, values in found.parameters.items():
        yield [name, *(_value(found, name, *each) for each in enumerate(values))]


def _value(found: Comparison, name: str, place: int, value: Fraction | None) -> str:
    if value is None:
        return "–"
    return found.games[place].card.parameters[name].format(value)
