"""How mail programs answer a mail: each makes of a mail of the office and of new words what it would send."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from functools import cache
from html import escape

from PIL import Image

WHO = "The office <office@office.example>"
WHEN = "Mon, 2 Mar 2026 at 13:00"
ATTRIBUTIONS = {
    "german": "Am 02.03.2026 um 13:00 schrieb The office <office@office.example>:",
    "french": "Le lun. 2 mars 2026 à 13:00, The office <office@office.example> a\nécrit :",
    "spanish": "El lun, 2 mar 2026 a las 13:00, The office (<office@office.example>)\nescribió:",
    "italian": "Il giorno lun 2 mar 2026 alle ore 13:00 The office <\noffice@office.example> ha scritto:",
    "dutch": "Op ma 2 mrt 2026 om 13:00 schreef The office <office@office.example>:",
    "portuguese": "Em seg., 2 de mar. de 2026 às 13:00, The office <office@office.example>\nescreveu:",
    "swedish": "Den mån 2 mars 2026 kl 13:00 skrev The office <office@office.example>:",
    "polish": "pon., 2 mar 2026 o 13:00 The office <office@office.example> napisał(a):",
    "russian": "пн, 2 мар. 2026 г. в 13:00, The office <office@office.example>:\n".replace(":\n", " написал:"),
    "japanese": "2026年3月2日(月) 13:00 The office <office@office.example> wrote:",
    "chinese": "The office <office@office.example> 于2026年3月2日周一 13:00写道：",
    "finnish": "ma 2. maalisk. 2026 klo 13.00 The office (office@office.example) kirjoitti:",
}


def plain_of(original: EmailMessage) -> str:
    part = original.get_body(("plain",))
    assert part is not None
    text: str = part.get_content()
    return text.rstrip("\n")


def html_of(original: EmailMessage) -> str:
    part = original.get_body(("html",))
    if part is None:
        return f"<pre>{escape(plain_of(original))}</pre>"
    text: str = part.get_content()
    return text.partition("<body")[2].partition(">")[2].partition("</body>")[0]


def marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() if line else ">" for line in text.split("\n"))


def answer(original: EmailMessage, *, threads: bool = True) -> EmailMessage:
    """The head of an answer; ``threads``: with the references that programs copy."""
    message = EmailMessage()
    message["From"] = "eve@example.org"
    message["To"] = original["Reply-To"] or original["From"]
    message["Subject"] = f"Re: {original['Subject']}"
    message["Message-ID"] = "<answer@example.org>"
    message["In-Reply-To"] = original["Message-ID"]
    if threads:
        message["References"] = f"{original['References'] or ''} {original['Message-ID']}".strip()
    return message


def text_answer(original: EmailMessage, text: str, *, threads: bool = True) -> bytes:
    message = answer(original, threads=threads)
    message.set_content(text)
    return message.as_bytes()


def html_answer(original: EmailMessage, html: str) -> bytes:
    message = answer(original)
    message.set_content(html, subtype="html")
    return message.as_bytes()


def lines_as_html(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))


def head(original: EmailMessage) -> str:
    return (
        f"From: {WHO}\nSent: Monday, March 2, 2026 13:00\nTo: Eve <eve@example.org>\nSubject: {original['Subject']}\n"
    )


def gmail(original: EmailMessage, new: str) -> bytes:
    text = f"{new}\n\nOn {WHEN}, {WHO} wrote:\n\n{marked(plain_of(original))}\n"
    html = (
        f'<div dir="ltr">{lines_as_html(new)}</div><br><div class="gmail_quote"><div class="gmail_attr">On {WHEN}, '
        f"{escape(WHO)} wrote:<br></div><blockquote>{html_of(original)}</blockquote></div>"
    )
    message = answer(original)
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    return message.as_bytes()


def gmail_in_two_lines(original: EmailMessage, new: str) -> bytes:
    attribution = "On Mon, 2 Mar 2026 at 13:00, The office of Powick Bridge and others <\noffice@office.example> wrote:"
    return text_answer(original, f"{new}\n\n{attribution}\n\n{marked(plain_of(original))}\n")


def gmail_html_alone(original: EmailMessage, new: str) -> bytes:
    html = (
        f'<div dir="ltr">{lines_as_html(new)}</div><br><div class="gmail_quote"><div>On {WHEN}, {escape(WHO)} wrote:'
        f"<br></div><blockquote>{html_of(original)}</blockquote></div>"
    )
    return html_answer(original, html)


def outlook(original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n{head(original)}\n{plain_of(original)}\n")


def outlook_without_threads(original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n{head(original)}\n{plain_of(original)}\n", threads=False)


def outlook_with_a_rule(original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n{'_' * 32}\n{head(original)}\n{plain_of(original)}\n")


def outlook_original_message(original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n-----Original Message-----\n{head(original)}\n{plain_of(original)}\n")


def outlook_marked(original: EmailMessage, new: str) -> bytes:
    return text_answer(
        original, f"{new}\n\n> {'> '.join(head(original).splitlines(True))}\n{marked(plain_of(original))}\n"
    )


def outlook_html_alone(original: EmailMessage, new: str) -> bytes:
    rows = "<br>".join(f"<b>{escape(line)}</b>" for line in head(original).splitlines())
    html = f"<div>{lines_as_html(new)}</div><hr><div style='border-top:solid #E1E1E1 1.0pt'><p>{rows}</p></div>"
    return html_answer(original, f"<html><body>{html}{html_of(original)}</body></html>")


def apple_mail(original: EmailMessage, new: str) -> bytes:
    quoted = f"On 2 Mar 2026, at 13:00, {WHO} wrote:\n\n{plain_of(original)}"
    return text_answer(original, f"{new}\n\n{marked(quoted)}\n")


def thunderbird_below(original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"On 02.03.26 13:00, The office wrote:\n{marked(plain_of(original))}\n\n{new}\n")


def thunderbird_flowed(original: EmailMessage, new: str) -> bytes:
    quoted = []
    for line in plain_of(original).split("\n"):
        wrapped = textwrap.wrap(line, 60, break_on_hyphens=False) or [""]
        quoted += [f"> {part} " for part in wrapped[:-1]] + [f"> {wrapped[-1]}"]
    text = "On 02.03.26 13:00, The office wrote:\n" + "\n".join(quoted) + f"\n\n{new}\n"
    message = answer(original)
    message.set_content(text)
    message.set_param("format", "flowed")
    return message.as_bytes()


def between_quoted_lines(original: EmailMessage, new: str) -> bytes:
    lines = marked(plain_of(original)).split("\n")
    added = new.split("\n")
    step = max(len(lines) // (len(added) + 1), 1)
    for number, line in enumerate(added):
        lines.insert(step * (number + 1) + number, line)
    return text_answer(original, f"On {WHEN}, {WHO} wrote:\n" + "\n".join(lines))


def between_unmarked_lines(original: EmailMessage, new: str) -> bytes:
    """New lines at empty ones of an unmarked quotation."""
    lines = plain_of(original).split("\n")
    middle = [i for i, line in enumerate(lines) if not line and 4 < i < len(lines) - 3] or [len(lines)]
    at = middle[len(middle) // 2]
    lines[at:at] = ["", *new.split("\n")]
    return text_answer(original, f"{head(original)}\n" + "\n".join(lines))


def below_unmarked(original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{head(original)}\n{plain_of(original)}\n\n{new}\n")


def below_without_any_mark(original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{plain_of(original)}\n\n{new}\n")


@cache
def _picture(size: tuple[int, int]) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(out, "PNG")
    return out.getvalue()


def _with_picture(original: EmailMessage, new: str, data: bytes, name: str) -> bytes:
    head_of = answer(original)
    related = MIMEMultipart("related")
    for key, value in head_of.items():
        if key != "Content-Type":
            related[key] = value
    both = MIMEMultipart("alternative")
    both.attach(MIMEText(f"{new}\n\nOn {WHEN}, {WHO} wrote:\n{marked(plain_of(original))}\n", "plain", "utf-8"))
    both.attach(MIMEText(f"{lines_as_html(new)}<img src='cid:x'><blockquote>{html_of(original)}</blockquote>", "html"))
    related.attach(both)
    picture = MIMEImage(data, "png")
    picture["Content-ID"] = "<x>"
    picture["Content-Disposition"] = f'inline; filename="{name}"'
    related.attach(picture)
    return related.as_bytes()


LOGO = _picture((90, 40))


def with_a_logo(original: EmailMessage, new: str) -> bytes:
    return _with_picture(original, new, LOGO, "image001.png")


def with_the_map(original: EmailMessage, new: str) -> bytes:
    own = next((p for p in original.walk() if p.get_content_type() == "image/png"), None)
    data = own.get_payload(decode=True) if own is not None else _picture((300, 200))
    assert isinstance(data, bytes)
    return _with_picture(original, new, data, "image001.png" if own is not None else "legation-map.png")


def from_a_phone(original: EmailMessage, new: str) -> bytes:
    return text_answer(
        original,
        f"{new}\n\nSent from my iPhone\n\n> On 2 Mar 2026, at 13:00, {WHO} wrote:\n> \n{marked(plain_of(original))}\n",
    )


def from_a_phone_unmarked(original: EmailMessage, new: str) -> bytes:
    return text_answer(
        original, f"{new}\n\nGet Outlook for Android\n{'_' * 32}\n{head(original)}\n{plain_of(original)}\n"
    )


def with_a_disclaimer(original: EmailMessage, new: str) -> bytes:
    claim = (
        "This e-mail and any attachments are confidential and intended solely for the addressee. If you are not the\n"
        "intended recipient, please delete it. London and Paris offices: see our website."
    )
    return text_answer(original, f"{new}\n\n{claim}\n\n{head(original)}\n{plain_of(original)}\n\n{claim}\n")


def with_a_signature(original: EmailMessage, new: str) -> bytes:
    signed = f"{new}\n\n-- \nEve Example\n12 High Street, Leeds"
    return text_answer(original, f"{signed}\n\nOn {WHEN}, {WHO} wrote:\n{marked(plain_of(original))}\n")


def charset_missing(original: EmailMessage, new: str) -> bytes:
    text = new.replace(" - ", " – ") + f"\n\n{head(original)}\n{plain_of(original)}\n"
    lines = text_answer(original, "x").split(b"\n\n", 1)[0].decode().split("\n")
    kept = [line for line in lines if not line.lower().startswith(("content-", "mime-"))]
    return "\n".join(kept).encode() + b"\n\n" + text.encode("cp1252", "replace")


def charset_wrong(original: EmailMessage, new: str) -> bytes:
    message = answer(original)
    message.set_content("x", charset="iso-8859-1", cte="8bit")
    text = new.replace(" - ", " → ") + f"\n\nOn {WHEN}, {WHO} wrote:\n{marked(plain_of(original))}\n"
    return message.as_bytes().rpartition(b"x")[0] + text.encode()


def rewrapped(original: EmailMessage, new: str) -> bytes:
    """A program that wraps what it quotes anew, so that some lines lose their mark."""
    lines = [f"> {line}" for line in plain_of(original).split("\n")]
    quoted = "\n".join(textwrap.fill(line, 50, break_long_words=False) for line in lines)
    return text_answer(original, f"{new}\n\nOn {WHEN}, {WHO} wrote:\n{quoted}\n")


def in_language(name: str, *, mark: bool) -> Callable[[EmailMessage, str], bytes]:
    def write(original: EmailMessage, new: str) -> bytes:
        quoted = marked(plain_of(original)) if mark else plain_of(original)
        return text_answer(original, f"{new}\n\n{ATTRIBUTIONS[name]}\n\n{quoted}\n")

    return write


PROGRAMS: dict[str, Callable[[EmailMessage, str], bytes]] = {
    write.__name__: write
    for write in (
        gmail, gmail_in_two_lines, gmail_html_alone, outlook, outlook_without_threads, outlook_with_a_rule,
        outlook_original_message, outlook_marked, outlook_html_alone, apple_mail, thunderbird_below,
        thunderbird_flowed, between_quoted_lines, between_unmarked_lines, below_unmarked, below_without_any_mark,
        with_a_logo, with_the_map, from_a_phone, from_a_phone_unmarked, with_a_disclaimer, with_a_signature,
        charset_missing, charset_wrong, rewrapped,
    )
} | {
    f"{name} {'marked' if mark else 'unmarked'}": in_language(name, mark=mark)
    for number, name in enumerate(ATTRIBUTIONS)
    for mark in ((True, False) if number < 4 else (bool(number % 2),))
}  # fmt: skip
