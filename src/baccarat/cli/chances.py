"""`baccarat chances`: mid-coup, what each result and each bet has left."""

import argparse

from rich.text import Text

from baccarat.analysis.chances import RESULTS, chances
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
from baccarat.core.cards import Card, parse_cards, total
from baccarat.core.money import percent_string, ratio


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    for hand in ("player", "banker"):
        parser.add_argument(
            f"--{hand}",
            default="",
            metavar="CARDS",
            help=f'known cards of the {hand}, in the order dealt, such as "5,K"',
        )
    add_removed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    player, banker = parse_cards(args.player), parse_cards(args.banker)
    found = chances(game, player=player, banker=banker, removed=parse_cards(args.removed))
    if args.json:
        data = header_json(game) | {"removed": removed_json(args.removed)}
        data |= {"known": {"player": [*map(str, player)], "banker": [*map(str, banker)]}}
        data |= {name: ratio(found.results[name]) for name in RESULTS}
        bets = [{"id": bet, "expectation": ratio(e)} for bet, e in found.expectations.items()]
        print_json(data | {"bets": bets})
        return 0
    out = console()
    out.print(Text(header_words(game), style="bold"))
    out.print(Text(f"Player {_hand(player)}    Banker {_hand(banker)}"))
    results = table("result", ">chance")
    for name in RESULTS:
        add_row(results, [name.capitalize(), percent_string(found.results[name])])
    out.print(results)
    listing = table("bet", ">expectation per unit staked")
    for bet in game.bets:
        expectation = found.expectations[bet.id]
        style = "green" if expectation > 0 else ""
        add_row(listing, [bet.name, Text(percent_string(expectation), style=style)])
    out.print(listing)
    return 0


def _hand(cards: tuple[Card, ...]) -> str:
    if not cards:
        return "unknown"
    return f"{' '.join(card.face() for card in cards)} ({total(cards)})"
