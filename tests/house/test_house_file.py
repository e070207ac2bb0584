"""house.toml: its settings, its faults, and the default house."""

import re

import pytest

from baccarat.core.errors import BaccaratError
from baccarat.house.housefile import (
    PLAY_MONEY,
    HouseFileError,
    default_house,
    load_house,
    read_house,
)
from baccarat.loader import built_in_cards
from baccarat.shoe.commitment import Source
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.agreements import granted_up_to, standing_offer
from baccarat.table.decide import decide
from baccarat.table.rules import game_of, table_game
from support.documented import ROOT
from support.live import LiveTable

PAGE = (ROOT / "docs" / "reference" / "house.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]


def faults(text: str) -> list[str]:
    with pytest.raises(HouseFileError) as refused:
        read_house(text, name="house.toml")
    return [str(finding) for finding in refused.value.findings]


def test_the_documented_house_opens():
    house = read_house(EXAMPLE, name="house.toml")
    assert (house.name, house.currency, house.play_money) == ("The Corner House", "EUR", 50_000)
    one, two = house.tables
    assert (one.id, one.guests, two.guests) == ("one", True, False)
    assert (one.settings.clock.contribute, one.settings.clock.reveal) == (15_000, 10_000)
    assert (two.settings.source, two.settings.clock.card) == (Source.SHUFFLER, 1_200)
    game = table_game(one.settings.rules, one.settings.limits)
    assert game.limits(game.bet("tie")) == (500, 10_000)
    assert game.limits(game.bet("player")) == (500, 100_000)
    assert game.parameters["tie_odds"] == 8
    for plan in house.tables:
        LiveTable(plan.settings).until(e.RoundSettled)


def test_without_a_file_seven_tables_open_with_play_money_for_guests():
    house = default_house()
    assert sorted(plan.id for plan in house.tables) == sorted(built_in_cards())
    assert house.tables[0].id == "punto-banco"  # where newcomers are sent
    assert house.play_money == PLAY_MONEY == 100_000
    for plan in house.tables:
        assert decide(None, c.OpenTable(plan.id, plan.settings), 0)
        assert game_of(plan.settings.rules).card.id == plan.id
        assert plan.guests


def test_every_fault_is_reported_at_once_with_its_line():
    found = faults(
        """format = 1
nme = "typo"
currency = 7
[[table]]
id = "one"
name = "One"
card = "punto-bnco"
[[table]]
id = "one"
name = "Two"
card = "punto-banco"
betting = 1.5
[[table]]
id = "three"
name = "Three"
card = "punto-banco"
parameters = { tie_odds = "99:1", x = 1 }
readings = { A1 = "odd" }
minimum = "100"
maximum = "50"
[[table.bet]]
id = "bankr"
[[table]]
id = "four"
name = "Four"
card = "punto-banco"
cut = 5
contribute = 10
"""
    )
    text = "\n".join(found)
    assert [int(re.match(r"line (\d+)", one)[1]) for one in found] == sorted(
        int(re.match(r"line (\d+)", one)[1]) for one in found
    )
    for reply in (
        "line 1: the house: 'name' is missing",
        "line 2: nme: unknown key 'nme' (did you mean 'name'?)",
        "line 3: currency: 7 is not text",
        "line 7: table[0].card: unknown rule card 'punto-bnco' (did you mean 'punto-banco'?)",
        "line 9: table[1].id: 'one' is also the id of another table",
        "line 12: table[1].betting: 1.5 is not a number of seconds",
        "line 17: table[2].parameters.tie_odds",
        "line 17: table[2].parameters.x",
        "line 18: table[2].readings.A1",
        "line 13: table[2]: Player cannot be bet on: its minimum is above its maximum",
        "line 22: table[2].bet[0].id: 'bankr' is not a bet of punto-banco",
        "line 23: table[3]: contribute (10000 ms) and reveal (0 ms) must",
    ):
        assert reply in text


ONE = '[[table]]\nid = "a"\nname = "A"\ncard = "punto-banco"\n'


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("cut = 5", "cards from the end, not 5"),
        ("betting = 0", "betting must be longer than 0 ms, not 0 ms"),
        ('betting = "0.0005"', "is not a number of seconds"),
        ("betting = 999999", "is not a number of seconds"),
        ("betting = true", "is not a number of seconds"),
        ("readings = 5", "5 is not a table"),
        ("readings = { A1 = 5 }", "5 is not text"),
        ('coup_maximum = "1"', "cannot be bet on: its minimum is above its maximum"),
        ('burn = "two"', "'two' is not"),
        ('source = "hat"', "'hat' is not"),
    ],
)
def test_invalid_settings_are_refused(more, message):
    assert message in "\n".join(faults(f'format = 1\nname = "x"\n{ONE}{more}\n'))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = ", "this is not TOML"),
        ("format = 2", "2 is not 1"),
        ('format = 1\nname = "x"\ntable = []', "the house has no tables"),
        ('format = 1\nname = "x"\ntable = 5', "is not a list of tables"),
    ],
)
def test_files_that_are_not_a_house_are_refused(text, message):
    assert message in "\n".join(faults(text))


