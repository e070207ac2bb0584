"""Shared options of the commands that make printable sheets, and the writing of their files."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from baccarat.cli.shared.printing import answer
from baccarat.files import write_whole
from baccarat.poster import PAPERS


def add_sheet(parser: argparse.ArgumentParser, output: str) -> None:
    """Add the options for a sheet's file and paper size."""
    parser.add_argument("-o", "--output", metavar="FILE", help=output)
    parser.add_argument("--paper", choices=PAPERS, help="paper size (default: a4)")


def paper_of(args: argparse.Namespace) -> str:
    return args.paper or PAPERS[0]


def write_sheets(args: argparse.Namespace, sheets: Mapping[Path, bytes]) -> int:
    """Write the sheets to files and print the names of the files."""
    for path, sheet in sheets.items():
        write_whole(path, sheet)
    files = [str(path) for path in sheets]
    return answer(args, {"files": files}, (f"Written: {file}" for file in files))
