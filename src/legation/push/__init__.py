"""Notifications to browsers (web push, RFC 8030): encrypted for the browser (RFC 8291), signed by the office (VAPID),
sent while the office works."""

from legation.push.sending import PushSender
from legation.push.service import send_waiting, serve

__all__ = ["PushSender", "send_waiting", "serve"]
