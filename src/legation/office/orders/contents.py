"""Contents of submissions, for those who may open them, how the office reads them, and what people are told of them."""

import base64
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from legation.formats import decode_json
from legation.game import SheetCheck, check_orders
from legation.game.sheets import Understood, interpret_sheet
from legation.judge import Ruleset
from legation.notation import capital, write
from legation.office.clock import moment
from legation.office.context import CommandContext, GameContext
from legation.office.errors import InvalidInputError, KeyNotReleasedError, NotAllowedError, NotFoundError
from legation.office.game.submission_records import is_own
from legation.office.game.turns import position_of
from legation.office.game.views import OVER, viewpoint
from legation.office.keys import seals
from legation.office.keys.seals import SealContent
from legation.office.records import Checked, CheckedLine, SubmissionRecord, record_of
from legation.office.store.packing import unpack
from legation.office.store.rows import FileRow, GameRow, JournalRow, PersonRow, SeatRow, SubmissionRow, TurnRow
from legation.orders import Order, province_at
from legation.position import Position

NOTHING = "There is no such submission."


def own_submission(act: CommandContext, submission: int) -> tuple[SubmissionRow, GameContext, TurnRow]:
    """Return a submission with its game, for who sent it, or has held the seat since before it was sent. A command that
    changes it locks its turn: none changes while the turn is being closed."""
    row = act.wanted(SubmissionRow, NOTHING, id=act.office.numbers.row("submission", submission))
    turn = act.tx.get(TurnRow, row.turn, lock=act.tx.writes)
    row = act.tx.get(SubmissionRow, row.id)  # as it is now
    game = act.tx.get(GameRow, turn.game)
    seat = act.tx.get(SeatRow, row.seat)
    scene = act.scene(game, seat.power, NOTHING)
    if not row.sealed:
        raise NotFoundError("This isn't stored here: it was sent to another office, or its sender's data was erased.")
    others = row.entered_by == "holder" and row.person not in (None, act.actor.person)
    if (seat.since or 0) > row.received or (others and (seat.since or 0) == row.received):
        raise NotAllowedError("The previous player of this seat sent it.")
    return row, scene, turn


def content_of(scene: GameContext, turn: TurnRow, row: SubmissionRow, reading_key: str) -> SealContent:
    """Return what was sent, for its holder, by the receipt's key or once the turn is open (KeyNotReleasedError)."""
    if reading_key and row.own:
        try:
            key = base64.b64decode(reading_key, validate=True)
        except ValueError:
            raise KeyNotReleasedError("This isn't a reading key. Copy it from your receipt.") from None
        return decode_json(seals.unlock_padded(key, row.own), type=SealContent)
    try:
        return opened_content(scene.act, turn, row)
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
    """A picture of what was opened: name, media type, content; NotFoundError for no such digest."""
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


def letter_copy(act: CommandContext, letter: int, digest: str) -> tuple[str, str, bytes]:
    """A photograph of an opened letter: name, media type, content; NotFoundError for no such digest."""
    file = act.tx.find(FileRow, submission=letter, digest=digest) if digest else None
    if file is None:
        raise NotFoundError("There is no such picture.")
    return file.name, file.media_type, seals.unlock_padded(act.office.master_key, act.office.files.get(file.stored))


def read_sheet(scene: GameContext, turn: TurnRow, power: str, text: str) -> Understood:
    """Read a sheet of a power, in the position that it sees."""
    rules = scene.rules
    return interpret_sheet(rules, rules.seen(position_of(rules, turn.position), power), power, text)


def refuse_long(act: CommandContext, *texts: str) -> None:
    """Refuse a sheet or a note that is too long. Raises InvalidInputError with how long they may be."""
    most = act.office.settings.largest_sheet
    if any(len(text) > most for text in texts):
        raise InvalidInputError(
            f"A sheet, or a note with pictures, has at most {most:,} characters.", faults=["text: too long"]
        )


def checked(scene: GameContext, turn: TurnRow, understood: Understood) -> Checked:
    """Return what people are told of a sheet."""
    check = understood.check
    return record_of(
        Checked,
        check,
        game=scene.row.key,
        turn=turn.name,
        lines=tuple(_lines(check)),
        orders=tuple(write(o) for o in check.sheet.orders),
        ahead=understood.ahead,
        instructions=understood.parts.instructions,
        deadline=moment(turn.deadline),
    )


def _lines(check: SheetCheck) -> Iterable[CheckedLine]:
    for entry in check.entries:
        problem = entry.problem
        yield record_of(
            CheckedLine,
            entry,
            problem=problem.kind if problem else None,
            message=problem.message if problem else "",
            suggestions=problem.suggestions if problem else (),
            at=problem.span if problem else None,
        )


SEALED = ("open", "waiting", "closed", "aside", "lost")
"""States of a turn in which nothing is known of what was sent for it."""
ENTERED_BY_COORDINATOR = ("coordinator", "coordinator after the opening")


def may_know_senders(scene: GameContext, turn: TurnRow, seat: SeatRow) -> bool:
    """Return whether the reader may know if a power has sent anything in this turn."""
    if seat.power in scene.own:
        return True
    if viewpoint(scene) is not None:
        return False  # who has anything to order tells where there are units
    if turn.state in ("draft", "final") or (scene.runs_it and turn.state not in SEALED):
        return True
    shown = scene.settings.shows_senders
    return shown == "all" or (shown == "coordinator" and scene.runs_it)


