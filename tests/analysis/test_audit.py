"""The audit computes what the requirements say of A1 to A19; no rule card holds a verdict."""

import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from baccarat.analysis import audit as audits
from baccarat.analysis.audit import (
    AmbiguityAudit,
    CardAudit,
    JointAudit,
    ReadingAudit,
    Span,
    Verdict,
    judge,
    printed_value,
)
from baccarat.core.printed import NoteKind
from baccarat.library import audit
from baccarat.loader import built_in_cards, load
from baccarat.loader.files import find
from support import synthetic

ROUNDED, TRUNCATED, ROUNDED_UP, MEAN, WRONG = Verdict


@cache
def audited(name: str) -> CardAudit:
    return audit(load(name))


def verdicts(name: str) -> list[tuple[str, str, Verdict]]:
    return [
        (" ".join(claim.claim.bets), claim.claim.printed, claim.verdict)
        for claim in audited(name).claims
    ]


def ambiguity(card: str, name: str) -> AmbiguityAudit:
    [found] = [tried for tried in audited(card).ambiguities if tried.ambiguity.id == name]
    return found


def reading(card: str, name: str, which: str) -> ReadingAudit:
    [found] = [tried for tried in ambiguity(card, name).readings if tried.reading.id == which]
    return found


def supported(card: str, name: str) -> dict[str, bool | None]:
    return {tried.reading.id: tried.supported for tried in ambiguity(card, name).readings}


def supported_by_sister_posters(card: str, name: str) -> dict[str, bool | None]:
    readings = ambiguity(card, name).readings
    return {tried.reading.id: tried.supported_by_sisters for tried in readings}


def together(card: str, **readings: str) -> JointAudit:
    """Return the audit of a joint reading, given as a reading for each ambiguity."""
    [found] = [
        tried
        for tried in audited(card).joint
        if {name: reading.id for name, reading in tried.readings.items()} == readings
    ]
    return found


def stand_off(edges: Mapping[str, Fraction]) -> Fraction:
    """Return the edge of Player at Double Chance if a tie paid nothing instead of the 2% in force.
    A tie at 9:1 has the edge 1 − 10 × its chance."""
    return edges["player"] + Fraction(2, 100) * (1 - edges["tie"]) / 10


def percent(value: Fraction, digits: int = 2) -> str:
    return f"{float(value * 100):.{digits}f}"


# What the posters print.


@pytest.mark.requirement("A5", "A7", "A8", "R50")
def test_a5_a7_a8_claims_of_punto_banco_2000():
    assert verdicts("punto-banco-2000") == [
        ("banker", "1.45%", TRUNCATED),
        ("player", "1.23%", TRUNCATED),
        ("tie", "4.84%", ROUNDED),
        ("3g8", "8.70%", WRONG),
        ("ur-way-7", "8.2%", WRONG),
        ("ur-way-0", "13.4%", WRONG),
    ]


@pytest.mark.requirement("A4", "A6", "R50", "R51")
def test_a4_a6_claims_of_double_chance():
    assert verdicts("double-chance") == [
        ("banker player", "0.195%", MEAN),
        ("banker player", "0.956%", MEAN),
        ("tie", "4.84%", ROUNDED),
        ("3g8", "17.77%", ROUNDED),
        ("ur-way-7", "8.43%", ROUNDED_UP),
        ("ur-way-6", "13.42%", ROUNDED),
    ]


@pytest.mark.requirement("A6")
def test_a6_the_printed_edge_is_the_mean_of_two_different_edges():
    ten, two = audited("double-chance").claims[:2]
    assert (percent(ten.exact, 3), percent(two.exact, 3)) == ("0.195", "0.956")
    for claim, banker, player in ((ten, "0.106", "0.284"), (two, "0.868", "1.045")):
        assert percent(claim.exact_by_bet["banker"], 3) == banker
        assert percent(claim.exact_by_bet["player"], 3) == player
        assert claim.exact == sum(claim.exact_by_bet.values()) / 2


