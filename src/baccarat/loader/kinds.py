"""The kinds of value in a rule card: how each kind is written, read and described.

A kind reads one raw TOML value. If the value is invalid, the fault and its remedy are added to the
report and MISSING is returned, so that reading continues and every fault is found.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from baccarat.core.bets import STAND_OFF
from baccarat.core.cards import parse_card
from baccarat.core.errors import BaccaratError, CardError, nearest, one_of
from baccarat.core.facts import FACTS, All, CountTest, Fact, Not, Test, Value, count_fact
from baccarat.core.facts import Any as AnyOf
from baccarat.core.hand_facts.measures import CARD_NAMES, PLACES
from baccarat.core.money import Rounding, parse_coins, parse_number, parse_odds
from baccarat.core.printed import NoteKind, Unit
from baccarat.core.tableau import STOOD, Cell
from baccarat.core.text import is_printable_line
from baccarat.loader.findings import MISSING, Report, shown
from baccarat.loader.lines import Path

LONGEST_PATH = 32
"""Maximum length of a path inside a condition; deeper nesting would be unreadable."""
LONGEST_TEXT = 1000
MAX_LISTED = 11
"""Maximum number of values of a fact that are listed one by one."""

PARAMETER_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class Kind:
    """One kind of value in a rule card."""

    what: str
    """Description of the kind, to complete 'this is not …'."""
    write: str
    """How a value is written, to complete 'write …'."""
    read: Callable[[Any, Path, Report], Any]
    item: "Kind | None" = None
    """For a list, the kind of its items."""


def parsed(
    what: str,
    parse: Callable[[Any], Any],
    write: str = "",
    meant: Callable[[Any], str] = lambda _: "",
) -> Kind:
    """Return a kind from a parser. A value is invalid if the parser returns None or raises
    ValueError or BaccaratError; `meant` then suggests a valid one."""

    def read(raw: Any, path: Path, report: Report) -> Any:
        with suppress(ValueError, BaccaratError):
            if (value := parse(raw)) is not None:
                return value
        problem = f"{shown(raw)} is not {what}{meant(raw)}"
        return report.add(path, problem, f"write {write or what}")

    return Kind(what, write or what, read)


def _string(raw: Any) -> str:
    if not isinstance(raw, str):
        raise ValueError
    return raw


def _matching(pattern: str) -> Callable[[Any], str | None]:
    """Return a parser that accepts only text matching a pattern."""
    return lambda raw: _string(raw) if re.fullmatch(pattern, _string(raw), re.ASCII) else None


def _text(raw: Any) -> str | None:
    text = " ".join(_string(raw).split())
    return text if is_printable_line(text) and len(text) <= LONGEST_TEXT else None


def _is_whole(raw: Any) -> bool:
    return isinstance(raw, int) and not isinstance(raw, bool)


def whole_number(low: int, high: int) -> Kind:
    """Return the kind of whole numbers from `low` to `high`."""
    bounds = f"{low}" if low == high else f"a whole number from {low} to {high}"
    return parsed(bounds, lambda raw: raw if _is_whole(raw) and low <= raw <= high else None)


def choice(*names: str) -> Kind:
    """Return the kind of values that are one of these words."""
    return parsed(
        one_of(f'"{name}"' for name in names), lambda raw: str(raw) if raw in names else None
    )


def list_of(kind: Kind) -> Kind:
    """Return the kind of lists whose items are of one kind."""
    write = f"a list, each item {kind.write}"

    def read(raw: Any, path: Path, report: Report) -> Any:
        if not isinstance(raw, list):
            return report.add(path, f"{shown(raw)} is not a list", f"write {write}")
        values = [kind.read(item, (*path, i), report) for i, item in enumerate(raw)]
        return MISSING if MISSING in values else tuple(values)

    return Kind(f"a list, each item {kind.what}", write, read, kind)


def table_of(kind: Kind, what: str, write: str) -> Kind:
    """Return the kind of tables whose keys are arbitrary and whose values are all of one kind."""

    def read(raw: Any, path: Path, report: Report) -> Any:
        if not isinstance(raw, dict):
            return report.add(path, f"{shown(raw)} is not a table", f"write {write}")
        values = {name: kind.read(value, (*path, name), report) for name, value in raw.items()}
        return MISSING if MISSING in values.values() else values

    return Kind(what, write, read)


def _read_texts(raw: Any, path: Path, report: Report) -> Any:
    if isinstance(raw, dict):
        return {name: _read_texts(each, (*path, name), report) for name, each in raw.items()}
    kind = TEXTS if isinstance(raw, list) else TEXT
    return kind.read(raw, path, report)


def _number(raw: Any) -> Fraction | None:
    if _is_whole(raw):
        return Fraction(raw) if 0 <= raw <= 10**9 else None
    return parse_number(_string(raw))


def _pays(raw: Any) -> Fraction | str:
    text = _string(raw)
    if text == "stand-off":
        return STAND_OFF
    return text if PARAMETER_NAME.fullmatch(text) else parse_odds(text)


def _percent(raw: Any) -> Fraction | None:
    share = parse_number(raw) if _string(raw).endswith("%") else None
    return None if share is None or share > 1 else share


def _numbers(text: str) -> list[int]:
    """Parse ranges such as '0-7,9' to a list of numbers."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d)(?:\s*-\s*(\d))?", part.strip(), re.ASCII)
        if match is None or match[1] > (match[2] or match[1]):
            raise ValueError
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    return found


