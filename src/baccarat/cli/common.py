"""What the commands share: naming a game, printing tables and JSON."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from baccarat.core.cards import parse_cards
from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.loader import load
from baccarat.poster import PAPERS

DIGITS = 10
"""Decimals of percentages and variances in JSON."""

PLAIN_WIDTH = 200
"""Columns when nobody's terminal says otherwise: nothing is cut off in a pipe."""

NARROWEST = 80
"""Narrower terminals wrap lines themselves: a wrapped figure is better than a shortened one."""


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def add_game(parser: argparse.ArgumentParser, *, or_all: bool = False) -> None:
    """Options that say which game is meant, or with `or_all` that every built-in one is."""
    many: dict[str, Any] = {"nargs": "?"} if or_all else {}
    parser.add_argument(
        "card", metavar="CARD", help="a built-in card's id, or a .toml file", **many
    )
    if or_all:
        parser.add_argument("--all", action="store_true", help="every built-in card")
    add_game_options(parser)


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """What says more of the game than its card's name."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="settings",
        help="a parameter, such as tie_odds=8:1 or double_chance=10%% (repeatable)",
    )
    parser.add_argument("--decks", metavar="N", help="short for --set decks=N")
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="A1=READING",
        dest="readings",
        help="how to read an ambiguity, such as A3=literal (repeatable)",
    )


def add_sheet(parser: argparse.ArgumentParser, output: str) -> None:
    """Where a sheet goes, and on what paper."""
    parser.add_argument("-o", "--output", metavar="FILE", help=output)
    parser.add_argument("--paper", choices=PAPERS, help="the format of the sheet (a4)")


def tell_files(paths: Sequence[Path], *, as_json: bool) -> None:
    """Say which files were written."""
    if as_json:
        print_json({"files": [str(path) for path in paths]})
    else:
        for path in paths:
            print(f"Written: {path}")


def add_removed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--removed",
        default="",
        metavar="CARDS",
        help='cards gone from the shoe, such as "8x3,K,Ah"; one without a suit is taken evenly '
        "from the suits",
    )


def game_of(args: argparse.Namespace, card: str | None = None) -> Game:
    """The game these options name; of another card, if one is given."""
    settings = _pairs(args.settings, "--set", "NAME=VALUE")
    if args.decks is not None and settings.setdefault("decks", args.decks) != args.decks:
        raise BaccaratError(f"--decks {args.decks} and --set decks={settings['decks']}: name one")
    return load(card or args.card).game(settings, _pairs(args.readings, "--reading", "A1=READING"))


def removed_json(text: str) -> dict[str, int]:
    """The removed cards and how many of each."""
    counts: dict[str, int] = {}
    for card in parse_cards(text):
        counts[str(card)] = counts.get(str(card), 0) + 1
    return counts


def header_json(game: Game) -> dict[str, Any]:
    """What says under which rules a figure holds."""
    return {
        "card": game.card.id,
        "decks": game.decks,
        "parameters": {name: ratio(value) for name, value in game.parameters.items()},
        "readings": dict(game.readings),
    }


def header_words(game: Game) -> str:
    """The same for people."""
    parameters = game.card.parameters
    parts = [f"{game.card.name} ({game.card.id})"]
    for name, value in game.parameters.items():
        fixed = parameters[name].set_by == "poster" and value != parameters[name].default
        by_poster = f" (poster: {parameters[name].format(parameters[name].default)})"
        parts.append(f"{name} {parameters[name].format(value)}{by_poster if fixed else ''}")
    parts += [f"{name} {reading}" for name, reading in game.readings.items()]
    return " · ".join(parts)


def counted(n: int, noun: str) -> str:
    """'1 shoe', '2,000 shoes'."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # rich would end the program with status 1; ours ends with 0


def console(file: TextIO | None = None) -> Console:
    """Standard output, or another: styled on a terminal, plain otherwise."""
    file = file or sys.stdout
    if file.isatty():
        out = _Console(highlight=False, file=file)
        out.width = max(out.width, NARROWEST)
        return out
    return _Console(highlight=False, width=PLAIN_WIDTH, color_system=None, file=file)


def table(*columns: str, gap: int = 2) -> Table:
    """A quiet table; a column whose name starts with > is aligned to the right."""
    made = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    for column in columns:
        right = column.startswith(">")
        made.add_column(
            column.lstrip(">"), justify="right" if right else "left", header_style="dim"
        )
    return made


def add_row(to: Table, cells: Sequence[str | Text]) -> None:
    to.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in cells))


def _pairs(words: Sequence[str], option: str, form: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise BaccaratError(f"{option} {word!r}: write {option} {form}")
        if pairs.setdefault(name.strip(), value.strip()) != value.strip():
            raise BaccaratError(f"{option} gives {name!r} twice: {pairs[name]} and {value}")
    return pairs
