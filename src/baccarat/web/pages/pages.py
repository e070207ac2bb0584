"""Rendering of pages: a template, the words, the viewer, and the data for its scripts.

A page's endpoint calls `page.show("lobby.html", …)`. Scripts read a JSON island (a `script` element
of type application/json, which browsers do not run) with words, money format, session and the
page's own data. The template engine escapes what is shown; no markup is built from strings here.
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from baccarat.core.text import in_language
from baccarat.house.housefile import House, HouseNotice
from baccarat.house.people.roles import MAY, Account, Action, Role
from baccarat.house.safety.periods import date_of, day_at, time_of
from baccarat.house.table_plans import TablePlan
from baccarat.poster import makes_pdfs
from baccarat.shoe.commitment import Source
from baccarat.store import bookings
from baccarat.table.codec import encode
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of
from baccarat.web.pages.assets import MIN_COMPRESSED, assets
from baccarat.web.schema.players import Money
from baccarat.web.server.etags import takes_gzip
from baccarat.web.server.language import words_for
from baccarat.web.server.site import Site, site_of
from baccarat.web.views.money import balance_of
from baccarat.wording.catalogue import Catalogue, catalogue, languages

LOOK = "baccarat_look"
"""Cookie with the visitor's display preferences, written by look.js. It is not secret, and values
that are not in LOOKS are ignored."""
DESKS = {
    Role.PIT: "/pit",
    Role.DEALER: "/dealer",
    Role.CASHIER: "/cashier",
    Role.AUDITOR: "/auditor",
}
"""Each staff role's desk: the page shown after signing in, which is also linked in the
navigation."""
LOOKS = {
    "theme": ("light", "dark"),
    "deck": ("four",),
    "sound": ("audible",),
    "keys": ("ignored",),
    "squeeze": ("turns",),
}


@dataclass(frozen=True)
class Viewer:
    """The signed-in viewer of a page."""

    account: Account
    csrf_token: str
    given: bool = False
    """Whether the viewer still has an initial password, which must be changed first."""

    @property
    def plays(self) -> bool:
        return Action.WAGER in MAY[self.account.role]

    @property
    def deals(self) -> bool:
        return Action.DEAL in MAY[self.account.role]


async def viewer_of(request: Request) -> Viewer | None:
    """Return the viewer, or None if not signed in; viewing pages keeps a session alive."""
    site = site_of(request)
    session = site.visitors.session_of(request)
    account, given = await site.visitors.owner_of(session)
    if session is None or account is None:
        return None
    request.scope["state"]["account"] = account.id
    site.renew(request, account, session)
    return Viewer(account, site.visitors.sessions.csrf_token(session), given)


SETTING_UP = ("account.html", "second-factor.html")
"""Templates of pages for people who must first change a password or set up a second factor."""


class SignInFirst(Exception):
    """The page requires a session, and the visitor is not signed in."""


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("baccarat.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["makes_pdfs"] = makes_pdfs
    made.policies["json.dumps_function"] = lambda value, **_: encode(value).decode()
    return made


@dataclass(frozen=True)
class Page:
    """A requested page and its viewer."""

    request: Request
    viewer: Viewer | None

    @property
    def account(self) -> Account:
        """The viewer's account; visitors without a session are redirected to sign in."""
        if self.viewer is None:
            raise SignInFirst
        return self.viewer.account

    @property
    def t(self) -> Catalogue:
        """The catalogue in the viewer's language."""
        return words_for(self.request)

    @property
    def player(self) -> str:
        """The viewer's account id if they are a player; staff have no history, limits or wallet."""
        if Action.SEE_OWN_MONEY not in MAY[self.account.role]:
            raise Refused(Code.NOT_ALLOWED, "no-history")
        return self.account.id

    async def show(
        self,
        template: str,
        *,
        words: tuple[str, ...] = (),
        data: dict[str, Any] | None = None,
        status: int = 200,
        **values: Any,
    ) -> Response:
        """Render a page. Its scripts get some sections of the catalogue (`words`) and `data`.

        Viewers who still have an initial password are redirected to the page to change it, and
        those who must set up a second factor to the page for that.
        """
        request, viewer = self.request, self.viewer
        site, t = site_of(request), self.t
        if viewer is not None and template not in SETTING_UP:
            if viewer.given:
                return RedirectResponse("/account", 303)
            if site.visitors.lacks_second_factor(viewer.account):
                return RedirectResponse("/account/second-factor", 303)
        (balance, penniless), house = await _balance(site, viewer), site.house
        about = (values["plan"],) if values.get("plan") else house.tables
        island = {
            "words": t.for_scripts("common", *words),
            "money": t.money_form(house.currency),
            "now": site.clock(),
            "session": _session_data(viewer),
            **(data or {}),
        }
        text = (
            environment()
            .get_template(template)
            .render(
                t=t,
                house=house,
                viewer=viewer,
                balance=balance,
                penniless=penniless,
                asset=assets().address,
                money=lambda coins: t.money(coins, house.currency),
                short_money=lambda coins: t.short_money(coins, house.currency),
                when=when if viewer is None or viewer.plays else partial(house_when, house, t),
                house_time=_house_time(site, viewer),
                path=request.url.path,
                languages=[catalogue(language) for language in languages()],
                desk=DESKS.get(viewer.account.role) if viewer else None,
                look=look_of(request),
                notice=notice_of(house.notice, about, t.language),
                fair=fairness_key(about),
                island=island,
                **values,
            )
        )
        body, headers = text.encode(), {"Vary": "Accept-Encoding, Accept-Language, Cookie"}
        if len(body) > MIN_COMPRESSED and takes_gzip(request):
            body, headers["Content-Encoding"] = gzip.compress(body, 6, mtime=0), "gzip"
        return Response(body, status, headers, media_type="text/html; charset=utf-8")


