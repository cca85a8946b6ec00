"""What players send in: orders as text or as pictures, sealed at once; receipts; ready and not ready.

Everything is kept: when it came, by which channel, from whom, in which version, who entered it, and what was sent
(sealed). Nothing else of what it says is kept before the seals are opened: not whether it was understood, nor a digest
of it. The last version that says anything counts, unless instructions about versions ask the coordinator (W-20e). A
submission's time is the office's; one that came by the deadline counts (on the very microsecond too) as long as the
turn is not closed.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from legation.game.sheets import Understood, interpret_sheet, take_apart
from legation.office.act import CommandContext, GameContext, command, query
from legation.office.clock import micros, moment, moment_or_none
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    KeyNotReleasedError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    TooLateError,
)
from legation.office.keys import seals
from legation.office.keys.seals import Content
from legation.office.orders.sheets import checked
from legation.office.processing.missing import still_missing
from legation.office.processing.results import untold
from legation.office.records import Checked, Document, OwnSubmission, Receipt, SubmissionRecord
from legation.office.store import DuplicateRowError, queries
from legation.office.store.rows import (
    FileRow,
    GameRow,
    PersonRow,
    ReadinessRow,
    RecordRow,
    SeatRow,
    SubmissionRow,
    TurnRow,
)
from legation.office.turn import chain
from legation.office.turn.ahead import seal_apart, seal_record, whole_text
from legation.office.turn.chosen import Chosen, chosen_sheets
from legation.office.turn.envelopes import lacks_envelope
from legation.office.turn.readiness import end_if_ready, take_back_ready, times_ready
from legation.office.turn.sending import (
    Said,
    make_records,
    own_text,
    ready_line,
    refuse_signature,
    signed_receipt,
    signs_refusals,
    write_sent,
    write_word,
)
from legation.office.turn.turns import key_of, phase_of, position_of
from legation.office.turn.views import viewpoint
from legation.position import Turn
from legation.proofs import kinds
from legation.proofs.records import opening_document, read_record, ready_statement

TAKING = ("open", "waiting")
SEALED = ("open", "waiting", "closed", "aside", "lost")
"""States of a turn in which nothing is known of what was sent for it."""
AFTER_OPENING = "coordinator after the opening"
"""Who enters what is read out of an envelope."""
PICTURES = ("image/jpeg", "image/png")  # what :mod:`legation.office.orders.pictures` makes of all that people send


# Sending


@command
def submit(
    act: CommandContext,
    game: str,
    power: str,
    text: str,
    channel: str = "web",
    received: datetime | None = None,
    nonce: str = "",
    signatures: tuple[str, ...] = (),
) -> Receipt:
    """Send a sheet in. ``received``: when it reached the office, where a counter took it in before (mail). ``nonce``:
    32 hexadecimal digits of the sender's chance (mail: the SHA-256 of its Message-ID), which count once.
    ``signatures``: by the seat's key, of the record of each turn of the season from this one on.

    :raises TooLateError: when the deadline has passed.
    :raises InvalidInputError: for a text that is too long, or a channel that the game does not take now.
    """
    scene = act.authorize_game(game, power)
    with signs_refusals(scene, nonce):
        return store_submission(act, scene, text, channel, received=received, nonce=nonce, signatures=signatures)


def store_submission(
    act: CommandContext,
    scene: GameContext,
    text: str,
    channel: str,
    *,
    pictures: Sequence[tuple[str, bytes, str]] = (),
    note: str = "",
    received: datetime | None = None,
    kind: str = "text",
    entered_by: str = "holder",
    nonce: str = "",
    signatures: Sequence[str] = (),
) -> Receipt:
    """Seal and file one submission on the seat that is meant.

    ``pictures``: name, content, media type. ``entered_by``: "holder", "bot", "assigned" (a mail that somebody else gave
    to this seat), "coordinator" (for somebody, from what was sealed before the deadline), "coordinator after the
    opening" (for somebody, from what is read after it).
    """
    seat = act.tx.get(SeatRow, scene.held.id, lock=True)
    turn = scene.turn(lock=True)
    at = micros(received) if received else act.at
    text, note = seals.at_the_door(text), seals.at_the_door(note)
    _refuse_late(scene, turn, at)
    _refuse_unfit(act, scene, turn, channel, text)
    if kind == "text" and not scene.settings.takes_text(channel):
        raise InvalidInputError(
            f"{scene.row.name} takes orders on paper only. Write them down and mail a photograph of the sheet"
            + (", or post them." if scene.settings.takes("post", phase_of(turn)) else "."),
            faults=["text: this game takes photographs only"],
        )
    version = 1 + queries.last_version(act.tx, turn, seat.id)
    if version > act.office.settings.most_versions:
        raise LimitExceededError(f"{seat.power} has sent {version - 1} versions in this turn; no more are taken.")
    mark = _mark_of(act, seat, nonce)
    content, stored = _content_of(scene, turn, seat, text, note, pictures)
    said = Said(text, note, channel, at, version, entered_by, nonce, tuple(signatures))
    records = make_records(scene, turn, seat, said, content.pictures) if chain.is_in(scene, turn) else []
    content = msgspec.structs.replace(content, records=tuple(record.to_bytes() for record in records))
    sealed, keys = seal_apart(turn, content, records)
    published = (
        records[0].commitment
        if records
        else seals.commitment(content.salt, content.power, content.turn, content.text, content.files)
    )
    reading = act.office.random_source.bytes(32)
    try:
        row = act.tx.add(
            SubmissionRow(
                turn=turn.id,
                seat=seat.id,
                person=act.actor.person,
                version=version,
                channel=channel,
                kind=kind,
                received=at,
                commitment=published,
                entered_by=entered_by,
                nonce=mark,
                sealed=seals.seal_content(turn.public_key, act.office.master_key, sealed),
                own=seals.lock_content(reading, content),
            )
        )
    except DuplicateRowError:
        raise ConflictError("Two versions came in at the same moment; send this one again.") from None
    if stored:
        act.tx.add(FileRow(submission=row.id, stored=stored))
    for record, key in zip(records, keys, strict=True):
        apart = seal_record(act.office, key, record) if key is not None else b""
        name = record.submission.turn
        act.tx.add(RecordRow(submission=row.id, turn_name=name, commitment=record.commitment, sealed=apart))
    _journal(scene, turn, seat, row)
    again = take_back_ready(scene, turn, seat)  # it was said of the version before
    line = write_sent(scene, turn, seat, version, records)
    if turn.state == "waiting" and not still_missing(scene, turn):
        act.schedule_job("close turn", f"turn {turn.id} close", act.at, scene.row, turn=turn.id)
    receipt = _receipt(scene, turn, row, content, reading, again=again)
    return msgspec.structs.replace(receipt, proof=signed_receipt(scene, turn, row, records, line))


def _mark_of(act: CommandContext, seat: SeatRow, nonce: str) -> str:
    """What is kept of a nonce, so that it counts once.

    :raises ConflictError: for one that counted already.
    """
    if not nonce:
        return ""
    mark = act.office.keyed("nonce", f"{seat.id} {nonce}".encode(errors="replace")).hex()
    if act.tx.count(SubmissionRow, seat=seat.id, nonce=mark):
        raise ConflictError("This was sent before; what you send again needs a nonce of its own.")
    return mark


def _content_of(
    scene: GameContext, turn: TurnRow, seat: SeatRow, text: str, note: str, pictures: Sequence[tuple[str, bytes, str]]
) -> tuple[Content, str]:
    """What goes into the seal, and the name of the file in which its pictures are kept, locked with a key that only the
    seal holds."""
    act, random_source, chained = scene.act, scene.act.office.random_source, chain.is_in(scene, turn)
    bundle = random_source.bytes(32) if pictures else b""
    known = tuple(seals.Picture(seals.digest(data), name[:120], media_type) for name, data, media_type in pictures)
    content = Content(
        power=seat.power,
        turn=turn.name,
        text=text if chained else seals.canonical(text),
        salt="" if chained else random_source.bytes(seals.SALT_BYTES).hex(),
        files=tuple(p.digest for p in known),
        note=note,
        sender=act.actor.name,
        pictures=known,
        bundle=bundle,
    )
    packed = msgspec.msgpack.encode([data for _, data, _ in pictures])
    return content, act.keep_file(seals.lock_padded(bundle, packed)) if pictures else ""


def _receipt(
    scene: GameContext, turn: TurnRow, row: SubmissionRow, content: Content, reading: bytes, *, again: bool
) -> Receipt:
    """What the sender is told: how it reads, and the key of the own copy, which is kept nowhere. ``again``: the seat
    was ready with the version before, and has to say so again."""
    interpreted = _interpret(scene, turn, content.power, content.text)
    own = own_text(content)
    instructions = interpreted.parts.instructions or take_apart(content.note, Turn.parse(turn.name)).instructions
    means = _interpret(scene, turn, content.power, own).anything or bool(content.files)
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
            f"Your envelope has not come. The first orders of {Turn.parse(turn.name).name} come by post; without it "
            "the coordinator decides whether this counts."
        )
    return Receipt(
        submission=scene.act.office.numbers.shown("submission", row.id),
        game=scene.row.key,
        power=content.power,
        turn=turn.name,
        version=row.version,
        channel=row.channel,
        received=moment(row.received),
        deadline=moment(turn.deadline),
        commitment=row.commitment,
        reading_key=base64.b64encode(reading).decode(),
        counts=means,
        entered_by=row.entered_by,
        checked=_checked(scene, turn, interpreted) if row.kind == "text" else None,
        notes=tuple(notes),
    )


def _interpret(scene: GameContext, turn: TurnRow, power: str, text: str) -> Understood:
    rules = scene.rules
    return interpret_sheet(rules, rules.seen(position_of(rules, turn.position), power), power, text)


def _checked(scene: GameContext, turn: TurnRow, interpreted: Understood) -> Checked:
    return checked(scene.row.key, turn.name, interpreted, moment_or_none(turn.deadline))


def _journal(scene: GameContext, turn: TurnRow, seat: SeatRow, row: SubmissionRow) -> None:
    """A line for all where all may know who sends; else one for the holder, and the bare commitment for all."""
    facts = {
        "version": row.version,
        "channel": row.channel,
        "commitment": row.commitment,
        "entered_by": row.entered_by,
    }
    if scene.settings.shows_senders == "all":
        scene.append_journal("submitted", turn=turn, seat=seat, power=seat.power, **facts)
        return
    scene.append_journal("submitted", turn=turn, seat=seat, seen_by="seat", power=seat.power, **facts)
    if chain.hides(scene):
        return
    scene.act.append_journal("committed", scene.row, turn=turn, role="clock", commitment=row.commitment)


def _refuse_late(scene: GameContext, turn: TurnRow, at: int) -> None:
    if turn.state not in TAKING:
        raise TooLateError(f"{turn.name} is closed; nothing more is taken for it.")
    if turn.state != "waiting" and at > turn.closes:
        raise TooLateError(f"{turn.name} was due at {moment(turn.deadline):%d %b %Y, %H:%M:%S} UTC.")


def _refuse_unfit(act: CommandContext, scene: GameContext, turn: TurnRow, channel: str, text: str) -> None:
    if len(text) > act.office.settings.largest_sheet:
        raise InvalidInputError(
            f"A sheet has at most {act.office.settings.largest_sheet} characters.", faults=["text: too long"]
        )
    if not scene.settings.takes(channel, phase_of(turn)):
        taken = scene.settings.channels[phase_of(turn)]
        raise InvalidInputError(
            f"In {phase_of(turn)} this game takes orders by {' or '.join(taken)}.", faults=[f"channel: not {channel!r}"]
        )


@command
def submit_pictures(
    act: CommandContext,
    game: str,
    power: str,
    pictures: list[tuple[str, bytes, str]],
    note: str = "",
    channel: str = "mail",
    received: datetime | None = None,
) -> Receipt:
    """Send photographs or scans in: (name, content, media type) of each. Counters have checked them, bounded them and
    taken out where they were made (W-20b).

    The files are sealed and filed before the row that names them is written.
    """
    scene = act.authorize_game(game, power)
    with signs_refusals(scene):
        refuse_pictures(act, scene, pictures)
        return store_submission(
            act, scene, "", channel, pictures=pictures, note=note[:20_000], received=received, kind="pictures"
        )


def refuse_pictures(act: CommandContext, scene: GameContext, pictures: Sequence[tuple[str, bytes, str]]) -> None:
    """Refuse what cannot be taken as pictures: in a game without a coordinator, too many, too large, of other kinds.

    :raises InvalidInputError: with the reason.
    """
    limits = act.office.settings
    if not scene.settings.coordinated:
        message = f"{scene.row.name} runs itself: nobody reads pictures in it. Send your orders as text."
        raise InvalidInputError(message, faults=["pictures: not in a game without a coordinator"])
    if not pictures or len(pictures) > limits.most_files:
        raise InvalidInputError(f"Send from 1 to {limits.most_files} pictures.", faults=["pictures: too many or none"])
    for name, content, media_type in pictures:
        if media_type not in PICTURES or not 0 < len(content) <= limits.largest_file:
            raise InvalidInputError(
                f"{name[:60]!r} cannot be taken.", faults=[f"pictures: {media_type}, {len(content)} bytes"]
            )


@command
def withdraw(act: CommandContext, submission: int, signature: str = "") -> SubmissionRecord:
    """Take a version back before the deadline: the one before it counts again. It stays on record, and "ready" is
    taken back, too. ``signature``: of that, by the seat's key where it has one."""
    row, scene, turn = _own(act, submission)
    _refuse_late(scene, turn, act.at)
    if row.withdrawn is None:
        row = act.tx.change(row, withdrawn=act.at)
        take_back_ready(scene, turn, scene.held)  # it was said of what is taken back
        write_word(scene, turn, "withdrawn", row.version, signature)
    return _record(row, scene, turn, scene.held, {}, sender=True)


