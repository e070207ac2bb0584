"""Sessions, compared with exact fractions, closed forms, enumeration and simulation."""

import json
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate, product
from math import comb, inf, prod

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from baccarat.analysis import walks
from baccarat.analysis.edges import analyse, combined_distribution
from baccarat.analysis.remaining import remaining_shoe
from baccarat.analysis.sessions import Drawdown, Session, session
from baccarat.cli import main
from baccarat.core.cards import Card
from baccarat.core.errors import BaccaratError
from baccarat.core.wagers import Wager, WagerRefused
from baccarat.loader import load

GAME = load("punto-banco").game()
PLAYER = session(GAME, [Wager("player", 1000)])
BANKER = session(GAME, [Wager("banker", 1000)])
TIE = session(GAME, [Wager("tie", 1000)])
TOGETHER = session(GAME, [Wager("banker", 2000), Wager("player-pair", 500)])
EVERY = [PLAYER, BANKER, TIE, TOGETHER]
EVERY_ID = ["player", "banker", "tie", "banker and pair"]


def even_money(win: Fraction, lose: Fraction) -> Session:
    chances = {-1: lose, 0: 1 - win - lose, 1: win}
    return Session({net: chance for net, chance in chances.items() if chance}, 1)


@st.composite
def small_sessions(draw):
    nets = draw(st.lists(st.integers(-8, 12), min_size=1, max_size=5, unique=True))
    weights = draw(st.lists(st.integers(1, 9), min_size=len(nets), max_size=len(nets)))
    stake = max(1, -min(nets)) + draw(st.integers(0, 3))
    chances = (Fraction(weight, sum(weights)) for weight in weights)
    return Session(dict(zip(nets, chances, strict=True)), stake)


# ---- Slow reference implementations ----


def convolved(played: Session, coups: int) -> dict[int, Fraction]:
    result = {0: Fraction(1)}
    for _ in range(coups):
        more = defaultdict(Fraction)
        for so_far, net in product(result, played.distribution):
            more[so_far + net] += result[so_far] * played.distribution[net]
        result = more
    return result


def slow_curve(played: Session, bankroll: int, coups: int, goal: int | None):
    """Return [(ruined, reached, playing)] after every coup."""
    left, ruined, reached, curve = {bankroll: Fraction(1)}, Fraction(0), Fraction(0), []
    for _ in range(coups):
        more = defaultdict(Fraction)
        for money, net in product(left, played.distribution):
            chance = left[money] * played.distribution[net]
            if money + net < played.stake:
                ruined += chance
            elif goal is not None and money + net >= goal:
                reached += chance
            else:
                more[money + net] += chance
        left = more
        curve.append((ruined, reached, sum(left.values())))
    return curve


def slow_drawdowns(played: Session, coups: int) -> dict[int, Fraction]:
    """Return the chance of each maximum drawdown, by enumerating all paths."""
    result = defaultdict(Fraction)
    for path in product(played.distribution, repeat=coups):
        money = list(accumulate(path, initial=0))
        deepest = max(top - now for top, now in zip(accumulate(money, max), money, strict=True))
        result[deepest] += prod(played.distribution[net] for net in path)
    return result


def assert_curve(played: Session, bankroll: int, coups: int, goal: int | None) -> None:
    curve = played.ruin_curve(bankroll=bankroll, coups=coups, goal=goal)
    expected = np.array(slow_curve(played, bankroll, coups, goal), dtype=float).T
    found = np.array([curve.ruined, curve.reached, 1 - curve.ruined - curve.reached])
    assert np.abs(found - expected).max() < 1e-14 < curve.error < 1e-10


def mean_of(drawdown: Drawdown) -> float:
    return float(drawdown.depths[0] * drawdown.at_least.sum())


def quantile_of(drawdown: Drawdown, chance: float) -> int:
    enough = np.flatnonzero(1 - drawdown.at_least >= chance - drawdown.error)
    return int(drawdown.depths[0] * enough[0])


