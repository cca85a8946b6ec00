"""The desk: what waits for a coordinator, and what is done about it.

Before the deadline nothing on the desk says more than that something came. After it, versions are chosen where
instructions ask for it (W-20e), pictures and posted sheets are read beside their transcription and signed off, and a
revision that came without the posted sheet is accepted or refused, with the reason on record (W-20a). Where the game
has a deputy, a transcription counts once that second person read the same, or the coordinator decided between the two.
"""

from __future__ import annotations

import contextlib

import msgspec

from legation.game.sheets import interpret_sheet, later_turns, split_sheet
from legation.office.accounts.people import ADDRESS
from legation.office.act import CommandContext, GameContext, command, query
from legation.office.actor import Actor
from legation.office.clock import moment, moment_or_none
from legation.office.coordination.mailroom import UNMATCHED, Arrival, give_to
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.orders.sheets import checked
from legation.office.orders.submissions import copy_of, find_turn, opened_content, picture_of
from legation.office.processing.judging import judge_turn
from legation.office.processing.processing import await_publishing, withdraw_draft
from legation.office.processing.unsealing import OWN_WORD, go_on_if_clear, take, write_reading
from legation.office.records import Checked, DeskItem
from legation.office.store import pack, unpack, unpack_facts
from legation.office.store.rows import (
    ArrivalRow,
    DeskRow,
    GameRow,
    MailingRow,
    PersonRow,
    SeatRow,
    SubmissionRow,
    TurnRow,
    WorkRow,
)
from legation.office.turn import chain
from legation.office.turn.ahead import keep_reading
from legation.office.turn.chosen import READINGS, Chosen, chosen_sheets
from legation.office.turn.turns import position_of
from legation.position import Turn
from legation.proofs import kinds

NEEDS = {
    "choose": "{power} sent several versions: choose the one that counts.",
    "transcribe": "Transcribe {power}'s orders.",
    "confirm": "Check the transcription of {power}'s orders.",
    "decide": "{power}'s orders were read in two ways: decide which is right.",
    "unposted": "{power} sent a revision, but no sheet came by post: accept or refuse it.",
    "publish": "The results of {turn} are ready: review and publish them.",
    "final": "The season of {turn} is over: make its results final.",
    "wait": "The game is waiting for orders for {turn}.",
    "replace": "{power} needs a new player.",
    "voted": "The players have voted {words}; what comes of it is yours to decide.",
    "failed": "Something failed five times: {what}.",
    "failed mails": "{count} mails could not be delivered; the last: {why}.",
    "relay": "The mail relay is down: {why}. All outgoing mail is waiting.",
    "unread mails": "{count} mails could not be read and were set aside; the last: {why}.",
    "unmatched mails": "{count} mails came from unknown addresses.",
    "unmatched mail": "A mail could not be matched to a seat.",
    "rules changed": "The variant's rules have changed since the game began, so it is paused. Restore them, or "
    "resume the game under the new ones.",
    "late": "Something from {power} came after the deadline.",
    "variant proposed": "A variant is proposed for the catalog: {title} {version}.",
    "objection": "{power} objects to what was entered for them: {reason}",
}
CLOSABLE = frozenset(
    [
        "failed",
        "failed mails",
        "relay",
        "unread mails",
        "unmatched mails",
        "unmatched mail",
        "late",
        "replace",
        "wait",
        "rules changed",
        "objection",
        "voted",
    ]
)


@query
def items(act: CommandContext, game: str = "") -> list[DeskItem]:
    """What waits, the most urgent first: of one game, or of all that the person coordinates (the console: of the whole
    office)."""
    if game:
        scene = act.authorize_game(game)
        if not scene.roles & {"coordinator", "deputy", "console", "administrator"}:
            raise NotAllowedError("The desk is for who runs the game.")
        rows = act.tx.all(DeskRow, game=scene.row.id, done=None)
        if _is_deputy(scene):
            rows = [row for row in rows if row.kind == "confirm"]
    else:
        person = act.allow()
        if act.roles() & {"console", "administrator"}:
            played = {seat.game for seat in act.tx.all(SeatRow, person=person)} if person else set()
            rows = [row for row in act.tx.all(DeskRow, done=None) if row.game not in played]
        else:
            mine = [
                g.id for g in act.tx.all(GameRow, coordinator=person) if unpack_facts(g.settings).get("coordinated")
            ]
            rows = act.tx.all(DeskRow, game=mine, done=None) if mine else []
            lent = [g.id for g in act.tx.all(GameRow, deputy=person)] if person else []
            rows += act.tx.all(DeskRow, game=lent, kind="confirm", done=None) if lent else []
    waiting = [_item(act, row) for row in sorted(rows, key=lambda row: row.id)]
    return sorted(waiting, key=lambda item: (item.due is None, item.due or item.opened))


