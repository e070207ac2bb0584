"""Tables: wagers, contributions, rounds and shoes.

The one rule: what is told is public or the visitor's own; `service.telling` says which.
"""

import json
import re
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request, Response
from pydantic_core import to_json

from baccarat.house import jobs
from baccarat.house.desk import table_stream
from baccarat.house.roles import Account, Action
from baccarat.service.feed import as_told, told_since
from baccarat.service.telling import Reader, frame, seen_by
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.canonical import to_plain
from baccarat.table.journal import Entry
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState
from baccarat.web.addresses import place_of
from baccarat.web.answers import JSON, Done, Routes
from baccarat.web.answers.tables import (
    Frame,
    MyWagers,
    RoundAgain,
    Rounds,
    ShoeDocument,
    ShoeNamed,
    Shoes,
    WagersTaken,
)
from baccarat.web.bodies import Commitment, Secret, WagersBody
from baccarat.web.etags import FOR_EVER, not_modified, tags_of
from baccarat.web.problems import Fault, Problem
from baccarat.web.shoes import BUILDING, answer, revealed_tag
from baccarat.web.site import (
    API,
    Anyone,
    Keyed,
    Needs,
    Number,
    Site,
    Table,
    TheSite,
    cost_of,
)

routes = Routes(prefix=API, tags=["tables"])
Visitor = Depends(Needs(Anyone.EVERYBODY))
SignedIn = Annotated[Account, Depends(Needs(Anyone.SIGNED_IN))]
Player = Annotated[Account, Depends(Needs(Action.WAGER))]
Contributor = Annotated[Account, Depends(Needs(Action.CONTRIBUTE))]
Before = Annotated[int | None, Query(ge=1, le=2**53, description="entries before this one")]
After = Annotated[int, Query(ge=0, le=2**53, description="entries after this one")]
Limit = Annotated[int, Query(ge=1, le=500)]
PRIVATE = "private, no-cache"
ROUND = 8
"""Points that it costs to find a round and to tell it (`Site.charge`)."""
MOST_TAGS = 4
"""Tags of a round that are looked up; a browser sends one."""
_TAG = re.compile(r'"(?P<sequence>\d{1,15})-(?P<hash>[0-9a-f]{64})-(?P<reader>[0-9a-f]{16})"')
Shoe = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="the shoe's id")]


@routes.get("/tables/{table}/wagers")
async def my_wagers(table: Table, site: TheSite, account: Player) -> MyWagers:
    """My wagers on the round."""
    site.plan(table)
    state = await state_of(site, table)
    current = state.round
    return {
        "sequence": state.sequence,
        "round": current.number,
        "phase": current.phase,
        "wagers": to_plain(current.placed(account.id).wagers),
        "agreed": dict(state.agreed(account.id)),
    }


@routes.put("/tables/{table}/wagers")
async def place_wagers(
    table: Table, body: WagersBody, site: TheSite, account: Player, keyed: Keyed
) -> WagersTaken:
    """Replace my wagers on the open round by these: placing, changing and withdrawing in one."""
    command = body.of(account.id)
    try:
        site.plan(table).check_seat(account)
        sent = f"{table} ".encode() + c.encode(command)
        sender = keyed.sender(account, sent)
        done = await site.do(
            jobs.at_table(
                table,
                command,
                site.clock,
                sender=sender,
                conduct=site.service.house.conduct,
                cleared_at=await site.register.cleared_at(account) if body.wagers else None,
            )
        )
    except Refused as error:
        site.metrics.wagers.labels(error.code).inc()
        raise
    site.metrics.wagers.labels("repeated" if done.repeated else "taken").inc()
    answer: Done = json.loads(done.answer)
    return {"round": body.round, "in": bool(body.wagers), "repeated": done.repeated, **answer}


@routes.post("/tables/{table}/contributions", status_code=201)
async def commit_contribution(
    table: Table, body: Commitment, request: Request, site: TheSite, account: Contributor
) -> Done:
    """Commit to a contribution to the new shoe: SHA-256 as docs/fairness.md has it."""
    site.contributions.use(account.id)
    if not site.doors.is_proxy(place_of(request)):
        site.contributions_from.use(place_of(request))
    site.plan(table).check_seat(account)
    commitment = bytes.fromhex(body.commitment)
    command = c.CommitContribution(account.id, account.name, commitment)
    done = await site.do(jobs.at_table(table, command, site.clock))
    answer: Done = json.loads(done.answer)
    return answer


@routes.put("/tables/{table}/contributions")
async def reveal_contribution(
    table: Table, body: Secret, site: TheSite, account: Contributor
) -> Done:
    """Reveal what I committed to."""
    site.contributions.use(account.id)
    site.plan(table).check_seat(account)
    command = c.RevealContribution(account.id, bytes.fromhex(body.secret))
    done = await site.do(jobs.at_table(table, command, site.clock))
    answer: Done = json.loads(done.answer)
    return answer


