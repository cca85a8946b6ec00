"""The desk: what waits for a coordinator, and what is done about it.

Before the deadline nothing on the desk says more than that something came. After it, versions are chosen where
instructions ask for it (W-20e), pictures and posted sheets are read beside their transcription and signed off, and a
revision that came without the posted sheet is accepted or refused, with the reason on record (W-20a). Where the game
has a deputy, a transcription counts once that second person read the same, or the coordinator decided between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from legation.office import seals
from legation.office.act import Act, Scene, command, query
from legation.office.actor import Actor
from legation.office.chosen import READINGS, Chosen, chosen_sheets
from legation.office.clock import moment, moment_or_none
from legation.office.errors import Conflict, NotAllowed, NotFound, Unfit
from legation.office.judging import judge_turn
from legation.office.office import Office
from legation.office.processing import put_aside
from legation.office.publishing import publish_turn
from legation.office.records import Checked, DeskItem
from legation.office.seals import Content
from legation.office.sheets import checked, interpret_sheet
from legation.office.store import pack, queries, unpack
from legation.office.store.rows import (
    DeskRow,
    FileRow,
    GameRow,
    MailingRow,
    PersonRow,
    SeatRow,
    SubmissionRow,
    TurnRow,
    WorkRow,
)
from legation.office.submissions import find_turn, put
from legation.office.turns import key_name, position_of
from legation.office.unsealing import go_on_if_clear, take

NEEDS = {
    "choose": "{power} sent several versions: say which one counts.",
    "transcribe": "{power}'s orders are to be read and written down.",
    "confirm": "{power}'s orders were written down: read them a second time.",
    "decide": "{power}'s orders were read in two ways: say how they read.",
    "unposted": "{power} sent a revision, but no sheet came by post: accept or refuse it.",
    "publish": "The results of {turn} are judged: look at them and publish them.",
    "final": "The season of {turn} is over: its results can be made final.",
    "wait": "The game waits for orders of {turn}.",
    "replace": "{power} needs a new player.",
    "failed": "Something failed five times: {what}.",
    "unmatched mail": "A mail could not be matched to a seat: {subject}",
    "rules changed": "The variant's rules were changed since the game began: it is paused. Restore them, or resume the "
    "game to go on by the new ones.",
    "late": "Something from {power} came after the deadline.",
}
CLOSABLE = frozenset(["failed", "unmatched mail", "late", "replace", "wait", "rules changed"])


@query
def items(act: Act, game: str = "") -> list[DeskItem]:
    """What waits, the most urgent first: of one game, or of all that the person coordinates (the console: of the whole
    office)."""
    if game:
        scene = act.game(game)
        if not scene.roles & {"coordinator", "deputy", "console", "administrator"}:
            raise NotAllowed("The desk is for who runs the game.")
        rows = act.tx.all(DeskRow, game=scene.row.id, done=None)
        if _is_deputy(scene):
            rows = [row for row in rows if row.kind == "confirm"]
    else:
        person = act.allow()
        if act.roles() & {"console", "administrator"}:
            rows = act.tx.all(DeskRow, done=None)
        else:
            mine = [g.id for g in act.tx.all(GameRow, coordinator=person) if unpack(g.settings).get("coordinated")]
            rows = act.tx.all(DeskRow, game=mine, done=None) if mine else []
            lent = [g.id for g in act.tx.all(GameRow, deputy=person)] if person else []
            rows += act.tx.all(DeskRow, game=lent, kind="confirm", done=None) if lent else []
    waiting = [_item(act, row) for row in rows]
    return sorted(waiting, key=lambda item: (item.due is None, item.due or item.opened, item.id))


@query
def item(act: Act, id: int) -> DeskItem:
    """One thing on the desk, with all that is needed to settle it."""
    row, _ = _found(act, id, done=True)
    return _item(act, row, whole=True)


@query
def picture(act: Act, item: int, digest: str) -> tuple[str, str, bytes]:
    """A picture that waits to be transcribed, or of a version among
    which to choose: its name, media type and content."""
    row, scene = _found(act, item, done=True)
    submissions = [s.id for s in act.tx.all(SubmissionRow, turn=row.turn, seat=row.seat, chosen=True)]
    submissions += unpack(row.facts).get("submissions", [])
    file = act.tx.find(FileRow, submission=submissions, digest=digest) if submissions else None
    if file is None or scene is None or row.turn is None:
        raise NotFound("There is no such picture.")
    turn = act.tx.get(TurnRow, row.turn)
    key = act.office.keeper.key(key_name(scene.row.key, turn.number))
    return file.name, file.media_type, seals.unseal(key, act.office.files.get(file.stored))


@query
def suggest(act: Act, item: int, text: str) -> Checked:
    """How a transcription reads, line by line, before it is signed off."""
    row, scene = _found(act, item)
    scene, turn, seat = _place(act, row, scene)
    return _reads(scene, turn, seat.power, text)


def _reads(scene: Scene, turn: TurnRow, power: str, text: str) -> Checked:
    seen = scene.rules.seen(position_of(scene.rules, turn.position), power)
    interpreted = interpret_sheet(scene.rules, seen, power, text)
    return checked(scene.row.key, turn.name, interpreted, moment_or_none(turn.deadline))


@command
def choose(act: Act, item: int, submission: int, reason: str) -> DeskItem:
    """Say which of several versions counts, with the reason, which all read (W-20e)."""
    row, scene = _found(act, item, "choose")
    scene, turn, seat = _place(act, row, scene)
    version = act.tx.find(SubmissionRow, id=submission, turn=turn.id, seat=seat.id, withdrawn=None)
    if version is None:
        raise NotFound("There is no such version.")
    key = act.office.keeper.key(key_name(scene.row.key, turn.number))
    content = msgspec.json.decode(seals.unseal(key, version.sealed), type=Content)
    _set(act, turn, seat.power, take(act, scene, turn, seat, version, content))
    scene.note("chosen", turn=turn, seat=seat, power=seat.power, version=version.version, reason=_reason(reason))
    return _close(act, scene, turn, row, reason)


@command
def decide_unposted(act: Act, item: int, accept: bool, reason: str) -> DeskItem:
    """Accept or refuse a revision whose sheet never came by post (W-20a); the decision is on record for all."""
    row, scene = _found(act, item, "unposted")
    scene, turn, seat = _place(act, row, scene)
    if not accept:
        act.tx.change_where(SubmissionRow, {"chosen": False}, turn=turn.id, seat=seat.id)
        done = {"done": act.at, "note": "refused"}
        act.tx.change_where(DeskRow, done, turn=turn.id, seat=seat.id, kind=["choose", *READINGS], done=None)
        _set(act, turn, seat.power, Chosen())
    scene.note("unposted", turn=turn, seat=seat, power=seat.power, accepted=accept, reason=_reason(reason))
    return _close(act, scene, turn, row, reason)


@command
def transcribe(act: Act, item: int, text: str) -> Checked:
    """Write down what a picture or a posted sheet says, and sign it off.

    The answer tells how it reads; nobody's turn is shown until all are signed off.
    """
    row, scene = _found(act, item, "transcribe")
    scene, turn, seat = _place(act, row, scene)
    turn = _reads_as(act, turn, seat, text)
    scene.note("transcribed", turn=turn, seat=seat, power=seat.power, text=text)
    if scene.row.deputy is not None:
        _ask_deputy(act, scene, turn, seat, row, text)
    _close(act, scene, turn, row, "signed off")
    return _reads(scene, turn, seat.power, text)


def _ask_deputy(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow, row: DeskRow, text: str) -> None:
    """Have a transcription read a second time; the deputy is told of the first that waits."""
    if not act.tx.count(DeskRow, turn=turn.id, kind="confirm", done=None):
        act.mail("second reading", act.tx.get(PersonRow, scene.row.deputy or 0), game=scene.row, turn=turn)
    facts = {name: value for name, value in unpack(row.facts).items() if name != "readings"}
    act.desk("confirm", scene.row, turn=turn, seat=seat, due=row.due, **facts, readings=[seals.canonical(text)])


@command
def confirm(act: Act, item: int, text: str) -> Checked:
    """Read a transcription a second time, as the deputy: ``text`` is how the sheet reads to you. Where both read the
    same it counts; else the coordinator decides between the two.
    """
    row, scene = _found(act, item, "confirm")
    scene, turn, seat = _place(act, row, scene)
    facts = unpack(row.facts)
    first = _reads(scene, turn, seat.power, facts["readings"][0])
    second = _reads(scene, turn, seat.power, text)
    if _understood(first) == _understood(second):
        scene.note("confirmed", turn=turn, seat=seat, power=seat.power)
        _close(act, scene, turn, row, "read the same")
    else:
        scene.note("differs", turn=turn, seat=seat, power=seat.power, text=text)
        readings = [*facts.pop("readings"), seals.canonical(text)]
        act.desk("decide", scene.row, turn=turn, seat=seat, due=row.due, **facts, readings=readings)
        _close(act, scene, turn, row, "read otherwise")
    return second


def _understood(reading: Checked) -> list[str]:
    """What a reading comes to, whatever its notation: its orders, and the words of what is none."""
    lines = [line.order or " ".join(line.text.casefold().split()) for line in reading.lines]
    return [line for line in lines if any(letter.isalnum() for letter in line)]


@command
def decide(act: Act, item: int, text: str, reason: str) -> Checked:
    """Say how a sheet reads of which there are two readings: either of them, or another; the reason is on record for
    all."""
    row, scene = _found(act, item, "decide")
    scene, turn, seat = _place(act, row, scene)
    turn = _reads_as(act, turn, seat, text)
    scene.note("decided", turn=turn, seat=seat, power=seat.power, text=text, reason=_reason(reason))
    _close(act, scene, turn, row, reason)
    return _reads(scene, turn, seat.power, text)


def _reads_as(act: Act, turn: TurnRow, seat: SeatRow, text: str) -> TurnRow:
    """Have a transcription stand for a power's sheet."""
    choice = chosen_sheets(turn)[seat.power]
    return _set(act, turn, seat.power, msgspec.structs.replace(choice, text=seals.canonical(text), transcribed=True))


