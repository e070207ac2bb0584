"""Coming in: guests, new accounts, signing in and out.

The one rule: a wrong id and a wrong password look the same, and take as long.
"""

import json
import secrets
from typing import Annotated

from fastapi import Depends, Request

from baccarat.house import jobs
from baccarat.house.periods import parse_date
from baccarat.house.ports import Done
from baccarat.house.roles import GUEST, Account, Role
from baccarat.table.refusals import Code, Refused
from baccarat.web.answers import Routes
from baccarat.web.answers.players import SessionTold
from baccarat.web.bodies import NewPassword, NewPlayer, SignIn
from baccarat.web.partners import link_device
from baccarat.web.problems import Fault, Problem
from baccarat.web.site import API, Anyone, Needs, Site, TheSite

routes = Routes(prefix=API, tags=["coming in"])
Visitor = Depends(Needs(Anyone.EVERYBODY))
Owner = Annotated[Account, Depends(Needs(Anyone.SIGNED_IN, new=True))]
"""Whoever is signed in, also with a password that somebody else has given them."""


@routes.post("/guests", status_code=201, dependencies=[Visitor])
async def come_in(request: Request, site: TheSite) -> SessionTold:
    """Come in as a guest, with play money."""
    site.arrivals.use(address_of(request))
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
    site.arrivals.use(address_of(request))
    born = parse_date(body.born) if body.born else None
    account = Account(body.id, Role.PLAYER, body.name)
    await opened(site, account, body.password, born=born)
    await link_device(site, account, site.recognise(request, account.id))
    return _begin(request, site, account)


@routes.post("/session", dependencies=[Visitor])
async def sign_in(body: SignIn, request: Request, site: TheSite) -> SessionTold:
    """Sign in."""
    site.sign_ins_from.use(address_of(request))
    account, since = await site.signed_in(request, body.account, body.password)
    others = site.recognise(request, account.id)
    if account.role is Role.PLAYER:
        await link_device(site, account, others)
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


@routes.put("/me/password", status_code=204)
async def change_password(
    body: NewPassword, request: Request, site: TheSite, account: Owner
) -> None:
    """Another password for my account; every other session of it ends with the old one. The answer
    sets this session's cookie anew, and its `csrf_token` stays."""
    found = site.session_of(request)
    assert found is not None  # noqa: S101  (signed in)
    known = await site.service.world.keeper.read(lambda store: store.person(account.id))
    since = None if known is None else known.since
    await site.signed_in(request, account.id, body.old)
    if body.new == body.old:
        words = "the new password is the old one: choose one that nobody else knows"
        raise Refused(Code.NOT_ALLOWED, words)
    hashed = await site.hashed(body.new)
    done = await site.do(jobs.change_password(account.id, hashed, site.clock, since=since))
    (changed,) = json.loads(done.answer)["events"]
    site.remember(request, site.sessions.begun_anew(found, changed["value"]["at"]))
    await site.watchman.look()


async def opened(
    site: Site, account: Account, password: str, *, born: int | None = None, by: str = ""
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
    )
    try:
        return await site.do(job)
    except Refused as error:
        if error.code is not Code.NO_SUCH_ACCOUNT:
            raise
        raise Problem(Fault.ID_TAKEN, str(error)) from error


def address_of(request: Request) -> str:
    return request.client.host if request.client else "nowhere"


def _begin(request: Request, site: Site, account: Account, since: int | None = None) -> SessionTold:
    begun = site.sessions.begin(account.id, site.clock() if since is None else since)
    site.remember(request, begun)
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
