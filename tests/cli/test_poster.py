"""The poster command: where files are written, and what is refused."""

import json
import os
import subprocess
import sys

import pytest

from baccarat.loader import built_in_cards
from support.documented import ROOT, run
from support.sheets import Pdf


def refused(command: str) -> str:
    status, printed, complaint = run(f"baccarat {command}")
    assert (status, printed) == (2, "")
    assert complaint.startswith("baccarat: ")
    assert complaint.count("\n") == 1
    return complaint


def test_a_poster_is_written_to_the_given_path(tmp_path, monkeypatch):
    target = tmp_path / "sheet.pdf"
    status, printed, _ = run(f"baccarat poster punto-banco -o {target} --set tie_odds=8:1")
    assert (status, printed.split()) == (0, ["Written:", str(target)])
    assert "14.3596%" in Pdf(target.read_bytes()).squeezed
    monkeypatch.chdir(tmp_path)
    assert run("baccarat poster online --html")[0] == 0
    assert (tmp_path / "online.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["online.html", "sheet.pdf"]


def test_a_new_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "plain").touch()
    run(f"baccarat poster online --html -o {tmp_path / 'page.html'}")
    assert (tmp_path / "page.html").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.requirement("R52")
def test_r52_all_posters_at_once(tmp_path):
    status, printed, _ = run(f"baccarat poster --all -o {tmp_path / 'new' / 'folder'} --json")
    assert status == 0
    files = [tmp_path / "new" / "folder" / f"{card}.pdf" for card in built_in_cards()]
    assert json.loads(printed) == {"files": [str(file) for file in files]}
    for sheet in (Pdf(file.read_bytes()) for file in files):
        assert (len(sheet), sheet.millimetres) == (1, (210, 297))


def test_card_files_and_other_paper_sizes(tmp_path):
    card = ROOT / "examples" / "rule-cards" / "lucky-6.toml"
    target = tmp_path / "x.pdf"
    assert run(f"baccarat poster {card} -o {target} --paper a3 --set three_card_six=23:1")[0] == 0
    assert Pdf(target.read_bytes()).millimetres == (297, 420)


HOUSE = """
format = 1
name = "The Corner House"
address = "https://corner.example"
logo = "logo.svg"
[[table]]
id = "one"
name = "Table one"
card = "punto-banco"
parameters = { tie_odds = "8:1" }
minimum = "10"
maximum = "500"
[[table]]
id = "two"
name = "Table two"
card = "online"
minimum = "1"
maximum = "100"
"""


@pytest.mark.requirement("R49", "R52")
def test_r49_the_poster_of_a_table_of_the_house(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logo.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    )
    (tmp_path / "house.toml").write_text(HOUSE)
    status, printed, _ = run("baccarat poster --house house.toml --table one")
    assert (status, printed.split()) == (0, ["Written:", "one.pdf"])
    sheet = Pdf((tmp_path / "one.pdf").read_bytes())
    for words in ("TheCornerHouse", "Tableone", "£10–£500", "8:1", "14.3596%"):
        assert words in sheet.squeezed
    assert run("baccarat poster --house house.toml --all -o sheets --html")[0] == 0
    assert sorted(path.name for path in (tmp_path / "sheets").iterdir()) == ["one.html", "two.html"]
    assert "has no table 'three'" in refused("poster --house house.toml --table three")
    assert "either --table or --all" in refused("poster --house house.toml")
    assert "give --house" in refused("poster --table one")
    assert "change them there" in refused("poster online --house house.toml --table one")
    for fault in ("logo.toml", "house.toml", "none.png"):
        (tmp_path / "bad.toml").write_text(HOUSE.replace("logo.svg", fault))
        status, _, complaint = run("baccarat poster --house bad.toml --table one")
        assert status == 2
        assert "logo" in complaint
    (tmp_path / "bad.toml").write_text(HOUSE.replace("https://corner.example", "corner"))
    assert "not the address of a site" in run("baccarat poster --house bad.toml --table one")[2]


def test_paths_that_cannot_be_written_are_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    assert "is a folder: give a file" in refused(f"poster online --html -o {tmp_path}")
    assert "does not exist" in refused(f"poster online --html -o {tmp_path / 'no' / 'x.html'}")
    assert "does not exist" in refused(f"poster online --html -o {tmp_path / 'file' / 'x.html'}")
    assert "it is a file" in refused(f"poster --all --html -o {tmp_path / 'file'}")
    assert "cannot be created as a folder" in refused(
        f"poster --all --html -o {tmp_path / 'file' / 'y'}"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "x.html"
    target.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    assert "No space left on device" in refused(f"poster online --html -o {target}")
    assert [path.name for path in tmp_path.iterdir()] == ["x.html"]
    assert target.read_text() == "old"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    assert "Permission denied" in refused(f"poster online --html -o {tmp_path / 'x.html'}")


def test_an_invalid_setting_writes_no_files(tmp_path):
    assert "tie_odds" in refused(f"poster --all -o {tmp_path / 'out'} --set tie_odds=8:1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("poster", "give either a rule card or --all"),
        ("poster online --all", "give either a rule card or --all"),
        ("poster onlin", "did you mean 'online'"),
        ("poster online --paper a5", "invalid choice: 'a5' (choose from"),
        ("poster online --verify-url javascript:alert(1)", "cannot be a QR code"),
        ("poster online --html --paper a3", "--paper and --html cannot be used together"),
        ("poster online --verify-url https://", "cannot be a QR code"),
        ("poster online --html --verify-url 'https://a b c'", "without spaces"),
        (
            "poster double-chance --set double_chance=6.12345%",
            "no stake on Player can be paid exactly",
        ),
        ("poster online --html --verify-url x", "cannot be a QR code"),
    ],
)
def test_bad_input_gets_one_clear_sentence(command, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert expected in refused(command)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "missing"),
    [("", "typst"), ("--html", "jinja2"), ("--html --verify-url https://x.example", "segno")],
)
def test_the_missing_extra_is_named(options, missing, tmp_path):
    """Runs in a separate process: importing modules twice would break other tests."""
    without = f"import sys; sys.modules[{missing!r}] = None; from baccarat.cli import main"
    words = ["poster", "online", "-o", str(tmp_path / "x"), *options.split()]
    command = [sys.executable, "-c", f"{without}; sys.exit(main({words!r}))"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"requires {missing}: pip install 'baccarat[poster]'" in done.stderr
