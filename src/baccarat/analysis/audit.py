"""The audit of a poster: its printed figures compared with exact ones, reading by reading.

Verdicts are computed, never stored. A verdict compares the printed digits with the exact edge. A
reading is supported if the printed figures that distinguish between the readings agree with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor

from baccarat.analysis.edges import of_full_shoe
from baccarat.core.money import percent_string
from baccarat.core.printed import Ambiguity, Claim, Reading
from baccarat.core.rulecard import Game, RuleCard
from baccarat.core.text import grouped


class Verdict(StrEnum):
    """How a printed figure compares with the exact figure."""

    ROUNDED = "correct when rounded"
    CUT_OFF = "correct when cut off"
    ROUNDED_UP = "correct when rounded up"
    MEAN = "correct as the mean of the bets"
    WRONG = "wrong"


@dataclass(frozen=True)
class ClaimAudit:
    """One printed figure and its verdict."""

    claim: Claim
    exact: Fraction
    """The exact edge of the bet that the claim refers to, or the mean if it refers to several
    bets."""
    exact_by_bet: Mapping[str, Fraction]
    verdict: Verdict

    @property
    def off_by(self) -> Fraction:
        """The printed figure minus the exact one."""
        return printed_value(self.claim.printed) - self.exact

    @property
    def verdict_in_words(self) -> str:
        """The verdict in words; a wrong figure also with its error: 'wrong: 0.0177% too high'."""
        if self.verdict is not Verdict.WRONG:
            return str(self.verdict)
        way = "high" if self.off_by > 0 else "low"
        return f"{self.verdict}: {percent_string(abs(self.off_by))} too {way}"


@dataclass(frozen=True)
class Evidence:
    """A printed figure that distinguishes between the readings of an ambiguity."""

    card: RuleCard
    claim: Claim
    agrees: tuple[str, ...]
    """Ids of the readings under which the figure is true."""
    disagrees: tuple[str, ...]
    """Ids of the readings under which it is false. A reading without the bet is in neither
    tuple."""


@dataclass(frozen=True)
class ReadingAudit:
    """The audit of one reading: the edges under it, and whether the printed figures support it."""

    reading: Reading
    supported: bool | None
    """Whether the printed figures agree with this reading; None if none of them depends on it."""
    edges: Mapping[str, Fraction]


@dataclass(frozen=True)
class AmbiguityAudit:
    """The audit of one ambiguity: all its readings, and the evidence for them."""

    ambiguity: Ambiguity
    readings: tuple[ReadingAudit, ...]
    evidence: tuple[Evidence, ...]

    @property
    def status(self) -> str:
        """'resolved' or 'open'."""
        return "resolved" if self.ambiguity.resolved else "open"

    @property
    def evidence_by_card(self) -> dict[str, list[Claim]]:
        """The printed figures that distinguish between the readings, by id of the rule card that
        has them."""
        return grouped((evidence.card.id, evidence.claim) for evidence in self.evidence)

    @property
    def moving_bets(self) -> list[str]:
        """Ids of the bets whose edge depends on the reading or that do not exist under some
        readings."""
        names = dict.fromkeys(bet for tried in self.readings for bet in tried.edges)
        return [b for b in names if len({tried.edges.get(b) for tried in self.readings}) > 1]


@dataclass(frozen=True)
class CardAudit:
    """The audit of one rule card."""

    card: RuleCard
    claims: tuple[ClaimAudit, ...]
    ambiguities: tuple[AmbiguityAudit, ...]


def audit(card: RuleCard, sisters: Mapping[str, RuleCard]) -> CardAudit:
    """Check every printed figure of a rule card, and try every reading of every ambiguity.

    `sisters` holds the sister cards that the ambiguities name, by that name.
    """
    return CardAudit(
        card,
        tuple(_judge_claim(card, claim) for claim in card.claims),
        tuple(_try_readings(card, sisters, ambiguity) for ambiguity in card.ambiguities),
    )


def at_in_words(card: RuleCard, claim: Claim) -> str:
    """Return the parameter values that a figure applies to, such as 'tie odds 9:1'."""
    at = ((card.parameters[name], value) for name, value in claim.at.items())
    return ", ".join(f"{parameter.label} {parameter.format(value)}" for parameter, value in at)


def printed_value(printed: str) -> Fraction:
    """Return a printed percentage as a fraction: '8.70%' as 87/1000."""
    return Fraction(printed.rstrip("%")) / 100


def judge(printed: str, exact: Sequence[Fraction]) -> Verdict:
    """Return the verdict on a printed percentage, given the exact edge of each bet it refers to."""
    verdicts = {_judge_one(printed, edge) for edge in exact}
    if Verdict.WRONG not in verdicts:
        return max(verdicts, key=list(Verdict).index)
    if len(exact) > 1 and _judge_one(printed, _mean(exact)) is not Verdict.WRONG:
        return Verdict.MEAN
    return Verdict.WRONG


def _judge_one(printed: str, exact: Fraction) -> Verdict:
    digits = len(printed.rstrip("%").partition(".")[2])
    shown = printed_value(printed) * 100 * 10**digits
    scaled = exact * 100 * 10**digits
    toward_zero, away = (floor, ceil) if scaled >= 0 else (ceil, floor)
    if shown == floor(scaled + Fraction(1, 2)):
        return Verdict.ROUNDED
    if shown == toward_zero(scaled):
        return Verdict.CUT_OFF
    if shown == away(scaled):
        return Verdict.ROUNDED_UP
    return Verdict.WRONG


def _agrees(card: RuleCard, claim: Claim, readings: Mapping[str, str]) -> bool | None:
    """Return whether a figure is true under these readings; None if they lack one of its bets."""
    analysis = of_full_shoe(Game.of(card, claim.at, readings))
    if not analysis.keys() >= set(claim.bets):
        return None
    edges = [analysis[bet].edge for bet in claim.bets]
    return judge(claim.printed, edges) is not Verdict.WRONG


def _judge_claim(card: RuleCard, claim: Claim) -> ClaimAudit:
    analysis = of_full_shoe(Game.of(card, claim.at))
    by_bet = {bet: analysis[bet].edge for bet in claim.bets}
    exact = list(by_bet.values())
    return ClaimAudit(claim, _mean(exact), by_bet, judge(claim.printed, exact))


def _try_readings(
    card: RuleCard, sisters: Mapping[str, RuleCard], ambiguity: Ambiguity
) -> AmbiguityAudit:
    """Analyse the game under each reading, with the readings in force for all other ambiguities."""
    evidence = tuple(_evidence(card, sisters, ambiguity))
    tried = []
    for reading in ambiguity.readings:
        analysis = of_full_shoe(Game.of(card, readings={ambiguity.id: reading.id}))
        edges = {bet: figures.edge for bet, figures in analysis.items()}
        tried.append(ReadingAudit(reading, _supported(reading, evidence), edges))
    return AmbiguityAudit(ambiguity, tuple(tried), evidence)


def _supported(reading: Reading, evidence: Sequence[Evidence]) -> bool | None:
    if any(reading.id in found.disagrees for found in evidence):
        return False
    return True if any(reading.id in found.agrees for found in evidence) else None


def _evidence(
    card: RuleCard, sisters: Mapping[str, RuleCard], ambiguity: Ambiguity
) -> Iterable[Evidence]:
    """Yield the printed figures that are true under some readings and false under others."""
    own = [(card, claim) for claim in card.claims]
    named = [sisters[name] for name in ambiguity.sisters]
    for printed_on, claim in [*own, *_sister_claims(card, named)]:
        answers = {
            reading.id: _agrees(card, claim, {ambiguity.id: reading.id})
            for reading in ambiguity.readings
        }
        if True in answers.values() and False in answers.values():
            yield Evidence(
                printed_on,
                claim,
                agrees=tuple(r for r, agrees in answers.items() if agrees is True),
                disagrees=tuple(r for r, agrees in answers.items() if agrees is False),
            )


def _sister_claims(card: RuleCard, sisters: Sequence[RuleCard]) -> Iterable[tuple[RuleCard, Claim]]:
    """Yield the printed figures of sister cards for bets that pay the same on this card."""
    for sister in sisters:
        for claim in sister.claims:
            if claim.at.keys() <= card.parameters.keys():
                here, there = Game.of(card, claim.at), Game.of(sister, claim.at)
                if all(_lines(here, bet) == _lines(there, bet) != () for bet in claim.bets):
                    yield sister, claim


def _lines(game: Game, name: str) -> tuple[object, ...]:
    found = [bet for bet in game.bets if bet.id == name]
    return tuple((line.when, line.pays) for line in found[0].lines) if found else ()


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
