"""Strategies and trials: the kernel compared with plain Python, flat wagers with exact sessions."""

import json
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat import BaccaratError, load
from baccarat.analysis.edges import analyse
from baccarat.analysis.sessions import session
from baccarat.cli import main
from baccarat.core.coup import Winner
from baccarat.core.roads import Result, what_if
from baccarat.core.settlement import settle
from baccarat.core.wagers import Wager
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation.execution import Execution, simulate
from baccarat.simulation.sessions import tally
from baccarat.simulation.sessions.strategies import BUILT_IN, NO_BET, Seat, Strategy, strategy_named
from baccarat.simulation.sessions.tally import quantile
from baccarat.simulation.sessions.trial import CHOICES, SessionLimits, Trial
from baccarat.simulation.true_count import Count
from support import reference_shoes as reference

GAME = load("commission").game()
RULES = ShoeRules(GAME.decks)
TERMS = SessionLimits(unit=2000, bankroll=60_000, coups=200)
COUNT = Count(tuple(map(Fraction, (0, 0, 0, -1, -1, -1, -1, 2, 2, 0))), Fraction(1))
LETTER = {"player": Winner.PLAYER, "banker": Winner.BANKER, "tie": Winner.TIE}


def trial_of(strategy="flat", choice="banker", terms=TERMS, **change) -> Trial:
    made = strategy if isinstance(strategy, Strategy) else strategy_named(strategy)
    return Trial(
        **{
            "game": GAME,
            "rules": RULES,
            "strategy": made,
            "choice": choice,
            "terms": terms,
            "seed": 7,
            "sessions": 20,
        }
        | change
    )


# ---- Stakes of each strategy ----


def units_after(strategy: str, results: str) -> list[int]:
    """Return the stakes of a strategy through wins, losses and pushes at even money."""
    made = strategy_named(strategy)
    memory, options = np.zeros(made.memory, np.int64), np.array(made.values, np.int64)
    stake, result, stakes = 0, 0, []
    for letter in [*results, ""]:
        seat = Seat(3, 0, 0, 0, stake, result, 10**9, 100, 0, 400)
        bet, units = made.decide(seat, options, memory)
        assert bet == 3
        stakes.append(int(units))
        stake = int(units) * 100
        result = {"W": stake, "L": -stake, "S": 0, "": 0}[letter]
    return stakes


@pytest.mark.parametrize(
    ("strategy", "results", "stakes"),
    [
        ("flat", "WLS", [1, 1, 1, 1]),
        ("martingale", "LLSLWL", [1, 2, 4, 4, 8, 1, 2]),
        ("martingale:losses=2", "LLLL", [1, 2, 1, 2, 1]),
        ("grand-martingale:losses=1", "LL", [1, 1, 1]),
        ("grand-martingale", "LLLWL", [1, 3, 7, 15, 1, 3]),
        ("paroli", "WWWWL", [1, 2, 4, 1, 2, 1]),
        ("paroli:wins=2", "WWW", [1, 2, 1, 2]),
        ("dalembert", "LLWWWL", [1, 2, 3, 2, 1, 1, 2]),
        ("fibonacci", "LLLLWWL", [1, 1, 2, 3, 5, 2, 1, 1]),
        ("labouchere", "LWWWW", [5, 6, 6, 3, 5, 5]),
        ("labouchere:line=2", "WLL", [2, 2, 4, 6]),
        ("oscars-grind", "LLWWW", [1, 1, 1, 2, 1, 1]),
        ("1-3-2-6", "WWWWLW", [1, 3, 2, 6, 1, 1, 3]),
        ("1-3-2-6:stakes=1-2", "WWW", [1, 2, 1, 2]),
    ],
)
def test_stakes_follow_the_published_strategy(strategy, results, stakes):
    assert units_after(strategy, results) == stakes


def test_stakes_do_not_overflow_in_a_long_losing_run():
    for name in BUILT_IN:
        assert all(0 < units < 1 << 50 for units in units_after(name, "L" * 2000))


# ---- The kernel compared with plain Python ----


