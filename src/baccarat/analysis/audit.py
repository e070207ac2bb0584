"""The audit of a poster: what it prints against what is exact, reading by reading.

Nothing here is written in a file: a verdict is the comparison of printed digits with an exact
edge, and a reading is supported when the printed figures that tell the readings apart agree
with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor

from baccarat.analysis.edges import Analysis, analyse
from baccarat.core.money import percent_string
from baccarat.core.rulecard import Ambiguity, Claim, Game, Reading, RuleCard
from baccarat.loader import load


class Verdict(StrEnum):
    """How a printed figure stands to the exact one."""

    ROUNDED = "agrees rounded"
    CUT_OFF = "agrees cut off"
    ROUNDED_UP = "agrees rounded up"
    MEAN = "agrees as the mean of the bets"
    WRONG = "wrong"


@dataclass(frozen=True)
class ClaimAudit:
    """One printed figure, judged."""

    claim: Claim
    exact: Fraction
    """The exact edge: of the bet, or the mean of the bets, the claim names."""
    exact_by_bet: Mapping[str, Fraction]
    verdict: Verdict

    @property
    def off_by(self) -> Fraction:
        """Printed minus exact."""
        return printed_value(self.claim.printed) - self.exact

    @property
    def off_in_words(self) -> str:
        """'0.0177% too high'."""
        way = "too high" if self.off_by > 0 else "too low"
        return f"{percent_string(abs(self.off_by))} {way}"

    @property
    def verdict_in_words(self) -> str:
        """The verdict, and how far off a wrong figure is."""
        wrong = self.verdict is Verdict.WRONG
        return f"{self.verdict}: {self.off_in_words}" if wrong else str(self.verdict)


@dataclass(frozen=True)
class Evidence:
    """A printed figure that tells the readings of an ambiguity apart."""

    card: str
    claim: Claim
    agrees: tuple[str, ...]
    """Readings under which the figure is true."""
    disagrees: tuple[str, ...]
    """Readings under which it is not; a reading without the bet is in neither."""


@dataclass(frozen=True)
class ReadingAudit:
    """One reading: its edges, and whether the printed figures support it."""

    reading: Reading
    supported: bool | None
    """None: no printed figure tells the readings apart."""
    edges: Mapping[str, Fraction]


@dataclass(frozen=True)
class AmbiguityAudit:
    """One ambiguity, with every reading of it tried."""

    ambiguity: Ambiguity
    readings: tuple[ReadingAudit, ...]
    evidence: tuple[Evidence, ...]

    @property
    def status(self) -> str:
        """'resolved' or 'open'."""
        return "resolved" if self.ambiguity.resolved else "open"

    @property
    def evidence_by_card(self) -> dict[str, list[Claim]]:
        """The figures that decide it, by the id of the card whose poster prints them."""
        found: dict[str, list[Claim]] = {}
        for evidence in self.evidence:
            found.setdefault(evidence.card, []).append(evidence.claim)
        return found

    @property
    def moving_bets(self) -> list[str]:
        """The bets whose edge depends on the reading, or that not every reading has."""
        names = dict.fromkeys(bet for tried in self.readings for bet in tried.edges)
        return [b for b in names if len({tried.edges.get(b) for tried in self.readings}) > 1]


@dataclass(frozen=True)
class CardAudit:
    """Everything an audit says of one card."""

    card: RuleCard
    claims: tuple[ClaimAudit, ...]
    ambiguities: tuple[AmbiguityAudit, ...]


def audit(card: RuleCard) -> CardAudit:
    """Judge every claim of a card and try every reading of every ambiguity."""
    games = _Games(card)
    return CardAudit(
        card,
        tuple(_judge_claim(games, claim) for claim in card.claims),
        tuple(_try_readings(games, ambiguity) for ambiguity in card.ambiguities),
    )


def at_in_words(card: RuleCard, claim: Claim) -> str:
    """The parameters that a figure holds at: 'tie_odds 9:1'."""
    return ", ".join(f"{name} {card.parameters[name].format(v)}" for name, v in claim.at.items())


def printed_value(printed: str) -> Fraction:
    """'8.70%' to 87/1000."""
    return Fraction(printed.rstrip("%")) / 100


def judge(printed: str, exact: Sequence[Fraction]) -> Verdict:
    """The verdict on a printed percentage, given the exact edge of each bet it speaks of."""
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


class _Games:
    """The games of one card, each analysed once."""

    def __init__(self, card: RuleCard) -> None:
        self.card = card
        self._analyses: dict[tuple[object, ...], Analysis] = {}

    def analysis(
        self, at: Mapping[str, Fraction], readings: Mapping[str, str] | None = None
    ) -> Analysis:
        key = (*sorted(at.items()), *sorted((readings or {}).items()))
        if key not in self._analyses:
            self._analyses[key] = analyse(self.card.game(at, readings))
        return self._analyses[key]

    def agrees(self, claim: Claim, readings: Mapping[str, str]) -> bool | None:
        """Is the figure true under these readings? None when a named bet is not there then."""
        analysis = self.analysis(claim.at, readings)
        if not {bet.id for bet in analysis.game.bets}.issuperset(claim.bets):
            return None
        edges = [analysis[bet].edge for bet in claim.bets]
        return judge(claim.printed, edges) is not Verdict.WRONG


def _judge_claim(games: _Games, claim: Claim) -> ClaimAudit:
    analysis = games.analysis(claim.at)
    by_bet = {bet: analysis[bet].edge for bet in claim.bets}
    exact = list(by_bet.values())
    return ClaimAudit(claim, _mean(exact), by_bet, judge(claim.printed, exact))


def _try_readings(games: _Games, ambiguity: Ambiguity) -> AmbiguityAudit:
    """Try each reading, all other ambiguities being read as in force."""
    evidence = tuple(_evidence(games, ambiguity))
    tried = []
    for reading in ambiguity.readings:
        edges = {f.bet.id: f.edge for f in games.analysis({}, {ambiguity.id: reading.id})}
        tried.append(ReadingAudit(reading, _supported(reading, evidence), edges))
    return AmbiguityAudit(ambiguity, tuple(tried), evidence)


def _supported(reading: Reading, evidence: Sequence[Evidence]) -> bool | None:
    if any(reading.id in found.disagrees for found in evidence):
        return False
    return True if any(reading.id in found.agrees for found in evidence) else None


def _evidence(games: _Games, ambiguity: Ambiguity) -> Iterable[Evidence]:
    """The figures that are true under some readings and not under others."""
    own = [(games.card.id, claim) for claim in games.card.claims]
    for name, claim in [*own, *_sister_claims(games.card, ambiguity)]:
        answers = {
            reading.id: games.agrees(claim, {ambiguity.id: reading.id})
            for reading in ambiguity.readings
        }
        if True in answers.values() and False in answers.values():
            yield Evidence(
                name,
                claim,
                agrees=tuple(r for r, agrees in answers.items() if agrees is True),
                disagrees=tuple(r for r, agrees in answers.items() if agrees is False),
            )


def _sister_claims(card: RuleCard, ambiguity: Ambiguity) -> Iterable[tuple[str, Claim]]:
    """Figures of sister cards that speak of bets paid the same on this card."""
    for name in ambiguity.sisters:
        sister = load(name)
        for claim in sister.claims:
            if claim.at.keys() <= card.parameters.keys():
                here, there = card.game(claim.at), sister.game(claim.at)
                if all(_lines(here, bet) == _lines(there, bet) != () for bet in claim.bets):
                    yield sister.id, claim


def _lines(game: Game, name: str) -> tuple[object, ...]:
    found = [bet for bet in game.bets if bet.id == name]
    return tuple((line.when, line.pays) for line in found[0].lines) if found else ()


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
