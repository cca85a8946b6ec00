"""The numbers by which people name rows: of sheets, letters, items on the desk, sessions, and so on.

A row's own number is counted across the whole office, and would tell how much others sent in between. So it is
enciphered with the office's own key: a permutation below 2**32 for each kind of row."""

import hashlib
import hmac
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "absence",
    "address",
    "bridge",
    "browser",
    "credential",
    "desk item",
    "invitation",
    "letter",
    "mail",
    "mailing",
    "page",
    "person",
    "proposal",
    "report",
    "sign-up",
    "submission",
]

HALF = 16
MASK = (1 << HALF) - 1
LARGEST = 2**32 - 1
ROUNDS = 8  # of a Feistel network with HMAC-SHA-256; four already make it hard to tell from a random permutation


class PublicNumbers:
    """Turns the numbers of rows into those that are shown, and back."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def shown(self, kind: Kind, row: int) -> int:
        """The number that is shown for a row, from 1 to 2**32 - 1; OverflowError for a row beyond that."""
        if not 0 < row <= LARGEST:
            raise OverflowError(f"a {kind} of number {row} cannot be shown")
        return self._turned(kind, row)

    def row(self, kind: Kind, shown: int) -> int:
        """The row of a number that was shown; 0, which no row has, for what no number is."""
        return self._turned(kind, shown, back=True) if 0 < shown <= LARGEST else 0

    def _turned(self, kind: Kind, number: int, *, back: bool = False) -> int:
        number = self._once(kind, number, back=back)
        # 0 is nobody's number: what would become it goes round once more
        return number or self._once(kind, 0, back=back)

    def _once(self, kind: Kind, number: int, *, back: bool = False) -> int:
        left, right = number >> HALF, number & MASK
        if back:
            left, right = right, left
        for n in reversed(range(ROUNDS)) if back else range(ROUNDS):
            told = f"{kind} {n} {right}".encode()
            left, right = right, left ^ int.from_bytes(hmac.digest(self.key, told, hashlib.sha256)[:2], "big")
        if back:
            left, right = right, left
        return left << HALF | right
