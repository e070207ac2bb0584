"""A simulated electronic shoe: it reads each card that leaves it and posts it to its table."""

from hashlib import sha256

import httpx

KEY = "a key that only the shoe and the house know"
DIGEST = sha256(KEY.encode()).hexdigest()


class ElectronicShoe:
    """An electronic shoe at a table; with `lossy`, every response is lost once."""

    def __init__(self, address: str, table: str = "hand", key: str = KEY, *, lossy: bool = False):
        self.path, self.number, self.lossy = f"/api/tables/{table}/readings", 0, lossy
        self.address, self.headers = address, {"Authorization": f"Bearer {key}"}

    def _request(self, method: str, **body) -> httpx.Response:
        with httpx.Client(base_url=self.address, headers=self.headers, timeout=30) as client:
            return client.request(method, self.path, json=body or None)

    def send(self, card: str, number: int) -> httpx.Response:
        return self._request("POST", card=card, number=number)

    def asks(self) -> httpx.Response:
        """Ask for the number of the next card."""
        return self._request("GET")

    def reads(self, *cards: str) -> dict:
        """Post cards as they leave the shoe; return the last response."""
        for card in cards:
            self.number += 1
            for _ in range(1 + self.lossy):
                answer = self.send(card, self.number)
                assert answer.status_code == 200, answer.text
        return answer.json()

    def restarts(self) -> None:
        """Forget the number of the last card, and ask the table for it."""
        self.number = self.asks().json()["next"] - 1
