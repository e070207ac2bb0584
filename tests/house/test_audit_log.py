"""Significant events (G23) are recorded with person and time; what the house's monitors detect."""

import asyncio
import csv
import json
import random
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest

from baccarat.auditor import audit, read_store
from baccarat.core.wagers import Wager
from baccarat.house.housefile import House, default_house, read_house
from baccarat.house.money import bonus
from baccarat.house.outcomes import Outcome
from baccarat.house.ports import Job, Need
from baccarat.house.safety.periods import DAY
from baccarat.house.safety.profiles import default_conduct
from baccarat.house.table_plans import TablePlan
from baccarat.house.watch.audit_log import significant
from baccarat.service.driver import Driver
from baccarat.service.environment import Environment
from baccarat.service.monitors import Monitors
from baccarat.service.service import Service
from baccarat.store.sqlstore import SqlStore, ThreadedStore, system_clock
from baccarat.store.vault import Vault, VaultError
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.refusals import Refused
from baccarat.wording.catalogue import catalogue
from support.live import LiveTable, settings_for
from support.served import code, served, until
from support.stores import Evening
from support.tampering import rewritten


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running


def logged(client, topic: str, **more) -> list[dict]:
    return client.get("/api/house/events", params={"topic": topic, **more}).json()["events"]


# ---- event kinds --------------------------------------------------------------------------------


@pytest.mark.requirement("G23")
def test_g23_failed_sign_ins_are_logged_except_for_unknown_names(house):
    """An unknown name may be a mistyped password, so it is not journaled."""
    with house.client() as client, house.staff("auditor") as auditor:
        for name in ("the-cashier", "nobody-here"):
            body = {"account": name, "password": "wrong horse"}
            assert code(client.post("/api/session", json=body)) == "wrong-password"
        until(lambda: not house.is_writing())
        found = [one for one in logged(auditor, "sign-in") if one["kind"] == "SignInFailed"]
        assert [one["who"] for one in found] == ["the-cashier"]


@pytest.mark.requirement("G23")
def test_g23_staff_accounts_settings_overrides_and_pauses_are_logged_with_the_person(house):
    with house.staff("pit") as pit, house.colleague("pat"):
        before = pit.get("/api/tables/members").json()
        body = {"clock": before["clock"], "limits": {"minimum": 700}}
        key = {"Idempotency-Key": "g23"}
        assert pit.put("/api/tables/members/settings", json=body, headers=key).is_success
        assert pit.post("/api/tables/members/pause", json={"reason": "a spill"}).is_success
        path = f"/api/tables/members/rounds/{before['round']}/cancel"
        assert pit.post(path, json={"reason": "power"}, headers=key | {"Idempotency-Key": "g24"})
        (opened,) = (one for one in logged(pit, "sign-in") if "pat (pit)" in one["words"])
        assert opened["who"] == "the operator"
        changed = [one for one in logged(pit, "settings") if one["kind"] == "SettingsChanged"]
        assert [one["who"] for one in changed] == ["the-pit"]
        assert changed[0]["words"] == "Settings changed: minimum: £5.00 → £7.00."
        override = {one["kind"]: one for one in logged(pit, "override", stream="table:members")}
        assert override["TablePaused"]["who"] == override["RoundCancelled"]["who"] == "the-pit"
        assert "a spill" in override["TablePaused"]["words"]


@pytest.mark.requirement("G23")
def test_g23_adjustments_are_logged_with_the_person(house):
    with house.staff("pit") as pit, house.staff("player"):
        key = {"Idempotency-Key": "bonus"}
        body = {"amount": 5000}
        assert pit.post("/api/accounts/the-player/bonus", json=body, headers=key).is_success
        (granted,) = logged(pit, "adjustment")
        assert (granted["who"], granted["words"]) == (
            "the-pit",
            "£50.00 of bonus money granted to the-player.",
        )


@pytest.mark.requirement("G23")
def test_g23_large_wins_are_logged_and_audited(tmp_path):
    conduct = replace(default_conduct(), large_win=900)
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    evening = Evening(store).open(ann=100_000, bob=100_000)
    won = []
    for _ in range(8):
        evening.until("open")
        evening.do(evening.wager("ann", ("player", 1000)))
        evening.do(evening.wager("bob", ("player", 500)))
        while evening.state.round.phase != "decided":
            evening.step()
        evening.now += 10_000
        evening.do(evening.job(c.SettleRound(evening.epoch), conduct=conduct))
    for entry in store.entries("table:one"):
        event = json.loads(entry.body)
        if event["type"] == "LargeWinPaid":
            won.append((event["player"], event["net"]))
    assert won
    assert set(won) == {("ann", 1000)}
    store.close()
    rows = read_store(f"sqlite:///{tmp_path}/house.db")
    assert audit(rows).findings == []

    def less(_, bodies) -> None:
        for body in bodies:
            if body["type"] == "LargeWinPaid":
                body["net"] -= 1

    assert audit(rewritten(rows, less)).findings


