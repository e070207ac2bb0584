"""The commands: JSON output, printed text and refusals."""

import json
import os
import subprocess
import sys
from fractions import Fraction

import pytest

from baccarat import built_in_cards
from baccarat.cli import COMMANDS
from support.documented import ROOT, run

ALL_BETS = {
    *("player", "banker", "tie", "3g8", "player-pair", "banker-pair", "fortune-six"),
    *(f"ur-way-{total}" for total in range(10)),
}


def answer(command: str) -> dict:
    status, printed, complaint = run(f"baccarat {command} --json")
    assert (status, complaint) == (0, "")
    return json.loads(printed)


def refusal(command: str) -> str:
    """Return the error message: one sentence, the same with --json; exit status 2, no output."""
    status, printed, complaint = run(f"baccarat {command}")
    assert (status, printed) == (2, "")
    assert complaint.startswith("baccarat: ")
    assert "Traceback" not in complaint
    as_json = run(f"baccarat {command} --json")
    assert as_json[:2] == (2, "")
    assert json.loads(as_json[2]) == {"error": complaint.removeprefix("baccarat: ").rstrip("\n")}
    return complaint


def decimals(text: str) -> int:
    return len(text.partition(".")[2])


@pytest.mark.parametrize("card", built_in_cards())
def test_edge_json_has_the_documented_shape(card):
    found = answer(f"edge {card}")
    assert list(found) == ["card", "decks", "parameters", "readings", "removed", "total", "bets"]
    assert found["card"] == card
    assert (found["decks"], found["parameters"]["decks"]) == (8, "8/1")
    assert found["total"] == "4998398275503360"
    for bet in found["bets"]:
        assert list(bet) == [
            *("id", "name", "edge", "edge_resolved", "edge_percent", "rtp_percent"),
            *("hit", "standoff", "variance", "sd", "stake_step"),
        ]
        assert bet["id"] in ALL_BETS
        edge = Fraction(bet["edge"])
        assert "/" in bet["edge"]
        assert edge > 0
        assert Fraction(bet["edge_resolved"]) == edge / (1 - Fraction(bet["standoff"]))
        assert Fraction(bet["edge_percent"]) + Fraction(bet["rtp_percent"]) == 100
        assert abs(Fraction(bet["edge_percent"]) - edge * 100) <= Fraction(1, 2 * 10**10)
        assert abs(Fraction(bet["sd"]) ** 2 - Fraction(bet["variance"])) < Fraction(1, 10**8)
        texts = [bet[key] for key in ("edge_percent", "rtp_percent", "variance", "sd")]
        assert [decimals(text) for text in texts] == [10] * 4


def test_edge_options():
    assert answer("edge online --decks 6") == answer("edge online --set decks=6")
    found = answer('edge punto-banco --removed "8x3,K,Ah"')
    assert found["removed"] == {"8": 3, "K": 1, "Ah": 1}
    read = answer("edge punto-banco --reading A2=stands --reading A3=literal")
    assert read["readings"] == {"A1": "standard", "A2": "stands", "A3": "literal"}
    player = next(bet for bet in read["bets"] if bet["id"] == "player")
    assert player["edge_percent"].startswith("-16.61")


@pytest.mark.requirement("R24")
def test_a_tie_under_double_chance_is_a_hit():
    player = answer("edge double-chance --set double_chance=10%")["bets"][0]
    assert Fraction(player["standoff"]) == 0
    assert Fraction(player["hit"]) > Fraction(1, 2)


def test_edge_of_a_stake_under_a_rounding_policy():
    found = answer("edge punto-banco --stake 0.10 --rounding up")
    assert (found["stake"], found["rounding"]) == (10, "up")
    assert found["bets"][1]["edge_percent"].startswith("-1.2350")
    assert (
        "A negative edge favours the player."
        in run("baccarat edge punto-banco --stake 0.10 --rounding up")[1]
    )
    assert "multiple of 0.20" in refusal("edge punto-banco --stake 0.10")
    assert "--stake" in refusal("edge punto-banco --rounding up")
    assert "0.01" in refusal("edge punto-banco --stake 0")


