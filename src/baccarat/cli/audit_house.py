"""`baccarat audit-house`: every balance and settlement again, from the journal alone."""

import argparse
import json
import sys
from pathlib import Path

from baccarat.auditor import Report, Unreadable, audit, read_store
from baccarat.cli import DONE, FAULTS_FOUND
from baccarat.cli.common import add_json, counted, print_json
from baccarat.cli.serve import store_address
from baccarat.core.errors import BaccaratError
from baccarat.core.money import format_coins
from baccarat.files import write_whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="a SQLite file or postgresql://…")
    parser.add_argument("--heads", metavar="FILE", help="heads exported earlier, to compare with")
    parser.add_argument(
        "--export-heads", metavar="FILE", help="write the heads of today, unless faults are found"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    try:
        earlier = _read_heads(args.heads) if args.heads else None
        report = audit(read_store(store_address(args.store, must_exist=True)), earlier)
    except Unreadable as error:
        raise BaccaratError(str(error)) from None
    if args.export_heads:
        _export_heads(report, args.export_heads)
    if args.json:
        print_json(vars(report))
    else:
        _print(report)
    return FAULTS_FOUND if report.findings else DONE


def _export_heads(report: Report, name: str) -> None:
    """Those of a journal with faults would pass for good ones at the next audit; and the last good
    ones are in the same file until the new ones are written to the end."""
    if report.findings:
        words = f"the heads were not written to {name}, because faults were found: what it held"
        print(f"baccarat: {words} is left as it was, as evidence", file=sys.stderr)
        return
    text = json.dumps({"heads": report.heads}, indent=2) + "\n"
    write_whole(Path(name), text.encode())


def _print(report: Report) -> None:
    shoes, rounds = counted(report.shoes, "whole shoe"), counted(report.rounds, "round")
    print(f"{counted(report.events, 'event')}, {shoes}, {rounds} settled")
    print(
        f"{counted(report.wagers, 'wager')}, {format_coins(report.staked)} staked, "
        f"{format_coins(report.returned)} handed back"
    )
    for table, coins in report.held.items():
        print(f"{table}: {format_coins(coins)} held for a round that has not ended")
    for finding in report.findings:
        print(f"FAULT: {finding}")
    for words in report.not_compared:
        print(f"NOT COMPARED: {words}")
    found = counted(len(report.findings), "fault")
    print(f"{found} found" if report.findings else "every coin is where the journal puts it")


def _read_heads(name: str) -> dict[str, tuple[int, str]]:
    try:
        content = json.loads(Path(name).read_text(encoding="utf-8"))
        return {str(s): (int(n), str(h)) for s, (n, h) in content["heads"].items()}
    except OSError as error:
        raise BaccaratError(f"{name} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BaccaratError(f"{name} holds no heads: use what --export-heads wrote") from None
