"""Values to canonical JSON and back: one value, one sequence of bytes.

In go frozen dataclasses of plain fields (text, whole numbers, flags, bytes, cards, tuples, named
values, mappings from text, other such dataclasses); out comes JSON with sorted keys and no blanks,
which the journal hashes. Bytes are written as lower-case hex, cards as `Kh`. A field that came
later (`later`) is left out while it has its default, so that what was written before reads the
same. The one rule: strict both ways. A float has no canonical form, and a key, type or value that
does not belong is refused when reading.
"""

import json
import re
import types
import typing
from collections.abc import Callable, Iterable
from dataclasses import field, fields, is_dataclass
from enum import Enum
from functools import cache
from json.encoder import encode_basestring
from typing import Any, TypeVar, cast, get_args, get_origin

from baccarat.core.cards import Card, parse_card
from baccarat.core.errors import BaccaratError

T = TypeVar("T")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_LATER = {"later": True}


class NotCanonical(BaccaratError):
    """A value without a canonical form, or text that is not the form of such a value."""


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def later(default: T) -> T:
    """A field that older values do not have; it is not written while it has this default.

    The default is part of the form: it never changes, or old values would change their meaning.
    """
    return field(default=default, metadata=_LATER)


def canonical_text(plain: Any) -> str:
    """Plain JSON values as text; a float, which has no one way of writing it, is refused."""
    _refuse_floats(plain)
    return _ENCODER.encode(plain)


def canonical_bytes(value: Any) -> bytes:
    """A value, or named values, as canonical text in UTF-8."""
    return _text(value).encode()


def to_plain(value: Any) -> Any:
    """A value as what JSON can hold."""
    return json.loads(_text(value))


def _text(value: Any) -> str:
    return _WRITE[type(value)](value)


class _Writers(dict[type, Callable[[Any], str]]):
    """How values of a type are written: found once, because every event asks it many times."""

    def __missing__(self, kind: type) -> Callable[[Any], str]:
        self[kind] = found = _writer(kind)
        return found


def _writer(kind: Any) -> Callable[[Any], str]:
    if kind is tuple:
        return _write_tuple
    if kind is dict:
        return lambda value: _object(sorted(value.items(), key=lambda item: str(item[0])))
    if is_dataclass(kind):
        return _writer_of_fields(kind)
    if issubclass(kind, Enum):
        return lambda value: _text(value.value)
    if issubclass(kind, bytes):
        return lambda value: f'"{value.hex()}"'
    return _refuse


def _write_tuple(value: tuple[Any, ...]) -> str:
    return f"[{','.join([_WRITE[type(item)](item) for item in value])}]" if value else "[]"


def _object(items: Iterable[tuple[str, Any]]) -> str:
    return f"{{{','.join([f'{_name(name)}:{_text(item)}' for name, item in items])}}}"


def _name(name: Any) -> str:
    if type(name) is not str:
        raise NotCanonical(f"{name!r} is no name for a value: use text")
    return encode_basestring(name)


def _writer_of_fields(kind: Any) -> Callable[[Any], str]:
    """A function made for the class, as dataclasses make `__init__`: it takes half as long as a
    loop over the fields, and nothing is done more often.
    """
    defaults, lines, parts = _defaults(kind), [], []
    for name in sorted(one.name for one in fields(kind)):
        lines.append(f"{name}_ = value.{name}")
        text = f'"{name}":{{WRITE[type({name}_)]({name}_)}},'
        if name in defaults:
            lines.append(f"{name}_ = '' if {name}_ == DEFAULTS[{name!r}] else f'{text}'")
        parts.append(f"{{{name}_}}" if name in defaults else text)
    lines += [f"text = f'{''.join(parts)}'", "return '{' + text[:-1] + '}'"]
    made: dict[str, Any] = {"WRITE": _WRITE, "DEFAULTS": defaults}
    exec("\n    ".join(["def write(value):", *lines]), made)  # noqa: S102  (names of fields alone)
    return cast("Callable[[Any], str]", made["write"])


def _refuse(value: Any) -> Any:
    kind = type(value).__name__
    if isinstance(value, int | str | tuple):
        raise NotCanonical(f"{kind} is a kind of its own: use plain {value!r}")
    raise NotCanonical(f"{kind} has no canonical form: use a frozen dataclass")


_WRITE = _Writers(
    {
        int: str,
        str: encode_basestring,
        bool: lambda value: "true" if value else "false",
        types.NoneType: lambda _: "null",
        Card: lambda card: f'"{card}"',
    }
)


