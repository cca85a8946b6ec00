"""What a journal tells of a turn, for the walk through it and for the checks that come after (openings, judging,
receipts)."""

from __future__ import annotations

import msgspec

from legation.proofs.linking import LinkedEntry


class Filed(msgspec.Struct):
    """A commitment as the journal has it. ``seat`` is empty as long as senders are hidden; ``line`` is where it first
    stands, ``lost`` where it is told that the key is which would open it (0: nowhere). ``keyed``: its seat had a key
    by then, which should have signed it; ``unheld``: no person held it, neither then nor when the turn opened."""

    commitment: str
    turn: str
    given_in: str
    line: int
    seat: str = ""
    version: int = 0
    lost: int = 0
    keyed: bool = False
    unheld: bool = False

    def never_counts(self, opened: int) -> bool:
        """Whether its key was lost before its turn opened at this line. What was opened and counted before the loss
        goes on counting, also in results that are published anew; nobody can open it again."""
        return 0 < self.lost < opened


class Played(msgspec.Struct):
    """Results as they were published, and what they were made from."""

    line: int
    draft: bool
    position: str  # empty where it is hidden
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
    withdrawn: set[tuple[str, int]] = set()
    unsigned: set[tuple[str, str, int]] = set()  # by kind of line, seat and version: what a seat's key did not sign
    refused: set[tuple[str, int]] = set()
    confirmed: set[tuple[str, int]] = set()
    ready: dict[str, tuple[int, str]] = {}  # by seat: version, signature
    said_ready: dict[str, int] = {}  # how often, by seat
    last: dict[str, int] = {}
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


class Fault(msgspec.Struct, frozen=True):
    """What a line should not say."""

    entry: LinkedEntry
    what: str
