"""Measure the CPU time of commands at the prompt, relative to Python alone and `import numpy`.

Run it as `python benchmarks/prompt.py`. Every run is a separate process. Machines are noisy, so
runs are interleaved and the median is shown. The benchmark also checks that `edge` imports neither
numpy nor numba, because importing them would make it slow.
"""

import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

RUNS = 11
HEAVY = ("numpy", "numba")

PROMPT = "import sys; from baccarat.cli import main; sys.exit(main(['edge', 'punto-banco']))"
IMPORTED = (
    "import sys; from baccarat.cli import main; main(['edge', 'punto-banco']); "
    f"sys.exit(' '.join(name for name in {HEAVY} if name in sys.modules) or 0)"
)
HELP = "import sys; from baccarat.cli import main; sys.exit(main(['--help']))"
COMMANDS = {"python": "pass", "import numpy": "import numpy", "edge": PROMPT, "--help": HELP}
TARGETS = {("--help", "python"): 2.5, ("edge", "import numpy"): 1.5}
"""Maximum ratios of two CPU times."""


def ratios() -> dict[str, float]:
    """Return the measured ratios, by name."""
    check_imports()
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, code in COMMANDS.items():
            times[name].append(seconds(code))
    for name, spent in times.items():
        print(f"{name:28}{median(spent) * 1e3:9.1f} ms of CPU time")
    return {
        f"`baccarat {ours}`, relative to `{floor}`": median(times[ours]) / median(times[floor])
        for ours, floor in TARGETS
    }


def main() -> None:
    for (name, ratio), target in zip(ratios().items(), TARGETS.values(), strict=True):
        print(f"{name}: {ratio:.2f} (target {target}){'  MISSED' if ratio > target else ''}")


def check_imports() -> None:
    ran = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True)
    assert ran.returncode == 0, f"the command failed or imported {ran.stderr.strip()}"
    print(f"imports neither {' nor '.join(HEAVY)}: yes\n")


def seconds(code: str) -> float:
    """Return the CPU time of a process that runs this code."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    main()
