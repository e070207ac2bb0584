"""Facts about suits, colours, ranks and sums: their values on coups worked out by hand, bets that
are decided early, and suits that are unknown."""

import pickle

import pytest

from baccarat.auditor.coups import DECK, endings, facts_of
from baccarat.auditor.rules import holds
from baccarat.core.cards import parse_cards
from baccarat.core.coup import Deal, parse_coup
from baccarat.core.errors import CardError
from baccarat.core.facts import FACTS
from baccarat.core.settlement import decided
from support.conditions import Raw, game_of


@pytest.mark.parametrize(
    ("coup", "facts"),
    [
        (
            "P:8hKh=8 B:10h7d=7",
            {"player_suits": 1, "banker_suits": 2, "coup_suits": 2, "coup_colours": 1}
            | {"start_ranks": 4, "player_sum": 8, "coup_sum": 15, "totals_sum": 15},
        ),
        (
            "P:2sQd3c=5 B:KhAsQd=1",
            {"player_suits": 3, "player_colours": 2, "coup_suits": 4, "start_suits": 3}
            | {"player_ranks": 3, "start_ranks": 4, "player_start_sum": 2, "start_sum": 3}
            | {"player_consecutive": False, "banker_consecutive": True}
            | {"player_start_consecutive": False, "banker_start_consecutive": True},
        ),
        (
            "P:9d9d=8 B:Ac9d=0",
            {"player_ranks": 1, "start_ranks": 2, "start_suits": 2, "player_start_colours": 1}
            | {"player_sum": 18, "banker_sum": 10, "coup_sum": 28, "totals_sum": 8}
            | {"player_consecutive": False},
        ),
        (
            "P:KhAd2c=3 B:4s3d=7",
            {"player_consecutive": False, "banker_consecutive": True, "start_colours": 2},
        ),
        ("P:AhAdAc=3 B:10s7d=7", {"player_ranks": 1, "player_suits": 3, "player_colours": 2}),
        ("P:3c2hAs=6 B:10s7d=7", {"player_consecutive": True}),
    ],
)
def test_facts_worked_out_by_hand(coup, facts):
    for name, value in facts.items():
        others = [other for other in FACTS[name].values if other != value]
        game = game_of([[({name: value}, 1)], [({name: others}, 1)]])
        assert game.pay_table.pays(parse_coup(coup)) == {"b0": 1, "b1": -1}, name


@pytest.mark.parametrize(
    ("coup", "of", "place", "number"),
    [
        ("P:9d9d=8 B:Ac9d=0", "9d", "start", 3),
        ("P:9d9d=8 B:Ac9d=0", "9", "coup", 3),
        ("P:9d9d=8 B:Ac9d=0", "9 red A", "coup", 4),
        ("P:9d9d=8 B:Ac9d=0", "clubs", "banker_start", 1),
        ("P:9d9d=8 B:Ac9d=0", "red", "player_third", 0),
        ("P:2sQd3c=5 B:KhAsQd=1", "J Q K", "coup", 3),
        ("P:2sQd3c=5 B:KhAsQd=1", "J Q K", "start", 2),
        ("P:2sQd3c=5 B:KhAsQd=1", "J Q K", "banker_third", 1),
        ("P:2sQd3c=5 B:KhAsQd=1", "black", "player", 2),
    ],
)
def test_counts_worked_out_by_hand(coup, of, place, number):
    count = {"of": of, "in": place}
    game = game_of([[({"count": count | {"is": number}}, 1)], [({"count": count | {"min": 0}}, 1)]])
    assert set(game.pay_table.pays(parse_coup(coup)).values()) == {1}
    other = game_of([[({"count": count | {"is": number - 1 if number else 1}}, 1)]])
    assert other.pay_table.pays(parse_coup(coup)) == {"b0": -1}


def test_a_suit_that_matters_must_be_known():
    game = game_of([[({"player_suits": 1}, 1)]])
    with pytest.raises(CardError, match="the suit of 9 is missing"):
        game.pay_table.pays(parse_coup("P:9Kh=9 B:2h3d=5"))
    assert game.pay_table.pays(parse_coup("P:9hKh=9 B:23=5")) == {"b0": 1}
    named = game_of([[({"count": {"of": "9d K", "in": "player", "min": 1}}, 1)]])
    assert named.pay_table.pays(parse_coup("P:K8=8 B:23=5")) == {"b0": 1}
    with pytest.raises(CardError, match="the suit of 9 is missing"):
        named.pay_table.pays(parse_coup("P:Q9=9 B:23=5"))


EARLY: list[Raw] = [
    {"player_start_suits": 1},
    {"start_colours": 1},
    {"count": {"of": "red", "in": "coup", "is": 0}},
    {"count": {"of": "9", "in": "start", "min": 1}},
    {"count": {"of": "Q", "in": "player_third", "is": 1}},
    {"player_ranks": 1, "player_cards": 3},
    {"banker_pair": True, "winner": "player"},
]


@pytest.mark.parametrize("dealt", ["8hKh/2s3s", "2h3h/9dKd", "2h2d/3s", "9h8s/9d", "2s3s/4s2c"])
def test_bets_decided_before_the_coup_ends(dealt):
    """What can no longer change, according to every ending that the auditor tries."""
    player, banker = dealt.split("/")
    game = game_of([[(raw, 1)] for raw in EARLY])
    found = decided(game, Deal(game.tableau, parse_cards(player), parse_cards(banker)))
    hands = {"player": [*map(str, parse_cards(player))], "banker": [*map(str, parse_cards(banker))]}
    tableau = {
        "naturals": game.tableau.naturals,
        "player_draws": game.tableau.player_draws,
        "banker_draws": game.tableau.banker_draws,
    }
    some_cards = DECK[::7] + [f"{rank}{suit}" for rank in "239QK" for suit in "shdc"]
    every = list(endings(tableau, hands, some_cards))
    for i, raw in enumerate(EARLY):
        results = {holds(raw, facts) for facts in every}
        expected = {True: 1, False: -1}[results.pop()] if len(results) == 1 else None
        assert found.get(f"b{i}") == expected, raw


def test_the_facts_of_the_auditor_have_the_same_names():
    facts = facts_of({"player": ["9d", "9d"], "banker": ["Ac", "9d"]}, [8, 9])
    for name, fact in FACTS.items():
        assert facts[name] in fact.values
    with pytest.raises(KeyError):
        facts["player_hats"]


def test_a_game_with_rich_bets_can_be_sent_to_another_process():
    game = game_of([[({"player_suits": 1}, 1)]])
    coup = parse_coup("P:9hKh=9 B:2h3d=5")
    assert game.pay_table.pays(coup) == {"b0": 1}
    there = pickle.loads(pickle.dumps(game))  # noqa: S301  (our own)
    assert there.pay_table.pays(coup) == {"b0": 1}
