"""Endpoints for tables: wagers, contributions, rounds and shoes.

Responses contain only public data and the visitor's own data (`service.visibility`).
"""

import re
from hashlib import sha256
from typing import Annotated

import msgspec
from fastapi import Depends, Path, Query, Request, Response
from pydantic import Field

from baccarat.house.desk import Protection, WagerDesk
from baccarat.house.money.bonus import GroupWagers
from baccarat.house.money.wallets import Wallet
from baccarat.house.people.roles import Account, Action
from baccarat.house.safety.profiles import Conduct
from baccarat.service.feed import texts_of, texts_since
from baccarat.service.public_view import roads
from baccarat.service.visibility import EntryTexts, Reader, frame, seen_by
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.codec import encode
from baccarat.table.events import ShoeCommitted, decode
from baccarat.table.journal import Entry
from baccarat.table.state import TableState
from baccarat.web.api import bets
from baccarat.web.api.bets import Bet, command_of
from baccarat.web.schema import JSON, Done, Routes, filled
from baccarat.web.schema import tables as t
from baccarat.web.schema.players import Mine, Trial
from baccarat.web.schema.requests import Commitment, OpenRound, Secret, WagersBody
from baccarat.web.server.etags import FOR_EVER, not_modified, tags_of
from baccarat.web.server.guard import place_of
from baccarat.web.server.language import Words
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import API, Anyone, AtTable, Keyed, Needs, Number, Table, TheSite
from baccarat.web.views.money import balance_of
from baccarat.web.views.shoes import BUILDING, revealed_tag
from baccarat.web.views.tables import board_view, lobby_view, mine_of, view_of

routes = Routes(prefix=API, tags=["tables"])
Visitor = Depends(Needs(Anyone.EVERYBODY))
SignedIn = Annotated[Account, Depends(Needs(Anyone.SIGNED_IN))]
Player = Annotated[Account, Depends(Needs(Action.WAGER))]
Owner = Annotated[Account, Depends(Needs(Action.SEE_OWN_MONEY))]
Before = Annotated[int | None, Query(ge=1, le=2**53, description="entries before this one")]
Limit = Annotated[int, Query(ge=1, le=500)]
Contributor = Annotated[Account, Depends(Needs(Action.CONTRIBUTE))]
After = Annotated[int, Query(ge=0, le=2**53, description="entries after this one")]
BoardTables = Annotated[
    tuple[Annotated[str, Field(max_length=80)], ...],
    Query(max_length=100, description="ids of tables; all tables by default"),
]
PRIVATE = "private, no-cache"
ROUND = 8
"""Cost of finding and sending a round, in points (`Site.charge`)."""
TRIAL = 20
"""Cost of checking wagers without placing them, in points (`Site.charge`)."""
MAX_TAGS = 4
"""Maximum entity tags that are checked in a request for a round; a browser sends one."""
_TAG = re.compile(r'"(?P<sequence>\d{1,15})-(?P<hash>[0-9a-f]{64})-(?P<reader>[0-9a-f]{16})"')
Shoe = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="the shoe's id")]


@routes.get("/tables", dependencies=[Visitor])
async def tables(site: TheSite, words: Words, request: Request) -> t.Tables:
    """List the tables, each with its game, limits, state and big road. Until a shoe has had ten
    coups, the road is that of the last shoe."""
    session = site.visitors.session_of(request)
    return await lobby_view(site, words.language, session.account if session else "")


@routes.get("/board", dependencies=[Visitor])
async def board(site: TheSite, words: Words, table: BoardTables = ()) -> t.Board:
    """Return what a display board shows of some tables, or of all: results, roads, limits and
    shoes, but nobody's bets or money."""
    return await board_view(site, table, words)


@routes.get("/tables/{table}", dependencies=[Visitor])
async def one_table(at: AtTable, request: Request) -> t.TableDetails:
    """Return a table's full state, with the odds agreed with the signed-in player, if any."""
    session = at.site.visitors.session_of(request)
    account = session.account if session else ""
    return await view_of(at.site, at.site.plan(at.table), account, at.t.language)


@routes.get("/tables/{table}/roads", dependencies=[Visitor])
async def table_roads(table: Table, site: TheSite) -> t.RoadsView:
    """Return the roads of the current shoe as positions to draw."""
    state = await site.state(site.plan(table).id)
    drawn = roads(state.display.results)
    return {"now": site.clock(), "sequence": state.sequence, "roads": drawn}