def play_plainly(asked: Trial, number: int) -> tuple[int, int, int, int, str, int]:
    """Play one session coup by coup with the core's settlement: (net, drawdown, longest losing run,
    turnover, end, coups)."""
    game, terms = asked.game, asked.terms
    memory = np.zeros(asked.strategy.memory, np.int64)
    options = np.array(asked.strategy.values, np.int64)
    ids = [bet.id for bet in game.bets]
    bankroll = peak = terms.bankroll
    fall = losing = longest = turnover = played = stake = result = 0
    for shoe in range(number * asked.shoes_each, (number + 1) * asked.shoes_each):
        history: list[Result] = []
        cards = list(reference.shoe_cards(game.decks, asked.seed, shoe))
        place = asked.rules.burn.taking(cards[0])
        seen = cards[:1] if asked.rules.burn is Burn.FIRST_CARD else []
        for coup in reference.shoe_coups(game, asked.rules, asked.seed, shoe):
            bet = chosen(asked, history)
            if asked.count and not worth_it(asked.count, seen, len(cards)):
                bet = None
            seat = Seat(
                NO_BET if bet is None else ids.index(bet),
                len(history),
                played,
                NO_BET if not history else "PBT".index(history[-1].winner.letter),
                stake,
                result,
                bankroll,
                terms.unit,
                0,
                len(cards) - len(seen),
            )
            number_of_bet, units = asked.strategy.decide(seat, options, memory)
            stake = result = 0
            if number_of_bet >= 0 and units > 0:
                name = ids[number_of_bet]
                maximum = game.limits(game.bet(name))[1]
                step = 20 if name == "banker" else 1
                minimum = least(asked, name)
                stake = min(int(units) * terms.unit, terms.maximum or maximum, bankroll)
                stake = stake // step * step
                if stake < minimum:
                    return bankroll - terms.bankroll, fall, longest, turnover, "ruined", played
                (settled,) = settle(game, coup, [Wager(name, stake)])
                result = settled.net
                turnover += stake
                bankroll += result
                losing = losing + 1 if result < 0 else 0 if result > 0 else losing
                longest, peak = max(longest, losing), max(peak, bankroll)
                fall = max(fall, peak - bankroll)
            history.append(Result(LETTER[coup.winner]))
            taken = len(coup.player) + len(coup.banker)
            seen, place = seen + cards[place : place + taken], place + taken
            played += 1
            if terms.stop_win is not None and bankroll >= terms.bankroll + terms.stop_win:
                return bankroll - terms.bankroll, fall, longest, turnover, "stop_win", played
            if bankroll < min(least(asked, name) for name in asked.bets):
                return bankroll - terms.bankroll, fall, longest, turnover, "ruined", played
            if terms.stop_loss is not None and bankroll <= terms.bankroll - terms.stop_loss:
                return bankroll - terms.bankroll, fall, longest, turnover, "stop_loss", played
            if played == terms.coups:
                return bankroll - terms.bankroll, fall, longest, turnover, "time", played
    raise AssertionError("too few shoes")


