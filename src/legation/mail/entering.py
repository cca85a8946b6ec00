"""Submissions by mail: orders, orders ahead, pictures of orders, a vote for a draw; and their receipts, which tell what
was understood, what was not, and what proves it."""

import re
from collections.abc import Sequence

from legation.game.report import count
from legation.mail.commands import ForPhase, Letter, Request
from legation.mail.content import Block, Enclosure, Facts, Paragraph, listing
from legation.mail.handling import IncomingMail, seat_names, turn_named
from legation.mail.results import opens_later
from legation.mail.subjects import MailSubject, letters_sender
from legation.mail.wording import deadline_in_words, lateness, moment_in_words, without_order
from legation.mail.words import answers, told
from legation.notation import OrderTextError, resembles_an_order, write
from legation.office.desk import letters
from legation.office.errors import OfficeError
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.orders.pictures import Picture
from legation.office.records import CheckedLine, Receipt
from legation.orders import VoteDraw
from legation.proofs.receipts import read_receipt, receipt_text

VOTE = write(VoteDraw())
CONCESSION = "concede to "
MOST_FAULTS = 5  # lines without orders that are told
MOST_WORDS = 3  # of a line among orders that may be meant as a command: "nowait", "I'm ready"


def send_pictures(mail: IncomingMail, subject: MailSubject) -> None:
    """Send the pictures of a mail in. Its subject and they count; its text is kept for the coordinator to see, each
    line behind a bar, so that none is read as an instruction."""
    text = mail.parsed.text.strip()
    note = "\n".join(f"| {line}".rstrip() for line in text.split("\n")) if text else ""
    if subject.instruction:
        note = f"Version instructions: {subject.instruction}\n\n{note}".strip()
    pictures = mail.parsed.pictures
    files = [(p.name or f"picture {n}", p.data, p.kind) for n, p in enumerate(pictures, 1)]
    seat = mail.own_seat
    receipt = mail.attempt(submissions.submit_pictures, seat.game, seat.power, files, note, mail.nonce)
    if receipt is None:
        _tell_late(mail)
        return
    mail.answer.headline = f"{receipt.power}, {receipt.turn}: {count(len(pictures), 'picture')} received"
    mail.answer.blocks += _picture_receipt(mail.office, mail.zone, receipt, pictures)
    mail.answer.enclosures += _signed_receipt(receipt)
    if text:
        mail.answer.notes.append(told("text beside pictures"))


def send_orders(mail: IncomingMail, request: Request, subject: MailSubject) -> None:
    """Send the orders of a mail in, with those for later turns and a vote for a draw."""
    ahead = [c for c in request.commands if isinstance(c, ForPhase)]
    votes = [c for c in request.asks("draw") if c.on]
    if not (request.has_orders or ahead or votes):
        return
    present = request.orders.rstrip()
    told = [line for block in ahead for line in _ahead(mail, block)]
    if votes and not (present or told):
        vote_for_draw(mail, on=True)
        return
    instructions = [f"Instructions: v{subject.version or ''} {subject.instruction}"] if subject.instruction else []
    text = "\n".join([present, *(["draw"] if votes else []), *instructions, *told])
    if not instructions and _keeps_what_counts(mail, text, voted=bool(votes)):
        return
    receipt = _submit(mail, text)
    if receipt is None:
        return
    if not receipt.counts:
        _name_commands(mail, text)
    elif receipt.checked is not None:
        read = {line.line for line in receipt.checked.lines if line.order and not line.problem}
        unread = [line for number, line in enumerate(text.split("\n"), 1) if number not in read]
        _name_wanted(mail, "\n".join(line for line in unread if len(line.split()) <= MOST_WORDS))


def _keeps_what_counts(mail: IncomingMail, text: str, *, voted: bool) -> bool:
    """Whether a text orders nothing for this turn, so that it must not replace what was sent: talk, a vote, orders
    for later turns alone. What becomes of it is told."""
    seat = mail.own_seat
    try:
        checked = submissions.check(mail.office, mail.actor, seat.game, seat.power, text)
    except OfficeError:
        return False  # the same is said when it is sent
    reader = mail.office.variants.load(seat.variant).reader
    unread = [line for line in checked.lines if line.problem == "not understood"]
    doubtful = any(line.suggestions or resembles_an_order(line.text, reader, seat.power) for line in unread)
    if doubtful or checked.instructions:
        return False
    votes = set(checked.orders)
    conceding = votes - {VOTE} and all(order == VOTE or order.startswith(CONCESSION) for order in votes)
    if votes - {VOTE} and not conceding:
        return False
    counting = mail.counting()
    if votes == {VOTE} and not checked.ahead:
        if not voted or counting is not None:
            vote_for_draw(mail, on=True)
        return not voted or counting is not None
    if conceding or (checked.ahead and not votes):
        if counting is not None:
            mail.tell("concession" if conceding else "only later", version=counting.version)
        return counting is not None
    if votes:
        return False
    if not voted and not checked.ahead and _answers_letter(mail, text):
        return True
    mail.say(f"There were no orders in your mail, so nothing was entered. {mail.what_counts()}")
    faults = [_fault_in_words(line) for line in checked.lines if line.problem]
    mail.answer.blocks += listing("Not understood", faults[:MOST_FAULTS])
    _name_commands(mail, text)
    due = Facts((("Due", deadline_in_words(mail.office, mail.zone, mail.turn.deadline)),))
    is_open = mail.turn.state == "open"
    mail.answer.blocks += [due] if is_open else opens_later(mail.office, mail.actor, seat.game)
    return True