@query
def item(act: CommandContext, id: int) -> DeskItem:
    """One thing on the desk, with all that is needed to settle it."""
    row, _ = _found(act, id, done=True)
    shown = _item(act, row, whole=True)
    if row.kind in READINGS and (choice := _choice(act, row)) is not None and choice.copies:
        return msgspec.structs.replace(shown, facts={**shown.facts, "files": [*shown.facts["files"], *choice.copies]})
    if row.kind != "choose":
        return shown
    among = unpack(row.facts)["submissions"]
    versions = act.tx.all(SubmissionRow, id=among, withdrawn=None)
    open_to_choice = [act.office.numbers.shown("submission", v.id) for v in versions if _may_displace(act, v, among)]
    return msgspec.structs.replace(shown, facts={**shown.facts, "choice": open_to_choice})


@query
def picture(act: CommandContext, item: int, digest: str) -> tuple[str, str, bytes]:
    """A picture that waits to be transcribed, or of a version among
    which to choose: its name, media type and content."""
    row, scene = _found(act, item, done=True)
    submissions = [s.id for s in act.tx.all(SubmissionRow, turn=row.turn, seat=row.seat, chosen=True)]
    submissions += unpack(row.facts).get("submissions", [])
    if scene is None or row.turn is None:
        raise NotFoundError("There is no such picture.")
    turn, choice = act.tx.get(TurnRow, row.turn), _choice(act, row)
    if choice is not None and digest in choice.copies:
        return copy_of(act, choice, digest)
    for number in submissions:
        version = act.tx.get(SubmissionRow, number)
        with contextlib.suppress(NotFoundError):
            return picture_of(act, version, turn, opened_content(act, turn, version), digest)
    raise NotFoundError("There is no such picture.")


@query
def suggest(act: CommandContext, item: int, text: str) -> Checked:
    """How a transcription reads, line by line, before it is signed off."""
    row, scene = _found(act, item)
    scene, turn, seat = _place(act, row, scene)
    return _reads(scene, turn, seat.power, text)


def _reads(scene: GameContext, turn: TurnRow, power: str, text: str) -> Checked:
    seen = scene.rules.seen(position_of(scene.rules, turn.position), power)
    interpreted = interpret_sheet(scene.rules, seen, power, text)
    return checked(scene.row.key, turn.name, interpreted, moment_or_none(turn.deadline))


@command
def choose(act: CommandContext, item: int, submission: int, reason: str) -> DeskItem:
    """Say which of several versions counts, with the reason, which all read (W-20e)."""
    row, scene = _found(act, item, "choose")
    scene, turn, seat = _place(act, row, scene)
    number = act.office.numbers.row("submission", submission)
    version = act.tx.find(SubmissionRow, id=number, turn=turn.id, seat=seat.id, withdrawn=None)
    if version is None:
        raise NotFoundError("There is no such version.")
    if not _may_displace(act, version, unpack(row.facts)["submissions"]):
        raise NotAllowedError(
            f"{seat.power}'s player sent orders: what was entered for them counts only by their word. They can confirm "
            "it until the deadline, or say so in the version's instructions."
        )
    content = opened_content(act, turn, version)
    _set(act, turn, seat.power, take(act, scene, turn, seat, version, content))
    _write_chosen(scene, turn, seat, version.version, _reason(reason))
    scene.append_journal(
        "chosen", turn=turn, seat=seat, power=seat.power, version=version.version, reason=_reason(reason)
    )
    return _close(act, scene, turn, row, reason)


def _write_chosen(scene: GameContext, turn: TurnRow, seat: SeatRow, version: int, reason: str) -> None:
    """Write the coordinator's decision on versions into the chain; 0: none counts."""
    line = kinds.ChosenLine(turn=turn.name, seat=seat.power, version=version, reason=reason)
    write_reading(scene, turn, "chosen", line, seat)


