"""The line of every key of a TOML text: examples per construct, then random documents.

The random documents are written by `Writer` below, which knows where it put what; `tomllib` says
whether the writer wrote TOML at all, and which paths there are.
"""

import datetime as dt
import re
import time
import tomllib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baccarat.loader.lines import Path, line_of, locate

EXAMPLES: dict[str, tuple[str, dict[Path, int]]] = {
    "nothing": ("", {}),
    "comments only": ("# a = 1\n\n# [b]", {}),
    "keys and values": ("a = 1\n\nb = true # c = 2\n  d=-inf", {("a",): 1, ("b",): 3, ("d",): 4}),
    "CRLF": ("a = 1\r\n\r\nb = 2\r\n", {("a",): 1, ("b",): 3}),
    "digits as keys": ("3 = 1\n4.14 = 2\n", {("3",): 1, ("4",): 2, ("4", "14"): 2}),
    "quoted keys": (
        '"" = 1\n\'b#c\' = 2\n"d\\"=\\u0041\\\\" = 3\n\'\\u0041\' = 4',
        {("",): 1, ("b#c",): 2, ('d"=A\\',): 3, ("\\u0041",): 4},
    ),
    "dotted and quoted keys": (
        "\na.\"b.c\".'d' = 1\na . x = 2",
        {("a",): 2, ("a", "b.c"): 2, ("a", "b.c", "d"): 2, ("a", "x"): 3},
    ),
    "tables": (
        "x = 1\n[a]\nx = 2\n\n[ b . 'c d' ] # [e]\nx = 3",
        {("x",): 1, ("a",): 2, ("a", "x"): 3, ("b",): 5, ("b", "c d"): 5, ("b", "c d", "x"): 6},
    ),
    "a table implied by two headers stands at the first": (
        "[a.b]\n[a.c]",
        {("a",): 1, ("a", "b"): 1, ("a", "c"): 2},
    ),
    "a table with its own header stands there, even below its child": (
        "[a.b]\n[a]\nx = 1",
        {("a",): 2, ("a", "b"): 1, ("a", "x"): 3},
    ),
    "arrays of tables": (
        "[[a]]\nx = 1\n[[a.b]]\n[a.c]\n[[a.b]]\ny = 2\n[[a]]\n[[ a.b ]]\nz = 3",
        {
            ("a",): 1,
            ("a", 0): 1,
            ("a", 0, "x"): 2,
            ("a", 0, "b"): 3,
            ("a", 0, "b", 0): 3,
            ("a", 0, "c"): 4,
            ("a", 0, "b", 1): 5,
            ("a", 0, "b", 1, "y"): 6,
            ("a", 1): 7,
            ("a", 1, "b"): 8,
            ("a", 1, "b", 0): 8,
            ("a", 1, "b", 0, "z"): 9,
        },
    ),
    "inline tables": (
        "a = {}\nb = { c = 1, d.e = '}', d.f = {\"g\" = 2} } # }",
        {
            ("a",): 1,
            ("b",): 2,
            ("b", "c"): 2,
            ("b", "d"): 2,
            ("b", "d", "e"): 2,
            ("b", "d", "f"): 2,
            ("b", "d", "f", "g"): 2,
        },
    ),
    "arrays over several lines": (
        "a = [] # ]\nb = [ # ['\n  1, 2, # \"]\n\n  [3\n  ,[]\n],\n]\nc = [[ ], [{ d = [\n4 ]}]]",
        {
            ("a",): 1,
            ("b",): 2,
            ("b", 0): 3,
            ("b", 1): 3,
            ("b", 2): 5,
            ("b", 2, 0): 5,
            ("b", 2, 1): 6,
            ("c",): 9,
            ("c", 0): 9,
            ("c", 1): 9,
            ("c", 1, 0): 9,
            ("c", 1, 0, "d"): 9,
            ("c", 1, 0, "d", 0): 10,
        },
    ),
    "strings of one line": (
        "a = \"# \\\" ] \\\\\"\nb = '# \\'\nc = [\"\", '', \"]\", ',']\nd = ''",
        {
            ("a",): 1,
            ("b",): 2,
            ("c",): 3,
            ("c", 0): 3,
            ("c", 1): 3,
            ("c", 2): 3,
            ("c", 3): 3,
            ("d",): 4,
        },
    ),
    "strings of several lines": (
        'a = """\n[b]\nc = 1 \\""" \\\n   ""\\\\"""\n'
        "d = '''\ne = '1'' \\'''\n"
        'f = """"""\ng = 1',
        {("a",): 1, ("d",): 5, ("f",): 7, ("g",): 8},
    ),
    "strings that end in quotes of their own": (
        "a = \"\"\"x\"\"\"\"\nb = [\"\"\"x\"\"\"\"\", 1]\nc = '''x''''\nd = ['''''''', 1]\ne = 1",
        {
            ("a",): 1,
            ("b",): 2,
            ("b", 0): 2,
            ("b", 1): 2,
            ("c",): 3,
            ("d",): 4,
            ("d", 0): 4,
            ("d", 1): 4,
            ("e",): 5,
        },
    ),
    "line separators that TOML does not know": (
        "a = '\u2028\x85' # \u2029\nb = 1",
        {("a",): 1, ("b",): 2},
    ),
    "dates and times": (
        "a = 1979-05-27 07:32:00Z # x\nb = [07:32:00.5, 1979-05-27 00:32:00-07:00,\n1979-05-27]",
        {("a",): 1, ("b",): 2, ("b", 0): 2, ("b", 1): 2, ("b", 2): 3},
    ),
}


