"""The kinds of value a rule card can hold: how each is written, read and described.

A kind reads one raw TOML value. What is wrong goes into the report, with what would be right,
and the value then counts as MISSING, so that reading goes on and every fault is found.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from baccarat.core.conditions import All, Condition, Not, Test
from baccarat.core.conditions import Any as AnyOf
from baccarat.core.errors import BaccaratError, nearest, one_of
from baccarat.core.facts import FACTS, Fact, Value
from baccarat.core.money import Rounding, parse_coins, parse_number, parse_odds
from baccarat.core.rulecard import STAND_OFF, Unit
from baccarat.core.tableau import STOOD, Cell
from baccarat.core.text import is_printable_line
from baccarat.loader.findings import Report, shown
from baccarat.loader.lines import Path

MISSING: Final = object()
"""What reading gives for a value that is absent or wrong."""

LONGEST_PATH = 32
"""Conditions nest no deeper than this place in the file; nobody could read them."""
LONGEST_TEXT = 1000

PARAMETER_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class Kind:
    """One kind of value."""

    what: str
    """What it is, as in 'this is not …'."""
    write: str
    """How it is written, as in 'write …'."""
    read: Callable[[Any, Path, Report], Any]
    item: "Kind | None" = None
    """The kind of each item, of a list."""


def _kind(what: str, parse: Callable[[Any], Any], write: str = "") -> Kind:
    """A kind whose parser returns the value, or raises ValueError or BaccaratError."""

    def read(raw: Any, path: Path, report: Report) -> Any:
        try:
            return parse(raw)
        except (ValueError, BaccaratError):
            report.add(path, f"{shown(raw)} is not {what}", f"write {write or what}")
        return MISSING

    return Kind(what, write or what, read)


def _require(condition: bool) -> None:  # noqa: FBT001
    if not condition:
        raise ValueError


def _string(raw: Any) -> str:
    if not isinstance(raw, str):
        raise ValueError
    return raw


def _matching(raw: Any, pattern: str) -> re.Match[str]:
    match = re.fullmatch(pattern, _string(raw), re.ASCII)
    if match is None:
        raise ValueError
    return match


def _text(raw: Any) -> str:
    text = " ".join(_string(raw).split())
    _require(is_printable_line(text) and len(text) <= LONGEST_TEXT)
    return text


def _identifier(raw: Any) -> str:
    return _matching(raw, r"[A-Za-z0-9][A-Za-z0-9-]{0,39}")[0]


def _flag(raw: Any) -> bool:
    _require(isinstance(raw, bool))
    return bool(raw)


def whole(low: int, high: int) -> Kind:
    """A whole number within bounds."""

    def parse(raw: Any) -> int:
        _require(isinstance(raw, int) and not isinstance(raw, bool) and low <= raw <= high)
        return int(raw)

    bounds = f"{low}" if low == high else f"a whole number from {low} to {high}"
    return _kind(bounds, parse)


def choice(*names: str) -> Kind:
    """One of a few words."""

    def parse(raw: Any) -> str:
        _require(raw in names)
        return str(raw)

    return _kind(one_of(f'"{name}"' for name in names), parse)


def list_of(kind: Kind) -> Kind:
    """A list, every element of one kind."""
    write = f"a list, each item {kind.write}"

    def read(raw: Any, path: Path, report: Report) -> Any:
        if not isinstance(raw, list):
            report.add(path, f"{shown(raw)} is not a list", f"write {write}")
            return MISSING
        values = [kind.read(item, (*path, i), report) for i, item in enumerate(raw)]
        return MISSING if MISSING in values else tuple(values)

    return Kind(f"a list, each item {kind.what}", write, read, kind)


def _number(raw: Any) -> Fraction:
    if isinstance(raw, int) and not isinstance(raw, bool):
        _require(0 <= raw <= 10**9)
        return Fraction(raw)
    return parse_number(_string(raw))


def _pays(raw: Any) -> Fraction | str:
    text = _string(raw)
    if text == "stand-off":
        return STAND_OFF
    return text if PARAMETER_NAME.fullmatch(text) else parse_odds(text)


def _coins(raw: Any) -> int:
    coins = parse_coins(_string(raw))
    _require(coins > 0)
    return coins


def _percent(raw: Any) -> Fraction:
    share = parse_number(_matching(raw, r".*%")[0])
    _require(share <= 1)
    return share


def _printed(raw: Any) -> str:
    return _matching(raw, r"-?\d{1,3}(\.\d{1,10})?%")[0]


def _numbers(text: str) -> list[int]:
    """'0-7,9' to its numbers."""
    found: list[int] = []
    for part in text.split(","):
        match = _matching(part.strip(), r"(\d)(?:\s*-\s*(\d))?")
        first, last = int(match[1]), int(match[2] or match[1])
        _require(first <= last)
        found += range(first, last + 1)
    return found


def _totals(raw: Any) -> frozenset[int]:
    return frozenset(_numbers(raw)) if _string(raw).strip() else frozenset()


def _cells(raw: Any) -> tuple[Cell, ...]:
    """'3/0-7,9' to cells: banker's total / what the player was given."""
    totals, slash, given = _string(raw).partition("/")
    _require(bool(slash))
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
    """A table of facts, all of which must hold, with all, any and not to combine."""
    if len(path) > LONGEST_PATH:
        report.add(path[:-1], "the condition is nested too deeply", "split the line in two")
        return MISSING
    if not isinstance(raw, dict):
        report.add(path, f"{shown(raw)} is not a condition", f"write {CONDITION.write}")
        return MISSING
    parts = [_read_part(name, value, (*path, name), report) for name, value in raw.items()]
    if not parts:
        report.add(path, "the condition asks nothing", "name at least one fact")
    if not parts or MISSING in parts:
        return MISSING
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _read_part(name: str, value: Any, path: Path, report: Report) -> Any:
    if name == "not":
        part = read_condition(value, path, report)
        return MISSING if part is MISSING else Not(part)
    if name in ("all", "any"):
        return _read_parts(name, value, path, report)
    if name not in FACTS:
        close = nearest(name, [*FACTS, "all", "any", "not"])
        problem, remedy = f"{shown(name)} is not a fact{close}", f"name {one_of(FACTS)}"
        report.add(path, problem, remedy)
        return MISSING
    return _read_test(FACTS[name], value, path, report)


