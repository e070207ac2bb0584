"""Disputes: open readings are replayed, the best is paid, ambiguities are resolved."""

import json
import random
from dataclasses import replace
from functools import cache, partial
from itertools import product

import pytest

from baccarat.auditor import audit, read_store
from baccarat.auditor.coups import facts_of
from baccarat.auditor.rules import Rules
from baccarat.core.cards import Card, deck
from baccarat.core.coup import deal_coup
from baccarat.core.wagers import Wager
from baccarat.house.housefile import load_house
from baccarat.house.money import bonus
from baccarat.house.ports import Done
from baccarat.house.safety.profiles import BonusRules, default_conduct
from baccarat.loader import load
from baccarat.shoe.commitment import Source
from baccarat.store import bookings, history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.disputes.case import ShoeKnown, case_of
from baccarat.table.disputes.replay import Case, options, proposed
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, rules_hash, rules_text
from baccarat.table.state import restore, snapshot
from support.disputes import (
    ALONE,
    DISPUTES,
    FOLDER,
    RAINY,
    SMUDGED,
    opening,
    smudged,
    wager_until_disputable,
)
from support.documented import ROOT
from support.live import FAST, LiveTable, settings_for
from support.proposals import withdraw
from support.served import served
from support.stores import Evening, new_database
from support.tampering import rewritten

RULES = rules_text(SMUDGED)
IN_FORCE = (
    *(("after-standing", "usual"), ("commission", "commission")),
    *(("six-odds", "one-line"), ("six-alone", "alone")),
)


@pytest.fixture(scope="module")
def opened_card(tmp_path_factory) -> str:
    """The punto-banco card with its ambiguities open: A1 has four readings."""
    path = tmp_path_factory.mktemp("cards") / "punto-banco-open.toml"
    text = (ROOT / "src/baccarat/rulecards/punto-banco.toml").read_text(encoding="utf-8")
    path.write_text(text.replace('status = "resolved"', 'status = "open"'), encoding="utf-8")
    return str(path)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(word[:-1], word[-1]) for word in text.split())


def settled(rules: str, drawn: tuple[Card, ...], stakes: dict[str, int], bonus: int = 0) -> Case:
    """Return a case in which the rules in force were followed."""
    game = game_of(rules)
    coup = deal_coup(game.tableau, drawn)
    pays = game.pay_table.pays(coup)
    wagers = tuple(
        e.WagerResult(bet, stake, int(stake * pays[bet])) for bet, stake in stakes.items()
    )
    used = len(coup.player) + len(coup.banker)
    result = e.PlayerResult("ann", wagers, bonus)
    return Case(7, rules, result, drawn[:used], drawn[used:])


# ---- options ------------------------------------------------------------------------------------

STOOD = cards("3h 2c 4d 3s 7h")  # player 7 stands; the banker has 5 and draws a 7: 2


@pytest.mark.requirement("R46")
def test_r46_another_reading_may_use_fewer_cards():
    case = settled(RULES, STOOD, {"banker": 2000})
    assert case.result.net == -2000
    found = options(case)
    assert found[0].readings == IN_FORCE
    assert found[0].net == case.result.net
    assert len(found) == 16
    # Standing on 5, the banker still loses to 7: no reading is better.
    assert proposed(found) == found[0]


@pytest.mark.requirement("R46")
def test_r46_the_best_combination_is_proposed():
    drawn = cards("3h 2c 3d 3s 4h")  # player 6 stands; the banker with 5 draws a 4: 9
    case = settled(RULES, drawn, {"player": 1000})
    assert case.result.net == -1000
    best = proposed(options(case))
    assert dict(best.readings) == {**dict(IN_FORCE), "after-standing": "stands"}
    assert (best.net, best.coup) == (1000, "P:3h3d=6 B:2c3s=5")


@pytest.mark.requirement("R46")
def test_r46_an_option_waits_for_cards_that_are_still_in_the_shoe():
    reread = rules_text(SMUDGED, readings={"after-standing": "stands"})
    drawn = cards("3h 2c 3d 3s")  # stood on 5 against 6; the other reading draws
    case = settled(reread, drawn, {"banker": 2000})
    found = options(case)
    waiting = [one for one in found if one.pending]
    assert len(waiting) == 8
    assert {one.hand for one in waiting} == {"banker"}
    known = options(replace(case, following=cards("4h 9c")))
    assert not any(one.pending for one in known)
    assert proposed(known).net == 2000
    never = options(replace(case, over=True))
    assert [one.possible for one in never].count(False) == 8
    assert proposed(never).net == -2000


