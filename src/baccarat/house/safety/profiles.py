"""Profiles: a jurisdiction's requirements for player protection, read from a file.

A profile is a TOML file of figures, each with its source. The profiles `uk`, `greece` and `online`
come with the package, and a house may write its own. `Conduct` is a profile with the additions of
the house file, which may be stricter than the profile but never laxer.
"""

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.house.safety.periods import DAY, HOUR, MINUTE, UTC_DAY, GamingDay
from baccarat.loader import Finding, faults_in_words, parse_toml
from baccarat.loader import kinds as k
from baccarat.loader.files import read_text
from baccarat.loader.findings import Report
from baccarat.loader.lines import locate
from baccarat.loader.schema import Key, Table

BUILT_IN = pathlib.Path(__file__).parent / "jurisdictions"
DEFAULT = "online"
LARGE_WIN = 1_000_000
BONUS_MOST = 100_000


def _figure(name: str, holds: k.Kind, meaning: str) -> Key:
    keys = (Key("value", holds, meaning), Key("source", k.TEXT, "where the figure comes from"))
    return Key(name, Table(name, keys), meaning)


PROFILE = Table(
    "the profile",
    (
        Key("format", k.whole_number(1, 1), "version of this format"),
        Key("name", k.TEXT, "name of the profile, as shown to people"),
        _figure(
            "minimum_age", k.whole_number(16, 30), "minimum age in years; a rule card may raise it"
        ),
        _figure("cycle_floor", k.whole_number(0, 60), "minimum seconds from one round to the next"),
        _figure(
            "bonus_times",
            k.whole_number(0, 100),
            "maximum wagering requirement, in multiples of the bonus",
        ),
        _figure(
            "warning", k.whole_number(1, 99), "percentage of a limit at which the player is warned"
        ),
        _figure("least_exclusion", k.whole_number(6, 120), "shortest exclusion, in months"),
        _figure("longest_break", k.whole_number(1, 180), "longest break, in days"),
        _figure(
            "loosening", k.whole_number(24, 720), "hours until a looser limit can be confirmed"
        ),
        _figure(
            "reality_check",
            k.whole_number(0, 1440),
            "minutes between reality checks; 0 if optional",
        ),
        _figure("check_guests", k.FLAG, "whether guests get reality checks too"),
        _figure("birth_dates", k.FLAG, "whether a date of birth is required to open an account"),
        _figure("stake_cap", k.FLAG, "whether the house must set a cap on stakes"),
        _figure(
            "deal_now", k.FLAG, "whether players may have the cards dealt before betting time ends"
        ),
    ),
)
"""Format of the whole file."""


@dataclass(frozen=True)
class Profile:
    """The figures of a jurisdiction; times are in milliseconds unless stated."""

    name: str
    minimum_age: int
    cycle_floor: int
    bonus_times: int
    warning: int
    """Percentage of a limit at which the player is warned."""
    least_exclusion: int
    """Shortest exclusion, in months."""
    longest_break: int
    loosening: int
    reality_check: int
    """Time between reality checks; 0 if only players who choose an interval get them."""
    check_guests: bool
    birth_dates: bool
    stake_cap: bool
    """Whether the house must set a stake cap."""
    deal_now: bool
    """Whether players may have the cards dealt before the betting time is over."""
    sources: Mapping[str, str]


_UNITS = {"cycle_floor": 1000, "longest_break": DAY, "loosening": HOUR, "reality_check": MINUTE}


@cache
def built_in_profiles() -> tuple[str, ...]:
    """Return the names of the profiles that come with the package."""
    return tuple(sorted(path.stem for path in BUILT_IN.glob("*.toml")))


@cache
def load_profile(name: str, folder: pathlib.Path | None = None) -> Profile:
    """Read a built-in profile or a file; raise BaccaratError with every error in it."""
    if name in built_in_profiles():
        path = BUILT_IN / f"{name}.toml"
    elif name.endswith(".toml"):
        path = (folder or pathlib.Path()) / name
    else:
        known = ", ".join(built_in_profiles())
        raise BaccaratError(
            f"unknown profile {name!r}: choose one of {known}, or give a .toml file"
        )
    return read_profile(read_text(path, "profile"), name=name)


