"""`baccarat count-studies`: repeat published studies of card counting and compare the figures."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from baccarat.cli.shared.long_work import Outcome, add_work, do_work, seed_of
from baccarat.cli.shared.options import add_number
from baccarat.cli.shared.output import report
from baccarat.cli.shared.printing import Shown, attributes, table
from baccarat.counting.replication import (
    TOLERANCE,
    PublishedStudy,
    Repeated,
    RepeatedFigure,
    ReplicationRun,
    figures_of,
    published_studies,
)
from baccarat.counting.tags import format_tags
from baccarat.shoe import ShoeRules

WORDS = {
    "share": "coups bet on",
    "edge": "player's edge",
    "per_100_coups": "units per 100 coups",
    "per_shoe": "units per shoe",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--shoes", "number of shoes to simulate", 20_000)
    add_work(parser, plot=False)


@dataclass(frozen=True)
class _Row:
    """A study and its repeated figures."""

    study: PublishedStudy
    figures: tuple[RepeatedFigure, ...]

    @property
    def name(self) -> str:
        best = self.study.study.best
        return best.game.bet(best.bet).name

    @property
    def document(self) -> dict[str, Any]:
        asked = self.study.study
        return {
            "card": asked.best.game.card.id,
            "bet": asked.best.bet,
            "tags": None if self.study.perfect else ",".join(map(str, asked.tags)),
            "min_true_count": None if self.study.perfect else str(asked.at_least),
            **attributes(self.study, "published_count", "perfect", "hands", "source", "reason"),
        }


def run(args: argparse.Namespace) -> int:
    job = ReplicationRun(tuple(published_studies()), seed_of(args), args.shoes)
    outcome = do_work(args, job, unit="shoe")
    rows = [
        _Row(each, tuple(figures_of(each, sums)))
        for each, sums in zip(job.studies, outcome.total.by_study, strict=True)
    ]
    document = {
        "seed": job.seed,
        "shoes": outcome.total.shoes,
        "complete": not outcome.left,
        "studies": [
            row.document | {"figures": [_figure(each) for each in row.figures]} for row in rows
        ],
    }
    flat = [
        {"seed": job.seed, **row.document, **_figure(each)} for row in rows for each in row.figures
    ]
    return report(
        args,
        document,
        _shown(rows, job, outcome),
        tables={"figures": flat},
        fault=outcome.fault,
    )


def _figure(figure: RepeatedFigure) -> dict[str, Any]:
    return {
        "figure": figure.name,
        "published": figure.printed or None,
        **attributes(figure, "value", "error", "agrees"),
    }


def _shown(rows: list[_Row], job: ReplicationRun, outcome: Outcome[Repeated]) -> Shown:
    yield from outcome.shown(job.seed, ShoeRules(job.studies[0].study.best.game.decks))
    columns = ("bet", "tags, A to 9 and 10", ">from", "", ">published", ">repeated", "", "")
    yield table(columns, (cells for row in rows for cells in _cells(row)))
    published = [each for row in rows for each in row.figures if each.printed]
    wrong = sum(not each.agrees for each in published)
    words = f"{len(published)} published figures; {wrong} differ by more than {TOLERANCE}"
    yield Text(f"{words} standard errors (±) and their rounding", "dim")
    yield Text("* The study does not give the true count: here it is where the bet breaks even.")
    reasons = {row.study.reason: row.name for row in rows if row.study.reason}
    yield from (Text(f"{name}: {reason}.") for reason, name in reasons.items())


def _cells(row: _Row) -> Iterator[list[str | Text]]:
    """Yield a row for each published figure, or for units per shoe if none was published."""
    asked, perfect = row.study.study, row.study.perfect
    star = "" if row.study.published_count else "*"
    start: list[str | Text] = [
        row.name,
        "perfect play" if perfect else format_tags(asked.tags).replace(",", ""),
        "" if perfect else f"+{asked.at_least}{star}",
    ]
    shown = [each for each in row.figures if each.printed] or row.figures[-1:]
    for each in shown:
        yield [*start, WORDS[each.name], each.printed or "–", *_value(each)]
        start = ["", "", ""]


def _value(figure: RepeatedFigure) -> list[str | Text]:
    form = ".3%" if figure.name in ("share", "edge") else ".4f"
    verdict = {
        True: Text("agrees", "green"),
        False: Text("differs", "red"),
        None: Text(""),
    }
    return [f"{figure.value:{form}}", f"± {figure.error:{form}}", verdict[figure.agrees]]
