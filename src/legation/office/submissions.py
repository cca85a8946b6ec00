"""What players send in: orders as text or as pictures, sealed at once; receipts; drafts; ready and not ready.

Everything is kept: when it came, by which channel, from whom, in which version, and what was sent (sealed). The last
version that says anything counts, unless instructions about versions ask the coordinator (W-20e). A submission's time
is the office's; one that came by the deadline counts (on the very microsecond too) as long as the seals are not open.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import datetime

import msgspec

from legation.office import seals
from legation.office.act import Act, Scene, command, query
from legation.office.clock import micros, moment, moment_or_none
from legation.office.closing import still_missing
from legation.office.errors import Conflict, NotAllowed, NotFound, Sealed, TooLate, TooMuch, Unfit
from legation.office.records import Checked, OwnSubmission, Receipt, SubmissionRecord
from legation.office.seals import Content
from legation.office.sheets import Understood, checked, interpret_sheet, take_apart
from legation.office.store import Twice
from legation.office.store.rows import (
    DraftRow,
    FileRow,
    GameRow,
    PersonRow,
    ReadinessRow,
    SeatRow,
    SubmissionRow,
    TurnRow,
)
from legation.office.turns import awaited_seats, key_name, phase_of, position_of
from legation.office.views import eyes
from legation.position import Turn

UNOPENED = ("open", "waiting", "closed")
PICTURES = ("image/jpeg", "image/png")  # what :mod:`.pictures` makes of all that people send


# Sending


@command
def submit(
    act: Act, game: str, power: str, text: str, channel: str = "web", received: datetime | None = None
) -> Receipt:
    """Send a sheet in. ``received``: when it reached the office, where a counter took it in before (mail).

    :raises TooLate: when the deadline has passed.
    :raises Unfit: for a text that is too long, or a channel that the game does not take now.
    """
    scene = act.game(game, power)
    return put(act, scene, text, channel, received=received)


def put(
    act: Act, scene: Scene, text: str, channel: str, *, files: Sequence[tuple[str, str, str, str, int]] = (),
    note: str = "", received: datetime | None = None, kind: str = "text",
) -> Receipt:  # fmt: skip
    """Seal and file one submission on the seat that is meant.

    ``files``: digest, stored name, name, media type, size of each picture.
    """
    office = act.office
    seat = act.tx.get(SeatRow, scene.held.id, lock=True)
    turn = scene.turn(lock=True)
    at = micros(received) if received else act.at
    _refuse_late(scene, turn, at)
    _refuse_unfit(act, scene, turn, channel, text)
    interpreted = _interpret(scene, turn, seat.power, text)
    version = 1 + max((s.version for s in act.tx.all(SubmissionRow, turn=turn.id, seat=seat.id)), default=0)
    if version > office.settings.most_versions:
        raise TooMuch(f"{seat.power} has sent {version - 1} versions in this turn; no more are taken.")
    salt = office.chance.bytes(seals.SALT_BYTES).hex()
    content = Content(
        power=seat.power, turn=turn.name, text=seals.canonical(text), salt=salt, files=tuple(f[0] for f in files),
        note=note, sender=act.actor.name
    )  # fmt: skip
    published = seals.commitment(salt, content.power, content.turn, content.text, content.files)
    plain = msgspec.json.encode(content)
    reading = office.chance.bytes(32)
    means = interpreted.anything or bool(files)
    instructions = interpreted.parts.instructions or take_apart(note, Turn.parse(turn.name)).instructions
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
                sealed=seals.seal(turn.public_key, plain),
                own=seals.lock(reading, plain) if office.keeper.remote else b"",
                understood=means,
                asks=bool(instructions),
                counts=means,
            )
        )
    except Twice:
        raise Conflict("Two versions came in at the same moment; send this one again.") from None
    for digest, stored, name, media_type, size in files:
        act.tx.add(
            FileRow(submission=row.id, digest=digest, stored=stored, name=name, media_type=media_type, size=size)
        )
    act.tx.remove(DraftRow, turn=turn.id, seat=seat.id)
    _journal(scene, turn, seat, row)
    if turn.state == "waiting":
        if not still_missing(scene, turn):
            act.due("close turn", f"turn {turn.id} close", act.at, scene.row, turn=turn.id)
    notes = []
    if instructions and scene.settings.coordinated:
        notes.append("Your version instructions go to the coordinator after the deadline.")
    elif instructions:
        notes.append("This game runs itself: nobody reads version instructions, and your last version counts.")
    if not means:
        notes.append(
            "Nothing of this was understood, so your earlier version still counts."
            if version > 1
            else "Nothing of this was understood."
        )
    return Receipt(
        submission=row.id, game=scene.row.key, power=seat.power, turn=turn.name, version=version, channel=channel,
        received=moment(at), deadline=moment(turn.deadline), commitment=published,
        reading_key=base64.b64encode(reading).decode() if office.keeper.remote else "", counts=means,
        checked=_checked(scene, turn, interpreted) if kind == "text" else None, notes=tuple(notes),
    )  # fmt: skip


def _interpret(scene: Scene, turn: TurnRow, power: str, text: str) -> Understood:
    rules = scene.rules
    return interpret_sheet(rules, rules.seen(position_of(rules, turn.position), power), power, text)


def _checked(scene: Scene, turn: TurnRow, interpreted: Understood) -> Checked:
    return checked(scene.row.key, turn.name, interpreted, moment_or_none(turn.deadline))


def _journal(scene: Scene, turn: TurnRow, seat: SeatRow, row: SubmissionRow) -> None:
    """A line for all where all may know who sends; else one for the holder, and the bare commitment for all."""
    facts = {"version": row.version, "channel": row.channel, "commitment": row.commitment, "submission": row.id}
    if scene.settings.shows_senders == "all":
        scene.note("submitted", turn=turn, seat=seat, power=seat.power, **facts)
        return
    scene.note("submitted", turn=turn, seat=seat, seen_by="seat", power=seat.power, **facts)
    scene.act.note("committed", scene.row, turn=turn, role="clock", commitment=row.commitment)


def _refuse_late(scene: Scene, turn: TurnRow, at: int) -> None:
    if turn.state not in UNOPENED:
        raise TooLate(f"The orders of {turn.name} are being judged; nothing more is taken for it.")
    due = turn.deadline + scene.settings.grace * 60_000_000
    if turn.state != "waiting" and at > due:
        raise TooLate(f"{turn.name} was due at {moment(turn.deadline):%d %b %Y, %H:%M:%S} UTC.")


def _refuse_unfit(act: Act, scene: Scene, turn: TurnRow, channel: str, text: str) -> None:
    if len(text) > act.office.settings.largest_sheet:
        raise Unfit(f"A sheet has at most {act.office.settings.largest_sheet} characters.", faults=["text: too long"])
    if "\x00" in text:
        raise Unfit("A sheet is a text without null characters.", faults=["text: has null characters"])
    if not scene.settings.takes(channel, phase_of(turn)):
        taken = scene.settings.channels[phase_of(turn)]
        raise Unfit(
            f"In {phase_of(turn)} this game takes orders by {' or '.join(taken)}.", faults=[f"channel: not {channel!r}"]
        )


@command
def submit_pictures(
    act: Act, game: str, power: str, pictures: list[tuple[str, bytes, str]], note: str = "", channel: str = "mail",
    received: datetime | None = None
) -> Receipt:  # fmt: skip
    """Send photographs or scans in: (name, content, media type) of each. Counters have checked them, bounded them and
    taken out where they were made (W-20b).

    The files are sealed and filed before the row that names them is written.
    """
    scene = act.game(game, power)
    turn = scene.turn()
    limits = act.office.settings
    if not scene.settings.coordinated:
        message = f"{scene.row.name} runs itself: nobody reads pictures in it. Send your orders as text."
        raise Unfit(message, faults=["pictures: not in a game without a coordinator"])
    if not pictures or len(pictures) > limits.most_files:
        raise Unfit(f"Send from 1 to {limits.most_files} pictures.", faults=["pictures: too many or none"])
    filed = []
    for name, content, media_type in pictures:
        if media_type not in PICTURES or not 0 < len(content) <= limits.largest_file:
            raise Unfit(f"{name[:60]!r} cannot be taken.", faults=[f"pictures: {media_type}, {len(content)} bytes"])
        stored = act.office.files.put(seals.seal(turn.public_key, content))
        filed.append((seals.digest(content), stored, name[:120], media_type, len(content)))
    return put(act, scene, "", channel, files=filed, note=note[:20_000], received=received, kind="pictures")


@command
def withdraw(act: Act, submission: int) -> SubmissionRecord:
    """Take a version back before the deadline: the one before it counts again. It stays on record."""
    row, scene, turn = _own(act, submission)
    _refuse_late(scene, turn, act.at)
    if row.withdrawn is None:
        row = act.tx.change(row, withdrawn=act.at)
        scene.note("withdrawn", turn=turn, seat=scene.held, seen_by="seat", power=scene.held.power, version=row.version)
    return _record(row, scene, turn, scene.held, {}, sender=True)


@command
def register_posted(act: Act, game: str, power: str, note: str = "") -> SubmissionRecord:
    """Register an envelope that came by post, unopened: its time counts, its sheet is entered after the deadline
    (W-20a)."""
    scene = act.game(game, power)
    receipt = put(act, scene, "", "post", note=note, kind="posted")
    row = act.tx.get(SubmissionRow, receipt.submission)
    row = act.tx.change(row, understood=True, counts=True)
    return _record(row, scene, scene.turn(), scene.held, {}, sender=False)


# Ready


@command
def ready(act: Act, game: str, power: str) -> bool:
    """Say that a power is ready; when all are, the turn ends at once, if the game is so set.

    The answer is whether it does.
    """
    scene = act.game(game, power)
    turn = scene.turn(lock=True)
    if turn.state != "open":
        raise TooLate(f"{turn.name} is closed.")
    if act.tx.find(ReadinessRow, turn=turn.id, seat=scene.held.id) is None:
        act.tx.add(ReadinessRow(turn=turn.id, seat=scene.held.id, at=act.at))
        seen = "all" if scene.settings.shows_senders == "all" else "seat"
        scene.note("ready", turn=turn, seat=scene.held, seen_by=seen, power=scene.held.power)
    return end_if_ready(act, scene, turn)


def end_if_ready(act: Act, scene: Scene, turn: TurnRow) -> bool:
    """Have the turn ended if all are ready whose orders are awaited."""
    if not scene.settings.ready_ends or scene.row.state != "running":
        return False
    said = {r.seat for r in act.tx.all(ReadinessRow, turn=turn.id)}
    awaited = awaited_seats(scene, turn)
    people = [s for s in awaited if not s.bot]
    if not people or not all(seat.id in said for seat in people):
        return False
    sent = {s.seat for s in act.tx.all(SubmissionRow, turn=turn.id)}
    if any(seat.bot and seat.id not in sent for seat in awaited):
        return False
    act.due("end early", f"turn {turn.id} early", act.at, scene.row, turn=turn.id)
    return True


@command
def not_ready(act: Act, game: str, power: str) -> None:
    """Take it back, as long as the turn is open."""
    scene = act.game(game, power)
    turn = scene.turn(lock=True)
    if turn.state != "open":
        raise TooLate(f"{turn.name} is closed.")
    if act.tx.remove(ReadinessRow, turn=turn.id, seat=scene.held.id):
        seen = "all" if scene.settings.shows_senders == "all" else "seat"
        scene.note("not ready", turn=turn, seat=scene.held, seen_by=seen, power=scene.held.power)


# Drafts


@command
def save_draft(act: Act, game: str, power: str, text: str) -> None:
    """Keep what is being written; nobody else sees it and it never counts.

    With a keeper on another machine drafts are the page's own to keep.
    """
    scene = act.game(game, power)
    turn = scene.turn()
    if act.office.keeper.remote:
        raise NotAllowed("This office keeps no drafts, because it could read them; keep it on your own device.")
    if len(text) > act.office.settings.largest_sheet:
        raise Unfit("A sheet is not as long as that.", faults=["text: too long"])
    locked = seals.lock(act.office.cabinet, text.encode())
    known = act.tx.find(DraftRow, turn=turn.id, seat=scene.held.id)
    if known is not None:
        act.tx.change(known, at=act.at, locked=locked)
    else:
        act.tx.add(DraftRow(turn=turn.id, seat=scene.held.id, at=act.at, locked=locked))


@query
def draft(act: Act, game: str, power: str) -> str:
    """What was being written for this turn; empty if nothing is."""
    scene = act.game(game, power)
    row = act.tx.find(DraftRow, turn=scene.turn().id, seat=scene.held.id) if scene.row.turn is not None else None
    return seals.unlock(act.office.cabinet, row.locked).decode() if row is not None else ""


# Looking


@query
def check(act: Act, game: str, power: str, text: str) -> Checked:
    """Look at a sheet without sending it: nothing is kept."""
    scene = act.game(game, power)
    turn = scene.turn()
    if len(text) > act.office.settings.largest_sheet:
        raise Unfit("A sheet is not as long as that.", faults=["text: too long"])
    return _checked(scene, turn, _interpret(scene, turn, scene.held.power, text))


@query
def mine(act: Act, game: str, power: str, turn: str = "now") -> list[SubmissionRecord]:
    """A power's own submissions in a turn, the first first."""
    scene = act.game(game, power)
    if scene.row.turn is None:
        return []
    row = find_turn(scene, turn)
    return _records(scene, row, [scene.held], sender=True)


