"""The service on simulated time: driving, kills, takeovers, draining; the real keeper."""

import asyncio
import dataclasses
import inspect
import json
import random
import shutil
import threading
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.auditor import audit
from baccarat.cli import main
from baccarat.core.errors import BaccaratError
from baccarat.house import jobs
from baccarat.house.housefile import House
from baccarat.house.outcomes import Lease, Outcome
from baccarat.house.ports import Job, Need
from baccarat.service.balancing import HANDOVER_GRACE, LOOK, share_of
from baccarat.service.checksum import PROGRAM, check_approved, components, digest_of, watch
from baccarat.service.driver import GIVE_UP_AFTER, TERM
from baccarat.service.environment import Environment, new_holder
from baccarat.service.service import Service, StakesInProgress
from baccarat.service.visibility import Reader
from baccarat.shoe.commitment import Source
from baccarat.store.engine import StoreError
from baccarat.store.sqlstore import SqlStore, ThreadedStore, system_clock
from baccarat.store.vault import Vault
from baccarat.table import commands as c
from baccarat.table.events import CancelReason
from baccarat.table.phases import Phase
from baccarat.table.refusals import Message, Refused
from baccarat.table.settings import Clock
from support.following import follow as follow_feed
from support.running import run_house
from support.simulated_house import (
    CLOCK,
    HOUSE,
    TABLES,
    Quiet,
    SimulatedHouse,
    on_simulated_time,
    quietly,
    rows_of,
)
from support.stores import new_database


@pytest.mark.requirement("G03")
@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.CLOSED, Phase.DEALING, Phase.DECIDED], ids=str)
def test_a_round_whose_server_was_killed_is_finished_and_paid(phase):
    async def main() -> None:
        house = Quiet()
        house.start()
        await house.until(Phase.OPEN)
        house.place()
        await house.until(phase)
        await house.kill(house.running[0])
        number, killed_at = house.state().round.number, house.clock()
        house.start()  # it restarts under another name
        await house.until(Phase.SETTLED)
        second = house.running[0].service
        assert second.held == [StakesInProgress("one", number, str(phase), 500)]
        assert house.state().round.number == number
        assert house.state().epoch == 2
        longest = CLOCK.betting + 8 * CLOCK.card
        assert house.clock() - killed_at < TERM + LOOK + longest
        await house.kill(house.running[0])
        report = audit(rows_of(house.engine))
        assert (report.findings, report.held) == ([], {})

    on_simulated_time(main())


@pytest.mark.requirement("G35")
@quietly
async def test_draining_finishes_rounds_opens_none_and_releases_leases(house):
    house.start()
    await house.until(Phase.OPEN)
    service, number = house.running[0].service, house.state().round.number
    service.drain()
    house.place()  # the round is open: wagers are still accepted
    await house.running[0].task
    assert service.draining
    assert house.state().round.number == number
    assert house.state().round.phase is Phase.SETTLED
    lease = SqlStore(house.engine).leases()["table:one"]
    assert lease.expires_at <= house.clock()
    house.running.clear()


@quietly
async def test_a_service_drained_during_startup_drives_no_tables(house):
    house.start()
    house.running[0].service.drain()
    await house.running[0].task
    assert house.state().epoch == 0
    house.running.clear()


@quietly
async def test_a_server_cancelled_while_being_woken_stops(house):
    """Waking must not hide the cancellation, or a driver would outlive its server."""
    house.start()
    await house.until(Phase.OPEN)
    process = house.running[0]
    await asyncio.sleep(0.05)  # every driver is waiting
    for driver in process.service.drivers.values():
        driver.wake()
    process.task.cancel()
    await asyncio.wait([process.task], timeout=5)
    assert process.task.cancelled()


def driven_by(process) -> list[str]:
    return [name for name, driver in process.service.drivers.items() if driver.driving]


