"""The roads: worked by hand, compared with a slow definition, and as printed by the command."""

import io
import json
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from baccarat.cli import parser_of
from baccarat.cli import roads as command
from baccarat.cli.shared.road_drawing import Drawing
from baccarat.core.coup import Winner
from baccarat.core.errors import BaccaratError
from baccarat.core.roads import (
    DERIVED,
    Result,
    Statistics,
    Tail,
    bead_plate,
    big_road,
    derived_road,
    draw_derived,
    format_results,
    parse_results,
    roads,
    statistics,
    what_if,
)

B, P, T = Winner.BANKER, Winner.PLAYER, Winner.TIE

shoes = st.lists(
    st.builds(
        Result,
        st.sampled_from(Winner),
        player_pair=st.booleans(),
        banker_pair=st.booleans(),
        natural=st.booleans(),
    ),
    max_size=120,
)
streaky_shoes = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=25).map(
    lambda runs: parse_results("".join(letter * length for letter, length in runs))
)
"""Long runs, so that tails collide."""
any_shoe = shoes | streaky_shoes
tails = st.sampled_from(Tail)


def picture(text, rows, tail):
    """Return the big road of a text, drawn as lines of letters."""
    cells = {
        (e.column, e.row): e.result.winner.letter for e in big_road(parse_results(text), rows, tail)
    }
    width = 1 + max(column for column, _ in cells)
    lines = ["".join(cells.get((c, r), ".") for c in range(width)) for r in range(rows)]
    return [line.rstrip(".") for line in lines]


# --- results as text ---


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("", []),
        ("BPT", [Result(B), Result(P), Result(T)]),
        ("bpt", [Result(B), Result(P), Result(T)]),
        (" B, P-T|\n", [Result(B), Result(P), Result(T)]),
        ("BbPp", [Result(B, banker_pair=True), Result(P, player_pair=True)]),
        ("Tnbp", [Result(T, player_pair=True, banker_pair=True, natural=True)]),
    ],
)
def test_results_are_parsed(text, results):
    assert parse_results(text) == results


@pytest.mark.parametrize(
    ("text", "char", "position"),
    [
        ("BXP", "X", 2),  # no winner
        ("Bnn", "n", 3),  # a mark twice
        ("nB", "n", 1),  # a mark before any winner
        ("B n", "n", 3),  # a mark apart from its winner
        ("bbn", "n", 3),  # lower case has no marks
        ("Bt", "t", 2),  # lower case only without any capital
        ("B1", "1", 2),
    ],
)
def test_an_invalid_character_is_reported_with_its_position(text, char, position):
    with pytest.raises(
        BaccaratError, match=rf"^unexpected '{char}' at position {position}: .* B, P or T"
    ):
        parse_results(text)


@given(shoes)
def test_text_round_trip(results):
    assert parse_results(format_results(results)) == results


# --- bead plate and big road ---


def test_bead_plate_fills_columns_downwards():
    entries = bead_plate(parse_results("BPTBn"), rows=3)
    assert [(e.column, e.row, e.result.winner) for e in entries] == [
        (0, 0, B),
        (0, 1, P),
        (0, 2, T),
        (1, 0, B),
    ]
    assert entries[3].result.natural


def test_a_new_winner_starts_a_column():
    assert picture("BBPBB", 6, Tail.STAYS_TURNED) == ["BPB", "B.B", "", "", "", ""]


@pytest.mark.parametrize("tail", Tail)
def test_a_long_run_turns_at_the_bottom(tail):
    assert picture("B" * 8 + "PP", 6, tail) == ["BP", "BP", "B", "B", "B", "BBB"]


@pytest.mark.parametrize(
    ("tail", "drawn"),
    [
        (Tail.STAYS_TURNED, ["BP", "BP", "BP", "BP", "BPPPPPP", "BBBB"]),
        (Tail.DROPS_AGAIN, ["BP", "BP", "BP", "BP", "BPPPP", "BBBBPP"]),
    ],
)
def test_a_tail_above_an_older_tail(tail, drawn):
    assert picture("B" * 9 + "P" * 10, 6, tail) == drawn


@pytest.mark.parametrize(
    ("tail", "drawn"),
    [
        (Tail.STAYS_TURNED, ["BPPPPB", "BBB..B"]),
        (Tail.DROPS_AGAIN, ["BPPPB", "BBBPB"]),
    ],
)
def test_a_run_starts_after_a_tail_in_the_top_row(tail, drawn):
    assert picture("BBBB PPPP BB", 2, tail) == drawn


def test_with_one_row_the_road_only_grows_to_the_right():
    assert picture("BBPBBB", 1, Tail.DROPS_AGAIN) == ["BBPBBB"]


def test_ties_are_counted_on_the_previous_win():
    entries = big_road(parse_results("TTBTBPpTTpT"))
    assert [(e.result.winner, e.ties) for e in entries] == [(B, 3), (B, 0), (P, 3)]
    assert [e.result.player_pair for e in entries] == [False, False, True]


def test_marks_of_ties_stay_on_the_bead_plate():
    (entry,) = big_road(parse_results("BnTpb"))
    assert entry.result == Result(B, natural=True)


