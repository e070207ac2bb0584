"""Golden shoes: one shoe of every rule card, replayed by the core and by the reference."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from baccarat.core.coup import Deal, parse_coup
from baccarat.core.settlement import settle
from baccarat.core.wagers import Wager
from baccarat.loader import built_in_cards, load
from golden.make import golden, shuffled
from support import reference as ref

GOLDEN = {path.stem: path for path in (Path(__file__).parents[1] / "golden").glob("*.txt")}


@dataclass(frozen=True)
class GoldenShoe:
    """A golden file, read."""

    header: dict[str, str]
    coups: list[tuple[str, ref.Pays]]


@cache
def read(name: str) -> GoldenShoe:
    header: dict[str, str] = {}
    coups = []
    for line in GOLDEN[name].read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            _, key, value = line.split()
            header[key] = value
        else:
            player, banker, *pays = line.split()
            found = (pay.rsplit("=", 1) for pay in pays)
            coups.append((f"{player} {banker}", {bet: Fraction(pay) for bet, pay in found}))
    return GoldenShoe(header, coups)


def test_every_card_has_a_golden_shoe_and_every_golden_shoe_a_card():
    assert sorted(GOLDEN) == sorted(built_in_cards()) == sorted(ref.CARDS)


@pytest.mark.requirement("R06", "R12", "R13")
@pytest.mark.parametrize("name", GOLDEN)
def test_r13_a_golden_shoe_replays_card_by_card(name):
    shoe, game = read(name), load(name).game()
    assert (shoe.header["card"], int(shoe.header["decks"])) == (name, game.decks)
    cards = shuffled(int(shoe.header["decks"]), int(shoe.header["seed"]))
    assert set(Counter(cards).values()) == {8}
    assert len(cards) == 416
    dealt = 0
    for notation, pays in shoe.coups:
        assert len(cards) - dealt > int(shoe.header["cut"])
        coup, deal = parse_coup(notation), Deal(game.tableau)
        while not deal.over:
            hand, card = deal.turn.hand, cards[dealt]
            before = deal.player if hand == "player" else deal.banker
            assert getattr(coup, hand)[len(before)] == card
            deal, dealt = deal.give(card), dealt + 1
        assert deal.coup == coup
        assert str(coup) == notation
        assert game.pay_table.pays(coup) == pays
        stakes = [Wager(bet.id, 7 * bet.step) for bet in game.bets]
        for settled in settle(game, coup, stakes):
            assert settled.net == settled.wager.stake * pays[settled.wager.bet]
    assert len(cards) - dealt <= int(shoe.header["cut"])


@pytest.mark.parametrize("name", GOLDEN)
def test_the_reference_deals_and_pays_a_golden_shoe_the_same(name):
    shoe = read(name)
    decks, seed = int(shoe.header["decks"]), int(shoe.header["seed"])
    left = [(card.rank, card.suit) for card in shuffled(decks, seed)]
    for notation, pays in shoe.coups:
        player, banker = ref.deal(left)
        left = left[len(player) + len(banker) :]
        written = " ".join(
            f"{side}:{''.join(map(''.join, hand))}={ref.total(hand)}"
            for side, hand in (("P", player), ("B", banker))
        )
        assert notation == written
        assert pays == ref.CARDS[name](ref.facts(player, banker))


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_files_are_up_to_date(name):
    assert GOLDEN[name].read_text(encoding="utf-8") == golden(name)


def test_golden_shoes_cover_most_of_the_game():
    """Together they contain every winner, every number of cards, and wins of most bets."""
    coups = [parse_coup(notation) for name in GOLDEN for notation, _ in read(name).coups]
    assert {coup.winner for coup in coups} == {"player", "banker", "tie"}
    assert {(len(coup.player), len(coup.banker)) for coup in coups} == {
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
    }
    won = {bet for name in GOLDEN for _, pays in read(name).coups for bet in pays if pays[bet] > 0}
    assert won >= {"player", "banker", "tie", "player-pair", "banker-pair", "fortune-six"}
