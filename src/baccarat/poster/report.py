"""The audit report as plain values: what posters print against what is exact.

`report_of(audits)` arranges what `analysis.audit` found: every printed figure with its verdict, and
for every ambiguity the edges under each reading, as numbers and as marks on a line. Floats here
are places on the paper; every figure in words is rounded from the exact one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
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
from baccarat.core.rulecard import Claim, RuleCard
from baccarat.core.words import listed
from baccarat.loader import load

MOST_STRIPS = 5
"""Bets that an ambiguity's plot shows; the others are counted."""

KINDS = {
    Verdict.ROUNDED: "true",
    Verdict.MEAN: "true",
    Verdict.CUT_OFF: "careless",
    Verdict.ROUNDED_UP: "careless",
    Verdict.WRONG: "wrong",
}
"""How a verdict is coloured."""

WRONG_ONES = "of them wrong"
"""The count that is coloured."""

SUPPORT = {True: "supported", False: "contradicted", None: "undecided"}


@dataclass(frozen=True)
class ClaimLine:
    """A printed figure, judged."""

    ids: str
    """The contradictions it is known by, such as A5."""
    bets: str
    printed: str
    exact: str
    verdict: str
    kind: str
    off: float
    """Exact minus printed, in units of the last printed digit: within half of one is rounding."""
    by_bet: str
    """The exact edge of each bet, where the figure speaks of several."""


@dataclass(frozen=True)
class Mark:
    """An edge on a strip."""

    letter: str
    at: float
    in_force: bool


@dataclass(frozen=True)
class Strip:
    """One bet under every reading."""

    bet: str
    edges: tuple[str, ...]
    """By reading; a dash where the bet does not exist."""
    marks: tuple[Mark, ...]
    printed: float | None
    """The figure a poster prints for it."""


@dataclass(frozen=True)
class ReadingLine:
    """One reading."""

    letter: str
    name: str
    text: str
    in_force: bool
    support: str


@dataclass(frozen=True)
class AmbiguityPart:
    """One ambiguity, reading by reading."""

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
    """Everything about one rule card."""

    id: str
    name: str
    source: str
    claims: tuple[ClaimLine, ...]
    ambiguities: tuple[AmbiguityPart, ...]
    notes: tuple[str, ...]
    digest: str


@dataclass(frozen=True)
class Gift:
    """A reading under which a bet would favour the bettor."""

    reading: str
    bet: str
    edge: str
    at: float
    cards: str


@dataclass(frozen=True)
class Report:
    """Everything that stands in the report."""

    title: str
    counts: tuple[tuple[str, str], ...]
    """(number, of what), for the top of the first page."""
    findings: tuple[str, ...]
    gifts: tuple[Gift, ...]
    cards: tuple[CardPart, ...]


def report_of(audits: Sequence[CardAudit]) -> Report:
    """The report on these cards, poster by poster."""
    audits = sorted(audits, key=lambda found: found.card.source)
    many = len(audits) > 1
    return Report(
        title="What the posters print, and what is exact" if many else audits[0].card.name,
        counts=tuple(_counts(audits)),
        findings=tuple(_findings(audits)),
        gifts=tuple(_gifts(audits)),
        cards=tuple(_card_part(found) for found in audits),
    )


def _counts(audits: Sequence[CardAudit]) -> Iterable[tuple[str, str]]:
    claims = [claim for found in audits for claim in found.claims]
    wrong = sum(claim.verdict is Verdict.WRONG for claim in claims)
    places = _places(audits, lambda _: True)
    many = sum(map(len, places.values()))
    decided = _places(audits, lambda found: bool(found.evidence))
    posters = len({found.card.source for found in audits})
    yield str(posters), "poster" if posters == 1 else "posters"
    yield str(len(audits)), "game" if len(audits) == 1 else "games"
    yield str(len(claims)), "printed figure" if len(claims) == 1 else "printed figures"
    yield str(wrong), WRONG_ONES
    kinds = "ambiguity" if len(places) == 1 else "ambiguities"
    yield str(len(places)), f"{kinds} in {many} place{'' if many == 1 else 's'}"
    yield str(sum(map(len, decided.values()))), "of these decided by print"