@command
def correct(act: Act, game: str, turn: str, power: str, text: str, reason: str) -> Checked:
    """Correct a transcription until the results are final; seen by all. Draft results are judged and published anew.

    :raises Conflict: when the results are final, the orders were sent as text, or the seals of the turn after it are
    open.
    """
    scene = act.game(game, power)
    row = find_turn(scene, turn)
    seat = scene.held
    if row.state not in ("opened", "judged", "draft"):
        raise Conflict(f"{row.name} is {row.state}; its orders cannot be corrected.")
    choice = chosen_sheets(row)[seat.power]
    if not choice.transcribed:
        raise Conflict(f"{seat.power} sent text, which is judged as it was sent; only transcriptions are corrected.")
    if act.tx.count(DeskRow, turn=row.id, seat=seat.id, kind=["confirm", "decide"], done=None):
        raise Conflict(f"{seat.power}'s sheet is being read a second time; it can be corrected after that.")
    row = _set(act, row, seat.power, msgspec.structs.replace(choice, text=seals.canonical(text), corrected=True))
    scene.note("corrected", turn=row, seat=seat, power=seat.power, text=text, reason=_reason(reason))
    if row.state == "judged":
        judge_turn(act, scene, row)
    elif row.state == "draft":
        present = scene.turn(lock=True)
        if present.number > row.number:
            put_aside(act, scene, present)
        queries.drop_work(act.tx, [f"turn {row.id} next"])
        scene.row = act.tx.change(scene.row, turn=row.number)
        publish_turn(act, scene, judge_turn(act, scene, row))
    return _reads(scene, row, seat.power, text)


