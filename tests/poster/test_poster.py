"""Posters on paper: complete, not clipped, and possible for any rule card."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core.errors import BaccaratError
from baccarat.core.money import percent_string
from baccarat.loader import check_text, load
from baccarat.loader.files import find
from baccarat.poster.content import Poster, example_stake, poster_of
from baccarat.poster.page import poster_page
from baccarat.poster.typeset import TypesettingError, poster_pdf
from baccarat.wording.rules import condition_in_words, overlapping, rules_in_words
from support.poster_cards import CARDS, MARKUP, altered, game_of, names
from support.sheets import Pdf, squeezed

MARGIN = 6
"""Millimetres that stay free of text on every side."""


@cache
def poster(card: str, paper: str = "a4") -> Pdf:
    return Pdf(poster_pdf(poster_of(game_of(card)), paper=paper))


@pytest.mark.requirement("R50", "R52")
@pytest.mark.parametrize("card", CARDS, ids=names)
def test_r52_one_a4_page_with_every_bet_and_its_exact_edge(card):
    sheet = poster(card)
    assert (len(sheet), sheet.millimetres) == (1, (210, 297))
    tiles = {row.id: row.tile for row in poster_of(game_of(card)).bets if row.tile}
    for figures in analyse(game_of(card)).values():
        bet = figures.bet
        assert percent_string(figures.hit, 2) + percent_string(figures.edge) in sheet.squeezed
        if bet.id in tiles:
            [line] = bet.lines
            assert f"{tiles[bet.id]}{line.pays}:1" in sheet.squeezed
            assert condition_in_words(line.when) == (
                f"the hands tie and Player's total is {tiles[bet.id]}"
            )
            continue
        assert squeezed(bet.name) in sheet.squeezed
        for line in bet.lines:
            assert squeezed(condition_in_words(line.when)[1:]) in sheet.squeezed
        for line, second in zip(bet.lines, overlapping(bet, game_of(card)), strict=True):
            otherwise = squeezed(f"Otherwise, when {condition_in_words(line.when)}")
            assert not second or otherwise in sheet.squeezed
        for line in bet.lines:
            if line.pays and line.parameter != "double_chance":
                assert f"{line.pays.numerator}:{line.pays.denominator}" in sheet.squeezed


@pytest.mark.parametrize("card", CARDS, ids=names)
def test_everything_a_poster_must_say_is_on_it(card):
    sheet, game = poster(card), game_of(card)
    assert squeezed(game.card.name) in sheet.squeezed
    assert squeezed(game.card.summary) in sheet.squeezed
    assert game.card.digest in sheet.text(0), "whole, so that it can be searched for and copied"
    assert f"Version{game.card.version}·decks8" in sheet.squeezed
    for section in rules_in_words(game, limits=False):
        if section.key in ("cards", "deal", "wagering", "procedures", "notice"):
            assert all(squeezed(line) in sheet.squeezed for line in section.lines), section
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        if parameter.set_by != "poster":
            meaning = squeezed(parameter.meaning[1:]).replace("-", "")  # a line may break there
            assert meaning in sheet.squeezed.replace("-", "")
            assert parameter.format(value) in sheet.squeezed
    age = game.card.notice.minimum_age
    assert (f"{age}+" in sheet.squeezed) == (age is not None)


@pytest.mark.requirement("R09", "R10", "R11")
@pytest.mark.parametrize("card", CARDS, ids=names)
def test_the_grid_and_the_classic_table_agree_with_the_tableau(card):
    tableau, sheet = game_of(card).tableau, poster_of(game_of(card)).tableau
    for total, cells in enumerate(sheet.grid):
        assert (cells == ()) == (total in tableau.naturals)
        for given, word in enumerate(cells):
            assert word == ("draws" if tableau.draws(total, given) else "stands")
    assert [(row.having, row.draws, row.stands) for row in sheet.banker] == [
        ("0–2", "always", "never"),
        ("3", "0–7, 9, stood", "8"),
        ("4", "2–7, stood", "0–1, 8–9"),
        ("5", "4–7, stood", "0–3, 8–9"),
        ("6", "6–7", "0–5, 8–9, stood"),
        ("7", "never", "always"),
    ]
    assert [(row.having, row.draws, row.stands) for row in sheet.player] == [
        ("0–5", "draws", ""),
        ("6–7", "", "stands"),
    ]
    assert sheet.player_grid == (*["draws"] * 6, *["stands"] * 2, *["natural"] * 2)
    on_paper = poster(card).squeezed
    assert "Player'stotal0123456789ThirdcardDDDDDDSS––" in on_paper
    for total, cells in enumerate(sheet.grid):
        letters = "".join({"draws": "D", "stands": "S"}[word] for word in cells)
        assert f"{total}{letters or 'natural:nodraw'}" in on_paper


@pytest.mark.parametrize("card", CARDS, ids=names)
def test_a_poster_is_a_valid_archival_and_accessible_pdf(card):
    sheet = poster(card)
    assert sheet.problems() == []
    assert sheet.standards == {"A-2a", "UA-1"}


@pytest.mark.parametrize("card", CARDS, ids=names)
def test_nothing_is_clipped_and_the_page_has_a_normal_amount_of_ink(card):
    sheet = poster(card)
    assert sheet.outside(MARGIN) == []
    assert 0.15 < sheet.ink(0) < 0.5


@pytest.mark.parametrize(("paper", "size"), [("a3", (297, 420)), ("letter", (216, 279))])
@pytest.mark.parametrize("card", ["double-chance", "online"])
def test_posters_fit_on_other_paper_sizes(card, paper, size):
    sheet = poster(card, paper)
    assert (len(sheet), sheet.millimetres) == (1, size)
    assert sheet.outside(MARGIN) == []


def test_the_same_poster_is_the_same_bytes():
    content = poster_of(load("commission").game(), verify_url="https://house.example/verify")
    assert poster_pdf(content) == poster_pdf(content)


def test_parameters_and_readings_are_in_the_figures_and_in_the_small_print():
    game = load("punto-banco").game(tie_odds="8:1", decks=6, readings={"A3": "literal"})
    made = poster_of(game)
    assert made.edition == "Version 1 · decks 6 · tie odds 8:1 · pair odds 11:1"
    assert [row.edge for row in made.bets] == [
        percent_string(f.edge) for f in analyse(game).values()
    ]
    assert "full shoe of 6 decks" in made.bets_notes[0]
    assert made.bets[0].edge.startswith("−")
    assert any("you win £" in line for line in made.sections["edge"].lines)


@pytest.mark.requirement("R50")
@pytest.mark.parametrize("card", CARDS, ids=names)
def test_r50_the_worked_example_is_exact(card):
    """It is in the card's currency, for a stake the table accepts, with rounded digits."""
    game = game_of(card)
    lines = [line for line in poster_of(game).sections["edge"].lines if line.startswith("Bet ")]
    figures = list(analyse(game).values())
    ends = (
        min(figures, key=lambda found: found.edge),
        max(figures, key=lambda found: found.edge),
    )
    for line, found in zip(lines, ends, strict=True):
        stake = example_stake(game, found.bet)
        low, high = game.limits(found.bet)
        assert low <= stake <= high
        assert stake % found.bet.step == 0
        cost = found.edge * 100 * stake / 100
        symbol = {"GBP": "£", "EUR": "€", "USD": "$", "HKD": "HK$"}[game.card.currency]
        assert f"the house keeps {symbol}{float(cost):,.2f} on average." in line
        assert f"on {found.bet.name} in each of 100 rounds" in line