def assert_drawdown(played: Session, coups: int, expected: dict[int, Fraction]) -> None:
    limit = max(*expected, played.lattice) + 2 * played.lattice
    drawdown = played.drawdown(coups, limit=limit)
    assert drawdown.depths.tolist() == list(range(played.lattice, limit + 1, played.lattice))
    for depth, chance in zip(drawdown.depths, drawdown.at_least, strict=True):
        exact = sum(c for deepest, c in expected.items() if deepest >= depth)
        assert chance == pytest.approx(float(exact), abs=1e-14)
    assert mean_of(drawdown) == pytest.approx(float(sum(d * c for d, c in expected.items())))
    not_deeper = {d: sum(c for e, c in expected.items() if e <= d) for d in expected}
    for chance in (0.05, 0.37, 0.93):
        if any(abs(float(c) - chance) < 1e-12 for c in not_deeper.values()):
            continue  # a tie, which a float cannot decide
        quantile = min(d for d, c in not_deeper.items() if c >= chance)
        assert quantile_of(drawdown, chance) == quantile


# ---- The net result ----


@settings(deadline=None)  # the first call may have to compile
@given(small_sessions(), st.integers(1, 6))
@example(Session(dict.fromkeys([-6, -5, -3, 4], Fraction(1, 4)), 6), 1)  # a transform near zero
def test_final_equals_convolution_with_fractions(played, coups):
    final, expected = played.final(coups), convolved(played, coups)
    found = dict(zip(final.values.tolist(), final.chances.tolist(), strict=True))
    assert found.keys() >= expected.keys()
    for net, chance in found.items():
        assert chance == pytest.approx(float(expected.get(net, 0)), abs=1e-14)
        assert (chance == 0) == (net not in expected)
    assert final.mean == sum(net * chance for net, chance in expected.items())
    assert final.variance == sum(net**2 * c for net, c in expected.items()) - final.mean**2
    for figure, part in [
        (final.ahead, [c for net, c in expected.items() if net > 0]),
        (final.even, [c for net, c in expected.items() if net == 0]),
        (final.behind, [c for net, c in expected.items() if net < 0]),
    ]:
        assert figure == pytest.approx(float(sum(part)), abs=1e-13)


@pytest.mark.parametrize("played", EVERY, ids=EVERY_ID)
def test_final_of_real_wagers_equals_convolution(played):
    expected = convolved(played, 12)
    final = played.final(12)
    found = dict(zip(final.values.tolist(), final.chances.tolist(), strict=True))
    assert all(
        abs(found.get(net, 0) - float(expected.get(net, 0))) < 1e-15
        for net in found.keys() | expected.keys()
    )


@pytest.mark.no_cover
@pytest.mark.parametrize("coups", [100, 10_000])
def test_final_of_many_coups_equals_the_multinomial(coups):
    final = BANKER.final(coups)
    for chance in (1e-9, 0.5, 0.8):
        net = final.quantile(chance)
        with localcontext(prec=40):
            lose, tie, win = (
                Decimal(c.numerator) / c.denominator for _, c in sorted(BANKER.distribution.items())
            )
            exact = sum(
                comb(coups, wins)
                * comb(coups - wins, losses)
                * (win**wins * lose**losses * tie ** (coups - wins - losses))
                for wins in range(coups + 1)
                for losses, rest in [divmod(950 * wins - net, 1000)]
                if rest == 0 and 0 <= losses <= coups - wins
            )
        found = final.chances[final.values == net][0]
        assert found == pytest.approx(float(exact), abs=1e-13 * final.chances.max())


@pytest.mark.parametrize("played", EVERY, ids=EVERY_ID)
@pytest.mark.parametrize("coups", [1, 7, 1_000, 10_000, 1_000_000])
def test_final_chances_are_not_negative_and_add_up_to_one(played, coups):
    final = played.final(coups)
    assert final.chances.min() >= 0
    assert final.chances.sum() == pytest.approx(1, abs=1e-13)
    assert final.error < 1e-11
    assert final.ahead + final.even + final.behind == pytest.approx(1, abs=1e-13)
    mean, deviation = float(final.mean), final.standard_deviation
    assert final.values @ final.chances == pytest.approx(mean, abs=1e-11 * deviation)
    squares = (final.values - mean) ** 2 @ final.chances
    assert squares == pytest.approx(float(final.variance), rel=1e-11)
    assert np.abs(final.values[[0, -1]] - mean).max() < 12 * deviation or coups < 1_000


