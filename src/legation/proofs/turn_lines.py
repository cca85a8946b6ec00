"""Lines by which a turn opens, with its key, deadline and position, and by which it is closed for good, countersigned,
and unsealed."""

import msgspec

from legation.proofs import kinds
from legation.proofs.chain import PAUSE_LEEWAY, closing_statement, deadline_statement, turn_statement
from legation.proofs.lots import part_commitment
from legation.proofs.signing import signed
from legation.proofs.walk_state import NOBODY, Standing, TurnState, WalkState, when

GOES_ON = "first_opened last sheets words said_ready unsigned times due bound held_at owed played same".split()
"""The fields of a turn's state that are kept when the turn, set aside, is opened again."""


class TurnLines(WalkState):
    """What lines about the opening and closing of turns say."""

    # The opening

    def _on_turn_opened(self, data: kinds.TurnLine) -> None:
        before = self.present
        again = self.turns.pop(data.turn, None)
        self._fault_if(again is not None and again.state != "aside", f"{data.turn} was opened before")
        if before is not None and before is not again and before.state != "published":
            self._fault(f"{before.name} is {before.state}; the next turn cannot open")
        number = again.number if again is not None else before.number + 1 if before is not None else data.number
        self._fault_if(data.number != number, f"{data.turn} is turn {number}, not {data.number}")
        told = (data.key, data.secret, data.part)
        if again is not None and again.key and (again.key, again.secret, again.part_commitment) != told:
            self._fault(f"{data.turn} opens again with another key or secret")
        statement = turn_statement(self.game.game, data.turn, data.key, data.secret, data.part, data.due)
        if not signed(self.keeper.key, data.keeper, "turn", statement):
            self._fault("the keeper did not sign the key of this turn")
        self._fault_if(self.keeper.elsewhere and not data.part, "the keeper's part of the lots is missing")
        n = self._entry.line.n
        turn = TurnState(data.turn, data.number, n, n, data.key, data.secret, data.part)
        turn.excused = frozenset(seat for seat, person in self.held.items() if person in NOBODY)
        turn.vacant = frozenset(seat for seat, person in self.held.items() if not person)
        if again is not None:
            turn.excused &= again.excused  # nobody who was to be ready is given away meanwhile
            turn = msgspec.structs.replace(turn, **{name: getattr(again, name) for name in GOES_ON})
        self._deadline(turn, data.due, f"opened {when(self._entry.line.at)}, draws committed to by {data.secret}, ")
        self.turns[data.turn] = turn
        self._needs_standing = data.turn

    def _on_standing(self, turn: TurnState, data: kinds.StandingLine) -> None:
        private = self._entry.private
        self._fault_if(data.turn != self._needs_standing, "this position does not follow the opening of its turn")
        if private is not self.game.hides or (data.seat and not private):
            self._fault("the position must be public where nothing is hidden, and private elsewhere")
        if data.seat:
            self._fault_if(data.seat in turn.views, f"{data.seat} is shown two positions")
            turn.views[data.seat] = (tuple(data.awaited), data.position)
            return
        self._fault_if(turn.position, "it opens in two positions")
        if turn.same not in (None, ("", None), (data.position, tuple(data.awaited))):
            self._fault("a turn whose key was lost opens in another position than before")
        turn.position, turn.awaited, turn.same = data.position, tuple(data.awaited), None
        before = next((t for t in reversed(self.turns.values()) if t.played and t is not turn), None)
        led_to = before.played[-1].result if before is not None else ""
        self.standings.append(Standing(self._entry.line.n, turn.name, data.position, led_to, turn.awaited))
        if not set(data.awaited) <= set(self.game.seats):
            self._fault("orders are awaited from a seat that doesn't exist")
        if not private:
            self._needs_standing = ""

    def _on_deadline(self, turn: TurnState, data: kinds.DeadlineLine) -> None:
        if not signed(
            self.keeper.key, data.keeper, "deadline", deadline_statement(self.game.game, turn.name, data.due)
        ):
            self._fault("the keeper did not acknowledge this deadline")
        self._deadline(turn, data.due, f"{when(self._entry.line.at)}: ", f" ({data.why})")

    def _deadline(self, turn: TurnState, due: int, said: str, why: str = "") -> None:
        """Note the deadline told last: never an earlier one, and after a pause as much time as was left."""
        turn.times.append(f"{said}{f'deadline {when(due)}' if due else 'no deadline'}{why}")
        last = max(turn.due, turn.bound)  # ``bound`` keeps the last one through a pause
        self._fault_if(due and due < last, "the deadline moves to an earlier time")
        at = self._entry.line.at
        if not due:
            turn.held_at = turn.held_at or at
        elif turn.held_at:
            if turn.held_at < last:
                turn.owed = max(turn.owed, last) + at - turn.held_at - PAUSE_LEEWAY
            turn.held_at = 0
        turn.bound = max(last, due)
        turn.due = due

    # The closing

    def _on_closed(self, turn: TurnState, data: kinds.ClosedLine) -> None:
        at = self._entry.line.at
        turn.state, turn.closed, turn.why = "closed", self._entry.line.n, data.why
        turn.times.append(f"closed {when(at)} ({data.why})")
        self._fault_if(data.due != turn.due, "the deadline is not the last one that the keeper acknowledged")
        if data.why == "all ready":
            self._all_ready(turn)
        elif not turn.due or at < turn.due:
            self._fault(f"it is closed before its deadline ({data.why})")
        elif turn.due < turn.owed:
            self._fault("a pause took time from the players: less was left after it than before")
        elif data.why == "waited" and not self.settings.waits:
            self._fault("this game does not wait for missing orders")
        turn.bound = turn.due if data.why == "deadline" else at
        self._all_told(turn)
        if data.why == "deadline" and self.tells_senders:
            self._tell_late(turn)

    def _tell_late(self, turn: TurnState) -> None:
        """Tell what entered the journal after the deadline; that it had come by then is the office's word."""
        for filed in self.filed.values():
            at = self.journal.entries[filed.line - 1].line.at
            if filed.turn == filed.given_in == turn.name and at > turn.due:
                self.told.append(
                    f"{turn.name}: version {filed.version} of {filed.seat} entered the journal "
                    f"{(at - turn.due) // 60_000_000} minutes after the deadline; that it had come by then is the "
                    "office's word"
                )

    def _all_told(self, turn: TurnState) -> None:
        """Where senders are hidden, what they sent is told in private lines before the closing, all of it."""
        if any(n > turn.opened for n in self.hidden_lines):
            self.pending.clear()
            return
        for seat, last in turn.last.items():
            if any((seat, version) not in turn.sheets for version in range(1, last)):
                self._fault(f"not all versions of {seat} are listed")
        if self.pending:
            self._fault(f"no sender is given for the commitment {min(self.pending)[:16]}…")
            self.pending.clear()

    def _all_ready(self, turn: TurnState) -> None:
        if turn.awaited is None:
            return  # hidden from this reader, and listed as that
        for seat in turn.awaited:
            if seat in turn.excused:
                who = "nobody" if seat in turn.vacant else "a bot"
                self.words.append(f"{turn.name}: it was closed early, and {who} held {seat} when it opened")
                continue
            version, signature = turn.ready.get(seat, (-1, ""))
            if version < 0:
                self._fault(f"it is closed because all are ready, and {seat} is not")
            elif version != turn.last.get(seat, 0):
                self._fault(f"{seat} was ready with version {version}, and sent version {turn.last.get(seat, 0)}")
            elif not signature and self.keeper.elsewhere:
                self._fault(f"{seat}'s key did not sign that it is ready")

    def _on_reopened(self, data: kinds.ReopenedLine) -> None:
        turn = self._turn(data.turn, "open", "closed", "opened") if data.turn else None
        if turn is not None:
            self._fault_if(turn.name not in data.lost, "a turn opens again whose key is not lost")
            if turn.state == "open":
                self._all_told(turn)
            if turn.state == "opened" and not data.lots:
                self._fault("its seals were opened, and so its key was not lost")
            turn.state, turn.key, turn.same = "aside", "", (turn.position, turn.awaited)
        for other in self.turns.values():
            if other.state == "aside" and (other.name in data.lost or data.lots):
                other.key = ""
        n, lost = self._entry.line.n, [filed for filed in self.filed.values() if filed.turn in data.lost]
        for filed in lost:
            filed.lost = filed.lost or n
        if data.lots:
            self.lots, self.lots_since = data.lots, n
        self.words.append(
            f"{self._entry.place}: the office says that the keys of {', '.join(data.lost) or 'no turn'} are lost; "
            f"nobody can open {len(lost)} records that were sealed before, and what had not counted never will"
        )

    def _on_countersigned(self, turn: TurnState, data: kinds.CountersignedLine) -> None:
        self._fault_if(turn.countersigned, "a turn can be closed only once")
        turn.countersigned = True
        turn.times.append(f"countersigned by the keeper {when(data.at)}")
        line = self.journal.entries[turn.closed - 1]
        if (data.line, data.head) != (turn.closed, line.hash):
            self._fault("the keeper signed another closing than that of this journal")
        statement = closing_statement(self.game.game, turn.name, data.line, data.head, data.at)
        if not signed(self.keeper.key, data.signature, "closing", statement):
            self._fault("the closing is not signed by the keeper")
        if turn.why != "all ready" and data.at < turn.due:
            self._fault("the keeper signed the closing before the deadline")

    def _on_opened(self, turn: TurnState, data: kinds.OpenedLine) -> None:
        self._fault_if(not turn.countersigned, "the seals are opened without the keeper's signature of the closing")
        if part_commitment(data.part) != turn.part_commitment:
            self._fault("the keeper's part of the lots is not the one that was committed to")
        turn.part, turn.state = data.part, "opened"