@pytest.mark.parametrize("text", ["", "T", "TTpTn"])
def test_without_a_win_there_are_no_roads(text):
    shoe = roads(parse_results(text))
    assert shoe.big_road == ()
    assert shoe.big_eye_boy == shoe.small_road == shoe.cockroach_pig == ""


@pytest.mark.parametrize("draw", [bead_plate, big_road])
def test_a_grid_needs_a_row(draw):
    with pytest.raises(BaccaratError, match="needs at least 1 row, not 0"):
        draw(parse_results("B"), rows=0)


@given(any_shoe, st.integers(1, 7), tails)
def test_the_big_road_keeps_every_win_and_every_tie(results, rows, tail):
    entries = big_road(results, rows, tail)
    wins = [result for result in results if result.winner != T]
    assert [e.result for e in entries] == wins
    if wins:
        assert sum(e.ties for e in entries) == len(results) - len(wins)


@given(any_shoe, st.integers(1, 7), tails)
def test_no_two_entries_share_a_cell(results, rows, tail):
    cells = [(e.column, e.row) for e in big_road(results, rows, tail)]
    assert len(set(cells)) == len(cells)
    assert all(column >= 0 and 0 <= row < rows for column, row in cells)


@given(any_shoe, st.integers(1, 7), tails)
def test_entries_are_placed_by_the_rule(results, rows, tail):
    entries = big_road(results, rows, tail)
    taken = set()
    start, turned = -1, False
    for before, entry in zip([None, *entries], entries, strict=False):
        here = (entry.column, entry.row)
        if before is None or before.result.winner != entry.result.winner:
            assert entry.row == 0
            assert entry.column > start
            assert all((column, 0) in taken for column in range(start + 1, entry.column))
            start, turned = entry.column, False
        else:
            below = (before.column, before.row + 1)
            blocked = below in taken or below[1] == rows
            if blocked or (turned and tail is Tail.STAYS_TURNED):
                turned = True
                passed = range(before.column + 1, entry.column)
                assert entry.row == before.row
                assert entry.column > before.column
                assert all((column, entry.row) in taken for column in passed)
            else:
                assert here == below
        taken.add(here)


# --- derived roads ---


@pytest.mark.parametrize(
    ("text", "eye", "small", "pig"),
    [
        # Columns of 2, 3, 1, 1 and 2. Big Eye Boy: second column, place 2 is no longer than the
        # first column (R), place 3 just outgrows it (B); then 3 against 2 (B), 1 against 3 (B),
        # 1 against 1 (R), and place 2 beside a column of 1 (B).
        ("BBPPPBPBB", "RBBBRB", "BBB", "BR"),
        ("BPPPP", "BRR", "", ""),  # red again once it is two longer
        ("BTPTPTTB", "BB", "", ""),  # ties change nothing: BPPB
        ("BPBPBPBP", "RRRRRR", "RRRRR", "RRRR"),
        ("BBBBBBBBB", "", "", ""),
    ],
)
def test_derived_roads_worked_by_hand(text, eye, small, pig):
    results = parse_results(text)
    assert [derived_road(results, k) for k in DERIVED.values()] == [eye, small, pig]


def test_derived_roads_ignore_dragon_tails():
    """Two runs of nine: the second is never longer than the first, however both are drawn."""
    assert derived_road(parse_results("B" * 9 + "P" * 9), DERIVED["big_eye_boy"]) == "R" * 8


def slow_derived_road(results, k):
    """Apply the rule literally: columns are numbered from 1, an entry is place m of column n."""
    winners = [result.winner for result in results if result.winner != T]
    columns = {n: list(run) for n, (_, run) in enumerate(groupby(winners), start=1)}
    colours = []
    for n in columns:
        for m in range(1, len(columns[n]) + 1):
            if m == 1 and n - k - 1 in columns:
                equal = len(columns[n - 1]) == len(columns[n - k - 1])
                colours.append("R" if equal else "B")
            if m >= 2 and n - k in columns:
                p = len(columns[n - k])
                if m <= p:
                    colours.append("R")
                if m == p + 1:
                    colours.append("B")
                if m > p + 1:
                    colours.append("R")
    return "".join(colours)


@given(any_shoe, st.sampled_from([1, 2, 3]))
def test_derived_roads_equal_the_slow_definition(results, k):
    assert derived_road(results, k) == slow_derived_road(results, k)


@given(st.integers(0, 60), st.sampled_from([B, P]), tails)
def test_one_side_always_winning_is_one_run(length, side, tail):
    shoe = roads([Result(side)] * length, tail=tail)
    assert shoe.big_eye_boy == shoe.small_road == shoe.cockroach_pig == ""
    assert [(e.column, e.row) for e in shoe.big_road] == [
        (max(0, place - 5), min(place, 5)) for place in range(length)
    ]


@given(st.text("RB", max_size=80), tails)
def test_a_derived_road_is_drawn_as_the_big_road_would_be(colours, tail):
    drawn = draw_derived(colours, tail=tail)
    twin = big_road(parse_results(colours.replace("R", "P")), tail=tail)
    assert "".join(e.colour for e in drawn) == colours
    assert [(e.column, e.row) for e in drawn] == [(e.column, e.row) for e in twin]


