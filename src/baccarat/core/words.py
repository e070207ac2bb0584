"""The rules of a game in words, generated from the card: what `show` prints and a poster sets.

Nothing about a variant is written here: only how each kind of rule is said.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from baccarat.core.conditions import All, Any, Condition, Not, Test, intersection
from baccarat.core.errors import one_of
from baccarat.core.facts import FACTS, Value, classes_of
from baccarat.core.money import Rounding, format_coins, short_decimal
from baccarat.core.phrases import ENGLISH, Phrases
from baccarat.core.rulecard import STAND_OFF, Bet, Game, Line, Unit
from baccarat.core.tableau import STOOD, Tableau, ranges


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    key: str
    """What it is about, for programs."""
    title: str
    lines: tuple[str, ...]


def condition_in_words(condition: Condition, phrases: Phrases = ENGLISH) -> str:
    """'Banker wins and Banker's total is 6'."""
    match condition:
        case Test(fact=fact, values=values):
            return _test_in_words(fact, values, phrases)
        case All(parts=parts):
            return _joined("and", (_grouped(part, All, phrases) for part in parts), phrases)
        case Any(parts=parts):
            return _joined("or", (_grouped(part, Any, phrases) for part in parts), phrases)
        case Not(part=part):
            return phrases.say("not", one=condition_in_words(part, phrases))


def _grouped(part: Condition, inside: type, phrases: Phrases) -> str:
    words = condition_in_words(part, phrases)
    mixed = isinstance(part, All | Any) and not isinstance(part, inside)
    return f"({words})" if mixed else words


def _joined(by: str, parts: Iterable[str], phrases: Phrases) -> str:
    return reduce(lambda one, other: phrases.say(by, one=one, other=other), parts)


def _test_in_words(fact: str, values: frozenset[Value], phrases: Phrases) -> str:
    ordered = [value for value in FACTS[fact].values if value in values]
    if fact == "winner":
        *most, last = (phrases[f"{value}-wins"] for value in ordered)
        return phrases.say("or", one=", ".join(most), other=last) if most else last
    if set(ordered) == {True, False}:
        return phrases["always"]
    if isinstance(ordered[0], bool):
        return phrases[fact if ordered[0] else f"{fact}-not"]
    numbers = [value for value in ordered if isinstance(value, int)]
    said = []
    if numbers:
        among = _joined("or", ranges(numbers).split(", "), phrases)
        said.append(phrases.say(fact, values=among))
    if "none" in ordered:
        said.append(phrases[f"{fact}-none"])
    return _joined("or", said, phrases)


def odds_in_words(odds: Fraction, phrases: Phrases = ENGLISH) -> str:
    """'19:20', or 'stand-off'."""
    return phrases["stand-off"] if odds == STAND_OFF else f"{odds.numerator}:{odds.denominator}"


def line_in_words(line: Line, game: Game, phrases: Phrases = ENGLISH) -> str:
    """One line of a bet as a sentence: 'pays 1:2 when Banker wins and …'."""
    assert isinstance(line.pays, Fraction)  # noqa: S101  (a game has no open parameter)
    when = condition_in_words(line.when, phrases)
    if line.pays == STAND_OFF:
        return phrases.say("returns", when=when)
    if line.parameter and game.card.parameters[line.parameter].unit is Unit.PERCENT:
        percent = short_decimal(line.pays * 100)
        return phrases.say("pays-percent", percent=percent, when=when)
    return phrases.say("pays", odds=odds_in_words(line.pays, phrases), when=when)


def overlapping(bet: Bet, game: Game) -> tuple[bool, ...]:
    """For each line: can it hold in a coup in which a line above it holds and pays otherwise?"""
    if len(bet.lines) == 1:
        return (False,)
    universe = classes_of(game.tableau)
    holding = [intersection(universe.possible, line.when.classes(universe)) for line in bet.lines]
    return tuple(
        any(
            above.pays != line.pays and any(intersection(holding[i], holding[place]))
            for i, above in enumerate(bet.lines[:place])
        )
        for place, line in enumerate(bet.lines)
    )