@routes.get("/tables/{table}/mine")
async def my_table(table: Table, site: TheSite, account: Owner) -> Mine:
    """Return the player's wagers at a table, their balances, and their result in this sitting."""
    return await mine_of(site, table, account)


@routes.get("/tables/{table}/wagers")
async def my_wagers(table: Table, site: TheSite, account: Player) -> t.MyWagers:
    """Return the player's wagers on the current round."""
    site.plan(table)
    state = await site.state(table)
    return {
        "sequence": state.sequence,
        "round": state.round.number,
        "phase": state.round.phase,
        "wagers": state.round.placed(account.id).wagers,
        "agreed": dict(state.agreed(account.id)),
    }


@routes.put("/tables/{table}/wagers")
async def place_wagers(
    table: Table, body: WagersBody, site: TheSite, account: Player, keyed: Keyed, request: Request
) -> t.WagersTaken:
    """Replace the player's wagers on the open round: place, change or withdraw them."""
    bet = Bet(table, keyed.idempotency_key, body)
    return await bets.place_wagers(site, account, bet, request)


@routes.post("/tables/{table}/wagers/trial")
async def try_wagers(at: AtTable, body: WagersBody, request: Request, account: Player) -> Trial:
    """Check whether wagers would breach the rule on bonus money (R37), without placing them. Wagers
    that the table's rules refuse, or that the player cannot afford, are refused here too."""
    site, conduct = at.site, at.site.house.conduct
    site.charge(request, TRIAL)
    site.check_guest(at.table, account)
    command, state = command_of(body, account.id), await at.state()
    found = await site.read(_trial, state, command, conduct, site.clock())
    chance = f"{found.chance.numerator}/{found.chance.denominator}" if found.chance else None
    breach = found.refusal.text(at.t, site.house.currency) if found.breaches else None
    return filled(Trial, found, chance=chance, would_be=conduct.bonus.breach, words=breach)


def _trial(
    store: SqlStore, state: TableState, command: c.PlaceWagers, conduct: Conduct, now: int
) -> GroupWagers:
    player = command.player
    balance = Wallet(**balance_of(store, player))
    protection = Protection(conduct, {player: store.safety(player)}, store.position)
    return WagerDesk(state).trial(command, now, balance, protection)


@routes.post("/tables/{table}/deal-now")
async def ask_to_deal(table: Table, body: OpenRound, site: TheSite, account: Player) -> Done:
    """Ask for the cards before the betting time is over. They are dealt early if everyone with a
    bet on the round asks, and only where the house and its profile allow it."""
    site.check_guest(table, account)
    done = await site.do(site.at_table(table, c.AskToDeal(body.round, account.id)))
    site.service.drivers[table].wake()
    return filled(Done, done)


@routes.post("/tables/{table}/squeeze")
async def ask_to_squeeze(table: Table, body: OpenRound, site: TheSite, account: Player) -> Done:
    """Ask to turn the cards of the player's side in this round. Of those who ask, the player with
    the largest bet on `player` or `banker` turns the cards of that hand."""
    site.check_guest(table, account)
    command = c.AskToSqueeze(body.round, account.id)
    return filled(Done, await site.do(site.at_table(table, command)))


@routes.post("/tables/{table}/turn")
async def turn_card(table: Table, body: OpenRound, site: TheSite, account: Player) -> Done:
    """Turn the card that lies face down for the player, before its time is up."""
    done = await site.do(site.at_table(table, c.TurnCard(body.round, account.id)))
    site.service.drivers[table].wake()
    return filled(Done, done)


@routes.post("/tables/{table}/contributions", status_code=201)
async def commit_contribution(
    table: Table, body: Commitment, request: Request, site: TheSite, account: Contributor
) -> Done:
    """Commit to a contribution to the new shoe by sending its hash (docs/reference/fairness.md)."""
    site.contributions.use(account.id)
    if not site.doors.is_proxy(place_of(request)):
        site.contributions_from.use(place_of(request))
    site.check_guest(table, account)
    command = c.CommitContribution(account.id, bytes.fromhex(body.commitment))
    return filled(Done, await site.do(site.at_table(table, command)))


@routes.put("/tables/{table}/contributions")
async def reveal_contribution(
    table: Table, body: Secret, site: TheSite, account: Contributor
) -> Done:
    """Reveal the secret of the player's contribution."""
    site.contributions.use(account.id)
    site.check_guest(table, account)
    command = c.RevealContribution(account.id, bytes.fromhex(body.secret))
    return filled(Done, await site.do(site.at_table(table, command)))


