"""The games that pages speak of: those of the house's tables first, then every built-in card.

The one rule: long work is done in a thread, one piece at a time, and what was computed is kept.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TypeVar

from baccarat.core.money import COINS_PER_UNIT
from baccarat.core.rulecard import Game, RuleCard
from baccarat.house.housefile import House, TablePlan
from baccarat.loader import built_in_cards, load
from baccarat.table.rules import card_at, game_of
from baccarat.web.problems import Fault, Problem

Made = TypeVar("Made")
MOST = 1_000_000
"""Units of money: the largest stake on a game without limits."""
_one_at_a_time = asyncio.Semaphore(1)


async def computed(work: Callable[[], Made]) -> Made:
    """What takes a while, beside the event loop: whoever comes while it runs waits their turn."""
    async with _one_at_a_time:
        return await asyncio.to_thread(work)


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
