"""Random rule cards, generated from the schema: each loads or has findings, and can be played.

Right values, wrong ones, missing keys, extra keys, and built-in cards with a few things changed.
"""

import datetime as dt
import re
import tomllib
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from baccarat.analysis.edges import analyse
from baccarat.core.errors import BaccaratError
from baccarat.core.facts import FACTS
from baccarat.core.hand_facts.measures import PLACES
from baccarat.core.text import is_printable_line
from baccarat.library import check_soundness
from baccarat.loader import Checked, built_in_cards, check_text
from baccarat.loader import kinds as k
from baccarat.loader.files import find
from baccarat.loader.schema import CARD, REQUIRED, Key, Named, Table, Tables
from support.samples import amount

Raw = dict[str, Any]
BUILT_IN = {
    card: tomllib.loads(find(card).read_text(encoding="utf-8")) for card in built_in_cards()
}


def toml(value: Any) -> str:
    """Return a value as TOML; tables are written inline."""
    match value:
        case dict():
            return "{" + ", ".join(f"{text(key)} = {toml(v)}" for key, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case bool():
            return str(value).lower()
        case str():
            return text(value)
        case dt.date():
            return value.isoformat()
        case _:
            return repr(value)


def text(value: str) -> str:
    escaped = (c if c.isalnum() or c in " :/%.,_-" else f"\\U{ord(c):08x}" for c in value)
    return f'"{"".join(escaped)}"'


def document(raw: Raw) -> str:
    return "".join(f"{text(key)} = {toml(value)}\n" for key, value in raw.items())


# Values of each kind. Few names, so that bets, parameters and readings often collide.

NAMES = st.sampled_from(["player", "banker", "tie", "six", "A1", "one"])
PARAMETERS = st.sampled_from(["decks", "tie_odds", "double_chance"])
ODDS = st.sampled_from(["1:1", "19:20", "9:1", "12:1", "999999999:1", "1:999999999", "stand-off"])
NUMBERS = st.sampled_from([1, 8, 24, 25, 10**9, "0", "9:1", "2%", "10%", "1/3", "0.000000000001"])
CELLS = st.sampled_from(
    ["0-2/any,stood", "3/0-7,9", "3/8", "4/2-7", "0-7/any,stood", "9/any", "6/stood", "3-6/stood"]
)
TESTS = st.one_of(
    st.fixed_dictionaries({fact.name: st.sampled_from(fact.values)}) for fact in FACTS.values()
) | st.one_of(
    st.fixed_dictionaries(
        {fact.name: st.fixed_dictionaries({"min": st.sampled_from(k.numbers_of(fact))})}
    )
    for fact in FACTS.values()
    if k.numbers_of(fact)
)
COUNTS = st.fixed_dictionaries(
    {
        "of": st.sampled_from(["K", "J Q K", "9d", "hearts", "red", "7h 7d", "11"]),
        "in": st.sampled_from([*PLACES, "hand"]),
        "is": st.integers(0, 3),
    }
)
CONDITIONS = st.recursive(
    TESTS | st.fixed_dictionaries({"count": COUNTS | st.lists(COUNTS, max_size=2)}),
    lambda inner: (
        st.fixed_dictionaries({"not": inner})
        | st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=3)})
    ),
    max_leaves=4,
)
ODD_RANGES = st.one_of(
    st.fixed_dictionaries(
        {fact.name: st.dictionaries(st.just("min"), st.sampled_from(fact.values))}
    )
    for fact in FACTS.values()
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9)
TRANSLATED = st.dictionaries(
    st.sampled_from(["name", "notes", "bet", "parameters", "notice", "x"]),
    st.recursive(
        TEXTS | st.lists(TEXTS, max_size=2),
        lambda inner: st.dictionaries(st.sampled_from(["player", "banker", "name"]), inner),
        max_leaves=4,
    ),
    max_size=3,
)
VALUES_OF = {
    k.TEXT: TEXTS,
    k.TRANSLATIONS: st.dictionaries(st.sampled_from(["el", "greek"]), TRANSLATED, max_size=2),
    k.IDENTIFIER: NAMES,
    k.FLAG: st.booleans(),
    k.NUMBER: NUMBERS,
    k.PAYS: ODDS | PARAMETERS,
    k.COINS: st.sampled_from(["0.01", "1", "5.00", "100", "999999999999999"]),
    k.PERCENT: st.sampled_from(["0%", "90%", "100%"]),
    k.PRINTED: st.sampled_from(["4.84%", "0%", "-1.5%"]),
    k.TOTALS: st.sampled_from(["", "0-5", "6-7", "8-9", "9", "0-9"]),
    k.CELLS: CELLS,
    k.VALUES: st.dictionaries(PARAMETERS, NUMBERS, max_size=2),
    k.CONDITION: CONDITIONS | ODD_RANGES,
}
JUNK = st.recursive(
    st.sampled_from(["", "player", "1:1", "3/8", 0, 1, -1, 10**30, 1.5, float("nan")])
    | st.booleans()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    | st.dates(min_value=dt.date(1000, 1, 1)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abx.", max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


def right(key: Key) -> st.SearchStrategy[Any]:
    """Values of the kind that a key holds."""
    match key.holds:
        case k.Kind():
            return of_kind(key.holds)
        case Table():
            return table(key.holds)
        case Tables(table=inner):
            return st.lists(table(inner), max_size=3)
        case Named(table=inner):
            return st.dictionaries(PARAMETERS, table(inner), max_size=3)


def of_kind(kind: k.Kind) -> st.SearchStrategy[Any]:
    if kind.item:
        return st.lists(of_kind(kind.item), max_size=3)
    if kind in VALUES_OF:
        return VALUES_OF[kind]
    words = re.findall(r'"([^"]+)"', kind.what)
    if words:
        return st.sampled_from(words)
    low, *high = map(int, re.findall(r"\d+", kind.what))
    return st.integers(low, high[0] if high else low)


@st.composite
def table(draw: st.DrawFn, of: Table) -> Raw:
    """Return a table with most keys right, some missing or wrong, and sometimes an extra one."""
    raw: Raw = {}
    for key in of.keys:
        fate = draw(st.integers(0, 19))
        if fate == 0:
            raw[key.name] = draw(JUNK)
        elif fate > 1 and (key.default is REQUIRED or draw(st.booleans())):
            raw[key.name] = draw(right(key))
    if draw(st.integers(0, 9)) == 0:
        raw[draw(st.text("abcx_ ", max_size=4))] = draw(JUNK)
    return raw


def places(raw: Any, holds: Any = CARD) -> list[tuple[Any, Any, Key | None]]:
    """(container, key or index, key of the schema if any) of everything in a raw card."""
    match holds, raw:
        case Table(), dict():
            schema = {key.name: key for key in holds.keys}
            found = [(raw, name, schema.get(name)) for name in raw]
            below = [(raw[name], key.holds) for name, key in schema.items() if name in raw]
        case Tables(table=inner), list():
            found = [(raw, i, None) for i in range(len(raw))]
            below = [(item, inner) for item in raw]
        case Named(table=inner), dict():
            found = [(raw, name, None) for name in raw]
            below = [(item, inner) for item in raw.values()]
        case _:
            return []
    return [*found, *(place for value, inner in below for place in places(value, inner))]


@st.composite
def mutated(draw: st.DrawFn) -> Raw:
    """A built-in card with one to three things changed."""
    raw: Raw = tomllib.loads(document(BUILT_IN[draw(st.sampled_from(built_in_cards()))]))
    for _ in range(draw(st.integers(1, 3))):
        choices = places(raw)
        if not choices:
            break
        names = sorted({str(name) for _, name, _ in choices})  # rare keys as often as common ones
        chosen = draw(st.sampled_from(names))
        container, name, key = draw(st.sampled_from([c for c in choices if str(c[1]) == chosen]))
        match draw(st.sampled_from(["leave out", "junk", "right", "right", "right", "twice"])):
            case "leave out":
                del container[name]
            case "junk":
                container[name] = draw(JUNK)
            case "right" if key is not None:
                container[name] = draw(right(key))
            case _ if isinstance(container, list):
                container.append(container[name])
            case _:
                container[draw(NAMES)] = container[name]
    return raw


@st.composite
def strange(draw: st.DrawFn) -> Raw:
    """Return a valid card with an unusual tableau and bets."""
    column_of = draw(st.lists(st.integers(0, 2), min_size=10, max_size=10))
    columns = [",".join(str(n) for n in range(10) if column_of[n] == c) for c in range(3)]
    cells = [
        f"{total}/{given}"
        for total in range(10)
        for given in [*range(10), "stood"]
        if column_of[total] != 0
    ]
    draws = draw(st.sets(st.sampled_from(cells))) if cells else set()
    line = st.fixed_dictionaries({"when": CONDITIONS, "pays": ODDS})
    bets = draw(st.lists(st.lists(line, min_size=1, max_size=3), min_size=1, max_size=4))
    return {
        **{key: BUILT_IN["online"][key] for key in ("format", "id", "name", "version", "source")},
        "summary": "a game nobody plays",
        "parameters": {"decks": BUILT_IN["online"]["parameters"]["decks"]},
        "tableau": {
            "naturals": columns[0],
            "player_draws": columns[1],
            "player_stands": columns[2],
            "banker_draws": sorted(draws),
            "banker_stands": sorted(set(cells) - draws),
        },
        "limits": {"minimum": "0.01", "maximum": "1", "rounding": draw(of_kind(k.ROUNDING))},
        "bet": [{"id": f"b{i}", "name": "B", "lines": lines} for i, lines in enumerate(bets)],
    }


def loads_or_has_findings(raw: Raw) -> Checked:
    written = document(raw)
    checked = check_text(written, name="x")
    for finding in checked.report.findings:
        assert 1 <= finding.line <= written.count("\n") + 1
        assert finding.key
        assert is_printable_line(str(finding))
        assert len(str(finding)) < 1500
    card = checked.draft.card() if checked.draft else None
    if not checked.report.findings:
        assert card is not None
        for readings in [{}, *({a.id: r.id} for a in card.ambiguities for r in a.readings)]:
            try:
                game = card.game(readings=readings)
                assert len({bet.id for bet in game.bets}) == len(game.bets)
                analysis = analyse(game)
            except BaccaratError:
                continue
            for figures in analysis.values():
                assert sum(chance for _, chance in figures.distribution) == 1
    check_soundness(checked)
    return checked


quietly = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@given(table(CARD))
@settings(quietly, max_examples=60)
def test_a_random_card_loads_or_has_findings(raw: Raw):
    loads_or_has_findings(raw)


@pytest.mark.no_cover
@given(mutated())
@settings(quietly, max_examples=60)
@example(BUILT_IN["fortune-six"])
def test_a_changed_card_loads_or_has_findings(raw: Raw):
    loads_or_has_findings(raw)


@pytest.mark.no_cover
@given(strange())
@settings(quietly, max_examples=amount("PROPERTIES") // 4)
def test_an_unusual_card_has_findings_only_about_its_bets(raw: Raw):
    checked = loads_or_has_findings(raw)
    assert all(f.key.startswith("bet[") for f in checked.report.findings)


@pytest.mark.no_cover
@given(st.sampled_from(built_in_cards()), st.lists(st.tuples(st.floats(0, 1), JUNK), max_size=3))
@settings(quietly, max_examples=40)
def test_a_card_with_corrupted_text_loads_or_has_findings(card, tears):
    written = document(BUILT_IN[card])
    for place, junk in tears:
        at = int(place * len(written))
        written = written[:at] + toml(junk) + written[at + 3 :]
    check_soundness(check_text(written, name="x"))


def test_the_toml_writer_round_trips():
    for raw in BUILT_IN.values():
        assert tomllib.loads(document(raw)) == raw
