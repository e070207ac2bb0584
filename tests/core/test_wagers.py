"""Which wagers can be combined, and the order of refusals."""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat import loader
from baccarat.core.rulecard import Game
from baccarat.core.wagers import RefusedBy, Wager, WagerRefused, accept, refusals
from baccarat.loader import built_in_cards
from support import reference as ref
from support import synthetic

MAIN = {"banker", "player", "tie"}
COUPS = [
    ref.facts(*ref.deal([(rank, None) for rank in ranks.split()]))
    for ranks in ("9 2 K 3", "2 6 2 K 8", "2 9 3 K", "6 6 K K")
]
"""Player wins, banker wins with six, banker wins otherwise, tie."""


load = cache(loader.load)


@cache
def game(name: str, agreed: str = "2%") -> Game:
    return load(name).game(**({"double_chance": agreed} if name == "double-chance" else {}))


def step(name: str, agreed: str, bet: str) -> int:
    """Return the step that always pays whole coins, by the reference's odds."""
    more = {"agreed": Fraction(agreed[:-1]) / 100} if name == "double-chance" else {}
    return lcm(*(ref.CARDS[name](f, **more)[bet].denominator for f in COUPS))


def allowed(name: str, agreed: str, stakes: dict[str, int]) -> bool:
    """Return whether R28, R32, R35 and the step allow these stakes."""
    limits = load(name).limits
    for bet in load(name).bets:
        stake = stakes.get(bet.id)
        if stake is not None and not limits.minimum <= stake <= (bet.maximum or limits.maximum):
            return False
    if any(stake % step(name, agreed, bet) for bet, stake in stakes.items()):
        return False
    if any(bet.startswith("ur-way") for bet in stakes) and not MAIN & stakes.keys():
        return False
    return not (name in ref.ONE_SIDE_ONLY and {"player", "banker"} <= stakes.keys())


@st.composite
def stakes_on_a_card(draw):
    name = draw(st.sampled_from(built_in_cards()))
    agreed = draw(st.sampled_from(["2%", "2.5%", "7%", "10%"]))
    bets = draw(st.lists(st.sampled_from([bet.id for bet in load(name).bets]), unique=True))
    round_sum = st.integers(1, 25).map(lambda n: n * 400)
    stake = st.one_of(round_sum, round_sum, round_sum, st.integers(1, 110_000))
    return name, agreed, {bet: draw(stake) for bet in bets}


@pytest.mark.no_cover
@pytest.mark.requirement("R28", "R32", "R33", "R35")
@settings(deadline=None, max_examples=400)
@given(stakes_on_a_card())
def test_r28_r32_r35_exactly_the_allowed_sets_are_accepted(case):
    name, agreed, stakes = case
    wagers = [Wager(bet, stake) for bet, stake in stakes.items()]
    if allowed(name, agreed, stakes):
        assert accept(game(name, agreed), wagers) == tuple(wagers)
    else:
        with pytest.raises(WagerRefused) as refused:
            accept(game(name, agreed), wagers)
        assert str(refused.value) == refused.value.refusal.words
        assert refused.value.refusal == refused.value.refusals[0]


@pytest.mark.requirement("R28")
@pytest.mark.parametrize("name", ["double-chance", "punto-banco-2000"])
@pytest.mark.parametrize("total", range(10))
def test_r28_ur_way_needs_any_one_main_wager(name, total):
    ur_way = Wager(f"ur-way-{total}", 500)
    [refusal] = refusals(game(name), [ur_way])
    assert refusal.rule is RefusedBy.REQUIRES
    assert "Banker, Player or Tie" in refusal.words
    for main in MAIN:
        assert not refusals(game(name), [ur_way, Wager(main, 500)])
    [refusal] = refusals(game(name), [ur_way, Wager("3g8", 500)])
    assert refusal.rule is RefusedBy.REQUIRES


@pytest.mark.requirement("R27")
@pytest.mark.parametrize("name", ["double-chance", "punto-banco-2000"])
def test_r27_several_ur_way_bets_are_accepted_at_once(name):
    everything = [Wager(f"ur-way-{total}", 500) for total in range(10)]
    assert accept(game(name), [*everything, Wager("tie", 500)])


@pytest.mark.requirement("R32", "R33")
@pytest.mark.parametrize("name", built_in_cards())
def test_r32_r33_both_sides_are_refused_only_where_the_rules_exclude_them(name):
    both = [Wager("player", 1000), Wager("banker", 1000)]
    for wagers in (both, both[::-1]):
        found = [refusal.rule for refusal in refusals(game(name), wagers)]
        assert found == ([RefusedBy.EXCLUDES] if name in ref.ONE_SIDE_ONLY else [])


