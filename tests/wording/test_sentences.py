"""Sentences for people are messages of the catalogue: none is written in the code of pages."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import baccarat

SOURCE = Path(baccarat.__file__).parent
PLACES = ("web/views", "web/pages", "poster", "table/disputes")
PLACES += tuple(f"house/{name}" for name in ("money", "people", "safety", "watch"))
SENTENCE = re.compile(r"[A-Za-z']+ [a-z']+ [a-z']+")
FOR_PROGRAMMERS = {
    *("BaccaratError", "RuntimeError", "__init__", "Meta", "Query", "Key", "figure"),
    *("debug", "info", "warning", "error", "exception"),
}
"""Calls whose texts programmers and authors of files read: faults, logs, documentation."""
ALLOWED = {
    "house/people/roles.py": "what each action is, for the documentation",
    "house/safety/profiles.py": "the keys of a file",
    "house/money/ledger.py": "internal errors",
    "web/pages/assets.py": "internal errors",
    "poster/typeset.py": "a missing font, for the operator",
}


def sentences(source: str) -> Iterator[str]:
    """Yield the texts of a module that people other than programmers could see."""
    tree, skipped = ast.parse(source), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in FOR_PROGRAMMERS:
                skipped |= {id(each) for each in ast.walk(node)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in skipped else ""
        if isinstance(text, str) and SENTENCE.search(text):
            yield text


@pytest.mark.parametrize("place", PLACES)
def test_no_user_facing_sentence_is_written_in_python(place):
    found = {
        f"{name}: {text}"
        for path in sorted(SOURCE.joinpath(place).rglob("*.py"))
        if (name := str(path.relative_to(SOURCE))) not in ALLOWED
        for text in sentences(path.read_text("utf-8"))
    }
    assert found == set()


def test_a_literal_sentence_is_found():
    assert [*sentences('x = f"You have played for {n} minutes."')] == ["You have played for "]
    assert [*sentences('raise BaccaratError("no such file: check it")')] == []