@command
def confirm(act: CommandContext, submission: int, signature: str = "") -> SubmissionRecord:
    """Say, as the holder, that what somebody else entered for your power counts like what you send. ``signature``: of
    that, by the seat's key where it has one."""
    row, scene, turn = _own(act, submission)
    _refuse_late(scene, turn, act.at)
    if row.entered_by == "holder":
        raise ConflictError("You sent that yourself; it needs no word of yours.")
    if row.confirmed is None and row.withdrawn is None:
        row = act.tx.change(row, confirmed=act.at)
        write_word(scene, turn, "confirmed", row.version, signature)
    return _record(row, scene, turn, scene.held, {}, sender=True)


@command
def refuse(act: CommandContext, submission: int, signature: str = "") -> SubmissionRecord:
    """Refuse, as the holder, what somebody else entered for your power: until the turn is closed it is as if it had
    never come, and all read that. ``signature``: of that, by the seat's key where it has one."""
    row, scene, turn = _own(act, submission)
    _refuse_late(scene, turn, act.at)
    if row.entered_by == "holder":
        raise ConflictError("You sent that yourself; take it back instead.")
    if row.withdrawn is None:
        row = act.tx.change(row, withdrawn=act.at)
        write_word(scene, turn, "refused", row.version, signature)
    return _record(row, scene, turn, scene.held, {}, sender=True)


