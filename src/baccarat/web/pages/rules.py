"""Rules and odds of each game: the poster as a page of the site.

It says what the printed poster says, on the table's own parameters and limits where it is reached
from a table. The one rule: no figure is made here; all come from `poster.content`.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from baccarat.core.rulecard import Game
from baccarat.house.housefile import TablePlan
from baccarat.poster.content import AGREED, Poster, poster_of
from baccarat.table.rules import game_of, table_game
from baccarat.web.games import computed, game_named, games_of, has_limits
from baccarat.web.pages.pages import SeenBy, show
from baccarat.web.problems import Fault, Problem
from baccarat.web.site import Anyone, Needs, TheSite

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)
Card = Annotated[str, Path(max_length=80)]
FromTable = Annotated[str | None, Query(max_length=80)]


@routes.get("/rules")
async def every_game(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    house = site.service.house
    played: dict[str, list[TablePlan]] = {}
    for plan in house.tables:
        played.setdefault(game_of(plan.settings.rules).card.id, []).append(plan)
    games = [game.card for game in games_of(house).values()]
    return await show(request, "games.html", viewer, games=games, played=played)


@routes.get("/rules/{card}")
async def one_game(
    request: Request, card: Card, site: TheSite, viewer: SeenBy, table: FromTable = None
) -> Response:
    """The poster of a game; with `table`, under that table's parameters and limits."""
    house = site.service.house
    game = game_named(house, card)
    tables = [plan for plan in house.tables if game_of(plan.settings.rules).card.id == card]
    plan = site.plan(table) if table else None
    if plan is not None:
        settings = plan.settings
        game = table_game(settings.rules, settings.limits, currency=house.currency)
        if plan not in tables:
            words = f"{plan.name} plays {game.card.name}: see /rules/{game.card.id}"
            raise Problem(Fault.NO_SUCH_PAGE, words)
    printed = poster_of if has_limits(house, card) else poster_without_limits
    poster = await computed(request, printed, game)
    return await show(
        request, "rules.html", viewer, poster=poster, plan=plan, tables=tables, agreed=AGREED
    )


def poster_without_limits(game: Game) -> Poster:
    """The poster of a game whose card has no limits in the house's currency."""
    return poster_of(game, limits=False)
