"""Exact figures for whoever asks: every edge on a shoe from which cards are gone, and a session.

Computed by `baccarat.analysis` in processes of their own (`pool`). What is told is rounded here,
once; a page only draws it.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Annotated

from fastapi import Depends, Request
from pydantic import Field
from typing_extensions import TypedDict

from baccarat.analysis.edges import Analysis, analyse
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.cards import Card, parse_card
from baccarat.core.errors import BaccaratError
from baccarat.core.money import decimal_string, percent_string, ratio
from baccarat.core.rulecard import Game
from baccarat.core.wagers import Wager
from baccarat.core.words import odds_in_words
from baccarat.web.addresses import place_of
from baccarat.web.answers import Percent, Routes
from baccarat.web.bodies import Body, Short
from baccarat.web.games import computed, game_named
from baccarat.web.site import API, Anyone, Needs, Site, TheSite

routes = Routes(prefix=API, tags=["figures"], dependencies=[Depends(Needs(Anyone.EVERYBODY))])
MOST_COUPS = 1_000
MOST_COINS = 10**9
MOST_WORK = 2 * 10**9
"""Steps of a session computed here, at most: a few seconds, and less than half a gigabyte."""
POINTS, BARS = 160, 48
"""Points of a curve and bars of a picture, at most."""
UNLIKELY = 1e-4
"""What an end of a picture may leave out."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
Parameters = Annotated[dict[Short, Short], Field(max_length=20)]
Coins = Annotated[int, Field(ge=1, le=MOST_COINS)]


class ShoeBody(Body):
    """A game, and the cards that are gone: `{"K": 3, "Ah": 1}`."""

    game: Short
    parameters: Parameters = Field(default_factory=dict)
    removed: dict[Short, Annotated[int, Field(ge=0, le=2_000)]] = Field(
        default_factory=dict, max_length=65
    )


class StakeBody(Body):
    bet: Short
    stake: Coins


class SessionBody(Body):
    """The same wagers on every coup, and what the player brings."""

    game: Short
    parameters: Parameters = Field(default_factory=dict)
    wagers: list[StakeBody] = Field(min_length=1, max_length=20)
    coups: Annotated[int, Field(ge=1, le=MOST_COUPS)]
    per_hour: Annotated[int, Field(ge=1, le=500)] = 70
    bankroll: Coins
    stop_win: Coins | None = None


class BetNow(TypedDict):
    """A bet's figures, rounded; `millionths` are the edges of the full shoe and of this one."""

    id: str
    name: str
    pays: list[str]
    edge: Percent
    full: Percent
    moved: str
    hit: Percent
    deviation: str
    millionths: list[int]


class OddsTold(TypedDict):
    decks: int
    size: int
    left: int
    ranks: tuple[int, ...]
    bets: list[BetNow]


Bar = Annotated[list[float], Field(description="from, to, chance")]
Point = Annotated[list[float], Field(description="coup, chance of ruin, chance of the goal")]


class SessionFigures(TypedDict):
    """`error` is how far a chance may be off."""

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
    quantiles: Annotated[list[list[str | int]], Field(description="share, result in coins")]
    bars: list[Bar]
    curve: list[Point]
    ruined: Percent
    reached: Percent | None
    error: str


@routes.post("/odds")
async def odds(body: ShoeBody, request: Request, site: TheSite) -> OddsTold:
    """Every bet's edge with these cards gone, and how far it moved from the full shoe's."""
    game = _game(request, site, body.game, body.parameters)
    gone = tuple((parse_card(name), n) for name, n in sorted(body.removed.items()) if n)
    return await computed(request, shoe_figures, game, gone)


@routes.post("/sessions")
async def sessions(body: SessionBody, request: Request, site: TheSite) -> SessionFigures:
    """A session, exactly, coups being independent: result, ruin, cost."""
    game = _game(request, site, body.game, body.parameters)
    wagers = tuple(Wager(one.bet, one.stake) for one in body.wagers)
    limits = (body.coups, body.per_hour, body.bankroll, body.stop_win)
    return await computed(request, session_figures, game, wagers, *limits)


