"""Readings, after the deadline: choosing the version that counts where instructions ask for it (W-20e), transcribing
pictures and posted sheets, accepting a revision that came without its sheet (W-20a). With a deputy a transcription
counts once both read the same, or the coordinator decided."""

import contextlib

import msgspec

from legation.game.sheets import later_turns, split_sheet
from legation.notation import capital
from legation.office.context import CommandContext, GameContext, SeatContext, command, given_reason, query
from legation.office.desk.tasks import choice_of, found, found_for_seat, item_record, may_displace
from legation.office.errors import ConflictError, NotAllowedError, NotFoundError
from legation.office.game import chain
from legation.office.game.judging import READINGS, Chosen, chosen_sheets, judge_turn
from legation.office.game.orders_ahead import keep_reading
from legation.office.game.processing import await_publishing, withdraw_draft
from legation.office.game.turns import find_turn
from legation.office.game.unsealing import go_on_if_clear, take, write_reading, write_transcribed
from legation.office.keys import seals
from legation.office.orders.contents import checked, letter_copy, opened_content, picture_of, read_sheet, refuse_long
from legation.office.records import Checked, DeskItem
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import DeskRow, SeatRow, SubmissionRow, TurnRow
from legation.position import Turn
from legation.proofs import kinds


@query("coordinate", "GET /desk/{item}/pictures/{digest}", coordinator="alive", deputy="alive")
def picture(act: CommandContext, item: int, digest: str) -> tuple[str, str, bytes]:
    """A picture that waits to be transcribed, or of a version among
    which to choose: its name, media type and content."""
    row, scene = found(act, item, done=True)
    submissions = [s.id for s in act.tx.all(SubmissionRow, turn=row.turn, seat=row.seat, chosen=True)]
    submissions += unpack(row.facts).get("submissions", [])
    if scene is None or row.turn is None:
        raise NotFoundError("There is no such picture.")
    turn, choice = act.tx.get(TurnRow, row.turn), choice_of(act, row)
    if choice is not None and digest in choice.copies:
        return letter_copy(act, choice.submission, digest)
    for number in submissions:
        version = act.tx.get(SubmissionRow, number)
        with contextlib.suppress(NotFoundError):
            return letter_copy(act, number, digest)
        with contextlib.suppress(NotFoundError):
            return picture_of(act, version, opened_content(act, turn, version), digest)
    raise NotFoundError("There is no such picture.")


@query("coordinate", "POST /desk/{item}/suggest", coordinator="alive", deputy="alive")
def suggest(act: CommandContext, item: int, text: str) -> Checked:
    """Return how a transcription reads, line by line, before it is signed off."""
    _, scene, turn, seat = found_for_seat(act, item)
    refuse_long(act, text)
    return checked(scene, turn, read_sheet(scene, turn, seat.power, text))


@command("coordinate", "POST /desk/{item}/choose", coordinator="alive")
def choose(act: CommandContext, item: int, submission: int, reason: str) -> DeskItem:
    """Choose which of several versions counts, with the reason, which all read: where a choice is asked for, or where
    the paper that is being read asks for it (W-20e)."""
    row, scene, turn, seat = found_for_seat(act, item)
    facts, reason = unpack(row.facts), given_reason(reason)
    if row.kind != "choose" and (row.kind not in READINGS or len(facts["submissions"]) < 2):
        raise ConflictError("There are no versions to choose from here.")
    number, none = act.office.numbers.row("submission", submission), "This version doesn't exist."
    version = act.wanted(SubmissionRow, none, id=number, turn=turn.id, seat=seat.id, withdrawn=None)
    if not may_displace(act, version, facts["submissions"]):
        whose = capital(scene.named(seat.power).whose)
        raise NotAllowedError(
            f"{whose} player sent orders: orders entered for them count only if they confirm it. They "
            "can confirm it until the deadline, or say so in the version's instructions."
        )
    choice = chosen_sheets(turn).get(seat.power, Chosen())
    kept = choice.transcribed and choice.submission == version.id  # its reading is signed off already, and stays
    if not kept:
        among = {name: facts[name] for name in ("submissions", "texts", "pictures")}
        choice = take(scene, turn, seat, version, opened_content(act, turn, version), among)
    _set(act, turn, seat.power, msgspec.structs.replace(choice, chosen=reason))
    act.close_tasks(reason, turn=turn.id, seat=seat.id, kind="choose")
    _write_chosen(scene, turn, seat, version.version, reason)
    scene.append_journal("chosen", turn=turn, seat=seat, version=version.version, reason=reason)
    if kept and row.kind in READINGS:  # a second reading goes on
        return item_record(act, row)
    return _close(scene, turn, row, reason)


