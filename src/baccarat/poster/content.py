"""What a poster says, as plain values: made from a game and its exact analysis, drawn elsewhere.

`poster_of(game)` gives a `Poster`; `typeset` sets it on paper and `page` writes it as HTML. Every
figure is computed here and rounded once, so that paper and web cannot differ.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from baccarat.analysis.edges import Analysis, BetFigures, analyse
from baccarat.core.errors import BaccaratError
from baccarat.core.money import (
    decimal_string,
    format_coins,
    percent_string,
    short_decimal,
)
from baccarat.core.rulecard import STAND_OFF, Bet, Game, Line, Parameter, Unit
from baccarat.core.tableau import STOOD, Tableau, ranges
from baccarat.core.words import (
    Section,
    condition_in_words,
    listed,
    odds_in_words,
    overlapping,
    payment_notes,
    rules_in_words,
)

MOST_REACHES = 3
"""Bets for which a poster says how far an agreement can move them; the letter has all."""

COUPS = 100
"""Coups of the worked example."""

AGREED = "†"
"""Marks what an agreement with the player decides."""

IN_WORDS = ("cards", "deal")
"""Sections of the rules that a poster sets as sentences at its top."""


@dataclass(frozen=True)
class PayLine:
    """One line of a bet: when, and what it pays."""

    when: str
    pays: str


@dataclass(frozen=True)
class BetRow:
    """One bet of the table of bets."""

    id: str
    name: str
    lines: tuple[PayLine, ...]
    wins: str
    """How often the bettor ends up ahead."""
    edge: str
    limits: str
    assumed: bool
    agreed: bool
    """An agreement with the player moves the edge."""
    new_group: bool
    """The first of its group: set a little apart."""


@dataclass(frozen=True)
class ClassicRow:
    """A row of one of the two classic tables."""

    having: str
    draws: str
    stands: str


@dataclass(frozen=True)
class GridRow:
    """A row of the coloured grid: what Banker does for each third card of Player's, or none."""

    total: str
    cells: tuple[str, ...]
    """'draws' or 'stands'; none at all where a natural ends the drawing."""


@dataclass(frozen=True)
class TableauSheet:
    """The tableau as two classic tables and as one grid."""

    player: tuple[ClassicRow, ...]
    banker: tuple[ClassicRow, ...]
    naturals: str
    """The totals that end the drawing for both, or nothing."""
    columns: tuple[str, ...]
    grid: tuple[GridRow, ...]


@dataclass(frozen=True)
class ParameterRow:
    """Something left to the table or to an agreement."""

    value: str
    range: str
    meaning: str
    by: str


@dataclass(frozen=True)
class Poster:
    """Everything that stands on a poster."""

    id: str
    name: str
    summary: str
    rules: tuple[Section, ...]
    """The cards and the deal, in sentences."""
    tableau: TableauSheet
    bets: tuple[BetRow, ...]
    bets_notes: tuple[str, ...]
    edge: Section
    """What the house edge means, with a worked example."""
    wagering: Section
    procedures: Section | None
    parameters: tuple[ParameterRow, ...]
    parameters_title: str
    notice: Section | None
    age: str
    """'21+', or nothing."""
    edition: str
    """Version and settings: under which rules the figures hold."""
    digest: str
    """SHA-256 of the card's file; nothing for a card that was not read from one."""
    verify_url: str
    """Where a shoe can be checked; no QR code without it."""


