"""A table's layout: its spots, what each pays and costs, and the chips.

All of it is derived from the rule card with the table's parameters and limits, so a card with new
bets has a layout without further work: bets appear in their groups, in order, with their short
labels; a group of about ten is drawn as a ring, and any other group is drawn in rows; a spot has
the colour of the hand it bets on. An agreement with a player changes that player's prices and is
shown on the layout; a player without one sees the prices of the table's standing offer. Edges are
the exact ones of `baccarat.analysis`, computed once for each game and not in the event loop.
"""

import asyncio
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import groupby
from math import isqrt

from baccarat.analysis.edges import BetFigures, analyse
from baccarat.core.bets import STAND_OFF, Bet, Line
from baccarat.core.errors import GameError
from baccarat.core.facts import All, Condition, CountTest, Test
from baccarat.core.money import (
    decimal_string,
    parse_number,
    percent_string,
    ratio,
    short_decimal,
)
from baccarat.core.printed import Unit
from baccarat.core.rulecard import Game
from baccarat.core.text import in_language
from baccarat.shoe.commitment import Source
from baccarat.table.agreements import (
    agreeable,
    bets_by_agreement,
    granted_up_to,
    standing_offer,
)
from baccarat.table.codec import Values
from baccarat.table.rules import game_of, stake_range, table_game
from baccarat.table.settings import Clock, StakeLimits
from baccarat.table.state import TableState
from baccarat.web.compute.pool import HOUSE
from baccarat.web.schema import filled
from baccarat.web.schema.tables import GameView, Layout, PossibleTerms, Spot, StandingOffer
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import Site
from baccarat.wording.catalogue import DEFAULT, catalogue
from baccarat.wording.rules import bet_in_words, odds_in_words

RING = range(8, 13)
"""Sizes of groups that are drawn as a ring; in a larger ring the spots would be too small."""
SIDES = ("player", "tie", "banker")
"""Order of a group of three bets, one on each of these."""
HALF = Fraction(1, 2)
SHOWN = 3
"""If a spot has more odds than this, only the lowest and the highest are shown."""
CHIPS = (
    *(10, 50, 100, 500, 2_500),
    *(first * 10**ten for ten in range(4, 11) for first in (1, 5)),
)
"""Chip values in coins; in currency units: 0.10, 0.50, 1, 5, 25, 100, 500, 1,000, 5,000 …"""
MAX_CHIPS = 6
STEPS = 16
"""Steps from the lowest to the highest percentage that can be agreed."""
CARDS_OF_A_COUP = 5
"""Cards per coup for estimating the time of a round; the average is 4.94."""


async def layout_at(
    site: Site, state: TableState, account: str = "", language: str = DEFAULT
) -> Layout:
    """Return the current layout of a table, with the terms agreed with an account.

    It is computed on the first request, before the computations of visitors. A shoe keeps the rules
    it was committed under; an agreement that does not fit them is ignored. A table with a dealer
    has no clock, so there the cost of a bet is given for one round instead of an hour.
    """
    settings, agreed = state.settings, state.agreed(account)
    offer = standing_offer(state.rules, settings)
    try:
        table_game(state.rules, settings.limits, agreed)
    except GameError:
        agreed = ()
    rounds = None if state.by_hand else rounds_an_hour(settings.clock, settings.source)
    granted = granted_up_to(state.rules, settings)
    about = (state.rules, settings.limits, rounds, agreed, offer, granted, language)
    try:
        layout = await site.pool.run(HOUSE, _layout, *about)
    except Problem as problem:  # no worker: show the table anyway
        if problem.fault is not Fault.BUSY:
            raise
        layout = await asyncio.to_thread(_layout, *about)
    notice = site.house.notice.on(game_of(state.rules).card)
    return {**layout, "notice": in_language(notice, language)}


def rounds_an_hour(clock: Clock, source: Source) -> int:
    """Return the number of rounds an hour that the table's clock allows.

    With a shuffler, players contribute before every round; with a shoe, they contribute once, and
    that time is not counted.
    """
    round_itself = clock.betting + clock.pause + (CARDS_OF_A_COUP + 1) * clock.card
    shuffle = clock.contribute + clock.reveal if source is Source.SHUFFLER else 0
    return 3_600_000 // (round_itself + shuffle)


