"""The audit report: every claim, reading and plotted edge, on valid pages."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from baccarat import audit
from baccarat.analysis.audit import CardAudit, Verdict
from baccarat.core.money import percent_string
from baccarat.loader import built_in_cards, check_text, load
from baccarat.loader.files import find
from baccarat.poster.report import KINDS, MAX_PLOT_ROWS, Mark, Report, report_of
from baccarat.poster.report_words import bet_favouring_player
from baccarat.poster.typeset import report_pdf
from support.documented import ROOT, run
from support.sheets import Pdf, squeezed

MARGIN = 8
BAIZE = (0x0E, 0x4D, 0x37)
IDS = [f"A{n}" for n in range(1, 20)]


@cache
def audits() -> tuple[CardAudit, ...]:
    return tuple(audit(load(name)) for name in built_in_cards())


@cache
def report() -> Report:
    return report_of(audits())


@cache
def sheet() -> Pdf:
    return Pdf(report_pdf(report()))


def on_paper(edge: Fraction) -> str:
    return percent_string(edge).replace("-", "−")


@pytest.mark.requirement("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8")
@pytest.mark.requirement("A9", "A10", "A11", "A12", "A13")
@pytest.mark.requirement("A14", "A15", "A18")
def test_every_contradiction_of_the_posters_is_in_the_report():
    for name in IDS:
        assert re.search(rf"{name}(?!\d)", sheet().squeezed), name


def texts(part: Any) -> Iterator[str]:
    """Every text of a part of the report, except what is drawn or shown by layout and colour."""
    match part:
        case str():
            yield part
        case tuple():
            for each in part:
                yield from texts(each)
        case Mark() | None:
            return
        case _ if is_dataclass(part):
            for field in fields(part):
                if field.name not in {"kind", "support", "sisters", "status", "language"}:
                    yield from texts(getattr(part, field.name))


@cache
def in_the_terminal() -> str:
    return squeezed(run("baccarat audit --all")[1])


@pytest.mark.requirement("A6", "A10", "A11", "A14", "A15", "A18")
def test_the_terminal_shows_everything_that_is_on_paper():
    paper = sheet().squeezed.replace("-", "−")
    wanted = [squeezed(text) for text in texts(report()) if text != report().title]
    assert len(wanted) > 500
    assert [text for text in wanted if text.replace("-", "−") not in paper] == []
    assert [text for text in wanted if text not in in_the_terminal()] == []


@pytest.mark.requirement("A1")
def test_a_sister_poster_supports_a_reading_without_deciding():
    [part] = [card for card in report().cards if card.id == "punto-banco"]
    found = {line.name: (line.support, line.sisters) for line in part.ambiguities[0].readings}
    assert found["standard"] == ("undecided", "agree")
    assert found["exchanged"] == ("undecided", "disagree")
    for shown in (in_the_terminal(), sheet().squeezed):
        assert squeezed("undecided; sister agrees") in shown
        assert squeezed("undecided; sister disagrees") in shown
    assert part.ambiguities[0].evidence.startswith("Figures of sister posters: 4.84% (Tie")


@pytest.mark.requirement("A6")
def test_a6_the_report_compares_each_bet_with_the_printed_range():
    assert [(line.bet, line.exact, line.outside) for line in report().cards[0].ranges] == [
        ("Banker", "0.1063% to 0.8676%", "0.1063% to 0.1950%"),
        ("Player", "0.2835% to 1.0448%", "0.9560% to 1.0448%"),
    ]
    assert (
        "Double Chance Baccarat prints the range 0.195% to 0.956%. "
        "Exact edges of Banker from 0.1063% to 0.1950% are outside it."
    ) in report().findings


@pytest.mark.requirement("A2", "A3")
def test_a2_and_a3_read_literally_together():
    [part] = [card.joint for card in report().cards if card.id == "punto-banco-2000"]
    assert [(line.readings, line.edges[0], line.support) for line in part.lines] == [
        ("A2 stands, A3 literal", "−16.6110%", "contradicted")
    ]
    assert part.bets[0] == "Player"
    assert (
        "On Punto Banco 2000, A2 read as “stands” and A3 read as “literal” would together favour "
        "the player by 16.6110% on Player."
    ) in report().findings


@pytest.mark.requirement("A7")
def test_a_difference_of_percentages_is_in_percentage_points():
    [line] = [line for line in report().cards[1].claims if line.ids == "A7"]
    assert line.verdict == "wrong: 0.0177 percentage points too high"


@pytest.mark.requirement("A4", "A5", "A6", "A7", "A8")
def test_every_printed_figure_is_shown_with_the_exact_one():
    for found in audits():
        for claim in found.claims:
            assert claim.claim.printed in sheet().squeezed
            assert percent_string(claim.exact) in sheet().squeezed
            verdict = "wrong:" if claim.verdict is Verdict.WRONG else claim.verdict
            assert squeezed(verdict) in sheet().squeezed


@pytest.mark.requirement("A1", "A2", "A3", "A9", "A12", "A13")
def test_every_reading_and_every_plotted_edge_is_also_text():
    for found in audits():
        for ambiguity in found.ambiguities:
            assert squeezed(ambiguity.ambiguity.question) in sheet().squeezed
            assert squeezed(ambiguity.ambiguity.resolution) in sheet().squeezed
            for tried in ambiguity.readings:
                assert squeezed(tried.reading.text) in sheet().squeezed
            for bet in ambiguity.affected_bets[:1]:
                for tried in ambiguity.readings:
                    if bet in tried.edges:
                        assert on_paper(tried.edges[bet]) in sheet().squeezed


def test_plots_show_the_edges_of_the_audit():
    by_source = sorted(audits(), key=lambda found: found.card.source)
    for part, found in zip(report().cards, by_source, strict=True):
        for drawn, ambiguity in zip(part.ambiguities, found.ambiguities, strict=True):
            assert len(drawn.strips) == min(MAX_PLOT_ROWS, len(ambiguity.affected_bets))
            assert sum(reading.in_force for reading in drawn.readings) == 1
            letters = {reading.letter: reading.name for reading in drawn.readings}
            by_name = {tried.reading.id: tried.edges for tried in ambiguity.readings}
            for strip in drawn.strips:
                row = "".join(strip.edges).replace("-", "−")
                assert row in sheet().squeezed
                for mark in strip.marks:
                    edges = by_name[letters[mark.letter]].values()
                    assert any(mark.at == pytest.approx(float(edge * 100)) for edge in edges)
                    in_force = letters[mark.letter] == ambiguity.ambiguity.in_force
                    assert mark.in_force == in_force


def test_the_error_of_a_figure_agrees_with_its_verdict():
    """Within half a last digit: rounded. Within one: truncated or up. Beyond: wrong."""
    for part in report().cards:
        for claim in part.claims:
            if claim.verdict == Verdict.ROUNDED:
                assert abs(claim.off) <= 0.5
            elif claim.kind == "careless":
                assert 0.5 < abs(claim.off) < 1
            elif claim.kind == "wrong":
                assert abs(claim.off) > 1
    assert set(KINDS) == set(Verdict)


@pytest.mark.requirement("A2", "A3")
def test_readings_that_favour_the_bettor_are_listed_worst_first():
    gifts = report().gifts
    assert [gift.at for gift in gifts] == sorted(gift.at for gift in gifts)
    assert all(gift.at < 0 for gift in gifts)
    assert ("A2 read as “stands”", "Player", "−11.1827%") in [
        (gift.reading, gift.bet, gift.edge) for gift in gifts
    ]


def test_negative_edges_are_also_shown_in_their_section():
    """A figure on the first page is also shown with its ambiguity, plotted or as text."""
    for found, part in zip(
        sorted(audits(), key=lambda found: found.card.source), report().cards, strict=True
    ):
        for ambiguity, section in zip(found.ambiguities, part.ambiguities, strict=True):
            for tried in ambiguity.readings:
                bet = bet_favouring_player(tried)
                if bet is not None:
                    edge = percent_string(tried.edges[bet])
                    plotted = [shown for strip in section.strips for shown in strip.edges]
                    assert edge in plotted or edge in section.more
    assert "UR WAY 0, −95.1064%" in report().cards[0].ambiguities[0].more


def test_ambiguities_and_their_places_are_counted_separately():
    counts = {what: number for number, what in report().counts}
    places = [(a.ambiguity.id, f.card.id) for f in audits() for a in f.ambiguities]
    assert counts[f"ambiguities in {len(places)} places"] == str(len({name for name, _ in places}))
    decided = sum(a.decided for f in audits() for a in f.ambiguities)
    assert counts["of these decided by printed figures"] == str(decided)
    assert any(f"({decided} places)" in line for line in report().findings)
    named = sum(
        int(n) for line in report().findings for n in re.findall(r"\((\d+) places?\)", line)
    )
    assert named == len(places)
    [one] = [what for _, what in report_of([audit(load("online"))]).counts if "ambig" in what]
    assert one == "ambiguity in 1 place"


@pytest.mark.requirement("A6")
def test_a6_the_report_says_that_the_poster_names_no_bet():
    figures = [claim for claim in report().cards[0].claims if claim.ids == "A6"]
    assert [claim.printed for claim in figures] == ["0.195%", "0.956%"]
    for claim in figures:
        assert claim.bets.replace("\u00a0", " ").startswith(
            "no bet named; taken as the mean of Banker and Player at double chance "
        )
        assert claim.verdict == "correct only as the mean of these bets"
        assert squeezed(claim.bets) in sheet().squeezed
    expected = "Double Chance Baccarat prints 0.195% and 0.956% without naming the bet."
    assert expected in report().findings


def test_digests_can_be_searched_for():
    raw = "".join(sheet().text(page) for page in range(len(sheet())))
    assert all(found.card.digest in raw for found in audits())
    made = report_of([replace(audits()[0], card=replace(audits()[0].card, digest=""))])
    assert "SHA-256" not in Pdf(report_pdf(made)).squeezed


def test_labels_of_the_plots_do_not_overlap():
    assert sheet().overprinted() == []


def test_no_mark_hides_the_reading_in_force():
    made = report_of([audit(load("online"))])
    [card] = made.cards
    [part] = card.ambiguities

    def green(*marks: Mark) -> int:
        strips = tuple(replace(strip, marks=marks, printed=None) for strip in part.strips)
        changed = replace(card, ambiguities=(replace(part, strips=strips),))
        drawn = Pdf(report_pdf(replace(made, cards=(changed,))))
        return sum(drawn.pixels(page, BAIZE) for page in range(len(drawn)))

    in_force, other, far = Mark("a", 1.0, True), Mark("b", 1.0, False), Mark("c", 5.0, False)
    nothing, alone = green(far), green(in_force, far)
    assert alone > nothing
    assert green(in_force, other, far) - nothing > 0.9 * (alone - nothing)


def test_the_report_is_a_valid_pdf_with_page_numbers():
    assert sheet().problems() == []
    assert sheet().standards == {"A-2a", "UA-1"}
    assert sheet().outside(MARGIN) == []
    assert 5 <= len(sheet()) <= 8
    for page in range(len(sheet())):
        assert 0.01 < sheet().ink(page) < 0.4
        assert f"{page + 1} / {len(sheet())}" in sheet().text(page)


def test_no_game_heading_is_last_on_a_page():
    """Below a game's name, some of its content is on the same page."""
    pages = [squeezed(sheet().text(page)) for page in range(len(sheet()))]
    for part in report().cards:
        follows = part.claims[0].bets if part.claims else part.ambiguities[0].question
        [page] = [text for text in pages if squeezed(part.name + part.source) in text]
        assert squeezed(follows) in page.partition(squeezed(part.source))[2]


