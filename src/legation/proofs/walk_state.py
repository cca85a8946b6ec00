"""Where a walk through a journal stands: what is known of the game up to a line, and what was found wrong."""

from __future__ import annotations

from datetime import UTC, datetime

from legation.proofs import kinds
from legation.proofs.kinds import KeeperKey
from legation.proofs.linking import Journal
from legation.proofs.turn_states import Fault, Filed, Standing, TurnState

NOBODY = ("", "bot")


def when(moment: int) -> str:
    """A moment in words, to the second."""
    return f"{datetime.fromtimestamp(moment // 1_000_000, UTC):%d %B %Y %H:%M:%S}".lstrip("0")


class WalkState:
    """What is known of a game up to a line of its journal. ``faults`` are all that was found, ``turns`` the turns by
    name in their order."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.game = journal.game
        self.keeper: KeeperKey = journal.game.keeper
        self.waits, self.anonymous, self.senders = self.game.waits, self.game.anonymous, self.game.senders
        self.held = dict.fromkeys(self.game.seats, "")
        self.seat_keys: dict[str, str] = {}
        self.bound: dict[str, str] = {}  # by seat the key that signs for it, until it signs that another does
        self.key_changes: set[tuple[str, str, str]] = set()  # by seat, key and the key before, which signed it
        self.dealt = False
        self.key_since: dict[str, list[tuple[int, str]]] = {}
        self.turns: dict[str, TurnState] = {}
        self.filed: dict[str, Filed] = {}
        self.sent_lines: dict[tuple[str, str, int], tuple[str, ...]] = {}
        self.seat_turns: set[tuple[str, int, str, int, str]] = set()  # each tells once what came, once what counted
        self.listed: set[str] = set()  # turns whose commitments stood in a line of their own
        self.pending: set[str] = set()  # commitments of hidden senders that no ``sent`` has told yet
        self.standings: list[Standing] = []
        self.erased: dict[str, set[str]] = {}
        self.lost: list[tuple[int, int, int]] = []  # lines that a restore lost, and when that was told
        self.lots, self.lots_since = self.game.lots, 0  # the commitment to the game's secret, and where it stands
        self.ended: kinds.EndedLine | None = None
        self.imported = ""  # the position from which a game goes on that was begun elsewhere
        self.ended_line = 0
        self.faults: list[Fault] = []
        self.words: list[str] = []
        self.told: list[str] = []
        self.seat_lines: dict[str, list[str]] = {seat: [] for seat in self.game.seats}  # holders and keys, in words
        self.hidden_lines: list[int] = []
        self._entry = journal.entries[0]
        self._needs_standing = ""

    def _fault(self, what: str) -> None:
        self.faults.append(Fault(self._entry, what))

    def _turn(self, name: str, *states: str) -> TurnState | None:
        turn = self.turns.get(name)
        if turn is None:
            self._fault(f"there is no turn {name!r}")
        elif states and turn.state not in states:
            self._fault(f"{name} is {turn.state} by then")
        else:
            return turn
        return None

    def _seat(self, seat: str) -> bool:
        if seat not in self.game.seats:
            self._fault(f"there is no seat {seat!r}")
            return False
        return True

    @property
    def present(self) -> TurnState | None:
        """The turn that was opened last and not set aside."""
        return next((turn for turn in reversed(self.turns.values()) if turn.state != "aside"), None)
