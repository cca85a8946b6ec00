"""Invariants of every game after every command, whoever gave it and by whichever door: checked in one place, in the
command's own transaction, so that a command that would break it is undone and refused.

Nobody plays and coordinates; nobody plays and reads what others wrote; nobody holds two seats, except where one person
orders for all powers; a seat is held by a
person, by a bot, or by nobody; on a board of a tournament those play who were seated there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

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
)
from legation.office.store.transaction import Transaction
from legation.office.terms.plans import GameSettings, unpacked_settings

OVER = ("ended", "cancelled", "moved")  # who held a seat may be erased


def check(tx: Transaction, games: Iterable[int]) -> None:
    """Check games that a command has looked at.

    :raises ConflictError: with what does not go together; the command is undone.
    """
    for number in sorted(games):
        game = tx.find(GameRow, id=number)
        if game is not None:
            for fault in faults(tx, game):
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
        yield from _deputy_faults(game, settings, players | (wishing if game.state == "gathering" else set()))
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
    """Return whether people play a tournament's board as it was seated; in any other game they may."""
    board = tx.find(BoardRow, game=game.id)
    if board is None:
        return True
    entrants = {seat.power: seat.entrant for seat in tx.all(BoardSeatRow, board=board.id)}
    numbers = [entrant for entrant in entrants.values() if entrant is not None]
    people = {entrant.id: entrant.person for entrant in tx.all(EntrantRow, id=numbers)} if numbers else {}
    return all(seat.person in (None, people.get(entrants.get(seat.power) or 0)) for seat in seats)


def _deputy_faults(game: GameRow, settings: GameSettings, players: set[int]) -> Iterator[str]:
    if not settings.coordinated:
        yield "A game that runs itself has no transcriptions and no deputy."
    if game.deputy == game.coordinator:
        yield "The second reader can't be the coordinator."
    if game.deputy in players:
        yield "The second reader can't play in the game."


def _seat_faults(seat: SeatRow, listed: list[tuple[int | None, str]]) -> Iterator[str]:
    """What does not hold of a seat: its state says who holds it, and so does the list of holders, as far as it ends
    with somebody (``listed``)."""
    held = (seat.state == "held", seat.state == "bot")
    if held != (seat.person is not None, bool(seat.bot)):
        yield f"The seat of {seat.power} is {seat.state}, and not as its holder says."
    if listed != ([(seat.person, seat.bot)] if any(held) else []):
        yield f"The list of holders of {seat.power} does not end with who holds it."
