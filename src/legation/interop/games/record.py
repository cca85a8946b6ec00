"""A game as another system recorded it: phases with their orders, and whatever is said of positions and results."""

import msgspec

from legation.interop.judge_layout import MARKS
from legation.interop.record import Note, clean
from legation.judge import Outcome
from legation.position import Turn

MOVEMENT, RETREATS, ADJUSTMENTS = "Movement", "Retreats", "Adjustments"
NAMED = (MOVEMENT, RETREATS)
"""Phases that every system names; whatever else a variant has is called adjustments there."""
FAILED = {outcome: word for outcome, word in MARKS.items() if outcome is not Outcome.IGNORED}
"""The Judge's words for what kept an order that counts from being carried out."""
WORDINGS = {
    "hold hld": "{unit} H",
    "move mto": "{unit} - {to}",
    "moveviaconvoy moveexplicit cto": "{unit} - {to} VIA",
    "support sup": "{unit} S {other}",
    "supportmove": "{unit} S {other} - {to}",
    "convoy cvy": "{unit} C {other} - {to}",
    "retreat rto": "{unit} R {to}",
    "build bld": "{unit} B",
    "disband dsb remove rem destroy": "{unit} D",
    "waive wve wait": "waive",
}
"""Orders by the verbs that systems have for them, in the Judge's short style."""
BY_VERB = {verb: wording for verbs, wording in WORDINGS.items() for verb in verbs.split()}


def order_text(verb: str, unit: str, to: str = "", other: str = "") -> str:
    """An order by a system's verb for it, with the ``other`` unit of a support or convoy; empty if it is none, or lacks
    something."""
    verb = verb.lower().replace(" ", "")
    wording = BY_VERB.get("supportmove" if verb in ("support", "sup") and to else verb, "")
    given = {"{unit}": unit, "{to}": to, "{other}": other}
    whole = all(given[part].strip() for part in given if part in wording)
    return wording.format(unit=unit, to=to, other=other) if whole else ""


def phase_word(turn: Turn) -> str:
    """What the phase of a turn is called in formats that know three."""
    return turn.phase.value if turn.phase.value in NAMED else ADJUSTMENTS


class RecordedUnit(msgspec.Struct, frozen=True):
    """A unit: the power's name, ``A`` or ``F``, and the place as the source writes it."""

    power: str
    kind: str
    at: str


class RecordedPhase(msgspec.Struct, kw_only=True):
    """One phase. ``units``, ``dislodged`` and ``owners`` are the position before it; None where the source is silent.

    ``orders`` are texts by power. ``failed`` are the places of units of which the source says that what they were
    ordered did not come to pass, ``dislodged_now`` those that were dislodged; None where it does not say."""

    season: str
    year: int
    phase: str
    units: list[RecordedUnit] | None = None
    dislodged: list[RecordedUnit] | None = None
    owners: dict[str, str] | None = None
    orders: dict[str, list[str]] = {}
    text: str = ""
    """All orders as one text with the names of the powers, in place of ``orders``; its marks tell what failed."""
    played: bool = False
    """Whether it was played even if nobody ordered anything."""
    failed: set[str] | None = None
    dislodged_now: set[str] | None = None
    comments: list[str] = []

    @property
    def ordered(self) -> bool:
        """Whether anybody ordered anything."""
        return any(self.orders.values()) or bool(self.text.strip())

    @property
    def given(self) -> list[str]:
        """The orders as they are written, or the lines in which they stand."""
        return [order for orders in self.orders.values() for order in orders] + self.text.splitlines()

    @property
    def name(self) -> str:
        """``Spring 1901 Movement``."""
        return f"{self.season} {self.year} {self.phase}".strip()

    def stand(self, unit: RecordedUnit, *, out: bool = False) -> None:
        """Add a unit to the position before the phase; ``out``: it was dislodged."""
        if out:
            self.dislodged = [*(self.dislodged or ()), unit]
        else:
            self.units = [*(self.units or ()), unit]

    def give(self, power: str, order: str) -> None:
        """Add an order of a power."""
        self.orders.setdefault(clean(power, 60), []).append(clean(order, 200))


class RecordedGame(msgspec.Struct, kw_only=True):
    """A game. ``board`` is what the source calls its map or variant."""

    title: str
    format: str
    board: str = ""
    phases: list[RecordedPhase] = []
    options: dict[str, object] = {}
    not_taken: list[Note] = []
    varies: bool = False
    """Whether it is a variation of a game before it."""
    unread: list[str] = []
    """Orders that are in no form that the format has."""

    def misread(self, phase: str, order: str) -> None:
        """Note an order that is not understood."""
        if len(self.unread) < 400:
            self.unread.append(clean(f"{phase}: {order}" if phase else order, 200))

    def left(self, what: str, text: str) -> None:
        """Note what was not taken."""
        note = Note(clean(what, 80), clean(text, 300))
        if note not in self.not_taken and len(self.not_taken) < 400:
            self.not_taken.append(note)
