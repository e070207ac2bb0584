"""The simulator: one random stream, one mapping to cards, identical results however it is run."""

import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat import BaccaratError, built_in_cards, load
from baccarat.analysis.edges import analyse
from baccarat.analysis.frequencies import fit
from baccarat.cli import main
from baccarat.loader import check_text
from baccarat.loader.files import BUILT_IN
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation import kernel
from baccarat.simulation.execution import Execution, simulate
from baccarat.simulation.inputs import game_input, shoe_input
from baccarat.simulation.lookup import Detail, lookup_of
from baccarat.simulation.run import Run, Simulation
from baccarat.simulation.stream import U, philox
from support import reference_shoes as reference
from support.documented import ROOT
from support.payments import certain_payments, payment_chances

EXAMPLES = sorted((ROOT / "examples" / "rule-cards").glob("*.toml"))
CARDS = [*built_in_cards(), *EXAMPLES]
ONES = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ONES,) * 4, (ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_the_generator_is_philox(counter, key, words):
    """Known answers published with the Random123 library."""
    assert tuple(map(int, philox(*map(U, counter), *map(U, key)))) == words
    with np.errstate(all="ignore"):
        assert tuple(map(int, kernel.philox(*map(U, counter), *map(U, key)))) == words


def test_every_card_of_a_shoe_is_dealt_once():
    cards = Counter(reference.shoe_cards(2, seed=5, shoe=9))
    assert set(cards.values()) == {2}
    assert len(cards) == 52


def test_a_random_word_that_would_cause_a_bias_is_rejected():
    """With few cards left words are rarely rejected; an artificial bound rejects most of them."""
    game, rules = load("online").game(decks=2), ShoeRules(2)
    shoe, size = shoe_input(rules, Detail.POINTS), 104
    shoe = shoe._replace(needed=size, rejected=np.full(size // 2, 3 << 30, np.uint32))
    workspace = kernel.make_workspace(shoe, game_input(rules, lookup_of(game.pay_table)))
    kernel.deal_group(U(3), 10, 1, shoe, workspace)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "rejected_below", lambda left: 3 << 30)
        for lane in (0, 1, kernel.LANES - 1):
            cards = reference.shoe_cards(2, seed=3, shoe=10 + lane)
            assert [card.points for card in cards] == workspace.codes[:size, lane].tolist()


@pytest.mark.parametrize("card", CARDS, ids=lambda card: getattr(card, "stem", card))
@settings(max_examples=4, deadline=None)
@given(
    decks=st.integers(1, 8),
    cut=st.integers(11, 30),
    burn=st.sampled_from(Burn),
    more=st.integers(0, 1),
    seed=st.integers(0, 2**64 - 1),
    first=st.sampled_from([0, 64, 2**33]),
)
def test_the_kernel_deals_like_the_reference(card, decks, cut, burn, more, seed, first):
    game = load(card).game(decks=decks)
    rules = ShoeRules(game.decks, cut=cut, burn=burn, coups_after_cut=more)
    lookup = lookup_of(game.pay_table)
    expected: Counter[tuple[str, tuple[Fraction, ...]]] = Counter()
    for shoe in range(first, first + 3):
        for coup in reference.shoe_coups(game, rules, seed, shoe):
            expected[coup.winner, tuple(game.pay_table.pays(coup).values())] += 1
    asked = Run(game, rules, seed, shoes=3, by_place=True)
    tally = asked.part(first, 3)
    order = [
        list(game.pay_table.pays(coup)) for coup in reference.shoe_coups(game, rules, seed, first)
    ]
    ids = [bet.id for bet in game.bets]
    found: Counter[tuple[str, tuple[Fraction, ...]]] = Counter()
    for (winner, pays), n in zip(lookup.classes, tally.classes, strict=True):
        by_id = dict(zip(ids, pays, strict=True))
        found[winner, tuple(by_id[name] for name in order[0])] += n
    assert +found == expected
    assert [sum(column) for column in zip(*tally.by_place, strict=True)] == list(tally.classes)


@pytest.mark.parametrize("card", ["commission", "examples/rule-cards/pairs.toml"])
@pytest.mark.parametrize("needed", [6, 35])
def test_cards_not_yet_dealt_are_never_read(card, needed):
    """Their memory is filled with garbage; the coups are the same and nothing crashes."""
    game = load(card).game()
    lookup = lookup_of(game.pay_table)
    rules = ShoeRules(game.decks, burn=Burn.NONE if needed == 6 else Burn.FIRST_CARD)
    shoe, table = shoe_input(rules, lookup.detail), game_input(rules, lookup)
    whole, begun = kernel.make_workspace(shoe, table), kernel.make_workspace(shoe, table)
    kernel.deal_coups(U(3), 0, 1, shoe, table, whole)
    begun.codes[:] = begun.symbols[:] = np.iinfo(np.uint16).max
    short = shoe._replace(needed=needed, cut_at=needed - 5, coups_from_cut=1)
    kernel.deal_coups(U(3), 0, 1, short, table, begun)
    for lane in range(kernel.LANES):
        coups = begun.coups[lane]
        assert coups > 0
        assert np.array_equal(begun.seen[lane, :coups], whole.seen[lane, :coups])


def test_a_shuffler_deals_one_coup_of_a_full_shoe_each_time():
    game = load("online").game()
    rules = ShoeRules.shuffler(game.decks)
    done = simulate(Run(game, rules, 1, 500), Execution(threads=1))
    winners = Counter(c.winner for s in range(500) for c in reference.shoe_coups(game, rules, 1, s))
    assert done.results == {name: winners[name] for name in ("player", "banker", "tie")}
    assert done.coups == 500


def test_one_shoe_has_no_standard_error():
    game = load("online").game()
    assert simulate(Run(game, ShoeRules(game.decks), 1, 1)).bets[0].standard_error is None


def test_odds_with_too_large_denominators_are_refused():
    text = (BUILT_IN / "online.toml").read_text(encoding="utf-8")
    card = check_text(text.replace('"8:1"', '"800001:100003"'), name="x").draft.card()
    with pytest.raises(BaccaratError, match="the odds of online are too fine to simulate"):
        Run(card.game(), ShoeRules(card.game().decks), 1, 1)
    fine = check_text(text.replace('"8:1"', '"8001:1009"'), name="x").draft.card().game()
    bet = simulate(Run(fine, ShoeRules(fine.decks), 1, 20_000)).bets[2]
    assert 0.001 < bet.standard_error < 0.01


def test_results_do_not_depend_on_threads_or_chunks():
    game = load("fortune-six").game()
    asked = Run(game, ShoeRules(game.decks), seed=11, shoes=10_000, by_place=True)
    whole = simulate(asked, Execution(threads=1)).tally
    for chunk in (1, 64, 1000):
        assert simulate(asked, Execution(threads=2, chunk=chunk)).tally == whole


def test_a_run_resumes_from_its_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(Run, "chunk", 10 * kernel.LANES)
    game = load("online").game()
    asked = Run(game, ShoeRules(game.decks), seed=3, shoes=9_000)
    whole = simulate(asked, Execution(threads=2)).tally
    file = tmp_path / "run.json"

    def stop(shoes: int, coups: int) -> None:
        if shoes >= 3_000:
            raise KeyboardInterrupt

    partly = simulate(asked, Execution(threads=2, progress=stop, checkpoint=file))
    assert not partly.complete
    assert 3_000 <= partly.tally.shoes < 9_000
    assert simulate(asked, Execution(threads=1, checkpoint=file)).tally == whole
    assert simulate(asked, Execution(threads=1, checkpoint=file)).tally == whole
    other = Run(game, ShoeRules(game.decks), seed=4, shoes=9_000)
    with pytest.raises(BaccaratError, match="is from another run"):
        simulate(other, Execution(checkpoint=file))
    kept = json.loads(file.read_text(encoding="utf-8"))
    for damage in ({"done": {}}, {"done": kept["done"] | {"classes": [1]}}):
        file.write_text(json.dumps(kept | damage), encoding="utf-8")
        with pytest.raises(BaccaratError, match="is damaged"):
            simulate(asked, Execution(checkpoint=file))
    file.write_text(json.dumps(kept | {"format": 99}), encoding="utf-8")
    with pytest.raises(BaccaratError, match="is not a checkpoint of this program"):
        simulate(asked, Execution(checkpoint=file))
    file.write_text("{", encoding="utf-8")
    with pytest.raises(BaccaratError, match="cannot be read"):
        simulate(asked, Execution(checkpoint=file))
    with pytest.raises(BaccaratError, match="cannot be written"):
        simulate(asked, Execution(checkpoint=tmp_path / "nowhere" / "run.json"))


def chi_square(asked: Run, done) -> tuple[float, int]:
    """Return chi-square over all combinations of payments, on the coups that every shoe has."""
    seen = certain_payments(Simulation(asked, done.tally))
    assert sum(seen.values()) == done.tally.shoes * asked.rules.certain_coups
    found = fit(seen, payment_chances(asked.game))
    return found.statistic, found.freedom


@pytest.mark.requirement("G09")
@pytest.mark.parametrize("card", ["punto-banco-2000", "commission"])
def test_frequencies_agree_with_exact_analysis(card):
    """About ten million coups; a statistic this extreme occurs once in a million runs."""
    game = load(card).game()
    asked = Run(game, ShoeRules(game.decks), seed=20_26, shoes=150_000, by_place=True)
    statistic, freedom = chi_square(asked, simulate(asked))
    assert statistic < freedom + 5 * (2 * freedom) ** 0.5 + 12


def test_a_wrong_cell_of_the_tableau_is_noticed():
    """As a control, the same test must fail clearly when dealt by another reading."""
    right = load("punto-banco").game()
    wrong = load("punto-banco").game(readings={"A1": "exchanged"})
    asked = Run(wrong, ShoeRules(wrong.decks), seed=1, shoes=150_000, by_place=True)
    done = simulate(asked)
    moved = Run(right, ShoeRules(right.decks), seed=1, shoes=150_000, by_place=True)
    same_classes = lookup_of(right.pay_table).classes == lookup_of(wrong.pay_table).classes
    assert same_classes
    statistic, freedom = chi_square(moved, done)
    assert statistic > 2 * (freedom + 5 * (2 * freedom) ** 0.5 + 12)


def test_standard_errors_match_the_spread_of_results():
    """Twenty runs of a thousand shoes each."""
    game = load("online").game()
    exact = float(analyse(game)["tie"].expectation)
    runs = [simulate(Run(game, ShoeRules(game.decks), seed, 1_000)).bets[2] for seed in range(20)]
    scores = [(float(bet.mean) - exact) / bet.standard_error for bet in runs]
    assert 0.5 < (sum(score * score for score in scores) / 20) ** 0.5 < 1.6
    large = simulate(Run(game, ShoeRules(game.decks), 1, 20_000)).bets[2]
    assert large.standard_error == pytest.approx(runs[0].standard_error / 20**0.5, rel=0.2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shoes": 0}, "the number of shoes must be between 1 and .*, not 0"),
        ({"shoes": -5}, "the number of shoes must be between 1 and .*, not -5"),
        ({"seed": -1}, "the seed must be between 0 and .*, not -1"),
        ({"seed": 2**64}, "between 0 and 18446744073709551615"),
    ],
)
def test_invalid_runs_are_refused(change, message):
    game = load("online").game()
    with pytest.raises(BaccaratError, match=message):
        Run(**{"game": game, "rules": ShoeRules(game.decks), "seed": 1, "shoes": 1} | change)


def test_a_shoe_with_another_number_of_decks_is_refused():
    game = load("online").game()
    with pytest.raises(BaccaratError, match="the shoe has 6 decks, but the game has 8"):
        Run(game, ShoeRules(6), seed=1, shoes=1)


def test_every_shoe_has_its_certain_coups():
    assert ShoeRules(8, burn=Burn.NONE, coups_after_cut=0).certain_coups == 67
    assert ShoeRules.shuffler(8).certain_coups == 1
    assert ShoeRules(8).certain_coups == 67
    game = load("online").game()
    for rules in (ShoeRules(1, 11, Burn.FIRST_CARD, 1), ShoeRules(8), ShoeRules(2, 14, Burn.ONE)):
        game = load("online").game(decks=rules.decks)
        counts = [len(list(reference.shoe_coups(game, rules, 1, shoe))) for shoe in range(20)]
        assert min(counts) >= rules.certain_coups


def test_the_simulate_command(capsys, tmp_path):
    words = [
        "simulate",
        "online",
        "--shoes",
        "300",
        "--seed",
        "5",
        "--threads",
        "2",
        "--by-position",
    ]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["seed"], found["shoes"], found["complete"]) == (5, 300, True)
    assert sum(found["results"].values()) == found["coups"]
    assert found["by_position"][0]["coups"] == 300
    assert {"id", "edge", "edge_percent", "standard_error_percent", "exact_percent"} == set(
        found["bets"][0]
    )
    assert main([*words, "--checkpoint", str(tmp_path / "c.json")]) == 0
    printed = capsys.readouterr().out
    assert "seed 5" in printed
    assert "14.3596%" in printed
    for wrong, reply in (
        (["--shoes", "0"], "the number of shoes must be between 1 and"),
        (["--cut", "500"], "11 to 404 cards from the end, not 500"),
        (["--threads", "0"], "--threads 0"),
        (["--seed", "-3"], "the seed must be between 0 and"),
        (
            ["--shuffler", "--burn", "one"],
            "--shuffler cannot be used with --cut, --burn or --coups-after-cut",
        ),
        (["--checkpoint", "x.json"], "add --seed"),
    ):
        assert main(["simulate", "online", *wrong]) == 2
        assert reply in capsys.readouterr().err


def test_a_missing_extra_is_named():
    """Runs in a separate process: importing modules twice would break other tests."""
    without = "import sys; sys.modules['numba'] = None; from baccarat.cli import main"
    command = [sys.executable, "-c", f"{without}; sys.exit(main(['simulate', 'online']))"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'baccarat[lab]'" in done.stderr
