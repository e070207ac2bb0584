"""Draw the pictures of the documentation: python docs/pictures/make.py

They show the built-in posters and the lab's reports. Draw them again when the appearance changes.
"""

import contextlib
import io
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image

from baccarat import load
from baccarat.cli import main as baccarat
from baccarat.poster import poster_of, poster_pdf

HERE = Path(__file__).parent
CARDS = HERE.parent.parent / "examples" / "rule-cards"
WIDTH = 700
"""Width of a page in pixels."""
PLOT_WIDTH = 1400
REPORTS = {
    "martingale": "session commission --strategy martingale --bankroll 2000 --seed 1 --wagers",
    "dragon-7": f"count {CARDS / 'ez-baccarat.toml'} dragon-7 --burn first-card "
    "--coups-after-cut 1 --seed 1 --exact-shoes 5000 --tags=0,0,0,-1,-1,-1,-1,2,2,0",
}


def main() -> None:
    poster = poster_of(load("punto-banco").game(), verify_url="https://house.example/verify")
    page = pypdfium2.PdfDocument(poster_pdf(poster))[0]
    picture = page.render(scale=WIDTH / page.get_width()).to_pil()
    picture.quantize(colors=160).save(HERE / "poster.png", optimize=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, command in REPORTS.items():
            drawn = Path(folder) / f"{name}.png"
            words = command.split()
            if words[-1] == "--wagers":
                words.append("banker 20")
            with contextlib.redirect_stdout(io.StringIO()):
                baccarat([*words, "--plot", str(drawn)])
            plot = Image.open(drawn).convert("RGB")
            plot = plot.resize((PLOT_WIDTH, plot.height * PLOT_WIDTH // plot.width))
            plot.quantize(colors=64).save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
