"""The live table: timed rounds, wagers, committed cards, and refusals by code."""

import json
import random
from copy import copy
from dataclasses import replace
from functools import reduce

import pytest

from baccarat import verifier
from baccarat.core.cards import Card
from baccarat.core.coup import parse_coup
from baccarat.core.settlement import settle
from baccarat.core.tableau import TurnRule
from baccarat.core.wagers import Wager
from baccarat.shoe import Burn
from baccarat.shoe.commitment import Hex, Source
from baccarat.shoe.contributions import contribution_of
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.automatic.dealer import command_for, new_shoe
from baccarat.table.automatic.next_step import Step, next_step
from baccarat.table.automatic.shoe_document import shoe_document
from baccarat.table.codec import NotCanonical, canonical_text, to_plain
from baccarat.table.decide import decide
from baccarat.table.four_eyes import terms
from baccarat.table.four_eyes.proposals import HELD
from baccarat.table.four_eyes.subjects import Cancel
from baccarat.table.manual.state import OF_MANUAL
from baccarat.table.phases import (
    OF_ROUNDS,
    OF_SHOES,
    TRANSITIONS,
    InvalidTransition,
    Phase,
    ShoePhase,
)
from baccarat.table.refusals import WAGER_CODES, Code, Refused
from baccarat.table.rules import game_of, rules_text
from baccarat.table.settings import BetLimits, Clock, Settings, StakeLimits
from baccarat.table.state import apply, restore, snapshot
from support.live import EPOCH, FAST, LiveTable, settings_for

ONE_DECK = settings_for()


def opened(settings: Settings = ONE_DECK, seed: int = 0) -> LiveTable:
    """Return a table with an open round."""
    table = LiveTable(settings, seed)
    table.until(e.RoundOpened)
    return table


def place(table: LiveTable, *wagers: tuple[str, int], player: str = "ann", **other):
    bonus = other.pop("bonus", 0)
    command = c.PlaceWagers(
        round=other.pop("round", table.state.round.number),
        player=player,
        wagers=tuple(Wager(bet, stake) for bet, stake in wagers),
        **other,
    )
    return table.do(command, bonus)


def refusal(table: LiveTable, command: c.Command) -> Code:
    before = table.state
    with pytest.raises(Refused) as refused:
        table.do(command)
    assert table.state is before
    assert str(refused.value)
    return refused.value.code


def refused(table: LiveTable, *wagers: tuple[str, int], **other) -> Code:
    with pytest.raises(Refused) as found:
        place(table, *wagers, **other)
    return found.value.code


# ---- a round ----------------------------------------------------------------------------------


@pytest.mark.requirement("R40", "G01")
def test_r40_a_round_runs_from_place_your_bets_until_everyone_is_settled():
    table = opened()
    place(table, ("banker", 2000), ("tie", 500))
    place(table, ("player", 1000), player="bob")
    table.until(e.RoundSettled)
    kinds = [type(event).__name__ for event in table.events[-12:]]
    start = kinds.index("RoundOpened")
    assert kinds[start : start + 4] == [
        *("RoundOpened", "WagersPlaced", "WagersPlaced", "BettingClosed"),
    ]
    assert set(kinds[start + 4 : -2]) == {"CardDealt"}
    assert kinds[-2:] == ["CoupDecided", "RoundSettled"]
    coup = parse_coup(table.events[-2].coup)
    settled = table.events[-1]
    assert [result.player for result in settled.results] == ["ann", "bob"]
    game = game_of(ONE_DECK.rules)
    expected = settle(game, coup, [Wager("banker", 2000), Wager("tie", 500)])
    assert [wager.net for wager in settled.results[0].wagers] == [one.net for one in expected]
    assert table.state.round.phase is Phase.SETTLED


@pytest.mark.requirement("R06")
def test_each_card_is_announced_with_its_total_and_third_cards_with_their_row():
    table = LiveTable(settings_for(decks=8))
    table.until(e.ShoeEnded)
    game = game_of(table.settings.rules)
    thirds, hands = 0, {}
    for event in table.events:
        if isinstance(event, e.CardDealt):
            mine = hands.setdefault((event.round, event.hand), [])
            mine.append(event.card.card)
            assert event.total == sum(card.points for card in mine) % 10
            assert bool(event.reason) == (len(mine) == 3)
            thirds += bool(event.reason)
        elif isinstance(event, e.CoupDecided):
            assert game.pay_table.pays(parse_coup(event.coup))
    assert thirds > 20
    assert any(
        isinstance(event, e.CardDealt) and event.reason and event.reason.row is TurnRule.GIVEN_DRAWS
        for event in table.events
    )


