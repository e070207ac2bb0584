"""Texts of a rule card in other languages: what can be translated, and what is reported."""

import pytest

from baccarat.core.text import Translated, in_language
from baccarat.loader import check_text
from baccarat.loader.files import find
from baccarat.wording.rules import rules_in_words

CARD = find("double-chance").read_text("utf-8")
GREEK = """
[text.el]
name = "Διπλή ευκαιρία"
[text.el.bet.banker]
name = "Μπάνκος"
[text.el.parameters.double_chance]
meaning = "τι πληρώνει η ισοπαλία"
[text.el.ambiguity.A3.reading.literal]
text = "κατά λέξη"
[text.el.note.A19]
in_force = "ισχύει και αυτό"
"""


def test_a_card_has_its_texts_in_each_language():
    card = check_text(CARD + GREEK, name="greek").rule_card
    greek = in_language(card, "el")
    assert (card.name, greek.name) == ("Double Chance Baccarat", "Διπλή ευκαιρία")
    names = {bet.id: bet.name for bet in greek.bets}
    assert (names["banker"], names["player"]) == ("Μπάνκος", "Player")
    assert greek.parameters["double_chance"].meaning == "τι πληρώνει η ισοπαλία"
    assert greek.ambiguity("A3").reading("literal").text == "κατά λέξη"
    assert greek.poster_notes[2].in_force == "ισχύει και αυτό"
    assert in_language(card, "de") == check_text(CARD, name="plain").rule_card
    assert not isinstance(in_language(card, "de").name, Translated)
    game = in_language(card.game(), "el")
    assert [bet.name for bet in game.bets][:3] == [bet.name for bet in greek.bets][:3]
    assert game.pay_table.pays is not None
    assert any("Player" in line for line in rules_in_words(game)[3].lines)


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ('[text.el]\nnam = "x"', "text.el.nam: the card has no text nam (did you mean 'name'?)"),
        (
            '[text.el.bet.bankr]\nname = "x"',
            "no text bet.bankr.name (did you mean 'bet.banker",
        ),
        ('[text.el.bet.banker]\ncolour = "x"', "the card has no text bet.banker.colour"),
        ('[text.el]\ncurrency = "EUR"', "the card has no text currency"),
        ('[text.greek]\nname = "x"', "text.greek: 'greek' is not a language; write a tag such as"),
        ("[text.el]\nname = 3", "text.el.name: 3 is not text"),
        ("[text.el.notice]\ncontacts = []", "0 texts instead of the card's"),
        ('text = "x"', "text: 'x' is not a table"),
    ],
)
def test_a_translation_of_a_missing_text_is_reported(text, finding):
    card = f"{text}\n{CARD}" if text.startswith("text") else f"{CARD}\n{text}\n"
    (found,) = check_text(card, name="x").findings
    assert finding in str(found)
