"""Records of real shoes: what was dealt is read back, and every fault is reported with its line."""

import io
import json
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat import BaccaratError, load, parse_records, read_records
from baccarat.analysis.frequencies import chi_square_tail, event_chances, fit, standard_errors
from baccarat.analysis.records import RecordError, misdealt, result_of, summary
from baccarat.cli import main
from baccarat.core.coup import Winner
from baccarat.core.roads import format_results, statistics
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation import export
from baccarat.simulation.execution import simulate
from baccarat.simulation.run import Run
from support import reference_shoes as reference
from support.documented import ROOT, run

EVENING = """\
\ufeff# Friday
# Shoe 1
P:5hKd=5 B:7s2h=9   # a natural
P:5K3=8 B:72=9

  # a remark between shoes
bbp,t

#shoe 3
BBnPTpb PPB
PB
"""


def test_both_notations_are_read(tmp_path):
    file = tmp_path / "evening.txt"
    file.write_text(EVENING, encoding="utf-8", newline="\r\n")
    shoes = read_records(file)
    assert [format_results(shoe.results) for shoe in shoes] == ["BnBn", "BBPT", "BBnPTpbPPBPB"]
    assert [shoe.line for shoe in shoes] == [3, 7, 10]
    assert [entry.line for entry in shoes[2].entries] == [10] * 7 + [11] * 2
    assert str(shoes[0].entries[1].coup) == "P:5K3=8 B:72=9"
    assert {shoe.file for shoe in shoes} == {str(file)}


def test_every_fault_is_reported_with_its_line():
    lines = ["P:5h=5 B:7s2h=9", "BBX", "P:5hKd=6 B:7s2h=9", "P:1z=1 B:22=4", "", *["BBPP"] * 27]
    with pytest.raises(RecordError) as refused:
        parse_records("\n".join(lines), "x.txt")
    reply = [str(fault) for fault in refused.value.faults]
    assert [fault.line for fault in refused.value.faults] == [1, 2, 3, 4, 6]
    assert "x.txt, line 1: 'P:5h=5 B:7s2h=9': P has 1 cards; write it as P:5hKd3c=8" in reply[0]
    assert "unexpected 'X' at position 3: write each result as B, P or T" in reply[1]
    assert "P is written as 6, but its cards total 5" in reply[2]
    assert "'1z' is not a card: write a rank (A 2" in reply[3]
    assert "108 coups, but 8 decks give at most 104: put a blank" in reply[4]
    assert "the record has 5 faults" in str(refused.value)
    with pytest.raises(RecordError, match="and 80 more"):
        parse_records("Q\n" * 100)
    with pytest.raises(RecordError, match="the record has 1 fault:"):
        parse_records("Q")
    with pytest.raises(
        BaccaratError, match="contains no coups: write one per line, or results such as BBPT"
    ):
        parse_records("# nothing\n\n")


def test_files_that_are_not_records_are_refused(tmp_path):
    (tmp_path / "latin.txt").write_bytes(b"BBP\n# caf\xe9\n")
    with pytest.raises(BaccaratError, match="not UTF-8 text: byte 0xe9 on line 2"):
        read_records(tmp_path / "latin.txt")
    with pytest.raises(BaccaratError, match="cannot be read: No such file"):
        read_records(tmp_path / "nothing.txt")
    with pytest.raises(
        BaccaratError, match=r"is a directory: give the path of the record's \.txt file"
    ):
        read_records(tmp_path)


def test_the_summary_counts_results_pairs_and_streaks():
    shoes = parse_records("BBTBPPn\n\nPPPB\n\nP:2h2d5c=9 B:44=8\nBpb")
    found = summary(shoes)
    assert (found.shoes, found.coups, found.fewest, found.most) == (3, 12, 2, 6)
    assert found.coups_per_shoe == 4
    assert found.results == {"player": 6, "banker": 5, "tie": 1}
    assert (found.player_pairs, found.banker_pairs, found.pairs_noted) == (2, 2, 2)
    assert (found.naturals, found.naturals_noted) == (2, 8)
    assert found.runs == {
        1: {"player": 1, "banker": 2},
        2: {"player": 1, "banker": 0},
        3: {"player": 1, "banker": 1},
    }