@quietly
async def test_tables_are_balanced_among_servers_without_flapping(house):
    first = house.start()
    await house.until(Phase.OPEN)
    assert driven_by(first) == list(TABLES)
    second = house.start()
    await asyncio.sleep(5)  # a round, and one or two checks
    assert sorted(driven_by(first) + driven_by(second)) == sorted(TABLES)
    assert len(driven_by(first)) == 1
    epochs = [house.state(table).epoch for table in TABLES]
    await asyncio.sleep(60)
    assert [house.state(table).epoch for table in TABLES] == epochs
    await house.kill(first)
    await asyncio.sleep((TERM + 2 * LOOK) / 1000)
    assert sorted(driven_by(second)) == sorted(TABLES)
    third = house.start()
    await asyncio.sleep(5)
    assert len(driven_by(third)) == 1
    second.service.drain()
    await second.task
    house.running.remove(second)
    await asyncio.sleep((HANDOVER_GRACE + 2 * LOOK) / 1000)
    assert sorted(driven_by(third)) == sorted(TABLES)


@pytest.mark.parametrize("seed", range(0, 12, 4))
def test_tables_are_balanced_again_after_failures(seed):
    """After an evening with faults, each of two servers drives one table and keeps it."""
    house = SimulatedHouse(seed)
    assert len(house.tables) == 2

    async def main() -> None:
        house.start()
        house.start()
        await asyncio.sleep(20)
        house.faults = False
        await asyncio.sleep(20)
        while len(house.running) > 2:
            await house.kill(house.running[0])
        while len(house.running) < 2:
            house.start()
        await asyncio.sleep(20)
        drivers = [driven_by(process) for process in house.running]
        assert sorted(map(len, drivers)) == [1, 1], drivers
        epochs = [house.state(table).epoch for table in TABLES]
        await asyncio.sleep(20)
        assert [house.state(table).epoch for table in TABLES] == epochs
        for process in list(house.running):
            await house.kill(process)

    on_simulated_time(main())


