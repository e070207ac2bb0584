"""`baccarat audit`: what a poster prints against what is exact, reading by reading."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from baccarat.analysis.audit import (
    AmbiguityAudit,
    CardAudit,
    ClaimAudit,
    ReadingAudit,
    Verdict,
    at_in_words,
    audit,
)
from baccarat.cli.common import DIGITS, add_json, add_row, console, print_json, table, tell_files
from baccarat.core.errors import BaccaratError
from baccarat.core.money import decimal_string, percent_string, ratio
from baccarat.loader import built_in_cards, load
from baccarat.poster import PAPERS

SHOWN = 4
"""Bets that depend on a reading: the first few are enough to see it."""

SUPPORT = {True: "yes", False: "no", None: "undecided"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("card", nargs="?", metavar="CARD", help="a built-in id, or a .toml file")
    parser.add_argument("--all", action="store_true", help="every built-in card")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the audit as a report, a PDF")
    parser.add_argument("--paper", choices=PAPERS, help="the format of the report (a4)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.all == (args.card is not None):
        raise BaccaratError("name one card to audit, or --all for every built-in one")
    names = built_in_cards() if args.all else (args.card,)
    if args.paper and not args.output:
        raise BaccaratError("--paper changes nothing without a report: add -o FILE")
    audits = [audit(load(name)) for name in names]
    if args.output:
        _write(Path(args.output), audits, args)
    elif args.json:
        print_json({"cards": [_card_json(card) for card in audits]})
    else:
        out = console()
        for card in audits:
            _print(out, card)
    return 0


def _write(path: Path, audits: Sequence[CardAudit], args: argparse.Namespace) -> None:
    from baccarat.files import write_whole
    from baccarat.poster.report import report_of
    from baccarat.poster.typeset import report_pdf

    write_whole(path, report_pdf(report_of(audits), paper=args.paper or "a4"))
    tell_files([path], as_json=args.json)


def _card_json(card: CardAudit) -> dict[str, Any]:
    return {
        "card": card.card.id,
        "claims": [_claim_json(claim) for claim in card.claims],
        "ambiguities": [_ambiguity_json(ambiguity) for ambiguity in card.ambiguities],
    }


def _claim_json(claim: ClaimAudit) -> dict[str, Any]:
    return {
        "bets": list(claim.claim.bets),
        "at": {name: ratio(value) for name, value in claim.claim.at.items()},
        "names_bets": claim.claim.names_bets,
        "printed": claim.claim.printed,
        "exact_percent": decimal_string(claim.exact * 100, DIGITS),
        "verdict": str(claim.verdict),
        "off_by_percent": decimal_string(claim.off_by * 100, DIGITS),
    }


def _ambiguity_json(found: AmbiguityAudit) -> dict[str, Any]:
    return {
        "id": found.ambiguity.id,
        "question": found.ambiguity.question,
        "status": found.status,
        "in_force": found.ambiguity.in_force,
        "readings": [
            {
                "id": tried.reading.id,
                "text": tried.reading.text,
                "supported": tried.supported,
                "edges_percent": {
                    bet: decimal_string(edge * 100, DIGITS) for bet, edge in tried.edges.items()
                },
            }
            for tried in found.readings
        ],
        "evidence": [
            {
                "card": evidence.card,
                "bets": list(evidence.claim.bets),
                "printed": evidence.claim.printed,
                "agrees_with": list(evidence.agrees),
            }
            for evidence in found.evidence
        ],
    }


def _print(out: Console, found: CardAudit) -> None:
    card = found.card
    out.print(Text(f"{card.name} ({card.id}), from {card.source}", style="bold cyan"))
    if card.claims:
        claims = table("printed for", "at", ">printed", ">exact", "verdict")
        for claim in found.claims:
            bets = ", ".join(claim.claim.bets)
            cells: list[str | Text] = [
                bets if claim.claim.names_bets else f"no bet named ({bets})",
                at_in_words(card, claim.claim),
                claim.claim.printed,
                percent_string(claim.exact),
                _verdict(claim),
            ]
            add_row(claims, cells)
        out.print(Padding(claims, (0, 0, 0, 2), expand=False))
    else:
        out.print(Text("  The poster prints no edges.", style="dim"))
    for ambiguity in found.ambiguities:
        _print_ambiguity(out, ambiguity)
    out.print()


def _verdict(claim: ClaimAudit) -> Text:
    wrong = claim.verdict is Verdict.WRONG
    return Text(claim.verdict_in_words, style="bold red" if wrong else "green")


def _print_ambiguity(out: Console, found: AmbiguityAudit) -> None:
    ambiguity = found.ambiguity
    heading = Text(f"{ambiguity.id} ({found.status}) {ambiguity.question}")
    out.print()
    out.print(Padding(heading, (0, 0, 0, 2), expand=False))
    bets = found.moving_bets[:SHOWN]
    readings = table("", "reading", "supported", *(f">{bet}" for bet in bets))
    for tried in found.readings:
        mark = "→" if tried.reading.id == ambiguity.in_force else ""
        style = {True: "green", False: "red", None: "yellow"}[tried.supported]
        edges = [_edge(tried, bet) for bet in bets]
        support = Text(SUPPORT[tried.supported], style=style)
        add_row(readings, [mark, tried.reading.id, support, *edges])
    out.print(Padding(readings, (0, 0, 0, 4), expand=False))
    for tried in found.readings:
        words = Text(f"{tried.reading.id}: {tried.reading.text}", style="dim")
        out.print(Padding(words, (0, 0, 0, 7), expand=False))
    out.print(Padding(Text(_evidence(found)), (0, 0, 0, 4), expand=False))


def _edge(tried: ReadingAudit, bet: str) -> Text:
    if bet not in tried.edges:
        return Text("–")
    return Text(percent_string(tried.edges[bet]), style="red" if tried.edges[bet] < 0 else "")


def _evidence(found: AmbiguityAudit) -> str:
    if not found.evidence:
        return "No printed figure tells these readings apart."
    figures = []
    for card, claims in found.evidence_by_card.items():
        printed = (f"{claim.printed} ({', '.join(claim.bets)})" for claim in claims)
        figures.append(f"{card} prints {', '.join(printed)}")
    return f"Decided by what is printed: {'; '.join(figures)}."
