"""`baccarat simulate`: simulate whole shoes and compare the results with the exact figures."""

import argparse
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, BinaryIO

from baccarat.cli.shared.long_work import Outcome, add_work, do_work, seed_of, watching
from baccarat.cli.shared.options import add_file, add_game, add_number, game_of
from baccarat.cli.shared.output import report
from baccarat.cli.shared.printing import DIGITS, Shown, attributes, table
from baccarat.cli.shared.shoe_options import add_shoe, rules_json, rules_of
from baccarat.core.money import decimal_string, percent_string
from baccarat.files import check_folder
from baccarat.output import plots
from baccarat.simulation.export import check_export, write_shoes
from baccarat.simulation.run import Run, Simulation, Tally

Edges = Mapping[str, Fraction]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_number(parser, "--shoes", "number of shoes to simulate", 100_000)
    add_shoe(parser)
    words = "also count results by position in the shoe"
    parser.add_argument("--by-position", action="store_true", help=words)
    add_file(parser, "--export", "write every coup to a file that `baccarat records` can read")
    add_work(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    rules = rules_of(args, game)
    asked = Run(game, rules, seed_of(args), args.shoes, by_place=args.by_position)
    if args.export:
        check_folder(args.export)
        check_export(asked.shoes)
    outcome = do_work(args, asked, unit="shoe")
    done = Simulation(asked, outcome.total)
    exact = {bet: figures.edge for bet, figures in game.analyse().items()}
    return report(
        args,
        _document(done, exact),
        _shown(done, exact, outcome),
        tables=_tables(done, exact),
        game=game,
        draw=lambda: plots.simulation_figure(done, exact),
        fault=outcome.fault,
        export=lambda file: _export(done, file),
    )


def _export(done: Simulation, file: BinaryIO) -> None:
    shoes = done.tally.shoes
    with watching(shoes, "shoe") as watch:
        write_shoes(done.run, shoes, file, watch.update)


def _document(done: Simulation, exact: Edges) -> dict[str, Any]:
    data = {
        "seed": done.run.seed,
        "shoe": rules_json(done.run.rules),
        "complete": done.complete,
        "shoes": done.tally.shoes,
        "coups": done.coups,
        "results": done.results,
        "bets": [
            {
                "id": bet.id,
                "edge": -bet.mean,
                "edge_percent": decimal_string(-bet.mean * 100, DIGITS),
                "standard_error_percent": None
                if bet.standard_error is None
                else f"{bet.standard_error * 100:.{DIGITS}f}",
                "exact_percent": decimal_string(exact[bet.id] * 100, DIGITS),
            }
            for bet in done.bets
        ],
    }
    if done.run.by_place:
        data["by_position"] = [attributes(place, "coups", "results") for place in done.places]
    return data


def _tables(done: Simulation, exact: Edges) -> dict[str, list[Any]]:
    game = done.run.game
    start = {"card": game.card.id, "decks": game.decks, "seed": done.run.seed}
    start |= {"shoes": done.tally.shoes}
    bets = [
        start
        | {
            "coups": done.coups,
            "bet": bet.id,
            "edge": -bet.mean,
            "standard_error": bet.standard_error,
            "full_shoe_edge": exact[bet.id],
        }
        for bet in done.bets
    ]
    if not done.run.by_place:
        return {"bets": bets}
    places = [
        start | {"position": place.number, "coups": place.coups} | place.results
        for place in done.places
    ]
    return {"bets": bets, "by-position": places}


def _shown(done: Simulation, exact: Edges, outcome: Outcome[Tally]) -> Shown:
    run = done.run
    yield from outcome.shown(run.seed, run.rules)
    yield table(
        ["result", ">coups", ">share"],
        (
            [name.capitalize(), f"{n:,}", f"{n / done.coups:.4%}"]
            for name, n in done.results.items()
        ),
    )
    yield table(
        ["bet", ">house edge", ">± standard error", ">exact, full shoe"],
        (
            [
                run.game.bet(bet.id).name,
                percent_string(-bet.mean),
                "–" if bet.standard_error is None else f"{bet.standard_error:.4%}",
                percent_string(exact[bet.id]),
            ]
            for bet in done.bets
        ),
    )
    if run.by_place:
        yield table(
            [">coup of the shoe", ">dealt", ">player", ">banker", ">tie"],
            (
                [
                    str(place.number),
                    f"{place.coups:,}",
                    *(f"{n / place.coups:.3%}" for n in place.results.values()),
                ]
                for place in done.places
            ),
        )
