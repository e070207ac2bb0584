"""Recomputes disputes: the results of a round's wagers under every open reading."""

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from baccarat import verifier
from baccarat.auditor.amounts import money, net, purses, split, total
from baccarat.auditor.books import Body, Books
from baccarat.auditor.coups import deal, facts_of, written
from baccarat.auditor.rules import Readings, Rules, fits_listed, with_listed

SKEW = 1_000
"""Milliseconds by which servers' clocks may differ. If two events in different journals are closer
than this, their order is unknown."""
FOREVER = 1 << 62
Seen = tuple[list[str], bool]
"""A coup's cards with the known cards after it, and whether no more cards will become known."""


class Unknown(Exception):
    """A reading needs a card that has not been seen."""


@dataclass
class DisputedRound:
    """A settled round that is disputed later in the journal."""

    rules: str
    seen: Callable[[], Seen]
    wagers: Mapping[str, Any]
    """The event that placed the wagers, by player."""
    results: Mapping[str, Any]
    """The recorded result, by player."""
    settled_at: int
    dealers: Set[str] = frozenset()
    """The dealers of the round; empty if a server dealt it."""


def committed_cards(shoe: Mapping[str, Any], coup: int) -> Seen:
    """Return the known cards of a committed shoe, from the coup with this index on."""
    order = verifier.shuffled_positions(bytes.fromhex(shoe["seed"]), 52 * shoe["decks"])
    seen = {card["position"]: card["card"] for coup in shoe["coups"] for card in coup["cards"]}
    if shoe["reveal"]:
        seen |= dict(enumerate(shoe["reveal"]["order"]))
    first = shoe["coups"][coup]["cards"][0]["position"]
    known = takewhile(seen.__contains__, order[order.index(first) :])
    return [seen[position] for position in known], bool(shoe["ended"])


def outcome(past: DisputedRound, player: str, readings: Readings) -> tuple[str, list[int]] | None:
    """Return the coup and each wager's net result, or None if the wagers were not allowed.

    Raise Unknown if the coup needs a card that has not been seen.
    """
    before, rules, placed = Rules(past.rules), Rules(past.rules, readings), past.wagers[player]
    wagers = [(rules.bet_for(wager["bet"], before), wager["stake"]) for wager in placed["wagers"]]
    bets = [bet for bet, _ in wagers if bet]
    if any(rule for bet in bets for rule in rules.combination_findings(bet, bets)):
        return None
    cards, final = past.seen()
    coup = deal(rules.tableau, cards)
    if coup.due:
        if final:
            return None
        raise Unknown
    if rules.rounding == "refuse":
        rules.rounding = "up"
    facts = facts_of(coup.hands, rules.tableau["naturals"])
    nets = [(bet and rules.net(bet, stake, facts, placed["agreed"])) or 0 for bet, stake in wagers]
    return written(coup.hands), nets


def in_words(readings: Readings) -> str:
    return ", ".join(f"{name} as {reading}" for name, reading in readings.items())


