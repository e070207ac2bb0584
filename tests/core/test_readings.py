"""`card.game(…)`: parameters, readings, and their effects."""

from fractions import Fraction

import pytest

from baccarat.core.bets import STAND_OFF
from baccarat.core.errors import GameError
from baccarat.core.printed import Unit
from baccarat.core.tableau import STOOD
from baccarat.core.wagers import RefusedBy, Wager, refusals
from baccarat.loader import built_in_cards, load

GREEK = ["commission", "no-commission", "fortune-six"]


@pytest.mark.requirement("R03", "A11")
@pytest.mark.parametrize("name", built_in_cards())
def test_r03_eight_decks_by_default(name):
    card = load(name)
    assert card.game().decks == 8
    assert card.game(decks=6).decks == card.game(decks="6").decks == 6
    named_by_the_poster = name in ("double-chance", "punto-banco-2000", "punto-banco")
    assert card.parameters["decks"].set_by == ("poster" if named_by_the_poster else "table")


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"deck": 8}, "online has no parameter 'deck' .did you mean 'decks'.*choose decks"),
        ({"tie_odds": "9:1"}, "online has no parameter 'tie_odds'"),
        ({"decks": 0}, "decks must be between 1 and 24, not 0"),
        ({"decks": 25}, "decks must be between 1 and 24, not 25"),
        ({"decks": "8.5"}, "decks must be a whole number, not 8.5"),
        ({"decks": "many"}, "'many' is not a number"),
    ],
)
def test_an_invalid_parameter_is_refused(parameters, words):
    with pytest.raises(GameError, match=words):
        load("online").game(**parameters)


@pytest.mark.requirement("R24")
@pytest.mark.parametrize("agreed", ["2%", "2.5%", "10%", "0.05", "1/20", Fraction(1, 30)])
def test_r24_percentages_within_the_range_are_accepted(agreed):
    game = load("double-chance").game(double_chance=agreed)
    value = game.parameters["double_chance"]
    assert Fraction(2, 100) <= value <= Fraction(10, 100)
    for bet in ("player", "banker"):
        assert game.bet(bet).lines[1].pays == value


@pytest.mark.requirement("R24")
@pytest.mark.parametrize(
    ("agreed", "shown"), [("1.99%", "1.99%"), ("10.01%", "10.01%"), ("2", "200%"), (0, "0%")]
)
def test_r24_percentages_out_of_range_are_refused(agreed, shown):
    with pytest.raises(GameError, match=f"double_chance must be between 2% and 10%, not {shown}"):
        load("double-chance").game(double_chance=agreed)


@pytest.mark.requirement("R24")
@pytest.mark.parametrize(("agreed", "step"), [("2%", 100), ("10%", 20), ("2.5%", 40)])
def test_r24_the_agreed_percentage_sets_the_step(agreed, step):
    game = load("double-chance").game(double_chance=agreed)
    assert game.bet("banker").step == step


@pytest.mark.requirement("R25", "R30")
def test_r25_r30_odds_set_by_the_table():
    card = load("punto-banco")
    game = card.game(tie_odds="8:1", pair_odds=12)
    assert game.bet("tie").lines[0].pays == 8
    assert game.bet("player-pair").lines[0].pays == game.bet("banker-pair").lines[0].pays == 12
    with pytest.raises(GameError, match="tie_odds must be between 5:1 and 9:1, not 10:1"):
        card.game(tie_odds="10:1")
    assert card.parameters["pair_odds"].unit is Unit.ODDS


@pytest.mark.parametrize(
    ("name", "readings", "words"),
    [
        ("online", {"A4": "x"}, "online has no ambiguity 'A4': choose A3"),
        ("online", {"A3": "literl"}, "A3 has no reading 'literl' .did you mean 'literal'"),
        (
            "punto-banco",
            {"A1": "other"},
            "choose standard, exchanged, draws-both or stands-both",
        ),
    ],
)
def test_an_invalid_reading_is_refused(name, readings, words):
    with pytest.raises(GameError, match=words):
        load(name).game(readings=readings)


def test_an_unknown_bet_is_refused():
    with pytest.raises(GameError, match=r"online has no bet 'ties' .did you mean 'tie'"):
        load("online").game().bet("ties")