def least(asked: Trial, bet: str) -> int:
    """Return the minimum stake on a bet; a flat wager never changes."""
    step = 20 if bet == "banker" else 1
    minimum = asked.terms.minimum or asked.game.limits(asked.game.bet(bet))[0]
    minimum = -(-minimum // step) * step
    return asked.terms.unit if asked.strategy.name == "flat" else minimum


def chosen(asked: Trial, history: list[Result]) -> str | None:
    """Return the bet that the rule of choice proposes."""
    sides = [result.winner for result in history if result.winner is not Winner.TIE]
    name = {Winner.PLAYER: "player", Winner.BANKER: "banker"}
    if asked.choice not in CHOICES:
        return asked.choice
    if not sides:
        return None
    other = Winner.PLAYER if sides[-1] is Winner.BANKER else Winner.BANKER
    if asked.choice == "last-winner":
        return name[sides[-1]]
    if asked.choice == "not-last-winner":
        return name[other]
    road = asked.choice.replace("-", "_")
    last = what_if([Result(side) for side in sides[:-1]])[sides[-1].value][road]
    for side in (Winner.PLAYER, Winner.BANKER):
        if last and what_if(history)[side.value][road] == last:
            return name[side]
    return None


def worth_it(count: Count, seen, size: int) -> bool:
    running = sum(count.tags[(card.points - 1) % 10] for card in seen)
    return running / Fraction(size - len(seen), 52) >= count.at_least


def test_the_kernel_agrees_with_plain_python_for_every_strategy():
    for name in BUILT_IN:
        compare(trial_of(name, sessions=3))


@settings(max_examples=25, deadline=None)
@given(
    strategy=st.sampled_from([*BUILT_IN]),
    choice=st.sampled_from(["banker", "player", "tie", *CHOICES]),
    bankroll=st.integers(2_000, 50_000),
    stop_loss=st.none() | st.integers(1, 20_000),
    stop_win=st.none() | st.integers(1, 20_000),
    maximum=st.sampled_from([None, 2_000, 9_000]),
    coups=st.integers(1, 150),
    burn=st.sampled_from(Burn),
    count=st.sampled_from([None, COUNT]),
    seed=st.integers(0, 2**64 - 1),
)
def test_the_kernel_agrees_with_plain_python_for_random_trials(
    strategy, choice, bankroll, stop_loss, stop_win, maximum, coups, burn, count, seed
):
    terms = SessionLimits(
        2000, bankroll, coups, maximum=maximum, stop_loss=stop_loss, stop_win=stop_win
    )
    rules = ShoeRules(GAME.decks, burn=burn)
    asked = trial_of(strategy, choice, terms, seed=seed, rules=rules, count=count, sessions=2)
    compare(asked)


def compare(asked: Trial) -> None:
    sessions = [play_plainly(asked, number) for number in range(asked.sessions)]
    tally = asked.part(0, asked.sessions)
    nets, falls, runs, turnovers, ends, coups = zip(*sessions, strict=True)
    assert sorted(nets) == sorted(value for value, n in tally.results.items() for _ in range(n))
    assert sorted(falls) == sorted(value for value, n in tally.falls.items() for _ in range(n))
    assert sorted(runs) == sorted(v for v, n in tally.losing_runs.items() for _ in range(n))
    assert (sum(turnovers), sum(coups)) == (tally.turnover, tally.coups)
    assert sorted(zip(ends, coups, strict=True)) == sorted(
        (how, coup)
        for how, by_coup in tally.endings.items()
        for coup, n in by_coup.items()
        for _ in range(n)
    )


# ---- Reproducibility ----


def test_results_do_not_depend_on_threads_or_chunks(tmp_path):
    asked = trial_of("labouchere", "last-winner", sessions=3_000)
    whole = simulate(asked, Execution(threads=1)).tally
    assert whole.sessions == 3_000
    assert len(whole.paths) == tally.PATHS
    for chunk in (1, 64, 1000):
        assert simulate(asked, Execution(threads=2, chunk=chunk)).tally == whole
    file = tmp_path / "trial.json"

    def stop(done: int, coups: int) -> None:
        if done >= 1_000:
            raise KeyboardInterrupt

    partly = simulate(asked, Execution(threads=1, chunk=64, progress=stop, checkpoint=file))
    assert not partly.complete
    assert simulate(asked, Execution(threads=2, checkpoint=file)).tally == whole
    other = trial_of("labouchere:line=1-2", "last-winner", sessions=3_000)
    with pytest.raises(BaccaratError, match="is from another run"):
        simulate(other, Execution(checkpoint=file))


# ---- Flat wagers and exact sessions ----


def test_ruin_with_flat_wagers_agrees_with_exact_sessions():
    """From a shuffler, where coups are independent: within four standard errors."""
    rules = ShoeRules.shuffler(GAME.decks)
    terms = SessionLimits(unit=2000, bankroll=20_000, coups=100, minimum=2000, stop_win=10_000)
    asked = trial_of("flat", "banker", terms, rules=rules, sessions=20_000, seed=1)
    done = simulate(asked)
    exact = session(GAME, (Wager("banker", 2000),)).ruin_curve(
        bankroll=20_000, coups=100, goal=30_000
    )
    for how, chances in (("ruined", exact.ruined), ("stop_win", exact.reached)):
        found = done.ended_by(how)
        for coup in (25, 50, 100):
            error = sqrt(chances[coup - 1] * (1 - chances[coup - 1]) / asked.sessions) + 1e-4
            assert abs(found[coup] - chances[coup - 1]) < 4 * error


def test_the_loss_per_stake_is_the_house_edge_for_every_strategy():
    for name, on in (("martingale", "banker"), ("paroli", "player"), ("oscars-grind", "tie")):
        done = simulate(trial_of(name, on, sessions=20_000, seed=3))
        edge = float(analyse(GAME)[on].edge)
        error = done.standard_error / float(done.turnover)
        assert abs(float(done.loss_per_stake) - edge) < 4 * error + 0.0005


def test_results_of_a_trial_are_consistent():
    done = simulate(trial_of("martingale", sessions=500))
    assert done.complete
    assert done.ahead + done.even + done.behind == 1
    assert sum(done.ended(how) for how in done.tally.endings) == 1
    assert done.mean < 0 or done.standard_error > 0
    assert quantile(done.tally.results, 0) == min(done.tally.results)
    assert quantile(done.tally.results, 1) == max(done.tally.results)
    assert done.paths(10).shape == (10, 101)
    assert (np.diff(done.path_quantiles((0.1, 0.5, 0.9)), axis=0) >= 0).all()
    assert done.cost_per_hour(70) == -done.mean * 500 / done.coups * 70
    one = simulate(trial_of("flat", sessions=1))
    assert one.standard_error is None
    assert one.cost_error(70) is None
    never = Count((Fraction(1),) * 10, Fraction(10**6))
    none = simulate(trial_of("flat", sessions=10, count=never))
    assert none.loss_per_stake is None
    assert none.tally.turnover == 0


# ---- Custom strategies ----

OWN = '''"""Two units after a tie."""
OPTIONS = {"units": 2}
MEMORY = 1

def decide(seat, options, memory):
    if seat.winner == 2:
        return seat.bet, options[0]
    return seat.bet, 1
'''


def test_a_custom_strategy_is_compiled(tmp_path):
    file = tmp_path / "ties.py"
    file.write_text(OWN, encoding="utf-8")
    own = strategy_named(f"{file}:units=3")
    assert own.words == "Two units after a tie."
    assert own.compiled.why_not is None
    compare(trial_of(own, sessions=2))


def test_a_strategy_that_cannot_be_compiled_runs_in_python_with_the_same_result(tmp_path, capsys):
    compiled = tmp_path / "ties.py"
    compiled.write_text(OWN, encoding="utf-8")
    slow = tmp_path / "slow.py"
    slow.write_text(OWN.replace("    if", "    words = {seat.winner: 'x'}.get(object)\n    if"))
    assert "TypingError" in strategy_named(str(slow)).compiled.why_not
    both = [trial_of(strategy_named(str(file)), sessions=100) for file in (compiled, slow)]
    fast, python = (simulate(each, Execution(threads=1)).tally for each in both)
    assert fast == python
    words = ["session", "commission", "--wagers", "banker 20", "--bankroll", "500"]
    words += ["--sessions", "20", "--seed", "1", "--coups", "30"]
    assert main([*words, "--strategy", str(slow)]) == 0
    printed = capsys.readouterr()
    assert "is not compiled, so it runs about 100x slower: TypingError" in printed.err
    assert "20 sessions" in printed.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("martingal", "did you mean 'martingale'"),
        ("nothing", "unknown strategy 'nothing'"),
        ("paroli:win=3", "no option 'win'"),
        ("paroli:wins", "is not an option: write paroli:NAME=VALUE"),
        ("paroli:wins=-1", "wins=-1: write a whole number"),
        ("labouchere:line=1-0", "whole numbers from 1"),
        ("nowhere.py", "nowhere.py does not exist"),
    ],
)
def test_invalid_strategy_names_and_options_are_refused(text, message):
    with pytest.raises(BaccaratError, match=message):
        strategy_named(text)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x = 1", "no function decide"),
        ("1 / 0", "cannot be run: ZeroDivisionError"),
        (
            "def decide(seat, options, memory):\n    return 99, 1",
            "after 0 coups of a session, chose bet 99",
        ),
        ("def decide(seat, options, memory):\n    return 1, -5", "staked -5: must be 0 or more"),
        (
            "MEMORY = -1\ndef decide(s, o, m):\n    return 1, 1",
            "must have a memory of 0 to 65536 numbers, not -1",
        ),
    ],
)
def test_files_that_are_not_strategies_are_refused(tmp_path, body, message):
    file = tmp_path / "bad.py"
    file.write_text(body, encoding="utf-8")
    with pytest.raises(BaccaratError, match=message):
        simulate(trial_of(strategy_named(str(file))))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"choice": "bancer"}, "did you mean 'banker'"),
        ({"sessions": 0}, "the number of sessions must be between 1 and .*, not 0"),
        ({"seed": -1}, "the seed must be between 0 and .*, not -1"),
        (
            {"terms": SessionLimits(2000, 150, 10, minimum=200)},
            "bankroll of 1.50 is below the minimum stake",
        ),
        ({"terms": SessionLimits(2010, 50_000, 10)}, "unit of 20.10 cannot be staked"),
        (
            {"terms": SessionLimits(2000, 50_000, 10, maximum=1000)},
            "minimum stake, 20.00, is above the maximum",
        ),
    ],
)
def test_invalid_trials_are_refused(change, message):
    with pytest.raises(BaccaratError, match=message):
        trial_of(**change)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"coups": 0}, "coups must be between 1 and 1000000, not 0"),
        ({"bankroll": 0}, "bankroll must be between 1 and 1000000000000, not 0"),
        ({"unit": -5}, "unit must be between 1 and 1000000000000, not -5"),
        ({"stop_loss": 0}, "stop-loss must be between 1 and 1000000000000, not 0"),
    ],
)
def test_invalid_terms_are_refused(terms, message):
    with pytest.raises(BaccaratError, match=message):
        SessionLimits(**{"unit": 100, "bankroll": 1000, "coups": 10} | terms)