def test_no_step_is_taken_before_its_time():
    table = opened()
    for _ in range(8):
        step = next_step(table.state)
        table.now = step.at - 1
        command = command_for(step, table.state, table.shoe, epoch=EPOCH)
        assert refusal(table, command) is Code.TOO_EARLY
        table.step()


@pytest.mark.requirement("R02")
def test_a_wager_is_accepted_only_before_no_more_bets():
    table = opened()
    closes_at = table.state.round.closes_at
    table.now = closes_at - 1
    assert place(table, ("banker", 2000))
    table.now = closes_at  # the event is not written yet, but it is due
    assert refused(table, ("tie", 500)) is Code.BETTING_CLOSED
    assert refused(table) is Code.BETTING_CLOSED  # withdrawing is too late as well
    for _ in range(6):
        table.step()
        if table.state.round.number == 1:
            assert refused(table, ("tie", 500)) is Code.BETTING_CLOSED


def test_a_server_with_a_slow_clock_accepts_no_late_wager():
    """A server whose clock is behind sees the event that closed betting."""
    table = opened()
    table.until(e.BettingClosed)
    table.now -= 5_000
    assert refused(table, ("banker", 2000)) is Code.BETTING_CLOSED


@pytest.mark.requirement("R05", "G10")
def test_a_wager_is_valid_only_for_the_open_round():
    table = opened()
    assert refused(table, ("banker", 2000), round=2) is Code.NO_SUCH_ROUND
    assert refused(table, ("banker", 2000), round=0) is Code.NO_SUCH_ROUND
    place(table, ("banker", 2000))
    table.until(e.RoundSettled)
    table.until(e.RoundOpened)
    assert refused(table, ("banker", 2000), round=1) is Code.NO_SUCH_ROUND
    assert table.state.round.wagers == {}
    fresh = LiveTable(ONE_DECK)
    assert refused(fresh, ("banker", 2000), round=0) is Code.NO_SUCH_ROUND


def test_a_players_wagers_are_replaced_as_one_set():
    table = opened()
    place(table, ("banker", 2000), ("tie", 500))
    place(table, ("player", 1000))
    assert table.state.round.wagers["ann"].wagers == (Wager("player", 1000),)
    assert place(table, ("player", 1000)) == ()  # nothing changed
    assert refused(table, ("player", 1000), ("banker", 1000)) is Code.EXCLUDED
    assert table.state.round.wagers["ann"].wagers == (Wager("player", 1000),)
    place(table)
    assert table.state.round.wagers == {}
    assert place(table) == ()


@pytest.mark.parametrize(
    ("wagers", "code"),
    [
        ([("bankr", 2000)], Code.NO_SUCH_BET),
        ([("tie", 500), ("tie", 500)], Code.BET_TWICE),
        ([("tie", 0)], Code.BAD_STAKE),
        ([("tie", -500)], Code.BAD_STAKE),
        ([("tie", 2.5)], Code.BAD_STAKE),
        ([("tie", True)], Code.BAD_STAKE),
        ([("tie", 10**20)], Code.OUTSIDE_LIMITS),
        ([("tie", 1)], Code.OUTSIDE_LIMITS),
        ([("banker", 2001)], Code.OFF_STEP),
        ([("banker", 2000), ("player", 2000)], Code.EXCLUDED),
        # Several reasons: the first in the list of codes is given.
        ([("bankr", 0), ("tie", 0), ("tie", 1)], Code.NO_SUCH_BET),
        ([("banker", 2001), ("player", 1)], Code.OUTSIDE_LIMITS),
        ([("player", 2000), ("banker", 2001)], Code.OFF_STEP),
    ],
)
def test_wagers_against_the_rules_are_refused_by_code(wagers, code):
    table = opened()
    assert refused(table, *wagers) is code
    assert refused(table, *reversed(wagers)) is code


def test_a_bet_that_requires_another_is_refused_alone():
    table = opened(settings_for("punto-banco-2000"))
    assert refused(table, ("ur-way-7", 500)) is Code.NEEDS_ANOTHER
    assert place(table, ("ur-way-7", 500), ("player", 1000))


