"""Pages for staff: the pit's floor and decisions, players, events, cashier, auditor and dealer.

They are rendered from the same views as the API's responses, and decide nothing; a script sends the
forms to the API. A desk is only for the role that works there; people with another role see why
they are refused. The auditor's desk has no form that changes anything.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from baccarat.core.cards import RANKS
from baccarat.core.misdeals import IrregularityKind
from baccarat.house.people.roles import Action, is_guest
from baccarat.house.safety.periods import DAY
from baccarat.house.table_plans import TablePlan
from baccarat.house.watch.audit_log import TOPICS
from baccarat.shoe.commitment import Source
from baccarat.store import bookings
from baccarat.store.sqlstore import SqlStore
from baccarat.table.four_eyes.terms import PaymentMethod
from baccarat.table.journal import TABLE_PREFIX
from baccarat.table.refusals import Refused
from baccarat.table.state import Resolution
from baccarat.web.pages.pages import Page, PageAccess
from baccarat.web.schema.players import Questions
from baccarat.web.schema.staff import Floor, MatterAtTable
from baccarat.web.server.site import Site, Stream, Table, TheSite, Visitor
from baccarat.web.views.agreements import agreements_at, in_words, player_of
from baccarat.web.views.audit import Filter, Topic, audit_of, newest, streams
from baccarat.web.views.cashier import cash_proposals, desk_of, found
from baccarat.web.views.dealer import console_of, preview_of
from baccarat.web.views.disputes import current_case, listed_in_house, questions_at
from baccarat.web.views.games import bet_names
from baccarat.web.views.money import balance_of
from baccarat.web.views.pit import floor_view
from baccarat.web.views.reports.play import play_of
from baccarat.web.views.safety import bonus_of, standing_of
from baccarat.wording.catalogue import Catalogue

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
ForPit = Annotated[Page, Depends(PageAccess(Action.PROTECT))]
ForWatch = Annotated[Page, Depends(PageAccess(Action.WATCH))]
ForCashier = Annotated[Page, Depends(PageAccess(Action.PAY))]
ForAuditor = Annotated[Page, Depends(PageAccess(Action.EXPORT))]
Who = Annotated[str, Query(pattern=r"^([a-z0-9][a-z0-9-]{0,39})?$")]
Part = Annotated[str, Query(max_length=40)]
Days = Annotated[int, Query(ge=1, le=2000)]
DAYS = (1, 7, 31, 366)
MAX_CASES = 50
"""Maximum disputes on a page, because each is replayed; the others follow once some are decided."""
MAX_ROWS = 500
"""Maximum events on a page; downloads contain all of them."""
ForDealers = Annotated[Page, Depends(PageAccess(Action.DEAL))]
ACTS = {
    "take-table": "m",
    "begin-shoe": "w",
    "burn": "u",
    "place-your-bets": "o",
    "no-more-bets": "n",
    "result": "r",
    "pay": "y",
    "re-enter": "z",
    "report": "e",
    "call-floor": "F2",
    "leave-table": "F4",
    "cut-card": "F8",
    "cancel": "F9",
}
"""Keys for a dealer's actions other than entering cards. They differ from the keys for cards, and
actions that cannot be undone have function keys, which lie apart from the others."""
ForFloor = Annotated[Page, Depends(PageAccess(Action.PAUSE))]
ForDeciders = Annotated[Page, Depends(PageAccess(Action.DECIDE))]
Asked = Annotated[str, Query(max_length=80, description="the table's id")]
WIDE, EDGE = 300, 14
"""Width of the drawing of a result, and the margin at its sides."""


@routes.get("/pit")
async def pit(site: TheSite, page: ForFloor) -> Response:
    """Show the tables, the day's figures, the alerts, and the buttons that pause tables."""
    view: Any = await floor_view(site, page.t)
    for table in view["tables"]:
        for kind in ("today", "guests"):
            figures = vars(table[kind])
            table[kind] = {**figures, "drawn": drawn(figures)}
    return await page.show(
        "pit.html",
        words=("acts", "pit"),
        data={"live": live(view)},
        view=view,
        pits=_by_pit(view["tables"]),
        matters=_matters(view["waiting"]),
    )