@pytest.mark.requirement("R46")
def test_r46_readings_that_forbid_the_wagers_do_not_count():
    case = settled(RULES, STOOD, {"six": 500})  # alone: only one reading allows it
    found = options(case)
    assert [one.possible for one in found].count(False) == 8
    assert next(one.refusal for one in found if not one.possible)


@pytest.mark.requirement("R46")
def test_r46_one_combination_of_readings_applies_to_all_wagers_of_the_round():
    """The 20:1 for a six of three cards cannot be combined with both drawing and standing."""
    drawn = cards("2h 3c 3d 2s Ah")  # 5 to 5: player draws an ace, 6; banker has 5, gave 1: stands
    stakes = {"player": 1000, "banker": 2000, "six": 500}
    case = settled(RULES, drawn, stakes)
    for option in options(case):
        if option.known:
            assert len(dict(option.readings)) == len(option.readings) == 4
            assert option.net == brute(case, dict(option.readings))


def test_a_bet_that_another_reading_replaces_is_returned(tmp_path):
    """If Fortune Six is read as two bets, a wager on the single bet is returned."""
    text = (ROOT / "src/baccarat/rulecards/fortune-six.toml").read_text(encoding="utf-8")
    path = tmp_path / "open.toml"
    path.write_text(text.replace('status = "resolved"', 'status = "open"'), encoding="utf-8")
    rules = rules_text(str(path))
    card = game_of(rules).card
    question = card.ambiguity("A9")
    other = next(reading.id for reading in question.readings if reading.id != question.in_force)
    (bet,) = question.bets[:1]
    case = settled(rules, STOOD, {bet: 1000})
    assert case.result.net == -1000
    split = [
        option for option in options(case) if dict(option.readings)["A9"] == other and option.known
    ]
    assert split
    assert {one.net for one in split} == {0}
    # Conversely, a wager on one of the two is a wager on the single bet.
    back = rules_text(str(path), readings={"A9": other})
    new = [one.id for one in game_of(back).bets if one.replaces == bet]
    case = settled(back, STOOD, {new[0]: 1000})
    joined = [
        option for option in options(case) if dict(option.readings)["A9"] == question.in_force
    ]
    assert {one.net for one in joined if one.known} == {-1000}


# ---- brute force --------------------------------------------------------------------------------


def brute(case: Case, readings: dict[str, str]) -> int | None:
    """Return the net result, dealt and paid here; None if there are not enough cards."""
    card = load_content(case.rules)
    chosen = {
        ambiguity.id: ambiguity.reading(readings[ambiguity.id]) for ambiguity in card.ambiguities
    }
    governed = frozenset().union(*(ambiguity.cells for ambiguity in card.ambiguities))
    draws = (card.tableau.banker_draws - governed).union(*(one.draws for one in chosen.values()))
    queue = [*case.drawn, *case.following]
    player, banker = [queue[0], queue[2]], [queue[1], queue[3]]
    rest = iter(queue[4:])
    total = lambda hand: sum(one.points for one in hand) % 10  # noqa: E731
    try:
        if not {total(player), total(banker)} & card.tableau.naturals:
            start, given = total(banker), 10
            if total(player) in card.tableau.player_draws:
                player.append(next(rest))
                given = player[-1].points
            if (start, given) in draws:
                banker.append(next(rest))
    except StopIteration:
        return None
    payer = payer_of(case.rules, tuple(readings.items()))
    hands = {"player": [*map(str, player)], "banker": [*map(str, banker)]}
    facts = facts_of(hands, card.tableau.naturals)
    return sum(payer.net(wager.bet, wager.stake, facts) for wager in case.result.wagers)


@cache
def payer_of(rules: str, readings: tuple) -> Rules:
    content = json.loads(rules)
    payer = Rules(json.dumps({**content, "readings": {**content["readings"], **dict(readings)}}))
    payer.rounding = "up"
    return payer


@cache
def load_content(rules: str):
    from baccarat.loader import load_content as loaded

    return loaded(json.loads(rules)["card"], name="card")


