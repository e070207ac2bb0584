"""Reads house.toml, which describes the house and its tables, or returns a default house.

Reading the file returns a `House`, or reports all errors at once, each with its line and a remedy.
The format (`house_format`) is parsed by the same code as rule cards. Parsing is strict: an unknown
key, an invalid rule card or an impossible limit is refused before the house opens.
"""

import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.money import parse_coins
from baccarat.core.printed import SafetyNotice
from baccarat.core.rulecard import RuleCard
from baccarat.house import house_format
from baccarat.house.safety import profiles
from baccarat.house.safety.periods import GamingDay
from baccarat.house.table_plans import TablePlan, plan_table
from baccarat.loader import Finding, built_in_cards, faults_in_words, load, parse_toml
from baccarat.loader.build import is_complete, none_if_missing
from baccarat.loader.files import read_text
from baccarat.loader.findings import MISSING, Report, shown
from baccarat.loader.lines import locate
from baccarat.shoe.commitment import Source
from baccarat.table.rules import rules_text
from baccarat.table.settings import (
    CLOCKS,
    BetLimits,
    Pace,
    Settings,
    StakeLimits,
)

PLAY_MONEY = parse_coins("1000")
FIRST_CARD = "punto-banco"
"""Rule card of the first table in the default house."""
PACES = {"online": Pace.FAST, "fortune-six": Pace.FAST, "double-chance": Pace.SLOW}
"""Paces of the tables in the default house that are not dealt at the standard pace."""
LONGEST_STAGGER = 20_000
"""Maximum milliseconds over which the first shoes of a house's tables are spread."""
LARGEST_LOGO = 500_000
"""Maximum size of the logo's file, in bytes."""
DAY_TIMES = 10
"""Default for `decide_day_alone`, as a multiple of `decide_alone`."""


OWN_KEYS = (
    "decide_alone",
    "cash_alone",
    "cash_day_alone",
    "result_alarm",
    "second_factor",
    "webhook",
)
"""Keys of the house file that are copied unchanged to the `House`."""
CONDUCT_KEYS = ("stake_cap", "register", "register_fresh", "large_win")
"""Keys of the house file that are copied unchanged to the house's `Conduct`."""


class HouseFileError(BaccaratError):
    """An invalid house file; the message lists every error found in it."""

    def __init__(self, name: str, findings: list[Finding]) -> None:
        super().__init__(faults_in_words(name, findings))
        self.findings = findings


@dataclass(frozen=True)
class HouseNotice:
    """The house's own minimum age, regulator and help lines."""

    minimum_age: int
    regulator: str | None
    contacts: tuple[str, ...]

    def on(self, card: RuleCard) -> SafetyNotice:
        """Return the notice of a rule card as this house shows it: a card may only raise the age,
        and keeps its regulator and contacts if the house names none."""
        return replace(
            card.notice,
            minimum_age=max(card.notice.minimum_age or 0, self.minimum_age),
            regulator=self.regulator or card.notice.regulator,
            contacts=self.contacts or card.notice.contacts,
        )


@dataclass(frozen=True)
class House:
    name: str
    currency: str
    play_money: int | None
    """Play money that a guest is given, in coins; None if guests are not admitted."""
    tables: tuple[TablePlan, ...]
    conduct: profiles.Conduct = field(default_factory=profiles.default_conduct)
    """How the house protects its players."""
    decide_alone: int = house_format.DECIDE_ALONE
    decide_day_alone: int = DAY_TIMES * house_format.DECIDE_ALONE
    cash_alone: int = house_format.CASH_ALONE
    cash_day_alone: int = house_format.CASH_DAY_ALONE
    """Limits on what one person may do alone, in coins; see `Alone`."""
    result_alarm: int = house_format.RESULT_ALARM
    """The bounds for a table's daily result are set so that an honest table is outside them at most
    once in this many checks."""
    second_factor: bool = False
    """Whether staff must sign in with a second factor."""
    webhook: str = ""
    """Address to which alerts are sent; empty for none."""
    logo: bytes = b""
    """The house's logo as an SVG or PNG file, for posters."""
    colour: str = ""
    """The house's colour on display boards, such as #7a0019; empty for none."""
    address: str = ""
    """Address of the house's site, for posters."""
    regulator: str | None = None
    contacts: tuple[str, ...] = ()
    real_money: bool = True
    """Whether accounts hold real money; if not, guests keep their accounts by registering."""

    @property
    def notice(self) -> HouseNotice:
        return HouseNotice(self.conduct.profile.minimum_age, self.regulator, self.contacts)

    @property
    def alone(self) -> profiles.Alone:
        return profiles.Alone(
            self.decide_alone, self.decide_day_alone, self.cash_alone, self.cash_day_alone
        )


