"""`baccarat session`: compute a session's results exactly (flat betting) or simulate a strategy."""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from rich.table import Table
from rich.text import Text

from baccarat import BaccaratError, Game
from baccarat.analysis.edges import analyse
from baccarat.analysis.sessions import Drawdown, Final, RuinCurve, Session, session
from baccarat.cli.shared.long_work import Outcome, add_work, do_work, seed_of
from baccarat.cli.shared.options import (
    add_amount,
    add_game,
    add_number,
    add_value,
    check_range,
    game_of,
)
from baccarat.cli.shared.output import check_output, report
from baccarat.cli.shared.printing import DIGITS, Shown, attributes, console, counted, signed, table
from baccarat.cli.shared.seat import parse_wagers
from baccarat.cli.shared.shoe_options import add_shoe, rules_json, rules_of
from baccarat.core.money import (
    decimal_string,
    format_coins,
    parse_coins,
    parse_number,
    percent_string,
)
from baccarat.core.wagers import Wager
from baccarat.counting.tags import format_tags, parse_tags
from baccarat.output import plots
from baccarat.simulation.sessions.strategies import flat, strategy_named
from baccarat.simulation.sessions.tally import Sessions, quantile
from baccarat.simulation.sessions.trial import CHOICES, SessionLimits, Trial, TrialResult
from baccarat.simulation.true_count import Count

MAX_COUPS = 20_000
"""Maximum number of coups for exact figures; more would take too long."""
COUPS_FOR_EXACT_FALLS = 1_000
"""Above this many coups, drawdowns are computed only in whole stakes, because each depth is
computed separately."""
DEPTHS = 40
"""Number of drawdown depths whose chances are computed, up to the deepest likely one."""
SIMULATED_ONLY = (
    *("sessions", "stop_loss", "table_min", "table_max", "tags", "min_true_count"),
    *("cut", "burn", "coups_after_cut", "shuffler"),
    *("seed", "threads", "cluster", "checkpoint", "device"),
)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
ENDS = {
    "ruined": "ruined",
    "stop_loss": "stop-loss",
    "stop_win": "stop-win",
    "time": "played to the end",
}

COUNTED: dict[str, tuple[str, Callable[[int], str]]] = {
    "results": ("net result", format_coins),
    "falls": ("maximum drawdown", format_coins),
    "losing_runs": ("longest losing run", str),
}
"""Quantities whose distributions are reported, with their names and the format of their values."""


