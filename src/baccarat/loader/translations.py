"""The texts of a card in other languages: `[text.el]` and the tables below it.

These tables have the same keys as the card itself, but lists of bets, ambiguities and readings are
replaced by tables keyed by id. A text of the card that has translations becomes a `Translated`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from baccarat.core.errors import nearest
from baccarat.core.text import Translated
from baccarat.loader.findings import MISSING, Fault, dotted, shown
from baccarat.loader.kinds import TEXT, TEXTS
from baccarat.loader.lines import Path
from baccarat.loader.schema import CARD, Named, Table, Tables

UNTRANSLATED = {"currency", "sisters"}
"""Keys of texts that are not translated."""
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def translate(values: Mapping[str, Any]) -> None:
    """Turn every text of a card that has translations into a `Translated`, in place."""
    found = _leaves(values["text"])
    for path, (table, key) in _places(CARD, values) if found else ():
        texts = {str(place[0]): text for place, text in found.items() if place[1:] == path}
        if isinstance(table[key], tuple):
            table[key] = tuple(
                Translated(each, {name: text[i] for name, text in texts.items() if text[i:]})
                for i, each in enumerate(table[key])
            )
        elif texts:
            table[key] = Translated(table[key], texts)


def check_translations(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Check that every translation belongs to a text of the card."""
    known = {path: table[key] for path, (table, key) in _places(CARD, values)}
    names = [dotted(path) for path in known]
    for (language, *rest), text in _leaves(values["text"]).items():
        path = tuple(rest)
        if not LANGUAGE.fullmatch(str(language)):
            problem = f"{shown(language)} is not a language"
            yield ("text", language), problem, 'write a tag such as "el" or "pt-BR"'
        elif path not in known:
            problem = f"the card has no text {dotted(path)}{nearest(dotted(path), names)}"
            yield ("text", language, *path), problem, "translate a text that the card has"
        elif isinstance(text, tuple) and len(text) != len(known[path]):
            problem = f"{len(text)} texts instead of the card's {len(known[path])}"
            yield ("text", language, *path), problem, "translate each of them, in the same order"


def _leaves(tree: Any, path: Path = ()) -> dict[Path, Any]:
    """Return all texts and lists of texts in nested tables, by path."""
    if not isinstance(tree, dict):
        return {} if tree is None or tree is MISSING else {path: tree}
    below = (_leaves(value, (*path, name)) for name, value in tree.items())
    return {place: text for found in below for place, text in found.items()}


def _places(table: Table, values: Any, path: Path = ()) -> Iterator[tuple[Path, tuple[Any, str]]]:
    """Yield, for every text of a card that can be translated, its path and its (table, key)."""
    for key in table.keys if isinstance(values, dict) else ():
        place, value = (*path, key.name), values[key.name]
        match key.holds:
            case Table() as below:
                yield from _places(below, value, place)
            case Named(below) if isinstance(value, dict):
                for name, each in value.items():
                    yield from _places(below, each, (*place, name))
            case Tables(below) if value is not MISSING:
                for each in value:
                    if isinstance(each, dict) and "id" in each:
                        yield from _places(below, each, (*place, each["id"]))
            case kind if kind in (TEXT, TEXTS) and value and value is not MISSING:
                if key.name not in UNTRANSLATED:
                    yield place, (values, key.name)
