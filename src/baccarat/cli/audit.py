"""`baccarat audit`: compare the figures on a poster with the exact figures, reading by reading."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from baccarat import BaccaratError, audit, load
from baccarat.analysis.audit import (
    AmbiguityAudit,
    CardAudit,
    ClaimAudit,
    ReadingAudit,
    Verdict,
    at_in_words,
)
from baccarat.cli.shared.options import add_card_or_all, cards_of
from baccarat.cli.shared.printing import DIGITS, Shown, answer, attributes, indented, table
from baccarat.cli.shared.sheets import add_sheet, paper_of, write_sheets
from baccarat.core.money import decimal_string, percent_string

SHOWN = 4
"""Maximum number of bets listed for an ambiguity; the first few are enough."""

SUPPORT = {True: Text("yes", "green"), False: Text("no", "red"), None: Text("undecided", "yellow")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_card_or_all(parser)
    add_sheet(parser, "write the result to a PDF report instead of printing it")


def run(args: argparse.Namespace) -> int:
    names = cards_of(args)
    if args.paper and not args.output:
        raise BaccaratError("--paper requires a report: add --output FILE")
    audits = [audit(load(name)) for name in names]
    if args.output:
        return write_sheets(args, {Path(args.output): _report(audits, paper_of(args))})
    document = {"cards": [_card_json(card) for card in audits]}
    return answer(args, document, (part for card in audits for part in _shown(card)))


def _report(audits: Sequence[CardAudit], paper: str) -> bytes:
    from baccarat.poster.report import report_of
    from baccarat.poster.typeset import report_pdf

    return report_pdf(report_of(audits), paper=paper)


def _card_json(card: CardAudit) -> dict[str, Any]:
    return {
        "card": card.card.id,
        "claims": [_claim_json(claim) for claim in card.claims],
        "ambiguities": [_ambiguity_json(ambiguity) for ambiguity in card.ambiguities],
    }


def _claim_json(claim: ClaimAudit) -> dict[str, Any]:
    return {
        "bets": claim.claim.bets,
        "at": dict(claim.claim.at),
        **attributes(claim.claim, "names_bets", "printed"),
        "exact_percent": decimal_string(claim.exact * 100, DIGITS),
        "verdict": claim.verdict,
        "off_by_percent": decimal_string(claim.off_by * 100, DIGITS),
    }


def _ambiguity_json(found: AmbiguityAudit) -> dict[str, Any]:
    return {
        **attributes(found.ambiguity, "id", "question"),
        "status": found.status,
        "in_force": found.ambiguity.in_force,
        "readings": [
            {
                **attributes(tried.reading, "id", "text"),
                "supported": tried.supported,
                "edges_percent": {
                    bet: decimal_string(edge * 100, DIGITS) for bet, edge in tried.edges.items()
                },
            }
            for tried in found.readings
        ],
        "evidence": [
            {
                "card": evidence.card.id,
                **attributes(evidence.claim, "bets", "printed"),
                "agrees_with": evidence.agrees,
            }
            for evidence in found.evidence
        ],
    }


def _shown(found: CardAudit) -> Shown:
    card = found.card
    yield Text(f"{card.name} ({card.id}), from {card.source}", "bold cyan")
    if card.claims:
        columns = ("bets", "with", ">printed", ">exact", "verdict")
        yield indented(table(columns, (_claim_cells(found, claim) for claim in found.claims)))
    else:
        yield Text("  The poster prints no house edges.", "dim")
    for ambiguity in found.ambiguities:
        yield from _ambiguity_shown(ambiguity)
    yield ""


def _claim_cells(found: CardAudit, audited: ClaimAudit) -> list[str | Text]:
    claim, wrong = audited.claim, audited.verdict is Verdict.WRONG
    bets = ", ".join(claim.bets)
    return [
        bets if claim.names_bets else f"no bet named ({bets})",
        at_in_words(found.card, claim),
        claim.printed,
        percent_string(audited.exact),
        Text(audited.verdict_in_words, "bold red" if wrong else "green"),
    ]


def _ambiguity_shown(found: AmbiguityAudit) -> Shown:
    ambiguity, bets = found.ambiguity, found.moving_bets[:SHOWN]
    yield ""
    yield indented(f"{ambiguity.id} ({found.status}) {ambiguity.question}")
    columns = ("", "reading", "supported", *(f">{bet}" for bet in bets))
    rows = (
        [
            "→" if tried.reading.id == ambiguity.in_force else "",
            tried.reading.id,
            SUPPORT[tried.supported],
            *(_edge(tried, bet) for bet in bets),
        ]
        for tried in found.readings
    )
    yield indented(table(columns, rows), 4)
    for tried in found.readings:
        yield indented(Text(f"{tried.reading.id}: {tried.reading.text}", "dim"), 7)
    yield indented(_evidence(found), 4)


def _edge(tried: ReadingAudit, bet: str) -> Text:
    if bet not in tried.edges:
        return Text("–")
    return Text(percent_string(tried.edges[bet]), "red" if tried.edges[bet] < 0 else "")


def _evidence(found: AmbiguityAudit) -> str:
    if not found.evidence:
        return "No printed figure distinguishes these readings."
    figures = []
    for card, claims in found.evidence_by_card.items():
        printed = (f"{claim.printed} ({', '.join(claim.bets)})" for claim in claims)
        figures.append(f"{card} prints {', '.join(printed)}")
    return f"Evidence: {'; '.join(figures)}."
