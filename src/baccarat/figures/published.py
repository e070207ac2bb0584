"""The catalogue of published bets, with their exact and their published figures."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from baccarat.analysis.audit import ClaimAudit, Verdict, judge_claim
from baccarat.analysis.edges import BetFigures, of_full_shoe
from baccarat.core.bets import Bet
from baccarat.core.money import short_decimal
from baccarat.core.rulecard import Game, RuleCard

AGREEING = (Verdict.ROUNDED, Verdict.MEAN)
"""Verdicts on a published figure that equals the exact one to its last digit."""


@dataclass(frozen=True)
class Published:
    """A published house edge, and how it compares with the exact one."""

    printed: str
    source: str
    agrees: bool
    """Whether the exact edge, rounded to the same digits, is the published one."""
    reason: str
    """Why the figure differs: the card's reason, or the verdict on it; '' if it agrees."""


@dataclass(frozen=True)
class Entry:
    """A bet of the catalogue under one reading of its rules, with its figures."""

    card: RuleCard
    reading: str
    """The reading of the bet's rules, such as 'five-cards=by-cards'; '' if they are clear."""
    decks: int
    figures: BetFigures
    published: tuple[Published, ...]
    """Figures published for this number of decks and the reading in force."""

    @property
    def bet(self) -> Bet:
        return self.figures.bet

    @property
    def pays(self) -> str:
        """What the lines of the bet pay to one, in order: '100/20/7'."""
        return "/".join(short_decimal(line.pays) for line in self.bet.lines)


@dataclass(frozen=True)
class Row:
    """An entry, or one of its published figures, as a row of a table."""

    card: str
    bet: str
    name: str
    reading: str
    decks: int
    pays: str
    edge: Fraction
    hit: Fraction
    variance: Fraction
    published: str
    source: str
    agrees: bool | None
    """Whether the published figure agrees; None if no figure was published."""
    reason: str


def entries_of(card: RuleCard, decks: int | None = None) -> Iterator[Entry]:
    """Yield the bets of a card with their figures for a number of decks (the card's default if
    None). Bets with ambiguous rules appear again for each reading that is not in force."""
    parameters = {} if decks is None else {"decks": decks}
    game = Game.of(card, parameters)
    claims = [c for c in card.claims if Game.of(card, c.at).parameters == game.parameters]
    judged = [judge_claim(card, claim) for claim in claims]
    yield from _entries(game, judged)
    for ambiguity in card.ambiguities:
        for reading in ambiguity.readings:
            if reading.id != ambiguity.in_force:
                other = Game.of(card, parameters, {ambiguity.id: reading.id})
                words = f"{ambiguity.id}={reading.id}"
                yield from (entry for entry in _entries(other) if entry.reading == words)


def rows_of(entries: Iterable[Entry]) -> Iterator[Row]:
    """Yield a row for each published figure of each entry, and one row for each entry without
    any."""
    for entry in entries:
        figures = entry.figures
        for each in entry.published or (None,):
            yield Row(
                card=entry.card.id,
                bet=entry.bet.id,
                name=entry.bet.name,
                reading=entry.reading,
                decks=entry.decks,
                pays=entry.pays,
                edge=figures.edge,
                hit=figures.hit,
                variance=figures.variance,
                published=each.printed if each else "",
                source=each.source if each else "",
                agrees=each.agrees if each else None,
                reason=each.reason if each else "",
            )


def _entries(game: Game, judged: Sequence[ClaimAudit] = ()) -> Iterator[Entry]:
    """Yield an entry for each bet of a game, with those of the judged figures that refer to the
    bet."""
    card = game.card
    governing = {bet: ambiguity.id for ambiguity in card.ambiguities for bet in ambiguity.bets}
    for name, figures in of_full_shoe(game).items():
        ambiguity = governing.get(figures.bet.replaces or name)
        reading = f"{ambiguity}={game.readings[ambiguity]}" if ambiguity else ""
        published = tuple(_published(card, each) for each in judged if name in each.claim.bets)
        yield Entry(card, reading, game.decks, figures, published)


def _published(card: RuleCard, judged: ClaimAudit) -> Published:
    claim, agrees = judged.claim, judged.verdict in AGREEING
    reason = "" if agrees else claim.reason or judged.verdict
    return Published(claim.printed, claim.source or card.source, agrees, reason)
