"""Write the parts of the documentation that come from the code, in place.

A page contains `<!-- generated: NAME -->` and `<!-- end -->`; PARTS[NAME] returns the text between
them. With --check nothing is written, and the exit status is 1 if a page is out of date.
"""

import argparse
import ast
import inspect
import json
import re
import runpy
import tomllib
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, get_type_hints

from baccarat.cli import COMMANDS, module_of, parser_of
from baccarat.core.cards import deck, parse_card
from baccarat.core.errors import one_of
from baccarat.core.facts import FACTS, Fact
from baccarat.core.hand_facts.measures import PLACES
from baccarat.core.money import format_coins, short_decimal
from baccarat.house.events import HOUSE_EVENTS
from baccarat.house.house_format import HOUSE, SECONDS
from baccarat.house.money.ledger import ALLOWED
from baccarat.house.people.roles import MAY
from baccarat.house.safety.profiles import BUILT_IN, PROFILE, built_in_profiles, load_profile
from baccarat.loader.kinds import COINS, EXPLAINED, Kind, numbers_of, values_in_words
from baccarat.loader.schema import CARD, REQUIRED, Key, Table, tables
from baccarat.service.visibility import SIGHT, Sight
from baccarat.shoe import Burn
from baccarat.shoe.commitment import CommitmentTerms, SealedShoe, Source, leaf, node, nonce_of
from baccarat.shoe.contributions import (
    Contribution,
    contribution_of,
    dealing_order,
    public_seed,
)
from baccarat.table.events import EVENTS, Event
from baccarat.table.phases import TRANSITIONS
from baccarat.table.refusals import Code
from baccarat.web.schema.events import named, schemas
from baccarat.web.server.app import ROUTERS, rule_of
from baccarat.web.server.guard import Rates
from baccarat.web.server.problems import RULES, STATUS

PAGES = Path(__file__).parent
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def keys() -> str:
    """Return every table of a rule card, and its keys."""
    return _keys(CARD)


def house_keys() -> str:
    """Return every table of a house file, and its keys."""
    return _keys(HOUSE)


def layers() -> str:
    """Return the import layers, from top to bottom."""
    project = tomllib.loads((PAGES.parent / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        contract
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract.get("containers") == ["baccarat"]
    )
    levels = ("`, `".join(layer.split(" | ")) for layer in contract["layers"])
    return "".join(f"1. `{level}`\n" for level in levels)


def roles() -> str:
    """Return what each role may do."""
    rows = ([f"`{role}`", "; ".join(sorted(actions))] for role, actions in MAY.items())
    return _table(("role", "may"), rows)


def profiles() -> str:
    """Return the figures of every built-in profile, and where they come from."""
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
    """Return the accounts that each kind of transaction touches."""
    rows = (
        [f"`{kind}`", ", ".join(f"`{name}`" for name in sorted(accounts))]
        for kind, accounts in ALLOWED.items()
    )
    return _table(("transaction", "accounts"), rows)


def _keys(root: Table) -> str:
    written = {root.title: "Top level"}
    for table in tables(root):
        written |= {_title(key): f"`{key.holds.write}`" for key in table.keys if _title(key)}
    parts = []
    for table in tables(root):
        rows = ([f"`{key.name}`", _holds(key), _default(key), key.meaning] for key in table.keys)
        columns = ("key", "type", "default", "meaning")
        parts.append(f"### {written[table.title]}\n\n{_table(columns, rows)}")
    return "\n".join(parts)


def kinds() -> str:
    """Return how values are written."""
    return _table(("type", "is written as"), ([kind.what, kind.write] for kind in EXPLAINED))


def facts() -> str:
    """Return the vocabulary of conditions."""
    rows = [[f"`{fact.name}`", _values(fact), fact.meaning] for fact in FACTS.values()]
    places = one_of(f"`{place.name}`" for place in PLACES.values())
    most = max(place.most_cards for place in PLACES.values())
    count = (
        "number of cards that match `of` (ranks, cards, suits or colours) at the place `in`: "
        f"{places}"
    )
    rows.append(["`count`", f"`0` to `{most}`, in `is`, `min` or `max`", count])
    return _table(("fact", "values", "meaning"), rows)


def vectors() -> str:
    """Return test vectors of a committed shoe: one deck in factory order, easy to reproduce."""
    key, secret = bytes(range(32)), bytes(range(100, 132))
    rules = bytes(range(200, 232))
    terms = CommitmentTerms(bytes(range(16)), Source.SHOE, 1, 14, Burn.FIRST_CARD, rules)
    shoe = SealedShoe(terms, deck(), key)
    opened = shoe.open(25)
    promised = contribution_of(shoe.commitment, secret)
    given = (
        Contribution(promised, secret),
        Contribution(bytes(range(32)), None),
    )
    seed = public_seed(shoe.commitment, given)
    made = {
        "key": key.hex(),
        "nonce of position 0": nonce_of(key, 0).hex(),
        "leaf of position 0, card As": leaf(0, parse_card("As"), nonce_of(key, 0)).hex(),
        "node of 32 bytes 00 and 32 bytes 01": node(bytes(32), bytes([1] * 32)).hex(),
        "root of one deck in the order of the card codes": shoe.root.hex(),
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
        "secret": secret.hex(),
        "contribution": promised.hex(),
        "second contribution, withheld": given[1].commitment.hex(),
        "seed": seed.hex(),
        "order of dealing": list(dealing_order(seed, 52)),
    }
    text = json.dumps(made, indent=2, ensure_ascii=False)
    flat = re.sub(r"\[([^\]\"]*)\]", lambda list_: " ".join(list_[0].split()), text)
    return f"```json\n{flat}\n```\n"


def phases() -> str:
    """Return the transition table of rounds and shoes."""
    rows = (
        [f"`{before}`", f"`{event.__name__}`", f"`{after}`"]
        for (before, event), after in TRANSITIONS.items()
    )
    return _table(("phase", "event", "leads to"), rows)


def refusals() -> str:
    """Return every code, in order of precedence, with its docstring."""
    return "".join(f"1. `{code}` {_meaning(code)}".rstrip() + "\n" for code in Code)


def _meaning(code: StrEnum) -> str:
    return _docstrings(type(code)).get(code.name, "")


@cache
def _docstrings(kind: type) -> dict[str, str]:
    """Return the docstrings below the attributes of a class, by name, each on one line."""
    (defined,) = ast.parse(inspect.getsource(kind)).body
    found = {}
    for attribute, below in pairwise(defined.body):
        match attribute, below:
            case (
                (ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name))),
                ast.Expr(ast.Constant(str() as text)),
            ):
                found[name] = " ".join(text.split())
    return found


