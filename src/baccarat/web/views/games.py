"""The games of the house's tables and of every built-in rule card, and their exact figures.

Long computations run in worker processes, and `web.compute.pool` caches their results.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import TypeVar

from starlette.requests import HTTPConnection
from typing_extensions import TypedDict

from baccarat.analysis.edges import analyse, of_full_shoe
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.cards import Card
from baccarat.core.money import COINS_PER_UNIT, decimal_string, percent_string, ratio
from baccarat.core.rulecard import Game, RuleCard
from baccarat.core.text import in_language
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.loader import built_in_cards, load
from baccarat.table.rules import card_at, game_of
from baccarat.web.schema import Percent
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import Site, site_of
from baccarat.wording.catalogue import DEFAULT, Catalogue
from baccarat.wording.rules import odds_in_words

Made = TypeVar("Made")
MAX_COINS = 1_000_000
"""Largest stake on a game without limits, in currency units."""


async def computed(
    connection: HTTPConnection,
    function: Callable[..., Made],
    *arguments: Hashable,
    keep: bool = True,
) -> Made:
    """Return the result of a computation, run in a worker process when it is the visitor's turn."""
    site = site_of(connection)
    place, queue = site.place_counted(connection), site.visitors.client_of(connection, guests=False)
    return await site.pool.run(queue, function, *arguments, place=place, keep=keep)


def games_of(house: House, language: str = DEFAULT) -> dict[str, Game]:
    """Return every game by its card's id, with the card's parameters, in the house's currency.

    Limits are those of the first table that plays it. A game that no table plays has the limits of
    its card, or none if they are in another currency.
    """
    return _games(house.tables, house.currency, language)


@cache
def _games(tables: tuple[TablePlan, ...], currency: str, language: str) -> dict[str, Game]:
    games: dict[str, Game] = {}
    for plan in tables:
        card = game_of(plan.settings.rules).card
        if card.id not in games:
            games[card.id] = card_at(card, plan.settings.limits, currency).game()
    for name in built_in_cards():
        if name not in games:
            card = load(name)
            if card.currency != currency:
                card = _without_limits(card, currency)
            games[name] = card.game()
    return in_language(games, language)


def _without_limits(card: RuleCard, currency: str) -> RuleCard:
    """Return a card whose limits allow any reasonable stake, so that figures can be computed."""
    limits = replace(card.limits, minimum=COINS_PER_UNIT, maximum=MAX_COINS * COINS_PER_UNIT)
    bets = tuple(replace(bet, minimum=None, maximum=None) for bet in card.bets)
    return replace(card, currency=currency, limits=limits, bets=bets)


def game_named(house: House, name: str, language: str = DEFAULT) -> Game:
    games = games_of(house, language)
    if name not in games:
        raise Problem(Fault.NO_SUCH_PAGE, "no-game", game=name[:50], games=", ".join(games))
    return games[name]


MAX_COUPS = 1_000


class BetNow(TypedDict):
    """A bet's rounded figures; `millionths` has its edges on the full shoe and on this shoe."""

    id: str
    name: str
    pays: list[str]
    edge: Percent
    full: Percent
    moved: str
    hit: Percent
    deviation: str
    millionths: list[int]


class OddsView(TypedDict):
    decks: int
    size: int
    left: int
    ranks: tuple[int, ...]
    bets: list[BetNow]


@lru_cache(maxsize=512)
def shoe_figures(game: Game, gone: tuple[tuple[Card, int], ...]) -> OddsView:
    """Return the figures of every bet on a shoe with some cards removed."""
    full = of_full_shoe(game)
    shoe = remaining_shoe(game, (card for card, n in gone for _ in range(n)))
    now = analyse(game, shoe) if gone else full
    return {
        "decks": game.decks,
        "size": full.shoe.size,
        "left": shoe.size,
        "ranks": shoe.ranks,
        "bets": [
            {
                "id": figures.bet.id,
                "name": figures.bet.name,
                "pays": [
                    odds_in_words(pay) for pay, _ in reversed(figures.distribution) if pay > 0
                ],
                "edge": percent_string(figures.edge),
                "full": percent_string(before.edge),
                "moved": _moved(figures.edge - before.edge),
                "hit": percent_string(figures.hit, 2),
                "deviation": decimal_string(figures.standard_deviation(2), 2),
                "millionths": [round(before.edge * 10**6), round(figures.edge * 10**6)],
            }
            for figures, before in zip(now.values(), full.values(), strict=True)
        ],
    }


def _moved(by: Fraction) -> str:
    return f"{'+' if by > 0 else ''}{percent_string(by)}" if by else "–"


def parameter_words(game: Game) -> list[dict[str, str]]:
    """Return the parameters of a game, formatted for a form."""
    return [
        {
            "name": name,
            "value": parameter.format(game.parameters[name]),
            "exact": ratio(game.parameters[name]),
            "range": f"{parameter.format(parameter.minimum)}–{parameter.format(parameter.maximum)}",
            "meaning": parameter.meaning,
        }
        for name, parameter in game.card.parameters.items()
    ]


def bet_names(site: Site, table: str, t: Catalogue) -> dict[str, str]:
    """Return the names of a table's current bets by id; bets that were removed are missing."""
    plan = site.service.plans.get(table)
    bets = game_of(plan.settings.rules).bets if plan else ()
    return {bet.id: in_language(bet.name, t.language) for bet in bets}
