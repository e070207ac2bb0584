"""Catalogue cards with bets on suits and colours: in mid-coup, in sessions, in audits, and after
removals."""

import json
from fractions import Fraction

import pytest

from baccarat.analysis.audit import Verdict, audit
from baccarat.analysis.edges import analyse, effects_of_removal
from baccarat.analysis.mid_coup import chances
from baccarat.analysis.remaining import remaining_shoe
from baccarat.analysis.sessions import session
from baccarat.cli import main
from baccarat.core.cards import RANKS, SUITS, Card, parse_cards
from baccarat.core.wagers import Wager
from baccarat.loader import load
from baccarat.loader.files import find

COLOURS = load("colours").game()
LUCKY_8 = load("lucky-8").game()


def test_chances_in_the_middle_of_a_coup():
    """A natural nine against a red two: the coup ends with the next card, one of 413, and 205 of
    them are red."""
    red = Fraction(205, 413)
    seen = {"player": parse_cards("9h Kd"), "banker": parse_cards("2d")}
    found = chances(COLOURS, **seen).expectations
    assert found["all-red"] == 23 * red - 1
    assert found["colour-match"] == 7 * red - 1
    assert found["all-black"] == -1
    found = chances(COLOURS, **seen, removed=parse_cards("5sx5")).expectations
    assert found["all-red"] == 23 * Fraction(205, 408) - 1


def test_chances_of_a_suited_third_card():
    """Player drew two hearts, banker stands on seven: total eight with three hearts needs one of
    the remaining hearts worth three."""
    seen = {"player": parse_cards("2h 3h"), "banker": parse_cards("10s 7c")}
    found = chances(LUCKY_8, **seen).expectations["player-25-15-8-4"]
    suited, other = Fraction(7, 412), Fraction(24, 412)
    assert found == 25 * suited + 4 * other - (1 - suited - other)


def test_a_session_of_bets_on_colours():
    win = (1 - analyse(COLOURS)["all-red"].edge) / 23
    played = session(COLOURS, [Wager("all-red", 100)])
    assert played.distribution == {2200: win, -100: 1 - win}
    assert played.final(2).ahead == pytest.approx(float(1 - (1 - win) ** 2))
    both = session(COLOURS, [Wager("all-red", 100), Wager("all-black", 100)])
    assert set(both.distribution) == {2100, 2300, -200}, "never both"


def test_a_poster_with_bets_on_colours_is_audited():
    found = audit(COLOURS.card, {})
    verdicts = {claim.claim.bets[0]: claim.verdict for claim in found.claims}
    assert verdicts["colour-match"] is Verdict.ROUNDED
    assert verdicts["all-black"] is Verdict.ROUNDED_UP
    edges = {
        tried.reading.id: tried.edges["all-red"]
        for ambiguity in found.ambiguities
        if ambiguity.ambiguity.id == "all-red-cards"
        for tried in ambiguity.readings
    }
    assert round(float(edges["coup"] * 100), 6) == 14.002165
    assert edges["hand"] < edges["coup"], "fewer cards have to be red"


def test_the_commands_take_rich_cards(capsys):
    assert main(["chances", "colours", "--player", "9h Kd", "--banker", "2d", "--json"]) == 0
    assert "expectation" in capsys.readouterr().out
    assert main(["session", "colours", "--wagers", "all-red 1", "--coups", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["coups"] == 20
    assert main(["audit", "colours", "--json"]) in (0, 1)
    assert "all-black" in capsys.readouterr().out


@pytest.mark.parametrize("rank", ["8", "K"])
def test_the_effect_of_removing_a_card_of_unknown_suit(rank):
    """By symmetry it is the effect of removing a card of any one suit."""
    found = effects_of_removal(LUCKY_8)
    before = analyse(LUCKY_8)
    for suit in SUITS:
        after = analyse(LUCKY_8, remaining_shoe(LUCKY_8, [Card(rank, suit)]))
        for bet in before:
            moved = after[bet].expectation - before[bet].expectation
            assert found[bet][rank] == moved


def test_suits_that_a_bet_tells_apart_are_not_exchanged():
    """Removing a nine of diamonds is worse for Lucky Nines than removing another nine."""
    game = load("lucky-nines").game()
    bet = game.bets[0].id
    effects = effects_of_removal(game)[bet]
    full = analyse(game)[bet].expectation
    by_suit = {
        suit: analyse(game, remaining_shoe(game, [Card("9", suit)]))[bet].expectation - full
        for suit in SUITS
    }
    assert by_suit["d"] < by_suit["h"] == by_suit["s"] == by_suit["c"]
    assert effects["9"] == sum(by_suit.values()) / 4
    assert set(effects) == set(RANKS)


@pytest.mark.parametrize("removed", ["", "9h,9dx2,4sx8,K"])
def test_effects_of_removing_each_card_of_a_deck(removed):
    """Lucky Nines pays more for nines of diamonds; whether nines are suited matters, too."""
    game = load("lucky-nines").game()
    bet = game.bets[0].id
    shoe = remaining_shoe(game, parse_cards(removed))
    found = effects_of_removal(game, shoe, by_suit=True)[bet]
    assert set(found) == {f"{rank}{suit}" for rank in RANKS for suit in SUITS}
    before = analyse(game, shoe)[bet].expectation
    for name, effect in found.items():
        if name == "4s" and removed:
            assert effect is None, "no four of spades is left"
        else:
            after = analyse(game, shoe.without(parse_cards(name)))[bet].expectation
            assert effect == after - before, name
    assert found["9d"] < found["9s"]


def test_the_effect_of_removing_a_red_card_by_hand(tmp_path):
    """Of one deck, two red cards come first with chance 26·25/52·51 = 25/102. Without an ace of
    hearts the chance is 24/102, and without an ace of spades it is 26/102."""
    text = find("colours").read_text().split("[[bet]]")[0]
    text += """[[bet]]
id = "red"
name = "Red"
lines = [{ when = { count = { of = "red", in = "player_start", is = 2 } }, pays = "1:1" }]
"""
    (tmp_path / "red.toml").write_text(text)
    game = load(tmp_path / "red.toml").game(decks=1)
    found = effects_of_removal(game, by_suit=True)["red"]
    assert found["Ah"] == found["Kd"] == Fraction(-1, 51)
    assert found["As"] == found["5c"] == Fraction(1, 51)
    gone = effects_of_removal(game, remaining_shoe(game, parse_cards("Ah")), by_suit=True)
    assert gone["red"]["Ah"] is None, "no such card is left"
    assert gone["red"]["Ad"] is not None


def test_the_command_shows_suits_that_matter(capsys):
    """The suits of a bet are in one row unless the effects differ."""
    assert main(["removal", "colours"]) == 0
    rows = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()]
    assert {"All Red ♥♦", "All Red ♠♣", "Colour Match"} <= set(rows)
    assert main(["removal", "colours", "--json"]) == 0
    bets = {bet["id"]: bet for bet in json.loads(capsys.readouterr().out)["bets"]}
    red = bets["all-red"]
    by_card = red["effects_by_card"]
    mean = sum(Fraction(by_card[f"7{suit}"]) for suit in SUITS) / 4
    assert mean == Fraction(red["effects"]["7"])
    assert main(["removal", "online", "--json"]) == 0
    assert "effects_by_card" not in capsys.readouterr().out
