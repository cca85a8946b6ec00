"""Whom a connection comes from, where callers are counted; and which addresses may be called at all."""

from ipaddress import IPv6Address, ip_address, ip_network

SPECIAL = tuple(
    map(
        ip_network,
        # IANA's special-purpose address registries as of 2025-10, whatever a block is for, and multicast; compared with
        # those of CPython 3.13's ipaddress, which a test does again with the Python that runs it
        """
        0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
        192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
        203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
        2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20
        """.split(),
    )
)
GLOBAL = ip_network("2000::/3")  # of IPv6, all that IANA has given out: loopback, site-local and the like lie outside
TRANSLATED = ip_network("64:ff9b::/96")  # ends with an IPv4 address, which a router calls (RFC 6052)


def network(host: str) -> str:
    """The network of a caller's address: the address itself, of IPv6 its first half, which one caller has alone.

    >>> network("192.0.2.7"), network("2001:db8:1:2::3")
    ('192.0.2.7', '2001:db8:1:2::/64')"""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ip_network(f"{address}/64", strict=False))
    return str(address)


def is_public(host: str) -> bool:
    """Whether an address is one that strangers may have this machine call: in no special-purpose block, nor one of IPv6
    that stands for such an address of IPv4."""
    address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address):
        inner = ip_address(int(address) & 0xFFFFFFFF) if address in TRANSLATED else address.ipv4_mapped
        if inner is None and address not in GLOBAL:
            return False
        address = inner or address
    return not any(address in block for block in SPECIAL)
