"""The GPU kernel gives identical results. Code shared with CPUs is tested as plain Python, for

every rule card; GPU code in the numba-cuda simulator.
"""

import itertools
import json
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from baccarat import BaccaratError, built_in_cards, load
from baccarat.cli import main
from baccarat.core.facts import NO_THIRD, Shape
from baccarat.counting.study import study
from baccarat.loader import catalogue_cards, check_text
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation import dealing, stream
from baccarat.simulation.automaton import START, automaton_of
from baccarat.simulation.execution import Execution, Stopped, simulate
from baccarat.simulation.gpu import jobs as gpu
from baccarat.simulation.gpu import packing
from baccarat.simulation.gpu.kernel import CLUSTER, table_for
from baccarat.simulation.inputs import running_counts, shoe_input
from baccarat.simulation.jobs import GROUP
from baccarat.simulation.kernel import LANES
from baccarat.simulation.lookup import Detail, lookup_of
from baccarat.simulation.run import Run
from support import reference_shoes as reference
from support.conditions import every_fact
from support.documented import ROOT

EXAMPLES = sorted(str(path) for path in (ROOT / "examples" / "rule-cards").glob("*.toml"))
HAND_BETS = [card for card in catalogue_cards() if any(load(card).game().pay_table.hand_bets)]
PAIRS = next(path for path in EXAMPLES if path.endswith("pairs.toml"))

COMPARE = """
import json, sys, warnings
warnings.simplefilter("ignore")  # the simulator counts as Python does, and tells of each overflow
from fractions import Fraction
from baccarat import load
from baccarat.counting.study import study
from baccarat.shoe import Burn
from baccarat.simulation.gpu import jobs as gpu
from baccarat.shoe import ShoeRules
from baccarat.simulation.run import Run

tags = tuple(map(Fraction, ("0.5", 0, 0, -1, -1, -1, -1, 2, 2, 0)))
for card, decks, cut, burn, more, first, groups, count in json.loads(sys.argv[1]):
    game = load(card).game(decks=decks)
    rules = ShoeRules(decks, cut, Burn(burn), more)
    if count:
        asked = study(game, game.bets[-1].id, tags=tags, at_least=Fraction(1))
        job = asked.counting(rules, seed=7, shoes=10**9)
    else:
        job = Run(game, rules, 7, 10**9)
    shoes = 64 * groups + 5
    found, expected = gpu.part(job, first, shoes), job.part(first, shoes)
    assert found == expected, (card, decks, cut, burn, more, first, count)
print("equal")
"""