@query
def commitments(act: Act, game: str, turn: str = "now") -> list[SubmissionRecord]:
    """All commitments of a turn, public at once; whose they are is told to those who may know who has sent."""
    scene = act.game(game)
    if scene.row.turn is None:
        return []
    row = find_turn(scene, turn)
    return _records(scene, row, list(scene.seats.values()), sender=False)


@query
def overview(act: Act, game: str) -> list[SubmissionRecord]:
    """For the coordinator: what has come in for this turn, when and by which channel; nothing of what it says."""
    scene = act.game(game)
    return _records(scene, scene.turn(), list(scene.seats.values()), sender=True)


@command
def read_own(act: Act, submission: int, reading_key: str = "") -> OwnSubmission:
    """Open an own submission. The opening is on record. With a keeper on another machine the receipt's ``reading_key``
    is needed until the turn is over.

    :raises Sealed: when it cannot be opened yet.
    """
    row, scene, turn = _own(act, submission)
    content = _content(act, scene, turn, row, reading_key)
    scene.note(
        "opened", turn=turn, seat=scene.held, seen_by="seat", power=scene.held.power, version=row.version,
        why="read by its own power"
    )  # fmt: skip
    interpreted = _interpret(scene, turn, scene.held.power, content.text) if row.kind == "text" else None
    return OwnSubmission(
        submission=_record(row, scene, turn, scene.held, {}, sender=True), text=content.text, salt=content.salt,
        checked=_checked(scene, turn, interpreted) if interpreted else None,
        files=tuple(f.digest for f in act.tx.all(FileRow, submission=row.id)),
    )  # fmt: skip


