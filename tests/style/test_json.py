"""Events are decoded by the codec alone; other JSON is read where it enters the program."""

import ast

import pytest

from support.sources import Source, sources

INDEPENDENT = ("auditor/", "verifier.py")
"""They share no code with the rest, and parse its files themselves."""

READ_HERE = {
    "table/codec.py": "the codec",
    "table/rules.py": "the content of a rule card",
    "simulation/execution.py": "checkpoints of a simulation",
    "store/commit.py": "warnings that were sent with an answer",
    "cli/audit_house.py": "exported heads",
    "loadtest/clients.py": "what a server sends to a client",
    "web/identity/devices.py": "a cookie",
    "web/identity/visitors.py": "a cookie",
    "web/schema/__init__.py": "the body of a request",
    "web/pages/pages.py": "a problem document, to be shown as a page",
}


def json_readers(modules: list[Source]) -> list[str]:
    """Return the modules that parse JSON."""
    return [module.path for module in modules if any(map(_parses, ast.walk(module.tree)))]


def _parses(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom) and node.module == "json":
        return any(name.name in ("load", "loads", "JSONDecoder") for name in node.names)
    if isinstance(node, ast.ImportFrom):
        return any(name.name == "from_json" for name in node.names)
    return isinstance(node, ast.Attribute) and ast.unparse(node) in (
        *("json.load", "json.loads", "json.JSONDecoder"),
        *("msgspec.json.decode", "msgspec.json.Decoder"),
    )


def test_json_is_read_where_it_enters():
    found = [path for path in json_readers(sources()) if not path.startswith(INDEPENDENT)]
    assert [path for path in found if path not in READ_HERE] == []
    assert [path for path in READ_HERE if path not in found] == [], "remove it from the list"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import json\nevent = json.loads(entry.body)", True),
        ("from json import loads\nevent = loads(entry.body)", True),
        ("import msgspec\nevent = msgspec.json.decode(entry.body)", True),
        ("from pydantic_core import from_json\nevent = from_json(entry.body)", True),
        ("import json\ntext = json.dumps(event)", False),
        ("from baccarat.table.events import decode\nevent = decode(entry.body)", False),
    ],
)
def test_a_reader_is_noticed(text, found):
    assert bool(json_readers([Source("a.py", text)])) is found
