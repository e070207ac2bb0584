"""`baccarat chances`: print the chance of each result and the expectation of each bet during a
coup."""

import argparse
from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from baccarat import Card, Game
from baccarat.analysis.mid_coup import Chances
from baccarat.cli.shared.options import add_cards, add_game, add_removed, game_of
from baccarat.cli.shared.printing import Shown, answer, table
from baccarat.core.cards import total
from baccarat.core.money import percent_string

HANDS = ("player", "banker")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    for hand in HANDS:
        words = f'known cards of the {hand}, in the order dealt, such as "5,K"'
        add_cards(parser, f"--{hand}", words)
    add_removed(parser)


def run(args: argparse.Namespace) -> int:
    game, hands = game_of(args), {hand: getattr(args, hand) for hand in HANDS}
    found = game.chances(**hands, removed=args.removed)
    document = {
        "removed": Counter(map(str, args.removed)),
        "known": {hand: [*map(str, cards)] for hand, cards in hands.items()},
        **{str(name): chance for name, chance in found.results.items()},
        "bets": [{"id": bet, "expectation": e} for bet, e in found.expectations.items()],
    }
    return answer(args, document, _shown(game, hands, found), game=game)


def _shown(game: Game, hands: dict[str, Sequence[Card]], found: Chances) -> Shown:
    yield Text("    ".join(f"{hand.capitalize()} {_hand(hands[hand])}" for hand in HANDS))
    results = ([name.capitalize(), percent_string(c)] for name, c in found.results.items())
    yield table(["result", ">chance"], results)
    expectations = {bet.name: found.expectations[bet.id] for bet in game.bets}
    yield table(
        ["bet", ">expectation per unit staked"],
        (
            [name, Text(percent_string(e), "green" if e > 0 else "")]
            for name, e in expectations.items()
        ),
    )


def _hand(cards: Sequence[Card]) -> str:
    if not cards:
        return "unknown"
    return f"{' '.join(card.face() for card in cards)} ({total(cards)})"
