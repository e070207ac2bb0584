"""The catalogue: every word of the interface, in one file for each language.

`strings/en.toml` holds them by page. A template asks `t("lobby.title")`; what scripts need stands
under `script.…` and is handed to them whole, by section. The one rule: a page without its words is
a fault of ours, so a key that is missing is an error and never an empty place.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from baccarat.core.errors import BaccaratError, nearest
from baccarat.core.money import format_coins

SCRIPTS = "script"
"""The sections that scripts may have."""


class Catalogue:
    """The words of one language."""

    def __init__(self, language: str, content: Mapping[str, Any]) -> None:
        self.language, self._content = language, content
        self._flat = dict(_flat(content))

    def __call__(self, key: str, **values: object) -> str:
        """The words of a key, with `{name}` replaced by the values."""
        if key not in self._flat:
            raise BaccaratError(f"there are no words {key!r}{nearest(key, self._flat)}: add them")
        return self._flat[key].format_map(values) if values else self._flat[key]

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

    def money(self, coins: int, currency: str) -> str:
        """Coins as an amount that people read: £12.50, −£3.00, 12.50 XYZ."""
        form = self.money_form(currency)
        return (
            f"{'−' if coins < 0 else ''}{form['before']}{format_coins(abs(coins))}{form['after']}"
        )

    def money_form(self, currency: str) -> dict[str, str]:
        """What stands before and after an amount; scripts are told the same."""
        symbol = self._flat.get(f"currency.{currency}")
        return {"before": symbol or "", "after": "" if symbol else f" {currency}"}


@cache
def catalogue(language: str = "en") -> Catalogue:
    """The catalogue of a language."""
    found = files(__package__).joinpath("strings", f"{language}.toml")
    return Catalogue(language, tomllib.loads(found.read_text(encoding="utf-8")))


def _flat(content: Mapping[str, Any], start: str = "") -> Iterable[tuple[str, str]]:
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{start}{key}.")
        else:
            yield start + key, str(value)
