"""What a dealer cannot do alone: change a finished coup, cancel a dealt one, let a seen card be bet
on, take a colleague's table."""

import contextlib
import random

import pytest

from baccarat.core.cards import Card, deck, parse_cards
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.housefile import HouseFileError, read_house
from baccarat.house.roles import Account, Role
from baccarat.house.significant import significant
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.canonical import to_plain
from baccarat.table.choices import choices
from baccarat.table.conduct import irregular, place_due
from baccarat.table.console import console
from baccarat.table.decide import decide
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import Dummy, Excess, Floor
from baccarat.table.twopeople import ASKED
from by_hand import DEALER, HandHouse, HandTable, hand_settings
from live import settings_for
from test_by_hand import refused
from test_by_hand_money import _change, tampered

MISDEAL = e.CancelReason.MISDEAL


def dealt(cards: str, house: HandTable | None = None) -> HandTable:
    """Cards of a round on which ann wagers on Player."""
    table = house or HandTable()
    table.do(c.CallBets(DEALER))
    table.do(c.PlaceWagers(table.state.round.number, "ann", (Wager("player", 1000),)))
    table.do(c.CallNoMoreBets(DEALER))
    table.deal(cards)
    return table


# ---- a complete coup ---------------------------------------------------------------------------


@pytest.mark.requirement("R43", "R44", "G38")
@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize(
    "drawn", ["6h Kd 2c 9s", "6h Kd 2c", "6h Kd", "6h 2c Kd Ks", "6h Kd 2c Ks 5s", "9h Kd 2c Ks"]
)
def test_g38_a_dealer_alone_does_not_change_a_complete_coup(drawn, announced):
    table = dealt("6h Kd 2c Ks")
    if announced:
        table.end()
    before = table.state.round
    cards = tuple(parse_cards(drawn))
    [proposed] = table.do(c.RectifyCoup(DEALER, cards))
    assert isinstance(proposed, e.ActionProposed)
    assert (table.state.round.cards, table.state.round.phase) == (before.cards, before.phase)
    assert refused(table, c.RectifyCoup(DEALER, cards)).code is Code.NEEDS_TWO_PEOPLE
    own = refused(table, c.ConfirmRectification(1, DEALER, cards))
    assert own.code is Code.NEEDS_TWO_PEOPLE, "a member of the pit who deals is the dealer"
    for command in (c.AnnounceResult(DEALER), c.PayRound(DEALER)):
        with pytest.raises(Refused):
            table.do(command)
    [rectified] = table.do(c.ConfirmRectification(1, "pit", cards))
    assert rectified.by == (DEALER, "pit")
    assert (rectified.told, rectified.drawn) == (tuple(parse_cards("6h Kd 2c Ks")), cards)
    assert table.state.proposals == {}


@pytest.mark.requirement("R44", "G38")
def test_g38_what_the_pit_confirms_are_these_cards_and_what_they_pay():
    house = HandHouse()
    dealt("6h Kd 2c Ks", house)
    house.do(c.RectifyCoup(DEALER, tuple(parse_cards("6h Kd 2c 9s"))))
    [waits] = house.state.proposals.values()
    assert waits.terms == "6h Kd 2c Ks > 6h Kd 2c 9s > 1000 > -1000"
    words = "from Player 6♥ 2♣ (8), Banker K♦ K♠ (0) to Player 6♥ 2♣ (8), Banker K♦ 9♠ (9)."
    assert words in waits.words
    assert "before: 10.00, after: -10.00" in waits.words
    other = house.do(c.ConfirmRectification(1, "pit", tuple(parse_cards("6h Kd 2c 8s"))))
    assert isinstance(other[-1], e.ActionProposed), "other cards are another proposal"
    house.do(c.RectifyCoup(DEALER, tuple(parse_cards("6h Kd 2c 9s"))))
    house.do(c.WithdrawProposal("rectify 1", DEALER, dealer=True))
    house.do(c.RectifyCoup(DEALER, tuple(parse_cards("6h Kd 2c 9s"))))
    ended, *_ = house.card("5d")  # one card more on the table: the proposal was about four
    assert (ended.subject, ended.why) == ("rectify 1", e.ProposalEnd.CHANGED)
    house.rectify()  # told as it was: the coup stays as it is, and the dealer does it alone
    [rectified] = house.rectify("6h Kd 2c 9s")
    assert [one.net for one in rectified.paid_before] == [1000]
    assert [one.net for one in rectified.paid_after] == [-1000]
    kind, value = "CoupRectified", to_plain(rectified)
    told = significant("table:hand", 1, kind, value)
    assert told.who == f"{DEALER}, pit"
    assert words[:-1] in told.words
    assert "Players' result before: 10.00, after: -10.00." in told.words
    house.end()
    house.pay()
    assert house.has("ann") == 99_000
    assert house.audited() == []
    for change in (
        _change("CoupRectified", by=lambda by: by[:1]),
        _change("CoupRectified", by=lambda by: by[::-1]),
        _change("CoupRectified", by=lambda by: []),
        _change("CoupRectified", coup_before=lambda was: was and "P:6h2c=8 B:Kd9s=9"),
        _change("CoupRectified", paid_after=lambda was: []),
        _change("CoupRectified", paid_before=lambda was: was and [{**was[0], "wagers": []}]),
    ):

        def changed(kind, value, change=change):
            if value.get("paid_before"):
                change(kind, value)

        assert tampered(house, changed)