def test_a_rule_card_is_found_relative_to_the_house_file(tmp_path):
    card = (ROOT / "examples" / "rule-cards" / "ez-baccarat.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(card, encoding="utf-8")
    text = 'format = 1\nname = "x"\ncurrency = "USD"\n' + ONE.replace("punto-banco", "mine.toml")
    (tmp_path / "house.toml").write_text("\ufeff" + text, encoding="utf-8")
    house = load_house(tmp_path / "house.toml")
    assert game_of(house.tables[0].settings.rules).card.id == "ez-baccarat"
    (tmp_path / "mine.toml").write_text(card.replace("format = 1", "format = 3"), encoding="utf-8")
    with pytest.raises(HouseFileError, match=r"mine\.toml has 1 fault"):
        load_house(tmp_path / "house.toml")
    with pytest.raises(BaccaratError, match="cannot be read"):
        load_house(tmp_path / "none.toml")
    with pytest.raises(BaccaratError, match="give the path of the house file"):
        load_house(tmp_path)


CHANCE = """format = 1
name = "X"
[[table]]
id = "one"
name = "One"
card = "double-chance"
"""


@pytest.mark.requirement("A17")
@pytest.mark.parametrize(
    ("written", "offer", "grants"),
    [
        ("", "2%", "2%"),
        ('standing_offer = { double_chance = "3" }', "3%", "3%"),
        ('grants_up_to = { double_chance = "5%" }', "2%", "5%"),
        ('parameters = { double_chance = "4%" }', "4%", "4%"),
    ],
)
def test_a17_offers_and_grants_come_from_the_house_file(written, offer, grants):
    settings = read_house(CHANCE + written, name="house.toml").tables[0].settings
    assert standing_offer(settings.rules, settings) == (("double_chance", offer),)
    assert granted_up_to(settings.rules, settings) == (("double_chance", grants),)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('standing_offer = { double_chance = "11%" }', "must be between 2% and 10%"),
        ('grants_up_to = { double_chance = "0.1" }', "“0.1” can't be agreed"),
        ('grants_up_to = { tie_odds = "8:1" }', "tie_odds can't be agreed"),
        (
            'standing_offer = { double_chance = "5%" }\ngrants_up_to = { double_chance = "4%" }',
            "offers 5% to everyone but grants only 4%",
        ),
    ],
)
def test_invalid_offers_and_grants_are_faults(written, message):
    assert message in "\n".join(faults(CHANCE + written))


@pytest.mark.parametrize("colour", ["red", "#12", "#7a001g", "7a0019"])
def test_a_colour_has_six_digits(colour):
    text = EXAMPLE.replace("currency =", f'colour = "{colour}"\ncurrency =', 1)
    assert "is not a colour" in faults(text)[0]
    good = EXAMPLE.replace("currency =", 'colour = "#7A0019"\ncurrency =', 1)
    assert read_house(good, name="house.toml").colour == "#7a0019"
