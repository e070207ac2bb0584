"""Shuffle tests pass good shuffles and detect poor ones; forked processes never share a shoe."""

import itertools
import json
import random
import subprocess
import sys
from fractions import Fraction

import pytest

from baccarat import BaccaratError
from baccarat.analysis.shuffle_tests import MIN_EXPECTED, neighbour_spread, shuffles
from baccarat.cli import main
from baccarat.core.cards import Card, deck
from baccarat.shoe.commitment import Source
from baccarat.store.history import orders_dealt
from baccarat.store.sqlstore import SqlStore
from support.documented import ROOT
from support.live import settings_for
from support.stores import Evening

ONCE_IN_A_MILLION = 1e-6


def fair(order: list[Card], rng: random.Random) -> None:
    rng.shuffle(order)


def any_place(order: list[Card], rng: random.Random) -> None:
    """The well-known mistake: swap every card with any other."""
    for place in range(len(order)):
        other = rng.randrange(len(order))
        order[place], order[other] = order[other], order[place]


def six_riffles(order: list[Card], rng: random.Random) -> None:
    """Too few riffle shuffles for eight decks."""
    for _ in range(6):
        left, right = order[: len(order) // 2], order[len(order) // 2 :]
        for place in range(len(order)):
            of_left = rng.randrange(len(left) + len(right)) < len(left)
            order[place] = (left if of_left else right).pop(0)


def ace_behind_a_king(order: list[Card], rng: random.Random) -> None:
    """Well shuffled, except that in one shoe of six an ace is put behind a king."""
    rng.shuffle(order)
    if rng.randrange(6) == 0:
        ace, king = order.index(Card("A", "s")), order.index(Card("K", "s"))
        place = (king + 1) % len(order)
        order[ace], order[place] = order[place], order[ace]


def shuffled_by(shuffle, *, shoes: int, decks: int = 8, seed: int = 1):
    rng = random.Random(seed)
    for _ in range(shoes):
        order = list(deck()) * decks
        shuffle(order, rng)
        yield order


@pytest.mark.requirement("G08")
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_good_shuffles_pass(decks):
    found = shuffles(shuffled_by(fair, shoes=400, decks=decks), decks)
    for one in (found.places, found.neighbours):
        assert 0.001 < one.p_value < 0.999
    assert (found.shoes, found.places.freedom) == (400, (52 * decks - 1) * 51)


@pytest.mark.no_cover
@pytest.mark.requirement("G08")
@pytest.mark.parametrize(
    ("shuffle", "decks", "notices"),
    [
        (any_place, 1, "places"),
        (six_riffles, 8, "neighbours"),
        (ace_behind_a_king, 1, "neighbours"),
    ],
)
def test_poor_shuffles_are_detected(shuffle, decks, notices):
    found = shuffles(shuffled_by(shuffle, shoes=4000 // decks, decks=decks), decks)
    assert getattr(found, notices).p_value < ONCE_IN_A_MILLION


@pytest.mark.parametrize(("decks", "kinds"), [(2, 3), (3, 2), (2, 4)])
def test_the_variance_of_neighbours_is_exact(decks, kinds):
    """Enumerate every order of a few cards."""
    orders = set(itertools.permutations(list(range(kinds)) * decks))
    size = decks * kinds
    total = Fraction(0)
    for order in orders:
        off = [
            [Fraction(-(decks - (a == b)) * decks, size) for b in range(kinds)]
            for a in range(kinds)
        ]
        for a, b in itertools.pairwise(order):
            off[a][b] += 1
        sums = [sum(row) for row in off] + [sum(column) for column in zip(*off, strict=True)]
        total += sum(n * n for row in off for n in row) - sum(n * n for n in sums) / kinds
    assert neighbour_spread(decks, kinds) == total / len(orders)


def test_too_few_shoes_and_shoes_of_another_size_are_refused():
    with pytest.raises(BaccaratError, match=f"12 shoes are too few: at least {MIN_EXPECTED}"):
        shuffles(shuffled_by(fair, shoes=12), 8)
    with pytest.raises(BaccaratError, match="a shoe of 52 cards among shoes of 416"):
        shuffles(shuffled_by(fair, shoes=1, decks=1), 8)


@pytest.mark.requirement("G08")
def test_the_command_tests_new_shoes_and_exports_them(tmp_path, capsys):
    dealt, raw = tmp_path / "dealt.txt", tmp_path / "raw.bin"
    words = ["test-shuffle", "--shoes", "300", "--decks", "2", "--export-shoes", str(dealt)]
    assert main([*words, "--export-bytes", str(raw), "--byte-count", "1500000", "--json"]) in (0, 1)
    reply = json.loads(capsys.readouterr().out)
    assert (reply["shoes"], reply["decks"]) == (300, 2)
    for test in reply["tests"].values():  # fails by chance once in a hundred thousand runs
        assert test["p_value"] > 1e-6
    lines = dealt.read_text().splitlines()
    assert len(lines) == 300
    assert all(sorted(line.split()) == sorted(map(str, deck() * 2)) for line in lines)
    assert raw.stat().st_size == 1_500_000
    assert main(words[:3]) in (0, 1)
    assert "300 shoes of 8 decks\nposition of each card" in capsys.readouterr().out
    for wrong in (["--shoes", "5"], ["--byte-count", "0"]):
        assert main(["test-shuffle", *wrong]) == 2
        assert ": must be between " in capsys.readouterr().err


@pytest.mark.requirement("G08")
def test_the_shoes_of_a_house_are_read_in_the_order_dealt(tmp_path, capsys):
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    evening = Evening(store, settings_for(source=Source.SHUFFLER)).open(ann=50_000)
    seen = []
    for _ in range(3):
        evening.until("settled")
        seen.append([card for _, card in evening.state.round.cards])
        evening.until("open")
    orders = list(orders_dealt(store, 1))
    assert [list(order[: len(cards)]) for order, cards in zip(orders, seen, strict=True)] == seen
    assert not list(orders_dealt(store, 8))
    store.close()
    assert main(["test-shuffle", "--store", f"{tmp_path}/house.db", "--decks", "1"]) == 2
    assert "3 shoes are too few" in capsys.readouterr().err


FORKING = """
import asyncio, os, sys
from contextlib import suppress
from baccarat.table.automatic.dealer import new_shoe
from baccarat.web.server import process
from support.live import settings_for

class Stop(Exception): ...

def service(house, world):
    global randomness
    randomness = world.randomness
    raise Stop

process.Service, nobody = service, dict.fromkeys(("house", "at", "announce", "warn"))
with suppress(Stop):
    asyncio.run(process.serve(store=sys.argv[1], key=lambda others: bytes(32), **nobody))
settings = settings_for()
new_shoe(settings, randomness)  # the parent has drawn already
for _ in range(10):
    out, into = os.pipe()
    children = []
    for _ in range(100):
        child = os.fork()
        if not child:
            os.write(into, new_shoe(settings, randomness).root)
            os._exit(0)
        children.append(child)
    os.close(into)
    while piece := os.read(out, 32):
        print(piece.hex())
    for child in children:
        os.waitpid(child, 0)
"""


@pytest.mark.requirement("G06")
def test_a_thousand_forked_servers_deal_a_thousand_different_shoes(tmp_path):
    """Use the source of randomness that a server gives its tables."""
    done = subprocess.run(
        [sys.executable, "-c", FORKING, f"sqlite:///{tmp_path}/house.db"],
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    roots = done.stdout.split()
    assert len(roots) == len(set(roots)) == 1000
