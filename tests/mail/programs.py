"""How mail programs answer a mail: each makes of a mail of the office and of new words what it would send.

``programs.toml`` has those that only put texts around the words and the mail, and ``habits.tsv`` some three hundred
texts that telephones, web mail and people add, by kind: ``above`` a quotation, the ``head`` of one, a ``footer``."""

import io
import re
import textwrap
import tomllib
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from email.mime.application import MIMEApplication
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from functools import cache, partial
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from string import Template
from urllib.parse import quote

from PIL import Image

Program = Callable[[EmailMessage, str], bytes]
Row = Mapping[str, str]
DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WHO = "The office <office@office.example>"
TO = "eve@example.org"
SENT = {"address": "office@office.example", "office": WHO, "to": TO}
WROTE = f"On Mon, 2 Mar 2026 at 13:00, {WHO} wrote:"
PROTON = f"On Monday, March 2nd, 2026 at 1:00 PM, {WHO} wrote:"
MUTT = "On Mon, Mar 02, 2026 at 01:00:00PM +0000, The office wrote:"


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


def marked(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() if line else mark.rstrip() for line in text.split("\n"))


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


def text_answer(original: EmailMessage, text: str) -> bytes:
    message = answer(original)
    message.set_content(text)
    return message.as_bytes()


def html_answer(original: EmailMessage, html: str) -> bytes:
    message = answer(original)
    message.set_content(html, subtype="html")
    return message.as_bytes()


def lines_as_html(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))


def head(original: EmailMessage) -> str:
    return f"From: {WHO}\nSent: Monday, March 2, 2026 1:00 PM\nTo: Eve <{TO}>\nSubject: {original['Subject']}"


RULE = "_" * 32
SAFE = "https://eur01.safelinks.protection.outlook.com/?url={}&data=05%7C02%7Ceve%40example.org&reserved=0"