@command
def object_to(act: CommandContext, game: str, turn: str, power: str, reason: str) -> None:
    """Object, as the holder, to what was entered for your power after the deadline, until the results are final: it is
    on record for all, and lies on the coordinator's desk.

    :raises ConflictError: when you sent what counted yourself, or the results are final.
    """
    scene = act.authorize_game(game, power)
    row = find_turn(scene, turn)
    if not reason.strip():
        raise InvalidInputError("Say what is wrong; all players read it.", faults=["reason: empty"])
    if row.state not in ("opened", "judged", "draft"):
        raise ConflictError(
            f"{row.name} is {row.state}; it is too {'late' if row.state == 'final' else 'early'} to object."
        )
    if chosen_sheets(row)[scene.held.power].entered_by == "holder":
        raise ConflictError("You sent what counts yourself.")
    if not chain.hides(scene):
        version = chosen_sheets(row)[scene.held.power].version
        chain.write(scene, "objected", kinds.VersionLine(turn=row.name, seat=scene.held.power, version=version), row)
    scene.append_journal("objection", turn=row, seat=scene.held, power=scene.held.power, reason=reason.strip()[:500])
    act.add_task("objection", scene.row, turn=row, seat=scene.held, reason=reason.strip()[:500])


@command
def register_posted(
    act: CommandContext,
    game: str,
    power: str,
    note: str = "",
    pictures: list[tuple[str, bytes, str]] | None = None,
    shows: Literal["envelope", "sheet"] = "envelope",
) -> SubmissionRecord:
    """Register what came by post before the deadline (W-20a), with photographs of the unopened envelope or of the
    sheet. The holder is told at once, and may refuse it.

    What is read out of an envelope after the deadline is called ``coordinator after the opening`` ever after; a sheet
    that was photographed and sealed before it, ``coordinator``: then whoever took the photograph has read it.
    """
    scene = act.authorize_game(game, power)
    if pictures:
        refuse_pictures(act, scene, pictures)
    sealed = bool(pictures) and shows == "sheet"
    entered_by = "coordinator" if sealed else AFTER_OPENING
    receipt = store_submission(
        act, scene, "", "post", pictures=pictures or (), note=note[:20_000], kind="posted", entered_by=entered_by
    )
    row = act.tx.get(SubmissionRow, act.office.numbers.row("submission", receipt.submission))
    tell_holder(act, scene, row)
    return _record(row, scene, scene.turn(), scene.held, {}, sender=False)