def shoe_of(rng: random.Random, wanted: frozenset | None) -> list[Card]:
    """Return six cards; if cells are given, the banker must reach one of them."""
    while True:
        shoe = rng.sample(deck() * 8, 6)
        player, banker = ((shoe[i].points + shoe[i + 2].points) % 10 for i in (0, 1))
        given = shoe[4].points if player <= 5 else 10
        if wanted is None or (max(player, banker) < 8 and (banker, given) in wanted):
            return shoe


@pytest.mark.requirement("R46")
@pytest.mark.parametrize("name", ["smudged", "punto-banco"])
def test_r46_property_the_proposal_is_the_best_by_brute_force(name, opened_card):
    """With random shoes, wagers and readings in force, a dispute never costs the player."""
    path = SMUDGED if name == "smudged" else opened_card
    card, rng = load(path), random.Random(name)
    every = [
        {one.id: chosen for one, chosen in zip(card.ambiguities, combination, strict=True)}
        for combination in product(
            *([r.id for r in ambiguity.readings] for ambiguity in card.ambiguities)
        )
    ]
    better = pending = 0
    governed = frozenset().union(*(ambiguity.cells for ambiguity in card.ambiguities))
    in_forces = rng.sample(range(len(every)), 4)
    texts = {i: rules_text(path, readings=every[i]) for i in in_forces}
    for attempt in range(100):
        in_force = rng.choice(in_forces)
        shoe = shoe_of(rng, governed if attempt % 4 else None)
        main = rng.choice(["player", "banker"])
        stakes = {main: 2000, "tie": 1000} if rng.random() < 0.5 else {main: 4000}
        if name == "smudged" and rng.random() < 0.5:
            stakes["six"] = 500
        case = settled(texts[in_force], tuple(shoe), stakes)
        seen = rng.randrange(len(case.following) + 1)
        case = replace(case, following=case.following[:seen])
        found = options(case)
        assert dict(found[0].readings) == every[in_force]
        assert {frozenset(dict(one.readings).items()) for one in found} == {
            frozenset(readings.items()) for readings in every
        }
        for one in found:
            net = brute(case, dict(one.readings))
            assert one.pending == (net is None)
            assert one.pending or one.net == net
        best = proposed(found)
        known = [brute(case, readings) for readings in every]
        assert best.net == max(net for net in known if net is not None)
        assert best.net >= case.result.net
        better += best.net > case.result.net
        pending += any(one.pending for one in found)
    assert better > 5
    assert pending > 5


# ---- at a table ---------------------------------------------------------------------------------


def played(table: LiveTable, rounds: int = 30, stake: int = 2000) -> list[int]:
    """Play rounds with ann's bet on Banker and bob's on Player; return their numbers."""
    numbers = []
    for _ in range(rounds):
        number = table.until(e.RoundOpened).round
        table.do(c.PlaceWagers(number, "ann", (Wager("banker", stake),)))
        table.do(c.PlaceWagers(number, "bob", (Wager("player", stake),)))
        table.until(e.RoundSettled)
        numbers.append(number)
    return numbers


def disputable(table: LiveTable, numbers: list[int], player: str = "ann") -> Case:
    """Return a round for which another reading is better and all cards are known."""
    for number in numbers:
        case = case_of(table.events, number, player)
        found = options(case)
        if not any(x.pending for x in found) and proposed(found).net > case.result.net:
            return case
    raise AssertionError("no such round: deal more")


def refusal(table: LiveTable, command: c.Command) -> Refused:
    with pytest.raises(Refused) as found:
        table.do(command)
    return found.value


def decision(case: Case, by: str = "pit", *, alone: int = ALONE, **other) -> c.DecideDispute:
    readings = other.get("readings", proposed(options(case)).readings)
    return c.DecideDispute(
        case.round, case.result.player, readings, alone, "the line cannot be read", by
    )


@pytest.mark.requirement("R46")
def test_r46_a_dispute_from_opening_to_payment():
    table = LiveTable(smudged())
    case = disputable(table, played(table))
    assert refusal(table, decision(case)).code is Code.NO_SUCH_DISPUTE
    (opened,) = table.do(opening(case, "the sheet is smudged"))
    assert (opened.round, opened.player) == (case.round, "ann")
    assert refusal(table, opening(case, "again")).code is Code.ALREADY_DISPUTED
    worse = refusal(table, decision(case, readings=IN_FORCE))
    assert worse.code is Code.NOT_BEST
    (decided,) = table.do(decision(case))
    best = proposed(options(case))
    assert decided.after.net == best.net > decided.before.net == case.result.net
    assert decided.by == ("pit",)
    (kept,) = table.state.disputes
    assert (kept.decided, kept.words) == (True, "the sheet is smudged")
    assert refusal(table, decision(case)).code is Code.NO_SUCH_DISPUTE
    assert refusal(table, opening(case, "again")).code is Code.ALREADY_DISPUTED
    assert restore(snapshot(table.state)) == table.state
    table.do(opening(case_of(table.events, case.round, "bob"), "me too"))