def test_quantiles_of_the_net_result():
    """Seven even coups: P(net <= -7, -5, -3) = 1/128, 8/128, 29/128."""
    final = even_money(Fraction(1, 2), Fraction(1, 2)).final(7)
    wanted = {0.001: -7, 1 / 128: -7, 0.0625: -5, 0.07: -3, 29 / 128: -3, 0.25: -1, 0.9999: 7}
    assert {chance: final.quantile(chance) for chance in wanted} == wanted


# ---- Ruin ----


@pytest.mark.no_cover
@settings(deadline=None)  # the first call may have to compile
@given(small_sessions(), st.integers(0, 20), st.integers(1, 9), st.integers(1, 25) | st.none())
def test_curve_equals_the_exact_one(played, spare, coups, above):
    bankroll = played.stake + spare
    assert_curve(played, bankroll, coups, None if above is None else bankroll + above)


@pytest.mark.no_cover
@pytest.mark.parametrize("goal", [None, 4_000, 3_450])
@pytest.mark.parametrize("played", EVERY, ids=EVERY_ID)
def test_curve_of_real_wagers_equals_the_exact_one(played, goal):
    assert_curve(played, 3_400, 25, goal)


@pytest.mark.parametrize(
    ("win", "lose", "coups"), [("1/2", "1/2", 9_000), ("2/5", "1/2", 4_000), ("1/2", "1/4", 2_000)]
)
def test_goal_before_ruin_is_the_gamblers_ruin_formula(win, lose, coups):
    """Only the first game may still be undecided after the last coup."""
    win, lose = Fraction(win), Fraction(lose)
    for bankroll, goal in [(1, 2), (3, 10), (10, 11), (20, 30)]:
        curve = even_money(win, lose).ruin_curve(bankroll=bankroll, coups=coups, goal=goal)
        r = lose / win
        exact = (
            Fraction(goal - bankroll, goal) if r == 1 else (r**bankroll - r**goal) / (1 - r**goal)
        )
        assert curve.ruined[-1] == pytest.approx(float(exact), abs=1e-12)
        assert curve.reached[-1] == pytest.approx(float(1 - exact), abs=1e-12)


def test_eventual_ruin_is_the_gamblers_ruin_formula():
    """In a game in the player's favour: (lose / win) to the power of the bankroll."""
    played = even_money(Fraction(11, 20), Fraction(8, 20))
    for bankroll in (1, 5, 30):
        curve = played.ruin_curve(bankroll=bankroll, coups=20_000)
        assert curve.ruined[-1] == pytest.approx((8 / 11) ** bankroll, abs=1e-13)


@pytest.mark.parametrize("played", [PLAYER, TIE], ids=["player", "tie"])
def test_first_passage_is_the_hitting_time_theorem(played):
    """If every loss is one step, P(ruin in coup t) = b/t P(net = -b) for a bankroll of b steps."""
    curve = played.ruin_curve(bankroll=20 * played.stake, coups=3_000)
    passing = np.diff(curve.ruined, prepend=0)
    for coups in (20, 21, 23, 100, 400, 3_000):
        final = played.final(coups)
        at_loss = final.chances[final.values == -20 * played.stake].sum()
        assert passing[coups - 1] == pytest.approx(20 / coups * at_loss, abs=1e-15)


@pytest.mark.parametrize("goal", [None, 150_000])
def test_skipping_pushes_in_the_walk_does_not_change_the_curve(monkeypatch, goal):
    thinned = BANKER.ruin_curve(bankroll=60_000, coups=3_000, goal=goal)
    monkeypatch.setattr(walks, "THINNING", inf)
    whole = BANKER.ruin_curve(bankroll=60_000, coups=3_000, goal=goal)
    assert 0.1 < whole.ruined[-1] < 0.9
    for name in ("ruined", "reached"):
        assert np.abs(getattr(thinned, name) - getattr(whole, name)).max() < 1e-12


