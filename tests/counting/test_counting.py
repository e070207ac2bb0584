"""Card counting: tags compared with effects of removal, simulation with plain counting and exact
values, and published studies reproduced."""

import json
from fractions import Fraction
from math import floor

import numpy as np
import pytest

from baccarat import BaccaratError, load
from baccarat.analysis.edges import analyse, effects_of_removal
from baccarat.analysis.remaining import remaining_shoe
from baccarat.cli import main
from baccarat.core.cards import Card
from baccarat.counting.study import ExactValue, only_bet, study
from baccarat.counting.tags import WEIGHTS, best_tags, format_tags, parse_tags
from baccarat.counting.valuation import ValuationRun
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation import execution
from baccarat.simulation.execution import Execution, simulate
from baccarat.simulation.true_count import MAX_TRUE_COUNT, Count, CountRun
from support import reference_shoes as reference
from support.documented import ROOT

CARDS = ROOT / "examples" / "rule-cards"
EZ = load(CARDS / "ez-baccarat.toml").game()
LONG_SHOTS = load(CARDS / "long-shots.toml").game()
DRAGON = parse_tags("0,0,0,-1,-1,-1,-1,2,2,0")
PANDA = parse_tags("1,1,-2,-2,-2,-1,-1,-2,4,1")
BOTH_HIGH = parse_tags("1,1,0,0,0,0,0,-3,-3,1")


# ---- Tags ----


def test_the_best_small_tags_for_panda_8_are_the_published_ones():
    """Source: advancedadvantageplay.com, baccarat side bets."""
    best = best_tags(EZ, "panda-8")
    assert best.rounded(4) == PANDA
    assert best.correlation(PANDA) == pytest.approx(0.9943, abs=5e-5)


@pytest.mark.parametrize("bet", ["banker", "tie", "dragon-7", "panda-8"])
def test_best_tags_are_balanced_and_correlate_well(bet):
    best = best_tags(EZ, bet)
    assert best.correlation(best.exact) == pytest.approx(1)
    assert sum(w * e for w, e in zip(WEIGHTS, best.effects, strict=True)) == 0
    scores = []
    for largest in (2, 4, 9):
        tags = best.rounded(largest)
        assert sum(w * t for w, t in zip(WEIGHTS, tags, strict=True)) == 0
        assert max(map(abs, tags)) <= largest
        scores.append(best.correlation(tags))
    assert scores == sorted(scores)
    assert scores[-1] > 0.99


def test_a_bet_that_all_ranks_affect_equally_cannot_be_counted():
    game = load(CARDS / "pairs.toml").game()
    with pytest.raises(BaccaratError, match="all ranks affect perfect-pair equally"):
        study(game, "perfect-pair")


def test_tags_by_rank_do_not_predict_a_bet_on_colours():
    """The removal of a red card and of a black one have opposite effects on All red, which tags by
    rank ignore. The correlation was also computed from the 52 effects by separate code."""
    best = best_tags(load("colours").game(), "all-red")
    assert best.correlation(best.exact) == pytest.approx(0.066, abs=0.001)


def test_no_small_change_improves_the_best_tags():
    best = best_tags(LONG_SHOTS, "both-high")
    tags = best.rounded(4)
    for i in range(10):
        for j in range(10):
            other = list(tags)
            other[i] += 1
            other[j] -= 1
            balanced = sum(w * t for w, t in zip(WEIGHTS, other, strict=True)) == 0
            if balanced and max(map(abs, other)) <= 4 and any(other):
                assert best.correlation(tuple(other)) <= best.correlation(tags) + 1e-9


def test_exact_tags_predict_the_effect_of_removing_one_card():
    """For a single card, the linear estimate by true count must be exact."""
    best = best_tags(EZ, "dragon-7")
    mean = sum(effects_of_removal(EZ)["dragon-7"].values()) / 13
    for tag, rank in zip(
        best.exact, ("A", "2", "3", "4", "5", "6", "7", "8", "9", "K"), strict=True
    ):
        moved = effects_of_removal(EZ)["dragon-7"][rank] - mean
        assert tag * Fraction(52, 415) / 100 == moved


