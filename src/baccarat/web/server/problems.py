"""Problem documents: what is sent when a request is refused, as problem+json with a stable code.

Refusals by the house, faults of the request and internal errors all become one kind of document. It
contains a code, the reason and the remedy, and no internal details. People read the reason on
pages, so it is in their language. Faults that only API clients cause are described in English.
"""

import json
import logging
from enum import StrEnum
from typing import Annotated, Any, Unpack

from fastapi import Response
from fastapi.exceptions import ValidationException
from msgspec import Meta
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.routing import Match
from starlette.types import Scope
from typing_extensions import TypedDict

from baccarat.core.errors import BaccaratError, one_of
from baccarat.store.engine import StoreError
from baccarat.table.refusals import Code, Message, Refused
from baccarat.web.server.language import words_for
from baccarat.wording.catalogue import Catalogue, catalogue

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
"""All methods that any endpoint uses."""
MEDIA_TYPE = "application/problem+json"
log = logging.getLogger(__name__)


class Fault(StrEnum):
    """What can be wrong with a request, apart from refusals by the house."""

    NOT_HTTP = "not-http"
    """Not a valid HTTP request, or its headers are too large."""
    TOO_SLOW = "too-slow"
    """The request did not arrive in full within the time limit."""
    TOO_LARGE = "too-large"
    """The body is larger than any request needs."""
    FOREIGN_ORIGIN = "foreign-origin"
    """The request was sent by a page of another site."""
    NO_SUCH_PAGE = "no-such-page"
    """The page, round, shoe, game or session does not exist."""
    METHOD_NOT_ALLOWED = "method-not-allowed"
    """The path does not allow this method; the header `Allow` lists the methods it allows."""
    NOT_JSON = "not-json"
    """The body is not a JSON object sent as `application/json`."""
    NOT_SIGNED_IN = "not-signed-in"
    """The session is missing or over."""
    NEEDS_TOKEN = "needs-token"  # noqa: S105
    """Only for operators of the server: the operations token is required."""
    GIVEN_PASSWORD = "given-password"  # noqa: S105
    """The account has an initial password, which must be changed before anything else."""
    EXPIRED_PASSWORD = "expired-password"  # noqa: S105
    """The initial password was not used in time."""
    CODE_NEEDED = "code-needed"
    """The password is right, but the account also needs a one-time code or a recovery code."""
    WRONG_CODE = "wrong-code"
    """The one-time code or recovery code is wrong, or was used before."""
    NEEDS_SECOND_FACTOR = "needs-second-factor"
    """Staff of this house must set up a second factor before anything else."""
    SUSPENDED = "suspended"
    """The account is suspended."""
    NO_CSRF_TOKEN = "no-csrf-token"  # noqa: S105
    """The X-CSRF-Token header is missing or belongs to another session."""
    RATE_LIMITED = "rate-limited"
    """Too many requests; the header `Retry-After` says when to try again."""
    SIGN_IN_LOCKED = "sign-in-locked"
    """Too many wrong passwords in a row: signing in under that name is locked for a while."""
    MALFORMED = "malformed"
    """A value is missing or invalid."""
    WRONG_PASSWORD = "wrong-password"  # noqa: S105
    """The account id or the password is wrong."""
    WEAK_PASSWORD = "weak-password"  # noqa: S105
    """The password is common, a keyboard pattern, or the account's own name: choose another."""
    ID_TAKEN = "id-taken"
    """Another account has this id."""
    NOT_INSTALLED = "not-installed"
    """An optional component is not installed on the server."""
    STORE_UNAVAILABLE = "store-unavailable"
    """It is not known whether a command was carried out: retry with the same idempotency key."""
    BUSY = "busy"
    """Too many computations are waiting already, or this one took too long."""
    STOPPING = "stopping"
    """The server is stopping; the detail states whether the request may have been carried out."""
    INTERNAL = "internal"
    """Internal error. The details are logged and not sent to the client."""


