"""The mail service at work: every mail that comes in is matched, done
and answered; every mailing that waits is sent."""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.errors import HeaderParseError
from email.headerregistry import Address
from typing import Literal, TypeAlias

import msgspec
import structlog

from legation.mail.answering import answer, carries
from legation.mail.carrying_out import invitation_quoted
from legation.mail.commands import Ask
from legation.mail.composing import Papers, compose
from legation.mail.content import Block, Content, Paragraph
from legation.mail.handling import Answer
from legation.mail.intake import UnreadableMailError, parse, with_pictures
from legation.mail.listening import TryAgain
from legation.mail.questions import ask
from legation.mail.reading import ParsedMail
from legation.mail.sending import MailTransport, SendError
from legation.mail.subjects import without_replies
from legation.mail.words import told
from legation.office.context import Actor
from legation.office.desk import mailings, mailroom
from legation.office.desk.mailroom import Arrival, MailSender
from legation.office.errors import OfficeError, UnavailableError
from legation.office.game import seats
from legation.office.monitoring.logs import told_of
from legation.office.office import Office
from legation.office.records import ArrivalState, Mailing
from legation.office.store.transaction import DuplicateRowError

ANSWERS_AN_HOUR = 40  # to one address: more than anybody writes, less than a loop
UNMATCHED_AN_HOUR = 20  # from one address, that are put on the desk one by one
QUESTIONS_A_DAY = 5  # to one person, whether a mail is theirs
Doubt: TypeAlias = Literal["away", "forged", "unknown"]
"""Why a mail lies on the desk; what is told of one and of many stands in the table."""
WRITINGS = 5  # trials at a mail that fails while it is written
AWAY_PAUSES = (1, 5, 15, 60)  # looks between two trials to reach a relay that is away
NOTING_PAUSES = (0.5, 1, 2, 4, 8, 16)  # seconds
TEMPORARY = (UnavailableError, OSError, DuplicateRowError)
"""Errors after which a mail is tried again: something can't be reached, or another process has added the same row."""
log = structlog.get_logger("legation.mail")


