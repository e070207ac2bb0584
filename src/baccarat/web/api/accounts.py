"""Endpoints for guests, new accounts, signing in and out, sessions and passwords.

A wrong id and a wrong password get the same response and take the same time.
"""

import logging
import secrets
from dataclasses import replace
from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Request

from baccarat.house import jobs
from baccarat.house.money import cash
from baccarat.house.people import partners
from baccarat.house.people.names import check_no_imitation
from baccarat.house.people.roles import GUEST, Account, Role
from baccarat.house.people.weak_passwords import weakness
from baccarat.house.safety.periods import parse_date
from baccarat.table.refusals import Code, Refused
from baccarat.web.identity.visitors import Session, digest_of
from baccarat.web.schema import Routes, filled
from baccarat.web.schema.players import MySession, MySessions, SessionView
from baccarat.web.schema.requests import NewPassword, NewPlayer, SignIn
from baccarat.web.server.guard import place_of
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import API, CSRF, Anyone, Needs, Site, TheSite, Visitor

routes = Routes(prefix=API, tags=["coming in"])
log = logging.getLogger(__name__)
SessionId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="the session's id")]
Owner = Annotated[Account, Depends(Needs(Anyone.SIGNED_IN, new=True))]
"""The signed-in account, even if it still has its initial password."""


async def _own_session(request: Request, site: TheSite, _: Owner) -> Session:
    found = site.visitors.session_of(request)
    assert found is not None  # noqa: S101  (signed in)
    return found


OwnSession = Annotated[Session, Depends(_own_session)]


@routes.post("/guests", status_code=201, dependencies=[Visitor])
async def come_in(request: Request, site: TheSite) -> SessionView:
    """Open a guest account with play money, and sign in."""
    site.arrivals.use(place_of(request))
    return _begin_session(request, site, await _new_guest(site))


async def _new_guest(site: Site) -> Account:
    amount = site.house.play_money
    if amount is None:
        raise Refused(Code.NOT_ALLOWED, "no-guests")
    guest = Account(f"{GUEST}{secrets.token_hex(8)}", Role.PLAYER, "Guest", guest=True)
    await site.do(jobs.open_account(guest, site.clock))
    await site.do(site.service.about(guest.id, partial(cash.give_play_money, amount=amount)))
    return guest


@routes.post("/accounts", status_code=201, dependencies=[Visitor])
async def open_account(body: NewPlayer, request: Request, site: TheSite) -> SessionView:
    """Open a player's account, and sign in. In a house without real money, a guest who is signed in
    keeps their account with its play money and history, and can sign in to it from now on."""
    site.arrivals.use(place_of(request))
    born = parse_date(body.born) if body.born else None
    account = Account(body.id, Role.PLAYER, body.name)
    check_no_imitation(body.name, site.house.name)
    _check_chosen(site, account, body.password)
    hashed, conduct = await site.sign_ins.hashed(body.password), site.house.conduct
    if not site.house.real_money:
        return await _register_guest(request, site, account, hashed, born)
    job = jobs.open_account(account, site.clock, password=hashed, born=born, conduct=conduct)
    await site.open_account(job)
    await _note_shared_browser(site, account, site.visitors.recognise(request, account.id))
    return _begin_session(request, site, account)


async def _register_guest(
    request: Request, site: Site, wanted: Account, hashed: str, born: int | None
) -> SessionView:
    """Register the guest who sends the request, or else a new one, under the wanted ID and name."""
    session = site.visitors.session_of(request)
    guest, _ = await site.visitors.owner_of(session)
    if session is None or guest is None or guest.registered:
        guest = await _new_guest(site)
    elif not site.visitors.sessions.is_csrf_token(session, request.headers.get(CSRF, "")):
        raise Problem(Fault.NO_CSRF_TOKEN, "csrf")
    job = jobs.register_guest(
        guest.id,
        wanted.id,
        wanted.name,
        site.clock,
        password=hashed,
        born=born,
        conduct=site.house.conduct,
    )
    await site.open_account(job)
    site.visitors.forget_account(guest.id)
    site.visitors.recognise(request, wanted.id)
    registered = replace(guest, name=wanted.name, sign_in_id=wanted.id)
    return _begin_session(request, site, registered)


