"""`baccarat verify`: check that a shoe was dealt in the order it was committed to."""

import argparse
import re

from baccarat import verifier
from baccarat.cli.shared.options import add_value
from baccarat.cli.shared.printing import answer, attributes
from baccarat.core.errors import BaccaratError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_value(parser, "file", "FILE", "the public JSON document of a shoe")
    words = "the commitment that was published before the first bet"
    add_value(parser, "--commitment", "HEX", words)


def run(args: argparse.Namespace) -> int:
    if args.commitment and not re.fullmatch(r"[0-9a-fA-F]{64}", args.commitment.strip()):
        raise BaccaratError(f"--commitment {args.commitment}: must be 64 hexadecimal digits")
    try:
        verdict = verifier.verify(verifier.load(args.file), commitment=args.commitment)
    except verifier.Unreadable as error:
        raise BaccaratError(str(error)) from None
    document = attributes(verdict, "commitment", "proven", "open", "faults", "codes")
    return answer(args, document, [verifier.report(verdict)], faults=verdict.faults)
