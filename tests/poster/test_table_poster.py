"""The poster of a table: its house, limits and QR codes, on one readable page."""

import re
from base64 import b64encode
from dataclasses import replace
from functools import cache

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core.money import percent_string
from baccarat.house.housefile import House, HouseFileError, default_house, load_house, read_house
from baccarat.loader import built_in_cards, load
from baccarat.poster.content import Poster, Venue, poster_of
from baccarat.poster.page import poster_page
from baccarat.poster.typeset import poster_pdf
from baccarat.poster.venue import game_offered, venue_of
from baccarat.shoe.commitment import Source
from support.poster_cards import game_of
from support.sheets import Pdf, squeezed

LOGO = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6">'
    b'<rect width="9" height="6" fill="#7a1f2b"/></svg>'
)
HOUSE = replace(default_house(), name="The Grand", address="https://grand.example/", logo=LOGO)


@cache
def table_poster(card: str, house: House = HOUSE) -> Poster:
    """Return the poster of a table of this house."""
    plan = next(plan for plan in house.tables if plan.id == card)
    return poster_of(game_offered(house, plan), venue=venue_of(house, plan))


@cache
def sheet(card: str, paper: str, *, at_table: bool) -> Pdf:
    return Pdf(
        poster_pdf(table_poster(card) if at_table else poster_of(game_of(card)), paper=paper)
    )


@pytest.mark.requirement("R52", "R35")
@pytest.mark.parametrize("at_table", [True, False], ids=["table", "card"])
@pytest.mark.parametrize("paper", ["a4", "a3", "letter"])
@pytest.mark.parametrize("card", built_in_cards())
def test_r52_one_page_in_a_readable_type_size_on_every_paper(card, paper, at_table):
    made = sheet(card, paper, at_table=at_table)
    assert len(made) == 1
    assert made.outside(6) == []
    sizes = {size for _, size in made.letters()}
    assert min(sizes) >= (8 if paper == "a3" else 7)
    if paper == "a3":
        large = squeezed("".join(letter for letter, size in made.letters() if size >= 20))
        for bet in table_poster(card).bets:
            assert all(line.pays in large for line in bet.lines if re.match(r"\d+:", line.pays))
            assert (squeezed(bet.limits) in large) is at_table


@pytest.mark.requirement("R49", "R35", "R48")
def test_r49_a_tables_poster_has_its_house_its_limits_and_its_codes():
    made, page = sheet("punto-banco", "a4", at_table=True), poster_page(table_poster("punto-banco"))
    for words in ("The Grand", "Punto Banco", "£5–£1,000", "£5–£200"):
        assert squeezed(words) in made.squeezed
        assert words in page
    assert "commitment to fair and open gambling" in page
    assert squeezed("commitment to fair and open gambling") in made.squeezed
    rules, verify = (
        "https://grand.example/rules/punto-banco?table=punto-banco",
        ("https://grand.example/verify"),
    )
    assert sorted(made.links()) == sorted([rules, verify])
    assert made.pixels(0, (0x7A, 0x1F, 0x2B)) > 500, "the logo"
    assert f'src="data:image/svg+xml;base64,{b64encode(LOGO).decode()}"' in page
    assert (table_poster("punto-banco").age, table_poster("commission").age) == ("18+", "21+")
    assert "18+" in made.squeezed


@pytest.mark.requirement("R35")
@pytest.mark.parametrize("card", built_in_cards())
def test_r35_a_poster_without_a_table_shows_no_limits(card):
    made = poster_of(game_of(card))
    assert {row.limits for row in made.bets} == {""}
    assert (made.house, made.table, made.codes) == ("", "", ())
    text = "\n".join(line for section in made.more for line in section.lines)
    assert "maximum" not in text.replace("can't go over the maximum", "")
    assert "Limits" not in sheet(card, "a4", at_table=False).text(0).split("The bets")[0]
    assert '<th scope="col">Limits</th>' not in poster_page(made)


