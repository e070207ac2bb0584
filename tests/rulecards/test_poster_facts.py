"""The built-in cards agree with their posters, and a changed fact is noticed."""

import tomllib
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import pytest

from baccarat import Card, RuleCardError, built_in_cards, load, parse_cards
from baccarat.core.cards import total
from baccarat.loader import load_content
from baccarat.loader.files import find
from baccarat.wording.rules import rules_in_words
from support.card_facts import differences
from support.poster_facts import CARD_FACTS, POSTERS

REFUSED = "refused: "
"""Before the key of the fault for which the loader refuses a changed card."""


class Change(NamedTuple):
    """One fact of a card, changed in its file."""

    where: str
    """Text that occurs once in the file: the paragraph to change begins there."""
    old: str | tuple[str, ...]
    """Text that occurs once in that paragraph. A row of the tableau is one fact in two columns, so
    its change is two texts."""
    new: str | tuple[str, ...]
    noticed: str
    """The fact that differs afterwards, or REFUSED and a key."""

    def apply(self, text: str) -> str:
        """Return the file's text with the change made, and nothing else changed."""
        assert text.count(self.where) == 1, f"{self.where!r} must occur exactly once"
        start = text.index(self.where)
        paragraph, end, rest = text[start:].partition("\n\n")
        olds, news = ((side,) if isinstance(side, str) else side for side in self[1:3])
        for old, new in zip(olds, news, strict=True):
            assert paragraph.count(old) == 1, f"{old!r} must occur exactly once"
            paragraph = paragraph.replace(old, new)
        return text[:start] + paragraph + end + rest


# What paragraphs begin with.
PLAYER, BANKER, TIE, FORTUNE_SIX = (
    f'[[bet]]\nid = "{bet}"' for bet in ("player", "banker", "tie", "fortune-six")
)
UR_WAY = [f'[[bet]]\nid = "ur-way-{number}"' for number in range(10)]
DECKS, TIE_ODDS = "[parameters.decks]", "[parameters.tie_odds]"
PAIR_ODDS, DOUBLE_CHANCE = "[parameters.pair_odds]", "[parameters.double_chance]"
A1, A2, A3, A4, A9, A12, A13 = (
    f'[[ambiguity]]\nid = "{name}"' for name in ("A1", "A2", "A3", "A4", "A9", "A12", "A13")
)