def poster_of(game: Game, *, verify_url: str = "", limits: bool = True) -> Poster:
    """The poster of a game: any rule card's, with its parameters and readings settled.

    `limits`: with the stakes that are taken on the bets.
    """
    for bet in game.bets:
        example_stake(game, bet)  # a bet on which nobody can stake is no bet to print
    analysis = analyse(game)
    agreements = agreements_of(game)
    sections = {section.key: section for section in rules_in_words(game, limits=limits)}
    age = game.card.notice.minimum_age
    return Poster(
        id=game.card.id,
        name=game.card.name,
        summary=game.card.summary,
        rules=tuple(sections[key] for key in IN_WORDS),
        tableau=_tableau(game.tableau),
        bets=tuple(_bet_rows(analysis, agreements, limits=limits)),
        bets_notes=tuple(_bets_notes(analysis, agreements)),
        edge=Section(
            "edge", "What the house edge means", tuple(_edge_meaning(analysis, agreements))
        ),
        wagering=replace(sections["wagering"], title="Wagers and limits"),
        procedures=_procedures(game, sections.get("procedures")),
        parameters=tuple(_parameters(game)),
        parameters_title=_parameters_title(game),
        notice=sections.get("notice"),
        age=f"{age}+" if age is not None else "",
        edition=edition(game),
        digest=game.card.digest,
        verify_url=verify_url,
    )


@dataclass(frozen=True)
class Agreed:
    """A parameter agreed with each player, and what it does to the edges."""

    parameter: Parameter
    value: Fraction
    edges: Mapping[Fraction, Mapping[str, Fraction]]
    """At the least, the agreed and the most value: the edge of each bet."""

    @property
    def bets(self) -> list[str]:
        """The bets whose edge it moves, by id."""
        at = list(self.edges.values())
        return [bet for bet in at[0] if len({edges[bet] for edges in at}) > 1]


def agreements_of(game: Game) -> tuple[Agreed, ...]:
    """What the card leaves to an agreement, all else being as it is."""
    made = []
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        if parameter.set_by == "agreement":
            values = sorted({parameter.minimum, value, parameter.maximum})
            edges = {v: _edges(game, name, v) for v in values}
            made.append(Agreed(parameter, value, edges))
    return tuple(made)


def _edges(game: Game, name: str, value: Fraction) -> Mapping[str, Fraction]:
    other = game.card.game({**game.parameters, name: value}, game.readings)
    return {figures.bet.id: figures.edge for figures in analyse(other)}


def _bet_rows(
    analysis: Analysis, agreements: Sequence[Agreed], *, limits: bool
) -> Iterable[BetRow]:
    before: str | None = None
    moved = {bet for agreed in agreements for bet in agreed.bets}
    for figures in analysis:
        bet = figures.bet
        low, high = analysis.game.limits(bet)
        yield BetRow(
            id=bet.id,
            name=bet.name,
            lines=tuple(_pay_lines(bet, analysis.game)),
            wins=percent_string(figures.hit, 2),
            edge=percent_string(figures.edge),
            limits=f"{_amount(low)}–{_amount(high)}" if limits else "–",
            assumed=bet.assumed,
            agreed=bet.id in moved,
            new_group=before is not None and bet.group != before,
        )
        before = bet.group


def _pay_lines(bet: Bet, game: Game) -> Iterable[PayLine]:
    for line, second in zip(bet.lines, overlapping(bet, game), strict=True):
        when = condition_in_words(line.when)
        when = f"Otherwise, when {when}" if second else when[:1].upper() + when[1:]
        yield PayLine(when, _pays(line, game))


def _pays(line: Line, game: Game) -> str:
    assert isinstance(line.pays, Fraction)  # noqa: S101  (a game has no open parameter)
    if line.pays == STAND_OFF:
        return "stake back"
    if line.parameter is None:
        return odds_in_words(line.pays)
    parameter = game.card.parameters[line.parameter]
    mark = AGREED if parameter.set_by == "agreement" else ""
    if parameter.unit is Unit.PERCENT:
        return f"{short_decimal(line.pays * 100)}% of stake{mark}"
    return f"{odds_in_words(line.pays)}{mark}"


