"""Exact edges: those in the requirements, published ones, and those of a given stake."""

from fractions import Fraction
from functools import cache

import pytest

from baccarat.analysis.edges import Analysis, analyse
from baccarat.analysis.remaining import remaining_shoe
from baccarat.analysis.soundness import edge_of_stake
from baccarat.core.cards import deck
from baccarat.core.errors import GameError
from baccarat.core.money import Rounding
from baccarat.library import check_soundness
from baccarat.loader import check_text, load, read_card
from baccarat.loader.files import find
from support import reference as ref
from support import synthetic
from support.synthetic import BANKER, rounding_head, soundness_findings

COMMISSION = ["double-chance", "online", "commission", "punto-banco"]
NO_COMMISSION = ["punto-banco-2000", "no-commission", "fortune-six"]
PAIRS = ["commission", "no-commission", "fortune-six", "punto-banco"]
SILENT_ON_0_TO_2 = ["double-chance", "punto-banco-2000", "punto-banco"]


@cache
def figures(name: str, parameters: tuple = (), readings: tuple = ()) -> Analysis:
    return analyse(load(name).game(**dict(parameters), readings=dict(readings)))


def edge(name: str, bet: str, digits: int, *, at: dict | None = None, **readings: str) -> str:
    """Return the house edge in percent, rounded."""
    found = figures(name, tuple((at or {}).items()), tuple(readings.items()))
    return f"{float(found[bet].edge * 100):.{digits}f}"


@pytest.mark.requirement("R20", "R21", "R22", "R23")
def test_r20_r22_edges_of_the_main_bets():
    assert {edge(name, "banker", 4) for name in COMMISSION if name != "double-chance"} == {"1.0579"}
    assert {edge(name, "banker", 4) for name in NO_COMMISSION} == {"1.4581"}
    for name in COMMISSION[1:] + NO_COMMISSION:
        assert edge(name, "player", 4) == "1.2351"


@pytest.mark.requirement("R25", "R26")
def test_r25_r26_edge_of_the_tie_bet():
    for name in ("double-chance", "punto-banco-2000", "punto-banco"):
        assert edge(name, "tie", 2) == "4.84"
        assert edge(name, "tie", 4, at={"tie_odds": "8:1"}) == "14.3596"
    for name in ("online", "commission", "no-commission", "fortune-six"):
        assert edge(name, "tie", 4) == "14.3596"


@pytest.mark.requirement("R27", "A5")
def test_a5_edges_of_ur_way_at_punto_banco_2000():
    percent = "12.4527 11.4150 9.5412 10.5243 12.1401 11.8732 11.4952 6.3899 11.0669 10.6348"
    found = [edge("punto-banco-2000", f"ur-way-{total}", 4) for total in range(10)]
    assert found == percent.split()
    assert (min(found, key=float), max(found, key=float)) == ("6.3899", "12.4527")


@pytest.mark.requirement("R27", "A4")
def test_a4_edges_of_ur_way_at_forty_four_to_one():
    assert edge("double-chance", "ur-way-7", 4) == "8.4249"
    assert edge("double-chance", "ur-way-6", 4) == "13.4193"
    for total in (0, 1, 2, 3, 4, 5, 8, 9):
        found = edge("double-chance", f"ur-way-{total}", 4)
        assert found == edge("punto-banco-2000", f"ur-way-{total}", 4)
        assert 8.43 < float(found) < 13.42


@pytest.mark.requirement("R29", "A7")
def test_a7_edge_of_three_giving_eight():
    assert edge("punto-banco-2000", "3g8", 2) == "8.68"
    assert edge("double-chance", "3g8", 2) == "17.77"


@pytest.mark.requirement("R24", "R51", "A6")
@pytest.mark.parametrize(
    ("agreed", "banker", "player", "mean"),
    [("10%", "0.106", "0.284", "0.195"), ("2%", "0.868", "1.045", "0.956")],
)
def test_a6_edges_of_double_chance(agreed, banker, player, mean):
    at = {"double_chance": agreed}
    assert edge("double-chance", "banker", 3, at=at) == banker
    assert edge("double-chance", "player", 3, at=at) == player
    found = figures("double-chance", tuple(at.items()))
    middle = (found["banker"].edge + found["player"].edge) / 2
    assert f"{float(middle * 100):.3f}" == mean


