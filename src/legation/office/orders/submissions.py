"""Submissions of players: orders as text or as pictures, sealed at once; receipts; ready and not ready.

Everything is kept: when it came, by which channel, from whom, in which version, and (sealed) what it says. The last
version that says anything counts, unless its instructions ask the coordinator (W-20e). What came by the deadline
counts, on the very microsecond too, as long as the turn is not closed."""

from typing import Literal

from legation.office.context import (
    DAY,
    CommandContext,
    GameContext,
    SeatContext,
    command,
    given_note,
    given_reason,
    query,
)
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError, NotFoundError, TooLateError
from legation.office.game import chain, submission_records
from legation.office.game.judging import chosen_sheets
from legation.office.game.orders_ahead import whole_text
from legation.office.game.readiness import end_if_ready, take_back_ready, times_ready
from legation.office.game.results import untold
from legation.office.game.turns import find_turn
from legation.office.game.views import viewpoint
from legation.office.orders import contents
from legation.office.orders.filing import refuse_late, refuse_pictures, store_submission
from legation.office.permissions import CREATES, Call
from legation.office.records import Checked, OwnSubmission, Receipt, SubmissionRecord
from legation.office.store import queries
from legation.office.store.rows import DeskRow, JournalRow, ReadinessRow, SubmissionRow, TurnRow
from legation.proofs import kinds
from legation.proofs.records import key_statement, read_record, ready_statement

MOST_CHANGES = 50  # of a seat's readiness in a turn, and of its key in a day: each is a line of the chain for ever
AFTER_OPENING = "coordinator after the opening"  # who enters what is read out of an envelope


@command("play", "POST /games/{game}/seats/{power}/submissions", CREATES, holder="alive")
def submit(scene: SeatContext, text: str, nonce: str = "", signatures: tuple[str, ...] = ()) -> Receipt:
    """Send a sheet in. ``nonce``: 32 random hexadecimal digits from the sender (mail: the SHA-256 of its Message-ID),
    which count once. ``signatures``: by the seat's key, of the record of each turn of the season from this one on.

    :raises TooLateError: when the deadline has passed.
    :raises InvalidInputError: for a text that is too long, or a channel that the game does not take now."""
    with submission_records.signs_refusals(scene, nonce):
        channel, received = scene.actor.channel, scene.actor.received or scene.now
        sent = submission_records.NewSubmission(
            channel=channel, received=received, text=text, nonce=nonce, signatures=tuple(signatures)
        )
        return store_submission(scene, sent)


@command("play", "POST /games/{game}/seats/{power}/pictures", Call(files=True, creates=True), holder="alive")
def submit_pictures(
    scene: SeatContext, pictures: list[tuple[str, bytes, str]], note: str = "", nonce: str = ""
) -> Receipt:
    """Send photographs or scans in: (name, content, media type) of each. Counters have checked them, bounded them and
    taken out where they were made (W-20b). ``nonce``: as of :func:`submit`.

    The files are sealed and filed before the row that names them is written."""
    with submission_records.signs_refusals(scene, nonce):
        refuse_pictures(scene, pictures)
        sent = submission_records.NewSubmission(
            channel=scene.actor.channel,
            received=scene.actor.received or scene.now,
            kind="pictures",
            pictures=tuple(pictures),
            note=note,
            nonce=nonce,
        )
        return store_submission(scene, sent)


@command("play", "POST /submissions/{submission}/withdraw", holder="alive")
def withdraw(act: CommandContext, submission: int, signature: str = "") -> SubmissionRecord:
    """Withdraw a version before the deadline: the one before it counts again. It stays on record, and "ready" is
    taken back, too. ``signature``: of that, by the seat's key where it has one."""
    return _say(act, submission, "withdrawn", signature)


@command("play", "POST /submissions/{submission}/confirm", holder="alive")
def confirm(act: CommandContext, submission: int, signature: str = "") -> SubmissionRecord:
    """Say, as the holder, that what somebody else entered for your power counts like what you send. ``signature``: of
    that, by the seat's key where it has one."""
    return _say(act, submission, "confirmed", signature, "You sent this yourself; there is nothing to confirm.")


