"""Corrections in a real store: balances of players, house and errors account; the audit."""

import random
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baccarat.core.cards import deck, parse_cards
from baccarat.core.settlement import settle
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.money import bonus
from baccarat.house.money.corrections import corrections
from baccarat.house.money.wallets import Wallet
from baccarat.shoe.scanned import unseen
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.manual.checks import irregular
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.table.settings import DummyRefund, Excess
from support.by_hand import DEALER, EXCESS, HandHouse, flags, hand_settings, perfect_coup
from support.simulated_house import rows_of
from support.tampering import set_fields, tampered

SETTINGS = {
    (excess, dummy): hand_settings(excess=excess, dummy=dummy)
    for excess in EXCESS
    for dummy in DummyRefund
}


def settled_house(cards: str = "6h Kd 2c Ks", **stakes) -> HandHouse:
    house = HandHouse(SETTINGS[Excess.BURNED, DummyRefund.STAKES])
    house.do(c.CallBets(DEALER))
    house.wager("ann", **(stakes or {"player": 1000}))
    house.wager("bob", banker=2000)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal(cards)
    house.end()
    house.pay()
    return house


def remedied(house: HandHouse, cards: str) -> e.RoundCorrected:
    house.do(c.ReportError(1, DEALER, "misread"))
    return house.do(c.RemedyError(1, "pit", parse_cards(cards)))[0]


@pytest.mark.requirement("R43", "R44")
def test_r43_a_corrected_round_pays_what_a_perfect_dealer_would_have_paid():
    house = settled_house()
    assert (house.has("ann"), house.has("bob")) == (101_000, 98_000)
    event = remedied(house, "6h Kd 2c 9s")
    assert (house.has("ann"), house.has("bob")) == (99_000, 101_900)
    assert [
        (correction.player, correction.real, correction.short) for correction in event.corrections
    ] == [
        ("ann", -2000, 0),
        ("bob", 3900, 0),
    ]
    assert house.store.balance("house/bank") == 1000 - 1900
    assert house.store.balance("house/errors") == 0
    assert house.audited() == []


@pytest.mark.requirement("R43")
def test_r43_a_spent_overpayment_is_taken_back_only_down_to_a_zero_balance():
    house = settled_house()
    house.spend("ann", 100_500)
    event = remedied(house, "6h Kd 2c 9s")
    assert house.has("ann") == 0
    assert [(correction.real, correction.short) for correction in event.corrections] == [
        (-500, 1500),
        (3900, 0),
    ]
    assert house.store.balance("house/errors") == -1500
    assert house.store.balance("house/bank") == 1000 - 1900, "as if nothing had gone wrong"
    assert house.audited() == []


def test_bonus_money_is_corrected_in_its_own_account():
    house = HandHouse(SETTINGS[Excess.BURNED, DummyRefund.STAKES], players=("ann",), money=400)
    house.commit(jobs.about_player("ann", house.clock, partial(bonus.grant, amount=600), by="pit"))
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("6h Kd 2c Ks")
    house.end()
    house.pay()
    assert (house.has("ann"), house.store.balance("player:ann/bonus")) == (800, 1200)
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1500)  # all the real money, and 700 of the bonus money
    event = remedied(house, "6h Kd 2c 9s")
    [one] = event.corrections
    assert (one.real, one.short, one.bonus, one.short_bonus) == (0, 800, -500, 700)
    assert house.store.balance("house/bonus-errors") == -700
    assert house.audited() == []


@given(
    st.tuples(*[st.integers(0, 3000)] * 2),
    st.integers(0, 1000),
    st.integers(-1000, 4000),
    st.integers(-1000, 4000),
)
def test_corrections_add_up_and_never_take_more_than_the_balance(has, bonus, before, after):
    old, new = (
        e.PlayerResult("ann", (e.WagerResult("player", 1000, net),), bonus)
        for net in (before, after)
    )
    found = corrections([old], [new], {"ann": Wallet(*has)})
    total = sum(one.real + one.bonus - one.short - one.short_bonus for one in found)
    assert total == after - before
    for one in found:
        assert one.real >= -has[0]
        assert one.bonus >= -has[1]
        assert one.short >= 0 <= one.short_bonus
        assert not one.short or one.real == -has[0], "all that was there was taken first"
        assert not one.short_bonus or one.bonus == -has[1]


