"""The PAR sheet as plain values, the same in the terminal and on paper.

`content_of(sheet)` formats the figures of `figures.par_sheet`; every number is rounded from the
exact one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from baccarat.core.money import decimal_string, percent_string
from baccarat.core.rulecard import Game
from baccarat.core.text import in_language
from baccarat.figures.par_sheet import QUANTILES, ROUNDS, BetSheet, Outcome, ParSheet
from baccarat.poster.content import sentence
from baccarat.poster.tableau import TableauSheet, tableau_sheet
from baccarat.wording.catalogue import DEFAULT, Catalogue, catalogue
from baccarat.wording.rules import condition_in_words, odds_in_words

DIGITS = 10
"""Number of decimals of probabilities and contributions."""


@dataclass(frozen=True)
class Fact:
    """A labelled value."""

    label: str
    value: str


@dataclass(frozen=True)
class OutcomeLine:
    """An outcome of a bet, or the sum of all outcomes."""

    when: str
    pays: str
    combinations: str
    probability: str
    contribution: str
    returned: str


@dataclass(frozen=True)
class BandLine:
    """The confidence bands of the return after a number of rounds."""

    rounds: str
    bands: tuple[str, ...]
    error: str


@dataclass(frozen=True)
class DecksLine:
    """The figures of a bet for a number of decks."""

    decks: str
    figures: tuple[str, ...]
    """Return, edge, hit frequency and variance."""
    here: bool
    """Whether the sheet is for this number of decks."""


@dataclass(frozen=True)
class BetPart:
    """The part of the sheet about one bet."""

    id: str
    name: str
    outcomes: tuple[OutcomeLine, ...]
    total: OutcomeLine
    figures: tuple[Fact, ...]
    bands: tuple[BandLine, ...]
    decks: tuple[DecksLine, ...]


@dataclass(frozen=True)
class SummaryLine:
    """The main figures of a bet in the overview of all bets."""

    name: str
    figures: tuple[str, ...]
    """Return, edge, hit frequency, standard deviation and volatility index."""


@dataclass(frozen=True)
class ParSheetContent:
    """The complete content of a PAR sheet."""

    name: str
    summary: str
    identity: tuple[Fact, ...]
    """What the figures apply to: rule card, digest, decks, parameters, readings, program."""
    tableau: TableauSheet
    overview: tuple[SummaryLine, ...]
    confidences: tuple[str, ...]
    bets: tuple[BetPart, ...]
    language: str


def content_of(sheet: ParSheet, *, program: str, language: str = DEFAULT) -> ParSheetContent:
    """Return the content of a PAR sheet; `program` names the program that computed it."""
    t = catalogue(language)
    game = in_language(sheet.game, language)
    return ParSheetContent(
        name=game.card.name,
        summary=game.card.summary,
        identity=tuple(_identity(sheet, game, program, t)),
        tableau=tableau_sheet(game.tableau, t),
        overview=tuple(_summary(bet) for bet in sheet.bets),
        confidences=tuple(QUANTILES),
        bets=tuple(_bet_part(bet, game, t) for bet in sheet.bets),
        language=language,
    )


def _identity(sheet: ParSheet, game: Game, program: str, t: Catalogue) -> Iterable[Fact]:
    card = game.card

    def fact(key: str, value: str) -> Fact:
        return Fact(t(f"par-sheet-{key}"), value)

    yield fact("card", f"{card.id}, {t('poster-version', version=card.version)}")
    yield fact("source", card.source)
    yield fact("digest", card.digest)
    yield fact("program", program)
    yield fact("shoe", t("par-sheet-shoe_value", decks=game.decks, cards=sheet.cards))
    yield fact("sequences", t.number(sheet.total))
    for name, parameter in card.parameters.items():
        if name != "decks":
            yield Fact(sentence(parameter.label), parameter.format(game.parameters[name]))
    for ambiguity in card.ambiguities:
        reading = ambiguity.reading(game.readings[ambiguity.id])
        yield fact("reading", f"{ambiguity.id}: {reading.text}")


def _summary(sheet: BetSheet) -> SummaryLine:
    figures = sheet.figures
    return SummaryLine(
        figures.bet.name,
        (
            percent_string(figures.return_to_player, 6),
            percent_string(figures.edge, 6),
            percent_string(figures.hit, 6),
            decimal_string(figures.standard_deviation(6), 6),
            decimal_string(sheet.volatility_index, 4),
        ),
    )


def _bet_part(sheet: BetSheet, game: Game, t: Catalogue) -> BetPart:
    figures = sheet.figures
    labelled = {
        "return": percent_string(figures.return_to_player, 8),
        "edge": percent_string(figures.edge, 8),
        "hit": percent_string(figures.hit, 8),
        "every": _every(figures.hit),
        "standoff": percent_string(figures.standoff, 8),
        "variance": decimal_string(figures.variance, 8),
        "deviation": decimal_string(figures.standard_deviation(8), 8),
        "volatility": decimal_string(sheet.volatility_index, 8),
    }
    bands = list(sheet.bands)
    return BetPart(
        id=figures.bet.id,
        name=figures.bet.name,
        outcomes=tuple(_outcome_line(outcome, t) for outcome in sheet.outcomes),
        total=_total(sheet, t),
        figures=tuple(Fact(t(f"par-sheet-{key}"), value) for key, value in labelled.items()),
        bands=tuple(
            BandLine(
                t.number(rounds),
                tuple(
                    t("report-span", low=percent_string(b.low), high=percent_string(b.high))
                    for b in bands
                    if b.rounds == rounds
                ),
                next(percent_string(b.error, 2) for b in bands if b.rounds == rounds),
            )
            for rounds in ROUNDS
        ),
        decks=tuple(
            DecksLine(
                str(each.decks),
                (
                    percent_string(1 - each.edge, 6),
                    percent_string(each.edge, 6),
                    percent_string(each.hit, 6),
                    decimal_string(each.variance, 6),
                ),
                each.decks == game.decks,
            )
            for each in sheet.by_decks
        ),
    )


def _outcome_line(outcome: Outcome, t: Catalogue) -> OutcomeLine:
    if outcome.line is None:
        when, pays = t("par-sheet-loses"), "−1"
    else:
        when = sentence(condition_in_words(outcome.line.when, t.language))
        pays = odds_in_words(outcome.pays, t.language)
    return OutcomeLine(
        when,
        pays,
        t.number(outcome.combinations),
        _decimal(outcome.probability),
        _decimal(outcome.contribution),
        _decimal(outcome.returned),
    )


def _total(sheet: BetSheet, t: Catalogue) -> OutcomeLine:
    outcomes, zero = sheet.outcomes, Fraction(0)
    return OutcomeLine(
        t("par-sheet-total"),
        "",
        t.number(sum(outcome.combinations for outcome in outcomes)),
        _decimal(sum((outcome.probability for outcome in outcomes), zero)),
        _decimal(sum((outcome.contribution for outcome in outcomes), zero)),
        _decimal(sum((outcome.returned for outcome in outcomes), zero)),
    )


def _every(hit: Fraction) -> str:
    """Return the mean number of rounds per win, or a dash if the bet never wins."""
    return decimal_string(1 / hit, 4) if hit else "–"


def _decimal(value: Fraction) -> str:
    return decimal_string(value, DIGITS).replace("-", "−")