@query
def own_file(act: Act, submission: int, digest: str) -> tuple[str, str, bytes]:
    """A picture of an own submission: its name, media type and content."""
    row, scene, turn = _own(act, submission)
    file = act.tx.find(FileRow, submission=row.id, digest=digest)
    if file is None:
        raise NotFound("There is no such picture.")
    key = act.office.keeper.own(key_name(scene.row.key, turn.number)) or act.office.keeper.key(
        key_name(scene.row.key, turn.number)
    )
    return file.name, file.media_type, seals.unseal(key, act.office.files.get(file.stored))


def _content(act: Act, scene: Scene, turn: TurnRow, row: SubmissionRow, reading_key: str) -> Content:
    if reading_key and row.own:
        try:
            key = base64.b64decode(reading_key, validate=True)
        except ValueError:
            raise Sealed("That is no reading key; copy it from the receipt.") from None
        return msgspec.json.decode(seals.unlock(key, row.own), type=Content)
    name = key_name(scene.row.key, turn.number)
    try:
        private = act.office.keeper.own(name) or act.office.keeper.key(name)
    except Sealed:
        raise Sealed("Before the deadline this needs the reading key of its receipt.") from None
    return msgspec.json.decode(seals.unseal(private, row.sealed), type=Content)


def _own(act: Act, submission: int) -> tuple[SubmissionRow, Scene, TurnRow]:
    """A submission with its game, for the holder of its seat: only who sent it, or holds the seat since before it was
    sent."""
    row = act.tx.find(SubmissionRow, id=submission)
    if row is None:
        raise NotFound("There is no such submission.")
    turn = act.tx.get(TurnRow, row.turn)
    game = act.tx.get(GameRow, turn.game)
    seat = act.tx.get(SeatRow, row.seat)
    scene = act.scene(game, seat.power)
    if row.person is not None and row.person != act.actor.person and (seat.since or 0) >= row.received:
        raise NotAllowed("That was sent by the one who held this seat before.")
    if not row.sealed:
        raise NotFound("That is not kept here: it was sent in at another office, or whoever sent it was erased.")
    return row, scene, turn


