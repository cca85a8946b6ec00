"""What became of a receipt: whether its sheet counted, or why not, or how the journal contradicts it."""

from datetime import UTC, datetime
from typing import Any

from legation.proofs.receipts import KeptSignature, SignedHead, SignedReceipt, SignedRefusal
from legation.proofs.report import LIE, ReceiptFinding
from legation.proofs.walk_state import Filed, TurnState
from legation.proofs.walking import Walk

CONTRADICTED = "Receipt and journal are both signed by the office and contradict each other: keep both."


def check_receipt(walk: Walk, kept: KeptSignature) -> ReceiptFinding:
    """Compare a receipt, whose own signature holds, with the journal; what contradicts it goes into the report."""
    if kept.game != walk.game.game:
        return ReceiptFinding(False, "This receipt is of another game.")
    if kept.office not in {key for _, key in walk.journal.offices}:
        what = f"This receipt is signed with {kept.office}, which was never the key of this game's office."
        return ReceiptFinding(False, what)
    if isinstance(kept, SignedRefusal):
        return ReceiptFinding(True, _refused(walk, kept))
    n, line_hash = _named_line(kept)
    at = kept.received if isinstance(kept, SignedReceipt) else kept.at
    if any(first <= n <= last and at < told for first, last, told in walk.lost) and _hash(walk, n) != line_hash:
        what = f"Line {n} of the journal was lost when the office was restored from a backup, as the journal says."
        if isinstance(kept, SignedReceipt):
            again = any(record.commitment in walk.filed for record in kept.records)
            what += " What was sent is in it again." if again else " Send the office this receipt."
        return ReceiptFinding(True, what)
    if n > len(walk.journal.entries):
        what = f"This was signed when the journal had {n} lines; the file ends at line {len(walk.journal.entries)}."
        return ReceiptFinding(True, f"{what} Get a newer one.")
    if _hash(walk, n) != line_hash:
        what = f"line {n} of the journal is not the one that the office signed here: there are two journals"
        return _contradiction(walk, n, what)
    if isinstance(kept, SignedHead):
        return ReceiptFinding(True, f"The journal holds what the office signed at line {n}.")
    return _sheet(walk, kept)


def compare_kept(one: KeptSignature, other: KeptSignature) -> tuple[bool | None, str]:
    """Say whether what two players keep is of one journal (None: these two can't show it), and that in words."""
    if one.game != other.game or one.office != other.office:
        return None, "These two are of different games, or signed with different keys: they can't be compared."
    if isinstance(one, SignedRefusal) or isinstance(other, SignedRefusal):
        return None, "A refusal says nothing of the journal. Compare the heads of the mails with the results."
    (n, line_hash), (m, other_hash) = _named_line(one), _named_line(other)
    if n != m:
        return None, (
            f"One is of line {n} of the journal and the other of line {m}. Compare two of the same results, or check "
            "both with 'legation verify': whichever isn't in the file shows that there are two journals."
        )
    if line_hash == other_hash:
        return True, f"Both are of one journal up to line {n}: nobody was shown another game up to there."
    return False, (
        f"The office signed two different lines {n}: it shows two journals, and one of you plays another game than the "
        "other. Keep both: together they prove it to everybody."
    )


def _named_line(kept: SignedReceipt | SignedHead) -> tuple[int, str]:
    return (kept.line, kept.head) if isinstance(kept, SignedReceipt) else (kept.n, kept.hash)


def _refused(walk: Walk, kept: SignedRefusal) -> str:
    turn, came = walk.turns.get(kept.turn), f"What {kept.seat} sent on {_day(kept.at)}"
    if turn is not None and turn.closed and kept.at > turn.bound:
        return f"{came} came after the deadline of {turn.name}: {kept.reason}"
    if turn is not None and turn.closed:
        return f"{came}, before the deadline of {turn.name}, was not taken: {kept.reason}"
    return f"{came} was not taken: {kept.reason}"


def _hash(walk: Walk, n: int) -> str:
    return walk.journal.entries[n - 1].hash if 1 <= n <= len(walk.journal.entries) else ""


def _contradiction(walk: Walk, n: int, what: str) -> ReceiptFinding:
    walk.report.fail(n, "receipt", what, LIE, CONTRADICTED)
    return ReceiptFinding(False, what[0].upper() + what[1:] + ".")


