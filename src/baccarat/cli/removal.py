"""`baccarat removal`: how each bet moves when one card of a rank is gone."""

import argparse
from fractions import Fraction

from rich.text import Text

from baccarat.analysis.remaining import remaining_shoe
from baccarat.analysis.removal import effects_of_removal
from baccarat.cli.common import (
    add_game,
    add_json,
    add_removed,
    add_row,
    console,
    game_of,
    header_json,
    header_words,
    print_json,
    removed_json,
    table,
)
from baccarat.core.cards import RANKS, parse_cards
from baccarat.core.money import decimal_string, ratio


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_removed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    effects = effects_of_removal(game, remaining_shoe(game, parse_cards(args.removed)))
    if args.json:
        bets = [
            {
                "id": bet,
                "effects": {r: None if e is None else ratio(e) for r, e in by_rank.items()},
            }
            for bet, by_rank in effects.items()
        ]
        print_json(header_json(game) | {"removed": removed_json(args.removed), "bets": bets})
        return 0
    out = console()
    out.print(Text(header_words(game), style="bold"))
    out.print(
        Text(
            "Change of the bettor's expectation, in thousandths of a percent of the stake, "
            "when one card of the rank is gone",
            style="dim",
        )
    )
    listing = table("bet", *(f">{rank}" for rank in RANKS))
    for figures in game.bets:
        add_row(listing, [figures.name, *(_cell(effects[figures.id][rank]) for rank in RANKS)])
    out.print(listing)
    return 0


def _cell(effect: Fraction | None) -> Text:
    if effect is None:
        return Text("none left", style="dim")
    digits = decimal_string(effect * 100_000, 1)
    return Text(digits if effect < 0 else f"+{digits}", style="red" if effect < 0 else "green")