@pytest.mark.parametrize("bankroll", [3_100, 100_000])
@pytest.mark.parametrize("played", EVERY, ids=EVERY_ID)
def test_curves_are_monotone_and_never_add_up_to_more_than_one(played, bankroll):
    curve = played.ruin_curve(bankroll=bankroll, coups=5_000, goal=bankroll + 10_000)
    further = played.ruin_curve(bankroll=bankroll, coups=5_000)
    for rising in (curve.ruined, curve.reached, further.ruined):
        assert np.diff(rising).min() >= 0
        assert 0 <= rising[0] <= rising[-1] <= 1
    assert (curve.ruined + curve.reached).max() < 1 + 1e-12
    assert (further.ruined >= curve.ruined - 1e-12).all()
    assert not further.reached.any()
    assert len(curve.ruined) == len(curve.reached) == 5_000


def test_chances_still_add_up_to_one_after_many_coups():
    """Ruin and goal are out of reach, so only the net results count."""
    curve = BANKER.ruin_curve(bankroll=1_000 * 1_001, coups=1_000, goal=1_000 * 1_950)
    final = BANKER.final(1_000)
    assert curve.ruined[-1] == curve.reached[-1] == 0
    assert final.chances.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("played", EVERY, ids=EVERY_ID)
def test_unreachable_bounds_do_not_change_the_curve(played):
    far = played.ruin_curve(bankroll=10**15, coups=300, goal=10**16)
    assert not far.ruined.any()
    assert not far.reached.any()
    near = played.ruin_curve(bankroll=10_000, coups=300)
    goal = played.ruin_curve(bankroll=10_000, coups=300, goal=10**16)
    assert np.abs(near.ruined - goal.ruined).max() < 1e-15
    assert max(far.error, near.error, goal.error) < 1e-11


@pytest.mark.parametrize("bankroll", [20_000, 60_000])
def test_truncated_chances_are_included_in_the_error(monkeypatch, bankroll):
    """Truncate far too early, so that ruin or high wins are cut off."""
    exact = BANKER.ruin_curve(bankroll=bankroll, coups=1_000, goal=200_000)
    monkeypatch.setattr(walks, "MIN_CHANCE", 0.5)
    rough = BANKER.ruin_curve(bankroll=bankroll, coups=1_000, goal=200_000)
    assert 0.01 < rough.error < 1
    assert np.abs(rough.ruined - exact.ruined).max() <= rough.error
    assert np.abs(rough.reached - exact.reached).max() <= rough.error
    assert rough.ruined.any() == (bankroll == 20_000)


# ---- Drawdown ----


@settings(deadline=None)  # the first call may have to compile
@given(small_sessions(), st.integers(1, 4))
def test_drawdown_equals_enumeration(played, coups):
    assert_drawdown(played, coups, slow_drawdowns(played, coups))


@pytest.mark.parametrize("played", EVERY, ids=EVERY_ID)
def test_drawdown_of_real_wagers_equals_enumeration(played):
    assert_drawdown(played, 5, slow_drawdowns(played, 5))


