"""Results as tables for pandas and polars, and as CSV, Parquet and JSON files.

Rows are dataclasses of one kind, or dictionaries; columns are named after the fields. A dictionary
or dataclass inside a field gets one column per part, such as `results_player`. A fraction becomes
two columns: `edge` holds a float, and `edge_ratio` holds the exact value as text. The same applies
to whole numbers too large for 64 bits. Optional packages are imported only when used.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from baccarat.core.errors import BaccaratError, one_of
from baccarat.core.money import ratio
from baccarat.files import whole_file

LARGEST = (1 << 63) - 1
PACKAGES = {"pyarrow": "baccarat[frames]", "pyarrow.parquet": "baccarat[frames]"}
"""Name to pass to pip for an optional package, if it differs from the name of the package."""


def columns(rows: Sequence[Any]) -> dict[str, list[Any]]:
    """Convert rows to columns, by column name."""
    table: dict[str, list[Any]] = {}
    for number, row in enumerate(rows):
        for name, value in _cells("", row):
            table.setdefault(name, [None] * number).append(value)
        for column in table.values():
            column += [None] * (number + 1 - len(column))
    inexact = [name for name, column in table.items() if any(map(_needs_ratio, column))]
    return {
        name: column
        for own, values in table.items()
        for name, column in (_with_ratio(own, values) if own in inexact else [(own, values)])
    }


def to_pandas(rows: Sequence[Any]) -> Any:
    """Return the rows as a pandas DataFrame."""
    return package("pandas").DataFrame(columns(rows))


def to_polars(rows: Sequence[Any]) -> Any:
    """Return the rows as a polars DataFrame."""
    return package("polars").DataFrame(columns(rows))


def write_table(path: str | Path, rows: Sequence[Any]) -> None:
    """Write rows to a file atomically; the suffix determines the format: .csv, .parquet or
    .json."""
    path = Path(path)
    write = writer_for(path)
    table = columns(rows)
    with whole_file(path) as file:
        write(file, table)


Writer = Callable[[BinaryIO, dict[str, list[Any]]], None]


def writer_for(path: Path, *others: str) -> Writer:
    """Return the writer for the file's suffix; raise BaccaratError if the suffix is unknown or a
    package is missing. `others` are suffixes of files that the caller writes itself."""
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise BaccaratError(f"unknown table format {path}: use {one_of([*others, *_WRITERS])}")
    if writer is _write_parquet:
        package("pyarrow.parquet")
    return writer


def package(name: str) -> Any:
    """Import an optional package, or raise BaccaratError if it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        brought_by = PACKAGES.get(name, name)
        raise BaccaratError(
            f"{name.partition('.')[0]} is not installed: pip install '{brought_by}'"
        ) from error


def _cells(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield (column, value) pairs for a row, or for a nested part of a row."""
    prefix = f"{name}_" if name else ""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _cells(prefix + field.name, getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _cells(f"{prefix}{key}", inner)
    elif isinstance(value, Enum):
        yield name, value.value
    elif value is None or isinstance(value, bool | int | float | str | Fraction):
        yield name, value
    else:
        raise BaccaratError(
            f"{name or 'a row'} is a {type(value).__name__}, which cannot be a table cell: use "
            "dataclasses or dictionaries of numbers and strings"
        )


def _needs_ratio(value: Any) -> bool:
    return isinstance(value, Fraction) or (isinstance(value, int) and abs(value) > LARGEST)


def _with_ratio(name: str, column: list[Any]) -> list[tuple[str, list[Any]]]:
    ratios = [None if value is None else ratio(Fraction(value)) for value in column]
    return [
        (name, [None if value is None else float(value) for value in column]),
        (f"{name}_ratio", ratios),
    ]


def _write_csv(file: BinaryIO, table: dict[str, list[Any]]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    text.detach()


def _write_json(file: BinaryIO, table: dict[str, list[Any]]) -> None:
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    file.write(json.dumps(rows, indent=2, ensure_ascii=False).encode() + b"\n")


def _write_parquet(file: BinaryIO, table: dict[str, list[Any]]) -> None:
    package("pyarrow.parquet").write_table(package("pyarrow").table(table), file)


_WRITERS: dict[str, Writer] = {".csv": _write_csv, ".parquet": _write_parquet, ".json": _write_json}
