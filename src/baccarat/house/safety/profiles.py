"""Profiles: what a jurisdiction asks of a house for its players' protection, as data.

A profile is a TOML file of figures, each with its source; `uk`, `greece` and `online` come with the
package, and a house may write its own. `Conduct` is a profile with what the house file adds. The
one rule: a house may be stricter than its profile, never laxer.
"""

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.house.periods import DAY, HOUR, MINUTE
from baccarat.loader import Finding, faults_in_words, parse_toml
from baccarat.loader import kinds as k
from baccarat.loader.files import read_text
from baccarat.loader.findings import Report
from baccarat.loader.lines import locate
from baccarat.loader.schema import Key, Table, read_table

BUILT_IN = pathlib.Path(__file__).parent.parent / "profiles"
DEFAULT = "online"
LARGE_WIN = 1_000_000
BONUS_MOST = 100_000


def _figure(name: str, holds: k.Kind, meaning: str) -> Key:
    keys = (Key("value", holds, meaning), Key("source", k.TEXT, "where the figure comes from"))
    return Key(name, Table(name, keys), meaning)


PROFILE = Table(
    "the profile",
    (
        Key("format", k.whole(1, 1), "version of this format"),
        Key("name", k.TEXT, "name of the profile for people"),
        _figure("minimum_age", k.whole(16, 30), "years; a rule card may ask for more"),
        _figure("cycle_floor", k.whole(0, 60), "least seconds from one round to the next"),
        _figure("bonus_times", k.whole(0, 100), "most times a bonus must be wagered"),
        _figure("warning", k.whole(1, 99), "percent of a limit at which the player is warned"),
        _figure("least_exclusion", k.whole(6, 120), "months"),
        _figure("longest_break", k.whole(1, 180), "days"),
        _figure("loosening", k.whole(24, 720), "hours until a limit can be loosened"),
        _figure("reality_check", k.whole(0, 1440), "minutes; 0: only where a player chooses"),
        _figure("check_guests", k.FLAG, "are guests given reality checks too?"),
        _figure("birth_dates", k.FLAG, "is the date of birth asked at account opening?"),
        _figure("stake_cap", k.FLAG, "must the house name a cap on stakes?"),
    ),
)
"""The whole format."""


@dataclass(frozen=True)
class Profile:
    """The figures of a jurisdiction; times in milliseconds."""

    name: str
    minimum_age: int
    cycle_floor: int
    bonus_times: int
    warning: int
    """Percent of a limit."""
    least_exclusion: int
    """Months."""
    longest_break: int
    loosening: int
    reality_check: int
    """0 where only players who choose an interval are reminded."""
    check_guests: bool
    birth_dates: bool
    stake_cap: bool
    """Must the house name one?"""
    sources: Mapping[str, str]


_UNITS = {
    "cycle_floor": 1000,
    "longest_break": DAY,
    "loosening": HOUR,
    "reality_check": MINUTE,
}


@cache
def built_in_profiles() -> tuple[str, ...]:
    """The names of the profiles that come with the package."""
    return tuple(sorted(path.stem for path in BUILT_IN.glob("*.toml")))


@cache
def load_profile(name: str, folder: pathlib.Path | None = None) -> Profile:
    """A built-in profile, or one in a file; BaccaratError with every fault."""
    if name in built_in_profiles():
        path = BUILT_IN / f"{name}.toml"
    elif name.endswith(".toml"):
        path = (folder or pathlib.Path()) / name
    else:
        known = ", ".join(built_in_profiles())
        raise BaccaratError(f"there is no profile {name!r}: name one of {known}, or a .toml file")
    return read_profile(read_text(path, "profile"), name=name)


def read_profile(text: str, *, name: str) -> Profile:
    """The profile of a text."""
    parsed = parse_toml(text)
    if isinstance(parsed, Finding):
        raise BaccaratError(faults_in_words(name, [parsed]))
    report = Report(locate(text), root="the profile")
    values = read_table(parsed, PROFILE, (), report)
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
    """What happens to wagers of bonus money that breach the rule (R37)."""

    REFUSE = "refuse"
    FLAG = "flag"


class OnWithdrawal(StrEnum):
    """What becomes of bonus money when real money is taken home."""

    FORFEIT = "forfeit"
    KEEP = "keep"


@dataclass(frozen=True)
class BonusRules:
    """The house's rules for bonus money."""

    times: int = 10
    """How often a grant is to be wagered, where the grant does not say."""
    days: int = 30
    """How long it is open."""
    breach: Breach = Breach.REFUSE
    withdrawal: OnWithdrawal = OnWithdrawal.FORFEIT
    most: int = BONUS_MOST
    """What a player is granted in a day at most, in coins."""


@dataclass(frozen=True)
class Conduct:
    """How a house looks after its players: its profile, and what its file adds."""

    profile: Profile
    zone: int = 0
    """Minutes ahead of UTC: when a day begins."""
    stake_cap: int | None = None
    """The most real money one player may stake on a round, in coins."""
    birth_dates: bool = False
    register: str | None = None
    """Where the outside register of exclusions is asked."""
    register_fresh: int = 10 * MINUTE
    """For how long an answer of the register is good."""
    bonus: BonusRules = BonusRules()
    large_win: int = LARGE_WIN
    """Wins of a player in a round from so many coins on are significant events (G23)."""

    def __post_init__(self) -> None:
        if self.bonus.times > self.profile.bonus_times:
            raise BaccaratError(
                f"a bonus wagered {self.bonus.times} times: {self.profile.name} allows "
                f"{self.profile.bonus_times}; write fewer"
            )
        if self.profile.stake_cap and self.stake_cap is None:
            raise BaccaratError(f"{self.profile.name} asks for a cap on stakes: write stake_cap")
        if self.profile.birth_dates and not self.birth_dates:
            raise BaccaratError(f"{self.profile.name} asks for dates of birth: write true")


@cache
def default_conduct() -> Conduct:
    """Of a house that says nothing about it."""
    return Conduct(load_profile(DEFAULT))
