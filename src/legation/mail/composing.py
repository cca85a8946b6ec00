"""A mailing as a message: headers, text and HTML, the map inside, enclosures.

Threads go by game and turn. The address to answer to is the seat's own; a link and a header unsubscribe with one click
(RFC 8058)."""

import contextlib
from collections.abc import Callable, Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime

import msgspec

from legation.board import Board
from legation.languages import ENGLISH
from legation.mail.attachments import MAP_NAME, marked
from legation.mail.content import Content, Enclosure, Facts, Heading, Image, Paragraph, as_html, as_text, in_language
from legation.mail.messages import message as content_of
from legation.mail.messages import reader_of
from legation.mail.parsing import clean_line
from legation.mail.postal import guides
from legation.mail.quoting import REPLY_LINE
from legation.mail.reading import OWN_MARK
from legation.mail.wording import named
from legation.mail.words import told
from legation.office.context import Actor
from legation.office.desk.mailings import unsubscribe_link
from legation.office.desk.mailroom import reply_address
from legation.office.errors import OfficeError
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.records import Mailing
from legation.office.terms.plans import settings_of
from legation.variants import VariantError

Papers = Callable[[Office, Actor, Mailing], Sequence[tuple[str, bytes, str]]]
"""What goes on paper with a mailing: PDF files with their names and the pages of the office where they stand."""
LARGEST = 200_000
"""Most bytes of pictures and files in a mail of results, unless its reader wants all; a mail adds a third to them."""


def compose(office: Office, mailing: Mailing, papers: Papers | None = None) -> EmailMessage:
    """Return the message of a mailing, with its papers. Composed again it says what is true then, under the same
    Message-ID."""
    content = content_of(office, mailing)
    reader = reader_of(office, mailing)
    if papers is not None and reader.person is not None:
        printed = papers(office, reader, mailing)
        files = tuple(Enclosure(name, "application/pdf", data, page) for name, data, page in printed)
        content = msgspec.structs.replace(content, enclosures=(*content.enclosures, *files))
    liked = people.me(office, reader).preferences if reader.person is not None else {}
    if mailing.kind in RESULTS and liked.get("attached") != "all":
        content = _without_large(office, content, pictures=liked.get("form") != "text")
    stop = unsubscribe_link(office, mailing)
    language = people.language_of(office, reader, str(mailing.facts.get("language", "")))
    footer = [*content.footer, *_footer(office, mailing), *([f"Stop mails of this kind: {stop}"] if stop else [])]
    board = None if language == ENGLISH else _board(office, mailing)
    shown = in_language(msgspec.structs.replace(content, footer=tuple(footer)), language, board)
    message = EmailMessage()
    message["From"] = Address(clean_line(office.settings.name), addr_spec=office.settings.mail_from)
    message["To"] = Address(clean_line(mailing.name), addr_spec=mailing.address)
    message["Subject"] = clean_line(content.subject)
    message["Date"] = format_datetime(mailing.made)
    message["Message-ID"] = mailing.message_id
    message["Auto-Submitted"] = "auto-replied" if mailing.kind == "answer" else "auto-generated"
    message[OWN_MARK] = clean_line(mailing.kind)
    if mailing.game and mailing.power:
        message["Reply-To"] = reply_address(office, mailing.game, mailing.power, mailing.person)
    references = [clean_line(str(mailing.facts["in_reply_to"]))] if mailing.facts.get("in_reply_to") else []
    if mailing.thread:
        references.append(f"<thread.{mailing.thread}@{office.settings.mail_from.rpartition('@')[2]}>")
    if references:
        message["In-Reply-To"] = references[0]
        message["References"] = " ".join(references)
    if stop:
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    html = "" if liked.get("form") == "text" else as_html(shown, office.settings.name, REPLY_LINE, language)
    _add_body(message, shown, f"{REPLY_LINE}\n\n{as_text(shown, language)}", html)
    return message


def _board(office: Office, mailing: Mailing) -> Board | None:
    """The board of the game that a mailing is about."""
    if not mailing.game:
        return None
    with contextlib.suppress(OfficeError, VariantError):
        return office.variants.load(games.game(office, Actor.console(), mailing.game).variant).board
    return None


def _without_large(office: Office, content: Content, *, pictures: bool) -> Content:
    """Return a content with only as many of its enclosures as fit, and the addresses of the others."""
    room = LARGEST - sum(len(block.data) for block in content.blocks if pictures and isinstance(block, Image))
    kept, others = [], []
    for file in content.enclosures:
        if file.page and len(file.data) > room:
            others.append((file.name, office.link(file.page)))
        else:
            kept.append(file)
            room -= len(file.data)
    if not others:
        return content
    linked = (Heading("Too large to attach"), Facts(tuple(others)), Paragraph(told("all attached")))
    return msgspec.structs.replace(content, blocks=(*content.blocks, *linked), enclosures=tuple(kept))


def _add_body(message: EmailMessage, content: Content, plain: str, written: str) -> None:
    message.set_content(plain)
    if written:
        message.add_alternative(written, subtype="html")
        html = message.get_body(("html",))
        for image in content.blocks:
            if isinstance(image, Image) and html is not None:
                name, cid = f"{MAP_NAME}.{image.kind}", f"<{image.cid}>"
                data = marked(image.data)
                html.add_related(data, "image", image.kind, filename=name, disposition="inline", cid=cid)
    for file in content.enclosures:
        main, _, sub = file.kind.partition("/")
        message.add_attachment(file.data, main, sub, filename=file.name)


OVER = ("game ended", "game cancelled", "game left")  # kinds after which a game takes no orders here
BEGINNINGS = ("game started", "seated")
RESULTS = ("results", "draft results")


def _footer(office: Office, mailing: Mailing) -> list[str]:
    """Why you get a mailing, and where its game's pages are."""
    site = office.settings
    if mailing.kind == "invitation":
        return [told("invitation footer")]
    if not (mailing.power and mailing.game) or mailing.kind in (*OVER, "seat lost"):
        return [", ".join(filter(None, (f"Sent by {site.name}", site.address)))]
    game = None
    with contextlib.suppress(OfficeError):
        game = games.game(office, reader_of(office, mailing), mailing.game)
    on_paper = game is not None and settings_of(game).photographs_only
    power = mailing.power if game is None else named(office, game, mailing.power).called
    known = {} if game is None or mailing.kind in BEGINNINGS else guides(office, game)  # where they stand above
    why = told("footer on paper" if on_paper else "footer", power=power, office=site.name)
    return [why, *(f"{name}: {url}" for name, url in known.items())]
