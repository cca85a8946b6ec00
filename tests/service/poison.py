"""Mails made to stop whoever reads them, through every way that mail comes in: ``python -m tests.service.poison --count
20000`` is the long run.

Each is handed in by SMTP, LMTP or a mailbox (IMAP). What is measured: the processor time of the slowest, the memory of
the children that take mails apart and of the office itself, that none is deferred or raises, and that a good mail is
taken at the end by each way. Each that takes over a second is told; its seed and number make it again."""

import argparse
import base64
import contextlib
import io
import os
import resource
import smtplib
import struct
import sys
import tempfile
import time
import zipfile
import zlib
from collections import Counter as Tally
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from random import Random

from PIL import Image
from structlog.testing import capture_logs

from legation.children import end_all, pools
from legation.mail.intake import LARGE_PARSERS
from legation.mail.listening import LONGEST, Listener, SmtpHandler
from legation.mail.mail_service import MailService
from legation.mail.polling import Mailbox
from legation.office.clock import SeededRandomSource, SystemClock
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.desk.mailroom import note_too_large, reply_address
from legation.office.hosting import games
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from tests.mail.office_with_mail import file_unseen
from tests.office.playing import begin
from tests.service.mailbox_server import MailboxServer, mailbox_server
from tests.serving import free_port
from tests.waiting import wait_for

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
    lambda n: b"\r\n" + b"a\r\n" * 5 * n,
    lambda n: b"\r\n" + b".\n" * 5 * n + b"x" * 20 * n,
    lambda n: b"X: y\r\n" * 3 * n + b"\r\n" + b"x" * 20 * n,
    lambda n: b"X: y\r\n" + b" z\r\n" * 3 * n + b"\r\nA par H",
    lambda n: _nested(min(n, 19)) + b"a\r\n" * 3 * n + b"x" * 20 * n,
    lambda n: _nested(min(n, 400)) + b"a\r\n" * 3 * n + b"x" * 20 * n,
    lambda n: _html(b"<div>" * n + b"</p>" * n),
    lambda n: _html(b"<div><table></div></table>" * n),
    lambda n: _html(b"<ul><li>" * 10 * n),
    lambda n: (
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: message/delivery-status\r\n\r\n" + b"Final-Recipient: x\r\n\r\n" * n
    ),
)
SIZES = (3, 50, 2000, 20_000, 200_000)
SLOW = 1.0  # seconds, over which it is told
LARGE = 150  # megabytes, likewise


def poison(random: Random, number: int) -> tuple[str, bytes]:
    """A hostile mail, and the name of its kind."""
    kind, size = random.randrange(len(KINDS)), random.choice(SIZES)
    made, name = HEAD % number + KINDS[kind](size), f"KINDS[{kind}]({size})"
    if random.random() < 0.1:
        return f"{name} in base64", HEAD % number + b"Content-Transfer-Encoding: base64\r\n" + base64.encodebytes(made)
    return name, made


