"""Safer gambling as pure functions of time, compared with a naive model.

`DAYS=100000` in the environment plays a hundred thousand player-days; the default is fewer.
"""

import json
import random
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.auditor.books import day_start as auditor_day_start
from baccarat.core.errors import BaccaratError
from baccarat.core.wagers import PlacedWagers, Wager
from baccarat.house import desk
from baccarat.house import events as h
from baccarat.house.events import LimitKind, Owner, decode
from baccarat.house.money import cash
from baccarat.house.money.wallets import Wallet
from baccarat.house.outcomes import DecisionContext
from baccarat.house.people import accounts
from baccarat.house.people.roles import Account, Role
from baccarat.house.safety import record as sf
from baccarat.house.safety import requests
from baccarat.house.safety.periods import (
    DAY,
    HOUR,
    MINUTE,
    GamingDay,
    Period,
    age_at,
    date_of,
    day_at,
    day_of,
    day_start,
    end_of,
    months_after,
    parse_date,
    start_of,
    time_of,
)
from baccarat.house.safety.profiles import Conduct, load_profile
from baccarat.house.safety.record import NOTHING, Limit, Position, Safety, Tally
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.events import encode
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState
from baccarat.wording.catalogue import catalogue
from support.asking import ask, place
from support.live import GROWN, LiveTable, settings_for
from support.samples import amount

DAYS = amount("DAYS")
ANN = Account("ann", Role.PLAYER, "Ann")
PIT = Account("pit", Role.PIT, "Pit")
TILL = Account("till", Role.CASHIER, "Till")
ONLINE = Conduct(load_profile("online"))
EVEN = Position(0, 0)
MOMENTS = st.integers(-(10**12), 4 * 10**12)
HOURS = st.integers(0, 23)


def code(call, *args, **kwargs) -> Code:
    with pytest.raises(Refused) as refused:
        call(*args, **kwargs)
    assert str(refused.value)
    return refused.value.code


# ---- days, weeks, months -----------------------------------------------------------------------


@pytest.mark.requirement("G14")
@given(MOMENTS, st.sampled_from(["UTC", "Etc/GMT-14", "Etc/GMT-3", "Etc/GMT+11"]))
def test_periods_are_those_of_the_calendar(now, zone):
    gaming_day = GamingDay(zone)
    local = datetime.fromtimestamp(now / 1000, ZoneInfo(zone))
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    monday = midnight - timedelta(days=midnight.weekday())
    first = midnight.replace(day=1)
    later = (first + timedelta(days=32)).replace(day=1)
    for period, begins, ends in (
        (Period.DAY, midnight, midnight + timedelta(days=1)),
        (Period.WEEK, monday, monday + timedelta(days=7)),
        (Period.MONTH, first, later),
    ):
        assert start_of(period, now, gaming_day) == begins.timestamp() * 1000
        assert end_of(period, now, gaming_day) == ends.timestamp() * 1000
        assert start_of(period, ends.timestamp() * 1000, gaming_day) == ends.timestamp() * 1000
    assert time_of(now, gaming_day).utctimetuple() == local.utctimetuple()


SUMMER_TIME = (
    # zone, hour, date, begins (UTC), hours
    ("Europe/Berlin", 6, "2026-03-28", "2026-03-28T05:00", 23),
    ("Europe/Berlin", 6, "2026-03-29", "2026-03-29T04:00", 24),
    ("Europe/Berlin", 6, "2026-10-24", "2026-10-24T04:00", 25),
    ("Europe/Berlin", 6, "2026-10-25", "2026-10-25T05:00", 24),
    ("Europe/London", 0, "2026-03-29", "2026-03-29T00:00", 23),
    ("Europe/London", 0, "2026-10-25", "2026-10-24T23:00", 25),
    ("Europe/Berlin", 2, "2026-03-29", "2026-03-29T01:00", 23),  # clocks skip 02:00
    ("Europe/Berlin", 2, "2026-10-25", "2026-10-25T00:00", 25),  # 02:00 occurs twice
    ("Africa/Cairo", 0, "2026-04-24", "2026-04-23T22:00", 23),  # clocks skip midnight
    ("Australia/Lord_Howe", 4, "2026-04-04", "2026-04-03T17:00", 24.5),
)


