"""A whole game as a document: the form of each part, how it is written, and the chain with what is behind it, sealed,
for the office that goes on with it.

It has what is public once a turn is over, and what its coordinator may see. What is sealed stays behind: orders of the
open turn are sent again, pictures are told by their digests, letters stay. Times and lines of the journal of another
office's document are checked."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import SealedBox
from nacl.signing import SigningKey, VerifyKey

from legation.formats import decode_json
from legation.office.context import CommandContext, GameContext
from legation.office.errors import ConflictError, InvalidInputError, KeyNotReleasedError, UnavailableError
from legation.office.game import chain
from legation.office.game.journal import SENTENCES
from legation.office.game.judging import Chosen, chosen_sheets
from legation.office.game.results import untold
from legation.office.hosting import exports, proofs
from legation.office.keys import seals
from legation.office.keys.public_numbers import Kind
from legation.office.office import Office
from legation.office.records import Document, PlayedState, PublishedState, SeatState, record_of
from legation.office.store import queries
from legation.office.store.packing import unpack
from legation.office.store.rows import (
    GameRow,
    HoldingRow,
    JournalRow,
    LineRow,
    PersonRow,
    PrivateRow,
    RecordRow,
    SeatRow,
    SubmissionRow,
    TurnRow,
)
from legation.office.terms.plans import GameSettings
from legation.proofs import kinds
from legation.proofs.canonical import CanonicalError, decode, encode
from legation.proofs.chain import Head, JournalLine, PrivateOpening
from legation.proofs.kinds import GameLine, TransferredLine, read_data
from legation.proofs.lots import secret_commitment
from legation.proofs.records import Digest, Opening
from legation.proofs.transcript import Header, Transcript, write_transcript
from legation.proofs.verifying import verify

FORMAT: Literal["legation kept game 1"] = "legation kept game 1"


Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class KeptPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The form of every part."""


class KeptPerson(KeptPart, frozen=True, kw_only=True):
    """Somebody in the game; ``number`` is how the other parts name them."""

    number: int
    name: str
    email: str | None


class KeptSeat(KeptPart, frozen=True, kw_only=True):
    """A power's state and the dates of its holders."""

    power: str
    state: SeatState
    person: int | None
    bot: str
    missed: Count
    holders: tuple[KeptHolding, ...]
    machine: bool = False
    stand_in: bool = False


class KeptHolding(KeptPart, frozen=True, kw_only=True):
    """Holder of a power, with the times."""

    person: int | None
    bot: str
    since: Moment
    until: Moment | None
    why: str
    ref: str = ""  # by which the chain names the person, in a game that was handed over


class KeptSubmission(KeptPart, frozen=True, kw_only=True):
    """A thing sent in, without what it said; ``number`` is how the sheets name it."""

    number: int
    power: str
    person: int | None
    version: Count
    channel: str
    kind: str
    received: Moment
    commitment: str
    counts: bool
    chosen: bool
    withdrawn: Moment | None


class KeptTurn(KeptPart, frozen=True, kw_only=True):
    """A turn with results; a sheet that looks ahead is without its text until the season is over."""

    number: Count
    name: str
    key: str
    state: PublishedState
    opened: Moment
    season_opened: Moment
    deadline: Moment
    first_deadline: Moment
    closed: Moment | None
    published: Moment | None
    final: Moment | None
    final_due: Moment | None
    moves: Count
    awaited: tuple[str, ...]
    seed_commitment: str
    seed: str
    position: Document
    result: Document
    sheets: dict[str, Chosen]
    submissions: tuple[KeptSubmission, ...]


class KeptOpenTurn(KeptPart, frozen=True, kw_only=True):
    """The turn that waits for orders: it opens anew where the game is taken in."""

    number: Count
    name: str
    season_opened: Moment
    position: Document


class KeptEntry(KeptPart, frozen=True, kw_only=True):
    """A line of the journal; those that only a seat's holder sees are left out."""

    at: Moment
    kind: str
    role: str
    person: int | None
    seen_by: Literal["all", "coordinator", "office"]
    turn: str
    power: str
    facts: Document


class KeptGame(KeptPart, frozen=True, kw_only=True):
    """A whole game."""

    format: Literal["legation kept game 1"]
    key: str
    name: str
    variant: str
    options: dict[str, Any]
    rules_digest: str
    state: PlayedState
    settings: GameSettings
    coordinator: int | None
    created: Moment
    started: Moment | None
    ended: Moment | None
    ending: Document | None
    deal_commitment: str
    people: tuple[KeptPerson, ...]
    seats: tuple[KeptSeat, ...]
    turns: tuple[KeptTurn, ...]
    open_turn: KeptOpenTurn | None
    journal: tuple[KeptEntry, ...]
    transcript: str  # that of :mod:`legation.office.hosting.proofs`
    deputy: int | None = None
    handed: str = ""  # all that is behind the chain, sealed to the office that goes on with it


