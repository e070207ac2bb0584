"""What a card states about errors, cancelled rounds and disputes; and its digest."""

from hashlib import sha256

import pytest

from baccarat.loader import built_in_cards, check_text, load
from baccarat.loader.files import find
from baccarat.wording.rules import rules_in_words

BRITISH = {"double-chance", "punto-banco-2000", "punto-banco"}
GREEK = {"commission", "no-commission", "fortune-six"}


def said(name: str) -> str:
    """Return what a card states about errors and disputes."""
    sections = {section.key: section.lines for section in rules_in_words(load(name).game())}
    return " ".join(sections.get("procedures", ()))


@pytest.mark.parametrize("name", built_in_cards())
def test_each_card_states_exactly_the_procedures_of_its_poster(name):
    words = said(name)
    assert ("before the first card of the next round" in words) == (name in BRITISH)
    assert ("disputes about it are decided in the player's favour" in words) == (name in BRITISH)
    assert ("put back in the intended order" in words) == (name in GREEK)
    assert ("all bets are returned" in words) == (name in GREEK)


def test_a_procedure_that_does_not_exist_is_a_fault():
    text = find("online").read_text(encoding="utf-8") + "\n[procedures]\ndisputes = true\n"
    [finding] = check_text(text, name="x").report.findings
    assert "disputes_for_player" in str(finding)


@pytest.mark.parametrize("name", built_in_cards())
def test_the_digest_of_a_card_is_that_of_its_file(name):
    assert load(name).digest == sha256(find(name).read_bytes()).hexdigest()


def test_the_digest_differs_by_edition_but_does_not_affect_equality(tmp_path):
    copy = tmp_path / "copy.toml"
    copy.write_text(find("online").read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")
    assert load(copy).digest != load("online").digest
    assert load(copy) == load("online")