@pytest.mark.requirement("R46", "G38")
def test_r46_two_people_decide_above_the_limit():
    table = LiveTable(smudged())
    case = disputable(table, played(table))
    table.do(opening(case, "the sheet is smudged"))
    due = proposed(options(case)).net - case.result.net
    (proposal,) = table.do(decision(case, "pit", alone=due - 1))
    assert isinstance(proposal, e.ActionProposed)
    agreed = proposal.terms
    before = agreed.grounds.before
    assert (before, agreed.after - before) == (case.result.net, due)  # as shown
    assert refusal(table, decision(case, "pit", alone=due - 1)).code is Code.NEEDS_TWO_PEOPLE
    table.do(c.WithdrawProposal(proposal.subject, "pit"))
    assert table.do(c.WithdrawProposal(proposal.subject, "pit")) == ()
    table.do(decision(case, "boss", alone=due - 1))
    (decided,) = table.do(decision(case, "pit", alone=due - 1))
    assert decided.by == ("boss", "pit")
    assert table.state.proposals == ()


def test_a_proposal_expires_after_a_day():
    table = LiveTable(smudged())
    case = disputable(table, played(table))
    table.do(opening(case, "the sheet is smudged"))
    (proposal,) = table.do(decision(case, "pit", alone=0))
    table.now = proposal.until
    ended, anew = table.do(decision(case, "boss", alone=0))
    assert ended.why is e.ProposalEnd.EXPIRED
    assert anew.by == "boss"


@pytest.mark.requirement("R46")
def test_r46_a_dispute_is_not_decided_while_an_option_waits_for_cards():
    """The next card of the shoe is public only after the next round."""
    stood = {"after-standing": "stands"}
    settings = replace(smudged(), rules=rules_text(SMUDGED, readings=stood))
    table = LiveTable(settings)
    for _ in range(60):
        (number,) = played(table, 1)
        case = case_of(table.events, number, "ann")
        if any(option.pending for option in options(case)):
            break
    else:
        pytest.fail("no round has an option that waits")
    table.do(opening(case, "drawing was meant"))
    assert refusal(table, decision(case)).code is Code.TOO_EARLY
    played(table, 1)
    case = case_of(table.events, number, "ann")
    assert case.following
    (decided,) = table.do(decision(case))
    assert decided.after.net >= decided.before.net


@pytest.mark.requirement("R46")
def test_r46_a_replay_stops_at_an_unseen_card():
    """A card burned unseen between two coups would have been the next one; it is not guessed."""
    table = LiveTable(smudged())
    number, after = played(table, 2)
    assert case_of(table.events, number, "ann").following
    next_card = next(x for x in table.events if isinstance(x, e.CardDealt) and x.round == after)
    unseen = [event for event in table.events if event is not next_card]
    assert case_of(unseen, number, "ann").following == ()


def test_resolutions_apply_to_shoes_of_real_cards_from_their_date():
    table = LiveTable(smudged(source=Source.CARDS))
    date = table.now + 1_000
    resolve(table, effective=date)
    table.do(c.TakeTable("dan"))
    table.now = date
    changed, begun = table.do(c.BeginShoe("dan", bytes(16)))
    assert game_of(changed.settings.rules).readings["after-standing"] == "stands"
    assert table.state.rules == changed.settings.rules
    assert begun.rules == rules_hash(changed.settings.rules)


def test_a_player_can_dispute_only_their_own_settled_wagers():
    table = LiveTable(smudged())
    (number,) = played(table, 1)
    with pytest.raises(Refused) as found:
        case_of(table.events, number, "cat")
    assert found.value.code is Code.NO_SUCH_ROUND
    number = table.until(e.RoundOpened).round
    table.do(c.PlaceWagers(number, "ann", (Wager("player", 2000),)))
    table.do(c.CancelRound(number, e.CancelReason.POWER, "pit"))
    with pytest.raises(Refused, match="no result"):
        case_of(table.events, number, "ann")
    for words in ("", " ", "x" * 501):
        case = case_of(table.events, number - 1, "ann")
        assert refusal(table, opening(case, words))


