"""Pages with the rules, odds and audits of every game, and the shoe verifier.

The poster shows the parameters and limits of the table from which it was opened; all its figures
come from `poster.content`. On the odds page, visitors remove cards from the shoe; the browser
requests the figures (`api.figures`) and draws them. Shoes are verified in the browser, without the
server.
"""

from itertools import count
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from baccarat.analysis.audit import CardAudit
from baccarat.core.cards import RANKS, SUITS
from baccarat.core.rulecard import Game
from baccarat.house.table_plans import TablePlan
from baccarat.library import audit
from baccarat.poster import makes_pdfs
from baccarat.poster.content import AGREED, Poster, Venue, example_stake, poster_of
from baccarat.poster.report import PlotRow, Report, report_of
from baccarat.poster.venue import game_offered, venue_of
from baccarat.store import history
from baccarat.table.rules import game_of
from baccarat.web.pages.pages import AnyPage
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import TheSite, Visitor
from baccarat.web.views import games as g

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
Card = Annotated[str, Path(max_length=80)]
FromTable = Annotated[str | None, Query(max_length=80)]
WIDTH, MARGIN = 320, 14
"""Width and margin of the drawing of a bet under every reading."""
NEAR = 11
"""Letters closer than this would overlap, so the second is moved to the next row."""
Chosen = Annotated[str | None, Query(max_length=80)]
_reports: dict[tuple[tuple[Game, ...], str], Report] = {}
"""Cached reports by games and language: building one takes as long as ten other pages."""


@routes.get("/rules")
async def every_game(site: TheSite, page: AnyPage) -> Response:
    house = site.house
    played: dict[str, list[TablePlan]] = {}
    for plan in house.tables:
        played.setdefault(game_of(plan.settings.rules).card.id, []).append(plan)
    games = [game.card for game in g.games_of(house, page.t.language).values()]
    return await page.show("games.html", games=games, played=played)


@routes.get("/rules/{card}")
async def one_game(card: Card, site: TheSite, page: AnyPage, table: FromTable = None) -> Response:
    """Show the poster of a game, and the ambiguities that the house has listed in its rules.

    With `table`, the parameters and limits are those of that table.
    """
    house = site.house
    game = g.game_named(house, card)
    tables = [plan for plan in house.tables if game_of(plan.settings.rules).card.id == card]
    plan = site.plan(table) if table else None
    venue = None
    if plan is not None:
        game, venue = game_offered(house, plan), venue_of(house, plan, logo=False)
        if plan not in tables:
            raise Problem(
                Fault.NO_SUCH_PAGE,
                "other-game",
                table=plan.name,
                game=game.card.name,
                card=game.card.id,
            )
    about = (game, venue, page.t.language, makes_pdfs())
    poster = await g.computed(page.request, poster_for, *about)
    listed = [
        one for one in await site.read(history.listed) if one.card == card and not one.withdrawn_at
    ]
    return await page.show(
        "rules.html", poster=poster, plan=plan, tables=tables, agreed=AGREED, listed=listed
    )


@routes.get("/verify")
async def verify(site: TheSite, page: AnyPage) -> Response:
    """Show the verifier; its script reads `?shoe=` or `?table=` in the address."""
    return await page.show("verify.html", words=("verify", "cards"), tables=site.tables)


def poster_for(game: Game, venue: Venue | None, language: str, letters: bool) -> Poster:  # noqa: FBT001
    return poster_of(game, venue=venue, language=language, letters=letters)


@routes.get("/odds")
async def odds(site: TheSite, page: AnyPage, game: Chosen = None) -> Response:
    house, language = site.house, page.t.language
    games = g.games_of(house, language)
    chosen = g.game_named(house, game or next(iter(games)), language)
    figures = await g.computed(page.request, g.shoe_figures, chosen, ())
    return await page.show(
        "odds.html",
        words=("odds", "cards"),
        data={"figures": figures, "game": chosen.card.id, "currency": house.currency},
        games=[one.card for one in games.values()],
        chosen=chosen,
        figures=figures,
        parameters=g.parameter_words(chosen),
        ranks=RANKS,
        suits=SUITS if chosen.pay_table.suited else (),
        most_coups=g.MAX_COUPS,
        stakes={bet.id: example_stake(chosen, bet) for bet in chosen.bets},
    )


@routes.get("/audit")
async def audited(site: TheSite, page: AnyPage) -> Response:
    """Show how printed figures compare with exact ones.

    Cards are audited one at a time, so that other requests are served in between.
    """
    games = tuple(g.games_of(site.house).values())
    language = page.t.language
    if (games, language) not in _reports:
        audits = [await g.computed(page.request, audit_of, game) for game in games]
        audits = [
            found
            for found in audits
            if found.claims or found.ambiguities or found.card.poster_notes
        ]
        _reports[games, language] = report_of(audits, language)
    report = _reports[games, language]
    return await page.show("audit.html", report=report, drawn=drawn, width=WIDTH)


def audit_of(game: Game) -> CardAudit:
    return audit(game.card)


def drawn(strip: PlotRow) -> dict[str, Any]:
    """Return the positions of a strip's marks; further right is better for the house."""
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
