"""Handle a mail: find its seat, carry out its requests with the office's commands, and answer with what
was understood and what became of it."""

from __future__ import annotations

from legation.mail.carrying_out import CommandHandler
from legation.mail.commands import Ask, Clear, Draw, ForPhase, Letter, Request, Resign, Share, SignOn, Undo, Vote, Wait
from legation.mail.content import Paragraph
from legation.mail.handling import Answer, seat_in_words, seat_names
from legation.mail.qr_codes import DisagreementError, with_codes
from legation.mail.questions import ask
from legation.mail.requests import read_request
from legation.mail.subjects import MailSubject, asks_for_turn, is_own_subject, read_subject, without_replies
from legation.office import submissions
from legation.office.coordination.mailroom import present_turn
from legation.office.errors import OfficeError
from legation.position import Turn

SEATED = (Clear, Undo, Wait, Draw, Vote, Letter, ForPhase, Resign, Share)


class MailHandler(CommandHandler):
    """The handler of one mail from a known sender: carries out its requests and writes the answer."""

    def act(self) -> Answer:
        """Carry out what the mail asks for, and return the answer."""
        subject = self._subject()
        pictures = list(self.mail.pictures)
        request = read_request(self.mail.text, self.received.date())
        self.answer.notes += list(self.mail.notes)
        if pictures and self._are_decoration(request, subject):
            self.answer.notes.append("The pictures in the mail weren't kept, because its text has the orders.")
            pictures = []
        if pictures:
            try:
                address = (self.seat.game, self.seat.power) if self.seat is not None else None
                subject = with_codes(subject, self.mail, address)
            except DisagreementError as error:
                self._refuse(str(error))
                return self.answer
            if self._choose_seat(subject, request) and self._fits(subject):
                self._send_pictures(pictures, subject)
            return self.answer
        self.answer.notes += list(request.notes)
        needs_seat = request.has_orders or any(isinstance(c, SEATED) for c in request.commands)
        signs_on = any(isinstance(c, SignOn) for c in request.commands)
        if (needs_seat or signs_on) and not self._choose_seat(subject, request):
            return self.answer
        if needs_seat and not self._fits(subject):
            return self.answer
        for first in (c for c in request.commands if isinstance(c, Clear | Undo)):
            self._do(first)  # with what was sent before, wherever in the mail it stands
        self._send_orders(request, subject)
        for command in request.commands:
            if not isinstance(command, Clear | Undo):
                self._do(command)
        if not self.answer.headline and self._orders_in_subject():
            self._say("Orders in the subject aren't read. Write them in the mail itself.")
        if signs_on and not self.answer.blocks:
            self._acknowledge()
        if not self.answer.blocks and request.notes:
            self.answer.blocks.append(
                Paragraph(
                    "Your mail held only quoted text, so nothing was entered. If you wrote orders among or below it, "
                    "write them in a new mail."
                )
            )
        return self.answer

    def _acknowledge(self) -> None:
        """Answer who only signs on, as the e-mail Judge does: with what was sent, and the state of the game."""
        seat = self._seat()
        self._say(f"You play {seat_in_words(seat)}. {self._what_counts(seat, present_turn(self.office, seat))}")
        self.answer.blocks += ask(self.office, self.actor, Ask("status", seat.game), ())

    def _subject(self) -> MailSubject:
        """Read the subject; of one written by the office only the game and the power count."""
        written = self.mail.subject
        subject = read_subject(written, [seat_names(self.office, held) for held in self.held])
        if not is_own_subject(written):
            return subject
        if asks_for_turn(written):
            self.about = (subject.season, subject.year, subject.phase)
        return MailSubject(game=subject.game, power=subject.power)

    def _orders_in_subject(self) -> bool:
        """Whether the subject is an order, of whatever seat the sender may mean."""
        text = without_replies(self.mail.subject)
        for seat in [self.seat] if self.seat is not None else self.held:
            reader = self.office.variants.load(seat.variant).reader
            phase = Turn.parse(present_turn(self.office, seat).name).phase
            if not is_own_subject(text) and reader.orders(text, phase, seat.power)[0]:
                return True
        return False

    def _are_decoration(self, request: Request, subject: MailSubject) -> bool:
        """Whether the pictures are all within the text, and the text gives orders."""
        if not all(file.inline for file in self.mail.attachments) or not request.has_orders:
            return False
        if self.seat is None and not (len(self.held) == 1 or subject.game or subject.power):
            return False
        seat = self.seat or self.held[0]
        try:
            return bool(submissions.check(self.office, self.actor, seat.game, seat.power, request.orders).orders)
        except OfficeError:
            return False
