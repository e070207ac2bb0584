"""A page: a template, the words, whoever looks at it, and what its scripts are handed.

`show(request, "lobby.html", …)` is all that a page's endpoint says. Scripts find a JSON island
(`script.application/json`, which no browser runs): words, money, session and the page's own data.
The one rule: what is shown is escaped by the template engine; no markup is ever put together here.
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from baccarat.house.housefile import TablePlan
from baccarat.house.roles import MAY, Account, Action, Role
from baccarat.shoe.commitment import Source
from baccarat.store import history
from baccarat.table.refusals import Code, Refused
from baccarat.web.answers.players import Money
from baccarat.web.cookies import cookie_in
from baccarat.web.etags import takes_gzip
from baccarat.web.mine import balance_of
from baccarat.web.pages.assets import WORTH_IT, assets
from baccarat.web.pages.catalogue import Catalogue, catalogue, language_for, languages
from baccarat.web.pages.notices import notice_of
from baccarat.web.site import Site, site_of

LOOK = "baccarat_look"
"""The cookie of how somebody likes pages, written by look.js: nothing secret, and no word of it is
believed that is not in LOOKS."""
LANGUAGE = "baccarat_language"
"""The cookie of the language, where there are several and the visitor has chosen one."""
WAYS = ("tables", "rules", "odds", "history", "verify", "account")
"""The pages that are named in the frame of every page."""
DESKS = {
    Role.PIT: "/pit",
    Role.DEALER: "/dealer",
    Role.CASHIER: "/cashier",
    Role.AUDITOR: "/auditor",
}
"""Where those work who do not play: they land there, and the frame leads there."""
LOOKS = {
    "theme": ("light", "dark"),
    "deck": ("four",),
    "sound": ("audible",),
    "keys": ("ignored",),
}


@dataclass(frozen=True)
class Viewer:
    """Who looks at a page, if anybody is signed in."""

    account: Account
    csrf_token: str
    since: int
    """When the session began."""
    given: bool = False
    """Must choose a password of their own before anything else."""

    @property
    def plays(self) -> bool:
        return Action.WAGER in MAY[self.account.role]

    @property
    def deals(self) -> bool:
        return Action.DEAL in MAY[self.account.role]


def player_of(viewer: Viewer) -> str:
    """The account of somebody who plays; the staff has no history, no limits and no wallet."""
    if not viewer.plays:
        words = f"{catalogue()('history.staff')} ({Action.SEE_OWN_MONEY})"
        raise Refused(Code.NOT_ALLOWED, words)
    return viewer.account.id


async def viewer_of(request: Request) -> Viewer | None:
    """The viewer; looking at pages keeps a session alive."""
    site = site_of(request)
    session = site.session_of(request)
    account, given = await site.newcomer(session)
    if session is None or account is None:
        return None
    request.scope["state"]["account"] = account.id
    renewed = site.sessions.renewed(session, site.clock())
    if renewed is not None:
        site.remember(request, renewed)
    return Viewer(account, site.sessions.csrf_token(session), session.begun, given)


SeenBy = Annotated[Viewer | None, Depends(viewer_of)]


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("baccarat.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return made


async def show(
    request: Request,
    template: str,
    viewer: Viewer | None,
    *,
    words: tuple[str, ...] = (),
    data: dict[str, Any] | None = None,
    status: int = 200,
    **values: Any,
) -> Response:
    """The page. Its scripts get these sections of the catalogue (`words`) and this `data`.

    Whoever has not chosen their own password yet is led to where they do, whatever they ask for.
    """
    if viewer is not None and viewer.given and template != "account.html":
        return RedirectResponse("/account", 303)
    site, t = site_of(request), words_for(request)
    purse = await balance(site, viewer)
    house = site.service.house
    currency = house.currency
    about = (values["plan"],) if values.get("plan") else house.tables
    island = {
        "words": t.for_scripts("common", *words),
        "money": t.money_form(currency),
        "now": site.clock(),
        "session": _told(viewer),
        **(data or {}),
    }
    text = (
        environment()
        .get_template(template)
        .render(
            t=t,
            house=house,
            viewer=viewer,
            balance=purse,
            penniless=await _is_penniless(site, viewer, purse),
            asset=assets().address,
            money=lambda coins: t.money(coins, currency),
            when=when,
            path=request.url.path,
            ways=WAYS,
            languages=[catalogue(one) for one in languages()],
            desk=DESKS.get(viewer.account.role) if viewer else None,
            look=look_of(request),
            notice=notice_of(about, house.conduct.profile.minimum_age),
            fair=fair_words(about),
            island=island,
            **values,
        )
    )
    body, headers = text.encode(), {"Vary": "Accept-Encoding, Accept-Language, Cookie"}
    if len(body) > WORTH_IT and takes_gzip(request):
        body, headers["Content-Encoding"] = gzip.compress(body, 6, mtime=0), "gzip"
    return Response(body, status, headers, media_type="text/html; charset=utf-8")


def words_for(request: Request) -> Catalogue:
    """The words in the visitor's language."""
    chosen = cookie_in(request, LANGUAGE)
    return catalogue(language_for(chosen, request.headers.get("accept-language", "")))


def fair_words(plans: Sequence[TablePlan]) -> str:
    """What can be said of the shoes of these tables: none of real cards is promised."""
    by_hand = [plan.settings.source is Source.CARDS for plan in plans]
    return f"frame.fair{'_cards' if all(by_hand) else '_some' if any(by_hand) else ''}"


def when(at: int) -> Markup:
    """A time: in UTC as it is sent, and on the visitor's own clock once frame.js has run."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    written = f"{moment:%Y-%m-%d %H:%M:%S} UTC"
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(), written)


async def balance(site: Site, viewer: Viewer | None) -> Money | None:
    """What a player has; the staff has no wallet."""
    if viewer is None or not viewer.plays:
        return None
    return await site.service.world.keeper.read(lambda store: balance_of(store, viewer.account.id))


async def _is_penniless(site: Site, viewer: Viewer | None, purse: Money | None) -> bool:
    """A player who has nothing to stake, and nothing at stake, is told where money is paid in."""
    if viewer is None or purse is None or viewer.account.guest or any(purse.values()):
        return False
    who = viewer.account.id
    return not await site.service.world.keeper.read(lambda store: history.in_play(store, who))


def _told(viewer: Viewer | None) -> dict[str, Any] | None:
    if viewer is None:
        return None
    return {
        "account": viewer.account.id,
        "name": viewer.account.name,
        "guest": viewer.account.guest,
        "plays": viewer.plays,
        "csrf_token": viewer.csrf_token,
    }


def look_of(request: Request) -> dict[str, str]:
    """How the visitor likes pages to look, as attributes of the document."""
    chosen = cookie_in(request, LOOK).split(".")
    return {name: one for name, known in LOOKS.items() for one in known if one in chosen}


async def problem_page(request: Request, told: Response) -> Response:
    """A problem for people: the same status, the same words."""
    document = json.loads(bytes(told.body))
    viewer = await viewer_of(request)
    return await show(
        request,
        "problem.html",
        viewer,
        status=told.status_code,
        detail=document["detail"],
        code=document["code"],
    )


def wants_page(request: Request) -> bool:
    """Is this a person's browser asking for a page, and not a program?"""
    for_people = not request.url.path.startswith("/api/")
    return for_people and "text/html" in request.headers.get("accept", "")