def test_audit_findings_are_not_on_the_poster():
    """Ids of readings, assumed odds and open ambiguities."""
    for card in ("double-chance", "fortune-six"):
        sheet, game = poster(card).squeezed.replace("A4copies", ""), game_of(card)
        for ambiguity in game.card.ambiguities:
            assert squeezed(ambiguity.question) not in sheet
            assert ambiguity.id not in sheet
        assert "assumed" not in sheet
        assert "readas" not in sheet
    made = altered('status = "resolved"', 'status = "open"')
    assert "procedures" not in made.sections
    assert "What does the banker" not in poster_page(made)


@pytest.mark.requirement("R24", "R51")
def test_r24_values_set_by_agreement_are_marked_with_their_range():
    game = load("double-chance").game()
    made = poster_of(game)
    assert [row.id for row in made.bets if row.agreed] == ["player", "banker"]
    note = made.bets_notes[-1]
    assert note.startswith("† Agreed with each player, from 2% to 10%. Shown here for 2%. House")
    letter = " Your letter has your own figures."
    assert note.endswith(letter)
    assert poster_of(game, letters=False).bets_notes[-1] == note.removesuffix(letter)
    for bet in ("player", "banker"):
        least, most = (
            percent_string(analyse(load("double-chance").game(double_chance=at))[bet].edge)
            for at in ("2%", "10%")
        )
        assert f"House edge on {bet.capitalize()}: from {least} to {most}." in note
        assert f"{least}†" in poster("double-chance").squeezed
    assert squeezed(note) in poster("double-chance").squeezed
    assert [line for line in made.sections["edge"].lines if line.endswith("†")] == [
        line for line in made.sections["edge"].lines if "on Banker in each" in line
    ]
    assert not any(row.agreed for row in poster_of(game_of("punto-banco")).bets)


