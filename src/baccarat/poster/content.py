"""The content of a poster as plain values, built from a game and its exact analysis.

`poster_of(game)` returns a `Poster`; `typeset` renders it as PDF, and `page` renders it as HTML.
Every figure is computed and rounded once, in this module, so that the PDF and the web page cannot
differ.

The poster of a rule card shows no limits, because each table sets its own. With a `Venue`, it is
the sheet that hangs at that table: with the table's limits, the house's name and logo, and QR
codes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from baccarat.analysis.edges import Analysis, BetFigures, analyse
from baccarat.core.bets import STAND_OFF, Bet, Line
from baccarat.core.errors import BaccaratError
from baccarat.core.facts import All, Test
from baccarat.core.money import COINS_PER_UNIT, format_coins, percent_string, short_decimal
from baccarat.core.printed import Parameter, Unit
from baccarat.core.rulecard import Game
from baccarat.core.text import in_language
from baccarat.poster.tableau import TableauSheet, tableau_sheet
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

MAX_EDGE_RANGES = 3
"""Maximum number of bets for which a poster shows the range of edges under an agreement; the letter
lists all bets."""

COUPS = 100
"""Number of coups in the worked example."""

MIN_TILES = 6
"""Bets on tied totals are printed as tiles instead of rows if there are at least this many."""

SEPARATE_SECTIONS = ("cards", "deal", "tableau", "bets", "notice")
"""Sections of the rules that have their own place on a poster."""

NOT_ON_POSTERS = ("ambiguities", "notes")
"""Sections of the rules that posters leave out."""

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
    known_as: str
    """Other names that players use for the bet, or ''."""
    lines: tuple[PayLine, ...]
    wins: str
    """Probability of a win, as a percentage."""
    edge: str
    limits: str
    """Minimum and maximum stake, or '' if the poster shows no limits."""
    agreed: bool
    """Whether an agreement with the player affects the edge."""
    new_group: bool
    """Whether this row starts a new group of bets, which is set slightly apart."""
    tile: str
    """The tied total, if the bet is one of a group that is printed as tiles; else ''."""


@dataclass(frozen=True)
class QrCode:
    """A web address, printed as a QR code, and what is found there."""

    label: str
    url: str


@dataclass(frozen=True)
class Venue:
    """The table at which a poster hangs, and its house."""

    house: str
    table: str
    coup_maximum: int | None = None
    seats: int | None = None
    own: OwnProcedures = NOTHING_ADDED
    """The house's own procedures at the table."""
    rules_url: str = ""
    verify_url: str = ""
    logo: bytes = b""
    """The house's logo, as an SVG or PNG file."""


@dataclass(frozen=True)
class Poster:
    """The complete content of a poster."""

    id: str
    name: str
    summary: str
    house: str
    """Name of the house, or '' if the poster is not for a table."""
    table: str
    logo: tuple[int, ...]
    """The bytes of the house's logo."""
    commitment: str
    """The house's commitment to fair gambling, or ''."""
    tableau: TableauSheet
    bets: tuple[BetRow, ...]
    tiles_title: str
    """Names of the bets that are printed as tiles, or ''."""
    bets_notes: tuple[str, ...]
    sections: Mapping[str, Section]
    """The rules in words by section, plus the section "edge": what the house edge means, with an
    example."""
    more: tuple[Section, ...]
    """The sections that follow the bets, in order."""
    copies: str
    """Where players can get a copy of the poster, or ''."""
    age: str
    """Minimum age such as '21+', or ''."""
    edition: str
    """The rule card's version, and the settings for which the figures are valid."""
    digest: str
    """SHA-256 of the card's file; '' if the card was not read from a file."""
    codes: tuple[QrCode, ...]
    language: str