@routes.post("/session", dependencies=[Visitor])
async def sign_in(body: SignIn, request: Request, site: TheSite) -> SessionView:
    """Sign in with an account id and password and, if the account has a second factor, a code."""
    await site.sign_ins.check_address(request, body.account)
    person, since = await site.sign_ins.check(request, body.account, body.password, body.code)
    account = person.account
    others = site.visitors.recognise(request, account.known_as)
    if account.role is Role.PLAYER and not account.guest:
        await _note_shared_browser(site, account, others)
    return {**_begin_session(request, site, account, since), "given_password": person.given}


@routes.get("/session")
async def session(site: TheSite, account: Owner, own: OwnSession) -> SessionView:
    """Return the signed-in account and the CSRF token, which state-changing requests must send."""
    _, given = await site.visitors.owner_of(own)
    return _session_answer(account, site.visitors.sessions.csrf_token(own), given=given)


@routes.delete("/session", status_code=204)
async def sign_out(request: Request, site: TheSite, _: Owner, own: OwnSession) -> None:
    """Sign out of this session."""
    await site.session_list.sign_out(request, own)


@routes.get("/me/sessions")
async def sessions(request: Request, site: TheSite, _: Owner, own: OwnSession) -> MySessions:
    """List the account's open sessions, this one first."""
    return {
        "sessions": [
            filled(MySession, listed, id=listed.digest, this=place == 0)
            for place, listed in enumerate(await site.session_list.of(request, own))
        ]
    }


@routes.delete("/me/sessions/{session}", status_code=204)
async def end_session(
    session: SessionId, request: Request, site: TheSite, account: Owner, own: OwnSession
) -> None:
    """End one of the account's sessions. It ends on every server within seconds."""
    if session == digest_of(own):
        await site.session_list.sign_out(request, own)
    elif not await site.session_list.end(account, session):
        raise Problem(Fault.NO_SUCH_PAGE, "no-session")


@routes.put("/me/password", status_code=204)
async def change_password(
    body: NewPassword, request: Request, site: TheSite, account: Owner, own: OwnSession
) -> None:
    """Change the account's password and end all its other sessions. The response sets this
    session's cookie again; its `csrf_token` stays the same."""
    known, _ = await site.sign_ins.check(request, account.known_as, body.old)
    if body.new == body.old:
        raise Refused(Code.NOT_ALLOWED, "same-password")
    _check_chosen(site, account, body.new)
    hashed = await site.sign_ins.hashed(body.new)
    job = jobs.change_password(account.id, hashed, site.clock, known_since=known.since)
    (changed,) = (await site.do(job)).events
    session = site.visitors.sessions.restarted(own, changed.at)
    site.visitors.remember(request, session)
    site.session_list.seen(request, account, session)
    await site.session_list.check()


async def _note_shared_browser(site: Site, account: Account, others: list[str]) -> None:
    """Record for the pit that a player signed in with a browser that other players have used."""
    found = [await site.visitors.account(other) for other in others]
    players = [
        other.id for other in found if other and other.role is Role.PLAYER and not other.guest
    ]
    if not players:
        return
    shared = partial(partners.share_browser, player=account.id, others=players)
    whose, conduct = (account.id, *players), site.house.conduct
    try:
        await site.do(jobs.about_players(whose, site.clock, shared, conduct=conduct))
    except Refused as refused:  # this must not prevent the sign-in
        extra = {"account": account.id, "why": str(refused)}
        log.warning("shared browser not recorded", extra=extra)


def _check_chosen(site: Site, account: Account, password: str) -> None:
    """Raise a Problem if a password that a person chose is too weak."""
    if why := weakness(password, account.id, account.name, house=site.house.name):
        raise Problem(Fault.WEAK_PASSWORD, "weak-password", why=why)


def _begin_session(
    request: Request, site: Site, account: Account, since: int | None = None
) -> SessionView:
    begun = site.visitors.sessions.begin(account.id, site.clock() if since is None else since)
    site.visitors.remember(request, begun)
    site.session_list.began(request, account, begun)
    return _session_answer(account, site.visitors.sessions.csrf_token(begun))


def _session_answer(account: Account, csrf: str, *, given: bool = False) -> SessionView:
    more = {"account": account.id, "csrf_token": csrf, "given_password": given}
    return filled(SessionView, account, **more)
