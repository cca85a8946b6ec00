"""Submissions by mail: orders, orders ahead, pictures of orders, and a vote for a draw."""

from __future__ import annotations

import re

from legation.game.report import count
from legation.mail.commands import (
    Draw,
    ForPhase,
    Letter,
    Request,
)
from legation.mail.content import Facts, Heading, Lines, Paragraph
from legation.mail.handling import Handling, seat_names, turn_named
from legation.mail.receipts import VOTE, fault_in_words, orders_receipt, picture_receipt, receipt_line, signed_receipt
from legation.mail.results import opens_later
from legation.mail.subjects import MailSubject, letters_sender
from legation.mail.wording import deadline_in_words, lateness, moment_in_words, zone_of
from legation.notation import resembles_an_order
from legation.office.desk.mailroom import SeatRef
from legation.office.errors import OfficeError
from legation.office.orders import submissions
from legation.office.orders.pictures import Picture
from legation.office.records import Checked, Receipt, SubmissionRecord

CONCESSION = "concede to "
MOST_FAULTS = 5  # lines without orders that are told
MOST_WORDS = 3  # of a line among orders that may be meant as a command: "nowait", "I'm ready"
WANTED = (
    (re.compile(r"\bready\b", re.IGNORECASE), "To say that you're ready, answer SET READY."),
    (re.compile(r"\b(?:resign|quit|drop(?:ping)? out|leave)\b", re.IGNORECASE), "To give up your seat, answer RESIGN."),
    (
        re.compile(r"\b(?:undo|cancel|take back|withdraw|clear)\b", re.IGNORECASE),
        "To take back all your orders of this turn, answer CLEAR; UNDO takes back the last version.",
    ),
    (
        re.compile(r"\b(?:away|holidays?|vacation|absent)\b", re.IGNORECASE),
        "To tell when you're away, answer as in SET ABSENCE 20 Jan TO 30 Jan.",
    ),
    (re.compile(r"\bdraw\b", re.IGNORECASE), "To vote for a draw, write SET DRAW among your orders."),
    (
        re.compile(r"\b(?:no ?)?wait\b", re.IGNORECASE),
        "To have the turn wait for its deadline, answer SET WAIT; SET NOWAIT says that you're ready.",
    ),
    (
        re.compile(r"\b(?:exten(?:d|sion)|pause|more time)\b", re.IGNORECASE),
        "To vote for a later deadline or a pause, answer SET VOTE EXTEND 24 or SET VOTE PAUSE.",
    ),
)
"""Words of people who write no orders, with the command that does what they may want."""


