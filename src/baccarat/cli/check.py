"""`baccarat check`: every fault of a rule card file at once."""

import argparse

from rich.text import Text

from baccarat.analysis.soundness import check_soundness
from baccarat.cli import DONE, FAULTS_FOUND
from baccarat.cli.common import add_json, console, print_json
from baccarat.loader import check


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a rule card's .toml file, or a built-in id")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    checked = check(args.file)
    check_soundness(checked)
    findings = checked.report.findings
    if args.json:
        listed = [
            {"line": f.line, "key": f.key, "problem": f.problem, "remedy": f.remedy}
            for f in findings
        ]
        print_json({"file": str(args.file), "faults": listed})
        return FAULTS_FOUND if findings else DONE
    out = console()
    for finding in findings:
        out.print(Text(f"{args.file}:{finding.line}: {finding.key}", style="bold"))
        out.print(Text(f"    {finding.problem}", style="red"))
        out.print(Text(f"    {finding.remedy}"))
    count = (
        "no fault"
        if not findings
        else "1 fault"
        if len(findings) == 1
        else f"{len(findings)} faults"
    )
    out.print(Text(f"{args.file}: {count} found"))
    return FAULTS_FOUND if findings else DONE