_STATUSES: dict[int, tuple[Fault | Code, ...]] = {
    400: (Fault.NOT_HTTP, Fault.NOT_JSON),
    401: (
        *(Fault.NOT_SIGNED_IN, Fault.NEEDS_TOKEN, Fault.WRONG_PASSWORD),
        *(Fault.CODE_NEEDED, Fault.WRONG_CODE),
    ),
    403: (
        *(Fault.FOREIGN_ORIGIN, Fault.GIVEN_PASSWORD, Fault.NO_CSRF_TOKEN, Fault.EXPIRED_PASSWORD),
        Fault.NEEDS_SECOND_FACTOR,
        *(Fault.SUSPENDED, Code.NOT_ALLOWED, Code.SELF_EXCLUDED, Code.ON_A_BREAK),
        *(Code.REGISTER_SILENT, Code.UNDER_AGE, Code.NEEDS_TWO_PEOPLE),
    ),
    404: (
        *(Fault.NO_SUCH_PAGE, Code.NO_SUCH_ACCOUNT, Code.NO_SUCH_TABLE, Code.NO_SUCH_DISPUTE),
        Code.NO_SUCH_DECK_SET,
    ),
    405: (Fault.METHOD_NOT_ALLOWED,),
    408: (Fault.TOO_SLOW,),
    409: (
        *(Fault.ID_TAKEN, Code.STALE_EPOCH, Code.REALITY_CHECK, Code.TIME_LIMIT),
        *(Code.NO_SUCH_ROUND, Code.TABLE_PAUSED, Code.BETTING_CLOSED, Code.WAGERS_CHANGED),
        *(Code.NO_SEAT, Code.WRONG_PHASE, Code.NOT_THE_DEALER, Code.RESULT_STANDS, Code.IRREGULAR),
        *(Code.ALREADY_REPORTED, Code.RECTIFY_FIRST, Code.TOO_EARLY, Code.ALREADY_DISPUTED),
        Code.NOTHING_OPEN,
        *(Code.INSUFFICIENT_FUNDS, Code.DEPOSIT_LIMIT, Code.LOSS_LIMIT, Code.WRONG_CARD),
        *(Code.ALREADY_CONTRIBUTED, Code.AGREEMENT_NEEDED, Code.STALE_VIEW),
    ),
    413: (Fault.TOO_LARGE,),
    422: (
        *(Fault.MALFORMED, Fault.WEAK_PASSWORD, Code.KEY_REUSED, Code.NOT_BEST),
        *(Code.NO_SUCH_AGREEMENT, Code.NO_SUCH_BET, Code.BET_TWICE, Code.BAD_STAKE),
        *(Code.OUTSIDE_LIMITS, Code.OFF_STEP, Code.EXCLUDED, Code.NEEDS_ANOTHER),
        *(Code.OVER_COUP_LIMIT, Code.BAD_AMOUNT, Code.PARTNERS_OVER_MAXIMUM, Code.STAKE_CAP),
        *(Code.BONUS_TERMS, Code.BONUS_BREACH, Code.WRONG_SECRET, Code.BAD_SETTINGS),
    ),
    429: (Fault.RATE_LIMITED, Fault.SIGN_IN_LOCKED),
    500: (Fault.INTERNAL,),
    501: (Fault.NOT_INSTALLED,),
    503: (Fault.STORE_UNAVAILABLE, Fault.BUSY, Fault.STOPPING),
}
_PRECEDENCE: tuple[Fault | Code, ...] = (
    *(Fault.NOT_HTTP, Fault.TOO_SLOW, Fault.TOO_LARGE, Fault.FOREIGN_ORIGIN, Fault.NO_SUCH_PAGE),
    *(Fault.METHOD_NOT_ALLOWED, Fault.NOT_JSON, Fault.NOT_SIGNED_IN, Fault.NEEDS_TOKEN),
    *(Fault.GIVEN_PASSWORD, Fault.NEEDS_SECOND_FACTOR),
    *(Fault.NO_CSRF_TOKEN, Code.NOT_ALLOWED, Fault.RATE_LIMITED),
    *(Fault.SIGN_IN_LOCKED, Fault.MALFORMED, Fault.WRONG_PASSWORD, Fault.EXPIRED_PASSWORD),
    *(Fault.SUSPENDED, Fault.WEAK_PASSWORD, Fault.ID_TAKEN, *Code, *Fault),
)
"""If several codes apply to a request, the first in this order is sent."""
_STATUS_OF = {code: status for status, codes in _STATUSES.items() for code in codes}
STATUS = {code: _STATUS_OF[code] for code in _PRECEDENCE}
"""HTTP status of each code, in order of precedence."""


class Section(StrEnum):
    """Where a player can read a rule."""

    DEAL = "deal"
    """A section of the game's rules."""
    WAGERING = "wagering"
    """A section of the game's rules, followed by the limits of the table."""
    LIMITS = "limits"
    """The player's own limits, breaks and exclusions, and those required by law."""


