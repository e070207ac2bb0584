"""`baccarat count`: find the best tags for counting a bet, and simulate what a counter wins."""

import argparse
from collections.abc import Iterator
from copy import copy
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from rich.text import Text

from baccarat.cli.shared.long_work import Outcome, add_work, do_work, seed_of
from baccarat.cli.shared.options import add_game, add_number, add_value, check_range, game_of
from baccarat.cli.shared.output import report
from baccarat.cli.shared.printing import DIGITS, Shown, attributes, signed, table
from baccarat.cli.shared.shoe_options import add_shoe, rules_json, rules_of
from baccarat.core.errors import BaccaratError, one_of
from baccarat.core.money import decimal_string, parse_number, percent_string
from baccarat.counting.study import Study, study
from baccarat.counting.tags import KINDS, LARGEST, Tags, parse_tags
from baccarat.counting.valuation import ValuationResult, ValuationRun
from baccarat.output import plots
from baccarat.simulation.true_count import MAX_TRUE_COUNT, Counted, CountResult, Wagering

RARE = 0.001
"""True counts rarer than this share of the coups are not listed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_value(parser, "bet", "BET", "the id of one of the card's bets")
    words = "ten tags, for A to 9 and 10, such as --tags=0,0,0,-1,-1,-1,-1,2,2,0 "
    add_value(parser, "--tags", "TAGS", words + "(default: the best whole tags)", type=parse_tags)
    words = f"largest tag to consider when finding the best tags (default: {LARGEST})"
    add_number(parser, "--max-tag", words)
    words = "lowest true count at which to bet (default: where the bet breaks even)"
    add_value(parser, "--min-true-count", "COUNT", words, type=parse_number, dest="at_least")
    add_number(parser, "--shoes", "number of shoes to simulate", 1_000_000)
    words = "number of shoes in which every coup is also valued exactly"
    add_number(parser, "--exact-shoes", words, 2_000)
    add_shoe(parser, shuffler=False)
    add_work(parser)


@dataclass(frozen=True)
class _Result:
    """Everything that the command reports."""

    study: Study
    counted: CountResult
    worth: ValuationResult | None
    outcome: Outcome[Counted]


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    if args.tags is not None and args.max_tag is not None:
        raise BaccaratError("--tags and --max-tag cannot be used together")
    check_range("--exact-shoes", args.exact_shoes, 0)
    asked = study(
        game, game.bet(args.bet).id, tags=args.tags, at_least=args.at_least, largest=args.max_tag
    )
    rules, seed = rules_of(args, game), seed_of(args)
    counting = asked.counting(rules, seed=seed, shoes=args.shoes)
    outcome = do_work(args, counting, unit="shoe")
    found = CountResult(counting, outcome.total)
    worth, fault = None, outcome.fault
    if args.exact_shoes and found.complete and not fault:
        worth, fault = _valued(args, asked.valuing(rules, seed=seed, shoes=args.exact_shoes))
    result = _Result(asked, found, worth, outcome)
    return report(
        args,
        _document(result),
        _shown(result),
        tables=_tables(result),
        game=game,
        draw=lambda: plots.count_figure(asked, found, worth),
        fault=fault,
    )


def _valued(
    args: argparse.Namespace, valuing: ValuationRun
) -> tuple[ValuationResult | None, BaccaratError | None]:
    """Return the exact value of the coups and the error that stopped its computation, if any.

    An error here does not affect the simulated results.
    """
    without = copy(args)
    without.checkpoint, without.device = None, "cpu"
    try:
        outcome = do_work(without, valuing, unit="shoe")
    except BaccaratError as error:
        return None, error
    except KeyboardInterrupt:
        return None, None
    return ValuationResult(valuing, outcome.total), outcome.fault


def _tables(result: _Result) -> dict[str, list[Any]]:
    run = result.counted.run
    start = {"card": run.game.card.id, "bet": run.bet, "seed": run.seed}
    tables: dict[str, list[Any]] = {"counts": [start | asdict(at) for at in result.counted.counts]}
    if result.worth:
        tables["by-position"] = [
            start | {"position": place, "coups": coups, "share_good": good, "worth_per_coup": won}
            for place, (coups, good, won) in enumerate(result.worth.by_place, start=1)
        ]
    return tables


def _document(result: _Result) -> dict[str, Any]:
    asked, found, worth = result.study, result.counted, result.worth
    best, even = asked.best, asked.best.break_even(asked.tags)
    data = {
        "bet": best.bet,
        "edge_percent": decimal_string(-best.expectation * 100, DIGITS),
        "best_tags": [decimal_string(tag, DIGITS) for tag in best.exact],
        "tags": asked.tags,
        "correlation": best.correlation(asked.tags),
        "break_even": None if even is None else decimal_string(even, DIGITS),
        "min_true_count": asked.at_least,
        "seed": found.run.seed,
        "shoe": rules_json(found.run.rules),
        "complete": found.complete,
        "shoes": found.tally.shoes,
        **attributes(found.wagering, "coups", "wagers"),
        **_wagering_json(found.wagering, "share", "mean", "mean_error"),
        "counts": [
            attributes(at, "true_count", "coups", "mean", "standard_error") for at in found.counts
        ],
    }
    if worth:
        data["exact"] = {
            "complete": worth.complete,
            "shoes": worth.tally.shoes,
            "counted": _wagering_json(worth.counted, "share", "mean"),
            "perfect": _wagering_json(worth.perfect, "share", "mean"),
        }
    return data


def _wagering_json(wagering: Wagering, *first: str) -> dict[str, float | None]:
    names = (*first, "per_shoe", "per_shoe_error", "per_100_coups")
    found = attributes(wagering, *names)
    return {name: None if figure is None else float(figure) for name, figure in found.items()}


def _shown(result: _Result) -> Shown:
    asked, found = result.study, result.counted
    run, best, game = found.run, asked.best, asked.best.game
    bet = game.bet(best.bet)
    yield Text(f"{bet.name}: house edge {percent_string(-best.expectation)} from a full shoe")
    yield table(
        ["", *(f">{kind}" for kind in KINDS), ">correlation", ">break-even count"],
        [_tag_cells("optimal tags", asked, best.exact), _tag_cells("tags used", asked, asked.tags)],
    )
    yield Text(f"Bet at a true count of {_number(asked.at_least)} or more", "bold")
    yield from result.outcome.shown(run.seed, run.rules)
    yield table(
        ["", ">shoes", ">coups bet on", ">player's edge", ">units per shoe", ">per 100 coups"],
        _wagerings(result),
    )
    if bet.requires:
        names = one_of(game.bet(other).name for other in bet.requires)
        yield Text(f"{bet.name} requires another bet, on {names}. Its cost is not included.")
    yield table(
        [">true count", ">share of coups", ">player's edge", ">± standard error"],
        _counts(result),
    )


def _tag_cells(name: str, asked: Study, tags: Tags) -> list[str]:
    even = asked.best.break_even(tags)
    return [
        name,
        *map(_number, tags),
        f"{asked.best.correlation(tags):.4f}",
        "never" if even is None else signed(float(even), ".2f"),
    ]


def _number(number: Fraction) -> str:
    """Format a number with its sign; whole numbers have no decimals, and 0 has no sign."""
    whole = number.denominator == 1
    return signed(float(number), ".0f" if whole else ".2f") if number else "0"


def _wagerings(result: _Result) -> Iterator[list[str]]:
    yield _wagering_cells("tags used, simulated", result.counted.wagering)
    if result.worth:
        yield _wagering_cells("tags used, every coup valued exactly", result.worth.counted)
        yield _wagering_cells("every coup with an edge, all cards known", result.worth.perfect)


def _wagering_cells(words: str, wagering: Wagering) -> list[str]:
    mean = wagering.mean
    return [
        words,
        f"{wagering.shoes:,}",
        f"{float(wagering.share):.3%}",
        "–" if mean is None else _plus_minus(float(mean), wagering.mean_error, ".3%"),
        _plus_minus(float(wagering.per_shoe), wagering.per_shoe_error, ".4f"),
        signed(float(wagering.per_100_coups), ".4f"),
    ]


def _plus_minus(value: float, error: float | None, form: str) -> str:
    return signed(value, form) + ("" if error is None else f" ± {error:{form}}")


def _counts(result: _Result) -> Iterator[list[Text]]:
    """Yield a row for each true count; the first and last rows include all counts beyond them."""
    beyond = {MAX_TRUE_COUNT: "≥ ", -MAX_TRUE_COUNT: "≤ "}
    for at in result.counted.counts:
        if at.share >= RARE:
            true = beyond.get(at.true_count, "") + _number(Fraction(at.true_count))
            error = "–" if at.standard_error is None else f"{at.standard_error:.3%}"
            style = "bold" if at.true_count >= result.study.at_least else ""
            cells = (true, f"{at.share:.3%}", signed(at.mean, ".3%"), error)
            yield [Text(cell, style) for cell in cells]
