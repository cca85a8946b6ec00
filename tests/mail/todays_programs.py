"""Mail programs of the web and of telephones as they write today: what Outlook's servers make of a mail, Gmail's text,
portals in Germany, and what companies, lists and scanners add."""

import re
import textwrap
from email.message import EmailMessage
from functools import partial
from html import escape
from html.parser import HTMLParser
from urllib.parse import quote

from tests.mail.programs import (
    TO,
    WHO,
    WROTE,
    Program,
    answer,
    html_answer,
    html_of,
    lines_as_html,
    marked,
    plain_of,
    text_answer,
    written,
)

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


def exchanged(original: EmailMessage) -> str:
    """What Exchange makes of a mail's HTML."""
    parser = _Exchange()
    parser.feed(html_of(original))
    text = "\n".join(line.strip() for line in "".join(parser.said).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n")


NAMES = {
    "en": ("From:", "Sent:", "To:", "Subject:"),
    "de": ("Von:", "Gesendet:", "An:", "Betreff:"),
    "fr": ("De :", "Envoyé :", "À :", "Objet :"),
    "es": ("De:", "Enviado:", "Para:", "Asunto:"),
    "it": ("Da:", "Inviato:", "A:", "Oggetto:"),
    "nl": ("Van:", "Verzonden:", "Aan:", "Onderwerp:"),
    "sv": ("Från:", "Skickat:", "Till:", "Ämne:"),
    "da": ("Fra:", "Sendt:", "Til:", "Emne:"),
    "pl": ("Od:", "Wysłane:", "Do:", "Temat:"),
    "ja": ("差出人:", "送信日時:", "宛先:", "件名:"),
}
OUTLOOK = {
    "en": "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "de": "Holen Sie sich Outlook für Android<https://aka.ms/AAb9ysg>",
    "fr": "Obtenez Outlook pour Android<https://aka.ms/AAb9ysg>",
    "es": "Obtener Outlook para iOS<https://aka.ms/o0ukef>",
    "it": "Ottieni Outlook per iOS<https://aka.ms/o0ukef>",
    "nl": "Download Outlook voor Android<https://aka.ms/AAb9ysg>",
    "sv": "Skaffa Outlook för iOS<https://aka.ms/o0ukef>",
    "da": "Hent Outlook til iOS<https://aka.ms/o0ukef>",
    "pl": "Pobierz program Outlook dla systemu iOS<https://aka.ms/o0ukef>",
    "ja": "iOS 用 Outlook<https://aka.ms/o0ukef>を入手",
}
BANNERS = {
    "unusual": "You don't often get email from office@office.example. Learn why this is important"
    "<https://aka.ms/LearnAboutSenderIdentification>",
    "own": "EXTERNAL EMAIL: Do not click any links or open any attachments unless you trust the sender.",
    "own de": "ACHTUNG: Diese E-Mail stammt von einem externen Absender. Klicken Sie nicht auf Links.",
    "own fr": "[EXTERNE] Attention : ce courriel provient de l'extérieur de votre organisation.",
}
ORIGINAL = (
    "Original message", "Originalnachricht", "Message d'origine", "Mensaje original", "Messaggio originale",
    "Oorspronkelijk bericht", "Oryginalna wiadomość", "Mensagem original", "Originalmeddelande", "Oprindelig besked",
    "Původní zpráva", "Alkuperäinen viesti", "Eredeti üzenet", "Orijinal mesaj", "Исходное сообщение",
    "Αρχικό μήνυμα", "元のメッセージ", "Mesaj original", "원본 이메일", "Вихідне повідомлення",
)  # fmt: skip
"""What Samsung's program writes between dashes."""
FORWARDED = ("Anfang der weitergeleiteten Nachricht:", "Début du message réexpédié :", "Inicio del mensaje reenviado:")
LIST = (
    "_" * 47 + "\nParis mailing list -- paris@lists.example\nTo unsubscribe send an email to paris-leave@lists.example"
)
GDPR = "Data protection: Example Ltd processes personal data in accordance with the GDPR. See us in Paris."
ADDED = {
    "list": LIST,
    "groups": '-- \nYou received this message because you are subscribed to the Google Groups "Paris" group.',
    "avast": "-- \nDiese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.\nwww.avast.com",
    "gdpr": GDPR,
}


def head(original: EmailMessage, language: str = "en") -> str:
    said = (WHO, "Monday, March 2, 2026 1:00 PM", f"Eve <{TO}>", original["Subject"])
    return "\n".join(f"{name} {value}" for name, value in zip(NAMES[language], said, strict=True))


def both(original: EmailMessage, text: str, html: str, *, threads: bool = True) -> bytes:
    message = answer(original, threads=threads)
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    return message.as_bytes()


def outlook_on_the_web(original: EmailMessage, new: str, *, threads: bool, text: bool, banner: str = "") -> bytes:
    links = re.sub(r'href="([^"]*)"', lambda link: f'href="{SAFE.format(quote(link[1], safe=""))}"', html_of(original))
    shown = "<br>".join(f"<b>{escape(line)}</b>" for line in head(original).splitlines())
    table = f"<table><tr><td></td><td>{escape(banner)}</td></tr></table>" if banner else ""
    html = (
        f'<html><head><style>P {{margin:0}}</style></head><body dir="ltr">{lines_as_html(new)}<div id="appendonsend">'
        f'</div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font>'
        f"{shown}</font><div>&nbsp;</div></div>{table}<div>{links}</div></body></html>"
    )
    if not text:
        message = answer(original, threads=threads)
        message.set_content(html, subtype="html")
        return message.as_bytes()
    above = f"{banner}\n\n" if banner else ""
    return both(original, f"{new}\n\n{RULE}\n{head(original)}\n\n{above}{exchanged(original)}\n", html, threads=threads)


def outlook_on_a_phone(language: str, original: EmailMessage, new: str) -> bytes:
    quoted = f"{RULE}\n{head(original, language)}\n\n{exchanged(original)}"
    return text_answer(original, f"{new}\n\n{OUTLOOK[language]}\n{quoted}")


def bannered(name: str, original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{BANNERS[name]}\n\n{new}\n\n{head(original)}\n\n{exchanged(original)}\n")


def samsung(name: str, original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n-------- {name} --------\n\n{plain_of(original)}", threads=False)


def forwarded(name: str, original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n{name}\n\n{head(original)}\n\n{plain_of(original)}\n", threads=False)


def portal(original: EmailMessage, new: str) -> bytes:
    """GMX and Web.de, which name the day first."""
    told = f"Gesendet: Montag, 02. März 2026 um 13:00\nVon: {WHO}\nAn: {TO}\nBetreff: {original['Subject']}"
    return text_answer(original, f"{new}\n\n{told}\n\n{exchanged(original)}", threads=False)


def added(name: str, original: EmailMessage, new: str) -> bytes:
    """Below the quotation."""
    return text_answer(original, f"{new}\n\n{WROTE}\n{marked(plain_of(original))}\n\n{ADDED[name]}\n")


def in_two_parts(original: EmailMessage, new: str) -> bytes:
    """A mailing list, which adds a text of its own."""
    message = answer(original)
    message.set_content(f"{new}\n\n{WROTE}\n{marked(plain_of(original))}\n")
    message.add_attachment(LIST, disposition="inline")
    return message.as_bytes()


def in_bold(original: EmailMessage, new: str) -> bytes:
    """Gmail's text of bold and listed orders."""
    first, *others = new.split("\n")
    written = "\n".join([f"   - *{first}*", *(f"   - {line}" for line in others)])
    return text_answer(original, f"{written}\n\n\n{WROTE}\n\n{marked(plain_of(original))}\n")


def preformatted(original: EmailMessage, new: str) -> bytes:
    return html_answer(original, f"<pre>{escape(new)}\n\n{escape(WROTE)}\n{escape(marked(plain_of(original)))}</pre>")


def preformatted_signature(original: EmailMessage, new: str) -> bytes:
    """Thunderbird, with a line above and one below the quotation."""
    first, _, rest = new.partition("\n")
    quoted = (
        f'<div class="moz-cite-prefix">{escape(WROTE)}</div><blockquote type="cite">{html_of(original)}</blockquote>'
    )
    signed = '<pre class="moz-signature" cols="72">-- \nEve, Paris</pre>'
    return html_answer(original, f"<p>{escape(first)}</p>{quoted}<p>{escape(rest)}</p>{signed}")


def softly_broken(original: EmailMessage, new: str) -> bytes:
    """Quoted-printable that is called plain, without a letter beyond ASCII."""
    message = answer(original)
    message.set_content("x", cte="7bit")
    broken = new.replace(" - ", " =\n- ")
    text = f"{broken}=20\n\n{WROTE}\n{marked(plain_of(original)).replace('=', '=3D')}\n"
    return message.as_bytes().rpartition(b"x")[0] + text.encode("ascii", "replace")


def wrapped(original: EmailMessage, new: str) -> bytes:
    lines = exchanged(original).split("\n")
    quoted = "\n".join(textwrap.fill(x, 66, break_long_words=False, break_on_hyphens=False) for x in lines)
    return text_answer(original, f"{new}\n\n{head(original)}\n\n{quoted}")


TODAYS: dict[str, Program] = {
    **written("todays"),
    **{
        f"outlook on the web, {'threads' if threads else ''}, {'text' if text else ''}, {banner}": partial(
            outlook_on_the_web, threads=threads, text=text, banner=BANNERS.get(banner, "")
        )
        for threads in (True, False)
        for text in (True, False)
        for banner in ("", "unusual")
    },
    **{f"outlook on a phone, {language}": partial(outlook_on_a_phone, language) for language in OUTLOOK},
    **{f"banner, {name}": partial(bannered, name) for name in BANNERS},
    **{f"samsung, {name}": partial(samsung, name) for name in ORIGINAL},
    **{f"forwarded, {name}": partial(forwarded, name) for name in FORWARDED},
    **{f"added, {name}": partial(added, name) for name in ADDED},
    **{
        write.__name__: write
        for write in (
            portal, in_two_parts, in_bold, preformatted, preformatted_signature, softly_broken, wrapped
        )
    },
}  # fmt: skip
