"""Mails made to stop whoever reads them, through every way that mail comes in: ``python -m tests.service.poison --count
20000`` is the long run.

Each is handed in by SMTP, LMTP or a mailbox (IMAP). What is measured: the slowest, the memory of the children that take
mails apart and of the office itself, and that a good mail is taken at the end by each way.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import logging
import os
import smtplib
import sys
import tempfile
import threading
import time
from collections import Counter as Tally
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import structlog

from legation.mail.intake import PARSERS
from legation.mail.listening import Listener, SmtpHandler
from legation.mail.mail_service import MailService
from legation.mail.polling import Mailbox
from legation.office import Actor, Office, SeededRandomSource, Settings, SystemClock, open_office, submissions
from legation.office.coordination.mailroom import reply_address
from tests.office.playing import begin
from tests.service.hostile import MailTransport, hostile
from tests.service.mailbox_server import MailboxServer, mailbox_server
from tests.serving import free_port

HEAD = b"To: orders@office.example\r\nFrom: eve@evil.example\r\nMessage-ID: <%d@evil.example>\r\n"


def _html(text: bytes) -> bytes:
    return b"Content-Type: text/html\r\n\r\n" + text


def _nested(depth: int) -> bytes:
    opened = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth))
    return opened + b"Content-Type: text/plain\r\n\r\nA par H\r\n"


def _forwarded(depth: int) -> bytes:
    return b"Content-Type: message/rfc822\r\n\r\n" * depth + b"\r\nA par H\r\n"


def _words(count: int) -> bytes:
    return b"Subject: " + b"\r\n ".join([b"=?utf-8?q?=41?=" * 20] * count) + b"\r\n\r\n"


KINDS: tuple[Callable[[int], bytes], ...] = (
    lambda n: b"From: " + b"(" * n + b"\r\n\r\nA par H",
    lambda n: b"Reply-To: " + b'"' * n + b"\r\nCc: " + b"<" * n + b"\r\n\r\nA par H",
    lambda n: b"To: " + b",".join([b"a@b.example"] * n) + b"\r\n\r\nA par H",
    lambda n: b"Cc: " + b"a:" * n + b"\r\n\r\nA par H",
    lambda n: b"X: y\r\n" * n + b"\r\nA par H",
    lambda n: _html(b"<![CDATA[" * n),
    lambda n: _html(b"<!--" * n),
    lambda n: _html(b"<!" * n + b"[if"),
    lambda n: _html(b"<div " + b"a" * n + b"='\" "),
    lambda n: _html(b"<p " + b"a=" * n),
    lambda n: _html(b"&#" * n + b"&" * n),
    lambda n: _html(b"<blockquote>" * n + b"x"),
    lambda n: _html(b"<" * n),
    lambda n: _html(b"</" * n),
    lambda n: _html(b"<script>" * n),
    lambda n: b'Content-Type: multipart/mixed; boundary="\xff\xfe"\r\n\r\n--\xff\xfe\r\n\r\nA par H',
    lambda n: b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * n,
    lambda n: _nested(min(n, 3000)),
    lambda n: _forwarded(min(n, 3000)),
    lambda n: b"Content-Type: text/plain" + b"".join(b"; a*%d*=a''%%FF" % k for k in range(min(n, 3000))) + b"\r\n\r\n",
    lambda n: b"Content-Type: " + b"a/" * n + b"\r\n\r\n",
    lambda n: b"Content-Type: text/plain; charset=" + b"x" * n + b"\r\n\r\nA par H",
    lambda n: b"Content-Type: text/plain; charset=idna\r\n\r\n" + b"a." * n,
    lambda n: b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"a-" * n,
    lambda n: b"Content-Type: text/plain; charset=unicode_escape\r\n\r\n" + b"\\ud800" * n,
    lambda n: b"Content-Type: text/plain; charset=utf-7\r\n\r\n" + b"+2AA-" * n,
    lambda n: b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=" * n,
    lambda n: b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 666 a\r\n" + b"M" * n,
    lambda n: b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=\r\n" * n,
    lambda n: _words(min(n, 2000)),
    lambda n: b"Subject: " + b"=?utf-8?q?" * n + b"\r\n\r\n",
    lambda n: b"Subject: " + b"v" * n + b" 2 (replaces" + b" " * n + b"\r\n\r\n",
    lambda n: b"Date: " + b"(" * n + b"\r\nMessage-ID: <" + b"a" * n + b"\r\n\r\n",
    lambda n: b"Authentication-Results: mx.office.example; dkim=pass " + b"header.d=" * n + b"\r\n\r\n",
    lambda n: b"\r\nSET DEADLINE a" + b" " * n + b"b",
    lambda n: b"\r\nPHASE " + b" " * n + b"x",
    lambda n: b"\r\nPRESS TO " + b"a, " * n + b"\r\nx",
    lambda n: b"\r\nSET ABSENCE " + b"1 " * n + b"TO",
    lambda n: b"\r\n" + b"SET PREF " + b"," * n,
    lambda n: b"\r\n" + b"> " * n + b"A par H",
    lambda n: b"\r\n" + b"A par - " * n,
    lambda n: b"\r\n" + b"A " + b"(" * n,
    lambda n: b"\r\n" + b"\x00" * n,
    lambda n: b"\r\n" + b"\xed\xa0\x80" * n,
    lambda n: b"\r\n" + b"a\r" * n,
    lambda n: b"\r\n" + b"-- \r\n" * n,
    lambda n: (
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: message/delivery-status\r\n\r\n" + b"Final-Recipient: x\r\n\r\n" * n
    ),
)
SIZES = (3, 50, 2000, 20_000, 200_000)


def poison(random: Random, number: int) -> bytes:
    """One mail."""
    made = HEAD % number + random.choice(KINDS)(random.choice(SIZES))
    if random.random() < 0.1:
        made = HEAD % number + b"Content-Transfer-Encoding: base64\r\n" + base64.encodebytes(made)
    return made


class Ways:
    """The ways that mail comes in, each into the same office."""

    def __init__(self, counter: MailService, server: MailboxServer) -> None:
        self.counter = counter
        self.server = server
        self.mailbox = Mailbox(f"imap://user:password@127.0.0.1:{server.port}/INBOX?plain")
        self.ports: dict[str, int] = {}

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Listen while the block runs."""
        ear = SmtpHandler(self.counter.receive, self.counter.ours)
        with (
            Listener(ear, "127.0.0.1", free_port()) as smtp,
            Listener(ear, "127.0.0.1", free_port(), lmtp=True) as lmtp,
        ):
            self.ports = {"smtp": smtp.port, "lmtp": lmtp.port}
            yield

    def hand_in(self, way: str, data: bytes) -> str:
        """Hand a mail in; the answer's first digit by wire, or ``filed``."""
        if way == "imap":
            self.server.append(data)
            filed = self.mailbox.file_unseen(self.counter.receive, self.counter.too_large)
            return "filed" if filed == 1 and not self.server.mails else "not filed"
        kind = smtplib.LMTP if way == "lmtp" else smtplib.SMTP
        with kind("127.0.0.1", self.ports[way]) as client:
            client.ehlo_or_helo_if_needed()
            client.mail("eve@evil.example")
            client.rcpt("orders@office.example")
            code, _ = client.data(data)
            return str(code)


