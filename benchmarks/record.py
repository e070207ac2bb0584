"""Simulate a trillion coups on a GPU and write the results to docs/reference/record.md.

This needs an NVIDIA GPU and the extra `gpu`. All figures on the page are measured or computed in
one run; a test simulates some ranges of its shoes again on a CPU and compares the results.

python benchmarks/record.py [--coups 1000000000000] [--page docs/reference/record.md]
"""

import argparse
import random
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numba import cuda, uint32, uint64

from baccarat import load
from baccarat.analysis.edges import analyse
from baccarat.core.money import percent_string
from baccarat.core.rulecard import Game
from baccarat.counting.study import study
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation.execution import Execution, run_job
from baccarat.simulation.gpu import jobs as gpu
from baccarat.simulation.gpu import kernel as gpu_kernel
from baccarat.simulation.gpu.packing import packing_of
from baccarat.simulation.inputs import running_counts, shoe_input
from baccarat.simulation.lookup import Detail
from baccarat.simulation.run import Run, Simulation
from baccarat.simulation.true_count import CountResult

CARD, SEED = "punto-banco-2000", 2026
COUPS_PER_SHOE = 81.8
GREEK = ("commission", "no-commission")
RANGES = 3
RANGE_SHOES = 12_800
SHOES = 1 << 26
ROOT = Path(__file__).parent.parent


def rules_of(game: Game) -> ShoeRules:
    """Return the rules used on the page: no cards burned, the cut card's coup is the last."""
    return ShoeRules(game.decks, burn=Burn.NONE, coups_after_cut=0)


def seconds_of(call: Any, rounds: int = 3) -> float:
    """Return the shortest time of several calls, after one call to warm up."""
    call()
    times = []
    for _ in range(rounds):
        started = perf_counter()
        call()
        times.append(perf_counter() - started)
    return min(times)