def test_removed_cards_without_a_suit_are_taken_evenly_from_all_suits():
    card = "examples/rule-cards/pairs.toml"
    assert (
        "removed: 1 × 8 (evenly from all suits)"
        in run(f'baccarat edge {ROOT / card} --removed "8"')[1]
    )
    assert "evenly" not in run(f'baccarat edge {ROOT / card} --removed "8h"')[1]


def test_removal_json_has_the_documented_shape():
    found = answer("removal fortune-six")
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    assert [bet["id"] for bet in found["bets"]][-1] == "fortune-six"
    assert all(list(bet["effects"]) == ranks for bet in found["bets"])
    six = Fraction(found["bets"][-1]["effects"]["6"])
    full, less = (answer(f"edge fortune-six {gone}")["bets"][-1] for gone in ("", "--removed 6"))
    assert six == Fraction(full["edge"]) - Fraction(less["edge"])
    assert answer('removal online --decks 1 --removed "Ax4"')["bets"][0]["effects"]["A"] is None


def test_chances_json_has_the_documented_shape():
    found = answer('chances online --player "5,K" --banker 3 --removed "8x2"')
    assert found["removed"] == {"8": 2}
    assert sum(Fraction(found[result]) for result in ("player", "banker", "tie")) == 1
    assert [set(bet) for bet in found["bets"]] == [{"id", "expectation"}] * 3
    even = Fraction(found["player"]) - Fraction(found["banker"])
    assert Fraction(found["bets"][0]["expectation"]) == even


def test_audit_json_has_the_documented_shape():
    found = answer("audit --all")
    assert [card["card"] for card in found["cards"]] == list(built_in_cards())
    for card in found["cards"]:
        for claim in card["claims"]:
            assert claim.keys() == {
                *(
                    "ids",
                    "bets",
                    "at",
                    "names_bets",
                    "printed",
                    "exact_percent",
                    "exact_by_bet_percent",
                ),
                *("verdict", "off_by_percentage_points"),
            }
        for ambiguity in card["ambiguities"]:
            assert ambiguity["status"] == "resolved"
            readings = {reading["id"]: reading for reading in ambiguity["readings"]}
            assert ambiguity["in_force"] in readings
            assert all(r["supported"] in (True, False, None) for r in readings.values())
            assert all(r["supported_by_sisters"] in (True, False, None) for r in readings.values())
            assert all(r["edges_percent"] for r in readings.values())
            assert ambiguity["resolution"]
    double_chance = found["cards"][1]["claims"][0]
    assert double_chance["at"] == {"double_chance": "1/10"}


@pytest.mark.requirement("A1", "A2", "A3", "A6", "A7", "A10")
def test_audit_json_is_as_complete_as_the_report():
    found = answer("audit --all")
    cards, summary = {card["card"]: card for card in found["cards"]}, found["summary"]
    assert summary["counts"][1] == {"number": "7", "what": "games"}
    assert any("A2 read as “stands”" in finding for finding in summary["findings"])
    assert all(line["edge"].startswith("−") for line in summary["favours_player"])
    ids = {name for card in cards.values() for claim in card["claims"] for name in claim["ids"]}
    assert ids == {"A4", "A5", "A6", "A7", "A8"}
    words = {c["id"]: c["text"] for card in cards.values() for c in card["contradictions"]}
    assert words.keys() == ids - {"A4"}  # A4 is an ambiguity
    assert words["A7"].startswith("A7 (the printed figure is wrong): ")
    [spread] = cards["double-chance"]["ranges"]
    assert (spread["printed"], spread["names_bets"]) == (["0.195%", "0.956%"], False)
    assert [edge[:5] for edge in spread["exact_by_bet_percent"]["banker"]] == ["0.106", "0.867"]
    [[low, high]] = spread["outside_by_bet_percent"]["player"]
    assert (low[:5], high[:5]) == ("0.956", "1.044")
    mean = cards["double-chance"]["claims"][0]["exact_by_bet_percent"]
    assert (mean["banker"][:6], mean["player"][:6]) == ("0.1063", "0.2835")
    off = {c["bets"][0]: c["off_by_percentage_points"] for c in cards["punto-banco-2000"]["claims"]}
    assert off["3g8"][:6] == "0.0177"
    [joint] = cards["punto-banco-2000"]["joint_readings"]
    assert joint["readings"] == {"A2": "stands", "A3": "literal"}
    assert joint["edges_percent"]["player"][:7] == "-16.611"
    assert (joint["supported"], joint["supported_by_sisters"]) == (False, None)
    a1 = cards["punto-banco"]["ambiguities"][0]
    assert (a1["readings"][0]["supported"], a1["readings"][0]["supported_by_sisters"]) == (
        None,
        True,
    )
    tie = a1["evidence"][0]
    assert (tie["card"], tie["printed"], tie["from_sister"]) == ("double-chance", "4.84%", True)
    assert (tie["agrees_with"], len(tie["disagrees_with"])) == (["standard"], 3)
    ids = {name: [note["id"] for note in card["notes"]] for name, card in cards.items()}
    assert ids["punto-banco"] == ["A10", "A15", "A19"]
    gap = cards["commission"]["notes"][1]
    assert (gap["id"], gap["kind"], bool(gap["in_force"])) == ("A16", "gap", True)
    assert {card["joint_readings_untried"] for card in cards.values()} == {0}
    assert all(card["digest"] and card["source"] and card["name"] for card in cards.values())


