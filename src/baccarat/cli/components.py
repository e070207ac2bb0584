"""`baccarat components`: the digest of the program's own files."""

import argparse

from baccarat.cli import DONE
from baccarat.cli.common import add_json, print_json
from baccarat.service.components import components, digest_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="of every file as well")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    files = components()
    if args.json:
        print_json({"digest": digest_of(files), "files": files})
        return DONE
    if args.list:
        for name, digest in sorted(files.items()):
            print(f"{digest}  {name}")
    else:
        print(digest_of(files))
    return DONE
