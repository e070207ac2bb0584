"""Player protection in a store: exact losses, exclusions racing wagers, bonuses, audit."""

import asyncio
import contextlib
import json
import random
import threading
from functools import partial

import pytest

from baccarat.auditor import audit, read_store
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.events import LimitKind
from baccarat.house.money import bonus, cash
from baccarat.house.money.ledger import real_account
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Done
from baccarat.house.safety import requests
from baccarat.house.safety.periods import DAY, HOUR, MINUTE, Period, start_of
from baccarat.house.safety.profiles import Conduct, load_profile
from baccarat.house.safety.record import Position
from baccarat.store import schema as s
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.refusals import Code, Refused
from baccarat.wording.catalogue import catalogue
from support.live import settings_for
from support.simulated_house import SimulatedHouse, on_simulated_time, rows_of
from support.stores import Evening, new_database

ONLINE = Conduct(load_profile("online"))


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/house.db"
    return new_database(request.getfixturevalue("server"))


@pytest.fixture
def store(address):
    with contextlib.closing(SqlStore.open(address)) as opened:
        yield opened


def refusal(evening: Evening, *given) -> Code:
    with pytest.raises(Refused) as refused:
        evening.do(*given)
    return refused.value.code


def results(store: SqlStore, player: str) -> list[tuple[int, int]]:
    """Return time and loss of every settled round, from the journal."""
    found, after = [], 0
    while entries := store.entries("table:one", after=after):
        for entry in entries:
            event = json.loads(entry.body)
            if event["type"] == "RoundSettled":
                mine = [r for r in event["results"] if r["player"] == player]
                lost = -sum(w["net"] for r in mine for w in r["wagers"])
                found.append((event["at"], lost))
        after = entries[-1].sequence
    return found


def test_a_loss_limit_is_exact(store, address):
    """Random rounds, days and payments: the amount left is computed from the journal."""
    evening = Evening(store, settings_for(decks=8)).open(ann=100_000)
    evening.now = 40 * DAY
    rng, most, met = random.Random(5), 3_000, 0
    for period, amount in ((Period.DAY, most), (Period.WEEK, 8_000)):
        evening.do(
            evening.about(
                "ann",
                partial(requests.set_limit, limit=LimitKind.LOSS, period=period, amount=amount),
            )
        )
    for _ in range(14):
        evening.until("open")
        if rng.random() < 0.3:
            evening.do(evening.about("ann", partial(cash.pay_in, amount=700), by="till"))
        rows = results(store, "ann")
        room = min(
            limit - sum(lost for at, lost in rows if at >= start_of(period, evening.now))
            for period, limit in ((Period.DAY, most), (Period.WEEK, 8_000))
        )
        if room < most:
            met += 1
            over = room + 500 - room % 100
            assert refusal(evening, evening.wager("ann", ("player", over))) is Code.LOSS_LIMIT
        if room >= 500:
            evening.do(evening.wager("ann", (rng.choice(["player", "banker"]), room - room % 500)))
            more = room - room % 500 + 500
            assert refusal(evening, evening.wager("ann", ("player", more))) is Code.LOSS_LIMIT
        evening.until("settled")
        evening.now += rng.choice([0, 0, 7 * HOUR, 20 * HOUR])
    assert met > 3
    assert audit(read_store(address)).findings == []


def test_a_round_past_midnight_counts_on_the_day_it_is_settled(store):
    evening = Evening(store, settings_for(decks=8)).open(ann=100_000)
    evening.now = 40 * DAY - 5_000
    evening.until("open")
    limit = evening.about(
        "ann",
        partial(requests.set_limit, limit=LimitKind.LOSS, period=Period.DAY, amount=5_000),
    )
    evening.do(limit)
    assert evening.now < 40 * DAY < evening.state.round.closes_at
    evening.do(evening.wager("ann", ("player", 2_000)))
    evening.until("settled")
    (lost,) = (coins for _, coins in results(store, "ann"))
    position = store.position("ann", start_of(Period.DAY, evening.now))
    assert (position.lost, position.staked) == (lost, 0)
    evening.until("open")
    room = 5_000 - lost
    assert refusal(evening, evening.wager("ann", ("player", room + 20))) is Code.LOSS_LIMIT
    evening.do(evening.wager("ann", ("player", room)))
    assert store.position("ann", 0).staked == room