def tell_holder(act: CommandContext, scene: GameContext, row: SubmissionRow) -> None:
    """Tell who holds a seat that something was entered for it, at all addresses that are known."""
    turn = act.tx.get(TurnRow, row.turn)
    for seat, person in scene.people():
        if seat.id == row.seat:
            act.mail(
                "envelope came" if row.kind == "posted" and row.entered_by == AFTER_OPENING else "entered for you",
                person,
                game=scene.row,
                turn=turn,
                power=seat.power,
                version=row.version,
                channel_of=row.channel,
                entered_by=row.entered_by,
                commitment=row.commitment,
            )


# Ready


@command
def ready(act: CommandContext, game: str, power: str, signature: str = "") -> bool:
    """Say that a power is ready; when all are, the turn ends at once, if the game is so set. ``signature``: of the
    turn, the last version, and how often this was said before, by the seat's key where it has one.

    The answer is whether it does.
    """
    scene = act.authorize_game(game, power)
    turn = scene.turn(lock=True)
    if turn.state != "open":
        raise TooLateError(f"{turn.name} is closed.")
    if act.tx.find(ReadinessRow, turn=turn.id, seat=scene.held.id) is None:
        version = queries.last_version(act.tx, turn, scene.held.id)
        again = times_ready(scene.tx, turn, scene.held)
        refuse_signature(
            scene, "ready", ready_statement(scene.row.ref, turn.name, scene.held.power, version, again), signature
        )
        said = ReadinessRow(turn=turn.id, seat=scene.held.id, at=act.at, version=version, signature=signature)
        act.tx.add(said)
        if chain.shows_senders(scene):
            chain.write(scene, "ready", ready_line(turn, scene.held, said, again), turn)
        seen = "all" if scene.settings.shows_senders == "all" else "seat"
        scene.append_journal("ready", turn=turn, seat=scene.held, seen_by=seen, power=scene.held.power)
    return end_if_ready(act, scene, turn)


