"""The mutation runner, tested on a two-line program; the list of defects fits the source."""

import subprocess
import tomllib

import pytest

from mutations.run import DEFECTS, ROOT, main, read_defects

TESTS = """
import pytest

from baccarat.pays import TAKES, odds


@pytest.mark.requirement("R01")
def test_odds():
    assert odds() == 8


@pytest.mark.requirement("R02")
def test_odds_are_positive():
    assert odds() > 0


@pytest.mark.requirement("R03")
@pytest.mark.parametrize(
    "takes", [1, pytest.param(2, marks=pytest.mark.requirement("R04"))]
)
def test_takes(takes):
    assert takes != 1 or TAKES == 1


@pytest.mark.requirement("R05")
def test_fails_anyway():
    assert odds() == 9
"""


def defect(row: str, old: str, new: str) -> str:
    return f'[[{row}]]\nbreaks = "odds"\nfile = "pays.py"\nold = "{old}"\nnew = "{new}"\n'


ODDS, TAKES = ("return 8", "return 9"), ("TAKES = 1", "TAKES = 3")


@pytest.fixture
def program(tmp_path):
    """A repository with a program, its tests and the plugin that selects them."""
    root = tmp_path / "program"
    for name, text in {
        "src/baccarat/__init__.py": "",
        "src/baccarat/pays.py": "TAKES = 1\n\n\ndef odds():\n    return 8\n",
        "tests/test_odds.py": TESTS,
        "tests/mutations/only_marked.py": (DEFECTS.parent / "only_marked.py").read_text(),
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n'
        'markers = ["requirement(id): x"]\naddopts = "-ra --import-mode=importlib"\n',
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    return root


def run(program, *defects: str, rows: str = "", seconds: int = 600) -> int:
    path = program / "defects.toml"
    path.write_text("".join(defects))
    chosen = ["--rows", rows] if rows else []
    return main([*chosen, "--seconds", str(seconds)], root=program, path=path)


def test_a_defect_that_a_marked_test_notices_is_caught(program, capsys):
    before = (program / "src/baccarat/pays.py").read_text()
    assert run(program, defect("R01", *ODDS), defect("R03", *TAKES)) == 0
    printed = capsys.readouterr().out
    assert "R01: caught by tests/test_odds.py::test_odds\n" in printed
    assert "R03: caught by tests/test_odds.py::test_takes\n" in printed
    assert "2 of 2 defects caught." in printed
    assert (program / "src/baccarat/pays.py").read_text() == before


def test_a_defect_that_no_marked_test_notices_is_listed(program, capsys):
    """Tests and parameters without the mark do not count, nor does a test that always fails."""
    defects = [defect(row, *ODDS) for row in ("R01", "R02")]
    more = [defect("R04", *TAKES), defect("R05", *TAKES)]
    assert run(program, *defects, *more) == 1
    printed = capsys.readouterr().out
    assert "test_fails_anyway fails without a defect, too." in printed
    assert printed.endswith(
        "1 of 4 defects caught.\nNot caught by the tests of the requirement:\n"
        "  R02: odds (pays.py)\n  R04: odds (pays.py)\n  R05: odds (pays.py)\n"
    )
    assert run(program, *defects, *more, rows="R01") == 0


def test_a_defect_that_breaks_the_tests_themselves_is_not_caught(program, capsys):
    assert run(program, defect("R01", "return 8", "return (")) == 1
    assert "R01: NOT CAUGHT: the tests do not run" in capsys.readouterr().out


def test_a_defect_that_ends_in_an_endless_loop_is_not_caught(program, capsys):
    endless = defect("R01", "    return 8", "    while True: pass")
    assert run(program, endless, seconds=5) == 1
    assert "R01: NOT CAUGHT: no result after 5 seconds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("wrong", "rows", "words"),
    [
        (defect("R01", "return 7", "return 9"), "", "`old` occurs 0 times in pays.py, not once"),
        (defect("R01", "a", "b"), "", "not once"),
        (defect("R01", *ODDS).replace("pays.py", "gone.py"), "", "occurs 0 times in gone.py"),
        (defect("R99", *ODDS), "", "R99: no test is marked with it"),
        (defect("R01", *ODDS), "R02", "no defect for R02"),
    ],
)
def test_a_list_that_does_not_fit_the_source_is_an_error(program, capsys, wrong, rows, words):
    assert run(program, wrong, rows=rows) == 2
    assert words in capsys.readouterr().out


def test_every_defect_fits_the_source():
    for one in read_defects():
        assert one.applied(ROOT) != one.path(ROOT).read_text(encoding="utf-8")


def test_every_requirement_that_is_built_has_a_defect():
    lists = [
        ROOT / "docs" / "reference" / f"{name}.toml" for name in ("requirements", "regulation")
    ]
    listed = {row: one for path in lists for row, one in tomllib.loads(path.read_text()).items()}
    built = {row for row, one in listed.items() if one.get("built", True)}
    assert {one.row for one in read_defects()} == built
