"""What a check of a transcript found, what a failure proves, and what stands on the office's word alone."""

from typing import Literal

import msgspec

Proves = Literal["a lie of the office", "an altered file", "nothing"]

LIE: Proves = "a lie of the office"
ALTERED: Proves = "an altered file"
NOTHING: Proves = "nothing"

MEANS = {
    LIE: "The office signed this, and it contradicts itself or the rules: the file shows it to everybody.",
    ALTERED: "The file was changed on its way, or it is not this office's. Ask the office for it again.",
    NOTHING: "This proves nothing by itself.",
}
UNKNOWN_KEY = (
    "Compare the office's key with the one in your mails: if it is the same, the office signed this, and it is a lie."
)
MOST = 50


class Failure(msgspec.Struct, frozen=True):
    """Something that does not hold. ``line`` is the journal's (0: none), ``place`` tells where in words."""

    line: int
    place: str
    what: str
    proves: Proves
    meaning: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


class ReceiptFinding(msgspec.Struct, frozen=True):
    """What became of one receipt. ``holds`` is False where it contradicts the journal."""

    holds: bool
    what: str


class Report(msgspec.Struct):
    """What was found. ``failures`` are in the order of the checks, the first first; at most :data:`MOST`. ``words``:
    what decides something and is only the office's word, or was said past somebody's key."""

    game: str = ""
    office: str = ""
    key_known: bool = False
    failures: list[Failure] = []
    checked: list[str] = []
    unchecked: list[str] = []
    words: list[str] = []
    told: list[str] = []
    receipts: list[ReceiptFinding] = []

    @property
    def holds(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    @property
    def status(self) -> int:
        """The exit status: 1 if something fails, 3 if something decisive is only the office's word, else 0."""
        if self.failures or not all(receipt.holds for receipt in self.receipts):
            return 1
        return 3 if self.words else 0

    def fail(self, line: int, place: str, what: str, proves: Proves, meaning: str = "") -> None:
        """Note a failure."""
        if len(self.failures) < MOST:
            self.failures.append(Failure(line, place, what, proves, meaning or MEANS[proves]))


class BrokenError(Exception):
    """The chain, a form or a signature fails: what comes after cannot be relied on."""

    def __init__(self, line: int, place: str, what: str) -> None:
        self.line, self.place, self.what = line, place, what
        super().__init__(f"{place}: {what}")