@pytest.mark.parametrize("card", ["punto-banco", "examples/rule-cards/ez-baccarat.toml"])
def test_a_report_on_one_card(card):
    path = card if card in built_in_cards() else ROOT / card
    made = Pdf(report_pdf(report_of([audit(load(path))]), paper="letter"))
    assert (made.problems(), made.outside(MARGIN)) == ([], [])
    assert squeezed(load(path).name) in made.squeezed
    assert made.millimetres == (216, 279)


def test_an_open_ambiguity_and_markup_are_shown_literally():
    text = find("online").read_text(encoding="utf-8")
    text = text.replace('status = "resolved"', 'status = "open"').replace(
        "The rules for 3 to 6 depend", "#panic() *The* <rules> depend"
    )
    text = re.sub(r"resolution = .*\n", "", text)
    card = check_text(text, name="x").draft.card()
    made = Pdf(report_pdf(report_of([audit(card)])))
    assert "open" in made.squeezed
    assert squeezed("#panic() *The* <rules> depend") in made.squeezed


def test_many_readings_have_distinct_letters():
    text = find("online").read_text(encoding="utf-8")
    more = "".join(
        f'[[ambiguity.reading]]\nid = "more-{n}"\ntext = "Stands."\nstands = ["3-6/stood"]\n'
        for n in range(30)
    )
    text = text.replace("\n[bonus]", f"\n{more}\n[bonus]")
    card = check_text(text, name="x").draft.card()
    letters = [line.letter for line in report_of([audit(card)]).cards[0].ambiguities[0].readings]
    assert len(set(letters)) == len(letters) == 33
    assert letters[25:28] == ["z", "a2", "b2"]


def test_the_audit_command_writes_the_report(tmp_path):
    target = tmp_path / "audit.pdf"
    assert run(f"baccarat audit --all -o {target}")[:2] == (0, f"Written: {target}\n")
    assert target.read_bytes() == sheet().data
    assert run(f"baccarat audit online -o {target} --paper a3 --json")[0] == 0
    status, printed, complaint = run("baccarat audit online --paper a3")
    assert (status, printed) == (2, "")
    assert "--paper requires a report: add --output FILE" in complaint
    assert "is a folder" in run(f"baccarat audit online -o {tmp_path}")[2]
