"""`baccarat session --strategy`: many sessions of a strategy, from real shoes."""

import argparse
import sys
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from rich.text import Text

from baccarat.analysis.edges import analyse
from baccarat.analysis.sessions import session
from baccarat.analysis.tags import format_tags, parse_tags
from baccarat.cli.common import (
    DIGITS,
    add_row,
    console,
    counted,
    header_json,
    header_words,
    table,
)
from baccarat.cli.output import report
from baccarat.cli.seat import parse_wagers
from baccarat.cli.shoes import add_shoe, plan_json, plan_of, plan_words
from baccarat.cli.work import Outcome, add_work, do_work, seed_of
from baccarat.core.errors import BaccaratError
from baccarat.core.money import (
    decimal_string,
    format_coins,
    parse_coins,
    parse_number,
    percent_string,
)
from baccarat.core.rulecard import Game
from baccarat.core.wagers import Wager
from baccarat.simulation.counting import Count
from baccarat.simulation.strategies import flat, strategy_named
from baccarat.simulation.trial import CHOICES, Sessions, Terms, Trial, TrialResult, quantile

SIMULATED_ONLY = (
    *("sessions", "stop_loss", "minimum", "maximum", "tags", "at_least"),
    *("cut", "burn", "one_more", "shuffler"),
    *("seed", "threads", "cluster", "checkpoint", "device"),
)
MOST_COMPARED = 20_000
"""Coups: beyond this, the exact figures would take too long."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
ENDS = {
    "ruined": "ruined",
    "stop_loss": "stop-loss",
    "stop_win": "stop-win",
    "time": "played to the end",
}


def add_trial(parser: argparse.ArgumentParser) -> None:
    """Options of sessions that are simulated."""
    group = parser.add_argument_group("with a strategy (baccarat strategy list)")
    group.add_argument(
        "--strategy",
        metavar="NAME",
        help="such as martingale, paroli:wins=4, or my.py; flat for flat wagers from real shoes",
    )
    group.add_argument("--sessions", type=int, help="how many to play (default: 100000)")
    group.add_argument("--stop-loss", metavar="AMOUNT", help="stop when this much is lost")
    group.add_argument("--minimum", metavar="AMOUNT", help="of the table (default: the card's)")
    group.add_argument("--maximum", metavar="AMOUNT", help="of the table (default: the card's)")
    group.add_argument("--tags", metavar="TAGS", help="count the cards: ten tags, for A to 9, ten")
    group.add_argument(
        "--from", dest="at_least", metavar="COUNT", help="wager from this true count on"
    )
    add_shoe(parser)
    add_work(parser)


def refuse_trial_options(args: argparse.Namespace) -> None:
    """Exact sessions know nothing of these."""
    for name in SIMULATED_ONLY:
        if getattr(args, name) not in (None, False, "cpu"):
            option = "--from" if name == "at_least" else f"--{name.replace('_', '-')}"
            raise BaccaratError(
                f"{option} is for simulated sessions: add --strategy flat, or leave it out"
            )


@dataclass(frozen=True)
class _Told:
    """All that is told."""

    result: TrialResult
    outcome: Outcome[Sessions]
    per_hour: int


def run_trial(args: argparse.Namespace, game: Game) -> int:
    trial = _trial(args, game)
    why_not = trial.strategy.compiled.why_not
    if why_not:
        warning = f"{trial.strategy.name} runs in Python, some hundred times slower: {why_not}"
        console(sys.stderr).print(Text(warning, style="yellow"))
    outcome = do_work(args, trial, unit="session")
    told = _Told(TrialResult(trial, outcome.total), outcome, args.per_hour)
    return report(
        args,
        document=_json(told),
        tables=told.result.tables,
        show=lambda: _print(told),
        draw=lambda: _figure(told),
        fault=outcome.fault,
    )


def _trial(args: argparse.Namespace, game: Game) -> Trial:
    if args.bankroll is None:
        raise BaccaratError("a strategy plays with a bankroll: add --bankroll AMOUNT")
    if (args.tags is None) != (args.at_least is None):
        raise BaccaratError("--tags and --from belong together: name both, or neither")
    choice, unit = _choice(game, args.wagers)
    count = None
    if args.tags is not None:
        count = Count(parse_tags(args.tags), parse_number(args.at_least))
    terms = Terms(
        unit=unit,
        bankroll=parse_coins(args.bankroll),
        coups=args.coups,
        **{
            name: None if getattr(args, name) is None else parse_coins(getattr(args, name))
            for name in ("minimum", "maximum", "stop_loss", "stop_win")
        },
    )
    return Trial(
        game,
        plan_of(args, game),
        strategy_named(args.strategy),
        choice,
        terms,
        seed_of(args),
        100_000 if args.sessions is None else args.sessions,
        count,
    )


def _choice(game: Game, text: str) -> tuple[str, int]:
    """(bet or rule of choice, unit) from `banker 20` or `last-winner 20`."""
    name, _, amount = text.strip().rpartition(" ")
    if name in CHOICES:
        return name, parse_coins(amount)
    wagers = parse_wagers(game, text, other_words=CHOICES)
    if len(wagers) != 1:
        raise BaccaratError(
            f"a strategy has one wager a coup, not {len(wagers)}: name one bet and the unit"
        )
    return wagers[0].bet, wagers[0].stake


# ---- What is told ----


def _title(trial: Trial) -> str:
    terms, names = trial.terms, {bet.id: bet.name for bet in trial.game.bets}
    on = names.get(trial.choice, trial.choice)
    return (
        f"{trial.strategy.name} on {on}, unit {format_coins(terms.unit)}, bankroll "
        f"{format_coins(terms.bankroll)}, {counted(terms.coups, 'coup')} a session"
    )


def _figure(told: _Told) -> Any:
    from baccarat.plots import trial_figure  # slow to import

    trial = told.result.trial
    title = f"{trial.game.card.name}: {_title(trial)}; seed {trial.seed}"
    return trial_figure(title, told.result)


def _json(told: _Told) -> dict[str, Any]:
    result, trial, tally = told.result, told.result.trial, told.result.tally
    count, loss = trial.count, result.loss_per_stake
    return header_json(trial.game) | {
        "strategy": trial.strategy.name,
        "options": dict(trial.strategy.options),
        "compiled": trial.strategy.compiled.why_not is None,
        "wager_on": trial.choice,
        "unit": trial.terms.unit,
        "bankroll": trial.terms.bankroll,
        "minimum": trial.terms.minimum,
        "maximum": trial.terms.maximum,
        "stop_loss": trial.terms.stop_loss,
        "stop_win": trial.terms.stop_win,
        "coups": trial.terms.coups,
        "count": None if count is None else count.identity,
        "seed": trial.seed,
        "shoe": plan_json(trial.plan),
        "complete": result.complete,
        "sessions": tally.sessions,
        "mean": decimal_string(result.mean, DIGITS),
        "standard_error": result.standard_error,
        "sd": result.standard_deviation,
        "ahead": float(result.ahead),
        "even": float(result.even),
        "behind": float(result.behind),
        "ends": {how: float(result.ended(how)) for how in ENDS},
        "turnover": decimal_string(result.turnover, DIGITS),
        "loss_per_stake": None if loss is None else decimal_string(loss, DIGITS),
        "cost_per_hour": decimal_string(result.cost_per_hour(told.per_hour), DIGITS),
        "cost_per_hour_error": result.cost_error(told.per_hour),
        "beside_exact": [asdict(row) for row in beside_exact(result)],
        "results": {str(net): n for net, n in sorted(tally.results.items())},
        "falls": {str(depth): n for depth, n in sorted(tally.falls.items())},
        "losing_runs": {str(length): n for length, n in sorted(tally.losing_runs.items())},
    }


def _print(told: _Told) -> None:
    result, trial = told.result, told.result.trial
    out = console()
    out.print(Text(header_words(trial.game), style="bold"))
    out.print(Text(_title(trial)))
    if trial.count:
        tags = format_tags(trial.count.tags)
        out.print(Text(f"only from true count {float(trial.count.at_least):g}, tags {tags}"))
    out.print(Text(f"seed {trial.seed} · {plan_words(trial.plan)}", style="dim"))
    if not result.complete:
        left = trial.sessions - result.tally.sessions
        out.print(Text(f"Stopped early: {counted(left, 'session')} not played.", style="yellow"))
    played = f"{counted(result.tally.sessions, 'session')}, {counted(result.tally.coups, 'coup')}"
    out.print(Text(f"{played}, {told.outcome.speed()}"))
    _print_summary(told)
    likely = table("", *(f">{q:.0%}" for q in QUANTILES))
    tally = result.tally
    for name, counts, form in (
        ("net result", tally.results, format_coins),
        ("deepest fall", tally.falls, format_coins),
        ("longest losing run", tally.losing_runs, str),
    ):
        add_row(likely, [name, *(form(quantile(counts, q)) for q in QUANTILES)])
    out.print(likely)
    _print_difference(result)


def _print_summary(told: _Told) -> None:
    result, money = told.result, told.result.trial.game.card.currency
    cost, error = result.cost_per_hour(told.per_hour), result.cost_error(told.per_hour)
    ends = ", ".join(
        f"{words} {float(result.ended(how)):.2%}"
        for how, words in ENDS.items()
        if result.ended(how)
    )
    kept = "–" if result.loss_per_stake is None else percent_string(result.loss_per_stake)
    summary = table("", "")
    for name, words in (
        ("net result", f"{_coins(result.mean, result.standard_error)} {money} on average"),
        ("standard deviation", f"{format_coins(round(result.standard_deviation))} {money}"),
        ("ahead, even, behind", _shares(result)),
        ("how sessions ended", ends),
        (
            "staked",
            f"{format_coins(round(result.turnover))} {money} a session; the house kept {kept}",
        ),
        (_edge_name(result.trial), _edges(result.trial)),
        ("cost", f"{_coins(cost, error)} {money} an hour at {told.per_hour} coups"),
    ):
        add_row(summary, [name, words])
    console().print(summary)


def _edge_name(trial: Trial) -> str:
    """A strategy of one's own may wager on something else than what is proposed to it."""
    return "exact house edge" if not trial.strategy.source else "exact edge, as proposed"


