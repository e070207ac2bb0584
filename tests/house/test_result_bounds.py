"""A table's daily result and theory (G25): exact expectation, variance and bounds."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from baccarat.analysis.edges import combined_distribution, covariance, figures_of
from baccarat.core.cards import Card, parse_cards
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.house.watch import result_bounds
from baccarat.house.watch.result_bounds import Taking, Takings
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.rules import game_of, rules_hash, rules_text
from baccarat.table.settings import Excess
from support.by_hand import DEALER, HandTable
from support.live import LiveTable, settings_for

RULES = rules_text("punto-banco")
TWO, SEVEN = ((("double_chance", value),) for value in ("2%", "7%"))


def taking_of(rounds: list[dict[str, int]], nets: list[int], rules: str = RULES) -> Taking:
    taking = Taking()
    for stakes, net in zip(rounds, nets, strict=True):
        taking.take({(rules, (), bet): stake for bet, stake in stakes.items()}, net)
    return taking


@pytest.mark.requirement("G25")
def test_g25_expectation_and_variance_are_those_of_the_combined_wagers():
    """Wagers on one coup are combined; rounds are independent."""
    rounds = [{"player": 2000, "tie": 1000, "player-pair": 300}, {"banker": 4000, "tie": 700}]
    game, mean, variance = game_of(RULES), Fraction(0), Fraction(0)
    for stakes in rounds:
        spread = combined_distribution(game, [Wager(*one) for one in stakes.items()])
        expected = sum((net * chance for net, chance in spread.items()), Fraction(0))
        squares = sum((net * net * chance for net, chance in spread.items()), Fraction(0))
        mean, variance = mean - expected, variance + squares - expected**2
    taking = taking_of(rounds, [0, 0])
    assert (taking.expected, taking.variance) == (mean, variance)
    figures = taking.figures(10_000)
    assert figures.low < figures.expected < figures.high


@pytest.mark.requirement("G25")
def test_g25_bets_under_different_agreements_are_correlated():
    """R24: a tie pays one player 7% on Player and another the table's own share."""
    card = rules_text("double-chance")
    plain, agreed = game_of(card), game_of(card, SEVEN)
    spread = {
        name: figures_of(game, "player") for name, game in (("plain", plain), ("agreed", agreed))
    }
    both = covariance((plain, "player"), (agreed, "player"))
    assert both**2 <= spread["plain"].variance * spread["agreed"].variance
    # Payments differ only on a tie, so the moment follows from one of them.
    ties = spread["agreed"].distribution
    (tie,) = (chance for pay, chance in ties if pay == Fraction(7, 100))
    product = sum(pay * pay * chance for pay, chance in ties if abs(pay) == 1)
    (own,) = (pay for pay, _ in spread["plain"].distribution if 0 < pay < 1)
    mean = spread["plain"].expectation * spread["agreed"].expectation
    assert both == product + own * Fraction(7, 100) * tie - mean


@pytest.mark.requirement("G25")
@pytest.mark.parametrize("stakes", [{"player": 1000}, {"banker": 2000, "tie": 500}, {"3g8": 100}])
def test_g25_a_fair_table_stays_within_bounds_and_a_drifting_one_does_not(stakes):
    """Also in the first rounds, and for a bet that wins once in 220 and pays 200."""
    rules = rules_text("punto-banco-2000")
    spread = combined_distribution(game_of(rules), [Wager(*one) for one in stakes.items()])
    nets, weights = list(spread), [float(chance) for chance in spread.values()]
    wagers = {(rules, (), bet): stake for bet, stake in stakes.items()}
    for seed in range(20):
        honest, drifting = Taking(), Taking()
        for net in random.Random(seed).choices(nets, weights, k=300):
            honest.take(wagers, net)
            drifting.take(wagers, max(nets))  # every round is won
            if honest.rounds in (1, 2, 5, 20, 100, 300):
                assert not honest.figures(10_000).outside, (seed, honest.rounds)
        assert drifting.figures(10_000).outside