async def page_of(request: Request) -> Page:
    return Page(request, await viewer_of(request))


AnyPage = Annotated[Page, Depends(page_of)]


@dataclass(frozen=True)
class PageAccess:
    """A dependency that returns the page if the viewer may see it. Without an action, anyone who is
    signed in may see the page; with one, only people whose role permits the action may. Visitors
    without a session are redirected to sign in."""

    action: Action | None = None

    async def __call__(self, page: AnyPage) -> Page:
        account = page.account
        if self.action is not None and self.action not in MAY[account.role]:
            raise Refused(Code.NOT_ALLOWED, "page-for", action=self.action.name.lower())
        return page


OwnPage = Annotated[Page, Depends(PageAccess())]


def fairness_key(plans: Sequence[TablePlan]) -> str:
    """Return the key of the fairness text for these tables: real cards have no commitment."""
    by_hand = [plan.settings.source is Source.CARDS for plan in plans]
    return f"frame-fair{'_cards' if all(by_hand) else '_some' if any(by_hand) else ''}"


def when(at: int) -> Markup:
    """Return a time element in UTC, which frame.js converts to the visitor's local time."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    written = f"{moment:%Y-%m-%d %H:%M:%S} UTC"
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(), written)


def house_when(house: House, t: Catalogue, at: int) -> Markup:
    """Return a time element in the house's time, for staff, whatever their computer's time zone."""
    moment = time_of(at, house.conduct.gaming_day)
    written = t.moment(moment)
    return Markup('<time data-house datetime="{}">{}</time>').format(moment.isoformat(), written)


def _house_time(site: Site, viewer: Viewer | None) -> dict[str, Any] | None:
    """Return the house's time and gaming day for the top of staff pages; None for others."""
    if viewer is None or viewer.plays:
        return None
    now, gaming_day = site.clock(), site.house.conduct.gaming_day
    return {
        "now": time_of(now, gaming_day),
        "zone": gaming_day.zone,
        "day": date_of(day_at(now, gaming_day)),
        "starts": f"{gaming_day.starts:02}:00",
    }


async def _balance(site: Site, viewer: Viewer | None) -> tuple[Money | None, bool]:
    """Return a player's balances, and whether they have no money at all, not even at stake.

    In that case the page shows where to pay in. Staff have no wallet.
    """
    if viewer is None or not viewer.plays:
        return None, False
    who = viewer.account.id
    balance = await site.read(balance_of, who)
    if viewer.account.guest or any(balance.values()):
        return balance, False
    return balance, not await site.read(bookings.in_play, who)


def _session_data(viewer: Viewer | None) -> dict[str, Any] | None:
    if viewer is None:
        return None
    account = viewer.account
    whose = {"account": account.id, "name": account.name, "guest": account.guest}
    return {**whose, "plays": viewer.plays, "csrf_token": viewer.csrf_token}


def look_of(request: Request) -> dict[str, str]:
    """Return the visitor's display preferences as attributes of the document."""
    chosen = request.cookies.get(LOOK, "").split(".")
    return {name: one for name, known in LOOKS.items() for one in known if one in chosen}


async def problem_page(request: Request, response: Response) -> Response:
    """Return a problem document as a page, with the same status, detail and code."""
    document, page = json.loads(bytes(response.body)), await page_of(request)
    shown = {name: document[name] for name in ("detail", "code")}
    return await page.show("problem.html", status=response.status_code, **shown)


def wants_page(request: Request) -> bool:
    """Return whether a request comes from a browser asking for a page, not from an API client."""
    for_people = not request.url.path.startswith("/api/")
    return for_people and "text/html" in request.headers.get("accept", "")


# ---- the safer gambling notice in the footer -----------------------------------------------------


@dataclass(frozen=True)
class Notice:
    """The minimum age and help contacts; a game is named only where it differs from the others."""

    minimum_age: int
    older: tuple[tuple[int, tuple[str, ...]], ...]
    """Higher ages, each with the games that require it."""
    help: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    """Groups of help contacts, each with the games whose cards name these contacts."""


@cache
def notice_of(house: HouseNotice, plans: tuple[TablePlan, ...], language: str) -> Notice:
    """Return the notice for these tables of a house."""
    found = (in_language(game_of(plan.settings.rules).card, language) for plan in plans)
    cards = {card.name: house.on(card) for card in found}
    ages: dict[int, tuple[str, ...]] = {}
    contacts: dict[str, tuple[str, ...]] = {}
    for game, notice in cards.items():
        age = notice.minimum_age or 0
        ages[age] = (*ages.get(age, ()), game)
        for contact in notice.contacts:
            contacts[contact] = (*contacts.get(contact, ()), game)
    lines: dict[tuple[str, ...], tuple[str, ...]] = {}
    for contact, games in contacts.items():
        said_of = games if len(games) < len(cards) else ()
        lines[said_of] = (*lines.get(said_of, ()), contact)
    least = min(ages, default=house.minimum_age)
    older = tuple(one for one in sorted(ages.items()) if one[0] > least)
    return Notice(least, older, tuple((some, games) for games, some in lines.items()))
