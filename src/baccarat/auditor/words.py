"""Amounts as people read them in findings.

In go coins, out comes an amount of money. The one rule: whatever somebody wrote where a number of
coins belongs is shown as it stands.
"""

from typing import Any

NO_NUMBER = -(2**63)
"""For a number that is none."""


def money(coins: Any) -> str:
    """1234 to '12.34', as everywhere in this program."""
    if type(coins) is not int or coins == NO_NUMBER:
        return "no number" if coins == NO_NUMBER else repr(coins)
    units, rest = divmod(abs(coins), 100)
    return f"{'-' if coins < 0 else ''}{units:,}.{rest:02}"