@pytest.mark.requirement("G14")
@pytest.mark.parametrize(("zone", "hour", "day", "begins", "hours"), SUMMER_TIME)
def test_a_gaming_day_has_23_or_25_hours_when_clocks_change(zone, hour, day, begins, hours):
    gaming_day, number = GamingDay(zone, hour), parse_date(day)
    start = int(datetime.fromisoformat(f"{begins}+00:00").timestamp()) * 1000
    end = start + int(hours * HOUR)
    assert day_start(number, gaming_day) == start
    for now in (start, start + 1, (start + end) // 2, end - 1):
        assert day_at(now, gaming_day) == number
        assert start_of(Period.DAY, now, gaming_day) == start
        assert end_of(Period.DAY, now, gaming_day) == end
        assert auditor_day_start(now, zone, hour) == start
    assert day_at(start - 1, gaming_day) == number - 1
    assert day_at(end, gaming_day) == number + 1


@given(MOMENTS, st.sampled_from(["Europe/Athens", "America/New_York", "Asia/Beirut"]), HOURS)
def test_every_moment_is_in_exactly_one_gaming_day(now, zone, hour):
    gaming_day = GamingDay(zone, hour)
    start, end = (at(Period.DAY, now, gaming_day) for at in (start_of, end_of))
    assert start <= now < end
    assert 23 * HOUR <= end - start <= 25 * HOUR
    assert start_of(Period.DAY, end, gaming_day) == end
    assert start_of(Period.DAY, start - 1, gaming_day) < start
    assert auditor_day_start(now, zone, hour) == start


def test_weeks_and_months_begin_at_the_hour_of_a_gaming_day():
    gaming_day = GamingDay("Europe/Athens", 6)
    at = int(datetime.fromisoformat("2026-06-01T05:59:00+03:00").timestamp()) * 1000
    assert time_of(start_of(Period.MONTH, at, gaming_day), gaming_day).isoformat() == (
        "2026-05-01T06:00:00+03:00"
    )
    assert time_of(start_of(Period.WEEK, at, gaming_day), gaming_day).isoformat() == (
        "2026-05-25T06:00:00+03:00"  # a Monday; the day of 31 May has not ended
    )


@given(st.integers(-100_000, 100_000))
def test_days_have_numbers_and_dates(day):
    date = datetime(1970, 1, 1) + timedelta(days=day)
    assert date_of(day) == date.date()
    assert day_of(date_of(day)) == day
    assert parse_date(f"{date:%Y-%m-%d}") == day


def test_invalid_dates_are_refused():
    for text in (
        "2023-02-29",
        "2023-13-01",
        "2023-00-10",
        "2023-1-01",
        "20230101",
        "2023-W01-1",
        "x",
        "2023-01-32",
    ):
        assert parse_date(text) is None


def test_ages_and_months():
    born = parse_date("2004-02-29")
    noon = 12 * HOUR
    assert age_at(born, parse_date("2025-02-28") * DAY + noon) == 20
    assert age_at(born, parse_date("2025-03-01") * DAY) == 21
    assert age_at(born, parse_date("2025-03-01") * DAY - 1, GamingDay("Europe/Paris", 6)) == 21
    end_of_august = parse_date("2025-08-31") * DAY + noon
    assert months_after(end_of_august, 6) == parse_date("2026-02-28") * DAY + noon
    assert months_after(end_of_august, 18) == parse_date("2027-02-28") * DAY + noon
    assert months_after(end_of_august, 4) == parse_date("2025-12-31") * DAY + noon


@pytest.mark.requirement("G16")
@pytest.mark.parametrize(
    ("zone", "birthday"),
    [
        ("UTC", "2026-05-05T00:00:00+00:00"),
        ("Pacific/Kiritimati", "2026-05-05T00:00:00+14:00"),
        ("Pacific/Niue", "2026-05-05T00:00:00-11:00"),
    ],
)
def test_a_player_is_of_age_from_midnight_of_the_birthday_in_the_houses_zone(zone, birthday):
    conduct = replace(ONLINE, gaming_day=GamingDay(zone, 6))
    born = parse_date(f"{2026 - conduct.profile.minimum_age}-05-05")
    midnight = int(datetime.fromisoformat(birthday).timestamp()) * 1000
    sf.check_age(born, conduct, midnight)
    assert code(sf.check_age, born, conduct, midnight - 1) is Code.UNDER_AGE


# ---- the record --------------------------------------------------------------------------------


def test_a_safety_record_survives_encoding():
    full = Safety(
        born=-5,
        limits={"player/loss/day": Limit(500, None, 7)},
        tallies={"time/day": Tally(0, 5)},
        since=1,
        seen=2,
        bonus=sf.Grant(5, 50, 9),
    )
    assert sf.decode(sf.encode(full)) == full
    assert sf.encode(NOTHING) == b""
    assert sf.decode(b"") == NOTHING
    assert json.loads(sf.encode(full)) == {  # only known fields, by name
        "born": -5,
        "limits": {"player/loss/day": {"amount": 500, "from_at": 7}},
        "tallies": {"time/day": [0, 5]},
        "since": 1,
        "seen": 2,
        "bonus": {"amount": 5, "wagering": 50, "expires_at": 9},
    }
    with pytest.raises(BaccaratError, match="unknown field `newer`"):
        sf.decode(b'{"newer":1}')


# ---- comparison with a naive model -------------------------------------------------------------


def since(rows: list[tuple[int, int]], start: int) -> int:
    """Return the sum of amounts since then; rows are in order of time."""
    return sum(amount for _, amount in takewhile(lambda row: row[0] >= start, reversed(rows)))


@dataclass
class Naive:
    """A naive model without running totals: everything is summed from lists of what happened."""

    paid: list[tuple[int, int]] = field(default_factory=list)
    settled: list[tuple[int, int]] = field(default_factory=list)
    """Time and loss."""
    wagers: list[int] = field(default_factory=list)
    limits: dict[tuple, list[tuple[int, int | None]]] = field(default_factory=dict)
    """Every version of a limit with the time from which it applies."""
    asked: dict[tuple, tuple[int, int | None]] = field(default_factory=dict)
    away: list[tuple[int, int]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)

    def holds(self, kind: LimitKind, period: Period) -> int | None:
        amounts = [
            versions[-1][1]
            for (owner, *which), versions in self.limits.items()
            if which == [kind, period] and versions[-1][1] is not None
        ]
        return min(amounts, default=None)

    def counted(
        self, rows: list[tuple[int, int]], period: Period, now: int, gaming_day: GamingDay
    ) -> int:
        return since(rows, start_of(period, now, gaming_day))

    def least_played(self, period: Period, now: int, gaming_day: GamingDay) -> int:
        """Return the time from each sitting's first wager to its last, within the period."""
        start, total = start_of(period, now, gaming_day), 0
        for i in range(len(self.wagers) - 1, 0, -1):
            before, after = self.wagers[i - 1], self.wagers[i]
            if after <= start:
                break
            if after - before < sf.IDLE:
                total += after - max(before, start)
        return total


ASIDE = ("check", "break", "exclude", "return")
TABLE = LiveTable(settings_for("commission", decks=8))
TABLE.until(e.RoundOpened)
OPEN = TABLE.state


def open_round(now: int, stood: int) -> TableState:
    """Return a table whose round is open, with the player's stakes on it."""
    wagers = {"ann": PlacedWagers((Wager("player", stood),))} if stood else {}
    return replace(OPEN, round=replace(OPEN.round, closes_at=now + 1, wagers=wagers))


class Life:
    """One player with a wallet, random clocks and every possible request."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        zones = ["UTC", "UTC", "Europe/Athens", "America/New_York", "Asia/Kathmandu"]
        self.gaming_day = GamingDay(self.random.choice(zones), self.random.choice([0, 6]))
        own = self.random.choice([0, 20 * MINUTE])
        profile = replace(load_profile("online"), reality_check=own)
        self.conduct = Conduct(profile, gaming_day=self.gaming_day)
        self.now = self.random.randrange(1_600_000_000_000, 1_900_000_000_000)
        self.safety, self.naive = Safety(born=GROWN), Naive()
        self.real, self.stakes = 0, {}
        """Coins, and stakes by table."""
        self.refused: dict[Code, int] = {}
        self.waited = 0
        """Days without requests."""

    def ask(self, call, *args, **kwargs) -> bool:
        """Send a request to the house; return whether it was accepted."""
        at = DecisionContext(self.now, 1, self.conduct, known={"ann": self.safety})
        try:
            outcome = ask(call, ANN, *args, at=at, **kwargs)
        except Refused as error:
            self.refused[error.code] = self.refused.get(error.code, 0) + 1
            return False
        self.safety = sf.decode(sf.encode(outcome.safety.get("ann", self.safety)))
        self.events = outcome.events
        return True

    def at_risk(self, start: int) -> int:
        return since(self.naive.settled, start) + sum(self.stakes.values())

    # ---- what can happen -----------------------------------------------------------------------

    def step(self) -> None:
        self.now += self.random.choice(
            [0, 1, 5_000, 40_000, 40_000, 10 * MINUTE, 35 * MINUTE, 5 * HOUR, 23 * HOUR, 3 * DAY]
        )
        if self.is_away() and self.random.random() < 0.03:
            self.now += 200 * DAY  # test exclusions that have expired
            self.waited += 200
        match self.random.choices(
            [*("wager", "settle", "pay in", "pay out", "limit"), *ASIDE],
            [30, 30, 8, 2, 6, 6, 1.5, 0.3, 1],
        )[0]:
            case "wager":
                self.wager()
            case "settle":
                self.settle()
            case "pay in":
                self.pay_in()
            case "pay out":
                if self.real and self.ask(
                    cash.pay_out,
                    coins := self.random.randint(1, self.real),
                    balance=Wallet(self.real),
                    by=TILL,
                ):
                    self.real -= coins
            case "limit":
                self.limit()
            case "check":
                if self.ask(requests.answer_reality_check, EVEN) and self.events:
                    self.naive.answers.append(self.now)
            case "break":
                if self.ask(requests.take_break, self.random.choice([3, 24, 100])):
                    self.naive.away.append((self.now, self.events[0].until))
            case "exclude":
                if self.ask(requests.exclude, self.random.choice([5, 6, 7]), by=ANN):
                    assert self.events[0].until >= self.now + 181 * DAY
                    self.naive.away.append((self.now, 1 << 62))
            case "return":
                if self.ask(requests.ask_to_return) and self.events:
                    until = self.now + 24 * HOUR
                    self.naive.away = [
                        (start, until if end == 1 << 62 else end) for start, end in self.naive.away
                    ]

    def wager(self) -> None:
        """Wager through the desk, with all its checks, at a table whose round is open."""
        table, real = self.random.choice("ab"), self.random.choice([500, 1_000, 2_000])
        stood = self.stakes.get(table, 0)
        if real - stood > self.real:
            return
        protection = desk.Protection(
            self.conduct, {"ann": self.safety}, lambda _, start: Position(self.at_risk(start), 0)
        )
        try:
            outcome = place(
                open_round(self.now, stood),
                c.PlaceWagers(OPEN.round.number, "ann", (Wager("player", real),)),
                self.now,
                Wallet(self.real),
                protection,
            )
        except Refused as error:
            self.refused[error.code] = self.refused.get(error.code, 0) + 1
            self.check_refusal(error.code, real - stood)
            return
        self.check_accepted(real - stood)
        if not outcome.events:
            return  # the same again: no change
        self.safety = sf.decode(sf.encode(outcome.safety.get("ann", self.safety)))
        self.real -= real - stood
        self.stakes[table] = real
        self.naive.wagers.append(self.now)

    def settle(self) -> None:
        if self.stakes:
            table = self.random.choice(list(self.stakes))
            stake = self.stakes.pop(table)
            back = self.random.choice([0, 0, stake, 2 * stake])
            self.real += back
            self.naive.settled.append((self.now, stake - back))

    def pay_in(self) -> None:
        coins = self.random.choice([1_000, 5_000, 20_000])
        if self.ask(cash.pay_in, coins, by=TILL):
            self.real += coins
            self.naive.paid.append((self.now, coins))
            for period in Period:
                most = self.naive.holds(LimitKind.DEPOSIT, period)
                paid = self.naive.counted(self.naive.paid, period, self.now, self.gaming_day)
                assert most is None or paid <= most
            assert not self.is_away()

    def limit(self) -> None:
        kind, period = self.random.choice(list(LimitKind)), self.random.choice(list(Period))
        by = self.random.choice([ANN, ANN, PIT])
        owner = Owner.PLAYER if by is ANN else Owner.HOUSE
        key, naive = (owner, kind, period), self.naive
        sizes = [30, 60, 300] if kind is LimitKind.TIME else [1_000, 5_000, 20_000, 80_000]
        amount = self.random.choice([None, None, *sizes])
        if key in naive.asked and self.random.random() < 0.5:
            amount = naive.asked[key][1]
        held = naive.limits.get(key, [(0, None)])[-1][1]
        looser = held is not None and (amount is None or amount > held)
        done = self.ask(requests.set_limit, kind, period, amount, by=by)
        in_force = self.safety.limits.get(sf.limit_key(*key), Limit()).amount
        if not looser:
            assert done
            assert in_force == amount  # a tighter limit applies at once
            naive.asked.pop(key, None)
            if amount != held:
                naive.limits.setdefault(key, []).append((self.now, amount))
            return
        since, wanted = naive.asked.get(key, (None, None))
        if since is not None and wanted == amount:
            assert done == (self.now >= since + 24 * HOUR)
            if done:  # a looser one applies a day after the request, if confirmed
                naive.limits[key].append((self.now, amount))
                naive.asked.pop(key)
        else:
            assert done
            naive.asked[key] = (self.now, amount)
        assert in_force == naive.limits[key][-1][1]

    # ---- what must hold ------------------------------------------------------------------------

    def is_away(self) -> bool:
        return any(start <= self.now < end for start, end in self.naive.away)

    def check_accepted(self, more: int) -> None:
        assert not self.is_away()
        for period in Period:
            most = self.naive.holds(LimitKind.LOSS, period)
            risk = self.at_risk(start_of(period, self.now, self.gaming_day)) + more
            assert most is None or more <= 0 or risk <= most
            most = self.naive.holds(LimitKind.TIME, period)
            played = self.naive.least_played(period, self.now, self.gaming_day)
            assert most is None or played < most * MINUTE
        every = self.conduct.profile.reality_check
        if every and self.naive.wagers and self.now - self.naive.wagers[-1] < sf.IDLE:
            first = self.now
            for at in reversed(self.naive.wagers):
                if first - at >= sf.IDLE:
                    break
                first = at
            assert self.now - max([first, *self.naive.answers]) < every + sf.SEEN_EVERY

    def check_refusal(self, why: Code, more: int) -> None:
        """Check that the refusal has a reason."""
        if why in (Code.SELF_EXCLUDED, Code.ON_A_BREAK):
            assert self.is_away()
        if why is Code.LOSS_LIMIT:
            assert any(
                (most := self.naive.holds(LimitKind.LOSS, period)) is not None
                and self.at_risk(start_of(period, self.now, self.gaming_day)) + more > most
                for period in Period
            )
        if why is Code.TIME_LIMIT:
            assert any(self.naive.holds(LimitKind.TIME, period) is not None for period in Period)


@pytest.mark.requirement("G14", "G15")
def test_g14_g15_limits_and_exclusions_hold_under_random_clocks():
    days, seed, met = 0, 0, {}
    while days < DAYS:
        life = Life(seed)
        begun = life.now
        for _ in range(300):
            life.step()
        days += (life.now - begun) // DAY - life.waited
        seed += 1
        for why, often in life.refused.items():
            met[why] = met.get(why, 0) + often
    for why in (
        *(Code.SELF_EXCLUDED, Code.ON_A_BREAK, Code.LOSS_LIMIT, Code.TIME_LIMIT),
        *(Code.DEPOSIT_LIMIT, Code.REALITY_CHECK, Code.TOO_EARLY),
    ):
        assert met.get(why, 0) > 2, met


# ---- single rules ------------------------------------------------------------------------------


def after(safety: Safety, *events: h.Event) -> Safety:
    for event in events:
        safety = sf.safety_after(safety, event)
    return safety


def moment(now: int, safety: Safety = NOTHING, conduct: Conduct = ONLINE) -> DecisionContext:
    return DecisionContext(now, 1, conduct, known={"ann": safety})


@pytest.mark.requirement("G14")
def test_g14_a_lower_limit_applies_at_once_and_a_higher_one_a_day_later_if_confirmed():
    def set_to(amount, now, safety):
        outcome = ask(
            requests.set_limit,
            ANN,
            LimitKind.DEPOSIT,
            Period.DAY,
            amount,
            by=ANN,
            at=moment(now, safety),
        )
        return outcome.safety["ann"]

    safety = set_to(1_000, 0, NOTHING)
    assert code(ask, cash.pay_in, ANN, 1_001, by=TILL, at=moment(0, safety)) is Code.DEPOSIT_LIMIT
    looser = set_to(5_000, 10, safety)
    for now in (10, 24 * HOUR, 10 * DAY):  # nothing happens by itself
        assert (
            code(ask, cash.pay_in, ANN, 1_001, by=TILL, at=moment(now, looser))
            is Code.DEPOSIT_LIMIT
        )
    assert code(set_to, 5_000, 9 + 24 * HOUR, looser) is Code.TOO_EARLY
    confirmed = set_to(5_000, 10 + 24 * HOUR, looser)
    ask(cash.pay_in, ANN, 5_000, by=TILL, at=moment(10 + 24 * HOUR, confirmed))
    dropped = set_to(1_000, 11, looser)  # request dropped: a new request starts a new wait
    again = set_to(5_000, 10 + 24 * HOUR, dropped)
    assert code(set_to, 5_000, 20 + 24 * HOUR, again) is Code.TOO_EARLY
    tighter = set_to(500, 11, looser)
    assert code(ask, cash.pay_in, ANN, 501, by=TILL, at=moment(11, tighter)) is Code.DEPOSIT_LIMIT
    removed = set_to(None, 10, safety)
    assert code(set_to, None, 11, removed) is Code.TOO_EARLY
    assert set_to(None, 10 + 24 * HOUR, removed).limits["player/deposit/day"].amount is None


def test_the_house_can_set_a_limit_in_addition_to_the_players_own():
    place = (LimitKind.LOSS, Period.DAY)
    own = ask(requests.set_limit, ANN, *place, 500, by=ANN, at=moment(0)).safety["ann"]
    both = ask(requests.set_limit, ANN, *place, 300, by=PIT, at=moment(0, own)).safety["ann"]
    assert sf.limit_of(both, *place) == 300
    refused = code(ask, requests.set_limit, ANN, *place, 1, by=TILL, at=moment(0))
    assert refused is Code.NOT_ALLOWED
    guest = Account("guest-1", Role.PLAYER, "Guest", guest=True)
    assert (
        code(ask, requests.set_limit, guest, *place, 1, by=guest, at=moment(0)) is Code.NOT_ALLOWED
    )


@pytest.mark.requirement("G15")
def test_g15_an_exclusion_lasts_six_months_and_ends_only_when_the_player_asks():
    begun = parse_date("2026-01-31") * DAY
    assert code(ask, requests.exclude, ANN, 5, by=ANN, at=moment(begun)) is Code.BAD_AMOUNT
    safety = ask(requests.exclude, ANN, 6, by=ANN, at=moment(begun)).safety["ann"]
    until = parse_date("2026-07-31") * DAY
    for now in (begun, until - 1, until, until + 400 * DAY):
        assert code(sf.check_open, safety, now) is Code.SELF_EXCLUDED
        assert code(ask, cash.pay_in, ANN, 5, by=TILL, at=moment(now, safety)) is Code.SELF_EXCLUDED
        ask(cash.pay_out, ANN, 5, balance=Wallet(5), by=TILL, at=moment(now, safety))
    assert (
        code(ask, requests.ask_to_return, ANN, at=moment(until - 1, safety)) is Code.SELF_EXCLUDED
    )
    asked = ask(requests.ask_to_return, ANN, at=moment(until, safety)).safety["ann"]
    assert code(sf.check_open, asked, until + DAY - 1) is Code.SELF_EXCLUDED
    sf.check_open(asked, until + DAY)
    shorter = ask(requests.exclude, ANN, 6, by=ANN, at=moment(begun, safety))
    assert shorter.safety["ann"].excluded_until == until
    longer = ask(requests.exclude, ANN, 12, by=PIT, at=moment(begun, safety)).safety["ann"]
    assert longer.excluded_until == parse_date("2027-01-31") * DAY
    with pytest.raises(Refused, match="31 Jul 2026, 00:00"):
        sf.check_open(safety, begun)


def test_a_break_is_never_cut_short():
    safety = ask(requests.take_break, ANN, 100, at=moment(0)).safety["ann"]
    again = ask(requests.take_break, ANN, 24, at=moment(1, safety)).safety["ann"]
    assert code(sf.check_open, again, 100 * HOUR - 1) is Code.ON_A_BREAK
    sf.check_open(again, 100 * HOUR)
    assert code(ask, requests.take_break, ANN, 23, at=moment(0)) is Code.BAD_AMOUNT
    assert code(ask, requests.take_break, ANN, 43 * 24, at=moment(0)) is Code.BAD_AMOUNT


def check(
    safety: Safety,
    now: int,
    conduct: Conduct = ONLINE,
    *,
    guest: bool = False,
    least_age: int | None = None,
    cleared_at: int | None = None,
) -> None:
    player = "guest-1" if guest else "ann"
    known = desk.Protection(conduct, {player: safety}, lambda *_: Position(0, 0), cleared_at)
    desk.check_play(player, now, known, least_age)


@pytest.mark.requirement("G13")
def test_g13_a_reality_check_is_answered_before_the_next_wager():
    begun = DAY
    chosen = ask(requests.choose_reality_check, ANN, 30, at=moment(begun)).safety["ann"]
    safety = sf.wagered(sf.wagered(chosen, begun), begun + 20 * MINUTE)
    check(safety, begun + 30 * MINUTE - 1)
    due = begun + 30 * MINUTE
    for now in (due, due + 10 * MINUTE, due + 3 * DAY):  # waiting does not answer it
        assert code(check, safety, now) is Code.REALITY_CHECK
    longer = code(ask, requests.choose_reality_check, ANN, 60, at=moment(due, safety))
    assert longer is Code.REALITY_CHECK
    now = sf.Position(lost=500, staked=200)
    for stale in (sf.Position(500, 0), sf.Position(300, 200), EVEN):
        refused = code(
            ask, requests.answer_reality_check, ANN, stale, position=now, at=moment(due, safety)
        )
        assert refused is Code.REALITY_CHECK
    answered = ask(requests.answer_reality_check, ANN, now, position=now, at=moment(due, safety))
    assert answered.events == (h.RealityCheckAnswered(due, "ann", begun, 500, 200),)
    check(answered.safety["ann"], due + 30 * MINUTE - 1)
    left = sf.wagered(chosen, begun)  # a sitting that ends before the check needs no answer
    check(left, begun + sf.IDLE + HOUR)


@pytest.mark.requirement("G13")
def test_g13_guests_get_reality_checks_if_the_profile_says_so():
    uk = Conduct(load_profile("uk"), birth_dates=True)
    greece = Conduct(load_profile("greece"), birth_dates=True, stake_cap=5)
    safety = NOTHING
    for minute in range(0, 60, 10):
        safety = sf.wagered(safety, DAY + minute * MINUTE)
    assert code(check, safety, DAY + HOUR, uk, guest=True) is Code.REALITY_CHECK
    check(safety, DAY + HOUR, greece, guest=True)
    check(safety, DAY + HOUR - 1, uk, guest=True)


@pytest.mark.requirement("G16", "R47")
def test_g16_minimum_age_by_profile_and_by_card():
    greece = Conduct(load_profile("greece"), birth_dates=True, stake_cap=5)
    uk = Conduct(load_profile("uk"), birth_dates=True)
    now = parse_date("2026-11-15") * DAY
    for years, conduct, card, may in (
        (20, greece, None, False),
        (21, greece, None, True),
        (17, uk, None, False),
        (18, uk, None, True),
        (20, uk, 21, False),
        (21, uk, 21, True),
    ):
        safety = Safety(born=parse_date(f"{2026 - years}-11-15"))
        if may:
            check(safety, now, conduct, least_age=card)
        else:
            assert code(check, safety, now, conduct, least_age=card) is Code.UNDER_AGE
    assert code(check, NOTHING, now, uk) is Code.UNDER_AGE  # an unknown age is not old enough
    check(NOTHING, now, uk, guest=True)
    opened = {"taken": False, "at": moment(now, conduct=greece)}
    assert code(accounts.open_account, ANN, **opened) is Code.UNDER_AGE
    young = parse_date("2006-11-15")
    assert code(accounts.open_account, ANN, born=young, **opened) is Code.UNDER_AGE
    old = accounts.open_account(ANN, born=parse_date("2005-11-15"), **opened)
    assert old.safety["ann"].born == parse_date("2005-11-15")
    assert b"2005" not in b"".join(encode(event) for event in old.events)


@pytest.mark.requirement("G16", "R47")
def test_g16_a_card_with_a_higher_age_than_the_house_requires_a_date_of_birth():
    now = parse_date("2026-11-15") * DAY
    assert not ONLINE.birth_dates
    for card in (None, 16, 18):  # neither house nor card requires it
        check(NOTHING, now, least_age=card)
    with pytest.raises(
        Refused, match=r"must be 21 or over.*not on record.*Safer gambling"
    ) as refused:
        check(NOTHING, now, least_age=21)
    assert refused.value.code is Code.UNDER_AGE
    check(NOTHING, now, least_age=21, guest=True)  # play money
    uk = Conduct(load_profile("uk"), birth_dates=True)
    with pytest.raises(
        Refused, match=r"must be 18 or over to play here\. Enter your date of birth"
    ):
        accounts.open_account(ANN, taken=False, at=moment(now, conduct=uk))
    seventeen = Safety(born=parse_date("2008-11-16"))  # a known date counts, required or not
    assert code(check, seventeen, now) is Code.UNDER_AGE
    command = c.PlaceWagers(OPEN.round.number, "ann", (Wager("player", 1_000),))
    state = open_round(now, 0)
    for safety, may in ((NOTHING, False), (Safety(born=parse_date("2005-11-15")), True)):
        protection = desk.Protection(ONLINE, {"ann": safety}, lambda *_: Position(0, 0))
        asked = (state, command, now, Wallet(1_000), protection)
        if may:
            assert place(*asked).events
        else:
            assert code(place, *asked) is Code.UNDER_AGE
    withdrawn = c.PlaceWagers(OPEN.round.number, "ann", ())
    protection = desk.Protection(ONLINE, {"ann": NOTHING}, lambda *_: Position(0, 0))
    state = open_round(now, 1_000)
    assert place(state, withdrawn, now, Wallet(0), protection).events


@pytest.mark.requirement("G16")
def test_g16_a_date_of_birth_is_given_once_and_never_journaled():
    now = parse_date("2026-11-15") * DAY
    limited = ask(requests.take_break, ANN, 24, at=moment(now)).safety["ann"]
    born = parse_date("2005-11-16")
    given = ask(requests.give_birth_date, ANN, born, at=moment(now, limited))
    assert given.events == (h.BirthDateGiven(now, "ann"),)
    assert decode(encode(given.events[0])) == given.events[0]
    known = given.safety["ann"]
    assert known == msgspec.structs.replace(limited, born=born)
    assert b"2005" not in encode(given.events[0])
    later = now + DAY
    with pytest.raises(Refused, match=r"^You must be 21 or over to play here\.$"):
        check(msgspec.structs.replace(known, break_until=0), now, least_age=21)
    check(known, later, least_age=21)
    for again in (born, born - 1):
        refused = code(ask, requests.give_birth_date, ANN, again, at=moment(now, known))
        assert refused is Code.NOT_ALLOWED
    for never in (parse_date("2026-11-16"), parse_date("1905-11-15")):
        refused = code(ask, requests.give_birth_date, ANN, never, at=moment(now))
        assert refused is Code.BAD_AMOUNT
    guest = Account("guest-1", Role.PLAYER, "Guest", guest=True)
    assert code(ask, requests.give_birth_date, guest, born, at=moment(now)) is Code.NOT_ALLOWED


@pytest.mark.requirement("G15")
def test_g15_play_is_refused_if_the_exclusion_register_does_not_respond():
    conduct = replace(ONLINE, register="file:x", register_fresh=10 * MINUTE)
    check(NOTHING, DAY, conduct, cleared_at=DAY - 10 * MINUTE + 1)
    for cleared_at in (None, DAY - 10 * MINUTE, 0, DAY + 1):
        assert code(check, NOTHING, DAY, conduct, cleared_at=cleared_at) is Code.REGISTER_SILENT
    assert code(ask, cash.pay_in, ANN, 5, by=TILL, at=moment(DAY, conduct=conduct)) is (
        Code.REGISTER_SILENT
    )
    check(NOTHING, DAY, conduct, guest=True)


def test_time_is_counted_in_minutes_and_never_too_short():
    place = (Owner.PLAYER, LimitKind.TIME, Period.DAY)
    safety = Safety(limits={sf.limit_key(*place): Limit(60)})
    for minute in range(0, 50, 5):
        check(safety, DAY + minute * MINUTE)
        safety = sf.wagered(safety, DAY + minute * MINUTE)
    evening = DAY + 10 * HOUR
    assert sf.time_played(safety, Period.DAY, evening) == 46 * MINUTE
    safety = sf.wagered(safety, evening)
    check(safety, evening + 14 * MINUTE - 1)
    assert code(check, safety, evening + 14 * MINUTE) is Code.TIME_LIMIT
    check(safety, 2 * DAY)
    assert sf.time_played(safety, Period.WEEK, evening) == 46 * MINUTE


def test_a_sitting_past_midnight_counts_on_both_days():
    safety = sf.wagered(NOTHING, DAY - 10 * MINUTE)
    safety = sf.wagered(safety, DAY + 5 * MINUTE)
    assert sf.time_played(safety, Period.DAY, DAY + 6 * MINUTE) == 6 * MINUTE
    assert safety.since == DAY - 10 * MINUTE
    assert sf.time_played(safety, Period.WEEK, DAY + 6 * MINUTE) == 16 * MINUTE


@pytest.mark.requirement("G16")
def test_g16_a_warning_at_eighty_percent():
    assert sf.warning(LimitKind.LOSS, Period.DAY, 799, 1_000, ONLINE) is None
    loss = sf.warning(LimitKind.LOSS, Period.DAY, 800, 1_000, ONLINE)
    assert loss.text(catalogue()) == "8.00 of 10.00 lost or at stake today."
    assert sf.warning(LimitKind.TIME, Period.WEEK, 48 * MINUTE - 1, 60, ONLINE) is None
    time = sf.warning(LimitKind.TIME, Period.WEEK, 48 * MINUTE, 60, ONLINE)
    assert "48 of 60 minutes" in time.text(catalogue())


def test_wagers_and_settlements_do_not_change_the_loss_tally():
    """Deposits and withdrawals move the tally too, so that only play changes the loss."""
    tallied = Safety(tallies={"loss/day": Tally(0, 1_000), "time/day": Tally(0, 7)})
    paid_in = h.MoneyPaidIn(5, "ann", 200, "till", None, "", 0, None)
    paid_out = h.MoneyPaidOut(6, "ann", 50, "t", None, "", 0, None)
    moved = after(tallied, paid_in, paid_out)
    assert moved.tallies["loss/day"].amount == 1_150
    assert moved.tallies["time/day"].amount == 7
