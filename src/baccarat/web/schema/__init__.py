"""Schemas of the API's JSON responses, and the route class that applies them.

An endpoint declares the schema of its response as its return type. mypy checks the code against it,
and the OpenAPI document is generated from it. Responses are not validated at run time; tests
compare them with the document. If another package already defines the type of a value (a clock, a
proposal), that type is used, so that no schema is written twice.
"""

import json
from collections.abc import Iterable
from functools import partial, wraps
from typing import Annotated, Any, NotRequired, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec
from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from msgspec import Meta
from typing_extensions import TypedDict, is_typeddict

from baccarat.core.errors import BaccaratError
from baccarat.table.codec import encode
from baccarat.web.schema.events import COMPONENT, by_type, schemas, written
from baccarat.web.server.problems import Fault, Problem

T = TypeVar("T")
JSON = "application/json"
MAX_KEYS = 1_000
"""Maximum keys in a request body, nested objects included; the largest schema has 400."""
Coins = Annotated[int, Meta(description="whole coins")]
Time = Annotated[int, Meta(description="milliseconds since 1970, by the server's clock")]
Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})+$")]
Coup = Annotated[str, Meta(examples=["P:8hQh=8 B:7c9c=6"])]
Percent = Annotated[str, Meta(examples=["1.06%"])]


_IN_AN_ID = str.maketrans(" _", "--")


class TypedRoute(APIRoute):
    """A route whose response has a schema, which is documented but not validated at run time.

    Its operation id, used by generated clients, consists of its tag and its function's name.
    """

    form: Any = None

    def __init__(self, path: str, endpoint: Any, **options: Any) -> None:
        returned = get_type_hints(endpoint, include_extras=True).get("return")
        if is_form(returned):
            self.form = returned
            endpoint = _sending(endpoint, options.get("status_code") or 200)
        elif get_origin(returned) is Annotated:  # it returns a finished Response
            self.form = get_args(returned)[1]
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
    """A request whose body is read with `strict_json`."""

    async def json(self) -> Any:
        return strict_json(await self.body())


def strict_json(body: bytes | str) -> Any:
    """Decode a body, or raise a Problem if it has duplicate keys or too many keys.

    Given duplicate keys, one parser may use the first and another the last. With many keys, it
    would be expensive to report every fault.
    """
    keys = 0

    def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal keys
        keys += len(pairs)
        if keys > MAX_KEYS:
            words = f"The body has more than {MAX_KEYS:,} keys. Send fewer."
            raise Problem(Fault.MALFORMED, words)
        found = dict(pairs)
        if len(found) < len(pairs):
            words = "The body contains the same key twice. Send each key once."
            raise Problem(Fault.NOT_JSON, words)
        return found

    return json.loads(body, object_pairs_hook=each_once)


Routes = partial(APIRouter, route_class=TypedRoute)
"""A router whose endpoints declare the schema of their response."""


def filled(form: type[T], source: object, **more: Any) -> T:
    """Return a `form` with the source's attributes of the same names and the values in `more`."""
    names = form.__required_keys__ - more.keys()  # type: ignore[attr-defined]
    return cast("T", {**{name: getattr(source, name) for name in names}, **more})


def json_response(answer: Any, status: int = 200) -> Response:
    """Encode an endpoint's return value as a JSON response."""
    return Response(encode(answer), status, media_type=JSON)


def _sending(endpoint: Any, status: int) -> Any:
    @wraps(endpoint)
    async def send(*args: Any, **named: Any) -> Response:
        answer = await endpoint(*args, **named)
        return answer if isinstance(answer, Response) else json_response(answer, status)

    return send


def is_form(kind: Any) -> bool:
    """Return whether a type is the schema of a response."""
    return is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct))


def describe(document: dict[str, Any], routers: Iterable[APIRouter], *others: Any) -> None:
    """Add the schemas of all responses, and those of `others`, to the OpenAPI document."""
    every = (one for router in routers for one in router.routes if isinstance(one, TypedRoute))
    routes = [one for one in every if one.form is not None and one.include_in_schema]
    forms = dict.fromkeys([*others, *(one.form for one in routes)])
    found, parts = msgspec.json.schema_components(
        forms, schema_hook=written, ref_template=COMPONENT.format(model="{name}")
    )
    answers = dict(zip(forms, found, strict=True))
    known = document["components"]["schemas"]
    for name, part in [*parts.items(), *schemas().items()]:
        if not _alike(known.setdefault(name, part), part):
            raise BaccaratError(f"two schemas are named {name}: rename one of them")
    for event in (Happened, EventView):
        known[event.__name__]["allOf"] = by_type()
    for route in routes:
        for method in route.methods or ():
            listed = document["paths"][route.path][method.lower()]["responses"]
            for status in {str(route.status_code or 200), *map(str, route.responses)} & {*listed}:
                listed[status]["content"] = {JSON: {"schema": answers[route.form]}}


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two schemas are equal; the values of an enumeration may be in any order."""
    if "enum" in one and "enum" in other:
        return sorted(one["enum"]) == sorted(other["enum"])
    return one == other


class Happened(TypedDict):
    """A journal event; its other fields depend on `type` (docs/reference/events.md)."""

    type: str


class EventView(Happened):
    """An event as the reader may see it; readers who may see everything also get its hash."""

    sequence: int
    hash: NotRequired[Hex]


class Done(TypedDict):
    """The events that a command has caused."""

    events: list[Happened]
    first: Annotated[int, Meta(description="journal number of the first event")]
