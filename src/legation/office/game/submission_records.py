"""Submissions as records and lines of the chain: commitments, the signed receipt, the holder's word on versions."""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from legation.game.sheets import later_turns, split_sheet
from legation.office.clock import micros, moment
from legation.office.context import GameContext
from legation.office.errors import InvalidInputError, LimitExceededError, TooLateError
from legation.office.game import chain
from legation.office.game.readiness import times_ready
from legation.office.keys.notices import KeyRequest
from legation.office.keys.seals import SealContent, SealedPicture
from legation.office.records import record_of
from legation.office.store.packing import unpack
from legation.office.store.rows import JournalRow, LineRow, ReadinessRow, RecordRow, SeatRow, SubmissionRow, TurnRow
from legation.position import Turn
from legation.proofs import kinds
from legation.proofs.receipts import SignedReceipt, SignedRefusal, receipt_json, signed_by
from legation.proofs.records import (
    Record,
    SeatSignature,
    SentFile,
    Submission,
    make_record,
    read_record,
    word_statement,
)
from legation.proofs.signing import signed

OWN_WORD = ("holder", "bot")
"""By whom a version is entered that counts by itself; what another enters displaces none of these."""
ENTERED = {"coordinator after the opening": "coordinator"}
"""How a record calls who entered it, where the reading of it says more."""


def is_own(row: SubmissionRow) -> bool:
    """Return whether a version counts by itself: the holder or a bot entered it, or the holder confirmed it."""
    return row.entered_by in OWN_WORD or row.confirmed is not None


class NewSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent in for a seat. ``pictures``: name, content, media type. ``entered_by``: "holder", "bot", "assigned"
    (a mail that somebody else gave to this seat), "coordinator" (for somebody, from what was sealed before the
    deadline), "coordinator after the opening" (for somebody, from what is read after it)."""

    channel: str
    received: datetime
    text: str = ""
    kind: Literal["text", "pictures", "posted"] = "text"
    pictures: tuple[tuple[str, bytes, str], ...] = ()
    note: str = ""
    version: int = 0
    entered_by: str = "holder"
    nonce: str = ""
    signatures: tuple[str, ...] = ()


def make_records(
    scene: GameContext, turn: TurnRow, seat: SeatRow, said: NewSubmission, pictures: Sequence[SealedPicture]
) -> list[Record]:
    """The records of a sheet: of its turn, then of each later turn of the season, empty or not. Raises
    InvalidInputError for a nonce that is none, or was used, and for signatures that the seat's key did not make."""
    now, rules = Turn.parse(turn.name), scene.rules
    texts = split_sheet(said.text, now, later_turns(rules, now))
    files = tuple(SentFile(picture.digest, picture.digest, picture.media_type) for picture in pictures)
    records = []
    for place, (name, text) in enumerate(texts.items()):
        first = place == 0
        try:
            submission = msgspec.convert(
                {
                    "game": scene.row.ref,
                    "turn": name,
                    "given_in": turn.name,
                    "seat": seat.power,
                    "version": said.version,
                    "channel": said.channel,
                    "received": micros(said.received),
                    "entered_by": ENTERED.get(said.entered_by, said.entered_by),
                    "text": text,
                    "files": msgspec.to_builtins(files) if first else [],
                    "note": said.note if first else "",
                    "nonce": said.nonce,
                },
                Submission,
            )
        except msgspec.ValidationError as error:
            raise InvalidInputError("A nonce has 32 or 64 hexadecimal digits.", faults=[f"nonce: {error}"]) from None
        records.append(make_record(_with_signature(seat, submission, said, place), scene.office.random_source.bytes))
    if said.signatures and len(said.signatures) != len(records):
        wanted = f"signatures: {len(records)} are wanted, one for each of {', '.join(texts)}"
        raise InvalidInputError("Every turn of the season needs one signature.", faults=[wanted])
    return records


def own_text(content: SealContent) -> str:
    """Return what of a sheet is for the turn in which it was sent."""
    return read_record(content.records[0]).submission.text