def test_the_refusal_codes_of_wagers_are_in_the_cores_order():
    assert list(WAGER_CODES.values()) == sorted(WAGER_CODES.values(), key=list(Code).index)


@pytest.mark.requirement("R35")
def test_a_table_enforces_its_own_limits():
    limits = StakeLimits(
        minimum=1000,
        maximum=5000,
        coup_maximum=6000,
        bets=(BetLimits("tie", minimum=100, maximum=300),),
    )
    table = opened(settings_for(limits=limits))
    assert refused(table, ("player", 999)) is Code.OUTSIDE_LIMITS
    assert refused(table, ("player", 5001)) is Code.OUTSIDE_LIMITS
    assert refused(table, ("tie", 301)) is Code.OUTSIDE_LIMITS
    assert refused(table, ("player", 5000), ("player-pair", 1001)) is Code.OVER_COUP_LIMIT
    assert place(table, ("player", 5000), ("player-pair", 1000))
    # Accepted wagers stand, even if limits change while the round is open (G36).
    table.do(c.ChangeSettings(settings_for(limits=StakeLimits(maximum=2000))))
    assert refused(table, ("player", 5000)) is Code.OUTSIDE_LIMITS
    settled = table.until(e.RoundSettled)
    assert settled.results[0].staked == 6000


def test_seats_are_limited_and_free_again_when_wagers_are_withdrawn():
    table = opened(settings_for(limits=StakeLimits(seats=2)))
    wagers = (Wager("player", 500),)

    def wager(player: str, placed: tuple[Wager, ...] = wagers) -> None:
        table.do(c.PlaceWagers(table.state.round.number, player, placed))

    wager("ann")
    wager("bob")
    wager("cem", ())  # withdrawing all wagers takes no seat
    with pytest.raises(Refused, match="All 2 seats are taken for round 1") as refusal:
        wager("cem")
    assert refusal.value.code is Code.NO_SEAT
    wager("bob", (Wager("banker", 2000),))  # a seated player can change wagers
    wager("ann", ())
    wager("cem")
    assert set(table.state.round.wagers) == {"bob", "cem"}


@pytest.mark.requirement("R07")
def test_the_result_gives_the_reason_for_no_third_card():
    table, seen = opened(), set()
    for _ in range(60):
        decided = table.until(e.CoupDecided)
        coup = parse_coup(decided.coup)
        turn = table.state.deal.turn
        if len(coup.banker) == 3:
            assert decided.reason is None  # the card's event has given its row
        else:
            assert decided.reason == turn.reason
            seen.add(turn.reason.row)
        table.until(e.RoundSettled)
    assert {
        TurnRule.NATURAL_PLAYER,
        TurnRule.NATURAL_BANKER,
        TurnRule.STOOD_STANDS,
        TurnRule.GIVEN_STANDS,
    } <= seen


def test_wagers_that_name_what_they_replace_replace_nothing_else():
    table = opened(settings_for(limits=StakeLimits(seats=1)))
    player, tie = Wager("player", 500), Wager("tie", 500)

    def wager(*wagers: Wager, replaces: tuple[Wager, ...] | None, who: str = "ann") -> None:
        table.do(c.PlaceWagers(table.state.round.number, who, wagers, replaces=replaces))

    wager(player, replaces=())
    with pytest.raises(Refused, match=r"They are now player 5\.00\. Check them") as refusal:
        wager(tie, replaces=())
    assert refusal.value.code is Code.WAGERS_CHANGED
    assert table.state.round.wagers["ann"].wagers == (player,)
    wager(player, tie, replaces=(player,))
    wager(replaces=(tie, player))  # in any order
    wager(player, replaces=None)  # without `replaces`, any wagers are replaced
    for wagers in ((Wager("nothing", 0),), ()):  # checked before the wagers themselves
        with pytest.raises(Refused) as refusal:
            wager(*wagers, replaces=(tie,))
        assert refusal.value.code is Code.WAGERS_CHANGED
    with pytest.raises(Refused) as refusal:  # checked before free seats
        wager(player, replaces=(player,), who="bob")
    assert refusal.value.code is Code.WAGERS_CHANGED
    table.until(e.BettingClosed)
    with pytest.raises(Refused) as refusal:
        wager(replaces=(tie,))
    assert refusal.value.code is Code.BETTING_CLOSED


