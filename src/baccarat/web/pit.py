"""The floor as the pit sees it: every table at a glance, results against theory, what waits.

One answer has all of it, in figures and in words. The one rule: nothing is decided here; what waits
for a person says where it is decided.
"""

import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import Depends

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.core.money import format_coins, percent_string
from baccarat.house.desk import table_stream
from baccarat.house.events import STREAM, decode_house
from baccarat.house.housefile import House, TablePlan
from baccarat.house.periods import Period, start_of
from baccarat.house.roles import Action
from baccarat.house.safety import is_excluded
from baccarat.house.significant import KINDS, who
from baccarat.house.takings import Taking
from baccarat.service.lookout import decided
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.agreements import in_words
from baccarat.table.conduct import in_doubt, irregular
from baccarat.table.events import CancelReason
from baccarat.table.state import TableState
from baccarat.table.twopeople import LASTS, Proposal, Proposals
from baccarat.table.twopeople import after as after_event
from baccarat.web.answers import Routes
from baccarat.web.answers.staff import (
    Alert,
    AlertAtTable,
    Effect,
    Figures,
    Floor,
    Matter,
    MatterAtTable,
    ShoeSize,
    TableOnFloor,
    Voided,
)
from baccarat.web.proposals import effect_at_table, effect_in_house
from baccarat.web.site import API, Needs, Site, TheSite
from baccarat.web.tables import state_of
from baccarat.web.views import layout_at

routes = Routes(prefix=API, tags=["the pit"])
PAUSES = 100
"""Newest ones that are looked through for the reason of one that holds."""
SHARED_BROWSERS = 200
"""Newest sign-ins with a shared browser that are shown while nobody has decided."""
MONEY = {"MoneyPaidIn": "paid_in", "MoneyPaidOut": "paid_out"}
VOIDED = {"pay-in": "paid_in", "pay-out": "paid_out"}
MOST_OF_A_KIND = 50
"""Newest events of a kind that the pit is alerted to; all are in the audit log."""


@routes.get("/pit", dependencies=[Depends(Needs(Action.WATCH))])
async def floor(site: TheSite) -> Floor:
    """Every table with its figures of the day, alerts, and all that waits for a decision."""
    return await floor_view(site)


async def floor_view(site: Site) -> Floor:
    now, house = site.clock(), site.service.house
    since = start_of(Period.DAY, now, house.conduct.zone)
    tables: list[TableOnFloor] = []
    alerts: list[AlertAtTable] = []
    waiting: list[MatterAtTable] = []
    for plan in house.tables:
        state = await state_of(site, plan.id)
        told = await _table(site, plan, state, since)
        tables.append(told)
        found = _alerts(told, state)
        found += await site.service.world.keeper.read(partial(_pauses, state=state))
        found += await site.service.world.keeper.read(
            partial(_large_wins, table=plan.id, since=since)
        )
        alerts += [{"table": plan.id, "name": plan.name, **one} for one in found]
        open_matters = _waiting(state, now) + await _suspected(site, state)
        waiting += [{"table": plan.id, "name": plan.name, **one} for one in open_matters]
    waiting += await site.service.world.keeper.read(lambda store: _of_house(store, house, now))
    waiting += await site.service.world.keeper.read(lambda store: _one_browser(store, house, now))
    alerts += [
        {
            "table": table,
            "name": site.tables[table],
            "kind": "sealed-off",
            "words": "The key does not open the shoe here, and the table stands still: start the "
            "servers with the key that it was sealed under; what else can be done is in the "
            "operator's handbook, under “The key is lost”.",
        }
        for table in site.service.sealed_off
    ]
    alerts += [
        {
            "table": one.table,
            "name": site.tables[one.table],
            "kind": "held",
            "words": f"Round {one.round} held {format_coins(one.coins)} when the server was "
            "started; it was finished, or its stakes went back.",
        }
        for one in site.service.held
    ]
    cash, large = await site.service.world.keeper.read(lambda store: _cash(store, since))
    large += await site.service.world.keeper.read(lambda store: _excluded(store, since))
    alerts += [{"table": "", "name": house.name, **one} for one in large]
    return {
        "now": now,
        "since": since,
        "currency": house.currency,
        "once_in": house.result_alarm,
        "house": {
            "paid_in": cash["paid_in"],
            "paid_out": cash["paid_out"],
            "turnover": sum(one["today"]["turnover"] for one in tables),
            "result": sum(one["today"]["result"] for one in tables),
        },
        "tables": tables,
        "alerts": alerts,
        "waiting": waiting,
        "reasons": list(CancelReason),
        "words": bounds_in_words(house.result_alarm),
    }


def bounds_in_words(once_in: int) -> str:
    return (
        "Expected: the stakes actually taken, each at the exact edge of its bet. Bounds: an honest "
        f"table's result lies outside them at one look in {once_in:,} at most (Bernstein's "
        "inequality on the exact variance of these wagers, and the largest round among them)."
    )


