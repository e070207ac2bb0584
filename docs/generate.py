"""Writes the parts of the documentation that come from the code, in place.

A page holds `<!-- generated: NAME -->` and `<!-- end -->`; what stands between them is made by
PARTS[NAME]. With --check nothing is written, and the exit status is 1 when a page is out of date.
"""

import argparse
import inspect
import json
import re
import runpy
import tomllib
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from baccarat.cli import COMMANDS, module_of, parser_of
from baccarat.core.cards import deck, parse_card
from baccarat.core.facts import FACTS, Fact
from baccarat.core.money import short_decimal
from baccarat.house.housefile import HOUSE, SECONDS
from baccarat.house.ledger import ALLOWED
from baccarat.house.profile import BUILT_IN, PROFILE, built_in_profiles, load_profile
from baccarat.house.roles import MAY
from baccarat.loader.kinds import EXPLAINED, Kind, numbers_of, values_in_words
from baccarat.loader.schema import CARD, REQUIRED, Key, Table, tables
from baccarat.service.telling import SIGHT, Sight
from baccarat.shoe import Burn
from baccarat.shoe.commitment import SealedShoe, Source, Terms, leaf, node, nonce_of
from baccarat.shoe.contributions import (
    Contribution,
    contribution_of,
    dealing_order,
    public_seed,
)
from baccarat.table import refusals as refusal_codes
from baccarat.table.events import EVENTS, Event
from baccarat.table.phases import TRANSITIONS
from baccarat.table.refusals import Code
from baccarat.web.answers.happened import named, schemas
from baccarat.web.app import ROUTERS, rule_of
from baccarat.web.limits import Rates
from baccarat.web.problems import STATUS
from baccarat.web.stated import rule_behind

PAGES = Path(__file__).parent
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def keys() -> str:
    """Every table of a rule card, and its keys."""
    return _keys(CARD, "The card itself")


def house_keys() -> str:
    """Every table of a house file, and its keys."""
    return _keys(HOUSE, "The house itself")


def roles() -> str:
    """Who may do what."""
    rows = ([f"`{role}`", ", ".join(sorted(actions))] for role, actions in MAY.items())
    return _table(("role", "may"), rows)


def profiles() -> str:
    """The figures of every built-in profile, and where they come from."""
    known = [(name, load_profile(name)) for name in built_in_profiles()]
    figures = [key for key in PROFILE.keys if isinstance(key.holds, Table)]
    rows = []
    for key in figures:
        raw = (tomllib.loads((BUILT_IN / f"{name}.toml").read_text("utf-8")) for name, _ in known)
        values = [str(one[key.name]["value"]).lower() for one in raw]
        sources = [profile.sources[key.name] for _, profile in known]
        cells = (f"{value} ({source})" for value, source in zip(values, sources, strict=True))
        rows.append([f"`{key.name}`", key.meaning, *cells])
    return _table(("figure", "meaning", *(f"`{name}`" for name, _ in known)), rows)


def postings() -> str:
    """The accounts that each kind of transaction touches."""
    rows = (
        [f"`{kind}`", ", ".join(f"`{name}`" for name in sorted(accounts))]
        for kind, accounts in ALLOWED.items()
    )
    return _table(("transaction", "accounts"), rows)


def _keys(root: Table, title: str) -> str:
    written = {root.title: title}
    for table in tables(root):
        written |= {_title(key): f"`{key.write}`" for key in table.keys if _title(key)}
    parts = []
    for table in tables(root):
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


