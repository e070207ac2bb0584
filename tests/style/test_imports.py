"""Modules do not import each other in circles, and tests do not import tests."""

import ast
from pathlib import Path

import grimp
import pytest

from support.sources import ROOT

KNOWN_CYCLES: list[set[str]] = []
"""Groups of modules that import each other today; no other may do so."""


def cycles(package: str) -> list[set[str]]:
    """Return the groups of modules that depend on each other, imports for types included."""
    graph = grimp.build_graph(package, cache_dir=None)
    needs = {module: graph.find_upstream_modules(module) for module in sorted(graph.modules)}
    found: list[set[str]] = []
    for module, needed in needs.items():
        circle = {module, *(other for other in needed if module in needs[other])}
        if len(circle) > 1 and circle not in found:
            found.append(circle)
    return [{module.removeprefix(f"{package}.") for module in circle} for circle in found]


def imported_tests(folder: Path) -> list[str]:
    """Return the imports of test modules and conftest files, as `file: module`."""
    return [
        f"{path.relative_to(folder)}: {name}"
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _imports(node)
        if any(
            part.startswith("test_") or part in ("tests", "conftest") for part in name.split(".")
        )
    ]


def _imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{name.name}" for name in node.names]
    return []


def test_imports_have_no_cycles():
    found = cycles("baccarat")
    assert [circle for circle in found if circle not in KNOWN_CYCLES] == []
    assert [circle for circle in KNOWN_CYCLES if circle not in found] == [], "remove it"


def test_no_test_imports_another():
    assert imported_tests(ROOT / "tests") == []


def test_imported_tests_are_noticed(tmp_path):
    (tmp_path / "test_a.py").write_text("from core.test_b import x\nimport support.b\n")
    (tmp_path / "helper.py").write_text("def f():\n    from . import conftest\n")
    assert imported_tests(tmp_path) == ["helper.py: None.conftest", "test_a.py: core.test_b.x"]


def test_cycles_are_noticed(tmp_path, monkeypatch: pytest.MonkeyPatch):
    package = tmp_path / "circular_example"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("from circular_example import b\n")
    (package / "b.py").write_text("def f():\n    import circular_example.c\n")
    (package / "c.py").write_text("from circular_example.a import x\n")
    (package / "d.py").write_text("import circular_example.a\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert cycles("circular_example") == [{"a", "b", "c"}]