# ---- resolving ----------------------------------------------------------------------------------


def resolving(by: str, *, effective: int = 0, reading: str = "stands") -> c.ResolveAmbiguity:
    return c.ResolveAmbiguity("after-standing", reading, effective, "The printer says so.", by)


def resolve(table: LiveTable, **other) -> tuple[e.Event, ...]:
    table.do(resolving("pit", **other))
    return table.do(resolving("boss", **other))


@pytest.mark.requirement("R46", "G20")
@pytest.mark.parametrize("source", [Source.SHOE, Source.SHUFFLER])
def test_r46_g20_a_resolved_ambiguity_takes_effect_with_the_next_shoe(source):
    table = LiveTable(smudged(source=source))
    table.until(e.RoundOpened)
    assert refusal(table, resolving("pit", reading="nix")).code is Code.BAD_SETTINGS
    (proposal,) = table.do(resolving("pit"))
    assert isinstance(proposal, e.ActionProposed)
    done, changed = table.do(resolving("boss"))
    assert done.by == ("pit", "boss")
    before, after = table.state.shoe.rules, changed.settings.rules
    assert game_of(after).card.version == game_of(before).card.version + 1
    assert game_of(before).readings["after-standing"] == "usual"  # the current shoe keeps its rules
    table.until(e.ShoeEnded)
    table.until(e.RoundOpened)
    assert table.state.shoe.rules == after
    game = game_of(after)
    question = game.card.ambiguity("after-standing")
    assert (question.resolved, question.in_force) == (True, "stands")
    assert question.resolution == "The printer says so."
    assert game.readings["after-standing"] == "stands"
    assert (5, 10) not in game.tableau.banker_draws
    assert refusal(table, resolving("pit")).code is Code.NOTHING_OPEN


@pytest.mark.requirement("R46")
def test_r46_a_dispute_uses_the_rules_of_its_shoe():
    table = LiveTable(smudged(source=Source.SHUFFLER))
    old = played(table, 12)
    resolve(table)
    new = played(table, 12)
    case = disputable(table, old)
    assert table.do(opening(case, "it was open then"))
    assert table.do(decision(case))
    for number in new:
        names = [name for name, _ in options(case_of(table.events, number, "ann"))[0].readings]
        assert names == ["commission", "six-odds", "six-alone"]


@pytest.mark.requirement("R46")
def test_r46_a_resolution_can_take_effect_at_a_later_date():
    table = LiveTable(smudged(source=Source.SHUFFLER))
    table.until(e.RoundSettled)
    date = table.now + 60_000
    (done,) = resolve(table, effective=date)
    assert done.effective == date
    assert refusal(table, resolving("pit")).code is Code.NOTHING_OPEN  # it is resolved, for later
    now, table.now = table.now, date + 1  # past its date, until the next shoe brings it
    assert refusal(table, resolving("pit")).code is Code.NOTHING_OPEN
    table.now = now
    while table.now < date:
        assert game_of(table.state.settings.rules).readings["after-standing"] == "usual"
        table.until(e.ShoeEnded)
    table.until(e.RoundOpened)
    assert game_of(table.state.shoe.rules).readings["after-standing"] == "stands"
    assert game_of(table.state.settings.rules).card.version == 2


def test_resolutions_survive_a_reload_of_the_house_file():
    table = LiveTable(smudged())
    resolve(table)
    assert table.do(c.ChangeSettings(smudged())) == ()
    (changed,) = table.do(c.ChangeSettings(smudged(cut=20)))
    assert game_of(changed.settings.rules).readings["after-standing"] == "stands"
    assert changed.settings.cut == 20
    table.do(c.ChangeSettings(settings_for("punto-banco")))
    assert table.state.settings == settings_for("punto-banco")


# ---- in a store ---------------------------------------------------------------------------------


def case_in(evening: Evening, number: int, player: str) -> Case:
    entries = history.entries_around(evening.store, "table:one", number)
    return case_of([e.decode(entry.body) for entry in entries], number, player)


def shoe_in(evening: Evening, case: Case) -> ShoeKnown:
    return history.shoe_around(evening.store, "table:one", case.round)