@pytest.mark.parametrize(("text", "expected"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_each_construct_is_located(text: str, expected: dict[Path, int]) -> None:
    tomllib.loads(text)
    assert locate(text) == {(): 1, **expected}


def test_inline_tables_over_several_lines_are_located() -> None:
    """TOML 1.1 has them, with a comma at the end, and later versions of `tomllib` read TOML 1.1."""
    assert locate("a = { # }\n  b = 1,\n}\nc = 2") == {(): 1, ("a",): 1, ("a", "b"): 2, ("c",): 4}


def test_a_missing_path_has_the_line_of_its_nearest_ancestor() -> None:
    lines = locate("a = 1\n[[bets]]\nname = 'tie'\n[bets.pays]\n")
    assert line_of(lines, ("bets", 0, "name")) == 3
    assert line_of(lines, ("bets", 0, "nam")) == 2
    assert line_of(lines, ("bets", 0, "pays", "to", 1)) == 4
    assert line_of(lines, ("bets", 7)) == 2
    assert line_of(lines, ("c", "d")) == 1
    assert line_of(lines, ()) == 1


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a=", "}")])
def test_deep_nesting_needs_no_recursion(opening: str, closing: str) -> None:
    """Deeper than `tomllib` can parse on some Python versions, so it is not called here."""
    depth = 5000
    lines = locate("a=" + opening * depth + "1" + closing * depth + "\nb=1")
    assert len(lines) == depth + 3
    assert lines[("b",)] == 2


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"[[t]]\nk.x = {i}\n" for i in range(50_000)),
        "a = [" + "1,\n" * 300_000 + "]",
        "# '\n" * 250_000,
        'a = """' + '\\\\"' * 300_000 + 'x"""',
        "a = '''" + "'x" * 500_000 + "'''",
    ],
    ids=["tables", "array", "comments", "escapes", "quotes"],
)
def test_a_megabyte_is_located_quickly(text: str) -> None:
    """A generous bound on processor time, for slow machines: quadratic time takes minutes."""
    start = time.process_time()
    locate(text)
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "text", ["a =", "=", "a = ]", "[", "[[a.", "]", "{", "\ufeffa = 1", "a.=1"]
)
def test_invalid_toml_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not TOML"):
        locate(text)


# The random documents.

NASTY = [
    "a",
    "b",
    " ",
    "=",
    "#",
    "[",
    "]",
    "}",
    ",",
    "\\",
    "\n",
    '"',
    '""',
    "'",
    "''",
    "\r",
    "\u2028",
]
TEXT = st.lists(st.sampled_from(NASTY), max_size=8).map("".join) | st.text(max_size=8)
KEYS = st.sampled_from(["a", "b", "c", "3", "a.b", ""]) | TEXT
SCALARS = (
    TEXT
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.dates(min_value=dt.date(1000, 1, 1))
    | st.times()
    | st.datetimes(min_value=dt.datetime(1000, 1, 1), timezones=st.sampled_from([None, dt.UTC]))
)
VALUES = st.recursive(
    SCALARS,
    lambda values: (
        st.lists(values, max_size=4)
        | st.dictionaries(KEYS, values, max_size=4)
        | st.lists(st.dictionaries(KEYS, values, max_size=3), max_size=3)
    ),
    max_leaves=25,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=6)