def keep(scene: GameContext) -> Document:
    """A game as a document."""
    row, tx = scene.row, scene.tx
    names = {t.id: t.name for t in queries.turn_lines(tx, row.id)}
    powers = {s.id: p for p, s in scene.seats.items()}
    published = list(exports.published_turns(scene))
    holdings = tx.all(HoldingRow, seat=list(powers))
    journal = [e for e in tx.all(JournalRow, game=row.id) if e.seen_by != "seat"]
    turns = tuple(_kept_turn(scene, turn, powers) for turn in published)
    numbers = {h.person for h in holdings} | {_who_did(e) for e in journal} | {row.coordinator, row.deputy}
    numbers |= {s.person for s in tx.all(SubmissionRow, turn=[turn.id for turn in published])}
    people = tx.all(PersonRow, id=sorted(n for n in numbers if n is not None))
    played = {h.person for h in holdings} | {row.coordinator, row.deputy}  # others gave their address to nobody here
    is_open = row.state in ("running", "paused") and (row.turn or 0) > len(published)
    waits = scene.turn() if is_open else None
    game = record_of(
        KeptGame,
        row,
        format=FORMAT,
        options=unpack(row.options),
        settings=scene.settings,
        coordinator=_shown(scene, "person", row.coordinator),
        ending=unpack(row.ending) if row.ending else None,
        people=tuple(
            record_of(KeptPerson, p, number=_shown(scene, "person", p.id), email=p.email if p.id in played else None)
            for p in people
        ),
        seats=tuple(_kept_seat(scene, s, [h for h in holdings if h.seat == s.id]) for s in scene.seats.values()),
        turns=turns,
        open_turn=record_of(KeptOpenTurn, waits, position=unpack(waits.position)) if waits is not None else None,
        journal=tuple(_kept_entry(scene, e, names, powers) for e in journal),
        transcript=proofs.transcript.within(scene),
        deputy=_shown(scene, "person", row.deputy),
        handed=hand(scene) if row.state == "moved" else "",
    )
    document: Document = msgspec.to_builtins(game)
    return document


def _shown(scene: GameContext, kind: Kind, row: int | None) -> int | None:
    return scene.office.numbers.shown(kind, row) if row else row


def _kept_seat(scene: GameContext, seat: SeatRow, holdings: list[HoldingRow]) -> KeptSeat:
    holders = tuple(record_of(KeptHolding, h, person=_shown(scene, "person", h.person)) for h in holdings)
    return record_of(KeptSeat, seat, person=_shown(scene, "person", seat.person), holders=holders)


def _kept_turn(scene: GameContext, turn: TurnRow, powers: dict[int, str]) -> KeptTurn:
    sheets = {}
    for power, sheet in chosen_sheets(turn).items():
        kept = msgspec.structs.replace(sheet, submission=_shown(scene, "submission", sheet.submission) or 0)
        sheets[power] = msgspec.structs.replace(kept, text="") if untold(scene, turn, sheet.text) else kept
    submissions = []
    for sent in scene.tx.all(SubmissionRow, turn=turn.id):
        number, person = _shown(scene, "submission", sent.id), _shown(scene, "person", sent.person)
        submissions.append(record_of(KeptSubmission, sent, number=number, power=powers[sent.seat], person=person))
    awaited = tuple(filter(None, turn.awaited.split("\n")))
    told = {"seed": turn.drawn, "position": unpack(turn.position), "result": unpack(turn.result)}
    return record_of(KeptTurn, turn, awaited=awaited, sheets=sheets, submissions=tuple(submissions), **told)


def _who_did(row: JournalRow) -> int | None:
    """Who did what a line tells; nobody for the office's doing, since whose request that was may be secret."""
    return None if row.role == "clock" else row.person


def _kept_entry(scene: GameContext, row: JournalRow, names: dict[int, str], powers: dict[int, str]) -> KeptEntry:
    facts = {name: fact for name, fact in unpack(row.facts).items() if name != "deputy"}  # a number of this office
    person, turn = _shown(scene, "person", _who_did(row)), names.get(row.turn or 0, "")
    return record_of(KeptEntry, row, person=person, turn=turn, power=powers.get(row.seat or 0, ""), facts=facts)


