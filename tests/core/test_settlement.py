"""Settlement: wagers are paid like the reference, and no coin is created or destroyed."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.core.cards import Card
from baccarat.core.coup import Coup, deal_coup, parse_coup
from baccarat.core.errors import GameError
from baccarat.core.facts import PairKind, classes_of, pair_kinds_of, shape_of
from baccarat.core.money import Rounding
from baccarat.core.rulecard import Game
from baccarat.core.settlement import Settled, settle
from baccarat.core.wagers import Wager, accept, refusals
from baccarat.loader import built_in_cards, load
from support import reference as ref
from support import synthetic

SIX_CARDS = st.lists(
    st.tuples(st.sampled_from(ref.RANKS), st.sampled_from([*ref.SUITS, None])),
    min_size=6,
    max_size=6,
)
AGREED = ["2%", "2.5%", "7%", "10%"]
PAYS = ref.CARDS | {"synthetic": synthetic.pays}


@cache
def game(name: str, agreed: str = "2%") -> Game:
    if name == "synthetic":
        return synthetic.card().game()
    return load(name).game(**({"double_chance": agreed} if name == "double-chance" else {}))


def expected(name: str, agreed: str, coup: Coup) -> ref.Pays:
    hands = (tuple((card.rank, card.suit) for card in hand) for hand in (coup.player, coup.banker))
    more = {"agreed": Fraction(agreed[:-1]) / 100} if name == "double-chance" else {}
    return PAYS[name](ref.facts(*hands), **more)


@st.composite
def settled_rounds(draw):
    """A card, a coup, and some wagers that the card accepts."""
    name, agreed = draw(st.sampled_from(built_in_cards())), draw(st.sampled_from(AGREED))
    table, wagers = game(name, agreed), []
    for bet in draw(st.permutations(table.bets)):
        lowest = table.card.limits.minimum
        highest = bet.maximum or table.card.limits.maximum
        step = bet.step
        stake = draw(st.integers(-(-lowest // step), highest // step)) * step
        if draw(st.booleans()) and not refusals(table, [*wagers, Wager(bet.id, stake)]):
            wagers.append(Wager(bet.id, stake))
    coup = deal_coup(table.tableau, (Card(*card) for card in draw(SIX_CARDS)))
    return name, agreed, coup, accept(table, wagers)


@pytest.mark.no_cover
@pytest.mark.requirement("R01", "R13", "R20", "R21", "R22", "R23", "R24", "G01")
@settings(deadline=None, max_examples=300)
@given(settled_rounds())
def test_r01_no_coin_is_created_or_destroyed(case):
    name, agreed, coup, wagers = case
    pays = expected(name, agreed, coup)
    settled = settle(game(name, agreed), coup, wagers)
    assert [one.wager for one in settled] == list(wagers)
    for one in settled:
        stake = one.wager.stake
        assert one.net == stake * pays[one.wager.bet]
        assert one.net + one.house == 0
        assert one.returned == stake + one.net >= 0
        assert type(one.net) is int
    assert sum(one.net for one in settled) == -sum(one.house for one in settled)


@pytest.mark.no_cover
@pytest.mark.requirement("R13", "R27", "R29", "R30", "R31")
@pytest.mark.parametrize("name", PAYS)
def test_r13_every_class_of_coup_is_paid_like_the_reference(name):
    """Every shape the tableau allows, with every kind of pair its totals allow."""
    table = game(name)
    classes = classes_of(table.tableau)
    seen = [0] * 9
    for shape in classes.shapes:
        hands = [
            [start + third for start in _starts(total)]
            for total, points in zip(shape[:2], shape[2:], strict=True)
            for third in [() if points == 10 else (Card("KA23456789"[points]),)]
        ]
        for player, banker in product(*hands):
            coup = Coup(player, banker)
            assert shape_of(coup) == shape
            assert table.pay_table.pays(coup) == expected(name, "2%", coup)
            seen[pair_kinds_of(coup)] |= 1 << classes.index[shape]
    assert seen == [classes.of_kinds(classes.possible, kinds) for kinds in range(9)]


@cache
def _starts(total: int) -> list[tuple[Card, Card]]:
    """Yield two cards with this total: no pair, and a pair and a perfect pair if possible."""
    starts = [(Card("KA23456789"[total]), Card("10"))]
    if total % 2 == 0:
        half = Card("KA23456789"[total // 2], "s")
        starts += [(half, Card(half.rank, "h")), (half, half)]
    return starts


@cache
def one_coup_of_each_pay(name: str, agreed: str) -> list[Coup]:
    """Return coups in which every bet wins at each of its odds, pushes and loses."""
    table, found = game(name, agreed), {}
    for shape in classes_of(table.tableau).shapes:
        hands = [
            [start + third for start in _starts(total)]
            for total, points in zip(shape[:2], shape[2:], strict=True)
            for third in [() if points == 10 else (Card("KA23456789"[points]),)]
        ]
        for player, banker in product(*hands):
            coup = Coup(player, banker)
            found.setdefault(tuple(sorted(table.pay_table.pays(coup).items())), coup)
    return list(found.values())


@pytest.mark.no_cover
@pytest.mark.requirement("R13")
@pytest.mark.parametrize("agreed", ["2%", "2.5%"])
@pytest.mark.parametrize("name", built_in_cards())
def test_r13_whether_a_stake_is_settled_does_not_depend_on_the_result(name, agreed):
    """For every bet and every payout, a stake is refused only if it is off the step."""
    table = game(name, agreed)
    assert table.card.limits.rounding is Rounding.REFUSE
    for coup in one_coup_of_each_pay(name, agreed):
        for bet in table.bets:
            for stake in {1, bet.step - 1, bet.step, bet.step + 1, 2 * bet.step} - {0}:
                if stake % bet.step:
                    with pytest.raises(GameError, match="bet a multiple of"):
                        settle(table, coup, [Wager(bet.id, stake)])
                else:
                    (settled,) = settle(table, coup, [Wager(bet.id, stake)])
                    assert settled.net == stake * table.pay_table.pays(coup)[bet.id]


@pytest.mark.parametrize("stake", [0, -1, -20, 20.0, 10.5, True, "20", None, Fraction(20)])
@pytest.mark.parametrize("coup", ["P:9h2d7c=8 B:2c5d=7", "P:2h4d=6 B:9c8d=7"])
def test_a_stake_is_a_positive_whole_number_of_coins(stake, coup):
    with pytest.raises(GameError, match="must be a positive whole number of coins"):
        settle(game("commission"), parse_coup(coup), [Wager("banker", stake)])


@pytest.mark.requirement("R30")
@pytest.mark.parametrize(
    ("hand", "pair"),
    [
        ("10h10d", PairKind.RANK),
        ("KhKh", PairKind.SUITED),
        ("10hKh", PairKind.NONE),
        ("KK", PairKind.RANK),
        ("KhK", PairKind.RANK),
        ("JQ", PairKind.NONE),
    ],
)
def test_r30_a_pair_is_two_of_one_rank(hand, pair):
    coup = parse_coup(f"P:{hand}8=8 B:9A=0")
    assert pair_kinds_of(coup) == 3 * pair


@pytest.mark.requirement("R13")
@pytest.mark.parametrize(
    ("coup", "outcomes"),
    [
        ("P:9h2d7c=8 B:2c5d=7", ["wins", "loses", "loses"]),
        ("P:2h4d=6 B:9c8d=7", ["loses", "wins", "loses"]),
        ("P:2h4d=6 B:3c3d=6", ["stand-off", "stand-off", "wins"]),
    ],
)
def test_r13_outcomes_are_named(coup, outcomes):
    wagers = [Wager(bet, 100) for bet in ("player", "banker", "tie")]
    coup = parse_coup(coup)
    assert [one.outcome for one in settle(game("online"), coup, wagers)] == outcomes


def test_the_settled_wager_is_a_value():
    assert Settled(Wager("tie", 100), 800) == Settled(Wager("tie", 100), 800)


@pytest.mark.parametrize(("policy", "paid"), [("down", 17), ("up", 18), ("half-even", 18)])
def test_a_declared_rounding_policy_is_applied(policy, paid):
    """33 coins at 27:50 win 17.82 coins; losses and pushes are never fractional."""
    text = synthetic.HEAD + f'rounding = "{policy}"\n'
    bets = "".join(synthetic.bet(name, synthetic.BETS[name]) for name in ("big", "dragon-bonus"))
    rounding = synthetic.card_of(text + bets).game()
    assert rounding.card.limits.rounding is Rounding(policy)
    wagers = [Wager("big", 33), Wager("dragon-bonus", 33)]
    won = settle(rounding, parse_coup("P:2h3d2c=7 B:2c5d=7"), wagers)
    assert [one.net for one in won] == [paid, -33]
    tied = settle(rounding, parse_coup("P:9hKd=9 B:9cKc=9"), wagers)
    assert [one.net for one in tied] == [-33, 0]
