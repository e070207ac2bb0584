"""`baccarat records`: compare the results of real shoes with the exact figures."""

import argparse
import sys
from dataclasses import asdict
from typing import Any

from rich.text import Text

from baccarat import BaccaratError, Game
from baccarat.analysis.frequencies import event_chances, fit, standard_errors
from baccarat.analysis.records import (
    DECKS,
    Fault,
    ShoeRecord,
    Summary,
    misdealt,
    parse_records,
    read_records,
    summary,
)
from baccarat.cli.roads import roads_json
from baccarat.cli.shared.options import add_game_options, add_number, add_value, game_of
from baccarat.cli.shared.output import add_output, check_output, report
from baccarat.cli.shared.printing import DIGITS, Shown, attributes, counted, signed, table
from baccarat.cli.shared.road_drawing import Drawing
from baccarat.core.money import decimal_string, percent_string
from baccarat.core.roads import Roads, roads, statistics
from baccarat.loader import LISTED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    words = (
        "a file with one coup per line or results such as BBnPT, and a blank line between "
        "shoes; - for standard input"
    )
    add_value(parser, "files", "FILE", words, nargs="+")
    words = "compare with this rule card: a built-in id, or a .toml file"
    add_value(parser, "--card", "CARD", words)
    add_game_options(parser)
    add_number(parser, "--roads", "draw the roads of shoe number N")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    check_output(args)
    game = _game(args)
    shoes = [shoe for file in args.files for shoe in _read(file, game)]
    drawn = _drawn(shoes, args.roads)
    wrong = misdealt(shoes, game) if game else []
    found = Comparison(game, summary(shoes), wrong, drawn)
    return report(
        args,
        found.document(),
        found.shown(),
        tables={"shoes": [_row(*numbered) for numbered in enumerate(shoes, start=1)]},
        game=game,
        faults=wrong,
    )


def _game(args: argparse.Namespace) -> Game | None:
    if args.card:
        return game_of(args)
    if args.settings or args.decks or args.readings:
        raise BaccaratError("--set, --decks and --reading require a rule card: add --card CARD")
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
        raise BaccaratError(
            f"--roads {number}: must be between 1 and {len(shoes)}, the number of shoes"
        )
    return roads(shoes[number - 1].results)


def _row(number: int, shoe: ShoeRecord) -> dict[str, Any]:
    start = {"shoe": number, "file": shoe.file, "line": shoe.line, "coups": len(shoe.entries)}
    return start | asdict(statistics(shoe.results))


class Comparison:
    """The results of some records, compared with the exact figures of a game if one is given."""

    def __init__(
        self, game: Game | None, found: Summary, wrong: list[Fault], drawn: Roads | None
    ) -> None:
        self.found, self.wrong, self.drawn = found, wrong, drawn
        self.chances = event_chances(game) if game else {}
        self.fit = fit(found.results, self.chances) if game else None
        self.events = {name: (n, found.coups) for name, n in found.results.items()} | {
            "player_pair": (found.player_pairs, found.pairs_noted),
            "banker_pair": (found.banker_pairs, found.pairs_noted),
            "natural": (found.naturals, found.naturals_noted),
        }
        """For each event, how often it occurred, and in how many coups it was recorded."""

    def document(self) -> dict[str, Any]:
        found = self.found
        data: dict[str, Any] = {
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
                **attributes(self.fit, "freedom", "p_value"),
            }
            data["misdealt"] = [asdict(fault) for fault in self.wrong]
        if self.drawn:
            data["roads"] = roads_json(self.drawn)
        return data

    def _event_json(self, name: str, seen: int, of: int) -> dict[str, Any]:
        data: dict[str, Any] = {"id": name, "seen": seen, "of": of}
        if self.chances:
            chance = self.chances[name]
            data["chance"] = chance
            data["standard_errors"] = round(standard_errors(seen, of, chance), DIGITS)
        return data

    def shown(self) -> Shown:
        found = self.found
        per_shoe = f"{float(found.coups_per_shoe):.1f} per shoe ({found.fewest} to {found.most})"
        yield f"{counted(found.coups, 'coup')} in {counted(found.shoes, 'shoe')}, {per_shoe}"
        exact = (">exact, full shoe", ">z-score") if self.chances else ()
        yield table(
            ["event", ">seen", ">coups", ">share", *exact],
            (self._cells(name, seen, of) for name, (seen, of) in self.events.items() if of),
        )
        if self.fit:
            yield Text(
                f"Chi-square test of the results: {self.fit.statistic:.2f} with "
                f"{self.fit.freedom} degrees of freedom, p = {self.fit.p_value:.1%}"
            )
        yield table(
            [">run length", ">player", ">banker"],
            ([f"{n:,}" for n in (length, *runs.values())] for length, runs in found.runs.items()),
        )
        if self.drawn:
            yield Drawing(self.drawn)
        if self.wrong:
            yield Text("Coups that do not follow the rules of the card:", "yellow")
        yield from (Text(f"  {fault}") for fault in self.wrong[:LISTED])
        if len(self.wrong) > LISTED:
            yield f"  … and {len(self.wrong) - LISTED} more (--json lists all)"

    def _cells(self, name: str, seen: int, of: int) -> list[str]:
        cells = [name.replace("_", " ").capitalize(), f"{seen:,}", f"{of:,}", f"{seen / of:.4%}"]
        if self.chances:
            chance = self.chances[name]
            cells += [percent_string(chance), signed(standard_errors(seen, of, chance), ".2f")]
        return cells
