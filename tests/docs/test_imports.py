"""The documentation imports only public names, from documented packages."""

import re
from importlib import import_module

import pytest

import baccarat
from support.documented import PAGES, ROOT

PACKAGES = {"baccarat"} | {
    f"baccarat.{name}" for name in ("analysis", "figures", "poster", "shoe", "simulation")
}
INTERNALS = ROOT / "docs" / "internals"
SOURCES = [*PAGES, *sorted((ROOT / "examples").rglob("*.py")), ROOT / "docs/pictures/make.py"]
NOT_THE_LIBRARY = {("baccarat.cli", "main")}
"""Names outside the library that other programs may import too."""


def imports(text: str) -> list[tuple[str, str]]:
    """Return (module, name) for every name that a text imports from this package."""
    found = re.findall(r"from (baccarat[\w.]*) import \(?([\w, ]+)", text)
    plain = re.findall(r"^\W*import (baccarat[\w.]*)", text, re.MULTILINE)
    named = [(module, name.split()[0]) for module, names in found for name in names.split(", ")]
    return [*named, *((module, "__all__") for module in plain)]


@pytest.mark.parametrize("page", SOURCES, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_come_from_documented_packages(page):
    """Pages about internals may import from any module, except names that the library offers."""
    for module, name in imports(page.read_text(encoding="utf-8")):
        if page.is_relative_to(INTERNALS) and name not in baccarat.__all__:
            continue
        if (module, name) not in NOT_THE_LIBRARY:
            assert module in PACKAGES
            assert name in (*import_module(module).__all__, "__all__")


def test_the_packages_are_documented():
    page = (ROOT / "docs" / "reference" / "library.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(baccarat[\w.]*)`", page)) == PACKAGES


def test_imports_are_found():
    text = ">>> from baccarat.a import b, c as d\n... import baccarat.e\nimport os\n"
    assert imports(text) == [
        ("baccarat.a", "b"),
        ("baccarat.a", "c"),
        ("baccarat.e", "__all__"),
    ]
