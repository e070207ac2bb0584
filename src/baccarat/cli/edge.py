"""`baccarat edge`: the exact figures of every bet."""

import argparse
from typing import Any

from rich.text import Text

from baccarat.analysis.edges import Analysis, BetFigures, analyse
from baccarat.analysis.remaining import remaining_shoe
from baccarat.cli.common import (
    DIGITS,
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
from baccarat.core.cards import parse_cards
from baccarat.core.errors import BaccaratError
from baccarat.core.money import (
    Rounding,
    decimal_string,
    format_coins,
    parse_coins,
    percent_string,
    ratio,
)
from baccarat.core.words import listed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_removed(parser)
    parser.add_argument("--stake", metavar="AMOUNT", help="the edge of this stake, such as 0.10")
    parser.add_argument(
        "--rounding",
        choices=[str(policy) for policy in Rounding],
        help="what happens to payouts that are not whole coins (with --stake)",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    shoe = remaining_shoe(game, parse_cards(args.removed))
    if args.rounding and args.stake is None:
        raise BaccaratError("--rounding changes nothing without --stake: add --stake AMOUNT")
    stake = None if args.stake is None else parse_coins(args.stake)
    if stake == 0:
        raise BaccaratError(f"--stake {args.stake} is nothing: stake at least one coin, 0.01")
    rounding = Rounding(args.rounding) if args.rounding else game.card.limits.rounding
    analysis = analyse(game, shoe, stake=stake, rounding=rounding)
    if args.json:
        print_json(_json(analysis, args.removed, stake, rounding))
    else:
        _print(analysis, args.removed, stake, rounding)
    return 0


def _json(
    analysis: Analysis, removed: str, stake: int | None, rounding: Rounding
) -> dict[str, Any]:
    data = header_json(analysis.game)
    data |= {"removed": removed_json(removed), "total": str(analysis.total)}
    if stake is not None:
        data |= {"stake": stake, "rounding": str(rounding)}
    return data | {"bets": [_bet_json(figures) for figures in analysis]}


def _bet_json(figures: BetFigures) -> dict[str, Any]:
    return {
        "id": figures.bet.id,
        "name": figures.bet.name,
        "edge": ratio(figures.edge),
        "edge_resolved": ratio(figures.edge_resolved),
        "edge_percent": decimal_string(figures.edge * 100, DIGITS),
        "rtp_percent": decimal_string(figures.return_to_player * 100, DIGITS),
        "hit": ratio(figures.hit),
        "standoff": ratio(figures.standoff),
        "variance": decimal_string(figures.variance, DIGITS),
        "sd": decimal_string(figures.standard_deviation(DIGITS), DIGITS),
        "stake_step": figures.stake_step,
    }


def _print(analysis: Analysis, removed: str, stake: int | None, rounding: Rounding) -> None:
    out = console()
    out.print(Text(header_words(analysis.game), style="bold"))
    shoe = analysis.shoe
    words = f"{shoe.size} cards"
    if removed:
        gone = ", ".join(f"{n} × {card}" for card, n in removed_json(removed).items())
        words += f" left; gone: {gone}"
        if analysis.game.pay_table.suited and not shoe.suits_are_certain:
            words += " (cards without a suit are taken evenly from the suits)"
    if stake is not None:
        words += f"; for a stake of {format_coins(stake)}, payouts rounding: {rounding}"
    out.print(Text(words, style="dim"))
    # `resolved`: the edge per unit that is won or lost, stand-offs left out
    figures_table = table(
        "bet", ">house edge", ">resolved", ">return", ">wins", ">stand-off", ">sd", ">step"
    )
    for figures in analysis:
        edge = Text(percent_string(figures.edge), style="bold red" if figures.edge < 0 else "bold")
        add_row(
            figures_table,
            [
                Text(figures.bet.name),
                edge,
                percent_string(figures.edge_resolved),
                percent_string(figures.return_to_player),
                percent_string(figures.hit),
                percent_string(figures.standoff),
                decimal_string(figures.standard_deviation(4), 4),
                format_coins(figures.stake_step),
            ],
        )
    out.print(figures_table)
    assumed = [figures.bet.name for figures in analysis if figures.bet.assumed]
    if assumed:
        words = f"The poster does not print the odds of {listed(assumed)}: they are assumed."
        out.print(Text(words, style="dim"))
    if any(figures.edge < 0 for figures in analysis):
        out.print(Text("A negative edge is in the bettor's favour.", style="red"))