@pytest.mark.requirement("R44", "G38")
def test_g38_who_opened_the_dealers_account_alone_does_not_confirm():
    house = HandHouse()
    dave = Account("dave", Role.DEALER, "Dave")
    house.commit(jobs.open_account(dave, house.clock, by="pit"))
    dealt("6h Kd 2c Ks", house)
    house.hand_over("dave")
    drawn = tuple(parse_cards("6h Kd 2c 9s"))
    house.do(c.RectifyCoup("dave", drawn))
    assert refused(house, c.ConfirmRectification(1, "pit", drawn)).code is Code.NEEDS_TWO_PEOPLE
    house.do(c.ConfirmRectification(1, "pat", drawn))
    assert house.audited() == []


@pytest.mark.requirement("R43", "R44")
def test_r44_a_dealer_alone_puts_a_coup_right_that_is_not_complete_or_stays_as_it_is():
    table = dealt("6h Kd 2c")
    [rectified] = table.do(c.RectifyCoup(DEALER, tuple(parse_cards("6h Kd 3c"))))
    assert (rectified.by, rectified.coup_before, rectified.coup_after) == ((), "", "")
    told = significant("table:hand", 1, "CoupRectified", to_plain(rectified)).words
    assert told.endswith("from 6♥ K♦ 2♣ (not complete) to 6♥ K♦ 3♣ (not complete).")
    table = dealt("6h Kd 2c Ks")
    table.card("5s")
    extra = [one for one in choices(table.state) if one.do == "rectify"]
    assert [one.words.endswith("(the pit confirms it)") for one in extra] == [False]
    [rectified] = table.do(c.RectifyCoup(DEALER))
    assert (rectified.by, rectified.excess) == ((), (Card("5", "s"),))
    assert rectified.coup_before == rectified.coup_after == "P:6h2c=8 B:KdKs=0"
    nothing = refused(table, c.ConfirmRectification(1, "pit", tuple(parse_cards("6h Kd 2c Ks"))))
    assert nothing.code is Code.WRONG_PHASE


# ---- a card that has been seen -----------------------------------------------------------------


@pytest.mark.requirement("R44")
def test_r44_a_card_that_went_back_is_dealt_without_bets():
    house = HandHouse(hand_settings(excess=Excess.RETURNED))
    dealt("6h Kd 2c Ks", house)
    house.card("9s")
    [rectified] = house.rectify()
    assert rectified.goes is Excess.RETURNED
    house.end()
    house.pay()
    told = console(house.state, DEALER)
    assert (told["shoe"]["known"], told["bets"]) == (["9s"], False)
    assert told["next"]["words"].startswith("Deal this coup without bets")
    [opened] = house.do(c.CallBets(DEALER))
    assert opened.bets is False
    assert console(house.state, DEALER)["next"]["words"].startswith("Deal this coup without bets")
    late = refused(house, c.PlaceWagers(2, "ann", (Wager("player", 1000),)))
    assert late.code is Code.BETTING_CLOSED
    assert "dealt without bets, because a card of the shoe has been seen" in str(late)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("9s Kh Kc Qs")
    house.end()
    [settled] = house.pay()
    assert settled.results == ()
    [opened] = house.do(c.CallBets(DEALER))
    assert opened.bets is True
    house.wager("ann", player=1000)
    assert house.audited() == []
    lie = tampered(house, lambda _, value: value.pop("bets", None))
    assert any("a card that had been seen" in one for one in lie)
    blind = tampered(house, _change("RoundOpened", bets=False))
    assert any("dealt without bets" in one for one in blind)


