"""The built-in cards have no faults and cite the requirements of their posters."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from baccarat.library import check_soundness
from baccarat.loader import (
    built_in_cards,
    load,
    read_card,
)
from baccarat.loader.files import find

CITED = """
R01 | 000 001 004
R02 | 000 001 004
R03 | 000 001 004         | 002 003 by A11
R04 | 000 001 002 003 004
R05 | 000 001 004
R06 | 003
R07 | 000 001 002 003 004
R08 | 000 001 002 003 004
R09 | 000 001 002 003 004
R10 | 002 003             | 000 001 004 by A2
R11 |                     | 000 001 002 003 004 by A3
R12 | 000 001 004
R13 | 000 001 002 003 004
R20 | 000 001 002 003 004
R21 | 000 002 commission 004
R22 | 001 no-commission fortune-six
R23 | 001 002 004         | 003 by A13
R24 | 000
R25 | 000 001 004
R26 | 002 003
R27 | 000 001
R28 | 000 001 004
R29 | 000 001
R30 | 003 004
R31 | fortune-six
R32 | 000 001 004
R33 | 002 003
R34 | 000 001 004
R35 | 000 001 004
R36 | 000 001 004
R37 | 002
R43 | 000 001 004
R44 | 003
R45 | 003
R46 | 000 001 004
R47 | 000 001 003
R48 | 000 001 004
R50 | 000 001
R51 | 000
R52 | 000 001
R53 | 000 001 003 004
A1  | 004
A2  | 000 001 004
A3  | 000 001 002 003 004
A4  | 000
A5  | 001
A6  | 000
A7  | 001
A8  | 001
A9  | fortune-six
A10 | 004
A11 | 002 003
A12 | 003
A13 | 003
A14 | 002
A15 | 000 001 004
A16 | 003
A17 | 000
A18 | 001 fortune-six
A19 | 000 001 004
"""
"""The requirements of each poster (by its number, or by card if only one of its cards has them),
including those that come from an ambiguity."""


def cites(raw: Any) -> Iterator[str]:
    """Yield everything that a rule card cites."""
    if isinstance(raw, dict):
        yield from raw.get("cites", [])
    if isinstance(raw, dict | list):
        for value in raw.values() if isinstance(raw, dict) else raw:
            yield from cites(value)


@pytest.mark.parametrize("card", built_in_cards())
def test_built_in_cards_have_no_fault(card):
    checked = read_card(card)
    check_soundness(checked)
    assert checked.report.findings == []
    assert load(card).id == card


@pytest.mark.parametrize("card", built_in_cards())
def test_built_in_cards_cite_the_requirements_of_their_poster(card):
    raw = tomllib.loads(find(card).read_text(encoding="utf-8"))
    me = {card, raw["source"][:3]}
    rows = [line.split("|", 1) for line in CITED.split("\n") if line]
    wanted = {demand.strip() for demand, posters in rows if me & set(posters.split())}
    assert set(cites(raw)) == wanted


def test_every_poster_has_its_cards():
    sources = {load(card).source for card in built_in_cards()}
    assert [name[:4] for name in sorted(sources)] == ["000_", "001_", "002_", "003_", "004_"]
    assert all(load(card).version == 1 for card in built_in_cards())