@pytest.mark.requirement("R24")
def test_a_wager_is_settled_under_its_players_agreement():
    table = opened(settings_for("double-chance", decks=8))
    for player, value in (("ann", "10%"), ("bob", "2%")):
        values = (("double_chance", value),)
        table.do(c.ProposeAgreement(player, "pit", values))
        table.do(c.ConfirmAgreement(player, player, values))
    table.until(e.RoundOpened)
    ties = 0
    while not ties:
        place(table, ("player", 1000))
        place(table, ("player", 1000), player="bob")
        decided = table.until(e.CoupDecided)
        settled = table.until(e.RoundSettled)
        nets = [result.net for result in settled.results]
        if decided.winner == "tie":
            assert nets == [100, 20]
            ties += 1
        else:
            assert nets == [nets[0]] * 2
        table.until(e.RoundOpened)


# ---- shoes ------------------------------------------------------------------------------------


@pytest.mark.requirement("R41", "G34")
@pytest.mark.parametrize("burn", Burn)
def test_r41_a_shoe_is_committed_dealt_and_revealed_and_a_new_one_follows(burn):
    table = LiveTable(settings_for(burn=burn), seed=3)
    table.until(e.ShoeEnded)
    first = table.shoe
    document = shoe_document(table.events, first.terms.shoe)
    assert verifier.verify(document, commitment=first.commitment.hex()).faults == []
    kinds = [type(event) for event in table.events]
    assert kinds.count(e.CutCardShown) == 1
    cut = kinds.index(e.CutCardShown)
    assert kinds[cut:].count(e.RoundSettled) == 2  # this coup and one more
    assert kinds.index(e.ShoeCommitted) < kinds.index(e.RoundOpened)
    table.until(e.RoundOpened)
    assert table.shoe is not first
    assert verifier.verify(shoe_document(table.events, table.shoe.terms.shoe)).faults == []


@pytest.mark.requirement("R41")
def test_r41_a_shuffler_is_refilled_for_every_coup():
    table = LiveTable(settings_for(source=Source.SHUFFLER))
    shoes = []
    for _ in range(5):
        place_in = table.until(e.RoundOpened)
        assert place_in.round == len(shoes) + 1
        table.until(e.ShoeEnded)
        shoes.append(table.shoe)
    assert len({shoe.commitment for shoe in shoes}) == 5
    for shoe in shoes:
        document = shoe_document(table.events, shoe.terms.shoe)
        assert verifier.verify(document).faults == []
        assert len(document["coups"]) == 1


def test_players_contribute_to_the_order():
    clock = replace(FAST, contribute=60_000, reveal=30_000)
    table = LiveTable(settings_for(clock=clock))
    committed = table.until(e.ShoeCommitted)
    rng = random.Random(5)
    secrets = {name: rng.randbytes(32) for name in ("ann", "bob", "cat")}
    promises = {
        name: contribution_of(committed.commitment, secret) for name, secret in secrets.items()
    }
    for name, promise in promises.items():
        early = c.RevealContribution(name, secrets[name])
        assert refusal(table, early) is Code.WRONG_PHASE
        table.do(c.CommitContribution(name, promise))
    again = c.CommitContribution("ann", bytes(32))
    copied = c.CommitContribution("dan", promises["ann"])
    for command, words in (
        (again, "already contributed to this shoe"),
        (copied, "Another player has"),
    ):
        assert refusal(table, command) is Code.ALREADY_CONTRIBUTED
        with pytest.raises(Refused, match=words):
            table.do(command)
    assert refusal(table, c.CommitContribution("dan", b"")) is Code.WRONG_SECRET
    table.until(e.ContributionsClosed)
    assert refusal(table, c.CommitContribution("dan", bytes(32))) is Code.WRONG_PHASE
    assert refusal(table, c.RevealContribution("ann", bytes(32))) is Code.WRONG_SECRET
    assert refusal(table, c.RevealContribution("ann", b"")) is Code.WRONG_SECRET
    assert refusal(table, c.RevealContribution("dan", bytes(32))) is Code.WRONG_PHASE
    table.do(c.RevealContribution("ann", secrets["ann"]))
    table.do(c.RevealContribution("cat", secrets["cat"]))
    assert refusal(table, c.RevealContribution("ann", secrets["ann"])) is Code.WRONG_PHASE
    ready = table.until(e.ShoeReady)
    assert ready.at == committed.reveal_until  # the table waited for bob
    assert ready.missing == 1
    assert refusal(table, c.RevealContribution("bob", secrets["bob"])) is Code.WRONG_PHASE
    table.until(e.ShoeEnded)
    document = shoe_document(table.events, table.shoe.terms.shoe)
    verdict = verifier.verify(document)
    assert verdict.faults == []
    assert "the seed comes from 3 contributions, 1 not revealed" in verdict.proven


