"""Open connections, counted by the address they come from.

A connection counts for its own address, unless that is a proxy of ours (`FORWARDED_ALLOW_IPS`):
what a proxy forwards counts for the address that it names, request by request and WebSocket by
WebSocket. A house of IPv6 has a whole network to itself, so that counts as one address.
"""

import os
from collections import Counter

from uvicorn.middleware.proxy_headers import _TrustedHosts

from baccarat.web.addresses import network_of

MOST_SOCKETS = 500
"""Open connections from one address, WebSockets included: a whole room may be behind one."""


def trusted_proxies() -> str:
    """Return the addresses whose X-Forwarded headers are believed, as uvicorn reads them."""
    return os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")


class Doors:
    """Counts what is open for each address; those of proxies are not counted."""

    def __init__(self, most: int = MOST_SOCKETS, *, any_is_proxy: bool = True) -> None:
        self.most = most
        self._proxies = _TrustedHosts(trusted_proxies())
        if self._proxies.always_trust and not any_is_proxy:
            self._proxies = _TrustedHosts([])
        self._open: Counter[str] = Counter()

    @property
    def words(self) -> str:
        return f"{self.most} connections of this address are open: close one first"

    def is_proxy(self, address: str) -> bool:
        return address in self._proxies

    def enter(self, address: str) -> bool:
        """Count one more from there, unless it has as many as it may."""
        if self.is_proxy(address):
            return True
        place = network_of(address)
        if self._open[place] >= self.most:
            return False
        self._open[place] += 1
        return True

    def leave(self, address: str) -> None:
        place = network_of(address)
        if place in self._open:
            self._open[place] -= 1
            if self._open[place] <= 0:
                del self._open[place]
