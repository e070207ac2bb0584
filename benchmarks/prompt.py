"""Measure the time of `baccarat edge punto-banco` at the prompt, relative to `import numpy`.

Run it as `python benchmarks/prompt.py`. Every run is a separate process. Machines are noisy, so
runs are interleaved and the median is shown. The benchmark also checks that the command imports
neither numpy nor numba, because importing them would make it slow.
"""

import subprocess
import sys
from statistics import median
from time import perf_counter

RUNS = 15
TARGET = 3.0
"""Maximum time of the command, as a multiple of `import numpy`."""
HEAVY = ("numpy", "numba")

PROMPT = "import sys; from baccarat.cli import main; sys.exit(main(['edge', 'punto-banco']))"
IMPORTED = (
    "import sys; from baccarat.cli import main; main(['edge', 'punto-banco']); "
    f"sys.exit(' '.join(name for name in {HEAVY} if name in sys.modules) or 0)"
)
UNIT, OURS = "import numpy", "baccarat edge punto-banco"
COMMANDS = {"python, nothing else": "pass", UNIT: "import numpy", OURS: PROMPT}


def main() -> None:
    check_imports()
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, code in COMMANDS.items():
            times[name].append(seconds(code))
    print(f"{'':28}{'ratio':>8}{'target':>9}{'ms':>9}")
    for name, spent in times.items():
        ratio = median(spent) / median(times[UNIT])
        target = f"< {TARGET:.0f}" if name == OURS else ""
        missed = "   MISSED" if name == OURS and ratio >= TARGET else ""
        print(f"{name:28}{ratio:8.2f}{target:>9}{median(spent) * 1e3:9.1f}{missed}")


def check_imports() -> None:
    ran = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True)
    assert ran.returncode == 0, f"the command failed or imported {ran.stderr.strip()}"
    print(f"imports neither {' nor '.join(HEAVY)}: yes\n")


def seconds(code: str) -> float:
    begin = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - begin


if __name__ == "__main__":
    main()