@pytest.mark.requirement("R34")
@pytest.mark.parametrize("name", built_in_cards())
@given(stake=st.integers(-100, 200_000))
def test_r34_tie_never_requires_another_bet(name, stake):
    found = refusals(game(name), [Wager("tie", stake)])
    assert {refusal.rule for refusal in found} <= {RefusedBy.STAKE, RefusedBy.LIMITS}
    if name in ref.TIE_STANDS_ALONE:
        assert game(name).bet("tie").stands_alone


@pytest.mark.requirement("R29", "R30", "R31", "A12")
@pytest.mark.parametrize("name", built_in_cards())
@pytest.mark.parametrize("bet", ["3g8", "player-pair", "banker-pair", "fortune-six"])
def test_r29_r30_side_bets_may_be_made_alone(name, bet):
    if bet in {other.id for other in game(name).bets}:
        assert accept(game(name), [Wager(bet, 500)])


@pytest.mark.requirement("R35")
@pytest.mark.parametrize("name", built_in_cards())
def test_r35_limits_are_inclusive(name):
    limits = load(name).limits
    for bet in game(name).bets:
        maximum = bet.maximum or limits.maximum
        company = [Wager("tie", limits.minimum)] if bet.requires else []
        for stake in (limits.minimum, maximum):
            assert not refusals(game(name), [*company, Wager(bet.id, stake)])
        for stake in (limits.minimum - 1, maximum + 1):
            found = refusals(game(name), [*company, Wager(bet.id, stake)])
            assert found[0].rule is RefusedBy.LIMITS
            assert bet.name in found[0].words


@pytest.mark.parametrize("stake", [0, -100, 5.0, Fraction(500), True, "500", None])
def test_a_stake_is_a_whole_number_of_coins(stake):
    [refusal] = refusals(game("online"), [Wager("tie", stake)])
    assert refusal.rule is RefusedBy.STAKE
    assert repr(stake) in refusal.words


def test_a_stake_off_the_step_is_refused_with_the_step():
    [refusal] = refusals(game("online"), [Wager("banker", 110)])
    assert refusal.rule is RefusedBy.STEP
    assert "1.10 cannot be paid out exactly; bet a multiple of 0.20" in refusal.words


def test_a_house_that_rounds_accepts_stakes_off_the_step():
    text = synthetic.HEAD + 'rounding = "down"\n' + synthetic.bet("big", synthetic.BETS["big"])
    rounding, refusing = synthetic.card_of(text).game(), synthetic.card().game()
    assert accept(rounding, [Wager("big", 33)])
    assert refusals(refusing, [Wager("big", 33)])[0].rule is RefusedBy.STEP


def test_a_bet_can_have_its_own_limits():
    bet = synthetic.bet("big", synthetic.BETS["big"]) + 'minimum = "1.00"\nmaximum = "2.00"\n'
    own = synthetic.card_of(synthetic.HEAD + bet).game()
    rules = [[r.rule for r in refusals(own, [Wager("big", n)])] for n in (50, 100, 200, 250)]
    assert rules == [[RefusedBy.LIMITS], [], [], [RefusedBy.LIMITS]]


BREAKS = {
    RefusedBy.NO_SUCH_BET: [Wager("pair", 500)],
    RefusedBy.TWICE: [Wager("tie", 500), Wager("tie", 500)],
    RefusedBy.STAKE: [Wager("ur-way-3", 0), Wager("tie", 500)],
    RefusedBy.LIMITS: [Wager("3g8", 10_001)],
    RefusedBy.STEP: [Wager("player", 501)],
    RefusedBy.EXCLUDES: [Wager("banker", 500), Wager("player", 500)],
    RefusedBy.REQUIRES: [Wager("ur-way-1", 500)],
}
"""Wagers that break one rule of Double Chance, by the rule they break."""


def test_the_order_of_refusals_is_the_documented_one():
    assert list(BREAKS) == list(RefusedBy)
    for rule, wagers in BREAKS.items():
        assert [refusal.rule for refusal in refusals(game("double-chance"), wagers)] == [rule]


@pytest.mark.parametrize(("first", "second"), list(combinations(RefusedBy, 2)))
def test_of_two_broken_rules_the_earlier_is_named_first(first, second):
    """In any order; a main bet may fix REQUIRES, so the second rule need not be reported."""
    wagers = {wager.bet: wager for wager in [*BREAKS[second], *BREAKS[first]]}
    twice = [Wager("tie", 500)] if RefusedBy.TWICE in (first, second) else []
    for order in permutations([*wagers.values(), *twice]):
        found = [refusal.rule for refusal in refusals(game("double-chance"), order)]
        assert found[0] is first
        assert found == sorted(found, key=list(RefusedBy).index)


def test_an_empty_set_of_wagers_is_accepted():
    assert accept(game("double-chance"), []) == ()


def test_an_unknown_bet_is_named():
    [refusal] = refusals(game("online"), [Wager("dragon", 500)])
    assert "unknown bet 'dragon': choose player, banker or tie" in refusal.words