CHANGES = {
    "double-chance": [
        Change("format = 1", "Double Chance Baccarat", "Double Baccarat", "name"),
        Change("format = 1", "000_c9", "001_c9", "source"),
        Change(DECKS, "default = 8", "default = 6", "decks"),
        Change(DECKS, 'set_by = "poster"', 'set_by = "table"', "decks is set by"),
        Change(TIE_ODDS, 'default = "9:1"', 'default = "8:1"', "tie_odds"),
        Change(DOUBLE_CHANCE, 'minimum = "2%"', 'minimum = "1%"', "double_chance ranges"),
        Change(DOUBLE_CHANCE, 'maximum = "10%"', 'maximum = "12%"', "double_chance ranges"),
        Change(DOUBLE_CHANCE, 'default = "2%"', 'default = "5%"', "double_chance"),
        Change(DOUBLE_CHANCE, '"agreement"', '"table"', "double_chance is set by"),
        Change("[tableau]", '"6/6-7"', '"6/6"', REFUSED + "tableau"),  # 7 is then in neither column
        Change("[tableau]", ("6/6-7", "6/0-5,8-9"), ("6/6", "6/0-5,7-9"), "banker with 6"),
        Change("[tableau]", ('"0-5"', '"6-7"'), ('"0-4"', '"5-7"'), "player draws on"),
        Change("[tableau]", 'player_draws = "0-5"', 'player_draws = "0-4"', REFUSED + "tableau"),
        Change("[limits]", "partners_share_maximum = true\n", "", "partners share the maximum"),
        Change(PLAYER, '"1:1"', '"2:1"', "player pays"),
        Change(PLAYER, '"double_chance"', '"stand-off"', "player pays"),
        Change(PLAYER, 'excludes = ["banker"]\n', "", "player is not combined with"),
        Change(BANKER, "19:20", "9:10", "banker pays"),
        Change(BANKER, 'excludes = ["player"]\n', "", "banker is not combined with"),
        Change(TIE, "stands_alone = true\n", "", "tie stands alone"),
        Change(UR_WAY[0], "150:1", "105:1", "ur-way-0 pays"),
        Change(UR_WAY[1], "215:1", "210:1", "ur-way-1 pays"),
        Change(UR_WAY[2], "225:1", "220:1", "ur-way-2 pays"),
        Change(UR_WAY[3], "200:1", "220:1", "ur-way-3 pays"),
        Change(UR_WAY[4], "120:1", "110:1", "ur-way-4 pays"),
        Change(UR_WAY[4], "assumed = true\n", "", "ur-way-4 odds are not printed"),
        Change(UR_WAY[5], "110:1", "120:1", "ur-way-5 pays"),
        Change(UR_WAY[6], "44:1", "45:1", "ur-way-6 pays"),
        Change(UR_WAY[6], "player_total = 6", "player_total = 7", "ur-way-6 pays"),
        Change(UR_WAY[7], "44:1", "45:1", "ur-way-7 pays"),
        Change(UR_WAY[7], '"banker", "player", "tie"', '"tie"', "ur-way-7 needs"),
        Change(UR_WAY[8], "80:1", "88:1", "ur-way-8 pays"),
        Change(UR_WAY[9], "80:1", "8:1", "ur-way-9 pays"),
        Change('id = "3g8"', "180:1", "200:1", "3g8 pays"),
        Change('id = "3g8"', "banker_start = 3", "banker_start = 4", "3g8 pays"),
        Change('id = "3g8"', "banker_start = 3", "banker_total = 3", "3g8 pays"),
        Change('id = "3g8"', "player_third = 8", "player_third = 9", "3g8 pays"),
        Change('id = "3g8"', 'short = "3G8"', 'short = "3G9"', "3g8 is called"),
        Change(A2, '"draws"', '"stands"', "A2 in force"),
        Change(A3, '"standard"', '"literal"', "A3 in force"),
        Change(A4, '"forty-four"', '"forty-five"', "A4 in force"),
        Change(A4, 'status = "resolved"', 'status = "open"', "A4 is resolved"),
        Change(
            'printed = "0.195%"',
            "names_bets = false",
            "names_bets = true",
            "edge of banker and player (not named) at double_chance 10%",
        ),
        Change(
            'at = { double_chance = "2%" }',
            "0.956%",
            "0.965%",
            "edge of banker and player (not named) at double_chance 2%",
        ),
        Change(
            'at = { double_chance = "2%" }',
            "2%",
            "3%",
            "edge of banker and player (not named) at double_chance 2%",
        ),
        Change('[[claim]]\nbets = ["tie"]', "4.84%", "4.48%", "edge of tie at tie_odds 9:1"),
        Change('[[claim]]\nbets = ["3g8"]', "17.77%", "17.7%", "edge of 3g8"),
        Change('[[claim]]\nbets = ["ur-way-7"]', "8.43%", "8.42%", "edge of ur-way-7"),
        Change('[[claim]]\nbets = ["ur-way-6"]', "ur-way-6", "ur-way-5", "edge of ur-way-6"),
        Change("[notice]", "you will stop", "you will go", "warning is about"),
        Change("[notice]", "0808 802 0133", "0808 802 0135", "contact 08088020133"),
        Change("[notice]", "GamCare", "GamHelp", "contact 08088020133"),
        Change("[notice]", ".org", ".com", "contact www.begambleaware.org"),
        Change("[procedures]", "errors_until_next_coup = true\n", "", "errors until next coup"),
        Change("[procedures]", "disputes_for_player = true\n", "", "disputes for player"),
        Change("[procedures]", "disputes", "reconstruction = true\ndisputes", "reconstruction"),
        Change("[notice]", "fair_gambling = true\n", "", "fair gambling"),
        Change("[notice]", 'copies = "reception"', 'copies = "the bar"', "copies"),
        Change(BANKER, '"Bank", "Banco"', '"Bank"', "banker is also called"),
        Change(UR_WAY[4], '"Individual Égalités"', '"Égalités"', "ur-way-4 is also called"),
        Change('id = "3g8"', 'known_as = ["3G8"]\n', "", "3g8 is also called"),
        Change("[guide]", "5%", "4%", "guide: example"),
        Change("[guide]", '"region", ', "", "guide: varies by"),
        Change("[guide]", "decisions_matter = true\n", "", "guide: decisions matter"),
        Change("[guide]", "always_advantage = true\n", "", "guide: always advantage"),
        Change("[guide]", "in_writing = true\n", "", "guide: in writing"),
    ],
    "punto-banco-2000": [
        Change("format = 1", 'name = "Punto Banco 2000"', 'name = "Punto Banco"', "name"),
        Change(DECKS, "default = 8", "default = 7", "decks"),
        Change(TIE_ODDS, 'default = "9:1"', 'default = "8:1"', "tie_odds"),
        Change(TIE_ODDS, 'set_by = "table"', 'set_by = "poster"', "tie_odds is set by"),
        Change(
            "[tableau]", '"3/0-7,9"', '"3/any"', REFUSED + "tableau.banker_stands[0]"
        ),  # 8 is then in both columns
        Change("[tableau]", ("3/0-7,9", "3/8"), ("3/0-8", "3/9"), "banker with 3"),
        Change("[tableau]", ("4/2-7", "4/0-1,8"), ("4/1-7", "4/0,8"), "banker with 4"),
        Change("[tableau]", ("5/4-7", "5/0-3,8"), ("5/5-7", "5/0-4,8"), "banker with 5"),
        Change("[limits]", "_maximum = true", "_maximum = false", "partners share the maximum"),
        Change(PLAYER, '"1:1"', '"19:20"', "player pays"),
        Change(PLAYER, '["banker"]', '["tie"]', "player is not combined with"),
        Change(BANKER, '"1:2"', '"1:3"', "banker pays"),
        Change(BANKER, "banker_total = 6", "banker_total = 7", "banker pays"),
        Change(BANKER, '"stand-off"', '"1:1"', "banker pays"),
        Change(TIE, '"tie_odds"', '"9:1"', REFUSED + "parameters.tie_odds"),
        Change(UR_WAY[0], "150:1", "151:1", "ur-way-0 pays"),
        Change(UR_WAY[1], "215:1", "225:1", "ur-way-1 pays"),
        Change(UR_WAY[2], "225:1", "215:1", "ur-way-2 pays"),
        Change(UR_WAY[3], "200:1", "20:1", "ur-way-3 pays"),
        Change(UR_WAY[3], "requires = ", "excludes = ", "ur-way-3 needs"),
        Change(UR_WAY[4], "120:1", "102:1", "ur-way-4 pays"),
        Change(UR_WAY[5], "110:1", "101:1", "ur-way-5 pays"),
        Change(UR_WAY[6], "45:1", "44:1", "ur-way-6 pays"),
        Change(UR_WAY[7], "45:1", "44:1", "ur-way-7 pays"),
        Change(UR_WAY[8], "80:1", "81:1", "ur-way-8 pays"),
        Change(UR_WAY[9], "80:1", "90:1", "ur-way-9 pays"),
        Change(UR_WAY[9], '"UR WAY 9"', '"OUR WAY 9"', "ur-way-9 is called"),
        Change('id = "3g8"', "200:1", "180:1", "3g8 pays"),
        Change('id = "3g8"', "maximum", 'requires = ["tie"]\nmaximum', "3g8 needs"),
        Change('[[claim]]\nbets = ["banker"]', "1.45%", "1.46%", "edge of banker"),
        Change('[[claim]]\nbets = ["player"]', "1.23%", "1.24%", "edge of player"),
        Change('[[claim]]\nbets = ["tie"]', '"9:1"', '"8:1"', "edge of tie at tie_odds 9:1"),
        Change('[[claim]]\nbets = ["3g8"]', "8.70%", "8.7%", "edge of 3g8"),
        Change('[[claim]]\nbets = ["ur-way-7"]', "8.2%", "8.20%", "edge of ur-way-7"),
        Change('[[claim]]\nbets = ["ur-way-0"]', "13.4%", "14.4%", "edge of ur-way-0"),
        Change('id = "draws"', '["0-2/any"]', '["0-1/any"]', REFUSED + "ambiguity[0].reading[0]"),
        Change(A2, 'in_force = "draws"', 'in_force = "stands"', "A2 in force"),
        Change(A3, 'in_force = "standard"', 'in_force = "literal"', "A3 in force"),
        Change(
            "[notice]",
            'warning = "Before you begin, decide when you will stop',
            "#",
            "warning is about",
        ),
        Change("[notice]", "0808", "0800", "contact 08088020133"),
        Change("[notice]", ', "GamCare: 0808 802 0133"', "", "contact 08088020133"),
        Change("[procedures]", "errors_until_next_coup = true\n", "", "errors until next coup"),
        Change("[procedures]", "_player = true", "_player = false", "disputes for player"),
        Change("[notice]", "fair_gambling = true", "fair_gambling = false", "fair gambling"),
        Change("[notice]", 'copies = "reception"\n', "", "copies"),
        Change(TIE, '"Égalité", ', "", "tie is also called"),
        Change("[guide]", '"casino"', '"region"', "guide: varies by"),
        Change("[guide]", 'example = "5%"\n', "", "guide: example"),
    ],
    "online": [
        Change(DECKS, "default = 8", "default = 6", "decks"),
        Change(DECKS, 'set_by = "table"', 'set_by = "poster"', "decks is set by"),
        Change("[tableau]", '"0-2/any,stood"', '"0-2/any"', REFUSED + "tableau"),
        Change("[tableau]", 'naturals = "8-9"', 'naturals = "9"', REFUSED + "tableau"),
        Change("[tableau]", ("0-2/any,stood", '"7/'), ("1-2/any,stood", '"0,7/'), "banker with 0"),
        Change(PLAYER, "stand-off", "1:1", "player pays"),
        Change(PLAYER, "cites", 'excludes = ["banker"]\ncites', "player is not combined with"),
        Change(BANKER, "19:20", "1:1", "banker pays"),
        Change(TIE, "8:1", "9:1", "tie pays"),
        Change(A3, '"standard"', '"not-an-eight"', "A3 in force"),
        Change('id = "not-an-eight"', "3/stood", "4/stood", REFUSED + "ambiguity[0].reading[2]"),
        Change("[bonus]", "90%", "95%", "most win chance with bonus money"),
        Change("[bonus]", "[bonus]", "[notice]\nminimum_age = 18\n\n[bonus]", "minimum age"),
    ],
    "commission": [
        Change("format = 1", "with Commission", "without Commission", "name"),
        Change(DECKS, "default = 8", "default = 1", "decks"),
        Change("[tableau]", ("5/4-7", "5/0-3,8"), ("5/3-7", "5/0-2,8"), "banker with 5"),
        Change(PLAYER, '"1:1"', '"19:20"', "player pays"),
        Change(BANKER, "19:20", "18:20", "banker pays"),
        Change(BANKER, "cites", 'excludes = ["player"]\ncites', "banker is not combined with"),
        Change(TIE, "8:1", "9:1", "tie pays"),
        Change('id = "player-pair"', "11:1", "12:1", "player-pair pays"),
        Change('id = "banker-pair"', "banker_pair", "player_pair", "banker-pair pays"),
        Change(A3, '"standard"', '"literal"', "A3 in force"),
        Change(A12, '"free"', '"needs-main"', "A12 in force"),
        Change(A13, '"stand-off"', '"loses"', "A13 in force"),
        Change("[notice]", "minimum_age = 21", "minimum_age = 18", "minimum age"),
        Change("[notice]", 'regulator = "Hellenic Gaming Commission"\n', "", "regulator"),
        Change("[notice]", "addiction and to the loss", "the loss", "warning is about"),
        Change("[notice]", "7777", "7778", "contact 2109237777"),
        Change("[procedures]", "reconstruction = true\n", "", "reconstruction"),
        Change("[procedures]", "cancelled_returns_stakes = true", "", "cancelled returns stakes"),
        Change("[notice]", "responsible_gaming = true\n", "", "responsible gaming"),
        Change(TIE, "Égalité", "Egal", "tie is also called"),
    ],
    "no-commission": [
        Change("[tableau]", '"4/2-7"', '"4/3-7"', REFUSED + "tableau"),
        Change("[tableau]", ("6/6-7", "6/0-5,8"), ("6/5-7", "6/0-4,8"), "banker with 6"),
        Change(BANKER, '"1:2"', '"1:1"', "banker pays"),
        Change(BANKER, "banker_total = 6", "banker_total = 5", "banker pays"),
        Change(TIE, "8:1", "9:1", "tie pays"),
        Change('id = "player-pair"', "11:1", "10:1", "player-pair pays"),
        Change('id = "banker-pair"', "11:1", "12:1", "banker-pair pays"),
        Change('[[ambiguity.reading.bet]]\nid = "player"', '"1:1"', '"2:1"', "A13 other readings"),
        Change(A12, ', "banker-pair"]', "]", "A12 is about"),
        Change(A13, 'status = "resolved"', 'status = "open"', "A13 is resolved"),
        Change("[notice]", "minimum_age = 21\n", "", "minimum age"),
        Change("[notice]", "Hellenic", "British", "regulator"),
        Change("[notice]", "210 923", "210 932", "contact 2109237777"),
        Change(
            "[procedures]",
            "cites",
            "errors_until_next_coup = true\ncites",
            "errors until next coup",
        ),
        Change("[procedures]", "reconstruction = true", "reconstruction = false", "reconstruction"),
    ],
    "fortune-six": [
        Change("format = 1", "Baccarat Fortune Six", "Baccarat", "name"),
        Change("[tableau]", ("4/2-7", "4/0-1,8"), ("4/3-7", "4/0-2,8"), "banker with 4"),
        Change(BANKER, '"1:1"', '"19:20"', "banker pays"),
        Change(TIE, "8:1", "7:1", "tie pays"),
        Change('id = "banker-pair"', "11:1", "8:1", "banker-pair pays"),
        Change(FORTUNE_SIX, "12:1", "13:1", "fortune-six pays"),
        Change(FORTUNE_SIX, "20:1", "23:1", "fortune-six pays"),
        Change(
            FORTUNE_SIX, "banker_cards = 2", "banker_cards = 3", REFUSED + "bet[5].lines[1].when"
        ),
        Change(FORTUNE_SIX, '"Fortune Six"', '"Lucky Six"', "fortune-six is called"),
        Change(A9, '"one-bet"', '"two-bets"', "A9 in force"),
        Change('id = "fortune-six-three-cards"', "20:1", "25:1", "A9 other readings"),
        Change(A12, ', "fortune-six"]', "]", "A12 is about"),
        Change('id = "needs-main"', '["player", "banker"]', '["player"]', "A12 other readings"),
        Change("[notice]", "minimum_age = 21", "minimum_age = 20", "minimum age"),
        Change("[notice]", 'regulator = "Hellenic Gaming Commission"\n', "", "regulator"),
        Change("[notice]", "923 7777", "923 777", "contact 2109237777"),
        Change("[procedures]", "stakes = true", "stakes = false", "cancelled returns stakes"),
        Change(FORTUNE_SIX, '["Super Six Plus"]', '["Super Six"]', "fortune-six is also called"),
    ],
    "punto-banco": [
        Change('[[note]]\nid = "A10"', 'id = "A10"', 'id = "A11"', "notes"),
        Change('[[note]]\nid = "A19"', '"gap"', '"note"', "notes"),
        Change(DECKS, "default = 8", "default = 6", "decks"),
        Change(TIE_ODDS, 'default = "9:1"', 'default = "8:1"', "tie_odds"),
        Change(PAIR_ODDS, 'default = "11:1"', 'default = "12:1"', "pair_odds"),
        Change(PAIR_ODDS, 'set_by = "table"', 'set_by = "agreement"', "pair_odds is set by"),
        Change("[tableau]", '"3/0-2,4-9"', '"3/0-7,9"', "banker with 3"),
        Change("[tableau]", '"5/4-7"', '"5/5-7"', REFUSED + "tableau"),
        Change("[tableau]", ("4/2-7", "4/0-1,8-9"), ("4/2-6", "4/0-1,7-9"), "banker with 4"),
        Change("[limits]", "partners_share_maximum = true\n", "", "partners share the maximum"),
        Change(PLAYER, "stand-off", "1:1", "player pays"),
        Change(PLAYER, 'excludes = ["banker"]\n', "", "player is not combined with"),
        Change(BANKER, "19:20", "20:19", "banker pays"),
        Change(TIE, "stands_alone = true", 'requires = ["player", "banker"]', "tie needs"),
        Change('id = "player-pair"', "stands_alone = true\n", "", "player-pair stands alone"),
        Change('id = "banker-pair"', '"pair_odds"', '"11:1"', "banker-pair pays"),
        Change(A1, '"standard"', '"exchanged"', "A1 in force"),
        Change(A1, '"double-chance", ', "", "A1 sister cards"),
        Change(
            'id = "exchanged"',
            'draws = ["3/8"]',
            'draws = ["3/3"]',
            REFUSED + "ambiguity[0].reading[1]",
        ),
        Change(A2, '"draws"', '"stands"', "A2 in force"),
        Change(A3, '"standard"', '"literal"', "A3 in force"),
        Change("[procedures]", "errors_until_next_coup = true\n", "", "errors until next coup"),
        Change("[procedures]", "disputes_for_player = true\n", "", "disputes for player"),
        Change("[notice]", "fair_gambling = true\n", "", "fair gambling"),
        Change(PLAYER, '["Punto"]', '["Ponte"]', "player is also called"),
        Change('id = "player-pair"', ', "Lucky Pair"', "", "player-pair is also called"),
    ],
}
"""Single facts, changed, by card."""

