"""The walk through a journal: what may follow what, who closed a turn and when, what was sent, what counts.

What each kind of line says is handled by subject, each in its own class; what a line says of a turn is kept in
:class:`~legation.proofs.walk_state.TurnState`."""

from collections.abc import Callable

from legation.proofs.game_lines import GameLines
from legation.proofs.kinds import SIGNED, LineData, PlainTurnLine
from legation.proofs.linking import LinkedEntry
from legation.proofs.sheet_lines import SheetLines
from legation.proofs.turn_lines import TurnLines
from legation.proofs.walk_state import when

TELLS = {
    "imported": "The game was begun elsewhere ({source}; the file's SHA-256 is {file}) and {turns} turns were played "
    "there: what was played is its coordinator's word",
    "transferred": "{place}: the game goes on in another office, which signs with {key}",
    "erased": "{place}: the names and notes of {persons} are erased",
    "transcribed": "{turn}: version {version} of {seat} was written down after the opening as {text!r} ({reason})",
    "objected": "{turn}: {seat} objects to its version {version} as it was entered",
    "aside": "{turn} was set aside",
    "taken back": "the results of {turn} were taken back",
    "told": "{place}: the office says: {text}",
}
"""What is told of a line, whose fields are the office's word, or are to be compared."""
WORDS = {
    "restored": "{place}: the office came back from a backup and lost its lines {n} to {lost_to} (hash {head}), as "
    "it says on {when}; what was sent then counts only if it was sent again",
}
"""Likewise, of lines by which the office excuses itself."""
OF_SENDERS = frozenset(["sent", "withdrawn", "confirmed", "refused", "ready", "not ready"])
"""What shows who has sent: in a private line it is checked less, since it stands there without its order."""
STATES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(["standing", "deadline", "closed", "aside", "commitments", *OF_SENDERS], ("open",)),
    **dict.fromkeys(["countersigned", "opened"], ("closed",)),
    **dict.fromkeys(["chosen", "results"], ("opened",)),
    **dict.fromkeys(["transcribed", "counted", "result"], ("opened", "published")),
    **dict.fromkeys(["taken back", "final"], ("published",)),
    "seat turn": ("open", "opened", "published"),
    "objected": (),
}
"""The kinds that tell something of a turn that has opened, each with the states of the turn in which it may (none:
in all)."""
OF_ALL_SEATS = ("standing", "result")  # where no seat is named
AFTER_THE_END = (SIGNED - {"turn opened", "countersigned", "results"}) | frozenset(
    ["told", "erased", "keeper", "final", "objected", "private"]
)


class Walk(GameLines, TurnLines, SheetLines):
    """The walk itself, line by line."""

    def run(self) -> None:
        """Walk through all lines."""
        for entry in self.journal.entries[1:]:
            self._entry = entry
            self._line(entry)
        self._fault_if(self._needs_standing, f"the position in which {self._needs_standing} opened does not follow")

    def _line(self, entry: LinkedEntry) -> None:
        kind = entry.line.kind
        self._fault_if(self.ended is not None and kind not in AFTER_THE_END, "the game had ended before")
        if self._needs_standing and kind not in ("standing", "private"):
            self._fault(f"the position in which {self._needs_standing} opened should stand here")
            self._needs_standing = ""
        if kind != "private":
            self._handle(kind, entry.data)
            return
        if entry.hidden:
            self.hidden_lines.append(entry.line.n)
        hidden_standing = self._needs_standing and self.game.hides
        for index in sorted(entry.opened):
            for inner, data in entry.opened[index]:
                self._handle(inner, data)
        if hidden_standing:
            self._needs_standing = ""

    def _handle(self, kind: str, data: LineData) -> None:
        if kind in OF_SENDERS and self._entry.private is self.tells_senders:
            self._fault("who sends is told at once where senders are shown, and in private lines elsewhere")
        seat = getattr(data, "seat", None)
        known = seat is None or seat in self.game.seats or (not seat and kind in OF_ALL_SEATS)
        self._fault_if(not known, f"there is no seat {seat!r}")
        turn = self._turn(data.turn, *STATES[kind]) if isinstance(data, PlainTurnLine) and kind in STATES else None
        handler: Callable[..., None] | None = getattr(self, f"_on_{kind.replace(' ', '_')}", None)
        if handler is not None and known and kind not in STATES:
            handler(data)
        elif handler is not None and known and turn is not None:
            handler(turn, data)
        for table, said in ((TELLS, self.told), (WORDS, self.words)):
            if kind in table:
                line = self._entry
                said.append(
                    table[kind].format(place=line.place, n=line.line.n, when=when(line.line.at), **data.document())
                )
