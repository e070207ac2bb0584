"""The public library: its names, its types, and the first ten lines of its documentation."""

import importlib.util
import pickle
import re
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

import baccarat
from baccarat import BaccaratError, load, parse_card, parse_coup
from baccarat.cli import main
from support import public_api

ROOT = Path(__file__).parent.parent
PUBLIC = """
    Analysis BaccaratError BetFigures Card Coup Deal Finding Game Refusal Rounding RuleCard
    RuleCardError Settled Shoe __version__ audit built_in_cards catalogue_cards check load
    parse_card parse_cards parse_coup parse_records parse_results read_records roads to_pandas
    to_polars write_table
"""


def test_public_names_are_listed_here_and_are_not_modules():
    assert sorted(baccarat.__all__) == sorted(PUBLIC.split())
    for name in PUBLIC.split():
        assert getattr(baccarat, name)
        assert importlib.util.find_spec(f"baccarat.{name}") is None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        baccarat.nothing  # noqa: B018


def test_public_names_have_the_documented_types():
    mypy = [sys.executable, "-m", "mypy", "--strict", "tests/support/public_api.py"]
    done = subprocess.run(mypy, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_typed_example_program_runs():
    game = public_api.use_games()
    public_api.use_figures(game)
    public_api.use_coups(game)
    public_api.use_simulation(game)


def test_the_library_in_ten_lines():
    game = load("punto-banco").game(decks=6)
    assert repr(game) == "<Game punto-banco, 6 decks, 5 bets>"
    assert game.edge("banker") == Fraction(460294100, 43594702723)
    analysis = game.analyse()
    assert isinstance(analysis, Mapping)
    assert list(analysis) == ["player", "banker", "tie", "player-pair", "banker-pair"]
    assert "tie" in analysis
    assert "tye" not in analysis
    assert analysis.get("tye") is None
    with pytest.raises(BaccaratError, match="punto-banco has no bet 'tye'"):
        analysis["tye"]
    shoe = game.shoe(seed=1)
    for coup in shoe.coups():
        assert game.deal_coup([*dealt(coup)]) == coup
    assert shoe.over
    assert [settled.net for settled in game.settle(coup, {"player": 2000})] == [2000]
    assert game.simulate(shoes=100, seed=1).complete


def dealt(coup):
    """Return the cards of a coup in the order dealt."""
    first = [card for pair in zip(coup.player[:2], coup.banker[:2], strict=True) for card in pair]
    return [*first, *coup.player[2:], *coup.banker[2:]]


def test_a_shoe_is_dealt_as_at_a_live_table():
    """The first card decides the burn; one coup follows the cut card, 14 from the end."""
    shoe = load("online").game(decks=1).shoe(seed=5)
    assert repr(shoe) == f"<Shoe online, {52 - shoe.burned} cards left>"
    assert 2 <= shoe.burned <= 11
    taken = [len(coup.player) + len(coup.banker) for coup in shoe.coups()]
    before_last = shoe.left + taken[-1]
    assert before_last <= 14 < before_last + taken[-2]
    again = load("online").game(decks=1).shoe(seed=5)
    assert len(list(again.coups())) == len(taken)


def test_equal_games_compare_equal():
    game = load("double-chance").game(double_chance="10%")
    same = load("double-chance").game(double_chance=Fraction(1, 10))
    assert game == same
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301
    assert len({game, same, copy}) == 1
    assert game != load("double-chance").game(double_chance="9%")
    assert game != load("double-chance").game(double_chance="10%", readings={"A3": "literal"})
    assert load("online") == load("online") != load("punto-banco")


def test_short_representations():
    assert repr(parse_card("Kh")) == "<Card Kh>"
    assert repr(parse_coup("P:5hKd3c=8 B:7s2h=9")) == "<Coup P:5hKd3c=8 B:7s2h=9>"
    assert repr(load("online")) == "<RuleCard online, 3 bets>"
    assert repr(load("online").game(decks=1)) == "<Game online, 1 deck, 3 bets>"
    assert repr(load("online").game().analyse()) == (
        "<Analysis of <Game online, 8 decks, 3 bets>, 416 cards>"
    )


def test_check_finds_what_the_command_finds(tmp_path, capsys):
    text = (ROOT / "src/baccarat/rulecards/online.toml").read_text(encoding="utf-8")
    gift = tmp_path / "gift.toml"
    gift.write_text(text.replace('"19:20"', '"21:20"'), encoding="utf-8")
    [finding] = baccarat.check(gift)
    assert finding.problem.startswith("the house edge is negative: −3.5281%")
    assert main(["check", str(gift)]) == 1
    assert finding.problem in capsys.readouterr().out


@pytest.mark.parametrize(
    "package",
    [
        *("core", "loader", "analysis", "counting", "simulation", "wording", "shoe", "library.py"),
        *("output", "poster", "files.py", "table", "house", "store"),
    ],
)
def test_messages_of_the_library_do_not_mention_command_line_options(package):
    place = ROOT / "src" / "baccarat" / package
    for path in [place] if place.is_file() else place.rglob("*.py"):
        assert not re.search(r"[\s\"'`(]--[a-z]", path.read_text(encoding="utf-8")), path