def test_drawdown_at_some_depths_equals_that_at_all_depths():
    every = BANKER.drawdown(200, limit=30_000)
    some = BANKER.drawdown(200, limit=30_000, every=1_000)
    odd = BANKER.drawdown(200, limit=9_999, every=1_111)
    assert every.at_least[19::20] == pytest.approx(some.at_least, abs=1e-14)
    for depth, chance in zip(odd.depths.tolist(), odd.at_least, strict=True):
        assert chance == pytest.approx(every.at_least[-(-depth // 50) - 1], abs=1e-14)
    assert mean_of(some) <= mean_of(every) < mean_of(some) + 1_000
    assert np.diff(every.at_least).max() <= 0
    later = BANKER.drawdown(300, limit=30_000, every=1_000)
    assert (later.at_least >= some.at_least).all()


# ---- Simulation ----


@pytest.mark.no_cover
@pytest.mark.parametrize("played", [BANKER, TOGETHER], ids=["banker", "banker and pair"])
def test_simulated_sessions_agree(played):
    coups, times, bankroll, goal = 400, 20_000, 20 * played.stake, 40 * played.stake
    rng = np.random.default_rng(19)
    chances = [float(chance) for chance in played.distribution.values()]
    money = rng.choice(list(played.distribution), p=chances, size=(coups, times)).cumsum(axis=0)
    top = np.maximum(np.maximum.accumulate(money, axis=0), 0)
    ends = [
        np.where(out.any(axis=0), out.argmax(axis=0), coups)
        for out in (money + bankroll < played.stake, money + bankroll >= goal)
    ]
    curve = played.ruin_curve(bankroll=bankroll, coups=coups, goal=goal)
    depth = 25 * played.stake
    for seen, chance in [
        ((money[-1] > 0).mean(), played.final(coups).ahead),
        ((ends[0] < coups).mean(), played.ruin_curve(bankroll=bankroll, coups=coups).ruined[-1]),
        ((ends[0] < ends[1]).mean(), curve.ruined[-1]),
        ((ends[1] < ends[0]).mean(), curve.reached[-1]),
        (
            ((top - money).max(axis=0) >= depth).mean(),
            played.drawdown(coups, limit=depth, every=depth).at_least[0],
        ),
    ]:
        assert 0.01 < chance < 0.99
        assert abs(seen - chance) < 5 * (chance * (1 - chance) / times) ** 0.5


# ---- Wagers, costs and refusals ----


def test_wagers_on_one_coup_are_not_independent():
    """A tie returns the stake on Player and pays the bet on Tie."""
    bets = analyse(GAME)
    both = session(GAME, [Wager("player", 1000), Wager("tie", 500)])
    assert both.stake == 1500
    assert both.distribution == {
        -1500: 1 - bets["player"].hit - bets["tie"].hit,
        500: bets["player"].hit,
        4500: bets["tie"].hit,
    }
    assert both.mean == -1000 * bets["player"].edge - 500 * bets["tie"].edge
    assert TOGETHER.distribution == combined_distribution(
        GAME, [Wager("banker", 2000), Wager("player-pair", 500)]
    )
    apart = 2000**2 * bets["banker"].variance + 500**2 * bets["player-pair"].variance
    assert TOGETHER.variance != apart


def test_costs_are_exact():
    edge = analyse(GAME)["banker"].edge
    assert BANKER.edge == edge
    assert BANKER.cost(70) == 70 * 1000 * edge
    assert BANKER.final(70).mean == -BANKER.cost(70)
    assert (PLAYER.lattice, BANKER.lattice, TIE.lattice, TOGETHER.lattice) == (1000, 50, 1000, 100)


def test_a_session_may_start_from_a_remaining_shoe():
    shoe = remaining_shoe(GAME, [Card("9"), Card("8")])
    assert session(GAME, [Wager("player", 1000)], shoe).edge == analyse(GAME, shoe)["player"].edge


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: PLAYER.final(0), "coups must be a whole number of at least 1, not 0"),
        (lambda: PLAYER.final(2.5), "coups must be a whole number of at least 1, not 2.5"),
        (lambda: PLAYER.cost(-3), "coups must be a whole number of at least 1, not -3"),
        (
            lambda: PLAYER.ruin_curve(bankroll=1000, coups=0),
            "coups must be a whole number of at least 1, not 0",
        ),
        (
            lambda: PLAYER.ruin_curve(bankroll="9", coups=1),
            "bankroll must be a whole number of at least 1, not '9'",
        ),
        (lambda: PLAYER.ruin_curve(bankroll=999, coups=1), "9.99 does not cover .*stakes 10.00"),
        (
            lambda: PLAYER.ruin_curve(bankroll=5000, coups=1, goal=5000),
            "goal of 50.00 must be above",
        ),
        (
            lambda: PLAYER.ruin_curve(bankroll=5000, coups=1, goal=True),
            "goal must be a whole number of at least 1, not True",
        ),
        (
            lambda: PLAYER.drawdown(0, limit=1000),
            "coups must be a whole number of at least 1, not 0",
        ),
        (
            lambda: PLAYER.drawdown(9, limit=999),
            "limit must be a whole number of at least 1000, not 999",
        ),
        (
            lambda: PLAYER.drawdown(9, limit=1000, every=0),
            "every must be a whole number of at least 1, not 0",
        ),
        (lambda: PLAYER.final(9).quantile(1.0), "a probability must be between 0 and 1, not 1.0"),
        (lambda: PLAYER.fall_quantiles(9, [0]), "must be between 0 and 1, not 0"),
        (lambda: Session({-2: Fraction(1)}, 1), "cannot lose 0.02: only 0.01 is staked"),
        (
            lambda: Session({-1: Fraction(1, 2), 1: Fraction(1, 3)}, 1),
            "add up to 1, not 1/2, 1/3",
        ),
        (lambda: Session({0: Fraction(2), 1: Fraction(-1)}, 1), "must be above 0"),
        (lambda: Session({}, 1), "must be above 0"),
        (lambda: Session({0: Fraction(1)}, 0), "stake must be a whole number of at least 1, not 0"),
        (lambda: session(GAME, []), "a session needs at least one wager"),
    ],
)
def test_invalid_sessions_are_refused(ask, words):
    with pytest.raises(BaccaratError, match=words):
        ask()


