"""The audit report as plain values: printed figures compared with exact ones.

`report_of(audits)` arranges the results of `analysis.audit`: every printed figure and range with
its verdict; for every ambiguity, the edges under each reading as numbers and as marks on a plot;
joint readings, gaps and notes. The same report is printed in the terminal, on paper and on a web
page. Floats are used only for positions on paper; every figure in the text is rounded from the
exact one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from baccarat.analysis.audit import (
    AmbiguityAudit,
    CardAudit,
    ClaimAudit,
    JointAudit,
    RangeAudit,
    Verdict,
    printed_value,
)
from baccarat.core.money import percent_string
from baccarat.core.rulecard import RuleCard
from baccarat.core.text import in_language
from baccarat.poster.report_summary import PlayerAdvantage, counts_of, findings_of, gifts_of
from baccarat.poster.report_words import (
    bet_favouring_player,
    bet_names,
    claim_words,
    contradiction_ids,
    contradictions_of,
    figures_in_words,
    names_of,
    printed_range,
    span_in_words,
)
from baccarat.wording.catalogue import DEFAULT, Catalogue, catalogue
from baccarat.wording.rules import listed, source_in_words

MAX_PLOT_ROWS = 5
"""Maximum number of bets in an ambiguity's plot; the report gives only the number of other bets."""

KINDS = {
    Verdict.ROUNDED: "true",
    Verdict.MEAN: "true",
    Verdict.TRUNCATED: "careless",
    Verdict.ROUNDED_UP: "careless",
    Verdict.WRONG: "wrong",
}
"""The colour class in which each verdict is shown."""

MAX_COLUMNS = 4
"""Maximum number of bets in a table of joint readings."""

SUPPORT = {True: "supported", False: "contradicted", None: "undecided"}
SISTERS = {True: "agree", False: "disagree", None: ""}


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
    """Exact minus printed figure, in units of the last printed digit; at most 0.5 if rounded
    correctly."""
    by_bet: str
    """The exact edge of each bet, if the figure refers to several bets."""


@dataclass(frozen=True)
class RangeLine:
    """The exact range of one bet beside a printed range."""

    printed: str
    bet: str
    exact: str
    outside: str
    """The part of the exact range that is outside the printed range."""


@dataclass(frozen=True)
class Mark:
    """The mark on a strip for the edge under one reading."""

    letter: str
    at: float
    in_force: bool


@dataclass(frozen=True)
class PlotRow:
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
    sisters: str
    """Whether figures of sister cards agree, disagree, or say nothing."""


@dataclass(frozen=True)
class AmbiguityPart:
    """The report's section on one ambiguity: its readings, and the edges under each of them."""

    id: str
    status: str
    question: str
    resolution: str
    readings: tuple[ReadingLine, ...]
    strips: tuple[PlotRow, ...]
    more: str
    evidence: str


@dataclass(frozen=True)
class JointLine:
    """Several readings together."""

    readings: str
    """Ambiguities and readings, such as 'A2 stands, A3 literal'."""
    support: str
    sisters: str
    edges: tuple[str, ...]
    best: str
    """The bet that favours the player most under these readings, with its edge; '' if there is none
    or `edges` includes it."""


@dataclass(frozen=True)
class JointPart:
    """The report's section on readings of several ambiguities together."""

    bets: tuple[str, ...]
    lines: tuple[JointLine, ...]
    more: str


@dataclass(frozen=True)
class NoteLine:
    """A note on the poster."""

    id: str
    kind: str
    text: str
    in_force: str


@dataclass(frozen=True)
class CardPart:
    """The report's chapter on one rule card."""

    id: str
    name: str
    source: str
    claims: tuple[ClaimLine, ...]
    contradictions: tuple[str, ...]
    """The known contradictions that concern printed figures, in words."""
    ranges: tuple[RangeLine, ...]
    ambiguities: tuple[AmbiguityPart, ...]
    joint: JointPart | None
    notes: tuple[NoteLine, ...]
    remarks: tuple[str, ...]
    """Remarks for players, which the poster also prints."""
    digest: str


@dataclass(frozen=True)
class Report:
    """The complete content of the audit report."""

    title: str
    counts: tuple[tuple[str, str], ...]
    """(number, label) pairs for the top of the first page."""
    findings: tuple[str, ...]
    gifts: tuple[PlayerAdvantage, ...]
    cards: tuple[CardPart, ...]
    language: str


def report_of(audits: Sequence[CardAudit], language: str = DEFAULT) -> Report:
    """Return the report on these cards, ordered by poster."""
    t = catalogue(language)
    audits = sorted(in_language(tuple(audits), language), key=lambda found: found.card.source)
    return Report(
        title=t("report-title") if len(audits) > 1 else audits[0].card.name,
        counts=tuple(counts_of(audits, t)),
        findings=tuple(findings_of(audits, t)),
        gifts=tuple(gifts_of(audits, t)),
        cards=tuple(_card_part(found, t) for found in audits),
        language=language,
    )


