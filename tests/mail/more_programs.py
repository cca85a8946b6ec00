"""Further mail programs: those of telephones and of the web, in more languages, and mails that are signed or enclose
others."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from email.mime.application import MIMEApplication
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from functools import partial
from html import escape

from tests.mail.programs import WHO, answer, html_answer, html_of, lines_as_html, marked, plain_of, text_answer

ADDRESS = "office@office.example"
HERE = f"The office <{ADDRESS}>"
ATTRIBUTIONS = {
    "korean": f"2026년 3월 2일 (월) 오후 1:00, {HERE}님이 작성:",
    "turkish": f"{HERE}, 2 Mar 2026 Pzt, 13:00 tarihinde şunu yazdı:",
    "japanese without a verb": f"2026年3月2日(月) 13:00 {HERE}:",
    "norwegian": f"man. 2. mars 2026 kl. 13:00 skrev {HERE}:",
    "danish": f"Den man. 2. mar. 2026 kl. 13.00 skrev {HERE}:",
    "czech": f"po 2. 3. 2026 v 13:00 odesílatel {HERE} napsal:",
    "hungarian": f"{HERE} ezt írta (időpont: 2026. márc. 2., H, 13:00):",
    "greek": f"Στις Δευ 2 Μαρ 2026 στις 1:00 μ.μ., ο χρήστης {HERE} έγραψε:",
    "ukrainian": f"пн, 2 бер. 2026 р. о 13:00 {HERE} пише:",
    "romanian": f"În lun., 2 mar. 2026 la 13:00, {HERE} a scris:",
    "hebrew": f"\u202bבתאריך יום ב׳, 2 במרץ 2026 ב-13:00 מאת \u202aThe office\u202c <\u202a{ADDRESS}\u202c>:\u202c",
    "arabic": f"في الاثنين، 2 مارس 2026 في 1:00 م تمت كتابة ما يلي بواسطة {HERE}:",
    "taiwanese": f"{HERE} 於 2026年3月2日 週一 下午1:00寫道：",
    "proton": f"On Monday, March 2nd, 2026 at 1:00 PM, {HERE} wrote:",
    "mutt": "On Mon, Mar 02, 2026 at 01:00:00PM +0000, The office wrote:",
    "alpine": "On Mon, 2 Mar 2026, The office wrote:",
    "hey": f"On March 2, 2026, {HERE} wrote:",
    "roundcube": "Am 2026-03-02 13:00, schrieb The office:",
    "zoho": f"---- On Mon, 02 Mar 2026 13:00:00 +0000 {HERE} wrote ----",
    "mail.ru": f"Понедельник, 2 марта 2026, 13:00 +03:00 от {HERE}:",
    "yandex": f'02.03.2026, 13:00, "The office" <{ADDRESS}>:',
    "web.de": f"Am 02.03.26, 13:00 schrieb {HERE}:",
    "notes": f"-----{HERE} wrote: -----",
}
TO = "eve@example.org"
OFFICE_WROTE = f"On Mon, 2 Mar 2026 at 13:00, {HERE} wrote:"
HEADS = {
    "gmx": f"Gesendet: Montag, 02. März 2026 um 13:00 Uhr\nVon: {WHO}\nAn: {TO}\nBetreff: ",
    "samsung": f"-------- Original message --------\nFrom: {WHO}\nDate: 02/03/2026 13:00\nTo: {TO}\nSubject: ",
    "aol": f"-----Original Message-----\nFrom: {WHO}\nTo: {TO}\nSent: Mon, Mar 2, 2026 1:00 pm\nSubject: ",
    "em client": f"------ Original Message ------\nFrom: {WHO}\nTo: {TO}\nSent: 02/03/2026 13:00:00\nSubject: ",
    "polish": f"Od: {WHO}\nWysłano: poniedziałek, 2 marca 2026 13:00\nDo: {TO}\nTemat: ",
    "dutch": f"Van: {WHO}\nVerzonden: maandag 2 maart 2026 13:00\nAan: {TO}\nOnderwerp: ",
    "swedish": f"Från: {WHO}\nSkickat: den 2 mars 2026 13:00\nTill: {TO}\nÄmne: ",
    "portuguese": f"De: {WHO}\nEnviado: segunda-feira, 2 de março de 2026 13:00\nPara: {TO}\nAssunto: ",
    "turkish": f"Kimden: {WHO}\nGönderildi: 2 Mart 2026 Pazartesi 13:00\nKime: {TO}\nKonu: ",
    "korean": f"보낸 사람: {WHO}\n보낸 날짜: 2026년 3월 2일 월요일 오후 1:00\n받는 사람: {TO}\n제목: ",
    "japanese": f"差出人: {WHO}\n送信日時: 2026年3月2日 13:00\n宛先: {TO}\n件名: ",
    "chinese": f"发件人: {WHO}\n发送时间: 2026年3月2日 13:00\n收件人: {TO}\n主题: ",
    "russian": f"От: {WHO}\nОтправлено: 2 марта 2026 г. 13:00\nКому: {TO}\nТема: ",
    "notes": f"From:\tThe office\nTo:\t{TO}\nDate:\t02/03/2026 13:00\nSubject:\t",
}
WROTE = f"On Mon, 2 Mar 2026, 13:00 The office, &lt;<a href='mailto:{ADDRESS}'>{ADDRESS}</a>&gt; wrote:<br>"


def attributed(name: str, original: EmailMessage, new: str, *, mark: bool, threads: bool = True) -> bytes:
    quoted = marked(plain_of(original)) if mark else plain_of(original)
    return text_answer(original, f"{new}\n\n{ATTRIBUTIONS[name]}\n\n{quoted}\n", threads=threads)


def headed(name: str, original: EmailMessage, new: str) -> bytes:
    text = f"{new}\n\n{HEADS[name]}{original['Subject']}\n\n{plain_of(original)}\n"
    return text_answer(original, text, threads=False)


def headed_html(name: str, original: EmailMessage, new: str) -> bytes:
    pairs = [line.partition(":") for line in f"{HEADS[name]}{original['Subject']}".split("\n")]
    lines = "".join(f"<b>{escape(key)}:</b>{escape(value)}<br>" for key, _, value in pairs)
    rule = '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
    return html_answer(
        original, f'{lines_as_html(new)}{rule}<div id="divRplyFwdMsg"><font>{lines}</font></div>{html_of(original)}'
    )


def stop_spelling(original: EmailMessage, new: str) -> bytes:
    head = f"From: {ADDRESS}<br>To: {TO}<br>Subject: {escape(original['Subject'])}<br>Date: Mon, 2 Mar 2026 13:00<br>"
    lines = "<br>".join(escape(line) for line in new.split("\n"))
    return html_answer(
        original, f'<div dir="ltr">{lines}<br><div><hr id="stopSpelling">{head}<br>{html_of(original)}</div></div>'
    )


def yahoo(original: EmailMessage, new: str) -> bytes:
    wrote = f"On Monday, March 2, 2026 at 01:00:00 PM GMT, {HERE} wrote:"
    message = answer(original)
    spaced = plain_of(original).replace("\n", "\n\n")
    message.set_content(f"{new}\n    {wrote}  \n \n {spaced}\n  ")
    message.add_alternative(_yahoo_html(original, new, wrote), subtype="html")
    return message.as_bytes()


def yahoo_html(original: EmailMessage, new: str) -> bytes:
    return html_answer(original, _yahoo_html(original, new, f"On Monday, March 2, 2026, {HERE} wrote:"))


def _yahoo_html(original: EmailMessage, new: str, wrote: str) -> str:
    quoted = f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>{escape(wrote)}</div><div><br></div>'
    return f"<div>{lines_as_html(new)}</div>{quoted}<div>{html_of(original)}</div></div></div>"


def thunderbird_html_below(original: EmailMessage, new: str) -> bytes:
    wrote = '<div class="moz-cite-prefix">On 02.03.26 13:00, The office wrote:<br></div>'
    lines = "<br>".join(escape(line) for line in new.split("\n"))
    return html_answer(
        original, f'{wrote}<blockquote type="cite" cite="mid:x@y">{html_of(original)}</blockquote><p>{lines}</p>'
    )


def gmail_mobile(original: EmailMessage, new: str) -> bytes:
    quoted = f'<div dir="ltr" class="gmail_attr">{WROTE}</div><blockquote class="gmail_quote">{html_of(original)}'
    return html_answer(
        original, f'<div dir="auto">{lines_as_html(new)}</div><div class="gmail_quote">{quoted}</blockquote></div>'
    )


def as_a_list(original: EmailMessage, new: str) -> bytes:
    items = "".join(f"<li>{escape(line)}</li>" for line in new.split("\n"))
    quoted = f"<div>{WROTE}</div><blockquote>{html_of(original)}</blockquote>"
    return html_answer(original, f'<ul>{items}</ul><div class="gmail_quote">{quoted}</div>')


def nested_rounds(original: EmailMessage, new: str) -> bytes:
    first = f"<div>On 2 Mar 2026, at 13:00, The office wrote:</div>{html_of(original)}"
    second = f"<div>On 2 Mar 2026, at 14:00, Eve wrote:</div><div>A Paris - Burgundy?</div><blockquote>{first}"
    return html_answer(original, f"{lines_as_html(new)}<blockquote type='cite'>{second}</blockquote></blockquote>")


def two_rounds(original: EmailMessage, new: str) -> bytes:
    first = f"A Paris - Burgundy\nA Orleanais H\n\n{ATTRIBUTIONS['mutt']}\n{marked(plain_of(original))}"
    return text_answer(original, f"{new}\n\nOn Mon, Mar 02, 2026 at 02:00:00PM +0000, Eve wrote:\n{marked(first)}\n")


def outlook_word(original: EmailMessage, new: str) -> bytes:
    body = "".join(
        f'<p class="MsoNormal"><span lang="EN-US">{escape(line) or "&nbsp;"}<o:p></o:p></span></p>'
        for line in new.split("\n")
    )
    head = (
        f"<b>From:</b> {escape(HERE)} <br><b>Sent:</b> Monday, March 2, 2026 1:00 PM<br><b>To:</b> {TO}<br>"
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
    text = MIMEText(f"{new}\n\n{HEADS['aol']}{original['Subject']}\n\n{plain_of(original)}", "plain", "utf-8")
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


def pgp_inline(original: EmailMessage, new: str) -> bytes:
    text = f"{new}\n\n{ATTRIBUTIONS['mutt']}\n{marked(plain_of(original))}"
    signature = "-----BEGIN PGP SIGNATURE-----\nVersion: 2\n\niQEzBAEBCAAd+ABC/xyz\n=AbCd\n-----END PGP SIGNATURE-----"
    return text_answer(original, f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}\n{signature}\n")


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


def utf_16_unsaid(original: EmailMessage, new: str) -> bytes:
    return utf_16(original, new, "utf-8")


def with_initials(original: EmailMessage, new: str) -> bytes:
    quoted = "\n".join(f"To> {line}" for line in plain_of(original).split("\n"))
    wrote = "Monday, March 2, 2026, 1:00:00 PM, you wrote:"
    return text_answer(original, f"Hello The,\n\n{wrote}\n\n{quoted}\n\n{new}\n\n-- \nBest regards,\n Eve\n")


def superhuman(original: EmailMessage, new: str) -> bytes:
    wrote = f"On Mon, Mar 02, 2026 at 1:00 PM, The office < {ADDRESS} > wrote:"
    return text_answer(original, f"{new}\n\nSent via Superhuman\n\n{wrote}\n\n{marked(plain_of(original))}\n")


def gmail_on_a_phone(original: EmailMessage, new: str) -> bytes:
    first, *others = (escape(line) for line in new.split("\n"))
    written = f'<div dir="auto">{first}{"".join(f"<div dir=auto>{line}</div>" for line in others)}</div><br>'
    quoted = f'<div dir="ltr" class="gmail_attr">{WROTE}</div><blockquote><u></u><div>{html_of(original)}</div>'
    return html_answer(original, f'{written}<div class="gmail_quote gmail_quote_container">{quoted}</blockquote></div>')


def apple_on_a_phone(original: EmailMessage, new: str) -> bytes:
    first, *others = (escape(line) for line in new.split("\n"))
    written = f'{first}{"".join(f"<div>{line}</div>" for line in others)}<br id="lineBreakAtBeginningOfSignature">'
    wrote = f'<blockquote type="cite">On 2 Mar 2026, at 13:00, {escape(HERE)} wrote:<br><br></blockquote>'
    return html_answer(
        original,
        f'<body dir="auto">{written}<div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br>{wrote}</div>'
        f'<blockquote type="cite"><div dir="ltr">\ufeff{html_of(original)}</div></blockquote></body>',
    )


def outlook_on_a_phone(original: EmailMessage, new: str) -> bytes:
    head = f"<b>From:</b> {escape(HERE)}<br><b>Sent:</b> Monday, March 2, 2026 1:00:00 PM<br><b>To:</b> Eve<br>"
    return html_answer(
        original,
        f'<div dir="ltr">{lines_as_html(new)}</div><div id="ms-outlook-mobile-signature">Sent from <a href="https://aka.ms/'
        f'o0ukef">Outlook for iOS</a></div><div id="mail-editor-reference-message-container"><hr>{head}'
        f"<b>Subject:</b> {escape(original['Subject'])}<br>{html_of(original)}</div>",
    )


def proton_on_a_phone(original: EmailMessage, new: str) -> bytes:
    wrote = f"-------- Original Message --------\nOn Monday, 03/02/26 at 13:00 {HERE} wrote:"
    return text_answer(original, f"{new}\n\nSent from Proton Mail for iOS.\n\n{wrote}\n{plain_of(original)}")


def fairemail(original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n2 Mar 2026 13:00:00 {HERE}:\n\n{marked(plain_of(original))}")


def k9(original: EmailMessage, new: str) -> bytes:
    signed = "-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n"
    quoted = "".join(f">{line}\n" for line in plain_of(original).split("\n"))
    return text_answer(original, f"{new}\n\nOn 2 March 2026 13:00:00 GMT, {HERE} wrote:\n{quoted}\n{signed}")


def apple_forward(original: EmailMessage, new: str) -> bytes:
    head = f"> From: {HERE}\n> Subject: {original['Subject']}\n> Date: 2 March 2026 at 13:00:00 GMT\n> To: {TO}\n> \n"
    text = f"{new}\n\nBegin forwarded message:\n\n{head}{marked(plain_of(original))}\n"
    return text_answer(original, text, threads=False)


def answer_to_an_own_mail(original: EmailMessage, new: str) -> bytes:
    earlier = f"A Paris - Burgundy\nA Orleanais H\n\n{HEADS['aol']}{original['Subject']}\n\n{plain_of(original)}"
    head = f"From: {TO}\nSent: Monday, March 2, 2026 14:00\nTo: {WHO}\nSubject: Re: {original['Subject']}\n"
    return text_answer(original, f"{new}\n\n{head}\n{earlier}")


def read_as_other_characters(original: EmailMessage, new: str) -> bytes:
    """A dash that is UTF-8 and was read as Windows-1252."""
    written = new.replace(" - ", " – ").encode().decode("cp1252")
    return text_answer(original, f"{written}\n\n{ATTRIBUTIONS['proton']}\n\n{marked(plain_of(original))}\n")


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


def phone_line_first(original: EmailMessage, new: str) -> bytes:
    """What a telephone adds stands above what its owner writes."""
    return text_answer(original, f"Sent from my iPhone\n\n{new}\n\n{OFFICE_WROTE}\n\n{marked(plain_of(original))}\n")


def with_names(original: EmailMessage, new: str) -> bytes:
    """Emacs with a name before each quoted line."""
    quoted = "\n".join(f"office> {line}" for line in plain_of(original).split("\n"))
    return text_answer(original, f'>>>>> "office" == {HERE} writes:\n\n{quoted}\n\n{new}\n')


def above_and_below(original: EmailMessage, new: str) -> bytes:
    first, _, rest = new.partition("\n")
    return text_answer(original, f"{first}\n\n{OFFICE_WROTE}\n\n{marked(plain_of(original))}\n\n{rest}\n")


def with_hidden_text(original: EmailMessage, new: str) -> bytes:
    """Text that nobody sees, in the ways of newsletters and of Word."""
    styles = ("display:none", "visibility: hidden", "mso-hide:all", "font-size:0px")
    hidden = "".join(f'<div style="color:red; {style}">A Toulouse - Paris</div>' for style in styles)
    return html_answer(
        original, f"{hidden}<p hidden>A Toulouse - Paris</p>{lines_as_html(new)}<blockquote>{html_of(original)}"
    )


def struck_by_a_style_sheet(original: EmailMessage, new: str) -> bytes:
    sheet = "<style>p { margin: 0 } .Gone { color: red; text-decoration: line-through }</style>"
    return html_answer(
        original,
        f'<html><head>{sheet}</head><body><p class="x gone">A Toulouse - Paris</p>{lines_as_html(new)}'
        f"<blockquote>{html_of(original)}</blockquote></body></html>",
    )


def _called(original: EmailMessage, text: str, kind: str, charset: str) -> bytes:
    message = answer(original)
    message.set_content(text.encode(), *kind.split("/"), disposition="inline", cte="base64")
    message.set_param("charset", charset)
    return message.as_bytes()


def html_that_is_called_plain(original: EmailMessage, new: str) -> bytes:
    html = f"<html><body>{lines_as_html(new)}<blockquote>{html_of(original)}</blockquote></body></html>"
    return _called(original, html, "text/plain", "utf-8")


def markdown(original: EmailMessage, new: str) -> bytes:
    return _called(original, f"{new}\n\n{OFFICE_WROTE}\n\n{marked(plain_of(original))}\n", "text/markdown", "utf-8")


def called_cyrillic(original: EmailMessage, new: str, charset: str = "koi8-r") -> bytes:
    text = f"{new.replace(' - ', ' – ')}\n\n{OFFICE_WROTE}\n\n{marked(plain_of(original))}\n"
    return _called(original, text, "text/plain", charset)


def called_macintosh(original: EmailMessage, new: str) -> bytes:
    return called_cyrillic(original, new, "macintosh")


def registered_office(original: EmailMessage, new: str) -> bytes:
    claim = "Example Ltd is registered in England and Wales. Registered office: 1 Paris Garden, London SE1 8ND."
    return text_answer(original, f"{new}\n\n{claim}\n\n{OFFICE_WROTE}\n{marked(plain_of(original))}\n")


MORE: dict[str, Callable[[EmailMessage, str], bytes]] = {
    write.__name__: write
    for write in (
        stop_spelling, yahoo, yahoo_html, thunderbird_html_below, gmail_mobile, as_a_list, nested_rounds, two_rounds,
        outlook_word, forwarded_whole, winmail, pgp_mime, s_mime, pgp_inline, calendar_part, utf_16, utf_16_unsaid,
        with_initials, superhuman, gmail_on_a_phone, apple_on_a_phone, outlook_on_a_phone, proton_on_a_phone, fairemail,
        k9, apple_forward, answer_to_an_own_mail, read_as_other_characters, quoted_printable_unsaid,
        text_that_points_to_html, phone_line_first, with_names, above_and_below, with_hidden_text,
        struck_by_a_style_sheet, html_that_is_called_plain, markdown, called_cyrillic, called_macintosh,
        registered_office,
    )
}  # fmt: skip
for name in ATTRIBUTIONS:
    MORE[f"{name} marked"] = partial(attributed, name, mark=True)
    MORE[f"{name} without threads"] = partial(attributed, name, mark=False, threads=False)
for name in HEADS:
    MORE[f"head {name} without threads"] = partial(headed, name)
    MORE[f"head {name} in HTML"] = partial(headed_html, name)