@command("play", "POST /submissions/{submission}/refuse", holder="alive")
def refuse(act: CommandContext, submission: int, signature: str = "") -> SubmissionRecord:
    """Refuse, as the holder, what somebody else entered for your power: until the turn is closed it is as if it had
    never come, and all read that. ``signature``: of that, by the seat's key where it has one."""
    return _say(act, submission, "refused", signature, "You sent this yourself. To take it back, withdraw it.")


def _say(act: CommandContext, submission: int, word: str, signature: str, own: str = "") -> SubmissionRecord:
    """Write the holder's word on a version, once; ``own``: the refusal of one on what the holder sent."""
    row, scene, turn = contents.own_submission(act, submission)
    refuse_late(scene, turn, act.at)
    if own and row.entered_by == "holder":
        raise ConflictError(own)
    column = "confirmed" if word == "confirmed" else "withdrawn"
    if row.withdrawn is None and getattr(row, column) is None:
        row = act.tx.change(row, **{column: act.at})
        if word == "withdrawn":
            take_back_ready(scene, turn, scene.held)  # it was said of what is taken back
        submission_records.write_word(scene, turn, word, row.version, signature)
    return contents.submission_record(row, scene, turn, scene.held)


@command("play", "POST /games/{game}/seats/{power}/objection", holder="alive")
def object_to(scene: SeatContext, turn: str, reason: str) -> None:
    """Object, as the holder, to what was entered for your power after the deadline, until the results are final: it is
    on record for all, and lies on the coordinator's desk.

    :raises ConflictError: when you sent what counted yourself, or the results are final."""
    act, row = scene.act, find_turn(scene, turn)
    reason = given_reason(reason)
    if row.state not in ("opened", "judged", "draft"):
        raise ConflictError(
            f"It is too {'late' if row.state == 'final' else 'early'} to object to orders of {row.name}."
        )
    if chosen_sheets(row)[scene.held.power].entered_by == "holder":
        raise ConflictError("You sent the orders that count yourself.")
    if act.tx.count(DeskRow, turn=row.id, seat=scene.held.id, kind="objection", done=None):
        raise ConflictError("Your objection is already on the coordinator's desk.")
    if not chain.hides(scene):
        version = chosen_sheets(row)[scene.held.power].version
        chain.write(scene, "objected", kinds.VersionLine(turn=row.name, seat=scene.held.power, version=version), row)
    scene.append_journal("objection", turn=row, seat=scene.held, reason=reason)
    act.add_task("objection", scene.row, turn=row, seat=scene.held, reason=reason)


@command("coordinate", "POST /games/{game}/seats/{power}/posted", CREATES, coordinator="alive")
def register_posted(
    scene: SeatContext,
    note: str = "",
    pictures: list[tuple[str, bytes, str]] | None = None,
    shows: Literal["envelope", "sheet"] = "envelope",
) -> SubmissionRecord:
    """Register what came by post before the deadline (W-20a), with photographs of the unopened envelope or of the
    sheet. The holder is told at once, and may refuse it.

    What is read out of an envelope after the deadline is called ``coordinator after the opening`` ever after; a sheet
    that was photographed and sealed before it, ``coordinator``: then whoever took the photograph has read it."""
    if pictures:
        refuse_pictures(scene, pictures)
    sealed = bool(pictures) and shows == "sheet"
    entered_by = "coordinator" if sealed else AFTER_OPENING
    sent = submission_records.NewSubmission(
        channel="post",
        received=scene.now,
        kind="posted",
        pictures=tuple(pictures or ()),
        note=given_note(note, "note"),
        entered_by=entered_by,
    )
    receipt = store_submission(scene, sent)
    row = scene.tx.get(SubmissionRow, scene.office.numbers.row("submission", receipt.submission))
    kind = "envelope came" if entered_by == AFTER_OPENING else "entered for you"
    facts = {"version": row.version, "channel_of": row.channel, "commitment": row.commitment}
    scene.mail(kind, scene.tx.get(TurnRow, row.turn), [scene.held.power], **facts)
    return contents.submission_record(row, scene, scene.turn(), scene.held)


