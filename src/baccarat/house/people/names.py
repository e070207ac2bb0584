"""Display names, which must not be invisible or look like someone else's.

When an account is opened, the store compares the `skeleton` of its name with the skeletons of all
other names.

A name must use one script (except that Latin letters may be combined with Chinese, Japanese and
Korean, as is usual there), must contain at least one letter or digit, and must not contain
invisible characters. This is the "highly restrictive" level of Unicode's security report (UTS 39);
scripts are determined from the character names in the standard library.
"""

import unicodedata
from typing import NamedTuple

from baccarat.house.people.roles import LONGEST_NAME
from baccarat.table.refusals import Code, Refused

INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that are displayed as blank, although they count as letters, marks or symbols."""
MIXED_SCRIPTS = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "HANGUL"}
)
"""Scripts that may be combined with each other and with Latin letters."""
MAX_MARKS = 2
"""Maximum number of combining accents on one letter."""

RESERVED = (
    *("guest", "pit", "the pit", "dealer", "the dealer", "cashier", "the cashier", "operator"),
    *("house", "the house", "auditor", "the auditor", "the operator"),
)
"""Names that stand for the house, which a player's name must not resemble."""
LATIN = str.maketrans(
    # Greek, Cyrillic, Cherokee, Lisu and phonetic letters that look like Latin ones.
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυϲϳ"
    "АВСЕНІЈКМОРЅТХУҮԌԚԜасеһіјорѕхуԁԛԝ"
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏩᏳᏴ"
    "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ"
    "ıɩȷɑɡᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "ABEZHIKMNOPTYXavopucj"
    "ABCEHIJKMOPSTXYYGQWacehijopsxydqw"
    "DRTiYAJEWMHYGhZRWSVSLCPKdGGB"
    "BPDTGKJCZFMNLSRVHWXYAEIOU"
    "iijagabcdefghijklmnoprstuvwyz",
)
SIMILAR = str.maketrans("εικτχωγвкмнт01i35", "elktxwybkmhtolles")
"""Letters and digits that look similar in lower case."""
ALIKE = (("rn", "m"), ("vv", "w"))
"""Letter pairs that look like a single letter."""
ACCENTS = frozenset(map(chr, range(0x300, 0x370)))
"""Marks on Latin, Greek and Cyrillic letters."""


class ProposedName(NamedTuple):
    """The name of a proposed account, which a second person must confirm."""

    account: str
    name: str
    entry: int
    """Number of the journal entry that proposed the account."""


def tidy(name: str) -> str:
    """Return a name in NFC, without surrounding spaces and with single spaces between words."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


def bad_name(name: str, why: str) -> Refused:
    return Refused(Code.NOT_ALLOWED, "bad-name", why=why, name=name, most=LONGEST_NAME)


def check_name(name: str) -> None:
    """Raise Refused if a name is not valid."""
    if fault := _fault_of(name):
        raise bad_name(name, fault)


def _fault_of(name: str) -> str | None:
    if not 0 < len(name) <= LONGEST_NAME:
        return "length"
    if not name.isprintable() or any(_is_invisible(one) for one in name):
        return "invisible"
    if name != tidy(name):
        return "spaces"
    if name != unicodedata.normalize("NFKC", name):
        return "special-letters"
    kinds = [unicodedata.category(one)[0] for one in name]
    if not {"L", "N"} & set(kinds):
        return "no-letter"
    if kinds[0] == "M" or "M" * (MAX_MARKS + 1) in "".join(kinds):
        return "accents"
    scripts = {_script(one) for one, kind in zip(name, kinds, strict=True) if kind == "L"}
    if len(scripts) > 1 and not scripts <= MIXED_SCRIPTS | {"LATIN"}:
        return "alphabets"
    return None


def check_no_imitation(name: str, *more: str) -> None:
    """Raise Refused if a player's name looks like a name of the house.

    `more` are other names that the house uses. Names of other people are compared later, in the
    commit that opens the account.
    """
    if skeleton(name) in {skeleton(one) for one in (*RESERVED, *more)}:
        raise bad_name(name, "of-the-house")


def skeleton(name: str) -> str:
    """Return a form of the name that is equal for all names that can be confused with it.

    The store keeps the skeleton of each account's name, so a change here needs a migration.
    """
    plain = unicodedata.normalize("NFKD", name).translate(LATIN).casefold().translate(SIMILAR)
    kept = "".join(one for one in plain if one.isalnum() or _is_vowel(one))
    for letters, like in ALIKE:
        kept = kept.replace(letters, like)
    return kept


def _is_vowel(character: str) -> bool:
    """Return whether a combining character is a vowel sign or similar, and not just an accent.

    Such marks, for example in Hindi, Thai or Japanese, make a different word.
    """
    return unicodedata.category(character)[0] == "M" and character not in ACCENTS


def _is_invisible(character: str) -> bool:
    selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return selector or character in INVISIBLE


def _script(letter: str) -> str:
    """Return a letter's script: the first word of its Unicode name, as in LATIN SMALL LETTER A."""
    return unicodedata.name(letter, "UNKNOWN").split()[0]
