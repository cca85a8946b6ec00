"""Mails whose subject says only that somebody is away: a machine's answer, or orders of somebody who wrote so."""

from __future__ import annotations

from datetime import date
from typing import Literal

from legation.mail.commands import Ask, Misread
from legation.mail.reading import ParsedMail
from legation.mail.requests import read_request
from legation.notation import resembles_an_order
from legation.office import Office
from legation.office.coordination.mailroom import MailSender, present_turn
from legation.position import Turn

Carries = Literal["orders", "maybe", ""]


def carries(office: Office, mail: ParsedMail, sender: MailSender, day: date) -> Carries:
    """Whether a mail has what somebody does who plays: orders, a command that is no question, a picture that is
    enclosed. ``maybe``: lines that look like orders, and whatever is from someone who may be another."""
    if sender.person is None or not sender.sure:  # whoever it is: little work is done for them
        own = read_request(mail.text, day).has_orders
        return "maybe" if own or mail.attachments else ""
    request = read_request(mail.text, day)
    if any(not file.inline for file in mail.attachments):
        return "orders"
    if any(not isinstance(command, Ask | Misread) for command in request.commands):
        return "orders"
    seats = [seat for seat in sender.seats if sender.seat in (None, seat)]
    found: Carries = ""
    for seat in seats:
        reader = office.variants.load(seat.variant).reader
        phase = Turn.parse(present_turn(office, seat).name).phase
        orders, faults = reader.orders(request.orders, phase, seat.power)
        if orders:
            return "orders"
        if any(fault.suggestions or resembles_an_order(fault.text, reader, seat.power) for fault in faults):
            found = "maybe"
    return found