def read_profile(text: str, *, name: str) -> Profile:
    """Parse the text of a profile; raise BaccaratError with every error in it."""
    parsed = parse_toml(text)
    if isinstance(parsed, Finding):
        raise BaccaratError(faults_in_words(name, [parsed]))
    report = Report(locate(text), root="the profile")
    values = PROFILE.read(parsed, (), report)
    if report.findings:
        raise BaccaratError(faults_in_words(name, sorted(report.findings)))
    figures = {key.name: values[key.name] for key in PROFILE.keys if isinstance(key.holds, Table)}
    read: dict[str, Any] = {
        key: figure["value"] * _UNITS[key] if key in _UNITS else figure["value"]
        for key, figure in figures.items()
    }
    sources = {key: figure["source"] for key, figure in figures.items()}
    return Profile(name=values["name"], sources=sources, **read)


class Breach(StrEnum):
    """What happens to wagers that breach the bonus rule (R37)."""

    REFUSE = "refuse"
    FLAG = "flag"


class OnWithdrawal(StrEnum):
    """What happens to bonus money when the player withdraws real money."""

    FORFEIT = "forfeit"
    KEEP = "keep"


@dataclass(frozen=True)
class BonusRules:
    """The house's rules for bonus money."""

    times: int = 10
    """Default wagering requirement: how many times a grant must be wagered."""
    days: int = 30
    """Default number of days that a grant stays open."""
    breach: Breach = Breach.REFUSE
    withdrawal: OnWithdrawal = OnWithdrawal.FORFEIT
    most: int = BONUS_MOST
    """Maximum amount granted to a player in a day, in coins."""


@dataclass(frozen=True)
class Alone:
    """Limits on what one person may do alone, in coins; None for no limit."""

    decide: int | None = None
    """Limit on a dispute payment, on the stakes of a cancelled round, and on bonus money granted or
    taken back."""
    decide_day: int | None = None
    """Limit on all dispute payments and bonus money granted and taken back in a gaming day."""
    cash: int | None = None
    """Limit on the cash handled for one player in a gaming day, in each direction."""
    cash_day: int | None = None
    """Limit on the cash handled for all players in a gaming day, in each direction."""


ANY_AMOUNT = Alone()


def exceeds(amount: int, most: int | None) -> bool:
    """Return whether an amount is above the limit `most`; false if there is no limit."""
    return most is not None and amount > most


@dataclass(frozen=True)
class Conduct:
    """How a house protects its players: its profile with the additions of the house file."""

    profile: Profile
    gaming_day: GamingDay = UTC_DAY
    stake_cap: int | None = None
    """Maximum real money that one player may stake on a round, in coins."""
    birth_dates: bool = False
    register: str | None = None
    """Address of the external exclusion register."""
    register_fresh: int = 10 * MINUTE
    """How long a response from the register is valid, in milliseconds."""
    bonus: BonusRules = BonusRules()
    large_win: int = LARGE_WIN
    """Smallest win in a round, in coins, that is a significant event (G23)."""

    def __post_init__(self) -> None:
        if self.bonus.times > self.profile.bonus_times:
            raise BaccaratError(
                f"bonus wagering requirement of {self.bonus.times} times is too high: "
                f"{self.profile.name} allows at most {self.profile.bonus_times}"
            )
        if self.profile.stake_cap and self.stake_cap is None:
            raise BaccaratError(f"{self.profile.name} requires a cap on stakes: set stake_cap")
        if self.profile.birth_dates and not self.birth_dates:
            raise BaccaratError(
                f"{self.profile.name} requires dates of birth: set birth_dates = true"
            )


@cache
def default_conduct() -> Conduct:
    """Return the conduct of a house that does not choose a profile."""
    return Conduct(load_profile(DEFAULT))
