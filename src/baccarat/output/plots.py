"""Plots for reports: distributions, paths and curves, as PNG or SVG depending on the file suffix.

This module computes nothing except positions in the plot. It needs matplotlib (extra `lab`), which
is imported only when a figure is drawn.
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
from baccarat.counting.study import Study
from baccarat.counting.valuation import ValuationResult
from baccarat.files import whole_file
from baccarat.simulation.run import Simulation
from baccarat.simulation.sessions.trial import TrialResult
from baccarat.simulation.true_count import CountResult

SUFFIXES = (".png", ".svg")
INK, QUIET, PAPER = "#22302b", "#8a948f", "#ffffff"
GREEN, RED, BLUE, GOLD = "#1f7a55", "#b3382c", "#2c5f9e", "#b98a1e"
BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)
BINS = 60
RARE = 0.01
"""Minimum share of shoes that must reach a position for it to be plotted; below that, results are
too noisy."""
MIN_POINTS = 20
"""Minimum number of coups at a position for it to be plotted."""
FEW_PATHS = 12
"""Number of individual paths drawn behind the bands."""
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
    """Raise BaccaratError if the suffix is unknown or matplotlib is not installed."""
    if path.suffix.lower() not in SUFFIXES:
        raise BaccaratError(f"unknown plot format {path}: use {' or '.join(SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError as error:
        raise BaccaratError("plots need matplotlib: pip install 'baccarat[lab]'") from error


def save(figure: Any, path: Path) -> None:
    """Write a figure to a file atomically; equal figures give identical files."""
    kind = path.suffix.lower().removeprefix(".")
    when = {"Date": None} if kind == "svg" else {}
    with whole_file(path) as file:
        figure.savefig(file, format=kind, dpi=150, facecolor=PAPER, metadata=when)


@contextmanager
def _drawing(title: str, panels: int) -> Iterator[tuple[Any, Any]]:
    """Provide a figure with panels side by side, in the common style."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(5.2 * panels, 3.9), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold", color=INK)
        yield figure, figure.subplots(1, panels, squeeze=False)[0]


def _percent(axis: Any) -> None:
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1))


def _amounts(axis: Any) -> None:
    """Label an axis in coins with amounts of money."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(6))
    axis.set_major_formatter(lambda coins, _: f"{coins / 100:,.0f}".replace("-", "−"))


def _thousands(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(6, integer=True))
    axis.set_major_formatter("{x:,.0f}")


# ---- Simulations ----


def simulation_figure(done: Simulation, exact: Mapping[str, Fraction]) -> Any:
    """Plot each bet's simulated edge minus the exact edge and, if the run counted them, the results
    by position in the shoe."""
    places = done.places
    title = f"{done.run.game.card.name}: {done.coups:,} coups, seed {done.run.seed}"
    with _drawing(title, 2 if places else 1) as (figure, panels):
        _draw_edges(panels[0], done, exact)
        if places:
            enough = max(MIN_POINTS, RARE * done.tally.shoes)
            common = [place for place in places if place.coups >= enough]
            _draw_places(panels[1], common, done.run.rules.certain_coups)
    return figure


def _draw_edges(panel: Any, done: Simulation, exact: Mapping[str, Fraction]) -> None:
    bets = done.bets[::-1]
    far = [float(-bet.mean - exact[bet.id]) for bet in bets]
    errors = [2 * (bet.standard_error or 0.0) for bet in bets]
    panel.axvline(0, color=QUIET, linewidth=0.8)
    panel.errorbar(far, range(len(bets)), xerr=errors, fmt="o", color=BLUE, capsize=2, markersize=4)
    names = [f"{done.run.game.bet(bet.id).name}  {float(exact[bet.id]):.2%}" for bet in bets]
    panel.set_yticks(range(len(bets)), names)
    panel.set_title("Simulated minus exact edge, ± 2 s.e.")
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
        "reached by every shoe",
        (certain, 0.98),
        xycoords=("data", "axes fraction"),
        xytext=(-4, 0),
        textcoords="offset points",
        ha="right",
        va="top",
        color=QUIET,
        fontsize=8,
    )
    panel.set(title="Results by position in the shoe", xlabel="coup of the shoe", ylim=(0, None))
    panel.legend(loc="center left", bbox_to_anchor=(0, 0.7))
    _percent(panel.yaxis)


# ---- Sessions ----


def session_figure(
    title: str, currency: str, final: Final, falls: Drawdown, curve: RuinCurve | None
) -> Any:
    """Plot the exact figures of flat betting: net result, drawdown and, given a bankroll, ruin."""
    with _drawing(title, 3 if curve else 2) as (figure, panels):
        _draw_results(panels[0], *_bins(final.values, final.chances), float(final.mean), currency)
        _draw_falls(panels[1], falls, currency)
        if curve:
            ends = {"ruined": curve.ruined}
            if curve.goal is not None:
                ends["stop-win"] = curve.reached
            _draw_ends(panels[2], ends)
    return figure


def _draw_falls(panel: Any, falls: Drawdown, currency: str) -> None:
    panel.plot(falls.depths, falls.at_least, color=RED, drawstyle="steps-post")
    below = f"{currency} below the previous peak"
    panel.set(title="Chance of a drawdown this deep or deeper", xlabel=below, ylim=(0, 1.02))
    _amounts(panel.xaxis)
    _percent(panel.yaxis)


def trial_figure(title: str, result: TrialResult) -> Any:
    """Plot a strategy's simulated sessions: net result, bankroll over time, and how sessions
    ended."""
    currency = result.run.game.card.currency
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
    """Group net results into a few dozen bars, with 0 always on the boundary between two bars."""
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
    words = f"mean {mean / 100:,.2f}".replace("-", "−")
    panel.axvline(mean, color=INK, linewidth=1, linestyle="--", label=words)
    panel.legend(loc="upper right")
    panel.set(title="Net result of a session", xlabel=currency)
    _amounts(panel.xaxis)
    _percent(panel.yaxis)


def _draw_paths(panel: Any, result: TrialResult) -> None:
    bands = result.path_quantiles(BANDS)
    coups = np.arange(bands.shape[1]) * result.run.every
    for path in result.paths(FEW_PATHS):
        panel.plot(coups, path, color=QUIET, linewidth=0.5, alpha=0.6)
    for low, high, alpha, label in ((0, 4, 0.15, "5–95%"), (1, 3, 0.3, "25–75%")):
        band = (bands[low], bands[high])
        panel.fill_between(coups, *band, color=BLUE, alpha=alpha, linewidth=0, label=label)
    panel.plot(coups, bands[2], color=BLUE, label="median")
    currency = result.run.game.card.currency
    panel.set(title="Bankroll over the session", xlabel="coup", ylabel=currency)
    panel.legend(loc="lower left")
    panel.set_ylim(bottom=0)
    _amounts(panel.yaxis)
    _thousands(panel.xaxis)


def _draw_ends(panel: Any, ends: Mapping[str, NDArray[np.float64]]) -> None:
    colours = {"ruined": RED, "stop-loss": GOLD}
    for words, curve in ends.items():
        colour = colours.get(words, GREEN)
        panel.plot(np.arange(len(curve)), curve, color=colour, label=words)
    panel.set(title="Share of sessions ended by each coup", xlabel="coup", ylim=(0, None))
    if ends:
        panel.legend(loc="upper left")
    else:
        panel.text(
            0.5, 0.5, "none ended early", transform=panel.transAxes, ha="center", color=QUIET
        )
    _percent(panel.yaxis)
    _thousands(panel.xaxis)


# ---- Counting ----


def count_figure(study: Study, counted: CountResult, worth: ValuationResult | None) -> Any:
    """Plot the frequency and value of each true count and, if coups were valued, a perfect
    counter's wins."""
    name = study.best.game.bet(study.best.bet).name
    title = f"{study.best.game.card.name}: counting {name}, seed {counted.run.seed}"
    with _drawing(title, 2 if worth else 1) as (figure, panels):
        _draw_counts(panels[0], study, counted, worth)
        if worth:
            _draw_depth(panels[1], worth)
    return figure