def bet_in_words(bet: Bet, game: Game, phrases: Phrases = ENGLISH) -> str:
    """Everything a bet pays, in one sentence; 'otherwise' where a line above may hold as well."""
    lines = []
    for line, second in zip(bet.lines, overlapping(bet, game), strict=True):
        words = line_in_words(line, game, phrases)
        lines.append(phrases.say("otherwise", line=words) if second else words)
    key = "bet-assumed" if bet.assumed else "bet"
    return phrases.say(key, name=bet.name, lines="; ".join(lines))


def payment_notes(bets: Iterable[Bet], game: Game) -> tuple[str, ...]:
    """What is true of every payment: stakes come back, and which of several lines counts."""
    notes = ["A winning stake comes back together with what it is paid."]
    if any(any(overlapping(bet, game)) for bet in bets):
        notes.append("Where several lines of a bet apply, only the first of them counts.")
    return tuple(notes)


def tableau_rows(tableau: Tableau) -> list[tuple[str, list[str]]]:
    """For each of the banker's totals, what the banker does for each third card and for none."""
    return [
        (str(total), ["draws" if tableau.draws(total, given) else "stands" for given in range(11)])
        for total in range(10)
        if total not in tableau.naturals
    ]


def rules_in_words(game: Game, *, limits: bool = True) -> tuple[Section, ...]:
    """The whole game, section by section; `limits`: with the stakes that are taken."""
    sections = [
        Section("cards", "The cards", tuple(_cards(game))),
        Section("deal", "The deal", tuple(_deal(game.tableau))),
        Section("tableau", "Banker's third card", tuple(_banker_rows(game.tableau))),
        Section("bets", "The bets", tuple(_bets(game))),
        Section("wagering", "Who may wager on what", tuple(_wagering(game, limits=limits))),
        Section("procedures", "Errors and disputes", tuple(_procedures(game))),
        Section("parameters", "Left to the table or to an agreement", tuple(_parameters(game))),
        Section("ambiguities", "Where the rules can be misread", tuple(_ambiguities(game))),
        Section("notes", "Notes", game.card.notes),
        Section("notice", "Playing safely", tuple(_notice(game))),
    ]
    return tuple(section for section in sections if section.lines)


def _cards(game: Game) -> Iterable[str]:
    decks = "One deck" if game.decks == 1 else f"{game.decks} decks"
    yield f"{decks} of 52 cards. Ace counts 1, 2 to 9 their number, 10 and court cards nothing."
    yield "A hand counts the last digit of the sum of its cards; the hand nearer nine wins."


def _deal(tableau: Tableau) -> Iterable[str]:
    yield "Everybody plays against the house: it pays every win and takes every losing stake."
    yield (
        "Wagers are made before the first card and are good for one coup; after it, none is made, "
        "changed or taken back."
    )
    yield "Cards go to Player, Banker, Player, Banker; then any third cards, Player first."
    if _third_cards(tableau):
        yield "A hand has two or three cards; nobody chooses whether to draw."
    if tableau.naturals:
        naturals = _or(tableau.naturals)
        yield f"A natural ({naturals} in two cards) in either hand ends the drawing for both."
    stands = frozenset(range(10)) - tableau.naturals - tableau.player_draws
    draws = f"draws on {ranges(tableau.player_draws)}" if tableau.player_draws else "never draws"
    yield f"Player {draws}" + (f" and stands on {ranges(stands)}." if stands else ".")
    yield "The result is announced; then lost stakes are collected, and then winners are paid."


def _third_cards(tableau: Tableau) -> bool:
    """Does anybody ever draw?"""
    totals = [total for total in range(10) if total not in tableau.naturals]
    given = [x for p in totals for x in (range(10) if p in tableau.player_draws else (STOOD,))]
    return bool(tableau.player_draws - tableau.naturals) or any(
        tableau.draws(total, x) for total in totals for x in given
    )


