"""A member of the staff who works at a table through the API."""

import itertools

from baccarat.house.people.roles import Role

KEYS = itertools.count()
"""Numbers for idempotency keys, so that each is new."""


class Dealing:
    """A member of the staff at a table."""

    def __init__(self, site, role="dealer", table="hand"):
        self.client, self.table = site.staff(role), table

    def colleague(self, site, name: str, role: Role = Role.PIT) -> "Dealing":
        """Return another person at the table, in a separate session."""
        other = Dealing(site)
        other.client = site.colleague(name, role)
        return other

    def send(self, method: str, path: str, body=None, *, key=None):
        return self.client.request(
            method,
            f"/api/tables/{self.table}/{path}",
            json=body,
            headers={"Idempotency-Key": key or f"k{next(KEYS)}"},
        )

    def do(self, path: str, body=None, *, method="POST", key=None) -> dict:
        answer = self.send(method, path, body, key=key)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def call(self, what: str) -> dict:
        return self.do("calls", {"call": what})

    def refused(self, path: str, body=None, *, method="POST") -> dict:
        answer = self.send(method, path, body)
        assert answer.status_code >= 400, answer.text
        return answer.json()

    def console(self) -> dict:
        answer = self.client.get(f"/api/tables/{self.table}/console")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ready(self) -> "Dealing":
        self.call("take-table")
        self.do("shoe")
        return self

    def coup(self, *cards: str) -> None:
        self.call("place-your-bets")
        self.call("no-more-bets")
        for card in cards:
            self.do("cards", {"card": card})
        self.call("result")
        self.call("pay")
