"""Submissions by mail: orders, orders ahead, pictures of orders, and a vote for a draw."""

from __future__ import annotations

import re

from legation.game.report import count
from legation.mail.commands import (
    Draw,
    ForPhase,
    Request,
)
from legation.mail.content import Facts, Paragraph
from legation.mail.handling import Handling, seat_names, turn_named
from legation.mail.receipts import VOTE, orders_receipt, picture_receipt, receipt_line, signed_receipt
from legation.mail.results import opens_later
from legation.mail.subjects import MailSubject
from legation.mail.wording import deadline_in_words, moment_in_words, zone_of
from legation.notation import may_mean_an_order
from legation.office import (
    submissions,
)
from legation.office.coordination.mailroom import SeatRef
from legation.office.errors import OfficeError
from legation.office.orders.pictures import Picture
from legation.office.records import Receipt

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
)
"""Words of people who write no orders, with the command that does what they may want."""


class EnteringHandler(Handling):
    """Handler that sends in the orders and pictures of a mail."""

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
        votes = [c for c in request.commands if isinstance(c, Draw) and c.on]
        if not (request.has_orders or ahead or votes):
            return
        parts = [request.orders.rstrip()]
        parts += ["draw"] if votes else []
        if subject.instruction:
            parts.append(f"Instructions: v{subject.version or ''} {subject.instruction}")
        for block in ahead:
            parts += self._ahead(block)
        seat = self._seat()
        if votes and not (request.has_orders or ahead):
            self._vote(seat, on=True)
            return
        text = "\n".join(parts)
        if not ahead and not votes and self._only_votes(seat, text):
            self._vote(seat, on=True)
            return
        if not ahead and not votes and self._says_nothing(seat, text):
            self.answer.blocks.append(
                Paragraph(
                    "There were no orders in your mail, so nothing was entered. "
                    f"{self._what_counts(seat, self._turn())}"
                )
            )
            self._name_commands(text)
            self._say_when_due()
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

    def _name_commands(self, text: str) -> None:
        """Name the command for what somebody may have wanted who wrote no orders: ``I'm ready``."""
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
                        )
                    )
                )
                self._say(self._what_counts(seat, turn))
                if turn.state != "open":
                    self.answer.blocks += opens_later(self.office, self.actor, seat.game)
        return receipt

    def _says_nothing(self, seat: SeatRef, text: str) -> bool:
        """Whether a text holds no order, nor anything that may be meant as one: thanks, a greeting, talk."""
        try:
            checked = submissions.check(self.office, self.actor, seat.game, seat.power, text)
        except OfficeError:
            return False
        if checked.orders or checked.ahead or checked.instructions:
            return False
        reader = self.office.variants.load(seat.variant).reader
        return not any(
            line.problem and (line.suggestions or may_mean_an_order(line.text, reader)) for line in checked.lines
        )

    def _only_votes(self, seat: SeatRef, text: str) -> bool:
        """Whether a text says that its sender votes for a draw, and orders nothing."""
        try:
            checked = submissions.check(self.office, self.actor, seat.game, seat.power, text)
        except OfficeError:
            return False
        if checked.ahead or checked.instructions or set(checked.orders) != {VOTE}:
            return False
        reader = self.office.variants.load(seat.variant).reader
        return not any(line.problem and may_mean_an_order(line.text, reader) for line in checked.lines)

    def _vote(self, seat: SeatRef, *, on: bool) -> None:
        """Vote for a draw, or take the vote back. A vote goes with a sheet, and what was sent is sealed: a vote alone
        replaces nothing."""
        counting = self._counting(seat)
        if counting is not None:
            with_it = "with SET DRAW among them" if on else "without SET DRAW"
            self._say(
                f"Nothing was changed: your version {counting.version} stays as it was sent. A vote for a draw goes "
                f"with your orders, which are sealed: send them again, {with_it}, and they replace it."
            )
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
