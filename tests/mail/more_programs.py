"""Further mail programs: those of telephones and of the web, in more languages, and mails that are signed or enclose
others."""

from email.message import EmailMessage
from email.mime.application import MIMEApplication
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from functools import partial
from html import escape
from string import Template

from tests.mail.programs import (
    ADDRESS,
    DATA,
    SENT,
    TO,
    WHO,
    WROTE,
    Program,
    above,
    answer,
    html_answer,
    html_of,
    lines_as_html,
    marked,
    plain_of,
    quoting,
    text_answer,
    written,
)

ATTRIBUTIONS = above("more")
HEADS = DATA["heads"]
IN_HTML = f"On Mon, 2 Mar 2026, 13:00 The office, &lt;<a href='mailto:{ADDRESS}'>{ADDRESS}</a>&gt; wrote:<br>"


def head(name: str, original: EmailMessage) -> str:
    return Template(HEADS[name]).substitute(SENT, subject=original["Subject"])


def headed(name: str, original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n{head(name, original)}\n\n{plain_of(original)}\n", threads=False)


def headed_html(name: str, original: EmailMessage, new: str) -> bytes:
    pairs = [line.partition(":") for line in head(name, original).split("\n")]
    lines = "".join(f"<b>{escape(key)}:</b>{escape(value)}<br>" for key, _, value in pairs)
    rule = '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
    return html_answer(
        original, f'{lines_as_html(new)}{rule}<div id="divRplyFwdMsg"><font>{lines}</font></div>{html_of(original)}'
    )


def yahoo(original: EmailMessage, new: str) -> bytes:
    wrote = f"On Monday, March 2, 2026 at 01:00:00 PM GMT, {WHO} wrote:"
    message = answer(original)
    spaced = plain_of(original).replace("\n", "\n\n")
    message.set_content(f"{new}\n    {wrote}  \n \n {spaced}\n  ")
    message.add_alternative(_yahoo_html(original, new, wrote), subtype="html")
    return message.as_bytes()


def _yahoo_html(original: EmailMessage, new: str, wrote: str) -> str:
    quoted = f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>{escape(wrote)}</div><div><br></div>'
    return f"<div>{lines_as_html(new)}</div>{quoted}<div>{html_of(original)}</div></div></div>"


def two_rounds(original: EmailMessage, new: str) -> bytes:
    first = f"A Paris - Burgundy\nA Orleanais H\n\n{ATTRIBUTIONS['mutt']}\n{marked(plain_of(original))}"
    return text_answer(original, f"{new}\n\nOn Mon, Mar 02, 2026 at 02:00:00PM +0000, Eve wrote:\n{marked(first)}\n")


def outlook_word(original: EmailMessage, new: str) -> bytes:
    body = "".join(
        f'<p class="MsoNormal"><span lang="EN-US">{escape(line) or "&nbsp;"}<o:p></o:p></span></p>'
        for line in new.split("\n")
    )
    head = (
        f"<b>From:</b> {escape(WHO)} <br><b>Sent:</b> Monday, March 2, 2026 1:00 PM<br><b>To:</b> {TO}<br>"
        f"<b>Subject:</b> {escape(original['Subject'])}<o:p></o:p>"
    )
    style = "<style><!--p.MsoNormal{margin:0}--></style>"
    return html_answer(
        original, f"{style}<div>{body}<p><o:p>&nbsp;</o:p></p><div><p>{head}</p></div>{html_of(original)}</div>"
    )


def _of_parts(kind: MIMEMultipart, original: EmailMessage, *parts: MIMEBase) -> bytes:
    for key, value in answer(original).items():
        if key.lower() not in ("content-type", "mime-version"):
            kind[key] = value
    for part in parts:
        kind.attach(part)
    return kind.as_bytes()


def forwarded_whole(original: EmailMessage, new: str) -> bytes:
    return _of_parts(MIMEMultipart("mixed"), original, MIMEText(f"{new}\n", "plain", "utf-8"), MIMEMessage(original))


def winmail(original: EmailMessage, new: str) -> bytes:
    text = MIMEText(f"{new}\n\n{head('aol', original)}\n\n{plain_of(original)}", "plain", "utf-8")
    file = MIMEApplication(b"\x78\x9f\x3e\x22" * 50, "ms-tnef", name="winmail.dat")
    file["Content-Disposition"] = 'attachment; filename="winmail.dat"'
    return _of_parts(MIMEMultipart("mixed"), original, text, file)


def _signed(original: EmailMessage, new: str, protocol: str, signature: MIMEBase) -> bytes:
    inner = MIMEMultipart("mixed")
    inner.attach(MIMEText(f"{new}\n\n{ATTRIBUTIONS['mutt']}\n{marked(plain_of(original))}\n", "plain", "utf-8"))
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
    message.set_content(f"{new}\n\n{ATTRIBUTIONS['proton']}\n\n{marked(plain_of(original))}\n")
    message.add_alternative("BEGIN:VCALENDAR\nSUMMARY:Paris to Burgundy\nEND:VCALENDAR\n", subtype="calendar")
    return message.as_bytes()


def utf_16(original: EmailMessage, new: str, charset: str = "utf-16") -> bytes:
    message = answer(original)
    text = f"{new}\n\n{ATTRIBUTIONS['proton']}\n\n{marked(plain_of(original))}\n"
    message.set_content(text.encode("utf-16"), "text", "plain", disposition="inline", cte="base64")
    message.set_param("charset", charset)
    return message.as_bytes()


def with_initials(original: EmailMessage, new: str) -> bytes:
    quoted = "\n".join(f"To> {line}" for line in plain_of(original).split("\n"))
    wrote = "Monday, March 2, 2026, 1:00:00 PM, you wrote:"
    return text_answer(original, f"Hello The,\n\n{wrote}\n\n{quoted}\n\n{new}\n\n-- \nBest regards,\n Eve\n")


def gmail_on_a_phone(original: EmailMessage, new: str) -> bytes:
    first, *others = (escape(line) for line in new.split("\n"))
    written = f'<div dir="auto">{first}{"".join(f"<div dir=auto>{line}</div>" for line in others)}</div><br>'
    quoted = f'<div dir="ltr" class="gmail_attr">{IN_HTML}</div><blockquote><u></u><div>{html_of(original)}</div>'
    return html_answer(original, f'{written}<div class="gmail_quote gmail_quote_container">{quoted}</blockquote></div>')


def apple_on_a_phone(original: EmailMessage, new: str) -> bytes:
    first, *others = (escape(line) for line in new.split("\n"))
    written = f'{first}{"".join(f"<div>{line}</div>" for line in others)}<br id="lineBreakAtBeginningOfSignature">'
    wrote = f'<blockquote type="cite">On 2 Mar 2026, at 13:00, {escape(WHO)} wrote:<br><br></blockquote>'
    return html_answer(
        original,
        f'<body dir="auto">{written}<div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br>{wrote}</div>'
        f'<blockquote type="cite"><div dir="ltr">\ufeff{html_of(original)}</div></blockquote></body>',
    )


def k9(original: EmailMessage, new: str) -> bytes:
    signed = "-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n"
    quoted = "".join(f">{line}\n" for line in plain_of(original).split("\n"))
    return text_answer(original, f"{new}\n\nOn 2 March 2026 13:00:00 GMT, {WHO} wrote:\n{quoted}\n{signed}")


def read_as_other_characters(original: EmailMessage, new: str) -> bytes:
    """A dash that is UTF-8 and was read as Windows-1252."""
    return quoting(ATTRIBUTIONS["proton"], original, new.replace(" - ", " – ").encode().decode("cp1252"), mark=True)


def quoted_printable_unsaid(original: EmailMessage, new: str) -> bytes:
    message = answer(original)
    message.set_content("x", cte="7bit")
    text = f"{new.replace(' - ', ' =E2=80=93 ')}=20\n\n{ATTRIBUTIONS['proton']}\n\n{marked(plain_of(original))}\n"
    return message.as_bytes().rpartition(b"x")[0] + text.encode("ascii", "replace")


def text_that_points_to_html(original: EmailMessage, new: str) -> bytes:
    message = answer(original)
    message.set_content("This is a message in HTML format. Your mail program cannot show it.\n")
    message.add_alternative(f"{lines_as_html(new)}<blockquote>{html_of(original)}</blockquote>", subtype="html")
    return message.as_bytes()


def with_names(original: EmailMessage, new: str) -> bytes:
    """Emacs with a name before each quoted line."""
    quoted = "\n".join(f"office> {line}" for line in plain_of(original).split("\n"))
    return text_answer(original, f'>>>>> "office" == {WHO} writes:\n\n{quoted}\n\n{new}\n')


def above_and_below(original: EmailMessage, new: str) -> bytes:
    first, _, rest = new.partition("\n")
    return text_answer(original, f"{first}\n\n{WROTE}\n\n{marked(plain_of(original))}\n\n{rest}\n")


def _called(original: EmailMessage, text: str, kind: str, charset: str) -> bytes:
    message = answer(original)
    message.set_content(text.encode(), *kind.split("/"), disposition="inline", cte="base64")
    message.set_param("charset", charset)
    return message.as_bytes()


def html_that_is_called_plain(original: EmailMessage, new: str) -> bytes:
    html = f"<html><body>{lines_as_html(new)}<blockquote>{html_of(original)}</blockquote></body></html>"
    return _called(original, html, "text/plain", "utf-8")


def markdown(original: EmailMessage, new: str) -> bytes:
    return _called(original, f"{new}\n\n{WROTE}\n\n{marked(plain_of(original))}\n", "text/markdown", "utf-8")


def called_cyrillic(original: EmailMessage, new: str, charset: str = "koi8-r") -> bytes:
    text = f"{new.replace(' - ', ' – ')}\n\n{WROTE}\n\n{marked(plain_of(original))}\n"
    return _called(original, text, "text/plain", charset)


MORE: dict[str, Program] = {
    **written("more"),
    **{
        write.__name__: write
        for write in (
            yahoo, two_rounds, outlook_word, forwarded_whole, winmail, pgp_mime, s_mime, calendar_part, utf_16,
            with_initials, gmail_on_a_phone, apple_on_a_phone, k9, read_as_other_characters,
            quoted_printable_unsaid, text_that_points_to_html, with_names, above_and_below, html_that_is_called_plain,
            markdown, called_cyrillic,
        )
    },
    "utf_16_unsaid": partial(utf_16, charset="utf-8"),
    "called_macintosh": partial(called_cyrillic, charset="macintosh"),
}  # fmt: skip
for name, line in ATTRIBUTIONS.items():
    MORE[f"{name} marked"] = partial(quoting, line, mark=True)
    MORE[f"{name} without threads"] = partial(quoting, line, mark=False, threads=False)
for name in HEADS:
    MORE[f"head {name} without threads"] = partial(headed, name)
    MORE[f"head {name} in HTML"] = partial(headed_html, name)
