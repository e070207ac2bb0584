"""`baccarat check`: report every fault in a rule card file at once."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rich.text import Text

from baccarat import Finding, check
from baccarat.cli.shared.options import CARD, add_value
from baccarat.cli.shared.printing import answer, faults_found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_value(parser, "file", "FILE", CARD)


def run(args: argparse.Namespace) -> int:
    faults = check(args.file)
    document = {"file": args.file, "faults": [asdict(fault) for fault in faults]}
    return answer(args, document, _shown(args.file, faults), faults=faults)


def _shown(file: str, faults: Sequence[Finding]) -> Iterator[Text]:
    for fault in faults:
        yield Text(f"{file}:{fault.line}: {fault.key}", "bold")
        yield Text(f"    {fault.problem}", "red")
        yield Text(f"    {fault.remedy}")
    yield Text(f"{file}: {faults_found(faults, 'no faults found')}")