@dataclass
class DisputeBooks(Books):
    """Checks the disputes at a table."""

    table: str = ""
    disputed: set[int] = field(default_factory=set)
    """Rounds that are disputed anywhere in the journal; their data is kept."""
    past: dict[int, DisputedRound] = field(default_factory=dict)
    disputes: dict[tuple[int, str], bool] = field(default_factory=dict)
    """Whether each dispute has been decided, by round and player."""
    opened: dict[tuple[int, str], Body] = field(default_factory=dict)
    """The event that opened each dispute, by round and player."""
    won: dict[tuple[int, str], int] = field(default_factory=dict)
    """Net wins in the last settlement, correction or decision, by round and player."""

    # ---- disputes --------------------------------------------------------------------------

    def on_DisputeOpened(self, body: Body) -> None:
        number, player = body["round"], body["player"]
        past = self.past.get(number)
        self.check(past and player in past.results, f"{player} has no wager on round {number}")
        self.check((number, player) not in self.disputes, "it was already disputed")
        self.disputes[number, player] = False
        self.opened[number, player] = body

    def on_DisputeDecided(self, body: Body) -> None:
        number, player = body["round"], body["player"]
        if not self._closes(number, player):
            return
        past, before, after = self.past[number], net(body["before"]), net(body["after"])
        paid = body["before"] == past.results[player]
        self.check(paid, "the results before are not those that were paid")
        more = after - before
        alone = more <= body["alone"] and not (more and body.get("listed"))
        self.people(f"dispute {number} {player}", body["by"], alone=alone)
        self._check_agreed(body, readings=body["readings"], after=after)
        if len(body["by"]) == 1:
            self.decides_alone(body, body["by"][0], more)
        self.check(more >= 0, f"{player} was paid less than before the decision")
        self.has_won(number, [body["after"]])
        merged = self._with_listed(past, body, more)
        best = self._best(merged, player, body) if merged else None
        if best is not None:
            self.check(after == best, f"the best result for {player} is {money(best)} net")
        placed = past.wagers[player]
        self.change(player, placed, total(placed) + before, total(placed) + after)

    def on_DisputeAnswered(self, body: Body) -> None:
        """Check that two people agreed to any payment, and that it covers what is due."""
        number, player, amount, by = (body[name] for name in ("round", "player", "amount", "by"))
        if not self._closes(number, player):
            return
        past = self.past[number]
        alone = amount == 0 and not past.dealers & set(by)
        self.people(f"dispute {number} {player}", by, alone=alone)
        self._check_agreed(body, amount=amount, answer=body["words"])
        self.check(amount >= 0, f"{player} was paid a negative amount, {money(amount)}")
        merged = self._with_listed(past, body, amount)
        if merged and (Rules(merged.rules).for_player or body.get("listed")):
            best = self._best(merged, player, None)
            due = max(best - net(past.results[player]), 1) if best is not None else 0
            self.check(amount >= due, f"{player} is owed at least {money(due)} by replay")
        purse = purses(player)[0]
        self.move(player, f"player:{player}/{purse.held}", amount)
        self.move(player, purse.house, -amount)

    def _check_agreed(self, body: Body, **done: Any) -> None:
        """Check that two people closed a dispute exactly as the first of them proposed."""
        if len(body["by"]) < 2:
            return
        agreed = self.check_agreed(f"dispute {body['round']} {body['player']}", **done)
        known = agreed.get("grounds", {}).get("ambiguities", [])
        for name in body.get("listed", []):
            self.check(name in known, f"{name} was not part of the proposal")

    def _with_listed(self, past: DisputedRound, body: Body, paid: int) -> DisputedRound | None:
        """Add the replayed listed ambiguities to the round's rules; check all that apply.

        Return None if the house's journal was not read or an ambiguity did not apply.
        """
        if not self.house_read:
            return None
        rules, names, card = past.rules, body.get("listed", []), json.loads(past.rules)["card"]
        for name in names:
            known = self.listed.get(name, {"card": "", "at": 0})
            fits = self._governs(known, card["id"], past, body, -SKEW)
            if not self.check(fits, f"{name} was not an open ambiguity of {card['id']}"):
                return None
        for name, known in self.listed.items():
            same = known["fragment"] and known["version"] == card["version"]
            fits = same and fits_listed(rules, name, known["fragment"])
            if name in names:
                rules = with_listed(rules, name, known["fragment"])
            elif self._governs(known, card["id"], past, body, SKEW):
                self.check(not fits, f"{name} was open, but was not replayed")
                self._check_named(name, known, body, paid)
            elif known["card"] == card["id"] and self._withdrawn(known, past, body):
                concerns = fits or any(self._named(name, known, body))
                alone = concerns and not paid and len(body["by"]) < 2
                self.check(
                    not alone, f"one person paid nothing, although {name} had been withdrawn"
                )
        return replace(past, rules=rules)

    def _named(self, name: str, known: Body, body: Body) -> tuple[bool, bool]:
        """Return whether an ambiguity was listed for a dispute, and whether the dispute cites
        it."""
        source = (self.table, body["round"], body["player"])
        own = tuple(known[field] for field in ("table", "round", "player")) == source
        return own, self.opened[source[1:]].get("cites", "") == name

    def _check_named(self, name: str, known: Body, body: Body, paid: int) -> None:
        """Check that a dispute over an open listed ambiguity was decided in the player's favour.

        Two people may find that an ambiguity that the player cites does not concern the round.
        """
        own, cited = self._named(name, known, body)
        words = f"{body['player']} was paid nothing, although {name} was open"
        self.check(paid > 0 or not (own or (cited and len(body["by"]) < 2)), words)

    def _withdrawn(self, known: Body, past: DisputedRound, body: Body) -> bool:
        """Return whether a listed ambiguity was certainly withdrawn while a dispute waited."""
        opened, at = self.opened[body["round"], body["player"]]["at"], known.get("withdrawn_at", 0)
        open_then = past.settled_at + SKEW < known.get("resolved_at", FOREVER)
        return bool(open_then and opened + SKEW <= at <= body["at"] - SKEW)

    @staticmethod
    def _governs(known: Body, card: str, past: DisputedRound, body: Body, skew: int) -> bool:
        """Return whether a listed ambiguity applied to this dispute.

        If events are too close in time to tell their order, return False for a positive `skew` and
        True for a negative one.
        """
        open_then = past.settled_at + skew < known.get("resolved_at", FOREVER)
        listed = known["at"] + skew <= body["at"] < known.get("withdrawn_at", FOREVER) - skew
        return bool(known["card"] == card and listed and open_then)

    def _closes(self, number: int, player: str) -> bool:
        waiting = number in self.past and self.disputes.get((number, player)) is False
        self.disputes[number, player] = True
        return self.check(waiting, "no such dispute is waiting for a decision")

    def _best(self, past: DisputedRound, player: str, body: Body | None) -> int | None:
        """Return the best net result over all open readings, and check the chosen readings."""
        nets, chosen = [], dict(body["readings"]) if body else None
        for readings in Rules(past.rules).open_readings():
            try:
                found = outcome(past, player, readings)
            except Unknown:
                unseen = "depends on cards that had not been seen"
                self.report(f"decided although {in_words(readings)} {unseen}")
                return None
            if found is not None:
                nets.append(sum(found[1]))
            if body and readings == chosen:
                decided = (body["coup"], [wager["net"] for wager in body["after"]["wagers"]])
                gives, recorded = (_coup_and_nets(coup) for coup in (found, decided))
                self.check(found == decided, f"{in_words(readings)} gives {gives}, not {recorded}")
        return max(nets, default=None)

    def on_AmbiguityResolved(self, body: Body) -> None:
        self.people(f"ambiguity {body['ambiguity']}", body["by"], alone=False)

    def people(self, subject: str, by: list[str], *, alone: bool) -> None:
        """Check the people as in any stream, and remove the proposal that they carried out."""
        super().people(subject, by, alone=alone)
        self.open_proposals.pop(subject, None)

    def has_won(self, number: int, results: Sequence[Body]) -> None:
        """Keep the players' net wins, to check an event about a large win that may follow."""
        self.won = {(number, result["player"]): net(result) for result in results}

    def change(self, player: str, placed: Body, before: int, after: int) -> None:
        """Post the change from `before` to `after` in the coins returned for a player's stake."""
        parts = zip(purses(player), split(before, placed), split(after, placed), strict=True)
        for purse, old, new in parts:
            self.move(player, f"player:{player}/{purse.held}", new - old)
            self.move(player, purse.house, old - new)


def _coup_and_nets(found: tuple[str, Sequence[Any]] | None) -> str:
    return f"{found[0]} with {', '.join(map(money, found[1]))} net" if found else "no such coup"
