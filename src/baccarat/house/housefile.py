"""house.toml: the house and its tables, in one file; without one, a sensible default house.

In goes TOML, out comes a `House` or every fault at once, each with its line and its remedy. The
format is one table of keys, read by the machinery that reads rule cards. The one rule: strict. An
unknown key, a card with a fault or a limit that cannot be is refused before the house opens.
"""

import pathlib
import re
from dataclasses import dataclass, field, replace
from typing import Any

from baccarat.core.errors import BaccaratError, GameError
from baccarat.core.money import parse_coins, ratio
from baccarat.core.rulecard import Game
from baccarat.house.profile import (
    BONUS_MOST,
    DEFAULT,
    LARGE_WIN,
    BonusRules,
    Breach,
    Conduct,
    OnWithdrawal,
    default_conduct,
    load_profile,
)
from baccarat.house.roles import Account, Role
from baccarat.loader import Finding, built_in_cards, faults_in_words, load, parse_toml
from baccarat.loader import kinds as k
from baccarat.loader.build import sound, whole
from baccarat.loader.files import read_text, sister_of
from baccarat.loader.findings import Report, shown
from baccarat.loader.kinds import MISSING, Kind
from baccarat.loader.lines import Path, locate
from baccarat.loader.schema import Key, Table, Tables, read_table
from baccarat.shoe import CUT, Burn
from baccarat.shoe.commitment import Source
from baccarat.table.decide import check_settings
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import foreign_limits, rules_text
from baccarat.table.settings import (
    BetLimits,
    Clock,
    Dummy,
    Excess,
    Floor,
    Settings,
    StakeLimits,
)

PLAY_MONEY = parse_coins("1000")
FIRST_CARD = "punto-banco"
"""The game of the first table of a house that nobody has written down."""
DECIDE_ALONE = parse_coins("100")
CASH_ALONE = parse_coins("2000")
CASH_DAY_ALONE = 10 * CASH_ALONE
RESULT_ALARM = 10_000
LONGEST_WAIT = 24 * 3600


class HouseFileError(BaccaratError):
    """A house file that cannot be used, with every fault that was found in it."""

    def __init__(self, name: str, findings: list[Finding]) -> None:
        super().__init__(faults_in_words(name, findings))
        self.findings = findings


@dataclass(frozen=True)
class TablePlan:
    """A table as the house file describes it."""

    id: str
    name: str
    settings: Settings
    guests: bool
    """May guests sit here?"""
    shoe: str = ""
    """The account of its electronic shoe; without a name no device tells cards here."""

    def check_shoe(self, account: Account) -> None:
        """Nothing, or Refused: an electronic shoe stands at one table."""
        if account.role is Role.SHOE and account.id != self.shoe:
            words = (
                f"{account.id} is not the shoe of {self.name}: name it in the house file, in this "
                f'table, as shoe = "{account.id}"'
            )
            raise Refused(Code.NOT_ALLOWED, words)

    def check_seat(self, account: Account) -> None:
        """Nothing, or Refused: who may sit here."""
        if account.guest and not self.guests:
            words = f"{self.name} takes no guests: open an account, or choose another table"
            raise Refused(Code.NOT_ALLOWED, words)


@dataclass(frozen=True)
class House:
    """The house and its tables."""

    name: str
    currency: str
    play_money: int | None
    """Coins a guest is given; None where guests are not let in."""
    tables: tuple[TablePlan, ...]
    conduct: Conduct = field(default_factory=default_conduct)
    """How it looks after its players."""
    decide_alone: int = DECIDE_ALONE
    """The most, in coins, that one person pays in a dispute, gives back in a round that is
    cancelled before a card is out, or grants."""
    cash_alone: int = CASH_ALONE
    """The most, in coins, that one person pays in for a player, or out, in a gaming day."""
    cash_day_alone: int = CASH_DAY_ALONE
    """The most, in coins, that one person pays in alone for all players, or out, in a gaming
    day."""
    result_alarm: int = RESULT_ALARM
    """One look at an honest table's day in so many finds its result outside the bounds, at most."""


