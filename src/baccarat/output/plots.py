"""Pictures of reports, for the eye: distributions, paths, curves. PNG or SVG, by the suffix.

In go results of analysis and simulation, out come figures. Nothing is computed here but where
things are drawn. It needs matplotlib (extra `lab`), imported when a picture is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baccarat.analysis.sessions import Drawdown, Final, RuinCurve
from baccarat.core.errors import BaccaratError
from baccarat.counting import Study
from baccarat.files import whole_file
from baccarat.simulation.counting import CountResult
from baccarat.simulation.run import Simulation
from baccarat.simulation.trial import TrialResult
from baccarat.simulation.worth import WorthResult

SUFFIXES = (".png", ".svg")
INK, QUIET, PAPER = "#22302b", "#8a948f", "#ffffff"
GREEN, RED, BLUE, GOLD = "#1f7a55", "#b3382c", "#2c5f9e", "#b98a1e"
BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)
BINS = 60
RARE = 0.01
"""Places that fewer of the shoes have are not drawn: chance would be all to see."""
FEWEST = 20
"""Nor are places with fewer coups than this."""
FEW_PATHS = 12
"""Paths drawn one by one, behind the bands."""
STYLE: Any = {
    "font.size": 9,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "baccarat",
    "svg.fonttype": "none",
}


def check_plot(path: Path) -> None:
    """Refuse a picture that cannot be drawn, before the work."""
    if path.suffix.lower() not in SUFFIXES:
        raise BaccaratError(f"{path} is no picture known here: name it {' or '.join(SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError as error:
        raise BaccaratError("pictures need matplotlib: pip install 'baccarat[lab]'") from error


def save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all; the same figure is the same file."""
    kind = path.suffix.lower().removeprefix(".")
    when = {"Date": None} if kind == "svg" else {}
    with whole_file(path) as file:
        figure.savefig(file, format=kind, dpi=150, facecolor=PAPER, metadata=when)


@contextmanager
def _drawing(title: str, panels: int) -> Iterator[tuple[Any, Any]]:
    """A figure and its panels, side by side, to be drawn in our style."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(5.2 * panels, 3.9), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold", color=INK)
        yield figure, figure.subplots(1, panels, squeeze=False)[0]


def _percent(axis: Any, decimals: int | None = None) -> None:
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1, decimals))


def _amounts(axis: Any) -> None:
    """Coins as amounts of money."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(6))
    axis.set_major_formatter(
        FuncFormatter(lambda coins, _: f"{coins / 100:,.0f}".replace("-", "−"))
    )


def _thousands(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(6, integer=True))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


# ---- Simulations ----


def simulation_figure(done: Simulation, exact: Mapping[str, Fraction]) -> Any:
    """Every bet's edge against the exact one; with places, the results along the shoe."""
    places = done.places
    title = f"{done.run.game.card.name}: {done.coups:,} coups, seed {done.run.seed}"
    with _drawing(title, 2 if places else 1) as (figure, panels):
        _draw_edges(panels[0], done, exact)
        if places:
            enough = max(FEWEST, RARE * done.tally.shoes)
            common = [place for place in places if place.coups >= enough]
            _draw_places(panels[1], common, done.run.plan.certain_coups)
    return figure


def _draw_edges(panel: Any, done: Simulation, exact: Mapping[str, Fraction]) -> None:
    bets = done.bets[::-1]
    far = [float(-bet.mean - exact[bet.id]) for bet in bets]
    errors = [2 * (bet.standard_error or 0.0) for bet in bets]
    panel.axvline(0, color=QUIET, linewidth=0.8)
    panel.errorbar(
        far,
        range(len(bets)),
        xerr=errors,
        fmt="o",
        color=BLUE,
        ecolor=BLUE,
        capsize=2,
        markersize=4,
    )
    names = [f"{done.run.game.bet(bet.id).name}  {float(exact[bet.id]):.2%}" for bet in bets]
    panel.set_yticks(range(len(bets)), names)
    panel.set_title("Simulated edge less the exact one, ± 2 s.e.")
    panel.margins(y=0.08)
    panel.locator_params(axis="x", nbins=5)
    _percent(panel.xaxis)