def test_a_bet_that_requires_another_cannot_be_played_alone():
    game = load("examples/rule-cards/ez-baccarat.toml").game()
    with pytest.raises(
        BaccaratError, match="one bet per coup: Dragon 7: bet on Player or Banker first"
    ):
        trial_of(
            game=game,
            rules=ShoeRules(game.decks),
            choice="dragon-7",
            terms=SessionLimits(500, 9000, 10),
        )


def test_a_labouchere_line_that_exceeds_the_memory_is_refused():
    assert strategy_named("labouchere:line=" + "-".join("1" * 100)).values == [1] * 100
    with pytest.raises(BaccaratError, match="101 numbers in its options: at most 100 are allowed"):
        strategy_named("labouchere:line=" + "-".join("1" * 101))


@pytest.mark.parametrize(("bankroll", "coups"), [(2000, 1), (2000, 3), (6000, 10), (8000, 9)])
def test_ruin_on_the_last_coup_counts_as_ruin(bankroll, coups):
    terms = SessionLimits(2000, bankroll, coups)
    rules = ShoeRules.shuffler(GAME.decks)
    asked = trial_of("flat", "player", terms, rules=rules, sessions=20_000, seed=4)
    exact = session(GAME, (Wager("player", 2000),)).ruin_curve(bankroll=bankroll, coups=coups)
    found = simulate(asked).ended_by("ruined")
    for coup in range(1, coups + 1):
        chance = exact.ruined[coup - 1]
        assert abs(found[coup] - chance) < 4 * sqrt(chance * (1 - chance) / 20_000) + 1e-4


