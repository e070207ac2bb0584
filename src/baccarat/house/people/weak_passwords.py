"""Finds passwords that are easy to guess: common words, keyboard rows and the account's name.

The words in `common_passwords.txt` were collected by hand: words that appear in several published
lists of leaked passwords, and casino vocabulary. A word also matches with digits and punctuation
around it, and with digits in place of letters.
"""

import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path

ROWS = (
    *("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"),
    *("qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "!@#$%^&*()", '!"£$%^&*()'),
    *("1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik", "qazwsxedcrfvtgbyhnujmik", "1q2w3e4r5t6y7u8i9o0p"),
    *("q1w2e3r4t5y6u7i8o9p0", "a1b2c3d4e5f6g7h8"),
)
"""Sequences of letters, digits and neighbouring keys."""
_PAIRS = frozenset(
    pair for row in ROWS for one, other in pairwise(row) for pair in (one + other, other + one)
)
_FOR_LETTERS = [str.maketrans("01345789@$!", f"o{one}eastbgas{one}") for one in "il"]
SHORT_NUMBER = 12
"""All-digit passwords shorter than this are weak: attackers try dates and phone numbers first."""
MIN_UNPREDICTABLE = 4
"""Minimum number of characters in addition to keyboard rows or the account's own name."""


@cache
def common_passwords() -> frozenset[str]:
    """Return the words that attackers try first."""
    path = Path(__file__).with_name("common_passwords.txt")
    return frozenset(path.read_text(encoding="ascii").split())


def weakness(password: str, *own: str, house: str = "") -> str | None:
    """Return why a password is too easy to guess (see `problem-weak-password`), or None.

    `own` are the account's id and name, which the password must not contain. `house` is the house's
    name, which the password must not be equal to.
    """
    text = _folded(password)
    if any(len(name) > 2 and name in _joined(text) for name in map(_joined, own)):
        return "own-name"
    words = [word for name in own for word in _folded(name).split() if len(word) > 2]
    if any(word in text and len(text) - len(word) < MIN_UNPREDICTABLE for word in words):
        return "mostly-name"
    if text.isdigit() and len(text) < SHORT_NUMBER:
        return "number"
    if _is_common(text) or (house and _core(text) == _core(_folded(house))):
        return "common"
    if _repeats(text) or _unpredictable_characters(text) < MIN_UNPREDICTABLE:
        return "pattern"
    return None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _joined(text: str) -> str:
    return "".join(one for one in _folded(text) if one.isalnum())


def _core(text: str) -> str:
    """Return a text without surrounding digits and punctuation, and without word separators."""
    letters = [place for place, one in enumerate(text) if one.isalpha()]
    inner = text[letters[0] : letters[-1] + 1] if letters else ""
    return "".join(one for one in inner if not one.isspace() and one not in "-_.")


def _is_common(text: str) -> bool:
    tried = {_core(text), *(_core(text.translate(one)) for one in _FOR_LETTERS)}
    tried |= {_core(text).translate(one) for one in _FOR_LETTERS}
    return not common_passwords().isdisjoint(tried)


def _repeats(text: str) -> bool:
    """Return whether a text repeats one short piece; the last repetition may be cut off."""
    return any(
        all(one == text[place % period] for place, one in enumerate(text))
        for period in range(1, min(6, len(text) // 2) + 1)
    )


def _unpredictable_characters(text: str) -> int:
    """Count the characters outside runs of three or more repeated or neighbouring keys."""
    free, run = 0, 1
    for place in range(1, len(text) + 1):
        before, here = text[place - 1], text[place : place + 1]
        if here and (here == before or before + here in _PAIRS):
            run += 1
        else:
            free += run if run < 3 else 0
            run = 1
    return free
