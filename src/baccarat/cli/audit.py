"""`baccarat audit`: compare the figures on a poster with the exact figures, reading by reading."""

import argparse
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.text import Text

from baccarat import BaccaratError, audit, load
from baccarat.analysis.audit import (
    AmbiguityAudit,
    CardAudit,
    ClaimAudit,
    Evidence,
    RangeAudit,
    ReadingFigures,
)
from baccarat.cli.shared.options import add_card_or_all, cards_of
from baccarat.cli.shared.printing import DIGITS, Shown, answer, attributes, indented, table
from baccarat.cli.shared.sheets import add_sheet, paper_of, write_sheets
from baccarat.core.money import decimal_string
from baccarat.poster.report import (
    AmbiguityPart,
    CardPart,
    ClaimLine,
    JointPart,
    NoteLine,
    Report,
    report_of,
)
from baccarat.poster.report_words import contradiction_ids, contradictions_of
from baccarat.wording.catalogue import DEFAULT, Catalogue, catalogue

COLOURS = {
    "true": "green",
    "careless": "green",
    "wrong": "bold red",
    "supported": "green",
    "contradicted": "red",
    "undecided": "yellow",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_card_or_all(parser)
    add_sheet(parser, "write the result to a PDF report instead of printing it")


def run(args: argparse.Namespace) -> int:
    names = cards_of(args)
    if args.paper and not args.output:
        raise BaccaratError("--paper requires a report: add --output FILE")
    audits = [audit(load(name)) for name in names]
    if args.output:
        return write_sheets(args, {Path(args.output): _pdf(audits, paper_of(args))})
    report = report_of(audits)
    cards = [_card_json(card) for card in audits]
    return answer(args, {"cards": cards, "summary": _summary_json(report)}, _shown(report))


def _pdf(audits: Sequence[CardAudit], paper: str) -> bytes:
    from baccarat.poster.typeset import report_pdf

    return report_pdf(report_of(audits), paper=paper)


def _card_json(found: CardAudit) -> dict[str, Any]:
    card, t = found.card, catalogue(DEFAULT)
    return {
        "card": card.id,
        **attributes(card, "name", "source"),
        "claims": [_claim_json(claim) for claim in found.claims],
        "contradictions": [
            {"id": name, "text": words} for name, words in contradictions_of(found, t)
        ],
        "ranges": [_range_json(each) for each in found.ranges],
        "ambiguities": [_ambiguity_json(ambiguity) for ambiguity in found.ambiguities],
        "joint_readings": [
            {"readings": {name: r.id for name, r in tried.readings.items()}, **_tried_json(tried)}
            for tried in found.joint
        ],
        "joint_readings_untried": found.joint_untried,
        "notes": [attributes(note, "id", "kind", "text", "in_force") for note in card.poster_notes],
        "remarks": card.notes,
        "digest": card.digest,
    }


def _claim_json(claim: ClaimAudit) -> dict[str, Any]:
    return {
        "ids": contradiction_ids(claim.claim),
        "bets": claim.claim.bets,
        "at": dict(claim.claim.at),
        **attributes(claim.claim, "names_bets", "printed"),
        "exact_percent": _percent(claim.exact),
        "exact_by_bet_percent": _percents(claim.exact_by_bet),
        "verdict": claim.verdict,
        "off_by_percentage_points": _percent(claim.off_by),
    }


def _range_json(found: RangeAudit) -> dict[str, Any]:
    return {
        **attributes(found.low.claim, "bets", "names_bets"),
        "printed": [found.low.claim.printed, found.high.claim.printed],
        "exact_by_bet_percent": {
            bet: [_percent(edge) for edge in span] for bet, span in found.exact_by_bet.items()
        },
        "outside_by_bet_percent": {
            bet: [[_percent(edge) for edge in span] for span in found.outside(bet)]
            for bet in found.exact_by_bet
        },
    }


def _ambiguity_json(found: AmbiguityAudit) -> dict[str, Any]:
    return {
        **attributes(found.ambiguity, "id", "question"),
        "status": found.status,
        **attributes(found.ambiguity, "in_force", "resolution"),
        "readings": [
            {**attributes(tried.reading, "id", "text"), **_tried_json(tried)}
            for tried in found.readings
        ],
        "evidence": [_evidence_json(evidence) for evidence in found.evidence],
    }


def _tried_json(tried: ReadingFigures) -> dict[str, Any]:
    supported = attributes(tried, "supported", "supported_by_sisters")
    return {**supported, "edges_percent": _percents(tried.edges)}


def _evidence_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "card": evidence.card.id,
        "from_sister": evidence.from_sister,
        **attributes(evidence.claim, "bets", "printed"),
        "agrees_with": evidence.agrees,
        "disagrees_with": evidence.disagrees,
    }


def _summary_json(report: Report) -> dict[str, Any]:
    return {
        "counts": [{"number": number, "what": what} for number, what in report.counts],
        "findings": report.findings,
        "favours_player": [attributes(g, "reading", "bet", "edge", "cards") for g in report.gifts],
    }


