"""Every definition is used, and every event is recorded somewhere."""

import ast
import re

import pytest

from baccarat.house.events import HOUSE_EVENTS
from baccarat.table.events import EVENTS
from support.dead_code import dead_code, templates
from support.documented import examples
from support.sources import ROOT, Source, sources

CALLED_BY_NAME = {
    r"cli/\w+\.py: (run|add_arguments)": "the command line imports the module of a command",
    r"auditor/(people/)?\w+\.py: \w+\.on_\w+": "the auditor calls the method named after an event",
    r"store/migrations/.*": "Alembic calls them",
    r"cli/shared/printing\.py: _Console\.on_broken_pipe": "overrides rich",
    r"cli/shared/long_work\.py: Watch\.on_(start|end)": "overrides rich",
    r"web/server/connections\.py: Connection\.\w+": "overrides uvicorn",
    r"simulation/gpu/kernel\.py: DiskCache\._index_key": "overrides numba-cuda",
    r"web/server/process\.py: _Server\.handle_exit": "overrides uvicorn",
    r"web/compute/worker\.py: work": "called in the text of a new process",
}
"""Patterns of names that are called without appearing in the source, and by what."""

KEPT = {
    "core/roads.py: format_results": "the inverse of parse_results, for users of the library",
    "simulation/kernel.py: philox": "tests compare it with published vectors",
    "web/server/app.py: documented": "tests compare answers with the OpenAPI document",
}
"""What only tests use, and why it is not removed."""


def documentation() -> list[ast.Module]:
    """Return the programs in the documentation: its examples and its generator."""
    code = [
        "\n".join(re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", example.text, re.MULTILINE))
        for example in examples("python")
    ]
    code.append((ROOT / "docs" / "generate.py").read_text(encoding="utf-8"))
    return [ast.parse(text) for text in code]


def test_everything_is_used():
    dead = dead_code(sources(), documentation(), templates())
    left = [name for name in dead if not any(re.fullmatch(p, name) for p in CALLED_BY_NAME)]
    assert [name for name in left if name not in KEPT] == []
    assert [name for name in KEPT if name not in left] == [], "used or gone: remove it"
    unneeded = [p for p in CALLED_BY_NAME if not any(re.fullmatch(p, name) for name in dead)]
    assert unneeded == []


def test_every_event_is_recorded_by_something():
    made = {
        part
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        for part in ast.unparse(node.func).split(".")
    }
    assert {*EVENTS, *HOUSE_EVENTS} - made == set()


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("def f(): ...", ["f"]),
        ("def f(): f()", ["f"]),
        ("def f(): ...\nf()", []),
        ("X = 1\nY, Z = 1, 2\nprint(Z)", ["X", "Y"]),
        ("class A:\n    def m(self): ...\nA()", ["A.m"]),
        ("class A:\n    def m(self): ...\nA().m()", []),
        ("class A:\n    @property\n    def m(self): ...\nA()", ["A.m"]),
        ("@routes.get('/')\ndef f(): ...", []),
        ("@cache\ndef f(): ...", ["f"]),
        ("class A:\n    def in_template(self): ...\nA()", []),
    ],
)
def test_dead_code_is_noticed(text, dead):
    found = dead_code([Source("a.py", text)], templates="{{ x.in_template }}")
    assert found == [f"a.py: {name}" for name in dead]


@pytest.mark.parametrize(
    ("user", "dead"),
    [
        ("from baccarat.a import f", []),
        ("from baccarat import a\na.f()", []),
        ("import baccarat.a\nbaccarat.a.f()", []),
        ("from baccarat.b import f", ["a.py: f"]),
        ("from baccarat import b\nb.f()", ["a.py: f"]),
    ],
)
def test_uses_in_other_modules_are_noticed(user, dead):
    assert dead_code([Source("a.py", "def f(): ...")], [ast.parse(user)]) == dead


@pytest.mark.parametrize(("user", "dead"), [("a.f()", ["b.py: g"]), ("a.g()", ["b.py: f"])])
def test_uses_through_another_module_are_noticed(user, dead):
    modules = [
        Source("a.py", "from baccarat.b import *"),
        Source("b.py", "def f(): ...\ndef g(): ..."),
    ]
    assert dead_code(modules, [ast.parse(f"from baccarat import a\n{user}")]) == dead
