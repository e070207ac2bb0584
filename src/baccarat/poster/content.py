"""The content of a poster as plain values, built from a game and its exact analysis.

`poster_of(game)` returns a `Poster`; `typeset` renders it as PDF and `page` as HTML. Every figure
is computed and rounded once, in this module, so that the PDF and the web page cannot differ.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from baccarat.analysis.edges import Analysis, BetFigures, analyse
from baccarat.core.bets import STAND_OFF, Bet, Line
from baccarat.core.errors import BaccaratError
from baccarat.core.money import COINS_PER_UNIT, format_coins, percent_string, short_decimal
from baccarat.core.printed import Parameter, Unit
from baccarat.core.rulecard import Game
from baccarat.core.tableau import STOOD, Tableau, ranges
from baccarat.core.text import grouped, in_language
from baccarat.shoe.commitment import Source
from baccarat.table.settings import Dummy, Settings
from baccarat.wording.catalogue import DEFAULT, Catalogue, catalogue
from baccarat.wording.rules import (
    NOTHING_ADDED,
    OwnProcedures,
    Section,
    condition_in_words,
    listed,
    odds_in_words,
    overlapping,
    payment_notes,
    rules_in_words,
)

MOST_REACHES = 3
"""Maximum number of bets for which a poster shows the range of edges under an agreement; the letter
lists all bets."""

COUPS = 100
"""Number of coups in the worked example."""

AGREED = "†"
"""Symbol that marks figures that depend on an agreement with the player."""


@dataclass(frozen=True)
class PayLine:
    """One payout line of a bet: when it applies, and what it pays."""

    when: str
    pays: str


@dataclass(frozen=True)
class BetRow:
    """One bet in the table of bets."""

    id: str
    name: str
    lines: tuple[PayLine, ...]
    wins: str
    """Probability of a win, as a percentage."""
    edge: str
    limits: str
    assumed: bool
    agreed: bool
    """Whether an agreement with the player affects the edge."""
    new_group: bool
    """Whether this row starts a new group of bets, which is set slightly apart."""


@dataclass(frozen=True)
class ClassicRow:
    """A row of one of the two classic tables of third-card rules."""

    having: str
    draws: str
    stands: str


@dataclass(frozen=True)
class TableauSheet:
    """The tableau as two classic tables and as one grid."""

    player: tuple[ClassicRow, ...]
    banker: tuple[ClassicRow, ...]
    naturals: str
    """The totals on which neither hand draws (naturals), or '' if there are none."""
    columns: tuple[str, ...]
    """Headings: points of Player's third card, or 'stood'."""
    grid: tuple[tuple[str, ...], ...]
    """For each Banker total, 'draws' or 'stands' in each column; an empty row for a natural."""


@dataclass(frozen=True)
class Poster:
    """The complete content of a poster."""

    id: str
    name: str
    summary: str
    tableau: TableauSheet
    bets: tuple[BetRow, ...]
    bets_notes: tuple[str, ...]
    sections: Mapping[str, Section]
    """The rules in words by section, plus the section "edge": what the house edge means, with an
    example."""
    age: str
    """Minimum age such as '21+', or ''."""
    edition: str
    """The rule card's version, and the settings for which the figures are valid."""
    digest: str
    """SHA-256 of the card's file; '' if the card was not read from a file."""
    verify_url: str
    """URL where players can verify a shoe, printed as a QR code; '' for none."""
    language: str


def own_procedures(settings: Settings) -> OwnProcedures:
    """Return what the house adds to the rule card's procedures at a table."""
    return OwnProcedures(
        real_cards=settings.source is Source.CARDS,
        error_cut_off=settings.error_cut_off,
        pays_decided_bets=settings.dummy is Dummy.BETTER,
    )


def poster_of(
    game: Game,
    *,
    verify_url: str = "",
    limits: bool = True,
    language: str = DEFAULT,
    own: OwnProcedures = NOTHING_ADDED,
) -> Poster:
    """Return the poster of a game, with the limits on stakes if `limits` is true.

    `own` are the house's own procedures at the table.
    """
    game = in_language(game, language)
    for bet in game.bets:
        example_stake(game, bet)  # raises an error for a bet on which no stake is possible
    t, analysis, agreements = catalogue(language), analyse(game), agreements_of(game)
    rules = rules_in_words(game, limits=limits, language=language, own=own)
    edge = Section("edge", t("poster-edge"), tuple(_edge_meaning(analysis, agreements, t)))
    age = game.card.notice.minimum_age
    return Poster(
        id=game.card.id,
        name=game.card.name,
        summary=game.card.summary,
        tableau=_tableau(game.tableau, t),
        bets=tuple(_bet_rows(analysis, agreements, t, limits=limits)),
        bets_notes=tuple(_bets_notes(analysis, agreements, t)),
        sections={section.key: section for section in (*rules, edge)},
        age=f"{age}+" if age is not None else "",
        edition=edition(game, language),
        digest=game.card.digest,
        verify_url=verify_url,
        language=language,
    )


