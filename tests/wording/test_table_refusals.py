"""Refusals: every reason given in the code is a message of the catalogue, and the reverse."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import baccarat
from baccarat.table.refusals import WAGER_CODES
from baccarat.wording.catalogue import catalogue

PACKAGES = ("table",)
"""Packages whose refusals are all in the catalogue."""
FILES = ("refusals.ftl",)
"""Catalogue files with the refusals of these packages."""
SOURCE = Path(baccarat.__file__).parent
HELPERS = {"check_resting": {"round"}, "check_phase": set()}
"""Functions that refuse for the reason they are given, with the values that they add."""


def reasons(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    """Yield the key and the names of the values of each refusal in a module."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or function.name in HELPERS:
            continue
        assigned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                assigned.setdefault(node.targets[0].id, []).append(node.value)
        for call in ast.walk(function):
            if not isinstance(call, ast.Call) or len(call.args) < 2:
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name == "Refused" or name in HELPERS:
                values = HELPERS.get(name) or set(_values(call, assigned))
                yield from ((key, values) for key in _keys(call.args[1], assigned))


def _keys(given: ast.expr, assigned: dict[str, list[ast.expr]]) -> Iterator[str]:
    match given:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp():
            yield from (*_keys(given.body, assigned), *_keys(given.orelse, assigned))
        case ast.Name(id=name):
            for value in assigned[name]:
                yield from _keys(value, assigned)
        case ast.Subscript(value=ast.Name(id="WAGER_CODES")):
            pass  # bets that the rules of the game do not allow
        case _:
            raise AssertionError(f"not a key: {ast.unparse(given)}")


def _values(call: ast.Call, assigned: dict[str, list[ast.expr]]) -> Iterator[str]:
    for keyword in call.keywords:
        match keyword:
            case ast.keyword(arg=str(name)):
                yield name
            case ast.keyword(value=ast.Name(id=name)):
                for shown in assigned[name]:
                    assert isinstance(shown, ast.Dict), ast.unparse(shown)
                    yield from (ast.literal_eval(key) for key in shown.keys if key is not None)


GIVEN = [
    (f"{path.relative_to(SOURCE)}", key, values)
    for package in PACKAGES
    for path in sorted(SOURCE.joinpath(package).rglob("*.py"))
    for key, values in reasons(ast.parse(path.read_text("utf-8")))
]


@pytest.mark.parametrize(
    ("file", "key", "values"), GIVEN, ids=[f"{file}-{key}" for file, key, _ in GIVEN]
)
def test_a_refusal_gives_exactly_the_values_of_its_message(file, key, values):
    assert f"refusal-{key}" in catalogue(), file
    assert catalogue().variables(f"refusal-{key}") == values


def test_every_message_is_used():
    folder = SOURCE / "wording" / "locale" / "en"
    lines = "\n".join((folder / name).read_text("utf-8") for name in FILES).splitlines()
    messages = {line.partition(" =")[0] for line in lines if line.startswith("refusal-")}
    used = {key for _, key, _ in GIVEN} | set(WAGER_CODES.values())
    assert messages == {f"refusal-{key}" for key in used}
