"""`baccarat audit-house`: recompute every balance and settlement from the journal alone."""

import argparse
import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from baccarat.auditor import Report, Rows, Unreadable, audit, read_store
from baccarat.auditor.reports import check_report
from baccarat.cli.shared.options import add_value
from baccarat.cli.shared.printing import answer, counted, faults_found
from baccarat.cli.shared.stores import add_store, existing_store
from baccarat.core.errors import BaccaratError
from baccarat.core.money import format_coins
from baccarat.files import write_whole
from baccarat.loader.files import read_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_store(parser)
    add_value(parser, "--compare-heads", "FILE", "compare with journal heads exported earlier")
    add_value(parser, "--report", "FILE", "also check the CSV report of a gaming day")
    words = "write the head (last hash) of every journal, unless faults are found"
    add_value(parser, "--export-heads", "FILE", words)


def run(args: argparse.Namespace) -> int:
    try:
        earlier = _read_heads(args.compare_heads) if args.compare_heads else None
        rows = read_store(existing_store(args.store))
        report = audit(rows, earlier)
        if args.report:
            report.findings += _check_report(rows, args.report)
    except Unreadable as error:
        raise BaccaratError(str(error)) from None
    if args.export_heads:
        _export_heads(report, args.export_heads)
    return answer(args, vars(report), _shown(report), faults=report.findings)


def _check_report(rows: Rows, name: str) -> list[str]:
    """Return the differences between the report of a gaming day and the journal."""
    text = read_text(Path(name), "report")
    return [f"{name}: {finding}" for finding in check_report(rows, text, _edge)]


def _edge(rules: str, agreed: tuple[tuple[str, str], ...], bet: str) -> Fraction:
    from baccarat.analysis.edges import figures_of  # slow to import
    from baccarat.table.rules import game_of

    return figures_of(game_of(rules, agreed), bet).edge


def _export_heads(report: Report, name: str) -> None:
    """Write the heads to a file, unless faults were found.

    The next audit would trust the heads of a faulty journal. The file is replaced only when the new
    heads are completely written.
    """
    if report.findings:
        words = f"heads not written, because faults were found; {name} is unchanged"
        print(f"baccarat: {words}", file=sys.stderr)
        return
    text = json.dumps({"heads": report.heads}, indent=2) + "\n"
    write_whole(Path(name), text.encode())


def _shown(report: Report) -> Iterator[str]:
    shoes, rounds = counted(report.shoes, "whole shoe"), counted(report.rounds, "round")
    yield f"{counted(report.events, 'event')}, {shoes}, {rounds} settled"
    staked, returned = format_coins(report.staked), format_coins(report.returned)
    yield f"{counted(report.wagers, 'wager')}, {staked} staked, {returned} returned"
    for table, coins in report.held.items():
        yield f"{table}: {format_coins(coins)} held for a round that has not ended"
    yield from (f"FAULT: {finding}" for finding in report.findings)
    yield from (f"NOT COMPARED: {words}" for words in report.not_compared)
    yield faults_found(report.findings, "No faults found: every balance matches.")


def _read_heads(name: str) -> dict[str, tuple[int, str]]:
    try:
        content = json.loads(Path(name).read_text(encoding="utf-8"))
        return {str(s): (int(n), str(h)) for s, (n, h) in content["heads"].items()}
    except OSError as error:
        raise BaccaratError(f"cannot read {name}: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BaccaratError(
            f"{name} contains no journal heads: use a file written by --export-heads"
        ) from None
