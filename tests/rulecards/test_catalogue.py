"""The catalogue: exact edges to six decimals, and verdicts on the published figures.

The figures in catalogue.txt come from an independent count; its first lines say more.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core import facts
from baccarat.core.bets import Line
from baccarat.core.money import decimal_string
from baccarat.figures.par_sheet import par_sheet_of
from baccarat.figures.published import Entry, entries_of
from baccarat.library import check
from baccarat.loader import built_in_cards, catalogue_cards, load
from baccarat.loader.files import find

TABLE = [
    tuple("" if cell == "-" else cell for cell in line.split())
    for line in (Path(__file__).parent / "catalogue.txt").read_text().splitlines()
    if not line.startswith("#")
]

OTHER_READINGS = {
    # The readings that nobody published, beside those in the table.
    ("fabulous-4", "banker-4", "banker-4-winner=player-wins"),
    ("colours", "all-red", "all-red-cards=hand"),
    ("colours", "all-black", "all-black-cards=hand"),
}

TOTAL = 416 * 415 * 414 * 413 * 412 * 411

DRAGON_BONUS = {
    "player": (18_409_431_764_992, 34_097_645_543_424, 89_590_261_473_280, 141_238_897_317_888,
               166_169_165_987_840, 186_780_352_174_080, 812_685_054_124_032, 89_325_908_267_520),
    "banker": (15_390_342_909_952, 28_305_092_784_128, 79_517_099_278_336, 119_200_072_366_080,
               157_275_882_332_160, 201_147_167_287_296, 812_685_054_124_032, 89_325_908_267_520),
}  # fmt: skip
"""Wizard of Odds, "Dragon Bonus": combinations of a win by 9, 8, 7, 6, 5 and 4 points without a
natural, of a natural win and of a natural tie."""

GOLDEN_TALONS = {
    "b": (20, 10, 5, 4, 2, 1, 1, 2),
    "c": (30, 12, 5, 3, 3, 1, 1, 0),
    "d": (20, 8, 7, 4, 3, 1, 1, 0),
}
"""58 Pa. Code § 631b.9: pay tables B, C and D, in the same order."""


def margin_edge(ways: tuple[int, ...], pays: tuple[int, ...]) -> Fraction:
    returned = sum(way * (1 + pay) for way, pay in zip(ways, pays, strict=True))
    return 1 - Fraction(returned, TOTAL)


ADDED = {
    # Wizard of Odds, "Golden Frog": 28,511,182,835,712 combinations at 150 to one.
    ("close-totals", "frog-9-1-drawn"): Fraction(TOTAL - 151 * 28_511_182_835_712, TOTAL),
    # From other rows: the chance of a win with 5 or 6 is 0.0245755 + 0.0625518 + 0.0433571 +
    # 0.0538637, and that of a tie 0.0951560; the chance of four cards is 0.3788685.
    ("knockout", "winning-5-6"): 1
    - Fraction("0.0951560")
    - Fraction("4.5") * Fraction("0.1843481"),
    ("number-of-cards", "small-145"): 1 - Fraction("2.45") * Fraction("0.3788685"),
    ("number-of-cards", "big-53"): 1 - Fraction("1.53") * Fraction("0.6211315"),
    # Counted by dealing every sequence of points, since only eights are worth 8: one to four eights
    # are in 1,429,319,839,928,320, 212,157,913,151,488, 14,755,316,551,680 and 502,955,546,880.
    ("matching-dragon", "8-30-15-2"): Fraction("0.25040185"),
    # Wizard of Odds, "Perfect 9": 1,024 pairs of cards pay 20, 3,072 pay 10, and 4,096 pay 5.
    ("perfect-9", "perfect-9-20-10-5"): Fraction(86_320 - 21 * 1024 - 11 * 3072 - 6 * 4096, 86_320),
    # 888, "Card Counting the Lucky Win Baccarat Side Bet": 12.040%; the last digits are from the
    # independent count.
    ("lucky-win", "player"): Fraction("0.12040040"),
    # 888, "Card Counting the Lucky 8 Baccarat Side Bet": 9.7224%.
    ("lucky-8", "banker-50-25-8-3"): Fraction("0.097224"),
    # Wizard of Odds, "Lucky 99": combinations with two natural nines, and with one on each side.
    ("naturals", "lucky-99"): 1
    - Fraction(25 * 44_838_810_157_056 + 7 * 429_522_620_252_160, TOTAL),
    # Of the 415 cards after the first, 103 have its suit.
    ("royal-match", "same-suit-at-287"): 1 - Fraction("3.87") * Fraction(103, 415),
    ("royal-match", "same-suit-at-286"): 1 - Fraction("3.86") * Fraction(103, 415),
    **{
        ("golden-talons", f"{side}-{letter}"): margin_edge(DRAGON_BONUS[side], pays)
        for side in DRAGON_BONUS
        for letter, pays in GOLDEN_TALONS.items()
    },
}
"""Bets that are not in the table, with their edges from other published figures."""

OTHER_DECKS = """
    dragon-bonus     player-6-4-2-1  4  2.699831
    dragon-bonus     banker-6-4-2-1  4  9.421171
    dragon-bonus     player-6-4-2-1  6  2.667513
    dragon-bonus     banker-6-4-2-1  6  9.388930
    number-of-cards  4-cards         6  5.268737
    number-of-cards  5-cards         6  8.938062
    number-of-cards  6-cards         6  4.739454
    main-bets        player          1  1.286372
    main-bets        banker          1  1.011748
    main-bets        tie-8           1  15.746127
    pairs            pair-at-11      6  11.254019
    pairs            pair-at-11      1  29.411765
    pairs            perfect-pair-25-25  6  17.071609
    pairs            perfect-pair-26-26  6  13.882055
    royal-match      majestic-match  6  6.665842
    royal-match      majestic-match  4  7.079153
    royal-match      majestic-match  1  10.859729
