"""Endpoints for exact figures: every edge on a shoe with cards removed, a session's results, and a
table's poster.

`baccarat.analysis` computes the figures in worker processes (`web.compute.pool`). They are rounded
only here; pages just draw them.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import Annotated, Literal

from fastapi import Query, Request, Response
from msgspec import Meta
from pydantic import Field
from typing_extensions import TypedDict

from baccarat.core.cards import parse_card
from baccarat.core.money import percent_string
from baccarat.core.rulecard import Game
from baccarat.core.text import Coins as Money
from baccarat.core.wagers import Wager, refusals
from baccarat.poster import makes_pdfs
from baccarat.poster.content import Venue, poster_of
from baccarat.poster.venue import game_offered, venue_of
from baccarat.table.refusals import Code, Refused, refused_by
from baccarat.web.schema import Percent, Routes
from baccarat.web.schema.requests import Body, Short
from baccarat.web.server.guard import place_of
from baccarat.web.server.language import words_for
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import API, AtTable, Site, TheSite, Visitor
from baccarat.web.views.csv_files import download
from baccarat.web.views.games import MAX_COUPS, OddsView, computed, game_named, shoe_figures

routes = Routes(prefix=API, tags=["figures"], dependencies=[Visitor])
MAX_COINS = 10**9
MAX_WORK = 2 * 10**9
"""Maximum number of steps to compute a session; they take a few seconds and less than 0.5 GB."""
POINTS, BARS = 160, 48
"""Maximum number of points in a curve, and of bars in a histogram."""
UNLIKELY = 1e-4
"""Maximum probability left out at each end of a histogram."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
Coins = Annotated[int, Field(ge=1, le=MAX_COINS)]
POSTER = 1_000
"""Cost of typesetting a poster, in points (`Site.charge`)."""
Paper = Annotated[Literal["a4", "a3", "letter"], Query(description="paper size")]


class GameBody(Body):
    game: Short
    parameters: dict[Short, Short] = Field(default_factory=dict, max_length=20)


class ShoeBody(GameBody):
    """A game, and how many of each card are removed from its shoe, such as `{"K": 3, "Ah": 1}`."""

    removed: dict[Short, Annotated[int, Field(ge=0, le=2_000)]] = Field(
        default_factory=dict, max_length=65
    )


class StakeBody(Body):
    bet: Short
    stake: Coins


class SessionBody(GameBody):
    """A session: the same wagers on every coup, and the player's bankroll."""

    wagers: list[StakeBody] = Field(min_length=1, max_length=20)
    coups: Annotated[int, Field(ge=1, le=MAX_COUPS)]
    per_hour: Annotated[int, Field(ge=1, le=500)] = 70
    bankroll: Coins
    stop_win: Coins | None = None


Bar = Annotated[list[float], Meta(description="from, to, chance")]
Point = Annotated[list[float], Meta(description="coup, chance of ruin, chance of the goal")]


class SessionFigures(TypedDict):
    """Figures of a session; `error` is the maximum error of a probability."""

    coups: int
    per_hour: int
    stake: int
    edge: Percent
    cost: int
    hour: int
    deviation: int
    ahead: Percent
    even: Percent
    behind: Percent
    quantiles: Annotated[list[list[str | int]], Meta(description="quantile, result in coins")]
    bars: list[Bar]
    curve: list[Point]
    ruined: Percent
    reached: Percent | None
    error: str


@routes.post("/odds")
async def odds(body: ShoeBody, request: Request, site: TheSite) -> OddsView:
    """Return every bet's edge with these cards removed, and its change from the full shoe."""
    game = _game(request, site, body)
    gone = tuple((parse_card(name), n) for name, n in sorted(body.removed.items()) if n)
    return await computed(request, shoe_figures, game, gone)


@routes.post("/sessions")
async def sessions(body: SessionBody, request: Request, site: TheSite) -> SessionFigures:
    """Return the exact result, ruin probability and cost of a session of independent coups."""
    game = _game(request, site, body)
    wagers = tuple(Wager(wager.bet, wager.stake) for wager in body.wagers)
    limits = (body.coups, body.per_hour, body.bankroll, body.stop_win)
    return await computed(request, session_figures, game, wagers, *limits)


def _game(request: Request, site: Site, body: GameBody) -> Game:
    site.figures.use(place_of(request))
    game = game_named(site.house, body.game, words_for(request).language)
    return game_with(game, tuple(sorted(body.parameters.items())))


@lru_cache(maxsize=128)
def game_with(game: Game, parameters: tuple[tuple[str, str], ...]) -> Game:
    """Return the game with these parameters. It is cached, so that its results are cached too."""
    return Game.of(game.card, dict(parameters))


