"""`baccarat cards`: list the built-in rule cards."""

import argparse

from baccarat.cli.shared.printing import answer, attributes, table
from baccarat.loader import built_in_cards, load


def add_arguments(_: argparse.ArgumentParser) -> None:
    """Add nothing: this command has no options of its own."""


def run(args: argparse.Namespace) -> int:
    cards = [load(name) for name in built_in_cards()]
    listed = [
        attributes(card, "id", "name", "version", "source", "summary")
        | {"bets": [bet.id for bet in card.bets], "parameters": list(card.parameters)}
        for card in cards
    ]
    rows = []
    for card in cards:
        left_open = ", ".join(name for name, p in card.parameters.items() if p.set_by != "poster")
        rows.append([card.id, card.name, str(len(card.bets)), left_open])
    return answer(
        args,
        {"cards": listed},
        [table(["card", "game", ">bets", "open parameters"], rows)],
    )