@command
def settle(act: Act, item: int, note: str = "", retry: bool = False) -> DeskItem:
    """Put something away that needs no more; with ``retry`` failed work and mail is tried again."""
    row, scene = _found(act, item)
    if row.kind not in CLOSABLE:
        raise Conflict("That is settled by doing what it asks for.")
    facts = unpack(row.facts)
    if retry and row.kind == "failed":
        again = {"state": "waiting", "due": act.at, "attempts": 0, "error": ""}
        if "work" in facts:
            act.tx.change_where(WorkRow, again, id=facts["work"], state=["failed", "waiting"])
        if "mailing" in facts:
            act.tx.change_where(MailingRow, {**again, "lease": ""}, id=facts["mailing"], state=["failed", "waiting"])
    row = act.tx.change(row, done=act.at, person=act.actor.person, note=note[:500])
    if scene is not None:
        scene.note("desk settled", seen_by="coordinator", what=row.kind, note=note[:500])
    return _item(act, row)


# Mail that fits no seat


def file_mail(
    office: Office, *, sender: str, subject: str, text: str, pictures: Sequence[tuple[str, bytes, str]] = (),
    game: str = "", power: str = "", received: datetime | None = None, why: str = "",
) -> int:  # fmt: skip
    """Put a mail on the desk that fits no seat; what it says is locked and shown to nobody. The answer is the item's
    number.

    ``game`` and ``power``: the likeliest seat. ``pictures``: name, content, media type.
    """
    filed = [(name, office.files.put(seals.lock(office.cabinet, content)), kind) for name, content, kind in pictures]
    with office.store.transaction() as tx:
        act = Act(office, Actor.clock(), tx, "desk.file_mail", office.clock.now())
        row = tx.find(GameRow, key=game) if game else None
        locked = seals.lock(office.cabinet, msgspec.json.encode({"text": text, "pictures": filed})).hex()
        at = (received or act.now).isoformat()
        item = act.desk(
            "unmatched mail", row, sender=sender[:254], subject=subject[:200], likely=power, received=at, why=why[:300],
            locked=locked
        )  # fmt: skip
        return item.id