@dataclass(frozen=True)
class Agreed:
    """A parameter that is agreed with each player, and its effect on the edges."""

    parameter: Parameter
    value: Fraction
    edges: Mapping[Fraction, Mapping[str, Fraction]]
    """Edge of each bet at the minimum, agreed and maximum value."""

    @property
    def bets(self) -> list[str]:
        """Ids of the bets whose edge the parameter affects."""
        at = list(self.edges.values())
        return [bet for bet in at[0] if len({edges[bet] for edges in at}) > 1]


def agreements_of(game: Game) -> tuple[Agreed, ...]:
    """Return the effect of each parameter that is left to agreements, with all other settings
    unchanged."""
    made = []
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        if parameter.set_by == "agreement":
            values = sorted({parameter.minimum, value, parameter.maximum})
            edges = {v: _edges(game, name, v) for v in values}
            made.append(Agreed(parameter, value, edges))
    return tuple(made)


def _edges(game: Game, name: str, value: Fraction) -> Mapping[str, Fraction]:
    other = Game.of(game.card, {**game.parameters, name: value}, game.readings)
    return {bet: figures.edge for bet, figures in analyse(other).items()}


def _bet_rows(
    analysis: Analysis, agreements: Sequence[Agreed], t: Catalogue, *, limits: bool
) -> Iterable[BetRow]:
    before: str | None = None
    moved = {bet for agreed in agreements for bet in agreed.bets}
    for figures in analysis.values():
        bet = figures.bet
        low, high = analysis.game.limits(bet)
        yield BetRow(
            id=bet.id,
            name=bet.name,
            lines=tuple(_pay_lines(bet, analysis.game, t)),
            wins=percent_string(figures.hit, 2),
            edge=percent_string(figures.edge),
            limits=f"{_amount(low, t)}–{_amount(high, t)}" if limits else "–",
            assumed=bet.assumed,
            agreed=bet.id in moved,
            new_group=before is not None and bet.group != before,
        )
        before = bet.group


def _pay_lines(bet: Bet, game: Game, t: Catalogue) -> Iterable[PayLine]:
    for line, second in zip(bet.lines, overlapping(bet, game), strict=True):
        when = condition_in_words(line.when, t.language)
        when = t("poster-otherwise", when=when) if second else sentence(when)
        yield PayLine(when, _pays(line, game, t))


def _pays(line: Line, game: Game, t: Catalogue) -> str:
    if line.pays == STAND_OFF:
        return t("poster-returned")
    odds = odds_in_words(line.pays, t.language)
    if line.parameter is None:
        return odds
    parameter = game.card.parameters[line.parameter]
    if parameter.unit is Unit.PERCENT:
        odds = t("poster-percent", percent=short_decimal(line.pays * 100))
    return odds + (AGREED if parameter.set_by == "agreement" else "")


def _bets_notes(analysis: Analysis, agreements: Sequence[Agreed], t: Catalogue) -> Iterable[str]:
    game = analysis.game
    payment = payment_notes(game.bets, game, t.language)
    yield " ".join((*payment, t("poster-figures", decks=game.decks)))
    assumed = [bet.name for bet in game.bets if bet.assumed]
    if assumed:
        yield t("poster-assumed", bets=listed(assumed, t.language))
    names = {bet.id: bet.name for bet in game.bets}
    for agreed in agreements:
        low, *_, high = agreed.edges
        ranges_of = (
            t(
                "poster-range",
                bet=names[bet],
                least=percent_string(agreed.edges[low][bet]),
                most=percent_string(agreed.edges[high][bet]),
            )
            for bet in agreed.bets[:MOST_REACHES]
        )
        words = {"least": low, "most": high, "value": agreed.value}
        note = t("poster-agreed", **{n: agreed.parameter.format(v) for n, v in words.items()})
        yield " ".join((AGREED, note, *ranges_of, t("poster-letter")))


def _edge_meaning(analysis: Analysis, agreements: Sequence[Agreed], t: Catalogue) -> Iterable[str]:
    yield t("poster-edge_means")
    cheapest = min(analysis.values(), key=lambda figures: figures.edge)
    dearest = max(analysis.values(), key=lambda figures: figures.edge)
    shown = [cheapest, dearest] if dearest.edge != cheapest.edge else [cheapest]
    for figures in shown:
        agreed = any(figures.bet.id in agreed.bets for agreed in agreements)
        yield example(analysis.game, figures, t.language) + (AGREED if agreed else "")