"""

ROUNDED_PROBABILITY = "the publisher multiplied a probability rounded to six decimals"

FAVOURABLE = {
    ("banker-six", "−2.3411%"),
    ("over-under", "−52.0527%"),
    ("over-under", "−38.3645%"),
}
"""Published bets that favour the bettor."""


@cache
def entries(card: str, decks: int | None = None) -> dict[tuple[str, str], Entry]:
    return {(entry.bet.id, entry.reading): entry for entry in entries_of(load(card), decks)}


def percent(edge: Fraction) -> str:
    return decimal_string(edge * 100, 6)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: " ".join(row[:3]).rstrip())
def test_edges_and_verdicts(row):
    card, bet, reading, exact, published, agrees = row
    entry = entries(card)[bet, reading]
    assert percent(entry.figures.edge) == exact
    first = entry.published[0] if entry.published else None
    assert (first.printed if first else "") == published
    assert ({True: "yes", False: "no"}[first.agrees] if first else "") == agrees


def test_the_table_is_the_whole_catalogue():
    found = {(card, *key) for card in catalogue_cards() for key in entries(card)}
    added = {(*key, "") for key in ADDED}
    assert found == {row[:3] for row in TABLE} | OTHER_READINGS | added
    assert len(TABLE) == len({row[:3] for row in TABLE})


@pytest.mark.parametrize("key", ADDED, ids=" ".join)
def test_edges_of_further_bets(key):
    card, bet = key
    edge = float(entries(card)[bet, ""].figures.edge)
    assert edge == pytest.approx(float(ADDED[key]), abs=5e-7)


@pytest.mark.parametrize("line", OTHER_DECKS.strip().splitlines(), ids=str.strip)
def test_other_numbers_of_decks(line):
    card, bet, decks, exact = line.split()
    entry = entries(card, int(decks))[bet, ""]
    assert (entry.decks, percent(entry.figures.edge)) == (int(decks), exact)
    assert entry.published


def test_every_figure_that_is_not_confirmed_has_a_reason_in_its_card():
    for name in catalogue_cards():
        card = load(name)
        reasons = {claim.reason for claim in card.claims} - {""}
        for decks in {claim.at.get("decks", Fraction(8)) for claim in card.claims}:
            for entry in entries(name, int(decks)).values():
                for published in entry.published:
                    assert published.agrees == (published.reason == "")
                    assert published.agrees or published.reason in reasons, (name, published)


def test_every_published_figure_has_a_source():
    for name in catalogue_cards():
        sources = {claim.source for claim in load(name).claims}
        assert sources.isdisjoint({"", "not recorded"}), name


def test_figures_from_rounded_probabilities_follow_from_them():
    """A bet with one payout, whose chance was rounded to six decimals before it was multiplied."""
    checked = 0
    for name, decks in (("egalite", 8), ("number-of-cards", 8), ("number-of-cards", 6)):
        for entry in entries(name, decks).values():
            for published in entry.published:
                if published.reason == ROUNDED_PROBABILITY:
                    chance = Fraction(decimal_string(entry.figures.hit, 6))
                    edge = 1 - chance * (entry.bet.lines[0].pays + 1)
                    digits = len(published.printed.partition(".")[2]) - 1
                    assert decimal_string(edge * 100, digits) + "%" == published.printed
                    checked += 1
    assert checked == 9 + 2 + 2


def test_what_the_publisher_of_lucky_8_left_out():
    """Own suited hands while the other side stood: 8,230,060,380,160 in the publisher's table are
    those while both sides drew, less the double."""
    suited = {"player_total": 8, "player_cards": 3, "player_suits": 1}
    conditions = {
        "both-drew": suited | {"banker_cards": 3},
        "double": suited | {"banker_total": 8, "banker_cards": 3, "banker_suits": 1},
        "all": suited,
    }
    game = load("lucky-8").game()
    bets = [
        replace(game.bets[0], id=name, lines=(Line(all_of(values), Fraction(1)),))
        for name, values in conditions.items()
    ]
    found = analyse(replace(game, bets=tuple(bets)))
    ways = {name: found[name].hit * TOTAL for name in conditions}
    assert ways["double"] == 38_708_182_784
    assert ways["both-drew"] - ways["double"] == 8_230_060_380_160
    assert ways["all"] > ways["both-drew"]


def all_of(values: dict[str, int]) -> facts.All:
    return facts.All(tuple(facts.Test(fact, frozenset({value})) for fact, value in values.items()))


def test_what_the_publisher_of_lucky_nines_left_out():
    """Three suited nines and another card: 56 × 384 hands for each of four suits, not three."""
    bet = par_sheet_of(load("lucky-nines").game()).bets[0]
    suited = next(outcome for outcome in bet.outcomes if outcome.pays == 250)
    orders = 24 * 412 * 411
    assert suited.combinations == 4 * 56 * 384 * orders
    unsuited = Fraction((86_016 - 64_512) * orders, TOTAL)  # in the publisher's table
    assert decimal_string((bet.figures.edge + unsuited * (250 - 20)) * 100, 4) == "19.4605"


@pytest.mark.parametrize("name", catalogue_cards())
def test_cards_have_no_fault_except_odds_that_favour_the_bettor(name):
    for finding in check(name):
        assert (name, finding.problem.rpartition(" ")[2]) in FAVOURABLE, finding


@pytest.mark.parametrize("name", catalogue_cards())
def test_cards_can_be_named_by_their_ids(name):
    assert load(name).id == name
    assert name not in built_in_cards()
    assert (Path(__file__).parents[2] / "examples" / "catalogue" / f"{name}.toml").samefile(
        find(name)
    )
