"""`baccarat checksum`: print the SHA-256 checksum of the installed program."""

import argparse

from baccarat.cli.shared.printing import answer
from baccarat.service.checksum import components, digest_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    words = "print the checksum of every file instead"
    parser.add_argument("--list", action="store_true", help=words)


def run(args: argparse.Namespace) -> int:
    files = components()
    digest = digest_of(files)
    listed = (f"{digest}  {name}" for name, digest in sorted(files.items()))
    return answer(args, {"digest": digest, "files": files}, listed if args.list else [digest])
