"""Catalogues: the text of pages, refusals, alerts and posters, one folder of files per language.

`locale/en/*.ftl` contains the English text in Fluent syntax (https://projectfluent.org). Templates
and scripts call `t("lobby-title")`; scripts get messages whose ids begin with `script-`. Every
other folder in `locale` is another language and must contain the same messages with the same
variables.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache, cached_property, reduce
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.numbers import format_decimal, get_currency_symbol
from fluent.syntax import FluentParser, ast

from baccarat.core.errors import BaccaratError, nearest
from baccarat.core.text import Alternatives, Translated

DEFAULT = "en"
SCRIPTS = "script-"
"""Prefix of the ids of messages for scripts."""
LOCALES = Path(os.environ.get("BACCARAT_LOCALES") or Path(__file__).with_name("locale"))
"""Folder that holds all languages; translators can use another one via BACCARAT_LOCALES."""

_START = re.compile(r"^(?=[A-Za-z][\w-]* *=)", re.MULTILINE)
"""The start of a message in a file."""

_PLAIN = re.compile(r"[\w-]+ *= *([^{}\s](?:[^{}\n]*[^{}\s])?) *\n*")
"""A message that is one line of text; compiling it without the parser saves time at start-up."""

LONGEST = 2_000
"""Maximum number of characters of a value that are shown."""

Compiled = str | list[Any]
"""A compiled message: plain text, or a list of texts, variables and choices."""


class Catalogue:
    """All messages in one language."""

    def __init__(self, language: str, files: Mapping[str, str]) -> None:
        self.language, self._files = language, files
        self._sources: dict[str, tuple[str, str]] = {}
        self._compiled: dict[str, Compiled] = {}
        for name, text in files.items():
            for source in _START.split(text)[1:]:
                key = source.partition("=")[0].rstrip()
                if key in self._sources:
                    raise BaccaratError(f"{name}: {key} is defined twice")
                self._sources[key] = name, source

    def check(self) -> None:
        """Compile all files; raise BaccaratError if one is not valid."""
        for name, text in self._files.items():
            self._compile(name, text)

    def _message(self, key: str) -> Compiled:
        """Return a compiled message; it is compiled when it is first used."""
        if key not in self._compiled:
            if key not in self._sources:
                raise BaccaratError(f"no message {key!r} in {self.language}{nearest(key, self)}")
            file, source = self._sources[key]
            if plain := _PLAIN.fullmatch(source):
                self._compiled[key] = plain[1]
            else:
                self._compile(file, source)
        return self._compiled[key]

    def _compile(self, file: str, source: str) -> None:
        for entry in FluentParser(with_spans=False).parse(source).body:
            if isinstance(entry, ast.Junk):
                raise BaccaratError(f"{file}: not valid Fluent: {entry.content!r}")
            if isinstance(entry, ast.Message) and entry.value is not None:
                self._compiled[entry.id.name] = _compiled(entry.value)

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text of a message, with its variables replaced by values.

        Dates, times, alternatives and translated texts of rule cards are formatted in this
        language.
        """
        message = self._message(key)
        if isinstance(message, str):
            return message
        given = {name: self._value(value) for name, value in values.items()}
        try:
            return self._filled(message, given)
        except (KeyError, ValueError) as error:
            raise BaccaratError(
                f"message {key!r} in {self.language}: missing or wrong value: {error}"
            ) from None

    def _filled(self, message: Compiled, values: Mapping[str, int | str]) -> str:
        """Fill in a message, as the function `fill` in static/page.js does."""
        if isinstance(message, str):
            return message
        return "".join(
            part if isinstance(part, str) else self._filled_part(part, values) for part in message
        )

    def _filled_part(self, part: Mapping[str, Any], values: Mapping[str, int | str]) -> str:
        value = values[part["name"]]
        if "choices" in part:
            choices = part["choices"]
            plural = self.locale.plural_form(value) if isinstance(value, int) else ""
            chosen = next(key for key in (str(value), plural, part["default"]) if key in choices)
            return self._filled(choices[chosen], values)
        if not part.get("grouping", True):
            return f"{value:d}"
        return self.number(value) if isinstance(value, int) else value

    def __contains__(self, key: str) -> bool:
        return key in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def variables(self, key: str) -> set[str]:
        """Return the names of the variables in a message."""
        return set(_variables(self._message(key)))

    def for_scripts(self, *sections: str) -> dict[str, Compiled]:
        """Return the messages of some sections for scripts, by message id without the prefix."""
        starts = tuple(f"{SCRIPTS}{section}-" for section in sections)
        return {
            key.removeprefix(SCRIPTS): self._message(key) for key in self if key.startswith(starts)
        }

    @cached_property
    def locale(self) -> Locale:
        """The locale for numbers, money and dates; English if the language is unknown."""
        try:
            return Locale.parse(self.language, sep="-")
        except (UnknownLocaleError, ValueError):
            return Locale.parse(DEFAULT)

    def _value(self, value: object) -> int | str:
        match value:
            case int():
                return int(value)
            case datetime():
                return self.time(value)
            case date():
                return self.date(value)
            case Alternatives():
                return self.joined("or", value)
            case Translated():
                return value.translations.get(self.language, str(value))
        text = str(value)
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

    def joined(self, by: str, parts: Iterable[str]) -> str:
        """Join parts in this language, as 'a, b and c' if `by` is "and", or 'a, b or c' if it is
        "or"."""
        *most, last = parts
        if not most:
            return last
        start = reduce(lambda one, other: self("phrase-list", one=one, other=other), most)
        return self(f"phrase-{by}", one=start, other=last)

    def date(self, day: date) -> str:
        """Return a date such as 15 November 2026."""
        from babel.dates import format_date  # slow to import

        return str(format_date(day, self("pattern-date"), locale=self.locale))

    def time(self, at: datetime) -> str:
        """Return a date and time in the time's own time zone, such as 15 Nov 2026, 08:30
        (UTC+02:00)."""
        from babel.dates import format_datetime  # slow to import

        return str(format_datetime(at, self("pattern-time"), at.tzinfo, self.locale))

    def moment(self, at: datetime) -> str:
        """Return a date and time to the second, such as 15 Nov 2026, 08:30:05."""
        from babel.dates import format_datetime  # slow to import

        return str(format_datetime(at, self("pattern-moment"), at.tzinfo, self.locale))

    def number(self, value: int) -> str:
        return str(format_decimal(value, locale=self.locale))

    def money(self, coins: int, currency: str = "") -> str:
        """Return coins as an amount of money, such as £12.50 or −£3.00, or 12.50 if no currency is
        given."""
        form = self.money_form(currency)
        digits = format_decimal(Decimal(abs(coins)) / 100, "#,##0.00", locale=self.locale)
        return f"{form['minus'] if coins < 0 else ''}{form['before']}{digits}{form['after']}"

    def short_money(self, coins: int, currency: str = "") -> str:
        """Return coins as an amount without ".00", for narrow places."""
        amount, point = self.money(coins, currency), self.money_form(currency)["point"]
        return amount if coins % 100 else amount.replace(f"{point}00", "")

    def money_form(self, currency: str) -> dict[str, str]:
        """Return the symbols of an amount of money: currency symbol before or after it, thousands
        separator, decimal point and minus sign. Scripts use the same symbols."""
        symbols = self.locale.number_symbols["latn"]
        form = {
            "group": symbols["group"],
            "point": symbols["decimal"],
            "minus": symbols["minusSign"].replace("-", "−"),
        }
        symbol = get_currency_symbol(currency, locale=self.locale) if currency else ""
        first = self.locale.currency_formats["standard"].pattern.startswith("¤")
        space = "\u00a0" if symbol and (not first or symbol[-1].isalpha()) else ""
        before, after = (symbol + space, "") if first else ("", space + symbol)
        return {"before": before, "after": after, **form}


