"""PAR sheets: published combinations, sums, bands worked out by hand, and the sheet on paper."""

from fractions import Fraction
from math import exp, lgamma, log, log1p

import pytest

from baccarat.core.money import decimal_string
from baccarat.figures.par_sheet import QUANTILES, ROUNDS, BetSheet, ParSheet, par_sheet_of
from baccarat.loader import built_in_cards, load
from baccarat.poster.par_sheet import content_of
from baccarat.poster.typeset import par_sheet_pdf
from support.sheets import Pdf, squeezed

TOTAL = 4_998_398_275_503_360
"""416 × 415 × 414 × 413 × 412 × 411."""

DRAGON_BONUS = [
    # Wizard of Odds, "Baccarat Side Bets", eight decks: the natural wins, natural ties, and wins by
    # 9 to 4 points of the Player.
    (1, 812_685_054_124_032),
    (0, 89_325_908_267_520),
    (30, 18_409_431_764_992),
    (10, 34_097_645_543_424),
    (6, 89_590_261_473_280),
    (4, 141_238_897_317_888),
    (2, 166_169_165_987_840),
    (1, 186_780_352_174_080),
]

MATCHING_DRAGON = {
    # Wizard of Odds, "Matching Dragon", eight decks: six, five, four, three and two cards.
    "a": (652_458_240, 40_210_759_680, 1_174_231_511_040, 20_748_232_028_160, 227_334_747_041_792),
    "2": (652_458_240, 36_344_340_480, 1_130_651_443_200, 20_753_336_463_360, 229_384_762_118_144),
    "3": (840_162_535_680, 20_047_474_974_720, 233_294_440_835_072),
    "4": (431_482_026_240, 18_841_460_736_000, 237_624_138_319_872),
    "5": (652_458_240, 43_303_895_040, 1_201_241_210_880, 20_626_123_653_120, 225_192_490_123_264),
    "6": (652_458_240, 40_210_759_680, 1_079_228_067_840, 18_905_100_472_320, 219_826_491_219_968),
}


def sheet_of(card: str, bet: str, **parameters: int) -> BetSheet:
    sheet = par_sheet_of(load(card).game(**parameters))
    return next(each for each in sheet.bets if each.bet.id == bet)


def test_combinations_are_the_published_ones_even_of_lines_that_pay_the_same():
    *lines, loss = sheet_of("dragon-bonus", "player-6-4-2-1").outcomes
    assert [(outcome.pays, outcome.combinations) for outcome in lines] == DRAGON_BONUS
    assert (loss.line, loss.pays) == (None, -1)
    assert loss.combinations == TOTAL - sum(number for _, number in DRAGON_BONUS)


def test_combinations_of_ranks_are_the_published_ones():
    bets = {bet.bet.id: bet for bet in par_sheet_of(load("matching-dragon").game()).bets}
    for rank, published in MATCHING_DRAGON.items():
        *several, _, _ = bets[f"{rank}-40-20-3"].outcomes  # without one card of the rank, and none
        assert tuple(outcome.combinations for outcome in several) == published


@pytest.mark.parametrize("card", [*built_in_cards(), "dragon-bonus", "lucky-7", "lucky-nines"])
def test_every_sum_is_the_bet_s_figure(card):
    sheet = par_sheet_of(load(card).game())
    assert sheet.total == TOTAL
    for bet in sheet.bets:
        assert sum(outcome.combinations for outcome in bet.outcomes) == TOTAL
        assert sum(outcome.probability for outcome in bet.outcomes) == 1
        assert sum(outcome.contribution for outcome in bet.outcomes) == -bet.figures.edge
        assert sum(outcome.returned for outcome in bet.outcomes) == bet.figures.return_to_player
        squares = sum(outcome.pays**2 * outcome.probability for outcome in bet.outcomes)
        assert squares - bet.figures.expectation**2 == bet.figures.variance


