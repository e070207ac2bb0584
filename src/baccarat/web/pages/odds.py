"""The analyst's page: take cards out of the shoe and see every edge move; a session; the audit.

The one rule: the browser asks `figures` and draws; nothing is computed there.
"""

from itertools import count
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from baccarat.analysis.audit import CardAudit, audit
from baccarat.core.cards import RANKS, SUITS
from baccarat.core.rulecard import Game
from baccarat.poster.content import example_stake
from baccarat.poster.report import Strip, report_of
from baccarat.web.figures import MOST_COUPS, parameter_words, shoe_figures
from baccarat.web.games import computed, game_named, games_of
from baccarat.web.pages.pages import SeenBy, show
from baccarat.web.site import Anyone, Needs, TheSite

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)
WIDTH, MARGIN = 320, 14
"""Of the drawing of a bet under every reading."""
NEAR = 11
"""Letters closer than this would cover each other: the second goes below."""
Chosen = Annotated[str | None, Query(max_length=80)]


@routes.get("/odds")
async def odds(request: Request, site: TheSite, viewer: SeenBy, game: Chosen = None) -> Response:
    house = site.service.house
    games = games_of(house)
    chosen = game_named(house, game or next(iter(games)))
    figures = await computed(request, shoe_figures, chosen, ())
    return await show(
        request,
        "odds.html",
        viewer,
        words=("odds", "cards"),
        data={"figures": figures, "game": chosen.card.id, "currency": house.currency},
        games=[one.card for one in games.values()],
        chosen=chosen,
        figures=figures,
        parameters=parameter_words(chosen),
        ranks=RANKS,
        suits=SUITS if chosen.pay_table.suited else (),
        most_coups=MOST_COUPS,
        stakes={bet.id: example_stake(chosen, bet) for bet in chosen.bets},
    )


@routes.get("/audit")
async def audited(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    """What posters print against what is exact: card by card, so that others can go between."""
    audits = [
        await computed(request, audit_of, game) for game in games_of(site.service.house).values()
    ]
    report = report_of([one for one in audits if one.claims or one.ambiguities])
    return await show(request, "audit.html", viewer, report=report, drawn=drawn, width=WIDTH)


def audit_of(game: Game) -> CardAudit:
    return audit(game.card)


def drawn(strip: Strip) -> dict[str, Any]:
    """Where the marks of a strip stand, from left to right in the house's favour."""
    every = [0.0, *(mark.at for mark in strip.marks)]
    every += [] if strip.printed is None else [strip.printed]
    low, high = min(every), max(every)
    scale = (WIDTH - 2 * MARGIN) / ((high - low) or 1)

    def place(at: float) -> float:
        return round(MARGIN + (at - low) * scale, 1)

    marks: list[dict[str, Any]] = []
    taken: list[tuple[float, int]] = []
    for mark in strip.marks:
        x = place(mark.at)
        near = {row for other, row in taken if abs(x - other) < NEAR}
        row = next(row for row in count() if row not in near)
        taken.append((x, row))
        marks.append({"x": x, "row": row, "letter": mark.letter, "in_force": mark.in_force})
    return {
        "zero": place(0),
        "printed": None if strip.printed is None else place(strip.printed),
        "marks": marks,
        "rows": 1 + max((row for _, row in taken), default=0),
    }
