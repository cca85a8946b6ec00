"""The mail counter at work: every mail that comes in is matched, done
and answered; every mailing that waits is sent."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.errors import HeaderParseError
from email.headerregistry import Address

import msgspec
import structlog

from legation.mail.answering import Answer, Correspondence
from legation.mail.commands import Ask, read_request
from legation.mail.composing import compose
from legation.mail.content import Block, Content, Paragraph
from legation.mail.listening import TryAgain
from legation.mail.questions import ask
from legation.mail.reading import Inbound, is_vouched, read_mail
from legation.mail.sending import Carrier, SendError
from legation.office import Actor, Office, desk, mailings, mailroom
from legation.office.allowance import Allowance
from legation.office.errors import Busy, OfficeError
from legation.office.mailroom import Arrival, Held, Sender
from legation.office.pictures import PictureError, take_pictures
from legation.office.records import Mailing

ANSWERS_AN_HOUR = 40  # to one address: more than anybody writes, less than a loop
UNMATCHED_AN_HOUR = 20  # from one address
NOTING_PAUSES = (0.5, 1, 2, 4, 8, 16)  # seconds
log = structlog.get_logger("legation.mail")


class Counter:
    """Takes mail in and sends mail out for one office.

    ``trusted`` names the server whose word on a sender's domain is believed.
    """

    def __init__(self, office: Office, carrier: Carrier, trusted: str = "") -> None:
        self.office = office
        self.carrier = carrier
        self.trusted = trusted
        self._answers = Allowance(ANSWERS_AN_HOUR, 3600)
        self._unmatched = Allowance(UNMATCHED_AN_HOUR, 3600)

    # In

    def ours(self, address: str) -> bool:
        """Whether an address is one of the office's."""
        local, _, host = address.casefold().partition("@")
        for own in (self.office.settings.orders_address, self.office.settings.mail_from):
            name, _, domain = own.casefold().partition("@")
            if host == domain and (local == name or local.startswith(f"{name}+")):
                return True
        return False

    def receive(self, data: bytes, recipients: tuple[str, ...]) -> None:
        """Take a mail in. When this returns the mail is filed; it can be given twice and acts once.

        :raises TryAgain: when the office cannot file it just now.
        """
        mail = read_mail(data, recipients, self.trusted)
        try:
            if mailroom.arrived_before(self.office, mail.message_id, data):
                return
            self._take(mail, data)
        except (Busy, OSError) as error:
            raise TryAgain(type(error).__name__) from error

    def _take(self, mail: Inbound, data: bytes) -> None:
        office = self.office
        if mail.automatic:
            if mail.automatic == "bounce":
                self._bounced(mail)
            mailroom.record(office, mail.message_id, data, "ignored")
            log.info("mail ignored", why=mail.automatic)
            return
        sender = mailroom.identify(
            office, mail.sender, mail.addressed, vouched=is_vouched(mail), must_vouch=bool(self.trusted)
        )
        if sender.sure:
            assert sender.person is not None
            self._act(mail, sender, sender.person, office.clock.now())
            mailroom.record(office, mail.message_id, data, "taken", sender)
        elif sender.person is None and sender.seat is None:
            self._stranger(mail, data, sender)
        else:
            self._hold(mail, data, sender)

    def _act(self, mail: Inbound, sender: Sender, person: int, received: datetime) -> None:
        correspondence = Correspondence(self.office, mail, person, sender.seats, sender.seat, received)
        answer = correspondence.act()
        log.info("mail taken", commands=correspondence.steps)
        self._answer(mail, answer, person)

    def _hold(self, mail: Inbound, data: bytes, sender: Sender) -> None:
        """Keep a mail that may be forged, and ask the holder at the address that is known."""
        arrival = mailroom.record(self.office, mail.message_id, data, "waits", sender)
        if not arrival.new:
            return
        mailroom.ask_release(self.office, arrival, mail.sender, mail.subject)
        likely = [sender.seat] if sender.seat is not None else list(sender.seats)
        self._to_desk(mail, likely, "It may be forged: it waits for the holder of the seat to confirm it.")
        if sender.person is None:
            self._reply_to_address(
                mail, Paragraph("Your mail arrived. It waits until whoever holds the seat has confirmed it.")
            )
        log.info("mail waits")

    def _stranger(self, mail: Inbound, data: bytes, sender: Sender) -> None:
        """Somebody whom nobody here knows: public questions are answered, all else goes to the desk."""
        request = read_request(mail.text, self.office.clock.now().date())
        questions = [c for c in request.commands if isinstance(c, Ask)]
        if questions and not request.has_orders and not mail.attachments:
            mailroom.record(self.office, mail.message_id, data, "taken")
            blocks = [b for q in questions for b in ask(self.office, Actor.visitor(), q.about, q.subject, ())]
            self._reply_to_address(mail, *blocks)
            return
        arrival = mailroom.record(self.office, mail.message_id, data, "unmatched", sender)
        if arrival.new:
            self._to_desk(mail, (), "Nobody is known by its address.")
            self._reply_to_address(
                mail,
                Paragraph(
                    "Nobody is known here by your address, so your mail was put aside. If you play here, write from "
                    "the address that you signed up with."
                ),
            )
        log.info("mail unmatched")

    def _to_desk(self, mail: Inbound, likely: Sequence[Held], why: str) -> None:
        """Put a mail on the desk, with the seat that it may belong to; whoever floods the office fills no desk."""
        if not self._unmatched.take(mail.sender or "nobody"):
            log.warning("too many unmatched mails")
            return
        pictures = []
        for file in mail.attachments:
            with contextlib.suppress(PictureError):
                pictures += [(p.name, p.data, p.kind) for p in take_pictures(file.name, file.data)]
        seat = likely[0] if len(likely) == 1 else None
        desk.file_mail(
            self.office, sender=mail.sender, subject=mail.subject, text=mail.text, pictures=pictures,
            game=seat.game if seat else "", power=seat.power if seat else "", why=why,
        )  # fmt: skip

    def take_released(self) -> int:
        """Act on the mails that their senders have confirmed; they count as of when they came."""
        done = 0
        for arrival, person, data in mailroom.released(self.office):
            mail = read_mail(data, (), self.trusted)
            self._act_released(arrival, person, mail)
            done += 1
        return done

    def _act_released(self, arrival: Arrival, person: int, mail: Inbound) -> None:
        sender = mailroom.identify(self.office, mail.sender, mail.addressed, vouched=True, must_vouch=False)
        own = Sender(
            person,
            mailroom.seats_of(self.office, person),
            sender.seat if sender.holder == person else None,
            True,
            person,
        )
        self._act(mail, own, person, arrival.at)
        mailroom.taken(self.office, arrival)

    def _bounced(self, mail: Inbound) -> None:
        for bounce in mail.bounces:
            if bounce.final:
                mailings.bounced(self.office, bounce.message_id, bounce.status)

    # Answers

    def _answer(self, mail: Inbound, answer: Answer, person: int) -> None:
        seat = answer.seat
        subject = answer.headline or (f"Re: {mail.subject}" if mail.subject else "Your mail")
        if seat is not None and answer.headline:
            subject = f"{seat.name} - {answer.headline}"
        self._queue(
            mail,
            answer.content(subject),
            person=person,
            game=seat.game if seat else "",
            turn=answer.turn,
            power=seat.power if seat else "",
        )

    def _reply_to_address(self, mail: Inbound, *blocks: Block) -> None:
        """Answer somebody who is not known, rarely enough for no loop and no flood."""
        if mail.sender:
            content = Content(f"Re: {mail.subject}" if mail.subject else "Your mail", "Your mail", blocks)
            self._queue(mail, content, address=mail.sender)

    def _queue(
        self,
        mail: Inbound,
        content: Content,
        *,
        person: int | None = None,
        address: str = "",
        game: str = "",
        turn: str = "",
        power: str = "",
    ) -> None:
        if address and not _can_be_written_to(address):
            log.warning("an address that no mail can go to")
            return
        if not self._answers.take(mail.sender):
            log.warning("too many answers")
            return
        digest = hashlib.sha256((mail.message_id or mail.subject + mail.text).encode()).hexdigest()[:24]
        host = self.office.settings.mail_from.rpartition("@")[2]
        facts = {"content": msgspec.to_builtins(content), "in_reply_to": mail.message_id}
        mailings.queue(
            self.office, "answer", facts, person=person, address=address, game=game, turn=turn, power=power,
            message_id=f"<answer.{digest}@{host}>"
        )  # fmt: skip

    # Out

    def send_waiting(self, limit: int = 20, stop: threading.Event | None = None) -> int:
        """Send what waits; the number of mails that left.

        What is not begun when it is told to stop, or when half the time is over for which mailings are its own (a slow
        relay), is left to others, so that nobody sends the same.
        """
        done = 0
        until = self.office.clock.now() + timedelta(seconds=mailings.LEASE_SECONDS / 2)
        for mailing in mailings.claim(self.office, limit=limit):
            if (stop is not None and stop.is_set()) or self.office.clock.now() > until:
                mailings.give_back(self.office, mailing)
            else:
                done += self._send(mailing)
        return done

    def _send(self, mailing: Mailing) -> bool:
        try:
            message = compose(self.office, mailing)
            self.carrier.send(message, self.office.settings.mail_from, mailing.address)
        except SendError as error:
            log.warning("mail not sent", kind=mailing.kind, attempts=mailing.attempts + 1)
            mailings.failed(self.office, mailing, _without_addresses(str(error)), lasting=error.final)
            return False
        except (OfficeError, ValueError, LookupError) as error:
            log.error("mail not written", kind=mailing.kind, error=type(error).__name__)
            mailings.failed(self.office, mailing, f"it could not be written ({type(error).__name__})")
            return False
        return self._note_sent(mailing)

    def _note_sent(self, mailing: Mailing) -> bool:
        """Note that a mail left. Where the database is away for a moment this is tried on, or the mail would be sent
        again when its time is over."""
        for pause in NOTING_PAUSES:
            try:
                return mailings.sent(self.office, mailing)
            except Busy:
                log.warning("a mail that left is not noted yet", kind=mailing.kind)
                time.sleep(pause)
        return mailings.sent(self.office, mailing)

    def run(self, stop: threading.Event, pause: float = 1.0, *, releases: bool = True) -> None:
        """Send, and act on what was ``released``, until told to stop. Several may send at the same time."""
        with self.office.waiter("mail") as wait:
            while not stop.is_set():
                try:
                    released = self.take_released() if releases else 0
                    if self.send_waiting(stop=stop) + released:
                        continue
                except (OfficeError, OSError) as error:
                    log.warning("the mail counter waits", error=type(error).__name__)
                    stop.wait(pause)
                self.carrier.close()
                wait(pause)


def _can_be_written_to(address: str) -> bool:
    """Whether an address can stand in a mail's head."""
    try:
        Address(addr_spec=address)
    except (ValueError, HeaderParseError):
        return False
    return True


def _without_addresses(text: str) -> str:
    """What a server said, without the addresses in it: it is kept on the desk and in logs."""
    return " ".join("..." if "@" in word else word for word in text.split())[:300]