async def _table(site: Site, plan: TablePlan, state: TableState, since: int) -> TableOnFloor:
    takings = await site.service.today.of(plan.id, site.clock())
    once_in = site.service.house.result_alarm
    read = site.service.world.keeper.read
    layout, current = await layout_at(state), state.round
    return {
        "id": plan.id,
        "name": plan.name,
        "game": layout["card"],
        "by_hand": state.by_hand,
        "dealer": await _name(site, state.floor.dealer) if state.floor.dealer else None,
        "driven_by": None if state.by_hand else state.holder or None,
        "paused": state.paused,
        "house_paused": state.house_paused,
        "phase": current.phase,
        "round": current.number,
        "players": len(current.wagers),
        "staked": sum(placed.staked for placed in current.wagers.values()),
        "shoe": _shoe(state),
        "dealers": [
            {
                "dealer": one,
                "name": await _name(site, one),
                "rounds": takings.dealt[one],
                "errors": takings.errors[one],
            }
            for one in sorted({*takings.dealt, *takings.errors})
        ],
        "today": await read(lambda _: _figures(takings.players, once_in)),
        "guests": await read(lambda _: _figures(takings.guests, once_in)),
        "voids": await read(partial(_voids, table=plan.id, since=since)),
    }


async def _name(site: Site, who: str) -> str:
    account = await site.account(who)
    return account.name if account else who


def _voids(store: SqlStore, table: str, since: int) -> list[Voided]:
    """Rounds of the day that have no result, newest first: why, and who said so."""
    stream = f"table:{table}"
    after = history.first_since(store, stream, since) - 1
    entries = history.newest_of(
        store, stream, "RoundCancelled", before=None, limit=None, after=after
    )
    values = (json.loads(entry.body)["value"] for entry in entries)
    words = KINDS["RoundCancelled"].words
    return [{"at": one["at"], "who": who(one), "words": words(one)} for one in values]


def _figures(taking: Taking, once_in: int) -> Figures:
    """The first look at a new card counts coups: it is asked in a reader's thread."""
    bounds = taking.bounds(once_in)
    return {
        "rounds": taking.rounds,
        "turnover": taking.turnover,
        "result": taking.result,
        "hold": percent_string(taking.hold, 2) if taking.turnover else None,
        "expected": round(bounds.expected),
        "deviation": bounds.deviation,
        "low": bounds.low,
        "high": bounds.high,
        "outside": not bounds.holds(taking.result),
        "disputes": taking.disputes,
    }


def _shoe(state: TableState) -> ShoeSize | None:
    """How far it has been dealt."""
    if state.shoe is not None:
        progress = state.shoe.progress
        return {"size": progress.size, "left": progress.left, "cut_card": progress.cut_card_out}
    shoe = state.floor.shoe
    if shoe is None:
        return None
    size = shoe.decks * DECK_SIZE
    return {"size": size, "left": shoe.left, "cut_card": shoe.cut_card_out}


def _cash(store: SqlStore, since: int) -> tuple[dict[str, int], list[Alert]]:
    """What came in and went out at the cashier's, less what was voided; and what was large."""
    sums = Counter(dict.fromkeys(MONEY.values(), 0))
    large: list[Alert] = []
    after = history.first_since(store, STREAM, since) - 1
    for event in history.events_of(store, STREAM, *MONEY, "CashVoided", after=after):
        value = event["value"]
        if event["type"] == "CashVoided":
            sums[VOIDED[value["paid"]]] -= value["amount"]
        else:
            sums[MONEY[event["type"]]] += value["amount"]
        if value.get("first"):  # above the house's amount, so two people handled it
            words = KINDS[event["type"]].words(value)
            large.append({"kind": "cash", "words": f"{words} ({who(value)})"})
    return dict(sums), large[: -MOST_OF_A_KIND - 1 : -1]


def _large_wins(store: SqlStore, table: str, since: int) -> list[Alert]:
    """Large wins of the day, newest first."""
    found = _newest_today(store, table_stream(table), "LargeWinPaid", since)
    words = KINDS["LargeWinPaid"].words
    return [{"kind": "large-win", "words": words(one)} for one in found]


def _excluded(store: SqlStore, since: int) -> list[Alert]:
    """Players who excluded themselves today with bets on a round, newest first."""
    found = _newest_today(store, STREAM, "PlayerExcluded", since)
    words = KINDS["PlayerExcluded"].words
    return [{"kind": "excluded", "words": words(one)} for one in found if one.get("staked")]


def _newest_today(store: SqlStore, stream: str, kind: str, since: int) -> list[dict[str, Any]]:
    after = history.first_since(store, stream, since) - 1
    entries = history.newest_of(store, stream, kind, before=None, limit=MOST_OF_A_KIND, after=after)
    return [json.loads(entry.body)["value"] for entry in entries]


def _proposal(subject: str, one: Proposal, effect: Effect | None) -> Matter:
    return {
        "effect": effect,
        "proposal": one.digest,
        "kind": "proposal",
        "subject": subject,
        "terms": one.terms,
        "words": one.words,
        "by": one.by,
        "until": one.until,
    }


