"""`baccarat roads`: draw the roads of a shoe, or give them as JSON."""

import argparse
import json
import sys
from typing import Any

from baccarat.cli.common import console
from baccarat.cli.drawing_roads import render
from baccarat.roads import BigRoadEntry, Result, Roads, Tail, parse_results, roads


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "results",
        nargs="+",
        help="the results, oldest first: B, P or T, each followed by its marks, if any: p player "
        "pair, b banker pair, n natural (such as BBnPTpb); - reads them from standard input",
    )
    parser.add_argument(
        "--tail",
        choices=[tail.value for tail in Tail],
        default=Tail.STAYS_TURNED.value,
        help="what a long run does after it has turned right: it stays in its row, or it drops "
        "again where the cell below is free (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print the roads as JSON")


def run(args: argparse.Namespace) -> int:
    text = sys.stdin.read() if args.results == ["-"] else " ".join(args.results)
    shoe = roads(parse_results(text), tail=Tail(args.tail))
    if args.json:
        print(json.dumps(roads_json(shoe)))
    else:
        console().print(render(shoe))
    return 0


def roads_json(shoe: Roads) -> dict[str, Any]:
    """The roads with columns and rows as drawn, from 0."""
    return {
        "bead_plate": [
            {"column": entry.column, "row": entry.row, "winner": entry.result.winner}
            | _marks(entry.result)
            for entry in shoe.bead_plate
        ],
        "big_road": [
            {"column": entry.column, "row": entry.row, "winner": entry.winner, "ties": entry.ties}
            | _marks(entry)
            for entry in shoe.big_road
        ],
        "big_eye_boy": shoe.big_eye_boy,
        "small_road": shoe.small_road,
        "cockroach_pig": shoe.cockroach_pig,
    }


def _marks(marked: Result | BigRoadEntry) -> dict[str, list[str]]:
    """The marks' own key, or nothing at all for an entry without marks."""
    names = {
        "player pair": marked.player_pair,
        "banker pair": marked.banker_pair,
        "natural": marked.natural,
    }
    marks = [name for name, present in names.items() if present]
    return {"marks": marks} if marks else {}