def _draw_places(panel: Any, places: Sequence[Any], certain: int) -> None:
    coups = np.arange(1, len(places) + 1)
    for name, colour in (("banker", RED), ("player", BLUE), ("tie", GREEN)):
        shares = [place.results[name] / place.coups for place in places]
        panel.plot(coups, shares, color=colour, label=name.capitalize(), linewidth=1.2)
    panel.axvline(certain, color=QUIET, linewidth=0.8, linestyle=":")
    panel.annotate(
        "every shoe has these",
        (certain, 0.98),
        xycoords=("data", "axes fraction"),
        xytext=(-4, 0),
        textcoords="offset points",
        ha="right",
        va="top",
        color=QUIET,
        fontsize=8,
    )
    panel.set_ylim(0, None)
    panel.set_xlabel("coup of the shoe")
    panel.set_title("Results along the shoe")
    panel.legend(loc="center left", bbox_to_anchor=(0, 0.7))
    _percent(panel.yaxis)


# ---- Sessions ----


def session_figure(
    title: str, currency: str, final: Final, falls: Drawdown, curve: RuinCurve | None
) -> Any:
    """Flat wagers, exactly: net result, deepest fall, and ruin if there is a bankroll."""
    with _drawing(title, 3 if curve else 2) as (figure, panels):
        _draw_results(panels[0], *_bins(final.values, final.chances), float(final.mean), currency)
        _draw_falls(panels[1], falls, currency)
        if curve:
            ends = {"too little to go on": curve.ruined}
            if curve.goal is not None:
                ends["stop-win"] = curve.reached
            _draw_ends(panels[2], ends)
    return figure


def _draw_falls(panel: Any, falls: Drawdown, currency: str) -> None:
    panel.plot(falls.depths, falls.at_least, color=RED, drawstyle="steps-post")
    panel.set_title("Chance of a fall so deep or deeper")
    panel.set_xlabel(f"{currency} below the highest point before")
    panel.set_ylim(0, 1.02)
    _amounts(panel.xaxis)
    _percent(panel.yaxis)


def trial_figure(title: str, result: TrialResult) -> Any:
    """A strategy's sessions: net result, the bankroll on its way, and how sessions ended."""
    currency = result.trial.game.card.currency
    tally = result.tally
    values, counts = np.array(sorted(tally.results.items())).T
    ends = {
        how.replace("_", "-"): result.ended_by(how)
        for how in ("ruined", "stop_loss", "stop_win")
        if tally.endings[how]
    }
    with _drawing(title, 3) as (figure, panels):
        bins = _bins(values, counts / tally.sessions)
        _draw_results(panels[0], *bins, float(result.mean), currency)
        _draw_paths(panels[1], result)
        _draw_ends(panels[2], ends)
    return figure