@pytest.mark.requirement("A6")
def test_a6_part_of_each_bets_edge_range_is_outside_the_printed_range():
    [found] = audited("double-chance").ranges
    assert (found.low.claim.printed, found.high.claim.printed) == ("0.195%", "0.956%")

    def in_words(span: Span) -> list[str]:
        return [percent(edge, 3) for edge in span]

    exact = {bet: in_words(span) for bet, span in found.exact_by_bet.items()}
    assert exact == {"banker": ["0.106", "0.868"], "player": ["0.284", "1.045"]}
    outside = {bet: [in_words(part) for part in found.outside(bet)] for bet in exact}
    assert outside == {"banker": [["0.106", "0.195"]], "player": [["0.956", "1.045"]]}


@pytest.mark.parametrize(
    ("printed", "outside"),
    [
        (("0.868%", "0.106%"), []),  # correctly rounded: all inside
        (("0.867%", "0.107%"), []),  # truncated and rounded up
        (("0.860%", "0.110%"), [("0.106", "0.110"), ("0.860", "0.868")]),
        (("0.060%", "0.050%"), [("0.106", "0.868")]),  # all above
        (("0.970%", "0.960%"), [("0.106", "0.868")]),  # all below
    ],
)
def test_exact_edges_outside_a_printed_range_are_reported(printed, outside):
    text = find("double-chance").read_text(encoding="utf-8")
    claims = re.search(r"\[\[claim\]\].*?(?=\[\[note\]\])", text, re.DOTALL)[0]
    two, ten = (
        f'[[claim]]\nbets = ["banker"]\nat = {{ double_chance = "{at}%" }}\nprinted = "{edge}"\n'
        for at, edge in zip((2, 10), printed, strict=True)
    )
    [found] = audit(synthetic.card_of(text.replace(claims, two + ten))).ranges
    assert [tuple(percent(e, 3) for e in part) for part in found.outside("banker")] == outside


def test_a_single_printed_figure_is_not_a_range():
    assert audited("punto-banco-2000").ranges == ()


@pytest.mark.requirement("A4")
def test_a4_the_eight_other_odds_fall_inside_the_printed_range():
    edges = reading("double-chance", "A4", "forty-four").edges
    assert percent(edges["ur-way-7"], 4) == "8.4249"
    assert percent(edges["ur-way-6"], 4) == "13.4193"
    others = [percent(edges[f"ur-way-{n}"]) for n in (0, 1, 2, 3, 4, 5, 8, 9)]
    assert all(8.43 < float(edge) < 13.42 for edge in others)


@pytest.mark.requirement("A8")
def test_a8_the_exact_figures():
    exact = {claim.claim.bets: claim.exact for claim in audited("punto-banco-2000").claims}
    assert percent(exact["banker",], 4) == "1.4581"
    assert percent(exact["player",], 4) == "1.2351"


@pytest.mark.requirement("A5", "A7")
def test_a5_a7_errors_of_the_printed_edges():
    off = {" ".join(c.claim.bets): c.off_by for c in audited("punto-banco-2000").claims}
    exact = {" ".join(c.claim.bets): c.exact for c in audited("punto-banco-2000").claims}
    assert (percent(exact["3g8"]), percent(off["3g8"])) == ("8.68", "0.02")
    assert (percent(exact["ur-way-7"]), percent(off["ur-way-7"])) == ("6.39", "1.81")
    assert (percent(exact["ur-way-0"]), percent(off["ur-way-0"])) == ("12.45", "0.95")
    assert off["banker"] < 0


@pytest.mark.parametrize(
    "name", ["online", "commission", "no-commission", "fortune-six", "punto-banco"]
)
def test_posters_002_003_004_print_no_edges(name):
    assert verdicts(name) == []


# Edges under each reading.


@pytest.mark.requirement("A1")
def test_a1_is_undecided_but_sister_posters_support_the_standard_row():
    assert set(supported("punto-banco", "A1").values()) == {None}
    assert not ambiguity("punto-banco", "A1").decided
    assert supported_by_sister_posters("punto-banco", "A1") == {
        "standard": True,
        "exchanged": False,
        "draws-both": False,
        "stands-both": False,
    }
    ties = {r.reading.id: percent(r.edges["tie"]) for r in ambiguity("punto-banco", "A1").readings}
    assert ties == {
        "standard": "4.84",
        "exchanged": "4.55",
        "draws-both": "5.03",
        "stands-both": "4.36",
    }
    by_tie = [e for e in ambiguity("punto-banco", "A1").evidence if e.claim.bets == ("tie",)]
    assert [(e.card.id, e.claim.printed, e.agrees, e.from_sister) for e in by_tie] == [
        ("double-chance", "4.84%", ("standard",), True),
        ("punto-banco-2000", "4.84%", ("standard",), True),
    ]