def _variables(message: Compiled) -> Iterable[str]:
    """Yield the names of the variables in a compiled message."""
    for part in message if isinstance(message, list) else ():
        if not isinstance(part, str):
            yield part["name"]
            for choice in part.get("choices", {}).values():
                yield from _variables(choice)


def _compiled(pattern: ast.Pattern) -> Compiled:
    """Return a message in the form that `Catalogue` and static/page.js fill in."""
    parts: list[Any] = []
    for element in pattern.elements:
        if isinstance(element, ast.TextElement):
            parts.append(element.value)
            continue
        expression = element.expression
        if isinstance(expression, ast.SelectExpression):
            choices = {_key(each): _compiled(each.value) for each in expression.variants}
            default = next(_key(each) for each in expression.variants if each.default)
            parts.append({**_name(expression.selector), "choices": choices, "default": default})
        elif isinstance(expression, ast.StringLiteral):
            parts.append(expression.parse()["value"])
        else:
            parts.append(_name(expression))
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


def _key(variant: ast.Variant) -> str:
    key = variant.key
    return key.name if isinstance(key, ast.Identifier) else str(key.value)


def _name(expression: object) -> dict[str, Any]:
    if isinstance(expression, ast.VariableReference):
        return {"name": expression.id.name}
    if isinstance(expression, ast.FunctionReference) and expression.id.name == "NUMBER":
        options = {each.name.name: each.value.value for each in expression.arguments.named}
        if options == {"useGrouping": "0"}:
            return {**_name(expression.arguments.positional[0]), "grouping": False}
    raise BaccaratError("messages may contain only variables, NUMBER (useGrouping: 0) and choices")


@cache
def languages() -> tuple[str, ...]:
    """Return all available languages, the default first."""
    found = (folder.name for folder in LOCALES.iterdir() if folder.is_dir())
    return tuple(sorted(found, key=lambda name: (name != DEFAULT, name)))


@cache
def catalogue(language: str = DEFAULT) -> Catalogue:
    """Return a language's catalogue; raise BaccaratError if its messages or variables differ from
    those of the English catalogue."""
    folder = LOCALES / language
    files = {
        f"{language}/{path.name}": path.read_text(encoding="utf-8")
        for path in sorted(folder.glob("*.ftl"))
    }
    found = Catalogue(language, files)
    if language != DEFAULT:
        found.check()
        faults = list(_differences(found, catalogue()))
        if faults:
            raise BaccaratError(
                f"locale/{language} differs from {DEFAULT}: {'; '.join(faults[:20])}"
            )
    return found


def _differences(other: Catalogue, first: Catalogue) -> Iterable[str]:
    yield from (f"{key} is missing" for key in first if key not in other)
    for key in other:
        if key not in first:
            yield f"{key} is not a message of {DEFAULT}{nearest(key, first)}"
        elif other.variables(key) != first.variables(key):
            expected = ", ".join(sorted(first.variables(key))) or "none"
            yield f"{key} must have the variables: {expected}"