def _write_chosen(scene: GameContext, turn: TurnRow, seat: SeatRow, version: int, reason: str) -> None:
    line = kinds.ChosenLine(turn=turn.name, seat=seat.power, version=version, reason=reason)
    write_reading(scene, turn, "chosen", line, seat)


@command("coordinate", "POST /desk/{item}/decide", coordinator="alive")
def decide_unposted(act: CommandContext, item: int, accept: bool, reason: str) -> DeskItem:
    """Accept or refuse a revision whose sheet never came by post (W-20a); the decision is on record for all."""
    row, scene, turn, seat = found_for_seat(act, item, "unposted")
    reason = given_reason(reason)
    if not accept:
        act.tx.change_where(SubmissionRow, {"chosen": False}, turn=turn.id, seat=seat.id)
        act.close_tasks("refused", turn=turn.id, seat=seat.id, kind=["choose", *READINGS])
        _set(act, turn, seat.power, Chosen())
        _write_chosen(scene, turn, seat, 0, reason)
    scene.append_journal("unposted", turn=turn, seat=seat, accepted=accept, reason=reason)
    return _close(scene, turn, row, reason)


@command("coordinate", "POST /desk/{item}/transcribe", coordinator="alive")
def transcribe(act: CommandContext, item: int, text: str) -> Checked:
    """Transcribe a picture or a posted sheet, and sign it off.

    The answer tells how it reads; nobody's turn is shown until all are signed off."""
    row, scene, turn, seat = found_for_seat(act, item, "transcribe")
    turn = _reads_as(scene, turn, seat, text, "signed off")
    scene.append_journal("transcribed", turn=turn, seat=seat, text=text)
    if scene.row.deputy is not None:
        _ask_deputy(scene, turn, seat, row, text)
    _close(scene, turn, row, "signed off")
    return checked(scene, turn, read_sheet(scene, turn, seat.power, text))


def _ask_deputy(scene: GameContext, turn: TurnRow, seat: SeatRow, row: DeskRow, text: str) -> None:
    facts = {name: value for name, value in unpack(row.facts).items() if name != "readings"}
    scene.act.add_task(
        "confirm", scene.row, turn=turn, seat=seat, due=row.due, **facts, readings=[seals.canonical(text)]
    )


@command("coordinate", "POST /desk/{item}/confirm", deputy="alive")
def confirm(act: CommandContext, item: int, text: str) -> Checked:
    """Read a transcription a second time, as the deputy: ``text`` is how the sheet reads to you. Where both read the
    same it counts; else the coordinator decides between the two."""
    row, scene, turn, seat = found_for_seat(act, item, "confirm")
    refuse_long(act, text)
    facts = unpack(row.facts)
    first = checked(scene, turn, read_sheet(scene, turn, seat.power, facts["readings"][0]))
    second = checked(scene, turn, read_sheet(scene, turn, seat.power, text))
    if _understood(first) == _understood(second):
        scene.append_journal("confirmed", turn=turn, seat=seat)
        _close(scene, turn, row, "read the same")
    else:
        scene.append_journal("differs", turn=turn, seat=seat, text=text)
        readings = [*facts.pop("readings"), seals.canonical(text)]
        act.add_task("decide", scene.row, turn=turn, seat=seat, due=row.due, **facts, readings=readings)
        _close(scene, turn, row, "read otherwise")
    return second


def _understood(reading: Checked) -> list[str]:
    lines = [line.order or " ".join(line.text.casefold().split()) for line in reading.lines]
    return [line for line in lines if any(letter.isalnum() for letter in line)]


