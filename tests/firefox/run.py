"""Play in Firefox, in a house of its own: PYTHONPATH=tests python tests/firefox/run.py"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from baccarat.house.table_plans import TablePlan
from baccarat.table.settings import Clock
from support.live import settings_for
from support.served import HOUSE, served

CLOCK = Clock(betting=2_500, card=30, pause=1_000)
FAST = TablePlan("fast", "Fast", settings_for(clock=CLOCK), guests=True)
SCRIPT = Path(__file__).with_name("play.mjs")


def main() -> int:
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if not firefox:
        sys.exit("Firefox not found. On Debian: apt-get install firefox-esr")
    house = replace(HOUSE, tables=(FAST,))
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), house=house) as running:
        command = ["node", SCRIPT, running.address, firefox]
        return subprocess.run(command, timeout=300, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