@command
def not_ready(act: CommandContext, game: str, power: str) -> None:
    """Take it back, as long as the turn is open."""
    scene = act.authorize_game(game, power)
    turn = scene.turn(lock=True)
    if turn.state != "open":
        raise TooLateError(f"{turn.name} is closed.")
    take_back_ready(scene, turn, scene.held)


# Looking


@query
def check(act: CommandContext, game: str, power: str, text: str) -> Checked:
    """Look at a sheet without sending it: nothing is kept."""
    scene = act.authorize_game(game, power)
    turn = scene.turn()
    if len(text) > act.office.settings.largest_sheet:
        raise InvalidInputError("A sheet is not as long as that.", faults=["text: too long"])
    return _checked(scene, turn, _interpret(scene, turn, scene.held.power, text))


@query
def mine(act: CommandContext, game: str, power: str, turn: str = "now") -> list[SubmissionRecord]:
    """A power's own submissions in a turn, the first first."""
    scene = act.authorize_game(game, power)
    if scene.row.turn is None:
        return []
    row = find_turn(scene, turn)
    return _records(scene, row, [scene.held], sender=True)


@query
def commitments(act: CommandContext, game: str, turn: str = "now") -> list[SubmissionRecord]:
    """All commitments of a turn, public at once; whose they are is told to those who may know who has sent. Where
    rules hide positions, a player's own."""
    scene = act.authorize_game(game)
    if scene.row.turn is None:
        return []
    row = find_turn(scene, turn)
    hidden = viewpoint(scene) is not None  # how many were sent tells how many had something to order
    seats = [seat for power, seat in scene.seats.items() if not hidden or power in scene.own]
    return _records(scene, row, seats, sender=False)


