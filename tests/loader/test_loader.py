"""Every fault in a rule card is found, with its line, key and remedy."""

import pytest

from baccarat.library import check_soundness
from baccarat.loader import (
    RuleCardError,
    check_text,
    load,
    read_card,
)
from support.faulty_cards import FAULTS, SOUND, Fault, changed, findings_of


def line_of(part: str, text: str) -> int:
    """Return the line on which a part of the text begins."""
    return text.count("\n", 0, text.index(part)) + 1


def test_the_sound_card_has_no_fault():
    checked = check_text(SOUND, name="x")
    check_soundness(checked)
    assert checked.report.findings == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_found_with_its_line_key_problem_and_remedy(fault: Fault):
    text = changed(fault.old, fault.new)
    findings = findings_of(text)
    assert len(findings) == fault.count, findings
    line = line_of(fault.at, text) if fault.at else line_of(fault.old, SOUND)
    found = next((f for f in findings if (f.line, f.key) == (line, fault.key)), None)
    assert found, (line, fault.key, findings)
    assert fault.problem in found.problem
    assert fault.remedy in found.remedy


@pytest.mark.no_cover
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_card_is_refused_without_a_crash(fault: Fault, tmp_path):
    path = tmp_path / "card.toml"
    path.write_text(changed(fault.old, fault.new), encoding="utf-8")
    with pytest.raises(RuleCardError, match=r"has .* faults?:\n  line "):
        load(path)
    checked = read_card(path)
    check_soundness(checked)
    assert len(checked.report.findings) == fault.count


def test_several_faults_are_reported_at_once_in_the_order_of_lines(tmp_path):
    text = SOUND
    for old, new in [
        ("version = 1", "versoin = 1"),
        ("default = 8", "default = 0"),
        ("19:20", "95%"),
        ('requires = ["player", "tie"]', 'requires = ["playr"]'),
        ('cells = ["0-6/stood"]', 'cells = ["0-5/stood"]'),
        ('printed = "4.84%"', 'printed = "about 5%"'),
    ]:
        text = changed(old, new, text)
    findings = findings_of(text)
    assert [(f.line, f.key) for f in findings] == [
        (1, "the card"),
        (4, "versoin"),
        (10, "parameters.decks.default"),
        (22, "tableau"),
        (47, "bet[1].lines[0].pays"),
        (63, "bet[3].requires[0]"),
        (73, "ambiguity[0].reading[0]"),
        (79, "ambiguity[0].reading[1]"),
        (113, "claim[0].printed"),
    ]
    path = tmp_path / "card.toml"
    path.write_text(text)
    with pytest.raises(RuleCardError) as caught:
        load(path)
    assert caught.value.findings == findings
    message = str(caught.value)
    assert message.startswith(f"{path} has 9 faults:\n  line 1: the card: 'version' is missing; ")
    assert message.count("\n") == 9


def test_a_long_report_lists_the_first_faults(tmp_path):
    path = tmp_path / "card.toml"
    path.write_text("\n".join(f"x{i} = 1" for i in range(50)))
    with pytest.raises(RuleCardError, match="has 60 faults:") as caught:
        load(path)
    assert len(caught.value.findings) == 60
    assert str(caught.value).count("\n") == 21
    assert str(caught.value).endswith("… and 40 more")


def test_a_card_without_bets_is_reported():
    ambiguity = SOUND[SOUND.index("[[ambiguity]]") : SOUND.index('\n[[ambiguity]]\nid = "A9"')]
    text = changed("format = 1", "format = 1\nbet = []", SOUND[: SOUND.index("[[bet]]")])
    assert [(f.line, f.key, f.problem) for f in findings_of(text + ambiguity)] == [
        (2, "bet", "the card has no bets"),
        (16, "parameters.tie_odds", "no bet uses 'tie_odds'"),
    ]


