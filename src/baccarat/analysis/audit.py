"""The audit of a poster: its printed figures compared with exact ones, reading by reading.

Verdicts are computed, never stored. A verdict compares the printed digits with the exact edge. A
reading is supported if it agrees with those of the card's printed figures that distinguish between
the readings. Figures of sister cards are reported separately: they suggest a reading, but decide
nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, islice, product
from math import ceil, floor, prod
from typing import Any, NamedTuple

from baccarat.analysis.edges import of_full_shoe
from baccarat.core.printed import Ambiguity, Claim, PrintedBet, Reading
from baccarat.core.rulecard import Game, RuleCard
from baccarat.core.text import grouped

MAX_JOINT = 40
"""Maximum number of joint readings tried for a card, smallest combinations first."""


class Verdict(StrEnum):
    """How a printed figure compares with the exact figure."""

    ROUNDED = "correct when rounded"
    TRUNCATED = "correct when truncated"
    ROUNDED_UP = "correct when rounded up"
    MEAN = "correct only as the mean of these bets"
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
        """The printed figure minus the exact one; 0.01 is one percentage point."""
        return printed_value(self.claim.printed) - self.exact


class Span(NamedTuple):
    """A range of edges, from `low` to `high`."""

    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class RangeAudit:
    """A printed range of edges: two figures for the same bets at different parameter values."""

    low: ClaimAudit
    high: ClaimAudit

    @property
    def exact_by_bet(self) -> dict[str, Span]:
        """The exact range of each bet alone, between the two parameter values."""
        low, high = self.low.exact_by_bet, self.high.exact_by_bet
        return {bet: Span(*sorted((low[bet], high[bet]))) for bet in low}

    def outside(self, bet: str) -> list[Span]:
        """Return the parts of a bet's exact range that are below or above the printed range.

        An end of the range is not outside if the printed figure is that value, rounded or
        truncated.
        """
        exact = self.exact_by_bet[bet]
        low, high = (printed_value(end.claim.printed) for end in (self.low, self.high))
        parts = []
        if exact.low < low and _judge_one(self.low.claim.printed, exact.low) is Verdict.WRONG:
            parts.append(Span(exact.low, min(low, exact.high)))
        if exact.high > high and _judge_one(self.high.claim.printed, exact.high) is Verdict.WRONG:
            parts.append(Span(max(high, exact.low), exact.high))
        return parts


@dataclass(frozen=True)
class Evidence:
    """A printed figure that distinguishes between readings."""

    card: RuleCard
    claim: Claim
    from_sister: bool
    """Whether a sister card, not the card itself, prints the figure."""
    agrees: tuple[str, ...]
    """Ids of the readings under which the figure is true."""
    disagrees: tuple[str, ...]
    """Ids of the readings under which it is false. A reading without the bet is in neither
    tuple."""


@dataclass(frozen=True, kw_only=True)
class ReadingFigures:
    """The edges under one or several readings, and whether printed figures support them."""

    supported: bool | None
    """Whether the card's printed figures agree; None if none of them distinguishes the readings."""
    supported_by_sisters: bool | None
    """Whether the printed figures of sister cards, which are only hints, agree; None as above."""
    edges: Mapping[str, Fraction]


@dataclass(frozen=True, kw_only=True)
class ReadingAudit(ReadingFigures):
    """The audit of one reading, with the readings in force for all other ambiguities."""

    reading: Reading

    @property
    def bets(self) -> tuple[PrintedBet, ...]:
        """Bets that exist only under this reading."""
        return self.reading.bets or ()


