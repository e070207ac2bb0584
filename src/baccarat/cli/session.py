"""`baccarat session`: a night at the table. Flat wagers exactly; a strategy by simulation."""

import argparse
from typing import Any, NamedTuple

from rich.text import Text

from baccarat.analysis.sessions import Drawdown, Final, RuinCurve, Session, session
from baccarat.cli.common import (
    DIGITS,
    add_game,
    add_json,
    add_row,
    console,
    counted,
    game_of,
    header_json,
    header_words,
    table,
)
from baccarat.cli.output import check_output, report
from baccarat.cli.seat import parse_wagers
from baccarat.cli.trial import QUANTILES, add_trial, refuse_trial_options, run_trial
from baccarat.core.errors import BaccaratError
from baccarat.core.money import decimal_string, format_coins, parse_coins, percent_string
from baccarat.core.rulecard import Game
from baccarat.core.wagers import Wager

MOST_COUPS = 20_000
COUPS_FOR_EXACT_FALLS = 1_000
"""Beyond this, falls are told in whole stakes: each depth is a walk of its own."""
DEPTHS = 40
"""Drawdowns are told apart to about a fortieth of the deepest that is likely."""


class Night(NamedTuple):
    """All that is told of a session."""

    game: Game
    wagers: tuple[Wager, ...]
    played: Session
    final: Final
    curve: RuinCurve | None
    falls: Drawdown
    fall_quantiles: list[int]
    per_hour: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--wagers",
        required=True,
        metavar="TEXT",
        help='on every coup, such as "banker 20, tie 5"; with --strategy a bet or a rule of choice '
        'and the unit, such as "last-winner 20"',
    )
    parser.add_argument("--coups", type=int, default=300, help="how many (default: %(default)s)")
    parser.add_argument("--per-hour", type=int, default=70, help="coups an hour (%(default)s)")
    parser.add_argument("--bankroll", metavar="AMOUNT", help="what the player brings")
    parser.add_argument("--stop-win", metavar="AMOUNT", help="stop when this much is won")
    add_trial(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    for name, number in (("--coups", args.coups), ("--per-hour", args.per_hour)):
        if not 1 <= number <= MOST_COUPS:
            raise BaccaratError(f"{name} {number}: 1 to {MOST_COUPS} is allowed")
    if args.stop_win is not None and args.bankroll is None:
        raise BaccaratError("--stop-win needs a bankroll that grows: add --bankroll AMOUNT")
    if args.strategy is not None:
        return run_trial(args, game)
    refuse_trial_options(args)
    check_output(args)
    night = _night(args, game)
    return report(
        args,
        document=_json(night),
        tables=_tables(night),
        show=lambda: _print(night),
        draw=lambda: _figure(night),
    )


def _night(args: argparse.Namespace, game: Game) -> Night:
    wagers = parse_wagers(game, args.wagers)
    played = session(game, wagers)
    final = played.final(args.coups)
    curve = None
    if args.bankroll is not None:
        bankroll = parse_coins(args.bankroll)
        goal = None if args.stop_win is None else bankroll + parse_coins(args.stop_win)
        curve = played.ruin_curve(bankroll=bankroll, coups=args.coups, goal=goal)
    every = None if args.coups <= COUPS_FOR_EXACT_FALLS else played.stake
    likely = played.fall_quantiles(args.coups, QUANTILES, every=every)
    falls = _drawdown(played, final)
    return Night(game, wagers, played, final, curve, falls, likely, args.per_hour)


def _placed(night: Night) -> str:
    words = (f"{night.game.bet(w.bet).name} {format_coins(w.stake)}" for w in night.wagers)
    return f"{', '.join(words)} on each of {counted(night.final.coups, 'coup')}"


def _figure(night: Night) -> Any:
    from baccarat.plots import session_figure  # slow to import

    game, final = night.game, night.final
    title = f"{game.card.name}: {_placed(night)}"
    return session_figure(title, game.card.currency, final, night.falls, night.curve)


def _tables(night: Night) -> dict[str, list[Any]]:
    final, curve, falls = night.final, night.curve, night.falls
    pairs = zip(final.values.tolist(), final.chances.tolist(), strict=True)
    tables = {
        "results": [{"net": net, "chance": chance} for net, chance in pairs],
        "falls": [
            {"depth": depth, "at_least": chance}
            for depth, chance in zip(falls.depths.tolist(), falls.at_least.tolist(), strict=True)
        ],
    }
    if curve:
        ends = zip(curve.ruined.tolist(), curve.reached.tolist(), strict=True)
        tables["ends"] = [
            {"coup": coup, "ruined": ruined, "reached": reached}
            for coup, (ruined, reached) in enumerate(ends, start=1)
        ]
    return tables


def _drawdown(played: Session, final: Final) -> Drawdown:
    """Deep enough for all that is likely, in steps of whole stakes."""
    deepest = 6 * final.standard_deviation + abs(float(final.mean))
    every = max(1, round(deepest / DEPTHS / played.stake)) * played.stake
    return played.drawdown(final.coups, limit=DEPTHS * every, every=every)


def _json(night: Night) -> dict[str, Any]:
    game, wagers, played, final, curve, falls, likely, per_hour = night
    data = header_json(game) | {
        "wagers": [{"bet": wager.bet, "stake": wager.stake} for wager in wagers],
        "coups": final.coups,
        "edge_percent": decimal_string(played.edge * 100, DIGITS),
        "mean": decimal_string(final.mean, DIGITS),
        "sd": f"{final.standard_deviation:.{DIGITS}f}",
        "cost_per_hour": decimal_string(played.cost(per_hour), DIGITS),
        "ahead": final.ahead,
        "even": final.even,
        "behind": final.behind,
        "final": {"values": final.values.tolist(), "chances": final.chances.tolist()},
        "fall_quantiles": {f"{q:g}": d for q, d in zip(QUANTILES, likely, strict=True)},
        "drawdown": {"depths": falls.depths.tolist(), "at_least": falls.at_least.tolist()},
        "error": max(final.error, falls.error, curve.error if curve else 0.0),
    }
    if curve:
        data["ruin"] = {
            "bankroll": curve.bankroll,
            "goal": curve.goal,
            "ruined": curve.ruined.tolist(),
            "reached": curve.reached.tolist(),
        }
    return data


def _print(night: Night) -> None:
    game, _, played, final, curve, _, _, per_hour = night
    out = console()
    out.print(Text(header_words(game), style="bold"))
    out.print(Text(_placed(night)))
    told = "Exact for independent coups (a shuffler); --strategy flat measures it in shoes."
    out.print(Text(told, "dim"))
    money = game.card.currency
    cost, total = format_coins(round(played.cost(per_hour))), format_coins(round(-final.mean))
    spread = format_coins(round(final.standard_deviation))
    summary = table("", "")
    for name, words in (
        ("house edge", percent_string(played.edge)),
        ("expected cost", f"{total} {money}; {cost} an hour at {per_hour} coups"),
        ("standard deviation", f"{spread} {money}"),
        ("ahead, even, behind", f"{final.ahead:.2%}, {final.even:.2%}, {final.behind:.2%}"),
    ):
        add_row(summary, [name, words])
    out.print(summary)
    likely = table("", *(f">{q:.0%}" for q in QUANTILES))
    add_row(likely, ["net result", *(format_coins(final.quantile(q)) for q in QUANTILES)])
    add_row(likely, [_fall_name(night), *map(format_coins, night.fall_quantiles)])
    out.print(likely)
    if curve:
        _print_curve(curve)


def _fall_name(night: Night) -> str:
    exactly = night.final.coups <= COUPS_FOR_EXACT_FALLS
    return "deepest fall" if exactly else "deepest fall, in whole stakes"


def _print_curve(curve: RuinCurve) -> None:
    coups = len(curve.ruined)
    places = sorted({max(1, round(coups * share)) for share in (0.1, 0.25, 0.5, 0.75, 1)})
    columns = [">by coup", f">{format_coins(curve.bankroll)} too little to go on"]
    if curve.goal is not None:
        columns.append(f">grown to {format_coins(curve.goal)}")
    listing = table(*columns)
    for t in places:
        reached = [] if curve.goal is None else [f"{curve.reached[t - 1]:.4%}"]
        add_row(listing, [f"{t:,}", f"{curve.ruined[t - 1]:.4%}", *reached])
    console().print(listing)