def default_house() -> House:
    """Return a house with one table for each built-in rule card, and only play money.

    The first table is meant for newcomers.
    """
    conduct = profiles.default_conduct()
    plans = tuple(
        TablePlan(
            id=card,
            name=load(card).name,
            settings=Settings(
                rules=rules_text(card),
                clock=replace(
                    CLOCKS[PACES.get(card, Pace.STANDARD)], contribute=5_000, reveal=5_000
                ),
                limits=_limits_of_card(card),
                deal_now=conduct.profile.cycle_floor,
            ),
            guests=True,
        )
        for card in sorted(built_in_cards(), key=lambda card: card != FIRST_CARD)
    )
    return House("The house", "GBP", PLAY_MONEY, _staggered(plans), real_money=False)


def _with_deal_now(plan: TablePlan, conduct: profiles.Conduct, *, wanted: bool | None) -> TablePlan:
    """Return the table with the setting `deal_now`, where the house and its profile want it."""
    profile, settings = conduct.profile, plan.settings
    if wanted is False or not profile.deal_now or settings.source is Source.CARDS:
        return plan
    return replace(plan, settings=replace(settings, deal_now=profile.cycle_floor))


def _staggered(tables: Iterable[TablePlan]) -> tuple[TablePlan, ...]:
    """Return the tables with their first shoes spread over the time of one betting period.

    Otherwise all tables of a new house would take bets and deal at the same time.
    """
    plans = tuple(tables)
    return tuple(
        replace(
            plan,
            starts_after=min(plan.settings.clock.betting, LONGEST_STAGGER) * place // len(plans),
        )
        for place, plan in enumerate(plans)
    )


def _limits_of_card(name: str) -> StakeLimits:
    """Return the card's limits as the table's own: the same amounts, in the house's currency."""
    game = load(name).game()
    bets = (bet for bet in game.bets if bet.minimum is not None or bet.maximum is not None)
    return StakeLimits(
        game.card.limits.minimum,
        game.card.limits.maximum,
        bets=tuple(BetLimits(bet.id, bet.minimum, bet.maximum) for bet in bets),
    )


def load_house(path: pathlib.Path) -> House:
    """Read a house file, or raise HouseFileError with every error in the file."""
    return read_house(read_text(path, "house file"), name=str(path), folder=path.parent)


def read_house(text: str, *, name: str, folder: pathlib.Path | None = None) -> House:
    """Parse the text of a house file, or raise HouseFileError with every error in the text."""
    text = text.removeprefix("\ufeff")
    parsed = parse_toml(text)
    if isinstance(parsed, Finding):
        raise HouseFileError(name, [parsed])
    report = Report(locate(text), root="the house")
    values = house_format.HOUSE.read(parsed, (), report)
    plans = [
        plan_table(raw, ("table", i), report, folder, values["currency"])
        for i, raw in enumerate(none_if_missing(values["table"]) or [])
        if is_complete(raw)
    ]
    _check_ids(values["table"], report)
    if values["table"] == []:
        report.add(("table",), "the house has no tables", "add at least one [[table]]")
    if values["real_money"] is False and values["play_money"] is None:
        problem = "the house has neither real money nor play money"
        report.add(("real_money",), problem, "set play_money, or real_money = true")
    logo = _logo(values["logo"], report, folder)
    _check_address(values["address"], report)
    conduct = _conduct(values, report, folder)
    if conduct is not None:
        _check_cycles(conduct, none_if_missing(values["table"]) or [], report)
    if report.findings:
        raise HouseFileError(name, sorted(report.findings))
    notice = values["notice"] or {}
    assert conduct is not None  # noqa: S101  (the report has no findings)
    tables = _staggered(
        _with_deal_now(plan, conduct, wanted=raw["deal_now"])
        for plan, raw in zip(plans, values["table"], strict=True)
        if plan is not None
    )
    return House(
        values["name"],
        values["currency"],
        values["play_money"],
        tables,
        conduct,
        decide_day_alone=values["decide_day_alone"] or DAY_TIMES * values["decide_alone"],
        logo=logo,
        colour=values["colour"],
        address=values["address"],
        regulator=notice.get("regulator"),
        contacts=tuple(notice.get("contacts", ())),
        real_money=values["real_money"],
        **{name: values[name] for name in OWN_KEYS},
    )


