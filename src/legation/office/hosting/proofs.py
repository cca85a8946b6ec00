"""Proofs: a game's transcript, by which everybody can check that what was judged is what was sealed, by the rules, and
that lots fell as they had to; a handed-over game's transcript against the rest of its document; what a player's own
device signs before a sheet is sent, and the standing of a receipt that was kept."""

import hashlib
import re
import threading
from collections.abc import Iterator, Mapping

import msgspec

from legation.game.sheets import later_turns, split_sheet
from legation.office.context import CommandContext, GameContext, SeatContext, query
from legation.office.errors import InvalidInputError
from legation.office.game import chain
from legation.office.game.judging import Chosen, chosen_sheets
from legation.office.game.readiness import times_ready
from legation.office.keys import seals
from legation.office.orders.contents import refuse_long
from legation.office.records import PUBLISHED, Proof, ReceiptStanding, ToSign, record_of
from legation.office.store import queries
from legation.office.store.rows import LineRow, PrivateRow, RecordRow, TurnRow
from legation.position import Phase, Turn
from legation.proofs.canonical import decode
from legation.proofs.chain import Head, JournalLine, PrivateOpening, head_statement
from legation.proofs.lots import lot_seed
from legation.proofs.receipts import ReceiptError, SignedHead, read_receipt
from legation.proofs.records import Opening
from legation.proofs.signing import public_key, sign, signed
from legation.proofs.transcript import Header, Transcript, TranscriptError, read_transcript, write_transcript
from legation.proofs.verifying import verify as verify_transcript
from legation.variants import Registry

MARK = re.compile("[0-9a-f]{64}")
MOST_FOUND = 64
_FOUND: dict[bytes, tuple[Proof, ...]] = {}  # what was found in the games that were asked for last
_FOUND_LOCK = threading.Lock()


class ProofRows(msgspec.Struct, frozen=True):
    """Rows from which the proofs of a game are made. ``records``: each with the turn in which it was sent."""

    lines: list[LineRow]
    private: list[PrivateRow]
    turns: list[TurnRow]
    records: list[tuple[int, RecordRow]]


@query("read", "GET /games/{game}/transcript", visitor="any")
def transcript(scene: GameContext) -> str:
    """The game's journal with what is open of it to the reader, a canonical JSON object a line: ``legation verify``
    checks it without trusting the office."""
    return b"".join(write_transcript(_transcript(scene, _kept(scene)))).decode()


def _kept(scene: GameContext) -> ProofRows:
    tx, game = scene.tx, scene.row.id
    lines, private = tx.all(LineRow, game=game, order="n"), tx.all(PrivateRow, game=game)
    return ProofRows(lines, private, tx.all(TurnRow, game=game), queries.records_of(tx, game))


def _transcript(scene: GameContext, kept: ProofRows) -> Transcript:
    rows = kept.lines
    lines = [chain.read_line(row) for row in rows]
    heads = [record_of(Head, row) for row in rows if row.signature]
    if last := lines[-1] if not rows[-1].signature else None:
        statement = head_statement(scene.row.ref, last.n, last.hash, last.at)
        signature = sign(scene.office.signing, "head", statement)
        heads.append(Head(n=last.n, hash=last.hash, at=last.at, signature=signature))
    header = Header(game=scene.row.ref, rules=scene.rules.text)
    private, openings = tuple(_private(scene, lines, kept.private)), tuple(_openings(scene, lines, kept))
    return Transcript(header=header, lines=tuple(lines), private=private, openings=openings, heads=tuple(heads))


def _private(scene: GameContext, lines: list[JournalLine], rows: list[PrivateRow]) -> Iterator[PrivateOpening]:
    """What the reader may see of private lines: the own; what is past, if nothing is hidden; all at the end."""
    until = max((line.n for line in lines if line.kind == "results"), default=0)
    everything = any(line.kind == "ended" for line in lines)
    own = {scene.seats[power].id for power in scene.own}
    for row in rows:
        told = everything or row.seat in own or (not chain.hides(scene) and row.n < until)
        if told and row.n > 0:  # else it is held back until something counts
            yield record_of(PrivateOpening, row, index=row.place, data=chain.read_content(row.content))


