"""Measure the recorded ratios again: write them to benchmarks/README.md, or check them.

python benchmarks/report.py             measure, record, and write the table
python benchmarks/report.py --check     measure, and fail if one is more than 20% worse
"""

import re
import sys
from pathlib import Path

import network
import prompt

README = Path(__file__).parent / "README.md"
WORSE = 1.2
"""A ratio that exceeds the recorded one by more than this factor is a failure."""
ROW = re.compile(r"^\| (.+) \| (\d+\.\d\d) \|$", re.MULTILINE)
PLACE = re.compile(r"(<!-- recorded ratios -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> int:
    measured = prompt.ratios() | network.bets() | network.events([500])
    text = README.read_text(encoding="utf-8")
    found = PLACE.search(text)
    assert found, "the README has no place for the table"
    if "--check" not in sys.argv[1:]:
        rows = "".join(f"| {name} | {ratio:.2f} |\n" for name, ratio in measured.items())
        table = f"\n| | ratio |\n|---|---|\n{rows}\n"
        README.write_text(PLACE.sub(rf"\1{table}\2", text), encoding="utf-8")
        return 0
    recorded = {name: float(ratio) for name, ratio in ROW.findall(found[0])}
    worse = [name for name in measured if measured[name] > recorded.get(name, 0) * WORSE]
    for name, ratio in measured.items():
        mark = "  WORSE" if name in worse else ""
        print(f"{name}: {ratio:.2f}, recorded {recorded.get(name, 0):.2f}{mark}")
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main())