def test_stakes_at_other_tables_count_towards_limits(store):
    here = Evening(store, settings_for(decks=8)).open(ann=100_000)
    there = Evening(store, settings_for(decks=8), table="two")
    there.now = here.now
    there.do(there.job(c.OpenTable("two", there.settings)))
    there.lease("here")
    here.until("open")
    there.until("open")
    now = max(here.now, there.now)
    here.now = there.now = now
    here.do(here.wager("ann", ("player", 2_000)))
    here.do(
        here.about(
            "ann",
            partial(requests.set_limit, limit=LimitKind.LOSS, period=Period.DAY, amount=3_000),
        )
    )
    assert refusal(there, there.wager("ann", ("player", 1_500))) is Code.LOSS_LIMIT
    there.do(there.wager("ann", ("player", 1_000)))
    assert refusal(here, here.wager("ann", ("player", 2_500))) is Code.LOSS_LIMIT
    here.do(here.wager("ann", ("banker", 1_000)))  # betting less is always possible
    # G36: a tighter limit does not affect accepted wagers
    here.do(
        here.about(
            "ann",
            partial(requests.set_limit, limit=LimitKind.LOSS, period=Period.DAY, amount=100),
        )
    )
    assert here.state.round.wagers["ann"].staked == 1_000
    done = here.do(here.wager("ann", ("banker", 500)))
    (warning,) = done.warnings
    assert warning.text(catalogue(), "GBP") == "£15.00 of £1.00 lost or at stake today."


@pytest.mark.requirement("G15")
def test_g15_an_excluded_player_keeps_money_and_accepted_wagers(store, address):
    evening = Evening(store).open(ann=10_000)
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 2_000)))
    evening.do(evening.about("ann", partial(requests.exclude, months=6)))
    assert refusal(evening, evening.wager("ann", ("player", 500))) is Code.SELF_EXCLUDED
    paying = evening.about("ann", partial(cash.pay_in, amount=100), by="till")
    assert refusal(evening, paying) is Code.SELF_EXCLUDED
    evening.until("settled")
    back = store.balance("player:ann/real")
    assert back in (8_000, 10_000, 12_000)
    evening.do(evening.about("ann", partial(cash.pay_out, amount=back), by="till"))
    assert store.balance("player:ann/real") == 0
    assert audit(read_store(address)).findings == []


@pytest.mark.requirement("G15")
def test_g15_an_excluded_player_may_withdraw_wagers(store):
    evening = Evening(store).open(ann=10_000)
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 2_000)))
    evening.do(evening.about("ann", partial(requests.exclude, months=6), by="pit"))
    evening.do(evening.wager("ann"))
    assert store.balance("player:ann/real") == 10_000


@pytest.mark.requirement("G15")
@pytest.mark.parametrize("excluding_first", [True, False])
def test_g15_within_one_commit_exclusion_and_wager_apply_in_order(store, excluding_first):
    evening = Evening(store).open(ann=10_000)
    evening.until("open")
    given = [
        evening.wager("ann", ("player", 2_000)),
        evening.about("ann", partial(requests.exclude, months=6)),
    ]
    if excluding_first:
        given.reverse()
    first, second = store.commit(given)
    assert isinstance(first, Done)
    assert isinstance(second, Refused) is excluding_first


@pytest.mark.requirement("G15")
def test_g15_exclusions_race_wagers_from_other_servers(address):
    """Once an exclusion has been acknowledged, no wager is accepted on any server."""
    with contextlib.closing(SqlStore.open(address)) as store:
        evening = Evening(store).open(ann=50_000, bob=50_000, cat=50_000)
        evening.until("open")
        number = evening.state.round.number
        late: list[str] = []

        def race(player: str) -> None:
            excluded = threading.Event()

            def keep_wagering() -> None:
                with contextlib.closing(SqlStore.open(address)) as other:
                    for stake in range(500, 6_000, 500):
                        over = excluded.is_set()
                        command = c.PlaceWagers(number, player, (Wager("player", stake),))
                        (result,) = other.commit([jobs.at_table("one", command, evening.clock)])
                        if isinstance(result, Done):
                            if over:
                                late.append(player)
                        else:
                            assert isinstance(result, Refused)
                            assert result.code is Code.SELF_EXCLUDED

            wagering = threading.Thread(target=keep_wagering)
            wagering.start()
            with contextlib.closing(SqlStore.open(address)) as mine:
                (done,) = mine.commit([evening.about(player, partial(requests.exclude, months=6))])
                assert isinstance(done, Done), done
                excluded.set()
            wagering.join()
            (after,) = store.commit([evening.wager(player, ("banker", 500))])
            assert isinstance(after, Refused)

        racing = [threading.Thread(target=race, args=(one,)) for one in ("ann", "bob", "cat")]
        for thread in racing:
            thread.start()
        for thread in racing:
            thread.join()
        assert late == []
    assert audit(read_store(address)).findings == []


