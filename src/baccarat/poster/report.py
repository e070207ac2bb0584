"""The audit report as plain values: printed figures compared with exact ones.

`report_of(audits)` arranges the results of `analysis.audit`: every printed figure with its verdict
and, for every ambiguity, the edges under each reading as numbers and as marks on a plot. Floats are
used only for positions on paper; every figure in the text is rounded from the exact one.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from baccarat.analysis.audit import (
    AmbiguityAudit,
    CardAudit,
    ClaimAudit,
    ReadingAudit,
    Verdict,
    at_in_words,
    printed_value,
)
from baccarat.core.money import percent_string
from baccarat.core.printed import Claim
from baccarat.core.rulecard import RuleCard
from baccarat.core.text import grouped, in_language
from baccarat.wording.catalogue import DEFAULT, Catalogue, catalogue
from baccarat.wording.rules import listed

MOST_STRIPS = 5
"""Maximum number of bets in an ambiguity's plot; the report gives only the number of other bets."""

KINDS = {
    Verdict.ROUNDED: "true",
    Verdict.MEAN: "true",
    Verdict.CUT_OFF: "careless",
    Verdict.ROUNDED_UP: "careless",
    Verdict.WRONG: "wrong",
}
"""The colour class in which each verdict is shown."""

SUPPORT = {True: "supported", False: "contradicted", None: "undecided"}


@dataclass(frozen=True)
class ClaimLine:
    """A printed figure and its verdict."""

    ids: str
    """Ids of the known contradictions that concern the figure, such as A5."""
    bets: str
    printed: str
    exact: str
    verdict: str
    kind: str
    off: float
    """Exact minus printed figure, in units of the last printed digit; up to 0.5 is correct
    rounding."""
    by_bet: str
    """The exact edge of each bet, if the figure refers to several bets."""


@dataclass(frozen=True)
class Mark:
    """The mark on a strip for the edge under one reading."""

    letter: str
    at: float
    in_force: bool


@dataclass(frozen=True)
class Strip:
    """One row of an ambiguity's plot: the edges of one bet under every reading."""

    bet: str
    edges: tuple[str, ...]
    """The edge under each reading; a dash if the bet does not exist under that reading."""
    marks: tuple[Mark, ...]
    printed: float | None
    """The edge that a poster prints for the bet, if any."""


@dataclass(frozen=True)
class ReadingLine:
    """One reading of an ambiguous rule, as the report lists it."""

    letter: str
    name: str
    text: str
    in_force: bool
    support: str


@dataclass(frozen=True)
class AmbiguityPart:
    """The report's section on one ambiguity: its readings, and the edges under each of them."""

    id: str
    status: str
    question: str
    resolution: str
    readings: tuple[ReadingLine, ...]
    strips: tuple[Strip, ...]
    more: str
    evidence: str


@dataclass(frozen=True)
class CardPart:
    """The report's chapter on one rule card."""

    id: str
    name: str
    source: str
    claims: tuple[ClaimLine, ...]
    ambiguities: tuple[AmbiguityPart, ...]
    notes: tuple[str, ...]
    digest: str


@dataclass(frozen=True)
class Gift:
    """A reading under which a bet would favour the player."""

    reading: str
    bet: str
    edge: str
    at: float
    cards: str


@dataclass(frozen=True)
class Report:
    """The complete content of the audit report."""

    title: str
    counts: tuple[tuple[str, str], ...]
    """(number, label) pairs for the top of the first page."""
    findings: tuple[str, ...]
    gifts: tuple[Gift, ...]
    cards: tuple[CardPart, ...]
    language: str


def report_of(audits: Sequence[CardAudit], language: str = DEFAULT) -> Report:
    """Return the report on these cards, ordered by poster."""
    t = catalogue(language)
    audits = sorted(in_language(tuple(audits), language), key=lambda found: found.card.source)
    return Report(
        title=t("report-title") if len(audits) > 1 else audits[0].card.name,
        counts=tuple(_counts(audits, t)),
        findings=tuple(_findings(audits, t)),
        gifts=tuple(_gifts(audits, t)),
        cards=tuple(_card_part(found, t) for found in audits),
        language=language,
    )


def _counts(audits: Sequence[CardAudit], t: Catalogue) -> Iterable[tuple[str, str]]:
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


