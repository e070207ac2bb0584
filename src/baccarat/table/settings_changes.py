"""Checks changes to a table's settings, and lists the values that change."""

from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game
from baccarat.core.text import Coins
from baccarat.shoe.commitment import Source
from baccarat.table.agreements import check_offers, granted_up_to, listed, standing_offer
from baccarat.table.automatic.decisions import shoe_rules
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, table_game
from baccarat.table.settings import Change, Excess, Settings

PLAIN = ("source", "cut", "burn", "excess", "dummy")


def check_settings(settings: Settings) -> None:
    """Raise Refused unless a table with these settings can run."""
    try:
        game = game_of(settings.rules)
        if settings.source is not Source.CARDS:  # with real cards, `cut` is not used
            shoe_rules(settings)
    except BaccaratError as error:
        raise Refused(Code.BAD_SETTINGS, "bad-settings", fault=str(error)) from error
    if settings.shuffler and settings.source is not Source.CARDS:
        raise Refused(Code.BAD_SETTINGS, "shuffler-of-cards")
    own, bets = settings.limits, [bet.id for bet in game.bets]
    for name in {bet.bet for bet in own.bets} - {*bets}:
        raise Refused(Code.BAD_SETTINGS, "no-such-bet", name=name, bets=", ".join(bets))
    ranges = [(own.minimum, own.maximum), *((bet.minimum, bet.maximum) for bet in own.bets)]
    for least, most in ranges:
        if least is not None and most is not None and least > most:
            values = {"minimum": Coins(least), "maximum": Coins(most)}
            raise Refused(Code.BAD_SETTINGS, "minimum-above-maximum", **values)
    check_offers(settings)
    if settings.excess is Excess.RETURNED and not game.card.procedures.reconstruction:
        raise Refused(Code.BAD_SETTINGS, "excess-not-returned", card=game.card.name)


def raises_a_maximum(before: Settings, after: Settings) -> bool:
    """Return whether the change raises or removes a maximum of a bet, a coup or the seats."""
    old, new = _game(before), _game(after)
    most = {bet.id: old.limits(bet)[1] for bet in old.bets}
    if any(new.limits(bet)[1] > most.get(bet.id, 0) for bet in new.bets):
        return True
    if new.card.limits.maximum > old.card.limits.maximum:  # applies to bets added by a resolution
        return True
    was, becomes = before.limits, after.limits
    return _rises(was.coup_maximum, becomes.coup_maximum) or _rises(was.seats, becomes.seats)


def _rises(before: int | None, after: int | None) -> bool:
    return before is not None and (after is None or after > before)


def _game(settings: Settings) -> Game:
    return table_game(settings.rules, settings.limits)


def changes(before: Settings, after: Settings) -> tuple[Change, ...]:
    """Return each changed setting with its values before and after."""
    old, new = _values(before), _values(after)
    found = {key: (old[key], new[key]) for key in new if old.get(key, new[key]) != new[key]}
    names = {bet.id: bet.name for bet in _game(after).bets}
    cards = (_game(settings).card.name for settings in (before, after))
    rules = (Change("rules", "", *cards),) if before.rules != after.rules else ()
    return rules + tuple(
        Change(name, names.get(bet, ""), *values)
        for (name, bet), values in found.items()
        if not bet or values != found.get((name, ""))  # omit bets that follow the table
    )


def _values(settings: Settings) -> dict[tuple[str, str], int | str | None]:
    """Return all settings except the rules, by name and bet id; the id is empty for the table."""
    game, limits = _game(settings), settings.limits
    found: dict[tuple[str, str], int | str | None] = {
        (name, ""): value
        for name, value in (
            *((name, str(getattr(settings, name))) for name in PLAIN),
            ("error_cut_off", "on" if settings.error_cut_off else "off"),
            ("deck_sets", "on" if settings.deck_sets else "off"),
            ("shuffler", "on" if settings.shuffler else "off"),
            ("inspector", "on" if settings.inspector else "off"),
            ("deal_now", "off" if settings.deal_now is None else "on"),
            ("standing_offer", listed(standing_offer(settings.rules, settings))),
            ("grants_up_to", listed(granted_up_to(settings.rules, settings))),
            *vars(settings.clock).items(),
            ("coup_maximum", limits.coup_maximum),
            ("seats", limits.seats),
        )
    }
    for place, name in enumerate(("minimum", "maximum")):
        found[name, ""] = getattr(game.card.limits, name)
        found |= {(name, bet.id): game.limits(bet)[place] for bet in game.bets}
    return found