def _may_displace(act: CommandContext, version: SubmissionRow, submissions: list[int]) -> bool:
    """Whether a version may count though the holder sent another: its own, one that the holder confirmed, or one that
    the holder's own instructions ask for."""
    if version.entered_by in OWN_WORD or version.confirmed is not None:
        return True
    own = [row for row in act.tx.all(SubmissionRow, id=submissions) if row.entered_by in OWN_WORD]
    return not own or any(row.asks for row in own)


@command
def decide_unposted(act: CommandContext, item: int, accept: bool, reason: str) -> DeskItem:
    """Accept or refuse a revision whose sheet never came by post (W-20a); the decision is on record for all."""
    row, scene = _found(act, item, "unposted")
    scene, turn, seat = _place(act, row, scene)
    if not accept:
        act.tx.change_where(SubmissionRow, {"chosen": False}, turn=turn.id, seat=seat.id)
        done = {"done": act.at, "note": "refused"}
        act.tx.change_where(DeskRow, done, turn=turn.id, seat=seat.id, kind=["choose", *READINGS], done=None)
        _set(act, turn, seat.power, Chosen())
        _write_chosen(scene, turn, seat, 0, _reason(reason))
    scene.append_journal("unposted", turn=turn, seat=seat, power=seat.power, accepted=accept, reason=_reason(reason))
    return _close(act, scene, turn, row, reason)


@command
def transcribe(act: CommandContext, item: int, text: str) -> Checked:
    """Write down what a picture or a posted sheet says, and sign it off.

    The answer tells how it reads; nobody's turn is shown until all are signed off.
    """
    row, scene = _found(act, item, "transcribe")
    scene, turn, seat = _place(act, row, scene)
    turn = _reads_as(act, scene, turn, seat, text, "signed off")
    scene.append_journal("transcribed", turn=turn, seat=seat, power=seat.power, text=text)
    if scene.row.deputy is not None:
        _ask_deputy(act, scene, turn, seat, row, text)
    _close(act, scene, turn, row, "signed off")
    return _reads(scene, turn, seat.power, text)


def _ask_deputy(act: CommandContext, scene: GameContext, turn: TurnRow, seat: SeatRow, row: DeskRow, text: str) -> None:
    """Have a transcription read a second time; the deputy is told of the first that waits."""
    if not act.tx.count(DeskRow, turn=turn.id, kind="confirm", done=None):
        act.mail("second reading", act.tx.get(PersonRow, scene.row.deputy or 0), game=scene.row, turn=turn)
    facts = {name: value for name, value in unpack(row.facts).items() if name != "readings"}
    act.add_task("confirm", scene.row, turn=turn, seat=seat, due=row.due, **facts, readings=[seals.canonical(text)])


@command
def confirm(act: CommandContext, item: int, text: str) -> Checked:
    """Read a transcription a second time, as the deputy: ``text`` is how the sheet reads to you. Where both read the
    same it counts; else the coordinator decides between the two.
    """
    row, scene = _found(act, item, "confirm")
    scene, turn, seat = _place(act, row, scene)
    facts = unpack(row.facts)
    first = _reads(scene, turn, seat.power, facts["readings"][0])
    second = _reads(scene, turn, seat.power, text)
    if _understood(first) == _understood(second):
        scene.append_journal("confirmed", turn=turn, seat=seat, power=seat.power)
        _close(act, scene, turn, row, "read the same")
    else:
        scene.append_journal("differs", turn=turn, seat=seat, power=seat.power, text=text)
        readings = [*facts.pop("readings"), seals.canonical(text)]
        act.add_task("decide", scene.row, turn=turn, seat=seat, due=row.due, **facts, readings=readings)
        _close(act, scene, turn, row, "read otherwise")
    return second


def _understood(reading: Checked) -> list[str]:
    """What a reading comes to, whatever its notation: its orders, and the words of what is none."""
    lines = [line.order or " ".join(line.text.casefold().split()) for line in reading.lines]
    return [line for line in lines if any(letter.isalnum() for letter in line)]


@command
def decide(act: CommandContext, item: int, text: str, reason: str) -> Checked:
    """Say how a sheet reads of which there are two readings: either of them, or another; the reason is on record for
    all."""
    row, scene = _found(act, item, "decide")
    scene, turn, seat = _place(act, row, scene)
    turn = _reads_as(act, scene, turn, seat, text, _reason(reason))
    scene.append_journal("decided", turn=turn, seat=seat, power=seat.power, text=text, reason=_reason(reason))
    _close(act, scene, turn, row, reason)
    return _reads(scene, turn, seat.power, text)