def test_there_is_no_wait_when_all_contributions_are_revealed():
    clock = replace(FAST, contribute=60_000, reveal=30_000)
    table = LiveTable(settings_for(clock=clock))
    committed = table.until(e.ShoeCommitted)
    assert table.until(e.ShoeReady).at == committed.contribute_until


@pytest.mark.requirement("G30")
def test_only_the_next_card_can_be_dealt():
    table = opened()
    table.until(e.BettingClosed)
    step = next_step(table.state)
    table.now = step.at
    right = command_for(step, table.state, table.shoe, epoch=EPOCH).card
    wrong_position = table.shoe.open((right.position + 1) % 52)
    other = next(card for card in table.shoe.order if card != right.card)
    forged = replace(right, card=other)
    unproven = replace(right, proof=right.proof[1:])
    unknown = replace(right, card=Card(right.card.rank))
    for card in (wrong_position, forged, unproven, unknown):
        assert refusal(table, c.DealCard(EPOCH, card)) is Code.WRONG_CARD
    assert table.do(c.DealCard(EPOCH, right))


def test_a_shoe_that_does_not_match_the_settings_is_refused():
    table = LiveTable(ONE_DECK)
    other = new_shoe(settings_for(cut=20), random.Random(1))
    assert refusal(table, c.CommitShoe(EPOCH, other.terms, other.root)) is Code.BAD_SETTINGS
    table.until(e.ShoeReady)
    assert refusal(table, c.BurnCards(EPOCH, None)) is Code.WRONG_CARD
    with pytest.raises(InvalidTransition, match="not the shoe at the table"):
        command_for(next_step(table.state), table.state, other, epoch=EPOCH)


def test_an_abandoned_shoe_is_revealed():
    table = opened()
    early = c.EndShoe(EPOCH, table.shoe.key, table.shoe.order, abandon=True)
    assert refusal(table, early) is Code.WRONG_PHASE  # not during a round
    table.until(e.RoundSettled)
    wrong = c.EndShoe(EPOCH, bytes(32), table.shoe.order, abandon=True)
    assert refusal(table, wrong) is Code.WRONG_CARD
    (ended,) = table.do(early)
    assert ended.reason is e.EndReason.ABANDONED
    document = shoe_document(table.events, table.shoe.terms.shoe)
    assert verifier.verify(document).faults == []
    assert document["ended"] == "abandoned"
    assert table.until(e.RoundOpened).round == 2
    assert "10h" not in repr(early)
    assert "not shown" in repr(early)


@pytest.mark.requirement("G20")
def test_rules_are_pinned_for_a_whole_shoe():
    """DESIGN 14, G20: a change of rules waits for the next shoe."""
    table = opened()
    table.do(c.ChangeSettings(settings_for("commission")))
    # A change of limits applies to the current settings and changes nothing else.
    (changed,) = table.do(c.AdjustTable(None, StakeLimits(maximum=2000), "pat"))
    assert changed.settings == settings_for("commission", limits=StakeLimits(maximum=2000))
    table.do(c.ChangeSettings(settings_for("commission")))
    assert "player-pair" in [bet.id for bet in game_of(table.state.shoe.rules).bets]
    assert table.do(c.ChangeSettings(settings_for("commission"))) == ()  # nothing changed
    pinned = table.state.shoe.terms.rules
    assert table.until(e.RoundSettled).rules == pinned  # the round after the change
    table.until(e.ShoeEnded)
    first = shoe_document(table.events[:-1], table.shoe.terms.shoe)
    assert json.loads(first["rules"])["card"]["id"] == "punto-banco"
    committed = table.until(e.ShoeCommitted)
    assert committed.rules != pinned


# ---- pause, cancel, lease ---------------------------------------------------------------------


