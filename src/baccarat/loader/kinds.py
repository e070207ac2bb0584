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
from baccarat.core.facts import BOTH, FACTS, Fact, Value
from baccarat.core.money import Rounding, parse_coins, parse_number, parse_odds
from baccarat.core.rulecard import STAND_OFF, Unit
from baccarat.core.tableau import STOOD, Cell
from baccarat.loader.findings import Report
from baccarat.loader.lines import Path

MISSING: Final = object()
"""What reading gives for a value that is absent or wrong."""

LONGEST_PATH = 32
"""Conditions nest no deeper than this place in the file; nobody could read them."""


@dataclass(frozen=True)
class Kind:
    """One kind of value."""

    words: str
    """What is allowed, for messages and for the reference."""
    read: Callable[[Any, Path, Report], Any]


def _kind(words: str, parse: Callable[[Any], Any]) -> Kind:
    """A kind whose parser returns the value, or raises ValueError or BaccaratError."""

    def read(raw: Any, path: Path, report: Report) -> Any:
        try:
            return parse(raw)
        except BaccaratError as error:
            report.add(path, str(error), f"this is {words}")
        except ValueError:
            report.add(path, f"{shown(raw)} is not {words}", f"write {words}")
        return MISSING

    return Kind(words, read)


def shown(raw: Any) -> str:
    """A raw value, short enough for a message."""
    text = str(raw).lower() if isinstance(raw, bool) else repr(raw)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _require(condition: bool) -> None:  # noqa: FBT001
    if not condition:
        raise ValueError


def _text(raw: Any) -> str:
    _require(isinstance(raw, str) and 0 < len(raw.strip()) <= 1000)
    return " ".join(str(raw).split())


