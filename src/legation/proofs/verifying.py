"""Checking a transcript: everything, from the file and from what the reader keeps, without trusting the office.

Nothing of the file is run: it is read with bounds of size and depth, and judged by the rules that are known here."""

from collections.abc import Sequence

import msgspec

from legation.proofs.linking import check_heads, link
from legation.proofs.opening_checks import check_openings
from legation.proofs.receipt_checks import check_mark, check_receipt
from legation.proofs.receipts import KeptSignature, SignedHead
from legation.proofs.rejudging import Rejudging, load_rules
from legation.proofs.report import ALTERED, LIE, NOTHING, UNKNOWN_KEY, BrokenError, Report
from legation.proofs.transcript import Transcript, TranscriptError, read_transcript
from legation.proofs.walking import Walk
from legation.variants import USUAL, Registry


def verify(
    data: bytes,
    keys: Sequence[str] = (),
    receipts: Sequence[KeptSignature] = (),
    variants: Registry = USUAL,
    *,
    heads: Sequence[SignedHead] = (),
    marks: Sequence[str] = (),
    judges: bool = True,
) -> Report:
    """Check a transcript.

    :param keys: the office's public keys that the reader knows (hexadecimal).
    :param receipts: what the reader keeps: receipts, refusals, heads (:func:`~legation.proofs.receipts.read_receipt`).
    :param marks: commitments, or SHA-256 of pictures, of which the reader asks what became of them.
    :param heads: what an office published (:func:`~legation.proofs.receipts.read_heads`); those of this game count.
    :param variants: the variants that are known here.
    :param judges: whether every turn is judged again, too."""
    report = Report()
    try:
        transcript = read_transcript(data)
    except TranscriptError as error:
        report.fail(0, f"line {error.row} of the file", error.what, ALTERED)
        return report
    report.game = transcript.header.game
    published = [head for head in heads if head.game == report.game]
    if heads and not published:
        report.unchecked.append("the published heads: none is of this game")
    receipts = [*receipts, *published]
    try:
        walk = _journal(transcript, keys, receipts, report)
    except BrokenError as error:
        report.fail(error.line, error.place, error.what, ALTERED)
        return report
    shown = check_openings(walk, transcript)
    report.checked.append(f"{shown} of {len(walk.filed)} records are open, and fit their commitments")
    if not judges:
        report.unchecked.append("whether every turn comes out the same when it is judged again")
    elif (rules := load_rules(walk, variants, report)) is not None:
        Rejudging(walk, rules).run()
    report.receipts += [check_receipt(walk, receipt) for receipt in receipts]
    report.receipts += [check_mark(walk, mark) for mark in marks]
    _tell(walk, report)
    if not report.key_known:  # a lie is one of whoever holds the key; whose that is, is for the reader to compare
        report.failures = [
            msgspec.structs.replace(failure, proves=NOTHING, meaning=UNKNOWN_KEY) if failure.proves == LIE else failure
            for failure in report.failures
        ]
    return report


def _journal(transcript: Transcript, keys: Sequence[str], receipts: Sequence[KeptSignature], report: Report) -> Walk:
    journal = link(transcript, report)
    own = [r.office for r in receipts if r.game == journal.game.game]
    check_heads(journal, transcript, {k.lower() for k in (*keys, *own)}, report)
    report.checked.append(
        f"{len(journal.entries)} lines of the journal are one chain, signed {len(transcript.heads)} times by the office"
    )
    walk = Walk(journal, report)
    walk.run()
    game = walk.game
    keeper = "elsewhere" if game.keeper.elsewhere else "in the office's folder"
    options = ", ".join(f"{name} {value}" for name, value in sorted(game.options.items())) or "no options"
    report.told.append(
        f"line 1: {game.variant} ({options}), {game.in_words}, the keeper {game.keeper.key} is {keeper}, draws are "
        f"committed to by {game.lots}; compare this with how the game was announced"
    )
    report.told += [f"{turn.name}: {'; '.join(turn.times)}" for turn in walk.turns.values()]
    report.told += [f"{seat}: {'; '.join(said)}" for seat, said in walk.seat_lines.items() if said]
    return walk


def _tell(walk: Walk, report: Report) -> None:
    """What could not be checked, and what stands in the way of trust."""
    last = next((t for t in reversed(walk.turns.values()) if t.played), None)
    until = last.played[-1].line if last is not None else 0
    hidden = [n for n in walk.hidden_lines if walk.ended is not None or (not walk.game.hides and n < until)]
    for n in hidden:
        what = "it is not opened, though it should be by now"
        report.fail(n, f"journal line {n} (private)", what, NOTHING, "Ask the office for the file again.")
    if rest := len(walk.hidden_lines) - len(hidden):
        report.unchecked.append(f"{rest} private lines of the journal are not open to the reader of this file")
    if walk.erased:
        report.unchecked.append(f"notes or pictures of {len(walk.erased)} records, which were erased; their texts were")
    if walk.game.old is not None:
        report.unchecked.append(
            f"what was played before this journal began: {len(walk.game.old.commitments)} commitments are listed"
        )
    unsigned = {filed.seat for filed in walk.filed.values() if not filed.keyed}
    if keyless := [seat for seat in walk.game.seats if seat in unsigned or not walk.bound.get(seat)]:
        report.unchecked.append(f"what came from {', '.join(keyless)}, which has no key: it is the office's word")
    if not walk.tells_senders or walk.listed:
        report.unchecked.append("when sheets came: senders are hidden until the closing, so it is the office's word")
    if walk.ended is None:
        report.unchecked.append("whether the secrets of draws follow from the game's: that shows at its end")
    if not walk.keeper.elsewhere:
        report.unchecked.append(
            "the keeper is in the office's own folder: that turns were closed at the time they say is the office's word"
        )
    if not report.key_known:
        report.unchecked.append(f"whether {report.office} is the office's key: compare it with the one in your mails")
