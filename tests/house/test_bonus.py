"""Bonus money: terms, wagering, release and forfeiture, and the rule against sure wins (R37)."""

from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest

from baccarat.core.wagers import PlacedWagers, Wager
from baccarat.house import desk
from baccarat.house import events as h
from baccarat.house.money import bonus, cash
from baccarat.house.money.bonus import chance_of_a_win, combined_wagers
from baccarat.house.money.wallets import Wallet
from baccarat.house.outcomes import DecisionContext
from baccarat.house.people.roles import Account, Role
from baccarat.house.safety import record as sf
from baccarat.house.safety.periods import DAY
from baccarat.house.safety.profiles import (
    Alone,
    BonusRules,
    Breach,
    Conduct,
    OnWithdrawal,
    load_profile,
)
from baccarat.house.safety.record import NOTHING, Grant, Position, Safety
from baccarat.loader import built_in_cards
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, rules_text
from support.asking import ask, place
from support.live import GROWN, LiveTable, settings_for

ANN = Account("ann", Role.PLAYER, "Ann")
PIT = Account("pit", Role.PIT, "Pit")
TILL = Account("till", Role.CASHIER, "Till")
ONLINE = Conduct(load_profile("online"))
UK = Conduct(load_profile("uk"), birth_dates=True)
ADULT = Safety(born=GROWN)
RULES = rules_text("punto-banco", parameters={"decks": "8"})


def code(call, *args, **kwargs) -> Code:
    with pytest.raises(Refused) as refused:
        call(*args, **kwargs)
    assert str(refused.value)
    return refused.value.code


def at(now: int = 0, safety: Safety = NOTHING, conduct: Conduct = ONLINE) -> DecisionContext:
    return DecisionContext(now, 1, conduct, known={"ann": safety})


# ---- the exact rule --------------------------------------------------------------------------


@pytest.mark.requirement("R37")
def test_r37_player_and_banker_together_win_in_more_than_nine_coups_in_ten():
    def chance(*bets):
        return chance_of_a_win(RULES, (), frozenset(bets))

    both = chance("player", "banker")
    assert f"{float(both):.4%}" == "90.4844%"
    assert both == chance("player") + chance("banker") == 1 - chance("tie")
    assert both > bonus.NEARLY_ALWAYS
    for bets in (("player",), ("banker",), ("player", "tie"), ("banker", "tie"), ("tie",)):
        assert chance(*bets) < bonus.NEARLY_ALWAYS
    assert chance("player", "banker", "tie") == 1


@pytest.mark.requirement("R37")
@pytest.mark.parametrize("card", built_in_cards())
def test_r37_the_chance_is_computed_from_the_pay_table_of_any_card(card):
    """The chance of a set is at least that of its likeliest bet, and at most the sum."""
    rules = rules_text(card)
    bets = [bet.id for bet in game_of(rules).bets][:4]
    single = {bet: chance_of_a_win(rules, (), frozenset({bet})) for bet in bets}
    for i, one in enumerate(bets):
        for two in bets[i + 1 :]:
            pair = chance_of_a_win(rules, (), frozenset({one, two}))
            assert max(single[one], single[two]) <= pair <= min(1, single[one] + single[two])


def placed(bonus_coins: int, *wagers: tuple[str, int]) -> PlacedWagers:
    return PlacedWagers(tuple(Wager(*one) for one in wagers), (), bonus_coins)


@pytest.mark.requirement("R37")
def test_r37_mostly_is_more_than_half_of_the_rounds_stake():
    wagers = (("player", 500), ("banker", 500))
    for coins, breaches in ((0, False), (500, False), (501, True), (1_000, True)):
        found = combined_wagers({}, "ann", placed(coins, *wagers), rules=RULES)
        assert found.breaches is breaches, coins
    alone = combined_wagers({}, "ann", placed(500, ("player", 500)), rules=RULES)
    assert not alone.breaches
    assert Fraction(44, 100) < alone.chance < Fraction(45, 100)


@pytest.mark.requirement("R37")
def test_r37_linked_players_count_as_one():
    standing = {"bob": placed(0, ("banker", 400)), "cat": placed(0, ("banker", 9_000))}
    mine = placed(500, ("player", 500))
    assert not combined_wagers(standing, "ann", mine, rules=RULES).breaches
    found = combined_wagers(standing, "ann", mine, rules=RULES, partners=("bob",))
    assert found.players == ("ann", "bob")
    assert (found.stake, found.bonus) == (900, 500)
    assert found.breaches
    words = str(found.refusal)
    assert "5.00 of the 9.00 bet by you and your partners is bonus money" in words
    assert "at least one of banker, player wins in 90.48% of rounds" in words
    richer = {"bob": placed(0, ("banker", 500))}  # half is not more than half
    assert not combined_wagers(richer, "ann", mine, rules=RULES, partners=("bob",)).breaches


