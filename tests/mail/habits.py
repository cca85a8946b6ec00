"""Some three hundred further habits: what telephones, web mail and people add, in more forms, around orders or thanks.

``habits.tsv`` has more of them, by kind: ``above`` a quotation, the ``head`` of one, a ``footer``.
"""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from functools import partial
from html import escape
from pathlib import Path

from tests.mail.programs import html_answer, html_of, lines_as_html, marked, plain_of, text_answer

ADDRESS = "office@office.example"
HERE = f"The office <{ADDRESS}>"
TO = "eve@example.org"
ABOVE = {
    "spark": f"On 2 Mar 2026, 13:00 +0000, {HERE}, wrote:",
    "k-9": f"On 2 March 2026 13:00:00 GMT, {HERE} wrote:",
    "k-9 german": f"Am 2. März 2026 13:00:00 MEZ schrieb {HERE}:",
    "thunderbird english": "On 02/03/2026 13:00, The office wrote:",
    "fastmail": "On Mon, 2 Mar 2026, at 1:00 PM, The office wrote:",
    "tuta": f"2 Mar 2026, 13:00 by {ADDRESS}:",
    "mailbird": f"On 02/03/2026 13:00:00, {HERE} wrote:",
    "postbox": "The office wrote on 3/2/26 1:00 PM:",
    "evolution": "On Mon, 2026-03-02 at 13:00 +0000, The office wrote:",
    "kmail": "On Monday, 2 March 2026 13:00:00 GMT The office wrote:",
    "gnus": f"{HERE} writes:",
    "the bat": "Monday, March 2, 2026, 1:00:00 PM, you wrote:",
    "roundcube french": "Le 2026-03-02 13:00, The office a écrit :",
    "libero": f"Il 2 marzo 2026 alle 13.00 {HERE} ha scritto:",
    "wp.pl": f"Dnia 2 marca 2026 13:00 {HERE} napisał(a):",
    "rambler": "02.03.2026, 13:00, The office пишет:",
    "163": f'At 2026-03-02 13:00:00, "The office" <{ADDRESS}> wrote:',
    "gmail dutch": f"Op ma 2 mrt 2026 om 13:00 schreef {HERE}:",
    "gmail finnish": f"ma 2. maalisk. 2026 klo 13.00 The office ({ADDRESS}) kirjoitti:",
    "gmail catalan": f"Missatge de {HERE} del dia dl., 2 de març 2026 a les 13:00:",
    "gmail swedish": f"Den mån 2 mars 2026 kl 13:00 skrev {HERE}:",
    "gmail spanish": f"El lun, 2 mar 2026 a las 13:00, The office (<{ADDRESS}>) escribió:",
    "gmail slovak": f"po 2. 3. 2026 o 13:00 {HERE} napísal(a):",
    "gmail croatian": f"pon, 2. ožu 2026. u 13:00 {HERE} napisao je:",
    "gmail indonesian": f"Pada Sen, 2 Mar 2026 pukul 13.00 {HERE} menulis:",
    "gmail vietnamese": f"Vào Th 2, 2 thg 3, 2026 vào lúc 13:00 {HERE} đã viết:",
}
"""The lines that mail programs write above a quotation."""
HEADS = {
    "em client": f'------ Original Message ------\nFrom "The office" <{ADDRESS}>\nTo {TO}\nDate 02/03/2026 13:00:00\n'
    "Subject ",
    "zimbra": f'----- Original Message -----\nFrom: "The office" <{ADDRESS}>\nTo: "eve" <{TO}>\n'
    "Sent: Monday, 2 March, 2026 13:00:00\nSubject: ",
    "zimbra french": f'De: "The office" <{ADDRESS}>\nÀ: "eve" <{TO}>\nEnvoyé: Lundi 2 Mars 2026 13:00:00\nObjet: ',
    "seznam": f"---------- Původní e-mail ----------\nOd: {HERE}\nKomu: {TO}\nDatum: 2. 3. 2026 13:00:00\nPředmět: ",
    "qq": f'------------------ Original ------------------\nFrom: "The office"<{ADDRESS}>;\n'
    f'Date: Mon, Mar 2, 2026 01:00 PM\nTo: "eve"<{TO}>;\nSubject: ',
    "naver": f"-----Original Message-----\nFrom: {HERE}\nTo: {TO}\nCc:\n"
    "Sent: 2026-03-02 (월) 13:00:00 (GMT+09:00)\nSubject: ",
    "proton mobile": f"-------- Original Message --------\nOn Monday, 03/02/26 at 13:00 {HERE} wrote:\nSubject: ",
}
FOOTERS = {
    "outlook ios": "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "outlook android": "Get Outlook for Android<https://aka.ms/AAb9ysg>",
    "proton": "Sent with Proton Mail secure email.",
    "proton ios": "Sent from Proton Mail for iOS.",
    "gmx": "--\nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.",
    "yahoo iphone": "Sent from Yahoo Mail for iPhone<https://mail.onelink.me/107872968>",
    "yahoo search": "Yahoo Mail: Search, Organize, Conquer",
    "bluemail": "Get BlueMail for Android",
    "aqua": "Sent with Aqua Mail for Android\nhttps://www.mobisystems.com/aqua-mail",
    "superhuman": "Sent via Superhuman iOS <https://sprh.mn/?vip=eve@example.org>",
    "watch": "Sent from my Apple Watch",
    "typos": "Sent from my phone, please excuse typos.",
    "dictated": "Dictated with Siri; please forgive mistakes.",
    "spark": "Sent from Spark",
    "hey": "Sent from HEY for iOS",
    "k-9": "-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
    "k-9 german": "-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "samsung": "Sent from my Galaxy",
    "huawei french": "Envoyé de mon téléphone Huawei",
    "outlook french": "Télécharger Outlook pour iOS",
    "outlook german": "Outlook für Android herunterladen",
    "libero": "Inviato da Libero Mail per Android",
    "free french": "Envoyé avec la messagerie Proton Mail.",
    "mailspring": "Sent from Mailspring, the best free email app for work",
    "avast": "Virus-free.www.avast.com",
    "green": "Please consider the environment before printing this e-mail.",
    "disclaimer": "This message and any attachment are confidential and intended solely for the addressee. "
    "If you have received it in error, delete it and tell the sender.",
    "title": "-- \nEve Example\nHead of Paris Office | Example Ltd\nM: +44 7700 900123",
}
"""What is added below what somebody writes."""