def test_coups_against_the_tableau_are_reported():
    game = load("punto-banco").game(decks=1)
    text = "\n".join(
        [
            *("P:5hKd=5 B:7s10h=7", "P:5h9d=4 B:7s2h=9", "P:AhKd=1 B:7c2d3d=2"),
            *("P:6hQd=6 B:6s10s2c=8", "P:6K=6 B:6K=6", "P:5hQd=5 B:9s=9"),
        ]
    )
    with pytest.raises(RecordError, match="line 6"):
        parse_records(text)
    shoes = parse_records(text.rpartition("\n")[0], "x")
    reply = [(fault.line, fault.problem) for fault in misdealt(shoes, game)]
    assert [line for line, _ in reply] == [1, 3, 4, 1, 1, 1]
    assert reply[0][1].endswith("Player draws on 5, but player got no card")
    natural = "Banker has a natural 9, so no more cards are drawn, but banker got 3d"
    assert reply[1][1].endswith(natural)
    assert reply[2][1].endswith("Player stands on 6; Banker stands on 6, but banker got 2c")
    assert "2 × 5h: 1 deck has 1" in reply[3][1]
    assert "6 × K" not in str(reply)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1 << 40), card=st.sampled_from(["punto-banco", "online"]))
def test_coups_dealt_by_the_core_are_never_reported(seed, card):
    game = load(card).game()
    coups = "\n".join(map(str, reference.shoe_coups(game, ShoeRules(game.decks), seed, 3)))
    [shoe] = parse_records(coups)
    assert misdealt([shoe], game) == []


@pytest.mark.no_cover
@pytest.mark.parametrize("burn", Burn)
@pytest.mark.parametrize("more", [0, 1])
def test_exported_shoes_are_those_of_the_reference(burn, more):
    game = load("punto-banco").game(decks=2)
    rules = ShoeRules(game.decks, cut=17, burn=burn, coups_after_cut=more)
    out = io.BytesIO()
    export.write_shoes(Run(game, rules, 9, 70), 70, out)
    shoes = parse_records(out.getvalue().decode())
    assert len(shoes) == 70
    for number in (0, 1, 63, 64, 69):
        coups = list(reference.shoe_coups(game, rules, 9, number))
        assert [entry.coup for entry in shoes[number].entries] == coups
        assert shoes[number].results == [result_of(coup) for coup in coups]


