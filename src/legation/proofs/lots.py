"""Lots that neither the office nor the last sender can choose.

The game's secret is committed to in the journal's first line, a turn's when the turn opens, and so is the keeper's
part. The seed is the hash of the turn's secret, that part, and the nonces of all versions that holders sent in the
turn, withdrawn ones too."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence

from legation.judge import draw
from legation.proofs.canonical import digest, encode

DEAL = "deal"  # what stands for the turn's name in the deal of the powers


def secret_commitment(secret: str) -> str:
    """What is published of the game's secret (32 bytes in hexadecimal) in the first line."""
    return digest("game secret", secret)


def turn_secret(secret: str, turn: str) -> str:
    """A turn's secret: HMAC-SHA-256 with the game's secret as key, in hexadecimal."""
    message = b"legation/turn secret/2\n" + encode(turn)
    return hmac.new(bytes.fromhex(secret), message, hashlib.sha256).hexdigest()


def turn_commitment(of_turn: str) -> str:
    """What is published of a turn's secret when it opens."""
    return digest("turn secret", of_turn)


def part_commitment(part: str) -> str:
    """Return the keeper's commitment to its part of the lots (32 bytes in hexadecimal); empty without such a part."""
    return digest("part", part) if part else ""


def lot_seed(of_turn: str, part: str, nonces: Iterable[str]) -> str:
    """The seed of a turn's lots, in hexadecimal: the text that :func:`legation.judge.draw` takes."""
    return digest("lots", {"secret": of_turn, "part": part, "nonces": sorted({n for n in nonces if n})})


def deal(seed: str, game: str, wishes: Mapping[str, Sequence[str]], seats: Sequence[str]) -> dict[str, str]:
    """Who gets which seat, by the number of the sign-up. A lot puts the sign-ups in order; in that order each takes the
    first seat of its list that is still free; those left without get the rest by a second lot. The label of the lot
    holds the digest of all wishes, so that nobody who knows the seed could have wished by it."""
    listing = "\n".join(f"{sign}: {', '.join(listed)}" for sign, listed in sorted(wishes.items()))
    label = f"{game}: deal of the powers: {hashlib.sha256(listing.encode()).hexdigest()}"
    order = draw(seed, label, sorted(wishes))[: len(seats)]
    free = list(seats)
    dealt: dict[str, str] = {}
    for sign in order:
        wish = next((seat for seat in wishes[sign] if seat in free), None)
        if wish is not None:
            dealt[sign] = wish
            free.remove(wish)
    rest = draw(seed, f"{label}: the rest", free)
    for sign in order:
        if sign not in dealt:
            dealt[sign] = rest.pop(0)
    return dealt