def _read_parts(name: str, value: Any, path: Path, report: Report) -> Any:
    if not isinstance(value, list) or not value:
        problem = f"{shown(value)} is not a list of conditions"
        report.add(path, problem, f"write {name} = [{{ … }}, {{ … }}]")
        return MISSING
    parts: list[Any] = [read_condition(part, (*path, i), report) for i, part in enumerate(value)]
    if MISSING in parts:
        return MISSING
    combined: Condition = All(tuple(parts)) if name == "all" else AnyOf(tuple(parts))
    return combined


def _read_test(fact: Fact, value: Any, path: Path, report: Report) -> Any:
    if isinstance(value, dict):
        return _read_range(fact, value, path, report)
    values = value if isinstance(value, list) else [value]
    wrong = [item for item in values if not _is_value(fact.values, item)]
    if wrong or not values:
        problem = f"{shown(wrong[0])} is not a value" if wrong else "no value is given"
        report.add(path, f"{problem} of {fact.name}", f"write {values_in_words(fact)}")
        return MISSING
    return Test(fact.name, frozenset(values))


def _read_range(fact: Fact, value: dict[str, Any], path: Path, report: Report) -> Any:
    numbers = numbers_of(fact)
    if not numbers:
        problem = f"{fact.name} has no range"
        report.add(path, problem, f"write {values_in_words(fact)}")
        return MISSING
    least, most = numbers[0], numbers[-1]
    low, high = value.get("min", least), value.get("max", most)
    known = value and set(value) <= {"min", "max"}
    if not known or not (_is_value(numbers, low) and _is_value(numbers, high) and low <= high):
        problem = f"this is not a range of {fact.name}"
        report.add(path, problem, f"write {{ min = {least}, max = {most} }} or one of the two")
        return MISSING
    return Test(fact.name, frozenset(n for n in numbers if low <= n <= high))


def numbers_of(fact: Fact) -> list[int]:
    """The values of a fact that a range can speak of."""
    return [n for n in fact.values if isinstance(n, int) and not isinstance(n, bool)]


def values_in_words(fact: Fact) -> str:
    """The values a fact can have, as a rule card writes them."""
    return one_of(_as_toml(value) for value in fact.values)


def _is_value(values: tuple[Value, ...] | list[int], raw: Any) -> bool:
    return any(type(raw) is type(value) and raw == value for value in values)


def _as_toml(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{value}"'


def _read_values(raw: Any, path: Path, report: Report) -> Any:
    if not isinstance(raw, dict):
        report.add(path, f"{shown(raw)} is not a table", f"write {VALUES.write}")
        return MISSING
    values = {name: NUMBER.read(value, (*path, name), report) for name, value in raw.items()}
    return MISSING if MISSING in values.values() else values


TEXT = _kind("text", _text, f"one line of 1 to {LONGEST_TEXT} printable characters")
IDENTIFIER = _kind(
    "a short name", _identifier, 'letters, digits and hyphens, at most 40, such as "player-pair"'
)
FLAG = _kind("true or false", _flag)
NUMBER = _kind("a number", _number, '8, "9:1", "10%", "0.1" or "1/10"')
PAYS = _kind("odds", _pays, 'odds such as "19:20", or "stand-off", or the name of a parameter')
COINS = _kind("an amount of money", _coins, 'an amount above zero such as "25" or "2.50"')
PERCENT = _kind("a percentage", _percent, 'a percentage up to "100%"')
PRINTED = _kind("a printed percentage", _printed, 'the percentage as printed, such as "4.84%"')
TOTALS = _kind("totals", _totals, 'totals such as "0-5" or "6,7", or "" for none')
CELLS = _kind("cells", _cells, 'cells such as "3/0-7,9", "0-2/any" or "0-5/stood"')
VALUES = Kind(
    "values of parameters", 'parameters and numbers such as { double_chance = "10%" }', _read_values
)
UNIT = choice(*Unit)
ROUNDING = choice(*Rounding)
CONDITION = Kind(
    "a condition", 'a condition such as { winner = "banker", banker_total = 6 }', read_condition
)

EXPLAINED = (
    TEXT, IDENTIFIER, NUMBER, PAYS, CONDITION, COINS, TOTALS, CELLS, VALUES, PERCENT, PRINTED
)  # fmt: skip
"""The kinds whose name does not yet say how they are written, for the reference."""