RESULTS: list[Any] = [("orders", dict[str, list[str]]), ("corrected", list[str], [])]
ASKED: list[Any] = [("what", str), ("whom", str), ("hours", int)]
FORMS: dict[str, list[Any]] = {
    "turn opened": [("deadline", Moment), ("awaited", list[str], [])],
    "deadline moved": [("deadline", Moment), ("reason", str)],
    **dict.fromkeys(("draft results", "final results"), RESULTS),
    "vote begun": [*ASKED, ("reason", str)],
    **dict.fromkeys(("vote", "vote taken back", "vote carried"), ASKED),
}
FACTS = {kind: msgspec.defstruct("Facts", fields) for kind, fields in FORMS.items()}
"""What is read again of a line of each kind."""


def line_faults(entry: KeptEntry) -> Iterator[str]:
    """Return what keeps a line from being told, each with its place."""
    if entry.kind not in SENTENCES:
        yield f"kind: there are no lines of the kind {entry.kind[:40]!r}"
    if "deputy" in entry.facts:  # it would name whoever has that number here
        yield "facts: names somebody by a number of another office"
    try:
        if entry.kind in FACTS:
            yield from time_faults(msgspec.convert(entry.facts, FACTS[entry.kind]), "facts")
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        yield f"facts{place.rstrip('`')}: {what}"


FIRST, LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)


def time_faults(value: object, place: str = "") -> Iterator[str]:
    """Find times that no game can have, each with its place (``turns[2].opened``)."""
    if isinstance(value, datetime):
        if not FIRST <= value < LAST:
            yield f"{place}: must be in the years from {FIRST.year} to {LAST.year - 1}"
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from time_faults(getattr(value, field), f"{place}.{field}" if place else field)
    elif isinstance(value, tuple):
        for number, entry in enumerate(value):
            yield from time_faults(entry, f"{place}[{number}]")


REF = re.compile(r"[0-9a-f]{32}")
"""The form of the random name that the office of origin gave a game; the keeper's files of keys are named after it."""


class HandedRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opening of a record; ``submission`` is its number in the document, ``opening`` as in a transcript."""

    submission: int
    turn: str
    opening: dict[str, Any]


class Handed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that is behind a chain. ``readers``: the power that may read each private opening before the end, or none.
    ``persons``: by what the chain names who held each power last."""

    secret: Digest
    lines: tuple[JournalLine, ...]
    heads: tuple[Head, ...]
    private: tuple[PrivateOpening, ...]
    readers: tuple[str, ...]
    records: tuple[HandedRecord, ...]
    persons: dict[str, str]
    keys: dict[str, Digest]


# Out


def hand(scene: GameContext) -> str:
    """Return what the next office gets, sealed to its key, in base64 (UnavailableError: keys are on their way)."""
    tx, game, office = scene.tx, scene.row, scene.office
    if any(not row.opening for row in queries.records_ahead(tx, game.id)):
        raise UnavailableError("Orders for turns that never came are being opened. Try again in a minute.")
    rows = tx.all(LineRow, game=game.id, order="n")
    lines = tuple(msgspec.convert(decode(row.content), JournalLine) for row in rows)
    private = [row for row in tx.all(PrivateRow, game=game.id, order="id") if row.n > 0]
    powers = {seat.id: power for power, seat in scene.seats.items()}
    turns = [turn.id for turn in tx.all(TurnRow, game=game.id)]
    submissions = [row.id for row in tx.all(SubmissionRow, turn=turns)]
    handed = Handed(
        secret=chain.secret_of(scene),
        lines=lines,
        heads=tuple(record_of(Head, row) for row in rows if row.signature),
        private=tuple(record_of(PrivateOpening, row, index=row.place, data=decode(row.content)) for row in private),
        readers=tuple(powers.get(row.seat or 0, "") for row in private),
        records=tuple(
            HandedRecord(
                office.numbers.shown("submission", row.submission),
                row.turn_name,
                decode(seals.unlock_padded(office.master_key, row.opening)),
            )
            for row in tx.all(RecordRow, submission=submissions)
            if row.opening
        ),
        persons={line.data["seat"]: line.data["person"] for line in lines if line.kind == "held"},
        keys={power: seat.key for power, seat in scene.seats.items() if seat.key},
    )
    key = VerifyKey(bytes.fromhex(lines[-1].data["key"])).to_curve25519_public_key()
    return base64.b64encode(SealedBox(key).encrypt(seals.pad(msgspec.json.encode(handed)))).decode()


# In


