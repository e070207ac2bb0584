"""`baccarat simulate`: whole shoes at full speed, the exact figures beside."""

import argparse
import secrets
import sys
import time
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from baccarat.analysis.edges import analyse
from baccarat.cli.common import (
    DIGITS,
    add_game,
    add_json,
    add_row,
    console,
    game_of,
    header_json,
    header_words,
    print_json,
    table,
)
from baccarat.core.errors import BaccaratError
from baccarat.core.money import decimal_string, percent_string, ratio
from baccarat.shoe import CUT, Burn
from baccarat.simulation.plan import shoe_plan
from baccarat.simulation.run import Run, Simulation, simulate

MOST_THREADS = 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--shoes", type=int, default=100_000, help="how many (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, help="the number that all cards follow from")
    parser.add_argument("--cut", type=int, help=f"cards behind the cut card (default: {CUT})")
    parser.add_argument(
        "--burn", choices=[str(rule) for rule in Burn], help="cards burned first (default: none)"
    )
    parser.add_argument("--one-more", action="store_true", help="one more coup after the cut card")
    parser.add_argument("--shuffler", action="store_true", help="a full shoe for every coup")
    parser.add_argument("--by-place", action="store_true", help="results by place in the shoe")
    parser.add_argument("--threads", type=int, help="how many to use (default: all cores)")
    parser.add_argument(
        "--checkpoint",
        type=Path,
        metavar="FILE",
        help="keep what is done there, and go on from it after an interruption",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.threads is not None and not 1 <= args.threads <= MOST_THREADS:
        raise BaccaratError(f"--threads {args.threads}: 1 to {MOST_THREADS} is allowed")
    game = game_of(args)
    if args.shuffler and (args.cut is not None or args.burn is not None or args.one_more):
        raise BaccaratError("a shuffler has no cut card and burns nothing: name one or the other")
    if args.checkpoint and args.seed is None:
        raise BaccaratError("--checkpoint goes on with the same cards only: add --seed N")
    seed = secrets.randbits(63) if args.seed is None else args.seed
    plan = shoe_plan(
        game,
        cut=CUT if args.cut is None else args.cut,
        burn=Burn(args.burn or Burn.NONE),
        coups_after_cut=int(args.one_more),
        shuffler=args.shuffler,
    )
    asked = Run(game, plan, seed, args.shoes, by_place=args.by_place)
    started = time.perf_counter()
    done = _with_progress(asked, args.threads, args.checkpoint)
    seconds = time.perf_counter() - started
    if args.json:
        print_json(_json(done))
    else:
        _print(done, seconds)
    return 0


def _with_progress(asked: Run, threads: int | None, checkpoint: Path | None) -> Simulation:
    """A bar on standard error, for people who wait at a terminal."""
    columns = (
        BarColumn(),
        TextColumn("{task.completed:,} of {task.total:,} shoes"),
        TimeRemainingColumn(),
    )
    waiting = sys.stderr.isatty()
    with Progress(
        *columns, console=console(sys.stderr), transient=True, disable=not waiting
    ) as bar:
        task = bar.add_task("simulate", total=asked.shoes)

        def show(shoes: int) -> None:
            bar.update(task, completed=shoes)

        return simulate(asked, threads=threads, progress=show, checkpoint=checkpoint)


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


def _print(done: Simulation, seconds: float) -> None:
    out = console()
    out.print(Text(header_words(done.run.game), style="bold"))
    plan = done.run.plan
    shoe = "a shuffler" if plan.shuffler else f"shoes, cut card at {plan.cut}, burn: {plan.burn}"
    if plan.coups_after_cut:
        shoe += ", one more coup after the cut card"
    out.print(Text(f"seed {done.run.seed} · {shoe}", style="dim"))
    if not done.complete:
        left = done.run.shoes - done.tally.shoes
        out.print(Text(f"Stopped early: {left:,} shoes were not dealt.", style="yellow"))
    coups = f"{done.coups:,} coups in {done.tally.shoes:,} shoes"
    speed = f"{done.coups / max(seconds, 1e-9) / 1e6:,.1f} million a second"
    out.print(Text(f"{coups}, {seconds:.2f} s, {speed}"))
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