def _game(request: Request, site: Site, name: str, parameters: dict[str, str]) -> Game:
    site.figures.use(place_of(request))
    return game_with(game_named(site.service.house, name), tuple(sorted(parameters.items())))


@lru_cache(maxsize=128)
def game_with(game: Game, parameters: tuple[tuple[str, str], ...]) -> Game:
    """The game under other parameters; kept, so that what is computed of it is kept as well."""
    return game.card.game(dict(parameters))


@lru_cache(maxsize=512)
def shoe_figures(game: Game, gone: tuple[tuple[Card, int], ...]) -> OddsTold:
    """What is told of a shoe from which some cards are gone."""
    full = _full(game)
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
            for figures, before in zip(now, full, strict=True)
        ],
    }


@lru_cache(maxsize=128)
def _full(game: Game) -> Analysis:
    return analyse(game)


def _moved(by: Fraction) -> str:
    return f"{'+' if by > 0 else ''}{percent_string(by)}" if by else "–"


@lru_cache(maxsize=128)
def session_figures(
    game: Game,
    wagers: tuple[Wager, ...],
    coups: int,
    per_hour: int,
    bankroll: int,
    stop_win: int | None,
) -> SessionFigures:
    """What is told of a session; chances are float64 with their greatest error. BaccaratError for
    one that would take too long."""
    from baccarat.analysis.sessions import session  # numpy takes a while to load

    played = session(game, wagers)
    goal = None if stop_win is None else bankroll + stop_win
    work = played.work(coups, bankroll=bankroll, goal=goal)
    if work > MOST_WORK:
        raise BaccaratError(
            f"this session is {work / MOST_WORK:,.1f} times too large to be computed here: choose "
            "fewer coups, a smaller bankroll, or stakes that are multiples of a larger amount"
        )
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
        "ahead": _percent(final.ahead),
        "even": _percent(final.even),
        "behind": _percent(final.behind),
        "quantiles": [[f"{q:.0%}", final.quantile(q)] for q in QUANTILES],
        "bars": _bars(final.values.tolist(), final.chances.tolist()),
        "curve": [
            [coup, float(curve.ruined[coup - 1]), float(curve.reached[coup - 1])] for coup in shown
        ],
        "ruined": _percent(float(curve.ruined[-1])),
        "reached": None if goal is None else _percent(float(curve.reached[-1])),
        "error": f"{max(final.error, curve.error):.0e}",
    }


def _percent(chance: float) -> str:
    return f"{chance:.2%}"


def _spread(numbers: Sequence[int], most: int) -> Iterable[int]:
    """So many of them at most, evenly, the last one always."""
    step = -(-len(numbers) // most)
    return sorted({*numbers[::step], numbers[-1]})


def _bars(values: Sequence[int], chances: Sequence[float]) -> list[list[float]]:
    """[from, to, chance] of bars that hold all but the least likely ends.

    A bar is all losses or all wins: even stands alone, as a bar from 0 to 0.
    """
    low = _end(chances)
    high = len(values) - 1 - _end(chances[::-1])
    shown = range(low, max(low, high) + 1)
    width = max(1, -(-(values[shown[-1]] - values[shown[0]]) // BARS))
    bars: dict[int, float] = {}
    for i in shown:
        value = values[i]
        away = -(-abs(value) // width)  # 0 for even, 1 for the first bar on either side
        bars[away if value > 0 else -away] = bars.get(away if value > 0 else -away, 0) + chances[i]
    every = range(min(bars), max(bars) + 1)
    return [[(n - (n > 0)) * width, (n + (n < 0)) * width, bars.get(n, 0.0)] for n in every]


def _end(chances: Sequence[float]) -> int:
    """How many of the first are too unlikely, together, to be drawn."""
    sums = accumulate(chances)
    return next((i for i, below in enumerate(sums) if below >= UNLIKELY), 0)


def parameter_words(game: Game) -> list[dict[str, str]]:
    """The parameters of a game, for a form."""
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