class MailService:
    """Takes mail in and sends mail out for one office.

    ``trusted`` names the server whose word on a sender's domain is believed; ``papers`` prints what goes with a mail.
    """

    def __init__(
        self, office: Office, transport: MailTransport, trusted: str = "", papers: Papers | None = None
    ) -> None:
        self.papers = papers
        self.office = office
        self.transport = transport
        self.trusted = trusted
        self.put_aside = 0  # mails, since this began
        self.sent = 0
        self.failures = 0  # trials in a row to reach the relay
        self._answers = office.allowance("answers", ANSWERS_AN_HOUR, 3600)
        self._unmatched = office.allowance("unmatched", UNMATCHED_AN_HOUR, 3600)
        self._asked = office.allowance("asked", QUESTIONS_A_DAY, 86_400)

    # In

    def ours(self, address: str) -> bool:
        """Whether an address is one of the office's."""
        local, _, host = address.casefold().partition("@")
        settings = self.office.settings
        own = (known.casefold().partition("@") for known in (settings.orders_address, settings.mail_from))
        return any(host == domain and f"{local}+".startswith(f"{name}+") for name, _, domain in own)

    def receive(self, data: bytes, recipients: tuple[str, ...], at: datetime | None = None) -> None:
        """Take a mail in. When this returns the mail is filed with all that follows from it; it can be given twice and
        acts once. What cannot be read or acted on is put aside for the administrators.

        ``at``: when a mailbox elsewhere took it (IMAP's INTERNALDATE); it counts as of then.

        :raises TryAgain: when the office cannot file it just now."""
        self.office.figures.mails.labels("taken in").inc()
        try:
            self._receive(data, recipients, at)
        except TEMPORARY as error:
            raise TryAgain(type(error).__name__) from error

    def _receive(self, data: bytes, recipients: tuple[str, ...], at: datetime | None) -> None:
        office = self.office
        try:
            mail = parse(data, recipients, self.trusted, at or office.clock.now())
        except UnreadableMailError as error:
            self._put_aside((data,), data, f"it cannot be read ({error})", at)
            return
        received = self._arrival(mail, at)
        try:
            sender, known = mailroom.look_up(office, mail.marks, mail.sender, mail.addressed, vouched=mail.vouched)
            if not known[0]:
                self._take(mail, data, sender, received)
            elif not all(known):
                self._tell_other_text(mail, sender)
        except TEMPORARY:
            raise
        except Exception as error:  # nothing of it was done; the next mail is none the worse
            log.error("mail failed", **told_of(error))
            self._put_aside(mail.marks, data, f"it cannot be acted on ({type(error).__name__})", received)

    def _arrival(self, mail: ParsedMail, at: datetime | None) -> datetime:
        """When a mail came: when the mailbox or the trusted server took it, and never after now."""
        now = self.office.clock.now()
        return min(at or mail.arrived or now, now).astimezone(UTC)

    def _put_aside(self, marks: Sequence[bytes], data: bytes, why: str, at: datetime | None) -> None:
        mailroom.put_aside(self.office, marks, data, why, at)
        self.put_aside += 1
        self.office.figures.mails.labels("put aside").inc()
        log.warning("mail put aside", why=why)

    def _take(self, mail: ParsedMail, data: bytes, sender: MailSender, received: datetime) -> None:
        """File a mail and all that follows from it, in one transaction; what takes long is done before."""
        carried = "orders"
        if (mail.automatic and mail.automatic != "away") or self.ours(mail.sender):
            carried = ""
        elif mail.automatic:
            carried = carries(self.office, mail, sender)
        if not carried:
            self._ignore(mail)
        elif carried == "maybe":
            self._keep(mail, data, sender, received, "away")
        elif sender.sure:
            self._act(with_pictures(mail), sender, received)
        elif sender.person is not None or sender.seat is not None:
            self._keep(mail, data, sender, received, "forged")
        elif person := self._invited(mail):
            self._act(mail, MailSender(person, (), None, True, person), received)
        elif mail.vouched and (questions := _questions_alone(mail)):
            with self.office.store.transaction():
                if mailroom.record(self.office, mail.marks, "taken").new:
                    blocks = [b for q in questions for b in ask(self.office, Actor.visitor(), q, ())]
                    self._reply_to_address(mail, *blocks)
        else:
            self._keep(mail, data, sender, received, "unknown")

    def _invited(self, mail: ParsedMail) -> int:
        """Register the invited sender of a JOIN and return the person's number; 0 if nobody invited them."""
        joins = mail.request.asks("join") if mail.vouched else []
        return seats.welcome(self.office, joins[0].text, invitation_quoted(mail), mail.sender) if joins else 0

    def _act(self, mail: ParsedMail, sender: MailSender, received: datetime) -> None:
        """Record a mail, and carry out what it asks for, once."""
        with self.office.store.transaction():
            if mailroom.record(self.office, mail.marks, "taken", sender).new:
                self._answer(mail, answer(self.office, mail, sender, received), sender.person)
                log.info("mail taken")

    def _tell_other_text(self, mail: ParsedMail, sender: MailSender) -> None:
        """Tell the sender of a mail whose Message-ID another had, with another text: it does not count."""
        log.warning("another mail with a known Message-ID")
        if mail.automatic or self.ours(mail.sender) or not sender.sure or sender.person is None:
            return
        with self.office.store.transaction():
            if mailroom.record(self.office, mail.marks[1:], "ignored").new:
                other = Paragraph(told("other text"), strong=True)
                self._answer(mail, Answer(sender.seat, headline="Nothing was entered", blocks=[other]), sender.person)

    def _ignore(self, mail: ParsedMail) -> None:
        """Do nothing with a mail that a machine wrote; note which of our mails a report says failed for ever."""
        log.info("mail ignored", why=mail.automatic or "own")
        with self.office.store.transaction():
            for bounce in mail.bounces if mail.automatic == "bounce" else ():
                if bounce.final:
                    mailings.bounced(self.office, bounce.message_id, bounce.status)
            mailroom.record(self.office, mail.marks, "ignored")

    def _keep(self, mail: ParsedMail, data: bytes, sender: MailSender, received: datetime, why: Doubt) -> None:
        """Keep a mail, locked, and put it on the desk with the reason: by itself, or in a list of many. One that may be
        forged waits: whoever wrote it is told nothing, and the holder of the seat is asked at the address that is
        known, a few times a day. Somebody unknown gets one answer a day, if the address is vouched for."""
        likely = [sender.seat] if sender.seat is not None else sender.seats
        wanted = {"away": bool(likely), "unknown": mail.vouched, "forged": True}[why]
        few = wanted and self._unmatched.take(mail.sender or "nobody")
        stored = mailroom.keep(self.office, data)
        state: ArrivalState = "waits" if why == "forged" else "unmatched"
        log.info(f"mail {state}")
        with self.office.store.transaction():
            arrival = mailroom.record(self.office, mail.marks, state, sender, stored, received)
            if not arrival.new:
                return
            if why == "forged" and self._asked.take(str(arrival.person)):
                mailroom.ask_release(self.office, arrival, mail.sender, mail.subject)
            if few:
                seat = likely[0] if len(likely) == 1 else None
                game = seat.game if seat else mailroom.named_game(self.office, mail.subject)
                power = seat.power if seat else ""
                mailroom.file_mail(self.office, arrival, mail.sender, game, power, told(f"{why}, one"))
            else:
                mailroom.note_unmatched(self.office, arrival, mail.sender, told(f"{why}, many"))
            if few and why == "unknown":
                self._reply_to_address(mail, Paragraph(told("unknown address")))

    def take_released(self) -> int:
        """Act on the mails that their senders have confirmed, which count as of when they came, and on those that were
        put aside and are to be tried again; the answer is how many. One that cannot be read stops no other."""
        waiting = mailroom.to_act_on(self.office)
        for arrival, sender in waiting:
            try:
                data = mailroom.content(self.office, arrival)
                mail = parse(data, (), self.trusted, arrival.at)
                if sender is None:
                    self._read_again(arrival, mail, data)
                else:
                    self._act_released(arrival, mail, sender)
            except TEMPORARY:
                raise
            except Exception as error:
                log.error("kept mail failed", **told_of(error))
                mailroom.note_unreadable(self.office, arrival, f"it cannot be acted on ({type(error).__name__})")
                self.put_aside += 1
        return len(waiting)

    def _act_released(self, arrival: Arrival, mail: ParsedMail, sender: MailSender) -> None:
        mail = with_pictures(mail)
        seat = sender.seat
        if seat is None:
            writer, _ = mailroom.look_up(self.office, (), mail.sender, mail.addressed, vouched=True)
            seat = writer.seat if writer.holder == sender.person else None
        sender = msgspec.structs.replace(sender, seats=mailroom.seats_of(self.office, sender.person), seat=seat)
        with self.office.store.transaction():
            stored = mailroom.taken(self.office, arrival)
            if stored is not None:
                self._answer(mail, answer(self.office, mail, sender, arrival.at), sender.person)
                log.info("mail taken")
        if stored:
            self.office.files.remove(stored)

    def _read_again(self, arrival: Arrival, mail: ParsedMail, data: bytes) -> None:
        sender, _ = mailroom.look_up(self.office, (), mail.sender, mail.addressed, vouched=mail.vouched)
        with self.office.store.transaction():
            mailroom.forget(self.office, arrival)
            self._take(mail, data, sender, min(arrival.at, self._arrival(mail, None)))

    # Answers

    def _answer(self, mail: ParsedMail, answer: Answer, person: int | None) -> None:
        game = f"{answer.seat.name} - " if answer.seat is not None else ""
        subject = f"{game}{answer.headline}" if answer.headline else _answers(mail)
        self._queue(mail, answer.content(subject), answer, person=person)

    def _reply_to_address(self, mail: ParsedMail, *blocks: Block) -> None:
        """Answer somebody who is not known, once a day: no loop, and no flood of whoever's address it is."""
        if not mail.sender or mailings.answered_today(self.office, mail.sender):
            return
        try:
            Address(addr_spec=mail.sender)
        except (ValueError, HeaderParseError):
            log.warning("an address that no mail can go to")
        else:
            self._queue(mail, Content(_answers(mail), "Your mail", blocks), Answer(), address=mail.sender)

    def _queue(
        self, mail: ParsedMail, content: Content, about: Answer, *, person: int | None = None, address: str = ""
    ) -> None:
        if not self._answers.take(mail.sender):
            log.warning("too many answers")
            return
        facts = {"content": msgspec.to_builtins(content), "in_reply_to": mail.message_id, "lent": about.lent}
        mailings.queue(
            self.office,
            "answer",
            facts,
            person=person,
            address=address,
            game=about.seat.game if about.seat else "",
            turn=about.turn,
            power=about.seat.power if about.seat else "",
        )

    # Out

    def send_waiting(self, limit: int = 20, stop: threading.Event | None = None) -> int:
        """Send what waits; the answer is the number of mails that left.

        What is not begun when it is told to stop, when the relay is away, or when half the time is over for which
        mailings are its own (a slow relay), is left to others, so that nobody sends the same."""
        done = 0
        until = self.office.clock.now() + timedelta(seconds=mailings.LEASE_SECONDS / 2)
        waiting = mailings.claim(self.office, limit=limit)
        for number, mailing in enumerate(waiting):
            if (stop is not None and stop.is_set()) or self.office.clock.now() > until:
                for left in waiting[number:]:
                    mailings.give_back(self.office, left)
                break
            try:
                done += self._send(mailing)
            except SendError as error:  # the relay is away: no mail is to blame, and none can leave
                self.failures += 1
                self.office.figures.failures.labels("relay", "away").inc()
                log.warning("the relay is away", failures=self.failures)
                mailings.relay_away(self.office, waiting[number:], _without_addresses(str(error)))
                break
        return done

    def _send(self, mailing: Mailing) -> bool:
        """Send one mail; False if it is to be tried again or was given up. Raises SendError when the relay is away."""
        try:
            with self.office.store.reading():  # all that a mail says is of one state of the game
                message = compose(self.office, mailing, self.papers)
            self.transport.send(message, self.office.settings.mail_from, mailing.address)
        except SendError as error:
            if error.away:
                raise
            log.warning("mail not sent", kind=mailing.kind, attempts=mailing.attempts + 1)
            mailings.failed(self.office, mailing, _without_addresses(str(error)), lasting=error.final)
            return False
        except Exception as error:  # whatever it is made of, it stops no other
            passes = isinstance(error, TEMPORARY)
            (log.warning if passes else log.error)("mail not written", kind=mailing.kind, **told_of(error))
            over = not passes and mailing.attempts + 1 >= WRITINGS
            why = f"it could not be written ({type(error).__name__})"
            mailings.failed(self.office, mailing, why, lasting=over)
            return False
        if self.failures or not self.sent:
            mailings.relay_back(self.office)
        self.failures = 0
        self.sent += 1
        self.office.figures.mails.labels("sent").inc()
        return self._note_sent(mailing)

    def _note_sent(self, mailing: Mailing) -> bool:
        """Note that a mail left. Where the database is away for a moment this is tried on, or the mail would be sent
        again when its time is over."""
        for pause in NOTING_PAUSES:
            try:
                return mailings.sent(self.office, mailing)
            except UnavailableError:
                log.warning("a mail that left is not noted yet", kind=mailing.kind)
                time.sleep(pause)
        return mailings.sent(self.office, mailing)

    def run(
        self,
        stop: threading.Event,
        pause: float = 1.0,
        *,
        releases: bool = True,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        """Send, and act on what was ``released``, until told to stop. Several may send at the same time."""
        with self.office.store.notifier.waiter("mail") as wait:
            while not stop.is_set():
                try:
                    released = self.take_released() if releases else 0
                    sent = self.send_waiting(stop=stop)
                    beat()
                    if sent + released:
                        continue
                except (OfficeError, *TEMPORARY) as error:
                    log.warning("the mail service waits", error=type(error).__name__)
                    stop.wait(pause)
                self.transport.close()
                if self.failures:
                    stop.wait(AWAY_PAUSES[min(self.failures, len(AWAY_PAUSES)) - 1] * pause)
                wait(pause)


def _questions_alone(mail: ParsedMail) -> list[Ask]:
    """The questions of a mail that has nothing but commands; none where it may have orders."""
    alone = not mail.request.has_orders and not mail.attachments
    return [c for c in mail.request.commands if isinstance(c, Ask)] if alone else []


def _answers(mail: ParsedMail) -> str:
    said = without_replies(mail.subject)
    return f"Re: {said}" if said else "Your mail"


def _without_addresses(text: str) -> str:
    return " ".join("..." if "@" in word else word for word in text.split())[:300]