def from_plain(kind: type[T], plain: Any, where: str = "") -> T:
    """The inverse of `to_plain` for a dataclass; what does not belong is refused by its place."""
    where = where or kind.__name__
    if not isinstance(plain, dict):
        raise _wrong(where, plain, "an object")
    hints = _hints(cast("Any", kind))
    odd = sorted(
        (plain.keys() ^ hints.keys()) - (_defaults(cast("Any", kind)).keys() - plain.keys())
    )
    if odd:
        raise NotCanonical(f"{where}: {odd[0]!r} is missing or does not belong")
    return kind(
        **{
            name: _read(hint, plain[name], f"{where}.{name}")
            for name, hint in hints.items()
            if name in plain
        }
    )


def to_envelope(value: Any, version: int) -> bytes:
    """A value with the name of its type and the version of its form."""
    return f'{{"type":"{type(value).__name__}","v":{version},"value":{_text(value)}}}'.encode()


def from_envelope(data: bytes, known: dict[str, type[T]], version: int) -> T:
    """The inverse of `to_envelope`; anything that is not exactly what it writes is refused."""
    try:
        plain: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise NotCanonical(f"{data[:60]!r} is not canonical: it is not JSON") from None
    if not isinstance(plain, dict) or plain.keys() != {"v", "type", "value"}:
        raise NotCanonical(f"{data[:60]!r} is not canonical: it has v, type and value")
    if plain["v"] != version or plain["type"] not in known:
        raise NotCanonical(
            f"{plain['type']!r} of version {plain['v']!r} is not known here: "
            "it was written by a newer program; use that"
        )
    value = from_plain(known[plain["type"]], plain["value"])
    if to_envelope(value, version) != data:
        raise NotCanonical(f"{data[:60]!r} is not in canonical form: sort keys, leave out blanks")
    return value


def _read(hint: Any, plain: Any, where: str) -> Any:
    origin = get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        if plain is None:
            return None
        (only,) = (part for part in get_args(hint) if part is not type(None))
        return _read(only, plain, where)
    if origin is tuple:
        return _read_tuple(get_args(hint), plain, where)
    if origin is dict:
        if not isinstance(plain, dict):
            raise _wrong(where, plain, "an object")
        value_hint = get_args(hint)[1]
        return {name: _read(value_hint, item, f"{where}.{name}") for name, item in plain.items()}
    if hint is Card:
        return _read_card(plain, where)
    if is_dataclass(hint):
        return from_plain(cast("type[Any]", hint), plain, where)
    if hint is bytes:
        if not isinstance(plain, str) or not _HEX.fullmatch(plain):
            raise _wrong(where, plain, "lower-case hex")
        return bytes.fromhex(plain)
    if issubclass(hint, Enum):
        try:
            return hint(plain)
        except ValueError:
            raise _wrong(where, plain, f"one of {[one.value for one in hint]}") from None
    if type(plain) is not hint:
        raise _wrong(where, plain, hint.__name__)
    return plain


def _read_card(plain: Any, where: str) -> Card:
    try:
        card = parse_card(plain)
    except (BaccaratError, AttributeError):
        raise _wrong(where, plain, "a card") from None
    if str(card) != plain:
        raise _wrong(where, plain, f"a card as it is written here: {card}")
    return card


def _read_tuple(parts: tuple[Any, ...], plain: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(plain, list):
        raise _wrong(where, plain, "a list")
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple(_read(parts[0], item, f"{where}[{i}]") for i, item in enumerate(plain))
    if len(parts) != len(plain):
        raise _wrong(where, plain, f"a list of {len(parts)}")
    pairs = enumerate(zip(parts, plain, strict=True))
    return tuple(_read(part, item, f"{where}[{i}]") for i, (part, item) in pairs)


def _wrong(where: str, plain: Any, right: str) -> NotCanonical:
    return NotCanonical(f"{where}: {str(plain)[:60]!r} is not {right}")


def _refuse_floats(plain: Any) -> None:
    if isinstance(plain, float):
        raise NotCanonical(f"{plain} is a float: write money in coins, odds as a fraction")
    if isinstance(plain, dict):
        for value in plain.values():
            _refuse_floats(value)
    elif isinstance(plain, list | tuple):
        for value in plain:
            _refuse_floats(value)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    """The fields that came later, and what they are where they were left out."""
    return {one.name: one.default for one in fields(kind) if one.metadata.get("later")}
