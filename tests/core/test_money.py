"""Odds, percentages, coins and rounding."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.core.errors import GameError
from baccarat.core.money import (
    Rounding,
    decimal_string,
    format_coins,
    parse_coins,
    parse_number,
    parse_odds,
    ratio,
    short_decimal,
    winnings,
)

ODDS = st.fractions(Fraction(1, 100), 250, max_denominator=100).filter(lambda odds: odds > 0)
STAKES = st.integers(1, 10**9)


@pytest.mark.parametrize(
    ("text", "odds"), [("19:20", "19/20"), (" 9:1 ", "9"), ("95:100", "19/20")]
)
def test_odds_are_parsed(text, odds):
    assert parse_odds(text) == Fraction(odds)


@pytest.mark.parametrize("text", ["", "9", "9:0", "0:1", "-9:1", "9/1", "1.5:1", "9:1:1", "a:b"])
def test_invalid_odds_are_named(text):
    with pytest.raises(GameError, match=f"^{text!r} is not valid odds"):
        parse_odds(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", "8"),
        ("9:1", "9"),
        ("10%", "1/10"),
        ("2.5%", "1/40"),
        ("0.1", "1/10"),
        ("1/10", "1/10"),
        (" 2 ", "2"),
    ],
)
def test_numbers_are_parsed(text, value):
    assert parse_number(text) == Fraction(value)


@pytest.mark.parametrize("text", ["", "eight", "-8", "1/0", "0:1", "1e3", "%", "1/2%", "1.", ".5"])
def test_invalid_numbers_are_named(text):
    with pytest.raises(GameError, match=f"^{text!r} is not "):
        parse_number(text)


@pytest.mark.parametrize(
    ("text", "coins"),
    [("25", 2500), ("0.10", 10), ("0.1", 10), ("0.01", 1), ("0", 0), (" 7.05 ", 705)],
)
def test_amounts_are_parsed(text, coins):
    assert parse_coins(text) == coins


@pytest.mark.parametrize("text", ["", "-1", "0.001", "1e3", "£5", "ten", "1.", ".5"])
def test_invalid_amounts_are_named(text):
    with pytest.raises(GameError, match=f"^{text!r} is not an amount"):
        parse_coins(text)


@given(st.integers(0, 99_999))
def test_formatted_amounts_are_parsed_back(coins):
    assert parse_coins(format_coins(coins)) == coins


@given(st.integers(-(10**14), 10**14))
def test_amounts_are_written_with_two_decimals(coins):
    written = format_coins(coins).replace(",", "")
    assert Fraction(written) * 100 == coins
    assert written[-3] == "."


@given(STAKES, ODDS)
def test_a_whole_payout_is_never_rounded(stake, odds):
    stake *= odds.denominator
    assert {winnings(stake, odds, rounding) for rounding in Rounding} == {stake * odds}


@given(STAKES, ODDS)
def test_rounding_policies(stake, odds):
    exact = stake * odds
    down, up, half_up, half_even = (
        winnings(stake, odds, policy)
        for policy in (Rounding.DOWN, Rounding.UP, Rounding.HALF_UP, Rounding.HALF_EVEN)
    )
    assert down <= exact < down + 1
    assert up - 1 < exact <= up
    assert half_even == round(exact)  # Python rounds halves to even
    assert half_up - Fraction(1, 2) <= exact < half_up + Fraction(1, 2)


@given(STAKES, ODDS)
def test_without_a_policy_a_fractional_payout_is_refused(stake, odds):
    if stake % odds.denominator:
        with pytest.raises(GameError, match="does not pay a whole number of coins"):
            winnings(stake, odds)
    else:
        assert winnings(stake, odds) == stake * odds


@pytest.mark.parametrize(
    ("policy", "paid"),
    [("down", [9, 28]), ("up", [10, 29]), ("half-up", [10, 29]), ("half-even", [10, 28])],
)
def test_half_coins_at_nineteen_to_twenty_are_rounded_by_policy(policy, paid):
    """10 coins win 9.5 and 30 coins win 28.5."""
    odds = parse_odds("19:20")
    assert [winnings(stake, odds, Rounding(policy)) for stake in (10, 30)] == paid


@given(st.fractions(-10, 10), st.integers(0, 12))
def test_a_decimal_string_is_the_nearest_decimal(value, digits):
    written = Fraction(decimal_string(value, digits))
    assert abs(written - value) <= Fraction(1, 2 * 10**digits)
    assert written == round(value * 10**digits) / Fraction(10**digits)
    assert Fraction(short_decimal(value, digits)) == written


@pytest.mark.parametrize(
    ("value", "digits", "written", "short"),
    [
        ("5/2", 10, "2.5000000000", "2.5"),
        ("8", 2, "8.00", "8"),
        ("-1/3", 4, "-0.3333", "-0.3333"),
        ("-1/3000", 2, "0.00", "0"),
        ("100", 0, "100", "100"),
        ("1/2", 0, "0", "0"),
    ],
)
def test_decimal_strings(value, digits, written, short):
    assert decimal_string(Fraction(value), digits) == written
    assert short_decimal(Fraction(value), digits) == short


@given(st.fractions())
def test_a_ratio_is_exact(value):
    assert Fraction(ratio(value)) == value
    assert "/" in ratio(value)