def disputed_evening(address: str) -> tuple[Evening, Case]:
    """Play rounds at a shuffler with bonus money staked, until one can be disputed."""
    store = SqlStore.open(address)
    evening = Evening(store, smudged(source=Source.SHUFFLER, clock=FAST)).open(ann=4_000, bob=1)
    conduct = replace(default_conduct(), bonus=BonusRules(most=500_000))
    evening.do(
        evening.about(
            "ann",
            partial(bonus.grant, amount=500_000, times=10),
            by="pit",
            conduct=conduct,
        )
    )
    for _ in range(30):
        evening.until("open")
        evening.do(evening.wager("ann", ("banker", 100_000)))
        evening.until("settled")
        evening.step()
        case = case_in(evening, evening.state.round.number, "ann")
        if case.result.bonus and proposed(options(case)).net > case.result.net:
            return evening, case
    raise AssertionError("no such round")


@pytest.mark.requirement("R46")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_r46_the_payment_goes_through_the_ledger_and_the_auditor_agrees(kind, tmp_path, request):
    sqlite = f"sqlite:///{tmp_path}/house.db"
    address = sqlite if kind == "sqlite" else new_database(request.getfixturevalue("server"))
    evening, case = disputed_evening(address)
    wallets = ("player:ann/real", "player:ann/bonus")
    before = sum(evening.store.balance(wallet) for wallet in wallets)
    evening.do(evening.job(opening(case, "smudged"), shoe=shoe_in(evening, case)))
    first, second = evening.store.commit(
        [
            evening.job(decision(case), shoe=shoe_in(evening, case)),
            evening.job(decision(case, "boss"), shoe=shoe_in(evening, case)),
        ]
    )
    assert isinstance(first, Done)
    assert isinstance(second, Refused)
    best = proposed(options(case)).net
    assert best > case.result.net
    after = sum(evening.store.balance(wallet) for wallet in wallets)
    assert after - before == best - case.result.net
    report = audit(read_store(address))
    assert report.findings == []
    (booked,) = bookings.of_player(evening.store, "ann", kinds=["dispute"])
    assert sum(booked.amounts.values()) == best - case.result.net
    assert booked.amounts["player:ann/bonus"] > 0
    evening.store.close()


def _change(kind, change):
    def changed(stream, bodies):
        for body in bodies:
            if body["type"] == kind:
                change(body)
                return

    return changed


def _more(value):
    value["after"]["wagers"][0]["net"] += 100


def _drop_opening(stream, bodies):
    if stream == "table:one":
        bodies[:] = [body for body in bodies if body["type"] != "DisputeOpened"]


def _twice(stream, bodies):
    if stream == "table:one":
        bodies.append(next(body for body in bodies if body["type"] == "DisputeDecided"))


@pytest.fixture(scope="module")
def decided_rows(tmp_path_factory):
    address = f"sqlite:///{tmp_path_factory.mktemp('decided')}/house.db"
    evening, case = disputed_evening(address)
    evening.do(evening.job(opening(case, "smudged"), shoe=shoe_in(evening, case)))
    evening.do(evening.job(decision(case, alone=0), shoe=shoe_in(evening, case)))
    evening.do(evening.job(decision(case, "boss", alone=0), shoe=shoe_in(evening, case)))
    evening.do(evening.job(resolving("pit")), evening.job(resolving("boss")))
    evening.store.close()
    return read_store(address)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (_change("DisputeDecided", _more), "gives"),
        (_change("DisputeDecided", lambda v: v.update(coup="P:2h=2 B:2c=2")), "gives"),
        (
            _change("DisputeDecided", lambda v: v.update(after=v["before"])),
            "the best result for ann is",
        ),
        (
            _change("DisputeDecided", lambda v: v["before"]["wagers"][0].update(net=0)),
            "the results before are not those that were paid",
        ),
        (_change("DisputeDecided", lambda v: v.update(by=["pit"])), "only one person decided it"),
        (
            _change("DisputeDecided", lambda v: v.update(by=["pit", "pit"])),
            "not proposed and confirmed in time",
        ),
        (
            _change("DisputeDecided", lambda v: v.update(by=["cat", "boss"])),
            "not proposed and confirmed in time",
        ),
        (
            _change("ActionProposed", lambda v: v.update(until=0)),
            "not proposed and confirmed in time",
        ),
        (
            _change("AmbiguityResolved", lambda v: v.update(by=["pit"])),
            "only one person decided it",
        ),
        (_change("DisputeOpened", lambda v: v.update(player="cat")), "has no wager"),
        (_drop_opening, "no such dispute"),
        (_twice, "no such dispute"),
    ],
)
def test_the_auditor_finds_changed_disputes(change, finding, decided_rows):
    assert audit(decided_rows).findings == []
    found = audit(rewritten(decided_rows, change)).findings
    assert any(finding in one for one in found), found