def bombard(folder: Path, count: int, seed: int = 1) -> Tally[str]:
    """Hand in so many mails; the answer counts what was answered, and has the slowest (``ms``) and the most memory of a
    child (``MB``)."""
    settings = Settings(settling=0, orders_address="orders@office.example", mail_from="office@office.example")
    office = open_office(folder, settings, SystemClock(), SeededRandomSource("poison"))
    record, players, _ = begin(office, "hundred")
    counter = MailService(office, MailTransport(), "mx.office.example")
    random, tally = Random(seed), Tally[str]()
    victims = {
        f"{actor.name.lower()}@example.org": reply_address(office, record.key, power, actor.person)
        for power, actor in players.items()
    }
    addresses = ["orders@office.example", *victims.values()]
    with mailbox_server() as server, contextlib.closing(office):
        ways = Ways(counter, server)
        with ways.opened():
            for number in range(count):
                made = poison(random, number) if random.random() < 0.7 else hostile(random, victims, addresses)
                way = random.choice(("smtp", "lmtp", "imap"))
                begun = time.perf_counter()
                tally[f"{way} {ways.hand_in(way, made)}"] += 1
                tally["ms"] = max(tally["ms"], int((time.perf_counter() - begun) * 1000))
                tally["MB"] = max([tally["MB"], *map(peak, PARSERS.processes)])
                if number % 1000 == 999:
                    print(number + 1, dict(tally), file=sys.stderr, flush=True)
            tally["good"] = _good_mails(office, ways, record.key, players)
        tally["put aside"] = counter.put_aside
    tally["MB of the office"] = peak(os.getpid())
    return tally


def _good_mails(office: Office, ways: Ways, key: str, players: dict[str, Actor]) -> int:
    """How many of three mails of a player, one by each way, are entered."""
    power, actor = next(iter(players.items()))
    to = reply_address(office, key, power, actor.person)
    for way in ("smtp", "lmtp", "imap"):
        head = f"From: {actor.name.lower()}@example.org\r\nTo: {to}\r\nMessage-ID: <good.{way}@example.org>\r\n"
        vouched = "Authentication-Results: mx.office.example; dkim=pass header.d=example.org\r\n"
        ways.hand_in(way, (vouched + head + "\r\nA par H\r\n").encode())
    return len(submissions.mine(office, actor, key, power))


def peak(process: int) -> int:
    """The most memory that a process has used, in MB; 0 when it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def main() -> None:
    """The long run."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as folder:
        print(dict(bombard(Path(folder), given.count, given.seed)), threading.active_count(), "threads")


if __name__ == "__main__":
    main()