def compared(cases: list[tuple[object, ...]], simulated: bool = True) -> None:
    """Run both kernels on some shoes in a separate process: the simulator is chosen at import."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": str(int(simulated)), "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", COMPARE, json.dumps(cases)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "equal\n", done.stderr[-2000:]


def test_tallies_are_the_same():
    """Points, ranks and suits; all classes and sums, burns and one more coup, far shoe numbers."""
    compared(
        [
            ("punto-banco-2000", 1, 24, "one", 1, 64, 1, False),
            ("fortune-six", 1, 24, "first-card", 1, 1 << 33, 1, False),
            (PAIRS, 1, 24, "first-card", 0, 0, 1, False),
            ("punto-banco", 1, 0, "none", 0, 0, 1, False),  # a shuffler
        ]
    )


def test_tallies_are_the_same_for_thousands_of_shoes_and_other_sizes():
    compared(
        [
            ("online", 1, 38, "first-card", 1, 0, 32, False),
            ("punto-banco", 2, 60, "first-card", 1, 640, 1, False),
            ("online", 10, 500, "none", 0, 0, 1, False),
            ("online", 24, 1230, "none", 0, 0, 1, False),
            # Word 52 of shoe 2097 is rejected.
            ("online", 8, 300, "none", 0, 2048, 1, False),
        ]
    )


def test_counts_are_the_same():
    compared(
        [
            (EXAMPLES[3], 1, 30, "first-card", 1, 64, 1, True),
            ("fortune-six", 1, 30, "one", 0, 0, 1, True),
            (PAIRS, 1, 34, "first-card", 0, 0, 1, True),
        ]
    )


@pytest.fixture
def every_fact_card(tmp_path):
    path = tmp_path / "every-fact.toml"
    path.write_text(every_fact(), encoding="utf-8")
    return str(path)


def test_tallies_and_counts_of_hand_bets_are_the_same(every_fact_card):
    """Bets on suits, ranks and sums: one group of them and many, with and without other bets."""
    compared(
        [
            ("colours", 1, 24, "first-card", 1, 64, 1, False),
            ("matching-dragon", 1, 24, "one", 0, 1 << 33, 1, False),
            (every_fact_card, 1, 34, "first-card", 1, 0, 1, False),
            (every_fact_card, 8, 0, "none", 0, 0, 1, False),  # a shuffler
            (every_fact_card, 10, 500, "none", 0, 0, 1, False),
            ("colours", 1, 30, "first-card", 1, 64, 1, True),
            ("matching-dragon", 1, 30, "one", 0, 0, 1, True),
        ]
    )


def test_on_a_gpu_hand_bets_have_identical_results(every_fact_card):
    """A thousand groups of shoes for each card; skipped without a GPU."""
    if gpu.why_not(RUN) is not None:
        pytest.skip("no graphics processor here")
    burns = itertools.cycle(Burn)
    compared(
        [
            (card, decks, cut, next(burns), decks % 2, (1 << 33) * (decks // 4), 1000, count)
            for card in [*HAND_BETS, every_fact_card]
            for decks, cut in [(1, 36), (3, 120), (8, 402)]
            for count in [False, True]
        ]
        + [(card, 8, 0, "none", 0, 0, 1000, False) for card in [*HAND_BETS, every_fact_card]],
        simulated=False,
    )


def test_on_a_gpu_every_rule_card_has_identical_results():
    """A thousand groups of shoes for each card; skipped without a GPU."""
    if gpu.why_not(RUN) is not None:
        pytest.skip("no graphics processor here")
    burns = itertools.cycle(Burn)
    cards = [*built_in_cards(), *EXAMPLES]
    shoes = [
        (card, decks, cut, next(burns), decks % 2, (1 << 33) * (decks // 4), 1000, count)
        for card in cards
        for decks, cut in [(1, 36), (3, 120), (6, 298), (8, 402)]
        for count in [False, True]
    ]
    compared(
        [(card, 8, 0, "none", 0, 1 << 33, 1000, False) for card in cards] + shoes,  # a shuffler
        simulated=False,
    )


def cards_from(counts, take_card, decks):
    """Deal a whole shoe, taking each card with `take_card`; return the codes of its cards."""
    size = decks * 52
    with np.errstate(over="ignore"):  # overflow is intended
        return [
            int(take_card(counts, place))
            for number in range(size // 2)
            for place in reference._two_places(size - 2 * number, number, 3, 11)
        ]


def codes_of(decks, detail):
    """Return the codes of the cards of the same shoe, dealt by the reference implementation."""
    cards = [reference.SORTED_DECK.index(card) for card in reference.shoe_cards(decks, 3, 11)]
    return [{10: max(n // 4, 3) - 3, 13: n // 4, 52: n}[int(detail)] for n in cards]


@pytest.mark.parametrize("detail", Detail)
def test_counts_on_cpus_take_the_same_cards_as_the_reference(detail):
    def take_card(counts, place):
        held = np.uint16(0)
        for i, count in enumerate(counts):
            counts[i], holding = dealing.take(count, dealing.target_count(place))
            held += holding
        return dealing.code_of(held, np.uint16(detail - 1))

    start = shoe_input(ShoeRules(2), detail).start
    assert cards_from(start, take_card, 2) == codes_of(2, detail)


@pytest.mark.parametrize("size", [104, 520])
@pytest.mark.parametrize("detail", Detail)
def test_every_packing_takes_the_same_cards_as_the_reference(detail, size):
    """Run the source for GPUs as plain Python, with the names of each packing."""
    layout = packing.packing_of(size)
    shared = stream.compiled(lambda function: function, packing.SHARED, **layout.names)

    def take_card(counts, place):
        held = guards = np.uint32(0)
        for i, word in enumerate(counts):
            counts[i], more = shared["take"](word, shared["target_count"](np.uint32(place)))
            guards += more
            if i % layout.words_per_sum == layout.words_per_sum - 1 or i == len(counts) - 1:
                held, guards = held + shared["holding_of"](guards), np.uint32(0)
        return shared["code_of"](held, layout.last(detail))

    start = layout.packed(running_counts(2, detail))
    assert cards_from(start, take_card, 2) == codes_of(2, detail)


@pytest.mark.parametrize("card", ["online", "fortune-six", PAIRS])
@pytest.mark.parametrize("burn", Burn)
def test_the_first_coup_begins_after_the_burn(card, burn):
    lookup = lookup_of(load(card).game().pay_table)
    automaton = automaton_of(lookup)
    for number, first in enumerate(reference.SORTED_DECK):
        rank = number // 4
        symbol = max(rank, 3) - 3 if lookup.detail is Detail.POINTS else rank
        state, taken = automaton.start_states[burn], 0
        while state != START:
            state = automaton.table[state, symbol if taken == 0 else 5]
            taken += 1
        assert taken == burn.taking(first)


@pytest.mark.parametrize("card", [*built_in_cards(), *EXAMPLES])
def test_laid_out_tables_agree_with_the_automaton(card):
    """States become addresses of rows; on a GPU, marks become addresses of counters."""
    automaton = automaton_of(lookup_of(load(card).game().pay_table))
    states, symbols = automaton.table.shape
    here, begins = automaton.with_row_addresses(int(dealing.UNIT))
    there, begins_there = table_for(automaton, 64)
    rows = len(here) // states
    for burn, state in automaton.start_states.items():
        assert begins[burn] * dealing.UNIT == state * rows
        assert begins_there[burn] == state * symbols
    here, there = here.reshape(states, rows)[:, :symbols], there.reshape(states, symbols)
    state, mark = automaton.table & 0xFFFF, automaton.table >> 16
    assert np.array_equal((here & 0xFFFF) * dealing.UNIT, state * np.uint32(rows))
    assert np.array_equal(there & 0xFFFF, state * np.uint32(symbols))
    assert np.array_equal(here >> 16, mark)
    assert np.array_equal(there >> 16, (mark >> 2) * np.uint32(64))


@pytest.mark.parametrize("card", [*built_in_cards(), *EXAMPLES])
def test_the_automaton_agrees_with_the_lookup(card):
    """Walk every sequence of six symbols that can be distinguished through the states."""
    game = load(card).game()
    lookup, tableau = lookup_of(game.pay_table), game.tableau
    table, kinds = automaton_of(lookup).table, {10: 1, 13: 2, 52: 3}[int(lookup.detail)]
    ranks = list(range(10)) if kinds == 1 else [0, 1, 3, *range(4, 13)]
    points = {rank: rank if kinds == 1 else max(rank, 3) - 3 for rank in range(13)}
    for p1 in ranks:
        for b1 in ranks[::3]:
            for p2, same_p in [(rank, 0) for rank in ranks] + [(p1, 1)] * (kinds == 3):
                for b2, same_b in [(rank, 0) for rank in ranks[::2]] + [(b1, 1)] * (kinds == 3):
                    pairs = [
                        0 if kinds == 1 or one != two else 1 + same
                        for one, two, same in ((p1, p2, same_p), (b1, b2, same_b))
                    ]
                    totals = (points[p1] + points[p2]) % 10, (points[b1] + points[b2]) % 10
                    for fifth, sixth in ((0, 0), (3, 9), (9, 3), (6, 8)):
                        draws = tableau.player_takes_third(*totals)
                        x, y = (fifth, sixth) if draws else (NO_THIRD, fifth)
                        y = y if tableau.banker_takes_third(*totals, x) else NO_THIRD
                        mark = lookup.marks[Shape(*totals, x, y), *pairs]
                        thirds = [
                            value + 3 if kinds > 1 and value else value for value in (fifth, sixth)
                        ]
                        symbols = [p1, b1, p2 + 13 * same_p, b2 + 13 * same_b, *thirds]
                        state, taken = 0, 0
                        while taken == 0 or not state >> 16:
                            state = int(table[state & 0xFFFF, symbols[taken]])
                            taken += 1
                        assert state >> 16 == mark
                        assert taken == 4 + (mark & 3)


def test_without_a_gpu_auto_uses_the_cpu_and_says_so(capsys):
    words = ["simulate", "online", "--shoes", "100", "--seed", "1", "--json"]
    assert main(words) == 0
    here = capsys.readouterr()
    if gpu.why_not(Run(game := load("online").game(), ShoeRules(game.decks), 1, 100)) is None:
        pytest.skip("there is a card here")
    assert main([*words, "--device", "auto"]) == 0
    there = capsys.readouterr()
    assert there.out == here.out
    assert "Running on the CPU: no usable NVIDIA GPU on this machine" in there.err
    assert main([*words, "--device", "gpu"]) == 2
    assert "no usable NVIDIA GPU on this machine" in capsys.readouterr().err


def test_work_that_gpus_do_not_support_is_refused():
    game = load("online").game()
    with pytest.raises(BaccaratError, match="a GPU can run simulations"):
        simulate(Run(game, ShoeRules(game.decks), 1, 100, by_place=True), Execution(device="gpu"))
    with pytest.raises(BaccaratError, match="unknown device 'tpu'"):
        simulate(Run(game, ShoeRules(game.decks), 1, 100), Execution(device="tpu"))
    assert simulate(
        Run(game, ShoeRules(game.decks), 1, 100, by_place=True), Execution(device="auto")
    ).complete


def test_gpu_failures_are_reported(capsys, monkeypatch):
    """Any exception of drivers, compilers and linkers."""
    words = ["simulate", "online", "--shoes", "7000", "--seed", "1"]

    class Odd(Exception):
        pass

    def failing(*_):
        raise Odd("no binary for this card")

    monkeypatch.setattr(gpu, "SMALL", 0)
    monkeypatch.setattr(gpu, "find_gpu", lambda: gpu.Gpu("a card", 2, 1 << 20))
    monkeypatch.setattr(gpu, "_prepared", failing)
    assert main([*words, "--device", "gpu"]) == 2
    assert "a card failed (Odd: no binary for this card)" in capsys.readouterr().err
    assert main([*words, "--device", "auto"]) == 0
    assert "Running on the CPU: a card failed" in capsys.readouterr().err


def test_odds_and_tags_with_large_denominators_are_split_or_refused():
    text = (ROOT / "examples" / "rule-cards" / "lucky-6.toml").read_text(encoding="utf-8")
    fine = check_text(text.replace('"1:2"', '"8123:10000"'), name="x").draft.card().game()
    run = Run(fine, ShoeRules(fine.decks), 1, 10**9)
    assert run.max_shoes_at_once < 1 << 26
    tags = tuple(Fraction(n, 10_000) for n in (9_980_001, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    counting = study(GAME, "tie", tags=tags, at_least=Fraction(1)).counting(
        ShoeRules(GAME.decks), seed=1, shoes=100
    )
    assert "these tags have too many decimals for a GPU" in gpu.why_not_on_gpu(counting)
    finest = check_text(text.replace('"1:2"', '"9999991:10000019"'), name="x").draft.card().game()
    with pytest.raises(BaccaratError, match="too fine to count"):
        study(finest, "banker", tags=tags[::-1], at_least=Fraction(1)).counting(
            ShoeRules(finest.decks), seed=1, shoes=100
        )


class Lost:
    """A GPU that is lost after the first part."""

    max_shoes_at_once = 1 << 40

    def __init__(self) -> None:
        self.done = 0

    def part(self, first, shoes):
        self.done += 1
        if self.done > 1:
            raise RuntimeError("unspecified launch failure")
        return RUN.part(first, shoes)


GAME = load("online").game()
RUN = Run(GAME, ShoeRules(GAME.decks), 1, 20_000)


@pytest.fixture
def losing(monkeypatch):
    monkeypatch.setattr(gpu, "SMALL", 0)
    monkeypatch.setattr(gpu, "find_gpu", lambda: gpu.Gpu("a card", 2, 1 << 20))
    lost = Lost()
    monkeypatch.setattr(gpu, "_prepared", lambda job: lost)


@pytest.mark.usefixtures("losing")
def test_a_lost_gpu_keeps_finished_work(tmp_path):
    file = tmp_path / "kept.json"
    with pytest.raises(Stopped, match="unspecified launch failure") as stopped:
        simulate(RUN, Execution(device="gpu", chunk=6_400, checkpoint=file))
    assert stopped.value.total.shoes == 6_400


@pytest.mark.parametrize(
    ("shoes", "threads", "small"), [(2_000_000, 2, False), (1_999_999, 2, True)]
)
def test_auto_chooses_by_the_number_of_shoes(monkeypatch, shoes, threads, small):
    monkeypatch.setattr(gpu, "find_gpu", lambda: gpu.Gpu("a card", 2, 1 << 20))
    run = Run(GAME, ShoeRules(GAME.decks), 1, shoes)
    assert (gpu.why_not_worthwhile(run, 0, threads) is not None) is small
    assert "the CPU deals 1,000,000 shoes faster" in gpu.why_not_worthwhile(
        run, shoes - 1_000_000, threads
    )


def test_auto_does_not_start_a_gpu_for_a_small_job(capsys, monkeypatch):
    def started(_):
        raise AssertionError("a GPU was started")

    monkeypatch.setattr(gpu, "find_gpu", lambda: gpu.Gpu("a card", 2, 1 << 20))
    monkeypatch.setattr(gpu, "_prepared", started)
    assert main(["simulate", "online", "--shoes", "100", "--seed", "1", "--device", "auto"]) == 0
    said = capsys.readouterr().err
    assert "Running on the CPU: the CPU deals 100 shoes faster than a GPU starts" in said


@pytest.mark.usefixtures("losing")
def test_auto_continues_without_a_lost_gpu():
    assert simulate(RUN, Execution(device="auto", chunk=6_400)).tally == simulate(RUN).tally


def test_a_missing_extra_is_named(monkeypatch):
    """numba has its own numba.cuda, but numba-cuda is required."""
    monkeypatch.setattr(gpu, "find_spec", lambda name: None)
    with pytest.raises(BaccaratError, match=r"needs numba-cuda: pip install 'baccarat\[gpu\]'"):
        gpu.find_gpu()


def test_groups_of_shoes_have_the_same_size_on_all_devices():
    assert LANES == GROUP == CLUSTER