def vectors() -> str:
    """Test vectors of a committed shoe: one deck in factory order, so that anyone can type it."""
    key, secret = bytes(range(32)), bytes(range(100, 132))
    rules = bytes(range(200, 232))
    terms = Terms(bytes(range(16)), Source.SHOE, 1, 14, Burn.FIRST_CARD, rules)
    shoe = SealedShoe(terms, deck(), key)
    opened = shoe.open(25)
    promised = contribution_of(shoe.commitment, "Ann", secret)
    given = (
        Contribution("Ann", promised, secret),
        Contribution("Zoë", bytes(range(32)), None),
    )
    seed = public_seed(shoe.commitment, given)
    made = {
        "key": key.hex(),
        "nonce of position 0": nonce_of(key, 0).hex(),
        "leaf of position 0, card As": leaf(0, parse_card("As"), nonce_of(key, 0)).hex(),
        "node of thirty-two 00 and thirty-two 01": node(bytes(32), bytes([1] * 32)).hex(),
        "root of one deck in the order of the codes": shoe.root.hex(),
        "proof of position 25, card Kh": [step.hex() for step in opened.proof],
        "terms": {
            "shoe": terms.shoe.hex(),
            "source": terms.source,
            "decks": terms.decks,
            "cut": terms.cut,
            "burn": terms.burn,
            "SHA-256 of the rules": rules.hex(),
        },
        "commitment": shoe.commitment.hex(),
        "secret of Ann": secret.hex(),
        "contribution of Ann": promised.hex(),
        "commitment of Zoë, withheld": given[1].commitment.hex(),
        "seed": seed.hex(),
        "order of dealing": list(dealing_order(seed, 52)),
    }
    text = json.dumps(made, indent=2, ensure_ascii=False)
    flat = re.sub(r"\[([^\]\"]*)\]", lambda list_: " ".join(list_[0].split()), text)
    return f"```json\n{flat}\n```\n"


def phases() -> str:
    """The transition table of rounds and shoes."""
    rows = (
        [f"`{before}`", f"`{event.__name__}`", f"`{after}`"]
        for (before, event), after in TRANSITIONS.items()
    )
    return _table(("phase", "event", "leads to"), rows)


def refusals() -> str:
    """Every code, in order of precedence, with the sentence below it in the source."""
    source = Path(refusal_codes.__file__).read_text(encoding="utf-8")
    said = dict(re.findall(r' = "([a-z-]+)".*\n    """(.*?)"""', source))
    return "".join(f"1. `{code}` {said.get(code, '')}".rstrip() + "\n" for code in Code)


def options() -> str:
    """Every option of every command."""
    parts = []
    for name, words in COMMANDS.items():
        parser = parser_of(name, import_module(module_of(name)))
        rows = [[_written(action), _helped(action)] for action in parser._actions[1:]]
        table = f"\n{_table(('option', 'meaning'), rows)}" if rows else ""
        parts.append(f"## `baccarat {name}`\n\n{words[:1].upper()}{words[1:]}.\n{table}")
    return "\n".join(parts)


def demanded(name: str) -> str:
    """Every demand of a list, how far it is built, and the tests that cover it."""
    covering = runpy.run_path(str(PAGES.parent / "tests" / "covered.py"))["covering"]()
    demands = tomllib.loads((PAGES / f"{name}.toml").read_text(encoding="utf-8"))
    rows = [
        [number, _plain(demand["demand"]), _state(demand), _tests(covering.get(number, []))]
        for number, demand in demands.items()
    ]
    return _table(("", "demand", "state", "tests"), rows)


def codes() -> str:
    """Every code of a problem with its status and its rule, in order of precedence."""
    rows = ([f"`{code}`", str(status), _rule(code)] for code, status in STATUS.items())
    return _table(("code", "status", "rule"), rows)


def _rule(code: StrEnum) -> str:
    rule = rule_behind(code)
    return " ".join(part for part in (rule["number"], f"`{rule['place']}`") if part) if rule else ""


def endpoints() -> str:
    """Every endpoint, whom it is for, and the form of what it tells."""
    rows = (
        [f"`{method} {route.path}`", str(rule_of(route).rule), _form(route)]
        for router in ROUTERS
        for route in router.routes
        if route.include_in_schema
        for method in sorted(route.methods)
    )
    return _table(("endpoint", "needs", "tells"), rows)


def events() -> str:
    """Every event of a table, who sees it, and its fields; then the objects within them."""
    forms, parts = schemas(), []
    for name, kind in EVENTS.items():
        form = forms.pop(named(kind))
        parts.append(f"## `{name}`\n\n{form['description']} *{_seen(kind)}*\n\n{_fields(form)}")
    parts.append("## Objects within them\n")
    for name, form in forms.items():
        parts.append(f"### `{name}`\n\n{form['description']}\n\n{_fields(form)}")
    return "\n".join(parts)


