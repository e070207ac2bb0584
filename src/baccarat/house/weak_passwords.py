"""Passwords that are guessed first: common ones, rows of keys, and the account's own name.

The words were collected by hand from what published lists of leaked passwords have in common, with
those of a casino. A word counts with digits and signs around it, and with digits for letters.
"""

import unicodedata
from itertools import pairwise

WORDS = """
password passwort passwd passcode passphrase secret topsecret mysecret welcome letmein login
signin access admin administrator root superuser user guest default changeme change temp temporary
test tester testing testtest demo sample example master computer internet network server system
security private public office company monkey dragon shadow sunshine princess football baseball
basketball hockey soccer softball volleyball tennis cricket rugby superman batman spiderman
ironman wolverine starwars pokemon naruto minecraft fortnite iloveyou iloveu loveyou loveme lover
lovely lovers ihateyou fuckyou fuckoff asshole whatever trustno trustnoone trustme michael
jennifer jordan ashley charlie daniel jessica michelle nicole hunter hannah thomas robert matthew
andrew joshua amanda anthony samantha elizabeth alexander alexandra christian christopher
christina victoria patrick stephanie melissa benjamin jonathan william richard joseph natalie
vanessa veronica sebastian francesco alessandro giuseppe liverpool chelsea arsenal barcelona
realmadrid juventus manchester everton rangers celtic dortmund chocolate butterfly sweetheart
sweety babygirl babyboy beautiful friends forever family mother father brother sister freedom
flower flowers cheese cookie cookies banana orange apple cherry strawberry pumpkin summer winter
spring autumn january february march april june july august september october november december
monday tuesday wednesday thursday friday saturday sunday google facebook youtube twitter instagram
linkedin amazon microsoft windows samsung android iphone nokia sony nintendo playstation london
newyork america england scotland ireland germany france italia espana athens hello helloworld
hellokitty goodluck mustang ferrari porsche corvette mercedes harley yamaha suzuki toyota ginger
pepper buster killer tigger snoopy garfield mickey matrix phoenix thunder lightning midnight
diamond silver golden gold purple rainbow angel angels heaven jesus jesuschrist blessed godisgood
victory success winner champion rockstar metallica slipknot eminem nirvana beatles elvis alpha
omega delta qazwsx qazwsxedc casino poker baccarat blackjack roulette jackpot puntobanco lucky
luckyme fortune dealer cashier banker player pitboss croupier money cash dollar million
millionaire gambling gambler betting bigwin correcthorsebatterystaple
"""
COMMON = frozenset(WORDS.split())
ROWS = (
    *("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"),
    *("qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "!@#$%^&*()", '!"£$%^&*()'),
    *("1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik", "qazwsxedcrfvtgbyhnujmik", "1q2w3e4r5t6y7u8i9o0p"),
    *("q1w2e3r4t5y6u7i8o9p0", "a1b2c3d4e5f6g7h8"),
)
"""Characters that follow each other: letters, digits, keys."""
_PAIRS = frozenset(
    pair for row in ROWS for one, other in pairwise(row) for pair in (one + other, other + one)
)
_FOR_LETTERS = [str.maketrans("01345789@$!", f"o{one}eastbgas{one}") for one in "il"]
SHORT_NUMBER = 12
"""Only digits, and fewer than this: dates and telephone numbers are tried first."""
LEAST_FREE = 4
"""Characters beside rows of keys, or beside the account's own name."""


def weakness(password: str, *own: str, house: str = "") -> str | None:
    """Why a password is too easy to guess; None for one that is not known to be.

    `own` are the account's id and name, which it may not contain; `house` is the house's name,
    which it may not be.
    """
    text = _folded(password)
    if any(len(name) > 2 and name in _joined(text) for name in map(_joined, own)):
        return "contains your own id or name"
    words = [word for name in own for word in _folded(name).split() if len(word) > 2]
    if any(word in text and len(text) - len(word) < LEAST_FREE for word in words):
        return "is little more than your own name"
    if text.isdigit() and len(text) < SHORT_NUMBER:
        return "is a short number"
    if _is_common(text) or (house and _core(text) == _core(_folded(house))):
        return "is one of the most common passwords"
    if _repeats(text) or _free(text) < LEAST_FREE:
        return "is a row of keys or a repeated pattern"
    return None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _joined(text: str) -> str:
    return "".join(one for one in _folded(text) if one.isalnum())


def _core(text: str) -> str:
    """Without digits, signs and spaces around it, and without those between words."""
    letters = [place for place, one in enumerate(text) if one.isalpha()]
    inner = text[letters[0] : letters[-1] + 1] if letters else ""
    return "".join(one for one in inner if not one.isspace() and one not in "-_.")


def _is_common(text: str) -> bool:
    tried = {_core(text), *(_core(text.translate(one)) for one in _FOR_LETTERS)}
    tried |= {_core(text).translate(one) for one in _FOR_LETTERS}
    return not COMMON.isdisjoint(tried)


def _repeats(text: str) -> bool:
    """Is it one short piece over and over, perhaps cut off at the end?"""
    return any(
        all(one == text[place % period] for place, one in enumerate(text))
        for period in range(1, min(6, len(text) // 2) + 1)
    )


def _free(text: str) -> int:
    """Characters that stand in no row of three or more, of one key or of neighbours."""
    free, run = 0, 1
    for place in range(1, len(text) + 1):
        before, here = text[place - 1], text[place : place + 1]
        if here and (here == before or before + here in _PAIRS):
            run += 1
        else:
            free += run if run < 3 else 0
            run = 1
    return free
