"""`baccarat cards`: the rule cards that are built in."""

import argparse

from baccarat.cli.common import add_json, add_row, console, print_json, table
from baccarat.loader import built_in_cards, load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    cards = [load(name) for name in built_in_cards()]
    if args.json:
        listed = [
            {
                "id": card.id,
                "name": card.name,
                "version": card.version,
                "source": card.source,
                "summary": card.summary,
                "bets": [bet.id for bet in card.bets],
                "parameters": list(card.parameters),
            }
            for card in cards
        ]
        print_json({"cards": listed})
        return 0
    listing = table("card", "game", ">bets", "left open")
    for card in cards:
        left_open = ", ".join(name for name, p in card.parameters.items() if p.set_by != "poster")
        add_row(listing, [card.id, card.name, str(len(card.bets)), left_open])
    console().print(listing)
    return 0