def _bets_notes(analysis: Analysis, agreements: Sequence[Agreed]) -> Iterable[str]:
    decks = analysis.game.decks
    payment = " ".join(payment_notes(analysis.game.bets, analysis.game))
    yield (
        f"{payment} Wins: how often the bet ends ahead. House edge: what the house keeps of a "
        f"stake on average. Both exact for a full shoe of {decks} "
        f"deck{'s' if decks > 1 else ''}, the last digit rounded."
    )
    assumed = [figures.bet.name for figures in analysis if figures.bet.assumed]
    if assumed:
        yield f"* The odds of {listed(assumed)} are assumed: the source does not print them."
    for agreed in agreements:
        yield f"{AGREED} {_depends(agreed, analysis.game)}"


def _depends(agreed: Agreed, game: Game) -> str:
    """That figures hang on an agreement, how far they reach, and where a player finds theirs."""
    parameter = agreed.parameter
    low, high = parameter.format(parameter.minimum), parameter.format(parameter.maximum)
    names = {bet.id: bet.name for bet in game.bets}
    least, most = agreed.edges[parameter.minimum], agreed.edges[parameter.maximum]
    reach = [
        f"{names[bet]} from {percent_string(least[bet])} to {percent_string(most[bet])}"
        for bet in agreed.bets[:MOST_REACHES]
    ]
    between = f": the house edge then goes, on {listed(reach)}" if reach else ""
    return (
        f"By agreement with each player, from {low} to {high}{between}. Printed here at "
        f"{parameter.format(agreed.value)}; what applies to you is in the letter that you are "
        "given with your agreement."
    )


def _edge_meaning(analysis: Analysis, agreements: Sequence[Agreed]) -> Iterable[str]:
    yield (
        "Every bet wins or loses by chance. Over many coups, though, the house keeps a certain "
        "share of all that is staked: the house edge. The lower it is, the less a bet costs."
    )
    cheapest = min(analysis, key=lambda figures: figures.edge)
    dearest = max(analysis, key=lambda figures: figures.edge)
    shown = [cheapest, dearest] if dearest.edge != cheapest.edge else [cheapest]
    for figures in shown:
        at = [
            agreed.parameter.format(agreed.value)
            for agreed in agreements
            if figures.bet.id in agreed.bets
        ]
        depends = f" (Agreed: {listed(at)}.)" if at else ""
        yield example(analysis.game, figures) + depends


def example(game: Game, figures: BetFigures) -> str:
    """What a bet costs over a hundred coups, in the card's money."""
    stake = example_stake(game, figures.bet)
    money = game.card.currency
    turnover = COUPS * stake
    average = decimal_string(abs(figures.edge) * turnover / 100, 2)
    if figures.edge == 0:
        outcome = "neither side gains on average"
    else:
        who = "the house keeps" if figures.edge > 0 else "the bettor gains"
        outcome = f"on average {who} {_with_thousands(average)} {money}"
    return (
        f"{format_coins(stake)} {money} on {figures.bet.name} in each of {COUPS} coups is "
        f"{format_coins(turnover)} {money} staked. At {percent_string(figures.edge)}, {outcome}."
    )


def example_stake(game: Game, bet: Bet) -> int:
    """A stake the table would take: the least one, on the bet's step."""
    offer = game.offers[bet.id]
    if offer.smallest > offer.most:
        settings = dict.fromkeys(line.parameter for line in bet.lines if line.parameter)
        at = listed(
            [
                f"{name} = {game.card.parameters[name].format(game.parameters[name])}"
                for name in settings
            ]
            or [f"what {bet.name} pays"]
        )
        raise BaccaratError(
            f"{at} leaves no stake on {bet.name}: only multiples of {format_coins(offer.step)} "
            f"{game.card.currency} pay whole coins, and stakes go from "
            f"{format_coins(offer.least)} to {format_coins(offer.most)}; choose a rounder value, "
            "or a card that rounds payouts"
        )
    return offer.smallest


def _procedures(game: Game, section: Section | None) -> Section | None:
    """Procedures, and what is still open: disputes are about that."""
    still_open = [
        f"Not yet made clear: {ambiguity.question} Until then: "
        f"{ambiguity.reading(game.readings[ambiguity.id]).text}"
        for ambiguity in game.card.ambiguities
        if not ambiguity.resolved
    ]
    lines = (*(section.lines if section else ()), *still_open)
    title = section.title if section else "Errors and disputes"
    return Section("procedures", title, lines) if lines else None


