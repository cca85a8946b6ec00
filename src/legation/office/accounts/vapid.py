"""The key by which browsers know who sends them notifications (VAPID, RFC 8292), made of a seed among the office's
keys."""

from __future__ import annotations

import base64
import hashlib

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from legation.office.office import Office

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256


def private_key(office: Office) -> ec.EllipticCurvePrivateKey:
    """The office's key for notifications."""
    seed = hashlib.sha512(b"legation/push/1\n" + office.push_seed).digest()
    return ec.derive_private_key(int.from_bytes(seed) % (ORDER - 1) + 1, ec.SECP256R1())


def public_key(office: Office) -> str:
    """Its public half as browsers want it (``applicationServerKey``): an uncompressed point in base64url."""
    point = private_key(office).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
