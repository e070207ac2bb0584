"""The letter that tells a player which edge an agreement gives (R51), as plain values.

A card may leave something to an agreement with each player. `letter_of` says, for every bet that
the agreement touches, the edge as agreed, and beside it at the least and the most that could have
been agreed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from baccarat.analysis.edges import analyse
from baccarat.core.errors import BaccaratError
from baccarat.core.money import percent_string
from baccarat.core.rulecard import Game, Parameter
from baccarat.core.text import is_printable_line
from baccarat.core.words import Section, bet_in_words, listed, payment_notes, rules_in_words
from baccarat.poster.content import Agreed, agreements_of, edition, example, example_stake

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
    differs: tuple[str, ...]
    """Where parameters and readings are not those of the card, in words."""
    notice: Section | None
    edition: str
    """Version and settings, as on the poster."""
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
    found = agreements_of(game)
    agreements = tuple(_agreement(game, agreed) for agreed in found)
    moved = {bet for agreed in found for bet in agreed.bets}
    touched = [bet for bet in game.bets if bet.id in moved]
    for bet in touched:
        example_stake(game, bet)
    figures = analyse(game)
    sections = {section.key: section for section in rules_in_words(game)}
    return Letter(
        player=_name(player, "player"),
        house=_name(house, "house") if house else "",
        date=f"{on.day} {on:%B} {on.year}",
        game=game.card.name,
        agreements=agreements,
        pays=(*(bet_in_words(bet, game) for bet in touched), *payment_notes(touched, game)),
        example=tuple(example(game, figures[bet.id]) for bet in touched),
        decks=f"{game.decks} deck{'s' if game.decks > 1 else ''}",
        notice=sections.get("notice"),
        differs=tuple(_differs(game)),
        edition=edition(game),
        digest=game.card.digest,
    )


def _say_what_was_agreed(parameter: Parameter) -> str:
    low, high = parameter.format(parameter.minimum), parameter.format(parameter.maximum)
    return (
        f"the letter needs what was agreed: add --set {parameter.name}=VALUE, "
        f"from {low} to {high} ({parameter.meaning})"
    )


def _differs(game: Game) -> Iterable[str]:
    """What the figures rest on besides the agreement, where it is not as the card has it."""
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        if parameter.set_by != "agreement" and value != parameter.default:
            meaning = parameter.meaning[:1].upper() + parameter.meaning[1:]
            yield (
                f"{meaning}: {parameter.format(value)} (the rules say "
                f"{parameter.format(parameter.default)})."
            )
    for ambiguity in game.card.ambiguities:
        reading = ambiguity.reading(game.readings[ambiguity.id])
        if reading.id != ambiguity.in_force:
            in_force = ambiguity.reading(ambiguity.in_force)
            yield (f"{ambiguity.question} Here: {reading.text} In force otherwise: {in_force.text}")


def _name(text: str, whose: str) -> str:
    name = text.strip()
    if len(name) > LONGEST_NAME or not is_printable_line(name):
        shown = f"{name[:30]!r}{'…' if len(name) > 30 else ''}"
        raise BaccaratError(
            f"{shown} is no {whose}'s name: write one line of 1 to {LONGEST_NAME} characters "
            "that can be printed"
        )
    return name


def _agreement(game: Game, found: Agreed) -> Agreement:
    """The edges at the least, agreed and most value, all else as it is."""
    parameter, ids, at = found.parameter, found.bets, found.edges
    values = list(at)
    names = {bet.id: bet.name for bet in game.bets}
    if not ids:
        raise BaccaratError(
            f"{parameter.name} changes no edge of {game.card.id}: there is nothing to write about"
        )
    means = [sum((at[value][bet] for bet in ids), Fraction(0)) / len(ids) for value in values]
    return Agreement(
        parameter=parameter.name,
        meaning=parameter.meaning[:1].upper() + parameter.meaning[1:],
        agreed=parameter.format(found.value),
        values=tuple(parameter.format(value) for value in values),
        agreed_at=values.index(found.value),
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
        marked=float(found.value),
    )
