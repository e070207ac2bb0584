"""Which tests cover which requirement, read from the marks in the source of the tests."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
Test = ast.FunctionDef | ast.AsyncFunctionDef


def covering(folder: Path = TESTS) -> dict[str, list[str]]:
    """Return the tests marked with each number, as 'cli/test_play.py::test_name'."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for test in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(test, Test) and test.name.startswith("test_"):
                for number in dict.fromkeys(_numbers(test, path)):
                    found.setdefault(number, []).append(f"{path.relative_to(folder)}::{test.name}")
    return found


def _numbers(test: Test, path: Path) -> Iterator[str]:
    """Yield the numbers in a test's decorators, including those of single parameters."""
    for decorator in test.decorator_list:
        for call in ast.walk(decorator):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.requirement":
                for argument in call.args:
                    if not isinstance(argument, ast.Constant):
                        where = f"{path.name}, line {argument.lineno}"
                        raise ValueError(f"{where}: write the requirement's number as a plain text")
                    yield str(argument.value)