def test_limits_in_another_currency_and_table_only_settings_are_shown():
    text = """
format = 1
name = "Corner"
currency = "EUR"
[[table]]
id = "one"
name = "Table one"
card = "online"
minimum = "2.50"
maximum = "1500"
coup_maximum = "2000"
seats = 7
parameters = { decks = 6 }
"""
    house = read_house(text, name="house.toml")
    made = poster_at(house)
    assert [row.limits for row in made.bets] == ["€2.50–€1,500"] * 3
    lines = made.sections["wagering"].lines
    assert "At this table you can bet up to €2,000 on a round, all bets together." in lines
    assert "At this table up to 7 players can bet on a round." in lines
    assert made.sections["cards"].lines[0].startswith("6 decks")
    assert "parameters" not in made.sections, "the poster shows what the table has set"
    assert made.codes == ()


@pytest.mark.requirement("A17", "R24")
def test_a17_a_tables_poster_shows_its_standing_offer():
    table = '[[table]]\nid = "one"\nname = "One"\ncard = "double-chance"\n'
    text = f'format = 1\nname = "Corner"\n{table}standing_offer = {{ double_chance = "5%" }}\n'
    house = read_house(text + 'grants_up_to = { double_chance = "8%" }\n', name="house.toml")
    made = poster_at(house)
    assert [line.pays for line in made.bets[0].lines] == ["1:1", "5% of stake†"]
    expected = analyse(load("double-chance").game(double_chance="5%"))["player"].edge
    assert made.bets[0].edge == percent_string(expected)
    assert (
        "you can accept this table's standing offer, 5%, with your first bet"
        in (made.bets_notes[-1])
    )
    assert "standing offer" not in poster_of(game_of("double-chance")).bets_notes[-1]


@pytest.mark.parametrize("card", built_in_cards())
def test_a_tables_poster_words_payouts_like_the_cards(card):
    assert [row.lines for row in table_poster(card).bets] == [
        row.lines for row in poster_of(game_of(card)).bets
    ]


def poster_at(house: House) -> Poster:
    [plan] = house.tables
    return poster_of(game_offered(house, plan), venue=venue_of(house, plan))


@pytest.mark.requirement("R30")
@pytest.mark.parametrize("card", built_in_cards())
def test_r30_the_poster_defines_a_pair_if_it_can_be_bet_on(card):
    has_pairs = any("pair" in bet.id for bet in game_of(card).bets)
    made = sheet(card, "a4", at_table=False).squeezed
    example = squeezed("two cards of the same rank: 10-10 and K-K are pairs, but 10-K is not.")
    assert (example in made) is has_pairs


@pytest.mark.requirement("R50")
@pytest.mark.parametrize("card", ["double-chance", "punto-banco-2000"])
def test_r50_the_guide_to_the_house_edge_says_all_that_the_card_declares(card):
    made = sheet(card, "a4", at_table=True).squeezed
    for words in (
        "Over many rounds, the house keeps a fixed share of all bets on average: the house edge.",
        "if the house edge of a bet is 5%, you lose £5 on average for every £100",
        "House edges vary by region, casino and game.",
        "In some games, players' skill or betting decisions change the house edge.",
        "The house always has some advantage.",
    ):
        assert squeezed(words) in made
    assert not any("vary by" in line for line in poster_of(game_of("online")).more[0].lines)


@pytest.mark.requirement("R52")
def test_r52_the_poster_says_where_copies_are_available():
    copies = squeezed("Take these rules with you: A4 copies at reception.")
    for card in built_in_cards():
        declared = game_of(card).card.notice.copies == "reception"
        assert (copies in sheet(card, "a4", at_table=True).squeezed) is declared


@pytest.mark.requirement("R53")
@pytest.mark.parametrize("card", built_in_cards())
def test_r53_the_names_that_players_use_are_on_the_poster(card):
    made, page = sheet(card, "a3", at_table=True).squeezed, poster_page(table_poster(card))
    for bet in game_of(card).bets:
        for name in bet.known_as:
            assert squeezed(name) in made
            assert name in page