def _findings(audits: Sequence[CardAudit]) -> Iterable[str]:
    claims = [(found.card, claim) for found in audits for claim in found.claims]
    for card, claim in claims:
        if claim.verdict is Verdict.WRONG:
            yield (
                f"{card.name} prints {claim.claim.printed} for {_bets(card, claim.claim)}: exact "
                f"is {percent_string(claim.exact)}, so the print is {claim.off_in_words}."
            )
    for verdict, words in (
        (Verdict.CUT_OFF, "cut off where rounding would give the next digit"),
        (Verdict.ROUNDED_UP, "rounded up where rounding would go down"),
        (Verdict.MEAN, "true only as a mean, not of each bet"),
    ):
        alike = [
            f"{card.name} {claim.claim.printed} ({_bets(card, claim.claim)})"
            for card, claim in claims
            if claim.verdict is verdict
        ]
        if alike:
            yield f"{_sentence(words)}: {listed(alike)}."
    for found in audits:
        unnamed = [claim.printed for claim in found.card.claims if not claim.names_bets]
        if unnamed:
            yield f"{found.card.name} prints {listed(unnamed)} without saying of which bet."
    decided, undecided, idle = (
        _places(audits, lambda found: bool(found.evidence)),
        _places(audits, lambda found: not found.evidence and bool(found.moving_bets)),
        _places(audits, lambda found: not found.evidence and not found.moving_bets),
    )
    if decided:
        yield f"Printed figures decide {_where(decided)}."
    if undecided:
        yield (
            f"No printed figure decides {_where(undecided)}. There, only the card says which "
            "reading holds."
        )
    if idle:
        yield f"No edge depends on {_where(idle)}."


Places = dict[str, list[str]]
"""For each ambiguity, the names of the games it is in."""


def _places(audits: Sequence[CardAudit], which: Callable[[AmbiguityAudit], bool]) -> Places:
    places: Places = {}
    for found in audits:
        for ambiguity in found.ambiguities:
            if which(ambiguity):
                places.setdefault(ambiguity.ambiguity.id, []).append(found.card.name)
    return places


def _where(places: Places) -> str:
    """'A1 on Punto Banco; A2 on … (4 places)'."""
    many = sum(map(len, places.values()))
    said = "; ".join(
        f"{name} on {listed(cards)}" for name, cards in sorted(places.items(), key=_number)
    )
    return f"{said} ({many} place{'' if many == 1 else 's'})"


def _number(entry: tuple[str, list[str]]) -> tuple[int, str]:
    digits = "".join(filter(str.isdigit, entry[0]))
    return int(digits or 0), entry[0]


def _gifts(audits: Sequence[CardAudit]) -> Iterable[Gift]:
    """Readings that would hand a bet to the bettor, the worst first; equal ones said once."""
    where: dict[tuple[str, str, str, Fraction], list[str]] = {}
    for found in audits:
        for ambiguity in found.ambiguities:
            for tried in ambiguity.readings:
                bet = given_away(tried)
                if bet is not None:
                    name = _bet_names(found.card, tried)[bet]
                    key = (ambiguity.ambiguity.id, tried.reading.id, name, tried.edges[bet])
                    where.setdefault(key, []).append(found.card.name)
    for (ambiguity_id, reading, bet, edge), cards in sorted(where.items(), key=lambda i: i[0][3]):
        yield Gift(
            reading=f"{ambiguity_id} read as “{reading}”",
            bet=bet,
            edge=percent_string(edge),
            at=float(edge * 100),
            cards=listed(cards),
        )


def given_away(tried: ReadingAudit) -> str | None:
    """The bet that a reading turns furthest against the house, if it does so with any."""
    bet = min(tried.edges, key=lambda name: tried.edges[name], default=None)
    return bet if bet is not None and tried.edges[bet] < 0 else None


def _card_part(found: CardAudit) -> CardPart:
    card = found.card
    return CardPart(
        id=card.id,
        name=card.name,
        source=card.source,
        claims=tuple(_claim_line(card, claim) for claim in found.claims),
        ambiguities=tuple(_ambiguity_part(card, ambiguity) for ambiguity in found.ambiguities),
        notes=card.notes,
        digest=card.digest,
    )


