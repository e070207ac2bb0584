"""Where a request comes from: the visitor's address, and how much of it is kept."""

from ipaddress import ip_address, ip_network

from starlette.requests import HTTPConnection

NETWORK = {4: 32, 6: 64}
"""Bits by which visitors are told apart: a household has a whole /64 of IPv6."""
SHOWN = {4: 24, 6: 48}
"""Bits that are kept with a session, for its owner to recognise."""


def address_of(connection: HTTPConnection) -> str:
    """The visitor's address, from the connection or from a proxy that is believed."""
    return connection.client.host if connection.client else "nowhere"


def network_of(address: str) -> str:
    """What counts as one place."""
    return _prefix(address, NETWORK)


def place_of(connection: HTTPConnection) -> str:
    """Return the place a request comes from: its address, or its IPv6 network."""
    return network_of(address_of(connection))


def shortened(address: str) -> str:
    """Enough to recognise one's own network, and not enough to find a household."""
    return _prefix(address, SHOWN)


def _prefix(address: str, bits: dict[int, int]) -> str:
    try:
        found = ip_address(address)
    except ValueError:  # a proxy may pass on what is not an address
        return address[:40]
    mapped = getattr(found, "ipv4_mapped", None)
    found = mapped or found
    network = ip_network(f"{found}/{bits[found.version]}", strict=False)
    return str(found) if network.prefixlen == found.max_prefixlen else str(network)
