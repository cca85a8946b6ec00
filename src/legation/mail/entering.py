"""Submissions by mail: orders, orders ahead, pictures of orders, and a vote for a draw."""

import re

from legation.game.report import count
from legation.mail.commands import ForPhase, Letter, Request
from legation.mail.content import Facts, Paragraph, listing
from legation.mail.handling import IncomingMail, seat_names, turn_named
from legation.mail.receipts import VOTE, fault_in_words, orders_receipt, picture_receipt, receipt_line, signed_receipt
from legation.mail.results import opens_later
from legation.mail.subjects import MailSubject, letters_sender
from legation.mail.wording import deadline_in_words, lateness, moment_in_words
from legation.mail.words import answers, told
from legation.notation import OrderTextError, resembles_an_order
from legation.office.desk import letters
from legation.office.desk.mailroom import SeatRef
from legation.office.errors import OfficeError
from legation.office.orders import submissions
from legation.office.records import Receipt

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
        _tell_late(mail, seat)
        return
    mail.answer.headline = f"{receipt.power}, {receipt.turn}: {count(len(pictures), 'picture')} received"
    mail.answer.blocks += picture_receipt(mail.office, mail.zone, receipt, pictures)
    mail.answer.enclosures += signed_receipt(receipt)
    if text:
        mail.answer.notes.append(told("text beside pictures"))


def send_orders(mail: IncomingMail, request: Request, subject: MailSubject) -> None:
    """Send the orders of a mail in, with those for later turns and a vote for a draw."""
    ahead = [c for c in request.commands if isinstance(c, ForPhase)]
    votes = [c for c in request.asks("draw") if c.on]
    if not (request.has_orders or ahead or votes):
        return
    seat, present = mail.own_seat, request.orders.rstrip()
    told = [line for block in ahead for line in _ahead(mail, block)]
    if votes and not (present or told):
        vote_for_draw(mail, on=True)
        return
    instructions = [f"Instructions: v{subject.version or ''} {subject.instruction}"] if subject.instruction else []
    text = "\n".join([present, *(["draw"] if votes else []), *instructions, *told])
    if not instructions and _keeps_what_counts(mail, seat, text, voted=bool(votes)):
        return
    receipt = _submit(mail, seat, text)
    if receipt is None:
        return
    if not receipt.counts:
        _name_commands(mail, text)
    elif receipt.checked is not None:
        read = {line.line for line in receipt.checked.lines if line.order and not line.problem}
        unread = [line for number, line in enumerate(text.split("\n"), 1) if number not in read]
        _name_wanted(mail, "\n".join(line for line in unread if len(line.split()) <= MOST_WORDS))


def _keeps_what_counts(mail: IncomingMail, seat: SeatRef, text: str, *, voted: bool) -> bool:
    """Whether a text orders nothing for this turn, so that it must not replace what was sent: talk, a vote, orders
    for later turns alone. What becomes of it is told."""
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
    counting = mail.counting(seat)
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
    if not voted and not checked.ahead and _answers_letter(mail, seat, text):
        return True
    mail.say(f"There were no orders in your mail, so nothing was entered. {mail.what_counts(seat, mail.turn)}")
    faults = [fault_in_words(line) for line in checked.lines if line.problem]
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


def _answers_letter(mail: IncomingMail, seat: SeatRef, text: str) -> bool:
    """Whether a text without orders answered the mail of a letter, and was sent to who wrote that as a letter."""
    sender = _letter_answered(mail)
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


def _submit(mail: IncomingMail, seat: SeatRef, text: str) -> Receipt | None:
    receipt = mail.attempt(submissions.submit, seat.game, seat.power, text, mail.nonce)
    if receipt is None:
        _tell_late(mail, seat)
    else:
        mail.answer.turn = receipt.turn
        mail.answer.headline = receipt_line(receipt)
        mail.answer.blocks += orders_receipt(mail.office, mail.zone, receipt)
        mail.answer.enclosures += signed_receipt(receipt)
    return receipt


def _tell_late(mail: IncomingMail, seat: SeatRef) -> None:
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
    mail.say(mail.what_counts(seat, turn))
    if turn.state != "open":
        mail.answer.blocks += opens_later(mail.office, mail.actor, seat.game)


def vote_for_draw(mail: IncomingMail, *, on: bool) -> None:
    """Vote for a draw, or take the vote back. A vote goes with a sheet, and what was sent is sealed: a vote alone
    replaces nothing."""
    counting = mail.counting(mail.own_seat)
    if counting is not None:
        mail.tell("draw" if on else "no draw", version=counting.version)
    elif on:
        _submit(mail, mail.own_seat, "draw")
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
