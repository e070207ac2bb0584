"""The letter that informs a player of the house edge under an agreement (R51), as plain values.

A card may leave parameters to an agreement with each player. For every bet that the agreement
affects, the letter shows the edge at the agreed value, and at the minimum and maximum that could
have been agreed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from baccarat.analysis.edges import analyse
from baccarat.core.errors import BaccaratError
from baccarat.core.money import percent_string
from baccarat.core.printed import Parameter
from baccarat.core.rulecard import Game
from baccarat.core.text import in_language, is_printable_line
from baccarat.poster.content import Agreed, agreements_of, edition, example, sentence
from baccarat.wording.catalogue import DEFAULT, Catalogue, catalogue
from baccarat.wording.rules import Section, bet_in_words, listed, payment_notes, rules_in_words

LONGEST_NAME = 300
"""Maximum characters in a player's or a house's name."""


MAX_LINES = 4
"""Maximum number of bets in the plot; more lines could not be distinguished."""


class NotAgreed(BaccaratError):
    """Raised if the agreed value of a parameter is missing."""

    def __init__(self, parameter: Parameter) -> None:
        low, high = parameter.format(parameter.minimum), parameter.format(parameter.maximum)
        super().__init__(
            f"the letter needs the agreed value of {parameter.name}, "
            f"from {low} to {high} ({parameter.meaning})"
        )
        self.parameter = parameter.name


@dataclass(frozen=True)
class EdgeRow:
    """The edge of a bet, or the mean of several bets, at each value.

    An edge is a sum of payments times chances. So if the agreed parameter sets what a line pays,
    the edge is linear between these values.
    """

    name: str
    edges: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    """Points (value, edge in percent) of the plot."""


@dataclass(frozen=True)
class Agreement:
    """One agreed parameter, and the resulting edges."""

    meaning: str
    agreed: str
    values: tuple[str, ...]
    """The minimum, agreed and maximum value as text, without duplicates."""
    agreed_at: int
    """Index of the agreed value in `values`."""
    bets: tuple[EdgeRow, ...]
    mean: EdgeRow | None
    """Mean edge of the bets, if there are several."""
    plot: tuple[EdgeRow, ...]
    """The bets that are plotted."""


@dataclass(frozen=True)
class Letter:
    """The complete content of a letter."""

    player: str
    house: str
    date: str
    game: str
    agreed: str
    """The sentence that introduces the agreement; it names the table, if there is one."""
    agreements: tuple[Agreement, ...]
    pays: tuple[str, ...]
    """What each bet pays under the agreement, in words."""
    example: tuple[str, ...]
    exact: str
    """A sentence that says for which shoe the figures are exact."""
    differs: tuple[str, ...]
    """Parameters and readings that differ from the rule card's defaults, in words."""
    notice: Section | None
    edition: str
    """The rule card's version and settings, as on the poster."""
    digest: str
    language: str


def letter_of(
    game: Game,
    *,
    player: str,
    agreed: Iterable[str],
    on: date,
    house: str = "",
    table: str = "",
    language: str = DEFAULT,
) -> Letter:
    """Return the letter to a player.

    `agreed` names the parameters that the player has agreed on, and `table` names the table where
    the agreement applies. The game has the table's limits, so examples use the table's minimum.
    """
    game = in_language(game, language)
    parameters = [p for p in game.card.parameters.values() if p.set_by == "agreement"]
    if not parameters:
        raise BaccaratError(
            f"{game.card.id} has no parameter that is agreed with a player: a letter needs a card "
            'with a parameter set_by = "agreement", such as double-chance'
        )
    missing = [p for p in parameters if p.name not in set(agreed)]
    if missing:
        raise NotAgreed(missing[0])
    t, found = catalogue(language), agreements_of(game)
    moved = {bet for agreed in found for bet in agreed.bets}
    touched = [bet for bet in game.bets if bet.id in moved]
    figures = analyse(game)
    sections = {section.key: section for section in rules_in_words(game, language=language)}
    pays = (bet_in_words(bet, game, language) for bet in touched)
    return Letter(
        player=_name(player, "player"),
        house=_name(house, "house") if house else "",
        date=t.date(on),
        game=game.card.name,
        agreed=t("letter-agreed_at", table=_name(table, "table")) if table else t("letter-agreed"),
        agreements=tuple(_agreement(game, agreed, t) for agreed in found),
        pays=(*pays, *payment_notes(touched, game, language)),
        example=tuple(example(game, figures[bet.id], language) for bet in touched),
        exact=t("letter-exact", decks=game.decks),
        notice=sections.get("notice"),
        differs=tuple(_differs(game, t)),
        edition=edition(game, language),
        digest=game.card.digest,
        language=language,
    )


def _differs(game: Game, t: Catalogue) -> Iterable[str]:
    """Yield a sentence for each reading, and for each parameter not set by agreement, that differs
    from the card's default."""
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        if parameter.set_by != "agreement" and value != parameter.default:
            here, usual = parameter.format(value), parameter.format(parameter.default)
            meaning = sentence(parameter.meaning)
            yield t("letter-parameter", meaning=meaning, here=here, usual=usual)
    for ambiguity in game.card.ambiguities:
        reading = ambiguity.reading(game.readings[ambiguity.id])
        if reading.id != ambiguity.in_force:
            usual = ambiguity.reading(ambiguity.in_force).text
            question = ambiguity.question
            yield t("letter-reading", question=question, here=reading.text, usual=usual)


def _name(text: str, whose: str) -> str:
    name = text.strip()
    if len(name) > LONGEST_NAME or not is_printable_line(name):
        shown = f"{name[:30]!r}{'…' if len(name) > 30 else ''}"
        raise BaccaratError(
            f"invalid name of the {whose} {shown}: write one line of 1 to {LONGEST_NAME} printable "
            "characters"
        )
    return name


def _agreement(game: Game, found: Agreed, t: Catalogue) -> Agreement:
    """Return one agreed parameter with the edges at its minimum, agreed and maximum value."""
    parameter, ids, at = found.parameter, found.bets, found.edges
    values = list(at)
    names = {bet.id: bet.name for bet in game.bets}
    if not ids:
        raise BaccaratError(
            f"{parameter.name} does not affect any house edge of {game.card.id}, so a letter "
            "would be empty"
        )

    def row(name: str, bets: Sequence[str]) -> EdgeRow:
        means = {
            v: sum((edges[bet] for bet in bets), Fraction(0)) / len(bets) for v, edges in at.items()
        }
        points = tuple((float(value), float(edge * 100)) for value, edge in means.items())
        return EdgeRow(name, tuple(map(percent_string, means.values())), points)

    bets = tuple(row(names[bet], [bet]) for bet in ids)
    mean = t("letter-mean", bets=listed([names[bet] for bet in ids], t.language))
    return Agreement(
        meaning=sentence(parameter.meaning),
        agreed=parameter.format(found.value),
        values=tuple(map(parameter.format, values)),
        agreed_at=values.index(found.value),
        bets=bets,
        plot=bets[:MAX_LINES],
        mean=row(mean, ids) if len(ids) > 1 else None,
    )
