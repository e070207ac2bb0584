"""Unusual rule cards: readings that interact, and results that depend on the number of decks."""

import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from baccarat import BaccaratError, built_in_cards, load, parse_cards
from baccarat.analysis.audit import judge
from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import RemainingShoe
from baccarat.core.cards import RANKS, Card
from baccarat.core.coup import deal_coup
from baccarat.core.settlement import settle
from baccarat.core.wagers import Wager, refusals
from baccarat.library import audit, check_soundness
from baccarat.loader import check_text
from baccarat.loader.files import BUILT_IN
from baccarat.poster.report import report_of
from support.documented import run

FORTUNE_SIX = (BUILT_IN / "fortune-six.toml").read_text(encoding="utf-8")


def card_of(text: str):
    checked = check_text(text, name="card")
    assert checked.report.findings == []
    return checked.draft.card()


def faults(text: str) -> str:
    checked = check_text(text, name="card")
    check_soundness(checked)
    return "\n".join(map(str, checked.report.findings))


def changed(old: str, new: str, text: str = FORTUNE_SIX) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.requirement("A9", "A12")
def test_a_bet_required_by_one_reading_can_be_replaced_by_another():
    text = changed('requires = ["player", "banker"]', 'requires = ["fortune-six"]')
    text = changed(
        'requires = ["player-pair", "banker-pair", "fortune-six"]',
        'requires = ["player-pair", "banker-pair"]',
        text,
    )
    game = card_of(text).game(readings={"A9": "two-bets", "A12": "needs-main"})
    two = ("fortune-six-two-cards", "fortune-six-three-cards")
    assert game.bet("player-pair").requires == two
    alone = [Wager("player-pair", 500)]
    assert refusals(game, alone)
    assert refusals(game, [*alone, Wager(two[0], 500)]) == []


def test_references_to_a_replaced_bet_become_references_to_its_replacements():
    text = changed('id = "fortune-six"\nname', 'id = "fortune-six"\nexcludes = ["tie"]\nname')
    text = changed('id = "tie"\n', 'id = "tie"\nrequires = ["fortune-six", "player"]\n', text)
    text = text.replace('excludes = ["tie"]\n', "")
    game = card_of(text).game(readings={"A9": "two-bets"})
    assert game.bet("tie").requires == (
        *("fortune-six-two-cards", "fortune-six-three-cards"),
        "player",
    )


def test_a_claim_about_a_missing_bet_is_a_fault():
    text = changed('in_force = "one-bet"', 'in_force = "two-bets"')
    text += '\n[[claim]]\nbets = ["fortune-six"]\nprinted = "16.68%"\n'
    assert "'fortune-six' is not a bet under the reading in force" in faults(text)


def test_sister_cards_are_found_relative_to_the_card(tmp_path):
    online = (BUILT_IN / "online.toml").read_text(encoding="utf-8")
    card, sister = tmp_path / "card.toml", tmp_path / "sister.toml"
    named = changed('id = "A3"\n', 'id = "A3"\nsisters = ["sister.toml"]\n', online)
    card.write_text(named, encoding="utf-8")
    with pytest.raises(BaccaratError, match=r"sisters\[0\]: .* cannot be read"):
        load(card)
    claim = '\n[[claim]]\nbets = ["player"]\nprinted = "1.24%"\n'
    renamed = changed('id = "online"', 'id = "sister"', online + claim)
    sister.write_text(renamed, encoding="utf-8")
    found = audit(load(card))
    [a3] = found.ambiguities
    assert [tried.supported for tried in a3.readings] == [None, None, None]
    assert [tried.supported_by_sisters for tried in a3.readings] == [True, False, False]
    assert "1.24%" in report_of([found]).cards[0].ambiguities[0].evidence


def test_a_reading_without_the_claimed_bet_is_undecided():
    text = FORTUNE_SIX + '\n[[claim]]\nbets = ["fortune-six"]\nprinted = "16.68%"\n'
    a9 = next(a for a in audit(card_of(text)).ambiguities if a.ambiguity.id == "A9")
    assert [tried.supported for tried in a9.readings] == [None, None]


def test_a_bet_of_a_reading_is_judged_on_that_readings_tableau():
    """The banker draws to a 7 only under this reading, so the bet can win there."""
    text = (BUILT_IN / "online.toml").read_text(encoding="utf-8")
    text = changed('"7/any,stood"', '"7/any"', text)
    text += """
[[bet]]
id = "seven"
name = "Seven"
lines = [{ when = { winner = "banker" }, pays = "1:1" }]

[[ambiguity]]
id = "S"
question = "Does the banker draw to a 7 when the player stood?"
cells = ["7/stood"]
bets = ["seven"]
in_force = "stands"
status = "open"

[[ambiguity.reading]]
id = "stands"
text = "It does not."
stands = ["7/stood"]

[[ambiguity.reading]]
id = "draws"
text = "It does."
draws = ["7/stood"]

[[ambiguity.reading.bet]]
id = "seven"
lines = [{ when = { banker_start = 7, banker_cards = 3 }, pays = "1:1" }]
"""
    assert "can never win" not in faults(text)
    assert card_of(text).game(readings={"S": "draws"}).bet("seven")


def test_what_a_reading_requires_must_be_possible():
    text = changed('id = "player-pair"\n', 'id = "player-pair"\nstands_alone = true\n')
    assert "player-pair has stands_alone but here requires player or banker" in faults(text)
    text = changed('id = "player-pair"\n', 'id = "player-pair"\nexcludes = ["player", "banker"]\n')
    assert "player-pair excludes every bet that it requires here" in faults(text)


