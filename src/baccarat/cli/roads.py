"""`baccarat roads`: draw the roads of a shoe, or print them as JSON."""

import argparse
import sys
from typing import Any

from baccarat.cli.shared.options import add_choice, add_value
from baccarat.cli.shared.printing import answer, attributes
from baccarat.cli.shared.road_drawing import Drawing
from baccarat.core.roads import BeadEntry, Roads, Tail, parse_results, roads


def add_arguments(parser: argparse.ArgumentParser) -> None:
    words = (
        "results, oldest first: B, P or T, each with optional marks (p player pair, b banker "
        "pair, n natural), such as BBnPTpb; - for standard input"
    )
    add_value(parser, "results", "RESULTS", words, nargs="+")
    words = (
        "how a run continues after it has turned right: in the same row, or down again where "
        "the cell below is free"
    )
    add_choice(parser, "--dragon-tail", Tail, words, Tail.STAYS_TURNED.value)


def run(args: argparse.Namespace) -> int:
    text = sys.stdin.read() if args.results == ["-"] else " ".join(args.results)
    shoe = roads(parse_results(text), tail=Tail(args.dragon_tail))
    return answer(args, roads_json(shoe), [Drawing(shoe)])


def roads_json(shoe: Roads) -> dict[str, Any]:
    """Return the roads for JSON, with columns and rows as drawn, numbered from 0."""
    return {
        "bead_plate": [_entry(entry) for entry in shoe.bead_plate],
        "big_road": [_entry(entry, ties=entry.ties) for entry in shoe.big_road],
        **attributes(shoe, "big_eye_boy", "small_road", "cockroach_pig"),
    }


def _entry(entry: BeadEntry, **more: int) -> dict[str, Any]:
    """Return an entry for JSON; the key "marks" is present only if the entry has any."""
    marks = [
        name
        for name in ("player pair", "banker pair", "natural")
        if getattr(entry.result, name.replace(" ", "_"))
    ]
    data = attributes(entry, "column", "row") | {"winner": entry.result.winner.letter} | more
    return data | ({"marks": marks} if marks else {})