@settings(max_examples=50)
@given(
    st.integers(1, 6),
    st.lists(st.integers(0, 5), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
def test_balancing_converges_and_is_stable(servers, drivers, rng):
    """This holds for any initial distribution and any order of checks."""
    up = {str(one): 10**9 for one in range(servers)}
    leases = {
        f"table:{n}": Lease(1, str(driver % servers), 10**9) for n, driver in enumerate(drivers)
    }

    def counts() -> list[int]:
        held = Counter(lease.holder for lease in leases.values())
        return [held[one] for one in up]

    def look(holder: str, now: int) -> bool:
        share = share_of(holder, up, leases, now)
        for stream in share.hand_over:
            leases[stream] = Lease(leases[stream].epoch, "", now)
        for stream, lease in leases.items():
            if not lease.holder and stream not in share.leave_to_others | share.hand_over:
                leases[stream] = Lease(lease.epoch + 1, holder, 10**9)
                break  # the next table is taken at the next check
        return bool(share.hand_over)

    for now in range(0, 60 * LOOK, LOOK):
        for holder in rng.sample(sorted(up), len(up)):
            look(holder, now)
    assert max(counts()) - min(counts()) <= 1
    assert sum(counts()) == len(drivers)
    assert not any(look(holder, 10**6) for holder in up)


@pytest.mark.requirement("G26")
@quietly
async def test_the_kill_switch_lets_the_round_finish_and_holds_until_released(house):
    house.start()
    await house.until(Phase.OPEN)
    service = house.running[0].service
    house.place()
    await service.pause(by="pit", reason="inspection")
    command = c.PlaceWagers(house.state().round.number, "bob", (house.wager_of(),))
    with pytest.raises(Refused, match="paused"):
        await service.do(jobs.at_table("one", command, house.clock))
    await asyncio.sleep(60)
    stopped = [house.state(table).round for table in TABLES]
    assert {one.phase for one in stopped} <= {Phase.SETTLED, Phase.NONE}
    await service.resume(by="pit")
    await asyncio.sleep(CLOCK.pause / 1000 + 0.1)
    assert house.state().round.number == stopped[0].number + 1
    assert service.drivers["one"].settled >= 1


@pytest.mark.requirement("G26")
@quietly
async def test_resuming_the_house_leaves_individually_paused_tables_paused(house):
    house.start()
    await house.until(Phase.OPEN)
    service, one, two = house.running[0].service, *TABLES[:2]

    def paused():
        return [house.state(table).paused for table in (one, two)]

    await service.pause(one, by="the alarm", reason="two aces of spades")
    await service.pause(by="pit", reason="fire drill")
    assert paused() == [True, True]
    with pytest.raises(Refused, match=r"The whole house is paused\. Resume the house first\."):
        await service.resume(one, by="pit")
    await service.resume(by="pit")
    assert paused() == [True, False]
    reply = await service.environment.keeper.read(lambda store: store.entries(f"table:{one}"))
    assert any(b'"stays":true' in entry.body for entry in reply)
    await service.resume(one, by="pit")
    assert paused() == [False, False]
    await service.pause(by="pit", reason="fire drill")
    await service.pause(two, by="pit", reason="a torn felt")  # while the house is paused
    await service.resume(by="pit")
    assert paused() == [False, True]
    await service.resume(two, by="pit")


@quietly
async def test_a_table_removed_from_the_house_file_finishes_its_round_and_reveals_its_shoe(house):
    house.start()
    await house.until(Phase.OPEN)
    house.place()
    number = house.state().round.number
    environment = house.running[0].service.environment
    await house.kill(house.running[0])
    smaller = House("The house", "GBP", None, HOUSE.tables[1:])
    async with run_house(
        Service(smaller, dataclasses.replace(environment, holder="other"))
    ) as service:
        await house.until(Phase.SETTLED)
        await asyncio.sleep(30)
        assert house.state().round.number == number
        assert house.state("two").round.number > number
        assert not service.drivers["one"].driving
        reply = await service.environment.keeper.read(lambda store: store.entries("table:one"))
        ended = [one for one in reply if b'"ShoeEnded"' in one.body]
        assert [json.loads(one.body)["reason"] for one in ended] == ["abandoned"]
        assert house.state().shoe is None
    assert audit(rows_of(house.engine)).findings == []


@quietly
async def test_only_one_of_two_servers_reveals_the_shoe_of_a_removed_table(house):
    house.start()
    await house.until(Phase.OPEN)
    environment = house.running[0].service.environment
    smaller = House("The house", "GBP", None, HOUSE.tables[1:])
    both = [Service(smaller, dataclasses.replace(environment, holder=one)) for one in ("a", "b")]
    async with run_house(both[0]), run_house(both[1]):
        await asyncio.sleep(30)
        assert house.state().shoe is not None  # the first server still plays it
        await house.kill(house.running[0])
        await asyncio.sleep(60)
        assert house.state().shoe is None
        reply = await environment.keeper.read(lambda store: store.entries("table:one"))
        assert sum(b'"ShoeEnded"' in one.body for one in reply[-10:]) == 1


@quietly
async def test_a_lost_key_is_not_needed_once_its_table_is_removed(house):
    house.start()
    await house.until(Phase.SETTLED)
    environment = house.running[0].service.environment
    await house.kill(house.running[0])
    smaller = House("The house", "GBP", None, ())
    other = dataclasses.replace(environment, vault=Vault(bytes(31) + b"1"), holder="other")
    async with run_house(Service(smaller, other)) as service:
        await asyncio.sleep(30)
        assert "one" not in service.sealed_off
        assert house.state().shoe is not None


@quietly
async def test_changed_settings_take_effect_at_the_next_start(house):
    slower = dataclasses.replace(
        HOUSE.tables[0].settings, clock=Clock(betting=9_000, card=300, pause=500)
    )
    plan = dataclasses.replace(HOUSE.tables[0], settings=slower)
    house.start()
    await house.until(Phase.OPEN)
    changed = dataclasses.replace(HOUSE, tables=(plan,))
    await Service(changed, house.running[0].service.environment).open()
    assert house.state().settings == slower


@quietly
async def test_a_shoe_sealed_with_another_key_stops_only_its_table(house):
    house.start()
    await house.until(Phase.CLOSED)
    environment = house.running[0].service.environment
    await house.kill(house.running[0])
    other = dataclasses.replace(environment, vault=Vault(bytes(31) + b"1"), holder="other")
    async with run_house(Service(HOUSE, other)) as service:
        await asyncio.sleep(30)
        assert house.state().round.phase is Phase.CLOSED
        assert service.sealed_off == list(TABLES)
        assert not any(driver.driving for driver in service.drivers.values())
        assert house.state().epoch == 1  # a server takes no lease of a table that it cannot deal
    async with run_house(Service(HOUSE, dataclasses.replace(environment, holder="third"))):
        await house.until(Phase.SETTLED)


@quietly
async def test_shutdown_does_not_wait_for_ever_for_an_unresponsive_store(house):
    house.start()
    await house.until(Phase.OPEN)
    environment = house.running[0].service.environment
    await house.kill(house.running[0])
    service = Service(HOUSE, dataclasses.replace(environment, holder="other"))
    await service.open()
    running = asyncio.create_task(service.run())
    await house.until(Phase.DEALING)

    async def away(*_):
        raise StoreError("the database does not answer")

    environment.keeper.read, asked_at = away, house.clock()
    service.drain()
    await running
    assert 0 <= house.clock() - asked_at - GIVE_UP_AFTER < 2 * TERM


def keyed(environment: Environment, key: int) -> Environment:
    """Return the same world for another server, with this key."""
    vault = Vault(bytes(31) + bytes([key]))
    return dataclasses.replace(environment, vault=vault, holder=new_holder(vault))


@quietly
async def test_a_server_with_another_key_does_not_join_running_servers(house):
    """It would seal shoes that the others cannot open."""
    house.start()
    await house.until(Phase.OPEN)
    environment = house.running[0].service.environment
    await house.kill(house.running[0])
    slower = dataclasses.replace(HOUSE.tables[0].settings, clock=Clock(9_000, 300, 500))
    tables = (dataclasses.replace(HOUSE.tables[0], settings=slower), *HOUSE.tables[1:])
    changed = dataclasses.replace(HOUSE, tables=tables)
    async with run_house(Service(HOUSE, keyed(environment, 0))):
        await asyncio.sleep(TERM / 1000)
        before = house.state().sequence
        with pytest.raises(BaccaratError, match="other servers of this house use a different key"):
            await Service(changed, keyed(environment, 1)).open()
        entries = SqlStore(house.engine).entries("table:one", after=before)
        assert not any(b"SettingsChanged" in entry.body for entry in entries)
        await Service(changed, keyed(environment, 0)).open()
    with pytest.raises(
        BaccaratError, match="still counts as running for 4 s"
    ):  # its heartbeat still counts
        await Service(HOUSE, keyed(environment, 1)).open()
    await asyncio.sleep(TERM / 1000)
    lost = Service(HOUSE, keyed(environment, 1))
    async with run_house(lost):  # whose shoes this key does not open, and who has it may join
        await asyncio.sleep(1)
        await Service(HOUSE, keyed(environment, 1)).open()


@pytest.mark.parametrize("source", [Source.SHOE, Source.SHUFFLER], ids=str)
def test_only_a_table_whose_shoe_no_server_can_open_stops(source):
    """Tables that another server deals, or that get a new shoe, continue."""
    plan = HOUSE.tables[0]
    settings = dataclasses.replace(plan.settings, source=source)
    one = dataclasses.replace(HOUSE, tables=(dataclasses.replace(plan, settings=settings),))

    async def main() -> None:
        house = Quiet()
        environment = house.start().service.environment
        await house.kill(house.running[0])
        right = dataclasses.replace(environment, holder="right")
        wrong = dataclasses.replace(environment, vault=Vault(bytes(31) + b"1"), holder="wrong")
        async with run_house(Service(one, right)):
            await house.until(Phase.OPEN)
        async with run_house(Service(one, wrong)) as service:
            await asyncio.sleep(2 * TERM / 1000)
            assert service.sealed_off == ["one"]
            able = Service(one, dataclasses.replace(right, holder="able"))
            await able.open()
            running = asyncio.create_task(able.run())
            await asyncio.sleep(3 * TERM / 1000)
            assert service.sealed_off == []
            while not (shoe := house.state().shoe) or shoe.progress.place > 15:
                await asyncio.sleep(0.5)  # a new shoe does not end with the round
            able.drain()
            await running
            before = house.state()
            await asyncio.sleep(60)
            goes_on = source is Source.SHUFFLER  # a shuffler has no shoe between coups
            assert service.sealed_off == ([] if goes_on else ["one"])
            assert (house.state().round.number > before.round.number) == goes_on
            assert house.state().epoch == before.epoch + goes_on

    on_simulated_time(main())


# ---- the real keeper ----------------------------------------------------------------------------


def world_of(keeper: ThreadedStore) -> Environment:
    return Environment(keeper, Vault(bytes(32)), system_clock, random.Random(1), "here")


def test_threads_commit_and_read_while_the_loop_goes_on(tmp_path):
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")

    async def main(keeper: ThreadedStore) -> None:
        service = Service(HOUSE, world_of(keeper))
        await service.open()
        follow = follow_feed(service.feed, "one", Reader("ann"), 0)
        first = json.loads(await anext(follow))
        assert (first["after"], first["through"]) == (0, 1)
        waiting = asyncio.ensure_future(anext(follow))
        await service.pause("one", by="pit", reason="inspection")
        second = json.loads(await waiting)
        assert (second["after"], second["through"]) == (1, 2)
        assert service.feed.readers == 1
        await follow.aclose()
        assert service.feed.readers == 0
        with pytest.raises(StoreError, match="cannot read the store"):
            await keeper.read(lambda store: store.nothing_of_the_kind)

    with ThreadedStore(store) as keeper:
        asyncio.run(main(keeper))
    store.close()


def test_a_cancelled_command_does_not_stop_the_committing_thread(tmp_path):
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    begun, go_on = threading.Event(), threading.Event()
    after = Message("after", {})

    def slow(_) -> Outcome:
        begun.set()
        go_on.wait()
        return Outcome(warnings=(Message("slow", {}),))

    async def main(keeper: ThreadedStore) -> None:
        first = asyncio.ensure_future(keeper.commit(Job(Need("house"), slow)))
        await asyncio.to_thread(begun.wait)
        second = asyncio.ensure_future(keeper.commit(Job(Need("house"), slow)))
        await asyncio.sleep(0)
        first.cancel()
        second.cancel()
        go_on.set()
        (done,) = await keeper.commit(Job(Need("house"), lambda _: Outcome(warnings=(after,))))
        assert done.warnings == (after,)

    with ThreadedStore(store) as keeper:
        asyncio.run(main(keeper))
    store.close()


def test_commits_notify_other_servers_on_postgresql(server):
    from baccarat.store.notifications import listener

    address = new_database(server)
    store = SqlStore.open(address)

    async def main(there: ThreadedStore) -> None:
        notified: asyncio.Queue[str] = asyncio.Queue()
        other = Service(HOUSE, world_of(there))
        await other.open()

        async def commit_without_end() -> None:
            while True:  # the thread may not be listening yet
                await other.pause("one", by="pit", reason="inspection")
                await other.resume("one", by="pit")

        with listener(address, notified.put_nowait):
            committing = asyncio.create_task(commit_without_end())
            assert await notified.get() == "table:one"
            committing.cancel()
            await asyncio.wait([committing])

    with ThreadedStore(store) as there:
        asyncio.run(main(there))
    store.close()


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.DEALING], ids=str)
def test_a_house_that_lost_its_key_returns_stakes_and_opens_new_tables(phase):
    async def main() -> None:
        house = Quiet()
        house.start()
        await house.until(Phase.OPEN)
        house.place()
        await house.until(phase)
        number, before = house.state().round.number, house.running[0].service.environment
        await house.kill(house.running[0])
        environment = dataclasses.replace(before, vault=Vault(bytes([1]) * 32), holder="other")
        async with run_house(Service(HOUSE, environment)) as service:
            assert "one" in service.sealed_off
            await asyncio.sleep(30)
            assert house.state().round.number == number
            for who in ("pit", "boss") if phase is Phase.DEALING else ("pit",):
                cancel = c.CancelRound(number, CancelReason.OTHER, who)
                await service.do(jobs.at_table("one", cancel, house.clock))
            assert SqlStore(house.engine).balance("player:ann/real") == 30_000
        renamed = tuple(dataclasses.replace(plan, id=f"new-{plan.id}") for plan in HOUSE.tables)
        new = dataclasses.replace(HOUSE, tables=renamed)
        service = Service(new, dataclasses.replace(environment, holder="third"))
        await service.open()
        running = asyncio.create_task(service.run())
        await asyncio.sleep(30)
        assert house.state("new-one").round.number > 1
        service.drain()
        await running
        report = audit(rows_of(house.engine))
        assert (report.findings, report.held) == ([], {})

    on_simulated_time(main())