def _layout(
    rules: str,
    limits: StakeLimits,
    rounds: int | None,
    agreed: Values = (),
    offer: Values = (),
    granted: Values = (),
    language: str = DEFAULT,
) -> Layout:
    game = in_language(table_game(rules, limits, agreed or offer), language)
    parameters = game.card.parameters
    figures, terms, often = analyse(game), dict(agreed), 1 if rounds is None else rounds
    return {
        "card": filled(GameView, game.card),
        "notice": game.card.notice,
        "decks": game.decks,
        "groups": [
            {
                "id": name,
                "shape": "ring" if len(bets) in RING else "row",
                "about": _about(bets, language),
                "bets": [
                    _spot(
                        bet,
                        game,
                        stake_range(game, limits, bet.id),
                        figures[bet.id],
                        often,
                        terms,
                        language,
                    )
                    for bet in bets
                ],
            }
            for name, bets in _groups(game)
        ],
        "chips": chips_for(game),
        "rounds_an_hour": rounds,
        "coup_maximum": limits.coup_maximum,
        "agreed": [f"{parameters[name].label} {value}" for name, value in agreed],
        "offer": _offer(rules, limits, offer, granted, language) if offer else None,
    }


def _offer(
    rules: str, limits: StakeLimits, offer: Values, granted: Values, language: str
) -> StandingOffer:
    """Return the standing offer, with the edge of each bet that it affects."""
    game = in_language(table_game(rules, limits, offer), language)
    figures, affected = analyse(game), bets_by_agreement(rules)
    return {
        "values": dict(offer),
        "bets": [
            {
                "bet": bet.id,
                "name": bet.name,
                "edge": percent_string(figures[bet.id].edge, 2),
                "exact_edge": ratio(figures[bet.id].edge),
                "long_edge": percent_string(figures[bet.id].edge, 8),
            }
            for bet in game.bets
            if bet.id in affected
        ],
        "possible": _possible(rules, limits, granted, game),
    }


def _possible(rules: str, limits: StakeLimits, granted: Values, game: Game) -> list[PossibleTerms]:
    """Return evenly spaced values of the percentage to be agreed, each with the resulting edges."""
    affected, open_to = bets_by_agreement(rules), agreeable(game)
    if len(open_to) != 1:
        return []
    ((name, parameter),) = open_to.items()
    if parameter.unit is not Unit.PERCENT:
        return []
    span, most = parameter.maximum - parameter.minimum, parse_number(dict(granted)[name])
    found: list[PossibleTerms] = []
    for step in range(STEPS + 1):
        value = parameter.minimum + span * step / STEPS
        text = parameter.format(value)
        figures = analyse(table_game(rules, limits, ((name, text),)))
        edges = {
            bet.name: percent_string(figures[bet.id].edge, 2)
            for bet in game.bets
            if bet.id in affected
        }
        found.append({"value": text, "granted": value <= most, "edges": edges})
    return found


def _groups(game: Game) -> Iterator[tuple[str, list[Bet]]]:
    """Yield the bets by group, with groups in the order in which the card first names them."""
    names = list(dict.fromkeys(bet.group for bet in game.bets))
    ordered = sorted(game.bets, key=lambda bet: (names.index(bet.group), bet.order))
    for name, bets in groupby(ordered, key=lambda bet: bet.group):
        yield name, _as_seen(list(bets))


def _as_seen(bets: list[Bet]) -> list[Bet]:
    """Return bets in display order. If there is one bet on each side, the tie is in the middle."""
    if sorted(map(side_of, bets)) != sorted(SIDES):
        return bets
    return sorted(bets, key=lambda bet: SIDES.index(side_of(bet)))


def _spot(
    bet: Bet,
    game: Game,
    stakes: tuple[int, int],
    figures: BetFigures,
    rounds: int,
    terms: dict[str, str],
    language: str,
) -> Spot:
    pays = payouts(bet, game, language)
    mine = dict.fromkeys(line.parameter for line in bet.lines if line.parameter in terms)
    excludes = [
        other.id for other in game.bets if other.id in bet.excludes or bet.id in other.excludes
    ]
    return filled(
        Spot,
        bet,
        side=side_of(bet),
        pays=pays,
        pays_shown=", ".join(pays) if len(pays) <= SHOWN else _range(bet),
        words=bet_in_words(bet, game, language),
        agreed=[f"{game.card.parameters[name].label} {terms[name]}" for name in mine if name],
        minimum=stakes[0],
        maximum=stakes[1],
        step=game.offers[bet.id].step,
        excludes=excludes,
        needs_words=_with_others("phrase-needs", bet.requires, game, language),
        excludes_words=_with_others("phrase-excludes", excludes, game, language),
        needs_agreement=any(line.parameter in agreeable(game) for line in bet.lines),
        edge=percent_string(figures.edge, 2),
        exact_edge=ratio(figures.edge),
        long_edge=percent_string(figures.edge, 8),
        wins=percent_string(figures.hit, 4),
        deviation=decimal_string(figures.standard_deviation(2), 2),
        long_deviation=decimal_string(figures.standard_deviation(6), 6),
        variance=decimal_string(figures.variance, 6),
        hour=round(figures.edge * rounds * 1_000_000),
        hour_deviation=isqrt(int(figures.variance * rounds * 10**12)),
    )