def options() -> str:
    """Return every option of every command."""
    parts = []
    for name, words in COMMANDS.items():
        parser = parser_of(name, import_module(module_of(name)))
        rows = [[_written(action), _helped(action)] for action in parser._actions[1:]]
        table = f"\n{_table(('option', 'meaning'), rows)}" if rows else ""
        parts.append(f"## `baccarat {name}`\n\n{words[:1].upper()}{words[1:]}.\n{table}")
    return "\n".join(parts)


def demanded(name: str) -> str:
    """Return every requirement of a list, whether it is built, and the tests that cover it."""
    covering = runpy.run_path(str(PAGES.parent / "tests" / "support" / "covered.py"))["covering"]()
    demands = tomllib.loads((PAGES / "reference" / f"{name}.toml").read_text(encoding="utf-8"))
    rows = [
        [number, _plain(demand["demand"]), _state(demand), _tests(covering.get(number, []))]
        for number, demand in demands.items()
    ]
    return _table(("", "requirement", "state", "tests"), rows)


def codes() -> str:
    """Return every problem code with its status, meaning and rule, in order of precedence."""
    rows = (
        [f"`{code}`", str(status), _meaning(code), _rule(code)] for code, status in STATUS.items()
    )
    return _table(("code", "status", "meaning", "rule"), rows)


def _rule(code: StrEnum) -> str:
    rule = RULES.get(code)
    return " ".join(part for part in (rule["number"], f"`{rule['place']}`") if part) if rule else ""


def endpoints() -> str:
    """Return every endpoint, the access it requires, and the type of its response."""
    rows = (
        [f"`{method} {route.path}`", str(rule_of(route).rule), _form(route)]
        for router in ROUTERS
        for route in router.routes
        if route.include_in_schema
        for method in sorted(route.methods)
    )
    return _table(("endpoint", "permission required", "response"), rows)


def events() -> str:
    """Return every table event, who sees it, and its fields; then the objects in the fields."""
    forms, parts = {**schemas()}, []
    for name, kind in EVENTS.items():
        form = forms.pop(named(kind))
        parts.append(f"## `{name}`\n\n{form['description']} *{_seen(kind)}*\n\n{_fields(form)}")
    parts.append("## Objects in event fields\n")
    for name, form in forms.items():
        parts.append(f"### `{name}`\n\n{form['description']}\n\n{_fields(form)}")
    return "\n".join(parts)


def house_events() -> str:
    """Return every house event, with its fields."""
    rows = []
    for name, kind in HOUSE_EVENTS.items():
        fields = (f"`{field}`" for field in get_type_hints(kind) if field != "at")
        text = inspect.cleandoc(kind.__doc__ or "")
        meaning = re.sub(r"^\w+: .*(\n    .*)*", "", text, flags=re.MULTILINE)  # without fields
        rows.append([f"`{name}`", meaning, ", ".join(fields)])
    return _table(("event", "meaning", "fields"), rows)