def _read_seconds(raw: Any, path: Path, report: Report) -> Any:
    """20 or "1.5" to milliseconds; a float is never exact, so it is not taken."""
    text = str(raw) if isinstance(raw, int | str) and not isinstance(raw, bool) else ""
    match = re.fullmatch(r"([0-9]{1,6})(?:\.([0-9]{1,3}))?", text)
    if match is None or int(match[1]) > LONGEST_WAIT:
        report.add(path, f"{shown(raw)} is not a number of seconds", f"write {SECONDS.write}")
        return MISSING
    return int(match[1]) * 1000 + int((match[2] or "0").ljust(3, "0"))


def _read_readings(raw: Any, path: Path, report: Report) -> Any:
    if not isinstance(raw, dict):
        report.add(path, f"{shown(raw)} is not a table", f"write {READINGS.write}")
        return MISSING
    read = {name: k.TEXT.read(value, (*path, name), report) for name, value in raw.items()}
    return MISSING if MISSING in read.values() else read


def _read_zone(raw: Any, path: Path, report: Report) -> Any:
    """Hours and minutes ahead of UTC to minutes."""
    match = re.fullmatch(r"([+-])([01][0-9]):([0-5][0-9])", raw) if isinstance(raw, str) else None
    if match is None:
        report.add(path, f"{shown(raw)} is not a distance from UTC", f"write {ZONE.write}")
        return MISSING
    return int(f"{match[1]}1") * (int(match[2]) * 60 + int(match[3]))


ZONE = Kind("a distance from UTC", 'hours and minutes such as "+02:00"', _read_zone)
SECONDS = Kind("a number of seconds", 'whole seconds, or "1.5" in quotes', _read_seconds)
READINGS = Kind("readings", 'ambiguities and readings such as { A3 = "standard" }', _read_readings)

_BET = Table(
    "table.bet",
    (
        Key("id", k.IDENTIFIER, "the bet"),
        Key("minimum", k.COINS, "least stake on it", None),
        Key("maximum", k.COINS, "largest stake on it", None),
    ),
)

_TABLE = Table(
    "table",
    (
        Key("id", k.IDENTIFIER, "name of the table for programs; never changed, never reused"),
        Key("name", k.TEXT, "name of the table for people"),
        Key("card", k.TEXT, "the rule card: a built-in id, or a file beside this one"),
        Key("parameters", k.VALUES, "parameters of the card that the table sets", None),
        Key("readings", READINGS, "how the table reads the card's ambiguities", None),
        Key(
            "source",
            k.choice(*Source),
            "a shoe or a shuffler that the server deals from, or cards that a dealer deals",
            str(Source.SHOE),
        ),
        Key("cut", k.whole(0, 2000), "cards behind the cut card", CUT),
        Key("burn", k.choice(*Burn), "cards burned from a new shoe", str(Burn.FIRST_CARD)),
        Key("betting", SECONDS, "time for wagers", 20_000),
        Key("card_pace", SECONDS, "time from card to card", 1_500),
        Key("pause", SECONDS, "time from a result to the next round", 5_000),
        Key("contribute", SECONDS, "time to contribute to a new shoe; 0 for none", 0),
        Key("reveal", SECONDS, "time to reveal contributions; 0 for none", 0),
        Key("minimum", k.COINS, "least stake; the card's if left out", None),
        Key("maximum", k.COINS, "largest stake; the card's if left out", None),
        Key("coup_maximum", k.COINS, "the most one player may stake on a coup in all", None),
        Key("bet", Tables(_BET), "stakes of single bets, where they differ", ()),
        Key("seats", k.whole(1, 100_000), "the most players who may wager on a round", None),
        Key("guests", k.FLAG, "may guests sit here?", default=True),
        Key("shoe", k.TEXT, "the account of the electronic shoe that tells its cards", ""),
        Key(
            "excess",
            k.choice(Excess.BURNED, Excess.RETURNED),
            "where a card goes that a dealer drew too many: burned, or returned to the shoe with "
            "the next coup dealt without bets; left out: returned where the card declares "
            "reconstruction, burned elsewhere",
            None,
        ),
        Key(
            "dummy",
            k.choice(*Dummy),
            "what a cancelled round gives back: stakes, or the better of the stake and the win "
            "where the cards had decided a bet",
            str(Dummy.STAKES),
        ),
    ),
)