@query
def overview(act: CommandContext, game: str) -> list[SubmissionRecord]:
    """For the coordinator: what has come in for this turn, when and by which channel; nothing of what it says."""
    scene = act.authorize_game(game)
    return _records(scene, scene.turn(), list(scene.seats.values()), sender=True)


@command
def read_own(act: CommandContext, submission: int, reading_key: str = "") -> OwnSubmission:
    """Open an own submission. The opening is on record. Until the turn is opened this needs the receipt's
    ``reading_key``, which is kept nowhere: who lost it sends again.

    :raises KeyNotReleasedError: when it cannot be opened yet.
    """
    row, scene, turn = _own(act, submission)
    content = _content(act, scene, turn, row, reading_key)
    text = content.text if reading_key else whole_text(act.tx, act.office, row.id, content.text)
    scene.append_journal(
        "opened",
        turn=turn,
        seat=scene.held,
        seen_by="seat",
        power=scene.held.power,
        version=row.version,
        why="read by its own power",
    )
    interpreted = _interpret(scene, turn, scene.held.power, text) if row.kind == "text" else None
    return OwnSubmission(
        submission=_record(row, scene, turn, scene.held, {}, sender=True),
        text=text,
        salt=content.salt,
        openings=tuple(_openings(content)),
        checked=_checked(scene, turn, interpreted) if interpreted else None,
        files=content.files,
    )


def _openings(content: Content) -> Iterable[Document]:
    """What opens each commitment, for the holder alone."""
    for data in content.records:
        yield dict(opening_document(read_record(data).open()))


@query
def own_file(act: CommandContext, submission: int, digest: str, reading_key: str = "") -> tuple[str, str, bytes]:
    """A picture of an own submission: its name, media type and content."""
    row, scene, turn = _own(act, submission)
    return picture_of(act, row, turn, _content(act, scene, turn, row, reading_key), digest)


@query
def executed_picture(act: CommandContext, game: str, turn: str, power: str, digest: str) -> tuple[str, str, bytes]:
    """A picture of the orders that counted of a power, for all who play, once results are out (W-21a): its name, media
    type and content; also photographs of the opened letter. Pictures of closed envelopes stay with the coordinator,
    for they bear addresses.

    :raises NotFoundError: if there is none, or the reader may not know what the sheet says.
    """
    scene = act.authorize_game(game, power)
    row, nothing = find_turn(scene, turn), NotFoundError("There is no such picture.")
    choice = chosen_sheets(row).get(scene.held.power) if row.state in ("draft", "final") else None
    own = () if choice is None or choice.entered_by == AFTER_OPENING else choice.files
    if choice is None or digest not in (*own, *choice.copies):
        raise nothing
    if viewpoint(scene) not in (None, scene.held.power) or untold(scene, row, choice.text):
        raise nothing
    if digest in choice.copies:
        return copy_of(act, choice, digest)
    version = act.tx.get(SubmissionRow, choice.submission)
    return picture_of(act, version, row, opened_content(act, row, version), digest)


