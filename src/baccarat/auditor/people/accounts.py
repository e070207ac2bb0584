"""Checks accounts: who opened, changed, suspended and closed them, and where staff are assigned."""

from dataclasses import dataclass, field

from baccarat.auditor.books import DAY, UNKNOWN_STAFF, Body, Books, names_in

OPERATOR = "the operator"
"""The person who runs the server: nobody else outside the pit may open staff accounts."""
CONFIRM_CASH = ("pit", "cashier")
BY_TWO = (*CONFIRM_CASH, "shoe")
"""Roles that move or confirm money, or report cards; two people must open their accounts."""
NEW = {
    "issued by": "",
    "suspended": False,
    "tables": "",
    "signed in": 0,
    "second factor": False,
}
"""Facts about an account that has just been opened, by the names used in findings."""


@dataclass
class AccountBooks(Books):
    """Checks the events about accounts in the house's stream."""

    registered: set[str] = field(default_factory=set)
    """Guests who registered."""
    stops: set[int] = field(default_factory=set)
    """Entries of emergency stops whose reason has not been given yet."""

    def on_AccountOpened(self, body: Body) -> None:
        """Check that the operator or the pit opened a staff account.

        Some accounts must be opened by two members of the pit.
        """
        account, by = str(body["account"]), body.get("by", "")
        self.check(account not in self.accounts, f"{account} was already open")
        opened = {"role": body["role"], "guest": body["guest"]}
        self.accounts[account] = {**opened, **NEW}
        if body["role"] == "player":
            return
        self.staff[account] = (body["role"], ())
        if by not in ("", OPERATOR):
            role = self.staff.get(by, UNKNOWN_STAFF)[0]
            self.check(role == "pit", f"{by}, who is not in the pit, opened a staff account")
            self._by_pit(account, body)
        self._issued(account, body)

    def on_GuestRegistered(self, body: Body) -> None:
        """Check that a guest registered only once; the account and its money stay the same."""
        known = self.accounts.get(body["account"], {})
        fits = known.get("guest") and body["account"] not in self.registered
        self.check(fits, f"{body['account']!r} is not a guest, or registered twice")
        self.registered.add(body["account"])

    def _by_pit(self, account: str, body: Body) -> None:
        """Check that the pit granted or removed access, with two people for the roles in BY_TWO."""
        if body["by"] == OPERATOR:
            return
        role = self.staff.get(account, UNKNOWN_STAFF)[0]
        self.check(role, f"{account!r} is not a staff account")
        self.check(body["by"] != account, f"{account} changed their own account")
        self.done_by("pit", names_in(body))
        if role in BY_TWO:
            self.people(f"account {account}", names_in(body), alone=False)

    def _issued(self, account: str, body: Body) -> None:
        """Record the issuers: who opened an account or issued its password, and their issuers.

        The account's owner and one of its issuers never count as two people. If the operator issued
        the password, the list is cleared.
        """
        role, known = self.staff.get(account, UNKNOWN_STAFF)
        new = [name for name in names_in(body) if name != OPERATOR]
        before = [*known] if body.get("by") != OPERATOR else []
        for name in new:
            before += self.staff.get(name, UNKNOWN_STAFF)[1]
        kept = [name for name in dict.fromkeys(before) if name not in new and name != account]
        names = (*kept, *new)
        self.staff[account] = (role, names)
        self.issued.setdefault(account, []).append((self.at, names))
        if account in self.accounts:
            self.accounts[account]["issued by"] = " ".join(names)

    def on_PasswordIssued(self, body: Body) -> None:
        self._by_pit(body["account"], body)
        self._issued(body["account"], body)
        lasts = body["expires_at"] - body["at"]
        self.check(0 < lasts <= DAY, "an initial password must expire within 24 hours")

    def on_AccountSuspended(self, body: Body) -> None:
        """Check that nobody suspended their own account; one person may suspend others."""
        self.check(body["by"] != body["account"], f"{body['by']} suspended themselves")
        self._suspend(body, suspended=True)

    def on_SuspensionLifted(self, body: Body) -> None:
        self._by_pit(body["account"], body)
        self._suspend(body, suspended=False)

    def on_AccountClosed(self, body: Body) -> None:
        self._by_pit(body["account"], body)
        self._suspend(body, suspended=True)

    def on_PersonErased(self, body: Body) -> None:
        """Check that the operator erased the person; the account cannot be used again."""
        self.check(body["by"] == OPERATOR, f"{body['by']!r} did what only the operator may do")
        known = self.accounts.get(body["account"], {})
        person = known and (not known["guest"] or body["account"] in self.registered)
        if self.check(person, f"{body['account']!r} has no personal data"):
            known["suspended"], known["second factor"] = True, False

    def _suspend(self, body: Body, *, suspended: bool) -> None:
        known = self.accounts.get(body["account"], {})
        if self.check(known.get("role", "player") != "player", "it is not a staff account"):
            known["suspended"] = suspended

    def on_SignedIn(self, body: Body) -> None:
        """Record when a member of staff last signed in."""
        known = self.accounts.get(body["account"], {})
        if self.check(known.get("role", "player") != "player", "it is not a staff account"):
            known["signed in"] = body["at"]

    def on_EmergencyStopped(self, body: Body) -> None:
        self.done_by("pit", [body["by"]])
        self.stops.add(self.sequence)

    def on_StopExplained(self, body: Body) -> None:
        self.done_by("pit", [body["by"]])
        self.check(body["entry"] in self.stops, "no emergency stop was waiting for this reason")
        self.stops.discard(body["entry"])

    def on_AlertAcknowledged(self, body: Body) -> None:
        self.done_by("pit", [body["by"]])

    def on_ShiftNoteWritten(self, body: Body) -> None:
        self.done_by("pit", [body["by"]])

    def on_KeyRotated(self, body: Body) -> None:
        self.check(body["by"] == OPERATOR, f"{body['by']!r} did what only the operator may do")

    def on_SecondFactorSet(self, body: Body) -> None:
        known = self.accounts.get(body["account"], {})
        if self.check(known.get("role", "player") != "player", "it is not a staff account"):
            known["second factor"] = True

    def on_SecondFactorRemoved(self, body: Body) -> None:
        self._by_pit(body["account"], body)
        known = self.accounts.get(body["account"], {})
        if self.check(known.get("second factor"), f"{body['account']} had no second factor"):
            known["second factor"] = False

    def on_RecoveryCodeUsed(self, body: Body) -> None:
        known = self.accounts.get(body["account"], {})
        self.check(known.get("second factor"), f"{body['account']} had no second factor")

    def on_StaffAssigned(self, body: Body) -> None:
        """Check that the pit assigned a dealer or another member of the pit to tables."""
        account, tables = body["account"], tuple(body["tables"])
        self.done_by("pit", [body["by"]])
        self.check(body["by"] != account, f"{account} changed their own account")
        known = self.accounts.get(account, {})
        works = known.get("role") in ("dealer", "pit")
        if self.check(works, f"{account!r} does not work at tables"):
            known["tables"] = " ".join(tables)
            self.assigned.setdefault(account, []).append((body["at"], tables))

    def done_by(self, role: str, names: list[str]) -> None:
        for name in names:
            known = self.accounts.get(name, {})
            fits = known.get("role") == role and not known.get("suspended")
            self.check(fits, f"{name!r} did what only an active {role} account may do")
