"""One notification to one browser: what it says, encrypted and signed, and the call of the push service.

The address was given by somebody who may mean another machine than a push service: a name is resolved once, no number
in a private network is called, the call goes to the number that was checked, no redirect is followed, and no more of an
answer is read than its status.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlsplit

import msgspec
import structlog
from py_vapid import Vapid02

from legation.networks import is_public
from legation.office.desk.pushes import KEPT, Push
from legation.office.identity.browsers import Subscription, private_key, subscription_faults
from legation.office.office import Office

TIMEOUT = 10.0  # seconds for one answer
LONGEST = 20.0  # seconds for all of a call, however slowly it is answered
SIGNED = 12 * 3600  # seconds for which a signature is good; push services take up to a day
PADDED = 512  # bytes of what is encrypted, so that its length tells nothing
APART = ("letter", "vote")
"""Kinds that stand beside the others of a game on the screen, which replace each other."""

Outcome = Literal["reached", "gone", "failed"]
Resolve = Callable[[str], list[tuple[str, int]]]
log = structlog.get_logger("legation.push")


class ForbiddenAddressError(OSError):
    """An address in no public network."""


def payload(push: Push) -> bytes:
    """Return what a notification says, for ``service-worker.js``."""
    about = push.url.split("/")[2:3] or [push.kind]
    tag = f"{about[0]} {push.kind}" if push.kind in APART else about[0]
    told = {"title": push.title, "body": push.body, "url": push.url, "tag": tag}
    return msgspec.json.encode(told).ljust(PADDED)


def public_addresses(host: str) -> list[tuple[str, int]]:
    """The numbers and port of a push service.

    :raises ForbiddenAddressError: if any of them is in no public network.
    """
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

    def connect(self) -> None:
        plain = socket.create_connection(self._place, TIMEOUT)
        self.sock = self._secure.wrap_socket(plain, server_hostname=self.host)


class PushSender:
    """Sends notifications for an office. ``resolve`` finds and checks the places of a host; ``context`` is for tests
    with certificates of their own."""

    def __init__(
        self, office: Office, resolve: Resolve = public_addresses, context: ssl.SSLContext | None = None
    ) -> None:
        self.office = office
        self.resolve = resolve
        self.context = context or ssl.create_default_context()
        self._vapid = Vapid02(private_key(office))

    def send(self, push: Push, to: Subscription) -> Outcome:
        """Send a notification to a browser: ``gone`` is a subscription that its push service does not know any
        more."""
        if subscription_faults(to):
            return "gone"
        try:
            status = self._call(push, to)
        except (OSError, http.client.HTTPException) as error:
            log.info("notification not sent", error=type(error).__name__)
            return "failed"
        if 200 <= status < 300:
            return "reached"
        log.info("notification refused", status=status)
        return "gone" if status in (404, 410) else "failed"

    def _call(self, push: Push, to: Subscription) -> int:
        from pywebpush import WebPusher  # brings two HTTP clients that nobody calls: not before it is needed

        parts = urlsplit(to.endpoint)
        host = parts.hostname or ""
        keys = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
        body = WebPusher(keys).encode(payload(push))["body"]
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        until = time.monotonic() + LONGEST
        for place in self.resolve(host)[:2]:
            connection = _Pinned(host, place, self.context)
            watch = threading.Timer(max(0.0, until - time.monotonic()), _hang_up, (connection,))
            watch.daemon = True
            watch.start()
            try:
                connection.request("POST", path or "/", body, self._headers(push, f"https://{host}"))
                return connection.getresponse().status
            except ConnectionRefusedError:
                continue
            finally:
                watch.cancel()
                connection.close()
        raise ConnectionRefusedError(host)

    def _headers(self, push: Push, audience: str) -> dict[str, str]:
        settings = self.office.settings
        claims = {
            "aud": audience,
            "exp": int(time.time()) + SIGNED,
            "sub": f"mailto:{settings.operator_address or settings.mail_from}",
        }
        # a later one takes its place; the push service can't try which game it is of
        topic = self.office.keyed("push topic", f"{push.url} {push.kind}".encode())[:24]
        return {
            **self._vapid.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(KEPT.total_seconds())),
            "Topic": base64.urlsafe_b64encode(topic).decode(),
            "Urgency": "high" if push.kind == "turn" else "normal",
        }


def _hang_up(connection: http.client.HTTPSConnection) -> None:
    if connection.sock is not None:
        with contextlib.suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)
