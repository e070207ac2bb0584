"""The books of the house's own stream: accounts, money, and players' protection outside the tables.

In go its events in their order; out come the coins they moved, who works here, who was away and who
counts as one with whom, and everything that should not have happened. The one rule: what tables
need of it is told by what is in the journal alone.
"""

from dataclasses import dataclass, field
from typing import Any

from baccarat.auditor.books import FOREVER, NOBODY, Away, Body, Books, Linked
from baccarat.auditor.words import money

OPERATOR = "the operator"
"""Whoever runs the server: the only one who opens an account of the pit without being of it."""
DAY = 86_400_000
BY_TWO = ("pit", "cashier")
"""Those who move money or confirm it: two people let them in."""


@dataclass
class HouseBooks(Books):
    """Accounts, money and players' protection outside the tables."""

    limits: dict[tuple[str, ...], int | None] = field(default_factory=dict)
    asked: dict[tuple[str, ...], tuple[int | None, int | None]] = field(default_factory=dict)
    until: dict[str, int] = field(default_factory=dict)
    """When players' exclusions end at the earliest."""
    breaks: dict[str, int] = field(default_factory=dict)
    returns: dict[str, int] = field(default_factory=dict)
    away: Away = field(default_factory=dict)
    """Times at which players took a break or were excluded."""
    linked: Linked = field(default_factory=dict)
    accounts: dict[str, Body] = field(default_factory=dict)
    """Every account: its role and name, whether it is a guest's, who opened it or issued its
    password, and whether it is suspended or closed."""
    payments: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    """Cash by its entry that was not voided: which way, whose, how much."""
    used: dict[tuple[str, ...], tuple[int, int]] = field(default_factory=dict)
    """What one person did alone: since when the day counts, and coins."""
    done: str = ""
    """What two people have just carried out: the next entry says that it no longer waits."""

    def on_HouseOpened(self, _: Body) -> None:  # noqa: N802
        self.need(self.sequence == 1, "a house opens once, at the beginning")

    def on_AccountOpened(self, body: Body) -> None:  # noqa: N802
        """Nothing moves; two people of the pit open an account that moves money or confirms it, or
        whoever runs the server."""
        account, by = str(body["account"]), body.get("by", "")
        self.need(account not in self.accounts, f"{account} was opened before")
        self.accounts[account] = {
            **{name: body[name] for name in ("role", "name", "guest")},
            "issued by": "",
            "suspended": False,
        }
        if body["role"] == "player":
            return
        self.staff[account] = (body["role"], ())
        if by not in ("", OPERATOR):
            role = self.staff.get(by, NOBODY)[0]
            self.need(role == "pit", f"{by}, who is not of the pit, opened an account of the staff")
            self._by_pit(account, body)
        self._issued(account, body)

    def _by_pit(self, account: str, body: Body) -> None:
        """What gives access or takes it away: by two for those who move money or confirm it."""
        if body["by"] == OPERATOR:
            return
        role = self.staff.get(account, NOBODY)[0]
        self.need(role, f"{account!r} is not of the staff")
        self.need(body["by"] != account, f"{account} did this to their own account")
        for name in _names(body):
            known = self.accounts.get(name, {})
            fits = known.get("role") == "pit" and not known["suspended"]
            self.need(fits, f"{name!r} did what is for the pit to do")
        if role in BY_TWO:
            self.people(f"account {account}", _names(body), alone=False)

    def _issued(self, account: str, body: Body) -> None:
        """Those who let somebody in never count as a second person with them, nor do those who let
        them in."""
        role, known = self.staff.get(account, NOBODY)
        new = [name for name in _names(body) if name != OPERATOR]
        before = [*known]
        for name in new:
            before += self.staff.get(name, NOBODY)[1]
        kept = [name for name in dict.fromkeys(before) if name not in new and name != account]
        names = (*kept, *new)
        self.staff[account] = (role, names)
        if account in self.accounts:
            self.accounts[account]["issued by"] = " ".join(names)

    def on_PasswordIssued(self, body: Body) -> None:  # noqa: N802
        self._by_pit(body["account"], body)
        self._issued(body["account"], body)
        lasts = body["expires_at"] - body["at"]
        self.need(0 < lasts <= DAY, "an initial password that can be used for longer than 24 hours")

    def on_AccountSuspended(self, body: Body) -> None:  # noqa: N802
        """One person of the pit is enough."""
        self.need(body["by"] != body["account"], f"{body['by']} suspended themselves")
        self._suspend(body, suspended=True)

    def on_SuspensionLifted(self, body: Body) -> None:  # noqa: N802
        self._by_pit(body["account"], body)
        self._suspend(body, suspended=False)

    def on_AccountClosed(self, body: Body) -> None:  # noqa: N802
        self._by_pit(body["account"], body)
        self._suspend(body, suspended=True)

    def _suspend(self, body: Body, *, suspended: bool) -> None:
        known = self.accounts.get(body["account"], {})
        if self.need(known.get("role", "player") != "player", "no account of the staff"):
            known["suspended"] = suspended

    def on_ProposalEnded(self, body: Body) -> None:  # noqa: N802
        super().on_ProposalEnded(body)
        carried_out = self.done == body["subject"]
        self.need(carried_out == (body["why"] == "done"), f"{body['subject']} was not done so")
        self.done = ""

    def people(self, subject: str, by: list[str], *, alone: bool) -> None:
        super().people(subject, by, alone=alone)
        self.done = subject if len(by) == 2 else ""

    def on_MoneyPaidIn(self, body: Body) -> None:  # noqa: N802
        self._handled(body, "in")
        self._may_pay_in(body["account"])
        self._pass("house/cash", "real", body)
        self.payments[self.sequence] = ("pay-in", body["account"], body["amount"])

    def _may_pay_in(self, player: str) -> None:
        """Nobody who is away, and nobody who counts as one with somebody who is."""
        partners = self.linked.get(player, [(0, frozenset[str]())])[-1][1]
        for one in sorted({player, *partners}):
            away = any(start <= self.at < end for start, end in self.away.get(one, ()))
            self.need(not away, f"{player} paid money in while {one} was on a break or excluded")

    def on_MoneyPaidOut(self, body: Body) -> None:  # noqa: N802
        self._handled(body, "out")
        self._pass("house/cash", "real", {**body, "amount": -body["amount"]})
        self.payments[self.sequence] = ("pay-out", body["account"], body["amount"])

    def on_CashVoided(self, body: Body) -> None:  # noqa: N802
        """The counter-entry of one payment, once."""
        paid_in = body["paid"] == "pay-in"
        self._handled(body, "out" if paid_in else "in")
        told = (body["paid"], body["account"], body["amount"])
        fits = self.payments.pop(body["entry"], None) == told
        self.need(fits, f"entry {body['entry']} is not such a payment, or was voided before")
        if not paid_in:
            self._may_pay_in(body["account"])
        amount = -body["amount"] if paid_in else body["amount"]
        self._pass("house/cash", "real", {**body, "amount": amount})

    def _handled(self, body: Body, way: str) -> None:
        """By a cashier, alone within the house's amount for the player and the day; above it, a
        cashier or one of the pit has confirmed it."""
        names = _names(body)
        self._done_by("cashier", names[:1] or [""])
        for name in names[1:]:
            known = self.accounts.get(name, {}).get("role")
            self.need(known in BY_TWO, f"{name!r} confirmed what is not theirs to confirm")
        self._some_coins(body)
        player = body["account"]
        alone = self._alone(("cash", way, player), body)
        by_one = {**body, "alone": body.get("day_alone")}
        alone = self._alone(("cash by", way, body["by"]), by_one) and alone
        self.people(f"cash {player}", names, alone=alone)

    def _alone(self, what: tuple[str, ...], body: Body) -> bool:
        """Could one person do this much today? What two did does not count."""
        most, day = body.get("alone"), body.get("day", 0)
        if most is None or body.get("first"):
            return most is None
        self.need(0 <= body["at"] - day < DAY, "it did not happen in its gaming day")
        start, used = self.used.get(what, (0, 0))
        used = body["amount"] + (used if day == start else 0)
        self.used[what] = (day, used)
        return bool(used <= most)

    def on_PlayMoneyGiven(self, body: Body) -> None:  # noqa: N802
        self._some_coins(body, guest=True)
        self._pass("house/play-money", "play", body)

    def on_BonusGranted(self, body: Body) -> None:  # noqa: N802
        self._moved_by("pit", body)
        self._pass("house/bonus", "bonus", body)

    def on_BonusReleased(self, body: Body) -> None:  # noqa: N802
        """By the house itself, when the terms are met; before there were terms, by the pit."""
        if body["by"] == self.stream:
            self._some_coins(body)
        else:
            self._moved_by("pit", body)
        self._pass("house/bonus", "bonus", {**body, "amount": -body["amount"]})
        self._pass("house/bank", "real", body)

    def on_BonusOpened(self, body: Body) -> None:  # noqa: N802
        self.need(body["wagering"] >= 0, "a bonus to be wagered less than nothing")
        self.need(body["expires_at"] > body["at"], "a bonus that expired before it was given")
        self._given(body)
        self._pass("house/bonus", "bonus", body)

    def on_BonusForfeited(self, body: Body) -> None:  # noqa: N802
        if body["end"] == "taken-back":
            self._given(body)
        else:
            self.need(body["by"] == self.stream, f"{body['by']!r} did what the house itself does")
            if body["end"] != "withdrawal" or body["amount"]:
                self._some_coins(body)  # by a withdrawal the grant ends, wherever its coins are
        self._pass("house/bonus", "bonus", {**body, "amount": -body["amount"]})

    def _given(self, body: Body) -> None:
        """Above what the house lets one person give or take, two do."""
        self._moved_by("pit", body)
        if "wagering" in body:  # in a day: to the player, and by the person
            places = [("bonus to", body["account"]), ("bonus by", body["by"])]
            found = [self._alone(place, body) for place in places]
            alone = all(found)
            if not body["wagering"]:
                self._alone(("cash", "in", body["account"]), body)
        else:
            alone = body.get("alone") is None or body["amount"] <= body["alone"]
        self.people(f"bonus {body['account']}", _names(body), alone=alone)

    # ---- partners --------------------------------------------------------------------------

    def on_PartnersChanged(self, body: Body) -> None:  # noqa: N802
        self.need(body["account"] not in body["partners"], "a player is their own partner")
        links = self.linked.setdefault(body["account"], [])
        links.append((body["at"], frozenset(body["partners"])))

    def on_PartnerNamed(self, body: Body) -> None:  # noqa: N802
        """Nothing moves."""

    on_KeptApart = on_SignInFailed = on_ClockChanged = on_PartnerNamed  # noqa: N815
    on_BrowserShared = on_SignedIn = on_PartnerNamed  # noqa: N815
    on_PasswordChanged = on_SignedOut = on_PartnerNamed  # noqa: N815
    on_SignInsLocked = on_PartnerNamed  # noqa: N815

    # ---- protection ------------------------------------------------------------------------

    def on_LimitSet(self, body: Body) -> None:  # noqa: N802
        """Tighter at once; looser only what was asked for, and not before its time."""
        place = (body["account"], body["limit"], body["period"], body["owner"])
        held, (asked, from_at) = self.limits.get(place), self.asked.pop(place, (None, None))
        new = body["amount"]
        if held is not None and (new is None or new > held):
            fits = from_at is not None and asked == new and body["at"] >= from_at
            self.need(fits, f"{place[0]}: a limit was loosened early, or without being asked for")
        self.limits[place] = new

    def on_LooserLimitAsked(self, body: Body) -> None:  # noqa: N802
        place = (body["account"], body["limit"], body["period"], body["owner"])
        waits = body["from_at"] - body["at"] >= 24 * 3_600_000
        self.need(waits, f"{place[0]}: a limit is loosened after 24 hours at the earliest")
        self.asked[place] = (body["amount"], body["from_at"])

    def on_LooserLimitDropped(self, body: Body) -> None:  # noqa: N802
        place = (body["account"], body["limit"], body["period"], body["owner"])
        self.asked.pop(place, None)

    def on_RealityCheckChosen(self, body: Body) -> None:  # noqa: N802
        """Nothing moves."""

    on_RealityCheckAnswered = on_BirthDateGiven = on_RealityCheckChosen  # noqa: N815

    def protection(self) -> dict[str, dict[str, Any]]:
        """What protects each player now, by names of its own."""
        found: dict[str, dict[str, Any]] = {}
        dates = {"a break until": self.breaks, "excluded until": self.until}
        for name, by_player in {**dates, "returning at": self.returns}.items():
            for player, at in by_player.items():
                found.setdefault(str(player), {})[name] = at
        for (player, limit, period, owner), amount in self.limits.items():
            found.setdefault(str(player), {})[f"{owner}/{limit}/{period}"] = amount
        for player, links in self.linked.items():
            found.setdefault(str(player), {})["partners"] = sorted(links[-1][1])
        return found

    def on_BreakTaken(self, body: Body) -> None:  # noqa: N802
        self.breaks[body["account"]] = body["until"]
        self.away.setdefault(body["account"], []).append((body["at"], body["until"]))

    def on_PlayerExcluded(self, body: Body) -> None:  # noqa: N802
        player, days = body["account"], (body["until"] - body["at"]) // 86_400_000
        self.need(days >= 181, f"{player}: an exclusion of {days} days is shorter than six months")
        self.until[player] = body["until"]
        self.returns.pop(player, None)
        self.away.setdefault(player, []).append((body["at"], FOREVER))

    def on_ReturnAsked(self, body: Body) -> None:  # noqa: N802
        player = body["account"]
        over = body["at"] >= self.until.get(player, FOREVER)
        self.need(over, f"{player}: a return was asked for during an exclusion")
        self.need(body["from_at"] - body["at"] >= 24 * 3_600_000, f"{player}: a return at once")
        self.returns[player] = body["from_at"]
        self.away[player] = [
            (start, body["from_at"] if end == FOREVER else end)
            for start, end in self.away.get(player, [])
        ]

    def _moved_by(self, role: str, body: Body) -> None:
        """By those whose work it is."""
        self._done_by(role, _names(body) or [""])
        self._some_coins(body)

    def _done_by(self, role: str, names: list[str]) -> None:
        for name in names:
            known = self.accounts.get(name, {})
            fits = known.get("role") == role and not known.get("suspended")
            self.need(fits, f"{name!r} did what is for the {role} to do")

    def _some_coins(self, body: Body, *, guest: bool = False) -> None:
        """To or from an account that had been opened: of a player, or of a guest."""
        player, amount = body["account"], body["amount"]
        known = self.accounts.get(player, {})
        fits = known.get("role") == "player" and known["guest"] == guest
        self.need(fits, f"{player!r} was no {'guest' if guest else 'player with real money'} then")
        some = type(amount) is int and amount > 0
        self.need(some, f"{money(amount)} is no amount: {money(1)} or more")

    def _pass(self, source: str, purse: str, body: Body) -> None:
        player, amount = body["account"], body["amount"]
        self.move(player, source, -amount)
        self.move(player, f"player:{player}/{purse}", amount)


def _names(body: Body) -> list[str]:
    """Who did it: one person, or the one who proposed it and the one who confirmed it."""
    return [name for name in (body.get("first"), body.get("by")) if name]
