"""Output of a command: files (`--output FILE`), a report or JSON, and errors.

A .json file holds what `--json` prints; a .csv or .parquet file holds a table. If a report has
several tables, the first goes to the named file, and each of the others goes to a file of its own,
with the table's name before the suffix: `run.csv`, `run-by-position.csv`.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from baccarat import BaccaratError, Game
from baccarat.cli import caused_by_ctrl_c
from baccarat.cli.shared.printing import Shown, answer, json_text, with_header
from baccarat.files import check_folder, whole_file, write_whole
from baccarat.output.tables import write_table, writer_for


def add_output(parser: argparse.ArgumentParser) -> None:
    words = "also write the result to a .json, .csv or .parquet file (repeatable)"
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help=words, action="append", default=[]
    )


def check_output(args: argparse.Namespace) -> None:
    """Raise an error for files that cannot be written, before the work begins."""
    for path in args.output:
        writer_for(path)
        check_folder(path)
    if getattr(args, "plot", None):
        from baccarat.output.plots import check_plot  # slow to import, and only plots need it

        check_plot(args.plot)
        check_folder(args.plot)


def report(
    args: argparse.Namespace,
    document: Mapping[str, Any],
    shown: Shown,
    *,
    tables: Mapping[str, Sequence[Any]],
    game: Game | None = None,
    draw: Callable[[], Any] | None = None,
    fault: BaccaratError | None = None,
    export: Callable[[BinaryIO], None] | None = None,
    faults: object = None,
) -> int:
    """Write the requested files, print the result with `printing.answer`, then raise any fault.

    A .json file gets the document; other files get `tables`, the first one under the file's own
    name. `draw` returns a figure, `export` writes the file of the option --export, and `fault` is
    the error that stopped the work, if any. Files are written first, because the reader of standard
    output may close the pipe early.
    """
    failed = [str(fault)] if fault else []
    if export and args.export:
        with _noting(failed):
            _export(args.export, export)
    for path in args.output:
        with _noting(failed):
            write_result(path, with_header(document, game), tables)
    if draw and args.plot:
        from baccarat.output import plots  # slow to import, and only figures need it

        with _noting(failed):
            plots.save(draw(), args.plot)
    status = answer(args, document, shown, game=game, faults=faults)
    if failed:
        raise BaccaratError("; ".join(failed))
    return status


@contextmanager
def _noting(failed: list[str]) -> Iterator[None]:
    """Append the message of an error to `failed` and continue."""
    try:
        yield
    except BaccaratError as error:
        failed.append(str(error))


def _export(path: Path, write: Callable[[BinaryIO], None]) -> None:
    try:
        with whole_file(path) as file:
            write(file)
    except (KeyboardInterrupt, SystemError) as error:
        if not caused_by_ctrl_c(error):
            raise
        raise BaccaratError(f"{path} was not written: interrupted") from None


def write_result(path: Path, document: Any, tables: Mapping[str, Sequence[Any]]) -> list[Path]:
    """Write a document to a .json file, or tables to files of another format; return their
    paths."""
    if path.suffix.lower() == ".json":
        write_whole(path, json_text(document).encode() + b"\n")
        return [path]
    paths = [
        path.with_stem(f"{path.stem}-{name}") if number else path
        for number, name in enumerate(tables)
    ]
    for each, rows in zip(paths, tables.values(), strict=True):
        write_table(each, rows)
    return paths