def nothing_lost(*_):
    return Position(0, 0)


def wager(state, now, balance, wagers, *, conduct=ONLINE, safety=ADULT):
    command = c.PlaceWagers(state.round.number, "ann", tuple(Wager(*one) for one in wagers))
    known = {"ann": safety, "bob": ADULT}
    protection = desk.Protection(conduct, known, nothing_lost)
    return place(state, command, now, balance, protection)


@pytest.mark.requirement("R37")
def test_r37_a_breach_is_refused_or_flagged_as_the_house_file_says():
    table = LiveTable(settings_for("commission", decks=8))
    table.until(e.RoundOpened)
    both = (("player", 1_000), ("banker", 1_000))
    with pytest.raises(
        Refused, match=r"11\.00 of your 20\.00 is bonus .* 90\.48% of rounds"
    ) as refused:
        wager(table.state, table.now, Wallet(900, 5_000), both)
    assert refused.value.code is Code.BONUS_BREACH
    wager(table.state, table.now, Wallet(1_000, 5_000), both)  # half of it real
    wager(table.state, table.now, Wallet(0, 5_000), [("player", 1_000), ("tie", 500)])
    flagging = replace(ONLINE, bonus=BonusRules(breach=Breach.FLAG))
    outcome = wager(table.state, table.now, Wallet(900, 5_000), both, conduct=flagging)
    taken, flag = outcome.events
    assert isinstance(taken, e.WagersPlaced)
    assert isinstance(flag, e.BonusBreachFlagged)
    assert (flag.players, flag.bets, flag.stake) == (("ann",), ("banker", "player"), 2_000)
    assert Fraction(flag.chance) == chance_of_a_win(RULES, (), frozenset({"player", "banker"}))
    assert outcome.warnings[0].values["chance"] == "90.48%"
    assert outcome.state.round.wagers["ann"].bonus == 1_100


def test_r37_withdrawing_is_never_refused():
    """Ann's real money kept Bob's bets within the rule; she may still withdraw it, and the pit gets
    an alert."""
    table = LiveTable(settings_for("commission", decks=8))
    table.until(e.RoundOpened)
    number = table.state.round.number
    table.do(c.PlaceWagers(number, "ann", (Wager("player", 2_000),)))
    both = (Wager("player", 500), Wager("banker", 500))
    table.do(c.PlaceWagers(number, "bob", both), bonus=1_000)
    linked = msgspec.structs.replace(ADULT, partners=("bob",))
    outcome = wager(table.state, table.now, Wallet(0), (), safety=linked)
    assert [type(event) for event in outcome.events] == [e.WagersPlaced, e.BonusBreachFlagged]
    fewer = [("player", 500)]
    assert code(wager, table.state, table.now, Wallet(0), fewer, safety=linked) is Code.BONUS_BREACH


# ---- terms -----------------------------------------------------------------------------------


@pytest.mark.requirement("G17")
def test_g17_eleven_times_is_refused_in_the_uk():
    given = {"balance": Wallet(0), "by": PIT, "at": at(conduct=UK)}
    opened = ask(bonus.grant, ANN, 1_000, times=10, **given)
    terms = (10_000, 30 * DAY)
    assert opened.events == (h.BonusOpened(0, "ann", 1_000, "pit", None, "", 0, None, *terms),)
    assert code(ask, bonus.grant, ANN, 1_000, times=11, **given) is Code.BONUS_TERMS
    assert code(ask, bonus.grant, ANN, 1_000, times=-1, **given) is Code.BONUS_TERMS
    assert code(ask, bonus.grant, ANN, 1_000, days=0, **given) is Code.BONUS_TERMS
    assert code(ask, bonus.grant, ANN, 1_000, **{**given, "by": TILL}) is Code.NOT_ALLOWED
    with pytest.raises(Exception, match="allows at most 10"):
        replace(UK, bonus=BonusRules(times=11))


def test_only_one_bonus_at_a_time():
    first = ask(bonus.grant, ANN, 1_000, balance=Wallet(0), by=PIT, at=at()).safety["ann"]
    again = {"by": PIT, "at": at(5, first)}
    assert code(ask, bonus.grant, ANN, 1, balance=Wallet(0, 7), **again) is Code.BONUS_TERMS
    ask(bonus.grant, ANN, 1, balance=Wallet(0), **again)  # lost: another can be granted


