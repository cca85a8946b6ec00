"""Calls of addresses that were given by somebody who may mean another machine.

A name is resolved once, no number outside public networks is called (:func:`legation.networks.is_public`), the call
goes to the number that was checked, no redirect is followed, and no more of an answer is read than its status."""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from legation.networks import is_public

TIMEOUT = 10.0  # seconds for one answer
LONGEST = 20.0  # seconds for all of a call, however slowly it is answered
LONGEST_ADDRESS = 1_000  # characters
LOCAL = ("localhost", "local", "internal", "lan", "home", "arpa", "test", "invalid", "onion")

Resolve = Callable[[str], list[tuple[str, int]]]
Outcome = Literal["reached", "gone", "failed"]


class ForbiddenAddressError(OSError):
    """An address in no public network."""


class Call(msgspec.Struct, frozen=True):
    """An HTTP request to somebody's address."""

    url: str
    body: bytes
    headers: Mapping[str, str]
    method: str = "POST"


def address_fault(address: str, *, meant: str = "the address of such a service") -> str:
    """Return what keeps an address from being called, before anything is looked up; empty where nothing does."""
    if len(address) > LONGEST_ADDRESS or not address.isascii() or not address.isprintable() or " " in address:
        return "no address"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return "no address"
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme != "https" or not host or parts.username is not None or port not in (None, 443):
        return "write https://, a host, and no other port"
    try:
        ipaddress.ip_address(host)
        return f"a number isn't {meant}"
    except ValueError:
        pass
    labels = host.split(".")
    if len(labels) < 2 or labels[-1] in LOCAL or labels[-1].isdecimal():
        return "not a public host"
    return ""


def public_addresses(host: str) -> list[tuple[str, int]]:
    """The numbers and port of a service.

    :raises ForbiddenAddressError: if any of them is in no public network."""
    found = {str(info[4][0]) for info in socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)}
    if not all(map(is_public, found)):
        raise ForbiddenAddressError("it isn't on a public network")
    return [(number, 443) for number in sorted(found)]


class _Pinned(http.client.HTTPSConnection):
    """A connection to a number that was checked, by the name that its certificate has."""

    def __init__(self, host: str, place: tuple[str, int], context: ssl.SSLContext) -> None:
        super().__init__(host, timeout=TIMEOUT)
        self._place = place
        self._secure = context
        self._over = False

    def connect(self) -> None:
        plain = socket.create_connection(self._place, TIMEOUT)
        self.sock = self._secure.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        if self._over:  # there was nothing yet to hang up
            raise TimeoutError(self.host)
        self.sock.do_handshake()  # which can be hung up, too

    def hang_up(self) -> None:
        """End the call, which another thread carries out, wherever it is."""
        self._over = True
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def carry(call: Call, resolve: Resolve, context: ssl.SSLContext) -> int:
    """Carry out a call and return the status of its answer. ``resolve`` finds and checks the places of a host.

    :raises OSError: when no answer comes, or its place may not be called.
    :raises http.client.HTTPException: for an answer that is none."""
    parts = urlsplit(call.url)
    host = parts.hostname or ""
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    until = time.monotonic() + LONGEST
    for place in resolve(host)[:2]:
        connection = _Pinned(host, place, context)
        watch = threading.Timer(max(0.0, until - time.monotonic()), connection.hang_up)
        watch.daemon = True
        watch.start()
        try:
            connection.request(call.method, path or "/", call.body, dict(call.headers))
            return connection.getresponse().status
        except ConnectionRefusedError:
            continue
        finally:
            watch.cancel()
            connection.close()
    raise ConnectionRefusedError(host)


def outcome_of(status: int) -> Outcome:
    """Return what a status says: ``gone`` is an address that its service does not know any more."""
    if 200 <= status < 300:
        return "reached"
    return "gone" if status in (404, 410) else "failed"
