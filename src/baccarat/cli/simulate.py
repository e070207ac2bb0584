"""`baccarat simulate`: whole shoes at full speed, the exact figures beside."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

from rich.text import Text

from baccarat.analysis.edges import analyse
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
from baccarat.cli.work import Outcome, add_work, do_work, seed_of, watching
from baccarat.core.money import decimal_string, percent_string, ratio
from baccarat.files import check_folder
from baccarat.simulation.export import check_export, write_shoes
from baccarat.simulation.run import Run, Simulation, Tally


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--shoes", type=int, default=100_000, help="how many (default: %(default)s)"
    )
    add_shoe(parser)
    parser.add_argument("--by-place", action="store_true", help="results by place in the shoe")
    parser.add_argument(
        "--export", type=Path, metavar="FILE", help="write every coup down, to be read by `records`"
    )
    add_work(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    plan = plan_of(args, game)
    asked = Run(game, plan, seed_of(args), args.shoes, by_place=args.by_place)
    if args.export:
        check_folder(args.export)
        check_export(asked.shoes)
    outcome = do_work(args, asked, unit="shoe")
    done = Simulation(asked, outcome.total)
    return report(
        args,
        document=_json(done),
        tables=_tables(done),
        show=lambda: _print(done, outcome),
        draw=lambda: _figure(done),
        fault=outcome.fault,
        files=_exports(args, done),
    )


def _figure(done: Simulation) -> Any:
    from baccarat.plots import simulation_figure  # slow to import

    exact = analyse(done.run.game)
    return simulation_figure(done, {bet.id: exact[bet.id].edge for bet in done.run.game.bets})


def _exports(args: argparse.Namespace, done: Simulation) -> dict[Path, Callable[[BinaryIO], None]]:
    if not args.export:
        return {}

    def write(file: BinaryIO) -> None:
        shoes = done.tally.shoes
        with watching(shoes, "shoe") as watch:
            write_shoes(done.run, shoes, file, watch.told)

    return {args.export: write}


def _json(done: Simulation) -> dict[str, Any]:
    plan, exact = done.run.plan, analyse(done.run.game)
    data = header_json(done.run.game) | {
        "seed": done.run.seed,
        "shoe": plan_json(plan),
        "complete": done.complete,
        "shoes": done.tally.shoes,
        "coups": done.coups,
        "results": done.results,
        "bets": [
            {
                "id": bet.id,
                "edge": ratio(-bet.mean),
                "edge_percent": decimal_string(-bet.mean * 100, DIGITS),
                "standard_error_percent": _error_json(bet.standard_error),
                "exact_percent": decimal_string(exact[bet.id].edge * 100, DIGITS),
            }
            for bet in done.bets
        ],
    }
    if done.run.by_place:
        data["by_place"] = [
            {"coups": place.coups, "results": place.results} for place in done.places
        ]
    return data


@dataclass(frozen=True)
class BetRow:
    """One bet in a table for other programs."""

    card: str
    decks: int
    seed: int
    shoes: int
    coups: int
    bet: str
    edge: Fraction
    standard_error: float | None
    full_shoe_edge: Fraction


@dataclass(frozen=True)
class PlaceRow:
    """One place in the shoe, likewise."""

    card: str
    decks: int
    seed: int
    shoes: int
    place: int
    coups: int
    player: int
    banker: int
    tie: int


def _tables(done: Simulation) -> dict[str, list[Any]]:
    game, exact = done.run.game, analyse(done.run.game)
    start = (game.card.id, game.decks, done.run.seed, done.tally.shoes)
    bets = [
        BetRow(*start, done.coups, bet.id, -bet.mean, bet.standard_error, exact[bet.id].edge)
        for bet in done.bets
    ]
    if not done.run.by_place:
        return {"bets": bets}
    places = [PlaceRow(*start, one.number, one.coups, *one.results.values()) for one in done.places]
    return {"bets": bets, "by-place": places}


def _error_json(error: float | None) -> str | None:
    return None if error is None else f"{error * 100:.{DIGITS}f}"


def _error_words(error: float | None) -> str:
    return "–" if error is None else f"{error:.4%}"


def _print(done: Simulation, outcome: Outcome[Tally]) -> None:
    out = console()
    out.print(Text(header_words(done.run.game), style="bold"))
    out.print(Text(f"seed {done.run.seed} · {plan_words(done.run.plan)}", style="dim"))
    if not done.complete:
        left = done.run.shoes - done.tally.shoes
        were = "was" if left == 1 else "were"
        out.print(Text(f"Stopped early: {counted(left, 'shoe')} {were} not dealt.", style="yellow"))
    dealt = f"{counted(done.coups, 'coup')} in {counted(done.tally.shoes, 'shoe')}"
    out.print(Text(f"{dealt}, {outcome.speed()}"))
    results = table("result", ">coups", ">share")
    for name, n in done.results.items():
        add_row(results, [name.capitalize(), f"{n:,}", f"{n / done.coups:.4%}"])
    out.print(results)
    exact = analyse(done.run.game)
    bets = table("bet", ">house edge", ">± standard error", ">exact, full shoe")
    for bet in done.bets:
        edge, error = percent_string(-bet.mean), _error_words(bet.standard_error)
        name = done.run.game.bet(bet.id).name
        add_row(bets, [name, edge, error, percent_string(exact[bet.id].edge)])
    out.print(bets)
    if done.run.by_place:
        _print_places(done)


def _print_places(done: Simulation) -> None:
    places = table(">coup", ">dealt", ">player", ">banker", ">tie")
    for place in done.places:
        shares = [f"{n / place.coups:.3%}" for n in place.results.values()]
        add_row(places, [str(place.number), f"{place.coups:,}", *shares])
    console().print(places)