def _turned(raw: Any) -> str:
    """Suggest the same text with the limits of every range in ascending order."""
    text = str(raw)
    ranges = re.compile(r"\b(\d)(\s*-\s*)(\d)\b", re.ASCII)
    fixed = ranges.sub(lambda m: m[0] if m[1] <= m[3] else f"{m[3]}{m[2]}{m[1]}", text)
    return f" (did you mean {shown(fixed)}?)" if fixed != text else ""


def _totals(raw: Any) -> frozenset[int]:
    return frozenset(_numbers(raw)) if _string(raw).strip() else frozenset()


def _cells(raw: Any) -> tuple[Cell, ...] | None:
    """Parse cells such as '3/0-7,9': banker's total / player's third card."""
    totals, slash, given = _string(raw).partition("/")
    if not slash:
        return None
    thirds: list[int] = []
    for word in given.split(","):
        match word.strip():
            case "any":
                thirds += range(10)
            case "stood":
                thirds.append(STOOD)
            case numbers:
                thirds += _numbers(numbers)
    return tuple((total, third) for total in _numbers(totals) for third in thirds)


def read_condition(raw: Any, path: Path, report: Report) -> Any:
    """Read a condition: a table of facts that must all hold, which can be nested with `all`, `any`
    and `not`."""
    if len(path) > LONGEST_PATH:
        return report.add(path[:-1], "the condition is nested too deeply", "split the line in two")
    if not isinstance(raw, dict):
        return report.add(path, f"{shown(raw)} is not a condition", f"write {CONDITION.write}")
    parts = [_read_part(name, value, (*path, name), report) for name, value in raw.items()]
    if not parts:
        return report.add(path, "the condition is empty", "name at least one fact")
    if MISSING in parts:
        return MISSING
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _read_part(name: str, value: Any, path: Path, report: Report) -> Any:
    if name == "not":
        part = read_condition(value, path, report)
        return MISSING if part is MISSING else Not(part)
    if name in ("all", "any"):
        return _read_parts(name, value, path, report)
    if name == "count":
        return _read_counts(value, path, report)
    if name not in FACTS:
        same_end = [fact for fact in FACTS if fact.endswith(f"_{name.rpartition('_')[2]}")]
        close = "" if same_end else nearest(name, [*FACTS, "all", "any", "not", "count"])
        remedy = f"choose {one_of([*(same_end or FACTS), 'count'])}"
        return report.add(path, f"{shown(name)} is not a fact{close}", remedy)
    values = _read_values(FACTS[name], value, path, report)
    return MISSING if values is MISSING else Test(name, values)


