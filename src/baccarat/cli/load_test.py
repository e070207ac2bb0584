"""`baccarat load-test`: run clients against a running server and check that no bet is lost."""

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from baccarat.cli.shared.options import add_number, add_seconds, add_value, check_range
from baccarat.cli.shared.printing import Shown, answer, attributes, counted, faults_found, table
from baccarat.core.errors import BaccaratError

if TYPE_CHECKING:
    from baccarat.loadtest.clients import Report

EVERY = 5.0
"""Seconds between progress lines."""
LONGEST = 86_400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_value(parser, "address", "URL", "address of the server, such as http://127.0.0.1:8000")
    add_number(parser, "--players", "number of clients", 20)
    add_number(parser, "--tables", "number of tables to use, or 0 for all", 0)
    add_seconds(parser, "--duration", "how long the clients play", LONGEST, default=10)
    words = "how often clients bet too late, send a request twice or disconnect"
    add_value(parser, "--misbehaviour", "PERCENT", words, default="10%")
    add_number(parser, "--seed", "random seed of the clients", 0)


def run(args: argparse.Namespace) -> int:
    from baccarat.loadtest import clients  # slow to import
    from baccarat.service.event_loop import run_loop

    check_range("--players", args.players, 1)
    check_range("--tables", args.tables, 0)
    plan = clients.Plan(
        args.address.rstrip("/"),
        misbehaviour=_share(args.misbehaviour),
        seconds=args.duration,
        **attributes(args, "players", "tables", "seed"),
    )
    report = run_loop(clients.run(plan, watch=None if args.json else _progress(args.duration)))
    if not report.acknowledged:
        report.faults.append("no bet was accepted, so the test shows nothing")
    document = _document(report)
    return answer(args, document, _shown(report, document), faults=report.faults)


def _progress(seconds: float) -> "Callable[[Report], None]":
    """Return a function that prints progress to standard error every few seconds.

    After `seconds`, it reports that clients are waiting for their rounds to end.
    """
    printed = 0.0

    def show(report: "Report") -> None:
        nonlocal printed
        if report.seconds - printed < EVERY:
            return
        printed, so_far = report.seconds, f"{counted(report.acknowledged, 'bet')} accepted"
        if report.seconds > seconds:
            so_far += f"; {counted(report.waiting, 'player')} waiting for rounds to end"
        print(f"{report.seconds:.0f} s: {so_far}", file=sys.stderr, flush=True)

    return show


def _share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise BaccaratError(f"--misbehaviour {text!r}: must be a percentage such as 10%")
    return share


def _document(report: "Report") -> dict[str, Any]:
    from baccarat.loadtest.clients import percentile

    def times(values: list[float]) -> dict[str, float]:
        return {f"p{part}": round(percentile(values, part), 1) for part in (50, 95, 99)}

    return {
        "acknowledged": report.acknowledged,
        "wagers_per_second": round(len(report.wager_ms) / report.played, 1) if report.played else 0,
        "wager_ms": times(report.wager_ms),
        "event_ms": times(report.event_ms),
        "refused": dict(report.refused.most_common()),
        **attributes(report, "repeated", "resent", "reconnects", "events", "rounds", "faults"),
    }


def _shown(report: "Report", document: dict[str, Any]) -> Shown:
    numbers = (
        ("bets accepted", report.acknowledged, {}),
        (
            "bets per second, accepted or refused",
            document["wagers_per_second"],
            document["wager_ms"],
        ),
        ("events received", report.events, document["event_ms"]),
        ("rounds settled, per player", report.rounds, {}),
        ("repeated requests recognised", report.repeated, {}),
        ("requests retried", report.resent, {}),
        ("reconnects", report.reconnects, {}),
        *((f"refused: {code}", count, {}) for code, count in document["refused"].items()),
    )
    parts = ("p50", "p95", "p99")
    yield table(
        ["", ">number", *(f">{part} ms" for part in parts)],
        ([name, f"{n:,}", *(str(times.get(p, "")) for p in parts)] for name, n, times in numbers),
    )
    yield from (f"FAULT: {fault}" for fault in report.faults)
    yield faults_found(report.faults, "No faults found: every accepted bet is in the ledger.")