@pytest.mark.no_cover
@pytest.mark.parametrize("card", ["fortune-six", "double-chance"])
def test_an_export_read_back_gives_the_tallies_of_the_simulation(card, tmp_path, capsys):
    file = tmp_path / "shoes.txt"
    words = ["simulate", card, "--shoes", "150", "--seed", "8", "--burn", "first-card"]
    assert main([*words, "--export", str(file), "--json"]) == 0
    simulated = json.loads(capsys.readouterr().out)
    assert main(["records", str(file), "--card", card, "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["shoes"], read["coups"]) == (150, simulated["coups"])
    events = {event["id"]: event["seen"] for event in read["events"]}
    assert {name: events[name] for name in simulated["results"]} == simulated["results"]
    assert read["misdealt"] == []
    game = load(card).game()
    asked = Run(game, ShoeRules(game.decks, burn=Burn.FIRST_CARD), 8, 150)
    tallied = dict(zip(asked.lookup.classes, simulate(asked).tally.classes, strict=True))
    order = [bet.id for bet in game.bets]
    counted = Counter()
    for shoe in read_records(file):
        for entry in shoe.entries:
            pays = game.pay_table.pays(entry.coup)
            counted[entry.coup.winner, tuple(pays[name] for name in order)] += 1
    assert counted == {one: n for one, n in tallied.items() if n}


def test_a_shuffler_is_exported_coup_by_coup(tmp_path, capsys):
    file = tmp_path / "coups.txt"
    words = ["simulate", "online", "--shuffler", "--shoes", "65", "--seed", "4"]
    assert main([*words, "--export", str(file)]) == 0
    assert [len(shoe.entries) for shoe in read_records(file)] == [1] * 65


def test_a_failed_export_still_prints_the_report(full_disk, tmp_path, capsys):
    words = ["simulate", "online", "--shoes", "100", "--seed", "8"]
    file = full_disk / "shoes.txt"
    assert main([*words, "--export", str(file)]) == 2
    reply = capsys.readouterr()
    assert "14.3596%" in reply.out
    assert reply.err == f"baccarat: {file} cannot be written: No space left on device\n"
    assert [path.name for path in full_disk.iterdir()] == ["filling"]
    for wrong, words_told in (
        (["--export", str(tmp_path / "no" / "x.txt")], "does not exist"),
        (
            ["--export", str(tmp_path / "x.txt"), "--shoes", "1000001"],
            "too many to export: at most 1,000,000",
        ),
    ):
        assert main([*words, *wrong]) == 2
        reply = capsys.readouterr()
        assert (reply.out, words_told in reply.err) == ("", True)


@pytest.mark.parametrize("compiled", [False, True])
def test_an_interrupted_export_still_prints_the_report(compiled, tmp_path, monkeypatch, capsys):
    def interrupted(*_: object) -> None:
        if compiled:
            raise SystemError("in compiled code") from KeyboardInterrupt()
        raise KeyboardInterrupt

    monkeypatch.setattr(export, "_coups", interrupted)
    file = tmp_path / "shoes.txt"
    words = ["simulate", "online", "--shoes", "100", "--seed", "8", "--export", str(file)]
    assert main(words) == 2
    reply = capsys.readouterr()
    assert "14.3596%" in reply.out
    assert "was not written: interrupted" in reply.err
    assert list(tmp_path.iterdir()) == []


def test_the_records_command(tmp_path, capsys, monkeypatch):
    file, out = tmp_path / "evening.txt", tmp_path / "shoes.csv"
    file.write_text(EVENING, encoding="utf-8")
    words = ["records", str(file), "--roads", "3", "--output", str(out)]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "chi_square" not in found
    assert found["events"][0] == {"id": "player", "seen": 5, "of": 15}
    assert found["roads"]["big_eye_boy"]
    rows = out.read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("shoe,file,line,coups,banker,player,tie,")
    assert len(rows) == 4
    assert main([*words, "--card", "online"]) == 1
    reply = capsys.readouterr().out
    assert "15 coups in 3 shoes, 5.0 per shoe (2 to 9)" in reply
    assert "Big Road" in reply
    assert "line 4: P:5K3=8 B:72=9: Banker has a natural 9" in reply
    monkeypatch.setattr("sys.stdin", io.StringIO("BBP"))
    assert main(["records", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["coups"] == 3
    for wrong, words_told in (
        ([str(file), "--roads", "4"], "--roads 4: must be between 1 and 3"),
        ([str(file), "--decks", "6"], "add --card CARD"),
        ([str(tmp_path / "x")], "cannot be read"),
        ([str(file), "--output", "x.doc"], "unknown table format x.doc"),
    ):
        assert main(["records", *wrong]) == 2
        assert words_told in capsys.readouterr().err


def test_chances_of_events_equal_an_enumeration():
    """Pairs and naturals of one deck, counted over the ranks of all first four cards."""
    game = load("online").game(decks=1)
    points = [min(rank, 10) % 10 for rank in range(1, 14)]
    pairs = naturals = total = 0
    for ranks in product(range(13), repeat=4):
        ways, left = 1, [4] * 13
        for rank in ranks:
            ways *= left[rank]
            left[rank] -= 1
        p1, b1, p2, b2 = ranks
        total += ways
        pairs += ways * (p1 == p2)
        starts = (points[p1] + points[p2]) % 10, (points[b1] + points[b2]) % 10
        naturals += ways * (max(starts) > 7)
    chances = event_chances(game)
    assert chances["natural"] == Fraction(naturals, total)
    assert chances["player_pair"] == chances["banker_pair"] == Fraction(pairs, total)
    assert sum(chances[name] for name in ("player", "banker", "tie")) == 1


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        *((3.841459, 1, 0.05), (9.210340, 2, 0.01), (11.344867, 3, 0.01), (16.749602, 5, 0.005)),
        *((18.307038, 10, 0.05), (124.342113, 100, 0.05), (149.449253, 100, 0.001), (0, 4, 1)),
    ],
)
def test_chi_square_tails_match_printed_tables(statistic, freedom, p):
    """Compare with printed tables."""
    assert chi_square_tail(statistic, freedom) == pytest.approx(p, rel=1e-5)


def test_fit_and_standard_errors():
    chances = {"player": Fraction(1, 2), "banker": Fraction(1, 4), "tie": Fraction(1, 4)}
    found = fit({"player": 40, "banker": 35, "tie": 25}, chances)
    assert (found.statistic, found.freedom) == (6, 2)
    assert found.p_value == pytest.approx(0.049787, rel=1e-4)
    assert standard_errors(40, 100, Fraction(1, 2)) == -2
    assert standard_errors(4, 4, Fraction(1)) == 0


def test_the_example_record_has_no_faults():
    file = ROOT / "examples" / "records" / "evening.txt"
    status, printed, _ = run(f"baccarat records {file} --card punto-banco --json")
    assert (status, json.loads(printed)["shoes"]) == (0, 2)
    assert sum(statistics(shoe.results).tie for shoe in read_records(file)) == 13
    assert Winner.TIE in {result.winner for shoe in read_records(file) for result in shoe.results}