def test_with_a_shuffler_the_last_winner_is_known():
    rules = ShoeRules.shuffler(GAME.decks)
    for choice in ("last-winner", "big-eye-boy"):
        done = simulate(trial_of("flat", choice, rules=rules, sessions=50))
        assert done.tally.wagers > 0.5 * done.tally.coups


def test_stakes_do_not_overflow(tmp_path):
    file = tmp_path / "all.py"
    file.write_text("def decide(seat, options, memory):\n    return seat.bet, 10**15\n")
    terms = SessionLimits(10**9, 10**12, 50, maximum=10**12)
    done = simulate(trial_of(strategy_named(str(file)), "player", terms, sessions=64))
    assert done.tally.turnover > 0
    assert all(-(10**12) <= net <= 10**16 for net in done.tally.results)


ERRORS = [
    ("    if seat.played == 5:\n        raise ValueError\n    return seat.bet, 1", "after 5 coups"),
    ("    memory[100000000] = 5\n    return seat.bet, 1", "IndexError"),
    ("    return seat.bet, 1 // (3 - seat.played)", "ZeroDivisionError"),
    ("    return seat.bet, 1.5", "1.5) instead of two whole numbers (line 1)"),
    ("    return None", "it returned None instead of two whole numbers"),
    ("    return 5, 1", "chose Dragon 7, which requires another bet"),
]