class _Exchange(HTMLParser):
    """HTML as Exchange writes it as text: cells with tabs, addresses right behind the words of their links."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.address = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.address = said.get("href", "") if tag == "a" else self.address
        self.said.append(
            {"td": "\t", "li": "\n  *   ", "hr": f"\n{RULE}\n"}.get(
                tag, "\n" if tag in "p div br tr h1 h2".split() else ""
            )
        )
        if tag == "img":
            self.said.append(f"[{said.get('src', '')}]")

    def handle_endtag(self, tag: str) -> None:
        self.said.append("\n\n" if tag in ("p", "h1", "h2") else "\n" if tag in ("div", "table") else "")
        if tag == "a":
            self.said.append(f"<{SAFE.format(quote(self.address, safe=''))}>")

    def handle_data(self, data: str) -> None:
        self.said.append(" ".join(data.split()) if data.strip() else "")


@cache
def exchanged(html: str) -> str:
    """What Exchange makes of a mail's HTML."""
    parser = _Exchange()
    parser.feed(html)
    text = "\n".join(line.strip() for line in "".join(parser.said).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n")


# The programs of the table


def filled(form: str, template: str, row: Row, original: EmailMessage, new: str) -> str:
    """A template of ``programs.toml`` with what it names; texts within HTML are escaped."""
    plain, html, (first, _, rest) = plain_of(original), html_of(original), new.partition("\n")
    texts = {
        **SENT, "new": new, "first": first, "rest": rest, "plain": plain, "marked": marked(plain), "wrote": WROTE,
        "marked_twice": marked(marked(plain)), "spaced": plain.replace("\n", "\n\n"), "head": head(original),
        "exchanged": exchanged(html), "subject": original["Subject"], "quoted": marked(plain, row["mark"]),
    }  # fmt: skip
    texts |= {name: Template(said).substitute(texts) for name, said in row.items()}
    pairs = [line.partition(":") for line in texts.get("line", "").split("\n")]
    if form == "html":
        texts = {name: escape(text) for name, text in texts.items()}
    lines = [escape(line) for line in new.split("\n")]
    return Template(template).substitute(
        texts, html=html, new_html=lines_as_html(new), new_br="<br>".join(lines),
        new_items="".join(f"<li>{line}</li>" for line in lines),
        rest_html="".join(f"<div>{line}</div>" for line in lines[1:]),
        line_html="".join(f"<b>{escape(key)}:</b>{escape(value)}<br>" for key, _, value in pairs),
    )  # fmt: skip


def written(form: str, template: str | Mapping[str, str], row: Row, original: EmailMessage, new: str) -> bytes:
    """The answer of a program of the table; of the form ``both`` with a text and HTML, ``bare`` without threads."""
    message = answer(original, threads=form != "bare")
    parts = template if isinstance(template, Mapping) else {form: template}
    row = {**row, "mark": parts.get("mark", row.get("mark", ""))}
    put: Callable[..., None] = message.set_content
    for kind in [kind for kind in parts if kind != "mark"]:
        put(filled(kind, parts[kind], row, original, new), subtype="html" if kind == "html" else "plain")
        put = message.add_alternative
    return message.as_bytes()


def _lines() -> dict[str, dict[str, Row]]:
    """Lines of the table and of ``habits.tsv`` by kind and name, each with what belongs to it."""
    found = {
        kind: {name: {"line": said} if isinstance(said, str) else said for name, said in lines.items()}
        for kind, lines in DATA["lines"].items()
    }
    for text in Path(__file__).with_name("habits.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        kind, name, said = text.split("\t")
        found.setdefault(kind, {})[name] = {"line": said.replace("\\n", "\n").replace("\\t", "\t")}
    return found


LINES = _lines()


def programs(group: str, *own: Program) -> dict[str, Program]:
    """Return the mail programs of a group by name: each template of the table, alone and with every attribution line of
    its kind, and the functions in ``own``."""
    made = {
        name: partial(written, form, template, {})
        for form, templates in DATA[group].items()
        for name, template in templates.items()
    }
    for each in DATA["each"]:
        for name, row in list(LINES[each["of"]].items())[:: each.get("nth", 1)] if each["group"] == group else ():
            made[Template(each["name"]).substitute(name=name)] = partial(written, each["form"], each["template"], row)
    return made | {write.__name__: write for write in own}


# What is not put together of texts alone


def quoting(line: str, original: EmailMessage, new: str) -> str:
    return f"{new}\n\n{line}\n\n{marked(plain_of(original))}\n"


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
    return text_answer(original, f"{head(original)}\n\n" + "\n".join(lines))


@cache
def _picture(size: tuple[int, int]) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(out, "PNG")
    return out.getvalue()


def _of_parts(kind: MIMEMultipart, original: EmailMessage, *parts: MIMEBase) -> bytes:
    for key, value in answer(original).items():
        if key.lower() not in ("content-type", "mime-version"):
            kind[key] = value
    for part in parts:
        kind.attach(part)
    return kind.as_bytes()


def _with_picture(original: EmailMessage, new: str, data: bytes, name: str) -> bytes:
    both = MIMEMultipart("alternative")
    both.attach(MIMEText(f"{new}\n\n{WROTE}\n{marked(plain_of(original))}\n", "plain", "utf-8"))
    both.attach(MIMEText(f"{lines_as_html(new)}<img src='cid:x'><blockquote>{html_of(original)}</blockquote>", "html"))
    picture = MIMEImage(data, "png")
    picture["Content-ID"] = "<x>"
    picture["Content-Disposition"] = f'inline; filename="{name}"'
    return _of_parts(MIMEMultipart("related"), original, both, picture)


def with_a_logo(original: EmailMessage, new: str) -> bytes:
    return _with_picture(original, new, _picture((90, 40)), "image001.png")


def with_the_map(original: EmailMessage, new: str) -> bytes:
    own = next((p for p in original.walk() if p.get_content_type() == "image/png"), None)
    data = own.get_payload(decode=True) if own is not None else _picture((300, 200))
    assert isinstance(data, bytes)
    return _with_picture(original, new, data, "image001.png" if own is not None else "legation-map.png")


def charset_missing(original: EmailMessage, new: str) -> bytes:
    text = new.replace(" - ", " – ") + f"\n\n{head(original)}\n\n{plain_of(original)}\n"
    lines = text_answer(original, "x").split(b"\n\n", 1)[0].decode().split("\n")
    kept = [line for line in lines if not line.lower().startswith(("content-", "mime-"))]
    return "\n".join(kept).encode() + b"\n\n" + text.encode("cp1252", "replace")


def charset_wrong(original: EmailMessage, new: str) -> bytes:
    message = answer(original)
    message.set_content("x", charset="iso-8859-1", cte="8bit")
    text = quoting(WROTE, original, new.replace(" - ", " → "))
    return message.as_bytes().rpartition(b"x")[0] + text.encode()


def rewrapped(original: EmailMessage, new: str) -> bytes:
    """A program that wraps what it quotes anew, so that some lines lose their mark."""
    lines = [f"> {line}" for line in plain_of(original).split("\n")]
    quoted = "\n".join(textwrap.fill(line, 50, break_long_words=False) for line in lines)
    return text_answer(original, f"{new}\n\n{WROTE}\n{quoted}\n")


def outlook_word(original: EmailMessage, new: str) -> bytes:
    body = "".join(
        f'<p class="MsoNormal"><span lang="EN-US">{escape(line) or "&nbsp;"}<o:p></o:p></span></p>'
        for line in new.split("\n")
    )
    pairs = (escape(line).partition(": ") for line in head(original).splitlines())
    lines = " <br>".join(f"<b>{key}:</b> {value}" for key, _, value in pairs)
    return html_answer(
        original,
        f"<style><!--p.MsoNormal{{margin:0}}--></style><div>{body}<p><o:p>&nbsp;</o:p></p><div><p>{lines}<o:p></o:p>"
        f"</p></div>{html_of(original)}</div>",
    )


def forwarded_whole(original: EmailMessage, new: str) -> bytes:
    return _of_parts(MIMEMultipart("mixed"), original, MIMEText(f"{new}\n", "plain", "utf-8"), MIMEMessage(original))


def winmail(original: EmailMessage, new: str) -> bytes:
    text = MIMEText(f"{new}\n\n{head(original)}\n\n{plain_of(original)}", "plain", "utf-8")
    file = MIMEApplication(b"\x78\x9f\x3e\x22" * 50, "ms-tnef", name="winmail.dat")
    file["Content-Disposition"] = 'attachment; filename="winmail.dat"'
    return _of_parts(MIMEMultipart("mixed"), original, text, file)


def _signed(original: EmailMessage, new: str, protocol: str, signature: MIMEBase) -> bytes:
    inner = MIMEMultipart("mixed")
    inner.attach(MIMEText(quoting(MUTT, original, new), "plain", "utf-8"))
    return _of_parts(MIMEMultipart("signed", protocol=protocol, micalg="sha-256"), original, inner, signature)


def pgp_mime(original: EmailMessage, new: str) -> bytes:
    armor = b"-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\n=abcd\n-----END PGP SIGNATURE-----\n"
    signature = MIMEApplication(armor, "pgp-signature", name="signature.asc")
    return _signed(original, new, "application/pgp-signature", signature)


def s_mime(original: EmailMessage, new: str) -> bytes:
    signature = MIMEApplication(b"\x30\x82" * 90, "pkcs7-signature", name="smime.p7s")
    signature["Content-Disposition"] = 'attachment; filename="smime.p7s"'
    return _signed(original, new, "application/pkcs7-signature", signature)


def calendar_part(original: EmailMessage, new: str) -> bytes:
    message = answer(original)
    message.set_content(quoting(PROTON, original, new))
    message.add_alternative("BEGIN:VCALENDAR\nSUMMARY:Paris to Burgundy\nEND:VCALENDAR\n", subtype="calendar")
    return message.as_bytes()


def _called(original: EmailMessage, text: bytes, kind: str, charset: str) -> bytes:
    message = answer(original)
    message.set_content(text, *kind.split("/"), disposition="inline", cte="base64")
    message.set_param("charset", charset)
    return message.as_bytes()


def html_that_is_called_plain(original: EmailMessage, new: str) -> bytes:
    html = f"<html><body>{lines_as_html(new)}<blockquote>{html_of(original)}</blockquote></body></html>"
    return _called(original, html.encode(), "text/plain", "utf-8")


def called(wrote: str, dash: str, encoding: str, kind: str, charset: str, original: EmailMessage, new: str) -> bytes:
    """A text in an encoding that is called another kind of text, or in another."""
    return _called(original, quoting(wrote, original, new.replace(" - ", dash)).encode(encoding), kind, charset)


def read_as_other_characters(original: EmailMessage, new: str) -> bytes:
    """A dash that is UTF-8 and was read as Windows-1252."""
    return text_answer(original, quoting(PROTON, original, new.replace(" - ", " – ").encode().decode("cp1252")))


def _as_plain(original: EmailMessage, text: str) -> bytes:
    """A text that is quoted-printable and called plain."""
    message = answer(original)
    message.set_content("x", cte="7bit")
    return message.as_bytes().rpartition(b"x")[0] + text.encode("ascii", "replace")


def quoted_printable_unsaid(original: EmailMessage, new: str) -> bytes:
    return _as_plain(original, quoting(PROTON, original, f"{new.replace(' - ', ' =E2=80=93 ')}=20"))


def softly_broken(original: EmailMessage, new: str) -> bytes:
    """Without a letter beyond ASCII."""
    broken, quoted = new.replace(" - ", " =\n- "), marked(plain_of(original)).replace("=", "=3D")
    return _as_plain(original, f"{broken}=20\n\n{WROTE}\n{quoted}\n")


def outlook_on_the_web(banner: str, original: EmailMessage, new: str, *, threads: bool, text: bool) -> bytes:
    links = re.sub(r'href="([^"]*)"', lambda link: f'href="{SAFE.format(quote(link[1], safe=""))}"', html_of(original))
    shown = "<br>".join(f"<b>{escape(line)}</b>" for line in head(original).splitlines())
    table = f"<table><tr><td></td><td>{escape(banner)}</td></tr></table>" if banner else ""
    html = (
        f'<html><head><style>P {{margin:0}}</style></head><body dir="ltr">{lines_as_html(new)}<div id="appendonsend">'
        f'</div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font>'
        f"{shown}</font><div>&nbsp;</div></div>{table}<div>{links}</div></body></html>"
    )
    message = answer(original, threads=threads)
    if text:
        above = f"{banner}\n\n" if banner else ""
        message.set_content(f"{new}\n\n{RULE}\n{head(original)}\n\n{above}{exchanged(html_of(original))}\n")
        message.add_alternative(html, subtype="html")
    else:
        message.set_content(html, subtype="html")
    return message.as_bytes()


def in_two_parts(original: EmailMessage, new: str) -> bytes:
    """A mailing list, which adds a text of its own."""
    message = answer(original)
    message.set_content(f"{new}\n\n{WROTE}\n{marked(plain_of(original))}\n")
    message.add_attachment(LINES["added"]["list"]["line"], disposition="inline")
    return message.as_bytes()


def in_bold(original: EmailMessage, new: str) -> bytes:
    """The plain text that Gmail makes of orders in bold and in a list."""
    first, *others = new.split("\n")
    listed = "\n".join([f"   - *{first}*", *(f"   - {line}" for line in others)])
    return text_answer(original, quoting(WROTE, original, f"{listed}\n"))


def wrapped(original: EmailMessage, new: str) -> bytes:
    lines = exchanged(html_of(original)).split("\n")
    quoted = "\n".join(textwrap.fill(x, 66, break_long_words=False, break_on_hyphens=False) for x in lines)
    return text_answer(original, f"{new}\n\n{head(original)}\n\n{quoted}")


def colored(original: EmailMessage, new: str) -> bytes:
    red = "".join(f'<div><span style="color:#c00">{escape(line)}</span></div>' for line in new.split("\n"))
    return html_answer(original, f"<div>See my answers in red below.</div><hr>{html_of(original)}{red}")


def shortened(original: EmailMessage, new: str) -> bytes:
    quoted = "\n".join(marked(plain_of(original)).split("\n")[:4])
    return text_answer(original, f"{WROTE}\n{quoted}\n[snip]\n\n{new}\n\n-- \nEve\n")


def in_a_table(original: EmailMessage, new: str) -> bytes:
    rows = "".join(f"<tr><td>{escape(line)}</td></tr>" for line in new.split("\n"))
    return html_answer(original, f"<table>{rows}</table><hr>{html_of(original)}")


def in_entities(original: EmailMessage, new: str) -> bytes:
    text = escape(new).replace(" ", "&nbsp;").replace("-", "&ndash;").replace("\n", "<br>")
    return html_answer(original, f'<div>{text}</div><blockquote type="cite">{html_of(original)}</blockquote>')


PROGRAMS = programs(
    "programs", thunderbird_flowed, between_quoted_lines, between_unmarked_lines, with_a_logo, with_the_map,
    charset_missing, charset_wrong, rewrapped,
)  # fmt: skip
MORE = programs(
    "more", outlook_word, forwarded_whole, winmail, pgp_mime, s_mime, calendar_part, read_as_other_characters,
    quoted_printable_unsaid, html_that_is_called_plain,
) | {
    "markdown": partial(called, WROTE, " - ", "utf-8", "text/markdown", "utf-8"),
    "called_cyrillic": partial(called, WROTE, " – ", "utf-8", "text/plain", "koi8-r"),
    "called_macintosh": partial(called, WROTE, " – ", "utf-8", "text/plain", "macintosh"),
    "utf_16": partial(called, PROTON, " - ", "utf-16", "text/plain", "utf-16"),
    "utf_16_unsaid": partial(called, PROTON, " - ", "utf-16", "text/plain", "utf-8"),
}  # fmt: skip
"""Telephones and the web, in more languages, and mails that are signed or enclose others."""
TODAYS = programs("todays", in_two_parts, in_bold, softly_broken, wrapped) | {
    f"outlook on the web, {threads=}, {text=}, {banner}": partial(
        outlook_on_the_web, LINES["banners"]["unusual"]["line"] if banner else "", threads=threads, text=text
    )
    for threads in (True, False)
    for text in (True, False)
    for banner in ("", "unusual")
}
"""Programs as they write today: what Outlook's servers make of a mail, portals, and what companies and lists add."""
HABITS = programs("habits", colored, shortened, in_a_table, in_entities)
TELLING = frozenset(
    f"{name}, footer"
    for name in (
        "signature no dashes", "signature lines", "signature underscores", "signature tilde", "mfg", "hth",
        "regards kr", "quote of day", "title",
    )
) | {"colored", "struck_by_a_style_sheet"}  # fmt: skip
"""What its owner wrote, so that it is told where it is not understood, or names a place below a signature."""
