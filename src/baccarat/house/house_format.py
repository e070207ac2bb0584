"""The format of house.toml: every key with its type, meaning and default."""

import re
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from baccarat.core.money import parse_coins
from baccarat.house.safety.periods import UTC_DAY
from baccarat.house.safety.profiles import BONUS_MOST, DEFAULT, LARGE_WIN, Breach, OnWithdrawal
from baccarat.loader import kinds as k
from baccarat.loader.schema import Key, Table, Tables
from baccarat.shoe import BURN, CUT, Burn
from baccarat.shoe.commitment import Source
from baccarat.table.settings import DummyRefund, Excess, Pace

DECIDE_ALONE = parse_coins("100")
CASH_ALONE = parse_coins("2000")
CASH_DAY_ALONE = 10 * CASH_ALONE
RESULT_ALARM = 10_000
LONGEST_WAIT = 24 * 3600


def _seconds(raw: Any) -> int | None:
    """Convert seconds, such as 20 or "1.5", to milliseconds; floats are refused as inexact."""
    text = str(raw) if isinstance(raw, int | str) and not isinstance(raw, bool) else ""
    match = re.fullmatch(r"([0-9]{1,6})(?:\.([0-9]{1,3}))?", text)
    if match is None or int(match[1]) > LONGEST_WAIT:
        return None
    return int(match[1]) * 1000 + int((match[2] or "0").ljust(3, "0"))


def _zone(raw: Any) -> str | None:
    """Return the name of a time zone if it is known."""
    try:
        return ZoneInfo(raw).key
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError):
        return None


def _colour(raw: Any) -> str | None:
    return raw.lower() if isinstance(raw, str) and re.fullmatch("#[0-9a-fA-F]{6}", raw) else None


COLOUR = k.parsed("a colour", _colour, 'six hexadecimal digits after a #, such as "#7a0019"')


