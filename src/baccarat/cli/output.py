"""What comes out of a command: files (`--output FILE`), a report or JSON, and what went wrong.

A .json file holds what `--json` prints; a .csv or .parquet file holds a table. A report with
more tables than one writes each of the others beside, its name before the suffix:
`run.csv`, `run-by-place.csv`.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from baccarat.cli import came_of_ctrl_c
from baccarat.cli.common import print_json
from baccarat.core.errors import BaccaratError
from baccarat.files import check_folder, whole_file
from baccarat.frames import write_table, writer_for


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="write the report to a .json, .csv or .parquet file as well (repeatable)",
    )


def add_plot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the report as a .png or .svg picture"
    )


def check_output(args: argparse.Namespace) -> None:
    """Refuse files that cannot be written, before the work."""
    for path in args.output:
        writer_for(path)
        check_folder(path)
    if getattr(args, "plot", None):
        from baccarat.plots import check_plot  # slow to import, and only pictures need it

        check_plot(args.plot)
        check_folder(args.plot)


def report(
    args: argparse.Namespace,
    *,
    document: Any,
    tables: Mapping[str, Sequence[Any]],
    show: Callable[[], None],
    draw: Callable[[], Any] | None = None,
    fault: BaccaratError | None = None,
    files: Mapping[Path, Callable[[BinaryIO], None]] | None = None,
) -> int:
    """Write the files asked for, print the report, and then tell every fault there was.

    `document` is what `--json` prints and .json files hold; `tables` go to other files, the first
    under the file's own name; `show` prints for people, `draw` makes a figure; `fault` is what
    stopped the work, if something did; `files` are others to be written, each with what writes it.
    Files come first: a reader of the report may have seen enough.
    """
    faults = [str(fault)] if fault else []
    for path, write in (files or {}).items():
        try:
            with whole_file(path) as file:
                write(file)
        except BaccaratError as error:
            faults.append(str(error))
        except (KeyboardInterrupt, SystemError) as error:
            if not came_of_ctrl_c(error):
                raise
            faults.append(f"{path} was not written: it was interrupted")
    for path in args.output:
        try:
            _write(path, document, tables)
        except BaccaratError as error:
            faults.append(str(error))
    if draw and args.plot:
        from baccarat.plots import save

        try:
            save(draw(), args.plot)
        except BaccaratError as error:
            faults.append(str(error))
    if args.json:
        print_json(document)
    else:
        show()
    if faults:
        raise BaccaratError("; ".join(faults))
    return 0


def _write(path: Path, document: Any, tables: Mapping[str, Sequence[Any]]) -> None:
    if path.suffix.lower() == ".json":
        with whole_file(path) as file:
            file.write(json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n")
        return
    for number, (name, rows) in enumerate(tables.items()):
        write_table(path.with_stem(f"{path.stem}-{name}") if number else path, rows)
