"""One notification to one browser: what it says, encrypted and signed, and the call of the push service, whose address
was given by somebody who may mean another machine (:mod:`legation.public_calls`)."""

import base64
import ssl
import time
from urllib.parse import urlsplit

import msgspec
from py_vapid import Vapid02

from legation.office.desk.pushes import KEPT, Push
from legation.office.identity.browsers import Subscription, private_key, subscription_faults
from legation.office.office import Office
from legation.public_calls import Call, Outcome, Resolve, carry, public_addresses
from legation.push.bridges import outcome

SIGNED = 12 * 3600  # seconds for which a signature is good; push services take up to a day
PADDED = 512  # bytes of what is encrypted, so that its length tells nothing
APART = ("letter", "vote")  # kinds that stand beside the others of a game on the screen, which replace each other


def payload(push: Push) -> bytes:
    """Return what a notification says, for ``service-worker.js``."""
    about = push.url.split("/")[2:3] or [push.kind]
    tag = f"{about[0]} {push.kind}" if push.kind in APART else about[0]
    told = {"title": push.title, "body": push.body, "url": push.url, "tag": tag}
    return msgspec.json.encode(told).ljust(PADDED)


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
        """Send a notification to a browser; ``gone``: its push service doesn't know the subscription any more."""
        if subscription_faults(to):
            return "gone"
        return outcome("notification", lambda: self._call(push, to))

    def _call(self, push: Push, to: Subscription) -> int:
        from pywebpush import WebPusher  # brings two HTTP clients that nobody calls: not before it is needed

        keys = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
        body = WebPusher(keys).encode(payload(push))["body"]
        headers = self._headers(push, f"https://{urlsplit(to.endpoint).hostname or ''}")
        return carry(Call(to.endpoint, body, headers), self.resolve, self.context)

    def _headers(self, push: Push, audience: str) -> dict[str, str]:
        contact = self.office.settings.operator_address or self.office.settings.mail_from
        claims = {"aud": audience, "exp": int(time.time()) + SIGNED, "sub": f"mailto:{contact}"}
        # a later one takes its place; the push service can't try which game it is of
        topic = self.office.keyed("push topic", f"{push.url} {push.kind}".encode())[:24]
        return {
            **self._vapid.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT // 1_000_000),
            "Topic": base64.urlsafe_b64encode(topic).decode(),
            "Urgency": "high" if push.kind == "turn" else "normal",
        }
