"""Output of a command: files (`--output FILE`), a report or JSON, and errors.

A .json file holds what `--json` prints; a .csv or .parquet file holds a table. A report with
several tables writes each of the others to a separate file, its name before the suffix: `run.csv`,
`run-by-position.csv`.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from baccarat import BaccaratError, Game
from baccarat.cli import came_of_ctrl_c
from baccarat.cli.shared.printing import Shown, answer, json_text, with_header
from baccarat.files import check_folder, whole_file, write_whole
from baccarat.output.tables import write_table, writer_for


def add_output(parser: argparse.ArgumentParser) -> None:
    words = "also write the result to a .json, .csv or .parquet file (repeatable)"
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help=words, action="append", default=[]
    )


def check_output(args: argparse.Namespace) -> None:
    """Refuse files that cannot be written, before the work begins."""
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
    """Write the requested files, print the answer as `printing.answer` does, then raise any fault.

    .json files hold the document; `tables` go to other files, the first under the file's own name;
    `draw` makes a figure; `fault` is what stopped the work, if anything; `export` writes the file
    of the option --export. Files are written first, because a reader of the report may close the
    pipe early.
    """
    failed = [str(fault)] if fault else []
    if export and args.export:
        with _noting(failed):
            _export(args.export, export)
    for path in args.output:
        with _noting(failed):
            _write(path, with_header(document, game), tables)
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
    """Collect an error and continue."""
    try:
        yield
    except BaccaratError as error:
        failed.append(str(error))


def _export(path: Path, write: Callable[[BinaryIO], None]) -> None:
    try:
        with whole_file(path) as file:
            write(file)
    except (KeyboardInterrupt, SystemError) as error:
        if not came_of_ctrl_c(error):
            raise
        raise BaccaratError(f"{path} was not written: interrupted") from None


def _write(path: Path, document: Any, tables: Mapping[str, Sequence[Any]]) -> None:
    if path.suffix.lower() == ".json":
        write_whole(path, json_text(document).encode() + b"\n")
        return
    for number, (name, rows) in enumerate(tables.items()):
        write_table(path.with_stem(f"{path.stem}-{name}") if number else path, rows)