def _digest(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and re.fullmatch("[0-9a-f]{64}", raw) else None


DIGEST = k.parsed("a SHA-256 digest", _digest, "64 hexadecimal digits, in quotes")


def _webhook(raw: Any) -> str | None:
    """Return an address with https, or http on this machine, and no password; otherwise None."""
    pattern = r"(https://[\w.-]+|http://(127\.0\.0\.1|localhost))(:\d{1,5})?(/[!-~]{0,300})?"
    return raw if re.fullmatch(pattern, raw) else None


WEBHOOK = k.parsed(
    "an allowed address", _webhook, '"https://HOST/…", or "http://localhost…" on this machine'
)
ZONE = k.parsed("a time zone", _zone, 'a name such as "Europe/Athens" or "UTC"')
SECONDS = k.parsed("a number of seconds", _seconds, 'whole seconds, or "1.5" in quotes')
TERMS = k.table_of(
    k.TEXT, "terms", 'parameters and values in quotes such as { double_chance = "2%" }'
)
READINGS = k.table_of(k.TEXT, "readings", 'ambiguities and readings such as { A3 = "standard" }')

_BET = Table(
    "table.bet",
    (
        Key("id", k.IDENTIFIER, "the bet"),
        Key("minimum", k.COINS, "minimum stake on it", None),
        Key("maximum", k.COINS, "maximum stake on it", None),
    ),
)

_TABLE = Table(
    "table",
    (
        Key("id", k.IDENTIFIER, "id of the table; never changed and never reused"),
        Key("name", k.TEXT, "name of the table, as shown to people"),
        Key("pit", k.TEXT, "the table's pit; the floor view groups tables by pit", ""),
        Key("card", k.TEXT, "the rule card: a built-in id, or a file in the same folder"),
        Key("parameters", k.VALUES, "values of the card's parameters at this table", None),
        Key("readings", READINGS, "the reading that applies to each ambiguity", None),
        Key(
            "source",
            k.choice(*Source),
            "where the cards come from: a shoe or a shuffler, dealt by the server, or real cards, "
            "dealt by a dealer",
            str(Source.SHOE),
        ),
        Key("cut", k.whole_number(0, 2000), "number of cards behind the cut card", CUT),
        Key("burn", k.choice(*Burn), "how many cards are burned from a new shoe", str(BURN)),
        Key(
            "pace",
            k.choice(*Pace),
            "how fast the server deals: `fast` (10 s to bet, 1 s a card, 4 s between rounds), "
            "`standard` (20 s, 1.5 s, 5 s) or `slow` (35 s, 2 s, 8 s, and 6 s to turn a card)",
            str(Pace.STANDARD),
        ),
        Key("betting", SECONDS, "time during which bets are open; if omitted, set by pace", None),
        Key("card_pace", SECONDS, "time from one card to the next; if omitted, set by pace", None),
        Key("pause", SECONDS, "time from result to next round; if omitted, set by pace", None),
        Key(
            "deal_now",
            k.FLAG,
            "whether the cards are dealt before the betting time is over if everyone with a bet "
            "asks for them; if omitted, where the profile allows it",
            None,
        ),
        Key(
            "squeeze",
            SECONDS,
            "time in which the player with the largest bet on a side may turn each of its cards; 0 "
            "if no player turns cards; if omitted, set by pace",
            None,
        ),
        Key("contribute", SECONDS, "time to commit to contributions to a shoe; 0 for none", 0),
        Key("reveal", SECONDS, "time to reveal contributions to a shoe; 0 for none", 0),
        Key("minimum", k.COINS, "minimum stake; if omitted, the card's", None),
        Key("maximum", k.COINS, "maximum stake; if omitted, the card's", None),
        Key("coup_maximum", k.COINS, "maximum total stake of one player on a coup", None),
        Key("bet", Tables(_BET), "limits for individual bets, where they differ", ()),
        Key(
            "seats",
            k.whole_number(1, 100_000),
            "maximum number of players who may bet on a round",
            None,
        ),
        Key(
            "standing_offer",
            TERMS,
            "terms that any player may accept with a bet, for values that the card leaves to an "
            "agreement; if omitted, the table's own values",
            None,
        ),
        Key(
            "grants_up_to",
            TERMS,
            "the highest such values that a player can get on request without staff approval; if "
            "omitted, those of the standing offer",
            None,
        ),
        Key("guests", k.FLAG, "whether guests may play here", default=True),
        Key("shoe", k.TEXT, "account of the electronic shoe that reports this table's cards", ""),
        Key("shoe_key", DIGEST, "SHA-256 of the key of the table's electronic shoe", ""),
        Key(
            "excess",
            k.choice(Excess.BURNED, Excess.RETURNED),
            "what happens to an extra card drawn by mistake: burned, or returned to the shoe, with "
            "the next coup dealt without bets; if omitted, it is returned where the rule card "
            "declares reconstruction, and burned elsewhere",
            None,
        ),
        Key(
            "dummy",
            k.choice(*DummyRefund),
            "what players get back from a cancelled round: with `stakes`, all their stakes; with "
            "`better`, bets that had already won, whatever cards would follow, are paid instead "
            "(except after a foreign card)",
            str(DummyRefund.STAKES),
        ),
        Key(
            "error_cut_off",
            k.FLAG,
            "whether the house adds a cut-off for reporting errors (R43) where the rule card has "
            "none: from the first card of the next coup, results stand unless an error has been "
            "reported",
            default=False,
        ),
        Key(
            "inspector",
            k.FLAG,
            "whether the pit must confirm every rectification of a coup, even before the coup is "
            "complete",
            default=False,
        ),
        Key(
            "shuffler",
            k.FLAG,
            "whether real cards come from a shuffling machine, into which they go back after "
            "every coup; there is no cut card",
            default=False,
        ),
        Key(
            "deck_sets",
            k.FLAG,
            "whether every shoe needs a deck set that was counted and shuffled for it",
            default=False,
        ),
    ),
)

_BONUS = Table(
    "bonus",
    (
        Key("times", k.whole_number(0, 100), "how many times a bonus must be wagered", 10),
        Key("days", k.whole_number(1, 366), "number of days until a bonus expires", 30),
        Key("breach", k.choice(*Breach), "what to do about a breach of R37", str(Breach.REFUSE)),
        Key(
            "withdrawal",
            k.choice(*OnWithdrawal),
            "what happens to bonus money when real money is withdrawn",
            str(OnWithdrawal.FORFEIT),
        ),
        Key("most", k.COINS, "the most the pit may grant one player in a day", BONUS_MOST),
    ),
)

_NOTICE = Table(
    "notice",
    (
        Key(
            "minimum_age",
            k.whole_number(16, 30),
            "minimum age in this house, not below the profile's; if omitted, the profile's",
            None,
        ),
        Key("regulator", k.TEXT, "who regulates the house; if omitted, as on the card", None),
        Key("contacts", k.TEXTS, "where players find help; if omitted, as on the card", ()),
    ),
)

HOUSE = Table(
    "the house",
    (
        Key("format", k.whole_number(1, 1), "version of this format"),
        Key("name", k.TEXT, "name of the house"),
        Key("currency", k.TEXT, "the currency of all amounts", "GBP"),
        Key("logo", k.TEXT, "logo for posters: an .svg or .png file in the same folder", None),
        Key("colour", COLOUR, "the house's colour on display boards, if any", ""),
        Key("address", k.TEXT, "address of the site, https://…, for QR codes on posters", ""),
        Key("play_money", k.COINS, "play money for a guest; if omitted, there are no guests", None),
        Key(
            "real_money",
            k.FLAG,
            "whether accounts hold real money; if false, everyone plays with play money, and a "
            "guest who opens an account keeps theirs",
            default=True,
        ),
        Key("profile", k.TEXT, "uk, greece, online, or a .toml file in the same folder", DEFAULT),
        Key("zone", ZONE, "time zone of the house, with its summer time", UTC_DAY.zone),
        Key(
            "day_starts",
            k.whole_number(0, 23),
            "hour at which a gaming day begins, in the house's time zone",
            UTC_DAY.starts,
        ),
        Key("stake_cap", k.COINS, "the most real money a player may stake on a round", None),
        Key("birth_dates", k.FLAG, "require dates of birth even if the profile does not", None),
        Key("register", k.TEXT, "address of the exclusion register: https://… or file:PATH", None),
        Key("register_fresh", SECONDS, "how long the register's answer stays valid", 600_000),
        Key("bonus", _BONUS, "rules for bonus money", None),
        Key("notice", _NOTICE, "the house's own age, regulator and help lines", None),
        Key(
            "decide_alone",
            k.COINS,
            "the most one person may pay in a dispute, return by cancelling a round before its "
            "first card, or grant as bonus money in a day; larger amounts take two people",
            DECIDE_ALONE,
        ),
        Key(
            "decide_day_alone",
            k.COINS,
            "the most one person may decide alone in a gaming day, adding up dispute payments and "
            "bonus money granted and taken back; larger amounts take two people; if omitted, ten "
            "times decide_alone",
            None,
        ),
        Key(
            "cash_alone",
            k.COINS,
            "the most cash one person may handle alone for one player in a gaming day, in each "
            "direction; above it, a second person must confirm, and the pit is alerted",
            CASH_ALONE,
        ),
        Key(
            "cash_day_alone",
            k.COINS,
            "the most cash one person may handle alone for all players in a gaming day, in each "
            "direction; above it, a second person must confirm, and the pit is alerted",
            CASH_DAY_ALONE,
        ),
        Key("large_win", k.COINS, "smallest win in a round that is recorded as large", LARGE_WIN),
        Key(
            "result_alarm",
            k.whole_number(10, 10**9),
            "the pit is alerted to a day's result that chance would produce at most once in this "
            "many checks",
            RESULT_ALARM,
        ),
        Key(
            "second_factor",
            k.FLAG,
            "whether staff must sign in with a second factor, a code from an authenticator app",
            default=False,
        ),
        Key(
            "webhook",
            WEBHOOK,
            "address to which the server sends alerts, signed with BACCARAT_WEBHOOK_SECRET",
            "",
        ),
        Key("table", Tables(_TABLE), "the tables"),
    ),
)
"""Format of the whole file."""