class EnteringHandler(Handling):
    """Handler that sends in the orders and pictures of a mail."""

    wrote = False  # whether the mail has a letter in it

    def _send_pictures(self, pictures: list[Picture], subject: MailSubject) -> None:
        assert self.seat is not None
        note = self.mail.text.strip()[:20_000]
        if subject.instruction:
            note = f"Version instructions: {subject.instruction}\n\n{note}".strip()
        files = [(p.name or f"picture {n}", p.data, p.kind) for n, p in enumerate(pictures, 1)]
        receipt = self._try(
            lambda: submissions.submit_pictures(
                self.office,
                self.once(),
                self._seat().game,
                self._seat().power,
                files,
                note,
                "mail",
                self.received,
                self.nonce,
            )
        )
        if receipt is None:
            return
        self.answer.headline = f"{receipt.power}, {receipt.turn}: {count(len(pictures), 'picture')} received"
        self.answer.blocks += picture_receipt(self.office, self.actor, receipt, pictures)
        self.answer.enclosures += signed_receipt(receipt)
        if self.mail.text.strip():
            self.answer.notes.append("The text of your mail is kept, but only the pictures count as orders.")

    def _send_orders(self, request: Request, subject: MailSubject) -> None:
        ahead = [c for c in request.commands if isinstance(c, ForPhase)]
        self.wrote = any(isinstance(c, Letter) for c in request.commands)
        votes = [c for c in request.commands if isinstance(c, Draw) and c.on]
        if not (request.has_orders or ahead or votes):
            return
        seat, present = self._seat(), request.orders.rstrip()
        told = [line for block in ahead for line in self._ahead(block)]
        if votes and not (present or told):
            self._vote(seat, on=True)
            return
        instructions = [f"Instructions: v{subject.version or ''} {subject.instruction}"] if subject.instruction else []
        text = "\n".join([present, *(["draw"] if votes else []), *instructions, *told])
        if not instructions and self._keeps_what_counts(seat, text, voted=bool(votes)):
            return
        receipt = self._submit(seat, text)
        if receipt is None:
            return
        self.answer.turn = receipt.turn
        self.answer.headline = receipt_line(receipt)
        self.answer.blocks += orders_receipt(self.office, self.actor, receipt)
        self.answer.enclosures += signed_receipt(receipt)
        if not receipt.counts:
            self._name_commands(text)
        elif receipt.checked is not None:
            read = {line.line for line in receipt.checked.lines if line.order and not line.problem}
            unread = [line for number, line in enumerate(text.split("\n"), 1) if number not in read]
            self._name_wanted("\n".join(line for line in unread if len(line.split()) <= MOST_WORDS))

    def _keeps_what_counts(self, seat: SeatRef, text: str, *, voted: bool) -> bool:
        """Whether a text orders nothing for this turn, so that it must not replace what was sent: talk, a vote, orders
        for later turns alone. What becomes of it is told."""
        try:
            checked = submissions.check(self.office, self.actor, seat.game, seat.power, text)
        except OfficeError:
            return False  # the same is said when it is sent
        if checked.instructions or self._has_doubtful(seat, checked):
            return False
        counting, votes = self._counting(seat), set(checked.orders)
        if votes == {VOTE} and not checked.ahead:
            if not voted or counting is not None:
                self._vote(seat, on=True)
            return not voted or counting is not None
        if votes - {VOTE} and all(order == VOTE or order.startswith(CONCESSION) for order in votes):
            if counting is not None:
                self._say_nothing_changed(counting, "A concession goes", "with it among them")
            return counting is not None
        if not votes and checked.ahead:
            if counting is not None:
                self._say_nothing_changed(counting, "Orders for later turns go", "with these below them")
            return counting is not None
        if votes or checked.ahead:
            return False
        self._say(f"There were no orders in your mail, so nothing was entered. {self._what_counts(seat, self._turn())}")
        faults = [fault_in_words(line) for line in checked.lines if line.problem][:MOST_FAULTS]
        self.answer.blocks += [Heading("Not understood"), Lines(tuple(faults))] if faults else []
        self._name_commands(text)
        self._say_when_due()
        return True

    def _has_doubtful(self, seat: SeatRef, checked: Checked) -> bool:
        """Whether a line that was not understood may be meant as an order."""
        reader = self.office.variants.load(seat.variant).reader
        return any(
            line.problem == "not understood" and (line.suggestions or resembles_an_order(line.text, reader, seat.power))
            for line in checked.lines
        )

    def _say_nothing_changed(self, counting: SubmissionRecord, goes: str, how: str) -> None:
        self._say(
            f"Nothing was changed: your version {counting.version} stays as it was sent. {goes} with your orders, "
            f"which are sealed: send them again, {how}, and they replace it."
        )

    def _name_commands(self, text: str) -> None:
        """Name the command for what somebody may have wanted who wrote no orders: ``I'm ready``, an answer to a
        letter."""
        if (sender := letters_sender(self.mail.subject)) and not self.wrote:
            whom = "and the power's name" if sender.startswith("an anonymous") else sender
            self._say(
                f"Your answer wasn't sent to {sender}. To answer a letter by mail, write PRESS TO {whom} on one line, "
                "then your letter, then ENDPRESS on its own line."
            )
        self._name_wanted(text)

    def _name_wanted(self, text: str) -> None:
        for words, command in WANTED:
            if words.search(text):
                self._say(command)

    def _say_when_due(self) -> None:
        """Tell until when orders of the present turn are taken: who writes without any may have asked."""
        turn = self._turn()
        if turn.state == "open":
            due = deadline_in_words(self.office, self.actor, turn.deadline)
            self.answer.blocks.append(Facts((("Due", due),)))
        else:
            self.answer.blocks += opens_later(self.office, self.actor, self._seat().game)

    def _submit(self, seat: SeatRef, text: str) -> Receipt | None:
        """Send a sheet in; one that is late is told when it came, when it was due, and what counts instead."""
        before = len(self.answer.blocks)
        receipt = self._try(
            lambda: submissions.submit(
                self.office, self.once(), seat.game, seat.power, text, "mail", self.received, self.nonce
            )
        )
        if receipt is None and len(self.answer.blocks) > before:
            turn = self._turn()
            if self.received > turn.deadline:
                zone = zone_of(self.office, self.actor)
                self.answer.headline = "Nothing was entered"
                self.answer.blocks.append(
                    Facts(
                        (
                            ("Came", moment_in_words(self.received, zone)),
                            ("Was due", moment_in_words(turn.deadline, zone)),
                            ("Late by", lateness(self.received, turn.deadline)),
                        )
                    )
                )
                self._say(self._what_counts(seat, turn))
                if turn.state != "open":
                    self.answer.blocks += opens_later(self.office, self.actor, seat.game)
        return receipt

    def _vote(self, seat: SeatRef, *, on: bool) -> None:
        """Vote for a draw, or take the vote back. A vote goes with a sheet, and what was sent is sealed: a vote alone
        replaces nothing."""
        counting = self._counting(seat)
        if counting is not None:
            how = "with SET DRAW among them" if on else "without SET DRAW"
            self._say_nothing_changed(counting, "A vote for a draw goes", how)
            return
        if not on:
            self._say("You have sent nothing for this turn, so there is no vote to take back.")
            return
        receipt = self._submit(seat, "draw")
        if receipt is not None:
            self.answer.turn = receipt.turn
            self.answer.headline = receipt_line(receipt)
            self.answer.blocks += orders_receipt(self.office, self.actor, receipt)
            self.answer.enclosures += signed_receipt(receipt)

    def _ahead(self, block: ForPhase) -> list[str]:
        """Orders ahead as lines of a sheet; those for no turn at all are not entered, and never for another one."""
        turn = turn_named(block.turn, seat_names(self.office, self._seat()))
        if turn:
            return ["", f"{turn}:", block.text]
        text = f"PHASE {block.turn}: not a turn, so the lines under it were not entered. "
        self.answer.blocks.append(Paragraph(f"{text}Write the turn as in “{self.answer.turn}”.", strong=True))
        return []