def copy_of(act: CommandContext, choice: Chosen, digest: str) -> tuple[str, str, bytes]:
    """A photograph of an opened letter: its name, media type and content.

    :raises NotFoundError: if there is none of this digest.
    """
    file = act.tx.find(FileRow, submission=choice.submission, digest=digest) if digest in choice.copies else None
    if file is None:
        raise NotFoundError("There is no such picture.")
    return file.name, file.media_type, seals.unlock_padded(act.office.master_key, act.office.files.get(file.stored))


def picture_of(
    act: CommandContext, row: SubmissionRow, turn: TurnRow, content: Content, digest: str
) -> tuple[str, str, bytes]:
    """A picture of what was opened: its name, media type and content.

    :raises NotFoundError: if there is none of this digest.
    """
    file = act.tx.find(FileRow, submission=row.id, digest=digest if row.form == 1 else "")
    if file is not None and row.form == 1:
        key = act.office.keeper.key(key_of(_game_of(act, turn), turn))
        return file.name, file.media_type, seals.unseal(key.private, act.office.files.get(file.stored))
    place = next((n for n, p in enumerate(content.pictures) if p.digest == digest), -1)
    if file is None or place < 0:
        raise NotFoundError("There is no such picture.")
    packed = seals.unlock_padded(content.bundle, act.office.files.get(file.stored))
    picture = content.pictures[place]
    return picture.name, picture.media_type, msgspec.msgpack.decode(packed, type=list[bytes])[place]


@command
def set_key(act: CommandContext, game: str, power: str, key: str) -> None:
    """Have what comes from a seat be signed by this Ed25519 public key (64 hexadecimal digits) from now on; empty: by
    none. The holder is told at the address that is known."""
    scene = act.authorize_game(game, power)
    if key and (len(key) != 64 or set(key) - set("0123456789abcdef")):
        raise InvalidInputError("That is no public key.", faults=["key: must be 64 hexadecimal digits"])
    if key == scene.held.key:
        return
    seat = scene.seats[scene.held.power] = act.tx.change(scene.held, key=key)
    chain.write(scene, "seat key", kinds.SeatKeyLine(seat=seat.power, key=key))
    scene.append_journal("seat key", seat=seat, power=seat.power, key=key)
    for held, person in scene.people():
        if held.id == seat.id:
            act.mail("seat key", person, game=scene.row, power=seat.power, key=key)


def _game_of(act: CommandContext, turn: TurnRow) -> GameRow:
    return act.tx.get(GameRow, turn.game)


def opened_content(act: CommandContext, turn: TurnRow, row: SubmissionRow) -> Content:
    """What was sent, once the keeper gives the turn's key.

    :raises KeyNotReleasedError: before that.
    """
    key = act.office.keeper.key(key_of(_game_of(act, turn), turn))
    return seals.open_content(key.private, act.office.master_key, row.sealed, old=row.form == 1)


def _content(act: CommandContext, scene: GameContext, turn: TurnRow, row: SubmissionRow, reading_key: str) -> Content:
    if reading_key and row.own:
        try:
            key = base64.b64decode(reading_key, validate=True)
        except ValueError:
            raise KeyNotReleasedError("That is no reading key; copy it from the receipt.") from None
        plain = seals.unlock(key, row.own) if row.form == 1 else seals.unlock_padded(key, row.own)
        return msgspec.json.decode(plain, type=Content)
    try:
        return opened_content(act, turn, row)
    except KeyNotReleasedError:
        raise KeyNotReleasedError(
            "Before the deadline only the reading key of its receipt opens this. If you have lost it, send your orders "
            "again."
        ) from None


def _own(act: CommandContext, submission: int) -> tuple[SubmissionRow, GameContext, TurnRow]:
    """A submission with its game, for the holder of its seat: only who sent it, or holds the seat since before it was
    sent."""
    row = act.tx.find(SubmissionRow, id=act.office.numbers.row("submission", submission))
    if row is None:
        raise NotFoundError("There is no such submission.")
    turn = act.tx.get(TurnRow, row.turn)
    game = act.tx.get(GameRow, turn.game)
    seat = act.tx.get(SeatRow, row.seat)
    scene = act.scene(game, seat.power)
    if not row.sealed:
        raise NotFoundError("That is not kept here: it was sent in at another office, or whoever sent it was erased.")
    others = row.entered_by == "holder" and row.person not in (None, act.actor.person)
    if (seat.since or 0) > row.received or (others and (seat.since or 0) == row.received):
        raise NotAllowedError("That was sent by the one who held this seat before.")
    return row, scene, turn


