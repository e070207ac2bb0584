"""The pit's pages: the floor at a glance, what waits for a decision.

They are rendered from the very answers that programs get; forms speak with the API by a script. The
one rule: a page of the staff is for those whose role may do what it is for, and says so to others.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from baccarat.core.cards import parse_card
from baccarat.house.roles import Action, check_may
from baccarat.table.appeals import Resolution
from baccarat.table.refusals import Refused
from baccarat.table.remedies import NO_ERROR
from baccarat.table.twopeople import LIMITS
from baccarat.web.agreements import everyones
from baccarat.web.answers.players import Questions
from baccarat.web.answers.staff import Floor, MatterAtTable
from baccarat.web.dealing import preview_of
from baccarat.web.disputes import ambiguities, one_dispute
from baccarat.web.pages.account import to_sign_in
from baccarat.web.pages.pages import SeenBy, show
from baccarat.web.pit import floor_view
from baccarat.web.site import Anyone, Needs, Site, TheSite

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)
Asked = Annotated[str, Query(max_length=80, description="the table's id")]
WIDE, EDGE = 300, 14
"""Of the drawing of a result, and what is left free at its sides."""


@routes.get("/pit")
async def pit(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    """Tables, figures of the day, alerts, the kill switch."""
    if viewer is None:
        return to_sign_in(request)
    check_may(viewer.account, Action.PAUSE)
    view: Any = await floor_view(site)
    for table in view["tables"]:
        for kind in ("today", "guests"):
            table[kind]["drawn"] = drawn(table[kind])
    return await show(
        request,
        "pit.html",
        viewer,
        words=("acts", "pit"),
        data={"live": live(view)},
        view=view,
    )


@routes.get("/pit/decisions")
async def decisions(
    request: Request,
    site: TheSite,
    viewer: SeenBy,
    table: Asked = "",
    round: Annotated[int, Query(ge=0, le=2**53)] = 0,  # noqa: A002  (as the page's form calls it)
    cards: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """What waits for a second person; disputes, agreements, errors, open questions.

    With a table, a round and cards: what settling it again by these cards would move.
    """
    if viewer is None:
        return to_sign_in(request)
    check_may(viewer.account, Action.DECIDE)
    view, questions, me = await floor_view(site), await _questions(site), viewer.account.id
    return await show(
        request,
        "decisions.html",
        viewer,
        words=("acts",),
        view=view,
        cases=[await _case(site, one) for one in view["waiting"] if one["kind"] == "dispute"],
        proposals=[
            {
                **one,
                "settings": _settings(one),
                "faces": _faces(one),
                **await _moves(site, one["table"], *_correction(one), me),
            }
            for one in view["waiting"]
            if one["kind"] == "proposal"
        ],
        suspected=[one for one in view["waiting"] if one["kind"] == "partners"],
        errors=[
            {
                **one,
                "faces": " ".join(card.face() for card in map(parse_card, one["cards"])),
                **await _moves(site, table, round, _asked(one, table, round, cards), me),
            }
            for one in view["waiting"]
            if one["kind"] == "error"
        ],
        agreements=await _agreements(site),
        questions=questions,
        asked={(one["table"], one["id"]): one["question"] for one in questions},
        alone=site.service.house.decide_alone,
        me=me,
    )


def _faces(proposal: MatterAtTable) -> dict[str, str]:
    """The cards of a proposal's coup as people read them, before and after."""
    effect: Mapping[str, Any] = proposal["effect"] or {}
    return {
        name: " ".join(parse_card(card).face() for card in effect.get(f"cards_{name}") or ())
        for name in ("before", "after")
    }


def _settings(proposal: MatterAtTable) -> dict[str, Any]:
    """The clock and limits of a proposal to change a table's limits; none for any other."""
    if proposal["subject"] != LIMITS:
        return {}
    terms: dict[str, Any] = json.loads(proposal["terms"])
    return {name: terms[name] for name in ("clock", "limits") if terms[name] is not None}


def _asked(error: MatterAtTable, table: str, number: int, cards: str) -> str:
    """The cards that somebody wants to see this error settled by."""
    return cards.strip() if (error["table"], error["round"]) == (table, number) else ""


def _correction(proposal: MatterAtTable) -> tuple[int, str]:
    """The round and the cards of a proposal to settle a round again; no cards for any other."""
    what, *about = proposal["subject"].split(" ")
    cards = proposal["terms"].partition(":")[0]
    return (int(about[0]), cards) if what == "correct" and cards != NO_ERROR else (0, "")


async def _moves(site: Site, table: str, number: int, cards: str, me: str) -> dict[str, Any]:
    """What settling a round again would move, or why it would be refused."""
    told: dict[str, Any] = {"asked": cards, "preview": None, "refused": None}
    if cards:
        try:
            told["preview"] = await preview_of(site, table, number, cards, me)
        except Refused as refused:
            told["refused"] = str(refused)
    return told


def live(view: Floor) -> dict[str, Any]:
    """What the page's script compares: when it has changed, the page is loaded anew."""
    return {
        "tables": {one["id"]: one["paused"] for one in view["tables"]},
        "alerts": [one["words"] for one in view["alerts"] if one["kind"] != "result"],
        "waiting": len(view["waiting"]),
    }


def drawn(figures: Mapping[str, Any]) -> dict[str, int] | None:
    """Where a result lies between its bounds, as places on a line."""
    if not figures["rounds"]:
        return None
    names = ("low", "high", "expected", "result")
    least, most = min(figures[n] for n in names), max(figures[n] for n in names)
    span = max(most - least, 1)

    def place(coins: int) -> int:
        return EDGE + int((coins - least) * (WIDE - 2 * EDGE) // span)

    return {name: place(figures[name]) for name in names}


async def _case(site: Site, one: MatterAtTable) -> dict[str, Any]:
    told = await one_dispute(one["table"], one["round"], one["player"], site)
    return {**told, "name": one["name"]}


async def _agreements(site: Site) -> list[dict[str, Any]]:
    found = []
    for plan in site.service.house.tables:
        told = await everyones(plan.id, site)
        found += [{"name": plan.name, **one} for one in told["agreements"]]
    return [one for one in found if one["proposed"] or one["in_force"] or one["next"]]


async def _questions(site: Site) -> list[dict[str, Any]]:
    found = []
    for plan in site.service.house.tables:
        told = await ambiguities(plan.id, site)
        found += [
            {
                **one,
                "table": plan.id,
                "name": plan.name,
                "texts": {reading["id"]: reading["text"] for reading in one["readings"]},
                "waits": told["waits_for_second"].get(one["id"]),
                "resolved": _resolution(told, one["id"]),
            }
            for one in told["open"]
        ]
    return found


def _resolution(told: Questions, question: str) -> Resolution | None:
    """How a question that the rules in force leave open has been resolved for later."""
    found = (one for one in told["resolved"] if one.ambiguity == question)
    return next((one for one in found if one.card == told["card"]), None)
