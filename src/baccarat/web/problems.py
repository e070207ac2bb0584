"""Problems: what a client is told when something is refused, as problem+json with a stable code.

In goes a refusal of the house, a fault of the request or an error, out comes one document. The one
rule: the client learns a code, the reason and the remedy, and nothing of what is inside.
"""

import json
import logging
from enum import StrEnum
from typing import Unpack

from fastapi import Response
from fastapi.exceptions import ValidationException
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Scope
from typing_extensions import TypedDict

from baccarat.core.errors import BaccaratError
from baccarat.store.engine import StoreError
from baccarat.table.refusals import Code, Refused
from baccarat.web.stated import Rule, rule_behind

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
"""All that are used here."""
MEDIA_TYPE = "application/problem+json"
log = logging.getLogger(__name__)


class Fault(StrEnum):
    """What can be wrong with a request besides what the house refuses."""

    NOT_HTTP = "not-http"
    """No request, or headers of more bytes than any needs."""
    TOO_SLOW = "too-slow"
    """A request that has not come whole within its time."""
    TOO_LARGE = "too-large"
    """A body of more bytes than any request needs."""
    FOREIGN_ORIGIN = "foreign-origin"
    """Sent by a page of another site."""
    NO_SUCH_PAGE = "no-such-page"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    NOT_JSON = "not-json"
    NOT_SIGNED_IN = "not-signed-in"
    """No session, or one that is over."""
    NEEDS_TOKEN = "needs-token"  # noqa: S105
    """For those who run the server, who show a token."""
    GIVEN_PASSWORD = "given-password"  # noqa: S105
    """An initial password: its owner changes it before anything else."""
    EXPIRED_PASSWORD = "expired-password"  # noqa: S105
    """An initial password that was not used in time."""
    SUSPENDED = "suspended"
    """The account is suspended."""
    NO_CSRF_TOKEN = "no-csrf-token"  # noqa: S105
    """The X-CSRF-Token header is missing or belongs to another session."""
    RATE_LIMITED = "rate-limited"
    SIGN_IN_LOCKED = "sign-in-locked"
    """Too many wrong passwords in a row: nobody signs in under that name for a while."""
    MALFORMED = "malformed"
    """A value that is missing or of another form."""
    WRONG_PASSWORD = "wrong-password"  # noqa: S105
    WEAK_PASSWORD = "weak-password"  # noqa: S105
    """A common password, a row of keys, or the account's own name: choose another."""
    ID_TAKEN = "id-taken"
    """An account's id is given once."""
    NOT_INSTALLED = "not-installed"
    """The server lacks an optional part."""
    STORE_UNAVAILABLE = "store-unavailable"
    """Whether a command was done is not known: send it again, under the same idempotency key."""
    BUSY = "busy"
    """Too much is being computed already, or it took too long."""
    STOPPING = "stopping"
    """The server stops and waits no longer; its words tell whether anything can have been done."""
    INTERNAL = "internal"
    """A fault of ours. It is logged; the client is told no more."""