def test_a_negative_edge_in_a_reading_is_reported_with_its_place():
    text = changed('in_force = "one-bet"', 'in_force = "two-bets"')
    text = changed(
        'banker_cards = 2 }, pays = "12:1" }]', 'banker_cards = 2 }, pays = "99:1" }]', text
    )
    assert "ambiguity[1].reading[1].bet[0]: the house edge is negative" in faults(text)


def test_a_reading_cannot_require_a_bet_that_excludes_it():
    text = changed('requires = ["player", "banker"]', 'requires = ["tie"]')
    text = changed('id = "tie"\n', 'id = "tie"\nexcludes = ["player-pair"]\n', text)
    assert "player-pair excludes every bet that it requires here" in faults(text)


def test_a_bet_that_cannot_win_with_the_number_of_decks_is_a_fault():
    text = changed("{ player_pair = true }", "{ player_perfect_pair = true }")
    text = text.replace(
        "default = 8\nminimum = 1\nmaximum = 24", "default = 1\nminimum = 1\nmaximum = 1"
    )
    assert "player-pair can never win with one deck" in faults(text)


def test_a_negative_edge_with_fewer_decks_is_a_fault():
    text = changed(
        '{ when = { player_pair = true }, pays = "11:1" }',
        '{ when = { player_pair = false }, pays = "3:40" }',
    )
    assert "the house edge is negative: −1.1765% at decks = 1" in faults(text)


@pytest.mark.requirement("R36")
def test_partners_share_the_maximum_where_the_poster_says_so():
    sharing = {name for name in built_in_cards() if load(name).limits.partners_share_maximum}
    assert sharing == {"double-chance", "punto-banco-2000", "punto-banco"}
    words = "Partners' bets are added together and can't go over the maximum."
    assert words in run("baccarat show punto-banco")[1]


@pytest.mark.requirement("A10", "A11")
def test_unused_and_missing_poster_rules_are_noted():
    assert "A10" in [note.id for note in load("punto-banco").poster_notes]
    for name in ("online", "commission", "no-commission", "fortune-six"):
        assert load(name).parameters["decks"].set_by == "table"
        assert "A11" in [note.id for note in load(name).poster_notes]


@pytest.mark.requirement("A4")
def test_assumed_odds_are_marked():
    assumed = [bet.id for bet in load("double-chance").bets if bet.assumed]
    assert assumed == [f"ur-way-{n}" for n in (0, 1, 2, 3, 4, 5, 8, 9)]
    assert (
        "The odds of UR WAY 0 to 5, UR WAY 8 and UR WAY 9 are not printed on the poster and are"
        in run("baccarat edge double-chance")[1]
    )


def test_a_figure_that_is_truncated_for_each_bet_is_correct():
    assert judge("1.2%", [Fraction(121, 10_000), Fraction(129, 10_000)]) == "correct when truncated"


def test_invalid_values_are_refused():
    game = load("double-chance").game()
    coup = deal_coup(game.tableau, parse_cards("9h 2d Kc 3s"))
    for reply, refused in (
        ("0.1 is a float", lambda: load("double-chance").game(double_chance=0.1)),
        ("invalid stake 0", lambda: analyse(game, stake=0)),
        ("invalid stake 10.5", lambda: analyse(game, stake=10.5)),
        (
            "invalid stake -10: must be a positive whole number",
            lambda: settle(game, coup, [Wager("player", -10)]),
        ),
        ("at least 1 deck, not -1", lambda: RemainingShoe(-1)),
        ("cannot remove -3 cards", lambda: RemainingShoe(1, {Card("8"): -3})),
        (
            "4 cards are left",
            lambda: analyse(game, RemainingShoe(1, {Card(r): 4 for r in RANKS[1:]})),
        ),
    ):
        with pytest.raises(BaccaratError, match=reply):
            refused()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("edge online --decks 6 --set decks=4", "--decks 6 conflicts with --set decks=4"),
        ("edge online --stake ''", "'' is not an amount"),
        ("deal online --cards 9h2dKc3s --seed 3", "--cards and --seed cannot be used together"),
        ("deal online --cards 8hx8,8x32", "8 decks have 32"),
        ("chances online --player 9,K,3", "no coup has the cards 9 K 3"),
    ],
)
def test_contradictory_options_are_refused(command, message):
    status, printed, complaint = run(f"baccarat {command}")
    assert (status, printed) == (2, "")
    assert message in complaint


def test_cards_left_over_after_a_coup_are_listed():
    printed = run("baccarat deal online --cards 9h2dKc3s5h")[1]
    assert "Cards not dealt: 5♥" in printed
    found = json.loads(run("baccarat deal online --cards 9h2dKc3s5h --json")[1])
    assert (found["coup"], found["left_over"]) == ("P:9hKc=9 B:2d3s=5", ["5h"])
    assert "left_over" not in json.loads(run("baccarat deal online --cards 9h2dKc3s --json")[1])


def test_a_program_can_play_with_json(monkeypatch):
    lines = "banker 20, tie 5\n\nbanker 20 player 20\nnonsense\nb 20\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    status, printed, _ = run("baccarat play punto-banco --seed 3 --json --bankroll 100")
    answers = [json.loads(line) for line in printed.splitlines()]
    assert status == 0
    assert ["refused" in answer for answer in answers] == [False, False, True, True, False]
    dealt = [answer for answer in answers if "coup" in answer]
    assert dealt[1]["wagers"] == []
    assert dealt[-1]["balance"] == 10_000 + sum(answer["net"] for answer in dealt)


def test_a_full_disk_causes_no_traceback():
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "baccarat", "cards", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
