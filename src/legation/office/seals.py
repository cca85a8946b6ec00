"""Seals and commitments.

What comes in is encrypted to the turn's public key (a PyNaCl sealed box) before it is written anywhere, and committed
to: the commitment is the SHA-256 of a random salt and of what was sent, and is public at once. After the turn the salt
and the sheet are published, and everybody can check by ten lines of Python that nothing was changed (``docs/office.md``
has them).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.secret import SecretBox

from legation.office.errors import Sealed

SALT_BYTES = 16


class KeyPair(msgspec.Struct, frozen=True):
    """A turn's keys: the public one seals, the private one opens."""

    public: bytes
    private: bytes


class Content(msgspec.Struct, frozen=True):
    """What is inside a seal.

    ``files`` are the SHA-256 digests of the pictures, in the order in which they were sent.
    """

    power: str
    turn: str
    text: str
    salt: str
    files: tuple[str, ...] = ()
    note: str = ""
    sender: str = ""


def make_keys(seed: bytes) -> KeyPair:
    """A new pair from 32 bytes of chance."""
    private = PrivateKey.from_seed(seed)
    return KeyPair(bytes(private.public_key), bytes(private))


def seal(public: bytes, plain: bytes) -> bytes:
    """Encrypt to a turn's public key."""
    return SealedBox(PublicKey(public)).encrypt(plain)


def unseal(private: bytes, sealed: bytes) -> bytes:
    """Open a seal.

    :raises Sealed: when the key does not fit.
    """
    try:
        return SealedBox(PrivateKey(private)).decrypt(sealed)
    except CryptoError:
        raise Sealed("The key that the keeper gave does not open this seal.") from None


def lock(key: bytes, plain: bytes) -> bytes:
    """Encrypt with a key that its holder keeps (32 bytes)."""
    return SecretBox(key).encrypt(plain)


def unlock(key: bytes, locked: bytes) -> bytes:
    """Open what was locked.

    :raises Sealed: when the key does not fit.
    """
    try:
        return SecretBox(key).decrypt(locked)
    except (CryptoError, ValueError):
        raise Sealed("That key does not open it.") from None


def canonical(text: str) -> str:
    """A sheet as it is committed to: lines without white space at their ends, none empty at the end, one line feed
    between them."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


def commitment(salt: str, power: str, turn: str, text: str, files: Sequence[str] = ()) -> str:
    """SHA-256, in hexadecimal, of salt, power, turn, the canonical sheet and the files' digests, a line each."""
    return hashlib.sha256("\n".join([salt, power, turn, canonical(text), *files]).encode()).hexdigest()


def digest(content: bytes) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
