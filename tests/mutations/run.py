"""Apply a small defect for each requirement, and list those whose marked tests do not notice it.

`make mutate-requirements` runs this. The defects are in defects.toml, next to this file:

    [[R52]]
    breaks = "what the program does wrong with this defect"
    file = "the file to change, in src/baccarat"
    old = "text that occurs exactly once in it"
    new = "what to write instead"

For each defect, the tests marked with the requirement's number run in a copy of the working tree,
until one fails. In the end, all tests that failed run without any defect: they must pass.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from support.covered import covering

ROOT = Path(__file__).parents[2]
DEFECTS = Path(__file__).with_name("defects.toml")
SLOW = ("simulation", "web", "security", "cli", "service", "store", "browser")
"""Folders whose tests run last, the slowest at the end."""
Tests = Mapping[str, Sequence[str]]
"""The tests of each requirement."""
FAILED = re.compile(r"^(?:FAILED|ERROR) ([^\s:]+::\w+)", re.M)


class Unusable(Exception):
    """The list of defects does not fit the source."""


class Inconclusive(Exception):
    """The tests could not decide whether the defect is noticed."""


@dataclass(frozen=True)
class Defect:
    row: str
    breaks: str
    file: str
    old: str
    new: str

    def applied(self, root: Path) -> str:
        """Return the changed text of the file."""
        path = self.path(root)
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if (found := text.count(self.old)) != 1:
            raise Unusable(f"{self.row}: `old` occurs {found} times in {self.file}, not once")
        return text.replace(self.old, self.new)

    def path(self, root: Path) -> Path:
        return root / "src" / "baccarat" / self.file


def read_defects(path: Path = DEFECTS) -> list[Defect]:
    """Return all defects, in the order of the file."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Defect(row, **defect) for row, defects in rows.items() for defect in defects]


def tests_by_row(root: Path) -> dict[str, list[str]]:
    """Return the tests of each requirement, quick ones first."""
    marked = covering(root / "tests")
    return {row: [f"tests/{name}" for name in sorted(marked[row], key=_speed)] for row in marked}


def _speed(name: str) -> int:
    folder = name.partition("/")[0]
    return SLOW.index(folder) + 1 if folder in SLOW else 0


def copy_of(root: Path, folder: Path) -> Path:
    """Copy the files of the working tree that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
    return folder


@contextmanager
def changed(root: Path, defect: Defect) -> Iterator[None]:
    """Apply a defect to a copy for a while."""
    path = defect.path(root)
    before = path.read_text(encoding="utf-8")
    try:
        _write(path, defect.applied(root))
        yield
    finally:
        _write(path, before)


def _write(path: Path, text: str) -> None:
    """Write a source file. Python may take it for unchanged if only a second has passed."""
    path.write_text(text, encoding="utf-8")
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)


def failures(root: Path, tests: Sequence[str], seconds: float | None, *options: str) -> list[str]:
    """Run tests, and return the names of those that fail."""
    quiet = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "mutations.only_marked"]
    search = os.pathsep.join([str(root / "src"), str(root / "tests")])
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", *quiet, *options, *tests],
        cwd=root,
        env={**os.environ, "PYTHONPATH": search, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Inconclusive(f"no result after {seconds:g} seconds") from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    found = FAILED.findall(output)
    if process.returncode != bool(found):
        raise Inconclusive(f"the tests do not run:\n{output[-2000:]}")
    return found


def noticed(root: Path, defect: Defect, tests: Sequence[str], seconds: float) -> str:
    """Return the first test that fails because of the defect; empty if all pass."""
    with changed(root, defect):
        return next(iter(failures(root, tests, seconds, "-x", "--requirement", defect.row)), "")


def missed(
    root: Path, defects: Sequence[Defect], tests: Tests, *, jobs: int, seconds: float
) -> list[Defect]:
    """Try all defects, show the progress, and return those that no test notices."""
    for defect in defects:
        defect.applied(root)
        if defect.row not in tests:
            raise Unusable(f"{defect.row}: no test is marked with it")
    found: dict[Defect, str] = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(copy_of(root, Path(folder, str(number))))

        def attempt(defect: Defect) -> tuple[str, str]:
            copy = copies.get()
            try:
                name = noticed(copy, defect, tests[defect.row], seconds)
            except Inconclusive as error:
                return "", f"NOT CAUGHT: {error}"
            finally:
                copies.put(copy)
            return name, f"caught by {name}" if name else f"NOT CAUGHT: {defect.breaks}"

        running = {pool.submit(attempt, defect): defect for defect in defects}
        try:
            for number, done in enumerate(as_completed(running), start=1):
                defect = running[done]
                found[defect], words = done.result()
                print(f"{number}/{len(defects)} {defect.row}: {words}", flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
        names = sorted({name for name in found.values() if name})
        failing = failures(copies.get(), names, None) if names else []
    for name in dict.fromkeys(failing):
        print(f"{name} fails without a defect, too.")
    return [defect for defect in defects if found[defect] in ("", *failing)]


def main(arguments: Sequence[str] | None = None, root: Path = ROOT, path: Path = DEFECTS) -> int:
    """Return 1 if a defect is not noticed, and 2 if the list of defects is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", help="only these requirements, such as R52,G13")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (default: 2)")
    parser.add_argument("--seconds", type=float, default=600, help="time limit for each defect")
    options = parser.parse_args(arguments)
    rows = options.rows.split(",") if options.rows else None
    try:
        defects = read_defects(path)
        if rows and (unknown := set(rows) - {defect.row for defect in defects}):
            raise Unusable(f"no defect for {', '.join(sorted(unknown))} in {path.name}")
        chosen = [defect for defect in defects if not rows or defect.row in rows]
        left = missed(root, chosen, tests_by_row(root), jobs=options.jobs, seconds=options.seconds)
    except Unusable as error:
        print(error)
        return 2
    print(f"\n{len(chosen) - len(left)} of {len(chosen)} defects caught.")
    if left:
        print("Not caught by the tests of the requirement:")
        print(*(f"  {defect.row}: {defect.breaks} ({defect.file})" for defect in left), sep="\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
