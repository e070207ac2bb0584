"""`baccarat export-person`: export everything a house has stored about a person, as JSON."""

import argparse

from baccarat.cli import DONE
from baccarat.cli.shared.printing import json_text
from baccarat.cli.shared.stores import add_store, open_store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_store(parser)
    parser.add_argument("id", metavar="ID", help="the id of the account")


def run(args: argparse.Namespace) -> int:
    from baccarat.store.bookings import export_person

    with open_store(args.store) as store:
        print(json_text(export_person(store, args.id)))
    return DONE
