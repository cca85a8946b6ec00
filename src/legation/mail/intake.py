"""A mail that came in, taken apart by a child process with limits of time and memory: whatever it is made of, it stops
nothing but its own reading."""

from datetime import datetime

import msgspec

from legation.children import ChildError, Children
from legation.mail.reading import ParsedMail, read_mail
from legation.mail.requests import read_request
from legation.mail.subjects import read_subject
from legation.office.errors import UnavailableError
from legation.office.orders.order_codes import CodeError, SheetCode, read_order_sheet_code
from legation.office.orders.pictures import Picture, PictureError, take_pictures

SMALL = 3_000_000  # bytes; a larger mail has photographs in it, and takes more of everything
MOST_CODED = 12  # pictures of one mail in which a code is looked for

PARSERS = Children(most=2, seconds=1, megabytes=112)  # beside some 20 of programs that are shared
LARGE_PARSERS = Children(most=1, seconds=2, megabytes=180)
"""For mails that are not small: apart, so that a few of them do not hold up all others. 20 MB of photographs take less
than one second."""


class UnreadableMailError(ValueError):
    """A mail that cannot be taken apart within the limits; the message says why, without a word of the mail."""


def parse(data: bytes, recipients: tuple[str, ...], trusted: str, latest: datetime) -> ParsedMail:
    """Return a mail as :func:`legation.mail.reading.read_mail` understands it, with what it asks for, taken apart by a
    child process. ``latest``: when it came, or now. Raises UnreadableMailError when it cannot be, within the limits of
    time and memory, and UnavailableError when no child process can be had."""
    parsers = PARSERS if len(data) <= SMALL else LARGE_PARSERS
    try:
        return parsers.call(ParsedMail, f"{__name__}:understand", data, recipients, trusted, latest.isoformat())
    except ChildError as error:
        if error.reason == "away":
            raise UnavailableError("Mail can't be read at the moment.") from error
        raise UnreadableMailError(error.kind or str(error)) from None


def understand(data: bytes, recipients: list[str], trusted: str, latest: str) -> ParsedMail:
    """Return what a mail says and asks for; run in a child.

    Its subject is read here for the first time, so that one that takes too long takes it here."""
    mail = read_mail(data, tuple(recipients), trusted)
    now = datetime.fromisoformat(latest)
    read_subject(mail.subject, [])
    return msgspec.structs.replace(mail, request=read_request(mail.text, min(mail.arrived or now, now).date()))


def with_pictures(mail: ParsedMail) -> ParsedMail:
    """Return a mail with the pictures among its attachments, cleaned, and the codes of the order sheets that they show;
    what isn't a picture is noted. Raises UnavailableError when no child process can be had."""
    pictures: list[Picture] = []
    notes = list(mail.notes)
    for file in mail.attachments:
        try:
            pictures += take_pictures(file.name, file.data)
        except PictureError as error:
            notes.append(f"{error}.")
    codes: dict[SheetCode, None] = {}
    fault = ""
    for picture in pictures[:MOST_CODED]:
        try:
            if (code := read_order_sheet_code(picture.data)) is not None:
                codes[code] = None
        except CodeError as error:
            fault = fault or f"{error}."
    return msgspec.structs.replace(
        mail, pictures=tuple(pictures), codes=tuple(codes), code_fault=fault, notes=tuple(notes)
    )