def _edges(trial: Trial) -> str:
    exact = analyse(trial.game)
    return ", ".join(
        f"{trial.game.bet(b).name} {percent_string(exact[b].edge)}" for b in trial.bets
    )


def _shares(result: TrialResult) -> str:
    return ", ".join(f"{float(share):.2%}" for share in (result.ahead, result.even, result.behind))


def _coins(mean: Fraction, error: float | None) -> str:
    text = format_coins(round(mean))
    return text if error is None else f"{text} ± {format_coins(round(error))}"


@dataclass(frozen=True)
class Beside:
    """A figure of sessions from shoes beside the exact one of independent coups."""

    name: str
    from_shoes: float
    standard_error: float
    independent: float


def beside_exact(result: TrialResult) -> list[Beside]:
    """Flat wagers: from shoes, as simulated, against independent coups, exactly."""
    trial, terms, n = result.trial, result.trial.terms, result.tally.sessions
    flat_ones = trial.strategy.decide is flat and len(trial.bets) == 1 and trial.count is None
    if not flat_ones or terms.stop_loss is not None or n < 2 or terms.coups > MOST_COMPARED:
        return []
    exact = session(trial.game, (Wager(trial.choice, terms.unit),))
    goal = None if terms.stop_win is None else terms.bankroll + terms.stop_win
    curve = exact.ruin_curve(bankroll=terms.bankroll, coups=terms.coups, goal=goal)
    rows = [
        Beside(ENDS[how], share, _share_error(share, n), float(chances[-1]))
        for how, chances in (("ruined", curve.ruined), ("stop_win", curve.reached))
        for share in [float(result.ended(how))]
        if share or chances[-1] > 1e-9
    ]
    if goal is None and terms.bankroll >= terms.coups * terms.unit:
        final, ahead = exact.final(terms.coups), float(result.ahead)
        rows.append(Beside("ahead", ahead, _share_error(ahead, n), final.ahead))
        spread, error = _spread(result)
        exactly = final.standard_deviation
        rows.append(Beside("standard deviation", spread / exactly, error / exactly, 1.0))
    return rows


def _spread(result: TrialResult) -> tuple[float, float]:
    """The standard deviation of sessions, and its standard error from their fourth moment."""
    n, mean = result.tally.sessions, float(result.mean)
    fourth = sum((net - mean) ** 4 * times for net, times in result.tally.results.items()) / n
    variance = result.standard_deviation**2
    return sqrt(variance), sqrt(max(fourth - variance**2, 0.0) / (4 * variance * n))


def _print_difference(result: TrialResult) -> None:
    rows = beside_exact(result)
    if not rows:
        return
    dealt = "from a shuffler" if result.trial.plan.shuffler else "from shoes"
    against = table("", f">{dealt}", ">± s.e.", ">independent coups, exactly", ">difference")
    for row in rows:
        off = f"{row.from_shoes - row.independent:+.3%}".replace("-", "−")
        cells = (row.from_shoes, row.standard_error, row.independent)
        add_row(against, [row.name, *(f"{cell:.3%}" for cell in cells), off])
    console().print(against)


def _share_error(share: float, n: int) -> float:
    return sqrt(share * (1 - share) / n)
