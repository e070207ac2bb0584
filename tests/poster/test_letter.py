"""The letter about an agreement: one page, correct edges, any player name."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core.money import percent_string
from baccarat.loader import check_text, load
from baccarat.loader.files import find
from baccarat.poster.content import poster_of
from baccarat.poster.letter import Letter, letter_of
from baccarat.poster.typeset import letter_pdf
from support.documented import run
from support.sheets import Pdf, squeezed

DAY = date(2026, 11, 15)
MARGIN = 10


def letter(agreed: str = "6%", player: str = "Ada Example", **options) -> Letter:
    game = load("double-chance").game(double_chance=agreed)
    return letter_of(game, player=player, agreed=["double_chance"], on=DAY, **options)


def edges(agreed: str) -> dict[str, Fraction]:
    figures = analyse(load("double-chance").game(double_chance=agreed))
    player, banker = figures["player"].edge, figures["banker"].edge
    return {"Player": player, "Banker": banker, "Mean of Player and Banker": (player + banker) / 2}


@pytest.mark.requirement("R51", "A6", "R24")
@pytest.mark.parametrize("agreed", ["2%", "2.5%", "6%", "10%"])
def test_r51_the_letter_gives_edges_and_mean_as_agreed_and_at_both_limits(agreed):
    made = letter(agreed)
    [agreement] = made.agreements
    assert set(agreement.values) == {"2%", agreed, "10%"}
    assert agreement.values[agreement.agreed_at] == agreement.agreed == agreed
    rows = [*agreement.bets, agreement.mean]
    sheet = Pdf(letter_pdf(made))
    for row in rows:
        for value, shown in zip(agreement.values, row.edges, strict=True):
            assert shown == percent_string(edges(value)[row.name])
        assert squeezed(row.name + "".join(row.edges)) in sheet.squeezed
    assert [row.name for row in rows] == list(edges(agreed))
    assert squeezed(f"{agreed} as agreed") in sheet.squeezed


@pytest.mark.requirement("R51")
def test_r51_the_edges_are_those_of_the_players_own_table():
    game = load("double-chance").game(double_chance="6%", decks=1)
    made = letter_of(game, player="Ada Example", agreed=["double_chance"], on=DAY)
    [agreement] = made.agreements
    figures = analyse(game)
    for row in agreement.bets:
        shown = row.edges[agreement.agreed_at]
        assert shown == percent_string(figures[row.name.lower()].edge)
        assert shown != percent_string(edges("6%")[row.name])


def test_the_letter_is_one_valid_page_with_all_its_text():
    made = letter(house="The House at the Harbour")
    sheet = Pdf(letter_pdf(made))
    assert (len(sheet), sheet.millimetres, sheet.problems()) == (1, (210, 297), [])
    assert sheet.standards == {"A-2a", "UA-1"}
    assert sheet.outside(MARGIN) == []
    assert 0.03 < sheet.ink(0) < 0.3
    for words in (
        *("Ada Example", "15 November 2026", "The House at the Harbour", "GamCare: 0808 802 0133"),
        *("pays 6% of the stake when the hands tie", load("double-chance").digest),
        *("£500 in all: at an edge of 0.4870%, the house keeps £2.43 on average.",),
    ):
        assert squeezed(words) in sheet.squeezed, words


@pytest.mark.parametrize(
    "player",
    [
        "x" * 300,
        "Ada " * 75,
        "שלום עולם",
        "محمد الخوارزمي",
        "#set page(width: 1pt) *x* $y$ <b>&amp;</b> \\u{41} @z `q` // w /* v",
        "Zoë O’Brien-Müller",
        "]); #panic()",
    ],
)
def test_any_name_fits_on_the_page(player):
    sheet = Pdf(letter_pdf(letter(player=player)))
    assert (len(sheet), sheet.millimetres, sheet.problems()) == (1, (210, 297), [])
    assert sheet.outside(MARGIN) == []
    if player.isascii():
        assert squeezed(player) in sheet.squeezed


def test_names_in_scripts_with_joiners_keep_them():
    name = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
    assert letter(player=name).player == name
    assert letter(player="\u0915\u094d\u200d\u0937").player.count("\u200d") == 1
    sheet = Pdf(letter_pdf(letter(player=name)))
    assert (len(sheet), sheet.problems()) == (1, [])


@pytest.mark.parametrize("paper", ["a3", "letter"])
def test_the_letter_fits_on_other_paper_sizes(paper):
    assert len(Pdf(letter_pdf(letter(player="Ada " * 75), paper=paper))) == 1


@pytest.mark.parametrize(
    "player",
    ["", "   ", "x" * 301, "Ada\nExample", "\u202egnp.exe", "a\x00b", "\u200d", "a\u2066b"],
)
def test_an_invalid_name_is_refused(player):
    words = r"invalid name of the player .*: write one line of 1 to 300 printable characters"
    with pytest.raises(Exception, match=words):
        letter(player=player)


def test_an_agreement_need_not_be_a_percentage():
    """The code works for any parameter and any bets, not only double chance."""
    text = find("punto-banco").read_text(encoding="utf-8")
    old = 'set_by = "table"\nmeaning = "what the tie bet pays'
    assert old in text
    draft = check_text(text.replace(old, old.replace("table", "agreement", 1)), name="x").draft
    game = draft.card().game(tie_odds="8:1")
    made = letter_of(game, player="Ada", agreed=["tie_odds"], on=DAY)
    [agreement] = made.agreements
    assert (agreement.values, agreement.mean) == (("5:1", "8:1", "9:1"), None)
    assert [row.name for row in agreement.bets] == ["Tie"]
    assert agreement.bets[0].edges[1:] == ("14.3596%", "4.8440%")
    assert len(Pdf(letter_pdf(made))) == 1


def test_r51_the_letter_states_other_settings_that_differ_from_the_card():
    """The settings are those on the poster; those that differ from the card are explained."""
    game = load("double-chance").game(double_chance="6%", decks=6, readings={"A3": "literal"})
    made = letter_of(game, player="Ada", agreed=["double_chance"], on=DAY)
    assert made.edition == poster_of(game).edition
    decks, reading = made.differs
    assert decks == "Number of 52-card decks in the shoe: 6 (in the rules: 8)."
    assert "without one the banker stands. Usually: The banker draws on 0 to 5" in reading
    sheet = Pdf(letter_pdf(made))
    assert all(squeezed(words) in sheet.squeezed for words in (decks, reading, made.edition))
    assert letter().differs == ()
    assert "Whatelse" not in Pdf(letter_pdf(letter())).squeezed
    assert game.card.digest in sheet.text(0), "whole, so that it can be searched for and copied"


def test_without_a_file_no_digest_is_shown():
    assert "SHA-256" not in Pdf(letter_pdf(replace(letter(), digest=""))).squeezed


def test_an_agreement_that_no_stake_can_satisfy_is_refused():
    with pytest.raises(Exception, match=r"no stake on Player can be paid exactly \(double_chance"):
        letter("6.12345%")


def test_bets_are_distinguished_by_their_ids():
    text = find("double-chance").read_text(encoding="utf-8")
    text = text.replace('name = "Tie"', 'name = "Player"')
    checked = check_text(text, name="x")
    card = checked.draft.card() if checked.draft else None
    if card is None:
        pytest.skip("two bets may not share a name")
    made = letter_of(card.game(double_chance="6%"), player="Ada", agreed=["double_chance"], on=DAY)
    assert len(made.example) == 2


def test_labels_of_close_values_do_not_overlap():
    """The agreed value is above the plot, both limits below it."""
    sheet = Pdf(letter_pdf(letter("2.1%")))
    assert sheet.text(0).count("2.1%") >= 3
    assert sheet.overprinted() == []


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_each_of_several_agreements_is_on_one_page(tmp_path, paper):
    text = find("double-chance").read_text(encoding="utf-8")
    text = text.replace('set_by = "poster"', 'set_by = "agreement"').replace(
        'set_by = "table"', 'set_by = "agreement"'
    )
    card = tmp_path / "x.toml"
    card.write_text(text, encoding="utf-8")
    target = tmp_path / "x.pdf"
    command = f"letter {card} --player Ada --set double_chance=6% --set tie_odds=8:1 -o {target}"
    assert "add --set decks=VALUE" in run(f"baccarat {command}")[2]
    assert run(f"baccarat {command} --decks 6 --paper {paper}")[0] == 0
    sheet = Pdf(target.read_bytes())
    pages = [squeezed(sheet.text(page)) for page in range(len(sheet))]
    made = letter_of(
        load(card).game(double_chance="6%", tie_odds="8:1", decks=6),
        player="Ada",
        agreed=["decks", "tie_odds", "double_chance"],
        on=DAY,
    )
    assert len(made.agreements) == 3
    for agreement in made.agreements:
        [page] = [text for text in pages if squeezed(agreement.meaning) in text]
        assert page.count("asagreed") == page.count("Youandthehousehaveagreed:")
        last = agreement.mean or agreement.bets[-1]
        assert squeezed("".join(last.edges)) in page
    assert sheet.outside(MARGIN) == []
    assert all(sheet.ink(page) > 0.01 for page in range(len(sheet)))


def test_the_letter_command(tmp_path):
    target = tmp_path / "x.pdf"
    command = f"letter double-chance --player 'Ada Example' --set double_chance=6% -o {target}"
    assert run(f"baccarat {command} --date 2026-11-15")[:2] == (0, f"Written: {target}\n")
    assert "15November2026" in Pdf(target.read_bytes()).squeezed
    assert run(f"baccarat {command} --json")[0] == 0


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("letter double-chance --player Ada", "value of double_chance, from 2% to 10%"),
        ("letter double-chance --player Ada", "add --set double_chance=VALUE"),
        ("letter double-chance --set double_chance=6%", "--player"),
        ("letter double-chance --player Ada --set double_chance=11%", "must be between 2% and 10%"),
        ("letter online --player Ada", "online has no parameter that is agreed with a player"),
        (
            "letter double-chance --player Ada --set double_chance=6% --date 1.5.",
            "--date '1.5.': must be a date such as 2026-11-15",
        ),
        (
            f"letter double-chance --player {'x' * 301} --set double_chance=6%",
            "invalid name of the player 'xxx",
        ),
    ],
)
def test_bad_input_gets_one_clear_sentence(command, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, printed, complaint = run(f"baccarat {command}")
    assert (status, printed) == (2, "")
    assert expected in complaint
    assert complaint.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def agreed_on(old: str, new: str, **values: str):
    """Return a game of punto-banco with a text in its file replaced."""
    text = find("punto-banco").read_text(encoding="utf-8")
    assert old in text
    return check_text(text.replace(old, new, 1), name="x").draft.card().game(**values)


def test_an_agreement_can_affect_every_bet():
    game = agreed_on('set_by = "poster"', 'set_by = "agreement"', decks="6")
    made = letter_of(game, player="Ada", agreed=["decks"], on=DAY)
    [agreement] = made.agreements
    assert [row.name for row in agreement.bets] == [bet.name for bet in game.bets]
    assert len(agreement.plot) == 4
    sheet = Pdf(letter_pdf(made))
    assert (len(sheet), sheet.outside(MARGIN)) == (1, [])


def test_an_agreement_that_affects_no_edge_is_refused():
    game = agreed_on(
        'minimum = "5:1"\nmaximum = "9:1"\nset_by = "table"',
        'minimum = "9:1"\nmaximum = "9:1"\nset_by = "agreement"',
    )
    with pytest.raises(Exception, match="tie_odds does not affect any house edge of punto-banco"):
        letter_of(game, player="Ada", agreed=["tie_odds"], on=DAY)
