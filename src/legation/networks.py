"""Whom a connection comes from, where callers are counted."""

from __future__ import annotations

from ipaddress import ip_address, ip_network


def network(host: str) -> str:
    """The network of a caller's address: the address itself, of IPv6 its first half, which one caller has alone.

    >>> network("192.0.2.7"), network("2001:db8:1:2::3")
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ip_network(f"{address}/64", strict=False))
    return str(address)