@command("play", "PUT /games/{game}/seats/{power}/ready", holder="alive")
def ready(scene: SeatContext, signature: str = "") -> bool:
    """Mark a power as ready; when all are, the turn ends at once, if the game is so set. ``signature``: of the
    turn, the last version, and how often this was said before, by the seat's key where it has one.

    The answer is whether it does."""
    turn = scene.turn(lock=True)
    if turn.state != "open":
        raise TooLateError(f"{turn.name} is closed.")
    say_ready(scene, turn, signature)
    return end_if_ready(scene, turn)


def say_ready(scene: GameContext, turn: TurnRow, signature: str = "") -> None:
    """Note that the seat which is meant is ready, unless it has said so."""
    if scene.tx.find(ReadinessRow, turn=turn.id, seat=scene.held.id) is None:
        version = queries.last_version(scene.tx, turn, scene.held.id)
        again = times_ready(scene.tx, turn, scene.held)
        if again >= MOST_CHANGES:
            raise LimitExceededError("You have changed this too often this turn.")
        submission_records.refuse_signature(
            scene, "ready", ready_statement(scene.row.ref, turn.name, scene.held.power, version, again), signature
        )
        if not signature:
            submission_records.tell_unsigned(scene, turn, "the word that you are ready came in")
        said = ReadinessRow(turn=turn.id, seat=scene.held.id, at=scene.at, version=version, signature=signature)
        scene.tx.add(said)
        if chain.shows_senders(scene):
            chain.write(scene, "ready", submission_records.ready_line(turn, scene.held, said, again), turn)
        seen = "all" if scene.settings.shows_senders == "all" else "seat"
        scene.append_journal("ready", turn=turn, seat=scene.held, seen_by=seen)


@command("play", "DELETE /games/{game}/seats/{power}/ready", holder="alive")
def not_ready(scene: SeatContext) -> None:
    """Undo "ready", as long as the turn is open."""
    turn = scene.turn(lock=True)
    if turn.state != "open":
        raise TooLateError(f"{turn.name} is closed.")
    take_back_ready(scene, turn, scene.held)


@query("play", "POST /games/{game}/seats/{power}/check", holder="alive", coordinator="alive")
def check(scene: SeatContext, text: str) -> Checked:
    """Check a sheet without sending it: nothing is stored."""
    turn = scene.turn()
    contents.refuse_long(scene.act, text)
    return contents.checked(scene, turn, contents.read_sheet(scene, turn, scene.held.power, text))


@query("play", "GET /games/{game}/seats/{power}/submissions", holder="any")
def mine(scene: SeatContext, turn: str = "now") -> list[SubmissionRecord]:
    """A power's own submissions in a turn, the first first."""
    if scene.row.turn is None:
        return []
    row = find_turn(scene, turn)
    return contents.submission_records(scene, row, [scene.held])


@query("read", "GET /games/{game}/turns/{turn}/commitments", visitor="any")
def commitments(scene: GameContext, turn: str = "now") -> list[SubmissionRecord]:
    """The commitments of a turn, for those who may know who has sent with whose they are, at once; for all others when
    the turn is closed. Where rules hide positions, a player's own."""
    if scene.row.turn is None:
        return []
    row = find_turn(scene, turn)
    seats, rows = {seat.id: seat for seat in scene.seats.values()}, contents.committed_to(scene, row)
    return [contents.submission_record(one, scene, row, seats[one.seat], among=rows) for one in rows]


@query("read", "GET /games/{game}/overview", coordinator="any")
def overview(scene: GameContext) -> list[SubmissionRecord]:
    """Return for the coordinator what came in this turn, when and by which channel, without its content."""
    return contents.submission_records(scene, scene.turn(), list(scene.seats.values()))


