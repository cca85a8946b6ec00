"""The openings of records: that each fits its commitment and what the journal says of it, and that none is withheld."""

from typing import Any

from legation.position import Phase, Turn, TurnTextError
from legation.proofs.records import FIELDS, SeatSignature, sheet_statement
from legation.proofs.report import ALTERED, LIE, NOTHING, Report
from legation.proofs.signing import signed
from legation.proofs.transcript import Transcript
from legation.proofs.walk_state import Filed
from legation.proofs.walking import Walk

WITHHELD = "Ask the office for the file again. If it is still missing, the office is withholding it."
SENDERS = {"bot": "a bot", "assigned": "a mail that was assigned", "coordinator": "the coordinator"}
UNTIL_THE_END = frozenset(["channel", "received"])  # in an anonymous game


def check_openings(walk: Walk, transcript: Transcript, report: Report) -> dict[str, dict[str, Any]]:
    """Check all openings; the answer are the fields of those that hold, by commitment."""
    known: dict[str, dict[str, Any]] = {}
    for opening in transcript.openings:
        filed = walk.filed.get(opening.commitment)
        if filed is None:
            report.fail(0, f"opening {opening.commitment[:16]}…", "no line of the journal has this commitment", ALTERED)
            continue
        try:
            fields = opening.fields()
        except ValueError as error:
            report.fail(filed.line, _place(filed), str(error), ALTERED)
            continue
        known[opening.commitment] = fields
        for what in _contradictions(walk, filed, fields):
            report.fail(filed.line, _place(filed), what, LIE)
        if shown := walk.erased.get(opening.commitment, set()) & fields.keys():
            report.fail(filed.line, _place(filed), f"{', '.join(sorted(shown))} is shown though it was erased", ALTERED)
        if "files" not in fields and _signs(walk, filed, fields):
            fields["files"] = ()  # it was signed without any
    _unsigned(walk, known, report)
    _nonces(walk, known, report)
    _written_down(walk, known, report)
    for filed in walk.filed.values():
        if missing := sorted(due_fields(walk, filed) - known.get(filed.commitment, {}).keys()):
            what = "it is not opened" if len(missing) > 3 else f"{', '.join(missing)} is not shown"
            report.fail(filed.line, _place(filed), f"{what}, though it should be by now", NOTHING, WITHHELD)
    return known


def due_fields(walk: Walk, filed: Filed) -> set[str]:
    """The fields of a record that must be open by now."""
    if not _is_due(walk, filed):
        return set()
    names = set(FIELDS) - {"note"} - walk.erased.get(filed.commitment, set())
    return names - UNTIL_THE_END if walk.anonymous and walk.ended is None else names


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


def _contradictions(walk: Walk, filed: Filed, fields: dict[str, Any]) -> list[str]:
    """What a record that was committed to says otherwise than the journal."""
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
        if signature.key not in seat_keys(walk, filed):
            wrong.append("it is signed with a key that was not the seat's then")
        if {"text", "files", "nonce"} <= fields.keys() and not _signs(walk, filed, fields):
            wrong.append("the seat's key did not sign this")
    return wrong


def _signs(walk: Walk, filed: Filed, fields: dict[str, Any]) -> bool:
    """Whether the signature that a record shows is of what it shows; erased pictures count as none."""
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


def seat_keys(walk: Walk, filed: Filed) -> list[str]:
    """The keys that were the seat's while a record could be sent: from the opening of its turn to its line."""
    opened = walk.turns[filed.given_in].first_opened if filed.given_in in walk.turns else 0
    listed = walk.key_since.get(filed.seat, [])
    before = [key for n, key in listed if n <= opened][-1:]
    return [key for key in [*before, *(key for n, key in listed if opened < n < filed.line)] if key]


def _unsigned(walk: Walk, known: dict[str, dict[str, Any]], report: Report) -> None:
    """Tell every version that the key of its seat did not sign, or of which nobody can see that any more. A mail and
    paper bear no signature: nobody can tell them from what the office wrote itself."""
    for commitment, fields in known.items():
        filed, turn = walk.filed[commitment], walk.turns.get(walk.filed[commitment].given_in)
        shown = {"text", "signature", "nonce"} <= fields.keys()
        ghost = filed.unheld and fields.get("entered_by") == "holder"
        if turn is None or not (filed.keyed or ghost) or not shown or _signs(walk, filed, fields):
            continue
        if (version := ("sent", filed.seat, filed.version)) not in turn.unsigned:
            turn.unsigned.add(version)
            who = SENDERS.get(fields.get("entered_by", ""), "its holder")
            way = f" by {fields['channel']}" if "channel" in fields else ""
            report.words.append(
                f"{turn.name}: only the office says that {who} sent version {filed.version} of {filed.seat}{way}; its "
                "key did not sign it"
            )


def _nonces(walk: Walk, known: dict[str, dict[str, Any]], report: Report) -> None:
    used: dict[tuple[str, str], tuple[str, int]] = {}
    for commitment, fields in known.items():
        filed = walk.filed[commitment]
        if not (nonce := fields.get("nonce")) or not filed.seat:
            continue
        version = (filed.given_in, filed.version)
        if used.setdefault((filed.seat, nonce), version) != version:
            given_in, number = used[filed.seat, nonce]
            what = f"its nonce is that of version {number} of {given_in}: something was sent twice"
            report.fail(filed.line, _place(filed), what, LIE)


def _written_down(walk: Walk, known: dict[str, dict[str, Any]], report: Report) -> None:
    """What is written down after the opening was a picture, or paper that the coordinator entered; never a text."""
    for commitment in (c for turn in walk.turns.values() for c in turn.transcribed):
        filed = walk.filed[commitment]
        sheet = walk.sent_lines.get((filed.given_in, filed.seat, filed.version), ("",))
        fields = known.get(sheet[0], {})
        text, paper = fields.get("text", "").strip(), fields.get("entered_by") == "coordinator"
        if text or (fields.get("files") == () and not paper):
            report.fail(filed.line, _place(filed), "it came as text, and another text was written down for it", LIE)


def _place(filed: Filed) -> str:
    seat = f"{filed.seat}, version {filed.version}" if filed.seat else f"record {filed.commitment[:16]}…"
    ahead = f", given in {filed.given_in}" if filed.given_in != filed.turn else ""
    return f"{filed.turn}: {seat}{ahead} (journal line {filed.line})"
