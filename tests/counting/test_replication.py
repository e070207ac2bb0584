"""Published studies of card counting, repeated on other shoes, against figures copied by hand."""

import json
from fractions import Fraction
from statistics import mean, stdev

import pytest

from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import remaining_shoe
from baccarat.cli import main
from baccarat.counting.replication import (
    PARTS,
    RepeatedFigure,
    ReplicationRun,
    figures_of,
    published_studies,
    sums_of_products,
)
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation.execution import Execution, run_job
from support import reference_shoes as reference

STUDIES = tuple(published_studies())
SHOES = 3_000


@pytest.fixture(scope="module")
def repeated():
    """The repeated figures of every study, by bet and number of the study."""
    total = run_job(ReplicationRun(STUDIES, seed=2026, shoes=SHOES))
    found = {}
    for each, sums in zip(STUDIES, total.by_study, strict=True):
        figures = {figure.name: figure for figure in figures_of(each, sums)}
        found.setdefault(each.study.best.bet, []).append(figures)
    return found


@pytest.mark.parametrize(
    ("bet", "figure", "published"),
    [
        # advancedadvantageplay.com, "Baccarat Side Bets"
        ("egalite-7", "share", 0.224),
        ("egalite-7", "edge", 0.118),
        ("egalite-7", "per_100_coups", 2.65),
        ("88-89-98-99", "share", 0.1361),
        ("88-89-98-99", "edge", 0.0891),
        ("big-6", "per_100_coups", 0.256),
        # 888casino.com, "Co-Card Counting the Dragon and Panda Side Bets in EZ Baccarat"
        ("dragon-7", "per_shoe", 0.597),
        ("panda-8", "per_shoe", 0.237),
        # 888casino.com, both sides bet on with perfect play
        ("pair-at-12", "per_shoe", 0.9996),
    ],
)
def test_published_figures_are_found_again(repeated, bet, figure, published):
    found = repeated[bet][0][figure]
    assert abs(found.value - published) < 4 * found.error
    assert found.error < published / 10, "the shoes must be enough to tell"


def test_the_file_has_the_studies_that_were_published():
    assert len(STUDIES) == 15
    assert sum(len(each.printed) for each in STUDIES) == 30
    assert [each.study.best.bet for each in STUDIES if each.perfect] == ["pair-at-11", "pair-at-12"]
    (level_2,) = (each for each in STUDIES if each.study.at_least == 48)
    assert level_2.study.tags == (-1, -1, -4, -1, -1, -18, 13, 12, 9, -2)
    assert level_2.printed == {"share": "4.13%", "edge": "7.00%", "per_shoe": "0.23"}


def test_figures_agree_with_plain_counting():
    """Two shoes counted card by card, and each wager valued in fractions."""
    published = next(each for each in STUDIES if each.study.best.bet == "dragon-7")
    game, tags = published.study.best.game, published.study.tags
    total = run_job(ReplicationRun((published,), seed=5, shoes=2), Execution(threads=1))
    rules = ShoeRules(8)
    assert rules.burn is Burn.FIRST_CARD
    n, w, x = [], [], []
    for shoe in range(2):
        cards = list(reference.shoe_cards(8, 5, shoe))
        place, seen = rules.burn.taking(cards[0]), cards[:1]
        values, coups = [], 0
        for coup in reference.shoe_coups(game, rules, 5, shoe):
            count = sum(tags[(card.points - 1) % 10] for card in seen)
            if count / Fraction(416 - len(seen), 52) >= published.study.at_least:
                left = remaining_shoe(game, seen)
                values.append(analyse(game, left)["dragon-7"].expectation)
            coups += 1
            taken = len(coup.player) + len(coup.banker)
            seen, place = seen + cards[place : place + taken], place + taken
        n.append(coups)
        w.append(len(values))
        x.append(sum(values))
    assert total.by_study[0][:3] == (2, sum(n), sum(w))
    assert total.by_study[0][3] / PARTS == pytest.approx(float(sum(x)))


def test_standard_errors_of_shoes_worked_out_by_hand():
    """Three shoes of ten coups, so that ratios are means over the shoes."""
    published = STUDIES[0]
    x = [PARTS, 3 * PARTS, 5 * PARTS]
    figures = {
        each.name: each for each in figures_of(published, sums_of_products([10] * 3, [2, 2, 2], x))
    }
    error = stdev([1, 3, 5]) / 3**0.5
    for name, factor in (("per_shoe", 1), ("per_100_coups", 10), ("edge", 0.5)):
        assert figures[name].value == pytest.approx(mean([1, 3, 5]) * factor)
        assert figures[name].error == pytest.approx(error * factor)
    assert (figures["share"].value, figures["share"].error) == (pytest.approx(0.2), 0)
    assert list(figures_of(published, sums_of_products([10], [0], [0]))) == []


def test_the_published_rounding_is_allowed():
    assert RepeatedFigure("edge", "8.91%", 0.0895, 0.0001).agrees is False
    assert RepeatedFigure("edge", "8.91%", 0.08914, 0).agrees is True
    assert RepeatedFigure("edge", "8.91%", 0.08916, 0).agrees is False
    assert RepeatedFigure("per_shoe", "0.23", 0.2349, 0).agrees is True
    assert RepeatedFigure("per_shoe", "", 0.2349, 0).agrees is None


def test_the_command(capsys, tmp_path):
    csv, words = tmp_path / "studies.csv", ["count-studies", "--seed", "1", "--shoes", "128"]
    assert main([*words, "--json", "--output", str(csv)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["seed"], found["shoes"], found["complete"]) == (1, 128, True)
    first = found["studies"][0]
    assert (first["bet"], first["min_true_count"]) == ("3-giving-8-at-200", "2")
    assert [each["published"] for each in first["figures"]] == ["23.207%", "16.926%", "3.928", None]
    assert len(csv.read_text().splitlines()) == 1 + sum(len(s["figures"]) for s in found["studies"])
    assert main([*words, "--threads", "1"]) == 0
    printed = capsys.readouterr().out
    assert "30 published figures" in printed
    assert "perfect play" in printed
    line = next(line for line in printed.splitlines() if "23.207%" in line)
    assert f"{first['figures'][0]['value']:.3%}" in line, "the same on any number of threads"


def test_a_checkpoint_is_continued(tmp_path):
    job, file = ReplicationRun(STUDIES[:2], seed=3, shoes=128), tmp_path / "studies.json"
    whole = run_job(job, Execution(checkpoint=file))
    assert run_job(job, Execution(checkpoint=file)) == whole
    assert run_job(job) == whole