_BONUS = Table(
    "bonus",
    (
        Key(
            "times",
            k.whole(0, 100),
            "how often a bonus is to be wagered",
            10,
        ),
        Key("days", k.whole(1, 366), "how long it is open", 30),
        Key("breach", k.choice(*Breach), "wagers that breach R37", str(Breach.REFUSE)),
        Key(
            "withdrawal",
            k.choice(*OnWithdrawal),
            "bonus money when real money is taken home",
            str(OnWithdrawal.FORFEIT),
        ),
        Key("most", k.COINS, "what the pit grants a player in a day at most", BONUS_MOST),
    ),
)

HOUSE = Table(
    "the house",
    (
        Key("format", k.whole(1, 1), "version of this format"),
        Key("name", k.TEXT, "name of the house"),
        Key("currency", k.TEXT, "the money of the house", "GBP"),
        Key("play_money", k.COINS, "what a guest is given; guests stay out if left out", None),
        Key("profile", k.TEXT, "uk, greece, online, or a .toml file beside this one", DEFAULT),
        Key("zone", ZONE, "the house's clock: when a day begins", 0),
        Key("stake_cap", k.COINS, "the most real money a player may stake on a round", None),
        Key("birth_dates", k.FLAG, "dates of birth at account opening; as the profile says", None),
        Key("register", k.TEXT, "the register of exclusions: https://… or file:PATH", None),
        Key("register_fresh", SECONDS, "how long its answer is good", 600_000),
        Key("bonus", _BONUS, "bonus money", None),
        Key(
            "decide_alone",
            k.COINS,
            "the most that one person pays in a dispute, gives back in a round cancelled before a "
            "card is out, or grants of bonus money in a day; above it, two decide",
            DECIDE_ALONE,
        ),
        Key(
            "cash_alone",
            k.COINS,
            "the most cash that one person handles for a player in a gaming day, in each "
            "direction; above it, a second person confirms, and the pit is alerted",
            CASH_ALONE,
        ),
        Key(
            "cash_day_alone",
            k.COINS,
            "the most cash that one person handles alone for all players in a gaming day, in each "
            "direction; above it, a second person confirms, and the pit is alerted",
            CASH_DAY_ALONE,
        ),
        Key(
            "large_win",
            k.COINS,
            "wins of a player in a round from this on are significant events",
            LARGE_WIN,
        ),
        Key(
            "result_alarm",
            k.whole(10, 10**9),
            "the pit is warned of a day's result that chance brings once in so many looks at most",
            RESULT_ALARM,
        ),
        Key("table", Tables(_TABLE), "the tables"),
    ),
)
"""The whole format."""


def default_house() -> House:
    """Seven tables, one for each built-in card, and play money for guests; newcomers are led to the
    first table."""
    clock = Clock(contribute=5_000, reveal=5_000)
    plans = tuple(
        TablePlan(
            id=card,
            name=load(card).name,
            settings=Settings(rules=rules_text(card), clock=clock, limits=_as_on_the_card(card)),
            guests=True,
        )
        for card in sorted(built_in_cards(), key=lambda card: card != FIRST_CARD)
    )
    return House("The house", "GBP", PLAY_MONEY, plans)


def _as_on_the_card(name: str) -> StakeLimits:
    """The card's limits as the table's own, in whatever currency the house has."""
    game = load(name).game()
    bets = (bet for bet in game.bets if bet.minimum is not None or bet.maximum is not None)
    return StakeLimits(
        game.card.limits.minimum,
        game.card.limits.maximum,
        bets=tuple(BetLimits(bet.id, bet.minimum, bet.maximum) for bet in bets),
    )


def load_house(path: pathlib.Path) -> House:
    """The house of a file, or HouseFileError with every fault."""
    return read_house(read_text(path, "house file"), name=str(path), folder=path.parent)