def poster_of(
    game: Game,
    *,
    venue: Venue | None = None,
    verify_url: str = "",
    language: str = DEFAULT,
    letters: bool = True,
) -> Poster:
    """Return the poster of a game; with a venue, it also shows the table's limits and house.

    `letters` says whether players can get a letter about their agreement.
    """
    game = in_language(game, language)
    for bet in game.bets:
        example_stake(game, bet)  # raises an error for a bet on which no stake is possible
    t, analysis, agreements = catalogue(language), analyse(game), agreements_of(game)
    sections = _sections(game, venue, t)
    edge = Section("edge", t("poster-edge"), tuple(_edge_meaning(analysis, agreements, t)))
    notice, at = game.card.notice, venue or Venue("", "", verify_url=verify_url)
    rest = (
        part for key, part in sections.items() if key not in (*SEPARATE_SECTIONS, *NOT_ON_POSTERS)
    )
    return Poster(
        id=game.card.id,
        name=game.card.name,
        summary=game.card.summary,
        house=at.house,
        table=at.table,
        logo=tuple(at.logo),
        commitment=t("rule-fair_gambling") if notice.fair_gambling else "",
        tableau=tableau_sheet(game.tableau, t),
        bets=tuple(_bet_rows(analysis, agreements, t, limits=venue is not None)),
        tiles_title=_tiles_title(game, t),
        bets_notes=tuple(
            _bets_notes(
                analysis,
                agreements,
                t,
                at_table=venue is not None,
                letters=letters and game.card.guide.in_writing,
            )
        ),
        sections={**sections, "edge": edge},
        more=(edge, *rest),
        copies=t("poster-copies", place=notice.copies) if notice.copies else "",
        age=f"{notice.minimum_age}+" if notice.minimum_age else "",
        edition=edition(game, language),
        digest=game.card.digest,
        codes=tuple(_codes(at, t)),
        language=language,
    )


def _sections(game: Game, venue: Venue | None, t: Catalogue) -> dict[str, Section]:
    """Return the rules in words by section. At a venue, limits and parameters set by the table are
    left out, because the table of bets shows them."""
    if venue is None:
        rules = rules_in_words(game, limits=False, language=t.language)
        return {section.key: section for section in rules}
    rules = rules_in_words(game, limits=False, language=t.language, own=venue.own)
    found = {section.key: section for section in rules if section.key != "parameters"}
    money = _amount(venue.coup_maximum or 0, game, t)
    more = (
        t("rules-coup_maximum", most=money) if venue.coup_maximum is not None else "",
        t("rules-seats", seats=venue.seats) if venue.seats is not None else "",
    )
    wagering = found.get("wagering", Section("wagering", t("rule-title-wagering"), ()))
    if wagering.lines or any(more):
        found["wagering"] = replace(wagering, lines=(*wagering.lines, *filter(None, more)))
    return found


def _codes(venue: Venue, t: Catalogue) -> Iterable[QrCode]:
    if venue.rules_url:
        yield QrCode(t("poster-rules"), venue.rules_url)
    if venue.verify_url:
        yield QrCode(t("poster-verify"), venue.verify_url)


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
    tiles = _tiles(analysis.game)
    for figures in analysis.values():
        bet = figures.bet
        amounts = (_amount(each, analysis.game, t) for each in analysis.game.limits(bet))
        yield BetRow(
            id=bet.id,
            name=bet.name,
            known_as=", ".join(bet.known_as),
            lines=tuple(_pay_lines(bet, analysis.game, t)),
            wins=percent_string(figures.hit, 2),
            edge=percent_string(figures.edge),
            limits="–".join(amounts) if limits else "",
            agreed=bet.id in moved,
            new_group=before is not None and bet.group != before,
            tile=tiles.get(bet.id, ""),
        )
        before = bet.group


def _tiles(game: Game) -> Mapping[str, str]:
    """Return the tied total of each bet on a tie with a given total, by bet id; empty if the bets
    are not printed as tiles."""
    found = {bet.id: _tied_total(bet) for bet in game.bets}
    tied = {bet: total for bet, total in found.items() if total}
    distinct = len(set(tied.values())) == len(tied)
    return tied if distinct and len(tied) >= MIN_TILES else {}


