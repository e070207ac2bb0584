"""What commands print: JSON for programs, text and tables for people."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TextIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from baccarat.cli import DONE, FAULTS_FOUND
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game

Shown = Iterable[RenderableType]
"""What people see: lines, texts and tables."""

DIGITS = 10
"""Decimals of percentages and variances in JSON."""

PLAIN_WIDTH = 200
"""Columns without a terminal, so that nothing is cut off in a pipe."""

NARROWEST = 80
"""Minimum columns; narrower terminals wrap lines themselves, which is better than truncating
figures."""


def answer(
    args: argparse.Namespace,
    document: Mapping[str, Any],
    shown: Shown,
    *,
    game: Game | None = None,
    faults: object = None,
) -> int:
    """Print a command's result and return its exit status.

    `document` is what `--json` prints, `shown` what people see; both begin with the game whose
    rules the figures are for. With `faults`, the exit status reports that some were found.
    """
    if args.json:
        print(json_text(with_header(document, game)))
    else:
        show([header(game)] if game else [])
        show(shown)
    return FAULTS_FOUND if faults else DONE


def with_header(document: Mapping[str, Any], game: Game | None) -> dict[str, Any]:
    """Return the document, preceded by the rules that its figures are for."""
    if game is None:
        return dict(document)
    rules = {"parameters": dict(game.parameters), "readings": dict(game.readings)}
    return {"card": game.card.id, "decks": game.decks, **rules, **document}


def header(game: Game) -> Text:
    """Return the rules that figures are for, in words."""
    parts = [f"{game.card.name} ({game.card.id})"]
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        changed = parameter.set_by == "poster" and value != parameter.default
        poster = f" (poster: {parameter.format(parameter.default)})" if changed else ""
        parts.append(f"{name} {parameter.format(value)}{poster}")
    parts += [f"{name} {reading}" for name, reading in game.readings.items()]
    return Text(" · ".join(parts), "bold")


def json_text(document: Any) -> str:
    """Return a document as JSON text; fractions are written exactly, as '8/1'."""
    return json.dumps(document, indent=2, ensure_ascii=False, default=_in_json)


def _in_json(value: object) -> str:
    if isinstance(value, Fraction):
        return ratio(value)
    raise TypeError(f"{value!r} cannot be written as JSON")


def attributes(thing: object, *names: str) -> dict[str, Any]:
    """Return these attributes of an object by name."""
    return {name: getattr(thing, name) for name in names}


def show(things: Iterable[RenderableType]) -> None:
    """Print strings as they are, and everything else as wide as the terminal."""
    out = console()
    for thing in things:
        if isinstance(thing, str):
            print(thing)
        else:
            out.print(thing)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # rich would exit with status 1; this program exits with 0


def console(file: TextIO | None = None) -> Console:
    """Return a console for standard output or a file: styled on a terminal, plain otherwise."""
    file = file or sys.stdout
    if file.isatty():
        out = _Console(highlight=False, file=file)
        out.width = max(out.width, NARROWEST)
        return out
    return _Console(highlight=False, width=PLAIN_WIDTH, color_system=None, file=file)


def table(columns: Iterable[str], rows: Iterable[Iterable[object]], *, gap: int = 2) -> Table:
    """Return a table without borders; a column whose name starts with > is right-aligned."""
    made = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    for column in columns:
        justify: Any = "right" if column.startswith(">") else "left"
        made.add_column(column.lstrip(">"), justify=justify, header_style="dim")
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
    return made


def indented(thing: RenderableType, by: int = 2) -> Padding:
    """Return something that is wrapped within its indentation."""
    return Padding(Text(thing) if isinstance(thing, str) else thing, (0, 0, 0, by), expand=False)


def counted(n: int, noun: str) -> str:
    """Return a number with its noun, such as '1 shoe' or '2,000 shoes'."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def signed(number: float, form: str) -> str:
    """Return a number with its sign, using a real minus (−)."""
    return format(number, f"+{form}").replace("-", "−")