def test_a_bet_excluded_by_every_bet_it_requires_is_a_fault():
    text = changed('excludes = ["banker"]', 'excludes = ["six"]')
    assert findings_of(text) == []  # it can still be combined with tie
    text = changed('requires = ["player", "tie"]', 'requires = ["player"]', text)
    [finding] = findings_of(text)
    assert (finding.line, finding.key) == (63, "bet[3].requires")
    assert finding.problem == "six cannot be combined with any bet that it requires"


def test_two_ambiguities_cannot_add_the_same_bet():
    """Both readings may be in force at once."""
    text = changed('cells = ["0-6/stood"]', 'cells = ["0-6/stood"]\nbets = ["tie"]')
    more = """stands = ["0-6/stood"]

[[ambiguity.reading.bet]]
id = "six-two"
replaces = "tie"
lines = [{ when = { winner = "tie", player_total = 2 }, pays = "100:1" }]
"""
    text = changed('stands = ["0-6/stood"]', more, text)
    [finding] = findings_of(text)
    assert finding.key == "ambiguity[1].reading[1].bet[0].id"
    assert finding.problem == "another ambiguity already adds a bet 'six-two'"


def test_a_faulty_ambiguity_still_covers_its_cells():
    """One mistake is one finding, not one for each cell left open."""
    assert len(findings_of(changed('id = "literal"\ntext', 'id = "literal"\ntexts'))) == 2
    assert len(findings_of(changed('cells = ["0-6/stood"]', 'cells = ["0-6,stood"]'))) == 1
    start = SOUND[: SOUND.index("[[ambiguity]]")]
    assert len(findings_of(changed("format = 1", "ambiguity = 5\nformat = 1", start))) == 1


def test_a_faulty_reading_in_force_causes_no_further_findings():
    text = changed('in_force = "one"', 'in_force = "two"')
    text = changed('banker_cards = 3 }, pays = "20:1"', 'banker_cards = 3 }, pays = "x"', text)
    checked = check_text(text, name="x")
    check_soundness(checked)
    assert [f.key for f in checked.report.findings] == [
        "ambiguity[1].reading[1].bet[1].lines[0].pays"
    ]


def test_a_faulty_bet_causes_no_further_findings():
    assert [f.key for f in findings_of(changed('name = "Tie"', "name = 1"))] == ["bet[2].name"]


@pytest.mark.parametrize("rounding", ["up", "half-up", "half-even", "down"])
def test_a_rounding_that_makes_an_edge_negative_is_a_fault(rounding):
    """19:20 on ten pence pays ten: the 1.235% of the design notes."""
    text = changed('minimum = "0.20"', 'minimum = "0.10"')
    text = changed('maximum = "100.00"', f'maximum = "100.00"\nrounding = "{rounding}"', text)
    checked = check_text(text, name="x")
    assert checked.report.findings == []
    check_soundness(checked)
    if rounding == "down":
        assert checked.report.findings == []
        return
    [finding] = checked.report.findings
    line, remedy = line_of('[[bet]]\nid = "banker"', text), finding.remedy
    assert (finding.line, finding.key) == (line, "bet[1]")
    assert remedy == "accept only multiples of 0.20, round down, or raise the minimum"
    assert f"rounding {rounding} on a stake of 0.10 gives the bettor 1.235" in finding.problem


def test_odds_that_make_an_edge_negative_are_a_fault():
    text = changed('maximum = "9:1"', 'maximum = "10:1"')
    checked = check_text(text, name="x")
    check_soundness(checked)
    [finding] = checked.report.findings
    assert (finding.line, finding.key) == (line_of('[[bet]]\nid = "tie"', text), "bet[2]")
    assert "−4.67" in finding.problem
    assert finding.problem.endswith("at tie_odds = 10:1")
    assert finding.remedy == "lower the odds, or narrow the range of tie_odds"


def test_odds_without_a_range_can_only_be_lowered():
    text = changed('pays = "12:1"', 'pays = "99:1"')
    checked = check_text(text, name="x")
    check_soundness(checked)
    assert {finding.remedy for finding in checked.findings} == {"lower the odds"}


# Files
