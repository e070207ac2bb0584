"""`baccarat show`: describe a game's rules in words, generated from its card."""

import argparse

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from baccarat import Game
from baccarat.cli.shared.options import add_game, game_of
from baccarat.cli.shared.printing import Shown, answer, indented, table, with_header
from baccarat.core.tableau import STOOD
from baccarat.wording.catalogue import catalogue
from baccarat.wording.rules import source_in_words, tableau_rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    document = {
        "name": game.card.name,
        "rules": [{"title": s.title, "lines": s.lines} for s in game.rules()],
        "tableau": {
            total: {"stood" if given == STOOD else given: word for given, word in enumerate(row)}
            for total, row in tableau_rows(game.tableau)
        },
    }
    return answer(args, with_header(document, game), _shown(game))


def _shown(game: Game) -> Shown:
    card = game.card
    yield Text(card.name, "bold")
    source = source_in_words(card.source, catalogue())
    yield Text(f"{card.summary} Version {card.version}, from {source}.", "dim")
    for section in game.rules():
        yield ""
        yield Text(section.title, "bold cyan")
        yield from map(indented, section.lines)
        if section.key == "tableau":
            yield Padding(_grid(game), (1, 0, 0, 2), expand=False)
            legend = "D draws, s stands; columns: Player's third card (stood: Player took none)"
            yield Text(f"  {legend}", "dim")


def _grid(game: Game) -> Table:
    cells = {"draws": Text("D", "bold green"), "stands": Text("s", "dim")}
    rows = ([total, *(cells[word] for word in row)] for total, row in tableau_rows(game.tableau))
    return table(["Banker has", *(f">{given}" for given in range(10)), ">stood"], rows)