def test_check_finds_nothing_wrong_with_built_in_cards_and_counts_faults(tmp_path):
    assert answer("check punto-banco") == {"file": "punto-banco", "faults": []}
    bad = tmp_path / "bad.toml"
    bad.write_text('format = 1\nid = "bad"\nnmae = "Bad"\n', encoding="utf-8")
    status, printed, _ = run(f"baccarat check {bad} --json")
    faults = json.loads(printed)["faults"]
    assert status == 1
    assert {"line", "key", "problem", "remedy"} == set(faults[0])
    nmae = next(fault for fault in faults if fault["key"] == "nmae")
    assert (nmae["line"], "did you mean 'name'?" in nmae["problem"]) == (3, True)
    status, printed, _ = run(f"baccarat check {bad}")
    assert (status, f"{len(faults)} faults found" in printed) == (1, True)


def test_deal_repeats_a_seed_and_explains_itself():
    found = answer("deal fortune-six --seed 129")  # a king first: eleven cards are burned
    assert found == answer("deal fortune-six --seed 129")
    assert found["coup"] == "P:8d8h=6 B:6c9s3h=8"
    assert found["steps"][-1]["why"] == "Player stands on 6; Banker draws on 5"
    assert {"id": "player-pair", "pays": "11/1"} in found["bets"]
    unseeded = answer("deal online")
    assert unseeded == answer(f"deal online --seed {unseeded['seed']}")


def test_show_and_cards_mention_every_bet_and_card():
    for name in built_in_cards():
        printed = run(f"baccarat show {name}")[1]
        for bet in answer(f"edge {name}")["bets"]:
            assert f"{bet['name']} pays" in printed
        rules = answer(f"show {name}")
        assert rules["tableau"]["3"]["8"] == "stands"
        assert rules["tableau"]["5"]["stood"] == "draws"
    assert [card["id"] for card in answer("cards")["cards"]] == list(built_in_cards())


@pytest.mark.requirement("R47")
def test_show_prints_age_regulator_and_where_to_find_help():
    printed = run("baccarat show fortune-six")[1]
    assert "You must be 21 or over to play." in printed
    assert "Hellenic Gaming Commission" in printed
    assert "210 923 7777" in printed


