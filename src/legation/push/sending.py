"""What is sent, each in one call: a notification to a browser, encrypted and signed, or a message over a bridge, in the
form of the service to which it leads. Addresses were given by somebody who may mean another machine
(:mod:`legation.public_calls`).

Webhooks are signed as `Standard Webhooks <https://www.standardwebhooks.com>`_ says. Chat services get plain text, in
which no name calls anybody's attention and no address is loaded."""

import base64
import hashlib
import hmac
import http.client
import ssl
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import msgspec
import structlog
from py_vapid import Vapid02

from legation.office.desk.bridges import Delivery
from legation.office.desk.pushes import KEPT, Push
from legation.office.identity.browsers import Subscription, private_key, subscription_faults
from legation.office.office import Office
from legation.public_calls import Call, Outcome, Resolve, carry, outcome_of, public_addresses
from legation.version import VERSION

JSON = {"Content-Type": "application/json", "User-Agent": f"Legation/{VERSION}"}
LONGEST = {"discord": 2000, "slack": 4000, "telegram": 4096, "matrix": 16_000}
"""Characters that a service takes in one message."""

log = structlog.get_logger("legation.push")


def signature(secret: str, id: str, at: int, body: bytes) -> str:
    """Return the signature of a webhook's message: HMAC-SHA-256 of its id, time and body."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.digest(key, f"{id}.{at}.".encode() + body, hashlib.sha256)
    return "v1," + base64.b64encode(signed).decode()


def call_of(delivery: Delivery) -> Call:
    """Return the request that takes a message to its service."""
    target = delivery.target
    if target.kind == "webhook":
        message, at = delivery.message, int(time.time())
        about = {name: getattr(message, name) for name in ("game", "name", "turn", "url", "text")}
        body = msgspec.json.encode({"type": message.kind.replace(" ", "_"), "timestamp": message.at, "data": about})
        signed = signature(delivery.secret, message.id, at, body)
        headers = {"Webhook-Id": message.id, "Webhook-Timestamp": str(at), "Webhook-Signature": signed}
        return Call(target.url, body, {**JSON, **headers})
    text = _text(delivery)
    if target.kind == "discord":
        return _call(target.url, {"content": text, "allowed_mentions": {"parse": []}, "flags": 4})  # no previews
    if target.kind == "slack":
        plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return _call(target.url, {"text": plain, "mrkdwn": False, "unfurl_links": False, "unfurl_media": False})
    if target.kind == "telegram":
        return _call(target.url, {"chat_id": target.room, "text": text, "link_preview_options": {"is_disabled": True}})
    said = {"msgtype": "m.notice", "body": text, "m.mentions": {}}
    return _call(target.url + delivery.message.id, said, "PUT", Authorization=f"Bearer {target.token}")


def _call(url: str, said: dict[str, Any], method: str = "POST", **headers: str) -> Call:
    return Call(url, msgspec.json.encode(said), {**JSON, **headers}, method)


def _text(delivery: Delivery) -> str:
    """The text with the game's address below, cut to what the service takes."""
    message, most = delivery.message, LONGEST[delivery.target.kind]
    end = f"\n\n{message.url}" if message.url else ""
    room = most - len(end) - 200  # some services count more than characters
    text = message.text if len(message.text) <= room else message.text[: room - 1].rstrip() + "…"
    return text + end


def outcome(what: str, call: Callable[[], int], **about: str) -> Outcome:
    """Make a call and return its outcome by HTTP status; log a failure or a refusal."""
    try:
        status = call()
    except (OSError, http.client.HTTPException) as error:
        log.info(f"{what} not sent", error=type(error).__name__, **about)
        return "failed"
    found = outcome_of(status)
    if found != "reached":
        log.info(f"{what} refused", status=status, **about)
    return found


class BridgeSender:
    """Sends messages over bridges. ``resolve`` finds and checks the places of a host; ``context`` is for tests with
    certificates of their own."""

    def __init__(self, resolve: Resolve = public_addresses, context: ssl.SSLContext | None = None) -> None:
        self.resolve = resolve
        self.context = context or ssl.create_default_context()

    def send(self, delivery: Delivery) -> Outcome:
        """Send a message once."""
        call = partial(carry, call_of(delivery), self.resolve, self.context)
        return outcome("message of a bridge", call, service=delivery.target.kind)


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