def _bets(game: Game) -> Iterable[str]:
    yield from (bet_in_words(bet, game) for bet in game.bets)
    yield from payment_notes(game.bets, game)


def _banker_rows(tableau: Tableau) -> Iterable[str]:
    alone = [t for t in range(10) if t not in tableau.naturals and tableau.draws(t, STOOD)]
    yield f"When Player stood, Banker draws on {ranges(alone) or 'nothing'} and stands otherwise."
    rows: dict[str, list[int]] = {}
    for total in range(10):
        if total not in tableau.naturals:
            draws = [given for given in range(10) if tableau.draws(total, given)]
            rows.setdefault(_row_in_words(draws), []).append(total)
    for words, totals in rows.items():
        yield f"With {one_of(map(str, totals))}, Banker {words}."


def _row_in_words(draws: Sequence[int]) -> str:
    if len(draws) == 10:
        return "draws whatever Player was given"
    if not draws:
        return "stands whatever Player was given"
    return f"draws when Player was given {ranges(draws).replace(', ', ' or ')}"


def _wagering(game: Game, *, limits: bool) -> Iterable[str]:
    if limits:
        yield from _limits(game)
    yield from _whole_coins(game)
    if game.card.limits.partners_share_maximum:
        yield "Partners may not together go over the maximum."
    yield from _combined(game)
    yield from _alone(game)
    if game.card.bonus_win_chance is not None:
        chance = short_decimal(game.card.bonus_win_chance * 100)
        yield (
            "Mostly bonus money may not be staked on wagers of which one wins in more than "
            f"{chance}% of coups."
        )


def _limits(game: Game) -> Iterable[str]:
    own, money = game.card.limits, game.card.currency
    least, most = format_coins(own.minimum), format_coins(own.maximum)
    yield f"A wager is from {least} to {most} {money} unless the table shows otherwise."
    for bets, low, high in _by_own_limits(game):
        yield f"{listed(bets)}: from {format_coins(low)} to {format_coins(high)}."


def _whole_coins(game: Game) -> Iterable[str]:
    """Which stakes pay whole coins, bets with the same step in one sentence."""
    rounding = game.card.limits.rounding
    if rounding is not Rounding.REFUSE:
        yield f"Payouts that are not whole coins are rounded: {rounding}."
        return
    steps: dict[int, list[str]] = {}
    for bet in game.bets:
        if bet.step > 1:
            steps.setdefault(bet.step, []).append(bet.name)
    if steps:
        each = (f"{format_coins(step)} on {listed(names)}" for step, names in steps.items())
        yield f"Stakes are multiples of {', '.join(each)}."


def _combined(game: Game) -> Iterable[str]:
    """Which bets may be made together, those on opposite hands by name."""
    if len(game.bets) == 1:
        return
    bets = {bet.id: bet for bet in game.bets}
    apart = list(
        dict.fromkeys(
            tuple(name for name in bets if name in (bet.id, other))
            for bet in game.bets
            for other in bet.excludes
            if other in bets and other != bet.id
        )
    )
    if apart:
        pairs = [f"{bets[one].name} and {bets[other].name}" for one, other in apart]
        others = len(bets) * (len(bets) - 1) // 2 > len(apart)
        yield f"{'; '.join(pairs)} may not be combined in one coup" + (
            "; all other bets may be, several at once." if others else "."
        )
        return
    opposite = [[bet.name for bet in game.bets if _is_on(bet, hand)] for hand in _HANDS]
    sides = [names[0] for names in opposite if names]
    too = f", {listed(sides)} too" if len(sides) == len(_HANDS) else ""
    yield f"Any bets may be combined in one coup{too}."


_HANDS = ("player", "banker")


