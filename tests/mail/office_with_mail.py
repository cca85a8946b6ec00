"""An office with its mail, for which time goes by."""

import threading
from collections import Counter
from collections.abc import Callable
from datetime import datetime

from legation.mail.mail_service import MailService
from legation.mail.polling import Mailbox, Receive
from legation.office.clock import SimulatedClock
from legation.office.office import Office
from legation.office.operation import work


class OfficeWithMail:
    """What tests of the post and of the whole service share."""

    office: Office
    clock: SimulatedClock
    counter: MailService

    def settle(self) -> None:
        """Do everything that is due, and send all mail that waits."""
        while work.run_due(self.office) + self.counter.take_released() + self.counter.send_waiting():
            pass

    def until(self, moment: datetime) -> None:
        """Let time go by, with work done when it falls due."""
        while (due := work.next_due(self.office)) is not None and due <= moment:
            self.clock.set(max(due, self.clock.now()))
            self.settle()
        self.clock.set(moment)
        self.settle()


def file_unseen(mailbox: Mailbox, receive: Receive, too_large: Callable[[int], None] = lambda size: None) -> int:
    """Look into a mailbox elsewhere once; the answer is how many mails were filed."""
    stop, filed = threading.Event(), Counter[str]()

    def counted(data: bytes, recipients: tuple[str, ...], at: datetime | None) -> None:
        receive(data, recipients, at)
        filed["mails"] += 1

    mailbox.follow(counted, too_large, stop, 0, stop.set)
    return filed["mails"]
