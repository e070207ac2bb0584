"""The rules of a game in words, generated from the card, for the command `show` and for posters.

Nothing here is specific to one game; the module only describes each kind of rule.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from baccarat.core.bets import STAND_OFF, Bet, Line
from baccarat.core.cards import parse_card
from baccarat.core.facts import (
    FACTS,
    All,
    Any,
    Condition,
    CountTest,
    Not,
    Test,
    Value,
    classes_of,
    count_fact,
)
from baccarat.core.hand_facts.classes import classes_for
from baccarat.core.money import Rounding, short_decimal
from baccarat.core.printed import Unit
from baccarat.core.rulecard import Game
from baccarat.core.tableau import STOOD, Tableau, ranges
from baccarat.core.text import grouped, in_language
from baccarat.wording.catalogue import DEFAULT, Catalogue, catalogue


@dataclass(frozen=True)
class Section:
    """A heading and the lines below it."""

    key: str
    """Identifier of the section, which does not depend on the language."""
    title: str
    lines: tuple[str, ...]


_POSTER_FILE = re.compile(r"(\d{3})_[0-9a-f]{16}\.txt")
"""Name of the file of a poster that a built-in rule card was taken from; it begins with the
poster's number."""


def source_in_words(source: str, t: Catalogue) -> str:
    """Return where a rule card comes from; a poster is named by its number, not by its file."""
    found = _POSTER_FILE.fullmatch(source)
    return t("rules-poster_number", number=found[1]) if found else source


def _phrase(language: str, key: str, **values: str) -> str:
    return catalogue(language)(f"phrase-{key}", **values)


def condition_in_words(condition: Condition, language: str = DEFAULT) -> str:
    """Return a condition in words, such as "Banker wins and Banker's total is 6"."""
    match condition:
        case Test(fact=fact, values=values):
            return _test_in_words(fact, values, language)
        case CountTest():
            return _count_in_words(condition, language)
        case All(parts=parts):
            ordered = sorted(parts, key=_place)
            return _joined("and", (_grouped(part, All, language) for part in ordered), language)
        case Any(parts=parts):
            return _joined("or", (_grouped(part, Any, language) for part in parts), language)
        case Not(part=part):
            return _phrase(language, "not", one=condition_in_words(part, language))


def _place(part: Condition) -> int:
    """Return the sort key of a test: the position of its fact in the list of facts, in which the
    winner comes first."""
    return [*FACTS].index(part.fact) if isinstance(part, Test) else len(FACTS)


def _grouped(part: Condition, inside: type, language: str) -> str:
    words = condition_in_words(part, language)
    mixed = isinstance(part, All | Any) and not isinstance(part, inside)
    return f"({words})" if mixed else words


def _joined(by: str, parts: Iterable[str], language: str) -> str:
    return catalogue(language).joined(by, parts)


def _test_in_words(fact: str, values: frozenset[Value], language: str) -> str:
    ordered = [value for value in FACTS[fact].values if value in values]
    if fact == "winner":
        return _joined("or", (_phrase(language, f"{value}-wins") for value in ordered), language)
    if set(ordered) == {True, False}:
        return _phrase(language, "always")
    if isinstance(ordered[0], bool):
        return _phrase(language, fact if ordered[0] else f"{fact}-not")
    numbers = [value for value in ordered if isinstance(value, int)]
    phrases = []
    if numbers:
        phrases.append(_phrase(language, fact, values=_any_of(numbers, language)))
    if "none" in ordered:
        phrases.append(_phrase(language, f"{fact}-none"))
    return _joined("or", phrases, language)


def _count_in_words(count: CountTest, language: str) -> str:
    """Return a condition such as "the number of jacks or kings in the coup is at least 4"."""
    t = catalogue(language)
    names = (
        t(f"phrase-of-{word}") if f"phrase-of-{word}" in t else parse_card(word).face()
        for word in count.words
    )
    possible = [int(n) for n in count_fact(count.words, count.place).values]
    numbers = [n for n in possible if n in count.values]
    values = _any_of(numbers, language)
    if len(numbers) > 1 and numbers == possible[numbers[0] :]:
        values = _phrase(language, "at_least", number=str(numbers[0]))
    return _phrase(
        language, f"count-{count.place}", cards=_joined("or", names, language), values=values
    )