def find_turn(scene: Scene, turn: str | int) -> TurnRow:
    """A turn by number, key or name; ``now`` is the present one, ``last`` the last with results.

    :raises NotFound: if there is none.
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
        row = scene.tx.find(TurnRow, game=scene.row.id, key=text.casefold()) or scene.tx.find(
            TurnRow, game=scene.row.id, name=text
        )
    if row is None or row.state == "aside":
        raise NotFound(f"{scene.row.name} has no turn {text[:60]!r}.")
    return row


def _records(scene: Scene, turn: TurnRow, seats: list[SeatRow], *, sender: bool) -> list[SubmissionRecord]:
    by_id = {seat.id: seat for seat in seats}
    rows = scene.tx.all(SubmissionRow, turn=turn.id, seat=list(by_id))
    ids = [r.person for r in rows if r.person is not None]
    names = {p.id: p.name for p in scene.tx.all(PersonRow, id=ids)} if sender and ids else {}
    return [_record(row, scene, turn, by_id[row.seat], names, sender=sender, among=rows) for row in rows]


def _record(
    row: SubmissionRow, scene: Scene, turn: TurnRow, seat: SeatRow, names: dict[int, str], *, sender: bool,
    among: Sequence[SubmissionRow] = ()
) -> SubmissionRecord:  # fmt: skip
    knows = may_know_senders(scene, turn, seat)
    own = seat.power in scene.own or scene.runs_it
    standing = "counts" if row.counts else "nothing understood"
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
        id=row.id if own else 0, power=seat.power if knows else "", turn=turn.name, version=row.version if knows else 0,
        channel=row.channel if own else "", kind=row.kind if own else "", received=moment(row.received),
        commitment=row.commitment, standing=standing if own or turn.state in ("judged", "draft", "final") else "",
        files=scene.tx.count(FileRow, submission=row.id) if own else 0,
        sender=names.get(row.person or 0) if sender and not hide_name else None,
    )  # fmt: skip


def may_know_senders(scene: Scene, turn: TurnRow, seat: SeatRow) -> bool:
    """Whether the reader may know if a power has sent anything in this turn."""
    if seat.power in scene.own:
        return True
    if eyes(scene) is not None:
        return False  # who has anything to order tells where there are units
    if turn.state in ("draft", "final"):
        return True
    shown = scene.settings.shows_senders
    return shown == "all" or (shown == "coordinator" and scene.runs_it)
