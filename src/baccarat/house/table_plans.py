"""Tables as a house file describes them."""

import pathlib
from dataclasses import dataclass, replace
from typing import Any

from baccarat.core.errors import BaccaratError, GameError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.house.people.roles import Account, Role
from baccarat.loader import load
from baccarat.loader.files import sister_of
from baccarat.loader.findings import MISSING, Report, shown
from baccarat.loader.lines import Path
from baccarat.shoe import Burn
from baccarat.shoe.commitment import Source
from baccarat.table.agreements import canonical_values
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import foreign_limits, game_at, rules_text
from baccarat.table.settings import (
    CLOCKS,
    BetLimits,
    Clock,
    DummyRefund,
    Excess,
    Pace,
    Settings,
    StakeLimits,
)
from baccarat.table.settings_changes import check_settings


@dataclass(frozen=True)
class TablePlan:
    """A table as described in the house file."""

    id: str
    name: str
    settings: Settings
    guests: bool
    """Whether guests may play at this table."""
    shoe: str = ""
    """Account id of the table's electronic shoe; if empty, no device may send cards."""
    shoe_key: str = ""
    """SHA-256 of the key of the table's electronic shoe; if empty, the table has none."""
    pit: str = ""
    """The pit that the table belongs to; the floor view groups tables by it."""
    starts_after: int = 0
    """Milliseconds from the first start of the server to the table's first shoe."""

    def check_shoe(self, account: Account) -> None:
        """Raise Refused if the account is an electronic shoe of another table."""
        if account.role is Role.SHOE and account.id != self.shoe:
            raise Refused(Code.NOT_ALLOWED, "not-the-shoe", account=account.id, table=self.name)


def plan_table(
    raw: dict[str, Any], path: Path, report: Report, folder: pathlib.Path | None, currency: Any
) -> TablePlan | None:
    """Return one table's plan from the house file, or None after reporting its errors."""
    before = len(report.findings)
    game = _game(raw, path, report, folder)
    if game is None:
        return None
    _check_limits(raw, game, path, report)
    if currency is not MISSING:
        _check_currency(raw, game, path, report, currency)
    if len(report.findings) > before:
        return None
    try:
        settings = Settings(
            rules=_rules(raw, folder),
            source=Source(raw["source"]),
            cut=raw["cut"],
            burn=Burn(raw["burn"]),
            clock=_clock(raw),
            limits=_limits(raw),
            excess=_excess(raw, game),
            dummy=DummyRefund(raw["dummy"]),
            error_cut_off=raw["error_cut_off"],
            inspector=raw["inspector"],
            deck_sets=raw["deck_sets"],
            shuffler=raw["shuffler"],
            standing_offer=canonical_values(raw["standing_offer"] or {}, game),
            grants_up_to=canonical_values(raw["grants_up_to"] or {}, game),
        )
        check_settings(settings)
    except BaccaratError as error:
        report.add(path, str(error), "change these settings of the table")
        return None
    shoe = {"shoe": raw["shoe"], "shoe_key": raw["shoe_key"]}
    return TablePlan(raw["id"], raw["name"], settings, raw["guests"], pit=raw["pit"], **shoe)


def _clock(raw: dict[str, Any]) -> Clock:
    """Return the clock of the table's pace, with the times that the house file gives."""
    usual = CLOCKS[Pace(raw["pace"])]
    keys = {"betting": "betting", "card": "card_pace", "pause": "pause", "squeeze": "squeeze"}
    given = {name: raw[key] for name, key in keys.items() if raw[key] is not None}
    return replace(usual, **given, contribute=raw["contribute"], reveal=raw["reveal"])


def _excess(raw: dict[str, Any], game: Game) -> Excess:
    """Return where excess cards go: as the house file says, or else as the rule card says."""
    if raw["excess"] is not None:
        return Excess(raw["excess"])
    return Excess.RETURNED if game.card.procedures.reconstruction else Excess.BURNED


def _game(
    raw: dict[str, Any], path: Path, report: Report, folder: pathlib.Path | None
) -> Game | None:
    try:
        card = load(sister_of(folder, raw["card"]))
    except BaccaratError as error:
        first, *more = str(error).splitlines()
        problem = f"{first} {more[0].strip()}" if more else first
        report.add((*path, "card"), problem, "run baccarat check on the card to see all its faults")
        return None
    game = None
    for key in ("parameters", "readings"):
        for name, value in (raw[key] or {}).items():
            try:
                game = Game.of(card, **{key: {name: value}})
            except GameError as error:
                remedy = f"see baccarat show {raw['card']}"
                report.add((*path, key, name), str(error), remedy)
    return game or card.game()


def _rules(raw: dict[str, Any], folder: pathlib.Path | None) -> str:
    parameters = {name: ratio(value) for name, value in (raw["parameters"] or {}).items()}
    card = sister_of(folder, raw["card"])
    return rules_text(card, parameters=parameters, readings=raw["readings"])


def _limits(raw: dict[str, Any]) -> StakeLimits:
    return StakeLimits(
        raw["minimum"],
        raw["maximum"],
        raw["coup_maximum"],
        tuple(BetLimits(b["id"], b["minimum"], b["maximum"]) for b in raw["bet"]),
        raw["seats"],
    )


def _check_currency(
    raw: dict[str, Any], game: Game, path: Path, report: Report, currency: str
) -> None:
    """Check that the table sets its own limits if the rule card is in another currency."""
    missing = foreign_limits(game, _limits(raw), currency)
    if missing:
        report.add(
            (*path, "card"),
            f"the limits of {raw['card']} are in {game.card.currency}, and the house's currency is "
            f"{currency}",
            f"give the table its limits in {currency}: {', '.join(missing)}",
        )


def _check_limits(raw: dict[str, Any], game: Game, path: Path, report: Report) -> None:
    """Check that no bet's minimum is above its own maximum or the maximum for a coup."""
    offers = game_at(game, _limits(raw), game.card.currency).offers
    places: dict[str, Path] = {bet["id"]: (*path, "bet", i) for i, bet in enumerate(raw["bet"])}
    for name, place in places.items():
        if name not in offers:
            problem = f"{shown(name)} is not a bet of {raw['card']}"
            report.add((*place, "id"), problem, "name one of the card's bets")
    for name, offer in offers.items():
        largest = min(offer.most, raw["coup_maximum"] or offer.most)
        if offer.least > largest:
            problem = f"{offer.bet.name} cannot be bet on: its minimum is above its maximum"
            report.add(places.get(name, path), problem, "lower the minimum, or raise the maximum")
