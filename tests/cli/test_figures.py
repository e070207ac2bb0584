"""The commands `catalogue`, `compare` and `par-sheet`."""

import csv
import json
import shutil
from fractions import Fraction

from baccarat.loader.files import CATALOGUE
from support.documented import run


def answer(command: str) -> dict:
    status, printed, complaint = run(f"baccarat {command} --json")
    assert (status, complaint) == (0, "")
    return json.loads(printed)


def refusal(command: str) -> str:
    status, printed, complaint = run(f"baccarat {command}")
    assert (status, printed) == (2, "")
    return complaint


def test_the_catalogue_as_json_has_the_documented_shape():
    bets = answer("catalogue egalite lucky-7")["bets"]
    assert [bet["name"] for bet in bets[:2]] == ["Egalite 0", "Egalite 1"]
    for bet in bets:
        assert list(bet) == [
            *("card", "bet", "name", "reading", "decks", "pays", "edge", "edge_percent"),
            *("hit", "variance", "published"),
        ]
        for published in bet["published"]:
            assert list(published) == ["printed", "source", "agrees", "reason"]
            assert published["agrees"] == (published["reason"] == "")
    last = bets[-1]
    assert (last["reading"], last["pays"]) == ("five-cards=by-cards", "100/40/30")
    assert last["edge_percent"].startswith("14.834273")


def test_the_catalogue_shows_verdicts_and_reasons():
    shown = run("baccarat catalogue number-of-cards")[1]
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert any("4-5-6: 4 1.5 5.282877%" in line and line.endswith("5.283% yes") for line in lines)
    assert "5.27% no: a figure for six decks" in lines
    assert lines[-1] == "6 bets; 5 published figures, of which 3 not confirmed"


def test_figures_of_another_number_of_decks_are_compared_with_those_published_for_it():
    bets = {bet["bet"]: bet for bet in answer("catalogue number-of-cards --decks 6")["bets"]}
    assert [each["printed"] for each in bets["4-cards"]["published"]] == ["5.2688%"]
    assert bets["big"]["published"] == []
    assert "decks must be between 1 and 8, not 9" in refusal("catalogue egalite --decks 9")


def test_the_catalogue_of_a_folder_as_a_table(tmp_path):
    shutil.copy(CATALOGUE / "number-of-cards.toml", tmp_path)
    shutil.copy(CATALOGUE / "lucky-7.toml", tmp_path)
    path = tmp_path / "bets.csv"
    assert run(f"baccarat catalogue {tmp_path} -o {path}")[0] == 0
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["card"] for row in rows] == ["lucky-7"] * 3 + ["number-of-cards"] * 7
    verdicts = ["True", "False", "False", "False", "True"]
    assert [row["agrees"] for row in rows] == ["", "", "", *verdicts, "", ""]
    assert rows[3]["published"] == "5.283%"


def test_the_whole_catalogue_is_listed():
    bets = answer("catalogue")["bets"]
    assert {bet["card"] for bet in bets} == {path.stem for path in CATALOGUE.glob("*.toml")}


def test_compare_as_json_has_the_documented_shape():
    found = answer("compare punto-banco no-commission main-bets --decks 6")
    assert list(found) == ["games", "bets", "third_cards", "parameters"]
    assert [game["decks"] for game in found["games"]] == [6, 6, 6]
    assert [list(bet) for bet in found["bets"]] == [
        ["id", "name", "shared", "same_payouts", "edges_percent", "hits"]
    ] * len(found["bets"])
    player = found["bets"][0]
    assert (player["id"], player["shared"], player["same_payouts"]) == ("player", True, True)
    assert len(set(player["edges_percent"])) == 1
    assert found["parameters"]["tie_odds"] == ["9/1", None, None]


def test_compare_says_what_differs():
    shown = run("baccarat compare punto-banco no-commission")[1]
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "Banker 1.0579% 1.4581% +0.4002%" in lines
    assert (
        "Banker punto-banco pays 19:20 when Banker wins; returns the stake when the hands tie"
        in lines
    )
    assert "tie_odds 9:1 –" in lines
    assert "Third-card rules that differ" not in lines
    assert "at least two" in refusal("compare punto-banco")


def test_the_par_sheet_as_json_has_the_documented_shape():
    found = answer("par-sheet dragon-bonus")
    assert found["total"] == "4998398275503360"
    assert len(found["digest"]) == 64
    bet = found["bets"][0]
    assert list(bet) == [
        *("id", "name", "return_to_player", "edge", "hit", "standoff", "variance", "sd"),
        *("volatility_index", "outcomes", "bands", "by_decks"),
    ]
    assert sum(int(outcome["combinations"]) for outcome in bet["outcomes"]) == int(found["total"])
    assert sum(Fraction(each["contribution"]) for each in bet["outcomes"]) == -Fraction(bet["edge"])
    assert [band["rounds"] for band in bet["bands"]][::3] == [10**4, 10**5, 10**6, 10**7]
    assert bet["bands"][0]["low"].startswith("0.9327959")


def test_the_par_sheet_in_files(tmp_path):
    for name in ("sheet.pdf", "sheet.json", "sheet.csv"):
        assert run(f"baccarat par-sheet lucky-7 -o {tmp_path / name}")[0] == 0
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
    document = json.loads((tmp_path / "sheet.json").read_text())
    assert (document["card"], document["readings"]) == ("lucky-7", {"five-cards": "not-named"})
    with (tmp_path / "sheet.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["pays"] for row in rows] == ["6.0", "15.0", "-1.0", "100.0", "40.0", "30.0", "-1.0"]
    assert {row["digest"] for row in rows} == {document["digest"]}
    others = {path.name for path in tmp_path.glob("sheet-*.csv")}
    assert others == {"sheet-bets.csv", "sheet-bands.csv", "sheet-decks.csv"}


def test_the_par_sheet_of_another_reading_and_what_is_refused(tmp_path):
    found = answer("par-sheet lucky-7 --reading five-cards=by-cards --decks 6")
    assert (found["decks"], found["readings"]) == (6, {"five-cards": "by-cards"})
    refused = refusal(f"par-sheet lucky-7 -o {tmp_path / 'sheet.txt'}")
    assert "sheet.txt: use .pdf, .csv, .parquet or .json" in refused
    assert "--paper requires a PDF" in refusal("par-sheet lucky-7 --paper a3")


def test_the_par_sheet_in_the_terminal():
    shown = run("baccarat par-sheet three-giving-eight")[1]
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "Volatility index 22.23381892" in lines
    assert "8 91.317734% 8.682266% 0.454317% 182.714753" in lines
