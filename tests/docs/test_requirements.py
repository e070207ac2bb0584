"""Every requirement of posters and regulators has a test, or is listed as not built yet."""

import tomllib
from functools import cache
from pathlib import Path

import pytest

from support.covered import covering
from support.documented import ROOT

LISTS = [ROOT / "docs" / "reference" / name for name in ("requirements.toml", "regulation.toml")]
LISTED = {
    number: demand
    for path in LISTS
    for number, demand in tomllib.loads(path.read_text(encoding="utf-8")).items()
}
NUMBERS = [
    *(f"R{n:02}" for n in (*range(1, 14), *range(20, 38), *range(40, 50), *range(50, 54))),
    *(f"A{n}" for n in range(1, 20)),
    *(f"G{n:02}" for n in range(1, 41)),
]


@cache
def covered() -> dict[str, list[str]]:
    """Return the tests of each requirement, read on first use rather than at collection."""
    return covering()


def test_the_list_is_complete_and_in_order():
    assert list(LISTED) == NUMBERS
    for demand in LISTED.values():
        assert {"demand"} <= set(demand) <= {"demand", "missing", "built"}
        assert demand.get("built") in (None, False), "leave out `built` for what is built"


def test_tests_carry_numbers_that_exist():
    assert set(covered()) <= set(NUMBERS)


@pytest.mark.parametrize("number", NUMBERS)
def test_what_is_built_has_a_test_and_what_is_not_has_none(number):
    tests = covered().get(number, [])
    if LISTED[number].get("built", True):
        assert tests, f"no test is marked {number}: mark one, or write `built = false` in the list"
    else:
        assert not tests, f"{tests} cover {number}: remove `built = false` from the list"


def test_marks_are_found_on_functions_and_parameters(tmp_path):
    source = Path(tmp_path / "test_x.py")
    source.write_text(
        "import pytest\n"
        '@pytest.mark.requirement("R01", "R02")\n'
        '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.requirement("A1"))])\n'
        "def test_one(x): ...\n"
        '@pytest.mark.requirement("R01")\n'
        "def test_two(): ...\n"
        "def test_none(): ...\n"
    )
    assert covering(tmp_path) == {
        "R01": ["test_x.py::test_one", "test_x.py::test_two"],
        "R02": ["test_x.py::test_one"],
        "A1": ["test_x.py::test_one"],
    }
    source.write_text("import pytest\n@pytest.mark.requirement(*IDS)\ndef test_one(): ...\n")
    with pytest.raises(ValueError, match=r"test_x.py, line 2: write the requirement's number"):
        covering(tmp_path)