def _reads_as(
    act: CommandContext,
    scene: GameContext,
    turn: TurnRow,
    seat: SeatRow,
    text: str,
    reason: str,
    *,
    corrected: bool = False,
) -> TurnRow:
    """Have a transcription stand for a power's sheet; what it says for later turns is told when these are opened."""
    choice = chosen_sheets(turn)[seat.power]
    text = seals.canonical(seals.at_the_door(text))
    if chain.is_in(scene, turn):
        now = Turn.parse(turn.name)
        parts = split_sheet(text, now, later_turns(scene.rules, now))
        text = parts.pop(turn.name)
        keep_reading(act.tx, act.office, choice.submission, parts)
    line = kinds.TranscribedLine(
        turn=turn.name,
        seat=seat.power,
        version=choice.version,
        commitment=choice.commitment,
        text=text,
        opened_after=choice.entered_by == "coordinator after the opening",
        reason=reason,
    )
    write_reading(scene, turn, "transcribed", line, seat)
    corrected = corrected or choice.corrected
    why = reason if corrected else choice.reason
    read = msgspec.structs.replace(choice, text=text, transcribed=True, corrected=corrected, reason=why)
    return _set(act, turn, seat.power, read)


@command
def correct(act: CommandContext, game: str, turn: str, power: str, text: str, reason: str) -> Checked:
    """Correct a transcription until the results are final; seen by all. Where there is a deputy, it is read a second
    time. Draft results are taken back and judged anew; they wait to be looked over and published, whatever the day.

    :raises ConflictError: when the results are final, the orders were sent as text, or the seals of the turn after
    it are open.
    """
    scene = act.authorize_game(game, power)
    row = find_turn(scene, turn)
    seat = scene.held
    if row.state not in ("opened", "judged", "draft"):
        raise ConflictError(f"{row.name} is {row.state}; its orders cannot be corrected.")
    choice = chosen_sheets(row)[seat.power]
    if not choice.transcribed:
        raise ConflictError(
            f"{seat.power} sent text, which is judged as it was sent; only transcriptions are corrected."
        )
    if act.tx.count(DeskRow, turn=row.id, seat=seat.id, kind=["confirm", "decide"], done=None):
        raise ConflictError(f"{seat.power}'s sheet is being read a second time; it can be corrected after that.")
    if row.state == "draft":
        row = withdraw_draft(act, scene, row, f"{seat.power}'s sheet is corrected: {_reason(reason)}"[:500])
    row = _reads_as(act, scene, row, seat, text, _reason(reason), corrected=True)
    scene.append_journal("corrected", turn=row, seat=seat, power=seat.power, text=text, reason=_reason(reason))
    if scene.row.deputy is not None:  # reads what was corrected, too, before it is judged
        row = act.tx.change(row, state="opened")
        act.tx.change_where(DeskRow, {"done": act.at, "note": "corrected"}, turn=row.id, kind="publish", done=None)
        first = act.tx.all(DeskRow, turn=row.id, seat=seat.id, kind="transcribe", order="-id", limit=1)
        _ask_deputy(act, scene, row, seat, first[0], text)
    elif row.state == "judged":
        await_publishing(act, scene, judge_turn(act, scene, row))
    return _reads(scene, row, seat.power, text)


@command
def settle(act: CommandContext, item: int, note: str = "", retry: bool = False) -> DeskItem:
    """Put something away that needs no more; with ``retry`` failed work and mail is tried again."""
    row, scene = _found(act, item)
    if row.kind not in CLOSABLE and not _is_over(act, row, scene):
        raise ConflictError("That is settled by doing what it asks for.")
    facts = unpack(row.facts)
    if retry and row.kind == "failed":
        again = {"state": "waiting", "due": act.at, "attempts": 0, "error": ""}
        if "work" in facts:
            act.tx.change_where(WorkRow, again, id=facts["work"], state=["failed", "waiting"])
    if retry and row.kind == "failed mails":
        again_mail(act, row.game)
    if retry and row.kind == "unread mails":
        act.tx.change_where(ArrivalRow, {"state": "again"}, state="aside")
        act.tx.notifications.add("mail")
    if row.kind in UNMATCHED:  # their locked copies go with the next sweep
        put_away = [facts.get("arrival", 0), *(entry.get("arrival", 0) for entry in facts.get("entries", ()))]
        done = {"state": "ignored", "stored": "", "secret": ""}
        act.tx.change_where(ArrivalRow, done, id=put_away, state=["unmatched", "waits"])
    row = act.tx.change(row, done=act.at, person=act.actor.person, note=note[:500])
    if scene is not None:
        scene.append_journal("desk settled", seen_by="coordinator", what=row.kind, note=note[:500])
    return _item(act, row)