@pytest.mark.requirement("R44")
@pytest.mark.parametrize("excess", ["next", "returned"])
def test_r44_no_table_is_set_to_let_players_bet_on_a_card_that_they_have_seen(excess):
    for source in ("cards", "shoe"):
        house = f"""
            format = 1
            name = "House"
            [[table]]
            id = "one"
            name = "One"
            card = "punto-banco"
            source = "{source}"
            excess = "{excess}"
        """
        with pytest.raises(HouseFileError, match=excess):
            read_house(house, name="house.toml")
    settings = settings_for(floor=Floor(Excess(excess), Dummy.STAKES))
    with pytest.raises(Refused) as found:
        decide(None, c.OpenTable("one", settings), 1)
    assert found.value.code is Code.BAD_SETTINGS


@pytest.mark.requirement("R44")
@pytest.mark.parametrize(
    ("card", "said", "excess"),
    [
        ("punto-banco", "", Excess.BURNED),
        ("punto-banco", "burned", Excess.BURNED),
        ("commission", "", Excess.RETURNED),
        ("no-commission", "", Excess.RETURNED),
        ("fortune-six", "returned", Excess.RETURNED),
        ("fortune-six", "burned", Excess.BURNED),
    ],
)
def test_r44_a_table_follows_its_card_unless_the_house_burns(card, said, excess):
    house = f"""
        format = 1
        name = "House"
        currency = "{"GBP" if card == "punto-banco" else "EUR"}"
        [[table]]
        id = "one"
        name = "One"
        card = "{card}"
        source = "cards"
        {f'excess = "{said}"' if said else ""}
    """
    assert read_house(house, name="house.toml").tables[0].settings.floor.excess is excess


@pytest.mark.requirement("R43", "R44")
def test_r43_a_correction_returns_a_card_only_between_rounds():
    for opened in (False, True):
        table = dealt("3h Kd 2c Ks 4s 6s", HandTable(hand_settings(excess=Excess.RETURNED)))
        table.end()
        table.pay()
        table.do(c.ReportError(1, DEALER, "it was a six", staff=True))
        if opened:
            table.do(c.CallBets(DEALER))
        corrected = table.do(c.RemedyError(1, "pit", tuple(parse_cards("6h Kd 2c Ks 4s 6s"))))[0]
        assert corrected.goes is (Excess.BURNED if opened else Excess.RETURNED)
        if not opened:
            assert table.do(c.CallBets(DEALER))[0].bets is False


