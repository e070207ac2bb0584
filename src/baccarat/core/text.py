"""Checks of text supplied by users, and amounts of money in sentences.

A supplied line may not contain invisible control characters.
"""

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