def _openings(scene: GameContext, lines: list[JournalLine], kept: ProofRows) -> Iterator[Opening]:
    """What opens the commitments that are due; where rules hide positions, only once the game has ended."""
    ended = any(line.kind == "ended" for line in lines)
    if chain.hides(scene) and not ended:
        return
    played = {line.data["turn"] for line in lines if line.kind == "results"}
    came = {line.data["turn"]: line.data["number"] for line in lines if line.kind == "turn opened"}
    first = (Phase.MOVEMENT.value, Phase.PLACEMENT.value)
    begun = [number for turn, number in came.items() if turn.rpartition(" ")[2] in first]
    hidden = {"note"} | ({"channel", "received"} if scene.settings.anonymous and not ended else set())
    numbers = {turn.id: turn.number for turn in kept.turns}
    for turn, record in kept.records:
        number = numbers[turn]
        over = record.turn_name not in came and any(later > number for later in begun)
        if record.opening and record.lost is None and (ended or record.turn_name in played or over):
            plain = seals.unlock_padded(scene.office.master_key, record.opening)
            yield msgspec.convert(decode(plain), Opening).without(hidden)


@query("read", "GET /heads", visitor="any")
def heads(act: CommandContext) -> list[SignedHead]:
    """Return the last signed head of the journal of each game, under the journal's own random name. Whoever keeps them
    can show later that a journal was changed, cut off or shown to others otherwise. A head that was signed with a key
    that is lost is left out."""
    keys = [public_key(key) for key in act.office.signing_keys()]
    heads = []
    for ref, row in queries.last_signed(act.tx):
        statement = head_statement(ref, row.n, row.hash, row.at)
        key = next((key for key in keys if signed(key, row.signature, "head", statement)), None)
        if key is not None:
            heads.append(record_of(SignedHead, row, game=ref, office=key))
    return sorted(heads, key=lambda head: head.game)


@query("read", "GET /games/{game}/proofs", visitor="any")
def verify(scene: GameContext) -> list[Proof]:
    """Check all proofs of a game by its transcript, as far as the reader sees it."""
    kept, row = _kept(scene), scene.row
    reader = sorted(scene.own), chain.hides(scene), scene.settings.anonymous
    told = (scene.office.public_key, scene.rules.digest, row.ref, row.head, reader, kept)
    key = hashlib.sha256(msgspec.msgpack.encode(told)).digest()
    if (known := _FOUND.get(key)) is not None:  # found in the same rows
        return list(known)
    found = tuple(_checked(scene, kept))
    with _FOUND_LOCK:
        _FOUND[key] = found
        while len(_FOUND) > MOST_FOUND:
            del _FOUND[next(iter(_FOUND))]
    return list(found)


def _checked(scene: GameContext, kept: ProofRows) -> Iterator[Proof]:
    office, head = scene.office, scene.row.head
    transcript = _transcript(scene, kept)
    data = b"".join(write_transcript(transcript))
    report = verify_transcript(data, [office.public_key], variants=office.variants)
    for failure in report.failures:
        detail = f"{failure.what}. {failure.meaning}"
        yield Proof(turn="", what=failure.place, commitment=head, holds=False, detail=detail)
    published = [turn for turn in kept.turns if turn.number > 0 and turn.state in PUBLISHED]
    for turn in sorted(published, key=lambda turn: turn.number):
        for fault in turn_faults(transcript, turn.name, turn.seed_commitment, turn.drawn, chosen_sheets(turn)):
            what, _, detail = fault.removeprefix(f"{turn.name}: ").partition(": ")
            yield Proof(turn=turn.name, what=what, commitment=turn.seed_commitment, holds=False, detail=detail)
    for what in report.checked:
        yield Proof(turn="", what="journal", commitment=head, holds=True, detail=what)
    words = (f"only the office says this: {what}" for what in report.words)
    for what in (*words, *report.told, *(f"not checked: {what}" for what in report.unchecked)):
        yield Proof(turn="", what="to know", commitment=head, holds=True, detail=what, checked=False)