@pytest.mark.requirement("R43", "G33")
def test_g33_a_card_that_was_told_and_taken_back_is_burned_before_bets_open():
    """Whether it was a slip of the finger nobody can see: it may be the next card."""
    table = dealt("6h Kd 2c Ks")
    table.card("9s")
    table.rectify("6h Kd 2c Ks")  # it never left the shoe, say the dealer and the pit
    table.end()
    table.pay()
    assert refused(table, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    assert "may be the next one: burn 1" in console(table.state, DEALER)["next"]["words"]
    [burned] = table.do(c.BurnByHand(DEALER))
    assert (burned.reason, burned.count) == (e.BurnReason.TAKEN_BACK, 1)
    assert table.do(c.CallBets(DEALER))[0].bets is True
    # The same of a card that a device told.
    table.do(c.PlaceCard(DEALER, Card("8", "h"), device=True))
    mistake = c.ExplainCard(DEALER, Card("8", "h"), e.CardWas.MISTAKE)
    assert "bets are open" in str(refused(table, mistake))
    table.do(c.CancelRound(2, MISDEAL, "pit"))
    table.do(mistake)
    assert refused(table, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    table.do(c.BurnByHand(DEALER))
    table.do(c.CallBets(DEALER))
    # And of one that a round is settled again without.
    table.do(c.CallNoMoreBets(DEALER))
    table.deal("3h Kd 2c Ks 4s 6s")
    table.end()
    table.pay()
    table.do(c.ReportError(3, DEALER, "a six, and no more cards", staff=True))
    fewer = c.RemedyError(3, "pit", tuple(parse_cards("6h Kd 2c Ks")))
    table.do(c.CallBets(DEALER))
    assert "bets are open" in str(refused(table, fewer))
    table.do(c.CancelRound(4, MISDEAL, "pit"))
    table.do(fewer)
    assert refused(table, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    assert table.do(c.BurnByHand(DEALER))[0].count == 2
    table.do(c.CallBets(DEALER))


@pytest.mark.requirement("R43", "R44", "G33")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("excess", [Excess.BURNED, Excess.RETURNED])
def test_whatever_a_dealer_does_no_bet_is_taken_on_a_known_card(seed, excess):
    """A dealer alone, who tells, takes back, explains and cancels at random: whenever a wager is
    taken, the next card of the shoe has never been told since it was last in it."""
    rng = random.Random(f"{seed} {excess}")
    house = HandHouse(hand_settings(excess=excess))
    seen: list[Card] = []
    """Cards that were told and may lie on top of the shoe."""
    wagers = 0
    for _ in range(250):
        state, cards = house.state, [card for _, card in house.state.round.cards]
        known = [one for one in state.floor.shoe.known[len(cards) :] if one]
        card = known[0] if known else rng.choice(deck())
        number = state.round.number
        shorter = tuple(cards[: rng.randrange(len(cards) + 1)])
        command = rng.choice(
            [
                c.CallBets(DEALER),
                c.CallNoMoreBets(DEALER),
                *[c.PlaceCard(DEALER, card, None, number, place_due(state))] * 4,
                c.PlaceCard(DEALER, card, device=True),
                *(
                    c.ExplainCard(DEALER, one.card, was)
                    for one in state.floor.doubts[:1]
                    for was in e.CardWas
                ),
                c.BurnByHand(DEALER),
                c.RectifyCoup(DEALER),
                c.RectifyCoup(DEALER, shorter),
                c.AnnounceResult(DEALER),
                c.PayRound(DEALER),
                c.CallOff(DEALER, number, MISDEAL, "no"),
                c.PlaceWagers(number, "ann", (Wager("player", 1000 + wagers % 7 * 100),)),
            ]
        )
        try:
            found = house.do(command)
        except Refused:
            continue
        for event in found:
            match event:
                case e.CardPlaced() | e.BurnedByHand():
                    seen = seen[getattr(event, "count", 1) :]
                case e.CardExplained() if event.was is e.CardWas.MISTAKE:
                    if house.state.round.phase not in (Phase.CLOSED, Phase.DEALING):
                        seen = [event.card]
                case e.CoupRectified():
                    dropped = len(event.told) - len(event.drawn)
                    back = event.excess if event.goes.goes_back else ()
                    seen = [*back, *event.told[len(event.drawn) :]] if dropped > 0 else [*back]
                case e.WagersPlaced():
                    wagers += 1
                    assert not seen, (event, seen)
                    assert not any(house.state.floor.shoe.known)
        if irregular(house.state) and rng.random() < 0.5:
            with contextlib.suppress(Refused):
                house.rectify()
            seen = [one for one in house.state.floor.shoe.known if one]
    assert house.audited() == []


# ---- cancelling --------------------------------------------------------------------------------


@pytest.mark.requirement("R45", "G38")
@pytest.mark.parametrize("cards", ["6h", "6h Kd"])
def test_g38_a_dealt_round_is_cancelled_by_two_people_whatever_the_stake(cards):
    table = dealt(cards)
    cancel = c.CancelRound(1, MISDEAL, "pit", 10**9)
    [proposed] = table.do(cancel)
    assert proposed.terms == f"misdeal 1000 {cards}"
    assert "Stakes: 10.00." in proposed.words
    assert refused(table, cancel).code is Code.NEEDS_TWO_PEOPLE
    table.card("Ks")
    [again] = table.do(c.CancelRound(1, MISDEAL, "pat", 10**9))
    assert again.terms == f"misdeal 1000 {cards} Ks", "what pit proposed was about fewer cards"
    [cancelled] = table.do(cancel)
    assert cancelled.by == ("pat", "pit")


@pytest.mark.requirement("R45", "G38")
def test_g38_a_dealers_dummy_round_waits_for_the_pit_once_a_card_is_out_even_if_taken_back():
    table = dealt("")
    [alone] = table.do(c.CallOff(DEALER, 1, MISDEAL, alone=10**9))
    assert alone.by == (DEALER,), "before the first card, one person"
    table = dealt("9s")
    table.do(c.RectifyCoup(DEALER, ()))
    assert table.state.round.cards == ()
    [proposed] = table.do(c.CallOff(DEALER, 1, MISDEAL, alone=10**9))
    assert isinstance(proposed, e.ActionProposed)
    [cancelled] = table.do(c.CancelRound(1, MISDEAL, "pit", 10**9))
    assert cancelled.by == (DEALER, "pit")


@pytest.mark.requirement("R45", "G38")
def test_g38_the_auditor_finds_a_dealt_round_that_one_person_cancelled():
    house = HandHouse()
    dealt("6h Kd", house)
    house.cancel(MISDEAL)
    assert house.audited() == []
    found = tampered(house, _change("RoundCancelled", by=["pat"]))
    assert any("one person alone" in one for one in found), found


# ---- hand-over ---------------------------------------------------------------------------------


@pytest.mark.requirement("R42", "G29")
def test_g29_a_table_that_a_dealer_has_is_handed_over_and_not_taken():
    table = dealt("6h Kd")
    [asked] = table.do(c.TakeTable("dino"))
    assert isinstance(asked, e.ActionProposed)
    assert table.state.floor.dealer == DEALER
    assert table.do(c.TakeTable("dino")) == (), "asked already"
    assert [one["dealer"] for one in console(table.state, DEALER)["asked_for"]] == ["dino"]
    own = c.HandOver("dino", "dino", pit=False)
    assert refused(table, own).code is Code.NOT_ALLOWED
    assert refused(table, c.HandOver("dino", "dan", pit=False)).code is Code.NOT_ALLOWED
    assert refused(table, c.PlaceCard("dino", Card("2", "c"), round=1, place=3))
    [changed] = table.do(c.HandOver("dino", DEALER, pit=False))
    assert (changed.dealer, changed.before, changed.by) == ("dino", DEALER, DEALER)
    assert table.state.proposals == {}
    [taken] = table.do(c.TakeTable("pit", pit=True))
    assert (taken.before, taken.by) == ("dino", "pit"), "the pit confirms its own"
    table.do(c.TakeTable("dino"))
    [confirmed] = table.do(c.HandOver("dino", "pat", pit=True))
    assert confirmed.by == "pat"


@pytest.mark.requirement("R42")
def test_r42_a_request_for_a_table_is_taken_back_refused_or_expires():
    table = HandTable()
    for by in ("dino", DEALER):
        table.do(c.TakeTable("dino"))
        [ended] = table.do(c.HandOver("dino", by, pit=False, accept=False))
        assert ended.why is e.ProposalEnd.WITHDRAWN
    table.do(c.TakeTable("dino"))
    assert refused(table, c.HandOver("dino", "dan", pit=False, accept=False))
    table.now += ASKED
    assert refused(table, c.HandOver("dino", DEALER, pit=False)).code is Code.WRONG_PHASE
    assert [type(one) for one in table.do(c.TakeTable("dino"))] == [
        e.ProposalEnded,
        e.ActionProposed,
    ]


@pytest.mark.requirement("R42", "G33")
def test_r42_a_dealer_leaves_between_rounds_and_the_table_is_free():
    table = dealt("6h Kd 2c Ks")
    assert refused(table, c.LeaveTable(DEALER)).code is Code.WRONG_PHASE
    table.end()
    table.pay()
    table.do(c.TakeTable("dino"))
    [left] = table.do(c.LeaveTable(DEALER))
    assert (left.dealer, left.by) == ("", DEALER)
    assert table.state.proposals == {}
    assert console(table.state, "dino")["next"]["do"] == "take-table"
    [taken] = table.do(c.TakeTable("dino"))
    assert (taken.dealer, taken.before, taken.by) == ("dino", "", "")
    assert table.state.floor.shoe.burn_due is e.BurnReason.DEALER_CHANGE


@pytest.mark.requirement("G29")
def test_g29_the_auditor_finds_a_table_that_was_taken_without_being_handed_over():
    house = HandHouse()
    house.hand_over("dan-of-the-pit")
    house.do(c.TakeTable(DEALER))
    house.do(c.HandOver(DEALER, "pat", pit=True))
    assert house.audited() == []
    for change in (
        _change("DealerChanged", by=lambda by: "ann"),
        _change("DealerChanged", by=lambda by: ""),
        _change("ActionProposed", by="ann"),
    ):
        assert tampered(house, lambda kind, value, change=change: _if_by(kind, value, change))


def _if_by(kind: str, value: dict, change) -> None:
    if "by" in value:
        change(kind, value)