@pytest.mark.requirement("G25")
def test_g25_only_a_result_beyond_the_bounds_is_reported():
    taking = taking_of([{"player": 1000}] * 400, [0] * 400)
    bounds = taking.figures(1000)
    for result in (bounds.low, bounds.high):
        assert not replace(taking, result=result).figures(1000).outside
    for result in (bounds.low - 1, bounds.high + 1):
        assert replace(taking, result=result).figures(1000).outside
    stricter = taking.figures(10**9)
    assert stricter.low < bounds.low < bounds.high < stricter.high
    # With many even-money rounds the bounds approach those of the normal law: 3.9 deviations.
    assert 3.8 < (bounds.high - bounds.expected) / bounds.deviation < 4.3


@pytest.mark.requirement("G25")
def test_g25_with_many_agreements_the_bounds_are_wider_but_valid(monkeypatch):
    """The covariance of bets under different terms is then bounded, not computed."""
    rules = rules_text("double-chance")
    taking = Taking()
    for percent in range(2, 5):
        agreed = (("double_chance", f"{percent}%"),)
        taking.take({(rules, agreed, "player"): 1000, (rules, (), "banker"): 2000}, 0)
    taking.take({(rules, (("double_chance", f"{n}%"),), "player"): 500 for n in (2, 3, 4)}, 0)
    exact, variance = taking.figures(1000), taking.variance
    monkeypatch.setattr(result_bounds, "MAX_AGREED", 1)
    wide = taking.figures(1000)
    assert exact.expected == wide.expected
    assert variance < taking.variance
    assert wide.low < exact.low < exact.high < wide.high


def folded(table: LiveTable) -> Takings:
    found = Takings()
    rules = table.state.settings.rules
    for event in table.events:
        found.take(event, {rules_hash(rules): rules}.__getitem__)
    return found


def test_takings_agree_with_the_journal_and_exclude_guests():
    table = LiveTable(settings_for("double-chance", decks=8))
    table.do(c.ProposeAgreement("ann", "ann", SEVEN))
    table.do(c.ConfirmAgreement("ann", "pit", SEVEN))
    staked, net = {"ann": 0, "guest-1": 0}, {"ann": 0, "guest-1": 0}
    for _ in range(30):
        number = table.until(e.RoundOpened).round
        for player, bet in (("ann", "player"), ("guest-1", "banker")):
            accept = TWO if player == "guest-1" else ()
            table.do(c.PlaceWagers(number, player, (Wager(bet, 2000),), accept=accept))
            staked[player] += 2000
        for result in table.until(e.RoundSettled).results:
            net[result.player] += result.net
    day = folded(table)
    assert (day.players.turnover, day.guests.turnover) == tuple(staked.values())
    assert (day.players.result, day.guests.result) == (-net["ann"], -net["guest-1"])
    rules = table.settings.rules
    assert day.players.stakes == {(rules, SEVEN, "player"): 60_000}
    assert day.guests.stakes == {(rules, TWO, "banker"): 60_000}
    edge = next(one.edge for one in (figures_of(game_of(rules, SEVEN), "player"),))
    assert day.players.expected == 60_000 * edge
    excess = (parse_cards("6h"), (), Excess.BURNED)
    coup = ("P:6hKd=6 B:2c9s=1", "player")
    corrected = e.RoundCorrected(9, 30, "pit", *excess, *coup, (), (), None, coup[0], ())
    day.take(corrected, lambda _: rules)
    assert day.players.turnover == 60_000


@pytest.mark.requirement("G29")
def test_g29_rounds_and_errors_are_counted_by_dealer():
    table = HandTable()
    for number in (1, 2):
        table.bets()
        table.deal("6h Kd 2c Ks" if number == 1 else "9h 9c Kh Kc")
        table.end()
        table.pay()
    table.bets()
    table.do(c.PlaceCard(DEALER, Card("5", "s"), Hand.BANKER))  # it is the player's
    day = folded(table)
    assert (dict(day.dealt), dict(day.errors)) == ({DEALER: 2}, {DEALER: 1})


def test_a_day_without_wagers_is_within_bounds():
    assert not Taking().figures(10_000).outside
