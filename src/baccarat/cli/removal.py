"""`baccarat removal`: show how each bet's expectation changes when one card is removed."""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from rich.text import Text

from baccarat import Game
from baccarat.analysis.edges import Effects
from baccarat.cli.shared.options import add_game, add_removed, game_of
from baccarat.cli.shared.printing import Shown, answer, table
from baccarat.core.cards import RANKS, SUIT_SYMBOLS
from baccarat.core.money import decimal_string

ByRank = Mapping[str, Fraction | None]
"""The effect of removing one card of each rank; None if no such card is left."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_removed(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    effects = game.effects_of_removal(removed=args.removed)
    by_suit = {bet: {"": by_rank} for bet, by_rank in effects.items()}
    by_card: Effects = {}
    if game.pay_table.suited:
        by_card = game.effects_of_removal(removed=args.removed, by_suit=True)
        by_suit = {bet: _by_suit(each) for bet, each in by_card.items()}
    document = {
        "removed": Counter(map(str, args.removed)),
        "bets": [
            {"id": bet, "effects": by_rank}
            | ({"effects_by_card": by_card[bet]} if len(by_suit[bet]) > 1 else {})
            for bet, by_rank in effects.items()
        ],
    }
    return answer(args, document, _shown(game, by_suit), game=game)


def _by_suit(by_card: ByRank) -> dict[str, ByRank]:
    """Return the effects by rank for each group of suits that have the same effects. A group is
    named as in '♥♦', or '' if it contains all suits."""
    found: dict[tuple[Fraction | None, ...], str] = {}
    for suit, symbol in SUIT_SYMBOLS.items():
        effects = tuple(by_card[f"{rank}{suit}"] for rank in RANKS)
        found[effects] = found.get(effects, "") + symbol
    return {
        symbols if len(found) > 1 else "": dict(zip(RANKS, effects, strict=True))
        for effects, symbols in found.items()
    }


def _shown(game: Game, by_suit: Mapping[str, Mapping[str, ByRank]]) -> Shown:
    yield Text("Change of the player's expectation when one card of a rank is removed,")
    yield Text("in thousandths of a percent of the stake")
    titles = _titles([by_rank for suits in by_suit.values() for by_rank in suits.values()])
    rows = (
        [f"{bet.name} {suits}".rstrip(), *(_cell(by_rank[rank]) for rank in titles)]
        for bet in game.bets
        for suits, by_rank in by_suit[bet.id].items()
    )
    yield table(["bet", *(f">{title}" for title in titles.values())], rows, gap=1)


def _titles(effects: Iterable[ByRank]) -> dict[str, str]:
    """Return the column title of each rank; 10 to K share a column if their effects are the
    same."""
    tens = ("10", "J", "Q", "K")
    alike = all(len({by_rank[rank] for rank in tens}) == 1 for by_rank in effects)
    if not alike:
        return {rank: rank for rank in RANKS}
    return {rank: rank for rank in RANKS if rank not in tens} | {"10": "10–K"}


def _cell(effect: Fraction | None) -> Text:
    """Return an effect with three significant digits: −812, −28.5, +4.46."""
    if not effect:
        return Text("none" if effect is None else "0", "dim")
    thousandths = effect * 100_000
    digits = 0 if abs(thousandths) >= 100 else 1 if abs(thousandths) >= 10 else 2
    words = decimal_string(thousandths, digits).replace("-", "−")
    return Text(words, "red") if effect < 0 else Text(f"+{words}", "green")
