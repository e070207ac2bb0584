"""What commands print: JSON for programs, text and tables for people."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sized
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TextIO

from baccarat.cli import DONE, FAULTS_FOUND
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game

if TYPE_CHECKING:  # slow to import: not every command prints tables
    from rich.console import Console, RenderableType
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

Shown = Iterable["RenderableType"]
"""Output for people: lines, texts and tables."""

DIGITS = 10
"""Number of decimals of percentages and variances in JSON."""

PLAIN_WIDTH = 200
"""Line width when the output is not a terminal, so that nothing is cut off in a pipe."""

NARROWEST = 80
"""Minimum line width; narrower terminals wrap lines themselves, which is better than truncated
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

    With `--json`, `document` is printed; otherwise, `shown` is printed. Both are preceded by the
    game to which the figures apply. If `faults` is not empty, the exit status says that faults were
    found.
    """
    if args.json:
        print(json_text(with_header(document, game)))
    else:
        show([header(game)] if game else [])
        show(shown)
    return FAULTS_FOUND if faults else DONE


def with_header(document: Mapping[str, Any], game: Game | None) -> dict[str, Any]:
    """Return the document, preceded by the game and settings to which its figures apply."""
    if game is None:
        return dict(document)
    rules = {"parameters": dict(game.parameters), "readings": dict(game.readings)}
    return {"card": game.card.id, "decks": game.decks, **rules, **document}


def header(game: Game) -> "Text":
    """Return a line with the game and settings to which figures apply."""
    from rich.text import Text

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
    """Return these attributes of an object as a dictionary."""
    return {name: getattr(thing, name) for name in names}


def show(things: Shown) -> None:
    """Print strings unchanged, and everything else fitted to the width of the terminal."""
    for thing in things:
        if isinstance(thing, str):
            print(thing)
        else:
            console().print(thing)


def console(file: TextIO | None = None) -> "Console":
    """Return a console for standard output or a file: styled on a terminal, plain otherwise."""
    from rich.console import Console

    class _Console(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would exit with status 1; this program exits with 0

    file = file or sys.stdout
    if file.isatty():
        out = _Console(highlight=False, file=file)
        out.width = max(out.width, NARROWEST)
        return out
    return _Console(highlight=False, width=PLAIN_WIDTH, color_system=None, file=file)


def table(columns: Iterable[str], rows: Iterable[Iterable[object]], *, gap: int = 2) -> "Table":
    """Return a table without borders; a column whose name starts with > is right-aligned."""
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    for column in columns:
        justify: Any = "right" if column.startswith(">") else "left"
        made.add_column(column.lstrip(">"), justify=justify, header_style="dim")
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
    return made


def indented(thing: "RenderableType", by: int = 2) -> "Padding":
    """Return the text or table indented; wrapped lines are indented too."""
    from rich.padding import Padding
    from rich.text import Text

    return Padding(Text(thing) if isinstance(thing, str) else thing, (0, 0, 0, by), expand=False)


def counted(n: int, noun: str) -> str:
    """Return a number with its noun, such as '1 shoe' or '2,000 shoes'."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def faults_found(faults: Sized, none: str) -> str:
    """Return the number of faults in words, or `none` if there are none."""
    return f"{counted(len(faults), 'fault')} found" if faults else none


def signed(number: float, form: str) -> str:
    """Return a number with its sign, using a minus sign (−) instead of a hyphen."""
    return format(number, f"+{form}").replace("-", "−")
