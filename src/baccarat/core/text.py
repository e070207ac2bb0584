"""Text that people give us to print, and sentences that we make for them.

A line of theirs has nothing in it that acts without being seen. A sentence of ours keeps its values
apart from its words: what is said in English here can be said in another language elsewhere, with
money as it is written there.
"""

from dataclasses import dataclass
from typing import Any

from baccarat.core.money import format_coins

JOINERS = "\u200c\u200d"
"""ZWNJ and ZWJ: many scripts need them inside a word. Other invisible marks, such as those that
turn the direction of writing, are kept out."""


def is_printable_line(text: str) -> bool:
    """Can every character be printed, and is there anything to be seen?"""
    visible = text.translate(dict.fromkeys(map(ord, JOINERS)))
    return bool(visible.strip()) and visible.isprintable()


class Coins(int):
    """An amount of money within a sentence."""

    def __format__(self, _: str) -> str:
        return format_coins(self)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words with places for values, `{stake}`; without values the words are all there is."""

    words: str
    values: tuple[tuple[str, str | int], ...] = ()

    def __str__(self) -> str:
        return self.words.format(**dict(self.values)) if self.values else self.words

    def plain(self) -> dict[str, Any]:
        """For whoever says it in another way: an amount is {"coins": 500}, a number a number."""
        values = {
            name: {"coins": int(one)} if isinstance(one, Coins) else one
            for name, one in self.values
        }
        return {"sentence": self.words, "values": values} if values else {}


def say(words: str, **values: str | int) -> Sentence:
    """A sentence with its values."""
    return Sentence(words, tuple(values.items()))