def _with_others(message: str, others: Collection[str], game: Game, language: str) -> str:
    """Return a message about a bet's relation to other bets of the game, or "" if there are
    none."""
    t = catalogue(language)
    names = [bet.name for bet in game.bets if bet.id in others]
    return t(message, others=t.joined("or", names)) if names else ""


def _about(bets: list[Bet], language: str) -> str:
    """Return a description of what all bets of a group are on, such as "Exact tie 0–9", or ""."""
    totals: list[int] = []
    for bet in bets:
        match sorted((test.fact, *test.values) for line in bet.lines for test in _tests(line.when)):
            case [("player_total", int(total)), ("winner", "tie")]:
                totals.append(total)
    if len(totals) < len(bets) or len(bets) == 1:
        return ""
    return catalogue(language)("phrase-exact-tie", first=min(totals), last=max(totals))


def payouts(bet: Bet, game: Game, language: str = DEFAULT) -> list[str]:
    """Return the odds of each line in a few words, the plain one first: '1:1', 'half on a 6'."""
    lines = [line for line in bet.lines if line.pays != STAND_OFF]
    tests = [frozenset(_tests(line.when)) for line in lines]
    own = frozenset.intersection(*tests) | {Test("winner", frozenset({side_of(bet)}))}
    found = [
        (_payout(line, game, special - own, language), special - own)
        for line, special in zip(lines, tests, strict=True)
    ]
    return [text for text, _ in sorted(found, key=lambda each: bool(each[1]))]


def _payout(line: Line, game: Game, special: frozenset[Test | CountTest], language: str) -> str:
    percent = line.parameter and game.card.parameters[line.parameter].unit is Unit.PERCENT
    odds = f"{short_decimal(line.pays * 100)}%" if percent else odds_in_words(line.pays, language)
    t = catalogue(language)
    match [(test.fact, *test.values) for test in special]:
        case [("winner", "tie")]:
            return t("phrase-on-tie", odds=odds)
        case [("player_total" | "banker_total", int(total))]:
            odds = t("phrase-half") if line.pays == HALF else odds
            return t("phrase-on-total", odds=odds, total=total)
        case [("player_cards" | "banker_cards" | "cards", int(cards))]:
            return t("phrase-with-cards", odds=odds, cards=cards)
    return odds


def _tests(condition: Condition) -> Iterator[Test | CountTest]:
    match condition:
        case Test() | CountTest():
            yield condition
        case All(parts=parts):
            for part in parts:
                yield from _tests(part)


def _range(bet: Bet) -> str:
    found = sorted(line.pays for line in bet.lines if line.pays != STAND_OFF)
    return f"{odds_in_words(found[0])} … {odds_in_words(found[-1])}"


def side_of(bet: Bet) -> str:
    """Return the result a bet is on: "player", "banker", "tie", or "" for another kind of bet."""
    sides = (_winner(line.when) for line in bet.lines if line.pays != STAND_OFF)
    return next((side for side in sides if side), "")


def _winner(condition: Condition) -> str:
    match condition:
        case Test(fact="winner", values=values) if len(values) == 1:
            return str(next(iter(values)))
        case All(parts=(part,)):
            return _winner(part)
    return ""


def chips_for(game: Game) -> list[int]:
    """Return at most `MAX_CHIPS` chip values, from the minimum stake upwards."""
    limits = [game.limits(bet) for bet in game.bets]
    least, most = min(low for low, _ in limits), max(high for _, high in limits)
    start = max((place for place, value in enumerate(CHIPS) if value <= least), default=0)
    return [value for value in CHIPS[start:] if value <= most][:MAX_CHIPS] or [least]
