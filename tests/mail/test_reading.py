"""Mails taken apart: text, pictures, senders, machines."""

import base64
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legation.mail.html_text import html_as_text
from legation.mail.parsing import LONGEST_FIELD, MOST_MESSAGES, TooManyPartsError
from legation.mail.reading import MOST_LINES, MOST_TEXT, read_mail
from legation.mail.texts import NOT_DECRYPTED, repaired
from legation.mail.vouching import from_elsewhere
from tests.sampling import some


def mail(text: str | None = "A lon H", html: str | None = None, **headers: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = headers.pop("sender", "Eve Player <eve@example.org>")
    message["To"] = "orders+pb.crown.k7q9w2@office.example"
    message["Subject"] = headers.pop("subject", "Orders")
    message["Message-ID"] = "<1@example.org>"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    if text is not None:
        message.set_content(text)
    if html is not None:
        if text is None:
            message.set_content(html, subtype="html")
        else:
            message.add_alternative(html, subtype="html")
    return message


def test_sender_addresses_and_text() -> None:
    found = read_mail(mail().as_bytes(), ("orders@office.example",))
    assert found.sender == "eve@example.org"
    assert found.addressed == ("orders@office.example", "orders+pb.crown.k7q9w2@office.example")
    assert found.text.strip() == "A lon H"
    assert found.automatic == ""
    # plain text goes before html
    assert read_mail(mail("A par H", "<p>A par - bur</p>").as_bytes()).text.strip() == "A par H"


def test_pictures_are_found_and_what_cannot_be_read_is_told_with_what_helps() -> None:
    message = mail("see the picture")
    message.add_attachment(b"\xff\xd8\xff", maintype="image", subtype="jpeg", filename="sheet.jpg")
    message.add_attachment(b"%PDF-1.7", maintype="application", subtype="octet-stream", filename="sheet.pdf")
    message.add_attachment(b"PK", maintype="application", subtype="zip", filename="bomb.zip")
    found = read_mail(message.as_bytes())
    assert [a.name for a in found.attachments] == ["sheet.jpg", "sheet.pdf"]
    assert any("bomb.zip" in note for note in found.notes)
    attached = mail("My orders are attached.")
    attached.add_attachment("A par H", filename="orders.txt")
    assert read_mail(attached.as_bytes()).notes == ("orders.txt was not read; write your orders in the mail itself",)
    armor = "-----BEGIN PGP MESSAGE-----\n\nhQEMA5vJ\n-----END PGP MESSAGE-----\n"
    inline = read_mail(mail(f"Hello\n{armor}").as_bytes())
    assert inline.text.strip() == "Hello" and inline.notes == (NOT_DECRYPTED,)
    sealed = EmailMessage()
    sealed["From"] = "eve@example.org"
    sealed.set_content(b"0" * 300, maintype="application", subtype="pkcs7-mime", filename="smime.p7m")
    assert read_mail(sealed.as_bytes()).notes == (NOT_DECRYPTED,)
    signed = mail("A par H")
    signed.add_attachment(b"0" * 300, maintype="application", subtype="pkcs7-signature", filename="smime.p7s")
    assert read_mail(signed.as_bytes()).notes == ()


def rows(table: str) -> list[list[str]]:
    """The rows of a table beside this file."""
    text = Path(__file__).with_name(table).read_text(encoding="utf-8")
    return [[cell.replace("\\n", "\n") for cell in row.split("\t")] for row in text.splitlines()[1:]]


def test_machines_and_who_is_away_are_told_from_people_by_their_headers() -> None:
    for who, header, value in rows("automatic.tsv"):
        message = mail("I am away until Monday. For Paris, write to Bob.")
        del message[header]
        message[header] = value
        assert read_mail(message.as_bytes()).automatic == who.replace("person", ""), (header, value)


@pytest.mark.parametrize(("html", "text"), rows("html.tsv"))
def test_html_is_read_as_the_lines_that_it_shows(html: str, text: str) -> None:
    """Also in a mail that has only HTML."""
    assert html_as_text(html) == text
    assert read_mail(mail(None, html).as_bytes()).text.strip() == text


def test_a_report_of_non_delivery_names_our_mail() -> None:
    report = (
        b"From: MAILER-DAEMON@mx.example\nTo: office@office.example\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        b"--b\nContent-Type: text/plain\n\nSorry.\n"
        b"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        b"Final-Recipient: rfc822; gone@example.org\nAction: failed\nStatus: 5.1.1\n\n"
        b"--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <ours-17@office.example>\nSubject: results\n\n--b--\n"
    )
    found = read_mail(report)
    assert found.automatic == "bounce"
    assert [(b.final, b.message_id) for b in found.bounces] == [(True, "<ours-17@office.example>")]


def test_headers_carry_no_line_breaks_and_are_cut_and_such_a_sender_is_nobody() -> None:
    data = b"From: =?utf-8?q?Eve=0d=0aBcc:_all@x.example?= <eve@example.org>\n"
    data += b"Subject: =?utf-8?q?a=0d=0aX:_y=1b[31m?=\n\nhi"
    found = read_mail(data)
    assert "\n" not in found.subject
    assert "\x1b" not in found.subject
    # headers that never end are cut and such a sender is nobody
    data = b"From: eve@example.org\nSubject: " + b"=?utf-8?q?=41?= " * 20_000 + b"\nTo: " + b"a@b.example, " * 20_000
    found = read_mail(data + b"\n\nA par H")
    assert found.sender == "eve@example.org" and found.subject.startswith("AAAA") and found.text == "A par H"
    blanks = b" " * LONGEST_FIELD
    hidden = b"From: eve@example.org," + blanks + b"mallory@evil.example\n\nA par H"
    assert read_mail(hidden).sender == "", "what was cut off may have named another"
    field = b"Authentication-Results: mx.example; dkim=pass header.d=example.org"
    told = b"From: eve@example.org\n\nA par H"
    assert read_mail(field + b"\n" + told, (), "mx.example").vouched
    assert not read_mail(field + blanks + b"; dmarc=fail\n" + told, (), "mx.example").vouched


def test_deep_and_wide_mails_are_bounded() -> None:
    def wide(parts: int) -> bytes:
        part = b"--b\nContent-Type: text/plain\n\nx\n"
        return b"Content-Type: multipart/mixed; boundary=b\n\n" + part * parts + b"--b--\n"

    assert any("parts" in note for note in read_mail(wide(1000)).notes)
    with pytest.raises(TooManyPartsError):
        read_mail(wide(MOST_MESSAGES))
    deep = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (i, i) for i in range(120))
    assert read_mail(deep).text == ""


