"""Names that people choose, which others see: none that looks like nothing, or like another.

A name is written in one script (with Latin letters beside Chinese, Japanese and Korean ones, as
people there write), has at least one letter or digit, and no character that cannot be seen. This is
the "highly restrictive" level of Unicode's report on security (UTS 39), told by the names of
characters, which the standard library has.
"""

import unicodedata

from baccarat.house.roles import LONGEST_NAME

INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that are shown as nothing, although they count as letters, marks or symbols."""
TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "HANGUL"})
"""Scripts that are written together, and with Latin letters."""
MOST_MARKS = 2
"""Accents on one letter that are characters of their own."""

RESERVED = (
    *("guest", "pit", "the pit", "dealer", "the dealer", "cashier", "the cashier", "operator"),
    *("house", "the house", "auditor", "the auditor", "the operator"),
)
"""Names by which the house itself speaks: no player has one, or one that looks like it."""
LATIN = str.maketrans(
    # Greek, Cyrillic, Cherokee and Lisu letters that look like Latin ones.
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυϲϳ"
    "АВСЕНІЈКМОРЅТХУҮԌԚԜасеһіјорѕхуԁԛԝ"
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏩᏳᏴ"
    "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ",
    "ABEZHIKMNOPTYXavopucj"
    "ABCEHIJKMOPSTXYYGQWacehijopsxydqw"
    "DRTiYAJEWMHYGhZRWSVSLCPKdGGB"
    "BPDTGKJCZFMNLSRVHWXYAEIOU",
)
SIMILAR = str.maketrans("εικτχωγвкмнт01i35", "elktxwybkmhtolles")
"""Letters and digits that look similar, once a name is in small letters."""


def tidy(name: str) -> str:
    """A name without spaces around it, with one space between words, composed."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


def fault_of(name: str) -> str | None:
    """What is wrong with a name, or None."""
    if not 0 < len(name) <= LONGEST_NAME:
        return f"must have 1 to {LONGEST_NAME} characters"
    if not name.isprintable() or any(_is_invisible(one) for one in name):
        return "has characters that cannot be seen: leave them out"
    if name != tidy(name):
        return "has spaces around it, or several between words: leave them out"
    if name != unicodedata.normalize("NFKC", name):
        return "has letters in a special form: write them plainly"
    kinds = [unicodedata.category(one)[0] for one in name]
    if not {"L", "N"} & set(kinds):
        return "needs a letter or a digit"
    if kinds[0] == "M" or "M" * (MOST_MARKS + 1) in "".join(kinds):
        return "has more accents than letters carry: leave them out"
    scripts = {_script(one) for one, kind in zip(name, kinds, strict=True) if kind == "L"}
    if len(scripts) > 1 and not scripts <= TOGETHER | {"LATIN"}:
        return "mixes letters of several alphabets, of which some look the same: use one"
    return None


def imitation_of(name: str, *more: str) -> str | None:
    """What is wrong with a player's name that looks like one of the house's, or None.

    `more` are further names of the house. Letters of another alphabet that all look Latin are
    refused as well, since they may spell the name of somebody who works here.
    """
    if skeleton(name) in {skeleton(one) for one in (*RESERVED, *more)}:
        return "looks like a name of the house: choose another"
    letters = [one for one in unicodedata.normalize("NFKC", name) if one.isalpha()]
    if letters and all(ord(one) in LATIN for one in letters):
        return "has only letters that look Latin: write it in Latin letters, or add another name"
    return None


def skeleton(name: str) -> str:
    """Return what a name looks like, the same for names that are taken for one another."""
    plain = unicodedata.normalize("NFKD", name).translate(LATIN).casefold().translate(SIMILAR)
    return "".join(one for one in plain if one.isalnum())


def _is_invisible(character: str) -> bool:
    selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return selector or character in INVISIBLE


def _script(letter: str) -> str:
    """By its name in Unicode: LATIN SMALL LETTER A."""
    return unicodedata.name(letter, "UNKNOWN").split()[0]
