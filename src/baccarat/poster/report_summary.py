"""The summary of the audit report: its counts, its findings, and the readings under which a bet
favours the player."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from baccarat.analysis.audit import AmbiguityAudit, CardAudit, JointAudit, Verdict
from baccarat.core.money import percent_string
from baccarat.core.text import grouped
from baccarat.poster.report_words import (
    bet_favouring_player,
    bet_names,
    claim_words,
    figures_in_words,
    names_of,
    printed_range,
    span_in_words,
)
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.rules import listed

Place = tuple[str, str]
"""An ambiguity's id, and the name of a game that has it."""


@dataclass(frozen=True)
class PlayerAdvantage:
    """A reading under which a bet would favour the player."""

    reading: str
    bet: str
    edge: str
    at: float
    cards: str


def counts_of(audits: Sequence[CardAudit], t: Catalogue) -> Iterable[tuple[str, str]]:
    claims = [claim for found in audits for claim in found.claims]
    places = _places(audits)
    counts = {
        "posters": len({found.card.source for found in audits}),
        "games": len(audits),
        "figures": len(claims),
        "wrong": sum(claim.verdict is Verdict.WRONG for claim in claims),
        "ambiguities": len({name for found in places.values() for name, _ in found}),
        "decided": len(places.get("decided", ())),
    }
    many = sum(map(len, places.values()))
    return ((t.number(n), t(f"report-{key}", n=n, places=many)) for key, n in counts.items())


def findings_of(audits: Sequence[CardAudit], t: Catalogue) -> Iterable[str]:
    claims = [(found.card, claim) for found in audits for claim in found.claims]
    for card, claim in claims:
        if claim.verdict is Verdict.WRONG:
            yield t("report-found-wrong", game=card.name, **claim_words(card, claim, t))
    for verdict in (Verdict.TRUNCATED, Verdict.ROUNDED_UP, Verdict.MEAN):
        alike = [(card, claim.claim) for card, claim in claims if claim.verdict is verdict]
        if alike:
            yield t(f"report-found-{verdict.name.lower()}", figures=figures_in_words(alike, t))
    for found in audits:
        unnamed = [claim.printed for claim in found.card.claims if not claim.names_bets]
        if unnamed:
            figures = listed(unnamed, t.language)
            yield t("report-found-unnamed", game=found.card.name, figures=figures)
        yield from _outside(found, t)
    places = _places(audits)
    for key in ("decided", "pointed", "undecided", "idle"):
        if key in places:
            yield t(f"report-found-{key}", where=_where(places[key], t))
    for found in audits:
        if found.joint:
            yield from _worst_together(found, t)


def _outside(found: CardAudit, t: Catalogue) -> Iterable[str]:
    """Yield sentences on exact edges outside a printed range."""
    for each in found.ranges:
        for bet in each.exact_by_bet:
            for part in each.outside(bet):
                yield t(
                    "report-found-outside",
                    game=found.card.name,
                    printed=printed_range(each, t),
                    bet=names_of(found.card)[bet],
                    part=span_in_words(part, t),
                )


def _worst_together(found: CardAudit, t: Catalogue) -> Iterable[str]:
    """Yield a sentence on the bet that favours the player most under joint readings, compared with
    each reading alone."""
    alone = {
        (each.ambiguity.id, tried.reading.id): tried.edges
        for each in found.ambiguities
        for tried in each.readings
    }
    beyond = [
        (edge - min(alone[name, r.id].get(bet, edge) for name, r in tried.readings.items()), i, bet)
        for i, tried in enumerate(found.joint)
        for bet, edge in tried.edges.items()
        if edge < 0
    ]
    difference, place, bet = min(beyond, default=(0, 0, ""))
    if difference < 0:
        worst = found.joint[place]
        yield t(
            "report-found-joint",
            game=found.card.name,
            readings=_read_as(worst, t),
            bet=bet_names(found.card, worst)[bet],
            edge=percent_string(-worst.edges[bet]),
        )


def _read_as(tried: JointAudit, t: Catalogue) -> str:
    """Return joint readings in words: 'A2 read as “stands” and A3 read as “literal”'."""
    return listed(
        [t("report-read_as", id=name, reading=r.id) for name, r in tried.readings.items()],
        t.language,
    )


def _places(audits: Sequence[CardAudit]) -> dict[str, list[Place]]:
    """Group the ambiguities: "decided" by figures of their own poster, "pointed" if only figures of
    sister posters distinguish the readings, "undecided", or "idle" if they affect no edge."""
    return grouped(
        (_place_of(found), (found.ambiguity.id, audited.card.name))
        for audited in audits
        for found in audited.ambiguities
    )


def _place_of(found: AmbiguityAudit) -> str:
    if found.evidence:
        return "decided" if found.decided else "pointed"
    return "undecided" if found.affected_bets else "idle"


def _where(places: Sequence[Place], t: Catalogue) -> str:
    """Return where ambiguities occur, in words: 'A1 on Punto Banco; A2 on … (4 places)'."""
    ordered = sorted(grouped(places).items(), key=lambda place: (len(place[0]), place[0]))
    said = (t("report-on", id=name, games=listed(games, t.language)) for name, games in ordered)
    return t("report-places", where="; ".join(said), places=len(places))


def gifts_of(audits: Sequence[CardAudit], t: Catalogue) -> Iterable[PlayerAdvantage]:
    """Yield the readings under which a bet favours the player, worst for the house first, each with
    all cards on which the edge is the same."""
    where = grouped(
        (
            (
                found.ambiguity.id,
                tried.reading.id,
                bet_names(audited.card, tried)[bet],
                tried.edges[bet],
            ),
            audited.card.name,
        )
        for audited in audits
        for found in audited.ambiguities
        for tried in found.readings
        if (bet := bet_favouring_player(tried)) is not None
    )
    for (ambiguity_id, reading, bet, edge), cards in sorted(where.items(), key=lambda i: i[0][3]):
        yield PlayerAdvantage(
            reading=t("report-read_as", id=ambiguity_id, reading=reading),
            bet=bet,
            edge=percent_string(edge),
            at=float(edge * 100),
            cards=listed(cards, t.language),
        )