@pytest.mark.parametrize("name", built_in_cards())
def test_every_ambiguity_is_resolved_by_the_reading_in_force(name):
    card = load(name)
    assert all(ambiguity.resolved and ambiguity.resolution for ambiguity in card.ambiguities)
    assert card.game().readings == {a.id: a.in_force for a in card.ambiguities}


@pytest.mark.requirement("A1")
@pytest.mark.parametrize(
    ("reading", "draws"),
    [("standard", {3}), ("exchanged", {8}), ("draws-both", {3, 8}), ("stands-both", set())],
)
def test_a1_readings_change_only_two_cells(reading, draws):
    card = load("punto-banco")
    cells = card.game(readings={"A1": reading}).tableau.banker_draws
    assert {given for given in (3, 8) if (3, given) in cells} == draws
    governed = {(3, 3), (3, 8)}
    assert cells - governed == card.game().tableau.banker_draws - governed


@pytest.mark.requirement("A2", "A3")
@pytest.mark.parametrize("name", ["double-chance", "punto-banco-2000", "punto-banco"])
def test_a2_a3_read_literally_together(name):
    cells = load(name).game(readings={"A2": "stands", "A3": "literal"}).tableau.banker_draws
    assert {total for total, _ in cells} == {3, 4, 5, 6}
    assert STOOD not in {given for _, given in cells}


@pytest.mark.requirement("A9", "R31")
def test_a9_two_bets_replace_one():
    card = load("fortune-six")
    one, two = card.game(), card.game(readings={"A9": "two-bets"})
    names = [bet.id for bet in one.bets]
    at = names.index("fortune-six")
    replaced = ["fortune-six-two-cards", "fortune-six-three-cards"]
    assert [bet.id for bet in two.bets] == [*names[:at], *replaced, *names[at + 1 :]]
    assert [two.bet(bet).lines[0].pays for bet in replaced] == [12, 20]
    assert [two.bet(bet).maximum for bet in replaced] == [one.bet("fortune-six").maximum] * 2
    assert {two.bet(bet).replaces for bet in replaced} == {"fortune-six"}
    with pytest.raises(GameError, match="no bet 'fortune-six'"):
        two.bet("fortune-six")


@pytest.mark.requirement("A12")
@pytest.mark.parametrize("name", GREEK)
def test_a12_side_bets_can_require_a_main_bet(name):
    game = load(name).game(readings={"A12": "needs-main"})
    for bet in game.bets:
        side = bet.group != "main"
        assert bet.requires == (("player", "banker") if side else ())
        if side:
            alone, beside_tie = [Wager(bet.id, 500)], [Wager(bet.id, 500), Wager("tie", 500)]
            for wagers in (alone, beside_tie):
                assert [r.rule for r in refusals(game, wagers)] == [RefusedBy.REQUIRES]
            assert not refusals(game, [Wager(bet.id, 500), Wager("player", 500)])


@pytest.mark.requirement("A9", "A12")
def test_a9_and_a12_together():
    game = load("fortune-six").game(readings={"A9": "two-bets", "A12": "needs-main"})
    sides = [bet for bet in game.bets if bet.group != "main"]
    assert len(sides) == 4
    assert {bet.requires for bet in sides} == {("player", "banker")}


@pytest.mark.requirement("A13", "R23")
@pytest.mark.parametrize("name", GREEK)
def test_a13_a_tie_is_a_push_unless_read_otherwise(name):
    card = load(name)
    in_force, loses = card.game(), card.game(readings={"A13": "loses"})
    for bet in ("player", "banker"):
        assert in_force.bet(bet).lines[-1].pays == STAND_OFF
        assert all(line.pays != STAND_OFF for line in loses.bet(bet).lines)
    assert loses.bet("tie") == in_force.bet("tie")


@pytest.mark.requirement("A4")
def test_a4_the_assumed_odds_are_marked():
    card = load("double-chance")
    assumed = {bet.id for bet in card.bets if bet.assumed}
    assert assumed == {f"ur-way-{total}" for total in range(10) if total not in (6, 7)}
    other = card.game(readings={"A4": "forty-five"})
    ours, theirs = card.game(), load("punto-banco-2000").game()
    for bet in (f"ur-way-{total}" for total in range(10)):
        assert other.bet(bet).lines == theirs.bet(bet).lines
        forty_four = bet in ("ur-way-6", "ur-way-7")
        assert ours.bet(bet).lines[0].pays == (44 if forty_four else theirs.bet(bet).lines[0].pays)