def _claim_line(card: RuleCard, found: ClaimAudit) -> ClaimLine:
    digits = len(found.claim.printed.rstrip("%").partition(".")[2])
    names = {bet.id: bet.name for bet in card.bets}
    by_bet = [f"{names[bet]} {percent_string(edge)}" for bet, edge in found.exact_by_bet.items()]
    return ClaimLine(
        ids=" ".join(cite for cite in found.claim.cites if cite.startswith("A")),
        bets=_bets(card, found.claim),
        printed=found.claim.printed,
        exact=percent_string(found.exact),
        verdict=found.verdict_in_words,
        kind=KINDS[found.verdict],
        off=float(-found.off_by * 100 * 10**digits),
        by_bet=listed(by_bet) if len(by_bet) > 1 else "",
    )


def _ambiguity_part(card: RuleCard, found: AmbiguityAudit) -> AmbiguityPart:
    ambiguity = found.ambiguity
    letters = {tried.reading.id: _letter(i) for i, tried in enumerate(found.readings)}
    moving = found.moving_bets
    evident = [bet for evidence in found.evidence for bet in evidence.claim.bets]
    ranked = sorted(moving, key=lambda bet: bet not in evident)[:MOST_STRIPS]
    shown = [bet for bet in moving if bet in ranked]
    rest = len(moving) - len(shown)
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
        more=" ".join(
            (_more(rest, nothing_moves=not moving), *_hidden(card, found, shown))
        ).strip(),
        evidence=_evidence(card, found),
    )


def _letter(place: int) -> str:
    """a, b, … z, a2, b2, …: short names for the readings of a plot."""
    again, letter = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(again + 1) if again else "")


def _more(rest: int, *, nothing_moves: bool) -> str:
    if nothing_moves:
        return "No edge depends on it: it only says which wagers are taken."
    if rest:
        return f"{rest} more bet{'s' if rest > 1 else ''} depend{'' if rest > 1 else 's'} on it."
    return ""


def _hidden(card: RuleCard, found: AmbiguityAudit, shown: Sequence[str]) -> Iterable[str]:
    """Bets that a reading would give away most, where the plot has no room for them."""
    for place, tried in enumerate(found.readings):
        bet = given_away(tried)
        if bet is not None and bet not in shown:
            name, edge = _bet_names(card, tried)[bet], percent_string(tried.edges[bet])
            yield f"Furthest in the bettor's favour under {_letter(place)}: {name}, {edge}."


def _strip(card: RuleCard, found: AmbiguityAudit, bet: str, letters: dict[str, str]) -> Strip:
    names: dict[str, str] = {}
    for tried in found.readings:
        names |= _bet_names(card, tried)
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
                if evidence.claim.bets == (bet,) and _at_defaults(card, evidence.claim)
            ),
            None,
        ),
    )


def _at_defaults(card: RuleCard, claim: Claim) -> bool:
    return all(card.parameters[name].default == value for name, value in claim.at.items())


def _evidence(card: RuleCard, found: AmbiguityAudit) -> str:
    if not found.evidence:
        return "No printed figure tells these readings apart." if found.moving_bets else ""
    figures = []
    for name, claims in found.evidence_by_card.items():
        source = card if name == card.id else load(name)
        printed = [f"{claim.printed} ({_bets(source, claim)})" for claim in claims]
        figures.append(f"{source.name} prints {listed(printed)}")
    return f"Decided by what is printed: {'; '.join(figures)}."


def _bet_names(card: RuleCard, tried: ReadingAudit) -> dict[str, str]:
    """Names of the bets under a reading, which may have put others in their place."""
    return {bet.id: bet.name for bet in (*card.bets, *(tried.reading.bets or ()))}


def _bets(card: RuleCard, claim: Claim) -> str:
    names = {bet.id: bet.name for bet in card.bets}
    at = (
        at_in_words(card, claim)
        .replace("_", " ")
        .replace(", ", ";")
        .replace(" ", "\u00a0")
        .replace(";", ", ")
    )
    bets = listed([names[bet] for bet in claim.bets])
    if not claim.names_bets:
        bets = f"no bet named: {'mean of ' if len(claim.bets) > 1 else ''}{bets}"
    return bets + (f" at {at}" if at else "")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