@pytest.mark.parametrize(("body", "message"), ERRORS)
@pytest.mark.parametrize("slow", ["", "    words = {seat.winner: 'x'}.get(object)\n"])
def test_errors_in_a_strategy_are_reported_with_their_place(tmp_path, body, message, slow):
    """Compiled or not: one sentence, and no crash."""
    game = load("examples/rule-cards/ez-baccarat.toml").game()
    file = tmp_path / "mistaken.py"
    number = [bet.id for bet in game.bets].index("dragon-7")
    text = f"def decide(seat, options, memory):\n{slow}{body.replace('5, 1', f'{number}, 1')}\n"
    file.write_text(text, encoding="utf-8")
    asked = trial_of(strategy_named(str(file)), game=game, rules=ShoeRules(game.decks))
    with pytest.raises(BaccaratError, match="the strategy mistaken, after") as error:
        simulate(asked, Execution(threads=1))
    assert message in str(error.value)


def test_the_reason_a_strategy_is_not_compiled_names_the_line(tmp_path):
    file = tmp_path / "words.py"
    file.write_text("def decide(seat, options, memory):\n    return seat.bet, len(open('x'))\n")
    assert "line 2" in strategy_named(str(file)).compiled.why_not
    file.write_text("def decide(seat, options, memory):\n    return seat.bet, 1.0\n")
    assert (
        "instead of a bet and a stake in whole numbers"
        in strategy_named(str(file)).compiled.why_not
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OPTIONS = ['x']", "has invalid options .* write names with whole numbers"),
        ("OPTIONS = {'x': 1.5}", "has invalid options .* write names with whole numbers"),
        ("MEMORY = 'a'", "must have a memory of 0 to 65536 numbers, not 'a'"),
        ("from functools import partial\ndecide = partial(decide)", "has no plain function decide"),
    ],
)
def test_strategy_files_with_invalid_definitions_are_refused(tmp_path, text, message):
    file = tmp_path / "own.py"
    file.write_text(f"def decide(seat, options, memory):\n    return seat.bet, 1\n{text}\n")
    with pytest.raises(BaccaratError, match=message):
        strategy_named(str(file))


def test_a_bet_chosen_by_a_strategy_respects_limits_and_steps(tmp_path):
    file = tmp_path / "banker.py"
    number = [bet.id for bet in GAME.bets].index("banker")
    file.write_text(f"def decide(seat, options, memory):\n    return {number}, 1\n")
    terms = SessionLimits(2005, 60_000, 20)
    done = simulate(trial_of(strategy_named(str(file)), "player", terms, sessions=64))
    assert done.tally.turnover == done.tally.wagers * 2000


def test_a_checkpoint_of_an_edited_strategy_is_refused(tmp_path):
    file, kept = tmp_path / "own.py", tmp_path / "kept.json"
    file.write_text(OWN, encoding="utf-8")
    simulate(trial_of(strategy_named(str(file))), Execution(checkpoint=kept))
    file.write_text(OWN.replace("return seat.bet, 1", "return seat.bet, 5"), encoding="utf-8")
    with pytest.raises(BaccaratError, match="is from another run"):
        simulate(trial_of(strategy_named(str(file))), Execution(checkpoint=kept))