def _bins(values: Any, chances: Any) -> tuple[Any, Any]:
    """Net results put together to a few dozen bars, 0 always between two of them."""
    likely = values[np.cumsum(chances) > 1e-4]
    low, high = int(likely[0]), int(values[np.searchsorted(np.cumsum(chances), 1 - 1e-4)])
    steps = np.diff(np.unique(values))
    least = int(np.gcd.reduce(steps.astype(np.int64))) if len(steps) else 1
    width = max(1, round((high - low) / BINS / least)) * least
    edges = np.arange(low // width * width, high + 2 * width, width)
    heights, _ = np.histogram(values, bins=edges, weights=chances)
    return edges, heights


def _draw_results(panel: Any, edges: Any, heights: Any, mean: float, currency: str) -> None:
    colours = [GREEN if left >= 0 else RED for left in edges[:-1]]
    panel.bar(edges[:-1], heights, width=np.diff(edges), align="edge", color=colours)
    panel.axvline(0, color=INK, linewidth=0.8)
    words = f"on average {mean / 100:,.2f}".replace("-", "−")
    panel.axvline(mean, color=INK, linewidth=1, linestyle="--", label=words)
    panel.legend(loc="upper right")
    panel.set_title("Net result of a session")
    panel.set_xlabel(currency)
    _amounts(panel.xaxis)
    _percent(panel.yaxis)


def _draw_paths(panel: Any, result: TrialResult) -> None:
    bands = result.path_quantiles(BANDS)
    coups = np.arange(bands.shape[1]) * result.trial.every
    for path in result.paths(FEW_PATHS):
        panel.plot(coups, path, color=QUIET, linewidth=0.5, alpha=0.6)
    panel.fill_between(
        coups, bands[0], bands[4], color=BLUE, alpha=0.15, linewidth=0, label="5–95%"
    )
    panel.fill_between(
        coups, bands[1], bands[3], color=BLUE, alpha=0.3, linewidth=0, label="25–75%"
    )
    panel.plot(coups, bands[2], color=BLUE, label="median")
    panel.set_title("The bankroll on its way")
    panel.set_xlabel("coup")
    panel.set_ylabel(result.trial.game.card.currency)
    panel.legend(loc="lower left")
    panel.set_ylim(bottom=0)
    _amounts(panel.yaxis)
    _thousands(panel.xaxis)


def _draw_ends(panel: Any, ends: Mapping[str, NDArray[np.float64]]) -> None:
    colours = {"ruined": RED, "too little to go on": RED, "stop-loss": GOLD}
    for words, curve in ends.items():
        colour = colours.get(words, GREEN)
        panel.plot(np.arange(len(curve)), curve, color=colour, label=words)
    panel.set_title("Sessions ended by coup")
    panel.set_xlabel("coup")
    panel.set_ylim(0, None)
    if ends:
        panel.legend(loc="upper left")
    else:
        panel.text(
            0.5, 0.5, "none ended early", transform=panel.transAxes, ha="center", color=QUIET
        )
    _percent(panel.yaxis)
    _thousands(panel.xaxis)


# ---- Counting ----


def count_figure(study: Study, counted: CountResult, worth: WorthResult | None) -> Any:
    """How often each true count comes and what it is worth; along the shoe for a perfect player."""
    name = study.best.game.bet(study.best.bet).name
    title = f"{study.best.game.card.name}: counting {name}, seed {counted.run.seed}"
    with _drawing(title, 2 if worth else 1) as (figure, panels):
        _draw_counts(panels[0], study, counted, worth)
        if worth:
            _draw_depth(panels[1], worth)
    return figure


def _draw_counts(panel: Any, study: Study, counted: CountResult, worth: WorthResult | None) -> None:
    rows = [row for row in counted.counts if row.share >= 1e-4]
    trues = np.array([row.true_count for row in rows])
    colours = [GREEN if true >= study.at_least else QUIET for true in trues]
    panel.bar(trues + 0.5, [row.share for row in rows], width=0.9, color=colours, alpha=0.45)
    panel.set_xlabel("true count")
    panel.set_ylabel("share of coups")
    panel.set_title("How often a count comes, and what it is worth")
    _percent(panel.yaxis)
    edge = panel.twinx()
    edge.spines["right"].set_visible(True)
    edge.spines["right"].set_color(QUIET)
    edge.axhline(0, color=QUIET, linewidth=0.8)
    if worth:
        known = {true: mean for true, (_, mean) in worth.by_count.items() if true in set(trues)}
        edge.plot(
            [t + 0.5 for t in known],
            list(known.values()),
            "o-",
            color=BLUE,
            markersize=3,
            label="valued exactly",
        )
    errors = [2 * (row.standard_error or 0.0) for row in rows]
    means = [row.mean for row in rows]
    edge.errorbar(
        trues + 0.5,
        means,
        yerr=errors,
        fmt=".",
        color=GOLD,
        markersize=4,
        elinewidth=0.8,
        label="simulated, ± 2 s.e.",
    )
    line = [
        float(study.best.expectation + study.best.slope(study.tags) * Fraction(int(t)))
        for t in trues
    ]
    edge.plot(trues, line, color=INK, linewidth=0.8, linestyle="--", label="linear picture")
    span = max(max(map(abs, line)), 0.05)
    edge.set_ylim(-1.3 * span, 1.3 * span)
    edge.set_ylabel("player's edge")
    edge.legend(loc="upper left")
    _percent(edge.yaxis)


def _draw_depth(panel: Any, worth: WorthResult) -> None:
    rows = [row for row in worth.by_place if row[0] >= max(FEWEST, RARE * worth.tally.shoes)]
    coups = np.arange(1, len(rows) + 1)
    panel.bar(coups, [good for _, good, _ in rows], width=1.0, color=GREEN, alpha=0.35)
    panel.set_title("A perfect player along the shoe")
    panel.set_xlabel("coup of the shoe")
    panel.set_ylabel("share of coups in the player's favour")
    _percent(panel.yaxis)
    gain = panel.twinx()
    gain.spines["right"].set_visible(True)
    gain.spines["right"].set_color(QUIET)
    gain.plot(coups, [won for _, _, won in rows], color=BLUE)
    gain.set_ylabel("units won per coup", color=BLUE)
    gain.set_ylim(bottom=0)