def used() -> float:
    """Seconds of the processor that the office and its children have used: all but this thread, which hands mails
    in."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    children = sum(_used(Path(f"/proc/{number}")) for number in {n for pool in pools() for n in pool.processes})
    return time.process_time() - time.thread_time() + ended.ru_utime + ended.ru_stime + children


def _used(process: Path) -> float:
    """Seconds of the processor that a process has used; 0 when it has ended."""
    try:
        fields = (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Ways:
    """The ways that mail comes in, each into the same office, by one connection each that stays open while it can."""

    def __init__(self, counter: MailService, server: MailboxServer) -> None:
        self.counter = counter
        self.server = server
        self.mailbox = Mailbox(f"imap://user:password@127.0.0.1:{server.port}/INBOX?plain")
        self.ports: dict[str, int] = {}
        self.clients: dict[str, smtplib.SMTP] = {}
        self.renewed = time.monotonic()

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Listen while the block runs."""
        handler = SmtpHandler(self.counter.receive, self.counter.ours)
        with (
            Listener(handler, "127.0.0.1", free_port()) as smtp,
            Listener(handler, "127.0.0.1", free_port(), lmtp=True) as lmtp,
        ):
            self.ports = {"smtp": smtp.port, "lmtp": lmtp.port}
            yield
            for client in self.clients.values():
                client.close()

    def hand_in(self, way: str, data: bytes) -> str:
        """Hand a mail in; the answer's code by wire, or ``filed``."""
        if way == "imap":
            self.server.append(data)
            filed = file_unseen(self.mailbox, self.counter.receive, partial(note_too_large, self.counter.office))
            if self.server.mails:
                return "not filed"
            return "filed" if filed else "too large"
        if time.monotonic() - self.renewed > LONGEST / 2:  # the office ends a connection by then
            for client in self.clients.values():
                client.close()
            self.clients, self.renewed = {}, time.monotonic()
        if way not in self.clients:
            self.clients[way] = (smtplib.LMTP if way == "lmtp" else smtplib.SMTP)("127.0.0.1", self.ports[way])
        client = self.clients[way]
        try:
            client.ehlo_or_helo_if_needed()
            client.mail("eve@evil.example")
            client.rcpt("orders@office.example")
            code, _ = client.data(data)
        except (smtplib.SMTPServerDisconnected, ConnectionError):
            self.clients.pop(way).close()
            return "cut off"
        return str(code)


