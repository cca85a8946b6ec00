"""Lines by which a turn opens: its key and deadline, and the position in which it does."""

from __future__ import annotations

import msgspec

from legation.proofs import kinds
from legation.proofs.chain import PAUSE_LEEWAY, deadline_statement, turn_statement
from legation.proofs.signing import signed
from legation.proofs.turn_states import Standing, TurnState
from legation.proofs.walk_state import NOBODY, WalkState, when

GOES_ON = (
    "first_opened last withdrawn refused confirmed said_ready unsigned times due bound held_at owed played same".split()
)
"""What is known of a turn that was set aside and stays so when it opens again."""


class OpeningLines(WalkState):
    """What lines about the opening of turns say."""

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
        told = (data.key, data.secret, data.part)
        if again is not None and again.key and (again.key, again.secret, again.part_commitment) != told:
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
        )
        turn.excused = frozenset(seat for seat, person in self.held.items() if person in NOBODY)
        turn.vacant = frozenset(seat for seat, person in self.held.items() if not person)
        if again is not None:
            turn.excused &= again.excused  # nobody who was to be ready is given away meanwhile
            turn = msgspec.structs.replace(turn, **{name: getattr(again, name) for name in GOES_ON})
        self._deadline(turn, data.due, f"opened {when(self._entry.line.at)}, draws committed to by {data.secret}, ")
        self.turns[data.turn] = turn
        self._needs_standing = data.turn

    def _on_standing(self, data: kinds.StandingLine, private: bool) -> None:
        turn = self._turn(data.turn, "open")
        if turn is None or (data.seat and not self._seat(data.seat)):
            return
        if data.turn != self._needs_standing:
            self._fault("this position does not follow the opening of its turn")
        if private is not self.game.hides or (data.seat and not private):
            self._fault("the position must be public where nothing is hidden, and private elsewhere")
        if data.seat:
            if data.seat in turn.views:
                self._fault(f"{data.seat} is shown two positions")
            turn.views[data.seat] = (tuple(data.awaited), data.position)
            return
        if turn.position:
            self._fault("it opens in two positions")
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

    def _on_deadline(self, data: kinds.DeadlineLine, _: bool) -> None:
        if (turn := self._turn(data.turn, "open")) is None:
            return
        if not signed(
            self.keeper.key, data.keeper, "deadline", deadline_statement(self.game.game, turn.name, data.due)
        ):
            self._fault("the keeper did not acknowledge this deadline")
        self._deadline(turn, data.due, f"{when(self._entry.line.at)}: ", f" ({data.why})")

    def _deadline(self, turn: TurnState, due: int, said: str, why: str = "") -> None:
        """The deadline that the keeper was told last: never earlier than one before it, and after a pause with as much
        time as was left."""
        turn.times.append(f"{said}{f'deadline {when(due)}' if due else 'no deadline'}{why}")
        last = max(turn.due, turn.bound)  # ``bound`` keeps the last one through a pause
        if due and due < last:
            self._fault("the deadline moves to an earlier time")
        at = self._entry.line.at
        if not due:
            turn.held_at = turn.held_at or at
        elif turn.held_at:
            if turn.held_at < last:
                turn.owed = max(turn.owed, last) + at - turn.held_at - PAUSE_LEEWAY
            turn.held_at = 0
        turn.bound = max(last, due)
        turn.due = due
