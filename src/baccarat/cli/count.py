"""`baccarat count`: the best tags for a bet, and what counting it wins."""

import argparse
from copy import copy
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from rich.text import Text

from baccarat.analysis.tags import KINDS, LARGEST, Tags, parse_tags
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
from baccarat.cli.output import report
from baccarat.cli.shoes import add_shoe, plan_json, plan_of, plan_words
from baccarat.cli.work import Outcome, add_work, do_work, seed_of
from baccarat.core.errors import BaccaratError, one_of
from baccarat.core.money import decimal_string, parse_number, percent_string, ratio
from baccarat.counting import Study, study
from baccarat.simulation.counting import FARTHEST, Counted, CountResult
from baccarat.simulation.worth import Wagering, WorthResult, WorthRun

RARE = 0.001
"""True counts rarer than this share of the coups are not listed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("bet", metavar="BET", help="the id of one of the card's bets")
    parser.add_argument(
        "--tags",
        metavar="TAGS",
        help="ten, for A to 9 and ten: --tags=0,0,0,-1,-1,-1,-1,2,2,0 (default: the best)",
    )
    parser.add_argument("--largest", type=int, help=f"of the best whole tags (default: {LARGEST})")
    parser.add_argument(
        "--from",
        dest="at_least",
        metavar="COUNT",
        help="the true count from which to wager (default: where the bet breaks even)",
    )
    parser.add_argument(
        "--shoes", type=int, default=1_000_000, help="to simulate (default: %(default)s)"
    )
    parser.add_argument(
        "--valued",
        type=int,
        default=2_000,
        metavar="SHOES",
        help="whose coups are valued exactly as well (default: %(default)s)",
    )
    add_shoe(parser)
    add_work(parser)
    add_json(parser)


@dataclass(frozen=True)
class _Told:
    """All that is told."""

    study: Study
    counted: CountResult
    worth: WorthResult | None
    outcome: Outcome[Counted]


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    if args.tags is not None and args.largest is not None:
        raise BaccaratError("--tags names the tags, --largest finds some: name one")
    if args.valued < 0:
        raise BaccaratError(f"--valued {args.valued}: 0 for none, or a number of shoes")
    tags = None if args.tags is None else parse_tags(args.tags)
    at_least = None if args.at_least is None else parse_number(args.at_least)
    asked = study(game, game.bet(args.bet).id, tags=tags, at_least=at_least, largest=args.largest)
    plan, seed = plan_of(args, game), seed_of(args)
    counting = asked.counting(plan, seed=seed, shoes=args.shoes)
    outcome = do_work(args, counting, unit="shoe")
    found = CountResult(counting, outcome.total)
    worth, fault = None, outcome.fault
    if args.valued and found.complete and not fault:
        worth, fault = _valued(args, asked.valuing(plan, seed=seed, shoes=args.valued))
    told = _Told(asked, found, worth, outcome)
    return report(
        args,
        document=_json(told),
        tables=_tables(told),
        show=lambda: _print(told),
        draw=lambda: _figure(told),
        fault=fault,
    )


def _valued(
    args: argparse.Namespace, valuing: WorthRun
) -> tuple[WorthResult | None, BaccaratError | None]:
    """What the coups were worth, and what went wrong; what was simulated is kept in any case."""
    without = copy(args)
    without.checkpoint, without.device = None, "cpu"
    try:
        outcome = do_work(without, valuing, unit="shoe")
    except BaccaratError as error:
        return None, error
    except KeyboardInterrupt:
        return None, None
    return WorthResult(valuing, outcome.total), outcome.fault


def _figure(told: _Told) -> Any:
    from baccarat.plots import count_figure  # slow to import

    return count_figure(told.study, told.counted, told.worth)


def _tables(told: _Told) -> dict[str, list[Any]]:
    run = told.counted.run
    start = {"card": run.game.card.id, "bet": run.bet, "seed": run.seed}
    tables: dict[str, list[Any]] = {
        "counts": [start | asdict(at) for at in told.counted.counts],
    }
    if told.worth:
        names = ("coups", "share_good", "worth_per_coup")
        tables["by-place"] = [
            start | {"place": place, **dict(zip(names, row, strict=True))}
            for place, row in enumerate(told.worth.by_place, start=1)
        ]
    return tables


def _json(told: _Told) -> dict[str, Any]:
    asked, found, worth = told.study, told.counted, told.worth
    best, even = asked.best, asked.break_even
    data = header_json(best.game) | {
        "bet": best.bet,
        "edge_percent": decimal_string(-best.expectation * 100, DIGITS),
        "best_tags": [decimal_string(tag, DIGITS) for tag in best.exact],
        "tags": [ratio(tag) for tag in asked.tags],
        "correlation": asked.correlation,
        "break_even": None if even is None else decimal_string(even, DIGITS),
        "from": ratio(asked.at_least),
        "seed": found.run.seed,
        "shoe": plan_json(found.run.plan),
        "complete": found.complete,
        "shoes": found.tally.shoes,
        "coups": found.coups,
        "wagers": found.wagers,
        "share": float(found.share),
        "mean": None if found.mean is None else float(found.mean),
        "mean_error": found.mean_error,
        "per_shoe": float(found.per_shoe),
        "per_shoe_error": found.per_shoe_error,
        "per_100_coups": float(found.per_100_coups),
        "counts": [
            {
                "true_count": at.true_count,
                "coups": at.coups,
                "mean": at.mean,
                "standard_error": at.standard_error,
            }
            for at in found.counts
        ],
    }
    if worth:
        data["valued"] = {
            "complete": worth.tally.shoes == worth.run.units,
            "shoes": worth.tally.shoes,
            "counted": _wagering_json(worth.counted),
            "perfect": _wagering_json(worth.perfect),
        }
    return data


def _wagering_json(wagering: Wagering) -> dict[str, Any]:
    return {
        "share": wagering.share,
        "mean": wagering.mean,
        "per_shoe": wagering.per_shoe,
        "per_shoe_error": wagering.per_shoe_error,
        "per_100_coups": wagering.per_100_coups,
    }


def _print(told: _Told) -> None:
    asked, found = told.study, told.counted
    best, out = asked.best, console()
    out.print(Text(header_words(best.game), style="bold"))
    name = best.game.bet(best.bet).name
    out.print(Text(f"{name}: house edge {percent_string(-best.expectation)} with a full shoe"))
    tags = table("", *(f">{kind}" for kind in KINDS), ">correlation", ">breaks even at")
    add_row(tags, ["best tags", *_cells(asked, best.exact)])
    add_row(tags, ["these tags", *_cells(asked, asked.tags)])
    out.print(tags)
    out.print(Text(f"Wager from true count {_signed(asked.at_least)}", style="bold"))
    out.print(Text(f"seed {found.run.seed} · {plan_words(found.run.plan)}", style="dim"))
    if not found.complete:
        left = found.run.shoes - found.tally.shoes
        out.print(Text(f"Stopped early: {counted(left, 'shoe')} not dealt.", style="yellow"))
    dealt = f"{counted(found.coups, 'coup')} in {counted(found.tally.shoes, 'shoe')}"
    out.print(Text(f"{dealt}, {told.outcome.speed()}"))
    _print_wagering(told)
    company = best.game.bet(best.bet).requires
    if company:
        names = one_of(best.game.bet(other).name for other in company)
        out.print(Text(f"{name} needs a wager on {names} beside it: its cost is not counted in."))
    _print_counts(told)


def _cells(asked: Study, tags: Tags) -> list[str]:
    even = asked.best.break_even(tags)
    return [
        *(_signed(tag) for tag in tags),
        f"{asked.best.correlation(tags):.4f}",
        "never" if even is None else f"{float(even):+.2f}".replace("-", "−"),
    ]


def _signed(number: Fraction) -> str:
    whole = number.denominator == 1
    text = f"{int(number):+d}" if whole else f"{float(number):+.2f}"
    return "0" if text == "+0" else text.replace("-", "−")


def _print_wagering(told: _Told) -> None:
    found = told.counted
    rows = table(
        "", ">shoes", ">of all coups", ">edge for the player", ">units a shoe", ">a 100 coups"
    )
    add_row(
        rows,
        [
            "these tags, simulated",
            f"{found.tally.shoes:,}",
            f"{float(found.share):.3%}",
            "–" if found.mean is None else _plus_minus(float(found.mean), found.mean_error, "%"),
            _plus_minus(float(found.per_shoe), found.per_shoe_error),
            f"{float(found.per_100_coups):+.4f}".replace("-", "−"),
        ],
    )
    if told.worth:
        for words, each in (
            ("these tags, every coup valued exactly", told.worth.counted),
            ("every coup with an edge, all cards known", told.worth.perfect),
        ):
            mean = "–" if each.mean is None else _plus_minus(each.mean, None, "%")
            per_shoe = _plus_minus(each.per_shoe, each.per_shoe_error)
            per_100 = f"{each.per_100_coups:+.4f}".replace("-", "−")
            add_row(rows, [words, f"{each.shoes:,}", f"{each.share:.3%}", mean, per_shoe, per_100])
    console().print(rows)


def _plus_minus(value: float, error: float | None, kind: str = "") -> str:
    form = "+.3%" if kind else "+.4f"
    text = format(value, form).replace("-", "−")
    return text if error is None else f"{text} ± {format(error, form[1:])}"


def _true_count(true: int) -> str:
    """The outermost stand for all beyond."""
    beyond = {FARTHEST: "≥ ", -FARTHEST: "≤ "}
    return beyond.get(true, "") + _signed(Fraction(true))


def _print_counts(told: _Told) -> None:
    listing = table(">true count", ">of all coups", ">edge for the player", ">± standard error")
    for at in told.counted.counts:
        if at.share >= RARE:
            error = "–" if at.standard_error is None else f"{at.standard_error:.3%}"
            text = f"{at.mean:+.3%}".replace("-", "−")
            style = "bold" if at.true_count >= told.study.at_least else ""
            cells = (_true_count(at.true_count), f"{at.share:.3%}", text, error)
            add_row(listing, [Text(cell, style=style) for cell in cells])
    console().print(listing)