def test_slope_and_break_even_of_tags():
    best = best_tags(EZ, "dragon-7")
    assert best.slope(best.exact) == Fraction(1, 100)
    assert best.break_even(best.exact) == -100 * best.expectation
    assert best.slope(tuple(2 * tag for tag in DRAGON)) == best.slope(DRAGON) / 2
    assert best.break_even(tuple(-tag for tag in DRAGON)) is None
    assert best.correlation((Fraction(3),) * 10) == 0
    with pytest.raises(BaccaratError, match="these tags do not show when dragon-7 is favourable"):
        study(EZ, "dragon-7", tags=tuple(-tag for tag in DRAGON))
    assert study(EZ, "dragon-7", tags=DRAGON).at_least == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2,3", "give 10 tags, for .*, not 3"),
        ("", "give 10 tags, for .*, not 0"),
        ("1,1,1,1,1,1,1,1,1,x", "the tag 'x' is not a number"),
        ("1,1,1,1,1,1,1,1,1,1e9", "the tag '1e9'"),
        ("1,1,1,1,1,1,1,1,1,1/0", "the tag '1/0'"),
    ],
)
def test_invalid_tags_are_refused(text, message):
    with pytest.raises(BaccaratError, match=message):
        parse_tags(text)


def test_tags_are_parsed_and_formatted():
    tags = parse_tags("0.5 −1 0 0 0 0 0 0 0 1/4")
    assert tags[:2] == (Fraction(1, 2), Fraction(-1))
    assert format_tags(tags) == "0.5, −1, 0, 0, 0, 0, 0, 0, 0, 0.25"
    with pytest.raises(BaccaratError, match="give 10 tags, for ace to nine and ten, not 2"):
        Count((Fraction(1),) * 2, Fraction(1))


# ---- The kernel and plain counting ----


@pytest.mark.parametrize("at_least", [Fraction(1, 2), Fraction(0)], ids=str)
@pytest.mark.parametrize("burn", Burn)
@pytest.mark.parametrize("card", ["ez-baccarat.toml", "pairs.toml"])
def test_the_kernel_agrees_with_plain_counting(card, burn, at_least):
    """With a threshold of 0, the first coup of a shoe is bet on: nothing is counted yet."""
    game = load(CARDS / card).game(decks=4)
    bet = game.bets[-1].id
    tags = parse_tags("0.5,0,1,-1,-2,-1,-1,2,2,0")
    count = Count(tags, at_least)
    rules = ShoeRules(game.decks, burn=burn, coups_after_cut=1)
    found = simulate(CountRun(game, rules, bet, count, seed=9, shoes=5), Execution(threads=1))
    by_count: dict[int, list[Fraction]] = {}
    wagers, won, coups = 0, Fraction(0), 0
    for shoe in range(5):
        cards = list(reference.shoe_cards(4, 9, shoe))
        place = burn.taking(cards[0])
        seen = cards[:1] if burn is Burn.FIRST_CARD else []
        for coup in reference.shoe_coups(game, rules, 9, shoe):
            true = sum(tags[(c.points - 1) % 10] for c in seen) / Fraction(208 - len(seen), 52)
            pay = game.pay_table.pays(coup)[bet]
            by_count.setdefault(min(max(floor(true), -MAX_TRUE_COUNT), MAX_TRUE_COUNT), []).append(
                pay
            )
            if true >= at_least:
                wagers, won = wagers + 1, won + pay
            coups += 1
            taken = len(coup.player) + len(coup.banker)
            seen, place = seen + cards[place : place + taken], place + taken
    played = found.wagering
    assert (played.coups, played.wagers, played.won) == (coups, wagers, won)
    assert {at.true_count: at.coups for at in found.counts} == {
        t: len(p) for t, p in by_count.items()
    }
    for at in found.counts:
        pays = by_count[at.true_count]
        assert at.mean == pytest.approx(float(sum(pays)) / len(pays))


def test_results_do_not_depend_on_chunks_or_checkpoints(tmp_path):
    asked = study(EZ, "dragon-7").counting(ShoeRules(EZ.decks), seed=3, shoes=2_000)
    whole = simulate(asked, Execution(threads=1)).tally
    for chunk in (1, 64, 1000):
        assert simulate(asked, Execution(threads=2, chunk=chunk)).tally == whole
    file = tmp_path / "count.json"
    simulate(asked, Execution(checkpoint=file))
    assert simulate(asked, Execution(checkpoint=file)).tally == whole
    valuing = study(EZ, "dragon-7").valuing(ShoeRules(EZ.decks), seed=3, shoes=150)
    valued = simulate(valuing, Execution(threads=1)).tally
    for chunk in (1, 100):
        assert simulate(valuing, Execution(threads=2, chunk=chunk)).tally == valued
    other = tmp_path / "worth.json"
    simulate(valuing, Execution(checkpoint=other))
    assert simulate(valuing, Execution(checkpoint=other)).tally == valued


