"""Contents of submissions, for those who may open them: its holder with the receipt's key, or all once the turn is
open."""

from __future__ import annotations

import base64

import msgspec

from legation.formats import decode_json
from legation.office.context import CommandContext, GameContext
from legation.office.errors import KeyNotReleasedError, NotAllowedError, NotFoundError
from legation.office.game.chosen_sheets import Chosen
from legation.office.keys import seals
from legation.office.keys.seals import SealContent
from legation.office.store.rows import FileRow, GameRow, SeatRow, SubmissionRow, TurnRow

NOTHING = "There is no such submission."


def own_submission(act: CommandContext, submission: int) -> tuple[SubmissionRow, GameContext, TurnRow]:
    """A submission with its game, for who sent it, or holds the seat since before it was sent."""
    row = act.tx.find(SubmissionRow, id=act.office.numbers.row("submission", submission))
    if row is None:
        raise NotFoundError(NOTHING)
    turn = act.tx.get(TurnRow, row.turn)
    game = act.tx.get(GameRow, turn.game)
    seat = act.tx.get(SeatRow, row.seat)
    scene = act.scene(game, seat.power, NOTHING)
    if not row.sealed:
        raise NotFoundError("This isn't stored here: it was sent to another office, or its sender's data was erased.")
    others = row.entered_by == "holder" and row.person not in (None, act.actor.person)
    if (seat.since or 0) > row.received or (others and (seat.since or 0) == row.received):
        raise NotAllowedError("The previous player of this seat sent it.")
    return row, scene, turn


def content_of(
    act: CommandContext, scene: GameContext, turn: TurnRow, row: SubmissionRow, reading_key: str
) -> SealContent:
    """Return what was sent, for its holder: with the key of its receipt at any time, without it once the turn is open.
    Raises KeyNotReleasedError when it cannot be opened yet."""
    if reading_key and row.own:
        try:
            key = base64.b64decode(reading_key, validate=True)
        except ValueError:
            raise KeyNotReleasedError("This isn't a reading key. Copy it from your receipt.") from None
        return decode_json(seals.unlock_padded(key, row.own), type=SealContent)
    try:
        return opened_content(act, turn, row)
    except KeyNotReleasedError:
        raise KeyNotReleasedError(
            "Before the deadline only the reading key of its receipt opens this. If you have lost it, send your orders "
            "again."
        ) from None


def opened_content(act: CommandContext, turn: TurnRow, row: SubmissionRow) -> SealContent:
    """Return what was sent, once the keeper gives the turn's key. Raises KeyNotReleasedError before that."""
    key = act.office.keeper.key(turn.sealed_by)
    return seals.open_content(key.private, act.office.master_key, row.sealed)


def picture_of(act: CommandContext, row: SubmissionRow, content: SealContent, digest: str) -> tuple[str, str, bytes]:
    """A picture of what was opened: its name, media type and content. Raises NotFoundError if there is none of this
    digest."""
    file = act.tx.find(FileRow, submission=row.id, digest="")
    place = next((n for n, p in enumerate(content.pictures) if p.digest == digest), -1)
    if file is None or place < 0:
        raise NotFoundError("There is no such picture.")
    packed = seals.unlock_padded(content.bundle, act.office.files.get(file.stored))
    picture = content.pictures[place]
    return picture.name, picture.media_type, msgspec.msgpack.decode(packed, type=list[bytes])[place]


def copies_of(act: CommandContext, letter: SubmissionRow) -> tuple[str, ...]:
    """Return the digests of the photographs of an opened letter."""
    files = act.tx.all(FileRow, submission=letter.id, order="id") if letter.kind == "posted" else []
    return tuple(file.digest for file in files if file.digest)


def copy_of(act: CommandContext, choice: Chosen, digest: str) -> tuple[str, str, bytes]:
    """A photograph of the opened letter that counts: its name, media type and content. Raises NotFoundError if there is
    none of this digest."""
    if digest not in choice.copies:
        raise NotFoundError("There is no such picture.")
    return letter_copy(act, choice.submission, digest)


def letter_copy(act: CommandContext, letter: int, digest: str) -> tuple[str, str, bytes]:
    """A photograph of an opened letter: its name, media type and content. Raises NotFoundError if there is none of this
    digest."""
    file = act.tx.find(FileRow, submission=letter, digest=digest) if digest else None
    if file is None:
        raise NotFoundError("There is no such picture.")
    return file.name, file.media_type, seals.unlock_padded(act.office.master_key, act.office.files.get(file.stored))
