"""A coup, card by card, and its one-line notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.core.cards import Card, parse_card, parse_cards
from baccarat.core.coup import Coup, Deal, deal_coup, parse_coup
from baccarat.core.errors import BaccaratError, DealError
from baccarat.core.tableau import Hand
from baccarat.loader import load
from support import reference as ref

STANDARD = load("online").game().tableau
SIX_CARDS = st.lists(
    st.tuples(st.sampled_from(ref.RANKS), st.sampled_from([*ref.SUITS, None])),
    min_size=6,
    max_size=6,
)


def dealt(*cards: str) -> Deal:
    deal = Deal(STANDARD)
    for card in cards:
        deal = deal.give(parse_card(card))
    return deal


@pytest.mark.requirement("R06", "R12", "R13")
@given(SIX_CARDS)
def test_r06_a_coup_is_dealt_like_the_reference(cards):
    deal, left = Deal(STANDARD), list(cards)
    while due := ref.who_is_next(_plain(deal.player), _plain(deal.banker)):
        assert deal.turn.hand == due
        assert not deal.over
        deal = deal.give(Card(*left.pop(0)))
    assert deal.over
    player, banker = ref.deal(cards)
    assert (_plain(deal.coup.player), _plain(deal.coup.banker)) == (player, banker)
    assert deal.coup == deal_coup(STANDARD, (Card(*card) for card in cards))
    facts = ref.facts(player, banker)
    assert deal.coup.winner == facts.winner
    assert (deal.coup.player_total, deal.coup.banker_total) == facts[:2]


def _plain(cards: tuple[Card, ...]) -> tuple[ref.Card, ...]:
    return tuple((card.rank, card.suit) for card in cards)


def test_giving_a_card_returns_a_new_deal():
    before = dealt("5h", "7s")
    after = before.give(Card("K", "d"))
    assert (before.player, before.banker) == ((Card("5", "h"),), (Card("7", "s"),))
    assert after.player == (Card("5", "h"), Card("K", "d"))
    assert before.turn.hand is Hand.PLAYER
    assert after.turn.hand is Hand.BANKER


@pytest.mark.requirement("R12")
@pytest.mark.parametrize(
    "cards",
    [
        ("9h", "2s", "K", "3"),
        ("6", "6", "K", "K"),
        ("2", "7", "3", "K", "A"),
        ("2", "2", "3", "3", "5", "K"),
    ],
)
def test_r12_one_card_too_many_is_refused(cards):
    deal = dealt(*cards)
    assert deal.over
    with pytest.raises(DealError, match="10d is one card too many"):
        deal.give(Card("10", "d"))


@pytest.mark.requirement("R12")
@pytest.mark.parametrize(
    ("cards", "due"),
    [
        ((), "player"),
        (("5",), "banker"),
        (("5", "7", "K", "K"), "player"),
        (("7", "5", "K", "K"), "banker"),
    ],
)
def test_r12_an_incomplete_coup_is_refused(cards, due):
    with pytest.raises(DealError, match=f"the coup is not over: {due} is due a card"):
        _ = dealt(*cards).coup
    with pytest.raises(DealError, match=f"ran out after {len(cards)}: {due} is due one more"):
        deal_coup(STANDARD, map(parse_card, cards))


def test_a_coup_takes_only_the_cards_it_needs():
    source = iter(parse_cards("9, 2, K, 3, 7, 7"))
    assert str(deal_coup(STANDARD, source)) == "P:9K=9 B:23=5"
    assert len(list(source)) == 2


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("P:5hKd3c=8 B:7s2h=9", "banker"),
        ("P:10hQd9c=9 B:7s1=", None),
        ("P:A10=1 B:KJ10=0", "player"),
        ("  P:2h3h4h=9 B:9cK=9\n", "tie"),
    ],
)
def test_notation_is_parsed_or_refused(text, winner):
    if winner is None:
        with pytest.raises(DealError, match="is not a coup"):
            parse_coup(text)
    else:
        assert parse_coup(text).winner == winner
        assert str(parse_coup(text)) == text.strip()


@given(SIX_CARDS)
def test_formatted_coups_are_parsed_back(cards):
    coup = deal_coup(STANDARD, (Card(*card) for card in cards))
    assert parse_coup(str(coup)) == coup


@given(SIX_CARDS, st.integers(1, 9), st.booleans())
def test_notation_with_a_wrong_total_is_refused(cards, off, players):
    coup = deal_coup(STANDARD, (Card(*card) for card in cards))
    hands = str(coup).split()
    at = 0 if players else 1
    right = int(hands[at][-1])
    wrong = (right + off) % 10
    hands[at] = hands[at][:-1] + str(wrong)
    with pytest.raises(DealError, match=f"is written as {wrong}, but its cards total {right}"):
        parse_coup(" ".join(hands))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "P:5hKd=5",
        "B:5hKd=5 P:5hKd=5",
        "P:5h=5 B:5hKd=5",
        "P:5hKd=5 B:AAAA=4",
        "P:5hKd=15 B:5hKd=5",
        "P:=0 B:5hKd=5",
        "P:5hKz=5 B:5hKd=5",
    ],
)
def test_invalid_coups_are_refused(text):
    with pytest.raises(BaccaratError):
        parse_coup(text)


def test_a_coup_is_a_value():
    cards = parse_cards("5h Kd"), parse_cards("7s 2h")
    assert Coup(*cards) == Coup(*cards)
    assert len({Coup(*cards), Coup(*cards)}) == 1