@pytest.mark.parametrize(
    "wagers",
    [
        [Wager("player", 499)],
        [Wager("banker", 1010)],
        [Wager("player", 1000), Wager("banker", 1000)],
        [Wager("dragon", 1000)],
    ],
)
def test_a_session_refuses_wagers_that_the_table_refuses(wagers):
    with pytest.raises(WagerRefused):
        session(GAME, wagers)


def test_compiled_code_and_plain_python_agree(monkeypatch):
    asked = {"bankroll": 4_000, "coups": 60, "goal": 8_000}
    curves = [played.ruin_curve(**asked) for played in EVERY]
    falls = [played.drawdown(20, limit=3_000, every=1_000) for played in EVERY]
    for name in ("_move", "_trim", "walk", "with_standoffs", "_product"):
        monkeypatch.setattr(walks, name, getattr(walks, name).py_func)
    for played, curve, fall in zip(EVERY, curves, falls, strict=True):
        slow = played.ruin_curve(**asked)
        assert np.abs(curve.ruined - slow.ruined).max() < 1e-14
        assert np.abs(curve.reached - slow.reached).max() < 1e-14
        deep = played.drawdown(20, limit=3_000, every=1_000).at_least
        assert np.abs(fall.at_least - deep).max() < 1e-14


def test_the_session_command(capsys):
    words = ["session", "punto-banco", "--wagers", "banker 20, tie 5", "--coups", "200"]
    money = ["--bankroll", "500", "--stop-win", "300"]
    assert main([*words, *money, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(found["final"]["chances"]) == pytest.approx(1)
    assert found["ahead"] + found["even"] + found["behind"] == pytest.approx(1)
    assert len(found["ruin"]["ruined"]) == 200
    assert found["ruin"]["ruined"] == sorted(found["ruin"]["ruined"])
    assert found["wagers"] == [{"bet": "banker", "stake": 2000}, {"bet": "tie", "stake": 500}]
    assert main([*words, *money]) == 0
    printed = capsys.readouterr().out
    assert "Banker 20.00, Tie 5.00 on each of 200 coups" in printed
    assert "reached 800.00" in printed
    assert main(["session", "online", "--wagers", "p 10"]) == 0
    assert "1.2351%" in capsys.readouterr().out
    for wrong, reply in (
        (["--wagers", "banker 20", "--coups", "0"], "--coups 0"),
        (["--wagers", "banker 20", "--stop-win", "50"], "--bankroll"),
        (["--wagers", "banker 20", "--bankroll", "1"], "1.00"),
        (["--wagers", "banana 20"], "unknown bet 'banana'"),
        (["--wagers", "banker 20, player 20"], "cannot be bet on in the same round"),
    ):
        assert main(["session", "punto-banco", *wrong]) == 2
        assert reply in capsys.readouterr().err


def test_quantiles_of_the_maximum_drawdown_are_exact():
    game = load("punto-banco").game()
    played = session(game, [Wager("banker", 2000)])
    quantiles = (0.05, 0.25, 0.5, 0.75, 0.95, 0.999)
    every_depth = played.drawdown(40, limit=60_000)
    found = played.fall_quantiles(40, quantiles)
    assert found == [quantile_of(every_depth, chance) for chance in quantiles]
    stakes = played.fall_quantiles(40, quantiles, every=2000)
    by_stake = played.drawdown(40, limit=60_000, every=2000)
    assert stakes == [quantile_of(by_stake, chance) for chance in quantiles]


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import json
from baccarat.analysis import sessions, walks
from baccarat.core.wagers import Wager
from baccarat.loader import load
assert walks.numba is None
game = load("punto-banco").game()
for wagers in ([Wager("banker", 1000)], [Wager("banker", 2000), Wager("player-pair", 500)]):
    played = sessions.session(game, wagers)
    curve = played.ruin_curve(bankroll=20_000, coups=300, goal=26_000)
    fall = played.drawdown(60, limit=9_000, every=3_000)
    print(json.dumps([curve.ruined.tolist(), curve.reached.tolist(), fall.at_least.tolist()]))
"""


def test_without_numba_sessions_give_the_same_results():
    """A server is installed without numba; the packages are hidden in a separate process."""
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA], capture_output=True, text=True, check=True
    )
    for played, line in zip((BANKER, TOGETHER), ran.stdout.splitlines(), strict=True):
        ruined, reached, at_least = json.loads(line)
        curve = played.ruin_curve(bankroll=20_000, coups=300, goal=26_000)
        assert np.allclose(curve.ruined, ruined, rtol=1e-12, atol=1e-15)
        assert np.allclose(curve.reached, reached, rtol=1e-12, atol=1e-15)
        assert np.allclose(
            played.drawdown(60, limit=9_000, every=3_000).at_least, at_least, rtol=1e-12, atol=1e-15
        )


# ---- Running time ----


@pytest.mark.parametrize("played", EVERY, ids=EVERY_ID)
@pytest.mark.parametrize("goal", [None, 60_000], ids=["no goal", "a goal"])
def test_no_session_takes_more_steps_than_estimated(monkeypatch, played, goal):
    visited = 0

    def counting(old, new, first, last, by, chances):
        nonlocal visited
        visited += (last - first) * len(by)
        walks._move_in_numpy(old, new, first, last, by, chances)

    for name in ("walk", "_trim", "_product", "with_standoffs"):
        monkeypatch.setattr(walks, name, getattr(walks, name).py_func)
    monkeypatch.setattr(walks, "_move", counting)
    played.ruin_curve(coups=40, bankroll=30_000, goal=goal)
    assert 0 < visited <= played.work(40, bankroll=30_000, goal=goal)
    assert played.work(40, bankroll=30_000, goal=goal) < played.work(80, bankroll=30_000, goal=goal)


def test_numpy_and_the_compiled_loops_agree():
    some = np.random.default_rng(1)
    old, by = np.zeros(200), np.array([-3, 0, 5, 7, -1, 2])
    old[60:140] = some.random(80)
    chances = some.random(6)
    moved, clear = np.zeros(200), np.zeros(200)
    walks._move(old, moved, 50, 150, by, chances)
    walks._move_in_numpy(old, clear, 50, 150, by, chances)
    np.testing.assert_allclose(moved, clear, rtol=1e-12)
    for ends in ((0, 0), (4, 9), (100, 0)):
        moved[50 : 50 + ends[0]] = moved[150 - ends[1] : 150] = walks.MIN_CHANCE / 4
        clear[:] = moved
        kept, also = walks._trim(moved, 50, 150, 10), walks._trim_in_numpy(clear, 50, 150, 10)
        assert kept[:2] == also[:2]
        assert kept[2] == pytest.approx(also[2])
        np.testing.assert_array_equal(
            moved[kept[0] - 10 : kept[1] + 10], clear[kept[0] - 10 : kept[1] + 10]
        )
    assert walks._product(old, clear) == pytest.approx(walks.IN_NUMPY["_product"](old, clear))
