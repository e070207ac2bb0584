"""Checks of user-supplied text, values to put into sentences, and translated texts of rule cards.

A line that a user supplies may not contain control characters.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar, cast

from baccarat.core.errors import one_of
from baccarat.core.money import format_coins

Part = TypeVar("Part")
K = TypeVar("K")
V = TypeVar("V")

JOINERS = "\u200c\u200d"
"""The zero-width non-joiner and joiner (ZWNJ, ZWJ), which many scripts need inside a word. Other
invisible characters, such as those that change the direction of writing, are not allowed."""


def is_printable_line(text: str) -> bool:
    """Return whether every character is printable and at least one is visible."""
    visible = text.translate(dict.fromkeys(map(ord, JOINERS)))
    return bool(visible.strip()) and visible.isprintable()


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Group (key, value) pairs by key, keeping their order."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


class Coins(int):
    """An amount of money in coins, formatted as money when put into a sentence."""

    def __format__(self, _: str) -> str:
        return format_coins(self)


class Alternatives(tuple[str, ...]):
    """Alternatives in a sentence, such as "Player, Banker or Tie"."""

    def __format__(self, _: str) -> str:
        return one_of(self)


class Translated(str):
    """A text of a rule card, with its translations by language."""

    translations: Mapping[str, str]

    def __new__(
        cls, text: str, translations: Mapping[str, str] = MappingProxyType({})
    ) -> "Translated":
        made = super().__new__(cls, text)
        made.translations = translations
        return made


def in_language(part: Part, language: str) -> Part:
    """Return a rule card, a game or a part of either with its texts translated.

    Texts without a translation into this language stay unchanged.
    """
    return cast("Part", _in_language(part, language))


def _in_language(part: Any, language: str) -> Any:
    match part:
        case Translated():
            return part.translations.get(language, str(part))
        case tuple():
            return tuple(_in_language(each, language) for each in part)
        case list():
            return [_in_language(each, language) for each in part]
        case dict():
            return {name: _in_language(each, language) for name, each in part.items()}
        case _ if is_dataclass(part) and not isinstance(part, type):
            values = {field.name: getattr(part, field.name) for field in fields(part)}
            return replace(part, **_in_language(values, language))
    return part


Value = str | int | Alternatives
"""A value that can be put into a sentence."""