@pytest.mark.requirement("R45")
def test_r45_stakes_are_returned_at_once_and_g04_a_certain_win_is_paid():
    for dummy, won in ((DummyRefund.STAKES, 0), (DummyRefund.BETTER, 1000)):
        house = HandHouse(SETTINGS[Excess.BURNED, dummy])
        house.do(c.CallBets(DEALER))
        house.wager("ann", player=1000)
        house.wager("bob", banker=2000)
        house.do(c.CallNoMoreBets(DEALER))
        house.deal("6h Kd 2c Ks")
        house.do(c.ConsiderRectification(1, "pit", "nobody can see the cards"))
        house.do(c.CancelRound(1, e.CancelReason.POWER, "pit"))
        house.do(c.CancelRound(1, e.CancelReason.POWER, "pat"))
        assert (house.has("ann"), house.has("bob")) == (100_000 + won, 100_000)
        assert house.store.balance("table:hand/stakes") == 0
        assert house.audited() == []


@pytest.mark.requirement("R45", "G32")
def test_g32_a_shuffler_fault_ends_the_coup_and_nobody_loses():
    house = HandHouse(SETTINGS[Excess.BURNED, DummyRefund.STAKES])
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000, tie=500)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("6h 9d 2c")
    house.cancel(e.CancelReason.SHUFFLER_FAULT)
    assert house.has("ann") == 100_000
    assert house.audited() == []


# ---- a dealer who makes mistakes ---------------------------------------------------------------


@pytest.mark.requirement("R43", "R44", "R45")
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.sampled_from(list(SETTINGS)))
def test_r43_r44_after_random_errors_everyone_is_paid_as_by_a_perfect_dealer(seed, rules):
    """Random errors, reports, remedies and dummy rounds; money and audit after every evening."""
    rng, house = random.Random(seed), HandHouse(SETTINGS[rules])
    order = [card for card in deck() for _ in range(8)]
    rng.shuffle(order)
    game, owed = game_of(house.settings.rules), {"ann": 100_000, "bob": 100_000}
    for number in range(1, 6):
        house.do(c.CallBets(DEALER))
        wagers = {"ann": Wager("player", 1000), "bob": Wager("banker", 2000)}
        if not house.state.round.bets:  # a returned card is the next one
            wagers = {}
        for player, wager in wagers.items():
            house.wager(player, **{wager.bet: wager.stake})
        house.do(c.CallNoMoreBets(DEALER))
        drawn = _deal_badly(house, rng, order)
        coup = perfect_coup(house.state.rules, drawn)
        if rng.random() < 0.2:
            house.end()
            house.do(c.ConsiderRectification(number, "pit", "the cards are on the floor"))
            house.do(c.CancelRound(number, e.CancelReason.OTHER, "pit"))
            cancelled = house.do(c.CancelRound(number, e.CancelReason.OTHER, "pat"))[0]
            nets = {result.player: result.net for result in cancelled.results}
            better = rules[1] is DummyRefund.BETTER
            for player, wager in wagers.items():
                [paid] = settle(game, coup, [wager])
                assert nets[player] == (max(paid.net, 0) if better else 0)
                owed[player] += nets[player]
            continue
        house.end()
        house.pay()
        for player, wager in wagers.items():
            owed[player] += settle(game, coup, [wager])[0].net
        assert {player: house.has(player) for player in owed} == owed
    assert house.audited() == []


def _deal_badly(house: HandHouse, rng: random.Random, order: list) -> list:
    """Deal a coup with mistakes, rectify what is flagged, and return the cards drawn, in order."""
    while True:
        if house.end_if_over() and not irregular(house.state):
            if rng.random() < 0.8:
                return [card for _, card in house.state.round.cards]
        elif rng.random() < 0.1 and house.state.round.cards and not irregular(house.state):
            assert flags(house.end()), "it is not over"
        known = house.state.manual.shoe.known[len(house.state.round.cards) :]
        card = known[0] if known else order.pop()
        side = rng.choice([None, None, None, *Hand])
        if known and card in order:
            pass
        house.card(card, side)
        if irregular(house.state) and rng.random() < 0.7:
            rectified = house.rectify()[0]
            back = rectified.excess if rectified.goes is Excess.RETURNED else ()
            assert (
                house.state.manual.shoe.known[len(house.state.round.cards) :][: len(back)] == back
            )


# ---- the auditor finds what is changed ---------------------------------------------------------