@pytest.mark.requirement("R47")
def test_r47_the_line_on_responsible_gaming_is_on_the_poster():
    line = squeezed("The games are run in line with the principles of responsible gaming.")
    assert line in sheet("commission", "a4", at_table=True).squeezed
    assert line not in sheet("online", "a4", at_table=True).squeezed


def test_a_png_logo_and_no_logo_both_work(tmp_path):
    png = (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00"
        b"\x90wS\xde\x00\x00\x00\x0cIDATx\x9cc\xa8\x92\xd7\x06\x00\x01\xdb\x00\xc5\xd9\xad\x0b\xc0"
        b"\x00\x00\x00\x00IEND\xaeB`\x82"
    )
    venue = Venue("The Grand", "Table one", logo=png)
    assert len(Pdf(poster_pdf(poster_of(game_of("online"), venue=venue)))) == 1
    (tmp_path / "logo.png").write_bytes(png)
    text = 'format = 1\nname = "Grand"\nlogo = "logo.png"\naddress = "https://grand.example"\n'
    table = '[[table]]\nid = "one"\nname = "One"\ncard = "punto-banco"\n'
    (tmp_path / "house.toml").write_text(text + table)
    house = load_house(tmp_path / "house.toml")
    assert (house.logo, house.address) == (png, "https://grand.example")
    assert default_house().logo == b""


@pytest.mark.requirement("R49", "R46")
def test_r49_a_tables_poster_says_what_holds_at_that_table():
    [plan] = [plan for plan in HOUSE.tables if plan.id == "fortune-six"]
    cards = replace(plan, settings=replace(plan.settings, source=Source.CARDS))
    by_source = {
        plan.settings.source: poster_at(replace(HOUSE, tables=(plan,))) for plan in (plan, cards)
    }
    labels = {source: [code.label for code in at.codes] for source, at in by_source.items()}
    assert labels[Source.SHOE] == ["Rules and odds", "Check a shoe yourself"]
    assert labels[Source.CARDS] == ["Rules and odds"], "real cards have no shoe to verify"
    first = {source: at.sections["cards"].lines[0] for source, at in by_source.items()}
    assert "decks of 52 cards, dealt from a shoe. An ace" in first[Source.SHOE]
    assert "decks of 52 cards, dealt by a dealer. An ace" in first[Source.CARDS]
    for at in by_source.values():
        assert any("you can dispute its result" in line for line in at.sections["house"].lines)
        assert "within the limits shown here" in at.sections["wagering"].lines[0]


@pytest.mark.requirement("R47")
def test_r47_a_house_prints_its_own_age_regulator_and_help_lines():
    table = (
        '[[table]]\nid = "one"\nname = "One"\ncard = "fortune-six"\nminimum = "5"\nmaximum = "50"\n'
    )
    bets = "".join(
        f'[[table.bet]]\nid = "{bet.id}"\nminimum = "5"\nmaximum = "50"\n'
        for bet in load("fortune-six").bets
    )
    notice = '[notice]\nminimum_age = 25\nregulator = "Gambling Commission"\ncontacts = ["0808"]\n'
    text = f'format = 1\nname = "Corner"\nprofile = "uk"\nstake_cap = "100"\n{notice}{table}{bets}'
    made = poster_at(read_house(text, name="house.toml"))
    lines = made.sections["notice"].lines
    assert made.age == "25+"
    assert "Regulator: Gambling Commission." in lines
    assert "0808" in lines
    assert not any("Hellenic" in line or "210 923" in line for line in lines)
    plain = poster_at(read_house(text.replace(notice, ""), name="house.toml"))
    assert "Regulator: Hellenic Gaming Commission." in plain.sections["notice"].lines
    with pytest.raises(HouseFileError, match="minimum age of 18"):
        read_house(text.replace("= 25", "= 16"), name="house.toml")
