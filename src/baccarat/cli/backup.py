"""`baccarat backup`: everything a store holds, as a file of its own."""

import argparse
from pathlib import Path

from baccarat.cli import DONE
from baccarat.cli.common import add_json, print_json
from baccarat.cli.serve import store_address
from baccarat.store.backup import back_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="a SQLite file or postgresql://…")
    parser.add_argument("file", metavar="FILE", type=Path, help="the new file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    counts = back_up(store_address(args.store, must_exist=True), args.file)
    if args.json:
        print_json({"file": str(args.file), "rows": counts})
    else:
        print(f"Written: {args.file} ({counts['journal']:,} journal entries)")
        print("Undealt cards in it are encrypted: keep the key file apart, and keep it.")
    return DONE