def _with_signature(seat: SeatRow, submission: Submission, said: NewSubmission, place: int) -> Submission:
    if not said.signatures or place >= len(said.signatures):
        return submission
    signature = said.signatures[place]
    if not signed(seat.key, signature, "sheet", submission.statement()):
        raise InvalidInputError(
            "The seat's key did not sign this.", faults=[f"signatures[{place}]: not by the key of {seat.power}"]
        )
    return msgspec.structs.replace(submission, signature=SeatSignature(seat.key, signature))


def refuse_signature(scene: GameContext, what: str, statement: dict[str, Any], signature: str) -> None:
    """Raise InvalidInputError for a signature that the seat's key did not make. A word without one is taken, and called
    unsigned; such a "ready" ends no turn early where the key is asked for."""
    if signature and not signed(scene.held.key, signature, what, statement):
        raise InvalidInputError(
            "This signature doesn't match the current state. Reload the page and try again.",
            faults=[f"signature: not by the key of {scene.held.power}, or of something else"],
        )


def write_sent(
    scene: GameContext, turn: TurnRow, seat: SeatRow, version: int, records: Sequence[Record]
) -> LineRow | None:
    """Write at once who has sent, where all may know it; elsewhere it is told when the turn is closed."""
    if not chain.shows_senders(scene):
        return None
    listed = [kinds.SentRecord(turn=r.submission.turn, commitment=r.commitment) for r in records]
    return chain.write(
        scene, "sent", kinds.SentLine(turn=turn.name, seat=seat.power, version=version, records=listed), turn
    )


WORDS = {"withdrawn": "withdrawn", "confirmed": "entered is confirmed", "refused": "entered is refused"}
"""The holder's words on a version: each as a line of the chain, and as one of the journal."""


def write_word(scene: GameContext, turn: TurnRow, kind: str, version: int, signature: str) -> None:
    """Write the holder's word on a version: into the chain at once where all may know who has sent, else when the turn
    is closed. Raises InvalidInputError for a signature that the seat's key did not make."""
    seat = scene.held
    refuse_signature(scene, kind, word_statement(scene.row.ref, turn.name, seat.power, version), signature)
    if not signature:
        tell_unsigned(scene, turn, f"version {version} was {kind}")
    if chain.shows_senders(scene):
        chain.write(scene, kind, _word_line(turn, seat, version, signature), turn)
    seen = "all" if kind == "refused" and scene.settings.shows_senders == "all" else "seat"
    facts = {"signature": signature} if signature else {}
    scene.append_journal(WORDS[kind], turn=turn, seat=seat, seen_by=seen, version=version, **facts)


def tell_unsigned(scene: GameContext, turn: TurnRow, what: str) -> None:
    """Tell a seat's holder at once what came in the seat's name and wasn't signed by the key that it has."""
    if scene.held.key:
        scene.mail("unsigned", turn, [scene.held.power], what=what)


def _word_line(turn: TurnRow, seat: SeatRow, version: int, signature: str) -> kinds.WordLine:
    return kinds.WordLine(turn=turn.name, seat=seat.power, version=version, signature=signature or msgspec.UNSET)


def ready_line(turn: TurnRow, seat: SeatRow, said: ReadinessRow, again: int) -> kinds.ReadyLine:
    """The line of the chain that a seat is ready, which it was ``again`` times before."""
    return kinds.ReadyLine(
        turn=turn.name, seat=seat.power, version=said.version, signature=said.signature, again=again or msgspec.UNSET
    )


