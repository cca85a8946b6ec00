"""The walk through a journal: what may follow what, who closed a turn and when, what was sent, what counts.

What a line says of a turn is kept in :class:`TurnState` for the checks that come after (openings, judging, receipts).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec

from legation.proofs import kinds
from legation.proofs.chain import (
    closing_statement,
    deadline_statement,
    succession_statement,
    turn_statement,
)
from legation.proofs.kinds import KeeperKey, LineData
from legation.proofs.linking import Entry, Journal
from legation.proofs.lots import DEAL, deal, lot_seed, part_commitment, secret_commitment, turn_commitment, turn_secret
from legation.proofs.records import ready_statement
from legation.proofs.signing import signed

NOBODY = ("", "bot")
AFTER_THE_END = ("told", "erased", "office key", "keeper", "transferred", "restored", "final", "objected", "private")


class Filed(msgspec.Struct):
    """A commitment as the journal has it. ``seat`` is empty as long as senders are hidden; ``line`` is where it first
    stands."""

    commitment: str
    turn: str
    given_in: str
    line: int
    seat: str = ""
    version: int = 0


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


class Standing(msgspec.Struct, frozen=True):
    """A position in which a turn opened, and what the turn before had led to by then (empty: hidden, or none)."""

    line: int
    turn: str
    position: str
    before: str


class TurnState(msgspec.Struct):
    """A turn as the journal tells it."""

    name: str
    number: int
    opened: int
    first_opened: int
    key: str
    secret: str  # commitments
    part_commitment: str
    due: int = 0
    state: str = "open"
    position: str = ""
    views: dict[str, tuple[tuple[str, ...], str]] = {}  # by seat: whether it is awaited, the position it sees
    awaited: tuple[str, ...] | None = None
    excused: frozenset[str] = frozenset()
    withdrawn: set[tuple[str, int]] = set()
    refused: set[tuple[str, int]] = set()
    confirmed: set[tuple[str, int]] = set()
    ready: dict[str, tuple[int, str, str]] = {}  # by seat: version, signature, the seat's key then
    last: dict[str, int] = {}
    closed: int = 0
    closed_at: int = 0
    why: str = ""
    bound: int = 0
    countersigned: bool = False
    part: str = ""
    counted: dict[str, tuple[int, str]] | None = None
    transcribed: dict[str, str] = {}
    opened_after: set[str] = set()
    chosen: dict[str, int] = {}
    whole_result: str = ""
    result_views: dict[str, str] = {}
    played: list[Played] = []
    final: bool = False


class Fault(msgspec.Struct, frozen=True):
    """What a line should not say."""

    entry: Entry
    what: str


class Walk:
    """The walk itself. ``faults`` are all that it found, ``turns`` the turns by name in their order."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.game = journal.game
        self.keeper: KeeperKey = journal.game.keeper
        self.waits, self.anonymous, self.senders = self.game.waits, self.game.anonymous, self.game.senders
        self.held = dict.fromkeys(self.game.seats, "")
        self.seat_keys: dict[str, str] = {}
        self.key_since: dict[str, list[tuple[int, str]]] = {}
        self.turns: dict[str, TurnState] = {}
        self.filed: dict[str, Filed] = {}
        self.sent_lines: dict[tuple[str, str, int], tuple[str, ...]] = {}
        self.pending: set[str] = set()  # commitments of hidden senders that no ``sent`` has told yet
        self.standings: list[Standing] = []
        self.erased: dict[str, set[str]] = {}
        self.lost: list[tuple[int, int]] = []  # lines that a restore lost
        self.ended: kinds.EndedLine | None = None
        self.ended_line = 0
        self.faults: list[Fault] = []
        self.told: list[str] = []
        self.hidden_lines: list[int] = []
        self._entry = journal.entries[0]
        self._needs_standing = ""

    def run(self) -> None:
        """Walk through all lines."""
        for entry in self.journal.entries[1:]:
            self._entry = entry
            self._line(entry)
        if self._needs_standing:
            self._fault(f"the position in which {self._needs_standing} opened does not follow")

    def _line(self, entry: Entry) -> None:
        kind = entry.line.kind
        if self.ended is not None and kind not in AFTER_THE_END:
            self._fault("the game had ended before")
        if self._needs_standing and kind not in ("standing", "private"):
            self._fault(f"the position in which {self._needs_standing} opened should stand here")
            self._needs_standing = ""
        if kind != "private":
            self._handle(kind, entry.data, private=False)
            return
        if entry.hidden:
            self.hidden_lines.append(entry.line.n)
        hidden_standing = self._needs_standing and self.game.hides
        for index in sorted(entry.opened):
            inner, data = entry.opened[index]
            self._handle(inner, data, private=True)
        if hidden_standing:
            self._needs_standing = ""

    def _handle(self, kind: str, data: LineData, *, private: bool) -> None:
        handler = cast("Callable[[LineData, bool], None] | None", getattr(self, f"_on_{kind.replace(' ', '_')}", None))
        if handler is not None:
            handler(data, private)

    def _fault(self, what: str) -> None:
        self.faults.append(Fault(self._entry, what))

    def _turn(self, name: str, *states: str) -> TurnState | None:
        """A turn by name, if it is in one of these states; else a fault."""
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

    # The game

    def _on_settings(self, data: kinds.SettingsLine, _: bool) -> None:
        self.waits, self.anonymous, self.senders = data.waits, data.anonymous, data.senders

    def _on_held(self, data: kinds.HeldLine, _: bool) -> None:
        if self._seat(data.seat):
            self.held[data.seat] = data.person

    def _on_seat_key(self, data: kinds.SeatKeyLine, _: bool) -> None:
        if self._seat(data.seat):
            self.seat_keys[data.seat] = data.key
            self.key_since.setdefault(data.seat, []).append((self._entry.line.n, data.key))

    def _on_dealt(self, data: kinds.DealtLine, _: bool) -> None:
        if turn_commitment(data.secret) != self.game.deal:
            self._fault("the secret of the deal is not the one that line 1 commits to")
        if part_commitment(data.part) != self.game.part:
            self._fault("the keeper's part of the deal is not the one that line 1 commits to")
        wishes = {sign.number: list(sign.wishes) for sign in data.sign_ups}
        seed = lot_seed(data.secret, data.part, [sign.nonce for sign in data.sign_ups])
        said = {one.number: one.seat for one in data.dealt}
        if len(wishes) < len(data.sign_ups) or len(said) < len(data.dealt):
            self._fault("a sign-up stands twice")
        elif not set(data.free) <= set(self.game.seats) or len(set(data.free)) < len(data.free):
            self._fault("what is dealt are not seats of this game")
        elif min(len(data.free), len(wishes)) and deal(seed, data.name, wishes, data.free) != said:
            self._fault("the deal falls otherwise")

    def _on_keeper(self, data: kinds.KeeperLine, _: bool) -> None:
        statement = succession_statement(self.game.game, self._entry.line.n, data.keeper.key)
        if not data.signature:
            self.told.append(f"{self._entry.place}: another keeper, without the word of the one before")
        elif not signed(self.keeper.key, data.signature, "key", statement):
            self._fault("the keeper before did not sign this")
        self.keeper = data.keeper

    def _on_restored(self, data: kinds.RestoredLine, _: bool) -> None:
        n = self._entry.line.n
        if data.lost_to < n:
            self._fault("nothing can be lost that stands above")
        self.lost.append((n, data.lost_to))
        self.told.append(
            f"{self._entry.place}: the office came back from a backup and lost its lines {n} to {data.lost_to}; what "
            "was sent then counts only if it was sent again"
        )

    def _on_transferred(self, data: kinds.TransferredLine, _: bool) -> None:
        self.told.append(f"{self._entry.place}: the game goes on in another office, which signs with {data.key}")

    def _on_erased(self, data: kinds.ErasedLine, _: bool) -> None:
        for record in data.records:
            if record.commitment not in self.filed:
                self._fault(f"there is no commitment {record.commitment[:16]}… to erase")
            self.erased.setdefault(record.commitment, set()).update(record.fields)

    def _on_ended(self, data: kinds.EndedLine, _: bool) -> None:
        if secret_commitment(data.secret) != self.game.lots:
            self._fault("the game's secret is not the one that line 1 commits to")
        if turn_commitment(turn_secret(data.secret, DEAL)) != self.game.deal:
            self._fault("the secret of the deal does not follow from the game's")
        for turn in self.turns.values():
            if turn_commitment(turn_secret(data.secret, turn.name)) != turn.secret:
                self._fault(f"the secret of {turn.name} does not follow from the game's")
        self.ended, self.ended_line = data, self._entry.line.n

    # A turn opens

    def _on_turn_opened(self, data: kinds.TurnLine, _: bool) -> None:
        before = self.present
        again = self.turns.pop(data.turn, None)
        if again is not None and again.state != "aside":
            self._fault(f"{data.turn} was opened before")
        if before is not None and before is not again and before.state != "published":
            self._fault(f"{before.name} is {before.state}; the next turn cannot open")
        number = again.number if again is not None else before.number + 1 if before is not None else data.number
        if data.number != number:
            self._fault(f"{data.turn} is turn {number}, not {data.number}")
        if again is not None and (again.key, again.secret, again.part_commitment) != (data.key, data.secret, data.part):
            self._fault(f"{data.turn} opens again with another key or secret")
        statement = turn_statement(self.game.game, data.turn, data.key, data.secret, data.part, data.due)
        if not signed(self.keeper.key, data.keeper, "turn", statement):
            self._fault("the keeper did not sign the key of this turn")
        if self.keeper.elsewhere and not data.part:
            self._fault("the keeper's part of the lots is missing")
        turn = TurnState(
            data.turn,
            data.number,
            self._entry.line.n,
            self._entry.line.n,
            data.key,
            data.secret,
            data.part,
            due=data.due,
        )
        if again is not None:
            if again.due and data.due and data.due < again.due:
                self._fault("the deadline moves to an earlier time")
            turn = msgspec.structs.replace(
                again, opened=turn.opened, due=data.due, state="open", position="", views={}, awaited=None, ready={}
            )
        turn.excused = frozenset(seat for seat, person in self.held.items() if person in NOBODY)
        self.turns[data.turn] = turn
        self._needs_standing = data.turn

    def _on_standing(self, data: kinds.StandingLine, private: bool) -> None:
        turn = self._turn(data.turn, "open")
        if turn is None or (data.seat and not self._seat(data.seat)):
            return
        if data.turn != self._needs_standing:
            self._fault("this position does not follow the opening of its turn")
        if private is not self.game.hides or (data.seat and not private):
            self._fault("the position is public where nothing is hidden, and private elsewhere")
        if data.seat:
            turn.views[data.seat] = (tuple(data.awaited), data.position)
            return
        turn.position, turn.awaited = data.position, tuple(data.awaited)
        before = next((t for t in reversed(self.turns.values()) if t.played and t is not turn), None)
        led_to = before.played[-1].result if before is not None else ""
        self.standings.append(Standing(self._entry.line.n, turn.name, data.position, led_to))
        if not set(data.awaited) <= set(self.game.seats):
            self._fault("orders are awaited from a seat that is none")
        if not private:
            self._needs_standing = ""

    def _on_deadline(self, data: kinds.DeadlineLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "open")) is None:
            return
        if not signed(
            self.keeper.key, data.keeper, "deadline", deadline_statement(self.game.game, turn.name, data.due)
        ):
            self._fault("the keeper did not acknowledge this deadline")
        last = max(turn.due, turn.bound)  # ``bound`` keeps the last one through a pause
        if data.due and data.due < last:
            self._fault("the deadline moves to an earlier time")
        turn.bound = max(last, data.due)
        turn.due = data.due

    # What is sent

    def _on_sent(self, data: kinds.SentLine, private: bool) -> None:
        turn = self._turn(data.turn, "open")
        if turn is None or not self._seat(data.seat):
            return
        if private is (self.senders == "shown" and not self.game.hides):
            self._fault("who sends is told at once where senders are shown, and in private lines elsewhere")
        if data.version != turn.last.get(data.seat, 0) + 1 and not private:
            self._fault(f"version {data.version} of {data.seat} follows version {turn.last.get(data.seat, 0)}")
        if (data.turn, data.seat, data.version) in self.sent_lines:
            self._fault(f"{data.seat} sent version {data.version} before")
        turn.last[data.seat] = max(data.version, turn.last.get(data.seat, 0))
        self.sent_lines[data.turn, data.seat, data.version] = tuple(r.commitment for r in data.records)
        if not data.records or data.records[0].turn != data.turn:
            self._fault("what is sent has a record for its own turn first")
        for record in data.records:
            self._file(record, data.turn, data.seat, data.version, private=private)

    def _file(self, record: kinds.SentRecord, given_in: str, seat: str, version: int, *, private: bool) -> None:
        known = self.filed.get(record.commitment)
        if private:
            if known is None or record.commitment not in self.pending or known.turn != record.turn:
                self._fault(f"the commitment {record.commitment[:16]}… is not among those of {given_in}")
                return
            self.pending.discard(record.commitment)
            known.seat, known.version = seat, version
        elif known is not None:
            self._fault(f"the commitment {record.commitment[:16]}… stands before, too")
        else:
            n = self._entry.line.n
            self.filed[record.commitment] = Filed(record.commitment, record.turn, given_in, n, seat, version)

    def _on_commitments(self, data: kinds.CommitmentsLine, _: bool) -> None:
        if self._turn(data.turn, "open") is None:
            return
        if self.senders == "shown" and not self.game.hides:
            self._fault("senders are shown in this game, so commitments come with them")
        listed = [record.commitment for record in data.records]
        if listed != sorted(set(listed)):
            self._fault("the commitments are not sorted")
        for record in data.records:
            if record.commitment in self.filed:
                self._fault(f"the commitment {record.commitment[:16]}… stands before, too")
                continue
            self.filed[record.commitment] = Filed(record.commitment, record.turn, data.turn, self._entry.line.n)
            self.pending.add(record.commitment)

    def _version(self, data: kinds.VersionLine, *states: str) -> TurnState | None:
        turn = self._turn(data.turn, *states)
        if turn is None or not self._seat(data.seat):
            return None
        if not 0 < data.version <= turn.last.get(data.seat, 0) and not self._entry.private:
            self._fault(f"{data.seat} has no version {data.version}")
        return turn

    def _on_withdrawn(self, data: kinds.VersionLine, _: bool) -> None:
        if turn := self._version(data, "open"):
            if (data.seat, data.version) in turn.withdrawn:
                self._fault("it was withdrawn before")
            turn.withdrawn.add((data.seat, data.version))

    def _on_confirmed(self, data: kinds.VersionLine, _: bool) -> None:
        if turn := self._version(data, "open"):
            turn.confirmed.add((data.seat, data.version))

    def _on_refused(self, data: kinds.VersionLine, _: bool) -> None:
        if turn := self._version(data, "open"):
            turn.refused.add((data.seat, data.version))

    def _on_objected(self, data: kinds.VersionLine, _: bool) -> None:
        if turn := self._version(data):
            if turn.final:
                self._fault("objections end when results are final")
            self.told.append(f"{turn.name}: {data.seat} objects to its version {data.version} as it was entered")

    def _on_ready(self, data: kinds.ReadyLine, _: bool) -> None:
        turn = self._turn(data.turn, "open")
        if turn is None or not self._seat(data.seat):
            return
        key = self.seat_keys.get(data.seat, "")
        statement = ready_statement(self.game.game, data.turn, data.seat, data.version)
        if data.signature and not signed(key, data.signature, "ready", statement):
            self._fault(f"{data.seat}'s key did not sign that it is ready")
        turn.ready[data.seat] = (data.version, data.signature, key)

    def _on_not_ready(self, data: kinds.SeatLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "open")) is not None and turn.ready.pop(data.seat, None) is None:
            self._fault(f"{data.seat} had not said that it is ready")

    # A turn is closed and opened

    def _on_closed(self, data: kinds.ClosedLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "open")) is None:
            return
        at = self._entry.line.at
        turn.state, turn.closed, turn.closed_at, turn.why = "closed", self._entry.line.n, at, data.why
        if data.due != turn.due:
            self._fault("the deadline is not the last one that the keeper acknowledged")
        if data.why == "all ready":
            self._all_ready(turn)
        elif not turn.due or at < turn.due:
            self._fault(f"it is closed before its deadline ({data.why})")
        elif data.why == "waited" and not self.waits:
            self._fault("this game does not wait for missing orders")
        turn.bound = turn.due if data.why == "deadline" else at
        self._all_told(turn)

    def _all_told(self, turn: TurnState) -> None:
        """Where senders are hidden, what they sent is told in private lines before the closing, all of it."""
        if any(n > turn.opened for n in self.hidden_lines):
            self.pending.clear()
            return
        for seat, last in turn.last.items():
            if any((turn.name, seat, version) not in self.sent_lines for version in range(1, last)):
                self._fault(f"not all versions of {seat} are told")
        if self.pending:
            self._fault(f"nobody is told to have sent the commitment {min(self.pending)[:16]}…")
            self.pending.clear()

    def _all_ready(self, turn: TurnState) -> None:
        if turn.awaited is None:
            return  # hidden from this reader, and listed as that
        for seat in turn.awaited:
            if seat in turn.excused:
                continue
            version, signature, key = turn.ready.get(seat, (-1, "", ""))
            if version < 0:
                self._fault(f"it is closed because all are ready, and {seat} is not")
            elif version != turn.last.get(seat, 0):
                self._fault(f"{seat} was ready with version {version}, and sent version {turn.last.get(seat, 0)}")
            elif not signature and self.keeper.elsewhere:
                self._fault(f"that {seat} is ready is not signed by its key")
            elif not signature and key:
                self.told.append(f"{turn.name}: that {seat} was ready is the office's word; its key did not sign it")

    def _on_countersigned(self, data: kinds.CountersignedLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "closed")) is None:
            return
        if turn.countersigned:
            self._fault("a turn is closed once")
        turn.countersigned = True
        line = self.journal.entries[turn.closed - 1]
        if (data.line, data.head) != (turn.closed, line.hash):
            self._fault("the keeper signed another closing than that of this journal")
        statement = closing_statement(self.game.game, turn.name, data.line, data.head, data.at)
        if not signed(self.keeper.key, data.signature, "closing", statement):
            self._fault("the closing is not signed by the keeper")
        if turn.why != "all ready" and data.at < turn.due:
            self._fault("the keeper signed the closing before the deadline")

    def _on_opened(self, data: kinds.OpenedLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "closed")) is None:
            return
        if not turn.countersigned:
            self._fault("the seals are opened without the keeper's signature of the closing")
        if part_commitment(data.part) != turn.part_commitment:
            self._fault("the keeper's part of the lots is not the one that was committed to")
        turn.part, turn.state = data.part, "opened"

    # Results

    def _on_transcribed(self, data: kinds.TranscribedLine, _: bool) -> None:
        turn = self._turn(data.turn, "opened", "published")
        filed = self.filed.get(data.commitment)
        if turn is None or turn.final or filed is None or filed.turn != turn.name:
            self._fault("what is transcribed is not a record of a turn whose results are still to be final")
            return
        if filed.seat and (filed.seat, filed.version) != (data.seat, data.version):
            self._fault(f"the record is version {filed.version} of {filed.seat}")
        turn.transcribed[data.commitment] = data.text
        if data.opened_after:
            turn.opened_after.add(data.commitment)

    def _on_chosen(self, data: kinds.ChosenLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "opened")) is not None and self._seat(data.seat):
            turn.chosen[data.seat] = data.version
            what = f"chose version {data.version}" if data.version else "let no version count"
            self.told.append(f"{turn.name}: the coordinator {what} of {data.seat}: {data.reason}")

    def _on_counted(self, data: kinds.CountedLine, private: bool) -> None:
        if (turn := self._turn(data.turn, "opened", "published")) is None:
            return
        if private is not self.game.hides:
            self._fault("which version counts is public where nothing is hidden, and private elsewhere")
        sheets = {sheet.seat: (sheet.version, sheet.commitment) for sheet in data.sheets}
        if private:
            turn.counted = {**(turn.counted or {}), **sheets}
        elif [sheet.seat for sheet in data.sheets] != self.game.seats:
            self._fault("it does not say of every seat which version counts")
        else:
            turn.counted = sheets
        if turn.state == "published":
            turn.state = "opened"

    def _on_result(self, data: kinds.ResultLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "opened", "published")) is None:
            return
        if data.seat:
            turn.result_views[data.seat] = data.result
        else:
            turn.whole_result = data.result

    def _on_results(self, data: kinds.ResultsLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "opened")) is None:
            return
        if turn.counted is None and not self.game.hides:
            self._fault("it does not stand above which versions count")
        if self.game.hides and (data.result or data.secret):
            self._fault("results are public though this game hides positions")
        if not self.game.hides and turn_commitment(data.secret) != turn.secret:
            self._fault("the turn's secret is not the one that was committed to when it opened")
        result = turn.whole_result if self.game.hides else data.result
        turn.played.append(
            Played(
                self._entry.line.n,
                data.draft,
                turn.position,
                None if turn.counted is None else dict(turn.counted),
                dict(turn.transcribed),
                dict(turn.chosen),
                result,
                data.secret,
                dict(turn.result_views),
            )
        )
        turn.state, turn.final = "published", not data.draft

    def _on_taken_back(self, data: kinds.PlainTurnLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "published")) is not None:
            if turn.final:
                self._fault("final results are not taken back")
            turn.state = "opened"

    def _on_final(self, data: kinds.PlainTurnLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "published")) is not None:
            if turn.final:
                self._fault("the results were final before")
            turn.final = True

    def _on_aside(self, data: kinds.PlainTurnLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "open")) is not None:
            turn.state = "aside"


def lines_of(walk: Walk, kind: str) -> list[Any]:
    """The data of all lines of a kind, the private ones that are open among them."""
    found: list[Any] = []
    for entry in walk.journal.entries:
        if entry.line.kind == kind:
            found.append(entry.data)
        found += [data for inner, data in entry.opened.values() if inner == kind]
    return found