@pytest.mark.requirement("A1")
@pytest.mark.parametrize(
    ("reading", "tie"),
    [("standard", "4.84"), ("exchanged", "4.55"), ("draws-both", "5.03"), ("stands-both", "4.36")],
)
def test_a1_edge_of_tie_under_each_reading(reading, tie):
    assert edge("punto-banco", "tie", 2, A1=reading) == tie


@pytest.mark.requirement("A2", "A3")
@pytest.mark.parametrize("name", ["punto-banco-2000", "punto-banco"])
def test_a2_a3_read_literally_the_player_bet_has_a_negative_edge(name):
    assert edge(name, "player", 2, A2="stands") == "-11.18"
    assert edge(name, "player", 2, A3="literal") == "-4.19"
    assert edge(name, "player", 2, A2="stands", A3="literal") == "-16.61"


@pytest.mark.requirement("A3")
def test_a3_read_literally_where_0_to_2_has_a_row():
    for name in ("online", "commission", "no-commission", "fortune-six"):
        assert edge(name, "player", 2, A3="literal") == "-1.25"
    assert edge("online", "player", 2, A3="not-an-eight") == "-0.42"


@pytest.mark.requirement("R31", "A9")
def test_a9_edges_as_one_bet_or_two():
    assert edge("fortune-six", "fortune-six", 2) == "16.68"
    assert edge("fortune-six", "fortune-six-two-cards", 2, A9="two-bets") == "51.58"
    assert edge("fortune-six", "fortune-six-three-cards", 2, A9="two-bets") == "65.10"


@pytest.mark.requirement("A13")
@pytest.mark.parametrize("name", ["commission", "no-commission", "fortune-six"])
def test_a13_edge_of_player_if_a_tie_loses(name):
    assert edge(name, "player", 2, A13="loses") == "10.75"


@pytest.mark.requirement("R30")
@pytest.mark.parametrize("name", PAIRS)
def test_r30_edge_of_the_pair_bets(name):
    """Of the 415 cards left after the first, 31 have its rank."""
    hit = Fraction(31, 415)
    for bet in ("player-pair", "banker-pair"):
        found = figures(name)[bet]
        assert found.hit == hit
        assert found.edge == 1 - 12 * hit


@pytest.mark.parametrize(
    ("bet", "percent"),
    [
        ("dragon-7", "7.61"),
        ("panda-8", "10.19"),
        ("dragon-bonus", "2.65"),
        ("big", "4.35"),
        ("pair", "10.36"),
        ("either-pair", "13.71"),
    ],
)
def test_side_bets_have_their_published_edges(bet, percent):
    found = analyse(synthetic.card().game())[bet]
    assert f"{float(found.edge * 100):.2f}" == percent


def test_the_figures_of_a_bet_are_consistent():
    player, banker, tie = (figures("online")[bet] for bet in ("player", "banker", "tie"))
    whole = figures("online").total
    assert banker.hit == Fraction(2292252566437888, whole)
    assert player.standoff == banker.standoff == tie.hit == Fraction(475627426473216, whole)
    assert tie.standoff == 0
    assert player.hit + banker.hit + tie.hit == 1
    for bet in figures("online").values():
        assert sum(chance for _, chance in bet.distribution) == 1
        assert bet.return_to_player == 1 - bet.edge == 1 + bet.expectation
        assert bet.edge_resolved * (1 - bet.standoff) == bet.edge
        mean = sum(pay * chance for pay, chance in bet.distribution)
        spread = sum((pay - mean) ** 2 * chance for pay, chance in bet.distribution)
        assert bet.variance == spread
        for digits in (0, 4, 30):
            deviation, unit = bet.standard_deviation(digits), Fraction(1, 10**digits)
            assert (deviation - unit / 2) ** 2 <= spread <= (deviation + unit / 2) ** 2
    assert list(figures("online")) == ["player", "banker", "tie"]


def test_a_bet_that_always_pushes_has_no_edge_per_resolved_bet():
    text = synthetic.HEAD + synthetic.bet(
        "dull",
        [("cards = 4, player_start = 9", "1:1"), ("cards = [4, 5, 6]", "stand-off")],
    )
    game = synthetic.card_of(text).game(decks=1)
    only_tens = remaining_shoe(game, [card for card in deck() if card.points])
    dull = analyse(game, only_tens)["dull"]
    assert (dull.standoff, dull.edge, dull.edge_resolved) == (1, 0, 0)


