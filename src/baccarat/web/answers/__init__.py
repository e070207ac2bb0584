"""What clients are told, by form: every answer of the API that is JSON.

An endpoint names the form of its answer as the type it returns. mypy holds the code to it, the
OpenAPI document is made from it, and answers are sent as they are: checked where tests read them
against the document, not again at every request. A value that the rooms below already describe
(a clock, a proposal) is that type itself. The one rule: no form is written down twice.
"""

import json
from collections.abc import Iterable
from functools import wraps
from typing import Annotated, Any, NotRequired, get_args, get_origin, get_type_hints

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from pydantic import Field, TypeAdapter
from pydantic_core import to_json
from typing_extensions import TypedDict, is_typeddict

from baccarat.core.errors import BaccaratError
from baccarat.web.answers.happened import COMPONENT, by_type, schemas
from baccarat.web.problems import Fault, Problem

JSON = "application/json"
Coins = Annotated[int, Field(description="whole coins")]
Time = Annotated[int, Field(description="milliseconds since 1970, the server's")]
Hex = Annotated[str, Field(pattern="^([0-9a-f]{2})+$")]
Card = Annotated[str, Field(examples=["8h", "10c"])]
Coup = Annotated[str, Field(examples=["P:8hQh=8 B:7c9c=6"])]
Winner = Annotated[str, Field(examples=["player", "banker", "tie"])]
Percent = Annotated[str, Field(examples=["1.06%"])]


_IN_AN_ID = str.maketrans(" _", "--")


class Told(APIRoute):
    """An endpoint whose answer has a form: named in the document, and sent without a look.

    Its own name in the document, by which generated clients call it, is its tag and its function's.
    """

    form: Any = None

    def __init__(self, path: str, endpoint: Any, **options: Any) -> None:
        told = get_type_hints(endpoint, include_extras=True).get("return")
        if is_typeddict(told):
            self.form = told
            endpoint = _sending(endpoint, options.get("status_code") or 200)
        elif get_origin(told) is Annotated:  # a Response that is already made
            self.form = get_args(told)[1]
        if self.form is not None:
            options["response_model"] = None
        tag = (options.get("tags") or [""])[0]
        options["operation_id"] = f"{tag}-{endpoint.__name__}".translate(_IN_AN_ID)
        super().__init__(path, endpoint, **options)

    def get_route_handler(self) -> Any:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle

        async def strictly(request: Request) -> Response:
            return await handle(_Strict(request.scope, request.receive))

        return strictly


class _Strict(Request):
    """A request whose body has every key once: of two, one reader may take the first, and another
    the last."""

    async def json(self) -> Any:
        return json.loads(await self.body(), object_pairs_hook=_each_once)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Problem(Fault.NOT_JSON, "the body has a key twice: send every key once")
    return found


class Routes(APIRouter):
    """Endpoints of which each says what it tells."""

    def __init__(self, **options: Any) -> None:
        super().__init__(route_class=Told, **options)


def sent(answer: Any, status: int = 200) -> Response:
    """An answer on its way."""
    return Response(to_json(answer), status, media_type=JSON)


def _sending(endpoint: Any, status: int) -> Any:
    @wraps(endpoint)
    async def send(*args: Any, **named: Any) -> Response:
        answer = await endpoint(*args, **named)
        return answer if isinstance(answer, Response) else sent(answer, status)

    return send


def describe(document: dict[str, Any], routers: Iterable[APIRouter], *others: Any) -> None:
    """Put the forms of all answers into the OpenAPI document, and some others."""
    every = (one for router in routers for one in router.routes if isinstance(one, Told))
    routes = [one for one in every if one.form is not None and one.include_in_schema]
    forms = dict.fromkeys([*others, *(one.form for one in routes)])
    adapters = [(form, "serialization", TypeAdapter(form)) for form in forms]
    found, parts = TypeAdapter.json_schemas(adapters, ref_template=COMPONENT)  # type: ignore[arg-type]
    answers = {form: schema for (form, _), schema in found.items()}
    known = document["components"]["schemas"]
    for name, part in [*parts["$defs"].items(), *schemas().items()]:
        if known.setdefault(name, part) != part:
            raise BaccaratError(f"{name} is the name of two forms: call one of them otherwise")
    for event in (Happened, EventTold):
        known[event.__name__]["allOf"] = by_type()
    for route in routes:
        for method in route.methods or ():
            told = document["paths"][route.path][method.lower()]["responses"]
            for status in {str(route.status_code or 200), *map(str, route.responses)} & {*told}:
                told[status]["content"] = {JSON: {"schema": answers[route.form]}}


class Happened(TypedDict):
    """An event of a journal; what `value` holds follows from `type` (docs/events.md)."""

    type: str
    v: int
    value: dict[str, Any]


class EventTold(Happened):
    """As the reader may see it; with its hash for those who see all of it."""

    sequence: int
    hash: NotRequired[Hex]


class Done(TypedDict):
    """What a command has caused."""

    events: list[Happened]
    first: Annotated[int, Field(description="the first event's number in the journal")]
    warnings: NotRequired[list[str]]