def test_a_paused_table_accepts_no_wagers_finishes_its_round_and_waits():
    table = opened()
    place(table, ("banker", 2000))
    table.do(c.PauseTable("pit", "camera"))
    assert table.do(c.PauseTable("pit", "again")) == ()
    assert refused(table, ("tie", 500)) is Code.TABLE_PAUSED
    assert refused(table, ("banker", 500)) is Code.TABLE_PAUSED
    assert place(table)[0].wagers == ()  # withdrawn by a player who does not wait
    table.until(e.RoundSettled)
    assert next_step(table.state) is None
    assert refusal(table, c.OpenRound(EPOCH)) is Code.WRONG_PHASE
    table.do(c.ResumeTable("pit"))
    assert table.do(c.ResumeTable("pit")) == ()
    table.until(e.RoundOpened)
    assert place(table, ("tie", 500))


@pytest.mark.requirement("R45")
@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.CLOSED, Phase.DEALING, Phase.DECIDED])
def test_a_round_can_be_cancelled_until_it_is_settled(phase):
    table = opened()
    place(table, ("banker", 2000), ("tie", 500), bonus=300)
    while table.state.round.phase is not phase:
        table.step()
    alone = c.CancelRound(1, e.CancelReason.MISDEAL, "pit")
    out = phase in (Phase.DEALING, Phase.DECIDED)
    if out:
        assert isinstance(table.do(alone)[0], e.ActionProposed)
        assert refusal(table, alone) is Code.NEEDS_TWO_PEOPLE
        alone = c.CancelRound(1, e.CancelReason.MISDEAL, "boss")
    (cancelled,) = table.do(alone)
    assert cancelled.by == (("pit", "boss") if out else ("pit",))
    assert table.state.proposals == ()
    (result,) = cancelled.results
    assert (result.returned, result.net, result.bonus) == (2500, 0, 300)
    assert refusal(table, alone) is Code.NO_SUCH_ROUND
    assert table.until(e.RoundOpened).round == 2
    table.until(e.ShoeEnded)
    verdict = verifier.verify(shoe_document(table.events, table.shoe.terms.shoe))
    assert verdict.faults == []


@pytest.mark.requirement("R45", "G38")
def test_g38_a_proposal_to_cancel_holds_the_round_once_and_applies_to_the_cards_dealt():
    table = opened()
    place(table, ("banker", 2000))
    table.until(e.CardDealt)
    proposed = table.do(c.CancelRound(1, e.CancelReason.MISDEAL, "pit"))[0]
    [(_, first)] = table.state.round.cards
    assert proposed.terms == terms.CancelRound(e.CancelReason.MISDEAL, 2000, (first,), ())
    held = table.state.round.held_until
    assert held == proposed.at + HELD
    assert next_step(table.state) == Step(c.DealCard, held)
    card = command_for(next_step(table.state), table.state, table.shoe, epoch=EPOCH)
    assert refusal(table, card) is Code.TOO_EARLY
    ended, *_ = table.step()  # not confirmed: the round continues
    assert (ended.subject, ended.why) == (Cancel(1), e.ProposalEnd.CHANGED)
    again = table.do(c.CancelRound(1, e.CancelReason.MISDEAL, "boss"))[0]
    assert isinstance(again, e.ActionProposed), "the other proposal was about other cards"
    assert next_step(table.state).at < table.now + HELD, "a round is held once"
    assert isinstance(table.step()[0], e.ProposalEnded)
    for who in ("pit", "boss"):
        found = table.do(c.CancelRound(1, e.CancelReason.MISDEAL, who))
    assert found[0].by == ("pit", "boss")


@pytest.mark.requirement("R45", "G38")
def test_g38_a_held_round_continues_at_once_when_the_proposal_is_withdrawn():
    table = opened()
    place(table, ("banker", 2000))
    table.until(e.CardDealt)
    due = next_step(table.state)
    table.do(c.CancelRound(1, e.CancelReason.MISDEAL, "pit"))
    table.do(c.WithdrawProposal(Cancel(1), "boss"))
    assert next_step(table.state) == due


def test_the_last_round_of_a_shoe_can_be_cancelled_mid_deal():
    table = LiveTable(settings_for(source=Source.SHUFFLER))
    table.until(e.CardDealt)
    for who in ("pit", "boss"):
        table.do(c.CancelRound(1, e.CancelReason.SHUFFLER_FAULT, who))
    table.until(e.ShoeEnded)
    document = shoe_document(table.events, table.shoe.terms.shoe)
    assert verifier.verify(document).faults == []
    assert document["coups"][0]["cut_short"]