def _is_on(bet: Bet, hand: str) -> bool:
    """Does the bet win whenever this hand does, or nearly?"""
    plain = Test("winner", frozenset({hand}))
    return any(line.when in (plain, All((plain,))) and line.pays != STAND_OFF for line in bet.lines)


def _alone(game: Game) -> Iterable[str]:
    names = {bet.id: bet.name for bet in game.bets}
    needs: dict[tuple[str, ...], list[str]] = {}
    for bet in game.bets:
        if bet.requires:
            needs.setdefault(bet.requires, []).append(bet.name)
    for requires, bets in needs.items():
        others = one_of(names[name] for name in requires if name in names)
        yield f"{listed(bets)} need{'s' if len(bets) == 1 else ''} a wager on {others} as well."
    alone = [bet.name for bet in game.bets if not bet.requires]
    if len(names) == 1:
        return
    if not needs:
        yield "Every bet may be made alone: none needs another beside it."
    elif alone:
        each = " each" if len(alone) > 1 else ""
        yield f"{listed(alone)} may{each} be made alone."


def _by_own_limits(game: Game) -> Iterable[tuple[list[str], int, int]]:
    found: dict[tuple[int, int], list[str]] = {}
    for bet in game.bets:
        if bet.minimum is not None or bet.maximum is not None:
            found.setdefault(game.limits(bet), []).append(bet.name)
    for (low, high), names in found.items():
        yield names, low, high


def _procedures(game: Game) -> Iterable[str]:
    procedures = game.card.procedures
    if procedures.errors_until_next_coup:
        yield (
            "A card drawn too many or too few is remedied if it was put right, or reported by "
            "anybody, before the first card of the next coup. After that, all results stand."
        )
    if procedures.reconstruction:
        yield (
            "Cards dealt out of order go back into the order that was meant. No bet is taken on a "
            "card that has been seen: the round with it is dealt without bets, or it is burned."
        )
    if procedures.cancelled_returns_stakes:
        yield "A round that is cancelled has no result: every stake goes back."
    if procedures.disputes_for_player:
        yield (
            "While a rule leaves room for two opinions, a dispute about it goes the player's way; "
            "once the house has settled its meaning, that counts."
        )


def _parameters(game: Game) -> Iterable[str]:
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        low, high = parameter.format(parameter.minimum), parameter.format(parameter.maximum)
        if parameter.set_by != "poster":
            yield f"{name} = {parameter.format(value)} ({low} to {high}): {parameter.meaning}."


def _ambiguities(game: Game) -> Iterable[str]:
    for ambiguity in game.card.ambiguities:
        reading = ambiguity.reading(game.readings[ambiguity.id])
        status = "resolved" if ambiguity.resolved else "open"
        yield f"{ambiguity.id} ({status}): {ambiguity.question} Here: {reading.text}"


def _notice(game: Game) -> Iterable[str]:
    notice = game.card.notice
    if notice.minimum_age is not None:
        yield f"Nobody under {notice.minimum_age} may play."
    if notice.regulator is not None:
        yield f"Supervised by: {notice.regulator}."
    if notice.warning is not None:
        yield notice.warning
    yield from notice.contacts


def _or(numbers: frozenset[int]) -> str:
    return one_of(str(number) for number in sorted(numbers))


def listed(names: Sequence[str]) -> str:
    """'a, b and c', with 'x 1, x 2, x 3' said as 'x 1 to 3'."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _follows(name, runs[-1][-1]):
            runs[-1].append(name)
        else:
            runs.append([name])
    said: list[str] = []
    for run in runs:
        last = run[-1].rpartition(" ")[2]
        said += [f"{run[0]} to {last}"] if len(run) > 2 else run
    return f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else said[0]


def _follows(name: str, before: str) -> bool:
    (stem, _, number), (stem_before, _, number_before) = (
        name.rpartition(" "),
        before.rpartition(" "),
    )
    both_count = number.isdecimal() and number_before.isdecimal()
    return both_count and stem == stem_before and int(number) == int(number_before) + 1
