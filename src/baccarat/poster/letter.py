"""The letter that tells a player which edge an agreement gives (R51), as plain values.

A card may leave something to an agreement with each player. `letter_of` says, for every bet that
the agreement touches, the edge as agreed, and beside it at the least and the most that could have
been agreed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from baccarat.analysis.edges import analyse
from baccarat.core.errors import BaccaratError
from baccarat.core.money import percent_string
from baccarat.core.rulecard import Game, Parameter
from baccarat.core.words import Section, bet_in_words, listed, rules_in_words
from baccarat.poster.content import example

LONGEST_NAME = 300
"""Characters of a player's or a house's name."""


MOST_LINES = 4
"""Bets that the plot shows; more could not be told apart."""


@dataclass(frozen=True)
class EdgeRow:
    """A bet, or the mean of all, with its edge at each value."""

    name: str
    edges: tuple[str, ...]


@dataclass(frozen=True)
class PlotLine:
    """A bet's edge from the least to the most that can be agreed.

    Straight in between, where the agreement is about what a line pays: an edge is a sum of payments
    times chances.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    """(value, edge) in percent or odds: for drawing only."""


@dataclass(frozen=True)
class Agreement:
    """One thing agreed, and the edges it gives."""

    parameter: str
    meaning: str
    agreed: str
    values: tuple[str, ...]
    """The least, the agreed one and the most; fewer where they are the same."""
    agreed_at: int
    """Which of the values was agreed."""
    bets: tuple[EdgeRow, ...]
    mean: EdgeRow | None
    """Of the bets, where there are several."""
    plot: tuple[PlotLine, ...]
    marked: float
    """The agreed value on the plot's axis."""


@dataclass(frozen=True)
class Letter:
    """Everything that stands in the letter."""

    player: str
    house: str
    date: str
    game: str
    agreements: tuple[Agreement, ...]
    pays: tuple[str, ...]
    """What the bets pay now, in words."""
    example: tuple[str, ...]
    decks: str
    notice: Section | None
    edition: str
    digest: str


def letter_of(
    game: Game, *, player: str, agreed: Iterable[str], on: date, house: str = ""
) -> Letter:
    """The letter to a player who agreed on these parameters of the game."""
    parameters = [p for p in game.card.parameters.values() if p.set_by == "agreement"]
    if not parameters:
        raise BaccaratError(
            f"{game.card.id} leaves nothing to an agreement with a player: a letter is for cards "
            'that have a parameter with set_by = "agreement", such as double-chance'
        )
    missing = [p for p in parameters if p.name not in set(agreed)]
    if missing:
        raise BaccaratError(_say_what_was_agreed(missing[0]))
    agreements = tuple(_agreement(game, parameter) for parameter in parameters)
    names = {row.name for agreement in agreements for row in agreement.bets}
    touched = [bet for bet in game.bets if bet.name in names]
    figures = analyse(game)
    sections = {section.key: section for section in rules_in_words(game)}
    return Letter(
        player=_name(player, "player"),
        house=_name(house, "house") if house else "",
        date=f"{on.day} {on:%B} {on.year}",
        game=game.card.name,
        agreements=agreements,
        pays=tuple(bet_in_words(bet, game) for bet in touched),
        example=tuple(example(game, figures[bet.id]) for bet in touched),
        decks=f"{game.decks} deck{'s' if game.decks > 1 else ''}",
        notice=sections.get("notice"),
        edition=f"Version {game.card.version} of the rules",
        digest=game.card.digest,
    )


def _say_what_was_agreed(parameter: Parameter) -> str:
    low, high = parameter.format(parameter.minimum), parameter.format(parameter.maximum)
    return (
        f"the letter needs what was agreed: add --set {parameter.name}=VALUE, "
        f"from {low} to {high} ({parameter.meaning})"
    )


def _name(text: str, whose: str) -> str:
    name = text.strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        shown = f"{name[:30]!r}{'…' if len(name) > 30 else ''}"
        raise BaccaratError(
            f"{shown} is no {whose}'s name: write one line of 1 to {LONGEST_NAME} characters "
            "that can be printed"
        )
    return name


def _agreement(game: Game, parameter: Parameter) -> Agreement:
    """The edges at the least, agreed and most value, all else as it is."""
    agreed = game.parameters[parameter.name]
    values = sorted({parameter.minimum, agreed, parameter.maximum})
    at = {value: _edges(game, parameter.name, value) for value in values}
    names = {bet.id: bet.name for bet in game.bets}
    ids = [bet for bet in names if len({edges[bet] for edges in at.values()}) > 1]
    if not ids:
        raise BaccaratError(
            f"{parameter.name} changes no edge of {game.card.id}: there is nothing to write about"
        )
    means = [sum((at[value][bet] for bet in ids), Fraction(0)) / len(ids) for value in values]
    return Agreement(
        parameter=parameter.name,
        meaning=parameter.meaning[:1].upper() + parameter.meaning[1:],
        agreed=parameter.format(agreed),
        values=tuple(parameter.format(value) for value in values),
        agreed_at=values.index(agreed),
        bets=tuple(
            EdgeRow(names[bet], tuple(percent_string(at[value][bet]) for value in values))
            for bet in ids
        ),
        mean=EdgeRow(
            f"Mean of {listed([names[bet] for bet in ids])}",
            tuple(percent_string(mean) for mean in means),
        )
        if len(ids) > 1
        else None,
        plot=tuple(
            PlotLine(
                names[bet], tuple((float(value), float(at[value][bet] * 100)) for value in values)
            )
            for bet in ids[:MOST_LINES]
        ),
        marked=float(agreed),
    )


def _edges(game: Game, name: str, value: Fraction) -> Mapping[str, Fraction]:
    other = game.card.game({**game.parameters, name: value}, game.readings)
    return {figures.bet.id: figures.edge for figures in analyse(other)}