@pytest.mark.requirement("A2")
@pytest.mark.parametrize("name", ["double-chance", "punto-banco-2000", "punto-banco"])
def test_a2_only_drawing_agrees_with_the_printed_edges(name):
    agrees = supported_by_sister_posters if name == "punto-banco" else supported
    assert agrees(name, "A2") == {"draws": True, "stands": False}
    edges = reading(name, "A2", "stands").edges
    edge = stand_off(edges) if name == "double-chance" else edges["player"]
    assert percent(edge) == "-11.18"


@pytest.mark.requirement("A3", "R11")
@pytest.mark.parametrize("name", ["double-chance", "punto-banco-2000", "punto-banco"])
def test_a3_only_the_standard_row_agrees_with_the_printed_edges(name):
    agrees = supported_by_sister_posters if name == "punto-banco" else supported
    assert agrees(name, "A3") == {"standard": True, "literal": False}
    edges = reading(name, "A3", "literal").edges
    edge = stand_off(edges) if name == "double-chance" else edges["player"]
    assert percent(edge) == "-4.19"


@pytest.mark.requirement("A2", "A3")
@pytest.mark.parametrize("name", ["double-chance", "punto-banco-2000", "punto-banco"])
def test_a2_and_a3_both_read_literally(name):
    found = together(name, A2="stands", A3="literal")
    edge = stand_off(found.edges) if name == "double-chance" else found.edges["player"]
    assert percent(edge) == "-16.61"
    agrees = found.supported_by_sisters if name == "punto-banco" else found.supported
    assert agrees is False


def test_a_poster_without_figures_leaves_every_reading_undecided():
    assert [a.decided for a in audited("punto-banco").ambiguities] == [False, False, False]
    assert {tried.supported for tried in audited("punto-banco").joint} == {None}
    for name in ("double-chance", "punto-banco-2000"):
        assert all(a.decided for a in audited(name).ambiguities)
        assert not any(e.from_sister for a in audited(name).ambiguities for e in a.evidence)


# Joint readings.


def test_joint_readings_are_all_combinations_of_readings_not_in_force():
    found = [
        [f"{name} {reading.id}" for name, reading in tried.readings.items()]
        for tried in audited("punto-banco").joint
    ]
    others = ("exchanged", "draws-both", "stands-both")
    assert found == [
        *([f"A1 {other}", "A2 stands"] for other in others),
        *([f"A1 {other}", "A3 literal"] for other in others),
        ["A2 stands", "A3 literal"],
        *([f"A1 {other}", "A2 stands", "A3 literal"] for other in others),
    ]
    assert audited("punto-banco").joint_untried == 0
    assert audited("punto-banco").affected_bets == ["player", "banker", "tie"]


def test_ambiguities_outside_the_tableau_have_no_joint_readings():
    for name in ("online", "commission", "no-commission", "fortune-six"):
        assert (audited(name).joint, audited(name).affected_bets) == ((), [])
    assert {tuple(tried.readings) for tried in audited("double-chance").joint} == {("A2", "A3")}


def test_joint_readings_are_limited_in_number(monkeypatch):
    monkeypatch.setattr(audits, "MAX_JOINT", 4)
    found = audit(load("punto-banco"))
    assert found.joint == audited("punto-banco").joint[:4]
    assert found.joint_untried == 6


def test_figures_can_support_a_joint_reading_that_no_single_reading_explains():
    text = find("punto-banco").read_text(encoding="utf-8")
    claim = '[[claim]]\nbets = ["player"]\nprinted = "-16.61%"\n'
    found = audit(synthetic.card_of(f"{text}\n{claim}"))
    assert not any(tried.supported for each in found.ambiguities for tried in each.readings)
    true = [list(tried.readings) for tried in found.joint if tried.supported]
    assert true == [["A2", "A3"], ["A1", "A2", "A3"]]  # drawing on 3 and 8 hardly matters


@pytest.mark.requirement("A3")
@pytest.mark.parametrize("name", ["online", "commission", "no-commission", "fortune-six"])
def test_a3_is_undecided_where_nothing_is_printed(name):
    assert set(supported(name, "A3").values()) == {None}
    assert percent(reading(name, "A3", "literal").edges["player"]) == "-1.25"
    assert ambiguity(name, "A3").evidence == ()


