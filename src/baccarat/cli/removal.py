"""`baccarat removal`: show how each bet's expectation changes when one card of a rank is
removed."""

import argparse
from collections import Counter
from fractions import Fraction

from rich.text import Text

from baccarat import Game
from baccarat.analysis.edges import Effects
from baccarat.cli.shared.options import add_game, add_removed, game_of
from baccarat.cli.shared.printing import Shown, answer, table
from baccarat.core.cards import RANKS
from baccarat.core.money import decimal_string


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_removed(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    effects = game.effects_of_removal(removed=args.removed)
    document = {
        "removed": Counter(map(str, args.removed)),
        "bets": [{"id": bet, "effects": by_rank} for bet, by_rank in effects.items()],
    }
    return answer(args, document, _shown(game, effects), game=game)


def _shown(game: Game, effects: Effects) -> Shown:
    yield Text("Change of the player's expectation when one card of a rank is removed,")
    yield Text("in thousandths of a percent of the stake")
    titles = _titles(effects)
    rows = ([bet.name, *(_cell(effects[bet.id][rank]) for rank in titles)] for bet in game.bets)
    yield table(["bet", *(f">{title}" for title in titles.values())], rows, gap=1)


def _titles(effects: Effects) -> dict[str, str]:
    """Return the column title of each rank; 10 to K share a column if their effects are the
    same."""
    tens = ("10", "J", "Q", "K")
    alike = all(len({by_rank[rank] for rank in tens}) == 1 for by_rank in effects.values())
    if not alike:
        return {rank: rank for rank in RANKS}
    return {rank: rank for rank in RANKS if rank not in tens} | {"10": "10–K"}


def _cell(effect: Fraction | None) -> Text:
    """Return an effect with three significant digits: -812, -28.5, +4.46."""
    if not effect:
        return Text("none" if effect is None else "0", "dim")
    thousandths = effect * 100_000
    digits = 0 if abs(thousandths) >= 100 else 1 if abs(thousandths) >= 10 else 2
    words = decimal_string(thousandths, digits)
    return Text(words, "red") if effect < 0 else Text(f"+{words}", "green")
