"""The catalogue: every word of the interface, in one file for each language.

`strings/en.toml` holds them by page. A template asks `t("lobby.title")`; what scripts need stands
under `script.…` and is handed to them whole, by section. Another file there is another language: a
visitor gets the one they chose, or the first that their browser asks for. The one rule: a page
without its words is a fault of ours, so a key that is missing, in any language, is an error and
never an empty place.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from baccarat.core.errors import BaccaratError, nearest
from baccarat.core.money import format_coins
from baccarat.core.phrases import ENGLISH, Phrases
from baccarat.core.tableau import Row
from baccarat.web.problems import STATUS

SCRIPTS = "script"
"""The sections that scripts may have."""
PHRASES = "phrase."
OWN = {
    f"{SCRIPTS}.common.refusal.": {str(code) for code in STATUS},
    f"{SCRIPTS}.cards.row.": {str(row) for row in Row},
    PHRASES: set(ENGLISH),
}
"""What the rooms below say in English, and a language may say in its own words: refusals by their
codes, why a third card was drawn by the row of the tableau, what a bet pays phrase by phrase. They
may use the values that are told with them."""
_NAMED = re.compile(r"\{(\w+)(?:\|([^{|}]*)\|([^{|}]*))?\}")
"""A value, `{days}`; or a word that goes by one, `{days|day|days}`: for one, and for any other."""


class Catalogue:
    """The words of one language."""

    def __init__(self, language: str, content: Mapping[str, Any]) -> None:
        self.language, self._content = language, content
        self._flat = dict(_flat(content))

    def __call__(self, key: str, **values: object) -> str:
        """The words of a key, with `{name}` and `{name|one|many}` replaced by the values."""
        if key not in self._flat:
            raise BaccaratError(f"there are no words {key!r}{nearest(key, self._flat)}: add them")
        words = self._flat[key]
        return _NAMED.sub(lambda found: _said(found, values), words) if values else words

    def named(self, key: str) -> set[str]:
        """The values that the words of a key are told with."""
        return set(_places(self._flat[key]))

    def __contains__(self, key: str) -> bool:
        return key in self._flat

    def __iter__(self) -> Iterator[str]:
        return iter(self._flat)

    def for_scripts(self, *sections: str) -> dict[str, str]:
        """The words of some sections, by keys without the section's name."""
        starts = tuple(f"{SCRIPTS}.{section}." for section in sections)
        return {
            key.removeprefix(f"{SCRIPTS}."): words
            for key, words in self._flat.items()
            if key.startswith(starts)
        }

    @cached_property
    def phrases(self) -> Phrases:
        """How it is said what a bet pays."""
        if not any(PHRASES + key in self for key in ENGLISH):
            return ENGLISH
        own = {key: self._flat.get(PHRASES + key, words) for key, words in ENGLISH.items()}
        return Phrases(own)

    def money(self, coins: int, currency: str) -> str:
        """Coins as an amount that people read: £12.50, −£3.00, 12.50 XYZ."""
        form = self.money_form(currency)
        digits = format_coins(abs(coins)).translate({44: form["group"], 46: form["point"]})
        return f"{form['minus'] if coins < 0 else ''}{form['before']}{digits}{form['after']}"

    def money_form(self, currency: str) -> dict[str, str]:
        """What stands before, after and within an amount; scripts are told the same."""
        symbol = self._flat.get(f"currency.{currency}")
        signs = {name: self("number." + name) for name in ("group", "point", "minus")}
        return {"before": symbol or "", "after": "" if symbol else f" {currency}", **signs}


def _places(words: str) -> Iterator[str]:
    return (found[1] for found in _NAMED.finditer(words))


def _said(found: re.Match[str], values: Mapping[str, object]) -> str:
    name, one, many = found.groups()
    value = str(values[name])
    return value if one is None else one if value == "1" else many


STRINGS = files(__package__).joinpath("strings")
FIRST = "en"
"""The language that every other one is compared with, and that a page has for want of a better."""


@cache
def languages() -> tuple[str, ...]:
    """All that there are words in, the first one first."""
    found = (one.name.removesuffix(".toml") for one in STRINGS.iterdir())
    return tuple(sorted(found, key=lambda name: (name != FIRST, name)))


@cache
def catalogue(language: str = FIRST) -> Catalogue:
    """A language's; BaccaratError if it lacks words, or has some that nobody says."""
    text = STRINGS.joinpath(f"{language}.toml").read_text(encoding="utf-8")
    found = Catalogue(language, tomllib.loads(text))
    if language != FIRST:
        _check_same(found, catalogue(FIRST))
    return found


def _check_same(other: Catalogue, first: Catalogue) -> None:
    """The same keys, with the same values in them; and words of its own for what has a code."""
    faults = [f"{key} is missing" for key in first if key not in other]
    own = {start + code for start, codes in OWN.items() for code in codes}
    for key in other:
        if key in own:
            phrase = ENGLISH.get(key.removeprefix(PHRASES)) if key.startswith(PHRASES) else None
            if phrase is not None and other.named(key) != set(_places(phrase)):
                faults.append(f"{key} has other values than {phrase!r}")
            continue
        if key not in first:
            faults.append(f"{key} is said by nobody{nearest(key, [*first, *own])}")
        elif other.named(key) != first.named(key):
            faults.append(f"{key} has other values than {first(key)!r}")
    if faults:
        listed = "; ".join(faults[:20])
        raise BaccaratError(f"strings/{other.language}.toml: {listed}: make them as in {FIRST}")


def language_for(chosen: str | None, accepted: str) -> str:
    """The language for a visitor: the one chosen, or the first that the browser asks for."""
    if chosen in languages():
        return str(chosen)
    asked: list[tuple[float, str]] = []
    for part in accepted.lower().split(",")[:20]:
        name, _, rest = part.strip().partition(";")
        quality = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", rest)
        asked.append((-float(quality[1]) if quality else -1.0 if not rest else 0.0, name.strip()))
    for weight, name in sorted(asked, key=lambda one: one[0]):
        for known in (name, name.partition("-")[0]):
            if weight < 0 and known in languages():
                return known
    return FIRST


def _flat(content: Mapping[str, Any], start: str = "") -> Iterable[tuple[str, str]]:
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{start}{key}.")
        else:
            yield start + key, str(value)