def test_commands_of_an_old_epoch_are_refused():
    table = opened()
    table.do(c.TakeLease(2, "there"))
    table.now = table.state.round.closes_at
    assert refusal(table, c.CloseBetting(1)) is Code.STALE_EPOCH
    assert refusal(table, c.CloseBetting(3)) is Code.STALE_EPOCH
    assert refusal(table, c.TakeLease(2, "third")) is Code.STALE_EPOCH
    assert refusal(table, c.TakeLease(4, "third")) is Code.STALE_EPOCH
    assert table.do(c.CloseBetting(2))


def test_a_server_that_takes_over_finishes_the_round():
    table = opened()
    place(table, ("banker", 2000))
    table.until(e.CardDealt)
    again = reduce(apply, [e.decode(e.encode(event)) for event in table.events], None)
    assert again == table.state == restore(snapshot(table.state))
    table.until(e.RoundSettled)


# ---- values -----------------------------------------------------------------------------------


def test_tables_open_once_and_invalid_settings_are_refused():
    table = LiveTable(ONE_DECK)
    assert refusal(table, c.OpenTable("test", ONE_DECK)) is Code.WRONG_PHASE
    for wrong in (
        replace(ONE_DECK, cut=3),
        replace(ONE_DECK, rules=ONE_DECK.rules.replace('"naturals":[8,9]', '"naturals":[9]')),
        replace(ONE_DECK, limits=StakeLimits(bets=(BetLimits("bankr"),))),
        replace(ONE_DECK, rules=ONE_DECK.rules.replace('"version":1}', '"version":2}')),
    ):
        assert refusal(table, c.ChangeSettings(wrong)) is Code.BAD_SETTINGS
        with pytest.raises(Refused):
            decide(None, c.OpenTable("other", wrong), 0)
    with pytest.raises(Refused, match="has not been opened"):
        decide(None, c.PauseTable("pit", ""), 0)


@pytest.mark.parametrize("clock", [{"betting": 0}, {"card": -1}, {"contribute": 5}])
def test_invalid_clocks_are_refused(clock):
    with pytest.raises(Exception, match="ms"):
        Clock(**clock)


def test_every_event_is_in_the_transition_table_or_happens_in_any_phase():
    anywhere = {
        *(e.TableOpened, e.SettingsChanged, e.LeaseTaken, e.TablePaused, e.TableResumed),
        *(e.AgreementProposed, e.AgreementDeclined, e.AgreementMade, e.AgreementEnded),
        *(
            e.DisputeOpened,
            e.DisputeDecided,
            e.DisputeAnswered,
            e.AmbiguityResolved,
            *e.OF_PROPOSALS,
        ),
        *(e.LargeWinPaid, e.PartnersSuspected, e.ResultUnusual, e.DataLost),
    }
    assert set(e.EVENTS.values()) == OF_ROUNDS | OF_SHOES | OF_MANUAL | anywhere
    reached = set(TRANSITIONS.values())
    assert reached == set(Phase) | set(ShoePhase)
    begins = {lead for (phase, _), lead in TRANSITIONS.items() if phase is not lead}
    assert Phase.NONE not in begins, "nothing goes back to before the first round"


def test_an_event_out_of_order_is_not_applied():
    table = opened()
    now = table.now
    for event in (
        e.RoundSettled(now, 1, (), Hex(32)),
        e.RoundOpened(now, 2, now),
        e.ShoeReady(now, Hex(32), 0),
        e.LeaseTaken(now, 7, "x"),
        e.TablePaused(now - 1, "x", ""),
        e.TableOpened(now, "x", ONE_DECK),
    ):
        with pytest.raises(InvalidTransition):
            apply(table.state, event)
    with pytest.raises(InvalidTransition):
        apply(None, e.TableResumed(now, "x"))
    table = LiveTable(ONE_DECK)
    with pytest.raises(InvalidTransition):
        apply(table.state, e.RoundOpened(table.now, 1, 0))
    with pytest.raises(InvalidTransition):
        table.state.deal  # noqa: B018