def _read_parts(name: str, value: Any, path: Path, report: Report) -> Any:
    if not isinstance(value, list) or not value:
        problem = f"{shown(value)} is not a list of conditions"
        return report.add(path, problem, f"write {name} = [{{ … }}, {{ … }}]")
    parts: list[Any] = [read_condition(part, (*path, i), report) for i, part in enumerate(value)]
    if MISSING in parts:
        return MISSING
    return All(tuple(parts)) if name == "all" else AnyOf(tuple(parts))


def _read_counts(raw: Any, path: Path, report: Report) -> Any:
    """Read one count of cards, or a list of counts that must all hold."""
    if not isinstance(raw, list):
        return _read_count(raw, path, report)
    if not raw:
        return report.add(path, "the list of counts is empty", "write at least one")
    parts: list[Any] = [_read_count(part, (*path, i), report) for i, part in enumerate(raw)]
    return MISSING if MISSING in parts else All(tuple(parts))


def _read_count(raw: Any, path: Path, report: Report) -> Any:
    write = 'write { of = "J Q K", in = "coup", min = 6 }, with `is`, `min` or `max`'
    if not isinstance(raw, dict):
        return report.add(path, f"{shown(raw)} is not a count of cards", write)
    if strange := [key for key in raw if key not in ("of", "in", "is", "min", "max")]:
        return report.add((*path, strange[0]), f"{shown(strange[0])} is not part of a count", write)
    words = _read_words(raw.get("of"), (*path, "of") if "of" in raw else path, report)
    place = raw.get("in")
    if place not in PLACES:
        close = nearest(place, PLACES) if isinstance(place, str) else ""
        at = (*path, "in") if "in" in raw else path
        problem = f"{shown(place)} is not a place{close}" if "in" in raw else "'in' is missing"
        return report.add(at, problem, f"choose {one_of(PLACES)}")
    if words is MISSING:
        return MISSING
    fact = count_fact(words, place)
    limits = {key: raw[key] for key in ("min", "max") if key in raw}
    if ("is" in raw) == bool(limits):
        return report.add(path, "a count needs either `is`, or `min`, `max` or both", write)
    values = _read_values(fact, raw.get("is", limits), path, report)
    return MISSING if values is MISSING else CountTest(words, place, values)


def _read_words(raw: Any, path: Path, report: Report) -> Any:
    """Read the words that name the cards to count, as a tuple without repetitions."""
    remedy = 'write ranks, cards, suits or colours, such as "10 J Q K", "9d", "hearts" or "red"'
    if not isinstance(raw, str) or not raw.split():
        problem = "'of' is missing" if raw is None else f"{shown(raw)} does not name cards"
        return report.add(path, problem, remedy)
    words = dict.fromkeys(raw.replace(",", " ").split())
    for word in words:
        if word not in CARD_NAMES:
            close = nearest(word, CARD_NAMES)
            with suppress(CardError):
                close = f" (did you mean {str(parse_card(word))!r}?)"
            problem = f"{shown(word)} is not a rank, a card, a suit or a colour{close}"
            return report.add(path, problem, remedy)
    return tuple(words)


def _read_values(fact: Fact, value: Any, path: Path, report: Report) -> Any:
    """Read the values that a condition asks for: one, a list, or a range."""
    if isinstance(value, dict):
        return _read_range(fact, value, path, report)
    values = value if isinstance(value, list) else [value]
    wrong = [item for item in values if not _is_value(fact.values, item)]
    if wrong or not values:
        problem = f"{shown(wrong[0])} is not a value of" if wrong else "an empty list for"
        return report.add(path, f"{problem} {fact.name}", f"write {values_in_words(fact)}")
    return frozenset(values)


