"""Receipts: what was understood of a mail's orders, what was not, and what proves it."""

import re
from collections.abc import Sequence

from legation.game.report import count
from legation.mail.content import Block, Enclosure, Facts, Paragraph, listing
from legation.mail.wording import deadline_in_words, moment_in_words, without_order
from legation.mail.words import told
from legation.notation import write
from legation.office.office import Office
from legation.office.orders.pictures import Picture
from legation.office.records import CheckedLine, Receipt
from legation.orders import VoteDraw
from legation.proofs.receipts import read_receipt, receipt_text

VOTE = write(VoteDraw())


def receipt_line(receipt: Receipt) -> str:
    """``Crown, Summer 1642 Movement: orders v2, 6 of 7 units``."""
    checked = receipt.checked
    head = f"{receipt.power}, {receipt.turn}: orders v{receipt.version}"
    if checked is None or not receipt.turn.endswith("Movement"):
        return head
    orders = [line.order.split(" ") for line in checked.lines if line.order and not line.problem]
    places = [words[words[0].isupper() :] for words in orders]  # from where the unit is, with or without its kind
    ordered = len({words[0] for words in places if len(words) > 1 and words[1] != "to"})  # no vote, no concession
    units = count(ordered + len(checked.missing), "unit")
    return f"{receipt.power}, {receipt.turn}: orders v{receipt.version}, {ordered} of {units}"


def orders_receipt(office: Office, zone: str, given: Receipt) -> list[Block]:
    """Return the receipt for orders: what was understood, what wasn't and how to fix it, what is missing, the proof."""
    blocks: list[Block] = [Paragraph(note, strong=True) for note in given.notes]
    checked = given.checked
    if checked is not None:
        understood = [line for line in checked.lines if line.order and not line.problem]
        faulty = [line for line in checked.lines if line.problem]
        unread = [fault_in_words(line) for line in faulty if line.problem == "not understood"]
        refused = [fault_in_words(line) for line in faulty if line.problem in ("illegal", "not yours", "superseded")]
        missing = checked.missing if given.counts or given.version == 1 else ()
        for title, lines in (
            ("Understood", [line.order or "" for line in understood]),
            ("Not understood", unread),
            ("Understood, but will not be carried out", refused),
            ("For later phases", [a.then or f"line {a.line}, “{a.text}”: {a.message}" for a in checked.ahead]),
            ("Please check", [f"{line.order}: {hint}" for line in understood for hint in line.hints]),
            ("No order", [f"{unit}: {without_order(given.turn)}" for unit in missing]),
            ("For the coordinator, after the deadline", checked.instructions),
        ):
            blocks += listing(title, lines)
    blocks.append(Facts(tuple(_proof(office, zone, given))))
    votes = checked is None or any(line.order == VOTE for line in checked.lines)
    replaces = given.version > 1 and given.counts and not votes
    return [*blocks, Paragraph(told("replaced" if replaces else "change"))]


def signed_receipt(given: Receipt) -> list[Enclosure]:
    """The signed receipt as an attachment, for checking the game later."""
    if not given.proof:
        return []
    text = receipt_text(read_receipt(given.proof))
    power = re.sub(r"[^a-z0-9]+", "-", given.power.casefold()).strip("-") or "power"
    return [Enclosure(f"receipt-{given.game}-{power}-{given.version}.txt", "text/plain", text.encode())]


def fault_in_words(line: CheckedLine) -> str:
    """Return what is wrong in a line of a sheet, with what was probably meant."""
    words = f"line {line.line}, “{line.text[:80]}”: {line.message}"
    return words + (f"; did you mean {' or '.join(line.suggestions[:3])}?" if line.suggestions else "")


def _proof(office: Office, zone: str, given: Receipt) -> list[tuple[str, str]]:
    titles = {"Builds left": "builds_left", "Removals due": "removals_due", "Supply left to send": "sends_left"}
    left = ((title, getattr(given.checked, name, 0)) for title, name in titles.items())
    rows = [
        *((title, str(number)) for title, number in left if number),
        ("Version", str(given.version)),
        ("Received", moment_in_words(given.received, zone)),
        ("Deadline", deadline_in_words(office, zone, given.deadline)),
        ("Commitment", given.commitment),
    ]
    return [*rows, ("Reading key", given.reading_key)] if given.reading_key else rows


def picture_receipt(office: Office, zone: str, given: Receipt, pictures: Sequence[Picture]) -> list[Block]:
    """Return the receipt for pictures, which are read after the deadline."""
    shown = [f"{p.name or 'picture'}: {p.width} x {p.height} pixels, {len(p.data) // 1000 or 1} kB" for p in pictures]
    return [
        *(Paragraph(note, strong=True) for note in given.notes),
        *listing("Pictures", shown),
        Paragraph(told("pictures")),
        Facts(tuple(_proof(office, zone, given))),
    ]