def _percents(edges: Mapping[str, Fraction]) -> dict[str, str]:
    return {bet: _percent(edge) for bet, edge in edges.items()}


def _percent(edge: Fraction) -> str:
    return decimal_string(edge * 100, DIGITS)


def _shown(report: Report) -> Shown:
    """Yield the same content as the PDF report: card by card, then the summary."""
    t = catalogue(report.language)
    for part in report.cards:
        yield from _card_shown(part, t)
        yield ""
    yield from _summary_shown(report, t)


def _card_shown(part: CardPart, t: Catalogue) -> Shown:
    yield Text(f"{part.name} ({part.id}), from {part.source}", "bold cyan")
    if part.claims:
        columns = ("", t("report-about"), *(f">{t(f'report-{k}')}" for k in ("printed", "exact")))
        rows = (
            [line.ids, line.bets, line.printed, line.exact, _verdict(line), line.by_bet]
            for line in part.claims
        )
        yield indented(table((*columns, t("report-verdict"), t("report-by_bet")), rows))
        yield from (indented(words, 4) for words in part.contradictions)
    else:
        yield indented(Text(t("report-no_claims"), "dim"))
    if part.ranges:
        keys = ("printed", "bet", "exact", "outside")
        ranges = ([line.printed, line.bet, line.exact, line.outside] for line in part.ranges)
        yield from _titled("", table((t(f"report-range_{key}") for key in keys), ranges))
    for ambiguity in part.ambiguities:
        yield from _ambiguity_shown(ambiguity, t)
    if part.joint:
        yield from _titled(t("report-joint"), _joint_table(part.joint, t))
        if part.joint.more:
            yield indented(part.joint.more, 4)
    notes = [*(_note(note, t) for note in part.notes), *part.remarks]
    if notes:
        yield from _titled(t("report-notes"), *notes)
    if part.digest:
        yield indented(Text(f"{t('rules-digest')} {part.digest}", "dim"))


def _verdict(line: ClaimLine) -> Text:
    return Text(line.verdict, COLOURS[line.kind])


def _titled(title: str, *things: Any) -> Shown:
    yield ""
    if title:
        yield indented(Text(title, "bold"))
    yield from (indented(thing, 4) for thing in things)


def _ambiguity_shown(part: AmbiguityPart, t: Catalogue) -> Shown:
    yield ""
    yield indented(f"{part.id} ({t(f'report-status-{part.status}')}) {part.question}")
    columns = ("", "", t("report-joint_readings"), t("report-support"))
    rows = (
        [
            "→" if line.in_force else "",
            line.letter,
            line.name,
            _support(line.support, line.sisters, t),
            *(_edge(strip.edges[i]) for strip in part.strips),
        ]
        for i, line in enumerate(part.readings)
    )
    yield indented(table((*columns, *(f">{strip.bet}" for strip in part.strips)), rows), 4)
    for line in part.readings:
        yield indented(Text(f"{line.letter}: {line.text}", "dim"), 7)
    for words in (part.more, part.evidence):
        if words:
            yield indented(words, 4)
    if part.resolution:
        yield indented(f"{t('report-resolved')} {part.resolution}", 4)


def _joint_table(part: JointPart, t: Catalogue) -> Any:
    columns = (t("report-joint_readings"), t("report-support"), *(f">{bet}" for bet in part.bets))
    best = any(line.best for line in part.lines)
    rows = (
        [
            line.readings,
            _support(line.support, line.sisters, t),
            *map(_edge, line.edges),
            *([line.best] if best else ()),
        ]
        for line in part.lines
    )
    return table((*columns, *([t("report-joint_best")] if best else ())), rows)


def _support(support: str, sisters: str, t: Catalogue) -> Text:
    words = [t(f"report-support-{support}"), *([t(f"report-sisters-{sisters}")] if sisters else ())]
    return Text("; ".join(words), COLOURS[support])


def _edge(edge: str) -> Text:
    return Text(edge, "red" if edge.startswith("−") else "")


def _note(note: NoteLine, t: Catalogue) -> str:
    in_force = f" {t('report-note_in_force')} {note.in_force}" if note.in_force else ""
    return f"{note.id} {t(f'report-note-{note.kind}')} {note.text}{in_force}"


def _summary_shown(report: Report, t: Catalogue) -> Shown:
    yield Text(t("report-summary"), "bold cyan")
    yield indented(", ".join(f"{number} {what}" for number, what in report.counts))
    yield from (indented(f"- {finding}") for finding in report.findings)
    if report.gifts:
        columns = (t("report-gift_reading"), t("report-gift_bet"), f">{t('report-gift_edge')}", "")
        rows = ([g.reading, g.bet, _edge(g.edge), g.cards] for g in report.gifts)
        yield from _titled(t("report-gifts"), t("report-gifts_words"), table(columns, rows))
