"""Handle a mail: decide for which seat it is and what counts in it, carry that out with the office's commands, and
answer."""

from datetime import datetime
from typing import Literal

import msgspec

from legation.mail.carrying_out import carry_out
from legation.mail.commands import Ask, Command, ForPhase, Letter, Misread, Plain, SignOn, Vote
from legation.mail.entering import send_orders, send_pictures
from legation.mail.handling import Answer, IncomingMail, seat_in_words, seat_names
from legation.mail.questions import ask
from legation.mail.reading import ParsedMail
from legation.mail.subjects import MailSubject, is_own_subject, read_subject, without_replies
from legation.mail.words import told
from legation.notation import OrderTextError, resembles_an_order
from legation.office.desk.mailroom import MailSender, SeatRef, named_game, present_turn
from legation.office.errors import OfficeError
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.orders.order_codes import SheetCode
from legation.office.permissions import STATES
from legation.orders import Order
from legation.position import Turn, TurnTextError

Carries = Literal["orders", "maybe", ""]
SEATED = frozenset(["clear", "undo", "wait", "draw", "resign"])


def answer(office: Office, parsed: ParsedMail, sender: MailSender, received: datetime) -> Answer:
    """Carry out what a mail from a known sender asks for, and return the answer."""
    mail = IncomingMail(office, parsed, sender, received)
    subject = subject_of(mail)
    mail.answer.notes += mail.parsed.notes
    if mail.parsed.pictures and _are_decoration(mail, subject):
        mail.answer.notes.append("The pictures in the mail weren't kept, because its text has the orders.")
    elif mail.parsed.pictures:
        subject, fault = _with_code(subject, mail)
        if fault:
            mail.refuse(fault)
        elif mail.choose_seat(subject) and mail.fits(subject):
            send_pictures(mail, subject)
        return mail.answer
    request = mail.parsed.request
    mail.answer.notes += request.notes
    needs_seat = request.has_orders or any(_needs_seat(mail, subject, c) for c in request.commands)
    signs_on = any(isinstance(c, SignOn) for c in request.commands)
    if (needs_seat or signs_on) and not mail.choose_seat(subject):
        return mail.answer
    if needs_seat and not mail.fits(subject):
        return mail.answer
    before = request.asks("clear", "undo")  # with what was sent before, wherever in the mail it stands
    for command in before:
        carry_out(mail, command)
    send_orders(mail, request, subject)
    for other in request.commands:
        if other not in before:
            carry_out(mail, other)
    if not mail.answer.headline and _has_orders_in_subject(mail):
        mail.say("Orders in the subject aren't read. Write them in the mail itself.")
    if signs_on and not mail.answer.blocks:  # as the e-mail Judge does
        mail.say(f"You play {seat_in_words(mail.own_seat)}. {mail.what_counts()}")
        mail.answer.blocks += ask(mail.office, mail.actor, Ask("status", mail.own_seat.game), ())
    if not mail.answer.blocks and request.notes:
        mail.tell("only quoted")
    return mail.answer


def _needs_seat(mail: IncomingMail, subject: MailSubject, command: Command) -> bool:
    """Whether a command is about a seat; whether an address is shared is told also of a game that gathers players."""
    word = command.word if isinstance(command, Plain) else ""
    if word == "share":
        return bool(mail.held) and not any(subject.game == game.key for game in mail.gathering())
    return word in SEATED or isinstance(command, Vote | Letter | ForPhase)