@dataclass(frozen=True, kw_only=True)
class JointAudit(ReadingFigures):
    """The audit of several readings together, none of which is in force. Their ambiguities
    interact: each governs cells of the tableau."""

    readings: Mapping[str, Reading]
    """The readings, by id of their ambiguity."""

    @property
    def bets(self) -> tuple[PrintedBet, ...]:
        """Bets that exist only under these readings."""
        return tuple(bet for reading in self.readings.values() for bet in reading.bets or ())


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
    def decided(self) -> bool:
        """Whether a figure on the card's own poster distinguishes between the readings."""
        return any(not evidence.from_sister for evidence in self.evidence)

    @property
    def affected_bets(self) -> list[str]:
        """Ids of the bets whose edge depends on the reading or that do not exist under some
        readings."""
        return _affected(self.readings)


@dataclass(frozen=True)
class CardAudit:
    """The audit of one rule card.

    The card's `poster_notes` hold remarks on the poster that cannot be computed.
    """

    card: RuleCard
    claims: tuple[ClaimAudit, ...]
    ranges: tuple[RangeAudit, ...]
    ambiguities: tuple[AmbiguityAudit, ...]
    joint: tuple[JointAudit, ...]
    joint_untried: int
    """Number of joint readings that were not tried, because there are too many."""

    @property
    def affected_bets(self) -> list[str]:
        """Ids of the bets whose edge depends on the joint reading."""
        in_force = [t for a in self.ambiguities for t in a.readings if _in_force(a, t)]
        return _affected([*in_force, *self.joint]) if self.joint else []