def test_odds_that_no_stake_can_satisfy_are_refused():
    game = load("double-chance").game(double_chance="6.12345%")
    expected = (
        "no stake on Player can be paid exactly (double_chance = 6.12345%): only multiples of "
        "20,000.00 GBP pay a whole number of coins, and the limits are 5.00 to 1,000.00; choose a "
        "rounder value"
    )
    with pytest.raises(BaccaratError, match=re.escape(expected)):
        poster_of(game)


def test_a_card_that_rounds_payouts_accepts_any_stake():
    made = altered('maximum = "500.00"', 'maximum = "500.00"\nrounding = "down"')
    assert made.sections["edge"].lines[1].startswith("Bet €1 on Banker")


@pytest.mark.requirement("R24")
def test_r24_the_agreed_percentage_is_what_a_tie_pays():
    made = poster_of(load("double-chance").game(double_chance="6.5%"))
    assert made.bets[0].lines[1].pays == "6.5% of stake†"
    assert made.sections["parameters"].title == "Set at the table"
    assert made.sections["parameters"].lines == (
        "Tie odds: 9:1 (what the tie bet pays unless the table says otherwise).",
        "Double chance: share of the stake that a tie pays on Player and Banker, agreed with each "
        "player beforehand, from 2% to 10%. Shown here for 6.5%.",
    )


def test_a_qr_code_leads_to_the_verify_page_and_is_left_out_without_one():
    url = "https://house.example/verify?shoe=7&x=<y>"
    sheet = Pdf(poster_pdf(poster_of(game_of("online"), verify_url=url)))
    assert sheet.links() == [url]
    assert squeezed("house.example/verify?shoe=7&x=<y>") in sheet.squeezed
    plain = Pdf(poster_pdf(poster_of(game_of("online"), verify_url="https://house.example/verify")))
    assert "house.example/verify" in plain.text(0), "whole, so that it can be copied"
    assert (len(sheet), sheet.problems()) == (1, [])
    assert poster("online").links() == []


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:alert(1)", "house.example", "https://é.example", "https://" + "x" * 300),
        *("https://", "https:///path", "https://a b c", "https://-x.example", "https://x..y/"),
        *("https://x.example:0/", "https://x.example:99999/", "https://[::1/", "https://x\ty"),
    ],
)
def test_a_url_that_does_not_fit_a_qr_code_is_refused(url):
    with pytest.raises(BaccaratError, match="cannot be a QR code: write https"):
        poster_pdf(poster_of(game_of("online"), verify_url=url))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "Online Baccarat"', f'name = "{MARKUP}"'),
        ('name = "Banker"', f'name = "{MARKUP}"'),
        (
            "Punto banco with commission on Banker",
            MARKUP,
        ),
        ('currency = "EUR"', f'currency = "{MARKUP}"'),
    ],
)
def test_markup_in_a_card_is_escaped(old, new):
    sheet = Pdf(poster_pdf(altered(old, new)))
    assert sheet.millimetres == (210, 297)
    assert squeezed(MARKUP.replace("\\\\", "\\")) in sheet.squeezed
    assert sheet.outside(MARGIN) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "Online Baccarat"', f'name = "{"x" * 1000}"'),
        ('name = "Online Baccarat"', f'name = "{"Game " * 200}"'),
        ('name = "Banker"', f'name = "{"Very long name " * 60}"'),
        ('name = "Banker"', f'name = "{"b" * 1000}"'),
        ("number of 52-card decks in the shoe", "M" * 400),
        (
            "Punto banco with commission on Banker",
            "s" * 900,
        ),
    ],
)
def test_very_long_names_wrap_and_stay_on_the_paper(old, new):
    sheet = Pdf(poster_pdf(altered(old, new)))
    assert sheet.outside(MARGIN) == []
    assert len(sheet) <= 3
    assert squeezed(new.partition('"')[2].rstrip('"') or new) in sheet.squeezed


def test_a_long_word_stays_whole_where_its_column_can_hold_it():
    word = "Abcdefghijklmnopqrstuvwxyz"
    made = altered("number of 52-card decks in the shoe", f"the number of decks {word} and more")
    assert word in Pdf(poster_pdf(made)).text(0)


def test_sixty_bets_run_over_several_pages_with_nothing_lost():
    text = find("online").read_text(encoding="utf-8")
    for i in range(57):
        text += f"""
[[bet]]
id = "x{i}"
name = "{"Remarkable " * (i % 4)}bet {i}"
group = "g{i // 10}"
lines = [{{ when = {{ winner = "tie", player_total = {i % 10} }}, pays = "{40 + i}:1" }}]
"""
    draft = check_text(text, name="x").draft
    assert draft is not None
    card = draft.card()
    assert card is not None
    sheet = Pdf(poster_pdf(poster_of(card.game())))
    assert 1 < len(sheet) <= 4
    assert sheet.outside(MARGIN) == []
    for figures in analyse(card.game()).values():
        assert squeezed(figures.bet.name) in sheet.squeezed
        assert percent_string(figures.edge) in sheet.squeezed
    for page in range(len(sheet)):
        assert 0.01 < sheet.ink(page) < 0.5
        assert f"{page + 1} / {len(sheet)}" in sheet.text(page)
    for page in range(1, len(sheet) - 1):
        assert "House edge" in sheet.text(page), "the table's head is repeated"