def transcript_faults(text: str, deal: str, variants: Registry) -> tuple[Transcript | None, list[str]]:
    """A transcript that was read, and what is wrong with it and with the commitment to the deal."""
    try:
        transcript = read_transcript(text.encode("utf-8", "replace"))
    except TranscriptError as error:
        return None, [f"transcript: {error}"]
    report = verify_transcript(text.encode(), variants=variants)
    faults = [f"transcript: {failure.place}: {failure.what}" for failure in report.failures]
    first = transcript.lines[0].data if transcript.lines else {}
    if first.get("old") is None and first.get("deal") != deal:
        faults.append("the deal: deal of the powers: the transcript commits to another")
    return transcript, faults


def turn_faults(
    transcript: Transcript, name: str, commitment: str, seed: str, sheets: Mapping[str, Chosen]
) -> Iterator[str]:
    """Return what a turn of the document says otherwise than the transcript; nothing where that does not tell of it."""
    lines = [line for line in transcript.lines if line.data.get("turn") == name]
    last = {line.kind: line for line in lines}  # a turn whose key is lost opens anew with another
    if "turn opened" not in last or "results" not in last:
        return
    results, seals = last["results"].data, last.get("opened")
    texts = {o.commitment: o.opened["text"].value for o in transcript.openings if "text" in o.opened}
    part = seals.data["part"] if seals is not None else ""
    nonces_are_lost = seals is not None and any(
        line.kind == "reopened" and line.n > seals.n and name in line.data["lost"] for line in transcript.lines
    )
    if last["turn opened"].data["secret"] != commitment:
        yield f"{name}: seed of the lots: it was committed to another"
    elif (
        not nonces_are_lost
        and results["secret"]
        and seed != lot_seed(results["secret"], part, _nonces(transcript, name))
    ):
        yield f"{name}: seed of the lots: the seed is another one"
    for sheet in last["counted"].data["sheets"] if "counted" in last else ():
        kept = sheets.get(sheet["seat"], Chosen())
        other = kept.commitment != sheet["commitment"]
        if other or (not kept.transcribed and kept.text and texts.get(kept.commitment, kept.text) != kept.text):
            yield f"{name}: orders of {sheet['seat']}: they are not those of the transcript"


def _nonces(transcript: Transcript, name: str) -> Iterator[str]:
    for opening in transcript.openings:
        fields = {field: entry.value for field, entry in opening.opened.items()}
        if fields.get("turn") == fields.get("given_in") == name and fields.get("entered_by") == "holder":
            yield str(fields.get("nonce", ""))


@query("play", "POST /games/{game}/seats/{power}/to-sign", holder="alive")
def to_sign(scene: SeatContext, text: str) -> ToSign:
    """Return what the seat's key signs of a sheet: its parts for each turn of the season. Nothing is kept."""
    turn = scene.turn()
    now = Turn.parse(turn.name)
    refuse_long(scene.act, text)
    texts = split_sheet(seals.at_the_door(text), now, later_turns(scene.rules, now))
    parts = tuple({"turn": name, "text": part} for name, part in texts.items())
    game, seat, again = scene.row.ref, scene.held, times_ready(scene.tx, turn, scene.held)
    version = 1 + queries.last_version(scene.tx, turn, seat.id)
    return ToSign(game=game, seat=seat.power, turn=turn.name, key=seat.key, version=version, again=again, parts=parts)


@query("read", "POST /games/{game}/receipt", visitor="any")
def standing(scene: GameContext, receipt: str) -> ReceiptStanding:
    """Return what the game's journal says of a receipt, a refusal or a signed head that somebody kept, or of the mark
    (commitment) of a sheet, photograph or envelope. No turn is judged again for that.

    :raises InvalidInputError: for what is none of these."""
    mark = "".join(receipt.split()).lower()
    try:
        kept = [] if MARK.fullmatch(mark) else [read_receipt(receipt)]
    except ReceiptError as error:
        raise InvalidInputError(str(error), faults=["receipt: cannot be read"]) from None
    data = transcript.within(scene).encode()
    marks = [] if kept else [mark]
    report = verify_transcript(data, [scene.office.public_key], kept, scene.office.variants, marks=marks, judges=False)
    found = report.receipts[0] if report.receipts else None
    return ReceiptStanding(
        holds=report.holds and found is not None and found.holds,
        what=found.what if found is not None else f"{report.failures[0].what}. {report.failures[0].meaning}",
        failures=tuple(f"{failure}. {failure.meaning}" for failure in report.failures),
    )
