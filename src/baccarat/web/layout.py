"""A table's layout: its spots, what each pays and costs, and the chips that are played with.

All of it comes from the rule card under the table's parameters and limits. A card with new bets
has a layout at once: bets stand in their groups, in their order, with their short labels; a group
of ten or so is a ring, any other stands in rows; a spot has the colour of the hand that it is on.
What was agreed with a player changes the prices of that player's spots, and is named there. The one
rule: edges are the exact ones of `baccarat.analysis`, computed once for each game, never in the
event loop.
"""

import asyncio
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import isqrt

from baccarat.analysis.edges import BetFigures, analyse
from baccarat.core.conditions import All, Condition, Test
from baccarat.core.money import decimal_string, percent_string, ratio, short_decimal
from baccarat.core.phrases import ENGLISH, Phrases
from baccarat.core.rulecard import STAND_OFF, Bet, Game, Line, Unit
from baccarat.core.words import bet_in_words, odds_in_words
from baccarat.shoe.commitment import Source
from baccarat.table.agreements import Values
from baccarat.table.canonical import to_plain
from baccarat.table.rules import table_game
from baccarat.table.settings import Clock, StakeLimits
from baccarat.web.answers.tables import Group, Layout, Spot

RING = range(8, 13)
"""A group of so many bets is drawn as a ring; in a larger ring the spots would be too small."""
SIDES = ("player", "tie", "banker")
"""Three bets, one on each, stand in this order."""
SHOWN = 3
"""A spot has room for so many odds; of more, the least and the most are shown."""
CHIPS = (
    *(10, 50, 100, 500, 2_500),
    *(first * 10**ten for ten in range(4, 11) for first in (1, 5)),
)
"""Values that chips have, in coins: 0.10, 0.50, 1, 5, 25, 100, 500, 1,000, 5,000 …"""
MOST_CHIPS = 6
CARDS_OF_A_COUP = 5
"""A coup has 4.94 cards on average; the time of a round is reckoned with this."""


async def layout_of(
    rules: str,
    limits: StakeLimits,
    clock: Clock | None,
    source: Source,
    agreed: Values = (),
    phrases: Phrases = ENGLISH,
) -> Layout:
    """The layout of a table, computed in a thread when it is first asked for.

    A dealer keeps no clock: where there is none, what a bet costs is reckoned for one round.
    """
    rounds = rounds_an_hour(clock, source) if clock else None
    return await asyncio.to_thread(_layout, rules, limits, rounds, agreed, phrases)


def rounds_an_hour(clock: Clock, source: Source) -> int:
    """How many rounds the table's clock leaves room for.

    A shuffler asks for contributions before every round; a shoe does so once, which is not counted.
    """
    round_itself = clock.betting + clock.pause + (CARDS_OF_A_COUP + 1) * clock.card
    shuffle = clock.contribute + clock.reveal if source is Source.SHUFFLER else 0
    return 3_600_000 // (round_itself + shuffle)


@lru_cache(maxsize=256)
def _layout(
    rules: str,
    limits: StakeLimits,
    rounds: int | None,
    agreed: Values = (),
    phrases: Phrases = ENGLISH,
) -> Layout:
    game = table_game(rules, limits, agreed)
    figures, terms, often = analyse(game), dict(agreed), 1 if rounds is None else rounds
    groups: list[Group] = [
        {
            "id": name,
            "shape": "ring" if len(bets) in RING else "row",
            "bets": [_spot(bet, game, figures[bet.id], often, terms, phrases) for bet in bets],
        }
        for name, bets in _groups(game)
    ]
    return {
        "card": {"id": game.card.id, "name": game.card.name, "summary": game.card.summary},
        "notice": to_plain(game.card.notice),
        "decks": game.decks,
        "groups": groups,
        "chips": chips_for(game),
        "rounds_an_hour": rounds,
        "coup_maximum": limits.coup_maximum,
        "agreed": [f"{_said(name)} {value}" for name, value in agreed],
    }