@pytest.mark.parametrize("command", ["cards", "show online", "edge online", "audit online"])
def test_output_has_no_escape_codes_without_a_terminal(command):
    assert "\x1b" not in run(f"baccarat {command}")[1]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("edge punto-banc", "did you mean 'punto-banco'"),
        ("edgy punto-banco", "did you mean 'edge'"),
        ("edge", "CARD"),
        ("edge online --frobnicate", "--frobnicate"),
        ("edge online --removed 8z", "'8z' is not a card"),
        ("edge online --removed 11h", "'11h' is not a card"),
        ("edge online --removed 8x33", "cannot remove 33 × 8: 8 decks have 32"),
        ("edge online --removed 8hx9", "cannot remove 9 × 8h: 8 decks have 8"),
        ("edge online --removed 8hx8,8x25", "cannot remove 33 × 8: 8 decks have 32"),
        ("edge online --removed 8x99999999999", "1 to 10,000"),
        (
            "edge online --decks 1 --removed Ax4,2x4,3x4,4x4,5x4,6x4,7x4,8x4,9x4,10x4,Jx4,Qx3",
            "5 cards",
        ),
        ("edge online --set tie_odds=8", "online has no parameter 'tie_odds'"),
        ("edge punto-banco --set tie_ods=8", "did you mean 'tie_odds'"),
        ("edge punto-banco --set tie_odds=1000", "must be between 5:1 and 9:1"),
        ("edge double-chance --set double_chance=11%", "must be between 2% and 10%"),
        ("edge online --decks 0", "must be between 1 and 24"),
        ("edge online --decks 2.5", "whole number"),
        ("edge online --decks eight", "'eight' is not a number"),
        ("edge online --set decks", "NAME=VALUE"),
        ("edge online --set decks=6 --set decks=8", "twice"),
        ("edge online --reading A3=odd", "standard"),
        ("edge online --reading A9=odd", "online has no ambiguity 'A9'"),
        ("edge online --stake ten", "'ten' is not an amount"),
        ("edge online --stake 1 --rounding sideways", "sideways"),
        ("audit", "--all"),
        ("audit online --all", "--all"),
        ("chances online --player 5,K,2,3", "at most 3"),
        ("chances online --player 9,K,2 --banker 5,K", "third card"),
        ("chances online --player 8hx3 --removed 8hx6", "9 × 8h"),
        ("deal online --cards 5h,7d,Kc", "3 cards are too few: banker needs another"),
        ("deal online --cards 5hx9", "8 decks have 8"),
        ("deal online --cards potato", "'potato' is not a card"),
        ("deal online --seed x", "--seed"),
        ("roads BBX", "X"),
        ("play online --seed x", "--seed"),
    ],
)
def test_bad_input_gets_one_clear_sentence(command, expected):
    assert expected in refusal(command)


def test_files_that_are_not_rule_cards_are_refused(tmp_path):
    latin, huge = tmp_path / "latin.toml", tmp_path / "huge.toml"
    latin.write_bytes(b'name = "\xe9galit\xe9"\n')
    with huge.open("wb") as file:
        file.truncate(100_000_000)
    assert "not UTF-8 text: byte 0xe9 on line 1" in refusal(f"edge {latin}")
    assert "is a directory" in refusal(f"edge {tmp_path}")
    assert "bytes" in refusal(f"edge {huge}")
    assert "cannot be read" in refusal(f"edge {tmp_path / 'nothing.toml'}")


def test_help_and_version():
    status, printed, _ = run("baccarat --help")
    assert (status, all(command in printed for command in COMMANDS)) == (0, True)
    assert run("baccarat")[0] == 2
    assert run("baccarat --version")[1].startswith("baccarat ")
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stop:
            run(f"baccarat {command} --help")
        assert stop.value.code == 0


def test_a_pipe_closed_early_is_not_an_error():
    command = f"{sys.executable} -m baccarat audit --all | head -1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_exact_commands_do_not_import_numpy_or_numba():
    code = (
        "import sys; from baccarat.cli import main; main(['edge', 'punto-banco']);"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'numba')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


def test_make_play_starts_a_table_and_quits():
    done = subprocess.run(
        ["make", "play"],
        cwd=ROOT,
        input="quit\n",
        capture_output=True,
        text=True,
        env=os.environ | {"MAKEFLAGS": ""},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Punto Banco" in done.stdout


def test_ctrl_c_in_compiled_code_interrupts_the_command(monkeypatch):
    def interrupted(name, words):
        try:
            raise SystemError("inner") from KeyboardInterrupt()
        except SystemError as error:
            raise SystemError("outer") from error

    monkeypatch.setattr("baccarat.cli._run", interrupted)
    assert run("baccarat session online")[0] == 130

    def broken(name, words):
        raise SystemError("something else")

    monkeypatch.setattr("baccarat.cli._run", broken)
    with pytest.raises(SystemError):
        run("baccarat session online")