for kind, name, text in (
    line.split("\t") for line in Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()[1:]
):
    shown = text.format(office=HERE, address=ADDRESS, to=TO).replace("\\n", "\n").replace("\\t", "\t")
    {"above": ABOVE, "head": HEADS, "footer": FOOTERS}[kind][f"{name}, {kind}"] = shown


def above(name: str, original: EmailMessage, new: str, *, mark: bool) -> bytes:
    quoted = marked(plain_of(original)) if mark else plain_of(original)
    return text_answer(original, f"{new}\n\n{ABOVE[name]}\n\n{quoted}\n")


def below(name: str, original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{ABOVE[name]}\n{marked(plain_of(original))}\n\n{new}\n")


def headed(name: str, original: EmailMessage, new: str, *, rule: str = "") -> bytes:
    head = f"{rule}{HEADS[name]}{original['Subject']}"
    return text_answer(original, f"{new}\n\n{head}\n\n{plain_of(original)}\n", threads=False)


def footed(name: str, original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n{FOOTERS[name]}\n\n{ABOVE['fastmail']}\n{marked(plain_of(original))}\n")


def orange(original: EmailMessage, new: str) -> bytes:
    head = (
        f'> Message du 02/03/26 13:00\n> De : "The office" <{ADDRESS}>\n> A : {TO}\n> Objet : {original["Subject"]}\n>'
    )
    return text_answer(original, f"{new}\n\n\n{head}\n{marked(plain_of(original))}\n")


def apple_marked(original: EmailMessage, new: str) -> bytes:
    wrote = f"> On 2 Mar 2026, at 13:00, {HERE} wrote:\n>"
    return text_answer(original, f"{new}\n\n{wrote}\n{marked(plain_of(original))}\n")


def colored(original: EmailMessage, new: str) -> bytes:
    red = "".join(f'<div><span style="color:#c00">{escape(line)}</span></div>' for line in new.split("\n"))
    return html_answer(original, f"<div>See my answers in red below.</div><hr>{html_of(original)}{red}")


def signature_pictures(original: EmailMessage, new: str) -> bytes:
    logo = '<table><tr><td><img src="https://example.org/logo.png" alt="Example Ltd"></td><td>Eve</td></tr></table>'
    wrote = "<div>On Mon, 2 Mar 2026 at 13:00, The office wrote:</div>"
    return html_answer(
        original, f"{lines_as_html(new)}<div>--<br>{logo}</div>{wrote}<blockquote>{html_of(original)}</blockquote>"
    )


def tuta_html(original: EmailMessage, new: str) -> bytes:
    quoted = (
        f'<div>2 Mar 2026, 13:00 by {ADDRESS}:</div><blockquote class="tutanota_quote">{html_of(original)}</blockquote>'
    )
    return html_answer(
        original, f"<div>{lines_as_html(new)}</div><div>--</div><div>Secured with Tuta Mail</div>{quoted}"
    )


def spark_html(original: EmailMessage, new: str) -> bytes:
    wrote = f"On 2 Mar 2026, 13:00 +0000, {escape(HERE)}, wrote:<br>"
    quoted = f'<div name="messageReplySection">{wrote}<blockquote type="cite">'
    return html_answer(
        original,
        f'<div name="messageBodySection">{lines_as_html(new)}</div>{quoted}{html_of(original)}</blockquote></div>',
    )


OFFICE_WROTE = f"On Mon, 2 Mar 2026 at 13:00, {HERE} wrote:"
OFFICE_HEAD = f"From: {HERE}\nSent: Monday, March 2, 2026 1:00 PM\nTo: Eve <{TO}>\nSubject: "
MARKS = {
    "bars": "| ",
    "two marks": ">> ",
    "marks without blanks": ">",
    "indented": "    ",
    "tabs": "\t",
}
"""What stands before each quoted line."""
BANNERS = {
    "caution": "CAUTION: This email originated from outside of the organization. Do not click links or open "
    "attachments unless you recognize the sender.",
    "not often": "You don't often get email from office@office.example. Learn why this is important "
    "<https://aka.ms/LearnAboutSenderIdentification>",
}
"""What a company's server puts above a mail that came from outside."""


def otherwise_marked(name: str, original: EmailMessage, new: str) -> bytes:
    quoted = "\n".join(f"{MARKS[name]}{line}".rstrip() for line in plain_of(original).split("\n"))
    return text_answer(original, f"{new}\n\n{OFFICE_WROTE}\n\n{quoted}\n")


def bannered(name: str, original: EmailMessage, new: str) -> bytes:
    head = f"{OFFICE_HEAD}{original['Subject']}"
    return text_answer(original, f"{new}\n\n{head}\n\n{BANNERS[name]}\n\n{plain_of(original)}\n")


def starred_head(original: EmailMessage, new: str) -> bytes:
    head = "\n".join("*{}:*{}".format(*line.split(":", 1)) for line in OFFICE_HEAD.splitlines())
    return text_answer(original, f"{new}\n\n{head}{original['Subject']}\n\n{plain_of(original)}\n")


def shortened(original: EmailMessage, new: str) -> bytes:
    quoted = "\n".join(marked(plain_of(original)).split("\n")[:4])
    return text_answer(original, f"{OFFICE_WROTE}\n{quoted}\n[snip]\n\n{new}\n\n-- \nEve\n")


def own_orders_before(original: EmailMessage, new: str) -> bytes:
    before = f"A Paris - Calais\nA Dauphine H\n\n{OFFICE_WROTE}\n{marked(plain_of(original))}"
    return text_answer(original, f"{new}\n\nOn Tue, 3 Mar 2026 at 09:00, Eve <{TO}> wrote:\n{marked(before)}\n")


def own_orders_before_unmarked(original: EmailMessage, new: str) -> bytes:
    mine = f"From: Eve <{TO}>\nSent: Tuesday, March 3, 2026 9:00 AM\nTo: {HERE}\nSubject: Re: {original['Subject']}"
    text = f"{new}\n\n{mine}\n\nA Paris - Calais\nA Dauphine H\n\n{OFFICE_HEAD}{original['Subject']}"
    return text_answer(original, f"{text}\n\n{plain_of(original)}\n")


def in_a_table(original: EmailMessage, new: str) -> bytes:
    rows = "".join(f"<tr><td>{escape(line)}</td></tr>" for line in new.split("\n"))
    return html_answer(original, f"<table>{rows}</table><hr>{html_of(original)}")


def in_a_list(original: EmailMessage, new: str) -> bytes:
    items = "".join(f"<li>{escape(line)}</li>" for line in new.split("\n"))
    head = "<br>".join(f"<b>{escape(line)}</b>" for line in f"{OFFICE_HEAD}{original['Subject']}".splitlines())
    return html_answer(original, f"<ul>{items}</ul><div>{head}</div>{html_of(original)}")


def in_entities(original: EmailMessage, new: str) -> bytes:
    text = escape(new).replace(" ", "&nbsp;").replace("-", "&ndash;").replace("\n", "<br>")
    return html_answer(original, f'<div>{text}</div><blockquote type="cite">{html_of(original)}</blockquote>')


HABITS: dict[str, Callable[[EmailMessage, str], bytes]] = {
    **{f"{name}, marked": partial(above, name, mark=True) for name in ABOVE},
    **{f"{name}, unmarked": partial(above, name, mark=False) for name in ABOVE},
    **{f"{name}, below": partial(below, name) for name in list(ABOVE)[::3]},
    **{f"{name}, head": partial(headed, name) for name in HEADS},
    **{f"{name}, footer": partial(footed, name) for name in FOOTERS},
    **{f"{name}, head and rule": partial(headed, name, rule="_" * 32 + "\n") for name in HEADS},
    "orange": orange,
    "apple marked": apple_marked,
    "colored": colored,
    "signature pictures": signature_pictures,
    "tuta html": tuta_html,
    "spark html": spark_html,
    **{f"{name}, quoted": partial(otherwise_marked, name) for name in MARKS},
    **{f"{name}, banner": partial(bannered, name) for name in BANNERS},
    "starred head": starred_head,
    "shortened": shortened,
    "own orders before": own_orders_before,
    "own orders before, unmarked": own_orders_before_unmarked,
    "in a table": in_a_table,
    "in a list": in_a_list,
    "in entities": in_entities,
}
TELLING = frozenset(
    f"{name}, footer, footer"
    for name in (
        "signature no dashes", "signature lines", "signature underscores", "signature tilde", "mfg", "hth",
        "regards kr", "quote of day",
    )
) | {"title, footer", "colored", "struck_by_a_style_sheet"}  # fmt: skip
"""What its owner wrote, so that it is told where it is not understood, or names a place below a signature."""