def test_figures_by_number_of_decks():
    rows = {row.decks: row for row in sheet_of("dragon-bonus", "banker-6-4-2-1").by_decks}
    assert [*rows] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert decimal_string(rows[4].edge * 100, 6) == "9.421171"
    assert decimal_string(rows[6].edge * 100, 6) == "9.388930"
    here = sheet_of("dragon-bonus", "banker-6-4-2-1", decks=6)
    assert (here.figures.edge, here.figures.variance) == (rows[6].edge, rows[6].variance)


def test_volatility_and_bands_of_a_bet_with_one_payout():
    """For a bet that wins n to one with chance p, the variance is p(1 − p)(n + 1)²."""
    bet = sheet_of("three-giving-eight", "3-giving-8-at-200")
    p = Fraction(22_708_577_366_016, TOTAL)
    deviation = float(p * (1 - p)) ** 0.5 * 201
    assert float(bet.volatility_index) == pytest.approx(1.644854 * deviation, rel=1e-6)
    bands = {(band.rounds, band.confidence): band for band in bet.bands}
    assert [*bands] == [(rounds, level) for rounds in ROUNDS for level in QUANTILES]
    band = bands[10**6, "95%"]
    assert float(band.high - band.low) == pytest.approx(2 * 1.959964 * deviation / 1000, rel=1e-6)
    assert (band.low + band.high) / 2 == 201 * p
    # Berry-Esseen: the third absolute moment of a Bernoulli variable is p(1 − p)(p² + (1 − p)²).
    third = float(p**2 + (1 - p) ** 2) / float(p * (1 - p)) ** 0.5
    assert float(band.error) == pytest.approx(2 * 0.4748 * third / 1000, rel=1e-6)


@pytest.mark.parametrize("rounds", [10**4, 10**5])
def test_the_true_confidence_is_within_the_stated_error(rounds):
    """The number of wins is binomial, so the confidence of a band can be summed."""
    bet = sheet_of("three-giving-eight", "3-giving-8-at-200")
    p = float(bet.figures.hit)
    for band in bet.bands:
        if band.rounds == rounds:
            inside = (k for k in range(1500) if band.low <= Fraction(201 * k, rounds) <= band.high)
            true = sum(_binomial(rounds, k, p) for k in inside)
            nominal = float(band.confidence.rstrip("%")) / 100
            assert abs(true - nominal) <= band.error


def _binomial(n: int, k: int, p: float) -> float:
    ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return exp(ways + k * log(p) + (n - k) * log1p(-p))


def test_rare_bets_have_an_error_that_says_so():
    first = next(sheet_of("egalite", "egalite-2", decks=1).bands)
    assert first.error > Fraction(1, 10)


def paper(sheet: ParSheet) -> Pdf:
    return Pdf(par_sheet_pdf(content_of(sheet, program="baccarat test")))


@pytest.mark.parametrize("card", ["punto-banco", "lucky-7", "super-baccarat"])
def test_the_pdf_is_valid_and_has_every_figure(card):
    sheet = par_sheet_of(load(card).game())
    made = paper(sheet)
    assert made.problems() == []
    assert made.standards == {"A-2a", "UA-1"}
    assert made.outside(8) == []
    assert made.overprinted() == []
    assert sheet.game.card.digest in made.squeezed
    for bet in content_of(sheet, program="").bets:
        for line in (*bet.outcomes, bet.total):
            for text in vars(line).values():
                assert squeezed(text) in made.squeezed
        for fact in bet.figures:
            assert squeezed(fact.label + fact.value) in made.squeezed
        for row in (*bet.bands, *bet.decks):
            texts = row.bands if hasattr(row, "bands") else row.figures
            assert all(squeezed(text) in made.squeezed for text in texts)


def test_the_same_sheet_has_the_same_bytes():
    sheet = par_sheet_of(load("lucky-7").game())
    assert paper(sheet).data == paper(sheet).data
