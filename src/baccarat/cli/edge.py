"""`baccarat edge`: print the exact figures of every bet."""

import argparse
from collections import Counter
from typing import Any

from rich.text import Text

from baccarat import Analysis, BaccaratError, BetFigures, Rounding
from baccarat.cli.shared.options import add_amount, add_choice, add_game, add_removed, game_of
from baccarat.cli.shared.printing import DIGITS, Shown, answer, attributes, table
from baccarat.core.money import decimal_string, format_coins, percent_string


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_removed(parser)
    add_amount(parser, "--stake", "compute the edge for this stake, such as 0.10")
    words = "how payouts are rounded to whole coins (with --stake)"
    add_choice(parser, "--rounding", Rounding, words)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    if args.rounding and args.stake is None:
        raise BaccaratError("--rounding requires --stake: add --stake AMOUNT")
    stake = args.stake
    if stake == 0:
        raise BaccaratError("--stake 0: must be at least 0.01")
    rounding = Rounding(args.rounding) if args.rounding else game.card.limits.rounding
    analysis = game.analyse(removed=args.removed, stake=stake, rounding=rounding)
    removed = Counter(map(str, args.removed))
    document = {
        "removed": removed,
        "total": str(analysis.total),
        **({} if stake is None else {"stake": stake, "rounding": rounding}),
        "bets": [_bet_json(figures) for figures in analysis.values()],
    }
    words = f"{analysis.shoe.size} cards{_removed_in_words(analysis, removed)}"
    if stake is not None:
        words += f"; stake {format_coins(stake)}, rounding {rounding}"
    return answer(args, document, _shown(analysis, words), game=game)


def _bet_json(figures: BetFigures) -> dict[str, Any]:
    return {
        **attributes(figures.bet, "id", "name"),
        **attributes(figures, "edge", "edge_resolved"),
        "edge_percent": decimal_string(figures.edge * 100, DIGITS),
        "rtp_percent": decimal_string(figures.return_to_player * 100, DIGITS),
        **attributes(figures, "hit", "standoff"),
        "variance": decimal_string(figures.variance, DIGITS),
        "sd": decimal_string(figures.standard_deviation(DIGITS), DIGITS),
        "stake_step": figures.bet.step,
    }


def _removed_in_words(analysis: Analysis, removed: Counter[str]) -> str:
    if not removed:
        return ""
    gone = ", ".join(f"{n} × {card}" for card, n in removed.items())
    evenly = analysis.game.pay_table.suited and not analysis.shoe.suits_are_certain
    note = " (evenly from all suits)" if evenly else ""
    return f" left; removed: {gone}{note}"


def _shown(analysis: Analysis, words: str) -> Shown:
    yield Text(words, "dim")
    # The resolved edge is per unit won or lost, without stand-offs.
    columns = ("house edge", "resolved edge", "return", "wins", "stand-off", "sd", "step")
    yield table(["bet", *(f">{column}" for column in columns)], map(_cells, analysis.values()))
    assumed = [figures.bet.name for figures in analysis.values() if figures.bet.assumed]
    if assumed:
        from baccarat.wording.rules import listed  # slow to import

        words = f"The odds of {listed(assumed)} are not printed on the poster and are assumed."
        yield Text(words, "dim")
    if any(figures.edge < 0 for figures in analysis.values()):
        yield Text("A negative edge favours the player.", "red")


def _cells(figures: BetFigures) -> list[str | Text]:
    shares = (figures.edge_resolved, figures.return_to_player, figures.hit, figures.standoff)
    return [
        figures.bet.name,
        Text(percent_string(figures.edge), "bold red" if figures.edge < 0 else "bold"),
        *map(percent_string, shares),
        decimal_string(figures.standard_deviation(4), 4),
        format_coins(figures.bet.step),
    ]