def find_turn(scene: GameContext, turn: str | int) -> TurnRow:
    """A turn by number, key or name; ``now`` is the present one, ``last`` the last with results.

    :raises NotFoundError: if there is none.
    """
    text = str(turn).strip()
    if text in ("now", ""):
        return scene.turn()
    row: TurnRow | None
    if text == "last":
        done = scene.tx.all(TurnRow, game=scene.row.id, state=["draft", "final"], order="-number", limit=1)
        row = done[0] if done else None
    elif text.isdigit() and len(text) < 4:
        row = scene.tx.find(TurnRow, game=scene.row.id, number=int(text))
    else:
        turns = scene.tx.all(TurnRow, game=scene.row.id, key=text.casefold())
        turns += scene.tx.all(TurnRow, game=scene.row.id, name=text)
        row = next((turn for turn in turns if turn.state != "lost"), None)
    if row is None or row.state == "aside":
        raise NotFoundError(f"{scene.row.name} has no turn {text[:60]!r}.")
    return row


def _records(scene: GameContext, turn: TurnRow, seats: list[SeatRow], *, sender: bool) -> list[SubmissionRecord]:
    by_id = {seat.id: seat for seat in seats}
    rows = scene.tx.all(SubmissionRow, turn=turn.id, seat=list(by_id))
    ids = [r.person for r in rows if r.person is not None]
    names = {p.id: p.name for p in scene.tx.all(PersonRow, id=ids)} if sender and ids else {}
    return [_record(row, scene, turn, by_id[row.seat], names, sender=sender, among=rows) for row in rows]


def _record(
    row: SubmissionRow,
    scene: GameContext,
    turn: TurnRow,
    seat: SeatRow,
    names: dict[int, str],
    *,
    sender: bool,
    among: Sequence[SubmissionRow] = (),
) -> SubmissionRecord:
    knows = may_know_senders(scene, turn, seat)
    own = seat.power in scene.own or scene.runs_it
    standing = "counts" if row.counts else "nothing understood"
    if row.entered_by == "assigned" and row.confirmed is None:
        standing = "waits for you"
    if row.withdrawn is not None:
        standing = "withdrawn"
    elif row.counts and any(
        r.seat == row.seat and r.counts and r.withdrawn is None and r.version > row.version for r in among
    ):
        standing = "replaced"
    elif row.asks:
        standing = "asks"
    if turn.state in ("judged", "draft", "final") and row.counts and row.withdrawn is None:
        standing = "counts" if row.chosen else "replaced"
    hide_name = scene.settings.anonymous and not own
    return SubmissionRecord(
        id=scene.act.office.numbers.shown("submission", row.id) if own else 0,
        power=seat.power if knows else "",
        turn=turn.name,
        version=row.version if knows else 0,
        channel=row.channel if own else "",
        kind=row.kind if own else "",
        received=moment(row.received),
        commitment=row.commitment,
        standing=standing if own or turn.state in ("judged", "draft", "final") else "",
        files=scene.tx.count(FileRow, submission=row.id) if own else 0,
        sender=names.get(row.person or 0) if sender and not hide_name else None,
        entered_by=row.entered_by if own or turn.state not in SEALED else "",
    )


def may_know_senders(scene: GameContext, turn: TurnRow, seat: SeatRow) -> bool:
    """Whether the reader may know if a power has sent anything in this turn."""
    if seat.power in scene.own:
        return True
    if viewpoint(scene) is not None:
        return False  # who has anything to order tells where there are units
    if turn.state in ("draft", "final"):
        return True
    shown = scene.settings.shows_senders
    return shown == "all" or (shown == "coordinator" and scene.runs_it)