def floor_kernels(detail: Detail) -> tuple[Any, Any]:
    """Return two baseline kernels: one only generates random words, one also draws cards."""
    layout = packing_of(416)
    two_codes, *_ = gpu_kernel.dealing_of(detail, layout, hand_bets=False)
    words_of_block, registers = gpu_kernel.words_of_block, layout.words(detail)

    @cuda.jit(max_registers=64)
    def words_only(seed, shoes, blocks, sink):  # type: ignore[no-untyped-def]
        kept = uint32(0)
        for each in range(cuda.grid(1), shoes, cuda.gridsize(1)):
            for block in range(blocks):
                a, b, c, d = words_of_block(uint32(block), uint32(0), uint64(each), seed)
                kept = uint32(kept ^ a ^ b ^ c ^ d)
        sink[cuda.grid(1)] = kept

    @cuda.jit(max_registers=64)
    def cards_only(seed, shoes, size, words_needed, start, rejected, sink):  # type: ignore[no-untyped-def]
        counts = cuda.local.array(registers, uint32)
        kept = uint32(0)
        for each in range(cuda.grid(1), shoes, cuda.gridsize(1)):
            shoe = uint64(each)
            for i in range(registers):
                counts[i] = start[i]
            for block in range(words_needed // 4):
                words = words_of_block(uint32(block), uint32(0), shoe, seed)
                number, n = uint32(4 * block), uint32(size - 8 * block)
                one, two = two_codes(words[0], number, n, shoe, seed, rejected, counts)
                kept = uint32(kept + one + two)
                number, n = uint32(number + uint32(1)), uint32(n - uint32(2))
                one, two = two_codes(words[1], number, n, shoe, seed, rejected, counts)
                kept = uint32(kept + one + two)
                number, n = uint32(number + uint32(1)), uint32(n - uint32(2))
                one, two = two_codes(words[2], number, n, shoe, seed, rejected, counts)
                kept = uint32(kept + one + two)
                number, n = uint32(number + uint32(1)), uint32(n - uint32(2))
                one, two = two_codes(words[3], number, n, shoe, seed, rejected, counts)
                kept = uint32(kept + one + two)
        sink[cuda.grid(1)] = kept

    return words_only, cards_only


def floors(detail: Detail) -> tuple[float, float]:
    """Return the coups per second of the two baseline kernels: words alone, cards alone."""
    rules = rules_of(load(CARD).game())
    shoe = shoe_input(rules, detail)
    size, needed = shoe.size, shoe.needed
    words_only, cards_only = floor_kernels(detail)
    blocks, threads = gpu.find_gpu().processors * 2, 512
    sink = cuda.to_device(np.zeros(blocks * threads, np.uint32))
    packed = cuda.to_device(packing_of(416).packed(running_counts(rules.decks, detail)))
    bounds = cuda.to_device(shoe.rejected)

    def words() -> None:
        words_only[blocks, threads](np.uint64(SEED), SHOES, -(-needed // 8), sink)
        cuda.synchronize()

    def cards() -> None:
        cards_only[blocks, threads](
            np.uint64(SEED), SHOES, size, needed // 8 * 4, packed, bounds, sink
        )
        cuda.synchronize()

    coups = SHOES * COUPS_PER_SHOE
    return coups / seconds_of(words), coups / seconds_of(cards)


def tallying(card: str) -> float:
    """Return the coups per second of a simulation that counts every class of coups."""
    game = load(card).game()
    run = Run(game, rules_of(game), SEED, 1 << 40)
    found = gpu.part(run, 0, SHOES)
    return float(found.coups / seconds_of(lambda: gpu.part(run, 0, SHOES)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--coups", type=int, default=10**12)
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "reference" / "record.md")
    args = parser.parse_args()
    shoes = -(-int(args.coups / COUPS_PER_SHOE * 1.0005) // 64) * 64
    game = load(CARD).game()
    run = Run(game, rules_of(game), SEED, shoes)
    gpu.part(run, 0, 64)  # compile
    started = perf_counter()
    done = Simulation(run, run_job(run, Execution(device="gpu")))
    seconds = perf_counter() - started
    print(f"{done.coups:,} coups in {seconds:.2f} s", flush=True)
    lines = page(run, done, seconds, shuffled(args.coups // 10))
    args.page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def shuffled(coups: int) -> Simulation:
    """Simulate independent coups, each from a full shoe."""
    game = load(CARD).game()
    run = Run(game, ShoeRules.shuffler(game.decks), SEED, coups // 64 * 64)
    return Simulation(run, run_job(run, Execution(device="gpu")))


def edges(done: Simulation) -> list[str]:
    """Return a Markdown table that compares simulated edges with the exact ones of a full shoe."""
    exact = analyse(done.run.game)
    lines = [
        "| bet | house edge, simulated | ± standard error | exact, full shoe "
        "| difference, in standard errors |",
        "|---|---|---|---|---|",
    ]
    for bet in done.bets:
        edge, error = -bet.mean, bet.standard_error or 0.0
        off = float(edge - exact[bet.id].edge) / error
        name = done.run.game.bet(bet.id).name
        lines.append(
            f"| {name} | {percent_string(edge, 6)} | {error:.6%} | "
            f"{percent_string(exact[bet.id].edge, 6)} | {off:+.2f} |".replace("-", "−")
        )
    return lines


def page(run: Run, done: Simulation, seconds: float, independent: Simulation) -> list[str]:
    lines = [
        "# A trillion coups",
        "",
        "All figures on this page come from one run of `benchmarks/record.py` on a machine with a",
        "GPU. A CPU deals the same shoes and gives the same results: a test simulates the ranges",
        "of shoes listed under [Check it on a laptop](#check-it-on-a-laptop) on a CPU.",
        "",
        f"- GPU: {gpu.find_gpu().name}, {gpu.find_gpu().processors} streaming multiprocessors, "
        f"driver {driver()}",
        f"- command: `baccarat simulate {CARD} --shoes {run.shoes} --burn none "
        f"--coups-after-cut 0 --seed {SEED} --device gpu`",
        f"- {done.coups:,} coups in {run.shoes:,} shoes of eight decks",
        "- the cut card lies before the last 14 cards, no cards are burned, and the coup in which",
        "  the cut card comes out is the last one",
        f"- {seconds:.2f} s, or {done.coups / seconds / 1e9:.1f} billion coups a second, without",
        "  the five seconds or so that it takes to compile the kernel",
        "",
        "| result | coups | share |",
        "|---|---|---|",
        *(f"| {name} | {n:,} | {n / done.coups:.7%} |" for name, n in done.results.items()),
        "",
        *edges(done),
        "",
        "With a cut card, coups late in a shoe are not distributed like the first ones. A shoe",
        "ends after a fixed number of cards, not of coups, so a shoe whose coups use few cards has",
        "room for more coups. A trillion coups are enough to show this difference. When every coup",
        f"is dealt from a full shoe (`--shuffler`, {independent.coups:,} coups), the",
        "differences are due to chance alone:",
        "",
        *edges(independent),
        "",
        "## Every class of coups",
        "",
        "A class contains all coups with the same winner and the same payouts. Each line gives the",
        "number of coups, the winner, and the net payout of each bet per unit staked: "
        f"{', '.join(bet.id for bet in run.game.bets)}.",
        "",
        "```text",
        *(
            f"{n:>15,}  {winner:6}  {' '.join(map(str, paid))}"
            for (winner, paid), n in zip(run.lookup.classes, done.tally.classes, strict=True)
        ),
        "```",
        "",
        "## Check it on a laptop",
        "",
        "You can simulate any range of shoes again. The GPU gave these results for three ranges",
        "chosen at random (the arguments are the first shoe's number and the number of shoes):",
        "",
        "```python",
        ">>> from baccarat import load",
        ">>> from baccarat.shoe import Burn, ShoeRules",
        ">>> from baccarat.simulation import Run",
        f'>>> game = load("{CARD}").game()',
        ">>> run = Run(game, ShoeRules(game.decks, burn=Burn.NONE, coups_after_cut=0), "
        f"seed={SEED}, shoes={run.shoes})",
    ]
    rng = random.Random(SEED)
    for _ in range(RANGES):
        first = rng.randrange(run.shoes // 64 - RANGE_SHOES // 64) * 64
        found = gpu.part(run, first, RANGE_SHOES)
        lines += [
            f">>> run.part({first}, {RANGE_SHOES})",
            repr(found),
        ]
    return [*lines, "", "```", "", *speeds()]


def speeds() -> list[str]:
    lines = [
        "## Speed",
        "",
        "Two baselines show the upper limits: “random words alone” only generates the random",
        "numbers, and “cards alone” also draws the cards but plays no game. A kernel keeps only as",
        "much of each card as its bets need: points, ranks (for pairs) or suits.",
        "",
        "| | billion coups a second | relative to cards alone |",
        "|---|---|---|",
    ]
    examples = ROOT / "examples" / "rule-cards"
    for detail, what, cards in (
        (Detail.POINTS, "points", [CARD, "double-chance", "online"]),
        (
            Detail.RANKS,
            "ranks (pairs)",
            ["fortune-six", "punto-banco", "commission", "no-commission"],
        ),
        (Detail.CARDS, "suits", [str(examples / "pairs.toml")]),
    ):
        words, alone = floors(detail)
        lines.append(f"| random words alone, {what} | {words / 1e9:.0f} | |")
        lines.append(f"| cards alone, {what} | {alone / 1e9:.1f} | 1 |")
        for card in cards:
            speed = tallying(card)
            lines.append(f"| {Path(card).stem} | {speed / 1e9:.1f} | {speed / alone:.2f} |")
    game = load(examples / "ez-baccarat.toml").game()
    asked = study(game, "dragon-7")
    job = asked.counting(rules_of(game), seed=SEED, shoes=1_000_000_000 // 64 * 64)
    gpu.part(job, 0, 64)
    started = perf_counter()
    counted = CountResult(job, run_job(job, Execution(device="gpu"))).wagering
    seconds = perf_counter() - started
    assert counted.mean is not None
    lines += [
        f"| card counting on Dragon 7, a billion shoes | {counted.coups / seconds / 1e9:.1f} | |",
        "",
        f"Card counting on Dragon 7 was simulated over {counted.shoes:,} shoes. The tags for "
        f"the ranks ace to 9 and for all ten-valued cards are {', '.join(map(str, asked.tags))}. "
        f"Betting at a true count of {float(asked.at_least):+g} or more means a bet on "
        f"{float(counted.share):.4%} of all coups, with a player's edge of "
        f"{float(counted.mean):.4%} ± {counted.mean_error:.4%}, or "
        f"{float(counted.per_shoe):.5f} ± {counted.per_shoe_error:.5f} units a shoe.",
    ]
    return lines


def driver() -> str:
    import subprocess

    asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