def example(game: Game, figures: BetFigures, language: str = DEFAULT) -> str:
    """Return a worked example: what a bet costs over a hundred rounds, in the card's currency."""
    t, currency = catalogue(language), game.card.currency
    stake, edge = example_stake(game, figures.bet), figures.edge
    return t(
        "poster-example",
        stake=t.money(stake, currency),
        bet=figures.bet.name,
        coups=COUPS,
        turnover=t.money(COUPS * stake, currency),
        edge=percent_string(edge),
        winner="house" if edge > 0 else "player" if edge else "none",
        average=t.money(round(abs(edge) * COUPS * stake), currency),
    )


def example_stake(game: Game, bet: Bet) -> int:
    """Return the smallest stake the table accepts, or raise BaccaratError if there is none."""
    offer = game.offers[bet.id]
    if offer.smallest > offer.most:
        names = dict.fromkeys(line.parameter for line in bet.lines if line.parameter)
        at = (
            f"{name} = {game.card.parameters[name].format(game.parameters[name])}" for name in names
        )
        raise BaccaratError(
            f"no stake on {bet.name} can be paid exactly ({', '.join(at) or 'fixed odds'}): only "
            f"multiples of {format_coins(offer.step)} {game.card.currency} pay a whole number of "
            f"coins, and the limits are {format_coins(offer.least)} to {format_coins(offer.most)}; "
            "choose a rounder value, or a card that rounds payouts"
        )
    return offer.smallest


def edition(game: Game, language: str = DEFAULT) -> str:
    """Return a line with the rule card's version and the settings for which the figures are
    valid."""
    t = catalogue(language)
    parts = [t("poster-version", version=game.card.version)]
    parts += [
        f"{parameter.label} {parameter.format(game.parameters[name])}"
        for name, parameter in game.card.parameters.items()
    ]
    readings = [f"{name} {reading}" for name, reading in game.readings.items()]
    if readings:
        parts.append(t("poster-read_as", readings=", ".join(readings)))
    return " · ".join(parts)


def _tableau(tableau: Tableau, t: Catalogue) -> TableauSheet:
    totals = [total for total in range(10) if total not in tableau.naturals]
    givens = _reachable(tableau, totals)
    return TableauSheet(
        player=tuple(_player_rows(tableau, totals, t)),
        banker=tuple(_banker_rows(tableau, totals, givens, t)),
        naturals=ranges(tableau.naturals),
        columns=tuple(t("poster-stood") if given == STOOD else str(given) for given in givens),
        grid=tuple(
            tuple("draws" if tableau.draws(total, given) else "stands" for given in givens)
            if total in totals
            else ()
            for total in range(10)
        ),
    )


def _reachable(tableau: Tableau, totals: Sequence[int]) -> Sequence[int]:
    """Return the tableau columns that can occur: 0 to 9 if Player ever draws, STOOD if Player ever
    stands."""
    cards = range(10) if any(total in tableau.player_draws for total in totals) else ()
    stood = (STOOD,) if any(total not in tableau.player_draws for total in totals) else ()
    return (*cards, *stood) or (STOOD,)


def _player_rows(tableau: Tableau, totals: Sequence[int], t: Catalogue) -> Iterable[ClassicRow]:
    for key, draws in (("draws", True), ("stands", False)):
        having = [total for total in totals if (total in tableau.player_draws) is draws]
        if having:
            words = {"draws": "", "stands": "", key: t(f"rules-cell_does-{key}")}
            yield ClassicRow(ranges(having), **words)


def _banker_rows(
    tableau: Tableau, totals: Sequence[int], givens: Sequence[int], t: Catalogue
) -> Iterable[ClassicRow]:
    """Yield the banker's rows; totals with the same actions share a row."""
    rows = grouped(
        (tuple(given for given in givens if tableau.draws(total, given)), total) for total in totals
    )
    for draws, having in rows.items():
        stands = [given for given in givens if given not in draws]
        yield ClassicRow(
            ranges(having), _givens(draws, len(givens), t), _givens(stands, len(givens), t)
        )


def _givens(givens: Sequence[int], of: int, t: Catalogue) -> str:
    if len(givens) in (0, of):
        return t("phrase-always" if givens else "poster-never")
    cards = ranges([given for given in givens if given != STOOD])
    return ", ".join(part for part in (cards, t("poster-stood") if STOOD in givens else "") if part)


def sentence(words: str) -> str:
    """Return the words with their first letter capitalised."""
    return words[:1].upper() + words[1:]


def _amount(coins: int, t: Catalogue) -> str:
    """Format money for a table of limits, omitting '.00'."""
    return t.money(coins) if coins % COINS_PER_UNIT else t.number(coins // COINS_PER_UNIT)
