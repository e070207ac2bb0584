"""Measure the time to produce all seven posters and the audit report, relative to typst alone.

Run it as `python benchmarks/posters.py`. The commands run as whole processes, as at a prompt. The
baseline is typst setting the same sheets in one process that has already computed their content.
Machines are noisy, so rounds are interleaved and medians are shown.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from baccarat import audit, built_in_cards, load
from baccarat.poster.content import Poster, poster_of
from baccarat.poster.report import Report, report_of
from baccarat.poster.typeset import poster_pdf, report_pdf

ROUNDS = 5
TARGET = 10.0
"""Maximum seconds for all sheets, on two cores."""

UNIT, CONTENT, OURS = "typst alone", "contents alone", "baccarat poster --all, audit --all -o"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = (
            f"{sys.executable} -m baccarat poster --all -o {folder}/posters && "
            f"{sys.executable} -m baccarat audit --all -o {folder}/audit.pdf"
        )
        posters, report = contents()
        tasks: dict[str, Callable[[int], object]] = {
            UNIT: lambda n: typeset(*renamed(posters, report, n)),
            CONTENT: lambda _: contents(),
            OURS: lambda _: shell(command),
        }
        times: dict[str, list[float]] = {name: [] for name in tasks}
        for n in range(ROUNDS):
            for name, task in tasks.items():
                begin = perf_counter()
                task(n)
                times[name].append(perf_counter() - begin)
        written = sorted(Path(folder).rglob("*.pdf"))
        assert len(written) == len(built_in_cards()) + 1
    print(f"{'':40}{'ratio':>8}{'seconds':>9}{'target':>9}")
    for name, spent in times.items():
        seconds = median(spent)
        ratio = seconds / median(times[UNIT])
        target = f"< {TARGET:.0f} s" if name == OURS else ""
        missed = "   MISSED" if name == OURS and seconds >= TARGET else ""
        print(f"{name:40}{ratio:8.2f}{seconds:9.2f}{target:>9}{missed}")


def contents() -> tuple[list[Poster], Report]:
    """Compute the content of all posters and of the audit report."""
    cards = [load(name) for name in built_in_cards()]
    return [poster_of(card.game()) for card in cards], report_of([audit(card) for card in cards])


def renamed(posters: list[Poster], report: Report, n: int) -> tuple[list[Poster], Report]:
    """Return the same sheets under other names, so that typst cannot reuse its cache."""
    mark = f" {n}"
    return (
        [replace(poster, name=poster.name + mark) for poster in posters],
        replace(report, title=report.title + mark),
    )


def typeset(posters: list[Poster], report: Report) -> None:
    for poster in posters:
        poster_pdf(poster)
    report_pdf(report)


def shell(command: str) -> None:
    subprocess.run(["bash", "-c", command], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