def standing(store: SqlStore, now: int) -> Proposals:
    """What waits for a second person in the house's own journal."""
    found: Proposals = {}
    after = history.first_since(store, STREAM, now - LASTS) - 1
    for entry in history.entries_of(store, STREAM, "ActionProposed", "ProposalEnded", after=after):
        found = after_event(found, decode_house(entry.body))
    return {subject: one for subject, one in found.items() if now < one.until}


def _of_house(store: SqlStore, house: House, now: int) -> list[MatterAtTable]:
    """What waits for a second person and is no table's."""
    return [
        {
            "table": "",
            "name": house.name,
            **_proposal(subject, one, effect_in_house(store, subject, one, house.conduct, now)),
        }
        for subject, one in standing(store, now).items()
    ]


def _one_browser(store: SqlStore, house: House, now: int) -> list[MatterAtTable]:
    """Players who signed in with the same browser, and about whom nobody has decided."""
    found: list[MatterAtTable] = []
    for entry in history.newest_of(
        store, STREAM, "BrowserShared", before=None, limit=SHARED_BROWSERS
    ):
        value = json.loads(entry.body)["value"]
        player = value["account"]
        others = [one for one in value["others"] if not decided(store, (player, one))]
        if not others:
            continue
        words = f"{player} signed in with a browser in which {', '.join(others)} had signed in."
        for one in (player, *others):
            safety = store.safety(one)
            if is_excluded(safety, now) or now < safety.break_until:
                words += f" {one} is excluded or on a break: if it is one person, link them."
        matter: Matter = {"kind": "partners", "words": words, "at": value["at"]}
        found.append({"table": "", "name": house.name, **matter, "players": [player, *others]})
    return found


def _alerts(told: TableOnFloor, state: TableState) -> list[Alert]:
    """What somebody should look at, in words."""
    found: list[Alert] = []
    for one, whose in ((told["today"], ""), (told["guests"], " with guests")):
        if one["outside"]:
            found.append(
                {
                    "kind": "result",
                    "words": f"Today's result{whose} of {format_coins(one['result'])} is outside "
                    f"{format_coins(one['low'])} to {format_coins(one['high'])}: "
                    f"{format_coins(one['expected'])} was expected of these wagers.",
                }
            )
    found += [
        {"kind": "irregular", "words": f"Round {state.round.number}: {one.words}."}
        for one in (*in_doubt(state), *irregular(state))
    ]
    shoe = state.floor.shoe
    if shoe is not None and shoe.alarm:
        found.append({"kind": "shoe", "words": f"The shoe has raised an alarm: {shoe.alarm}."})
    return found


def _pauses(store: SqlStore, state: TableState) -> list[Alert]:
    """Why nobody plays here: the newest pause of the table by itself, and that of the house."""
    if not state.paused:
        return []
    newest = history.newest_of(
        store, table_stream(state.table), "TablePaused", before=None, limit=PAUSES
    )
    values = [json.loads(entry.body)["value"] for entry in newest]
    kinds = {
        "The whole house is paused": (state.house_paused, True),
        "The table is paused": (state.itself_paused, False),
    }
    return [
        {"kind": "paused", "words": ": ".join([words, *_reason(values, house=house)])}
        for words, (holds, house) in kinds.items()
        if holds
    ]


def _reason(pauses: Sequence[dict[str, Any]], *, house: bool) -> list[str]:
    return [one["reason"] for one in pauses if one.get("house", False) is house][:1]


async def _suspected(site: Site, state: TableState) -> list[Matter]:
    """Groups in step that nobody has decided about yet."""
    known = [one for one in state.notices if one.players]
    read = site.service.world.keeper.read
    return [
        {"kind": "partners", "players": list(one.players), "at": one.at, "words": one.words}
        for one in known
        if not await read(lambda store, one=one: decided(store, one.players))  # type: ignore[misc]
    ]


def told_of(state: TableState, number: int) -> Sequence[Card]:
    """The cards of a round, in the order in which they were told."""
    past = state.floor.round(number)
    if past is not None:
        return past.cards
    return [card for _, card in state.round.cards] if state.round.number == number else ()


def _waiting(state: TableState, now: int) -> list[Matter]:
    """What waits for a person of the pit."""
    found = [
        _proposal(subject, one, effect_at_table(state, subject, one, now))
        for subject, one in state.proposals.items()
        if now < one.until
    ]
    found += [
        {
            "kind": "dispute",
            "round": one.round,
            "player": one.player,
            "at": one.at,
            "words": one.words,
        }
        for one in sorted(state.appeals.disputes.values(), key=lambda one: one.at)
        if not one.decided
    ]
    found += [
        {
            "kind": "error",
            "round": one.round,
            "by": one.by,
            "words": one.words,
            "cards": [str(card) for card in told_of(state, one.round)],
        }
        for one in state.floor.reports
    ]
    found += [
        {
            "kind": "agreement",
            "player": player,
            "values": dict(one.proposed),
            "words": in_words(one.proposed),
        }
        for player, one in state.agreements.items()
        if one.proposed and one.proposed_by == player
    ]
    return found
