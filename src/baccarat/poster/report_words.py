"""How the audit report names bets, figures, ranges and readings."""

import re
from collections.abc import Iterable

from baccarat.analysis.audit import (
    CardAudit,
    ClaimAudit,
    JointAudit,
    RangeAudit,
    ReadingAudit,
    ReadingFigures,
    Span,
    at_in_words,
)
from baccarat.core.money import percent_string
from baccarat.core.printed import Claim
from baccarat.core.rulecard import RuleCard
from baccarat.core.text import grouped
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.rules import listed


def figures_in_words(claims: Iterable[tuple[RuleCard, Claim]], t: Catalogue) -> str:
    """Return printed figures in words: '1.45% (Banker) and 1.23% (Player) on Punto Banco; …'."""
    by_game = grouped(
        (card.name, t("report-figure", printed=claim.printed, bets=bets_in_words(card, claim, t)))
        for card, claim in claims
    )
    return "; ".join(
        t("report-prints", figures=listed(figures, t.language), game=name)
        for name, figures in by_game.items()
    )


def claim_words(card: RuleCard, found: ClaimAudit, t: Catalogue) -> dict[str, str]:
    """Return the variables of messages about a printed figure."""
    return {
        "printed": found.claim.printed,
        "bets": bets_in_words(card, found.claim, t),
        "exact": percent_string(found.exact),
        "off": percent_string(abs(found.off_by)).rstrip("%"),
        "way": "high" if found.off_by > 0 else "low",
    }


def contradiction_ids(claim: Claim) -> tuple[str, ...]:
    """Return the ids of the known contradictions that concern a printed figure, such as A5."""
    return tuple(cite for cite in claim.cites if cite.startswith("A"))


def contradictions_of(found: CardAudit, t: Catalogue) -> Iterable[tuple[str, str]]:
    """Yield the known contradictions of printed figures, each with its id and in words.

    Ambiguities are left out, because the report has a section on each.
    """
    ambiguous = {each.ambiguity.id for each in found.ambiguities}
    cited = grouped(
        ((name, _what_is_odd(claim)), (found.card, claim.claim))
        for claim in found.claims
        for name in contradiction_ids(claim.claim)
        if name not in ambiguous
    )
    for (name, what), claims in sorted(cited.items()):
        figures = figures_in_words(claims, t)
        yield name, t(f"report-contradiction-{what}", id=name, n=len(claims), figures=figures)


def _what_is_odd(found: ClaimAudit) -> str:
    return found.verdict.name.lower() if found.claim.names_bets else "unnamed"


def printed_range(found: RangeAudit, t: Catalogue) -> str:
    return t("report-span", low=found.low.claim.printed, high=found.high.claim.printed)


def span_in_words(span: Span, t: Catalogue) -> str:
    return t("report-span", low=percent_string(span.low), high=percent_string(span.high))


def bet_favouring_player(tried: ReadingFigures) -> str | None:
    """Return the bet that favours the player most under these readings, or None if no bet does."""
    bet = min(tried.edges, key=lambda name: tried.edges[name], default=None)
    return bet if bet is not None and tried.edges[bet] < 0 else None


def names_of(card: RuleCard) -> dict[str, str]:
    return {bet.id: bet.name for bet in card.bets}


def bet_names(card: RuleCard, tried: ReadingAudit | JointAudit) -> dict[str, str]:
    """Return the names of the bets under these readings, by id, including bets that the readings
    add."""
    return names_of(card) | {bet.id: bet.name for bet in tried.bets}


def bets_in_words(card: RuleCard, claim: Claim, t: Catalogue) -> str:
    names = names_of(card)
    at = re.sub("(?<!,)[ _]", "\u00a0", at_in_words(card, claim))
    bets = listed([names[bet] for bet in claim.bets], t.language)
    if not claim.names_bets:
        bets = t("report-unnamed", bets=bets, n=len(claim.bets))
    return t("report-at", bets=bets, at=at) if at else bets