class Rule(TypedDict):
    """The rule on which a refusal is based."""

    number: str | None
    place: Section


RULES: dict[Fault | Code, Rule] = {
    code: {"number": number, "place": place}
    for code, number, place in (
        (Code.SELF_EXCLUDED, None, Section.LIMITS),
        (Code.ON_A_BREAK, None, Section.LIMITS),
        (Code.UNDER_AGE, None, Section.LIMITS),
        (Code.REALITY_CHECK, None, Section.LIMITS),
        (Code.TIME_LIMIT, None, Section.LIMITS),
        (Code.NO_SUCH_ROUND, "R05", Section.DEAL),
        (Code.BETTING_CLOSED, "R02", Section.DEAL),
        (Code.NO_SEAT, None, Section.WAGERING),
        (Code.OUTSIDE_LIMITS, "R35", Section.WAGERING),
        (Code.OFF_STEP, None, Section.WAGERING),
        (Code.EXCLUDED, "R32", Section.WAGERING),
        (Code.NEEDS_ANOTHER, "R28", Section.WAGERING),
        (Code.OVER_COUP_LIMIT, "R35", Section.WAGERING),
        (Code.PARTNERS_OVER_MAXIMUM, "R36", Section.WAGERING),
        (Code.DEPOSIT_LIMIT, None, Section.LIMITS),
        (Code.LOSS_LIMIT, None, Section.LIMITS),
        (Code.BONUS_BREACH, "R37", Section.WAGERING),
    )
}
"""The rule of the game, or the player's limits, behind each of these codes."""
ENGLISH = frozenset(
    {
        *(Fault.NOT_HTTP, Fault.TOO_SLOW, Fault.TOO_LARGE, Fault.FOREIGN_ORIGIN),
        *(Fault.METHOD_NOT_ALLOWED, Fault.NOT_JSON, Fault.NEEDS_TOKEN, Fault.MALFORMED),
    }
)
"""Faults that only API clients cause; their text is not in the catalogue."""


class Problem(Exception):
    """A fault of a request, sent to the client as a problem document.

    Its text is the message `problem-KEY` of the catalogue, or `key` itself if the fault is one of
    `ENGLISH`.
    """

    def __init__(
        self, fault: Fault, key: str, *, headers: dict[str, str] | None = None, **values: str | int
    ) -> None:
        super().__init__(fault, key)
        self.fault, self.key, self.headers, self.values = fault, key, headers or {}, values

    def __str__(self) -> str:
        return self.text(catalogue())

    def text(self, t: Catalogue) -> str:
        """Return the reason in the catalogue's language."""
        return self.key if self.fault in ENGLISH else t(f"problem-{self.key}", **self.values)


MAX_FAULTS = 50
"""Maximum number of faulty values listed in a problem document."""


class FaultyValue(TypedDict):
    """A value of a request that is missing or invalid."""

    where: str
    problem: str


class AmountInDetail(TypedDict):
    """An amount of money that the detail contains."""

    coins: int


class ProblemExtras(TypedDict, total=False):
    """Optional fields: the malformed values, the rule, and the values in the detail."""

    faults: list[FaultyValue]
    rule: Rule
    values: dict[str, str | int | list[str] | AmountInDetail]


class ProblemDocument(ProblemExtras):
    """Why a request was refused: a stable code, and a detail with the reason and the remedy."""

    type: str
    title: str
    status: int
    code: Annotated[str, Meta(extra_json_schema={"enum": [*Fault, *Code]})]
    detail: str


def problem(
    code: Fault | Code,
    words: str,
    *,
    headers: dict[str, str] | None = None,
    **more: Unpack[ProblemExtras],
) -> Response:
    """Return a problem document as a response."""
    document: ProblemDocument = {
        "type": f"urn:baccarat:problem:{code}",
        "title": str(code).replace("-", " "),
        "status": STATUS[code],
        "code": code,
        "detail": words,
        **more,
    }
    if rule := RULES.get(code):
        document["rule"] = rule
    # All escaped: a detail may quote text that cannot be encoded as UTF-8.
    body = json.dumps(document, ensure_ascii=True)
    return Response(body, STATUS[code], media_type=MEDIA_TYPE, headers=headers)


