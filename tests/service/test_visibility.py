"""What readers see: public events and their own, never those of others."""

import asyncio
import json
import random
from typing import get_args

import jsonschema_rs
import msgspec
import pytest

from baccarat.core.cards import parse_card
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.people.roles import MAY, Account, Action, Role
from baccarat.service.feed import FRAME_EVERY
from baccarat.service.public_view import Stakes
from baccarat.service.visibility import DEALERS, SIGHT, Reader, Sight, entry_texts, frame
from baccarat.shoe.commitment import Hex
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.four_eyes.subjects import Cancel, Correct, Dispute, HandOver, Rectify
from baccarat.table.four_eyes.terms import DismissReports
from baccarat.table.journal import beginning, chain
from baccarat.table.phases import Phase, Round
from baccarat.web.schema.events import by_type, named, schemas
from support.following import follow as follow_feed
from support.promised import strict
from support.simulated_house import Quiet, quietly

ANN, BOB, EVE = Reader("ann"), Reader("bob"), Reader("eve")
PIT = Reader("pit", sees_all=True)
HASH = Hex(32)
RESULTS = tuple(
    e.PlayerResult(player, (e.WagerResult("player", stake, stake),), 0)
    for player, stake in (("ann", 777), ("bob", 888))
)
HAPPENED = [
    e.ContributionCommitted(1, "bob", Hex(b"c")),
    e.ContributionRevealed(2, "bob", Hex(b"s")),
    e.RoundOpened(3, 7, 9),
    e.WagersPlaced(4, 7, "ann", (Wager("player", 777),), (), 0),
    e.WagersPlaced(4, 7, "bob", (Wager("player", 888), Wager("tie", 10)), (), 0),
    e.BettingClosed(9, 7),
    e.RoundSettled(10, 7, RESULTS, HASH),
    e.RoundCancelled(11, 8, e.CancelReason.MISDEAL, ("the-pit", "the-other"), RESULTS, None),
    e.TablePaused(12, "the-pit", "inspection"),
]
BY_HAND = [
    e.DealerChanged(13, "dan", "", ""),
    e.CardPlaced(14, 9, "dan", parse_card("8h"), Hand.PLAYER, Hand.PLAYER, 8, None, False),
    e.RoundSettled(15, 9, RESULTS, HASH, "dan"),
    e.ErrorReported(16, 9, "ann", "a card too many"),
    e.ReportDismissed(17, 9, "the-pit", "none", "the-other"),
]


def entries_of(events):
    entries = chain(beginning("table:one"), [e.encode(event) for event in events])
    return [entry_texts(entry, lambda account: f"{account.title()} B") for entry in entries]


def heard(reader: Reader, events=HAPPENED) -> dict:
    return json.loads(frame(reader, 0, entries_of(events)))


def test_every_event_defines_its_visibility():
    assert set(SIGHT) == set(e.EVENTS.values())
    for kind, sight in SIGHT.items():
        names = {"player", "players", "by", "results"} & set(kind.__struct_fields__)
        assert (sight is Sight.PUBLIC) == (not names) or sight is Sight.STAFF, kind


def test_fields_shown_as_dealers_contain_account_ids():
    shown = [
        (kind.__name__, field.name)
        for kind, sight in SIGHT.items()
        if sight in (Sight.PUBLIC, Sight.UNNAMED, Sight.RESULTS)
        for field in msgspec.structs.fields(kind)
        if field.name in DEALERS and str not in (field.type, *get_args(field.type))
    ]
    assert shown == []


def test_a_reader_sees_public_events_and_their_own():
    mine = heard(ANN)
    assert (mine["after"], mine["through"]) == (0, len(HAPPENED))
    assert [event["sequence"] for event in mine["events"]] == [1, 2, 3, 4, 6, 7, 8, 9]
    for result in (mine["events"][5], mine["events"][6]):
        assert [one["player"] for one in result["results"]] == ["ann"]
    for reader in (ANN, EVE):
        text = json.dumps(heard(reader))
        assert not any(secret in text for secret in ("bob", "888", "the-pit", "the-other"))
    assert "ann" not in json.dumps(heard(EVE))
    assert [event["results"] for event in heard(EVE)["events"][4:6]] == [[], []]


def test_dealers_see_reports_and_proposals_for_their_console_only():
    subjects = (Cancel(7), Rectify(7), Correct(7), HandOver("dino"), Dispute(7, "ann"))
    terms = DismissReports(())
    proposed = [e.ActionProposed(n, one, terms, "", "pit", 99) for n, one in enumerate(subjects)]
    happened = [*HAPPENED, e.ErrorReported(20, 7, "ann", "a card too many"), *proposed]
    dealer = Reader.of(Account("dora", Role.DEALER, "Dora"))
    new = heard(dealer, happened)["events"]
    more = [one for one in new if one not in heard(EVE, happened)["events"]]
    assert [one["type"] for one in more] == ["ErrorReported", *["ActionProposed"] * 4]
    assert "dispute" not in json.dumps(more)
    types = [event["type"] for event in heard(ANN, happened)["events"]]
    assert types.count("ErrorReported") == 1
    assert "ErrorReported" not in [event["type"] for event in heard(BOB, happened)["events"]]