ASKED_IN = {"publish": ("judged",), "final": ("draft",)}
"""The states of a turn in which something can be done that lies on the desk; of all else: before it is judged."""


def _is_over(act: CommandContext, row: DeskRow, scene: GameContext | None) -> bool:
    """Whether what an item asks for cannot be done any more: the game or the turn has gone on without it."""
    if scene is None or row.turn is None or scene.row.state in ("ended", "cancelled"):
        return True
    turn = act.tx.get(TurnRow, row.turn)
    return turn.state not in ASKED_IN.get(row.kind, ("opened",))


@command
def retry_all(act: CommandContext) -> int:
    """Try everything again that failed, in the whole office: work, mails that did not arrive, mails that could not be
    read. The answer is how much that is."""
    act.allow()
    again = {"state": "waiting", "due": act.at, "attempts": 0, "error": ""}
    count = act.tx.change_where(WorkRow, again, state="failed")
    count += act.tx.change_where(MailingRow, {**again, "lease": ""}, state="failed")
    count += act.tx.change_where(ArrivalRow, {"state": "again"}, state="aside")
    done = {"done": act.at, "person": act.actor.person, "note": "tried again"}
    act.tx.change_where(DeskRow, done, kind=["failed", "failed mails", "unread mails"], done=None)
    act.tx.notifications |= {"work", "mail"}
    return count


def again_mail(act: CommandContext, game: int | None) -> None:
    """Have the mails of a game (or of none) that failed sent again."""
    again = {"state": "waiting", "due": act.at, "attempts": 0, "error": "", "lease": ""}
    act.tx.change_where(MailingRow, again, game=game, state="failed")
    act.tx.notifications.add("mail")


# Mail that fits no seat


def file_mail(office: Office, arrival: Arrival, sender: str, game: str = "", power: str = "", why: str = "") -> int:
    """Put a mail on the desk that fits no seat: only who sent it and when is told. The answer is the item's number.

    ``game`` and ``power``: what it names.
    """
    with office.store.transaction() as tx:
        act = CommandContext(office, Actor.clock(), tx, "desk.file_mail", office.clock.now())
        row = tx.find(GameRow, key=game) if game else None
        received = arrival.at.isoformat()
        item = act.add_task(
            "unmatched mail",
            row,
            arrival=arrival.id,
            sender=sender[:254],
            received=received,
            likely=power,
            why=why[:300],
        )
        return office.numbers.shown("desk item", item.id)


@command
def assign(act: CommandContext, item: int, game: str, power: str, arrival: int = 0) -> DeskItem:
    """Say whose an unmatched mail is. It stays locked, and on the desk, until the holder of that seat confirms it by a
    link; then its orders count for that seat, as of when it came, if the seals are not open yet. Its sender is told.

    ``arrival``: the number of the mail, where an item lists several.

    :raises NotFoundError: for a coordinator, where it does not name the own game.
    """
    scene = act.authorize_game(game, power)
    row = act.tx.find(DeskRow, id=act.office.numbers.row("desk item", item), kind=list(UNMATCHED), done=None, lock=True)
    if row is None or not (scene.roles & {"administrator", "console"} or row.game == scene.row.id):
        raise NotFoundError("That is not on the desk.")
    facts = unpack(row.facts)
    wanted = act.office.numbers.row("mail", arrival)
    listed = [entry for entry in facts.get("entries", ()) if entry.get("arrival") == wanted]
    mail = listed[0] if listed else facts
    waiting = act.tx.find(ArrivalRow, id=mail.get("arrival", 0), lock=True)
    if waiting is None or waiting.state not in ("unmatched", "waits"):
        raise ConflictError("This mail cannot be given to anybody any more; ask its sender to send it again.")
    if scene.held.person is None:
        raise ConflictError(f"{scene.held.power} has no player who could confirm it.")
    give_to(act, waiting, scene.held, mail["sender"])
    if ADDRESS.fullmatch(mail["sender"]) and "assigned" not in mail:
        act.mail("mail passed on", None, address=mail["sender"], at=moment(waiting.at).isoformat())
    scene.append_journal("mail assigned", seat=scene.held, power=scene.held.power, seen_by="coordinator")
    mail["assigned"] = f"{scene.held.power} in {scene.row.name}"
    return _item(act, act.tx.change(row, facts=pack(facts)))