def test_odd_encodings_and_flowed_lines_are_read_as_far_as_they_can_be() -> None:
    data = b"From: e@example.org\nContent-Type: text/plain; charset=klingon\n\nA M\xfcn H"
    found = read_mail(data)
    assert "A M" in found.text
    assert found.notes
    # flowed lines are one and signatures are none
    head = b"From: e@x.org\nContent-Type: text/plain; format=flowed\n\n"
    data = head + b"I think this is a long line that \nwent on.\n A par H\n-- \nEve"
    assert read_mail(data).text == "I think this is a long line that went on.\nA par H\n-- \nEve"


@given(st.binary(max_size=2000))
def test_any_bytes_are_read(data: bytes) -> None:
    read_mail(data)


@given(
    st.binary(max_size=600),
    st.sampled_from(["multipart/mixed; boundary=b", "multipart/report; boundary=b", "text/html", "message/rfc822"]),
)
def test_any_body_is_read(data: bytes, kind: str) -> None:
    read_mail(b"From: e@example.org\nContent-Type: " + kind.encode() + b"\n\n--b\n" + data + b"\n--b--\n")


@given(st.text(max_size=500))
def test_any_html_is_read(text: str) -> None:
    assert "\x00" not in html_as_text("<p>" + text.replace("\x00", ""))


def test_a_mail_within_the_mail_and_what_is_too_long_are_told() -> None:
    message = mail("A lon H")
    message.add_attachment(mail("A par - bur"))
    found = read_mail(message.as_bytes())
    assert found.text.strip() == "A lon H" and any("copy its orders" in note for note in found.notes)
    long = read_mail(mail("A lon H\n" + "x" * 60 + "\n" * 2 + "word " * MOST_TEXT).as_bytes())
    assert len(long.text) == MOST_TEXT
    many = read_mail(mail("A lon H\n" + "word\n" * 20_000).as_bytes())
    assert many.text.count("\n") == MOST_LINES - 1 and many.notes
    assert any(note.startswith("only the first") for note in long.notes)


