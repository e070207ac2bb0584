"""Golden evenings: what a guest, a player, a dealer and the pit read at each kind of table.

A difference is a change of behaviour. If it is intended, `make golden` regenerates the files; read
the diff before committing it.
"""

import difflib

import pytest

from baccarat.shoe.commitment import Source
from golden.make_evenings import EVENINGS, HERE, golden_evening


def test_every_source_of_cards_has_an_evening_and_every_file_a_script():
    assert {kind.settings.source for kind in EVENINGS.values()} == set(Source)
    assert {path.stem for path in HERE.glob("*.txt")} == EVENINGS.keys()


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_equals_its_golden_file(name):
    kept = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    reply = golden_evening(name).splitlines()
    changes = list(difflib.unified_diff(kept, reply, "kept", "now", n=0, lineterm=""))
    assert changes == [], "\n".join(changes)