def test_an_unknown_bet_is_refused_with_a_suggestion():
    with pytest.raises(GameError, match=r"online has no bet 'bnker' .did you mean 'banker'"):
        figures("online")["bnker"]


# Rounding to whole coins.


@pytest.mark.requirement("R21", "R22", "R24")
@pytest.mark.parametrize(
    ("name", "bet", "step"),
    [
        ("online", "banker", 20),
        ("online", "player", 1),
        ("no-commission", "banker", 2),
        ("double-chance", "banker", 100),
        ("double-chance", "player", 50),
        ("double-chance", "tie", 1),
    ],
)
def test_r21_r24_stake_steps_of_each_bet(name, bet, step):
    assert figures(name)[bet].bet.step == step


@pytest.mark.requirement("R21")
def test_r21_rounding_up_on_ten_coins_makes_the_banker_edge_negative():
    found = analyse(load("online").game(), stake=10, rounding=Rounding.UP)
    assert f"{float(found['banker'].edge * 100):.4f}" == "-1.2351"
    assert found["player"].edge == figures("online")["player"].edge
    assert edge_of_stake(figures("online")["banker"], 10, Rounding.UP) == found["banker"].edge


@pytest.mark.parametrize("rounding", list(Rounding))
@pytest.mark.parametrize("stake", [20, 500, 10_000])
def test_a_stake_on_the_step_has_the_edge_of_the_bet(rounding, stake):
    on_stake = analyse(load("online").game(), stake=stake, rounding=rounding)
    assert [bet.distribution for bet in on_stake.values()] == [
        bet.distribution for bet in figures("online").values()
    ]


def test_a_stake_off_the_step_needs_a_rounding_policy():
    with pytest.raises(GameError, match=r"banker: a stake of 0\.10 .* stake a multiple of 0\.20"):
        analyse(load("online").game(), stake=10)


@pytest.mark.parametrize("stake", [1, 7, 10, 30, 33])
@pytest.mark.parametrize("rounding", [rounding for rounding in Rounding if rounding != "refuse"])
def test_edge_of_stake_agrees_with_the_analysis_of_that_stake(stake, rounding):
    on_stake = analyse(load("double-chance").game(), stake=stake, rounding=rounding)
    for found in on_stake.values():
        plain = figures("double-chance")[found.bet.id]
        assert edge_of_stake(plain, stake, rounding) == found.edge


def test_a_rounding_policy_with_a_negative_edge_is_a_finding():
    [finding] = soundness_findings(rounding_head("0.10", "up") + BANKER)
    assert "rounding up on a stake of 0.10 gives the bettor 1.2351%" in finding
    assert "bet[0]" in finding
    assert "accept only multiples of 0.20" in finding


@pytest.mark.parametrize(
    ("minimum", "policy"), [("0.10", "down"), ("0.10", "refuse"), ("5.00", "up")]
)
def test_a_rounding_policy_that_keeps_the_edge_positive_is_accepted(minimum, policy):
    assert soundness_findings(rounding_head(minimum, policy) + BANKER) == []


def test_odds_with_a_negative_edge_are_a_finding():
    text = synthetic.HEAD + synthetic.bet("tie", [('winner = "tie"', "odds")])
    text += '[parameters.odds]\nunit = "odds"\ndefault = "9:1"\nminimum = "8:1"\nmaximum = "10:1"\n'
    text += 'meaning = "what a tie pays"\n'
    [finding] = soundness_findings(text)
    assert "the house edge is negative: −4.6716% at odds = 10:1" in finding


@pytest.mark.parametrize("name", ref.CARDS)
def test_no_built_in_card_has_a_negative_edge(name):
    checked = read_card(name)
    check_soundness(checked)
    assert checked.report.findings == []


def test_soundness_is_not_checked_for_an_invalid_card():
    checked = check_text("format = 1", name="x")
    before = list(checked.report.findings)
    check_soundness(checked)
    assert checked.report.findings == before
    checked = check_text("= 1", name="x")
    check_soundness(checked)
    assert len(checked.report.findings) == 1


def test_soundness_is_not_checked_for_a_card_with_findings():
    text = find("online").read_text(encoding="utf-8")
    checked = check_text(text.replace('in_force = "standard"', 'in_force = "usual"'), name="x")
    before = list(checked.report.findings)
    assert len(before) == 1
    check_soundness(checked)
    assert checked.report.findings == before