def test_what_is_struck_out_in_html_stays_struck_out_though_the_plain_text_does_not_tell() -> None:
    mail = EmailMessage()
    mail["From"] = "eve@example.org"
    mail.set_content("A par - bur\nA par H")
    mail.add_alternative("<div><s>A par - bur</s></div><div>A par H</div>", subtype="html")
    assert read_mail(mail.as_bytes()).text == "~~A par - bur~~\nA par H"


@pytest.mark.parametrize(
    ("said", "data"),
    [
        ("", "A par → bur".encode()),
        ("iso-8859-1", "A par – bur".encode()),
        ("utf-8", "A par \x96 bur".encode("latin1")),
        ("us-ascii", "A München".encode()),
        ("", "A M\xfcnchen".encode("latin1")),
    ],
)
def test_characters_are_read_as_what_they_are(said: str, data: bytes) -> None:
    head = f"From: e@x.org\nContent-Type: text/plain{'; charset=' + said if said else ''}\n\n".encode()
    text = read_mail(head + data).text
    assert "\ufffd" not in text and "â" not in text and "Ã" not in text
    assert any(sign in text for sign in "→–ü")


@pytest.mark.parametrize("server", ["mx.example", "unnamed"])
def test_what_somebody_else_handed_in_is_vouched_for_by_nobody_and_came_when_it_was_taken(server: str) -> None:
    """Whoever reaches the office's own port may write the trusted server's fields above a mail."""
    named = "" if server == "unnamed" else f"{server}; "
    forged = f"Authentication-Results: {named}dkim=pass header.d=example.org\r\n"
    forged += f"Received: from x by {server}; Mon, 2 Mar 2026 06:59:59 +0000\r\n"
    data = f"{forged}From: eve@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nA par H".encode()
    believed = read_mail(data, (), server)
    assert believed.vouched and believed.arrived is not None
    read = read_mail(from_elsewhere(data, server), (), server)
    assert (read.vouched, read.arrived) == (False, None)
    assert (read.sender, read.message_id, read.text) == ("eve@example.org", "<1@example.org>", "A par H")


def test_what_a_program_sends_by_itself_asks_for_no_answer() -> None:
    accepted = mail("A Paris - Burgundy", subject="Accepted: Deadline")
    accepted.add_alternative("BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR\n", subtype="calendar")
    assert read_mail(accepted.as_bytes()).automatic == ""
    for part in accepted.walk():
        if part.get_content_type() == "text/calendar":
            part.set_param("method", "REPLY")
    assert read_mail(accepted.as_bytes()).automatic == "auto-reply"
    # a thumb up asks for no answer
    thumb = mail("Eve reacted via Gmail")
    thumb.add_alternative('{"emoji":"x","version":1}', subtype="vnd.google.email-reaction+json")
    assert read_mail(thumb.as_bytes()).automatic == "auto-reply"


def test_characters_that_were_read_as_others() -> None:
    assert repaired("A Par â€“ Bur, F Nth â†’ Nwy") == "A Par – Bur, F Nth → Nwy"
    assert repaired("A Dauphin\u00c3\u00a9 - Sav") == "A Dauphin\u00e9 - Sav"
    assert repaired("A Par =E2=80=93 B=\nur=20") == "A Par – Bur "
    assert repaired("A Par - Gasco=\ngne=20") == "A Par - Gascogne "
    for text in ("A Par - Gasco=\ngne", "Dauphiné – Höhe", "â alone, Ãx", "=E2=80 is no dash"):
        assert repaired(text) == text


def test_a_text_that_has_a_name_is_a_file() -> None:
    """Unless the mail is nothing else: what an editor on a telephone shares."""
    for written in (True, False):
        message = mail("A Paris - Dijon")
        if not written:
            message.clear_content()
        message.add_attachment("A Marseilles - Spain", filename="old.txt", disposition="inline")
        found = read_mail(message.as_bytes())
        assert found.text.strip() == ("A Paris - Dijon" if written else "A Marseilles - Spain")
        assert (found.notes != ()) is written


