"""The audit: what REQUIREMENTS.md says of A1 to A13 is arrived at, and stands in no file."""

import re
import tomllib
from fractions import Fraction
from functools import cache

import pytest

from baccarat.analysis.audit import (
    AmbiguityAudit,
    CardAudit,
    ReadingAudit,
    Verdict,
    judge,
    printed_value,
)
from baccarat.library import audit
from baccarat.loader import built_in_cards, load
from baccarat.loader.files import find
from support import synthetic

ROUNDED, CUT_OFF, ROUNDED_UP, MEAN, WRONG = Verdict


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


def percent(value: Fraction, digits: int = 2) -> str:
    return f"{float(value * 100):.{digits}f}"


# What the posters print.


@pytest.mark.requirement("A5", "A7", "A8", "R50")
def test_a5_a7_a8_claims_of_punto_banco_2000():
    assert verdicts("punto-banco-2000") == [
        ("banker", "1.45%", CUT_OFF),
        ("player", "1.23%", CUT_OFF),
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
def test_a6_the_mean_is_of_two_bets_that_are_each_something_else():
    ten, two = audited("double-chance").claims[:2]
    assert (percent(ten.exact, 3), percent(two.exact, 3)) == ("0.195", "0.956")
    for claim, banker, player in ((ten, "0.106", "0.284"), (two, "0.868", "1.045")):
        assert percent(claim.exact_by_bet["banker"], 3) == banker
        assert percent(claim.exact_by_bet["player"], 3) == player
        assert claim.exact == sum(claim.exact_by_bet.values()) / 2


@pytest.mark.requirement("A5", "A7")
def test_a5_a7_by_how_much_the_print_is_off():
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


# What the readings give.


@pytest.mark.requirement("A1")
def test_a1_is_decided_by_the_sisters():
    assert supported("punto-banco", "A1") == {
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
    assert [(e.card.id, e.claim.printed, e.agrees) for e in by_tie] == [
        ("double-chance", "4.84%", ("standard",)),
        ("punto-banco-2000", "4.84%", ("standard",)),
    ]


@pytest.mark.requirement("A2")
@pytest.mark.parametrize("name", ["double-chance", "punto-banco-2000", "punto-banco"])
def test_a2_only_drawing_agrees_with_print(name):
    assert supported(name, "A2") == {"draws": True, "stands": False}
    if name != "double-chance":
        assert percent(reading(name, "A2", "stands").edges["player"]) == "-11.18"


@pytest.mark.requirement("A3", "R11")
@pytest.mark.parametrize("name", ["double-chance", "punto-banco-2000", "punto-banco"])
def test_a3_only_the_unprinted_row_agrees_with_print(name):
    assert supported(name, "A3") == {"standard": True, "literal": False}
    if name != "double-chance":
        assert percent(reading(name, "A3", "literal").edges["player"]) == "-4.19"


@pytest.mark.requirement("A3")
@pytest.mark.parametrize("name", ["online", "commission", "no-commission", "fortune-six"])
def test_a3_is_undecided_where_nothing_is_printed(name):
    assert set(supported(name, "A3").values()) == {None}
    assert percent(reading(name, "A3", "literal").edges["player"]) == "-1.25"
    assert ambiguity(name, "A3").evidence == ()


@pytest.mark.requirement("A3")
def test_a3_not_an_eight():
    assert percent(reading("online", "A3", "not-an-eight").edges["player"]) == "-0.42"


@pytest.mark.requirement("A4")
def test_a4_the_printed_range_decides_for_forty_four():
    assert supported("double-chance", "A4") == {"forty-four": True, "forty-five": False}
    evidence = ambiguity("double-chance", "A4").evidence
    assert [e.claim.bets[0] for e in evidence] == ["ur-way-7", "ur-way-6"]
    assert {e.agrees for e in evidence} == {("forty-four",)}


@pytest.mark.requirement("A9")
def test_a9_is_undecided_but_its_figures_speak():
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
def test_a13_is_undecided_but_its_figures_speak(name):
    assert set(supported(name, "A13").values()) == {None}
    assert percent(reading(name, "A13", "stand-off").edges["player"], 4) == "1.2351"
    assert percent(reading(name, "A13", "loses").edges["player"]) == "10.75"


@pytest.mark.parametrize("name", built_in_cards())
def test_no_reading_in_force_contradicts_the_print(name):
    for tried in audited(name).ambiguities:
        assert supported(name, tried.ambiguity.id)[tried.ambiguity.in_force] is not False


# The verdict on a figure.


@pytest.mark.parametrize(
    ("printed", "exact", "verdict"),
    [
        ("1.24%", "1.2351", ROUNDED),
        ("1.23%", "1.2351", CUT_OFF),
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
        ("4%", "4.5", CUT_OFF),
        ("0.00%", "0.004", ROUNDED),
        ("0.01%", "0.004", ROUNDED_UP),
        ("-1.24%", "-1.2351", ROUNDED),
        ("-1.23%", "-1.2351", CUT_OFF),
        ("-8.43%", "-8.4249", ROUNDED_UP),
        ("1.24%", "-1.2351", WRONG),
        ("-1.24%", "1.2351", WRONG),
    ],
)
def test_one_bet(printed, exact, verdict):
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
        ("1.23%", ["1.2351", "1.2352"], CUT_OFF),
    ],
)
def test_several_bets(printed, exact, verdict):
    assert judge(printed, [Fraction(value) / 100 for value in exact]) is verdict


def test_the_printed_digits_as_a_number():
    assert printed_value("8.70%") == Fraction(87, 1000)
    assert printed_value("-12%") == Fraction(-12, 100)


# Cards of our own.


def test_a_figure_of_a_bet_that_a_reading_takes_away_decides_nothing():
    text = find("fortune-six").read_text(encoding="utf-8")
    text += '\n[[claim]]\nbets = ["fortune-six"]\nprinted = "16.68%"\n'
    found = audit(synthetic.card_of(text))
    assert [claim.verdict for claim in found.claims] == [ROUNDED]
    [two_or_one] = [tried for tried in found.ambiguities if tried.ambiguity.id == "A9"]
    assert [tried.supported for tried in two_or_one.readings] == [None, None]


def test_a_figure_that_no_reading_makes_true_decides_nothing():
    text = (
        find("online").read_text(encoding="utf-8")
        + '\n[[claim]]\nbets = ["player"]\nprinted = "7.77%"\n'
    )
    found = audit(synthetic.card_of(text))
    assert [claim.verdict for claim in found.claims] == [WRONG]
    assert {tried.supported for tried in found.ambiguities[0].readings} == {None}


def test_figures_that_speak_against_each_other_support_no_reading():
    text = find("online").read_text(encoding="utf-8")
    text += '\n[[claim]]\nbets = ["player"]\nprinted = "1.24%"\n'
    text += '\n[[claim]]\nbets = ["tie"]\nprinted = "18.09%"\n'
    found = audit(synthetic.card_of(text))
    assert {tried.supported for tried in found.ambiguities[0].readings} == {False}
    assert [e.agrees for e in found.ambiguities[0].evidence] == [("standard",), ("literal",)]


# Nothing of it is written down.

VERDICT_WORDS = re.compile(
    "verdict|correct|agree|round(ed|s)|cut.?off|mean$|wrong|exact|edge|support|undecided|evidence|audit"
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


def test_the_words_looked_for_would_be_found():
    assert VERDICT_WORDS.search("verdict")
    assert all(VERDICT_WORDS.search(str(verdict)) for verdict in Verdict)
    assert not VERDICT_WORDS.search("meaning")
