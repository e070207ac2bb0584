"""Every link, anchor and mention of a documentation page is valid."""

import re
from functools import cache
from pathlib import Path

import pytest

from support.documented import PAGES, ROOT

SOURCES = ("src", "tests", "benchmarks", "examples", "docs")
TEXT = {".py", ".toml", ".js", ".css", ".html", ".md"}


def readable(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in TEXT and path.is_file())


TEXTS = [
    *(ROOT / name for name in ("Makefile", "pyproject.toml")),
    *ROOT.glob("*.md"),
    *(path for folder in SOURCES for path in readable(ROOT / folder)),
]
MARKDOWN = [path for path in TEXTS if path.suffix == ".md"]


@cache
def prose(page: Path) -> str:
    """Return a page without its blocks and spans of code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", lambda code: re.sub(r"[\[\]()#<]", "", code[0]), text)


@cache
def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        again = (f"{slug}-{number}" for number in range(1, 1000))
        found.add(slug if slug not in found else next(name for name in again if name not in found))
    return found


def links(page: Path) -> list[str]:
    text = prose(page)
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)


def fault(page: Path, link: str) -> str | None:
    """Return what is wrong with a link of a page, or None."""
    if re.match(r"https?://|mailto:", link):
        return None
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return f"{link}: no such file"
    if anchor and anchor not in anchors(target):
        return f"{link}: no such heading"
    return None


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_are_valid(page):
    assert [wrong for link in links(page) if (wrong := fault(page, link))] == []


def test_broken_links_are_reported(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A `b`: c\n[x](page.md#a-b-c) [y](no.md) [z](#no)\n```\n# no\n[v](no)\n```\n")
    assert [fault(page, link) for link in links(page)] == [
        None,
        "no.md: no such file",
        "#no: no such heading",
    ]


def test_mentioned_pages_exist():
    mentioned = {
        (str(path.relative_to(ROOT)), name)
        for path in TEXTS
        for name in re.findall(r"\bdocs/[\w/.-]+\.(?:md|toml|png|py)\b", path.read_text("utf-8"))
    }
    assert len(mentioned) > 50
    assert [(path, name) for path, name in mentioned if not (ROOT / name).exists()] == []


def test_every_page_can_be_found_from_the_readme():
    found, look = set(), [ROOT / "README.md"]
    while look:
        page = look.pop()
        if page not in found and page.suffix == ".md":
            found.add(page)
            paths = [link.partition("#")[0] for link in links(page) if ":" not in link]
            look += [(page.parent / path).resolve() for path in paths if path]
    assert set(PAGES) <= found