def test_the_example_house_opens():
    house = load_house(FOLDER / "house.toml")
    assert len(house.tables) == 1
    assert game_of(house.tables[0].settings.rules).card.procedures.disputes_for_player


# ---- the API ------------------------------------------------------------------------------------


@pytest.mark.requirement("R46")
def test_r46_a_dispute_over_the_api_from_opening_to_payment_and_resolution(tmp_path):
    with (
        served(tmp_path, house=RAINY) as house,
        house.player("ann", 50_000_000) as ann,
        house.colleague("boss") as boss,
        house.staff("cashier") as till,
        house.staff("pit") as pit,
    ):
        number, found = wager_until_disputable(ann)
        due = found["proposed"]["due"]
        assert due > RAINY.decide_alone
        path, theirs = f"/api/tables/one/rounds/{number}/dispute", f"{DISPUTES}/{number}/ann"
        opened = ann.post(path, json={"reason": "the sheet is smudged"})
        assert opened.status_code == 201
        assert opened.json()["dispute"]["decided"] is False
        assert ann.post(path, json={"reason": "again"}).json()["code"] == "already-disputed"
        listed = pit.get(DISPUTES).json()["disputes"]
        assert [(one["round"], one["player"]) for one in listed] == [(number, "ann")]
        shown = pit.get(theirs).json()
        assert shown["proposed"] == opened.json()["proposed"]
        paid = {"readings": shown["proposed"]["readings"], "reason": "it cannot be read"}
        assert till.post(f"{theirs}/decision", json=paid).json()["code"] == "not-allowed"
        worse = {**paid, "readings": dict(IN_FORCE)}
        assert pit.post(f"{theirs}/decision", json=worse).json()["code"] == "not-best"
        before = ann.get("/api/me/balance").json()["real"]
        first = pit.post(f"{theirs}/decision", json=paid).json()
        assert first["waits_for_second"]["by"] == "the-pit"
        assert pit.post(f"{theirs}/decision", json=paid).json()["code"] == "needs-two-people"
        withdraw(pit, {"kind": "dispute", "round": number, "player": "ann"})
        assert pit.get(DISPUTES).json()["proposals"] == []
        pit.post(f"{theirs}/decision", json=paid)
        assert ann.get("/api/me/balance").json()["real"] == before
        done = boss.post(f"{theirs}/decision", json=paid).json()
        assert done["dispute"]["decided"] is True
        assert ann.get("/api/me/balance").json()["real"] == before + due
        (booked,) = (
            booking
            for booking in ann.get("/api/me/ledger").json()["bookings"]
            if booking["kind"] == "dispute"
        )
        assert booked["amounts"] == {"player:ann/real": due}
        assert boss.post(f"{theirs}/decision", json=paid).json()["code"] == "no-such-dispute"
        _resolved_over_the_api(pit, boss)


def _resolved_over_the_api(pit, boss) -> None:
    path = "/api/tables/one/ambiguities"
    body = {"reading": "even", "reason": "The printer says so."}
    assert "commission" in [one["id"] for one in pit.get(path).json()["open"]]
    waits = pit.post(f"{path}/commission/resolution", json=body).json()["waits_for_second"]
    assert waits["commission"]["by"] == "the-pit"
    withdraw(pit, {"kind": "ambiguity", "ambiguity": "commission"})
    pit.post(f"{path}/commission/resolution", json=body)
    done = boss.post(f"{path}/commission/resolution", json=body).json()
    assert "commission" not in [one["id"] for one in done["open"]]
    assert done["resolved"][0]["reading"] == "even"
    later = {"reading": "alone", "reason": "From next year on.", "effective": 2**41}
    for one in (pit, boss):
        one.post(f"{path}/six-alone/resolution", json=later)
    page = pit.get("/pit/decisions", headers={"Accept": "text/html"}).text
    assert "six-odds/resolution" in page, "that one is open"
    assert "six-alone/resolution" not in page, "nobody is asked again"
    assert "Resolved. The reading will be: " in page
