"""`baccarat show`: a game's rules in words, generated from its card."""

import argparse

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from baccarat.cli.common import add_game, add_json, console, game_of, header_json, print_json, table
from baccarat.core.rulecard import Game
from baccarat.core.tableau import STOOD
from baccarat.core.words import rules_in_words, tableau_rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    if args.json:
        rules = [{"title": s.title, "lines": list(s.lines)} for s in rules_in_words(game)]
        tableau = {
            total: {
                str(given) if given != STOOD else "stood": word for given, word in enumerate(row)
            }
            for total, row in tableau_rows(game.tableau)
        }
        print_json(header_json(game) | {"name": game.card.name, "rules": rules, "tableau": tableau})
    else:
        _print(game)
    return 0


def _print(game: Game) -> None:
    out = console()
    card = game.card
    out.print(Text(card.name, style="bold"))
    out.print(Text(f"{card.summary} Version {card.version}, from {card.source}.", style="dim"))
    for section in rules_in_words(game):
        out.print()
        out.print(Text(section.title, style="bold cyan"))
        for line in section.lines:
            out.print(Padding(Text(line), (0, 0, 0, 2), expand=False))
        if section.key == "tableau":
            out.print(Padding(_grid(game), (1, 0, 0, 2), expand=False))
            out.print(
                Text("  D draws, s stands; columns: Player's third card, or stood", style="dim")
            )


def _grid(game: Game) -> Table:
    grid = table("Banker has", *(f">{given}" for given in range(10)), ">stood")
    for total, row in tableau_rows(game.tableau):
        cells = [
            Text("D", style="bold green") if word == "draws" else Text("s", style="dim")
            for word in row
        ]
        grid.add_row(Text(total), *cells)
    return grid
