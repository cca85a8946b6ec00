"""Rate limits for what is expensive: sign-in links, demo seats, adjudication, uploads."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from fastapi import Request

from legation.office.monitoring.allowance import Allowance
from legation.web.serving.pages import PageError


def network_of(request: Request) -> str:
    """The network that a request comes from: the address, of IPv6 its first half, which one caller has for itself."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ip_network(f"{address}/64", strict=False))
    return str(address)


class Bounds:
    """The rate limits of one site."""

    def __init__(self) -> None:
        self._allowances: dict[str, Allowance] = {}

    def hit(self, what: str, caller: str, a_minute: int) -> bool:
        """Count one use; False when the limit is reached."""
        return self._allowances.setdefault(what, Allowance(a_minute, 60)).take(caller)


def bound(request: Request, what: str, a_minute: int) -> None:
    """Refuse a request over its rate limit.

    :raises PageError: 429 when that is used up.
    """
    caller = network_of(request)
    if request.app.state.settings.bounded and not request.app.state.bounds.hit(what, caller, a_minute):
        raise PageError(429, "Too many requests.", mend="Wait a minute and try again.")