def audit(card: RuleCard, sisters: Mapping[str, RuleCard]) -> CardAudit:
    """Check every printed figure of a rule card, and try every reading of every ambiguity.

    Readings of ambiguities that interact are also tried in combination. `sisters` holds the sister
    cards, by the names that the ambiguities use.
    """
    claims = tuple(judge_claim(card, claim) for claim in card.claims)
    joint = _joint_readings(card)
    return CardAudit(
        card,
        claims,
        tuple(_ranges(claims)),
        tuple(_try_readings(card, sisters, ambiguity) for ambiguity in card.ambiguities),
        tuple(_try_jointly(card, sisters, list(islice(joint, MAX_JOINT)))),
        max(0, _number_of_joint_readings(card) - MAX_JOINT),
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
        return Verdict.TRUNCATED
    if shown == away(scaled):
        return Verdict.ROUNDED_UP
    return Verdict.WRONG


def _agrees(card: RuleCard, claim: Claim, readings: Mapping[str, str]) -> bool | None:
    """Return whether a figure is true under these readings; None if the readings lack one of its
    bets."""
    analysis = of_full_shoe(Game.of(card, claim.at, readings))
    if not analysis.keys() >= set(claim.bets):
        return None
    edges = [analysis[bet].edge for bet in claim.bets]
    return judge(claim.printed, edges) is not Verdict.WRONG


def judge_claim(card: RuleCard, claim: Claim) -> ClaimAudit:
    """Return the verdict on one printed figure, under the readings in force."""
    analysis = of_full_shoe(Game.of(card, claim.at))
    by_bet = {bet: analysis[bet].edge for bet in claim.bets}
    exact = list(by_bet.values())
    return ClaimAudit(claim, _mean(exact), by_bet, judge(claim.printed, exact))


def _ranges(claims: Sequence[ClaimAudit]) -> Iterable[RangeAudit]:
    """Yield a range for each set of bets with figures at several values of the same parameters."""
    alike = grouped(((c.claim.bets, tuple(c.claim.at)), c) for c in claims if c.claim.at)
    for ends in alike.values():
        if len(ends) > 1:
            ends.sort(key=lambda end: printed_value(end.claim.printed))
            yield RangeAudit(ends[0], ends[-1])


def _try_readings(
    card: RuleCard, sisters: Mapping[str, RuleCard], ambiguity: Ambiguity
) -> AmbiguityAudit:
    """Analyse the game under each reading, with the readings in force for all other ambiguities."""
    options = {reading.id: {ambiguity.id: reading.id} for reading in ambiguity.readings}
    evidence = tuple(_evidence(card, [sisters[name] for name in ambiguity.sisters], options))
    tried = (
        ReadingAudit(reading=reading, **_tried(card, reading.id, options, evidence))
        for reading in ambiguity.readings
    )
    return AmbiguityAudit(ambiguity, tuple(tried), evidence)


def _interacting(card: RuleCard) -> list[tuple[Ambiguity, list[Reading]]]:
    """Return the ambiguities that govern cells of the tableau, with their alternative readings."""
    return [
        (ambiguity, [reading for reading in ambiguity.readings if reading.id != ambiguity.in_force])
        for ambiguity in card.ambiguities
        if ambiguity.cells
    ]


def _joint_readings(card: RuleCard) -> Iterable[dict[str, Reading]]:
    """Yield combinations of readings of interacting ambiguities, smallest first."""
    interacting = _interacting(card)
    for size in range(2, len(interacting) + 1):
        for chosen in combinations(interacting, size):
            for readings in product(*(others for _, others in chosen)):
                yield {a.id: r for (a, _), r in zip(chosen, readings, strict=True)}


def _number_of_joint_readings(card: RuleCard) -> int:
    others = [len(readings) for _, readings in _interacting(card)]
    return prod(1 + n for n in others) - sum(others) - 1


def _try_jointly(
    card: RuleCard, sisters: Mapping[str, RuleCard], joint: Sequence[Mapping[str, Reading]]
) -> Iterable[JointAudit]:
    """Analyse the game under each joint reading, with the readings in force for comparison."""
    options: dict[str, dict[str, str]] = {"in force": {}}
    for i, readings in enumerate(joint):
        options[str(i)] = {name: reading.id for name, reading in readings.items()}
    named = dict.fromkeys(name for a, _ in _interacting(card) for name in a.sisters)
    evidence = tuple(_evidence(card, [sisters[name] for name in named], options)) if joint else ()
    for i, readings in enumerate(joint):
        yield JointAudit(readings=readings, **_tried(card, str(i), options, evidence))


def _tried(
    card: RuleCard,
    option: str,
    options: Mapping[str, Mapping[str, str]],
    evidence: Sequence[Evidence],
) -> dict[str, Any]:
    """Return the fields of `ReadingFigures` for one option; an option is a set of readings."""
    analysis = of_full_shoe(Game.of(card, readings=options[option]))
    own, of_sisters = ([e for e in evidence if e.from_sister is side] for side in (False, True))
    return {
        "supported": _supported(option, own),
        "supported_by_sisters": _supported(option, of_sisters),
        "edges": {bet: figures.edge for bet, figures in analysis.items()},
    }


def _supported(option: str, evidence: Sequence[Evidence]) -> bool | None:
    if any(option in found.disagrees for found in evidence):
        return False
    return True if any(option in found.agrees for found in evidence) else None


def _evidence(
    card: RuleCard, sisters: Sequence[RuleCard], options: Mapping[str, Mapping[str, str]]
) -> Iterable[Evidence]:
    """Yield the printed figures that are true under some options and false under others."""
    own = [(card, claim) for claim in card.claims]
    for printed_on, claim in [*own, *_sister_claims(card, sisters)]:
        answers = {name: _agrees(card, claim, readings) for name, readings in options.items()}
        if True in answers.values() and False in answers.values():
            yield Evidence(
                printed_on,
                claim,
                from_sister=printed_on is not card,
                agrees=tuple(name for name, agrees in answers.items() if agrees is True),
                disagrees=tuple(name for name, agrees in answers.items() if agrees is False),
            )


def _in_force(ambiguity: AmbiguityAudit, tried: ReadingAudit) -> bool:
    return tried.reading.id == ambiguity.ambiguity.in_force


def _affected(tried: Sequence[ReadingFigures]) -> list[str]:
    """Return the ids of the bets whose edge differs between the readings, or that some readings
    lack."""
    names = dict.fromkeys(bet for each in tried for bet in each.edges)
    return [bet for bet in names if len({each.edges.get(bet) for each in tried}) > 1]


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