def read_house(text: str, *, name: str, folder: pathlib.Path | None = None) -> House:
    """The same for a text that is already in memory."""
    text = text.removeprefix("\ufeff")
    parsed = parse_toml(text)
    if isinstance(parsed, Finding):
        raise HouseFileError(name, [parsed])
    report = Report(locate(text), root="the house")
    values = read_table(parsed, HOUSE, (), report)
    plans = [
        _plan(raw, ("table", i), report, folder, values["currency"])
        for i, raw in enumerate(sound(values["table"]) or [])
        if whole(raw)
    ]
    _check_ids(values["table"], report)
    if values["table"] == []:
        report.add(("table",), "the house has no tables", "add at least one [[table]]")
    conduct = _conduct(values, report, folder)
    if conduct is not None:
        _check_cycles(conduct, sound(values["table"]) or [], report)
    tables = tuple(plan for plan in plans if plan is not None)
    if report.findings:
        raise HouseFileError(name, sorted(report.findings))
    assert conduct is not None  # noqa: S101  (there are no findings)
    return House(
        values["name"],
        values["currency"],
        values["play_money"],
        tables,
        conduct,
        decide_alone=values["decide_alone"],
        cash_alone=values["cash_alone"],
        cash_day_alone=values["cash_day_alone"],
        result_alarm=values["result_alarm"],
    )


def _conduct(values: dict[str, Any], report: Report, folder: pathlib.Path | None) -> Conduct | None:
    """The profile, and what the house adds; what is laxer than the profile is a fault."""
    names = ("profile", "zone", "stake_cap", "birth_dates", "register", "register_fresh", "bonus")
    if not whole({name: values[name] for name in (*names, "large_win")}):
        return None
    register, birth_dates, raw = values["register"], values["birth_dates"], values["bonus"]
    if register is not None and not re.match(r"https?://.|file:.", register):
        problem = f"{shown(register)} is no register"
        report.add(("register",), problem, "write an address that begins http:, https: or file:")
    try:
        profile = load_profile(values["profile"], folder)
        if raw is None:
            bonus = BonusRules(times=min(BonusRules.times, profile.bonus_times))
        else:
            rules = Breach(raw["breach"]), OnWithdrawal(raw["withdrawal"])
            bonus = BonusRules(raw["times"], raw["days"], *rules, raw["most"])
        return Conduct(
            profile=profile,
            zone=values["zone"],
            stake_cap=values["stake_cap"],
            birth_dates=profile.birth_dates if birth_dates is None else birth_dates,
            register=register,
            register_fresh=values["register_fresh"],
            bonus=bonus,
            large_win=values["large_win"],
        )
    except BaccaratError as error:
        remedy = "a house may be stricter than its profile, not laxer: see docs/safer-gambling.md"
        report.add(("profile",), str(error), remedy)
        return None


def _check_cycles(conduct: Conduct, tables: list[Any], report: Report) -> None:
    """However fast cards are dealt, rounds follow each other no faster than the profile allows."""
    floor = conduct.profile.cycle_floor
    for i, raw in enumerate(tables):
        if whole(raw) and raw["betting"] + raw["pause"] < floor:
            report.add(
                ("table", i),
                f"{raw['betting'] + raw['pause']} ms of betting and pause are less than the "
                f"{floor} ms that {conduct.profile.name} asks for (G11)",
                "write more for betting or pause",
            )


def _check_ids(raw: Any, report: Report) -> None:
    seen: set[str] = set()
    for i, table in enumerate(sound(raw) or []):
        if table is MISSING or table["id"] is MISSING:
            continue
        if table["id"] in seen:
            problem = f"{shown(table['id'])} is the id of another table too"
            report.add(("table", i, "id"), problem, "give each table an id of its own")
        seen.add(table["id"])