@pytest.mark.requirement("G23")
def test_g23_the_log_shows_the_significant_events_of_a_table():
    table = LiveTable(settings_for())
    table.do(c.ChangeSettings(settings_for(cut=20), by="pat"))
    table.until(e.RoundOpened)
    table.do(c.CancelRound(1, e.CancelReason.POWER, "pat"))
    found = [significant("table:x", n, event, catalogue()) for n, event in enumerate(table.events)]
    assert [(one.kind, one.who) for one in found if one] == [
        ("TableOpened", "the house"),
        ("LeaseTaken", "here"),
        ("SettingsChanged", "pat"),
        ("RoundCancelled", "pat"),
    ]


@pytest.mark.requirement("G23")
def test_g23_the_log_is_exported_whole_and_filtered(house):
    with house.staff("auditor") as auditor:
        until(lambda: not house.is_writing())  # the sign-in itself is in the log
        every = auditor.get("/api/house/events/file").text
        rows = list(csv.DictReader(every.splitlines()))
        lines = auditor.get("/api/house/events/file", params={"form": "json"}).text.splitlines()
        assert len(rows) == len(lines) > 5
        assert {row["topic"] for row in rows} >= {"settings", "clock"}
        some = auditor.get("/api/house/events/file", params={"topic": "settings"}).text
        assert {row["topic"] for row in csv.DictReader(some.splitlines())} == {"settings"}
        late = auditor.get("/api/house/events", params={"since": 2**50}).json()
        assert late["events"] == []
        assert code(auditor.get("/api/house/events", params={"topic": "weather"})) == "malformed"
    with house.staff("dealer") as dealer:
        assert code(dealer.get("/api/house/events")) == "not-allowed"


# ---- monitors -----------------------------------------------------------------------------------


def looking(service: Service, passed=None) -> Monitors:
    return Monitors(service.house, service.environment, service.today, service.do, passed)


ROUNDS = 50


def watched(evening: Evening, work, **house) -> None:
    """Run `work` with a service of the evening's house and clock, without drivers."""

    async def run() -> None:
        with ThreadedStore(evening.store) as keeper:
            vault = Vault(bytes(32))
            environment = Environment(keeper, vault, evening.clock, evening.random, "server-1")
            plan = TablePlan(evening.table, "One", evening.settings, guests=True)
            service = Service(House("The house", "GBP", None, (plan,), **house), environment)
            await work(service)

    asyncio.run(run())


def kinds(evening: Evening, stream: str = "table:one") -> list[str]:
    return [json.loads(entry.body)["type"] for entry in evening.store.entries(stream, limit=5000)]


def test_monitors_check_every_table_of_the_default_house_without_failing(tmp_path, caplog):
    async def run() -> None:
        store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
        with closing(store), ThreadedStore(store) as keeper:
            environment = Environment(
                keeper, Vault(bytes(32)), system_clock, random.Random(1), "server-1"
            )
            service = Service(default_house(), environment)
            await service.open()
            for _ in range(2):
                await service.monitors.look()

    asyncio.run(run())
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == []


@pytest.mark.requirement("R36")
def test_r36_monitors_report_players_betting_in_step_once(tmp_path):
    table, chance = LiveTable(settings_for(decks=8)), random.Random(7)
    for number in range(1, ROUNDS + 1):
        table.until(e.RoundOpened)
        side, *others = (chance.choice(["player", "banker"]) for _ in range(7))
        staked = {"ann": (side, 80_000), "bob": (side, 70_000)}
        staked |= {f"honest-{n}": (other, 2_000) for n, other in enumerate(others)}
        for player, wager in staked.items():
            table.do(c.PlaceWagers(number, player, (Wager(*wager),)))
        table.until(e.RoundSettled)
    evening = Evening(SqlStore.open(f"sqlite:///{tmp_path}/house.db"), table.settings, table="test")
    evening.do(Job(Need("table:test"), lambda _: Outcome(table.events, state=table.state)))
    evening.now = table.now

    async def work(service: Service) -> None:
        for _ in range(2):
            await service.monitors.look()
        await looking(service).look()  # another server

    watched(evening, work)
    assert kinds(evening, "table:test").count("PartnersSuspected") == 1
    (known,) = evening.state.alerts
    assert known.players == ("ann", "bob")
    assert (known.rounds, known.same, known.weight) == (ROUNDS, ROUNDS, 10)
    evening.store.close()