def _draw_counts(
    panel: Any, study: Study, counted: CountResult, worth: ValuationResult | None
) -> None:
    rows = [row for row in counted.counts if row.share >= 1e-4]
    trues = np.array([row.true_count for row in rows])
    colours = [GREEN if true >= study.at_least else QUIET for true in trues]
    panel.bar(trues + 0.5, [row.share for row in rows], width=0.9, color=colours, alpha=0.45)
    title = "How often each count occurs, and its value"
    panel.set(title=title, xlabel="true count", ylabel="share of coups")
    _percent(panel.yaxis)
    edge = _second_scale(panel)
    edge.axhline(0, color=QUIET, linewidth=0.8)
    if worth:
        known = {true: mean for true, (_, mean) in worth.by_count.items() if true in set(trues)}
        marks = {"color": BLUE, "markersize": 3, "label": "exact value"}
        edge.plot([true + 0.5 for true in known], list(known.values()), "o-", **marks)
    errors = [2 * (row.standard_error or 0.0) for row in rows]
    means = [row.mean for row in rows]
    marks = {"color": GOLD, "markersize": 4, "elinewidth": 0.8, "label": "simulated, ± 2 s.e."}
    edge.errorbar(trues + 0.5, means, yerr=errors, fmt=".", **marks)
    best, slope = study.best.expectation, study.best.slope(study.tags)
    line = [float(best + slope * Fraction(int(true))) for true in trues]
    edge.plot(trues, line, color=INK, linewidth=0.8, linestyle="--", label="linear estimate")
    span = max(max(map(abs, line)), 0.05)
    edge.set(ylabel="player's edge", ylim=(-1.3 * span, 1.3 * span))
    edge.legend(loc="upper left")
    _percent(edge.yaxis)


def _second_scale(panel: Any) -> Any:
    """Add a second scale on the right of a panel."""
    scale = panel.twinx()
    scale.spines["right"].set_visible(True)
    scale.spines["right"].set_color(QUIET)
    return scale


def _draw_depth(panel: Any, worth: ValuationResult) -> None:
    rows = [row for row in worth.by_place if row[0] >= max(MIN_POINTS, RARE * worth.tally.shoes)]
    coups = np.arange(1, len(rows) + 1)
    panel.bar(coups, [good for _, good, _ in rows], width=1.0, color=GREEN, alpha=0.35)
    panel.set(
        title="A perfect counter by position in the shoe",
        xlabel="coup of the shoe",
        ylabel="share of coups in the player's favour",
    )
    _percent(panel.yaxis)
    gain = _second_scale(panel)
    gain.plot(coups, [won for _, _, won in rows], color=BLUE)
    gain.set_ylabel("units won per coup", color=BLUE)
    gain.set_ylim(bottom=0)
