"""Take one submission in: refuse it, or seal and file it, and write its receipt.

Nothing that is stored beside the seal depends on what was sent: not whether it was understood, nor a digest of it."""

import base64
from collections.abc import Sequence

import msgspec

from legation.game.sheets import take_apart
from legation.notation import capital
from legation.office.clock import micros, moment, moment_in_words
from legation.office.context import CommandContext, GameContext
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError, TooLateError
from legation.office.game import submission_records
from legation.office.game.orders_ahead import seal_apart, seal_record
from legation.office.game.readiness import lacks_envelope, still_missing, take_back_ready
from legation.office.game.turns import phase_of, schedule_closing
from legation.office.keys import seals
from legation.office.keys.seals import SealContent
from legation.office.orders.contents import checked, read_sheet, refuse_long
from legation.office.records import Receipt, record_of
from legation.office.store import queries
from legation.office.store.rows import FileRow, RecordRow, SeatRow, SubmissionRow, TurnRow
from legation.position import Turn
from legation.proofs.records import Record

TAKING = ("open", "waiting")
WAYS = {"web": "on the page", "api": "by program", "mail": "by e-mail", "post": "by post"}
"""How orders are sent, by channel."""
UNSIGNED = (
    "Your key in this game didn't sign this, so only the office says that you sent it. If you didn't, withdraw it and "
    "send your orders again."
)
LONGEST_NAME = 255  # characters of a picture's name, as many as file systems take
PICTURES = ("image/jpeg", "image/png")  # what :mod:`legation.office.orders.pictures` makes of all that people send


def store_submission(scene: GameContext, sent: submission_records.NewSubmission) -> Receipt:
    """Seal and file one submission on the seat that is meant."""
    act = scene.act
    seat = scene.tx.get(SeatRow, scene.held.id, lock=True)
    turn = scene.turn(lock=True)
    text, note = _as_kept(act, sent.text, sent.signatures), _as_kept(act, sent.note)
    refuse_late(scene, turn, micros(sent.received))
    _refuse_invalid(scene, turn, sent)
    version = _next_version(scene, turn, seat)
    sent = msgspec.structs.replace(sent, text=text, note=note, version=version)
    mark = _mark_of(act, seat, sent.nonce)
    content, stored = _content_of(scene, turn, seat, sent)
    records = submission_records.make_records(scene, turn, seat, sent, content.pictures)
    content = msgspec.structs.replace(content, records=tuple(record.to_bytes() for record in records))
    reading = act.office.random_source.bytes(32)
    row = _file(act, turn, seat, msgspec.structs.replace(sent, nonce=mark), content, records, reading)
    if stored:
        scene.tx.add(FileRow(submission=row.id, stored=stored))
    unsigned = bool(seat.key) and not sent.signatures and sent.entered_by == "holder"
    told = {"version": version, "channel": row.channel, "commitment": row.commitment, "entered_by": row.entered_by}
    seen = "all" if scene.settings.shows_senders == "all" else "seat"
    told |= {"unsigned": True} if unsigned else {}
    scene.append_journal("submitted", turn=turn, seat=seat, seen_by=seen, **told)
    again = take_back_ready(scene, turn, seat)  # it was said of the version before
    if unsigned and sent.channel != "mail":  # its receipt goes to the holder, and says so
        submission_records.tell_unsigned(scene, turn, f"version {version} came by {sent.channel}")
    line = submission_records.write_sent(scene, turn, seat, version, records)
    if turn.state == "waiting" and not still_missing(scene, turn):
        schedule_closing(scene, turn, act.at)
    receipt = _receipt(scene, turn, row, content, reading, again=again)
    if unsigned:
        receipt = msgspec.structs.replace(receipt, notes=(*receipt.notes, UNSIGNED))
    return msgspec.structs.replace(receipt, proof=submission_records.signed_receipt(scene, turn, row, records, line))


def _as_kept(act: CommandContext, text: str, signatures: Sequence[str] = ()) -> str:
    """A text without pasted secret reply addresses; InvalidInputError for one that was signed with them."""
    text = seals.at_the_door(text)
    kept = act.office.without_reply_addresses(text)
    if signatures and kept != text:
        message = "Your orders have the secret reply address of a seat in them. Take it out and send them again."
        raise InvalidInputError(message, faults=["text: has a reply address"])
    return kept


def _next_version(scene: GameContext, turn: TurnRow, seat: SeatRow) -> int:
    """The number of a seat's next version; LimitExceededError when it has sent all that a turn takes."""
    version, power = 1 + queries.last_version(scene.tx, turn, seat.id), scene.named(seat.power)
    if version > scene.office.settings.most_versions:
        raise LimitExceededError(
            capital(f"{power} {power:has|have} sent {version - 1} versions this turn, the most allowed.")
        )
    return version


def _file(
    act: CommandContext,
    turn: TurnRow,
    seat: SeatRow,
    sent: submission_records.NewSubmission,
    content: SealContent,
    records: Sequence[Record],
    reading: bytes,
) -> SubmissionRow:
    sealed, keys = seal_apart(turn, content, records)
    row = record_of(
        SubmissionRow,
        sent,
        turn=turn.id,
        seat=seat.id,
        person=act.actor.person,
        commitment=records[0].commitment,
        sealed=seals.seal_content(turn.public_key, act.office.master_key, sealed),
        own=seals.lock_content(reading, content),
    )
    row = act.add_only(row, "Two versions arrived at the same moment. Send this one again.")
    act.tx.enter(
        *[
            RecordRow(
                submission=row.id,
                turn_name=record.submission.turn,
                commitment=record.commitment,
                sealed=seal_record(act.office, key, record) if key is not None else b"",
            )
            for record, key in zip(records, keys, strict=True)
        ]
    )
    return row


