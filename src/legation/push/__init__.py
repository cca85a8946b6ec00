"""What the office sends to other services while it works: notifications to browsers (web push, RFC 8030), encrypted for
the browser (RFC 8291) and signed by the office (VAPID), and messages over bridges, to webhooks and chat services."""

from legation.push.sending import BridgeSender, PushSender
from legation.push.service import send_over_bridges, send_waiting, serve

__all__ = ["BridgeSender", "PushSender", "send_over_bridges", "send_waiting", "serve"]
