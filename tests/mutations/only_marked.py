"""A pytest plugin: with `--requirement R52`, only the tests and parameters marked R52 run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--requirement", help="run only tests marked with this number")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks of pytest-cov and pytest-rerunfailures, which need not be loaded."""
    for mark in ("no_cover", "flaky"):
        config.addinivalue_line("markers", mark)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if number := config.getoption("requirement"):
        items[:] = [item for item in items if _is_marked(item, number)]


def _is_marked(item: pytest.Item, number: str) -> bool:
    return any(number in mark.args for mark in item.iter_markers("requirement"))
