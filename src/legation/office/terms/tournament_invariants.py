"""Invariants of every tournament after every command: checked like those of games, in the command's own transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from legation.office.errors import ConflictError
from legation.office.store.rows import BoardRow, BoardSeatRow, EntrantRow, TournamentRow
from legation.office.store.transaction import Transaction
from legation.office.terms.tournament_plans import unpacked_plan


def check(tx: Transaction, tournaments: Iterable[int]) -> None:
    """Check tournaments that a command has looked at. Raises ConflictError with what does not go together; the command
    is undone."""
    for number in sorted(tournaments):
        row = tx.find(TournamentRow, id=number)
        if row is not None:
            for fault in faults(tx, row):
                raise ConflictError(fault)


def faults(tx: Transaction, row: TournamentRow) -> Iterator[str]:
    """Return the invariants that a tournament violates, a sentence each."""
    boards = {board.id: board for board in tx.all(BoardRow, tournament=row.id)}
    entrants = {entrant.id: entrant for entrant in tx.all(EntrantRow, tournament=row.id)}
    seats = tx.all(BoardSeatRow, board=list(boards)) if boards else []
    seated = Counter((boards[seat.board].round, seat.entrant) for seat in seats if seat.entrant is not None)
    for (round_number, entrant), times in seated.items():
        if entrant not in entrants:
            yield "A board seats somebody who isn't in the tournament."
        elif times > 1:
            yield f"{entrants[entrant].name} would sit on two boards of round {round_number}."
    for seat in seats:
        if seat.entrant in entrants and boards[seat.board].state == "seated":
            if entrants[seat.entrant].state == "out":
                yield f"{entrants[seat.entrant].name} has withdrawn."
    playing = {entrant.person for entrant in entrants.values() if entrant.state != "out"} - {None}
    if row.coordinator in playing and unpacked_plan(row.plan).settings.coordinated:
        yield "The coordinator of the games can't play in the tournament."
    for board in boards.values():
        if bool(board.outcome) != (board.state == "over"):
            yield f"Board {board.number} of round {board.round} is over only with its result."
