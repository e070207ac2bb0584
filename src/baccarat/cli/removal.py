"""`baccarat removal`: how each bet moves when one card of a rank is gone."""

import argparse
from fractions import Fraction

from rich.text import Text

from baccarat.analysis.remaining import remaining_shoe
from baccarat.analysis.removal import Effects, effects_of_removal
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
    out.print(Text("Change of the bettor's expectation when one card of the rank is gone,"))
    out.print(Text("in thousandths of a percent of the stake"))
    columns = _columns(effects)
    listing = table("bet", *(f">{title}" for title in columns.values()), gap=1)
    for bet in game.bets:
        add_row(listing, [bet.name, *(_cell(effects[bet.id][rank]) for rank in columns)])
    out.print(listing)
    return 0


def _columns(effects: Effects) -> dict[str, str]:
    """A column for each rank, and its title; 10 to K share one where they do the same."""
    tens = ("10", "J", "Q", "K")
    alike = all(len({by_rank[rank] for rank in tens}) == 1 for by_rank in effects.values())
    return {
        rank: "10–K" if alike and rank == "10" else rank
        for rank in RANKS
        if not alike or rank not in tens[1:]
    }


def _cell(effect: Fraction | None) -> Text:
    """Three digits that matter: -812, -28.5, +4.46."""
    if effect is None:
        return Text("none", style="dim")
    thousandths = effect * 100_000
    digits = 0 if abs(thousandths) >= 100 else 1 if abs(thousandths) >= 10 else 2
    words = decimal_string(thousandths, digits)
    if effect == 0:
        return Text("0", style="dim")
    return Text(words, style="red") if effect < 0 else Text(f"+{words}", style="green")