def _findings(audits: Sequence[CardAudit], t: Catalogue) -> Iterable[str]:
    claims = [(found.card, claim) for found in audits for claim in found.claims]
    for card, claim in claims:
        if claim.verdict is Verdict.WRONG:
            yield t("report-found-wrong", game=card.name, **_words(card, claim, t))
    for verdict in (Verdict.CUT_OFF, Verdict.ROUNDED_UP, Verdict.MEAN):
        alike = [(card, claim.claim) for card, claim in claims if claim.verdict is verdict]
        if alike:
            yield t(f"report-found-{verdict.name.lower()}", figures=_figures(alike, t))
    for found in audits:
        unnamed = [claim.printed for claim in found.card.claims if not claim.names_bets]
        if unnamed:
            figures = listed(unnamed, t.language)
            yield t("report-found-unnamed", game=found.card.name, figures=figures)
    places = _places(audits)
    for key in ("decided", "undecided", "idle"):
        if key in places:
            yield t(f"report-found-{key}", where=_where(places[key], t))


def _figures(claims: Iterable[tuple[RuleCard, Claim]], t: Catalogue) -> str:
    """Return printed figures in words: '1.45% (Banker) and 1.23% (Player) on Punto Banco; …'."""
    by_game = grouped(
        (card.name, t("report-figure", printed=claim.printed, bets=_bets(card, claim, t)))
        for card, claim in claims
    )
    return "; ".join(
        t("report-prints", figures=listed(figures, t.language), game=name)
        for name, figures in by_game.items()
    )


def _words(card: RuleCard, found: ClaimAudit, t: Catalogue) -> dict[str, str]:
    """Return the variables of messages about a printed figure."""
    return {
        "printed": found.claim.printed,
        "bets": _bets(card, found.claim, t),
        "exact": percent_string(found.exact),
        "off": percent_string(abs(found.off_by)),
        "way": "high" if found.off_by > 0 else "low",
    }


Place = tuple[str, str]
"""An ambiguity's id, and the name of a game that has it."""


def _places(audits: Sequence[CardAudit]) -> dict[str, list[Place]]:
    """Group the ambiguities: "decided" by printed figures, "undecided", or "idle" if they affect no
    edge."""
    return grouped(
        (
            "decided" if found.evidence else "undecided" if found.moving_bets else "idle",
            (found.ambiguity.id, audited.card.name),
        )
        for audited in audits
        for found in audited.ambiguities
    )


def _where(places: Sequence[Place], t: Catalogue) -> str:
    """Return where ambiguities occur, in words: 'A1 on Punto Banco; A2 on … (4 places)'."""
    ordered = sorted(grouped(places).items(), key=lambda place: (len(place[0]), place[0]))
    said = (t("report-on", id=name, games=listed(games, t.language)) for name, games in ordered)
    return t("report-places", where="; ".join(said), places=len(places))


def _gifts(audits: Sequence[CardAudit], t: Catalogue) -> Iterable[Gift]:
    """Yield the readings under which a bet favours the player, worst for the house first, each with
    all cards on which the edge is the same."""
    where = grouped(
        (
            (
                found.ambiguity.id,
                tried.reading.id,
                _bet_names(audited.card, tried)[bet],
                tried.edges[bet],
            ),
            audited.card.name,
        )
        for audited in audits
        for found in audited.ambiguities
        for tried in found.readings
        if (bet := given_away(tried)) is not None
    )
    for (ambiguity_id, reading, bet, edge), cards in sorted(where.items(), key=lambda i: i[0][3]):
        yield Gift(
            reading=t("report-read_as", id=ambiguity_id, reading=reading),
            bet=bet,
            edge=percent_string(edge),
            at=float(edge * 100),
            cards=listed(cards, t.language),
        )


def given_away(tried: ReadingAudit) -> str | None:
    """Return the bet that favours the player most under a reading, or None if none does."""
    bet = min(tried.edges, key=lambda name: tried.edges[name], default=None)
    return bet if bet is not None and tried.edges[bet] < 0 else None


def _card_part(found: CardAudit, t: Catalogue) -> CardPart:
    card = found.card
    return CardPart(
        id=card.id,
        name=card.name,
        source=card.source,
        claims=tuple(_claim_line(card, claim, t) for claim in found.claims),
        ambiguities=tuple(_ambiguity_part(card, each, t) for each in found.ambiguities),
        notes=card.notes,
        digest=card.digest,
    )