@pytest.mark.parametrize("bets", [58, 61, 64, 67])
def test_no_line_is_left_alone_on_the_last_of_several_pages(bets):
    text = find("online").read_text(encoding="utf-8")
    for i in range(bets):
        text += f"""
[[bet]]
id = "x{i}"
name = "{"Remarkable " * (i % 4)}bet {i}"
lines = [{{ when = {{ winner = "tie", player_total = {i % 10} }}, pays = "{40 + i}:1" }}]
"""
    sheet = Pdf(poster_pdf(poster_of(check_text(text, name="x").draft.card().game())))
    last = squeezed(sheet.text(len(sheet) - 1))
    assert len(sheet) > 1
    assert "Betsandlimits" in last
    assert last.index("Betsandlimits") < last.index("Version1")


@pytest.mark.parametrize("name", ["Мини баккара", "Μπακαρά", "באקרה", "بكارا", "باکا\u200cرا"])
def test_names_in_other_scripts_are_drawn(name):
    sheet = Pdf(poster_pdf(altered('name = "Online Baccarat"', f'name = "{name}"')))
    assert (len(sheet), sheet.problems()) == (1, [])


def test_characters_missing_from_all_fonts_are_named():
    content = altered('name = "Online Baccarat"', 'name = "\U0001f9ff\U00012000"')
    with pytest.raises(
        TypesettingError, match=r"no font on this machine can draw '.+': install one"
    ):
        poster_pdf(content)


PLAIN = """
format = 1
id = "plain"
name = "Plain"
version = 1
source = "tests"
summary = "As little as a card can say."
[parameters.decks]
unit = "count"
default = 1
minimum = 1
maximum = 1
set_by = "poster"
meaning = "number of decks"
[tableau]
naturals = {naturals}
player_draws = {draws}
player_stands = {stands}
banker_draws = {banker}
banker_stands = {rest}
[limits]
minimum = "1.00"
maximum = "10.00"
[[bet]]
id = "player"
name = "Player"
lines = [{{ when = {{ winner = "player" }}, pays = "1:1" }}]
"""


@pytest.mark.parametrize(
    ("naturals", "draws", "stands", "banker", "rest"),
    [
        ('"8-9"', '"0-7"', '""', '["0-7/any"]', "[]"),
        ('""', '"0-9"', '""', '["0-9/any"]', "[]"),
        ('""', '""', '"0-9"', '["0-4/stood"]', '["5-9/stood"]'),
        ('"0-9"', '""', '""', "[]", "[]"),
    ],
)
def test_minimal_cards_have_posters(naturals, draws, stands, banker, rest):
    """No naturals, no third cards, one bet, nothing left open: still a poster."""
    text = PLAIN.format(naturals=naturals, draws=draws, stands=stands, banker=banker, rest=rest)
    checked = check_text(text, name="x")
    assert checked.draft is not None
    card = checked.draft.card()
    assert card is not None, checked.report.findings
    sheet = Pdf(poster_pdf(poster_of(card.game())))
    assert (len(sheet), sheet.problems(), sheet.outside(MARGIN)) == (1, [], [])


def test_unreachable_columns_of_the_tableau_are_left_out():
    def sheet(draws: str, stands: str, banker: str, rest: str) -> Poster:
        text = PLAIN.format(naturals='""', draws=draws, stands=stands, banker=banker, rest=rest)
        return poster_of(check_text(text, name="x").draft.card().game())

    always = sheet('"0-9"', '""', '["0-4/any"]', '["5-9/any"]').tableau
    assert always.columns == tuple("0123456789")
    assert [(row.having, row.draws, row.stands) for row in always.banker] == [
        ("0–4", "always", "never"),
        ("5–9", "never", "always"),
    ]
    never = sheet('""', '"0-9"', '["0-4/stood"]', '["5-9/stood"]').tableau
    assert (never.columns, never.grid[0]) == (("stood",), ("draws",))


def test_posters_can_be_made_in_several_threads():
    content = poster_of(game_of("online"))
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda _: poster_pdf(content), range(4)))
    assert set(made) == {poster("online").data}


def test_without_a_file_no_digest_is_shown():
    content = replace(poster_of(game_of("online")), digest="")
    assert "SHA-256" not in Pdf(poster_pdf(content)).squeezed
    assert "SHA-256" not in poster_page(content)