@pytest.mark.requirement("A3")
def test_a3_edge_of_the_not_an_eight_reading():
    assert percent(reading("online", "A3", "not-an-eight").edges["player"]) == "-0.42"


@pytest.mark.requirement("A4")
def test_a4_the_printed_edges_support_forty_four():
    assert supported("double-chance", "A4") == {"forty-four": True, "forty-five": False}
    evidence = ambiguity("double-chance", "A4").evidence
    assert [e.claim.bets[0] for e in evidence] == ["ur-way-7", "ur-way-6"]
    assert {e.agrees for e in evidence} == {("forty-four",)}


@pytest.mark.requirement("A9")
def test_a9_is_undecided_but_the_edges_differ():
    assert set(supported("fortune-six", "A9").values()) == {None}
    one, two = (reading("fortune-six", "A9", which).edges for which in ("one-bet", "two-bets"))
    assert percent(one["fortune-six"]) == "16.68"
    assert percent(two["fortune-six-two-cards"]) == "51.58"
    assert percent(two["fortune-six-three-cards"]) == "65.10"
    assert "fortune-six" not in two


@pytest.mark.requirement("A12")
@pytest.mark.parametrize("name", ["commission", "no-commission", "fortune-six"])
def test_a12_changes_no_edge_and_stays_undecided(name):
    assert set(supported(name, "A12").values()) == {None}
    free, needs_main = (tried.edges for tried in ambiguity(name, "A12").readings)
    assert free == needs_main


@pytest.mark.requirement("A13")
@pytest.mark.parametrize("name", ["commission", "no-commission", "fortune-six"])
def test_a13_is_undecided_but_the_edges_differ(name):
    assert set(supported(name, "A13").values()) == {None}
    assert percent(reading(name, "A13", "stand-off").edges["player"], 4) == "1.2351"
    assert percent(reading(name, "A13", "loses").edges["player"]) == "10.75"


@pytest.mark.parametrize("name", built_in_cards())
def test_no_reading_in_force_contradicts_the_printed_edges(name):
    for tried in audited(name).ambiguities:
        assert supported(name, tried.ambiguity.id)[tried.ambiguity.in_force] is not False


# Gaps and notes, which no printed figure decides.

NOTES = {
    "A10": (NoteKind.NOTE, {"punto-banco"}),
    "A11": (NoteKind.NOTE, {"online", "commission", "no-commission", "fortune-six"}),
    "A14": (NoteKind.NOTE, {"online"}),
    "A15": (NoteKind.NOTE, {"double-chance", "punto-banco-2000", "punto-banco"}),
    "A16": (NoteKind.GAP, {"commission", "no-commission", "fortune-six"}),
    "A17": (NoteKind.GAP, {"double-chance"}),
    "A18": (NoteKind.NOTE, {"punto-banco-2000", "fortune-six"}),
    "A19": (NoteKind.GAP, {"double-chance", "punto-banco-2000", "punto-banco"}),
}


@pytest.mark.requirement("A10", "A11", "A14", "A15", "A18")
def test_gaps_and_notes_are_on_the_right_cards():
    found: dict[str, tuple[Any, set[str]]] = {}
    for name in built_in_cards():
        for note in audited(name).card.poster_notes:
            kind, cards = found.setdefault(note.id, (note.kind, set()))
            assert note.kind is kind
            cards.add(name)
            assert note.id in note.cites
            assert bool(note.in_force) is (note.id not in {"A10", "A18"})
    assert found == NOTES


# The verdict on a figure.