def test_contributions_show_names_and_ids_only_to_their_owner():
    made, shown = heard(ANN)["events"][:2]
    first = {"sequence": 1, "type": "ContributionCommitted", "at": 1}
    assert made == {**first, "name": "Bob B", "commitment": b"c".hex()}
    second = {"sequence": 2, "type": "ContributionRevealed", "at": 2}
    assert shown == {**second, "name": "Bob B", "secret": b"s".hex()}
    for mine, others in zip(heard(BOB)["events"][:2], (made, shown), strict=True):
        assert mine == {**others, "player": "bob"}


def test_readers_who_see_everything_can_verify_the_hash_chain():
    seen = heard(PIT)
    bodies = [
        {n: event[n] for n in event if n not in ("sequence", "hash")} for event in seen["events"]
    ]
    assert bodies == [json.loads(e.encode(event)) for event in HAPPENED]
    assert [event["hash"] for event in seen["events"]] == [
        one.entry.hash.hex() for one in entries_of(HAPPENED)
    ]
    assert seen["hash"] == seen["events"][-1]["hash"]


@pytest.mark.parametrize("role", Role)
def test_only_roles_that_see_all_money_or_export_see_everything(role):
    reader = Reader.of(Account("x", role, "X"))
    assert reader.sees_all == bool(MAY[role] & {Action.SEE_ALL_MONEY, Action.EXPORT})
    assert reader.sees_all == (role in (Role.PIT, Role.AUDITOR))


def test_events_have_the_documented_form():
    """This holds for every reader, and no event has a field that the schema lacks."""
    components = strict({"schemas": {**schemas(), "Event": {"type": "object", "allOf": by_type()}}})
    form = {"$ref": "#/components/schemas/Event", "components": components}
    validator = jsonschema_rs.validator_for(form)
    for reader in (ANN, BOB, EVE, PIT):
        for event in heard(reader, [*HAPPENED, *BY_HAND])["events"]:
            assert next(validator.iter_errors(event), None) is None, event
    for wrong in ({"name": "Bob B"}, {"at": 1, "seed": "00", "missing": 0, "key": "00"}):
        assert not validator.is_valid({"type": "ShoeReady", **wrong})


@pytest.mark.parametrize("kind", e.EVENTS.values(), ids=lambda kind: kind.__name__)
def test_fields_that_everyone_sees_are_required_and_no_others(kind):
    """Events that everyone sees do not require account ids."""
    form = schemas()[named(kind)]
    ids = {name for name, one in form["properties"].items() if one.get("format") == "account"}
    if SIGHT[kind] in (Sight.PUBLIC, Sight.UNNAMED, Sight.RESULTS):
        assert not ids & set(form["required"])
    assert form["description"]


def test_an_empty_frame_has_its_position():
    empty = {"after": 5, "through": 5, "hash": None, "events": []}
    assert json.loads(frame(ANN, 5, [])) == empty


def test_stakes_are_summed_after_changes_and_withdrawals():
    rng, stakes, placed = random.Random(5), Stakes(Round()), {}
    assert stakes.sums() == {"round": 0, "players": 0, "bets": {}}
    assert stakes.take(e.RoundOpened(0, 3, 9))
    for _ in range(300):
        player = rng.choice("abcdefgh")
        bets = rng.sample(["player", "banker", "tie"], rng.randrange(4))
        placed[player] = tuple(Wager(bet, rng.randrange(1, 9)) for bet in bets)
        assert stakes.take(e.WagersPlaced(1, 3, player, placed[player], (), 0))
        sums: dict[str, int] = {}
        for wagers in placed.values():
            for wager in wagers:
                sums[wager.bet] = sums.get(wager.bet, 0) + wager.stake
        players = sum(bool(wagers) for wagers in placed.values())
        assert stakes.sums() == {"round": 3, "players": players, "bets": sums}
    assert not stakes.take(e.BettingClosed(2, 3))
    assert stakes.take(e.RoundSettled(2, 3, (), HASH))
    assert stakes.sums() == {"round": 3, "players": 0, "bets": {}}


# ---- through the feed ----------------------------------------------------------------------------


@quietly
async def test_own_wagers_are_sent_at_once_and_others_in_batches(house: Quiet):
    house.start()
    await house.until(Phase.OPEN)
    service = house.running[0].service
    began = house.state().sequence
    loop = asyncio.get_running_loop()
    heard: dict[str, list[tuple[float, dict]]] = {"ann": [], "bob": []}

    async def follow(name: str) -> None:
        async for text in follow_feed(service.feed, "one", Reader(name), began):
            heard[name].append((loop.time(), json.loads(text)))

    tasks = [asyncio.create_task(follow(name)) for name in heard]
    await asyncio.sleep(0.01)
    number, started = house.state().round.number, loop.time()
    for n in range(10):
        command = c.PlaceWagers(number, "ann", (Wager("player", 500 + 20 * n),))
        await service.do(jobs.at_table("one", command, house.clock))
        await asyncio.sleep(0.01)
    await asyncio.sleep(2 * FRAME_EVERY)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    mine, others = heard["ann"], heard["bob"]
    assert len(mine) == 10
    assert mine[0][0] - started < 0.05
    assert len(others) == 1
    frame = others[0][1]
    assert (frame["after"], frame["through"], frame["events"]) == (began, began + 10, [])
    assert frame["stakes"] == {"round": number, "players": 1, "bets": {"player": 680}}
    assert mine[-1][1]["stakes"] == frame["stakes"]
    for frames in heard.values():
        ends = [began, *(frame["through"] for _, frame in frames)]
        assert [frame["after"] for _, frame in frames] == ends[:-1]
