"""Ed25519 signatures over statements. Keys and signatures are written in hexadecimal."""

from functools import lru_cache
from typing import Any

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from legation.proofs.canonical import statement

_signing_key = lru_cache(maxsize=8)(SigningKey)  # worked out once: who signs has the private key anyway


def public_key(private: bytes) -> str:
    """The public half of a private key (32 bytes)."""
    return bytes(_signing_key(private).verify_key).hex()


def sign(private: bytes, what: str, value: Any) -> str:
    """Sign a statement."""
    return _signing_key(private).sign(statement(what, value)).signature.hex()


def signed(key: str, signature: str, what: str, value: Any) -> bool:
    """Whether a statement was signed by a key; False too where key or signature is none."""
    try:
        VerifyKey(bytes.fromhex(key)).verify(statement(what, value), bytes.fromhex(signature))
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True
