"""Run the examples in a Markdown file: ```console with its output, ```sh, ```python doctests."""

import contextlib
import doctest
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from baccarat.cli import main

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def examples(*languages: str) -> list[Example]:
    return [
        Example(page, text[: match.start()].count("\n") + 1, match[1], match[2])
        for page in PAGES
        for text in [page.read_text(encoding="utf-8")]
        for match in _BLOCK.finditer(text)
        if match[1] in languages
    ]


def run(command: str) -> tuple[int, str, str]:
    """Run a `baccarat …` command line; return its exit status, output and error output."""
    words = shlex.split(command, comments=True)
    assert words[0] == "baccarat", f"{command!r} is not a baccarat command"
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words[1:])
    return status, out.getvalue(), err.getvalue()


@contextlib.contextmanager
def serving(command: str) -> Iterator[str]:
    """Serve a `VARIABLE=… baccarat serve …` command line on a free port; yield its address."""
    words = shlex.split(command)
    first = words.index("baccarat")
    given = dict(word.split("=", 1) for word in words[:first])
    server = subprocess.Popen(
        [sys.executable, "-m", *words[first:], "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **given},
    )
    try:
        announced = server.stdout.readline()
        assert "http://127.0.0.1:" in announced, command
        yield announced.split()[-1]
        for _ in range(2):  # the second signal stops it without waiting for rounds
            server.send_signal(signal.SIGTERM)
        assert server.wait() == 0
    finally:
        server.kill()
        server.stdout.close()
        server.wait()


def console_steps(text: str) -> list[tuple[str, list[str]]]:
    """Return (command, expected lines of output) for each `$ command` of a console block."""
    steps: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def same_output(expected: list[str], printed: str) -> bool:
    """Compare line by line, without trailing blanks; a last line `...` matches anything."""
    lines = [line.rstrip() for line in printed.splitlines()]
    if expected and expected[-1] == "...":
        return lines[: len(expected) - 1] == expected[:-1]
    return lines == expected


def doctest_report(page: Path) -> str:
    """Return the doctest report of a page's python blocks as one session; empty if all pass."""
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names: dict[str, object] = {}
    for example in examples("python"):
        if example.page == page:
            parser = doctest.DocTestParser()
            test = parser.get_doctest(example.text, names, str(example), str(page), example.line)
            runner.run(test, out=report.write, clear_globs=False)
            names = test.globs
    return report.getvalue()
