"""Where a walk through a journal stands: what is known of the game up to a line, and what was found wrong. What it
tells of each turn is also for the checks that come after (openings, judging, receipts)."""

from datetime import UTC, datetime
from typing import Any

import msgspec

from legation.proofs import kinds
from legation.proofs.kinds import KeeperKey
from legation.proofs.linking import Journal
from legation.proofs.report import LIE, Report

NOBODY = ("", "bot")


class Filed(msgspec.Struct):
    """A commitment as the journal has it. ``seat`` is empty as long as senders are hidden; ``line`` is where it first
    stands, ``lost`` where it is told that the key is which would open it (0: nowhere). ``keyed``: its seat had a key
    by then, which should have signed it; ``unheld``: no person held it, neither then nor when the turn opened.
    ``fields`` are those that are open, once they fit the commitment."""

    commitment: str
    turn: str
    given_in: str
    line: int
    seat: str = ""
    version: int = 0
    lost: int = 0
    keyed: bool = False
    unheld: bool = False
    fields: dict[str, Any] = {}

    def never_counts(self, opened: int) -> bool:
        """Whether its key was lost before its turn opened at this line. What was opened and counted before the loss
        goes on counting, also in results that are published anew; nobody can open it again."""
        return 0 < self.lost < opened

    @property
    def place(self) -> str:
        """What it is of, in words."""
        seat = f"{self.seat}, version {self.version}" if self.seat else f"record {self.commitment[:16]}…"
        ahead = f", given in {self.given_in}" if self.given_in != self.turn else ""
        return f"{self.turn}: {seat}{ahead} (journal line {self.line})"


class Played(msgspec.Struct):
    """Results as they were published, and what they were made from."""

    line: int
    counted: dict[str, tuple[int, str]] | None  # by seat: version, commitment
    transcribed: dict[str, str]  # by commitment
    chosen: dict[str, int]
    result: str
    secret: str
    views: dict[str, str]  # where rules hide positions: what each seat saw
    opened: int  # the line at which the turn had opened


class Standing(msgspec.Struct, frozen=True):
    """A position in which a turn opened, the seats from which orders were awaited, and what the turn before had led to
    by then (empty: hidden, or none)."""

    line: int
    turn: str
    position: str
    before: str
    awaited: tuple[str, ...]


class TurnState(msgspec.Struct):
    """A turn as the journal tells it."""

    name: str
    number: int
    opened: int
    first_opened: int
    key: str  # empty: it was lost, and the turn opens anew with another
    secret: str  # commitments
    part_commitment: str
    due: int = 0
    state: str = "open"
    position: str = ""
    views: dict[str, tuple[tuple[str, ...], str]] = {}  # by seat: whether it is awaited, the position it sees
    awaited: tuple[str, ...] | None = None
    excused: frozenset[str] = frozenset()  # seats that no person held when it opened
    vacant: frozenset[str] = frozenset()  # those of them that no bot held either
    times: list[str] = []  # when it opened and was closed, and its deadlines, in words
    words: set[tuple[str, str, int]] = set()  # the holders' ("withdrawn", "refused", "confirmed"), by seat and version
    unsigned: set[tuple[str, str, int]] = set()  # by kind of line, seat and version: what a seat's key did not sign
    ready: dict[str, tuple[int, str]] = {}  # by seat: version, signature
    said_ready: dict[str, int] = {}  # how often, by seat
    last: dict[str, int] = {}
    sheets: dict[tuple[str, int], tuple[str, ...]] = {}  # by seat and version: the commitments of its records
    shown_to: set[str] = set()  # where rules hide positions: the seats of which all that came is open
    closed: int = 0
    why: str = ""
    bound: int = 0
    held_at: int = 0  # since when its time stands still; 0: it runs
    owed: int = 0  # the earliest deadline that leaves as much time as pauses found
    countersigned: bool = False
    part: str = ""
    counted: dict[str, tuple[int, str]] | None = None
    transcribed: dict[str, str] = {}
    opened_after: set[str] = set()
    chosen: dict[str, int] = {}
    result_views: dict[str, str] = {}  # by seat; of none: the whole
    played: list[Played] = []
    final: bool = False
    same: tuple[str, tuple[str, ...] | None] | None = None  # position and awaited seats, with which it opens anew


def when(moment: int) -> str:
    """A moment in words, to the second."""
    return f"{datetime.fromtimestamp(moment // 1_000_000, UTC):%d %B %Y %H:%M:%S}".lstrip("0")


class WalkState:
    """What is known of a game up to a line, with ``turns`` by name in order; what is wrong goes into the report."""

    def __init__(self, journal: Journal, report: Report) -> None:
        self.journal, self.report = journal, report
        self.game = journal.game
        self.keeper: KeeperKey = journal.game.keeper
        self.settings: kinds.SettingsLine = self.game
        self.held = dict.fromkeys(self.game.seats, "")
        self.seat_keys: dict[str, str] = {}
        self.bound: dict[str, str] = {}  # by seat the key that signs for it, until it signs that another does
        self.key_changes: set[tuple[str, str, str]] = set()  # by seat, key and the key before, which signed it
        self.dealt = False
        self.key_since: dict[str, list[tuple[int, str]]] = {}
        self.turns: dict[str, TurnState] = {}
        self.filed: dict[str, Filed] = {}
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
        self.words, self.told = report.words, report.told
        self.seat_lines: dict[str, list[str]] = {seat: [] for seat in self.game.seats}  # holders and keys, in words
        self.hidden_lines: list[int] = []
        self._entry = journal.entries[0]
        self._needs_standing = ""

    def _fault(self, what: str) -> None:
        self.report.fail(self._entry.line.n, self._entry.place, what, LIE)

    def _fault_if(self, wrong: object, what: str) -> None:
        if wrong:
            self._fault(what)

    def _turn(self, name: str, *states: str) -> TurnState | None:
        turn = self.turns.get(name)
        if turn is None:
            self._fault(f"there is no turn {name!r}")
        elif states and turn.state not in states:
            self._fault(f"{name} is {turn.state} by then")
        else:
            return turn
        return None

    @property
    def tells_senders(self) -> bool:
        """Whether the journal tells at once who sends."""
        return self.settings.senders == "shown" and not self.game.hides

    def keys_of(self, seat: str, opened: int, until: int) -> list[str]:
        """Return the keys that a seat had from one line of the journal until another."""
        listed = self.key_since.get(seat, [])
        return [k for n, k in listed if n <= opened][-1:] + [k for n, k in listed if opened < n < until]

    def fields_of(self, commitment: str) -> dict[str, Any]:
        """Return what is open of a record; nothing of one that the journal hasn't."""
        return self.filed[commitment].fields if commitment in self.filed else {}

    @property
    def present(self) -> TurnState | None:
        """The turn that was opened last and not set aside."""
        return next((turn for turn in reversed(self.turns.values()) if turn.state != "aside"), None)