# Small steps


def _found(act: CommandContext, id: int, kind: str = "", *, done: bool = False) -> tuple[DeskRow, GameContext | None]:
    """Something on the desk of a game that the actor coordinates, or that is the deputy's to read."""
    row = act.tx.find(DeskRow, id=act.office.numbers.row("desk item", id), lock=True)
    if row is None:
        raise NotFoundError("That is not on the desk.")
    scene = None
    if row.game is not None:
        scene = act.scene(act.tx.get(GameRow, row.game))
        if row.kind != "confirm" and _is_deputy(scene):
            raise NotFoundError("That is not on your desk.")
    else:
        act.allow()
    if row.done is not None and not done:
        raise ConflictError("Somebody has settled that already.")
    if kind and row.kind != kind:
        raise ConflictError(f"That waits to be settled otherwise: {row.kind}.")
    return row, scene


def _choice(act: CommandContext, row: DeskRow) -> Chosen | None:
    """What counts of the power about whose turn an item is, once it was chosen."""
    if row.turn is None or row.seat is None:
        return None
    return chosen_sheets(act.tx.get(TurnRow, row.turn)).get(act.tx.get(SeatRow, row.seat).power)


def _is_deputy(scene: GameContext) -> bool:
    """Return whether the actor is a deputy, who sees only second readings on the desk."""
    return not scene.roles & {"coordinator", "console", "administrator"}


def _place(act: CommandContext, row: DeskRow, scene: GameContext | None) -> tuple[GameContext, TurnRow, SeatRow]:
    if scene is None or row.turn is None or row.seat is None:
        raise ConflictError("That belongs to no seat.")
    turn = act.tx.get(TurnRow, row.turn, lock=act.tx.writes)
    return scene, turn, act.tx.get(SeatRow, row.seat)


def _set(act: CommandContext, turn: TurnRow, power: str, choice: Chosen) -> TurnRow:
    turn = act.tx.get(TurnRow, turn.id)
    chosen = {**chosen_sheets(turn), power: choice}
    return act.tx.change(turn, sheets=pack(msgspec.to_builtins(chosen)))


def _close(act: CommandContext, scene: GameContext, turn: TurnRow, row: DeskRow, note: str) -> DeskItem:
    row = act.tx.change(row, done=act.at, person=act.actor.person, note=note[:500])
    go_on_if_clear(act, scene, act.tx.get(TurnRow, turn.id))
    return _item(act, row)


def _reason(reason: str) -> str:
    if not reason.strip():
        raise InvalidInputError("Say why; all players read it.", faults=["reason: empty"])
    return reason.strip()[:500]


def _item(act: CommandContext, row: DeskRow, *, whole: bool = False) -> DeskItem:
    facts = unpack_facts(row.facts)
    game = act.tx.get(GameRow, row.game) if row.game is not None else None
    turn = act.tx.get(TurnRow, row.turn) if row.turn is not None else None
    power = act.tx.get(SeatRow, row.seat).power if row.seat is not None else ""
    words = {
        "power": power,
        "turn": turn.name if turn else "",
        "what": "",
        "subject": "",
        "count": 0,
        "why": "",
        "title": "",
        "version": "",
        **facts,
    }
    hidden = {"locked", "subject", "arrival", "work", *(() if whole else ("texts", "readings"))}
    numbers = act.office.numbers
    shown = {k: v for k, v in facts.items() if k not in hidden}
    if "submissions" in shown:
        shown["submissions"] = [numbers.shown("submission", number) for number in shown["submissions"]]
    if "entries" in shown:
        shown["entries"] = [
            {**mail, "arrival": numbers.shown("mail", mail["arrival"])} if mail.get("arrival") else mail
            for mail in shown["entries"]
        ]
    return DeskItem(
        id=numbers.shown("desk item", row.id),
        kind=row.kind,
        game=game.key if game else "",
        turn=turn.name if turn else "",
        power=power,
        text=NEEDS.get(row.kind, row.kind).format(**words),
        due=moment_or_none(row.due),
        opened=moment(row.opened),
        facts=shown,
        submissions=tuple(shown.get("submissions", ())),
    )