def _mark_of(act: CommandContext, seat: SeatRow, nonce: str) -> str:
    """What is kept of a nonce, so that it counts once. Raises ConflictError for one that counted already."""
    if not nonce:
        return ""
    mark = act.office.keyed("nonce", f"{seat.id} {nonce}".encode(errors="replace")).hex()
    if act.tx.count(SubmissionRow, seat=seat.id, nonce=mark):
        raise ConflictError("This was already sent; a new version needs a new nonce.")
    return mark


def _content_of(
    scene: GameContext, turn: TurnRow, seat: SeatRow, sent: submission_records.NewSubmission
) -> tuple[SealContent, str]:
    """What goes into the seal, and the name of the file of its pictures, locked with a key that only the seal holds."""
    bundle = scene.office.random_source.bytes(32) if sent.pictures else b""
    known = tuple(seals.SealedPicture(seals.digest(data), name, media_type) for name, data, media_type in sent.pictures)
    content = SealContent(
        power=seat.power,
        turn=turn.name,
        text=sent.text,
        files=tuple(p.digest for p in known),
        note=sent.note,
        sender=scene.actor.name,
        pictures=known,
        bundle=bundle,
    )
    packed = msgspec.msgpack.encode([data for _, data, _ in sent.pictures])
    return content, scene.act.keep_file(seals.lock_padded(bundle, packed)) if sent.pictures else ""


def _receipt(
    scene: GameContext, turn: TurnRow, row: SubmissionRow, content: SealContent, reading: bytes, *, again: bool
) -> Receipt:
    """Make the receipt; ``again``: the seat was ready with the version before, and has to say so again."""
    understood = read_sheet(scene, turn, content.power, content.text)
    own = submission_records.own_text(content)
    instructions = understood.parts.instructions or take_apart(content.note, Turn.parse(turn.name)).instructions
    means = read_sheet(scene, turn, content.power, own).anything or bool(content.files)
    notes = []
    if instructions and scene.settings.coordinated:
        notes.append("Your version instructions go to the coordinator after the deadline.")
    elif instructions:
        notes.append("This game runs itself: nobody reads version instructions, and your last version counts.")
    if not means:
        notes.append(
            "Nothing of this was understood, so your earlier version still counts."
            if row.version > 1
            else "Nothing of this was understood."
        )
    if again:
        notes.append(f"You were ready with version {row.version - 1}. Say so again if you are.")
    if means and row.kind != "posted" and lacks_envelope(scene, turn, row.seat):
        notes.append(
            f"Your envelope hasn't arrived. The first orders of {Turn.parse(turn.name).name} come by post; without it "
            "the coordinator decides whether this counts."
        )
    return record_of(
        Receipt,
        row,
        submission=scene.office.numbers.shown("submission", row.id),
        game=scene.row.key,
        power=content.power,
        turn=turn.name,
        deadline=moment(turn.deadline),
        reading_key=base64.b64encode(reading).decode(),
        counts=means,
        checked=checked(scene, turn, understood) if row.kind == "text" else None,
        notes=tuple(notes),
    )


def refuse_late(scene: GameContext, turn: TurnRow, at: int) -> None:
    """Refuse what comes after the deadline, or when the turn is closed. Raises TooLateError, which says so."""
    if turn.state not in TAKING:
        raise TooLateError(f"{turn.name} is closed and takes no more orders.")
    if turn.state != "waiting" and at > turn.closes:
        raise TooLateError(f"{turn.name} was due {moment_in_words(moment(turn.deadline))}.")


def _refuse_invalid(scene: GameContext, turn: TurnRow, sent: submission_records.NewSubmission) -> None:
    refuse_long(scene.act, sent.text, sent.note)
    if not scene.settings.takes(sent.channel, phase_of(turn)):
        taken = ", ".join(WAYS[channel] for channel in scene.settings.channels[phase_of(turn)])
        raise InvalidInputError(
            f"In this phase the game takes orders {taken}.", faults=[f"channel: not {sent.channel!r}"]
        )
    if sent.kind == "text" and not scene.settings.takes_text(sent.channel):
        raise InvalidInputError(
            f"{scene.row.name} takes orders on paper only. Write them down and mail a photograph of the sheet"
            + (", or post them." if scene.settings.takes("post", phase_of(turn)) else "."),
            faults=["text: this game takes photographs only"],
        )


def refuse_pictures(scene: GameContext, pictures: Sequence[tuple[str, bytes, str]]) -> None:
    """Refuse too many or large pictures, other kinds, or any where nobody coordinates (InvalidInputError)."""
    limits = scene.office.settings
    if not scene.settings.coordinated:
        message = f"{scene.row.name} runs itself, so nobody reads pictures. Send your orders as text."
        raise InvalidInputError(message, faults=["pictures: not in a game without a coordinator"])
    if not pictures or len(pictures) > limits.most_files:
        raise InvalidInputError(f"Send from 1 to {limits.most_files} pictures.", faults=["pictures: too many or none"])
    for name, content, media_type in pictures:
        if len(name) > LONGEST_NAME:
            raise InvalidInputError(f"The name of {name[:60]!r} is too long.", faults=["pictures: a name is too long"])
        if media_type not in PICTURES or not 0 < len(content) <= limits.largest_file:
            raise InvalidInputError(
                f"{name[:60]!r} can't be accepted.", faults=[f"pictures: {media_type}, {len(content)} bytes"]
            )