@routes.get("/tables/{table}/journal")
async def journal(
    table: Table,
    request: Request,
    site: TheSite,
    account: SignedIn,
    after: After = 0,
    limit: Limit = 100,
) -> Annotated[Response, t.Frame]:
    """Return the events after a journal entry in one frame, as the socket sends them."""
    site.charge_entries(request, limit)
    stream = site.stream(table)
    entries, head = await site.read(
        lambda store: (texts_since(store, stream, after, limit), store.head(stream))
    )
    if after > head.sequence:
        words = f"after={after}: the journal ends with entry {head.sequence}. Use at most that."
        raise Problem(Fault.MALFORMED, words)
    return Response(frame(Reader.of(account), after, entries), media_type=JSON)


@routes.get("/tables/{table}/rounds", dependencies=[Visitor])
async def rounds(
    table: Table, request: Request, site: TheSite, before: Before = None, limit: Limit = 100
) -> t.Rounds:
    """List results, newest first; `before` is the sequence number of the last result seen.

    A round that was cancelled has no result; `void` gives the reason.
    """
    site.charge_entries(request, limit)
    stream = site.stream(table)
    found = await site.read(history.results, stream, before=before, limit=limit)
    return {"rounds": found}


@routes.get("/tables/{table}/rounds/{number}")
async def one_round(
    table: Table, number: Number, request: Request, site: TheSite, account: SignedIn
) -> Annotated[Response, t.RoundAgain]:
    """Return the events of a past round, with later corrections. The ETag identifies its last
    journal entry."""
    stream = site.stream(table)
    reader = sha256(f"{account.role} {account.id}".encode()).hexdigest()[:16]
    for tag in tags_of(request)[:MAX_TAGS]:
        found = _TAG.fullmatch(tag)
        if found is not None and found["reader"] == reader:
            last = int(found["sequence"])
            end = await site.read(history.end_of_round, stream, number, last)
            if end is not None and end.hash.hex() == found["hash"]:
                return not_modified(tag, PRIVATE, vary="Cookie")
    site.charge(request, ROUND)
    entries = await site.read(_round_texts, stream, number)
    if not entries:
        raise Problem(Fault.NO_SUCH_PAGE, "no-round", round=number, table=table)
    events = msgspec.Raw(seen_by(Reader.of(account), entries).encode())
    again = encode({"table": table, "round": number, "events": events})
    tag = f'"{entries[-1].sequence}-{entries[-1].entry.hash.hex()}-{reader}"'
    headers = {"ETag": tag, "Cache-Control": PRIVATE, "Vary": "Cookie"}
    return Response(again, headers=headers, media_type=JSON)


def _round_texts(store: SqlStore, stream: str, number: int) -> list[EntryTexts]:
    found = history.round_entries(store, stream, number)
    if found:
        found += history.corrections_of(store, stream, number, found[-1].sequence)
    return texts_of(store, found)


@routes.get("/tables/{table}/shoes", dependencies=[Visitor])
async def shoes(
    table: Table, request: Request, site: TheSite, before: Before = None, limit: Limit = 100
) -> t.Shoes:
    """List the shoes a table has committed to, newest first; `before` is the sequence number of the
    last one seen."""
    site.charge_entries(request, limit)
    stream = site.stream(table)

    def newest(store: SqlStore) -> tuple[list[Entry], int]:
        found = history.newest_of(store, stream, ShoeCommitted, before=before, limit=limit)
        last = found[0].sequence if found else 0
        return found, history.count_of(store, stream, ShoeCommitted, through=last)

    entries, count = await site.read(newest)
    return {
        "shoes": [
            filled(t.ShoeNamed, decode(entry.body), sequence=entry.sequence, number=count - place)
            for place, entry in enumerate(entries)
        ]
    }


@routes.get("/shoes/{shoe}", dependencies=[Visitor])
async def one_shoe(
    shoe: Shoe, request: Request, site: TheSite
) -> Annotated[Response, t.ShoeDocument]:
    """Return the public part of a shoe's document, which `baccarat verify` reads.

    Once the shoe is revealed, the document never changes and has a permanent `ETag`.
    """
    documents = site.shoes
    tags = tags_of(request)
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
        raise Problem(Fault.NO_SUCH_PAGE, "no-shoe", shoe=shoe)
    return found.sent(request, "no-cache" if found.zipped is None else FOR_EVER)