def _any_of(numbers: Iterable[int], language: str) -> str:
    return _joined("or", ranges(frozenset(numbers)).split(", "), language)


def odds_in_words(odds: Fraction, language: str = DEFAULT) -> str:
    """Return odds such as '19:20', or 'stand-off'."""
    if odds == STAND_OFF:
        return _phrase(language, "stand-off")
    return f"{odds.numerator}:{odds.denominator}"


def line_in_words(line: Line, game: Game, language: str = DEFAULT) -> str:
    """Return one payout line of a bet in words: 'pays 1:2 when Banker wins and …'."""
    when = condition_in_words(line.when, language)
    if line.pays == STAND_OFF:
        return _phrase(language, "returns", when=when)
    if line.parameter and game.card.parameters[line.parameter].unit is Unit.PERCENT:
        percent = short_decimal(line.pays * 100)
        return _phrase(language, "pays-percent", percent=percent, when=when)
    return _phrase(language, "pays", odds=odds_in_words(line.pays, language), when=when)


def overlapping(bet: Bet, game: Game) -> tuple[bool, ...]:
    """Return, for each line of a bet, whether an earlier line with different odds can apply to the
    same coup."""
    if len(bet.lines) == 1:
        return (False,)
    universe = classes_for(game.tableau, (line.when for line in bet.lines))
    holding = [universe.possible & line.when.classes(universe) for line in bet.lines]
    return tuple(
        any(
            above.pays != line.pays and holding[i] & holding[place]
            for i, above in enumerate(bet.lines[:place])
        )
        for place, line in enumerate(bet.lines)
    )


def bet_in_words(bet: Bet, game: Game, language: str = DEFAULT) -> str:
    """Return everything a bet pays as one sentence, with 'otherwise' before overlapping lines."""
    lines = []
    for line, second in zip(bet.lines, overlapping(bet, game), strict=True):
        words = line_in_words(line, game, language)
        lines.append(_phrase(language, "otherwise", line=words) if second else words)
    return _phrase(language, "bet", name=bet.name, lines="; ".join(lines))


def payment_notes(bets: Iterable[Bet], game: Game, language: str = DEFAULT) -> tuple[str, ...]:
    """Return notes on payouts: that the stake is returned, what a pair is if a bet depends on one,
    and which line counts if lines overlap."""
    bets = tuple(bets)
    several = any(any(overlapping(bet, game)) for bet in bets)
    pairs = any(_is_about_pairs(line.when) for bet in bets for line in bet.lines)
    keys = ("rule-returned", "rule-pair" if pairs else "", "rule-first" if several else "")
    return tuple(map(catalogue(language), filter(None, keys)))


def _is_about_pairs(condition: Condition) -> bool:
    match condition:
        case Test(fact=fact):
            return fact.endswith("_pair")
        case CountTest():
            return False
        case Not(part=part):
            return _is_about_pairs(part)
        case All(parts=parts) | Any(parts=parts):
            return any(map(_is_about_pairs, parts))


def tableau_rows(tableau: Tableau) -> list[tuple[str, list[str]]]:
    """Return, for each banker total, whether the banker draws or stands against each possible
    third card of the player, and against a player who stands."""
    return [
        (str(total), ["draws" if tableau.draws(total, given) else "stands" for given in range(11)])
        for total in range(10)
        if total not in tableau.naturals
    ]


@dataclass(frozen=True)
class OwnProcedures:
    """What a house adds to a rule card's procedures at a table."""

    source: str = ""
    """Where the table's cards come from: 'shoe', 'shuffler' or 'cards'; '' if there is no table."""
    error_cut_off: bool = False
    """Whether the house adds a cut-off for reporting errors (R43)."""
    pays_decided_bets: bool = False
    """Whether bets that were already won are paid when a round is cancelled."""

    @property
    def real_cards(self) -> bool:
        """Whether a dealer may deal real cards, so that there can be dealing errors."""
        return self.source in ("", "cards")


NOTHING_ADDED = OwnProcedures()