def _conduct(
    values: dict[str, Any], report: Report, folder: pathlib.Path | None
) -> profiles.Conduct | None:
    """Return the profile with the house file's additions; report any that are laxer than the
    profile."""
    if not is_complete(
        {
            name: values[name]
            for name in (
                *CONDUCT_KEYS,
                "zone",
                "day_starts",
                "profile",
                "birth_dates",
                "bonus",
                "notice",
            )
        }
    ):
        return None
    register, birth_dates, raw = values["register"], values["birth_dates"], values["bonus"]
    if register is not None and not re.match(r"https?://.|file:.", register):
        problem = f"{shown(register)} is not the address of a register"
        report.add(("register",), problem, "use an address that starts with http:, https: or file:")
    try:
        profile = profiles.load_profile(values["profile"], folder)
        age = (values["notice"] or {}).get("minimum_age") or profile.minimum_age
        if age < profile.minimum_age:
            raise BaccaratError(f"{profile.name} requires a minimum age of {profile.minimum_age}")
        profile = replace(profile, minimum_age=age)
        if raw is None:
            bonus = profiles.BonusRules(times=min(profiles.BonusRules.times, profile.bonus_times))
        else:
            rules = profiles.Breach(raw["breach"]), profiles.OnWithdrawal(raw["withdrawal"])
            bonus = profiles.BonusRules(raw["times"], raw["days"], *rules, raw["most"])
        return profiles.Conduct(
            profile=profile,
            gaming_day=GamingDay(values["zone"], values["day_starts"]),
            birth_dates=profile.birth_dates if birth_dates is None else birth_dates,
            bonus=bonus,
            **{name: values[name] for name in CONDUCT_KEYS},
        )
    except BaccaratError as error:
        remedy = "a house may only be stricter than its profile: see docs/guides/safer-gambling.md"
        report.add(("profile",), str(error), remedy)
        return None


def _logo(name: Any, report: Report, folder: pathlib.Path | None) -> bytes:
    """Return the content of the logo's file; report a file that is not an SVG or PNG image."""
    if name is MISSING or name is None:
        return b""
    remedy = f"name an .svg or .png file of at most {LARGEST_LOGO // 1000} kB beside the house file"
    try:
        with ((folder or pathlib.Path()) / name).open("rb") as file:
            content: bytes = file.read(LARGEST_LOGO + 1)
    except (OSError, ValueError) as error:
        report.add(("logo",), f"cannot read {shown(name)}: {error}", remedy)
        return b""
    is_image = content.startswith(b"\x89PNG\r\n") or b"<svg" in content[:2000]
    if not is_image or len(content) > LARGEST_LOGO:
        report.add(("logo",), f"{shown(name)} is not a small SVG or PNG image", remedy)
    return content


def _check_address(address: Any, report: Report) -> None:
    if address is not MISSING and address and not re.fullmatch(r"https?://[!-~]{1,200}", address):
        problem = f"{shown(address)} is not the address of a site"
        report.add(("address",), problem, "use an address such as https://casino.example")


def _check_cycles(conduct: profiles.Conduct, tables: list[Any], report: Report) -> None:
    """Check that rounds cannot follow each other faster than the profile allows.

    Only the betting time and the pause count, not the time for dealing.
    """
    floor = conduct.profile.cycle_floor
    for i, raw in enumerate(tables):
        if not is_complete(raw):
            continue
        usual = CLOCKS[Pace(raw["pace"])]
        betting = usual.betting if raw["betting"] is None else raw["betting"]
        pause = usual.pause if raw["pause"] is None else raw["pause"]
        if betting + pause < floor:
            report.add(
                ("table", i),
                f"{betting + pause} ms of betting and pause are less than the "
                f"{floor} ms that {conduct.profile.name} requires (G11)",
                "make betting or pause longer",
            )
        if raw["deal_now"] and not conduct.profile.deal_now:
            report.add(
                ("table", i, "deal_now"),
                f"{conduct.profile.name} does not let players have the cards dealt early",
                "set deal_now = false",
            )


def _check_ids(raw: Any, report: Report) -> None:
    seen: set[str] = set()
    for i, table in enumerate(none_if_missing(raw) or []):
        if table is MISSING or table["id"] is MISSING:
            continue
        if table["id"] in seen:
            problem = f"{shown(table['id'])} is also the id of another table"
            report.add(("table", i, "id"), problem, "give each table a different id")
        seen.add(table["id"])