STATUS: dict[Fault | Code, int] = {
    Fault.NOT_HTTP: 400,
    Fault.TOO_SLOW: 408,
    Fault.TOO_LARGE: 413,
    Fault.FOREIGN_ORIGIN: 403,
    Fault.NO_SUCH_PAGE: 404,
    Fault.METHOD_NOT_ALLOWED: 405,
    Fault.NOT_JSON: 400,
    Fault.NOT_SIGNED_IN: 401,
    Fault.NEEDS_TOKEN: 401,
    Fault.GIVEN_PASSWORD: 403,
    Fault.NO_CSRF_TOKEN: 403,
    Code.NOT_ALLOWED: 403,
    Fault.RATE_LIMITED: 429,
    Fault.SIGN_IN_LOCKED: 429,
    Fault.MALFORMED: 422,
    Fault.WRONG_PASSWORD: 401,
    Fault.EXPIRED_PASSWORD: 403,
    Fault.SUSPENDED: 403,
    Fault.WEAK_PASSWORD: 422,
    Fault.ID_TAKEN: 409,
    Code.NO_SUCH_ACCOUNT: 404,
    Code.NO_SUCH_TABLE: 404,
    Code.KEY_REUSED: 422,
    Code.STALE_EPOCH: 409,
    Code.SELF_EXCLUDED: 403,
    Code.ON_A_BREAK: 403,
    Code.REGISTER_SILENT: 403,
    Code.UNDER_AGE: 403,
    Code.REALITY_CHECK: 409,
    Code.TIME_LIMIT: 409,
    Code.NO_SUCH_ROUND: 409,
    Code.TABLE_PAUSED: 409,
    Code.BETTING_CLOSED: 409,
    Code.WAGERS_CHANGED: 409,
    Code.NO_SEAT: 409,
    Code.WRONG_PHASE: 409,
    Code.NOT_THE_DEALER: 409,
    Code.RESULT_STANDS: 409,
    Code.IRREGULAR: 409,
    Code.RECTIFY_FIRST: 409,
    Code.TOO_EARLY: 409,
    Code.NO_SUCH_DISPUTE: 404,
    Code.ALREADY_DISPUTED: 409,
    Code.NOTHING_OPEN: 409,
    Code.NOT_BEST: 422,
    Code.NO_SUCH_AGREEMENT: 422,
    Code.NO_SUCH_BET: 422,
    Code.BET_TWICE: 422,
    Code.BAD_STAKE: 422,
    Code.OUTSIDE_LIMITS: 422,
    Code.OFF_STEP: 422,
    Code.EXCLUDED: 422,
    Code.NEEDS_ANOTHER: 422,
    Code.OVER_COUP_LIMIT: 422,
    Code.BAD_AMOUNT: 422,
    Code.PARTNERS_OVER_MAXIMUM: 422,
    Code.INSUFFICIENT_FUNDS: 409,
    Code.STAKE_CAP: 422,
    Code.DEPOSIT_LIMIT: 409,
    Code.LOSS_LIMIT: 409,
    Code.BONUS_TERMS: 422,
    Code.BONUS_BREACH: 422,
    Code.WRONG_CARD: 409,
    Code.WRONG_SECRET: 422,
    Code.ALREADY_CONTRIBUTED: 409,
    Code.NEEDS_TWO_PEOPLE: 403,
    Code.STALE_VIEW: 409,
    Code.BAD_SETTINGS: 422,
    Fault.NOT_INSTALLED: 501,
    Fault.STORE_UNAVAILABLE: 503,
    Fault.BUSY: 503,
    Fault.STOPPING: 503,
    Fault.INTERNAL: 500,
}
"""The status each code is sent with, in order of precedence."""


