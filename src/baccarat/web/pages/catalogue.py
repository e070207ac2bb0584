"""The page of published side bets: browse, sort and compare them, with a picture of each return.

The page needs no script. Choices are in its address: the family, the number of decks, the order,
and the bets to compare.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Response

from baccarat.core.money import decimal_string, percent_string
from baccarat.core.text import in_language
from baccarat.figures.published import Entry, Published, entries_of
from baccarat.loader import catalogue_cards, load
from baccarat.web.compute.pool import Pool
from baccarat.web.pages.pages import AnyPage
from baccarat.web.server.problems import Problem
from baccarat.web.server.site import Visitor
from baccarat.web.views.games import computed
from baccarat.wording.catalogue import DEFAULT
from baccarat.wording.rules import condition_in_words, odds_in_words

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
DECKS = 8
"""Number of decks that is shown first."""
SECONDS_BEFORE = 15
"""Seconds after the start of a server before the page is computed."""
MAX_COMPARED = 6
WIDTH = 240
"""Width of a picture, in units of its own."""
PALEST = Fraction(1, 4)
"""Opacity of the part of a return that comes from the smallest payout."""
Order = Literal["family", "name", "edge", "hit", "variance"]
Chosen = Annotated[list[Annotated[str, Query(max_length=130)]], Query(max_length=MAX_COMPARED)]


@dataclass(frozen=True)
class Segment:
    """The part of a bet's return that comes from one payout, as a rectangle of its picture."""

    x: float
    width: float
    opacity: float


@dataclass(frozen=True)
class ReturnPicture:
    """The return of a bet per unit staked as a bar, and the place where a fair bet would end."""

    segments: tuple[Segment, ...]
    end: float
    fair: float


@dataclass(frozen=True)
class BetRow:
    """A bet as the page shows it."""

    key: str
    """Identifies the bet and the reading of its rules in the page's address."""
    family: str
    name: str
    reading: str
    pays: str
    edge: str
    hit: str
    variance: str
    deviation: str
    returned: str
    lines: tuple[tuple[str, str], ...]
    """When the bet wins, and what it pays."""
    picture: ReturnPicture
    published: tuple[Published, ...]
    sort: dict[str, Fraction | str]
    """The value of each column by which rows can be sorted."""


@routes.get("/catalogue")
async def published_bets(
    page: AnyPage,
    decks: Annotated[int, Query(ge=1, le=8)] = DECKS,
    family: Annotated[str, Query(max_length=80)] = "",
    order: Order = "family",
    bet: Chosen = [],  # noqa: B006  (FastAPI copies it)
) -> Response:
    """Show the catalogue; cards are computed one at a time, so that other requests are served in
    between."""
    rows = [
        row
        for name in catalogue_cards()
        for row in await computed(page.request, rows_of, name, decks, page.t.language)
    ]
    chosen = [row for row in rows if row.key in bet]
    kept = {"decks": decks, "family": family, "bet": [row.key for row in chosen]}
    return await page.show(
        "catalogue.html",
        rows=sorted(
            (row for row in rows if family in ("", row.key.partition(":")[0])),
            key=lambda row: row.sort[order],
        ),
        families={row.key.partition(":")[0]: row.family for row in rows},
        chosen=chosen,
        width=WIDTH,
        decks=decks,
        family=family,
        order=order,
        orders={key: urlencode({**kept, "order": key}, doseq=True) for key in get_args(Order)},
        most=MAX_COMPARED,
    )


async def compute_ahead(pool: Pool) -> None:
    """Compute the page as most visitors see it, so that the first of them need not wait."""
    await asyncio.sleep(SECONDS_BEFORE)
    with contextlib.suppress(Problem):  # the page will compute what is missing
        for name in catalogue_cards():
            await pool.run("catalogue", rows_of, name, DECKS, DEFAULT)


def rows_of(card: str, decks: int, language: str) -> tuple[BetRow, ...]:
    """Return the rows of a card, computed in a worker process."""
    entries = in_language(tuple(entries_of(load(card), decks)), language)
    return tuple(bet_row(entry, language) for entry in entries)


def bet_row(entry: Entry, language: str) -> BetRow:
    """Return an entry as the page shows it."""
    figures, card = entry.figures, entry.card
    ambiguity, _, reading = entry.reading.partition("=")
    return BetRow(
        key=f"{card.id}:{entry.bet.id}:{reading}",
        family=card.name,
        name=entry.bet.name,
        reading=card.ambiguity(ambiguity).reading(reading).text if ambiguity else "",
        pays=entry.pays,
        edge=percent_string(figures.edge, 6),
        hit=percent_string(figures.hit),
        variance=decimal_string(figures.variance, 4),
        deviation=decimal_string(figures.standard_deviation(4), 4),
        returned=percent_string(figures.return_to_player),
        lines=tuple(
            (condition_in_words(line.when, language), odds_in_words(line.pays, language))
            for line in entry.bet.lines
        ),
        picture=return_picture(entry),
        published=entry.published,
        sort={
            "family": "",
            "name": entry.bet.name,
            "edge": figures.edge,
            "hit": -figures.hit,
            "variance": figures.variance,
        },
    )


def return_picture(entry: Entry) -> ReturnPicture:
    """Return the picture of a bet's return: smaller payouts first, larger ones darker."""
    figures = entry.figures
    scale = WIDTH / max(Fraction(1), figures.return_to_player)
    parts = [(1 + pay) * chance for pay, chance in figures.distribution if pay >= 0]
    step = (1 - PALEST) / max(1, len(parts) - 1)
    segments, x = [], Fraction(0)
    for place, part in enumerate(parts):
        opacity = PALEST + place * step if len(parts) > 1 else Fraction(1)
        segments.append(
            Segment(round(float(x * scale), 2), round(float(part * scale), 2), float(opacity))
        )
        x += part
    return ReturnPicture(tuple(segments), round(float(x * scale), 2), round(float(scale), 2))