OURS = {"currency", "cites", "notes", "short", "group", "order", "maximum", "resolution", "name"}
"""Keys that may be dropped: no poster's fact is lost, or the loader refuses it where one is."""

EACH = [(card, change) for card, changes in CHANGES.items() for change in changes]


def test_every_card_has_the_facts_of_a_poster():
    assert sorted(CARD_FACTS) == sorted(built_in_cards())


@pytest.mark.requirement("R03", "R07", "R08", "R09", "R10", "R11")
@pytest.mark.requirement("R20", "R21", "R22", "R23", "R24", "R25", "R26", "R27", "R28", "R29")
@pytest.mark.requirement("R30", "R31", "R32", "R33", "R34", "R36", "R37")
@pytest.mark.requirement("R43", "R44", "R45", "R46", "R47", "R48", "R50", "R52", "R53")
@pytest.mark.requirement("A1", "A2", "A3", "A4", "A9", "A10", "A11", "A12", "A13")
@pytest.mark.parametrize("card", CARD_FACTS)
def test_a_card_agrees_with_its_poster(card):
    assert list(differences(CARD_FACTS[card], load(card)).values()) == []


@pytest.mark.requirement("R04")
@pytest.mark.parametrize("poster", POSTERS, ids=lambda poster: "+".join(poster.cards))
def test_r04_card_points_are_those_on_the_poster(poster):
    for rank, points in (poster.points or {}).items():
        assert Card(rank).points == points, rank
    for cards, printed in poster.totals.items():
        assert total(parse_cards(cards)) == printed, cards