@pytest.mark.parametrize(
    "before",
    [
        "<img src='data:image/png;base64," + "A" * 5_000_000 + "'>",
        "<style>" + "p { margin: 0 }" * 40_000 + "</style>",
        "<style>" + "<!-- p -->" * 50_000 + "</style>",
        "<!--[if mso]>" + "x" * 600_000 + "<![endif]-->",
    ],
    ids=["picture", "styles", "styles in comments", "comment"],
)
def test_what_html_does_not_show_takes_no_room_from_what_it_says(before: str) -> None:
    message = mail("")
    message.set_content(f"<html><body>{before}A Paris - Dijon</body></html>", subtype="html")
    assert read_mail(message.as_bytes()).text.strip() == "A Paris - Dijon"


@pytest.mark.parametrize("filler", ["<p>x</p>", "<b></b>"])
def test_html_that_is_too_long_is_told(filler: str) -> None:
    message = mail("")
    message.set_content(f"<html><body>{filler * 300_000}A Paris - Dijon</body></html>", subtype="html")
    assert any(
        "only the first" in note and ("HTML" in note or "bytes" in note) for note in read_mail(message.as_bytes()).notes
    )


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("Content-Type: multipart/mixed", "A Paris - Dijon"),
        ("Content-Type: text/plain\nContent-Transfer-Encoding: BASE64 ", "QSBQYXJpcyAtIERpam9u"),
        ("Content-Type: text/plain\nContent-Transfer-Encoding: base64; x=y", "QSBQYXJpcyAtIERpam9u"),
        ("Content-Type: text/enriched", "<bold>A <fontfamily><param>Arial</param>Paris</fontfamily></bold> - Dijon"),
    ],
)
def test_heads_that_say_it_wrong_or_in_old_ways_lose_no_text(head: str, text: str) -> None:
    found = read_mail(f"From: eve@example.org\n{head}\n\n{text}\n".encode())
    assert (found.text.strip(), found.notes) == ("A Paris - Dijon", ())


FOOTERS = (
    "Scanned by Mailguard for Paris",
    "\n\n-- \nPowick mailing list\nhttps://lists.example",
    "\n_______________________________________________\nPowick mailing list -- powick@lists.example",
    "Sent\nsafe\nby Mailguard",
    "Geprüft.",
)


BANNERS = (
    "[External] This message came from outside your organization.",
    "EXTERNAL",
    "CAUTION: This email originated from outside the company.\nDo not click links unless you know the sender.\n",
    "Sent\nsafe\n\nYou don't often get email from eve@example.org. Learn why this is important",
    "Externe Nachricht: geprüft",
)


CODED = ["A Paris - Orleanais, gruß\n", "A Paris - Dijon\n", "A Dauphine - Provence\n" * 20]
AROUND = [
    *[("", footer) for footer in FOOTERS],
    *[(banner + gap, footer) for banner in BANNERS for gap in ("\n", "\n\n") for footer in ("", FOOTERS[0])],
]


@pytest.mark.parametrize(("banner", "footer"), AROUND)
@pytest.mark.parametrize("kind", ["plain", "html"])
@pytest.mark.parametrize("charset", ["utf-8", "cp1252"])
@pytest.mark.parametrize("orders", some(CODED, 3))
def test_what_servers_add_to_coded_text_stands_above_and_below_it(
    banner: str, footer: str, kind: str, charset: str, orders: str
) -> None:
    """Gateways add banners, relays add footers."""
    coded = base64.encodebytes(orders.encode(charset)).decode()
    head = f"From: eve@example.org\nContent-Type: text/{kind}; charset={charset}\nContent-Transfer-Encoding: base64"
    found = read_mail(f"{head}\n\n{banner}{coded}{footer}\n".encode(charset))
    text, _, added = found.text.partition("\n-- \n")
    assert text.split() == [*banner.split(), *orders.split()] and added.split() == footer.split()
    assert found.notes == ()


def test_coded_text_that_is_damaged_is_never_read_from_its_middle() -> None:
    coded = base64.encodebytes(("A Paris - Orleanais\n" * 20).encode()).decode().split("\n")
    coded[1:1] = ["[External]", ""]
    head = "From: eve@example.org\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64"
    found = read_mail("\n".join([head, "", "\x07" + coded[0], *coded[1:]]).encode())
    assert "Paris" not in found.text or found.text.count("Paris") == 20
