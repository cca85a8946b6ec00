"""Invariants of every game and tournament after every command, whoever gave it: checked in one place, in the command's
own transaction, so that a command that would break it is undone and refused.

Nobody plays and coordinates; nobody plays and reads what others wrote; nobody holds two seats, except where one person
orders for all powers; a seat is held by a
person, by a bot, or by nobody; on a board of a tournament those play who were seated there."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from legation.office.errors import ConflictError
from legation.office.store.rows import (
    BoardRow,
    BoardSeatRow,
    EntrantRow,
    GameRow,
    HoldingRow,
    PersonRow,
    SeatRow,
    SignUpRow,
    TournamentRow,
)
from legation.office.store.transaction import Transaction
from legation.office.terms.plans import unpacked_plan, unpacked_settings

OVER = ("ended", "cancelled", "moved")  # who held a seat may be erased


def check(tx: Transaction, games: Iterable[int], tournaments: Iterable[int] = ()) -> None:
    """Check games and tournaments that a command has looked at; ConflictError with what doesn't hold undoes it."""
    found = [faults(tx, game) for n in sorted(games) if (game := tx.find(GameRow, id=n)) is not None]
    events = [event for n in sorted(tournaments) if (event := tx.find(TournamentRow, id=n)) is not None]
    for fault in chain(*found, *(tournament_faults(tx, event) for event in events)):
        raise ConflictError(fault)


def faults(tx: Transaction, game: GameRow) -> Iterator[str]:
    """Return the invariants that a game violates, a sentence each."""
    settings = unpacked_settings(game.settings)
    seats = tx.all(SeatRow, game=game.id)
    players = {seat.person for seat in seats if seat.person is not None}
    wishing = {row.person for row in tx.all(SignUpRow, game=game.id, withdrawn=None)}
    if settings.coordinated and game.coordinator in players:
        yield "The coordinator can't play in the game."
    if settings.coordinated and game.coordinator in wishing and game.state == "gathering":
        yield "The coordinator can't play in the game. Withdraw the sign-up first."
    if game.deputy is not None:
        if not settings.coordinated:
            yield "A game that runs itself has no transcriptions and no deputy."
        if game.deputy == game.coordinator:
            yield "The second reader can't be the coordinator."
        if game.deputy in players or (game.deputy in wishing and game.state == "gathering"):
            yield "The second reader can't play in the game."
    if settings.reads_letters and not settings.coordinated:
        yield "Only a coordinator can read letters, and this game runs itself."
    if settings.one_orders_all and len(players) > 1:
        yield "One person orders for all powers in this game."
    twice = [person for person, held in Counter(seat.person for seat in seats).items() if person and held > 1]
    if twice and not settings.one_orders_all:
        yield f"{tx.get(PersonRow, twice[0]).name} plays in this game already."
    lasting: dict[int, list[tuple[int | None, str]]] = {}
    for row in tx.all(HoldingRow, seat=[seat.id for seat in seats], until=None):
        lasting.setdefault(row.seat, []).append((row.person, row.bot))
    for seat in seats if game.state not in OVER else ():
        yield from _seat_faults(seat, lasting.get(seat.id, []))
    if game.state not in OVER and not _as_seated(tx, game, seats):
        yield "This game is a tournament’s board, whose organizer says who plays on for somebody."


def _as_seated(tx: Transaction, game: GameRow, seats: Iterable[SeatRow]) -> bool:
    board = tx.find(BoardRow, game=game.id)
    if board is None:
        return True
    entrants = {seat.power: seat.entrant for seat in tx.all(BoardSeatRow, board=board.id)}
    numbers = [entrant for entrant in entrants.values() if entrant is not None]
    people = {entrant.id: entrant.person for entrant in tx.all(EntrantRow, id=numbers)}
    return all(seat.person in (None, people.get(entrants.get(seat.power) or 0)) for seat in seats)


def _seat_faults(seat: SeatRow, listed: list[tuple[int | None, str]]) -> Iterator[str]:
    """What does not hold of a seat: its state and the list of holders say the same."""
    held = (seat.state == "held", seat.state == "bot")
    if held != (seat.person is not None, bool(seat.bot)):
        yield f"The seat of {seat.power} is {seat.state}, and not as its holder says."
    if listed != ([(seat.person, seat.bot)] if any(held) else []):
        yield f"The list of holders of {seat.power} does not end with who holds it."


def tournament_faults(tx: Transaction, row: TournamentRow) -> Iterator[str]:
    """Return the invariants that a tournament violates, a sentence each."""
    boards = {board.id: board for board in tx.all(BoardRow, tournament=row.id)}
    entrants = {entrant.id: entrant for entrant in tx.all(EntrantRow, tournament=row.id)}
    seats = tx.all(BoardSeatRow, board=list(boards))
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