# ---- Exact values ----


@pytest.mark.parametrize(
    ("card", "bet"),
    [("ez-baccarat.toml", "dragon-7"), ("pairs.toml", "perfect-pair"), ("lucky-6.toml", "tie")],
)
def test_values_of_coups_agree_with_exact_analysis(card, bet):
    game = load(CARDS / card).game(decks=2)
    rules = ShoeRules(game.decks, burn=Burn.FIRST_CARD)
    asked = study(game, bet, tags=DRAGON, at_least=Fraction(0))
    done = simulate(asked.valuing(rules, seed=4, shoes=2))
    worth, good, coups = 0.0, 0, 0
    for shoe in range(2):
        cards = list(reference.shoe_cards(2, 4, shoe))
        place, seen = Burn.FIRST_CARD.taking(cards[0]), cards[:1]
        for coup in reference.shoe_coups(game, rules, 4, shoe):
            value = analyse(game, remaining_shoe(game, seen))[bet].expectation
            worth += max(float(value), 0.0)
            good += value > 0
            coups += 1
            taken = len(coup.player) + len(coup.banker)
            seen, place = seen + cards[place : place + taken], place + taken
    assert (done.perfect.wagers, done.tally.coups) == (good, coups)
    assert float(done.perfect.won) == pytest.approx(worth, abs=1e-9)
    counted = simulate(asked.counting(rules, seed=4, shoes=2))
    assert {true: n for true, (n, _) in done.by_count.items()} == {
        at.true_count: at.coups for at in counted.counts
    }
    assert done.counted.wagers == counted.wagering.wagers
    assert sum(n for n, _, _ in done.by_place) == coups


def test_values_take_ranks_in_sorted_order():
    game = only_bet(load(CARDS / "pairs.toml").game(), "player-pair")
    full = np.full((1, 13), 32)
    full[0, 5] = 20  # the sixth in sorted order: ten, jack, queen, king, ace, two
    left = remaining_shoe(game, [Card("2", suit) for suit in "shdc"] * 3)
    assert ExactValue(game)(full)[0] == pytest.approx(
        float(analyse(game, left)["player-pair"].expectation)
    )


# ---- Published studies, reproduced ----

# Eight decks, cut card at 14, the first card shown says how many to burn, one more coup after the
# cut card. Source: advancedadvantageplay.com, baccarat side bets, and the analyses it sums up.


@pytest.mark.parametrize(
    ("game", "bet", "tags", "at_least", "published"),
    [
        (EZ, "dragon-7", DRAGON, 4, {"per_shoe": 0.597}),
        (EZ, "panda-8", PANDA, 11, {"per_shoe": 0.237}),
        (LONG_SHOTS, "both-high", BOTH_HIGH, 4, {"share": 0.1361, "mean": 0.0891}),
    ],
)
def test_published_studies_are_reproduced(game, bet, tags, at_least, published):
    asked = study(game, bet, tags=tags, at_least=Fraction(at_least))
    rules = ShoeRules(game.decks, burn=Burn.FIRST_CARD, coups_after_cut=1)
    found = simulate(asked.counting(rules, seed=2026, shoes=500_000)).wagering
    if "per_shoe" in published:
        assert abs(float(found.per_shoe) - published["per_shoe"]) < 4 * found.per_shoe_error
    else:
        assert float(found.share) == pytest.approx(published["share"], abs=0.003)
        assert abs(float(found.mean) - published["mean"]) < 4 * found.mean_error
    valued = simulate(asked.valuing(rules, seed=2026, shoes=1_000))
    error = valued.counted.per_shoe_error + found.per_shoe_error
    assert abs(valued.counted.per_shoe - float(found.per_shoe)) < 4 * error
    assert valued.perfect.per_shoe > valued.counted.per_shoe


