"""`baccarat simulate`: whole shoes at full speed, the exact figures beside."""

import argparse
from typing import Any

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
    print_json,
    table,
)
from baccarat.cli.work import Outcome, add_work, do_work, seed_of
from baccarat.core.errors import BaccaratError
from baccarat.core.money import decimal_string, percent_string, ratio
from baccarat.shoe import CUT, Burn
from baccarat.simulation.plan import shoe_plan
from baccarat.simulation.run import Run, Simulation, Tally


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--shoes", type=int, default=100_000, help="how many (default: %(default)s)"
    )
    parser.add_argument("--cut", type=int, help=f"cards behind the cut card (default: {CUT})")
    parser.add_argument(
        "--burn", choices=[str(rule) for rule in Burn], help="cards burned first (default: none)"
    )
    parser.add_argument("--one-more", action="store_true", help="one more coup after the cut card")
    parser.add_argument("--shuffler", action="store_true", help="a full shoe for every coup")
    parser.add_argument("--by-place", action="store_true", help="results by place in the shoe")
    add_work(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    if args.shuffler and (args.cut is not None or args.burn is not None or args.one_more):
        raise BaccaratError("a shuffler has no cut card and burns nothing: name one or the other")
    plan = shoe_plan(
        game,
        cut=CUT if args.cut is None else args.cut,
        burn=Burn(args.burn or Burn.NONE),
        coups_after_cut=int(args.one_more),
        shuffler=args.shuffler,
    )
    asked = Run(game, plan, seed_of(args), args.shoes, by_place=args.by_place)
    outcome = do_work(args, asked, unit="shoe")
    done = Simulation(asked, outcome.total)
    if args.json:
        print_json(_json(done))
    else:
        _print(done, outcome)
    return outcome.status()


def _json(done: Simulation) -> dict[str, Any]:
    plan, exact = done.run.plan, analyse(done.run.game)
    data = header_json(done.run.game) | {
        "seed": done.run.seed,
        "shoe": {
            "cut": plan.cut,
            "burn": str(plan.burn),
            "one_more": bool(plan.coups_after_cut),
            "shuffler": plan.shuffler,
        },
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


def _error_json(error: float | None) -> str | None:
    return None if error is None else f"{error * 100:.{DIGITS}f}"


def _error_words(error: float | None) -> str:
    return "–" if error is None else f"{error:.4%}"


def _print(done: Simulation, outcome: Outcome[Tally]) -> None:
    out = console()
    out.print(Text(header_words(done.run.game), style="bold"))
    plan = done.run.plan
    shoe = "a shuffler" if plan.shuffler else f"shoes, cut card at {plan.cut}, burn: {plan.burn}"
    if plan.coups_after_cut:
        shoe += ", one more coup after the cut card"
    out.print(Text(f"seed {done.run.seed} · {shoe}", style="dim"))
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
    for number, place in enumerate(done.places, start=1):
        shares = [f"{n / place.coups:.3%}" for n in place.results.values()]
        add_row(places, [str(number), f"{place.coups:,}", *shares])
    console().print(places)