def _plan(
    raw: dict[str, Any], path: Path, report: Report, folder: pathlib.Path | None, currency: Any
) -> TablePlan | None:
    """A table of the file; what is wrong with it goes into the report."""
    before = len(report.findings)
    game = _game(raw, path, report, folder)
    if game is None:
        return None
    _check_limits(raw, game, path, report)
    if currency is not MISSING:
        _check_currency(raw, game, path, report, currency)
    if len(report.findings) > before:
        return None
    try:
        clock = Clock(
            *(raw[name] for name in ("betting", "card_pace", "pause", "contribute", "reveal"))
        )
        settings = Settings(
            rules=_rules(raw, folder),
            source=Source(raw["source"]),
            cut=raw["cut"],
            burn=Burn(raw["burn"]),
            clock=clock,
            limits=_limits(raw),
            floor=Floor(_excess(raw, game), Dummy(raw["dummy"])),
        )
        check_settings(settings)
    except BaccaratError as error:
        report.add(path, str(error), "see the table's keys")
        return None
    return TablePlan(raw["id"], raw["name"], settings, raw["guests"], raw["shoe"])


def _excess(raw: dict[str, Any], game: Game) -> Excess:
    """A table follows what its card declares, unless the house says otherwise."""
    if raw["excess"] is not None:
        return Excess(raw["excess"])
    return Excess.RETURNED if game.card.procedures.reconstruction else Excess.BURNED


def _game(
    raw: dict[str, Any], path: Path, report: Report, folder: pathlib.Path | None
) -> Game | None:
    try:
        card = load(sister_of(folder, raw["card"]))
    except BaccaratError as error:
        first, *more = str(error).splitlines()
        problem = f"{first} {more[0].strip()}" if more else first
        report.add((*path, "card"), problem, "baccarat check says everything about a card")
        return None
    game = None
    for key in ("parameters", "readings"):
        for name, value in (raw[key] or {}).items():
            try:
                game = card.game(**{key: {name: value}})
            except GameError as error:
                remedy = f"see baccarat show {raw['card']}"
                report.add((*path, key, name), str(error), remedy)
    return game or card.game()


def _rules(raw: dict[str, Any], folder: pathlib.Path | None) -> str:
    parameters = {name: ratio(value) for name, value in (raw["parameters"] or {}).items()}
    card = sister_of(folder, raw["card"])
    return rules_text(card, parameters=parameters, readings=raw["readings"])


def _limits(raw: dict[str, Any]) -> StakeLimits:
    return StakeLimits(
        raw["minimum"],
        raw["maximum"],
        raw["coup_maximum"],
        tuple(BetLimits(b["id"], b["minimum"], b["maximum"]) for b in raw["bet"]),
        raw["seats"],
    )


def _check_currency(
    raw: dict[str, Any], game: Game, path: Path, report: Report, currency: str
) -> None:
    """A card's own limits are in the card's currency: in another house, the table gives its own."""
    missing = foreign_limits(game, _limits(raw), currency)
    if missing:
        report.add(
            (*path, "card"),
            f"the limits of {raw['card']} are in {game.card.currency}, and the house's currency is "
            f"{currency}",
            f"give the table its limits in {currency}: {', '.join(missing)}",
        )


_NO_OWN: dict[str, Any] = {"minimum": None, "maximum": None}


def _check_limits(raw: dict[str, Any], game: Game, path: Path, report: Report) -> None:
    """Every bet can be wagered on: its least stake is above neither its largest nor the coup's."""
    limits = game.card.limits
    limits = replace(
        limits,
        minimum=raw["minimum"] or limits.minimum,
        maximum=raw["maximum"] or limits.maximum,
    )
    most = raw["coup_maximum"]
    own = {bet["id"]: (i, bet) for i, bet in enumerate(raw["bet"])}
    for name, (i, _) in own.items():
        if name not in [bet.id for bet in game.bets]:
            problem = f"{shown(name)} is no bet of {raw['card']}"
            report.add((*path, "bet", i, "id"), problem, "name one of the card's bets")
    for bet in game.bets:
        number, mine = own.get(bet.id, (-1, _NO_OWN))
        least = mine["minimum"] or bet.minimum or limits.minimum
        largest = mine["maximum"] or bet.maximum or limits.maximum
        if least > largest or (most is not None and least > most):
            place: Path = path if number < 0 else (*path, "bet", number)
            problem = f"{bet.name} cannot be wagered on: its least stake is above its largest"
            report.add(place, problem, "lower the minimum, or raise the maximum")
