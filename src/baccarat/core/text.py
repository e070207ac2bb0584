"""Checks of text supplied by users, and translatable sentences.

A supplied line may not contain invisible control characters. A sentence keeps its values separate
from its words, so that it can be shown in another language, with amounts of money formatted for
that language.
"""

from dataclasses import dataclass

from baccarat.core.money import format_coins

JOINERS = "\u200c\u200d"
"""ZWNJ and ZWJ, which many scripts need inside a word. Other invisible characters, such as those
that change the direction of writing, are not allowed."""


def is_printable_line(text: str) -> bool:
    """Return whether every character is printable and at least one is visible."""
    visible = text.translate(dict.fromkeys(map(ord, JOINERS)))
    return bool(visible.strip()) and visible.isprintable()


class Coins(int):
    """An amount of money in a sentence."""

    def __format__(self, _: str) -> str:
        return format_coins(self)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words with placeholders such as `{stake}`; without values the words are used as they are."""

    words: str
    values: tuple[tuple[str, str | int], ...] = ()

    def __str__(self) -> str:
        return self.words.format(**dict(self.values)) if self.values else self.words


def say(words: str, **values: str | int) -> Sentence:
    return Sentence(words, tuple(values.items()))
