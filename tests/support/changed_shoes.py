"""A good document of a shoe, and every kind of change to it."""

import json
from collections.abc import Iterator
from typing import Any

from support.dealt_shoes import contributions, dealt, sealed

SHOE, RULES = sealed(1)
GOOD = dealt(SHOE, RULES, contributions(SHOE, 2))
TEXT = json.dumps(GOOD)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield every place in a document, including containers."""
    if path:
        yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, below in items:
            yield from places(below, (*path, key))


def kind_of(path: tuple[Any, ...]) -> str:
    """Return the place without its indices: coups.cards.proof."""
    return ".".join(part for part in path if isinstance(part, str))


def changes(value: Any) -> Iterator[Any]:
    """Return other values to put in this place."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, -value - 1, 10**30, float(value), str(value))
        case str() if set(value) <= set("0123456789abcdef") and len(value) >= 32:
            flipped = format(int(value[0], 16) ^ 1, "x") + value[1:]
            ends = value[:-1] + format(int(value[-1], 16) ^ 8, "x")
            yield from (flipped, ends, value[2:], value + "00", value.swapcase() + "A", None, "")
        case str():
            yield from (value + " ", value[1:], None, 7, "")
            others = {"player": "banker", "banker": "player", "Kh": "Kd", "dealt-out": "abandoned"}
            yield others.get(value, "Kh")
        case None:
            yield from ("", "00" * 32, {}, 0)
        case list():
            yield [*value, *value[-1:]] if value else [0]
            if value:
                yield from (value[1:], value[:-1], [])
            if len(value) > 1 and value[0] != value[1]:
                yield [value[1], value[0], *value[2:]]
        case dict():
            yield from (None, [], {**value, "more": 1}, dict(list(value.items())[1:]))


def changed(path: tuple[Any, ...], value: Any) -> Any:
    """Return the good document with another value at a place."""
    document = json.loads(TEXT)
    inner = document
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return document


def one_of_each() -> dict[str, list[tuple[Any, ...]]]:
    """Return the first, a middle and the last place of every kind."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for path in places(GOOD):
        depth = f"{kind_of(path)}{'[]' if isinstance(path[-1], int) else ''}"
        found.setdefault(depth, []).append(path)
    return {kind: [p[0], p[len(p) // 2], p[-1]] for kind, p in found.items()}
