"""The values of events, by form: what `value` holds for each `type`, as JSON Schema.

In go the events of a table and who sees what of them; out comes a schema for each, in which the
fields that not everybody is told, or that came later, are not required. The OpenAPI document holds
it and docs/events.md shows it. The one rule: a field is described where it is declared.
"""

import ast
import inspect
import re
import sys
import types
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from baccarat.core.cards import Card
from baccarat.service.telling import ACCOUNTS, DEALERS, OWN_LISTS, SIGHT, Sight
from baccarat.table import events as e
from baccarat.table.canonical import to_plain

COMPONENT = "#/components/schemas/{model}"
Schema = dict[str, Any]
WHO_DID_IT = "Told to who did it alone."
WHO_SEES_ALL = "Told to those who see everything alone."
OWN = "The reader's own alone."
NAMED = "The dealer's name; the account's id for those who see everything."
TEXT: Schema = {"type": "string"}
_PLAIN: dict[Any, Schema] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: TEXT,
    bytes: {"type": "string", "format": "hex", "pattern": "^([0-9a-f]{2})*$"},
    Card: {"type": "string", "format": "card", "examples": ["Kh", "10c"]},
}


def named(kind: type) -> str:
    """What the schema of a value is called."""
    return f"{kind.__name__}Value"


def schemas() -> dict[str, Schema]:
    """Every event's value, and the objects within them, by name."""
    made: dict[str, Schema] = {}
    for kind in e.EVENTS.values():
        made |= {named(one): _object(one) for one in _with_parts(kind)}
    return made


def by_type() -> list[Schema]:
    """For a schema with `type` and `value`: the one follows from the other. An event that is not
    listed may come one day, and is no fault."""
    return [
        {
            "if": {"properties": {"type": {"const": name}}},
            "then": {"properties": {"value": {"$ref": COMPONENT.format(model=named(kind))}}},
        }
        for name, kind in e.EVENTS.items()
    ]


def _with_parts(kind: Any) -> Iterator[type]:
    """A dataclass and those within it."""
    yield kind
    for hint in get_type_hints(kind).values():
        yield from _dataclasses_in(hint)


def _dataclasses_in(hint: Any) -> Iterator[type]:
    if is_dataclass(hint) and hint is not Card:
        yield from _with_parts(hint)
    for part in get_args(hint):
        yield from _dataclasses_in(part)


def _object(kind: Any) -> Schema:
    hints = get_type_hints(kind, include_extras=True)
    properties: dict[str, Schema] = {}
    required = []
    for one in fields(kind):
        name, form, hidden = one.name, _form(hints[one.name]), _hidden(kind, one.name)
        later = bool(one.metadata.get("later"))
        said = (_said_of(kind, name), *_choices(hints[name]), hidden, _shown(kind, name))
        if words := " ".join(filter(None, said)):
            form = {**form, "description": words}
        properties[name] = {**form, "default": to_plain(one.default)} if later else form
        if not (later or hidden):
            required.append(name)
    if kind is e.ContributionRevealed:
        words = "The contributor's; those who see everything have the account's id alone."
        properties["name"] = {**TEXT, "description": words}
    made = {"title": named(kind), "type": "object", "description": _said_of(kind)}
    return {**made, "properties": properties, "required": required}


def _hidden(kind: type, name: str) -> str:
    """To whom alone a field is told of an event that everyone sees; nothing where to everyone."""
    sight = SIGHT.get(kind)
    if sight not in (Sight.UNNAMED, Sight.RESULTS) or name not in ACCOUNTS:
        return ""
    one_did_it = sight is Sight.UNNAMED and get_origin(get_type_hints(kind).get("by")) is not tuple
    return WHO_DID_IT if one_did_it else WHO_SEES_ALL


def _shown(kind: type, name: str) -> str:
    """In which way a field is told to everyone."""
    sight = SIGHT.get(kind)
    if sight in (Sight.PUBLIC, Sight.RESULTS, Sight.UNNAMED) and name in DEALERS:
        return NAMED
    return OWN if sight is Sight.RESULTS and name in OWN_LISTS else ""


def _form(hint: Any) -> Schema:
    """How a value of such a type is written in JSON."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return {**_form(parts[0]), "format": parts[1]}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_form(parts[0]), {"type": "null"}]}
    if origin is tuple and parts[-1] is Ellipsis:
        return {"type": "array", "items": _form(parts[0])}
    if origin is tuple:
        count = len(parts)
        items = [_form(part) for part in parts]
        return {"type": "array", "prefixItems": items, "minItems": count, "maxItems": count}
    if hint in _PLAIN:
        return _PLAIN[hint]
    if issubclass(hint, Enum):
        return {"type": "string", "enum": [one.value for one in hint]}
    return {"$ref": COMPONENT.format(model=named(hint))}


def _choices(hint: Any) -> Iterator[str]:
    """What the choices of a field mean, where the source says so."""
    for part in (hint, *get_args(hint)):
        if isinstance(part, type) and issubclass(part, Enum):
            for one in part:
                if words := _said_of(part, one.name):
                    yield f"`{one.value}`: {words}"


def _said_of(kind: type, name: str = "") -> str:
    """The sentence below a class or one of its fields, which may be a class's before it."""
    classes = kind.__mro__ if name else (kind,)
    known = (_said_in(one.__module__).get((one.__name__, name), "") for one in classes)
    return re.sub(r"\bNone\b", "`null`", next(filter(None, known), ""))


@cache
def _said_in(module: str) -> dict[tuple[str, str], str]:
    """The sentences of a module, by class and field; none where its source is not at hand."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):
        return {}
    said = {}
    for kind in (one for one in tree.body if isinstance(one, ast.ClassDef)):
        said[kind.name, ""] = " ".join((ast.get_docstring(kind) or "").split())
        for before, after in pairwise(kind.body):
            match before, after:
                case (
                    ast.AnnAssign(target=ast.Name(id=name))
                    | ast.Assign(targets=[ast.Name(id=name)]),
                    ast.Expr(value=ast.Constant(value=str(words))),
                ):
                    said[kind.name, name] = " ".join(words.split())
    return said
