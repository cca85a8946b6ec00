"""A tournament with the roles that an actor has in it, and the one place where permission in tournaments is asked."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections import Counter
from typing import Any

import msgspec

from legation.judge import Ruleset
from legation.office.context import RUN_IT, CommandContext
from legation.office.errors import InvalidInputError, NotFoundError
from legation.office.records import Readers
from legation.office.store.rows import BoardRow, BoardSeatRow, EntrantRow, TournamentRow
from legation.office.terms.plans import game_key
from legation.office.terms.tournament_plans import unpacked_plan
from legation.variants import VariantError


class TournamentContext:
    """A tournament with the roles that the actor has in it. ``own`` is the actor's own entry."""

    def __init__(self, act: CommandContext, row: TournamentRow) -> None:
        self.act, self.tx, self.row = act, act.tx, row
        act.tournaments.add(row.id)
        self.plan = unpacked_plan(row.plan)
        self.entrants = {entrant.id: entrant for entrant in self.tx.all(EntrantRow, tournament=row.id, order="number")}
        boards = self.tx.all(BoardRow, tournament=row.id)
        self.boards = sorted(boards, key=lambda board: (board.round, board.number))
        self.seats: dict[int, list[BoardSeatRow]] = {board.id: [] for board in boards}
        for seat in self.tx.all(BoardSeatRow, board=list(self.seats)) if boards else ():
            self.seats[seat.board].append(seat)
        person = act.actor.person
        own = [e for e in self.entrants.values() if person is not None and e.person == person]
        self.own = own[0] if own else None
        roles = set(act.roles()) | ({"player"} if self.own is not None else set())
        if person is not None and row.coordinator == person and "guest" not in roles:
            roles.add("coordinator")
        self.roles = frozenset(roles)

    @property
    def rules(self) -> Ruleset:
        """The rules that are played. Raises InvalidInputError where the variant can't be loaded any more."""
        try:
            return self.act.office.variants.load(self.plan.variant, self.plan.options)
        except VariantError as error:
            raise InvalidInputError(
                f"The tournament's variant: {'; '.join(error.faults)}", faults=error.faults
            ) from None

    @property
    def runs_it(self) -> bool:
        """Return whether the actor organizes it, or stands in for who does."""
        return bool(self.roles & RUN_IT)

    @property
    def is_known(self) -> bool:
        """Return whether the actor may know of it though it isn't listed."""
        return self.own is not None or self.runs_it or "administrator" in self.roles

    @property
    def invitation(self) -> str:
        """The secret by which a tournament that isn't listed is seen and entered."""
        label = msgspec.json.encode(["tournament", self.row.id, self.row.key, self.row.made])
        digest = hmac.new(self.act.office.master_key, label, hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:18]).decode()

    def takes(self, invitation: str) -> bool:
        """Return whether somebody has shown its invitation."""
        return hmac.compare_digest(invitation.encode("utf-8", "replace"), self.invitation.encode())

    @property
    def hides(self) -> bool:
        """Return whether who plays what is hidden from the reader until a board is over."""
        return self.plan.online and self.plan.settings.anonymous and not (self.runs_it and self.own is None)

    @property
    def last_round(self) -> int:
        """The last round that was seated; 0 before the first."""
        return max((board.round for board in self.boards), default=0)

    def of_round(self, number: int) -> list[BoardRow]:
        """The boards of a round. Raises NotFoundError where it isn't seated."""
        if not (listed := [board for board in self.boards if board.round == number]):
            raise NotFoundError(f"Round {number} has no boards yet.")
        return listed

    def rounds_played(self, before: int) -> Counter[int]:
        """How many rounds before one each entrant had a seat in."""
        boards = [board for board in self.boards if board.round < before]
        return Counter(s.entrant for board in boards for s in self.seats[board.id] if s.entrant is not None)

    def entrant(self, number: int) -> EntrantRow:
        """Somebody in the tournament, by number."""
        found = next((entrant for entrant in self.entrants.values() if entrant.number == number), None)
        if found is None:
            raise NotFoundError(f"Nobody has the number {number} in {self.row.name}.")
        return found

    def reload(self) -> TournamentContext:
        """The same after changes."""
        return TournamentContext(self.act, self.tx.get(TournamentRow, self.row.id))

    def append_journal(self, what: str, /, *, seen_by: Readers = "all", **facts: Any) -> None:
        """Write a line of the tournament's record: of the office's journal, with a kind that names the tournament."""
        self.act.append_journal(f"tournament {self.row.key}", seen_by=seen_by, what=what, about=facts)


def authorize_tournament(
    act: CommandContext, key: str, invitation: str = "", *, lock: bool = False
) -> TournamentContext:
    """Ask for a command in a tournament; one that isn't listed is shown to those in it, and by its invitation."""
    act.asked = True
    row = act.tx.find(TournamentRow, key=game_key(key), lock=lock)
    scene = TournamentContext(act, row) if row is not None else None
    if scene is None or not (scene.plan.listed or scene.is_known or scene.takes(invitation)):
        raise NotFoundError(f"There is no tournament {game_key(key)[:60]!r}.")
    act.authorize(scene.roles, scene.row.state, "tournament")
    return scene
