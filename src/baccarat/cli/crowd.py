"""`baccarat crowd`: real clients against a running server, and what they found."""

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from baccarat.cli import DONE, FAULTS_FOUND
from baccarat.cli.common import add_json, add_row, console, counted, print_json, table
from baccarat.core.errors import BaccaratError

if TYPE_CHECKING:
    from baccarat.crowd import Report

EVERY = 5.0
"""Seconds from one line about progress to the next."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", metavar="ADDRESS", help="such as http://127.0.0.1:8000")
    parser.add_argument("--players", type=int, default=20, help="clients (20)")
    parser.add_argument("--tables", type=int, default=0, help="so many tables; all by default")
    parser.add_argument("--seconds", type=float, default=10, help="how long they play (10)")
    parser.add_argument(
        "--misbehaviour", default="10%", metavar="SHARE", help="late, twice, hanging up (10%%)"
    )
    parser.add_argument("--seed", type=int, default=0, help="what the clients decide by")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from baccarat import crowd  # the prompt does not wait for these
    from baccarat.service.loop import run_loop

    if args.players < 1 or args.tables < 0 or not 0 <= args.seconds <= 86_400:
        raise BaccaratError(
            f"{args.players} players at {args.tables} tables for {args.seconds} s: at least one "
            "player, no table below zero, a day at most"
        )
    plan = crowd.Plan(
        args.address.rstrip("/"),
        args.players,
        args.tables,
        args.seconds,
        _share(args.misbehaviour),
        args.seed,
    )
    report = run_loop(crowd.run(plan, watch=None if args.json else _progress(args.seconds)))
    if not report.acknowledged:
        report.faults.append("no wager was acknowledged: nothing is shown by this evening")
    document = _document(report)
    if args.json:
        print_json(document)
    else:
        _print(report, document)
    return FAULTS_FOUND if report.faults else DONE


def _progress(seconds: float) -> "Callable[[Report], None]":
    """A line now and then, on standard error: the crowd stays until its rounds have ended."""
    told = 0.0

    def show(report: "Report") -> None:
        nonlocal told
        if report.seconds - told < EVERY:
            return
        told, so_far = report.seconds, f"{counted(report.acknowledged, 'wager')} acknowledged"
        if report.seconds > seconds:
            so_far += f"; {counted(report.waiting, 'player')} still waiting for rounds to end"
        print(f"{report.seconds:.0f} s: {so_far}", file=sys.stderr, flush=True)

    return show


def _share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise BaccaratError(f"--misbehaviour {text!r} is no share: write 10% or 0.1")
    return share


def _document(report: "Report") -> dict[str, Any]:
    from baccarat.crowd import percentile

    def times(values: list[float]) -> dict[str, float]:
        return {f"p{part}": round(percentile(values, part), 1) for part in (50, 95, 99)}

    return {
        "acknowledged": report.acknowledged,
        "wagers_per_second": round(len(report.wager_ms) / report.played, 1) if report.played else 0,
        "wager_ms": times(report.wager_ms),
        "event_ms": times(report.event_ms),
        "refused": dict(report.refused.most_common()),
        "repeated": report.repeated,
        "resent": report.resent,
        "reconnects": report.reconnects,
        "events": report.events,
        "rounds": report.rounds,
        "faults": report.faults,
    }


def _print(report: "Report", document: dict[str, Any]) -> None:
    out, rows = console(), table("what", ">number", ">p50 ms", ">p95 ms", ">p99 ms")
    for name, count, times in (
        ("wagers acknowledged", report.acknowledged, document["wager_ms"]),
        ("wagers answered, a second", document["wagers_per_second"], {}),
        ("events told", report.events, document["event_ms"]),
        ("rounds settled, of single players", report.rounds, {}),
        ("answers repeated", report.repeated, {}),
        ("requests sent again", report.resent, {}),
        ("reconnects", report.reconnects, {}),
        *((f"refused: {code}", count, {}) for code, count in document["refused"].items()),
    ):
        add_row(rows, [name, f"{count:,}", *(str(times.get(p, "")) for p in ("p50", "p95", "p99"))])
    out.print(rows)
    for fault in report.faults:
        print(f"FAULT: {fault}")
    found = counted(len(report.faults), "fault")
    print(f"{found} found" if report.faults else "every acknowledged wager is in the ledger")