@pytest.mark.requirement("G15")
def test_g15_after_an_exclusion_a_simulated_house_with_failures_accepts_no_wager():
    """The auditor compares the times in the journal."""
    went_on = [others_go_on_when_one_is_excluded(seed) for seed in range(4)]
    assert any(went_on)


def others_go_on_when_one_is_excluded(seed: int) -> bool:
    house, excluded = SimulatedHouse(seed), []

    def exclude() -> None:
        job = jobs.about_player("ann", house.clock, partial(requests.exclude, months=6))
        (done,) = SqlStore(house.engine).commit([job])
        assert isinstance(done, Done)
        excluded.append(house.clock())

    async def evening() -> None:
        asyncio.get_running_loop().call_later(1.5, exclude)
        await house.evening(8)

    on_simulated_time(evening())
    house.check()
    (at,) = excluded
    placed = [json.loads(body) for _, _, _, body in rows_of(house.engine).journal]
    wagers = [one for one in placed if one["type"] == "WagersPlaced"]
    assert all(
        wager["at"] <= at for wager in wagers if wager["player"] == "ann" and wager["wagers"]
    )
    return any(wager["player"] != "ann" and wager["at"] > at for wager in wagers)


def test_bonus_money_from_grant_to_release(store, address):
    evening = Evening(store, settings_for(decks=8)).open(bob=500)
    evening.do(evening.about("bob", partial(bonus.grant, amount=2_000, times=2), by="pit"))
    assert store.safety("bob").bonus.wagering == 4_000
    for _ in range(12):
        evening.until("open")
        coins = store.balance("player:bob/real") + store.balance("player:bob/bonus")
        stake = min(1_000, coins - coins % 500)
        if not stake:
            break
        evening.do(evening.wager("bob", ("banker", stake - stake % 20)))
        evening.until("settled")
        grant = store.safety("bob").bonus
        before = store.balance("player:bob/bonus")
        evening.do(evening.about("bob", bonus.review))
        met = grant.wagered >= grant.wagering
        assert store.balance("player:bob/bonus") == (0 if met else before)
    staked = [
        json.loads(entry.body)["results"]
        for entry in store.entries("table:one")
        if b'"type":"RoundSettled"' in entry.body
    ]
    turnover = sum(result["bonus"] for results in staked for result in results)
    grant = store.safety("bob").bonus
    assert grant.wagered == turnover or grant.ended
    report = audit(read_store(address))
    assert report.findings == []
    kept = dict(store.balances())
    assert report.balances == {name: coins for name, coins in kept.items() if coins}


@pytest.mark.requirement("G13")
def test_guests_get_reality_checks_too(store):
    uk = Conduct(load_profile("uk"), birth_dates=True)
    evening = Evening(store, settings_for(decks=8)).open()
    guest = Account("guest-1", Role.PLAYER, "Guest", guest=True)
    evening.do(jobs.open_account(guest, evening.clock, conduct=uk))
    evening.do(evening.about("guest-1", partial(cash.give_play_money, amount=50_000)))

    def wager(stake: int):
        wagers = (Wager("player", stake),)
        command = c.PlaceWagers(evening.state.round.number, "guest-1", wagers)
        return jobs.at_table("one", command, evening.clock, conduct=uk)

    evening.until("open")
    evening.do(wager(2_000))
    begun = evening.now
    evening.until("settled")
    position = store.position("guest-1", begun)
    assert position.lost == 50_000 - store.balance("player:guest-1/play")
    assert store.safety("guest-1").since == begun
    for minutes in (25, 50):
        evening.now = begun + minutes * MINUTE
        evening.until("open")
        evening.do(wager(500))
        evening.until("settled")
    evening.now = begun + 60 * MINUTE
    evening.until("open")
    assert refusal(evening, wager(500)) is Code.REALITY_CHECK
    shown = store.position("guest-1", begun)
    evening.do(
        evening.about(
            "guest-1",
            partial(requests.answer_reality_check, shown=shown),
            conduct=uk,
        )
    )
    evening.do(wager(500))
    answered = json.loads(store.entries("house")[-1].body)
    lost = 50_000 - 500 - store.balance("player:guest-1/play")
    assert answered["lost"] == lost