@pytest.mark.requirement("R06", "R13")
@pytest.mark.parametrize("poster", POSTERS, ids=lambda poster: "+".join(poster.cards))
def test_r13_a_round_goes_in_the_posters_order(poster):
    """The words are ours, so only their order is compared."""
    for card in poster.cards:
        rules = {section.key: section for section in rules_in_words(load(card).game())}
        deal = " ".join(rules["deal"].lines)
        places = [deal.index(words) for words in poster.order]
        assert places == sorted(places), deal


@pytest.mark.parametrize(
    ("card", "change"),
    [
        pytest.param(card, change, id=f"{card}-{change.noticed}-{change.new}")
        for card, change in EACH
    ],
)
def test_a_changed_fact_is_noticed(card, change, tmp_path):
    path = tmp_path / "card.toml"
    path.write_text(change.apply(find(card).read_text(encoding="utf-8")), encoding="utf-8")
    if change.noticed.startswith(REFUSED):
        with pytest.raises(RuleCardError) as caught:
            load(path)
        assert change.noticed in [REFUSED + finding.key for finding in caught.value.findings]
    else:
        assert change.noticed in differences(CARD_FACTS[card], load(path))


def test_changes_to_every_card_are_noticed_by_facts_not_only_by_the_loader():
    assert len(set(EACH)) == len(EACH)
    noticed = [card for card, change in EACH if not change.noticed.startswith(REFUSED)]
    assert len(noticed) >= 60
    assert sorted(set(noticed)) == sorted(built_in_cards())


def places(content: Any) -> Iterator[list[str | int]]:
    """Yield the path to every value in a card's file that is not ours: keys of tables and positions
    in lists."""
    keys = content if isinstance(content, dict) else range(len(content))
    for key in keys:
        if key in OURS:
            continue
        yield [key]
        if isinstance(content[key], dict | list):
            yield from ([key, *path] for path in places(content[key]))


def without(content: Any, path: list[str | int]) -> Any:
    """Return a card's content without one value."""
    changed = deepcopy(content)
    *outer, last = path
    inner = changed
    for key in outer:
        inner = inner[key]
    del inner[last]
    return changed


@pytest.mark.no_cover
@pytest.mark.parametrize("card", CARD_FACTS)
def test_dropping_any_poster_fact_is_noticed(card):
    content = tomllib.loads(find(card).read_text(encoding="utf-8"))
    whole, unnoticed = load_content(content, name=card), []
    for path in places(content):
        try:
            rest = load_content(without(content, path), name=card)
        except RuleCardError:
            continue
        # Some keys say what holds without them, such as `set_by = "table"`.
        if rest != whole and not differences(CARD_FACTS[card], rest):
            unnoticed.append(path)
    assert unnoticed == []
