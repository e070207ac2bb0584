"""Pages about the code refer to modules and names that exist."""

import re
from pkgutil import resolve_name

import pytest

from support.documented import ROOT
from support.sources import PACKAGE

PAGES = sorted(
    page for shelf in ("internals", "decisions") for page in (ROOT / "docs" / shelf).glob("*.md")
)
SUFFIXES = {"css", "html", "js", "json", "md", "py", "toml"}
PAGE = (ROOT / "docs" / "internals" / "README.md").read_text(encoding="utf-8")


def test_the_table_of_packages_is_complete():
    section = PAGE.partition("\n## Packages\n")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| `([\w/.]+)` \|", section, re.MULTILINE))
    assert [name for name in listed if not (PACKAGE / name).exists()] == []
    packages = {f"{path.parent.relative_to(PACKAGE)}/" for path in PACKAGE.rglob("__init__.py")}
    described = {"./", "web/", "cli/shared/", "store/migrations/", "store/migrations/versions/"}
    assert packages - listed <= described
    modules = {path.name for path in PACKAGE.glob("*.py") if not path.name.startswith("__")}
    assert modules <= listed


def test_the_where_is_it_table_names_existing_code():
    section = PAGE.partition("\n## Where is it?\n")[2].partition("\n## ")[0]
    named = re.findall(r"`([\w/]+(?:\.\w+|/))(?:: (\w+))?`", section.partition("| question |")[2])
    assert len(named) > 15
    for path, name in named:
        assert (PACKAGE / path).exists(), path
        if name:
            defined = rf"^(?:def |class )?{name}\b[ (:=]"
            assert re.search(defined, (PACKAGE / path).read_text(encoding="utf-8"), re.M), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_paths_on_the_page_exist(page):
    named = re.findall(r"`([a-z_]+/[\w/]*(?:\.\w+)?)`", page.read_text(encoding="utf-8"))
    roots = (PACKAGE, PACKAGE / "web", PACKAGE / "web" / "pages", ROOT)
    assert [name for name in named if not any((root / name).exists() for root in roots)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_modules_on_the_page_exist(page):
    text = re.sub(r"^(>>>|\.\.\.).*", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    files = {path.name for path in PACKAGE.rglob("*.py")}
    assert [name for name in re.findall(r"`(\w+\.py)`", text) if name not in files] == []
    packages = "|".join(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
    dotted = re.findall(rf"(?<![\w./])((?:{packages})(?:\.\w+)+)(?![\w/(])", text)
    named = [name for name in dotted if name.rpartition(".")[2] not in SUFFIXES]
    assert [name for name in named if not is_there(name)] == []


def test_wrong_names_are_noticed():
    assert is_there("table.automatic.next_step.next_step")
    assert not is_there("table.automatic.next_step.previous_step")
    assert not is_there("table.nowhere")


def is_there(name: str) -> bool:
    """Return whether a dotted name below the package is a module, or is defined in one."""
    try:
        resolve_name(f"baccarat.{name}")
    except (ImportError, AttributeError):
        return False
    return True


def test_paths_in_the_guide_for_contributors_exist():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_]+/[\w/]*(?:\.py)?)`", guide)
    roots = (PACKAGE, ROOT)
    assert len(named) > 10
    assert [name for name in named if not any((root / name).exists() for root in roots)] == []