@command("play", "POST /submissions/{submission}/read", holder="any")
def read_own(act: CommandContext, submission: int, reading_key: str = "") -> OwnSubmission:
    """Open an own submission. The opening is on record. Until the turn is opened this needs the receipt's
    ``reading_key``, which is kept nowhere: who lost it sends again.

    :raises KeyNotReleasedError: when it cannot be opened yet."""
    row, scene, turn = contents.own_submission(act, submission)
    content = contents.content_of(scene, turn, row, reading_key)
    text = content.text if reading_key else whole_text(act.tx, act.office, row.id, content.text)
    scene.append_journal(
        "opened", turn=turn, seat=scene.held, seen_by="seat", version=row.version, why="read by its own power"
    )
    understood = contents.read_sheet(scene, turn, scene.held.power, text) if row.kind == "text" else None
    return OwnSubmission(
        submission=contents.submission_record(row, scene, turn, scene.held),
        text=text,
        openings=tuple(read_record(data).open().document() for data in content.records),
        checked=contents.checked(scene, turn, understood) if understood else None,
        files=content.files,
    )


@query("play", "POST /submissions/{submission}/files/{digest}", holder="any")
def own_file(act: CommandContext, submission: int, digest: str, reading_key: str = "") -> tuple[str, str, bytes]:
    """A picture of an own submission: its name, media type and content."""
    row, scene, turn = contents.own_submission(act, submission)
    return contents.picture_of(act, row, contents.content_of(scene, turn, row, reading_key), digest)


@query("read", "GET /games/{game}/seats/{power}/executed/{turn}/{digest}", player="played", coordinator="played")
def executed_picture(scene: SeatContext, turn: str, digest: str) -> tuple[str, str, bytes]:
    """A picture of the orders that counted of a power, for all who play, once results are out (W-21a): its name, media
    type and content; also photographs of the opened letter. Pictures of closed envelopes stay with the coordinator,
    for they bear addresses.

    :raises NotFoundError: if there is none, or the reader may not know what the sheet says."""
    act, row, nothing = scene.act, find_turn(scene, turn), NotFoundError("There is no such picture.")
    choice = chosen_sheets(row).get(scene.held.power) if row.state in ("draft", "final") else None
    own = () if choice is None or choice.entered_by == AFTER_OPENING else choice.files
    if choice is None or digest not in (*own, *choice.copies):
        raise nothing
    if viewpoint(scene) not in (None, scene.held.power) or untold(scene, row, choice.text):
        raise nothing
    if digest in choice.copies:
        return contents.letter_copy(act, choice.submission, digest)
    version = act.tx.get(SubmissionRow, choice.submission)
    return contents.picture_of(act, version, contents.opened_content(act, row, version), digest)


@command("play", "PUT /games/{game}/seats/{power}/key", holder="alive")
def set_key(scene: SeatContext, key: str, signature: str = "") -> None:
    """Have what comes from a seat be signed by this Ed25519 public key (64 hexadecimal digits) from now on; empty: by
    none. ``signature``: of that, by the key that the seat has; without it the journal says that only the office knows
    of the change. The holder is told at the address that is known."""
    if key and (len(key) != 64 or set(key) - set("0123456789abcdef")):
        raise InvalidInputError("This isn't a public key.", faults=["key: must be 64 hexadecimal digits"])
    if key == scene.held.key:
        return
    keys = scene.tx.all(
        JournalRow, game=scene.row.id, seat=scene.held.id, kind="seat key", order="-id", limit=MOST_CHANGES
    )
    if len(keys) == MOST_CHANGES and keys[-1].at > scene.at - DAY:
        raise LimitExceededError("This seat has had too many new keys today. Try again tomorrow.")
    statement = key_statement(scene.row.ref, scene.held.power, key, scene.held.key)
    submission_records.refuse_signature(scene, "seat key", statement, signature)
    seat = scene.seats[scene.held.power] = scene.tx.change(scene.held, key=key)
    chain.tell_key(scene, seat, signature)
    seen = "all" if chain.shows_senders(scene) else "seat"
    scene.append_journal("seat key", seat=seat, seen_by=seen, key=key)
    scene.mail("seat key", powers=[seat.power], key=key)