@pytest.mark.requirement("G25")
def test_g25_a_result_outside_its_bounds_is_logged_once_a_day(tmp_path):
    """The drift is a player who always knows the winner."""
    evening = Evening(SqlStore.open(f"sqlite:///{tmp_path}/house.db"), settings_for(decks=2))
    evening.open(ann=10**9)

    async def look(service: Service) -> None:
        await service.monitors.look()
        await service.monitors.look()

    for _ in range(15):
        evening.until("open")
        evening.do(evening.wager("ann", (winner_to_come(evening), 1000)))
        evening.until("settled")
    watched(evening, look, result_alarm=10)
    assert kinds(evening).count("ResultUnusual") == 1
    (seen,) = (
        json.loads(entry.body)
        for entry in evening.store.entries("table:one", limit=5000)
        if b'"ResultUnusual"' in entry.body
    )
    assert (seen["money"], seen["once_in"]) == ("real", 10)
    assert seen["result"] < seen["low"] < seen["expected"] < seen["high"]
    evening.store.close()
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def winner_to_come(evening: Evening) -> str:
    """Return the next winner by looking into the shoe."""
    from baccarat.core.coup import deal_coup
    from baccarat.shoe.contributions import dealing_order
    from baccarat.table.rules import game_of

    state = evening.state
    order = dealing_order(state.shoe.seed, state.shoe.terms.cards)
    cards = [evening.shoe.order[position] for position in order[state.shoe.progress.place :]]
    winner = str(deal_coup(game_of(state.rules).tableau, cards).winner)
    return winner if winner != "tie" else "player"


def test_an_expired_bonus_is_forfeited_without_action_by_the_player(tmp_path):
    evening = Evening(SqlStore.open(f"sqlite:///{tmp_path}/house.db")).open(ann=1000)
    evening.do(evening.about("ann", partial(bonus.grant, amount=5000, days=1), by="pit"))

    async def work(service: Service) -> None:
        await service.monitors.look()
        assert evening.store.balance("player:ann/bonus") == 5000
        evening.now += DAY
        await service.monitors.look()
        assert evening.store.balance("player:ann/bonus") == 0
        await service.monitors.look()

    watched(evening, work)
    assert kinds(evening, "house").count("BonusForfeited") == 1
    evening.store.close()


def test_no_second_bonus_while_the_first_is_at_stake(tmp_path):
    """What is returned of the stake belongs to the first grant and counts towards its terms."""
    evening = Evening(SqlStore.open(f"sqlite:///{tmp_path}/house.db")).open(ann=100)
    evening.do(evening.about("ann", partial(bonus.grant, amount=900), by="pit"))
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 1000)))
    assert evening.store.balance("player:ann/bonus") == 0
    again = evening.about("ann", partial(bonus.grant, amount=500), by="pit")
    with pytest.raises(Refused, match=r"still has 9\.00 of bonus money"):
        evening.do(again)
    evening.until("settled")
    if not evening.store.balance("player:ann/bonus"):
        evening.do(again)  # lost: another can be granted
    evening.store.close()


@pytest.mark.requirement("G23")
def test_g23_a_clock_jump_is_logged(tmp_path):
    evening = Evening(SqlStore.open(f"sqlite:///{tmp_path}/house.db")).open()
    passed = [0.0]

    async def work(service: Service) -> None:
        monitors = looking(service, lambda: passed[0])
        await monitors.look()
        evening.now, passed[0] = evening.now + 15_000, 15.0
        await monitors.look()
        assert "ClockChanged" not in kinds(evening, "house")
        evening.now, passed[0] = evening.now + 15_000 - 60_000, 30.0
        await monitors.look()

    watched(evening, work)
    assert kinds(evening, "house")[-1] == "ClockChanged"
    (last,) = evening.store.entries("house", after=evening.store.head("house").sequence - 1)
    assert json.loads(last.body)["milliseconds"] == -60_000
    evening.store.close()


@pytest.mark.requirement("G23")
def test_g23_lost_data_is_logged_once(tmp_path):
    evening = Evening(SqlStore.open(f"sqlite:///{tmp_path}/house.db")).open()
    evening.until("open")

    async def work(service: Service) -> None:
        driver = Driver("one", service.environment, lambda _: None)
        for _ in range(2):
            await driver._report_loss(str(VaultError("the secret of a shoe is not kept")))

    watched(evening, work)
    assert kinds(evening).count("DataLost") == 1
    evening.store.close()


def test_the_house_file_sets_the_thresholds_for_large_wins_and_results():
    text = (
        'format = 1\nname = "X"\ncurrency = "EUR"\nlarge_win = "250"\nresult_alarm = 500\n'
        '[[table]]\nid = "one"\nname = "One"\ncard = "online"\n'
    )
    house = read_house(text, name="house.toml")
    assert (house.conduct.large_win, house.result_alarm) == (25_000, 500)