@lru_cache(maxsize=128)
def session_figures(
    game: Game,
    wagers: tuple[Wager, ...],
    coups: int,
    per_hour: int,
    bankroll: int,
    stop_win: int | None,
) -> SessionFigures:
    """Return the figures of a session, or raise Refused if it would take too long.

    Probabilities are computed as float64, with their maximum error.
    """
    from baccarat.analysis.sessions import session  # numpy takes a while to load

    if found := refusals(game, wagers):
        raise refused_by(found[0])
    played = session(game, wagers)
    if bankroll < played.stake:
        raise Refused(
            Code.INSUFFICIENT_FUNDS, "bankroll", bankroll=Money(bankroll), stake=Money(played.stake)
        )
    goal = None if stop_win is None else bankroll + stop_win
    work = played.work(coups, bankroll=bankroll, goal=goal)
    if work > MAX_WORK:
        raise Refused(Code.BAD_AMOUNT, "session-too-large")
    final = played.final(coups)
    curve = played.ruin_curve(bankroll=bankroll, coups=coups, goal=goal)
    shown = _spread(range(1, coups + 1), POINTS)
    return {
        "coups": coups,
        "per_hour": per_hour,
        "stake": played.stake,
        "edge": percent_string(played.edge),
        "cost": round(played.cost(coups)),
        "hour": round(played.cost(per_hour)),
        "deviation": round(final.standard_deviation),
        "ahead": f"{final.ahead:.2%}",
        "even": f"{final.even:.2%}",
        "behind": f"{final.behind:.2%}",
        "quantiles": [[f"{q:.0%}", final.quantile(q)] for q in QUANTILES],
        "bars": _bars(final.values.tolist(), final.chances.tolist()),
        "curve": [
            [coup, float(curve.ruined[coup - 1]), float(curve.reached[coup - 1])] for coup in shown
        ],
        "ruined": f"{float(curve.ruined[-1]):.2%}",
        "reached": None if goal is None else f"{float(curve.reached[-1]):.2%}",
        "error": f"{max(final.error, curve.error):.0e}",
    }


def _spread(numbers: Sequence[int], most: int) -> Iterable[int]:
    """Return roughly `most` numbers from the list, evenly spread and including the last."""
    step = -(-len(numbers) // most)
    return sorted({*numbers[::step], numbers[-1]})


def _bars(values: Sequence[int], chances: Sequence[float]) -> list[list[float]]:
    """Return the bars of a histogram as [from, to, chance], without the least likely ends.

    A bar contains only losses or only wins; breaking even is its own bar, from 0 to 0.
    """
    low = _end(chances)
    high = len(values) - 1 - _end(chances[::-1])
    shown = range(low, max(low, high) + 1)
    width = max(1, -(-(values[shown[-1]] - values[shown[0]]) // BARS))
    bars: defaultdict[int, float] = defaultdict(float)
    for i in shown:
        value = values[i]
        away = -(-abs(value) // width)  # 0 for even, 1 for the first bar on either side
        bars[away if value > 0 else -away] += chances[i]
    every = range(min(bars), max(bars) + 1)
    return [[(n - (n > 0)) * width, (n + (n < 0)) * width, bars.get(n, 0.0)] for n in every]


def _end(chances: Sequence[float]) -> int:
    """Return how many leading values to leave out because together they are too unlikely."""
    sums = accumulate(chances)
    return next((i for i, below in enumerate(sums) if below >= UNLIKELY), 0)


# ---- posters -------------------------------------------------------------------------------------


@routes.get("/tables/{table}/poster", **download("application/pdf", response_class=Response))
async def poster(at: AtTable, request: Request, paper: Paper = "a4") -> Response:
    """Return the poster of a table as a PDF: the game as it is offered there (R52)."""
    at.site.charge(request, POSTER)
    house, plan, state = at.site.house, at.site.plan(at.table), await at.state()
    if not makes_pdfs():
        raise Problem(Fault.NOT_INSTALLED, "no-posters")
    plan = replace(plan, settings=replace(state.settings, rules=state.rules))
    about = (game_offered(house, plan), venue_of(house, plan), paper, at.t.language)
    made = await computed(request, poster_made, *about, keep=False)
    return Response(made, media_type="application/pdf")


def poster_made(game: Game, venue: Venue, paper: str, language: str) -> bytes:
    """Return a table's poster as a PDF."""
    from baccarat.poster.typeset import poster_pdf

    return poster_pdf(poster_of(game, venue=venue, language=language), paper=paper)
