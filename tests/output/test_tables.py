"""Results as tables: frames and files."""

import csv
import json
import sys
from dataclasses import dataclass, field
from fractions import Fraction

import pandas
import polars
import pyarrow.parquet
import pytest

from baccarat import BaccaratError, load
from baccarat.cli import main
from baccarat.core.coup import Winner
from baccarat.output.tables import columns, to_pandas, to_polars, write_table

SIMULATE = ["simulate", "online", "--shoes", "200", "--seed", "5"]


@dataclass(frozen=True)
class Inner:
    deep: int


@dataclass(frozen=True)
class Row:
    name: str
    share: Fraction | None
    error: float | None = None
    winner: Winner = Winner.TIE
    parts: dict[str, int] = field(default_factory=lambda: {"player": 4})
    inner: Inner = Inner(7)
    good: bool = True


ROWS = [
    Row("a,\n“b”", Fraction(1, 3), 0.1),
    Row("é", None, None, Winner.BANKER, {"player": 5, "tie": 6}, good=False),
]
COLUMNS = {
    "name": ["a,\n“b”", "é"],
    "share": [1 / 3, None],
    "share_ratio": ["1/3", None],
    "error": [0.1, None],
    "winner": ["tie", "banker"],
    "parts_player": [4, 5],
    "inner_deep": [7, 7],
    "good": [True, False],
    "parts_tie": [None, 6],
}


def test_rows_become_columns():
    assert columns(ROWS) == COLUMNS
    assert columns([]) == {}
    assert columns([Inner(1 << 63)]) == {
        "deep": [float(1 << 63)],
        "deep_ratio": ["9223372036854775808/1"],
    }


def test_rows_become_data_frames():
    frame = to_pandas(ROWS)
    assert frame["share"].dtype == "float64"
    assert frame["inner_deep"].dtype == "int64"
    assert frame["share_ratio"][0] == "1/3"
    assert to_polars(ROWS).to_dict(as_series=False) == COLUMNS
    figures = load("online").game().analyse()
    frame = to_pandas([{"bet": name, "edge": figures[name].edge} for name in ("player", "banker")])
    assert frame["edge"][0] == float(figures["player"].edge)
    assert Fraction(frame["edge_ratio"][1]) == figures["banker"].edge


def test_written_files_are_read_back(tmp_path):
    for suffix in ("csv", "parquet", "json"):
        write_table(tmp_path / f"rows.{suffix}", ROWS)
    write_table(str(tmp_path / "none.csv"), [])
    assert pyarrow.parquet.read_table(tmp_path / "rows.parquet").to_pydict() == COLUMNS
    read = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert {name: [row[name] for row in read] for name in COLUMNS} == COLUMNS
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == COLUMNS["name"]
    assert [row["share"] for row in rows] == [str(1 / 3), ""]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["none.csv", "rows.csv", "rows.parquet", "rows.json"]
    )


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json"])
def test_a_full_disk_leaves_the_old_file(full_disk, suffix):
    file = full_disk / f"rows.{suffix}"
    file.touch()
    with pytest.raises(BaccaratError, match=r"rows.*cannot be written: No space left on device"):
        write_table(file, ROWS * 1000)
    assert sorted(path.name for path in full_disk.iterdir()) == ["filling", file.name]
    assert file.stat().st_size == 0


def test_invalid_rows_and_formats_are_refused(tmp_path):
    with pytest.raises(BaccaratError, match=r"unknown table format .*rows\.txt: use"):
        write_table(tmp_path / "rows.txt", ROWS)
    with pytest.raises(BaccaratError, match="parts_player is a list"):
        columns([Row("x", None, parts={"player": [1]})])
    with pytest.raises(BaccaratError, match="a row is a tuple"):
        columns([(1, 2)])
    with pytest.raises(BaccaratError, match=r"the folder .* does not exist"):
        write_table(tmp_path / "nowhere" / "rows.csv", ROWS)


@pytest.mark.parametrize(
    ("name", "use", "message"),
    [
        ("pandas", to_pandas, "pip install 'pandas'"),
        ("polars", to_polars, "pip install 'polars'"),
        (
            "pyarrow.parquet",
            lambda rows: write_table("x.parquet", rows),
            "pyarrow is not installed: pip install 'baccarat[frames]'",
        ),
    ],
)
def test_a_missing_package_is_named(monkeypatch, name, use, message):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BaccaratError) as failure:
        use(ROWS)
    assert message in str(failure.value)


def test_the_command_writes_files(tmp_path, capsys):
    files = [tmp_path / f"run.{suffix}" for suffix in ("json", "csv", "parquet")]
    options = [word for file in files for word in ("--output", str(file))]
    assert main([*SIMULATE, "--by-position", "--json", *options]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert json.loads(files[0].read_text(encoding="utf-8")) == printed
    for read, suffix in ((pandas.read_csv, "csv"), (pandas.read_parquet, "parquet")):
        bets = read(tmp_path / f"run.{suffix}")
        assert bets["edge_ratio"].tolist() == [bet["edge"] for bet in printed["bets"]]
        assert set(bets["seed"]) == {5}
        places = read(tmp_path / f"run-by-position.{suffix}")
        found = places[["player", "banker", "tie"]].to_dict("records")
        assert found == [place["results"] for place in printed["by_position"]]
        assert places["position"].tolist() == list(range(1, len(places) + 1))
    assert polars.read_parquet(tmp_path / "run.parquet")["bet"].to_list() == [
        "player",
        "banker",
        "tie",
    ]


def test_a_full_disk_does_not_lose_the_other_output(full_disk, tmp_path, capsys):
    good = tmp_path / "good.csv"
    full = [full_disk / "run.csv", full_disk / "run.parquet", full_disk / "run.json"]
    options = [word for file in (*full, good) for word in ("--output", str(file))]
    assert main([*SIMULATE, *options]) == 2
    reply = capsys.readouterr()
    assert "14.3596%" in reply.out
    assert reply.err == "baccarat: " + "; ".join(
        f"{file} cannot be written: No space left on device" for file in full
    ) + ("\n")
    assert good.exists()
    assert [path.name for path in full_disk.iterdir()] == ["filling"]
    also = ["--checkpoint", str(full_disk / "kept.json"), "--output", str(full[0])]
    assert main([*SIMULATE, *also]) == 2
    reply = capsys.readouterr()
    assert "14.3596%" in reply.out
    assert "kept.json cannot be written" in reply.err
    assert "run.csv cannot be written" in reply.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--output", "run.xls"], "unknown table format run.xls: use .csv, .parquet or"),
        (["--output", "nowhere/run.csv"], "the folder nowhere does not exist"),
        (["--checkpoint", "kept.json", "--output", "kept.json"], "use different files"),
    ],
)
def test_invalid_output_files_are_refused_before_simulating(words, message, monkeypatch, capsys):
    monkeypatch.setattr("baccarat.simulation.execution.run_job", None)
    assert main([*SIMULATE, *words]) == 2
    assert message in capsys.readouterr().err