def rules_in_words(
    game: Game,
    *,
    limits: bool = True,
    language: str = DEFAULT,
    own: OwnProcedures = NOTHING_ADDED,
) -> tuple[Section, ...]:
    """Return all the rules, section by section, with the limits on stakes if `limits` is true.

    `own` are the house's own procedures at the table.
    """
    t, game = catalogue(language), in_language(game, language)
    found: dict[str, Iterable[str]] = {
        "cards": (t("rule-decks", decks=game.decks, source=own.source), t("rule-total")),
        "deal": _deal(game.tableau, t),
        "tableau": _banker_rows(game.tableau, t),
        "bets": (
            *(bet_in_words(bet, game, language) for bet in game.bets),
            *payment_notes(game.bets, game, language),
        ),
        "wagering": _wagering(game, t, limits=limits, at_table=bool(own.source)),
        "procedures": _procedures(game, t),
        "house": _own_procedures(game, own, t),
        "parameters": _parameters(game, t),
        "ambiguities": (
            *_ambiguities(game, t, "rule-open", resolved=False),
            *_ambiguities(game, t, "rule-resolved", resolved=True),
        ),
        "notes": game.card.notes,
        "notice": _notice(game, t),
    }
    sections = (Section(key, t(f"rule-title-{key}"), tuple(found[key])) for key in found)
    return tuple(section for section in sections if section.lines)


def _deal(tableau: Tableau, t: Catalogue) -> Iterable[str]:
    yield from map(t, ("rule-house", "rule-betting", "rule-order"))
    if any(shape.cards > 4 for shape in classes_of(tableau).shapes):
        yield t("rule-third_card")
    if tableau.naturals:
        yield t(
            "rule-naturals", totals=_joined("or", map(str, sorted(tableau.naturals)), t.language)
        )
    stands = frozenset(range(10)) - tableau.naturals - tableau.player_draws
    if not tableau.player_draws:
        yield t("rule-player_stands")
    elif not stands:
        yield t("rule-player_draws")
    else:
        yield t("rule-player", draws=ranges(tableau.player_draws), stands=ranges(stands))
    yield t("rule-settling")


def _banker_rows(tableau: Tableau, t: Catalogue) -> Iterable[str]:
    totals = [total for total in range(10) if total not in tableau.naturals]
    stood = [total for total in totals if tableau.draws(total, STOOD)]
    yield t("rule-stood", draws=ranges(stood)) if stood else t("rule-stood_stands")
    rows = grouped(
        (tuple(given for given in range(10) if tableau.draws(total, given)), total)
        for total in totals
    )
    for draws, having in rows.items():
        key = "rule-banker_draws" if len(draws) == 10 else "rule-banker"
        cards = _any_of(draws, t.language)
        yield t(
            key if draws else "rule-banker_stands", totals=_any_of(having, t.language), cards=cards
        )


def _wagering(game: Game, t: Catalogue, *, limits: bool, at_table: bool) -> Iterable[str]:
    """Yield the limits, the stake steps that pay whole coins, and which bets require or exclude
    others."""

    def money(coins: int) -> str:
        return t.money(coins, game.card.currency)

    own = game.card.limits
    if limits:
        yield t("rule-limits", least=money(own.minimum), most=money(own.maximum))
        special = (bet for bet in game.bets if {bet.minimum, bet.maximum} != {None})
        for (low, high), bets in grouped((game.limits(bet), bet.name) for bet in special).items():
            names = listed(bets, t.language)
            yield t("rule-limits_of", bets=names, least=money(low), most=money(high))
    else:
        yield t("rule-limits_here" if at_table else "rule-limits_shown")
    if own.rounding is not Rounding.REFUSE:
        yield t("rule-rounding", way=own.rounding)
    else:
        steps = grouped((bet.step, bet.name) for bet in game.bets if bet.step > 1)
        for step, bets in steps.items():
            yield t("rule-step", bets=listed(bets, t.language), step=money(step))
    if own.partners_share_maximum:
        yield t("rule-partners")
    if len(game.bets) > 1:
        yield from _combined(game, t)
    yield from _alone(game, t)
    if game.card.bonus_win_chance is not None:
        yield t("rule-bonus", chance=short_decimal(game.card.bonus_win_chance * 100))