def opened(act: CommandContext, sealed: str, rules: str) -> Handed:
    """Return what another office handed over, checked as everybody checks a transcript. Raises InvalidInputError for
    what is sealed to another office, or does not hold. Raises ConflictError when the game is here, or was."""
    office = act.office
    handed = _unsealed(office, sealed)
    last = handed.lines[-1] if handed.lines else None
    given = _data(last) if last is not None else None
    if not isinstance(given, TransferredLine):
        raise _invalid("its journal does not end with its being handed over")
    if given.key != office.public_key:
        raise _invalid(f"it was handed to the office with the key {given.key}, and this one's is {office.public_key}")
    own = office.keeper.identity()
    if given.keeper.key != own:
        raise _invalid(f"it was handed to the keeper with the key {given.keeper.key}, and this office's has {own}")
    game = _data(handed.lines[0])
    if not isinstance(game, GameLine) or secret_commitment(handed.secret) != game.lots:
        raise _invalid("the secret of its lots is not the one that its journal commits to")
    if not REF.fullmatch(game.game):
        raise _invalid(f"its journal calls the game {game.game[:60]!r}, which isn't a random name")
    if act.tx.count(GameRow, ref=game.game):
        raise ConflictError("This game was already taken over by this office.")
    if len(handed.private) != len(handed.readers):
        raise _invalid(f"it has {len(handed.private)} private openings and readers of {len(handed.readers)}")
    report = verify(_transcript(handed, game.game, rules), variants=office.variants, judges=False)
    if report.failures:
        raise _invalid(*(f"{failure.place}: {failure.what}" for failure in report.failures[:20]))
    return handed


def _transcript(handed: Handed, game: str, rules: str) -> bytes:
    try:
        openings = tuple(msgspec.convert(record.opening, Opening) for record in handed.records)
        for record, opening in zip(handed.records, openings, strict=True):
            if "turn" in opening.opened and opening.opened["turn"].value != record.turn:
                raise _invalid(f"the record {opening.commitment} is not of {record.turn[:60]!r}")
        transcript = record_of(Transcript, handed, header=Header(game=game, rules=rules), openings=openings)
        return b"".join(write_transcript(transcript))
    except (CanonicalError, msgspec.ValidationError) as error:
        raise _invalid(str(error)) from None


def _unsealed(office: Office, sealed: str) -> Handed:
    private = SigningKey(office.signing).to_curve25519_private_key()
    try:
        plain = seals.unpad(SealedBox(private).decrypt(base64.b64decode(sealed, validate=True)))
        return decode_json(plain, type=Handed)
    except msgspec.MsgspecError as error:
        raise _invalid(str(error)) from None
    except RecursionError:
        raise _invalid("it is nested too deeply") from None
    except (CryptoError, ValueError, TypeError, KeyNotReleasedError):
        raise _invalid("it is sealed to another office than this, or was changed on its way") from None


def _data(line: JournalLine) -> kinds.LineData | None:
    try:
        return read_data(line.kind, line.data)
    except (KeyError, msgspec.ValidationError):
        return None


def _invalid(*faults: str) -> InvalidInputError:
    return InvalidInputError("This game can't be taken over.", faults=[f"handed: {fault}" for fault in faults])


def keep_chain(
    scene: GameContext, handed: Handed, seats: Mapping[str, SeatRow], numbers: Mapping[int, int]
) -> GameContext:
    """Keep a chain with all that is behind it; ``numbers``: the submissions' by those of the document."""
    act, office = scene.act, scene.office
    tx, game, heads = act.tx, scene.row, {head.n: head.signature for head in handed.heads}
    for line in handed.lines:
        content, signature = encode(msgspec.to_builtins(line)), heads.get(line.n, "")
        tx.add(record_of(LineRow, line, game=game.id, content=content, hash=line.hash, signature=signature))
    for opening, reader in zip(handed.private, handed.readers, strict=True):
        content, seat_id = encode(opening.data), seats[reader].id if reader in seats else None
        tx.add(record_of(PrivateRow, opening, game=game.id, place=opening.index, content=content, seat=seat_id))
    for record in handed.records:
        if record.submission not in numbers:
            raise _invalid(f"it has a record of the submission {record.submission}, which is not in the game")
        number, commitment = numbers[record.submission], str(record.opening["commitment"])
        locked = seals.lock_padded(office.master_key, encode(record.opening))
        tx.add(RecordRow(submission=number, turn_name=record.turn, commitment=commitment, opening=locked))
    last, ref = handed.lines[-1], str(handed.lines[0].data["game"])
    secret = seals.lock(office.master_key, handed.secret.encode())
    scene.row = tx.change(game, ref=ref, secret=secret, lines=last.n, head=last.hash)
    chain.write(scene, "taken over", kinds.TakenLine())
    for power, seat in seats.items():
        if seat.person is not None and power in handed.keys:
            scene.seats[power] = tx.change(seat, key=handed.keys[power])
        if handed.persons.get(power, "") and seat.person is None and not seat.bot:
            chain.holds(scene, seat)  # who held it is not known in this office
    return scene