def _sheet(walk: Walk, kept: SignedReceipt) -> ReceiptFinding:
    turn = walk.turns.get(kept.turn)
    if turn is None or any(r.commitment not in walk.filed for r in kept.records):
        if kept.hidden and turn is not None and not turn.closed:
            what = "What you sent is sealed. It enters the journal when the turn is closed; check again then."
            return ReceiptFinding(True, what)
        hidden = turn is not None and any(turn.opened < n < turn.closed for n in walk.hidden_lines)
        if walk.game.hides and turn is not None and hidden and kept.seat not in turn.shown_to:
            what = "What was sent is hidden from the reader of this file: check it with the one that you get signed in."
            return ReceiptFinding(True, what)
        return _contradiction(walk, kept.line, f"version {kept.version} of {kept.seat} is missing from the journal")
    for record in kept.records:
        filed = walk.filed[record.commitment]
        said = (filed.turn, filed.given_in, filed.seat or kept.seat, filed.version or kept.version)
        if said != (record.turn, kept.turn, kept.seat, kept.version):
            what = f"the journal files the sheet under version {filed.version} of {filed.seat}"
            return _contradiction(walk, filed.line, what)
        received = filed.fields.get("received", kept.received)
        if received != kept.received:
            return _contradiction(walk, filed.line, "the receipt tells another time than the record")
    own = kept.records[0].commitment
    shown = next((opening.fields() for opening in kept.openings if opening.commitment == own), walk.filed[own].fields)
    named = _named(turn, own, {**shown, "received": kept.received})
    return ReceiptFinding(True, _became(turn, walk.filed[own], kept.seat, kept.version, named))


def check_mark(walk: Walk, mark: str) -> ReceiptFinding:
    """Tell what became of something by its mark alone: its commitment, or the SHA-256 of a picture. It shows nothing
    against the office, as a receipt does: whoever has none learns only what the journal says."""
    pictures = (
        filed
        for filed in walk.filed.values()
        if any(mark in (file.sent, file.kept) for file in filed.fields.get("files", ()))
    )
    filed = walk.filed.get(mark) or next(pictures, None)
    if filed is None:
        what = (
            "Nothing in the journal has this mark. Where senders are hidden, marks enter it when the turn is closed; "
            "pictures are known by theirs once results are out."
        )
        return ReceiptFinding(False, what)
    if not filed.seat:
        return ReceiptFinding(True, f"It is in line {filed.line} of the journal; whose it is isn't shown yet.")
    turn = walk.turns[filed.given_in]
    named = _named(turn, filed.commitment, filed.fields)
    return ReceiptFinding(True, _became(turn, filed, filed.seat, filed.version, named))


def _named(turn: TurnState, commitment: str, fields: dict[str, Any]) -> str:
    """What was sent, as its sender calls it: a sheet, a photograph of one, an envelope."""
    if not fields.get("files"):
        return "Your sheet"
    day = (
        f" on {_day(fields['received'])}" if "received" in fields else ""
    )  # which an anonymous game hides till its end
    if commitment in turn.opened_after:
        return f"The envelope that was photographed{day}"
    return f"{'Your' if fields.get('entered_by') == 'holder' else 'The'} photograph{day.replace(' on ', ' of ')}"


def _day(moment: int) -> str:
    return f"{datetime.fromtimestamp(moment // 1_000_000, UTC):%d %B %Y}".lstrip("0")


def _became(turn: TurnState, filed: Filed, seat: str, version: int, what: str) -> str:
    lost = f"The key that would open it is lost, as line {filed.lost} of the journal says"
    if filed.lost and (filed.never_counts(turn.opened) or not turn.played):
        return f"{lost}: send your orders again."
    became = _standing(turn, seat, version, what)
    return f"{became} {lost}." if filed.lost else became


def _standing(turn: TurnState, seat: str, version: int, what: str) -> str:
    forged = "; only the office says so, and the seat's key did not sign it"
    if ("withdrawn", seat, version) in turn.words:
        return f"Version {version} of {seat} was withdrawn{forged * (('withdrawn', seat, version) in turn.unsigned)}."
    if ("refused", seat, version) in turn.words:
        return f"{seat}'s holder refused version {version}{forged * (('refused', seat, version) in turn.unsigned)}."
    if not turn.played:
        later = turn.last.get(seat, 0)
        if later > version:
            return f"{what} was replaced by version {later}; {turn.name} is not judged yet."
        return f"{what} is sealed and in the journal; {turn.name} is not judged yet."
    if (counted := turn.played[-1].counted) is None or seat not in counted:
        return f"{what} is in the journal. Which version counted is hidden from the reader of this file."
    number, _ = counted[seat]
    if number == version:
        return f"{what} counted: it is version {number} of {seat} in {turn.name}."
    if number > version and ("sent", seat, number) in turn.unsigned:
        return (
            f"{what} was replaced by version {number}, which your seat's key did not sign: only the office says that "
            "you sent it."
        )
    if number > version:
        return f"{what} was replaced by your version {number}."
    if number:
        return f"{what} did not count; version {number} did. Nothing of yours was understood, or it was not confirmed."
    return f"{what} did not count, nor did any other of {seat}: nothing of it was understood, or not confirmed."