def _read_range(fact: Fact, value: dict[str, Any], path: Path, report: Report) -> Any:
    numbers = numbers_of(fact)
    if not numbers:
        return report.add(
            path, f"{fact.name} cannot have a range", f"write {values_in_words(fact)}"
        )
    least, most = numbers[0], numbers[-1]
    low, high = value.get("min", least), value.get("max", most)
    known = value and set(value) <= {"min", "max"}
    if not known or not (_is_value(numbers, low) and _is_value(numbers, high) and low <= high):
        remedy = f"write {{ min = {least}, max = {most} }} or only one of the two"
        turned = known and _is_value(numbers, low) and _is_value(numbers, high)
        close = f" (did you mean {{ min = {high}, max = {low} }}?)" if turned else ""
        return report.add(path, f"this is not a range of {fact.name}{close}", remedy)
    return frozenset(n for n in numbers if low <= n <= high)


def numbers_of(fact: Fact) -> list[int]:
    """Return the numeric values of a fact, the only ones that a range can include."""
    return [n for n in fact.values if isinstance(n, int) and _is_whole(n)]


def values_in_words(fact: Fact) -> str:
    """Return a description of the values that a fact can have in a rule card."""
    if len(fact.values) > MAX_LISTED:
        return f"a whole number from {fact.values[0]} to {fact.values[-1]}"
    return one_of(_as_toml(value) for value in fact.values)


def _is_value(values: tuple[Value, ...] | list[int], raw: Any) -> bool:
    return any(type(raw) is type(value) and raw == value for value in values)


def _as_toml(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{value}"'


TEXT = parsed("text", _text, f"one line of 1 to {LONGEST_TEXT} printable characters")
TEXTS = list_of(TEXT)
IDENTIFIER = parsed(
    "a short name",
    _matching(r"[A-Za-z0-9][A-Za-z0-9-]{0,39}"),
    'letters, digits and hyphens, at most 40, such as "player-pair"',
)
FLAG = parsed("true or false", lambda raw: raw if isinstance(raw, bool) else None)
NUMBER = parsed("a number", _number, '8, "9:1", "10%", "0.1" or "1/10"')
PAYS = parsed(
    "valid odds", _pays, 'odds such as "19:20", or "stand-off", or the name of a parameter'
)
COINS = parsed(
    "an amount of money",
    lambda raw: parse_coins(_string(raw)) or None,
    'an amount above zero such as "25" or "2.50"',
)
PERCENT = parsed("a percentage", _percent, 'a percentage up to "100%"')
PRINTED = parsed(
    "a printed percentage",
    _matching(r"-?\d{1,3}(\.\d{1,10})?%"),
    'the percentage as printed, such as "4.84%"',
)
TOTALS = parsed("totals", _totals, 'totals such as "0-5" or "6,7", or "" for none', _turned)
CELLS = parsed("cells", _cells, 'cells such as "3/0-7,9", "0-2/any" or "0-5/stood"', _turned)
VALUES = table_of(
    NUMBER, "values of parameters", 'parameters and numbers such as { double_chance = "10%" }'
)
TRANSLATIONS = table_of(
    Kind("texts", "texts under the keys of the card", _read_texts),
    "texts by language",
    "[text.el], [text.el.bet.banker] and so on",
)
UNIT = choice(*Unit)
ROUNDING = choice(*Rounding)
NOTE_KIND = choice(*NoteKind)
CONDITION = Kind(
    "a condition", 'a condition such as { winner = "banker", banker_total = 6 }', read_condition
)

EXPLAINED = (
    *(TEXT, IDENTIFIER, NUMBER, PAYS, CONDITION, COINS, TOTALS, CELLS, VALUES, PERCENT),
    *(PRINTED, TRANSLATIONS),
)  # fmt: skip
"""Kinds whose notation the reference page explains, because their names do not."""
