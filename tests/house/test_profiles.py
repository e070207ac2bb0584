"""Profiles: a jurisdiction's figures as data; a house may be stricter, never laxer."""

import json
import tomllib
from itertools import pairwise

import pytest

from baccarat.core.errors import BaccaratError
from baccarat.house.housefile import HouseFileError, default_house, read_house
from baccarat.house.safety.periods import HOUR, MINUTE
from baccarat.house.safety.profiles import (
    BUILT_IN,
    PROFILE,
    built_in_profiles,
    load_profile,
    read_profile,
)
from baccarat.loader.schema import Table
from support.live import FAST, LiveTable, settings_for

TABLE = '[[table]]\nid = "one"\nname = "One"\ncard = "punto-banco"\n'
PLAIN = 'format = 1\nname = "X"\n'


def house(top: str = "", table: str = "", after: str = ""):
    return read_house(f"{PLAIN}{top}\n{after}\n{TABLE}{table}\n", name="house.toml")


def faults(*args, **kwargs) -> str:
    with pytest.raises(HouseFileError) as error:
        house(*args, **kwargs)
    return str(error.value)


def test_every_built_in_profile_names_the_source_of_every_figure():
    assert built_in_profiles() == ("greece", "online", "uk")
    figures = [key.name for key in PROFILE.keys if isinstance(key.holds, Table)]
    for name in built_in_profiles():
        raw = tomllib.loads((BUILT_IN / f"{name}.toml").read_text(encoding="utf-8"))
        assert {key for key, value in raw.items() if isinstance(value, dict)} == set(figures)
        assert all(raw[key]["source"] for key in figures)
        assert load_profile(name).sources.keys() == set(figures)


@pytest.mark.requirement("G11", "G15", "G16", "G17")
def test_g11_g15_g16_g17_figures_of_the_built_in_profiles():
    uk, greece, online = (load_profile(name) for name in ("uk", "greece", "online"))
    assert (uk.cycle_floor, greece.cycle_floor) == (5_000, 3_000)
    assert (uk.minimum_age, greece.minimum_age) == (18, 21)
    assert uk.bonus_times == 10
    assert greece.warning == 80
    assert greece.stake_cap
    for profile in (uk, greece, online):
        assert profile.least_exclusion >= 6
        assert profile.loosening == 24 * HOUR
    assert uk.reality_check == 60 * MINUTE


def test_the_default_profile_is_online():
    assert default_house().conduct.profile.name == "Online"
    assert house().conduct == default_house().conduct


def test_a_house_file_overrides_its_profile():
    top = (
        'profile = "greece"\nzone = "America/St_Johns"\nday_starts = 6\nstake_cap = "20"\n'
        'register = "file:x.txt"\n'
        "register_fresh = 60\n"
    )
    found = house(top, after='[bonus]\ntimes = 5\nbreach = "flag"\nwithdrawal = "keep"\n').conduct
    assert (found.profile.name, found.stake_cap) == ("Greece", 2_000)
    assert found.gaming_day == ("America/St_Johns", 6)
    assert (found.register, found.register_fresh) == ("file:x.txt", MINUTE)
    assert found.birth_dates
    assert (found.bonus.times, found.bonus.days, found.bonus.breach) == (5, 30, "flag")


def test_a_house_may_not_be_laxer_than_its_profile():
    assert "requires a cap on stakes: set stake_cap" in faults('profile = "greece"')
    uk = 'profile = "uk"'
    assert (
        "bonus wagering requirement of 11 times is too high: Great Britain allows at most 10"
        in faults(uk, after="[bonus]\ntimes = 11\n")
    )
    assert "requires dates of birth: set birth_dates = true" in faults(f"{uk}\nbirth_dates = false")
    assert house(uk).conduct.birth_dates


@pytest.mark.requirement("G11")
def test_g11_rounds_are_no_faster_than_the_profile_allows():
    uk = 'profile = "uk"'
    words = faults(uk, 'betting = 3\npause = "1.5"')
    assert "4500 ms" in words
    assert "5000 ms that Great Britain requires (G11)" in words
    house(uk, "betting = 3\npause = 2")
    house("", "betting = 1\npause = 0")
    table = LiveTable(settings_for(clock=type(FAST)(betting=3_000, card=0, pause=2_000)))
    for _ in range(400):
        table.step()
    opened = [event.at for event in table.events if type(event).__name__ == "RoundOpened"]
    gaps = [later - earlier for earlier, later in pairwise(opened)]
    assert len(gaps) > 30
    assert min(gaps) >= 5_000


def test_invalid_profiles_are_reported():
    assert "unknown profile 'mars'" in faults('profile = "mars"')
    assert "is not a time zone" in faults('zone = "+02:00"')
    assert "from 0 to 23" in faults("day_starts = 24")
    assert "is not the address of a register" in faults('register = "ftp://x"')
    text = (BUILT_IN / "uk.toml").read_text(encoding="utf-8")
    with pytest.raises(BaccaratError, match="source"):
        read_profile(text.replace('source = "G17"\n', ""), name="x")
    laxer = text.replace("[least_exclusion]\nvalue = 6", "[least_exclusion]\nvalue = 5")
    with pytest.raises(BaccaratError, match="from 6 to 120"):
        read_profile(laxer, name="x")
    with pytest.raises(BaccaratError, match="from 24 to 720"):
        read_profile(text.replace("value = 24", "value = 23"), name="x")
    with pytest.raises(BaccaratError, match="unknown key"):
        read_profile(f"{text}[colour]\nvalue = 1\n", name="x")
    with pytest.raises(BaccaratError):
        read_profile("format = ", name="x")


def test_a_house_can_have_its_own_profile(tmp_path):
    text = (BUILT_IN / "uk.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace("value = 18", "value = 20"), encoding="utf-8")
    found = read_house(f'{PLAIN}profile = "mine.toml"\n{TABLE}', name="house.toml", folder=tmp_path)
    assert found.conduct.profile.minimum_age == 20
    assert json.dumps(dict(found.conduct.profile.sources))
