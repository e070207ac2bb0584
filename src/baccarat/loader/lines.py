"""Line numbers of the keys in a TOML document.

`tomllib` returns values without positions, but a fault in a rule card must be reported with its
line. Given a document that `tomllib` accepts, `locate` returns the line of every key and element.

This module scans the structure without validating it. For a document that `tomllib` rejects, the
result is meaningless, or `ValueError` is raised.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and array indexes that lead from the document to a value: `("bets", 0, "pays")`."""

_BASIC = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_LITERAL = r"'[^']*'"

# Newlines and commas count as blanks everywhere: tomllib has already checked where TOML forbids or
# requires them.
_BLANK = re.compile(r"(?:[ \t\r\n,]+|#[^\n]*)*")

_KEY_PART = re.compile(
    rf"[ \t]*(?:(?P<bare>[\w-]+)|(?P<quoted>{_BASIC}|{_LITERAL}))[ \t]*(?P<dot>\.?)"
)

# The content of a multi-line string may end in up to two quotes, hence {3,5}. Numbers, booleans and
# dates (which may contain a space) need not be distinguished: they end at the next delimiter.
_SCALAR = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"{3,5}'
    r"|'''[^']*(?:'(?!'')[^']*)*'{3,5}"
    rf"|{_BASIC}|{_LITERAL}|[^\s,\]}}#][^\n,\]}}#]*",
    re.DOTALL,
)


@dataclass(slots=True)
class _Node:
    """A key or array element: its line and its children."""

    line: int
    is_array: bool = False
    kids: dict[str | int, "_Node"] = field(default_factory=dict)

    def append(self, line: int) -> "_Node":
        """Add the next element of this array."""
        node = self.kids[len(self.kids)] = _Node(line)
        return node

    def table(self, keys: Sequence[str], line: int) -> "_Node":
        """Return the table that dotted keys lead to; tables mentioned here for the first time get
        this line."""
        node = self
        for key in keys:
            if key not in node.kids:
                node.kids[key] = _Node(line)
            node = node.kids[key]
            if node.is_array:  # the name of an array of tables refers to its newest table
                node = node.kids[len(node.kids) - 1]
        return node


def locate(text: str) -> dict[Path, int]:
    """Map every path in a valid TOML document to the line number, from 1, of its key, element or
    header.

    A table that is only implied by dotted names gets the line where it is first mentioned, and the
    document itself, `()`, gets line 1. Nesting does not cause recursion, but the result contains
    complete paths, so its size is proportional to the number of values times their depth.
    """
    lines: dict[Path, int] = {(): 1}
    todo: list[tuple[Path, _Node]] = [((), _scan(text))]
    while todo:
        path, node = todo.pop()
        for key, kid in node.kids.items():
            below = (*path, key)
            lines[below] = kid.line
            if kid.kids:
                todo.append((below, kid))
    return lines


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """Return the line of a path, or of its nearest ancestor if the path itself is missing."""
    while path and path not in lines:
        path = path[:-1]
    return lines[path]


def _scan(text: str) -> _Node:
    """Parse the document into a tree, using an explicit stack instead of recursion."""
    root = table = _Node(line=1)  # `table` is the table opened by the last header
    unclosed: list[_Node] = []  # arrays and inline tables open at `pos`, innermost last
    line, counted, pos = 1, 0, 0
    while (pos := _after_blanks(text, pos)) < len(text):
        line += text.count("\n", counted, pos)
        counted = pos
        if unclosed and text[pos] in "]}":
            unclosed.pop()
            pos += 1
            continue
        if not unclosed and text[pos] == "[":
            table, pos = _read_header(text, pos, root, line)
            continue

        within = unclosed[-1] if unclosed else table
        if within.is_array:
            value = within.append(line)
        else:
            keys, pos = _read_key(text, pos)
            value = within.table(keys[:-1], line).kids[keys[-1]] = _Node(line)
            pos = _after_blanks(text, pos + 1)  # past the "="

        if text.startswith(("[", "{"), pos):
            value.is_array = text[pos] == "["
            unclosed.append(value)
            pos += 1
        else:
            pos = _match(_SCALAR, text, pos).end()
    return root


def _read_header(text: str, pos: int, root: _Node, line: int) -> tuple[_Node, int]:
    """Read a `[table]` or `[[array of tables]]` header; return the table and the position after
    it."""
    brackets = 2 if text.startswith("[[", pos) else 1
    keys, pos = _read_key(text, pos + brackets)
    if brackets == 2:
        parent = root.table(keys[:-1], line)
        table = parent.kids.setdefault(keys[-1], _Node(line, is_array=True)).append(line)
    else:
        table = root.table(keys, line)
        table.line = line  # the table's own header is more useful than an earlier `[table.child]`
    return table, pos + brackets


def _read_key(text: str, pos: int) -> tuple[list[str], int]:
    """Read a key, dotted or not; return its parts and the position of the `=` or `]` after it."""
    keys: list[str] = []
    while True:
        part = _match(_KEY_PART, text, pos)
        pos = part.end()
        if part["bare"]:
            keys.append(part["bare"])
        elif "\\" in part["quoted"]:
            keys.extend(tomllib.loads(part["quoted"] + "=0"))  # let tomllib decode escapes
        else:
            keys.append(part["quoted"][1:-1])
        if not part["dot"]:
            return keys, pos


def _after_blanks(text: str, pos: int) -> int:
    return _match(_BLANK, text, pos).end()


def _match(pattern: re.Pattern[str], text: str, pos: int) -> re.Match[str]:
    match = pattern.match(text, pos)
    if match is None:
        raise ValueError(f"not TOML: {text[pos : pos + 20]!r} at offset {pos}")
    return match
