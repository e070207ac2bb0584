"""Everything that people read uses ordinary words, not the paraphrases an earlier version had."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.sources import ROOT

BANNED = re.compile(
    r"\b(?<!there )(?:is|are) no (?!longer\b|more\b|less\b)|\bso many\b|\btold\b|\bwhoever\b"
    r"|\banew\b|\bthe one rule\b|\bin goe?s?\b(?=.*\bout comes?\b)",
    re.IGNORECASE,
)
"""'There is no …' is ordinary English; '10.5 is no stake' is not."""
FOLDERS = ("src", "docs", "benchmarks", "tests")
PROSE = {".md", ".ftl", ".html", ".toml", ".txt"}
GENERATED = ("tests/golden/", "tests/style/test_plain_english.py")


def of_python(text: str) -> Iterator[str]:
    """Return the string literals (docstrings too) and comments of a module."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Constant(str() as words) if " " in words:
                yield words
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def of_script(text: str) -> Iterator[str]:
    """Return the comments and the string literals with spaces of a script or style sheet."""
    yield from re.findall(r"(?<!:)//.*|/\*(?:.|\n)*?\*/", text)
    yield from (words for words in re.findall(r'"([^"\n]*)"', text) if " " in words)


def of_prose(text: str) -> Iterator[str]:
    """Return a document without code in it, whose names are their own."""
    yield re.sub(r"```.*?```|`[^`\n]*`|\{[{%].*?[}%]\}", "", text, flags=re.DOTALL)


READERS = {".py": of_python, ".js": of_script, ".css": of_script} | dict.fromkeys(PROSE, of_prose)


def files() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in READERS and "__pycache__" not in path.parts:
                yield path


def found_in(text: str, suffix: str = ".py") -> list[str]:
    parts = READERS[suffix](text)
    return [match[0].strip().lower() for words in parts for match in BANNED.finditer(words)]


def test_texts_contain_no_banned_phrases():
    found = set()
    for path in files():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(GENERATED):
            found |= {(name, phrase) for phrase in found_in(path.read_text("utf-8"), path.suffix)}
    assert found == set()


@pytest.mark.parametrize(
    ("suffix", "text", "odd"),
    [
        (
            ".py",
            '"""A card which is no card."""\nx = "as told"  # anew\n',
            ["is no", "told", "anew"],
        ),
        (".py", '"""It is no longer open; there is no other."""\nx = {"told": 1}\n', []),
        (".js", 'const told = "whoever asks"; // so many\n', ["so many", "whoever"]),
        (".md", "Whoever reads `told` is told.", ["whoever", "told"]),
        (".ftl", "a-told = { $told }", ["told", "told"]),
    ],
)
def test_banned_phrases_are_found_and_ordinary_ones_are_not(suffix, text, odd):
    assert found_in(text, suffix) == odd
