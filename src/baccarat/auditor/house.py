"""Checks the house's stream: accounts, player protection, and money outside the tables.

The facts that the tables' books need (staff, times away, partners) are computed from the journal
alone.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, ClassVar
from zoneinfo import available_timezones

from baccarat.auditor.amounts import money
from baccarat.auditor.books import DAY, Body, names_in, subject_of
from baccarat.auditor.people.accounts import CONFIRM_CASH, AccountBooks

FOREVER = 1 << 62
HOUSE_FILE = "the house file"
METHODS = ("cash", "card", "transfer", "cheque")


@dataclass
class HouseBooks(AccountBooks):
    """Checks accounts, player protection, and money outside the tables."""

    unchecked: ClassVar[frozenset[str]] = frozenset(
        {
            *("PartnerNamed", "KeptApart", "SignInFailed", "SignInsLocked", "ClockChanged"),
            *("BrowserShared", "SignedOut", "PasswordChanged"),
            *("RealityCheckChosen", "RealityCheckAnswered", "BirthDateGiven"),
        }
    )
    limits: dict[tuple[str, ...], int | None] = field(default_factory=dict)
    asked: dict[tuple[str, ...], tuple[int | None, int | None]] = field(default_factory=dict)
    until: dict[str, int] = field(default_factory=dict)
    """Earliest end of each player's exclusion."""
    breaks: dict[str, int] = field(default_factory=dict)
    returns: dict[str, int] = field(default_factory=dict)
    payments: dict[int, tuple[str, str, int, str]] = field(default_factory=dict)
    """Kind, player, coins and method of each cash payment that was not voided, by entry."""
    used: dict[tuple[str, ...], tuple[int, int]] = field(default_factory=dict)
    """Start of the gaming day and coins handled by one person alone since then, by limit."""
    done: str = ""
    """Subject on which two people have just acted; the next entry must end its proposal."""

    def on_HouseOpened(self, _: Body) -> None:
        self.check(self.sequence == 1, "a house opens once, at the beginning")

    def on_GamingDaySet(self, body: Body) -> None:
        """Check that the house file set the gaming day, to an hour in a known time zone."""
        self.check(body["by"] == HOUSE_FILE, f"{body['by']!r} did what only the house file does")
        known = body["zone"] in available_timezones() and body["starts"] in range(24)
        if self.check(known, f"invalid gaming day: {body['starts']!r} in {body['zone']!r}"):
            self.days.append((body["at"], body["zone"], body["starts"]))

    def on_FootageNoted(self, body: Body) -> None:
        """Check that the pit noted the recording of a round."""
        self.done_by("pit", [body["by"]])
        self.check(body["reference"] and body["round"] > 0, "no reference to a recording")

    def on_DeckSetReceived(self, body: Body) -> None:
        self.done_by("pit", [body["by"]])
        self.report_all(self.deck_log.receive(body))

    def on_DeckSetPrepared(self, body: Body) -> None:
        """Check the count, and that another active dealer or member of the pit shuffled."""
        self.done_by("pit", [body["by"]])
        known = self.accounts.get(body["shuffled_by"], {})
        deals = known.get("role") in ("dealer", "pit") and not known.get("suspended")
        self.check(deals, f"{body['shuffled_by']!r} may not shuffle the house's cards")
        self.report_all(self.deck_log.prepare(self.sequence, body))

    def on_DeckCardChanged(self, body: Body) -> None:
        self.done_by("pit", [body["by"]])
        self.report_all(self.deck_log.change(body))

    def on_DeckSetRetired(self, body: Body) -> None:
        self.done_by("pit", [body["by"]])
        self.report_all(self.deck_log.retire(body))

    def on_ProposalEnded(self, body: Body) -> None:
        super().on_ProposalEnded(body)
        subject = subject_of(body)
        carried_out = self.done == subject
        self.check(
            carried_out == (body["why"] == "done"),
            f"{subject}: the proposal's end does not match what was done",
        )
        self.done = ""

    def people(self, subject: str, by: list[str], *, alone: bool) -> None:
        super().people(subject, by, alone=alone)
        self.done = subject if len(by) == 2 else ""

    def on_MoneyPaidIn(self, body: Body) -> None:
        self._check_payment(body, "in")
        self._paid("pay-in", body)

    def on_MoneyPaidOut(self, body: Body) -> None:
        self._check_payment(body, "out")
        self._paid("pay-out", body)

    def on_CashVoided(self, body: Body) -> None:
        """Check that a void reverses an existing payment that has not been voided before."""
        voided = (body["paid"], body["account"], body["amount"], body.get("method", "cash"))
        fits = self.payments.pop(body["entry"], None) == voided
        self.check(fits, f"entry {body['entry']} is not this payment, or was already voided")
        self._check_cash(body, "out" if body["paid"] == "pay-in" else "in")

    def _paid(self, kind: str, body: Body) -> None:
        paid = (kind, body["account"], body["amount"], body.get("method", "cash"))
        self.payments[self.sequence] = paid

    def _check_payment(self, body: Body, way: str) -> None:
        """Check a payment that is not a void, and that two people agreed on the same payment."""
        method = body.get("method", "cash")
        self.check(method in METHODS, f"unknown method of payment {method!r}")
        if body.get("first"):
            how = {name: body[name] for name in ("amount", "method", "reference") if name in body}
            self.check_agreed(f"cash {body['account']}", **how)
        self._check_cash(body, way)

    def _may_pay_in(self, player: str) -> None:
        """Check that neither the player nor a partner is on a break or excluded."""
        partners = self.linked.get(player, [(0, frozenset[str]())])[-1][1]
        for who in sorted({player, *partners}):
            away = any(start <= self.at < end for start, end in self.away.get(who, ()))
            self.check(not away, f"{player} paid money in while {who} was on a break or excluded")

    def _check_cash(self, body: Body, way: str) -> None:
        """Check that a cashier handled a payment, and that a second person confirmed it if it
        exceeded a limit.

        The second person is a cashier or a member of the pit. One limit applies to each player and
        day, and the other applies to everything that one person handles in a day.
        """
        names = names_in(body)
        self.done_by("cashier", names[:1] or [""])
        for name in names[1:]:
            known = self.accounts.get(name, {}).get("role")
            self.check(known in CONFIRM_CASH, f"{name!r} may not confirm cash operations")
        self._check_amount(body)
        player = body["account"]
        alone = self._alone(("cash", way, player), body)
        by_one = {**body, "alone": body.get("day_alone")}
        alone = self._alone(("cash by", way, body["by"]), by_one) and alone
        self.people(f"cash {player}", names, alone=alone)
        if way == "in":
            self._may_pay_in(player)
        self._transfer("house/cash", "real", body, sign=1 if way == "in" else -1)

    def _alone(self, what: tuple[str, ...], body: Body) -> bool:
        """Return whether one person may handle this amount alone today.

        Amounts that two people handled do not count.
        """
        most, day = body.get("alone"), body.get("day", 0)
        if most is None or body.get("first"):
            return most is None
        self.check_day(day)
        start, used = self.used.get(what, (0, 0))
        used = body["amount"] + (used if day == start else 0)
        self.used[what] = (day, used)
        return bool(used <= most)

    def on_PlayMoneyGiven(self, body: Body) -> None:
        self._check_amount(body, guest=True)
        self._transfer("house/play-money", "play", body)

    def on_BonusReleased(self, body: Body) -> None:
        """Check that the house itself released the bonus, as it does when the terms are met."""
        self._by_the_house(body)
        self._check_amount(body)
        self._transfer("house/bonus", "bonus", body, sign=-1)
        self._transfer("house/bank", "real", body)

    def on_BonusOpened(self, body: Body) -> None:
        self.check(body["wagering"] >= 0, "the wagering requirement of a bonus is negative")
        self.check(body["expires_at"] > body["at"], "a bonus expires before it was granted")
        self._check_grant(body)
        self._transfer("house/bonus", "bonus", body)

    def on_BonusForfeited(self, body: Body) -> None:
        if body["end"] == "taken-back":
            self._check_grant(body)
        else:
            self._by_the_house(body)
            if body["end"] != "withdrawal" or body["amount"]:
                self._check_amount(body)  # a withdrawal may end a grant without coins in the wallet
        self._transfer("house/bonus", "bonus", body, sign=-1)

    def _check_grant(self, body: Body) -> None:
        """Check that two people decided if a bonus is above the limit for one person.

        An amount that is taken back includes bonus money staked at tables.
        """
        self.done_by("pit", names_in(body) or [""])
        coins = body["amount"] + body.get("staked", 0)
        self._check_amount({**body, "amount": coins})
        if "wagering" in body:  # a grant counts for the player and for the giver
            keys = [("bonus to", body["account"]), ("bonus by", body["by"])]
            found = [self._alone(key, body) for key in keys]
            alone = all(found)
            if not body["wagering"]:
                self._alone(("cash", "in", body["account"]), body)
        else:
            alone = body.get("alone") is None or coins <= body["alone"]
        if not body.get("first"):
            self.decides_alone(body, body["by"], coins)
        self.people(f"bonus {body['account']}", names_in(body), alone=alone)

    # ---- ambiguities -----------------------------------------------------------------------

    def on_AmbiguityListed(self, body: Body) -> None:
        self.done_by("pit", names_in(body))
        self.check(body["ambiguity"] not in self.listed, "it was already listed")
        subject = "listing {table} {round} {player}".format(**body)
        self.people(subject, names_in(body), alone=not body["fragment"])
        self.listed[body["ambiguity"]] = body

    def on_ListedAmbiguityResolved(self, body: Body) -> None:
        name = body["ambiguity"]
        known = self.listed.get(name, {})
        ended = {"resolved_at", "withdrawn_at"} & known.keys()
        self.people(f"ambiguity {name}", names_in(body), alone=False)
        self.check_agreed(f"ambiguity {name}", resolution=body["words"])
        if self.check(known and not ended, f"{name} was not open"):
            self.listed[name] = {**known, "resolved_at": body["at"]}

    def on_ListedAmbiguityWithdrawn(self, body: Body) -> None:
        name = body["ambiguity"]
        known = self.listed.get(name, {})
        self.people(f"ambiguity {name}", names_in(body), alone=False)
        self.check_agreed(f"ambiguity {name}", withdrawal=body["words"])
        if self.check(known and "withdrawn_at" not in known, f"{name} was not listed"):
            self.listed[name] = {**known, "withdrawn_at": body["at"]}

    # ---- partners --------------------------------------------------------------------------

    def on_PartnersChanged(self, body: Body) -> None:
        self.check(body["account"] not in body["partners"], "a player is their own partner")
        links = self.linked.setdefault(body["account"], [])
        links.append((body["at"], frozenset(body["partners"])))

    # ---- protection ------------------------------------------------------------------------

    def on_LimitSet(self, body: Body) -> None:
        """Check that a looser limit was requested, and that its waiting time is over."""
        key = _limit_key(body)
        held, (asked, from_at) = self.limits.get(key), self.asked.pop(key, (None, None))
        new = body["amount"]
        if held is not None and (new is None or new > held):
            fits = from_at is not None and asked == new and body["at"] >= from_at
            self.check(fits, f"{key[0]}: a limit was raised too early, or without a request")
        self.limits[key] = new

    def on_LooserLimitAsked(self, body: Body) -> None:
        key = _limit_key(body)
        waits = body["from_at"] - body["at"] >= DAY
        self.check(waits, f"{key[0]}: a limit may be raised after 24 hours at the earliest")
        self.asked[key] = (body["amount"], body["from_at"])

    def on_LooserLimitDropped(self, body: Body) -> None:
        self.asked.pop(_limit_key(body), None)

    def protection(self) -> dict[str, dict[str, Any]]:
        """Return each player's current protection values, by the names used in findings."""
        found: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        dates = {"on a break until": self.breaks, "excluded until": self.until}
        for name, by_player in {**dates, "returning at": self.returns}.items():
            for player, at in by_player.items():
                found[str(player)][name] = at
        for (player, limit, period, owner), amount in self.limits.items():
            found[str(player)][f"{owner}/{limit}/{period}"] = amount
        for player, links in self.linked.items():
            found[str(player)]["partners"] = sorted(links[-1][1])
        return found

    def on_BreakTaken(self, body: Body) -> None:
        self.breaks[body["account"]] = body["until"]
        self.away.setdefault(body["account"], []).append((body["at"], body["until"]))

    def on_PlayerExcluded(self, body: Body) -> None:
        player, days = body["account"], (body["until"] - body["at"]) // DAY
        self.check(days >= 181, f"{player}: an exclusion of {days} days is shorter than six months")
        self.until[player] = body["until"]
        self.returns.pop(player, None)
        self.away.setdefault(player, []).append((body["at"], FOREVER))

    def on_ReturnAsked(self, body: Body) -> None:
        player = body["account"]
        over = body["at"] >= self.until.get(player, FOREVER)
        self.check(over, f"{player}: a return was requested during an exclusion")
        self.check(
            body["from_at"] - body["at"] >= DAY,
            f"{player}: a return takes effect after 24 hours at the earliest",
        )
        self.returns[player] = body["from_at"]
        self.away[player] = [
            (start, body["from_at"] if end == FOREVER else end)
            for start, end in self.away.get(player, [])
        ]

    def _by_the_house(self, body: Body) -> None:
        self.check(body["by"] == self.stream, f"{body['by']!r} did what only the house itself does")

    def _check_amount(self, body: Body, *, guest: bool = False) -> None:
        """Check the amount, and that the account is a player's or, with `guest`, a guest's."""
        player, amount = body["account"], body["amount"]
        known = self.accounts.get(player, {})
        fits = known.get("role") == "player" and known["guest"] == guest
        kind = "guest" if guest else "player with real money"
        self.check(fits, f"{player!r} was not a {kind}")
        some = type(amount) is int and amount > 0
        self.check(some, f"invalid amount {money(amount)}: must be {money(1)} or more")

    def _transfer(self, source: str, purse: str, body: Body, *, sign: int = 1) -> None:
        player, amount = body["account"], sign * body["amount"]
        self.move(player, source, -amount)
        self.move(player, f"player:{player}/{purse}", amount)


def _limit_key(body: Body) -> tuple[str, ...]:
    return (body["account"], body["limit"], body["period"], body["owner"])