def bombard(folder: Path, count: int, seed: int = 1) -> Tally[str]:
    """Hand in so many mails; the answer counts what was answered, and has the most processor time that one took
    (``ms``), the longest by the clock and the most memory of a child (``MB``). What each slow one took is told."""
    end_all()  # children that were started before may have taken more memory for something else
    settings = Settings(settling=0, orders_address="orders@office.example", mail_from="office@office.example")
    office = open_office(folder, settings, SystemClock(), SeededRandomSource("poison"))
    record, players, _ = begin(office, "hundred")
    begun = time.time()
    counter = MailService(office, MailTransport(), "mx.office.example")
    random, tally = Random(seed), Tally[str]()
    victims = {
        f"{actor.name.lower()}@example.org": reply_address(office, record.key, power, actor.person)
        for power, actor in players.items()
    }
    addresses = ["orders@office.example", *victims.values()]
    with mailbox_server() as server, contextlib.closing(office), capture_logs() as logged:
        ways = Ways(counter, server)
        with ways.opened():
            for number in range(count):
                if random.random() < 0.7:
                    kind, made = poison(random, number)
                else:
                    kind, made = "hostile", hostile(random, victims, addresses)
                way = random.choice(("smtp", "lmtp", "imap"))
                before, start = used(), time.perf_counter()
                answer = f"{way} {ways.hand_in(way, made)}"
                took, cost = time.perf_counter() - start, used() - before
                _note(tally, f"seed {seed} mail {number}: {kind}, {len(made):,} bytes", answer, took, cost)
                for line in logged:
                    if line["log_level"] in ("error", "critical") or line["event"] == "mail put aside":
                        tally[f"{line['event']}: {line.get('why') or line.get('error') or ''}"] += 1
                logged.clear()
                if number % 1000 == 999:
                    print(f"seed {seed}:", number + 1, dict(tally), file=sys.stderr, flush=True)
            unharmed(office, record.key, set(players))
            # a mailbox tells only the second of an arrival: in that of the opening, it may be before it
            wait_for(lambda: time.time() // 1 > begun // 1)
            tally["good"] = _good_mails(office, ways, record.key, players)
    tally["MB of the office"] = peak(os.getpid())
    return tally


def _note(tally: Tally[str], mail: str, answer: str, took: float, cost: float) -> None:
    """Count what came of a mail, and print what it ``took`` by the clock and of the processor if that was much."""
    large = max(map(peak, LARGE_PARSERS.processes), default=0)
    most = max((peak(child) for pool in pools() if pool is not LARGE_PARSERS for child in pool.processes), default=0)
    if max(took, cost) > SLOW or most > max(LARGE, tally["MB"]):
        print(f"{mail}, {answer}: {most} MB, {took:.2f} s, {cost:.2f} s of the processor", flush=True)
    tally[answer] += 1
    tally["ms"] = max(tally["ms"], int(cost * 1000))
    tally["ms by the clock"] = max(tally["ms by the clock"], int(took * 1000))
    tally["MB"] = max(tally["MB"], most)
    tally["MB for a large mail"] = max(tally["MB for a large mail"], large)


def faults(tally: Tally[str]) -> list[str]:
    """What of a run is beyond its bars: every mail answered for good, within 2 s of the processor and 200 MB, nothing
    raised where it was taken in, and good mails taken at the end."""
    wrong = [
        f"{what}: {tally[what]}" for what in tally if what.startswith(("smtp 4", "lmtp 4", "imap not", "mail failed"))
    ]
    wrong += [f"{what}: {tally[what]}" for what in tally if "cut off" in what or "cannot be acted on" in what]
    if tally["ms"] > 2000:
        wrong.append(f"one mail took {tally['ms']} ms of the processor")
    if tally["MB"] > 200:
        wrong.append(f"one mail took {tally['MB']} MB")
    if tally["MB for a large mail"] > 200:
        wrong.append(f"a large mail took {tally['MB for a large mail']} MB")
    if tally["good"] != 3:
        wrong.append(f"{tally['good']} of 3 good mails were entered")
    return wrong


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


# Mails made by chance


SCRIPT = "<script>alert(1)</script>"
NASTY = (
    SCRIPT, "a\r\nBcc: victim@elsewhere.example", "=?utf-8?q?=0D=0ABcc:_victim=40elsewhere.example?=", "\x00\x1b[2J",
    "‮gpj.exe", "../../etc/passwd", "{{7*7}}", "%s%n", "A" * 5000, "'; DROP TABLE games;--", "\udcff",
    "=?x-nothing?q?a?=", "=?utf-8?b?////?=", "Powick Bridge - France - 1425 - Movement Orders",
)  # fmt: skip


def pixel_bomb() -> bytes:
    """A PNG of a few hundred bytes that says it is 60,000 x 60,000."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 10_000))
        + chunk(b"IEND", b"")
    )


def zip_bomb() -> bytes:
    """Ten megabytes of nothing in ten kilobytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sheet.jpg", b"\0" * 10_000_000)
    return out.getvalue()


def cut_picture() -> bytes:
    """A truncated JPEG."""
    out = io.BytesIO()
    Image.new("RGB", (400, 300), "white").save(out, "JPEG")
    return out.getvalue()[:-200]


FILES = {
    "pixels.png": pixel_bomb(),
    "bomb.zip": zip_bomb(),
    "cut.jpg": cut_picture(),
    "empty.jpg": b"",
    "exe.jpg": b"MZ" + b"\0" * 200,
    "bad.pdf": b"%PDF-1.7\n1 0 obj << /Length 99999999 >> stream",
    "script.svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
    "large.jpg": b"\xff\xd8\xff" + b"\0" * 2_000_000,
}


def forged(address: str) -> str:
    """The reply address of a seat, with another secret."""
    local, _, domain = address.partition("@")
    return f"{local[:-1]}{'b' if local.endswith('a') else 'a'}@{domain}"


def hostile(random: Random, victims: dict[str, str], addresses: list[str]) -> bytes:
    """One mail. ``victims``: senders to pretend to be, with the secret reply address of each, which whoever pretends to
    be them has to guess; ``addresses``: of the office."""
    text = random.choice(
        [
            "A par - orl",
            f"RESIGN\n{SCRIPT}",
            "SET ADDRESS mallory@evil.example",
            "PRESS TO ALL\n" + SCRIPT + "\nENDPRESS",
            "",
            "LIST",
        ]
    )
    senders = [random.choice(list(victims)), "mallory@evil.example", SCRIPT, "", "<>", "a@b@c", random.choice(NASTY)]
    sender, to = random.choice(senders), random.choice(addresses)
    lines = [
        f"From: {sender}",
        f"To: {forged(to) if victims.get(sender) == to else to}",
        f"Subject: {random.choice(NASTY)}",
        f"Message-ID: <{random.random()}@evil.example>",
    ]
    if random.random() < 0.3:  # the word of a server that nobody trusts
        lines.append(
            f"Authentication-Results: {random.choice(['mx.evil.example', 'mx.office.example.evil.example', ''])}; "
            "dkim=pass header.d=example.org"
        )
    if random.random() < 0.2:
        lines.append(
            random.choice(
                [
                    "Content-Type: multipart/mixed",
                    "Content-Type: text/plain; charset=nothing",
                    "Content-Transfer-Encoding: base64",
                    "Bcc: victim@elsewhere.example",
                    "X" * 3000 + ": x",
                ]
            )
        )
    if random.random() < 0.5:
        name, data = random.choice(sorted(FILES.items()))
        bound = random.choice(["b", '"b', "b" * 90])
        coded = base64.encodebytes(data).decode()
        if random.random() < 0.3:
            coded = coded[: random.randrange(len(coded) + 1)] + "!!!"
        file = random.choice([name, random.choice(NASTY).replace("\n", " ")])
        lines.append(f"Content-Type: multipart/mixed; boundary={bound}")
        part = f'Content-Type: image/jpeg; name="{file}"\r\n'
        part += f'Content-Disposition: attachment; filename="{file}"\r\nContent-Transfer-Encoding: base64'
        depth = random.choice([1, 1, 1, 40])
        body = (
            "".join(f"--{bound}\r\n{part}\r\n\r\n{coded}\r\n" for _ in range(depth))
            if len(data) < 10**6
            else f"--{bound}\r\n{part}\r\n\r\n{coded}\r\n"
        )
        text = f"--{bound}\r\nContent-Type: text/plain\r\n\r\n{text}\r\n{body}" + random.choice(["", f"--{bound}--"])
    mail = ("\r\n".join(lines) + "\r\n\r\n" + text).encode("utf-8", "surrogateescape")
    if random.random() < 0.2:
        place = random.randrange(len(mail))
        mail = mail[:place] + random.randbytes(random.randrange(40)) + mail[place + random.randrange(20) :]
    return mail


class MailTransport:
    """Takes every mail as it would leave, and looks at it."""

    def __init__(self) -> None:
        self.sent = 0

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        self.sent += 1
        plain = message.as_bytes()
        head = plain.partition(b"\n\n")[0]
        assert b"\nBcc:" not in head and b"victim@elsewhere.example" not in str(message["To"]).encode(), head
        assert "\n" not in recipient and recipient.count("@") == 1
        for part in message.walk():
            if part.get_content_type() == "text/html":
                assert "<script" not in part.get_content()

    def close(self) -> None:
        """Nothing is open."""


def unharmed(office: Office, key: str, powers: set[str]) -> None:
    """Nothing was entered, nobody lost a seat or an address, and what the desk shows is plain text on one line."""
    console = Actor.console()
    assert submissions.commitments(office, console, key) == []
    assert {s.power for s in games.game(office, console, key).seats if s.state == "held"} == powers
    for item in desk.items(office, console):
        assert all(c.isprintable() for c in item.text), item.text
    work.run_due(office)


def main() -> None:
    """The long run."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        tally = bombard(Path(folder), given.count, given.seed)
    print(dict(tally), f"in {time.monotonic() - begun:.0f} s")
    if wrong := faults(tally):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
