"""Odds, percentages, coins, and the only function that rounds a payout.

Stakes and payouts are whole coins (pence, cents). Odds are fractions. No floats are used.
"""

import re
from enum import StrEnum
from fractions import Fraction

from baccarat.core.errors import GameError

COINS_PER_UNIT = 100
"""Coins in a unit of currency: pence in a pound, cents in a euro."""

_ODDS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")
_NUMBER = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)(%?)|([0-9]{1,12})/([0-9]{1,12})")
_AMOUNT = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.([0-9]{1,2}))?")


class Rounding(StrEnum):
    """What the house does with a payout that is not a whole number of coins."""

    REFUSE = "refuse"
    DOWN = "down"
    UP = "up"
    HALF_UP = "half-up"
    HALF_EVEN = "half-even"


def parse_odds(text: str) -> Fraction:
    """Parse odds such as '19:20' as the net win per unit staked, 19/20."""
    match = _ODDS.fullmatch(text.strip())
    if match is None or not int(match[1]) or not int(match[2]):
        raise GameError(
            f"{text!r} is not valid odds: write two whole numbers above zero, such as 19:20"
        )
    return Fraction(int(match[1]), int(match[2]))


def parse_number(text: str) -> Fraction:
    """Parse a parameter's value: '8', '9:1', '10%', '0.1' or '1/10'."""
    stripped = text.strip()
    if ":" in stripped:
        return parse_odds(stripped)
    match = _NUMBER.fullmatch(stripped)
    if match is None or (match[4] is not None and int(match[4]) == 0):
        raise GameError(f"{text!r} is not a number: write 8, 9:1, 10%, 0.1 or 1/10")
    if match[3] is not None:
        return Fraction(int(match[3]), int(match[4]))
    return Fraction(match[1]) / (100 if match[2] else 1)


def parse_coins(text: str) -> int:
    """Parse an amount of money such as '0.10' or '25', and return it in coins."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise GameError(f"{text!r} is not an amount of money; write it like 25 or 0.10")
    return int(match[1].replace(",", "")) * COINS_PER_UNIT + int((match[2] or "0").ljust(2, "0"))


def format_coins(coins: int) -> str:
    """Format coins as an amount of money: 1234 as '12.34'."""
    units, rest = divmod(abs(coins), COINS_PER_UNIT)
    return f"{'-' if coins < 0 else ''}{units:,}.{rest:02}"


def winnings(stake: int, odds: Fraction, rounding: Rounding = Rounding.REFUSE) -> int:
    """Return the winnings of a stake in whole coins, not including the returned stake."""
    whole, rest = divmod(stake * odds.numerator, odds.denominator)
    if rest == 0:
        return whole
    twice = 2 * rest - odds.denominator
    match rounding:
        case Rounding.REFUSE:
            raise GameError(
                f"a stake of {format_coins(stake)} does not pay a whole number of coins at "
                f"{odds.numerator}:{odds.denominator}: stake a multiple of "
                f"{format_coins(odds.denominator)}"
            )
        case Rounding.DOWN:
            return whole
        case Rounding.UP:
            return whole + 1
        case Rounding.HALF_UP:
            return whole + (twice >= 0)
        case Rounding.HALF_EVEN:
            return whole + (twice > 0 or (twice == 0 and whole % 2 == 1))


def net_result(stake: int, pay: Fraction, rounding: Rounding = Rounding.REFUSE) -> int:
    """Return a stake's net result in coins: its winnings, 0 for a stand-off, or minus the lost
    stake."""
    return winnings(stake, pay, rounding) if pay > 0 else int(pay * stake)


def decimal_string(value: Fraction, digits: int = 10) -> str:
    """Format an exact value as a decimal, correctly rounded (half to even)."""
    scaled = round(value * 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{rest:0{digits}}" if digits else f"{sign}{whole}"


def short_decimal(value: Fraction, digits: int = 10) -> str:
    """Format a value as a decimal without trailing zeros: 5/2 as '2.5', 8 as '8'."""
    text = decimal_string(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent_string(value: Fraction, digits: int = 4) -> str:
    """Format a fraction as a percentage: 0.012351 as '1.2351%'. Negative values get a minus sign
    (−), not a hyphen."""
    return f"{decimal_string(value * 100, digits)}%".replace("-", "−")


def ratio(value: Fraction) -> str:
    """Format an exact value as 'numerator/denominator' for other programs; 8 becomes '8/1'."""
    return f"{value.numerator}/{value.denominator}"
