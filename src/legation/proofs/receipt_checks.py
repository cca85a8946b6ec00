"""What became of a receipt: whether its sheet counted, or why not, or how the journal contradicts it."""

from __future__ import annotations

from typing import Any

from legation.proofs.receipts import Kept, Receipt, Refusal, SignedHead
from legation.proofs.report import LIE, ReceiptFinding, Report
from legation.proofs.turn_states import TurnState
from legation.proofs.walking import Walk

CONTRADICTED = "Receipt and journal are both signed by the office and contradict each other: keep both."


def check_receipt(walk: Walk, known: dict[str, dict[str, Any]], kept: Kept, report: Report) -> None:
    """Compare a receipt, whose own signature holds, with the journal."""
    if kept.game != walk.game.game:
        report.receipts.append(ReceiptFinding(False, "This receipt is of another game."))
        return
    if kept.office not in {key for _, key in walk.journal.offices}:
        what = f"This receipt is signed with {kept.office}, which was never the key of this game's office."
        report.receipts.append(ReceiptFinding(False, what))
        return
    if isinstance(kept, Refusal):
        report.receipts.append(ReceiptFinding(True, f"{kept.seat} was told: {kept.reason}"))
        return
    n, line_hash = (kept.line, kept.head) if isinstance(kept, Receipt) else (kept.n, kept.hash)
    if any(first <= n <= last for first, last in walk.lost) and _hash(walk, n) != line_hash:
        what = f"Line {n} of the journal was lost when the office was restored from a backup, as the journal says."
        if isinstance(kept, Receipt):
            again = any(record.commitment in walk.filed for record in kept.records)
            what += " What was sent stands in it again." if again else " Send the office this receipt."
        report.receipts.append(ReceiptFinding(True, what))
        return
    if n > len(walk.journal.entries):
        what = f"This was signed when the journal had {n} lines; the file ends at line {len(walk.journal.entries)}."
        report.receipts.append(ReceiptFinding(True, f"{what} Get a newer one."))
        return
    if _hash(walk, n) != line_hash:
        _contradict(
            report, n, f"line {n} of the journal is not the one that the office signed here: there are two journals"
        )
        return
    if isinstance(kept, SignedHead):
        report.receipts.append(ReceiptFinding(True, f"The journal holds what the office signed at line {n}."))
        return
    _sheet(walk, known, kept, report)


def _hash(walk: Walk, n: int) -> str:
    return walk.journal.entries[n - 1].hash if 1 <= n <= len(walk.journal.entries) else ""


def _contradict(report: Report, n: int, what: str) -> None:
    report.receipts.append(ReceiptFinding(False, what[0].upper() + what[1:] + "."))
    report.fail(n, "receipt", what, LIE, CONTRADICTED)


def _sheet(walk: Walk, known: dict[str, dict[str, Any]], kept: Receipt, report: Report) -> None:
    turn = walk.turns.get(kept.turn)
    missing = [r for r in kept.records if r.commitment not in walk.filed]
    if missing:
        if kept.hidden and turn is not None and not turn.closed:
            what = "Your sheet is sealed. It enters the journal when the turn is closed; check again then."
            report.receipts.append(ReceiptFinding(True, what))
        elif walk.game.hides and turn is not None and any(turn.opened < n < turn.closed for n in walk.hidden_lines):
            what = "What was sent is hidden from the reader of this file: check it with the one that you get signed in."
            report.receipts.append(ReceiptFinding(True, what))
        else:
            _contradict(report, kept.line, f"version {kept.version} of {kept.seat} is missing from the journal")
        return
    for record in kept.records:
        filed = walk.filed[record.commitment]
        said = (filed.turn, filed.given_in, filed.seat or kept.seat, filed.version or kept.version)
        if said != (record.turn, kept.turn, kept.seat, kept.version):
            _contradict(
                report, filed.line, f"the journal files the sheet under version {filed.version} of {filed.seat}"
            )
            return
        received = known.get(record.commitment, {}).get("received", kept.received)
        if received != kept.received:
            _contradict(report, filed.line, "the receipt tells another time than the record")
            return
    assert turn is not None
    report.receipts.append(ReceiptFinding(True, _standing(walk, turn, kept)))


def _standing(walk: Walk, turn: TurnState, kept: Receipt) -> str:
    """What became of a sheet that the journal holds."""
    version = (kept.seat, kept.version)
    if version in turn.withdrawn:
        return f"Version {kept.version} of {kept.seat} was withdrawn."
    if version in turn.refused:
        return f"{kept.seat}'s holder refused version {kept.version}."
    if not turn.played:
        later = turn.last.get(kept.seat, 0)
        if later > kept.version:
            return f"Your sheet was replaced by your version {later}; {turn.name} is not judged yet."
        return f"Your sheet is sealed and stands in the journal; {turn.name} is not judged yet."
    if (counted := turn.played[-1].counted) is None or kept.seat not in counted:
        return "Your sheet stands in the journal. Which version counted is hidden from the reader of this file."
    number, _ = counted[kept.seat]
    if number == kept.version:
        return f"Your sheet counted: it is version {number} of {kept.seat} in {turn.name}."
    if number > kept.version:
        return f"Your sheet was replaced by your version {number}."
    if number:
        return (
            f"Your sheet did not count; version {number} did. Nothing of yours was understood, or it was not confirmed."
        )
    return (
        f"Your sheet did not count, nor did any other of {kept.seat}: nothing of it was understood, or not confirmed."
    )