def _identifier(raw: Any) -> str:
    _require(
        isinstance(raw, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{0,39}", raw) is not None
    )
    return str(raw)


def _flag(raw: Any) -> bool:
    _require(isinstance(raw, bool))
    return bool(raw)


def whole(low: int, high: int) -> Kind:
    """A whole number within bounds."""

    def parse(raw: Any) -> int:
        _require(isinstance(raw, int) and not isinstance(raw, bool) and low <= raw <= high)
        return int(raw)

    return _kind(f"a whole number from {low} to {high}", parse)


def choice(*names: str) -> Kind:
    """One of a few words."""

    def parse(raw: Any) -> str:
        _require(raw in names)
        return str(raw)

    return _kind(one_of(f'"{name}"' for name in names), parse)


def list_of(kind: Kind) -> Kind:
    """A list, every element of one kind."""

    def read(raw: Any, path: Path, report: Report) -> Any:
        if not isinstance(raw, list):
            report.add(path, f"{shown(raw)} is not a list", f"write a list, each item {kind.words}")
            return MISSING
        values = [kind.read(item, (*path, i), report) for i, item in enumerate(raw)]
        return MISSING if MISSING in values else tuple(values)

    return Kind(f"a list, each item {kind.words}", read)


def _number(raw: Any) -> Fraction:
    if isinstance(raw, int) and not isinstance(raw, bool):
        _require(0 <= raw <= 10**9)
        return Fraction(raw)
    _require(isinstance(raw, str))
    return parse_number(raw)


def _pays(raw: Any) -> Fraction | str:
    _require(isinstance(raw, str))
    if raw == "stand-off":
        return STAND_OFF
    if re.fullmatch(r"[a-z][a-z0-9_]*", raw):
        return str(raw)
    return parse_odds(raw)


def _coins(raw: Any) -> int:
    _require(isinstance(raw, str))
    coins = parse_coins(raw)
    _require(coins > 0)
    return coins


def _percent(raw: Any) -> Fraction:
    _require(isinstance(raw, str) and raw.endswith("%"))
    return parse_number(raw)


def _printed(raw: Any) -> str:
    _require(isinstance(raw, str) and re.fullmatch(r"-?\d{1,3}(\.\d{1,10})?%", raw) is not None)
    return str(raw)


def _numbers(text: str, low: int, high: int) -> list[int]:
    """'0-7,9' to its numbers."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,2})(?:\s*-\s*(\d{1,2}))?\s*", part)
        _require(match is not None)
        assert match is not None  # noqa: S101
        first, last = int(match[1]), int(match[2] or match[1])
        _require(low <= first <= last <= high)
        found += range(first, last + 1)
    return found


def _totals(raw: Any) -> frozenset[int]:
    _require(isinstance(raw, str))
    return frozenset(_numbers(raw, 0, 9)) if raw.strip() else frozenset()


def _cells(raw: Any) -> tuple[Cell, ...]:
    """'3/0-7,9' to cells: banker's total / what the player was given."""
    _require(isinstance(raw, str) and raw.count("/") == 1)
    totals, given = raw.split("/")
    thirds: list[int] = []
    for word in given.split(","):
        match word.strip():
            case "any":
                thirds += range(10)
            case "stood":
                thirds.append(STOOD)
            case numbers:
                thirds += _numbers(numbers, 0, 9)
    return tuple((total, third) for total in _numbers(totals, 0, 9) for third in thirds)


def read_condition(raw: Any, path: Path, report: Report) -> Any:
    """A table of facts, all of which must hold, with all, any and not to combine."""
    if len(path) > LONGEST_PATH:
        report.add(path[:-1], "the condition is nested too deeply", "split the line in two")
        return MISSING
    if not isinstance(raw, dict):
        report.add(path, f"{shown(raw)} is no condition", 'write { winner = "banker" }')
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
        names = [*FACTS, "all", "any", "not"]
        report.add(
            path, f"{name!r} is no fact{nearest(name, names)}", f"the facts are {', '.join(FACTS)}"
        )
        return MISSING
    return _read_test(FACTS[name], value, path, report)


def _read_parts(name: str, value: Any, path: Path, report: Report) -> Any:
    if not isinstance(value, list) or not value:
        report.add(
            path, f"{shown(value)} is no list of conditions", f"write {name} = [{{…}}, {{…}}]"
        )
        return MISSING
    parts: list[Any] = [read_condition(part, (*path, i), report) for i, part in enumerate(value)]
    if MISSING in parts:
        return MISSING
    combined: Condition = All(tuple(parts)) if name == "all" else AnyOf(tuple(parts))
    return combined


def _read_test(fact: Fact, value: Any, path: Path, report: Report) -> Any:
    allowed = f"{fact.name} is {one_of(map(_as_toml, fact.values))}"
    if isinstance(value, dict):
        return _read_range(fact, value, path, report)
    values = value if isinstance(value, list) else [value]
    wrong = [item for item in values if not _is_value(fact, item)]
    if wrong or not values:
        problem = f"{shown(wrong[0])} is not a value of {fact.name}" if wrong else "no value given"
        report.add(path, problem, allowed)
        return MISSING
    return Test(fact.name, frozenset(values))


def _read_range(fact: Fact, value: dict[str, Any], path: Path, report: Report) -> Any:
    numbers = [n for n in fact.values if isinstance(n, int)]
    low, high = value.get("min", min(numbers, default=0)), value.get("max", max(numbers, default=0))
    sound = set(value) <= {"min", "max"} and value and fact.values != BOTH and numbers
    if not sound or not (_is_value(fact, low) and _is_value(fact, high)) or low > high:
        remedy = (
            f"write {{ min = {numbers[0]}, max = {numbers[-1]} }}" if numbers else "name values"
        )
        report.add(path, f"{shown(value)} is no range of {fact.name}", remedy)
        return MISSING
    return Test(fact.name, frozenset(n for n in numbers if low <= n <= high))


def _is_value(fact: Fact, raw: Any) -> bool:
    return any(type(raw) is type(value) and raw == value for value in fact.values)


def _as_toml(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{value}"'


def _read_values(raw: Any, path: Path, report: Report) -> Any:
    if not isinstance(raw, dict):
        report.add(path, f"{shown(raw)} is not a table", f"write {VALUES.words}")
        return MISSING
    values = {name: NUMBER.read(value, (*path, name), report) for name, value in raw.items()}
    return MISSING if MISSING in values.values() else values


TEXT = _kind("text", _text)
IDENTIFIER = _kind("a short name of letters, digits and hyphens", _identifier)
FLAG = _kind("true or false", _flag)
NUMBER = _kind('a number such as 8, "9:1" or "10%"', _number)
PAYS = _kind('odds such as "19:20", "stand-off", or the name of a parameter', _pays)
COINS = _kind('an amount of money such as "2.50"', _coins)
PERCENT = _kind('a percentage such as "90%"', _percent)
PRINTED = _kind('a percentage as printed, such as "4.84%"', _printed)
TOTALS = _kind('totals such as "0-5" or "6,7"', _totals)
CELLS = _kind('cells such as "3/0-7,9", "0-2/any" or "0-5/stood"', _cells)
VALUES = Kind('parameters and their values such as { double_chance = "10%" }', _read_values)
UNIT = choice(*Unit)
ROUNDING = choice(*Rounding)
CONDITION = Kind('a condition such as { winner = "banker", banker_total = 6 }', read_condition)