def _claim_line(card: RuleCard, found: ClaimAudit, t: Catalogue) -> ClaimLine:
    digits = len(found.claim.printed.rstrip("%").partition(".")[2])
    names = {bet.id: bet.name for bet in card.bets}
    by_bet = [f"{names[bet]} {percent_string(edge)}" for bet, edge in found.exact_by_bet.items()]
    words = _words(card, found, t)
    return ClaimLine(
        ids=" ".join(cite for cite in found.claim.cites if cite.startswith("A")),
        bets=words["bets"],
        printed=words["printed"],
        exact=words["exact"],
        verdict=t(f"report-verdict-{found.verdict.name.lower()}", **words),
        kind=KINDS[found.verdict],
        off=float(-found.off_by * 100 * 10**digits),
        by_bet=listed(by_bet, t.language) if len(by_bet) > 1 else "",
    )


def _ambiguity_part(card: RuleCard, found: AmbiguityAudit, t: Catalogue) -> AmbiguityPart:
    ambiguity = found.ambiguity
    letters = {tried.reading.id: _letter(i) for i, tried in enumerate(found.readings)}
    moving = found.moving_bets
    evident = [bet for evidence in found.evidence for bet in evidence.claim.bets]
    ranked = sorted(moving, key=lambda bet: bet not in evident)[:MOST_STRIPS]
    shown = [bet for bet in moving if bet in ranked]
    return AmbiguityPart(
        id=ambiguity.id,
        status=found.status,
        question=ambiguity.question,
        resolution=ambiguity.resolution,
        readings=tuple(
            ReadingLine(
                letter=letters[tried.reading.id],
                name=tried.reading.id,
                text=tried.reading.text,
                in_force=tried.reading.id == ambiguity.in_force,
                support=SUPPORT[tried.supported],
            )
            for tried in found.readings
        ),
        strips=tuple(_strip(card, found, bet, letters) for bet in shown),
        more=" ".join(_more(card, found, shown, t)),
        evidence=_evidence(found, t),
    )


def _letter(place: int) -> str:
    """Return a short name for a reading in a plot: a, b, … z, a2, b2, …"""
    again, letter = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(again + 1) if again else "")


def _more(
    card: RuleCard, found: AmbiguityAudit, shown: Sequence[str], t: Catalogue
) -> Iterable[str]:
    """Yield sentences on what the plot omits: the number of other bets, and those that favour the
    player."""
    if not found.moving_bets:
        yield t("report-no_bet")
    if len(found.moving_bets) > len(shown):
        yield t("report-more_bets", n=len(found.moving_bets) - len(shown))
    for place, tried in enumerate(found.readings):
        bet = given_away(tried)
        if bet is not None and bet not in shown:
            name, edge = _bet_names(card, tried)[bet], percent_string(tried.edges[bet])
            yield t("report-best", letter=_letter(place), bet=name, edge=edge)


def _strip(card: RuleCard, found: AmbiguityAudit, bet: str, letters: dict[str, str]) -> Strip:
    names = {k: v for tried in found.readings for k, v in _bet_names(card, tried).items()}
    return Strip(
        bet=names[bet],
        edges=tuple(
            percent_string(tried.edges[bet]) if bet in tried.edges else "–"
            for tried in found.readings
        ),
        marks=tuple(
            Mark(
                letters[tried.reading.id],
                float(tried.edges[bet] * 100),
                tried.reading.id == found.ambiguity.in_force,
            )
            for tried in found.readings
            if bet in tried.edges
        ),
        printed=next(
            (
                float(printed_value(evidence.claim.printed) * 100)
                for evidence in found.evidence
                if evidence.claim.bets == (bet,)
                and all(card.parameters[name].default == v for name, v in evidence.claim.at.items())
            ),
            None,
        ),
    )


def _evidence(found: AmbiguityAudit, t: Catalogue) -> str:
    if not found.evidence:
        return t("report-no_evidence") if found.moving_bets else ""
    claims = ((evidence.card, evidence.claim) for evidence in found.evidence)
    return t("report-evidence", figures=_figures(claims, t))


def _bet_names(card: RuleCard, tried: ReadingAudit) -> dict[str, str]:
    """Return the names of the bets under a reading, by id, including bets that the reading adds."""
    return {bet.id: bet.name for bet in (*card.bets, *(tried.reading.bets or ()))}


def _bets(card: RuleCard, claim: Claim, t: Catalogue) -> str:
    names = {bet.id: bet.name for bet in card.bets}
    at = re.sub("(?<!,)[ _]", "\u00a0", at_in_words(card, claim))
    bets = listed([names[bet] for bet in claim.bets], t.language)
    if not claim.names_bets:
        bets = t("report-unnamed", bets=bets, n=len(claim.bets))
    return t("report-at", bets=bets, at=at) if at else bets