def _first(**values):
    return lambda items: [{**items[0], **values}, *items[1:]]


CHANGES = {
    "more is given": set_fields("RoundCorrected", corrections=_first(real=-1000)),
    "less is taken, and no error": set_fields("RoundCorrected", corrections=_first(short=0)),
    "another coup": set_fields("RoundCorrected", coup="P:6h2c=8 B:KdKs=0"),
    "another winner": set_fields("RoundCorrected", winner="player"),
    "other cards": set_fields("RoundCorrected", drawn=["6h", "Kd", "2c", "Ks"]),
    "another result": set_fields(
        "RoundCorrected", results=_first(wagers=[{"bet": "player", "stake": 1000, "net": 1000}])
    ),
    "somebody else's": set_fields("RoundCorrected", corrections=_first(player="eve")),
    "decided by who reported": set_fields("RoundCorrected", by=DEALER),
    "of a round that stands": set_fields("RoundCorrected", round=2),
    "a report of nothing": set_fields("ErrorReported", round=2),
    "a card that was not drawn": set_fields("CardPlaced", card="9c"),
    "put elsewhere": set_fields("CardPlaced", hand="banker"),
    "meant elsewhere": set_fields("CardPlaced", meant="banker"),
    "another dealer": set_fields("CardPlaced", dealer="dino"),
    "an excess that was none": set_fields("CoupRectified", excess=["5s"]),
    "not the cards that were entered": set_fields("CoupRectified", recorded=["6h"]),
    "returned against the rules": set_fields("CoupRectified", goes="returned"),
    "a shoe of other rules": set_fields("ShoeBegun", rules="00" * 32),
    "a false count": set_fields("ShoeClosed", seen=3),
    "a card that is missing": set_fields("ShoeClosed", lacking=["As"]),
}


@pytest.mark.requirement("R43")
@pytest.mark.parametrize("change", CHANGES)
def test_the_auditor_finds_every_change_to_a_correction(change):
    house = HandHouse(SETTINGS[Excess.BURNED, DummyRefund.STAKES])
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    house.do(c.CallNoMoreBets(DEALER))
    house.card("6h")
    house.card("Kd", Hand.PLAYER)
    house.rectify()
    house.deal("2c Ks")
    house.end()
    house.pay()
    house.spend("ann", 100_500)
    remedied(house, "6h Kd 2c 9s")
    house.do(c.CloseShoe(DEALER))
    assert house.audited() == []
    assert tampered(house, lambda *_: None) == []
    found = tampered(house, CHANGES[change])
    assert found
    if change in (
        "more is given",
        "less is taken, and no error",
    ):  # even if the ledger is changed to match
        assert any("ann was owed -20.00 of real money, but -" in one for one in found), found


def test_the_auditor_finds_a_dummy_round_that_overpays_or_skips_rectification():
    house = HandHouse(SETTINGS[Excess.BURNED, DummyRefund.BETTER])
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("6h Kd 2c Ks")
    house.end()
    house.do(c.ConsiderRectification(1, "pit", "no"))
    for who in ("pit", "pat"):
        house.do(c.CancelRound(1, e.CancelReason.POWER, who))
    assert house.audited() == []
    less = _first(wagers=[{"bet": "player", "stake": 1000, "net": 0}])
    assert tampered(house, set_fields("RoundCancelled", results=less))
    assert tampered(house, set_fields("RoundCancelled", reason="foreign-card"))
    assert tampered(house, set_fields("RoundCancelled", by=["pit"]))
    assert tampered(house, set_fields("RoundCancelled", by=["pat", "pat"]))
    assert tampered(house, set_fields("ActionProposed", by="pat"))
    assert tampered(house, set_fields("RectificationConsidered", round=7))


def test_the_auditor_finds_a_shoe_or_round_begun_at_a_paused_manual_table():
    house = HandHouse(SETTINGS[Excess.BURNED, DummyRefund.STAKES])
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    house.do(c.PauseTable("pit", "a fire drill"))
    house.do(c.CallNoMoreBets(DEALER))  # the current round is dealt and paid
    house.deal("6h Kd 2c Ks")
    house.end()
    house.pay()
    house.do(c.CloseShoe(DEALER))
    house.do(c.ResumeTable("pit"))
    house.do(c.BeginShoe(DEALER, bytes(15) + b"2"))
    house.do(c.CallBets(DEALER))
    assert house.audited() == []
    found = tampered(house, set_fields("TableResumed", house=True))
    reply = [one.partition(": ")[2].partition(" while")[0] for one in found]
    assert reply == ["a shoe was begun", "a round was opened"]