class ExactSession(NamedTuple):
    """Everything that the command reports about an exact session."""

    game: Game
    wagers: tuple[Wager, ...]
    played: Session
    final: Final
    curve: RuinCurve | None
    falls: Drawdown
    fall_quantiles: list[int]
    per_hour: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    words = (
        'bets on every coup, such as "banker 20, tie 5"; with --strategy, one bet or bet '
        'selection and the unit, such as "last-winner 20"'
    )
    add_value(parser, "--wagers", "WAGERS", words, required=True)
    add_number(parser, "--coups", "length of a session in coups", 300)
    add_number(parser, "--coups-per-hour", "speed, for the cost per hour", 70)
    add_amount(parser, "--bankroll", "money the player starts with")
    add_amount(parser, "--stop-win", "stop after winning this much (requires --bankroll)")
    _add_trial(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    check_range("--coups", args.coups, 1, MAX_COUPS)
    check_range("--coups-per-hour", args.coups_per_hour, 1, MAX_COUPS)
    if args.stop_win is not None and args.bankroll is None:
        raise BaccaratError("--stop-win requires a bankroll: add --bankroll AMOUNT")
    if args.strategy is not None:
        return _run_trial(args, game)
    _refuse_trial_options(args)
    check_output(args)
    exact = _exact_session(args, game)
    return report(
        args,
        _document(exact),
        _shown(exact),
        tables=_tables(exact),
        game=game,
        draw=lambda: plots.session_figure(
            f"{game.card.name}: {_placed(exact)}",
            game.card.currency,
            exact.final,
            exact.falls,
            exact.curve,
        ),
    )


def _exact_session(args: argparse.Namespace, game: Game) -> ExactSession:
    wagers = parse_wagers(game, args.wagers)
    played = session(game, wagers)
    final = played.final(args.coups)
    curve = None
    if args.bankroll is not None:
        goal = None if args.stop_win is None else args.bankroll + args.stop_win
        curve = played.ruin_curve(bankroll=args.bankroll, coups=args.coups, goal=goal)
    every = None if args.coups <= COUPS_FOR_EXACT_FALLS else played.stake
    likely = played.fall_quantiles(args.coups, QUANTILES, every=every)
    falls = _drawdown(played, final)
    return ExactSession(game, wagers, played, final, curve, falls, likely, args.coups_per_hour)


def _placed(exact: ExactSession) -> str:
    words = (f"{exact.game.bet(w.bet).name} {format_coins(w.stake)}" for w in exact.wagers)
    return f"{', '.join(words)} on each of {counted(exact.final.coups, 'coup')}"


def _tables(exact: ExactSession) -> dict[str, list[Any]]:
    final, curve, falls = exact.final, exact.curve, exact.falls
    tables = {
        "results": _rows(net=final.values.tolist(), chance=final.chances.tolist()),
        "falls": _rows(depth=falls.depths.tolist(), at_least=falls.at_least.tolist()),
    }
    if curve:
        coups = range(1, len(curve.ruined) + 1)
        ends = {"ruined": curve.ruined.tolist(), "reached": curve.reached.tolist()}
        tables["ends"] = _rows(coup=coups, **ends)
    return tables


def _rows(**columns: Iterable[Any]) -> list[dict[str, Any]]:
    """Convert columns to rows."""
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _drawdown(played: Session, final: Final) -> Drawdown:
    """Return the chances of drawdowns up to the deepest likely one, in steps of whole stakes."""
    deepest = 6 * final.standard_deviation + abs(float(final.mean))
    every = max(1, round(deepest / DEPTHS / played.stake)) * played.stake
    return played.drawdown(final.coups, limit=DEPTHS * every, every=every)


def _document(exact: ExactSession) -> dict[str, Any]:
    _, wagers, played, final, curve, falls, likely, per_hour = exact
    data = {
        "wagers": [{"bet": wager.bet, "stake": wager.stake} for wager in wagers],
        "coups": final.coups,
        "edge_percent": decimal_string(played.edge * 100, DIGITS),
        "mean": decimal_string(final.mean, DIGITS),
        "sd": f"{final.standard_deviation:.{DIGITS}f}",
        "cost_per_hour": decimal_string(played.cost(per_hour), DIGITS),
        **attributes(final, "ahead", "even", "behind"),
        "final": {"values": final.values.tolist(), "chances": final.chances.tolist()},
        "fall_quantiles": {f"{q:g}": d for q, d in zip(QUANTILES, likely, strict=True)},
        "drawdown": {"depths": falls.depths.tolist(), "at_least": falls.at_least.tolist()},
        "error": max(final.error, falls.error, curve.error if curve else 0.0),
    }
    if curve:
        ends = {"ruined": curve.ruined.tolist(), "reached": curve.reached.tolist()}
        data["ruin"] = {"bankroll": curve.bankroll, "goal": curve.goal, **ends}
    return data


def _shown(exact: ExactSession) -> Shown:
    game, _, played, final, curve, _, falls, per_hour = exact
    yield Text(_placed(exact))
    note = "Exact for independent coups, as from a shuffler. To simulate shoes: --strategy flat."
    yield Text(note, "dim")
    money = game.card.currency
    cost, total = format_coins(round(played.cost(per_hour))), format_coins(round(-final.mean))
    spread = format_coins(round(final.standard_deviation))
    summary = {
        "house edge": percent_string(played.edge),
        "expected cost": f"{total} {money} ({cost} per hour at {per_hour} coups per hour)",
        "standard deviation": f"{spread} {money}",
        "ahead, even, behind": f"{final.ahead:.2%}, {final.even:.2%}, {final.behind:.2%}",
    }
    yield table(["", ""], summary.items())
    exactly = final.coups <= COUPS_FOR_EXACT_FALLS
    likely = {
        "net result": [final.quantile(q) for q in QUANTILES],
        "maximum drawdown" if exactly else "maximum drawdown, in whole stakes": falls,
    }
    yield _quantiles([name, *map(format_coins, coins)] for name, coins in likely.items())
    if curve:
        yield _curve(curve)


def _quantiles(rows: Iterable[Iterable[str]]) -> Table:
    return table(["", *(f">{q:.0%}" for q in QUANTILES)], rows)


def _curve(curve: RuinCurve) -> Table:
    coups = len(curve.ruined)
    places = sorted({max(1, round(coups * share)) for share in (0.1, 0.25, 0.5, 0.75, 1)})
    ends = {f">ruined (bankroll {format_coins(curve.bankroll)})": curve.ruined}
    if curve.goal is not None:
        ends[f">reached {format_coins(curve.goal)}"] = curve.reached
    return table(
        [">by coup", *ends],
        ([f"{t:,}", *(f"{chances[t - 1]:.4%}" for chances in ends.values())] for t in places),
    )


# ---- simulated sessions of a strategy -----------------------------------------------------------


def _add_trial(parser: argparse.ArgumentParser) -> None:
    """Add the options of simulated sessions."""
    group = parser.add_argument_group("options for simulated sessions (see baccarat strategies)")
    words = "strategy to simulate, such as flat, martingale, paroli:wins=4 or my.py"
    add_value(group, "--strategy", "NAME", words)
    add_number(group, "--sessions", "number of sessions to simulate (default: 100000)")
    add_amount(group, "--stop-loss", "stop after losing this much")
    add_amount(group, "--table-min", "minimum bet of the table (default: the card's)")
    add_amount(group, "--table-max", "maximum bet of the table (default: the card's)")
    add_value(group, "--tags", "TAGS", "count cards with these ten tags, for A to 9 and 10")
    words = "lowest true count at which to bet (with --tags)"
    add_value(group, "--min-true-count", "COUNT", words, type=parse_number)
    add_shoe(parser)
    add_work(parser)


def _refuse_trial_options(args: argparse.Namespace) -> None:
    """Raise an error for options that do not apply to exact sessions."""
    for name in SIMULATED_ONLY:
        if getattr(args, name) not in (None, False, "cpu"):
            option = f"--{name.replace('_', '-')}"
            raise BaccaratError(f"{option} requires a simulated session: add --strategy flat")


def _run_trial(args: argparse.Namespace, game: Game) -> int:
    trial = _trial(args, game)
    why_not = trial.strategy.compiled.why_not
    if why_not:
        warning = f"{trial.strategy.name} is not compiled, so it runs about 100x slower: {why_not}"
        console(sys.stderr).print(Text(warning, "yellow"))
    outcome = do_work(args, trial, unit="session")
    result = TrialResult(trial, outcome.total)
    return report(
        args,
        _trial_document(result, args.coups_per_hour),
        _trial_shown(result, outcome, args.coups_per_hour),
        tables=result.tables,
        game=game,
        draw=lambda: plots.trial_figure(
            f"{game.card.name}: {_title(trial)}; seed {trial.seed}", result
        ),
        fault=outcome.fault,
    )


def _trial(args: argparse.Namespace, game: Game) -> Trial:
    if args.bankroll is None:
        raise BaccaratError("--strategy requires a bankroll: add --bankroll AMOUNT")
    if (args.tags is None) != (args.min_true_count is None):
        raise BaccaratError("--tags and --min-true-count must be used together")
    choice, unit = _choice(game, args.wagers)
    limits = attributes(args, "bankroll", "coups", "stop_loss", "stop_win")
    return Trial(
        game,
        rules_of(args, game),
        strategy_named(args.strategy),
        choice,
        SessionLimits(unit, minimum=args.table_min, maximum=args.table_max, **limits),
        seed_of(args),
        100_000 if args.sessions is None else args.sessions,
        None if args.tags is None else Count(parse_tags(args.tags), args.min_true_count),
    )


def _choice(game: Game, text: str) -> tuple[str, int]:
    """Parse `banker 20` or `last-winner 20`; return the bet or bet selection, and the unit."""
    name, _, amount = text.strip().rpartition(" ")
    if name in CHOICES:
        return name, parse_coins(amount)
    wagers = parse_wagers(game, text, other_words=CHOICES)
    if len(wagers) != 1:
        raise BaccaratError(
            f"--wagers {text!r}: a strategy makes one bet per coup; give one bet and the unit"
        )
    return wagers[0].bet, wagers[0].stake


def _title(trial: Trial) -> str:
    terms, names = trial.terms, {bet.id: bet.name for bet in trial.game.bets}
    on = names.get(trial.choice, trial.choice)
    return (
        f"{trial.strategy.name} on {on}, unit {format_coins(terms.unit)}, bankroll "
        f"{format_coins(terms.bankroll)}, {counted(terms.coups, 'coup')} per session"
    )


def _trial_document(result: TrialResult, per_hour: int) -> dict[str, Any]:
    trial, tally = result.run, result.tally
    strategy, loss = trial.strategy, result.loss_per_stake
    return {
        "strategy": strategy.name,
        "options": dict(strategy.options),
        "compiled": strategy.compiled.why_not is None,
        "wager_on": trial.choice,
        **asdict(trial.terms),
        "count": None if trial.count is None else trial.count.identity,
        "seed": trial.seed,
        "shoe": rules_json(trial.rules),
        "complete": result.complete,
        "sessions": tally.sessions,
        "mean": decimal_string(result.mean, DIGITS),
        "standard_error": result.standard_error,
        "sd": result.standard_deviation,
        **{name: float(getattr(result, name)) for name in ("ahead", "even", "behind")},
        "ends": {how: float(result.ended(how)) for how in ENDS},
        "turnover": decimal_string(result.turnover, DIGITS),
        "loss_per_stake": None if loss is None else decimal_string(loss, DIGITS),
        "cost_per_hour": decimal_string(result.cost_per_hour(per_hour), DIGITS),
        "cost_per_hour_error": result.cost_error(per_hour),
        "beside_exact": [asdict(row) for row in _compared_with_exact(result)],
        **{name: dict(sorted(getattr(tally, name).items())) for name in COUNTED},
    }


def _trial_shown(result: TrialResult, outcome: Outcome[Sessions], per_hour: int) -> Shown:
    trial, tally = result.run, result.tally
    yield Text(_title(trial))
    if trial.count:
        tags = format_tags(trial.count.tags)
        yield Text(
            f"betting only at a true count of {float(trial.count.at_least):g} or more, tags {tags}"
        )
    yield from outcome.shown(trial.seed, trial.rules)
    yield table(["", ""], _summary(result, per_hour).items())
    yield _quantiles(
        [words, *(form(quantile(getattr(tally, name), q)) for q in QUANTILES)]
        for name, (words, form) in COUNTED.items()
    )
    rows = _compared_with_exact(result)
    if rows:
        dealt = "from a shuffler" if trial.rules.is_shuffler else "from shoes"
        yield table(
            ["", f">{dealt}", ">± standard error", ">exact, independent coups", ">difference"],
            map(_comparison_cells, rows),
        )


def _summary(result: TrialResult, per_hour: int) -> dict[str, str]:
    trial, money = result.run, result.run.game.card.currency
    cost, error = result.cost_per_hour(per_hour), result.cost_error(per_hour)
    ends = ((words, result.ended(how)) for how, words in ENDS.items())
    kept = "–" if result.loss_per_stake is None else percent_string(result.loss_per_stake)
    turnover = format_coins(round(result.turnover))
    shares = (result.ahead, result.even, result.behind)
    exact = analyse(trial.game)
    # A custom strategy may wager on bets other than the proposed one.
    edge = "exact edge, proposed bets" if trial.strategy.source else "exact house edge"
    return {
        "average net result": f"{_coins(result.mean, result.standard_error)} {money}",
        "standard deviation": f"{format_coins(round(result.standard_deviation))} {money}",
        "ahead, even, behind": ", ".join(f"{float(share):.2%}" for share in shares),
        "how sessions ended": ", ".join(f"{w} {float(share):.2%}" for w, share in ends if share),
        "staked": f"{turnover} {money} per session; the house kept {kept} of it",
        edge: ", ".join(
            f"{trial.game.bet(bet).name} {percent_string(exact[bet].edge)}" for bet in trial.bets
        ),
        "cost per hour": f"{_coins(cost, error)} {money} at {per_hour} coups per hour",
    }


def _coins(mean: Fraction, error: float | None) -> str:
    text = format_coins(round(mean))
    return text if error is None else f"{text} ± {format_coins(round(error))}"


@dataclass(frozen=True)
class _Comparison:
    """A figure from simulated shoes, with the exact figure for independent coups."""

    name: str
    from_shoes: float
    standard_error: float
    independent: float


def _compared_with_exact(result: TrialResult) -> list[_Comparison]:
    """Return the figures of simulated flat betting, each with the exact figure for independent
    coups."""
    trial, terms, n = result.run, result.run.terms, result.tally.sessions
    flat_ones = trial.strategy.decide is flat and len(trial.bets) == 1 and trial.count is None
    if not flat_ones or terms.stop_loss is not None or n < 2:
        return []
    exact = session(trial.game, (Wager(trial.choice, terms.unit),))
    goal = None if terms.stop_win is None else terms.bankroll + terms.stop_win
    curve = exact.ruin_curve(bankroll=terms.bankroll, coups=terms.coups, goal=goal)
    rows = [
        _Comparison(ENDS[how], share, _share_error(share, n), float(chances[-1]))
        for how, chances in (("ruined", curve.ruined), ("stop_win", curve.reached))
        for share in [float(result.ended(how))]
        if share or chances[-1] > 1e-9
    ]
    if goal is None and terms.bankroll >= terms.coups * terms.unit:
        final, ahead = exact.final(terms.coups), float(result.ahead)
        rows.append(_Comparison("ahead", ahead, _share_error(ahead, n), final.ahead))
        spread, error = _spread(result)
        exactly = final.standard_deviation
        rows.append(_Comparison("standard deviation", spread / exactly, error / exactly, 1.0))
    return rows


def _spread(result: TrialResult) -> tuple[float, float]:
    """Return the standard deviation of session results, and its standard error from the fourth
    moment."""
    n, mean = result.tally.sessions, float(result.mean)
    fourth = sum((net - mean) ** 4 * times for net, times in result.tally.results.items()) / n
    variance = result.standard_deviation**2
    return sqrt(variance), sqrt(max(fourth - variance**2, 0.0) / (4 * variance * n))


def _comparison_cells(row: _Comparison) -> list[str]:
    figures = (row.from_shoes, row.standard_error, row.independent)
    difference = signed(row.from_shoes - row.independent, ".3%")
    return [row.name, *(f"{figure:.3%}" for figure in figures), difference]


def _share_error(share: float, n: int) -> float:
    return sqrt(share * (1 - share) / n)