def test_events_have_one_canonical_form():
    table = opened()
    place(table, ("banker", 2000))
    table.until(e.ShoeEnded)
    for event in table.events:
        data = e.encode(event)
        assert e.decode(data) == event
        assert (
            data
            == json.dumps(
                json.loads(data), sort_keys=True, separators=(",", ":"), ensure_ascii=False
            ).encode()
        )
    kinds = {type(event) for event in table.events}
    assert kinds >= {e.ShoeCommitted, e.CardsBurned, e.WagersPlaced, e.RoundSettled, e.ShoeEnded}


GOOD = json.loads(e.encode(e.RoundOpened(5, 1, 9)))


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"[]",
        b"{}",
        json.dumps(GOOD).encode(),  # blanks
        canonical_text({**GOOD, "v": 2}).encode(),
        canonical_text({**GOOD, "type": "RoundSquared"}).encode(),
        canonical_text({**GOOD, "more": 1}).encode(),
        canonical_text({"at": 5, "type": "RoundOpened"}).encode(),
        canonical_text({**GOOD, "round": "1"}).encode(),
        canonical_text({**GOOD, "round": True}).encode(),
        canonical_text({**GOOD, "round": None}).encode(),
        e.encode(e.RoundOpened(5, 1, 9)).replace(b'"round":1', b'"round":1.0'),
        e.encode(e.RoundOpened(5, 1, 9)).replace(b'"at":5', b'"at":4,"at":5'),
        e.encode(e.RoundOpened(5, 1, 9)) + b" ",
    ],
)
def test_events_that_are_not_canonical_are_refused(bad):
    with pytest.raises(NotCanonical):
        e.decode(bad)


@pytest.mark.parametrize(
    ("event", "changed"),
    [
        (e.ShoeReady(1, Hex(b"\xab"), 0), ('"ab"', '"0G"')),
        (e.ShoeReady(1, Hex(b"\xab"), 0), ('"ab"', '"AB"')),
        (e.RoundCancelled(1, 1, e.CancelReason.OTHER, (), (), None), ('"other"', '"rain"')),
        (e.RoundCancelled(1, 1, e.CancelReason.OTHER, ("ann",), (), None), ('["ann"]', '"ann"')),
        (e.ShoeEnded(1, Hex(), e.EndReason.ABANDONED, Hex(), (Card("K"),)), ('"K"', '"1x"')),
        (e.ShoeEnded(1, Hex(), e.EndReason.ABANDONED, Hex(), (Card("K"),)), ('"K"', '"k"')),
        (e.ShoeEnded(1, Hex(), e.EndReason.ABANDONED, Hex(), (Card("K"),)), ('"K"', "7")),
    ],
)
def test_values_of_the_wrong_kind_are_refused(event, changed):
    text = e.encode(event).decode()
    assert e.decode(text.encode()) == event
    assert changed[0] in text
    with pytest.raises(NotCanonical):
        e.decode(text.replace(*changed).encode())


def test_commands_have_one_canonical_form():
    table = opened()
    table.until(e.BettingClosed)
    step = next_step(table.state)
    deal = command_for(step, table.state, table.shoe, epoch=EPOCH)
    for command in (
        deal,
        c.OpenTable("test", ONE_DECK),
        c.PlaceWagers(1, "ann", (Wager("tie", 5),)),
        c.ConfirmAgreement("ann", "pit", (("double_chance", "5%"),)),
        c.CommitShoe(1, table.shoe.terms, table.shoe.root),
        c.CancelRound(1, e.CancelReason.POWER, "pit"),
        c.BurnCards(1, None),
    ):
        assert c.encode(command) == c.encode(copy(command))
        assert c.encode(command).startswith(type(command).__name__.encode())


def test_floats_and_unknown_types_have_no_canonical_form():
    for value in (1.5, [1.5], {"a": {"b": 0.0}}):
        with pytest.raises(NotCanonical, match="float"):
            canonical_text(value)
    with pytest.raises(NotCanonical, match="no canonical form"):
        to_plain(object())


def test_the_rules_text_contains_the_whole_card():
    text = rules_text("double-chance", parameters={"double_chance": "10%"})
    game = game_of(text)
    assert game.card.id == "double-chance"
    assert game.parameters["double_chance"].denominator == 10
    assert rules_text("double-chance", parameters={"double_chance": "1/10"}) == text


def test_the_document_of_an_unknown_shoe_is_refused():
    with pytest.raises(Exception, match="this journal has no shoe 00"):
        shoe_document(LiveTable(ONE_DECK).events, bytes(16))
