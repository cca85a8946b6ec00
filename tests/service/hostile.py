"""Mails that mean harm, made by chance from a seed: broken MIME, bombs, forged senders, headers within headers, scripts
in names. :mod:`.poison` sends them, and asks the office what came of them."""

import base64
import io
import struct
import zipfile
import zlib
from email.message import EmailMessage
from random import Random

from PIL import Image

from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions

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
    """A JPEG that ends too early."""
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
    from legation.office.hosting import games

    assert {s.power for s in games.game(office, console, key).seats if s.state == "held"} == powers
    for item in desk.items(office, console):
        assert all(c.isprintable() for c in item.text), item.text
    work.run_due(office)