@command
def assign(act: Act, item: int, game: str, power: str) -> DeskItem:
    """Say whose an unmatched mail is: it becomes a submission of that power, with the time at which it came, if the
    seals are not open yet."""
    row = act.tx.find(DeskRow, id=item, kind="unmatched mail", done=None, lock=True)
    scene = act.game(game, power)
    if row is None or (row.game is not None and row.game != scene.row.id):
        raise NotFound("That is not on the desk.")
    facts = unpack(row.facts)
    mail = msgspec.json.decode(seals.unlock(act.office.cabinet, bytes.fromhex(facts["locked"])))
    public = scene.turn().public_key
    files = []
    for name, stored, kind in mail["pictures"]:
        content = seals.unlock(act.office.cabinet, act.office.files.get(stored))
        files.append(
            (seals.digest(content), act.office.files.put(seals.seal(public, content)), name, kind, len(content))
        )
    put(
        act, scene, "" if files else mail["text"], "mail", files=files, note=mail["text"] if files else "",
        received=datetime.fromisoformat(facts["received"]), kind="pictures" if files else "text",
    )  # fmt: skip
    row = act.tx.change(
        row, done=act.at, person=act.actor.person, note=f"{scene.row.key} {scene.held.power}", facts=b""
    )
    return _item(act, row)


# Small steps


def _found(act: Act, id: int, kind: str = "", *, done: bool = False) -> tuple[DeskRow, Scene | None]:
    """Something on the desk of a game that the actor coordinates, or that is the deputy's to read."""
    row = act.tx.find(DeskRow, id=id, lock=True)
    if row is None:
        raise NotFound("That is not on the desk.")
    scene = None
    if row.game is not None:
        scene = act.scene(act.tx.get(GameRow, row.game))
        if row.kind != "confirm" and _is_deputy(scene):
            raise NotFound("That is not on your desk.")
    else:
        act.allow()
    if row.done is not None and not done:
        raise Conflict("Somebody has settled that already.")
    if kind and row.kind != kind:
        raise Conflict(f"That waits to be settled otherwise: {row.kind}.")
    return row, scene


def _is_deputy(scene: Scene) -> bool:
    """Whether the actor sees of the desk only what is to be read a second time."""
    return not scene.roles & {"coordinator", "console", "administrator"}


def _place(act: Act, row: DeskRow, scene: Scene | None) -> tuple[Scene, TurnRow, SeatRow]:
    if scene is None or row.turn is None or row.seat is None:
        raise Conflict("That belongs to no seat.")
    turn = act.tx.get(TurnRow, row.turn, lock=act.tx.writes)
    return scene, turn, act.tx.get(SeatRow, row.seat)


def _set(act: Act, turn: TurnRow, power: str, choice: Chosen) -> TurnRow:
    turn = act.tx.get(TurnRow, turn.id)
    chosen = {**chosen_sheets(turn), power: choice}
    return act.tx.change(turn, sheets=pack(msgspec.to_builtins(chosen)))


def _close(act: Act, scene: Scene, turn: TurnRow, row: DeskRow, note: str) -> DeskItem:
    row = act.tx.change(row, done=act.at, person=act.actor.person, note=note[:500])
    go_on_if_clear(act, scene, act.tx.get(TurnRow, turn.id))
    return _item(act, row)


def _reason(reason: str) -> str:
    if not reason.strip():
        raise Unfit("Say why; all players read it.", faults=["reason: empty"])
    return reason.strip()[:500]


def _item(act: Act, row: DeskRow, *, whole: bool = False) -> DeskItem:
    facts = unpack(row.facts)
    game = act.tx.get(GameRow, row.game) if row.game is not None else None
    turn = act.tx.get(TurnRow, row.turn) if row.turn is not None else None
    power = act.tx.get(SeatRow, row.seat).power if row.seat is not None else ""
    words = {"power": power, "turn": turn.name if turn else "", "what": "", "subject": "", **facts}
    shown = {k: v for k, v in facts.items() if k != "locked" and (whole or k not in ("texts", "readings"))}
    return DeskItem(
        id=row.id, kind=row.kind, game=game.key if game else "", turn=turn.name if turn else "", power=power,
        text=NEEDS.get(row.kind, row.kind).format(**words), due=moment_or_none(row.due), opened=moment(row.opened),
        facts=shown, submissions=tuple(facts.get("submissions", ())),
    )  # fmt: skip
