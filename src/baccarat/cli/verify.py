"""`baccarat verify`: was a shoe dealt as it was promised?"""

import argparse
import re

from baccarat import verifier
from baccarat.cli import DONE, FAULTS_FOUND
from baccarat.cli.common import add_json, print_json
from baccarat.core.errors import BaccaratError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="SHOE.json", help="the public document of a shoe")
    parser.add_argument(
        "--commitment", metavar="HEX", help="the commitment published before the first wager"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.commitment and not re.fullmatch(r"[0-9a-fA-F]{64}", args.commitment.strip()):
        raise BaccaratError(
            f"--commitment {args.commitment} is none: it has 64 hexadecimal digits, as published"
        )
    try:
        verdict = verifier.verify(verifier.load(args.file), commitment=args.commitment)
    except verifier.Unreadable as error:
        raise BaccaratError(str(error)) from None
    if args.json:
        print_json(
            {
                "commitment": verdict.commitment,
                "proven": verdict.proven,
                "open": verdict.open,
                "faults": verdict.faults,
                "codes": verdict.codes,
            }
        )
    else:
        print(verifier.report(verdict))
    return FAULTS_FOUND if verdict.faults else DONE