def test_three_giving_eight_can_be_counted_with_computed_tags():
    asked = study(LONG_SHOTS, "3g8", largest=9)
    assert asked.best.correlation(asked.tags) > 0.99
    rules = ShoeRules(LONG_SHOTS.decks, burn=Burn.FIRST_CARD, coups_after_cut=1)
    valued = simulate(asked.valuing(rules, seed=1, shoes=1_000))
    assert valued.counted.mean > 0.1
    assert valued.counted.per_shoe > 0.9 * valued.perfect.per_shoe


# ---- The command ----

WORDS = ["count", str(CARDS / "ez-baccarat.toml"), "dragon-7", "--seed", "1", "--shoes", "300"]


def test_the_count_command(capsys, tmp_path):
    csv, svg = tmp_path / "count.csv", tmp_path / "count.svg"
    more = ["--exact-shoes", "20", "--json", "--output", str(csv), "--plot", str(svg)]
    assert main([*WORDS, *more]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["tags"] == [f"{tag}/1" for tag in (0, -1, -1, -2, -2, -3, -3, 4, 4, 1)]
    assert sum(row["coups"] for row in found["counts"]) == found["coups"]
    assert found["exact"]["shoes"] == 20
    assert csv.read_text().startswith("card,bet,seed,true_count,coups,share,mean,standard_error\n")
    assert (tmp_path / "count-by-position.csv").exists()
    assert "<svg" in svg.read_text()
    assert main([*WORDS, "--exact-shoes", "0", "--tags=0,0,0,-1,-1,-1,-1,2,2,0"]) == 0
    printed = capsys.readouterr().out
    assert "house edge 7.6113% from a full shoe" in printed
    assert "Bet at a true count of +4 or more" in printed
    assert "valued" not in printed
    assert (
        "Dragon 7 requires another bet, on Player or Banker. Its cost is not included." in printed
    )


def test_simulated_results_are_kept_when_valuation_fails(capsys, monkeypatch):
    """Stopped in the middle, refused at once, or interrupted before the first part."""
    real, calls = execution.run_job, []

    def failing(error):
        def do(job, how):
            calls.append(job)
            if isinstance(job, ValuationRun):
                raise error(job)
            return real(job, how)

        return do

    part = study(EZ, "dragon-7").valuing(ShoeRules(EZ.decks), seed=1, shoes=64).part(0, 64)
    for error, status, reply in (
        (lambda job: execution.Stopped("the cluster is gone", part), 2, "the cluster is gone"),
        (lambda job: BaccaratError("nothing works"), 2, "nothing works"),
        (lambda job: KeyboardInterrupt(), 0, ""),
    ):
        monkeypatch.setattr(execution, "run_job", failing(error))
        assert main([*WORDS, "--exact-shoes", "100"]) == status
        printed = capsys.readouterr()
        assert "tags used, simulated" in printed.out
        assert reply in printed.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tags=1,2,3"], "give 10 tags, for A, 2, 3"),
        (["--tags=1,1,1,1,1,1,1,1,1,1", "--max-tag", "3"], "cannot be used together"),
        (["--max-tag", "100"], "the largest tag must be between 1 and 99, not 100"),
        (["--max-tag", "0"], "the largest tag must be between 1 and 99, not 0"),
        (
            ["--tags=1/9973,1/9967,1/7,0,0,0,0,0,0,0", "--min-true-count", "1"],
            "too fine or too large",
        ),
        (["--shuffler"], "unrecognized arguments: --shuffler"),
        (["--min-true-count", "x"], "'x'"),
        (["--exact-shoes", "-1"], "--exact-shoes -1: must be 0 or more"),
        (["--shoes", "0"], "the number of shoes must be between 1 and"),
        (["--plot", "x.pdf"], "use .png or .svg"),
    ],
)
def test_invalid_count_options_are_refused(capsys, words, message):
    assert main([*WORDS, *words]) == 2
    assert message in capsys.readouterr().err


def test_a_shuffler_cannot_be_counted():
    with pytest.raises(BaccaratError, match="counting cannot help with a shuffler"):
        study(EZ, "dragon-7").counting(ShoeRules.shuffler(EZ.decks), seed=1, shoes=1)


def test_an_unknown_bet_is_refused_with_a_suggestion(capsys):
    assert main(["count", "commission", "bankr"]) == 2
    assert "did you mean 'banker'" in capsys.readouterr().err
