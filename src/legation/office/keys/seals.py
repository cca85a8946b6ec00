"""Seals and commitments.

What comes in is padded, so that its length tells nothing, and encrypted to the turn's public key (a PyNaCl sealed box),
then to the office's own, before it is written anywhere. Its commitment is public at once, what opens it after the turn.
"""

import hashlib

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.secret import SecretBox

from legation.formats import decode_json
from legation.office.errors import InvalidInputError, KeyNotReleasedError
from legation.proofs.canonical import CanonicalError, clean_text

LEAST = 4096  # bytes of what is padded, at least; more in powers of two
LEAST_SHEET = 16_384  # bytes of what is sealed: a sheet with its records
LENGTH_BYTES = 8


class KeyPair(msgspec.Struct, frozen=True):
    """A turn's keys: the public one seals, the private one opens."""

    public: bytes
    private: bytes


class SealedPicture(msgspec.Struct, frozen=True):
    """A picture of a sheet, as the seal holds it: the SHA-256 digest of its bytes, its name and media type."""

    digest: str
    name: str
    media_type: str


class SealContent(msgspec.Struct, frozen=True):
    """Content of a seal. ``files`` are the SHA-256 digests of the pictures, in the order in which they were sent;
    ``bundle`` is the key that opens the one file in which they are kept. ``records`` are those of the turn and of each
    later one of the season."""

    power: str
    turn: str
    text: str
    files: tuple[str, ...] = ()
    note: str = ""
    sender: str = ""
    pictures: tuple[SealedPicture, ...] = ()
    bundle: bytes = b""
    records: tuple[bytes, ...] = ()


def make_keys(seed: bytes) -> KeyPair:
    """A new pair from 32 random bytes."""
    private = PrivateKey.from_seed(seed)
    return KeyPair(bytes(private.public_key), bytes(private))


def pad(plain: bytes, least: int = LEAST) -> bytes:
    """Pad to 4 KiB (or ``least``), or to the next power of two, so that the length tells nothing of what is inside."""
    size = max(least, 1 << (len(plain) + LENGTH_BYTES - 1).bit_length())
    return (len(plain).to_bytes(LENGTH_BYTES, "big") + plain).ljust(size, b"\0")


def unpad(padded: bytes) -> bytes:
    """Return the content without its padding. Raises KeyNotReleasedError where it is shorter than it says."""
    length = int.from_bytes(padded[:LENGTH_BYTES], "big")
    if len(padded) < LENGTH_BYTES + length:
        raise KeyNotReleasedError("This seal holds less than it says.")
    return padded[LENGTH_BYTES : LENGTH_BYTES + length]


def seal_content(public: bytes, master_key: bytes, content: SealContent) -> bytes:
    """Seal what was sent to the turn's key, then to the office's."""
    return lock(master_key, seal(public, pad(msgspec.json.encode(content), LEAST_SHEET)))


def lock_content(key: bytes, content: SealContent) -> bytes:
    """Lock a copy of what was sent for its sender."""
    return lock(key, pad(msgspec.json.encode(content), LEAST_SHEET))


def open_content(private: bytes, master_key: bytes, sealed: bytes) -> SealContent:
    """Open what :func:`seal_content` sealed. Raises KeyNotReleasedError when a key does not fit."""
    return decode_json(unpad(unseal(private, unlock(master_key, sealed))), type=SealContent)


def lock_padded(key: bytes, plain: bytes) -> bytes:
    """Pad, and encrypt with a key that its holder keeps."""
    return lock(key, pad(plain))


def unlock_padded(key: bytes, locked: bytes) -> bytes:
    """Open what :func:`lock_padded` locked. Raises KeyNotReleasedError when the key does not fit."""
    return unpad(unlock(key, locked))


def seal(public: bytes, plain: bytes) -> bytes:
    """Encrypt to a turn's public key."""
    return SealedBox(PublicKey(public)).encrypt(plain)


def unseal(private: bytes, sealed: bytes) -> bytes:
    """Open a seal. Raises KeyNotReleasedError when the key does not fit."""
    try:
        return SealedBox(PrivateKey(private)).decrypt(sealed)
    except CryptoError:
        raise KeyNotReleasedError("The key that the keeper gave does not open this seal.") from None


def lock(key: bytes, plain: bytes) -> bytes:
    """Encrypt with a key that its holder keeps (32 bytes)."""
    return SecretBox(key).encrypt(plain)


def unlock(key: bytes, locked: bytes) -> bytes:
    """Open what was locked. Raises KeyNotReleasedError when the key does not fit."""
    try:
        return SecretBox(key).decrypt(locked)
    except (CryptoError, ValueError):
        raise KeyNotReleasedError("This key doesn't open it.") from None


def opens(key: bytes, locked: bytes) -> bool:
    """Return whether a key opens what was locked."""
    try:
        unlock(key, locked)
    except KeyNotReleasedError:
        return False
    return True


def at_the_door(text: str) -> str:
    """A text as it is kept: NFC, with line feeds; InvalidInputError for null characters or lone surrogates."""
    try:
        return clean_text(text)
    except CanonicalError as error:
        raise InvalidInputError(
            "A sheet can't have null characters or halves of characters.", faults=[f"text: {error}"]
        ) from None


def canonical(text: str) -> str:
    """A sheet without white space at the ends of its lines and empty lines at its ends."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


def digest(content: bytes) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