@routes.get("/tables/{table}/journal")
async def journal(
    table: Table,
    request: Request,
    site: TheSite,
    account: SignedIn,
    after: After = 0,
    limit: Limit = 100,
) -> Annotated[Response, Frame]:
    """What happened after an entry, in one frame, as the socket tells it."""
    site.charge(request, cost_of(limit))
    stream = site.stream(table)
    entries, head = await site.service.world.keeper.read(
        lambda store: (told_since(store, stream, after, limit), store.head(stream))
    )
    if after > head.sequence:
        words = f"after={after}: the journal ends with entry {head.sequence}, ask from there"
        raise Problem(Fault.MALFORMED, words)
    return Response(frame(Reader.of(account), after, entries), media_type=JSON)


@routes.get("/tables/{table}/rounds", dependencies=[Visitor])
async def rounds(
    table: Table, request: Request, site: TheSite, before: Before = None, limit: Limit = 100
) -> Rounds:
    """Results, newest first; `before` is the sequence of the last one seen.

    A round that was cancelled has no result: `void` says why.
    """
    site.charge(request, cost_of(limit))
    stream = site.stream(table)
    found: Any = await site.service.world.keeper.read(
        lambda store: history.results(store, stream, before=before, limit=limit)
    )
    return {"rounds": found}


@routes.get("/tables/{table}/rounds/{number}")
async def one_round(
    table: Table, number: Number, request: Request, site: TheSite, account: SignedIn
) -> Annotated[Response, RoundAgain]:
    """A round again, event by event as it was. Its tag is its last entry in the journal."""
    stream = site.stream(table)
    reader = sha256(f"{account.role} {account.id}".encode()).hexdigest()[:16]
    for tag in tags_of(request)[:MOST_TAGS]:
        found = _TAG.fullmatch(tag)
        if found is not None and found["reader"] == reader:
            last = int(found["sequence"])
            end = await site.service.world.keeper.read(
                lambda store, last=last: history.end_of_round(store, stream, number, last)  # type: ignore[misc]
            )
            if end is not None and end.hash.hex() == found["hash"]:
                return not_modified(tag, PRIVATE, vary="Cookie")
    site.charge(request, ROUND)
    entries = await site.service.world.keeper.read(
        lambda store: as_told(store, history.round_entries(store, stream, number))
    )
    if not entries:
        raise Problem(Fault.NO_SUCH_PAGE, f"there has been no round {number} at {table}")
    events = json.loads(seen_by(Reader.of(account), entries))
    again: RoundAgain = {"table": table, "round": number, "events": events}
    tag = f'"{entries[-1].sequence}-{entries[-1].entry.hash.hex()}-{reader}"'
    headers = {"ETag": tag, "Cache-Control": PRIVATE, "Vary": "Cookie"}
    return Response(to_json(again), headers=headers, media_type=JSON)


@routes.get("/tables/{table}/shoes", dependencies=[Visitor])
async def shoes(
    table: Table, request: Request, site: TheSite, before: Before = None, limit: Limit = 100
) -> Shoes:
    """Shoes that the table has committed to, newest first; `before` is the last sequence seen."""
    site.charge(request, cost_of(limit))
    stream = site.stream(table)
    kind = "ShoeCommitted"

    def newest(store: SqlStore) -> tuple[list[Entry], int]:
        found = history.newest_of(store, stream, kind, before=before, limit=limit)
        last = found[0].sequence if found else 0
        return found, history.count_of(store, stream, kind, through=last)

    entries, count = await site.service.world.keeper.read(newest)
    told: list[ShoeNamed] = []
    for place, entry in enumerate(entries):
        value = json.loads(entry.body)["value"]
        told.append(
            {
                "sequence": entry.sequence,
                "number": count - place,
                "shoe": value["shoe"],
                "commitment": value["commitment"],
            }
        )
    return {"shoes": told}


@routes.get("/shoes/{shoe}", dependencies=[Visitor])
async def one_shoe(
    shoe: Shoe, request: Request, site: TheSite
) -> Annotated[Response, ShoeDocument]:
    """A shoe's document, as far as it is public: what `baccarat verify` reads.

    Once revealed it never changes, and has a tag of its own (`ETag`).
    """
    documents = site.shoes
    tags = tags_of(request)  # "*" is not taken for one: the client need not have the document
    if revealed_tag(shoe) in tags and documents.is_revealed(shoe):
        return not_modified(revealed_tag(shoe), FOR_EVER)
    found = documents.known(shoe)
    if found is None:
        if tags != [""]:
            tag = await documents.tag_now(shoe)
            if tag is not None and tag in tags:
                return not_modified(tag, "no-cache")
        site.charge(request, BUILDING)
        found = await documents.of(shoe)
    if found is None:
        raise Problem(Fault.NO_SUCH_PAGE, f"there is no shoe {shoe}: see {API}/tables/…/shoes")
    return answer(request, found)


async def state_of(site: Site, table: str) -> TableState:
    """A table's state as of now."""
    stream = table_stream(table)
    state = await site.service.world.keeper.read(lambda store: store.state(stream))
    if state is None:
        raise Refused(Code.NO_SUCH_TABLE, f"{table} has not been opened yet: try again")
    return state
