"""Checks of answers against the OpenAPI document, made by every test client. The document allows

future additions, but is read strictly here: a key that it does not name is a fault, and so is an

undocumented answer.
"""

import re
from functools import cache
from typing import Any

import httpx
import jsonschema_rs

from baccarat.web.schema import JSON
from baccarat.web.server.app import documented
from baccarat.web.server.problems import MEDIA_TYPE
from baccarat.web.server.site import API


class NotDocumented(AssertionError):
    """An answer that does not match the document."""


def check(answer: httpx.Response) -> None:
    """Raise NotDocumented for an answer of the API that the document does not describe."""
    path = answer.request.url.path
    if not path.startswith(f"{API}/") or answer.status_code == 304:
        return
    answer.read()
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind not in (JSON, MEDIA_TYPE) or not answer.content:
        return
    ask = f"{answer.request.method} {path}"
    validator = _validator(_promise(answer.request.method, path), answer.status_code, kind)
    fault = next(validator.iter_errors(answer.json()), None) if validator else "no form is named"
    if fault is not None:
        raise NotDocumented(f"{ask} {answer.status_code}: {fault}")


def strict(schema: Any) -> Any:
    """Return a schema that allows only the keys it names."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "if" in schema:  # it lists some keys of an object defined elsewhere
        return schema
    made = {name: strict(one) for name, one in schema.items()}
    if "properties" in schema and isinstance(schema["properties"], dict) and "allOf" not in schema:
        made.setdefault("additionalProperties", False)
    return made


@cache
def _document() -> dict[str, Any]:
    return documented()


@cache
def _paths() -> list[tuple[re.Pattern[str], str]]:
    """Return every path as a pattern, plain ones first."""
    paths = sorted(_document()["paths"], key=lambda path: (path.count("{"), path))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in paths]


def _promise(method: str, path: str) -> str:
    for pattern, known in _paths():
        if pattern.fullmatch(path) and method.lower() in _document()["paths"][known]:
            return f"{method} {known}"
    return ""


@cache
def _validator(promise: str, status: int, kind: str) -> Any:
    """Return the validator of such an answer, or None if it is not documented."""
    if not promise:  # an unknown address or method
        schema = {"$ref": "#/components/schemas/ProblemDocument"}
    else:
        method, path = promise.split()
        reply = _document()["paths"][path][method.lower()]["responses"]
        content = reply.get(str(status)) or reply.get(f"{status // 100}XX") or {}
        schema = content.get("content", {}).get(kind, {}).get("schema")
    if not schema:
        return None
    components = {"schemas": _named_in(schema, {})}
    return jsonschema_rs.validator_for({**schema, "components": components})


def _named_in(schema: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Add the components that a schema refers to, directly or not; all of them load slowly."""
    for name in re.findall(r"'#/components/schemas/([^']+)'", repr(schema)):
        if name not in found:
            found[name] = _components()[name]
            _named_in(found[name], found)
    return found


@cache
def _components() -> dict[str, Any]:
    return strict(_document()["components"]["schemas"])