@pytest.mark.requirement("G38")
def test_g38_a_bonus_without_wagering_requirement_counts_as_cash():
    given = {"balance": Wallet(0), "by": PIT, "alone": Alone(decide=10_000, cash=500)}
    waits = ask(bonus.grant, ANN, 501, times=0, at=at(), **given)
    assert [type(event) for event in waits.events] == [e.ActionProposed]
    done = ask(bonus.grant, ANN, 501, times=1, at=at(), **given)
    assert [type(event) for event in done.events] == [h.BonusOpened]
    first = ask(bonus.grant, ANN, 500, times=0, at=at(), **given)
    assert [type(event) for event in first.events] == [h.BonusOpened]
    more = ask(cash.pay_in, ANN, 1, by=TILL, at=at(5, first.safety["ann"]), alone=Alone(cash=500))
    assert [type(event) for event in more.events] == [e.ActionProposed]


def test_bonus_money_for_one_player_is_limited_per_day():
    """The limit holds for a single grant and for several small ones."""
    with pytest.raises(
        Refused, match=r"10,000,000,000\.00 .* at most 1,000\.00 of bonus money a day"
    ):
        ask(bonus.grant, ANN, 10**12, times=0, balance=Wallet(0), by=PIT, at=at())
    first = ask(bonus.grant, ANN, 60_000, times=0, balance=Wallet(0), by=PIT, at=at())
    safety = sf.decode(sf.encode(first.safety["ann"]))
    released = ask(bonus.review, ANN, balance=Wallet(0, 60_000), at=at(5, safety))
    again = {"times": 0, "balance": Wallet(60_000), "by": PIT}
    now = at(10, released.safety["ann"])
    assert code(ask, bonus.grant, ANN, 40_001, **again, at=now) is Code.BAD_AMOUNT
    second = ask(bonus.grant, ANN, 40_000, **again, at=now).safety["ann"]
    with pytest.raises(Refused, match=r"0\.00 is left"):
        ask(bonus.grant, ANN, 1, **again, at=at(20, second))
    ask(bonus.grant, ANN, 100_000, **again, at=at(DAY, second))
    more = replace(ONLINE, bonus=BonusRules(most=10**12))
    ask(bonus.grant, ANN, 10**12, **again, at=at(conduct=more))


def granted(wagering: int, wagered: int = 0, ended: str = "", expires_at: int = DAY) -> Safety:
    return Safety(bonus=Grant(100, wagering, expires_at, wagered, ended))


def review(safety: Safety, coins: int, now: int = 0) -> tuple:
    return ask(bonus.review, ANN, balance=Wallet(5, coins), at=at(now, safety)).events


@pytest.mark.requirement("G17")
def test_bonus_money_is_released_when_its_terms_are_met_and_not_before():
    assert review(granted(1_000, 999), 40) == ()
    (released,) = review(granted(1_000, 1_000), 40)
    assert released == h.BonusReleased(0, "ann", 40, "house")
    late = granted(1_000, 1_000, "released")
    assert review(late, 7) == (h.BonusReleased(0, "ann", 7, "house"),)  # a returned stake
    assert review(granted(1_000, 1_000), 0) == ()


def test_bonus_money_is_forfeited_at_its_expiry_and_cannot_be_staked_then():
    safety = granted(1_000, 10)
    assert review(safety, 40, DAY - 1) == ()
    (lost,) = review(safety, 40, DAY)
    assert lost == h.BonusForfeited(DAY, "ann", 40, h.BonusEnd.EXPIRY, "house")
    table = LiveTable(settings_for())
    table.until(e.RoundOpened)
    over = granted(1_000, 10, expires_at=table.now)
    bet = [("player", 500)]
    short = code(wager, table.state, table.now, Wallet(0, 900), bet, safety=over)
    assert short is Code.INSUFFICIENT_FUNDS
    wager(table.state, table.now, Wallet(0, 900), bet, safety=granted(9, expires_at=table.now + 1))


def test_a_withdrawal_forfeits_or_keeps_bonus_money_by_the_house_rules():
    safety = granted(1_000, 10)
    pay = {"balance": Wallet(500, 40), "by": TILL}
    outcome = ask(cash.pay_out, ANN, 500, at=at(0, safety), **pay)
    assert [type(event) for event in outcome.events] == [h.BonusForfeited, h.MoneyPaidOut]
    assert outcome.safety["ann"].bonus.ended == "forfeited"
    keeping = replace(ONLINE, bonus=BonusRules(withdrawal=OnWithdrawal.KEEP))
    outcome = ask(cash.pay_out, ANN, 500, at=at(0, safety, keeping), **pay)
    assert [type(event) for event in outcome.events] == [h.MoneyPaidOut]
    met = ask(cash.pay_out, ANN, 540, at=at(0, granted(9, 9)), **pay)  # released first, then paid
    assert [type(event) for event in met.events] == [h.BonusReleased, h.MoneyPaidOut]
    refused = code(ask, cash.pay_out, ANN, 501, at=at(0, safety), **pay)
    assert refused is Code.INSUFFICIENT_FUNDS


