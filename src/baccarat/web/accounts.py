"""Coming in: guests, new accounts, signing in and out.

The one rule: a wrong id and a wrong password look the same, and take as long.
"""

import json
import secrets
from typing import Annotated

from fastapi import Depends, Path, Request

from baccarat.core.errors import BaccaratError
from baccarat.house import jobs
from baccarat.house.names import imitation_of
from baccarat.house.passwords import check_chosen
from baccarat.house.periods import parse_date
from baccarat.house.ports import Done
from baccarat.house.roles import GUEST, Account, Role
from baccarat.table.refusals import Code, Refused
from baccarat.web.addresses import place_of
from baccarat.web.answers import Routes
from baccarat.web.answers.players import MySessions, SessionTold
from baccarat.web.bodies import NewPassword, NewPlayer, SignIn
from baccarat.web.partners import note_shared_browser
from baccarat.web.problems import Fault, Problem
from baccarat.web.sessions import digest_of
from baccarat.web.site import API, Anyone, Needs, Site, TheSite

routes = Routes(prefix=API, tags=["coming in"])
SessionId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="the session's id")]
Visitor = Depends(Needs(Anyone.EVERYBODY))
Owner = Annotated[Account, Depends(Needs(Anyone.SIGNED_IN, new=True))]
"""Whoever is signed in, also with a password that somebody else has given them."""


@routes.post("/guests", status_code=201, dependencies=[Visitor])
async def come_in(request: Request, site: TheSite) -> SessionTold:
    """Come in as a guest, with play money."""
    site.arrivals.use(place_of(request))
    amount = site.service.house.play_money
    if amount is None:
        raise Refused(Code.NOT_ALLOWED, "this house takes no guests: open an account")
    guest = Account(f"{GUEST}{secrets.token_hex(8)}", Role.PLAYER, "Guest", guest=True)
    await site.do(jobs.open_account(guest, site.clock))
    await site.do(jobs.give_play_money(guest.id, amount, site.clock))
    return _begin(request, site, guest)


@routes.post("/accounts", status_code=201, dependencies=[Visitor])
async def open_account(body: NewPlayer, request: Request, site: TheSite) -> SessionTold:
    """Open a player's account."""
    site.arrivals.use(place_of(request))
    born = parse_date(body.born) if body.born else None
    account = Account(body.id, Role.PLAYER, body.name)
    fault = imitation_of(body.name, site.service.house.name)
    if fault is not None:
        raise Refused(Code.NOT_ALLOWED, f"the name {body.name!r} {fault}")
    _check_chosen(site, account, body.password)
    await opened(site, account, body.password, born=born)
    await note_shared_browser(site, account, site.recognise(request, account.id))
    return _begin(request, site, account)


@routes.post("/session", dependencies=[Visitor])
async def sign_in(body: SignIn, request: Request, site: TheSite) -> SessionTold:
    """Sign in."""
    await site.check_sign_ins_from(request, body.account)
    person, since = await site.signed_in(request, body.account, body.password)
    account = person.account
    others = site.recognise(request, account.id)
    if account.role is Role.PLAYER:
        await note_shared_browser(site, account, others)
    told = _begin(request, site, account, since)
    found = await site.service.world.keeper.read(lambda store: store.person(account.id))
    return {**told, "given_password": found is not None and found.given}


@routes.get("/session")
async def session(request: Request, site: TheSite, account: Owner) -> SessionTold:
    """Who I am, and the token that changing requests carry."""
    found = site.session_of(request)
    assert found is not None  # noqa: S101  (signed in)
    _, given = await site.newcomer(found)
    return _told(account, site.sessions.csrf_token(found), given=given)


@routes.delete("/session", status_code=204)
async def sign_out(request: Request, site: TheSite, _: Owner) -> None:
    """Sign out."""
    found = site.session_of(request)
    assert found is not None  # noqa: S101  (signed in)
    await site.forget(request, found)


@routes.get("/me/sessions")
async def sessions(request: Request, site: TheSite, account: Owner) -> MySessions:  # noqa: ARG001
    """Where I am signed in; this session first."""
    found = site.session_of(request)
    assert found is not None  # noqa: S101  (signed in)
    listed = await site.sessions_of(request, found)
    return {
        "sessions": [
            {
                "id": one.digest,
                "this": place == 0,
                "begun": one.begun,
                "seen": one.seen,
                "address": one.address,
                "agent": one.agent,
            }
            for place, one in enumerate(listed)
        ]
    }


@routes.delete("/me/sessions/{session}", status_code=204)
async def end_session(session: SessionId, request: Request, site: TheSite, account: Owner) -> None:
    """End one of my sessions, at every server within seconds."""
    found = site.session_of(request)
    assert found is not None  # noqa: S101  (signed in)
    if session == digest_of(found):
        await site.forget(request, found)
    elif not await site.end_session(account, session):
        raise Problem(Fault.NO_SUCH_PAGE, "you have no such session: it may have ended already")


@routes.put("/me/password", status_code=204)
async def change_password(
    body: NewPassword, request: Request, site: TheSite, account: Owner
) -> None:
    """Another password for my account; every other session of it ends with the old one. The answer
    sets this session's cookie anew, and its `csrf_token` stays."""
    found = site.session_of(request)
    assert found is not None  # noqa: S101  (signed in)
    known, _ = await site.signed_in(request, account.id, body.old)
    if body.new == body.old:
        words = "the new password is the old one: choose one that nobody else knows"
        raise Refused(Code.NOT_ALLOWED, words)
    _check_chosen(site, account, body.new)
    hashed = await site.hashed(body.new)
    done = await site.do(
        jobs.change_password(account.id, hashed, site.clock, known_since=known.since)
    )
    (changed,) = json.loads(done.answer)["events"]
    anew = site.sessions.begun_anew(found, changed["value"]["at"])
    site.remember(request, anew)
    site.seen(request, account, anew)
    await site.watchman.look()


async def opened(
    site: Site,
    account: Account,
    password: str,
    *,
    born: int | None = None,
    by: str = "",
    sender: jobs.Sender = jobs.NOBODY,
) -> Done:
    """A new account with its owner's own password, or an initial one where the staff opens it."""
    hashed, conduct = await site.hashed(password), site.service.house.conduct
    job = jobs.open_account(
        account,
        site.clock,
        password=hashed,
        born=born,
        by=by,
        conduct=conduct,
        given=bool(by),
        sender=sender,
    )
    try:
        return await site.do(job)
    except Refused as error:
        if error.code is not Code.NO_SUCH_ACCOUNT:
            raise
        raise Problem(Fault.ID_TAKEN, str(error)) from error


def _check_chosen(site: Site, account: Account, password: str) -> None:
    """A password that a person chose for themselves."""
    try:
        check_chosen(password, account.id, account.name, house=site.service.house.name)
    except BaccaratError as error:
        raise Problem(Fault.WEAK_PASSWORD, str(error)) from error


def _begin(request: Request, site: Site, account: Account, since: int | None = None) -> SessionTold:
    begun = site.sessions.begin(account.id, site.clock() if since is None else since)
    site.remember(request, begun)
    site.began(request, account, begun)
    return _told(account, site.sessions.csrf_token(begun))


def _told(account: Account, csrf: str, *, given: bool = False) -> SessionTold:
    return {
        "account": account.id,
        "name": account.name,
        "role": account.role,
        "guest": account.guest,
        "csrf_token": csrf,
        "given_password": given,
    }
