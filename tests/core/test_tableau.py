"""The tableau: every cell of every built-in card, compared with the reference."""

from itertools import product

import pytest

from baccarat.core.cards import Card
from baccarat.core.tableau import STOOD, Hand, Tableau, Turn, TurnReason, TurnRule, ranges
from baccarat.loader import built_in_cards, load
from support import reference as ref

RANK_OF = ("K", "A", "2", "3", "4", "5", "6", "7", "8", "9")
"""A rank for each number of points."""
NOT_NATURAL = range(8)


def tableau(name: str = "online") -> Tableau:
    return load(name).game().tableau


def hand(points: list[int]) -> list[ref.Card]:
    return [(RANK_OF[value], None) for value in points]


@pytest.mark.requirement("R07", "R08", "R09", "R10", "R11")
@pytest.mark.parametrize("name", built_in_cards())
def test_r09_every_cell_is_that_of_the_standard_tableau(name):
    table = tableau(name)
    for banker, given in product(NOT_NATURAL, range(11)):
        written = "-" if given == STOOD else str(given)
        assert table.draws(banker, given) == (written in ref.BANKER_DRAWS_ON[banker])
    assert table.player_draws == {0, 1, 2, 3, 4, 5}
    assert table.naturals == {8, 9}


@pytest.mark.requirement("R06", "R07", "R08", "R09", "R10", "R11", "R12")
def test_r12_the_next_hand_is_never_a_choice():
    """In every state of every deal, tableau and reference agree on the next hand or the end."""
    table, states = tableau(), [([], [])]
    for player, banker in states:
        turn = table.turn(player, banker)
        due = ref.who_is_next(hand(player), hand(banker))
        assert (turn.hand and str(turn.hand)) == due, (player, banker)
        if due == "player":
            states += [([*player, x], banker) for x in (_sample(player, banker))]
        elif due == "banker":
            states += [(player, [*banker, x]) for x in (_sample(player, banker))]
        else:
            assert 2 <= len(player) <= 3
            assert 2 <= len(banker) <= 3


def _sample(player: list[int], banker: list[int]) -> range:
    """Return points to try; second cards are always 0, because first cards give every total."""
    return range(1) if 2 <= len(player) + len(banker) < 4 else range(10)


@pytest.mark.requirement("R07")
@pytest.mark.parametrize(
    ("player", "banker", "row"),
    [
        ([8, 0], [1, 0], TurnRule.NATURAL_PLAYER),
        ([1, 0], [9, 0], TurnRule.NATURAL_BANKER),
        ([9, 0], [8, 0], TurnRule.NATURAL_BOTH),
    ],
)
def test_r07_a_natural_ends_the_drawing_and_is_attributed(player, banker, row):
    turn = tableau().turn(player, banker)
    assert turn == Turn(None, TurnReason(row, player[0], banker[0]))


@pytest.mark.requirement("R06")
@pytest.mark.parametrize(
    ("player", "banker", "due"),
    [
        ([], [], Hand.PLAYER),
        ([8], [], Hand.BANKER),
        ([8], [9], Hand.PLAYER),
        ([8, 1], [9], Hand.BANKER),
    ],
)
def test_r06_the_first_four_cards_are_dealt_alternately(player, banker, due):
    turn = tableau().turn(player, banker)
    assert turn == Turn(due, TurnReason(TurnRule.START))


@pytest.mark.requirement("R08")
@pytest.mark.parametrize("total", range(6))
def test_r08_the_players_row_is_named(total):
    turn = tableau().turn([total, 0], [3, 0])
    assert turn == Turn(Hand.PLAYER, TurnReason(TurnRule.PLAYER_DRAWS, total, 3))


@pytest.mark.requirement("R09", "R10")
@pytest.mark.parametrize(("banker", "given"), list(product(NOT_NATURAL, range(10))))
def test_r09_the_bankers_row_is_named(banker, given):
    turn = tableau().turn([2, 3, given], [banker, 0])
    draws = str(given) in ref.BANKER_DRAWS_ON[banker]
    hand, row = (Hand.BANKER, TurnRule.GIVEN_DRAWS) if draws else (None, TurnRule.GIVEN_STANDS)
    assert turn == Turn(hand, TurnReason(row, 5, banker, given))


@pytest.mark.requirement("R11")
@pytest.mark.parametrize(("player", "banker"), list(product((6, 7), NOT_NATURAL)))
def test_r11_the_row_for_a_player_who_stood_is_named(player, banker):
    turn = tableau().turn([player, 0], [banker, 0])
    hand, row = (
        (Hand.BANKER, TurnRule.STOOD_DRAWS) if banker <= 5 else (None, TurnRule.STOOD_STANDS)
    )
    assert turn == Turn(hand, TurnReason(row, player, banker))


@pytest.mark.requirement("R12")
@pytest.mark.parametrize("player", [[6, 0], [5, 0, 4]])
@pytest.mark.parametrize("third", range(10))
def test_r12_nobody_gets_a_fourth_card(player, third):
    turn = tableau().turn(player, [5, 0, third])
    assert turn.hand is None
    assert turn.reason.row is TurnRule.COMPLETE


def test_ranges_are_written_with_dashes():
    assert ranges([]) == ""
    assert ranges({5, 0, 1, 2, 7, 8}) == "0–2, 5, 7–8"


def test_ranks_used_in_these_tests_have_the_right_points():
    assert [Card(rank).points for rank in RANK_OF] == list(range(10))