def response_to(error: BaseException, scope: Scope | None = None, currency: str = "") -> Response:
    """Return the response to a request that ended in this error, in the visitor's language."""
    t = catalogue() if scope is None else words_for(HTTPConnection(scope))
    match error:
        case Problem():
            return problem(error.fault, error.text(t), headers=error.headers)
        case Refused():
            values = error.message.plain_values
            return problem(error.code, error.text(t, currency), values=values)
        case ValidationException():
            return _invalid(error, scope, t)
        case HTTPException():
            # FastAPI wraps anything raised while it reads a body in an HTTPException.
            cause = error.__cause__
            return response_to(cause if isinstance(cause, Problem) else _http(error, scope), scope)
        case StoreError():
            log.error("store error", extra={"why": str(error)})
            words = t("problem-store-unavailable", state=_state(scope))
            return problem(Fault.STORE_UNAVAILABLE, words, headers={"Retry-After": "1"})
        case BaccaratError():
            return problem(Fault.MALFORMED, str(error))
    log.error("internal error", exc_info=error)
    return problem(Fault.INTERNAL, t("problem-internal"))


def stopping(scope: Scope, *, nothing_done: bool) -> Problem:
    """Return the problem for a request that is under way when the server stops.

    `nothing_done` is True if the request had not fully arrived, so it was not processed.
    """
    state = _state(scope)
    if state != "read" and nothing_done:
        state = "nothing-done"
    headers = {"Retry-After": "1", "Connection": "close"}
    return Problem(Fault.STOPPING, "stopping", headers=headers, state=state)


def _state(scope: Scope | None) -> str:
    """Return "read" if a failed request only reads, "retry" if it can be retried with its key, or
    else "unknown"."""
    if scope is None or scope.get("method", "GET") in SAFE:
        return "read"
    return "retry" if "idempotency-key" in Headers(scope=scope) else "unknown"


def _invalid(error: ValidationException, scope: Scope | None, t: Catalogue) -> Response:
    found = error.errors()
    if any(fault["type"] == "json_invalid" for fault in found):
        return problem(Fault.NOT_JSON, "The body is not JSON. Send a JSON object.")
    kind = Headers(scope=scope).get("content-type", "")[:100].lower() if scope else ""
    whole = any(tuple(fault["loc"]) == ("body",) and fault["type"] != "missing" for fault in found)
    if whole and "json" not in kind:
        sent = f"as {kind}" if kind else "without a Content-Type"
        words = f"The body was sent {sent}. Send a JSON object as application/json."
        return problem(Fault.NOT_JSON, words)
    faults: list[FaultyValue] = [
        {
            "where": ".".join(str(part)[:100] for part in fault["loc"]),
            "problem": _reason(fault, t),
        }
        for fault in found[:MAX_FAULTS]
    ]
    first = faults[0]
    return problem(Fault.MALFORMED, f"{first['where']}: {first['problem']}", faults=faults)


def _reason(fault: dict[str, Any], t: Catalogue) -> str:
    """Return what is wrong with a value: a message of ours, or pydantic's in English."""
    match fault:
        case {"ctx": {"error": ValueError(args=(Message() as message,))}}:
            return message.text(t)
        case {"type": "missing"}:
            return t("problem-value-missing")
        case {"type": "int_type" | "int_parsing" | "int_from_float"}:
            return t("problem-value-not-whole")
        case {"type": "string_too_short", "ctx": {"min_length": least}}:
            return t("problem-value-too-short", least=least)
        case {"type": "string_too_long", "ctx": {"max_length": most}}:
            return t("problem-value-too-long", most=most)
        case {"type": "greater_than_equal", "ctx": {"ge": least}}:
            return t("problem-value-too-small", least=least)
        case {"type": "less_than_equal", "ctx": {"le": most}}:
            return t("problem-value-too-large", most=most)
    return str(fault["msg"])


def _methods(scope: Scope) -> list[str]:
    """Return the methods that a path allows; the framework lists only those of one route."""
    routes = scope["app"].routes
    return [
        method
        for method in METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in routes)
    ]


def _http(error: HTTPException, scope: Scope | None) -> Problem:
    match error.status_code:
        case 404:
            return Problem(Fault.NO_SUCH_PAGE, "no-such-page")
        case 405:
            allowed = _methods(scope) if scope else []
            words = f"Method not allowed. Use {one_of(allowed)}."
            headers = {"Allow": ", ".join(allowed)}
            return Problem(Fault.METHOD_NOT_ALLOWED, words, headers=headers)
    return Problem(Fault.NOT_JSON, "The body cannot be read. Send a JSON object.")