@given(any_shoe, st.sampled_from([B, P]))
def test_what_if_predicts_the_next_entry(results, side):
    for name, k in DERIVED.items():
        now, then = derived_road(results, k), derived_road([*results, Result(side)], k)
        assert then == now + (what_if(results)[side][name] or "")


def test_what_if_names_both_sides_and_all_derived_roads():
    assert what_if(parse_results("BBPPB")) == {
        P: {"big_eye_boy": "B", "small_road": "B", "cockroach_pig": None},
        B: {"big_eye_boy": "R", "small_road": "R", "cockroach_pig": None},
    }


# --- all roads ---


def test_statistics():
    assert statistics(parse_results("BBTBnPpPTpbB")) == Statistics(
        banker=4,
        player=2,
        tie=2,
        player_pairs=2,
        banker_pairs=1,
        naturals=1,
        longest_banker_run=3,
        longest_player_run=2,
    )


@given(any_shoe, tails)
def test_roads_are_the_five_roads(results, tail):
    shoe = roads(results, tail=tail)
    assert shoe.bead_plate == tuple(bead_plate(results))
    assert shoe.big_road == tuple(big_road(results, tail=tail))
    derived = (shoe.big_eye_boy, shoe.small_road, shoe.cockroach_pig)
    assert derived == tuple(derived_road(results, k) for k in (1, 2, 3))


# --- drawn, and on the command line ---


def drawn(text, width=80, **options):
    """Return what is printed, regardless of FORCE_COLOR and NO_COLOR."""
    options = {"force_terminal": False, "no_color": False} | options
    console = Console(file=io.StringIO(), width=width, **options)
    console.print(Drawing(roads(parse_results(text))))
    return console.file.getvalue()


def test_without_colours_roads_are_drawn_in_letters():
    text = drawn("BBnPTpbPPbB")
    assert text.isascii()
    lines = [line.split() for line in text.splitlines()]
    road = lines[lines.index(["Big", "Road"]) + 1 :]
    assert road[0][:3] == ["B", "P", "/"]  # one tie after the first Player win
    assert road[1][:2] == ["Bn", "P"]
    assert road[2][:2] == [".", "bP"]


def test_with_colours_roads_are_drawn_with_circles():
    colours = {"force_terminal": True, "color_system": "standard"}
    assert "○" in drawn("BPPBP", **colours)
    assert "○" not in drawn("BPPBP", **colours, no_color=True)


def test_several_ties_and_both_pairs_are_marked():
    text = drawn("PpbTTT")
    assert "+P3" in text
    assert "Pairs: Banker 1  Player 1" in text


def test_columns_that_do_not_fit_are_left_out_with_a_note():
    text = drawn("BP" * 60, width=40)
    assert "Big Road (last 20 columns)" in text
    assert "Cockroach Pig (last 24)" in drawn("BP" * 60 + "PPP" * 30 + "BBP" * 30, width=80)
    assert "last" not in drawn("BPB", width=80)


@settings(max_examples=25)  # drawing is slow
@given(any_shoe, st.integers(20, 200))
def test_no_line_is_wider_than_the_console(results, width):
    text = drawn(format_results(results), width)
    assert max(map(len, text.splitlines())) <= width


def run_command(*words):
    return command.run(parser_of("roads", command).parse_args(words))


def test_json_shape(capsys):
    assert run_command("BBn", "TpP", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "bead_plate": [
            {"column": 0, "row": 0, "winner": "B"},
            {"column": 0, "row": 1, "winner": "B", "marks": ["natural"]},
            {"column": 0, "row": 2, "winner": "T", "marks": ["player pair"]},
            {"column": 0, "row": 3, "winner": "P"},
        ],
        "big_road": [
            {"column": 0, "row": 0, "winner": "B", "ties": 0},
            {"column": 0, "row": 1, "winner": "B", "ties": 1, "marks": ["natural"]},
            {"column": 1, "row": 0, "winner": "P", "ties": 0},
        ],
        "big_eye_boy": "",
        "small_road": "",
        "cockroach_pig": "",
    }


def test_json_follows_the_tail_option(capsys):
    shoe = "B" * 9 + "P" * 9
    run_command(shoe, "--json")
    stays = json.loads(capsys.readouterr().out)["big_road"][-1]
    run_command(shoe, "--json", "--dragon-tail", "drops-again")
    drops = json.loads(capsys.readouterr().out)["big_road"][-1]
    assert (stays["column"], stays["row"]) == (5, 4)
    assert (drops["column"], drops["row"]) == (4, 5)


def test_results_from_standard_input(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("bbp\ntpb\n"))
    assert run_command("-", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["bead_plate"]) == 6


def test_the_command_draws(capsys):
    assert run_command("BBPTPB") == 0
    assert "Big Eye Boy" in capsys.readouterr().out


def test_the_command_leaves_errors_to_the_main_program():
    with pytest.raises(BaccaratError, match="'x' at position 3"):
        run_command("BBx")