class Problem(Exception):
    """A fault of a request, on its way to the client."""

    def __init__(self, fault: Fault, words: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(words)
        self.fault, self.headers = fault, headers or {}


class FaultyValue(TypedDict):
    """A value of a request that is missing or of another form."""

    where: str
    problem: str


class CoinsSaid(TypedDict):
    """Money within a sentence."""

    coins: int


class More(TypedDict, total=False):
    """What some problems tell besides: what is malformed; the rule; the detail with its values
    apart."""

    faults: list[FaultyValue]
    rule: Rule
    sentence: str
    values: dict[str, str | int | CoinsSaid]


class ProblemDocument(More):
    """Why a request was refused: a stable code, and the reason and the remedy in words."""

    type: str
    title: str
    status: int
    code: Fault | Code
    detail: str


def problem(
    code: Fault | Code,
    words: str,
    *,
    headers: dict[str, str] | None = None,
    **more: Unpack[More],
) -> Response:
    """The document."""
    document: ProblemDocument = {
        "type": f"urn:baccarat:problem:{code}",
        "title": str(code).replace("-", " "),
        "status": STATUS[code],
        "code": code,
        "detail": words,
        **more,
    }
    if rule := rule_behind(code):
        document["rule"] = rule
    # Escaped throughout: a detail may quote text that has no form in UTF-8.
    body = json.dumps(document, ensure_ascii=True)
    return Response(body, STATUS[code], media_type=MEDIA_TYPE, headers=headers)


def response_to(error: BaseException, scope: Scope | None = None) -> Response:
    """What a client is told of an error, in answer to what it asked."""
    match error:
        case Problem():
            return problem(error.fault, str(error), headers=error.headers)
        case Refused():
            return problem(error.code, str(error), **error.said.plain())
        case ValidationException():
            return _invalid(error, scope)
        case HTTPException():
            # FastAPI calls whatever stops it from reading a body an error of HTTP.
            cause = error.__cause__
            return response_to(cause, scope) if isinstance(cause, Problem) else _http(error, scope)
        case StoreError():
            log.error("the store failed", extra={"why": str(error)})
            headers = {"Retry-After": "1"}
            return problem(Fault.STORE_UNAVAILABLE, _not_known(scope), headers=headers)
        case BaccaratError():
            return problem(Fault.MALFORMED, str(error))
    log.error("an error of ours", exc_info=error)
    return problem(Fault.INTERNAL, "something went wrong here; it has been written down")


def stopping(scope: Scope, *, nothing_done: bool) -> Problem:
    """The server stops while a request is under way; one that has not come whole was not begun."""
    if scope["method"] in SAFE:
        rest = "ask again"
    elif nothing_done:
        rest = "the request had not come whole, and nothing was done: send it again"
    else:
        rest = _not_known(scope)
    headers = {"Retry-After": "1", "Connection": "close"}
    return Problem(Fault.STOPPING, f"the server is stopping; {rest}", headers=headers)


def _not_known(scope: Scope | None) -> str:
    if scope is None or scope.get("method", "GET") in SAFE:
        return "the books cannot be read at this moment: try again"
    if "idempotency-key" in Headers(scope=scope):
        return "whether this was done is not known: send it again under the same key"
    return "whether this was done is not known: look whether it was before you send it again"


def _invalid(error: ValidationException, scope: Scope | None) -> Response:
    found = error.errors()
    if any(one["type"] == "json_invalid" for one in found):
        return problem(Fault.NOT_JSON, "the body is not JSON: send one JSON object")
    kind = Headers(scope=scope).get("content-type", "")[:100].lower() if scope else ""
    whole = any(tuple(one["loc"]) == ("body",) and one["type"] != "missing" for one in found)
    if whole and "json" not in kind:
        sent = f"as {kind}" if kind else "without a Content-Type"
        words = f"the body was sent {sent}: send one JSON object, as application/json"
        return problem(Fault.NOT_JSON, words)
    faults: list[FaultyValue] = [
        {
            "where": ".".join(str(part) for part in one["loc"]),
            "problem": one["msg"].removeprefix("Value error, "),
        }
        for one in found
    ]
    first = faults[0]
    return problem(Fault.MALFORMED, f"{first['where']}: {first['problem']}", faults=faults)


def _methods(scope: Scope) -> list[str]:
    """By which an address can be asked: the framework names those of one route alone."""
    routes = scope["app"].routes
    return [
        method
        for method in METHODS
        if any(one.matches({**scope, "method": method})[0] is Match.FULL for one in routes)
    ]


def _http(error: HTTPException, scope: Scope | None) -> Response:
    match error.status_code:
        case 404:
            return problem(Fault.NO_SUCH_PAGE, "there is nothing here: see /openapi.json")
        case 405:
            allowed = ", ".join(_methods(scope)) if scope else "see /openapi.json"
            words = f"another method: {allowed}"
            return problem(Fault.METHOD_NOT_ALLOWED, words, headers={"Allow": allowed})
    return problem(Fault.NOT_JSON, "the body cannot be read: send one JSON object")
