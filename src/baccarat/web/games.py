"""The games that pages speak of: those of the house's tables first, then every built-in card.

What takes long is computed by `pool`, and kept there.
"""

from collections.abc import Callable, Hashable
from functools import cache
from typing import TypeVar

from starlette.requests import HTTPConnection

from baccarat.core.rulecard import Game
from baccarat.house.housefile import House, TablePlan
from baccarat.loader import built_in_cards, load
from baccarat.table.rules import game_of
from baccarat.web.problems import Fault, Problem
from baccarat.web.site import site_of

Made = TypeVar("Made")


async def computed(
    connection: HTTPConnection, function: Callable[..., Made], *arguments: Hashable
) -> Made:
    """Compute what takes a while in another process, in the visitor's turn."""
    site = site_of(connection)
    return await site.pool.run(site.client_of(connection), function, *arguments)


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