def may_know_version(scene: GameContext, turn: TurnRow, seat: SeatRow, row: SubmissionRow) -> bool:
    """Return whether the reader may know that this version came."""
    return may_know_senders(scene, turn, seat) or (scene.runs_it and row.entered_by in ENTERED_BY_COORDINATOR)


def committed_to(scene: GameContext, turn: TurnRow) -> list[SubmissionRow]:
    """The versions of a turn whose commitments the reader may have now. How many were sent, and when, is told by
    each: so where senders are hidden all enter at the closing, in an order that tells nothing (:mod:`chain`), and
    where rules hide positions a player has the own ones alone."""
    seats = {seat.id: seat for seat in scene.seats.values()}
    told = turn.state not in ("open", "waiting", "aside") and viewpoint(scene) is None
    rows = scene.tx.all(SubmissionRow, turn=turn.id)
    known = [row for row in rows if may_know_version(scene, turn, seats[row.seat], row)]
    numbers = {row.id for row in known}
    others = [row for row in rows if row.id not in numbers] if told else []
    return known + sorted(others, key=lambda row: row.commitment)


def _beside(row: SubmissionRow, among: Sequence[SubmissionRow]) -> str:
    """What another version of the seat makes of this one, by :func:`legation.proofs.records.choose_version`."""
    others = [r for r in among if r.seat == row.seat and r.id != row.id and r.counts and r.withdrawn is None]
    own = [r.version for r in others if is_own(r)]
    entered = [r.version for r in others if not is_own(r) and r.entered_by in ENTERED_BY_COORDINATOR]
    if any(version > row.version for version in (own if own or is_own(row) else entered)):
        return "replaced"
    return "waits for you" if own and not is_own(row) else ""


def submission_records(scene: GameContext, turn: TurnRow, seats: list[SeatRow]) -> list[SubmissionRecord]:
    """Return the versions of some seats in a turn that the reader may know of, with senders' names."""
    by_id = {seat.id: seat for seat in seats}
    rows = scene.tx.all(SubmissionRow, turn=turn.id, seat=list(by_id))
    rows = [row for row in rows if may_know_version(scene, turn, by_id[row.seat], row)]
    ids = [r.person for r in rows if r.person is not None]
    names = {p.id: p.name for p in scene.tx.all(PersonRow, id=ids)}
    lines = scene.tx.all(JournalRow, game=scene.row.id, kind="submitted", turn=turn.id)
    told = [(line.seat, unpack(line.facts)) for line in lines]
    unsigned = {(seat, facts["version"]) for seat, facts in told if facts.get("unsigned")}
    return [
        msgspec.structs.replace(
            submission_record(row, scene, turn, by_id[row.seat], names, among=rows),
            unsigned=(row.seat, row.version) in unsigned,
        )
        for row in rows
    ]


def submission_record(
    row: SubmissionRow,
    scene: GameContext,
    turn: TurnRow,
    seat: SeatRow,
    names: Mapping[int, str] | None = None,
    among: Sequence[SubmissionRow] = (),
) -> SubmissionRecord:
    """Return a version as its reader may know it; ``names``: of senders, ``among``: the versions of its seat."""
    knows = may_know_version(scene, turn, seat, row)
    own = knows and (seat.power in scene.own or scene.runs_it)
    told = knows and (own or not scene.settings.anonymous or scene.row.state in OVER)
    standing = "counts" if row.counts else "nothing understood"
    if row.entered_by == "assigned" and row.confirmed is None:
        standing = "waits for you"
    if row.withdrawn is not None:
        standing = "withdrawn"
    elif row.counts and standing == "counts" and (known := _beside(row, among)):
        standing = known
    elif row.asks:
        standing = "asks"
    if turn.state in ("judged", "draft", "final") and row.counts and row.withdrawn is None:
        standing = "counts" if row.chosen else "replaced"
    return SubmissionRecord(
        id=scene.office.numbers.shown("submission", row.id) if own else 0,
        power=seat.power if knows else "",
        turn=turn.name,
        version=row.version if may_know_senders(scene, turn, seat) else 0,  # from 2 on it tells of others
        channel=row.channel if own else "",
        kind=row.kind if own else "",
        received=moment(row.received) if told else None,
        commitment=row.commitment,
        standing=standing if own or turn.state in ("judged", "draft", "final") else "",
        files=scene.tx.count(FileRow, submission=row.id) if own else 0,
        sender=(names or {}).get(row.person or 0) if own or not scene.settings.anonymous else None,
        entered_by=row.entered_by if own or turn.state not in SEALED else "",
    )


def read_by_power(rules: Ruleset, position: Position, text: str) -> tuple[dict[str, list[Order]], list[str]]:
    """Return the orders of a text by power, and all that isn't an order or can't be one. ``position`` is as the writer
    sees it; where rules hide a part, orders there may be guesses."""
    found: dict[str, list[Order]] = {}
    faults: list[str] = []
    owners = {unit.province: unit.power for unit in position.units}
    owners |= {one.unit.province: one.unit.power for one in position.dislodged}
    for power, (orders, errors) in rules.reader.sheets(text, position.turn.phase, position).items():
        faults += [f"orders: {error}" for error in errors]
        for order in orders:
            whose = power or owners.get(province_at(order), "")
            if whose:
                found.setdefault(whose, []).append(order)
            else:
                faults.append(f"orders: whose is {write(order)}? Write the power before it, 'France: ...'")
    if not rules.steps["visible_provinces"]:
        for power, orders in found.items():
            checked = check_orders(rules, position, power, orders)
            faults += [f"{power}: {one.problem.message}" for one in checked.entries if one.problem is not None]
    return {power: found[power] for power in rules.powers if power in found}, [capital(fault) for fault in faults]