def _with_code(subject: MailSubject, mail: IncomingMail) -> tuple[MailSubject, str]:
    """The subject, with what the code of an order sheet in the pictures says where it is silent; and what is wrong
    where a code says something else than the subject, the address, or another code."""
    codes = mail.parsed.codes
    if len(codes) > 1:
        return subject, told("several sheets", seats="; ".join(sorted(map(_seat_and_turn, codes))))
    if mail.parsed.code_fault or not codes:
        return subject, mail.parsed.code_fault
    code, seat = codes[0], mail.seat
    try:
        turn = Turn.parse(code.turn)
    except TurnTextError:
        return subject, ""
    if seat is not None and (seat.game, seat.power) != (code.game, code.power):
        return subject, told("another's sheet", sheet=_seat_and_turn(code), seat=seat)
    said = (
        (subject.game, code.game),
        (subject.power, code.power),
        (subject.season if turn.season != subject.or_season else "", turn.season),
        (str(subject.year or ""), str(turn.year)),
        (subject.phase.value if subject.phase else "", turn.phase.value),
    )
    if wrong := next((given for given, coded in said if given and coded and given != coded), ""):
        return subject, told("sheet and subject", said=wrong, sheet=_seat_and_turn(code))
    found = {"game": code.game, "power": code.power, "year": turn.year, "phase": turn.phase}
    return msgspec.structs.replace(subject, season=turn.season or subject.season, **found), ""


def _seat_and_turn(code: SheetCode) -> str:
    return f"{code.power} in {code.game}, {code.turn}"


def subject_of(mail: IncomingMail) -> MailSubject:
    """Read the subject of a mail; of one written by the office only the game and the power count. The game may be one
    in which the sender has no seat: then the mail is for none of theirs (W-20c)."""
    written = mail.parsed.subject
    subject = read_subject(written, [seat_names(mail.office, held) for held in mail.held])
    if not subject.game and not mail.parsed.codes:
        named = named_game(mail.office, without_replies(written), mail.actor, STATES)
        subject = msgspec.structs.replace(subject, game=named)
    if not is_own_subject(written):
        return subject
    if is_own_subject(written, "own_subjects_of_a_turn"):
        mail.about = (subject.season, subject.year, subject.phase)
    return MailSubject(game=subject.game, power=subject.power)


def _has_orders_in_subject(mail: IncomingMail) -> bool:
    text = without_replies(mail.parsed.subject)
    seats = [held for held in mail.held if mail.seat in (None, held)]
    return not is_own_subject(text) and any(_orders(mail.office, seat, text)[0] for seat in seats)


def _orders(office: Office, seat: SeatRef, text: str) -> tuple[list[Order], list[OrderTextError]]:
    phase = Turn.parse(present_turn(office, seat).name).phase
    return office.variants.load(seat.variant).reader.orders(text, phase, seat.power)


def _are_decoration(mail: IncomingMail, subject: MailSubject) -> bool:
    """Whether the pictures are all within the text, the text gives orders, and nobody reads pictures in the game."""
    request = mail.parsed.request
    certain = mail.seat is not None or len(mail.held) == 1 or subject.game or subject.power
    if not certain or not request.has_orders or not all(file.inline for file in mail.parsed.attachments):
        return False
    seat = mail.seat or mail.held[0]
    try:
        if mail.game(seat.game).settings["coordinated"]:
            return False
        return bool(submissions.check(mail.office, mail.actor, seat.game, seat.power, request.orders).orders)
    except OfficeError:
        return False


def carries(office: Office, mail: ParsedMail, sender: MailSender) -> Carries:
    """Whether a mail whose subject says only that somebody is away has what somebody does who plays: orders, a command
    that is no question, a picture that is enclosed. ``maybe``: lines that look like orders, and whatever is from
    someone who may be another."""
    request = mail.request
    if sender.person is None or not sender.sure:  # whoever it is: little work is done for them
        return "maybe" if request.has_orders or mail.attachments else ""
    if any(not file.inline for file in mail.attachments):
        return "orders"
    if any(not isinstance(command, Ask | Misread) for command in request.commands):
        return "orders"
    found: Carries = ""
    for seat in [seat for seat in sender.seats if sender.seat in (None, seat)]:
        orders, faults = _orders(office, seat, request.orders)
        if orders:
            return "orders"
        reader = office.variants.load(seat.variant).reader
        if any(fault.suggestions or resembles_an_order(fault.text, reader, seat.power) for fault in faults):
            found = "maybe"
    return found
