"""Limits on the size of modules, functions and folders.

What is over a limit today is listed with its size. The lists may only get shorter: a listed thing
may not grow, and an entry that is no longer needed must go.
"""

from collections import Counter
from collections.abc import Mapping

import pytest

from support.sources import functions, sources

MODULE_LINES, FUNCTION_LINES, FOLDER_MODULES = 500, 60, 15

EXCEPTED_MODULES = {"verifier.py"}
"""One file by design: people copy it, read it and run it."""

KERNELS = {
    "simulation/gpu/kernel.py: tally_kernel",
    "simulation/gpu/kernel.py: tally_kernel.kernel",
    "simulation/gpu/kernel.py: count_kernel",
    "simulation/gpu/kernel.py: count_kernel.kernel",
    "simulation/sessions/kernel.py: play_group",
}
"""Numba kernels, which are compiled as a whole."""

EXCEPTED_FOLDERS = {"cli"}
"""One module for each command."""

LONG_MODULES: dict[str, int] = {}
LONG_FUNCTIONS: dict[str, int] = {}
FULL_FOLDERS: dict[str, int] = {}


def problems(sizes: Mapping[str, int], limit: int, known: Mapping[str, int]) -> list[str]:
    """Return what is over the limit and not listed, has grown, or is listed without need."""
    over = {name: size for name, size in sizes.items() if size > limit}
    return [
        *(f"{name}: {size}, limit {limit}" for name, size in over.items() if name not in known),
        *(
            f"{name}: grown from {known[name]} to {size}"
            for name, size in over.items()
            if size > known.get(name, size)
        ),
        *(f"{name}: within the limit, remove it from the list" for name in known.keys() - over),
    ]


def test_modules_are_short():
    sizes = {source.path: source.text.count("\n") for source in sources()}
    listed = {name: size for name, size in sizes.items() if name not in EXCEPTED_MODULES}
    assert problems(listed, MODULE_LINES, LONG_MODULES) == []
    assert sizes.keys() >= EXCEPTED_MODULES


def test_functions_are_short():
    sizes = {
        f"{source.path}: {name}": node.end_lineno - node.lineno + 1
        for source in sources()
        for name, node in functions(source.tree)
    }
    listed = {name: size for name, size in sizes.items() if name not in KERNELS}
    assert problems(listed, FUNCTION_LINES, LONG_FUNCTIONS) == []
    assert [name for name in KERNELS if sizes.get(name, 0) <= FUNCTION_LINES] == []


def test_folders_have_few_modules():
    paths = (source.path for source in sources() if not source.path.endswith("__init__.py"))
    sizes = Counter(path.rpartition("/")[0] for path in paths)
    listed = {name: size for name, size in sizes.items() if name not in EXCEPTED_FOLDERS}
    assert problems(listed, FOLDER_MODULES, FULL_FOLDERS) == []
    assert sizes.keys() >= EXCEPTED_FOLDERS


@pytest.mark.parametrize(
    ("sizes", "known", "found"),
    [
        ({"a": 10}, {}, []),
        ({"a": 11}, {}, ["a: 11, limit 10"]),
        ({"a": 11}, {"a": 12}, []),
        ({"a": 13}, {"a": 12}, ["a: grown from 12 to 13"]),
        ({"a": 10}, {"a": 12}, ["a: within the limit, remove it from the list"]),
        ({}, {"a": 12}, ["a: within the limit, remove it from the list"]),
    ],
)
def test_new_grown_and_unneeded_entries_are_reported(sizes, known, found):
    assert problems(sizes, 10, known) == found
