"""Writes the parts of the documentation that come from the code, in place.

A page holds `<!-- generated: NAME -->` and `<!-- end -->`; what stands between them is made by
PARTS[NAME]. With --check nothing is written, and the exit status is 1 when a page is out of date.
"""

import argparse
import re
import runpy
import tomllib
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path

from baccarat.cli import COMMANDS, parser_of
from baccarat.core.facts import FACTS, Fact
from baccarat.loader.kinds import EXPLAINED, Kind, numbers_of, values_in_words
from baccarat.loader.schema import CARD, REQUIRED, Key, tables

PAGES = Path(__file__).parent
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def keys() -> str:
    """Every table of a rule card, and its keys."""
    written = {CARD.title: "The card itself"}
    for table in tables():
        written |= {_title(key): f"`{key.write}`" for key in table.keys if _title(key)}
    parts = []
    for table in tables():
        rows = ([f"`{key.name}`", _holds(key), _default(key), key.meaning] for key in table.keys)
        columns = ("key", "holds", "if left out", "meaning")
        parts.append(f"### {written[table.title]}\n\n{_table(columns, rows)}")
    return "\n".join(parts)


def kinds() -> str:
    """How values are written."""
    return _table(("holds", "is written as"), ([kind.what, kind.write] for kind in EXPLAINED))


def facts() -> str:
    """The vocabulary of conditions."""
    rows = ([f"`{fact.name}`", _values(fact), fact.meaning] for fact in FACTS.values())
    return _table(("fact", "values", "meaning"), rows)


def options() -> str:
    """Every option of every command."""
    parts = []
    for name, words in COMMANDS.items():
        parser = parser_of(name, import_module(f"baccarat.cli.{name}"))
        rows = [[_written(action), _helped(action)] for action in parser._actions[1:]]
        table = f"\n{_table(('option', 'meaning'), rows)}" if rows else ""
        parts.append(f"## `baccarat {name}`\n\n{words[:1].upper()}{words[1:]}.\n{table}")
    return "\n".join(parts)


def requirements() -> str:
    """Every demand of the posters, how far it is built, and the tests that cover it."""
    covering = runpy.run_path(str(PAGES.parent / "tests" / "covered.py"))["covering"]()
    demands = tomllib.loads((PAGES / "requirements.toml").read_text(encoding="utf-8"))
    rows = [
        [number, _plain(demand["demand"]), _state(demand), _tests(covering.get(number, []))]
        for number, demand in demands.items()
    ]
    return _table(("", "demand", "state", "tests"), rows)


PARTS: dict[str, Callable[[], str]] = {
    "keys": keys,
    "kinds": kinds,
    "facts": facts,
    "options": options,
    "requirements": requirements,
}


def up_to_date(page: str) -> str:
    """The text of a page with its generated parts made anew."""
    return PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]()}\n{part[3]}", page)


def main(argv: Sequence[str] | None = None, pages: Path = PAGES) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say which pages are out of date")
    check = parser.parse_args(argv).check
    stale = False
    for page in sorted(pages.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        made = up_to_date(text)
        if made != text:
            stale = True
            print(f"{page.name} {'is out of date: run docs/generate.py' if check else 'written'}")
            if not check:
                page.write_text(made, encoding="utf-8")
    return int(check and stale)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(_cell, cells))} |\n" for cells in lines)


def _cell(text: str) -> str:
    """Text that cannot end its cell or its row: bars are escaped unless they are already."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def _written(action: argparse.Action) -> str:
    """An option as it is typed: `-o FILE`."""
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    value = ""
    if action.nargs != 0:
        value = f" {action.metavar or '|'.join(map(str, action.choices or ()))}"
    return f"`{', '.join(action.option_strings)}{value}`".replace("|", "\\|")


def _helped(action: argparse.Action) -> str:
    required = " (required)" if action.required and action.option_strings else ""
    return f"{action.help or ''}{required}".replace("%%", "%").replace("|", "\\|")


def _state(demand: dict[str, str | bool]) -> str:
    if not demand.get("built", True):
        return "**not yet**"
    return f"partly; not yet: {_plain(demand['missing'])}" if "missing" in demand else "built"


def _plain(text: str) -> str:
    """Text of which Markdown makes nothing else."""
    return re.sub(r"([\\`*_<\[\]])", r"\\\1", text)


def _tests(names: Sequence[str]) -> str:
    """Three are enough to find the place; the others are counted."""
    shown = ", ".join(f"`{name.partition('::')[2]}`" for name in names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown or "—"


def _title(key: Key) -> str:
    """The title of the table below a key, if there is one."""
    return "" if isinstance(key.holds, Kind) else key.write.strip("[]")


def _holds(key: Key) -> str:
    return key.holds.what if isinstance(key.holds, Kind) else f"`{key.write}`"


def _default(key: Key) -> str:
    match key.default:
        case _ if key.default is REQUIRED:
            return "**required**"
        case None | () | "":
            return "—"
        case bool():
            return f"`{str(key.default).lower()}`"
        case str():
            return f'`"{key.default}"`'
        case _:
            return f"`{key.default}`"


def _values(fact: Fact) -> str:
    numbers = numbers_of(fact)
    if len(numbers) < 4:
        return f"`{values_in_words(fact).replace(', ', '`, `').replace(' or ', '` or `')}`"
    others = "".join(f' or `"{value}"`' for value in fact.values if isinstance(value, str))
    return f"`{numbers[0]}` to `{numbers[-1]}`{others}"


if __name__ == "__main__":
    raise SystemExit(main())