def _parameters(game: Game) -> Iterable[ParameterRow]:
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        if parameter.set_by != "poster":
            low, high = parameter.format(parameter.minimum), parameter.format(parameter.maximum)
            meaning = parameter.meaning[:1].upper() + parameter.meaning[1:]
            yield ParameterRow(parameter.format(value), f"{low}–{high}", meaning, parameter.set_by)


def _parameters_title(game: Game) -> str:
    deciders = {parameter.set_by for parameter in game.card.parameters.values()} - {"poster"}
    titles = {"table": "Left to the table", "agreement": "Left to an agreement"}
    return titles[deciders.pop()] if len(deciders) == 1 else "Left open"


def edition(game: Game) -> str:
    """Version and settings: under which rules figures hold."""
    parts = [f"Version {game.card.version}"]
    parts += [
        f"{name.replace('_', ' ')} {game.card.parameters[name].format(value)}"
        for name, value in game.parameters.items()
    ]
    readings = [f"{name} {reading}" for name, reading in game.readings.items()]
    if readings:
        parts.append(f"read as {', '.join(readings)}")
    return " · ".join(parts)


def _tableau(tableau: Tableau) -> TableauSheet:
    totals = [total for total in range(10) if total not in tableau.naturals]
    givens = _reachable(tableau, totals)
    return TableauSheet(
        player=tuple(_player_rows(tableau, totals)),
        banker=tuple(_banker_rows(tableau, totals, givens)),
        naturals=ranges(tableau.naturals),
        columns=tuple("stood" if given == STOOD else str(given) for given in givens),
        grid=tuple(
            GridRow(
                str(total),
                tuple("draws" if tableau.draws(total, given) else "stands" for given in givens)
                if total in totals
                else (),
            )
            for total in range(10)
        ),
    )


def _reachable(tableau: Tableau, totals: Sequence[int]) -> Sequence[int]:
    """What Banker can have given: third cards if Player ever draws, none if Player ever stands."""
    cards = range(10) if any(total in tableau.player_draws for total in totals) else ()
    stood = (STOOD,) if any(total not in tableau.player_draws for total in totals) else ()
    return (*cards, *stood) or (STOOD,)


def _player_rows(tableau: Tableau, totals: Sequence[int]) -> Iterable[ClassicRow]:
    draws = [total for total in totals if total in tableau.player_draws]
    stands = [total for total in totals if total not in tableau.player_draws]
    if draws:
        yield ClassicRow(ranges(draws), "draws", "")
    if stands:
        yield ClassicRow(ranges(stands), "", "stands")


def _banker_rows(
    tableau: Tableau, totals: Sequence[int], givens: Sequence[int]
) -> Iterable[ClassicRow]:
    """Rows for third cards; totals that do the same share one."""
    rows: dict[tuple[str, str], list[int]] = {}
    for total in totals:
        draws = [given for given in givens if tableau.draws(total, given)]
        stands = [given for given in givens if given not in draws]
        words = (_givens(draws, of=len(givens)), _givens(stands, of=len(givens)))
        rows.setdefault(words, []).append(total)
    for (draws_on, stands_on), having in rows.items():
        yield ClassicRow(ranges(having), draws_on, stands_on)


def _givens(givens: Sequence[int], of: int) -> str:
    if len(givens) == of:
        return "always"
    if not givens:
        return "never"
    cards = ranges([given for given in givens if given != STOOD])
    return ", ".join(part for part in (cards, "stood" if STOOD in givens else "") if part)


def _amount(coins: int) -> str:
    """Money as a table of limits writes it: whole units without their zeros."""
    return format_coins(coins).removesuffix(".00")


def _with_thousands(amount: str) -> str:
    whole, _, rest = amount.partition(".")
    return f"{int(whole):,}.{rest}"