# ---- The command ----


def test_the_session_command_with_a_strategy(capsys, tmp_path):
    words = ["session", "commission", "--wagers", "last-winner 20", "--strategy", "martingale"]
    words += ["--bankroll", "500", "--sessions", "300", "--seed", "5", "--coups", "50"]
    files = [tmp_path / "out.csv", tmp_path / "out.svg"]
    assert main([*words, "--output", str(files[0]), "--plot", str(files[1]), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["seed"], found["sessions"], found["wager_on"]) == (5, 300, "last-winner")
    assert sum(found["results"].values()) == 300
    assert sum(found["ends"].values()) == pytest.approx(1)
    assert files[0].read_text().startswith("card,strategy,seed,net,sessions\n")
    ends = (tmp_path / "out-ends.csv").read_text()
    assert ends.startswith("card,strategy,seed,end,coup,sessions\n")
    assert "<svg" in files[1].read_text()
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "martingale on last-winner, unit 20.00, bankroll 500.00" in printed
    assert "seed 5" in printed
    assert "longest losing run" in printed


def test_flat_wagers_from_shoes_are_shown_with_the_exact_ones(capsys):
    words = ["session", "commission", "--wagers", "banker 20", "--strategy", "flat"]
    words += ["--sessions", "500", "--seed", "5", "--coups", "20"]
    assert main([*words, "--bankroll", "400"]) == 0
    assert "exact, independent coups" in capsys.readouterr().out
    assert main([*words, "--bankroll", "60", "--stop-win", "60"]) == 0
    printed = capsys.readouterr().out
    assert "ruined" in printed
    assert "exact, independent coups" in printed
    assert main([*words, "--bankroll", "60", "--stop-win", "60", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["beside_exact"]
    assert [row["name"] for row in rows] == ["ruined", "stop-win"]
    for row in rows:
        assert abs(row["from_shoes"] - row["independent"]) < 5 * row["standard_error"]
    assert (
        main([*words, "--bankroll", "400", "--tags=1,1,1,1,1,1,1,1,1,-2", "--min-true-count", "1"])
        == 0
    )
    assert "betting only at a true count of 1 or more, tags 1, 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--strategy", "flat"], "add --bankroll"),
        (["--strategy", "flat", "--bankroll", "1"], "below the minimum stake"),
        (["--strategy", "none", "--bankroll", "100"], "unknown strategy 'none'"),
        (
            ["--strategy", "flat", "--bankroll", "100", "--tags=1,2"],
            "--tags and --min-true-count must be used together",
        ),
        (
            ["--strategy", "flat", "--bankroll", "100", "--tags=1,2", "--min-true-count", "1"],
            "ten to king), not 2",
        ),
        (["--sessions", "5"], "--sessions requires a simulated session"),
        (["--min-true-count", "5"], "--min-true-count requires a simulated session"),
        (["--shuffler"], "--shuffler requires a simulated session"),
        (["--stop-win", "5"], "add --bankroll"),
        (["--plot", "x.gif"], "use .png or .svg"),
        (["--plot", "nowhere/x.png"], "the folder nowhere does not exist"),
    ],
)
def test_invalid_session_options_are_refused(capsys, words, message):
    assert main(["session", "commission", "--wagers", "banker 20", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_strategy_with_two_wagers_is_refused(capsys):
    words = ["session", "commission", "--wagers", "banker 20, tie 5", "--strategy", "flat"]
    assert main([*words, "--bankroll", "100"]) == 2
    assert (
        "--wagers 'banker 20, tie 5': a strategy makes one bet per coup" in capsys.readouterr().err
    )


def test_the_strategies_are_listed(capsys):
    assert main(["strategies"]) == 0
    printed = capsys.readouterr().out
    for name in (*BUILT_IN, *CHOICES):
        assert name in printed
    assert main(["strategies", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in found["strategies"]] == [*BUILT_IN]