@pytest.mark.requirement("G13")
@pytest.mark.parametrize("bet", ["player", "banker"])
def test_g13_a_reality_check_shown_during_a_round_does_not_understate_its_loss(store, bet):
    """Answering figures from before the settlement is refused; the journal has the current ones."""
    evening = Evening(store, settings_for(decks=8)).open(ann=50_000)
    evening.until("open")
    evening.do(
        evening.about("ann", partial(requests.choose_reality_check, every=1), conduct=ONLINE)
    )
    command = c.PlaceWagers(evening.state.round.number, "ann", (Wager(bet, 2_500),))
    evening.do(jobs.at_table("one", command, evening.clock, conduct=ONLINE))
    begun = evening.now
    shown = store.position("ann", begun)
    assert (shown.lost, shown.staked) == (0, 2_500)

    def answer(lost: int, staked: int):
        seen = Position(lost, staked)
        return evening.about(
            "ann", partial(requests.answer_reality_check, shown=seen), conduct=ONLINE
        )

    evening.now += MINUTE
    assert refusal(evening, answer(0, 0)) is Code.REALITY_CHECK  # including stakes
    evening.until("settled")
    assert refusal(evening, answer(0, 2_500)) is Code.REALITY_CHECK
    lost = 50_000 - store.balance(real_account("ann"))
    evening.do(answer(lost, 0))
    value = json.loads(store.entries("house")[-1].body)
    assert (value["lost"], value.get("staked", 0)) == (lost, 0)
    evening.until("open")
    command = c.PlaceWagers(evening.state.round.number, "ann", (Wager(bet, 500),))
    evening.do(jobs.at_table("one", command, evening.clock, conduct=ONLINE))
    evening.now += MINUTE
    evening.do(answer(lost, 500))
    value = json.loads(store.entries("house")[-1].body)
    assert (value["lost"], value["staked"]) == (lost, 500)


# ---- the auditor ---------------------------------------------------------------------------------


def rewritten(address: str, stream: str, change) -> list[str]:
    """Return the auditor's findings after events are changed and all hashes recomputed."""
    from baccarat.table.journal import beginning, chain

    rows = read_store(address)
    bodies = [body for name, _, _, body in rows.journal if name == stream]
    bodies = [change(body) for body in bodies]
    entries = chain(beginning(stream), bodies)
    journal = [row for row in rows.journal if row[0] != stream]
    journal += [(entry.stream, entry.sequence, entry.hash, entry.body) for entry in entries]
    heads = [row for row in rows.heads if row[0] != stream]
    heads.append((stream, entries[-1].sequence, entries[-1].hash))
    forged = type(rows)(sorted(journal), heads, rows.postings, rows.balances)
    return audit(forged).findings


def test_the_auditor_finds_protection_that_was_tampered_with(store, address):
    evening = Evening(store).open(ann=10_000, bob=100)
    evening.do(evening.about("bob", partial(bonus.grant, amount=1_000), by="pit"))
    evening.do(evening.about("bob", bonus.take_back, by="pit"))
    place = (LimitKind.LOSS, Period.DAY)
    evening.do(evening.about("ann", lambda asked: requests.set_limit(asked, *place, 5_000)))
    evening.do(evening.about("ann", lambda asked: requests.set_limit(asked, *place, 9_000)))
    evening.now += DAY
    evening.do(evening.about("ann", lambda asked: requests.set_limit(asked, *place, 9_000)))
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 2_000)))
    evening.now += 5
    evening.do(evening.about("ann", partial(requests.exclude, months=6)))
    assert rewritten(address, "house", lambda body: body) == []

    def forged(old: bytes, new: bytes) -> str:
        found = rewritten(address, "house", lambda body: body.replace(old, new))
        return "\n".join(found)

    opened = b'"amount":1000,"at"'
    assert "player:bob/bonus" in forged(opened, b'"amount":999,"at"')
    dropped = forged(b'"type":"LooserLimitAsked"', b'"type":"LooserLimitDropped"')
    assert "ann: a limit was raised too early, or without a request" in dropped
    until = store.safety("ann").excluded_until
    short = forged(b'"until":%d' % until, b'"until":%d' % (evening.now + 30 * DAY))
    assert "shorter than six months" in short
    early = forged(
        b'"at":%d,"by":"ann","staked"' % evening.now, b'"at":%d,"by":"ann","staked"' % 2_000_000
    )
    assert "its time is before that of the previous event" in early
    assert "ann wagered during a break or an exclusion" in early


# ---- writes --------------------------------------------------------------------------------------


def test_protection_records_are_written_once_a_minute_and_not_at_settlement(store):
    evening = Evening(store).open(ann=100_000)
    written = []
    from baccarat.house.safety import record

    real = record.encode

    def counting(safety):
        written.append(safety)
        return real(safety)

    record.encode = counting
    try:
        evening.until("open")
        for stake in (500, 1_000, 1_500):
            evening.do(evening.wager("ann", ("player", stake)))
        assert len(written) == 1
        evening.until("settled")
        assert len(written) == 1
    finally:
        record.encode = real
    with store.engine.connect() as connection:
        (row,) = connection.execute(s.safety.select().where(s.safety.c.player == "ann"))
    assert len(row.body) < 400