def _combined(game: Game, t: Catalogue) -> Iterable[str]:
    names = {bet.id: bet.name for bet in game.bets}
    apart = dict.fromkeys(
        frozenset({bet.id, other})
        for bet in game.bets
        for other in bet.excludes
        if other in names and other != bet.id
    )
    for pair in apart:
        one, other = (name for bet, name in names.items() if bet in pair)
        yield t("rule-apart", one=one, other=other)
    if not apart:
        yield t("rule-combined")
    elif len(names) * (len(names) - 1) // 2 > len(apart):
        yield t("rule-combined_others")


def _alone(game: Game, t: Catalogue) -> Iterable[str]:
    names = {bet.id: bet.name for bet in game.bets}
    needs = grouped((bet.requires, bet.name) for bet in game.bets if bet.requires)
    for requires, bets in needs.items():
        others = [names[bet] for bet in requires if bet in names]
        yield t(
            "rule-requires",
            bets=listed(bets, t.language, by="or"),
            others=listed(others, t.language, by="or"),
        )
    alone = [bet.name for bet in game.bets if not bet.requires]
    if not needs and len(names) > 1:
        yield t("rule-alone_all")
    elif needs and alone:
        yield t("rule-alone", bets=listed(alone, t.language, by="or"))


def _procedures(game: Game, t: Catalogue) -> Iterable[str]:
    """Yield the card's procedures."""
    declared = vars(game.card.procedures).items()
    yield from (t(f"rule-{name}") for name, value in declared if value is True)


def _own_procedures(game: Game, own: OwnProcedures, t: Catalogue) -> Iterable[str]:
    """Yield the procedures that apply at every table, and those that the house adds at this one."""
    yield t("rule-own_fault", decided="paid" if own.pays_decided_bets else "returned")
    if not game.card.procedures.disputes_for_player:
        yield t("rule-own_disputes")
    if own.real_cards:
        yield t("rule-own_report")
        if not game.card.procedures.errors_until_next_coup:
            yield t("rule-own_cut_off" if own.error_cut_off else "rule-own_shoe")


def _parameters(game: Game, t: Catalogue) -> Iterable[str]:
    for name, value in game.parameters.items():
        parameter = game.card.parameters[name]
        if parameter.set_by != "poster":
            values = {"value": value, "least": parameter.minimum, "most": parameter.maximum}
            words = {key: parameter.format(each) for key, each in values.items()}
            shown = parameter.label[:1].upper() + parameter.label[1:]
            key = "rule-parameter" if parameter.set_by == "agreement" else "rule-parameter_table"
            yield t(key, name=shown, meaning=parameter.meaning, **words)


def _ambiguities(game: Game, t: Catalogue, key: str, *, resolved: bool) -> Iterable[str]:
    for ambiguity in game.card.ambiguities:
        if ambiguity.resolved is resolved:
            reading = ambiguity.reading(game.readings[ambiguity.id]).text
            yield t(key, id=ambiguity.id, question=ambiguity.question, reading=reading)


def _notice(game: Game, t: Catalogue) -> Iterable[str]:
    notice = game.card.notice
    if notice.minimum_age is not None:
        yield t("frame-age", age=notice.minimum_age)
    if notice.regulator is not None:
        yield t("rule-regulator", regulator=notice.regulator)
    if notice.responsible_gaming:
        yield t("rule-responsible_gaming")
    if notice.warning is not None:
        yield notice.warning
    yield from notice.contacts


def listed(names: Sequence[str], language: str = DEFAULT, *, by: str = "and") -> str:
    """Join names as 'a, b and c', with 'x 1, x 2, x 3' shortened to 'x 1 to 3'."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _follows(name, runs[-1][-1]):
            runs[-1].append(name)
        else:
            runs.append([name])
    phrases: list[str] = []
    for run in runs:
        last = run[-1].rpartition(" ")[2]
        phrases += [_phrase(language, "to", first=run[0], last=last)] if len(run) > 2 else run
    return _joined(by, phrases, language)


def _follows(name: str, before: str) -> bool:
    stem, _, number = before.rpartition(" ")
    return number.isdecimal() and name == f"{stem} {int(number) + 1}"