@pytest.mark.parametrize(
    ("printed", "exact", "verdict"),
    [
        ("1.24%", "1.2351", ROUNDED),
        ("1.23%", "1.2351", TRUNCATED),
        ("1.25%", "1.2351", WRONG),
        ("1.22%", "1.2351", WRONG),
        ("8.42%", "8.4249", ROUNDED),
        ("8.43%", "8.4249", ROUNDED_UP),
        ("8.44%", "8.4249", WRONG),
        ("5%", "5", ROUNDED),
        ("5.0%", "5", ROUNDED),
        ("5.1%", "5", WRONG),
        ("4.9%", "5", WRONG),
        ("5%", "4.5", ROUNDED),
        ("4%", "4.5", TRUNCATED),
        ("0.00%", "0.004", ROUNDED),
        ("0.01%", "0.004", ROUNDED_UP),
        ("-1.24%", "-1.2351", ROUNDED),
        ("-1.23%", "-1.2351", TRUNCATED),
        ("-8.43%", "-8.4249", ROUNDED_UP),
        ("1.24%", "-1.2351", WRONG),
        ("-1.24%", "1.2351", WRONG),
    ],
)
def test_verdict_on_the_edge_of_one_bet(printed, exact, verdict):
    assert judge(printed, [Fraction(exact) / 100]) is verdict


@pytest.mark.parametrize(
    ("printed", "exact", "verdict"),
    [
        ("0.95%", ["0.85", "1.05"], MEAN),
        ("0.9%", ["0.85", "1.05"], MEAN),
        ("1.0%", ["0.99", "1.01"], ROUNDED),
        ("1.05%", ["0.85", "1.05"], WRONG),
        ("2%", ["-1", "5"], MEAN),
        ("-2%", ["1", "-5"], MEAN),
        ("3%", ["1", "2", "6"], MEAN),
        ("1.23%", ["1.2351", "1.2352"], TRUNCATED),
    ],
)
def test_verdict_on_one_figure_for_several_bets(printed, exact, verdict):
    assert judge(printed, [Fraction(value) / 100 for value in exact]) is verdict


def test_a_printed_percentage_is_parsed_exactly():
    assert printed_value("8.70%") == Fraction(87, 1000)
    assert printed_value("-12%") == Fraction(-12, 100)


# Modified cards.


def test_a_figure_for_a_bet_that_a_reading_removes_decides_nothing():
    text = find("fortune-six").read_text(encoding="utf-8")
    text += '\n[[claim]]\nbets = ["fortune-six"]\nprinted = "16.68%"\n'
    found = audit(synthetic.card_of(text))
    assert [claim.verdict for claim in found.claims] == [ROUNDED]
    [two_or_one] = [tried for tried in found.ambiguities if tried.ambiguity.id == "A9"]
    assert [tried.supported for tried in two_or_one.readings] == [None, None]


def test_a_figure_that_fits_no_reading_decides_nothing():
    text = (
        find("online").read_text(encoding="utf-8")
        + '\n[[claim]]\nbets = ["player"]\nprinted = "7.77%"\n'
    )
    found = audit(synthetic.card_of(text))
    assert [claim.verdict for claim in found.claims] == [WRONG]
    assert {tried.supported for tried in found.ambiguities[0].readings} == {None}


def test_contradictory_figures_support_no_reading():
    text = find("online").read_text(encoding="utf-8")
    text += '\n[[claim]]\nbets = ["player"]\nprinted = "1.24%"\n'
    text += '\n[[claim]]\nbets = ["tie"]\nprinted = "18.09%"\n'
    found = audit(synthetic.card_of(text))
    assert {tried.supported for tried in found.ambiguities[0].readings} == {False}
    assert [e.agrees for e in found.ambiguities[0].evidence] == [("standard",), ("literal",)]


# Verdicts are computed, never stored.

VERDICT_WORDS = re.compile(
    "verdict|correct|agree|round(ed|s)|truncat|mean$|wrong|exact|edge|support|undecided|evidence|audit"
)


@pytest.mark.parametrize("name", built_in_cards())
def test_no_card_file_contains_a_verdict(name):
    raw = tomllib.loads(find(name).read_text(encoding="utf-8"))
    assert [key for key in _keys(raw) if VERDICT_WORDS.search(key)] == []
    for claim in raw.get("claim", []):
        assert claim.keys() <= {"bets", "at", "printed", "names_bets", "cites"}


def _keys(raw: object) -> list[str]:
    if isinstance(raw, dict):
        return [*raw, *(key for value in raw.values() for key in _keys(value))]
    if isinstance(raw, list):
        return [key for value in raw for key in _keys(value)]
    return []


def test_the_pattern_matches_every_verdict():
    assert VERDICT_WORDS.search("verdict")
    assert all(VERDICT_WORDS.search(str(verdict)) for verdict in Verdict)
    assert not VERDICT_WORDS.search("meaning")
