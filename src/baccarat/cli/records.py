"""`baccarat records`: what real shoes came to, against what is exact."""

import argparse
import sys
from dataclasses import asdict
from typing import Any

from rich.text import Text

from baccarat.analysis.frequencies import event_chances, fit, standard_errors
from baccarat.cli.common import (
    DIGITS,
    add_game_options,
    add_json,
    add_row,
    console,
    counted,
    game_of,
    header_json,
    header_words,
    table,
)
from baccarat.cli.drawing_roads import render
from baccarat.cli.output import add_output, check_output, report
from baccarat.cli.roads import roads_json
from baccarat.core.errors import BaccaratError
from baccarat.core.money import decimal_string, percent_string, ratio
from baccarat.core.rulecard import Game
from baccarat.records import (
    DECKS,
    LISTED,
    Fault,
    ShoeRecord,
    Summary,
    misdealt,
    parse_records,
    read_records,
    summary,
)
from baccarat.roads import Roads, roads, statistics

FAULTS_FOUND = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a record: one coup a line, or results such as BBnPT, a blank line between shoes; "
        "- reads standard input",
    )
    parser.add_argument("--card", metavar="CARD", help="the game that was dealt, to compare with")
    add_game_options(parser)
    parser.add_argument("--roads", type=int, metavar="N", help="draw the roads of the N-th shoe")
    add_output(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_output(args)
    game = _game(args)
    shoes = [shoe for file in args.files for shoe in _read(file, game)]
    found = summary(shoes)
    drawn = _drawn(shoes, args.roads)
    wrong = misdealt(shoes, game) if game else []
    told = Told(game, found, wrong, drawn)
    tables = {"shoes": [_row(*numbered) for numbered in enumerate(shoes, start=1)]}
    report(args, document=told.json(), tables=tables, show=told.show)
    return FAULTS_FOUND if wrong else 0


def _game(args: argparse.Namespace) -> Game | None:
    if args.card:
        return game_of(args)
    if args.settings or args.decks or args.readings:
        raise BaccaratError("--set, --decks and --reading are of a game: add --card CARD")
    return None


def _read(file: str, game: Game | None) -> tuple[ShoeRecord, ...]:
    decks = game.decks if game else DECKS
    if file == "-":
        return parse_records(sys.stdin.read(), "standard input", decks=decks)
    return read_records(file, decks=decks)


def _drawn(shoes: list[ShoeRecord], number: int | None) -> Roads | None:
    if number is None:
        return None
    if not 1 <= number <= len(shoes):
        raise BaccaratError(f"--roads {number}: there are shoes 1 to {len(shoes)}")
    return roads(shoes[number - 1].results)


def _row(number: int, shoe: ShoeRecord) -> dict[str, Any]:
    start = {"shoe": number, "file": shoe.file, "line": shoe.line, "coups": len(shoe.entries)}
    return start | asdict(statistics(shoe.results))


class Told:
    """All that is told of some records."""

    def __init__(
        self, game: Game | None, found: Summary, wrong: list[Fault], drawn: Roads | None
    ) -> None:
        self.game, self.found, self.wrong, self.drawn = game, found, wrong, drawn
        self.chances = event_chances(game) if game else {}
        self.fit = fit(found.results, self.chances) if game else None
        self.events = {name: (n, found.coups) for name, n in found.results.items()} | {
            "player_pair": (found.player_pairs, found.pairs_noted),
            "banker_pair": (found.banker_pairs, found.pairs_noted),
            "natural": (found.naturals, found.naturals_noted),
        }
        """For each event: how often it was seen, in how many coups."""

    def json(self) -> dict[str, Any]:
        found = self.found
        data: dict[str, Any] = header_json(self.game) if self.game else {}
        data |= {
            "shoes": found.shoes,
            "coups": found.coups,
            "coups_per_shoe": {
                "mean": decimal_string(found.coups_per_shoe, DIGITS),
                "fewest": found.fewest,
                "most": found.most,
            },
            "events": [self._event_json(name, *counts) for name, counts in self.events.items()],
            "runs": [{"length": length} | runs for length, runs in found.runs.items()],
        }
        if self.fit:
            data["chi_square"] = {
                "statistic": round(self.fit.statistic, DIGITS),
                "freedom": self.fit.freedom,
                "p_value": self.fit.p_value,
            }
            data["misdealt"] = [asdict(fault) for fault in self.wrong]
        if self.drawn:
            data["roads"] = roads_json(self.drawn)
        return data

    def _event_json(self, name: str, seen: int, of: int) -> dict[str, Any]:
        data: dict[str, Any] = {"id": name, "seen": seen, "of": of}
        if self.chances:
            chance = self.chances[name]
            data["chance"] = ratio(chance)
            data["standard_errors"] = round(standard_errors(seen, of, chance), DIGITS)
        return data

    def show(self) -> None:
        out, found = console(), self.found
        if self.game:
            out.print(Text(header_words(self.game), style="bold"))
        per_shoe = f"{float(found.coups_per_shoe):.1f} a shoe ({found.fewest} to {found.most})"
        out.print(f"{counted(found.coups, 'coup')} in {counted(found.shoes, 'shoe')}, {per_shoe}")
        columns = (">exact, full shoe", ">standard errors off") if self.chances else ()
        events = table("event", ">seen", ">of coups", ">share", *columns)
        for name, (seen, of) in self.events.items():
            if of:
                add_row(events, self._cells(name, seen, of))
        out.print(events)
        if self.fit:
            out.print(
                f"Chi-square of the results {self.fit.statistic:.2f}, {self.fit.freedom} degrees "
                f"of freedom: chance alone gives as much in {self.fit.p_value:.1%} of records."
            )
        runs = table(">run of", ">player", ">banker")
        for length, counts in found.runs.items():
            add_row(runs, [str(length), f"{counts['player']:,}", f"{counts['banker']:,}"])
        out.print(runs)
        if self.drawn:
            out.print(render(self.drawn))
        self._show_wrong()

    def _cells(self, name: str, seen: int, of: int) -> list[str]:
        cells = [name.replace("_", " ").capitalize(), f"{seen:,}", f"{of:,}", f"{seen / of:.4%}"]
        if self.chances:
            chance = self.chances[name]
            cells += [
                percent_string(chance),
                f"{standard_errors(seen, of, chance):+.2f}".replace("-", "−"),
            ]
        return cells

    def _show_wrong(self) -> None:
        out = console()
        if self.wrong:
            out.print(Text("Not as the card deals:", style="yellow"))
        for fault in self.wrong[:LISTED]:
            out.print(Text(f"  {fault}"))
        if len(self.wrong) > LISTED:
            out.print(f"  … and {len(self.wrong) - LISTED} more (--json lists all)")