def _letter_answered(mail: IncomingMail) -> str:
    """The power whose letter a mail answers that holds no letter itself; else empty."""
    writes = any(isinstance(command, Letter) for command in mail.parsed.request.commands)
    return "" if writes else letters_sender(mail.parsed.subject)


def _answers_letter(mail: IncomingMail, text: str) -> bool:
    """Whether a text without orders answered the mail of a letter, and was sent to who wrote that as a letter."""
    seat, sender = mail.own_seat, _letter_answered(mail)
    if not sender or not text.strip():
        return False
    try:
        to = mail.office.variants.load(seat.variant).reader.power(sender)
    except OrderTextError:  # an anonymous player
        return False
    if mail.attempt(letters.write, seat.game, seat.power, [to], text.strip()) is None:
        return False
    mail.tell("answer sent", sender=sender)
    return True


def _name_commands(mail: IncomingMail, text: str) -> None:
    if sender := _letter_answered(mail):
        whom = "and the power's name" if sender.startswith("an anonymous") else sender
        mail.tell("answer not sent", sender=sender, whom=whom)
    _name_wanted(mail, text)


def _name_wanted(mail: IncomingMail, text: str) -> None:
    for meant, command in answers("wanted").items():
        if re.search(rf"\b(?:{meant})\b", text, re.IGNORECASE):
            mail.say(command)


def _submit(mail: IncomingMail, text: str) -> Receipt | None:
    seat = mail.own_seat
    receipt = mail.attempt(submissions.submit, seat.game, seat.power, text, mail.nonce)
    if receipt is None:
        _tell_late(mail)
    else:
        mail.answer.turn = receipt.turn
        mail.answer.headline = _receipt_line(receipt)
        mail.answer.blocks += _orders_receipt(mail.office, mail.zone, receipt)
        mail.answer.enclosures += _signed_receipt(receipt)
    return receipt


def _tell_late(mail: IncomingMail) -> None:
    turn = mail.turn
    if mail.received <= turn.deadline:
        return
    mail.answer.headline = "Nothing was entered"
    rows = (
        ("Came", moment_in_words(mail.received, mail.zone)),
        ("Was due", moment_in_words(turn.deadline, mail.zone)),
        ("Late by", lateness(mail.received, turn.deadline)),
    )
    mail.answer.blocks.append(Facts(rows))
    mail.say(mail.what_counts())
    if turn.state != "open":
        mail.answer.blocks += opens_later(mail.office, mail.actor, mail.own_seat.game)


def vote_for_draw(mail: IncomingMail, *, on: bool) -> None:
    """Vote for a draw, or take the vote back. A vote goes with a sheet, and what was sent is sealed: a vote alone
    replaces nothing."""
    counting = mail.counting()
    if counting is not None:
        mail.tell("draw" if on else "no draw", version=counting.version)
    elif on:
        _submit(mail, "draw")
    else:
        mail.say("You have sent nothing for this turn, so there is no vote to take back.")


def _ahead(mail: IncomingMail, block: ForPhase) -> list[str]:
    """Orders ahead as lines of a sheet; those for no turn at all are not entered, and never for another one."""
    turn = turn_named(block.turn, seat_names(mail.office, mail.own_seat))
    if turn:
        return ["", f"{turn}:", block.text]
    text = told("no turn", turn=block.turn, present=mail.answer.turn)
    mail.answer.blocks.append(Paragraph(text, strong=True))
    return []


# Receipts


def _receipt_line(receipt: Receipt) -> str:
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


def _orders_receipt(office: Office, zone: str, given: Receipt) -> list[Block]:
    """Return the receipt for orders: what was understood, what wasn't and how to fix it, what is missing, the proof."""
    blocks: list[Block] = [Paragraph(note, strong=True) for note in given.notes]
    checked = given.checked
    if checked is not None:
        understood = [line for line in checked.lines if line.order and not line.problem]
        faulty = [line for line in checked.lines if line.problem]
        unread = [_fault_in_words(line) for line in faulty if line.problem == "not understood"]
        refused = [_fault_in_words(line) for line in faulty if line.problem in ("illegal", "not yours", "superseded")]
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


def _signed_receipt(given: Receipt) -> list[Enclosure]:
    """The signed receipt as an attachment, for checking the game later."""
    if not given.proof:
        return []
    text = receipt_text(read_receipt(given.proof))
    power = re.sub(r"[^a-z0-9]+", "-", given.power.casefold()).strip("-") or "power"
    return [Enclosure(f"receipt-{given.game}-{power}-{given.version}.txt", "text/plain", text.encode())]


def _fault_in_words(line: CheckedLine) -> str:
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


def _picture_receipt(office: Office, zone: str, given: Receipt, pictures: Sequence[Picture]) -> list[Block]:
    """Return the receipt for pictures, which are read after the deadline."""
    shown = [f"{p.name or 'picture'}: {p.width} x {p.height} pixels, {len(p.data) // 1000 or 1} kB" for p in pictures]
    return [
        *(Paragraph(note, strong=True) for note in given.notes),
        *listing("Pictures", shown),
        Paragraph(told("pictures")),
        Facts(tuple(_proof(office, zone, given))),
    ]