SEEN = {
    Sight.PUBLIC: "Visible to everyone.",
    Sight.UNNAMED: "Visible to everyone, but without the account concerned.",
    Sight.OWN: "Visible only to the player concerned.",
    Sight.RESULTS: "Visible to everyone, but only with the reader's own results.",
    Sight.CONSOLE: "Visible only to dealers and to the account that caused it.",
    Sight.STAFF: "Visible only to the pit and the auditor.",
}


def _seen(kind: type[Event]) -> str:
    if SIGHT[kind] is Sight.OWN and "player" not in kind.__struct_fields__:
        return "Visible only to the account that caused it."
    return SEEN[SIGHT[kind]]


def _fields(form: dict[str, Any]) -> str:
    """Return an object's fields as a table, without those that every event has."""
    if "enum" in form:
        return f"One of {_in_json(form)}.\n"
    rows = [
        [f"`{name}`", _in_json(one), one.get("description", "")]
        for name, one in form["properties"].items()
        if name not in ("type", "at", "sequence", "hash")
    ]
    return _table(("field", "type", "meaning"), rows) if rows else "No fields except `at`.\n"


def _in_json(form: dict[str, Any]) -> str:
    """Return the form of a value, in words."""
    match form:
        case {"$ref": ref}:
            name = ref.rpartition("/")[2]
            return f"[`{name}`](#{name.lower()})"
        case {"anyOf": [{"type": "null"}, some]} | {"anyOf": [some, {"type": "null"}]}:
            return f"{_in_json(some)}, or `null`"
        case {"anyOf": choices}:
            return " or ".join(map(_in_json, choices))
        case {"enum": choices}:
            return ", ".join(f"`{choice}`" for choice in choices)
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
    return kinds.get(form["type"], "`null`")


def rates() -> str:
    """Return every rate limit, with its docstring."""
    counted = _docstrings(Rates)
    rows = (
        [
            name.removesuffix("_from").replace("_", " "),
            counted[name],
            f"{rate.at_once:,}",
            f"{rate.a_minute:,}",
        ]
        for name, rate in vars(Rates()).items()
    )
    return _table(("requests", "counted", "burst", "per minute"), rows)


def _form(route: Any) -> str:
    if route.form is not None:
        return f"`{route.form.__name__}`"
    if route.status_code == 204:
        return "—"
    kinds = [kind for response in route.responses.values() for kind in response.get("content", ())]
    return " or ".join(kinds) or str(route.response_class.media_type)


PARTS: dict[str, Callable[[], str]] = {
    "house_keys": house_keys,
    "layers": layers,
    "roles": roles,
    "postings": postings,
    "profiles": profiles,
    "phases": phases,
    "refusals": refusals,
    "codes": codes,
    "endpoints": endpoints,
    "events": events,
    "house_events": house_events,
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
    """Return the text of a page with its generated parts brought up to date."""
    return PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]()}\n{part[3]}", page)


def main(argv: Sequence[str] | None = None, pages: Path = PAGES) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="only report which pages are out of date"
    )
    check = parser.parse_args(argv).check
    stale = False
    for page in sorted(pages.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        made = up_to_date(text)
        if made != text:
            stale = True
            name = page.relative_to(pages)
            print(f"{name} {'is out of date: run docs/generate.py' if check else 'written'}")
            if not check:
                page.write_text(made, encoding="utf-8")
    return int(check and stale)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(_cell, cells))} |\n" for cells in lines)


def _cell(text: str) -> str:
    """Return text that cannot end its cell or row: bars are escaped unless they already are."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def _written(action: argparse.Action) -> str:
    """Return an option as it is typed: `-o FILE`."""
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
    return f"partly; missing: {_plain(demand['missing'])}" if "missing" in demand else "built"


def _plain(text: str) -> str:
    """Return text with the special characters of Markdown escaped."""
    return re.sub(r"([\\`*_<\[\]])", r"\\\1", text)


def _tests(names: Sequence[str]) -> str:
    """Return the names of three tests, and the number of others."""
    shown = ", ".join(f"`{name.partition('::')[2]}`" for name in names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown or "—"


def _title(key: Key) -> str:
    """Return the title of the table below a key, if there is one."""
    return "" if isinstance(key.holds, Kind) else key.holds.table.title


def _holds(key: Key) -> str:
    return key.holds.what if isinstance(key.holds, Kind) else f"`{key.holds.write}`"


def _default(key: Key) -> str:
    if isinstance(key.default, int) and key.holds is SECONDS:
        seconds = short_decimal(Fraction(key.default, 1000))
        return f'`"{seconds}"`' if "." in seconds else f"`{seconds}`"
    if isinstance(key.default, int) and key.holds is COINS:
        return f'`"{format_coins(key.default).replace(",", "")}"`'
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