@pytest.mark.requirement("R45", "G38")
def test_the_auditor_finds_a_complete_coup_undone_by_one_person():
    house = HandHouse(SETTINGS[Excess.BURNED, DummyRefund.STAKES])
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("6h Kd 2c Ks")
    house.rectify("6h Kd 2c")
    house.do(c.ConsiderRectification(1, "pit", "no"))
    for who in ("pit", "pat"):
        house.do(c.CancelRound(1, e.CancelReason.POWER, who))
    assert house.audited() == []
    found = tampered(house, set_fields("RoundCancelled", by=["pit"]))
    assert any("cancel 1: only one person decided it" in one for one in found), found


@pytest.mark.requirement("G38")
def test_the_auditor_finds_decisions_by_one_person_that_need_two():
    house = settled_house()
    house.do(c.ReportError(1, "eve", "misread"))
    for who in (DEALER, "pit"):
        house.do(c.RemedyError(1, who, parse_cards("6h Kd 2c 9s"), 100))
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    for who in ("pit", "pat"):
        house.do(c.CancelRound(2, e.CancelReason.POWER, who, 999))
    assert house.audited() == []
    for change in (
        set_fields("RoundCorrected", first=""),
        set_fields("RoundCorrected", first="", alone=10**6, by=DEALER),
        set_fields("RoundCorrected", first="pat"),
        set_fields("RoundCancelled", by=["pit"]),
    ):
        found = tampered(house, change)
        assert any(
            "only one person decided it" in one or "not proposed and confirmed in time by" in one
            for one in found
        ), found
    found = tampered(house, set_fields("ErrorReported", by=DEALER))
    assert any("no one else had reported an error in this round" in one for one in found), found


def test_a_refused_remedy_leaves_no_trace():
    house = settled_house()
    before = rows_of(house.engine)
    with pytest.raises(Refused):
        house.do(c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s")))
    assert rows_of(house.engine) == before


@pytest.mark.requirement("R43")
@pytest.mark.parametrize("excess", EXCESS)
@pytest.mark.parametrize(
    ("entered", "drawn"),
    [
        ("6h Kd 2c Ks", "6h Kd 2c 9s"),  # a wrong card was entered
        ("5h Kd 2c 7s", "5h Kd Kc 7s 3d"),  # with the right one, another card was due
        ("5h Kd Kc 7s 3d", "5h Kd 4c 7s 3d"),  # with the right one, the last was too many
    ],
)
def test_r43_the_auditor_accepts_the_card_count_of_a_shoe_with_a_corrected_round(
    entered, drawn, excess
):
    house = HandHouse(hand_settings(excess=excess))
    house.round("9h 9c Kh Kc")
    house.round(entered)
    house.do(c.ReportError(2, "ann-of-the-pit", "a card was misread"))
    house.do(c.RemedyError(2, "the-pit", tuple(parse_cards(drawn))))
    house.hand_over("dan")
    house.do(c.BurnByHand("dan", ()))  # face down; a card that was taken back is still known
    house.hand_over(DEALER)
    house.do(c.BurnByHand(DEALER, ()))
    shoe = house.state.manual.shoe
    rest = tuple(unseen(shoe.decks, shoe.out).elements())
    (closed,) = house.do(c.CloseShoe(DEALER, rest))
    assert (closed.surplus, closed.lacking, closed.seen) == ((), (), 416)
    assert house.audited() == []


@pytest.mark.requirement("R44")
def test_r44_a_first_card_that_never_left_the_shoe_is_taken_back():
    house = HandHouse()
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    house.do(c.CallNoMoreBets(DEALER))
    house.card("8h")  # a typing error
    (put_right,) = house.rectify(())
    assert (put_right.recorded, put_right.drawn) == (parse_cards("8h"), ())
    assert house.state.manual.shoe.left == house.state.manual.shoe.decks * 52
    house.deal("6h Kd 2c Ks")
    house.end()
    house.pay()
    assert house.audited() == []
    house.do(c.BurnByHand(DEALER))  # 8♥ may still have been the next card
    house.bets()
    house.deal("6h Kd")
    with pytest.raises(Refused, match="in the order in which they left"):
        house.rectify(())