def test_voiding_a_deposit_forfeits_bonus_money_like_a_withdrawal():
    """Regression: the real money was removed and the bonus stayed."""
    paid, safety = h.MoneyPaidIn(0, "ann", 500, "till", None, "", 0, None), granted(1_000, 10)
    given = {"balance": Wallet(500, 40), "by": TILL, "position": Position(0, 0, 7)}
    forfeited, voided = ask(cash.void, ANN, 1, "twice", paid=paid, at=at(0, safety), **given).events
    end = h.BonusEnd.WITHDRAWAL
    assert forfeited == h.BonusForfeited(0, "ann", 40, end, "house", staked=7)
    assert (type(voided), voided.amount) == (h.CashVoided, 500)
    more = msgspec.structs.replace(paid, amount=540)
    met = ask(cash.void, ANN, 1, "twice", paid=more, at=at(0, granted(9, 9)), **given)
    assert [type(event) for event in met.events] == [h.BonusReleased, h.CashVoided]
    # Voiding a payment out forfeits nothing.
    out = h.MoneyPaidOut(0, "ann", 500, "till", None, "", 0, None)
    (back,) = ask(cash.void, ANN, 1, "twice", paid=out, at=at(0, safety), **given).events
    assert isinstance(back, h.CashVoided)


def test_a_withdrawal_ends_a_bonus_whose_money_is_staked():
    """None of it is in the wallet: the player parked real money at another table to stake it."""
    pay = {"balance": Wallet(500), "by": TILL, "position": Position(0, 0, 40)}
    forfeited, _ = ask(cash.pay_out, ANN, 500, at=at(0, granted(1_000, 10)), **pay).events
    end = h.BonusEnd.WITHDRAWAL
    assert forfeited == h.BonusForfeited(0, "ann", 0, end, "house", staked=40)
    after = ask(cash.pay_out, ANN, 500, at=at(0, granted(1_000, 10)), **pay).safety["ann"]
    assert not bonus.is_open(after, 0)
    (returned,) = review(after, 40)
    assert (returned.amount, type(returned)) == (40, h.BonusForfeited)  # the stake was returned
    met = granted(9, 9)  # requirement met: what is returned belongs to the player
    (paid,) = ask(cash.pay_out, ANN, 500, at=at(0, met), **pay).events
    assert isinstance(paid, h.MoneyPaidOut)
    assert review(met, 40) == (h.BonusReleased(0, "ann", 40, "house"),)
    for over in (granted(9, ended="forfeited"), granted(9, expires_at=0), NOTHING):
        assert len(ask(cash.pay_out, ANN, 500, at=at(0, over), **pay).events) == 1


def test_a_lost_bonus_ends_with_a_withdrawal():
    """Otherwise a dispute could return some of it."""
    pay = {"balance": Wallet(500), "by": TILL}
    after = ask(cash.pay_out, ANN, 500, at=at(0, granted(1_000, 10)), **pay).safety["ann"]
    assert not bonus.is_open(after, 0)


def test_only_bonus_money_in_settled_rounds_counts_as_wagered():
    table = LiveTable(settings_for())
    safety = granted(10_000)
    table.until(e.RoundOpened)
    outcome = wager(table.state, table.now, Wallet(300, 900), [("player", 500)], safety=safety)
    for event in outcome.events:
        table.events.append(event)
    table.state = outcome.state
    while table.state.round.phase != "decided":
        table.step()
    protection = desk.Protection(ONLINE, {"ann": outcome.safety["ann"]}, nothing_lost)
    table.now += 10_000
    settled = desk.at_table(table.state, c.SettleRound(1), table.now, protection=protection)
    assert settled.safety["ann"].bonus.wagered == 200
    cancel = c.CancelRound(table.state.round.number, e.CancelReason.OTHER, "pit")
    proposed = desk.at_table(table.state, cancel, table.now, protection=protection).state
    cancel = msgspec.structs.replace(cancel, by="boss")
    cancelled = desk.at_table(proposed, cancel, table.now, protection=protection)
    assert [type(one) for one in cancelled.events] == [e.RoundCancelled]
    assert cancelled.safety == {}
    assert sf.decode(sf.encode(settled.safety["ann"])) == settled.safety["ann"]


def test_the_pit_takes_bonus_money_back():
    back = ask(bonus.take_back, ANN, balance=Wallet(5, 40), by=PIT, at=at(0, granted(9)))
    assert back.events == (h.BonusForfeited(0, "ann", 40, h.BonusEnd.TAKEN_BACK, "pit"),)
    nothing = code(ask, bonus.take_back, ANN, balance=Wallet(5), by=PIT, at=at())
    assert nothing is Code.BAD_AMOUNT