Assignment = tuple[tuple[str, ...], Any]


class Writer:
    """Writes a document as TOML in a random style, noting in `placed` the line of every path."""

    def __init__(self, document: dict[str, Any], rng: Random) -> None:
        self.rng = rng
        self.newline = rng.choice(["\n", "\r\n"])
        self.line = 1
        self.pieces: list[str] = []
        self.placed: dict[Path, int] = {(): 1}
        self.write_table((), document)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def maybe(self) -> bool:
        return self.rng.random() < 0.5

    def put(self, piece: str) -> None:
        """Write a piece; its newlines become those of this text."""
        self.line += piece.count("\n")
        self.pieces.append(piece.replace("\n", self.newline))

    def place(self, path: Path) -> None:
        """Note that `path` stands on the current line, and its parents too if they are new."""
        for end in range(1, len(path)):
            self.placed.setdefault(path[:end], self.line)
        self.placed[path] = self.line

    # Statements

    def write_table(self, path: Path, table: dict[str, Any]) -> None:
        """Write the document, or one table of an array of tables whose header is written."""
        assignments, sections = self.plan(path, table)
        self.write_assignments(path, assignments)
        self.rng.shuffle(sections)
        written: dict[Path, int] = {}
        for section, content in sections:
            brackets = "[]"
            target = section
            if isinstance(content, ArrayOfTables):
                index = written[section] = written.get(section, -1) + 1
                brackets, target = "[[]]", (*section, index)
            half = len(brackets) // 2
            self.put_noise()
            self.place(target)
            keys = tuple(key for key in section if isinstance(key, str))
            self.put(
                brackets[:half] + self.blank() + self.key(keys) + self.blank() + brackets[half:]
            )
            self.put_line_end()
            if isinstance(content, ArrayOfTables):
                self.write_table(target, content.tables[index])
            else:
                self.write_assignments(target, content)

    def plan(
        self, path: Path, table: dict[str, Any]
    ) -> tuple[list[Assignment], list[tuple[Path, Any]]]:
        """Choose what to assign in the table's own body and what to give a header of its own.

        Sections come back for all depths at once, so that shuffling them mixes the depths: only
        the tables of one array must keep their order, and each gets its index when it is written.
        """
        assignments: list[Assignment] = []
        sections: list[tuple[Path, Any]] = []
        for key, value in table.items():
            below = (*path, key)
            if isinstance(value, dict) and self.maybe():
                inner, deeper = self.plan(below, value)
                sections += deeper
                if inner or not deeper or self.maybe():  # else implied by the deeper headers
                    sections.append((below, inner))
            elif is_list_of_tables(value) and self.maybe():
                sections += [(below, ArrayOfTables(value))] * len(value)
            else:
                assignments += self.spread((key,), value)
        self.rng.shuffle(assignments)
        return assignments, sections

    def spread(self, keys: tuple[str, ...], value: Any) -> list[Assignment]:
        """Give one assignment, or for a table perhaps one dotted key for each of its values."""
        if isinstance(value, dict) and value and self.maybe():
            return [pair for key in value for pair in self.spread((*keys, key), value[key])]
        return [(keys, value)]

    def write_assignments(self, path: Path, assignments: list[Assignment]) -> None:
        for keys, value in assignments:
            self.put_noise()
            self.write_assignment(path, keys, value)
            self.put_line_end()

    def write_assignment(self, path: Path, keys: tuple[str, ...], value: Any) -> None:
        self.place((*path, *keys))
        self.put(self.key(keys) + self.blank() + "=" + self.blank())
        self.write_value((*path, *keys), value)

    # Values

    def write_value(self, path: Path, value: Any) -> None:
        if isinstance(value, dict):
            self.write_inline_table(path, value)
        elif isinstance(value, list):
            self.write_array(path, value)
        else:
            self.put(self.scalar(value))

    def write_inline_table(self, path: Path, table: dict[str, Any]) -> None:
        assignments = [pair for key in table for pair in self.spread((key,), table[key])]
        self.rng.shuffle(assignments)
        self.put("{" + self.blank())
        for number, (keys, value) in enumerate(assignments):
            self.put("," + self.blank() if number else "")
            self.write_assignment(path, keys, value)
            self.put(self.blank())
        self.put("}")

    def write_array(self, path: Path, array: list[Any]) -> None:
        self.put("[")
        self.put_noise()
        for index, value in enumerate(array):
            self.place((*path, index))
            self.write_value((*path, index), value)
            self.put_noise()
            self.put("," if index < len(array) - 1 or self.maybe() else "")
            self.put_noise()
        self.put("]")

    def scalar(self, value: Any) -> str:
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, dt.datetime):
            return value.isoformat(self.rng.choice("T "))
        if isinstance(value, dt.date | dt.time):
            return value.isoformat()
        return repr(value)

    def string(self, value: str) -> str:
        """Write a string in one of the four kinds, of those that can hold it."""
        kinds = [self.basic, self.multi_line_basic]
        if not re.search(r"[\x00-\x08\x0b-\x1f\x7f]|'''", value):
            kinds.append(self.multi_line_literal)
            if not re.search(r"[\n']", value):
                kinds.append(self.literal)
        return self.rng.choice(kinds)(value)

    def literal(self, value: str) -> str:
        return f"'{value}'"

    def multi_line_literal(self, value: str) -> str:
        return f"'''{self.first_newline(value)}{value}'''"

    def basic(self, value: str) -> str:
        return '"' + "".join(self.character(c, '"\\\n') for c in value) + '"'

    def multi_line_basic(self, value: str) -> str:
        pieces: list[str] = []
        quotes = 0  # how many stand unescaped in a row: three would end the string
        for c in value:
            special = "\\" + ('"' if quotes == 2 else "")
            if self.rng.random() < 0.1:
                pieces.append("\\" + self.blank() + "\n\n" + self.blank())
                special += " \t\n"  # blanks after a line-ending backslash would be dropped
                quotes = 0
            pieces.append(self.character(c, special))
            quotes = quotes + 1 if pieces[-1] == '"' else 0
        if self.rng.random() < 0.1:
            pieces.append("\\\n" + self.blank())
        body = "".join(pieces)
        return f'"""{self.first_newline(body)}{body}"""'

    def first_newline(self, body: str) -> str:
        """TOML drops a newline right after the opening quotes, so a real one needs it doubled."""
        return "\n" if body.startswith("\n") or self.maybe() else ""

    def character(self, c: str, special: str) -> str:
        """Write one character of a basic string, escaped if it must be and sometimes if not."""
        if c in special or (c < " " and c not in "\t\n") or c == "\x7f" or self.rng.random() < 0.1:
            short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
            return short.get(c, f"\\U{ord(c):08x}")
        return c

    def key(self, keys: tuple[str, ...]) -> str:
        return self.rng.choice([".", " . ", ".\t"]).join(map(self.key_part, keys))

    def bare(self, key: str) -> str:
        return key

    def key_part(self, key: str) -> str:
        kinds: list[Callable[[str], str]] = [self.basic]
        if re.fullmatch("[A-Za-z0-9_-]+", key):
            kinds += [self.bare] * 2
        if not re.search(r"[\x00-\x08\x0a-\x1f\x7f']", key):
            kinds.append(self.literal)
        return self.rng.choice(kinds)(key)

    # Blanks and comments

    def blank(self) -> str:
        return self.rng.choice(["", " ", "\t "])

    def put_noise(self) -> None:
        """Blanks, newlines and comments, where all of these may stand."""
        while self.rng.random() < 0.3:
            self.put(self.blank())
            self.put_line_end()
        self.put(self.blank())

    def put_line_end(self) -> None:
        comment = self.rng.choice(["# [x] = 'y", '# """ ]]} \\', "#\u2028a = 1,", "", "", ""])
        self.put(self.blank() + comment + "\n")


class ArrayOfTables:
    """Marks, in a plan, a header that opens the next table of an array."""

    def __init__(self, tables: list[dict[str, Any]]) -> None:
        self.tables = tables


def is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    if isinstance(value, dict | list):
        for key, kid in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(kid, (*path, key))


@pytest.mark.no_cover
@pytest.mark.no_cover
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(document=DOCUMENTS, seed=st.integers(0, 2**32))
def test_random_documents_are_located(document: dict[str, Any], seed: int) -> None:
    writer = Writer(document, Random(seed))
    parsed = tomllib.loads(writer.text)
    assert parsed == document, "the writer itself is wrong"
    lines = locate(writer.text)
    assert set(lines) == set(paths(parsed))
    assert lines == writer.placed