def write_hidden(scene: GameContext, turn: TurnRow) -> None:
    """Write, before a turn is closed, what was sent where senders are hidden: all commitments, sorted; and in private
    lines whose they are, which were withdrawn, refused and confirmed, and who is ready. Where rules hide positions,
    only one private hash of all that for each seat, since who sends has something to order."""
    tx = scene.tx
    if chain.shows_senders(scene) or not chain.is_in(scene, turn):
        return
    chain.write_keys(scene, turn)
    seats = {seat.id: seat for seat in scene.seats.values()}
    words: dict[tuple[str, int | None, int], str] = {}  # their signatures
    for entry in tx.all(JournalRow, game=scene.row.id, kind=list(WORDS.values()), turn=turn.id):
        facts = unpack(entry.facts)
        words[entry.kind, entry.seat, facts["version"]] = facts.get("signature", "")
    everything: list[kinds.SentRecord] = []
    told: list[chain.Private] = []
    for row in tx.all(SubmissionRow, turn=turn.id, order="version"):
        seat = seats[row.seat]
        records = [
            kinds.SentRecord(turn=r.turn_name, commitment=r.commitment) for r in tx.all(RecordRow, submission=row.id)
        ]
        everything += records
        line = kinds.SentLine(turn=turn.name, seat=seat.power, version=row.version, records=records)
        told.append(("sent", line, seat))
        for kind, noted in WORDS.items():
            if (signature := words.get((noted, seat.id, row.version))) is not None:
                told.append((kind, _word_line(turn, seat, row.version, signature), seat))
    for said in tx.all(ReadinessRow, turn=turn.id):
        seat = seats[said.seat]
        told.append(("ready", ready_line(turn, seat, said, times_ready(scene.tx, turn, seat) - 1), seat))
    if chain.hides(scene):
        chain.write_of_seats(scene, turn, told)
        return
    if everything:
        everything.sort(key=lambda record: record.commitment)
        chain.write(scene, "commitments", kinds.CommitmentsLine(turn=turn.name, records=everything))
    chain.write_private_line(scene, told)


def hold_up(scene: GameContext, turn: TurnRow, why: str) -> None:
    """Have the keeper hold up a turn, its time standing still, until it is told a deadline."""
    signature = scene.office.keeper.hold(turn.sealed_by, why)
    write_deadline(scene, turn, signature, 0, why)


def keep_until(scene: GameContext, turn: TurnRow, closes: int, why: str) -> int:
    """Have the keeper keep a turn's key until a time, or longer; return the deadline that stands (microseconds)."""
    keeper = scene.office.keeper
    signature = keeper.move(turn.sealed_by, moment(closes))
    stands = keeper.make(turn.sealed_by, KeyRequest()).due
    write_deadline(scene, turn, signature, stands, why)
    return stands


def write_deadline(scene: GameContext, turn: TurnRow, signature: str, due: int, why: str) -> None:
    """Write into the chain what deadline the keeper acknowledged; 0: none until it is told one."""
    chain.write(scene, "deadline", kinds.DeadlineLine(turn=turn.name, due=due, why=why[:500], keeper=signature), turn)


@contextlib.contextmanager
def signs_refusals(scene: GameContext, nonce: str = "") -> Iterator[None]:
    """Sign what is refused meanwhile of what a seat's holder sends: that it came, when, and why it was not taken."""
    try:
        yield
    except (TooLateError, LimitExceededError, InvalidInputError) as error:
        if scene.row.turn is not None:
            game, seat, turn, reason = scene.row.ref, scene.held.power, scene.turn().name, error.message
            refusal = SignedRefusal(game=game, seat=seat, turn=turn, at=scene.at, reason=reason, nonce=nonce[:64])
            error.proof = receipt_json(signed_by(scene.office.signing, refusal))
        raise


def signed_receipt(
    scene: GameContext, turn: TurnRow, row: SubmissionRow, records: Sequence[Record], line: LineRow | None
) -> str:
    """The receipt that the office signs, as canonical JSON."""
    last = line or chain.last_signed(scene)
    receipt = record_of(
        SignedReceipt,
        row,
        game=scene.row.ref,
        seat=scene.seats[records[0].submission.seat].power,
        turn=turn.name,
        records=[kinds.SentRecord(turn=r.submission.turn, commitment=r.commitment) for r in records],
        line=last.n,
        head=last.hash,
        hidden=line is None,
        openings=[record.open() for record in records],
    )
    return receipt_json(signed_by(scene.office.signing, receipt))
