"""The openings of records: that each fits its commitment and what the journal says of it, and that none is withheld."""

from typing import Any

from legation.position import Phase, Turn, TurnTextError
from legation.proofs.records import FIELDS, SeatSignature, sheet_statement
from legation.proofs.report import ALTERED, LIE, NOTHING
from legation.proofs.signing import signed
from legation.proofs.transcript import Transcript
from legation.proofs.walk_state import Filed
from legation.proofs.walking import Walk

WITHHELD = "Ask the office for the file again. If it is still missing, the office is withholding it."
SENDERS = {"bot": "a bot", "assigned": "a mail that was assigned", "coordinator": "the coordinator"}
UNTIL_THE_END = frozenset(["channel", "received"])  # in an anonymous game


def check_openings(walk: Walk, transcript: Transcript) -> int:
    """Check all openings, note the fields of those that hold, and return how many these are."""
    report, shown = walk.report, 0
    for opening in transcript.openings:
        filed = walk.filed.get(opening.commitment)
        if filed is None:
            report.fail(0, f"opening {opening.commitment[:16]}…", "no line of the journal has this commitment", ALTERED)
            continue
        try:
            fields = filed.fields = opening.fields()
        except ValueError as error:
            report.fail(filed.line, filed.place, str(error), ALTERED)
            continue
        shown += 1
        for what in _contradictions(walk, filed):
            report.fail(filed.line, filed.place, what, LIE)
        if erased := walk.erased.get(opening.commitment, set()) & fields.keys():
            report.fail(filed.line, filed.place, f"{', '.join(sorted(erased))} is shown though it was erased", ALTERED)
        if "files" not in fields and _signs(walk, filed):
            fields["files"] = ()  # it was signed without any
    for filed in walk.filed.values():
        _tell_unsigned(walk, filed)
    _nonces(walk)
    _written_down(walk)
    for filed in walk.filed.values():
        if missing := sorted(due_fields(walk, filed) - filed.fields.keys()):
            what = "it is not opened" if len(missing) > 3 else f"{', '.join(missing)} is not shown"
            report.fail(filed.line, filed.place, f"{what}, though it should be by now", NOTHING, WITHHELD)
    return shown


def due_fields(walk: Walk, filed: Filed) -> set[str]:
    """The fields of a record that must be open by now."""
    if not _is_due(walk, filed):
        return set()
    names = set(FIELDS) - {"note"} - walk.erased.get(filed.commitment, set())
    return names - UNTIL_THE_END if walk.settings.anonymous and walk.ended is None else names


def _is_due(walk: Walk, filed: Filed) -> bool:
    turn = walk.turns.get(filed.turn)
    if filed.lost or (turn is not None and turn.state == "aside"):
        return False  # its key is; or it may open again
    if walk.ended is not None:
        return True
    if walk.game.hides:
        return False
    if turn is not None:
        return bool(turn.played)
    sent = walk.turns.get(filed.given_in)
    later = [t for t in walk.turns.values() if sent is not None and t.number > sent.number]
    return any(_begins(t.name) and t.played for t in later)


def _begins(turn: str) -> bool:
    """Whether a turn begins a season, so that nothing ordered ahead in an earlier one can come any more."""
    try:
        return Turn.parse(turn).phase in (Phase.MOVEMENT, Phase.PLACEMENT)
    except TurnTextError:
        return False


def _contradictions(walk: Walk, filed: Filed) -> list[str]:
    """What a record that was committed to says otherwise than the journal."""
    fields = filed.fields
    said: dict[str, Any] = {"game": walk.game.game, "turn": filed.turn, "given_in": filed.given_in}
    if filed.seat:
        said |= {"seat": filed.seat, "version": filed.version}
    wrong = [
        f"the record says {fields[name]!r}, the journal {value!r} ({name})"
        for name, value in said.items()
        if fields.get(name, value) != value
    ]
    sent = walk.turns.get(filed.given_in)
    received = fields.get("received")
    if received is not None and sent is not None:
        if sent.closed and received > sent.bound:
            wrong.append("it was received after the deadline")
        if received > walk.journal.entries[filed.line - 1].line.at:
            wrong.append("it was received after the journal tells of it")
    signature: SeatSignature | None = fields.get("signature")
    if signature is not None:
        if (who := fields.get("entered_by", "holder")) != "holder":
            wrong.append(f"the seat's key signed it, and it is called entered by {SENDERS[who]}")
        opened = sent.first_opened if sent is not None else 0
        if signature.key not in walk.keys_of(filed.seat, opened, filed.line):
            wrong.append("it is signed with a key that was not the seat's then")
        if {"text", "files", "nonce"} <= fields.keys() and not _signs(walk, filed):
            wrong.append("the seat's key did not sign this")
    return wrong


def _signs(walk: Walk, filed: Filed) -> bool:
    """Whether the signature that a record shows is of what it shows; erased pictures count as none."""
    fields = filed.fields
    signature: SeatSignature | None = fields.get("signature")
    if signature is None or not {"text", "nonce"} <= fields.keys():
        return False
    statement = sheet_statement(
        walk.game.game,
        filed.turn,
        filed.given_in,
        filed.seat or fields.get("seat", ""),
        fields["text"],
        [file.sent for file in fields.get("files", ())],
        fields["nonce"],
    )
    return signed(signature.key, signature.signature, "sheet", statement)


def _tell_unsigned(walk: Walk, filed: Filed) -> None:
    """Tell a version that the key of its seat did not sign, mails and paper too, or of which nobody can see that."""
    fields, turn = filed.fields, walk.turns.get(filed.given_in)
    ghost = filed.unheld and fields.get("entered_by") == "holder"
    shown = {"text", "signature", "nonce"} <= fields.keys()
    if turn is None or not (filed.keyed or ghost) or not shown or _signs(walk, filed):
        return
    if (version := ("sent", filed.seat, filed.version)) not in turn.unsigned:
        turn.unsigned.add(version)
        who = SENDERS.get(fields.get("entered_by", ""), "its holder")
        way = f" by {fields['channel']}" if "channel" in fields else ""
        walk.words.append(
            f"{turn.name}: only the office says that {who} sent version {filed.version} of {filed.seat}{way}; its key "
            "did not sign it"
        )


def _nonces(walk: Walk) -> None:
    used: dict[tuple[str, str], tuple[str, int]] = {}
    for filed in walk.filed.values():
        if not (nonce := filed.fields.get("nonce")) or not filed.seat:
            continue
        version = (filed.given_in, filed.version)
        if used.setdefault((filed.seat, nonce), version) != version:
            given_in, number = used[filed.seat, nonce]
            what = f"its nonce is that of version {number} of {given_in}: something was sent twice"
            walk.report.fail(filed.line, filed.place, what, LIE)


def _written_down(walk: Walk) -> None:
    """What is written down after the opening was a picture, or paper that the coordinator entered; never a text."""
    for filed in (walk.filed[c] for turn in walk.turns.values() for c in turn.transcribed):
        sheet = walk.turns[filed.given_in].sheets.get((filed.seat, filed.version), ("",))
        fields = walk.fields_of(sheet[0])
        text, paper = fields.get("text", "").strip(), fields.get("entered_by") == "coordinator"
        if text or (fields.get("files") == () and not paper):
            what = "it came as text, and another text was written down for it"
            walk.report.fail(filed.line, filed.place, what, LIE)