SEEN = {
    Sight.PUBLIC: "Everyone sees it.",
    Sight.UNNAMED: "Everyone sees it, without the account that did it.",
    Sight.OWN: "Only the player whom it is about sees it.",
    Sight.RESULTS: "Everyone sees it, with their own results alone.",
    Sight.FLOOR: "Only who did it, and who deals, sees it.",
    Sight.STAFF: "Only those who see everything see it.",
}


def _seen(kind: type[Event]) -> str:
    if SIGHT[kind] is Sight.OWN and "player" not in kind.__dataclass_fields__:
        return "Only who did it sees it."
    return SEEN[SIGHT[kind]]


def _fields(form: dict[str, Any]) -> str:
    """All of an object but `at`, which every event has."""
    rows = []
    for name, one in form["properties"].items():
        absent = f"`{json.dumps(one['default'])}`" if "default" in one else ""
        rows.append([f"`{name}`", _in_json(one), absent, one.get("description", "")])
    rows = [row for row in rows if row[0] != "`at`"]
    return _table(("field", "holds", "if absent", "meaning"), rows) if rows else "Only `at`.\n"


def _in_json(form: dict[str, Any]) -> str:
    """The form of a value, in words."""
    match form:
        case {"$ref": ref}:
            name = ref.rpartition("/")[2]
            return f"[`{name}`](#{name.lower()})"
        case {"anyOf": [some, _]}:
            return f"{_in_json(some)}, or `null`"
        case {"enum": choices}:
            return ", ".join(f"`{one}`" for one in choices)
        case {"prefixItems": items}:
            return f"pairs of {' and '.join(map(_in_json, items))}"
        case {"items": items}:
            words = _in_json(items)
            return words if words.startswith("pairs") else f"list: {words}"
        case {"format": "milliseconds"}:
            return "time"
        case {"format": name}:
            return str(name)
    kinds = {"integer": "whole number", "boolean": "`true` or `false`", "string": "text"}
    return kinds[form["type"]]


def rates() -> str:
    """Every rate limit, with the sentence below it in the source."""
    said = dict(re.findall(r'    (\w+): Rate = .*\n    """(.*?)"""', inspect.getsource(Rates)))
    rows = (
        [
            name.removesuffix("_from").replace("_", " "),
            said[name],
            f"{rate.at_once:,}",
            f"{rate.a_minute:,}",
        ]
        for name, rate in vars(Rates()).items()
    )
    return _table(("what", "counted", "at once", "a minute"), rows)


def _form(route: Any) -> str:
    if route.form is not None:
        return f"`{route.form.__name__}`"
    if route.status_code == 204:
        return "—"
    kinds = [kind for one in route.responses.values() for kind in one.get("content", ())]
    return " or ".join(kinds) or str(route.response_class.media_type)


PARTS: dict[str, Callable[[], str]] = {
    "house_keys": house_keys,
    "roles": roles,
    "postings": postings,
    "profiles": profiles,
    "phases": phases,
    "refusals": refusals,
    "codes": codes,
    "endpoints": endpoints,
    "events": events,
    "rates": rates,
    "keys": keys,
    "kinds": kinds,
    "facts": facts,
    "vectors": vectors,
    "options": options,
    "requirements": partial(demanded, "requirements"),
    "regulation": partial(demanded, "regulation"),
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
        choices = "|".join(map(str, action.choices or ()))
        value = f" {action.metavar or choices or action.dest.upper()}"
    return f"`{', '.join(action.option_strings)}{value}`".replace("|", "\\|")


def _helped(action: argparse.Action) -> str:
    required = " (required)" if action.required and action.option_strings else ""
    words = argparse.HelpFormatter("")._expand_help(action) if action.help else ""
    return f"{words}{required}".replace("|", "\\|")


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
    if isinstance(key.holds, Kind) and key.holds is SECONDS:
        return f"`{short_decimal(Fraction(key.default, 1000))}`"
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