def _tiles_title(game: Game, t: Catalogue) -> str:
    bets = [game.bet(bet) for bet in _tiles(game)]
    names = ", ".join(dict.fromkeys(name for bet in bets for name in bet.known_as))
    title = listed([bet.name for bet in bets], t.language) if bets else ""
    return f"{title} ({names})" if names else title


def _tied_total(bet: Bet) -> str:
    match [line.when for line in bet.lines]:
        case [All(parts=(Test(), Test()) as tests)]:
            match sorted((test.fact, *test.values) for test in tests if isinstance(test, Test)):
                case [("player_total", int(total)), ("winner", "tie")]:
                    return str(total)
    return ""


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


def _bets_notes(
    analysis: Analysis, agreements: Sequence[Agreed], t: Catalogue, *, at_table: bool, letters: bool
) -> Iterable[str]:
    game = analysis.game
    payment = payment_notes(game.bets, game, t.language)
    yield " ".join((*payment, t("poster-figures", decks=game.decks)))
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
            for bet in agreed.bets[:MAX_EDGE_RANGES]
        )
        words = {"least": low, "most": high, "value": agreed.value}
        shown = {name: agreed.parameter.format(value) for name, value in words.items()}
        offer = (t("poster-offer", value=shown["value"]),) if at_table else ()
        letter = (t("poster-letter"),) if letters else ()
        yield " ".join((AGREED, t("poster-agreed", **shown), *offer, *ranges_of, *letter))


def _edge_meaning(analysis: Analysis, agreements: Sequence[Agreed], t: Catalogue) -> Iterable[str]:
    """Yield what the house edge means, examples with amounts of money, and the rest of the card's
    guide."""
    guide = analysis.game.card.guide
    yield t("poster-edge_means")
    if guide.example is not None:
        turnover = 100 * COINS_PER_UNIT
        yield t(
            "poster-guide_example",
            edge=f"{short_decimal(guide.example * 100)}%",
            turnover=_amount(turnover, analysis.game, t),
            average=_amount(round(guide.example * turnover), analysis.game, t),
        )
    cheapest = min(analysis.values(), key=lambda figures: figures.edge)
    dearest = max(analysis.values(), key=lambda figures: figures.edge)
    shown = [cheapest, dearest] if dearest.edge != cheapest.edge else [cheapest]
    for figures in shown:
        agreed = any(figures.bet.id in agreed.bets for agreed in agreements)
        yield example(analysis.game, figures, t.language) + (AGREED if agreed else "")
    if guide.varies_by:
        names = (t(f"poster-by-{name}") for name in guide.varies_by)
        yield t("poster-guide_varies", by=t.joined("and", names))
    declared = {"decisions": guide.decisions_matter, "advantage": guide.always_advantage}
    yield from (t(f"poster-guide_{name}") for name, value in declared.items() if value)


def example(game: Game, figures: BetFigures, language: str = DEFAULT) -> str:
    """Return a worked example: what a bet costs over a hundred rounds, in the card's currency."""
    t, currency = catalogue(language), game.card.currency
    stake, edge = example_stake(game, figures.bet), figures.edge
    return t(
        "poster-example",
        stake=_amount(stake, game, t),
        bet=figures.bet.name,
        coups=COUPS,
        turnover=_amount(COUPS * stake, game, t),
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
    return " · ".join(parts)


def sentence(words: str) -> str:
    """Return the words with their first letter capitalised."""
    return words[:1].upper() + words[1:]


def _amount(coins: int, game: Game, t: Catalogue) -> str:
    """Format money, omitting '.00'."""
    currency = game.card.currency
    money = t.money(coins, currency)
    if coins % COINS_PER_UNIT:
        return money
    return money.replace(f"{t.money_form(currency)['point']}00", "", 1)
