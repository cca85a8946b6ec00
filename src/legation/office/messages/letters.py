"""Letters between players, as far as the game allows: public, private, anonymous. Nobody poses as another (W-27): the
sender is the seat's holder, and the office says so.

They are locked with the office's own key, and read by sender and addressees; by the coordinator only where the game
says so from its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence

from legation.office.act import CommandContext, GameContext, command, query
from legation.office.clock import moment
from legation.office.errors import InvalidInputError, KeyNotReleasedError, NotAllowedError, NotFoundError
from legation.office.keys import seals
from legation.office.records import LetterRecord
from legation.office.store import queries
from legation.office.store.rows import LetterCopyRow, LetterRow, SeatRow, TurnRow

LONGEST = 20_000  # characters
ALL = ("all",)


@command
def write(
    act: CommandContext, game: str, power: str, to: Sequence[str], text: str, anonymous: bool = False
) -> LetterRecord:
    """Send a letter from a power to others, or to ``["all"]``.

    :raises NotAllowedError: where the game's press rules forbid this kind.
    :raises InvalidInputError: for an empty or endless letter, or nobody to send it to.
    """
    scene = act.authorize_game(game, power)
    if not text.strip() or len(text) > LONGEST or "\x00" in text:
        raise InvalidInputError(f"A letter has 1 to {LONGEST} characters.", faults=["text: empty or too long"])
    public = [name.casefold() for name in to] == list(ALL)
    for kind, asked in (("public", public), ("private", not public), ("anonymous", anonymous)):
        if asked and kind not in scene.settings.press:
            raise NotAllowedError(f"This game allows no {kind} letters.")
    sender = scene.held
    recipients = (
        list(scene.seats.values())
        if public
        else [scene.seats[p] for p in dict.fromkeys(scene.power(name) for name in to)]
    )
    recipients = [seat for seat in recipients if seat.id != sender.id]
    if not recipients:
        raise InvalidInputError("Name somebody to write to.", faults=["to: nobody"])
    locked = seals.lock(act.office.master_key, text.encode())
    turn = scene.turn()
    row = act.tx.add(
        LetterRow(
            game=scene.row.id,
            turn=turn.id,
            sender=sender.id,
            at=act.at,
            anonymous=anonymous,
            public=public,
            locked=locked,
        )
    )
    people = {seat.id: person for seat, person in scene.people()}
    for seat in recipients:
        act.tx.add(LetterCopyRow(letter=row.id, seat=seat.id))
        if seat.id in people:
            act.mail("letter", people[seat.id], game=scene.row, turn=turn, power=seat.power, letter=row.id)
    scene.append_journal("letter", turn=turn, seat=sender, seen_by="seat")
    return _letter(scene, row, [s.id for s in recipients], mine=True)


@query
def letters(act: CommandContext, game: str, power: str = "", after: int = 0, limit: int = 100) -> list[LetterRecord]:
    """The letters that the reader may read, the first first: public ones, and those from and to the own power;
    ``after``: those that came after the one of this number."""
    scene = act.authorize_game(game)
    own = tuple(scene.seats[p].id for p in scene.own if not power or p == scene.power(power))
    everything = scene.runs_it and scene.settings.reads_letters
    rows = queries.letters_for(
        act.tx, scene.row.id, own, everything, act.office.numbers.row("letter", after), max(1, min(limit, 500))
    )
    copies: dict[int, list[LetterCopyRow]] = {}
    for copy in act.tx.all(LetterCopyRow, letter=[r.id for r in rows]) if rows else []:
        copies.setdefault(copy.letter, []).append(copy)
    records = []
    for row in rows:
        mine = row.sender in own
        held = [c for c in copies.get(row.id, ()) if c.seat in own]
        read = mine or any(c.read is not None for c in held) or not held
        records.append(_letter(scene, row, [c.seat for c in copies.get(row.id, ())], mine=mine, read=read))
    return records


@command
def mark_read(act: CommandContext, game: str, power: str, numbers: list[int]) -> None:
    """Note that letters to a power were read, by their numbers; those of others are passed over."""
    scene = act.authorize_game(game, power)
    wanted = {act.office.numbers.row("letter", number) for number in numbers}
    for copy in act.tx.all(LetterCopyRow, seat=scene.held.id, read=None):
        if copy.letter in wanted:
            act.tx.change(copy, read=act.at)


@query
def letter(act: CommandContext, game: str, number: int) -> LetterRecord:
    """One letter, for who may read it."""
    scene = act.authorize_game(game)
    own = tuple(scene.seats[p].id for p in scene.own)
    everything = scene.runs_it and scene.settings.reads_letters
    wanted = act.office.numbers.row("letter", number)
    rows = queries.letters_for(act.tx, scene.row.id, own, everything, max(wanted, 1) - 1, 1)
    if not rows or rows[0].id != wanted:
        raise NotFoundError("There is no such letter.")
    seats = [c.seat for c in act.tx.all(LetterCopyRow, letter=wanted)]
    return _letter(scene, rows[0], seats, mine=rows[0].sender in own)


def _letter(scene: GameContext, row: LetterRow, seats: list[int], *, mine: bool, read: bool = True) -> LetterRecord:
    powers: dict[int, SeatRow] = {seat.id: seat for seat in scene.seats.values()}
    turn = scene.tx.get(TurnRow, row.turn).name if row.turn is not None else ""
    return LetterRecord(
        id=scene.act.office.numbers.shown("letter", row.id),
        at=moment(row.at),
        turn=turn,
        sender=powers[row.sender].power if mine or not row.anonymous else "",
        recipients=ALL if row.public else tuple(powers[s].power for s in seats if s in powers),
        text=_text(scene, row),
        mine=mine,
        read=read,
    )


def _text(scene: GameContext, row: LetterRow) -> str:
    """What a letter says; that it cannot be read any more, where it is damaged or its key is gone."""
    try:
        return seals.unlock(scene.act.office.master_key, row.locked).decode()
    except (KeyNotReleasedError, UnicodeDecodeError):
        return "(This letter cannot be read any more.)"