@command("coordinate", "POST /desk/{item}/reading", coordinator="alive")
def decide(act: CommandContext, item: int, text: str, reason: str) -> Checked:
    """Decide between two readings of a sheet: either of them, or another; the reason is on record for
    all."""
    row, scene, turn, seat = found_for_seat(act, item, "decide")
    reason = given_reason(reason)
    turn = _reads_as(scene, turn, seat, text, reason)
    scene.append_journal("decided", turn=turn, seat=seat, text=text, reason=reason)
    _close(scene, turn, row, reason)
    return checked(scene, turn, read_sheet(scene, turn, seat.power, text))


def _reads_as(
    scene: GameContext, turn: TurnRow, seat: SeatRow, text: str, reason: str, *, corrected: bool = False
) -> TurnRow:
    """Put a transcription in the place of a power's sheet; its orders for later turns are told when they are opened."""
    refuse_long(scene.act, text)
    choice = chosen_sheets(turn)[seat.power]
    text = scene.office.without_reply_addresses(seals.canonical(seals.at_the_door(text)))
    if chain.is_in(scene, turn):
        now = Turn.parse(turn.name)
        parts = split_sheet(text, now, later_turns(scene.rules, now))
        text = parts.pop(turn.name)
        keep_reading(scene.tx, scene.office, choice.submission, parts)
    write_transcribed(scene, turn, seat, choice, choice.commitment, text, reason)
    corrected = corrected or choice.corrected
    why = reason if corrected else choice.reason
    read = msgspec.structs.replace(choice, text=text, transcribed=True, corrected=corrected, reason=why)
    return _set(scene.act, turn, seat.power, read)


@command("coordinate", "PUT /games/{game}/turns/{turn}/sheets/{power}", coordinator="alive")
def correct(scene: SeatContext, turn: str, text: str, reason: str) -> Checked:
    """Correct a transcription until the results are final; seen by all. Where there is a deputy, it is read a second
    time, unless it was read in another office, where its picture stayed. Draft results are taken back and judged again;
    they wait to be looked over and published, whatever the day.

    :raises ConflictError: when the results are final, the orders were sent as text, or the seals of the turn after
    it are open."""
    act, row, reason = scene.act, find_turn(scene, turn), given_reason(reason)
    seat, whose = scene.held, scene.named(scene.held.power).whose
    if row.state not in ("opened", "judged", "draft"):
        raise ConflictError(f"It is too {'late' if row.state == 'final' else 'early'} to correct orders of {row.name}.")
    choice = chosen_sheets(row)[seat.power]
    if not choice.transcribed:
        raise ConflictError(
            capital(f"{whose} orders came as text, which is judged as sent; only transcriptions can be corrected.")
        )
    if act.tx.count(DeskRow, turn=row.id, seat=seat.id, kind=["confirm", "decide"], done=None):
        raise ConflictError(capital(f"{whose} sheet is with the second reader; you can correct it after that."))
    if row.state == "draft":
        row = withdraw_draft(scene, row, capital(f"{whose} sheet is corrected: {reason}"))
    row = _reads_as(scene, row, seat, text, reason, corrected=True)
    scene.append_journal("corrected", turn=row, seat=seat, text=text, reason=reason)
    first = act.tx.all(DeskRow, turn=row.id, seat=seat.id, kind="transcribe", order="-id", limit=1)
    if scene.row.deputy is not None and first:  # reads what was corrected, too, before it is judged
        row = act.tx.change(row, state="opened")
        act.close_tasks("corrected", turn=row.id, kind="publish")
        _ask_deputy(scene, row, seat, first[0], text)
    elif row.state == "judged":
        await_publishing(scene, judge_turn(scene, row))
    return checked(scene, row, read_sheet(scene, row, seat.power, text))


def _set(act: CommandContext, turn: TurnRow, power: str, choice: Chosen) -> TurnRow:
    turn = act.tx.get(TurnRow, turn.id)
    chosen = {**chosen_sheets(turn), power: choice}
    return act.tx.change(turn, sheets=pack(msgspec.to_builtins(chosen)))


def _close(scene: GameContext, turn: TurnRow, row: DeskRow, note: str) -> DeskItem:
    row = scene.tx.change(row, done=scene.at, person=scene.actor.person, note=note)
    go_on_if_clear(scene, scene.tx.get(TurnRow, turn.id))
    return item_record(scene.act, row)