def _card_part(found: CardAudit, t: Catalogue) -> CardPart:
    card = found.card
    return CardPart(
        id=card.id,
        name=card.name,
        source=source_in_words(card.source, t),
        claims=tuple(_claim_line(card, claim, t) for claim in found.claims),
        contradictions=tuple(words for _, words in contradictions_of(found, t)),
        ranges=tuple(line for each in found.ranges for line in _range_lines(card, each, t)),
        ambiguities=tuple(_ambiguity_part(card, each, t) for each in found.ambiguities),
        joint=_joint_part(found, t) if found.joint else None,
        notes=tuple(NoteLine(n.id, n.kind, n.text, n.in_force) for n in card.poster_notes),
        remarks=card.notes,
        digest=card.digest,
    )


def _claim_line(card: RuleCard, found: ClaimAudit, t: Catalogue) -> ClaimLine:
    digits = len(found.claim.printed.rstrip("%").partition(".")[2])
    names = names_of(card)
    by_bet = [f"{names[bet]} {percent_string(edge)}" for bet, edge in found.exact_by_bet.items()]
    words = claim_words(card, found, t)
    return ClaimLine(
        ids=" ".join(contradiction_ids(found.claim)),
        bets=words["bets"],
        printed=words["printed"],
        exact=words["exact"],
        verdict=t(f"report-verdict-{found.verdict.name.lower()}", **words),
        kind=KINDS[found.verdict],
        off=float(-found.off_by * 100 * 10**digits),
        by_bet=listed(by_bet, t.language) if len(by_bet) > 1 else "",
    )


def _range_lines(card: RuleCard, found: RangeAudit, t: Catalogue) -> Iterable[RangeLine]:
    for bet, exact in found.exact_by_bet.items():
        outside = [span_in_words(part, t) for part in found.outside(bet)]
        yield RangeLine(
            printed=printed_range(found, t),
            bet=names_of(card)[bet],
            exact=span_in_words(exact, t),
            outside=listed(outside, t.language) if outside else t("report-range_none"),
        )


def _joint_part(found: CardAudit, t: Catalogue) -> JointPart:
    card, moving = found.card, found.affected_bets
    shown = moving[:MAX_COLUMNS]
    names = {k: v for tried in found.joint for k, v in bet_names(card, tried).items()}
    more = []
    if len(moving) > len(shown):
        more.append(t("report-joint_bets", n=len(moving) - len(shown)))
    if found.joint_untried:
        more.append(t("report-joint_untried", n=found.joint_untried))
    return JointPart(
        bets=tuple(names[bet] for bet in shown),
        lines=tuple(_joint_line(card, tried, shown) for tried in found.joint),
        more=" ".join(more),
    )


def _joint_line(card: RuleCard, tried: JointAudit, shown: Sequence[str]) -> JointLine:
    bet, best = bet_favouring_player(tried), ""
    if bet is not None and bet not in shown:
        best = f"{bet_names(card, tried)[bet]} {percent_string(tried.edges[bet])}"
    return JointLine(
        readings=", ".join(f"{name} {r.id}" for name, r in tried.readings.items()),
        support=SUPPORT[tried.supported],
        sisters=SISTERS[tried.supported_by_sisters],
        edges=tuple(percent_string(tried.edges[b]) if b in tried.edges else "–" for b in shown),
        best=best,
    )


def _ambiguity_part(card: RuleCard, found: AmbiguityAudit, t: Catalogue) -> AmbiguityPart:
    ambiguity = found.ambiguity
    letters = {tried.reading.id: _letter(i) for i, tried in enumerate(found.readings)}
    moving = found.affected_bets
    evident = [bet for evidence in found.evidence for bet in evidence.claim.bets]
    ranked = sorted(moving, key=lambda bet: bet not in evident)[:MAX_PLOT_ROWS]
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
                sisters=SISTERS[tried.supported_by_sisters],
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
    if not found.affected_bets:
        yield t("report-no_bet")
    if len(found.affected_bets) > len(shown):
        yield t("report-more_bets", n=len(found.affected_bets) - len(shown))
    for place, tried in enumerate(found.readings):
        bet = bet_favouring_player(tried)
        if bet is not None and bet not in shown:
            name, edge = bet_names(card, tried)[bet], percent_string(tried.edges[bet])
            yield t("report-best", letter=_letter(place), bet=name, edge=edge)


def _strip(card: RuleCard, found: AmbiguityAudit, bet: str, letters: dict[str, str]) -> PlotRow:
    names = {k: v for tried in found.readings for k, v in bet_names(card, tried).items()}
    return PlotRow(
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
        return t("report-no_evidence") if found.affected_bets else ""
    sentences = []
    for from_sister, key in ((False, "report-evidence"), (True, "report-pointers")):
        claims = [(e.card, e.claim) for e in found.evidence if e.from_sister is from_sister]
        if claims:
            sentences.append(t(key, figures=figures_in_words(claims, t)))
    return " ".join(sentences)