def _by_pit(tables: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the tables by pit, in the order of the house file."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for table in tables:
        found.setdefault(table["pit"], []).append(table)
    return found


@routes.get("/pit/decisions")
async def decisions(
    site: TheSite,
    page: ForDeciders,
    table: Asked = "",
    round: Annotated[int, Query(ge=0, le=2**53)] = 0,  # noqa: A002  (as the page's form calls it)
    cards: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Show what awaits a decision: proposals, disputes, agreements, errors and ambiguities.

    If a table, a round and cards are given, also show what settling the round again with these
    cards would change.
    """
    t, me = page.t, page.account.id
    view, questions = await floor_view(site, t), await _questions(site, t)
    disputes = [matter for matter in view["waiting"] if matter["kind"] == "dispute"]
    disputes.sort(  # play money comes last
        key=lambda dispute: (is_guest(str(dispute["player"])), dispute["at"])
    )
    asked: dict[Any, str] = {(one["table"], one["id"]): one["question"] for one in questions}
    return await page.show(
        "decisions.html",
        words=("acts",),
        view=view,
        matters=_matters(view["waiting"]),
        cases=[await _case(site, dispute, t) for dispute in disputes[:MAX_CASES]],
        more_cases=len(disputes[MAX_CASES:]),
        proposals=[
            {
                **matter,
                "about": matter["subject"]
                | {
                    "ambiguity": asked.get(
                        (matter["table"], matter["subject"].get("ambiguity")), name
                    )
                },
                "faces": _faces(matter),
                **await _moves(site, matter["table"], *_correction(matter), page),
            }
            for matter in sorted(view["waiting"], key=_urgency)
            if matter["kind"] == "proposal"
            for name in [str(matter["subject"].get("ambiguity", ""))]
        ],
        bets={plan.id: bet_names(site, plan.id, t) for plan in site.house.tables},
        suspected=[matter for matter in view["waiting"] if matter["kind"] == "partners"],
        errors=[
            await _error(site, reports, _asked(reports[0], table, round, cards), page)
            for reports in _by_round(view["waiting"])
        ],
        agreements=await _agreements(site, t),
        named=lambda values, one: ", ".join(in_words(values.items(), one["can_be_agreed"])),
        questions=questions,
        listed=(await listed_in_house(site))["ambiguities"],
        alone=site.house.decide_alone,
        day_alone=site.house.decide_day_alone,
        currency=site.house.currency,
        me=me,
    )


def _matters(waiting: Sequence[MatterAtTable]) -> list[MatterAtTable]:
    """Return what awaits a decision, each matter once.

    A dispute or error about which a proposal is listed is left out, and so are all but the first
    report of a round.
    """
    others = [matter for matter in waiting if matter["kind"] != "error"]
    errors = [reports[0] for reports in _by_round(waiting)]
    return [matter for matter in (*others, *errors) if not matter.get("proposed")]


def _by_round(waiting: Sequence[MatterAtTable]) -> list[list[MatterAtTable]]:
    """Return the reported errors, those in the same round together."""
    found: dict[tuple[str, int], list[MatterAtTable]] = {}
    for matter in waiting:
        if matter["kind"] == "error":
            found.setdefault((matter["table"], matter["round"]), []).append(matter)
    return list(found.values())


async def _error(
    site: Site, reports: Sequence[MatterAtTable], cards: str, page: Page
) -> dict[str, Any]:
    """Return the reports of a round, with what settling it again with these cards would change."""
    first = reports[0]
    return {
        **first,
        "reports": reports,
        "faces": " ".join(card.face() for card in first["cards"]),
        **await _moves(site, first["table"], first["round"], cards, page),
    }


def _urgency(matter: MatterAtTable) -> tuple[bool, int]:
    """Return a key that sorts proposals: first those that hold up a table, then by their end."""
    kind = matter.get("subject", {}).get("kind")
    return kind not in ("cancel", "rectify", "hand-over"), matter.get("until", 0)


def _faces(proposal: MatterAtTable) -> dict[str, str]:
    """Return the cards of a proposal's coup as text, before and after."""
    return {
        name: " ".join(
            card.face() for card in getattr(proposal["effect"], f"cards_{name}", ()) or ()
        )
        for name in ("before", "after")
    }


def _asked(error: MatterAtTable, table: str, number: int, cards: str) -> str:
    """Return the cards requested for a preview of this error's correction, or ""."""
    return cards.strip() if (error["table"], error["round"]) == (table, number) else ""


def _correction(proposal: MatterAtTable) -> tuple[int, str]:
    """Return the round and cards of a proposal to settle a round again; no cards for other
    proposals."""
    if proposal["terms"]["kind"] != "settle-again":
        return 0, ""
    return int(proposal["subject"]["round"]), " ".join(proposal["terms"]["cards"])


async def _moves(site: Site, table: str, number: int, cards: str, page: Page) -> dict[str, Any]:
    """Return what settling a round again would change, or why it would be refused."""
    shown: dict[str, Any] = {"asked": cards, "preview": None, "refused": None}
    if cards:
        try:
            by, t = page.account.id, page.t
            shown["preview"] = await preview_of(site, table, number, cards, by, t)
        except Refused as refused:
            shown["refused"] = refused.text(page.t, site.house.currency)
    return shown


def live(view: Floor) -> list[Any]:
    """Return the values that the page's script compares; if they change, it reloads the page."""
    stop = view["stop"]
    return [
        [(table["id"], table["paused"], table["frozen"]) for table in view["tables"]],
        [(alert["id"], alert["acknowledged"] is not None) for alert in view["alerts"]],
        [(note["id"], note["acknowledged"] is not None) for note in view["notes"]],
        len(view["waiting"]),
        stop and (stop["at"], stop["words"] is not None),
    ]


def drawn(figures: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the positions of a result and its bounds on a line, or None if there are no rounds."""
    if not figures["rounds"]:
        return None
    shown = {name: figures[name] for name in ("low", "high", "expected", "result")}
    least, room = min(shown.values()), WIDE - 2 * EDGE
    span = max(max(shown.values()) - least, 1)
    return {name: EDGE + int((coins - least) * room // span) for name, coins in shown.items()}


async def _case(site: Site, one: MatterAtTable, t: Catalogue) -> dict[str, Any]:
    case = await current_case(site, one["table"], one["round"], one["player"], t)
    return {**case, "name": one["name"]}


async def _agreements(site: Site, t: Catalogue) -> list[dict[str, Any]]:
    """Return the agreements at all tables; those that a player requests come first."""
    found = [
        {"name": plan.name, **agreement}
        for plan in site.house.tables
        for agreement in (await agreements_at(site, plan.id, t))["agreements"]
        if agreement["proposed"] or agreement["in_force"] or agreement["next"]
    ]
    return sorted(found, key=lambda one: (one["proposed"] or {"by": ""})["by"] != "player")


async def _questions(site: Site, t: Catalogue) -> list[dict[str, Any]]:
    found = []
    for plan in site.house.tables:
        questions = questions_at(await site.state(plan.id), t)
        found += [
            {
                **one,
                "table": plan.id,
                "name": plan.name,
                "texts": {reading["id"]: reading["text"] for reading in one["readings"]},
                "waits": questions["waits_for_second"].get(one["id"]),
                "resolved": _resolution(questions, one["id"]),
            }
            for one in questions["open"]
        ]
    return found


def _resolution(questions: Questions, question: str) -> Resolution | None:
    """Return the resolution of an ambiguity that applies from a later shoe, or None."""
    found = (one for one in questions["resolved"] if one.ambiguity == question)
    return next((one for one in found if one.card == questions["card"]), None)


@routes.get("/pit/players")
async def players(site: TheSite, page: ForPit, find: Part = "", who: Who = "") -> Response:
    """Show the pit a player's partners, bonus money, limits and exclusion."""
    player: dict[str, Any] = {}
    if who:
        account, read = await player_of(site, who), site.read
        safety = await read(SqlStore.safety, who)
        player = {
            "account": account,
            "wallet": await read(balance_of, who),
            "play": await standing_of(site, account, page.t, to_staff=True),
            "bonus": await read(bonus_of, who),
            "bonus_in_play": (await read(SqlStore.position, who, site.clock())).staked_bonus,
            "played": await read(play_of, who, site.house.conduct, site.clock()),
            "partners": safety.partners,
            "apart": safety.apart,
        }
    listed = await found(site, find) if find.strip() else []
    return await page.show(
        "players.html",
        words=("acts",),
        one=player,
        find=find,
        found=listed,
    )


@routes.get("/events")
async def events(
    site: TheSite, page: ForWatch, topic: Topic = None, stream: Stream = None, days: Days = 1
) -> Response:
    """Show significant events (G23) to the pit and the auditor."""
    since = site.clock() - days * DAY
    return await page.show(
        "events.html",
        rows=await newest(site, Filter(topic, stream, since), MAX_ROWS, page.t),
        most=MAX_ROWS,
        topics=TOPICS,
        streams=streams(site, None),
        chosen={"topic": topic or "", "stream": stream or "", "days": days},
        days=DAYS,
        query="&".join(
            f"{name}={value}"
            for name, value in (("topic", topic), ("stream", stream), ("since", since))
            if value is not None
        ),
    )


@routes.get("/cashier")
async def cashier(site: TheSite, page: ForCashier, find: Part = "", who: Who = "") -> Response:
    """Show the cashier's desk, for finding players and paying in and out."""
    return await page.show(
        "cashier.html",
        words=("acts",),
        find=find,
        found=await found(site, find) if find.strip() else [],
        one=await desk_of(site, who, page.t) if who else None,
        methods=list(PaymentMethod),
        waiting=await cash_proposals(site, page.t),
        alone=site.house.cash_alone,
        me=page.account.id,
    )


@routes.get("/auditor")
async def auditor(
    site: TheSite,
    page: ForAuditor,
    check: Annotated[bool, Query()] = False,  # noqa: FBT002
) -> Response:
    """Show journals and their heads, the ledger's sum, the audit, and downloads."""
    read = site.read
    balances = dict(await read(SqlStore.balances))
    return await page.show(
        "auditor.html",
        heads=await read(SqlStore.heads),
        total=await read(bookings.ledger_sum),
        house_accounts={a: n for a, n in sorted(balances.items()) if a.startswith("house/")},
        at_tables={a: n for a, n in sorted(balances.items()) if a.startswith(TABLE_PREFIX) and n},
        with_players=sum(n for a, n in balances.items() if a.startswith("player:")),
        report=await audit_of(site) if check else None,
    )


@routes.get("/dealer")
async def tables(site: TheSite, page: ForDealers) -> Response:
    found = [await _short(site, plan) for plan in site.house.tables]
    return await page.show("dealer-tables.html", tables=[*filter(None, found)])


@routes.get("/practice")
async def practice(page: ForDealers) -> Response:
    """Show coups with planted errors to dealers who practise; nothing is recorded."""
    data = {"seed": secrets.token_hex(8)}
    kinds = list(IrregularityKind)
    return await page.show("practice.html", words=("practice", "cards"), data=data, kinds=kinds)


@routes.get("/dealer/{table}")
async def console(table: Table, site: TheSite, page: ForDealers) -> Response:
    plan = site.plan(table)
    now = await console_of(site, plan.id, page.account, page.t)
    return await page.show(
        "dealer.html",
        words=("dealer", "cards"),
        data={
            "table": plan.id,
            "console": now,
            "acts": ACTS,
            "bets": bet_names(site, plan.id, page.t),
        },
        plan=plan,
        acts=ACTS,
        ranks=RANKS,
    )


async def _short(site: Site, plan: TablePlan) -> dict[str, Any] | None:
    """Return a table's entry in the list of tables with dealers; None if the server deals it."""
    state = await site.state(plan.id)
    if not (state.by_hand or plan.settings.source is Source.CARDS):
        return None
    dealer = await site.visitors.name_of(state.manual.dealer)
    return {"id": plan.id, "name": plan.name, "dealer": dealer}