# ---- the program's own files --------------------------------------------------------------------


@pytest.mark.requirement("G24")
@pytest.mark.parametrize("harm", ["altered", "added", "gone"])
def test_a_changed_program_file_stops_every_table(harm, tmp_path):
    """A changed byte in a rule card, an extra file, a missing file."""
    program = tmp_path / "baccarat"
    shutil.copytree(PROGRAM, program, ignore=shutil.ignore_patterns("__pycache__"))
    before, card = components(program), program / "rulecards" / "punto-banco.toml"
    assert before == components()
    assert inspect.signature(watch).parameters["every"].default == 24 * 3600

    async def watched(house: Quiet) -> None:
        house.start()
        await house.until(Phase.OPEN)
        service = house.running[0].service
        watching = asyncio.create_task(watch(service, before, folder=program, every=5))
        await asyncio.sleep(11)
        assert not house.state().paused
        if harm == "altered":
            card.write_bytes(card.read_bytes().replace(b"19:20", b"19:21", 1))
        elif harm == "added":
            (program / "more.py").write_text("")
        else:
            card.unlink()
        await asyncio.sleep(5)
        assert all(house.state(table).paused for table in TABLES)
        file = "more.py" if harm == "added" else "rulecards/punto-banco.toml"
        reason = f'"reason":"Program files changed: {file}."'
        assert sum(reason in body.decode() for *_, body in rows_of(house.engine).journal) == len(
            TABLES
        )
        watching.cancel()

    quietly(watched)()
    assert digest_of(components(program)) != digest_of(before)


def test_the_checksum_of_the_program_is_that_of_its_file_list(capsys):
    assert main(["checksum"]) == 0
    digest = capsys.readouterr().out.strip()
    assert main(["checksum", "--list"]) == 0
    listed = capsys.readouterr().out
    assert sha256(listed.encode()).hexdigest() == digest
    assert main(["checksum", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == digest
    check_approved(digest.upper())
    assert main(["serve", "--require-checksum", "00"]) == 2
    assert f"this program's checksum is {digest}, but 00 was approved" in capsys.readouterr().err
