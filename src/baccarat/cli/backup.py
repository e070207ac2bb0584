"""`baccarat backup`: copy everything in a store to a separate file."""

import argparse
from pathlib import Path

from baccarat.cli.shared.printing import answer
from baccarat.cli.shared.stores import add_store, existing_store
from baccarat.store.backup import back_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_store(parser)
    parser.add_argument("file", metavar="FILE", type=Path, help="the SQLite file to create")


def run(args: argparse.Namespace) -> int:
    counts = back_up(existing_store(args.store), args.file)
    entries = f"{counts['journal']:,} journal {'entry' if counts['journal'] == 1 else 'entries'}"
    shown = (
        f"Backup written to {args.file} ({entries}).",
        "Undealt cards are encrypted: also back up the key file, and store it separately.",
    )
    return answer(args, {"file": str(args.file), "rows": counts}, shown)
