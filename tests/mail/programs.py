"""How mail programs answer a mail: each makes of a mail of the office and of new words what it would send."""

import io
import textwrap
import tomllib
from collections.abc import Callable
from email.message import EmailMessage
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from functools import cache, partial
from html import escape
from pathlib import Path
from string import Template

from PIL import Image

Program = Callable[[EmailMessage, str], bytes]
DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ADDRESS = "office@office.example"
WHO = f"The office <{ADDRESS}>"
TO = "eve@example.org"
SENT = {"address": ADDRESS, "office": WHO, "to": TO}
WHEN = "Mon, 2 Mar 2026 at 13:00"
WROTE = f"On {WHEN}, {WHO} wrote:"


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


def filled(form: str, template: str, original: EmailMessage, new: str) -> bytes:
    """A row of ``programs.toml``, with what it names."""
    lines = [escape(line) for line in new.split("\n")]
    html = form == "html"
    text = Template(template).substitute(
        SENT, new=new, plain=plain_of(original), marked=marked(plain_of(original)),
        subject=escape(original["Subject"]) if html else original["Subject"], html=html_of(original),
        new_html=lines_as_html(new), new_br="<br>".join(lines), new_items="".join(f"<li>{line}</li>" for line in lines),
    )  # fmt: skip
    return html_answer(original, text) if html else text_answer(original, text, threads=form == "text")


def written(group: str) -> dict[str, Program]:
    """The programs of a group in ``programs.toml``."""
    return {
        name: partial(filled, form, template)
        for form, templates in DATA[group].items()
        for name, template in templates.items()
    }


def above(group: str) -> dict[str, str]:
    """The lines that programs of a group write above a quotation."""
    return {name: Template(line).substitute(SENT) for name, line in DATA["above"][group].items()}


def quoting(line: str, original: EmailMessage, new: str, *, mark: bool, threads: bool = True) -> bytes:
    quoted = marked(plain_of(original)) if mark else plain_of(original)
    return text_answer(original, f"{new}\n\n{line}\n\n{quoted}\n", threads=threads)


def gmail(original: EmailMessage, new: str) -> bytes:
    text = f"{new}\n\n{WROTE}\n\n{marked(plain_of(original))}\n"
    html = (
        f'<div dir="ltr">{lines_as_html(new)}</div><br><div class="gmail_quote"><div class="gmail_attr">On {WHEN}, '
        f"{escape(WHO)} wrote:<br></div><blockquote>{html_of(original)}</blockquote></div>"
    )
    message = answer(original)
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    return message.as_bytes()


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
    return text_answer(original, f"{WROTE}\n" + "\n".join(lines))


def between_unmarked_lines(original: EmailMessage, new: str) -> bytes:
    """New lines at empty ones of an unmarked quotation."""
    lines = plain_of(original).split("\n")
    middle = [i for i, line in enumerate(lines) if not line and 4 < i < len(lines) - 3] or [len(lines)]
    at = middle[len(middle) // 2]
    lines[at:at] = ["", *new.split("\n")]
    return text_answer(original, f"{head(original)}\n" + "\n".join(lines))


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
    both.attach(MIMEText(f"{new}\n\n{WROTE}\n{marked(plain_of(original))}\n", "plain", "utf-8"))
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


def charset_missing(original: EmailMessage, new: str) -> bytes:
    text = new.replace(" - ", " – ") + f"\n\n{head(original)}\n{plain_of(original)}\n"
    lines = text_answer(original, "x").split(b"\n\n", 1)[0].decode().split("\n")
    kept = [line for line in lines if not line.lower().startswith(("content-", "mime-"))]
    return "\n".join(kept).encode() + b"\n\n" + text.encode("cp1252", "replace")


def charset_wrong(original: EmailMessage, new: str) -> bytes:
    message = answer(original)
    message.set_content("x", charset="iso-8859-1", cte="8bit")
    text = new.replace(" - ", " → ") + f"\n\n{WROTE}\n{marked(plain_of(original))}\n"
    return message.as_bytes().rpartition(b"x")[0] + text.encode()


def rewrapped(original: EmailMessage, new: str) -> bytes:
    """A program that wraps what it quotes anew, so that some lines lose their mark."""
    lines = [f"> {line}" for line in plain_of(original).split("\n")]
    quoted = "\n".join(textwrap.fill(line, 50, break_long_words=False) for line in lines)
    return text_answer(original, f"{new}\n\n{WROTE}\n{quoted}\n")


PROGRAMS: dict[str, Program] = {
    **written("programs"),
    **{
        write.__name__: write
        for write in (
            gmail, thunderbird_flowed, between_quoted_lines, between_unmarked_lines, with_a_logo, with_the_map,
            charset_missing, charset_wrong, rewrapped,
        )
    },
    **{
        f"{name} {'marked' if mark else 'unmarked'}": partial(quoting, line, mark=mark)
        for number, (name, line) in enumerate(above("programs").items())
        for mark in ((True, False) if number < 4 else (bool(number % 2),))
    },
}  # fmt: skip
