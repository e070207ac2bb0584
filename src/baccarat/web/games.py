"""The games that pages speak of: those of the house's tables first, then every built-in card.

What takes long is computed by `pool`, and kept there.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cache
from typing import TypeVar

from starlette.requests import HTTPConnection

from baccarat.core.money import COINS_PER_UNIT
from baccarat.core.rulecard import Game, RuleCard
from baccarat.house.housefile import House, TablePlan
from baccarat.loader import built_in_cards, load
from baccarat.table.rules import card_at, game_of
from baccarat.web.problems import Fault, Problem
from baccarat.web.site import site_of

Made = TypeVar("Made")
MOST = 1_000_000
"""Units of money: the largest stake on a game without limits."""


async def computed(
    connection: HTTPConnection, function: Callable[..., Made], *arguments: Hashable
) -> Made:
    """Compute what takes a while in another process, in the visitor's turn."""
    site = site_of(connection)
    place = site.place_counted(connection)
    return await site.pool.run(site.queue_of(connection), function, *arguments, place=place)


def games_of(house: House) -> dict[str, Game]:
    """Every game by its card's id, under the card's parameters, in the house's currency.

    Limits are those of the first table that plays it. A game that no table plays has those of its
    card, or none where they are in another currency (see `has_limits`).
    """
    return _games(house.tables, house.currency)


def has_limits(house: House, name: str) -> bool:
    """Are limits of this game known in the house's currency?"""
    return name not in _unlimited(house.tables, house.currency)


@cache
def _unlimited(tables: tuple[TablePlan, ...], currency: str) -> frozenset[str]:
    played = {game_of(plan.settings.rules).card.id for plan in tables}
    cards = (load(name) for name in built_in_cards() if name not in played)
    return frozenset(card.id for card in cards if card.currency != currency)


@cache
def _games(tables: tuple[TablePlan, ...], currency: str) -> dict[str, Game]:
    games: dict[str, Game] = {}
    for plan in tables:
        card = game_of(plan.settings.rules).card
        if card.id not in games:
            games[card.id] = card_at(card, plan.settings.limits, currency).game()
    foreign = _unlimited(tables, currency)
    for name in built_in_cards():
        if name not in games:
            card = load(name)
            games[name] = (_without_limits(card, currency) if name in foreign else card).game()
    return games


def _without_limits(card: RuleCard, currency: str) -> RuleCard:
    """Any stake within reason can be computed with."""
    limits = replace(card.limits, minimum=COINS_PER_UNIT, maximum=MOST * COINS_PER_UNIT)
    bets = tuple(replace(bet, minimum=None, maximum=None) for bet in card.bets)
    return replace(card, currency=currency, limits=limits, bets=bets)


def game_named(house: House, name: str) -> Game:
    games = games_of(house)
    if name not in games:
        words = f"there is no game {name[:50]!r} here: {', '.join(games)} are"
        raise Problem(Fault.NO_SUCH_PAGE, words)
    return games[name]