def _groups(game: Game) -> Iterator[tuple[str, list[Bet]]]:
    """Bets by group, groups in the order in which the card first names them."""
    names = list(dict.fromkeys(bet.group for bet in game.bets))
    ordered = sorted(game.bets, key=lambda bet: (names.index(bet.group), bet.order))
    for name, bets in groupby(ordered, key=lambda bet: bet.group):
        yield name, _as_seen(list(bets))


def _as_seen(bets: list[Bet]) -> list[Bet]:
    """A bet on each side: the tie stands between the hands, on the felt and for the keys alike."""
    sides = [side_of(bet) for bet in bets]
    if sorted(map(str, sides)) != sorted(SIDES):
        return bets
    return sorted(bets, key=lambda bet: SIDES.index(str(side_of(bet))))


def _spot(
    bet: Bet,
    game: Game,
    figures: BetFigures,
    rounds: int,
    terms: dict[str, str],
    phrases: Phrases,
) -> Spot:
    minimum, maximum = game.limits(bet)
    pays = [_pays(line, bet, game, phrases) for line in bet.lines if line.pays != STAND_OFF]
    mine = dict.fromkeys(line.parameter for line in bet.lines if line.parameter in terms)
    return {
        "id": bet.id,
        "name": bet.name,
        "short": bet.short,
        "side": side_of(bet),
        "pays": pays,
        "pays_shown": " · ".join(pays) if len(pays) <= SHOWN else _range(bet),
        "words": bet_in_words(bet, game, phrases),
        "agreed": [f"{_said(name)} {terms[name]}" for name in mine if name],
        "minimum": minimum,
        "maximum": maximum,
        "step": game.offers[bet.id].step,
        "requires": list(bet.requires),
        "excludes": list(bet.excludes),
        "edge": percent_string(figures.edge, 2),
        "exact_edge": ratio(figures.edge),
        "long_edge": percent_string(figures.edge, 8),
        "wins": percent_string(figures.hit, 4),
        "deviation": decimal_string(figures.standard_deviation(2), 2),
        "long_deviation": decimal_string(figures.standard_deviation(6), 6),
        "variance": decimal_string(figures.variance, 6),
        "hour": round(figures.edge * rounds * 1_000_000),
        "hour_deviation": isqrt(int(figures.variance * rounds * 10**12)),
    }


def _said(parameter: str) -> str:
    return parameter.replace("_", " ")


def _pays(line: Line, bet: Bet, game: Game, phrases: Phrases) -> str:
    """The odds of a line; with the result they are for, where that is not the bet's own."""
    pays = _odds(line)
    percent = line.parameter and game.card.parameters[line.parameter].unit is Unit.PERCENT
    text = f"{short_decimal(pays * 100)}%" if percent else odds_in_words(pays, phrases)
    result = _winner(line.when)
    if not result or result == side_of(bet):
        return text
    return phrases.say(f"result-{result}", odds=text)


def _range(bet: Bet) -> str:
    found = sorted(_odds(line) for line in bet.lines if line.pays != STAND_OFF)
    return f"{odds_in_words(found[0])} … {odds_in_words(found[-1])}"


def _odds(line: Line) -> Fraction:
    assert isinstance(line.pays, Fraction)  # noqa: S101  (a game has no open parameter)
    return line.pays


def side_of(bet: Bet) -> str:
    """The result that a bet is on: "player", "banker", "tie", or "" for another kind of bet."""
    sides = (_winner(line.when) for line in bet.lines if line.pays != STAND_OFF)
    return next((side for side in sides if side), "")


def _winner(condition: Condition) -> str:
    match condition:
        case Test(fact="winner", values=values) if len(values) == 1:
            return str(next(iter(values)))
        case All(parts=(part,)):
            return _winner(part)
    return ""


def chips_for(game: Game) -> list[int]:
    """Chips from the least stake to the largest, a handful."""
    limits = [game.limits(bet) for bet in game.bets]
    least, most = min(low for low, _ in limits), max(high for _, high in limits)
    start = max((place for place, value in enumerate(CHIPS) if value <= least), default=0)
    return [value for value in CHIPS[start:] if value <= most][:MOST_CHIPS] or [least]
