"""The games that pages speak of: those of the house's tables first, then every built-in card.

The one rule: long work is done in a thread, one piece at a time, and what was computed is kept.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from baccarat.core.rulecard import Game
from baccarat.house.housefile import House, TablePlan
from baccarat.loader import built_in_cards, load
from baccarat.table.rules import game_of
from baccarat.web.problems import Fault, Problem

Made = TypeVar("Made")
_one_at_a_time = asyncio.Semaphore(1)


async def computed(work: Callable[[], Made]) -> Made:
    """What takes a while, beside the event loop: whoever comes while it runs waits their turn."""
    async with _one_at_a_time:
        return await asyncio.to_thread(work)


def games_of(house: House) -> dict[str, Game]:
    """Every game by its card's id, as the card has it."""
    return _games(house.tables)


@cache
def _games(tables: tuple[TablePlan, ...]) -> dict[str, Game]:
    played = [game_of(plan.settings.rules).card for plan in tables]
    games = {card.id: card.game() for card in played}
    return games | {name: load(name).game() for name in built_in_cards() if name not in games}


def game_named(house: House, name: str) -> Game:
    games = games_of(house)
    if name not in games:
        words = f"there is no game {name[:50]!r} here: {', '.join(games)} are"
        raise Problem(Fault.NO_SUCH_PAGE, words)
    return games[name]
